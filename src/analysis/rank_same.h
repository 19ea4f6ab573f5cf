/*
 * rank_same: which compiles are what another rank did, too, in every facet that is compared (rank_sign.h): a report
 * tells of one of them. Times are no facet, so that they may differ. Results live in the arena of the map; read-only on
 * the model.
 */
#pragma once

#include "analysis/rank_align.h"
#include "util/map.h"

/* Adds the compiles of a set: MAP_KEY of a pointer to a compile -> that of the first rank that did the same. */
void rank_same_find(const struct rank_set *set, struct map *out);
