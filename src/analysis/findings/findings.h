/*
 * findings: everything that is found in a run, ordered by severity and cost. To add one, add a row in
 * analysis/find/finding_table.c and the code that makes it: a function find_* of this folder, or one more case in the
 * function of its family. Results live in the arena given.
 */
#pragma once

#include "analysis/find/find.h"

/* `answers` holds the results of the other analyses. */
void findings_find(struct arena *a, const struct run *r, const struct answers *answers, struct findings *out);
