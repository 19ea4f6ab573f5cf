/* Findings about graph breaks: one per place, on all ranks, with the fix that fits its type. */
#include "analysis/break_fix.h"
#include "analysis/find.h"

#include "util/map.h"
#include "util/number.h"
#include "util/utf8.h"

#include <stdlib.h>

/* --- what a break costs ------------------------------------------------------------------------------------------- */

/* Where in the function it is, and what it costs: over all compiles that met it. */
struct harm {
    int64_t before,
        after;       /* operators in the graph that it ends, and in that of the resume function; the most of any */
    int64_t cost_us; /* on the rank that it cost most: tracing that was thrown away, and compiling resume functions */
    size_t most;     /* compiles that met it, on one rank: the same on every rank is not worse */
    bool given_up;   /* for a break here, Dynamo left the whole function to Python */
};

static int64_t operators_of(const struct compile *c)
{
    int64_t ops;

    return metrics_i64(compile_metrics(c, METRICS_FORWARD), "graph_op_count", &ops) && ops > 0 ? ops : 0;
}

static int64_t restart_us(const struct compile *c)
{
    const struct metrics *m = compile_metrics(c, METRICS_FORWARD);
    const struct metric *old = metrics_get(m, "dynamo_time_before_restart_s");
    int64_t us;

    if (metrics_i64(m, "dynamo_compile_time_before_restart_us", &us) && us > 0)
        return us;
    return old && old->type == METRIC_DOUBLE && old->d > 0 && old->d < 1e6 ? (int64_t)(old->d * 1e6) : 0;
}

static void add_member(struct harm *h, const struct graph_break *b)
{
    const struct compile *c = b->compile;

    h->given_up |= b->skips;
    h->before = operators_of(c) > h->before ? operators_of(c) : h->before;
    for (size_t i = 0; i < c->failures.n; i++)
        h->given_up |= c->failures.v[i]->fallback && !c->limit_hit;
}

/* Of several breaks of one compile each has thrown a part of the tracing away: the record has the sum. */
static int64_t restart_share_us(const struct compile *c)
{
    return restart_us(c) / (int64_t)(c->breaks.n ? c->breaks.n : 1);
}

/*
 * What Dynamo does for a resume function beside calling the backend: tracing, guards. The backend would have compiled
 * the operators behind the break without it, too, in one graph with those before.
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

static void cost_member(struct finder *f, struct finding *x, const struct graph_break *b)
{
    const struct compile *c = b->compile;
    int64_t start, duration, share = restart_share_us(c);
    size_t nth = 0;

    while (nth < c->breaks.n && c->breaks.v[nth] != b)
        nth++;
    if (compile_interval(c, &start, &duration))
        finding_cost_time(f, x, c->process, add_bounded(start, share * (int64_t)nth), share);
    finding_cost_breaks(f, x, c->process, 1);
}

static void cost_resume(struct finder *f, struct finding *x, const struct compile *c)
{
    int64_t start, duration;

    if (compile_interval(c, &start, &duration))
        finding_cost_time(f, x, c->process, start, resume_us(c));
    finding_cost_compiles(f, x, c->process, 1);
}

static void cost_place(struct finder *f, struct finding *x, const struct break_place *p)
{
    for (size_t i = 0; i < p->groups.n; i++) {
        for (size_t k = 0; k < p->groups.v[i]->members.n; k++)
            cost_member(f, x, p->groups.v[i]->members.v[k]);
        for (size_t k = 0; k < p->groups.v[i]->resumes.n; k++)
            cost_resume(f, x, p->groups.v[i]->resumes.v[k]);
    }
}

static struct harm harm_of(const struct break_place *p)
{
    struct harm h = {0};

    for (size_t i = 0; i < p->groups.n; i++) {
        const struct break_group *g = p->groups.v[i];

        for (size_t k = 0; k < g->members.n; k++)
            add_member(&h, g->members.v[k]);
        for (size_t k = 0; k < g->resumes.n; k++)
            h.after = operators_of(g->resumes.v[k]) > h.after ? operators_of(g->resumes.v[k]) : h.after;
        h.most = g->members.n > h.most ? g->members.n : h.most;
        h.cost_us = group_us(g) > h.cost_us ? group_us(g) : h.cost_us;
    }
    return h;
}

/* What comes before and after a break cannot be fused across it: one in the middle of a model costs at every call. */
static enum finding_severity severity_of(const struct harm *h)
{
    int64_t middle = h->before < h->after ? h->before : h->after, ops = add_bounded(h->before, h->after);

    if (h->cost_us >= 30 * 1000000ll || middle >= 10 || (h->most >= 5 && ops > 0))
        return FINDING_HIGH;
    return h->cost_us >= 3 * 1000000ll || middle >= 1 || ops >= 20 || h->given_up || h->most >= 5 ? FINDING_MEDIUM
                                                                                                  : FINDING_LOW;
}

/* --- what is said of it ------------------------------------------------------------------------------------------- */

/* 2.4 and earlier tell of a break by the function that goes on after it, or in one restart reason. */
static bool is_untold(const struct graph_break *b)
{
    return b->origin == BREAK_FROM_RESUME;
}

/* Where it is, unless that is the user's line, which stands below the title. */
static struct str inside(struct finder *f, const struct break_place *p)
{
    const struct graph_break *b = p->first->sample;

    if (b->line == 0 && b->function.n)
        return arena_printf(f->arena, " in `%.*s`", STR_ARG(b->function));
    if (!p->first->own || b->file.n == 0)
        return (struct str){0};
    return arena_printf(f->arena, " inside `%.*s:%lld`", STR_ARG(code_file_name(b->file)), (long long)b->line);
}

/*
 * Types of 2.5 go on with what the title needs not: "builtin: print [<class 'torch._dynamo.variables...'>] False",
 * "dynamic shape operator: aten.nonzero.default; to enable, set ...".
 */
static struct str short_type(struct finder *f, const struct graph_break *b)
{
    static const struct str ends[] = {STR_INIT(" [<class "), STR_INIT("; to enable, ")};
    struct str type = b->type, cut;

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        ptrdiff_t at = str_find(type, ends[i]);

        type = at > 0 ? str_take(type, (size_t)at) : type;
    }
    cut = utf8_cut(type, 120);
    return cut.n == type.n ? type : arena_printf(f->arena, "%.*s \xe2\x80\xa6", STR_ARG(cut));
}

/* "function marked as skipped" does not say which: its context does, "module: zlib, qualname: crc32, skip reason: ...".
 */
static struct str skipped_function(struct finder *f, const struct graph_break *b)
{
    struct str module, name;

    if (!str_between(b->context, STR("module: "), STR(", qualname: "), &module) ||
        !str_between(b->context, STR("qualname: "), STR(", "), &name) || module.n + name.n > 120 ||
        str_chr(b->context, '`') >= 0)
        return (struct str){0};
    if (str_starts(module, STR("<")))
        return arena_printf(f->arena, " `%.*s`", STR_ARG(name));
    return arena_printf(f->arena, " `%.*s.%.*s`", STR_ARG(module), STR_ARG(name));
}

static struct str title_of(struct finder *f, const struct break_place *p)
{
    const struct graph_break *b = p->first->sample;
    struct str times = {0}, where = inside(f, p), function;

    if (p->met > 1)
        times = arena_printf(f->arena, ", met by %llu compiles", (unsigned long long)p->met);
    if (is_untold(b))
        return arena_printf(f->arena, "Graph break%.*s%.*s; the trace does not say why%s", STR_ARG(where),
                            STR_ARG(times), b->line ? "" : " or where");
    function = skipped_function(f, b);
    return arena_printf(f->arena, "Graph break%.*s: %.*s%.*s%.*s", STR_ARG(where), STR_ARG(short_type(f, b)),
                        STR_ARG(function), STR_ARG(times));
}

static struct str operators(struct finder *f, int64_t n)
{
    return arena_printf(f->arena, "%lld operator%s", (long long)n, n == 1 ? "" : "s");
}

static struct str position(struct finder *f, const struct harm *h)
{
    struct str before = operators(f, h->before), after = operators(f, h->after);

    if (h->given_up)
        return STR("The function cannot be resumed there: all of it runs eagerly.");
    if (h->before == 0 && h->after == 0)
        return (struct str){0};
    return arena_printf(f->arena, "%.*s before it, %.*s after it.", STR_ARG(before), STR_ARG(after));
}

/* Sentences of PyTorch end as they like. */
static struct str sentence(struct finder *f, struct str s)
{
    s = str_trim(s);
    return s.n == 0 || str_ends(s, STR(".")) ? s : arena_printf(f->arena, "%.*s.", STR_ARG(s));
}

static void set_detail(struct finder *f, struct finding *x, const struct break_place *p, const struct harm *h)
{
    struct str explanation = sentence(f, p->first->sample->explanation), where = position(f, h);

    x->detail =
        arena_printf(f->arena, "%.*s%s%.*s", STR_ARG(explanation), explanation.n && where.n ? " " : "", STR_ARG(where));
}

static void set_fix(struct finding *x, const struct break_place *p, const struct break_fix *fix)
{
    const struct graph_break *b = p->first->sample;

    if (b->url.n)
        x->doc = b->url;
    if (is_framework_file(b->file) && str_has(b->type, STR("torch._dynamo.graph_break"))) {
        x->fix = STR("PyTorch itself breaks the graph there, on purpose. Compile what lies around the call instead of "
                     "the call.");
    } else if (p->first->own && is_framework_file(b->file)) {
        x->fix = STR("The code that stops the graph is not yours, but what your line calls. Compile what lies around "
                     "the call instead of the call, or accept the break.");
    } else if (is_untold(b)) {
        x->fix = STR("PyTorch 2.6 and later record the reason; with earlier ones the log tells it.");
        finding_paste(x, PASTE_ENVIRONMENT, STR("TORCH_LOGS=\"graph_breaks\""));
    } else {
        x->fix = fix->fix;
        finding_paste(x, str_starts(fix->paste, STR("torch._dynamo.config.")) ? PASTE_SETTING : PASTE_PATTERN,
                      fix->paste);
    }
    if (x->fix.n == 0)
        x->fix = b->hints.n ? b->hints.v[0] : STR("Move the line out of the compiled function, or rewrite it.");
}

static void set_place(struct finding *x, const struct break_place *p)
{
    const struct graph_break *b = p->first->sample;

    if (p->first->own) {
        finding_place(x, p->first->own);
        return;
    }
    x->file = b->file;
    x->line = b->line;
    x->source = p->first->source;
}

static void add_place(struct finder *f, const struct break_place *p, const struct break_fix *fix)
{
    struct harm h = harm_of(p);
    struct finding *x = finding_add(f, fix->id, severity_of(&h));

    x->title = title_of(f, p);
    cost_place(f, x, p);
    set_place(x, p);
    set_detail(f, x, p, &h);
    set_fix(x, p, fix);
    for (size_t i = 0; i < p->groups.n; i++)
        for (size_t k = 0; k < p->groups.v[i]->members.n; k++)
            finding_evidence(f, x, p->groups.v[i]->members.v[k]->compile);
}

/* --- which are told ----------------------------------------------------------------------------------------------- */

/* Of one kind, so many places are told one by one; the rest is one finding, and the section lists them all. */
enum { PLACES_MAX = 6 };

struct kind {
    struct break_fix fix; /* of the first */
    size_t told;
    struct finding *rest;
    size_t places; /* in the rest */
};

static void add_rest(struct finder *f, struct kind *kind, const struct break_place *p)
{
    struct harm h = harm_of(p);
    enum finding_severity severity = severity_of(&h);
    struct finding *x = kind->rest;

    if (!x) {
        kind->rest = x = finding_add(f, kind->fix.id, severity);
        x->fix = STR("The section on graph breaks lists all of them.");
    }
    kind->places++;
    x->severity = severity < x->severity ? severity : x->severity;
    x->title = arena_printf(f->arena, "Graph breaks of this kind at %zu more place%s: %.*s", kind->places,
                            kind->places == 1 ? "" : "s", STR_ARG(short_type(f, p->first->sample)));
    cost_place(f, x, p);
    finding_evidence(f, x, p->first->sample->compile);
}

/* The worst first, then in the order of the section. */
struct ranked {
    const struct break_place *place;
    enum finding_severity severity;
    size_t at;
};

static int by_severity(const void *pa, const void *pb)
{
    const struct ranked *a = pa, *b = pb;

    if (a->severity != b->severity)
        return a->severity < b->severity ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

static struct ranked *rank_places(struct finder *f, const struct break_groups *breaks)
{
    size_t n = breaks->places.n;
    struct ranked *ranked = ARENA_ARRAY(f->arena, struct ranked, n ? n : 1);

    for (size_t i = 0; i < n; i++) {
        struct harm h = harm_of(breaks->places.v[i]);

        ranked[i] = (struct ranked){breaks->places.v[i], severity_of(&h), i};
    }
    qsort(ranked, n, sizeof *ranked, by_severity);
    return ranked;
}

static void find_fix(struct finder *f, const struct break_place *p, struct break_fix *out)
{
    const struct graph_break *b = p->first->sample;
    struct str source = p->first->own ? p->first->own->source : p->first->source;

    break_fix_find(f->arena, &(struct break_words){b->type, b->reason, b->context, source, b->file}, out);
    if (is_untold(b))
        *out = (struct break_fix){.id = "break-unknown"};
}

void find_graph_breaks(struct finder *f)
{
    const struct break_groups *breaks = &f->answers->breaks;
    const struct ranked *ranked = rank_places(f, breaks);
    struct map kinds;

    map_init(&kinds, f->arena);
    for (size_t i = 0; i < breaks->places.n; i++) {
        const struct break_place *p = ranked[i].place;
        struct break_fix fix;
        struct kind *kind;
        void **slot;

        find_fix(f, p, &fix);
        slot = map_at(&kinds, str_of(fix.id));
        if (!*slot)
            *slot = ARENA_NEW(f->arena, struct kind);
        kind = *slot;
        kind->fix = fix;
        if (kind->told++ < PLACES_MAX)
            add_place(f, p, &fix);
        else
            add_rest(f, kind, p);
    }
}
