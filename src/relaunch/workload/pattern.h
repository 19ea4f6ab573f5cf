/* pattern: extended regular expressions in a workload. Any thread. */
#pragma once

#include "util/arena.h"

#include <regex.h>

/* False, with the reason in `why`, if it is invalid. The caller frees it with regfree. */
bool pattern_compile(struct str pattern, regex_t *out, char *why, size_t size);

/* Why it is invalid; empty if it is valid. */
struct str pattern_error(struct arena *a, struct str pattern);
