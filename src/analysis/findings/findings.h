/*
 * findings: all that is found in a run, in the order of harm. Adding one: a row in analysis/find/finding_table.c, and
 * what makes it: a function find_* of this folder, or one more case of its family's. Results live in the arena given.
 */
#pragma once

#include "analysis/find/find.h"

/* `answers` holds the results of the other analyses. */
void findings_find(struct arena *a, const struct run *r, const struct answers *answers, struct findings *out);
