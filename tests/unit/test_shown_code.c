#include "unit.h"

#include "text/code/shown_code.h"

/* "called(lines of the body), ...; wrapper, ...", and "; modules" where one is compiled. */
static struct str described(struct arena *a, struct str text)
{
    struct str out = {"", 0}, line;
    struct shown_code code;

    shown_code_read(text, &code);
    for (size_t i = 0; i < code.n; i++) {
        struct str body = code.compiled[i].body;
        size_t lines = 0;

        while (str_next_line(&body, &line))
            lines += str_trim(line).n > 0;
        out = arena_printf(a, "%.*s%s%.*s(%.*s %zu", STR_ARG(out), out.n ? ", " : "", STR_ARG(code.compiled[i].called),
                           STR_ARG(code.compiled[i].parameters), lines);
    }
    for (size_t i = 0; i < code.wrappers_n; i++)
        out = arena_printf(a, "%.*s; %.*s", STR_ARG(out), STR_ARG(code.wrappers[i]));
    return code.modules ? arena_printf(a, "%.*s; modules", STR_ARG(out)) : out;
}

static void what_is_compiled(void **state)
{
    static const struct {
        const char *text, *found;
    } cases[] = {
        {"def sell(x):\n    return x\n", ""},
        {"@torch.compile\ndef sell(x):\n    y = x\n\n    return y\nsell(1)\n", "sell(x): 2"},
        {"@torch.compile(mode=\"max-autotune\")\n@torch.no_grad()\ndef sell(x, y=1):\n    return x\n",
         "sell(x, y=1): 1"},
        {"@torch.no_grad()\n@torch.compile\ndef sell(x):\n    return x\n", "sell(x): 1"},
        {"@torch.compiler.disable\ndef sell(x):\n    return x\n", ""},
        {"@torch.compile\n\ndef sell(x):\n    return x\n", "sell(x): 1"},
        {"@torch.compile\nx = 1\ndef sell(x):\n    return x\n", ""},
        /* under another name, before it and behind it */
        {"def sell(x):\n    return x\nfast = torch.compile(sell, dynamic=True)\n", "fast(x): 1"},
        {"def sell(x):\n    return x\nfast = torch._dynamo.optimize(\"eager\")(sell)\n", "fast(x): 1"},
        {"    fast = torch.compile(sell)\n    fast(1)\ndef sell(x):\n    return x\n", "fast(x): 1"},
        {"def sell(x):\n    return x\ntorch.compile(sell)(1)\n", "sell(x): 1"},
        {"def sell(x):\n    return x\nself.fast = torch.compile(sell)\n", "self.fast(x): 1"},
        {"def sell(x):\n    return x\n# fast = torch.compile(sell)\n", ""},
        {"def sell(x):\n    return x\nfast = torch.compile(sells)\n", "; fast; modules"},
        /* modules */
        {"shop = torch.compile(shop)\n", "; shop; modules"},
        {"torch.compile(shop)(1)\n", "; modules"},
        {"class Shop:\n    def forward(self, x):\n        return x\nshop = torch.compile(Shop())\n",
         "forward(self, x): 1; shop; modules"},
        {"fast = torch.compile(fullgraph=True)\n", ""},
        /* what is defined within a compiled function is part of it */
        {"@torch.compile\ndef sell(x):\n    def till(y):\n        return y\n    return till(x)\ndef buy(x):\n    pass\n"
         "torch.compile(till)\n", "sell(x): 3"},
        {"def outer():\n    @torch.compile\n    def sell(x):\n        return x\n    return sell(1)\n", "sell(x): 1"},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_str(described(a, str_of(cases[i].text)), cases[i].found);
    arena_free(a);
}

static void lines_of_code(void **state)
{
    (void)state;
    assert_true(shown_calls(STR("y = sell(x)"), STR("sell")));
    assert_true(shown_calls(STR("resell(sell(x))"), STR("sell")));
    assert_false(shown_calls(STR("resell(x)"), STR("sell")));
    assert_false(shown_calls(STR("shop.sell(x)"), STR("sell")));
    assert_true(shown_calls(STR("shop.sell(x)"), STR("shop.sell")));
    assert_false(shown_calls(STR("sell = 1"), STR("sell")));
    assert_false(shown_calls(STR("(x)"), STR("")));
    assert_int_equal(shown_passes(STR("for day in range(365):")), 365);
    assert_int_equal(shown_passes(STR("for day in range(days):")), 0);
    assert_int_equal(shown_passes(STR("x = [0 for _ in range(3)]")), 0);
    assert_int_equal(shown_indent(STR("\t  x")), 3);
    assert_str(str_word(STR("sell_2(x)")), "sell_2");
    assert_str(str_word(STR("(x)")), "");
    assert_str(shown_defined(STR("def sell(x):")), "sell");
    assert_str(shown_defined(STR("define(x)")), "");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_compiled),
        cmocka_unit_test(lines_of_code),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
