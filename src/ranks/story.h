/*
 * story: what ranks did where they diverge, in words: of each group of ranks, and why. Texts that differ are read to
 * find the first line in which they do. Strings are in the arena given.
 */
#pragma once

#include "ranks/fingerprint.h"

/* Fills `did` and the place of each group of a divergence, as far as groups are described one by one, and the cause. */
void story_tell(struct arena *a, struct fingerprinter *f, const struct rank_matrix *matrix, struct divergence *d);
