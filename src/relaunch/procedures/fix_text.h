/* fix_text: texts about advice that was tried. Private to fix.c. One thread. */
#pragma once

#include "relaunch/trial/rerun.h"

/* A fix in words: "`y = f(x)` before train.py:31". */
struct str fix_words(struct arena *a, const struct fix *f);

/* The chosen fixes: lines with their places, and variables to put before the command. Empty if none is chosen. */
struct str fix_patch(struct rerun *r);

/* All of it as Markdown. */
void fix_markdown(struct rerun *r, struct buf *out);
