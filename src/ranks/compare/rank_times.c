#include "ranks/compare/rank_times.h"

#include "util/number.h"

#include <stdlib.h>

#define STRAGGLES_US (10 * 1000000ll)
#define SKEWED_US (30 * 1000000ll)

/* Sorts the times; for an even number, the lower of the two in the middle. -1 if there are none. */
static int64_t median_of(int64_t *times, size_t n)
{
    if (n == 0)
        return -1;
    qsort(times, n, sizeof *times, number_by_value);
    return times[(n - 1) / 2];
}

static void find_slowest(const struct rank_matrix *matrix, const int64_t *wall_us, int64_t *times,
                         struct rank_times *out)
{
    size_t n = 0;

    out->slowest_us = -1;
    for (size_t i = 0; i < matrix->members.n; i++) {
        int64_t us = wall_us[matrix->members.v[i]->process->index];

        if (us < 0)
            continue;
        times[n++] = us;
        if (us > out->slowest_us) {
            out->slowest_us = us;
            out->slowest = matrix->members.v[i]->process->rank;
        }
    }
    out->median_us = median_of(times, n);
    out->straggles =
        n > 1 && out->slowest_us - out->median_us >= STRAGGLES_US && out->slowest_us / 3 >= out->median_us / 2;
}

/* The compile of the slowest rank that exceeds the median of its row most. */
static void find_longer(const struct rank_matrix *matrix, int64_t *times, struct rank_times *out)
{
    for (const struct rank_row *row = matrix->first; row; row = row->next) {
        int64_t start, us, own = -1, median;
        const struct compile *c = NULL;
        size_t n = 0;

        for (size_t i = 0; i < row->cells.n; i++) {
            if (!compile_interval(row->cells.v[i]->compile, &start, &us))
                continue;
            times[n++] = us;
            if (row->cells.v[i]->member->process->rank == out->slowest) {
                c = row->cells.v[i]->compile;
                own = us;
            }
        }
        median = n > 1 ? median_of(times, n) : 0;
        if (c && own - median > out->longer_us - out->longer_median_us) {
            out->longer = c;
            out->longer_us = own;
            out->longer_median_us = median;
        }
    }
}

/* Measured in the first compile that all ranks have. */
static void find_skew(const struct rank_matrix *matrix, int64_t *times, struct rank_times *out)
{
    const struct rank_row *row = matrix->first;
    int64_t latest = INT64_MIN, start, us;
    size_t n = 0;

    out->skew_us = -1;
    while (row && row->cells.n < matrix->members.n)
        row = row->next;
    for (size_t i = 0; row && i < row->cells.n; i++) {
        if (!compile_interval(row->cells.v[i]->compile, &start, &us))
            continue;
        times[n++] = start;
        if (start > latest) {
            latest = start;
            out->last = row->cells.v[i]->member->process->rank;
        }
    }
    if (n > 1)
        out->skew_us = latest - median_of(times, n);
    out->skewed = out->skew_us >= SKEWED_US;
}

void rank_times_find(struct arena *a, const struct rank_matrix *matrix, const int64_t *wall_us, struct rank_times *out)
{
    int64_t *times = ARENA_ARRAY(a, int64_t, matrix->members.n + 1);

    *out = (struct rank_times){.slowest = RANK_UNKNOWN, .last = RANK_UNKNOWN};
    find_slowest(matrix, wall_us, times, out);
    find_longer(matrix, times, out);
    find_skew(matrix, times, out);
}
