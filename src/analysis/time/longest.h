/*
 * longest: the compiles that took longest. A compile that all ranks share is listed once, for its slowest rank: the
 * same compile on a thousand ranks is not worth a thousand rows. One thread.
 */
#pragma once

#include "model/model.h"

struct longest_compile {
    const struct compile *compile;
    int64_t us; /* -1 if unknown */
};

/* Fills `out` with at most max compiles, longest first, then in the order of the run. Returns how many. */
size_t longest_compiles(const struct run *r, struct longest_compile *out, size_t max);
