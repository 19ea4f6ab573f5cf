#include "unit.h"

#include "text/python/thread_dump.h"

static const struct str dump = STR_INIT("Thread 12 (active): \"Thread-1\"\n"
                                        "    run (shop/worker.py:3)\n"
                                        "Thread 7 (idle): \"MainThread\"\n"
                                        "    wait (threading.py:320)\n"
                                        "    all_reduce (torch/distributed/distributed_c10d.py:2810)\n"
                                        "        Arguments:\n"
                                        "            tensor: <Tensor at 0x7f>\n"
                                        "    step (shop/loop.py:220)\n"
                                        "    clone (libc.so.6)\n");

static void the_main_thread_is_taken(void **state)
{
    struct arena *a = arena_new();
    struct text_stack stack = {0};
    const struct text_call *at;
    struct str name;

    (void)state;
    assert_true(thread_dump_take(a, dump, &stack, &name));
    assert_str(name, "MainThread");
    assert_int_equal(stack.calls.n, 2);
    assert_str(stack.calls.v[0].file, "shop/loop.py");
    assert_int_equal(stack.calls.v[0].line, 220);
    assert_string_equal(thread_dump_words(&stack, &at), "is in a collective");
    assert_str(at->function, "all_reduce");
    arena_free(a);
}

/* What is called from C++ below the backward shows more, and the program's own call says nothing. */
static void only_the_innermost_call_is_the_backward(void **state)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"Thread 7 (idle): \"MainThread\"\n    backward (torch/autograd/__init__.py:9)\n    sell (shop.py:4)\n",
         "is in autograd's backward"},
        {"Thread 7 (idle): \"MainThread\"\n    hook (shop.py:9)\n    backward (torch/autograd/__init__.py:9)\n", NULL},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct arena *a = arena_new();
        struct text_stack stack = {0};
        const struct text_call *at;
        const char *words;
        struct str name;

        assert_true(thread_dump_take(a, str_of(cases[i].text), &stack, &name));
        words = thread_dump_words(&stack, &at);
        assert_str(str_of(words ? words : ""), cases[i].words ? cases[i].words : "");
        arena_free(a);
    }
}

static void faulthandler_ends_with_the_main_thread(void **state)
{
    struct arena *a = arena_new();
    struct text_stack stack = {0};
    struct str name;

    (void)state;
    assert_true(thread_dump_take(a,
                                 STR("Thread 0x2 (most recent call first):\n"
                                     "  File \"/srv/pool.py\", line 3 in run\n"
                                     "Thread 0x1 (most recent call first):\n"
                                     "  File \"/usr/lib/python3.12/threading.py\", line 320 in wait\n"
                                     "  File \"/srv/shop.py\", line 12 in sell\n"
                                     "  File \"/srv/shop.py\", line 40 in <module>\n"),
                                 &stack, &name));
    assert_str(name, "MainThread");
    assert_int_equal(stack.calls.n, 2);
    assert_int_equal(stack.calls.v[1].line, 12);
    assert_str(stack.calls.v[1].function, "sell");
    arena_free(a);
}

static void other_lines_begin_none(void **state)
{
    (void)state;
    assert_true(thread_dump_begins(STR("Thread 0x7F1 (active+gil): \"MainThread\"")));
    assert_true(thread_dump_begins(STR("Thread 0x00007f (most recent call first):")));
    assert_true(thread_dump_begins(STR("Current thread 0x00007f (most recent call first):")));
    assert_false(thread_dump_begins(STR("Threads (idle) are many")));
    assert_false(thread_dump_begins(STR("Thread pool of the shop")));
}

static void a_dump_without_calls_is_none(void **state)
{
    struct arena *a = arena_new();
    struct text_stack stack = {0};
    struct str name;

    (void)state;
    assert_false(thread_dump_take(a, STR("Thread 7 (idle): \"MainThread\"\n    (no Python stack)\n"), &stack, &name));
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_main_thread_is_taken),
        cmocka_unit_test(only_the_innermost_call_is_the_backward),
        cmocka_unit_test(faulthandler_ends_with_the_main_thread),
        cmocka_unit_test(other_lines_begin_none),
        cmocka_unit_test(a_dump_without_calls_is_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
