/*
 * caller: the line of the user's program that called a compiled function, and the expressions that it passes. A text
 * to paste before that line must use the caller's names: those of the function's parameters do not exist there.
 */
#pragma once

#include "analysis/find/guard_facts.h"

/*
 * The innermost call of the user's own program outside of the frame that is compiled; where there is none, of another
 * package than PyTorch. NULL when the trace has neither.
 */
const struct call *caller_of(const struct compile *c);

/*
 * What the caller passes for an input of the function, L['x'] or what it leads to: "batch[\"ids\"]" for L['ids']. A
 * place, so that it may stand in a statement before the call. Empty when the line does not tell for sure.
 */
struct str caller_expression(struct arena *a, const struct compile *c, const struct guard_facts *facts,
                             struct str source);

/* "optimizer" of optimizer.step(): what the method that the line calls belongs to. Empty when it is not the only call.
 */
struct str caller_receiver(const struct call *line, struct str method);

/* The frame is a wrapper of PyTorch's around what was compiled: its name and its parameters mean nothing to a user. */
bool caller_is_wrapper(const struct frame *fr);

/* torch.nn.Module.__call__ called it, so that it is a module's forward, whatever a decorator named it. */
bool caller_is_module_call(const struct compile *c);
