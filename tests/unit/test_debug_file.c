#include "unit.h"

#include "input/debug_file.h"

#define FOLDER "run_2026_11_21_08_10_31_248992-pid_357/"
#define GRAPH FOLDER "torchinductor/model__0_forward_1.0/"

static void check(const char *path, const char *name, const char *graph, const char *why_not)
{
    struct debug_file f = debug_file_of(str_of(path));

    assert_str(f.name, name);
    assert_str(f.graph, graph);
    assert_str(f.why_not, why_not);
}

static void graphs(void **state)
{
    (void)state;
    check("/x/torch_compile_debug/" GRAPH "output_code.py", "inductor_output_code", "model__0_forward_1.0", "");
    check(GRAPH "output_code.cpp", "inductor_output_code", "model__0_forward_1.0", "");
    check(GRAPH "ir_pre_fusion.txt", "ir_pre_fusion", "model__0_forward_1.0", "");
    check("model__0_forward_1.0/fx_graph_runnable.py", "fx_graph_runnable", "model__0_forward_1.0", "");
    check("/tmp/cabc.debug/fx_graph_readable.py", "fx_graph_readable", "cabc.debug", "");
    check(GRAPH "orig_fx_graph_diagram.svg", "", "model__0_forward_1.0", "a picture: open it in a browser");
    check(GRAPH "notes.txt", "", "model__0_forward_1.0", "");
    check(FOLDER "torchinductor/model.0/output_code.py", "", "", "");
}

static void runs(void **state)
{
    (void)state;
    check(FOLDER "torchinductor/aot_model___0_debug.log", "aot_debug_log", "aot_model___0", "");
    check(FOLDER "minifier/minifier_launcher.py", "minifier_launcher", "minifier_launcher", "");
    check(FOLDER "minifier/checkpoints/9.py", "minifier_checkpoint", "9", "");
    check(FOLDER "repro.py", "minifier_repro", "repro", "");
    check(FOLDER "minifier/checkpoints/storages/0a1b", "", "", "tensor values, read by the programs next to it");
    check(FOLDER "torchdynamo/debug.log", "", "", "");
    assert_true(debug_file_of(STR(FOLDER "torchdynamo/debug.log")).is_log);
    assert_false(debug_file_of(STR("torchdynamo/debug.log")).is_log);
    assert_false(debug_file_of(STR(FOLDER "other/debug.log")).is_log);
    assert_false(debug_file_of(STR("/x/torchdynamo/" FOLDER "other/debug.log")).is_log);
}

static void other_places(void **state)
{
    (void)state;
    check("output_code.py", "", "", "");
    check("repro.py", "", "", "");
    check("/x/output_code.py", "", "", "");
    check("aot_model___0_debug.log", "", "", "");
    check("", "", "", "");
    check("/", "", "", "");
    check("model__0_forward_1.0", "", "", "");
    check("run_2026_13_21_08_10_31_248992-pid_357/repro.py", "", "", "");
    check("run_2026_11_21_08_10_31_248992-pid_/repro.py", "", "", "");
    check("run_2026_11_21/repro.py", "", "", "");
}

static void when_and_who(void **state)
{
    struct glog g = debug_file_of(STR("/x/" GRAPH "notes.txt")).began;

    (void)state;
    assert_int_equal(g.year, 2026);
    assert_int_equal(g.month, 11);
    assert_int_equal(g.day, 21);
    assert_int_equal(g.time_us, ((8 * 60 + 10) * 60 + 31) * 1000000ll + 248992);
    assert_int_equal(g.number, 357);
    assert_int_equal(debug_file_of(STR("model__0_forward_1.0/x")).began.month, 0);
}

static void check_id(const char *graph, int64_t expected)
{
    uint64_t id;

    assert_int_equal(debug_file_aot_id(str_of(graph), &id) ? (int64_t)id : -1, expected);
}

static void aot_ids(void **state)
{
    (void)state;
    check_id("model__0_forward_1.0", 0);
    check_id("model__12_inference_15.3", 12);
    check_id("my__model__7_backward_15.3", 7);
    check_id("model___9.0", -1);
    check_id("model__0_forward_1", -1);
    check_id("cabc.debug", -1);
    check_id("model__0.0", -1);
    check_id("", -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(graphs),       cmocka_unit_test(runs),    cmocka_unit_test(other_places),
        cmocka_unit_test(when_and_who), cmocka_unit_test(aot_ids),
    };

    return RUN(tests);
}
