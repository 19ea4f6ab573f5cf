/*
 * recompile_why: why one function was recompiled once: among the failed guards, one per earlier compile, the one that
 * shows what is new. Results in the finder's arena.
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
    struct input_changes inputs; /* sizes that changed together; for a number, only that one */
    bool computed;               /* a float; results computed from it are constants, whatever is dynamic */
    struct str others;           /* other variables that differ from that compile: "`a`, `b`" */
    VEC(struct str) beside;      /* sources of everything else that differs from it: L['a'], L['self'].b */
    bool alone;                  /* nothing else differs, as far as the guards show */
};

void recompile_explain_one(struct finder *f, const struct recompile *rc, struct recompile_why *out);

/* Sizes 0 and 1 get compiles of their own. */
bool recompile_is_small(const struct input_change *x);
