/* Findings as such (order, names, limits), and those that find_other.c makes. */
#include "answers_text.h"

#include "analysis/find/find.h"

#include <signal.h>

#define check_findings(t, expected)                                                                                    \
    do {                                                                                                               \
        const struct answers *a_ = answers_of_trace(t);                                                                \
                                                                                                                       \
        assert_str(answers_findings(a_), expected);                                                                    \
        answers_free(a_);                                                                                              \
    } while (0)

/* Began so many µs (seven digits) after TRACE_EPOCH_US, and took so many. */
#define TOOK(begin, us) "\"start_time_us\": 179525520" #begin ", \"duration_us\": " #us

/*
 * Of one severity, failures stand first, then what cost most; what cost the same in the order of the detectors, and in
 * one detector in the order of the trace.
 */
static void the_order(void **state)
{
    struct trace_text t = {0};

    (void)state;
    trace_file(&t);
    trace_artifact(&t, "recompile_reasons", IN(1, 1, 0), "0/0: n == 7");
    trace_start(&t, IN(1, 1, 0), "g", 9);
    trace_metrics(&t, IN(1, 1, 0), "\"config_suppress_errors\": true, \"graph_op_count\": 1, " TOOK(0000000, 5));
    trace_break(&t, IN(0, 0, 0), "b", "f", 7);
    trace_break(&t, IN(0, 0, 0), "a", "f", 8);
    trace_error(&t, IN(2, 0, 0), "ValueError", "what", 7);
    trace_error(&t, IN(3, 0, 0), "torch._dynamo.exc.UserError", "what", 7);
    trace_record(&t, "{broken");
    check_findings(&t,
                   "critical error, high error-2, medium suppressed-errors, medium trace-damaged, low recompile-int, "
                   "low break-other, low break-other-2");
}

/* The times of one finding, as `finding: µs, compiles`. */
static void assert_cost(const struct answers *a, const char *id, int64_t us, uint64_t compiles, uint64_t ranks)
{
    const struct finding *x = answers_finding(a, id);

    if (!x || x->cost_us != us || x->cost_compiles != compiles || x->cost_ranks != ranks)
        fail_msg("%s: %lld us, %llu compiles on %llu ranks", id, x ? (long long)x->cost_us : -2,
                 x ? (unsigned long long)x->cost_compiles : 0, x ? (unsigned long long)x->cost_ranks : 0);
}

/* Compiles [0/1] to [0/n], each with the metrics given. */
static void recompiles_of(struct trace_text *t, const char *const *metrics, int n)
{
    trace_file(t);
    for (int i = 1; i <= n; i++) {
        trace_artifact(t, "recompile_reasons", trace_ids(0, i, 0), "0/0: n == 7");
        trace_start(t, trace_ids(0, i, 0), "f", 5);
        trace_metrics(t, trace_ids(0, i, 0), metrics[i - 1]);
    }
}

/* Time counts once however many compiles were going on, and not while a compiler is set up. */
static void costs(void **state)
{
    static const char *const parallel[] = {TOOK(0001000, 500), TOOK(0001200, 500), TOOK(0003000, 100)};
    struct trace_text t = {0};
    const struct answers *a;

    (void)state;
    trace_event(&t, IN(0, 1, 0), "Scheduler.codegen", 'B', 1100);
    trace_event(&t, IN(0, 1, 0), "compile_file", 'B', 1150);
    trace_event(&t, IN(0, 1, 0), "compile_file", 'E', 1250);
    trace_event(&t, IN(0, 1, 0), "Scheduler.codegen", 'E', 1300);
    trace_event(&t, IN(0, 3, 0), "compile_file", 'B', 3010);
    trace_event(&t, IN(0, 3, 0), "compile_file", 'E', 3020);
    recompiles_of(&t, parallel, 3);
    a = answers_of_trace(&t);
    assert_cost(a, "recompile-int", 700 + 100 - 100, 3, 0);
    answers_free(a);
}

/* Of several ranks the slowest counts, whatever the others did. */
static void costs_of_ranks(void **state)
{
    static const char *const metrics[] = {TOOK(0001000, 500), TOOK(0002000, 700)};
    struct run *r = run_new();
    const struct answers *a;

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct trace_text t = {.pid = 10 + i};

        recompiles_of(&t, metrics, i + 1);
        trace_add(r, i ? "rank_1.log" : "rank_0.log", &t);
    }
    run_finish(r);
    a = answers_of(r);
    assert_cost(a, "recompile-int", 1200, 2, 2);
    assert_true(str_starts(answers_finding(a, "recompile-int")->title, STR("`f` recompiled twice")));
    answers_free(a);
}

/* What two findings claim is the worse one's. */
static void costs_are_shared_out(void **state)
{
    static const char *const metrics[] = {
        "\"config_suppress_errors\": false, " TOOK(0001000, 4000000),
        TOOK(5000000, 10),
    };
    struct trace_text t = {0};
    const struct answers *a;

    (void)state;
    recompiles_of(&t, metrics, 2);
    for (unsigned i = 0; i < 3; i++)
        trace_artifact(&t, "fx_graph_cache_hit", IN(0, 1, 0), "{}");
    trace_artifact(&t, "fx_graph_cache_miss", IN(0, 2, 0), "{}");
    a = answers_of_trace(&t);
    assert_cost(a, "recompile-int", 4000010, 2, 0);
    assert_cost(a, "cache-miss", -1, 1, 0); /* its 10 us are in the recompiles */
    answers_free(a);
}

/* A hundred of one kind are shown; how bad the worst of the others is, is said. */
static void a_limit_for_each_detector(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;
    const struct finding *x;

    (void)state;
    for (int i = 0; i < 103; i++)
        trace_error(&t, trace_ids(i, 0, 0), i == 101 ? "ValueError" : "torch._dynamo.exc.UserError", "what", i + 1);
    a = answers_of_trace(&t);
    assert_int_equal(a->findings->list.n, 101);
    x = a->findings->list.v[0];
    assert_str(x->id, "error-101");
    assert_int_equal(x->severity, FINDING_CRITICAL);
    assert_str(x->title, "3 more of the same kind");
    assert_int_equal(x->compiles.n, 0);
    assert_str(a->findings->list.v[1]->id, "error");
    assert_str(a->findings->list.v[100]->id, "error-100");
    answers_free(a);
}

/* What a forged trace puts into a finding is not megabytes, and stays UTF-8. */
static void long_texts(void **state)
{
    struct trace_text t = {0};
    struct buf type = {0};
    const struct answers *a;
    const struct finding *x;

    (void)state;
    for (int i = 0; i < 30000; i++)
        buf_add(&type, "\xc3\xa9", 2);
    buf_char(&type, '\0');
    trace_recordf(
        &t,
        "{\"symbolic_shape_specialization\": {\"symbol\": \"s0\", \"sources\": [\"L['%.3000s']\"], \"value\": "
        "\"%.3000s\"}, " IN(0, 0, 0) "}",
        type.p, type.p);
    a = answers_of_trace(&t);
    x = answers_finding(a, "specialization");
    assert_in_range(x->title.n, 390, 410);
    assert_true(str_ends(x->title, STR("\xc3\xa9 \xe2\x80\xa6")));
    answers_free(a);
    buf_free(&type);
}

/* Evidence is a sample: the same compile once in a row, at most fifty. */
static void evidence(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;

    (void)state;
    for (int i = 0; i < 60; i++) {
        trace_break(&t, trace_ids(i, 0, 0), "what", "f", 7);
        trace_metrics(&t, trace_ids(i, 0, 0), "\"config_suppress_errors\": true");
    }
    a = answers_of_trace(&t);
    assert_int_equal(answers_finding(a, "break-other")->compiles.n, 50);
    assert_int_equal(answers_finding(a, "break-other")->cost_breaks, 60);
    answers_free(a);
}

/* --- every other finding: what makes it, and what does not -------------------------------------------------------- */

#define EVENT_TIMES(begin, end)                                                                                        \
    trace_event(t, IN(0, 0, 0), "dynamo", 'B', begin), trace_event(t, IN(0, 0, 0), "dynamo", 'E', end)

static void complete(struct trace_text *t)
{
    trace_metrics(t, IN(0, 0, 0), "\"graph_op_count\": 2");
}

static void cut_off(struct trace_text *t)
{
    complete(t);
    trace_file(t);
    trace_event(t, IN(1, 0, 0), "dynamo", 'B', 10);
    trace_start(t, IN(1, 0, 0), "f", 5);
    trace_event(t, IN(1, 0, 0), "build_guards", 'B', 20);
}

/* The process went on to something else. */
static void cut_off_and_on(struct trace_text *t)
{
    cut_off(t);
    trace_metrics(t, IN(2, 0, 0), "\"graph_op_count\": 2");
}

/* 2.4 and earlier write nothing when a frame is skipped. */
static void cut_off_in_2_4(struct trace_text *t)
{
    trace_file(t);
    trace_start(t, IN(1, 0, 0), "f", 5);
}

static void suppressed(struct trace_text *t)
{
    trace_metrics(t, IN(0, 0, 0), "\"graph_op_count\": 2, \"config_suppress_errors\": true");
}

static void not_suppressed(struct trace_text *t)
{
    trace_metrics(t, IN(0, 0, 0), "\"graph_op_count\": 2, \"config_suppress_errors\": false");
}

static void bypassed(struct trace_text *t)
{
    complete(t);
    trace_artifact(t, "fx_graph_cache_bypass", IN(0, 0, 0), "{\"cache_bypass_reason\": \"HOP\\nmore\"}");
}

static void missed(struct trace_text *t)
{
    complete(t);
    trace_artifact(t, "fx_graph_cache_miss", IN(0, 0, 0), "{\"key\": \"x\"}");
}

static void specialized_as(struct trace_text *t, const char *symbol, const char *source)
{
    trace_file(t);
    trace_recordf(t,
                  "{\"symbolic_shape_specialization\": {\"symbol\": \"%s\", \"sources\": [\"%s\"], \"value\": \"4\", "
                  "\"user_stack\": [{\"line\": 7, \"name\": \"f\", \"filename\": 0, \"loc\": "
                  "\"if x.shape[0] == 4:\"}]}, " IN(0, 0, 0) "}",
                  symbol, source);
    complete(t);
}

static void specialized(struct trace_text *t)
{
    specialized_as(t, "s0", "L['x'].size()[0]");
}

static void made_dynamic(struct trace_text *t)
{
    trace_record(t, "{\"create_symbol\": {\"symbol\": \"s0\", \"val\": \"4\", \"source\": \"L['x'].size()[0]\"}, " IN(
                        0, 0, 0) "}");
    complete(t);
}

static void no_fake_kernel(struct trace_text *t)
{
    trace_record(t, "{\"missing_fake_kernel\": {\"op\": \"my.op.default\"}}");
}

static void wrong_fake_kernel(struct trace_text *t)
{
    trace_record(t, "{\"mismatched_fake_kernel\": {\"op\": \"my.op.default\", \"reason\": \"stride\"}}");
}

static void depends_on_data(struct trace_text *t)
{
    trace_record(t, "{\"guard_on_data_dependent_error\": {\"expr\": \"Eq(u0, 0)\"}}");
}

/* Both records are about one thing. */
static void took_a_real_value(struct trace_text *t)
{
    trace_record(t, "{\"propagate_real_tensors\": {\"expr\": \"u0\", \"result\": \"5\"}}");
    trace_record(t, "{\"propagate_real_tensors_provenance\": {\"expr\": \"u0\", \"result\": \"5\"}}");
}

static void slow_tracing(struct trace_text *t)
{
    EVENT_TIMES(0, 30000000);
    complete(t);
}

static void quick_tracing(struct trace_text *t)
{
    EVENT_TIMES(0, 29900000);
    complete(t);
}

/* Half of it and no more. */
static void slow_in_many_phases(struct trace_text *t)
{
    EVENT_TIMES(0, 40000000);
    trace_event(t, IN(0, 0, 0), "gc", 'B', 40000000);
    trace_event(t, IN(0, 0, 0), "gc", 'E', 78000000);
    trace_event(t, IN(0, 0, 0), "build_guards", 'B', 78000000);
    trace_event(t, IN(0, 0, 0), "build_guards", 'E', 82000000);
    complete(t);
}

static void slow_compilers(struct trace_text *t)
{
    trace_event(t, IN(0, 0, 0), "compile_file", 'B', 0);
    trace_event(t, IN(0, 0, 0), "compile_file", 'E', 31000000);
    complete(t);
}

static void slow_autotuning(struct trace_text *t)
{
    trace_event(t, IN(0, 0, 0), "CachingAutotuner.benchmark_all_configs", 'B', 0);
    trace_event(t, IN(0, 0, 0), "CachingAutotuner.benchmark_all_configs", 'E', 31000000);
    complete(t);
}

/* Of two functions one takes nearly all of the time. */
static void slow_function_of(struct trace_text *t, int operators)
{
    char metrics[200];

    trace_file(t);
    trace_start(t, IN(0, 0, 0), "model", 5);
    snprintf(metrics, sizeof metrics,
             "\"graph_op_count\": %d, \"start_time_us\": 1795255200000000, \"duration_us\": 31000000", operators);
    trace_metrics(t, IN(0, 0, 0), metrics);
    trace_start(t, IN(1, 0, 0), "loss", 50);
    trace_metrics(t, IN(1, 0, 0),
                  "\"graph_op_count\": 2, \"start_time_us\": 1795255231000000, \"duration_us\": 1000000");
}

static void slow_function(struct trace_text *t)
{
    slow_function_of(t, 50);
}

static void slow_small_function(struct trace_text *t)
{
    slow_function_of(t, 49);
}

static void backward(struct trace_text *t, const char *duration)
{
    complete(t);
    trace_recordf(t, "{\"bwd_compilation_metrics\": {\"start_time_us\": 1795255200000000, \"duration_us\": %s}, %s}",
                  duration, IN(0, 0, 0));
}

static void late_backward(struct trace_text *t)
{
    backward(t, "3000000");
}

static void quick_backward(struct trace_text *t)
{
    backward(t, "2999999");
}

static void guards(struct trace_text *t, int count, int us)
{
    char metrics[200];

    snprintf(metrics, sizeof metrics, "\"graph_op_count\": 2, \"guard_count\": %d, \"guard_latency_us\": %d", count,
             us);
    trace_metrics(t, IN(0, 0, 0), metrics);
}

/* A tree with so many checks of one value. */
static void guard_tree(struct trace_text *t, int checks)
{
    struct buf text = {0};

    buf_printf(&text, "TREE_GUARD_MANAGER:\n+- RootGuardManager\n| +- GuardManager: source=L['x'], "
                      "accessed_by=FrameLocalsGuardAccessor(key='x')\n");
    for (int i = 0; i < checks; i++)
        buf_printf(&text, "| | +- ID_MATCH: ___check_obj_id(L['x'], %d)\n", i);
    buf_char(&text, '\0');
    trace_artifact(t, "dynamo_cpp_guards_str", IN(0, 0, 0), text.p);
    buf_free(&text);
}

static void many_guards(struct trace_text *t)
{
    guards(t, 1000, 1000);
    guard_tree(t, 1000);
}

static void many_quick_guards(struct trace_text *t)
{
    guards(t, 1000, 999);
    guard_tree(t, 1000);
}

static void guards_without_a_tree(struct trace_text *t)
{
    guards(t, 1200, 9000);
}

/* A guard_filter_fn left them out: the metrics count those that there were before. */
static void filtered_guards(struct trace_text *t)
{
    guards(t, 4000, 9000);
    guard_tree(t, 999);
}

/* A busy machine: so few cannot take so long. */
static void few_guards(struct trace_text *t)
{
    guards(t, 999, 50000);
}

static void reset(struct trace_text *t)
{
    trace_file(t);
    for (int i = 0; i < 2; i++) {
        trace_start(t, IN(0, 0, 0), "f", 5);
        complete(t);
    }
}

static void without_ids(struct trace_text *t)
{
    complete(t);
    trace_payload(t, "{\"inductor_output_code\": {}}", "code");
}

static void export_without_ids(struct trace_text *t)
{
    complete(t);
    trace_payload(t, "{\"exported_program\": {}}", "code");
}

static void damaged(struct trace_text *t)
{
    complete(t);
    trace_record(t, "{broken");
}

static void nothing(struct trace_text *t)
{
    (void)t;
}

static void a_break(struct trace_text *t)
{
    trace_break(t, IN(0, 0, 0), "what", "f", 7);
}

static const struct {
    void (*write)(struct trace_text *t);
    const char *findings, *id, *title;
} detectors[] = {
    {complete, "info clean", "clean", "No graph breaks, recompiles or compile errors in 1 compile"},
    {nothing, "", NULL, NULL},
    {a_break, "low break-other", NULL, NULL},
    {cut_off, "high incomplete", "incomplete", "The trace ends while [1/0] was being compiled"},
    {cut_off_and_on, "info clean", "clean", "No graph breaks, recompiles or compile errors in 3 compiles"},
    {cut_off_in_2_4, "info clean", NULL, NULL},
    {suppressed, "medium suppressed-errors", "suppressed-errors",
     "Errors are suppressed: functions that fail to compile run eagerly without a warning"},
    {not_suppressed, "info clean", NULL, NULL},
    {bypassed, "low cache-bypass", "cache-bypass", "The FX graph cache was bypassed: HOP"},
    {missed, "info clean", NULL, NULL},
    {specialized, "low specialization", "specialization",
     "A dynamic size becomes a constant: dimension 0 of `x`, here 4"},
    {made_dynamic, "info clean", NULL, NULL},
    {no_fake_kernel, "high missing-fake-kernel", "missing-fake-kernel",
     "Export: the operator `my.op.default` has no fake kernel"},
    {wrong_fake_kernel, "high wrong-fake-kernel", "wrong-fake-kernel",
     "Export: the fake kernel of `my.op.default` disagrees with the real one: stride"},
    {depends_on_data, "high data-dependent", "data-dependent", "Export: a condition depends on data: `u0 == 0`"},
    {took_a_real_value, "high data-dependent", "data-dependent", "Export assumes `u0 == 5`, as in the example inputs"},
    {slow_tracing, "info slow-phase, info clean", "slow-phase",
     "100 % of the compile time is in one phase: Dynamo: tracing"},
    {quick_tracing, "info clean", NULL, NULL},
    {slow_in_many_phases, "info clean", NULL, NULL},
    {slow_compilers, "info slow-compilers, info clean", "slow-compilers",
     "100 % of the compile time is in one phase: C++ and Triton compilers"},
    {slow_autotuning, "info slow-autotuning, info clean", "slow-autotuning",
     "100 % of the compile time is in one phase: Autotuning"},
    {slow_function, "info slow-function, info clean", "slow-function",
     "96 % of the compile time is spent on one function: `model`, 1 compile"},
    {slow_small_function, "info clean", NULL, NULL},
    {late_backward, "info late-backward, info clean", "late-backward",
     "The backward graph is compiled late: in the first backward call, after the forward has run"},
    {quick_backward, "info clean", NULL, NULL},
    {many_guards, "low slow-guards", "slow-guards", "1000 guards are checked at every call of [0/0]"},
    {many_quick_guards, "info slow-guards, info clean", "slow-guards",
     "1000 guards are checked at every call of [0/0]"},
    {guards_without_a_tree, "low slow-guards", "slow-guards", "1200 guards are checked at every call of [0/0]"},
    {filtered_guards, "info clean", NULL, NULL},
    {few_guards, "info clean", NULL, NULL},
    {reset, "info resets, info clean", "resets", "`torch._dynamo.reset()` was called 1 time between compiles"},
    {without_ids, "info no-compile-id, info clean", "no-compile-id", "Some graphs or code have no compile id"},
    {export_without_ids, "info clean", NULL, NULL},
    {damaged, "medium trace-damaged", "trace-damaged", "The trace is damaged: 1 place"},
};

static void all_detectors(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(detectors); i++) {
        struct trace_text t = {0};
        const struct answers *a;
        const struct finding *x;

        detectors[i].write(&t);
        a = answers_of_trace(&t);
        if (!str_eq(answers_findings(a), str_of(detectors[i].findings)))
            fail_msg("case %zu: %.*s", i, STR_ARG(answers_findings(a)));
        x = detectors[i].id ? answers_finding(a, detectors[i].id) : NULL;
        if (x)
            assert_str(x->title, detectors[i].title);
        if (x && x->severity != FINDING_INFO)
            assert_true(x->fix.n > 0);
        answers_free(a);
    }
}

/* The place is where the longest backward was compiled; of those that took as long, the first one. */
static void the_longest_backward(void **state)
{
    static const struct {
        int us[3]; /* of the functions at lines 5, 6 and 7 */
        int line;
    } cases[] = {{{3000000, 3000000, 3000000}, 5}, {{3000000, 3000001, 3000000}, 6}, {{3000000, 3000000, 3000001}, 7},
                 {{2999999, 3000000, 3000000}, 6}, {{3000001, 3000001, 3000000}, 5}, {{3000000, 3000002, 3000001}, 6}};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        const struct answers *a;

        trace_file(&t);
        for (int k = 0; k < 3; k++) {
            trace_start(&t, trace_ids(k, 0, 0), "f", 5 + k);
            trace_metrics(&t, trace_ids(k, 0, 0), "\"graph_op_count\": 2");
            trace_recordf(&t, "{\"bwd_compilation_metrics\": {\"start_time_us\": %lld, \"duration_us\": %d}, %s}",
                          TRACE_EPOCH_US + k * 4000000, cases[i].us[k], trace_ids(k, 0, 0));
        }
        a = answers_of_trace(&t);
        assert_int_equal(answers_finding(a, "late-backward")->line, cases[i].line);
        answers_free(a);
    }
}

/* --- guards ------------------------------------------------------------------------------------------------------- */

/* The compile with the most counts, in whatever order they come; not one whose tree shows that most were left out. */
static void the_compile_with_the_most_guards(void **state)
{
    static const int counts[][10] = {
        {1200, 1500, 3000}, {1200, 3000, 1500}, {1500, 1200, 3000},
        {1500, 3000, 1200}, {3000, 1200, 1500}, {3000, 1500, 1200},
        {1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009, 1500},
        {1500, 1009, 1008, 1007, 1006, 1005, 1004, 1003, 1002, 1001},
        {1005, 1004, 1003, 1006, 1500, 1007, 1002, 1008, 1009, 1001},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(counts); i++) {
        struct trace_text t = {0};
        const struct answers *a;

        for (int k = 0; k < 10 && counts[i][k]; k++) {
            char metrics[100];

            snprintf(metrics, sizeof metrics, "\"guard_count\": %d", counts[i][k]);
            trace_metrics(&t, trace_ids(k, 0, 0), metrics);
            if (counts[i][k] == 3000)
                trace_artifact(&t, "dynamo_cpp_guards_str", trace_ids(k, 0, 0),
                               "TREE_GUARD_MANAGER:\n+- RootGuardManager\n| +- ID_MATCH: ___check_obj_id(L['x'], 1)\n");
        }
        a = answers_of_trace(&t);
        if (!str_has(answers_finding(a, "slow-guards")->title, STR("1500 guards are checked")))
            fail_msg("case %zu: %.*s", i, STR_ARG(answers_finding(a, "slow-guards")->title));
        answers_free(a);
    }
}

/* They are checked where the program calls the function; where no call is known, nothing is said of a place. */
static void where_guards_are_checked(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;
    const struct finding *x;

    (void)state;
    trace_file(&t);
    trace_start(&t, IN(0, 0, 0), "f", 5);
    guards(&t, 1200, 9000);
    a = answers_of_trace(&t);
    x = answers_finding(a, "slow-guards");
    assert_str(x->file, "/x.py");
    assert_int_equal(x->line, 100);
    assert_str(x->source, "main()");
    answers_free(a);
}

/* --- ranks that wait ---------------------------------------------------------------------------------------------- */

/* Rank 1 compiles so much longer than rank 0, or begins so much later. */
static void two_ranks(struct trace_text *t, int64_t longer, int64_t later)
{
    for (int rank = 0; rank < 2; rank++) {
        char ids[120], metrics[120];

        t->pid = 100 + (uint64_t)rank;
        trace_file(t);
        snprintf(ids, sizeof ids, "\"rank\": %d, %s", rank, trace_ids(0, 0, 0));
        snprintf(metrics, sizeof metrics, "\"graph_op_count\": 2, \"start_time_us\": %lld, \"duration_us\": %lld",
                 TRACE_EPOCH_US + rank * (long long)later, 9000000 + rank * (long long)longer);
        trace_start(t, ids, "f", 5);
        trace_metrics(t, ids, metrics);
    }
}

/*
 * Of four ranks, rank 2 compiles `validate`, too: without a graph it holds no collective, so the ranks still do the
 * same; with operators that nothing shows, it is a divergence.
 */
static void what_a_rank_compiles_besides(void **state)
{
    static const struct {
        const char *metrics, *findings, *id, *title;
    } cases[] = {
        {"\"graph_op_count\": 0", "low empty-graph, info rank-difference", "rank-difference",
         "All ranks compiled the same, and rank 2 more: compiled `validate` in [1/0]"},
        {"\"graph_op_count\": 2", "high rank-divergence", "rank-divergence",
         "Ranks diverge first at [1/0] `validate`, compiled on some ranks only: rank 2 compiled `validate`"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        const struct answers *a;

        for (int rank = 0; rank < 4; rank++) {
            char ids[2][120];

            t.pid = 100 + (uint64_t)rank;
            trace_file(&t);
            for (int k = 0; k < (rank == 2 ? 2 : 1); k++) {
                snprintf(ids[k], sizeof ids[k], "\"rank\": %d, %s", rank, trace_ids(k, 0, 0));
                trace_start(&t, ids[k], k ? "validate" : "f", k ? 50 : 5);
                trace_metrics(&t, ids[k], k ? cases[i].metrics : "\"graph_op_count\": 2");
            }
        }
        a = answers_of_trace(&t);
        assert_str(answers_findings(a), cases[i].findings);
        assert_str(answers_finding(a, cases[i].id)->title, cases[i].title);
        answers_free(a);
    }
}

/* Ranks that have no function in common, and no collective: the first four are described, and all are the evidence. */
static void stages_of_a_pipeline(void **state)
{
    static const struct {
        int ranks;
        const char *title;
    } cases[] = {
        {2, "Ranks compiled different functions, as stages of a pipeline do: rank 0 `stage0` (x.py:5), rank 1 `stage1` "
            "(x.py:6)"},
        {5, "Ranks compiled different functions, as stages of a pipeline do: rank 0 `stage0` (x.py:5), rank 1 `stage1` "
            "(x.py:6), rank 2 `stage2` (x.py:7), rank 3 `stage3` (x.py:8), \xe2\x80\xa6"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        const struct answers *a;

        for (int rank = 0; rank < cases[i].ranks; rank++) {
            char ids[120], name[20];

            t.pid = 100 + (uint64_t)rank;
            trace_file(&t);
            snprintf(ids, sizeof ids, "\"rank\": %d, %s", rank, trace_ids(0, 0, 0));
            snprintf(name, sizeof name, "stage%d", rank);
            trace_start(&t, ids, name, 5 + rank);
            trace_metrics(&t, ids, "\"graph_op_count\": 2");
        }
        a = answers_of_trace(&t);
        assert_str(answers_findings(a), "info rank-difference, info clean");
        assert_str(answers_finding(a, "rank-difference")->title, cases[i].title);
        assert_int_equal(answers_finding(a, "rank-difference")->compiles.n, cases[i].ranks);
        answers_free(a);
    }
}

/* Nothing fails while ranks wait for one: it is low, until the timeout of a process group is near. */
static void ranks_that_wait(void **state)
{
    static const struct {
        int64_t longer, later;
        const char *findings;
    } cases[] = {
        {9999999, 0, "info clean"},
        {10000000, 0, "low rank-straggler"},
        {59999999, 0, "low rank-straggler"},
        {60000000, 0, "medium rank-straggler"},
        {299999999, 0, "medium rank-straggler"},
        {300000000, 0, "high rank-straggler"},
        {0, 29999999, "info clean"},
        {0, 30000000, "low rank-start"},
        {0, 60000000, "medium rank-start"},
        {0, 299999999, "medium rank-start"},
        {0, 300000000, "high rank-start"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        const struct answers *a;

        two_ranks(&t, cases[i].longer, cases[i].later);
        a = answers_of_trace(&t);
        if (!str_eq(answers_findings(a), str_of(cases[i].findings)))
            fail_msg("case %zu: %.*s", i, STR_ARG(answers_findings(a)));
        if (answers_finding(a, "clean"))
            assert_str(answers_finding(a, "clean")->title,
                       "No graph breaks, recompiles or compile errors in 1 compile on each of 2 ranks");
        answers_free(a);
    }
}

/* --- several compiles -----------------------------------------------------------------------------------------------
 */

#define GRAPH(name, op)                                                                                                \
    "class GraphModule(torch.nn.Module):\n    def forward(self, L_x_: \"f32[4]\"):\n        l_x_ = L_x_\n        # "   \
    "File: /x.py:7 in f, code: y = g(x)\n        " name ": \"f32[4]\" = torch." op                                     \
    "(l_x_)\n        add_1: \"f32[4]\" = " name " + 1;  " name                                                         \
    " = None\n        cos: \"f32[4]\" = torch.cos(add_1)\n        return (cos,)\n"

static void output_graph(struct trace_text *t, const char *ids, const char *graph)
{
    char json[200];

    snprintf(json, sizeof json, "{\"dynamo_output_graph\": {\"sizes\": {}}, %s}", ids);
    trace_payload(t, json, graph);
}

/* Functions f0, f1, … whose graphs have the operators that are given. */
static void same_graphs(struct trace_text *t, const char *const graphs[], int n)
{
    trace_file(t);
    for (int i = 0; i < n; i++) {
        char name[20], metrics[100];

        snprintf(name, sizeof name, "f%d", i);
        trace_start(t, trace_ids(i, 0, 0), name, 5 + i);
        output_graph(t, trace_ids(i, 0, 0), graphs[i]);
        snprintf(metrics, sizeof metrics, "\"graph_op_count\": 3, \"start_time_us\": %lld, \"duration_us\": 2000000",
                 TRACE_EPOCH_US + i * 2000000ll);
        trace_metrics(t, trace_ids(i, 0, 0), metrics);
    }
}

/* The names of values do not matter, the operators do. */
static void the_same_graph(void **state)
{
    static const char *const graphs[][3] = {
        {GRAPH("sin", "sin"), GRAPH("y_4", "sin"), GRAPH("x", "sin")},
        {GRAPH("x", "sin"), GRAPH("x", "sin"), GRAPH("x", "tan")},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(graphs); i++) {
        struct trace_text t = {0};
        const struct answers *a;
        const struct finding *x;

        same_graphs(&t, graphs[i], 3);
        a = answers_of_trace(&t);
        x = answers_finding(a, "same-graph");
        assert_int_equal(x != NULL, i == 0);
        if (x) {
            assert_str(x->title, "3 functions have the same graph of 3 operators: `f0`, `f1`, `f2`");
            assert_int_equal(x->cost_us, 4000000);
            assert_int_equal(x->severity, FINDING_MEDIUM);
            assert_int_equal(x->compiles.n, 3);
        }
        answers_free(a);
    }
}

/* Five names are shown, and how many there are besides. */
static void names_of_many(void **state)
{
    static const char *const rest[] = {[5] = "", [6] = " and 1 more"};

    (void)state;
    for (int n = 5; n <= 6; n++) {
        static const char *const graphs[] = {GRAPH("x", "sin"), GRAPH("x", "sin"), GRAPH("x", "sin"),
                                             GRAPH("x", "sin"), GRAPH("x", "sin"), GRAPH("x", "sin")};
        struct trace_text t = {0};
        const struct answers *a;
        char title[200];

        same_graphs(&t, graphs, n);
        a = answers_of_trace(&t);
        snprintf(title, sizeof title,
                 "%d functions have the same graph of 3 operators: `f0`, `f1`, `f2`, `f3`, `f4`%s", n, rest[n]);
        assert_str(answers_finding(a, "same-graph")->title, title);
        answers_free(a);
    }
}

/* The same function again, for another reason, is a recompile. */
static void the_same_function(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;

    (void)state;
    trace_file(&t);
    for (int i = 0; i < 4; i++) {
        trace_start(&t, trace_ids(0, i, 0), "f", 5);
        output_graph(&t, trace_ids(0, i, 0), GRAPH("sin", "sin"));
        trace_metrics(&t, trace_ids(0, i, 0), "\"graph_op_count\": 3");
    }
    a = answers_of_trace(&t);
    assert_null(answers_finding(a, "same-graph"));
    answers_free(a);
}

/* A graph of `times` blocks of `operators`, with something before and behind them. */
static void blocks(struct trace_text *t, int operators, int times, const char *duration)
{
    struct buf graph = {0};
    char metrics[200];

    buf_str(&graph, STR("        # File: /x.py:16 in step, code: return x\n        start = f(x)\n"));
    for (int i = 0; i < times; i++)
        for (int k = 0; k < operators; k++)
            buf_printf(&graph, "        op%c_%d: \"f32\" = torch.op%c(x)\n", 'a' + k, i + 1, 'a' + k);
    buf_str(&graph, STR("        end = f(x)\n"));
    buf_char(&graph, '\0');
    trace_file(t);
    trace_start(t, IN(0, 0, 0), "model", 5);
    output_graph(t, IN(0, 0, 0), graph.p);
    snprintf(metrics, sizeof metrics,
             "\"graph_op_count\": 40, \"start_time_us\": 1795255200000000, \"duration_us\": %s", duration);
    trace_metrics(t, IN(0, 0, 0), metrics);
    buf_free(&graph);
}

static void repeated_blocks(void **state)
{
    static const struct {
        int operators, times;
        const char *duration, *title;
    } cases[] = {
        {5, 4, "30000000", "The graph of [0/0] contains one block of 5 operators 4 times: most of a compile of 30 s"},
        {20, 12, "30000000",
         "The graph of [0/0] contains one block of 20 operators 12 times: most of a compile of 30 s"},
        {5, 3, "30000000", NULL},
        {3, 3, "30000000", NULL},
        {5, 4, "29999999", NULL},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        const struct answers *a;
        const struct finding *x;

        blocks(&t, cases[i].operators, cases[i].times, cases[i].duration);
        a = answers_of_trace(&t);
        x = answers_finding(a, "repeated-block");
        assert_int_equal(x != NULL, cases[i].title != NULL);
        if (x)
            assert_str(x->title, cases[i].title);
        answers_free(a);
    }
}

/* The function that the operators are in is what to compile, if the guards show who calls it. */
static void looped_block(void **state)
{
    static const struct {
        const char *guard, *paste;
        int line;
    } cases[] = {
        {"y = self.step(i, y)  # x.py:7 in model", "self.step = torch.compile(self.step)", 7},
        {"y = step(i, y)  # x.py:7 in model", "step = torch.compile(step)", 7},
        {"y = self.other(i, y)  # x.py:7 in model",
         "step = torch.compile(step)   # step: the function or module that the loop calls", 5},
        {"y = self.step(i, y)  # z.py:7 in model",
         "step = torch.compile(step)   # step: the function or module that the loop calls", 5},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        const struct answers *a;
        const struct finding *x;
        char guards[200];

        snprintf(guards, sizeof guards, "| +- TYPE_MATCH: ___check_type_id(L['n'], 7)  # %s\n", cases[i].guard);
        blocks(&t, 5, 4, "30000000");
        trace_artifact(&t, "dynamo_cpp_guards_str", IN(0, 0, 0), guards);
        a = answers_of_trace(&t);
        x = answers_finding(a, "repeated-block");
        assert_str(x->paste.text, cases[i].paste);
        assert_int_equal(x->line, cases[i].line);
        answers_free(a);
    }
}

/* A function in so many pieces, each with so many operators. */
static void pieces(struct trace_text *t, int breaks, int operators)
{
    char name[100], metrics[100];

    trace_file(t);
    snprintf(metrics, sizeof metrics, "\"graph_op_count\": %d", operators);
    trace_start(t, IN(0, 0, 0), "f", 5);
    for (int i = 0; i < breaks; i++) {
        trace_break(t, trace_ids(i, 0, 0), "Call to `torch._dynamo.graph_break()`", i ? name : "f", 7 + i);
        trace_metrics(t, trace_ids(i, 0, 0), metrics);
        snprintf(name, sizeof name, "torch_dynamo_resume_in_f_at_%d", 7 + i);
        trace_start(t, trace_ids(i + 1, 0, 0), name, 5);
    }
    trace_metrics(t, trace_ids(breaks, 0, 0), metrics);
}

static void in_pieces(void **state)
{
    static const struct {
        int breaks, operators;
        bool hotspot, tiny;
    } cases[] = {{8, 4, true, true}, {7, 4, false, true}, {6, 4, false, false}, {8, 5, true, false}};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        const struct answers *a;
        const struct finding *x;

        pieces(&t, cases[i].breaks, cases[i].operators);
        a = answers_of_trace(&t);
        x = answers_finding(a, "break-hotspot");
        assert_int_equal(x != NULL, cases[i].hotspot);
        if (x) {
            assert_str(x->title, "`f` breaks the graph at 8 places");
            assert_str(x->detail, "It is compiled in 9 pieces, and Python runs between them.");
            assert_int_equal(x->line, 5);
        }
        assert_int_equal(answers_finding(a, "tiny-graphs") != NULL, cases[i].tiny);
        answers_free(a);
    }
}

/* Nothing was compiled at the first call; what is left of a function behind a break is no matter. */
static void empty_graphs(void **state)
{
    static const struct {
        const char *function;
        int compile;
        bool found;
    } cases[] = {{"f", 0, true}, {"f", 1, false}, {"torch_dynamo_resume_in_f_at_7", 0, false}};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        const struct answers *a;
        const struct finding *x;

        trace_file(&t);
        trace_start(&t, trace_ids(0, cases[i].compile, 0), cases[i].function, 5);
        trace_metrics(&t, trace_ids(0, cases[i].compile, 0), "\"cache_size\": 0");
        a = answers_of_trace(&t);
        x = answers_finding(a, "empty-graph");
        assert_int_equal(x != NULL, cases[i].found);
        if (x)
            assert_str(x->title, "Nothing to compile in `f`: no operator on a tensor");
        answers_free(a);
    }
}

/* The settings of all compiles, each once. */
static void settings(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;

    (void)state;
    for (int i = 0; i < 2; i++)
        trace_metrics(&t, trace_ids(i, 0, 0),
                      "\"graph_op_count\": 1, \"pytorch_version\": \"2.13.0\", "
                      "\"inductor_config\": \"{\\\"fx_graph_cache\\\": false, \\\"debug\\\": "
                      "false, \\\"trace.enabled\\\": true, \\\"fallback_random\\\": true, "
                      "\\\"cuda.use_fast_math\\\": true}\", \"dynamo_config\": \"{\\\"repro_after\\\": "
                      "\\\"aot\\\", \\\"debug_backend_override\\\": \\\"\\\"}\"");
    a = answers_of_trace(&t);
    assert_str(answers_findings(a), "low cache-off, low debug-settings, low fallback-random, info unsafe-math");
    assert_str(answers_finding(a, "cache-off")->title,
               "Caches are switched off: `torch._inductor.config.fx_graph_cache = False`");
    assert_str(answers_finding(a, "cache-off")->paste.text, "torch._inductor.config.fx_graph_cache = True");
    assert_str(answers_finding(a, "debug-settings")->title,
               "Debugging settings are on: `torch._dynamo.config.repro_after = 'aot'`, "
               "`torch._inductor.config.trace.enabled = True`");
    assert_str(answers_finding(a, "debug-settings")->paste.text,
               "torch._dynamo.config.repro_after = None\ntorch._inductor.config.trace.enabled = False");
    answers_free(a);
}

/* Before 2.6 the head of the runnable program is the only place that has it. */
static void settings_of_old_traces(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;

    (void)state;
    complete(&t);
    trace_artifact(&t, "fx_graph_runnable", IN(0, 0, 0),
                   "import torch\ntorch._inductor.config.fallback_random = True\ntorch._inductor.config.debug = False\n"
                   "class Repro:\n    torch._inductor.config.nan_asserts = True\n");
    a = answers_of_trace(&t);
    assert_str(answers_findings(a), "low fallback-random");
    answers_free(a);
}

/* What the code of a graph shows: a copy into an input, calls outside of kernels; those of libraries are expected. */
static void code(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;

    (void)state;
    trace_metrics(&t, IN(0, 0, 0), "\"graph_op_count\": 2, \"non_compliant_ops\": [\"prims::fma\", \"shop::tax\"]");
    trace_artifact(&t, "inductor_post_grad_graph", IN(0, 0, 0),
                   "    def forward(self, arg0_1: \"f32[4]\", arg1_1: \"f32[4]\", arg2_1: \"f32[4]\"):\n"
                   "        # File: /x.py:7 in f, code: x.add_(1)\n        add: \"f32[4]\" = "
                   "torch.ops.aten.add.Tensor(arg2_1, 1)\n        copy_: \"f32[4]\" = "
                   "torch.ops.aten.copy_.default(arg2_1, add);  arg2_1 = None\n        copy__1: \"f32[4]\" = "
                   "torch.ops.aten.copy_.default(arg1_1, add)\n        copy__2: \"f32[4]\" = "
                   "torch.ops.aten.copy_.default(arg0_1, add)\n        copy: \"f32[4]\" = "
                   "torch.ops.aten.copy_.default(buf, add)\n");
    trace_payload(&t, "{\"dynamo_output_graph\": {}, " IN(0, 0, 0) "}",
                  "    def forward(self, L_self_buffers_mean_: \"f32[4]\", L_x_: \"f32[4]\"):\n");
    trace_payload(&t, "{\"inductor_output_code\": {\"filename\": \"/x\"}, " IN(0, 0, 0) "}",
                  "        buf0 = torch.ops.shop.price.default(arg0_1)\n        buf1 = "
                  "torch.ops.aten._flash_attention.default(buf0)\n        extern_kernels.mm(buf0)\n        buf2 = "
                  "torch.ops.shop.price.default(buf1)\n");
    a = answers_of_trace(&t);
    assert_str(answers_findings(a), "low custom-op-not-compliant, info mutated-inputs, info fallback-kernel");
    assert_str(answers_finding(a, "mutated-inputs")->title, "1 input is changed in place: `x`");
    assert_str(answers_finding(a, "mutated-inputs")->source, "x.add_(1)");
    assert_int_equal(answers_finding(a, "mutated-inputs")->line, 7);
    assert_str(answers_finding(a, "fallback-kernel")->title,
               "1 operator runs outside of the generated kernels: `shop.price.default`");
    assert_str(answers_finding(a, "custom-op-not-compliant")->paste.text,
               "torch.library.opcheck(torch.ops.shop.tax.default, (x,))");
    answers_free(a);
}

/* Found in the caches, missed in part, cold. */
static void cache_states(void **state)
{
    static const struct {
        int hits, misses;
        const char *duration, *findings;
        bool own; /* what was found is what the run had missed before */
    } cases[] = {
        {3, 1, "3000000", "info cache-miss, info clean", false},
        {3, 1, "3000000", "info clean", true},
        {2, 1, "3000000", "info clean", false},
        {1, 1, "30000000", "info clean", false},
        {2, 0, "30000000", "info clean", false},
        {0, 1, "30000000", "info cache-cold, info clean", false},
        {0, 1, "29000000", "info clean", false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        const struct answers *a;
        char metrics[200];

        for (int k = 0; k < cases[i].hits; k++)
            trace_artifact(&t, "fx_graph_cache_hit", trace_ids(k, 0, 0), "{\"key\": \"x\"}");
        for (int k = 0; k < cases[i].misses; k++)
            trace_artifact(&t, "fx_graph_cache_miss", trace_ids(9, 0, 0),
                           cases[i].own ? "{\"key\": \"x\", \"cache_status_detailed\": \"full_miss\"}"
                                        : "{\"key\": \"y\", \"cache_status_detailed\": \"full_miss\"}");
        snprintf(metrics, sizeof metrics,
                 "\"graph_op_count\": 2, \"start_time_us\": 1795255200000000, \"duration_us\": %s", cases[i].duration);
        for (int k = 0; k < cases[i].hits; k++)
            trace_metrics(&t, trace_ids(k, 0, 0), "\"graph_op_count\": 2");
        trace_metrics(&t, trace_ids(9, 0, 0), metrics);
        a = answers_of_trace(&t);
        if (!str_eq(answers_findings(a), str_of(cases[i].findings)))
            fail_msg("case %zu: %.*s", i, STR_ARG(answers_findings(a)));
        answers_free(a);
    }
}

/* Another rank found all of the same graphs: no edit of the program explains that. */
static void cache_missed_by_one_rank(void **state)
{
    struct run *r = run_new();
    const struct answers *a;

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct trace_text t = {.pid = 10 + i};

        for (int k = 0; k < 4; k++) {
            trace_artifact(&t, i && k == 3 ? "fx_graph_cache_miss" : "fx_graph_cache_hit", trace_ids(k, 0, 0), "{}");
            trace_metrics(&t, trace_ids(k, 0, 0), "\"graph_op_count\": 2");
        }
        trace_add(r, i ? "rank_1.log" : "rank_0.log", &t);
    }
    run_finish(r);
    a = answers_of(r);
    assert_int_equal(answers_finding(a, "cache-miss")->severity, FINDING_LOW);
    answers_free(a);
}

/* One cause is one finding, whatever the input is called. */
static void cudagraph_skips(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;

    (void)state;
    trace_metrics(&t, IN(0, 0, 0), "\"graph_op_count\": 2, \"cudagraph_skip_reason\": \"cpu device (arg0_1)\"");
    trace_metrics(&t, IN(1, 0, 0), "\"graph_op_count\": 2, \"cudagraph_skip_reason\": \"cpu device (arg1_1)\"");
    trace_metrics(&t, IN(2, 0, 0),
                  "\"graph_op_count\": 2, \"cudagraph_skip_reason\": \"mutated inputs (1 instances)\"");
    a = answers_of_trace(&t);
    assert_str(answers_findings(a), "medium cudagraphs-skipped, medium cudagraphs-skipped-2");
    assert_str(answers_finding(a, "cudagraphs-skipped")->title, "CUDA graphs are skipped: cpu device (arg0_1)");
    assert_int_equal(answers_finding(a, "cudagraphs-skipped")->cost_compiles, 2);
    answers_free(a);
}

/* Both sides of one comparison, in the line of code or else in the expression; of anything else neither. */
static void sides_of_a_condition(void **state)
{
    static const struct {
        const char *expression, *names, *source, *holds, *fails;
        bool symbolic;
    } cases[] = {
        {"u0 > 4", "", "    if n > 4:", "n > 4", "n <= 4", false},
        {"u0 > 4", "", "while x[1:] > 4:", "x[1:] > 4", "x[1:] <= 4", false},
        {"u0 > 4", "", "assert n >= 4", "n >= 4", "n < 4", false},
        {"Eq(u0, 0)", "", "elif n == 0:", "n == 0", "n != 0", false},
        {"Eq(u0, 1)", "", "if flag:", "flag", "torch.sym_not(flag)", false},
        {"Ne(u0, 0)", "u0 = n", "if n:", "n != 0", "n == 0", false},
        {"Ne(u0, 0)", "", "if n:", "u0 != 0", "u0 == 0", true},
        {"u0 > 4", "", "y = x[:n]", "u0 > 4", "u0 <= 4", true},
        {"u0 > 4", "u0 = n", "if n > 4 and m:", "n > 4", "n <= 4", false},
        {"u0 > 4", "", "if x.item() > 4:", "u0 > 4", "u0 <= 4", true},
        {"Eq(u77 - 1, 1)", "", "scores = scores + mask", "u77 - 1 == 1", "u77 - 1 != 1", true},
        {"Eq((12//u0), 0)", "u0 = n", "y = x.view(n, -1)", "(12//n) == 0", "(12//n) != 0", false},
        {"Eq(Mod(u0, 4), 0)", "", "", "(u0 % 4) == 0", "(u0 % 4) != 0", true},
        {"Ne(u0, u1)", "", "", "u0 != u1", "u0 == u1", true},
        {"u0", "", "y = x[:n]", "", "", false},
        {"Max(1, u0) < 7", "", "", "", "", false},
        {"Eq(1, u6) | Eq(96*u6, 0)", "", "", "", "", false},
        {"", "", "if 2 < n < 4:", "", "", false},
        {"", "", "if n:", "", "", false},
        {"", "", "y = x[:n]", "", "", false},
        {"", "", "if ", "", "", false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct unknown_condition unknown = {.expression = str_of(cases[i].expression),
                                            .names = str_of(cases[i].names),
                                            .source = str_of(cases[i].source)};
        struct arena *a = arena_new();
        struct condition c;

        finding_condition(a, &unknown, &c);
        assert_str(c.holds, cases[i].holds);
        assert_str(c.fails, cases[i].fails);
        assert_int_equal(c.symbolic, cases[i].symbolic);
        arena_free(a);
    }
}

/* The check is a statement only where nothing is to be filled in, and another one may stand before the line. */
static void the_check_to_add(void **state)
{
    static const struct {
        const char *expression, *source;
        bool held;
        const char *check;
        enum paste_kind kind;
    } cases[] = {
        {"u0 > 4", "    if n > 4:", true, "torch._check(n > 4)", PASTE_STATEMENT},
        {"u0 > 4", "    if n > 4:", false, "torch._check(n <= 4)", PASTE_STATEMENT},
        {"Eq(u0, 1)", "if flag:", false, "torch._check(torch.sym_not(flag))", PASTE_STATEMENT},
        {"u0 > 4", "assert n > 4", true, "torch._check(n > 4)", PASTE_STATEMENT},
        {"u0 > 4", "elif n > 4:", true, "torch._check(n > 4)", PASTE_PATTERN},
        {"u0 > 4", "while n > 4:", true, "torch._check(n > 4)", PASTE_PATTERN},
        {"u0 > 4", "y = x[:n]", false,
         "torch._check(u0 <= 4)   # u0, u1, ... stand for the values that are read from tensors", PASTE_PATTERN},
        {"u0", "for i in range(n):", true, "", PASTE_NONE},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct finder f = {.arena = arena_new()};
        struct call line = {.file = STR("f.py"), .line = 7};
        struct finding x = {0};
        struct unknown_condition c = {
            .expression = str_of(cases[i].expression), .source = str_of(cases[i].source), .line = &line};

        finding_paste_check(&f, &x, &c, cases[i].held);
        assert_str(x.paste.text, cases[i].check);
        assert_int_equal(x.paste.kind, cases[i].kind);
        assert_int_equal(x.paste.line, x.paste.text.n ? 7 : 0);
        arena_free(f.arena);
    }
}

/* What the PyTorch of the trace does not have is not advised. */
static void names_of_the_version(void **state)
{
    static const struct {
        const char *version, *text;
        enum paste_kind kind;
        const char *fix; /* NULL: the text stays */
    } cases[] = {
        {"2.13.0", "torch._functorch.config.force_non_lazy_backward_lowering = True", PASTE_SETTING, NULL},
        {"2.6.0+cu124", "torch._functorch.config.force_non_lazy_backward_lowering = True", PASTE_SETTING,
         "Do it."},
        {"", "torch._functorch.config.force_non_lazy_backward_lowering = True", PASTE_SETTING, NULL},
        {"2.6.0", "torch._dynamo.config.reorderable_logging_functions.add(print)", PASTE_SETTING, NULL},
        {"2.3.1", "import torch._dynamo.config\ntorch._dynamo.config.allow_unspec_int_on_nn_module = True",
         PASTE_SETTING,
         "Do it."},
        {"2.6.0", "torch.compile(model, isolate_recompiles=True)", PASTE_PATTERN,
         "Do it."},
        {"2.6.0", "torch.compile(model, options={\"a\": f(isolate_recompiles=1)})", PASTE_PATTERN, NULL},
        {"2.13.0", "torch.compile(model, isolate_recompiles=True)", PASTE_PATTERN, NULL},
        {"2.6.0", "my_torch.compile(model, isolate_recompiles=True)", PASTE_PATTERN, NULL},
        {"2.6.0", "TORCHINDUCTOR_CACHE_DIR=$HOME/.cache", PASTE_ENVIRONMENT, NULL},
        {"2.3.1", "TORCH_LOGS=\"recompiles\"\nTORCH_COMPILE_DYNAMIC_SOURCES=x", PASTE_ENVIRONMENT,
         "Do it."},
        {"2.6.0", "", PASTE_NONE, NULL},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct input in = {0};
        struct process p = {.input = &in, .versions.pytorch = str_of(cases[i].version)};
        struct compile c = {.process = &p};
        struct finder f = {.arena = arena_new()};
        struct finding x = {.fix = STR("Do it.")};

        vec_push(f.arena, &x.compiles, &c);
        finding_paste(&x, cases[i].kind, str_of(cases[i].text));
        finding_check_version(&f, &x);
        assert_str(x.fix, cases[i].fix ? cases[i].fix : "Do it.");
        assert_str(x.paste.text, cases[i].fix ? "" : cases[i].text);
        arena_free(f.arena);
    }
}

/* Where nothing else is said, the version that has it is; what points at the text goes with it. */
static void nothing_but_a_missing_name(void **state)
{
    static const struct {
        const char *fix, *left;
    } cases[] = {
        {"", "`isolate_recompiles` would help, but PyTorch 2.6.0 does not have it; it was added in 2.13."},
        {"Do it. " FINDING_SETTING_BELOW, "Do it."},
        {"Do it. `maybe_mark_dynamic` or `mark_unbacked`.", "Do it. `maybe_mark_dynamic` or `mark_unbacked`."},
        {"Do it. Or `nested_compile_region` may do.", "Do it."},
        {"Do it. `nested_compile_region` in 2.8 and later.", "Do it. `nested_compile_region` in 2.8 and later."},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct input in = {0};
        struct process p = {.input = &in, .versions.pytorch = STR("2.6.0")};
        struct compile c = {.process = &p};
        struct finder f = {.arena = arena_new()};
        struct finding x = {.fix = str_of(cases[i].fix)};

        vec_push(f.arena, &x.compiles, &c);
        finding_paste(&x, PASTE_PATTERN, STR("torch.compile(model, isolate_recompiles=True)"));
        finding_check_version(&f, &x);
        assert_str(x.fix, cases[i].left);
        arena_free(f.arena);
    }
}

/* A text to paste has the names of the version, where that has another one for the same. */
static void older_names(void **state)
{
    static const struct {
        const char *version, *text, *pasted;
    } cases[] = {
        {"2.3.1", "torch._dynamo.config.recompile_limit = 16", "torch._dynamo.config.cache_size_limit = 16"},
        {"2.7.0", "torch._dynamo.config.recompile_limit = 16", "torch._dynamo.config.recompile_limit = 16"},
        {"2.0.1", "@torch.compiler.disable", "@torch._dynamo.disable"},
        {"2.1.0", "@torch.compiler.disable", "@torch.compiler.disable"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct input in = {0};
        struct process p = {.input = &in, .versions.pytorch = str_of(cases[i].version)};
        struct compile c = {.process = &p};
        struct finder f = {.arena = arena_new()};
        struct finding x = {.fix = STR("Do it.")};

        vec_push(f.arena, &x.compiles, &c);
        finding_paste(&x, PASTE_PATTERN, str_of(cases[i].text));
        finding_check_version(&f, &x);
        assert_str(x.fix, "Do it.");
        assert_str(x.paste.text, cases[i].pasted);
        arena_free(f.arena);
    }
}

/* A fake kernel takes what a call of the operator passes. */
static void the_fake_kernel_to_add(void **state)
{
    static const struct {
        const char *op, *arguments, *head;
    } cases[] = {
        {"shop.price.default", "x, 3", "@torch.library.register_fake(\"shop::price\")\ndef _(x, argument2):\n"},
        {"shop.price.default", "x, [a, b], dim = 1",
         "@torch.library.register_fake(\"shop::price\")\ndef _(x, argument2, dim):\n"},
        {"shop.price", "", "@torch.library.register_fake(\"shop::price\")\ndef _(x, *args, **kwargs):\n"},
        {"shop", "", ""},
        {"a b.c", "", ""},
        {"a.c\"d", "", ""},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct finder f = {.arena = arena_new()};
        struct finding x = {0};

        finding_paste_fake_kernel(&f, &x, str_of(cases[i].op), str_of(cases[i].arguments));
        assert_str(str_take(x.paste.text, strlen(cases[i].head)), cases[i].head);
        assert_int_equal(x.paste.text.n > 0, cases[i].head[0] != '\0');
        arena_free(f.arena);
    }
}

/* What went well is said, where there is something to be said of. */
static void praise(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;

    (void)state;
    guards(&t, 45, 96);
    output_graph(&t, IN(0, 0, 0), GRAPH("sin", "sin"));
    a = answers_of_trace(&t);
    assert_str(answers_finding(a, "clean")->detail,
               "Each function is one graph, and every later call used it: 1 graph of 2 operators in all. Checking 45 "
               "guards took at most 96 µs for a call.");
    answers_free(a);
}

/* Every row has its words, and stands once. */
static void the_table(void **state)
{
    const struct finding_info *info;

    (void)state;
    for (size_t i = 0; (info = finding_info_at(i)) != NULL; i++) {
        struct str detects = str_of(info->detects);

        assert_true(info->severity && *info->severity);
        assert_true(detects.n > 10 && !str_ends(detects, STR(".")));
        assert_true(str_starts(str_of(info->doc), STR("https://docs.pytorch.org/")));
        assert_non_null(info->find);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(finding_info_at(k)->id, info->id);
    }
}

/* What it was doing when it was cut off, and where. */
static void the_last_activity(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;
    const struct finding *x;

    (void)state;
    cut_off(&t);
    a = answers_of_trace(&t);
    x = answers_finding(a, "incomplete");
    assert_str(x->detail, "Its last recorded activity is `build_guards`.");
    assert_str(x->file, "/x.py");
    assert_int_equal(x->line, 5);
    assert_int_equal(x->compiles.n, 1);
    answers_free(a);
}

/* Each reason once; a compile whose forward and backward graphs were both bypassed is one compile. */
static void bypassed_several_times(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;

    (void)state;
    for (int i = 0; i < 6; i++)
        trace_artifact(&t, i % 2 ? "fx_graph_cache_bypass" : "aotautograd_cache_bypass", trace_ids(i / 4, 0, 0),
                       "{\"cache_bypass_reason\": \"HOP\"}");
    trace_artifact(&t, "fx_graph_cache_bypass", IN(1, 0, 0), "{}");
    a = answers_of_trace(&t);
    assert_str(answers_findings(a), "low cache-bypass, low cache-bypass-2");
    assert_str(answers_finding(a, "cache-bypass")->title, "The AOTAutograd and FX graph caches were bypassed: HOP");
    assert_int_equal(answers_finding(a, "cache-bypass")->cost_compiles, 2);
    assert_int_equal(answers_finding(a, "cache-bypass")->compiles.n, 2);
    assert_str(answers_finding(a, "cache-bypass-2")->title, "The FX graph cache was bypassed: no reason given");
    answers_free(a);
}

/* Each cache has its own words for an operator that it does not take: one cause. What helps depends on the reason. */
static void bypassed_for_a_reason(void **state)
{
    static const struct {
        const char *aot, *fx, *found, *says;
    } cases[] = {
        {"Unsupported call_function target cond. \\n Function module: torch.ops.higher_order, \\nFunction name: cond",
         "Can't cache HigherOrderOperator: cond", "info cache-bypass", "accept"},
        {"Unsupported call_function target cond. \\n Function module: torch.ops.higher_order, \\nFunction name: cond",
         "Can't cache HigherOrderOperator: scan", "info cache-bypass, info cache-bypass-2", "accept"},
        {"Unsupported post grad custom pass", "Unsupported post grad custom pass", "low cache-bypass",
         "`CustomGraphPass`"},
        {"Unsupported call_function target <Wrapped method <original mean>>. \\n Function module: torch._dynamo.utils",
         NULL, "info cache-bypass", "NumPy"},
        {"Unsupported call_function target <function price at 0x7f00>. \\n Function module: shop", NULL,
         "low cache-bypass", "torch.library.custom_op"},
        {"The till is open", NULL, "low cache-bypass", "remove the cause"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        const struct answers *a;
        char text[300];

        snprintf(text, sizeof text, "{\"cache_bypass_reason\": \"%s\"}", cases[i].aot);
        trace_artifact(&t, "aotautograd_cache_bypass", IN(0, 0, 0), text);
        snprintf(text, sizeof text, "{\"cache_bypass_reason\": \"%s\"}", cases[i].fx ? cases[i].fx : "");
        if (cases[i].fx)
            trace_artifact(&t, "fx_graph_cache_bypass", IN(0, 0, 0), text);
        a = answers_of_trace(&t);
        assert_true(str_starts(answers_findings(a), str_of(cases[i].found)));
        assert_int_equal(answers_finding(a, "cache-bypass-2") != NULL, strstr(cases[i].found, "-2") != NULL);
        assert_true(str_has(answers_finding(a, "cache-bypass")->fix, str_of(cases[i].says)));
        answers_free(a);
    }
}

/* The size of one source that one line fixes is one finding, in however many compiles. */
static void specialized_several_times(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;
    const struct finding *x;

    (void)state;
    specialized(&t);
    specialized(&t);
    a = answers_of_trace(&t);
    assert_str(answers_findings(a), "low specialization");
    x = answers_finding(a, "specialization");
    assert_str(x->source, "if x.shape[0] == 4:");
    assert_int_equal(x->line, 7);
    answers_free(a);
}

/* The break in its line needs the size; a break elsewhere has nothing to do with it. */
static void specialized_at_a_break(void **state)
{
    (void)state;
    for (int line = 7; line < 9; line++) {
        struct trace_text t = {0};
        const struct answers *a;

        specialized(&t);
        trace_break(&t, IN(0, 0, 0), "what", "f", line);
        a = answers_of_trace(&t);
        assert_ptr_equal(answers_finding(a, "specialization")->follows_from,
                         line == 7 ? answers_finding(a, "break-other") : NULL);
        answers_free(a);
    }
}

/* Where each process was when the time was over: those at the same line are counted together. */
static void hanging_processes(void **state)
{
    static const char *const at_step = "Thread 0x00007f (most recent call first):\n"
                                       "  File \"/x/train.py\", line 3 in step\n"
                                       "  File \"/x/train.py\", line 9 in <module>\n";
    static const char *const at_wait = "Thread 0x00007f (most recent call first):\n"
                                       "  File \"/usr/lib/python3.11/threading.py\", line 320 in wait\n"
                                       "  File \"/x/data.py\", line 5 in load\n";
    const char *const texts[] = {at_step, at_wait, at_step};
    struct trace_text t = {0};
    struct experiment x = {0};
    struct trial base = {.name = STR("base"), .end = STR(TRIAL_TIMED_OUT), .wall_us = 12000000};
    const struct answers *a;
    const struct finding *hang;
    struct run *r;

    (void)state;
    complete(&t);
    r = trace_run(&t);
    for (size_t i = 0; i < COUNT(texts); i++)
        vec_push(r->arena, &base.stacks, ((struct trial_stack){.pid = 10 + (int64_t)i, .text = str_of(texts[i])}));
    vec_push(r->arena, &x.trials, base);
    r->experiment = &x;
    a = answers_of(r);
    hang = answers_finding(a, "run-hang");
    assert_str(hang->title, "It did not end within 12 s: it was in `step` (train.py:3)");
    assert_str(hang->file, "/x/train.py");
    assert_int_equal(hang->line, 3);
    assert_str(hang->detail, "The section on the run has the stacks of all threads. 2 processes were in `step` "
                             "(train.py:3). 1 process was in `load` (data.py:5), in `wait`.");
    answers_free(a);
}

/* What a signal says of the run; of a crash that left a stack only that error is said. */
static void signals(void **state)
{
    static const struct {
        int signal;
        const char *title, *detail, *fix; /* what the texts begin with */
    } cases[] = {
        {SIGXCPU, "It was ended by SIGXCPU after 12 s", "It exceeded the CPU time limit", "Find out who sent it"},
        {SIGXFSZ, "It was ended by SIGXFSZ after 12 s", "It exceeded the file size limit", "Find out who sent it"},
        {SIGTERM, "It was ended by SIGTERM after 12 s", "pt2trace did not end it", "Find out who sent it"},
        {SIGHUP, "It was ended by SIGHUP after 12 s", "pt2trace did not end it", "Find out who sent it"},
        {SIGSEGV, "It was ended by SIGSEGV after 12 s", NULL, "`pt2trace run --why crash`"},
        {SIGILL, "It was ended by SIGILL after 12 s", NULL, "`pt2trace run --why crash`"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        struct experiment x = {0};
        struct trial base = {.name = STR("base"),
                             .end = STR(TRIAL_SIGNALED),
                             .signal = cases[i].signal,
                             .wall_us = 12000000,
                             .failed = true};
        const struct finding *found;
        const struct answers *a;
        struct run *r;

        complete(&t);
        r = trace_run(&t);
        vec_push(r->arena, &x.trials, base);
        r->experiment = &x;
        a = answers_of(r);
        found = answers_finding(a, "run-signal");
        assert_non_null(found);
        assert_str(found->title, cases[i].title);
        assert_true(cases[i].detail ? str_starts(found->detail, str_of(cases[i].detail)) : found->detail.n == 0);
        assert_true(str_starts(found->fix, str_of(cases[i].fix)));
        answers_free(a);
    }
}

/* Floats, strides and what modules have become constants wherever PyTorch's own code needs them so. */
static void constants_of_pytorch(void **state)
{
    static const char *const cases[][2] = {{"zf0", "L['eps']"},
                                           {"s0", "L['x'].stride()[0]"},
                                           {"s0", "L['x'].storage_offset()"},
                                           {"s0", "L['x'].item()"},
                                           {"s0", "L['self'].width"}};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        const struct answers *a;

        specialized_as(&t, cases[i][0], cases[i][1]);
        a = answers_of_trace(&t);
        assert_str(answers_findings(a), "info clean");
        answers_free(a);
    }
}

/* An id alone does not name a compile where there are several ranks. */
static void names_with_ranks(void **state)
{
    struct run *r = run_new();
    const struct answers *a;

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        static const char *const names[] = {"rank_0.log", "rank_1.log"};
        struct trace_text t = {.pid = 10 + i};

        complete(&t);
        if (i == 1)
            cut_off(&t);
        trace_add(r, names[i], &t);
    }
    run_finish(r);
    a = answers_of(r);
    assert_str(answers_finding(a, "incomplete")->title, "The trace ends while [1/0] on rank 1 was being compiled");
    assert_int_equal(answers_finding(a, "incomplete")->rank, 1);
    answers_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order),
        cmocka_unit_test(costs),
        cmocka_unit_test(costs_of_ranks),
        cmocka_unit_test(costs_are_shared_out),
        cmocka_unit_test(a_limit_for_each_detector),
        cmocka_unit_test(long_texts),
        cmocka_unit_test(evidence),
        cmocka_unit_test(all_detectors),
        cmocka_unit_test(the_longest_backward),
        cmocka_unit_test(the_compile_with_the_most_guards), cmocka_unit_test(where_guards_are_checked),
        cmocka_unit_test(what_a_rank_compiles_besides),
        cmocka_unit_test(stages_of_a_pipeline),
        cmocka_unit_test(ranks_that_wait),
        cmocka_unit_test(the_same_graph),
        cmocka_unit_test(names_of_many),
        cmocka_unit_test(the_same_function),
        cmocka_unit_test(repeated_blocks),
        cmocka_unit_test(looped_block),
        cmocka_unit_test(in_pieces),
        cmocka_unit_test(empty_graphs),
        cmocka_unit_test(settings),
        cmocka_unit_test(settings_of_old_traces),
        cmocka_unit_test(code),
        cmocka_unit_test(cache_states),
        cmocka_unit_test(cache_missed_by_one_rank),
        cmocka_unit_test(cudagraph_skips),
        cmocka_unit_test(sides_of_a_condition),
        cmocka_unit_test(the_check_to_add),
        cmocka_unit_test(names_of_the_version),
        cmocka_unit_test(nothing_but_a_missing_name), cmocka_unit_test(older_names),
        cmocka_unit_test(the_fake_kernel_to_add),
        cmocka_unit_test(praise),
        cmocka_unit_test(the_table),
        cmocka_unit_test(the_last_activity),
        cmocka_unit_test(bypassed_several_times),
        cmocka_unit_test(bypassed_for_a_reason),
        cmocka_unit_test(specialized_several_times),
        cmocka_unit_test(specialized_at_a_break),
        cmocka_unit_test(hanging_processes),
        cmocka_unit_test(signals),
        cmocka_unit_test(constants_of_pytorch),
        cmocka_unit_test(names_with_ranks),
    };

    return RUN(tests);
}
