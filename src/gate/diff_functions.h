/*
 * diff_functions: matches the functions and compiles of two runs. Functions are matched by file and name, and a
 * function that only one run has by its name in another file or by its graph; compiles of a function by their graphs,
 * then by their order. One thread.
 */
#pragma once

#include "gate/snapshot.h"
#include "model/model.h"
#include "util/map.h"

enum {
    BEFORE = 0,
    AFTER = 1,
    SIDES = 2,
};

/* What one side has for a function. */
struct had {
    VEC(const json_t *) compiles; /* in the order of the report, over all ranks */
    uint64_t recompiles;
    double seconds;
    const json_t *recompile; /* the first one */
};

struct place {
    struct str name, file;
    int64_t line;
};

struct function {
    struct place at[SIDES]; /* for a side that lacks the function, its place on the other side */
    struct had sides[SIDES];
    bool moved; /* in another file, or under another name, than before */
};

/* Two compiles to compare. */
struct pair {
    const struct function *of;
    const json_t *refs[SIDES];
    const struct compile *compiles[SIDES];
    bool graph_differs;
};
/* Set `arena` and `sides`; everything else is in the arena. */
struct matching {
    struct arena *arena;
    const struct diff_side *sides[SIDES];
    struct map functions;       /* "file\nname" -> struct function */
    struct map compiles[SIDES]; /* "process epoch id" -> struct compile, if the run is available */
    VEC(struct pair) pairs;
};

void functions_match(struct matching *m);
