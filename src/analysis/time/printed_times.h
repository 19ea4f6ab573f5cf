/*
 * printed_times: what a table of torch._dynamo.utils.compile_times() says of a process: how long it compiled, and in
 * which phase. The rows of the table include the calls inside them, and which calls these are is known from PyTorch's
 * sources. Any thread.
 */
#pragma once

#include "analysis/time/phase.h"
#include "model/model.h"

struct printed_times {
    int64_t total_ns;             /* -1 unknown */
    int64_t phase_ns[PHASE_COUNT]; /* without the phases inside it, where the rows show them; 0 if there is no row */
};

/* From the times that the process printed; nothing is known if it printed none. */
void printed_times_find(const struct process *p, struct printed_times *out);
