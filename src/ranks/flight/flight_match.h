/*
 * flight_match: whose compiled code makes the calls in the dumps of Flight Recorders: by the stack of the call, else by
 * operation, sizes, the calls around it and the time of the compile. Results live in the arena given.
 */
#pragma once

#include "ranks/calls/collectives.h"

/* Completes every call of the run with its compile and the user's line. */
void flight_match(struct arena *a, struct contents *contents, struct flight_run *run);
