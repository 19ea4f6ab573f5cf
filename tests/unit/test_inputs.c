/* How a tensor lies in memory, from its sizes and strides. */
#include "unit.h"

#include "analysis/answers/inputs.h"

static void layouts(void **state)
{
    static const struct {
        const char *shape, *stride;
        enum input_layout layout;
    } cases[] = {
        {"[2, 3, 4]", "[12, 4, 1]", LAYOUT_CONTIGUOUS}, {"[2, 3, 4]", "[12, 1, 3]", LAYOUT_OTHER},
        {"[4]", "[2]", LAYOUT_OTHER},                   {"[1, 4]", "[99, 1]", LAYOUT_CONTIGUOUS},
        {"[0, 4]", "[4, 1]", LAYOUT_CONTIGUOUS},        {"[4, 0]", "[9, 7]", LAYOUT_CONTIGUOUS},
        {"[4, s0]", "[5, s1]", LAYOUT_UNKNOWN},         {"[s0, 4]", "[4, 1]", LAYOUT_UNKNOWN},
        {"[2, 3]", "[3]", LAYOUT_UNKNOWN},              {"", "", LAYOUT_UNKNOWN},
        {"[-1, 4]", "[4, 1]", LAYOUT_UNKNOWN},          {"[9223372036854775807, 2]", "[2, 1]", LAYOUT_UNKNOWN},
        {"[[]]]", "]", LAYOUT_UNKNOWN},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tensor t = {.shape = str_of(cases[i].shape), .stride = str_of(cases[i].stride)};

        assert_int_equal(input_layout(&t), cases[i].layout);
    }
}

static void sizes(void **state)
{
    struct str source;
    int64_t dim;

    (void)state;
    assert_true(input_parse_size(STR("L['x'].size()[2] <= 5"), &source, &dim));
    assert_true(str_eq(source, STR("L['x']")));
    assert_int_equal(dim, 2);
    assert_false(input_parse_size(STR("L['n']"), &source, &dim));
    assert_false(input_parse_size(STR(".size()[0]"), &source, &dim));
    assert_false(input_parse_size(STR("L['x'].size()[s0]"), &source, &dim));
}

static struct str printed(struct arena *a, const struct input_changes *changes, struct str source)
{
    struct str out = STR("");

    vec_each(const struct input_change, x, &changes->list)
    {
        assert_same(x->source, source);
        out = arena_printf(a, "%.*s%lld: %.*s to %.*s; ", STR_ARG(out), (long long)x->dim, STR_ARG(x->from),
                           STR_ARG(x->to));
    }
    return out;
}

/* One tensor before and after, and what each comparison says of it; an empty shape: there was no such tensor. */
static void differences(void **state)
{
    static const struct {
        const char *source, *before, *after, *dtype;
        bool is_parameter;
        const char *sizes, *dtypes, *module;
    } cases[] = {
        {"L['x']", "[2, 3]", "[2, 3]", "int64", false, "", "", ""},
        {"L['x']", "[2, 3]", "[4, 3]", "int64", false, "0: 2 to 4; ", "", ""},
        {"L['x']", "[2, 3]", "[2, s0]", "int64", false, "1: 3 to s0; ", "", ""},
        {"L['x']", "[2, 3]", "[4, 5]", "float16", false, "0: 2 to 4; 1: 3 to 5; ", "-2: int64 to float16; ", ""},
        {"L['x']", "[2, 3]", "[2]", "int64", false, "", "", ""},
        {"L['x']", "[]", "[2]", "int64", false, "", "", ""},
        {"L['x']", "", "[2]", "float16", false, "", "", ""},
        {"", "[2]", "[3]", "float16", false, "", "", ""},
        {"dict.__getitem__(L['till'], 0)", "[2]", "[3]", "int64", false, "0: 2 to 3; ", "", ""},
        {"G['x']", "[2]", "[3]", "float16", false, "", "-2: int64 to float16; ", ""},
        {"L['w']", "[2]", "[3]", "float16", true, "", "-2: int64 to float16; ", ""},
        {"L['x']._base", "[2]", "[3]", "int64", false, "", "", ""},
        {"L['self']._modules['shop']._parameters['w']", "[2, 3]", "[2, 3]", "int64", true, "", "", ""},
        {"L['self']._modules['shop']._parameters['w']", "[2, 3]", "[5, 7]", "int64", true, "", "", "0: 2 to 5"},
        {"L['self']._parameters['w']", "[2, 3]", "[2, 7]", "float16", true, "", "-2: int64 to float16; ", "1: 3 to 7"},
        {"L['self']._parameters['w']", "", "[2]", "int64", true, "", "", ""},
        {"L['self']._buffers['b']", "[2]", "[3]", "int64", false, "", "", ""}, /* may be replaced */
        {"L['self']._modules['shop'].kept", "[2]", "[3]", "int64", false, "", "", ""},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct compile before = {0}, after = {0};
        struct tensor t = {.source = str_of(cases[i].source),
                           .is_parameter = cases[i].is_parameter,
                           .shape = str_of(cases[i].before),
                           .dtype = STR("int64")};
        struct input_changes sizes = {0}, dtypes = {0};
        struct input_change x = {0};
        bool other;

        if (t.shape.n)
            vec_push(a, &before.tensors, t);
        t.shape = str_of(cases[i].after);
        t.dtype = str_of(cases[i].dtype);
        vec_push(a, &after.tensors, t);
        input_size_changes(a, &before, &after, &sizes);
        input_dtype_changes(a, &before, &after, &dtypes);
        other = input_module_change(a, &before, &after, &x);
        assert_str(printed(a, &sizes, t.source), cases[i].sizes);
        assert_str(printed(a, &dtypes, t.source), cases[i].dtypes);
        assert_int_equal(other, cases[i].module[0] != 0);
        if (other) {
            assert_same(x.source, t.source);
            assert_str(arena_printf(a, "%lld: %.*s to %.*s", (long long)x.dim, STR_ARG(x.from), STR_ARG(x.to)),
                       cases[i].module);
        }
    }
    arena_free(a);
}

/* A tensor that is recorded again counts as it was last; it is compared once. */
static void tensors_recorded_again(void **state)
{
    static const char *const before[] = {"[1]", "[2]"}, *const after[] = {"[5]", "[6]", "[7]"};
    struct arena *a = arena_new();
    struct compile c = {0}, d = {0};
    struct input_changes sizes = {0};

    (void)state;
    for (size_t i = 0; i < COUNT(before); i++)
        vec_push(a, &c.tensors, ((struct tensor){.source = STR("L['x']"), .shape = str_of(before[i])}));
    for (size_t i = 0; i < COUNT(after); i++)
        vec_push(a, &d.tensors, ((struct tensor){.source = STR("L['x']"), .shape = str_of(after[i])}));
    input_size_changes(a, &c, &d, &sizes);
    assert_str(printed(a, &sizes, STR("L['x']")), "0: 2 to 7; ");
    arena_free(a);
}

/* Of many tensors only the first are compared: `n` of them are equal before one that differs. */
static void tensors_behind_many(void **state)
{
    static const size_t most[] = {2000, 200, 200}; /* for sizes, dtypes and modules */
    struct arena *a = arena_new();

    (void)state;
    for (size_t k = 0; k < COUNT(most); k++)
        for (size_t n = most[k] - 1; n <= most[k]; n++) {
            struct compile c = {0}, d = {0};
            struct input_changes found = {0};
            struct input_change x;
            struct tensor t = {.shape = STR("[2]"), .dtype = STR("int64")};

            for (size_t i = 0; i <= n; i++) {
                t.source = arena_printf(a, k == 2 ? "L['self']._parameters['%zu']" : "L['%zu']", i);
                vec_push(a, &c.tensors, t);
                vec_push(a, &d.tensors, t);
            }
            d.tensors.v[n].shape = STR("[3]");
            d.tensors.v[n].dtype = STR("int32");
            if (k == 0)
                input_size_changes(a, &c, &d, &found);
            else if (k == 1)
                input_dtype_changes(a, &c, &d, &found);
            assert_int_equal(k == 2 ? input_module_change(a, &c, &d, &x) : found.list.n == 1, n < most[k]);
        }
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layouts),
        cmocka_unit_test(sizes),
        cmocka_unit_test(differences),
        cmocka_unit_test(tensors_recorded_again),
        cmocka_unit_test(tensors_behind_many),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
