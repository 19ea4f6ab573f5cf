/*
 * graph_diff: two graphs as torch.fx prints them, node by node. A node is the same when it calls the same with the same
 * nodes, whatever number its name got: one node more does not change those behind it. One thread.
 */
#pragma once

#include "util/arena.h"
#include "util/str.h"
#include "util/vec.h"

typedef VEC(struct str) graph_lines;

/* What only one of them has, as lines, in their order. Views. */
struct graph_diff {
    graph_lines gone, added;
};

/* False when they are the same. Lines have no comments and no blanks around them. */
bool graph_diff(struct arena *a, const graph_lines *before, const graph_lines *after, struct graph_diff *out);
