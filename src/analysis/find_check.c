/* The two sides of a condition that the compiler cannot decide, in Python. */
#include "analysis/find.h"

/* "n > 4" of "if n > 4:"; empty when the line is no condition. */
static struct str condition_of(struct str source)
{
    static const struct str words[] = {STR_INIT("if "), STR_INIT("elif "), STR_INIT("while "), STR_INIT("assert ")};
    ptrdiff_t end;

    source = str_trim(source);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!str_consume(&source, words[i]))
            continue;
        end = i < 3 ? str_rchr(source, ':') : (ptrdiff_t)source.n;
        return end > 0 ? str_trim(str_take(source, (size_t)end)) : (struct str){0};
    }
    return (struct str){0};
}

static const struct comparison {
    struct str text, opposite;
} comparisons[] = {
    {STR_INIT("<="), STR_INIT(">")},  {STR_INIT(">="), STR_INIT("<")}, {STR_INIT("=="), STR_INIT("!=")},
    {STR_INIT("!="), STR_INIT("==")}, {STR_INIT("<"), STR_INIT(">=")}, {STR_INIT(">"), STR_INIT("<=")},
};

static const struct comparison *comparison_at(struct str s)
{
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++)
        if (str_starts(s, comparisons[i].text))
            return &comparisons[i];
    return NULL;
}

static bool is_plain(struct str s)
{
    static const struct str words[] = {STR_INIT(" and "), STR_INIT(" or "),  STR_INIT(" in "),
                                       STR_INIT(" is "),  STR_INIT("not "),  STR_INIT(" if "),
                                       STR_INIT("lambda"), STR_INIT(":=")};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_has(s, words[i]))
            return false;
    /* A call may read the value once more, which then is another one. */
    return s.n && !memchr(s.p, '(', s.n) && !memchr(s.p, '|', s.n) && !memchr(s.p, '&', s.n);
}

/* One comparison, "n - 1 < m", and its opposite; neither for anything else. */
static void set_sides(struct arena *a, struct str s, struct condition *out)
{
    const struct comparison *found = NULL;
    size_t at = 0;

    for (size_t i = 0; i < s.n; i++) {
        const struct comparison *here = comparison_at(str_skip(s, i));

        if (!here)
            continue;
        if (found)
            return;
        found = here;
        at = i;
        i += here->text.n - 1;
    }
    if (!found || !is_plain(s))
        return;
    out->holds = s;
    out->fails = arena_printf(a, "%.*s %.*s %.*s", STR_ARG(str_trim(str_take(s, at))), STR_ARG(found->opposite),
                              STR_ARG(str_trim(str_skip(s, at + found->text.n))));
}

/* "u77 - 1 == 1" of SymPy's "Eq(u77 - 1, 1)"; other texts as they are. */
static struct str in_python(struct arena *a, struct str expression)
{
    bool equal = str_starts(expression, STR("Eq(")), unequal = str_starts(expression, STR("Ne("));
    struct str inner, left;

    if (!equal && !unequal)
        return expression;
    inner = str_drop(str_skip(expression, 3), 1);
    if (!str_ends(expression, STR(")")) || str_chr(inner, '(') >= 0 || str_chr(inner, ',') < 0)
        return (struct str){0};
    left = str_split(&inner, ',');
    return str_chr(inner, ',') >= 0 ? (struct str){0}
                                    : arena_printf(a, "%.*s %s %.*s", STR_ARG(str_trim(left)), equal ? "==" : "!=",
                                                   STR_ARG(str_trim(inner)));
}

void finding_condition(struct arena *a, struct str expression, struct str source, struct condition *out)
{
    *out = (struct condition){0};
    set_sides(a, condition_of(source), out);
    if (out->holds.n || expression.n == 0)
        return;
    set_sides(a, in_python(a, expression), out);
    out->symbolic = out->holds.n > 0;
}
