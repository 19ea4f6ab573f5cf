/* show_grep: the lines of payloads that match a pattern, as text. One thread. */
#pragma once

#include "output/text/show.h"

#include <regex.h>

/* Like grep -E, with the payload's name before each: at most a few thousand lines. The number found, or -errno. */
int show_grep_write(struct text *t, const struct answers *answers, const struct show_query *q, const regex_t *pattern);
