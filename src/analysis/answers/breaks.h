/*
 * breaks: graph breaks sorted out. The same type at the same line of the same rank is one group, however many compiles
 * met it. Results live in the arena given; read-only on the model.
 */
#pragma once

#include "model/model.h"

struct break_group {
    const struct graph_break *sample; /* the first met: its message and stack stand for all */
    int rank;
    struct str source;      /* the line of code, where the trace has it */
    const struct call *own; /* innermost call of the program itself, when the break is in a library; or NULL */
    VEC(const struct graph_break *) members; /* one per compile that met it */
    VEC(const struct compile *) resumes;     /* first compiles of the resume functions it made; twenty at most */
};

/* The same break on all ranks that met it. */
struct break_place {
    const struct break_group *first;
    VEC(const struct break_group *) groups;
    uint64_t met; /* compiles, on the rank with the most */
};

struct break_groups {
    VEC(struct break_group *) list;   /* by members, most first; then by appearance */
    VEC(struct break_place *) places; /* by compiles that met it, most first; then by appearance */
    uint64_t total;                   /* sum of members */
};

void breaks_find(struct arena *a, const struct run *r, struct break_groups *out);

/* Why Dynamo left the function to Python as a whole, other than by the recompile limit; NULL when it did not. */
const struct failure *compile_given_up(const struct compile *c);
