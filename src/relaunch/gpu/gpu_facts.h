/*
 * gpu_facts: the NVIDIA GPUs of this machine and their state, for run.json. The driver's libraries (libcuda.so.1,
 * libnvidia-ml.so.1) are opened at run time, in a child process with a limit of a few seconds: if a driver hangs or
 * crashes, only the facts are missing. No context is created, so no GPU memory is used. Any thread.
 */
#pragma once

#include "relaunch/gpu/gpu_driver.h"

/*
 * Fills *out, in the arena. With NVML, every GPU of the machine is listed, whatever CUDA_VISIBLE_DEVICES says; without
 * it, only those that CUDA sees, with fewer facts.
 */
void gpu_facts_find(struct arena *a, struct gpu_facts *out);
