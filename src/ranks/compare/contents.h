/*
 * contents: what comparing ranks asks of a payload: the digest of its text without what differs on every rank
 * (text/messages/rank_neutral.h), and the collectives that it calls. Payloads are read once: what was read is
 * remembered, and shared by payloads of equal content. Results live in the arena given. One thread; reading ahead uses
 * others.
 */
#pragma once

#include "ranks/compare/comparison.h"
#include "text/graphs/collective_text.h"

/* The facet that the artifact is part of; FACETS for none. */
enum rank_facet facet_of_artifact(const struct artifact *a);

/* The collectives of one graph, in the order in which its code calls them. Equal lists are equal pointers. */
struct collectives {
    struct digest key;                /* of everything that the calls say */
    VEC(struct collective_call) list; /* strings in the arena; no waits, no places */
    uint64_t waits;
};

struct content {
    struct digest digest;            /* equal for equal neutral texts */
    const struct collectives *calls; /* NULL: none */
};

struct contents {
    struct arena *arena;
    struct pool *pool;
    struct map by_digest; /* digest of a payload -> struct content */
    struct map calls;     /* key -> struct collectives */
    struct arena *ahead_arena;
    struct map ahead; /* artifact -> struct content: read ahead, and not to be remembered by a digest */
    struct buf text, line;
};

/* `pool` may be NULL: then nothing is read ahead. */
void contents_init(struct contents *c, struct arena *a, struct pool *pool);
void contents_free(struct contents *c);

/*
 * Reads what is compared of the compiles of these processes, in several threads. Forgets what was read ahead before:
 * texts that differ on every rank, remembered for all ranks, would only take memory.
 */
void contents_read_ahead(struct contents *c, const struct process *const *processes, size_t n);

/* The text of an artifact in c->text; false when it cannot be had. */
bool contents_read(struct contents *c, const struct artifact *a, uint64_t max);

/* Nanoseconds that Inductor expects its operations to take, in all; -1 unknown, or it says nothing of that. */
int64_t contents_estimate(struct contents *c, const struct artifact *a);

/* Whether there is anything to compare. */
bool contents_has(const struct artifact *a);
/* What there is of an artifact with a facet. */
struct content contents_of(struct contents *c, const struct artifact *a);
/* The digest of its text without any size: equal for equal operations on tensors of other sizes. */
struct digest contents_without_sizes(struct contents *c, const struct artifact *a);
