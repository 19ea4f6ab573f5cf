/*
 * story: what ranks did where they differ, in words: of each group of ranks, and why. Strings are in the arena given.
 */
#pragma once

#include "ranks/calls/execution.h"

/* Fills `did` and the place of each group, as far as groups are described one by one, and the cause. Reads texts. */
void story_write(struct arena *a, struct contents *contents, const struct rank_run *run, struct divergence *d);
