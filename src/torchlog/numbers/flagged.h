/*
 * flagged: differences of results of which one stands out: the program marks it, or it is the largest by far. Any
 * thread.
 */
#pragma once

#include "torchlog/numbers/series.h"

/*
 * ", only with CUDA graphs: mode=fast: max_diff=2.9 BUG; right with `mode=slow` (`4 steps`)": the bad line, and
 * what is right beside it. "only with CUDA graphs" where that is what bad lines have and a good one does not.
 */
struct series_found flagged_difference(struct arena *a, struct str text);
