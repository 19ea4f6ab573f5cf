/*
 * collective_text: reads the collectives of a graph that torch.fx printed, or of code that Inductor wrote, in their
 * order; and the schedule that Inductor logs (torch/_inductor/debug.py, _dump_collective_schedule).
 *
 *   all_reduce: "f32[2, 8][8, 1]cpu" = torch.ops._c10d_functional.all_reduce.default(arg0_1, 'sum', '0');  arg0_1 =
 * None torch.ops._c10d_functional.all_reduce_.default(buf0, 'sum', '0')
 *   torch.ops._c10d_functional.wait_tensor.default(buf0)
 *
 * Views point into the text. Any thread.
 */
#pragma once

#include "model/model.h"

static inline bool collective_is_wait(const struct collective_call *c)
{
    return str_eq(c->op, STR("wait_tensor"));
}

/*
 * Takes the next collective of a graph or of code off the text; false at the end. It does not find the line of the
 * user's code, see collective_place.h. Linear over all calls.
 */
bool collective_next(struct str *text, struct collective_call *out);

/* "all_reduce" for "torch.ops._c10d_functional.all_reduce_.default"; empty if it is not a collective. */
struct str collective_op(struct str name);
