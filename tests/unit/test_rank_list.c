#include "unit.h"

#include "model/rank_list.h"

enum { MANY = 5000 };

static void assert_words(const char *expected, size_t n, const int *ranks)
{
    struct arena *a = arena_new();

    assert_str(rank_list_words(a, ranks, n), expected);
    arena_free(a);
}

static void short_lists(void **state)
{
    (void)state;
    assert_words("", 0, NULL);
    assert_words("rank 3", 1, (int[]){3});
    assert_words("ranks 0, 1", 2, (int[]){0, 1});
    assert_words("ranks 0-2", 3, (int[]){0, 1, 2});
    assert_words("ranks 0-2, 5, 7, 8", 6, (int[]){0, 1, 2, 5, 7, 8});
}

/* A list is never cut in the middle of a number, and what is left out is counted. */
static void long_lists(void **state)
{
    int even[MANY], all[MANY];

    (void)state;
    for (int i = 0; i < MANY; i++) {
        even[i] = 96 + 2 * i;
        all[i] = i;
    }
    assert_words("ranks 96, 98, 100, 102, 104, 106, 108, 110, 112, 114, 116, 118", 12, even);
    assert_words("ranks 96, 98, 100, 102, 104, 106, 108, 110, 112, 114, 116, 118 and 1 more", 13, even);
    assert_words("ranks 96, 98, 100, 102, 104, 106, 108, 110, 112, 114, 116, 118 and 4988 more", MANY, even);
    assert_words("ranks 0-4999", MANY, all);
}

static void sorting(void **state)
{
    int ranks[] = {5, 1, 5, 0, 1};

    (void)state;
    assert_int_equal(rank_list_sort(ranks, 5), 3);
    assert_words("ranks 0, 1, 5", 3, ranks);
    assert_int_equal(rank_list_sort(NULL, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_lists),
        cmocka_unit_test(long_lists),
        cmocka_unit_test(sorting),
    };

    return RUN(tests);
}
