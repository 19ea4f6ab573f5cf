/*
 * flight_match: finds the compiled code that made the calls in Flight Recorder dumps: by the stack of the call, or
 * else by operation, sizes, the calls around it and the time of the compile. Results live in the arena given.
 */
#pragma once

#include "ranks/calls/collectives.h"

/* Adds the compile and the user's line to every call of the run. */
void flight_match(struct arena *a, struct contents *contents, struct flight_run *run);
