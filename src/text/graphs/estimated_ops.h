/*
 * estimated_ops: reads how long Inductor expects each operator of a graph to run: the artifact
 * inductor_runtime_and_tensor_meta, which PyTorch writes with LOG_TLPARSE=1.
 *
 *   {"ops": [{"name": "extern_kernels.mm", "type": "compute", "estimated_runtime_ns": 6885841.87, "outputs": […]}, …]}
 *
 * Views into the text, which may be any; no state, any thread.
 */
#pragma once

#include "util/str.h"

struct estimated_op {
    struct str name, type; /* "compute" or "collective"; either may be empty */
    int64_t ns;            /* 0: not estimated */
};

/* The operators of an artifact, as the text of a JSON array; empty if it has none. */
struct str estimated_ops(struct str artifact);

/* Takes the next operator off. False at the end. */
bool estimated_op_next(struct str *ops, struct estimated_op *out);
