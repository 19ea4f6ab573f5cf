/* Lists of collectives of several ranks: what one has and another lacks. */
#include "ranks_made.h"

#include "model/rank_list.h"
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

/* " -1 -2": where calls stand in a list. */
static struct str places_of(struct arena *a, struct str before, char sign, const struct rank_steps *steps,
                            const struct rank_step *const *calls, size_t n)
{
    for (size_t i = 0; i < n; i++)
        before = arena_printf(a, "%.*s %c%zu", STR_ARG(before), sign, (size_t)(calls[i] - steps->list.v));
    return before;
}

/* "0, 2": without "ranks". */
static struct str numbers_of(struct arena *a, const int *ranks, size_t n)
{
    struct str words = rank_list_words(a, ranks, n);

    return str_skip(words, (size_t)str_chr(words, ' ') + 1);
}

/* "0|1, 2 3:4 =1 -1 +1 @2 =1 ~": ranks, how many calls they make, what both have or one has, where they meet. */
static struct str diff_words(struct arena *a, const struct column_steps *steps, const struct schedule_diff *d)
{
    const struct rank_steps *most = &steps->list.v[d->majority.v[0]], *other = &steps->list.v[d->minority.v[0]];
    uint64_t equal = d->equal_after;
    struct str out = arena_printf(a, "%.*s|%.*s %llu:%llu", STR_ARG(numbers_of(a, d->majority.v, d->majority.n)),
                                  STR_ARG(numbers_of(a, d->minority.v, d->minority.n)),
                                  (unsigned long long)d->majority_calls, (unsigned long long)d->minority_calls);

    vec_each(const struct diff_hunk, h, &d->hunks)
    {
        equal += h->equal;
        out = arena_printf(a, "%.*s =%llu", STR_ARG(out), (unsigned long long)h->equal);
        out = places_of(a, out, '-', most, h->majority.v, h->majority.n);
        out = places_of(a, out, '+', other, h->minority.v, h->minority.n);
        if (h->meets)
            out = arena_printf(a, "%.*s @%zu", STR_ARG(out), (size_t)(h->meets - most->list.v));
    }
    assert_int_equal(equal, d->equal);
    return arena_printf(a, "%.*s =%llu%s", STR_ARG(out), (unsigned long long)d->equal_after, d->coarse ? " ~" : "");
}

/* Of one rank for each list. Groups count by their names where both sides have the same ones, else by their order. */
static void lists_of_ranks(void **state)
{
    static const struct {
        const char *lists[4], *diffs;
    } cases[] = {
        {{"r0 g0", "r0 g0"}, ""},
        {{"", "r0"}, "0|1 0:1 =0 +0 =0"},
        {{"r0 g0 r0", "r0 r0"}, "0|1 3:2 =1 -1 @2 =1"},
        {{"r0 g0 r0", "r0 g0 g0 r0 m0"}, "0|1 3:5 =2 +2 @2 =1 +4 =0"},
        {{"r0", "R0"}, "0|1 1:1 =0 -0 +0 =0"},
        {{"r0 r0", "r0", "r0 r0", "r0"}, "0, 2|1, 3 2:1 =1 -1 =0"},
        {{"r0", "g0", "m0"}, "0|1 1:1 =0 -0 +0 =0, 0|2 1:1 =0 -0 +0 =0"},
        /* The same names, used in another order, are other groups. */
        {{"r0 g1", "r1 g0"}, "0|1 2:2 =0 -0 -1 +0 +1 =0"},
        /* Other names of which the first one is used where the other side uses its first one are the same groups. */
        {{"r0 g1 r0", "r2 g3 r2"}, ""},
        {{"r0 g1 r0", "r2 g3 r3"}, "0|1 3:3 =2 -2 +2 =0"},
        {{"r0 g1", "r2 g3 r2", "r4 g5"}, "0, 2|1 2:3 =2 +2 =0"},
        {{"r0 g1", "r2 g3 r2", "r4 g5 r4"}, "0|1, 2 2:3 =2 +2 =0"},
        {{"r0 g0", "r2 g3"}, "0|1 2:2 =1 -1 +1 =0"},
        {{"r0 g1", "r2 g2"}, "0|1 2:2 =1 -1 +1 =0"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct arena *a = arena_new();
        struct column_steps steps = {0};
        struct rank_run run = {0};
        struct schedule_diffs diffs;
        struct str words = STR("");

        for (int rank = 0; rank < 4 && cases[i].lists[rank]; rank++) {
            struct rank_column *column = vec_add(a, &run.columns);

            vec_push(a, &column->ranks, rank);
            vec_push(a, &steps.list, job_steps(a, cases[i].lists[rank]));
        }
        schedule_diffs_find(a, &run, &steps, &diffs);
        vec_each(const struct schedule_diff, d, &diffs.list) words =
            arena_printf(a, "%.*s%s%.*s", STR_ARG(words), words.n ? ", " : "", STR_ARG(diff_words(a, &steps, d)));
        assert_str(words, cases[i].diffs);
        assert_int_equal(diffs.count, diffs.list.n);
        arena_free(a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_lists),
        cmocka_unit_test(too_different),
        cmocka_unit_test(nothing),
        cmocka_unit_test(lists_of_ranks),
    };

    return RUN(tests);
}
