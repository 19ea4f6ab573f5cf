/*
 * recompile_why: why one function was compiled again once. Of all guards that failed, one for each earlier compile, the
 * one that shows what is new. Results in the finder's arena.
 */
#pragma once

#include "analysis/answers/inputs.h"
#include "analysis/find/find.h"
#include "analysis/recompiles/recompile_change.h"

struct recompile_why {
    const struct recompile *recompile;
    const struct guard_reason *reason; /* NULL unknown */
    const struct compile *against;     /* the earlier compile whose guard it is; NULL unknown */
    enum change change;
    struct input_changes inputs; /* sizes that moved together; of a number that one */
    bool computed;               /* a float: what is computed from it is a constant, whatever is dynamic */
    struct str others;           /* variables that are different from that compile, too: "`a`, `b`" */
    VEC(struct str) beside;      /* sources of what is different from it, too: L['a'], L['self'].b */
    bool alone;                  /* nothing else is different, as far as guards say */
};

void recompile_explain_one(struct finder *f, const struct recompile *rc, struct recompile_why *out);

/* Sizes of 0 and 1 are compiled on their own. */
bool recompile_is_small(const struct input_change *x);
