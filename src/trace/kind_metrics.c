/* CompilationMetrics in all its forms (torch/_dynamo/utils.py, record_compilation_metrics). */
#include "trace/kinds.h"

#include "text/graphs/cudagraph_text.h"

static void set_list(struct record *rec, struct metric *m, json_t *list)
{
    size_t n = json_array_size(list);

    if (n > LIMIT_LIST) {
        record_message(rec, MSG_DEPTH_LIMIT, "%.*s has %zu entries; %d are kept", (int)m->key.n, m->key.p, n,
                       LIMIT_LIST);
        n = LIMIT_LIST;
    }
    m->type = METRIC_LIST;
    m->list.n = n;
    m->list.v = ARENA_ARRAY(record_arena(rec), struct str, n);
    for (size_t i = 0; i < n; i++)
        m->list.v[i] = record_shared_text(rec, json_array_get(list, i));
}

/* A record has about a hundred values and as many nulls; the array is allocated in its final size. */
static size_t count_values(json_t *record)
{
    const char *key;
    const json_t *v;
    size_t n = 0;

    json_object_foreach(record, key, v) n += !json_is_null(v);
    return n;
}

static void add_metric(struct record *rec, struct metrics *metrics, const char *key, json_t *v)
{
    struct metric m = {.field = map_get(&rec->reading->metric_fields, str_of(key))};

    m.key = m.field ? str_of(m.field->key) : record_intern(rec, str_of(key));
    if (json_is_null(v))
        return;
    if (json_is_integer(v)) {
        m.type = METRIC_INT;
        m.i = json_integer_value(v);
    } else if (json_is_real(v)) {
        m.type = METRIC_DOUBLE;
        m.d = json_real_value(v);
    } else if (json_is_boolean(v)) {
        m.type = METRIC_BOOL;
        m.b = json_is_true(v);
    } else if (json_is_array(v)) {
        set_list(rec, &m, v);
    } else {
        m.type = METRIC_STR;
        m.s = record_shared_text(rec, v);
    }
    vec_push(record_arena(rec), &metrics->values, m);
}

/* "aot_autograd_backward_compilation_metrics" does not occur in PyTorch 2.4 or later, but tlparse knows the name. */
static enum metrics_kind kind_of(struct str name)
{
    bool runtime = str_ends(name, STR("_runtime")),
         backward = str_starts(name, STR("bwd_")) || str_starts(name, STR("aot_"));

    if (backward)
        return runtime ? METRICS_BACKWARD_RUNTIME : METRICS_BACKWARD;
    return runtime ? METRICS_RUNTIME : METRICS_FORWARD;
}

static void set_if_empty(struct str *to, struct str from)
{
    if (to->n == 0)
        *to = from;
}

/*
 * Which function the frame is. The metrics are right in all versions; the stack of 2.4 and earlier ends in the caller.
 */
static void use_frame(struct record *rec, const struct metrics *m)
{
    struct frame *f = rec->compile->frame;
    int64_t line;

    if (!f || metrics_str(m, "co_name").n == 0 || (f->name.n && m->kind != METRICS_FORWARD))
        return;
    f->name = record_intern(rec, metrics_str(m, "co_name"));
    f->file = record_intern(rec, metrics_str(m, "co_filename"));
    f->line = metrics_i64(m, "co_firstlineno", &line) ? line : 0;
    frame_note_resume(f);
}

static void use_versions(struct record *rec, const struct metrics *m)
{
    struct versions *v = &rec->process->versions;

    set_if_empty(&v->pytorch, metrics_str(m, "pytorch_version"));
    set_if_empty(&v->python, metrics_str(m, "python_version"));
    set_if_empty(&v->triton, metrics_str(m, "triton_version"));
    set_if_empty(&v->cuda, metrics_str(m, "cuda_version"));
}

/* dynamo_error may have reported the same exception; conclude_process merges the two. */
static void use_failure(struct record *rec, const struct metrics *m)
{
    struct arena *a = record_arena(rec);
    struct str type = metrics_str(m, "fail_type"), message = metrics_str(m, "fail_reason");
    struct text_stack user_calls = {0};
    struct failure *f;
    int64_t line;

    if (type.n == 0)
        return;
    message = exception_message_take(rec->reading->scratch, message, &user_calls);
    f = ARENA_NEW(a, struct failure);
    *f = (struct failure){.compile = rec->compile,
                          .where = m->kind == METRICS_FORWARD    ? FAILED_FORWARD
                                   : m->kind == METRICS_BACKWARD ? FAILED_BACKWARD
                                                                 : FAILED_RUNTIME,
                          .attempt = rec->attempt,
                          .type = type,
                          .message = message,
                          .stack = record_text_stack(rec, &user_calls),
                          .file = metrics_str(m, "fail_user_frame_filename"),
                          .line = metrics_i64(m, "fail_user_frame_lineno", &line) ? line : 0,
                          .record_line = rec->line};
    if (f->file.n == 0 && f->stack) {
        f->file = f->stack->file;
        f->line = f->stack->line;
    }
    vec_push(a, &rec->compile->failures, f);
}

static void use_restarts(struct record *rec, const struct metrics *m)
{
    const struct metric *list = metrics_get(m, "restart_reasons");

    if (list && list->type == METRIC_LIST)
        for (size_t i = 0; i < list->list.n; i++)
            vec_push(record_arena(rec), &rec->compile->restart_reasons, list->list.v[i]);
}

void add_cudagraph_skip(struct record *rec, struct str text)
{
    struct cudagraph_text t;

    cudagraph_text_parse(rec->reading->scratch, text, &t);
    vec_push(record_arena(rec), &rec->compile->cudagraph_skips,
             ((struct cudagraph_skip){.reason = record_copy(rec, t.reason),
                                      .stack = record_text_stack(rec, &t.stack),
                                      .record_line = rec->line}));
}

static void use_cudagraph_skip(struct record *rec, const struct metrics *m)
{
    struct str text = metrics_str(m, "cudagraph_skip_reason");

    if (text.n)
        add_cudagraph_skip(rec, text);
}

/* Without dynamo_start (a compile that was refused), the stack is here: "Line: 26, Name: f, Filename: /x.py". */
static void use_stack(struct record *rec, const struct metrics *m)
{
    const struct metric *list = metrics_get(m, "stack_trace");
    struct text_call c;

    if (rec->compile->stack || !list || list->type != METRIC_LIST)
        return;
    for (size_t i = 0; i < list->list.n && i < LIMIT_STACK_FRAMES; i++)
        if (text_call_parse_metrics(list->list.v[i], &c))
            rec->compile->stack =
                stack_push(&rec->reading->in->stacks, rec->compile->stack, c.file, c.line, c.function, c.source);
}

void apply_metrics(struct record *rec)
{
    struct metrics *m = ARENA_NEW(record_arena(rec), struct metrics);
    const char *key;
    json_t *v;

    if (!json_is_object(rec->value))
        return;
    m->kind = kind_of(rec->kind_name);
    m->line = rec->line;
    m->values.cap = count_values(rec->value);
    m->values.v = ARENA_ARRAY(record_arena(rec), struct metric, m->values.cap);
    json_object_foreach(rec->value, key, v)
        add_metric(rec, m, key, json_get(rec->doc, rec->value, key));
    vec_push(record_arena(rec), &rec->compile->metrics, m);
    rec->compile->newest_metrics[m->kind] = m;
    if (m->kind == METRICS_FORWARD) {
        rec->compile->ended = true; /* metrics are written last, even after a failure */
        use_restarts(rec, m);
        use_stack(rec, m);
    }
    if (m->kind == METRICS_BACKWARD)
        rec->compile->backward = true;
    use_versions(rec, m);
    use_frame(rec, m);
    use_failure(rec, m);
    use_cudagraph_skip(rec, m);
}
