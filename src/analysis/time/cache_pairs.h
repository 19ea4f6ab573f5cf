/*
 * cache_pairs: which earlier lookup of a cache each miss should be compared with, to show where the key differs: the
 * lookup of the same graph in an earlier compile of the frame, else of the same function (after a reset), else the
 * previous lookup. Reads no payload. Results live in the arena given; read-only on the model.
 */
#pragma once

#include "model/model.h"

/* Keys are long, so at most this many of a run are compared. The first ones show what matters. */
enum { CACHE_PAIRS_MAX = 100 };

struct cache_pairs {
    struct map earlier; /* MAP_KEY of a pointer to a cache_event -> the event to compare it with */
};

void cache_pairs_find(struct arena *a, const struct run *r, struct cache_pairs *out);

/* NULL if there is nothing to compare e with. */
const struct cache_event *cache_pair(const struct cache_pairs *pairs, const struct cache_event *e);
