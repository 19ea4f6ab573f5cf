/*
 * callee: what is compiled, as its author calls it. Decorators put a function of their own, often called `wrapper`,
 * around the one that was meant, and hand on what they get as *args and **kwargs. The guards of a compile show this:
 * the wrapped function is a variable of the wrapper behind its parameters. Lists of libraries are not needed.
 */
#pragma once

#include "analysis/find/guard_facts.h"

/* What the frame gets as *args and **kwargs are arguments that the caller wrote: a wrapper, or code of a library. */
bool callee_passes_on(const struct frame *fr, const struct guard_facts *facts);

/* The source of the wrapped function, "L['func']"; empty when the frame is no such wrapper, or before PyTorch 2.7. */
struct str callee_wrapped(const struct guard_facts *facts);

/* A module or another object whose method it is, and which the caller does not write: "L['self']"; empty for none. */
struct str callee_owner(const struct guard_facts *facts);

/*
 * In words: "`UNet2DModel.forward`", "`forward`"; of a wrapper of PyTorch's, what it wraps: "`Sequential`", "A
 * method of `Lion`". In the finder's arena.
 */
struct str callee_words(struct finder *f, const struct compile *c);
