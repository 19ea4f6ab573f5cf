/*
 * diff: what differs between two runs: two runs of one program, before and after a change, with two versions of
 * PyTorch, or two ranks. Functions are matched by file and name, their compiles in their order, graph breaks by what
 * they are and the code around them, nodes of graphs by what they call: never by numbers, which move. The result is a
 * JSON document, so that every output says the same. One thread.
 */
#pragma once

#include "gate/snapshot.h"

/*
 * {"verdict": [sentence], "same": bool, "environment": […], "settings": […], "graph_breaks": {"new", "gone", "moved"},
 * "recompiles": […], "errors": {"new", "gone"}, "functions": […], "graphs": […], "caches": […], "phases": […],
 * "findings": {"new", "gone"}}; texts of the runs as they are. The caller's reference.
 */
json_t *diff_make(struct arena *a, const struct diff_side *before, const struct diff_side *after);
