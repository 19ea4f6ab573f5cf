/*
 * kernels: tables of torch.profiler in which the GPU's own time is what counts. Any thread.
 */
#pragma once

#include "torchlog/numbers/series.h"

/*
 * ": `till_kernel` takes 7.430 s instead of 1.265 s ...": one kernel in two tables, or the row of a table that has most
 * of the GPU's time while the GPU is busy for most of the whole time.
 */
struct series_found kernels_slow(struct arena *a, struct str text);
