/*
 * fx_graph: graphs as torch.fx prints them, one node a line, with comments that say which line of the user's code the
 * nodes below them came from:
 *
 *     # File: /a/b.py:8 in forward, code: h = torch.relu(x)
 *     relu: "f32[8, 16][16, 1]cpu" = torch.ops.aten.relu.default(addmm);  addmm = None
 *
 * Any thread.
 */
#pragma once

#include "util/str.h"
#include "util/vec.h"

struct fx_node {
    struct str name;
    struct str file; /* empty when the graph does not say */
    int64_t line;
};

struct fx_graph {
    VEC(struct fx_node) nodes;
};

/* Linear. Strings are copied into the arena, each file's name once in a row of nodes. */
void fx_graph_parse(struct arena *a, struct str text, struct fx_graph *out);

/* "/a/b.py:8 in forward, code: …" behind "# File: "; false for anything else. Views of comment. */
bool fx_place_parse(struct str comment, struct str *file, int64_t *line);

/* The name that a line gives a value: `relu: "f32[8]" = …` or `var_mean = …`; empty when it gives none. */
struct str fx_name_of(struct str line);
