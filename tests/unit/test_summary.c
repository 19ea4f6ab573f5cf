#include "answers_text.h"

#include "output/text/summary.h"
#include "view/format.h"

/* The summary as a pipe gets it, in the arena of the run. */
static struct str summary_in(const struct answers *a, unsigned width)
{
    struct text t = {.arena = a->run->arena, .width = width};
    struct str out;

    summary_write(&t, a);
    out = arena_str(t.arena, buf_view(&t.buf));
    buf_free(&t.buf);
    return out;
}

/* Its line that begins with a word, without that; empty when there is none. */
static struct str line_of(const struct answers *a, const char *word)
{
    struct str text = summary_in(a, 200), line;

    while (str_next_line(&text, &line))
        if (str_consume(&line, str_of(word)))
            return str_trim(line);
    return (struct str){"", 0};
}

#define check_line(t, word, expected)                                                                                  \
    do {                                                                                                               \
        const struct answers *a_ = answers_of_trace(t);                                                                \
                                                                                                                       \
        assert_str(line_of(a_, word), expected);                                                                       \
        answers_free(a_);                                                                                              \
    } while (0)

#define OF(version, python) "\"pytorch_version\": \"" version "\", \"python_version\": \"" python "\""
#define TOOK(begin, us) "\"start_time_us\": 1795255200" #begin ", \"duration_us\": " #us ", \"graph_op_count\": 2"

static void a_whole_summary(void **state)
{
    static const char expected[] = "Read      1 trace file (%.*s), 14 records\n"
                                   "Versions  PyTorch 2.13.0+cpu, Python 3.11.7\n"
                                   "Found     3 compiles of 2 frames, 1 graph break, 1 recompile, 0 errors\n"
                                   "Time      1.00 s compiling (wall time)\n"
                                   "Caches    1 hit, 0 misses, 0 bypasses\n"
                                   "Health    all records were read\n"
                                   "\n"
                                   "Findings\n"
                                   "  low      `f` recompiled once: the Python number `n` was 7 and has changed\n"
                                   "           x.py:5 - cost 200 ms, 1 compile\n"
                                   "           A Python integer is compiled in as a constant until it has changed\n"
                                   "           once. Let it be dynamic from the first call on, or pass it as a\n"
                                   "           tensor.\n"
                                   "           Put this at the start of the program, before the first compiled call:\n"
                                   "             torch.compiler.config.dynamic_sources = \"L['n']\"\n"
                                   "  low      Graph break: Call to `what`\n"
                                   "           x.py:7\n"
                                   "           > source_7()\n"
                                   "           Let it be.\n"
                                   "\n"
                                   "Where the time went\n"
                                   "        897 ms 100 %%  Dynamo: tracing\n"
                                   "        3.0 ms  <1 %%  Other\n"
                                   "\n"
                                   "Compiles\n"
                                   "  1.00 s  graph break  [0/0]  f                                 x.py:5\n"
                                   "  200 ms  ok           [0/1]  f                                 x.py:5\n"
                                   "  100 ms  ok           [1/0]  a_function_of_a_long_name_indeed  x.py:40\n";
    struct trace_text t = {0};
    const struct answers *a;
    struct str bytes;

    (void)state;
    trace_file(&t);
    trace_event(&t, IN(0, 0, 0), "dynamo", 'B', 1000);
    trace_start(&t, IN(0, 0, 0), "f", 5);
    trace_event(&t, IN(0, 0, 0), "gc", 'B', 2000);
    trace_event(&t, IN(0, 0, 0), "gc", 'E', 5000);
    trace_event(&t, IN(0, 0, 0), "dynamo", 'E', 901000);
    trace_break(&t, IN(0, 0, 0), "Call to `what`", "f", 7);
    trace_artifact(&t, "fx_graph_cache_hit", IN(0, 0, 0), "{}");
    trace_metrics(&t, IN(0, 0, 0), OF("2.13.0+cpu", "3.11.7 (main, Dec  8 2023)") ", " TOOK(000000, 1000000));
    trace_artifact(&t, "recompile_reasons", IN(0, 1, 0), "0/0: n == 7");
    trace_start(&t, IN(0, 1, 0), "f", 5);
    trace_metrics(&t, IN(0, 1, 0), TOOK(800000, 200000));
    trace_start(&t, IN(1, 0, 0), "a_function_of_a_long_name_indeed", 40);
    trace_metrics(&t, IN(1, 0, 0), TOOK(900000, 100000));
    a = answers_of_trace(&t);
    bytes = format_bytes(a->run->arena, a->run->inputs.v[0]->source.bytes);
    assert_lines(summary_in(a, 80), arena_printf(a->run->arena, expected, STR_ARG(bytes)));
    answers_free(a);
}

static void versions(void **state)
{
    static const struct {
        const char *metrics, *line;
    } cases[] = {
        {OF("2.13.0", "3.11.7 (main)"), "PyTorch 2.13.0, Python 3.11.7"},
        {OF("2.8.0", "3.10.12 (main)"), "PyTorch 2.8.0, Python 3.10.12"},
        {OF("2.8.0", "3.9.7 (default)"), "PyTorch 2.8.0, Python 3.9.7"},
        {OF("2.8.0", "3.14.0rc1+ (x)") ", \"cuda_version\": \"12.8\"", "PyTorch 2.8.0, Python 3.14.0rc1+, CUDA 12.8"},
        {"\"python_version\": \"3.12.1\"", "Python 3.12.1"},
        {"\"graph_op_count\": 2", ""},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};

        trace_metrics(&t, IN(0, 0, 0), cases[i].metrics);
        check_line(&t, "Versions", cases[i].line);
    }
}

/* Files that hold nothing are counted. */
static void other_files(void **state)
{
    static const char *const words[] = {"", "; skipped 1 other file", "; skipped 2 other files"};

    (void)state;
    for (size_t n = 0; n < COUNT(words); n++) {
        struct run *r = run_new();
        struct trace_text t = {0};
        const struct answers *a;
        struct input *in;

        trace_metrics(&t, IN(0, 0, 0), "\"graph_op_count\": 2");
        for (size_t i = 0; i < n; i++)
            run_add_input(r, STR("notes.txt"))->why_not = STR("no trace");
        in = trace_add(r, "trace.log", &t);
        run_finish(r);
        a = answers_of(r);
        assert_same(line_of(a, "Read"),
                    arena_printf(r->arena, "1 trace file (%.*s), 1 record%s",
                                 STR_ARG(format_bytes(r->arena, in->source.bytes)), words[n]));
        answers_free(a);
    }
}

static void one_and_many(void **state)
{
    struct trace_text t = {0};

    (void)state;
    trace_artifact(&t, "fx_graph_cache_miss", IN(0, 0, 0), "{}");
    check_line(&t, "Caches", "0 hits, 1 miss, 0 bypasses");
    for (int i = 0; i < 1234; i++)
        trace_artifact(&t, i % 2 ? "fx_graph_cache_hit" : "fx_graph_cache_bypass", IN(0, 0, 0), "{}");
    check_line(&t, "Caches", "617 hits, 0 misses, 617 bypasses");
    check_line(&t, "Caches", ""); /* nobody asked */
    trace_error(&t, IN(0, 0, 0), "ValueError", "what", 7);
    check_line(&t, "Found", "1 compile of 1 frame, 0 graph breaks, 0 recompiles, 1 error");
}

static void health(void **state)
{
    static const struct trace_options unchecked = {0};
    struct trace_text t = {0};
    const struct answers *a;

    (void)state;
    trace_record(&t, "{broken");
    trace_record(&t, "{broken");
    check_line(&t, "Health", "2 damaged places, listed in the report");
    trace_metrics(&t, IN(0, 0, 0), "\"graph_op_count\": 2");
    a = answers_of(trace_run_with(&t, &unchecked, 1));
    assert_str(line_of(a, "Health"), "all records were read");
    answers_free(a);
}

/* The first eight findings and the slowest eight compiles; a terminal is no report. */
static void no_more_than_fits(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;
    struct str text, line;
    int64_t order[8];
    size_t n = 0;

    (void)state;
    trace_file(&t);
    for (int i = 0; i < 12; i++) {
        char metrics[100], type[40];

        snprintf(type, sizeof type, "Call to `what_%d`", i);
        snprintf(metrics, sizeof metrics, "\"start_time_us\": 1795255200000000, \"duration_us\": %d",
                 1000000 + (i * 7 % 12) * 1000000);
        trace_break(&t, trace_ids(i, 0, 0), type, "f", 7 + i);
        trace_metrics(&t, trace_ids(i, 0, 0), metrics);
    }
    a = answers_of_trace(&t);
    text = summary_in(a, 80);
    assert_true(str_has(text, STR("\n  and 4 more in the report\n")));
    assert_true(str_has(text, STR("\nSlowest compiles\n")));
    while (str_next_line(&text, &line))
        if (str_has(line, STR(" s  graph break"))) {
            assert_in_range(n, 0, 7);
            order[n++] = strtol(str_trim(line).p, NULL, 10);
        }
    assert_int_equal(n, 8);
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(order[i], 12 - (int64_t)i);
    answers_free(a);
}

static const struct answers *answers_of_two_ranks(void)
{
    struct run *r = run_new();

    for (unsigned i = 0; i < 3; i++) {
        static const char *const names[] = {"rank_0_a.log", "rank_0_b.log", "rank_1.log"};
        struct trace_text t = {.pid = 1234567 + i};

        trace_file(&t);
        trace_break(&t, IN(0, 0, 0), "print", "f", 7);
        trace_metrics(&t, IN(0, 0, 0), TOOK(000000, 1000));
        trace_start(&t, IN(0, 0, 0), "f", 5); /* an epoch begins */
        trace_metrics(&t, IN(0, 0, 0), TOOK(000000, 1000));
        trace_add(r, names[i], &t);
    }
    run_finish(r);
    return answers_of(r);
}

static void several_ranks(void **state)
{
    const struct answers *a = answers_of_two_ranks();
    struct str text = summary_in(a, 80);

    (void)state;
    assert_str(line_of(a, "Found"),
               "on each of 2 ranks 2-4 compiles of 2-4 frames, 1-2 graph breaks, 0 recompiles, 0 errors");
    assert_true(str_has(text, STR("           x.py:7, ranks 0, 1\n")));
    assert_true(str_has(text, STR("\nSlowest compiles, each on the rank that took longest\n")));
    assert_true(str_has(text, STR("[0/0] epoch 1 rank 0 pid 1..")));
    assert_false(str_has(text, STR("[0/0] epoch 1 rank 1"))); /* as long as on the first */
    answers_free(a);
}

/* However narrow the terminal: lines of compiles take what they need, and no more than that. */
static void narrow_terminals(void **state)
{
    const struct answers *a = answers_of_two_ranks();

    (void)state;
    for (unsigned width = 1; width <= 130; width++) {
        struct str text = summary_in(a, width), line;

        while (str_next_line(&text, &line))
            if (line.n > (width < 80 ? 80 : width))
                fail_msg("%zu columns of %u: %.*s", line.n, width, (int)str_take(line, 200).n, line.p);
    }
    answers_free(a);
}

static void an_empty_run(void **state)
{
    struct run *r = run_new();
    const struct answers *a;

    (void)state;
    run_finish(r);
    a = answers_of(r);
    assert_lines(summary_in(a, 80), STR("Read      0 trace files (0 B), 0 records\n"
                                        "Found     0 compiles of 0 frames, 0 errors\n"
                                        "Health    nothing was recorded\n"));
    answers_free(a);
}

/* What a single trial did is in one line; several have a list. */
static void trials(void **state)
{
    (void)state;
    for (size_t n = 0; n < 4; n++) {
        struct trial list[3] = {{.name = STR("base"), .end = STR(TRIAL_EXITED), .gpu_us = -1, .calls_us = -1},
                                {.name = STR("eager"), .end = STR(TRIAL_EXITED), .gpu_us = -1, .calls_us = -1},
                                {.name = STR("aot_eager"), .end = STR(TRIAL_EXITED), .gpu_us = -1, .calls_us = -1}};
        struct experiment x = {.trials = {.v = list, .n = n}};
        struct run *r = run_new();
        const struct answers *a;
        struct str text;

        run_finish(r);
        r->experiment = &x;
        a = answers_of(r);
        text = summary_in(a, 80);
        assert_int_equal(str_has(text, STR("\nRun  ")), n == 1);
        assert_int_equal(str_has(text, STR("\nTrials\n")), n > 1);
        for (size_t i = 0; i < COUNT(list); i++)
            assert_int_equal(str_has(text, arena_printf(r->arena, "  good  %.*s: ", STR_ARG(list[i].name))),
                             n > 1 && i < n);
        answers_free(a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_summary),  cmocka_unit_test(versions),          cmocka_unit_test(one_and_many),
        cmocka_unit_test(health),           cmocka_unit_test(no_more_than_fits), cmocka_unit_test(several_ranks),
        cmocka_unit_test(narrow_terminals), cmocka_unit_test(an_empty_run),
        cmocka_unit_test(trials),           cmocka_unit_test(other_files),
    };

    return RUN(tests);
}
