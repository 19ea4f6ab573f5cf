/* The graphs that are taken out of a trace to be run alone, and the names of their files. */
#include "answers_text.h"

#include "relaunch/procedures/repro.h"

/* One process, with a graph of compile 0/0. */
struct one {
    const char *file; /* which also says the rank */
    uint64_t pid;
    const char *graph;
};

/* "0_0 0_0.rank3": what is taken of a directory with these files. */
static struct str taken(struct arena *a, const char *dir, const struct one *processes, size_t n, const char *id,
                        struct repros *out)
{
    struct str names = STR(""), error = STR("");

    assert_int_equal(mkdir(temp_path(dir), 0700), 0);
    for (size_t i = 0; i < n; i++) {
        struct trace_text t = {.pid = processes[i].pid};

        trace_file(&t);
        trace_start(&t, IN(0, 0, 0), "sell", 5);
        trace_artifact(&t, "fx_graph_runnable", IN(0, 0, 0), processes[i].graph);
        trace_metrics(&t, IN(0, 0, 0), "\"graph_op_count\": 3");
        temp_write(arena_printf(a, "%s/%s", dir, processes[i].file).p, buf_view(&t.text));
        buf_free(&t.text);
    }
    if (!repro_take(a, temp_path(dir), str_of(id), 1, out, &error))
        return error;
    vec_each(const struct repro, x, &out->list)
    {
        names = arena_printf(a, "%.*s%s%.*s", STR_ARG(names), names.n ? " " : "", STR_ARG(x->name));
    }
    return names;
}

#define TRACE(rank, tail) "dedicated_log_torch_trace_rank_" #rank "_" tail ".log"

/* Who else has a graph is named by its rank, or by its process where the rank is unknown or not its own. */
static void names(void **state)
{
    static const struct {
        struct one processes[3];
        size_t n;
        const char *names;
        size_t repeated;
    } cases[] = {
        {{{TRACE(0, "a"), 7, "x = 1"}}, 1, "0_0", 0},
        {{{TRACE(0, "a"), 7, "x = 1"}, {TRACE(3, "b"), 8, "x = 2"}}, 2, "0_0 0_0.rank3", 0},
        {{{TRACE(0, "a"), 7, "x = 1"}, {TRACE(3, "b"), 8, "x = 1"}}, 2, "0_0", 1},
        {{{TRACE(3, "a"), 7, "x = 1"}, {TRACE(3, "b"), 8, "x = 2"}}, 2, "0_0 0_0.pid8", 0},
        {{{TRACE(0, "a"), 7, "x = 1"}, {TRACE(3, "b"), 8, "x = 2"}, {TRACE(3, "c"), 9, "x = 3"}},
         3,
         "0_0 0_0.pid8 0_0.pid9",
         0},
        {{{"dedicated_log_torch_trace_a.log", 7, "x = 1"}, {"dedicated_log_torch_trace_b.log", 8, "x = 2"}},
         2,
         "0_0 0_0.pid8",
         0},
    };
    struct arena *a = arena_new();
    char dir[30];

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        for (int all = 0; all < 2; all++) {
            struct repros out;

            snprintf(dir, sizeof dir, "names-%zu-%d", i, all);
            assert_str(taken(a, dir, cases[i].processes, cases[i].n, all ? "all" : "0/0", &out), cases[i].names);
            assert_int_equal(out.processes, cases[i].n);
            assert_int_equal(out.repeated, cases[i].repeated);
            assert_int_equal(out.hits, 0);
            assert_true(str_starts(out.list.v[0].title, STR("[0/0]")));
        }
    arena_free(a);
}

/* What is not an id, and an id that no compile has. */
static void nothing_to_take(void **state)
{
    static const struct one process = {TRACE(0, "a"), 7, "x = 1"};
    static const struct {
        const char *id, *error;
    } cases[] = {
        {"0/1", "there is no compile 0/1"},
        {"", "--repro needs the id of a compile"},
        {"0/0 ", "--repro needs the id of a compile"},
        {"some", "--repro needs the id of a compile"},
    };
    struct arena *a = arena_new();
    char dir[30];

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct repros out;
        struct str error;

        snprintf(dir, sizeof dir, "nothing-%zu", i);
        error = taken(a, dir, &process, 1, cases[i].id, &out);
        assert_int_equal(out.list.n, 0);
        if (!str_has(error, str_of(cases[i].error)))
            fail_msg("\"%s\": %.*s", cases[i].id, STR_ARG(error));
    }
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),
        cmocka_unit_test(nothing_to_take),
    };

    return RUN(tests);
}
