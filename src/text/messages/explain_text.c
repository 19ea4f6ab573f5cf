#include "text/messages/explain_text.h"

#include "input/limits.h"

/* --- 2.1 and later ------------------------------------------------------------------------------------------------ */

/* "<FrameSummary file /x.py, line 5 in f>" */
static bool take_summary(struct str line, struct text_call *out)
{
    ptrdiff_t comma, in;

    line = str_trim(line);
    if (!str_consume(&line, STR("<FrameSummary file ")) || !str_ends(line, STR(">")))
        return false;
    line = str_drop(line, 1);
    comma = str_find(line, STR(", line "));
    for (ptrdiff_t next; comma >= 0 && (next = str_find(str_skip(line, (size_t)comma + 7), STR(", line "))) >= 0;)
        comma += next + 7;
    if (comma < 0)
        return false;
    *out = (struct text_call){.file = str_take(line, (size_t)comma)};
    line = str_skip(line, (size_t)comma + 7);
    in = str_find(line, STR(" in "));
    if (in < 0 || !str_i64(str_take(line, (size_t)in), &out->line))
        return false;
    out->function = str_skip(line, (size_t)in + 4);
    return true;
}

static void take_summaries(struct arena *a, struct str *text, struct text_stack *out)
{
    struct str rest = *text, line;
    struct text_call c;

    while (str_next_line(&rest, &line) && take_summary(line, &c)) {
        if (out->calls.n < LIMIT_STACK_FRAMES)
            vec_push(a, &out->calls, c);
        *text = rest;
    }
}

/* In a text that begins in the middle, the first line has lost its indentation. */
static const struct str reason_mark = STR_INIT("  Reason: "), stack_mark = STR_INIT("  User Stack:");

static bool begins(struct str line, struct str mark)
{
    return str_starts(line, mark) || (str_consume(&line, STR("  ")) && str_starts(line, mark));
}

/* The text from here to the stack below it. */
static void take_break(struct arena *a, struct str *text, struct explain_text *out)
{
    struct explain_break *b = vec_add(a, &out->breaks);
    struct str begin = str_skip(*text, (size_t)str_find(*text, reason_mark) + reason_mark.n), line;

    b->message = str_trim(begin);
    while (str_next_line(text, &line))
        if (begins(line, stack_mark)) {
            b->message = str_trim(str_range(begin.p, line.p));
            take_summaries(a, text, &b->stack);
            return;
        }
}

static void parse_output(struct arena *a, struct str text, struct explain_text *out)
{
    struct str rest = text, line;

    while (str_next_line(&rest, &line)) {
        struct str count = line;

        if (str_starts(line, STR("Ops per Graph:")) || str_starts(line, STR("Out Guards:")))
            return;
        if (str_consume(&count, STR("Graph Break Count: ")))
            str_take_u64(&count, &out->counted);
        if (begins(line, reason_mark) && out->breaks.n < LIMIT_LIST) {
            rest = str_range(line.p, text.p + text.n);
            take_break(a, &rest, out);
        }
    }
}

/* --- 2.0 ---------------------------------------------------------------------------------------------------------- */

/* "12. TYPE" */
static bool is_item(struct str line, uint64_t number)
{
    uint64_t n;

    return str_take_u64(&line, &n) && n == number && str_starts(line, STR(". "));
}

static void parse_list(struct arena *a, struct str text, struct explain_text *out)
{
    struct str rest = text, line;

    while (str_next_line(&rest, &line) && out->breaks.n < LIMIT_LIST) {
        struct explain_break *b;
        const char *begin = line.p;

        if (!is_item(line, out->breaks.n + 1))
            continue;
        b = vec_add(a, &out->breaks);
        while (!str_starts(str_trim(line), STR("File \"")) && str_next_line(&rest, &line))
            ;
        b->message = str_range(begin, line.p > begin ? line.p : line.p + line.n);
        b->message = str_trim(str_skip(b->message, (size_t)str_find(b->message, STR(". ")) + 2));
        rest = str_range(line.p, text.p + text.n);
        text_stack_take(a, &rest, &b->stack);
    }
}

/* --- CompileProfiler, up to 2.5 ----------------------------------------------------------------------------------- */

static uint64_t add_counted(uint64_t sum, uint64_t count)
{
    return count > UINT64_MAX - sum ? UINT64_MAX : sum + count;
}

/* "TYPE        2": the last word of a row is how often. */
static void parse_table(struct arena *a, struct str text, struct explain_text *out)
{
    struct str line;

    while (str_next_line(&text, &line) && out->breaks.n < LIMIT_LIST) {
        ptrdiff_t at = str_rchr(str_trim(line), ' ');
        uint64_t count;

        line = str_trim(line);
        if (at <= 0 || !str_u64(str_skip(line, (size_t)at + 1), &count))
            continue;
        vec_push(a, &out->breaks, ((struct explain_break){.message = str_trim(str_take(line, (size_t)at)),
                                                          .counted = count}));
        out->counted = add_counted(out->counted, count);
    }
}

/* --- attributes --------------------------------------------------------------------------------------------------- */

/* Takes a string as Python prints it off the text, and resolves its escapes. */
static struct str take_string(struct arena *a, struct str *text)
{
    char quote = text->n ? text->p[0] : 0, *p;
    size_t n = 0, i = 1;

    if (quote != '\'' && quote != '"')
        return (struct str){0};
    p = arena_alloc(a, text->n);
    for (; i < text->n && text->p[i] != quote; i++) {
        bool escape = text->p[i] == '\\' && i + 1 < text->n;

        i += escape;
        p[n++] = escape && text->p[i] == 'n' ? '\n' : text->p[i];
    }
    *text = str_skip(*text, i + 1);
    return (struct str){p, n};
}

static struct str skip_space(struct str s)
{
    while (s.n && (*s.p == ' ' || *s.p == '\n'))
        s = str_skip(s, 1);
    return s;
}

/* A comma and the next item; pprint may put a line break there. */
static bool take_comma(struct str *text)
{
    if (!str_consume(text, STR(",")))
        return false;
    *text = skip_space(*text);
    return true;
}

/*
 * Where a summary ends; a file name may contain the same characters: "<FrameSummary file <ipython-input-4-ab>, line 5
 * in f>".
 */
static ptrdiff_t summary_end(struct str text)
{
    ptrdiff_t name = str_find(text, STR(" in ")), at = name;

    while (at >= 0 && (size_t)++at < text.n)
        if (text.p[at] == '>' && (size_t)at + 1 < text.n && (text.p[at + 1] == ',' || text.p[at + 1] == ']'))
            return at;
    return -1;
}

/* "<FrameSummary file /x.py, line 5 in f>, <FrameSummary ...>]" */
static void take_listed_stack(struct arena *a, struct str *text, struct text_stack *out)
{
    while (str_starts(*text, STR("<FrameSummary "))) {
        ptrdiff_t end = summary_end(*text);
        struct text_call c;

        if (end < 0)
            return;
        if (take_summary(str_take(*text, (size_t)end + 1), &c) && out->calls.n < LIMIT_STACK_FRAMES)
            vec_push(a, &out->calls, c);
        *text = str_skip(*text, (size_t)end + 1);
        take_comma(text);
    }
}

/* The text after "GraphCompileReason(reason=". */
static bool take_reason(struct arena *a, struct str *text, struct explain_break *out)
{
    *out = (struct explain_break){.message = take_string(a, text)};
    take_comma(text);
    if (str_consume(text, STR("user_stack=[")))
        take_listed_stack(a, text, &out->stack);
    str_consume(text, STR("]"));
    take_comma(text);
    return out->message.n && !str_starts(*text, STR("graph_break=False"));
}

/* Behind a string of a Counter: ": 2", and ", 2)" in a list. */
static uint64_t take_count(struct str *text)
{
    struct str rest = *text;
    uint64_t count;

    if (!(str_consume(&rest, STR(": ")) || str_consume(&rest, STR(", "))) || !str_take_u64(&rest, &count))
        return 0;
    str_consume(&rest, STR(")"));
    *text = rest;
    return count;
}

/* "'TYPE', 'TYPE']", "'TYPE': 2, 'TYPE': 1})", "'TYPE', 2), ('TYPE', 1)]" */
static void take_strings(struct arena *a, struct str text, struct explain_text *out)
{
    while (out->breaks.n < LIMIT_LIST) {
        struct explain_break b = {.message = take_string(a, &text)};

        if (b.message.n == 0)
            return;
        b.counted = take_count(&text);
        vec_push(a, &out->breaks, b);
        if (!take_comma(&text))
            return;
        str_consume(&text, STR("("));
    }
}

static const struct str reason_begin = STR_INIT("GraphCompileReason(reason=");

/* What stands before strings: a list that a program prints, dynamo's counters, what tests of PyTorch print. */
static const struct str strings_begin[] = {STR_INIT("Break reasons: ["), STR_INIT("'graph_break': Counter({"),
                                           STR_INIT("graph_break [(")};
enum { STRINGS = sizeof strings_begin / sizeof *strings_begin };

/* A row of the list that was copied without the text around it. */
static const struct str row_begin = STR_INIT("reason=");

static bool is_row(struct str line)
{
    return str_starts(line, row_begin) && str_has(line, STR("user_stack=["));
}

ptrdiff_t explain_reasons_find(struct str line)
{
    ptrdiff_t at = str_find(line, reason_begin);
    struct str strings;

    if (is_row(str_trim(line)))
        return str_find(line, row_begin);

    if (at >= 0) /* +dynamo logs for each graph why it ends there */
        return str_ends(str_take(line, (size_t)at), STR("COMPILING GRAPH due to ")) ? -1 : at;
    for (size_t i = 0; i < STRINGS; i++) {
        at = str_find(line, strings_begin[i]);
        strings = str_skip(line, at < 0 ? line.n : (size_t)at + strings_begin[i].n);
        if (strings.n && (*strings.p == '\'' || *strings.p == '"'))
            return at;
    }
    return -1;
}

void explain_reasons_parse(struct arena *a, struct str text, struct explain_text *out)
{
    struct explain_break b;
    ptrdiff_t at;

    for (size_t i = 0; i < STRINGS; i++)
        if (str_consume(&text, strings_begin[i]) && !str_starts(text, reason_begin))
            take_strings(a, text, out);
    if (is_row(text)) {
        text = str_skip(text, row_begin.n);
        if (take_reason(a, &text, &b))
            vec_push(a, &out->breaks, b);
    }
    while ((at = str_find(text, reason_begin)) >= 0 && out->breaks.n < LIMIT_LIST) {
        text = str_skip(text, (size_t)at + reason_begin.n);
        if (take_reason(a, &text, &b))
            vec_push(a, &out->breaks, b);
    }
}

/* The heading of the table of CompileProfiler's report. */
static const struct str table_begin = STR_INIT("Graph Break Reason  ");

/* --- both --------------------------------------------------------------------------------------------------------- */

bool explain_text_parse(struct arena *a, struct str text, struct explain_text *out)
{
    *out = (struct explain_text){0};
    if (str_consume(&text, STR("Graph Count: ")) && str_take_u64(&text, &out->graphs))
        parse_output(a, text, out);
    else if (str_consume(&text, STR("Dynamo produced ")) && str_take_u64(&text, &out->graphs)) {
        struct str count = text;

        str_consume(&count, STR(" graphs"));
        count = str_trim(count); /* "graphswith" before 2.0 */
        if (str_consume(&count, STR("with ")))
            str_take_u64(&count, &out->counted);
        parse_list(a, text, out);
    } else if (str_starts(text, STR("Break Reason ")))
        parse_output(a, text, out);
    else if (str_starts(text, table_begin))
        parse_table(a, text, out);
    else
        return false;
    return true;
}

enum { IN_REASON = 1, LISTED = 2, TABLE = 4 };

static bool is_heading(struct str line)
{
    static const struct str headings[] = {
        STR_INIT("Graph Count: "),    STR_INIT("Graph Break Count: "), STR_INIT("Op Count: "),
        STR_INIT("Break Reasons:"),   STR_INIT("Ops per Graph:"),      STR_INIT("Out Guards:"),
        STR_INIT("Dynamo produced "), STR_INIT("Break Reason "),
    };

    return STR_STARTS_ANY(line, headings);
}

bool explain_text_goes_on(unsigned *state, struct str line)
{
    uint64_t number;

    if (str_starts(line, STR("Dynamo produced ")))
        *state |= LISTED;
    if (str_starts(line, table_begin))
        *state |= TABLE;
    if (*state & TABLE)
        return line.n > 0;
    if (begins(line, reason_mark))
        *state |= IN_REASON;
    else if (begins(line, stack_mark))
        *state &= ~(unsigned)IN_REASON;
    if ((*state & IN_REASON) || line.n == 0 || line.p[0] == ' ' || is_heading(line))
        return true;
    return (*state & LISTED) && str_take_u64(&line, &number) && str_starts(line, STR(". "));
}
