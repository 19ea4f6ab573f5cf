/* Collectives of printed graphs and of generated code. */
#include "unit.h"

#include "text/graphs/collective_text.h"


static void graph(void **state)
{
    static const char text[] =
        "        # File: /home/me/train.py:32 in f, code: y = reduce(x)\n"
        "        repeat: \"f32[8, 8][8, 1]cpu\" = torch.ops.aten.repeat.default(x, [4, 1]);  x = None\n"
        "        # File: /venv/lib/python3.11/site-packages/torch/distributed/_functional_collectives.py:279 in g, "
        "code: "
        "tensor = torch.ops._c10d_functional.reduce_scatter_tensor(\n"
        "        rs: \"f32[2, 8][8, 1]cpu\" = torch.ops._c10d_functional.reduce_scatter_tensor.default(repeat, 'sum', "
        "4, "
        "'0');  repeat = None\n"
        "        w: \"f32[2, 8][8, 1]cpu\" = torch.ops._c10d_functional.wait_tensor.default(rs);  rs = None\n";
    struct str walk = str_of(text);
    struct collective_call call;

    (void)state;
    assert_true(collective_next(&walk, &call));
    assert_str(call.op, "reduce_scatter_tensor");
    assert_str(call.reduction, "sum");
    assert_str(call.group, "0");
    assert_int_equal(4, call.group_size);
    assert_str(call.dtype, "f32");
    assert_str(call.shape, "[2, 8]");
    assert_true(collective_next(&walk, &call));
    assert_true(collective_is_wait(&call));
    assert_str(call.group, "");
    assert_false(collective_next(&walk, &call));
}

static void code(void **state)
{
    static const char text[] =
        "# Topologically Sorted Source Nodes: [t], Original ATen: [_c10d_functional.all_reduce]\n"
        "torch.ops._c10d_functional.all_reduce_.default(buf0, 'avg', 'tp')\n"
        "assert_size_stride(buf6, (2, 8), (8, 1), 'torch.ops._c10d_functional.all_reduce_.default')\n"
        "buf9 = torch.ops._c10d_functional.all_gather_into_tensor.default(buf6, 16, 'dp')\n"
        "torch.ops._c10d_functional.broadcast(\n";
    struct str walk = str_of(text);
    struct collective_call call;

    (void)state;
    assert_true(collective_next(&walk, &call));
    assert_str(call.op, "all_reduce");
    assert_str(call.reduction, "avg");
    assert_str(call.group, "tp");
    assert_str(call.dtype, "");
    assert_true(collective_next(&walk, &call));
    assert_str(call.op, "all_gather_into_tensor");
    assert_str(call.reduction, "");
    assert_str(call.group, "dp");
    assert_int_equal(16, call.group_size);
    assert_false(collective_next(&walk, &call));
}

static void names(void **state)
{
    (void)state;
    assert_str(collective_op(STR("torch.ops._c10d_functional.all_reduce_.default")), "all_reduce");
    assert_str(collective_op(STR("_c10d_functional.wait_tensor")), "wait_tensor");
    assert_str(collective_op(STR("torch.ops.aten.add.Tensor")), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(graph), cmocka_unit_test(code), cmocka_unit_test(names)};

    return RUN(tests);
}
