/*
 * collectives: the collectives that compiled code calls: those of one compile, in order, with the sizes in its graphs;
 * those of one rank, one after another; and whether the code contains what Inductor scheduled. Results live in the
 * arena given; the model is only read. One thread.
 */
#pragma once

#include "ranks/compare/fingerprint.h"

/* --- of a compile ------------------------------------------------------------------------------------------------- */

enum graph_part { GRAPHS_ALL, GRAPHS_FORWARD, GRAPHS_BACKWARD };

struct schedule {
    VEC(struct collective_call) list; /* without waits */
    const struct compile *compile;
    enum graph_part part;
    enum rank_facet graphs; /* the graphs that sizes and places come from; FACETS if there are none */
    VEC(int64_t) from;      /* for each call, the index of the call in these graphs; -1 none */
    bool placed;            /* the calls have their places in the user's code */
};

/*
 * The calls of all graphs of a compile, or of its forward or backward graphs, in the order of compiling. Places are
 * left out, because finding them means reading the graphs again.
 */
void schedule_of(struct arena *a, struct contents *contents, const struct compile *c, enum graph_part part,
                 struct schedule *out);
/* Adds the places of the calls. */
void schedule_place(struct arena *a, struct contents *contents, struct schedule *s);

/* Whether both are the same operation on the same data; group names are not compared. */
bool same_collective(const struct collective_call *a, const struct collective_call *b);

/* --- of a rank ---------------------------------------------------------------------------------------------------- */

struct rank_steps {
    VEC(struct rank_step) list;
    struct map groups; /* names of the process groups, in the order of their first calls */
    bool cut;          /* there are more steps than the limit */
};

void rank_steps_init(struct rank_steps *s, struct arena *a);
void rank_steps_add(struct rank_steps *s, struct arena *a, const struct rank_step *step);

/* Caches the schedules of compiles. */
struct walker {
    struct arena *arena;
    struct contents *contents;
    struct map schedules; /* compile and part -> struct schedule */
};

void walker_init(struct walker *w, struct arena *a, struct contents *contents);

/*
 * The steps of a member in the order of compiling, which is the order of the first calls. A recompile that other ranks
 * do not have stands for another call of the function. If the collectives are those of `like`, as far as the trace has
 * them (a cache hit leaves artifacts out), the code of `like` is used.
 */
void walk_compiles(struct walker *w, const struct rank_matrix *m, const struct rank_member *member,
                   const struct rank_member *like, struct rank_steps *out);
/* Adds the collectives of a compile. */
void walker_add(struct walker *w, const struct rank_row *row, const struct compile *c, enum graph_part part,
                struct rank_steps *out);

/*
 * What a rank runs in a row: its compile, or the previous compile of the same function if the rank did not recompile.
 */
const struct rank_cell *steps_cell(const struct rank_row *row, const struct rank_member *m);

/*
 * Whether two ranks use process groups of the same names. Ranks of a mesh use different groups with equal names, so
 * only equal sets of names are comparable.
 */
bool steps_same_groups(const struct rank_steps *a, const struct rank_steps *b);

/* --- scheduled and written ---------------------------------------------------------------------------------------- */

/* The digest of the schedule for a compile: equal if the texts are. All zero if there is none. */
struct digest schedule_digest(struct contents *contents, const struct compile *c);
/* False if nothing was scheduled, or the code is missing. */
bool parity_of(struct contents *contents, const struct compile *c, struct parity *out);
/* Whether the code does not call what was scheduled, or waits less often. */
bool parity_is_wrong(const struct parity *p);
