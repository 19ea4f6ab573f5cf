/*
 * divergence: the rows of a matrix in which ranks differ: what differs, in which groups of ranks, and which of it is a
 * consequence of something earlier. Looks at fingerprints alone, never at texts; what ranks did in words is added by
 * story.h. Results live in the arena given.
 */
#pragma once

#include "ranks/compare/fingerprint.h"

/* From run->matrix and run->execution: divergences, differences, columns, and the classes of the cells. */
void divergences_find(struct arena *a, struct rank_run *run);
