/*
 * gpu: where the time of the GPUs went. What each kernel took, in how many calls; how long a GPU had nothing to do
 * while the process was at work, and which compiles that was for. A GPU is busy while any activity is on it: wall time,
 * a union, as activities of several streams overlap. Results live in the arena given; read-only on the model.
 */
#pragma once

#include "model/model.h"

/* All activities of one name in one file. */
struct gpu_stat {
    const struct gpu_process *gpu;
    const struct gpu_name *name;
    uint64_t calls, in_graphs;
    int64_t total_ns, median_ns, p99_ns;
};

/* Why a GPU had nothing to do, as far as the trace shows. */
enum gpu_gap_cause {
    GAP_COMPILE,     /* the first compile of some code */
    GAP_RECOMPILE,
    GAP_GRAPH_BREAK, /* the compile of what follows a graph break */
    GAP_OTHER,       /* nothing was compiled */
    GAP_CAUSES
};
const char *gpu_gap_cause_name(enum gpu_gap_cause c); /* as in report.json */

/* A time without activity between two of one process. Those of less than a millisecond are what launching takes. */
struct gpu_gap {
    const struct gpu_process *gpu;
    int64_t start_ns, duration_ns;
    int64_t compiling_ns;          /* of it, while anything was compiled */
    const struct compile *compile; /* that takes most of it; NULL when nothing was compiled */
    enum gpu_gap_cause cause;
};

/* One file. */
struct gpu_sum {
    const struct gpu_process *gpu;
    uint64_t counts[GPU_KINDS];
    int64_t times_ns[GPU_KINDS];     /* added up: more than wall time where activities overlap */
    int64_t span_ns, busy_ns;        /* from the first activity to the end of the last; while there was one */
    int64_t gap_ns[GAP_CAUSES];      /* of all gaps: what compiling took of them, by its cause, and the rest */
    uint64_t devices;                /* how many had anything to do */
};

struct gpu_answers {
    VEC(struct gpu_sum) sums;     /* in the order of inputs */
    VEC(struct gpu_stat) stats;   /* by process, then by total, longest first */
    VEC(struct gpu_gap) gaps;     /* longest first; at most GPU_GAPS_MAX of each process */
    struct map kernels;           /* process and name -> the index of its gpu_stat, plus 1 */
    int64_t total_ns;             /* of all activities but whole graphs */
};

enum { GPU_GAPS_MAX = 100 };

void gpu_find(struct arena *a, const struct run *r, struct gpu_answers *out);

/*
 * What a kernel of generated code took in the process it is of, by its name as it stands in the code; NULL when it was
 * not recorded. Older Tritons add to the name how its parameters are specialised ("_0d1d2de").
 */
const struct gpu_stat *gpu_kernel(const struct gpu_answers *g, const struct process *p, struct str name);

/* Of all time that GPUs were at work, from 0 to 1. */
double gpu_share(const struct gpu_answers *g, const struct gpu_stat *s);

/* The device that a process used, as the run knows it: by number, or the only one; NULL when it is not known. */
const struct gpu_device *gpu_device_of(const struct run *r, const struct gpu_process *g);
