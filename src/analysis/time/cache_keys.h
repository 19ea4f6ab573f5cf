/*
 * cache_keys: the differences between the key of a lookup that missed and the key of the earlier lookup that it is
 * paired with (cache_pairs.h). Reads payloads. With a store each pair is compared once, although report.json and the
 * page both need it.
 */
#pragma once

#include "analysis/time/cache_pairs.h"
#include "text/messages/cache_key.h"
#include "util/map.h"

#include <pthread.h>

struct key_change {
    struct str name;
    struct str before, now; /* values as JSON; empty on the side that lacks the component */
};

struct key_changes {
    /* NULL: there is nothing to compare with, or the trace does not list the components */
    const struct cache_event *against;
    VEC(struct key_change) list; /* empty: the keys have the same components */
};

/* A cache of results; several threads may use it. */
struct key_store {
    pthread_mutex_t lock;
    struct arena *arena;
    struct map found; /* MAP_KEY of a pointer to a cache_event -> struct key_changes */
};

void key_store_init(struct key_store *s);
void key_store_free(struct key_store *s);

/* The differences between the keys of any two lookups. `out` must be empty; its contents live in the arena. */
void cache_keys_compare(struct arena *a, const struct cache_event *against, const struct cache_event *e,
                        struct key_changes *out);

/* Lives as long as the store or, without one (NULL), as the arena. */
const struct key_changes *key_changes_of(struct key_store *s, struct arena *a, const struct cache_pairs *pairs,
                                         const struct cache_event *e);
