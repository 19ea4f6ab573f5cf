/*
 * fix_plan: which advice can be tried, and which cannot, with the reason. Private to fix.c. One thread.
 */
#pragma once

#include "relaunch/trial/rerun.h"

/* A row of r->experiment->fixes for each finding of the base that has advice: FIX_NOT_TRIED, with a reason where it
 * cannot be tried. */
void fix_plan(struct rerun *r);

/* Whether a trial could show something about it. */
bool fix_can_be_tried(const struct fix *f);

/* What it changes shows from the second launch on, with the caches of the first. */
bool fix_is_of_caches(const struct fix *f);

/* Both put the same into the program. */
bool fix_is_same(const struct fix *x, const struct fix *y);
