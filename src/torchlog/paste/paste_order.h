/*
 * paste_order: lines as viewers of logs show them: the newest first, and with the ends of lines written out. Private
 * to paste.c. Any thread.
 */
#pragma once

#include "torchlog/paste/paste_lines.h"

/* Each makes a text of another, in the arena; false when it sees nothing to do. */
bool paste_unreverse(struct arena *a, const struct paste_text *from, struct paste_text *out);
/* "text\n", where each line has its own end. */
bool paste_unend(struct arena *a, const struct paste_text *from, struct paste_text *out);
