/*
 * unknown_error: the one error of a text in which no message that is known has it, or what the text says where nothing
 * failed. Any thread.
 */
#pragma once

#include "text/stated/prose.h"
#include "torchlog/failures/crash.h"

/*
 * Adds it to the first process of the input, or adds to the error that is there what a compiler or a loader printed of
 * it. `prose`: what the writer of the text says; NULL: it was not read. `any`: no message in the text is known, so that
 * any exception counts. `crashes`: what was seen of each process.
 */
void unknown_error_add(struct input *in, struct str text, const struct prose *prose, bool any,
                       const struct crash_process **crashes, size_t n);
