/*
 * caller: the line of the user's program that called a compiled function.
 */
#pragma once

#include "model/model.h"

/*
 * The innermost call of the user's own program outside of the frame that is compiled; where there is none, of another
 * package than PyTorch. NULL when the trace has neither.
 */
const struct call *caller_of(const struct compile *c);

/* The innermost call outside of the frame, whosever code it is in. NULL when the trace has none. */
const struct call *caller_direct(const struct compile *c);

/* The frame is a wrapper of PyTorch's around what was compiled: its name and its parameters mean nothing to a user. */
bool caller_is_wrapper(const struct frame *fr);

/* torch.nn.Module.__call__ called it, so that it is a module's forward, whatever a decorator named it. */
bool caller_is_module_call(const struct compile *c);
