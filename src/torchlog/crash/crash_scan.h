/*
 * crash_scan: where in console text a traceback, or what a dying process says, begins and ends. Looks at one line after
 * the other. Any thread.
 *
 * Nothing marks the end of an exception's message: the program's output may follow it directly. So a line is certain
 * (indented, or with words that PyTorch and Python put there), or it may belong to the block, which only a later line
 * shows, such as "from user code:".
 */
#pragma once

#include "torchlog/crash/crash_begin.h"

/* `line` is the first line of a block of the form. */
void crash_scan_begin(struct crash_scan *s, enum crash_form form, struct str line);
/* Whether the next line belongs to it. After CRASH_NO_LINE the block is over. */
enum crash_line crash_scan_next(struct crash_scan *s, struct str line);

/* The part of the text that begins with its first traceback and ends where that ends; empty when it has none. */
struct str crash_traceback(struct str text);
