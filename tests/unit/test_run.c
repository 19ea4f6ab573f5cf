#include "trace_text.h"

/* --- runs of a job ------------------------------------------------------------------------------------------------ */

/* One process of one input, from minute `from` to minute `to`. */
static struct process *add_process(struct run *r, const char *path, int rank, uint64_t pid, int64_t from, int64_t to)
{
    struct input *in = run_add_input(r, str_of(path));
    struct process *p = ARENA_NEW(in->arena, struct process);

    *p = (struct process){.input = in,
                          .rank = rank,
                          .pid = pid,
                          .epochs = 1,
                          .first_us = from * 60000000,
                          .last_us = to * 60000000,
                          .unattributed = ARENA_NEW(in->arena, struct compile)};
    *p->unattributed = (struct compile){.process = p, .id = COMPILE_ID_NONE, .attempts = 1};
    vec_push(in->arena, &in->processes, p);
    in->used = true;
    in->totals.records = 1;
    return p;
}

/* "0:a 0:b 1:c": the run of each process, and where it was read. */
static struct str grouped(struct run *r)
{
    struct str out = STR("");

    run_finish(r);
    for (size_t i = 0; i < r->processes.n; i++) {
        const struct process *p = r->processes.v[i];

        assert_int_equal(p->index, i);
        assert_true(p->group < r->groups);
        out = arena_printf(r->arena, "%.*s%s%u:%.*s", STR_ARG(out), i ? " " : "", p->group, STR_ARG(p->input->path));
    }
    return out;
}

static void ranks_of_one_run(void **state)
{
    struct run *r = run_new();

    (void)state;
    add_process(r, "d", 3, 1, 101, 110);
    add_process(r, "c", 2, 2, 100, 105);
    add_process(r, "b", 1, 3, 104, 110);
    add_process(r, "a", 0, 4, 114, 120); /* it began to compile when the others had gone quiet */
    assert_str(grouped(r), "0:a 0:b 0:c 0:d");
    assert_int_equal(r->groups, 1);
    assert_int_equal(r->totals.records, 4);
    run_free(r);
}

static void set_zone(struct process *p, int64_t minutes)
{
    p->zone_known = true;
    p->zone_us = minutes * 60000000;
}

/* Two machines of one job, set to different zones: what is an hour apart on their clocks is one moment. */
static void zones_of_one_run(void **state)
{
    struct run *r = run_new();

    (void)state;
    set_zone(add_process(r, "b", 1, 1, 1000, 1010), 0);
    set_zone(add_process(r, "a", 0, 2, 1061, 1070), 60);
    add_process(r, "c", 2, 3, 1062,
                1070); /* its time zone is unknown: uses the zone of the first input that knows it */
    assert_str(grouped(r), "0:a 0:b 0:c");
    run_free(r);
}

/* The clocks were put back an hour between the end of one run and the beginning of the next. */
static void runs_around_the_end_of_summer_time(void **state)
{
    struct run *r = run_new();

    (void)state;
    set_zone(add_process(r, "a", RANK_UNKNOWN, 1, 90, 150), 120);
    set_zone(add_process(r, "b", RANK_UNKNOWN, 2, 130, 140), 60);
    assert_str(grouped(r), "0:a 1:b");
    run_free(r);
}

static void a_restarted_job(void **state)
{
    struct run *r = run_new();

    (void)state;
    add_process(r, "a", 0, 1, 100, 110);
    add_process(r, "b", 1, 2, 100, 110);
    add_process(r, "c", 0, 3, 111, 120); /* the same ranks again: another run */
    add_process(r, "d", 1, 4, 112, 120);
    add_process(r, "e", 1, 5, 140, 150); /* a rank alone, long after */
    assert_str(grouped(r), "0:a 0:b 1:c 1:d 2:e");
    run_free(r);
}

/* Rank 1 starts again while the first process of rank 0 is still ending. */
static void a_restart_that_overlaps(void **state)
{
    struct run *r = run_new();

    (void)state;
    add_process(r, "a", 0, 1, 100, 110);
    add_process(r, "b", 1, 2, 100, 103);
    add_process(r, "c", 1, 3, 104, 120);
    add_process(r, "d", 0, 4, 111, 120);
    for (size_t i = 0; i < r->inputs.n; i++)
        r->inputs.v[i]->kind = INPUT_TORCH_TRACE;
    assert_str(grouped(r), "0:a 0:b 1:d 1:c");
    assert_int_equal(r->messages.n, 2);
    assert_int_equal(r->messages.v[0].code, MSG_JOBS_SEPARATED);
    assert_str(r->messages.v[0].text, "run 1: 2 processes of ranks 0 to 1, one of 2 that overlap in time, assigned "
                                      "by the order in which ranks came again");
    run_free(r);
}

/* Two jobs at the same time, under two versions of PyTorch. */
static void jobs_of_two_versions(void **state)
{
    static const char *const versions[] = {"2.7.0", "2.6.0"};
    struct run *r = run_new();

    (void)state;
    for (int i = 0; i < 6; i++) {
        struct process *p = add_process(r, i % 2 ? "old" : "new", i / 2, 1, 100, 110);

        p->pid = 10 + (uint64_t)i;
        p->versions.pytorch = str_of(versions[i % 2]);
        p->input->kind = INPUT_TORCH_TRACE;
    }
    assert_str(grouped(r), "0:new 0:new 0:new 1:old 1:old 1:old");
    assert_int_equal(r->messages.n, 2);
    assert_str(r->messages.v[0].text,
               "run 1: 3 processes of ranks 0 to 2, one of 2 that overlap in time, assigned by versions");
    run_free(r);
}

/* What a rank started is where the rank is, and no rank that is there twice. */
static void a_child_of_a_rank(void **state)
{
    struct run *r = run_new();
    struct process *parent, *child;

    (void)state;
    parent = add_process(r, "a", 0, 1, 100, 110);
    add_process(r, "b", 1, 2, 100, 110);
    child = add_process(r, "c", 0, 3, 101, 110);
    for (size_t i = 0; i < r->inputs.n; i++)
        r->inputs.v[i]->kind = INPUT_TORCH_TRACE;
    child->parent = parent;
    assert_str(grouped(r), "0:a 0:c 0:b");
    assert_int_equal(r->messages.n, 0);
    run_free(r);
}

static void programs_without_ranks(void **state)
{
    struct run *r = run_new();

    (void)state;
    add_process(r, "a", RANK_UNKNOWN, 1, 100, 110);
    add_process(r, "b", RANK_UNKNOWN, 2, 105, 108); /* at the same time */
    add_process(r, "c", RANK_UNKNOWN, 3, 111, 112); /* afterwards */
    assert_str(grouped(r), "0:a 0:b 1:c");
    run_free(r);
}

/* What `pt2trace run` launched is one run, whatever its processes do and whenever; but not if ranks start again. */
static void processes_of_a_launch(void **state)
{
    static const struct {
        bool launched;
        int ranks[3];
        const char *groups;
    } cases[] = {
        {false, {RANK_UNKNOWN, RANK_UNKNOWN, RANK_UNKNOWN}, "0:a 1:b 2:c"},
        {true, {RANK_UNKNOWN, RANK_UNKNOWN, RANK_UNKNOWN}, "0:a 0:b 0:c"},
        {false, {0, 0, 0}, "0:a 1:b 2:c"},
        {true, {0, 0, 0}, "0:a 1:b 2:c"},
        {true, {RANK_UNKNOWN, 0, 0}, "0:a 1:b 2:c"},
        {true, {RANK_UNKNOWN, RANK_UNKNOWN, 0}, "0:a 1:b 2:c"},
        {true, {0, RANK_UNKNOWN, RANK_UNKNOWN}, "0:a 1:b 2:c"},
    };
    static const char *const names[] = {"a", "b", "c"};
    const struct trial trial = {0};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct run *r = run_new();

        r->launch = cases[i].launched ? &trial : NULL;
        for (int k = 0; k < 3; k++)
            add_process(r, names[k], cases[i].ranks[k], 1 + (uint64_t)k, 1000 + 100 * k, 1010 + 100 * k);
        assert_str(grouped(r), cases[i].groups);
        run_free(r);
    }
}

static void processes_without_times(void **state)
{
    struct run *r = run_new();

    (void)state;
    add_process(r, "a", 0, 1, 0, 0);
    add_process(r, "b", 1, 2, 100, 110);
    add_process(r, "c", 2, 3, 0, 0);
    assert_str(grouped(r), "0:a 0:b 0:c");
    run_free(r);
}

/* Nothing depends on the order in which files were found. */
static void any_order_of_inputs(void **state)
{
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    struct str first = {0};
    struct arena *a = arena_new();

    (void)state;
    for (int start = 0; start < 5; start++) {
        struct run *r = run_new();

        for (int i = 0; i < 5; i++) {
            int k = (start + i * 2) % 5;

            add_process(r, names[k], k % 2 ? RANK_UNKNOWN : k, 7, 100 + k / 3, 110);
        }
        if (start == 0)
            first = arena_str(a, grouped(r));
        else
            assert_same(grouped(r), first);
        for (size_t i = 0; i < r->inputs.n; i++) {
            assert_str(r->inputs.v[i]->path, names[i]);
            assert_int_equal(r->inputs.v[i]->index, i);
        }
        run_free(r);
    }
    arena_free(a);
}

static void the_latest_run(void **state)
{
    struct run *r = run_new();
    struct process *old = add_process(r, "a", 0, 1, 100, 110), *kept = add_process(r, "b", 0, 2, 130, 140);
    struct process *second = ARENA_NEW(old->input->arena, struct process);

    (void)state;
    /* "a" holds a process of the newest run, too; "c" is only of the old one. */
    *second = *old;
    second->rank = 5;
    second->first_us = second->last_us = kept->first_us;
    second->unattributed = ARENA_NEW(old->input->arena, struct compile);
    *second->unattributed = *old->unattributed;
    second->unattributed->process = second;
    vec_push(old->input->arena, &old->input->processes, second);
    message_add(&add_process(r, "c", 1, 3, 100, 110)->input->messages, MSG_BAD_JSON, 1, "of the old run");
    run_keep_latest(r);
    assert_str(grouped(r), "0:b 0:a");
    assert_int_equal(r->groups, 1);
    assert_false(r->inputs.v[2]->used);
    assert_str(r->inputs.v[2]->why_not, "of an earlier run (--latest)");
    assert_true(r->inputs.v[0]->used);
    assert_int_equal(r->totals.records, 2);
    assert_str(trace_messages(r), ""); /* what is wrong with an earlier run is not this one's */
    run_free(r);
}

static void ranks_in_names(void **state)
{
    static const struct {
        const char *path;
        int rank;
    } cases[] = {
        {"/tmp/dedicated_log_torch_trace_rank_3_x8ab.log", 3},
        {"rank_12.log", 12},
        {"/rank_7/trace.log", RANK_UNKNOWN},
        {"/rank_7/rank_5.log", 5},
        {"dedicated_log_torch_trace_abc.log", RANK_UNKNOWN},
        {"lora_rank_16.log", RANK_UNKNOWN},
        {"rank_.log", RANK_UNKNOWN},
        {"rank_x.log", RANK_UNKNOWN},
        {"rank_99999999999999999999.log", RANK_UNKNOWN},
        {"rank_1048577.log", RANK_UNKNOWN},
        {"", RANK_UNKNOWN},
        {"-", RANK_UNKNOWN},
    };
    struct run *r = run_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(run_add_input(r, str_of(cases[i].path))->name_rank, cases[i].rank);
    run_free(r);
    run_free(NULL);
}

static void inputs_that_cannot_be_opened(void **state)
{
    struct run *r = run_new();
    struct input *in = run_add_input(r, str_of(temp_path("missing")));

    (void)state;
    assert_true(input_open(in) < 0);
    assert_str(in->why_not, "cannot be opened: No such file or directory");
    run_finish(r);
    assert_int_equal(r->inputs.n, 1);
    run_free(r);
}

/* --- forked processes --------------------------------------------------------------------------------------------- */

#define START(name, file, line)                                                                                        \
    "{\"dynamo_start\": {\"stack\": [{\"line\": " #line ", \"name\": \"" name "\", \"filename\": " #file "}]}, "

/* The child begins when its parent has long been silent: it is of the same run all the same, also for --latest. */
static void a_fork_is_of_its_parents_run(void **state)
{
    struct trace_text t;
    struct run *r;

    (void)state;
    for (int latest = 0; latest < 2; latest++) {
        r = run_new();
        t = (struct trace_text){.pid = 9};
        trace_record(&t, "{\"dynamo_start\": {\"stack\": []}, " IN(0, 0, 0) "}");
        trace_add(r, "0-before", &t);
        t = (struct trace_text){.pid = 10, .ms = 60000};
        trace_record(&t, "{\"str\": [\"/x.py\", 0]}");
        trace_add(r, "2-parent", &t);
        t = (struct trace_text){.pid = 11, .ms = 120000};
        trace_record(&t, START("f", 0, 1) IN(0, 0, 0) "}");
        trace_add(r, "1-child", &t);
        if (latest)
            run_keep_latest(r);
        run_finish(r);
        assert_str(trace_messages(r), "strings-from-parent:0");
        assert_int_equal(r->groups, latest ? 1 : 2);
        assert_int_equal(r->processes.n, latest ? 2 : 3);
        assert_int_equal(r->processes.v[r->processes.n - 1]->pid, 11);
        assert_int_equal(r->processes.v[r->processes.n - 1]->group, !latest);
        assert_int_equal(r->processes.v[r->processes.n - 2]->group, !latest);
        assert_str(r->processes.v[r->processes.n - 1]->frames.v[0]->file, "/x.py");
        run_free(r);
    }
}

/* The parent is a process that was there before and has all the entries: of several the newest. */
/* A draft export goes on in a file of its own, with the strings of the process: whatever else began in between. */
static void second_file_of_one_process(void **state)
{
    struct trace_text t = {.pid = 10};
    struct run *r = run_new();

    (void)state;
    trace_record(&t, "{\"str\": [\"/own.py\", 0]}");
    trace_add(r, "1-first", &t);
    t = (struct trace_text){.pid = 11, .ms = 1};
    trace_record(&t, "{\"str\": [\"/other.py\", 0]}");
    trace_add(r, "2-other", &t);
    t = (struct trace_text){.pid = 10, .ms = 2};
    trace_record(&t, START("f", 0, 1) IN(0, 0, 0) "}");
    trace_add(r, "3-second", &t);
    run_finish(r);
    assert_int_equal(r->processes.v[1]->frames.n, 1); /* next to the first: it is of the same run */
    assert_str(r->processes.v[1]->frames.v[0]->file, "/own.py");
    run_free(r);
}

/* Every rank of a job forks: a child is of the process of its own rank. */
static void forks_of_ranks(void **state)
{
    struct trace_text t;
    struct run *r = run_new();

    (void)state;
    t = (struct trace_text){.pid = 10};
    trace_record(&t, "{\"str\": [\"/zero.py\", 0]}");
    trace_record(&t, "{\"dynamo_start\": {\"stack\": []}, \"rank\": 0, " IN(0, 0, 0) "}");
    trace_add(r, "rank_0", &t);
    t = (struct trace_text){.pid = 11, .ms = 5};
    trace_record(&t, "{\"str\": [\"/one.py\", 0]}");
    trace_record(&t, "{\"dynamo_start\": {\"stack\": []}, \"rank\": 1, " IN(0, 0, 0) "}");
    trace_add(r, "rank_1", &t);
    t = (struct trace_text){.pid = 11, .ms = 9}; /* in another container */
    trace_record(&t, START("f", 0, 1) "\"rank\": 0, " IN(0, 1, 0) "}");
    trace_add(r, "child", &t);
    run_finish(r);
    for (size_t i = 0; i < r->processes.n; i++)
        if (str_eq(r->processes.v[i]->input->path, str_of(temp_path("child"))))
            assert_str(r->processes.v[i]->frames.v[0]->file, "/zero.py");
    assert_str(trace_messages(r), "strings-from-parent:0");
    run_free(r);
}

static void fork_of_a_fork(void **state)
{
    struct trace_text t = {.pid = 10};
    struct run *r = run_new();

    (void)state;
    trace_record(&t, "{\"str\": [\"/old.py\", 0]}");
    trace_add(r, "1-grandparent", &t);
    t = (struct trace_text){.pid = 11, .ms = 1};
    trace_record(&t, START("f", 0, 1) IN(0, 0, 0) "}");
    trace_record(&t, "{\"str\": [\"/new.py\", 1]}");
    trace_add(r, "2-parent", &t);
    t = (struct trace_text){.pid = 12, .ms = 2};
    trace_record(&t, START("g", 0, 1) IN(0, 0, 0) "}");
    trace_record(&t, START("h", 1, 1) IN(1, 0, 0) "}");
    trace_add(r, "3-child", &t);
    run_finish(r);
    assert_str(trace_messages(r), "strings-from-parent:0 strings-from-parent:0");
    assert_str(r->processes.v[2]->frames.v[0]->file, "/old.py");
    assert_str(r->processes.v[2]->frames.v[1]->file, "/new.py");
    run_free(r);
}

static void parent_of_a_fork(void **state)
{
    struct trace_text t = {.pid = 10};
    struct run *r = run_new();

    (void)state;
    trace_record(&t, "{\"str\": [\"/short.py\", 0]}");
    trace_add(r, "1-short", &t);
    t = (struct trace_text){.pid = 11, .ms = 1};
    trace_record(&t, "{\"str\": [\"/old0.py\", 0]}");
    trace_record(&t, "{\"str\": [\"/old1.py\", 1]}");
    trace_record(&t, START("f", 0, 1) IN(0, 0, 0) "}");
    trace_add(r, "2-old", &t);
    t = (struct trace_text){.pid = 12, .ms = 2};
    trace_record(&t, "{\"str\": [\"/new0.py\", 0]}");
    trace_record(&t, "{\"str\": [\"/new1.py\", 1]}");
    trace_add(r, "3-new", &t);
    t = (struct trace_text){.pid = 13, .ms = 5};
    trace_record(&t, START("g", 1, 1) IN(0, 0, 0) "}");
    trace_add(r, "4-child", &t);
    t = (struct trace_text){.pid = 14, .ms = 9};
    trace_record(&t, "{\"str\": [\"/later0.py\", 0]}");
    trace_record(&t, "{\"str\": [\"/later1.py\", 1]}");
    trace_add(r, "5-later", &t);
    t = (struct trace_text){.pid = 15, .ms = 10};
    trace_record(&t, START("h", 7, 1) IN(0, 0, 0) "}");
    trace_add(r, "6-orphan", &t);
    run_finish(r);
    assert_str(trace_messages(r), "strings-from-parent:0 unknown-string:0");
    for (size_t i = 0; i < r->processes.n; i++) {
        const struct process *p = r->processes.v[i];

        assert_int_equal(p->parent != NULL, p->pid == 13);
        if (p->pid == 13) {
            assert_int_equal(p->parent->pid, 12);
            assert_str(p->frames.v[0]->file, "/new1.py");
            assert_str(p->compiles.v[0]->stack->file, "/new1.py");
        }
        if (p->pid == 15)
            assert_str(p->frames.v[0]->file, "<str 7>");
    }
    run_free(r);
}

/* --- failures ----------------------------------------------------------------------------------------------------- */

#define ERROR_TEXT                                                                                                     \
    "Traceback (most recent call last):\n  File \"/x.py\", line 3, in f\n    g()\nValueError: from the traceback\n"

#define FAILED                                                                                                         \
    "{\"compilation_metrics\": {\"fail_type\": \"ValueError\", \"fail_reason\": \"from the metrics\", "                \
    "\"fail_user_frame_filename\": \"/y.py\", \"fail_user_frame_lineno\": 12}, "

static void one_failure_in_two_records(void **state)
{
    struct trace_text t = {0};
    const struct compile *c;
    struct run *r;

    (void)state;
    trace_artifact(&t, "dynamo_error", IN(0, 0, 0), ERROR_TEXT);
    trace_record(&t, FAILED IN(0, 0, 0) "}");
    trace_record(&t, FAILED IN(0, 1, 0) "}"); /* the other way round */
    trace_artifact(&t, "dynamo_error", IN(0, 1, 0), ERROR_TEXT);
    trace_record(&t, FAILED IN(0, 2, 0) "}"); /* metrics alone */
    trace_artifact(&t, "dynamo_error", IN(0, 3, 0), ERROR_TEXT); /* traceback alone */
    r = trace_run(&t);
    assert_str(trace_compiles(r), "0/0 error, 0/1 error, 0/2 error, 0/3 error");
    for (size_t i = 0; i < 4; i++) {
        c = r->processes.v[0]->compiles.v[i];
        assert_int_equal(c->failures.n, 1);
        assert_str(c->failures.v[0]->type, "ValueError");
        assert_int_equal(c->failures.v[0]->traceback != NULL, i != 2);
        assert_int_equal(c->failures.v[0]->where, FAILED_FORWARD);
        assert_false(c->failures.v[0]->fallback);
        assert_false(c->limit_hit);
    }
    assert_str(r->processes.v[0]->compiles.v[2]->failures.v[0]->message, "from the metrics");
    assert_str(r->processes.v[0]->compiles.v[3]->failures.v[0]->message, "from the traceback");
    run_free(r);
}

static void two_failures_of_one_compile(void **state)
{
    struct trace_text t = {0};
    struct run *r;

    (void)state;
    trace_record(&t, FAILED IN(0, 0, 0) "}");
    trace_record(&t, FAILED IN(0, 0, 1) "}");
    trace_record(&t, "{\"bwd_compilation_metrics\": {\"fail_type\": \"TypeError\"}, " IN(0, 0, 0) "}");
    r = trace_run(&t);
    assert_int_equal(r->processes.v[0]->compiles.v[0]->failures.n, 3);
    run_free(r);
}

static void the_recompile_limit(void **state)
{
    static const char *const records[] = {
        "{\"compilation_metrics\": {\"fail_type\": \"FailOnRecompileLimitHit\", \"fail_reason\": \"x\"}, " IN(0, 0,
                                                                                                              0) "}",
        "{\"compilation_metrics\": {\"fail_type\": \"CacheLimitExceeded\", \"fail_reason\": \"x\"}, " IN(0, 0, 0) "}",
        "{\"compilation_metrics\": {\"fail_type\": \"Unsupported\", \"fail_reason\": \"Dynamo recompile limit "
        "exceeded\"}, " IN(0, 0, 0) "}",
        "{\"compilation_metrics\": {\"fail_type\": \"Unsupported\", \"fail_reason\": \"cache_size_limit "
        "reached\"}, " IN(0, 0, 0) "}",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(records); i++) {
        struct trace_text t = {0};
        struct run *r;

        trace_record(&t, records[i]);
        r = trace_run(&t);
        assert_true(r->processes.v[0]->compiles.v[0]->limit_hit);
        assert_str(trace_compiles(r), "0/0 error");
        run_free(r);
    }
}

/* --- graph breaks ------------------------------------------------------------------------------------------------- */

static const struct compile *first_compile(const struct run *r)
{
    return r->processes.v[0]->compiles.v[0];
}

#define RESTARTED(version, reasons)                                                                                    \
    "{\"compilation_metrics\": {\"graph_op_count\": 2, \"pytorch_version\": \"" version                                \
    "\", \"restart_reasons\": [" reasons "]}, "

/* 2.5 and earlier: only the reason for restarting the analysis shows that the graph broke. */
static void breaks_from_restart_reasons(void **state)
{
    struct trace_text t = {0};
    const struct compile *c;
    struct run *r;

    (void)state;
    trace_record(&t,
                 RESTARTED("2.5.1",
                           "\"call_function print\\nmore\", \"call_function print\", \"<class 'RestartAnalysis'>\", "
                           "\"Unknown fail_and_restart_analysis\", 7") IN(0, 0, 1) "}");
    r = trace_run(&t);
    c = first_compile(r);
    assert_str(trace_compiles(r), "0/0_1 graph_break");
    assert_int_equal(c->breaks.n, 2);
    assert_str(c->breaks.v[0]->type, "call_function print");
    assert_str(c->breaks.v[0]->reason, "call_function print\nmore");
    assert_int_equal(c->breaks.v[0]->origin, BREAK_FROM_RESTART);
    assert_true(c->breaks.v[0]->restarted);
    assert_str(c->breaks.v[1]->type, "7");
    run_free(r);

    /* From 2.6 on each break is a record: a reason alone is none. */
    trace_record(&t, RESTARTED("2.8.0", "\"call_function print\"") IN(0, 0, 1) "}");
    trace_artifact(&t, "dynamo_output_graph", IN(0, 0, 1), "graph");
    r = trace_run(&t);
    assert_str(trace_compiles(r), "0/0_1 ok");
    run_free(r);
}

#define BREAK_TEXT                                                                                                     \
    "Graph break in user code at /x.py:7\nGraph Break Reason: Call to `print`\n  Explanation: no.\n\nUser code "       \
    "traceback:\n"                                                                                                     \
    "  File \"/x.py\", line 7, in f\n    print(x)\n"

static void breaks_from_records(void **state)
{
    struct trace_text t = {0};
    const struct compile *c;
    struct run *r;

    (void)state;
    trace_artifact(&t, "dynamo_graph_break_reason", IN(0, 0, 0), BREAK_TEXT);
    trace_artifact(&t, "dynamo_graph_break_reason", IN(0, 0, 1), BREAK_TEXT); /* met again by the next attempt */
    trace_record(&t, RESTARTED("2.8.0", "\"Call to `print`\"") IN(0, 0, 1) "}");
    r = trace_run(&t);
    c = first_compile(r);
    assert_str(trace_compiles(r), "0/0_1 graph_break");
    assert_int_equal(c->breaks.n, 1);
    assert_int_equal(c->breaks.v[0]->origin, BREAK_FROM_RECORD);
    assert_str(c->breaks.v[0]->type, "Call to `print`");
    assert_str(c->breaks.v[0]->file, "/x.py");
    assert_int_equal(c->breaks.v[0]->line, 7);
    assert_true(c->breaks.v[0]->restarted);
    run_free(r);
}

#define RESUME(frame, name)                                                                                            \
    "{\"dynamo_start\": {\"stack\": [{\"line\": 9, \"name\": \"" name "\", \"filename\": 0}]}, " IN(frame, 0, 0) "}"

/* 2.4 and earlier: a resume function is compiled, so the graph broke before it. Its name says where. */
static void breaks_from_resume_functions(void **state)
{
    struct trace_text t = {0};
    const struct compile *c;
    struct run *r;

    (void)state;
    trace_record(&t, "{\"str\": [\"/x.py\", 0]}");
    trace_record(&t, START("f", 0, 3) IN(0, 0, 0) "}");
    trace_record(&t, START("other", 0, 20) IN(1, 0, 0) "}");
    trace_record(&t, RESUME(2, "torch_dynamo_resume_in_f_at_5"));
    trace_record(&t, RESUME(3, "torch_dynamo_resume_in_f_at_7"));
    r = trace_run(&t);
    assert_str(trace_compiles(r), "0/0 graph_break, 1/0 incomplete, 2/0 graph_break, 3/0 incomplete");
    c = first_compile(r);
    assert_int_equal(c->breaks.n, 1);
    assert_int_equal(c->breaks.v[0]->origin, BREAK_FROM_RESUME);
    assert_str(c->breaks.v[0]->file, "/x.py");
    assert_int_equal(c->breaks.v[0]->line, 5);
    assert_str(c->breaks.v[0]->function, "f");
    assert_int_equal(r->processes.v[0]->compiles.v[2]->breaks.v[0]->line, 7);
    run_free(r);

    /* A reason without a place gets the place of the resume function. */
    trace_record(&t, "{\"str\": [\"/x.py\", 0]}");
    trace_record(&t, START("f", 0, 3) IN(0, 0, 0) "}");
    trace_record(&t, RESTARTED("2.5.1", "\"call_function print\"") IN(0, 0, 1) "}");
    trace_record(&t, RESUME(1, "torch_dynamo_resume_in_f_at_5"));
    r = trace_run(&t);
    c = first_compile(r);
    assert_int_equal(c->breaks.n, 1);
    assert_str(c->breaks.v[0]->type, "call_function print");
    assert_int_equal(c->breaks.v[0]->line, 5);
    run_free(r);
}

/* --- statuses ----------------------------------------------------------------------------------------------------- */

static void statuses(void **state)
{
    static const struct {
        const char *records[3];
        const char *status;
    } cases[] = {
        {{START("f", 0, 1) IN(0, 0, 0) "}"}, "0/0 incomplete"},
        {{"{\"compilation_metrics\": {\"graph_op_count\": 2}, " IN(0, 0, 0) "}"}, "0/0 ok"},
        {{"{\"compilation_metrics\": {\"graph_op_count\": 0}, " IN(0, 0, 0) "}"}, "0/0 empty"},
        {{"{\"compilation_metrics\": {\"graph_op_count\": 2, \"has_guarded_code\": false}, " IN(0, 0, 0) "}"},
         "0/0 empty"},
        {{"{\"dynamo_cpp_guards_str\": {}, " IN(0, 0, 0) "}"}, "0/0 empty"},
        {{"{\"dynamo_output_graph\": {}, " IN(0, 0, 0) "}", "{\"dynamo_cpp_guards_str\": {}, " IN(0, 0, 0) "}"},
         "0/0 ok"},
        {{"{\"dynamo_output_graph\": {}, " IN(0, 0, 0) "}"}, "0/0 incomplete"},
        {{"{\"compiled_autograd_graph\": {}, \"compiled_autograd_id\": 0}"}, "!0 ok"},
        {{"{\"compilation_metrics\": {\"fail_type\": \"ValueError\"}, " IN(0, 0, 0) "}"}, "0/0 error"},
        {{"{\"bwd_compilation_metrics\": {\"fail_type\": \"ValueError\"}, " IN(0, 0, 0) "}",
          "{\"compilation_metrics\": {\"graph_op_count\": 2}, " IN(0, 0, 0) "}"},
         "0/0 error"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        struct run *r;

        for (size_t k = 0; k < 3 && cases[i].records[k]; k++)
            trace_record(&t, cases[i].records[k]);
        r = trace_run(&t);
        if (!str_eq(trace_compiles(r), str_of(cases[i].status)))
            fail_msg("%s: %.*s", cases[i].records[0], STR_ARG(trace_compiles(r)));
        run_free(r);
    }
    for (int s = 0; s < STATUS_COUNT; s++)
        for (int k = 0; k < s; k++)
            assert_string_not_equal(compile_status_name(s), compile_status_name(k));
}

/* --- walking, times ----------------------------------------------------------------------------------------------- */

static void walks_all_compiles(void **state)
{
    struct trace_text t = {0};
    struct compile_walk w = {0};
    const struct compile *c;
    unsigned named = 0, unattributed = 0;
    struct run *r;

    (void)state;
    trace_record(&t, START("f", 0, 1) IN(0, 0, 0) "}");
    trace_record(&t, START("f", 0, 1) IN(0, 1, 0) "}");
    t.pid = 7;
    trace_record(&t, START("f", 0, 1) IN(0, 0, 0) "}");
    r = trace_run(&t);
    for (w.run = r; (c = compile_next(&w)) != NULL;)
        if (c->frame)
            named++;
        else
            unattributed++;
    assert_int_equal(named, 3);
    assert_int_equal(unattributed, 2);
    run_free(r);
}

static void intervals(void **state)
{
    static const struct {
        const char *metrics;
        bool known;
        int64_t start, duration;
    } cases[] = {
        {"\"start_time_us\": 1000000, \"duration_us\": 500", true, 1000000, 500},
        {"\"start_time\": 2.5, \"entire_frame_compile_time_s\": 1.5", true, 2500000, 1500000},
        {"\"start_time_us\": 1000000, \"end_time_us\": 1000700", true, 1000000, 700},
        {"\"start_time_us\": 1000000, \"duration_us\": -5, \"end_time_us\": 1000700", true, 1000000, 700},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        char json[300];
        int64_t start = -1, duration = -1;
        struct run *r;

        snprintf(json, sizeof json, "{\"compilation_metrics\": {%s}, " IN(0, 0, 0) "}", cases[i].metrics);
        trace_record(&t, json);
        r = trace_run(&t);
        assert_int_equal(compile_interval(first_compile(r), &start, &duration), cases[i].known);
        assert_int_equal(start, cases[i].start);
        assert_int_equal(duration, cases[i].duration);
        run_free(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_of_one_run),
        cmocka_unit_test(zones_of_one_run),
        cmocka_unit_test(runs_around_the_end_of_summer_time),
        cmocka_unit_test(a_restarted_job),
        cmocka_unit_test(a_restart_that_overlaps),
        cmocka_unit_test(jobs_of_two_versions),
        cmocka_unit_test(a_child_of_a_rank),
        cmocka_unit_test(programs_without_ranks),
        cmocka_unit_test(processes_of_a_launch),
        cmocka_unit_test(processes_without_times),
        cmocka_unit_test(any_order_of_inputs),
        cmocka_unit_test(the_latest_run),
        cmocka_unit_test(ranks_in_names),
        cmocka_unit_test(inputs_that_cannot_be_opened),
        cmocka_unit_test(a_fork_is_of_its_parents_run),
        cmocka_unit_test(second_file_of_one_process),
        cmocka_unit_test(forks_of_ranks),
        cmocka_unit_test(fork_of_a_fork),
        cmocka_unit_test(parent_of_a_fork),
        cmocka_unit_test(one_failure_in_two_records),
        cmocka_unit_test(two_failures_of_one_compile),
        cmocka_unit_test(the_recompile_limit),
        cmocka_unit_test(breaks_from_restart_reasons),
        cmocka_unit_test(breaks_from_records),
        cmocka_unit_test(breaks_from_resume_functions),
        cmocka_unit_test(statuses),
        cmocka_unit_test(walks_all_compiles),
        cmocka_unit_test(intervals),
    };

    return RUN(tests);
}
