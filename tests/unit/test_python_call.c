#include "unit.h"

#include "text/python/python_call.h"

/* "model(ids, mask=m, *rest)" of the call that was found; "" when none is the only one. */
static struct str only_call(struct arena *a, const char *line)
{
    struct python_call c = {0};
    struct str out;

    if (!python_only_call(a, str_of(line), &c))
        return STR("");
    out = arena_printf(a, "%.*s:", STR_ARG(c.callee));
    vec_each(const struct python_argument, x, &c.arguments) out =
        arena_printf(a, "%.*s %.*s%s%.*s%.*s", STR_ARG(out), (int)x->stars, "**", x->keyword.n ? "=" : "",
                     STR_ARG(x->keyword), STR_ARG(x->value));
    return out;
}

static void calls(void **state)
{
    static const struct {
        const char *line, *call;
    } cases[] = {
        {"out = model(ids, mask)", "model: ids mask"},
        {"loss = self.model(ids, mask=batch[\"mask\"])  # it's here", "self.model: ids =maskbatch[\"mask\"]"},
        {"return f(*batch)", "f: *batch"},
        {"return f(**batch, n=3)", "f: **batch =n3"},
        {"y = model(x).sum()", "model: x"},
        {"y = model(x).view(-1, 3)", "model: x"},
        {"print(model(x))", "model: x"},
        {"outs.append(float(model(x)))", "model: x"},
        {"y = model(x, y.to(device))", ""},
        {"loss = criterion(model(x), y)", ""},
        {"y = models[0](x)", "]: x"},
        {"if (x):", ""},
        {"y = f('a(b)', x)", "f: 'a(b)' x"},
        {"y = f((x, y), [z, w], k == 2)", "f: (x, y) [z, w] k == 2"},
        {"y = f(3, \"x\")", ""},
        {"y = f()", ""},
        {"y = f(x", ""},
        {"y = x", ""},
        {"", ""},
        {"with f(x) as y:", "f: x"},
        {"y = not (x)", ""},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct arena *a = arena_new();

        assert_str(only_call(a, cases[i].line), cases[i].call);
        arena_free(a);
    }
}

static void statements(void **state)
{
    static const struct {
        const char *line;
        bool whole;
    } cases[] = {
        {"y = f(x)", true},
        {"    y, z = f(x)", true},
        {"loss += f(x)  # don't", true},
        {"return f(x)", true},
        {"assert f(x)", true},
        {"y = f('it''s', x)", true},
        {"f(x)", false},   /* may be the middle of print(\n    f(x)\n) */
        {"y=f(x)", false}, /* an argument of a call of several lines, as formatters write it */
        {"y = f(x),", false},
        {"y = f(x", false},
        {"f(x), y)", false},
        {"y = f(x) + \\", false},
        {"y = (f(x])", false},
        {"y = f('x)", false},
        {"for x in xs: y = f(x)", false},
        {"if x: y = f(x)", false},
        {"with m: y = f(x)", false},
        {"ys = [f(x) for x in xs]", false}, /* x is not known before the line */
        {"g = lambda: f(x) + (y := 1)", false},
        {"x = 1; y = f(x)", false},
        {"", false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        if (python_is_whole_statement(str_of(cases[i].line)) != cases[i].whole)
            fail_msg("%s", cases[i].line);
}

static void places(void **state)
{
    static const struct {
        const char *text;
        bool place;
    } cases[] = {
        {"x", true},
        {"batch.x", true},
        {"self.items[\"a\"][0]", true},
        {"d['a.b(c)']", true},
        {"x[-1]", true},
        {"", false},
        {"f(x)", false},
        {"x[i]", false},
        {"x[0:2]", false},
        {"x.", false},
        {"3", false},
        {"x + y", false},
        {"None", false},
        {"x[0", false},
        {"x[]", false},
        {"x['a\\'']", false},
        {"x['a' + 'b']", false},
        {"*x", false},
        {"x .y", false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        if (python_is_place(str_of(cases[i].text)) != cases[i].place)
            fail_msg("%s", cases[i].text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls),
        cmocka_unit_test(statements),
        cmocka_unit_test(places),
    };

    return RUN(tests);
}
