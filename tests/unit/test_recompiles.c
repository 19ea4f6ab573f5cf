#include "answers_text.h"

#include "analysis/answers/recompiles.h"

/* "0/1 size<0/0 | 0/2 dtype<0/1 size<0/0": every recompile with the classes of its reasons and whose guard failed. */
static struct str recompiles_of(const struct answers *a)
{
    struct arena *s = a->run->arena;
    struct str out = STR("");

    for (size_t i = 0; i < a->recompiles.list.n; i++) {
        const struct recompile *rc = a->recompiles.list.v[i];

        out = arena_printf(s, "%.*s%s%.*s", STR_ARG(out), i ? " | " : "", STR_ARG(answers_id(a, rc->compile)));
        vec_each(const struct guard_reason, g, &rc->reasons) out =
            arena_printf(s, "%.*s %s<%.*s", STR_ARG(out), guard_class_name(g->class), STR_ARG(g->against));
    }
    return out;
}

/* "f size 0/1 0/2 LIMIT 0/8 | g …": the chains with their class, in their order. */
static struct str chains_of(const struct answers *a)
{
    struct arena *s = a->run->arena;
    struct str out = STR("");

    for (size_t i = 0; i < a->recompiles.chains.n; i++) {
        const struct recompile_chain *chain = a->recompiles.chains.v[i];

        out = arena_printf(s, "%.*s%s%.*s %s", STR_ARG(out), i ? " | " : "", STR_ARG(chain->frame->name),
                           guard_class_name(chain->class));
        for (size_t k = 0; k < chain->list.n; k++)
            out = arena_printf(s, "%.*s %.*s", STR_ARG(out), STR_ARG(answers_id(a, chain->list.v[k]->compile)));
        if (chain->limit)
            out = arena_printf(s, "%.*s LIMIT %.*s", STR_ARG(out), STR_ARG(answers_id(a, chain->limit)));
    }
    return out;
}

#define check(t, of, expected)                                                                                         \
    do {                                                                                                               \
        const struct answers *a_ = answers_of_trace(t);                                                                \
                                                                                                                       \
        assert_str(of(a_), expected);                                                                                  \
        assert_int_equal(a_->counts.recompiles, a_->recompiles.list.n);                                                \
        answers_free(a_);                                                                                              \
    } while (0)

static void reasons(struct trace_text *t, const char *ids, const char *text)
{
    trace_artifact(t, "recompile_reasons", ids, text);
}

static void what_is_a_recompile(void **state)
{
    struct trace_text t = {0};

    (void)state;
    trace_file(&t);
    trace_start(&t, IN(0, 0, 0), "f", 5);
    trace_start(&t, IN(0, 1, 0), "f", 5);
    trace_start(&t, IN(1, 0, 0), "torch_dynamo_resume_in_f_at_7", 5); /* the first of a resume function is none */
    trace_start(&t, IN(1, 1, 0), "torch_dynamo_resume_in_f_at_7", 5);
    trace_start(&t, IN(0, 0, 0), "f", 5); /* an epoch begins: so does the chain */
    trace_start(&t, IN(0, 1, 0), "f", 5);
    t.pid = 7;
    trace_file(&t);
    trace_start(&t, IN(0, 1, 0), "f", 5); /* whose [0/0] is not in the trace */
    check(&t, chains_of, "f other 0:0/1 | torch_dynamo_resume_in_f_at_7 other 0:1/1 | f other 0:0/1 | f other 1:0/1");
}

/* The reasons stand before the start of the compile, newest compile first; one alone is no JSON. */
static void reasons_of_the_record(void **state)
{
    struct trace_text t = {0};

    (void)state;
    trace_file(&t);
    trace_start(&t, IN(0, 0, 0), "f", 5);
    reasons(&t, IN(0, 1, 0), "0/0: tensor 'x' size mismatch at index 0. expected 4, actual 5");
    trace_start(&t, IN(0, 1, 0), "f", 5);
    reasons(&t, IN(0, 2, 0),
            "[\n\"0/1: tensor 'x' dtype mismatch. expected Float, actual Int\",\n\"0/0: tensor 'x' size mismatch at "
            "index 0. expected 4, actual 5\"\n]");
    trace_start(&t, IN(0, 2, 0), "f", 5);
    reasons(&t, IN(0, 3, 0), "[\n\n]");
    trace_start(&t, IN(0, 3, 0), "f", 5);
    check(&t, recompiles_of, "0/1 size<0/0 | 0/2 dtype<0/1 size<0/0 | 0/3");
}

/* Of two reasons, the one that the previous recompile had as well was there before: the other one is new. */
static void a_reason_that_was_there_before(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;

    (void)state;
    trace_file(&t);
    trace_start(&t, IN(0, 0, 0), "f", 5);
    reasons(&t, IN(0, 1, 0), "0/0: L['mode'] == 'a'");
    trace_start(&t, IN(0, 1, 0), "f", 5);
    reasons(&t, IN(0, 2, 0), "0/1: L['kind'] == 'b'");
    trace_start(&t, IN(0, 2, 0), "f", 5);
    reasons(&t, IN(0, 3, 0), "[\n\"0/1: L['kind'] == 'b'\",\n\"0/0: L['mode'] == 'a'\"\n]");
    trace_start(&t, IN(0, 3, 0), "f", 5);
    a = answers_of_trace(&t);
    assert_str(answers_finding(a, "recompile-constant")->title,
               "`f` recompiled twice: the string `mode` was 'a' and has changed");
    assert_str(answers_finding(a, "recompile-constant-2")->title,
               "`f` recompiled once: the string `kind` was 'b' and has changed");
    answers_free(a);
}

/* A truncated trace, or error_on_recompile: the reason is known from elsewhere. */
static void reasons_of_other_records(void **state)
{
    static const struct {
        const char *metrics, *reasons;
    } cases[] = {
        {"\"recompile_reason\": \"0/0: n == 7\"", "0/1 int<0/0"},
        {"\"recompile_reason\": \"Unable to find recompilation reasons\"", "0/1"},
        {"\"recompile_reason\": null", "0/1"},
        {"\"recompile_reason\": 7", "0/1"},
        {"\"fail_type\": \"RecompileError\", \"fail_reason\": \"Recompiling function f in /x.py:5\\n    triggered by "
         "the following guard failure(s):\\n    - 0/0: n == 7\"",
         "0/1 int<0/0"},
        {"\"fail_type\": \"ValueError\", \"fail_reason\": \"    - 0/0: n == 7\"", "0/1"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};

        trace_metrics(&t, IN(0, 1, 0), cases[i].metrics);
        check(&t, recompiles_of, cases[i].reasons);
        reasons(&t, IN(0, 1, 0), "0/0: flag == True"); /* the record counts, where there is one */
        trace_metrics(&t, IN(0, 1, 0), cases[i].metrics);
        check(&t, recompiles_of, "0/1 bool<0/0");
    }
}

/* What decided most often is the class of a chain: the first reason of each recompile counts. */
static void class_of_a_chain(void **state)
{
    static const char *const texts[] = {
        "[\n\"0/1: n == 7\",\n\"0/0: flag == True\"\n]",
        "[\n\"0/2: n == 8\",\n\"0/1: flag == True\",\n\"0/0: flag == True\"\n]",
        "0/0: flag == True",
        "",
    };
    struct trace_text t = {0};
    const struct answers *a;
    const struct recompile_chain *chain;

    (void)state;
    trace_file(&t);
    for (int i = 0; i < 4; i++) {
        reasons(&t, trace_ids(0, i + 1, 0), texts[i]);
        trace_start(&t, trace_ids(0, i + 1, 0), "f", 5);
    }
    a = answers_of_trace(&t);
    chain = a->recompiles.chains.v[0];
    assert_str(chains_of(a), "f int 0/1 0/2 0/3 0/4");
    assert_str(chain->sample->guard, "n == 7");
    assert_str(chain->sample->against, "0/1");
    answers_free(a);
}

static void without_reasons(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;

    (void)state;
    trace_file(&t);
    trace_start(&t, IN(0, 1, 0), "f", 5);
    a = answers_of_trace(&t);
    assert_str(chains_of(a), "f other 0/1");
    assert_null(a->recompiles.chains.v[0]->sample);
    answers_free(a);
}

#define TOOK(us) "\"start_time_us\": 1795255200000000, \"duration_us\": " #us

/* Chains that ran into the limit first, then by the time they took, then as they come. */
static void order_of_chains(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;

    (void)state;
    trace_file(&t);
    for (int i = 0; i < 5; i++) {
        static const char *const names[] = {"slow", "same", "equal", "long", "limited"};
        static const char *const first[] = {TOOK(5000), TOOK(10), TOOK(10), TOOK(3000), TOOK(1)};
        static const char *const second[] = {
            TOOK(1000), TOOK(0), TOOK(0), TOOK(4000),
            TOOK(1) ", \"fail_type\": \"Unsupported\", \"fail_reason\": \"Dynamo recompile limit exceeded\""};

        trace_start(&t, trace_ids(i, 1, 0), names[i], 5);
        trace_metrics(&t, trace_ids(i, 1, 0), first[i]);
        if (i != 4)
            trace_start(&t, trace_ids(i, 2, 0), names[i], 5);
        trace_metrics(&t, trace_ids(i, 2, 0), second[i]);
    }
    a = answers_of_trace(&t);
    assert_str(chains_of(a), "limited other 4/1 4/2 LIMIT 4/2 | long other 3/1 3/2 | slow other 0/1 0/2 | "
                             "same other 1/1 1/2 | equal other 2/1 2/2");
    assert_int_equal(a->recompiles.chains.v[1]->duration_us, 7000);
    assert_int_equal(a->recompiles.limit_hits, 1);
    assert_int_equal(a->counts.recompile_limit_hits, 1);
    /* All recompiles stand in the order of the compiles. */
    assert_str(recompiles_of(a), "0/1 | 0/2 | 1/1 | 1/2 | 2/1 | 2/2 | 3/1 | 3/2 | 4/1 | 4/2");
    answers_free(a);
}

/* 2.5 writes the reasons, refuses and says nothing more: no start, no metrics, no events. */
static void refused_without_a_word(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;

    (void)state;
    trace_file(&t);
    trace_start(&t, IN(0, 0, 0), "f", 5);
    reasons(&t, IN(0, 1, 0), "0/0: n == 7");
    trace_start(&t, IN(0, 1, 0), "f", 5);
    reasons(&t, IN(0, 2, 0), "0/1: n == 8");
    a = answers_of_trace(&t);
    assert_str(chains_of(a), "f int 0/1 0/2 LIMIT 0/2");
    assert_int_equal(a->recompiles.limit_hits, 1);
    assert_int_equal(a->counts.errors, 0);
    answers_free(a);

    /* An event says that it went on. */
    trace_start(&t, IN(0, 1, 0), "f", 5);
    reasons(&t, IN(0, 2, 0), "0/1: n == 8");
    trace_event(&t, IN(0, 2, 0), "dynamo", 'B', 10);
    check(&t, chains_of, "f int 0/1 0/2");
}

/* One that is compiled again, called from `function` of a file of a library. */
struct called {
    const char *file, *function, *reasons[4], *words;
};

static void check_library(const struct called *c)
{
    struct trace_text t = {0};
    const struct answers *a;
    const struct finding *x;

    trace_recordf(&t, "{\"str\": [\"%s\", 1]}", c->file);
    trace_record(&t, "{\"str\": [\"/home/x.py\", 2]}");
    for (int i = 0; i == 0 || c->reasons[i - 1]; i++) {
        if (i)
            reasons(&t, trace_ids(0, i, 0), c->reasons[i - 1]);
        trace_recordf(&t,
                      "{\"dynamo_start\": {\"stack\": [{\"line\": 1, \"name\": \"%s\", \"filename\": 1}, "
                      "{\"line\": 5, \"name\": \"f\", \"filename\": 2}]}, %s}",
                      c->function, trace_ids(0, i, 0));
    }
    a = answers_of_trace(&t);
    assert_true(a->findings->list.n > 0);
    x = a->findings->list.v[0];
    if (!str_has(x->fix, str_of(c->words)) && !str_has(x->detail, str_of(c->words)))
        fail_msg("%s, not: %.*s %.*s", c->words, STR_ARG(x->detail), STR_ARG(x->fix));
    answers_free(a);
}

#define GENERATE "/v/transformers/generation/utils.py", "generate"
#define SIZE(number, dim, then, now)                                                                                   \
    "0/" number ": tensor 'x' size mismatch at index " dim ". expected " then ", actual " now

/* Recompiles that a library causes. */
static void of_libraries(void **state)
{
    static const struct called cases[] = {
        {GENERATE, {SIZE("0", "1", "5", "1")}, "it reads the prompt in one call"},
        {GENERATE, {SIZE("0", "1", "5", "1"), SIZE("1", "1", "1", "7")}, "it reads the prompt in one call"},
        {GENERATE, {SIZE("0", "0", "5", "1")}, "sizes of 0 and 1 on their own"},
        {GENERATE, {SIZE("0", "0", "5", "6")}, "batches of several sizes"},
        {GENERATE, {SIZE("0", "1", "5", "6")}, "Prompts have several lengths"},
        {"/v/transformers/trainer.py", "train", {SIZE("0", "1", "5", "6")}, "The Trainer pads each batch"},
        {"/v/transformers/trainer.py", "train", {"0/0: self.config.problem_type is None"}, "writes `problem_type`"},
        {"/home/y.py", "train", {SIZE("0", "1", "5", "6")}, "mark_dynamic"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        check_library(&cases[i]);
}

static void describe(struct trace_text *t, const char *ids, int size)
{
    trace_recordf(t,
                  "{\"describe_tensor\": {\"id\": 0, \"describer_id\": 1, \"ndim\": 1, \"dtype\": \"torch.float32\", "
                  "\"device\": \"device(type='cpu')\", \"size\": [%d], \"stride\": [1], \"storage\": 0}, %s}",
                  size, ids);
    trace_recordf(t, "{\"describe_source\": {\"describer_id\": 1, \"id\": 0, \"source\": \"L['x']\"}, %s}", ids);
}

/* A guard of both bounds fails for a size of 1: no code decides that. Newer versions name the tensor without L. */
static void below_the_bound(void **state)
{
    static const char *const guards[] = {"0/0: 2 <= L['x'].size()[0] <= 5", "0/0: 2 <= x.size()[0] <= 5"};

    (void)state;
    for (size_t i = 0; i < COUNT(guards); i++) {
        struct trace_text t = {0};
        const struct answers *a;

        trace_file(&t);
        trace_start(&t, IN(0, 0, 0), "f", 5);
        describe(&t, IN(0, 0, 0), 3);
        reasons(&t, IN(0, 1, 0), guards[i]);
        trace_start(&t, IN(0, 1, 0), "f", 5);
        describe(&t, IN(0, 1, 0), 1);
        a = answers_of_trace(&t);
        assert_str(a->findings->list.v[0]->title,
                   "`f` recompiled once: dimension 0 of `x` is now 1, and the compiled code takes 2 and more");
        answers_free(a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_a_recompile),      cmocka_unit_test(reasons_of_the_record),
        cmocka_unit_test(a_reason_that_was_there_before),
        cmocka_unit_test(reasons_of_other_records), cmocka_unit_test(class_of_a_chain),
        cmocka_unit_test(without_reasons),          cmocka_unit_test(order_of_chains),
        cmocka_unit_test(refused_without_a_word),   cmocka_unit_test(of_libraries),
        cmocka_unit_test(below_the_bound),
    };

    return RUN(tests);
}
