/*
 * fx_graph: reads graphs as torch.fx prints them, one node per line, with comments that name the line of the user's
 * code for the nodes below them:
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
    struct str file; /* empty if the graph does not say */
    int64_t line;
};

struct fx_graph {
    VEC(struct fx_node) nodes;
};

/* Linear. Strings are copied into the arena; a file's name is copied once for consecutive nodes. */
void fx_graph_parse(struct arena *a, struct str text, struct fx_graph *out);

/* Where a node was traced. Versions before 2.1 have neither function nor code in it, which then are empty. */
struct fx_place {
    struct str file, function, code;
    int64_t line;
};

/* Parses "# File: /a/b.py:8 in forward, code: y = x + 1"; false for anything else. Views of comment. */
bool fx_place_parse(struct str comment, struct fx_place *out);

/* The name that a line gives to a value: `relu: "f32[8]" = …` or `var_mean = …`; empty if it gives none. */
struct str fx_name_of(struct str line);
