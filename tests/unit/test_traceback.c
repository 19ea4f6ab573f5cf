#include "unit.h"

#include "input/limits.h"
#include "text/python/traceback.h"
#include "util/buf.h"

static struct arena *arena;

static struct traceback parse(const char *text)
{
    struct traceback t;

    assert_true(traceback_parse(arena, str_of(text), &t));
    return t;
}

static size_t take(const char *text, struct text_stack *out, struct str *rest)
{
    *out = (struct text_stack){0};
    *rest = str_of(text);
    return text_stack_take(arena, rest, out);
}

static void assert_call(const struct text_stack *s, size_t i, const char *file, int64_t line, const char *function,
                        const char *source)
{
    assert_true(i < s->calls.n);
    assert_str(s->calls.v[i].file, file);
    assert_int_equal(s->calls.v[i].line, line);
    assert_str(s->calls.v[i].function, function);
    assert_str(s->calls.v[i].source, source);
}

static void a_listing(void **state)
{
    struct text_stack s;
    struct str rest;

    (void)state;
    assert_int_equal(take("\n"
                          "  File \"/home/me/model.py\", line 26, in <module>\n"
                          "    run(torch.ones(3))\n"
                          "  File \"/home/me/model.py\", line 17, in f.<locals>.g\n"
                          "    if x.sum() > 0: return x + 1\n"
                          "       ^^^^^^^^^^^\n"
                          "\n"
                          "Traceback (most recent call last):\n",
                          &s, &rest),
                     2);
    assert_call(&s, 0, "/home/me/model.py", 26, "<module>", "run(torch.ones(3))");
    assert_call(&s, 1, "/home/me/model.py", 17, "f.<locals>.g", "if x.sum() > 0: return x + 1");
    assert_str(rest, "\nTraceback (most recent call last):\n");
    assert_int_equal(take("no stack\n  File \"x\", line 1, in f\n", &s, &rest), 0);
    assert_str(rest, "no stack\n  File \"x\", line 1, in f\n");
}

/* Python 3.11 marks with carets and tildes, 3.13 shows a whole statement with a mark below each line. */
static void marks_and_long_statements(void **state)
{
    struct text_stack s;
    struct str rest;

    (void)state;
    assert_int_equal(take("  File \"a.py\", line 1, in f\n"
                          "    return x[0] + y[1]\n"
                          "           ~~~~~^~~~~~\n"
                          "  File \"b.py\", line 2, in g\n"
                          "    raise ValueError(\n"
                          "    ^^^^^^^^^^^^^^^^^\n"
                          "        \"File \\\"c.py\\\", line 3, in h\"\n"
                          "        ^^^^^^^^^^^^^^^\n"
                          "\n"
                          "    )\n"
                          "    ^\n"
                          "  File \"d.py\", line 4, in k\n"
                          "    call(...<3 lines>...)\n"
                          "end",
                          &s, &rest),
                     3);
    assert_call(&s, 0, "a.py", 1, "f", "return x[0] + y[1]");
    assert_call(&s, 1, "b.py", 2, "g", "raise ValueError(");
    assert_call(&s, 2, "d.py", 4, "k", "call(...<3 lines>...)");
    assert_str(rest, "end");
}

static void odd_calls(void **state)
{
    struct text_stack s;
    struct str rest;

    (void)state;
    assert_int_equal(take("   File \"C:\\work\\my model.py\", line 3, in <lambda>\n"
                          "  File \"<string>\", line 1\n"
                          "    x ===\n"
                          "       ^\n"
                          "  [Previous line repeated 996 more times]\r\n"
                          "  File \"no source.py\", line 9, in f\r\n"
                          "  File \"no line\", line x, in f\n",
                          &s, &rest),
                     3);
    assert_call(&s, 0, "C:\\work\\my model.py", 3, "<lambda>", "");
    assert_call(&s, 1, "<string>", 1, "", "x ===");
    assert_call(&s, 2, "no source.py", 9, "f", "");
    assert_str(rest, "  File \"no line\", line x, in f\n");
}

static void a_deep_stack_is_cut(void **state)
{
    struct buf b = {0};
    struct text_stack s = {0};
    struct str text;

    (void)state;
    for (int i = 0; i < LIMIT_STACK_FRAMES + 5; i++)
        buf_printf(&b, "  File \"a.py\", line %d, in f\n", i);
    text = buf_view(&b);
    assert_int_equal(text_stack_take(arena, &text, &s), LIMIT_STACK_FRAMES + 5);
    assert_int_equal(s.calls.n, LIMIT_STACK_FRAMES);
    assert_int_equal(text.n, 0);
    buf_free(&b);
}

static void metrics_calls(void **state)
{
    struct text_call c;

    (void)state;
    assert_true(text_call_parse_metrics(STR("Line: 26, Name: <module>, Filename: /home/me/a, b.py"), &c));
    assert_int_equal(c.line, 26);
    assert_str(c.function, "<module>");
    assert_str(c.file, "/home/me/a, b.py");
    assert_false(text_call_parse_metrics(STR("Line: x, Name: f, Filename: a.py"), &c));
    assert_false(text_call_parse_metrics(STR("Line: 3, Name: f"), &c));
    assert_false(text_call_parse_metrics(STR(""), &c));
}

static void one_exception(void **state)
{
    struct traceback t = parse("Traceback (most recent call last):\n"
                               "  File \"/venv/torch/_dynamo/convert_frame.py\", line 2102, in _compile\n"
                               "    guarded_code = compile_inner(code)\n"
                               "                   ^^^^^^^^^^^^^^^^^^^\n"
                               "  File \"/venv/torch/_dynamo/exc.py\", line 727, in unimplemented\n"
                               "    raise Unsupported(msg)\n"
                               "torch._dynamo.exc.Unsupported: Data-dependent branching\n"
                               "  Explanation: no.\n"
                               "\n"
                               "from user code:\n"
                               "   File \"/home/me/model.py\", line 9, in branch\n"
                               "    if x.sum() > 0:\n"
                               "  File \"/home/me/other.py\", line 4, in inner\n"
                               "    return y\n"
                               "\n"
                               "Set TORCHDYNAMO_VERBOSE=1 for the internal stack trace\n");

    (void)state;
    assert_int_equal(t.calls.calls.n, 2);
    assert_str(t.module, "torch._dynamo.exc");
    assert_str(t.type, "Unsupported");
    assert_str(t.message, "Data-dependent branching\n  Explanation: no.");
    assert_int_equal(t.causes, 0);
    assert_str(t.first_type, "Unsupported");
    assert_call(&t.user_calls, 0, "/home/me/model.py", 9, "branch", "if x.sum() > 0:");
    assert_call(&t.user_calls, 1, "/home/me/other.py", 4, "inner", "return y");
}

static void a_chain(void **state)
{
    struct traceback t = parse("Traceback (most recent call last):\n"
                               "  File \"a.py\", line 1, in f\n"
                               "    {}[\"k\"]\n"
                               "KeyError: 'k'\n"
                               "\n"
                               "During handling of the above exception, another exception occurred:\n"
                               "\n"
                               "Traceback (most recent call last):\n"
                               "  File \"a.py\", line 3, in f\n"
                               "    raise Own\n"
                               "__main__.f.<locals>.Own\n"
                               "\n"
                               "The above exception was the direct cause of the following exception:\n"
                               "\n"
                               "Traceback (most recent call last):\n"
                               "  File \"b.py\", line 5, in g\n"
                               "    f()\n"
                               "RuntimeError: first line\n"
                               "  File \"x.py\", line 3, in not_a_call\n"
                               "The above exception was the direct cause of the following exception:\n"
                               "but no traceback follows\n");

    (void)state;
    assert_int_equal(t.causes, 2);
    assert_str(t.first_type, "KeyError");
    assert_str(t.first_message, "'k'");
    assert_str(t.type, "RuntimeError");
    assert_str(t.module, "");
    assert_int_equal(t.calls.calls.n, 1);
    assert_str(t.message, "first line\n"
                          "  File \"x.py\", line 3, in not_a_call\n"
                          "The above exception was the direct cause of the following exception:\n"
                          "but no traceback follows");
    assert_int_equal(t.user_calls.calls.n, 0);
}

/* An exception that was never raised has no traceback of its own. */
static void a_cause_without_stack(void **state)
{
    struct traceback t = parse("ValueError: made, not raised\n"
                               "\n"
                               "The above exception was the direct cause of the following exception:\n"
                               "\n"
                               "Traceback (most recent call last):\n"
                               "  File \"a.py\", line 1, in f\n"
                               "a.B: outer\n");

    (void)state;
    assert_int_equal(t.causes, 1);
    assert_str(t.first_type, "ValueError");
    assert_str(t.first_message, "made, not raised");
    assert_str(t.module, "a");
    assert_str(t.type, "B");
}

static void what_stands_before_is_skipped(void **state)
{
    struct traceback t = parse("WON'T CONVERT f a.py line 3 \ndue to: \nTraceback (most recent call last):\n"
                               "  File \"a.py\", line 1, in f\n"
                               "    x\n"
                               "    ... a note of some tool\n"
                               "NameError: name 'x' is not defined. Did you mean: 'y'?\n");

    (void)state;
    assert_str(t.type, "NameError");
    assert_str(t.message, "name 'x' is not defined. Did you mean: 'y'?");
}

static void stacks_inside_messages(void **state)
{
    struct text_stack s = {0};
    struct str message = exception_message_take(arena,
                                                STR("Constraints violated (L['x'].size()[0])!\n"
                                                    "\n"
                                                    "User stack:\n"
                                                    "  File \"/home/me/a.py\", line 7, in f\n"
                                                    "    return x.view(7)\n"),
                                                &s);

    (void)state;
    assert_true(str_has(message, STR("User stack:")));
    assert_call(&s, 0, "/home/me/a.py", 7, "f", "return x.view(7)");

    s = (struct text_stack){0};
    message = exception_message_take(arena,
                                     STR("Could not guard on data-dependent expression Eq(u0, 1)\n"
                                         "User Stack (most recent call last):\n"
                                         "  (snipped, see stack below for prefix)\n"
                                         "  File \"/home/me/b.py\", line 8, in g\n"
                                         "    if n:\n"
                                         "\n"
                                         "from user code:\n"
                                         "   File \"/home/me/c.py\", line 9, in h\n"
                                         "    g(n)\n"
                                         "\n"
                                         "You can suppress this exception and fall back to eager by setting:\n"
                                         "    import torch._dynamo\n"),
                                     &s);
    assert_int_equal(s.calls.n, 1);
    assert_call(&s, 0, "/home/me/c.py", 9, "h", "g(n)");
    assert_true(str_ends(message, STR("if n:")));
}

static void no_traceback(void **state)
{
    struct traceback t;

    (void)state;
    assert_false(traceback_parse(arena, STR(""), &t));
    assert_false(traceback_parse(arena, STR("ValueError: no\n  File \"a\", line 1, in f\n"), &t));
    assert_false(traceback_parse(arena, (struct str){0}, &t));
    assert_true(traceback_parse(arena, STR("Traceback (most recent call last):"), &t));
    assert_str(t.type, "");
    assert_str(t.message, "");
    assert_true(traceback_parse(
        arena, STR("Traceback (most recent call last):\n  File \"a\", line 1, in f\nwhat is this?\n"), &t));
    assert_str(t.type, "");
    assert_str(t.message, "what is this?");
}

#define USER_CALL "  File \"/srv/shop.py\", line 7, in sell\n    y = x @ x\n"

/* What stands before the user's stack, and after a message. */
static void parts_of_messages(void **state)
{
    static const struct {
        const char *text, *message;
        int calls;
    } cases[] = {
        {"no stack", "no stack", 0},
        {"m\n\nfrom user code:\n" USER_CALL, "m", 1},
        {"m\nUser stack:\n" USER_CALL, "m\nUser stack:\n" USER_CALL, 1},
        {"m\nUser Stack (most recent call last):\n" USER_CALL, NULL, 1},
        {"m\nFound from :\n" USER_CALL, NULL, 1},
        {"m\nThe following call raised this error:\n" USER_CALL, NULL, 1},
        {"m\nThe forward output was created here:\n" USER_CALL, NULL, 1},
        {"m\nOriginal traceback:\n" USER_CALL, NULL, 1},
        {"m\nUser code traceback:\n" USER_CALL, NULL, 1},
        {"m\nBackend compiler failed with a fake tensor exception at\n" USER_CALL, NULL, 1},
        {"m\n  Traceback:\n" USER_CALL, NULL, 1},
        {"m\nSome other heading:\n" USER_CALL, NULL, 0},
        {"m\nUser stack:\n" USER_CALL "\nfrom user code:\n" USER_CALL USER_CALL, "m\nUser stack:\n" USER_CALL, 2},
        {"m\nfrom user code:\n" USER_CALL "User stack:\n" USER_CALL USER_CALL, "m", 1},
        {"m\nUser stack:\n(snipped, see stack below for prefix)\n" USER_CALL, NULL, 1},
        {"by a run. Stack trace: File \"/srv/shop.py\", line 7, in sell\n    y = x @ x. To prevent overwriting, clone",
         NULL, 1},
        {"by a run. Stack trace: File \"/srv/shop.py\", line 7, in sell\n    y = x @ x", NULL, 1},
        {"by a run. Stack trace: none", NULL, 0},
        {"m\n```", "m", 0},
        {"```", "", 0},
        {"m```", "m```", 0},
        {"m\n\nYou can suppress this exception and fall back to eager by setting:\n    x\n", "m", 0},
        {"m\n\nSet torch._dynamo.config.verbose=True for more\nx\n", "m", 0},
        {"m\n\nSet TORCHDYNAMO_VERBOSE=1 for more\nx\n", "m", 0},
        {"m\n\nSet TORCH_LOGS=\"+dynamo\"\nx\n", "m", 0},
        {"m\n\nLast frame execution written to x\nx\n", "m", 0},
        {"m\n\nMinifier script written to x\nx\n", "m", 0},
        {"m\n\nSet OTHER=1\nx\n", NULL, 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct text_stack stack = {0};
        struct str whole = str_of(cases[i].text), message = exception_message_take(arena, whole, &stack);

        if (stack.calls.n != (size_t)cases[i].calls)
            fail_msg("%s: %zu calls", cases[i].text, stack.calls.n);
        if (stack.calls.n) {
            assert_str(stack.calls.v[0].function, "sell");
            assert_int_equal(stack.calls.v[0].line, 7);
        }
        assert_same(message, str_trim(cases[i].message ? str_of(cases[i].message) : whole));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_of_messages),
        cmocka_unit_test(a_listing),
        cmocka_unit_test(marks_and_long_statements),
        cmocka_unit_test(odd_calls),
        cmocka_unit_test(a_deep_stack_is_cut),
        cmocka_unit_test(metrics_calls),
        cmocka_unit_test(one_exception),
        cmocka_unit_test(a_chain),
        cmocka_unit_test(a_cause_without_stack),
        cmocka_unit_test(what_stands_before_is_skipped),
        cmocka_unit_test(stacks_inside_messages),
        cmocka_unit_test(no_traceback),
    };
    int failed;

    arena = arena_new();
    failed = RUN(tests);
    arena_free(arena);
    return failed;
}
