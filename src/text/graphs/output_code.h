/*
 * output_code: the Python that Inductor generates around its kernels. What it defines and calls, and what its comments
 * say of where that came from:
 *
 *     # AOT ID: ['0_forward']
 *     # Topologically Sorted Source Nodes: [add, x_1], Original ATen: [aten.addmm, aten.relu]
 *     # Graph fragment:
 *     #   %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%add,))
 *     triton_poi_fused_addmm_relu_0 = async_compile.triton('triton_poi_fused_addmm_relu_0', '''
 *     …
 *         # [Provenance debug handles] triton_poi_fused_addmm_relu_0:1
 *         triton_poi_fused_addmm_relu_0.run(buf1, arg1_1, 128, stream=stream0)
 *
 * Any thread.
 */
#pragma once

#include "util/str.h"
#include "util/vec.h"

enum { CODE_SIZES_MAX = 8 }; /* of the tensors of one kernel */

struct code_kernel {
    struct str name;         /* "triton_poi_fused_addmm_relu_0", "extern_kernels.mm" */
    struct str kind;         /* "triton", "cpp_pybinding", … as async_compile calls it; empty for calls of libraries */
    struct str heuristic;    /* of Triton: "pointwise", "reduction", … */
    VEC(struct str) nodes;   /* of the graph after the post-grad passes */
    VEC(struct str) sources; /* of the graph before the pre-grad passes */
    VEC(struct str) sizes;   /* "buf1 (8, 16)": the tensors of its first call */
    uint64_t calls;
    struct str signature;    /* of Triton: "'in_ptr0': '*fp32', 'xnumel': 'i32'" */
    int64_t bytes; /* that one call moves, by PyTorch's own count or the sizes of its first call; -1 unknown */
};

struct output_code {
    struct str aot_id; /* "0_forward"; may be empty */
    VEC(struct code_kernel) kernels; /* in the order in which they are named */
};

/* Linear. Strings are copied into the arena. */
void output_code_parse(struct arena *a, struct str text, struct output_code *out);
