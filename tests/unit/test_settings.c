#include "answers_text.h"

#include "analysis/answers/settings.h"

/* "a=1 (0) x2 | $ENV='x' x1": settings that the user set, with their defaults, and in how many compiles. In front: o
   by options of torch.compile, e by an environment variable, p by PyTorch. Names without what all of them begin with.
 */
static struct str settings_of(const struct run *r)
{
    static const char *const marks[] = {"", "o ", "e ", "p "};
    struct settings_used used;
    struct str out = STR("");

    settings_find(r->arena, r, &used);
    for (size_t i = 0; i < used.list.n; i++) {
        const struct setting_use *u = used.list.v[i];
        struct str name = u->name, usual = u->usual.n ? arena_printf(r->arena, " (%.*s)", STR_ARG(u->usual)) : STR("");

        str_consume(&name, STR("torch._inductor.config."));
        out = arena_printf(r->arena, "%.*s%s%s%s%.*s=%.*s%.*s x%llu", STR_ARG(out), out.n ? " | " : "", marks[u->by],
                           u->environment ? "$" : "", STR_ARG(name), STR_ARG(u->value), STR_ARG(usual),
                           (unsigned long long)u->count);
    }
    return used.known ? out : STR("unknown");
}

#define check(t, expected)                                                                                             \
    do {                                                                                                               \
        struct run *r_ = trace_run(t);                                                                                 \
                                                                                                                       \
        assert_str(settings_of(r_), expected);                                                                         \
        run_free(r_);                                                                                                  \
    } while (0)

#define VERSION(number) "# torch version: " number "\n"
#define SETTING(name, value) "torch._inductor.config." name " = " value "\n"

static void runnable(struct trace_text *t, const char *ids, const char *text)
{
    trace_artifact(t, "fx_graph_runnable", ids, text);
}

/* `json` as in a C string in a C string: \\\" for ". */
#define INDUCTOR(json) "\"inductor_config\": \"{" json "}\""
#define DYNAMO(json) "\"dynamo_config\": \"{" json "}\""

/* What is set to the default is not listed; forward and backward of one compile say the same twice. Environment last.
 */
static void assigned(void **state)
{
    struct trace_text t = {0};

    (void)state;
    runnable(&t, IN(0, 0, 0),
             VERSION("2.13.0+cpu") "os.environ['TORCH_LOGS'] = 'dynamo'\nos.environ['TORCH_TRACE'] = '/tmp/x'\n"
                                   "os.environ['A'] = '1'\n" SETTING("debug", "True") SETTING("max_fusion_size", "8"));
    runnable(&t, IN(0, 0, 0), SETTING("debug", "True") SETTING("nan_asserts", "True"));
    runnable(&t, IN(0, 1, 0), SETTING("debug", "True") SETTING("max_fusion_size", "9"));
    runnable(&t, IN(1, 0, 0), SETTING("debug", "True") SETTING("max_fusion_size", "64"));
    runnable(&t, IN(2, 0, 0), SETTING("compile_threads", "3") SETTING("no_such_setting", "3"));
    check(&t, "compile_threads=3 x1 | debug=True (False) x3 | max_fusion_size=8 (64) x1 | max_fusion_size=9 (64) x1 | "
              "no_such_setting=3 x1 | $A='1' x1 | $TORCH_LOGS='dynamo' x1");
}

/* PyTorch's own are kept apart, with what differs in each process as one. */
static void set_by_pytorch(void **state)
{
    struct trace_text t = {0};

    (void)state;
    for (int i = 0; i < 3; i++)
        runnable(&t, trace_ids(i, 0, 0),
                 i == 0   ? VERSION("2.13.0") "os.environ['_TORCHINDUCTOR_PYOBJECT_TENSOR_DATA_PTR'] = '1400'\n"
                 : i == 1 ? "os.environ['_TORCHINDUCTOR_PYOBJECT_TENSOR_DATA_PTR'] = '1500'\n"
                          : "torch._functorch.config.unlift_effect_tokens = True\n"
                            "os.environ['TORCHINDUCTOR_CACHE_DIR'] = '/data/mine'\n");
    check(&t, "p torch._functorch.config.unlift_effect_tokens=True (False) x1 | $TORCHINDUCTOR_CACHE_DIR='/data/mine' "
              "x1 | p $_TORCHINDUCTOR_PYOBJECT_TENSOR_DATA_PTR='1400' x2");
}

/* The same line, and what it means in the version of its process. */
static void by_version(void **state)
{
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {VERSION("2.6.0") "torch._dynamo.config.cache_size_limit = 4\n",
         "torch._dynamo.config.cache_size_limit=4 (8) x1"},
        {VERSION("2.13.0") "torch._dynamo.config.cache_size_limit = 4\n",
         "torch._dynamo.config.recompile_limit=4 (8) x1"},
        {VERSION("2.13.0") "torch._dynamo.config.cache_size_limit = 8\n", ""},
        {VERSION("2.4.1") SETTING("fx_graph_cache", "True"), "fx_graph_cache=True (False) x1"},
        {VERSION("2.5.1") SETTING("fx_graph_cache", "True"), ""},
        {VERSION("9.0.0") SETTING("fx_graph_cache", "True"), ""}, /* as in the newest that is known */
        {VERSION("9.0.0") SETTING("fx_graph_cache", "False"), "fx_graph_cache=False x1"},
        {SETTING("fx_graph_cache", "True"), "fx_graph_cache=True x1"}, /* of no version */
        {SETTING("debug", "False"), ""},                               /* the default of every version */
        {VERSION("2.13.0") SETTING("_pre_fusion_custom_pass", "None"), ""},
        {VERSION("2.6.0") "torch._dynamo.config.reorderable_logging_functions = set()\n", ""},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};

        runnable(&t, IN(0, 0, 0), cases[i].text);
        check(&t, cases[i].expected);
    }
}

/* Whole configurations: of settings whose default is not known nothing is said. */
static void configurations(void **state)
{
    struct trace_text t = {0};

    (void)state;
    for (int i = 0; i < 2; i++)
        trace_metrics(
            &t, trace_ids(i, 0, 0),
            "\"pytorch_version\": \"2.13.0\", " INDUCTOR(
                "\\\"debug\\\": true, \\\"nan_asserts\\\": false, \\\"compile_threads\\\": 7, "
                "\\\"max_fusion_size\\\": 64, \\\"new_one\\\": 1, "
                "\\\"post_grad_custom_pre_pass\\\": \\\"Value is not JSON serializable\\\", "
                "\\\"aot_inductor.metadata\\\": {\\\"a\\\": [null]}") ", " DYNAMO("\\\"cache_size_limit\\\": 4, "
                                                                                  "\\\"recompile_limit\\\": 4"));
    check(&t, "torch._dynamo.config.recompile_limit=4 (8) x2 | aot_inductor.metadata={'a': [None]} ({}) x2 | "
              "debug=True (False) x2 | post_grad_custom_pre_pass=(not recorded) (None) x2");
}

/* What a compile's program assigns holds for it. */
static void both_records(void **state)
{
    struct trace_text t = {0};

    (void)state;
    runnable(&t, IN(0, 0, 0),
             VERSION("2.13.0") SETTING("debug", "False") SETTING("max_fusion_size", "3")
                 SETTING("nan_asserts", "True"));
    trace_metrics(&t, IN(0, 0, 0),
                  INDUCTOR("\\\"debug\\\": true, \\\"max_fusion_size\\\": 64, \\\"nan_asserts\\\": true, "
                           "\\\"profile_bandwidth\\\": true"));
    check(&t, "o max_fusion_size=3 (64) x1 | nan_asserts=True (False) x1 | profile_bandwidth=True (False) x1");
}

/* A value that nobody assigned, or that is assigned with the value of a variable, and a variable that sets it. */
static void variables(void **state)
{
    struct trace_text t = {0};

    (void)state;
    runnable(&t, IN(0, 0, 0),
             VERSION("2.13.0") "os.environ['TORCHINDUCTOR_MAX_AUTOTUNE'] = '1'\n"
                               "os.environ['TORCHINDUCTOR_NAN_ASSERTS'] = '0'\n"
                               "os.environ['TORCHINDUCTOR_FX_GRAPH_CACHE'] = '0'\n"
                               "os.environ['INDUCTOR_PROVENANCE'] = '2'\n" SETTING("nan_asserts", "True")
                                   SETTING("fx_graph_cache", "False") SETTING("trace.provenance_tracking_level", "2"));
    trace_metrics(&t, IN(0, 0, 0),
                  INDUCTOR("\\\"max_autotune\\\": true, \\\"nan_asserts\\\": true, \\\"debug\\\": true"));
    check(&t,
          "debug=True (False) x1 | e fx_graph_cache=False (True) x1 | e max_autotune=True (False) x1 | "
          "nan_asserts=True (False) x1 | e trace.provenance_tracking_level=2 (0) x1 | $INDUCTOR_PROVENANCE='2' x1 | "
          "$TORCHINDUCTOR_FX_GRAPH_CACHE='0' x1 | $TORCHINDUCTOR_MAX_AUTOTUNE='1' x1 "
          "| $TORCHINDUCTOR_NAN_ASSERTS='0' x1");
}

/* A graph from a cache brings the program of the process that compiled it. */
static void from_a_cache(void **state)
{
    struct trace_text t = {0};

    (void)state;
    trace_artifact(&t, "fx_graph_cache_hit", IN(0, 0, 0), "{\"key\": \"x\"}");
    runnable(&t, IN(0, 0, 0),
             VERSION("2.13.0") "os.environ['TORCH_LOGS'] = 'dynamo'\n"
                               "torch._dynamo.config.verify_correctness = True\n" SETTING("epilogue_fusion", "False"));
    trace_metrics(&t, IN(0, 0, 0), DYNAMO("\\\"specialize_float\\\": true"));
    check(&t, "torch._dynamo.config.specialize_float=True (False) x1 | epilogue_fusion=False (True) x1");
}

/* Only the beginning of the program is read: a line that ends with it is not a whole one. */
static void a_long_head(void **state)
{
    struct trace_text t = {0};
    struct buf text = {0};

    (void)state;
    buf_str(&text, STR(SETTING("a", "1") "#"));
    while (text.n < 16 * 1024 - 32)
        buf_char(&text, 'x');
    buf_str(&text, STR("\n" SETTING("b", "123456789") SETTING("c", "1")));
    buf_char(&text, '\0');
    runnable(&t, IN(0, 0, 0), text.p);
    check(&t, "a=1 x1");
    buf_free(&text);
}

/* Nothing differs, and nothing is known, are not the same. */
static void nothing(void **state)
{
    struct trace_text t = {0};

    (void)state;
    runnable(&t, IN(0, 0, 0), "import torch\n");
    check(&t, "");
    trace_metrics(&t, IN(0, 0, 0), DYNAMO(""));
    check(&t, "");
    trace_metrics(&t, IN(0, 0, 0), "\"dynamo_config\": \"{broken\"");
    check(&t, "unknown");
    trace_metrics(&t, IN(0, 0, 0), "\"graph_op_count\": 1");
    check(&t, "unknown");
}

/* A trace may name any number of settings, and of compiles with one. */
static void many(void **state)
{
    struct settings_used used;
    struct trace_text t = {0};
    struct run *r;

    (void)state;
    for (int i = 0; i < 3000; i++) {
        char text[200];

        snprintf(text, sizeof text, SETTING("debug", "True") SETTING("x%d", "1"), i);
        runnable(&t, trace_ids(i, 0, 0), text);
    }
    r = trace_run(&t);
    settings_find(r->arena, r, &used);
    assert_int_equal(used.list.n, 2000);
    assert_str(used.list.v[0]->name, "torch._inductor.config.debug");
    assert_int_equal(used.list.v[0]->count, 3000);
    assert_int_equal(used.list.v[0]->compiles.n, 64);
    run_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(assigned),       cmocka_unit_test(set_by_pytorch), cmocka_unit_test(by_version),
        cmocka_unit_test(configurations), cmocka_unit_test(both_records),   cmocka_unit_test(variables),
        cmocka_unit_test(from_a_cache),   cmocka_unit_test(a_long_head),    cmocka_unit_test(nothing),
        cmocka_unit_test(many),
    };

    return RUN(tests);
}
