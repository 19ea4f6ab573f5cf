/*
 * steps: the speed that a training program logs with its steps, once in eager mode and once compiled. Any thread.
 */
#pragma once

#include "torchlog/numbers/series.h"

/*
 * ": eager 15818, then 20721 tok/s; compiled 4579, then 22102 tok/s": logs under headings ("Eager:", "Compiled:") in
 * which only the first steps of compiled code are slower than those of eager mode.
 */
struct series_found steps_slow_at_first(struct arena *a, struct str text);
