/*
 * roster: which ranks of a run are present, which are absent, and how many there should be. Only this module decides
 * what an absent rank is. Results live in the arena given; the model is only read.
 */
#pragma once

#include "ranks/compare/comparison.h"

/* Fills r->rosters: one for each group of processes with a known rank. */
void rosters_find(struct arena *a, const struct run *run, struct ranks *r);
