/* What each group of ranks did where they differ, in words, with the line and the cause. */
#include "answers_text.h"

/* What a rank of the job records. */
struct writing {
    struct trace_text t;
    int rank;
    bool other; /* the rank that differs */
};

static const char *ids(const struct writing *w, int frame, int compile)
{
    static char texts[8][100];
    static unsigned next;
    char *text = texts[next++ % 8];

    snprintf(text, sizeof texts[0], "\"rank\": %d, \"frame_id\": %d, \"frame_compile_id\": %d, \"attempt\": 0", w->rank,
             frame, compile);
    return text;
}

/* The function of a frame begins in line 10 (frame + 1) of /x.py. */
static void start(struct writing *w, int frame, int compile)
{
    static const char *const names[] = {"f", "g", "h"};

    trace_start(&w->t, ids(w, frame, compile), names[frame], 10 * (frame + 1));
}

static void finish(struct writing *w, int frame, int compile)
{
    trace_metrics(&w->t, ids(w, frame, compile), "\"graph_op_count\": 2");
}

static void compile(struct writing *w, int frame, int number)
{
    start(w, frame, number);
    finish(w, frame, number);
}

static void breaks(struct writing *w, int n)
{
    start(w, 0, 0);
    for (int i = 0; i < n; i++)
        trace_break(&w->t, ids(w, 0, 0), i ? "Call to `input`" : "Call to `print`", "f", 12 + i);
    finish(w, 0, 0);
}

static void one_break(struct writing *w)
{
    breaks(w, w->other);
}

static void more_breaks(struct writing *w)
{
    breaks(w, w->other ? 2 : 1);
}

static void an_error(struct writing *w)
{
    start(w, 0, 0);
    if (w->other)
        trace_error(&w->t, ids(w, 0, 0), "ValueError", "no till", 13);
    trace_metrics(&w->t, ids(w, 0, 0), w->other ? "\"fail_type\": \"ValueError\"" : "\"graph_op_count\": 2");
    compile(w, 1, 0);
}

static void no_graph(struct writing *w)
{
    start(w, 0, 0);
    trace_metrics(&w->t, ids(w, 0, 0), w->other ? "\"graph_op_count\": 0" : "\"graph_op_count\": 2");
    compile(w, 1, 0);
}

static void again(struct writing *w, const char *reason)
{
    compile(w, 0, 0);
    if (!w->other)
        return;
    start(w, 0, 1);
    if (reason)
        trace_artifact(&w->t, "recompile_reasons", ids(w, 0, 1), reason);
    finish(w, 0, 1);
}

static void a_recompile(struct writing *w)
{
    again(w, "[\"0/0: n == 7  # if n == 7:  # /x.py:14 in f (user code shown is first use of this value--the guard "
             "itself is not due user code but due to 0/0)\"]");
}

static void an_unexplained_recompile(struct writing *w)
{
    again(w, NULL);
}

static void other_reasons(struct writing *w)
{
    compile(w, 0, 0);
    start(w, 0, 1);
    trace_artifact(&w->t, "recompile_reasons", ids(w, 0, 1), w->other ? "[\"0/0: m == 3\"]" : "[\"0/0: n == 7\"]");
    finish(w, 0, 1);
}

static void a_function_more(struct writing *w)
{
    compile(w, 0, 0);
    if (w->other)
        compile(w, 1, 0);
    compile(w, 2, 0);
}

static void stops_after_one(struct writing *w)
{
    compile(w, 0, 0);
    if (!w->other)
        compile(w, 1, 0);
}

static void stops_within_one(struct writing *w)
{
    compile(w, 0, 0);
    start(w, 1, 0);
    if (!w->other)
        finish(w, 1, 0);
}

static void another_order(struct writing *w)
{
    compile(w, 0, 0);
    compile(w, w->other ? 2 : 1, 0);
    compile(w, w->other ? 1 : 2, 0);
}

static void another_size(struct writing *w)
{
    again(w, "[\"0/0: tensor 'x' size mismatch at index 0. expected 4, actual 5\"]");
}

static void three_ways(struct writing *w)
{
    breaks(w, w->rank < 2 ? 0 : w->rank - 1);
}

static void compiles_nothing(struct writing *w)
{
    if (!w->other)
        compile(w, 0, 0);
}

static void another_beginning(struct writing *w)
{
    compile(w, w->other ? 1 : 0, 0);
    compile(w, w->other ? 0 : 1, 0);
    compile(w, 2, 0);
}

static void of_text(struct writing *w, const char *name, const char *usual, const char *other)
{
    start(w, 0, 0);
    trace_artifact(&w->t, name, ids(w, 0, 0), w->other ? other : usual);
    finish(w, 0, 0);
}

#define CODE(line) "def forward(self, x):\n    # File: /x.py:17 in f, code: y = x\n    " line "\n    return y\n"

static void more_graphs(struct writing *w)
{
    char json[200];

    start(w, 0, 0);
    for (int i = 0; i < 1 + w->other; i++) {
        snprintf(json, sizeof json, "{\"inductor_post_grad_graph\": {}, %s}", ids(w, 0, 0));
        trace_payload(&w->t, json, CODE("y = x.cos()"));
    }
    finish(w, 0, 0);
}

static void other_caches(struct writing *w)
{
    start(w, 0, 0);
    trace_artifact(&w->t, "aotautograd_cache_miss", ids(w, 0, 0), "{}");
    for (int i = 0; i < 2; i++)
        trace_artifact(&w->t, w->other ? "fx_graph_cache_miss" : "fx_graph_cache_hit", ids(w, 0, 0), "{}");
    finish(w, 0, 0);
}

#define META(second) "{\"ops\": [{\"name\": \"a\", \"outputs\": [1]}" second "]}"

static void other_tensors(struct writing *w)
{
    of_text(w, "inductor_runtime_and_tensor_meta", META(", {\"name\": \"b\", \"outputs\": [2]}"),
            META(", {\"name\": \"c\", \"outputs\": [\n 3]}"));
}

static void fewer_tensors(struct writing *w)
{
    of_text(w, "inductor_runtime_and_tensor_meta", META(", {\"name\": \"b\", \"outputs\": [2]}"), META(""));
}

#define GUARDS(check) "TREE_GUARD_MANAGER:\n+- RootGuardManager\n| +- EQUALS_MATCH: L['x'] == 1  # g(x)\n" check

static void another_guard(struct writing *w)
{
    of_text(w, "dynamo_cpp_guards_str", GUARDS("| +- EQUALS_MATCH: G['n'] == 2  # if n == 2:\n"),
            GUARDS("| +- EQUALS_MATCH: G['n'] == 3  # if n == 2:\n"));
}

static void a_guard_less(struct writing *w)
{
    of_text(w, "dynamo_cpp_guards_str", GUARDS("| +- EQUALS_MATCH: G['n'] == 2  # if n == 2:\n"), GUARDS(""));
}

static void guards_on_the_rank(struct writing *w)
{
    char tree[300];

    snprintf(tree, sizeof tree, GUARDS("| +- EQUALS_MATCH: G['n'] == %d  # if n:\n"), w->rank);
    of_text(w, "dynamo_cpp_guards_str", tree, tree);
}

#define REDUCE(op) "y = torch.ops._c10d_functional.all_reduce.default(x, '" op "', '0')"

static void graphs(struct writing *w, const char *usual, const char *other)
{
    char json[200];

    start(w, 0, 0);
    snprintf(json, sizeof json, "{\"inductor_post_grad_graph\": {}, %s}", ids(w, 0, 0));
    trace_payload(&w->t, json, w->other ? other : usual);
    finish(w, 0, 0);
}

static void another_graph(struct writing *w)
{
    graphs(w, CODE("y = x.cos()"), CODE("y = x.sin()"));
}

static void other_sizes(struct writing *w)
{
    graphs(w, CODE("y: \"f32[4]\" = x.cos()"), CODE("y: \"f32[8]\" = x.cos()"));
}

/* Rank 2 has a graph break, and rank 3 another graph. */
static void two_differences(struct writing *w)
{
    char json[200];

    start(w, 0, 0);
    if (w->rank == 2)
        trace_break(&w->t, ids(w, 0, 0), "Call to `print`", "f", 12);
    snprintf(json, sizeof json, "{\"inductor_post_grad_graph\": {}, %s}", ids(w, 0, 0));
    trace_payload(&w->t, json, w->other ? CODE("y = x.sin()") : CODE("y = x.cos()"));
    finish(w, 0, 0);
}

static void another_reduction(struct writing *w)
{
    graphs(w, CODE(REDUCE("sum")), CODE(REDUCE("max")));
}

static void a_collective_less(struct writing *w)
{
    graphs(w, CODE(REDUCE("sum")), CODE("y = x.cos()"));
}

static void another_order_of_running(struct writing *w)
{
    char of_rank[40];

    compile(w, 0, 0);
    compile(w, 1, 0);
    snprintf(of_rank, sizeof of_rank, "\"rank\": %d", w->rank);
    trace_artifact(&w->t, "graph_execution", of_rank,
                   w->other ? "{\"graph_execution_order\": [{\"compile_id\": \"0/0\"}, {\"compile_id\": \"0/0\"}]}"
                            : "{\"graph_execution_order\": [{\"compile_id\": \"0/0\"}, {\"compile_id\": \"1/0\"}]}");
}

static const struct {
    void (*write)(struct writing *);
    int ranks;
    const char *kind, *place, *did, *cause;
} cases[] = {
    {one_break, 3, "graph_break", "/x.py:12",
     "had no graph break | broke the graph: Call to `print`",
     "The line is `source_12()`"},
    {more_breaks, 3, "graph_break", "/x.py:12",
     "broke the graph: Call to `print` | broke the graph at 2 places: Call to `print`",
     "The line is `source_12()`"},
    {an_error, 3, "status", "/x.py:13",
     "finished without an error | failed: ValueError: no till",
     ""},
    {no_graph, 3, "status", "/x.py:10",
     "finished without an error | got no graph",
     ""},
    {a_recompile, 3, "recompile", "/x.py:14",
     "reused [0/0] | compiled `f` again: the Python number `n` was 7 and has changed",
     "The guard `n == 7` failed on rank 2"},
    {an_unexplained_recompile, 3, "recompile", "/x.py:10",
     "reused [0/0] | compiled `f` again",
     ""},
    {other_reasons, 3, "recompile_reason", "/x.py:10",
     "compiled `f` again: the Python number `n` was 7 and has changed | compiled `f` again: the Python "
     "number `m` was 3 and has changed",
     "The guard `m == 3` failed on rank 2"},
    {a_function_more, 3, "compile", "/x.py:20",
     "did not compile it | compiled `g`",
     "It is called at /x.py:100: main()"},
    {stops_after_one, 3, "stopped", "/x.py:10",
     "went on and compiled `g` | compiled nothing after [0/0], `f`",
     "The process was killed, crashed or hung there, or it took another path through the program."},
    {stops_within_one, 3, "stopped", "/x.py:20",
     "went on and compiled `g` | stopped in [1/0], `g`",
     "The process was killed, crashed or hung while it compiled."},
    {another_order, 3, "order", "/x.py:20",
     "compiled `g` after `f` | compiled `g` after `h`",
     ""},
    {another_graph, 3, "post_grad_graph", "/x.py:17",
     "got `y = x.cos()` | got `y = x.sin()`",
     ""},
    {more_graphs, 3, "post_grad_graph", "/x.py:10",
     "got 1 of them | got 2 of them",
     ""},
    {other_caches, 3, "cache", "/x.py:10",
     "looked up AOTAutograd 1 miss, FX graph 2 hits | looked up AOTAutograd 1 miss, FX graph 2 misses",
     ""},
    {other_tensors, 3, "tensors", "/x.py:10",
     "has \"b\" as operation 2, which returns `[2]` | has \"c\" as operation 2, which returns `[3]`",
     ""},
    {fewer_tensors, 3, "tensors", "/x.py:10",
     "has \"b\" as operation 2, which returns `[2]` | has 1 operation",
     ""},
    {another_size, 3, "recompile", "/x.py:10",
     "reused [0/0] | compiled `f` again: dimension 0 of `x` went from 4 to 5",
     "The guard `tensor 'x' size mismatch at index 0. expected 4, actual 5` failed on rank 2: the value "
     "is 5 there and 4 elsewhere"},
    {compiles_nothing, 3, "stopped", "/x.py:10",
     "went on and compiled `f` | compiled nothing",
     ""},
    {another_beginning, 3, "order", "/x.py:10",
     "compiled `f` first | compiled `f` after `g`",
     ""},
    {other_sizes, 3, "sizes", "/x.py:17",
     "got `y: \"f32[4]\" = x.cos()` | got `y: \"f32[8]\" = x.cos()`",
     ""},
    {two_differences, 4, "graph_break", "/x.py:17",
     "had no graph break | broke the graph: Call to `print` | got `y = x.sin()`",
     "The line is `source_12()`"},
    {three_ways, 4, "graph_break", "/x.py:12",
     "had no graph break | broke the graph: Call to `print` | broke the graph at 2 places: Call to `print`",
     "The line is `source_12()`"},
    {another_guard, 3, "guards", "/x.py:10",
     "checks `EQUALS_MATCH: G['n'] == 2` | checks `EQUALS_MATCH: G['n'] == 3`",
     ""},
    {a_guard_less, 3, "guards", "/x.py:10",
     "checks `EQUALS_MATCH: G['n'] == 2` | has no such guard",
     ""},
    {guards_on_the_rank, 2, "guards", "/x.py:10",
     "checks `EQUALS_MATCH: G['n'] == 0` | checks `EQUALS_MATCH: G['n'] == 1`",
     "The guard is on the rank number"},
    {another_reduction, 3, "collectives", "/x.py:17",
     "called `all_reduce`, sum, group 0 as collective 1 of 1 | called `all_reduce`, max, group 0 as "
     "collective 1 of 1",
     ""},
    {a_collective_less, 3, "collectives", "/x.py:10",
     "called `all_reduce`, sum, group 0 as collective 1 of 1 | called 0 collectives",
     ""},
    {another_order_of_running, 3, "execution", "/x.py:10",
     "ran [1/0], `g`, as graph 2 | ran [0/0], `f`, as graph 2",
     ""},
};

static const struct answers *answers_of_job(void (*write)(struct writing *), int ranks)
{
    struct run *r = run_new();

    for (int rank = 0; rank < ranks; rank++) {
        struct writing w = {.t.pid = 100 + (uint64_t)rank, .rank = rank, .other = rank == ranks - 1};
        char name[20];

        trace_recordf(&w.t, "{\"str\": [\"/x.py\", 0], \"rank\": %d}", rank);
        write(&w);
        snprintf(name, sizeof name, "rank%d.log", rank);
        trace_add(r, name, &w.t);
    }
    run_finish(r);
    return answers_of(r);
}

/* "had no graph break | broke the graph: ...": all groups, the largest first. */
static struct str what_they_did(const struct answers *a, const struct divergence *d)
{
    struct str out = STR("");

    for (size_t i = 0; i < d->groups.n; i++)
        out = arena_printf(a->run->arena, "%.*s%s%.*s", STR_ARG(out), i ? " | " : "", STR_ARG(d->groups.v[i].did));
    return out;
}

static void stories(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct answers *a = answers_of_job(cases[i].write, cases[i].ranks);
        const struct rank_run *run = a->ranks.runs.v[0];
        const struct divergence *d = run->divergences.n ? run->divergences.v[0] : run->differences.v[0];

        assert_int_equal(run->divergences.n + run->differences.n, 1);
        assert_string_equal(divergence_kind_name(d->kind), cases[i].kind);
        assert_same(what_they_did(a, d), str_of(cases[i].did));
        assert_str(d->cause, cases[i].cause);
        assert_same(arena_printf(a->run->arena, "%.*s:%lld", STR_ARG(d->file), (long long)d->line),
                    str_of(cases[i].place));
        answers_free(a);
    }
}

/* The compile of each group: of one that stopped, the last. */
static void compiles_of_groups(void **state)
{
    static const struct {
        void (*write)(struct writing *);
        const char *compiles;
    } of[] = {{one_break, "0/0 0/0"},
              {a_recompile, "none 0/1"},
              {a_function_more, "none 1/0"},
              {stops_after_one, "1/0 0/0"},
              {stops_within_one, "1/0 1/0"},
              {compiles_nothing, "0/0 none"}};

    (void)state;
    for (size_t i = 0; i < COUNT(of); i++) {
        const struct answers *a = answers_of_job(of[i].write, 3);
        const struct divergence *d = a->ranks.runs.v[0]->divergences.v[0];
        struct str out = STR("");

        for (size_t k = 0; k < d->groups.n; k++) {
            const struct compile *c = rank_group_compile(&d->groups.v[k]);

            out = arena_printf(a->run->arena, "%.*s%s%.*s", STR_ARG(out), k ? " " : "",
                               STR_ARG(c ? compile_id_print(a->run->arena, c->id) : STR("none")));
        }
        assert_str(out, of[i].compiles);
        answers_free(a);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(stories), cmocka_unit_test(compiles_of_groups)};

    return RUN(tests);
}
