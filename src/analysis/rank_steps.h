/*
 * rank_steps: the collectives of one rank of a run, put one behind the other in the order of compiling, which is the
 * order of the first calls. A recompile that others do not have stands for another call of what they compiled before.
 * Results live in the arena given. One thread.
 */
#pragma once

#include "analysis/rank_schedule.h"

struct rank_run;

/* A collective of a rank, and where it stands. */
struct rank_step {
    const struct collective_call *call;
    const struct rank_row *row;
    const struct compile *compile;
};

struct rank_steps {
    VEC(struct rank_step) list;
    struct map groups; /* names of the process groups, in the order of their first calls */
};

struct walker {
    struct arena *arena;
    struct signer *signer;
    struct map schedules; /* compile -> struct schedule */
};

void walker_init(struct walker *w, struct arena *a, struct signer *s);

/*
 * The steps of a member. Where its collectives are those of `like`, as far as the trace tells (a cache leaves artifacts
 * out), the code of that one is looked at.
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
