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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(code_that_did_not_exist)};

    return RUN(tests);
}
