/*
 * execution: the order in which ranks ran their compiled graphs, if the traces recorded it (the artifact
 * graph_execution, of torch._inductor.debug.record_and_log_graph_execution_order). Results live in the arena given;
 * the model is only read.
 */
#pragma once

#include "ranks/calls/collectives.h"

/* The graphs that ran, one after another. Ranks with equal orders share one. */
struct graph_order {
    VEC(const struct rank_row *) rows; /* NULL: a graph without a compile id, for example from a cache */
};

/* Sets `ran` of each member. */
void graph_orders_read(struct arena *a, struct contents *contents, struct rank_matrix *matrix);

/* NULL if all ranks that recorded an order have the same one. Call graph_orders_read first. */
const struct execution *execution_find(struct arena *a, const struct rank_matrix *matrix);

/*
 * The collectives of one rank for each column, at most COLUMNS_WALKED. The others are compared with the first column.
 */
struct column_steps {
    VEC(struct rank_steps) list;
    bool ran; /* in the order in which graphs ran; otherwise in the order of compiling */
};

enum { COLUMNS_WALKED = 64 };

void column_steps_walk(struct arena *a, struct contents *contents, const struct rank_run *run,
                       struct column_steps *out);
