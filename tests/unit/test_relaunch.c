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

/* Each member alone: what it is in words, in the environment, and in which way two of them are joined. */
static void changes(void **state)
{
    static const struct {
        struct what_if w;
        const char *words, *variable, *value;
        bool hook;
    } cases[] = {
        {{.backend = STR_INIT("eager")}, "backend eager", "PT2TRACE_BACKEND", "eager", true},
        {{.backend = STR_INIT("none")}, "without torch.compile", "TORCHDYNAMO_DISABLE", "1", false},
        {{.mode = STR_INIT("default")}, "mode default", "PT2TRACE_MODE", "default", true},
        {{.dynamic = DYNAMIC_NONE}, "dynamic none", "PT2TRACE_DYNAMIC", "none", true},
        {{.dynamic = DYNAMIC_TRUE}, "dynamic true", "PT2TRACE_DYNAMIC", "true", true},
        {{.fullgraph = true}, "fullgraph", "PT2TRACE_FULLGRAPH", "1", true},
        {{.recompile_limit = 7}, "recompile limit 7", "PT2TRACE_RECOMPILE_LIMIT", "7", true},
        {{.disable = STR_INIT("a.f")}, "a.f left to eager", "PT2TRACE_DISABLE", "a.f", true},
        {{.config = STR_INIT("a.b=1")}, "a.b=1", "PT2TRACE_CONFIG", "a.b=1", true},
    };
    const struct what_if nothing = {0},
                         all = {STR("aot_eager"), STR("max-autotune"), DYNAMIC_FALSE, true, 3,
                                STR("b.g"),       STR("c.d=2")};
    const struct target old = {0};
    struct arena *a = arena_new();
    struct environment none = {.arena = a};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct environment e = {.arena = a};
        struct what_if under = what_if_join(&cases[i].w, &nothing), over = what_if_join(&nothing, &cases[i].w),
                       both = what_if_join(&all, &cases[i].w), same = what_if_join(&both, &cases[i].w);

        assert_int_equal(what_if_apply(&cases[i].w, &old, &e), cases[i].hook);
        assert_int_equal(e.list.n, 1);
        assert_str(value_of(&e, cases[i].variable), cases[i].value);
        assert_str(what_if_words(a, &cases[i].w), cases[i].words);
        assert_str(what_if_words(a, &under), cases[i].words);
        assert_str(what_if_words(a, &over), cases[i].words);
        assert_true(str_has(what_if_words(a, &both), str_of(cases[i].words)));
        assert_same(what_if_words(a, &same), what_if_words(a, &both));
    }
    assert_str(what_if_words(a, &all), "backend aot_eager, mode max-autotune, dynamic false, fullgraph, "
                                       "recompile limit 3, b.g left to eager, c.d=2");
    assert_str(what_if_words(a, &nothing), "");
    assert_false(what_if_apply(&nothing, &old, &none));
    assert_int_equal(none.list.n, 0);
    arena_free(a);
}

/* Words before others, and where the words of each rank begin after that. */
static void inserted(void **state)
{
    static const struct {
        size_t at;
        const char *line;
        size_t rank_at;
    } cases[] = {
        {0, "x y mpirun -n 2 python z.py", 5},
        {2, "mpirun -n x y 2 python z.py", 5},
        {3, "mpirun -n 2 x y python z.py", 3},
        {5, "mpirun -n 2 python z.py x y", 3},
    };
    const struct str words[] = {STR("x"), STR("y")};
    const setting_list none = {0};
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct workload w = workload_empty();
        struct command_line c;
        const char *const *argv;

        assert_true(workload_split(a, STR("python z.py"), &w));
        w.launcher = LAUNCHER_MPIRUN;
        w.ranks = 2;
        c = command_line_make(a, &w, STR(""));
        assert_int_equal(c.rank_at, 3);
        command_line_insert(a, &c, cases[i].at, words, 2);
        assert_str(shell_command(a, &none, c.words.v, c.words.n), cases[i].line);
        assert_int_equal(c.rank_at, cases[i].rank_at);
        argv = command_line_argv(a, &c);
        assert_string_equal(argv[6], i == 3 ? "y" : "z.py");
        assert_null(argv[7]);
    }
    arena_free(a);
}

static void pythons(void **state)
{
    static const struct {
        const char *word;
        bool is;
    } cases[] = {{"python", true},   {"python3", true},          {"python3.11", true}, {"/usr/bin/python", true},
                 {"pypy3", false},   {"python.py", false},       {"x/my_python", false}, {"torchrun", false},
                 {"", false},        {"/opt/python3/run", false}};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        if (command_is_python(str_of(cases[i].word)) != cases[i].is)
            fail_msg("%s", cases[i].word);
}

/* The first directory of its PATH that has it. */
static void programs_of_a_path(void **state)
{
    static const struct {
        const char *path, *name, *found;
    } cases[] = {{"/nowhere:/bin:/usr/bin", "sh", "/bin/sh"},
                 {"/bin", "sh", "/bin/sh"},
                 {"::/bin", "sh", "/bin/sh"},
                 {"/nowhere", "sh", ""},
                 {"", "sh", ""},
                 {"/bin", "no-such-program", ""}};
    struct environment e = {.arena = arena_new()};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        environment_set(&e, STR("PATH"), str_of(cases[i].path));
        assert_str(environment_find_program(&e, str_of(cases[i].name)), cases[i].found);
    }
    environment_unset(&e, STR("PATH"));
    assert_str(environment_find_program(&e, STR("sh")), "");
    arena_free(e.arena);
}

/* What each question asks for; a PyTorch that knows all logs. */
static void questions(void **state)
{
    static const struct {
        const char *question, *settings;
        enum caches caches;
    } cases[] = {
        {"", "", CACHES_AS_IS},
        {"breaks", "", CACHES_AS_IS},
        {"recompiles", "TORCHDYNAMO_EXTENDED_ADVICE=1", CACHES_AS_IS},
        {"errors", "TORCHDYNAMO_VERBOSE=1 TORCHINDUCTOR_COMPILE_THREADS=1", CACHES_COLD},
        {"slow-compile", "", CACHES_COLD},
        {"accuracy", "TORCHINDUCTOR_COMPILE_THREADS=1 TORCH_DYNAMO_AUTOMATIC_DYNAMIC_LOCAL_PGO=0", CACHES_COLD},
        {"crash",
         "CUDA_LAUNCH_BLOCKING=1 PYTORCH_NO_CUDA_MEMORY_CACHING=1 TORCHINDUCTOR_NAN_ASSERTS=1 "
         "TORCHINDUCTOR_COMPILE_THREADS=1 TORCHINDUCTOR_UNIQUE_KERNEL_NAMES=1",
         CACHES_COLD},
        {"cache", "", CACHES_WARM},
        {"kernels", "INDUCTOR_PROVENANCE=1 TORCHINDUCTOR_UNIQUE_KERNEL_NAMES=1 LOG_TLPARSE=1", CACHES_COLD},
    };
    struct arena *a = arena_new();
    const struct str nothing[] = {STR("")};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct preset *p = preset_find(str_of(cases[i].question));
        struct environment e = {.arena = a};

        assert_non_null(p);
        assert_int_equal(p->caches, cases[i].caches);
        preset_apply(p, &e);
        assert_str(shell_command(a, &e.list, nothing, 0), cases[i].settings);
    }
    arena_free(a);
}

static void recorders(void **state)
{
    static const char *const names[] = {"", "cupti", "kineto", "nsys"};
    enum gpu_recorder recorder;

    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        assert_true(gpu_recorder_of(str_of(names[i]), &recorder));
        assert_int_equal(recorder, i);
    }
    assert_false(gpu_recorder_of(STR("kinto"), &recorder));
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
                                              cmocka_unit_test(gpu_recorders), cmocka_unit_test(changes),
                                              cmocka_unit_test(inserted), cmocka_unit_test(pythons),
                                              cmocka_unit_test(programs_of_a_path), cmocka_unit_test(questions),
                                              cmocka_unit_test(recorders)};

    return RUN(tests);
}
