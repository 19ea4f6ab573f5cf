/*
 * output_code: reads the Python code that Inductor generates around its kernels: what it defines and calls, and what
 * its comments say about the origin of each kernel:
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

enum { CODE_SIZES_MAX = 8 }; /* tensors whose sizes are kept, for each kernel */

struct code_kernel {
    struct str name;         /* "triton_poi_fused_addmm_relu_0", "extern_kernels.mm" */
    struct str kind;         /* "triton", "cpp_pybinding", … as in async_compile; empty for calls of libraries */
    struct str heuristic;    /* for Triton: "pointwise", "reduction", … */
    VEC(struct str) nodes;   /* nodes of the graph after the post-grad passes */
    VEC(struct str) sources; /* nodes of the graph before the pre-grad passes */
    VEC(struct str) sizes;   /* "buf1 (8, 16)": tensors of its first call */
    uint64_t calls;
    struct str signature; /* for Triton: "'in_ptr0': '*fp32', 'xnumel': 'i32'" */
    int64_t bytes; /* bytes that one call moves, by PyTorch's own count or by the sizes in its first call; -1 unknown */
};

struct output_code {
    struct str aot_id; /* "0_forward"; may be empty */
    VEC(struct code_kernel) kernels; /* in the order of their first mention */
};

/* Linear. Strings are copied into the arena. */
void output_code_parse(struct arena *a, struct str text, struct output_code *out);
