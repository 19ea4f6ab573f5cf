/*
 * fix_text: advice that was tried, as texts for people. Private to fix.c. One thread.
 */
#pragma once

#include "relaunch/trial/rerun.h"

/* What a trial is called: "`y = f(x)` before train.py:31". */
struct str fix_words(struct arena *a, const struct fix *f);

/* Lines with their places, and the environment's before the command: of the chosen fixes. Empty when none is. */
struct str fix_patch(struct rerun *r);

/* The whole as Markdown. */
void fix_markdown(struct rerun *r, struct buf *out);
