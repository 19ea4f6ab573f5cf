/*
 * record: one activity record of CUPTI as plain data. No call of CUPTI in it, so that it can be tested on records built
 * in memory. Any thread.
 */
#pragma once

#include <cupti.h>
#include <stdbool.h>
#include <stdint.h>

struct gpu_record {
    char kind;           /* 'k' kernel, 'm' copy, 's' memset, 'g' graph launch: the words of the format */
    uint64_t start, end; /* ns, CUPTI's clock */
    const char *name;    /* of a kernel: mangled, CUPTI's own, NULL for the others */
    const char *copy;    /* of a copy: "HtoD"; static */
    uint32_t device, stream, correlation, graph;
    uint64_t bytes;
    int32_t grid[3], block[3];
};

/* What became of a record. */
enum gpu_decoded {
    GPU_DECODED,
    GPU_UNTIMED, /* CUPTI had no memory on the device for its times: both are 0 */
    GPU_IGNORED, /* of another kind */
};

enum gpu_decoded gpu_record_decode(const CUpti_Activity *from, struct gpu_record *out);

/* The oldest CUPTI whose records are laid out as they are decoded here: the one of CUDA 11.2. */
enum { GPU_OLDEST_CUPTI = 14 };
