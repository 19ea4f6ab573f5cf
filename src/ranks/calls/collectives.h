/*
 * collectives: which collectives compiled code calls: of one compile, in order, with the sizes in its graphs; of one
 * rank, one after the other; and whether what Inductor scheduled is what it wrote. Results live in the arena given;
 * read-only on the model. One thread.
 */
#pragma once

#include "ranks/compare/fingerprint.h"

/* --- of a compile ------------------------------------------------------------------------------------------------- */

enum graph_part { GRAPHS_ALL, GRAPHS_FORWARD, GRAPHS_BACKWARD };

struct schedule {
    VEC(struct collective_call) list; /* no waits */
    const struct compile *compile;
    enum graph_part part;
    enum rank_facet graphs; /* which graphs have sizes and places; FACETS for none */
    VEC(int64_t) from;      /* of each call: which call of these graphs it is; -1 none */
    bool placed;            /* the calls have their places in the user's code */
};

/*
 * The calls of all graphs of a compile, or of its forward or backward graphs, as they were compiled. Places are left
 * out: finding them means to read the graphs again.
 */
void schedule_of(struct arena *a, struct contents *contents, const struct compile *c, enum graph_part part,
                 struct schedule *out);
/* Completes the calls with their places. */
void schedule_place(struct arena *a, struct contents *contents, struct schedule *s);

/* The same operation on the same data; the names of groups are not compared. */
bool same_collective(const struct collective_call *a, const struct collective_call *b);

/* --- of a rank ---------------------------------------------------------------------------------------------------- */

struct rank_steps {
    VEC(struct rank_step) list;
    struct map groups; /* names of the process groups, in the order of their first calls */
    bool cut;          /* there are more */
};

void rank_steps_init(struct rank_steps *s, struct arena *a);
void rank_steps_add(struct rank_steps *s, struct arena *a, const struct rank_step *step);

/* Remembers the schedules of compiles. */
struct walker {
    struct arena *arena;
    struct contents *contents;
    struct map schedules; /* compile and part -> struct schedule */
};

void walker_init(struct walker *w, struct arena *a, struct contents *contents);

/*
 * The steps of a member in the order of compiling, which is the order of the first calls. A recompile that others do
 * not have stands for another call of what they compiled before. Where the collectives are those of `like`, as far as
 * the trace has them (a cache leaves artifacts out), the code of that one is looked at.
 */
void walk_compiles(struct walker *w, const struct rank_matrix *m, const struct rank_member *member,
                   const struct rank_member *like, struct rank_steps *out);
/* Adds the collectives of a compile. */
void walker_add(struct walker *w, const struct rank_row *row, const struct compile *c, enum graph_part part,
                struct rank_steps *out);

/* What a rank runs in a row: its compile, or the one before it of the same function when it did not compile again. */
const struct rank_cell *steps_cell(const struct rank_row *row, const struct rank_member *m);

/*
 * Whether two ranks name the same process groups. Ranks of a mesh use groups of equal names that are not the same
 * group: only equal sets of names are comparable.
 */
bool steps_same_groups(const struct rank_steps *a, const struct rank_steps *b);

/* --- scheduled and written ---------------------------------------------------------------------------------------- */

/* What was scheduled for a compile: equal if the texts are. All zero when nothing was. */
struct digest schedule_digest(struct contents *contents, const struct compile *c);
/* False when nothing was scheduled, or the code is not there. */
bool parity_of(struct contents *contents, const struct compile *c, struct parity *out);
/* Whether the code does not call what was scheduled, or waits less often. */
bool parity_is_wrong(const struct parity *p);
