/* Compile calls of vLLM: which records belong to which subgraph and sizes, and the table of them. */
#include "view/facts/facts.h"

#include "view_text.h"

#include "view/page.h"

#define START(index, begin, end, single)                                                                               \
    "{\"piecewise_index\": " #index ", \"submod_name\": \"submod_" #index "\", \"compile_range_start\": " #begin       \
    ", \"compile_range_end\": " #end ", \"is_single_size\": " single ", \"is_cudagraph_capture_size\": " single "}"

static void add(struct trace_text *t, const char *name, const char *payload)
{
    trace_artifact(t, name, IN(0, 0, 0), payload);
}

/* "fresh_compile 2 settings: submod_0 1-64 2 artifacts hit; … | …" */
static struct str calls_of(const struct run *r, const struct compile *c)
{
    struct arena *a = r->arena;
    struct vllm_pieces pieces;
    struct vllm vllm;
    struct str out = STR("");

    vllm_pieces_find(a, r, &pieces);
    vllm_find(a, &pieces, c, &vllm);
    vec_each(const struct vllm_call, call, &vllm.calls)
    {
        out = arena_printf(a, "%.*s%s%.*s %zu settings%s:", STR_ARG(out), out.n ? " | " : "", STR_ARG(call->event),
                           call->settings.n, call->split ? " split" : "");
        vec_each(const struct vllm_piece, p, &call->pieces) out =
            arena_printf(a, "%.*s %.*s %lld-%lld %zu%s%s;", STR_ARG(out), STR_ARG(p->name), (long long)p->begin,
                         (long long)p->end, p->artifacts, p->code ? " code" : "", p->cache_hit ? " hit" : "");
    }
    return out;
}

static void compile_calls(struct trace_text *t)
{
    add(t, "vllm_compile_event", "{\"type\": \"fresh_compile\"}");
    add(t, "vllm_compilation_config", "{\"model\": \"m\", \"compile_sizes\": [1, 2]}");
    add(t, "vllm_piecewise_split_graph", "graph");
    add(t, "vllm_piecewise_compile_start", START(1, 1, 64, "false"));
    add(t, "before_post_grad_graph", "graph");
    add(t, "inductor_output_code", "code");
    add(t, "dynamo_cpp_guards_str", "not of a piece");
    add(t, "vllm_piecewise_compile_start", START(0, 16, 16, "true"));
    add(t, "fx_graph_cache_hit", "{\"key\": \"k\"}");
    add(t, "vllm_piecewise_compile_start", START(0, 1, 64, "false"));
    add(t, "vllm_compile_event", "{\"type\": \"aot_cache_hit\"}");
    add(t, "inductor_output_code", "of no piece");
    add(t, "vllm_compile_event", "{broken");
    add(t, "vllm_compilation_config", "[]");
}

static void records(void **state)
{
    struct trace_text t = {0};
    struct run *r;

    (void)state;
    compile_calls(&t);
    r = trace_run(&t);
    assert_str(calls_of(r, r->processes.v[0]->compiles.v[0]),
               "fresh_compile 2 settings split: submod_1 1-64 2 code; submod_0 16-16 1 hit; submod_0 1-64 0; | "
               "aot_cache_hit 0 settings:");
    run_free(r);
}

/* Rows are subgraphs in their order, columns ranges and then single sizes. */
static void table(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;
    struct view v;
    json_t *o, *matrix;

    (void)state;
    compile_calls(&t);
    a = answers_of_trace(&t);
    v = view_of(a);
    o = page_vllm_of(&v, a->run->processes.v[0]->compiles.v[0]);
    matrix = json_object_get(json_array_get(json_object_get(o, "calls"), 0), "matrix");
    assert_str(view_json(v.scratch, json_incref(json_object_get(matrix, "sizes"))),
               "['1 to 64','size 16, CUDA graph']");
    assert_str(view_json(v.scratch, json_incref(json_object_get(matrix, "rows"))),
               "[{'name':'submod_0','cells':[{'pieces':[{'time':null,'cache_hit':false,'from':'a-0-9','count':'0 "
               "artifacts','code':null}]},{'pieces':[{'time':'1.0 ms','cache_hit':true,'from':'a-0-7','count':'1 "
               "artifact','code':null}]}]},{'name':'submod_1','cells':[{'pieces':[{'time':'2.0 ms','cache_hit':false,"
               "'from':'a-0-3','count':'2 artifacts','code':'a-0-5'}]},{'pieces':[]}]}]");
    assert_str(view_json(v.scratch, json_incref(json_object_get(matrix, "totals"))), "['2.0 ms','1.0 ms']");
    json_decref(o);
    answers_free(a);
}

/* A table that no page has room for: the rest is counted. */
static void many(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;
    struct view v;
    json_t *o, *matrix;

    (void)state;
    for (int i = 0; i < 300; i++) {
        struct buf start = {0};

        buf_printf(&start, "{\"piecewise_index\": %d, \"compile_range_start\": %d, \"compile_range_end\": %d}", i, i,
                   i);
        add(&t, "vllm_piecewise_compile_start", start.p);
        buf_free(&start);
    }
    for (int i = 0; i < 20; i++)
        add(&t, "vllm_piecewise_compile_start", START(0, 0, 0, "false"));
    a = answers_of_trace(&t);
    v = view_of(a);
    o = page_vllm_of(&v, a->run->processes.v[0]->compiles.v[0]);
    matrix = json_object_get(json_array_get(json_object_get(o, "calls"), 0), "matrix");
    assert_str(json_str(json_object_get(matrix, "more_sizes")), "276");
    assert_str(json_str(json_object_get(matrix, "more_rows")), "101");
    assert_int_equal(json_array_size(json_object_get(matrix, "rows")), 200);
    json_decref(o);
    answers_free(a);
}

static void none(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;
    struct view v;

    (void)state;
    add(&t, "inductor_output_code", "code");
    a = answers_of_trace(&t);
    v = view_of(a);
    assert_true(json_is_null(page_vllm_of(&v, a->run->processes.v[0]->compiles.v[0])));
    answers_free(a);
}

/* What report.json has of it. */
static void facts(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;
    struct view v;
    json_t *o;

    (void)state;
    add(&t, "vllm_compilation_config", "{\"model\": \"m\", \"compile_sizes\": [1, 2]}");
    add(&t, "vllm_piecewise_split_graph", "graph");
    add(&t, "vllm_piecewise_compile_start", START(1, 16, 16, "true"));
    add(&t, "fx_graph_cache_hit", "{\"key\": \"k\"}");
    a = answers_of_trace(&t);
    v = view_of(a);
    o = fact_compile(&v, a->run->processes.v[0]->compiles.v[0]);
    assert_str(view_json(v.scratch, json_incref(json_object_get(o, "vllm"))),
               "[{'event':null,'settings':{'model':'m','compile_sizes':'[1,2]'},'split_line':3,'pieces':[{'index':1,"
               "'subgraph':'submod_1','from_size':16,'to_size':16,'single_size':true,'cudagraph':true,'cache_hit':true,"
               "'duration_s':0.001,'artifacts':1,'record_line':5}]}]");
    json_decref(o);
    answers_free(a);
}

/* Pieces compiled after Dynamo is through have no compile id. They are of the compile that split its graph. */
static void pieces_without_an_id(void **state)
{
    struct trace_text t = {0};
    const struct process *p;
    struct run *r;

    (void)state;
    trace_artifact(&t, "vllm_piecewise_compile_start", "", START(7, 1, 2, "false")); /* nobody has split a graph */
    add(&t, "vllm_compilation_config", "{\"model\": \"m\"}");
    add(&t, "vllm_piecewise_split_graph", "graph");
    trace_artifact(&t, "vllm_piecewise_compile_start", "", START(0, 1, 64, "false"));
    trace_artifact(&t, "inductor_output_code", "", "code");
    trace_artifact(&t, "vllm_piecewise_split_graph", IN(1, 0, 0), "graph");
    trace_artifact(&t, "vllm_piecewise_compile_start", "", START(2, 8, 8, "true"));
    r = trace_run(&t);
    p = r->processes.v[0];
    assert_str(calls_of(r, p->compiles.v[0]), " 1 settings split: submod_0 1-64 1 code;");
    assert_str(calls_of(r, p->compiles.v[1]), " 0 settings split: submod_2 8-8 0;");
    assert_str(calls_of(r, p->unattributed), " 0 settings: submod_7 1-2 0;");
    run_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(records), cmocka_unit_test(table),
                                       cmocka_unit_test(many),    cmocka_unit_test(none),
                                       cmocka_unit_test(facts),   cmocka_unit_test(pieces_without_an_id)};

    return RUN(tests);
}
