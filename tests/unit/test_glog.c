#include "unit.h"

#include "input/glog.h"

static void prefix_of_a_record(void **state)
{
    struct glog g;

    (void)state;
    assert_true(glog_parse(STR("V1121 07:52:52.363000 9102 torch/_dynamo/convert_frame.py:303] {\"a\": 1}"), &g));
    assert_int_equal(g.level, 'V');
    assert_int_equal(g.year, 0);
    assert_int_equal(g.month, 11);
    assert_int_equal(g.day, 21);
    assert_int_equal(g.time_us, ((7 * 60 + 52) * 60 + 52) * 1000000ll + 363000);
    assert_int_equal(g.number, 9102);
    assert_str(g.file, "torch/_dynamo/convert_frame.py");
    assert_int_equal(g.line, 303);
    assert_str(g.text, "{\"a\": 1}");
}

static void first_form(void **state)
{
    struct glog g;

    (void)state;
    assert_true(
        glog_parse(STR("V0214 07:00:49.354000 139646045393920 torch/_dynamo/guards.py:1023 [0/0] GUARDS:"), &g));
    assert_true(g.number == 139646045393920u);
    assert_true(g.number > GLOG_LARGEST_PID);
    assert_int_equal(g.line, 1023);
    assert_str(g.text, "[0/0] GUARDS:");
}

static void bracketed_form(void **state)
{
    struct glog g;

    (void)state;
    assert_true(glog_parse(STR("[2024-02-13 19:34:50,591] [0/0] torch._dynamo.guards.__guards: [DEBUG] GUARDS:"), &g));
    assert_int_equal(g.level, 'V');
    assert_int_equal(g.year, 2024);
    assert_int_equal(g.month, 2);
    assert_int_equal(g.day, 13);
    assert_int_equal(g.time_us, ((19 * 60 + 34) * 60 + 50) * 1000000ll + 591000);
    assert_int_equal(g.number, 0);
    assert_str(g.file, "[0/0] torch._dynamo.guards.__guards");
    assert_str(g.text, "GUARDS:");
    assert_true(glog_parse(STR("[2024-02-13 19:34:50,591] torch._inductor: [WARNING] x"), &g));
    assert_int_equal(g.level, 'W');
    assert_true(glog_parse(STR("[2024-02-13 19:34:50,591] torch._inductor: [CRITICAL]"), &g));
    assert_int_equal(g.level, 'C');
    assert_str(g.text, "");
}

static void places(void **state)
{
    static const struct {
        const char *place, *file;
        unsigned line;
    } cases[] = {
        {"a.py:1] ", "a.py", 1},
        {"/home/a user/b:c.py:12] ", "/home/a user/b:c.py", 12},
        {"/x/y:7z.py:12] ", "/x/y:7z.py", 12},
        {"<string>:0] ", "<string>", 0},
        {":5] ", "", 5},
        {"a.py:4294967295] ", "a.py", UINT32_MAX},
        {"a.py:1]", "a.py", 1},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct arena *a = arena_new();
        struct glog g;

        assert_true(glog_parse(arena_printf(a, "I0101 00:00:00.000000 1 %stext", cases[i].place), &g));
        assert_str(g.file, cases[i].file);
        assert_int_equal(g.line, cases[i].line);
        assert_str(g.text, "text");
        arena_free(a);
    }
}

static void fractions_of_a_second(void **state)
{
    static const struct {
        const char *fraction;
        int64_t us;
    } cases[] = {{".1", 100000}, {".12", 120000}, {",123", 123000}, {".123456", 123456}, {".000001", 1}};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct arena *a = arena_new();
        struct glog g;

        assert_true(glog_parse(arena_printf(a, "V1231 23:59:60%s 1 a:1] ", cases[i].fraction), &g));
        assert_int_equal(g.time_us, 86400 * 1000000ll + cases[i].us);
        arena_free(a);
    }
}

static void no_prefix(void **state)
{
    static const char *const bad[] = {
        "",
        "V",
        "V1121",
        " V1121 07:52:52.363000 9102 a.py:3] {}",
        "X1121 07:52:52.363000 9102 a.py:3] {}",
        "v1121 07:52:52.363000 9102 a.py:3] {}",
        "V1321 07:52:52.363000 9102 a.py:3] {}",
        "V0021 07:52:52.363000 9102 a.py:3] {}",
        "V1100 07:52:52.363000 9102 a.py:3] {}",
        "V1132 07:52:52.363000 9102 a.py:3] {}",
        "V11211 07:52:52.363000 9102 a.py:3] {}",
        "V112 07:52:52.363000 9102 a.py:3] {}",
        "V1121  07:52:52.363000 9102 a.py:3] {}",
        "V1121 24:52:52.363000 9102 a.py:3] {}",
        "V1121 07:60:52.363000 9102 a.py:3] {}",
        "V1121 07:52:61.363000 9102 a.py:3] {}",
        "V1121 07:52:52 9102 a.py:3] {}",
        "V1121 07:52:52. 9102 a.py:3] {}",
        "V1121 07:52:52.3630001 9102 a.py:3] {}",
        "V1121 07:52:52.363000 a.py:3] {}",
        "V1121 07:52:52.363000 -1 a.py:3] {}",
        "V1121 07:52:52.363000 99999999999999999999 a.py:3] {}",
        "V1121 07:52:52.363000 9102 a.py:3",
        "V1121 07:52:52.363000 9102 a.py] {}",
        "V1121 07:52:52.363000 9102 a.py:] {}",
        "V1121 07:52:52.363000 9102 a.py:4294967296] {}",
        "[2024-02-13 19:34:50,591] torch: DEBUG x",
        "[2024-02-13 19:34:50,591] torch: [LOUD] x",
        "[2024-02-13 19:34:50,591]",
        "[24-02-13 19:34:50,591] torch: [DEBUG] x",
        "[2024-13-13 19:34:50,591] torch: [DEBUG] x",
        "[rank0]: V1121",
        "[",
    };
    struct glog g;

    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++)
        if (glog_parse(str_of(bad[i]), &g))
            fail_msg("taken for a prefix: %s", bad[i]);
    assert_false(glog_parse((struct str){0}, &g));
}

/* A line cut off anywhere is read without looking behind its end. */
static void truncated_anywhere(void **state)
{
    static const char *const lines[] = {
        "V1121 07:52:52.363000 9102 torch/_dynamo/convert_frame.py:303] x",
        "[2024-02-13 19:34:50,591] [0/0] torch._dynamo: [DEBUG] x",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(lines); i++) {
        size_t whole = strlen(lines[i]);

        for (size_t n = 0; n <= whole; n++) {
            char *copy = test_malloc(n + !n);
            struct glog g;
            bool found;

            memcpy(copy, lines[i], n);
            found = glog_parse((struct str){copy, n}, &g);
            if (n == whole)
                assert_true(found);
            glog_find((struct str){copy, n}, 0);
            test_free(copy);
        }
    }
}

static void finds(void **state)
{
    struct str one = STR("{\"a\": 1}V1121 07:52:52.363000 9102 a.py:3] {}");
    struct str two = STR("V1121 07:52:52.363000 9102 a.py:3] {}V1121 07:52:52.363000 9102 a.py:3] {}");

    (void)state;
    assert_int_equal(glog_find(one, 0), 8);
    assert_int_equal(glog_find(one, 8), 8);
    assert_int_equal(glog_find(one, 9), -1);
    assert_int_equal(glog_find(two, 0), 0);
    assert_int_equal(glog_find(two, 1), 37);
    assert_int_equal(glog_find(STR("a b c V d"), 0), -1);
    assert_int_equal(glog_find(STR("V112 07:52:52.363000 9102 a.py:3] V1121 07:52:52.363000 9102 a.py:3] "), 0), 34);
    assert_int_equal(glog_find((struct str){0}, 0), -1);
    assert_int_equal(glog_find(one, 1000), -1);
}

/* Many places that nearly are prefixes, and a path without an end, are no work to speak of. */
static void hostile_lines(void **state)
{
    enum { SIZE = 1 << 20 };
    static char text[SIZE];
    static const char unit[] = "V0101 00:00:00.0 1 :1:1:1:1:1:1:1";
    struct glog g;

    (void)state;
    for (size_t i = 0; i < SIZE; i++)
        text[i] = unit[i % (sizeof unit - 1)];
    assert_int_equal(glog_find((struct str){text, SIZE}, 0), -1);
    memcpy(text + SIZE / 2, ":12] ", 5);
    assert_in_range(glog_find((struct str){text, SIZE}, 0), SIZE / 2 - 5000, SIZE / 2);
    memset(text, ':', SIZE);
    memcpy(text, "V0101 00:00:00.0 1 ", 19);
    assert_false(glog_parse((struct str){text, SIZE}, &g));
    memset(text + 19, '1', SIZE - 19);
    assert_false(glog_parse((struct str){text, SIZE}, &g));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prefix_of_a_record),
        cmocka_unit_test(first_form),
        cmocka_unit_test(bracketed_form),
        cmocka_unit_test(places),
        cmocka_unit_test(fractions_of_a_second),
        cmocka_unit_test(no_prefix),
        cmocka_unit_test(truncated_anywhere),
        cmocka_unit_test(finds),
        cmocka_unit_test(hostile_lines),
    };

    return RUN(tests);
}
