/*
 * execution: the order in which ranks ran their compiled graphs, where traces record it (the artifact graph_execution,
 * of torch._inductor.debug.record_and_log_graph_execution_order). Results live in the arena given; read-only on the
 * model.
 */
#pragma once

#include "ranks/fingerprint.h"

/* NULL when all whose order is recorded ran the same, one after the other. */
const struct execution *execution_find(struct arena *a, struct fingerprinter *f, const struct rank_matrix *matrix);
