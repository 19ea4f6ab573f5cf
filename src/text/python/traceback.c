#include "text/python/traceback.h"

#include "input/limits.h"
#include "text/python/exception_line.h"

/* --- stacks ------------------------------------------------------------------------------------------------------- */

/* The indentation in columns. */
static size_t indentation(struct str line)
{
    size_t columns = 0;

    for (size_t n = 0; n < line.n && (line.p[n] == ' ' || line.p[n] == '\t'); n++)
        columns = line.p[n] == '\t' ? (columns | 7) + 1 : columns + 1;
    return columns;
}

/* `X line N, in F` and `X N, in F`, in which the quote behind a long path was lost with what stood before it. */
static bool parse_damaged(struct str line, struct text_call *out)
{
    ptrdiff_t in = str_find(line, STR(", in ")), at;
    struct str before = str_take(line, in < 0 ? 0 : (size_t)in), number;
    uint64_t n;

    if (in < 0 || str_chr(line, '"') >= 0 || (at = str_rchr(before, ' ')) < 0)
        return false;
    number = str_skip(before, (size_t)at + 1);
    if (!str_u64(number, &n) || n > INT64_MAX)
        return false;
    before = str_trim(str_take(before, (size_t)at));
    if (str_ends(before, STR(" line")))
        before = str_drop(before, 5);
    *out = (struct text_call){
        .file = str_trim(before), .line = (int64_t)n, .function = str_skip(line, (size_t)in + 5)};
    return str_chr(out->file, '/') >= 0 && str_chr(out->function, ' ') < 0 && out->function.n > 0;
}

bool text_call_is_damaged(struct str line)
{
    struct text_call call;

    return str_consume(&line, STR("File \"")) && parse_damaged(line, &call);
}

/* ", i...", "...": who wrote the text cut the line off before the function's name. */
static bool is_cut_off(struct str rest)
{
    static const struct str whole = STR_INIT(", in ");
    size_t n = rest.n;

    if (str_ends(rest, STR("...")) || str_ends(rest, STR("\xe2\x80\xa6")))
        rest = str_drop(rest, 3);
    return n && str_starts(whole, rest);
}

/* `File "X", line N, in F`; the last part is missing in a SyntaxError. The line is trimmed. */
static bool parse_file_line(struct str line, struct text_call *out)
{
    ptrdiff_t at;
    uint64_t number;

    if (!str_consume(&line, STR("File \"")))
        return false;
    if ((at = str_find(line, STR("\", line "))) < 0)
        return parse_damaged(line, out);
    *out = (struct text_call){.file = str_take(line, (size_t)at)};
    line = str_skip(line, (size_t)at + 8);
    if (!str_take_u64(&line, &number) || number > INT64_MAX)
        return false;
    out->line = (int64_t)number;
    if (is_cut_off(line)) /* or ", in" alone: a web page took "<module>" for a tag */
        return true;
    if (str_consume(&line, STR(", in ")))
        out->function = line;
    return line.n == 0 || out->function.n > 0;
}

bool traceback_is_carets(struct str line)
{
    for (size_t i = 0; i < line.n; i++)
        if (line.p[i] != '^' && line.p[i] != '~' && line.p[i] != ' ')
            return false;
    return line.n > 0;
}

/*
 * Takes the lines below a File line: all lines that are indented deeper. Blank lines only belong to them if a deeper
 * line follows, as inside a statement over several lines.
 */
static void take_source(struct str *text, size_t indent, struct text_call *call)
{
    struct str rest = *text, line;

    while (str_next_line(&rest, &line)) {
        struct str trimmed = str_trim(line);
        struct text_call next;

        if (trimmed.n == 0)
            continue;
        if (indentation(line) <= indent || parse_file_line(trimmed, &next))
            return;
        if (call->source.n == 0 && !traceback_is_carets(trimmed))
            call->source = trimmed;
        *text = rest;
    }
}

size_t text_stack_take(struct arena *a, struct str *text, struct text_stack *out)
{
    struct str rest = *text, line;
    size_t taken = 0;

    while (str_next_line(&rest, &line)) {
        struct str trimmed = str_trim(line);
        struct text_call call;

        if (taken && str_starts(trimmed, STR("[Previous line repeated "))) {
            *text = rest;
            continue;
        }
        /* Blank lines are skipped before the first call, and between calls when another one follows. */
        if (trimmed.n == 0)
            continue;
        if (!parse_file_line(trimmed, &call))
            break;
        take_source(&rest, indentation(line), &call);
        *text = rest;
        if (taken++ < LIMIT_STACK_FRAMES)
            vec_push(a, &out->calls, call);
    }
    return taken;
}

/* --- stacks of faulthandler --------------------------------------------------------------------------------------- */

bool text_call_parse_fault(struct str line, struct text_call *out)
{
    ptrdiff_t at;
    uint64_t number;

    line = str_trim(line);
    if (!str_consume(&line, STR("File \"")) || (at = str_find(line, STR("\", line "))) < 0)
        return false;
    *out = (struct text_call){.file = str_take(line, (size_t)at)};
    line = str_skip(line, (size_t)at + 8);
    if (!str_take_u64(&line, &number) || number > INT64_MAX || !str_consume(&line, STR(" in ")))
        return false;
    out->line = (int64_t)number;
    out->function = line;
    return true;
}

void text_stack_reverse(struct text_stack *s)
{
    for (size_t i = 0, k = s->calls.n; i + 1 < k; i++) {
        struct text_call c = s->calls.v[i];

        s->calls.v[i] = s->calls.v[--k];
        s->calls.v[k] = c;
    }
}

/* The main thread, which was the first one, comes last (Python/traceback.c, _Py_DumpTracebackThreads). */
void text_fault_stack(struct arena *a, struct str text, enum fault_thread which, struct text_stack *out)
{
    bool wanted = false;
    struct str line;

    while (str_next_line(&text, &line)) {
        bool current = str_starts(line, STR("Current thread"));
        struct text_call c;

        if (current || str_starts(line, STR("Thread 0x"))) {
            wanted = which == FAULT_MAIN_THREAD || current;
            out->calls.n = wanted ? 0 : out->calls.n;
        } else if (!text_call_parse_fault(line, &c)) {
            wanted &= out->calls.n == 0 || str_trim(line).n == 0;
        } else if (wanted && out->calls.n < LIMIT_STACK_FRAMES) {
            vec_push(a, &out->calls, c);
        }
    }
    text_stack_reverse(out);
}

bool text_call_parse_metrics(struct str item, struct text_call *out)
{
    uint64_t line;
    ptrdiff_t at;

    item = str_trim(item);
    if (!str_consume(&item, STR("Line: ")) || !str_take_u64(&item, &line) || line > INT64_MAX ||
        !str_consume(&item, STR(", Name: ")) || (at = str_find(item, STR(", Filename: "))) < 0)
        return false;
    *out = (struct text_call){
        .function = str_take(item, (size_t)at), .file = str_skip(item, (size_t)at + 12), .line = (int64_t)line};
    return true;
}

/* --- messages ----------------------------------------------------------------------------------------------------- */

/*
 * How the lines begin that torch/_dynamo/exc.py appends to a message. The last two are from 2.5, and from 2.0 and
 * earlier.
 */
static const struct str trailers[] = {
    STR_INIT("from user code:"),
    STR_INIT("Set TORCHDYNAMO_VERBOSE=1 "),
    STR_INIT("Set TORCH_LOGS="),
    STR_INIT("Last frame execution written to "),
    STR_INIT("Minifier script written to "),
    STR_INIT("You can suppress this exception and fall back to eager by setting:"),
    STR_INIT("Set torch._dynamo.config.verbose=True"),
};

/* Headings of stacks of the user's code that are part of a message. */
static const struct str user_headings[] = {
    STR_INIT("User stack:"),
    STR_INIT("User Stack (most recent call last):"),
    STR_INIT("Found from :"),
    STR_INIT("The following call raised this error:"),
    STR_INIT("The forward output was created here:"),
    STR_INIT("Original traceback:"),
    STR_INIT("User code traceback:"),
    STR_INIT("Backend compiler failed with a fake tensor exception at"),
    STR_INIT("Potential framework code culprit"), /* up to 2.5, also of code that is not PyTorch's */
};

/* Those that stand below the operator's arguments, and have their indentation. */
static const struct str indented[] = {STR_INIT("Found from :"), STR_INIT("Original traceback:")};

/* Part of "Developer debug context: Backend: inductor", which may have lost its indentation. */
static const struct str of_backend = STR_INIT("Traceback:");

/*
 * torch/_inductor/cudagraph_trees.py writes a stack in the middle of a sentence: "... by a subsequent run. Stack
 * trace: File "/x.py", line 7, in f\n    y = x @ x. To prevent overwriting, clone the tensor ..."
 */
static struct str inline_stack(struct str text)
{
    ptrdiff_t at = str_find(text, STR("Stack trace: ")), end;

    if (at < 0)
        return (struct str){0};
    text = str_skip(text, (size_t)at + sizeof "Stack trace: " - 1);
    end = str_find(text, STR(". To prevent overwriting"));
    return str_starts(str_trim(text), STR("File \"")) ? str_take(text, end < 0 ? text.n : (size_t)end)
                                                      : (struct str){0};
}

/* A person ends what is quoted with a line of three backticks. */
static struct str without_fence(struct str message)
{
    static const struct str fence = STR_INIT("```");

    message = str_trim(message);
    if (str_eq(message, fence) || str_ends(message, STR("\n```")))
        message = str_trim(str_drop(message, fence.n));
    return message;
}

struct str exception_message_take(struct arena *a, struct str text, struct text_stack *user_calls)
{
    struct str rest = text, line, stack = {0};
    size_t end = text.n;
    bool from_user_code = false;

    while (str_next_line(&rest, &line)) {
        if (str_starts(line, STR("from user code:"))) {
            from_user_code = true;
            stack = rest;
        } else if (!from_user_code && (STR_STARTS_ANY(line, user_headings) || str_eq(str_trim(line), of_backend) ||
                                       STR_IS_ANY(str_trim(line), indented))) {
            stack = rest;
        }
        if (end == text.n && STR_STARTS_ANY(line, trailers))
            end = (size_t)(line.p - text.p);
    }
    if (stack.n == 0)
        stack = inline_stack(text);
    /* torch/fx/experimental/symbolic_shapes.py writes "(snipped, see stack below for prefix)" before the calls. */
    if (str_starts(str_trim(stack), STR("(snipped")))
        str_split(&stack, '\n');
    if (stack.n)
        text_stack_take(a, &stack, user_calls);
    return without_fence(str_take(text, end));
}

static const struct str header = STR_INIT("Traceback (most recent call last):");

/* Whether PyTorch appended the text after the message. */
static bool has_trailer(struct str text, struct str message)
{
    struct str rest = message.n ? str_range(message.p + message.n, text.p + text.n) : text, line;

    if (str_has(message, header)) /* from another exception that the message quotes */
        return false;
    while (str_next_line(&rest, &line))
        if (STR_STARTS_ANY(line, trailers))
            return true;
    return false;
}

/* --- tracebacks --------------------------------------------------------------------------------------------------- */

/* One exception of a chain: its stack, then its name and message. An exception without a stack has no header. */
struct thread_block {
    struct text_stack calls;
    struct exception_name name;
    struct str text;
};

static struct thread_block parse_block(struct arena *a, struct str text)
{
    struct thread_block b = {0};
    struct str line, after;

    text = str_trim(text);
    if (str_consume(&text, header)) {
        text_stack_take(a, &text, &b.calls);
        /* Any other indented text (a quoted C++ stack, "  ...") comes before the name, which is not indented. */
        after = text;
        while (str_next_line(&after, &line) && (str_trim(line).n == 0 || indentation(line) > 0))
            text = after;
    }
    exception_name_take(&text, &b.name);
    b.text = text;
    return b;
}

static bool is_link(struct str line)
{
    return str_eq(line, STR("The above exception was the direct cause of the following exception:")) ||
           str_eq(line, STR("During handling of the above exception, another exception occurred:"));
}

/* Takes the text of one exception off a chain: all of it of the last one. A link only counts if a traceback follows. */
static struct str take_chain_link(struct str *rest)
{
    struct str text = *rest, line, scan = *rest;

    while (str_next_line(&scan, &line)) {
        if (!is_link(str_trim(line)) || !str_starts(str_trim(str_take(scan, header.n + 8)), header))
            continue;
        *rest = scan;
        return str_range(text.p, line.p);
    }
    rest->n = 0;
    return text;
}

/* Where the first line begins that is the header of a traceback. */
static ptrdiff_t find_header(struct str text)
{
    struct str rest = text, line;

    while (str_next_line(&rest, &line))
        if (str_eq(str_trim(line), header))
            return line.p - text.p;
    return -1;
}

bool traceback_take(struct arena *a, struct str *text, struct traceback *out)
{
    ptrdiff_t at = find_header(*text);
    struct str part, behind = *text;
    struct thread_block b;

    *out = (struct traceback){0};
    if (at < 0)
        return false;
    /* The text before the first header is a cause without a stack if a link follows it; otherwise it is ignored. */
    part = take_chain_link(&behind);
    if (behind.n == 0 || (size_t)at < part.n)
        *text = str_skip(*text, (size_t)at);
    b = parse_block(a, take_chain_link(text));
    out->calls = b.calls;
    out->module = b.name.module;
    out->type = b.name.type;
    out->message = exception_message_take(a, b.text, &out->user_calls);
    out->of_dynamo = has_trailer(b.text, out->message);
    return true;
}

bool traceback_parse(struct arena *a, struct str text, struct traceback *out)
{
    struct traceback t;
    unsigned n = 0;

    *out = (struct traceback){0};
    for (struct str first_type = {0}, first_message = {0}; traceback_take(a, &text, &t); n++) {
        if (n == 0) {
            first_type = t.type;
            first_message = t.message;
        }
        *out = t;
        out->causes = n;
        out->first_type = first_type;
        out->first_message = first_message;
    }
    return n > 0;
}
