/*
 * nearest: finds, in a text in which nothing was recognized, the line that is closest to what the program looks for, so
 * that the user sees what the program saw. Any thread.
 */
#pragma once

#include "util/str.h"

/* The line, a view of the text, and its number from 1. False when no line names PyTorch, an error or a compiler. */
bool torchlog_nearest(struct str text, struct str *line, uint64_t *number);
