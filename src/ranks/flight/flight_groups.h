/*
 * flight_groups: what the ranks of a run did in each process group, out of the dumps of their Flight Recorders. Calls
 * are matched between ranks by process group and by their number there, never by their place in a dump, which has the
 * last few thousand calls only. Results live in the arena given; read-only on the model.
 */
#pragma once

#include "ranks/compare/comparison.h"

/* What one rank did in one group. */
struct track {
    struct flight_rank *rank;
    const struct flight_dump *dump;
    uint32_t group;                  /* in the dump */
    const struct flight_entry *open; /* of the lowest number that is not completed; NULL */
    int64_t last;                    /* number of the last call; -1 none */
};

/* A group, as all of its ranks have it. */
struct team {
    const struct flight_group *facts; /* of the first that lists its members, else of the first */
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

/* From ranks in ascending order. */
void teams_find(struct teams *t, struct arena *a, const struct flight_run *run);
void teams_free(struct teams *t);

/* Whether a rank has a part in a team. */
bool team_has_rank(const struct team *team, int rank);
/* Whether two ranks made the same call: sizes may differ where the operation allows it. */
bool flight_same_op(const struct flight_op *a, const struct flight_op *b);
