/* Findings about graph breaks: one per place, on all ranks, with the fix that fits its type. */
#include "analysis/break_fix.h"
#include "analysis/find.h"

#include "util/utf8.h"

#define DOC "https://docs.pytorch.org/docs/stable/compile/programming_model.graph_breaks_index.html"

static int64_t operators_of(const struct compile *c)
{
    int64_t ops;

    return metrics_i64(compile_metrics(c, METRICS_FORWARD), "graph_op_count", &ops) ? ops : 0;
}

/* The number of operators in the graphs of the compiles that met it: a break without any around it costs little. */
static int64_t operators_around(const struct break_group *g)
{
    int64_t most = 0;

    for (size_t i = 0; i < g->members.n; i++)
        if (operators_of(g->members.v[i]->compile) > most)
            most = operators_of(g->members.v[i]->compile);
    for (size_t i = 0; i < g->resumes.n; i++)
        if (operators_of(g->resumes.v[i]) > most)
            most = operators_of(g->resumes.v[i]);
    return most;
}

static enum finding_severity severity_of(const struct break_place *p)
{
    int64_t ops = 0;
    size_t most = 0; /* on one rank: the same on every rank is not worse */

    for (size_t i = 0; i < p->groups.n; i++) {
        int64_t here = operators_around(p->groups.v[i]);

        ops = here > ops ? here : ops;
        most = p->groups.v[i]->members.n > most ? p->groups.v[i]->members.n : most;
    }
    if (most >= 5 || ops >= 20)
        return FINDING_HIGH;
    return ops > 0 || most > 1 ? FINDING_MEDIUM : FINDING_LOW;
}

static struct str last_part(struct str path)
{
    ptrdiff_t slash = str_rchr(path, '/');

    return str_skip(path, (size_t)(slash + 1));
}

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
    return arena_printf(f->arena, " inside `%.*s:%lld`", STR_ARG(last_part(b->file)), (long long)b->line);
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

static struct str title_of(struct finder *f, const struct break_place *p)
{
    const struct graph_break *b = p->first->sample;
    struct str times = {0}, where = inside(f, p);

    if (p->met > 1)
        times = arena_printf(f->arena, ", met by %llu compiles", (unsigned long long)p->met);
    if (is_untold(b))
        return arena_printf(f->arena, "Graph break%.*s%.*s; the trace does not say why%s", STR_ARG(where),
                            STR_ARG(times), b->line ? "" : " or where");
    return arena_printf(f->arena, "Graph break%.*s: %.*s%.*s", STR_ARG(where), STR_ARG(short_type(f, b)),
                        STR_ARG(times));
}

static void set_fix(struct finding *x, const struct break_place *p)
{
    const struct graph_break *b = p->first->sample;

    if (is_framework_file(b->file) && str_has(b->type, STR("torch._dynamo.graph_break"))) {
        x->fix = STR("PyTorch itself breaks the graph there, on purpose. Compile what lies around the call instead of "
                     "the call.");
        return;
    }
    if (p->first->own && is_framework_file(b->file)) {
        x->detail = b->explanation;
        x->fix = STR("The code that stops the graph is not yours, but what your line calls. Compile what lies around "
                     "the call instead of the call, or accept the break.");
        return;
    }
    x->detail = b->explanation;
    x->doc = b->url.n ? b->url : STR(DOC);
    if (is_untold(b)) {
        x->fix = STR("PyTorch 2.6 and later record the reason; with earlier ones the log tells it.");
        x->paste = STR("TORCH_LOGS=\"graph_breaks\"");
    } else if (!break_fix_find(b->type, b->reason, &x->fix, &x->paste)) {
        x->fix = b->hints.n ? b->hints.v[0] : STR("Move the line out of the compiled function, or rewrite it.");
    }
}

static void add_place(struct finder *f, const struct break_place *p)
{
    const struct graph_break *b = p->first->sample;
    struct finding *x = finding_add(f, "graph-break", severity_of(p));

    x->title = title_of(f, p);
    x->cost_breaks = p->met;
    if (p->first->own) {
        finding_place(x, p->first->own);
    } else {
        x->file = b->file;
        x->line = b->line;
        x->source = p->first->source;
    }
    set_fix(x, p);
    for (size_t i = 0; i < p->groups.n; i++)
        for (size_t k = 0; k < p->groups.v[i]->members.n; k++)
            finding_evidence(f, x, p->groups.v[i]->members.v[k]->compile);
}

/* Beyond this many places the rest is one finding: the section lists them all. */
enum { PLACES_MAX = 12 };

void find_graph_breaks(struct finder *f)
{
    const struct break_groups *breaks = &f->answers->breaks;
    size_t n = breaks->places.n;
    enum finding_severity worst = FINDING_LOW;
    struct finding *x;

    for (size_t i = 0; i < n && i < PLACES_MAX; i++)
        add_place(f, breaks->places.v[i]);
    if (n <= PLACES_MAX)
        return;
    for (size_t i = PLACES_MAX; i < n; i++)
        worst = severity_of(breaks->places.v[i]) < worst ? severity_of(breaks->places.v[i]) : worst;
    x = finding_add(f, "graph-break", worst);
    x->title = arena_printf(f->arena, "Graph breaks at %zu more place%s", n - PLACES_MAX,
                            n - PLACES_MAX == 1 ? "" : "s");
    x->fix = STR("The section on graph breaks lists all of them.");
    for (size_t i = PLACES_MAX; i < n; i++)
        x->cost_breaks += breaks->places.v[i]->met;
}
