/*
 * gpu: where the time of the GPUs went: how long each kernel took, in how many calls; how long a GPU was idle while
 * the process was working, and which compiles caused that. A GPU is busy while any activity runs on it: wall time, as
 * a union, because activities of several streams overlap. Results live in the arena given; read-only on the model.
 */
#pragma once

#include "model/model.h"

/* All activities with one name in one file. */
struct gpu_stat {
    const struct gpu_process *gpu;
    const struct gpu_name *name;
    uint64_t calls, in_graphs;
    int64_t total_ns, median_ns, p99_ns;
};

/* Why a GPU was idle, as far as the trace shows. */
enum gpu_gap_cause {
    GAP_COMPILE, /* the first compile of some code */
    GAP_RECOMPILE,
    GAP_GRAPH_BREAK, /* the compile of the code after a graph break */
    GAP_OTHER,       /* nothing was compiled */
    GAP_CAUSES
};
const char *gpu_gap_cause_name(enum gpu_gap_cause c); /* as in report.json */

/*
 * A time without activity between two activities of one process. Gaps shorter than a millisecond are launch overhead.
 */
struct gpu_gap {
    const struct gpu_process *gpu;
    int64_t start_ns, duration_ns;
    int64_t compiling_ns;          /* the part in which anything was compiled */
    const struct compile *compile; /* the compile that takes the largest part; NULL if nothing was compiled */
    enum gpu_gap_cause cause;
};

/* One file. */
struct gpu_sum {
    const struct gpu_process *gpu;
    uint64_t counts[GPU_KINDS];
    int64_t times_ns[GPU_KINDS]; /* sums: longer than wall time if activities overlap */
    /* from the start of the first activity to the end of the last; the part with any activity */
    int64_t span_ns, busy_ns;
    int64_t gap_ns[GAP_CAUSES]; /* of all gaps: the time spent compiling, by cause, and the rest */
    uint64_t devices;           /* number of devices with any activity */
};

struct gpu_answers {
    VEC(struct gpu_sum) sums;     /* in the order of inputs */
    VEC(struct gpu_stat) stats;   /* by process, then by total, longest first */
    VEC(struct gpu_gap) gaps;     /* longest first; at most GPU_GAPS_MAX per process */
    struct map kernels;           /* process and name -> the index of its gpu_stat, plus 1 */
    int64_t total_ns;             /* of all activities except whole graphs */
};

enum { GPU_GAPS_MAX = 100 };

/* A kernel is slow if it moves less than this share of what the memory of its GPU can move. */
enum { GPU_SLOW_PERCENT = 30 };

void gpu_find(struct arena *a, const struct run *r, struct gpu_answers *out);

/*
 * The time of a kernel of generated code in its process, by its name in the code; NULL if it was not recorded. Older
 * Tritons append the specialization of the parameters to the name ("_0d1d2de").
 */
const struct gpu_stat *gpu_kernel(const struct gpu_answers *g, const struct process *p, struct str name);

/* Share of the total GPU time, from 0 to 1. */
double gpu_share(const struct gpu_answers *g, const struct gpu_stat *s);

/* The device that a process used, as the run describes it: by number, or the only one; NULL if it is unknown. */
const struct gpu_device *gpu_device_of(const struct run *r, const struct gpu_process *g);

/* Whether anything is known about GPUs: activity, or devices. */
bool gpu_is_known(const struct run *r, const struct gpu_answers *g);

/* The compile of a region; NULL if no trace of it was read. If several epochs have it, the first one. */
const struct compile *gpu_region_compile(const struct gpu_process *g, const struct gpu_region *r);
/* The average time of its calls except the first, in which it was compiled; -1 if there was no other. */
int64_t gpu_region_rest_ns(const struct gpu_region *r);
