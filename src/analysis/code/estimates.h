/*
 * estimates: Inductor's estimates of how long each operator in the graphs of one compile runs, which PyTorch writes
 * with LOG_TLPARSE=1. Reads payloads.
 */
#pragma once

#include "model/model.h"

struct op_estimate {
    struct str name, type;
    int64_t ns;
};

/* One graph. */
struct op_estimates {
    const struct artifact *artifact;
    VEC(struct op_estimate) ops; /* in the order of the graph; the first ESTIMATED_OPS_MAX */
    uint64_t count;                /* the number of all operators */
    int64_t ns;                    /* the sum over all operators */
};

enum { ESTIMATED_OPS_MAX = 500, ESTIMATED_GRAPHS_MAX = 200 };

struct op_estimate_list {
    VEC(struct op_estimates) graphs;
};

/* Strings live in the arena. */
void estimates_of_compile(struct arena *a, const struct compile *c, struct op_estimate_list *out);

/* Sums are capped at this value. */
#define ESTIMATE_NS_MAX (1ll << 60)
