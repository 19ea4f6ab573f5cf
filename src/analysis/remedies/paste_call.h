/*
 * paste_call: where a text to paste goes that must run before the call of the compiled function, and how the caller
 * writes its inputs. Private to recompile_paste and recompile_paste_sizes. Any thread.
 */
#pragma once

#include "analysis/recompiles/recompile_cause.h"

/* The first compile of the function: the pasted text must run before it. */
const struct compile *paste_first_compile(const struct recompile_cause *cause);

/* The line that calls it, if a statement can be put before that line; else NULL. */
const struct call *paste_line(const struct compile *c);

/* The input in the caller's words; empty if it has none. */
struct str paste_expression(struct finder *f, const struct compile *c, struct str source);

void paste_before(struct finding *x, struct str text, const struct call *line);
void paste_pattern(struct finding *x, struct str text, const char *where);
