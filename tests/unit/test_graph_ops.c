/* The operators of a printed graph. */
#include "unit.h"

#include "text/graphs/graph_ops.h"

static const char graph[] = "class GraphModule(torch.nn.Module):\n"
                            "    def forward(self, L_x_: \"f32[4][1]cpu\", L_w_: \"f32[4]\"):\n"
                            "        l_x_ = L_x_\n"
                            "        l_w_ = L_w_\n"
                            "        \n"
                            "         # File: /a b/x.py:7 in f, code: y = x @ w, 1\n"
                            "        matmul: \"f32[4]\" = l_x_ @ l_w_;  l_x_ = l_w_ = None\n"
                            "        linear_12: \"f32[4]\" = torch._C._nn.linear(matmul, l_w_)\n"
                            "         # File: /x.py:8 in f, code: z = 1\n"
                            "        _set_grad_enabled = torch._C._set_grad_enabled(False);  _set_grad_enabled = None\n"
                            "        return (linear_12,)\n";

static void operators(void **state)
{
    static const struct {
        const char *name, *place;
    } expected[] = {
        {"@", "# File: /a b/x.py:7 in f, code: y = x @ w, 1"},
        {"torch._C._nn.linear", "# File: /a b/x.py:7 in f, code: y = x @ w, 1"},
        {"torch._C._set_grad_enabled", "# File: /x.py:8 in f, code: z = 1"},
    };
    struct str rest = str_of(graph), place = {0};
    struct graph_op op;

    (void)state;
    for (size_t i = 0; i < COUNT(expected); i++) {
        assert_true(graph_op_next(&rest, &place, &op));
        assert_str(op.name, expected[i].name);
        assert_str(op.place, expected[i].place);
    }
    assert_false(graph_op_next(&rest, &place, &op));
    assert_int_equal(graph_shape_of(str_of(graph)).ops, 3);
}

/* Alike: the same operators in the same order. */
static void shapes(void **state)
{
    static const struct {
        const char *a, *b;
        bool alike;
    } cases[] = {
        {"add: f = x + 1\nmul: f = add * 2", "add_3 = y + 1;  y = None\nmul_7_1 = add_3 * 9", true},
        {"add = x + 1\nmul = add * 2", "mul = x * 1\nadd = mul + 2", false},
        {"add = x + 1\nmul = add * 2", "add = x + 1", false},
        {"ab = f(1)\nc = g(1)", "a = f(1)\nbc = fg(1)", false},
        {"x = torch.sin(y)\nx_1 = torch.cos(x)", "x = torch.cos(y)\nx_1 = torch.sin(x)", false},
        {"x = torch.sin(y)\nz = x.view(2)", "a = torch.sin(b);  b = None\nb_1 = a.view(3, 4)", true},
        {"x = y.view(2)", "x = y.sum(2)", false},
        {"x = y[0]", "x = y[(1, slice(None, 2, None))]", true},
        {"x = y[0]", "x = y * 0", false},
        {"x = -y", "x = ~y", false},
        {"x = y >= 1", "x = y > 1", false},
        {"s = self.subgraph_0", "s_1 = self.subgraph_1", true},
        {"s = self.subgraph", "s_1 = self.subgraph_1", true},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct graph_shape a = graph_shape_of(str_of(cases[i].a)), b = graph_shape_of(str_of(cases[i].b));

        assert_int_equal(a.hash == b.hash, cases[i].alike);
    }
    assert_int_equal(graph_shape_of(STR("")).ops, 0);
    assert_int_equal(graph_shape_of(STR("x = None\n= 1\n = 1\nx y = f()\n1 = ")).ops, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators),
        cmocka_unit_test(shapes),
    };

    return RUN(tests);
}
