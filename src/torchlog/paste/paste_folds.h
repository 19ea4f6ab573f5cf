/* paste_folds: like lines of several workers, of which Ray prints one. Private to paste.c. Any thread. */
#pragma once

#include "torchlog/paste/paste_lines.h"

/*
 * Takes "[repeated 14x across cluster]" off the ends of lines, and begins a line with what stands behind it. False when
 * there is none.
 */
bool paste_unfold(struct arena *a, const struct paste_text *from, struct paste_text *out);
