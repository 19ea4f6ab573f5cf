/*
 * jobs: separates jobs whose ranks were traced at the same time, in one folder or on one command line, where the same
 * rank occurs twice, or ranks have different world sizes. Content decides, never the names or the order of files:
 * world size, versions, the code that was compiled, start times, process ids. One thread; part of run_finish.
 */
#pragma once

#include "model/model.h"

/*
 * Expects r->processes in the order of time, each with the group of those it overlaps. If a group contains several
 * jobs, each becomes a group of its own, and a message says by what evidence. If the evidence is not sufficient, the
 * message says so, and the group stays as it is.
 */
void jobs_separate(struct run *r);
