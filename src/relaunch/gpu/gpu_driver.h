/*
 * gpu_driver: what the driver's libraries say of the GPUs; for gpu_facts, which calls it in a process of its own. Any
 * function may be missing in a library of another age. One thread.
 */
#pragma once

#include "model/gpu.h"

struct gpu_facts {
    VEC(struct gpu_device) devices;
    struct str why_none; /* in words, when there are none or nobody could say */
};

/* By libnvidia-ml.so.1. False, with *why set, when it is not there or does not answer. */
bool gpu_driver_nvml(struct arena *a, struct gpu_facts *out, struct str *why);

/*
 * By libcuda.so.1: adds what it knows to devices that are there (by their uuid), or makes the list when there are none.
 * False as above.
 */
bool gpu_driver_cuda(struct arena *a, struct gpu_facts *out, struct str *why);
