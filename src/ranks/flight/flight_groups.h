/*
 * flight_groups: what the ranks of a run did in each process group, from the dumps of their Flight Recorders. Calls of
 * different ranks are matched by process group and number, never by their position in a dump, which has only the last
 * few thousand calls. Results live in the arena given; the model is only read.
 */
#pragma once

#include "ranks/compare/comparison.h"

/* What one rank did in one group. */
struct track {
    struct flight_rank *rank;
    const struct flight_dump *dump;
    uint32_t group;                  /* index in the dump */
    const struct flight_entry *open; /* the entry with the lowest number that has not completed; NULL */
    int64_t last;                    /* the number of the last call; -1 none */
};

/* A group, with all of its ranks. */
struct team {
    const struct flight_group *facts; /* from the first dump that lists its members, or else from the first */
    VEC(struct track) tracks;         /* by rank */
    struct map calls;                 /* number -> struct first_call */
    bool differ;
    uint64_t first_difference;
};

struct teams {
    struct arena *arena;
    struct map by_name; /* library, name and members -> struct team */
    struct map of_any;  /* name and members -> the first such team of any library */
    VEC(struct team *) list;
    struct buf key;
};

/* Expects ranks in ascending order. */
void teams_find(struct teams *t, struct arena *a, const struct flight_run *run);
void teams_free(struct teams *t);

/* Whether a rank is a member of a team. */
bool team_has_rank(const struct team *team, int rank);
/* Whether two ranks made the same call; sizes may differ if the operation allows it. */
bool flight_same_op(const struct flight_op *a, const struct flight_op *b);
