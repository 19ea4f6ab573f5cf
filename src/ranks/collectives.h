/*
 * collectives: which collectives compiled code calls: of one compile, in order, with the sizes in its graphs; of one
 * rank, compile by compile; and whether what Inductor scheduled is what it wrote. Results live in the arena given;
 * read-only on the model. One thread.
 */
#pragma once

#include "ranks/fingerprint.h"

struct schedule {
    VEC(struct collective_call) list; /* no waits */
};

/* Of all graphs of a compile, forward before backward, as they were compiled. */
void schedule_of(struct arena *a, struct fingerprinter *f, const struct compile *c, struct schedule *out);

/* The same operation on the same data; the names of groups are not compared. */
bool same_collective(const struct collective_call *a, const struct collective_call *b);

/*
 * The collectives of one rank, in the order of compiling, which is the order of the first calls. A recompile that
 * others do not have stands for another call of what they compiled before.
 */
struct rank_steps {
    VEC(struct rank_step) list;
    struct map groups; /* names of the process groups, in the order of their first calls */
};

struct walker {
    struct arena *arena;
    struct fingerprinter *prints;
    struct map schedules; /* compile -> struct schedule */
};

void walker_init(struct walker *w, struct arena *a, struct fingerprinter *f);

/*
 * The steps of a member. Where its collectives are those of `like`, as far as the trace has them (a cache leaves
 * artifacts out), the code of that one is looked at.
 */
void steps_walk(struct walker *w, const struct rank_run *run, const struct rank_member *m,
                const struct rank_member *like, struct rank_steps *out);

/* What a rank runs in a row: its compile, or the one before it of the same function when it did not compile again. */
const struct rank_cell *steps_cell(const struct rank_row *row, const struct rank_member *m);

/*
 * Whether two ranks name the same process groups. Ranks of a mesh use groups of equal names that are not the same
 * group: only equal sets of names are comparable.
 */
bool steps_same_groups(const struct rank_steps *a, const struct rank_steps *b);

/* False when nothing was scheduled, or the code is not there. */
bool parity_of(struct fingerprinter *f, const struct compile *c, struct parity *out);
