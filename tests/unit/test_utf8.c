#include "unit.h"

#include "util/utf8.h"

#define FFFD "\xef\xbf\xbd"

static void valid(void **state)
{
    static const char *const good[] = {
        "", "abc", "\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80", "\xef\xbf\xbf",
        "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf", "eight bytes and more \xe2\x82\xac behind", "1234567\xc3\xa9",
    };
    static const char *const bad[] = {
        "\x80",             /* a continuation byte */
        "\xc0\x80",         /* overlong */
        "\xc1\xbf",
        "\xe0\x9f\xbf",
        "\xf0\x8f\xbf\xbf",
        "\xed\xa0\x80",     /* a surrogate */
        "\xed\xbf\xbf",
        "\xf4\x90\x80\x80", /* beyond U+10FFFF */
        "\xf5\x80\x80\x80",
        "\xff",
        "\xe2\x82",         /* cut off */
        "\xf0\x9f\x98",
        "\xc3",
        "12345678\xc3(",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(good); i++)
        assert_true(utf8_valid(str_of(good[i])));
    for (size_t i = 0; i < COUNT(bad); i++)
        if (utf8_valid(str_of(bad[i])))
            fail_msg("bad[%zu] was called valid", i);
    assert_true(utf8_valid((struct str){0}));
    assert_false(utf8_valid(STR("\0")));
    for (size_t at = 0; at < 20; at++) { /* whichever byte of a word of eight it is */
        char text[20];

        memset(text, 'a', sizeof text);
        assert_true(utf8_valid((struct str){text, sizeof text}));
        text[at] = '\0';
        assert_false(utf8_valid((struct str){text, sizeof text}));
        text[at] = '\x80';
        assert_false(utf8_valid((struct str){text, sizeof text}));
    }
}

static void check_repair(struct str in, const char *expected, size_t count)
{
    struct buf b = {0};

    assert_int_equal(utf8_repair(&b, in), count);
    assert_str(buf_view(&b), expected);
    assert_true(utf8_valid(buf_view(&b)));
    buf_free(&b);
}

/* "U+FFFD for each maximal subpart": the examples of the Unicode Standard, tables 3-8 to 3-11. */
static void repairs(void **state)
{
    (void)state;
    check_repair(STR("abc"), "abc", 0);
    check_repair((struct str){0}, "", 0);
    check_repair(STR("a\0b"), "a" FFFD "b", 1);
    check_repair(STR("\xc0\xaf\xe0\x80\xbf\xf0\x81\x82\x41"), FFFD FFFD FFFD FFFD FFFD FFFD FFFD FFFD "A", 8);
    check_repair(STR("\xed\xa0\x80\xed\xbf\xbf\xed\xaf\x41"), FFFD FFFD FFFD FFFD FFFD FFFD FFFD FFFD "A", 8);
    check_repair(STR("\xf4\x91\x92\x93\xff\x41\x80\xbf\x42"), FFFD FFFD FFFD FFFD FFFD "A" FFFD FFFD "B", 7);
    check_repair(STR("\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41"), FFFD FFFD FFFD FFFD "A", 4);
    check_repair(STR("\xf0\x9f\x98"), FFFD, 1);
}

static void repairs_anything(void **state)
{
    uint64_t seed = 11;

    (void)state;
    for (int round = 0; round < 2000; round++) {
        char text[40];
        struct buf b = {0};

        for (size_t i = 0; i < sizeof text; i++)
            text[i] = (char)(test_random(&seed) >> (round % 2 ? 56 : 40));
        utf8_repair(&b, (struct str){text, sizeof text});
        assert_true(utf8_valid(buf_view(&b)));
        buf_free(&b);
    }
}

static void cleans(void **state)
{
    struct arena *a = arena_new();
    struct str good = STR("abc"), bad = STR("a\xff");

    (void)state;
    assert_ptr_equal(utf8_clean(a, good).p, good.p);
    assert_str(utf8_clean(a, bad), "a" FFFD);
    arena_free(a);
}

static void cuts(void **state)
{
    struct str s = STR("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z"); /* 1, 2, 3, 4 and 1 bytes */
    static const size_t expected[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11};

    (void)state;
    for (size_t max = 0; max < COUNT(expected); max++)
        assert_int_equal(utf8_cut(s, max).n, expected[max]);
    assert_int_equal(utf8_cut((struct str){0}, 5).n, 0);
    assert_int_equal(utf8_cut((struct str){"ab\x80", 2}, 2).n, 2); /* what is behind a text is not of it */
}

/* Bytes that are no UTF-8 have no characters to keep whole: nearly all of what may stay does stay. */
static void cuts_garbage(void **state)
{
    char text[100];

    (void)state;
    memset(text, 0x80, sizeof text);
    assert_in_range(utf8_cut((struct str){text, sizeof text}, 50).n, 47, 50);
}

static void shortens(void **state)
{
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"", ""},
        {"twenty bytes of it ab", "twenty bytes of it \xe2\x80\xa6"}, /* between words */
        {"exactly twenty bytes", "exactly twenty bytes"},
        {"exactly twenty bytes long", "exactly twenty bytes \xe2\x80\xa6"},
        {"one averyveryverylongword", "one averyveryverylon \xe2\x80\xa6"}, /* too much would be lost */
        {"aaaaaaaaaaaaaaaaaaa\xc3\xa9z", "aaaaaaaaaaaaaaaaaaa \xe2\x80\xa6"},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct str out = utf8_shorten(a, str_of(cases[i].text), 20);

        assert_str(out, cases[i].expected);
    }
    arena_free(a);
}

static void columns(void **state)
{
    (void)state;
    assert_int_equal(utf8_columns(STR("abc")), 3);
    assert_int_equal(utf8_columns(STR("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80")), 5); /* the picture is wide */
    assert_int_equal(utf8_columns(STR("\xe5\x8f\x98\xe6\x8d\xa2")), 4);
    assert_int_equal(utf8_columns(STR("e\xcc\x81")), 1); /* e and a combining accent */
    assert_int_equal(utf8_columns((struct str){0}), 0);
}

static void fitting(void **state)
{
    (void)state;
    assert_int_equal(utf8_fitting(STR("abc"), 5).n, 3);
    assert_int_equal(utf8_fitting(STR("abc"), 2).n, 2);
    assert_int_equal(utf8_fitting(STR("a\xe5\x8f\x98\xe6\x8d\xa2"), 4).n, 4); /* half of the second does not fit */
    assert_int_equal(utf8_fitting(STR("a\xe5\x8f\x98\xe6\x8d\xa2"), 5).n, 7);
    assert_int_equal(utf8_fitting((struct str){0}, 0).n, 0);
}

#define HARMLESS(text, lines) harmless((char[]){text}, sizeof(text) - 1, lines)

static const char *harmless(char *text, size_t n, bool lines)
{
    static char out[64];

    assert_true(n < sizeof out);
    utf8_make_harmless(text, n, lines);
    memcpy(out, text, n);
    out[n] = '\0';
    return out;
}

static void makes_harmless(void **state)
{
    (void)state;
    assert_string_equal(HARMLESS("a\n\tb\x1b[0m\r\x7f", true), "a\n\tb?[0m ?");
    assert_string_equal(HARMLESS("a\n\tb\x1b[0m\r\x7f", false), "a  b?[0m ?");
    /* U+009B begins a sequence as ESC [ does; so does its byte where text is not UTF-8. */
    assert_string_equal(HARMLESS("a\xc2\x9b"
                                 "31mb\x9b"
                                 "c",
                                 true),
                        "a??31mb?c");
    /* U+061C, U+200E, U+202E, U+2066, U+2028; U+E0041, an invisible A. */
    assert_string_equal(HARMLESS("\xd8\x9c|\xe2\x80\x8e|\xe2\x80\xae|\xe2\x81\xa6|\xe2\x80\xa8|\xf3\xa0\x81\x81", true),
                        "??|???|???|???|???|????");
    /* What joins letters, and any other character, stays. */
    assert_string_equal(HARMLESS("\xe2\x80\x8d \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", true),
                        "\xe2\x80\x8d \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
    utf8_make_harmless(NULL, 0, true);
}

static void put(void **state)
{
    static const struct {
        unsigned c;
        const char *bytes;
    } all[] = {
        {0x7f, "\x7f"},           {0x80, "\xc2\x80"},
        {0x7ff, "\xdf\xbf"},      {0x800, "\xe0\xa0\x80"},
        {0xffff, "\xef\xbf\xbf"}, {0x10000, "\xf0\x90\x80\x80"},
        {0x10ffff, "\xf4\x8f\xbf\xbf"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(all); i++) {
        struct buf out = {0};

        utf8_put(&out, all[i].c);
        assert_str(buf_view(&out), all[i].bytes);
        buf_free(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(valid),          cmocka_unit_test(repairs), cmocka_unit_test(repairs_anything),
        cmocka_unit_test(cleans),         cmocka_unit_test(cuts),    cmocka_unit_test(cuts_garbage),
        cmocka_unit_test(shortens),       cmocka_unit_test(columns), cmocka_unit_test(fitting),
        cmocka_unit_test(makes_harmless), cmocka_unit_test(put),
    };

    return RUN(tests);
}
