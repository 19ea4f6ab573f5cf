#include "unit.h"

#include "text/messages/break_text.h"

static struct arena *arena;

static struct break_text parse(const char *text)
{
    struct break_text b;

    break_text_parse(arena, str_of(text), &b);
    return b;
}

#define LINK " For more details about this graph break, please visit: https://example.org/gb/gb0025.html"
#define MESSAGE                                                                                                        \
    "Call to `torch._dynamo.graph_break()`\n"                                                                          \
    "  Explanation: User-inserted graph break. Message: None\n"                                                        \
    "  Hint: Remove the `torch._dynamo.graph_break()` call.\n"                                                         \
    "  Hint: Or keep it,\n"                                                                                            \
    "    Hint: it is yours.\n"                                                                                         \
    "\n"                                                                                                               \
    "  Developer debug context: Called with args `[]`, kwargs `{}`\n"                                                  \
    "\n" LINK
#define STACK                                                                                                          \
    "User code traceback:\n"                                                                                           \
    "  File \"/home/me/model.py\", line 71, in <module>\n"                                                             \
    "    run(x)\n"                                                                                                     \
    "  File \"/home/me/model.py\", line 5, in plain\n"                                                                 \
    "    torch._dynamo.graph_break()\n"

static void of_2_13(void **state)
{
    struct break_text b = parse("Graph break in user code at /home/me/a:b.py:5\n"
                                "Graph Break Reason: Encountered graph break when attempting to trace CALL: a function "
                                "call, e.g. f(x, y):\n"
                                "\n" MESSAGE "\n"
                                "\n"
                                "Stack variable source attribution:\n"
                                "  NullVariable originated from:\n"
                                "  File \"/home/me/model.py\", line 5\n"
                                "    torch._dynamo.graph_break()\n"
                                "\n" STACK "\n"
                                "Traceback (most recent call last):\n"
                                "  File \"/venv/torch/x.py\", line 1, in wrapper\n"
                                "torch._dynamo.exc.Unsupported: " MESSAGE "\n");

    (void)state;
    assert_str(b.file, "/home/me/a:b.py");
    assert_int_equal(b.line, 5);
    assert_str(b.message, MESSAGE);
    assert_str(b.type, "Call to `torch._dynamo.graph_break()`");
    assert_str(b.then_type, "");
    assert_str(b.attempted, "CALL: a function call, e.g. f(x, y)");
    assert_str(b.explanation, "User-inserted graph break. Message: None");
    assert_int_equal(b.hints.n, 2);
    assert_str(b.hints.v[0], "Remove the `torch._dynamo.graph_break()` call.");
    assert_str(b.hints.v[1], "Or keep it,\n    Hint: it is yours.");
    assert_str(b.context, "Called with args `[]`, kwargs `{}`");
    assert_str(b.url, "https://example.org/gb/gb0025.html");
    assert_str(b.gb_id, "GB0025");
    assert_int_equal(b.user_stack.calls.n, 2);
    assert_str(b.user_stack.calls.v[1].function, "plain");
    assert_false(b.skipped_frame);
    assert_false(b.suppressed);
}

static void two_breaks_in_one(void **state)
{
    struct break_text b = parse("Graph break in user code at /home/me/model.py:15\n"
                                "Graph Break Reason: Failed to handle graph break gracefully. Skipping the function "
                                "and falling back to eager. Graph break encountered:\n"
                                "\n"
                                "Failed to trace builtin operator\n"
                                "  Higher Order Operator: autograd.Function\n"
                                "  Explanation: The first.\n"
                                "  Hint: One.\n"
                                "\n"
                                "  Developer debug context: builtin print\n"
                                "\n"
                                "*** While handling this graph break, another graph break occurred: ***\n"
                                "\n"
                                "graph break in loop\n"
                                "  Explanation: The second.\n"
                                "  Hint: Two.\n"
                                "\n"
                                "  Developer debug context: frame skipped\n"
                                "\n" LINK "\n"
                                "\n" STACK);

    (void)state;
    assert_str(b.type, "Failed to trace builtin operator");
    assert_str(b.then_type, "graph break in loop");
    assert_str(b.hop, "autograd.Function");
    assert_str(b.explanation, "The first.");
    assert_int_equal(b.hints.n, 1);
    assert_str(b.context, "builtin print");
    assert_str(b.url, "");
    assert_str(b.gb_id, "GB0059"); /* the registry's, by the type */
    assert_true(b.skipped_frame);
    assert_true(str_starts(b.message, STR("Failed to trace")));
    assert_true(str_has(b.message, STR("graph break in loop")));
}

/* TORCHDYNAMO_VERBOSE=1 splits the stack; its bytecode is no part of it. */
static void verbose_stack(void **state)
{
    struct break_text b = parse("Graph break in user code at /home/me/model.py:5\n"
                                "Graph Break Reason: Data-dependent branching\n"
                                "\n" STACK "\n"
                                "========== most recent `torch.compile` tracing attempt started here ==========\n"
                                "\n"
                                "  File \"/home/me/model.py\", line 6, in inner\n"
                                "    if y > 0:\n"
                                "\n"
                                "NOTE: the most recent `torch.compile` tracing attempt might not be where\n"
                                "\n"
                                "Most recent bytecode instructions traced (max 20):\n"
                                "TRACE RESUME 0 []\n");

    (void)state;
    assert_str(b.type, "Data-dependent branching");
    assert_str(b.message, "Data-dependent branching");
    assert_int_equal(b.user_stack.calls.n, 3);
    assert_str(b.user_stack.calls.v[2].function, "inner");
}

static void of_2_6(void **state)
{
    struct break_text b = parse("Graph break in user code at /home/me/model.py:5\n"
                                "Reason: Unsupported: call_function print\n" STACK);

    (void)state;
    assert_str(b.file, "/home/me/model.py");
    assert_str(b.type, "Unsupported: call_function print");
    assert_int_equal(b.user_stack.calls.n, 2);
    b = parse("Graph break (details suppressed) in user code at /home/me/model.py:5\nReason: Tensor.item");
    assert_true(b.suppressed);
    assert_int_equal(b.line, 5);
    assert_str(b.type, "Tensor.item");
}

static void duplicates(void **state)
{
    struct break_text b =
        parse("Graph break (user stack suppressed due to duplicate graph break) in user code at a.py:9\n"
              "Graph Break Reason: " MESSAGE);

    (void)state;
    assert_true(b.suppressed);
    assert_str(b.file, "a.py");
    assert_int_equal(b.line, 9);
    assert_str(b.gb_id, "GB0025");
    assert_int_equal(b.user_stack.calls.n, 0);
    b = parse("Unsupported break in user code at a.py:7 (details suppressed)");
    assert_true(b.suppressed);
    assert_str(b.file, "a.py");
    assert_int_equal(b.line, 7);
    assert_str(b.type, "");
}

static void of_2_5(void **state)
{
    struct break_text b = parse("Graph break: from user code at:\n"
                                "  File \"/home/me/model.py\", line 9, in f\n"
                                "    print(x)\n"
                                "Traceback (most recent call last):\n"
                                "  File \"/venv/torch/_dynamo/exc.py\", line 297, in unimplemented\n"
                                "    raise Unsupported(msg, case_name=case_name)\n"
                                "torch._dynamo.exc.Unsupported: builtin: print [<class 'X'>] False\n"
                                "\n"
                                "from user code:\n"
                                "   File \"/home/me/model.py\", line 9, in f\n");

    (void)state;
    assert_str(b.type, "builtin: print [<class 'X'>] False");
    assert_str(b.file, "");
    assert_int_equal(b.user_stack.calls.n, 1);
    assert_false(b.skipped_frame);
    b = parse("Graph break: skip: from user code at:\n"
              "  File \"/home/me/model.py\", line 9, in f\n"
              "    print(x)\n"
              "Traceback (most recent call last):\n"
              "torch._dynamo.exc.UserError: nope\n");
    assert_true(b.skipped_frame);
    assert_str(b.type, "UserError");
    assert_str(b.message, "UserError: nope");
}

static void a_skipped_frame(void **state)
{
    struct break_text b =
        parse("Graph break: torch.compile cannot properly resume from this graph break, which results "
              "in a skip.\n"
              "torch.compile will skip tracing the frame f (/home/me/model.py line 3) and fall back "
              "to eager.\n"
              "The graph break occurred in the following user code:\n"
              "  File \"/home/me/model.py\", line 4, in f\n"
              "    g()\n"
              "\n"
              "Traceback (most recent call last):\n"
              "torch._dynamo.exc.Unsupported: " MESSAGE "\n");

    (void)state;
    assert_true(b.skipped_frame);
    assert_str(b.type, "Call to `torch._dynamo.graph_break()`");
    assert_str(b.gb_id, "GB0025");
    assert_int_equal(b.user_stack.calls.n, 1);
    assert_int_equal(b.user_stack.calls.v[0].line, 4);
}

static void wont_convert(void **state)
{
    struct break_text b =
        parse("WON'T CONVERT f /home/me/model.py line 3\n"
              "========== TorchDynamo Stack Trace ==========\n"
              "Traceback (most recent call last):\n"
              "  File \"/venv/torch/y.py\", line 2, in call\n"
              "torch._subclasses.fake_tensor.DynamicOutputShapeException: aten.nonzero.default\n"
              "\n"
              "========== The above exception occurred while processing the following code ==========\n"
              "\n"
              "  File \"/home/me/model.py\", line 8, in f\n"
              "    return x.nonzero()\n"
              "\n"
              "==========");

    (void)state;
    assert_true(b.skipped_frame);
    assert_str(b.type, "DynamicOutputShapeException");
    assert_str(b.message, "DynamicOutputShapeException: aten.nonzero.default");
    assert_int_equal(b.user_stack.calls.n, 1);
    assert_str(b.user_stack.calls.v[0].source, "return x.nonzero()");
}

static void bare_messages(void **state)
{
    struct break_text b;

    (void)state;
    break_message_parse(arena, STR(MESSAGE), &b);
    assert_str(b.type, "Call to `torch._dynamo.graph_break()`");
    assert_str(b.gb_id, "GB0025");
    break_message_parse(arena, STR("'skip function save in file /venv/torch/serialization.py'"), &b);
    assert_str(b.type, "'skip function save in file /venv/torch/serialization.py'");
    break_message_parse(arena,
                        STR("This operator doesn't work unless it is captured completely. Got graph break/error:\n"
                            "\n" MESSAGE "\n"
                            "\n"
                            "from user code:\n"
                            "   File \"a.py\", line 1, in f\n"),
                        &b);
    assert_str(b.type, "Call to `torch._dynamo.graph_break()`");
    assert_str(b.message, MESSAGE);
    assert_int_equal(b.user_stack.calls.n, 1);
    break_message_parse(arena,
                        STR("torch.compile intentionally decided to skip the frame f (a.py line 1) and fall back "
                            "to eager.\nReason: no graph"),
                        &b);
    assert_true(b.skipped_frame);
}

/* The same exception below each head, or below none: its place is the head's. */
static void exceptions_below_heads(void **state)
{
    static const struct {
        const char *head, *file;
        int64_t line;
        bool suppressed;
    } cases[] = {
        {"", "", 0, false},
        {"Graph break in user code at /shop.py:7\n", "/shop.py", 7, false},
        {"Graph break (user stack suppressed due to duplicate graph break) in user code at /shop.py:7\n", "/shop.py", 7,
         true},
        {"Graph break (details suppressed) in user code at /shop.py:7\n", "/shop.py", 7, true},
        {"Unsupported break in user code at /shop.py:7 (details suppressed)\n", "/shop.py", 7, true},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct break_text b = parse(arena_printf(arena,
                                                 "%sTraceback (most recent call last):\n"
                                                 "  File \"/venv/torch/x.py\", line 1, in wrapper\n"
                                                 "torch._dynamo.exc.Unsupported: Tensor.item",
                                                 cases[i].head).p);

        assert_str(b.type, "Tensor.item");
        assert_str(b.file, cases[i].file);
        assert_int_equal(b.line, cases[i].line);
        assert_int_equal(b.suppressed, cases[i].suppressed);
        b = parse(arena_printf(arena, "%sGraph Break Reason: Tensor.item", cases[i].head).p);
        assert_str(b.type, "Tensor.item");
        assert_str(b.file, cases[i].file);
        assert_int_equal(b.line, cases[i].line);
        assert_int_equal(b.suppressed, cases[i].suppressed);
    }
}

/* A link goes into a page as one: anything that is not https is not taken. */
static void links(void **state)
{
    static const char begin[] = "T\n For more details about this graph break, please visit: ";
    struct break_text b;

    (void)state;
    b = parse((arena_printf(arena, "%sjavascript:alert(1)", begin)).p);
    assert_str(b.url, "");
    b = parse((arena_printf(arena, "%shttp://example.org/gb/gb0001.html", begin)).p);
    assert_str(b.url, "");
    b = parse((arena_printf(arena, "%shttps://example.org/gb/gbx.html and more", begin)).p);
    assert_str(b.url, "https://example.org/gb/gbx.html");
    assert_str(b.gb_id, "");
}

static void other_texts(void **state)
{
    struct break_text b = parse("");

    (void)state;
    assert_str(b.type, "");
    b = parse("something else\nentirely");
    assert_str(b.type, "something else");
    assert_str(b.message, "something else\nentirely");
    b = parse("Graph break in user code at");
    assert_str(b.type, "Graph break in user code at");
    b = parse("Graph break in user code at /no/line\nGraph Break Reason: T");
    assert_str(b.file, "/no/line");
    assert_int_equal(b.line, 0);
    assert_str(b.type, "T");
    break_text_parse(arena, (struct str){0}, &b);
    assert_str(b.message, "");
}

/* The operator of an exception that a text quotes, by its class or by the words of its message. */
static void unsupported_operators(void **state)
{
    static const char *const cases[][2] = {
        {"torch._subclasses.fake_tensor.UnsupportedOperatorException: shop.price.default\nmore", "shop.price.default"},
        {"NotImplementedError: shop::price: attempted to run this operator with Meta tensors, but there was no",
         "shop.price"},
        {"NotImplementedError: price: attempted to run this operator with Meta tensors", ""},
        {"NotImplementedError: shop::price: no fake impl", ""},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_str(break_unsupported_operator(arena, str_of(cases[i][0])), cases[i][1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_2_13),         cmocka_unit_test(two_breaks_in_one), cmocka_unit_test(verbose_stack),
        cmocka_unit_test(of_2_6),          cmocka_unit_test(duplicates),        cmocka_unit_test(of_2_5),
        cmocka_unit_test(a_skipped_frame), cmocka_unit_test(wont_convert),      cmocka_unit_test(bare_messages),
        cmocka_unit_test(exceptions_below_heads),
        cmocka_unit_test(links),           cmocka_unit_test(other_texts),       cmocka_unit_test(unsupported_operators),
    };
    int failed;

    arena = arena_new();
    failed = RUN(tests);
    arena_free(arena);
    return failed;
}
