#include "analysis/steps/error_title.h"

#include "analysis/errors/error_machine.h"
#include "analysis/errors/error_outside.h"
#include "analysis/errors/error_owner.h"
#include "analysis/errors/error_store.h"
#include "analysis/errors/error_words.h"
#include "model/conclude/failures.h"

enum { SEARCHED = 16384 };

/* A break forbidden by fullgraph=True is shown with its type, not with the name of the exception. */
static bool is_forbidden_break(const struct error *e)
{
    return e->category == ERROR_GRAPH_BREAK && e->failure->type.n;
}

bool error_break_may_go_on(const struct failure *f)
{
    const struct stated *to = &f->compile->process->input->stated;

    return !f->stack && !f->exporting && stated_has(to, STATED_READ) && !stated_has(to, STATED_FULLGRAPH) &&
           (f->type.n == 0 || stated_has(to, STATED_BREAKS_AGAIN));
}

/*
 * Neither the call of `torch.compile`, nor its frame, nor a line of the program, which stands in the message of most
 * breaks. Strict export raises the same.
 */
bool error_may_be_export(const struct failure *f)
{
    const struct stated *to = &f->compile->process->input->stated;

    return str_eq(f->type, STR("Unsupported")) && !f->suppressed && !f->exporting && error_operator(f).n == 0 &&
           !error_break_may_go_on(f) && !f->compile->frame && !stack_own_call(f->stack) &&
           stated_has(to, STATED_READ) && !stated_has(to, STATED_FULLGRAPH) && !stated_has(to, STATED_COMPILED_CALL);
}

/* Up to 2.7 both raise UserError for a branch: without the calls above it, a text may be from either. */
struct str error_forbids_break(const struct failure *f)
{
    if (f->suppressed)
        return STR("Graph break");
    if (error_operator(f).n)
        return STR("A higher-order operator was not captured");
    if (f->exporting)
        return STR("Export failed");
    if (f->type.n && error_break_may_go_on(f))
        return STR("Graph break");
    return str_eq(f->type, STR("UserError")) || error_may_be_export(f) ? STR("`fullgraph=True` or export failed")
                                                                       : STR("`fullgraph=True` failed");
}

bool error_forbids_recompile(const struct failure *f)
{
    return str_eq(f->type, STR("RecompileError")) || str_starts(f->message, STR("Detected recompile when "));
}

/* "[Rank 2] Watchdog caught collective operation timeout: WorkNCCL(...) ran for 600045 milliseconds" */
static bool names_work(const struct failure *f)
{
    return failure_is_timeout(f) && str_has(str_first_line(f->message), STR("WorkNCCL("));
}

/* With a reference in float64, the errors of both are compared (torch/_dynamo/utils.py, same): it may be rounding. */
static bool has_no_reference(const struct failure *f)
{
    static const struct str words = STR_INIT("Accuracy failed: allclose not within tol");

    return str_has(str_take(f->message, SEARCHED), words) || str_has(f->beside, words);
}

/* PyTorch tries it ahead, and goes on without it (jit_compile_runtime_wrappers.py). */
static bool is_put_off(const struct failure *f)
{
    static const struct str words = STR_INIT("failed to eagerly compile backwards for dynamic");

    return str_starts(f->message, words) || str_has(f->beside, words);
}

/*
 * What a shell, a CI or a notebook says of a process; what the process itself says before it ends is more, and is the
 * message of an abort then.
 */
static const char *ended_by(const struct failure *f)
{
    static const struct {
        struct str type;
        const char *words;
    } ends[] = {
        {STR_INIT("Segmentation fault"), "The process was ended by a segmentation fault"},
        {STR_INIT("Bus error"), "The process was ended by a bus error"},
        {STR_INIT("Aborted"), "The process was aborted, and the text does not say why"},
        {STR_INIT("Heap corruption"), "The C library found the memory of the process damaged"},
        {STR_INIT("Illegal instruction"), "The process was ended by an illegal instruction"},
        {STR_INIT("Floating point exception"),
         "The process was ended by SIGFPE, most often a division of integers by zero"},
        {STR_INIT("Kernel died"), "The notebook's process ended, and the text does not say why"},
    };
    static const struct str own[] = {STR_INIT("Fatal Python error"), STR_INIT("Caught signal ")};

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (str_eq(f->type, ends[i].type) && !STR_STARTS_ANY(f->message, own))
            return str_eq(f->type, STR("Aborted")) && !str_has(f->message, STR("bort")) ? NULL : ends[i].words;
    return NULL;
}

bool error_is_of_shell(const struct failure *f)
{
    return ended_by(f) != NULL;
}

/* What a model of AOTInductor, or the exported program with the same inputs, says where these do not fit. */
static bool names_inputs(const struct failure *f)
{
    static const struct str words[] = {STR_INIT("nput"),  STR_INIT("shape"),     STR_INIT("size"),
                                       STR_INIT("dtype"), STR_INIT("unmatched"), STR_INIT("host memory")};
    struct str m = str_take(f->message, SEARCHED);
    ptrdiff_t call = str_find(m, STR("API call failed at")), open = call < 0 ? -1 : str_chr(m, '(');

    /* the call itself has input_handles among its arguments */
    if (open >= 0 && open < call)
        m = str_take(m, (size_t)open);
    return STR_HAS_ANY(m, words) || STR_HAS_ANY(str_take(f->beside, SEARCHED), words);
}

bool error_loses_assignment(const struct error *e)
{
    return e->category == ERROR_WARNING && str_has(e->failure->message, STR(" assigned during export"));
}

/* Compiled code checks what an operator returned: tensors with values, whatever the message says of fake kernels. */
static struct str checked_at_run_time(const struct error *e)
{
    if (e->category != ERROR_FAKE_TENSOR || e->stage != AT_RUNTIME)
        return (struct str){0};
    for (const struct call *c = e->failure->stack; c; c = c->parent)
        if (str_eq(c->function, STR("backward")) || str_has(c->source, STR(".backward(")))
            return STR("The compiled backward failed at run time");
    return STR("Compiled code failed at run time");
}

static struct str what_it_is(struct arena *a, const struct error *e)
{
    struct str outside;

    if (e->category == ERROR_AOT_INDUCTOR && !names_inputs(e->failure))
        return STR("A model of AOTInductor failed");
    if (error_loses_assignment(e))
        return STR("The exported program lacks an assignment of `forward`");
    if (ended_by(e->failure))
        return str_of(ended_by(e->failure));
    if (e->fault)
        return str_of(e->fault->what);
    if (is_forbidden_break(e))
        return error_forbids_break(e->failure);
    if (e->category == ERROR_RECOMPILATION && !error_forbids_recompile(e->failure))
        return STR("Recompile limit reached");
    if (names_work(e->failure))
        return STR("A collective timed out");
    if (failure_is_stuck_watchdog(e->failure))
        return STR("The watchdog of collectives is stuck");
    if (e->failure->where == FAILED_BACKWARD && is_put_off(e->failure))
        return STR("A backward for dynamic shapes was not compiled");
    if (has_no_reference(e->failure))
        return STR("Compiled and eager results differ");
    if (e->failure->where == FAILED_PROGRAM && e->failure->suppressed)
        return STR("A checkpoint was not loaded");
    if (str_eq(e->failure->type, STR("KeyboardInterrupt")))
        return STR("Interrupted");
    if (e->category == ERROR_OTHER && e->failure->where == FAILED_RUNTIME && !error_is_of_stored_code(e->failure))
        return STR("Exception");
    if (str_eq(e->failure->type, STR(NOTE_TYPE)))
        return STR("The text shows no error");
    outside = error_outside_title(e);
    if (outside.n)
        return outside;
    if (str_eq(e->failure->type, STR(LOGGED_ERROR_TYPE)))
        return STR("PyTorch logged an error");
    if (error_store_is(e))
        return STR("Store or rendezvous that failed");
    if (error_machine_raiser(e).n)
        return STR("A package that the compiler runs raised an error");
    if (checked_at_run_time(e).n)
        return checked_at_run_time(e);
    if (error_owner_resumed(e))
        return arena_printf(a, "Error in code that Dynamo resumed after the graph break at line %lld",
                            (long long)error_owner_resumed(e));
    return str_of(error_category_title(e->category));
}

static struct str headline_of(struct arena *a, const struct failure *f)
{
    return f->type.n == 0 && is_put_off(f) ? STR("this text does not show its exception") : error_headline(a, f);
}

struct str error_of_watchdog(const struct failure *f)
{
    static const struct str words[] = {STR_INIT("CUDA error: "), STR_INIT("HIP error: ")};
    struct str error = error_words_from(str_first_line(f->message), STR("watchdog thread terminated with exception: "));

    str_consume(&error, STR("watchdog thread terminated with exception: "));
    return str_eq(f->type, STR("DistBackendError")) && STR_STARTS_ANY(error, words) ? error : (struct str){0};
}

/* NCCL's watchdog notices what a kernel of the process did: its name and numbers say nothing of the error. */
static struct str title_of_watchdog(struct arena *a, const struct error *e)
{
    return arena_printf(a, "%.*s: %.*s (noticed by NCCL's watchdog)", STR_ARG(what_it_is(a, e)),
                        STR_ARG(error_of_watchdog(e->failure)));
}

/* "WorkNCCL(...) ran for 600093 milliseconds before timing out.": how long it was allowed to is about as much. */
static struct str timed_out_work(struct arena *a, const struct failure *f)
{
    struct str work = str_first_line(error_words_from(f->message, STR("WorkNCCL("))), limit;

    if (work.n > ERROR_WORDS_MAX && str_between(work, STR(", Timeout(ms)="), STR(")"), &limit))
        work = arena_printf(a, "%.*s%.*s", (int)(limit.p - work.p) - (int)STR(", Timeout(ms)=").n, work.p,
                            STR_ARG(str_skip(work, (size_t)(limit.p - work.p) + limit.n)));
    return error_words_shortened(a, work, ERROR_WORDS_MAX);
}

struct str error_title(struct arena *a, const struct error *e)
{
    struct str what = what_it_is(a, e), line = headline_of(a, e->failure), type = e->failure->type;
    bool named = type.n && !names_work(e->failure) && !failure_is_stuck_watchdog(e->failure) &&
                 e->category != ERROR_WARNING && !is_forbidden_break(e) && !ended_by(e->failure) &&
                 !str_starts(line, type) && !str_eq(type, STR(LOGGED_ERROR_TYPE));
    bool cut = e->failure->beside.n == 0 && str_ends(line, STR("\xe2\x80\xa6"));
    struct str timeout = !names_work(e->failure) ? line
                         : cut                   ? timed_out_work(a, e->failure)
                                                 : error_words_from(line, STR("WorkNCCL("));
    const char *suppressed = !e->failure->suppressed               ? ""
                             : e->failure->where == FAILED_PROGRAM ? ", and the program went on without these weights"
                                                                   : ", so that the function runs eagerly";

    if (error_of_watchdog(e->failure).n)
        return title_of_watchdog(a, e);
    return arena_printf(a, "%.*s%s:%s%.*s%s%s%.*s", STR_ARG(what), suppressed, named ? " `" : "",
                        named ? (int)type.n : 0, type.p, named ? "`" : "", line.n ? named ? ": " : " " : "",
                        STR_ARG(timeout.n ? timeout : line));
}
