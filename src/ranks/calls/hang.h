/*
 * hang: predicts whether the ranks of a run would deadlock in compiled code, because ranks of one process group reach
 * different operations. Collectives outside compiled code are not in the trace. Results live in the arena given.
 */
#pragma once

#include "ranks/calls/execution.h"

/* The default group, which has all ranks, is the first one made (torch/distributed/distributed_c10d.py). */
#define DEFAULT_GROUP STR("0")

/* Where two ranks reach different operations of one group. */
struct hang_place {
    const struct rank_step *a, *b; /* NULL: no further call in the group */
    uint64_t before;               /* calls in the group that both made before */
};

/*
 * The first such place; false if there is none. Each group is checked separately, because ranks may call different
 * groups in different orders.
 */
bool hang_between(const struct rank_steps *a, const struct rank_steps *b, struct hang_place *out);

/* NULL if no hang is predicted. */
const struct hang *hang_find(struct arena *a, const struct rank_run *run, const struct column_steps *steps);

/*
 * Whether ranks are meant to compile different functions, like the stages of a pipeline: no function is compiled by
 * all of them, and none calls collectives, in which they would have to agree.
 */
bool ranks_are_stages(const struct rank_run *run, const struct column_steps *steps);
