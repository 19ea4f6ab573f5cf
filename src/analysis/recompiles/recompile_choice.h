/*
 * recompile_choice: of the guards that failed, one per earlier compile, the one that shows what is new. In the finder's
 * arena.
 */
#pragma once

#include "analysis/find/guard_facts.h"
#include "analysis/recompiles/recompile_change.h"

/* An earlier compile, its guard that failed, and the other differences from the new compile. */
struct recompile_choice {
    const struct compile *compile; /* NULL unknown */
    const struct guard_reason *reason;
    struct guard_differences differences;
    bool repeated; /* the previous recompile had the same reason */
};

/*
 * Whether it is no recompile for the program, but the first compile of another function that PyTorch compiles under the
 * same wrapper. False where the guards do not show it, and where the wrapper reached its limit.
 */
bool recompile_is_first_of_function(struct finder *f, const struct recompile *rc);

/* Returns whether it is another function behind the same wrapper. The recompile has reasons. */
bool recompile_choose(struct finder *f, const struct recompile *rc, struct recompile_choice *out);
