/*
 * collective_place: finds the line of the user's code that calls each collective of a graph. A graph gives each node
 * the innermost line of its stack, which for a collective is one of PyTorch's own:
 * torch/distributed/_functional_collectives.py. The user's line must be inferred from the nodes around it. The call is
 * on the line that uses its result, or on the line that makes its input, if that line's code names the collective;
 * else somewhere between the two.
 *
 *   # File: /home/me/train.py:6 in f, code: y = x @ x
 *   mm: "f32[4, 4]" = torch.ops.aten.mm.default(x, x)
 *   # File: /venv/.../torch/distributed/_functional_collectives.py:209 in all_gather_tensor, code: tensor = ...
 *   gather: "f32[8, 4]" = torch.ops._c10d_functional.all_gather_into_tensor.default(mm, 2, '0');  mm = None
 *   wait: "f32[8, 4]" = torch.ops._c10d_functional.wait_tensor.default(gather);  gather = None
 *   # File: /home/me/train.py:8 in f, code: return y + fc.all_gather_tensor(y, 0, group)
 *   add: "f32[8, 4]" = torch.ops.aten.add.Tensor(y, wait)
 *
 * Any thread.
 */
#pragma once

#include "model/model.h"
#include "util/map.h"

struct collective_place {
    struct str file;         /* a view of the text; empty if unknown */
    int64_t line, from_line; /* as in struct collective_call */
};

struct collective_places {
    VEC(struct collective_place) list; /* one for each call of collective_next, including waits */
};

/* Linear in the text. */
void collective_places_find(struct arena *a, struct str text, struct collective_places *out);

/*
 * "between lines 6 and 8", "at or after line 6", "at or before line 8"; "" if the call's line is known, or its file is
 * not.
 */
struct str collective_place_words(struct arena *a, const struct collective_call *c);

/* Whether a line of code names the collective or the PyTorch function that calls it: "fc.all_reduce(x, ...)". */
bool collective_is_named(struct str code, struct str op);
