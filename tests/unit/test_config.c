#include "view_text.h"

#include "view/config.h"

/* "a=1 x2 | $ENV='x' x1": what differs from the defaults, and in how many compiles. */
static struct str differing_of(const struct run *r)
{
    struct configs configs;
    struct str out = STR("");

    configs_find(r->arena, r, &configs);
    vec_each(const struct config_setting, s, &configs.differing) out =
        arena_printf(r->arena, "%.*s%s%s%.*s=%.*s x%llu", STR_ARG(out), out.n ? " | " : "", s->environment ? "$" : "",
                     STR_ARG(s->name), STR_ARG(s->value), (unsigned long long)s->compiles);
    return out;
}

/* "0/1 dynamo_config.a: 1 -> 2": what changed from one compile to the next. */
static struct str changes_of(const struct run *r)
{
    struct configs configs;
    struct str out = STR("");

    configs_find(r->arena, r, &configs);
    vec_each(const struct config_change, c, &configs.changes) out =
        arena_printf(r->arena, "%.*s%s%.*s %s.%.*s: %.*s -> %.*s", STR_ARG(out), out.n ? " | " : "",
                     STR_ARG(compile_id_print(r->arena, c->compile->id)), c->config, STR_ARG(c->name),
                     STR_ARG(c->before), STR_ARG(c->after));
    return out;
}

#define check(t, of, expected)                                                                                         \
    do {                                                                                                               \
        struct run *r_ = trace_run(t);                                                                                 \
                                                                                                                       \
        assert_str(of(r_), expected);                                                                                  \
        run_free(r_);                                                                                                  \
    } while (0)

static void runnable(struct trace_text *t, const char *ids, const char *text)
{
    trace_artifact(t, "fx_graph_runnable", ids, text);
}

#define SETTING(name, value) "torch._inductor.config." name " = " value "\n"

/* One setting over all compiles; forward and backward of one compile say the same twice. Environment last. */
static void what_differs(void **state)
{
    struct trace_text t = {0};

    (void)state;
    runnable(&t, IN(0, 0, 0), "os.environ['B'] = '1'\nos.environ['A'] = '1'\n" SETTING("z", "1") SETTING("b", "2"));
    runnable(&t, IN(0, 0, 0), SETTING("z", "1") SETTING("only_backward", "1"));
    runnable(&t, IN(0, 1, 0), SETTING("z", "1") SETTING("b", "10"));
    runnable(&t, IN(1, 0, 0), SETTING("z", "1"));
    check(&t, differing_of,
          "torch._inductor.config.b=10 x1 | torch._inductor.config.b=2 x1 | torch._inductor.config.z=1 x3 | "
          "$A='1' x1 | $B='1' x1");
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
    check(&t, differing_of, "torch._inductor.config.a=1 x1");
    buf_free(&text);
}

/* Nothing differs, and nothing is known, are not the same. */
static void nothing_differs(void **state)
{
    struct trace_text t = {0};
    struct configs configs;
    struct run *r;

    (void)state;
    runnable(&t, IN(0, 0, 0), "import torch\n");
    r = trace_run(&t);
    configs_find(r->arena, r, &configs);
    assert_true(configs.told);
    assert_int_equal(configs.differing.n, 0);
    assert_null(configs.sample);
    run_free(r);
    trace_metrics(&t, IN(0, 0, 0), "\"dynamo_config\": \"{}\"");
    r = trace_run(&t);
    configs_find(r->arena, r, &configs);
    assert_false(configs.told);
    assert_ptr_equal(configs.sample, r->processes.v[0]->compiles.v[0]);
    run_free(r);
}

#define CONFIG(key, json) "\"" key "_config\": \"{" json "}\""

static void what_changed(void **state)
{
    struct trace_text t = {0};

    (void)state;
    trace_metrics(&t, IN(0, 0, 0),
                  CONFIG("dynamo", "\\\"a\\\": 1, \\\"b\\\": [1, 2]") ", " CONFIG("inductor", "\\\"x\\\": null"));
    trace_metrics(&t, IN(0, 1, 0),
                  CONFIG("dynamo", "\\\"a\\\": 2, \\\"b\\\": [1, 2]") ", " CONFIG("inductor", "\\\"x\\\": null"));
    trace_metrics(&t, IN(1, 0, 0), "\"graph_op_count\": 2"); /* says nothing */
    trace_metrics(&t, IN(2, 0, 0),
                  CONFIG("dynamo", "\\\"b\\\": [1, 3], \\\"a\\\": 2, \\\"new\\\": \\\"s\\\"") ", " CONFIG(
                      "inductor", "\\\"x\\\": null"));
    check(&t, changes_of,
          "0/1 dynamo_config.a: 1 -> 2 | 2/0 dynamo_config.b: [1, 2] -> [1, 3] | "
          "2/0 dynamo_config.new: (absent) -> \"s\"");
}

/* Each process has its own; what is no JSON is compared with nothing. */
static void what_is_not_compared(void **state)
{
    struct trace_text t = {0};

    (void)state;
    trace_metrics(&t, IN(0, 0, 0), CONFIG("dynamo", "\\\"a\\\": 1"));
    trace_metrics(&t, IN(1, 0, 0), "\"dynamo_config\": \"{broken\"");
    trace_metrics(&t, IN(2, 0, 0), "\"dynamo_config\": \"[1]\"");
    t.pid = 7;
    trace_metrics(&t, IN(0, 0, 0), CONFIG("dynamo", "\\\"a\\\": 2"));
    check(&t, changes_of, "");
}

/* A list of every value that ever changed is bounded, and so is each value. */
static void many_changes(void **state)
{
    struct trace_text t = {0};
    struct configs configs;
    struct run *r;

    (void)state;
    for (int i = 0; i < 600; i++) {
        struct buf metrics = {0};

        buf_printf(&metrics, "\"dynamo_config\": \"{\\\"a\\\": \\\"%d", i);
        for (int k = 0; k < 500; k++)
            buf_char(&metrics, 'x');
        buf_str(&metrics, STR("\\\"}\""));
        buf_char(&metrics, '\0');
        trace_metrics(&t, trace_ids(i, 0, 0), metrics.p);
        buf_free(&metrics);
    }
    r = trace_run(&t);
    configs_find(r->arena, r, &configs);
    assert_int_equal(configs.changes.n, 500);
    assert_int_equal(configs.changes.v[0].after.n, 400);
    run_free(r);
}

static void json(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;
    struct view v;

    (void)state;
    runnable(&t, IN(0, 0, 0), "os.environ['A'] = '1'\n");
    trace_metrics(&t, IN(0, 0, 0), CONFIG("dynamo", "\\\"b\\\": true, \\\"a\\\": {}"));
    trace_metrics(&t, IN(0, 1, 0), CONFIG("dynamo", "\\\"b\\\": false, \\\"a\\\": {}"));
    a = answers_of_trace(&t);
    v = view_of(a);
    assert_str(view_json(v.scratch, fact_configuration(&v)),
               "{'differing':[{'name':'A','value':''1'','environment':true,'compiles':1}],'changes':[{'rank':null,"
               "'pid':100,'process':0,'epoch':0,'compile':'0/1','config':'dynamo_config','name':'b','before':'true',"
               "'after':'false'}]}");
    assert_true(str_has(view_json(v.scratch, page_config(&v)),
                        STR("'full':[{'title':'torch._dynamo.config','count':'2 settings','rows':[{'name':'b','value':"
                            "'true'},{'name':'a','value':'{}'}]}]")));
    answers_free(a);
    a = answers_of_trace(&t); /* of a trace that says nothing */
    v = view_of(a);
    assert_str(view_json(v.scratch, fact_configuration(&v)), "{'differing':null,'changes':[]}");
    answers_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_differs), cmocka_unit_test(a_long_head),          cmocka_unit_test(nothing_differs),
        cmocka_unit_test(what_changed), cmocka_unit_test(what_is_not_compared), cmocka_unit_test(many_changes),
        cmocka_unit_test(json),
    };

    return RUN(tests);
}
