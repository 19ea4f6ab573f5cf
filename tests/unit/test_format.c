#include "unit.h"

#include "view/format.h"

static void durations(void **state)
{
    static const struct {
        int64_t us;
        const char *text;
    } cases[] = {
        {-1, "-"},
        {0, "0 s"},
        {1, "1 \xc2\xb5s"},
        {999, "999 \xc2\xb5s"},
        {1000, "1.0 ms"},
        {9900, "9.9 ms"},
        {12345, "12 ms"},
        {999499, "999 ms"},
        {999500, "1.00 s"},
        {1234567, "1.23 s"},
        {63600000, "63.6 s"},
        {119900000, "119.9 s"},
        {120000000, "2 min 0 s"},
        {208700000, "3 min 29 s"},
        {7199600000, "2 h 0 min"},
        {7380000000, "2 h 3 min"},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_str(format_duration_us(a, cases[i].us), cases[i].text);
    assert_str(format_duration_ns(a, 1500000), "1.5 ms");
    assert_str(format_duration_ns(a, -1), "-");
    arena_free(a);
}

static void shares(void **state)
{
    struct arena *a = arena_new();

    (void)state;
    assert_str(format_share(a, 0, 1000), "0 %");
    assert_str(format_share(a, 4, 1000), "<1 %");
    assert_str(format_share(a, 5, 1000), "1 %");
    assert_str(format_share(a, 516, 1000), "52 %");
    assert_str(format_share(a, 1000, 1000), "100 %");
    arena_free(a);
}

static void counts(void **state)
{
    struct arena *a = arena_new();

    (void)state;
    assert_str(format_counted(a, 0, "miss", "misses"), "0 misses");
    assert_str(format_counted(a, 1, "miss", "misses"), "1 miss");
    assert_str(format_counted(a, 1234567, "miss", "misses"), "1,234,567 misses");
    arena_free(a);
}

static void gpus(void **state)
{
    struct arena *a = arena_new();

    (void)state;
    assert_str(format_gpu(a, STR("NVIDIA H100 : 8")), "8x NVIDIA H100");
    assert_str(format_gpu(a, STR("NVIDIA H100 : 1 ")), "NVIDIA H100");
    assert_str(format_gpu(a, STR("a card: the best")), "a card: the best");
    assert_str(format_gpu(a, (struct str){0}), "");
    arena_free(a);
}

static void ranks(void **state)
{
    struct arena *a = arena_new();
    int list[] = {7, 0, 2, 1, 2, 9};

    (void)state;
    assert_str(format_ranks_sorted(a, list, COUNT(list)), "ranks 0-2, 7, 9");
    assert_str(format_ranks_sorted(a, list, 0), "");
    assert_str(format_ranks_sorted(a, (int[]){3, 3}, 2), "rank 3");
    arena_free(a);
}

static void health(void **state)
{
    struct arena *a = arena_new();

    (void)state;
    assert_str(format_health(a, (struct health){.info = 3}), "the trace is sound");
    assert_str(format_health(a, (struct health){.warnings = 1}), "1 warning");
    assert_str(format_health(a, (struct health){.errors = 2}), "2 damaged places");
    assert_str(format_health(a, (struct health){.errors = 1, .warnings = 2}), "1 damaged place and 2 warnings");
    arena_free(a);
}

static void moments(void **state)
{
    struct arena *a = arena_new();
    struct process east = {.zone_known = true, .zone_us = 5400000000}, utc = {.zone_known = true}, nowhere = {0};
    const int64_t us = 1795248000123456;

    (void)state;
    assert_str(format_moment(a, &east, us), "2026-11-21T09:30:00.123+01:30");
    assert_str(format_moment_plain(a, &east, us), "2026-11-21 09:30:00 UTC+01:30");
    assert_str(format_moment_plain(a, &utc, us), "2026-11-21 08:00:00 UTC");
    assert_str(format_moment(a, &nowhere, us), "2026-11-21T08:00:00.123");
    assert_str(format_moment_plain(a, &nowhere, us), "2026-11-21 08:00:00");
    assert_str(format_moment(a, &utc, 0), "");
    assert_str(format_moment_plain(a, &utc, INT64_MAX), "");
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(durations), cmocka_unit_test(shares), cmocka_unit_test(counts),  cmocka_unit_test(gpus),
        cmocka_unit_test(ranks),     cmocka_unit_test(health), cmocka_unit_test(moments),
    };

    return RUN(tests);
}
