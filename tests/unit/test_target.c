/* The Python that a workload runs under: which word of the command is one, and what it says when it is asked. */
#include "temp.h"

#include "relaunch/workload/target.h"

#include <errno.h>
#include <signal.h>

static void make_program(const char *name, const char *text)
{
    assert_int_equal(chmod(temp_write(name, str_of(text)), 0755), 0);
}

static void which_python(void **state)
{
    static const struct {
        const char *name, *text;
    } programs[] = {
        {"python3", ""},
        {"pypy", ""},
        {"python-job.py", "#!/usr/bin/env python3.12\n"},
        {"torchrun", "#!/opt/venv/bin/python -u\nimport torch\n"},
        {"by-env", "#!/usr/bin/env python3\n"},
        {"spaced", "#!  /usr/bin/env   pypy3  \n"},
        {"other-shell", "#!/bin/sh\nexec python3 train.py\n"},
        {"no-shebang", "/opt/venv/bin/python\n"},
        {"no-line-end", "#!/v/python"},
        {"only-two", "#!"},
        {"nothing", ""},
    };
    static const struct {
        const char *command, *python;
    } cases[] = {
        {"python3 train.py", "python3"},
        {"./python3 train.py", "./python3"},
        {"pypy x", "pypy"},
        {"python3.9 train.py", ""}, /* not on PATH */
        {"nice python3 train.py", "python3"},
        {"train.py", ""},
        {"not-executable.py", ""},
        {"python-job.py", "python3.12"},
        {"torchrun x.py", "/opt/venv/bin/python"},
        {"torchrun python3", "/opt/venv/bin/python"}, /* the first that is one */
        {"./by-env", "python3"},
        {"by-env", "python3"},
        {"spaced", "pypy3"},
        {"other-shell", ""},
        {"other-shell python3", "python3"},
        {"no-shebang", ""},
        {"no-line-end", "/v/python"},
        {"only-two", ""},
        {"nothing", ""},
        {"long", ""}, /* the kernel does not read so much, either */
    };
    struct arena *a = arena_new();
    struct environment e = {.arena = a};

    (void)state;
    for (size_t i = 0; i < COUNT(programs); i++)
        make_program(programs[i].name, programs[i].text);
    make_program("long", arena_printf(a, "#!%600s/python\n", "/a").p);
    temp_write("not-executable.py", STR("#!/usr/bin/env python3\n"));
    environment_set(&e, STR("PATH"), str_of(temp_dir()));
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct workload w = workload_empty();

        assert_true(workload_split(a, str_of(cases[i].command), &w));
        w.directory = str_of(temp_dir());
        assert_str(target_find_python(a, &w, &e), cases[i].python);
    }
    arena_free(a);
}

static struct target ask(struct arena *a, const char *script)
{
    struct environment e = {.arena = a};
    struct target t;

    make_program("asked", arena_printf(a, "#!/bin/sh\n%s\n", script).p);
    environment_set(&e, STR("PT2_TEST_SET"), STR("set"));
    environment_set(&e, STR("TORCH_LOGS"), STR("no-such-log"));
    environment_set(&e, STR("TORCH_TRACE"), STR("/trace"));
    assert_int_equal(target_ask(a, str_of(temp_path("asked")), &e, temp_dir(), &t), 0);
    unlink(temp_path("python.out"));
    unlink(temp_path("python.err"));
    assert_str(t.python, temp_path("asked"));
    return t;
}

static void answer(void **state)
{
    struct arena *a = arena_new();
    struct target t = ask(a, "echo \"a line of the user's\"\n"
                             "echo 'pt2trace:{\"version\": \"3.11.7\", \"executable\": \"/v/python\", "
                             "\"torch\": \"2.13.0\", \"torch_failure\": \"no\", "
                             "\"cuda\": \"'$PT2_TEST_SET-$TORCH_LOGS-$TORCH_TRACE'\", "
                             "\"override\": true, \"bisect\": true, \"logs\": [\"dynamo\", \"inductor\"], "
                             "\"subsystems\": [[\"aot\", \"BisectSubsystem\", \"decomposition\"], [\"odd\"], "
                             "[\"inductor\", \"ConfigChange\", \"inductor\", \"fallback_random\", \"True\"]]}'\n"
                             "echo another line");

    (void)state;
    assert_true(t.answered);
    assert_str(t.failure, "");
    assert_str(t.version, "3.11.7");
    assert_str(t.executable, "/v/python");
    assert_str(t.torch, "2.13.0");
    assert_str(t.torch_failure, "no");
    assert_str(t.cuda, "set--"); /* the user's variables, but for those that would break the question */
    assert_true(t.override_backends && t.bisect_backend);
    assert_true(target_knows_log(&t, STR("dynamo")) && target_knows_log(&t, STR("inductor")));
    assert_false(target_knows_log(&t, STR("aot")));
    assert_int_equal(t.subsystems.n, 2);
    assert_str(t.subsystems.v[0].backend, "aot");
    assert_str(t.subsystems.v[0].name, "decomposition");
    assert_str(t.subsystems.v[0].config, "");
    assert_str(t.subsystems.v[1].name, "inductor_fallback_random");
    assert_str(t.subsystems.v[1].config, "fallback_random");
    assert_str(t.subsystems.v[1].value, "True");
    t = ask(a, "echo; echo 'pt2trace:{}'");
    assert_true(t.answered && !t.override_backends && !t.bisect_backend);
    assert_str(t.torch, "");
    arena_free(a);
}

static void no_answer(void **state)
{
    static const struct {
        const char *script, *why;
    } cases[] = {
        {"exit 3", "it ended with status 3 without an answer"},
        {"echo 'pt2trace:{}'", "it ended with status 0 without an answer"}, /* the mark begins a line after the first */
        {"echo; echo 'pt2trace:{'", "it ended with status 0 without an answer"},
        {"kill -9 $$", "it was ended by signal 9"},
    };
    struct arena *a = arena_new();
    const struct environment e = {.arena = a};
    struct target t;

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        t = ask(a, cases[i].script);
        assert_false(t.answered);
        assert_str(t.failure, cases[i].why);
        assert_int_equal(t.interrupted, 0);
    }
    assert_int_equal(target_ask(a, STR("/there/is/none"), &e, temp_dir(), &t), 0);
    assert_str(t.failure, "it cannot be started: No such file or directory");
    assert_int_equal(target_ask(a, STR("sh"), &e, "/there/is/none", &t), -ENOENT);
    arena_free(a);
}

/* Ctrl-C while it is asked. */
static void interrupted(void **state)
{
    struct arena *a = arena_new();
    struct target t = ask(a, arena_printf(a, "kill -INT %ld; sleep 10", (long)getpid()).p);

    (void)state;
    assert_int_equal(t.interrupted, SIGINT);
    assert_false(t.answered);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(which_python),
        cmocka_unit_test(answer),
        cmocka_unit_test(no_answer),
        cmocka_unit_test(interrupted),
    };

    signal(SIGINT, SIG_DFL); /* nohup and background shells ignore it */
    return RUN(tests);
}
