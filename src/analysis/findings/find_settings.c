/* Findings about the settings under which the run was compiled. */
#include "analysis/answers/versions.h"
#include "analysis/find/find.h"

#include "text/python/python_value.h"

/* --- what is looked for ------------------------------------------------------------------------------------------- */

enum setting_kind { CACHE_OFF, DEBUGGING, FALLBACK_RANDOM, UNSAFE_MATH, KINDS };

/* Settings that cost time or change numerics, and the value with that effect; NULL: any but the default. */
static const struct watched {
    const char *name, *value;
    enum setting_kind kind;
} watched[] = {
    {"torch._inductor.config.fx_graph_cache", "False", CACHE_OFF},
    {"torch._inductor.config.force_disable_caches", "True", CACHE_OFF},
    {"torch.compiler.config.force_disable_caches", "True", CACHE_OFF},
    {"torch._functorch.config.enable_autograd_cache", "False", CACHE_OFF},
    {"torch._dynamo.config.verify_correctness", "True", DEBUGGING},
    {"torch._dynamo.config.cprofile", "True", DEBUGGING},
    {"torch._dynamo.config.repro_after", NULL, DEBUGGING},
    {"torch._dynamo.config.debug_backend_override", NULL, DEBUGGING},
    {"torch._dynamo.config.debug_force_nested_calls", "True", DEBUGGING},
    {"torch._dynamo.config.debug_force_graph_break_on_leaf_return", "True", DEBUGGING},
    {"torch._dynamo.config.fake_tensor_cache_crosscheck_enabled", "True", DEBUGGING},
    {"torch._functorch.config.debug_assert", "True", DEBUGGING},
    {"torch._functorch.config.debug_partitioner", "True", DEBUGGING},
    {"torch._inductor.config.debug", "True", DEBUGGING},
    {"torch._inductor.config.debug_fusion", "True", DEBUGGING},
    {"torch._inductor.config.debug_index_asserts", "True", DEBUGGING},
    {"torch._inductor.config.debug_ir_traceback", "True", DEBUGGING},
    {"torch._inductor.config.nan_asserts", "True", DEBUGGING},
    {"torch._inductor.config.runtime_triton_nan_asserts", "True", DEBUGGING},
    {"torch._inductor.config.profile_bandwidth", "True", DEBUGGING},
    {"torch._inductor.config.benchmark_kernel", "True", DEBUGGING},
    {"torch._inductor.config.cpp.enable_kernel_profile", "True", DEBUGGING},
    {"torch._inductor.config.trace.enabled", "True", DEBUGGING},
    {"torch._inductor.config.triton.debug_sync_graph", "True", DEBUGGING},
    {"torch._inductor.config.triton.debug_sync_kernel", "True", DEBUGGING},
    {"torch._inductor.config.aot_inductor.debug_compile", "True", DEBUGGING},
    {"torch._inductor.config.fallback_random", "True", FALLBACK_RANDOM},
    {"torch._inductor.config.use_fast_math", "True", UNSAFE_MATH},
    {"torch._inductor.config.cuda.use_fast_math", "True", UNSAFE_MATH},
    {"torch._inductor.config.cutlass.use_fast_math", "True", UNSAFE_MATH},
    {"torch._inductor.config.cpp.enable_unsafe_math_opt_flag", "True", UNSAFE_MATH},
};

enum { WATCHED = sizeof watched / sizeof *watched };

static const struct {
    const char *id, *title, *fix;
} kinds[KINDS] = {
    [CACHE_OFF] = {"cache-off", "Caches are switched off",
                   "Every process compiles everything again. Turn them on again unless this is intended."},
    [DEBUGGING] = {"debug-settings", "Debugging settings are on",
                   "They make compiling or running slower. Remove them when the problem is found."},
    [FALLBACK_RANDOM] =
        {"fallback-random", "Random numbers are drawn as in eager mode",
         "Results can then be compared with eager, but random operators are not fused. Switch it off when "
         "the comparison is done."},
    [UNSAFE_MATH] = {"unsafe-math", "Arithmetic may be less precise than in eager mode",
                     "If results differ from eager, switch this off first."},
};

/* --- finding them ------------------------------------------------------------------------------------------------- */

/* The settings of one finding, as its texts list them. */
struct collected {
    struct finding *finding;
    struct str settings, assignments, variables;
    bool options;
};

static struct str joined(struct arena *a, struct str before, const char *between, struct str more)
{
    return arena_printf(a, "%.*s%s%.*s", STR_ARG(before), before.n ? between : "", STR_ARG(more));
}

static void note(struct finder *f, struct collected *x, enum setting_kind kind, const struct setting_use *u)
{
    struct str assignment = arena_printf(f->arena, "%.*s = %.*s", STR_ARG(u->name), STR_ARG(u->usual));

    if (!x->finding)
        x->finding = finding_add(f, kinds[kind].id, kind == UNSAFE_MATH ? FINDING_INFO : FINDING_LOW);
    x->settings = joined(f->arena, x->settings, ", ",
                         arena_printf(f->arena, "`%.*s = %.*s`", STR_ARG(u->name), STR_ARG(str_take(u->value, 100))));
    if (u->by == SET_BY_VARIABLE)
        x->variables = joined(f->arena, x->variables, " ", u->variable);
    else if (u->by == SET_BY_OPTIONS)
        x->options = true;
    else if (u->usual.n)
        x->assignments = joined(f->arena, x->assignments, "\n", assignment);
    for (size_t i = 0; i < u->compiles.n; i++)
        finding_evidence(f, x->finding, u->compiles.v[i]);
}

static bool is_watched(const struct watched *w, const struct setting_use *u)
{
    return u->by != SET_BY_PYTORCH && str_eq(u->name, str_of(w->name)) &&
           (!w->value || python_values_equal(u->value, str_of(w->value)));
}

/* An assignment overrides neither an environment variable nor an argument of torch.compile. */
static void advise(struct finder *f, const struct collected *x, const char *fix)
{
    struct finding *y = x->finding;

    y->fix = str_of(fix);
    if (x->options)
        y->fix = joined(f->arena, y->fix, " ", STR("The call of torch.compile sets it, in `options=` or `mode=`."));
    if (x->assignments.n) {
        finding_paste(y, PASTE_SETTING, x->assignments);
        if (x->variables.n)
            y->fix = arena_printf(f->arena, "%.*s In the environment: `unset %.*s`.", STR_ARG(y->fix),
                                  STR_ARG(x->variables));
    } else if (x->variables.n) {
        finding_paste(y, PASTE_COMMAND, arena_printf(f->arena, "unset %.*s", STR_ARG(x->variables)));
    }
}

void find_settings(struct finder *f)
{
    const struct settings_used *settings = &f->answers->settings;
    struct collected found[KINDS] = {0};

    for (size_t i = 0; i < WATCHED; i++)
        for (size_t k = 0; k < settings->list.n; k++)
            if (is_watched(&watched[i], settings->list.v[k]))
                note(f, &found[watched[i].kind], watched[i].kind, settings->list.v[k]);
    for (int k = 0; k < KINDS; k++) {
        if (!found[k].finding)
            continue;
        found[k].finding->title = arena_printf(f->arena, "%s: %.*s", kinds[k].title, STR_ARG(found[k].settings));
        advise(f, &found[k], kinds[k].fix);
        if (k == CACHE_OFF && f->answers->timing.compile_wall_us >= 30 * 1000000ll)
            found[k].finding->severity = FINDING_MEDIUM;
    }
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
    x->title = STR("Errors are suppressed: functions that fail to compile run eagerly without a warning");
    x->fix = STR(
        "Switch it off while looking for a problem. The environment variable takes effect if it is set at all, even "
        "to 0.");
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

/* Before this version, generated CPU code rounds whatever the setting is (torch/_inductor/codegen/cpp.py). */
enum { CPU_ROUNDS_AS_SET = 2013 };

static bool rounds_as_printed(const struct compile *c)
{
    unsigned version = pytorch_version(process_pytorch(c->process));

    vec_each(const struct tensor, t,
             &c->tensors) if (is_low_precision(t->dtype) && str_eq(t->device, STR("cpu"))) return version == 0 ||
        version >= CPU_ROUNDS_AS_SET;
    return true;
}

/* A trace that has nothing of Inductor's: another backend ran the operators as eager mode does. */
static bool lacks_inductor(const struct compile *c)
{
    if (c->process->input->kind != INPUT_TORCH_TRACE || c->cache_events.n)
        return false;
    for (size_t i = 0; i < c->artifacts.n; i++) {
        const struct artifact_info *info = c->artifacts.v[i]->info;

        if (info && (info->stage == STAGE_POST_GRAD || info->stage == STAGE_CODE || info->stage == STAGE_KERNELS ||
                     info->stage == STAGE_CACHE))
            return false;
    }
    return true;
}

/* For questions of accuracy: fused kernels round in other places than eager mode. */
void find_low_precision(struct finder *f)
{
    struct finding *x = NULL;
    struct str first = {0};
    uint64_t n = 0;
    const struct compile *c;

    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));) {
        struct str dtype = low_precision_of(c);

        if (dtype.n == 0 || (c->status == STATUS_ERROR && !compile_artifact(c, ARTIFACT_DYNAMO_OUTPUT_GRAPH)))
            continue; /* no code was made */
        if (lacks_inductor(c))
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
    if (rounds_as_printed(x->compiles.v[0])) {
        x->fix = STR("To round as eager does while comparing:");
        finding_paste(x, PASTE_SETTING, STR("torch._inductor.config.emulate_precision_casts = True"));
    } else {
        x->fix = STR("No setting of this PyTorch makes code for CPUs round as eager does: compare in float32.");
    }
}
