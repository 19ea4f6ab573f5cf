#include "torchlog/crash/crash_lines.h"

#include "text/python/exception_line.h"
#include "text/python/traceback.h"

size_t crash_indent(struct str line)
{
    size_t n = 0, columns = 0;

    for (; n < line.n && (line.p[n] == ' ' || line.p[n] == '\t'); n++)
        columns = line.p[n] == '\t' ? (columns | 7) + 1 : columns + 1;
    return columns;
}

bool crash_is_header(struct str text)
{
    static const struct str headers[] = {STR_INIT("Traceback (most recent call last):"),
                                         STR_INIT("+ Exception Group Traceback (most recent call last):")};

    return STR_STARTS_ANY(text, headers);
}

bool crash_is_original_header(struct str text)
{
    return str_starts(text, STR("Original Traceback (most recent call last):"));
}

bool crash_is_head(struct str text)
{
    return str_starts(text, STR("Exception in thread ")) || str_starts(text, STR("Exception ignored in"));
}

/*
 * "[E1121 08:00:06.012345678 ProcessGroupNCCL.cpp:632] ": level, date, time, place. Months have no zero before them:
 * "[E515 " is of May (c10/util/Logging.cpp, MessageLogger). Up to 2.2 there is no date: "[E ProcessGroupNCCL.cpp:458]
 * ". Of warnings, only those of a lack of memory say why a program ends.
 */
bool crash_is_logged(struct str line)
{
    enum { LOOKED_AT = 600 };
    struct str rest = line;
    size_t digits = 0;
    ptrdiff_t end;

    if (!str_consume(&rest, STR("[E")) && !str_consume(&rest, STR("[F")) &&
        !(str_consume(&rest, STR("[W")) && str_has(str_take(line, LOOKED_AT), STR(" failed with OOM on device "))))
        return false;
    while (digits < rest.n && str_is_digit(rest.p[digits]))
        digits++;
    if (digits == 0 && !str_starts(rest, STR(" ")))
        return false;
    if (digits &&
        (digits < 3 || digits > 4 || digits + 3 >= rest.n || rest.p[digits] != ' ' || rest.p[digits + 3] != ':'))
        return false;
    end = str_chr(str_take(line, 120), ']');
    return end > 0 && str_has(str_take(line, (size_t)end), STR(".cpp:"));
}

bool crash_is_call(struct str text)
{
    return str_starts(text, STR("File \"")) && (str_has(text, STR("\", line ")) || text_call_is_damaged(text));
}

bool crash_is_link(struct str text)
{
    return str_starts(text, STR("The above exception was the direct cause of the following exception:")) ||
           str_starts(text, STR("During handling of the above exception, another exception occurred:"));
}

/* Which of them stand alone, when the exception above them is missing: nobody else writes them. */
enum where { ALONE, WITHIN };
struct line_words {
    struct str text;
    enum where where;
};

/* The last is of 2.0. */
static const struct line_words trailers[] = {
    {STR_INIT("Set TORCHDYNAMO_VERBOSE=1 "), ALONE},
    {STR_INIT("Set TORCH_LOGS="), ALONE},
    {STR_INIT("You can suppress this exception and fall back"), ALONE},
    {STR_INIT("Set torch._dynamo.config.verbose=True"), ALONE},
};

static const struct line_words messages[] = {
    {STR_INIT("from user code:"), ALONE},
    {STR_INIT("User stack:"), WITHIN},
    {STR_INIT("User code traceback:"), WITHIN},
    {STR_INIT("User Stack (most recent call last):"), ALONE},
    {STR_INIT("Found from :"), ALONE},
    {STR_INIT("Last frame execution written to "), WITHIN},
    {STR_INIT("Minifier script written to "), ALONE},
    {STR_INIT("The above operation failed in interpreter"), ALONE},
    {STR_INIT("This error most often comes from "), WITHIN},
    {STR_INIT("Error in op: "), WITHIN},
    {STR_INIT("Original traceback:"), WITHIN},
    {STR_INIT("Use tlparse to see full graph"), ALONE},
    {STR_INIT("(Size-like symbols: "), ALONE},
    {STR_INIT("ATTENTION: guard_size_oblivious would fix the error"), ALONE},
    {STR_INIT("Caused by: "), WITHIN},
    {STR_INIT("consider using data-dependent friendly APIs"), ALONE},
    {STR_INIT("The following call raised this error:"), ALONE},
    {STR_INIT("tangent but got a plain Tensor"), WITHIN},
    {STR_INIT("This happens when a compiled function returns multiple outputs that"), ALONE},
    {STR_INIT("To fix: call .detach() on"), ALONE},
    {STR_INIT("The problematic output is: "), ALONE},
    {STR_INIT("This error occurred in compiled graph ["), ALONE},
    {STR_INIT("The forward output was created here:"), ALONE},
    {STR_INIT("This error is also more likely to occur if your compiled model"), ALONE},
    {STR_INIT("The error above occurred when calling torch.export"), ALONE},
    {STR_INIT("Suggested fixes:"), WITHIN},
    {STR_INIT("To fix the error, insert one of the following checks"), ALONE},
    {STR_INIT("(Could this error message be improved?"), WITHIN},
    {STR_INIT("For more information, run with TORCH_LOGS="), ALONE},
    {STR_INIT("For extended logs when we create symbols"), ALONE},
    {STR_INIT("If you suspect the guard was triggered from C++"), ALONE},
    {STR_INIT("For more debugging help, see "), WITHIN},
    {STR_INIT("For C++ stack trace, run with "), ALONE},
    {STR_INIT("For more details about this graph break, please visit: "), WITHIN},
    {STR_INIT("Developer debug context: "), WITHIN}, /* without the indentation */
    {STR_INIT("Potential framework code culprit "), WITHIN},
    {STR_INIT("- Not all values of "), WITHIN},
    {STR_INIT("Not all values of "), WITHIN},
    {STR_INIT("- You marked "), WITHIN},
    {STR_INIT("Search for `cuda"), WITHIN},
    {STR_INIT("Command:"), WITHIN},
    {STR_INIT("Output:"), WITHIN},
    {STR_INIT("Copyright (C) Microsoft"), WITHIN}, /* the banner of MSVC, and what it says itself, in any language */
    {STR_INIT("(C) "), WITHIN},
    {STR_INIT("cl: "), WITHIN},
    {STR_INIT("cl : "), WITHIN},
    {STR_INIT("FAILED: "), WITHIN}, /* ninja, of an extension */
    {STR_INIT("nvcc fatal "), WITHIN},
    {STR_INIT("ninja: build stopped"), WITHIN},
    {STR_INIT("CUDA kernel errors might be asynchronously reported"), WITHIN},
    {STR_INIT("For debugging consider passing CUDA_LAUNCH_BLOCKING="), WITHIN},
    {STR_INIT("Compile with `TORCH_USE_CUDA_DSA`"), WITHIN},
    {STR_INIT("Device-side assertion"), WITHIN},
    {STR_INIT("Exception raised from "), WITHIN},
    {STR_INIT("C++ CapturedTraceback:"), WITHIN},
    {STR_INIT("*** Begin stack trace ***"), WITHIN}, /* torch_xla, of C++ */
    {STR_INIT("*** End stack trace ***"), WITHIN},
    {STR_INIT("`ptxas` stderr:"), WITHIN},
    {STR_INIT("ocloc stderr:"), WITHIN},
    {STR_INIT("ocloc stdout:"), WITHIN},
    {STR_INIT("ptxas "), WITHIN},
    {STR_INIT("Repro command: "), WITHIN},
    {STR_INIT("## Exception summary"), WITHIN},
    {STR_INIT("<class '"), WITHIN},
    {STR_INIT("}.  If this assert is failing"), WITHIN},
    {STR_INIT("(Refer to the full stack trace above"), WITHIN},
    {STR_INIT("Number of tensors saved during "), WITHIN}, /* torch.utils.checkpoint */
    {STR_INIT("tensor at position "), WITHIN},
    {STR_INIT("saved metadata: "), WITHIN},
    {STR_INIT("recomputed metadata: "), WITHIN},
    {STR_INIT("Parameter indices which did not receive grad for rank"), WITHIN}, /* c10d/reducer.cpp */
    {STR_INIT("Parameters which did not receive grad for rank"), WITHIN},
    {STR_INIT("Mismatched elements: "), WITHIN}, /* torch.testing.assert_close */
    {STR_INIT("Greatest absolute difference: "), WITHIN},
    {STR_INIT("Greatest relative difference: "), WITHIN},
    {STR_INIT("Absolute difference: "), WITHIN},
    {STR_INIT("triggered by the following guard failure(s):"), WITHIN},
    {STR_INIT("Expected metadata: "), WITHIN}, /* of a tensor subclass, torch/_functorch */
    {STR_INIT("Runtime metadata: "), WITHIN},
    {STR_INIT("To fix this, your tensor subclass must implement"), WITHIN},
};

static const struct line_words *find(struct str text, const struct line_words *list, size_t n)
{
    for (size_t i = 0; i < n && text.n; i++)
        if (text.p[0] == list[i].text.p[0] && str_starts(text, list[i].text)) /* each line of a log comes here */
            return &list[i];
    return NULL;
}

#define FIND(text, list) find((text), (list), sizeof(list) / sizeof *(list))

bool crash_is_trailer(struct str text)
{
    return FIND(text, trailers) != NULL;
}

bool crash_is_message(struct str text)
{
    return FIND(text, messages) != NULL;
}

bool crash_stands_alone(struct str text)
{
    const struct line_words *w = FIND(text, messages);

    return crash_is_trailer(text) || (w && w->where == ALONE);
}

struct str crash_lone_words(size_t i)
{
    enum { TRAILERS = sizeof trailers / sizeof *trailers, ALL = TRAILERS + sizeof messages / sizeof *messages };

    for (size_t k = 0; k < ALL; k++) {
        const struct line_words *w = k < TRAILERS ? &trailers[k] : &messages[k - TRAILERS];

        if (w->where == ALONE && i-- == 0)
            return w->text;
    }
    return (struct str){0};
}

/* "s69)))*(2*s7 + 1": an expression that a terminal has wrapped closes what the line above has opened. */
static bool closes_expression(struct str text)
{
    size_t end = 0;

    while (end < text.n && text.p[end] != ' ' && text.p[end] != '(')
        end++;
    return str_has(str_take(text, end), STR("))"));
}

bool crash_goes_on(struct str text)
{
    static const struct str words[] = {
        STR_INIT("))"),
        STR_INIT("\"\"\""),
        STR_INIT("While executing "),
        STR_INIT("frame #"),
        STR_INIT("target: "),
        STR_INIT("args["),
        STR_INIT("Last error:"),
        STR_INIT("ncclUnhandledCudaError:"),
        STR_INIT("ncclSystemError:"),
        STR_INIT("ncclInternalError:"),
        STR_INIT("ncclInvalidUsage:"),
        STR_INIT("ncclRemoteError:"),
    };

    if (closes_expression(text))
        return true;
    if (str_starts(text, STR("- ")) && text.n > 2 && str_is_digit(text.p[2])) /* a guard that failed: "- 0/0: ..." */
        return true;
    if (str_has(text, STR(": block: [")) && str_has(text, STR("Assertion `")))
        return true;
    if (str_starts(text, STR("Required: ")) && str_has(text, STR("Hardware limit"))) /* of a kernel's shared memory */
        return true;
    if (str_has(text, STR(" -DTORCH_EXTENSION_NAME="))) /* a command of ninja, above what the compiler says */
        return true;
    return STR_STARTS_ANY(text, words) || str_has(text, STR(": fatal error")) || str_has(text, STR(": error: ")) ||
           str_has(text, STR(": error C")) || str_has(text, STR(": error LNK")) ||
           str_has(text, STR("ommand line error D"));
}

/* "in a subprocess: [...]": a person left out what follows. */
static struct str without_elision(struct str line)
{
    ptrdiff_t blank = str_rchr(line, ' ');

    return blank > 0 && crash_is_elision(str_skip(line, (size_t)blank + 1)) ? str_trim(str_take(line, (size_t)blank))
                                                                            : line;
}

static bool ends_before_cause(struct str line)
{
    return str_ends(line, STR("An exception occurred in a subprocess:")) ||
           (str_starts(line, STR("backend='")) && str_ends(line, STR("' raised:")));
}

/* Without a traceback that ends before its exception, and the line that grep prints between two matches. */
static struct str without_open_stack(struct str message)
{
    struct str m = str_trim(message), rest = m;
    bool in_stack = false;

    while (rest.n) {
        struct str line = str_skip(rest, (size_t)(str_rchr(rest, '\n') + 1)), text = str_trim(line);

        if (crash_is_header(text)) {
            in_stack = false;
            m = str_trim(str_take(rest, rest.n - line.n));
        } else if (text.n && line.p[0] == ' ' && exception_line_begins(text) == EXCEPTION_NONE) {
            in_stack = true;
        } else if (text.n && !str_eq(text, STR("--")) && !crash_is_elision(text)) {
            break;
        } else if (!in_stack) {
            m = str_trim(str_take(rest, rest.n - line.n));
        }
        rest = str_take(rest, rest.n - line.n - (rest.n > line.n));
    }
    return m;
}

bool crash_lacks_cause(struct str message)
{
    struct str m = without_open_stack(message), first = str_first_line(m),
               last = str_skip(m, (size_t)(str_rchr(m, '\n') + 1)), rest = without_elision(first);

    return ends_before_cause(without_elision(last)) || (rest.n < first.n && ends_before_cause(rest));
}

bool crash_announces(struct str text)
{
    return str_ends(text, STR("in a subprocess:")) || str_starts(text, STR("Name=")) ||
           str_starts(text, STR("-- Process ")) || str_ends(text, STR("\"\"\""));
}

/* "============" around it, and its sections. */
bool crash_is_table(struct str text)
{
    static const struct str words[] = {STR_INIT("Failures:"), STR_INIT("Root Cause (first observed failure):")};
    size_t n = 0;

    while (n < text.n && (text.p[n] == '=' || text.p[n] == '-'))
        n++;
    if (n == text.n && n >= 5)
        return true;
    if (text.n > 3 && text.p[0] == '[' && str_ends(text, STR("]:")))
        return true;
    return STR_STARTS_ANY(text, words) || str_ends(text, STR(" FAILED"));
}

enum { ELISION_MAX = 60, WORDS_MAX = 120 };

static bool says_so(struct str text)
{
    static const struct str words[] = {STR_INIT("snip"),    STR_INIT("truncated"), STR_INIT("omitted"),
                                       STR_INIT("skipped"), STR_INIT("lines"),     STR_INIT("cut"),
                                       STR_INIT("frames")};

    return STR_HAS_ANY(text, words);
}

bool crash_is_elision(struct str text)
{
    size_t dots = 0, marks = 0;

    if (text.n < 2 || text.n > ELISION_MAX)
        return false;
    for (size_t i = 0; i < text.n; i++) {
        dots += text.p[i] == '.' || strchr("\xe2\x80\xa6\x8b\xae", text.p[i]); /* U+2026, U+22EE */
        marks += strchr(" []<>()*-|:#/", text.p[i]) != NULL;
    }
    if (dots >= 2 && dots + marks == text.n)
        return true;
    return (dots >= 3 || strchr("[<(*-", text.p[0])) && says_so(text);
}

bool crash_is_elision_in_stack(struct str text)
{
    static const struct str begins[] = {STR_INIT("..."), STR_INIT("\xe2\x80\xa6"), STR_INIT("[..."), STR_INIT("(..."),
                                        STR_INIT("[ ..."), STR_INIT("( ..."), STR_INIT("(same "),
                                        /* folds of the runners of GitHub and Azure */
                                        STR_INIT("##[group]"), STR_INIT("##[endgroup]"), STR_INIT("::group::"),
                                        STR_INIT("::endgroup::")},
                            ends[] = {STR_INIT("..."), STR_INIT("\xe2\x80\xa6"), STR_INIT("...]"), STR_INIT("...)")};

    if (crash_is_elision(text) || str_eq(text, STR(".")) || str_eq(text, STR(":"))) /* below one another: a column */
        return true;
    if (text.n > WORDS_MAX || crash_is_call(text) || crash_is_header(text))
        return false;
    return STR_STARTS_ANY(text, begins) ||
           (STR_ENDS_ANY(text, ends) && exception_line_begins(text) == EXCEPTION_NONE);
}

bool crash_is_caught_signal(struct str text)
{
    ptrdiff_t end = str_chr(text, ']');

    return end > 0 && str_starts(str_skip(text, (size_t)end), STR("] Caught signal "));
}

bool crash_is_native_backtrace(struct str text)
{
    return str_starts(text, STR("==== backtrace (tid:"));
}

/* "0.0s" or "3.1it/s", with the blanks before it */
static bool take_speed(struct str *s)
{
    struct str rest = str_trim(*s);
    size_t n = 0;

    while (n < rest.n && (str_is_digit(rest.p[n]) || rest.p[n] == '.'))
        n++;
    rest = str_skip(rest, n);
    if (n == 0 || !(str_consume(&rest, STR("it/s")) || str_consume(&rest, STR("s/it")) || str_consume(&rest, STR("s"))))
        return false;
    *s = rest;
    return true;
}

/* "  0% ------ 0/1  0.0s" of Ultralytics, with lines of box drawing (U+2500, U+2501) */
static size_t box_bar_length(struct str line)
{
    static const struct str box = STR_INIT("\xe2\x94");
    struct str rest = line;
    uint64_t done, all;

    if (str_chr(line, box.p[0]) < 0) /* as in nearly all lines */
        return 0;
    for (ptrdiff_t at; (at = str_find(rest, box)) >= 0;)
        rest = str_skip(rest, (size_t)at + 3);
    if (rest.n == line.n)
        return 0;
    rest = str_trim(rest);
    if (!str_take_u64(&rest, &done) || !str_consume(&rest, STR("/")) || !str_take_u64(&rest, &all) ||
        !take_speed(&rest))
        return 0;
    take_speed(&rest);
    return line.n - rest.n;
}

/* "  3%|###  | 3/100 [00:01<00:32,  3.02it/s]", "  0%|  | 0/20 [00:06<?, 2.1s/it, loss=2.3]" */
size_t crash_bar_length(struct str line)
{
    ptrdiff_t at = str_find(line, STR("it/s")), end;
    size_t box = box_bar_length(line);
    struct str behind;

    if (box)
        return box;

    if (at < 0)
        at = str_find(line, STR("s/it"));
    if (at < 0)
        return 0;
    behind = str_skip(line, (size_t)at + 4);
    end = str_chr(behind, ']');
    return end == 0 || (end > 0 && str_starts(behind, STR(", "))) ? (size_t)(at + end) + 5 : 0;
}

/* "OMP: Error #15: ...", "RuntimeError: ...": a message behind the number that a viewer puts before each line. */
static bool begins_message(struct str text)
{
    size_t n = 0;

    while (n < text.n && (str_is_word_char(text.p[n]) || text.p[n] == '.'))
        n++;
    return n > 0 && text.p[0] >= 'A' && text.p[0] <= 'Z' && str_starts(str_skip(text, n), STR(": "));
}

bool crash_is_shown_code(struct str line)
{
    struct str rest = str_trim(line);
    size_t dashes = 0;
    uint64_t number;

    while (dashes < rest.n && rest.p[dashes] == '-')
        dashes++;
    rest = str_skip(rest, dashes);
    if (line.n == 0 || !strchr(" -", line.p[0]) || (dashes && !str_consume(&rest, STR("> "))))
        return false;
    return str_take_u64(&rest, &number) && str_starts(rest, STR(" ")) && !begins_message(str_trim(rest));
}
