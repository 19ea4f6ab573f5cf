/* gpu: matches GPU activities with the kernels of generated code, and computes what belongs to their calls. */
#pragma once

#include "analysis/code/kernels.h"
#include "view/view.h"

/* How many names of one process report.json lists: those with the longest total time. */
enum { GPU_STATS_MAX = 500 };

/* Which kernels of generated code were measured. */
struct gpu_measured {
    /* by the index of the gpu_stat: the first kernel of that name; NULL for other kernels */
    const struct kernel **kernels;
    uint32_t *sharing;             /* how many kernels of the process have the name: their times are shown together */
    int64_t generated_ns;          /* the part of all kernel time in kernels that generated code names */
};

/*
 * Computed once per kernel store; without a store nothing is known. Never NULL. If several threads will ask for it,
 * call it once before they start.
 */
const struct gpu_measured *gpu_measured(const struct view *v);

/* Bytes per second that a kernel moved, by the bytes of one call and its median time; 0 unknown. */
double gpu_bandwidth(const struct kernel *k, const struct gpu_stat *s);

/* Whether anything is known about GPUs: activity, devices, or calls of compiled code. */
bool gpu_is_known(const struct view *v);

/* The compile of a region; NULL if no trace of it was read. If several epochs have it, the first one. */
const struct compile *gpu_region_compile(const struct gpu_process *g, const struct gpu_region *r);
/* The average time of its calls except the first, in which it was compiled; -1 if there was no other. */
int64_t gpu_region_rest_ns(const struct gpu_region *r);
