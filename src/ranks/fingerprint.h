/*
 * fingerprint: what one compile did, as numbers that are equal where two ranks did the same. Times and addresses are no
 * part of it. Payloads are compared by the digests in the trace; where those differ the texts are read, without what
 * differs on every rank (text/rank_neutral.h). A fingerprinter belongs to one thread; reading ahead uses others.
 */
#pragma once

#include "ranks/ranks.h"
#include "text/collective_text.h"

/* What is compared: the kinds of divergences from DIVERGENCE_REASONS on. */
enum rank_facet {
    FACET_REASONS,
    FACET_BREAKS,
    FACET_STATUS,
    FACET_GRAPH,
    FACET_JOINT,
    FACET_PARTITION,
    FACET_COLLECTIVES,
    FACET_POST_GRAD,
    FACET_TENSORS,
    FACET_CACHE,
    FACET_CODE,
    FACET_GUARDS,
    FACETS
};
_Static_assert((int)DIVERGENCE_KINDS - DIVERGENCE_REASONS == FACETS, "a kind of divergence for each facet");

static inline enum divergence_kind facet_kind(enum rank_facet f)
{
    return (enum divergence_kind)(DIVERGENCE_REASONS + (int)f);
}

/* Other timing, hardware or data, and not another program. */
static inline bool facet_is_benign(enum rank_facet f)
{
    return f == FACET_CACHE || f == FACET_CODE || f == FACET_GUARDS;
}

struct fingerprint {
    uint32_t facets[FACETS]; /* 0: not in the trace */
    uint16_t counts[FACETS]; /* how many artifacts of the kind */
    bool cached;             /* a cache had something, so that artifacts may be missing */
};

/* Whether both have a compile, and differ in a facet of it. */
static inline bool rank_cells_differ(const struct rank_cell *a, const struct rank_cell *b, enum rank_facet f)
{
    return a && b && a->print->facets[f] != b->print->facets[f];
}

/* The collectives of one graph, in the order in which its code calls them. Equal lists are equal pointers. */
struct collectives {
    struct digest key;                /* of everything that the calls say */
    VEC(struct collective_call) list; /* strings in the arena; without waits */
    uint64_t waits;
};

struct fingerprinter {
    struct arena *arena;
    struct pool *pool;
    struct map classes;  /* digest of what a facet is -> its number */
    struct map contents; /* digest of a payload as recorded -> struct content */
    struct map calls;    /* collectives, each list once */
    struct arena *ahead_arena;
    struct map ahead; /* artifact -> struct content: what was read ahead and not remembered by its digest */
    struct buf text, line;
};

/* `pool` may be NULL: then nothing is read ahead. */
void fingerprinter_init(struct fingerprinter *f, struct arena *a, struct pool *pool);
void fingerprinter_free(struct fingerprinter *f);

/*
 * Reads what fingerprint_take is going to ask for of the compiles of these processes, in several threads. Forgets what
 * was read ahead before: guards differ on every rank, so remembering them all would only take memory.
 */
void fingerprinter_read_ahead(struct fingerprinter *f, const struct process *const *processes, size_t n);

/* The text of an artifact in f->text; false when it cannot be had. */
bool fingerprinter_read(struct fingerprinter *f, const struct artifact *a, uint64_t max);
void fingerprint_take(struct fingerprinter *f, const struct compile *c, struct fingerprint *out);

/* The facet that artifacts of that name are part of; FACETS for none. */
enum rank_facet facet_of_artifact(const struct artifact *a);
/* The collectives of a graph or of code; NULL when it has none, or cannot be read. */
const struct collectives *fingerprinter_collectives(struct fingerprinter *f, const struct artifact *a);
