/*
 * fingerprint: what one compile did, as numbers that are equal if two ranks did the same. Times and addresses do not
 * count. Results live in the arena given. One thread.
 */
#pragma once

#include "ranks/compare/contents.h"

_Static_assert((int)DIVERGENCE_KINDS - DIVERGENCE_REASONS == FACETS, "a kind of divergence for each facet");

static inline enum divergence_kind facet_kind(enum rank_facet f)
{
    return (enum divergence_kind)(DIVERGENCE_REASONS + (int)f);
}

/* Whether a difference in this facet only means other timing, hardware or data, not another program. */
static inline bool facet_is_benign(enum rank_facet f)
{
    return f == FACET_SIZES || f == FACET_CACHE || f == FACET_CODE || f == FACET_GUARDS;
}

struct fingerprint {
    uint32_t facets[FACETS]; /* 0: not in the trace */
    uint16_t counts[FACETS]; /* number of artifacts of the facet */
    bool cached;             /* a cache hit, so artifacts may be missing */
    bool calls;              /* its graphs or its code call collectives */
};

/* Whether both have a compile, and differ in a facet of it. */
static inline bool rank_cells_differ(const struct rank_cell *a, const struct rank_cell *b, enum rank_facet f)
{
    return a && b && a->print->facets[f] != b->print->facets[f];
}

/* Only fingerprints made by the same fingerprinter can be compared. */
struct fingerprinter {
    struct arena *scratch; /* reset after each fingerprint */
    struct contents *contents;
    struct map classes; /* digest of a facet -> its number */
    struct buf line;
};

void fingerprinter_init(struct fingerprinter *f, struct arena *a, struct contents *c);
void fingerprinter_free(struct fingerprinter *f);
void fingerprint_take(struct fingerprinter *f, const struct compile *c, struct fingerprint *out);

/*
 * Graphs may differ only in the sizes of tensors. Call it with the fingerprints of all ranks of a compile if some have
 * different graphs: graphs that differ only in sizes get equal numbers, and the difference moves to FACET_SIZES.
 */
void fingerprint_set_sizes_apart(struct fingerprinter *f, const struct compile *c, struct fingerprint *print);
