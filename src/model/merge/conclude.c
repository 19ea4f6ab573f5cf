#include "model/merge/conclude.h"

#include "model/merge/callers.h"
#include "model/merge/dedup_log.h"
#include "util/map.h"

#include <stdlib.h>

/* How many compiles back to look for the one that made a resume function; in practice it is a handful. */
enum { LOOK_BACK = 1000 };

static struct arena *arena_of(const struct process *p)
{
    return p->input->arena;
}

/* --- failures ----------------------------------------------------------------------------------------------------- */

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
    }
    f->shown |= extra->shown;
    f->passed_on |= extra->passed_on;
    if (f->file.n == 0) {
        f->file = extra->file;
        f->line = extra->line;
    }
}

/* The two records follow one another, so only the last failure of each place can be the other half. */
static void merge_failures(struct compile *c)
{
    struct failure *last[FAILED_PLACES] = {0};
    size_t kept = 0;

    for (size_t i = 0; i < c->failures.n; i++) {
        struct failure *f = c->failures.v[i], *before = last[f->where];

        if (before && (before->traceback == NULL) != (f->traceback == NULL)) {
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
    f = ARENA_NEW(arena_of(c->process), struct failure);
    *f = (struct failure){
        .compile = c,
        .attempt = -1,
        .message = STR(
            "Dynamo recompile limit exceeded: the reasons to compile again were recorded, but no compile followed."),
        .record_line = c->artifacts.v[0]->line};
    vec_push(arena_of(c->process), &c->failures, f);
}

/* Classes and messages of 2.3 to 2.13: the limit has had three names, and from 2.5 to 2.12 its own exception. */
static bool says_limit(const struct failure *f)
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
static bool is_unsupported(struct str type)
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
    if (f->shown || (f->type.n && !is_unsupported(f->type)))
        return false;
    /* 2.6 reports the limit as a failure of the backward */
    return says_limit(f) || (break_recorded && f->where == FAILED_FORWARD);
}

static bool has_recorded_break(const struct compile *c)
{
    for (size_t i = 0; i < c->breaks.n; i++)
        if (c->breaks.v[i]->origin == BREAK_FROM_RECORD || c->breaks.v[i]->origin == BREAK_FROM_FAILURE)
            return true;
    return false;
}

static void mark_fallbacks(struct compile *c)
{
    bool recorded = has_recorded_break(c);

    for (size_t i = 0; i < c->failures.n; i++)
        c->failures.v[i]->fallback = is_fallback(c->failures.v[i], recorded);
}

/* --- graph breaks ------------------------------------------------------------------------------------------------- */

/*
 * Restarts that are not breaks (torch/_dynamo/exc.py, subclasses of RestartAnalysis, and output_graph.py): Dynamo has
 * learned something and traces the frame again. The name of an exception class means a restart without a reason.
 */
static bool is_break_reason(struct str reason)
{
    static const struct str others[] = {
        STR_INIT("<class "),
        STR_INIT("source-less requires_grad_()"),
        STR_INIT("autograd.grad consumed"),
        STR_INIT("Unknown fail_and_restart_analysis"),
        STR_INIT("raised at "), /* from a log, which has only the place */
    };

    return !STR_STARTS_ANY(reason, others);
}

/* From 2.6 on, every graph break has a record of its own, so no break must be inferred. */
static bool records_have_breaks(const struct process *p)
{
    unsigned version = pytorch_version(p->versions.pytorch);

    if (!version)
        version = p->version_by_places;
    if (version)
        return version >= 2006;
    for (size_t i = 0; i < p->compiles.n; i++)
        for (size_t k = 0; k < p->compiles.v[i]->breaks.n; k++)
            if (p->compiles.v[i]->breaks.v[k]->origin == BREAK_FROM_RECORD)
                return true;
    return p->unattributed->breaks.n > 0;
}

static struct graph_break *add_break(struct compile *c, enum break_origin origin, struct str type, struct str reason)
{
    struct arena *a = arena_of(c->process);
    struct graph_break *b = ARENA_NEW(a, struct graph_break);

    *b = (struct graph_break){.compile = c, .attempt = -1, .origin = origin, .type = type, .reason = reason};
    vec_push(a, &c->breaks, b);
    return b;
}

static void use_restart_reasons(struct compile *c, bool may_add, struct arena *scratch)
{
    struct map by_type;

    map_init(&by_type, scratch);
    for (size_t i = 0; i < c->breaks.n; i++)
        *map_at(&by_type, c->breaks.v[i]->type) = c->breaks.v[i];
    for (size_t i = 0; i < c->restart_reasons.n; i++) {
        struct str reason = c->restart_reasons.v[i], type = str_first_line(reason);
        struct graph_break *b = map_get(&by_type, type);

        if (!b && may_add && is_break_reason(reason))
            *map_at(&by_type, type) = b = add_break(c, BREAK_FROM_RESTART, type, reason);
        if (b)
            b->restarted = true;
    }
}

/*
 * For many breaks after which Dynamo gives up on the frame, 2.6 and earlier have no record; only the exception in the
 * metrics shows them. With fullgraph=True the exception is raised, which the trace does not say, unless the program
 * printed it when it ended.
 */
static void use_failures(struct compile *c)
{
    for (size_t i = 0; i < c->failures.n && c->frame && !has_recorded_break(c); i++) {
        const struct failure *f = c->failures.v[i];
        struct graph_break *b;

        if (f->shown || str_has(f->message, STR("\n  Explanation: ")) || /* 2.7 and later record all breaks */
            f->where != FAILED_FORWARD || !is_unsupported(f->type) || f->message.n == 0 || says_limit(f))
            continue;
        b = add_break(c, BREAK_FROM_FAILURE, str_first_line(f->message), f->message);
        b->file = f->file;
        b->line = f->line;
        b->stack = f->stack;
        b->function = f->stack ? f->stack->function : c->frame->name;
    }
}

/* If a later attempt of the same compile reaches the same place again, it is the same break. */
static void drop_repeated_breaks(struct compile *c, struct arena *scratch)
{
    struct map seen;
    size_t kept = 0;

    map_init(&seen, scratch);
    for (size_t i = 0; i < c->breaks.n; i++) {
        struct graph_break *b = c->breaks.v[i];
        void **slot = b->line ? map_at(&seen, arena_printf(scratch, "%lld %p %.*s %.*s", (long long)b->line,
                                                           (const void *)b->stack, STR_ARG(b->file), STR_ARG(b->type)))
                              : NULL;

        if (slot && *slot)
            continue;
        if (slot)
            *slot = b;
        c->breaks.v[kept++] = b;
    }
    c->breaks.n = kept;
}

struct namesake {
    struct frame *frame;
    size_t order; /* the order of appearance */
};

/* Frames with the same function name in one file and epoch, sorted by line and appearance. */
struct namesakes {
    VEC(struct namesake) list;
};

static int by_line(const void *pa, const void *pb)
{
    const struct namesake *a = pa, *b = pb;

    if (a->frame->line != b->frame->line)
        return a->frame->line < b->frame->line ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

static void sort_namesakes(const struct map *by_name)
{
    for (size_t i = 0; i < by_name->n; i++) {
        struct namesakes *same = by_name->entries[i].value;

        qsort(same->list.v, same->list.n, sizeof *same->list.v, by_line);
    }
}

/* The index of the first frame that begins at or below `line`. */
static size_t first_from(const struct namesakes *same, int64_t line)
{
    size_t at = 0, end = same->list.n;

    while (at < end) {
        size_t middle = at + (end - at) / 2;

        if (same->list.v[middle].frame->line < line)
            at = middle + 1;
        else
            end = middle;
    }
    return at;
}

static struct str namesakes_key(struct arena *scratch, const struct frame *f, struct str function)
{
    return arena_printf(scratch, "%u %.*s\n%.*s", f->epoch, STR_ARG(f->file), STR_ARG(function));
}

/*
 * A file may have several functions F: the one that a resume function continues begins at or above the line where it
 * continues.
 */
static const struct frame *origin_of(const struct frame *resume, const struct namesakes *same)
{
    size_t behind;

    if (!same || resume->resumes_line == INT64_MAX)
        return NULL;
    behind = first_from(same, resume->resumes_line + 1);
    return behind ? same->list.v[first_from(same, same->list.v[behind - 1].frame->line)].frame : NULL;
}

static void find_origins(struct process *p, struct arena *scratch)
{
    struct map by_name;

    map_init(&by_name, scratch);
    for (size_t i = 0; i < p->frames.n; i++) {
        struct frame *f = p->frames.v[i];
        void **slot;

        f->origin = f;
        if (f->is_resume)
            continue;
        slot = map_at(&by_name, namesakes_key(scratch, f, f->name));
        if (!*slot)
            *slot = ARENA_NEW(scratch, struct namesakes);
        vec_push(scratch, &((struct namesakes *)*slot)->list, ((struct namesake){f, i}));
    }
    sort_namesakes(&by_name);
    for (size_t i = 0; i < p->frames.n; i++) {
        struct frame *f = p->frames.v[i];

        if (f->is_resume)
            f->origin = origin_of(f, map_get(&by_name, namesakes_key(scratch, f, f->resumes)));
    }
}

/* The frame that broke calls the resume function, so the resume function's stack is one call deeper. */
static bool may_call(const struct compile *c, const struct compile *resume)
{
    return c->stack && resume->stack && c->stack->depth + 1 == resume->stack->depth;
}

/*
 * The compile whose graph break made a resume function: the last compile of F before it in the same epoch, if possible
 * one whose stack fits.
 */
static struct compile *broken_by(const struct compile *resume)
{
    const struct process *p = resume->process;
    size_t last = resume->index > LOOK_BACK ? resume->index - LOOK_BACK : 0;
    struct compile *any = NULL;

    if (resume->within)
        return resume->within;
    for (size_t i = resume->index; i-- > last && resume->frame->origin;) {
        struct compile *c = p->compiles.v[i];

        if (c->epoch != resume->epoch)
            break;
        if (!c->frame || c->frame == resume->frame || c->frame->origin != resume->frame->origin)
            continue;
        if (may_call(c, resume))
            return c;
        any = any ? any : c;
    }
    return any;
}

/* The progress of giving the breaks of one compile their places. */
struct placing {
    bool looked;
    size_t next; /* the first break that may still have no place */
};

/* The places of the breaks in all compiles of a process. */
struct break_places {
    struct arena *scratch;
    struct placing *of_compiles;
    struct map known; /* compile, line and file -> the break */
};

static void **place_in(struct break_places *p, const struct compile *c, struct str file, int64_t line)
{
    return map_at(&p->known, arena_printf(p->scratch, "%u %lld %.*s", c->index, (long long)line, STR_ARG(file)));
}

static void look_at_breaks(struct break_places *p, const struct compile *c)
{
    for (size_t i = 0; i < c->breaks.n && !p->of_compiles[c->index].looked; i++)
        if (c->breaks.v[i]->line)
            *place_in(p, c, c->breaks.v[i]->file, c->breaks.v[i]->line) = c->breaks.v[i];
    p->of_compiles[c->index].looked = true;
}

static struct graph_break *next_without_place(struct break_places *p, const struct compile *c)
{
    size_t *next = &p->of_compiles[c->index].next;

    while (*next < c->breaks.n && c->breaks.v[*next]->line)
        ++*next;
    return *next < c->breaks.n ? c->breaks.v[(*next)++] : NULL;
}

/*
 * A resume function exists because of a break, and its name says where: this gives a break without a place its place.
 */
static void use_resume(const struct compile *resume, struct break_places *places)
{
    const struct frame *f = resume->frame;
    struct compile *c = broken_by(resume);
    struct graph_break *b;
    void **known;

    if (!c)
        return;
    look_at_breaks(places, c);
    known = place_in(places, c, f->file, f->resumes_line);
    if (*known)
        return;
    b = next_without_place(places, c);
    if (!b)
        b = add_break(c, BREAK_FROM_RESUME, STR("Graph break"),
                      STR("A resume function was compiled, so the graph broke before it; the trace does not say why."));
    b->file = f->file;
    b->line = f->resumes_line;
    b->function = f->resumes;
    *known = b;
}

/* Only if neither a reason nor a resume function shows the break. */
static void use_within(struct compile *c)
{
    struct graph_break *b;

    if (c->breaks.n)
        return;
    b = add_break(c, BREAK_FROM_RESUME, STR("Graph break"),
                  STR("Another frame was compiled on its own while this one ran, so the graph broke; the trace does "
                      "not say why or where."));
    b->file = c->frame->file;
    b->function = c->frame->is_resume ? c->frame->resumes : c->frame->name;
}

static void use_frames(struct process *p)
{
    struct arena *scratch = arena_new();
    struct break_places places = {.scratch = scratch,
                                  .of_compiles = ARENA_ARRAY(scratch, struct placing, p->compiles.n)};

    map_init(&places.known, scratch);
    find_origins(p, scratch);
    for (size_t i = 0; i < p->compiles.n; i++)
        if (p->compiles.v[i]->frame->is_resume)
            use_resume(p->compiles.v[i], &places);
    for (size_t i = 0; i < p->compiles.n; i++)
        if (p->compiles.v[i]->within)
            use_within(p->compiles.v[i]->within);
    arena_free(scratch);
}

/* --- the rest ----------------------------------------------------------------------------------------------------- */

struct storage_key {
    int64_t describer, id;
};

static void join_storages(struct compile *c, struct arena *scratch)
{
    struct map by_id;

    map_init(&by_id, scratch);
    for (size_t i = 0; i < c->storages.n; i++) {
        struct storage_key key = {c->storages.v[i].describer, c->storages.v[i].id};

        *map_at_copy(&by_id, MAP_KEY(key)) = &c->storages.v[i];
    }
    for (size_t i = 0; i < c->tensors.n; i++) {
        struct storage_key key = {c->tensors.v[i].describer, c->tensors.v[i].storage};
        const struct storage *s = map_get(&by_id, MAP_KEY(key));

        if (s)
            c->tensors.v[i].storage_size = s->size;
    }
}

/* The last specialization of a name counts, for every symbol of that name that existed before it. */
static void join_specializations(struct compile *c, struct arena *scratch)
{
    struct map by_name;

    map_init(&by_name, scratch);
    vec_each(struct specialization, s, &c->specializations) * map_at(&by_name, s->symbol) = s;
    vec_each(struct symbol, symbol, &c->symbols)
    {
        const struct specialization *s = map_get(&by_name, symbol->name);

        if (!s || (size_t)(symbol - c->symbols.v) >= s->symbols_before)
            continue;
        symbol->specialized_to = s->value;
        symbol->specialized_reason = s->reason;
        symbol->specialized_at = s->user_stack;
    }
}

static bool has_artifact(const struct compile *c, const char *name)
{
    for (size_t i = 0; i < c->artifacts.n; i++)
        if (str_eq(c->artifacts.v[i]->name, str_of(name)))
            return true;
    return false;
}

/* Dynamo analyzed the frame and left it as it was. */
static bool installed_nothing(const struct metrics *m)
{
    const struct metric *installed = metrics_get(m, "has_guarded_code");

    return installed && installed->type == METRIC_BOOL && !installed->b;
}

static bool has_error(const struct compile *c)
{
    for (size_t i = 0; i < c->failures.n; i++)
        if (!c->failures.v[i]->fallback)
            return true;
    return false;
}

/* What kinds of messages a text log has for any compile of a process: the user chooses what PyTorch logs. */
struct log_coverage {
    bool always; /* a trace, which has everything */
    bool guards, graphs;
};

static struct log_coverage log_coverage_of(const struct process *p)
{
    struct log_coverage t = {.always = p->input->kind != INPUT_TORCH_LOGS, .guards = p->guards_logged};

    for (size_t i = 0; i < p->compiles.n && !t.always && !t.graphs; i++)
        t.graphs = has_artifact(p->compiles.v[i], "dynamo_output_graph");
    return t;
}

/*
 * torch.export traces a frame without dynamo_start, and writes its guards and metrics without a compile id
 * (torch/_dynamo/convert_frame.py, fullgraph_capture): only the graph shows that it finished.
 */
static bool is_exported(const struct compile *c)
{
    return c->start == START_ATTEMPT && !c->started && has_artifact(c, "dynamo_output_graph");
}

/*
 * Missing messages only count if the log has messages of that kind: a compile is incomplete if nothing that is logged
 * shows that it finished.
 */
static enum compile_status status_of(const struct compile *c, const struct log_coverage *logged)
{
    const struct metrics *m = compile_metrics(c, METRICS_FORWARD);
    bool captures = c->id.frame == ID_NONE;
    int64_t ops = -1;

    if (c->limit_hit || has_error(c))
        return STATUS_ERROR;
    if (c->breaks.n)
        return STATUS_GRAPH_BREAK;
    metrics_i64(m, "graph_op_count", &ops);
    if (m ? ops == 0 || (ops < 0 && !has_artifact(c, "dynamo_output_graph")) || installed_nothing(m)
          : c->guards_seen && !has_artifact(c, "dynamo_output_graph") && (logged->always || logged->graphs))
        return STATUS_EMPTY;
    if (m || c->guards_seen || captures || is_exported(c) || !(logged->always || logged->guards))
        return STATUS_OK;
    return STATUS_INCOMPLETE;
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

static void conclude_compile(struct compile *c, bool breaks_recorded, struct arena *scratch)
{
    merge_failures(c);
    note_refusal(c);
    for (size_t i = 0; i < c->failures.n; i++) {
        use_stack_of_failure(c->failures.v[i]);
        c->limit_hit |= says_limit(c->failures.v[i]);
    }
    drop_repeated_breaks(c, scratch);
    use_restart_reasons(c, !breaks_recorded, scratch);
    use_failures(c);
    mark_fallbacks(c);
    join_storages(c, scratch);
    join_specializations(c, scratch);
    arena_reset(scratch);
    c->backward |= has_artifact(c, "aot_backward_graph");
}

/*
 * Events with the same time and depth stay in the order of the file; qsort alone would leave their order to the C
 * library.
 */
static int by_start(const void *pa, const void *pb)
{
    const struct event *a = pa, *b = pb;
    uint64_t place_a = a->begin.length ? a->begin.offset : a->end.offset;
    uint64_t place_b = b->begin.length ? b->begin.offset : b->end.offset;

    if (a->start_ns != b->start_ns)
        return a->start_ns < b->start_ns ? -1 : 1;
    if (a->depth != b->depth)
        return a->depth < b->depth ? -1 : 1;
    return (place_a > place_b) - (place_a < place_b);
}

void conclude_process(struct process *p)
{
    struct arena *scratch = arena_new();
    bool breaks_recorded = records_have_breaks(p);
    struct log_coverage what;

    if (callers_only(p))
        callers_use(p, scratch);
    for (size_t i = 0; i < p->compiles.n; i++)
        conclude_compile(p->compiles.v[i], breaks_recorded, scratch);
    conclude_compile(p->unattributed, breaks_recorded, scratch);
    arena_free(scratch);
    if (!breaks_recorded)
        use_frames(p);
    dedup_log_drop(p);
    what = log_coverage_of(p);
    for (size_t i = 0; i < p->compiles.n; i++)
        p->compiles.v[i]->status = status_of(p->compiles.v[i], &what);
    if (p->events.n)
        qsort(p->events.v, p->events.n, sizeof *p->events.v, by_start);
}
