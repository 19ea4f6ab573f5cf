/*
 * world_size: the number of ranks in the job of a process, if collectives on the default process group show it.
 * Reading them takes time, so they are read only where ranks occur twice, see model/merge/jobs.h.
 */
#pragma once

#include "model/model.h"

/* By the collectives in the first graphs of a process; 0 if none of them names the default group and its size. */
uint64_t world_size_of(const struct process *p);

/*
 * Call it when all inputs are read, before run_finish: sets world_size for each process of a rank that several inputs
 * have.
 */
void world_sizes_find(struct run *r);
