/*
 * fix_judge: judges the effect of a trial with advice in it, against two launches of the unchanged program. Anything
 * in which those two differ cannot be used. Private to fix.c. One thread.
 */
#pragma once

#include "relaunch/trial/rerun.h"

/* One launch, and the findings of its trace. */
struct fix_side {
    size_t trial; /* its index in the experiment, and among the sides of the checks */
    struct trial_facts facts;
};

struct fix_controls {
    struct fix_side base, again;
    size_t eager[2]; /* indices of trials without torch.compile, if the base fails; 0 if they were not run */
};

struct fix_verdict {
    enum fix_outcome outcome;
    struct str measured;
    bool compared;
    bool by_time_alone; /* the only effect is on time, so it must occur twice */
    int64_t weight;     /* the weight of the remaining findings: less is better */
};

/* `finding`: the finding with the advice; NULL if several are tried together. */
struct fix_verdict fix_judge(struct rerun *r, const struct fix_controls *c, const struct trial_finding *finding,
                             const struct fix_side *now);
