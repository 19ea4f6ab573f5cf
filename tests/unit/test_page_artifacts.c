/* The artifacts of a compile on its page: stages, what a cache made superfluous, the compile before, passes. */
#include "analysis/code/graphs.h"
#include "view/page.h"
#include "view/page_objects.h"

#include "view_text.h"

static struct str member(const json_t *o, const char *key)
{
    return json_str(json_object_get(o, key));
}

/* "Dynamo: graph same as [0/0]; Post-grad passes: …": stages, their artifacts and notes. */
static struct str stages_of(struct view *v, const struct compile *c)
{
    json_t *stages = page_stages(v, c), *stage, *item;
    struct str out = STR("");
    size_t i, k;

    json_array_foreach(stages, i, stage)
    {
        out = arena_printf(v->scratch, "%.*s%s%.*s:", STR_ARG(out), i ? "; " : "", STR_ARG(member(stage, "title")));
        json_array_foreach(json_object_get(stage, "items"), k, item)
        {
            const json_t *earlier = json_object_get(item, "earlier");

            out = arena_printf(v->scratch, "%.*s %.*s", STR_ARG(out), STR_ARG(member(item, "name")));
            if (json_is_object(earlier))
                out = arena_printf(v->scratch, "%.*s (%s %.*s %.*s)", STR_ARG(out),
                                   json_is_true(json_object_get(earlier, "same")) ? "same as" : "not",
                                   STR_ARG(member(earlier, "label")), STR_ARG(member(earlier, "from")));
        }
        json_array_foreach(json_object_get(stage, "absent"), k, item) out =
            arena_printf(v->scratch, "%.*s [%.*s]", STR_ARG(out), STR_ARG(json_str(item)));
    }
    json_decref(stages);
    return out;
}

static const struct compile *compile_at(const struct answers *a, size_t i)
{
    return a->run->processes.v[0]->compiles.v[i];
}

/* Artifacts with the same name are distinguished by their order, and by their graph. */
static void against_the_compile_before(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;
    struct view v;

    (void)state;
    trace_artifact(&t, "before_pre_grad_graph", IN(0, 0, 0), "one");
    trace_artifact(&t, "before_pre_grad_graph", IN(0, 0, 0), "two");
    trace_artifact(&t, "x_pre_grad", IN(0, 0, 0), "only here");
    trace_artifact(&t, "before_pre_grad_graph", IN(0, 1, 0), "one");
    trace_artifact(&t, "before_pre_grad_graph", IN(0, 1, 0), "three");
    trace_artifact(&t, "before_pre_grad_graph", IN(0, 1, 0), "four");
    trace_artifact(&t, "before_pre_grad_graph", IN(1, 0, 0), "one");
    a = answers_of_trace(&t);
    v = view_of(a);
    assert_str(stages_of(&v, compile_at(a, 0)),
               "Pre-grad passes: before_pre_grad_graph before_pre_grad_graph x_pre_grad");
    assert_str(stages_of(&v, compile_at(a, 1)),
               "Pre-grad passes: before_pre_grad_graph (same as [0/0] a-0-0) before_pre_grad_graph (not [0/0] a-0-1) "
               "before_pre_grad_graph");
    assert_str(stages_of(&v, compile_at(a, 2)), "Pre-grad passes: before_pre_grad_graph");
    answers_free(a);
}

static void absent_because_of_a_hit(void **state)
{
    static const char hit[] = "{\"key\": \"k\", \"cache_state\": \"hit\"}";
    struct trace_text t = {0};
    const struct answers *a;
    struct view v;

    (void)state;
    trace_artifact(&t, "fx_graph_cache_hit", IN(0, 0, 0), hit);
    trace_artifact(&t, "inductor_post_grad_graph", IN(0, 0, 0), "graph");
    trace_artifact(&t, "aotautograd_cache_hit", IN(0, 0, 0), hit);
    trace_artifact(&t, "fx_graph_cache_hit", IN(1, 0, 0), hit);
    trace_artifact(&t, "before_pre_grad_graph", IN(1, 0, 0), "graph");
    trace_artifact(&t, "before_post_grad_graph", IN(1, 0, 0), "graph");
    trace_artifact(&t, "inductor_provenance_tracking_node_mappings", IN(1, 0, 0), "{}");
    trace_artifact(&t, "fx_graph_cache_miss", IN(2, 0, 0), hit);
    a = answers_of_trace(&t);
    v = view_of(a);
    assert_str(
        stages_of(&v, compile_at(a, 0)),
        "Pre-grad passes: [Not run: AOTAutograd's cache had the result.]; Post-grad passes: "
        "inductor_post_grad_graph [Not run: the FX graph cache had the result. Graph and code are those of the "
        "compile that filled it.]; Kernels: [Not generated: the kernels came with the FX graph. Provenance is kept "
        "only by the compile that filled the cache.]; Caches: fx_graph_cache_hit aotautograd_cache_hit");
    assert_str(stages_of(&v, compile_at(a, 1)),
               "Pre-grad passes: before_pre_grad_graph; Post-grad passes: before_post_grad_graph; Kernels: "
               "inductor_provenance_tracking_node_mappings; Caches: fx_graph_cache_hit");
    assert_str(stages_of(&v, compile_at(a, 2)), "Caches: fx_graph_cache_miss");
    answers_free(a);
}

/* "Post-grad passes a-0-0 a-0-1; …", with = for what is the same. */
static struct str passes_of(struct view *v, const struct compile *c)
{
    json_t *passes = page_passes_of(v, c), *row;
    struct str out = STR("");
    size_t i;

    json_array_foreach(json_object_get(passes, "rows"), i, row) out =
        arena_printf(v->scratch, "%.*s%s%.*s %.*s%s%.*s", STR_ARG(out), i ? "; " : "", STR_ARG(member(row, "title")),
                     STR_ARG(member(row, "from")), json_is_true(json_object_get(row, "same")) ? "=" : " ",
                     STR_ARG(member(row, "to")));
    json_decref(passes);
    return out;
}

static void passes(void **state)
{
    static const char *const names[] = {
        "before_joint_graph",
        "before_post_grad_graph",
        "my_post_grad",
        "other_post_grad",
        "inductor_post_grad_graph",
        "inductor_post_grad_graph",
        "after_joint_graph",
        "before_x",
        "step_pre_grad",
        "f_ORIGINAL_BYTECODE",
        "f_MODIFIED_BYTECODE",
        "overlap_graph_after",
    };
    struct trace_text t = {0};
    const struct answers *a;
    struct view v;

    (void)state;
    for (size_t i = 0; i < COUNT(names); i++)
        trace_artifact(&t, names[i], IN(0, 0, 0), i == 3 || i == 4 ? "equal" : names[i]);
    a = answers_of_trace(&t);
    v = view_of(a);
    assert_str(passes_of(&v, compile_at(a, 0)),
               "my a-0-1 a-0-2; other a-0-2 a-0-3; Post-grad passes, the rest a-0-3=a-0-4; Post-grad passes, all a-0-1 "
               "a-0-4; Joint graph passes a-0-0 a-0-6; f a-0-9 a-0-10");
    answers_free(a);
}

/* "0_forward: 0 2 3 [4]; …": before, after, code and maps of each graph. */
static struct str graphs_of(struct arena *a, const struct compile *c)
{
    struct graphs graphs;
    struct str out = STR("");

    graphs_find(a, c, &graphs);
    vec_each(const struct graph, g, &graphs.list)
    {
        const struct artifact *const parts[] = {g->before, g->after, g->code};

        out = arena_printf(a, "%.*s%s%.*s:", STR_ARG(out), out.n ? "; " : "", STR_ARG(graph_title(a, g)));
        for (size_t i = 0; i < COUNT(parts); i++)
            out = arena_printf(a, "%.*s %d", STR_ARG(out), parts[i] ? (int)parts[i]->number : -1);
        for (size_t i = 0; i < g->maps.n; i++)
            out = arena_printf(a, "%.*s [%u]", STR_ARG(out), g->maps.v[i]->number);
    }
    return out;
}

/* Two graphs; the backward graph of the first is compiled last. */
static void graphs(void **state)
{
    static const struct {
        const char *name, *text;
    } records[] = {
        {"before_pre_grad_graph", "first"},                      /* 0 */
        {"before_post_grad_graph", "x"},                         /* 1 */
        {"inductor_post_grad_graph", "x"},                       /* 2 */
        {"inductor_output_code", "# AOT ID: ['0_forward']\n"},   /* 3 */
        {"inductor_provenance_tracking_node_mappings", "{}"},    /* 4 */
        {"before_pre_grad_graph", "second"},                     /* 5 */
        {"inductor_post_grad_graph", "x"},                       /* 6 */
        {"inductor_output_code", "# AOT ID: ['1_inference']\n"}, /* 7 */
        {"fx_graph_runnable", "x"},                              /* 8 */
        {"inductor_post_grad_graph", "x"},                       /* 9 */
        {"inductor_output_code", "# AOT ID: ['0_backward']\n"},  /* 10 */
        {"inductor_provenance_tracking_node_mappings", "{}"},    /* 11 */
        {"inductor_post_grad_graph", "x"},                       /* 12 */
    };
    struct trace_text t = {0};
    struct run *r;

    (void)state;
    for (size_t i = 0; i < COUNT(records); i++)
        trace_artifact(&t, records[i].name, IN(0, 0, 0), records[i].text);
    r = trace_run(&t);
    assert_str(graphs_of(r->arena, r->processes.v[0]->compiles.v[0]),
               "Forward graph 0: 0 2 3 [4]; Inference graph 1: 5 6 7; Backward graph 0: 0 9 10 [11]; Graph: 5 12 -1");
    run_free(r);
}

/* What a page says of a text: how to find it in the trace again, unless the trace has no digest of it. */
static void what_identifies_a_text(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;
    struct view v;
    json_t *o;

    (void)state;
    trace_artifact(&t, "x", IN(0, 0, 0), "text");
    trace_record(&t, "{\"artifact\": {\"name\": \"y\"}, \"has_payload\": \"no digest\", " IN(0, 0, 0) "}");
    trace_payload_lines(&t, STR("text\nmore"));
    a = answers_of_trace(&t);
    v = view_of(a);
    o = page_payload(&v, compile_at(a, 0)->artifacts.v[0]);
    assert_str(member(o, "md5"), "1cb251ec0d568de6a929b520c4aed8d1");
    assert_str(member(o, "lines"), "1 line");
    assert_int_equal(json_integer_value(json_object_get(o, "trace_line")), 1);
    json_decref(o);
    o = page_payload(&v, compile_at(a, 0)->artifacts.v[1]);
    assert_str(member(o, "md5"), "");
    assert_str(member(o, "lines"), "2 lines");
    assert_int_equal(json_integer_value(json_object_get(o, "trace_line")), 3);
    json_decref(o);
    answers_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_the_compile_before),
        cmocka_unit_test(absent_because_of_a_hit),
        cmocka_unit_test(passes),
        cmocka_unit_test(graphs),
        cmocka_unit_test(what_identifies_a_text),
    };

    return RUN(tests);
}
