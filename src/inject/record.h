/*
 * record: one CUPTI activity record as plain data. It calls no CUPTI function, so it can be tested with records built
 * in memory. Any thread.
 */
#pragma once

#include <cupti.h>
#include <stdbool.h>
#include <stdint.h>

struct gpu_record {
    char kind;           /* 'k' kernel, 'm' copy, 's' memset, 'g' graph launch: the letters of the format */
    uint64_t start, end; /* in ns of CUPTI's clock */
    const char *name;    /* for a kernel: mangled, in CUPTI's memory; NULL for the others */
    const char *copy;    /* for a copy: "HtoD"; static */
    uint32_t device, stream, correlation, graph;
    uint64_t bytes;
    int32_t grid[3], block[3];
};

/* The result of decoding a record. */
enum gpu_decoded {
    GPU_DECODED,
    GPU_UNTIMED, /* CUPTI ran out of device memory for its times: both are 0 */
    GPU_IGNORED, /* of a kind that is not recorded */
};

enum gpu_decoded gpu_record_decode(const CUpti_Activity *from, struct gpu_record *out);

/* The oldest CUPTI whose records are laid out as they are decoded here: the one of CUDA 11.2. */
enum { GPU_OLDEST_CUPTI = 14 };
