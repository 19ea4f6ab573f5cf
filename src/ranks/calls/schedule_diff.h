/*
 * schedule_diff: compares the collectives of ranks: which calls one has and another lacks, including those after the
 * first difference, and where they meet again. Calls are equal if operation, reduction, process group, sizes and dtype
 * are. The difference is a shortest one (Myers, An O(ND) Difference Algorithm) up to a limit on its cost; beyond that,
 * it is a single hunk. Results live in the arena given.
 */
#pragma once

#include "ranks/calls/execution.h"

void schedule_diffs_find(struct arena *a, const struct rank_run *run, const struct column_steps *steps,
                         struct schedule_diffs *out);

enum { DIFF_COST_MAX = 256 };

/*
 * The shortest difference of two lists of numbers, with at most DIFF_COST_MAX elements. Marks in del the elements of a
 * that are not in b, and in ins those of b that are not in a; both must be zeroed. If the difference is longer,
 * returns false and marks everything between equal ends.
 */
bool diff_numbers(const uint32_t *a, size_t n, const uint32_t *b, size_t m, bool *del, bool *ins);
