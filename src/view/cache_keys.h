/*
 * cache_keys: what differs between the key of a lookup that missed and the key of the earlier one it is paired with
 * (analysis/cache_pairs). Reads payloads, each pair once: report.json and the page both ask.
 */
#pragma once

#include "text/messages/cache_key.h"
#include "util/map.h"
#include "view/view.h"

#include <pthread.h>

struct key_change {
    struct str name;
    struct str before, now; /* values, as they stand in JSON; empty on the side that lacks the component */
};

struct key_changes {
    const struct cache_event *against; /* NULL: nothing to compare with, or the trace does not list the components */
    VEC(struct key_change) list;       /* empty: the keys are made of the same */
};

/* Those that were found already; several threads may ask. */
struct key_store {
    pthread_mutex_t lock;
    struct arena *arena;
    struct map found; /* MAP_KEY of a pointer to a cache_event -> struct key_changes */
};

void key_store_init(struct key_store *s);
void key_store_free(struct key_store *s);

/* What differs between the keys of any two lookups; `out` is empty at first, and what is in it lives in the arena. */
void cache_keys_compare(struct arena *a, const struct cache_event *against, const struct cache_event *e,
                        struct key_changes *out);

/* As long as the view's store, or without one as its scratch arena. */
const struct key_changes *view_key_changes(const struct view *v, const struct cache_event *e);
