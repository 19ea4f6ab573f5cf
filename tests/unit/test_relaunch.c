/* What is put into the environment and onto the command line of a workload, for what is asked. */
#include "unit.h"

#include "relaunch/gpu/gpu_activity.h"
#include "relaunch/workload/command_line.h"
#include "relaunch/workload/preset.h"
#include "relaunch/workload/shell.h"
#include "relaunch/workload/what_if.h"

#include <stdlib.h>

static struct str value_of(const struct environment *e, const char *name)
{
    struct str value;

    return environment_get(e, str_of(name), &value) ? value : STR("(none)");
}

static void environments(void **state)
{
    struct environment e = {.arena = arena_new()};
    char **made;
    int found = 0;

    (void)state;
    setenv("PT2_TEST_OURS", "shell", 1);
    unsetenv("PT2_TEST_NEW");
    environment_default(&e, STR("PT2_TEST_OURS"), STR("default"));
    environment_default(&e, STR("PT2_TEST_NEW"), STR("default"));
    assert_str(value_of(&e, "PT2_TEST_OURS"), "shell");
    assert_str(value_of(&e, "PT2_TEST_NEW"), "default");
    environment_put_first(&e, STR("PT2_TEST_NEW"), STR("/dir"));
    assert_str(value_of(&e, "PT2_TEST_NEW"), "/dir:default");
    environment_unset(&e, STR("PT2_TEST_OURS"));
    assert_str(value_of(&e, "PT2_TEST_OURS"), "(none)");
    made = environment_make(&e);
    for (size_t i = 0; made[i]; i++) {
        assert_false(str_starts(str_of(made[i]), STR("PT2_TEST_OURS=")));
        found += str_eq(str_of(made[i]), STR("PT2_TEST_NEW=/dir:default"));
    }
    assert_int_equal(found, 1);
    environment_set(&e, STR("PT2_TEST_OURS"), STR(""));
    assert_str(value_of(&e, "PT2_TEST_OURS"), "");
    arena_free(e.arena);
}

static void shell_words(void **state)
{
    static const struct {
        const char *word, *typed;
    } cases[] = {{"train.py", "train.py"},  {"", "''"},           {"a b", "'a b'"},
                 {"it's", "'it'\\''s'"},    {"$HOME", "'$HOME'"}, {">=0:eager", "'>=0:eager'"},
                 {"--lr=1e-3", "--lr=1e-3"}};
    struct arena *a = arena_new();
    struct env_setting settings[] = {{.name = STR("A"), .value = STR("1 2")}, {.name = STR("B"), .unset = true}};
    const setting_list list = {.v = settings, .n = 2}, none = {0};
    const struct str words[] = {STR("python"), STR("x y.py")};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_str(shell_word(a, str_of(cases[i].word)), cases[i].typed);
    assert_str(shell_command(a, &list, words, 2), "env -u B A='1 2' python 'x y.py'");
    assert_str(shell_command(a, &none, words, 1), "python");
    arena_free(a);
}

static struct str line_of(struct arena *a, const char *command, enum workload_launcher launcher, int64_t ranks,
                          const char *python, bool *torchrun)
{
    struct workload w = workload_empty();
    struct command_line line;
    const setting_list none = {0};

    assert_true(workload_split(a, str_of(command), &w));
    w.launcher = launcher;
    w.ranks = ranks;
    line = command_line_make(a, &w, str_of(python));
    *torchrun = line.torchrun;
    return shell_command(a, &none, line.words.v, line.words.n);
}

static void command_lines(void **state)
{
    static const struct {
        const char *command, *python, *line;
        enum workload_launcher launcher;
        int64_t ranks;
        bool torchrun;
    } cases[] = {
        {"python x.py", "", "python x.py", LAUNCHER_NONE, 0, false},
        {"python x.py", "/v/bin/python", "/v/bin/python x.py", LAUNCHER_NONE, 0, false},
        {"./python_job.py", "/v/bin/python", "./python_job.py", LAUNCHER_NONE, 0, false},
        {"train.sh", "/v/bin/python", "train.sh", LAUNCHER_NONE, 0, false},
        {"torchrun --nproc-per-node 2 x.py", "", "torchrun --nproc-per-node 2 x.py", LAUNCHER_NONE, 0, true},
        {"torchrun x.py", "/v/bin/python", "/v/bin/python -m torch.distributed.run x.py", LAUNCHER_NONE, 0, true},
        {"python -u -m torch.distributed.run x.py", "", "python -u -m torch.distributed.run x.py", LAUNCHER_NONE, 0,
         true},
        {"python -m json.tool", "", "python -m json.tool", LAUNCHER_NONE, 0, false},
        {"python x.py --a", "", "python -m torch.distributed.run --standalone --nproc-per-node=4 x.py --a",
         LAUNCHER_TORCHRUN, 4, true},
        {"python -m pkg", "/v/python", "/v/python -m torch.distributed.run --standalone --nproc-per-node=2 -m pkg",
         LAUNCHER_TORCHRUN, 2, true},
        {"python -u x.py", "",
         "python -m torch.distributed.run --standalone --nproc-per-node=2 --no-python python -u x.py",
         LAUNCHER_TORCHRUN, 2, true},
        {"./x.sh", "", "python3 -m torch.distributed.run --standalone --nproc-per-node=1 --no-python ./x.sh",
         LAUNCHER_TORCHRUN, 0, true},
        {"python x.py", "/v/python", "mpirun -n 3 /v/python x.py", LAUNCHER_MPIRUN, 3, false},
        {"python x.py", "", "srun -n 8 python x.py", LAUNCHER_SRUN, 8, false},
    };
    struct arena *a = arena_new();
    bool torchrun;

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_str(line_of(a, cases[i].command, cases[i].launcher, cases[i].ranks, cases[i].python, &torchrun),
                   cases[i].line);
        assert_int_equal(torchrun, cases[i].torchrun);
    }
    arena_free(a);
}

/* PyTorch's own variables where the version has them; the hook for the rest. */
static void backends(void **state)
{
    const struct what_if eager = {.backend = STR("eager")}, inductor = {.backend = STR("inductor")},
                         none = {.backend = STR("none")}, dynamic = {.dynamic = DYNAMIC_FALSE};
    const struct target old = {0}, middle = {.bisect_backend = true},
                        new = {.bisect_backend = true, .override_backends = true};
    struct environment e = {.arena = arena_new()};

    (void)state;
    assert_false(what_if_apply(&eager, &new, &e));
    assert_str(value_of(&e, "TORCH_COMPILE_OVERRIDE_BACKENDS"), ">=0:eager");
    assert_false(what_if_apply(&inductor, &new, &e));
    assert_str(value_of(&e, "TORCH_BISECT_BACKEND"), "inductor");
    assert_false(what_if_apply(&eager, &middle, &e));
    assert_str(value_of(&e, "TORCH_BISECT_BACKEND"), "eager");
    assert_true(what_if_apply(&eager, &old, &e));
    assert_str(value_of(&e, "PT2TRACE_BACKEND"), "eager");
    assert_false(what_if_apply(&none, &new, &e));
    assert_str(value_of(&e, "TORCHDYNAMO_DISABLE"), "1");
    assert_true(what_if_apply(&dynamic, &new, &e));
    assert_str(value_of(&e, "PT2TRACE_DYNAMIC"), "false");
    assert_str(what_if_words(e.arena, &none), "without torch.compile");
    assert_str(what_if_words(e.arena, &dynamic), "dynamic false");
    arena_free(e.arena);
}

/* Only what the PyTorch found knows is asked for. */
static void logs_that_fit(void **state)
{
    struct arena *a = arena_new();
    struct target t = {.torch = STR("2.4.0"), .answered = true};
    const struct target silent = {0};

    (void)state;
    map_init(&t.logs, a);
    *map_at(&t.logs, STR("graph_breaks")) = &t;
    *map_at(&t.logs, STR("recompiles")) = &t;
    assert_str(preset_logs(a, preset_find(STR("breaks")), &t), "graph_breaks,recompiles");
    assert_str(preset_logs(a, preset_find(STR("cache")), &t),
               "graph_breaks,recompiles,torch._functorch._aot_autograd.autograd_cache,torch._inductor.codecache");
    assert_str(preset_logs(a, preset_find(STR("")), &silent), "");
    assert_null(preset_find(STR("why")));
    arena_free(a);
}

/* Variables of a question, but for those that the user set. */
static void settings_of_questions(void **state)
{
    struct environment e = {.arena = arena_new()};

    (void)state;
    environment_set(&e, STR("TORCHINDUCTOR_COMPILE_THREADS"), STR("8"));
    preset_apply(preset_find(STR("crash")), &e);
    assert_str(value_of(&e, "TORCHINDUCTOR_COMPILE_THREADS"), "8");
    assert_str(value_of(&e, "CUDA_LAUNCH_BLOCKING"), "1");
    arena_free(e.arena);
}

/* What each way of recording GPU activity puts into the environment and before the command. */
static void gpu_recorders(void **state)
{
    static const struct {
        const char *name, *variable, *begin;
        bool by_hook;
    } cases[] = {
        {"cupti", "PT2TRACE_GPU_DIR", "python x.py", false},
        {"kineto", "PT2TRACE_PROFILE", "python x.py", true},
        {"nsys", "", "nsys profile ", false},
    };
    struct arena *a = arena_new();
    const setting_list none = {0};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct environment e = {.arena = a};
        struct workload w = workload_empty();
        struct command_line line;
        enum gpu_recorder recorder;
        struct str words;

        assert_true(workload_split(a, STR("python x.py"), &w));
        line = command_line_make(a, &w, STR(""));
        assert_true(gpu_recorder_of(str_of(cases[i].name), &recorder));
        assert_int_equal(gpu_activity_apply(recorder, "/dir", &e, &line), cases[i].by_hook);
        words = shell_command(a, &none, line.words.v, line.words.n);
        assert_true(str_starts(words, str_of(cases[i].begin)) && str_ends(words, STR("python x.py")));
        assert_int_equal(str_has(words, STR("/dir/nsys")), !*cases[i].variable);
        if (*cases[i].variable)
            assert_str(value_of(&e, cases[i].variable), "/dir");
    }
    arena_free(a);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(environments), cmocka_unit_test(shell_words),
                                              cmocka_unit_test(command_lines), cmocka_unit_test(backends),
                                              cmocka_unit_test(logs_that_fit), cmocka_unit_test(settings_of_questions),
                                              cmocka_unit_test(gpu_recorders)};

    return RUN(tests);
}
