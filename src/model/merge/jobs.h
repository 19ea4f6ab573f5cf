/*
 * jobs: tells apart jobs whose ranks were traced at the same time, in one folder or with one command line: the same
 * rank twice, or ranks of different world sizes. What belongs together is known by content, never by the names or the
 * order of files: world size, versions, the code that was compiled, when processes began, process ids. One thread; part
 * of run_finish.
 */
#pragma once

#include "model/model.h"

/*
 * Expects r->processes in the order of time, each with the group of those it overlaps. Where a group is of several
 * jobs, each becomes a group of its own, and a message says by what evidence; where the evidence is not enough, the
 * message says so, and the group stays as it is.
 */
void jobs_separate(struct run *r);
