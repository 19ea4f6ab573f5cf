/* guard_comment, and what it and the other readers of guards stand on: python_code, guard_name, guard_kind. */
#include "unit.h"

#include "text/guards/guard_comment.h"
#include "text/guards/guard_kind.h"
#include "text/guards/guard_name.h"
#include "text/python/python_code.h"

static struct arena *arena;

static struct guard_comment parse(const char *text)
{
    struct guard_comment c;

    guard_comment_parse(arena, str_of(text), &c);
    return c;
}

static void code_and_place(void **state)
{
    struct guard_comment c = parse("L['n'] == 7                  # return x * n  # model/file.py:27 in f");

    (void)state;
    assert_str(c.check, "L['n'] == 7");
    assert_str(c.user_code, "return x * n");
    assert_str(c.file, "model/file.py");
    assert_int_equal(c.line, 27);
    assert_str(c.function, "f");
    assert_str(c.hint, "");
    c = parse("L['n'] == 7  # y = 1  # type: ignore  # C:\\a b.py:3 in <lambda>");
    assert_str(c.user_code, "y = 1  # type: ignore");
    assert_str(c.file, "C:\\a b.py");
    assert_str(c.function, "<lambda>");
}

static void a_place_alone(void **state)
{
    struct guard_comment c = parse("___check_global_state()  # _dynamo/output_graph.py:463 in init_ambient_guards");

    (void)state;
    assert_str(c.user_code, "");
    assert_str(c.file, "_dynamo/output_graph.py");
    assert_int_equal(c.line, 463);
    c = parse("L['n'] == 7  # g = lambda x:3 in x  # file.py:5 in f");
    assert_str(c.user_code, "g = lambda x:3 in x");
    assert_int_equal(c.line, 5);
}

static void marks_in_the_check(void **state)
{
    struct guard_comment c = parse("L['s'] == 'a  # b\\'  # c'  # code  # f.py:1 in g");

    (void)state;
    assert_str(c.check, "L['s'] == 'a  # b\\'  # c'");
    assert_str(c.user_code, "code");
    c = parse("L['o'] == <Odd #3 it's>  # code  # f.py:1 in g");
    assert_str(c.check, "L['o'] == <Odd #3 it's>");
    c = parse("L['a'] == array([[1],\n [2]])  # code  # f.py:1 in g");
    assert_str(c.check, "L['a'] == array([[1],\n [2]])");
    assert_int_equal(c.line, 1);
}

static void hints(void **state)
{
    struct guard_comment c = parse("___check_type_id(n, 14), type=<class 'int'>  # x  # f.py:1 in g (HINT: type int)");

    (void)state;
    assert_str(c.hint, "type int");
    assert_str(c.function, "g");
    c = parse("fn.__closure__[0].cell_contents == 2  # x  # f.py:1 in g (HINT: guard on \"n\") (HINT: use a tensor (or "
              "so).)");
    assert_str(c.hint, "guard on \"n\"; use a tensor (or so).");
    c = parse("___check_type_id(n, 14)                 (HINT: type int)");
    assert_str(c.check, "___check_type_id(n, 14)");
    assert_str(c.hint, "type int");
}

/* Guards on sizes say where they were made inside PyTorch too, and join several places. */
static void shape_guards(void **state)
{
    struct guard_comment c =
        parse("6 <= x.size()[0]  # if x.shape[0] > 5:  # f.py:12 in g (_dynamo/tensor.py:26 in evaluate)");

    (void)state;
    assert_str(c.user_code, "if x.shape[0] > 5:");
    assert_str(c.hint, "");
    c = parse(
        "2 <= x.size()[0] <= 9  # a = x.sum()  # f.py:9 in g (user code shown is first use of this value--no more; "
        "try mark_unbacked(tensor, dim)) and (_inductor/cpp.py:22 in need)");
    assert_str(c.user_code, "a = x.sum()");
    assert_int_equal(c.line, 9);
    assert_str(c.hint, "user code shown is first use of this value--no more; try mark_unbacked(tensor, dim)");
    c = parse(
        "x.size()[1] == x.size()[0]  # duck sizing added this equality because of 6 (set it off); x.stride()[0] == "
        "x.size()[0]  # code  # f.py:1 in g");
    assert_str(c.check, "x.size()[1] == x.size()[0]");
    assert_str(c.hint, "duck sizing added this equality because of 6 (set it off)");
    assert_str(c.file, "");
    c = parse("x.stride()[0] == 3  # (unknown source x.stride()[0], please file a bug)");
    assert_str(c.hint, "(unknown source x.stride()[0], please file a bug)");
    c = parse("not math.isnan(n)  # implicit guard for float input due to NaN");
    assert_str(c.hint, "implicit guard for float input due to NaN");
}

static void damaged_comments(void **state)
{
    struct guard_comment c = parse("");

    (void)state;
    assert_str(c.check, "");
    c = parse("a  # b:99999999999999999999 in f");
    assert_str(c.file, "");
    assert_int_equal(c.line, 0);
    assert_str(c.hint, "b:99999999999999999999 in f");
    c = parse("a  # :1 in ");
    assert_str(c.function, "");
    c = parse("a  # b  # ");
    assert_str(c.check, "a");
}

static void python(void **state)
{
    (void)state;
    assert_int_equal(python_find(STR("f(a, b), c"), STR(","), PYTHON_TOP_LEVEL), 7);
    assert_int_equal(python_find(STR("f(a, b), c"), STR(","), PYTHON_NOT_IN_STRING), 3);
    assert_int_equal(python_find(STR("'a == b' == c"), STR(" == "), PYTHON_TOP_LEVEL), 8);
    assert_int_equal(python_find(STR("\"it's\" == c"), STR(" == "), PYTHON_TOP_LEVEL), 6);
    assert_int_equal(python_find(STR("it's == c"), STR(" == "), PYTHON_TOP_LEVEL), 4);
    assert_int_equal(python_find(STR("a)) == c"), STR(" == "), PYTHON_TOP_LEVEL), 3);
    assert_int_equal(python_find(STR("'a\\"), STR("x"), PYTHON_TOP_LEVEL), -1);
    assert_int_equal(python_find(STR(""), STR("x"), PYTHON_TOP_LEVEL), -1);
}

static void names(void **state)
{
    static const char *const pairs[][2] = {
        {"L['x']", "x"},
        {"L[\"x\"].y", "x.y"},
        {"G['N']", "N"},
        {"self._modules['layers']._modules['1']._parameters['weight']", "self.layers[1].weight"},
        {"L['self'].__dict__['v']", "self.v"},
        {"dict(type(k).__dict__)['v']", "type(k).v"},
        {"G['__import_torch_dot_nn_dot_functional'].relu", "torch.nn.functional.relu"},
        {"G['__builtins_dict___3']['len']", "len"},
        {"___from_numpy(L['a'])", "a"},
        {"2 <= L['x'].size()[0]", "2 <= x.size()[0]"},
        {"dict.__getitem__(L['out'], list(dict.keys(L['out']))[1]).shape", "list(out.values())[1].shape"},
        {"dict.__getitem__(L['out'], list(dict.keys(L['in']))[1])", "dict.__getitem__(out, list(dict.keys(in))[1])"},
        {"dict.__getitem__(L['out'], list(dict.keys(L['out']))[k])", "dict.__getitem__(out, list(dict.keys(out))[k])"},
        {"L['d']['L']['k']", "d['L']['k']"},
        {"XL['x']", "XL['x']"},
        {"L['it\\'s']", "L['it\\'s']"},
        {"L['", "L['"},
        {"L[x]", "L[x]"},
        {"._modules['']", "."},
        {"", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        assert_str(guard_name(arena, str_of(pairs[i][0])), pairs[i][1]);
}

static void kinds(void **state)
{
    static const char *const pairs[][2] = {
        {"hasattr(L['x'], '_dynamo_dynamic_indices') == False", "DYNAMIC_INDICES"},
        {"((L['x']._dynamo_dynamic_indices.issubset({0})) if True else True)", "DYNAMIC_INDICES"},
        {"check_tensor(L['x'], Tensor)", "TENSOR_MATCH"},
        {"L['x'] is not None", "NOT_NONE"},
        {"L['x'] is L['y']", "OBJECT_ALIASING"},
        {"L['s'] == 'x is None'", "EQUALS_MATCH"},
        {"2 <= L['n']", "SHAPE_ENV"},
        {"not L['xs']", "LENGTH_CHECK"},
        {"whatever", "GUARD"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        assert_str(guard_kind_of_check(str_of(pairs[i][0])), pairs[i][1]);
    assert_string_equal(guard_kind_words(STR("TRUE_MATCH")), "the value is True");
    assert_null(guard_kind_words(STR("TRUE_MATCHES")));
}

static void subjects_of_guards(void **state)
{
    static const char *const pairs[][2] = {
        {"L['self']._modules['till']", "`self.till`"},
        {"L['self']._forward_hooks[list(dict.keys(L['self']._forward_hooks))[2]].__closure__[0]",
         "forward hook 2 of `self`"},
        {"L['m']._backward_hooks[0].x", "backward hook 0 of `m`"},
        {"L['m']._forward_hooks", "`m._forward_hooks`"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        assert_str(guard_subject(arena, str_of(pairs[i][0])), pairs[i][1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(subjects_of_guards),
        cmocka_unit_test(code_and_place), cmocka_unit_test(a_place_alone), cmocka_unit_test(marks_in_the_check),
        cmocka_unit_test(hints),          cmocka_unit_test(shape_guards),  cmocka_unit_test(damaged_comments),
        cmocka_unit_test(python),         cmocka_unit_test(names),         cmocka_unit_test(kinds),
    };
    int failed;

    arena = arena_new();
    failed = RUN(tests);
    arena_free(arena);
    return failed;
}
