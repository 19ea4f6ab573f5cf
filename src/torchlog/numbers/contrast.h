/*
 * contrast: times of eager mode and of compiled code, side by side for several functions, sizes or settings. Any
 * thread.
 */
#pragma once

#include "torchlog/numbers/series.h"

/*
 * ", in 2 of 3 pairs: log 369 to 617 (1.7 times), ...; faster: relu 403 to 148 (2.7 times)": eager to compiled, where
 * at least one compiled function is slower. It begins with ", for single functions" where the slower ones are such,
 * with ", with inference_mode" where only pairs of that mode are slower, with ", in one memory layout" where that is
 * what parts them from the others, and with ", in the backward alone" where times of the forward beside them are alike.
 * The line is the worst pair's.
 */
struct series_found contrast_pairs(struct arena *a, struct str text);

/*
 * ": 41.8, and 41.7 in eager mode": lines that begin with what they timed, where compiled code takes the time of eager
 * mode but for 2 %, and is nowhere slower. ", beside a dispatch mode: ..." in a text that names one.
 */
struct series_found contrast_equal(struct arena *a, struct str text);
