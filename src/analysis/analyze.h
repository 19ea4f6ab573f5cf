/*
 * analyze: all analyses of a run, and what is found by them: the door of src/analysis for outputs.
 */
#pragma once

#include "analysis/answers/answers.h"

/* Results live in the arena. `pool`, for reading many payloads at once, may be NULL. */
void analyze(struct arena *a, const struct run *r, struct pool *pool, struct answers *out);
