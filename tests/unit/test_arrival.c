/* What the hook reports of a launch, and whether what was asked of the program arrived there. */
#include "temp.h"

#include "relaunch/trial/arrival.h"

static struct hook_report read_report(struct arena *a, const char *text)
{
    struct hook_report report;

    hook_report_read(a, temp_write("hook.jsonl", str_of(text)), &report);
    return report;
}

static void processes(void **state)
{
    struct arena *a = arena_new();
    struct hook_report r = read_report(
        a, "{\"torch\": \"2.13.0\", \"executable\": \"/v/python\", \"trace\": \"/t\", \"pid\": 7, \"tool\": true}\n"
           "no JSON\n"
           "{\"torch\": \"2.13.1\", \"pid\": 8, \"rank\": 3, \"attempt\": 2, \"forked\": true}\n"
           "{\"torch\": \"2.13.2\", \"pid\": 9, \"rank\": 0, \"settings\": {\"A\": \"1\", \"B\": null}}\n");
    const struct hook_process *p = r.processes.v;

    (void)state;
    assert_int_equal(r.processes.n, 3);
    assert_str(p[0].torch, "2.13.0");
    assert_str(p[0].executable, "/v/python");
    assert_str(p[0].trace, "/t");
    assert_int_equal(p[0].rank, -1);
    assert_true(p[0].tool && !p[0].forked);
    assert_true(p[1].forked && !p[1].tool);
    assert_int_equal(p[1].rank, 3);
    assert_int_equal(p[1].attempt, 2);
    assert_int_equal(p[2].rank, 0);
    assert_int_equal(p[2].settings.n, 2);
    assert_str(p[2].settings.v[0].value, "1");
    assert_true(!p[2].settings.v[0].unset && p[2].settings.v[1].unset);
    assert_ptr_equal(hook_report_main(&r), &p[2]);
    assert_ptr_equal(hook_report_find(&r, 8), &p[1]);
    assert_null(hook_report_find(&r, 10));
    hook_report_read(a, temp_path("none"), &r);
    assert_int_equal(r.processes.n, 0);
    assert_null(hook_report_main(&r));
    arena_free(a);
}

static void calls(void **state)
{
    struct arena *a = arena_new();
    struct hook_report r = read_report(
        a, "{\"call\": 1, \"given\": {\"backend\": \"eager\", \"mode\": \"default\", \"dynamic\": false}}\n"
           "{\"call\": 1, \"given\": {\"dynamic\": true}, \"options\": true, \"changed\": {\"mode\": \"x\"}}\n"
           "{\"refused\": \"why\"}\n{\"patched\": \"name\"}\n{\"run\": \"/inner\"}\n");

    (void)state;
    assert_int_equal(r.processes.n, 0);
    assert_int_equal(r.calls.n, 2);
    assert_str(r.calls.v[0].backend, "eager");
    assert_str(r.calls.v[0].mode, "default");
    assert_str(r.calls.v[0].dynamic, "false");
    assert_true(!r.calls.v[0].options && !r.calls.v[0].changed);
    assert_str(r.calls.v[1].dynamic, "true");
    assert_str(r.calls.v[1].backend, "");
    assert_true(r.calls.v[1].options && r.calls.v[1].changed);
    assert_int_equal(r.refused.n, 1);
    assert_str(r.refused.v[0], "why");
    assert_int_equal(r.patched.n, 1);
    assert_str(r.patched.v[0], "name");
    assert_str(r.inner, "/inner");
    arena_free(a);
}

static void stacks(void **state)
{
    struct arena *a = arena_new();
    struct trial t = {0};
    const char *dir = temp_path("stacks");

    (void)state;
    assert_int_equal(mkdir(dir, 0700), 0);
    temp_write("stacks/20.txt", STR("twenty"));
    temp_write("stacks/3.txt", STR("three"));
    temp_write("stacks/4.txt", STR(""));
    temp_write("stacks/5.log", STR("no stack"));
    temp_write("stacks/x.txt", STR("no process"));
    assert_int_equal(hook_stacks_read(a, dir, &t), 3);
    assert_int_equal(t.stacks.n, 2);
    assert_int_equal(t.stacks.v[0].pid, 3);
    assert_str(t.stacks.v[0].text, "three");
    assert_int_equal(t.stacks.v[1].pid, 20);
    assert_false(temp_exists(temp_path("stacks/4.txt")));
    assert_true(temp_exists(temp_path("stacks/3.txt")));
    unlink(temp_path("stacks/20.txt"));
    unlink(temp_path("stacks/3.txt"));
    unlink(temp_path("stacks/5.log"));
    unlink(temp_path("stacks/x.txt"));
    assert_int_equal(hook_stacks_read(a, dir, &t), 0);
    assert_false(temp_exists(dir)); /* nothing is left of it */
    assert_int_equal(hook_stacks_read(a, dir, &t), 0);
    arena_free(a);
}

static void lines_once(void **state)
{
    struct arena *a = arena_new();
    const char *path = temp_write("lines", STR("a\n\nb\na\nc\nd"));
    hook_lines lines;

    (void)state;
    hook_lines_read(a, path, 3, &lines);
    assert_int_equal(lines.n, 3);
    assert_str(lines.v[1], "b");
    assert_str(lines.v[2], "c");
    hook_lines_read(a, path, 10, &lines);
    assert_int_equal(lines.n, 4);
    hook_lines_read(a, temp_path("none"), 10, &lines);
    assert_int_equal(lines.n, 0);
    arena_free(a);
}

static struct workload workload_of(struct arena *a, const char *command)
{
    struct workload w = workload_empty();

    assert_true(workload_split(a, str_of(command), &w));
    w.directory = str_of(temp_dir());
    return w;
}

/* Begins of the sentences. */
static void ways_in(void **state)
{
    static const char any[] = "Something between pt2trace and the program's Python drops PYTHONPATH";
    static const struct {
        const char *command, *begin;
    } cases[] = {
        {"python x.py", any},
        {"python -I x.py", "`-I` makes Python ignore PYTHONPATH"},
        {"python -uE x.py", "`-uE` makes"},
        {"python -B -S x.py", "`-S` makes"},
        {"python -m I", any},
        {"python -cI", any},
        {"python -WI x.py", any},
        {"python -Xdev=I x.py", any},
        {"python --IES x.py", any},
        {"python x.py -I", any},
        {"tool -I x.py", any},
        {"sudo python x.py", "`sudo` starts the program in another environment"},
        {"/usr/bin/env python x.py", "`/usr/bin/env` starts the program"},
        {"bash keeps.sh", any},
        {"bash sets.sh", "sets.sh:2 sets PYTHONPATH and drops"},
        {"bash exports.sh", "exports.sh:1 sets"},
        {"bash unsets.sh", "unsets.sh:3 sets"},
        {"bash none.sh", any},
        {"bash sets.sh exports.sh", "sets.sh:2 sets"},
        {"sudo python -I sets.sh", "`-I` makes"}, /* the nearest to the program first */
        {"sudo bash sets.sh", "sets.sh:2 sets"},
    };
    struct arena *a = arena_new();

    (void)state;
    temp_write("keeps.sh", STR("export PYTHONPATH=/a:$PYTHONPATH\nPYTHONPATH=/a:${PYTHONPATH:-}\nX=1\n"));
    temp_write("sets.sh", STR("#!/bin/sh\n  PYTHONPATH=/a\n"));
    temp_write("exports.sh", STR("export  PYTHONPATH=/a\n"));
    temp_write("unsets.sh", STR("\n\nunset PYTHONPATH\n"));
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct workload w = workload_of(a, cases[i].command);
        struct str way = arrival_way(a, &w);

        if (!str_starts(way, str_of(cases[i].begin)))
            fail_msg("%s: %.*s", cases[i].command, STR_ARG(way));
    }
    arena_free(a);
}

#define PROCESS "{\"torch\": \"2\", \"pid\": 7, \"settings\": {\"A\": \"1\"}}\n"
#define TOOL "{\"torch\": \"2\", \"pid\": 7, \"tool\": true, \"settings\": {\"A\": \"3\"}}\n"
#define CALL "{\"call\": 1, \"changed\": {}}\n"
#define CHANGED "{\"call\": 1, \"changed\": {\"mode\": \"x\"}}\n"
#define NO_HOOK "The program's Python did not load pt2trace's hook from PYTHONPATH. Something"
#define NO_SOURCE "`f.py` was not read as a file of Python source while the program ran."

/* Begins of the sentences; "" where all arrived. */
static void problems(void **state)
{
    static const struct {
        struct arrival arrival;
        struct env_setting asked;
        struct arrival_patch patch;
        uint64_t traced;
        const char *report, *begin;
    } cases[] = {
        {.report = "", .begin = ""},
        {.report = PROCESS, .asked = {.name = STR_INIT("A"), .value = STR_INIT("1")}, .begin = ""},
        {.report = PROCESS, .asked = {.name = STR_INIT("B"), .value = STR_INIT("2")}, .begin = ""},
        {.report = PROCESS,
         .asked = {.name = STR_INIT("A"), .value = STR_INIT("2")},
         .begin = "A is `1` in the program, but should be `2`: "},
        {.report = PROCESS,
         .asked = {.name = STR_INIT("A"), .unset = true},
         .begin = "A is `1` in the program, but should be not set: "},
        {.report = TOOL, .asked = {.name = STR_INIT("A"), .value = STR_INIT("2")}, .begin = ""},
        {.report = "", .arrival = {.by_hook = true}, .begin = NO_HOOK},
        {.report = PROCESS, .arrival = {.by_hook = true}, .begin = ""},
        {.report = PROCESS, .arrival = {.by_hook = true}, .traced = 7, .begin = ""},
        {.report = PROCESS, .arrival = {.by_hook = true}, .traced = 8, .begin = NO_HOOK},
        {.report = PROCESS,
         .arrival = {.by_hook = true, .of_calls = true},
         .traced = 7,
         .begin = "Something was compiled, but not by a call of torch.compile"},
        {.report = PROCESS, .arrival = {.by_hook = true, .of_calls = true}, .begin = ""},
        {.report = PROCESS CALL, .arrival = {.by_hook = true, .of_calls = true}, .traced = 7, .begin = ""},
        {.report = PROCESS CALL "{\"refused\": \"PT2TRACE_MODE: not for eager\"}\n{\"refused\": \"no more\"}\n",
         .arrival = {.by_hook = true, .of_calls = true},
         .traced = 7,
         .begin = "not for eager. no more."},
        {.report = PROCESS CHANGED "{\"refused\": \"PT2TRACE_MODE: not for eager\"}\n",
         .arrival = {.by_hook = true, .of_calls = true},
         .traced = 7,
         .begin = ""},
        {.report = PROCESS CHANGED "{\"refused\": \"PT2TRACE_DISABLE: no function f\"}\n",
         .arrival = {.by_hook = true, .of_calls = true},
         .traced = 7,
         .begin = "no function f."},
        {.report = PROCESS,
         .arrival = {.by_hook = true},
         .patch = {.name = STR_INIT("one"), .file = STR_INIT("f.py")},
         .begin = NO_SOURCE},
        {.report = PROCESS,
         .arrival = {.by_hook = true},
         .patch = {.name = STR_INIT("one")},
         .begin = "Nothing was compiled, so the setting was not applied."},
        {.report = PROCESS "{\"patched\": \"two\"}\n",
         .arrival = {.by_hook = true},
         .patch = {.name = STR_INIT("one"), .file = STR_INIT("f.py")},
         .begin = NO_SOURCE},
        {.report = PROCESS "{\"patched\": \"one\"}\n",
         .arrival = {.by_hook = true},
         .patch = {.name = STR_INIT("one"), .file = STR_INIT("f.py")},
         .begin = ""},
    };
    struct arena *a = arena_new();
    struct workload w = workload_of(a, "python x.py");

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct hook_report report = read_report(a, cases[i].report);
        struct arrival arrival = cases[i].arrival;
        struct str problem;

        if (cases[i].asked.name.n)
            vec_push(a, &arrival.settings, cases[i].asked);
        if (cases[i].patch.name.n)
            vec_push(a, &arrival.patches, cases[i].patch);
        if (cases[i].traced)
            vec_push(a, &arrival.traced, cases[i].traced);
        problem = arrival_problem(a, &w, &arrival, &report);
        if (!str_starts(problem, str_of(cases[i].begin)) || (problem.n && !*cases[i].begin))
            fail_msg("case %zu: %.*s", i, STR_ARG(problem));
    }
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processes), cmocka_unit_test(calls),   cmocka_unit_test(stacks),
        cmocka_unit_test(lines_once), cmocka_unit_test(ways_in), cmocka_unit_test(problems),
    };

    return RUN(tests);
}
