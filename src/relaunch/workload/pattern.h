/*
 * pattern: the extended regular expressions that a workload may name. Any thread.
 */
#pragma once

#include "util/arena.h"

#include <regex.h>

/* False, with the reason in `why`, when it is no expression. The caller frees it with regfree. */
bool pattern_compile(struct str pattern, regex_t *out, char *why, size_t size);

/* Why it is no expression; empty when it is one. */
struct str pattern_error(struct arena *a, struct str pattern);
