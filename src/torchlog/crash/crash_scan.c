#include "torchlog/crash/crash_scan.h"

#include "text/python/exception_line.h"
#include "text/python/thread_dump.h"
#include "text/python/traceback.h"
#include "torchlog/crash/crash_lines.h"
#include "torchlog/crash/shown_traceback.h"
#include "torchlog/crash/shell_death.h"

enum { UNSURE_MAX = 1000 };

enum state {
    IN_STACK, /* behind a header: calls and their source */
    IN_MESSAGE,
    IN_TRAILER,  /* behind what PyTorch puts at the end of a message */
    BEHIND_HEAD, /* "Exception in thread Thread-1:" */
    BEHIND_LINK, /* "The above exception was the direct cause of the following exception:" */
};

/* --- tracebacks --------------------------------------------------------------------------------------------------- */

static enum crash_line sure(struct crash_scan *s, enum state next)
{
    s->state = next;
    s->unsure = 0;
    return CRASH_LINE;
}

static enum crash_line unsure(struct crash_scan *s, struct str text)
{
    s->only_blank = text.n == 0 && (s->unsure == 0 || s->only_blank);
    return ++s->unsure > UNSURE_MAX ? CRASH_NO_LINE : CRASH_LINE_MAYBE;
}

/*
 * The names of exceptions have no blanks: "torch._dynamo.exc.Unsupported: ...", "KeyboardInterrupt". A level is none:
 * "ERROR:    Application startup failed." is what a logger says next.
 */
static bool is_exception(struct str text)
{
    static const struct str levels[] = {STR_INIT("ERROR:"), STR_INIT("CRITICAL:"), STR_INIT("FATAL:"),
                                        STR_INIT("WARNING:"), STR_INIT("INFO:"), STR_INIT("DEBUG:")};
    size_t n = 0;

    if (STR_STARTS_ANY(text, levels))
        return false;

    while (n < text.n && text.p[n] != ' ' && text.p[n] != ':' && text.p[n] != '(' && text.p[n] != '=')
        n++;
    return n > 0 && (n == text.n || text.p[n] == ':');
}

/* "InductorError": a page puts the message into the line below. */
static bool is_name(struct str text)
{
    return exception_line_begins(text) == EXCEPTION_OF_COMPILER && str_chr(text, ':') < 0;
}

/* The line that names the exception. */
static enum crash_line begin_message(struct crash_scan *s, struct str text)
{
    s->goes_on = str_ends(text, STR(":")) || is_name(text);
    s->announced = crash_announces(text);
    s->open = exception_line_is_open(text);
    return sure(s, IN_MESSAGE);
}

/*
 * The first line of a copied stack lost its indentation, and the exception kept it. Code may look like an exception:
 * the line below a call, and an item of a dictionary ("KeyError: 7,").
 */
static bool ends_shifted_stack(const struct crash_scan *s, struct str line, struct str text)
{
    return s->form == CRASH_TAIL && !s->below_call && crash_indent(line) > s->indent + CALL_INDENT &&
           exception_line_begins(text) != EXCEPTION_NONE && !str_ends(text, STR(","));
}

static enum crash_line in_stack(struct crash_scan *s, struct str line, struct str text)
{
    if (text.n == 0 || (crash_indent(line) <= s->indent && crash_is_elision_in_stack(text)))
        return unsure(s, text);
    if (ends_shifted_stack(s, line, text)) {
        s->indent = crash_indent(line);
        return begin_message(s, text);
    }
    s->below_call = crash_is_call(text);
    if (crash_indent(line) > s->indent || traceback_is_carets(text))
        return sure(s, IN_STACK);
    if (crash_is_message(text))
        return sure(s, IN_MESSAGE);
    if (crash_is_trailer(text))
        return sure(s, IN_TRAILER);
    return !is_exception(text) || crash_is_header(text) ? CRASH_NO_LINE : begin_message(s, text);
}

/* Nothing but blank lines stands between this line and the last one that is certain. */
static bool follows(const struct crash_scan *s)
{
    return s->unsure == 0 || s->only_blank;
}

static bool belongs(const struct crash_scan *s, struct str line, struct str text)
{
    if (crash_is_message(text))
        return true;
    if ((s->unsure == 0 || s->output) && crash_goes_on(text))
        return true;
    if (s->unsure == 0 && (crash_is_table(text) || (s->open && exception_line_continues(text))))
        return true;
    /* "Failed to import x.py", "SyntaxError: ...": the exception that it passes on is the next line of its message */
    if (s->unsure == 0 && s->form == CRASH_TRACEBACK && exception_line_begins(text) == EXCEPTION_ANY)
        return true;
    return follows(s) && (s->announced || s->goes_on || crash_indent(line) > s->indent);
}

/* Another exception that was printed without its traceback. */
static bool is_another(const struct crash_scan *s, struct str line, struct str text)
{
    static const struct str deaths[] = {STR_INIT("terminate called "), STR_INIT("Fatal Python error: "),
                                        STR_INIT("LLVM ERROR: ")};

    if (s->goes_on || s->announced || crash_indent(line) > s->indent)
        return false;
    if (STR_STARTS_ANY(text, deaths) || crash_is_logged(text))
        return true;
    return exception_line_begins(text) == EXCEPTION_OF_COMPILER ||
           (s->form == CRASH_TAIL && exception_line_begins(text) == EXCEPTION_ANY && exception_text_is_compilers(text));
}

/*
 * "Caught while stepping: Traceback (most recent call last):" below a line of a tool, which has no traceback itself; a
 * logger may have put anything before it, such as "[2026-01-02 03:04:05][job][ERROR] - ".
 */
static bool begins_traceback(const struct crash_scan *s, struct str line, struct str text)
{
    return s->form == CRASH_TAIL && crash_indent(line) <= s->indent &&
           str_ends(text, STR(" Traceback (most recent call last):"));
}

/* "1 failed, 212 passed, 9 skipped in 164.20s (0:02:44)", the end of pytest's summary. */
static bool is_pytest_end(struct str text)
{
    uint64_t number;

    return str_take_u64(&text, &number) && str_has(text, STR(" in ")) &&
           (str_starts(text, STR(" failed")) || str_starts(text, STR(" passed")) || str_starts(text, STR(" error")));
}

static enum crash_line in_message(struct crash_scan *s, struct str line, struct str text)
{
    bool mine, traceback = crash_is_header(text) || crash_is_original_header(text);

    if (text.n == 0 || crash_is_elision(text))
        return unsure(s, STR(""));
    if (crash_is_link(text))
        return sure(s, BEHIND_LINK);
    if (traceback && (s->announced || !crash_is_header(text)))
        return sure(s, IN_STACK);
    if (is_pytest_end(text))
        return CRASH_NO_LINE;
    if (crash_is_head(text) || (traceback && crash_indent(line) <= s->indent) || is_another(s, line, text) ||
        begins_traceback(s, line, text))
        return CRASH_NO_LINE;
    if (crash_is_trailer(text))
        return sure(s, IN_TRAILER);
    mine = belongs(s, line, text);
    s->output |= str_starts(text, STR("Output:"));
    s->announced = mine && (s->announced || crash_announces(text));
    s->goes_on = mine && (str_ends(text, STR(":")) || traceback_is_carets(text));
    s->open = mine && exception_line_is_open(text);
    return mine ? sure(s, IN_MESSAGE) : unsure(s, text);
}

static enum crash_line in_trailer(struct crash_scan *s, struct str line, struct str text)
{
    if (text.n == 0)
        return unsure(s, text);
    if (crash_is_link(text))
        return sure(s, BEHIND_LINK);
    if (crash_is_trailer(text) || (crash_indent(line) > s->indent && str_starts(text, STR("import torch._dynamo"))) ||
        (crash_indent(line) > s->indent && str_starts(text, STR("torch._dynamo.config."))))
        return sure(s, IN_TRAILER);
    return CRASH_NO_LINE;
}

/* "  | ", "  +-+---------------- 1 ----------------". */
static enum crash_line in_group(struct crash_scan *s, struct str text)
{
    if (str_starts(text, STR("|")) || str_starts(text, STR("+")) || crash_is_message(text) || crash_is_trailer(text))
        return sure(s, IN_STACK);
    return crash_is_header(text) ? CRASH_NO_LINE : unsure(s, text);
}

static enum crash_line in_traceback(struct crash_scan *s, struct str line, struct str text)
{
    if (s->group)
        return in_group(s, text);
    switch ((enum state)s->state) {
    case IN_STACK:
        return in_stack(s, line, text);
    case IN_MESSAGE:
        return in_message(s, line, text);
    case IN_TRAILER:
        return in_trailer(s, line, text);
    case BEHIND_HEAD:
        return crash_is_header(text) ? sure(s, IN_STACK) : CRASH_NO_LINE;
    case BEHIND_LINK:
        break;
    }
    if (text.n == 0)
        return sure(s, BEHIND_LINK);
    return sure(s, crash_is_header(text) || crash_is_call(text) ? IN_STACK : IN_MESSAGE);
}

/* The message below a stack that a notebook or rich shows. */
static enum crash_line in_shown_message(struct crash_scan *s, struct str line, struct str text)
{
    if (notebook_begins(line) || boxed_begins(text))
        return CRASH_NO_LINE;
    if (crash_is_link(text))
        return sure(s, IN_STACK);
    if (s->form == CRASH_BOXED && boxed_goes_on(s, line))
        return sure(s, IN_MESSAGE);
    return s->state == IN_TRAILER ? in_trailer(s, line, text) : in_message(s, line, text);
}

/* --- the other forms ---------------------------------------------------------------------------------------------- */

static enum crash_line in_fatal(struct crash_scan *s, struct str line, struct str text)
{
    static const struct str words[] = {STR_INIT("Current thread"),      STR_INIT("Thread 0x"),
                                       STR_INIT("Extension modules: "), STR_INIT("Python runtime state: "),
                                       STR_INIT("Garbage-collecting"),  STR_INIT("...")};

    if (text.n == 0)
        return unsure(s, text);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_starts(text, words[i]))
            return sure(s, IN_MESSAGE);
    return crash_indent(line) > s->indent || str_starts(text, STR("File \"")) ? sure(s, IN_MESSAGE) : CRASH_NO_LINE;
}

static enum crash_line in_terminate(struct crash_scan *s, struct str line, struct str text)
{
    if (text.n == 0)
        return unsure(s, text);
    if (crash_indent(line) > s->indent || crash_is_message(text))
        return sure(s, IN_MESSAGE);
    return CRASH_NO_LINE;
}

/* " 0 0x0000000000042520 __sigaction()  ???:0" */
static bool is_native_call(struct str text)
{
    uint64_t number;

    return str_take_u64(&text, &number) && str_starts(str_trim(text), STR("0x"));
}

/* "[~40 interpreter frames]", "...": a writer left calls out. */
static bool is_left_out(struct str text)
{
    return str_starts(text, STR("...")) || (str_starts(text, STR("[")) && str_has(text, STR("frames")));
}

static enum crash_line in_signal(struct crash_scan *s, struct str text)
{
    if (s->state == BEHIND_LINK) /* the line that ends the stack was the last */
        return shell_signal(text).n ? sure(s, IN_TRAILER) : CRASH_NO_LINE;
    if (s->state == IN_TRAILER)
        return CRASH_NO_LINE;
    if (str_starts(text, STR("=====")))
        return sure(s, BEHIND_LINK);
    if (crash_is_native_backtrace(text) || is_native_call(text))
        return sure(s, IN_MESSAGE);
    return is_left_out(text) ? unsure(s, text) : CRASH_NO_LINE;
}

/* A traceback without its header begins with any of its lines. */
static void begin_tail(struct crash_scan *s, struct str text)
{
    s->below_call = crash_is_call(text);
    if (s->below_call)
        s->indent = s->indent > CALL_INDENT ? s->indent - CALL_INDENT : 0;
    else if (crash_is_trailer(text))
        s->state = IN_TRAILER;
    else
        begin_message(s, text);
}

static enum crash_line in_dump(struct crash_scan *s, struct str line, struct str text)
{
    if (text.n == 0)
        return unsure(s, text);
    return thread_dump_begins(text) || thread_dump_goes_on(line) ? sure(s, IN_MESSAGE) : CRASH_NO_LINE;
}

void crash_scan_begin(struct crash_scan *s, enum crash_form form, struct str line)
{
    size_t indent = crash_indent(line);
    struct str text = str_trim(line);

    *s = (struct crash_scan){.form = form,
                             .indent = indent,
                             .state = crash_is_head(text) ? BEHIND_HEAD : IN_STACK,
                             .group = str_starts(text, STR("+"))};
    if (form == CRASH_PYTEST)
        pytest_next(s, line);
    else if (form == CRASH_TAIL)
        begin_tail(s, text);
}

enum crash_line crash_scan_next(struct crash_scan *s, struct str line)
{
    struct str text = str_trim(line);

    switch (s->form) {
    case CRASH_TRACEBACK:
    case CRASH_TAIL:
        return in_traceback(s, line, text);
    case CRASH_PYTEST:
        return pytest_next(s, line);
    case CRASH_NOTEBOOK:
        return s->state == IN_MESSAGE || s->state == IN_TRAILER ? in_shown_message(s, line, text)
                                                                : notebook_next(s, line);
    case CRASH_BOXED:
        return s->state == IN_MESSAGE || s->state == IN_TRAILER ? in_shown_message(s, line, text) : boxed_next(s, line);
    case CRASH_FATAL:
        return in_fatal(s, line, text);
    case CRASH_SIGNAL:
        return in_signal(s, text);
    case CRASH_DUMP:
        return in_dump(s, line, text);
    case CRASH_TERMINATE:
    case CRASH_LOGGED:
        return in_terminate(s, line, text);
    default:
        return CRASH_NO_LINE;
    }
}

struct str crash_traceback(struct str text)
{
    struct str rest = text, line, begin = {0};
    const char *end = NULL;
    struct crash_scan s;

    while (str_next_line(&rest, &line)) {
        if (!begin.p) {
            if (!crash_is_header(str_trim(line)) && !crash_is_original_header(line))
                continue;
            begin = line;
            crash_scan_begin(&s, CRASH_TRACEBACK, line);
            end = line.p + line.n;
            continue;
        }
        switch (crash_scan_next(&s, line)) {
        case CRASH_LINE:
            end = line.p + line.n;
            break;
        case CRASH_LINE_MAYBE:
            break;
        case CRASH_NO_LINE:
            return str_range(begin.p, end);
        }
    }
    return begin.p ? str_range(begin.p, end) : (struct str){0};
}
