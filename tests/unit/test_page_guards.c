/* The guards of a compile on its page, and how they differ from those of the compile before. */
#include "view_text.h"

#include "view/page.h"

static const char first[] = "TREE_GUARD_MANAGER:\n"
                            "+- RootGuardManager\n"
                            "| +- GLOBAL_STATE: ___check_global_state()\n"
                            "| +- GuardManager: source=L['x'], type=<class 'torch.Tensor'>\n"
                            "| | +- TENSOR_MATCH: check_tensor(L['x'], size=[3, 4])  # return x  # a.py:5 in f\n"
                            "Guard latency = 12.50 us\n";
static const char second[] = "TREE_GUARD_MANAGER:\n"
                             "+- RootGuardManager\n"
                             "| +- GLOBAL_STATE: ___check_global_state()\n"
                             "| +- GuardManager: source=L['x'], type=<class 'torch.Tensor'>\n"
                             "| | +- TENSOR_MATCH: check_tensor(L['x'], size=[None, 4])  # return x  # a.py:5 in f\n"
                             "+- LAMBDA_GUARD: 2 <= L['x'].size()[0]\n";

static void add(struct trace_text *t, int compile, const char *guards)
{
    trace_start(t, trace_ids(0, compile, 0), "f", 5);
    if (guards)
        trace_artifact(t, "dynamo_cpp_guards_str", trace_ids(0, compile, 0), guards);
    trace_metrics(t, trace_ids(0, compile, 0), "\"guard_count\": 2");
}

static json_t *guards_of(struct view *v, const struct answers *a, size_t compile)
{
    *v = view_of(a);
    return page_guards(v, a->run->processes.v[0]->compiles.v[compile]);
}

static void tree(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;
    struct view v;
    json_t *o;

    (void)state;
    trace_file(&t);
    add(&t, 0, first);
    a = answers_of_trace(&t);
    o = guards_of(&v, a, 0);
    assert_str(json_str(json_object_get(o, "count")), "2 checks");
    assert_str(json_str(json_object_get(o, "latency")), "12.5 \xc2\xb5s");
    assert_int_equal(json_array_size(json_object_get(o, "rows")), 4);
    assert_true(json_is_null(json_object_get(o, "changes")));
    json_decref(o);
    answers_free(a);
}

/* "2 checks" that the one before does not make, with their texts. */
static struct str side(struct view *v, const json_t *changes, const char *key)
{
    const json_t *o = json_object_get(changes, key);
    struct str out = json_str(json_object_get(o, "count"));

    for (size_t i = 0; i < json_array_size(json_object_get(o, "rows")); i++) {
        const json_t *row = json_array_get(json_object_get(o, "rows"), i);

        out = arena_printf(v->scratch, "%.*s|%.*s", STR_ARG(out), STR_ARG(json_str(json_object_get(row, "text"))));
    }
    return out;
}

/* Compared with the nearest earlier compile that has guards: [0/1] was refused and has none. */
static void changes(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;
    const json_t *changes;
    struct view v;
    json_t *o;

    (void)state;
    trace_file(&t);
    add(&t, 0, first);
    add(&t, 1, NULL);
    add(&t, 2, second);
    a = answers_of_trace(&t);
    o = guards_of(&v, a, 1);
    assert_true(json_is_null(o));
    o = guards_of(&v, a, 2);
    changes = json_object_get(o, "changes");
    assert_str(json_str(json_object_get(json_object_get(changes, "before"), "label")), "[0/0]");
    assert_str(side(&v, changes, "added"), "2 checks|check_tensor(L['x'], size=[None, 4])|2 <= L['x'].size()[0]");
    assert_str(side(&v, changes, "gone"), "1 check|check_tensor(L['x'], size=[3, 4])");
    json_decref(o);
    answers_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tree),
        cmocka_unit_test(changes),
    };

    return RUN(tests);
}
