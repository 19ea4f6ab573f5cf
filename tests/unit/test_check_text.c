#include "relaunch/workload/pattern.h"
#include "unit.h"

#include "relaunch/checks/check_agreed.h"
#include "relaunch/checks/check_text.h"

#include <math.h>
#include <stdio.h>

#define GIVEN CHECK_TOLERANCE_UNSET, CHECK_TOLERANCE_UNSET

static struct check check_of(const char *text, double rtol, double atol)
{
    return (struct check){.text = str_of(text), .rtol = rtol, .atol = atol};
}

/* "different line 2: 0.5 | 0.7 (0.2, 0.4)" */
static const char *words(const struct check_result *r)
{
    static char out[1200];
    int n = snprintf(out, sizeof out, "%s", check_outcome_name(r->outcome));

    if (r->why[0])
        n += snprintf(out + n, sizeof out - (size_t)n, " {%s}", r->why);
    if (r->where[0])
        n += snprintf(out + n, sizeof out - (size_t)n, " %s: %s | %s", r->where, r->then, r->now);
    if (r->max_abs > 0)
        snprintf(out + n, sizeof out - (size_t)n, " (%.3g, %.3g)", r->max_abs, r->max_rel);
    return out;
}

static const char *lines(const char *then, const char *now, double rtol, double atol)
{
    const struct check c = check_of("", rtol, atol);
    struct check_result r = {0};

    check_lines(&c, str_of(then), str_of(now), &r);
    return words(&r);
}

static const char *matches(const char *pattern, const char *then, const char *now)
{
    const struct check c = check_of(pattern, GIVEN);
    struct check_result r = {0};

    check_matches(&c, str_of(then), str_of(now), &r);
    return words(&r);
}

static void test_numbers(void **state)
{
    static const struct {
        const char *text;
        double number;
    } good[] = {{"0.25", 0.25}, {"-1e-5", -1e-5}, {".5", .5}, {"5.", 5}, {"+3", 3}, {"-inf", -INFINITY},
                {"Infinity", INFINITY}};
    static const char *const bad[] = {"", "1.2.3", "0x10", "1j", "1e", "-", ".", "nan(1)", "12px", "1,5", "2026-11-21",
                                      "e5", " 1", "infinite"};
    double x = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(good); i++) {
        assert_true(check_number(str_of(good[i].text), &x));
        assert_true(x == good[i].number);
    }
    assert_true(check_number(STR("NaN"), &x) && isnan(x));
    for (size_t i = 0; i < COUNT(bad); i++)
        if (check_number(str_of(bad[i]), &x))
            fail_msg("\"%s\" is a number", bad[i]);
}

static void test_lines(void **state)
{
    (void)state;
    assert_string_equal(lines("", "", GIVEN), "same");
    assert_string_equal(lines("a b\nloss=0.5, x\n", "a b\nloss=0.5, x\n", GIVEN), "same");
    assert_string_equal(lines("loss=0.5,\n", "loss=0.50001,\n", GIVEN), "same line 1: 0.5 | 0.50001 (1e-05, 2e-05)");
    assert_string_equal(lines("x\nloss=0.5, 1\n", "x\nloss=0.7, 2\n", GIVEN), "different line 2: 1 | 2 (1, 1)");
    assert_string_equal(lines("0.5", "0.7", .5, 0), "same line 1: 0.5 | 0.7 (0.2, 0.4)");
    assert_string_equal(lines("0.5", "0.7", 0, .1), "different line 1: 0.5 | 0.7 (0.2, 0.4)");
    assert_string_equal(lines("1\n2\n", "1\n2\n3\n", GIVEN), "different {it has more lines now} line 3:  | 3");
    assert_string_equal(lines("1\n2\n", "1\n", GIVEN), "different {it has fewer lines now} line 2: 2 | ");
    assert_string_equal(lines("conv1 a\nb", "conv2 a\nc", GIVEN), "different line 1: conv1 a | conv2 a");
    assert_string_equal(lines("v 1.2.3", "v 1.2.4", GIVEN), "different line 1: v 1.2.3 | v 1.2.4");
    assert_string_equal(lines("a 1", "a 1 2", GIVEN), "different line 1: a 1 | a 1 2");
    assert_string_equal(lines("a 1", "a", GIVEN), "different line 1: a 1 | a");
}

static void test_odd_numbers(void **state)
{
    (void)state;
    assert_string_equal(lines("nan inf", "NaN inf", GIVEN), "same");
    assert_string_equal(lines("nan", "0.5", GIVEN), "different line 1: nan | 0.5 (inf, inf)");
    assert_string_equal(lines("0.5", "nan", 1e9, 1e9), "different line 1: 0.5 | nan (inf, inf)");
    assert_string_equal(lines("inf", "-inf", 1e9, 1e9), "different line 1: inf | -inf (inf, inf)");
    assert_string_equal(lines("0", "0.00005", GIVEN), "same line 1: 0 | 0.00005 (5e-05, inf)");
    assert_string_equal(lines("1 2", "1 2.5", 0, 0), "different line 1: 2 | 2.5 (0.5, 0.25)");
    /* The worst place is that which is furthest out of its tolerance. */
    assert_string_equal(lines("1000 1", "1001 2", .01, 0), "different line 1: 1 | 2 (1, 1)");
    /* A text that differs is worse than any number, and the first one is reported. */
    assert_string_equal(lines("1\na\nb", "5\nc\nd", GIVEN), "different line 2: a | c (4, 4)");
}

static void test_bytes(void **state)
{
    const struct check c = check_of("", GIVEN);
    struct check_result r = {0}, same = {0};

    (void)state;
    check_lines(&c, STR("a\0b"), STR("a\0cd"), &r);
    assert_string_equal(words(&r), "different {the bytes differ} byte 2: 3 bytes | 4 bytes");
    check_lines(&c, STR("a\0b"), STR("a\0b"), &same);
    assert_string_equal(words(&same), "same");
}

static void test_matches(void **state)
{
    const char *text = "step 1 loss 0.5\nstep 2 loss 0.25\ndone";

    (void)state;
    assert_string_equal(matches("loss ([0-9.]+)", text, text), "same");
    assert_string_equal(matches("loss ([0-9.]+)", text, "step 1 loss 0.5\nstep 9 loss 0.35\n"),
                        "different match 2: 0.25 | 0.35 (0.1, 0.4)");
    assert_string_equal(matches("loss ([0-9.]+)", text, "loss 0.5"),
                        "different {it matches less often now} match 2: 0.25 | ");
    assert_string_equal(matches("loss [0-9.]+", text, "loss 0.5\nloss 0.26"),
                        "different match 2: loss 0.25 | loss 0.26");
    assert_string_equal(matches("lost (.*)", text, text),
                        "not-compared {the expression matches nothing, neither then nor now}");
    assert_string_equal(matches("lost (.*)", text, "lost x"), "different {it matches more often now} match 1:  | x");
    assert_string_equal(matches("[0-9]+", "1 2 3", "1 2 4"), "different match 3: 3 | 4 (1, 0.333)");
    assert_string_equal(matches("^[a-z]", "abc\nd", "abc\nd"), "same");
    assert_int_equal(check_match_count(STR("^[a-z]"), STR("abc\nd")), 2);
    assert_int_equal(check_match_count(STR("x*"), STR("yyy")), 3);
    assert_int_equal(check_match_count(STR("("), STR("yyy")), UINT64_MAX);
    assert_non_null(strstr(matches("(", text, text), "not-compared {`(` is not an extended regular expression: "));
}

static void test_pattern(void **state)
{
    struct arena *a = arena_new();

    (void)state;
    assert_str(pattern_error(a, STR("loss ([0-9.]+)")), "");
    assert_true(str_has(pattern_error(a, STR("a[")), STR("`a[` is not an extended regular expression")));
    arena_free(a);
}

/* Only the beginning of a very long line is looked at. */
static void test_long_line(void **state)
{
    enum { LOOKED_AT = 1 << 16 };
    char *text = test_malloc(LOOKED_AT + 11);

    (void)state;
    memset(text, ' ', LOOKED_AT + 10);
    text[LOOKED_AT + 10] = 0; /* the sanitizer's regexec looks for it, whatever part of a text is asked for */
    text[LOOKED_AT - 1] = text[LOOKED_AT] = 'x';
    assert_int_equal(check_match_count(STR("x"), (struct str){text, LOOKED_AT + 10}), 1);
    test_free(text);
}

/* What is shown of a long value is cut. */
static void test_long(void **state)
{
    char *then = test_malloc(100001), *now = test_malloc(100001);
    const struct check c = check_of("", GIVEN);
    struct check_result r = {0};

    (void)state;
    memset(then, 'a', 100000);
    memset(now, 'b', 100000);
    check_lines(&c, (struct str){then, 100000}, (struct str){now, 100000}, &r);
    assert_int_equal(strlen(r.then), CHECK_SHOWN - 1);
    assert_string_equal(r.then + CHECK_SHOWN - 5, "a...");
    test_free(then);
    test_free(now);
}

static void agreed(void **state)
{
    static const struct {
        const char *first, *second, *now, *words;
    } cases[] = {
        {"a\nb\n", "a\nb\n", "a\nb\n", "same"},
        {"a\nb\n", "a\nb\n", "b\na\n", "same"}, /* in another order */
        {"a\nb\n", "a\nb\n", "a\nc\n", "different line 2: b | c"},
        {"a\nb\n", "a\nb\n", "a\n", "different {it prints fewer lines now} line 2: b | "},
        {"a\n", "a\n", "a\nb\n", "different {it prints more lines now} line 2:  | b"},
        {"a\n\nb", "a\nb", "a \nb\n\n", "same"}, /* blanks are nothing */
        {"loss 0.5 in 1.25 s", "loss 0.5 in 1.5 s", "loss 0.5 in 9 s", "same"},
        {"loss 0.5 in 1.25 s", "loss 0.5 in 1.5 s", "loss 0.75 in 9 s",
         "different line 1: loss 0.5 in 1.25 s | loss 0.75 in 9 s"},
        {"loss 0.5", "loss 0.5", "loss 0.50001", "same"}, /* within the tolerance */
        {"step 10000", "step 10000", "step 10001", "different line 1: step 10000 | step 10001"}, /* a whole number */
        {"0.5", "0.75", "0.25", "not-compared {two runs have no output in common}"},
        {"loss 0.5", "loss 0.75", "loss 0.25", "not-compared {two runs have no output in common}"},
        {"", "", "", "not-compared {two runs have no output in common}"},
        {"a\nb 1", "a\nc\nd", "a\ne", "same"}, /* what only one has is left out */
        {"a\nb\nx", "a\nb\ny\nz", "a\nx", "different {a line is missing now} line 2: b | "},
        {"a\na\n", "a\na\n", "a\n", "different {it prints fewer lines now} line 2: a | "},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct check_result r;

        check_agreed(a, str_of(cases[i].first), str_of(cases[i].second), str_of(cases[i].now), &r);
        assert_string_equal(words(&r), cases[i].words);
    }
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agreed),
        cmocka_unit_test(test_numbers), cmocka_unit_test(test_lines),   cmocka_unit_test(test_odd_numbers),
        cmocka_unit_test(test_bytes),   cmocka_unit_test(test_matches), cmocka_unit_test(test_pattern),
        cmocka_unit_test(test_long),
        cmocka_unit_test(test_long_line),
    };

    return RUN(tests);
}
