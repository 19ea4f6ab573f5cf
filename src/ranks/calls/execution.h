/*
 * execution: the order in which ranks ran their compiled graphs, where traces record it (the artifact graph_execution,
 * of torch._inductor.debug.record_and_log_graph_execution_order). Results live in the arena given; read-only on the
 * model.
 */
#pragma once

#include "ranks/calls/collectives.h"

/* Graphs that ran, one after the other. Ranks that ran the same share one. */
struct graph_order {
    VEC(const struct rank_row *) rows; /* NULL: a graph without a compile id, as those from a cache are */
};

/* Sets `ran` of each member. */
void graph_orders_read(struct arena *a, struct contents *contents, struct rank_matrix *matrix);

/* NULL when all whose order is recorded ran the same, one after the other. Needs graph_orders_read. */
const struct execution *execution_find(struct arena *a, const struct rank_matrix *matrix);

/* The collectives of one rank of each column, at most COLUMNS_WALKED: the first column, with which others are compared.
 */
struct column_steps {
    VEC(struct rank_steps) list;
    bool ran; /* in the order in which graphs ran; else in the order of compiling */
};

enum { COLUMNS_WALKED = 64 };

void column_steps_walk(struct arena *a, struct contents *contents, const struct rank_run *run,
                       struct column_steps *out);
