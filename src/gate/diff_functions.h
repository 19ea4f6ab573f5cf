/*
 * diff_functions: which functions and compiles of two runs are the same ones. Functions are matched by file and name;
 * one that is in one run alone, by its name in another file or by its graph; compiles of a function by their graphs,
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

/* What one side has of a function. */
struct had {
    VEC(const json_t *) compiles; /* in the order of the report, of all ranks */
    uint64_t recompiles;
    double seconds;
    const json_t *recompile; /* the first */
};

struct place {
    struct str name, file;
    int64_t line;
};

struct function {
    struct place at[SIDES]; /* one that a side lacks is where the other has it */
    struct had sides[SIDES];
    bool moved; /* another file or name than before */
};

/* Compiles that are to be compared. */
struct pair {
    const struct function *of;
    const json_t *refs[SIDES];
    const struct compile *compiles[SIDES];
    bool graph_differs;
};
/* Set `arena` and `sides`; the rest lives in the arena. */
struct matching {
    struct arena *arena;
    const struct diff_side *sides[SIDES];
    struct map functions;       /* "file\nname" -> struct function */
    struct map compiles[SIDES]; /* "process epoch id" -> struct compile, where the run is there */
    VEC(struct pair) pairs;
};

void functions_match(struct matching *m);
