/*
 * number: arithmetic on values from a trace. In a forged or damaged trace times and counts can be anything, so sums
 * stop at the ends of their range instead of overflowing, and reals are clamped to the range of integers. Any thread.
 */
#pragma once

#include <math.h>
#include <stdint.h>

static inline int64_t add_bounded(int64_t a, int64_t b)
{
    int64_t sum;

    if (!__builtin_add_overflow(a, b, &sum))
        return sum;
    return b < 0 ? INT64_MIN : INT64_MAX;
}

/* Towards zero; 0 for NaN. */
static inline int64_t int_of_real(double v)
{
    if (!(fabs(v) < 9.2e18))
        return v > 0 ? INT64_MAX : v < 0 ? INT64_MIN : 0;
    return (int64_t)v;
}

/* Negative, zero or positive if a is less than, equal to or greater than b. */
static inline int number_compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* The same as a comparison function for qsort, for arrays of int64_t. */
static inline int number_by_value(const void *a, const void *b)
{
    return number_compare(*(const int64_t *)a, *(const int64_t *)b);
}
