/*
 * flight_stops: where the ranks of a run are stuck, from the dumps of their Flight Recorders: the last collective that
 * each rank completed, the one it is in, and the one it never reached while others wait in it. Results live in the
 * arena given; the model is only read.
 */
#pragma once

#include "ranks/compare/comparison.h"

/* NULL if the run has no dumps. The code that makes the calls is not set, see flight_match.h. */
struct flight_run *flight_stops_find(struct arena *a, const struct run *r, uint32_t group);
