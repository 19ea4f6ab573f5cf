/*
 * limits: how much a trace may ask of the program. A trace is hostile until proven otherwise. Each limit is far above
 * anything PyTorch writes, and exceeding one is a message, never an error.
 */
#pragma once

#include <stdint.h>

enum {
    LIMIT_LINE = 64 << 20,          /* bytes of one line; a stack of 100,000 frames takes 12 MB */
    LIMIT_BARREN = 128 << 20,       /* bytes without a record after which reading stops: /dev/zero has no end */
    LIMIT_UNPACKED = 1 << 30,       /* unpacked bytes of a gzip file from which the ratio counts ... */
    LIMIT_UNPACK_RATIO = 250,       /* ... of unpacked to stored bytes: traces reach 50, gzip's worst case is 1000 */
    LIMIT_PROCESSES = 4096,         /* processes in one file */
    LIMIT_PAYLOAD_TEXT = 16 << 20,  /* bytes of one payload that are parsed; the report keeps all of it */
    LIMIT_STRING_INDEX = 1 << 20,   /* entries of a string table */
    LIMIT_STACK_FRAMES = 2000,      /* frames kept of one stack: Python's own recursion limit is 1,000 */
    LIMIT_NAME = 4096,              /* bytes of a function, file, artifact or symbol name */
    LIMIT_GUARD_DEPTH = 500,        /* levels of a guard tree: a module 40 levels deep takes 200 */
    LIMIT_LIST = 100000,            /* entries of one list in a record */
    LIMIT_COMPILE_NUMBER = 1 << 24, /* frame ids, compile numbers, compiled autograd ids */
    LIMIT_ATTEMPTS = 1 << 16,
    LIMIT_LOOK_BACK = 1000, /* compiles back that an earlier one is looked for; in practice it is one of the last few */
    LIMIT_ACTIVITIES = 20000000, /* GPU activities of one file, at 24 bytes each: an hour of 5,000 per second */
    LIMIT_GPU_DEVICE = UINT16_MAX,
    LIMIT_JSON_EVENT = 1 << 20, /* bytes of one event of a profiler */
    LIMIT_RANK = 1 << 20,
    LIMIT_SNIFF = 256 << 10, /* bytes read to find out what kind of file it is */
};
