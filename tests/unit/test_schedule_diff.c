#include "unit.h"

#include "ranks/calls/schedule_diff.h"

#include <stdlib.h>

enum { LENGTH_MAX = 40 };

/* Of the longest list that is in both: the textbook's table. */
static size_t common_length(const uint32_t *a, size_t n, const uint32_t *b, size_t m)
{
    static size_t table[LENGTH_MAX + 1][LENGTH_MAX + 1];

    for (size_t i = 0; i <= n; i++)
        for (size_t k = 0; k <= m; k++)
            table[i][k] = i == 0 || k == 0                    ? 0
                          : a[i - 1] == b[k - 1]              ? table[i - 1][k - 1] + 1
                          : table[i - 1][k] > table[i][k - 1] ? table[i - 1][k]
                                                              : table[i][k - 1];
    return table[n][m];
}

/* What is not marked is the same in both; how much that is. */
static size_t unmarked(const uint32_t *a, size_t n, const uint32_t *b, size_t m, const bool *del, const bool *ins)
{
    size_t x = 0, y = 0, common = 0;

    while (x < n || y < m) {
        if (x < n && del[x]) {
            x++;
        } else if (y < m && ins[y]) {
            y++;
        } else {
            assert_true(x < n && y < m && a[x] == b[y]);
            x++;
            y++;
            common++;
        }
    }
    return common;
}

static void random_lists(void **state)
{
    uint32_t a[LENGTH_MAX], b[LENGTH_MAX];

    (void)state;
    srand(3);
    for (int trial = 0; trial < 20000; trial++) {
        bool del[LENGTH_MAX] = {false}, ins[LENGTH_MAX] = {false};
        size_t n = (size_t)rand() % (LENGTH_MAX + 1), m = (size_t)rand() % (LENGTH_MAX + 1);
        uint32_t letters = 1 + (uint32_t)rand() % 8;

        for (size_t i = 0; i < n; i++)
            a[i] = (uint32_t)rand() % letters;
        for (size_t i = 0; i < m; i++)
            b[i] = i < n && rand() % 3 ? a[i] : (uint32_t)rand() % letters;
        assert_true(diff_numbers(a, n, b, m, del, ins));
        assert_int_equal(unmarked(a, n, b, m, del, ins), common_length(a, n, b, m));
    }
}

/* Beyond the bound all between the equal ends is one stretch, and it takes no longer for that. */
static void too_different(void **state)
{
    enum { N = 200000, ENDS = 10 };
    uint32_t *a = calloc(N, sizeof *a), *b = calloc(N, sizeof *b);
    bool *del = calloc(N, sizeof *del), *ins = calloc(N, sizeof *ins);

    (void)state;
    for (uint32_t i = 0; i < N; i++) {
        bool end = i < ENDS || i >= N - ENDS;

        a[i] = i;
        b[i] = end ? i : N + i;
    }
    assert_false(diff_numbers(a, N, b, N, del, ins));
    for (size_t i = 0; i < N; i++) {
        assert_int_equal(del[i], i >= ENDS && i < N - ENDS);
        assert_int_equal(ins[i], del[i]);
    }
    free(a);
    free(b);
    free(del);
    free(ins);
}

static void nothing(void **state)
{
    uint32_t one = 1;
    bool del = false, ins = false;

    (void)state;
    assert_true(diff_numbers(NULL, 0, NULL, 0, NULL, NULL));
    assert_true(diff_numbers(&one, 1, NULL, 0, &del, &ins));
    assert_true(del && !ins);
    del = false;
    assert_true(diff_numbers(NULL, 0, &one, 1, &del, &ins));
    assert_true(!del && ins);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_lists),
        cmocka_unit_test(too_different),
        cmocka_unit_test(nothing),
    };

    return RUN(tests);
}
