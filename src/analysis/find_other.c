/* Findings that need a few lines each. */
#include "analysis/find.h"

#include "util/map.h"

/* --- a compile without an end ------------------------------------------------------------------------------------- */

/* What the process was doing when its records stop: the innermost event without an end. */
static struct str last_activity(const struct process *p, const struct compile *c)
{
    struct str name = {0};

    vec_each(const struct event, e, &p->events) if (e->compile == c && (e->flags & EVENT_UNFINISHED))
        name = e->name;
    return name;
}

static void add_incomplete(struct finder *f, const struct compile *c)
{
    struct finding *x = finding_add(f, "incomplete", FINDING_HIGH);
    struct str doing = last_activity(c->process, c);

    x->title =
        arena_printf(f->arena, "The trace ends while %.*s was being compiled", STR_ARG(finding_compile_name(f, c)));
    if (doing.n)
        x->detail = arena_printf(f->arena, "The last thing it was doing is `%.*s`.", STR_ARG(doing));
    x->fix = STR(
        "The process was killed, crashed or hung there, or the trace was copied while it ran. Look at what the process "
        "printed last, and at the other ranks.");
    finding_place(x, stack_user_call(c->stack));
    finding_evidence(f, x, c);
}

/*
 * Whether the end of a compile would be told: PyTorch 2.4 and earlier write nothing at all when a frame is skipped, so
 * there a missing end says nothing. Only the last compile of a process can still be going on; after any other the
 * process went on to the next.
 */
static bool tells_ends(const struct process *p, const struct compile *c)
{
    for (size_t i = 0; i < p->compiles.n; i++)
        if (p->compiles.v[i]->metrics.n)
            return true;
    return last_activity(p, c).n > 0;
}

void find_incomplete(struct finder *f)
{
    for (size_t i = 0; i < f->run->processes.n; i++) {
        const struct process *p = f->run->processes.v[i];
        const struct compile *c = p->compiles.n ? p->compiles.v[p->compiles.n - 1] : NULL;

        /* What we could not read may well tell of the end. */
        if (c && c->status == STATUS_INCOMPLETE && tells_ends(p, c) && p->input->failure.n == 0)
            add_incomplete(f, c);
    }
}

/* --- settings ----------------------------------------------------------------------------------------------------- */

void find_suppressed_errors(struct finder *f)
{
    struct finding *x = NULL;
    const struct compile *c;

    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));) {
        const struct metric *m = metrics_get(compile_metrics(c, METRICS_FORWARD), "config_suppress_errors");

        if (!m || m->type != METRIC_BOOL || !m->b)
            continue;
        if (!x)
            x = finding_add(f, "suppressed-errors", FINDING_MEDIUM);
        finding_evidence(f, x, c);
    }
    if (!x)
        return;
    x->title = STR("Errors are suppressed: what fails to compile runs eagerly without a word");
    x->fix = STR(
        "Switch it off while looking for a problem. The environment variable counts when it is set at all, even to 0.");
    x->paste = STR("torch._dynamo.config.suppress_errors = False   # and unset TORCHDYNAMO_SUPPRESS_ERRORS");
}

/* --- caches ------------------------------------------------------------------------------------------------------- */

/* One reason, which may concern several caches. */
struct bypass {
    struct finding *finding;
    struct str reason;
    const struct compile *last; /* counted */
    bool layers[CACHE_LAYERS];
};

static void add_bypass(struct finder *f, struct map *seen, const struct cache_event *e)
{
    struct str reason = e->reason, line = str_trim(str_split(&reason, '\n'));
    void **slot = map_at(seen, line);
    struct bypass *b = *slot;

    if (!b) {
        *slot = b = ARENA_NEW(f->arena, struct bypass);
        b->finding = finding_add(f, "cache-bypass", FINDING_LOW);
        b->reason = line.n ? line : STR("no reason given");
        b->finding->fix = STR(
            "These graphs are compiled anew in every process. If start-up time matters, avoid what the reason names.");
    }
    /* One compile may tell it of several caches. */
    if (b->last != e->compile)
        b->finding->cost_compiles++;
    b->last = e->compile;
    b->layers[e->layer] = true;
    finding_evidence(f, b->finding, e->compile);
}

static void name_bypass(struct finder *f, const struct bypass *b)
{
    static const char *const names[CACHE_LAYERS] = {
        [CACHE_PGO] = "PGO",           [CACHE_PRECOMPILE] = "precompile", [CACHE_AOTAUTOGRAD] = "AOTAutograd",
        [CACHE_FX_GRAPH] = "FX graph", [CACHE_TRITON] = "Triton",
    };
    struct str list = {"", 0};
    unsigned n = 0;

    for (int i = 0; i < CACHE_LAYERS; i++)
        if (b->layers[i])
            list = arena_printf(f->arena, "%.*s%s%s", STR_ARG(list), n++ ? " and " : "", names[i]);
    b->finding->title = arena_printf(f->arena, "The %.*s cache%s bypassed: %.*s", STR_ARG(list),
                                     n > 1 ? "s were" : " was", STR_ARG(b->reason));
}

void find_cache_bypass(struct finder *f)
{
    const struct compile *c;
    struct map seen;

    map_init(&seen, f->arena);
    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));)
        vec_each(const struct cache_event, e, &c->cache_events) if (e->outcome == CACHE_BYPASS) add_bypass(f, &seen, e);
    for (size_t i = 0; i < seen.n; i++)
        name_bypass(f, seen.entries[i].value);
}

/* --- shapes ------------------------------------------------------------------------------------------------------- */

static void add_specialization(struct finder *f, struct map *seen, const struct compile *c,
                               const struct specialization *s)
{
    const struct call *own = stack_user_call(s->user_stack);
    void **slot = map_at(seen, arena_printf(f->arena, "%.*s %.*s %lld %.*s", STR_ARG(s->source), STR_ARG(s->value),
                                            own ? (long long)own->line : 0, STR_ARG(own ? own->file : STR(""))));
    struct finding *x = *slot;

    if (!x) {
        *slot = x = finding_add(f, "specialization", FINDING_LOW);
        x->title = arena_printf(f->arena, "A dynamic size became a constant: `%.*s` is fixed to %.*s",
                                STR_ARG(s->source.n ? s->source : s->symbol), STR_ARG(s->value));
        x->detail = STR("Another size means another compile.");
        x->fix = own ? STR("Look at the line: comparing the size with a constant, indexing with it or passing it to "
                           "code that needs a number fixes it.")
                     : STR("Comparing the size with a constant, indexing with it or passing it to code that needs a "
                           "number fixes it. The log tells where.");
        x->paste = own ? (struct str){0} : STR("TORCH_LOGS=\"+dynamic\"");
        finding_place(x, own);
    }
    finding_evidence(f, x, c);
}

/* Of a graph that compiled autograd made, say: nothing for the user to change. */
static bool is_of_generated_code(const struct compile *c, const struct specialization *s)
{
    const struct call *own = stack_user_call(s->user_stack);

    return c->id.autograd != ID_NONE || (own && is_framework_file(own->file));
}

void find_specialization(struct finder *f)
{
    const struct compile *c;
    struct map seen;

    map_init(&seen, f->arena);
    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));)
        vec_each(const struct specialization, s, &c->specializations) if (!is_of_generated_code(c, s))
            add_specialization(f, &seen, c, s);
}

static const char *const export_titles[] = {
    [EXPORT_MISSING_FAKE_KERNEL] = "Export: the operator `%.*s` has no fake kernel%.*s",
    [EXPORT_MISMATCHED_FAKE_KERNEL] = "Export: the fake kernel of `%.*s` disagrees with the real one: %.*s",
    [EXPORT_DATA_DEPENDENT] = "Export: the outcome depends on data%.*s: `%.*s`",
    [EXPORT_PROPAGATED] = "Export: a value was taken from the example inputs%.*s: `%.*s`",
    [EXPORT_GUARD] = "Export: the program only holds for inputs with%.*s `%.*s`",
};

static const char *const export_fixes[] = {
    [EXPORT_MISSING_FAKE_KERNEL] = "Register one, which says the shape and dtype of the result.",
    [EXPORT_MISMATCHED_FAKE_KERNEL] = "Make the fake kernel return what the operator returns: sizes, strides, dtype.",
    [EXPORT_DATA_DEPENDENT] = "State what holds with torch._check(...), or use torch.where / torch.cond.",
    [EXPORT_PROPAGATED] =
        "The exported program is only right for inputs with the same value. State it with torch._check(...).",
    [EXPORT_GUARD] = "The line decides on a size that was to be dynamic. Rewrite it, or make the size static.",
};

/* "dexp.foo.default" -> register_fake("dexp::foo"). */
static struct str fake_kernel(struct finder *f, struct str op)
{
    struct str space = str_split(&op, '.'), name = str_split(&op, '.');

    if (name.n == 0)
        return (struct str){0};
    return arena_printf(f->arena, "@torch.library.register_fake(\"%.*s::%.*s\")", STR_ARG(space), STR_ARG(name));
}

static void add_export_issue(struct finder *f, struct map *seen, const struct compile *c, const struct export_issue *e)
{
    void **slot = map_at(seen, arena_printf(f->arena, "%d %.*s %.*s", (int)e->kind, STR_ARG(e->op), STR_ARG(e->text)));
    struct finding *x = *slot;

    if (x)
        return;
    *slot = x = finding_add(f, "export", FINDING_HIGH);
    x->title = arena_printf(f->arena, export_titles[e->kind], STR_ARG(e->op), STR_ARG(e->text));
    if (e->symbols.n)
        x->detail = arena_printf(f->arena, "Here `%.*s`.", STR_ARG(e->symbols));
    x->fix = str_of(export_fixes[e->kind]);
    if (e->kind == EXPORT_MISSING_FAKE_KERNEL)
        x->paste = fake_kernel(f, e->op);
    finding_place(x, stack_user_call(e->user_stack));
    finding_evidence(f, x, c);
}

void find_export_issues(struct finder *f)
{
    const struct compile *c;
    struct map seen;

    map_init(&seen, f->arena);
    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));)
        vec_each(const struct export_issue, e, &c->export_issues) add_export_issue(f, &seen, c, e);
}

/* --- time --------------------------------------------------------------------------------------------------------- */

static const char *const phase_advice[PHASE_COUNT] = {
    [PHASE_DYNAMO] = "Long tracing comes from very large functions, deep loops that are unrolled, and recompiles.",
    [PHASE_COMPILER] =
        "Compilers run for every kernel: fewer, larger graphs, more compile threads and a warm cache help.",
    [PHASE_AUTOTUNE] = "Autotuning tries many kernels: mode=\"default\" instead of max-autotune, or a warm cache.",
    [PHASE_INDUCTOR] = "Code generation grows with the graph: compile repeated blocks once, or keep the cache warm.",
    [PHASE_AOT] = "AOTAutograd traces the graph a second time: its cost grows with the graph.",
    [PHASE_PASSES] = "Graph passes grow with the graph: compile repeated blocks once (regional compilation).",
    [PHASE_GUARDS] = "Building guards grows with what the function reads: modules with many attributes cost most.",
};

void find_slow_phase(struct finder *f)
{
    const struct timing *t = &f->answers->timing;
    const int64_t worth_a_word_ns = 10 * 1000000000ll, sum = timing_phases_ns(t);
    enum phase ranked[PHASE_COUNT], top;
    int64_t most;
    struct finding *x;

    if (timing_rank_phases(t, ranked) == 0)
        return;
    top = ranked[0];
    most = t->phase_self_ns[top];
    if (most < worth_a_word_ns || most * 2 < sum)
        return;
    x = finding_add(f, "slow-phase", FINDING_INFO);
    x->title = arena_printf(f->arena, "%lld %% of the compile time is in one phase: %s",
                            (long long)((most * 100 + sum / 2) / sum), phase_title(top));
    x->cost_us = most / 1000;
    x->fix = str_of(phase_advice[top] ? phase_advice[top]
                                      : "The section on compile time says which functions it was spent on.");
}

void find_resets(struct finder *f)
{
    uint64_t resets = 0;
    struct finding *x;

    for (size_t i = 0; i < f->run->processes.n; i++)
        resets += f->run->processes.v[i]->epochs - 1;
    if (resets == 0)
        return;
    x = finding_add(f, "resets", FINDING_INFO);
    x->title = arena_printf(f->arena, "`torch._dynamo.reset()` was called %llu time%s between compiles",
                            (unsigned long long)resets, resets == 1 ? "" : "s");
    x->detail = STR("Everything compiled before is forgotten, and compile ids start again; the report shows each "
                    "stretch as an epoch.");
}

/* --- records without a compile id --------------------------------------------------------------------------------- */

void find_unattributed(struct finder *f)
{
    uint64_t records = 0;
    struct finding *x;

    for (size_t i = 0; i < f->run->inputs.n; i++)
        records += f->run->inputs.v[i]->messages.counts[MSG_NO_COMPILE_ID];
    if (records == 0)
        return;
    x = finding_add(f, "no-compile-id", FINDING_INFO);
    x->title = STR("Graphs or code carry no compile id");
    x->detail = STR("AOTInductor and export write none, and PyTorch 2.4 and earlier none for backward graphs. They are "
                    "listed under "
                    "`(no compile id)`.");
    for (size_t i = 0; i < f->run->processes.n; i++)
        if (f->run->processes.v[i]->unattributed->artifacts.n)
            finding_evidence(f, x, f->run->processes.v[i]->unattributed);
}

/* --- the trace itself --------------------------------------------------------------------------------------------- */

void find_damage(struct finder *f)
{
    struct health h = run_health(f->run);
    struct finding *x;

    if (h.errors == 0)
        return;
    x = finding_add(f, "trace-damaged", FINDING_MEDIUM);
    x->title = arena_printf(f->arena, "The trace is damaged: %llu place%s", (unsigned long long)h.errors,
                            h.errors == 1 ? "" : "s");
    x->detail = STR("What could be read is shown; numbers may be too low.");
    x->fix = STR("The section on trace health lists every place with file and line.");
}

void find_nothing(struct finder *f)
{
    const struct counts *n = &f->answers->counts;
    struct finding *x;

    for (size_t i = 0; i < f->out->list.n; i++)
        if (f->out->list.v[i]->severity < FINDING_INFO)
            return;
    if (n->compiles == 0)
        return;
    x = finding_add(f, "clean", FINDING_INFO);
    x->title = arena_printf(f->arena, "No graph breaks, recompiles or errors in %llu compile%s",
                            (unsigned long long)n->compiles, n->compiles == 1 ? "" : "s");
}
