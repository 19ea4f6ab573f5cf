/*
 * error_outside: errors whose stack has no line of compiled code, and which may be of it all the same: out of the
 * backward, which runs below a C++ engine; a check of the program's own; PyTorch's reader of exported programs; what
 * PyTorch refuses, and checks of its own that fail. Any thread.
 */
#pragma once

#include "analysis/answers/errors.h"
#include "analysis/known_errors/error_step_list.h"

/* What stands before the message in a title; empty for any other error. */
struct str error_outside_title(const struct error *e);

/* Says whose error it is, and what to do; false for any other error. */
bool error_outside_say(struct arena *a, const struct error *e, struct error_steps *out);

/*
 * The same of what fails where PyTorch runs a program on tensors without data, records its calls or exports it, and no
 * rule knows which part of it fails.
 */
bool error_outside_say_tracing(struct arena *a, const struct error *e, struct error_steps *out);
