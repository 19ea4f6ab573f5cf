#include "unit.h"

#include "text/messages/shape_expression.h"

static void words_of_expressions(void **state)
{
    static const struct {
        const char *expression, *names, *words;
        bool is_python, has_symbols;
    } cases[] = {
        {"Eq(s77, 3)", "s77 = L['x'].size()[0]", "x.shape[0] == 3", true, false},
        {"u0 > 2", "u0 = length", "length > 2", true, false},
        {"u0 > 2", "", "u0 > 2", true, true},
        {"u0 > 2", "u01 = a, u0 = b", "b > 2", true, false},
        {"Ne(u0, s3)", "u0 = n, s3 = L['self'].sizes['a, b']", "n != self.sizes['a, b']", true, false},
        {"Eq(Mod(u0, 4), 0)", "u0 = n", "(n % 4) == 0", true, false},
        {"Eq((12//u0), 0)", "u0 = n", "(12//n) == 0", true, false},
        {"Eq((((-u0)//3)) + 5, 0)", "u0 = n", "(((-n)//3)) + 5 == 0", true, false},
        {"Eq(u0, 1) | (u0 > 5)", "u0 = n", "(n == 1) | (n > 5)", true, false},
        {"Max(1, u0) < 7", "u0 = n", "Max(1, n) < 7", false, false},
        {"Eq(u0", "u0 = n", "Eq(n", false, false},
        {"Eq(u0)", "u0 = n", "Eq(n)", false, false},
        {"zuf0 < 1", "", "zuf0 < 1", true, true},
        {"up == s", "", "up == s", true, false},
        {")(", "", ")(", true, false},
        {"", "", "", false, false},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct shape_words w = shape_expression_words(a, str_of(cases[i].expression), str_of(cases[i].names));

        assert_str(w.text, cases[i].words);
        if (w.is_python != cases[i].is_python || w.has_symbols != cases[i].has_symbols)
            fail_msg("%s: %d, %d", cases[i].expression, w.is_python, w.has_symbols);
    }
    arena_free(a);
}

/* Deep ones end: what is too deep stays as it is. */
static void deep_expressions(void **state)
{
    struct arena *a = arena_new();
    struct shape_words w;
    struct str s = STR("u0");

    (void)state;
    for (int i = 0; i < 100; i++)
        s = arena_printf(a, "Eq(%.*s, 1)", STR_ARG(s));
    w = shape_expression_words(a, s, STR("u0 = n"));
    assert_true(str_starts(w.text, STR("(((")));
    assert_false(w.is_python);
    assert_false(shape_expression_words(a, arena_printf(a, "%*s > 1", 4000, "u0"), STR("")).is_python);
    arena_free(a);
}

static void opposites(void **state)
{
    static const char *const cases[][2] = {
        {"n == 0", "n != 0"},
        {"n != 0", "n == 0"},
        {"n > 2", "n <= 2"},
        {"n >= 2", "n < 2"},
        {"n <= 2", "n > 2"},
        {"n < 2", "n >= 2"},
        {"f(a == b) < 1", "f(a == b) >= 1"},
        {"flag", ""},
        {"1 < n < 3", ""},
        {"", ""},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_str(shape_condition_opposite(a, str_of(cases[i][0])), cases[i][1]);
    arena_free(a);
}

static void conditions_of_lines(void **state)
{
    static const struct {
        const char *line, *text;
        enum condition_form form;
        bool stands_alone;
    } cases[] = {
        {"    if n > 4:", "n > 4", CONDITION_COMPARISON, true},
        {"if x[1:] > 4: return x", "x[1:] > 4", CONDITION_COMPARISON, true},
        {"if x.item() > 4:", "x.item() > 4", CONDITION_OTHER, true},
        {"if x.numel() > 4:", "x.numel() > 4", CONDITION_COMPARISON, true},
        {"if len(x) + x.size(0) > x.dim():", "len(x) + x.size(0) > x.dim()", CONDITION_COMPARISON, true},
        {"if self.till.numel(x) > size(4):", "self.till.numel(x) > size(4)", CONDITION_OTHER, true},
        {"if x[mask].numel() > 4:", "x[mask].numel() > 4", CONDITION_OTHER, true},
        {"if total(x) > 4:", "total(x) > 4", CONDITION_OTHER, true},
        {"if (n - 1) * (m) > 4:", "(n - 1) * (m) > 4", CONDITION_COMPARISON, true},
        {"if n > 4 | m > 3:", "n > 4 | m > 3", CONDITION_OTHER, true},
        {"elif n == 4:", "n == 4", CONDITION_COMPARISON, false},
        {"while x[1:] > 4:", "x[1:] > 4", CONDITION_COMPARISON, false},
        {"assert n > 4, f\"got {n}\"", "n > 4", CONDITION_COMPARISON, true},
        {"assert n > 4  # always", "n > 4", CONDITION_COMPARISON, true},
        {"if flag:", "flag", CONDITION_VALUE, true},
        {"if not flag:", "not flag", CONDITION_OTHER, true},
        {"if a > 1 and b > 1:", "a > 1 and b > 1", CONDITION_OTHER, true},
        {"if 1 < n < 4:", "1 < n < 4", CONDITION_OTHER, true},
        {"if n > 4 or x == \" and \":", "n > 4 or x == \" and \"", CONDITION_OTHER, true},
        {"if (n > 4 and", "", CONDITION_NONE, false},
        {"assert (n > 4", "(n > 4", CONDITION_NONE, true},
        {"y = x[:n]", "", CONDITION_NONE, false},
        {"iffy(n)", "", CONDITION_NONE, false},
        {"if :", "", CONDITION_NONE, true},
        {"", "", CONDITION_NONE, false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct line_condition c = line_condition_of(str_of(cases[i].line));

        assert_str(c.text, cases[i].text);
        if (c.form != cases[i].form || c.stands_alone != cases[i].stands_alone)
            fail_msg("%s: %d, %d", cases[i].line, c.form, c.stands_alone);
    }
}

static void sizes_of_the_example(void **state)
{
    static const struct {
        const char *message, *number, *symbol;
    } cases[] = {
        {"data-dependent expression Ne(u0, 12) (unhinted: Ne(u0, s7)).  (Size-like", "12", "s7"},
        {"data-dependent expression Eq(u1, 4) (unhinted: Eq(u1, s0)).", "4", "s0"},
        {"data-dependent expression Eq(u1, 4) (unhinted: Eq(u1, 4)).", "", ""},
        {"data-dependent expression Eq(u1, 4) (unhinted: Eq(u2, s0)).", "", ""},
        {"data-dependent expression Eq(u1, 4) (unhinted: Eq(u1, s0 + 1)).", "", ""},
        {"data-dependent expression u1 < 4 (unhinted: u1 < s0).", "", ""},
        {"data-dependent expression Eq(u1, 4)", "", ""},
        {"", "", ""},
    };
    static const char *const lines[][2] = {
        {"shelf[:, :goods.shape[-1]] = goods", "goods.shape[-1] == shelf.shape[-1]"},
        {"self.shelf[:goods.shape[-1]] = goods", "goods.shape[-1] == self.shelf.shape[-1]"},
        {"shelf[:goods.shape[-1], :] = goods", ""},
        {"shelf[:, :n] = goods", ""},
        {"goods = shelf[:, :goods.shape[-1]]", ""},
        {"] = [", ""},
        {"", ""},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct str number, symbol;
        bool found = hint_of_example(str_of(cases[i].message), &number, &symbol);

        if (found != (cases[i].number[0] != 0))
            fail_msg("%s", cases[i].message);
        if (found) {
            assert_str(number, cases[i].number);
            assert_str(symbol, cases[i].symbol);
        }
    }
    for (size_t i = 0; i < COUNT(lines); i++)
        assert_str(line_whole_slice_of(a, str_of(lines[i][0])), lines[i][1]);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_of_expressions),
        cmocka_unit_test(deep_expressions),
        cmocka_unit_test(opposites),
        cmocka_unit_test(conditions_of_lines),
        cmocka_unit_test(sizes_of_the_example),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
