#include "analysis/errors/error_choice.h"

#include "text/python/python_code.h"

/* What is chosen: the words of the line, and its two values. */
struct choice {
    struct str code, first, second, third; /* the last is most often empty */
    bool largest;
    bool called; /* by the builtin, which Dynamo knows */
};

/* The values of "max(a, b)", if there are two or three and none is a keyword's nor a generator. */
static bool take_values(struct str arguments, struct choice *out)
{
    struct str *values[] = {&out->first, &out->second, &out->third}, rest = arguments;
    ptrdiff_t comma = 0;
    size_t n = 0;

    for (out->third = (struct str){0}; comma >= 0; n++) {
        if (n == sizeof values / sizeof *values)
            return false;
        comma = python_find(rest, STR(","), PYTHON_TOP_LEVEL);
        *values[n] = str_trim(str_take(rest, comma < 0 ? rest.n : (size_t)comma));
        if (values[n]->n == 0)
            return false;
        rest = str_skip(rest, (size_t)(comma + 1));
    }
    return n > 1 && !str_has_any_line(arguments, STR("=\n for \n*\n\"\n'\n`\n:"));
}

static bool find_call(struct str source, struct str name, struct choice *out)
{
    for (struct str rest = source; rest.n;) {
        ptrdiff_t at = str_find(rest, name);
        struct str inside = str_skip(rest, at < 0 ? rest.n : (size_t)at + name.n);
        ptrdiff_t end = python_find(inside, STR(")"), PYTHON_TOP_LEVEL);

        if (at < 0)
            return false;
        /* "torch.max(" and "a.max(" take tensors */
        if ((rest.p + at == source.p || !(str_is_name_char(rest.p[at - 1]) || rest.p[at - 1] == '.')) && end >= 0 &&
            take_values(str_take(inside, (size_t)end), out)) {
            out->code = str_range(rest.p + at, inside.p + end + 1);
            out->called = true;
            return true;
        }
        rest = inside;
    }
    return false;
}

/* "n = a if a > b else b", "return a if b > a else b". */
static bool find_written_out(struct str source, struct choice *out)
{
    ptrdiff_t when = str_find(source, STR(" if ")), otherwise = str_find(source, STR(" else "));
    struct str condition, left, right;
    ptrdiff_t sign;

    if (when <= 0 || otherwise <= when)
        return false;
    out->first = str_take(source, (size_t)when);
    str_consume(&out->first, STR("return "));
    if ((sign = str_find(out->first, STR(" = "))) > 0)
        out->first = str_skip(out->first, (size_t)sign + 3);
    out->first = str_trim(out->first);
    out->second = str_trim(str_skip(source, (size_t)otherwise + 6));
    condition = str_range(source.p + when + 4, source.p + otherwise);
    sign = str_chr(condition, '>') >= 0 ? str_chr(condition, '>') : str_chr(condition, '<');
    if (sign <= 0 || !out->first.n || !out->second.n)
        return false;
    left = str_trim(str_take(condition, (size_t)sign));
    right = str_trim(str_skip_any(str_skip(condition, (size_t)sign + 1), "="));
    out->largest = (condition.p[sign] == '>') == str_eq(left, out->first);
    out->code = str_trim(str_range(out->first.p, out->second.p + out->second.n));
    return ((str_eq(left, out->first) && str_eq(right, out->second)) ||
            (str_eq(left, out->second) && str_eq(right, out->first))) &&
           str_chr(out->code, '`') < 0;
}

/* "Eq(2*u0, 0)" of "Could not guard on data-dependent expression Eq(2*u0, 0) (unhinted: Eq(2*u0, 0)).  (...)" */
static struct str expression_of(struct str message)
{
    static const struct str lead = STR_INIT("data-dependent expression ");
    ptrdiff_t at = str_find(message, lead);
    struct str expression = str_first_line(str_skip(message, at < 0 ? message.n : (size_t)at + lead.n));
    ptrdiff_t end = str_find(expression, STR(" ("));

    return str_take(expression, end < 0 ? expression.n : (size_t)end);
}

/* "u1 > u0", "u0 - u1 < 0": two sizes are compared, and not whether one is 0 or a tensor is true. */
static bool compares(struct str message)
{
    return str_has_any_line(expression_of(message), STR(" > \n < \n >= \n <= "));
}

static bool find_choice(const struct error *e, struct choice *out)
{
    struct str source = e->own_source;

    *out = (struct choice){0};
    if (e->category != ERROR_DATA_DEPENDENT || !compares(e->failure->message))
        return false;
    out->largest = true;
    if (find_call(source, STR("max("), out))
        return true;
    out->largest = false;
    return find_call(source, STR("min("), out) || find_written_out(source, out);
}

bool error_chooses_size(const struct error *e)
{
    struct choice c;

    return find_choice(e, &c);
}

/*
 * Checked with PyTorch 2.5.1, 2.6 and 2.13: torch.compile and an export with Dynamo take `max(a, b)` as it is, and
 * without Dynamo only 2.13 does; "a if a > b else b" is asked in all of them, and the functions work in all.
 */
void error_choice_say(struct arena *a, const struct error *e, struct error_steps *out)
{
    struct choice c;
    struct str instead;
    const char *name;

    if (!find_choice(e, &c))
        return;
    name = c.largest ? "sym_max" : "sym_min";
    instead = arena_printf(a, "%s(%.*s, %.*s)", name, STR_ARG(c.first), STR_ARG(c.second));
    if (c.third.n) /* they take two */
        instead = arena_printf(a, "%s(%.*s, %.*s)", name, STR_ARG(instead), STR_ARG(c.third));
    error_step_say(a, out,
                   arena_printf(a,
                                "The sizes are not known while tracing, so they cannot be compared, but the %s one can "
                                "be taken without that: `from torch import %s`, then `%.*s` instead of `%.*s`. No "
                                "`torch._check` is needed.%s",
                                c.third.n   ? (c.largest ? "largest" : "smallest")
                                : c.largest ? "larger"
                                            : "smaller",
                                name, STR_ARG(instead), STR_ARG(c.code),
                                c.called && !c.third.n
                                    ? " Dynamo does this by itself (`torch.export.export(..., strict=True)`), and "
                                      "newer versions (2.13) do without it."
                                    : ""));
}

/* --- whether a size is zero --------------------------------------------------------------------------------------- */

/* Functions whose arguments are sizes; other arguments of a call have names. */
static const struct str makers[] = {STR_INIT("ones("),   STR_INIT("zeros("),  STR_INIT("empty("),
                                    STR_INIT("full("),   STR_INIT("rand("),   STR_INIT("randn("),
                                    STR_INIT("arange("), STR_INIT("expand("), STR_INIT("repeat(")};

/* "c*2" of `return torch.ones(c*2)`: the arguments of the first such call. */
static struct str sizes_of(struct str source)
{
    struct str found = {0};

    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
        ptrdiff_t at = str_find(source, makers[i]), end;
        struct str inside = str_skip(source, at < 0 ? source.n : (size_t)at + makers[i].n);

        end = python_find(inside, STR(")"), PYTHON_TOP_LEVEL);
        if (end > 0 && (found.n == 0 || inside.p < found.p))
            found = str_take(inside, (size_t)end);
    }
    return found;
}

/* "c" of "c*2": the only name in an expression; empty where there are several, or calls and attributes. */
static struct str only_name(struct str code)
{
    struct str name = {0};

    for (size_t i = 0; i < code.n;) {
        size_t n = 0;

        while (i + n < code.n && str_is_name_char(code.p[i + n]))
            n++;
        if (n && !str_is_digit(code.p[i])) {
            if (name.n && !str_eq(name, str_range(code.p + i, code.p + i + n)))
                return (struct str){0};
            name = str_range(code.p + i, code.p + i + n);
        } else if (n == 0 && !strchr(" *+,()", code.p[i])) {
            return (struct str){0};
        }
        i += n ? n : 1;
    }
    return name;
}

/* "2*u0", "u0*u1", "u0 + u1" of "Eq(2*u0, 0)": no difference, for which nothing that is true of its parts helps. */
static struct str zero_size_of(struct str expression)
{
    struct str size = expression;
    size_t symbols = 0;

    if ((!str_consume(&size, STR("Eq(")) && !str_consume(&size, STR("Ne("))) || !str_ends(size, STR(", 0)")))
        return (struct str){0};
    size = str_drop(size, 4);
    for (size_t i = 0; i < size.n; i++) {
        symbols += size.p[i] == 'u';
        if (!str_is_digit(size.p[i]) && !strchr("u*+ ", size.p[i]))
            return (struct str){0};
    }
    return symbols ? size : (struct str){0};
}

bool error_asks_zero_size(const struct error *e)
{
    struct str source = e->own_source;
    bool branches = str_starts(source, STR("if ")) || str_has_any_line(source, STR("elif \nwhile \nassert \n if "));

    return e->category == ERROR_DATA_DEPENDENT && !branches && sizes_of(source).n &&
           zero_size_of(expression_of(e->failure->message)).n;
}

/*
 * Checked with 2.5.1 and 2.6: `_check_is_size` of each value is enough for a sum or a product; a lower bound is for a
 * sum and for the multiple of one value; `_check(n >= 0)` and `_check(not n == 0)` are not. 2.13 asks nothing.
 */
void error_zero_size_say(struct arena *a, const struct error *e, struct error_steps *out)
{
    struct str size = zero_size_of(expression_of(e->failure->message)), name = only_name(sizes_of(e->own_source));
    bool several = str_chr(str_skip(size, (size_t)str_chr(size, 'u') + 1), 'u') >= 0;
    const char *of = several ? " of each value in it" : "";
    /* what has such a check is named there */
    bool has_check = str_has(e->failure->message, STR("Size-like symbols: u"));
    struct str at_least = {"", 0};

    if (name.n == 0)
        name = STR("n");
    if (!has_check)
        at_least = arena_printf(a, ", or%s `torch._check_is_size(%.*s)`, which also lets it be zero",
                                several ? ", which a product needs," : "", STR_ARG(name));
    error_step_say(a, out,
                   arena_printf(a,
                                "PyTorch asks whether the size `%.*s` is zero. Right behind the line that reads the "
                                "value%s (`%.*s = x.item()`), state what is true%s: `torch._check(%.*s > 0)`%.*s. "
                                "A check with `not` only asks again. A newer PyTorch (2.13) may not ask.",
                                STR_ARG(size), several ? "s" : "", STR_ARG(name), of, STR_ARG(name),
                                STR_ARG(at_least)));
}
