/*
 * show_grep: the lines of payloads in which a pattern is, as text. One thread.
 */
#pragma once

#include "output/text/show.h"

#include <regex.h>

/* As grep -E prints them, with what they are in before each: at most some thousand lines. Found, or -errno. */
int show_grep_write(struct text *t, const struct answers *answers, const struct show_query *q, const regex_t *pattern);
