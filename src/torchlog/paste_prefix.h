/*
 * paste_prefix: repairs of what a viewer, a CI or a shipper of logs puts before lines. Private to paste.c. Any thread.
 * Each makes a text of another, in the arena; false when it sees nothing to do.
 */
#pragma once

#include "torchlog/paste_lines.h"

/* Numbers of lines: "  12  ", "12: ", "12 | ". */
bool paste_unnumber(struct arena *a, const struct paste_text *from, struct paste_text *out);
/* The same words before many lines, other numbers in them aside: "2026-11-22T18:36:47Z ", "| build: ". */
bool paste_unprefix(struct arena *a, const struct paste_text *from, struct paste_text *out);
