/*
 * guard_expression: reads failed checks that are a comparison: `n == 7`, `x is None`, `2 <= x.size()[0]`. Any thread.
 */
#pragma once

#include "text/guards/guard_class.h"

/* Reads out->guard; out->hint is set. Fills what guard_message_read fills; an unknown check is GUARD_OTHER. */
void guard_expression_read(struct arena *a, struct guard_reason *out);
