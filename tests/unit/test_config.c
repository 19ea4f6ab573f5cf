#include "view/facts/facts.h"
#include "view/page_objects.h"

#include "view_text.h"

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
    trace_artifact(&t, "fx_graph_runnable", IN(0, 0, 0),
                   "os.environ['A'] = '1'\n# torch version: 2.13.0\ntorch._inductor.config.debug = True\n"
                   "torch._functorch.config.unlift_effect_tokens = True\n");
    trace_metrics(&t, IN(0, 0, 0), CONFIG("dynamo", "\\\"b\\\": true, \\\"a\\\": {}"));
    trace_metrics(&t, IN(0, 1, 0), CONFIG("dynamo", "\\\"b\\\": false, \\\"a\\\": {}"));
    a = answers_of_trace(&t);
    v = view_of(a);
    assert_str(view_json(v.scratch, fact_configuration(&v, &a->settings)),
               "{'differing':[{'name':'torch._inductor.config.debug','value':'True','default':'False','environment':"
               "false,'set_by':'user','compiles':1,'sets':[]},{'name':'A','value':''1'','default':null,'environment':"
               "true,'set_by':'environment','compiles':1,'sets':[]}],'by_pytorch':[{'name':"
               "'torch._functorch.config.unlift_effect_tokens','value':'True','default':'False','environment':false,"
               "'set_by':'pytorch','compiles':1,'sets':[]}],'changes':[{'rank':null,"
               "'pid':100,'process':0,'epoch':0,'compile':'0/1','config':'dynamo_config','name':'b','before':'true',"
               "'after':'false'}]}");
    assert_true(str_has(view_json(v.scratch, page_config(&v, &v)),
                        STR("'full':[{'title':'torch._dynamo.config','count':'2 settings','rows':[{'name':'b','value':"
                            "'true'},{'name':'a','value':'{}'}]}]")));
    answers_free(a);
    a = answers_of_trace(&t); /* of a trace that says nothing */
    v = view_of(a);
    assert_str(view_json(v.scratch, fact_configuration(&v, &a->settings)),
               "{'differing':null,'by_pytorch':null,'changes':[]}");
    answers_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_changed),
        cmocka_unit_test(what_is_not_compared),
        cmocka_unit_test(many_changes),
        cmocka_unit_test(json),
    };

    return RUN(tests);
}
