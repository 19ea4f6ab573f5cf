/*
 * break_finding: what the finding of a cause of graph breaks says: where the break is in its function, and what to do,
 * which depends on whose line it is. Private to find_breaks.c.
 */
#pragma once

#include "analysis/breaks/break_title.h"

/* The detail, the fix and the text to paste of a finding that has its title. */
void break_finding_say(struct finder *f, struct finding *x, const struct break_cause *cause);
