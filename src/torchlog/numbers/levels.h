/*
 * levels: a speed that a program logs again and again, which stays at one level and then at a worse one. Any thread.
 */
#pragma once

#include "torchlog/numbers/series.h"

/*
 * ", since an evaluation: tokens_per_second 912 to 915 in 4 lines, then 640 to 643 in 3, behind "Running evaluation"":
 * at least three numbers at each level, and the second one worse by 15 % or more. The line between the two is named
 * where it says what the program did; a text that has two runs is none of it.
 */
struct series_found levels_fallen(struct arena *a, struct str text);
