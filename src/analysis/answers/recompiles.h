/*
 * recompiles: why frames were compiled again. Every compile [N/M] with M > 0 is one; its reasons are the guards of
 * earlier compiles that failed, taken apart. Results live in the arena given; read-only on the model.
 */
#pragma once

#include "model/model.h"
#include "text/guards/guard_reason.h"

struct recompile {
    const struct compile *compile;
    VEC(struct guard_reason) reasons; /* newest earlier compile first; empty when the trace does not say */
    int64_t duration_us;              /* of this compile; -1 unknown */
};

/* The compiles of one code object in one epoch, first to last. */
struct recompile_chain {
    const struct frame *frame;
    VEC(struct recompile *) list;
    const struct compile *limit; /* the compile that was refused because of the limit; NULL when none was */
    int64_t duration_us;         /* sum over the list of what is known */
    enum guard_class class;      /* the most frequent class of the reasons that decided (the first of each recompile) */
    const struct guard_reason *sample; /* a reason of that class; NULL when no reason is known */
};

struct recompiles {
    VEC(struct recompile *) list;           /* in the order of the compiles */
    VEC(struct recompile_chain *) chains;   /* limit hits first, then by time lost, most first */
    uint64_t limit_hits;
};

/* What is known of one, a compile [N/M] with M > 0. */
void recompile_of(struct arena *a, const struct compile *c, struct recompile *out);

void recompiles_find(struct arena *a, const struct run *r, struct recompiles *out);
