/* Findings as such (order, names, limits), and those that find_other.c makes. */
#include "answers_text.h"

#define check_findings(t, expected)                                                                                    \
    do {                                                                                                               \
        const struct answers *a_ = answers_of_trace(t);                                                                \
                                                                                                                       \
        assert_str(answers_findings(a_), expected);                                                                    \
        answers_free(a_);                                                                                              \
    } while (0)

/* Of one severity, the order is that of the detectors, and in one detector that of the trace. */
static void the_order(void **state)
{
    struct trace_text t = {0};

    (void)state;
    trace_file(&t);
    trace_artifact(&t, "recompile_reasons", IN(1, 1, 0), "0/0: n == 7");
    trace_start(&t, IN(1, 1, 0), "g", 9);
    trace_metrics(&t, IN(1, 1, 0), "\"config_suppress_errors\": true");
    trace_break(&t, IN(0, 0, 0), "b", "f", 7);
    trace_break(&t, IN(0, 0, 0), "a", "f", 8);
    trace_error(&t, IN(2, 0, 0), "ValueError", "what", 7);
    trace_error(&t, IN(3, 0, 0), "torch._dynamo.exc.UserError", "what", 7);
    trace_record(&t, "{broken");
    check_findings(&t, "critical error, high error-2, medium suppressed-errors, medium trace-damaged, low break-other, "
                       "low break-other-2, low recompile-int");
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
    trace_recordf(&t,
                  "{\"symbolic_shape_specialization\": {\"symbol\": \"s0\", \"sources\": [\"%.3000s\"], \"value\": "
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
        trace_break(&t, trace_ids(i, 0, 0), "print", "f", 7);
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

static void specialized(struct trace_text *t)
{
    trace_file(t);
    trace_record(t, "{\"symbolic_shape_specialization\": {\"symbol\": \"s0\", \"sources\": [\"L['x'].size()[0]\"], "
                    "\"value\": \"4\", \"user_stack\": [{\"line\": 7, \"name\": \"f\", \"filename\": 0, \"loc\": "
                    "\"if x.shape[0] == 4:\"}]}, " IN(0, 0, 0) "}");
    complete(t);
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

/* Both records tell of one thing. */
static void took_a_real_value(struct trace_text *t)
{
    trace_record(t, "{\"propagate_real_tensors\": {\"expr\": \"u0\", \"result\": \"5\"}}");
    trace_record(t, "{\"propagate_real_tensors_provenance\": {\"expr\": \"u0\", \"result\": \"5\"}}");
}

static void slow_tracing(struct trace_text *t)
{
    EVENT_TIMES(0, 12000000);
    complete(t);
}

static void quick_tracing(struct trace_text *t)
{
    EVENT_TIMES(0, 9900000);
    complete(t);
}

/* Half of it and no more. */
static void slow_in_many_phases(struct trace_text *t)
{
    EVENT_TIMES(0, 12000000);
    trace_event(t, IN(0, 0, 0), "gc", 'B', 12000000);
    trace_event(t, IN(0, 0, 0), "gc", 'E', 23000000);
    trace_event(t, IN(0, 0, 0), "build_guards", 'B', 23000000);
    trace_event(t, IN(0, 0, 0), "build_guards", 'E', 25000000);
    complete(t);
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
    trace_break(t, IN(0, 0, 0), "print", "f", 7);
}

static const struct {
    void (*write)(struct trace_text *t);
    const char *findings, *id, *title;
} detectors[] = {
    {complete, "info clean", "clean", "No graph breaks, recompiles or errors in 1 compile"},
    {nothing, "", NULL, NULL},
    {a_break, "low break-other", NULL, NULL},
    {cut_off, "high incomplete", "incomplete", "The trace ends while [1/0] was being compiled"},
    {cut_off_and_on, "info clean", "clean", "No graph breaks, recompiles or errors in 3 compiles"},
    {cut_off_in_2_4, "info clean", NULL, NULL},
    {suppressed, "medium suppressed-errors", "suppressed-errors",
     "Errors are suppressed: what fails to compile runs eagerly without a word"},
    {not_suppressed, "info clean", NULL, NULL},
    {bypassed, "low cache-bypass", "cache-bypass", "The FX graph cache was bypassed: HOP"},
    {missed, "info clean", NULL, NULL},
    {specialized, "low specialization", "specialization",
     "A dynamic size became a constant: `L['x'].size()[0]` is fixed to 4"},
    {made_dynamic, "info clean", NULL, NULL},
    {no_fake_kernel, "high export", "export", "Export: the operator `my.op.default` has no fake kernel"},
    {wrong_fake_kernel, "high export", "export",
     "Export: the fake kernel of `my.op.default` disagrees with the real one: stride"},
    {depends_on_data, "high export", "export", "Export: the outcome depends on data: `Eq(u0, 0)`"},
    {took_a_real_value, "high export", "export", "Export: a value was taken from the example inputs: `u0`"},
    {slow_tracing, "info slow-phase, info clean", "slow-phase",
     "100 % of the compile time is in one phase: Dynamo: tracing"},
    {quick_tracing, "info clean", NULL, NULL},
    {slow_in_many_phases, "info clean", NULL, NULL},
    {reset, "info resets, info clean", "resets", "`torch._dynamo.reset()` was called 1 time between compiles"},
    {without_ids, "info no-compile-id, info clean", "no-compile-id", "Graphs or code carry no compile id"},
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
    assert_str(x->detail, "The last thing it was doing is `build_guards`.");
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
        cmocka_unit_test(a_limit_for_each_detector),
        cmocka_unit_test(long_texts),
        cmocka_unit_test(evidence),
        cmocka_unit_test(all_detectors),
        cmocka_unit_test(the_last_activity),
        cmocka_unit_test(bypassed_several_times),
        cmocka_unit_test(specialized_several_times),
        cmocka_unit_test(names_with_ranks),
    };

    return RUN(tests);
}
