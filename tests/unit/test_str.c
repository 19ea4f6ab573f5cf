#include "unit.h"

static void splits(void **state)
{
    struct str s = STR("a/b//c"), line, text = STR("one\ntwo\n");

    (void)state;
    assert_str(str_split(&s, '/'), "a");
    assert_str(str_split(&s, '/'), "b");
    assert_str(str_split(&s, '/'), "");
    assert_str(str_split(&s, '/'), "c");
    assert_int_equal(s.n, 0);
    assert_true(str_next_line(&text, &line));
    assert_str(line, "one");
    assert_true(str_next_line(&text, &line));
    assert_str(line, "two");
    assert_false(str_next_line(&text, &line));
}

static void numbers(void **state)
{
    struct str s = STR("12x");
    uint64_t v;
    int64_t i;

    (void)state;
    assert_true(str_take_u64(&s, &v));
    assert_int_equal(v, 12);
    assert_str(s, "x");
    assert_false(str_take_u64(&s, &v));
    assert_false(str_u64(STR("18446744073709551616"), &v));
    assert_true(str_u64(STR("18446744073709551615"), &v));
    assert_true(str_i64(STR("-5"), &i));
    assert_int_equal(i, -5);
    assert_false(str_i64(STR("9223372036854775808"), &i));
}

static void searches(void **state)
{
    struct str out;

    (void)state;
    assert_int_equal(str_find(STR("abcabc"), STR("ca")), 2);
    assert_int_equal(str_find(STR(""), STR("x")), -1);
    assert_int_equal(str_rchr(STR("a/b/c"), '/'), 3);
    assert_true(str_between(STR("x [y] z"), STR("["), STR("]"), &out));
    assert_str(out, "y");
    assert_false(str_between(STR("x [y"), STR("["), STR("]"), &out));
    assert_str(str_trim(STR(" \t a b\r\n")), "a b");
    assert_true(str_cmp(STR("a"), STR("ab")) < 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splits),
        cmocka_unit_test(numbers),
        cmocka_unit_test(searches),
    };

    return RUN(tests);
}
