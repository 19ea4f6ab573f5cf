/* fix_plan: decides which advice can be tried, and why the rest cannot. Private to fix.c. One thread. */
#pragma once

#include "relaunch/trial/rerun.h"

/*
 * Adds a row to r->experiment->fixes for each finding of the base with advice: FIX_NOT_TRIED, with a reason if it
 * cannot be tried.
 */
void fix_plan(struct rerun *r);

/* Whether a trial could show its effect. */
bool fix_can_be_tried(const struct fix *f);

/* Its effect only shows from the second launch on, with the caches of the first. */
bool fix_is_of_caches(const struct fix *f);

/* Both change the program in the same way. */
bool fix_is_same(const struct fix *x, const struct fix *y);
