/* join: a text log completes the trace (or the other logs) of the same process. One thread; part of run_finish. */
#pragma once

#include "model/model.h"

/*
 * Finds the processes of logs that another input also has, by process id, rank and time. What only the log has moves
 * into the compiles of the other input (same id, nearest in time, same function); what both have counts once. Such a
 * process gets `joined` set and becomes empty. Expects r->processes in the order of time; removes those that were
 * joined.
 */
void join_logs(struct run *r);
