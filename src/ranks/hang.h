/*
 * hang: whether the ranks of a run would wait for each other for ever, as far as compiled code goes. Each rank's
 * collectives are put one behind the other; where ranks that share a process group come to different operations, they
 * wait. Collectives outside of compiled code are not in the trace. Results live in the arena given.
 */
#pragma once

#include "ranks/collectives.h"

/* The default group, of all ranks, is the first that is made (torch/distributed/distributed_c10d.py). */
#define DEFAULT_GROUP STR("0")

/* NULL when none is predicted. */
const struct hang *hang_find(struct arena *a, struct fingerprinter *f, const struct rank_run *run);
