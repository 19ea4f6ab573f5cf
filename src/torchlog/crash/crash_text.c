#include "torchlog/crash/crash_text.h"

#include "input/limits.h"
#include "model/code_file.h"
#include "text/messages/break_text.h"
#include "text/python/exception_line.h"
#include "text/python/fault.h"
#include "text/python/thread_dump.h"
#include "torchlog/crash/crash_lines.h"
#include "torchlog/crash/shown_traceback.h"
#include "util/buf.h"

/* --- who raised it ------------------------------------------------------------------------------------------------ */

static bool is_compiling(const struct text_call *c)
{
    static const struct str functions[] = {
        STR_INIT("fx_codegen_and_compile"),
        STR_INIT("_compile_fx_inner"),
        STR_INIT("compile_fx"),
        STR_INIT("codegen_and_compile"),
    };

    static const struct str files[] = {
        STR_INIT("torch/_dynamo/convert_frame.py"),
        STR_INIT("torch/export/_trace.py"),
        STR_INIT("torch/_inductor/compile_worker/"),
        STR_INIT("torch/_dynamo/symbolic_convert.py"),
        STR_INIT("torch/_dynamo/bytecode_"),
        STR_INIT("torch/_dynamo/output_graph.py"),
        STR_INIT("torch/_dynamo/variables/"),
        STR_INIT("torch/_dynamo/codegen.py"),
        STR_INIT("torch/_dynamo/guards.py"),
        STR_INIT("torch/_dynamo/side_effects.py"),
        STR_INIT("torch/_dynamo/resume_execution.py"),
        STR_INIT("torch/_functorch/partitioners.py"),
        STR_INIT("torch/_functorch/_aot_autograd/graph_c"),
        STR_INIT("torch/_functorch/_aot_autograd/dispatch_and"),
        STR_INIT("torch/_functorch/_aot_autograd/traced_function"),
        STR_INIT("torch/_functorch/_aot_autograd/collect_metadata"),
        STR_INIT("torch/fx/experimental/proxy_tensor.py"),
        STR_INIT("torch/fx/experimental/symbolic_shapes.py"),
        STR_INIT("torch/fx/experimental/sym_node.py"),
        STR_INIT("torch/_subclasses/fake_"),
        STR_INIT("torch/_subclasses/meta_utils.py"),
        STR_INIT("torch/_inductor/lowering.py"),
        STR_INIT("torch/_inductor/scheduler.py"),
        STR_INIT("torch/_inductor/graph.py"),
        STR_INIT("torch/_inductor/ir.py"),
        STR_INIT("torch/_inductor/fx_passes/"),
        STR_INIT("torch/_inductor/pattern_matcher.py"),
        STR_INIT("torch/_inductor/kernel/"),
        STR_INIT("torch/_inductor/sizevars.py"),
        STR_INIT("torch/_inductor/cpp_builder.py"),
        STR_INIT("torch/_inductor/select_algorithm."),
        STR_INIT("torch/_inductor/codegen/"),
    };

    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (code_file_has(c->file, files[i]))
            return true;
    return code_file_has(c->file, STR("torch/_inductor/compile_fx.py")) && STR_IS_ANY(c->function, functions);
}

/* torch/_functorch/_aot_autograd/runtime_wrappers.py and torch/_dynamo/backends/common.py. */
static bool is_compiling_backward(const struct text_call *c)
{
    static const struct str functions[] = {STR_INIT("_wrapped_bw_compiler"), STR_INIT("bw_compiler"),
                                           STR_INIT("bw_compiler_base")};

    return STR_IS_ANY(c->function, functions) && code_file_has(c->file, STR("torch/"));
}

bool crash_call_compiles(const struct text_call *c)
{
    return is_compiling(c) || is_compiling_backward(c);
}

static bool is_compiled(const struct text_call *c)
{
    return str_starts(c->file, STR("<eval_with_key>")) || code_file_has(c->file, STR("torchinductor_")) ||
           code_file_has(c->file, STR("torch/_inductor/runtime/")) ||
           code_file_has(c->file, STR("torch/_inductor/output_code.py")) ||
           code_file_has(c->file, STR("torch/_inductor/cudagraph_trees.py"));
}

/* torch/_dynamo/debug_utils.py runs a graph twice to compare, or to see whether it still fails. */
static bool is_minifying(const struct text_call *c)
{
    return code_file_has(c->file, STR("torch/_dynamo/debug_utils.py")) ||
           code_file_has(c->file, STR("torch/_dynamo/repro/"));
}

/*
 * Triton's own compiler, of a kernel that Inductor wrote or the program has. Its packages are also on the stack while
 * they are imported.
 */
static bool is_compiling_kernel(const struct text_call *c)
{
    if (str_eq(c->function, STR("<module>")))
        return false;
    return code_file_has(c->file, STR("triton/compiler/")) ||
           (code_file_has(c->file, STR("triton/backends/")) && str_starts(c->function, STR("make_")));
}

static enum failure_part part_of(const struct text_stack *calls)
{
    enum failure_part part = FAILED_IN_UNKNOWN;

    vec_each(const struct text_call, c, &calls->calls)
    {
        enum failure_part here = is_minifying(c)                                    ? FAILED_IN_MINIFIER
                                 : is_compiling_kernel(c)                           ? FAILED_IN_TRITON
                                 : code_file_has(c->file, STR("torch/_inductor/"))  ? FAILED_IN_INDUCTOR
                                 : code_file_has(c->file, STR("torch/_functorch/")) ? FAILED_IN_AOTAUTOGRAD
                                 : code_file_has(c->file, STR("torch/_dynamo/"))    ? FAILED_IN_DYNAMO
                                 : code_file_has(c->file, STR("torch/_guards.py"))  ? FAILED_IN_DYNAMO
                                                                                    : FAILED_IN_UNKNOWN;

        part = here > part ? here : part;
    }
    return part;
}

static enum crash_origin origin_of(const struct traceback *t, struct crash_text *out)
{
    enum crash_origin origin = CRASH_OF_PROGRAM;

    if (str_eq(t->type, STR("KeyboardInterrupt")))
        return origin;
    out->exporting |= str_starts(t->module, STR("torch._export")) || str_starts(t->module, STR("torch.export"));
    vec_each(const struct text_call, c, &t->calls.calls)
    {
        out->backward |= is_compiling_backward(c);
        out->exporting |= code_file_exports(c->file) ||
                          str_starts(c->source, STR("result_traced = opt_f(")); /* torch._dynamo.export */
        if (is_compiling(c) || is_compiling_kernel(c) || out->backward)
            origin = CRASH_OF_COMPILER;
        else if (is_compiled(c) && origin == CRASH_OF_PROGRAM)
            origin = CRASH_OF_COMPILED;
    }
    if (t->of_dynamo || exception_is_compilers(&(struct exception_name){t->module, t->type}))
        return CRASH_OF_COMPILER;
    return origin;
}

/* Where Python begins: a script, a module, a process of multiprocessing, a thread. */
static bool is_outermost(const struct text_stack *calls)
{
    static const struct str first[] = {STR_INIT("<module>"),   STR_INIT("_run_module_as_main"),
                                       STR_INIT("_bootstrap"), STR_INIT("_bootstrap_inner"),
                                       STR_INIT("_wrap"),      STR_INIT("_process_worker")};

    /* A page may have taken "<module>" for a tag. */
    return calls->calls.n == 0 || calls->calls.v[0].function.n == 0 || STR_IS_ANY(calls->calls.v[0].function, first);
}

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

/*
 * Dynamo raises what it did not expect as InternalTorchDynamoError, whose message is the type and the message of the
 * exception itself; a trace has the latter.
 */
static void unwrap(struct crash_text *t)
{
    ptrdiff_t colon = str_chr(t->message, ':');
    struct str type = str_take(t->message, colon > 0 ? (size_t)colon : 0);

    type = str_skip(type, (size_t)(str_rchr(type, '.') + 1));
    if (!str_eq(t->type, STR("InternalTorchDynamoError")) || type.n == 0 || str_chr(type, ' ') >= 0 ||
        str_chr(type, '\n') >= 0 || !(type.p[0] >= 'A' && type.p[0] <= 'Z'))
        return;
    t->internal = true;
    t->type = type;
    t->message = str_trim(str_skip(t->message, (size_t)colon + 1));
}

static void use_exception(struct crash_text *out, const struct traceback *t, enum crash_origin origin)
{
    out->origin = origin;
    out->type = t->type;
    out->message = t->message;
    out->calls = t->calls;
    out->user_calls = t->user_calls;
    out->part = part_of(&t->calls);
    unwrap(out);
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

static bool has_own_call(const struct text_stack *calls)
{
    vec_each(const struct text_call, c, &calls->calls) if (!is_framework_file(c->file)) return true;
    return false;
}

bool crash_is_of_another(struct str message)
{
    static const struct str words[] = {STR_INIT("See root cause above"), STR_INIT("for the root cause"),
                                       STR_INIT("for the actual cause"),
                                       STR_INIT("nitialization failed due to an exception in a background process")};
    struct str first = str_first_line(message);

    return STR_HAS_ANY(first, words);
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

static void note_cause(struct crash_text *out, const struct traceback *t)
{
    if (str_eq(t->type, STR("UncapturedHigherOrderOpError")))
        out->asserted = cause_of_operator(t->message, out->origin == CRASH_OF_COMPILER ? out->message : STR(""));
}

/*
 * Of a chain, the last exception of the compiler counts: what is behind it is what the program made of it. The stack of
 * an exception ends where it was caught; the traceback of the one that was raised then begins in the program.
 */
static bool parse_chain(struct arena *a, struct str text, struct crash_text *out)
{
    struct traceback t;
    bool any = false;

    while (traceback_take(a, &text, &t)) {
        enum crash_origin origin = origin_of(&t, out);

        note_assertion(out, &t);
        note_cause(out, &t);
        if (any && t.type.n == 0 && t.message.n == 0) { /* cut off: it says only who called */
            if (!has_own_call(&out->calls))
                out->calls = t.calls;
            break;
        }
        if (!any || origin == CRASH_OF_COMPILER ||
            ((origin == out->origin || out->origin == CRASH_OF_PROGRAM) && !crash_is_of_another(t.message)))
            use_exception(out, &t, origin);
        else if (!has_own_call(&out->calls) && has_own_call(&t.calls))
            out->calls = t.calls;
        out->outermost = is_outermost(&t.calls);
        any = true;
    }
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

/*
 * Without what a person put in the place of lines that were cut out; of a part of a traceback, with the headers that it
 * has lost: before its first line, and where calls follow the words that link two exceptions.
 */
static struct str mend(struct arena *a, struct str text, bool headless)
{
    bool first = headless, behind_link = false;
    struct str rest = text, line;
    struct buf out = {0};

    while (str_next_line(&rest, &line)) {
        struct str bare = str_trim(line);

        if ((crash_is_elision(bare) && line.p[0] != ' ') || is_rest_of_call(bare))
            continue;
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
    struct str line;

    while (str_next_line(&text, &line))
        if (crash_is_elision(str_trim(line)) || is_rest_of_call(str_trim(line)))
            return true;
    return false;
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
    unwrap(out);
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
        out->message = str_skip(out->message, (size_t)at);
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
        if (crash_is_header(str_trim(line))) /* of another process, whose exception is part of the message */
            return;
        if (!crash_is_call(str_trim(line)))
            continue;
        rest = str_range(line.p, out->message.p + out->message.n);
        text_stack_take(a, &rest, &t.calls);
        out->message = str_trim(str_range(out->message.p, line.p));
        break;
    }
    if (t.calls.calls.n && (origin_of(&t, out) == CRASH_OF_COMPILER || out->origin == CRASH_OF_PROGRAM)) {
        out->calls = t.calls;
        out->part = part_of(&t.calls);
        out->origin = out->origin == CRASH_OF_COMPILER ? out->origin : origin_of(&t, out);
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

static bool parse_traceback(struct arena *a, enum crash_form form, struct str text, struct crash_text *out)
{
    bool group = str_starts(str_trim(text), STR("+ ")), ignored = str_starts(text, STR("Exception "));

    text = group ? flatten(a, text) : straighten(a, text, blanks(text, text.n));
    if (form == CRASH_TAIL)
        text = as_exception(a, text);
    if (form == CRASH_TAIL || has_elision(text))
        text = mend(a, text, form == CRASH_TAIL);
    if (!parse_chain(a, group ? crash_traceback(text) : text, out))
        return false;
    out->ignored = ignored;
    out->unraised = str_starts(text, STR("Exception ignored"));
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
    out->headless = form == CRASH_TAIL;
    if (form == CRASH_TAIL)
        look_at_words(text, out);
    look_at_cut(out);
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
    out->message = arena_printf(a, "Rank %d (process %llu) ended with exit code %.*s: %.*s", out->rank,
                                (unsigned long long)out->pid, STR_ARG(status), STR_ARG(printed));
}

/* --- the other forms ---------------------------------------------------------------------------------------------- */

static bool parse_fatal(struct arena *a, struct str text, struct crash_text *out)
{
    struct str rest = text, first = str_trim(str_split(&rest, '\n'));
    ptrdiff_t colon = str_find(first, STR(": "));
    struct traceback t = {.type = STR("")};

    out->type = str_skip(first, colon < 0 ? 0 : (size_t)colon + 2);
    out->message = first;
    text_fault_stack(a, rest, FAULT_CURRENT_THREAD, &out->calls);
    t.calls = out->calls;
    out->origin = origin_of(&t, out);
    out->outermost = true;
    return out->type.n > 0;
}

/* "[Rank 1] ...", "[PG ID 0 PG GUID 0(default_pg) Rank 1] ..." */
static int rank_in(struct str text)
{
    struct str bracket;
    ptrdiff_t at;
    uint64_t rank;

    if (!str_between(str_take(text, 200), STR("["), STR("]"), &bracket) || (at = str_find(bracket, STR("Rank "))) < 0)
        return -1;
    return str_u64(str_skip(bracket, (size_t)at + 5), &rank) && rank <= LIMIT_RANK ? (int)rank : -1;
}

/* UCX: ucs/debug/debug.c. "[host:42 :0:42] Caught signal 11 (Segmentation fault: address not mapped ...)" */
static bool parse_signal(struct str text, struct crash_text *out)
{
    struct str rest = text, first = str_trim(str_split(&rest, '\n')), words;
    ptrdiff_t at = str_find(first, STR("Caught signal "));

    out->outermost = true;
    out->message = at < 0 ? first : str_skip(first, (size_t)at);
    out->type = STR("Native crash");
    if (str_between(out->message, STR("("), STR(":"), &words) && at >= 0)
        out->type = words;
    return true;
}

/* What a process that does not go on does, by the stack of its main thread. */
static bool parse_dump(struct arena *a, struct str text, struct crash_text *out)
{
    const struct text_call *at;
    struct traceback t = {.type = STR("")};
    const char *words;
    struct str name;

    if (!thread_dump_take(a, text, &out->calls, &name))
        return false;
    words = thread_dump_words(&out->calls, &at);
    at = at ? at : &out->calls.calls.v[out->calls.calls.n - 1];
    t.calls = out->calls;
    out->origin = origin_of(&t, out);
    out->type = STR("Thread dump");
    out->message = arena_printf(a, "%.*s %s: `%.*s` (%.*s:%lld)", STR_ARG(name), words ? words : "is at",
                                STR_ARG(at->function), STR_ARG(at->file), (long long)at->line);
    out->outermost = true;
    return true;
}

/* "python: /x/sycl_functions.h:82: int f(): Assertion `p != nullptr' failed." */
static bool parse_native_assert(struct str first, struct crash_text *out)
{
    ptrdiff_t at = str_find(first, STR("Assertion `"));

    if (at < 0)
        return false;
    out->type = STR("Native assertion");
    out->message = str_skip(first, (size_t)at);
    return true;
}

/* "terminate called after throwing an instance of 'c10::Error'\n  what():  CUDA error: ..." */
static bool parse_terminate(struct str text, struct crash_text *out)
{
    struct str name, rest = text, first = str_trim(str_split(&rest, '\n'));
    ptrdiff_t what = str_find(text, STR("what():"));

    out->outermost = true;
    if (parse_native_assert(first, out))
        return true;
    out->type = STR("terminate");
    out->message = first;
    if (str_between(first, STR("'"), STR("'"), &name))
        out->type = str_skip(name, (size_t)(str_rchr(name, ':') + 1));
    if (what >= 0)
        out->message = str_trim(str_skip(text, (size_t)what + 7));
    out->rank = rank_in(out->message);
    return true;
}

/* torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp; the other errors that c10 logs are no end of a process. */
static bool parse_logged(struct str text, struct crash_text *out)
{
    ptrdiff_t end = str_chr(text, ']');

    text = str_trim(str_skip(text, (size_t)(end + 1)));
    out->message = text;
    if (str_consume(&out->message, STR("Exception in aoti_torch: ")))
        return true;
    out->nameless = str_has(text, STR("due to a collective timeout")) ||
                    str_has(text, STR("detected by watchdog at work: ")) ||
                    str_has(text, STR("Timeout at NCCL work: ")) ||
                    str_has(text, STR("Some NCCL operations have failed or timed out"));
    if (out->nameless) { /* another message says which; where the text has it, that counts */
        out->type = STR("Collective timeout");
        out->rank = rank_in(text);
        return true;
    }
    if (!str_has(text, STR("Watchdog caught collective operation timeout")) &&
        !str_has(text, STR("watchdog thread terminated with exception")) &&
        !str_has(text, STR("watchdog got stuck for")) && !str_has(text, STR("Heartbeat monitor timed out")) &&
        !str_has(text, STR("failed to pass monitoredBarrier")))
        return false;
    out->type = str_has(text, STR("terminated with exception")) && !str_has(text, STR("timeout"))
                    ? STR("DistBackendError")
                    : STR("Collective timeout");
    out->message = text;
    out->outermost = true;
    out->rank = rank_in(text);
    return true;
}

/* "run.sh: line 3:    42 Segmentation fault      (core dumped) python train.py" */
static bool parse_shell(struct str text, struct crash_text *out)
{
    static const struct str deaths[] = {STR_INIT("Segmentation fault"),  STR_INIT("Aborted"),
                                        STR_INIT("Bus error"),           STR_INIT("Killed"),
                                        STR_INIT("Illegal instruction"), STR_INIT("Floating point exception")};

    out->message = str_trim(text);
    out->outermost = true;
    for (size_t i = 0; i < sizeof deaths / sizeof *deaths && out->type.n == 0; i++)
        if (str_has(out->message, deaths[i]))
            out->type = deaths[i];
    return true;
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
    case CRASH_FATAL:
        return parse_fatal(a, text, out);
    case CRASH_SIGNAL:
        return parse_signal(text, out);
    case CRASH_TERMINATE:
        return parse_terminate(text, out);
    case CRASH_LOGGED:
        return parse_logged(text, out);
    case CRASH_ASSERT:
        out->type = STR("Device-side assertion");
        out->message = str_trim(text);
        return true;
    case CRASH_SHELL:
        return parse_shell(text, out);
    case CRASH_DUMP:
        return parse_dump(a, text, out);
    case CRASH_NONE:
        break;
    }
    return false;
}
