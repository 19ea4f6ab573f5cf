/*
 * rank_runtime: what traces tell of running compiled code on several ranks: how long Inductor thinks that each graph
 * takes (inductor_runtime_and_tensor_meta, with LOG_TLPARSE=1), and in which order graphs ran (graph_execution, of
 * torch._inductor.debug.record_and_log_graph_execution_order). Results live in the arena given; read-only on the model.
 */
#pragma once

#include "analysis/rank_align.h"

/* One graph of one compile: the sum over its operations, on the ranks that tell it. */
struct estimate {
    const struct compile *compile; /* of the slowest rank */
    uint32_t graph;                /* from 0: of several of a compile, in the order of compiling */
    uint32_t ranks;
    int fastest, slowest; /* of equal ones the lowest rank */
    int64_t fastest_ns, slowest_ns, median_ns;
    int64_t spread_ns; /* median distance from the median: differences of that size say nothing */
};

struct estimates {
    VEC(struct estimate) list; /* largest difference between slowest and fastest first */
};

void estimates_find(struct arena *a, struct signer *s, const struct rank_set *set, struct estimates *out);

/* Ranks that ran the same at that place. */
struct execution_side {
    VEC(int) ranks;                /* ascending */
    const struct compile *compile; /* NULL: nothing more, or what has no compile id */
    bool ended;
    uint64_t length; /* how many graphs they ran */
};

/* The first place at which ranks ran different graphs. */
struct execution {
    uint64_t at;                      /* graphs that all ran before */
    VEC(struct execution_side) sides; /* largest first */
};

/* NULL when all that tell ran the same, one after the other. */
const struct execution *execution_find(struct arena *a, struct signer *s, const struct rank_set *set);
