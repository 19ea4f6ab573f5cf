#include "answers_text.h"

#include "analysis/answers/breaks.h"

/* "x.py:7 print 2: 0/0 0/1 -> 1/0 | …": each group with its members, and behind the arrow what goes on after it. */
static struct str groups_of(const struct answers *a)
{
    struct arena *s = a->run->arena;
    struct str out = STR("");

    for (size_t i = 0; i < a->breaks.list.n; i++) {
        const struct break_group *g = a->breaks.list.v[i];

        out = arena_printf(s, "%.*s%s%.*s:%lld %.*s:", STR_ARG(out), i ? " | " : "", STR_ARG(g->sample->file),
                           (long long)g->sample->line, STR_ARG(g->sample->type));
        for (size_t k = 0; k < g->members.n; k++)
            out = arena_printf(s, "%.*s %.*s", STR_ARG(out), STR_ARG(answers_id(a, g->members.v[k]->compile)));
        for (size_t k = 0; k < g->resumes.n; k++)
            out =
                arena_printf(s, "%.*s%s%.*s", STR_ARG(out), k ? " " : " -> ", STR_ARG(answers_id(a, g->resumes.v[k])));
    }
    return out;
}

#define check_groups(t, expected)                                                                                      \
    do {                                                                                                               \
        const struct answers *a_ = answers_of_trace(t);                                                                \
                                                                                                                       \
        assert_str(groups_of(a_), expected);                                                                           \
        answers_free(a_);                                                                                              \
    } while (0)

static void one_break_met_by_two_compiles(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;

    (void)state;
    trace_break(&t, IN(0, 0, 0), "print", "f", 7);
    trace_break(&t, IN(0, 1, 0), "print", "f", 7);
    a = answers_of_trace(&t);
    assert_str(groups_of(a), "/x.py:7 print: 0/0 0/1");
    assert_int_equal(a->breaks.total, 2);
    assert_int_equal(a->counts.graph_breaks, 2);
    assert_int_equal(a->counts.distinct_graph_breaks, 1);
    answers_free(a);
}

static void what_makes_two_groups(void **state)
{
    struct trace_text t = {0};

    (void)state;
    trace_break(&t, IN(0, 0, 0), "print", "f", 7);
    trace_break(&t, IN(0, 0, 0), "print", "f", 8);
    trace_break(&t, IN(0, 0, 0), "input", "f", 7);
    check_groups(&t, "/x.py:7 print: 0/0 | /x.py:8 print: 0/0 | /x.py:7 input: 0/0");
}

/* The most met first; of equally many the first in the trace. */
static void order(void **state)
{
    struct trace_text t = {0};

    (void)state;
    trace_break(&t, IN(0, 0, 0), "b", "f", 7);
    trace_break(&t, IN(0, 0, 0), "a", "f", 7);
    trace_break(&t, IN(1, 0, 0), "c", "f", 7);
    trace_break(&t, IN(2, 0, 0), "c", "f", 7);
    check_groups(&t, "/x.py:7 c: 1/0 2/0 | /x.py:7 b: 0/0 | /x.py:7 a: 0/0");
}

/* Each rank is reported separately, and so is a restarted job; two processes of one rank are combined. */
static void of_several_processes(void **state)
{
    struct run *r = run_new();
    const struct answers *a;

    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        static const char *const names[] = {"rank_0_a.log", "rank_1_b.log", "rank_1_c.log", "rank_0_d.log"};
        struct trace_text t = {.pid = 10 + i, .ms = i == 3 ? 3000 * 1000 : 0};

        trace_break(&t, IN(0, 0, 0), "print", "f", 7);
        trace_add(r, names[i], &t);
    }
    run_finish(r);
    a = answers_of(r);
    assert_int_equal(r->groups, 2);
    assert_str(groups_of(a), "/x.py:7 print: 1:0/0 2:0/0 | /x.py:7 print: 0:0/0 | /x.py:7 print: 3:0/0");
    assert_int_equal(a->breaks.list.v[0]->rank, 1);
    assert_int_equal(a->breaks.list.v[1]->rank, 0);
    answers_free(a);
}

#define BREAK_IN(innermost)                                                                                            \
    "Graph break in user code at " innermost ":9\nGraph Break Reason: print\n\nUser code traceback:\n"                 \
    "  File \"/x.py\", line 7, in f\n    outer()\n  File \"" innermost "\", line 9, in g\n    inner()\n"

/* A break in a library is also one in the line that called it. */
static void whose_code_it_is(void **state)
{
    static const struct {
        const char *text, *own;
    } cases[] = {
        {BREAK_IN("/x.py"), NULL},
        {BREAK_IN("/venv/lib/python3.11/site-packages/einops/x.py"), "/x.py"},
        {BREAK_IN("/venv/lib/python3.11/site-packages/torch/nn/x.py"), "/x.py"},
        {BREAK_IN("/usr/lib/python3.11/contextlib.py"), "/x.py"},
        {"Graph break in user code at /usr/lib/python3.11/x.py:9\nGraph Break Reason: print\n\nUser code traceback:\n"
         "  File \"/usr/lib/python3.11/y.py\", line 7, in f\n    outer()\n"
         "  File \"/usr/lib/python3.11/x.py\", line 9, in g\n    inner()\n",
         NULL},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        const struct answers *a;
        const struct break_group *g;

        trace_artifact(&t, "dynamo_graph_break_reason", IN(0, 0, 0), cases[i].text);
        a = answers_of_trace(&t);
        g = a->breaks.list.v[0];
        assert_str(g->source, "inner()");
        assert_str(g->own ? g->own->file : STR(""), cases[i].own ? cases[i].own : "");
        if (g->own)
            assert_str(g->own->source, "outer()");
        answers_free(a);
    }
}

/* Where no line is known (2.3), the function is the best there is. */
static void without_a_line(void **state)
{
    struct run *r = run_new();
    struct input *in = run_add_input(r, STR("a"));
    struct process p = {.input = in, .run = r, .rank = RANK_UNKNOWN};
    struct compile c = {.process = &p, .id = {ID_NONE, 0, 0}}, none = {.process = &p};
    struct graph_break breaks[] = {{.function = STR("f")}, {.function = STR("g")}, {.function = STR("f")}};
    struct break_groups groups;

    (void)state;
    p.unattributed = &none;
    vec_push(r->arena, &p.compiles, &c);
    vec_push(r->arena, &r->processes, &p);
    for (size_t i = 0; i < COUNT(breaks); i++) {
        breaks[i].compile = &c;
        vec_push(r->arena, &c.breaks, &breaks[i]);
    }
    breaks_find(r->arena, r, &groups);
    assert_int_equal(groups.total, 3);
    assert_int_equal(groups.list.n, 2);
    assert_int_equal(groups.list.v[0]->members.n, 2);
    assert_str(groups.list.v[0]->sample->function, "f");
    run_free(r);
}

#define RESUMED(line) "torch_dynamo_resume_in_f_at_" #line

/* The resume function is named after the line where it goes on: mostly the one that broke. */
static void resume_functions(void **state)
{
    struct trace_text t = {0};

    (void)state;
    trace_file(&t);
    trace_start(&t, IN(0, 0, 0), "f", 5);
    trace_break(&t, IN(0, 0, 0), "print", "f", 7);
    trace_start(&t, IN(1, 0, 0), RESUMED(7), 5);
    trace_break(&t, IN(1, 0, 0), "print", "f", 8); /* the next line is another break */
    trace_start(&t, IN(2, 0, 0), RESUMED(8), 5);
    trace_start(&t, IN(2, 1, 0), RESUMED(8), 5); /* the same function, compiled again */
    trace_start(&t, IN(3, 0, 0), RESUMED(7), 5); /* both ways of a jump */
    trace_start(&t, IN(4, 0, 0), "torch_dynamo_resume_in_g_at_7", 5);
    check_groups(&t, "/x.py:7 print: 0/0 -> 1/0 3/0 | /x.py:8 print: 1/0 -> 2/0");
}

/* A statement of several lines goes on at its end, which is not far. */
static void resume_functions_of_long_statements(void **state)
{
    struct trace_text t = {0};

    (void)state;
    trace_file(&t);
    trace_break(&t, IN(0, 0, 0), "print", "f", 7);
    trace_break(&t, IN(0, 0, 0), "print", "f", 20);
    trace_start(&t, IN(1, 0, 0), RESUMED(10), 5);
    trace_start(&t, IN(2, 0, 0), RESUMED(24), 5);
    trace_start(&t, IN(3, 0, 0), RESUMED(6), 5);
    check_groups(&t, "/x.py:7 print: 0/0 -> 1/0 | /x.py:20 print: 0/0");
}

/* Names and lines are the same in another process and after torch._dynamo.reset(); the break is not. */
static void resume_functions_of_others(void **state)
{
    struct trace_text t = {0};

    (void)state;
    trace_file(&t);
    trace_start(&t, IN(0, 0, 0), "f", 5);
    trace_break(&t, IN(0, 0, 0), "print", "f", 7);
    trace_start(&t, IN(0, 0, 0), "f", 5); /* again: an epoch begins */
    trace_start(&t, IN(1, 0, 0), RESUMED(7), 5);
    t.pid = 7;
    trace_file(&t);
    trace_start(&t, IN(1, 0, 0), RESUMED(7), 5);
    check_groups(&t, "/x.py:7 print: 0:0/0");
}

static void many_resume_functions(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;

    (void)state;
    trace_file(&t);
    trace_break(&t, IN(0, 0, 0), "print", "f", 7);
    for (int i = 1; i <= 30; i++)
        trace_start(&t, trace_ids(i, 0, 0), RESUMED(7), 5);
    a = answers_of_trace(&t);
    assert_int_equal(a->breaks.list.v[0]->resumes.n, 20);
    answers_free(a);
}

static void no_breaks(void **state)
{
    struct trace_text t = {0};

    (void)state;
    trace_file(&t);
    trace_start(&t, IN(0, 0, 0), "f", 5);
    check_groups(&t, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_break_met_by_two_compiles),
        cmocka_unit_test(what_makes_two_groups),
        cmocka_unit_test(order),
        cmocka_unit_test(of_several_processes),
        cmocka_unit_test(whose_code_it_is),
        cmocka_unit_test(without_a_line),
        cmocka_unit_test(resume_functions),
        cmocka_unit_test(resume_functions_of_long_statements),
        cmocka_unit_test(resume_functions_of_others),
        cmocka_unit_test(many_resume_functions),
        cmocka_unit_test(no_breaks),
    };

    return RUN(tests);
}
