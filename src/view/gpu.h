/*
 * gpu: which kernels of generated code the activities of GPUs are, and what belongs to their calls.
 */
#pragma once

#include "view/kernels.h"
#include "view/view.h"

/* Names of one process that report.json lists: the longest in total. */
enum { GPU_STATS_MAX = 500 };

/* Which kernels of generated code were measured. */
struct gpu_measured {
    const struct kernel **kernels; /* by the index of the gpu_stat: the first of that name; NULL for other kernels */
    uint32_t *sharing;             /* how many kernels of the process have the name: their times are shown together */
    int64_t generated_ns;          /* of all time of kernels, those that generated code names */
};

/*
 * Made once per kernel store; nothing is known without one. Never NULL. Where several threads are going to ask, one has
 * to ask before.
 */
const struct gpu_measured *gpu_measured(const struct view *v);

/* Bytes per second that a kernel moved, by what one call moves and its median time; 0 unknown. */
double gpu_bandwidth(const struct kernel *k, const struct gpu_stat *s);

/* Whether anything is known of GPUs: activity, devices, or calls of compiled code. */
bool gpu_is_known(const struct view *v);

/* The compile that a region is of; NULL when no trace of it was read. Of several epochs the first. */
const struct compile *gpu_region_compile(const struct gpu_process *g, const struct gpu_region *r);
/* How long its calls took on average but for the first, in which it was compiled; -1 when there was no other. */
int64_t gpu_region_rest_ns(const struct gpu_region *r);
