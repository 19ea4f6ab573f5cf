#include "text/messages/break_text.h"

#include "text/messages/break_ids.h"

#define ANOTHER_BREAK "*** While handling this graph break, another graph break occurred: ***"

static const struct str skip_words[] = {
    STR_INIT("Skipping the function and falling back to eager"), /* InstructionTranslatorBase.run */
    STR_INIT("Skipping the frame and falling back to eager"),    /* raise_loop_graph_break */
    STR_INIT("decided to skip the frame"),                       /* format_skip_frame_message */
};

static bool reports_skip(struct str text)
{
    return STR_HAS_ANY(text, skip_words);
}

/* --- the message -------------------------------------------------------------------------------------------------- */

/*
 * Removes the sentences before the type, each of which is a paragraph: what was being attempted, that the frame is
 * skipped, that a higher order operator cannot contain a break.
 */
static void take_preludes(struct str *text, struct break_text *out)
{
    struct str rest = *text, line, blank;

    while (str_next_line(&rest, &line) && str_next_line(&rest, &blank) && str_trim(blank).n == 0) {
        struct str prelude = str_trim(line);

        if (!str_ends(prelude, STR(":")))
            return;
        prelude = str_drop(prelude, 1);
        if (str_consume(&prelude, STR("Encountered graph break when attempting to trace ")))
            out->attempted = prelude;
        else if (!str_ends(prelude, STR("Graph break encountered")) && !str_starts(prelude, STR("Encountered ")) &&
                 !str_ends(prelude, STR("Got graph break/error")))
            return;
        *text = rest;
    }
}

/* Where the text of each section of a message is stored; a link's address is extracted from its sentence. */
enum section { SECTION_NONE, SECTION_HOP, SECTION_EXPLANATION, SECTION_HINT, SECTION_CONTEXT, SECTION_LINK };

static const struct {
    struct str head;
    enum section section;
} sections[] = {
    {STR_INIT("Higher Order Operator: "), SECTION_HOP},
    {STR_INIT("Explanation: "), SECTION_EXPLANATION},
    {STR_INIT("Hint: "), SECTION_HINT},
    {STR_INIT("Developer debug context: "), SECTION_CONTEXT},
    {STR_INIT("For more details about this graph break, please visit: "), SECTION_LINK},
};

/* the most that a heading is indented: pasted texts may have lost it, and continuation lines are indented deeper */
enum { HEAD_INDENT = 2 };

static enum section section_of(struct str *line, size_t margin)
{
    size_t blanks = 0;

    while (blanks < margin + HEAD_INDENT && str_consume(line, STR(" ")))
        blanks++;
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (str_consume(line, sections[i].head))
            return sections[i].section;
    return SECTION_NONE;
}

/* "https://SITE/gb/gb0025.html" -> GB0025. */
static void set_link(struct arena *a, struct str url, struct break_text *out)
{
    struct str digits;
    ptrdiff_t slash;
    uint64_t number;

    url = str_split(&url, ' ');
    if (!str_starts(url, STR("https://")))
        return;
    out->url = url;
    slash = str_rchr(url, '/');
    digits = str_skip(url, (size_t)slash + 1);
    if (!str_consume(&digits, STR("gb")) || !str_ends(digits, STR(".html")))
        return;
    digits = str_drop(digits, 5);
    if (str_u64(digits, &number))
        out->gb_id = arena_printf(a, "GB%.*s", (int)digits.n, digits.p);
}

static void set_section(struct arena *a, enum section section, struct str text, struct break_text *out)
{
    text = str_trim(text);
    switch (section) {
    case SECTION_HOP:
        out->hop = text;
        break;
    case SECTION_EXPLANATION:
        out->explanation = text;
        break;
    case SECTION_HINT:
        vec_push(a, &out->hints, text);
        break;
    case SECTION_CONTEXT:
        out->context = text;
        break;
    case SECTION_LINK:
        set_link(a, str_split(&text, '\n'), out);
        break;
    case SECTION_NONE:
        break;
    }
}

/* What a program's own log puts before each line of a message, which its explanation shows. */
static size_t margin_of(struct str text)
{
    struct str line;

    while (str_next_line(&text, &line)) {
        struct str rest = str_skip_any(line, " ");

        if (str_starts(rest, STR("Explanation: ")))
            return line.n - rest.n > HEAD_INDENT ? line.n - rest.n - HEAD_INDENT : 0;
    }
    return 0;
}

/* A section ends where the next begins: continuation lines are indented deeper than any heading. */
static void parse_sections(struct arena *a, struct str text, struct break_text *out)
{
    enum section open = SECTION_NONE;
    const char *begin = text.p;
    size_t margin = margin_of(text);
    struct str line;

    while (str_next_line(&text, &line)) {
        const char *line_begin = line.p;
        enum section next = section_of(&line, margin);

        if (next == SECTION_NONE)
            continue;
        set_section(a, open, str_range(begin, line_begin), out);
        open = next;
        begin = line.p;
    }
    set_section(a, open, str_range(begin, text.p), out);
}

/* The type of the last of several merged breaks, which decides what happens to the frame. */
static struct str last_type(struct str rest)
{
    struct break_text ignored = {0};
    ptrdiff_t at;

    while ((at = str_find(rest, STR(ANOTHER_BREAK))) >= 0)
        rest = str_skip(rest, (size_t)at + sizeof ANOTHER_BREAK - 1);
    rest = str_trim(rest);
    take_preludes(&rest, &ignored);
    rest = str_trim(rest);
    return str_trim(str_split(&rest, '\n'));
}

void break_message_parse(struct arena *a, struct str message, struct break_text *out)
{
    struct str own;
    ptrdiff_t at;

    *out = (struct break_text){0};
    message = message.n ? exception_message_take(a, message, &out->user_stack) : STR("");
    out->skipped_frame = reports_skip(message);
    take_preludes(&message, out);
    message = str_trim(message);
    out->message = message;
    at = str_find(message, STR(ANOTHER_BREAK));
    if (at >= 0)
        out->then_type = last_type(str_skip(message, (size_t)at));
    own = at < 0 ? message : str_take(message, (size_t)at);
    out->type = str_trim(str_split(&own, '\n'));
    parse_sections(a, own, out);
    if (out->gb_id.n == 0)
        out->gb_id = break_id_of(out->type);
}

/* --- the whole text ----------------------------------------------------------------------------------------------- */

/* "FILE:LINE"; the line number may be missing or invalid, and is then 0. */
static void set_location(struct str text, struct break_text *out)
{
    ptrdiff_t colon;

    text = str_trim(text);
    colon = str_rchr(text, ':');
    out->file = text;
    if (colon > 0 && str_i64(str_skip(text, (size_t)colon + 1), &out->line))
        out->file = str_take(text, (size_t)colon);
    else
        out->line = 0;
}

/* The first line of a text, which contains a place. */
struct head {
    struct str begin, end; /* the texts before and after the place */
    bool suppressed;
};

static const struct head heads[] = {
    {STR_INIT("Graph break in user code at "), STR_INIT(""), false},
    {STR_INIT("Graph break (user stack suppressed due to duplicate graph break) in user code at "), STR_INIT(""), true},
    {STR_INIT("Graph break (details suppressed) in user code at "), STR_INIT(""), true},       /* 2.6 */
    {STR_INIT("Unsupported break in user code at "), STR_INIT(" (details suppressed)"), true}, /* 2.5 and earlier */
};

static void take_head(struct str *text, struct break_text *out)
{
    struct str rest = *text, line = str_trim(str_split(&rest, '\n'));

    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        if (!str_consume(&line, heads[i].begin))
            continue;
        if (str_ends(line, heads[i].end))
            line = str_drop(line, heads[i].end.n);
        set_location(line, out);
        out->suppressed = heads[i].suppressed;
        *text = rest;
        return;
    }
}

/* Removes the lines before the first line that begins with one of the two marks, ignoring indentation. */
static struct str take_until(struct str *text, struct str mark, struct str other)
{
    struct str begin = *text, line;

    for (struct str rest = *text; str_next_line(&rest, &line);) {
        if (!str_starts(str_trim(line), mark) && !str_starts(str_trim(line), other))
            continue;
        *text = (struct str){line.p, (size_t)(begin.p + begin.n - line.p)};
        return str_range(begin.p, line.p);
    }
    *text = str_skip(begin, begin.n);
    return begin;
}

/* With TORCHDYNAMO_VERBOSE=1 the listing has two parts, of which the second is what Dynamo traced. */
static void take_user_stack(struct arena *a, struct str text, struct break_text *out)
{
    take_until(&text, STR("User code traceback:"), STR("User code traceback:"));
    str_split(&text, '\n');
    text_stack_take(a, &text, &out->user_stack);
    text = str_trim(text);
    if (!str_starts(text, STR("========== most recent `torch.compile` tracing attempt started here")))
        return;
    str_split(&text, '\n');
    text_stack_take(a, &text, &out->user_stack);
}

/*
 * Parses a message into a result that keeps its place, stack and flags: the text has the complete stack, while the
 * stack in an exception's message begins where Dynamo began to trace.
 */
static void set_message(struct arena *a, struct str message, struct break_text *out)
{
    struct break_text m;

    break_message_parse(a, message, &m);
    m.file = out->file;
    m.line = out->line;
    m.suppressed = out->suppressed;
    m.skipped_frame |= out->skipped_frame;
    /* where a backend failed is in the context; the stack below it only shows who called the frame */
    if (out->user_stack.calls.n && !(m.user_stack.calls.n && str_starts(m.context, STR("Backend: "))))
        m.user_stack = out->user_stack;
    *out = m;
}

struct str break_unsupported_operator(struct arena *a, struct str text)
{
    static const struct str raised = STR_INIT("UnsupportedOperatorException: ");
    static const struct str refused = STR_INIT(": attempted to run this operator with Meta tensors");
    ptrdiff_t at = str_find(text, raised);
    struct str space, name;

    if (at >= 0) {
        text = str_skip(text, (size_t)at + raised.n);
        return str_trim(str_split(&text, '\n'));
    }
    at = str_find(text, refused);
    text = str_take(text, at < 0 ? 0 : (size_t)at);
    name = str_skip(text, (size_t)(str_rchr(text, ' ') + 1));
    space = str_split(&name, ':');
    return str_consume(&name, STR(":")) ? arena_printf(a, "%.*s.%.*s", STR_ARG(space), STR_ARG(name)) : (struct str){0};
}

/*
 * The message of the exception that a text quotes, which in 2.5 and earlier is the only place with the reason. If the
 * backend met an operator without a fake kernel, the message is the same as when Dynamo meets one itself.
 */
static bool set_message_of_traceback(struct arena *a, struct str text, struct break_text *out)
{
    struct str unsupported = break_unsupported_operator(a, text);
    struct traceback t;

    if (!traceback_parse(a, text, &t) || t.type.n == 0)
        return false;
    if (unsupported.n)
        set_message(a, arena_printf(a, "unsupported operator: %.*s", STR_ARG(unsupported)), out);
    else if (str_eq(t.type, STR("Unsupported"))) {
        set_message(a, t.message, out);
    } else {
        set_message(a, str_range(t.type.p, t.message.n ? t.message.p + t.message.n : t.type.p + t.type.n), out);
        out->type = t.type;
    }
    if (out->user_stack.calls.n == 0)
        out->user_stack = t.user_calls;
    return true;
}

/*
 * "Graph break: from user code at:" (2.5), "Graph break: skip: from user code at:", "Graph break: REASON from user
 * code at:" (2.2), the same without the colon (2.0), and "Graph break: torch.compile cannot properly resume from this
 * graph break, which results in a skip." (2.8), each with the stack a few lines below.
 */
static bool parse_stack_first(struct arena *a, struct str text, struct break_text *out)
{
    struct str head, rest = text, line;
    ptrdiff_t call;

    if (!str_starts(text, STR("Graph break: ")))
        return false;
    call = str_find(str_first_line(text), STR(BREAK_TEXT_CALL));
    if (call >= 0)
        rest = arena_printf(a, "%.*s" BREAK_TEXT_AT "\n%.*s", STR_ARG(str_take(text, (size_t)call)),
                            STR_ARG(str_skip(text, (size_t)call + sizeof BREAK_TEXT_CALL - sizeof "  File \"")));
    head = take_until(&rest, STR("File \""), STR("Traceback (most recent call last):"));
    out->skipped_frame = str_has(head, STR("results in a skip")) || str_has(head, STR("Graph break: skip: "));
    text_stack_take(a, &rest, &out->user_stack);
    line = str_trim(str_split(&head, '\n'));
    if (str_ends(line, STR(BREAK_TEXT_AT)))
        line = str_drop(line, sizeof BREAK_TEXT_AT - 1);
    if (!str_consume(&line, STR("Graph break: ")) && str_eq(line, STR("Graph break:"))) /* without a reason */
        line = STR("");
    if (!set_message_of_traceback(a, rest, out))
        set_message(a, line, out);
    return true;
}

/* format_error_msg and format_error_msg_verbose: a traceback, followed by the stack if TORCHDYNAMO_VERBOSE=1. */
static bool parse_wont_convert(struct arena *a, struct str text, struct break_text *out)
{
    struct str rest = text, quoted;

    if (!str_starts(text, STR("WON'T CONVERT ")))
        return false;
    quoted = take_until(&rest, STR("========== The above exception occurred"),
                        STR("========== The above exception occurred"));
    out->skipped_frame = true;
    str_split(&rest, '\n');
    text_stack_take(a, &rest, &out->user_stack);
    if (!set_message_of_traceback(a, quoted, out))
        set_message(a, str_split(&quoted, '\n'), out);
    return true;
}

/* A message that is nothing but the exception that Dynamo caught. */
static bool parse_exception(struct arena *a, struct str text, struct break_text *out)
{
    return str_starts(text, STR("Traceback (most recent call last):")) && set_message_of_traceback(a, text, out);
}

void break_text_parse(struct arena *a, struct str text, struct break_text *out)
{
    struct str message;

    *out = (struct break_text){0};
    text = text.n ? str_trim(text) : STR("");
    take_head(&text, out);
    if (parse_stack_first(a, text, out) || parse_wont_convert(a, text, out) || parse_exception(a, text, out))
        return;
    message = take_until(&text, STR("User code traceback:"), STR("Stack variable source attribution:"));
    take_user_stack(a, text, out);
    if (!str_consume(&message, STR("Graph Break Reason: ")))
        str_consume(&message, STR("Reason: "));
    set_message(a, message, out);
}
