#include "view/facts/facts.h"

#include "view_text.h"

#include "analysis/code/kernels.h"

/* "cpp cpp_fused_0 /x.py:8 [add mul] | …": the kernels of the first compile; of places the first, and how many more. */
static struct str kernel_lines(const struct run *r)
{
    const struct process *process = r->processes.v[0];
    const struct compile *c = process->compiles.n ? process->compiles.v[0] : process->unattributed;
    struct kernels kernels;
    struct str out = STR("");

    kernels_find(r->arena, c, &kernels);
    vec_each(const struct kernel, k, &kernels.list)
    {
        const struct kernel_place *p = k->places.n ? k->places.v : &(struct kernel_place){0};

        out = arena_printf(r->arena, "%.*s%s%.*s %.*s %.*s:%lld", STR_ARG(out), out.n ? " | " : "", STR_ARG(k->kind),
                           STR_ARG(k->name), STR_ARG(p->file), (long long)p->line);
        if (k->places.n > 1)
            out = arena_printf(r->arena, "%.*s+%zu", STR_ARG(out), k->places.n - 1);
        out = arena_printf(r->arena, "%.*s [", STR_ARG(out));
        for (size_t i = 0; i < k->nodes.n; i++)
            out = arena_printf(r->arena, "%.*s%s%.*s", STR_ARG(out), i ? " " : "", STR_ARG(k->nodes.v[i]));
        out = arena_printf(r->arena, "%.*s]", STR_ARG(out));
    }
    return out;
}

#define check_kernels(t, expected)                                                                                     \
    do {                                                                                                               \
        struct run *r_ = trace_run(t);                                                                                 \
                                                                                                                       \
        assert_str(kernel_lines(r_), expected);                                                                        \
        run_free(r_);                                                                                                  \
    } while (0)

#define MAPPINGS "inductor_provenance_tracking_node_mappings"
#define STACKS "inductor_provenance_tracking_kernel_stack_traces"
#define CODE "{\"inductor_output_code\": {\"filename\": \"/tmp/x.py\"}, " IN(0, 0, 0) "}"

/* 2.8 and later. The number after a name distinguishes calls, not kernels. */
static void provenance_maps(void **state)
{
    struct trace_text t = {0};

    (void)state;
    trace_artifact(&t, MAPPINGS, IN(0, 0, 0),
                   "{\"preToPost\": {\"linear\": [\"addmm\"]}, \"postToPre\": {\"addmm\": [\"linear\"]}, "
                   "\"cppCodeToPost\": {\"extern_kernels.addmm:1\": [\"addmm\"], \"cpp_fused_gelu_0:2\": [\"mul\", "
                   "\"erf\"], \"extern_kernels.addmm:3\": [\"addmm_1\", \"addmm\"]}, \"postToCppCode\": {\"mul\": "
                   "[\"cpp_fused_gelu_0:2\"]}, \"version\": 2.0}");
    trace_artifact(&t, STACKS, IN(0, 0, 0),
                   "{\"cpp_fused_gelu_0:2\": [\"  File \\\"/x.py\\\", line 7, in f\\n    g(x)\\n  File "
                   "\\\"/y.py\\\", line 8, in g\\n    h(x)\\n  File \\\"/venv/lib/python3.11/site-packages/torch/nn/"
                   "z.py\\\", line 9, in h\\n    gelu(x)\\n\", \"  File \\\"/other.py\\\", line 1, in f\\n\"], "
                   "\"triton_new:4\": [], \"cpp_fused_gelu_0:5\": [\"  File \\\"/later.py\\\", line 1, in f\\n\"]}");
    check_kernels(&t, "extern extern_kernels.addmm :0 [addmm addmm_1] | cpp cpp_fused_gelu_0 /y.py:8+2 [mul erf] | "
                      "triton triton_new :0 []");
}

/* Before 2.8 there was a map alone, under two names. */
static void older_maps(void **state)
{
    struct trace_text t = {0};

    (void)state;
    trace_artifact(&t, "inductor_triton_kernel_to_post_grad_nodes", IN(0, 0, 0),
                   "{\"triton_poi_fused_add_0\": [\"add\", \"add\", \"mul\"], \"aten.convolution\": [\"conv\"]}");
    trace_artifact(&t, "inductor_generated_kernel_to_post_grad_nodes", IN(0, 0, 0),
                   "{\"triton_poi_fused_add_0\": [\"mul\", \"sub\"]}");
    check_kernels(&t, "triton triton_poi_fused_add_0 :0 [add mul sub] | extern aten.convolution :0 [conv]");
}

/* Without maps, the output code names what it defines. */
static void output_code(void **state)
{
    struct trace_text t = {0};

    (void)state;
    trace_payload(&t, CODE,
                  "async_compile = AsyncCompile()\n\ncpp_fused_add_0 = async_compile.cpp_pybinding(['float*'], r'''\n"
                  "    x = y\n''')\n  triton_poi_fused_0 = async_compile.triton('triton_', '''\n''')\n"
                  "multi_kernel_0 = async_compile.multi_kernel('x', [\nasync_compile.wait(globals())\n"
                  "a b = async_compile.triton('no name')\n = async_compile.triton('no name')\n");
    check_kernels(&t, "cpp cpp_fused_add_0 :0 [] | triton triton_poi_fused_0 :0 [] | other multi_kernel_0 :0 []");
}

/* The same kernel in several records is one. */
static void of_several_records(void **state)
{
    struct trace_text t = {0};
    struct kernels kernels;
    struct run *r;

    (void)state;
    trace_payload(&t, CODE, "cpp_fused_add_0 = async_compile.cpp_pybinding([])\n");
    trace_artifact(&t, MAPPINGS, IN(0, 0, 0), "{\"cppCodeToPost\": {\"cpp_fused_add_0:1\": [\"add\"]}}");
    trace_payload(&t, CODE, "cpp_fused_add_0 = async_compile.cpp_pybinding([])\n");
    r = trace_run(&t);
    assert_str(kernel_lines(r), "cpp cpp_fused_add_0 :0 [add]");
    kernels_find(r->arena, r->processes.v[0]->compiles.v[0], &kernels);
    assert_ptr_equal(kernels.list.v[0].artifact, r->processes.v[0]->compiles.v[0]->artifacts.v[0]);
    run_free(r);
}

#define TRITON "triton_poi_fused_add_relu_0"
#define NODE(name, target) "#   %" name " : [num_users=1] = call_function[target=" target "](args = (), kwargs = {})\n"

/* Without provenance maps, comments in the code name nodes, and comments in the graphs the user's lines. */
static void comments(void **state)
{
    struct trace_text t = {0};
    struct kernels kernels;
    struct run *r;

    (void)state;
    trace_artifact(&t, "before_pre_grad_graph", IN(0, 0, 0),
                   "    # File: /a/b.py:7 in f, code: y = x + 1\n    y: \"f32[8]cpu\" = x + 1\n");
    trace_payload(&t, "{\"inductor_post_grad_graph\": {}, " IN(0, 0, 0) "}",
                  "    # File: /a/b.py:8 in f, code: z = y.relu()\n    relu: \"f32[8]cpu\" = torch.relu(add)\n"
                  "    # No stacktrace found for following nodes\n    add = torch.add(x, 1)\n");
    trace_payload(&t, CODE,
                  "# AOT ID: ['3_forward']\n# Topologically Sorted Source Nodes: [y], Original ATen: [aten.add]\n"
                  "# Graph fragment:\n#   %x : Tensor = PlaceHolder[target=x]\n" NODE("add", "add") NODE("relu", "relu")
                      TRITON
                  " = async_compile.triton('k', '''\n@triton_heuristics.pointwise(\n    buf9 = f(x)\n''')\n"
                  "def call(args):\n    assert_size_stride(arg0_1, (8, s0*(2)), (1, 1))\n"
                  "    buf0 = empty_strided_cpu((8, 4), (4, 1), torch.float32)\n    buf1 = buf0; del buf0  # reuse\n"
                  "    " TRITON ".run(buf1, arg0_1, unknown, 128, stream=stream0)\n"
                  "    " TRITON ".run(buf1, buf1, 128, stream=stream0)\n"
                  "    # Topologically Sorted Source Nodes: [y], Original ATen: [aten.add]\n"
                  "    extern_kernels.mm(reinterpret_tensor(buf1, (4, 8), (1, 4), 0), arg0_1, out=buf0)\n");
    r = trace_run(&t);
    assert_str(kernel_lines(r), "triton " TRITON " /a/b.py:8 [add relu] | extern extern_kernels.mm /a/b.py:7 []");
    kernels_find(r->arena, r->processes.v[0]->compiles.v[0], &kernels);
    assert_int_equal(kernels.list.v[0].calls, 2);
    assert_str(kernels.list.v[0].heuristic, "pointwise");
    assert_int_equal(kernels.list.v[0].sizes.n, 2);
    assert_str(kernels.list.v[0].sizes.v[0], "buf1 (8, 4)");
    assert_str(kernels.list.v[0].sizes.v[1], "arg0_1 (8, s0*(2))");
    assert_int_equal(kernels.list.v[1].sizes.n, 3);
    assert_str(kernels.list.v[1].sizes.v[0], "buf1 (4, 8)");
    assert_str(kernels.list.v[1].graphs.v[0], "3_forward");
    run_free(r);
}

/* A cache hit writes maps without payload; a cut trace has half of one. */
static void damaged_maps(void **state)
{
    static const char *const payloads[] = {
        "",
        "{\"cppCodeToPost\": {\"cpp_0\": [\"a\"",
        "[1, 2]",
        "{\"cppCodeToPost\": 7, \"pyCodeToPost\": [\"x\"]}",
        "{\"cppCodeToPost\": {\"\": [\"a\"]}}",
        "null",
        "{}",
    };
    struct trace_text t = {0};

    (void)state;
    for (size_t i = 0; i < COUNT(payloads); i++) {
        trace_artifact(&t, MAPPINGS, IN(0, 0, 0), payloads[i]);
        check_kernels(&t, "");
    }
    trace_record(&t, "{\"artifact\": {\"name\": \"" MAPPINGS "\", \"encoding\": \"json\"}, " IN(0, 0, 0) "}");
    check_kernels(&t, "");
    trace_artifact(&t, STACKS, IN(0, 0, 0), "{\"\": [\"x\"]}");
    check_kernels(&t, "");
    trace_artifact(&t, MAPPINGS, IN(0, 0, 0), "{\"cppCodeToPost\": {\"cpp_0\": [7, null, \"\", \"a\"], \"cpp_1\": 7}}");
    check_kernels(&t, "cpp cpp_0 :0 [a] | cpp cpp_1 :0 []");
}

/* Any other map of names is none of kernels. */
static void other_artifacts(void **state)
{
    struct trace_text t = {0};

    (void)state;
    trace_artifact(&t, "inductor_post_to_pre_grad_nodes", IN(0, 0, 0), "{\"mul\": [\"h\"]}");
    trace_artifact(&t, "triton_kernel_info", IN(0, 0, 0), "{\"triton_0\": {\"compile_time_us\": 7}}");
    trace_artifact(&t, "my_kernel_to_post_grad_nodes", IN(0, 0, 0), "{\"triton_0\": [\"a\"]}");
    check_kernels(&t, "triton triton_0 :0 []");
}

static void compile_times(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;
    struct kernels kernels;
    struct view v;

    (void)state;
    trace_artifact(&t, "triton_kernel_info", IN(0, 0, 0),
                   "{\"triton_0\": {\"compile_time_us\": 7, \"num_configs\": 2, \"autotune_cache_state\": \"hit\"}, "
                   "\"triton_1\": {\"compile_time_us\": -3, \"autotune_cache_state\": \"only 1 config\"}, "
                   "\"triton_2\": 5, \"\": {}, \"triton_3\": {\"num_configs\": 4}, \"triton_4\": {}}");
    a = answers_of_trace(&t);
    v = view_of(a);
    kernels_find(v.scratch, a->run->processes.v[0]->compiles.v[0], &kernels);
    assert_int_equal(kernels.list.n, 4);
    assert_int_equal(kernels.list.v[0].compile_us, 7);
    assert_str(kernels.list.v[0].autotuned, "2 configurations, cache hit");
    assert_int_equal(kernels.list.v[1].compile_us, -1);
    assert_str(kernels.list.v[1].autotuned, "1 configuration");
    assert_str(kernels.list.v[2].autotuned, "4 configurations, cache not asked");
    assert_str(kernels.list.v[3].autotuned, "");
    answers_free(a);
}

static void facts(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;
    struct kernels kernels;
    struct view v;

    (void)state;
    trace_artifact(&t, MAPPINGS, IN(0, 0, 0), "{\"pyCodeToPost\": {\"triton_0:1\": [\"a\"]}}");
    a = answers_of_trace(&t);
    v = view_of(a);
    kernels_find(v.scratch, a->run->processes.v[0]->compiles.v[0], &kernels);
    assert_str(view_json(v.scratch, fact_kernel(&v, kernels.list.v)),
               "{'rank':null,'pid':100,'process':0,'epoch':0,'compile':'0/0','name':'triton_0','kind':'triton',"
               "'heuristic':null,'nodes':['a'],'sizes':[],'graphs':[],'calls':null,'file':null,'line':null,'places':[],"
               "'compile_s':null,'autotuned':null,'gpu':null}");
    answers_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(provenance_maps), cmocka_unit_test(older_maps),         cmocka_unit_test(output_code),
        cmocka_unit_test(comments),        cmocka_unit_test(of_several_records), cmocka_unit_test(damaged_maps),
        cmocka_unit_test(other_artifacts), cmocka_unit_test(compile_times),      cmocka_unit_test(facts),
    };

    return RUN(tests);
}
