/*
 * subclass: operators on tensor subclasses that fail on fake tensors: which class it is, and what to do, by the class
 * and the operator. To add a class, add a row of `classes`. Any thread.
 */
#pragma once

#include "util/arena.h"

/*
 * "DTensor" of "fake tensors: call_function f(*(DTensor(local_tensor=..." and "NestedTensor" of "(NestedTensor(size=(":
 * the first class among the arguments that is not PyTorch's plain or fake tensor, nor a wrapper of torch.func if there
 * is another. Empty if there is none.
 */
struct str subclass_of_call(struct str message);

/* What to do where the message has one; `source` is the program's line, maybe an optimizer's step. In the arena. */
struct str subclass_step(struct arena *a, struct str message, struct str operator_, struct str source);
