/* Findings about graph breaks: one per place, on all ranks, with the fix that fits its type. */
#include "analysis/find.h"

#include "util/map.h"
#include "util/utf8.h"

#define DOC "https://docs.pytorch.org/docs/stable/compile/programming_model.graph_breaks_index.html"

/* How a break is fixed goes by its type: by words that its message has in any version. The first row that fits. */
static const struct pattern {
    const char *words; /* in the type, or (with `anywhere`) in the whole message */
    bool anywhere;
    const char *fix, *paste;
} patterns[] = {
    {"torch._dynamo.graph_break", true, "The code asks for this break. Remove the call if it is a left-over.", NULL},
    {"builtin: print", true, "Printing stops the graph. Remove it, or print only outside the compiler.",
     "if not torch.compiler.is_compiling(): print(...)"},
    {"builtin operator", false,
     "A Python builtin that Dynamo cannot trace with these arguments. If it is `print` or a debugging aid, "
     "keep it out of compiled code; else move it before or after the compiled function.",
     "if not torch.compiler.is_compiling(): ..."},
    {"logging.Logger", true,
     "Logging stops the graph. Log outside the compiled function, or let Dynamo skip these calls.",
     "torch._dynamo.config.ignore_logger_methods.add(logging.Logger.info)"},
    {"Logger not supported", true, "Logging stops the graph. Log outside the compiled function.",
     "if not torch.compiler.is_compiling(): ..."},
    {"Data-dependent branching", false,
     "A branch on a tensor's value cannot be in one graph. Compute both sides and choose, or use a "
     "compiled branch.",
     "torch.where(cond, a, b)   # or torch.cond(pred, f, g, (x,))"},
    {"generic_jump", true, "A branch on a tensor's value cannot be in one graph. Compute both sides and choose.",
     "torch.where(cond, a, b)   # or torch.cond(pred, f, g, (x,))"},
    {"Data-dependent assertion", false, "An assert on a tensor's value. Let the runtime check it.",
     "torch._assert_async(cond)"},
    {".item()", true,
     "Reading a tensor's value into Python leaves the graph. Keep it a tensor, or let Dynamo capture it.",
     "torch._dynamo.config.capture_scalar_outputs = True"},
    {"Tensor.item", true,
     "Reading a tensor's value into Python leaves the graph. Keep it a tensor, or let Dynamo capture it.",
     "torch._dynamo.config.capture_scalar_outputs = True"},
    {"tolist", true,
     "Reading a tensor's values into Python leaves the graph. Keep them in tensors, or let Dynamo capture integers.",
     "torch._dynamo.config.capture_scalar_outputs = True"},
    {"ynamic shape operator", true,
     "The size of the result depends on data. Let Dynamo capture such operators, or use a mask of fixed size.",
     "torch._dynamo.config.capture_dynamic_output_shape_ops = True"},
    {"ata dependent operator", true, "The operator returns a Python value that depends on data. Keep it a tensor.",
     "torch._dynamo.config.capture_scalar_outputs = True"},
    {"compiler.disable", true,
     "The function is kept out of the compiler on purpose. If it need not be, remove the decorator; else "
     "call it outside hot code.",
     NULL},
    {"_dynamo.disable", true,
     "The function is kept out of the compiler on purpose. If it need not be, remove the decorator.", NULL},
    {"marked as skipped", true,
     "Dynamo does not trace into this function (a C extension or a skipped module). Move the call out, or make "
     "it an operator that the compiler knows.",
     "@torch.library.custom_op(\"mylib::f\", mutates_args=())"},
    {"skip function", true,
     "Dynamo does not trace into this function. Move the call out of the compiled function, or make it a custom "
     "operator.",
     "@torch.library.custom_op(\"mylib::f\", mutates_args=())"},
    {"backward()", true,
     "The backward call is not traced. Compile the forward and the loss, and call backward outside.", NULL},
    {"requires_grad", true,
     "Gradient flags are changed inside the graph. Set requires_grad before the compiled function.", NULL},
    {"in-place", true, "An in-place change that the graph cannot express. Use the out-of-place form.", NULL},
    {"context manager", true,
     "This context manager is not supported inside the graph. Enter it around the compiled function.", NULL},
    {"generator", true, "Dynamo cannot trace this generator. Use a list.", NULL},
};

static const struct pattern *pattern_of(const struct graph_break *b)
{
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        if (str_has(patterns[i].anywhere ? b->reason : b->type, str_of(patterns[i].words)))
            return &patterns[i];
    return NULL;
}

/* The same break on all ranks that met it. */
struct place {
    const struct break_group *first;
    VEC(const struct break_group *) groups;
    uint64_t met; /* compiles */
};

struct places {
    struct map by_key;
    VEC(struct place *) list; /* in the order of the groups: the most met first */
};

static void collect_places(struct finder *f, struct places *out)
{
    const struct break_groups *groups = &f->answers->breaks;

    map_init(&out->by_key, f->arena);
    for (size_t i = 0; i < groups->list.n; i++) {
        const struct break_group *g = groups->list.v[i];
        const struct graph_break *b = g->sample;
        void **slot = map_at(&out->by_key, arena_printf(f->arena, "%lld %.*s\n%.*s", (long long)b->line,
                                                        STR_ARG(b->file), STR_ARG(b->type)));
        struct place *p = *slot;

        if (!p) {
            *slot = p = ARENA_NEW(f->arena, struct place);
            p->first = g;
            vec_push(f->arena, &out->list, p);
        }
        vec_push(f->arena, &p->groups, g);
        p->met += g->members.n;
    }
}

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

static enum finding_severity severity_of(const struct place *p)
{
    int64_t ops = operators_around(p->first);

    if (p->first->members.n >= 5 || ops >= 20)
        return FINDING_HIGH;
    return ops > 0 || p->first->members.n > 1 ? FINDING_MEDIUM : FINDING_LOW;
}

static struct str last_part(struct str path)
{
    ptrdiff_t slash = str_rchr(path, '/');

    return str_skip(path, (size_t)(slash + 1));
}

static struct str title_of(struct finder *f, const struct place *p)
{
    const struct graph_break *b = p->first->sample;
    struct str type = utf8_cut(b->type, 120), times = {0};

    if (p->met > 1)
        times = arena_printf(f->arena, ", met by %llu compiles", (unsigned long long)p->met);
    if (b->file.n == 0)
        return arena_printf(f->arena, "Graph break: %.*s%.*s", STR_ARG(type), STR_ARG(times));
    return arena_printf(f->arena, "Graph break at `%.*s:%lld`: %.*s%.*s", STR_ARG(last_part(b->file)),
                        (long long)b->line, STR_ARG(type), STR_ARG(times));
}

static void set_fix(struct finding *x, const struct graph_break *b)
{
    const struct pattern *p = pattern_of(b);

    if (is_framework_file(b->file) && str_has(b->type, STR("torch._dynamo.graph_break"))) {
        x->fix = STR("PyTorch itself breaks the graph there, on purpose. Compile what lies around the call instead of "
                     "the call.");
        return;
    }
    x->fix = p            ? str_of(p->fix)
             : b->hints.n ? b->hints.v[0]
                          : STR("Move the line out of the compiled function, or rewrite it.");
    if (p && p->paste)
        x->paste = str_of(p->paste);
    x->doc = b->url.n ? b->url : STR(DOC);
}

static void add_place(struct finder *f, const struct place *p)
{
    const struct graph_break *b = p->first->sample;
    struct finding *x = finding_add(f, "graph-break", severity_of(p));

    x->title = title_of(f, p);
    x->detail = b->explanation;
    x->cost_breaks = p->met;
    if (p->first->own) {
        finding_place(x, p->first->own);
    } else {
        x->file = b->file;
        x->line = b->line;
        x->source = p->first->source;
    }
    set_fix(x, b);
    for (size_t i = 0; i < p->groups.n; i++)
        for (size_t k = 0; k < p->groups.v[i]->members.n; k++)
            finding_evidence(f, x, p->groups.v[i]->members.v[k]->compile);
}

/* Beyond this many places the rest is one finding: the section lists them all. */
enum { PLACES_MAX = 12 };

void find_graph_breaks(struct finder *f)
{
    struct places places = {0};
    struct finding *x;

    collect_places(f, &places);
    for (size_t i = 0; i < places.list.n && i < PLACES_MAX; i++)
        add_place(f, places.list.v[i]);
    if (places.list.n <= PLACES_MAX)
        return;
    x = finding_add(f, "graph-break", FINDING_MEDIUM);
    x->title = arena_printf(f->arena, "Graph breaks at %zu more place%s", places.list.n - PLACES_MAX,
                            places.list.n - PLACES_MAX == 1 ? "" : "s");
    x->fix = STR("The section on graph breaks lists all of them.");
    for (size_t i = PLACES_MAX; i < places.list.n; i++)
        x->cost_breaks += places.list.v[i]->met;
}
