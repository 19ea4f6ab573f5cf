#include "text/guards/guard_comment.h"

#include "text/python/python_code.h"

static const struct str mark = STR_INIT("  # "), squeezed = STR_INIT(" # ");

/* Moves *end, which is after a ':' and digits, to before them. The number is at least 0. */
static bool line_number_before(struct str text, size_t *end, int64_t *line)
{
    size_t begin = *end;

    while (begin > 0 && str_is_digit(text.p[begin - 1]))
        begin--;
    if (begin == 0 || text.p[begin - 1] != ':' || !str_i64(str_range(text.p + begin, text.p + *end), line))
        return false;
    *end = begin - 1;
    return true;
}

/* "FILE:LINE in FUNCTION"; *rest is the text after it. A file name may contain colons, blanks and " in ", too. */
static bool parse_place(struct str text, struct guard_comment *out, struct str *rest)
{
    size_t from = 0, end;
    ptrdiff_t at;

    while ((at = str_find(str_skip(text, from), STR(" in "))) >= 0) {
        end = from + (size_t)at;
        from = end + 4;
        if (!line_number_before(text, &end, &out->line))
            continue;
        out->file = str_trim(str_take(text, end));
        *rest = str_skip(text, from);
        out->function = str_split(rest, ' ');
        return true;
    }
    return false;
}

/* Two hints are written as "(HINT: one) (HINT: two)". */
static struct str join_hints(struct arena *a, struct str hint)
{
    ptrdiff_t at = str_find(hint, STR(") (HINT: "));
    struct str second;

    if (at < 0)
        return hint;
    second = str_skip(hint, (size_t)at + 9);
    return arena_printf(a, "%.*s; %.*s", (int)at, hint.p, STR_ARG(second));
}

/*
 * The bracketed text after a place: "(HINT: ...)", a remark, or a place in PyTorch itself, which is not used. Several
 * comments are joined by ") and ".
 */
static struct str hint_of(struct arena *a, struct str text)
{
    struct guard_comment place;
    struct str rest;
    ptrdiff_t more;

    text = str_trim(text);
    if (!str_consume(&text, STR("(")))
        return STR("");
    more = str_find(text, STR(") and "));
    if (more >= 0)
        text = str_take(text, (size_t)more);
    else if (str_ends(text, STR(")")))
        text = str_drop(text, 1);
    if (str_consume(&text, STR("HINT: ")))
        return join_hints(a, text);
    return parse_place(text, &place, &rest) ? STR("") : text;
}

/* Sentences of torch/fx/experimental/symbolic_shapes.py that replace a place. Another check may follow. */
static bool take_remark(struct str comment, struct str *remark)
{
    static const struct str begins[] = {
        STR_INIT("duck sizing added "),
        STR_INIT("implicit guard for "),
        STR_INIT("(unknown source "),
    };

    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        ptrdiff_t end = str_find(comment, STR("; "));

        if (!str_starts(comment, begins[i]))
            continue;
        *remark = str_trim(end < 0 ? comment : str_take(comment, (size_t)end));
        return true;
    }
    return false;
}

/*
 * The user's line of code may contain '#' itself (`x = 1 # type: ignore`), so the place is the first part between
 * marks that looks like one. The very first part is the code, unless it is a place whose file name has no blank: `g =
 * lambda x:3 in x` is not a place.
 */
static void parse_comment(struct arena *a, struct str comment, struct str by, struct guard_comment *out)
{
    struct str part = comment;

    if (take_remark(comment, &out->hint))
        return;
    for (;;) {
        ptrdiff_t end = str_find(part, by);
        struct str candidate = end < 0 ? part : str_take(part, (size_t)end), rest;
        struct guard_comment place = {.check = out->check};
        bool first = part.p == comment.p;

        if (parse_place(candidate, &place, &rest) && (!first || str_chr(place.file, ' ') < 0)) {
            if (!first)
                place.user_code = str_trim(str_range(comment.p, part.p - by.n));
            place.hint = hint_of(a, rest);
            *out = place;
            return;
        }
        if (end < 0)
            break;
        part = str_skip(part, (size_t)end + by.n);
    }
    out->hint = str_trim(comment);
}

/* "y == 7 # return x + y # shop.py:5 in f": a web page made one blank of several. Only a place shows that. */
static bool parse_squeezed(struct arena *a, struct str text, struct guard_comment *out)
{
    struct guard_comment c = {0};
    ptrdiff_t at = python_find(text, squeezed, PYTHON_NOT_IN_STRING);

    if (at < 0)
        return false;
    parse_comment(a, str_skip(text, (size_t)at + squeezed.n), squeezed, &c);
    if (c.line == 0 || !str_ends(c.file, STR(".py")))
        return false;
    *out = c;
    out->check = str_trim(str_take(text, (size_t)at));
    return true;
}

struct str guard_comment_check(struct str text)
{
    ptrdiff_t at;

    text = str_trim(text);
    at = python_find(text, mark, PYTHON_NOT_IN_STRING);
    return at < 0 ? text : str_trim(str_take(text, (size_t)at));
}

void guard_comment_parse(struct arena *a, struct str text, struct guard_comment *out)
{
    ptrdiff_t at, hint;

    text = str_trim(text);
    at = python_find(text, mark, PYTHON_NOT_IN_STRING);
    *out = (struct guard_comment){.check = text};
    if (at >= 0) {
        out->check = str_trim(str_take(text, (size_t)at));
        parse_comment(a, str_skip(text, (size_t)at + mark.n), mark, out);
        return;
    }
    if (parse_squeezed(a, text, out))
        return;
    /* Without a comment, the hint follows the check, which is padded to 60 columns. */
    hint = python_find(out->check, STR(" (HINT: "), PYTHON_NOT_IN_STRING);
    if (hint < 0)
        return;
    out->hint = hint_of(a, str_skip(out->check, (size_t)hint));
    out->check = str_trim(str_take(out->check, (size_t)hint));
}
