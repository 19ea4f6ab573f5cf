/*
 * marks: which lines of a text may be of ours, found for many lines at once. A console holds gigabytes of other output;
 * only the lines that hold a mark, a few bytes without which no message, record or crash begins, are looked at one by
 * one. Any thread.
 */
#pragma once

#include "util/str.h"

/*
 * Bytes of the whole lines at the beginning of `text` that hold no mark: log_line_parse takes nothing off them, and
 * they begin no message and no crash. Of color codes nothing is known: they may stand within a mark. `text` begins a
 * line, and may end within one.
 */
size_t log_unmarked(struct str text);
