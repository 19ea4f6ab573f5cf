/*
 * caller_expression: what the line that called a compiled function passes to it. A text to paste before that line must
 * use the caller's names: those of the function's parameters do not exist there.
 */
#pragma once

#include "analysis/find/guard_facts.h"

/*
 * What the caller passes for an input of the function, L['x'] or what it leads to: "batch[\"ids\"]" for L['ids']. A
 * place, so that it may stand in a statement before the call. Empty when the line leaves it open.
 */
struct str caller_expression(struct arena *a, const struct compile *c, const struct guard_facts *facts,
                             struct str source);

/* "optimizer" of optimizer.step(): what the method that the line calls belongs to. Empty when it is not the only call.
 */
struct str caller_receiver(const struct call *line, struct str method);
