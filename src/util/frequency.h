/*
 * frequency: counts how often each name occurs. A map of names, made by map_init, with one count per name in its
 * arena. One thread, the map's.
 */
#pragma once

#include "util/map.h"

struct frequency {
    struct str name; /* not copied: the caller keeps the bytes alive */
    uint64_t n;
};

void frequency_add(struct map *names, struct str name);

/* All names->n entries, most frequent first, then by name; the list is in the arena. */
const struct frequency **frequency_ranked(struct arena *a, const struct map *names);
