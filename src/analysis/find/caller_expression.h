/*
 * caller_expression: the expressions that the line calling a compiled function passes to it. A text to paste before
 * that line must use the caller's names: the names of the function's parameters do not exist there.
 */
#pragma once

#include "analysis/find/guard_facts.h"

/*
 * The caller's expression for an input of the function, L['x'] or something reached from it: "batch[\"ids\"]" for
 * L['ids']. It is an lvalue, so it can be used in a statement before the call. Empty if the line does not determine
 * it.
 */
struct str caller_expression(struct arena *a, const struct compile *c, const struct guard_facts *facts,
                             struct str source);

/* "optimizer" of optimizer.step(): the object whose method the line calls. Empty if the line has other calls. */
struct str caller_receiver(const struct call *line, struct str method);
