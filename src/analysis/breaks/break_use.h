/*
 * break_use: what the program does with a value that it reads from a tensor, or with a tensor whose size depends on
 * data. If Python needs the number itself later (for a branch, a loop, an index, a function that takes no symbol),
 * capturing it only moves the break to that line. Read-only on the model; results live in the finder's arena.
 */
#pragma once

#include "analysis/breaks/break_advice.h"
#include "analysis/find/find.h"

/* Changes the advice for such a value: no setting if the trace shows that it cannot help, a pattern if it may help. */
void break_use_apply(struct finder *f, const struct break_place *p, struct break_fix *out);
