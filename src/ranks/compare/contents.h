/*
 * contents: what comparing ranks needs from payloads: the digest of the text without the parts that differ on every
 * rank (text/messages/rank_neutral.h), and the collectives that it calls. Payloads are read once: results are cached,
 * and shared by payloads with equal content. Results live in the arena given. One thread, except that reading ahead
 * uses others.
 */
#pragma once

#include "ranks/compare/comparison.h"
#include "text/graphs/collective_text.h"

/* The facet that an artifact belongs to; FACETS if none. */
enum rank_facet facet_of_artifact(const struct artifact *a);

/* The collectives of one graph, in the order in which its code calls them. Equal lists are equal pointers. */
struct collectives {
    struct digest key;                /* the digest of everything in the calls */
    VEC(struct collective_call) list; /* strings in the arena; without waits and places */
    uint64_t waits;
};

struct content {
    struct digest digest;            /* equal for equal neutral texts */
    const struct collectives *calls; /* NULL if there are none */
};

struct contents {
    struct arena *arena;
    struct pool *pool;
    struct map by_digest; /* digest of a payload -> struct content */
    struct map calls;     /* key -> struct collectives */
    struct arena *ahead_arena;
    struct map ahead; /* artifact -> struct content: read ahead, and not cached by its digest */
    struct buf text, line;
};

/* `pool` may be NULL: nothing is then read ahead. */
void contents_init(struct contents *c, struct arena *a, struct pool *pool);
void contents_free(struct contents *c);

/*
 * Reads what will be compared in the compiles of these processes, with several threads. Drops what was read ahead
 * before: keeping texts that differ on every rank would only take memory.
 */
void contents_read_ahead(struct contents *c, const struct process *const *processes, size_t n);

/* The text of an artifact in c->text; false if it is not available. */
bool contents_read(struct contents *c, const struct artifact *a, enum payload_budget budget);

/* Inductor's estimate of the total run time of the operations, in nanoseconds; -1 unknown, or not contained. */
int64_t contents_estimate(struct contents *c, const struct artifact *a);

/* Whether there is anything to compare. */
bool contents_has(const struct artifact *a);
/* The content of an artifact with a facet. */
struct content contents_of(struct contents *c, const struct artifact *a);
/* The digest of its text without any size: equal for equal operations on tensors of different sizes. */
struct digest contents_without_sizes(struct contents *c, const struct artifact *a);
