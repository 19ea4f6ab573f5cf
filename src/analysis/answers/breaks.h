/*
 * breaks: graph breaks, grouped. The same type at the same line of the same rank is one group, regardless of how many
 * compiles had it. Results live in the arena given; read-only on the model.
 */
#pragma once

#include "model/model.h"

struct break_group {
    const struct graph_break *sample; /* the first one: its message and stack represent the group */
    int rank;
    struct str source;      /* the line of code, if the trace has it */
    const struct call *own; /* innermost call in the program itself, if the break is in a library; or NULL */
    VEC(const struct graph_break *) members; /* one per compile that had it */
    VEC(const struct compile *) resumes;     /* first compiles of its resume functions; twenty at most */
};

/* The same break on all ranks that had it. */
struct break_place {
    const struct break_group *first;
    VEC(const struct break_group *) groups;
    uint64_t met; /* compiles, on the rank with the most */
};

struct break_groups {
    VEC(struct break_group *) list;   /* by members, most first; then by appearance */
    VEC(struct break_place *) places; /* by number of compiles, most first; then by appearance */
    uint64_t total;                   /* sum of members */
};

void breaks_find(struct arena *a, const struct run *r, struct break_groups *out);

/* Dynamo skipped the function entirely, except for the recompile limit. */
bool compile_given_up(const struct compile *c);

/* The exception that made it do so; NULL if there is none. */
const struct failure *compile_fallback(const struct compile *c);
