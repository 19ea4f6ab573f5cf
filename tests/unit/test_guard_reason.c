#include "unit.h"

#include "text/guards/guard_reason.h"
#include "util/utf8.h"

#include <stdlib.h>
#include <string.h>

static struct arena *arena;

static struct guard_reason parse(const char *text)
{
    struct guard_reason r;

    guard_reason_parse(arena, str_of(text), &r);
    return r;
}

/* One text each; the texts are what PyTorch 2.13 wrote for small functions, unless a version is named. */
struct example {
    const char *text;
    enum guard_class class;
    const char *name, *expected, *actual; /* NULL: empty */
    const char *words;
};

static const struct example examples[] = {
    /* tensors */
    {"0/0: tensor 'ids' size mismatch at index 0. expected 32, actual 48", GUARD_SIZE, "ids", "32", "48",
     "dimension 0 of `ids` went from 32 to 48"},
    {"0/0: tensor 'L['x']' size mismatch at index 1. expected 4, actual 5", GUARD_SIZE, "x", "4", "5",
     "dimension 1 of `x` went from 4 to 5"},
    {"0/1: tensor 'm._modules['lin']._parameters['weight']' size mismatch at index 0. expected 4, actual 8. Guard "
     "failed "
     "on a parameter, consider using torch._dynamo.config.force_parameter_static_shapes = False to allow dynamism on "
     "parameters.",
     GUARD_SIZE, "m.lin.weight", "4", "8", "dimension 0 of the parameter `m.lin.weight` went from 4 to 8"},
    {"0/0: tensor 'x' stride mismatch at index 0. expected 5, actual 1", GUARD_STRIDE, "x", "5", "1",
     "the stride of dimension 0 of `x` went from 5 to 1"},
    {"0/0: tensor 'x' rank mismatch. expected 1, actual 2", GUARD_NDIM, "x", "1", "2",
     "`x` had 1 dimension and now has 2"},
    {"0/0: tensor '___from_numpy(a)' dtype mismatch. expected Float, actual Double", GUARD_DTYPE, "a", "float32",
     "float64", "`a` went from float32 to float64"},
    {"0/0: tensor 'x' Tensor device index mismatch. Expected device index to be 0, actual 1", GUARD_DEVICE, "x", "0",
     "1", "`x` moved from device number 0 to 1 (-1 is a device without a number)"},
    {"0/0: tensor 'x' requires_grad mismatch. expected requires_grad=0", GUARD_REQUIRES_GRAD, "x", "False", "True",
     "`x` now requires gradients; before, it did not"},
    {"0/0: tensor 'x' requires_grad mismatch. expected requires_grad=1", GUARD_REQUIRES_GRAD, "x", "True", "False",
     "`x` required gradients and no longer does"},
    {"0/0: tensor 'x' dispatch key set mismatch. expected DispatchKeySet(CPU, BackendSelect, ADInplaceOrView, "
     "AutogradCPU), actual DispatchKeySet(Meta, BackendSelect, ADInplaceOrView, AutogradMeta)",
     GUARD_DEVICE, "x", "CPU", "Meta", "`x` moved from CPU to Meta"},
    {"0/0: tensor 'x' dispatch key set mismatch. expected DispatchKeySet(CPU, AutogradCPU), actual "
     "DispatchKeySet(CPU, AutogradCPU, AutocastCPU)",
     GUARD_LAYOUT, "x", "DispatchKeySet(CPU, AutogradCPU)", "DispatchKeySet(CPU, AutogradCPU, AutocastCPU)",
     "`x` now has the dispatch keys AutocastCPU (autocast)"},
    {"0/0: tensor 'x' dispatch key set mismatch. expected DispatchKeySet(CPU), actual DispatchKeySet(SparseCPU)",
     GUARD_LAYOUT, "x", "DispatchKeySet(CPU)", "DispatchKeySet(SparseCPU)",
     "`x` now has the dispatch keys SparseCPU instead of CPU (a sparse layout)"},
    {"0/0: tensor 'x' dispatch key set mismatch. expected DispatchKeySet(CPU, ADInplaceOrView), actual "
     "DispatchKeySet(CPU)",
     GUARD_LAYOUT, "x", "DispatchKeySet(CPU, ADInplaceOrView)", "DispatchKeySet(CPU)",
     "`x` no longer has the dispatch keys ADInplaceOrView (as under torch.inference_mode)"},
    {"0/0: expected type of 'o.v' to be a tensor type, ' but found <class 'float'>", GUARD_TYPE, "o.v", "a tensor",
     "float", "`o.v` was a tensor and now has type float"},
    {"0/0: expected type of 'n' to be a tensor type, ' but found <class 'NoneType'>", GUARD_NONE, "n", "a tensor",
     "None", "`n` was a tensor and is now None"},
    {"0/0: expected type of 'x' to be a tensor type, ' but found <class 'torch.nn.parameter.Parameter'>", GUARD_TYPE,
     "x", NULL, "torch.nn.parameter.Parameter",
     "`x` is now a torch.nn.parameter.Parameter; it was another type of tensor"},
    {"0/0: Duplicate tensors found: [\"L['x']\", \"y\"]", GUARD_TENSOR_ALIASING, NULL, NULL, NULL,
     "inputs that were different tensors are now the same one: `x`, `y`"},
    {"Duplicate tensor found where not expected! xshould not alias to anything, but is aliased", GUARD_TENSOR_ALIASING,
     NULL, NULL, NULL, "two inputs that were different tensors are now the same one"},
    {"0/0: check_overlapping(overlapping=[L['a']], non_overlapping=[L['b']])", GUARD_TENSOR_ALIASING, NULL, NULL, NULL,
     "other inputs share memory with each other than those compiled for"},

    /* constants */
    {"0/0: n == 7                           # return x * n  # model.py:27 in f", GUARD_INT, "n", "7", NULL,
     "the Python number `n` was 7 and has changed"},
    {"0/0: L['n'] == -7", GUARD_INT, "n", "-7", NULL, "the Python number `n` was -7 and has changed"},
    {"0/0: G['N'] == 1.5", GUARD_FLOAT, "N", "1.5", NULL, "the Python number `N` was 1.5 and has changed"},
    {"0/0: lr == 1e-06", GUARD_FLOAT, "lr", "1e-06", NULL,
     "the Python number `lr` was 1e-06 and has changed"},
    {"0/0: n == inf", GUARD_FLOAT, "n", "inf", NULL, "the Python number `n` was inf and has changed"},
    {"0/2: (type(n) is float and __math_isnan(n))", GUARD_FLOAT, "n", NULL, NULL,
     "the Python number `n` was NaN and no longer is"},
    {"3/3: __math_isnan(L['n'])", GUARD_FLOAT, "n", NULL, NULL, "the Python number `n` was NaN and no longer is"},
    {"0/1: not math.isnan(n)  # implicit guard for float input", GUARD_FLOAT, "n", NULL, NULL,
     "the Python number `n` is now NaN"},
    {"0/0: flag == True", GUARD_BOOL, "flag", "True", NULL, "`flag` was True and no longer is"},
    {"0/0: s == 'a # b; c == d'", GUARD_STRING, "s", "'a # b; c == d'", NULL,
     "the string `s` was 'a # b; c == d' and has changed"},
    {"0/0: dt == torch.float64", GUARD_CONSTANT, "dt", "torch.float64", NULL,
     "`dt` was torch.float64 and has changed"},
    {"0/0: dev == device(type='cpu')", GUARD_CONSTANT, "dev", "device(type='cpu')", NULL,
     "`dev` was device(type='cpu') and has changed"},
    {"0/0: z == 2j", GUARD_CONSTANT, "z", "2j", NULL, "`z` was 2j and has changed"},
    {"0/0: b == b'ab'", GUARD_CONSTANT, "b", "b'ab'", NULL, "`b` was b'ab' and has changed"},
    {"0/0: w is None", GUARD_NONE, "w", "None", NULL, "`w` was None and has changed"},
    {"0/0: w is not None", GUARD_NONE, "w", NULL, "None", "`w` is now None"},

    /* objects */
    {"0/0: ___check_type_id(n, 1402), type=<class 'int'>  # x  # f.py:1 in f (HINT: type int)", GUARD_TYPE, "n", "int",
     NULL, "`n` had type int and now has another"},
    {"2/1: ___check_type_id(L['n'], 1402)                   ", GUARD_TYPE, "n", NULL, NULL,
     "`n` has a different type from the one it was compiled for"},
    {"0/0: TYPE_MISMATCH(d)", GUARD_TYPE, "d", NULL, NULL, "`d` has a different type from the one it was compiled for"},
    {"0/0: ___check_obj_id(c, 1402), type=<class '__main__.Color'>", GUARD_IDENTITY, "c", NULL, NULL,
     "`c` is a different object from the one it was compiled for"},
    {"0/0: ___check_obj_id(fn, 1402), type=<class 'builtin_function_or_method'>", GUARD_FUNCTION, "fn", NULL, NULL,
     "`fn` is a different function from the one it was compiled for"},
    {"0/0: ___check_obj_id(fn.__code__, 1402), type=<class 'code'>", GUARD_FUNCTION, "fn", NULL, NULL,
     "`fn` is a different function from the one it was compiled for"},
    {"0/0: FuncDefaultsGuardAccessor: Not a function on fn", GUARD_FUNCTION, "fn", NULL, NULL,
     "`fn` is no longer a Python function"},
    {"0/0: ___check_obj_id(L['self'].training, 9486)", GUARD_MODULE_ATTRIBUTE, "self.training", NULL, NULL,
     "`self.training` changed (model.train() and model.eval() set it)"},
    {"0/0: self._modules['1'].training == True", GUARD_MODULE_ATTRIBUTE, "self[1].training", "True", NULL,
     "`self[1].training` was True and no longer is"},
    {"0/0: m.k == 2  # x  # f.py:1 in f (HINT: torch.compile considers integer attributes of the nn.Module to be "
     "static.)",
     GUARD_MODULE_ATTRIBUTE, "m.k", "2", NULL, "the module attribute `m.k` was 2 and has changed"},
    {"0/0: a is b", GUARD_IDENTITY, "a", NULL, NULL, "`a` and `b` are no longer the same object"},
    {"0/0: a is not b", GUARD_IDENTITY, "a", NULL, NULL, "`a` and `b` are now the same object"},
    {"0/0: fn.__closure__[0].cell_contents == 2  # x  # f.py:1 in f (HINT: guard on \"n\")", GUARD_INT, "n", "2", NULL,
     "the Python number `n` was 2 and has changed"},
    {"0/0: not hasattr(o, 'z')", GUARD_ATTRIBUTE, "o", NULL, NULL, "`o` now has the attribute `z`"},
    {"0/0: hasattr(o, 'z')", GUARD_ATTRIBUTE, "o", NULL, NULL, "`o` no longer has the attribute `z`"},
    {"0/0: getattr failed on source o", GUARD_ATTRIBUTE, "o", NULL, NULL,
     "an attribute of `o` does not exist any more"},
    {"0/0: getattr failed on source o.v", GUARD_ATTRIBUTE, "o.v", NULL, NULL,
     "`o.v`, or an attribute of it, does not exist any more"},
    {"0/0: 'O' object has no attribute 'v'", GUARD_ATTRIBUTE, NULL, NULL, NULL,
     "a check failed with the error: 'O' object has no attribute 'v'"},
    {"0/0: Cache line invalidated because L['fn'] got deallocated", GUARD_INVALIDATED, "fn", NULL, NULL,
     "the compiled code was dropped because `fn` no longer exists"},

    /* containers */
    {"0/0: len(d) != 1", GUARD_DICT, "d", "1", NULL, "the number of entries of `d` is no longer 1"},
    {"0/0: list(dict.keys(d))[0] == 'a'", GUARD_DICT, "d", "'a'", NULL,
     "key number 0 of `d` was 'a' and has changed"},
    {"0/0: list(L['d'].keys()) == ['a', 'b']", GUARD_DICT, "d", "['a', 'b']", NULL,
     "the keys of `d` were ['a', 'b'] and are now others"},
    {"0/0: ___dict_contains('k', d)", GUARD_DICT, "d", NULL, NULL, "`d` no longer has the key 'k'"},
    {"0/0: not ___dict_contains('k, l', d)", GUARD_DICT, "d", NULL, NULL, "`d` now has the key 'k, l'"},
    {"0/0: KeyError on d['k']", GUARD_DICT, "d['k']", NULL, NULL, "`d['k']` does not exist any more"},
    {"0/0: set.__contains__(s, 'a')", GUARD_DICT, "s", NULL, NULL, "the set `s` no longer holds 'a'"},
    {"0/0: not set.__contains__(s, 'a')", GUARD_DICT, "s", NULL, NULL, "the set `s` now holds 'a'"},
    {"0/0: ___dict_version(L['d']) == 17", GUARD_DICT, "d", NULL, NULL, "the dict `d` was changed"},
    {"0/0: len(xs) == 1", GUARD_LENGTH, "xs", "1", NULL, "the length of `xs` was 1 and has changed"},
    {"0/0: not args", GUARD_LENGTH, "args", "0", NULL, "`args` was empty and no longer is"},
    {"0/0: IndexError on xs[3]", GUARD_LENGTH, "xs[3]", NULL, NULL, "`xs[3]` does not exist any more"},
    {"0/0: ___tuple_iterator_len(r) == 2", GUARD_LENGTH, "r", "2", NULL,
     "the number of items left in the iterator `r` was 2 and has changed"},
    {"0/0: ___normalize_range_iter(r) == (0, 3, 1)", GUARD_CONSTANT, "r", "(0, 3, 1)", NULL,
     "the state of the iterator `r` was (0, 3, 1) and has changed"},

    /* sizes and marks */
    {"0/0: 6 <= x.size()[0]  # if x.shape[0] > 5:  # f.py:2 in f (_dynamo/tensor.py:1 in evaluate)",
     GUARD_SHAPE_EXPRESSION, NULL, NULL, NULL, "the condition on sizes `6 <= x.size()[0]` no longer holds"},
    {"0/0: 2 <= L['x'].size()[0] <= 5", GUARD_SHAPE_EXPRESSION, NULL, NULL, NULL,
     "the condition on sizes `2 <= x.size()[0] <= 5` no longer holds"},
    {"0/0: x.size()[1] == 2*x.size()[0]  # a; b  # f.py:1 in f; x.stride()[0] == 3", GUARD_SHAPE_EXPRESSION, NULL, NULL,
     NULL, "the condition on sizes `x.size()[1] == 2*x.size()[0]` no longer holds"},
    {"0/0: Ne(Mod(L['x'].size()[0], 3), 1)", GUARD_SHAPE_EXPRESSION, NULL, NULL, NULL,
     "the condition on sizes `Ne(Mod(x.size()[0], 3), 1)` no longer holds"},
    {"0/0: n > 2.0", GUARD_SHAPE_EXPRESSION, NULL, NULL, NULL, "the condition `n > 2.0` no longer holds"},
    {"0/0: math.trunc(v) == 2", GUARD_SHAPE_EXPRESSION, NULL, NULL, NULL,
     "the condition `math.trunc(v) == 2` no longer holds"},
    {"0/0: n == m", GUARD_SHAPE_EXPRESSION, NULL, NULL, NULL, "the condition `n == m` no longer holds"},
    {"0/0: Shape guard failed with values: 3,4", GUARD_SHAPE_EXPRESSION, NULL, NULL, "3,4",
     "a condition on sizes does not hold for the values 3,4"},
    {"0/0: hasattr(L['x'], '_dynamo_dynamic_indices') == False         ", GUARD_DYNAMIC_MARKING, "x", NULL, NULL,
     "`x` is now marked with mark_dynamic; the one compiled for was not"},
    {"0/0: ((getattr(x, '_dynamo_dynamic_indices', set()).issubset({0})) if hasattr(x, '_dynamo_dynamic_indices') else "
     "True)",
     GUARD_DYNAMIC_MARKING, "x", NULL, NULL,
     "`x` is marked with mark_dynamic or mark_unbacked otherwise than the one compiled for"},
    {"0/0: _dynamo_dynamic_indices not a subset: runtime {1} is not a subset of compiled {0}", GUARD_DYNAMIC_MARKING,
     NULL, "{0}", "{1}", "a tensor is marked with mark_dynamic otherwise than the one compiled for"},
    {"0/0: _dynamo_static_indices should be absent but is present on runtime tensor", GUARD_DYNAMIC_MARKING, NULL, NULL,
     NULL, "a tensor is now marked with mark_static; the one compiled for was not"},
    {"0/0: _dynamo_static_indices should be present but is absent on runtime tensor", GUARD_DYNAMIC_MARKING, NULL, NULL,
     NULL, "a tensor is no longer marked with mark_static; the one compiled for was"},
    {"0/0: _has_dynamo_dim_marking is present on runtime tensor but was absent at compile time", GUARD_DYNAMIC_MARKING,
     NULL, NULL, NULL,
     "a tensor is now marked with mark_dynamic, mark_static or mark_unbacked; the one compiled for was not"},

    /* several checks: the first counts */
    {"0/0: L['n'] == 3; L['m'] == 'a; b'", GUARD_INT, "n", "3", NULL,
     "the Python number `n` was 3 and has changed"},

    /* the process */
    {"0/0: GLOBAL_STATE changed: grad_mode ", GUARD_GLOBAL_STATE, NULL, NULL, NULL,
     "global settings changed: gradient mode (torch.no_grad, enable_grad)"},
    {"0/1: GLOBAL_STATE changed: autocast(cpu)_enabled num_threads unheard_of ", GUARD_GLOBAL_STATE, NULL, NULL, NULL,
     "global settings changed: whether autocast is on for cpu; number of threads; unheard_of"},
    {"0/0: GLOBAL_STATE changed: ", GUARD_GLOBAL_STATE, NULL, NULL, NULL,
     "a global setting changed; PyTorch does not say which"},
    {"0/0: ___check_global_state()", GUARD_GLOBAL_STATE, NULL, NULL, NULL,
     "gradient mode (torch.no_grad, enable_grad), autocast, threads or another global setting changed"},
    {"0/0: ___check_torch_function_mode_stack()", GUARD_CONTEXT, NULL, NULL, NULL,
     "the active torch function modes changed (a default device or `with torch.device(…)` is one)"},
    {"0/0: utils_device.CURRENT_DEVICE == None           # _dynamo/output_graph.py:9 in init", GUARD_CONTEXT, NULL,
     "None", NULL, "the default device was None and is now another"},
    {"0/0: torch.autograd.forward_ad._current_level == -1", GUARD_CONTEXT, NULL, NULL, NULL,
     "the level of forward-mode differentiation (forward_ad.dual_level) changed"},
    {"___check_current_backend(1401)          # _dynamo/output_graph.py:436 in init", GUARD_BACKEND, NULL, NULL, NULL,
     "the code was compiled with another backend"},
    {"0/1: BACKEND_MATCH failure: torch.compile detected different backend callables. Cached backend: mine (id=0x7f). "
     "New "
     "backend: yours (id=0x7e). If this is unexpected, wrap",
     GUARD_BACKEND, NULL, "mine (id=0x7f)", "yours (id=0x7e)",
     "the backend is `yours`; the code was compiled with `mine`"},
    {"0/1: BACKEND_MATCH failure: torch.compile detected different backend callables. Cached backend: mine (id=0x7f). "
     "New backend: mine (id=0x80). If this is unexpected, x",
     GUARD_BACKEND, NULL, "mine (id=0x7f)", "mine (id=0x80)",
     "the backend is another `mine` than the one compiled with"},
    {"___guarded_code.valid", GUARD_INVALIDATED, NULL, NULL, NULL,
     "the compiled code was dropped because an object that it was made for no longer exists"},
    {"0/2: ", GUARD_BACKEND, NULL, NULL, NULL, "no guard failed; most likely the backend is another one"},
    {"", GUARD_OTHER, NULL, NULL, NULL, "PyTorch did not say which guard failed"},
    {"0/2: frobnicate(L['x'])", GUARD_OTHER, NULL, NULL, NULL, "the check `frobnicate(x)` no longer holds"},
};

static void the_examples(void **state)
{
    (void)state;
    assert_int_not_equal(parse("___guarded_code.valid and n == 2").class, GUARD_INVALIDATED);
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const struct example *e = &examples[i];
        struct guard_reason r = parse(e->text);

        if (r.class != e->class)
            fail_msg("%s: class %s", e->text, guard_class_name(r.class));
        assert_str(r.words, e->words);
        assert_str(r.name, e->name ? e->name : "");
        assert_str(r.expected, e->expected ? e->expected : "");
        assert_str(r.actual, e->actual ? e->actual : "");
    }
}

static void all_parts(void **state)
{
    struct guard_reason r = parse("1/2: c.n == 3        # y = x * c.n  # pkg/model.py:17 in forward\n"
                                  "User stack trace:\n"
                                  "  File \"/home/me/pkg/model.py\", line 17, in forward\n"
                                  "    y = x * c.n");

    (void)state;
    assert_str(r.against, "1/2");
    assert_str(r.guard, "c.n == 3");
    assert_str(r.source, "c.n");
    assert_str(r.user_code, "y = x * c.n");
    assert_str(r.user_file, "pkg/model.py");
    assert_int_equal(r.user_line, 17);
    assert_str(r.user_function, "forward");
    assert_true(str_has(r.user_stack, STR("/home/me/pkg/model.py")));
    assert_int_equal(r.index, -1);
    r = parse("!1/0/2: tensor 'L['x']' size mismatch at index 1. expected 4, actual 5\n"
              "User stack trace:\n"
              "  File \"/home/me/a.py\", line 9, in g\n"
              "    f(x)");
    assert_str(r.against, "!1/0/2");
    assert_str(r.source, "L['x']");
    assert_int_equal(r.index, 1);
    assert_str(r.user_file, "/home/me/a.py");
    assert_str(r.user_code, "f(x)");
    assert_str(r.guard, "tensor 'L['x']' size mismatch at index 1. expected 4, actual 5");
}

static void what_could_be_dynamic(void **state)
{
    (void)state;
    assert_true(parse("0/0: tensor 'x' size mismatch at index 0. expected 4, actual 5").could_be_dynamic);
    assert_true(parse("0/0: n == 7").could_be_dynamic);
    assert_true(parse("0/0: n == 1").could_be_dynamic);
    /* always compiled for */
    assert_false(parse("0/0: tensor 'x' size mismatch at index 0. expected 4, actual 1").could_be_dynamic);
    assert_false(parse("0/0: tensor 'x' size mismatch at index 0. expected 0, actual 4").could_be_dynamic);
    /* static by default */
    assert_false(
        parse("0/0: tensor 'w' size mismatch at index 0. expected 4, actual 5. Guard failed on a parameter, no")
            .could_be_dynamic);
    assert_false(parse("0/0: m.k == 2  # x  # f.py:1 in f (HINT: torch.compile considers integer attributes of the "
                       "nn.Module to be static.)")
                     .could_be_dynamic);
    assert_false(parse("0/0: G['N'] == 7").could_be_dynamic);
    assert_false(parse("0/0: G['CFG'].n == 7").could_be_dynamic);
    assert_false(parse("0/0: fn.__kwdefaults__['n'] == 7").could_be_dynamic);
    assert_true(parse("0/0: fn.__closure__[0].cell_contents == 7").could_be_dynamic);
    assert_false(parse("0/0: n == 1.5").could_be_dynamic);
    assert_false(parse("0/0: n == True").could_be_dynamic);
    assert_false(parse("0/0: tensor 'x' dtype mismatch. expected Float, actual Double").could_be_dynamic);
}

static struct guard_reason_texts split(const char *text)
{
    struct guard_reason_texts t = {0};

    guard_reason_split(arena, str_of(text), &t);
    return t;
}

static void several_reasons(void **state)
{
    struct guard_reason_texts t = split("0/1: n == 2\n"
                                        "User stack trace:\n"
                                        "  File \"a.py\", line 9, in g\n"
                                        "    f(x)\n"
                                        "0/0: s == 'a\n"
                                        "b'\n"
                                        "!0/3/1:\n");

    (void)state;
    assert_int_equal(t.list.n, 3);
    assert_true(str_ends(t.list.v[0], STR("f(x)")));
    assert_str(t.list.v[1], "0/0: s == 'a\nb'");
    assert_str(t.list.v[2], "!0/3/1:");
    assert_int_equal(split("").list.n, 0);
    assert_int_equal(split("no id").list.n, 1);
    assert_int_equal(split("Recompiling function f in /home/me/a.py:3").list.n, 0); /* the rest is cut off */
    assert_int_equal(split("Recompiling function f in /home/me/a.py:3\n    triggered by the following guard "
                           "failure(s):").list.n, 0);
    assert_int_equal(split("Recompiling function f in /home/me/a.py:3\n    trigge").list.n, 0);
    assert_int_equal(split("Recompiling function f in /home/me/a.py:3\n    triggers == 3").list.n, 1);
}

static void log_bodies(void **state)
{
    struct guard_reason_texts t = split("Recompiling function f in /home/me/a.py:3\n"
                                        "    triggered by the following guard failure(s):\n"
                                        "    guard 0 failures:\n"
                                        "    - 0/1: n == 2; m == 3\n"
                                        "    - User stack trace:\n"
                                        "    -   File \"a.py\", line 9, in g\n"
                                        "    -     f(x)\n"
                                        "\n"
                                        "    guard 1 failures:\n"
                                        "    - 0/0: len(xs) == 1");

    (void)state;
    assert_int_equal(t.list.n, 2);
    assert_str(t.list.v[0], "0/1: n == 2; m == 3\nUser stack trace:\n  File \"a.py\", line 9, in g\n    f(x)");
    assert_str(t.list.v[1], "0/0: len(xs) == 1");
    /* 2.3: no ids */
    t = split("Recompiling function f in /home/me/a.py:3\n"
              "    triggered by the following guard failure(s):\n"
              "    - tensor 'L['x']' size mismatch at index 0. expected 3, actual 4\n"
              "    - ___check_current_backend(1401)\n");
    assert_int_equal(t.list.n, 2);
    assert_str(t.list.v[1], "___check_current_backend(1401)");
}

/* A guard may quote megabytes; a sentence does not. */
static void long_values(void **state)
{
    struct guard_reason r;
    char *text = malloc(200000);

    (void)state;
    memset(text, 'x', 200000);
    memcpy(text, "0/0: s == '", 11);
    for (size_t i = 11; i + 1 < 199998; i += 2)
        memcpy(text + i, "\xc3\xa9", 2);
    memcpy(text + 199998, "'", 2);
    guard_reason_parse(arena, str_of(text), &r);
    assert_int_equal(r.class, GUARD_STRING);
    assert_int_equal(r.expected.n, 199989);
    assert_true(r.words.n < 400);
    assert_true(utf8_valid(r.words));
    free(text);
}

static void classes(void **state)
{
    (void)state;
    for (int c = 0; c < GUARD_CLASS_COUNT; c++) {
        assert_non_null(guard_class_name((enum guard_class)c));
        assert_non_null(guard_class_title((enum guard_class)c));
    }
}

enum { CLIP = 100 };

/* Each token of a changed global state, many of them, and one that is long. */
static void global_states(void **state)
{
    static const struct {
        const char *token, *words;
    } cases[] = {
        {"grad_mode", "gradient mode (torch.no_grad, enable_grad)"},
        {"autocast", "autocast"},
        {"autocast_cache_enabled", "autocast's cache of weights"},
        {"torch_function", "whether torch functions can be overridden"},
        {"deterministic_algorithms", "use_deterministic_algorithms"},
        {"deterministic_algorithms_warn_only", "use_deterministic_algorithms(warn_only=…)"},
        {"allow_tf32", "TF32 in matrix products"},
        {"allow_fp16_reduce", "reduced precision of float16 matrix products"},
        {"allow_bf16_reduce", "reduced precision of bfloat16 matrix products"},
        {"num_threads", "number of threads"},
        {"default_dtype", "default dtype"},
        {"autocast(cuda)_enabled", "whether autocast is on for cuda"},
        {"autocast(cuda)_dtype", "autocast's dtype for cuda"},
        {"autocast(cuda)_other", "autocast(cuda)_other"},
        {"a  b", "a; b"},
        {"a b c d e f g h i j k l m", "a; b; c; d; e; f; g; h; i; j; k; l"},
    };
    char token[300];

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct guard_reason r = parse(arena_printf(arena, "0/0: GLOBAL_STATE changed: %s ", cases[i].token).p);

        assert_int_equal(r.class, GUARD_GLOBAL_STATE);
        assert_str(r.words, arena_printf(arena, "global settings changed: %s", cases[i].words).p);
    }
    memset(token, 'x', sizeof token);
    for (size_t n = CLIP; n <= CLIP + 1; n++) {
        struct str text = {token, n}, kept = {token, CLIP};
        struct guard_reason r = parse(arena_printf(arena, "0/0: GLOBAL_STATE changed: %.*s", STR_ARG(text)).p);

        assert_str(r.words,
                   arena_printf(arena, "global settings changed: %.*s%s", STR_ARG(kept), n > CLIP ? " …" : "").p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(global_states),
        cmocka_unit_test(the_examples),    cmocka_unit_test(all_parts),  cmocka_unit_test(what_could_be_dynamic),
        cmocka_unit_test(several_reasons), cmocka_unit_test(log_bodies), cmocka_unit_test(long_values),
        cmocka_unit_test(classes),
    };
    int failed;

    arena = arena_new();
    failed = RUN(tests);
    arena_free(arena);
    return failed;
}
