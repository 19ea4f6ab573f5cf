/*
 * recompiles: why frames were compiled again. Every compile [N/M] with M > 0 is one; its reasons are the failed guards
 * of earlier compiles, parsed. Results live in the arena given; read-only on the model.
 */
#pragma once

#include "model/model.h"
#include "text/guards/guard_reason.h"

struct recompile {
    const struct compile *compile;
    const struct recompile_chain *chain; /* of its function; NULL from recompile_of */
    VEC(struct guard_reason) reasons; /* newest earlier compile first; empty if the trace does not have them */
    int64_t duration_us;              /* of this compile; -1 unknown */
};

/* The compiles of one code object in one epoch, first to last. */
struct recompile_chain {
    const struct frame *frame;
    VEC(struct recompile *) list;
    const struct compile *limit; /* the compile that was refused because of the limit; NULL if none was */
    uint64_t least;                /* recompiles that were made at least: a log may lack some */
    uint64_t firsts;               /* compiles [N/M] with M > 0 that are the first of a cache of their own */
    int64_t duration_us;         /* sum of the known durations in the list; 0 if none is known */
    enum guard_class class;      /* the most frequent class among the deciding reasons (the first of each recompile) */
    const struct guard_reason *sample; /* a reason of that class; NULL if no reason is known */
};

struct recompiles {
    VEC(struct recompile *) list;           /* in the order of the compiles */
    VEC(struct recompile_chain *) chains;   /* limit hits first, then by time lost, most first */
    uint64_t limit_hits;
    uint64_t least, compiles_least;         /* how many recompiles and compiles were made at least */
};

/* Everything known about one recompile, a compile [N/M] with M > 0. */
void recompile_of(struct arena *a, const struct compile *c, struct recompile *out);

void recompiles_find(struct arena *a, const struct run *r, struct recompiles *out);
