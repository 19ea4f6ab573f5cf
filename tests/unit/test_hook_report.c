/* What the hook reports of a launch: each line, and lines that no hook wrote. */
#include "temp.h"

#include "relaunch/trial/hook_report.h"

#include <string.h>

static struct arena *arena;

static struct str add(struct str s, struct str more)
{
    return arena_printf(arena, "%.*s%s%.*s", STR_ARG(s), s.n ? " | " : "", STR_ARG(more));
}

static struct str process_text(const struct hook_process *p)
{
    struct str s = arena_printf(arena, "process %lld rank %lld attempt %lld torch %.*s by %.*s trace %.*s%s%s",
                                (long long)p->pid, (long long)p->rank, (long long)p->attempt, STR_ARG(p->torch),
                                STR_ARG(p->executable), STR_ARG(p->trace), p->tool ? " tool" : "",
                                p->forked ? " forked" : "");

    vec_each(const struct env_setting, x, &p->settings) s =
        arena_printf(arena, "%.*s %s%.*s=%.*s", STR_ARG(s), x->unset ? "-" : "", STR_ARG(x->name), STR_ARG(x->value));
    return s;
}

/* All that was read, in one text. */
static struct str text_of(const struct hook_report *r)
{
    struct str s = STR("");

    vec_each(const struct hook_process, p, &r->processes) s = add(s, process_text(p));
    vec_each(const struct hook_call, c, &r->calls) s =
        add(s, arena_printf(arena, "call %.*s,%.*s,%.*s%s%s", STR_ARG(c->backend), STR_ARG(c->mode),
                            STR_ARG(c->dynamic), c->options ? " options" : "", c->changed ? " changed" : ""));
    vec_each(const struct str, x, &r->patched) s = add(s, arena_printf(arena, "patched %.*s", STR_ARG(*x)));
    vec_each(const struct str, x, &r->refused) s = add(s, arena_printf(arena, "refused %.*s", STR_ARG(*x)));
    return r->inner.n ? add(s, arena_printf(arena, "inner %.*s", STR_ARG(r->inner))) : s;
}

static void lines(void **state)
{
    static const struct {
        const char *lines, *text;
    } cases[] = {
        {"", ""},
        {"{\"torch\": \"2.6.0\", \"pid\": 7}", "process 7 rank -1 attempt 0 torch 2.6.0 by  trace "},
        {"{\"torch\": \"2.6.0\", \"pid\": 7, \"rank\": 3, \"attempt\": 1, \"executable\": \"/py\", \"trace\": \"/t\", "
         "\"tool\": true, \"forked\": true, \"settings\": {\"A\": \"1\", \"B\": null}}",
         "process 7 rank 3 attempt 1 torch 2.6.0 by /py trace /t tool forked A=1 -B="},
        {"{\"torch\": \"2\", \"pid\": 1, \"settings\": 3}\n{\"torch\": \"2\", \"pid\": 2}\n",
         "process 1 rank -1 attempt 0 torch 2 by  trace  | process 2 rank -1 attempt 0 torch 2 by  trace "},
        {"{\"call\": 1}", "call ,,"},
        {"{\"call\": 1, \"given\": {\"backend\": \"eager\", \"mode\": \"default\", \"dynamic\": true}, "
         "\"options\": true, \"changed\": {\"mode\": 1}}",
         "call eager,default,true options changed"},
        {"{\"call\": 1, \"given\": {\"backend\": 3, \"dynamic\": false}, \"changed\": {}}", "call ,,false"},
        {"{\"patched\": \"1\"}\n{\"patched\": \"2\"}", "patched 1 | patched 2"},
        {"{\"refused\": \"no such setting\"}", "refused no such setting"},
        {"{\"run\": \"/a\"}\n{\"run\": \"/b\"}", "inner /b"},
        {"{\"run\": \"/a\", \"refused\": \"x\", \"patched\": \"y\", \"call\": 1, \"torch\": \"2\"}", "inner /a"},
        {"{\"refused\": \"x\", \"patched\": \"y\", \"call\": 1, \"torch\": \"2\"}", "refused x"},
        {"{\"patched\": \"y\", \"call\": 1, \"torch\": \"2\"}", "patched y"},
        {"{\"call\": 1, \"torch\": \"2\"}", "call ,,"},
        {"{}\nnot JSON\n[1]\n{\"torch\": \"2\", \"pid\"\n{\"patched\": \"1\"}", "patched 1"},
    };

    (void)state;
    arena = arena_new();
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct hook_report r;

        hook_report_read(arena, temp_write("report", str_of(cases[i].lines)), &r);
        assert_str(text_of(&r), cases[i].text);
    }
    arena_free(arena);
}

static void no_report(void **state)
{
    struct hook_report r = {.pythons = 3};

    (void)state;
    arena = arena_new();
    hook_report_read(arena, temp_path("nowhere"), &r);
    assert_int_equal(r.pythons + r.processes.n + r.calls.n, 0);
    assert_null(hook_report_main(&r));
    arena_free(arena);
}

/* Which of them is the program, and which has a process id. */
static void which_process(void **state)
{
    struct hook_report r;

    (void)state;
    arena = arena_new();
    hook_report_read(arena,
                     temp_write("report", STR("{\"torch\": \"2\", \"pid\": 1, \"tool\": true}\n"
                                              "{\"torch\": \"2\", \"pid\": 2, \"forked\": true}\n"
                                              "{\"torch\": \"2\", \"pid\": 3}\n{\"torch\": \"2\", \"pid\": 4}\n")),
                     &r);
    assert_int_equal(hook_report_main(&r)->pid, 3);
    assert_int_equal(hook_report_find(&r, 2)->pid, 2);
    assert_null(hook_report_find(&r, 5));
    r.processes.n = 2;
    assert_null(hook_report_main(&r));
    arena_free(arena);
}

/* Of a run within a run. */
static void ourselves(void **state)
{
    const char *path = temp_write("log", STR("{\"torch\": \"2\", \"pid\": 1}\n"));
    struct hook_report r;

    (void)state;
    arena = arena_new();
    unsetenv("PT2TRACE_HOOK_LOG");
    hook_report_ourselves(STR("/nobody"));
    setenv("PT2TRACE_HOOK_LOG", path, 1);
    hook_report_ourselves(STR("/no/version"));
    setenv("PT2TRACE_HOOK_LOG", arena_printf(arena, "1 %s", path).p, 1);
    hook_report_ourselves(STR("/inner \"x\""));
    unsetenv("PT2TRACE_HOOK_LOG");
    hook_report_read(arena, path, &r);
    assert_str(text_of(&r), "process 1 rank -1 attempt 0 torch 2 by  trace  | inner /inner \"x\"");
    arena_free(arena);
}

/* Stacks are in the order of process ids; what is empty is removed, and what is of no process stays. */
static void stacks(void **state)
{
    struct trial t = {0};

    (void)state;
    arena = arena_new();
    assert_int_equal(mkdir(temp_path("stacks"), 0700), 0);
    temp_write("stacks/12.txt", STR("twelve"));
    temp_write("stacks/3.txt", STR("three"));
    temp_write("stacks/4.txt", STR(""));
    temp_write("stacks/5", STR("no"));
    temp_write("stacks/x6.txt", STR("no"));
    temp_write("stacks/.txt", STR("no"));
    assert_int_equal(hook_stacks_read(arena, temp_path("stacks"), &t), 3);
    assert_int_equal(t.stacks.n, 2);
    assert_int_equal(t.stacks.v[0].pid, 3);
    assert_str(t.stacks.v[0].text, "three");
    assert_int_equal(t.stacks.v[1].pid, 12);
    assert_str(t.stacks.v[1].text, "twelve");
    assert_false(temp_exists(temp_path("stacks/4.txt")));
    assert_true(temp_exists(temp_path("stacks/5")) && temp_exists(temp_path("stacks/x6.txt")));

    t = (struct trial){0};
    assert_int_equal(mkdir(temp_path("none"), 0700), 0);
    temp_write("none/7.txt", STR(""));
    assert_int_equal(hook_stacks_read(arena, temp_path("none"), &t), 1);
    assert_int_equal(t.stacks.n, 0);
    assert_false(temp_exists(temp_path("none")));
    assert_int_equal(hook_stacks_read(arena, temp_path("none"), &t), 0);
    arena_free(arena);
}

static void other_lines(void **state)
{
    static const struct {
        const char *text;
        size_t max;
        const char *lines;
    } cases[] = {{"", 9, ""},
                 {"a\nb\na\n\nc\n", 9, "a | b | c"},
                 {"a\nb\na\nc", 2, "a | b"},
                 {"a\na\nb\n", 1, "a"},
                 {"\n\n", 9, ""}};

    (void)state;
    arena = arena_new();
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct str s = STR("");
        hook_lines list;

        hook_lines_read(arena, temp_write("lines", str_of(cases[i].text)), cases[i].max, &list);
        vec_each(const struct str, line, &list) s = add(s, *line);
        assert_str(s, cases[i].lines);
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines),     cmocka_unit_test(no_report), cmocka_unit_test(which_process),
        cmocka_unit_test(ourselves), cmocka_unit_test(stacks),    cmocka_unit_test(other_lines),
    };

    return RUN(tests);
}
