#include "torchlog/paste/paste_escapes.h"

#include "input/logger.h"
#include "text/messages/explain_text.h"
#include "text/python/exception_line.h"
#include "text/python/traceback.h"
#include "torchlog/crash/crash_lines.h"
#include "torchlog/paste/paste_known.h"
#include "util/buf.h"
#include "util/utf8.h"
#include "util/vec.h"

/*
 * Whoever logs JSON, or the repr() of a text, writes "\n" for the end of a line; so does PyTorch in reasons of breaks.
 */
static bool is_escaped(struct str line)
{
    static const struct str words[] = {STR_INIT("(most recent call last):\\n"), STR_INIT("\\n  File "),
                                       STR_INIT("\\nfrom user code:\\n"), STR_INIT("\\n  Explanation: ")};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_has(line, words[i]))
            return explain_reasons_find(line) < 0 && paste_look_at_line(line) != ANCHOR_GOOD;
    return false;
}

/* A line of a log in JSON, of which some text has several lines. */
static bool is_json(struct str line)
{
    line = str_trim(line);
    return str_starts(line, STR("{\"")) && str_ends(line, STR("}")) && str_has(line, STR("\\n"));
}

/* What is in the next pair of quotation marks, as it is written; moves behind it. */
static bool take_string(struct str *rest, struct str *out)
{
    ptrdiff_t open = str_chr(*rest, '"');
    size_t n = 0;

    if (open < 0)
        return false;
    *rest = str_skip(*rest, (size_t)open + 1);
    while (n < rest->n && rest->p[n] != '"')
        n += rest->p[n] == '\\' ? 2 : 1;
    *out = str_take(*rest, n);
    *rest = str_skip(*rest, n + 1);
    return true;
}

/* The text up to the next end of a line that is written out, with its escapes undone; moves behind it. */
static struct str take_unescaped(struct arena *a, struct str *rest)
{
    struct buf out = {0};
    struct str line;

    while (rest->n) {
        char c = rest->p[0], next = rest->n > 1 ? rest->p[1] : '\0';
        bool escape = c == '\\' && next && strchr("nrtu\"'\\/", next);
        unsigned code;

        *rest = str_skip(*rest, escape ? 2 : 1);
        if (escape && next == 'n')
            break;
        if (escape && next == 'u' && str_hex4(*rest, &code)) {
            *rest = str_skip(*rest, 4);
            utf8_put(&out, code == 0 || (code >= 0xd800 && code < 0xe000) ? 0xfffd : code);
        } else if (!escape || next != 'r') {
            buf_char(&out, !escape ? c : next == 't' ? '\t' : next);
        }
    }
    line = out.n ? arena_str(a, buf_view(&out)) : STR("");
    buf_free(&out);
    return line;
}

static size_t count_escapes(const struct paste_text *t)
{
    size_t n = 0;

    for (size_t i = 0; i < t->n; i++) {
        struct str rest = t->v[i];

        if (!is_json(rest) && !is_escaped(rest))
            continue;
        for (ptrdiff_t at; (at = str_find(rest, STR("\\n"))) >= 0; n++)
            rest = str_skip(rest, (size_t)at + 2);
    }
    return n;
}

static void add_unescaped(struct arena *a, struct paste_text *out, struct str text, uint32_t number)
{
    do {
        out->v[out->n] = take_unescaped(a, &text);
        out->numbers[out->n++] = number;
    } while (text.n);
}

/* Of JSON the texts of several lines. */
static void add_json(struct arena *a, struct paste_text *out, struct str line, uint32_t number)
{
    struct str text;

    while (take_string(&line, &text))
        if (str_has(text, STR("\\n")))
            add_unescaped(a, out, text, number);
}

bool paste_unescape(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    size_t more = 2 * count_escapes(from); /* a line begins behind each, and with each text of JSON that has one */

    if (more == 0)
        return false;
    more += from->n;
    *out = (struct paste_text){ARENA_ARRAY(a, struct str, more), ARENA_ARRAY(a, uint32_t, more), 0};
    for (size_t i = 0; i < from->n; i++) {
        if (is_json(from->v[i])) {
            add_json(a, out, from->v[i], from->numbers[i]);
        } else if (is_escaped(from->v[i])) {
            add_unescaped(a, out, from->v[i], from->numbers[i]);
        } else {
            out->v[out->n] = from->v[i];
            out->numbers[out->n++] = from->numbers[i];
        }
    }
    return true;
}

/* --- ends that were lost ------------------------------------------------------------------------------------------ */

enum { FLOWING_MAX = 1 << 16 };

static bool begins_call(struct str text)
{
    return str_starts(text, paste_call_begin) && paste_is_whole_call(str_take(text, PASTE_LOOKED_AT));
}

/*
 * Whether something stands behind the function of a call: its code, or the next call. In strings that are printed as
 * Python writes them, "in f\n    y = g(x)" and "in f', '    y = g(x)", no end of a line was lost.
 */
static bool is_followed_call(struct str text)
{
    ptrdiff_t in = str_find(str_take(text, PASTE_LOOKED_AT), STR(", in ")), blank;
    struct str function = in < 0 ? STR("") : str_skip(text, (size_t)in + 5);

    blank = str_chr(function, ' ');
    function = str_take(function, blank > 0 ? (size_t)blank : 0);
    return begins_call(text) && function.n && str_chr(function, '\\') < 0 && str_chr(function, '\'') < 0;
}

/*
 * A page that shows text without its ends of lines: `from user code: File "/x.py", line 3, in f y = g(x) File "/y.py",
 * line 7, in g ...`. One call in a line may be a sentence's.
 */
static bool is_flowing(struct str line)
{
    size_t calls = 0;
    ptrdiff_t at;

    if (line.n > FLOWING_MAX)
        return false;
    for (; (at = str_find(line, paste_call_begin)) >= 0; line = str_skip(line, (size_t)at + 1)) {
        struct str before = str_trim(str_take(line, (size_t)at));

        if (!is_followed_call(str_skip(line, (size_t)at)))
            continue;
        if (++calls > 1 || str_ends(before, STR("from user code:")) || str_ends(before, paste_header))
            return true;
    }
    return false;
}

/* What begins a line of its own: how long it is at least, and whether the line ends there. */
struct own_line {
    size_t n;
    enum { OWN_NONE, OWN_CALL, OWN_WHOLE, OWN_BEGIN } kind;
};

/* Behind the name of an exception: a line of its message. Words that begin small stand within sentences, too. */
static bool is_part_of_message(struct str text)
{
    static const struct str small[] = {STR_INIT("target: "), STR_INIT("args["),
                                       STR_INIT("triggered by the following guard failure(s):")};
    struct str item = text;
    uint64_t number;

    if (str_consume(&item, STR("- ")) && str_take_u64(&item, &number) && str_consume(&item, STR("/")))
        return true;
    return STR_STARTS_ANY(text, small) ||
           (crash_is_message(text) && ((text.p[0] >= 'A' && text.p[0] <= 'Z') || strchr("-(`", text.p[0])));
}

/* In a stack an exception may begin, and behind one the lines of its message. */
static struct own_line own_line(struct str text, bool in_stack)
{
    static const struct str headings[] = {STR_INIT("from user code:"), STR_INIT("Suggested fixes:")};
    struct str rest = str_take(text, PASTE_LOOKED_AT);
    struct exception_name name;

    if (begins_call(text)) {
        ptrdiff_t in = str_find(rest, STR(", in "));
        size_t n = in < 0 ? rest.n : (size_t)in + 5;

        while (n < rest.n && rest.p[n] != ' ')
            n++;
        return (struct own_line){n, OWN_CALL};
    }
    if (str_starts(text, paste_header) || crash_is_link(text) || STR_STARTS_ANY(text, headings))
        return (struct own_line){(size_t)str_chr(text, ':') + 1, OWN_WHOLE};
    if (crash_is_trailer(text) || (!in_stack && is_part_of_message(text)))
        return (struct own_line){1, OWN_BEGIN};
    if (in_stack && exception_line_begins(rest) != EXCEPTION_NONE && exception_name_take(&rest, &name))
        return (struct own_line){1, OWN_BEGIN};
    return (struct own_line){0};
}

typedef VEC(struct str) lines_t;

static void add_piece(struct arena *a, lines_t *out, struct str text, int blanks)
{
    text = str_trim(text);
    while (blanks && text.n && memchr("^~ ", text.p[text.n - 1], 3)) /* marks below code */
        text.n--;
    if (text.n)
        vec_push(a, out, arena_printf(a, "%*s%.*s", blanks, "", STR_ARG(text)));
}

/* The lines of a traceback that a line has. Between the calls stands their code. */
static void part_lines(struct arena *a, struct str text, lines_t *out)
{
    size_t begin = 0;
    bool in_stack = false, code = false;

    for (size_t at = 0; at < text.n; at++) {
        struct own_line own =
            at && text.p[at - 1] != ' ' ? (struct own_line){0} : own_line(str_skip(text, at), in_stack);

        if (own.kind == OWN_NONE)
            continue;
        if (own.kind == OWN_CALL && paste_is_before_inline_call(str_take(text, at))) {
            add_piece(a, out, str_range(text.p + begin, text.p + at + own.n), code ? 4 : 0);
            begin = at + own.n;
            at = begin - 1;
            code = true;
            continue;
        }
        add_piece(a, out, str_range(text.p + begin, text.p + at), code ? 4 : 0);
        begin = at;
        if (own.kind != OWN_BEGIN) {
            add_piece(a, out, str_take(str_skip(text, at), own.n), own.kind == OWN_CALL ? 2 : 0);
            begin = at + own.n;
        }
        at += own.n - 1;
        code = own.kind == OWN_CALL;
        in_stack = code;
    }
    add_piece(a, out, str_skip(text, begin), code ? 4 : 0);
}

bool paste_unflow(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    lines_t lines = {0};
    VEC(uint32_t) numbers = {0};
    bool found = false;

    for (size_t i = 0; i < from->n; i++) {
        bool flows = is_flowing(from->v[i]);

        found |= flows;
        if (flows)
            part_lines(a, from->v[i], &lines);
        else
            vec_push(a, &lines, from->v[i]);
        while (numbers.n < lines.n)
            vec_push(a, &numbers, from->numbers[i]);
    }
    *out = (struct paste_text){lines.v, numbers.v, lines.n};
    return found;
}

/* --- exceptions as repr() shows them ------------------------------------------------------------------------------ */

/* Takes a text in single or double quotation marks, with its escapes, off *rest; *out is what is between them. */
static bool take_quoted(struct str *rest, struct str *out)
{
    char quote = rest->n ? rest->p[0] : '\0';
    size_t n = 1;

    if (quote != '"' && quote != '\'')
        return false;
    while (n < rest->n && rest->p[n] != quote)
        n += rest->p[n] == '\\' ? 2 : 1;
    if (n >= rest->n)
        return false;
    *out = str_range(rest->p + 1, rest->p + n);
    *rest = str_skip(*rest, n + 1);
    return true;
}

struct repr_exception {
    struct str name, number, quoted, text; /* `number` of OSError(28, 'text'); `quoted` with the quotation marks */
};

/* `ValueError("text")`, and `OSError(28, 'text')`, to the end of the line. */
static bool is_shown_exception(struct str s, struct repr_exception *out)
{
    enum { NAME_MAX_BYTES = 100 };
    ptrdiff_t open = str_chr(str_take(s, NAME_MAX_BYTES), '(');
    struct str named, rest;
    uint64_t number;

    if (open <= 0 || !str_ends(s, STR(")")))
        return false;
    *out = (struct repr_exception){.name = str_take(s, (size_t)open)};
    named = out->name;
    for (size_t i = 0; i < named.n; i++)
        if (!str_is_word_char(named.p[i]) && named.p[i] != '.')
            return false;
    if (!str_ends(named, STR("Error")) && !str_ends(named, STR("Exception")) && !str_eq(named, STR("Unsupported")))
        return false;
    rest = str_skip(s, named.n + 1);
    out->number = rest;
    if (str_take_u64(&rest, &number) && str_starts(rest, STR(", ")))
        out->number = str_range(out->number.p, rest.p);
    else
        out->number.n = 0;
    str_consume(&rest, STR(", "));
    out->quoted = rest;
    if (!take_quoted(&rest, &out->text) || out->text.n == 0 || !str_eq(rest, STR(")")))
        return false;
    out->quoted = str_range(out->quoted.p, rest.p);
    return true;
}

/* Where it begins: behind the prefixes of a line, or at the end of what a logger warns of; -1 where there is none. */
static ptrdiff_t find_shown_exception(struct str line, struct repr_exception *out)
{
    struct str bare, whole;
    size_t begin;
    char level;
    bool logged;
    ptrdiff_t colon;

    if (!str_ends(line, STR("\")")) && !str_ends(line, STR("')")))
        return -1;
    begin = paste_own_prefix(line);
    bare = whole = str_skip(line, begin);
    logged = begin > 0;
    if (logger_take(&bare, &level)) {
        logged = !logger_only_informs(whole);
        whole = bare;
    }
    if (is_shown_exception(whole, out) || (str_consume(&whole, STR(" ")) && is_shown_exception(whole, out)))
        return out->name.p - line.p;
    while (logged && (colon = str_find(whole, STR(": "))) >= 0) {
        whole = str_skip(whole, (size_t)colon + 2);
        if (is_shown_exception(whole, out))
            return out->name.p - line.p;
    }
    return -1;
}

/* The line as print() would show the exception; of a text of several lines each has the line's prefix. */
static struct str as_printed(struct arena *a, struct str line, size_t at, const struct repr_exception *shown)
{
    struct str prefix = str_take(line, paste_own_prefix(line)), printed;
    /* str() of a KeyError has the quotation marks of its key, too. */
    struct str text = str_eq(shown->name, STR("KeyError")) ? shown->quoted : shown->text;
    struct buf out = {0};

    buf_printf(&out, "%.*s%.*s: ", STR_ARG(str_take(line, at)), STR_ARG(shown->name));
    if (shown->number.n)
        buf_printf(&out, "[Errno %.*s] ", STR_ARG(shown->number));
    buf_str(&out, take_unescaped(a, &text));
    while (text.n) {
        buf_char(&out, '\n');
        buf_str(&out, prefix);
        buf_str(&out, take_unescaped(a, &text));
    }
    printed = arena_str(a, buf_view(&out));
    buf_free(&out);
    return printed;
}

bool paste_unrepr(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    bool changed = false;

    *out = *from;
    for (size_t i = 0; i < from->n; i++) {
        struct repr_exception shown;
        ptrdiff_t at = find_shown_exception(from->v[i], &shown);

        /* Triton's CompilationError itself shows the exception so, below the marks of the kernel's line. */
        if (at < 0 || (i && traceback_is_carets(paste_bare(from->v[i - 1]))))
            continue;
        if (!changed)
            *out = paste_copy(a, from);
        changed = true;
        out->v[i] = as_printed(a, from->v[i], (size_t)at, &shown);
    }
    return changed;
}
