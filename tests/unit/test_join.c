/* What becomes of each field of a compile and a process in a trace when a log of the same process knows more. */
#include "model_filled.h"

#include "model/merge/join.h"
#include "model/merge/join_gpus.h"

/* One compile of a process, from one input. */
struct side {
    struct input *input;
    struct process *process;
    struct compile *compile;
};

static struct side side_of(struct filling *f, enum input_kind kind)
{
    struct input *in = filled_input(f);
    struct process *p = in->processes.v[0];
    struct compile *c = p->compiles.v[0];

    in->kind = kind;
    p->input = in;
    p->pid = 7;
    p->pid_is_thread = false;
    p->rank = 0;
    p->first_us = p->last_us = c->first_us = c->last_us = 1000;
    p->joined = NULL;
    p->parent = NULL;
    p->frames.v[0]->process = c->process = p->unattributed->process = p;
    p->frames.v[0]->name = STR("f");
    p->frames.v[0]->unnumbered = false;
    c->frame = p->frames.v[0];
    c->id = (struct compile_id){ID_NONE, 0, 0};
    c->limit_hit = false;
    return (struct side){in, p, c};
}

static size_t bytes_of(const struct field *f)
{
    return f->many == FIELD_LIST ? sizeof(struct any_list) : f->many == FIELD_ARRAY ? f->size * f->count : f->size;
}

/* Without what a log adds. */
static void empty_fields(const struct shape *s, void *object)
{
    for (size_t i = 0; i < s->field_count; i++)
        if (s->fields[i].join != JOIN_KEEP && s->fields[i].join != JOIN_BY_HAND)
            memset((char *)object + s->fields[i].offset, 0, bytes_of(&s->fields[i]));
}

static bool is_empty(const struct field *f, const void *p)
{
    if (f->kind == FIELD_TEXT)
        return ((const struct str *)p)->n == 0;
    return f->kind == FIELD_POINTER ? !*(void *const *)p : field_number(f, p) == 0;
}

static void check_list(const struct field *f, const struct any_list *was, const struct any_list *log,
                       const struct any_list *is, const void *owner)
{
    const struct any_list *want = was->n ? was : log;

    if (is->n != want->n || is->v != want->v)
        fail_msg("list %s belongs to the other side", f->name);
    for (size_t i = 0; f->shape && i < is->n; i++) {
        const char *entry = (const char *)is->v + i * f->size;
        const void *object = f->kind == FIELD_OWNED ? *(void *const *)entry : entry;

        for (size_t k = 0; k < f->shape->field_count; k++)
            if (f->shape->fields[k].kind == FIELD_OWNER)
                assert_ptr_equal(*(void *const *)((const char *)object + f->shape->fields[k].offset), owner);
    }
}

static void check_number(const struct field *f, uint64_t was, uint64_t log, uint64_t is)
{
    uint64_t want = f->join == JOIN_SUM ? was + log : was > log ? was : log;

    if (is != want)
        fail_msg("%s is %llu of %llu and %llu", f->name, (unsigned long long)is, (unsigned long long)was,
                 (unsigned long long)log);
}

/* `was` and `log` are copies that were made before. */
static void check_fields(const struct shape *s, const void *was, const void *log, const void *is)
{
    for (size_t i = 0; i < s->field_count; i++) {
        const struct field *f = &s->fields[i];
        const char *a = (const char *)was + f->offset, *b = (const char *)log + f->offset;
        const char *now = (const char *)is + f->offset;

        if (f->join == JOIN_IF_NONE)
            check_list(f, (const void *)a, (const void *)b, (const void *)now, is);
        else if (f->join == JOIN_ANY || f->join == JOIN_MOST || f->join == JOIN_SUM)
            check_number(f, field_number(f, a), field_number(f, b), field_number(f, now));
        else if (f->join == JOIN_FIRST && memcmp(now, is_empty(f, a) ? b : a, f->size) != 0)
            fail_msg("%s is neither the trace's nor the log's", f->name);
        else if (f->join == JOIN_KEEP && memcmp(now, a, bytes_of(f)) != 0)
            fail_msg("%s is not the trace's", f->name);
    }
}

static void join_and_check(bool empty)
{
    struct filling first = {.word = "trace", .next = 1}, second = {.word = "log", .next = 500};
    struct side trace = side_of(&first, INPUT_TORCH_TRACE), log = side_of(&second, INPUT_TORCH_LOGS);
    struct arena *a = trace.input->arena;
    struct run run = {.arena = a};
    struct compile was, log_was, nobody, log_nobody;
    struct process process, log_process;

    if (empty) {
        empty_fields(&compile_shape, trace.compile);
        empty_fields(&compile_shape, trace.process->unattributed);
        empty_fields(&process_shape, trace.process);
    }
    vec_push(a, &run.processes, trace.process);
    vec_push(a, &run.processes, log.process);
    was = *trace.compile;
    log_was = *log.compile;
    nobody = *trace.process->unattributed;
    log_nobody = *log.process->unattributed;
    process = *trace.process;
    log_process = *log.process;
    join_logs(&run);
    assert_int_equal(run.processes.n, 1);
    assert_ptr_equal(log.process->joined, trace.process);
    check_fields(&compile_shape, &was, &log_was, trace.compile);
    check_fields(&compile_shape, &nobody, &log_nobody, trace.process->unattributed);
    check_fields(&process_shape, &process, &log_process, trace.process);
    arena_free(log.input->arena);
    arena_free(trace.input->arena);
}

static void a_log_adds_what_the_trace_lacks(void **state)
{
    (void)state;
    join_and_check(true);
}

static void what_both_have_is_the_traces(void **state)
{
    (void)state;
    join_and_check(false);
}

/* A trace of which the beginning is missing has the ids of functions alone; the log names them, and their places. */
static void a_frame_without_a_name(void **state)
{
    struct filling first = {.word = "trace", .next = 1}, second = {.word = "log", .next = 500};
    struct side trace = side_of(&first, INPUT_TORCH_TRACE), log = side_of(&second, INPUT_TORCH_LOGS);
    struct run run = {.arena = trace.input->arena};
    struct frame *frame = trace.compile->frame;

    (void)state;
    frame->name = frame->file = (struct str){0};
    frame->line = 0;
    log.compile->frame->file = STR("/srv/shop.py");
    log.compile->frame->line = 12;
    log.compile->frame->id = frame->id;
    log.compile->frame->epoch = frame->epoch;
    log.compile->frame->autograd = frame->autograd;
    vec_push(run.arena, &run.processes, trace.process);
    vec_push(run.arena, &run.processes, log.process);
    join_logs(&run);
    assert_str(frame->name, "f");
    assert_str(frame->file, "/srv/shop.py");
    assert_int_equal(frame->line, 12);
    arena_free(log.input->arena);
    arena_free(trace.input->arena);
}

static struct failure *add_failure(struct side *s, const char *type)
{
    struct failure *f = ARENA_NEW(s->input->arena, struct failure);

    *f = (struct failure){.compile = s->compile, .type = str_of(type)};
    vec_push(s->input->arena, &s->compile->failures, f);
    return f;
}

/* An exception that both have is one; another one of the log becomes the trace's. */
static void failures_of_both(void **state)
{
    struct filling first = {.word = "trace", .next = 1}, second = {.word = "log", .next = 500};
    struct side trace = side_of(&first, INPUT_TORCH_TRACE), log = side_of(&second, INPUT_TORCH_LOGS);
    struct run run = {.arena = trace.input->arena};
    const struct failure *known, *other;

    (void)state;
    trace.compile->failures.n = log.compile->failures.n = 0;
    known = add_failure(&trace, "InductorError");
    add_failure(&log, "InductorError");
    other = add_failure(&log, "ValueError");
    vec_push(run.arena, &run.processes, trace.process);
    vec_push(run.arena, &run.processes, log.process);
    join_logs(&run);
    assert_int_equal(trace.compile->failures.n, 2);
    assert_ptr_equal(trace.compile->failures.v[0], known);
    assert_ptr_equal(trace.compile->failures.v[1], other);
    assert_ptr_equal(other->compile, trace.compile);
    assert_int_equal(log.compile->failures.n, 0);
    arena_free(log.input->arena);
    arena_free(trace.input->arena);
}

/* Another compile of the frame of the side's first one, with a number and a time of its own. */
static struct compile *add_compile(struct side *s, uint32_t number, uint32_t epoch, int64_t first_us)
{
    struct compile *c = ARENA_NEW(s->input->arena, struct compile);

    *c = (struct compile){.process = s->process,
                          .frame = s->process->frames.v[0],
                          .id = {ID_NONE, 0, number},
                          .epoch = epoch,
                          .index = (uint32_t)s->process->compiles.n,
                          .first_us = first_us,
                          .last_us = first_us};
    vec_push(s->input->arena, &s->process->compiles, c);
    return c;
}

/* "0/1@40 0/2@50": compiles in their order, with their times. */
static struct str compiles_of(struct arena *a, const struct process *p)
{
    struct str out = STR("");

    for (size_t i = 0; i < p->compiles.n; i++) {
        assert_int_equal(p->compiles.v[i]->index, i);
        assert_ptr_equal(p->compiles.v[i]->process, p);
        out = arena_printf(a, "%.*s%s%u:%llu@%lld", STR_ARG(out), i ? " " : "", p->compiles.v[i]->epoch,
                           (unsigned long long)p->compiles.v[i]->id.compile, (long long)p->compiles.v[i]->first_us);
    }
    return out;
}

/* Compiles that only the log has stand among those of the trace as they began; at the same time, the trace's first. */
static void compiles_of_the_log(void **state)
{
    static const struct {
        int64_t traced[3], logged[2]; /* when they began */
        uint32_t epochs[3];           /* of the trace's */
        const char *order;
    } cases[] = {
        {{20, 40, 60}, {70, 80}, {0}, "0:0@20 0:1@40 0:2@60 0:7@70 0:8@80"},
        {{20, 40, 60}, {10, 15}, {0}, "0:7@10 0:8@15 0:0@20 0:1@40 0:2@60"},
        {{20, 40, 60}, {50, 30}, {0}, "0:0@20 0:8@30 0:1@40 0:7@50 0:2@60"},
        {{20, 40, 60}, {40, 20}, {0}, "0:0@20 0:8@20 0:1@40 0:7@40 0:2@60"},
        {{20, 40, 60}, {30, 70}, {0, 1, 1}, "0:0@20 0:7@30 1:1@40 1:2@60 1:8@70"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct filling first = {.word = "trace", .next = 1}, second = {.word = "log", .next = 500};
        struct side trace = side_of(&first, INPUT_TORCH_TRACE), log = side_of(&second, INPUT_TORCH_LOGS);
        struct run run = {.arena = trace.input->arena};

        trace.process->compiles.n = log.process->compiles.n = 0;
        trace.process->epochs = cases[i].epochs[2] + 1;
        for (uint32_t k = 0; k < 3; k++)
            add_compile(&trace, k, cases[i].epochs[k], cases[i].traced[k]);
        for (uint32_t k = 0; k < 2; k++)
            add_compile(&log, 7 + k, 0, cases[i].logged[k]);
        vec_push(run.arena, &run.processes, trace.process);
        vec_push(run.arena, &run.processes, log.process);
        join_logs(&run);
        assert_int_equal(log.process->compiles.n, 0);
        assert_str(compiles_of(run.arena, trace.process), cases[i].order);
        arena_free(log.input->arena);
        arena_free(trace.input->arena);
    }
}

/* What a launcher says of the end of a process becomes the process's, unless it recorded an end of its own. */
static void ends_that_a_launcher_reports(void **state)
{
    enum { LAUNCHER, NEITHER, OTHER };
    static const struct {
        uint64_t of_pid;
        bool beside, compiling, fallback; /* process 12 failed beside its compiles, in one, and recovered from it */
        int whose;
    } cases[] = {
        {12, false, false, false, OTHER}, {12, true, false, false, NEITHER}, {12, false, true, false, NEITHER},
        {12, false, true, true, OTHER},   {12, true, true, true, NEITHER},   {11, false, false, false, LAUNCHER},
        {0, false, false, false, LAUNCHER}, {7, false, false, false, LAUNCHER},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct filling first = {.word = "launcher", .next = 1}, second = {.word = "worker", .next = 500};
        struct side launcher = side_of(&first, INPUT_TORCH_LOGS), other = side_of(&second, INPUT_TORCH_TRACE);
        struct compile *from = launcher.process->unattributed, *to = other.process->unattributed;
        struct run run = {.arena = launcher.input->arena};
        struct failure *reported, *last;

        other.process->pid = 12;
        from->failures.n = to->failures.n = other.compile->failures.n = launcher.compile->failures.n = 0;
        reported = add_failure(&(struct side){launcher.input, launcher.process, from}, "SIGKILL");
        reported->of_pid = cases[i].of_pid;
        last = add_failure(&(struct side){launcher.input, launcher.process, from}, "ChildFailedError");
        if (cases[i].beside)
            add_failure(&(struct side){other.input, other.process, to}, "ValueError");
        if (cases[i].compiling)
            add_failure(&other, "InductorError")->fallback = cases[i].fallback;
        vec_push(run.arena, &run.processes, launcher.process);
        vec_push(run.arena, &run.processes, other.process);
        join_logs(&run);
        assert_int_equal(run.processes.n, 2);
        assert_int_equal(from->failures.n, cases[i].whose == LAUNCHER ? 2 : 1);
        assert_ptr_equal(from->failures.v[from->failures.n - 1], last);
        assert_int_equal(to->failures.n, (cases[i].whose == OTHER) + cases[i].beside);
        if (cases[i].whose == OTHER)
            assert_ptr_equal(to->failures.v[0], reported);
        assert_ptr_equal(reported->compile, cases[i].whose == OTHER ? to : from);
        arena_free(other.input->arena);
        arena_free(launcher.input->arena);
    }
}

/* Whatever order a file has. */
static void activities_by_start(void **state)
{
    static const int64_t cases[][3] = {{1, 2, 3}, {3, 2, 1}, {2, 1, 3}, {1, 3, 2}};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct arena *a = arena_new();
        struct run run = {.arena = a};
        struct input in = {.arena = a};
        struct gpu_process g = {.rank = RANK_UNKNOWN};

        vec_push(a, &run.inputs, &in);
        vec_push(a, &in.gpus, &g);
        for (size_t k = 0; k < COUNT(cases[i]); k++)
            vec_push(a, &g.activities, (struct gpu_activity){.start_ns = cases[i][k]});
        gpu_join(&run);
        for (size_t k = 0; k < g.activities.n; k++)
            assert_int_equal(g.activities.v[k].start_ns, k + 1);
        arena_free(a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frame_without_a_name),
        cmocka_unit_test(failures_of_both),
        cmocka_unit_test(compiles_of_the_log),
        cmocka_unit_test(activities_by_start),
        cmocka_unit_test(ends_that_a_launcher_reports),
        cmocka_unit_test(a_log_adds_what_the_trace_lacks),
        cmocka_unit_test(what_both_have_is_the_traces),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
