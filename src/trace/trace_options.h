/*
 * trace_options: how a TORCH_TRACE file is read.
 */
#pragma once

#include <stdbool.h>

struct trace_options {
    bool check_digests; /* hash every payload */
};
