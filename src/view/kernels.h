/*
 * kernels: what Inductor generated, from the provenance maps of a compile in any of their spellings, and from the
 * definitions, calls and comments in its output code (AOTInductor: its kernel code). Reads payloads. Results live in
 * the arena given.
 *
 *   inductor_provenance_tracking_node_mappings        cppCodeToPost / pyCodeToPost: {"kernel:1": [nodes]}   2.8 and
 * later inductor_provenance_tracking_kernel_stack_traces  {"kernel:1": [stack listings]}
 *   triton_kernel_info                              {"kernel": {"compile_time_us", "num_configs", …}}
 *   inductor_triton_kernel_to_post_grad_nodes, inductor_generated_kernel_to_post_grad_nodes                 before
 */
#pragma once

#include "util/map.h"
#include "util/system/pool.h"
#include "view/view.h"

/* A line of the user's. */
struct kernel_place {
    struct str file;
    int64_t line;
};

struct kernel {
    const struct compile *compile;
    const struct artifact *artifact; /* the output code or map that names it */
    struct str name;                 /* without the ":1" of provenance */
    struct str kind;                 /* "triton", "cpp", "extern" */
    struct str heuristic;            /* of Triton: "pointwise", "reduction"; may be empty */
    VEC(struct str) nodes;           /* post-grad graph nodes fused into it */
    VEC(struct str) sizes;           /* "buf1 (8, 16)": the tensors of its first call */
    VEC(struct str) graphs;          /* "0_forward": those whose code calls it, as AOTAutograd names them */
    VEC(struct kernel_place) places; /* the user's lines it came from, each once; of a stack the innermost own one */
    int64_t calls;                   /* in the code that calls the kernels; -1 when the trace does not have it */
    int64_t bytes;                   /* that one call moves, see output_code.h; -1 unknown */
    uint32_t code;                   /* which output code named it last, counted from 1 */
    int64_t compile_us;              /* how long the Triton compiler took for it; -1 unknown */
    struct str autotuned; /* "2 configurations, cache miss", "1 configuration"; empty when the trace does not say */
};

struct gpu_measured;

struct kernels {
    VEC(struct kernel) list; /* in the order in which they are named */
};

void kernels_find(struct arena *a, const struct compile *c, struct kernels *out);

/*
 * Those of all compiles: reading all output codes takes a while, and report.json and the page both ask. Once it is
 * filled any thread may look.
 */
struct kernel_store {
    struct arena *arena;
    struct arena **parts; /* what was found lies in these */
    size_t part_count;
    struct map found;    /* compile -> struct kernels */
    const struct gpu_measured *measured; /* what of them GPUs ran, see gpu.h; NULL before it is asked for */
};

void kernel_store_fill(struct kernel_store *s, const struct run *r, struct pool *pool);
void kernel_store_free(struct kernel_store *s);

/* From the store of v, or, when it has none, found in `a`. */
const struct kernels *view_kernels(const struct view *v, const struct compile *c, struct arena *a);
