#include "unit.h"

#include "text/python/python_code.h"

static const struct {
    const char *code, *mark;
    ptrdiff_t anywhere, top; /* where it is outside of literals, and outside of brackets too */
} cases[] = {
    {"a == b", " == ", 1, 1},
    {"", "x", -1, -1},
    {"a", "ab", -1, -1},
    {"aab", "ab", 1, 1},
    {"f(a == b) == c", " == ", 3, 9},
    {"[a, (b, {c: d})], e", ",", 2, 16},
    {"f(a # b)", "#", 4, -1},
    {"'a == b' == c", " == ", 8, 8},
    {"\"a == b\" == c", " == ", 8, 8},
    {"'it''s == x' == y", " == ", 12, 12},
    {"'a\\' == b' == c", " == ", 10, 10}, /* an escaped quote */
    {"'a\\\\' == b", " == ", 5, 5},       /* an escaped backslash, and the end of the literal */
    {"'\"' == '\"'", " == ", 3, 3},       /* quotes of the other kind */
    {"L['s'] == 'a # b'  # c", "#", 19, 19},
    {"d['a]'] == 3, 4", ",", 12, 12},      /* a bracket in a literal is none */
    {"don't == x", " == ", 5, 5},          /* an apostrophe */
    {"don't == 'x == y'", " == ", 11, 11}, /* the next quote closes it */
    {"\"a == b", " == ", 2, 2},
    {"'a' 'b == c", " == ", 6, 6},
    {"a) == b", " == ", 2, 2}, /* a closing bracket too many */
    {"a(b == c", " == ", 3, -1},
    {"(a)[b]{c} == d", " == ", 9, 9},
    {"((((a", "a", 4, -1},
    {"x(", "(", 1, 1}, /* an opening bracket stands outside of itself */
    {"x(y)", ")", 3, -1},
    {"'\\", "\\", 1, 1},
    {"'a\\'", "a", 1, 1},
};

static void marks(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct str code = str_of(cases[i].code), mark = str_of(cases[i].mark);
        ptrdiff_t anywhere = python_find(code, mark, PYTHON_NOT_IN_STRING);
        ptrdiff_t top = python_find(code, mark, PYTHON_TOP_LEVEL);

        if (anywhere != cases[i].anywhere || top != cases[i].top)
            fail_msg("%s in %s: %td, %td", cases[i].mark, cases[i].code, anywhere, top);
    }
}

/* A guard may quote megabytes, and none of it may take quadratic time: quotes that nothing closes are looked for once.
 */
static void is_linear(void **state)
{
    static const char *const pieces[] = {"'", "\"", "'\"", "(", "\\'", "a' b\" "};

    (void)state;
    for (size_t i = 0; i < COUNT(pieces); i++) {
        size_t piece = strlen(pieces[i]), n = 4000000 / piece * piece;
        char *code = test_malloc(n);

        for (size_t k = 0; k < n; k += piece)
            memcpy(code + k, pieces[i], piece);
        assert_int_equal(python_find((struct str){code, n}, STR("#"), PYTHON_NOT_IN_STRING), -1);
        assert_int_equal(python_find((struct str){code, n}, STR("#"), PYTHON_TOP_LEVEL), -1);
        test_free(code);
    }
}

static void statements(void **state)
{
    static const struct {
        const char *statement;
        bool branches, asks;
    } rows[] = {
        {"if x.any():", true, true},
        {"elif x:", true, true},
        {"while x:", true, true},
        {"assert x", false, true},
        {"assert(x)", false, false},
        {"y = a if x else b", false, false},
        {"iffy(x)", false, false},
        {"", false, false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_int_equal(python_branches(str_of(rows[i].statement)), rows[i].branches);
        assert_int_equal(python_asks(str_of(rows[i].statement)), rows[i].asks);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks),
        cmocka_unit_test(statements),
        cmocka_unit_test(is_linear),
    };

    return RUN(tests);
}
