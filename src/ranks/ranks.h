/*
 * ranks: whether the ranks of a job did the same, and where first they did not. This is the only header of src/ranks
 * that other folders include; src/ranks/README.md explains the words. Every run of the job is looked at on its own.
 * Results live in the arena given and are read-only; the model is not changed.
 */
#pragma once

#include "ranks/compare/comparison.h"

/*
 * `wall_us` is how long each process compiled, by process->index; -1 unknown. Payloads are read by the threads of
 * `pool`, which may be NULL.
 */
void ranks_find(struct arena *a, const struct run *r, const int64_t *wall_us, struct pool *pool, struct ranks *out);

/*
 * "4 ranks: all compiled the same program", "64 ranks: 63 alike, rank 37 differs; first in [1/0] `f`": of one run, and
 * of all, each with its number where there are several. Empty when there is nothing to compare.
 */
struct str rank_run_verdict(struct arena *a, const struct rank_run *run);
struct str ranks_verdict(struct arena *a, const struct ranks *r);
