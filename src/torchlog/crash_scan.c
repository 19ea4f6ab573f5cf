#include "torchlog/crash_scan.h"

#include "torchlog/shown_traceback.h"

enum { UNSURE_MAX = 1000, SHELL_MAX = 400, LEAD_MAX = 200 };

enum state {
    IN_STACK, /* behind a header: calls and their source */
    IN_MESSAGE,
    IN_TRAILER,  /* behind what PyTorch puts at the end of a message */
    BEHIND_HEAD, /* "Exception in thread Thread-1:" */
    BEHIND_LINK, /* "The above exception was the direct cause of the following exception:" */
};

static const struct str header = STR_INIT("Traceback (most recent call last):");
static const struct str group_header = STR_INIT("+ Exception Group Traceback (most recent call last):");

static size_t indent_of(struct str s)
{
    size_t n = 0;

    while (n < s.n && (s.p[n] == ' ' || s.p[n] == '\t'))
        n++;
    return n;
}

static bool is_any(struct str line, const struct str *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (str_starts(line, words[i]))
            return true;
    return false;
}

#define IS_ANY(line, words) is_any((line), (words), sizeof(words) / sizeof *(words))

/* --- first lines -------------------------------------------------------------------------------------------------- */

/* "[E1121 08:00:06.012345678 ProcessGroupNCCL.cpp:632] ": level, date, time, place. */
static bool is_logged(struct str line)
{
    ptrdiff_t end;

    if (line.n < 24 || line.p[0] != '[' || (line.p[1] != 'E' && line.p[1] != 'F') || line.p[6] != ' ' ||
        line.p[9] != ':')
        return false;
    end = str_chr(str_take(line, 120), ']');
    return end > 0 && str_has(str_take(line, (size_t)end), STR(".cpp:"));
}

/* How a shell says of what a process died; `rest` is behind the process id where there is one. */
static bool is_death(struct str rest, bool named)
{
    static const struct str deaths[] = {
        STR_INIT("Segmentation fault"),  STR_INIT("Aborted"),
        STR_INIT("Bus error"),           STR_INIT("Killed"),
        STR_INIT("Illegal instruction"), STR_INIT("Floating point exception"),
    };

    if (rest.n == 0 || !strchr("SABKIF", rest.p[0]) || !IS_ANY(rest, deaths))
        return false;
    return named || str_eq(rest, STR("Killed")) || str_ends(rest, STR("(core dumped)"));
}

/* "Killed", "run.sh: line 3:    42 Killed                  python train.py". */
static bool is_shell(struct str line)
{
    ptrdiff_t colon;
    uint64_t number;

    line = str_trim(str_take(line, SHELL_MAX));
    if (is_death(line, false))
        return true;
    colon = str_chr(line, ':');
    if (colon <= 0)
        return false;
    line = str_skip(line, (size_t)colon);
    if (str_consume(&line, STR(": line ")) && !str_take_u64(&line, &number))
        return false;
    if (!str_consume(&line, STR(":")))
        return false;
    line = str_trim(line);
    if (!str_take_u64(&line, &number))
        return false;
    return is_death(str_trim(line), true);
}

static bool is_gpu_assert(struct str line)
{
    line = str_trim(line);
    return str_ends(line, STR("` failed.")) && str_has(line, STR(": block: [")) && str_has(line, STR("Assertion `"));
}

static bool is_header(struct str line)
{
    return str_starts(line, header) || str_starts(line, group_header);
}

/* Of an exception of a worker of a DataLoader, which is raised again. */
static bool is_original_header(struct str line)
{
    return str_starts(line, STR("Original Traceback (most recent call last):"));
}

/* What Python puts before the traceback of an exception that does not end the program. */
static bool is_head(struct str text)
{
    return str_starts(text, STR("Exception in thread ")) || str_starts(text, STR("Exception ignored in"));
}

enum crash_form crash_begins(struct str line)
{
    static const struct str fatal[] = {STR_INIT("Fatal Python error: "), STR_INIT("Windows fatal exception: ")};
    struct str text = str_skip(line, indent_of(line));

    if (text.n < 6)
        return CRASH_NONE;
    if (text.p[text.n - 1] == ')' && notebook_begins(line))
        return CRASH_NOTEBOOK;
    if (pytest_begins(line))
        return CRASH_PYTEST;
    switch (text.p[0]) {
    case 'E':
        return is_head(text) ? CRASH_TRACEBACK : CRASH_NONE;
    case 'T':
    case '+':
        return is_header(text) ? CRASH_TRACEBACK : CRASH_NONE;
    case '[':
        return is_logged(text) ? CRASH_LOGGED : CRASH_NONE;
    case 't':
        if (str_starts(text, STR("terminate called ")))
            return CRASH_TERMINATE;
        break;
    case 'F':
    case 'W':
        if (IS_ANY(text, fatal))
            return CRASH_FATAL;
        break;
    default:
        break;
    }
    if (text.p == line.p && is_shell(text))
        return CRASH_SHELL;
    return is_gpu_assert(text) ? CRASH_ASSERT : CRASH_NONE;
}

/* --- leads -------------------------------------------------------------------------------------------------------- */

size_t crash_lead(struct str line)
{
    ptrdiff_t at;

    if (!str_ends(line, STR("(most recent call last):")))
        return 0;
    at = str_find(str_take(line, LEAD_MAX + header.n), header);
    if (at <= 0 || (size_t)at + header.n != line.n || at > LEAD_MAX)
        return 0;
    line = str_trim(str_take(line, (size_t)at));
    return line.n && (str_ends(line, STR("]")) || str_ends(line, STR(":")) || str_ends(line, STR(")")) ||
                      str_ends(line, STR("|")) || str_ends(line, STR("-")))
               ? (size_t)at
               : 0;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool crash_has_lead(struct str line, struct str lead)
{
    if (line.n < lead.n)
        return false;
    for (size_t i = 0; i < lead.n; i++)
        if (line.p[i] != lead.p[i] && !(is_digit(line.p[i]) && is_digit(lead.p[i])))
            return false;
    return true;
}

/* --- tracebacks --------------------------------------------------------------------------------------------------- */

static bool is_link(struct str text)
{
    return str_starts(text, STR("The above exception was the direct cause of the following exception:")) ||
           str_starts(text, STR("During handling of the above exception, another exception occurred:"));
}

/* What torch/_dynamo/exc.py puts behind a message as its last words, and before them. */
static bool is_last_trailer(struct str text)
{
    static const struct str words[] = {STR_INIT("Set TORCHDYNAMO_VERBOSE=1 "), STR_INIT("Set TORCH_LOGS="),
                                       STR_INIT("You can suppress this exception and fall back")};

    return IS_ANY(text, words);
}

/* How lines begin that can be nothing but a part of the message. */
static bool is_message(struct str text)
{
    static const struct str words[] = {
        STR_INIT("from user code:"),
        STR_INIT("User stack:"),
        STR_INIT("User Stack ("),
        STR_INIT("Found from :"),
        STR_INIT("Last frame execution written to "),
        STR_INIT("Minifier script written to "),
        STR_INIT("The above operation failed in interpreter"),
        STR_INIT("This error most often comes from "),
        STR_INIT("Original traceback:"),
        STR_INIT("Use tlparse to see full graph"),
        STR_INIT("(Size-like symbols: "),
        STR_INIT("Caused by: "),
        STR_INIT("consider using data-dependent friendly APIs"),
        STR_INIT("The following call raised this error:"),
        STR_INIT("The error above occurred when calling torch.export"),
        STR_INIT("Suggested fixes:"),
        STR_INIT("To fix the error, insert one of the following checks"),
        STR_INIT("(Could this error message be improved?"),
        STR_INIT("For more information, run with TORCH_LOGS="),
        STR_INIT("For extended logs when we create symbols"),
        STR_INIT("If you suspect the guard was triggered from C++"),
        STR_INIT("For more debugging help, see "),
        STR_INIT("For C++ stack trace, run with "),
        STR_INIT("Potential framework code culprit "),
        STR_INIT("Search for `cuda"),
        STR_INIT("CUDA kernel errors might be asynchronously reported"),
        STR_INIT("For debugging consider passing CUDA_LAUNCH_BLOCKING="),
        STR_INIT("Compile with `TORCH_USE_CUDA_DSA`"),
        STR_INIT("Device-side assertion"),
        STR_INIT("Exception raised from "),
        STR_INIT("C++ CapturedTraceback:"),
    };

    return IS_ANY(text, words);
}

/* The same of lines that mean so only directly behind another line of the message. */
static bool goes_on(struct str text)
{
    static const struct str words[] = {
        STR_INIT("))"),
        STR_INIT("\"\"\""),
        STR_INIT("While executing "),
        STR_INIT("frame #"),
        STR_INIT("Last error:"),
        STR_INIT("ncclUnhandledCudaError:"),
        STR_INIT("ncclSystemError:"),
        STR_INIT("ncclInternalError:"),
        STR_INIT("ncclInvalidUsage:"),
        STR_INIT("ncclRemoteError:"),
    };

    return IS_ANY(text, words);
}

/* Behind it, a traceback is part of the message: of a subprocess, of a worker. */
static bool announces(struct str text)
{
    return str_ends(text, STR("in a subprocess:")) || str_starts(text, STR("Name=")) ||
           str_starts(text, STR("-- Process ")) || str_ends(text, STR("\"\"\""));
}

/* "============" around the table of torchrun, and its sections. */
static bool is_table(struct str text)
{
    static const struct str words[] = {STR_INIT("Failures:"), STR_INIT("Root Cause (first observed failure):")};
    size_t n = 0;

    while (n < text.n && (text.p[n] == '=' || text.p[n] == '-'))
        n++;
    if (n == text.n && n >= 5)
        return true;
    if (text.n > 3 && text.p[0] == '[' && str_ends(text, STR("]:")))
        return true;
    return IS_ANY(text, words) || str_ends(text, STR(" FAILED"));
}

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

/* The names of exceptions have no blanks: "torch._dynamo.exc.Unsupported: ...", "KeyboardInterrupt". */
static bool is_exception(struct str text)
{
    size_t n = 0;

    while (n < text.n && text.p[n] != ' ' && text.p[n] != ':' && text.p[n] != '(' && text.p[n] != '=')
        n++;
    return n > 0 && (n == text.n || text.p[n] == ':');
}

static enum crash_line in_stack(struct crash_scan *s, struct str line, struct str text)
{
    if (text.n == 0)
        return unsure(s, text);
    if (indent_of(line) > s->indent)
        return sure(s, IN_STACK);
    if (!is_exception(text) || is_header(text))
        return CRASH_NO_LINE;
    s->goes_on = str_ends(text, STR(":"));
    s->announced = announces(text);
    return sure(s, IN_MESSAGE);
}

/* Nothing but blank lines stands between this line and the last one that is certain. */
static bool follows(const struct crash_scan *s)
{
    return s->unsure == 0 || s->only_blank;
}

static bool belongs(const struct crash_scan *s, struct str line, struct str text)
{
    if (is_message(text))
        return true;
    if (s->unsure == 0 && (goes_on(text) || is_table(text)))
        return true;
    return follows(s) && (s->announced || s->goes_on || indent_of(line) > s->indent);
}

static enum crash_line in_message(struct crash_scan *s, struct str line, struct str text)
{
    bool mine, traceback = is_header(text) || is_original_header(text);

    if (text.n == 0)
        return unsure(s, text);
    if (is_link(text))
        return sure(s, BEHIND_LINK);
    if (traceback && (s->announced || !is_header(text)))
        return sure(s, IN_STACK);
    if (traceback && indent_of(line) <= s->indent)
        return CRASH_NO_LINE;
    if (is_last_trailer(text))
        return sure(s, IN_TRAILER);
    mine = belongs(s, line, text);
    s->announced = mine && (s->announced || announces(text));
    s->goes_on = mine && str_ends(text, STR(":"));
    return mine ? sure(s, IN_MESSAGE) : unsure(s, text);
}

static enum crash_line in_trailer(struct crash_scan *s, struct str line, struct str text)
{
    if (text.n == 0)
        return unsure(s, text);
    if (is_link(text))
        return sure(s, BEHIND_LINK);
    if (is_last_trailer(text) || (indent_of(line) > s->indent && str_starts(text, STR("import torch._dynamo"))) ||
        (indent_of(line) > s->indent && str_starts(text, STR("torch._dynamo.config."))))
        return sure(s, IN_TRAILER);
    return CRASH_NO_LINE;
}

/* "  | ", "  +-+---------------- 1 ----------------". */
static enum crash_line in_group(struct crash_scan *s, struct str text)
{
    if (str_starts(text, STR("|")) || str_starts(text, STR("+")) || is_message(text) || is_last_trailer(text))
        return sure(s, IN_STACK);
    return is_header(text) ? CRASH_NO_LINE : unsure(s, text);
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
        return is_header(text) ? sure(s, IN_STACK) : CRASH_NO_LINE;
    case BEHIND_LINK:
        break;
    }
    if (text.n == 0)
        return sure(s, BEHIND_LINK);
    return sure(s, is_header(text) ? IN_STACK : IN_MESSAGE);
}

static enum crash_line in_message_of_notebook(struct crash_scan *s, struct str line, struct str text)
{
    if (notebook_begins(line))
        return CRASH_NO_LINE;
    if (is_link(text))
        return sure(s, IN_STACK);
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
    return indent_of(line) > s->indent || IS_ANY(text, words) ? sure(s, IN_MESSAGE) : CRASH_NO_LINE;
}

static enum crash_line in_terminate(struct crash_scan *s, struct str line, struct str text)
{
    if (text.n == 0)
        return unsure(s, text);
    if (indent_of(line) > s->indent || is_message(text))
        return sure(s, IN_MESSAGE);
    return CRASH_NO_LINE;
}

void crash_scan_begin(struct crash_scan *s, enum crash_form form, struct str line)
{
    size_t indent = indent_of(line);
    bool head = is_head(str_skip(line, indent));

    *s = (struct crash_scan){.form = form,
                             .indent = indent,
                             .state = head ? BEHIND_HEAD : IN_STACK,
                             .group = str_starts(str_skip(line, indent), STR("+"))};
    if (form == CRASH_PYTEST)
        pytest_next(s, line);
}

enum crash_line crash_scan_next(struct crash_scan *s, struct str line)
{
    struct str text = str_trim(line);

    switch (s->form) {
    case CRASH_TRACEBACK:
        return in_traceback(s, line, text);
    case CRASH_PYTEST:
        return pytest_next(s, line);
    case CRASH_NOTEBOOK:
        return s->state == IN_MESSAGE || s->state == IN_TRAILER ? in_message_of_notebook(s, line, text)
                                                                : notebook_next(s, line);
    case CRASH_FATAL:
        return in_fatal(s, line, text);
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
            if (!is_header(str_trim(line)) && !is_original_header(line))
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
