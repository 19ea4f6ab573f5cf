/* join_gpus: finds the processes whose GPU work was recorded, when all files are read. One thread. */
#pragma once

#include "model/model.h"

/*
 * Call it once all inputs are read and processes are in order: sorts activities, and finds the process for each
 * gpu_process. Part of run_finish; one thread.
 */
void gpu_join(struct run *r);
