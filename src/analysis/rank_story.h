/*
 * rank_story: what ranks did where they diverge, in words: of each group of ranks, and why. Texts that differ are read
 * to find the first line in which they do. Strings are in the arena given.
 */
#pragma once

#include "analysis/ranks.h"

/* Fills `did` and the place of each group, as far as they are told one by one, and the cause. */
void rank_story_tell(struct arena *a, struct signer *s, const struct rank_set *set, struct divergence *d);
