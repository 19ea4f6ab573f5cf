/*
 * graphs: groups the artifacts of a compile by graph. One compile can pass several graphs to Inductor: forward and
 * backward, the buckets of DDP, the pieces of vLLM, the regions of regional compilation. Each has the graph it began
 * as, the graph that was lowered, the code that was generated, and maps between them. Reads the beginnings of output
 * codes. Results live in the arena given.
 */
#pragma once

#include "model/model.h"

struct graph {
    const struct artifact *before; /* as Dynamo captured it, before the pre-grad passes; all may be NULL */
    const struct artifact *after;  /* after the post-grad passes */
    const struct artifact *code;
    VEC(const struct artifact *) maps; /* maps of nodes and kernels, in JSON */
    struct str aot_id;   /* "0_forward"; may be empty */
    struct str subgraph; /* may be empty */
    bool backward;
};

struct graphs {
    VEC(struct graph) list;
};

void graphs_find(struct arena *a, const struct compile *c, struct graphs *out);

/* "Forward graph", "Backward graph 3", "Graph". */
struct str graph_title(struct arena *a, const struct graph *g);
