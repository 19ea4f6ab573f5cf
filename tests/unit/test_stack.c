#include "unit.h"

#include "model/code_file.h"
#include "model/stack.h"

static const struct call *push(struct stack_tree *t, const struct call *parent, const char *file, int64_t line)
{
    return stack_push(t, parent, str_of(file), line, STR("f"), STR("x = 1"));
}

static void equal_stacks_are_equal_pointers(void **state)
{
    struct arena *a = arena_new();
    struct stack_tree t;
    const struct call *outer, *inner, *other;
    char file[] = "/a.py";

    (void)state;
    stack_tree_init(&t, a);
    outer = push(&t, NULL, file, 1);
    inner = push(&t, outer, file, 2);
    file[1] = 'b'; /* strings are copied */
    other = push(&t, outer, file, 2);
    assert_ptr_equal(push(&t, NULL, "/a.py", 1), outer);
    assert_ptr_equal(push(&t, outer, "/a.py", 2), inner);
    assert_ptr_not_equal(inner, other);
    assert_ptr_not_equal(push(&t, NULL, "/a.py", 2), inner);
    assert_ptr_not_equal(stack_push(&t, outer, STR("/a.py"), 2, STR("g"), STR("x = 1")), inner);
    assert_ptr_not_equal(stack_push(&t, outer, STR("/a.py"), 2, STR("f"), STR("x = 2")), inner);
    assert_ptr_equal(stack_push(&t, outer, STR("/a.py"), 2, STR("f"), STR("x = 1")), inner);
    assert_str(inner->file, "/a.py");
    assert_ptr_equal(inner->file.p, outer->file.p);
    assert_int_equal(outer->depth, 1);
    assert_int_equal(inner->depth, 2);
    arena_free(a);
}

static void keeps_the_order_of_creation(void **state)
{
    struct arena *a = arena_new();
    struct stack_tree t;

    (void)state;
    stack_tree_init(&t, a);
    for (int i = 0; i < 1000; i++) {
        const struct call *c = NULL;

        for (int depth = 0; depth < 5; depth++)
            c = push(&t, c, "/a.py", i % (depth + 2));
    }
    for (size_t i = 0; i < t.all.n; i++) {
        assert_int_equal(t.all.v[i]->index, i);
        assert_true(!t.all.v[i]->parent || t.all.v[i]->parent->index < i);
    }
    assert_in_range(t.all.n, 5, 2 + 6 + 24 + 120 + 720);
    arena_free(a);
}

static void lists(void **state)
{
    struct arena *a = arena_new();
    struct stack_tree t;
    const struct call *c = NULL, **list;

    (void)state;
    stack_tree_init(&t, a);
    for (int i = 1; i <= 5; i++)
        c = push(&t, c, "/a.py", i);
    list = stack_list(a, c);
    for (int i = 1; i <= 5; i++)
        assert_int_equal(list[i - 1]->line, i);
    assert_non_null(stack_list(a, NULL));
    arena_free(a);
}

static void framework_files(void **state)
{
    static const struct {
        const char *file;
        bool framework;
    } files[] = {
        {"", true},
        {"<string>", false},
        {"<stdin>", false},
        {"<ipython-input-3-c0ffee>", false},
        {"<frozen importlib._bootstrap>", true},
        {"<eval_with_key>.12", true},
        {"torch/nn/modules/module.py", true},
        {"torchgen/model.py", true},
        {"functorch/dim/__init__.py", true},
        {"triton/runtime/jit.py", true},
        {"/usr/lib/python3/dist-packages/torch/_dynamo/utils.py", true},
        {"/home/u/venv/lib/python3.11/site-packages/torch/nn/modules/module.py", true},
        {"/home/u/venv/lib/python3.11/site-packages/triton/compiler.py", true},
        {"/home/u/site-packages/job/venv/lib/python3.11/site-packages/torch/fx/node.py", true},
        {"/usr/lib/python3.11/contextlib.py", true},
        {"/usr/lib64/python3.12/threading.py", true},
        {"/opt/conda/lib/python3.10/asyncio/base_events.py", true},
        {"/home/u/pytorch/torch/nn/functional.py", true},
        {"/src/torch/_inductor/codecache.py", true},
        {"/src/torch/_dynamo/eval_frame.py", true},
        {"D:\\UI\\Lib\\site-packages\\torch\\_dynamo\\eval_frame.py", true},
        {"Lib\\site-packages\\torch\\_inductor\\scheduler.py", true},
        {"C:\\Users\\u\\AppData\\Local\\Temp\\torchinductor_u\\ab\\cab.py", true},
        {"/scratch/cache/pr/cprxk4ild67fd3zm5ezzt3rp3cnsvhcrbbyqpbtvphq2r5s6w7on.py", true},
        {"D:\\cache\\pr\\cprxk4ild67fd3zm5ezzt3rp3cnsvhcrbbyqpbtvphq2r5s6w7on.py", true},
        {"/scratch/cache/px/cprxk4ild67fd3zm5ezzt3rp3cnsvhcrbbyqpbtvphq2r5s6w7on.py", false},
        {"/scratch/cache/cprxk4ild67fd3zm5ezzt3rp3cnsvhcrbbyqpbtvphq2r5s6w7on.py", false},
        {"/scratch/cache/co/config.py", false},
        {"torchinductor_u/ab/cab.py", true},
        {"/srv/run_torchinductor_bench.py", false},
        {"C:/Users/u/miniconda3/Lib/site-packages/triton/compiler/compiler.py", true},
        {"C:\\Python311\\Lib\\contextlib.py", true},
        {"C:\\Users\\u\\anaconda3\\envs\\shop\\lib\\contextlib.py", true},
        {"C:\\shop\\lib\\till.py", false},
        {"C:\\Python311\\Lib\\concurrent\\futures\\thread.py", true},
        {"/home/u/triton/python/triton/compiler/compiler.py", true},
        {"/data/tr/python/triton/runtime/jit.py", true},
        {"/home/u/src/torch/nn/modules/module.py", true},
        {"/home/u/src/torch/_tensor.py", true},
        {"/home/u/src/torch/distributed/elastic/multiprocessing/errors/__init__.py", true},
        {"/home/u/src/torch/utils/_contextlib.py", true},
        {"/home/u/pytorch/torch/utils/bundled_inputs.py", true},
        {"/opt/conda/bin/torchrun", true},
        {"/Library/Frameworks/Python.framework/Versions/3.11/lib/python3.11/runpy.py", true},
        {"/home/u/train.py", false},
        {"/home/u/bin/train.py", false},
        {"C:\\work\\train.py", false},
        {"D:\\UI\\Lib\\site-packages\\diffusers\\models\\unet.py", false},
        {"D:\\UI\\ComfyUI\\execution.py", true},
        {"D:\\UI\\ComfyUI\\nodes.py", false},
        {"D:\\UI\\execution.py", false},
        {"D:\\project\\Lib\\model.py", false},
        {"/home/u/torch/utils/train.py", false},
        {"/home/u/triton/kernels.py", false},
        {"/home/u/my_torch/_dynamo.py", false},
        {"train.py", false},
        {"torchrun.py", false},
        {"torchvision/models/resnet.py", false},
        {"/home/u/torch/train.py", false},
        {"/home/u/pytorch/test/test_ops.py", false},
        {"/home/u/venv/lib/python3.11/site-packages/transformers/models/bert/modeling_bert.py", false},
        {"/home/u/venv/lib/python3.11/site-packages/torchvision/ops/boxes.py", false},
        {"/usr/lib/python3/dist-packages/numpy/core.py", false},
        {"/home/u/lib/python/train.py", false},
        {"/home/u/lib/python3.py", false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(files); i++)
        if (is_framework_file(str_of(files[i].file)) != files[i].framework)
            fail_msg("%s was %s for a file of the framework", files[i].file,
                     files[i].framework ? "not taken" : "taken");
    assert_true(is_framework_file((struct str){0}));
}

static void innermost_call_of_the_user(void **state)
{
    struct arena *a = arena_new();
    struct stack_tree t;
    const struct call *library, *user, *inner, *only;

    (void)state;
    stack_tree_init(&t, a);
    library = push(&t, NULL, "/usr/lib/python3.11/runpy.py", 1);
    user = push(&t, library, "/home/u/train.py", 2);
    inner = push(&t, push(&t, user, "torch/nn/modules/module.py", 3), "torch/nn/functional.py", 4);
    only = push(&t, library, "torch/x.py", 5);
    assert_ptr_equal(stack_user_call(inner), user);
    assert_ptr_equal(stack_user_call(user), user);
    assert_ptr_equal(stack_user_call(only), only);
    assert_null(stack_user_call(NULL));
    arena_free(a);
}

static void libraries(void **state)
{
    (void)state;
    assert_true(is_library_file(STR("/home/u/venv/lib/python3.11/site-packages/transformers/models/bert.py")));
    assert_true(is_library_file(STR("D:\\UI\\Lib\\site-packages\\diffusers\\unet.py")));
    assert_false(is_library_file(STR("/home/u/venv/lib/python3.11/site-packages/torch/fx/node.py")));
    assert_false(is_library_file(STR("/home/u/train.py")));
    assert_true(is_library_file(STR("transformers/models/sam/modeling_sam.py")));
    assert_true(is_library_file(STR("C:\\git\\diffusers\\src\\diffusers\\models\\attention.py")));
    assert_true(is_library_file(STR("accelerate/hooks.py")));
    assert_false(is_library_file(STR("/home/u/transformers/models/till.py")));
    assert_false(is_library_file(STR("/home/u/torch_geometric/train.py")));
    assert_true(is_library_file(STR("/tmp/u_pyg/tmpx31ev0wx.py")));
    assert_false(is_library_file(STR("/tmp/ipykernel_9/3109.py")));
    assert_false(is_library_file(STR("/tmp/tmpx31ev0wx/shop.py")));
}

static void packages(void **state)
{
    (void)state;
    assert_str(code_file_package_path(STR("/v/site-packages/torch-2.0.1-py3.9-linux-x86_64.egg/torch/fx/node.py")),
               "torch/fx/node.py");
    assert_str(code_file_package_path(STR("/v/site-packages/stall/eggs.egg/stand.py")), "stall/eggs.egg/stand.py");
    assert_str(code_file_package_path(STR("/v/site-packages/stand.py")), "stand.py");
    assert_true(is_framework_file(STR("/v/site-packages/torch-2.0.1-py3.9.egg/torch/_dynamo/utils.py")));
}

static void code_that_runs_what_is_compiled(void **state)
{
    (void)state;
    assert_true(code_file_exports(STR("/v/site-packages/torch/export/_trace.py")));
    assert_true(code_file_exports(STR("/v/site-packages/torch/onnx/_internal/exporter.py"))); /* 2.1 to 2.4 */
    assert_true(code_file_exports(STR("/v/site-packages/torch/onnx/_internal/exporter/_core.py")));
    assert_true(code_file_exports(STR("/v/site-packages/torch/onnx/_internal/_exporter_legacy.py")));
    assert_false(code_file_exports(STR("/v/site-packages/torch/onnx/_internal/onnxruntime.py"))); /* a backend */
    assert_false(code_file_exports(STR("/v/site-packages/torch/onnx/utils.py"))); /* of TorchScript */
    assert_true(code_file_runs_compiled(STR("/v/site-packages/torch/_inductor/utils.py")));
    assert_true(code_file_runs_compiled(STR("/v/site-packages/torch/_dynamo/aot_compile.py")));
    assert_false(code_file_runs_compiled(STR("/v/site-packages/torch/_dynamo/eval_frame.py"))); /* calls the program */
    assert_false(code_file_runs_compiled(STR("/v/site-packages/torch/_functorch/vmap.py")));
}

static void other_checkouts(void **state)
{
    struct str script = STR("/home/u/shop/train.py");

    (void)state;
    assert_true(is_other_checkout(STR("/src/stall/stall/stand.py"), script));
    assert_true(is_other_checkout(STR("/src/stall/src/stall/stand.py"), script));
    assert_true(is_other_checkout(STR("D:\\src\\stall\\stall\\stand.py"), STR("D:\\u\\train.py")));
    assert_false(is_other_checkout(STR("/src/stall/stall/stand.py"), STR("/src/stall/examples/train.py")));
    assert_false(is_other_checkout(STR("/src/stall/stall.py"), script));
    assert_false(is_other_checkout(STR("/src/stall/stallion/stand.py"), script));
    assert_false(is_other_checkout(STR("/src/stall/stall/stand.py"), STR("")));
    assert_false(is_other_checkout(STR("//x.py"), script));
}

static void program_beside_checkout(void **state)
{
    struct arena *a = arena_new();
    struct stack_tree t;
    const struct call *script, *checkout;

    (void)state;
    stack_tree_init(&t, a);
    script = stack_push(&t, NULL, STR("/home/u/shop/train.py"), 3, STR("<module>"), STR("stall.open()"));
    checkout = push(&t, script, "/src/stall/stall/stand.py", 5);
    assert_ptr_equal(stack_program_call(checkout), script);
    assert_ptr_equal(stack_own_call(checkout), checkout);
    checkout = push(&t, NULL, "/src/stall/stall/stand.py", 5);
    assert_ptr_equal(stack_program_call(checkout), checkout);
    arena_free(a);
}

/* The head of a function is where compiled code runs; a body in the same line is code of the program. */
static void functions_of_one_line(void **state)
{
    static const struct {
        const char *source;
        bool is_place;
    } lines[] = {
        {"def sell(x):", false},
        {"async def sell(x):  # till: 3", false},
        {"def sell(x: int, y={1: 2}) -> int:", false},
        {"def sell(x: int,", false},
        {"def sell(x): return x", true},
        {"def sell(x, y={1: 2}) -> int: print(x); return y", true},
    };
    struct arena *a = arena_new();
    struct stack_tree t;

    (void)state;
    stack_tree_init(&t, a);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const struct call *above = stack_push(&t, NULL, STR("/u/shop.py"), 9, STR("<module>"), STR("fast(x)"));
        const struct call *c = stack_push(&t, above, STR("/u/shop.py"), 3, STR("sell"), str_of(lines[i].source));

        assert_ptr_equal(stack_own_call(c), lines[i].is_place ? c : above);
    }
    arena_free(a);
}

static void names_of_files(void **state)
{
    (void)state;
    assert_str(code_file_name(STR("/home/u/train.py")), "train.py");
    assert_str(code_file_name(STR("train.py")), "train.py");
    assert_str(code_file_name(STR("C:\\work\\train.py")), "train.py");
    assert_str(code_file_name(STR("C:/work\\train.py")), "train.py");
    assert_str(code_file_name(STR("Lib\\site-packages\\torch\\x.py")), "x.py");
    assert_str(code_file_name(STR("/home/u/a\\b.py")), "a\\b.py");
    assert_str(code_file_name(STR("")), "");
}

/* As Python imports it; what is no module has none. */
static void modules_of_files(void **state)
{
    static const struct {
        const char *file, *module;
    } cases[] = {
        {"<frozen importlib._bootstrap>", "importlib._bootstrap"},
        {"<frozen runpy>", "runpy"},
        {"<frozen >", ""},
        {"<frozen runpy", ""},
        {"<string>", ""},
        {"", ""},
        {"shop.py", ""},
        {"torch/nn/modules/module.py", "torch.nn.modules.module"},
        {"torch/nn/__init__.py", "torch.nn"},
        {"/usr/lib/python3.11/asyncio/base_events.py", "asyncio.base_events"},
        {"/usr/lib/python3.11/asyncio/__init__.py", "asyncio"},
        {"/v/lib/python3.11/site-packages/shop/till.py", "shop.till"},
        {"/v/lib/python3.11/site-packages/shop/till", "shop.till"},
    };
    char buffer[CODE_MODULE_MAX];

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_str(code_file_module(str_of(cases[i].file), buffer), cases[i].module);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_stacks_are_equal_pointers),
        cmocka_unit_test(keeps_the_order_of_creation),
        cmocka_unit_test(lists),
        cmocka_unit_test(framework_files),
        cmocka_unit_test(libraries),
        cmocka_unit_test(packages),
        cmocka_unit_test(code_that_runs_what_is_compiled),
        cmocka_unit_test(other_checkouts),
        cmocka_unit_test(program_beside_checkout),
        cmocka_unit_test(functions_of_one_line),
        cmocka_unit_test(names_of_files),
        cmocka_unit_test(modules_of_files),
        cmocka_unit_test(innermost_call_of_the_user),
    };

    return RUN(tests);
}
