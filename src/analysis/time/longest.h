/*
 * longest: the compiles that took longest. What all ranks compile is in the list once, by the rank that took longest
 * for it: a list of one compile on a thousand ranks says nothing. One thread.
 */
#pragma once

#include "model/model.h"

struct longest_compile {
    const struct compile *compile;
    int64_t us; /* -1 when it is not known */
};

/* Fills `out` with at most max of them, longest first, then in the order of the run. How many there are. */
size_t longest_compiles(const struct run *r, struct longest_compile *out, size_t max);
