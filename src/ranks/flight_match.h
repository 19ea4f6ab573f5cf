/*
 * flight_match: whose compiled code makes the calls in the dumps of Flight Recorders: by the stack of the call, else by
 * operation, sizes and the calls around it. Results live in the arena of the run that is completed.
 */
#pragma once

#include "ranks/collectives.h"

/* Completes every call of the run with its compile and the user's line. */
void flight_match(struct fingerprinter *f, struct flight_run *run);
