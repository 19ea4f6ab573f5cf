#include "model/conclude/failures.h"

/*
 * PyTorch records one exception twice: dynamo_error has the traceback, and the metrics have the type and the user's
 * line. Adds to f what `extra` has.
 */
static void merge_failure(struct failure *f, const struct failure *extra)
{
    if (extra->traceback == NULL) {
        f->type = extra->type;
        if (f->message.n == 0)
            f->message = extra->message;
    } else {
        f->traceback = extra->traceback;
        f->stack = extra->stack ? extra->stack : f->stack;
        f->caller = extra->caller ? extra->caller : f->caller;
        f->own_code = extra->own_code;
        f->raised_in = extra->raised_in;
    }
    f->shown |= extra->shown;
    f->passed_on |= extra->passed_on;
    if (f->file.n == 0) {
        f->file = extra->file;
        f->line = extra->line;
    }
}

/* Of one exception, one record has the traceback and the other has none; a console shows each exception whole. */
static bool are_halves(const struct failure *one, const struct failure *other)
{
    return (one->traceback == NULL) != (other->traceback == NULL) && !(one->shown && other->shown);
}

/* The two records follow one another, so only the last failure of each place can be the other half. */
static void merge_failures(struct compile *c)
{
    struct failure *last[FAILED_PLACES] = {0};
    size_t kept = 0;

    for (size_t i = 0; i < c->failures.n; i++) {
        struct failure *f = c->failures.v[i], *before = last[f->where];

        if (before && are_halves(before, f)) {
            merge_failure(before, f);
            last[f->where] = NULL;
        } else {
            c->failures.v[kept++] = f;
            last[f->where] = f;
        }
    }
    c->failures.n = kept;
}

/*
 * If the recompile limit forbids a compile, 2.5 records why the frame would be compiled again, and nothing more: no
 * start, no event, no metrics.
 */
static void note_refusal(struct compile *c)
{
    struct failure *f;

    if (c->reasons.n == 0 || c->started || c->ended || c->has_events || c->failures.n)
        return;
    f = ARENA_NEW(c->process->input->arena, struct failure);
    *f = (struct failure){
        .compile = c,
        .attempt = -1,
        .message = STR(
            "Dynamo recompile limit exceeded: the reasons to compile again were recorded, but no compile followed."),
        .record_line = c->artifacts.v[0]->line};
    vec_push(c->process->input->arena, &c->failures, f);
}

/* Classes and messages of 2.3 to 2.13: the limit has had three names, and from 2.5 to 2.12 its own exception. */
bool failure_says_limit(const struct failure *f)
{
    struct str begin = str_take(f->message, 200);

    return str_eq(f->type, STR("FailOnRecompileLimitHit")) || str_eq(f->type, STR("CacheLimitExceeded")) ||
           str_eq(f->type, STR("RecompileLimitExceeded")) ||
           str_starts(begin, STR("Dynamo recompile limit exceeded")) ||
           str_starts(begin, STR("Dynamo cache limit exceeded")) || str_has(begin, STR("cache_size_limit reached")) ||
           str_has(begin, STR("recompile_limit reached"));
}

/*
 * Unsupported, and the classes of torch/_dynamo/exc.py that were derived from it up to 2.5. UserError was one of them,
 * but if it does not become a graph break, the program sees it.
 */
bool failure_is_unsupported(struct str type)
{
    static const struct str types[] = {
        STR_INIT("Unsupported"),
        STR_INIT("ArgsMismatchError"),
        STR_INIT("CondOpArgsMismatchError"),
        STR_INIT("AttributeMutationError"),
        STR_INIT("SideEffectsError"),
        STR_INIT("InfiniteGeneratorError"),
        STR_INIT("UnknownPropertiesDuringBackwardTrace"),
        STR_INIT("CacheLimitExceeded"),
        STR_INIT("RecompileLimitExceeded"),
    };

    return STR_IS_ANY(type, types);
}

/*
 * Dynamo also raises Unsupported when it only gives up on a frame. It then has logged the graph break before (a record
 * from 2.6 on), or refused the compile because of the limit. With fullgraph=True neither is the case, and the program
 * sees the error.
 */
static bool is_fallback(const struct failure *f, bool break_recorded)
{
    if (f->shown || (f->type.n && !failure_is_unsupported(f->type)))
        return false;
    /* 2.6 reports the limit as a failure of the backward */
    return failure_says_limit(f) || (break_recorded && f->where == FAILED_FORWARD);
}

void failures_mark_fallbacks(struct compile *c, bool break_recorded)
{
    for (size_t i = 0; i < c->failures.n; i++)
        c->failures.v[i]->fallback = is_fallback(c->failures.v[i], break_recorded);
}

static bool has_export(const struct call *stack)
{
    for (; stack; stack = stack->parent)
        if (code_file_exports(stack->file))
            return true;
    return false;
}

/* Where a failure is in the calls of torch.export, there is no torch.compile that could be changed. */
static void use_stack_of_failure(struct failure *f)
{
    f->exporting |= has_export(f->stack) || has_export(f->compile->stack);
}

void failures_conclude(struct compile *c)
{
    merge_failures(c);
    note_refusal(c);
    for (size_t i = 0; i < c->failures.n; i++) {
        use_stack_of_failure(c->failures.v[i]);
        c->limit_hit |= failure_says_limit(c->failures.v[i]);
    }
}

bool failure_is_timeout(const struct failure *f)
{
    return str_eq(f->type, STR(COLLECTIVE_TIMEOUT_TYPE)) ||
           (str_eq(f->type, STR("DistBackendError")) &&
            str_has(str_first_line(f->message), STR("Watchdog caught collective operation timeout")));
}

bool failure_is_stuck_watchdog(const struct failure *f)
{
    return str_eq(f->type, STR(STUCK_WATCHDOG_TYPE));
}
