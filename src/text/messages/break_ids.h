/*
 * break_ids: the number that PyTorch's registry of graph breaks has for a type, for messages without a link to it (2.8,
 * and texts that lost theirs). Facts of torch/_dynamo/graph_break_registry.json; tools/make-break-ids writes them.
 */
#pragma once

#include "util/str.h"

/* "GB0025" (static) for "Call to `torch._dynamo.graph_break()`"; empty when the registry has no such type. */
struct str break_id_of(struct str type);

/* The other way round: the type (static) of "GB0025"; empty when there is none. */
struct str break_type_of(struct str id);

/* Where a type of the registry begins that ends the line, "Attempted to call function marked as skipped"; or -1. */
ptrdiff_t break_type_find(struct str line);
