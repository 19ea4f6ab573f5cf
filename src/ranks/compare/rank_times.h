/*
 * rank_times: which ranks of a run the others wait for: the one that compiles longest, and the one that begins last.
 * Wall times; ranks are compared with the median. The model is only read.
 */
#pragma once

#include "ranks/compare/comparison.h"

/* `wall_us`: see ranks_find. */
void rank_times_find(struct arena *a, const struct rank_matrix *matrix, const int64_t *wall_us, struct rank_times *out);
