#include "unit.h"

#include "input/launcher.h"

#define RECORD "V1121 07:52:52.363000 9102 a.py:3] {\"a\": 1}"

static const struct {
    const char *prefix, *key;
    int rank;
} forms[] = {
    {"", "", -1},
    {"[rank0]:", "[rank0]:", 0},
    {"[rank12]: ", "[rank12]:", 12},
    {"[trainer0|1]: ", "[trainer0|1]:", 1},
    {"[default3]:", "[default3]:", 3},
    {"[1,0]<stdout>:", "[1,0]<stdout>:", 0},
    {"[1,7]<stderr>: ", "[1,7]<stderr>:", 7},
    {"[prterun-node-4711@1,3]<stdout>: ", "[prterun-node-4711@1,3]<stdout>:", 3},
    {"[worker]: ", "[worker]:", -1},
    {"(EngineCore pid=42) ", "(EngineCore pid=42)", -1},
    {"(RayTrainWorker pid=7, ip=10.0.0.1) ", "(RayTrainWorker pid=7, ip=10.0.0.1)", -1},
    {"2026-11-21T07:54:38.027123Z ", "", -1},
    {"2026-11-21 07:54:38,027 ", "", -1},
    {"2026-11-21T07:54:38.027123456+00:00 ", "", -1},
    {"[2026-11-21 07:54:38,027] ", "", -1},
    {"[2026-11-21T07:54:38.027Z]: ", "", -1},
    {"[07:54:38.027]: ", "", -1},
    {"[07:54:38] ", "", -1},
    {"07:54:38,027 ", "", -1},
    {"[07:54:38.027]: [rank3]: ", "[rank3]:", 3},
    {"2026-11-21T07:54:38.027Z stdout F ", "", -1},
    {"2026-11-21T07:54:38.027Z stderr P ", "", -1},
    {"web-1  | ", "web-1  |", -1},
    {"3: ", "3:", 3},
    {"node-3.cluster: ", "node-3.cluster:", -1},
    {"2026-11-21T07:54:38.027Z stdout F [rank5]: ", "[rank5]:", 5},
    {"[rank2]: 2026-11-21T07:54:38.027Z ", "[rank2]:", 2},
    {"worker-0 | [rank4]: ", "worker-0 | [rank4]:", 4},
    {"[node1] [rank9]: ", "[node1] [rank9]:", 9},
    {"0: 2026-11-21T07:54:38.027Z [rank7]: ", "[rank7]:", 7},
    {"(EngineCore pid=42) [rank0]: ", "(EngineCore pid=42)", 0},
    {"[2026-11-21 07:54:38] [rank6]:", "[rank6]:", 6},
};

static void check(struct arena *a, size_t i, const char *line, const char *known)
{
    struct str rest, whole = arena_printf(a, "%s%s", forms[i].prefix, line);
    struct launcher l;

    if (!launcher_split(whole, str_of(known), &l, &rest))
        fail_msg("form %zu: %s%s", i, forms[i].prefix, line);
    assert_str(rest, line);
    assert_str(l.prefix, forms[i].prefix);
    assert_str(l.key, forms[i].key);
    assert_int_equal(l.rank, forms[i].rank);
}

static void known_forms(void **state)
{
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(forms); i++) {
        check(a, i, RECORD, "");
        check(a, i, "\tpayload", "");
        check(a, i, "\t", "");
        check(a, i, "\t[rank9]: " RECORD, "");
        check(a, i, RECORD, "other>");
    }
    arena_free(a);
}

/* Without a record or a payload line behind it nothing is a prefix. */
static void nothing_follows(void **state)
{
    static const char *const lines[] = {
        "",
        "[rank0]:",
        "[rank0]: hello",
        "[rank0]: \x1b[31m",
        "2026-11-21T07:54:38.027Z stdout F hello",
        "3: 4",
        "web | x",
        "(x) y",
        "[",
        "(",
        "[]",
        "[rank0",
        "[rank0]<",
        "[rank0]<stdout",
        "a",
        ":",
        "|",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(lines); i++) {
        struct launcher l;
        struct str rest;

        if (launcher_split(str_of(lines[i]), (struct str){0}, &l, &rest))
            fail_msg("split: %s", lines[i]);
        assert_str(rest, lines[i]);
        assert_int_equal(l.prefix.n, 0);
        assert_int_equal(l.key.n, 0);
        assert_int_equal(l.rank, -1);
    }
}

/* An unknown prefix is recognized by the record after it, and matched literally from then on. */
static void learned_prefix(void **state)
{
    struct str rest, line = STR("host7~job> " RECORD), payload = STR("host7~job> \ttext");
    struct launcher l;

    (void)state;
    assert_false(launcher_split(payload, (struct str){0}, &l, &rest));
    assert_true(launcher_split(line, (struct str){0}, &l, &rest));
    assert_str(l.prefix, "host7~job> ");
    assert_str(l.key, ""); /* it must not open a stream of its own */
    assert_str(rest, RECORD);
    assert_true(launcher_split(payload, l.prefix, &l, &rest));
    assert_str(rest, "\ttext");
    assert_str(l.prefix, "host7~job> ");
    assert_false(launcher_split(STR("host8~job> \ttext"), STR("host7~job> "), &l, &rest));
}

static void far_prefixes_are_none(void **state)
{
    struct arena *a = arena_new();
    struct launcher l;
    struct str rest;
    char text[1000];

    (void)state;
    memset(text, '~', sizeof text);
    assert_false(launcher_split(arena_printf(a, "%.500s" RECORD, text), (struct str){0}, &l, &rest));
    for (size_t i = 0; i + 3 <= sizeof text; i += 3)
        memcpy(text + i, "3: ", 3);
    assert_false(launcher_split(arena_printf(a, "%.999s" RECORD, text), (struct str){0}, &l, &rest));
    arena_free(a);
}

static void ranks_are_bounded(void **state)
{
    struct launcher l;
    struct str rest;

    (void)state;
    assert_true(launcher_split(STR("[rank99999999999999999999]: " RECORD), (struct str){0}, &l, &rest));
    assert_int_equal(l.rank, -1);
    assert_true(launcher_split(STR("[rank4294967296]: " RECORD), (struct str){0}, &l, &rest));
    assert_int_equal(l.rank, -1);
    assert_true(launcher_split(STR("4294967296: " RECORD), (struct str){0}, &l, &rest));
    assert_int_equal(l.rank, -1);
    assert_true(launcher_split(STR("[x]: " RECORD), (struct str){0}, &l, &rest));
    assert_int_equal(l.rank, -1);
}

static void truncated_anywhere(void **state)
{
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(forms); i++) {
        struct str whole = arena_printf(a, "%s\tx", forms[i].prefix);

        for (size_t n = 0; n <= whole.n; n++) {
            char *copy = test_malloc(n + !n);
            struct launcher l;
            struct str rest;

            memcpy(copy, whole.p, n);
            assert_int_equal(launcher_split((struct str){copy, n}, (struct str){0}, &l, &rest), n > whole.n - 2);
            test_free(copy);
        }
    }
    arena_free(a);
}

static void color(void **state)
{
    static const char *const cases[][2] = {
        {"plain", "plain"},
        {"\x1b[31mred\x1b[0m", "red"},
        {"a\x1b[1;38;5;200mb", "ab"},
        {"\x1b[?25lx\x1b[K", "x"},
        {"\x1b]0;title\ax", "x"},
        {"\x1b]8;;http://x/\x1b\\link\x1b]8;;\x1b\\", "link"},
        {"\x1b" "cx", "x"},
        {"x\x1b", "x"},
        {"x\x1b[", "x"},
        {"x\x1b[31", "x"},
        {"x\x1b]0;title", "x"},
        {"x\x1b]0;title\x1b", "x"},
    };
    struct buf b = {0};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        b.n = 0;
        ansi_strip(&b, str_of(cases[i][0]));
        assert_str(buf_view(&b), cases[i][1]);
        assert_int_equal(ansi_present(str_of(cases[i][0])), i > 0);
    }
    b.n = 0;
    ansi_strip(&b, (struct str){0});
    assert_int_equal(b.n, 0);
    buf_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_forms),
        cmocka_unit_test(nothing_follows),
        cmocka_unit_test(learned_prefix),
        cmocka_unit_test(far_prefixes_are_none),
        cmocka_unit_test(ranks_are_bounded),
        cmocka_unit_test(truncated_anywhere),
        cmocka_unit_test(color),
    };

    return RUN(tests);
}
