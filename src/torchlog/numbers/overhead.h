/*
 * overhead: times of single calls, in eager mode and compiled, so short that what Python does around the kernels
 * counts. Any thread.
 */
#pragma once

#include "torchlog/numbers/series.h"

/*
 * ": 21.4 us in eager mode, 33.9 to 38.7 us compiled": rows or parts of lines that name their side, where eager mode
 * takes less than 100 us and each compiled one more than it. The line is the first compiled one's.
 */
struct series_found overhead_of_calls(struct arena *a, struct str text);
