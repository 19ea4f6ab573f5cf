#include "answers_text.h"

#include "output/text/show.h"
#include "output/text/show_place.h"

#include <errno.h>

/* Like a pipe, 100 columns wide. Results live as long as the run. */
static struct str shown(const struct answers *a, const char *id, const char *what, int rank, int *found)
{
    struct text t = {.arena = a->run->arena, .width = 100};
    struct show_query q = {.what = str_of(what), .rank = rank};
    struct str text = str_of(id), out;
    int attempt;

    q.has_id = text.n > 0;
    if (q.has_id)
        assert_true(compile_id_take(&text, &q.id, &attempt));
    *found = show_write(&t, a, &q);
    out = arena_str(t.arena, buf_view(&t.buf));
    buf_free(&t.buf);
    return out;
}

#define check_show(a, id, what, found_, expected)                                                                      \
    do {                                                                                                               \
        int got_found_;                                                                                                \
        struct str got_text_ = shown(a, id, what, RANK_UNKNOWN, &got_found_);                                          \
                                                                                                                       \
        assert_lines(got_text_, STR(expected));                                                                        \
        assert_int_equal(got_found_, found_);                                                                          \
    } while (0)

#define TOOK(us) "\"start_time_us\": 1795255200000000, \"duration_us\": " #us ", \"graph_op_count\": 2"

static const struct answers *a_trace(void)
{
    struct trace_text t = {0};

    trace_file(&t);
    trace_start(&t, IN(0, 0, 0), "f", 5);
    trace_break(&t, IN(0, 0, 0), "Call to `what`", "f", 7);
    trace_payload(&t, "{\"dynamo_output_graph\": {}, " IN(0, 0, 0) "}", "class G:\n    pass");
    trace_record(&t,
                 "{\"describe_tensor\": {\"id\": 0, \"describer_id\": 1, \"ndim\": 1, \"dtype\": \"torch.float32\", "
                 "\"device\": \"device(type='cpu')\", \"size\": [2], \"stride\": [1], \"storage\": 0, "
                 "\"requires_grad\": true}, " IN(0, 0, 0) "}");
    trace_record(&t,
                 "{\"describe_source\": {\"describer_id\": 1, \"id\": 0, \"source\": \"L['x']\"}, " IN(0, 0, 0) "}");
    trace_record(&t, "{\"create_symbol\": {\"symbol\": \"s0\", \"val\": \"4\", \"vr\": \"[2, int_oo]\", \"source\": "
                     "\"L['x'].size()[0]\"}, " IN(0, 0, 0) "}");
    trace_metrics(&t, IN(0, 0, 0), TOOK(1000000));
    trace_artifact(&t, "recompile_reasons", IN(0, 1, 0), "0/0: n == 7");
    trace_start(&t, IN(0, 1, 0), "f", 5);
    trace_payload(&t, "{\"dynamo_output_graph\": {}, " IN(0, 1, 0) "}", "class H:\n    pass\n");
    trace_metrics(&t, IN(0, 1, 0), TOOK(2500));
    trace_record(&t, "{\"artifact\": {\"name\": \"without_payload\"}, " IN(0, 1, 0) "}");
    trace_artifact(&t, "torch_version", "", "{}");
    return answers_of_trace(&t);
}

static void lists(void **state)
{
    const struct answers *a = a_trace();

    (void)state;
    check_show(a, "", "", 3,
               "[0/0]            graph break  1.00 s  f           x.py:5\n"
               "[0/1]            ok           2.5 ms  f           x.py:5\n"
               "(no compile id)  -                 -  (no frame)\n");
    check_show(a, "9/9", "", 0, "");
    answers_free(a);
}

static void one_compile(void **state)
{
    const struct answers *a = a_trace();

    (void)state;
    check_show(a, "0/0", "", 1,
               "[0/0]  graph break  1.00 s  f  x.py:5\n"
               "\n"
               "Graph breaks\n"
               "  x.py:7  Call to `what`\n"
               "\n"
               "Artifacts\n"
               "    263 B  dynamo_graph_break_reason\n"
               "     17 B  dynamo_output_graph\n");
    check_show(a, "0/1", "", 1,
               "[0/1]  ok  2.5 ms  f  x.py:5\n"
               "\n"
               "Compiled again because\n"
               "  0/0: the Python number `n` was 7 and has changed\n"
               "\n"
               "Artifacts\n"
               "     11 B  recompile_reasons\n"
               "     18 B  dynamo_output_graph\n"
               "        -  without_payload\n");
    answers_free(a);
}

/* An exception that made Dynamo give up a frame is shown as a graph break. */
static void errors(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;
    struct str text;
    int found;

    (void)state;
    trace_break(&t, IN(0, 0, 0), "Call to `what`", "f", 7);
    trace_metrics(&t, IN(0, 0, 0), "\"fail_type\": \"Unsupported\", \"fail_reason\": \"Call to `what`\"");
    trace_metrics(&t, IN(1, 0, 0), "\"fail_type\": \"ValueError\", \"fail_reason\": \"what\"");
    trace_metrics(&t, IN(2, 8, 0),
                  "\"fail_type\": \"RecompileLimitExceeded\", \"fail_reason\": \"recompile_limit reached\"");
    trace_artifact(&t, "recompile_reasons", IN(3, 8, 0), "3/7: n == 7"); /* 2.5 refuses without a word */
    a = answers_of_trace(&t);
    text = shown(a, "0/0", "", RANK_UNKNOWN, &found);
    assert_false(str_has(text, STR("Errors")));
    assert_true(str_has(text, STR("\nGraph breaks\n")));
    text = shown(a, "1/0", "", RANK_UNKNOWN, &found);
    assert_true(str_has(text, STR("\nErrors\n  ValueError: what\n")));
    text = shown(a, "2/8", "", RANK_UNKNOWN, &found);
    assert_true(str_has(text, STR("\nErrors\n  RecompileLimitExceeded: recompile_limit reached\n")));
    text = shown(a, "3/8", "", RANK_UNKNOWN, &found);
    assert_true(str_has(text, STR("\nErrors\n  Dynamo recompile limit exceeded: ")));
    answers_free(a);
}

/* A single payload is printed unchanged, so its digest is right; several get headings. */
static void payloads(void **state)
{
    const struct answers *a = a_trace();
    int found;

    (void)state;
    assert_same(shown(a, "0/0", "dynamo_output_graph", RANK_UNKNOWN, &found), STR("class G:\n    pass"));
    assert_int_equal(found, 1);
    assert_same(shown(a, "0/1", "graph", RANK_UNKNOWN, &found), STR("class H:\n    pass\n")); /* its short name */
    check_show(a, "", "graph", 2,
               "# [0/0] dynamo_output_graph, trace.log line 17\n"
               "class G:\n"
               "    pass\n"
               "# [0/1] dynamo_output_graph, trace.log line 27\n"
               "class H:\n"
               "    pass\n"
               "\n");
    check_show(a, "0/0", "output_code", 0, "");
    check_show(a, "", "torch_version", 1, "{}");
    check_show(a, "", "without_payload", 0, "");
    answers_free(a);
}

/* A digest names a payload, equal ones once; so does the line of its record. Too few digits name nothing. */
static void digests_and_lines(void **state)
{
    struct digest digest = digest_of(STR("same"));
    struct trace_text t = {0};
    const struct answers *a;
    char hex[DIGEST_HEX + 1], head[8];
    int found;

    (void)state;
    for (int i = 0; i < 3; i++)
        trace_artifact(&t, i == 2 ? "other" : "x", trace_ids(i, 0, 0), i == 2 ? "another" : "same");
    a = answers_of_trace(&t);
    digest_hex(&digest, hex);
    assert_same(shown(a, "", hex, RANK_UNKNOWN, &found), STR("same"));
    assert_int_equal(found, 1);
    snprintf(head, sizeof head, "%.6s", hex);
    assert_same(shown(a, "", head, RANK_UNKNOWN, &found), STR("same"));
    head[5] = '\0';
    shown(a, "", head, RANK_UNKNOWN, &found);
    assert_int_equal(found, 0);
    assert_same(shown(a, "", ":5", RANK_UNKNOWN, &found), STR("another"));
    shown(a, "", ":6", RANK_UNKNOWN, &found);
    assert_int_equal(found, 0);
    shown(a, "0/0", "x", RANK_UNKNOWN, &found);
    assert_int_equal(found, 1);
    shown(a, "", "x", RANK_UNKNOWN, &found);
    assert_int_equal(found, 2);
    answers_free(a);
}

static void facts(void **state)
{
    const struct answers *a = a_trace();
    struct str text;
    int found;

    (void)state;
    check_show(a, "0/0", "stack", 1, "/x.py:100 in <module>\n    main()\n/x.py:5 in f\n");
    check_show(a, "0/0", "inputs", 1, "L['x']  torch.float32[2]  strides [1]  cpu  requires_grad\n");
    check_show(a, "0/0", "symbols", 1, "s0  L['x'].size()[0]  seen 4  [2, int_oo]\n");
    check_show(a, "0/1", "symbols", 0, "");
    text = shown(a, "0/1", "metrics", RANK_UNKNOWN, &found);
    assert_true(str_starts(text, STR("{\n")));
    assert_true(str_has(text, STR("\"duration_us\": 2500")));
    assert_int_equal(found, 1);
    shown(a, "", "metrics", RANK_UNKNOWN, &found);
    assert_int_equal(found, 2);
    answers_free(a);
}

static void one_rank(void **state)
{
    struct run *r = run_new();
    const struct answers *a;
    int found;

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        static const char *const names[] = {"rank_0.log", "rank_1.log", "none.log"};
        static const char *const texts[] = {"of 0", "of 1", "of none"};
        struct trace_text t = {.pid = 10 + i};

        trace_artifact(&t, "x", IN(0, 0, 0), texts[i]);
        trace_add(r, names[i], &t);
    }
    run_finish(r);
    a = answers_of(r);
    assert_same(shown(a, "0/0", "x", 1, &found), STR("of 1"));
    shown(a, "0/0", "x", 2, &found);
    assert_int_equal(found, 0);
    shown(a, "0/0", "x", RANK_UNKNOWN, &found);
    assert_int_equal(found, 3);
    answers_free(a);
}

#define ARTIFACTS_OF_0 "dynamo_graph_break_reason, dynamo_output_graph, metrics, stack"
#define ARTIFACTS_OF_ALL ARTIFACTS_OF_0 ", recompile_reasons, torch_version"

/* The errors of one line, and of one rank. */
static void errors_of_a_line(void **state)
{
    static const struct {
        int64_t line;
        int rank;
        bool of_0, of_1;
    } cases[] = {
        {7, RANK_UNKNOWN, true, true}, {7, 0, true, false},   {7, 1, false, true},
        {7, 2, false, false},          {8, 0, false, false}, {8, RANK_UNKNOWN, false, false},
    };
    struct run *r = run_new();
    const struct answers *a;

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct trace_text t = {.pid = 10 + i};

        trace_error(&t, IN(0, 0, 0), "ValueError", i ? "of 1" : "of 0", 7);
        trace_metrics(&t, IN(0, 0, 0), "\"fail_type\": \"ValueError\"");
        trace_add(r, i ? "rank_1.log" : "rank_0.log", &t);
    }
    run_finish(r);
    a = answers_of(r);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct text t = {.arena = r->arena, .width = 100};
        struct show_place p = {STR("x.py"), cases[i].line, cases[i].rank};

        show_place_write(&t, a, &p);
        assert_int_equal(str_has(buf_view(&t.buf), STR("ValueError: of 0")), cases[i].of_0);
        assert_int_equal(str_has(buf_view(&t.buf), STR("ValueError: of 1")), cases[i].of_1);
        buf_free(&t.buf);
    }
    answers_free(a);
}

/* What there is instead of what is not there, and the name that was meant, or a short one. */
static void named_instead(void **state)
{
    static const struct {
        const char *id, *what;
        int rank;
        const char *sentence;
    } cases[] = {
        {"0/0", "dynamo_output_grap", RANK_UNKNOWN,
         "no dynamo_output_grap (did you mean dynamo_output_graph?); the compile has " ARTIFACTS_OF_0},
        {"0/0", "grahp", RANK_UNKNOWN, "no grahp (did you mean graph?); the compile has " ARTIFACTS_OF_0},
        {"0/1", "graph_break", RANK_UNKNOWN,
         "no graph_break; the compile has recompile_reasons, dynamo_output_graph, metrics, stack"},
        {"", "nowhere", RANK_UNKNOWN, "no nowhere; the compiles have " ARTIFACTS_OF_ALL},
        {"", "torch_versions", RANK_UNKNOWN,
         "no torch_versions (did you mean torch_version?); the compiles have " ARTIFACTS_OF_ALL},
        {"7/0", "", RANK_UNKNOWN, "no compile 7/0; compiles in the trace: 0/0, 0/1"},
        {"7/0", "graph", RANK_UNKNOWN, "no compile 7/0; compiles in the trace: 0/0, 0/1"},
        {"", "graph", 3, "no rank 3; ranks in the trace: none"},
    };
    const struct answers *a = a_trace();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct show_query q = {.what = str_of(cases[i].what), .rank = cases[i].rank};
        struct str id = str_of(cases[i].id);
        int attempt;

        q.has_id = id.n && compile_id_take(&id, &q.id, &attempt);
        assert_str(show_instead(a->run->arena, a, &q), cases[i].sentence);
    }
    answers_free(a);
}

/* The trace is read again for a payload: a file that was cut off meanwhile is an error. */
static void a_file_that_shrank(void **state)
{
    const struct answers *a = a_trace();
    int found;

    (void)state;
    assert_int_equal(truncate(temp_path("trace.log"), 100), 0);
    shown(a, "0/1", "graph", RANK_UNKNOWN, &found);
    assert_int_equal(found, -EIO);
    answers_free(a);
}

/* On a terminal a payload cannot do more than be read, and ends its line. */
static void on_a_terminal(void **state)
{
    struct trace_text t = {0};
    struct show_query q = {.what = STR("x"), .rank = RANK_UNKNOWN};
    const struct answers *a;
    struct text out;

    (void)state;
    trace_artifact(&t, "x", IN(0, 0, 0), "\x1b]0;title\a\ttext\x1b[2J");
    a = answers_of_trace(&t);
    out = (struct text){.arena = a->run->arena, .width = 100, .terminal = true};
    assert_int_equal(show_write(&out, a, &q), 1);
    assert_same(buf_view(&out.buf), STR("?]0;title?\ttext?[2J\n"));
    buf_free(&out.buf);
    answers_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists),    cmocka_unit_test(one_compile),        cmocka_unit_test(errors),
        cmocka_unit_test(payloads), cmocka_unit_test(digests_and_lines),  cmocka_unit_test(facts),
        cmocka_unit_test(one_rank), cmocka_unit_test(a_file_that_shrank), cmocka_unit_test(on_a_terminal),
        cmocka_unit_test(named_instead), cmocka_unit_test(errors_of_a_line),
    };

    return RUN(tests);
}
