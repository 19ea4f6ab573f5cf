/*
 * break_remedy: what PyTorch's own message on a graph break names against it (a setting, a variable, a function), if
 * the advice does not: a reader who has read the message asks for it. Any thread.
 */
#pragma once

#include "util/arena.h"

/* A sentence for each such name of the message's hints that `said` lacks, with a blank before it; may be empty. */
struct str break_remedy(struct arena *a, struct str message, struct str said);
