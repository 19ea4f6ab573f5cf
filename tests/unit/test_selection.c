#include "answers_text.h"

#include "output/html/selection.h"
#include "view/page.h"

#define KB 1000u

/* "0/0+ 0/1- 0/2": what is shown in detail, only listed, and not at all. */
static struct str shown_of(const struct run *r, const struct shown_compiles *shown)
{
    static const char *const marks[] = {"", "-", "+"};
    struct compile_walk w = {.run = r};
    const struct compile *c;
    struct str out = STR("");

    while ((c = compile_next(&w)))
        out = arena_printf(r->arena, "%.*s%s%.*s%s", STR_ARG(out), out.n ? " " : "",
                           STR_ARG(compile_id_print(r->arena, c->id)), marks[*view_shown_slot(shown, c)]);
    return out;
}

struct tally {
    size_t detailed, listed; /* listed: those in detail too */
    uint64_t bytes;
};

static struct tally tally(const struct run *r, const struct shown_compiles *shown)
{
    struct compile_walk w = {.run = r};
    const struct compile *c;
    struct tally t = {0};

    while ((c = compile_next(&w))) {
        uint8_t how = *view_shown_slot(shown, c);

        t.listed += how != SHOWN_NOT;
        t.detailed += how == SHOWN_DETAILED;
        t.bytes += (how != SHOWN_NOT ? SELECTION_ROW_BYTES : 0) + (how == SHOWN_DETAILED ? page_compile_size(c) : 0);
    }
    return t;
}

static void metrics_of(struct trace_text *t, int frame, int compile, unsigned duration_us, const char *more)
{
    char text[200];

    snprintf(text, sizeof text, "\"start_time_us\": 1795255200000000, \"duration_us\": %u%s", duration_us, more);
    trace_metrics(t, trace_ids(frame, compile, 0), text);
}

static const struct ranks no_ranks;

static void all_fit(void **state)
{
    struct trace_text t = {0};
    const struct shown_compiles *shown;
    struct run *r;

    (void)state;
    trace_artifact(&t, "torch_version", "", "{}");
    metrics_of(&t, 0, 0, 1, "");
    metrics_of(&t, 0, 1, 1, "");
    r = trace_run(&t);
    shown = selection_make(r->arena, r, &no_ranks, 1000 * KB, 0);
    assert_str(shown_of(r, shown), "0/0+ 0/1+ -+");
    assert_int_equal(shown->hidden, 0);
    run_free(r);
}

/* What has no compile id is only worth a row where there is something of it. */
static void what_is_wanted(void **state)
{
    struct trace_text t = {0};
    struct run *r;

    (void)state;
    trace_file(&t);
    metrics_of(&t, 0, 0, 1, "");
    r = trace_run(&t);
    assert_true(selection_wants(r->processes.v[0]->compiles.v[0]));
    assert_false(selection_wants(r->processes.v[0]->unattributed));
    assert_str(shown_of(r, selection_make(r->arena, r, &no_ranks, 1000 * KB, 0)), "0/0+ -");
    run_free(r);
    trace_record(&t, "{\"bwd_compilation_metrics\": {}}");
    r = trace_run(&t);
    assert_true(selection_wants(r->processes.v[0]->unattributed));
    run_free(r);
}

/* Errors, then breaks, then recompiles, then the slowest. What made Dynamo give a frame up is a break, not an error. */
static void the_most_useful_first(void **state)
{
    struct trace_text t = {0};
    const struct process *p;
    int64_t weight[7];
    struct run *r;

    (void)state;
    metrics_of(&t, 0, 0, 7, "");
    metrics_of(&t, 1, 0, 3500000000u, ""); /* an hour is the most that counts */
    metrics_of(&t, 2, 1, 7, "");
    trace_break(&t, IN(3, 0, 0), "print", "f", 7);
    metrics_of(&t, 3, 0, 7, "");
    trace_break(&t, IN(4, 0, 0), "print", "f", 7);
    metrics_of(&t, 4, 0, 8, ", \"fail_type\": \"Unsupported\", \"fail_reason\": \"print\"");
    metrics_of(&t, 5, 0, 7, ", \"fail_type\": \"ValueError\"");
    metrics_of(&t, 6, 1, 4294967295u, "");
    r = trace_run(&t);
    p = r->processes.v[0];
    for (size_t i = 0; i < 7; i++)
        weight[i] = page_compile_weight(p->compiles.v[i]);
    for (size_t i = 1; i < 6; i++)
        assert_true(weight[i] > weight[i - 1]);
    assert_true(weight[6] < weight[3]); /* however slow a recompile is */
    run_free(r);
}

static struct run *run_of(int compiles)
{
    struct trace_text t = {0};

    for (int i = 0; i < compiles; i++)
        metrics_of(&t, i, 0, (unsigned)(i % 50), i % 97 == 3 ? ", \"fail_type\": \"ValueError\"" : "");
    return trace_run(&t);
}

/* The budget is kept, the most referenced entries come first, and even the smallest page lists a hundred compiles. */
static void budgets(void **state)
{
    static const uint64_t kilobytes[] = {0, 100, 600, 1000, 2000, 4000, 8000, 16000, 32000};
    struct run *r = run_of(1000);
    struct tally before = {0};

    (void)state;
    for (size_t i = 0; i < COUNT(kilobytes); i++) {
        uint64_t budget = kilobytes[i] * KB;
        const struct shown_compiles *shown = selection_make(r->arena, r, &no_ranks, budget, 0);
        struct tally now = tally(r, shown);
        struct compile_walk w = {.run = r};
        const struct compile *c;
        int64_t least = INT64_MAX, most = -1;

        assert_int_equal(shown->hidden, 1000 - now.listed);
        assert_true(now.listed >= 100 && now.listed >= before.listed && now.detailed >= before.detailed);
        assert_true(now.bytes <= budget || (now.listed * SELECTION_ROW_BYTES == now.bytes && budget < 600 * KB));
        while ((c = compile_next(&w)))
            if (*view_shown_slot(shown, c) != SHOWN_NOT)
                least = page_compile_weight(c) < least ? page_compile_weight(c) : least;
            else if (selection_wants(c))
                most = page_compile_weight(c) > most ? page_compile_weight(c) : most;
        assert_true(most <= least);
        before = now;
    }
    assert_int_equal(before.listed, 1000);
    assert_int_equal(before.detailed, 1000);
    run_free(r);
}

/* One that is too large for what is left does not keep smaller ones out. Of equal ones the first in the trace is in. */
static void one_that_is_too_large(void **state)
{
    struct trace_text t = {0};
    const struct shown_compiles *shown;
    const struct process *p;
    struct run *r;
    uint64_t size;

    (void)state;
    metrics_of(&t, 0, 0, 9, "");
    for (int i = 0; i < 500; i++)
        trace_artifact(&t, "dynamo_output_graph", IN(0, 0, 0), "graph");
    for (int i = 1; i < 4; i++)
        metrics_of(&t, i, 0, 5, "");
    r = trace_run(&t);
    p = r->processes.v[0];
    size = page_compile_size(p->compiles.v[1]);
    shown = selection_make(r->arena, r, &no_ranks, 4 * SELECTION_ROW_BYTES + 2 * size + 7, 0);
    assert_str(shown_of(r, shown), "0/0- 1/0+ 2/0+ 3/0- -");
    run_free(r);
}

static void several_processes(void **state)
{
    struct trace_text t = {0};
    const struct shown_compiles *shown;
    struct run *r;

    (void)state;
    for (int i = 0; i < 4; i++) {
        t.pid = 10 + (unsigned)i;
        metrics_of(&t, 0, 0, (unsigned)(i * 7 % 4), "");
    }
    r = trace_run(&t);
    shown = selection_make(r->arena, r, &no_ranks,
                           4 * SELECTION_ROW_BYTES + 2 * page_compile_size(r->processes.v[0]->compiles.v[0]), 0);
    assert_str(shown_of(r, shown), "0/0- - 0/0+ - 0/0+ - 0/0- -");
    run_free(r);
    r = run_new();
    run_finish(r);
    shown = selection_make(r->arena, r, &no_ranks, 0, 0);
    assert_int_equal(shown->hidden, 0);
    run_free(r);
}

/* Duplicates of an earlier rank come last, whatever their weight, and get no more than their share. */
static void ranks_that_did_the_same(void **state)
{
    static const struct {
        uint64_t same; /* how many details fit into the share */
        const char *shown;
    } cases[] = {
        {0, "0/0+ - 0/0- - 0/0- - 0/0- -"},
        {1, "0/0+ - 0/0+ - 0/0- - 0/0- -"},
        {2, "0/0+ - 0/0+ - 0/0+ - 0/0- -"},
        {9, "0/0+ - 0/0+ - 0/0+ - 0/0+ -"},
    };
    struct trace_text t = {0};
    struct rank_alike alike = {0};
    struct ranks ranks = {0};
    struct run *r;
    uint64_t size;

    (void)state;
    for (int i = 0; i < 4; i++) {
        t.pid = 10 + (unsigned)i;
        metrics_of(&t, 0, 0, (unsigned)(i * 7 % 4), "");
    }
    r = trace_run(&t);
    map_init(&ranks.alike, r->arena);
    size = page_compile_size(r->processes.v[0]->compiles.v[0]);
    for (size_t i = 0; i < 4; i++) {
        vec_push(r->arena, &alike.compiles, r->processes.v[i]->compiles.v[0]);
        *map_at_copy(&ranks.alike, MAP_KEY(alike.compiles.v[i])) = &alike;
    }
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_str(shown_of(r, selection_make(r->arena, r, &ranks, 1000 * KB, cases[i].same * size + 7)),
                   cases[i].shown);
    run_free(r);
}

/* A page takes room for each thing that it lists; a recompile lists the guards that changed as well. */
static void size_of_a_page(void **state)
{
    struct trace_text t = {0};
    const struct process *p;
    uint64_t plain, first, of_artifact, again;
    struct run *r;

    (void)state;
    metrics_of(&t, 0, 0, 5, "");
    metrics_of(&t, 1, 0, 5, ", \"guard_count\": 10");
    metrics_of(&t, 2, 0, 5, "");
    trace_artifact(&t, "x", IN(2, 0, 0), "text");
    trace_artifact(&t, "recompile_reasons", IN(1, 1, 0), "1/0: n == 7");
    metrics_of(&t, 1, 1, 5, ", \"guard_count\": 10");
    r = trace_run(&t);
    p = r->processes.v[0];
    plain = page_compile_size(p->compiles.v[0]);
    first = page_compile_size(p->compiles.v[1]);
    of_artifact = page_compile_size(p->compiles.v[2]) - plain;
    again = page_compile_size(p->compiles.v[3]);
    assert_true(first > plain);
    assert_int_equal(again - of_artifact - first, 2 * (first - plain));
    run_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_fit),
        cmocka_unit_test(what_is_wanted),
        cmocka_unit_test(the_most_useful_first),
        cmocka_unit_test(budgets),
        cmocka_unit_test(one_that_is_too_large),
        cmocka_unit_test(several_processes),
        cmocka_unit_test(ranks_that_did_the_same),
        cmocka_unit_test(size_of_a_page),
    };

    return RUN(tests);
}
