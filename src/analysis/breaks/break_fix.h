/*
 * break_fix: what is said of a graph break and what helps, by its kind (break_kind.h) and by what the program's line
 * calls (break_site.h). Adding one: a row in break_fix.c. What is handed out is static, of the trace or in the arena.
 * Any thread.
 */
#pragma once

#include "analysis/breaks/break_advice.h"

void break_fix_find(struct arena *a, const struct break_words *w, struct break_fix *out);

/* The same break as another kind: one that only other breaks of the function reveal. The title stays. */
void break_fix_as(struct arena *a, enum break_kind kind, struct break_fix *out);
