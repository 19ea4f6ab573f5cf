/*
 * gpu_facts: which NVIDIA GPUs this machine has, and how they are: for run.json. The driver's libraries (libcuda.so.1,
 * libnvidia-ml.so.1) are opened at run time, in a child process that is given some seconds: a driver that hangs or
 * crashes costs the facts and nothing else. No context is made, so that no memory of a GPU is taken. Any thread.
 */
#pragma once

#include "relaunch/gpu/gpu_driver.h"

/*
 * Fills *out, in the arena. With NVML every GPU of the machine is listed, whatever CUDA_VISIBLE_DEVICES says; without
 * it those that CUDA sees, and less of each.
 */
void gpu_facts_find(struct arena *a, struct gpu_facts *out);
