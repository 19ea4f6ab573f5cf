#include "analysis/breaks/break_cost.h"

#include "util/number.h"

int64_t break_operators(const struct compile *c)
{
    int64_t ops;

    return metrics_i64(compile_metrics(c, METRICS_FORWARD), "graph_op_count", &ops) && ops > 0 ? ops : 0;
}

/* --- costs -------------------------------------------------------------------------------------------------------- */

static int64_t restart_us(const struct compile *c)
{
    const struct metrics *m = compile_metrics(c, METRICS_FORWARD);
    const struct metric *old = metrics_get(m, "dynamo_time_before_restart_s");
    int64_t us;

    if (metrics_i64(m, "dynamo_compile_time_before_restart_us", &us) && us > 0)
        return us;
    return old && old->type == METRIC_DOUBLE && old->d > 0 && old->d < 1e6 ? (int64_t)(old->d * 1e6) : 0;
}

/* If a compile has several breaks, each discarded a part of the tracing: the record only has the sum. */
static int64_t restart_share_us(const struct compile *c)
{
    return restart_us(c) / (int64_t)(c->breaks.n ? c->breaks.n : 1);
}

/*
 * Dynamo's work for a resume function besides calling the backend: tracing, guards. Without the break the backend
 * would have compiled the same operators too, in one graph with those before it.
 */
static int64_t resume_us(const struct compile *c)
{
    const struct metric *backend = metrics_get(compile_metrics(c, METRICS_FORWARD), "backend_compile_time_s");
    int64_t start, duration;

    if (!compile_interval(c, &start, &duration))
        return 0;
    if (backend && backend->type == METRIC_DOUBLE && backend->d > 0)
        duration -= int_of_real(backend->d * 1e6);
    return duration > 0 ? duration : 0;
}

static int64_t group_us(const struct break_group *g)
{
    int64_t sum = 0;

    for (size_t i = 0; i < g->members.n; i++)
        sum = add_bounded(sum, restart_share_us(g->members.v[i]->compile));
    for (size_t i = 0; i < g->resumes.n; i++)
        sum = add_bounded(sum, resume_us(g->resumes.v[i]));
    return sum;
}

/* The index of the break in its compile, from 0. */
static size_t nth_break(struct finder *f, const struct graph_break *b)
{
    const struct compile *c = b->compile;

    if (map_number(&f->nths, MAP_KEY(b)) == 0)
        for (size_t i = 0; i < c->breaks.n; i++)
            *map_number_at(&f->nths, MAP_KEY(c->breaks.v[i])) = i + 1;
    return map_number(&f->nths, MAP_KEY(b)) - 1;
}

static void cost_member(struct finder *f, struct finding *x, const struct graph_break *b)
{
    const struct compile *c = b->compile;
    int64_t start, duration, share = restart_share_us(c);

    if (compile_interval(c, &start, &duration))
        finding_cost_time(f, x, c->process, add_bounded(start, share * (int64_t)nth_break(f, b)), share);
    finding_cost_breaks(f, x, c->process, 1);
}

static void cost_resume(struct finder *f, struct finding *x, const struct compile *c)
{
    int64_t start, duration;

    if (compile_interval(c, &start, &duration))
        finding_cost_time(f, x, c->process, start, resume_us(c));
    finding_cost_compiles(f, x, c->process, 1);
}

void break_add_costs(struct finder *f, struct finding *x, const struct break_place *p)
{
    for (size_t i = 0; i < p->groups.n; i++) {
        for (size_t k = 0; k < p->groups.v[i]->members.n; k++)
            cost_member(f, x, p->groups.v[i]->members.v[k]);
        for (size_t k = 0; k < p->groups.v[i]->resumes.n; k++)
            cost_resume(f, x, p->groups.v[i]->resumes.v[k]);
    }
}

/* --- what was left ------------------------------------------------------------------------------------------------ */

/* A function of one process: its callers, and whether anything below it is compiled. */
struct reached {
    const struct frame *by; /* the frame in whose compile a break inside the function occurred */
    bool by_others;         /* the same, for several frames */
    bool is_frame;          /* Dynamo compiled it separately */
    bool has_graph;         /* its operators, or those of functions that it calls, are compiled */
};

struct break_reach {
    struct map functions;
};

static struct reached *reached_of(struct finder *f, const struct process *p, struct str file, struct str function)
{
    void **slot = map_at(&f->reach->functions,
                         arena_printf(f->arena, "%u %.*s\n%.*s", p->index, STR_ARG(file), STR_ARG(function)));

    if (!*slot)
        *slot = ARENA_NEW(f->arena, struct reached);
    return *slot;
}

static void note_break(struct finder *f, const struct graph_break *b)
{
    for (const struct call *c = b->stack; c; c = c->parent) {
        struct reached *r = reached_of(f, b->compile->process, c->file, c->function);

        r->by_others |= r->by && r->by != b->compile->frame;
        r->by = b->compile->frame;
    }
}

static void note_graph(struct finder *f, const struct compile *c)
{
    reached_of(f, c->process, c->frame->file, c->frame->name)->has_graph = true;
    for (const struct call *call = c->stack; call; call = call->parent)
        reached_of(f, c->process, call->file, call->function)->has_graph = true;
}

static void look_at_all(struct finder *f)
{
    const struct compile *c;

    f->reach = ARENA_NEW(f->arena, struct break_reach);
    map_init(&f->reach->functions, f->arena);
    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));) {
        if (!c->frame)
            continue;
        reached_of(f, c->process, c->frame->file, c->frame->name)->is_frame = true;
        for (size_t i = 0; i < c->breaks.n; i++)
            note_break(f, c->breaks.v[i]);
        if (break_operators(c) > 0 && !compile_given_up(c))
            note_graph(f, c);
    }
}

/* Other compiled code calls the function: it was reached while that code was traced, or runs below it. */
static bool is_callee(struct finder *f, const struct compile *c, const struct reached *r)
{
    if (r->by_others || (r->by && r->by != c->frame))
        return true;
    for (const struct call *call = c->stack ? c->stack->parent : NULL; call; call = call->parent)
        if (reached_of(f, c->process, call->file, call->function)->is_frame)
            return true;
    return false;
}

static const struct reached *function_of(struct finder *f, const struct compile *c)
{
    if (!f->reach)
        look_at_all(f);
    return reached_of(f, c->process, c->frame->file, c->frame->is_resume ? c->frame->resumes : c->frame->name);
}

bool break_is_root(struct finder *f, const struct compile *c)
{
    return c->frame && !c->frame->is_resume && !is_callee(f, c, function_of(f, c));
}

bool break_left_nothing(struct finder *f, const struct compile *c)
{
    if (!c->frame || is_framework_file(c->frame->file) || !compile_given_up(c))
        return false;
    return break_is_root(f, c) && !function_of(f, c)->has_graph;
}

static bool is_below_ddp(const struct call *c)
{
    for (; c; c = c->parent)
        if (str_ends(c->file, STR("torch/nn/parallel/distributed.py")))
            return true;
    return false;
}

bool break_lacks_graphs_in_ddp(struct finder *f, const struct graph_break *b)
{
    const struct process *p = b->compile->process;

    if (!f->answers->counts.traced || f->answers->counts.incomplete || f->answers->counts.errors)
        return false;
    for (size_t i = 0; i < p->compiles.n; i++) {
        const struct compile *c = p->compiles.v[i];

        if (compile_artifact(c, ARTIFACT_DYNAMO_OUTPUT_GRAPH) && (!c->stack || is_below_ddp(c->stack)))
            return false;
    }
    return true;
}

/* --- how bad ------------------------------------------------------------------------------------------------------ */

static void add_member(struct finder *f, struct break_cost *h, const struct graph_break *b)
{
    const struct compile *c = b->compile;
    int64_t before = break_operators(c);

    h->before = before > h->before ? before : h->before;
    h->given_up |= b->skips || compile_given_up(c);
    h->nothing_compiled |= break_left_nothing(f, c);
}

struct break_cost break_cost_of(struct finder *f, const struct break_place *p)
{
    struct break_cost h = {0};

    for (size_t i = 0; i < p->groups.n; i++) {
        const struct break_group *g = p->groups.v[i];
        int64_t us = group_us(g);

        for (size_t k = 0; k < g->members.n; k++)
            add_member(f, &h, g->members.v[k]);
        for (size_t k = 0; k < g->resumes.n; k++) {
            int64_t after = break_operators(g->resumes.v[k]);

            h.after = after > h.after ? after : h.after;
        }
        h.most = g->members.n > h.most ? g->members.n : h.most;
        h.cost_us = us > h.cost_us ? us : h.cost_us;
    }
    return h;
}

enum finding_severity break_severity(const struct break_cost *h, enum break_weight weight)
{
    int64_t middle = h->before < h->after ? h->before : h->after, ops = add_bounded(h->before, h->after);

    if (weight == BREAK_IS_KNOWN)
        return FINDING_INFO;
    if (h->nothing_compiled)
        return FINDING_CRITICAL;
    if (weight == BREAK_IS_HIGH)
        return FINDING_HIGH;
    if (weight == BREAK_IS_LOW)
        return FINDING_LOW;
    if (h->cost_us >= 30 * 1000000ll || middle >= 10 || (h->most >= 5 && ops > 0))
        return FINDING_HIGH;
    return h->cost_us >= 3 * 1000000ll || middle >= 1 || ops >= 20 || h->given_up || h->most >= 5 ? FINDING_MEDIUM
                                                                                                  : FINDING_LOW;
}
