/*
 * callee: the compiled function as its author calls it. Decorators wrap the intended function in one of their own,
 * often named `wrapper`, which passes on its *args and **kwargs. The guards of a compile show this: the wrapped
 * function is a variable of the wrapper, after its parameters. No lists of libraries are needed.
 */
#pragma once

#include "analysis/find/guard_facts.h"

/* The frame's *args and **kwargs are arguments that the caller wrote: it is a wrapper, or library code. */
bool callee_passes_on(const struct frame *fr, const struct guard_facts *facts);

/* The source of the wrapped function, "L['func']"; empty if the frame is no such wrapper, or before PyTorch 2.7. */
struct str callee_wrapped(const struct guard_facts *facts);

/*
 * The module or other object whose method it is, and which the caller does not write: "L['self']"; empty if there is
 * none.
 */
struct str callee_owner(const struct guard_facts *facts);

/*
 * The callee in words: "`UNet2DModel.forward`", "`forward`"; for a wrapper of PyTorch's own, the wrapped object:
 * "`Sequential`", "A method of `Lion`". In the finder's arena.
 */
struct str callee_words(struct finder *f, const struct compile *c);
