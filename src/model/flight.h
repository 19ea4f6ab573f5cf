/*
 * flight: the collectives in a process's Flight Recorder, from a dump (FlightRecorder.hpp in
 * torch/csrc/distributed/c10d, version 2.x of the dump): the last few thousand calls, and how far each got. Plain data
 * in the arena of the input that it was read from. Group names are local to a process: ranks may use the same name for
 * groups with other members.
 */
#pragma once

#include "model/stack.h"

enum flight_state { FLIGHT_SCHEDULED, FLIGHT_STARTED, FLIGHT_COMPLETED, FLIGHT_STATES };
const char *flight_state_name(enum flight_state s); /* as in report.json */

/* An op and its arguments: equal calls share one. Shapes are of the first tensor: "[2, 8]"; empty if there is none. */
struct flight_op {
    struct str backend;            /* "nccl" */
    struct str name;               /* "all_reduce" */
    struct str peers;              /* "0->1", for a call between two ranks; else empty */
    struct str in_shape, in_dtype; /* "f32", as graphs have it */
    struct str out_shape, out_dtype;
    uint64_t tensors;              /* outputs */
};

struct flight_group {
    struct str backend;             /* of its first call; empty if there is none */
    struct str name;                /* "0" */
    struct str about;               /* "default_pg", or the program's own description; may be empty */
    VEC(uint64_t) ranks;            /* its members, ascending; empty if the dump does not list them, as with gloo */
    int64_t enqueued, completed;    /* the number of the last collective that reached this state; -1 unknown */
};

struct flight_entry {
    uint32_t group, op; /* indices into the dump's lists */
    enum flight_state state;
    bool p2p;                /* between two ranks: not counted with the group's collectives */
    uint64_t number;         /* the collective's number in its group, from 1 */
    int64_t created_ns;      /* since 1970, UTC; 0 unknown */
    const struct call *stack; /* NULL: PyTorch's own JSON has none */
};

struct flight_dump {
    struct str host;    /* may be empty */
    VEC(struct flight_group) groups;
    VEC(struct flight_op) ops;
    VEC(struct flight_entry) entries; /* in the order of the calls */
};
