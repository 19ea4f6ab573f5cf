/* Numbers that a program prints again and again, results one below the other, and lists of processes. */
#include "unit.h"

#include "torchlog/notes/printed.h"

static void memory_that_rises(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"[open] alloc: 7.5, reserved: 9\n[closed] alloc: 8\n[open] alloc: 8.5, reserved: 9\n[closed] alloc: 9\n"
         "[open] alloc: 9.5, reserved: 9\n[closed] alloc: 10\n",
         ": [closed] alloc: 8 to 10 in 3 lines"},
        {"step 1 | rss 100 MB\nstep 2 | rss 110 MB\nstep 13 | rss 120 MB\n", ": step 1 | rss 100 to 120 in 3 lines"},
        {"print(torch.cuda.memory_allocated())\n131584\n197120\n...\n262656\n", ": 131584 to 262656 in 3 lines"},
        {"## compile_fn inductor\nmemory_info().rss\n0 6357114\n9 6359736\n18 6363668\n## compile_fn aot_eager\n"
         "0 6468528\n9 6468528\n18 6468528\n## none\n0 6468528\n9 6468528\n18 6468528\n",
         " with inductor: 6357114 to 6363668 in 3 lines; not with no compiler, aot_eager"},
        {"backend: eager\nmemory_info().rss\n1000000\n2000000\n3000000\n",
         " with eager: 1000000 to 3000000 in 3 lines"},
        /* what a program needs for its first steps */
        {"rss 1 GB\nrss 2 GB\nrss 3 GB\nrss 3 GB\nrss 3 GB\nrss 3 GB\nrss 3 GB\n", ""},
        {"rss 1 GB\nrss 3 GB\nrss 2 GB\nrss 4 GB\n", ""},
        {"rss 1 GB\nrss 2 GB\n", ""},
        /* numbers of something else */
        {"131584\n197120\n262656\n", ""},
        {"memory_allocated()\n1\n2\n3\n", ""},
        {"step 1\nstep 2\nstep 3\n", ""},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_str(series_of_memory(a, str_of(cases[i].text)).message, cases[i].message);
    arena_free(a);
}

static void stages_of_compiling(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"Eager:\n1 0.3\n2 0.001\nCompile+aot_eager:\n1 0.9\n2 0.14\nCompile+inductor:\n1 5.1\n2 10.2\n3 20.4\n"
         "4 40.8\n",
         " in inductor, where each step doubles it: no compiler 0.001 s, aot_eager 0.14 s, inductor 40.8 s"},
        {"backend eager: 80 s\naot_eager: 84 s\ninductor: 90 s\n",
         ""}, /* the first stage of all: nothing is before it */
        {"uncompiled: 2 ms\nbackend eager: 80 s\naot_eager: 84 s\ninductor: 1.5 min\n",
         " in eager: no compiler 0.002 s, eager 80 s, aot_eager 84 s, inductor 90 s"},
        {"words alone\nuncompiled: 2 ms\ninductor: 9 ms\n", ""},
        {"inductor: 90 s\n", ""},
        {"I tried it with aot_eager (60 s), inductor: 3\n", ""},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_str(series_of_stages(a, str_of(cases[i].text)).message, cases[i].message);
    arena_free(a);
}

static void values_that_no_rounding_explains(void **state)
{
    static const struct {
        const char *text, *message;
        bool named;
    } cases[] = {
        {"eager: [1., 2.]\ncompiled:  [2., 4.]\n",
         ": 2. where eager mode has 1.; 2 of the 2 numbers shown differ, by up to 2", true},
        {"Inductor: [2.]\nEager: [1.]\n", ": 2. where eager mode has 1.", true},
        {"eager output: tensor([1., 2.])\ncompiled output: tensor([1., 4.])\n",
         ": 4. where eager mode has 2.; 1 of the 2 numbers shown differ", true},
        {"not compiled: tensor([[1., 2.],\n [3., 4.]])\ncompiled: tensor([[1., 3.],\n [2., 4.]])\n",
         ": 3. where eager mode has 2.; 2 of the 4 numbers shown differ, by up to 1: they are the same numbers in "
         "another order", true},
        {"eager: [1., 2.]\ncompiled: [2., 4.]\n",
         ": 2. where eager mode has 1.; 2 of the 2 numbers shown differ, by up to 2", false},
        {"eager: [1., 2.]\ncompiled: [1.001, 2.]\n", "", true},
        {"eager: [1., 2.]\neager: [2., 4.]\n", "", true}, /* of other inputs */
        {"eager: 1.\ncompiled: 2.\n", "", true},
        {"shop: [1.]\ntill: [2.]\n", "", true},
        {"tensor([1.])\ntensor([2.])\n", "", true}, /* nobody says that these are two sides */
        {"tensor([0., nan])\ntensor([0., 1.])\n",
         ": 1. where the other result has nan; 1 of the 2 numbers shown differ", false},
        {"eager tensor([-inf, 2.])\ncompiled tensor([1e3, 2.])\n",
         ": 1e3 where the other result has -inf; 1 of the 2 numbers shown differ", false},
        {"tensor(2.)\ntensor(3.)\n", ": 3. where the other result has 2.", false},
        {"f(torch.tensor([2.]))\nf(torch.tensor([4.]))\n", "", false}, /* the program's own code */
        {"tensor([[2.],\n [3.]])\ntensor([[2.],\n [9.]])\n", ": 9. where the other result has 3.; 1 of the 2 numbers "
         "shown differ", false},
        {"tensor([2., nan])\ntensor([2.0001, nan])\n", "", false},
        {"tensor([1e-5])\ntensor([3e-5])\n", "", false}, /* close to zero */
        {"tensor([2., 3.])\ntensor([4.])\n", "", false},
        {"x = tensor([2.])\ntensor([4.])\n", "", false}, /* an input */
        {"tensor([])\ntensor([])\n", "", false},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_str(printed_values(a, str_of(cases[i].text), cases[i].named).message, cases[i].message);
    arena_free(a);
}

static void processes_of_one_parent(void **state)
{
    struct arena *a = arena_new();
    struct str text = STR(""), of_user = STR("");
    struct series_found found;

    (void)state;
    for (int i = 0; i < 4; i++) {
        text = arena_printf(a, "%.*s 418%d 412 9 58:40 /opt/bin/python shop.py\n", STR_ARG(text), i);
        of_user = arena_printf(a, "%.*sroot  418%d 412 9 58:40 python shop.py\n", STR_ARG(of_user), i);
    }
    found = printed_processes(a, arena_printf(a, " 412 1 9 01:02 /opt/bin/python shop.py\n%.*s", STR_ARG(text)));
    assert_str(found.message, " 412: 4 processes");
    assert_str(str_take(str_trim(found.line), 4), "4180");
    assert_str(printed_processes(a, of_user).message, " 412: 4 processes");
    assert_str(printed_processes(a, STR("4180 412 9 58:40 python shop.py\n")).message, "");
    assert_str(printed_processes(a, STR("1 2\n1 2\n1 2\n1 2\n")).message, "");
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_that_rises),
        cmocka_unit_test(stages_of_compiling),
        cmocka_unit_test(values_that_no_rounding_explains),
        cmocka_unit_test(processes_of_one_parent),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
