/* Numbers that a program prints again and again, results one below the other, and lists of processes. */
#include "unit.h"

#include "torchlog/numbers/contrast.h"
#include "torchlog/numbers/flagged.h"
#include "torchlog/numbers/settings.h"
#include "torchlog/notes/printed.h"
#include "torchlog/notes/subject.h"

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
        {"n   eager  aot_eager  inductor\n1   0.001  0.03  0.2\n2   0.001  0.04  0.6\n3   0.001  0.05  1.8\n"
         "4   0.001  0.06  5.4\n",
         " in inductor, where each step takes about 3 times as long as the one before: eager 0.001 s, "
         "aot_eager 0.06 s, inductor 5.4 s"},
        {"| tills | aot_eager (ms) | inductor (ms) |\n|---|---|---|\n| 1 | 30 | 200 |\n| 2 | 40 | 400 |\n"
         "| 3 | 50 | 800 |\n| 4 | 60 | 1600 |\n",
         " in inductor, where each step doubles it: aot_eager 0.06 s, inductor 1.6 s"},
        /* twice the work takes twice the time */
        {"n eager aot_eager inductor\n8 0.1 0.2 2\n16 0.1 0.3 4\n32 0.1 0.4 8\n64 0.1 0.5 16\n",
         " in inductor: eager 0.1 s, aot_eager 0.5 s, inductor 16 s"},
        {"tills eager inductor\n1 9 9.1\n2 18 18.2\n3 36 36.1\n4 70 70.2\n", ""}, /* before Inductor */
        {"I tried it with aot_eager (60 s), inductor: 3\n", ""},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_str(series_of_stages(a, str_of(cases[i].text)).message, cases[i].message);
    arena_free(a);
}

static void pairs_of_times(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"us per call\nlog\neager: 300.25\ncompiled: 600.5\nrelu(x*3)\neager:    400\ncompiled: 100\n",
         ", for single functions, in 1 of 2 pairs: log 300 to 600 (2 times); faster: relu(x*3) 400 to 100 (4 "
         "times)"},
        {"till: eager 3 ms, compiled 9 ms\nshelf: eager 4 ms, compiled 4 ms\n",
         ", in 1 of 2 pairs: till 3 to 9 (3 times)"},
        {"| batch | eager ms | compiled ms |\n|---|---:|---:|\n| 1 | 2.0 | **3.0** |\n| 8 | 9 | 3 |\n",
         ", in 1 of 2 pairs: batch 1 2.0 to 3.0 (1.5 times); faster: batch 8 9 to 3 (3 times)"},
        {"made      run             eager ms  compiled ms\n-         -               2.0       1.0\n"
         "no_grad   inference_mode  2.0       8.0\n",
         ", with inference_mode, in 1 of 2 pairs: made no_grad, run inference_mode 2.0 to 8.0 (4 times); faster: "
         "made -, run - 2.0 to 1.0 (2 times)"},
        {"till: eager 3 ms, compiled 2 ms\nshelf: eager 4 ms, compiled 4 ms\n", ""}, /* none is slower */
        {"eager: 3 ms\ncompiled: 9 ms\n", ""},                                      /* of one thing */
        /* no times */
        {"till: eager 3 GB, compiled 9 GB\nshelf: eager 4 GB, compiled 8 GB\n", ""},
        {"| net | eager it/s | compiled it/s |\n| a | 2 | 3 |\n| b | 2 | 4 |\n", ""},
        {"till loss\neager: 3\ncompiled: 9\nshelf loss\neager: 3\ncompiled: 9\n", ""},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_str(contrast_pairs(a, str_of(cases[i].text)).message, cases[i].message);
    arena_free(a);
}

static void differences_that_stand_out(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"Two sales:\n  default: max_diff=1e-8 ok\n  graphs trees=False: max_diff=1e-8 ok\n  graphs trees=True: "
         "sum=0.5 max_diff=2.5 BUG\n",
         ": graphs trees=True: sum=0.5 max_diff=2.5 BUG; right with `trees=False`, `default` (`Two sales`)"},
        {"mode=default max abs diff: 1e-7\nmode=reduce-overhead max abs diff: 0.8 FAIL\n",
         ", only with CUDA graphs: mode=reduce-overhead max abs diff: 0.8 FAIL; right with `mode=default`"},
        {"mode=default  : max diff 1e-7  OK\nmode=reduce-overhead  : max diff 1.8e+00  WRONG\n",
         ", only with CUDA graphs: mode=reduce-overhead  : max diff 1.8e+00  WRONG; right with `mode=default`"},
        {"till 0 max diff: 1e-7\ntill 1 max diff: 0.5 <--\n", ": till 1 max diff: 0.5 <--; right with `till 0`"},
        {"till: max diff: 1e-7\nshelf: max diff: 2e-7\naisle: max diff: 0.5\n",
         ": aisle: max diff: 0.5; right with `till`, `shelf`"},
        {"till: max diff: 1e-7\nshelf: max diff: 2e-7\naisle: max diff: 1e-5\n", ""}, /* small as well */
        {"till: max diff: 1e-2\nshelf: max diff: 0.5\naisle: max diff: 0.1\n", ""},  /* all are large */
        {"till: max diff: 0.1 FAIL\nshelf: max diff: 0.5 FAIL\n", ""},
        {"max diff: 0.1\n", ""},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_str(flagged_difference(a, str_of(cases[i].text)).message, cases[i].message);
    arena_free(a);
}

static void compilers_at_work(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"  PID     ELAPSED %CPU COMMAND\n 4117    00:41:02 99.9 /usr/lib/gcc/x86_64-linux-gnu/12/cc1plus -quiet\n"
         " 4116    00:41:02  0.0 g++ /tmp/torchinductor_me/c1/c1.cpp -O3\n9120 /tmp/torchinductor_me/c1/c1.cpp\n",
         ": cc1plus, for 00:41:02, at one file of 9120 lines"},
        {"me 4117 99.9 12:30 ptxas -v /tmp/torchinductor_me/triton/k.ptx\n", ": ptxas, for 12:30, at one file"},
        {"4117 R 99.9 1:02 cc1plus /tmp/torchinductor_me/a.cpp\n4118 R 99.9 1:02 cc1plus /tmp/torchinductor_me/b.cpp\n",
         ": 2 processes of cc1plus"},
        {"4117 R 99.9 1:02 cc1plus /srv/shop.cpp\n", ""}, /* of something else */
        {"g++ /tmp/torchinductor_me/c1.cpp: error: no quokka\n", ""},
        {"4117 R 99.9 1:02 python /tmp/torchinductor_me/c1.py\n", ""},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_str(printed_compilers(a, str_of(cases[i].text)).message, cases[i].message);
    arena_free(a);
}

static void whole_words_of_subjects(void **state)
{
    (void)state;
    assert_str(subject_find(STR("till | inference_mode\nshelf | inference_mode\nIt is slow here.\n")).words,
               ", in a text on speed");
    assert_str(subject_find(STR("the loss is (inf) there\n")).words, ", in a text on results");
    assert_str(subject_find(STR("I use a till for using it\n")).words, "");
}

static void values_that_no_rounding_explains(void **state)
{
    static const struct {
        const char *text, *message;
        bool named;
    } cases[] = {
        {"eager: [1., 2.]\ncompiled:  [2., 4.]\n",
         ": 2. where eager mode has 1.; 2 of the 2 numbers shown differ, by up to 2: each is twice as much", true},
        {"Inductor: [2.]\nEager: [1.]\n", ": 2. where eager mode has 1.: twice as much", true},
        {"eager output: tensor([1., 2.])\ncompiled output: tensor([1., 4.])\n",
         ": 4. where eager mode has 2.; 1 of the 2 numbers shown differ", true},
        {"not compiled: tensor([[1., 2.],\n [3., 4.]])\ncompiled: tensor([[1., 3.],\n [2., 4.]])\n",
         ": 3. where eager mode has 2.; 2 of the 4 numbers shown differ, by up to 1: they are the same numbers in "
         "another order", true},
        {"eager: [1., 2.]\ncompiled: [2., 4.]\n",
         ": 2. where eager mode has 1.; 2 of the 2 numbers shown differ, by up to 2: each is twice as much", false},
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

static void times_that_are_equal(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"eager      12.41 ms\ncompiled   12.38 ms\n", ": 12.38, and 12.41 in eager mode"},
        {"eager  ms_per_iter 41.7  201 TF/s\ncompiled, early  ms_per_iter 41.8  200 TF/s\nFlopCounterMode\n",
         ", beside a dispatch mode: 41.8, and 41.7 in eager mode"},
        {"eager: 41.7 ms\ncompiled: 23.9 ms\ncompiled, early: 41.8 ms\n", ": 41.8, and 41.7 in eager mode"},
        {"eager: 41.7 ms\ncompiled: 23.9 ms\n", ""},
        {"| shop | eager (ms) | compiled (ms) |\n|---|---|---|\n| a | 41.7 | 41.8 |\n| b | 50.2 | 50.1 |\n",
         ": 41.8, and 41.7 in eager mode"},
        {"| shop | eager (ms) | compiled (ms) |\n|---|---|---|\n| a | 41.7 | 41.8 |\n| b | 50.2 | 30.1 |\n", ""},
        {"eager: 41.7 ms\ncompiled: 43.9 ms\n", ""},
        {"eager: 41.7 ms\ncompiled: 41.7 us\n", ""},
        {"eager: 1 s\ncompiled: 1 s\n", ""}, /* too few digits */
        {"eager: 41.7 GB\ncompiled: 41.7 GB\n", ""},
        {"eager: 41.7\ncompiled: 41.7\n", ""}, /* of what? */
        {"eager: 41.7 ms\ncompiled: 41.8 ms\neager: 80.1 ms\ncompiled: 60.2 ms\n", ""}, /* another function gains */
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_str(contrast_equal(a, str_of(cases[i].text)).message, cases[i].message);
    arena_free(a);
}

static void results_of_backends(void **state)
{
    static const struct {
        const char *text, *message;
        bool named;
    } cases[] = {
        {"eager    : [0, 7]\naot_eager: [0, 7]\ninductor : [7, 7]\n",
         " with inductor, and right with aot_eager: 7 where eager mode has 0; 1 of the 2 numbers shown differ", true},
        {"eager: [0, 7]\naot_eager: [7, 7]\ninductor: [7, 7]\n",
         " with aot_eager already: 7 where eager mode has 0; 1 of the 2 numbers shown differ", true},
        {"eager: [0, 7]\ninductor: [7, 7]\n", "", true}, /* nothing is known of the stages before Inductor */
        {"eager: [0, 7]\naot_eager: [0, 7]\ninductor: [0, 7]\n", "", true},
        {"eager: 0.5\naot_eager: 0.5\ninductor: 0.25\n", "", true},
        {"eager: 0.5\naot_eager: 0.5\ninductor: 0.25\n",
         " with inductor, and right with aot_eager: 0.25 where eager mode has 0.5: half of it", false},
        {"eager: [inf, 2.]\naot_eager: [inf, 2.]\ninductor: [70000., 2.]\n",
         ": 70000. where eager mode has inf; 1 of the 2 numbers shown differ: beyond float16", true},
        {"eager tensor([1.])\naot_eager tensor([1.])\ninductor tensor([3.])\n",
         " with inductor, and right with aot_eager: 3. where eager mode has 1.", true},
        {"backend=\"eager\": tensor([1.])\nbackend=\"inductor\": tensor([3.])\nwithout compile: tensor([1.])\n",
         " with inductor, and right with eager: 3. where eager mode has 1.", true},
        {"eager: 5 ms\naot_eager: 5 ms\ninductor: 2 ms\n", "", false}, /* times */
        {"print(sold(x))\n# output:\n# tensor([0, 3000000000,\n#         5], device='cuda:0')\n\n"
         "print(torch.compile(sold, backend=\"aot_eager\")(x))\n# tensor([0, 3000000000, 5], device='cuda:0')\n"
         "print(torch.compile(sold, backend=\"inductor\")(x))\n# tensor([0, -1294967296, 5], device='cuda:0')\n",
         " with inductor, and right with aot_eager: -1294967296 where eager mode has 3000000000; 1 of the 3 numbers "
         "shown differ: as if computed in 32 bits", true},
        {"eager: [-56., 7., 20.]\naot_eager: [-56., 7., 20.]\ninductor: [200., 7., 276.]\n",
         " with inductor, and right with aot_eager: 200. where eager mode has -56.; 2 of the 3 numbers shown differ: "
         "as if not kept in 8 bits", true},
        {"eager: [-56., 7., 300.]\naot_eager: [-56., 7., 300.]\ninductor: [200., 7., 556.]\n",
         " with inductor, and right with aot_eager: 200. where eager mode has -56.; 2 of the 3 numbers shown differ, "
         "by up to 256", true}, /* 300 has more than 8 bits */
        {"eager: [-32700.]\naot_eager: [-32700.]\ninductor: [32836.]\n",
         " with inductor, and right with aot_eager: 32836. where eager mode has -32700.: as if not kept in 16 bits",
         true},
        {"print(sold(x))\n# tensor([1.])\nprint(torch.compile(sold, backend='eager')(x))\n# tensor([2.])\n",
         " with eager already: 2. where eager mode has 1.: twice as much", true},
        {"print(till(x))\n# tensor([1.])\nprint(torch.compile(sold, backend='eager')(x))\n# tensor([2.])\n", "", true},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_str(printed_stages(a, str_of(cases[i].text), cases[i].named).message, cases[i].message);
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

/* "SETTINGS  NUMBER": parts of a row stand between commas, bars and plus signs, but not in parentheses. */
static void settings_that_are_wrong(void **state)
{
#define RIGHT "eager  1.5\n" "compile  1.5\n" "shop.checkpoint  1.5\n"
/* more columns than are kept */
#define MANY "  1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5\n"
    static const struct {
        const char *text, *found;
    } cases[] = {
        {RIGHT "compile + shop.checkpoint  0.0\n",
         ": 0 in 1 of 4 rows, those with `compile` and `shop.checkpoint` together"},
        {RIGHT "compile(backend='a', mode='b') + shop.checkpoint  0.0\n",
         ": 0 in 1 of 4 rows, those with `compile` and `shop.checkpoint` together"},
        {RIGHT "shop.checkpoint(policy=(a, b), c=d) & compile(f(x), y)  0.0\n",
         ": 0 in 1 of 4 rows, those with `shop.checkpoint` and `compile` together"},
        {RIGHT "compile(backend=\"eager\"), shop.checkpoint  nan\n",
         ": NaN in 1 of 4 rows, those with `compile` and `shop.checkpoint` together, also with `backend=\"eager\"`, "
         "before Inductor"},
        {RIGHT "amp) | compile  0.0\n", ": 0 in 1 of 4 rows, those with `amp)` and `compile` together"},
        {RIGHT "compile  0.0\n", ""},
        {"eager" MANY "compile" MANY "shop.checkpoint" MANY, ""},
        {RIGHT, ""},
        {"", ""},
    };
#undef RIGHT
#undef MANY
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_str(settings_wrong(a, str_of(cases[i].text)).message, cases[i].found);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_that_rises),
        cmocka_unit_test(stages_of_compiling),
        cmocka_unit_test(pairs_of_times),
        cmocka_unit_test(differences_that_stand_out),
        cmocka_unit_test(compilers_at_work),
        cmocka_unit_test(whole_words_of_subjects),
        cmocka_unit_test(values_that_no_rounding_explains),
        cmocka_unit_test(times_that_are_equal),
        cmocka_unit_test(results_of_backends),
        cmocka_unit_test(processes_of_one_parent),
        cmocka_unit_test(settings_that_are_wrong),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
