/* Findings about the settings under which the run was compiled. */
#include "analysis/find.h"

#include "text/config_text.h"
#include "util/json.h"
#include "util/map.h"

/* --- what is looked for ------------------------------------------------------------------------------------------- */

enum value { IS_TRUE, IS_FALSE, IS_SET };

enum kind { CACHE_OFF, DEBUGGING, FALLBACK_RANDOM, UNSAFE_MATH, KINDS };

/* Settings that cost time or change numbers, in the full configurations (2.7 and later) or among what differs. */
static const struct watched {
    const char *metric, *module, *name;
    enum value value;
    enum kind kind;
} watched[] = {
    {"inductor_config", "torch._inductor.config", "fx_graph_cache", IS_FALSE, CACHE_OFF},
    {"inductor_config", "torch._inductor.config", "force_disable_caches", IS_TRUE, CACHE_OFF},
    {"compiler_config", "torch.compiler.config", "force_disable_caches", IS_TRUE, CACHE_OFF},
    {"functorch_config", "torch._functorch.config", "enable_autograd_cache", IS_FALSE, CACHE_OFF},
    {"dynamo_config", "torch._dynamo.config", "verify_correctness", IS_TRUE, DEBUGGING},
    {"dynamo_config", "torch._dynamo.config", "cprofile", IS_TRUE, DEBUGGING},
    {"dynamo_config", "torch._dynamo.config", "repro_after", IS_SET, DEBUGGING},
    {"dynamo_config", "torch._dynamo.config", "debug_backend_override", IS_SET, DEBUGGING},
    {"dynamo_config", "torch._dynamo.config", "debug_force_nested_calls", IS_TRUE, DEBUGGING},
    {"dynamo_config", "torch._dynamo.config", "debug_force_graph_break_on_leaf_return", IS_TRUE, DEBUGGING},
    {"dynamo_config", "torch._dynamo.config", "fake_tensor_cache_crosscheck_enabled", IS_TRUE, DEBUGGING},
    {"functorch_config", "torch._functorch.config", "debug_assert", IS_TRUE, DEBUGGING},
    {"functorch_config", "torch._functorch.config", "debug_partitioner", IS_TRUE, DEBUGGING},
    {"inductor_config", "torch._inductor.config", "debug", IS_TRUE, DEBUGGING},
    {"inductor_config", "torch._inductor.config", "debug_fusion", IS_TRUE, DEBUGGING},
    {"inductor_config", "torch._inductor.config", "debug_index_asserts", IS_TRUE, DEBUGGING},
    {"inductor_config", "torch._inductor.config", "debug_ir_traceback", IS_TRUE, DEBUGGING},
    {"inductor_config", "torch._inductor.config", "nan_asserts", IS_TRUE, DEBUGGING},
    {"inductor_config", "torch._inductor.config", "runtime_triton_nan_asserts", IS_TRUE, DEBUGGING},
    {"inductor_config", "torch._inductor.config", "profile_bandwidth", IS_TRUE, DEBUGGING},
    {"inductor_config", "torch._inductor.config", "benchmark_kernel", IS_TRUE, DEBUGGING},
    {"inductor_config", "torch._inductor.config", "cpp.enable_kernel_profile", IS_TRUE, DEBUGGING},
    {"inductor_config", "torch._inductor.config", "trace.enabled", IS_TRUE, DEBUGGING},
    {"inductor_config", "torch._inductor.config", "triton.debug_sync_graph", IS_TRUE, DEBUGGING},
    {"inductor_config", "torch._inductor.config", "triton.debug_sync_kernel", IS_TRUE, DEBUGGING},
    {"inductor_config", "torch._inductor.config", "aot_inductor.debug_compile", IS_TRUE, DEBUGGING},
    {"inductor_config", "torch._inductor.config", "fallback_random", IS_TRUE, FALLBACK_RANDOM},
    {"inductor_config", "torch._inductor.config", "use_fast_math", IS_TRUE, UNSAFE_MATH},
    {"inductor_config", "torch._inductor.config", "cuda.use_fast_math", IS_TRUE, UNSAFE_MATH},
    {"inductor_config", "torch._inductor.config", "cutlass.use_fast_math", IS_TRUE, UNSAFE_MATH},
    {"inductor_config", "torch._inductor.config", "cpp.enable_unsafe_math_opt_flag", IS_TRUE, UNSAFE_MATH},
};

enum { WATCHED = sizeof watched / sizeof *watched };

static const struct {
    const char *id, *title, *fix;
} kinds[KINDS] = {
    [CACHE_OFF] = {"cache-off", "Caches are switched off: %.*s",
                   "Every process compiles everything anew. Switch them on again unless that is wanted."},
    [DEBUGGING] = {"debug-settings", "Settings for debugging are on: %.*s",
                   "They make compiling or running slower. Remove them when the problem is found."},
    [FALLBACK_RANDOM] =
        {"fallback-random", "Random numbers are drawn as in eager mode: %.*s",
         "Results can then be compared with eager, but random operators are not fused. Switch it off when "
         "the comparison is done."},
    [UNSAFE_MATH] = {"unsafe-math", "Arithmetic may be less exact than in eager mode: %.*s",
                     "If results differ from eager, switch this off first."},
};

/* --- finding them ------------------------------------------------------------------------------------------------- */

enum { CONFIGS_READ_MAX = 64 }; /* a program changes its settings a few times at most */

struct search {
    struct finding *found[KINDS];
    bool told[WATCHED];
    struct map seen, read; /* configurations, by where they are and by their text: most compiles have the same */
    const struct compile *compile;
};

static bool is_default(struct str v)
{
    return v.n == 0 || str_eq(v, STR("null")) || str_eq(v, STR("None")) || str_eq(v, STR("''")) ||
           str_eq(v, STR("\"\""));
}

static bool is_watched_value(enum value wanted, struct str v)
{
    if (wanted == IS_SET)
        return !is_default(v);
    return wanted == IS_TRUE ? str_eq(v, STR("true")) || str_eq(v, STR("True"))
                             : str_eq(v, STR("false")) || str_eq(v, STR("False"));
}

static const char *usual(enum value value)
{
    return value == IS_TRUE ? "False" : value == IS_FALSE ? "True" : "None";
}

static void note(struct finder *f, struct search *s, size_t i, struct str value)
{
    const struct watched *w = &watched[i];
    struct finding **x = &s->found[w->kind];
    struct str now = w->value == IS_TRUE ? STR("True") : w->value == IS_FALSE ? STR("False") : str_take(value, 100);
    struct str setting = arena_printf(f->arena, "`%s.%s = %.*s`", w->module, w->name, STR_ARG(now));

    if (!*x) {
        *x = finding_add(f, kinds[w->kind].id, w->kind == UNSAFE_MATH ? FINDING_INFO : FINDING_LOW);
        (*x)->fix = str_of(kinds[w->kind].fix);
    }
    if (!s->told[i]) {
        (*x)->detail =
            arena_printf(f->arena, "%.*s%s%.*s", STR_ARG((*x)->detail), (*x)->detail.n ? ", " : "", STR_ARG(setting));
        finding_paste(*x, PASTE_SETTING,
                      arena_printf(f->arena, "%.*s%s%s.%s = %s", STR_ARG((*x)->paste.text),
                                   (*x)->paste.text.n ? "\n" : "", w->module, w->name, usual(w->value)));
    }
    s->told[i] = true;
    finding_evidence(f, *x, s->compile);
}

static void read_config(struct finder *f, struct search *s, const char *metric, struct str text)
{
    struct json_doc doc = {0};

    if (json_doc_load_whole(&doc, text) && json_is_object(doc.root))
        for (size_t i = 0; i < WATCHED; i++) {
            const json_t *v =
                strcmp(watched[i].metric, metric) == 0 ? json_object_get(doc.root, watched[i].name) : NULL;
            char *value = v ? json_dumps(v, JSON_ENCODE_ANY) : NULL;

            if (value && is_watched_value(watched[i].value, str_of(value)))
                note(f, s, i, arena_str(f->arena, str_of(value)));
            free(value);
        }
    json_doc_free(&doc);
}

static bool read_configs(struct finder *f, struct search *s)
{
    static const char *const metrics[] = {"dynamo_config", "inductor_config", "functorch_config", "compiler_config"};
    bool any = false;

    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++) {
        struct str text = metrics_str(compile_metrics(s->compile, METRICS_FORWARD), metrics[i]);
        void **slot;

        if (text.n == 0)
            continue;
        any = true;
        /* Interned: within a file the same text is the same pointer, and nearly always that of all other ranks. */
        slot = map_at_copy(&s->seen, MAP_KEY(text.p));
        if (*slot)
            continue;
        *slot = s;
        slot = map_at(&s->read, text);
        if (!*slot && s->read.n <= CONFIGS_READ_MAX)
            read_config(f, s, metrics[i], text);
        *slot = s;
    }
    return any;
}

/* What fx_graph_runnable says at its head: the only word on settings before 2.7. */
static void read_runnable(struct finder *f, struct search *s)
{
    const struct artifact *runnable = NULL;
    struct settings settings = {0};

    for (size_t i = 0; i < s->compile->artifacts.n && !runnable; i++)
        if (str_eq(s->compile->artifacts.v[i]->name, STR("fx_graph_runnable")))
            runnable = s->compile->artifacts.v[i];
    if (!runnable)
        return;
    settings_parse(f->arena, finder_read(f, runnable), &settings);
    vec_each(const struct setting, x, &settings.list) for (size_t i = 0; i < WATCHED; i++)
    {
        struct str name = x->name;

        if (str_consume(&name, str_of(watched[i].module)) && str_consume(&name, STR(".")) &&
            str_eq(name, str_of(watched[i].name)) && is_watched_value(watched[i].value, x->value))
            note(f, s, i, arena_str(f->arena, x->value));
    }
}

static void finish(struct finder *f, struct search *s)
{
    for (int k = 0; k < KINDS; k++) {
        struct finding *x = s->found[k];

        if (!x)
            continue;
        x->title = arena_printf(f->arena, kinds[k].title, STR_ARG(x->detail));
        x->detail = (struct str){0};
        if (k == CACHE_OFF && f->answers->timing.compile_wall_us >= 30 * 1000000ll)
            x->severity = FINDING_MEDIUM;
    }
}

void find_settings(struct finder *f)
{
    enum { RUNNABLES_READ_MAX = 8 };
    struct search s = {0};
    const struct compile *c;
    size_t runnables = 0;

    map_init(&s.seen, f->arena);
    map_init(&s.read, f->arena);
    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));) {
        s.compile = c;
        if (!read_configs(f, &s) && runnables++ < RUNNABLES_READ_MAX)
            read_runnable(f, &s);
    }
    finish(f, &s);
}

/* --- suppressed errors -------------------------------------------------------------------------------------------- */

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
    finding_paste(x, PASTE_SETTING, STR("torch._dynamo.config.suppress_errors = False"));
}

/* --- inputs of low precision -------------------------------------------------------------------------------------- */

static bool is_low_precision(struct str dtype)
{
    return str_eq(dtype, STR("torch.bfloat16")) || str_eq(dtype, STR("torch.float16")) ||
           str_has(dtype, STR("torch.float8"));
}

static struct str low_precision_of(const struct compile *c)
{
    vec_each(const struct tensor, t, &c->tensors) if (is_low_precision(t->dtype)) return t->dtype;
    return (struct str){0};
}

/* For questions of accuracy: fused kernels round at other places than eager does. */
void find_low_precision(struct finder *f)
{
    struct finding *x = NULL;
    struct str first = {0};
    uint64_t n = 0;
    const struct compile *c;

    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));) {
        struct str dtype = low_precision_of(c);

        if (dtype.n == 0)
            continue;
        if (!x) {
            x = finding_add(f, "low-precision", FINDING_INFO);
            first = dtype;
        }
        n++;
        finding_evidence(f, x, c);
    }
    if (!x)
        return;
    x->title = arena_printf(f->arena, "%llu compile%s compute%s in low precision: `%.*s`", (unsigned long long)n,
                            n == 1 ? "" : "s", n == 1 ? "s" : "", STR_ARG(first));
    x->detail = STR("Fused kernels keep values in float32 between operators where eager rounds after each one, so that "
                    "small differences from eager are normal. Judge both against float64.");
    x->fix = STR("To round as eager does while comparing:");
    finding_paste(x, PASTE_SETTING, STR("torch._inductor.config.emulate_precision_casts = True"));
}
