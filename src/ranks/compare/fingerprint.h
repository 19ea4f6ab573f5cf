/*
 * fingerprint: what one compile did, as numbers that are equal where two ranks did the same. Times and addresses are no
 * part of it. Results live in the arena given. One thread.
 */
#pragma once

#include "ranks/compare/contents.h"

_Static_assert((int)DIVERGENCE_KINDS - DIVERGENCE_REASONS == FACETS, "a kind of divergence for each facet");

static inline enum divergence_kind facet_kind(enum rank_facet f)
{
    return (enum divergence_kind)(DIVERGENCE_REASONS + (int)f);
}

/* Other timing, hardware or data, and not another program. */
static inline bool facet_is_benign(enum rank_facet f)
{
    return f == FACET_SIZES || f == FACET_CACHE || f == FACET_CODE || f == FACET_GUARDS;
}

struct fingerprint {
    uint32_t facets[FACETS]; /* 0: not in the trace */
    uint16_t counts[FACETS]; /* how many artifacts of the kind */
    bool cached;             /* a cache had something, so that artifacts may be missing */
    bool calls;              /* its graphs or its code call collectives */
};

/* Whether both have a compile, and differ in a facet of it. */
static inline bool rank_cells_differ(const struct rank_cell *a, const struct rank_cell *b, enum rank_facet f)
{
    return a && b && a->print->facets[f] != b->print->facets[f];
}

/* Fingerprints that can be compared with each other are taken by one fingerprinter. */
struct fingerprinter {
    struct arena *scratch; /* forgotten with each fingerprint */
    struct contents *contents;
    struct map classes; /* digest of what a facet is -> its number */
    struct buf line;
};

void fingerprinter_init(struct fingerprinter *f, struct arena *a, struct contents *c);
void fingerprinter_free(struct fingerprinter *f);
void fingerprint_take(struct fingerprinter *f, const struct compile *c, struct fingerprint *out);

/*
 * Graphs that are not equal may be so but for the sizes of tensors. To be called for the fingerprints of all ranks of a
 * compile of which some have other graphs: makes graphs equal that differ in sizes alone, which are then FACET_SIZES.
 */
void fingerprint_set_sizes_apart(struct fingerprinter *f, const struct compile *c, struct fingerprint *print);
