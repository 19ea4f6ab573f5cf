/*
 * hang: whether the ranks of a run would wait for each other for ever, as far as compiled code goes: where ranks that
 * share a process group come to different operations, they wait. Collectives outside of compiled code are not in the
 * trace. Results live in the arena given.
 */
#pragma once

#include "ranks/calls/execution.h"

/* The default group, of all ranks, is the first that is made (torch/distributed/distributed_c10d.py). */
#define DEFAULT_GROUP STR("0")

/* Where two ranks come to different operations of one group. */
struct hang_place {
    const struct rank_step *a, *b; /* NULL: no further call of the group */
    uint64_t before;               /* calls of the group that both made before */
};

/*
 * The first such place; false when there is none. Each group is looked at on its own: in which order a rank calls
 * different groups may differ.
 */
bool hang_between(const struct rank_steps *a, const struct rank_steps *b, struct hang_place *out);

/* NULL when none is predicted. */
const struct hang *hang_find(struct arena *a, const struct rank_run *run, const struct column_steps *steps);

/*
 * Whether ranks are meant to compile different functions, as the stages of a pipeline do: none is compiled by all of
 * them, and none calls collectives, in which they would have to agree.
 */
bool ranks_are_stages(const struct rank_run *run, const struct column_steps *steps);
