/*
 * recompile_fix: what helps against a recompile, by what changed. Static, but for what goes into the arena.
 */
#pragma once

#include "model/model.h"
#include "text/guard_reason.h"

struct recompile_fix {
    const char *id;   /* of the finding: "recompile-size" */
    struct str fix;   /* in plain words */
    struct str paste; /* text to paste; may be empty */
};

/* Of a guard that failed, and the function that was compiled again for it. */
void recompile_fix_find(struct arena *a, const struct guard_reason *g, const struct frame *fr,
                        struct recompile_fix *out);
