/*
 * rank_sign: what one compile did, as numbers that are equal where two ranks did the same. Times and addresses are no
 * part of it. Payloads are compared by the digests that the trace gives; where those differ the texts are read, without
 * what differs on every rank (text/rank_neutral.h). A signer belongs to one thread; reading ahead uses others.
 */
#pragma once

#include "model/model.h"
#include "text/collective_text.h"
#include "util/pool.h"

/* What is compared, causes before consequences. */
enum rank_facet {
    FACET_REASONS,     /* why it was compiled again */
    FACET_BREAKS,      /* where the graph broke */
    FACET_STATUS,      /* how it ended, with errors */
    FACET_GRAPH,       /* Dynamo's graph */
    FACET_JOINT,       /* forward and backward together */
    FACET_PARTITION,   /* AOTAutograd's graphs: what is computed forward, and what backward */
    FACET_COLLECTIVES, /* which, in which order, of what size */
    FACET_POST_GRAD,   /* the graphs that Inductor generates code from */
    FACET_TENSORS,     /* what Inductor's operations return: sizes, strides, dtypes */
    FACET_CACHE,       /* which caches hit */
    FACET_CODE,        /* what Inductor generated */
    FACET_GUARDS,
    FACETS
};

/* Those that tell of other timing, hardware or data, and not of another program. */
static inline bool facet_is_weak(enum rank_facet f)
{
    return f == FACET_CACHE || f == FACET_CODE || f == FACET_GUARDS;
}

/* The collectives of one graph, in the order in which its code calls them. Equal lists are equal pointers. */
struct collectives {
    struct digest key;                /* of what all calls say */
    VEC(struct collective_call) list; /* strings in the arena; waits are not in it */
    uint64_t waits;
};

struct rank_sign {
    uint32_t facets[FACETS]; /* 0: the trace does not tell */
    uint16_t counts[FACETS]; /* how many artifacts of the kind */
    bool cached;             /* a cache had something, so that artifacts may be missing */
};

struct signer {
    struct arena *arena;
    struct pool *pool;
    struct map classes;  /* digest of what a facet is -> its number */
    struct map contents; /* digest of a payload as recorded -> struct content */
    struct map calls;    /* collectives, each list once */
    struct arena *ahead_arena;
    struct map ahead;    /* artifact -> struct content: what was read ahead and not remembered by its digest */
    struct buf text, line;
};

/* `pool` may be NULL: then nothing is read ahead. */
void signer_init(struct signer *s, struct arena *a, struct pool *pool);
void signer_free(struct signer *s);

/*
 * Reads what signer_sign is going to ask for of the compiles of these processes, in several threads. Forgets what was
 * read ahead before: guards differ on every rank, so remembering them all would only take memory.
 */
void signer_read_ahead(struct signer *s, const struct process *const *processes, size_t n);

/* The text of an artifact in s->text; false when it cannot be had. */
bool signer_read(struct signer *s, const struct artifact *a, uint64_t max);
void signer_sign(struct signer *s, const struct compile *c, struct rank_sign *out);

/*
 * For a digest: keeps of every text that is compared what comparing asks for, as the text may not be there any more.
 * Inputs are as they were read.
 */
void rank_sign_keep(const struct run *r);

/* The facet that artifacts of that name are part of; FACETS for none. */
enum rank_facet facet_of_artifact(const struct artifact *a);
/* The collectives of a graph or of code; NULL when it has none, or cannot be read. */
const struct collectives *signer_collectives(struct signer *s, const struct artifact *a);
