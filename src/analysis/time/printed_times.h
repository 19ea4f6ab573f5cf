/*
 * printed_times: what a table of torch._dynamo.utils.compile_times() says of a process: how long it compiled, and in
 * which phase. The rows of the table include the calls inside them, and which calls these are is known from PyTorch's
 * sources. Any thread.
 */
#pragma once

#include "analysis/time/phase.h"
#include "model/model.h"

struct printed_times {
    int64_t total_ns; /* -1 unknown */
    bool is_sum;      /* of two rows, so that no line of the table has the total */
    bool old;         /* PyTorch 2.0 wrote the table */
    /* Without the phases inside it; 0 where the rows do not show that. Together no more than the total. */
    int64_t phase_ns[PHASE_COUNT];
};

/* From the times that the process printed; nothing is known if it printed none. */
void printed_times_find(const struct process *p, struct printed_times *out);
