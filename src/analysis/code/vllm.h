/*
 * vllm: vLLM's compile calls. It splits a model into subgraphs and compiles each for several ranges of sizes, all
 * under one compile id; its records are between Inductor's and show which piece those belong to. Reads payloads.
 * Results live in the arena given.
 *
 *   vllm_compile_event            {"type": "fresh_compile" | "aot_cache_hit"}            opens a call
 *   vllm_compilation_config       {"model", "mode", …}                                   its settings
 *   vllm_piecewise_split_graph    the whole graph
 *   vllm_piecewise_compile_start  {"piecewise_index", "submod_name", "compile_range_start", …}   opens a piece
 */
#pragma once

#include "analysis/answers/vllm_pieces.h"

/* One subgraph, for one range of sizes or one size. */
struct vllm_piece {
    int64_t index;      /* index of the subgraph */
    struct str name;    /* "submod_0" */
    int64_t begin, end; /* sizes; -1 unknown */
    bool single;        /* begin and end are one size */
    bool cudagraph;     /* captured as a CUDA graph */
    const struct artifact *start, *code, *last;
    size_t artifacts; /* number of artifacts that belong to it */
    bool cache_hit;   /* the FX graph cache hit */
};

struct vllm_setting {
    struct str name, value;
};

struct vllm_call {
    struct str event; /* "fresh_compile"; may be empty */
    VEC(struct vllm_setting) settings;
    const struct artifact *split; /* may be NULL */
    VEC(struct vllm_piece) pieces;
};

struct vllm {
    VEC(struct vllm_call) calls;
};

void vllm_find(struct arena *a, const struct vllm_pieces *pieces, const struct compile *c, struct vllm *out);

/* The time from a piece's first to its last record, in microseconds; -1 unknown. */
int64_t vllm_piece_us(const struct vllm_piece *p);
