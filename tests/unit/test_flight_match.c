/* Which compiled code made the calls in a Flight Recorder's dump. */
#include "answers_text.h"

#include "ranks/flight/flight_match.h"

#define GRAPH                                                                                                          \
    "def forward(self, x):\n"                                                                                          \
    "    # File: /srv/shop.py:7 in step, code: dist.all_reduce(x)\n"                                                   \
    "    r: \"f32[4]\" = torch.ops._c10d_functional.all_reduce.default(x, 'sum', '0')\n"

/* Code that did not exist yet made no call. The times of records count only if their time zone is known. */
static void code_that_did_not_exist(void **state)
{
    static const struct {
        bool metrics, zone; /* what shows when the compile ended: 1 s after TRACE_EPOCH_US */
        int zone_hours;     /* of the records' times */
        int called_ms;      /* after TRACE_EPOCH_US */
        bool matches;
    } cases[] = {
        {true, true, 0, 500, false},   {true, true, 0, 2000, true},   {true, false, 0, 500, false},
        {true, false, 0, 2000, true},  {false, true, 0, 500, false},  {false, true, 0, 2000, true},
        {false, false, 0, 500, true},  {false, false, 0, 2000, true}, {false, true, 2, 500, false},
        {false, true, 2, 2000, true},  {false, true, -2, 500, false}, {false, true, -2, 2000, true},
        {true, true, 2, 500, false},   {true, true, 2, 2000, true},   {true, true, 0, 999, false},
        {true, false, -2, 500, false}, {true, true, 0, 1000, true},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        struct flight_group group = {.name = STR("0")};
        struct flight_op op = {.name = STR("all_reduce"), .out_shape = STR("[4]"), .out_dtype = STR("f32")};
        struct flight_entry entry = {.created_ns = TRACE_EPOCH_US * 1000 + cases[i].called_ms * 1000000ll};
        struct flight_dump dump = {.groups = {.v = &group, .n = 1}, .ops = {.v = &op, .n = 1}};
        struct flight_rank rank = {.last = {.dump = &dump}};
        struct flight_run flights = {0};
        struct contents contents;
        struct compile *c;
        struct run *r;

        trace_file(&t);
        trace_start(&t, IN(0, 0, 0), "step", 5);
        trace_payload(&t, "{\"inductor_post_grad_graph\": {}, " IN(0, 0, 0) "}", GRAPH);
        if (cases[i].metrics)
            trace_metrics(&t, IN(0, 0, 0), "\"start_time_us\": 1795255200000000, \"duration_us\": 1000000");
        r = trace_run(&t);
        c = r->processes.v[0]->compiles.v[0];
        c->process->zone_known = cases[i].zone;
        c->process->zone_us = cases[i].zone_hours * 3600000000ll;
        c->first_us = TRACE_EPOCH_US + c->process->zone_us;
        c->last_us = c->first_us + 1000000;
        vec_push(r->arena, &dump.entries, entry);
        rank.process = c->process;
        rank.last.entry = dump.entries.v;
        vec_push(r->arena, &flights.ranks, &rank);
        contents_init(&contents, r->arena, NULL);
        flight_match(r->arena, &contents, &flights);
        if ((rank.last.compile == c) != cases[i].matches)
            fail_msg("case %zu", i);
        assert_str(rank.last.file, cases[i].matches ? "/srv/shop.py" : "");
        contents_free(&contents);
        run_free(r);
    }
}

/* A trace of compiles, each with a graph of these lines, and the calls that a dump has. */
struct match {
    struct trace_text t;
    struct flight_group groups[2];
    struct flight_dump dump;
    struct flight_rank rank;
    struct flight_run flights;
    struct contents contents;
    struct run *r;
};

static void match_compile(struct match *m, int frame, const char *lines)
{
    char graph[2000], json[200];

    snprintf(graph, sizeof graph, "def forward(self, x):\n    # File: /srv/shop.py:%d in step, code: step(x)\n%s",
             frame + 7, lines);
    snprintf(json, sizeof json, "{\"inductor_post_grad_graph\": {}, %s}", trace_ids(frame, 0, 0));
    trace_start(&m->t, trace_ids(frame, 0, 0), "step", 5);
    trace_payload(&m->t, json, graph);
}

/* The last call of the dump is the one that is looked for; ops[i] is the operation of call i. */
static const struct flight_call *match_calls(struct match *m, struct flight_op *ops, size_t n, size_t wanted)
{
    m->r = trace_run(&m->t);
    m->groups[0].name = STR("0");
    m->groups[1].name = STR("1");
    m->dump.groups.v = m->groups;
    m->dump.groups.n = 2;
    m->dump.ops.v = ops;
    m->dump.ops.n = n;
    for (size_t i = 0; i < n; i++)
        vec_push(m->r->arena, &m->dump.entries, ((struct flight_entry){.op = (uint32_t)i, .number = i + 3}));
    m->rank.process = m->r->processes.v[0];
    m->rank.last.dump = &m->dump;
    m->rank.last.entry = &m->dump.entries.v[wanted];
    vec_push(m->r->arena, &m->flights.ranks, &m->rank);
    contents_init(&m->contents, m->r->arena, NULL);
    flight_match(m->r->arena, &m->contents, &m->flights);
    return &m->rank.last;
}

static void match_free(struct match *m)
{
    contents_free(&m->contents);
    run_free(m->r);
}

#define CALL(type, call) "    r: \"" type "\" = torch.ops._c10d_functional." call "\n"
#define REDUCE(type) CALL(type, "all_reduce.default(x, 'sum', '0')")
#define GATHER(type) CALL(type, "all_gather_into_tensor.default(x, 2, '0')")
#define SCATTER(type) CALL(type, "reduce_scatter_tensor.default(x, 'sum', 2, '0')")

/* A call is one of the code's, by operation, type and sizes, as far as both sides say them. */
static void what_fits(void **state)
{
    static const struct {
        const char *line, *op, *in, *out, *dtype;
        bool matches;
    } cases[] = {
        {REDUCE("f32[4]"), "all_reduce", "[4]", "[4]", "f32", true},
        {REDUCE("f32[4]"), "all_reduce", "[4]", "[5]", "f32", false},
        {REDUCE("f32[4]"), "all_reduce", "[4]", "[4]", "bf16", false},
        {REDUCE("f32[4]"), "all_reduce", "[4]", "[4]", "", true},
        {REDUCE("f32[4]"), "all_reduce", "", "", "f32", true},
        {REDUCE("f32[4, 2]"), "all_reduce", "[4]", "[4]", "f32", false},
        {REDUCE("f32[4]"), "all_reduce", "[4, 2]", "[4, 2]", "f32", false},
        {REDUCE("f32[4, 2]"), "all_reduce", "[4, 2]", "[4, 2]", "f32", true},
        {REDUCE("f32[4, s0]"), "all_reduce", "[4, 9]", "[4, 9]", "f32", true},
        {REDUCE("f32[s0, 4]"), "all_reduce", "[9, 5]", "[9, 5]", "f32", false},
        {REDUCE("f32[0]"), "all_reduce", "[0]", "[0]", "f32", true},
        {REDUCE("f32[]"), "all_reduce", "[]", "[]", "f32", true},
        {REDUCE("f32[4]"), "all_gather", "[4]", "[4]", "f32", false},
        /* what a gather returns has the inputs of both ranks */
        {GATHER("f32[8]"), "_all_gather_base", "[4]", "[8]", "f32", true},
        {GATHER("f32[8]"), "all_gather_single", "[4]", "[8]", "f32", true},
        {GATHER("f32[8]"), "all_gather", "[4]", "[8]", "f32", true},
        {GATHER("f32[8]"), "all_gather_into_tensor", "[4]", "[8]", "f32", true},
        {GATHER("f32[8]"), "all_gather", "[2, 2]", "[8]", "f32", true},
        {GATHER("f32[8]"), "all_gather", "[3]", "[6]", "f32", false},
        {GATHER("f32[8]"), "all_gather", "[8]", "[8]", "f32", false},
        {GATHER("f32[s0]"), "all_gather", "[3]", "[6]", "f32", true},
        {GATHER("f32[0]"), "all_gather", "[0]", "[0]", "f32", true},
        {GATHER("f32[8]"), "all_gather", "[2305843009213693952, 2]", "[8]", "f32", true}, /* beyond counting */
        {GATHER("f32[8]"), "all_gather", "[2305843009213693951]", "[8]", "f32", true},
        /* what a scatter returns is a part of its input */
        {SCATTER("f32[4]"), "_reduce_scatter_base", "[8]", "[4]", "f32", true},
        {SCATTER("f32[4]"), "reduce_scatter_single", "[8]", "[4]", "f32", true},
        {SCATTER("f32[4]"), "reduce_scatter", "[8]", "[4]", "f32", true},
        {SCATTER("f32[4]"), "reduce_scatter", "[4]", "[4]", "f32", false},
        {SCATTER("f32[4]"), "reduce_scatter", "[6]", "[3]", "f32", false},
        {SCATTER("f32[4]"), "all_reduce", "[8]", "[8]", "f32", true}, /* Gloo's way */
        {SCATTER("f32[4]"), "all_reduce", "[6]", "[6]", "f32", false},
        {CALL("f32[4]", "all_to_all_single.default(x, [2, 2], [2, 2], '0')"), "all_to_all", "[4]", "[4]", "f32", true},
        {CALL("f32[4]", "all_reduce_coalesced.default(x, 'sum', '0')"), "allreduce_coalesced", "[4]", "[4]", "f32",
         true},
        {CALL("f32[4]", "all_reduce.default(x, 'sum', '1')"), "all_reduce", "[4]", "[4]", "f32", false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct flight_op op = {.name = str_of(cases[i].op),
                               .in_shape = str_of(cases[i].in),
                               .out_shape = str_of(cases[i].out),
                               .out_dtype = str_of(cases[i].dtype)};
        struct match m = {0};
        const struct flight_call *call;

        trace_file(&m.t);
        match_compile(&m, 0, cases[i].line);
        call = match_calls(&m, &op, 1, 0);
        if ((call->compile != NULL) != cases[i].matches)
            fail_msg("case %zu", i);
        assert_int_equal(call->line, cases[i].matches ? 7 : 0);
        match_free(&m);
    }
}

/* Where several compiles have the call, the calls around it decide; where these do not, others are counted. */
static void which_compile(void **state)
{
    static const struct {
        const char *graphs[3];
        size_t wanted;
        int frame, others;
    } cases[] = {
        {{REDUCE("f32[4]"), REDUCE("f32[4]"), NULL}, 1, 0, 1},
        {{REDUCE("f32[4]"), REDUCE("f32[4]"), REDUCE("f32[4]")}, 1, 0, 2},
        {{REDUCE("f32[4]") REDUCE("f32[4]"), NULL, NULL}, 1, 0, 0},
        {{REDUCE("f32[4]"), REDUCE("f32[4]") GATHER("f32[8]"), NULL}, 1, 1, 0},
        {{REDUCE("f32[4]"), SCATTER("f32[4]") REDUCE("f32[4]"), NULL}, 1, 1, 0},
        {{REDUCE("f32[4]") GATHER("f32[8]"), SCATTER("f32[4]") REDUCE("f32[4]") GATHER("f32[8]"), NULL}, 1, 1, 0},
        {{SCATTER("f32[4]") REDUCE("f32[4]"), REDUCE("f32[4]") GATHER("f32[8]"), NULL}, 1, 0, 1},
        {{REDUCE("f32[4]"), REDUCE("f32[4]") REDUCE("f32[4]"), NULL}, 1, 0, 1},
        {{SCATTER("f32[4]"), GATHER("f32[8]"), REDUCE("f32[4]")}, 1, 2, 0},
        {{REDUCE("f32[4]"), REDUCE("f32[4]"), REDUCE("f32[4]") GATHER("f32[8]")}, 1, 2, 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct flight_op ops[] = {
            {.name = STR("reduce_scatter"), .in_shape = STR("[8]"), .out_shape = STR("[4]"), .out_dtype = STR("f32")},
            {.name = STR("all_reduce"), .in_shape = STR("[4]"), .out_shape = STR("[4]"), .out_dtype = STR("f32")},
            {.name = STR("all_gather"), .in_shape = STR("[4]"), .out_shape = STR("[8]"), .out_dtype = STR("f32")}};
        struct match m = {0};
        const struct flight_call *call;

        trace_file(&m.t);
        for (int k = 0; k < 3 && cases[i].graphs[k]; k++)
            match_compile(&m, k, cases[i].graphs[k]);
        call = match_calls(&m, ops, COUNT(ops), cases[i].wanted);
        if (!call->compile || call->compile->id.frame != cases[i].frame || (int)call->others != cases[i].others)
            fail_msg("case %zu: frame %d, %d others", i, call->compile ? call->compile->id.frame : -1,
                     (int)call->others);
        match_free(&m);
    }
}

static void words(void **state)
{
    struct flight_group group = {.name = STR("tp")};
    struct flight_op ops[] = {{.name = STR("all_reduce"), .out_shape = STR("[4]"), .out_dtype = STR("f32")},
                              {.name = STR("send"), .peers = STR("0->1"), .out_shape = STR("[4]"),
                               .out_dtype = STR("f32")},
                              {.name = STR("barrier")}};
    struct flight_dump dump = {.groups = {.v = &group, .n = 1}, .ops = {.v = ops, .n = COUNT(ops)}};
    static const char *const expected[] = {"`all_reduce` of f32[4], number 9 of group tp",
                                           "`send` 0->1 of f32[4], number 9 of group tp",
                                           "`barrier`, number 9 of group tp"};
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(ops); i++) {
        struct flight_entry entry = {.op = (uint32_t)i, .number = 9};

        assert_str(flight_words(a, &(struct flight_call){.dump = &dump, .entry = &entry}), expected[i]);
    }
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(code_that_did_not_exist), cmocka_unit_test(what_fits),
                                       cmocka_unit_test(which_compile), cmocka_unit_test(words)};

    return RUN(tests);
}
