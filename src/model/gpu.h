/*
 * gpu: what GPUs did and are, as plain data: the activities of one process (kernels, copies), from whatever recorded
 * them, and facts about devices. Part of the model; nothing in it parses or prints. Lifetimes are those of the model.
 */
#pragma once

#include "model/compile_id.h"
#include "util/vec.h"

struct process;
struct run;

enum gpu_kind { GPU_KERNEL, GPU_COPY, GPU_MEMSET, GPU_GRAPH, GPU_KINDS };
const char *gpu_kind_name(enum gpu_kind k); /* as in report.json */

/* Activities are many, so that they are small; what they have in common is in their name. */
struct gpu_activity {
    int64_t start_ns, duration_ns; /* since the Unix epoch, UTC; from 0 to GPU_LATEST_NS */
    uint32_t name;                 /* in gpu_process.names */
    uint16_t device;
    bool in_graph;                 /* it was launched by a CUDA graph */
};

/* Sums of two of them are in range. */
#define GPU_LATEST_NS 4000000000000000000ll

/* A kernel, a sort of copy ("HtoD"), memset or graph launches. */
struct gpu_name {
    enum gpu_kind kind;
    struct str name; /* as it was recorded: of a kernel mangled or not, whole */
    uint64_t bytes;  /* that all copies and memsets of the name moved */
};

/* Calls of the code of one compile, on the host: what torch.profiler shows as "Torch-Compiled Region: 0/1". */
struct gpu_region {
    struct compile_id id;
    uint64_t calls;
    int64_t first_start_ns;   /* as in the file */
    int64_t first_ns, all_ns; /* how long the first call took, in which it may have been compiled; and all of them */
};

/* What one process did on its GPUs, by one file. */
struct gpu_process {
    struct str tool;    /* what recorded it: "CUPTI", "torch.profiler", "nsys" */
    struct str host, program;
    uint64_t pid;       /* 0 unknown */
    int rank;           /* RANK_UNKNOWN when the file does not say */
    struct str ended;   /* why recording ended before the process did, or never began; empty when it did not */
    int64_t ended_ns;   /* when; 0 unknown */
    uint64_t lost;      /* activities that are known to be missing */
    uint64_t skipped_events;    /* events of other sorts in the file: they are not looked at */
    VEC(struct gpu_name) names;
    VEC(struct gpu_activity) activities; /* by start, after run_finish */
    VEC(struct gpu_region) regions; /* in the order of the file */
    struct process *process; /* whose compiles these kernels are of; NULL when no trace of it is there */
};

/* A process that uses a device. */
struct gpu_user {
    uint64_t pid;
    int64_t memory; /* bytes; -1 unknown */
    struct str name;
};

/* One GPU: what it is, and how it was when somebody looked. Numbers are -1 and texts empty when they are not known. */
struct gpu_device {
    int64_t index;
    struct str name, uuid;
    struct str capability;             /* "9.0" */
    struct str driver, cuda, runtime;  /* versions: of the driver, of CUDA that it knows, of the CUDA runtime */
    int64_t memory_total, memory_free; /* bytes */
    int64_t processors;                /* streaming multiprocessors */
    int64_t clock_mhz, clock_most_mhz, memory_clock_mhz, memory_clock_most_mhz;
    int64_t bus_bits;                  /* of the memory */
    int64_t temperature_c, power_mw, power_limit_mw, utilization; /* percent of time with a kernel */
    int64_t ecc_errors;                /* uncorrected, since the driver was loaded */
    struct str mig;                    /* "enabled" or "disabled" */
    struct str compute_mode;           /* "default", "exclusive", "prohibited" */
    VEC(struct str) throttled;         /* why clocks are held down now: "power cap", "too hot" */
    VEC(struct gpu_user) users;        /* other processes that compute on it */
};

/* Every number unknown. */
struct gpu_device gpu_device_unknown(void);

/* Bytes per second that its memory can move at most; 0 unknown. */
double gpu_device_bandwidth(const struct gpu_device *d);
