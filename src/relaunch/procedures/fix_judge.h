/*
 * fix_judge: what a trial with advice in it did, against two launches of the program as it is. What those two differ in
 * is no measure. Private to fix.c. One thread.
 */
#pragma once

#include "relaunch/trial/rerun.h"

/* One launch, and the findings of its trace. */
struct fix_side {
    size_t trial; /* its position in the experiment, and among the sides of the checks */
    struct trial_facts facts;
};

struct fix_controls {
    struct fix_side base, again;
    size_t eager[2]; /* positions, where the base fails; 0 when they were not run */
};

struct fix_verdict {
    enum fix_outcome outcome;
    struct str measured;
    bool compared;
    bool by_time_alone; /* to be believed when it is so twice */
    int64_t harm;       /* what is left, in findings: less is better */
};

/* `finding`: the one that advises it; NULL for several at once. */
struct fix_verdict fix_judge(struct rerun *r, const struct fix_controls *c, const struct trial_finding *finding,
                             const struct fix_side *now);
