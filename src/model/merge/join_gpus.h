/*
 * join_gpus: whose work the activities of GPUs are, when all files are read. One thread.
 */
#pragma once

#include "model/model.h"

/*
 * Once all inputs are read and processes are in order: sorts activities, and finds the process of the trace that each
 * gpu_process is. Part of run_finish; one thread.
 */
void gpu_join(struct run *r);
