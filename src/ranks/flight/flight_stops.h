/*
 * flight_stops: where the ranks of a run stand still, out of the dumps of their Flight Recorders: which collective each
 * rank completed last, in which it is, and which it never reached while others wait in it. Results live in the arena
 * given; read-only on the model.
 */
#pragma once

#include "ranks/compare/comparison.h"

/* NULL when the run has no dumps. Whose code makes the calls is left open, see flight_match.h. */
struct flight_run *flight_stops_find(struct arena *a, const struct run *r, uint32_t group);
