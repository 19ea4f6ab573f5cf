#include "torchlog/failures/unknown_error.h"

#include "input/glog.h"
#include "model/code_file.h"
#include "text/messages/autotune_text.h"
#include "text/faults/fault.h"
#include "text/python/traceback.h"
#include "torchlog/crash/any_error.h"
#include "torchlog/crash/crash_lines.h"
#include "torchlog/notes/note.h"
#include "torchlog/failures/known_crashes.h"
#include "util/buf.h"

struct unknown {
    struct input *in;
    const struct prose *prose;
    bool any;
    const struct crash_process **crashes;
    size_t n;
};

static struct failure *first_failure(const struct input *in)
{
    for (size_t i = 0; i < in->processes.n; i++)
        if (in->processes.v[i]->unattributed->failures.n)
            return in->processes.v[i]->unattributed->failures.v[0];
    return NULL;
}

/* Of a compiler that was called, which printed why it failed somewhere else. */
static bool lacks_words(const struct failure *f)
{
    return crash_is_of_called_compiler(f) && fault_compiler_line(f->message).n == 0;
}

/* A message in the source of what was called is no message of this run. */
static struct str without_shown_code(struct str text, struct buf *out)
{
    struct str line, before = {0};

    while (str_next_line(&text, &line)) {
        if (!crash_is_shown_code(line) && !crash_is_call(str_trim(before))) {
            buf_str(out, line);
            buf_char(out, '\n');
        }
        before = line;
    }
    return buf_view(out);
}

/* What a compiler or a loader printed stands in lines of its own. */
static void add_fault(struct input *in, struct failure *f, struct str whole)
{
    struct buf buf = {0};
    struct str text = f->beside.n ? whole : without_shown_code(whole, &buf);
    const struct fault *fault = f->beside.n ? NULL : fault_find(STR(""), text, false);
    struct str line = fault ? fault_line(fault, STR(""), text) : (struct str){0};
    struct glog g;

    line = glog_parse(line, &g) ? g.text : line;
    /* else it is the exception's own line */
    if (fault && fault != fault_find(STR(""), f->message, false) && line.n && !str_has(f->message, line))
        f->beside = arena_str(in->arena, line);
    buf_free(&buf);
}

/* The exception of a compiler that was called has only its command: its words stand above the traceback. */
static void add_compiler_line(struct input *in, struct failure *f, struct str text)
{
    struct str line;

    if (f->beside.n || !lacks_words(f))
        return;
    line = fault_compiler_line(text);
    if (line.n)
        f->beside = arena_str(in->arena, line);
}

/*
 * "words" of "E 00:00:00.215190 executorch:tensor_impl.cpp:105] words": what ExecuTorch logs
 * before it raises an exception that has no more than a code. The first line is the cause.
 */
static void add_executorch_line(struct input *in, struct failure *f, struct str text)
{
    static const struct str logger = STR_INIT(" executorch:"), code = STR_INIT("error 0x");
    struct str line;

    if (f->beside.n || !str_has(f->message, code))
        return;
    while (str_next_line(&text, &line)) {
        ptrdiff_t at = str_starts(line, STR("E ")) ? str_find(line, logger) : -1,
                  end = at < 0 ? -1 : str_find(line, STR("] "));

        if (end > at && at > 0) {
            f->beside = arena_str(in->arena, str_trim(str_skip(line, (size_t)end + 2)));
            return;
        }
    }
}

/* "/tmp/torchinductor_me/ab/cab.py:56:26: error: words" of MLIR, which then shows the line of the kernel. */
static bool is_error_of_kernel(struct str line, struct str *place, struct str *words)
{
    ptrdiff_t at = str_find(line, STR(": error: "));
    struct str rest;
    uint64_t number;

    if (at < 0)
        return false;
    *place = str_take(line, (size_t)at);
    *words = str_trim(str_skip(line, (size_t)at + STR(": error: ").n));
    at = str_find(*place, STR(".py:"));
    rest = str_skip(*place, at < 0 ? place->n : (size_t)at + STR(".py:").n);
    return str_take_u64(&rest, &number) && str_consume(&rest, STR(":")) && str_take_u64(&rest, &number) && !rest.n;
}

static struct failure *failed_pass_of(const struct compile *c)
{
    for (size_t i = 0; i < c->failures.n; i++)
        if (c->failures.v[i]->beside.n == 0 && str_has(c->failures.v[i]->message, STR("PassManager::run failed")))
            return c->failures.v[i];
    return NULL;
}

static struct failure *first_failed_pass(const struct input *in)
{
    struct failure *f = NULL;

    for (size_t i = 0; i < in->processes.n && !f; i++) {
        const struct process *p = in->processes.v[i];

        f = failed_pass_of(p->unattributed);
        for (size_t k = 0; k < p->compiles.n && !f; k++)
            f = failed_pass_of(p->compiles.v[k]);
    }
    return f;
}

/* A pass of Triton's compiler that fails raises an exception without a reason: MLIR printed it before. */
static void add_line_of_pass(struct input *in, struct str text)
{
    struct failure *f = first_failed_pass(in);
    struct str line, place, words, code;

    if (!f)
        return;
    while (str_next_line(&text, &line)) {
        ptrdiff_t slash;

        if (!is_error_of_kernel(str_trim(line), &place, &words) || words.n == 0)
            continue;
        while ((slash = str_chr(place, '/')) >= 0)
            place = str_skip(place, (size_t)slash + 1);
        code = str_next_line(&text, &line) && line.n && line.p[0] == ' ' ? str_trim(line) : (struct str){0};
        f->beside = arena_printf(in->arena, "%.*s: %.*s%s%.*s%s", STR_ARG(STR("Triton's compiler")), STR_ARG(words),
                                 code.n ? ", in `" : "", STR_ARG(code), code.n ? "`" : "");
        f->beside = arena_printf(in->arena, "%.*s, %.*s", STR_ARG(f->beside), STR_ARG(place));
        return;
    }
}

static bool names_amd(struct str text)
{
    static const struct str words[] = {STR_INIT("ROCm"),         STR_INIT("+rocm"), STR_INIT("Radeon"),
                                       STR_INIT("AMD Instinct"), STR_INIT("gfx9"),  STR_INIT("gfx1")};

    return STR_HAS_ANY(text, words) && !str_has(text, STR("NVIDIA"));
}

/* LLVM's line for a kind of GPU that it does not know; a kind of CPU is none of Triton's. */
static struct str ignored_gpu(struct str text)
{
    static const struct str kinds[] = {STR_INIT("'sm_"), STR_INIT("'gfx")},
                            words = STR_INIT("is not a recognized processor for this target");
    struct str line;

    if (!str_has(text, words))
        return (struct str){0};
    while (str_next_line(&text, &line))
        if (str_has(line, words) && STR_HAS_ANY(line, kinds))
            return str_trim(line);
    return (struct str){0};
}

/* What fails when Triton compiles for another GPU: the words are those of the compiler, and do not name the GPU. */
static bool is_of_code_for_gpu(const struct failure *f)
{
    static const struct str words[] = {STR_INIT("LLVM ERROR: "), STR_INIT("PassManager::run failed"),
                                       STR_INIT("Triton compilation failed: ")};

    return f->beside.n == 0 && STR_HAS_ANY(f->message, words);
}

static void add_ignored_gpu_of(const struct compile *c, struct str line)
{
    for (size_t i = 0; i < c->failures.n; i++)
        if (is_of_code_for_gpu(c->failures.v[i]))
            c->failures.v[i]->beside = line;
}

static void add_ignored_gpu(struct input *in, struct str text)
{
    struct str line = ignored_gpu(text);

    line = line.n ? arena_str(in->arena, line) : line;
    for (size_t i = 0; line.n && i < in->processes.n; i++) {
        add_ignored_gpu_of(in->processes.v[i]->unattributed, line);
        for (size_t k = 0; k < in->processes.v[i]->compiles.n; k++)
            add_ignored_gpu_of(in->processes.v[i]->compiles.v[k], line);
    }
}

/* The assembler of CUDA knows no GPU of AMD: a newer one would not help. */
static void add_other_vendor(struct input *in, struct failure *f, struct str text)
{
    struct str rest = f->message, line;

    while (str_next_line(&rest, &line))
        if (str_ends(str_trim(line), STR("is not defined for option 'gpu-name'")) && names_amd(text)) {
            f->beside = arena_printf(in->arena, "%.*s, on a GPU of AMD", STR_ARG(str_trim(line)));
            return;
        }
}

static bool says_something(const struct compile *c)
{
    return c->failures.n || c->breaks.n || c->cudagraph_skips.n || c->reasons.n || c->limit_hit;
}

/*
 * Whether anything of the compiler's work is known, beside which an exception may be of something else. Of a console
 * that has only warnings their compiles are no more than numbers.
 */
static bool has_facts(const struct input *in)
{
    for (size_t i = 0; i < in->processes.n; i++) {
        const struct process *p = in->processes.v[i];
        const struct compile *nobody = p->unattributed;

        if (p->times.n || p->explained_graphs || nobody->breaks.n || nobody->cudagraph_skips.n)
            return true;
        for (size_t k = 0; k < p->compiles.n; k++)
            if (!p->only_warned || says_something(p->compiles.v[k]))
                return true;
    }
    return false;
}

/* The first warning that PyTorch logged; of the autotuner it is what all its messages say. */
static struct failure *first_logged(const struct unknown *u, struct str text)
{
    struct failure *f = NULL;
    struct str times;

    for (size_t i = 0; i < u->n && !f; i++)
        f = u->crashes[i]->logged;
    if (f && autotune_text_takes(f->message).n &&
        (times = autotune_text_summary(u->in->arena, text)).n)
        f->message = arena_str(u->in->arena, times);
    return f;
}

/* The first exception without a compile; *judged: there are others that are known not to have ended the program. */
static struct failure *first_spare(const struct unknown *u, bool *judged)
{
    struct failure *f = NULL;

    for (size_t i = 0; i < u->n; i++) {
        *judged |= u->crashes[i]->judged;
        f = f ? f : u->crashes[i]->spare;
    }
    return f;
}

static struct failure *first_doubtful(const struct unknown *u)
{
    struct failure *f = NULL;

    for (size_t i = 0; i < u->n && !f; i++)
        f = u->crashes[i]->doubtful;
    return f;
}

static struct failure *failure_of(struct input *in, struct str type, struct str message, uint64_t number)
{
    struct failure *f = ARENA_NEW(in->arena, struct failure);

    *f = (struct failure){.where = FAILED_RUNTIME,
                          .attempt = -1,
                          .type = arena_str(in->arena, type),
                          .message = arena_str(in->arena, message),
                          .shown = true,
                          .record_line = number};
    return f;
}

static struct str behind_line(struct str text, uint64_t number)
{
    for (uint64_t i = 0; i < number && text.n; i++)
        str_split(&text, '\n');
    return text;
}

/* PyTorch's warning for it. */
#define TF32_IS_OFF "TensorFloat32 tensor cores"

/* Advice to use TF32, where no device has it. */
static bool is_moot(const struct input *in, const struct any_error *any)
{
    return stated_has(&in->stated, STATED_NO_TF32) && str_starts(any->message, STR(TF32_IS_OFF));
}

static bool find_any(const struct unknown *u, struct str text, struct any_error *any)
{
    uint64_t passed = 0;

    if (!any_error_find(text, !u->any, any))
        return false;
    if (is_moot(u->in, any)) {
        passed = any->number;
        if (!any_error_find(behind_line(text, passed), !u->any, any) || is_moot(u->in, any))
            return false;
    }
    any->number += passed;
    return true;
}

/* A line that is an error by a logger's words alone; NULL if there is none. */
static struct failure *any_failure(const struct unknown *u, struct str text, bool *of_writer)
{
    struct input *in = u->in;
    struct any_error any;
    struct failure *f;

    *of_writer = false;
    if (!find_any(u, text, &any))
        return NULL;
    *of_writer = any.of_writer;
    if (any.expression.n)
        any.message = arena_printf(in->arena, "Could not guard on data-dependent expression %.*s (unhinted: %.*s)",
                                   STR_ARG(any.expression), STR_ARG(any.expression));
    if (any.reason.n)
        any.message = arena_printf(in->arena, "%.*s\n%.*s", STR_ARG(any.message), STR_ARG(any.reason));
    f = failure_of(in, any.type, any.message, any.number);
    f->file = arena_str(in->arena, any.file);
    f->line = any.line;
    return f;
}

/* A checkpoint that was not loaded: the program printed why, and went on with the weights that it had. */
static struct failure *unloaded(struct input *in, struct str text)
{
    struct any_error any;
    struct failure *f;

    if (!any_error_find_unloaded(text, &any))
        return NULL;
    f = failure_of(in, any.type, arena_printf(in->arena, "%.*s\n%.*s", STR_ARG(any.message), STR_ARG(any.reason)),
                   any.number);
    f->where = FAILED_PROGRAM;
    f->suppressed = true;
    return f;
}

/* Lines that are in no message, and are understood all the same. */
static void note_understood(struct input *in, uint64_t lines)
{
    in->log_lines_understood += lines;
    if (in->log_lines_understood > in->log_lines)
        in->log_lines_understood = in->log_lines;
}

/* Whether a message that nothing failed for has the words. */
static bool is_warned_of(const struct unknown *u, struct str words)
{
    for (size_t i = 0; i < u->n; i++)
        for (size_t k = 0; k < u->crashes[i]->warnings.n; k++)
            if (str_has(u->crashes[i]->warnings.v[k]->message, words))
                return true;
    return false;
}

/* Wrong results, a program that hangs, memory that grows: no warning and no number of compiles says that. */
static bool is_grave(const struct text_note *note)
{
    return note->outranks || note->of == COMPLAINT_WRONG || note->of == COMPLAINT_HANG || note->of == COMPLAINT_MEMORY;
}

/*
 * What is said where nothing failed. Beside a warning only what is grave counts, and where compiles are known only what
 * the writer complains of.
 */
static struct failure *noted(const struct unknown *u, struct str text, bool warned)
{
    struct input *in = u->in;
    struct text_note note;

    if (!note_find(in->arena, text, u->prose, &note) || ((warned || !u->any) && !is_grave(&note)) ||
        (!warned && !u->any && !note.complained))
        return NULL;
    note_understood(in, note.lines);
    return failure_of(in, note.warns ? STR("Warning") : STR(NOTE_TYPE), note.message, note.number);
}

static bool has_warnings(const struct unknown *u)
{
    for (size_t i = 0; i < u->n; i++)
        if (u->crashes[i]->warnings.n)
            return true;
    return false;
}

/* "Without torch.compile: AssertionError: negative": what is raised uncompiled may be what is right. */
static bool is_of_eager_mode(struct str text, const struct failure *f)
{
    struct str line = str_first_line(behind_line(text, f->record_line - 1));
    ptrdiff_t at = f->type.n ? str_find(line, f->type) : -1;

    return f->record_line && at > 0 &&
           prose_has_line(str_take(line, (size_t)at), "eager\nuncompiled\nwithout torch.compile\nwithout compile\n"
                                                      "without compiling\nnot compiled\nno compile\nplain python");
}

static struct failure *unknown_failure(const struct unknown *u, struct str text)
{
    bool of_writer;
    struct failure *f = any_failure(u, text, &of_writer), *logged = first_logged(u, text), *grave;

    /* a sentence that names an error says less than one that says what is wrong, and than a warning */
    if (of_writer && ((grave = noted(u, text, true)) || has_warnings(u)))
        return grave;
    if (f && is_of_eager_mode(text, f) && (grave = noted(u, text, true)))
        return grave;
    if (f && f->type.n && is_warned_of(u, f->type))
        return NULL;
    if (f && str_ends(f->type, STR("Warning")) && (grave = noted(u, text, true)))
        return grave;
    if (logged && has_warnings(u) &&
        (str_eq(logged->type, STR(NOTE_TYPE)) || is_warned_of(u, str_first_line(logged->message))))
        logged = NULL;
    if (f)
        note_understood(u->in, any_error_lines(text, f->record_line, f->type));
    if (f)
        return f;
    f = noted(u, text, logged || has_warnings(u));
    return f ? f : logged;
}

/* Beside what is known of the compiler's work, the setting that is off may cost more than all that was found. */
static struct failure *warned_of_setting(const struct unknown *u, struct str text)
{
    struct unknown all = *u;
    struct failure *f;
    bool of_writer;

    all.any = true;
    f = any_failure(&all, text, &of_writer);
    if (!f || !str_starts(f->message, STR(TF32_IS_OFF)))
        return NULL;
    note_understood(u->in, any_error_lines(text, f->record_line, f->type));
    return f;
}

/*
 * "This call originates from:" below a warning, and the call, which is the place of the warning; PyTorch's own line,
 * which is before it, only says who warns.
 */
static void add_origin(struct input *in, struct failure *f, struct str text)
{
    enum { LINES_BETWEEN = 8 };
    struct str rest = f->record_line ? behind_line(text, f->record_line) : (struct str){0}, line;
    struct text_stack calls = {0};
    bool found = false;

    if (f->stack || !str_ends(f->type, STR("Warning")))
        return;
    for (size_t n = 0; n < LINES_BETWEEN && !found && str_next_line(&rest, &line); n++) {
        if (str_has(line, STR("Warning: ")))
            return;
        found = str_ends(str_trim(line), STR("originates from:"));
    }
    if (!found || text_stack_take(in->arena, &rest, &calls) == 0)
        return;
    vec_each(const struct text_call, c, &calls.calls) f->stack =
        stack_push(&in->stacks, f->stack, arena_str(in->arena, c->file), c->line, arena_str(in->arena, c->function),
                   arena_str(in->arena, c->source));
    note_understood(in, 1 + 2 * calls.calls.n); /* each with its source */
}

static void put(struct input *in, struct failure *f, struct str text)
{
    add_origin(in, f, text);
    f->compile = in->processes.v[0]->unattributed;
    vec_push(in->arena, &f->compile->failures, f);
}

/* A text in which nothing failed may have several warnings of PyTorch; each says something else. */
static void add_more_warnings(const struct unknown *u, const struct failure *first, struct str text)
{
    enum { MORE = 3 };
    const struct failure *before = first;
    uint64_t passed = before->record_line;

    for (size_t n = 0; n < MORE && passed && str_ends(before->type, STR("Warning")); n++) {
        struct str rest = behind_line(text, passed);
        bool of_writer;
        struct failure *f = any_failure(u, rest, &of_writer);

        if (!f || !str_ends(f->type, STR("Warning")) || !is_framework_file(f->file) ||
            str_eq(f->message, first->message) || str_eq(f->message, before->message))
            return;
        note_understood(u->in, any_error_lines(rest, f->record_line, f->type));
        f->record_line += passed;
        passed = f->record_line;
        put(u->in, f, text);
        before = f;
    }
}

/* A break, a recompile, a size: an answer of its own. */
static bool is_all_clear(const struct input *in)
{
    for (size_t i = 0; i < in->processes.n; i++) {
        const struct process *p = in->processes.v[i];

        if (p->explained_breaks || says_something(p->unattributed))
            return false;
        for (size_t k = 0; k < p->compiles.n; k++)
            if (says_something(p->compiles.v[k]))
                return false;
    }
    return true;
}

/* Nothing is wrong with the known compiles: no answer to a text in which PyTorch warns or speaks of an error. */
static struct failure *error_beside_compiles(const struct unknown *u, struct str text)
{
    struct failure *f, *logged;
    bool of_writer;

    if (!is_all_clear(u->in))
        return NULL;
    logged = first_logged(u, text);
    if (logged && str_eq(logged->type, STR(LOGGED_ERROR_TYPE)))
        return logged;
    f = any_failure(u, text, &of_writer);
    if (f && f->type.n && !str_ends(f->type, STR("Warning")))
        return f;
    return logged && str_eq(logged->type, STR("Warning")) ? logged : NULL;
}

/* What is said beside facts of the compiler's work: a note, else a warning that counts. */
static struct failure *beside_facts(const struct unknown *u, struct str text)
{
    struct failure *f = noted(u, text, false);

    f = f ? f : warned_of_setting(u, text);
    return f ? f : error_beside_compiles(u, text);
}

/* The exception of a check that eager mode makes, in a text that says that compiled code does not make it. */
static void replace_right_one(const struct unknown *u, struct str text, struct failure *f)
{
    struct compile *of = f->compile;
    struct text_note note;

    if (!str_eq(f->type, STR("AssertionError")) || f->where != FAILED_PROGRAM ||
        !note_find(u->in->arena, text, u->prose, &note) || !note.lost_check)
        return;
    *f = *failure_of(u->in, STR(NOTE_TYPE), note.message, note.number);
    f->compile = of;
}

static struct str behind_marks(struct str line)
{
    return str_trim(str_skip_any(line, " \t#>|"));
}

/* The line of generated code right above an exception that was copied without its calls. */
static void add_generated_call(struct input *in, struct failure *f, struct str text)
{
    struct str line, above = {0};

    if (f->beside.n || f->stack || f->record_line < 2)
        return;
    for (uint64_t n = 1; n < f->record_line && str_next_line(&text, &line); n++)
        above = str_trim(line).n ? line : above;
    above = behind_marks(above);
    if (str_starts(above, STR("extern_kernels.")) && str_ends(above, STR(")")))
        f->beside = arena_str(in->arena, above);
}

/* An exception that only says that something else went wrong before: of the rendezvous, or without any words. */
static bool is_consequence_of_c10d(const struct failure *f)
{
    return str_starts(f->type, STR("Rendezvous")) ||
           str_has(f->message, STR("failed to listen on any local network address")) ||
           (f->message.n == 0 && f->stack && code_file_has(f->stack->file, STR("torch/distributed/")));
}

/*
 * "words" of "[W socket.cpp:426] [c10d] words", if they say why a connection failed. 97 is what a host without IPv6
 * prints of each address, and then takes the next.
 */
static struct str cause_of_c10d(struct str line)
{
    static const struct str mark = STR_INIT("[c10d] ");
    ptrdiff_t at = str_find(line, mark);
    struct str words = str_trim(str_skip(line, at < 0 ? line.n : (size_t)at + mark.n));

    return str_has(words, STR("(errno: ")) && !str_has(words, STR("(errno: 97 ")) ? words : (struct str){0};
}

/* What c10d logged above such an exception, in the first line that has a reason. */
static void add_cause_of_c10d(struct input *in, struct failure *f, struct str text)
{
    struct str line, words = {0};

    if (f->beside.n || !is_consequence_of_c10d(f))
        return;
    while (words.n == 0 && str_next_line(&text, &line))
        words = cause_of_c10d(line);
    if (words.n)
        f->beside = arena_str(in->arena, words);
}

static const struct str runs_meta = STR_INIT("failed while attempting to run meta for ");

/* The words of torch/_subclasses/fake_tensor.py in the text, if all of them name one operator. */
static struct str words_of_meta(struct str text)
{
    struct str line, words = {0};

    while (str_next_line(&text, &line)) {
        ptrdiff_t at = str_find(line, runs_meta);
        struct str found = str_trim(str_skip(line, at < 0 ? line.n : (size_t)at));

        if (words.n && found.n && !str_eq(words, found))
            return (struct str){0};
        words = words.n ? words : found;
    }
    return words;
}

/* What is raised then does not name the operator, and the line that does is a record of its own. */
static void add_operator_of(struct input *in, const struct compile *c, struct str words)
{
    for (size_t i = 0; i < c->failures.n; i++)
        if (c->failures.v[i]->beside.n == 0 && str_eq(c->failures.v[i]->type, STR("RuntimeError")) &&
            !str_has(c->failures.v[i]->message, str_skip(words, runs_meta.n)))
            c->failures.v[i]->beside = arena_str(in->arena, words);
}

static void add_operator(struct input *in, struct str text)
{
    struct str words = words_of_meta(text);

    for (size_t i = 0; words.n && i < in->processes.n; i++) {
        add_operator_of(in, in->processes.v[i]->unattributed, words);
        for (size_t k = 0; k < in->processes.v[i]->compiles.n; k++)
            add_operator_of(in, in->processes.v[i]->compiles.v[k], words);
    }
}

/* Up to the next traceback, whose exception is another. */
static struct str until_traceback(struct str text)
{
    ptrdiff_t at = str_find(text, STR("Traceback (most recent call last)"));

    return at < 0 ? text : str_take(text, (size_t)at);
}

/* "[rank0]", "(Worker pid=7)": who wrote the line; empty where nobody is named. */
static struct str writer_of(struct str line)
{
    ptrdiff_t end = str_starts(line, STR("["))   ? str_chr(line, ']')
                    : str_starts(line, STR("(")) ? str_chr(line, ')')
                                                 : -1;

    return str_take(line, end < 0 ? 0 : (size_t)end + 1);
}

/* A stack without its exception, which stands further below: behind a person's words, or in a sentence. */
static void complete_stack(struct input *in, struct failure *f, struct str text)
{
    struct str below = f->record_line ? behind_line(text, f->record_line - 1) : (struct str){0}, writer, line;
    struct any_error any;

    if (f->type.n || f->message.n || below.n == 0)
        return;
    writer = writer_of(str_first_line(below));
    below = until_traceback(behind_line(below, 1));
    if (!any_error_find(below, true, &any) || any.type.n == 0)
        return;
    line = str_first_line(behind_line(below, any.number - 1));
    if (!str_eq(writer_of(line), writer)) /* of another process */
        return;
    f->type = arena_str(in->arena, any.type);
    f->message = arena_str(in->arena, any.message);
}

void unknown_error_add(struct input *in, struct str text, const struct prose *prose, bool any,
                       const struct crash_process **crashes, size_t n)
{
    const struct unknown *u = &(struct unknown){in, prose, any, crashes, n};
    struct failure *f = first_failure(in);
    bool judged = false;

    add_line_of_pass(in, text);
    add_operator(in, text);
    add_ignored_gpu(in, text);
    if (f)
        complete_stack(in, f, text);
    if (f) {
        add_generated_call(in, f, text);
        add_cause_of_c10d(in, f, text);
    }
    if (f && (any || lacks_words(f)))
        add_fault(in, f, text);
    if (f) {
        add_compiler_line(in, f, text);
        add_executorch_line(in, f, text);
        add_other_vendor(in, f, text);
        replace_right_one(u, text, f);
    }
    if (in->processes.n == 0 || f)
        return;
    f = unloaded(in, text);
    if (f)
        note_understood(in, any_error_lines(text, f->record_line, f->type));
    else if (!any && has_facts(in))
        f = beside_facts(u, text);
    else if (!(f = first_spare(u, &judged)) || (judged && !any))
        f = judged && !any ? first_doubtful(u) : unknown_failure(u, text);
    if (!f)
        return;
    add_generated_call(in, f, text);
    add_executorch_line(in, f, text);
    put(in, f, text);
    add_operator(in, text);
    add_ignored_gpu(in, text);
    add_more_warnings(u, f, text);
}
