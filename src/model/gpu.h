/*
 * gpu: what GPUs did and are, as plain data: the activities of one process (kernels, copies), whatever tool recorded
 * them, and facts about devices. Part of the model; nothing in it parses or prints. The same lifetimes as in the
 * model.
 */
#pragma once

#include "model/compile_id.h"
#include "util/vec.h"

struct process;
struct run;

enum gpu_kind { GPU_KERNEL, GPU_COPY, GPU_MEMSET, GPU_GRAPH, GPU_KINDS };
const char *gpu_kind_name(enum gpu_kind k); /* as in report.json */

/* There are many activities, so they are small; what they have in common is in their name. */
struct gpu_activity {
    int64_t start_ns, duration_ns; /* since 1970, UTC; from 0 to GPU_LATEST_NS */
    uint32_t name;                 /* in gpu_process.names */
    uint16_t device;
    bool in_graph; /* a CUDA graph launched it */
};

/* The sum of two such times does not overflow. */
#define GPU_LATEST_NS 4000000000000000000ll

/* A kernel, a direction of copies ("HtoD"), memset or graph launches. */
struct gpu_name {
    enum gpu_kind kind;
    struct str name; /* as recorded: complete; a kernel's name may be mangled */
    uint64_t bytes;  /* the bytes that all copies or memsets of this name moved */
};

/* The calls of one compile's code, on the host: torch.profiler shows them as "Torch-Compiled Region: 0/1". */
struct gpu_region {
    struct compile_id id;
    uint64_t calls;
    int64_t first_start_ns;   /* times as in the file */
    int64_t first_ns, all_ns; /* how long the first call took, which may include compiling, and how long all took */
};

/* The GPU work of one process, from one file. */
struct gpu_process {
    struct str tool; /* the tool that recorded it: "CUPTI", "torch.profiler", "nsys" */
    struct str host, program;
    uint64_t pid;       /* 0 unknown */
    int rank;           /* RANK_UNKNOWN if the file does not say */
    struct str ended;   /* why recording stopped before the process ended, or never started; empty if it did not */
    int64_t ended_ns;   /* when it stopped; 0 unknown */
    uint64_t lost;      /* the number of activities that are known to be missing */
    uint64_t skipped_events; /* other events in the file, which are not read */
    VEC(struct gpu_name) names;
    VEC(struct gpu_activity) activities; /* sorted by start, after run_finish */
    VEC(struct gpu_region) regions; /* in the order of the file */
    struct process *process; /* the process whose compiles these kernels belong to; NULL if there is no trace of it */
};

/* A process that uses a device. */
struct gpu_user {
    uint64_t pid;
    int64_t memory; /* bytes; -1 unknown */
    struct str name;
};

/* One GPU: what it is, and its state at some time. Unknown numbers are -1, unknown texts empty. */
struct gpu_device {
    int64_t index;
    struct str name, uuid;
    struct str capability;             /* "9.0" */
    /* versions of the driver, of the newest CUDA it supports, and of the CUDA runtime */
    struct str driver, cuda, runtime;
    int64_t memory_total, memory_free; /* bytes */
    int64_t processors;                /* streaming multiprocessors */
    int64_t clock_mhz, clock_most_mhz, memory_clock_mhz, memory_clock_most_mhz;
    int64_t bus_bits;                  /* of the memory */
    /* utilization: percent of the time with a kernel running */
    int64_t temperature_c, power_mw, power_limit_mw, utilization;
    int64_t ecc_errors;                /* uncorrected, since the driver was loaded */
    struct str mig;                    /* "enabled" or "disabled" */
    struct str compute_mode;           /* "default", "exclusive", "prohibited" */
    VEC(struct str) throttled;         /* why the clocks are reduced now: "power cap", "too hot" */
    VEC(struct gpu_user) users;        /* other processes that use it for computing */
};

/* A device with all numbers unknown. */
struct gpu_device gpu_device_unknown(void);

/* The peak memory bandwidth in bytes per second; 0 unknown. */
double gpu_device_bandwidth(const struct gpu_device *d);
