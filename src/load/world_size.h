/*
 * world_size: how many ranks the job of a process has, where collectives on the default process group show it. Reading
 * them takes time, so that it is asked only where ranks come twice, see model/merge/jobs.h.
 */
#pragma once

#include "model/model.h"

/* By the collectives of the first graphs of a process; 0 when none names the default group with its size. */
uint64_t world_size_of(const struct process *p);

/* Once all inputs are read, before run_finish: sets world_size of each process of a rank that several inputs have. */
void world_sizes_find(struct run *r);
