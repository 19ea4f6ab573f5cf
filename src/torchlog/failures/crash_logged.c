#include "torchlog/failures/crash_logged.h"

#include "text/guards/guard_name.h"
#include "text/python/exception_line.h"
#include "torchlog/crash/crash_lines.h"
#include "torchlog/crash/crash_text.h"
#include "torchlog/crash/harmless.h"
#include "torchlog/failures/crash_compile.h"
#include "torchlog/failures/crash_failure.h"

bool crash_logged_warns(char level)
{
    return level == 'W' || level == 'E' || level == 'C';
}

/* Those after which the compile failed; most others are about something that PyTorch goes on without. */
static const struct crash_logged logged[] = {
    {"WON'T CONVERT ", "dynamo_error"},              /* torch/_dynamo/convert_frame.py, with suppress_errors */
    {"Error while creating guard:", "dynamo_error"}, /* torch/_guards.py; it is raised then */
    {"failed to eagerly compile backwards for dynamic", "eager_compile_backwards_failure"},
    {"Error in codegen for ", "dynamo_error"}, /* torch/_inductor/scheduler.py; it is raised then */
    {"RMSE (res-fp64): ", "dynamo_error"}, /* torch/_dynamo/utils.py; who compares goes on, or raises AccuracyError */
    {"Accuracy failed: ", "dynamo_error"},
    {"Accuracy failed for key name ", "dynamo_error"},
    {"Accuracy failed (", "dynamo_error"},
    {"Accuracy failed for the AOT Autograd graph ", "dynamo_error"}, /* torch/_dynamo/repro/after_aot.py */
};

/*
 * speculate_subgraph of torch/_dynamo/variables/higher_order_ops.py, 2.1 to 2.2: log.exception(e), and then a graph
 * break. Where that fails the compile, the exception that reached the user is printed, too.
 */
static const struct crash_logged speculation = {"", "dynamo_error"};

/* How messages begin that have a traceback. */
static bool has_traceback(struct str text)
{
    static const struct str begins[] = {STR_INIT("WON'T CONVERT "),
                                        STR_INIT("failed while attempting to run meta for"),
                                        STR_INIT("Graph break"),
                                        STR_INIT("Unsupported break"),
                                        STR_INIT("Error while creating guard:"),
                                        STR_INIT("Exception No valid triton configs"),
                                        STR_INIT("failed to eagerly compile backwards")};

    return STR_STARTS_ANY(text, begins) || harmless_goes_on(text);
}

static const struct crash_logged *logged_of(struct str text)
{
    for (size_t i = 0; i < sizeof logged / sizeof *logged; i++)
        if (str_starts(text, str_of(logged[i].begins)))
            return &logged[i];
    return NULL;
}

/* "WON'T CONVERT f FILE line 86 " */
static struct compile *compile_of_head(struct record *rec, struct str text, struct str *file, int64_t *line)
{
    struct str first = str_split(&text, '\n'), function;
    ptrdiff_t at;
    uint64_t number;

    if (!str_consume(&first, STR("WON'T CONVERT ")))
        return NULL;
    function = str_split(&first, ' ');
    at = str_find(first, STR(" line "));
    if (at <= 0 || !str_u64(str_trim(str_skip(first, (size_t)at + 6)), &number))
        return NULL;
    *file = record_intern(rec, str_take(first, (size_t)at));
    *line = (int64_t)number;
    return crash_newest_of(rec->process, function, *file);
}

/* A frame that has later compiles cannot be compiling this one: torch._dynamo.reset() was called in between. */
static void begin_epoch_if_reset(struct record *rec)
{
    struct compile *c = rec->compile;

    if (!c->frame || c->frame->compiles.v[c->frame->compiles.n - 1]->id.compile <= c->id.compile)
        return;
    rec->compile = reading_compile(rec->reading, rec->state, c->id, START_NEW_EPOCH, rec->line);
}

/* Of a message that was cut at both ends, what is left of the call that stood first says nothing. */
static struct str from_first_call(struct str text)
{
    struct str rest = text, line;

    while (str_next_line(&rest, &line)) {
        if (crash_is_call(str_trim(line)))
            return str_range(line.p, text.p + text.n);
        if (exception_line_begins(str_trim(line)) != EXCEPTION_NONE)
            break;
    }
    return text;
}

/* The accuracy check of a graph has no stack; the function that is not converted for it follows. */
static void place_accuracy(struct known_crashes *known, struct str file, int64_t line)
{
    for (size_t i = known->clues.n; i-- > 0;) {
        struct failure *f = known->clues.v[i];

        if (!str_starts(f->message, STR("Accuracy failed")))
            continue;
        if (f->file.n == 0 && !f->stack) {
            f->file = file;
            f->line = line;
        }
        return;
    }
}

/* Of "WON'T CONVERT f FILE line 86" the traceback may come as a message of its own, or may be cut off. */
static void keep_head(struct crash_process *p, struct record *rec, struct str file, int64_t line)
{
    struct crash_text t = {.part = FAILED_IN_DYNAMO, .origin = CRASH_OF_COMPILER};
    struct failure *f;

    if (file.n == 0)
        return;
    place_accuracy(&p->known, file, line);
    f = crash_failure_new(rec, &t, CRASH_TRACEBACK);
    f->suppressed = true;
    f->file = file;
    f->line = line;
    known_crashes_keep_clue(&p->known, rec, f);
}

/* The guard that could not be made: a name, which is empty for the one on all sizes. */
static struct str guard_of(struct record *rec, struct str text)
{
    struct str line = str_split(&text, '\n');

    if (!str_starts(line, STR("Error while creating guard:")))
        return (struct str){0};
    line = str_trim(str_split(&text, '\n'));
    if (!str_consume(&line, STR("Name: ")) || line.n < 3)
        return (struct str){0};
    line = str_drop(str_skip(line, 1), 1); /* quotes */
    line = guard_subject(record_arena(rec), line);
    return arena_printf(record_arena(rec), "no guard can be made on %.*s", STR_ARG(line));
}

static const struct str of_backward = STR_INIT("failed to eagerly compile backwards for dynamic");

/* The traceback below it is cut off, or is not there. */
static bool keep_backward(struct crash_process *p, struct record *rec, const char *name)
{
    struct crash_text t = {.part = FAILED_IN_AOTAUTOGRAD,
                           .origin = CRASH_OF_COMPILER,
                           .backward = true,
                           .message = record_copy(rec, str_first_line(rec->text))};
    struct failure *f;

    if (!str_starts(rec->text, of_backward))
        return false;
    begin_epoch_if_reset(rec);
    f = crash_failure_new(rec, &t, CRASH_TRACEBACK);
    crash_failure_keep_text(rec, f, name);
    crash_failure_add(p, rec, f);
    return true;
}

/* "Accuracy failed for key name till.weight.grad": the backward computes it. */
static bool differs_in_gradient(struct str text)
{
    static const struct str words = STR_INIT("Accuracy failed for key name ");
    struct str line;

    while (str_next_line(&text, &line))
        if (str_starts(line, words))
            return str_ends(str_trim(line), STR(".grad"));
    return false;
}

bool crash_logged_take(struct crash_process *p, struct record *rec, const struct crash_logged *kind)
{
    struct str text = record_copy(rec, rec->text), file = {0};
    struct compile *c = compile_of_head(rec, text, &file, &(int64_t){0});
    struct crash_text t;
    struct failure *f;
    int64_t line = 0;

    struct str traceback = crash_traceback(text);

    compile_of_head(rec, text, &file, &line);
    if (!crash_text_parse(record_arena(rec), traceback.n ? CRASH_TRACEBACK : CRASH_TAIL,
                          traceback.n ? traceback : from_first_call(text), &t) ||
        (traceback.n == 0 && !t.ours)) {
        keep_head(p, rec, file, line);
        return keep_backward(p, rec, kind->name);
    }
    if (c && !rec->compile->frame)
        rec->compile = c;
    begin_epoch_if_reset(rec);
    t.origin = CRASH_OF_COMPILER;
    t.backward = str_starts(str_of(kind->name), STR("eager_compile"));
    f = crash_failure_new(rec, &t, CRASH_TRACEBACK);
    f->suppressed = file.n > 0 || kind == &speculation;
    f->where = f->where == FAILED_FORWARD && differs_in_gradient(text) ? FAILED_BACKWARD : f->where;
    f->beside = f->beside.n ? f->beside : t.backward ? of_backward : guard_of(rec, text);
    if (file.n && !t.user_calls.calls.n) {
        f->file = file;
        f->line = line;
    }
    crash_failure_keep_text(rec, f, kind->name);
    if (t.nameless && !file.n) /* the exception that follows says what failed */
        known_crashes_keep_clue(&p->known, rec, f);
    else
        crash_failure_add(p, rec, f);
    return true;
}

/* Whether its stack ends in the compiler: nothing but WON'T CONVERT is logged so from there. */
static bool is_cut_stack(const struct log_message *m, struct str line)
{
    return str_has(m->head.glog.file, STR("convert_frame")) && crash_is_call(str_trim(line)) &&
           str_has(line, STR("_dynamo"));
}

/*
 * A text that begins within such a message, or from which the line with its words was removed: what it is about is
 * known by the exception at its end, or by who logged it.
 */
static const struct crash_logged *logged_tail_of(const struct log_message *m)
{
    struct str rest = m->text, line;

    if (str_has(m->head.glog.file, STR("higher_order_ops")))
        return str_has(m->text, STR("Unsupported: ")) && crash_traceback(m->text).n ? &speculation : NULL;
    if (str_has(m->head.glog.file, STR("convert_frame")) && crash_is_header(m->text))
        return &logged[0];
    while (m->line == 1 && !has_traceback(m->text) && str_next_line(&rest, &line))
        if (exception_line_begins(line) == EXCEPTION_OF_COMPILER || is_cut_stack(m, line))
            return &logged[0];
    return NULL;
}

/* The row of a message of PyTorch's that says why a compile failed. */
const struct crash_logged *crash_logged_row(const struct log_message *m)
{
    const struct crash_logged *kind;

    if (m->head.form == LOG_BARE || m->head.artifact.n || !crash_logged_warns(m->head.glog.level))
        return NULL;
    kind = logged_of(m->text);
    return kind ? kind : logged_tail_of(m);
}

/* In the short form only the first line of a message has a prefix, so that its traceback stands for itself. */
void crash_logged_announce(struct crash_process *p, struct record *rec, const struct log_message *m)
{
    p->announced = CRASH_UNANNOUNCED;
    p->announced_line = 0;
    p->announced_as = NULL;
    p->goes_on = record_copy(rec, harmless_unanalyzed(m->text));
    if (m->head.form != LOG_SHORT || !has_traceback(m->text))
        return;
    p->announced = crash_logged_warns(m->head.glog.level) && logged_of(m->text) ? CRASH_ANNOUNCED : CRASH_HARMLESS;
    compile_of_head(rec, m->text, &p->announced_file, &p->announced_line);
}

/* --- kernels ------------------------------------------------------------------------------------------------------ */

bool crash_logged_is_kernel(struct str text)
{
    return str_starts(text, STR("Triton compilation failed: "));
}

/* "tmp3 = tmp1 + tmp2", "x0 = xindex % 16" */
static bool is_assignment(struct str line)
{
    struct str name = str_word(line), rest = str_skip(line, name.n);

    return name.n && (str_starts(rest, STR(" = ")) || str_starts(rest, STR(": tl.constexpr = ")));
}

/* torch/_inductor/runtime/triton_heuristics.py logs the source of the kernel below the words, which may be cut off. */
bool crash_logged_is_source(const struct log_message *m, struct str text)
{
    static const struct str begins[] = {STR_INIT("tl."),     STR_INIT("triton_helpers."), STR_INIT("libdevice."),
                                        STR_INIT("@triton"), STR_INIT("def "),            STR_INIT("import "),
                                        STR_INIT("from "),   STR_INIT("metadata: {")};
    struct str line = str_trim(str_first_line(text));

    return str_has(m->head.glog.file, STR("triton_heuristics")) &&
           (is_assignment(line) || STR_STARTS_ANY(line, begins));
}

/*
 * The first exception of a chain has the words, the last one shows the line of the kernel. Without the two other ones
 * the autotuner goes on: they are of one of its choices.
 */
void crash_logged_keep_kernel(struct crash_process *p, struct record *rec)
{
    static const struct str of_choices[] = {STR_INIT("OutOfResources"), STR_INIT("PTXASError")};
    struct str traceback = crash_logged_is_kernel(rec->text) ? crash_traceback(rec->text) : STR("");
    struct traceback t;

    if (!traceback.n || !traceback_parse(record_arena(rec), traceback, &t) || !t.first_type.n ||
        STR_IS_ANY(t.first_type, of_choices))
        return;
    p->kernel = arena_printf(record_arena(rec), "%.*s: %.*s", STR_ARG(t.first_type),
                             STR_ARG(str_first_line(t.first_message)));
}

void crash_logged_use_kernel(const struct crash_process *p, struct failure *f)
{
    static const struct str name = STR_INIT("CompilationError");

    if (f->beside.n == 0 && (str_eq(f->type, name) || str_has(f->message, name)) &&
        !str_has(f->message, str_skip(p->kernel, (size_t)(str_chr(p->kernel, ':') + 1))))
        f->beside = p->kernel;
}
