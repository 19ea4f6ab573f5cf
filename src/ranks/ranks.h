/*
 * ranks: compares the ranks of a job: whether they did the same, and where they first did not. This is the only header
 * of src/ranks that other folders include; src/ranks/README.md explains the words. Each run of the job is compared
 * separately. Results live in the arena given and are read-only; the model is not changed.
 */
#pragma once

#include "ranks/compare/comparison.h"

/*
 * `wall_us` is the compile time of each process, by process->index; -1 unknown. Payloads are read by the threads of
 * `pool`, which may be NULL.
 */
void ranks_find(struct arena *a, const struct run *r, const int64_t *wall_us, struct pool *pool, struct ranks *out);

/*
 * "4 ranks: all compiled the same program", "64 ranks: 63 alike, rank 37 differs; first in [1/0] `f`": for one run, or
 * for all, with their numbers if there are several. Empty if there is nothing to compare.
 */
struct str rank_run_verdict(struct arena *a, const struct rank_run *run);
struct str ranks_verdict(struct arena *a, const struct ranks *r);
