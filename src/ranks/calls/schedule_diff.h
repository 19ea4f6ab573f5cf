/*
 * schedule_diff: the collectives of ranks side by side: what one has and another lacks, also behind the first call in
 * which they differ, and where they meet again. Calls are equal by operation, reduction, process group, sizes and
 * dtype. The difference is a shortest one (Myers, An O(ND) Difference Algorithm) up to a bound on its cost; what
 * differs more is one stretch. Results live in the arena given.
 */
#pragma once

#include "ranks/calls/execution.h"

void schedule_diffs_find(struct arena *a, const struct rank_run *run, const struct column_steps *steps,
                         struct schedule_diffs *out);

enum { DIFF_COST_MAX = 256 };

/*
 * The shortest difference of two lists of numbers, at most DIFF_COST_MAX: marks in del and ins, which are zeroed, what
 * of a is not in b, and what of b is not in a. False when it is longer; then all between equal ends is marked.
 */
bool diff_numbers(const uint32_t *a, size_t n, const uint32_t *b, size_t m, bool *del, bool *ins);
