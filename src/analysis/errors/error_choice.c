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
        if ((rest.p + at == source.p || !(str_is_name_char(rest.p[at - 1]) || rest.p[at - 1] == '.')) &&
            end >= 0 && take_values(str_take(inside, (size_t)end), out)) {
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

/* "u1 > u0", "u0 - u1 < 0": two sizes are compared, and not whether one is 0 or a tensor is true. */
static bool compares(struct str message)
{
    static const struct str lead = STR_INIT("data-dependent expression ");
    ptrdiff_t at = str_find(message, lead);
    struct str expression = str_skip(str_first_line(message), at < 0 ? message.n : (size_t)at + lead.n);
    ptrdiff_t end = str_find(expression, STR(" ("));

    expression = str_take(expression, end < 0 ? expression.n : (size_t)end);
    return str_has_any_line(expression, STR(" > \n < \n >= \n <= "));
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
                                c.third.n ? (c.largest ? "largest" : "smallest") : c.largest ? "larger" : "smaller",
                                name, STR_ARG(instead), STR_ARG(c.code),
                                c.called && !c.third.n
                                    ? " Dynamo does this by itself (`torch.export.export(..., strict=True)`), and "
                                      "newer versions (2.13) do without it."
                                    : ""));
}
