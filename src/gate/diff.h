/*
 * diff: what differs between two runs: two runs of one program, before and after a change, with two versions of
 * PyTorch, or two ranks. Functions are matched by file and name, their compiles in their order, graph breaks by what
 * they are and the code around them, nodes of graphs by what they call: never by numbers, which move. The result is a
 * JSON document, so that every output says the same. One thread.
 */
#pragma once

#include "gate/snapshot.h"
#include "model/model.h"

/* One of the two runs. */
struct diff_side {
    struct str name; /* as it was given */
    const struct snapshot *facts;
    const struct run *run; /* for the texts of graphs; NULL when only a report.json is there */
};

/*
 * {"verdict": [sentence], "same": bool, "environment": […], "settings": […], "graph_breaks": {"new", "gone", "moved"},
 * "recompiles": […], "errors": {"new", "gone"}, "functions": […], "graphs": […], "caches": […], "phases": […],
 * "findings": {"new", "gone"}}; texts of the runs as they are. The caller's reference.
 */
json_t *diff_make(struct arena *a, const struct diff_side *before, const struct diff_side *after);
