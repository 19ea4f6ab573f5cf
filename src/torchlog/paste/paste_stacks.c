#include "torchlog/paste/paste_stacks.h"

#include "text/python/exception_line.h"
#include "torchlog/crash/crash_lines.h"
#include "torchlog/paste/paste_known.h"

/* --- headers of other libraries ----------------------------------------------------------------------------------- */

/*
 * "Traceback (most recent calls WITHOUT Sacred internals):": libraries that print a stack without their own calls say
 * so in its header. A stack that begins with the innermost call ("most recent call first") stays as it is.
 */
static ptrdiff_t find_other_header(struct str line)
{
    static const struct str lead = STR_INIT("Traceback (most recent call");
    ptrdiff_t at = str_find(line, lead);
    struct str header = str_trim(str_skip(line, at < 0 ? line.n : (size_t)at)), words;

    if (header.n < lead.n || str_eq(header, paste_header) || !str_ends(header, STR("):")))
        return -1;
    words = str_drop(str_skip(header, lead.n), 2);
    return str_chr(words, ')') >= 0 || str_has(words, STR("first")) ? -1 : at;
}

bool paste_header_of_library(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    bool any = false;

    for (size_t i = 0; i < from->n; i++) {
        ptrdiff_t at = find_other_header(str_take(from->v[i], PASTE_LOOKED_AT));

        if (at < 0)
            continue;
        *out = any ? *out : paste_copy(a, from);
        any = true;
        out->v[i] = arena_printf(a, "%.*s%.*s", STR_ARG(str_take(from->v[i], (size_t)at)), STR_ARG(paste_header));
    }
    return any;
}

/* --- reports ------------------------------------------------------------------------------------------------------ */

/* "File /srv/m.py, lineno 12, in forward", as torch/export/_draft_export.py writes calls; else an empty text. */
static struct str call_of_report(struct arena *a, struct str line)
{
    struct str bare = str_trim(line), number;
    ptrdiff_t at = str_find(bare, STR(", lineno ")), in = str_find(bare, STR(", in "));

    if (!str_starts(bare, STR("File ")) || at < 5 || in < at)
        return (struct str){0};
    number = str_range(bare.p + at + 9, bare.p + in);
    return arena_printf(a, "%.*sFile \"%.*s\", line %.*s%.*s", STR_ARG(str_range(line.p, bare.p)),
                        STR_ARG(str_range(bare.p + 5, bare.p + at)), STR_ARG(number),
                        STR_ARG(str_skip(bare, (size_t)in)));
}

/* Only the stack of the user's lines shows where. */
bool paste_report(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    bool any = false, users = false;

    *out = paste_copy(a, from);
    for (size_t i = 0; i < out->n; i++) {
        struct str bare = str_trim(out->v[i]), call = call_of_report(a, out->v[i]);

        if (str_ends(bare, STR("the following user stacktrace:"))) {
            out->v[i] = STR("User Stack (most recent call last):");
            users = any = true;
        } else if (str_ends(bare, STR("the following framework stacktrace:"))) {
            users = false;
        } else if (call.n && users) {
            out->v[i] = call;
        }
    }
    return any;
}

/* --- a message in back quotes ------------------------------------------------------------------------------------ */

/* "`RuntimeError: words`": a writer made code of it in Markdown, which ends in the line. */
static bool is_coded_message(struct str line)
{
    struct str inside = str_trim(line);

    if (!str_consume(&inside, STR("`")) || !str_ends(inside, STR("`")))
        return false;
    return exception_line_begins(inside) != EXCEPTION_NONE;
}

/* The line above is of a stack: a call, its line of code, or a sign that calls were left out. */
static bool is_below_calls(const struct paste_text *t, size_t i)
{
    if (i > 0 && (crash_is_elision(str_trim(t->v[i - 1])) || crash_indent(t->v[i - 1]) >= CALL_INDENT + 2))
        i--;
    if (i > 0 && crash_indent(t->v[i - 1]) >= CALL_INDENT + 2)
        i--;
    return i > 0 && crash_is_call(str_trim(t->v[i - 1]));
}

bool paste_uncode_message(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    bool any = false;

    for (size_t i = 0; i < from->n; i++) {
        if (!is_coded_message(from->v[i]) || !is_below_calls(from, i))
            continue;
        *out = any ? *out : paste_copy(a, from);
        any = true;
        out->v[i] = str_drop(str_skip(str_trim(out->v[i]), 1), 1);
    }
    return any;
}

/* --- loguru ------------------------------------------------------------------------------------------------------- */

static const struct str bar = STR_INIT("\xe2\x94\x82"), corner = STR_INIT("\xe2\x94\x94 ");

/* "    │    └ <function f at 0x7f>": the values of a line of code, below it. */
static bool is_value(struct str line)
{
    struct str bare = str_trim(line);

    return bare.p > line.p + 3 && (str_starts(bare, bar) || str_starts(bare, corner));
}

/* Without values, and without the mark of the call at which the exception was caught: "> File ...". */
bool paste_unannotate(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    bool values = false;

    for (size_t i = 0; i < from->n && !values; i++)
        values = is_value(from->v[i]) && str_starts(str_trim(from->v[i]), corner);
    if (!values)
        return false;
    *out = paste_copy(a, from);
    for (size_t i = 0; i < out->n; i++) {
        struct str bare = str_trim(out->v[i]);

        if (is_value(out->v[i]))
            out->v[i] = STR("");
        else if (str_consume(&bare, STR("> ")) && crash_is_call(bare))
            out->v[i] = arena_printf(a, "  %.*s", STR_ARG(bare));
    }
    return true;
}

/* --- stacks ------------------------------------------------------------------------------------------------------- */

static bool has_header(const struct paste_text *t)
{
    for (size_t i = 0; i < t->n; i++)
        if (str_has(t->v[i], STR("most recent call")))
            return true;
    return false;
}

/* "The traceback points to:", of a person. */
static bool introduces_stack(struct str line)
{
    return log_line_indent(line) == 0 && str_ends(str_trim(line), STR(":")) &&
           (str_has(line, STR("raceback")) || str_has(line, STR("stack"))) && !crash_is_message(line) &&
           !crash_is_trailer(line) && !crash_is_link(line) && exception_line_begins(line) == EXCEPTION_NONE &&
           !paste_is_logged(str_take(line, PASTE_LOOKED_AT));
}

/* Where a stack stands below the exception, a person's sentence between them would end that. */
bool paste_stack(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    bool any = false, message = false;

    if (has_header(from))
        return false;
    *out = paste_copy(a, from);
    for (size_t i = 0; i + 1 < out->n; i++) {
        message |= exception_line_begins(str_trim(out->v[i])) != EXCEPTION_NONE;
        if (!message || !introduces_stack(out->v[i]) || !crash_is_call(str_trim(out->v[i + 1])))
            continue;
        out->v[i] = STR("");
        any = true;
    }
    return any;
}

/* --- error reports ------------------------------------------------------------------------------------------------ */

/* "KeyError" of "- **Exception Type:** KeyError", whether emphasis is left or not. */
static bool take_field(struct str line, struct str name, struct str *value)
{
    while (line.n && strchr("-* ", *line.p))
        line = str_skip(line, 1);
    if (!str_starts(line, name))
        return false;
    *value = str_skip(line, name.n);
    str_consume(value, STR("**"));
    *value = str_trim(*value);
    return true;
}

static bool is_heading(struct str line)
{
    return str_starts(line, STR("#"));
}

static bool is_fence(struct str line)
{
    return str_starts(line, STR("```"));
}

/* The next heading, if it is the one of the stack; else t->n. */
static size_t heading_of_stack(const struct paste_text *t, size_t i)
{
    while (i < t->n && !is_heading(t->v[i]))
        i++;
    return i < t->n && str_ends(str_trim(t->v[i]), STR("Stack Trace")) ? i : t->n;
}

enum { MESSAGE_LINES = 100 };

/* The words of the message, up to the heading of the stack. */
static struct str message_until(struct arena *a, const struct paste_text *t, size_t i, size_t end, struct str first)
{
    struct str out = first;

    for (size_t last = i + MESSAGE_LINES; ++i < end && i < last;)
        out = arena_printf(a, "%.*s\n%.*s", STR_ARG(out), STR_ARG(t->v[i]));
    return str_trim(out);
}

/* The calls move up over the blank lines between them; where they end, or `begin` if there is none. */
static size_t join_calls(struct paste_text *t, size_t begin)
{
    size_t end = begin;

    for (size_t i = begin; i < t->n && !is_fence(t->v[i]) && !is_heading(t->v[i]); i++) {
        struct str line = t->v[i];
        uint32_t number = t->numbers[i];

        if (str_trim(line).n == 0 || (end == begin && !crash_is_call(str_trim(line))))
            continue;
        t->v[i] = STR("");
        t->v[end] = line;
        t->numbers[end++] = number;
    }
    return end;
}

/* The window that shows the error has the first lines of its message, and people copy both. */
static void blank_copies(struct paste_text *t, size_t field, struct str message)
{
    for (size_t i = 0; i < field; i++) {
        if (message.n == 0 || !str_eq(str_trim(t->v[i]), message))
            continue;
        for (size_t k = 0; i + k < field && field + k < t->n && str_trim(t->v[i + k]).n &&
                           (k == 0 || str_eq(str_trim(t->v[i + k]), str_trim(t->v[field + k])));
             k++)
            t->v[i + k] = STR("");
    }
}

/*
 * ComfyUI's report of an error: fields for the type and the message, and below them, under a heading of its own, the
 * stack without its header, with blank lines between its calls.
 */
bool paste_error_report(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    struct str type, message;
    size_t i = 0, stack, end;

    while (i + 1 < from->n && !take_field(from->v[i], STR("Exception Type:"), &type))
        i++;
    if (i + 1 >= from->n || !take_field(from->v[i + 1], STR("Exception Message:"), &message) || has_header(from))
        return false;
    stack = heading_of_stack(from, i + 1);
    *out = paste_copy(a, from);
    blank_copies(out, i + 1, message);
    if (stack + 1 >= from->n) { /* the message is all there is */
        out->v[i] = STR("");
        out->v[i + 1] = arena_printf(a, "%.*s: %.*s", STR_ARG(type), STR_ARG(message));
        return true;
    }
    message = message_until(a, from, i + 1, stack, message);
    while (i < stack)
        out->v[i++] = STR("");
    if (is_fence(out->v[stack + 1]))
        out->v[stack++] = STR("");
    end = join_calls(out, stack + 1);
    if (end == stack + 1)
        return false;
    out->v[stack] = paste_header;
    out->v[end - 1] = arena_printf(a, "%.*s\n%.*s: %.*s", STR_ARG(out->v[end - 1]), STR_ARG(type), STR_ARG(message));
    return true;
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

/*
 * Where the file begins of a call that was cut within `File "/srv/`: "net.py\", line 3, in forward" at the end of a
 * line, or of a person's sentence; -1 if the line has none.
 */
static ptrdiff_t find_cut_call(struct str line)
{
    static const struct str place = STR_INIT(".py\", line ");
    ptrdiff_t at = str_find(line, place);
    struct str before = str_take(line, at < 0 ? 0 : (size_t)at), function = str_skip(line, before.n + place.n);
    size_t begin = before.n, dots = 0;
    uint64_t number;

    if (at < 0 || str_has(before, paste_call_begin) || !str_take_u64(&function, &number) ||
        !str_consume(&function, STR(", in ")) || str_chr(str_trim(function), ' ') >= 0)
        return -1;
    while (begin > 0 && !strchr(" \t\"'`(", before.p[begin - 1]))
        begin--;
    while (begin + dots < before.n && before.p[begin + dots] == '.')
        dots++;
    begin += dots > 2 ? dots : 0; /* a person's, for what is left out */
    return begin < before.n ? (ptrdiff_t)begin : -1;
}

/* "line 67, in forward", all that is left of a call's line: the file was cut off, or hidden. */
static bool lacks_file(struct str bare)
{
    uint64_t number;

    return str_consume(&bare, STR("line ")) && str_take_u64(&bare, &number) && str_consume(&bare, STR(", in ")) &&
           bare.n && str_chr(bare, ' ') < 0;
}

/* Such a call stands below a heading of the user's calls, or below another call, with its line of code below it. */
static bool is_call_without_file(const struct paste_text *t, size_t i)
{
    size_t above = i;

    /* the prefix takes longer to find */
    if (i == 0 || i + 1 >= t->n || !str_has(t->v[i], STR(", in ")) || !lacks_file(paste_bare(t->v[i])) ||
        paste_bare(t->v[i + 1]).n == 0 ||
        log_line_indent(str_skip(t->v[i + 1], paste_own_prefix(t->v[i + 1]))) < CALL_INDENT)
        return false;
    above--;
    if (str_starts(paste_bare(t->v[above]), STR("from user code:")))
        return true;
    return above > 0 && crash_is_call(paste_bare(t->v[above - 1]));
}

/* How far the call on line i is indented in its stack: its line of code, or the next call, is below it. */
static size_t indent_of_cut_call(const struct paste_text *t, size_t i)
{
    struct str below = str_skip(t->v[i + 1], paste_own_prefix(t->v[i + 1]));
    size_t indent = log_line_indent(below), ahead = crash_is_call(str_trim(below)) ? 0 : CALL_INDENT;

    return indent >= ahead + CALL_INDENT ? indent - ahead : CALL_INDENT;
}

/* The line of code of a call, or the next call, is below it. */
static bool is_in_stack(const struct paste_text *t, size_t i)
{
    struct str above = i > 0 ? paste_bare(t->v[i - 1]) : STR(""),
               below = i + 1 < t->n ? str_skip(t->v[i + 1], paste_own_prefix(t->v[i + 1])) : STR("");

    if (str_starts(above, paste_call_begin) && !crash_is_call(above)) /* it is the rest of that one */
        return false;
    return str_trim(below).n && (log_line_indent(below) >= 2 || crash_is_call(str_trim(below)));
}

bool paste_cut_call(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    bool any = false;

    *out = paste_copy(a, from);
    for (size_t i = 0; i < out->n; i++) {
        struct str line = out->v[i], words;
        ptrdiff_t begin = line.n > PASTE_LOOKED_AT ? -1 : find_cut_call(line);
        size_t prefix;

        if (begin < 0 && line.n <= PASTE_LOOKED_AT && is_call_without_file(out, i)) {
            words = paste_bare(line);
            out->v[i] = arena_printf(a, "%.*sFile \"\", %.*s", STR_ARG(str_range(line.p, words.p)), STR_ARG(words));
            any = true;
            continue;
        }
        if (begin < 0 || !is_in_stack(out, i))
            continue;
        prefix = paste_own_prefix(line);
        prefix = prefix < (size_t)begin ? prefix : (size_t)begin;
        words = str_trim(str_range(line.p + prefix, line.p + begin));
        if (str_ends(paste_call_begin, words))
            words = STR("");
        out->v[i] = arena_printf(a, "%.*s%.*s%s%*sFile \"%.*s", STR_ARG(str_take(line, prefix)), STR_ARG(words),
                                 words.n ? "\n" : "", (int)indent_of_cut_call(out, i), "",
                                 STR_ARG(str_skip(line, (size_t)begin)));
        any = true;
    }
    return any;
}

/* The line that names the exception below the calls that begin at line i; t->n if there is none. */
static size_t exception_below(const struct paste_text *t, size_t i)
{
    enum { STACK_MAX = 1000 };
    struct str line = str_skip(t->v[i], paste_own_prefix(t->v[i]));
    size_t indent = log_line_indent(line), end = i + STACK_MAX < t->n ? i + STACK_MAX : t->n;

    for (size_t k = i + 1; k < end; k++) {
        line = str_skip(t->v[k], paste_own_prefix(t->v[k]));
        if (str_trim(line).n == 0 || log_line_indent(line) >= indent)
            continue;
        return exception_line_begins(str_trim(line)) != EXCEPTION_NONE ? k : t->n;
    }
    return t->n;
}

/* Whether blank lines stand above, and above those words that are no part of a stack and announce none. */
static bool is_below_words(const struct paste_text *t, size_t i)
{
    size_t above = i;
    struct str line;

    while (above > 0 && paste_bare(t->v[above - 1]).n == 0)
        above--;
    if (above == 0 || above == i)
        return false;
    line = str_skip(t->v[above - 1], paste_own_prefix(t->v[above - 1]));
    return log_line_indent(line) == 0 && !crash_is_message(line) && !str_ends(str_trim(line), STR(":"));
}

/* Whether a line above, as a person's first sentence, has the words of the exception. */
static bool is_quoted_above(const struct paste_text *t, size_t i, struct str exception)
{
    enum { ABOVE = 20, WORDS_MIN = 8 };
    struct exception_name name;

    if (!exception_name_take(&exception, &name) || exception.n < WORDS_MIN)
        return false;
    for (size_t k = i; k-- > 0 && i - k <= ABOVE;)
        if (str_has(str_take(t->v[k], PASTE_LOOKED_AT), exception))
            return true;
    return false;
}

/*
 * A stack without its header, with the exception below it, which a person has quoted above: it is the stack of what
 * stands below. Calls below a headline belong to that.
 */
bool paste_head_stack(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    bool any = false;

    *out = paste_copy(a, from);
    for (size_t i = 1; i < out->n; i++) {
        struct str line = out->v[i];
        size_t prefix, end;

        if (!str_has(str_take(line, PASTE_LOOKED_AT), paste_call_begin)) /* the prefix takes longer to find */
            continue;
        prefix = paste_own_prefix(line);
        if (!crash_is_call(str_trim(str_skip(line, prefix))) || paste_is_logged(line) || !is_below_words(out, i) ||
            (end = exception_below(out, i)) == out->n || !is_quoted_above(out, i, paste_bare(out->v[end])))
            continue;
        /* the line above is blank */
        out->v[i - 1] = arena_printf(a, "%.*s%.*s", STR_ARG(str_take(line, prefix)), STR_ARG(paste_header));
        any = true;
    }
    return any;
}

/* A text that begins within the traceback of log records: without a header its exception would be one line alone. */
bool paste_head_record(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    size_t prefix = from->n > 1 ? paste_own_prefix(from->v[0]) : 0;
    struct str line = from->n > 1 ? from->v[0] : (struct str){0};

    *out = paste_copy(a, from);
    if (prefix == 0 || !paste_is_logged(str_take(line, PASTE_LOOKED_AT)) ||
        log_line_indent(str_skip(line, prefix)) < 2 || exception_below(from, 0) == from->n)
        return false;
    out->v[0] = arena_printf(a, "%.*s%.*s\n%.*s", STR_ARG(str_take(line, prefix)), STR_ARG(paste_header),
                             STR_ARG(line));
    return true;
}

/* The last lines of the message of a value that is not known, which stand below its stack. */
static bool ends_message(struct str bare)
{
    static const struct str words[] = {STR_INIT("For C++ stack trace, run with "),
                                       STR_INIT("For more information about this error, see: ")};

    return STR_STARTS_ANY(bare, words);
}

/* The first line of the calls that end above line i, with blank lines between; i if there are none. */
static size_t calls_above(const struct paste_text *t, size_t i)
{
    enum { STACK_MAX = 1000 };
    size_t first = i, least = i < STACK_MAX ? 0 : i - STACK_MAX;

    for (size_t k = i; k-- > least;) {
        struct str bare = paste_bare(t->v[k]);

        if (crash_is_call(bare))
            first = k;
        else if (bare.n ? log_line_indent(str_skip(t->v[k], paste_own_prefix(t->v[k]))) < CALL_INDENT + 2 : first < i)
            break;
    }
    return first;
}

/* An exception, or what announces the stack of one, is above, and no header between: the stack is that one's. */
static bool is_below_message(const struct paste_text *t, size_t i)
{
    enum { ABOVE = 60 };

    for (size_t k = i; k-- > 0 && i - k <= ABOVE;) {
        struct str bare = paste_bare(t->v[k]);

        if (crash_is_header(bare))
            return false;
        if (crash_is_message(bare) || exception_line_begins(bare) != EXCEPTION_NONE)
            return true;
    }
    return false;
}

/* The exception of the compiler that stands right below the ends of a message; t->n if there is none. */
static size_t exception_below_ends(const struct paste_text *t, size_t i)
{
    struct str bare = STR("");

    while (i < t->n && ((bare = paste_bare(t->v[i])).n == 0 || ends_message(bare)))
        i++;
    return i < t->n && exception_line_begins(bare) == EXCEPTION_OF_COMPILER ? i : t->n;
}

/*
 * A stack, the last lines of a message, and the message below them: a person pasted the end of it first. Without these
 * lines the stack ends with its exception.
 */
bool paste_raise_stack(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    bool any = false;

    for (size_t i = 1; i < from->n; i++) {
        size_t first, end;

        /* the prefix takes longer to find */
        if (!str_ends(str_trim(from->v[i]), STR("_DEBUG_CPP=1")) || !ends_message(paste_bare(from->v[i])))
            continue;
        end = exception_below_ends(from, i);
        first = end < from->n ? calls_above(from, i) : i;
        if (first == i || is_below_message(from, first))
            continue;
        *out = any ? *out : paste_copy(a, from);
        any = true;
        for (; i < end; i++)
            out->v[i] = STR("");
    }
    return any;
}
