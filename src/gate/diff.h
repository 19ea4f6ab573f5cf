/*
 * diff: the differences between two runs: of one program before and after a change, with two versions of PyTorch, or
 * of two ranks. Functions are matched by file and name, their compiles by order, graph breaks by their type and the
 * code around them, and nodes of graphs by what they call; never by numbers, which shift. The result is a JSON
 * document, so that all outputs say the same. One thread.
 */
#pragma once

#include "gate/snapshot.h"

/*
 * {"verdict": [sentence], "same": bool, "environment": […], "settings": […], "graph_breaks": {"new", "gone", "moved"},
 * "recompiles": […], "errors": {"new", "gone"}, "functions": […], "graphs": […], "caches": […], "phases": […],
 * "findings": {"new", "gone"}}; texts of the runs are unchanged. The caller owns the reference.
 */
json_t *diff_make(struct arena *a, const struct diff_side *before, const struct diff_side *after);
