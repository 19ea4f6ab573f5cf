/*
 * gpu_driver: facts about GPUs from the driver's libraries, for gpu_facts, which calls it in a separate process. Any
 * function may be missing in an older or newer library. One thread.
 */
#pragma once

#include "model/gpu.h"

struct gpu_facts {
    VEC(struct gpu_device) devices;
    struct str why_none; /* in words, if there are no devices or they could not be queried */
};

/* Uses libnvidia-ml.so.1. Finds no device if it is missing or does not answer: CUDA's library says why. */
void gpu_driver_nvml(struct arena *a, struct gpu_facts *out);

/*
 * Uses libcuda.so.1: adds facts to the devices in the list (by uuid), or makes the list if it is empty. Sets
 * *why if it is missing, does not answer or sees no GPU.
 */
void gpu_driver_cuda(struct arena *a, struct gpu_facts *out, struct str *why);
