/*
 * break_fix: the description of a graph break and the advice against it, by its kind (break_kind.h) and by what the
 * program's line calls (break_site.h). To add one, add a row in break_fix.c. Results are static, of the trace or in
 * the arena. Any thread.
 */
#pragma once

#include "analysis/breaks/break_advice.h"

void break_fix_find(struct arena *a, const struct break_words *w, struct break_fix *out);

/* Treats the break as another kind, which only other breaks of the function reveal. The title stays. */
void break_fix_as(struct arena *a, enum break_kind kind, struct break_fix *out);
