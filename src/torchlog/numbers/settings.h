/*
 * settings: a table whose rows are settings, and whose numbers are 0 or no number in some of them. Any thread.
 */
#pragma once

#include "torchlog/numbers/series.h"

/*
 * ": 0 in 2 of 6 rows, those with `compile` and `shop.checkpoint` together": what all wrong rows have in common, and no
 * right one.
 */
struct series_found settings_wrong(struct arena *a, struct str text);
