#include "unit.h"

#include "torchlog/crash/measured.h"

static const struct {
    const char *line;
    enum measured what;
} lines[] = {
    {"Max absolute error: 0.0012", MEASURED_DIFFERENCE},
    {"| shop | max_abs_diff=nan |", MEASURED_DIFFERENCE},
    {"mean diff = -1e-3", MEASURED_DIFFERENCE},
    {"cosine similarity: 0.93", MEASURED_DIFFERENCE},
    {"torch.allclose(a, b): False", MEASURED_DIFFERENCE},
    {"outputs match: True", MEASURED_DIFFERENCE},
    {"step 41 loss nan", MEASURED_NAN},
    {"loss=NaN,", MEASURED_NAN},
    {"the nanosecond of a banana", MEASURED_NOTHING},
    {"Peak GPU memory: 6.02 GB", MEASURED_MEMORY},
    {"allocated 812MiB", MEASURED_MEMORY},
    {"eager: 0.81 ms, compiled: 1.94 ms", MEASURED_TIME},
    {"2.40it/s", MEASURED_TIME},
    {"it took 90s", MEASURED_TIME},
    {"12.1 tokens/s", MEASURED_TIME},
    {"", MEASURED_NOTHING},
    {"c1.cpp:12:3: error: 'max' was not declared", MEASURED_NOTHING},
    {"error: no such instruction: 3", MEASURED_NOTHING},
    {"x3s and 4 msgs", MEASURED_NOTHING},
    {"a disk of 3 GB", MEASURED_NOTHING},
    {"ends with a digit 3", MEASURED_NOTHING},
};

static void labels_and_units_show_what_was_measured(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (measured_in(str_of(lines[i].line), false) != lines[i].what)
            fail_msg("%s", lines[i].line);
}

static void times_need_no_unit_beside_a_clock(void **state)
{
    static const struct {
        const char *line;
        enum measured what;
    } timed[] = {
        {"old 0.018950462341308594", MEASURED_TIME},
        {"compiled: 19.61304497718811", MEASURED_TIME},
        {"eager = 1.5", MEASURED_NOTHING}, /* rounded: a clock's difference has more digits */
        {"0.018950462341308594", MEASURED_NOTHING},
        {"loss 0.6931471824645996", MEASURED_NOTHING},
        {"torch 2.1.2", MEASURED_NOTHING},
        {".1234567", MEASURED_NOTHING},
        {"x.1234567", MEASURED_NOTHING},
        {"", MEASURED_NOTHING},
    };

    (void)state;
    for (size_t i = 0; i < sizeof timed / sizeof *timed; i++) {
        if (measured_in(str_of(timed[i].line), true) != timed[i].what)
            fail_msg("%s", timed[i].line);
        assert_int_equal(measured_in(str_of(timed[i].line), false), MEASURED_NOTHING);
    }
    assert_true(measured_times(STR("start = time.time()\nf(x)")));
    assert_false(measured_times(STR("a long time ago")));
}

static void a_later_call_may_compile_again(void **state)
{
    (void)state;
    assert_true(measured_again(STR("eager 0.0639984480\ncompiling 30.71443229\ncompiled 18.93374072"), true));
    assert_true(measured_again(STR("without: 64 ms\ncompiled: 30 s\ncompiled: 18.5 seconds"), false));
    assert_false(measured_again(STR("eager: 64 ms\ncompiled: 30 s\ncompiled: 60 ms"), false));
    assert_false(measured_again(STR("eager: 2 ms\ncompiled: 30 s\ncompiled: 90 ms"), false));
    assert_false(measured_again(STR("eager: 64 ms\ncompiled: 30 s"), false));
    assert_false(measured_again(STR("compiled: 30 s\ncompiled: 18 s"), false));
    assert_false(measured_again(STR("eager: 64 ms\ncompiled: 30 s\ncompiled: 18 sets"), false));
}

static void long_lines_are_looked_at_in_part(void **state)
{
    static char line[5000];

    (void)state;
    memset(line, 'x', sizeof line - 1);
    memcpy(line + sizeof line - 9, ": 3.1 ms", 8);
    assert_int_equal(measured_in(str_of(line), false), MEASURED_NOTHING);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_and_units_show_what_was_measured),
        cmocka_unit_test(times_need_no_unit_beside_a_clock),
        cmocka_unit_test(a_later_call_may_compile_again),
        cmocka_unit_test(long_lines_are_looked_at_in_part),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
