#include "trace_text.h"

#include "input/limits.h"
#include "trace/kinds.h"

/* The name of a row with a '*' is for names that begin with it. */
static struct str row_name(const struct kind *k)
{
    struct str name = str_of(k->name);

    return str_ends(name, STR("*")) ? str_drop(name, 1) : name;
}

static void no_row_is_shadowed(void **state)
{
    (void)state;
    for (size_t i = 0; i < kind_count; i++)
        if (kind_find(row_name(&kinds[i])) != &kinds[i])
            fail_msg("%s is found as another row", kinds[i].name);
    for (size_t i = 0; i < artifact_kind_count; i++)
        if (artifact_kind_find(row_name(&artifact_kinds[i])) != &artifact_kinds[i])
            fail_msg("artifact %s is found as another row", artifact_kinds[i].name);
    assert_null(kind_find(STR("")));
    assert_null(kind_find(STR("artifact_")));
    assert_null(kind_find(STR("aot_saved_tensors_hook")));
    assert_non_null(kind_find(STR("aot_saved_tensors_hooks_pack 0")));
    assert_null(artifact_kind_find(STR("artifact")));
    assert_non_null(artifact_kind_find(STR("get_remote_code_state")));
}

/* A sample is JSON; its first key is the kind, and an artifact's name the row's. */
static void samples_are_json(void **state)
{
    json_error_t error;

    (void)state;
    for (size_t i = 0; i < kind_count + artifact_kind_count; i++) {
        bool artifact = i >= kind_count;
        const struct kind *k = artifact ? &artifact_kinds[i - kind_count] : &kinds[i];
        json_t *sample = json_loads(k->sample, 0, &error);
        struct str key, name;

        if (!sample)
            fail_msg("%s: %s", k->sample, error.text);
        assert_int_equal(json_object_size(sample), 1);
        key = str_of(json_object_iter_key(json_object_iter(sample)));
        if (artifact) {
            assert_str(key, "artifact");
            name = json_str(json_object_get(json_object_get(sample, "artifact"), "name"));
            assert_ptr_equal(artifact_kind_find(name), k);
        } else {
            assert_ptr_equal(kind_find(key), k);
        }
        json_decref(sample);
    }
}

/* The sample of a row in a compile, with a payload where the row wants one. */
static void add_sample(struct trace_text *t, const struct kind *k)
{
    struct str open = str_drop(str_of(k->sample), 1);
    struct buf json = {0};

    buf_printf(&json, "%.*s, " IN(0, 0, 0) "}", STR_ARG(open));
    buf_char(&json, '\0');
    if (k->flags & KIND_JSON)
        trace_payload(t, json.p,
                      "{\"name\": \"dynamo\", \"ph\": \"B\", \"ts\": 1795255200000000.5, \"key\": \"f1\", "
                      "\"cache_state\": \"hit\"}");
    else if (k->flags & KIND_TEXT)
        trace_payload(t, json.p, "some text\nof two lines");
    else
        trace_record(t, json.p);
    buf_free(&json);
}

/* Each sample alone is read without any message but that a timed event has no end. */
static void samples_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < kind_count + artifact_kind_count; i++) {
        const struct kind *k = i < kind_count ? &kinds[i] : &artifact_kinds[i - kind_count];
        struct trace_text t = {0};
        struct run *r;

        trace_record(&t, "{\"str\": [\"/x.py\", 0]}");
        add_sample(&t, k);
        r = trace_run(&t);
        if (!str_eq(trace_messages(r), k->apply == apply_chromium_event ? STR("event-unmatched:0") : STR("")))
            fail_msg("%s: %.*s", k->sample, STR_ARG(trace_messages(r)));
        assert_int_equal(r->totals.records, 2);
        assert_int_equal(r->totals.unknown_records, 0);
        assert_int_equal(r->inputs.v[0]->artifacts.n, !(k->flags & KIND_OUTLINE));
        run_free(r);
    }
}

/* What the sample of each kind that fills the model puts there. */
static struct run *run_of_samples(const char *const *names)
{
    struct trace_text t = {0};

    trace_record(&t, "{\"str\": [\"/x.py\", 0]}");
    for (; *names; names++) {
        const struct kind *k = kind_find(str_of(*names));

        add_sample(&t, k ? k : artifact_kind_find(str_of(*names)));
    }
    return trace_run(&t);
}

#define SAMPLES(...) run_of_samples((const char *const[]){__VA_ARGS__, NULL})

static void shapes(void **state)
{
    struct run *r = SAMPLES("create_symbol", "create_unbacked_symbol", "symbolic_shape_specialization", "guard_added",
                            "guard_added_fast", "expression_created");
    const struct compile *c = r->processes.v[0]->compiles.v[0];

    (void)state;
    assert_int_equal(c->symbols.n, 2);
    assert_str(c->symbols.v[0].name, "s0");
    assert_str(c->symbols.v[0].hint, "4");
    assert_str(c->symbols.v[0].source, "L['x'].size()[0]");
    assert_str(c->symbols.v[0].range, "[2, int_oo]");
    assert_str(c->symbols.v[0].specialized_to, "4");
    assert_false(c->symbols.v[0].unbacked);
    assert_true(c->symbols.v[1].unbacked);
    assert_int_equal(c->specializations.n, 1);
    assert_str(c->specializations.v[0].source, "L['x'].size()[0]");
    assert_int_equal(c->shape_guards.n, 2);
    assert_str(c->shape_guards.v[0].expr, "Eq(s0, 4)");
    assert_str(c->shape_guards.v[0].prefix, "eval");
    assert_int_equal(c->expressions, 1);
    run_free(r);
}

static void tensors(void **state)
{
    struct run *r = SAMPLES("describe_storage", "describe_tensor", "describe_source");
    const struct compile *c = r->processes.v[0]->compiles.v[0];

    (void)state;
    assert_int_equal(c->tensors.n, 1);
    assert_str(c->tensors.v[0].dtype, "torch.float32");
    assert_str(c->tensors.v[0].device, "cpu");
    assert_str(c->tensors.v[0].shape, "[2]");
    assert_str(c->tensors.v[0].stride, "[1]");
    assert_str(c->tensors.v[0].source, "L['x']");
    assert_str(c->tensors.v[0].storage_size, "8");
    run_free(r);
}

static void devices_and_sizes(void **state)
{
    static const struct {
        const char *device, *size, *expected_device, *expected_size;
    } cases[] = {
        {"\"device(type='cuda', index=1)\"", "[8, \"s77\", 3]", "cuda:1", "[8, s77, 3]"},
        {"\"cpu\"", "[]", "cpu", "[]"},
        {"\"device(type='meta')\"", "[1.5, null]", "meta", "[?, ?]"},
        {"\"device(type='\"", "null", "device(type='", ""},
        {"null", "null", "", ""},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        char json[300];
        struct run *r;

        snprintf(json, sizeof json, "{\"describe_tensor\": {\"id\": 0, \"device\": %s, \"size\": %s}, " IN(0, 0, 0) "}",
                 cases[i].device, cases[i].size);
        trace_record(&t, json);
        r = trace_run(&t);
        assert_str(r->processes.v[0]->compiles.v[0]->tensors.v[0].device, cases[i].expected_device);
        assert_str(r->processes.v[0]->compiles.v[0]->tensors.v[0].shape, cases[i].expected_size);
        run_free(r);
    }
}

static void caches(void **state)
{
    struct run *r = SAMPLES("fx_graph_cache_hit", "aotautograd_cache_miss", "aotautograd_cache_bypass",
                            "fx_graph_cache_hash", "get_local_code_state", "precompile_cache_bypass");
    const struct compile *c = r->processes.v[0]->compiles.v[0];
    static const struct {
        enum cache_layer layer;
        enum cache_outcome outcome;
    } expected[] = {
        {CACHE_FX_GRAPH, CACHE_HIT}, {CACHE_AOTAUTOGRAD, CACHE_MISS}, {CACHE_AOTAUTOGRAD, CACHE_BYPASS},
        {CACHE_FX_GRAPH, CACHE_HIT}, {CACHE_PGO, CACHE_HIT},          {CACHE_PRECOMPILE, CACHE_BYPASS},
    };

    (void)state;
    assert_int_equal(c->cache_events.n, COUNT(expected));
    for (size_t i = 0; i < COUNT(expected); i++) {
        assert_int_equal(c->cache_events.v[i].layer, expected[i].layer);
        assert_int_equal(c->cache_events.v[i].outcome, expected[i].outcome);
    }
    assert_str(c->cache_events.v[0].key, "f1");
    assert_int_equal(c->cache_events.v[0].saved_us, -1);
    run_free(r);
}

static void saved_times(void **state)
{
    static const struct {
        const char *payload;
        int64_t us;
    } cases[] = {
        {"{\"time_saved_ns\": 5000}", 5}, {"{\"time_saved_ms\": 1.5}", 1500}, {"{\"time_saved_ns\": -1}", -1},
        {"{\"time_saved_ns\": 1e300}", -1}, {"{\"time_saved_ms\": -1}", -1},
        {"{\"time_saved_ms\": 1e12}", -1}, {"{\"time_saved_ms\": 0}", 0}, {"{\"time_saved_ns\": 0}", 0},
        {"{\"time_saved_ns\": 1e18}", -1}, {"{\"time_saved_ns\": \"x\"}", -1}, {"{}", -1},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        struct run *r;

        trace_artifact(&t, "fx_graph_cache_hit", IN(0, 0, 0), cases[i].payload);
        r = trace_run(&t);
        assert_int_equal(r->processes.v[0]->compiles.v[0]->cache_events.v[0].saved_us, cases[i].us);
        run_free(r);
    }
}

/* 2.5 has the outcome in the payload; where it is not there, the record is shown and counts as no lookup. */
static void states_of_caches(void **state)
{
    static const struct {
        const char *name, *payload;
        int outcome; /* -1: none */
    } cases[] = {
        {"fx_graph_cache_hash", "{\"key\": \"f1\", \"cache_state\": \"hit\"}", CACHE_HIT},
        {"fx_graph_cache_hash", "{\"cache_state\": \"miss\"}", CACHE_MISS},
        {"aotautograd_cache_hash", "{\"cache_state\": \"bypass\"}", CACHE_BYPASS},
        {"aotautograd_cache_hash", "{\"cache_state\": \"odd\"}", -1},
        {"aotautograd_cache_hash", "{\"cache_state\": 3}", -1},
        {"aotautograd_cache_hash", "{}", -1},
        {"aotautograd_cache_hash", "no JSON", -1},
        {"get_remote_code_state", "{}", CACHE_HIT},
        {"get_till", "{}", -1},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        const struct compile *c;
        struct run *r;

        trace_artifact(&t, cases[i].name, IN(0, 0, 0), cases[i].payload);
        r = trace_run(&t);
        c = r->processes.v[0]->compiles.v[0];
        assert_int_equal(c->artifacts.n, 1);
        assert_int_equal(c->cache_events.n, cases[i].outcome >= 0);
        if (cases[i].outcome >= 0) {
            assert_int_equal(c->cache_events.v[0].outcome, cases[i].outcome);
            assert_ptr_equal(c->cache_events.v[0].artifact, c->artifacts.v[0]);
        }
        run_free(r);
    }
}

/* A miss has its details, a bypass its reason. */
static void reasons_of_caches(void **state)
{
    static const struct {
        const char *name, *payload, *reason;
    } cases[] = {
        {"fx_graph_cache_miss", "{\"cache_status_detailed\": \"no entry\"}", "no entry"},
        {"fx_graph_cache_hit", "{\"cache_status_detailed\": \"an entry\"}", ""},
        {"fx_graph_cache_miss", "{\"cache_status_detailed\": \"no entry\", \"cache_bypass_reason\": \"odd\"}", "odd"},
        {"fx_graph_cache_bypass", "{\"cache_bypass_reason\": \"odd\"}", "odd"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        struct run *r;

        trace_artifact(&t, cases[i].name, IN(0, 0, 0), cases[i].payload);
        r = trace_run(&t);
        assert_str(r->processes.v[0]->compiles.v[0]->cache_events.v[0].reason, cases[i].reason);
        run_free(r);
    }
}

static void issues_and_links(void **state)
{
    struct run *r = SAMPLES("missing_fake_kernel", "mismatched_fake_kernel", "guard_on_data_dependent_error",
                            "propagate_real_tensors", "link", "torch_version");
    const struct compile *c = r->processes.v[0]->compiles.v[0];

    (void)state;
    assert_int_equal(c->export_issues.n, 4);
    assert_str(c->export_issues.v[0].op, "my.op.default");
    assert_str(c->export_issues.v[1].text, "stride");
    assert_str(c->export_issues.v[2].text, "Eq(u0, 0)");
    assert_str(c->export_issues.v[3].result, "5");
    assert_int_equal(c->links.n, 1);
    assert_str(c->links.v[0].url, "https://example.org/");
    run_free(r);
}

/* Names of resume functions say what they go on with. */
static void resume_functions(void **state)
{
    static const struct {
        const char *name, *resumes;
        int64_t line;
    } cases[] = {
        {"torch_dynamo_resume_in_forward_at_42", "forward", 42},
        {"torch_dynamo_resume_in_a_at_b_at_7", "a_at_b", 7},
        {"torch_dynamo_resume_in_f", NULL, 0},
        {"torch_dynamo_resume_in_f_at_", NULL, 0},
        {"torch_dynamo_resume_in_f_at_x", NULL, 0},
        {"torch_dynamo_resume_in_f_7", NULL, 0},
        {"forward", NULL, 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        const struct frame *f;
        char json[300];
        struct run *r;

        snprintf(
            json, sizeof json,
            "{\"dynamo_start\": {\"stack\": [{\"line\": 3, \"name\": \"%s\", \"filename\": -1}]}, " IN(0, 0, 0) "}",
            cases[i].name);
        trace_record(&t, json);
        r = trace_run(&t);
        f = r->processes.v[0]->frames.v[0];
        assert_int_equal(f->is_resume, cases[i].resumes != NULL);
        if (cases[i].resumes) {
            assert_str(f->resumes, cases[i].resumes);
            assert_int_equal(f->resumes_line, cases[i].line);
        }
        run_free(r);
    }
}

static void metrics(void **state)
{
    struct trace_text t = {0};
    const struct metrics *m;
    const struct compile *c;
    struct run *r;
    int64_t i;

    (void)state;
    trace_record(&t, "{\"compilation_metrics\": {\"co_name\": \"f\", \"co_filename\": \"/x.py\", \"co_firstlineno\": "
                     "9, \"cache_size\": 3, "
                     "\"entire_frame_compile_time_s\": 1.5, \"is_forward\": true, \"fail_type\": null, "
                     "\"new_in_2050\": [1, \"b\", {\"c\": 2}], "
                     "\"pytorch_version\": \"2.13.0\"}, " IN(0, 0, 1) "}");
    trace_record(&t, "{\"bwd_compilation_metrics\": {\"fail_type\": \"ValueError\", \"fail_reason\": \"why\", "
                     "\"fail_user_frame_filename\": \"/y.py\", \"fail_user_frame_lineno\": 12}, " IN(0, 0, 0) "}");
    trace_record(&t, "{\"bwd_compilation_metrics_runtime\": {}, " IN(0, 0, 0) "}");
    r = trace_run(&t);
    assert_str(trace_messages(r), "");
    c = r->processes.v[0]->compiles.v[0];
    m = compile_metrics(c, METRICS_FORWARD);
    assert_true(metrics_i64(m, "cache_size", &i));
    assert_int_equal(i, 3);
    assert_int_equal(metrics_get(m, "is_forward")->type, METRIC_BOOL);
    assert_null(metrics_get(m, "fail_type")); /* null is not kept */
    assert_null(metrics_get(m, "new_in_2050")->field);
    assert_int_equal(metrics_get(m, "new_in_2050")->list.n, 3);
    assert_str(metrics_get(m, "new_in_2050")->list.v[1], "b");
    assert_str(metrics_get(m, "new_in_2050")->list.v[2], "{\"c\": 2}");
    assert_non_null(metrics_get(m, "cache_size")->field);
    assert_str(c->frame->name, "f");
    assert_int_equal(c->frame->line, 9);
    assert_str(r->processes.v[0]->versions.pytorch, "2.13.0");
    assert_int_equal(c->failures.n, 1);
    assert_int_equal(c->failures.v[0]->where, FAILED_BACKWARD);
    assert_str(c->failures.v[0]->type, "ValueError");
    assert_str(c->failures.v[0]->file, "/y.py");
    assert_int_equal(c->failures.v[0]->line, 12);
    assert_non_null(compile_metrics(c, METRICS_BACKWARD_RUNTIME));
    assert_null(compile_metrics(c, METRICS_RUNTIME));
    run_free(r);
}

static void recompile_reasons(void **state)
{
    struct trace_text t = {0};
    const struct compile *c;
    struct run *r;

    (void)state;
    trace_artifact(&t, "recompile_reasons", IN(0, 1, 0), "0/0: n == 7");
    trace_artifact(&t, "recompile_reasons", IN(0, 2, 0), "[\n\"0/1: n == 8\",\n\"0/0: n == 7\"\n]");
    trace_artifact(&t, "recompile_reasons", IN(0, 3, 0), "[not json");
    trace_artifact(&t, "recompile_reasons", IN(0, 4, 0), "");
    r = trace_run(&t);
    assert_str(trace_messages(r), "");
    c = r->processes.v[0]->compiles.v[0];
    assert_int_equal(c->reasons.n, 1);
    assert_str(c->reasons.v[0].against, "0/0");
    c = r->processes.v[0]->compiles.v[1];
    assert_int_equal(c->reasons.n, 2);
    assert_str(c->reasons.v[0].against, "0/1");
    assert_true(compile_is_recompile(c));
    assert_int_equal(r->processes.v[0]->compiles.v[2]->reasons.n, 1);
    run_free(r);
}

/* A compile that was refused has its stack in its metrics. */
static void stacks_of_metrics(void **state)
{
    struct trace_text t = {0};
    const struct call *stack;
    struct run *r;

    (void)state;
    trace_record(&t, "{\"compilation_metrics\": {\"stack_trace\": [\"Line: 26, Name: f, Filename: /x.py\", \"odd\", "
                     "\"Line: 3, Name: g, Filename: /y.py\"]}, " IN(0, 0, 0) "}");
    trace_record(&t, "{\"dynamo_start\": {\"stack\": [{\"line\": 5, \"name\": \"h\", \"filename\": -1}]}, " IN(1, 0, 0)
                     "}");
    trace_record(&t, "{\"compilation_metrics\": {\"stack_trace\": [\"Line: 26, Name: f, Filename: /x.py\"]}, " IN(
                         1, 0, 0) "}");
    trace_record(&t, "{\"compilation_metrics\": {\"stack_trace\": \"Line: 26, Name: f, Filename: /x.py\"}, " IN(2, 0, 0)
                     "}");
    r = trace_run(&t);
    stack = r->processes.v[0]->compiles.v[0]->stack;
    assert_str(stack->file, "/y.py");
    assert_str(stack->function, "g");
    assert_int_equal(stack->line, 3);
    assert_str(stack->parent->file, "/x.py");
    assert_int_equal(stack->parent->line, 26);
    assert_null(stack->parent->parent);
    assert_str(r->processes.v[0]->compiles.v[1]->stack->function, "h");
    assert_null(r->processes.v[0]->compiles.v[2]->stack);
    run_free(r);
}

/* As many entries as the limit says are kept without a word. */
static void long_lists_of_metrics(void **state)
{
    (void)state;
    for (size_t more = 0; more < 2; more++) {
        struct trace_text t = {0};
        const struct metrics *m;
        struct buf json = {0};
        struct run *r;

        buf_str(&json, STR("{\"compilation_metrics\": {\"new_in_2050\": [0"));
        for (size_t i = 1; i < LIMIT_LIST + more; i++)
            buf_str(&json, STR(",1"));
        buf_str(&json, STR("]}, " IN(0, 0, 0) "}"));
        buf_char(&json, '\0');
        trace_record(&t, json.p);
        r = trace_run(&t);
        assert_str(trace_messages(r), more ? "limit-reached:1" : "");
        m = compile_metrics(r->processes.v[0]->compiles.v[0], METRICS_FORWARD);
        assert_int_equal(metrics_get(m, "new_in_2050")->list.n, LIMIT_LIST);
        buf_free(&json);
        run_free(r);
    }
}

/* A symbol may be the size of several inputs, and older versions write one as a text. */
static void sources_of_specializations(void **state)
{
    static const struct {
        const char *json, *source;
    } cases[] = {
        {"[\"L['x'].size()[0]\"]", "L['x'].size()[0]"},
        {"[\"L['x']\", 3, \"L['y']\"]", "L['x'], L['y']"},
        {"\"L['x']\"", "L['x']"},
        {"[]", ""},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        struct run *r;

        trace_recordf(&t, "{\"symbolic_shape_specialization\": {\"symbol\": \"s0\", \"sources\": %s}, " IN(0, 0, 0) "}",
                      cases[i].json);
        r = trace_run(&t);
        assert_str(r->processes.v[0]->compiles.v[0]->specializations.v[0].source, cases[i].source);
        run_free(r);
    }
}

static void names_of_subgraphs(void **state)
{
    struct trace_text t = {0};
    struct run *r;

    (void)state;
    trace_payload(&t, "{\"artifact\": {\"name\": \"a\"}, \"subgraph_name\": \"block_0\", " IN(0, 0, 0) "}", "x");
    trace_payload(&t, "{\"artifact\": {\"name\": \"b\"}, " IN(0, 0, 0) "}", "x");
    r = trace_run(&t);
    assert_str(trace_find(r, "a")->subgraph, "block_0");
    assert_str(trace_find(r, "b")->subgraph, "");
    run_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_row_is_shadowed),
        cmocka_unit_test(samples_are_json),
        cmocka_unit_test(samples_are_read),
        cmocka_unit_test(shapes),
        cmocka_unit_test(tensors),
        cmocka_unit_test(devices_and_sizes),
        cmocka_unit_test(caches),
        cmocka_unit_test(saved_times),
        cmocka_unit_test(states_of_caches),
        cmocka_unit_test(reasons_of_caches),
        cmocka_unit_test(stacks_of_metrics),
        cmocka_unit_test(long_lists_of_metrics),
        cmocka_unit_test(sources_of_specializations),
        cmocka_unit_test(names_of_subgraphs),
        cmocka_unit_test(issues_and_links),
        cmocka_unit_test(resume_functions),
        cmocka_unit_test(metrics),
        cmocka_unit_test(recompile_reasons),
    };

    return RUN(tests);
}
