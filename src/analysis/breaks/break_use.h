/*
 * break_use: what the program does with a value that it reads from a tensor. Where Python needs the number itself later
 * (a branch, a loop, an index), capturing the value as a symbol only moves the break to that line. Read-only on the
 * model; results live in the finder's arena.
 */
#pragma once

#include "analysis/breaks/break_advice.h"
#include "analysis/find/find.h"

/* Changes the advice for a value that is read, where the trace shows that its setting cannot help. */
void break_use_apply(struct finder *f, const struct break_place *p, struct break_fix *out);
