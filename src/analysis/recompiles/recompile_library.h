/*
 * recompile_library: recompiles that a library means to cause, and those for which it has a switch of its own. One row
 * for each; a row stands here only when a program of tests/advice/real has it. Read-only.
 */
#pragma once

#include "analysis/recompiles/recompile_cause.h"

struct library_rule {
    const char *file, *function; /* of the call of the library that leads to the compiled function; NULL: any */
    bool (*fits)(struct finder *f, const struct recompile_cause *cause);
    const char *words;
    const char *otherwise;       /* what the statement or setting of the remedy is for; NULL: it does not fit */
    bool by_design;              /* a few compiles that are expected: no problem */
};

/* The row that fits; NULL for none. */
const struct library_rule *recompile_library_rule(struct finder *f, const struct recompile_cause *cause);
