/*
 * story: describes in words what ranks did where they differ: for each group of ranks, and why. Strings are in the
 * arena given.
 */
#pragma once

#include "ranks/calls/execution.h"

/* Sets `did` and the place of each group, as far as groups are described individually, and the cause. Reads texts. */
void story_write(struct arena *a, struct contents *contents, const struct rank_run *run, struct divergence *d);
