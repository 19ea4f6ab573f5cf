/*
 * nearest: of a text in which nothing was understood the line that comes nearest to what is looked for, so that whoever
 * gave the text sees what the program saw. Any thread.
 */
#pragma once

#include "util/str.h"

/* The line, a view of the text, and its number from 1. False when no line names PyTorch, an error or a compiler. */
bool torchlog_nearest(struct str text, struct str *line, uint64_t *number);
