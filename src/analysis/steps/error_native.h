/*
 * error_native: a process that ended in native code, not in Python and not on a GPU: a shell, a debugger or Python's
 * faulthandler says how. Any thread.
 */
#pragma once

#include "analysis/answers/errors.h"
#include "analysis/known_errors/error_step_list.h"

bool error_native_is(const struct error *e);

/* How to find out whose code it is. Nothing for other errors, and where the answer to the message says more. */
void error_native_add_steps(struct arena *a, const struct error *e, struct error_steps *out);
