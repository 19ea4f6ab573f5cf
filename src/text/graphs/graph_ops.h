/*
 * graph_ops: reads the operators of a graph that PyTorch printed. Two graphs with the same operators in the same order
 * are alike, regardless of names and tensor sizes.
 *
 *   # File: /x/model.py:21 in forward, code: x = self.lin(x)
 *   linear_1: "f32[8, 16][16, 1]cpu" = torch._C._nn.linear(relu, l_weight_, l_bias_);  relu = None
 *
 * Results are named after the program's variables (`x = torch.sin(x)` gives x, x_1, ...), so an operator is identified
 * by what it calls: "torch._C._nn.linear", ".view" of `x.view(2)`, "+" of `x + 1`, "[" of `x[0]`. Views point into the
 * text. Any thread.
 */
#pragma once

#include "util/str.h"

struct graph_op {
    struct str name;
    struct str call;  /* the right side of "=" */
    struct str place; /* the comment before it, as fx_place_parse expects it; may be empty */
};

/* Walks the lines: takes the next operator off *rest; *place must be kept between calls. False at the end. */
bool graph_op_next(struct str *rest, struct str *place, struct graph_op *out);

struct graph_shape {
    uint64_t hash; /* of the operators' names, in order */
    uint64_t ops;
};

struct graph_shape graph_shape_of(struct str graph);
