/*
 * frequency: how often each name came up. A map of names, made by map_init, and one count per name in its arena. One
 * thread, the map's.
 */
#pragma once

#include "util/map.h"

struct frequency {
    struct str name; /* as given: the caller keeps the bytes alive */
    uint64_t n;
};

void frequency_add(struct map *names, struct str name);

/* The names->n of them, most frequent first, then by name; the list is in the arena. */
const struct frequency **frequency_ranked(struct arena *a, const struct map *names);
