#include "torchlog/crash/crash_text.h"

#include "input/limits.h"
#include "input/logger.h"
#include "model/code_file.h"
#include "text/messages/break_text.h"
#include "text/python/exception_line.h"
#include "text/faults/fault.h"
#include "torchlog/crash/crash_lines.h"
#include "torchlog/crash/crash_raiser.h"
#include "torchlog/crash/death_text.h"
#include "torchlog/crash/shown_traceback.h"
#include "util/buf.h"

/* --- tracebacks --------------------------------------------------------------------------------------------------- */

static size_t blanks(struct str s, size_t max)
{
    size_t n = 0;

    while (n < s.n && n < max && s.p[n] == ' ')
        n++;
    return n;
}

/* Without so many blanks before each line. */
static struct str straighten(struct arena *a, struct str text, size_t indent)
{
    struct str rest = text, line;
    struct buf out = {0};

    if (indent == 0)
        return text;
    while (str_next_line(&rest, &line)) {
        buf_str(&out, str_skip(line, blanks(line, indent)));
        buf_char(&out, '\n');
    }
    text = arena_str(a, buf_view(&out));
    buf_free(&out);
    return text;
}

/*
 * The tracebacks of an exception group and of its members one below the other: without bars and separators. Only the
 * first line of a message has bars.
 */
static struct str flatten(struct arena *a, struct str text)
{
    struct str rest = text, line;
    struct buf out = {0};

    while (str_next_line(&rest, &line)) {
        struct str bar = str_skip(line, blanks(line, line.n));

        if (str_starts(bar, STR("+-")))
            continue;
        if (str_consume(&bar, STR("+ Exception Group ")) || str_consume(&bar, STR("| ")) || str_consume(&bar, STR("|")))
            line = bar;
        buf_str(&out, line);
        buf_char(&out, '\n');
    }
    text = arena_str(a, buf_view(&out));
    buf_free(&out);
    return text;
}

static bool calls_program(const struct text_stack *s)
{
    vec_each(const struct text_call, c, &s->calls) if (is_program_file(c->file)) return true;
    return false;
}

/*
 * The stack in the message of CUDA graphs (torch/_inductor/cudagraph_trees.py) is within the compiled code, where a
 * result was made: who called that code can copy it, and no line of it. What the line keeps in an attribute is mended
 * there.
 */
static bool says_where_it_was_made(const struct traceback *t)
{
    size_t n = t->user_calls.calls.n;
    struct str source = n ? t->user_calls.calls.v[n - 1].source : (struct str){0};

    return str_has(str_first_line(t->message), STR("that has been overwritten by a subsequent run. Stack trace:")) &&
           !str_starts(str_trim(source), STR("self."));
}

static void use_exception(struct crash_text *out, const struct traceback *t, enum crash_origin origin)
{
    out->origin = origin;
    out->type = t->type;
    out->message = t->message;
    out->calls = t->calls;
    out->user_calls = says_where_it_was_made(t) && calls_program(&t->calls) ? (struct text_stack){0} : t->user_calls;
    out->part = crash_part_of(&t->calls);
}

static bool is_within(struct str text, struct str part)
{
    return part.n && part.p >= text.p && part.p + part.n <= text.p + text.n;
}

/*
 * Dynamo of 2.0 raises its exception without words, from the one that it caught: what that says is its message, and its
 * lines of the program are where.
 */
static void use_cause(struct str text, const struct crash_text *before, struct traceback *t)
{
    if (t->message.n || before->message.n == 0 || !exception_is_compilers(&(struct exception_name){t->module, t->type}))
        return;
    t->message = before->message; /* a message is a view of the text */
    if (is_within(text, before->type) && is_within(text, before->message) && before->type.p < before->message.p)
        t->message = str_range(before->type.p, before->message.p + before->message.n);
    if (t->user_calls.calls.n == 0)
        t->user_calls = before->user_calls;
}

/* An assertion without a message says nothing but where it is: the code shows what it asserts. */
static void note_assertion(struct crash_text *out, const struct traceback *t)
{
    const struct text_call *last = t->calls.calls.n ? &t->calls.calls.v[t->calls.calls.n - 1] : NULL;
    struct str source = last ? last->source : (struct str){0};
    bool bare = str_eq(t->type, STR("AssertionError")) && t->message.n == 0;

    if ((bare || str_ends(str_first_line(t->message), STR("AssertionError:"))) && str_consume(&source, STR("assert ")))
        out->asserted = source;
}

/* What was interrupted: the last call of the compiler's, or else the last one. */
static void note_interrupted(struct arena *a, struct crash_text *out, const struct traceback *t)
{
    const struct text_call *in = NULL;

    if (!str_eq(t->type, STR("KeyboardInterrupt")) || t->message.n)
        return;
    vec_each(const struct text_call, c, &t->calls.calls) if (!in || crash_call_compiles(c) || !crash_call_compiles(in))
        in = c;
    if (in && in->function.n)
        out->asserted =
            arena_printf(a, "in `%.*s` of %.*s", STR_ARG(in->function), STR_ARG(code_file_name(in->file)));
}

static bool has_own_call(const struct text_stack *calls)
{
    vec_each(const struct text_call, c, &calls->calls) if (!is_framework_file(c->file)) return true;
    return false;
}

/* Where a traceback is cut off, its last calls are not where anything failed: only the program's are of use. */
static void drop_behind_own_call(struct text_stack *calls)
{
    while (calls->calls.n && is_framework_file(calls->calls.v[calls->calls.n - 1].file))
        calls->calls.n--;
}

bool crash_points_elsewhere(struct str message)
{
    static const struct str words[] = {STR_INIT("See root cause above"), STR_INIT("for the root cause"),
                                       STR_INIT("for the actual cause"),
                                       STR_INIT("process pool was terminated abruptly"),
                                       STR_INIT("check the logs for more details"),
                                       STR_INIT("Worker failed with error '"), /* vLLM's, with the other's message */
                                       STR_INIT("Capture cuda graph failed: "), /* SGLang's, of any exception */
                                       STR_INIT("Failed to unpickle serialized exception"), /* Ray's */
                                       STR_INIT("nitialization failed due to an exception in a background process")};
    struct str first = str_first_line(message);

    return STR_HAS_ANY(first, words) || crash_lacks_cause(message);
}

/*
 * What a higher-order operator (cond, scan) is given could not be traced: why not is said by the exception before it,
 * or at the end of its own message.
 */
static struct str cause_of_operator(struct str message, struct str before)
{
    static const struct str lead = STR_INIT("Got graph break/error:");
    ptrdiff_t at = str_find(message, lead);

    return at < 0 ? before : str_trim(str_skip(message, (size_t)at + lead.n));
}

/* The stack of the exception before it goes on into the function that the operator was given. */
static void note_cause(struct crash_text *out, struct traceback *t)
{
    if (!str_eq(t->type, STR("UncapturedHigherOrderOpError")))
        return;
    out->asserted = cause_of_operator(t->message, out->origin == CRASH_OF_COMPILER ? out->message : STR(""));
    if (out->origin == CRASH_OF_COMPILER && out->user_calls.calls.n >= t->user_calls.calls.n &&
        has_own_call(&out->user_calls))
        t->user_calls = out->user_calls;
}

/*
 * "Exception: Capture failed: ValueError: no quokka" of "ValueError: no quokka": a program raises it, with the words,
 * and the trailer, of the compiler's exception before it. An assertion may have no words: "Exception: Capture failed:".
 */
static bool is_made_of(const struct crash_text *inner, const struct traceback *t)
{
    enum { WORDS_MIN = 10 };
    struct str words = str_first_line(inner->message), first = str_first_line(t->message);

    bool whole = words.n >= WORDS_MIN && first.n > words.n && str_has(first, words),
         wordless = words.n == 0 && str_ends(str_trim(first), STR(":"));

    return (wordless || (whole && inner->origin == CRASH_OF_COMPILER)) &&
           !exception_is_compilers(&(struct exception_name){t->module, t->type});
}

static bool takes_over(const struct crash_text *before, const struct traceback *t, enum crash_origin origin)
{
    return origin == CRASH_OF_COMPILER || ((origin == before->origin || before->origin == CRASH_OF_PROGRAM) &&
                                           !crash_points_elsewhere(t->message));
}

/*
 * Of a chain, the last exception of the compiler counts: what is behind it is what the program made of it. The stack of
 * an exception ends where it was caught; the traceback of the one that was raised then begins in the program.
 */
static bool parse_chain(struct arena *a, struct str text, struct crash_text *out)
{
    struct str whole = text;
    struct traceback t;
    bool any = false, chained = false;

    while (traceback_take(a, &text, &t)) {
        enum crash_origin origin = crash_origin_of(&t, out);

        note_assertion(out, &t);
        note_interrupted(a, out, &t);
        note_cause(out, &t);
        if (any && t.type.n == 0 && t.message.n == 0) { /* cut off: it says only who called */
            drop_behind_own_call(&t.calls);
            if (!has_own_call(&out->calls) && t.calls.calls.n)
                out->calls = t.calls;
            break;
        }
        if (any) {
            chained = true;
            use_cause(whole, out, &t);
        } else {
            out->first_calls = t.calls;
            out->first = str_trim(t.message);
        }
        if (!any || (takes_over(out, &t, origin) && !is_made_of(out, &t)))
            use_exception(out, &t, origin);
        else if (!has_own_call(&out->calls) && has_own_call(&t.calls))
            out->calls = t.calls;
        out->outermost = crash_is_outermost(&t.calls);
        any = true;
    }
    if (!chained || out->first.n == 0 || !str_has(out->message, str_first_line(out->first)))
        out->first_calls.calls.n = 0;
    return any;
}

/* "<class 'torch._dynamo.exc.UserError'>: " */
static bool take_class(struct str *text, struct str *name)
{
    struct str rest = *text;
    ptrdiff_t at;

    if (!str_consume(&rest, STR("<class '")) || (at = str_find(rest, STR("'>: "))) < 0)
        return false;
    *name = str_take(rest, (size_t)at);
    *text = str_skip(rest, name->n + sizeof "'>: " - 1);
    return true;
}

/*
 * torch.onnx.export prints the exception of torch.export at the end of its own message: "## Exception summary\n\n<class
 * 'torch._dynamo.exc.UserError'>: ...". Where the text has that one itself, it was found before.
 */
static void use_summary(struct crash_text *out)
{
    static const struct str words = STR_INIT("## Exception summary");
    ptrdiff_t at = str_find(out->message, words);
    struct str rest = str_trim(str_skip(out->message, at < 0 ? out->message.n : (size_t)at + words.n)), name;

    if (out->origin == CRASH_OF_COMPILER && !str_eq(out->type, STR("TorchExportError")))
        return;
    if (!take_class(&rest, &name))
        return;
    at = str_find(rest, STR("(Refer to the full stack trace above"));
    out->origin = CRASH_OF_COMPILER;
    out->exporting = true;
    out->type = str_skip(name, (size_t)(str_rchr(name, '.') + 1));
    out->message = str_trim(at < 0 ? rest : str_take(rest, (size_t)at));
}

/* The summary may be all that the text has. */
static struct str as_exception(struct arena *a, struct str text)
{
    struct str name;

    return take_class(&text, &name) ? arena_printf(a, "%.*s: %.*s", STR_ARG(name), STR_ARG(text)) : text;
}

static void use_inner(struct crash_text *out, const struct crash_text *inner)
{
    bool outermost = out->outermost;

    *out = *inner;
    out->outermost = outermost;
}

/*
 * An exception group, and the exception of another process or of a thread that was raised again here, hold tracebacks
 * of their own: one of the compiler is what counts, and of another process it always is.
 */
static void look_inside(struct arena *a, struct str text, struct crash_text *out)
{
    bool process = str_starts(out->type, STR("Process")) || str_has(text, STR("Original Traceback ")) ||
                   crash_is_header(out->message);
    struct str inner;

    while (out->origin != CRASH_OF_COMPILER && (inner = crash_traceback(text)).n) {
        struct crash_text t = {.rank = -1};

        text = str_skip(text, (size_t)(inner.p + inner.n - text.p));
        str_consume(&inner, STR("Original "));
        if (parse_chain(a, inner, &t) && (t.origin == CRASH_OF_COMPILER || process))
            use_inner(out, &t);
    }
}

/* What a person, or who cut the text, left of a call: no line of a traceback. */
static bool is_rest_of_call(struct str bare)
{
    return str_eq(bare, STR("File")) || (str_starts(bare, STR("File \"")) && !crash_is_call(bare));
}

static bool may_follow_header(struct str bare)
{
    return crash_is_call(bare) || exception_line_begins(bare) == EXCEPTION_OF_COMPILER;
}

/* What stands where calls were left out, or the line of one that is cut off: calls may be missing behind it, too. */
static bool lacks_call(bool in_stack, struct str line, struct str bare)
{
    static const struct str cut[] = {STR_INIT("..."), STR_INIT("\xe2\x80\xa6")};

    return is_rest_of_call(bare) || (crash_is_call(bare) && STR_ENDS_ANY(bare, cut)) ||
           (in_stack && crash_indent(line) <= CALL_INDENT && crash_is_elision_in_stack(bare));
}

/*
 * What stands for omitted lines may have any words between the calls of a stack. What a logger of another thread wrote
 * in between of anything but an error is no part of the message.
 */
static bool is_removed(bool *in_stack, struct str line, struct str bare)
{
    bool indented = line.n && line.p[0] == ' ', within = crash_indent(line) > CALL_INDENT;

    if (is_rest_of_call(bare) || (!indented && logger_only_informs(line)) ||
        ((!indented || !within) && *in_stack && crash_is_elision_in_stack(bare)) ||
        (!indented && !*in_stack && crash_is_elision(bare)))
        return true;
    if (bare.n)
        *in_stack = crash_is_header(bare) || crash_is_call(bare) || str_eq(bare, STR("from user code:")) ||
                    (*in_stack && indented);
    return false;
}

/* The code of a call that was cut off, with the marks that Python writes below it: neither is the exception's. */
static struct str without_cut_call(struct str text)
{
    struct str rest = str_trim(text), code = {0}, line;

    for (int i = 0; i < 2 && str_next_line(&rest, &line); i++, code = line)
        if (traceback_is_carets(str_trim(line)) && exception_line_begins(str_trim(code)) == EXCEPTION_NONE)
            return rest;
    return text;
}

/*
 * The first line of a copied stack lost its indentation, and the exception kept it: from that on, lines stand as far
 * left as the first. Code may look like an exception: the line below a call, and an item of a dictionary.
 */
static struct str unshift(struct arena *a, struct str text)
{
    struct str rest = text, line;
    bool below_call = false, any_call = false;

    while (str_next_line(&rest, &line)) {
        struct str bare = str_trim(line);

        if (any_call && !below_call && exception_line_begins(bare) != EXCEPTION_NONE && !str_ends(bare, STR(","))) {
            rest = straighten(a, str_range(line.p, text.p + text.n), blanks(line, line.n));
            return rest.p == line.p ? text
                                    : arena_printf(a, "%.*s%.*s", STR_ARG(str_range(text.p, line.p)), STR_ARG(rest));
        }
        below_call = crash_is_call(bare);
        any_call |= below_call;
    }
    return text;
}

/* Lines between the header of a traceback and its first whole call: the code of one that was left out. */
static size_t cut_behind_header(struct str rest)
{
    enum { LINES_MAX = 5 };
    struct str line;

    for (size_t n = 0; n < LINES_MAX && str_next_line(&rest, &line); n++) {
        struct str bare = str_trim(line);

        if (crash_is_call(bare))
            return n;
        if (crash_indent(line) <= CALL_INDENT && !crash_is_elision_in_stack(bare))
            return 0;
    }
    return 0;
}

/*
 * Removes what a person put in place of omitted lines, and what a logger wrote between them. To a part of a traceback
 * it adds the headers that are missing: before the first line, and after the words that link two exceptions.
 */
static struct str mend(struct arena *a, struct str text, bool headless)
{
    bool first = headless, behind_link = false, in_stack = false;
    struct str rest = headless ? without_cut_call(text) : text, line;
    struct buf out = {0};
    size_t cut = 0;

    while (str_next_line(&rest, &line)) {
        struct str bare = str_trim(line);

        if (is_removed(&in_stack, line, bare) || cut) {
            cut -= cut > 0;
            continue;
        }
        cut = crash_is_header(bare) ? cut_behind_header(rest) : 0;
        if ((first || (behind_link && may_follow_header(bare))) && bare.n && !crash_is_header(bare))
            buf_str(&out, STR("Traceback (most recent call last):\n"));
        behind_link = crash_is_link(bare) || (behind_link && bare.n == 0);
        buf_str(&out, first && !crash_is_call(bare) ? bare : line); /* indented, it would be a part of the stack */
        first = first && bare.n == 0;
        buf_char(&out, '\n');
    }
    text = out.n ? arena_str(a, buf_view(&out)) : STR("");
    buf_free(&out);
    return text;
}

static bool has_elision(struct str text)
{
    bool in_stack = false;
    struct str line;

    while (str_next_line(&text, &line))
        if (is_removed(&in_stack, line, str_trim(line)) ||
            (crash_is_header(str_trim(line)) && cut_behind_header(text)))
            return true;
    return false;
}

/* Whether calls are missing in a stack, and whether they are in the user's, below its last call that is shown. */
static bool lacks_calls(struct str text, bool *below)
{
    static const struct str heading = STR_INIT("from user code:");
    bool in_stack = false, users = false, any = false;
    struct str line;

    *below = false;
    while (str_next_line(&text, &line)) {
        struct str bare = str_trim(line);

        if (lacks_call(in_stack, line, bare)) {
            any = true;
            *below = users;
        } else if (crash_is_call(bare) || str_eq(bare, heading)) {
            users |= str_eq(bare, heading);
            *below = false;
        }
        is_removed(&in_stack, line, bare);
    }
    return any;
}

/*
 * "    attn" at the end of the text, where the message has "target: <function device_count at 0x1>": the user's stack
 * ends with a line that does not call it, and nothing follows.
 */
static bool ends_above_target(struct str text, struct str message)
{
    ptrdiff_t heading = str_find(text, STR("from user code:"));
    struct str rest = str_skip(text, heading < 0 ? text.n : (size_t)heading), line, last = {0}, name;
    bool below_call = false;

    if (!str_between(message, STR("target: <function "), STR(" at 0x"), &name) || name.n == 0)
        return false;
    name = str_skip(name, (size_t)(str_rchr(name, '.') + 1));
    while (str_next_line(&rest, &line)) {
        struct str bare = str_trim(line);

        if (bare.n == 0)
            continue;
        below_call = !crash_is_call(bare) && crash_is_call(last);
        last = bare;
    }
    /* a call may have another name there */
    return below_call && !str_has(last, name) && str_chr(last, '(') < 0;
}

static bool has_torch(const struct text_stack *calls)
{
    vec_each(const struct text_call, c, &calls->calls) if (code_file_has(c->file, STR("torch/")) ||
                                                           code_file_has(c->file, STR("triton/"))) return true;
    return false;
}

/* What a program made of an exception of the compiler: "RuntimeError: step 3 failed: torch._dynamo.exc.X: ...". */
static void use_quoted(struct crash_text *out)
{
    ptrdiff_t at = out->origin == CRASH_OF_PROGRAM ? exception_line_find(str_first_line(out->message)) : -1;
    struct exception_name name;
    struct str text;

    if (at < 0)
        return;
    text = str_skip(out->message, (size_t)at);
    out->origin = CRASH_OF_COMPILER;
    out->type = (struct str){0};
    if (exception_name_take(&text, &name))
        out->type = name.type;
    out->message = text;
}

/* Of a part of a traceback: what stands before the first colon may be the beginning of a sentence. */
static void look_at_name(struct crash_text *out)
{
    struct str whole = out->type.n ? str_range(out->type.p, out->message.p + out->message.n) : out->message;

    if (out->type.n == 0 || out->message.n == 0 || out->message.p < out->type.p || out->type.p[out->type.n] != ':' ||
        !(fault_find(STR(""), whole, false) || exception_line_has_phrase(str_first_line(whole))) ||
        exception_line_begins(whole) != EXCEPTION_NONE)
        return;
    out->message = whole;
    out->type = (struct str){0};
}

/* The class of all exceptions of Dynamo stands for a name that was lost. */
static void drop_common_name(struct crash_text *out)
{
    if (str_eq(out->type, STR("TorchDynamoException")))
        out->type = STR("");
}

/* 'It says "No choices to select". But then': the sentence ends where the quotation does. */
static struct str unquoted(struct str message, size_t begin)
{
    struct str rest = str_skip(message, begin), line = str_first_line(rest);
    char mark = begin ? message.p[begin - 1] : 0;
    ptrdiff_t end = mark == '"' || mark == '`' ? str_chr(line, mark) : -1;

    return end > 0 ? str_take(rest, (size_t)end) : rest;
}

/* "backend='inductor' raised:" is the message of one class. A sentence alone begins behind what a logger wrote. */
static void name_exception(struct crash_text *out)
{
    struct str rest = out->message;
    ptrdiff_t at;

    if (out->type.n)
        return;
    if (str_starts(out->message, STR("backend='"))) {
        out->type = STR("BackendCompilerFailed");
        return;
    }
    out->nameless = true;
    at = exception_line_sentence(str_split(&rest, '\n'));
    if (at > 0)
        out->message = unquoted(out->message, (size_t)at);
}

static bool is_ours(struct str text, const struct crash_text *t)
{
    return t->origin != CRASH_OF_PROGRAM || has_torch(&t->calls) || exception_text_is_compilers(text);
}

/* Words that only the compiler says, in an exception whose name and stack do not show it. */
static void look_at_words(struct str text, struct crash_text *out)
{
    if (out->origin == CRASH_OF_PROGRAM &&
        (out->user_calls.calls.n || out->exporting || exception_line_has_phrase(text)))
        out->origin = CRASH_OF_COMPILER;
}

/* Until 2.6 the exception says only that the backend failed; one above it in the traceback names the operator. */
static void use_operator(struct arena *a, struct str text, struct crash_text *out)
{
    struct str name;

    if (!str_starts(out->message, STR("Backend compiler failed with a fake tensor exception")) ||
        (name = break_unsupported_operator(a, text)).n == 0)
        return;
    out->message = arena_printf(a, "unsupported operator: %.*s\n%.*s", STR_ARG(name), STR_ARG(out->message));
}

/*
 * A person cuts out what stands above a stack, the headline of it or the header of a traceback, so that its calls
 * follow the message. What is compiling in it is the compiler's; else it is the code that was compiled.
 */
static void use_calls_below(struct arena *a, struct crash_text *out)
{
    struct str rest = out->message, line;
    struct traceback t = {.type = out->type};

    if (out->calls.calls.n || out->user_calls.calls.n)
        return;
    while (str_next_line(&rest, &line)) {
        /* of another process, whose exception is part of the message */
        if (str_ends(str_trim(line), STR("Traceback (most recent call last):")))
            return;
        if (!crash_is_call(str_trim(line)))
            continue;
        rest = str_range(line.p, out->message.p + out->message.n);
        text_stack_take(a, &rest, &t.calls);
        out->message = str_trim(str_range(out->message.p, line.p));
        break;
    }
    if (t.calls.calls.n && (crash_origin_of(&t, out) == CRASH_OF_COMPILER || out->origin == CRASH_OF_PROGRAM)) {
        out->calls = t.calls;
        out->part = crash_part_of(&t.calls);
        out->origin = out->origin == CRASH_OF_COMPILER ? out->origin : crash_origin_of(&t, out);
    } else {
        out->user_calls = t.calls;
    }
}

static bool calls_file(const struct text_stack *s, struct str file)
{
    vec_each(const struct text_call, c, &s->calls) if (code_file_has(c->file, file)) return true;
    return false;
}

/*
 * A traceback that was cut before its exception, within the call of a compiled function or while its guards were made.
 * The cut may be within a line.
 */
static void look_at_cut(struct crash_text *out)
{
    if (!out->nameless)
        return;
    if (str_starts(out->message, STR("File \"")))
        out->message = (struct str){0};
    if (out->message.n || out->origin != CRASH_OF_PROGRAM)
        return;
    if (calls_file(&out->calls, STR("torch/_guards.py")))
        out->origin = CRASH_OF_COMPILER;
    else if (calls_file(&out->calls, STR("torch/_dynamo/eval_frame.py")))
        out->origin = CRASH_OF_COMPILED;
}

/* Whether a text ends within another one that begins the same; blanks at either end of a line do not count. */
static bool ends_within(struct str text, struct str whole)
{
    struct str line, other;

    while (str_next_line(&text, &line))
        if (!str_next_line(&whole, &other) || !str_eq(str_trim(line), str_trim(other)))
            return false;
    return str_trim(whole).n > 0;
}

/* "x raised CompilationError: at 11:25: ...", cut off within: the exception that it quotes has all of it. */
static void use_whole(struct arena *a, struct crash_text *out)
{
    struct str first = out->first;
    ptrdiff_t at = first.n ? str_find(out->message, str_first_line(first)) : -1;

    if (at > 0 && ends_within(str_skip(out->message, (size_t)at), first))
        out->message = arena_printf(a, "%.*s%.*s", (int)at, out->message.p, STR_ARG(first));
}

static bool parse_traceback(struct arena *a, enum crash_form form, struct str text, struct crash_text *out)
{
    bool group = str_starts(str_trim(text), STR("+ ")), ignored = str_starts(text, STR("Exception "));
    bool incomplete, below;

    text = group ? flatten(a, text) : straighten(a, text, blanks(text, text.n));
    if (form == CRASH_TAIL)
        text = unshift(a, as_exception(a, text));
    incomplete = lacks_calls(text, &below);
    if (form == CRASH_TAIL || has_elision(text))
        text = mend(a, text, form == CRASH_TAIL);
    if (!parse_chain(a, group ? crash_traceback(text) : text, out))
        return false;
    out->ignored = ignored;
    out->unraised = str_starts(text, STR("Exception ignored"));
    if (out->unraised && !str_between(str_first_line(text), STR("<function "), STR(" at 0x"), &out->unraised_in))
        out->unraised_in = (struct str){0};
    out->exporting |= str_has(text, STR("The error above occurred when calling torch.export"));
    use_summary(out);
    use_quoted(out);
    if (form == CRASH_TAIL) {
        use_calls_below(a, out);
        look_at_name(out);
    }
    name_exception(out);
    drop_common_name(out);
    if (out->message.n)
        look_inside(a, group ? text : str_range(out->message.p, text.p + text.n), out);
    use_operator(a, text, out);
    use_whole(a, out); /* behind all that looks on in the text from where the message is */
    out->headless = form == CRASH_TAIL;
    if (form == CRASH_TAIL)
        look_at_words(text, out);
    look_at_cut(out);
    out->incomplete = incomplete;
    out->incomplete_below = below || ends_above_target(text, out->message);
    out->ours = is_ours(text, out);
    return !out->nameless || out->origin != CRASH_OF_PROGRAM;
}

/* --- the table of torchrun ---------------------------------------------------------------------------------------- */

/* The value of "  rank      : 2 (local_rank: 2)". */
static struct str field_of(struct str table, struct str name)
{
    struct str line;

    while (str_next_line(&table, &line)) {
        struct str text = str_trim(line);
        ptrdiff_t colon = str_chr(text, ':');

        if (colon > 0 && str_eq(str_trim(str_take(text, (size_t)colon)), name))
            return str_trim(str_skip(text, (size_t)colon + 1));
    }
    return (struct str){0};
}

static uint64_t number_after(struct str text, struct str lead)
{
    ptrdiff_t at = str_find(text, lead);
    struct str rest = str_skip(text, at < 0 ? text.n : (size_t)at + lead.n);
    uint64_t n = 0;

    return str_take_u64(&rest, &n) ? n : 0;
}

/* torch/distributed/elastic/multiprocessing/errors: the process that failed first is the cause. */
static void parse_child(struct arena *a, struct crash_text *out)
{
    ptrdiff_t at = str_find(out->message, STR("Root Cause (first observed failure):"));
    struct str table, code, rank, printed, traceback, status;
    struct crash_text inner = {0};
    uint64_t number;

    if (at < 0)
        return;
    table = str_skip(out->message, (size_t)at);
    code = field_of(table, STR("exitcode"));
    rank = field_of(table, STR("rank"));
    printed = field_of(table, STR("traceback"));
    out->child = true;
    out->pid = number_after(code, STR("(pid: "));
    out->rank = str_take_u64(&rank, &number) && number <= LIMIT_RANK ? (int)number : -1;
    /* All lines but the first are indented by two. */
    traceback = crash_traceback(straighten(a, str_skip(table, printed.p ? (size_t)(printed.p - table.p) : table.n), 2));
    if (traceback.n && parse_traceback(a, CRASH_TRACEBACK, traceback, &inner)) {
        out->type = inner.type;
        out->message = arena_printf(a, "%.*s\n(rank %d, process %llu, as torchrun says)", STR_ARG(inner.message),
                                    out->rank, (unsigned long long)out->pid);
        out->calls = inner.calls;
        out->user_calls = inner.user_calls;
        out->origin = inner.origin;
        return;
    }
    out->calls = out->user_calls = (struct text_stack){0};
    status = str_split(&code, ' ');
    if (!str_starts(printed, STR("Signal ")))
        printed = STR("it did not say why");
    if (out->rank < 0) /* the line above the table only has the rank on its node */
        out->message = arena_printf(a, "The process %llu (local rank %.*s) ended with exit code %.*s: %.*s",
                                    (unsigned long long)out->pid, STR_ARG(field_of(table, STR("local_rank"))),
                                    STR_ARG(status), STR_ARG(printed));
    else
        out->message = arena_printf(a, "Rank %d (process %llu) ended with exit code %.*s: %.*s", out->rank,
                                    (unsigned long long)out->pid, STR_ARG(status), STR_ARG(printed));
}

bool crash_text_parse(struct arena *a, enum crash_form form, struct str text, struct crash_text *out)
{
    *out = (struct crash_text){.rank = -1};
    switch (form) {
    case CRASH_TRACEBACK:
    case CRASH_TAIL:
        if (!parse_traceback(a, form, text, out))
            return false;
        if (str_eq(out->type, STR("ChildFailedError")))
            parse_child(a, out);
        return true;
    case CRASH_PYTEST:
    case CRASH_NOTEBOOK:
        if (!parse_traceback(a, CRASH_TRACEBACK,
                             form == CRASH_PYTEST ? pytest_rewrite(a, text) : notebook_rewrite(a, text), out))
            return false;
        out->outermost = false; /* the program goes on: pytest with the next test, a notebook with the next cell */
        return true;
    case CRASH_BOXED:
        return parse_traceback(a, CRASH_TRACEBACK, boxed_rewrite(a, text), out);
    default:
        return death_text_parse(a, form, text, out);
    }
}
