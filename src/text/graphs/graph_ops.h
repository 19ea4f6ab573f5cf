/*
 * graph_ops: the operators of a graph, as PyTorch prints it. Two graphs with the same operators in the same order are
 * alike, whatever their values are called and however large their tensors are.
 *
 *   # File: /x/model.py:21 in forward, code: x = self.lin(x)
 *   linear_1: "f32[8, 16][16, 1]cpu" = torch._C._nn.linear(relu, l_weight_, l_bias_);  relu = None
 *
 * Results are named after variables of the program where they have one (`x = torch.sin(x)` gives x, x_1, ...), so an
 * operator is what is called: "torch._C._nn.linear", ".view" of `x.view(2)`, "+" of `x + 1`, "[" of `x[0]`. Views point
 * into the text. Any thread.
 */
#pragma once

#include "util/str.h"

struct graph_op {
    struct str name;
    struct str call;  /* right of the "=" */
    struct str place; /* the comment before it, as fx_place_parse takes it; may be empty */
};

/* Walks the lines: takes the next operator off *rest; *place is kept between the calls. False at the end. */
bool graph_op_next(struct str *rest, struct str *place, struct graph_op *out);

struct graph_shape {
    uint64_t hash; /* of the names, in order */
    uint64_t ops;
};

struct graph_shape graph_shape_of(struct str graph);
