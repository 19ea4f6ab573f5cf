/*
 * paste_escapes: repairs of lines whose ends are written as "\n", in logs of JSON and in a repr(), or were lost.
 * Private to paste.c. Any thread.
 */
#pragma once

#include "torchlog/paste/paste_lines.h"

/* Each makes a text of another, in the arena; false when it sees nothing to do. */
bool paste_unescape(struct arena *a, const struct paste_text *from, struct paste_text *out);
bool paste_unflow(struct arena *a, const struct paste_text *from, struct paste_text *out);
/* An exception as repr() shows it, `ValueError("text")`, on a line of its own or at the end of a logger's. */
bool paste_unrepr(struct arena *a, const struct paste_text *from, struct paste_text *out);
