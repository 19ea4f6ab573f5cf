/*
 * rank_times: which rank of a run the others wait for: the one that compiles longest, and the one that begins last.
 * Wall times; ranks are compared with the median. Read-only on the model.
 */
#pragma once

#include "analysis/rank_align.h"
#include "analysis/timing.h"

struct rank_times {
    int64_t median_us; /* compiling, of a rank; -1 unknown */
    int64_t slowest_us;
    int slowest;                  /* the rank */
    const struct compile *longer; /* of the slowest: what took it longest beyond the median of the others; or NULL */
    int64_t longer_us, longer_median_us;
    int64_t skew_us; /* of the first compile that all have: from the median of its beginnings to the last; -1 unknown */
    int last;        /* the rank that began last */
    bool straggles;  /* the slowest took half as long again as the median, and 10 s longer */
    bool skewed;     /* 30 s or more */
};

void rank_times_find(struct arena *a, const struct rank_set *set, const struct timing *timing, struct rank_times *out);
