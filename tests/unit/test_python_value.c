#include "unit.h"

#include "text/python/python_value.h"
#include "util/buf.h"

static void equal(void **state)
{
    static const char *const cases[][2] = {
        {"8", "8"},
        {"None", "null"},
        {"True", "true"},
        {"False", "false"},
        {"1", "1.0"},
        {"0.0001", "1e-04"},
        {"-5", " -5 "},
        {"'x'", "\"x\""},
        {"'it\\'s'", "\"it's\""},
        {"'a\\nb'", "\"a\\nb\""},
        {"''", "\"\""},
        {"[1, 2]", "(1,2)"},
        {"[1, 2]", "[1, 2,]"},
        {"(1,)", "[1]"},
        {"[]", "set()"},
        {"[]", "()"},
        {"{'a', 'b'}", "{'b', 'a'}"},
        {"{'a', 'b'}", "[\"b\", \"a\"]"}, /* of a set JSON makes a list of any order */
        {"{'a': 1, 'b': [2]}", "{\"b\": [2], \"a\": 1}"},
        {"{}", "{ }"},
        {"[{'a': None}, ('x', False)]", "[{\"a\": null}, [\"x\", false]]"},
        {"print", "print"}, /* no value, and the same text */
        {"", ""},
        {"{ warn, print }", "{ warn, print }"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        if (!python_values_equal(str_of(cases[i][0]), str_of(cases[i][1])) ||
            !python_values_equal(str_of(cases[i][1]), str_of(cases[i][0])))
            fail_msg("%s is not %s", cases[i][0], cases[i][1]);
}

static void different(void **state)
{
    static const char *const cases[][2] = {
        {"8", "9"},
        {"8", "'8'"},
        {"None", "False"},
        {"None", "'None'"},
        {"0", "False"},
        {"[1, 2]", "[2, 1]"},
        {"[1, 2]", "[1]"},
        {"{'a', 'b'}", "{'a'}"},
        {"{'a': 1}", "{'a': 2}"},
        {"{'a': 1}", "{'a', 1}"},
        {"{}", "set()"}, /* one is a dict */
        {"[]", "{}"},
        {"[[1], 2]", "[1, [2]]"},
        {"['a,b']", "['a', 'b']"},
        {"print", "warn"},
        {"[print]", "[ print ]"}, /* no values: byte by byte */
        {"'x", "\"x"},
        {"[1", "[1 "},
        {"[1 2]", "[1, 2]"},
        {"1 2", "1"},
        {"1", ""},
        {"-", "--"},
        {"nan", "NaN"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        if (python_values_equal(str_of(cases[i][0]), str_of(cases[i][1])) ||
            python_values_equal(str_of(cases[i][1]), str_of(cases[i][0])))
            fail_msg("%s is %s", cases[i][0], cases[i][1]);
}

static void deep(void **state)
{
    struct buf a = {0}, b = {0};

    (void)state;
    for (int i = 0; i < 100000; i++)
        buf_char(&a, '[');
    buf_str(&b, buf_view(&a));
    buf_char(&b, ' ');
    assert_false(python_values_equal(buf_view(&a), buf_view(&b)));
    buf_free(&a);
    buf_free(&b);
}

/* "[[[1]]]" with blanks or without, so that only the reader can say that they are equal. */
static struct str nested(struct arena *a, size_t depth, bool blanks)
{
    struct buf text = {0};
    struct str made;

    for (size_t i = 0; i < depth; i++)
        buf_str(&text, blanks ? STR("[ ") : STR("["));
    buf_char(&text, '1');
    for (size_t i = 0; i < depth; i++)
        buf_char(&text, ']');
    made = arena_str(a, buf_view(&text));
    buf_free(&text);
    return made;
}

/* "'xxx'", of n bytes in all. */
static struct str long_string(struct arena *a, size_t n, char quote)
{
    char *p = memset(arena_alloc(a, n), 'x', n);

    p[0] = p[n - 1] = quote;
    return (struct str){p, n};
}

/* The last value that is read, and the first that is not. */
static void limits(void **state)
{
    struct arena *a = arena_new();

    (void)state;
    assert_true(python_values_equal(nested(a, 31, false), nested(a, 31, true)));
    assert_false(python_values_equal(nested(a, 32, false), nested(a, 32, true)));
    assert_true(python_values_equal(long_string(a, 65536, '"'), long_string(a, 65536, '\'')));
    assert_false(python_values_equal(long_string(a, 65537, '"'), long_string(a, 65537, '\'')));
    /* 63 digits are a number */
    assert_true(
        python_values_equal(STR("100000000000000000000000000000000000000000000000000000000000000"), STR("1e62")));
    assert_false(
        python_values_equal(STR("1000000000000000000000000000000000000000000000000000000000000000"), STR("1e63")));
    arena_free(a);
}

static void printed(void **state)
{
    static const char *const cases[][2] = {
        {"null", "None"},
        {"[true, false, 1, -2]", "[True, False, 1, -2]"},
        {"[0.1, 1.0, 1e-05, 1e300, 50.0]", "[0.1, 1.0, 1e-05, 1e+300, 50.0]"},
        {"\"x\"", "'x'"},
        {"\"it's\"", "\"it's\""},
        {"\"'\\\"\"", "'\\'\"'"},
        {"\"a\\\\b\\n\\t\\u0001\"", "'a\\\\b\\n\\t\\x01'"},
        {"\"\"", "''"},
        {"[]", "[]"},
        {"{}", "{}"},
        {"{\"a\": {\"b\": [null]}}", "{'a': {'b': [None]}}"},
        {"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
         "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[...]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"},
    };
    struct arena *arena = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        json_t *v = json_loads(cases[i][0], JSON_DECODE_ANY, NULL);

        assert_str(python_print(arena, v), cases[i][1]);
        assert_true(python_values_equal(python_print(arena, v), str_of(cases[i][1])));
        json_decref(v);
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal),
        cmocka_unit_test(different),
        cmocka_unit_test(deep),
        cmocka_unit_test(limits),
        cmocka_unit_test(printed),
    };

    return RUN(tests);
}
