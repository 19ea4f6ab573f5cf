/*
 * roster: which ranks of a run are there and which are not, and how many there should be. The one place that decides
 * what an absent rank is. Results live in the arena given; read-only on the model.
 */
#pragma once

#include "ranks/compare/comparison.h"

/* Fills r->rosters: one for each group of processes in which a rank is known. */
void rosters_find(struct arena *a, const struct run *run, struct ranks *r);
