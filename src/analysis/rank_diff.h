/*
 * rank_diff: the collectives of ranks side by side: what one has and another lacks, also behind the first call in which
 * they differ, and where they meet again. Calls are equal by operation, reduction, process group, sizes and dtype. The
 * difference is a shortest one (Myers, An O(ND) Difference Algorithm) up to a bound on its cost; what differs more is
 * one stretch. Results live in the arena given.
 */
#pragma once

#include "analysis/rank_steps.h"

/* A stretch in which they differ. Either list may be empty. */
struct diff_hunk {
    uint64_t equal;                     /* calls of both between the stretch before and this one */
    VEC(const struct rank_step *) most; /* what most ranks call, and the others do not */
    VEC(const struct rank_step *) other;
    const struct rank_step *meets; /* the call of both behind it; NULL at the end */
};

struct schedule_diff {
    VEC(int) most, other; /* ranks, ascending */
    uint64_t most_calls, other_calls, equal;
    VEC(struct diff_hunk) hunks; /* in order */
    uint64_t equal_after;        /* calls of both behind the last one */
    bool coarse;                 /* too different: what lies between the first and the last difference is one stretch */
};

/* Distinct schedules are compared with that of the first group of ranks; several groups may have the same. */
enum { SCHEDULE_DIFFS_MAX = 8, DIFF_COST_MAX = 256 };

struct schedule_diffs {
    VEC(struct schedule_diff) list;
    size_t count; /* distinct schedules, also those beyond what is listed */
};

void schedule_diffs_find(struct arena *a, struct signer *s, const struct rank_run *run, struct schedule_diffs *out);

/*
 * The shortest difference of two lists of numbers, at most DIFF_COST_MAX: marks in del and ins, which are zeroed, what
 * of a is not in b, and what of b is not in a. False when it is longer; then all between equal ends is marked.
 */
bool diff_numbers(const uint32_t *a, size_t n, const uint32_t *b, size_t m, bool *del, bool *ins);
