/*
 * break_ids: the number of a type in PyTorch's registry of graph breaks, for messages without a link to it (2.8, and
 * texts that lost the link). tools/make-break-ids writes the table from torch/_dynamo/graph_break_registry.json.
 */
#pragma once

#include "util/str.h"

/* "GB0025" (static) for "Call to `torch._dynamo.graph_break()`"; empty if the registry has no such type. */
struct str break_id_of(struct str type);

/* The other way around: the type (static) for "GB0025"; empty if there is none. */
struct str break_type_of(struct str id);

/*
 * Where in a line a type of the registry begins that ends the line, "Attempted to call function marked as skipped"; or
 * -1.
 */
ptrdiff_t break_type_find(struct str line);
