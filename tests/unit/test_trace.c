#include "analysis/analyze.h"
#include "trace_text.h"

#include "input/limits.h"
#include "output/report/report_json.h"
#include "trace/reading.h"
#include "util/utf8.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <zlib.h>

#define ARTIFACT(name) "{\"artifact\": {\"name\": \"" name "\", \"encoding\": \"string\"}, " IN(0, 0, 0) "}"

/* A whole compile: start, graph, guards, metrics. */
#define COMPILE(t, frame, compile)                                                                                     \
    do {                                                                                                               \
        trace_record(t, "{\"dynamo_start\": {\"stack\": [{\"line\": 5, \"name\": \"f\", \"filename\": 0}]}, "         \
                        IN(frame, compile, 0) "}");                                                                    \
        trace_payload(t, "{\"dynamo_output_graph\": {}, " IN(frame, compile, 0) "}", "graph\n");                      \
        trace_payload(t, "{\"dynamo_cpp_guards_str\": {}, " IN(frame, compile, 0) "}", "\nTREE_GUARD_MANAGER:\n");    \
        trace_record(t, "{\"compilation_metrics\": {\"graph_op_count\": 3}, " IN(frame, compile, 0) "}");              \
    } while (0)

static void strings(struct trace_text *t)
{
    trace_record(t, "{\"str\": [\"/home/u/train.py\", 0]}");
    trace_record(t, "{\"str\": [\"/home/u/model.py\", 1]}");
}

/* --- traces without fault ----------------------------------------------------------------------------------------- */

static void nothing_at_all(void **state)
{
    struct trace_text t = {0};
    struct run *r = trace_run(&t);

    (void)state;
    assert_str(trace_messages(r), "");
    assert_int_equal(r->processes.n, 0);
    assert_int_equal(r->totals.records, 0);
    run_free(r);
}

static void one_compile(void **state)
{
    struct trace_text t = {0};
    const struct compile *c;
    struct run *r;

    (void)state;
    strings(&t);
    COMPILE(&t, 0, 0);
    r = trace_run(&t);
    assert_str(trace_messages(r), "");
    assert_str(trace_compiles(r), "0/0 ok");
    assert_int_equal(r->totals.records, 6);
    assert_int_equal(r->totals.payloads, 2);
    assert_int_equal(r->totals.strings, 2);
    assert_int_equal(r->processes.v[0]->pid, 100);
    assert_false(r->processes.v[0]->pid_is_thread);
    c = r->processes.v[0]->compiles.v[0];
    assert_str(c->frame->name, "f");
    assert_str(c->frame->file, "/home/u/train.py");
    assert_int_equal(c->frame->line, 5);
    assert_int_equal(c->last_us - c->first_us, 2000); /* up to its guards */
    assert_str(trace_text_of(r, trace_find(r, "dynamo_output_graph")), "graph\n");
    assert_int_equal(trace_find(r, "dynamo_output_graph")->line, 4);
    trace_check_payloads(r);
    run_free(r);
}

static void attempts(void **state)
{
    struct trace_text t = {0};
    struct run *r;

    (void)state;
    trace_record(&t, "{\"dynamo_start\": {\"stack\": []}, " IN(0, 0, 0) "}");
    trace_artifact(&t, "a", IN(0, 0, 0), "x");
    trace_artifact(&t, "b", IN(0, 0, 2), "x");
    trace_artifact(&t, "c", IN(0, 0, 1), "x");
    r = trace_run(&t);
    assert_str(trace_messages(r), "");
    assert_str(trace_compiles(r), "0/0_2 incomplete");
    assert_int_equal(trace_find(r, "b")->attempt, 2);
    assert_int_equal(trace_find(r, "c")->attempt, 1);
    run_free(r);
}

static void compiled_autograd(void **state)
{
    struct trace_text t = {0};
    struct run *r;

    (void)state;
    trace_payload(&t, "{\"compiled_autograd_graph\": {}, \"compiled_autograd_id\": 1, \"attempt\": 0}", "graph");
    trace_artifact(&t, "a", "\"compiled_autograd_id\": 1, " IN(0, 0, 0), "x");
    trace_artifact(&t, "b", IN(0, 0, 0), "x");
    r = trace_run(&t);
    assert_str(trace_messages(r), "");
    assert_str(trace_compiles(r), "!1 ok, !1/0/0 incomplete, 0/0 incomplete");
    run_free(r);
}

/* torch._dynamo.reset() restarts the ids. A start record shows it, or a record after an end. */
static void epochs(void **state)
{
    struct trace_text t = {0};
    const struct process *p;
    struct run *r;

    (void)state;
    strings(&t);
    COMPILE(&t, 0, 0);
    COMPILE(&t, 0, 1);
    COMPILE(&t, 0, 0); /* reset, line 21 */
    trace_artifact(&t, "late", IN(0, 1, 0), "x"); /* of the epoch before: compiled late */
    COMPILE(&t, 0, 0); /* reset again */
    r = trace_run(&t);
    assert_str(trace_messages(r), "compile-ids-restart:21");
    assert_str(trace_compiles(r), "0/0 ok, 0/1 ok, 0/0 ok, 0/0 ok");
    p = r->processes.v[0];
    assert_int_equal(p->epochs, 3);
    assert_int_equal(p->compiles.v[0]->epoch, 0);
    assert_int_equal(p->compiles.v[2]->epoch, 1);
    assert_int_equal(p->compiles.v[3]->epoch, 2);
    assert_int_equal(p->frames.n, 3);
    assert_ptr_equal(trace_find(r, "late")->compile, p->compiles.v[1]);
    run_free(r);
}

/* Captures of compiled autograd are counted from 0 again, too, and nothing but the timeline says where one begins. */
static void epochs_of_captures(void **state)
{
    struct trace_text t = {0};
    struct run *r;

    (void)state;
    for (int i = 0; i < 2; i++) {
        COMPILE(&t, 0, 0);
        trace_event(&t, "\"compiled_autograd_id\": 0, \"attempt\": 0", "compiled_autograd", 'B', 0);
        trace_payload(&t, "{\"compiled_autograd_graph\": {}, \"compiled_autograd_id\": 0, \"attempt\": 0}", "graph");
        trace_event(&t, "\"compiled_autograd_id\": 0, \"attempt\": 0", "compiled_autograd", 'E', 10);
    }
    trace_event(&t, "\"compiled_autograd_id\": 0, \"attempt\": 0", "compiled_autograd", 'B', 20); /* reset again */
    r = trace_run(&t);
    assert_str(trace_compiles(r), "0/0 ok, !0 ok, 0/0 ok, !0 ok, !0 ok");
    assert_int_equal(r->processes.v[0]->epochs, 3);
    assert_int_equal(r->processes.v[0]->compiles.v[1]->artifacts.n, 1);
    assert_int_equal(r->processes.v[0]->compiles.v[3]->artifacts.n, 1);
    run_free(r);
}

/* torch.export(strict=True) resets Dynamo each time: every graph is of [0/0], and none has a start record. */
static void exports(void **state)
{
    struct trace_text t = {0};
    struct run *r;

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        trace_event(&t, "", "fullgraph_capture", 'B', 100 * i);
        trace_event(&t, IN(0, 0, 0), "compile_attempt_0", 'B', 100 * i + 10);
        if (i < 2)
            trace_payload(&t, "{\"dynamo_output_graph\": {}, " IN(0, 0, 0) "}", "graph");
        trace_event(&t, IN(0, 0, 0), "compile_attempt_0", 'E', 100 * i + 20);
        trace_event(&t, "", "fullgraph_capture", 'E', 100 * i + 30);
    }
    trace_event(&t, IN(0, 0, 0), "dynamo", 'B', 400); /* the first compile after a reset is none of the export's */
    trace_record(&t, "{\"dynamo_start\": {\"stack\": []}, " IN(0, 0, 0) "}");
    trace_event(&t, IN(0, 0, 0), "compile_attempt_0", 'B', 410);
    r = trace_run(&t);
    assert_str(trace_compiles(r), "0/0 ok, 0/0 ok, 0/0 incomplete, 0/0 incomplete");
    assert_int_equal(r->processes.v[0]->epochs, 4);
    assert_false(r->processes.v[0]->compiles.v[2]->started);
    assert_true(r->processes.v[0]->compiles.v[3]->started);
    run_free(r);
}

/* An exception leaves events open inside of the one that ends; what comes later of their name is none of theirs. */
static void events_left_open(void **state)
{
    struct trace_text t = {0};
    const struct process *p;
    struct run *r;

    (void)state;
    trace_event(&t, IN(0, 0, 0), "dynamo", 'B', 0);
    trace_event(&t, IN(0, 0, 0), "inner", 'B', 10);
    trace_event(&t, IN(1, 0, 0), "inner", 'B', 20); /* of another compile, so of another thread: it goes on */
    trace_event(&t, IN(0, 0, 0), "dynamo", 'E', 100);
    trace_event(&t, IN(1, 0, 0), "inner", 'E', 120);
    trace_event(&t, IN(0, 0, 0), "inner", 'E', 130);
    r = trace_run(&t);
    p = r->processes.v[0];
    assert_int_equal(p->events.n, 4);
    assert_int_equal(p->events.v[0].duration_ns, 100000);
    assert_int_equal(p->events.v[1].flags, EVENT_UNFINISHED);
    assert_int_equal(p->events.v[1].duration_ns, 90000);
    assert_int_equal(p->events.v[2].flags, 0);
    assert_int_equal(p->events.v[2].duration_ns, 100000);
    assert_int_equal(p->events.v[3].flags, EVENT_ORPHAN);
    run_free(r);
}

/* Of more events than may be open, the outermost are given up; all others find their ends. */
static void too_many_events_open(void **state)
{
    struct trace_text t = {0};
    const struct process *p;
    struct run *r;
    char name[16];

    (void)state;
    for (int i = 0; i <= OPEN_EVENTS_MAX; i++) {
        snprintf(name, sizeof name, "e%d", i);
        trace_event(&t, IN(0, 0, 0), name, 'B', i);
    }
    trace_event(&t, IN(0, 0, 0), name, 'E', 2000);
    trace_event(&t, IN(0, 0, 0), "next", 'B', 2100);
    trace_event(&t, IN(0, 0, 0), "e900", 'E', 2900);
    trace_event(&t, IN(0, 0, 0), "e0", 'E', 3000);
    r = trace_run(&t);
    p = r->processes.v[0];
    assert_int_equal(p->events.n, OPEN_EVENTS_MAX + 3);
    assert_int_equal(p->events.v[0].flags, EVENT_UNFINISHED);
    assert_int_equal(p->events.v[900].flags, 0);
    assert_int_equal(p->events.v[900].duration_ns, 2000000);
    assert_int_equal(p->events.v[OPEN_EVENTS_MAX].duration_ns, (2000 - OPEN_EVENTS_MAX) * 1000);
    assert_int_equal(p->events.v[OPEN_EVENTS_MAX].depth, OPEN_EVENTS_MAX);
    assert_int_equal(p->events.v[OPEN_EVENTS_MAX + 1].depth, OPEN_EVENTS_MAX * 3 / 4); /* a quarter is given up */
    assert_int_equal(p->events.v[OPEN_EVENTS_MAX + 2].flags, EVENT_ORPHAN);
    run_free(r);
}

/* The timeline's own event comes before dynamo_start; both begin one and the same compile. */
static void events(void **state)
{
    struct trace_text t = {0};
    const struct process *p;
    struct run *r;

    (void)state;
    trace_event(&t, IN(0, 0, 0), "dynamo", 'B', 0);
    trace_record(&t, "{\"dynamo_start\": {\"stack\": []}, " IN(0, 0, 0) "}");
    trace_event(&t, IN(0, 0, 0), "inner", 'B', 10);
    trace_event(&t, IN(0, 0, 0), "cache_miss", 'i', 15);
    trace_event(&t, IN(0, 0, 0), "inner", 'E', 30);
    trace_payload(&t, "{\"dynamo_cpp_guards_str\": {}, " IN(0, 0, 0) "}", "guards");
    trace_event(&t, IN(0, 0, 0), "dynamo", 'E', 100);
    trace_event(&t, IN(0, 0, 0), "dynamo", 'B', 200); /* the id again after its end: a reset */
    trace_event(&t, IN(0, 0, 0), "open", 'B', 210);
    trace_event(&t, "", "lost", 'E', 220);
    r = trace_run(&t);
    assert_str(trace_messages(r), "compile-ids-restart:54 event-unmatched:74 event-unmatched:0");
    p = r->processes.v[0];
    assert_int_equal(p->epochs, 2);
    assert_int_equal(p->events.n, 6);
    assert_str(p->events.v[0].name, "dynamo");
    assert_int_equal(p->events.v[0].duration_ns, 100000);
    assert_int_equal(p->events.v[0].depth, 0);
    assert_str(p->events.v[1].name, "inner");
    assert_int_equal(p->events.v[1].duration_ns, 20000);
    assert_int_equal(p->events.v[1].depth, 1);
    assert_int_equal(p->events.v[2].flags, EVENT_INSTANT);
    assert_int_equal(p->events.v[2].depth, 2);
    assert_int_equal(p->events.v[3].flags, EVENT_UNFINISHED);
    assert_int_equal(p->events.v[4].flags, EVENT_UNFINISHED);
    assert_int_equal(p->events.v[4].duration_ns, 10000); /* up to the last time that is known */
    assert_int_equal(p->events.v[5].flags, EVENT_ORPHAN);
    assert_null(p->events.v[5].compile);
    assert_true(p->zone_known);
    assert_int_equal(r->totals.chromium_events, 8);
    run_free(r);
}

/* Events of one name in two threads: an end belongs to the beginning of its compile, whichever is innermost. */
static void events_of_threads(void **state)
{
    struct trace_text t = {0};
    const struct process *p;
    struct run *r;

    (void)state;
    trace_event(&t, IN(0, 0, 0), "compile_file", 'B', 0);
    trace_event(&t, IN(1, 0, 0), "compile_file", 'B', 10);
    trace_event(&t, IN(0, 0, 0), "compile_file", 'E', 100);
    trace_event(&t, IN(1, 0, 0), "compile_file", 'E', 500);
    r = trace_run(&t);
    p = r->processes.v[0];
    assert_str(trace_messages(r), "");
    assert_int_equal(p->events.n, 2);
    assert_ptr_equal(p->events.v[0].compile, p->compiles.v[0]);
    assert_int_equal(p->events.v[0].duration_ns, 100000);
    assert_ptr_equal(p->events.v[1].compile, p->compiles.v[1]);
    assert_int_equal(p->events.v[1].duration_ns, 490000);
    run_free(r);
}

/* What runs long after the compile names it in the arguments of its events alone. */
static void events_at_run_time(void **state)
{
    static const char *const ids[] = {"0/0", "7/0", "None", "0/0 and more"};
    struct trace_text t = {0};
    char payload[200];
    struct run *r;

    (void)state;
    COMPILE(&t, 0, 0);
    for (size_t i = 0; i < COUNT(ids); i++) {
        snprintf(payload, sizeof payload,
                 "{\"name\": \"cudagraphify\", \"ts\": 1795255200000000.0, \"args\": {\"compile_id\": \"%s\"}, "
                 "\"ph\": \"i\"}", ids[i]);
        trace_payload(&t, "{\"chromium_event\": {}}", payload);
    }
    r = trace_run(&t);
    assert_str(trace_compiles(r), "0/0 ok");
    assert_int_equal(r->processes.v[0]->events.n, 4);
    assert_ptr_equal(r->processes.v[0]->events.v[0].compile, r->processes.v[0]->compiles.v[0]);
    for (size_t i = 1; i < 4; i++)
        assert_null(r->processes.v[0]->events.v[i].compile);
    run_free(r);
}

static int64_t noon_s(const int date[3])
{
    struct tm tm = {.tm_year = date[0] - 1900, .tm_mon = date[1] - 1, .tm_mday = date[2], .tm_hour = 12};

    return timegm(&tm);
}

/* A prefix has neither year nor zone: both come from when the file was written and from the events. */
static void years_and_zones(void **state)
{
    static const struct {
        int record[3], file[3];
        int zone_h;
        bool event;
    } rows[] = {
        {{2026, 3, 10}, {2026, 3, 10}, 0, true},
        {{2025, 12, 31}, {2026, 1, 1}, -10, true},
        {{2026, 1, 1}, {2025, 12, 31}, 13, true},
        {{2025, 3, 10}, {2026, 3, 10}, -10, true}, /* a year and a day would fit a zone of 14 hours as well */
        {{2025, 3, 10}, {2026, 3, 10}, 14, true},
        {{2016, 3, 10}, {2026, 3, 10}, -11, true},
        {{2031, 3, 10}, {2026, 3, 10}, 5, true},
        {{2024, 2, 29}, {2026, 3, 10}, -8, true},
        {{2026, 3, 10}, {2026, 12, 1}, 0, false}, /* a copy made later */
        {{2025, 8, 10}, {2026, 3, 1}, 0, false},
        {{2025, 12, 31}, {2026, 1, 1}, 0, false},
        {{2026, 1, 1}, {2025, 12, 31}, 0, false}, /* of a zone far ahead of UTC */
        {{2024, 2, 29}, {2026, 3, 10}, 0, false}, /* the last year that had such a day */
        {{2025, 3, 10}, {1969, 12, 31}, 0, true},
        {{2096, 2, 29}, {2101, 3, 10}, 0, false}, /* 2100 has no such day */
        {{2000, 2, 29}, {2001, 3, 10}, 0, false}, /* 2000 has */
    };
    static const struct trace_options options = {0};

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = noon_s(rows[i].file)}};
        int64_t utc_s = noon_s(rows[i].record) - rows[i].zone_h * 3600;
        struct buf text = {0};
        struct run *r = run_new();
        const char *path;

        buf_printf(&text, "V%02d%02d 12:00:00.000000 100 x.py:1] {\"chromium_event\": {}}\n", rows[i].record[1],
                   rows[i].record[2]);
        if (rows[i].event)
            buf_printf(&text, "\t{\"name\": \"x\", \"ph\": \"i\", \"ts\": %lld}\n", (long long)utc_s * 1000000);
        path = temp_write("dated.log", buf_view(&text));
        assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
        trace_read_file(r, path, &options, 1);
        run_finish(r);
        assert_int_equal(r->processes.v[0]->first_us, noon_s(rows[i].record) * 1000000);
        assert_int_equal(r->processes.v[0]->zone_known, rows[i].event);
        assert_int_equal(r->processes.v[0]->zone_us, rows[i].zone_h * 3600000000ll * rows[i].event);
        buf_free(&text);
        run_free(r);
    }
}

/* 2.4 and earlier log a thread id where the process id stands later: all threads are one process. */
static void thread_ids(void **state)
{
    struct trace_text t = {.pid = 139646045393920};
    struct run *r;

    (void)state;
    COMPILE(&t, 0, 0);
    t.pid = 139646045393999;
    COMPILE(&t, 1, 0);
    r = trace_run(&t);
    assert_int_equal(r->processes.n, 1);
    assert_int_equal(r->processes.v[0]->pid, 0);
    assert_true(r->processes.v[0]->pid_is_thread);
    assert_str(trace_compiles(r), "0/0 ok, 1/0 ok");
    run_free(r);
}

static void ranks(void **state)
{
    static const struct trace_options options = {.check_digests = true};
    struct trace_text t = {0};
    struct run *r;

    (void)state;
    trace_record(&t, "{\"dynamo_start\": {\"stack\": []}, " IN(0, 0, 0) "}"); /* before init_process_group */
    trace_record(&t, "{\"dynamo_start\": {\"stack\": []}, \"rank\": 3, " IN(0, 1, 0) "}");
    r = trace_run(&t);
    assert_str(trace_messages(r), "");
    assert_int_equal(r->processes.v[0]->rank, 3);
    run_free(r);

    trace_record(&t, "{\"dynamo_start\": {\"stack\": []}, \"rank\": 4, " IN(0, 0, 0) "}");
    trace_record(&t, "{\"dynamo_start\": {\"stack\": []}, \"rank\": 5, " IN(0, 1, 0) "}");
    trace_record(&t, "{\"dynamo_start\": {\"stack\": []}, \"rank\": 6, " IN(0, 2, 0) "}");
    r = run_new();
    trace_read_file(r, temp_write("dedicated_log_torch_trace_rank_4_abc.log", buf_view(&t.text)), &options, 1);
    run_finish(r);
    assert_str(trace_messages(r), "rank-conflict:2"); /* once */
    assert_int_equal(r->processes.v[0]->rank, 4);
    buf_free(&t.text);
    run_free(r);

    /* A file may have been renamed: what its records say is surer. */
    trace_record(&t, "{\"dynamo_start\": {\"stack\": []}, \"rank\": 5, " IN(0, 0, 0) "}");
    r = run_new();
    trace_read_file(r, temp_write("rank_4.log", buf_view(&t.text)), &options, 1);
    run_finish(r);
    assert_str(trace_messages(r), "rank-conflict:1");
    assert_int_equal(r->processes.v[0]->rank, 5);
    buf_free(&t.text);
    run_free(r);
}

/* torchrun counts the processes of each node from 0, and before init_process_group records have no rank. */
static void rank_of_a_launcher(void **state)
{
    struct trace_text t = {.prefix = "[default0]: "};
    struct run *r;

    (void)state;
    trace_record(&t, "{\"dynamo_start\": {\"stack\": []}, " IN(0, 0, 0) "}");
    trace_record(&t, "{\"dynamo_start\": {\"stack\": []}, \"rank\": 8, " IN(0, 1, 0) "}");
    trace_record(&t, "{\"dynamo_start\": {\"stack\": []}, " IN(0, 2, 0) "}");
    r = trace_run(&t);
    assert_str(trace_messages(r), "");
    assert_int_equal(r->processes.v[0]->rank, 8);
    run_free(r);

    trace_record(&t, "{\"dynamo_start\": {\"stack\": []}, " IN(0, 0, 0) "}");
    r = trace_run(&t);
    assert_int_equal(r->processes.v[0]->rank, 0); /* better than none */
    run_free(r);
}

/* --- several processes in one file -------------------------------------------------------------------------------- */

static void two_processes_joined_by_hand(void **state)
{
    struct trace_text t = {0};
    struct run *r;

    (void)state;
    strings(&t);
    COMPILE(&t, 0, 0);
    t.pid = 200;
    trace_record(&t, "{\"str\": [\"/home/u/other.py\", 0]}");
    COMPILE(&t, 0, 0);
    t.pid = 100;
    COMPILE(&t, 0, 1);
    r = trace_run(&t);
    assert_str(trace_messages(r), "second-process:12");
    assert_str(trace_compiles(r), "0/0 ok, 0/1 ok | 0/0 ok");
    assert_str(r->processes.v[0]->compiles.v[0]->frame->file, "/home/u/train.py");
    assert_str(r->processes.v[1]->compiles.v[0]->frame->file, "/home/u/other.py");
    run_free(r);
}

/* 2.12 and earlier: parent and child write one file, and the child uses entries that the parent defined. */
static void forked_child_in_one_file(void **state)
{
    struct trace_text t = {0};
    struct run *r;

    (void)state;
    strings(&t);
    COMPILE(&t, 0, 0);
    t.pid = 101;
    COMPILE(&t, 0, 1);
    r = trace_run(&t);
    assert_str(trace_messages(r), "second-process:12");
    assert_str(trace_compiles(r), "0/0 ok | 0/1 ok");
    assert_str(r->processes.v[1]->compiles.v[0]->frame->file, "/home/u/train.py");
    assert_ptr_equal(r->processes.v[1]->parent, r->processes.v[0]);
    run_free(r);
}

/* 2.13: the child has a file of its own, without the entries. */
static void forked_child_in_its_own_file(void **state)
{
    static const struct trace_options options = {.check_digests = true};
    struct trace_text parent = {0}, child = {.pid = 101, .ms = 3};
    struct run *r = run_new();

    (void)state;
    strings(&parent);
    COMPILE(&parent, 0, 0);
    COMPILE(&child, 0, 1);
    trace_read_file(r, temp_write("b-child.log", buf_view(&child.text)), &options, 1);
    trace_read_file(r, temp_write("a-parent.log", buf_view(&parent.text)), &options, 1);
    run_finish(r);
    assert_str(trace_messages(r), "strings-from-parent:0");
    assert_str(trace_compiles(r), "0/0 ok | 0/1 ok");
    assert_str(r->processes.v[1]->compiles.v[0]->frame->file, "/home/u/train.py");
    assert_str(r->processes.v[1]->compiles.v[0]->stack->file, "/home/u/train.py");
    buf_free(&parent.text);
    buf_free(&child.text);
    run_free(r);

    COMPILE(&child, 0, 1); /* without the parent */
    r = trace_run(&child);
    assert_str(trace_messages(r), "unknown-string:0");
    assert_str(r->processes.v[0]->compiles.v[0]->frame->file, "<str 0>");
    run_free(r);
}

/* The same process id twice, as in containers: the string table starts again and says something else. */
static void restarted_process_of_the_same_id(void **state)
{
    struct trace_text t = {0};
    struct run *r;

    (void)state;
    strings(&t);
    COMPILE(&t, 0, 0);
    trace_record(&t, "{\"str\": [\"/home/u/other.py\", 0]}");
    COMPILE(&t, 0, 0);
    r = trace_run(&t);
    assert_str(trace_messages(r), "second-process:12");
    assert_str(trace_compiles(r), "0/0 ok | 0/0 ok");
    assert_str(r->processes.v[1]->compiles.v[0]->frame->file, "/home/u/other.py");
    run_free(r);
}

/* Threads have no process id, so they are one process until its strings start again. */
static void restarted_process_of_threads(void **state)
{
    struct trace_text t = {.pid = 139646045393920};
    struct run *r;

    (void)state;
    strings(&t);
    COMPILE(&t, 0, 0);
    t.pid = 139646045393999;
    trace_record(&t, "{\"str\": [\"/home/u/other.py\", 0]}");
    COMPILE(&t, 0, 0);
    t.pid = 139646045393920;
    COMPILE(&t, 1, 0);
    r = trace_run(&t);
    assert_str(trace_messages(r), "second-process:12");
    assert_str(trace_compiles(r), "0/0 ok | 0/0 ok, 1/0 ok");
    run_free(r);
}

/* What more processes write is read as the first one's, and said once. */
static void too_many_processes(void **state)
{
    (void)state;
    for (int more = 0; more < 3; more++) {
        struct trace_text t = {0};
        struct run *r;
        size_t limits = 0;

        for (int i = 0; i < LIMIT_PROCESSES + more; i++) {
            t.pid = 1000 + (uint64_t)i;
            trace_record(&t, "{\"str\": [\"/x.py\", 0]}");
        }
        trace_record(&t, "{\"str\": [\"/y.py\", 0]}"); /* starts again */
        r = trace_run(&t);
        vec_each(const struct message, m, &r->messages) limits += m->code == MSG_DEPTH_LIMIT;
        assert_int_equal(r->processes.n, LIMIT_PROCESSES);
        assert_int_equal(limits, 1);
        assert_int_equal(r->processes.v[0]->records, more ? more + 2 : 1);
        run_free(r);
    }
}

/* Where a record without a compile id comes from is kept once for each place. */
static void stacks_of_no_compile(void **state)
{
    struct trace_text t = {0};
    const struct compile *c;
    struct run *r;

    (void)state;
    strings(&t);
    for (int i = 0; i < 210; i++)
        for (int times = 0; times < 2; times++)
            trace_recordf(&t, "{\"artifact\": {\"name\": \"x\"}, \"stack\": [{\"line\": %d, \"name\": \"f\", "
                              "\"filename\": 0}]}", i + 1);
    trace_record(&t, "{\"artifact\": {\"name\": \"x\"}, \"stack\": []}");
    r = trace_run(&t);
    c = r->processes.v[0]->unattributed;
    assert_int_equal(c->stacks.n, 200);
    assert_int_equal(c->stacks.v[0]->line, 1);
    assert_int_equal(c->stacks.v[199]->line, 200);
    assert_int_equal(r->processes.v[0]->compiles.n, 0);
    run_free(r);
}

/* --- lost newlines ------------------------------------------------------------------------------------------------ */

static void drop_newline(struct trace_text *t)
{
    assert_int_equal(t->text.p[t->text.n - 1], '\n');
    t->text.n--;
}

static void newline_lost_behind_json(void **state)
{
    struct trace_text t = {0};
    struct run *r;

    (void)state;
    trace_record(&t, "{\"dynamo_start\": {\"stack\": []}, " IN(0, 0, 0) "}");
    drop_newline(&t);
    trace_artifact(&t, "second", IN(0, 0, 0), "text\n");
    trace_artifact(&t, "third", IN(0, 0, 0), "");
    r = trace_run(&t);
    assert_str(trace_messages(r), "newline-missing:1");
    assert_int_equal(r->totals.records, 3);
    assert_true(r->processes.v[0]->compiles.v[0]->started);
    assert_str(trace_text_of(r, trace_find(r, "second")), "text\n");
    assert_str(trace_text_of(r, trace_find(r, "third")), "");
    trace_check_payloads(r);
    run_free(r);
}

/* A file that was cut off inside the JSON of a record, and another one appended. */
static void appended_to_cut_json(void **state)
{
    struct trace_text t = {0};
    struct run *r;

    (void)state;
    trace_artifact(&t, "first", IN(0, 0, 0), "x");
    trace_record(&t, "{\"artifact\": {\"name\": \"cut\", \"enc");
    drop_newline(&t);
    trace_artifact(&t, "second", IN(0, 0, 0), "text");
    r = trace_run(&t);
    assert_str(trace_messages(r), "newline-missing:3 record-not-json:3");
    assert_str(trace_text_of(r, trace_find(r, "first")), "x");
    assert_str(trace_text_of(r, trace_find(r, "second")), "text");
    assert_int_equal(trace_find(r, "second")->line, 3);
    trace_check_payloads(r);
    run_free(r);
}

/* The same inside a payload: its first part is damaged, what follows is sound. */
static void appended_to_cut_payload(void **state)
{
    struct trace_text t = {0};
    struct run *r;
    size_t cut;

    (void)state;
    trace_artifact(&t, "first", IN(0, 0, 0), "one\ntwo\nthree");
    cut = t.text.n - strlen("o\n\tthree\n");
    t.text.n = cut;
    trace_artifact(&t, "second", IN(0, 0, 0), "text\nmore");
    trace_artifact(&t, "third", IN(0, 0, 0), "end");
    r = trace_run(&t);
    assert_str(trace_messages(r), "payload-digest-mismatch:1 newline-missing:3");
    assert_str(trace_text_of(r, trace_find(r, "first")), "one\ntw");
    assert_true(trace_find(r, "first")->payload.flags & PAYLOAD_BAD);
    assert_str(trace_text_of(r, trace_find(r, "second")), "text\nmore");
    assert_false(trace_find(r, "second")->payload.flags & PAYLOAD_BAD);
    assert_int_equal(trace_find(r, "second")->line, 3);
    assert_str(trace_text_of(r, trace_find(r, "third")), "end");
    trace_check_payloads(r);
    run_free(r);
}

/* A payload line may look like a record, and stays one. */
static void payload_that_looks_like_a_record(void **state)
{
    struct trace_text t = {0}, inner = {0};
    struct run *r;

    (void)state;
    trace_artifact(&inner, "inner", IN(0, 0, 0), "x");
    buf_char(&inner.text, '\0');
    trace_payload(&t, ARTIFACT("outer"), inner.text.p);
    r = trace_run(&t);
    assert_str(trace_messages(r), "");
    assert_int_equal(r->totals.records, 1);
    assert_str(trace_text_of(r, trace_find(r, "outer")), inner.text.p);
    buf_free(&inner.text);
    run_free(r);
}

static void many_records_on_one_line(void **state)
{
    struct trace_text t = {0};
    struct run *r;

    (void)state;
    for (int i = 0; i < 50; i++) {
        trace_record(&t, "{\"artifact\": {\"name\": \"x\"}, " IN(0, 0, 0) "}");
        drop_newline(&t);
    }
    trace_raw(&t, STR("\n"));
    r = trace_run(&t);
    assert_int_equal(r->totals.records, 50);
    run_free(r);
}

/* --- truncation --------------------------------------------------------------------------------------------------- */

/* A trace cut at any place is read, and the truncation is reported if it can be detected. */
static void truncated_anywhere(void **state)
{
    struct trace_text t = {0};
    size_t whole, last_record;

    (void)state;
    trace_artifact(&t, "first", IN(0, 0, 0), "one\ntwo");
    last_record = t.text.n;
    trace_artifact(&t, "second", IN(0, 0, 0), "three\nfour");
    whole = t.text.n;
    for (size_t n = last_record; n <= whole; n++) {
        struct trace_text part = {0};
        struct run *r;
        const char *expected = n == last_record || n >= whole - 1 ? "" : "file-truncated:4";

        trace_raw(&part, (struct str){t.text.p, n});
        r = trace_run(&part);
        if (!str_eq(trace_messages(r), str_of(expected)))
            fail_msg("%zu bytes of [%zu, %zu): \"%.*s\"", n, last_record, whole, STR_ARG(trace_messages(r)));
        assert_str(trace_text_of(r, trace_find(r, "first")), "one\ntwo");
        trace_check_payloads(r);
        run_free(r);
    }
    buf_free(&t.text);
}

/* The same of one without any payload. */
static void truncated_record(void **state)
{
    struct trace_text t = {0};
    struct run *r;

    (void)state;
    trace_record(&t, "{\"dynamo_start\": {\"stack\": []}, " IN(0, 0, 0) "}");
    trace_record(&t, "{\"dynamo_start\": {\"stack\": [");
    r = trace_run(&t);
    assert_str(trace_messages(r), "record-not-json:2");
    run_free(r);
    trace_record(&t, "{\"dynamo_start\": {\"stack\": []}, " IN(0, 0, 0) "}");
    trace_record(&t, "{\"dynamo_start\": {\"stack\": [");
    drop_newline(&t);
    r = trace_run(&t);
    assert_str(trace_messages(r), "file-truncated:2");
    run_free(r);
}

static void truncated_payload_without_digest(void **state)
{
    struct trace_text t = {0};
    struct run *r;

    (void)state;
    trace_record(&t, "{\"artifact\": {\"name\": \"x\"}, \"has_payload\": \"no digest\", " IN(0, 0, 0) "}");
    trace_payload_lines(&t, STR("one\ntwo"));
    drop_newline(&t);
    r = trace_run(&t);
    assert_str(trace_messages(r), "payload-digest-malformed:1 file-truncated:1");
    run_free(r);
}

/* What ended a compile: an exception with its traceback, or a text of another form. */
static void failures(void **state)
{
    static const struct {
        const char *text, *type, *message;
    } cases[] = {
        {"Traceback (most recent call last):\n  File \"/x.py\", line 3, in f\n    g()\nValueError: no\n", "ValueError",
         "no"},
        {"it went wrong\nat the end", "Exception", "it went wrong\nat the end"},
        {"it went \xff wrong", "Exception", "it went \xef\xbf\xbd wrong"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        for (int backward = 0; backward < 2; backward++) {
            struct trace_text t = {0};
            const struct failure *f;
            struct run *r;

            trace_artifact(&t, backward ? "eager_compile_backwards_failure" : "dynamo_error", IN(0, 0, 0),
                           cases[i].text);
            r = trace_run(&t);
            f = r->processes.v[0]->compiles.v[0]->failures.v[0];
            assert_str(f->type, cases[i].type);
            assert_str(f->message, cases[i].message);
            assert_int_equal(f->where, backward ? FAILED_BACKWARD : FAILED_FORWARD);
            assert_str(trace_text_of(r, f->traceback), cases[i].text);
            run_free(r);
        }
}

#define CALL(file) "  File \"" file "\", line 3, in f\n    g()\n"
#define OF_INDUCTOR CALL("/v/site-packages/torch/_inductor/graph.py")

/* The program's code that Inductor called, or that raised the exception. */
static void own_code(void **state)
{
    static const struct {
        const char *calls, *file;
    } cases[] = {
        {CALL("/home/x.py") OF_INDUCTOR, NULL},
        {CALL("/home/x.py") OF_INDUCTOR CALL("/home/lowering.py") OF_INDUCTOR, "/home/lowering.py"},
        {OF_INDUCTOR CALL("/home/a.py") CALL("/home/b.py") OF_INDUCTOR, "/home/b.py"},
        {CALL("/v/site-packages/torch/_dynamo/x.py") CALL("/home/backend.py"), "/home/backend.py"},
        {CALL("/home/x.py") CALL("/v/site-packages/torch/_dynamo/x.py"), NULL},
        {OF_INDUCTOR CALL("<string>"), NULL},
        {OF_INDUCTOR CALL("/v/site-packages/tills/a.py"), "/v/site-packages/tills/a.py"},
        {OF_INDUCTOR CALL("/home/a.py") CALL("/v/site-packages/tills/a.py"), "/home/a.py"},
        {OF_INDUCTOR CALL("/v/site-packages/sympy/a.py"), NULL},
        {OF_INDUCTOR CALL("/v/site-packages/tills/a.py") OF_INDUCTOR, NULL},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        const struct failure *f;
        struct run *r;
        char text[1000];

        snprintf(text, sizeof text, "Traceback (most recent call last):\n%sValueError: no\n", cases[i].calls);
        trace_artifact(&t, "dynamo_error", IN(0, 0, 0), text);
        r = trace_run(&t);
        f = r->processes.v[0]->compiles.v[0]->failures.v[0];
        assert_str(f->own_code ? f->own_code->file : STR(""), cases[i].file ? cases[i].file : "");
        assert_true(!f->own_code || !f->own_code->parent);
        run_free(r);
    }
}

/* --- payloads that do not fit ------------------------------------------------------------------------------------- */

static void payload_faults(void **state)
{
    struct trace_text t = {0};
    const struct artifact *bad;
    struct run *r;

    (void)state;
    trace_raw(&t, STR("\tof nobody\n\tat all\n"));
    trace_record(&t, "{\"artifact\": {\"name\": \"missing\"}, " IN(0, 0, 0)
                     ", \"has_payload\": \"d41d8cd98f00b204e9800998ecf8427e\"}"); /* line 3 */
    trace_record(&t, "{\"artifact\": {\"name\": \"unannounced\"}, " IN(0, 0, 0) "}");
    trace_payload_lines(&t, STR("text"));
    trace_record(&t, "{\"artifact\": {\"name\": \"wrong\"}, " IN(0, 0, 0)
                     ", \"has_payload\": \"d41d8cd98f00b204e9800998ecf8427e\"}"); /* line 6 */
    trace_payload_lines(&t, STR("text"));
    trace_record(&t, "{\"artifact\": {\"name\": \"odd\"}, \"has_payload\": true, " IN(0, 0, 0) "}");
    trace_artifact(&t, "right", IN(0, 0, 0), "text");
    r = trace_run(&t);
    assert_str(trace_messages(r),
               "payload-without-record:1 payload-missing:3 payload-without-record:4 payload-digest-mismatch:6 "
               "payload-missing:8");
    bad = trace_find(r, "wrong");
    assert_int_equal(bad->payload.flags,
                     PAYLOAD_PRESENT | PAYLOAD_ANNOUNCED | PAYLOAD_DIGEST | PAYLOAD_CHECKED | PAYLOAD_BAD);
    assert_int_equal(trace_find(r, "right")->payload.flags,
                     PAYLOAD_PRESENT | PAYLOAD_ANNOUNCED | PAYLOAD_DIGEST | PAYLOAD_CHECKED);
    assert_int_equal(trace_find(r, "missing")->payload.flags, PAYLOAD_ANNOUNCED | PAYLOAD_DIGEST);
    assert_str(trace_text_of(r, trace_find(r, "unannounced")), "text");
    assert_int_equal(r->totals.bad_payloads, 1);
    assert_int_equal(r->totals.payloads, 3);
    run_free(r);
}

/* The digest is found where other writers than json.dumps would have put it, too. */
static void digest_in_another_place(void **state)
{
    static const char *const records[] = {
        "{\"has_payload\": \"%s\", \"artifact\": {\"name\": \"x\"}, " IN(0, 0, 0) "}",
        "{\"artifact\":{\"name\":\"x\"},\"has_payload\":\"%s\"}",
        "{\"artifact\": {\"name\": \"x\"}, \"has_payload\": \"%s\" }",
    };
    struct digest right = digest_of(STR("text"));
    char hex[DIGEST_HEX + 1], json[300];

    (void)state;
    for (size_t i = 0; i < COUNT(records); i++)
        for (int wrong = 0; wrong < 2; wrong++) {
            struct trace_text t = {0};
            struct run *r;

            digest_hex(&right, hex);
            hex[0] ^= (char)wrong;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
            snprintf(json, sizeof json, records[i], hex);
#pragma GCC diagnostic pop
            trace_record(&t, json);
            trace_payload_lines(&t, STR("text"));
            trace_artifact(&t, "behind", IN(0, 0, 0), "");
            r = trace_run(&t);
            assert_str(trace_messages(r), wrong ? "payload-digest-mismatch:1" : "");
            assert_true(trace_find(r, "x")->payload.flags & PAYLOAD_CHECKED);
            run_free(r);
        }
}

static void check_large(const struct trace_text *t, size_t size, const char *message, unsigned bad)
{
    struct trace_text copy = {0};
    struct run *r;

    buf_str(&copy.text, buf_view(&t->text));
    r = trace_run(&copy);
    assert_int_equal(str_has(trace_messages(r), STR("payload-digest-mismatch:1")), bad != 0);
    assert_true(str_ends(trace_messages(r), str_of(message)));
    assert_int_equal(r->inputs.v[0]->artifacts.v[0]->payload.text_bytes, size);
    assert_int_equal(r->inputs.v[0]->artifacts.v[0]->payload.flags & (PAYLOAD_CHECKED | PAYLOAD_BAD),
                     PAYLOAD_CHECKED | bad);
    trace_check_payloads(r);
    run_free(r);
}

/* Of all sizes at which a payload is treated in another way, with the right digest and with a wrong one. */
static void large_payloads(void **state)
{
    static const size_t sizes[] = {(1 << 20) - 1, 1 << 20, (1 << 20) + 1, LIMIT_PAYLOAD_TEXT + 5};
    char *text = test_malloc(LIMIT_PAYLOAD_TEXT + 100);

    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++)
        for (int json = 0; json < 2; json++) {
            const char *message = json && sizes[i] > LIMIT_PAYLOAD_TEXT ? "payload-too-long:1" : "";
            struct trace_text t = {0};

            for (size_t k = 0; k < sizes[i]; k++)
                text[k] = (char)(k % 1000 == 999 ? '\n' : 'a' + k % 26);
            text[sizes[i]] = '\0';
            trace_payload(&t, json ? ARTIFACT("dynamo_error") : ARTIFACT("x"), text);
            trace_artifact(&t, "behind", IN(0, 0, 0), "x");
            check_large(&t, sizes[i], message, 0);
            t.text.p[str_find(buf_view(&t.text), STR("\n\tabc")) + 2] = 'b';
            check_large(&t, sizes[i], message, PAYLOAD_BAD);
            buf_free(&t.text);
        }
    test_free(text);
}

/* It is we who cut the line: the trace is not to blame for a digest that does not fit the rest. */
static void payload_line_over_the_limit(void **state)
{
    char *text = test_malloc(LIMIT_LINE + 100);
    struct trace_text t = {0};
    struct run *r;

    (void)state;
    memset(text, 'x', LIMIT_LINE + 10);
    strcpy(text + LIMIT_LINE + 10, "\nend");
    trace_payload(&t, ARTIFACT("x"), text);
    r = trace_run(&t);
    assert_str(trace_messages(r), "line-too-long:2");
    assert_int_equal(r->totals.bad_payloads, 0);
    trace_check_payloads(r);
    test_free(text);
    run_free(r);
}

static void digests_can_be_left_out(void **state)
{
    static const struct trace_options options = {0};
    struct trace_text t = {0};
    struct run *r;

    (void)state;
    trace_record(&t, "{\"artifact\": {\"name\": \"wrong\"}, " IN(0, 0, 0)
                     ", \"has_payload\": \"d41d8cd98f00b204e9800998ecf8427e\"}");
    trace_payload_lines(&t, STR("text"));
    r = trace_run_with(&t, &options, 2);
    assert_str(trace_messages(r), "");
    assert_int_equal(trace_find(r, "wrong")->payload.flags, PAYLOAD_PRESENT | PAYLOAD_ANNOUNCED | PAYLOAD_DIGEST);
    run_free(r);
}

/* --- what is around the lines ------------------------------------------------------------------------------------- */

static void crlf(void **state)
{
    struct trace_text t = {.newline = "\r\n"};
    struct run *r;

    (void)state;
    strings(&t);
    COMPILE(&t, 0, 0);
    trace_artifact(&t, "x", IN(0, 0, 0), "one\n\ntwo\n");
    r = trace_run(&t);
    assert_str(trace_messages(r), "");
    assert_str(trace_compiles(r), "0/0 ok");
    assert_str(trace_text_of(r, trace_find(r, "x")), "one\n\ntwo\n");
    trace_check_payloads(r);
    run_free(r);
}

static void colors(void **state)
{
    struct trace_text t = {.prefix = "\x1b[2m", .newline = "\x1b[0m\n"};
    struct run *r;

    (void)state;
    strings(&t);
    COMPILE(&t, 0, 0);
    trace_artifact(&t, "x", IN(0, 0, 0), "one\n\ntwo\n");
    r = trace_run(&t);
    assert_str(trace_messages(r), "");
    assert_str(trace_compiles(r), "0/0 ok");
    assert_str(trace_text_of(r, trace_find(r, "x")), "one\n\ntwo\n");
    trace_check_payloads(r);
    run_free(r);
}

/* Codes in a payload belong to it, also behind a launcher's prefix; those of the launcher's own are before it. */
static void colors_that_are_meant(void **state)
{
    static const char *const prefixes[] = {NULL, "[rank0]: ", "custom> "};
    struct trace_text t = {0};
    struct run *r;

    (void)state;
    for (size_t i = 0; i < COUNT(prefixes); i++) {
        t.prefix = prefixes[i];
        trace_artifact(&t, "x", IN(0, 0, 0), "\x1b[31mred\x1b[0m\n\x1b[1mbold");
        r = trace_run(&t);
        assert_str(trace_messages(r), "");
        assert_str(trace_text_of(r, trace_find(r, "x")), "\x1b[31mred\x1b[0m\n\x1b[1mbold");
        trace_check_payloads(r);
        run_free(r);
    }
    t.prefix = "\x1b[36mweb-1  | \x1b[0m";
    trace_artifact(&t, "x", IN(0, 0, 0), "one\n\ntwo");
    r = trace_run(&t);
    assert_str(trace_messages(r), "");
    trace_check_payloads(r);
    run_free(r);
}

/* The line of the record is clean: what stands before the lines below it is seen there. */
static void decorated_payload_lines(void **state)
{
    static const struct str before[] = {STR_INIT("\x1b[2m"), STR_INIT("\0\0")};

    (void)state;
    for (size_t i = 0; i < COUNT(before); i++) {
        struct trace_text t = {0}, decorated = {0};
        struct str rest, line;
        struct run *r;

        trace_artifact(&t, "x", IN(0, 0, 0), "one\ntwo");
        for (rest = buf_view(&t.text); str_next_line(&rest, &line);) {
            if (str_starts(line, STR("\ttwo")))
                trace_raw(&decorated, before[i]);
            trace_line(&decorated, line);
        }
        buf_free(&t.text);
        r = trace_run(&decorated);
        assert_str(trace_messages(r), i ? "nul-bytes:3" : "");
        assert_str(trace_text_of(r, trace_find(r, "x")), "one\ntwo");
        run_free(r);
    }
}

/* An editor took the trailing blanks off, and with them the tabs of empty payload lines. */
static void stripped_tabs(void **state)
{
    struct trace_text t = {0};
    struct str from = {0};
    struct buf stripped = {0};
    struct run *r;

    (void)state;
    trace_payload(&t, "{\"dynamo_cpp_guards_str\": {}, " IN(0, 0, 0) "}", "\n\nTREE\n\n\nend");
    trace_artifact(&t, "x", IN(0, 0, 0), "one\n\ntwo");
    for (from = buf_view(&t.text); from.n;) {
        struct str line = str_split(&from, '\n');

        buf_str(&stripped, str_eq(line, STR("\t")) ? STR("") : line);
        buf_char(&stripped, '\n');
    }
    buf_free(&t.text);
    t.text = stripped;
    r = trace_run(&t);
    assert_str(trace_messages(r), "");
    assert_str(trace_text_of(r, trace_find(r, "dynamo_cpp_guards_str")), "\n\nTREE\n\n\nend");
    assert_str(trace_text_of(r, trace_find(r, "x")), "one\n\ntwo");
    trace_check_payloads(r);
    run_free(r);
}

/* Two ranks through one launcher, line by line in turn. */
static void interleaved_ranks(void **state)
{
    struct trace_text rank[2] = {{.prefix = "[rank0]: "}, {.prefix = "[rank1]: ", .pid = 200}}, t = {0};
    struct str rest[2], line;
    struct run *r;

    (void)state;
    for (int i = 0; i < 2; i++) {
        strings(&rank[i]);
        COMPILE(&rank[i], 0, 0);
        trace_artifact(&rank[i], "x", IN(0, 0, 0), "one\n\ntwo\nthree");
        rest[i] = buf_view(&rank[i].text);
    }
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < 2; i++)
            if (str_next_line(&rest[i], &line)) {
                more = true;
                trace_line(&t, line);
            }
        if (more)
            trace_raw(&t, STR("\n")); /* blank lines between them are nobody's */
    }
    r = trace_run(&t);
    assert_str(trace_messages(r), "");
    assert_str(trace_compiles(r), "0/0 ok | 0/0 ok");
    assert_int_equal(r->processes.v[0]->rank, 0);
    assert_int_equal(r->processes.v[1]->rank, 1);
    assert_int_equal(r->processes.v[1]->pid, 200);
    for (size_t i = 0; i < r->inputs.v[0]->artifacts.n; i++)
        if (str_eq(r->inputs.v[0]->artifacts.v[i]->name, STR("x")))
            assert_str(trace_text_of(r, r->inputs.v[0]->artifacts.v[i]), "one\n\ntwo\nthree");
    trace_check_payloads(r);
    buf_free(&rank[0].text);
    buf_free(&rank[1].text);
    run_free(r);
}

/* Two processes write one file without any prefix: lines of one stand in the payload of the other. */
static void interleaved_payload_lines(void **state)
{
    struct trace_text t = {0};
    struct run *r;

    (void)state;
    trace_artifact(&t, "first", IN(0, 0, 0), "one\ntwo");
    t.text.n -= strlen("\ttwo\n");
    t.pid = 200;
    trace_artifact(&t, "second", IN(0, 0, 0), "three");
    trace_raw(&t, STR("\ttwo\n"));
    trace_artifact(&t, "third", IN(0, 0, 0), "");
    r = trace_run(&t);
    assert_str(trace_messages(r), "payload-digest-mismatch:1 payload-digest-mismatch:3 second-process:3");
    assert_str(trace_text_of(r, trace_find(r, "first")), "one");
    assert_str(trace_text_of(r, trace_find(r, "second")), "three\ntwo");
    run_free(r);
}

/* Lines of the program itself between those of the trace. */
static void foreign_lines(void **state)
{
    struct trace_text t = {.prefix = "worker-0 | "};
    struct run *r;

    (void)state;
    trace_line(&t, STR("Starting up"));
    trace_artifact(&t, "x", IN(0, 0, 0), "one\ntwo");
    t.text.n -= strlen("worker-0 | \ttwo\n");
    trace_line(&t, STR("step 1, loss 0.5"));
    trace_payload_lines(&t, STR("two"));
    r = trace_run(&t);
    assert_str(trace_messages(r), "line-not-understood:1 line-not-understood:4");
    assert_str(trace_text_of(r, trace_find(r, "x")), "one\ntwo");
    trace_check_payloads(r);
    run_free(r);
}

static void nul_bytes(void **state)
{
    struct trace_text t = {0};
    struct run *r;

    (void)state;
    trace_artifact(&t, "x", IN(0, 0, 0), "one");
    trace_raw(&t, STR("\0\0\0\0"));
    trace_artifact(&t, "y", IN(0, 0, 0), "one\ntwo");
    t.text.n -= strlen("\ttwo\n");
    trace_raw(&t, STR("\0\0\ttwo\n"));
    r = trace_run(&t);
    assert_str(trace_messages(r), "nul-bytes:3 nul-bytes:5");
    assert_str(trace_text_of(r, trace_find(r, "y")), "one\ntwo");
    trace_check_payloads(r);
    run_free(r);
}

/* --- records that are not as PyTorch writes them ------------------------------------------------------------------ */

static void unknown_kinds(void **state)
{
    struct trace_text t = {0};
    const struct kind_count *count;
    struct run *r;

    (void)state;
    trace_payload(&t, "{\"from_the_future\": {\"a\": [1, {\"b\": 2}]}, " IN(0, 0, 0) "}", "text");
    trace_record(&t, "{\"from_the_future\": 7, " IN(0, 0, 0) "}");
    trace_record(&t, "{\"stack\": [], \"rank\": 1}");
    trace_record(&t, "{}");
    r = trace_run(&t);
    assert_str(trace_messages(r), "unknown-kind:1 unknown-kind:3 unknown-kind:4 unknown-kind:5");
    assert_str(trace_text_of(r, trace_find(r, "from_the_future")), "text");
    assert_int_equal(r->totals.unknown_records, 4);
    count = map_get(&r->inputs.v[0]->kinds, STR("from_the_future"));
    assert_int_equal(count->count, 2);
    assert_true(count->unknown);
    run_free(r);
}

/* Every field of every known kind, with every sort of wrong value: a message at most, and the rest is used. */
/* A message quotes names of a trace, and is cut between characters. */
static void long_names_in_messages(void **state)
{
    struct trace_text t = {0};
    struct buf json = {0};
    struct run *r;

    (void)state;
    buf_str(&json, STR("{\"x"));
    for (int i = 0; i < 300; i++)
        buf_str(&json, STR("\xc3\xa4"));
    buf_str(&json, STR("\": {}, \"frame_id\": \"?\", \"frame_compile_id\": 0}"));
    buf_char(&json, '\0');
    trace_record(&t, json.p);
    r = trace_run(&t);
    assert_str(trace_messages(r), "compile-id-malformed:1 unknown-kind:1");
    assert_true(utf8_valid(r->messages.v[0].text));
    assert_int_equal(r->messages.v[0].text.n, MESSAGE_TEXT_MAX - 1);
    assert_true(utf8_valid(r->messages.v[1].text));
    assert_int_equal(r->messages.v[1].text.n, 59);
    buf_free(&json);
    run_free(r);
}

static void wrong_types(void **state)
{
    static const char *const values[] = {"null",
                                         "true",
                                         "-1",
                                         "1e300",
                                         "9007199254740993",
                                         "\"text\"",
                                         "[]",
                                         "[null]",
                                         "[[[]]]",
                                         "{}",
                                         "{\"line\": {}, \"name\": 1, \"filename\": []}",
                                         "[{\"line\": \"x\"}, 5]"};
    static const char *const kinds[] = {
        "artifact",
        "chromium_event",
        "str",
        "dynamo_start",
        "dynamo_output_graph",
        "compilation_metrics",
        "bwd_compilation_metrics",
        "describe_tensor",
        "describe_storage",
        "describe_source",
        "create_symbol",
        "create_unbacked_symbol",
        "symbolic_shape_specialization",
        "guard_added",
        "guard_added_fast",
        "expression_created",
        "propagate_real_tensors",
        "missing_fake_kernel",
        "mismatched_fake_kernel",
        "guard_on_data_dependent_error",
        "inductor_output_code",
        "optimize_ddp_split_child",
        "graph_dump",
        "dump_file",
        "link",
    };
    static const char *const fields[] = {
        "name",        "stack",         "id",         "describer_id",    "storage",   "size",
        "stride",      "symbol",        "val",        "source",          "sources",   "value",
        "reason",      "expr",          "prefix",     "user_stack",      "op",        "result",
        "filename",    "url",           "compile_id", "restart_reasons", "fail_type", "fail_user_frame_lineno",
        "stack_trace", "start_time_us", "co_name",    "dtype",           "device",    "vr",
    };
    struct trace_text t = {0};
    uint64_t expected = 0;
    struct run *r;

    (void)state;
    for (size_t k = 0; k < COUNT(kinds); k++)
        for (size_t v = 0; v < COUNT(values); v++) {
            struct buf json = {0};

            buf_printf(&json, "{\"%s\": %s, " IN(0, 0, 0) "}", kinds[k], values[v]);
            buf_char(&json, '\0');
            trace_record(&t, json.p);
            json.n = 0;
            buf_printf(&json, "{\"%s\": {", kinds[k]);
            for (size_t f = 0; f < COUNT(fields); f++)
                buf_printf(&json, "%s\"%s\": %s", f ? ", " : "", fields[f], values[v]);
            buf_printf(&json, "}, " IN(0, 0, 0) "}");
            buf_char(&json, '\0');
            trace_record(&t, json.p);
            buf_free(&json);
            expected += 2;
        }
    r = trace_run(&t);
    assert_int_equal(r->totals.records, expected);
    assert_int_equal(r->totals.unknown_records, 0);
    for (size_t i = 0; i < r->messages.n; i++)
        if (message_infos[r->messages.v[i].code].severity == SEVERITY_ERROR)
            fail_msg("line %llu: %.*s", (unsigned long long)r->messages.v[i].line, STR_ARG(r->messages.v[i].text));
    assert_true(r->inputs.v[0]->messages.counts[MSG_BAD_FIELD] > 100);
    run_free(r);
}

/* Ids that no compile can have: the record is kept without one, and said so. */
static void absurd_ids(void **state)
{
    static const char *const ids[] = {
        "\"frame_id\": -1, \"frame_compile_id\": 0",
        "\"frame_id\": 99999999999, \"frame_compile_id\": 0",
        "\"frame_id\": 0, \"frame_compile_id\": \"x\"",
        "\"frame_id\": 0.5, \"frame_compile_id\": 0",
        "\"frame_id\": [], \"frame_compile_id\": 0",
        "\"compiled_autograd_id\": -5",
        "\"frame_id\": 0",
        "\"frame_compile_id\": 3",
        "\"compiled_autograd_id\": 1, \"frame_id\": 2",
        "\"compiled_autograd_id\": 1, \"frame_compile_id\": 2",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(ids); i++) {
        struct trace_text t = {0};
        char json[200];
        struct run *r;

        snprintf(json, sizeof json, "{\"artifact\": {\"name\": \"x\"}, %s, \"attempt\": 0}", ids[i]);
        trace_record(&t, json);
        r = trace_run(&t);
        if (!str_eq(trace_messages(r), STR("compile-id-malformed:1")) || r->processes.v[0]->compiles.n)
            fail_msg("%s: %.*s; compiles: %.*s", ids[i], STR_ARG(trace_messages(r)), STR_ARG(trace_compiles(r)));
        assert_ptr_equal(trace_find(r, "x")->compile, r->processes.v[0]->unattributed);
        run_free(r);
    }
}

static void absurd_numbers(void **state)
{
    struct trace_text t = {0};
    struct run *r;

    (void)state;
    trace_record(&t, "{\"artifact\": {\"name\": \"x\"}, \"frame_id\": 16777216, \"frame_compile_id\": 16777216, "
                     "\"attempt\": 99999999}");
    trace_record(&t, "{\"str\": [\"/x.py\", 99999999999]}");
    trace_record(&t, "{\"str\": [\"/x.py\", -1]}");
    trace_record(&t, "{\"str\": [\"/x.py\", 1048575]}");
    trace_record(
        &t,
        "{\"dynamo_start\": {\"stack\": [{\"line\": 9223372036854775807, \"name\": \"f\", \"filename\": 1048575}]}, "
        "\"rank\": 99999999999, " IN(0, 0, 0) "}");
    trace_record(
        &t, "{\"compilation_metrics\": {\"start_time_us\": 9223372036854775807, \"duration_us\": -9223372036854775808, "
            "\"guard_count\": 1e400}, " IN(0, 0, 0) "}");
    trace_payload(&t, "{\"chromium_event\": {}, " IN(0, 0, 0) "}", "{\"name\": \"x\", \"ts\": 1e300, \"ph\": \"B\"}");
    trace_payload(&t, "{\"chromium_event\": {}, " IN(0, 0, 0) "}", "{\"name\": \"x\", \"ts\": NaN, \"ph\": \"B\"}");
    r = trace_run(&t);
    assert_str(trace_messages(r), "field-ignored:1 string-table-entry:2 string-table-entry:3 field-ignored:5 "
                                  "json-repaired:6 field-ignored:7 field-ignored:9");
    assert_str(trace_compiles(r), "16777216/16777216 incomplete, 0/0 empty");
    assert_str(r->processes.v[0]->compiles.v[1]->frame->file, "/x.py");
    run_free(r);
}

static void deep_stacks(void **state)
{
    struct trace_text t = {0};
    struct buf json = {0};
    struct run *r;

    (void)state;
    buf_str(&json, STR("{\"dynamo_start\": {\"stack\": ["));
    for (int i = 0; i < LIMIT_STACK_FRAMES + 10; i++)
        buf_printf(&json, "%s{\"line\": %d, \"name\": \"f\", \"filename\": -1}", i ? ", " : "", i + 1);
    buf_str(&json, STR("]}, " IN(0, 0, 0) "}"));
    buf_char(&json, '\0');
    trace_record(&t, json.p);
    r = trace_run(&t);
    assert_str(trace_messages(r), "limit-reached:1");
    assert_int_equal(r->processes.v[0]->compiles.v[0]->stack->depth, LIMIT_STACK_FRAMES);
    assert_int_equal(r->processes.v[0]->compiles.v[0]->stack->line, LIMIT_STACK_FRAMES + 10);
    buf_free(&json);
    run_free(r);
}

/* The text of a metric that is no plain value is whole, however long its parts are. */
static void long_values_in_metrics(void **state)
{
    struct trace_text t = {0};
    struct buf json = {0};
    const struct metrics *m;
    struct run *r;

    (void)state;
    buf_str(&json, STR("{\"compilation_metrics\": {\"feature_usage\": {\"a\": {\"b\": \""));
    for (int i = 0; i < 3000; i++)
        buf_char(&json, 'x');
    buf_str(&json, STR("\"}, \"c\": 1}}, " IN(0, 0, 0) "}"));
    buf_char(&json, '\0');
    trace_record(&t, json.p);
    r = trace_run(&t);
    m = compile_metrics(r->processes.v[0]->compiles.v[0], METRICS_FORWARD);
    assert_non_null(m);
    assert_int_equal(metrics_str(m, "feature_usage").n, 3000 + strlen("{\"a\": {\"b\": \"\"}, \"c\": 1}"));
    buf_free(&json);
    run_free(r);
}

/* Each metrics record repeats all settings: one copy of them is kept, however many compiles there are. */
static void settings_are_kept_once(void **state)
{
    enum { RECORDS = 300, SETTINGS = 20000 };
    struct trace_text t = {0};
    struct buf json = {0};
    struct run *r;

    (void)state;
    for (int i = 0; i < RECORDS; i++) {
        json.n = 0;
        buf_printf(&json, "{\"compilation_metrics\": {\"graph_op_count\": %d, \"inductor_config\": \"", i);
        for (int k = 0; k < SETTINGS; k++)
            buf_char(&json, 'x');
        buf_printf(&json, "\", \"stack_trace\": [\"Line: 3, Name: f, Filename: /x.py\"]}, \"frame_id\": %d, ", i);
        buf_str(&json, STR("\"frame_compile_id\": 0, \"attempt\": 0}"));
        buf_char(&json, '\0');
        trace_record(&t, json.p);
    }
    r = trace_run(&t);
    assert_int_equal(r->processes.v[0]->compiles.n, RECORDS);
    assert_true(arena_bytes(r->inputs.v[0]->arena) < RECORDS * SETTINGS / 4);
    buf_free(&json);
    run_free(r);
}

/* Of a traceback the model keeps the message and, once, the calls of the user's code. */
static void tracebacks_are_not_kept(void **state)
{
    enum { RECORDS = 100, CALLS = 300 };
    struct trace_text t = {0};
    struct buf text = {0};
    const struct compile *c;
    struct run *r;

    (void)state;
    buf_str(&text, STR("Graph break in user code at /x.py:7\nGraph Break Reason: Type\n  Explanation: why\n"
                       "  Hint: do\n\nUser code traceback:\n  File \"/x.py\", line 7, in f\n    g()\n\n"
                       "Traceback (most recent call last):\n"));
    for (int i = 0; i < CALLS; i++)
        buf_printf(&text, "  File \"/torch/_dynamo/a%d.py\", line %d, in run\n    super().run()\n", i, i);
    buf_str(&text, STR("torch._dynamo.exc.Unsupported: Type\n  Explanation: why\n"));
    buf_char(&text, '\0');
    for (int i = 0; i < RECORDS; i++) {
        trace_payload(&t, ARTIFACT("dynamo_graph_break_reason"), text.p);
        trace_payload(&t, ARTIFACT("dynamo_error"), text.p);
    }
    r = trace_run(&t);
    assert_true(arena_bytes(r->inputs.v[0]->arena) < RECORDS * text.n / 4);
    c = r->processes.v[0]->compiles.v[0];
    assert_int_equal(c->failures.n, RECORDS);
    assert_str(c->failures.v[7]->type, "Unsupported");
    assert_str(c->failures.v[7]->message, "Type\n  Explanation: why");
    assert_int_equal(c->breaks.n, 1); /* the same one */
    assert_str(c->breaks.v[0]->type, "Type");
    assert_str(c->breaks.v[0]->reason, "Type\n  Explanation: why\n  Hint: do");
    assert_str(c->breaks.v[0]->explanation, "why");
    assert_str(c->breaks.v[0]->hints.v[0], "do");
    assert_int_equal(c->breaks.v[0]->context.n, 0);
    buf_free(&text);
    run_free(r);
}

static void not_utf8(void **state)
{
    struct trace_text t = {0};
    struct run *r;

    (void)state;
    trace_payload(&t, ARTIFACT("x\xff"), "text\xff");
    trace_record(&t, "{\"artifact\": {\"name\": \"y\\ud800\"}, " IN(0, 0, 0) "}");
    r = trace_run(&t);
    assert_str(trace_messages(r), "not-utf8:1 not-utf8:1 json-repaired:3");
    assert_str(r->inputs.v[0]->artifacts.v[0]->name, "x\xef\xbf\xbd");
    assert_str(trace_text_of(r, r->inputs.v[0]->artifacts.v[0]), "text\xff"); /* the payload is as it was written */
    run_free(r);
}

/* Files that are no traces: nothing is found, and nothing goes wrong. */
static void no_trace(void **state)
{
    static const struct str texts[] = {
        STR_INIT("\n\n\n"),
        STR_INIT("hello\n"),
        STR_INIT("\t\n\t\n"),
        STR_INIT("V1121 10:00:00.000000 1 x.py:3] hello\n"),
        STR_INIT("V1121 10:00:00.000000 1 x.py:3] \n"),
        STR_INIT("{\"artifact\": {}}\n"),
        STR_INIT("\0\0\0\0\0"),
        STR_INIT("\x1b\x1b\x1b[\n\x1b]\n"),
        STR_INIT("\r\n\r\r\n\r"),
    };

    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct trace_text t = {0};
        struct run *r;

        trace_raw(&t, texts[i]);
        r = trace_run(&t);
        assert_int_equal(r->totals.records, 0);
        assert_int_equal(r->processes.n, 0);
        run_free(r);
    }
}

/* --- threads ------------------------------------------------------------------------------------------------------ */

static void add_mixed_records(struct trace_text *t)
{
    char json[400];

    strings(t);
    for (int i = 0; i < 3000; i++) {
        t->pid = i % 500 == 3 ? 200 : 100;
        snprintf(json, sizeof json,
                 "{\"artifact\": {\"name\": \"a%d\"}, \"frame_id\": %d, \"frame_compile_id\": %d, \"attempt\": %d}",
                 i % 7, i % 11, i % 13, i % 3);
        trace_payload(t, json, i % 5 ? "text\n\nof some lines" : "");
        if (i % 97 == 0)
            trace_record(t, "{\"from_the_future\": NaN}");
        if (i % 193 == 0)
            trace_raw(t, STR("garbage\n"));
        if (i % 401 == 0)
            drop_newline(t);
        if (i % 50 == 0)
            trace_event(t, IN(0, 0, 0), "dynamo", i % 100 ? 'E' : 'B', (unsigned)i);
        if (i % 20 == 0)
            trace_record(t, "{\"dynamo_start\": {\"stack\": [{\"line\": 5, \"name\": \"f\", \"filename\": 0}]}, " IN(
                                3, 4, 0) "}");
    }
    trace_raw(t, STR("V1121 10:00:00.000000 100 x.py:3] {\"artifact\""));
}

/* report.json of the text: all the facts, in order. */
static struct str facts(struct arena *a, struct str text, unsigned threads)
{
    static const struct trace_options options = {.check_digests = true};
    struct trace_text t = {0};
    struct answers answers;
    struct view v = {.answers = &answers, .scratch = arena_new()};
    struct buf json = {0};
    struct sink sink = sink_to_buf(&json);
    struct run *r;
    struct str out;

    trace_raw(&t, text);
    v.run = r = trace_run_with(&t, &options, threads);
    analyze(r->arena, r, NULL, &answers);
    report_json_write(&sink, &v, &(struct about){0});
    out = arena_str(a, buf_view(&json));
    buf_free(&json);
    arena_free(v.scratch);
    run_free(r);
    return out;
}

static void the_same_for_any_number_of_threads(void **state)
{
    struct arena *a = arena_new();
    struct trace_text t = {0};
    struct str one;

    (void)state;
    add_mixed_records(&t);
    one = facts(a, buf_view(&t.text), 1);
    assert_true(one.n > 100000);
    assert_true(str_eq(facts(a, buf_view(&t.text), 2), one));
    assert_true(str_eq(facts(a, buf_view(&t.text), 5), one));
    buf_free(&t.text);
    arena_free(a);
}

/* --- compressed, summary, sniffing -------------------------------------------------------------------------------- */

static void gzip(void **state)
{
    static const struct trace_options options = {.check_digests = true};
    struct trace_text t = {0};
    struct run *r = run_new();
    const char *path = temp_path("trace.gz");
    gzFile gz = gzopen(path, "wb");

    (void)state;
    strings(&t);
    COMPILE(&t, 0, 0);
    trace_record(&t, "{\"artifact\": {\"name\": \"cut\", \"enc");
    drop_newline(&t);
    trace_artifact(&t, "x", IN(0, 0, 0), "one\ntwo"); /* glued: the file is looked at again while it is read */
    assert_int_equal(gzwrite(gz, t.text.p, (unsigned)t.text.n), t.text.n);
    gzclose(gz);
    trace_read_file(r, path, &options, 2);
    run_finish(r);
    assert_str(trace_messages(r), "newline-missing:12 record-not-json:12");
    assert_str(trace_compiles(r), "0/0 ok");
    assert_str(trace_text_of(r, trace_find(r, "x")), "one\ntwo");
    trace_check_payloads(r);
    buf_free(&t.text);
    run_free(r);

    assert_int_equal(truncate(path, 100), 0);
    r = run_new();
    trace_read_file(r, path, &options, 2);
    run_finish(r);
    assert_true(str_has(trace_messages(r), STR("gzip-damaged:0")));
    run_free(r);
}

static void sniffs(void **state)
{
    static const struct {
        const char *text;
        bool trace;
    } cases[] = {
        {"", false},
        {"hello\n", false},
        {"V1121 10:00:00.000000 1 x.py:3] {\"str\": [\"x\", 0]}\n", true},
        {"V1121 10:00:00.000000 1 x.py:3] {\"str\": [\"x\"", true},
        {"hello\n\nV1121 10:00:00.000000 1 x.py:3] {\"str\": 1}\n", true},
        {"[rank0]: V1121 10:00:00.000000 1 x.py:3] {\"str\": 1}\n", true},
        {"\x1b[31mV1121 10:00:00.000000 1 x.py:3] {\"str\": 1}\n", true},
        {"whatever> V1121 10:00:00.000000 1 x.py:3] {\"str\": 1}\n", true},
        {"V1121 10:00:00.000000 1 x.py:3] [__graph_breaks] {\"x\"}\n", false},
        {"V1121 10:00:00.000000 1 x.py:3] \x1b[31m{\"str\": 1}\n", true},
        {"V1121 10:00:00.000000 1 x.py:3] \x1b[31m[__graph_breaks] {\"x\"}\n", false},
        {"\x1b[31mhello {\"str\": 1}\n", false},
        {"\tV1121 10:00:00.000000 1 x.py:3] {\"str\": 1}\n", false},
        {"V1121 10:00:00.000000 1 x.py:3] {1: 2}\n", false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        if (trace_sniff(str_of(cases[i].text)) != cases[i].trace)
            fail_msg("%s", cases[i].text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_at_all),
        cmocka_unit_test(one_compile),
        cmocka_unit_test(attempts),
        cmocka_unit_test(compiled_autograd),
        cmocka_unit_test(epochs),
        cmocka_unit_test(epochs_of_captures),
        cmocka_unit_test(exports),
        cmocka_unit_test(events),
        cmocka_unit_test(events_left_open),
        cmocka_unit_test(too_many_events_open),
        cmocka_unit_test(years_and_zones),
        cmocka_unit_test(events_of_threads),
        cmocka_unit_test(events_at_run_time),
        cmocka_unit_test(thread_ids),
        cmocka_unit_test(ranks),
        cmocka_unit_test(rank_of_a_launcher),
        cmocka_unit_test(two_processes_joined_by_hand),
        cmocka_unit_test(restarted_process_of_threads),
        cmocka_unit_test(too_many_processes),
        cmocka_unit_test(stacks_of_no_compile),
        cmocka_unit_test(forked_child_in_one_file),
        cmocka_unit_test(forked_child_in_its_own_file),
        cmocka_unit_test(restarted_process_of_the_same_id),
        cmocka_unit_test(newline_lost_behind_json),
        cmocka_unit_test(appended_to_cut_json),
        cmocka_unit_test(appended_to_cut_payload),
        cmocka_unit_test(payload_that_looks_like_a_record),
        cmocka_unit_test(many_records_on_one_line),
        cmocka_unit_test(truncated_anywhere),
        cmocka_unit_test(truncated_record),
        cmocka_unit_test(truncated_payload_without_digest),
        cmocka_unit_test(failures),
        cmocka_unit_test(own_code),
        cmocka_unit_test(payload_faults),
        cmocka_unit_test(digest_in_another_place),
        cmocka_unit_test(large_payloads),
        cmocka_unit_test(payload_line_over_the_limit),
        cmocka_unit_test(digests_can_be_left_out),
        cmocka_unit_test(crlf),
        cmocka_unit_test(colors),
        cmocka_unit_test(colors_that_are_meant),
        cmocka_unit_test(decorated_payload_lines),
        cmocka_unit_test(stripped_tabs),
        cmocka_unit_test(interleaved_ranks),
        cmocka_unit_test(interleaved_payload_lines),
        cmocka_unit_test(foreign_lines),
        cmocka_unit_test(nul_bytes),
        cmocka_unit_test(unknown_kinds),
        cmocka_unit_test(long_names_in_messages),
        cmocka_unit_test(wrong_types),
        cmocka_unit_test(absurd_ids),
        cmocka_unit_test(absurd_numbers),
        cmocka_unit_test(deep_stacks),
        cmocka_unit_test(long_values_in_metrics),
        cmocka_unit_test(settings_are_kept_once),
        cmocka_unit_test(tracebacks_are_not_kept),
        cmocka_unit_test(not_utf8),
        cmocka_unit_test(no_trace),
        cmocka_unit_test(the_same_for_any_number_of_threads),
        cmocka_unit_test(gzip),
        cmocka_unit_test(sniffs),
    };

    return RUN(tests);
}
