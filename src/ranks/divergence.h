/*
 * divergence: finds the rows of a matrix in which ranks differ: what differs, in which groups of ranks, and which
 * difference is a consequence of an earlier one. It uses only fingerprints, never texts; story.h adds what ranks did,
 * in words. Results live in the arena given.
 */
#pragma once

#include "ranks/compare/fingerprint.h"

/* Uses run->matrix and run->execution; sets divergences, differences, columns, and the classes of cells. */
void divergences_find(struct arena *a, struct rank_run *run);
