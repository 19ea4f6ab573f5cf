/*
 * guard_call: reads failed checks that are a call: `___check_type_id(n, 1402), type=<class 'int'>`, `len(xs) == 2`,
 * `not hasattr(o, 'z')`, `___check_global_state()`. Source: torch/_dynamo/guards.py (GuardBuilder). Any thread.
 */
#pragma once

#include "text/guards/guard_class.h"

/* Reads out->guard; out->hint is set. Fills what guard_message_read fills; false if it is no such check. */
bool guard_call_read(struct arena *a, struct guard_reason *out);
