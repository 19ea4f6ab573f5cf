#include "model/conclude/infer_breaks.h"

#include "model/conclude/failures.h"
#include "model/conclude/resume_origins.h"
#include "util/map.h"

bool infer_breaks_has_record(const struct compile *c)
{
    for (size_t i = 0; i < c->breaks.n; i++)
        if (c->breaks.v[i]->origin == BREAK_FROM_RECORD || c->breaks.v[i]->origin == BREAK_FROM_FAILURE)
            return true;
    return false;
}

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
bool infer_breaks_needless(const struct process *p)
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
    struct arena *a = c->process->input->arena;
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
    for (size_t i = 0; i < c->failures.n && c->frame && !infer_breaks_has_record(c); i++) {
        const struct failure *f = c->failures.v[i];
        struct graph_break *b;

        if (f->shown || str_has(f->message, STR("\n  Explanation: ")) || /* 2.7 and later record all breaks */
            f->where != FAILED_FORWARD || !failure_is_unsupported(f->type) || f->message.n == 0 ||
            failure_says_limit(f))
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

void infer_breaks_of_compile(struct compile *c, bool may_add, struct arena *scratch)
{
    drop_repeated_breaks(c, scratch);
    use_restart_reasons(c, may_add, scratch);
    use_failures(c);
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
    size_t last = resume->index > LIMIT_LOOK_BACK ? resume->index - LIMIT_LOOK_BACK : 0;
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

void infer_breaks_of_frames(struct process *p)
{
    struct arena *scratch = arena_new();
    struct break_places places = {.scratch = scratch,
                                  .of_compiles = ARENA_ARRAY(scratch, struct placing, p->compiles.n)};

    map_init(&places.known, scratch);
    resume_origins_find(p, scratch);
    for (size_t i = 0; i < p->compiles.n; i++)
        if (p->compiles.v[i]->frame->is_resume)
            use_resume(p->compiles.v[i], &places);
    for (size_t i = 0; i < p->compiles.n; i++)
        if (p->compiles.v[i]->within)
            use_within(p->compiles.v[i]->within);
    arena_free(scratch);
}
