/* The tables of compile time, and the flame chart. */
#include "analysis/time/longest.h"
#include "view/page.h"
#include "view/page_objects.h"

#include "view_text.h"

static void event(struct trace_text *t, const char *ids, const char *name, unsigned from, unsigned to)
{
    trace_event(t, ids, name, 'B', from);
    trace_event(t, ids, name, 'E', to);
}

static json_t *time_of(struct view *v, const struct answers *a)
{
    *v = view_of(a);
    return page_time_begin(v, v);
}

static struct str text_of(const json_t *o, const char *key)
{
    return json_str(json_object_get(o, key));
}

/* "Dynamo: tracing 95 % 9.5 ms | …": shares are of all self times, and one that is there is never "0 %". */
static void phases(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;
    struct view v;
    json_t *o;

    (void)state;
    trace_event(&t, IN(0, 0, 0), "dynamo", 'B', 0);
    event(&t, IN(0, 0, 0), "build_guards", 1000, 8000);
    event(&t, IN(0, 0, 0), "inductor_compile", 9000, 9040);
    trace_event(&t, IN(0, 0, 0), "dynamo", 'E', 10000);
    trace_metrics(&t, IN(0, 0, 0), "\"start_time_us\": 1795255200000000, \"duration_us\": 10000");
    a = answers_of_trace(&t);
    o = time_of(&v, a);
    assert_str(
        view_json(v.scratch, json_incref(json_object_get(o, "phases"))),
        "[{'title':'Dynamo: guards','time':'7.0 ms','percent':'70.0','share':'70 %','at':'0.0','wait':null,'phase':1},"
        "{'title':'Dynamo: tracing','time':'3.0 ms','percent':'29.6','share':'30 %','at':'70.0','wait':null,'phase':0},"
        "{'title':'Inductor: lowering and code generation','time':'40 \xc2\xb5s','percent':'0.4','share':'<1 "
        "%','at':'99.6',"
        "'wait':null,'phase':4}]");
    assert_str(view_json(v.scratch, json_incref(json_object_get(o, "events"))),
               "[{'name':'dynamo','phase':'Dynamo: tracing','some':null,'count':'1','wall':'10 ms','self':'3.0 ms'},"
               "{'name':'build_guards','phase':'Dynamo: guards','some':null,'count':'1','wall':'7.0 ms','self':'7.0 "
               "ms'},{'name':'inductor_compile','phase':'Inductor: lowering and code generation','some':null,'count':"
               "'1','wall':'40 \xc2\xb5s','self':'40 \xc2\xb5s'}]");
    assert_str(text_of(o, "sum"), "10 ms");
    assert_str(text_of(o, "wall"), "10 ms");
    assert_true(json_is_null(json_object_get(o, "hidden")));
    json_decref(o);
    answers_free(a);
}

/* The longest forty of all processes; the others are counted. */
static void many_events(void **state)
{
    struct run *r = run_new();
    const struct answers *a;
    struct view v;
    json_t *o, *events;

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        static const char *const names[] = {"rank_0.log", "rank_1.log"};
        struct trace_text t = {.pid = 10 + i};

        for (unsigned k = 0; k < 45; k++) {
            char name[20];

            snprintf(name, sizeof name, "event%u", k);
            event(&t, IN(0, 0, 0), name, k * 1000, k * 1000 + (k % 5 * 2 + i + 1) * 10);
        }
        trace_add(r, names[i], &t);
    }
    run_finish(r);
    a = answers_of(r);
    o = time_of(&v, a);
    events = json_object_get(o, "events");
    assert_int_equal(json_array_size(events), 40);
    assert_str(text_of(o, "hidden"), "5");
    assert_str(text_of(json_array_get(events, 0), "name"), "event14");
    assert_str(text_of(json_array_get(events, 0), "wall"), "100 µs");
    assert_true(json_is_null(json_object_get(json_array_get(events, 0), "some")));
    assert_str(text_of(json_array_get(events, 1), "name"), "event19");
    json_decref(o);
    answers_free(a);
}

/* Work that goes on after the compiles, such as autotuning at run time; not where nobody knows how long they took. */
static void beyond_the_compiles(void **state)
{
    static const struct {
        const char *ids, *metrics;
        unsigned us;
        bool beyond;
    } cases[] = {
        {IN(0, 0, 0), "\"start_time_us\": 1795255200000000, \"duration_us\": 10000", 10100, false},
        {IN(0, 0, 0), "\"start_time_us\": 1795255200000000, \"duration_us\": 10000", 20000, true},
        {"", NULL, 20000, false}, /* AOTInductor writes no ids and no metrics */
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        const struct answers *a;
        struct view v;
        json_t *o;

        event(&t, cases[i].ids, "CachingAutotuner.benchmark_all_configs", 0, cases[i].us);
        if (cases[i].metrics)
            trace_metrics(&t, cases[i].ids, cases[i].metrics);
        a = answers_of_trace(&t);
        o = time_of(&v, a);
        assert_int_equal(json_is_true(json_object_get(o, "beyond")), cases[i].beyond);
        json_decref(o);
        answers_free(a);
    }
}

static void no_events(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;
    struct view v;
    json_t *o;

    (void)state;
    trace_artifact(&t, "torch_version", "", "{}");
    a = answers_of_trace(&t);
    o = time_of(&v, a);
    assert_str(view_json(v.scratch, o),
               "{'wall':null,'sum':'0 s','processes':null,'beyond':false,'phases':[],'events':[],'hidden':null,"
               "'temperatures':[],'any_longest':false,'longest':[],'of_ranks':false,'has_events':false,"
               "'has_tables':false,'is_empty':true}");
    assert_str(view_json(v.scratch, page_flame_of(&v, a->run->processes.v[0])), "null");
    answers_free(a);
}

/* --- the flame chart ---------------------------------------------------------------------------------------------- */

static const struct process *first_process(const struct answers *a)
{
    return a->run->processes.v[0];
}

/* "dynamo 0.00+1000.00/0 | …": name, x, width and row of each rectangle. */
static struct str rects_of(const struct view *v, const json_t *flame)
{
    const json_t *rects = json_object_get(flame, "rects"), *rect;
    struct str out = STR("");
    size_t i;

    json_array_foreach(rects, i, rect)
    {
        struct str tip = text_of(rect, "tip"), name = str_split(&tip, ' ');
        struct str x = text_of(rect, "x"), w = text_of(rect, "w");

        out = arena_printf(v->scratch, "%.*s%s%.*s %.*s+%.*s/%lld", STR_ARG(out), i ? " | " : "", STR_ARG(name),
                           STR_ARG(x), STR_ARG(w), json_integer_value(json_object_get(rect, "y")) / 18);
    }
    return out;
}

#define check_flame(t, rectangles, stretches_, length_)                                                                \
    do {                                                                                                               \
        const struct answers *a_ = answers_of_trace(t);                                                                \
        struct view v_ = view_of(a_);                                                                                  \
        json_t *flame_ = page_flame_of(&v_, first_process(a_));                                                        \
                                                                                                                       \
        assert_str(rects_of(&v_, flame_), rectangles);                                                                 \
        assert_str(text_of(flame_, "stretches"), stretches_);                                                          \
        assert_str(text_of(flame_, "length"), length_);                                                                \
        json_decref(flame_);                                                                                           \
        answers_free(a_);                                                                                              \
    } while (0)

/* Events lie under what is around them. */
static void rows_of_events(void **state)
{
    struct trace_text t = {0};

    (void)state;
    trace_event(&t, IN(0, 0, 0), "dynamo", 'B', 0);
    event(&t, IN(0, 0, 0), "a", 100000, 200000);
    trace_event(&t, IN(0, 0, 0), "b", 'B', 200000);
    event(&t, IN(0, 0, 0), "c", 200000, 400000);
    trace_event(&t, IN(0, 0, 0), "b", 'E', 500000);
    trace_event(&t, IN(0, 0, 0), "hit", 'i', 600000); /* an instant has no width */
    trace_event(&t, IN(0, 0, 0), "dynamo", 'E', 1000000);
    check_flame(&t, "dynamo 0.00+1000.00/0 | a 100.00+100.00/1 | b 200.00+300.00/1 | c 200.00+200.00/2",
                "1 compile interval", "1.00 s");
}

/* What lies between two compiles, training say, is cut out of the axis. */
static void stretches(void **state)
{
    struct trace_text t = {0};

    (void)state;
    event(&t, IN(0, 0, 0), "dynamo", 0, 100000);
    event(&t, IN(1, 0, 0), "dynamo", 50000000, 50300000);
    event(&t, IN(2, 0, 0), "dynamo", 50300000, 50500000); /* follows at once */
    event(&t, IN(3, 0, 0), "dynamo", 90000000, 90400000);
    check_flame(&t, "dynamo 0.00+100.00/0 | dynamo 100.00+300.00/0 | dynamo 400.00+200.00/0 | dynamo 600.00+400.00/0",
                "3 compile intervals", "1.00 s");
}

/* Two threads: what overlaps and is not around the other lies beside it. Work without an id is not drawn. */
static void overlapping(void **state)
{
    struct trace_text t = {0};

    (void)state;
    trace_event(&t, IN(0, 0, 0), "a", 'B', 0);
    trace_event(&t, IN(1, 0, 0), "b", 'B', 500000);
    trace_event(&t, IN(0, 0, 0), "a", 'E', 600000);
    trace_event(&t, IN(1, 0, 0), "b", 'E', 1000000);
    event(&t, "", "worker", 100000, 9000000);
    check_flame(&t, "a 0.00+600.00/0 | b 500.00+500.00/0", "1 compile interval", "1.00 s");
}

/* A rectangle says what it is; its label is cut to its width, and one that has no room has none. */
static void labels(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;
    struct view v;
    json_t *flame, *rects;

    (void)state;
    trace_event(&t, IN(0, 0, 0), "dynamo", 'B', 0);
    event(&t, IN(0, 0, 0), "a_long_name_of_an_event", 0, 60000);
    event(&t, IN(0, 0, 0), "short", 100000, 129000);
    trace_event(&t, IN(0, 0, 0), "last", 'B', 900000);
    trace_event(&t, IN(0, 0, 0), "dynamo", 'E', 1000000);
    a = answers_of_trace(&t);
    v = view_of(a);
    flame = page_flame_of(&v, first_process(a));
    rects = json_object_get(flame, "rects");
    assert_str(text_of(json_array_get(rects, 0), "tip"), "dynamo - 1.00 s - [0/0]");
    assert_str(text_of(json_array_get(rects, 0), "label"), "dynamo");
    assert_str(text_of(json_array_get(rects, 1), "label"), "a_long_name_of_");
    assert_true(json_is_null(json_object_get(json_array_get(rects, 2), "label")));
    assert_str(text_of(json_array_get(rects, 3), "tip"), "last - 100 ms - [0/0] - no end recorded");
    assert_int_equal(json_integer_value(json_object_get(flame, "height")), 2 * 18);
    assert_str(text_of(flame, "name"), "process 100");
    json_decref(flame);
    answers_free(a);
}

/* What would be less than half a pixel is left out, and so are the shortest of too many. */
static void short_events(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;
    struct view v;
    json_t *flame;

    (void)state;
    trace_event(&t, IN(0, 0, 0), "dynamo", 'B', 0);
    event(&t, IN(0, 0, 0), "half_a_pixel", 1000, 1500);
    event(&t, IN(0, 0, 0), "more", 2000, 2501);
    trace_event(&t, IN(0, 0, 0), "dynamo", 'E', 1000000);
    a = answers_of_trace(&t);
    v = view_of(a);
    flame = page_flame_of(&v, first_process(a));
    assert_str(rects_of(&v, flame), "dynamo 0.00+1000.00/0 | more 2.00+0.50/1");
    assert_str(text_of(flame, "hidden"), "1 short event");
    json_decref(flame);
    answers_free(a);

    trace_event(&t, IN(0, 0, 0), "dynamo", 'B', 0);
    for (unsigned i = 0; i < 1600; i++)
        event(&t, IN(0, 0, 0), "e", 1000 + i * 1000, 1000 + i * 1000 + 900 + (i * 7 % 1600) / 100);
    trace_event(&t, IN(0, 0, 0), "dynamo", 'E', 1601000);
    a = answers_of_trace(&t);
    v = view_of(a);
    flame = page_flame_of(&v, first_process(a));
    assert_true(json_array_size(json_object_get(flame, "rects")) <= PAGE_FLAME_EVENTS_MAX);
    assert_true(json_array_size(json_object_get(flame, "rects")) >= PAGE_FLAME_EVENTS_MAX - 200);
    json_decref(flame);
    answers_free(a);
}

/* Deeper than anybody looks is left out, and what comes after it is drawn in its row. */
static void deep_events(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;
    struct view v;
    json_t *flame;

    (void)state;
    for (unsigned i = 0; i < 50; i++) {
        char name[20];

        snprintf(name, sizeof name, "e%u", i);
        trace_event(&t, IN(0, 0, 0), name, 'B', i * 1000);
    }
    for (unsigned i = 50; i-- > 0;) {
        char name[20];

        snprintf(name, sizeof name, "e%u", i);
        trace_event(&t, IN(0, 0, 0), name, 'E', 200000 - i * 1000);
        if (i == 1)
            event(&t, IN(0, 0, 0), "after", 199200, 199900);
    }
    a = answers_of_trace(&t);
    v = view_of(a);
    flame = page_flame_of(&v, first_process(a));
    assert_int_equal(json_array_size(json_object_get(flame, "rects")), 41);
    assert_str(text_of(flame, "hidden"), "10 short events");
    assert_int_equal(json_integer_value(json_object_get(flame, "height")), 40 * 18);
    assert_true(str_ends(rects_of(&v, flame), STR("| after 996.00+3.50/1")));
    json_decref(flame);
    answers_free(a);
}

/* What ranks have in common is there once, by the rank that took longest; other runs and compiles are others. */
static void longest_of_ranks(void **state)
{
    static const char *const names[] = {"rank_0.log", "rank_1.log", "rank_2.log"};
    struct longest_compile longest[3];
    struct run *r = run_new();

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct trace_text t = {.pid = 10 + i};

        for (unsigned frame = 0; frame < 2; frame++) {
            char metrics[100];

            snprintf(metrics, sizeof metrics, "\"start_time_us\": 1795255200000000, \"duration_us\": %u",
                     frame    ? 5000
                     : i == 1 ? 9000
                              : 8000 - i);
            trace_metrics(&t, frame ? IN(1, 0, 0) : IN(0, 0, 0), metrics);
        }
        trace_add(r, names[i], &t);
    }
    run_finish(r);
    assert_int_equal(longest_compiles(r, longest, 3), 2);
    assert_int_equal(longest[0].us, 9000);
    assert_int_equal(longest[0].compile->process->rank, 1);
    assert_int_equal(longest[1].us, 5000);
    assert_int_equal(longest[1].compile->process->rank, 0);
    assert_int_equal(longest_compiles(r, longest, 1), 1);
    assert_int_equal(longest[0].us, 9000);
    run_free(r);
}

/* Compiles whose code was made and one whose code came from a cache; the work that waits for workers. */
static void cold_and_warm(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;
    struct view v;
    json_t *o;

    (void)state;
    trace_event(&t, IN(0, 0, 0), "dynamo", 'B', 0);
    event(&t, IN(0, 0, 0), "async_compile.wait", 1000, 8000);
    trace_event(&t, IN(0, 0, 0), "dynamo", 'E', 10000);
    trace_artifact(&t, "fx_graph_cache_miss", IN(0, 0, 0), "{\"key\": \"a\"}");
    trace_metrics(&t, IN(0, 0, 0), "\"start_time_us\": 1795255200000000, \"duration_us\": 10000");
    trace_artifact(&t, "fx_graph_cache_hit", IN(1, 0, 0), "{\"key\": \"a\"}");
    trace_metrics(&t, IN(1, 0, 0), "\"start_time_us\": 1795255200020000, \"duration_us\": 2000");
    a = answers_of_trace(&t);
    o = time_of(&v, a);
    assert_str(
        view_json(v.scratch, json_incref(json_object_get(o, "temperatures"))),
        "[{'count':'1 compile','word':'cold','wall':'10 ms'},{'count':'1 compile','word':'warm','wall':'2.0 ms'}]");
    assert_str(text_of(json_array_get(json_object_get(o, "phases"), 0), "wait"), "7.0 ms");
    assert_true(json_is_null(json_object_get(json_array_get(json_object_get(o, "phases"), 1), "wait")));
    assert_int_equal(json_array_size(json_object_get(o, "longest")), 2);
    assert_str(text_of(json_array_get(json_object_get(o, "longest"), 0), "temperature"), "cold");
    assert_str(text_of(json_array_get(json_object_get(o, "longest"), 1), "share"), "17 %");
    json_decref(o);
    answers_free(a);
}

/* The longest twelve, longest first, whatever their order. */
static void longest(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;
    struct view v;
    json_t *o, *list;

    (void)state;
    for (int i = 0; i < 20; i++) {
        char fields[100];

        snprintf(fields, sizeof fields, "\"start_time_us\": 17952552%02d000000, \"duration_us\": %d", i,
                 (i * 7 % 20 + 1) * 1000);
        trace_metrics(&t, trace_ids(i, 0, 0), fields);
    }
    a = answers_of_trace(&t);
    o = time_of(&v, a);
    list = json_object_get(o, "longest");
    assert_int_equal(json_array_size(list), 12);
    for (size_t i = 0; i < 12; i++)
        assert_str(text_of(json_array_get(list, i), "time"),
                   arena_printf(v.scratch, i <= 10 ? "%zu ms" : "%zu.0 ms", 20 - i).p);
    json_decref(o);
    answers_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phases),           cmocka_unit_test(many_events),
        cmocka_unit_test(no_events),        cmocka_unit_test(beyond_the_compiles),
        cmocka_unit_test(rows_of_events),   cmocka_unit_test(stretches),
        cmocka_unit_test(overlapping),      cmocka_unit_test(labels),
        cmocka_unit_test(short_events),     cmocka_unit_test(deep_events),
        cmocka_unit_test(longest_of_ranks), cmocka_unit_test(cold_and_warm),
        cmocka_unit_test(longest),
    };

    return RUN(tests);
}
