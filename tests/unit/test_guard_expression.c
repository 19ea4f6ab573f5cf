/* Failed checks that are comparisons: what sort of value it is. The sentences of each sort are in test_guard_reason.c.
 */
#include "unit.h"

#include "text/guards/guard_expression.h"

static struct arena *arena;

static int begin(void **state)
{
    (void)state;
    arena = arena_new();
    return 0;
}

static int end(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

static struct guard_reason read_guard(const char *guard, const char *hint)
{
    struct guard_reason r = {.guard = str_of(guard), .hint = str_of(hint), .index = -1};

    guard_expression_read(arena, &r);
    return r;
}

/* Python's repr of constants (torch/_dynamo/guards.py, EQUALS_MATCH and CONSTANT_MATCH) against what is computed. */
static void right_sides(void **state)
{
    static const struct {
        const char *right;
        enum guard_class class;
    } cases[] = {
        {"0", GUARD_INT},
        {"-1", GUARD_INT},
        {"123456789012345678901234567890", GUARD_INT},
        {"0.0", GUARD_FLOAT},
        {"-0.5", GUARD_FLOAT},
        {"1e-06", GUARD_FLOAT},
        {"1e+20", GUARD_FLOAT},
        {"-inf", GUARD_FLOAT},
        {"nan", GUARD_FLOAT},
        {"1j", GUARD_CONSTANT},
        {"-2.5j", GUARD_CONSTANT},
        {"(1+2j)", GUARD_CONSTANT},
        {"True", GUARD_BOOL},
        {"False", GUARD_BOOL},
        {"None", GUARD_NONE},
        {"''", GUARD_STRING},
        {"'sum'", GUARD_STRING},
        {"\"it's\"", GUARD_STRING},
        {"'a == b'", GUARD_STRING},
        {"b'ab'", GUARD_CONSTANT},
        {"torch.float16", GUARD_CONSTANT},
        {"torch.Size([2, 3])", GUARD_CONSTANT},
        {"device(type='cuda', index=0)", GUARD_CONSTANT},
        {"<Color.RED: 1>", GUARD_CONSTANT},
        {"(1, 2)", GUARD_CONSTANT},
        {"{1, 2}", GUARD_CONSTANT},
        {"[]", GUARD_CONSTANT},
        {"Ellipsis", GUARD_CONSTANT},
        {"slice(None, 3, None)", GUARD_CONSTANT},
        {"m", GUARD_SHAPE_EXPRESSION},
        {"2*m", GUARD_SHAPE_EXPRESSION},
        {"4 + m", GUARD_SHAPE_EXPRESSION},
        {"Truest", GUARD_SHAPE_EXPRESSION},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct str guard = arena_printf(arena, "x == %s", cases[i].right);
        struct guard_reason r = read_guard(guard.p, "");

        if (r.class != cases[i].class)
            fail_msg("%s: %s", guard.p, guard_class_name(r.class));
        if (r.class != GUARD_SHAPE_EXPRESSION) {
            assert_str(r.source, "x");
            assert_str(r.expected, cases[i].right);
        }
        assert_true(r.words.n > 0);
        assert_int_equal(r.could_be_dynamic, cases[i].class == GUARD_INT);
    }
}

/* A value that was compiled in, against a relation that symbolic sizes had. */
static void left_sides(void **state)
{
    static const struct {
        const char *guard, *hint;
        enum guard_class class;
        bool could_be_dynamic;
    } cases[] = {
        {"n == 7", "", GUARD_INT, true},
        {"self.n == 7", "", GUARD_INT, true},
        {"xs[0] == 7", "", GUARD_INT, true},
        {"d['a == b'] == 7", "", GUARD_INT, true},
        {"f(a == b) == 7", "", GUARD_INT, true},
        {"G['N'] == 7", "", GUARD_INT, false},
        {"fn.__defaults__[0] == 7", "", GUARD_INT, false},
        {"m.k == 7", "torch.compile considers integer attributes of the nn.Module to be static", GUARD_MODULE_ATTRIBUTE,
         false},
        {"m.training == True", "", GUARD_MODULE_ATTRIBUTE, false},
        {"m._modules['a'].k == 7", "", GUARD_MODULE_ATTRIBUTE, false},
        {"m._buffers['b'] == None", "", GUARD_MODULE_ATTRIBUTE, false},
        {"x.size()[0] == 4", "", GUARD_SHAPE_EXPRESSION, false},
        {"x.stride()[0] == 1", "", GUARD_SHAPE_EXPRESSION, false},
        {"x.storage_offset() == 0", "", GUARD_SHAPE_EXPRESSION, false},
        {"x.item() == 0", "", GUARD_SHAPE_EXPRESSION, false},
        {"n + 1 == 8", "", GUARD_SHAPE_EXPRESSION, false},
        {"n % 2 == 0", "", GUARD_SHAPE_EXPRESSION, false},
        {"2*n == 8", "", GUARD_SHAPE_EXPRESSION, false},
        {"max(n, 2) == 8", "", GUARD_SHAPE_EXPRESSION, false},
        {"d['n % 2'] == 0", "", GUARD_INT, true}, /* a key that looks like arithmetic */
        {"n != 7", "", GUARD_SHAPE_EXPRESSION, false},
        {"2 <= n", "", GUARD_SHAPE_EXPRESSION, false},
        {"Eq(n, 7)", "", GUARD_SHAPE_EXPRESSION, false},
        {"Ne(Mod(n, 3), 0)", "", GUARD_SHAPE_EXPRESSION, false},
        {"s == '.size()['", "", GUARD_STRING, false},
        {"a is b", "", GUARD_IDENTITY, false},
        {"a is None", "", GUARD_NONE, false},
        {"d['a is b'] is not None", "", GUARD_NONE, false},
        {"not xs", "", GUARD_LENGTH, false},
        {"", "", GUARD_OTHER, false},
        {"what(x)", "", GUARD_OTHER, false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct guard_reason r = read_guard(cases[i].guard, cases[i].hint);

        if (r.class != cases[i].class || r.could_be_dynamic != cases[i].could_be_dynamic)
            fail_msg("%s: %s, %d", cases[i].guard, guard_class_name(r.class), r.could_be_dynamic);
        assert_true(r.words.n > 0);
    }
}

/* A variable that a closure captured has no name of its own; PyTorch's hint has it. */
static void names_of_closures(void **state)
{
    struct guard_reason r = read_guard("fn.__closure__[0].cell_contents == 2", "guard on \"n\"");

    (void)state;
    assert_str(r.name, "n");
    assert_str(r.words, "the Python number `n` was 2 and has changed");
    r = read_guard("fn.k == 2", "guard on \"n\"");
    assert_str(r.name, "fn.k");
    r = read_guard("fn.__closure__[0].cell_contents is fn.__closure__[1].cell_contents", "");
    assert_int_equal(r.class, GUARD_IDENTITY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(right_sides, begin, end),
        cmocka_unit_test_setup_teardown(left_sides, begin, end),
        cmocka_unit_test_setup_teardown(names_of_closures, begin, end),
    };

    return RUN(tests);
}
