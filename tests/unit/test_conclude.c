/* What the records of one process say together. Ranks, runs and statuses are in test_run.c. */
#include "answers_text.h"

/* "0/0 print@7 restart, 1/0 input@9": the breaks of all compiles in order, and their origin. */
static struct str breaks_of(const struct run *r)
{
    static const char *const origins[] = {"", " restart", " failure", " explain", " resume"};
    struct compile_walk w = {.run = r};
    const struct compile *c;
    struct str out = STR("");

    while ((c = compile_next(&w)))
        for (size_t i = 0; i < c->breaks.n; i++) {
            const struct graph_break *b = c->breaks.v[i];

            out = arena_printf(r->arena, "%.*s%s%.*s %.*s@%lld%s%s", STR_ARG(out), out.n ? ", " : "",
                               STR_ARG(compile_id_print(r->arena, c->id)), STR_ARG(b->type), (long long)b->line,
                               origins[b->origin], b->restarted ? "+" : "");
        }
    return out;
}

#define check_breaks(t, expected)                                                                                      \
    do {                                                                                                               \
        struct run *r_ = trace_run(t);                                                                                 \
                                                                                                                       \
        assert_str(breaks_of(r_), expected);                                                                           \
        run_free(r_);                                                                                                  \
    } while (0)

/* --- failures ----------------------------------------------------------------------------------------------------- */

#define FAIL(type, reason) "\"fail_type\": \"" type "\", \"fail_reason\": \"" reason "\""

/* Whether the program saw an exception, or Dynamo ran the frame eagerly because of it; and whether it is the limit. */
static void fallbacks(void **state)
{
    static const struct {
        const char *metrics;
        bool break_recorded, fallback, limit;
    } cases[] = {
        {FAIL("Unsupported", "print"), true, true, false},
        {FAIL("Unsupported", "print"), false, true, false}, /* 2.6 and earlier do not record all breaks */
        {FAIL("Unsupported", "print\\n  Explanation: so"), false, false, false}, /* fullgraph=True */
        {FAIL("SideEffectsError", "no"), true, true, false},
        {FAIL("UserError", "no"), true, false, false},
        {FAIL("BackendCompilerFailed", "no"), true, false, false},
        {FAIL("Unsupported", "Dynamo recompile limit exceeded\\n  Explanation"), false, true, true},
        {FAIL("Unsupported", "Dynamo cache limit exceeded\\n  Explanation"), false, true, true},
        {FAIL("RecompileLimitExceeded", "accumulated_recompile_limit reached"), false, true, true},
        {FAIL("CacheLimitExceeded", "cache_size_limit reached"), false, true, true},
        {FAIL("Unsupported", "cache_size_limit reached"), false, true, true},
        {FAIL("FailOnRecompileLimitHit", "Hard failure due to fullgraph=True"), false, false, true},
        {FAIL("ValueError", "my recompile_limit"), false, false, false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        const struct compile *c;
        struct run *r;

        if (cases[i].break_recorded)
            trace_break(&t, IN(0, 8, 0), "print", "f", 7);
        trace_metrics(&t, IN(0, 8, 0), cases[i].metrics);
        r = trace_run(&t);
        c = r->processes.v[0]->compiles.v[0];
        assert_int_equal(c->failures.n, 1);
        if (c->failures.v[0]->fallback != cases[i].fallback || c->limit_hit != cases[i].limit)
            fail_msg("%s: %d %d", cases[i].metrics, c->failures.v[0]->fallback, c->limit_hit);
        run_free(r);
    }
}

/* A backward graph that could not be compiled is an error whatever its class. */
static void backward_failures_are_no_fallbacks(void **state)
{
    struct trace_text t = {0};
    struct run *r;

    (void)state;
    trace_break(&t, IN(0, 0, 0), "print", "f", 7);
    trace_record(&t, "{\"bwd_compilation_metrics\": {" FAIL("Unsupported", "no") "}, " IN(0, 0, 0) "}");
    r = trace_run(&t);
    assert_false(r->processes.v[0]->compiles.v[0]->failures.v[0]->fallback);
    assert_str(trace_compiles(r), "0/0 error");
    run_free(r);
}

/* --- graph breaks: their origin ----------------------------------------------------------------------------------- */

#define OF_VERSION(version, rest) "\"pytorch_version\": \"" version "\", " rest
#define RESTARTED "\"restart_reasons\": [\"print\"]"

/* From 2.6 on every break is a record, so other traces of one mean something else. */
static void by_version(void **state)
{
    static const struct {
        const char *metrics, *breaks;
    } cases[] = {
        {OF_VERSION("2.4.1+cpu", RESTARTED), "0/0 print@0 restart+"},
        {OF_VERSION("2.5.1", RESTARTED), "0/0 print@0 restart+"},
        {OF_VERSION("2.6.0a0+git1", RESTARTED), ""},
        {OF_VERSION("2.10.0", RESTARTED), ""},
        {OF_VERSION("3.0.0", RESTARTED), ""},
        {OF_VERSION("main", RESTARTED), "0/0 print@0 restart+"},
        {RESTARTED, "0/0 print@0 restart+"}, /* 2.3 to 2.5 do not record their version */
    };
    struct trace_text t = {0};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        trace_metrics(&t, IN(0, 0, 0), cases[i].metrics);
        check_breaks(&t, cases[i].breaks);
    }
    /* A record of any break shows that breaks are recorded. */
    trace_metrics(&t, IN(0, 0, 0), RESTARTED);
    trace_break(&t, IN(1, 0, 0), "input", "f", 7);
    check_breaks(&t, "1/0 input@7");
}

/* Dynamo starts again also when it only learned something (torch/_dynamo/exc.py). */
static void restarts_that_are_no_breaks(void **state)
{
    struct trace_text t = {0};

    (void)state;
    trace_metrics(&t, IN(0, 0, 0),
                  "\"restart_reasons\": [\"<class 'torch._dynamo.exc.UnspecializeRestartAnalysis'>\", "
                  "\"source-less requires_grad_() intermediate leaked as output\", \"autograd.grad consumed grad_fns "
                  "of returned tensors\", \"Unknown fail_and_restart_analysis\", \"call_method item\"]");
    check_breaks(&t, "0/0 call_method item@0 restart+");
}

/* 2.5: for a frame that Dynamo gave up, only the exception shows the break. */
static void breaks_from_failures(void **state)
{
    struct trace_text t = {0};

    (void)state;
    trace_metrics(&t, IN(0, 0, 0),
                  FAIL("Unsupported", "builtin: print\\nmore") ", \"fail_user_frame_filename\": \"/x.py\", "
                                                               "\"fail_user_frame_lineno\": 7");
    trace_metrics(&t, IN(1, 0, 0), FAIL("TorchRuntimeError", "no"));
    trace_metrics(&t, IN(2, 0, 0), FAIL("Unsupported", "cache_size_limit reached"));
    trace_metrics(&t, IN(3, 0, 0), "\"fail_type\": \"Unsupported\"");
    trace_metrics(&t, IN(4, 0, 0), FAIL("Unsupported", "print\\n  Explanation: so")); /* fullgraph=True: raised */
    check_breaks(&t, "0/0 builtin: print@7 failure");

    /* 2.6 records most breaks, but none in front of a `with` block. */
    trace_metrics(&t, IN(0, 0, 0), OF_VERSION("2.6.0", FAIL("Unsupported", "BEFORE_WITH lock")));
    trace_break(&t, IN(1, 0, 0), "input", "f", 7);
    trace_metrics(&t, IN(1, 0, 0), FAIL("Unsupported", "input"));
    check_breaks(&t, "0/0 BEFORE_WITH lock@0 failure, 1/0 input@7");
}

/* Attempts meet the same break again; the same line called from elsewhere is another one. */
static void repeated_breaks(void **state)
{
    struct trace_text t = {0};

    (void)state;
    trace_break(&t, IN(0, 0, 0), "print", "f", 7);
    trace_break(&t, IN(0, 0, 1), "print", "f", 7);
    trace_break(&t, IN(0, 0, 1), "print", "f", 8);
    trace_break(&t, IN(0, 0, 1), "print", "g", 7); /* its stack is another */
    trace_break(&t, IN(0, 0, 1), "input", "f", 7);
    check_breaks(&t, "0/0 print@7, 0/0 print@8, 0/0 print@7, 0/0 input@7");
}

/* --- graph breaks: known from resume functions -------------------------------------------------------------------- */

/* A resume function is called by the frame that broke: its stack has one more call. */
static void resumed_by(struct trace_text *t, const char *ids, int callers, const char *function, int line)
{
    struct buf json = {0};

    buf_printf(&json, "{\"dynamo_start\": {\"stack\": [");
    for (int i = 0; i < callers; i++)
        buf_printf(&json, "{\"line\": 100, \"name\": \"caller\", \"filename\": 0}, ");
    buf_printf(&json, "{\"line\": 5, \"name\": \"torch_dynamo_resume_in_%s_at_%d\", \"filename\": 0}]}, %s}", function,
               line, ids);
    buf_char(&json, '\0');
    trace_record(t, json.p);
    buf_free(&json);
}

static void resumed(struct trace_text *t, const char *ids, const char *function, int line)
{
    resumed_by(t, ids, 2, function, line);
}

/* Both ways of a jump have a resume function, named after the same line: one break. */
static void one_jump(void **state)
{
    struct trace_text t = {0};

    (void)state;
    trace_file(&t);
    trace_start(&t, IN(0, 0, 0), "f", 5);
    resumed(&t, IN(1, 0, 0), "f", 7);
    resumed(&t, IN(2, 0, 0), "f", 7);
    check_breaks(&t, "0/0 Graph break@7 resume");
}

/* A function that broke twice: the second break is of the resume function, which is where it went on. */
static void one_after_the_other(void **state)
{
    struct trace_text t = {0};

    (void)state;
    trace_file(&t);
    trace_start(&t, IN(0, 0, 0), "f", 5);
    resumed(&t, IN(1, 0, 0), "f", 7);
    resumed_by(&t, IN(2, 0, 0), 3, "f", 9);
    resumed_by(&t, IN(2, 1, 0), 3, "f", 9); /* compiled again */
    check_breaks(&t, "0/0 Graph break@7 resume, 1/0 Graph break@9 resume");
}

/* Reasons without a place get those of the resume functions, in their order. */
static void places_for_reasons(void **state)
{
    struct trace_text t = {0};

    (void)state;
    trace_file(&t);
    trace_start(&t, IN(0, 0, 0), "f", 5);
    trace_metrics(&t, IN(0, 0, 0), "\"restart_reasons\": [\"print\", \"input\"]");
    resumed(&t, IN(1, 0, 0), "f", 7);
    trace_start(&t, IN(0, 1, 0), "f", 5); /* of this compile nobody says more than that it went on */
    resumed(&t, IN(2, 0, 0), "f", 12);
    check_breaks(&t, "0/0 print@7 restart+, 0/0 input@0 restart+, 0/1 Graph break@12 resume");
}

/* Of several functions of one name in a file, the one that begins above the line where it goes on. */
static void namesakes(void **state)
{
    struct trace_text t = {0};

    (void)state;
    trace_file(&t);
    trace_start(&t, IN(0, 0, 0), "forward", 10);
    trace_start(&t, IN(1, 0, 0), "forward", 30);
    trace_start(&t, IN(2, 0, 0), "forward", 20);
    trace_start(&t, IN(3, 0, 0), "other", 22);
    resumed(&t, IN(4, 0, 0), "forward", 25);
    resumed(&t, IN(5, 0, 0), "forward", 30);
    resumed(&t, IN(6, 0, 0), "forward", 9); /* above all of them */
    check_breaks(&t, "1/0 Graph break@30 resume, 2/0 Graph break@25 resume");
}

static void of_another_epoch(void **state)
{
    struct trace_text t = {0};

    (void)state;
    trace_file(&t);
    trace_start(&t, IN(0, 0, 0), "f", 5);
    trace_metrics(&t, IN(0, 0, 0), "\"graph_op_count\": 2");
    trace_start(&t, IN(0, 0, 0), "g", 5); /* torch._dynamo.reset() */
    resumed(&t, IN(1, 0, 0), "f", 7);
    check_breaks(&t, "");
}

/* Recursion: of several compiles of a function, the one that its stack says called it. */
static void by_the_depth_of_the_stack(void **state)
{
    struct trace_text t = {0};

    (void)state;
    trace_file(&t);
    trace_start(&t, IN(0, 0, 0), "f", 5);
    trace_recordf(
        &t,
        "{\"dynamo_start\": {\"stack\": [{\"line\": 100, \"name\": \"<module>\", \"filename\": 0}, {\"line\": "
        "6, \"name\": \"f\", \"filename\": 0}, {\"line\": 5, \"name\": \"f\", \"filename\": 0}]}, %s}",
        IN(0, 1, 0));
    resumed_by(&t, IN(1, 0, 0), 3, "f", 9);
    resumed(&t, IN(2, 0, 0), "f", 7);
    resumed_by(&t, IN(3, 0, 0), 9, "f", 11); /* where none fits, the newest */
    check_breaks(&t, "0/0 Graph break@7 resume, 0/1 Graph break@9 resume, 2/0 Graph break@11 resume");
}

/* --- the rest ----------------------------------------------------------------------------------------------------- */

#define SYMBOL(name) "{\"create_symbol\": {\"symbol\": \"" name "\", \"val\": \"4\"}, " IN(0, 0, 0) "}"
#define FIXED(name, value)                                                                                             \
    "{\"symbolic_shape_specialization\": {\"symbol\": \"" name "\", \"value\": \"" value                               \
    "\", \"reason\": \"r\"}, " IN(0, 0, 0) "}"

/* A later attempt creates new symbols: earlier specializations do not apply. The last record of a symbol counts. */
static void specializations_of_symbols(void **state)
{
    struct trace_text t = {0};
    const struct compile *c;
    struct run *r;

    (void)state;
    trace_record(&t, SYMBOL("s0"));
    trace_record(&t, SYMBOL("s1"));
    trace_record(&t, FIXED("s0", "4"));
    trace_record(&t, FIXED("s0", "5"));
    trace_record(&t, FIXED("s9", "9"));
    trace_record(&t, SYMBOL("s0"));
    r = trace_run(&t);
    c = r->processes.v[0]->compiles.v[0];
    assert_str(c->symbols.v[0].specialized_to, "5");
    assert_str(c->symbols.v[0].specialized_reason, "r");
    assert_int_equal(c->symbols.v[1].specialized_to.n, 0);
    assert_int_equal(c->symbols.v[2].specialized_to.n, 0);
    run_free(r);
}

/* An id of a storage is unique for one describer. */
static void storages_of_tensors(void **state)
{
    static const char tensor[] =
        "{\"describe_tensor\": {\"id\": %d, \"describer_id\": %d, \"storage\": %d, \"ndim\": 1, "
        "\"dtype\": \"torch.float32\", \"size\": [2], \"stride\": [1]}, " IN(0, 0, 0) "}";
    static const char storage[] =
        "{\"describe_storage\": {\"id\": %d, \"describer_id\": %d, \"size\": %d}, " IN(0, 0, 0) "}";
    struct trace_text t = {0};
    const struct compile *c;
    struct run *r;

    (void)state;
    trace_recordf(&t, tensor, 0, 1, 0); /* before its storage */
    trace_recordf(&t, storage, 0, 1, 32);
    trace_recordf(&t, storage, 0, 2, 64);
    trace_recordf(&t, tensor, 1, 2, 0);
    trace_recordf(&t, tensor, 2, 2, 5);
    r = trace_run(&t);
    c = r->processes.v[0]->compiles.v[0];
    assert_str(c->tensors.v[0].storage_size, "32");
    assert_str(c->tensors.v[1].storage_size, "64");
    assert_int_equal(c->tensors.v[2].storage_size.n, 0);
    run_free(r);
}

/* What is worst about a compile is its status. */
static void statuses(void **state)
{
    struct trace_text t = {0};
    struct run *r;

    (void)state;
    trace_break(&t, IN(0, 0, 0), "print", "f", 7); /* a break, and no graph at all */
    trace_metrics(&t, IN(0, 0, 0), "\"graph_op_count\": 0");
    trace_break(&t, IN(1, 0, 0), "print", "f", 7); /* an error behind a break */
    trace_error(&t, IN(1, 0, 0), "ValueError", "what", 7);
    trace_break(&t, IN(2, 0, 0), "print", "f", 7); /* a break that ended it, which is no error */
    trace_error(&t, IN(2, 0, 0), "torch._dynamo.exc.Unsupported", "print", 7);
    trace_break(&t, IN(3, 0, 0), "print", "f", 7); /* a break in a compile that was cut off */
    trace_metrics(&t, IN(4, 0, 0), FAIL("RecompileLimitExceeded", "recompile_limit reached"));
    r = trace_run(&t);
    assert_str(trace_compiles(r), "0/0 graph_break, 1/0 error, 2/0 graph_break, 3/0 graph_break, 4/0 error");
    run_free(r);
}

/* Parents stand before their children, whatever the order of the file. */
static void order_of_events(void **state)
{
    struct trace_text t = {0};
    const struct process *p;
    struct run *r;

    (void)state;
    trace_event(&t, IN(0, 0, 0), "late", 'B', 50);
    trace_event(&t, IN(0, 0, 0), "late", 'E', 60);
    trace_event(&t, IN(0, 0, 0), "outer", 'B', 10);
    trace_event(&t, IN(0, 0, 0), "inner", 'B', 10);
    trace_event(&t, IN(0, 0, 0), "inner", 'E', 20);
    trace_event(&t, IN(0, 0, 0), "outer", 'E', 30);
    r = trace_run(&t);
    p = r->processes.v[0];
    assert_int_equal(p->events.n, 3);
    assert_str(p->events.v[0].name, "outer");
    assert_str(p->events.v[1].name, "inner");
    assert_str(p->events.v[2].name, "late");
    run_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fallbacks),
        cmocka_unit_test(backward_failures_are_no_fallbacks),
        cmocka_unit_test(by_version),
        cmocka_unit_test(restarts_that_are_no_breaks),
        cmocka_unit_test(breaks_from_failures),
        cmocka_unit_test(repeated_breaks),
        cmocka_unit_test(one_jump),
        cmocka_unit_test(one_after_the_other),
        cmocka_unit_test(places_for_reasons),
        cmocka_unit_test(namesakes),
        cmocka_unit_test(of_another_epoch),
        cmocka_unit_test(by_the_depth_of_the_stack),
        cmocka_unit_test(specializations_of_symbols),
        cmocka_unit_test(storages_of_tensors),
        cmocka_unit_test(statuses),
        cmocka_unit_test(order_of_events),
    };

    return RUN(tests);
}
