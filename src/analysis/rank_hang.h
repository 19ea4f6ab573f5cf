/*
 * rank_hang: whether the ranks of a run would wait for each other for ever, as far as compiled code goes. Each rank's
 * collectives are put one behind the other in the order of compiling, which is the order of the first calls; where
 * ranks that share a process group come to different operations, they wait. A recompile that others do not have stands
 * for another call of what they compiled before. What runs outside of compiled code is not known. Results live in the
 * arena given.
 */
#pragma once

#include "analysis/rank_schedule.h"

struct rank_run;

/* One side of it. */
struct hang_side {
    VEC(int) ranks;                /* ascending */
    struct collective_call call;   /* the operation in which they wait; op is empty: they call no more */
    const struct compile *compile; /* whose code calls it; NULL */
};

struct hang {
    struct hang_side most, other;
    uint64_t before; /* collectives of that group which all called before */
    bool certain;    /* neither side breaks the graph or fails there, so that nothing runs outside of compiled code */
};

/* NULL when none is predicted. */
const struct hang *hang_find(struct arena *a, struct signer *s, const struct rank_run *run);

/* How many ranks the default group has, as the code that uses it says; 0 unknown. */
uint64_t world_size_of(struct arena *a, struct signer *s, const struct rank_run *run);
