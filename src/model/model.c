#include "model/model.h"

#include "model/code_file.h"

const char *compile_status_name(enum compile_status s)
{
    static const char *const names[STATUS_COUNT] = {"ok", "graph_break", "error", "empty", "incomplete"};

    return names[s];
}

const char *flight_state_name(enum flight_state s)
{
    static const char *const names[FLIGHT_STATES] = {"scheduled", "started", "completed"};

    return names[s];
}

unsigned pytorch_version(struct str version)
{
    uint64_t major, minor;

    if (!str_take_u64(&version, &major) || !str_consume(&version, STR(".")) || !str_take_u64(&version, &minor))
        return 0;
    return major < 1000 && minor < 1000 ? (unsigned)(major * 1000 + minor) : 0;
}

int64_t process_utc(const struct process *p, int64_t local_us)
{
    return local_us - (p->zone_known ? p->zone_us : p->run->zone_us);
}

int64_t process_start_utc(const struct process *p)
{
    return process_utc(p, p->first_us);
}

bool process_overlaps(const struct process *a, const struct process *b)
{
    return process_start_utc(a) <= process_utc(b, b->last_us) && process_start_utc(b) <= process_utc(a, a->last_us);
}

const char *input_kind_name(enum input_kind k)
{
    static const char *const names[] = {"torch_trace",     "torch_logs",     "torch_compile_debug",
                                        "gpu_activity",    "torch_profiler", "nsys",
                                        "flight_recorder", "pt2trace_run",   "other"};

    return names[k];
}

/*
 * The function and the line of "torch_dynamo_resume_in_F_at_L" (torch/_dynamo/resume_execution.py), a view of the
 * name; false, with both unchanged, for any other name.
 */
static bool resume_parse(struct str name, struct str *function, int64_t *line)
{
    ptrdiff_t at;

    if (!str_consume(&name, STR("torch_dynamo_resume_in_")))
        return false;
    /* The function's own name may contain "_at_" and digits, so the last underscore counts. */
    at = str_rchr(name, '_');
    if (at < 3 || !str_ends(str_take(name, (size_t)at), STR("_at")) || !str_i64(str_skip(name, (size_t)at + 1), line))
        return false;
    *function = str_take(name, (size_t)at - 3);
    return true;
}

struct str resumed_function(struct str name)
{
    struct str function;
    int64_t line;

    return resume_parse(name, &function, &line) ? function : name;
}

void frame_note_resume(struct frame *f)
{
    if (resume_parse(f->name, &f->resumes, &f->resumes_line))
        f->is_resume = true;
}

const struct metrics *compile_metrics(const struct compile *c, enum metrics_kind kind)
{
    return c->newest_metrics[kind];
}

int64_t compile_guards(const struct compile *c)
{
    int64_t n;

    if (metrics_i64(compile_metrics(c, METRICS_FORWARD), "guard_count", &n) && n >= 0)
        return n;
    return c->guards_listed ? (int64_t)c->guards_listed : -1;
}

bool compile_is_recompile(const struct compile *c)
{
    int64_t entries;

    if (c->id.compile <= 0)
        return false;
    if (c->reasons.n || c->limit_hit)
        return true;
    return !metrics_i64(compile_metrics(c, METRICS_FORWARD), "cache_size", &entries) || entries > 0;
}

/* Up to the year 2255, so that adding a duration cannot overflow. */
static bool is_moment(int64_t us)
{
    return us >= 0 && us < (int64_t)9e15;
}

/* No compile takes a year. */
static bool is_duration(int64_t us)
{
    return us >= 0 && us < (int64_t)366 * 86400 * 1000000;
}

/*
 * The time between the recorded moments of beginning and end; -1 if they are missing. `duration_us` is nearly the
 * same, but without a compile id (AOTInductor, export) it is missing or covers only one phase. 2.5 and earlier have
 * seconds.
 */
static int64_t between_moments(const struct metrics *m, int64_t start_us)
{
    int64_t end;

    if (!metrics_i64(m, "end_time_us", &end) || end < start_us || start_us <= 0 || !is_duration(end - start_us))
        return -1;
    return end - start_us;
}

bool metrics_interval(const struct metrics *m, int64_t *start_us, int64_t *duration_us)
{
    const struct metric *start = metrics_get(m, "start_time"), *whole = metrics_get(m, "entire_frame_compile_time_s");

    if (metrics_i64(m, "start_time_us", start_us) && is_moment(*start_us)) {
        int64_t between = between_moments(m, *start_us);
        bool known = metrics_i64(m, "duration_us", duration_us) && is_duration(*duration_us);

        if (known && between <= 2 * *duration_us)
            return true;
        if (between >= 0)
            *duration_us = between;
        if (known || between >= 0)
            return true;
    }
    if (!start || start->type != METRIC_DOUBLE || !(start->d > 0 && start->d < 9e9) || !whole ||
        whole->type != METRIC_DOUBLE || !(whole->d >= 0 && whole->d < 1e7))
        return false;
    *start_us = (int64_t)(start->d * 1e6);
    *duration_us = (int64_t)(whole->d * 1e6);
    return true;
}

bool compile_interval(const struct compile *c, int64_t *start_us, int64_t *duration_us)
{
    const struct metrics *m = compile_metrics(c, METRICS_FORWARD);

    if (m && metrics_interval(m, start_us, duration_us))
        return true;
    /* A single message shows when it was, but not how long it took. */
    if (c->last_us <= c->first_us)
        return false;
    *start_us = c->first_us - (c->process->zone_known ? c->process->zone_us : 0);
    *duration_us = c->last_us - c->first_us;
    return true;
}

int64_t compile_duration(const struct compile *c)
{
    int64_t start, duration;

    return compile_interval(c, &start, &duration) ? duration : -1;
}

const struct frame *compile_own_frame(const struct compile *c)
{
    return c->frame && !is_framework_file(c->frame->file) ? c->frame : NULL;
}

const struct artifact *compile_artifact(const struct compile *c, enum artifact_id id)
{
    for (size_t i = 0; i < c->artifacts.n; i++)
        if (artifact_is(c->artifacts.v[i], id))
            return c->artifacts.v[i];
    return NULL;
}

const struct artifact *compile_dynamo_graph(const struct compile *c)
{
    for (size_t i = c->artifacts.n; i-- > 0;)
        if (artifact_is(c->artifacts.v[i], ARTIFACT_DYNAMO_OUTPUT_GRAPH))
            return c->artifacts.v[i];
    return NULL;
}

/* The number of lines is not kept for events; `stored` is enough to find the end. */
struct payload event_payload(const struct event *e, struct span where)
{
    return (struct payload){.offset = where.offset,
                            .stored = where.length,
                            .lines = UINT32_MAX,
                            .stream = e->stream,
                            .flags = (uint8_t)(e->payload_flags | (where.length ? PAYLOAD_PRESENT : 0))};
}

struct payload_source input_payloads(const struct input *in)
{
    return (struct payload_source){&in->source,      in->stream_keys.v, in->stream_keys.n,
                                   in->known_prefix, in->lines_timed,   in->filter};
}

size_t compile_position(const struct compile *c)
{
    size_t at = 0, end = c->frame->compiles.n;

    while (at < end) {
        size_t middle = at + (end - at) / 2;

        if (c->frame->compiles.v[middle]->index < c->index)
            at = middle + 1;
        else
            end = middle;
    }
    return at;
}

const struct compile *compile_next(struct compile_walk *w)
{
    const struct process *p;

    if (w->process >= w->run->processes.n)
        return NULL;
    p = w->run->processes.v[w->process];
    if (w->compile < p->compiles.n)
        return p->compiles.v[w->compile++];
    w->process++;
    w->compile = 0;
    return p->unattributed;
}

bool process_is_note(const struct process *p)
{
    const struct compile *c = p->unattributed;

    return p->compiles.n == 0 && c->failures.n == 1 && str_eq(c->failures.v[0]->type, STR(NOTE_TYPE));
}
