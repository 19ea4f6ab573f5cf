/*
 * recompile_library: recompiles that a library causes on purpose, and recompiles for which it has a switch of its own.
 * One row for each; every row needs a program in tests/advice/real. Read-only.
 */
#pragma once

#include "analysis/recompiles/recompile_cause.h"

struct library_rule {
    const char *file, *function; /* of the library's call that leads to the compiled function; NULL: any */
    bool (*fits)(struct finder *f, const struct recompile_cause *cause);
    const char *words;
    /* the problem that the statement or setting of the remedy is meant for; NULL: it does not help */
    const char *otherwise;
    bool by_design; /* a few compiles are expected: not a problem */
};

/* The file is of a package that draws, logs or reads files: nothing is gained by compiling its functions. */
bool recompile_is_without_tensors(struct str file);

/* The row that matches; NULL if there is none. */
const struct library_rule *recompile_library_rule(struct finder *f, const struct recompile_cause *cause);
