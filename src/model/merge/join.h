/*
 * join: a text log beside the trace (or the other logs) of the same process completes it. One thread; part of
 * run_finish.
 */
#pragma once

#include "model/model.h"

/*
 * Finds the processes of logs that another input knows too: by process id, rank and time. What only the log has moves
 * into the other's compiles (same id, nearest in time, same function); what both have counts once. Such a process gets
 * `joined` set and has nothing left. Expects r->processes in the order of time; leaves out those that were joined.
 */
void join_logs(struct run *r);
