/*
 * rank_list: lists of ranks in words, for reports, messages and tables. A list is ascending and contains each rank
 * once. Any thread.
 */
#pragma once

#include "util/arena.h"

/* At most this many runs of consecutive ranks are written out; the remaining ranks are counted. */
enum { RANK_STRETCHES_MAX = 12 };

/* "rank 3", "ranks 0-6, 9", "ranks 0, 2, 4 and 47 more"; "" for an empty list. Linear; in the arena or static. */
struct str rank_list_words(struct arena *a, const int *ranks, size_t n);

/* Sorts the list, and removes duplicates; returns the new length. */
size_t rank_list_sort(int *ranks, size_t n);
