/*
 * caller: the line of the user's program that called a compiled function.
 */
#pragma once

#include "model/model.h"

/*
 * The innermost call in the user's own program outside of the compiled frame; if there is none, in any package other
 * than PyTorch. NULL if the trace has neither.
 */
const struct call *caller_of(const struct compile *c);

/* The innermost call outside of the frame, in any code. NULL if the trace has none. */
const struct call *caller_direct(const struct compile *c);

/* The frame is PyTorch's own wrapper around the compiled function: its name and parameters mean nothing to a user. */
bool caller_is_wrapper(const struct frame *fr);

/* torch.nn.Module.__call__ called it, so it is the forward of a module, even if a decorator renamed it. */
bool caller_is_module_call(const struct compile *c);
