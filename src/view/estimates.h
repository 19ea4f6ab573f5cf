/*
 * estimates: how long Inductor expects each operator of the graphs of one compile to run, as PyTorch writes it with
 * LOG_TLPARSE=1. Reads payloads.
 */
#pragma once

#include "view/view.h"

struct view_estimate {
    struct str name, type;
    int64_t ns;
};

/* One graph. */
struct view_estimates {
    const struct artifact *artifact;
    VEC(struct view_estimate) ops; /* in the order of the graph, the first ESTIMATED_OPS_MAX */
    uint64_t count;                /* of all */
    int64_t ns;                    /* of all */
};

enum { ESTIMATED_OPS_MAX = 500, ESTIMATED_GRAPHS_MAX = 200 };

struct view_estimate_list {
    VEC(struct view_estimates) graphs;
};

/* Strings live in the arena. */
void estimates_of_compile(struct arena *a, const struct compile *c, struct view_estimate_list *out);

/* Sums end here. */
#define ESTIMATE_NS_MAX (1ll << 60)
