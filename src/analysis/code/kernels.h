/*
 * kernels: the kernels that Inductor generated, from the provenance maps of a compile in any of their forms, and from
 * the definitions, calls and comments in its output code (AOTInductor: its kernel code). Reads payloads. Results live
 * in the arena given.
 *
 *   inductor_provenance_tracking_node_mappings        cppCodeToPost / pyCodeToPost: {"kernel:1": [nodes]}, since 2.8
 *   inductor_provenance_tracking_kernel_stack_traces  {"kernel:1": [stack listings]}
 *   triton_kernel_info                              {"kernel": {"compile_time_us", "num_configs", …}}
 *   inductor_triton_kernel_to_post_grad_nodes, inductor_generated_kernel_to_post_grad_nodes                 before
 */
#pragma once

#include "model/model.h"
#include "util/map.h"
#include "util/system/pool.h"

/* A line of the user's code. */
struct kernel_place {
    struct str file;
    int64_t line;
};

struct kernel {
    const struct compile *compile;
    const struct artifact *artifact; /* the output code or map that names it */
    struct str name;                 /* without the ":1" of provenance */
    struct str kind;                 /* "triton", "cpp", "extern" */
    struct str heuristic;            /* for Triton: "pointwise", "reduction"; may be empty */
    VEC(struct str) nodes;           /* post-grad graph nodes fused into it */
    VEC(struct str) sizes;           /* "buf1 (8, 16)": tensors of its first call */
    VEC(struct str) graphs;          /* "0_forward": the AOTAutograd names of the graphs whose code calls it */
    /* the user's lines it came from, each once; for a stack, the user's innermost line */
    VEC(struct kernel_place) places;
    int64_t calls;        /* number of calls in the code; -1 if the trace does not have the code */
    int64_t bytes;        /* bytes that one call moves, see output_code.h; -1 unknown */
    uint32_t code;        /* the number of the output code that named it last, from 1 */
    int64_t compile_us;   /* time that the Triton compiler took for it; -1 unknown */
    struct str autotuned; /* "2 configurations, cache miss", "1 configuration"; empty if the trace does not say */
};

struct gpu_measured;

struct kernels {
    VEC(struct kernel) list; /* in the order of their first mention */
};

void kernels_find(struct arena *a, const struct compile *c, struct kernels *out);

/*
 * The kernels of all compiles: reading all output codes takes a while, and both report.json and the page need them.
 * Once it is filled, any thread may read it.
 */
struct kernel_store {
    struct arena *arena; /* NULL before kernel_store_begin */
    VEC(const struct compile *) compiles;
    struct kernels **kernels;    /* of each of the compiles */
    struct arena **parts;        /* the arenas of the results */
    size_t part_count;
    struct pool_parts *filling;  /* what the other threads are doing; NULL if they do nothing */
    struct map found;            /* compile -> struct kernels */
    const struct gpu_measured *measured; /* which of them GPUs ran, see gpu_kernels.h; NULL until it is requested */
};

/*
 * Has the other threads of the pool begin to fill the store, a zeroed one, while the caller does something else.
 * Without other threads nothing happens yet: all commands then read payloads in the same order, which is the order in
 * which redaction numbers its placeholders.
 */
void kernel_store_begin(struct kernel_store *s, const struct run *r, struct pool *pool);
/* Fills it, or waits until that is done. The same pool. */
void kernel_store_fill(struct kernel_store *s, const struct run *r, struct pool *pool);
/* At any time; waits first for what the other threads are doing. */
void kernel_store_free(struct kernel_store *s, struct pool *pool);

/* From the store or, without one (NULL), found now, in `a`. */
const struct kernels *kernels_of(const struct kernel_store *s, const struct compile *c, struct arena *a);
