/*
 * rank_schedule: the collectives that a compile's code calls, in order, with the sizes that its graphs tell; and
 * whether what Inductor scheduled is what it wrote. Results live in the arena given; read-only on the model. One
 * thread.
 */
#pragma once

#include "analysis/rank_align.h"

struct schedule {
    VEC(struct collective_call) list; /* no waits */
};

/* Of all graphs of a compile, forward before backward, as they were compiled. */
void schedule_of(struct arena *a, struct signer *s, const struct compile *c, struct schedule *out);

/* The same operation on the same data; the names of groups are not compared. */
bool same_collective(const struct collective_call *a, const struct collective_call *b);

/* "`all_reduce` of f32[2, 8], sum, in group 0" */
struct str collective_words(struct arena *a, const struct collective_call *c);

/* What Inductor scheduled in one compile, what is in its code, and how often that waits for a result. */
struct parity {
    const struct compile *compile;
    uint64_t scheduled, emitted, waits;
};

/* False when nothing was scheduled, or the code is not there. */
bool parity_of(struct signer *s, const struct compile *c, struct parity *out);
