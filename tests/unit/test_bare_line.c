#include "unit.h"

#include "input/bare_line.h"

#define RECORD "V1121 10:00:00.000000 100 torch/x.py:7] {\"str\": [\"a\", 0]}"

static const struct {
    const char *what;
    struct str line;
    enum line_sort sort;
    struct str text;
    int rank;
    size_t nuls;
    bool plain;
} cases[] = {
    {"nothing", STR_INIT(""), LINE_BLANK, STR_INIT(""), -1, 0, true},
    {"a lone CR", STR_INIT("\r"), LINE_BLANK, STR_INIT("\r"), -1, 0, true},
    {"a page of NULs", STR_INIT("\0\0\0\0"), LINE_BLANK, STR_INIT(""), -1, 4, false},
    {"a record", STR_INIT(RECORD), LINE_RECORD, STR_INIT(RECORD), -1, 0, true},
    {"a payload line", STR_INIT("\ttext"), LINE_PAYLOAD, STR_INIT("\ttext"), -1, 0, true},
    {"an empty payload line", STR_INIT("\t"), LINE_PAYLOAD, STR_INIT("\t"), -1, 0, true},
    {"anything else", STR_INIT("step 3 of 7"), LINE_OTHER, STR_INIT("step 3 of 7"), -1, 0, true},
    {"NULs before a record", STR_INIT("\0\0\0" RECORD), LINE_RECORD, STR_INIT(RECORD), -1, 3, false},
    {"NULs before a payload line", STR_INIT("\0\ttext"), LINE_PAYLOAD, STR_INIT("\ttext"), -1, 1, false},
    {"NULs inside of it stay", STR_INIT("\tte\0xt\0"), LINE_PAYLOAD, STR_INIT("\tte\0xt\0"), -1, 0, true},
    {"a rank", STR_INIT("[rank3]:" RECORD), LINE_RECORD, STR_INIT(RECORD), 3, 0, false},
    {"a rank before a payload line", STR_INIT("[rank3]:\ttext"), LINE_PAYLOAD, STR_INIT("\ttext"), 3, 0, false},
    {"a rank and nothing of ours", STR_INIT("[rank3]: step 3"), LINE_OTHER, STR_INIT("[rank3]: step 3"), -1, 0, true},
    {"a color before a record", STR_INIT("\x1b[32m" RECORD), LINE_RECORD, STR_INIT(RECORD), -1, 0, false},
    {"a color around a rank", STR_INIT("\x1b[36m[rank3]:\x1b[0m\ttext"), LINE_PAYLOAD, STR_INIT("\ttext"), 3, 0,
     false},
    {"a color in a payload is its own", STR_INIT("\t\x1b[32mtext"), LINE_PAYLOAD, STR_INIT("\t\x1b[32mtext"), -1, 0,
     true},
    {"a color in a record is its own", STR_INIT("V1121 10:00:00.000000 100 torch/x.py:7] {\"a\": \"\x1b[32m\"}"),
     LINE_RECORD, STR_INIT("V1121 10:00:00.000000 100 torch/x.py:7] {\"a\": \"\x1b[32m\"}"), -1, 0, true},
    {"nothing but colors", STR_INIT("\x1b[0m"), LINE_BLANK, STR_INIT(""), -1, 0, false},
    {"NULs, then a color", STR_INIT("\0\x1b[32m\ttext"), LINE_PAYLOAD, STR_INIT("\ttext"), -1, 1, false},
};

static void sorts_of_lines(void **state)
{
    struct buf colorless = {0};
    struct bare_line out;

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        bare_line(cases[i].line, STR(""), &colorless, &out);
        if (out.sort != cases[i].sort || out.nuls != cases[i].nuls || out.plain != cases[i].plain)
            fail_msg("%s: sort %d, %zu NULs, %s", cases[i].what, out.sort, out.nuls, out.plain ? "plain" : "not plain");
        assert_same(out.text, cases[i].text);
        if (out.sort == LINE_RECORD || out.sort == LINE_PAYLOAD)
            assert_int_equal(out.launcher.rank, cases[i].rank);
    }
    buf_free(&colorless);
}

/* A plain line is the line itself, not a copy: its text need not be kept. */
static void plain_lines_are_views(void **state)
{
    struct buf colorless = {0};
    struct str line = STR("\ttext");
    struct bare_line out;

    (void)state;
    bare_line(line, STR(""), &colorless, &out);
    assert_ptr_equal(out.text.p, line.p);
    assert_null(colorless.p);
    buf_free(&colorless);
}

/* What no grammar covers is known from the lines before. */
static void known_prefixes(void **state)
{
    struct buf colorless = {0};
    struct bare_line out;

    (void)state;
    bare_line(STR("node<7>$ \ttext"), STR(""), &colorless, &out);
    assert_int_equal(out.sort, LINE_OTHER);
    bare_line(STR("node<7>$ \ttext"), STR("node<7>$ "), &colorless, &out);
    assert_int_equal(out.sort, LINE_PAYLOAD);
    assert_str(out.text, "\ttext");
    assert_str(out.launcher.prefix, "node<7>$ ");
    assert_false(out.plain);
    buf_free(&colorless);
}

static void texts_of_payload_lines(void **state)
{
    (void)state;
    assert_str(bare_payload(STR("\ttext"), false), "text");
    assert_str(bare_payload(STR("\t\ttext"), false), "\ttext"); /* one tab is the format's */
    assert_str(bare_payload(STR("\t"), false), "");
    assert_str(bare_payload(STR("\ttext\r"), false), "text\r");
    assert_str(bare_payload(STR("\ttext\r"), true), "text");
    assert_str(bare_payload(STR("\ttext\r\r"), true), "text\r");
    assert_str(bare_payload(STR("\ttext"), true), "text");
    assert_str(bare_payload(STR("\t\r"), true), "");
    assert_str(bare_payload(STR("\t"), true), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_of_lines),
        cmocka_unit_test(plain_lines_are_views),
        cmocka_unit_test(known_prefixes),
        cmocka_unit_test(texts_of_payload_lines),
    };

    return RUN(tests);
}
