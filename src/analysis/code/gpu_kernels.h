/* gpu_kernels: matches GPU activities with the kernels of generated code. */
#pragma once

#include "analysis/answers/answers.h"
#include "analysis/code/kernels.h"

/* Which kernels of generated code were measured. */
struct gpu_measured {
    /* by the index of the gpu_stat: the first kernel of that name; NULL for other kernels */
    const struct kernel **kernels;
    uint32_t *sharing;             /* how many kernels of the process have the name: their times are shown together */
    int64_t generated_ns;          /* the part of all kernel time in kernels that generated code names */
};

/*
 * Computed once per kernel store; without a store (NULL) nothing is known, and the result lives in the arena. Never
 * NULL. If several threads will ask for it, call it once before they start.
 */
const struct gpu_measured *gpu_measured(const struct answers *answers, struct kernel_store *kernels, struct arena *a);

/* Bytes per second that a kernel moved, by the bytes of one call and its median time; 0 unknown. */
double gpu_bandwidth(const struct kernel *k, const struct gpu_stat *s);
