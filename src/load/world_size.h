/*
 * world_size: how many ranks the job of a process has, where collectives on the default process group tell it. Reading
 * them takes time, so that it is asked only where ranks come twice, see model/jobs.h.
 */
#pragma once

#include "model/model.h"

/* Once all inputs are read, before run_finish: sets world_size of each process of a rank that several inputs have. */
void world_sizes_find(struct run *r);
