/*
 * graph_diff: compares two graphs printed by torch.fx node by node. Two nodes are equal if they call the same with
 * equal nodes, whatever numbers their names have, so an additional node does not change those after it. One thread.
 */
#pragma once

#include "util/arena.h"
#include "util/str.h"
#include "util/vec.h"

typedef VEC(struct str) graph_lines;

/* Lines that only one of them has, in order. Views. */
struct graph_diff {
    graph_lines gone, added;
};

/* False if they are equal. Lines must have no comments and no surrounding blanks. */
bool graph_diff(struct arena *a, const graph_lines *before, const graph_lines *after, struct graph_diff *out);
