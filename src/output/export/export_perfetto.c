/*
 * The timeline as a Chrome trace, for Perfetto and speedscope: the intervals of all processes, with their compiles. In
 * each track, two intervals are nested or do not overlap, because viewers cannot draw anything else. If PyTorch
 * estimated the run time of its graphs, each rank has a second process with a thread for each graph: its operators one
 * after another, starting when the graph was compiled.
 */
#include "output/export/export.h"

#include "analysis/time/timeline.h"
#include "util/mem.h"
#include "analysis/code/estimates.h"

#include <stdlib.h>

struct perfetto_writing {
    struct sink *out;
    struct view *v;
    struct buf text;
    struct arena *names; /* for one compile; the view's scratch arena is reset with every event */
    json_t *id;          /* of that compile */
    bool first;
};

/* Takes o over. `times` comes first and ends with a comma. */
static void write_event(struct perfetto_writing *w, struct str times, json_t *o)
{
    char *text = json_text(o, JSON_COMPACT | JSON_REAL_PRECISION(17));

    if (!text)
        out_of_memory();
    sink_str(w->out, w->first ? STR("\n{") : STR(",\n{"));
    sink_str(w->out, times);
    sink_str(w->out, str_of(text + 1));
    w->first = false;
    free(text);
    json_decref(o);
    arena_reset(w->v->scratch);
}

static json_t *new_event(int64_t pid, const char *phase, struct str name)
{
    json_t *o = json_new_object();

    json_put_str(o, "name", name);
    json_put_str(o, "ph", str_of(phase));
    json_put_i64(o, "pid", pid);
    return o;
}

/*
 * Tracks of work next to compiles are numbered from here, so that the numbers do not depend on how many other tracks
 * there are.
 */
enum { BESIDE = 1000 };

static int64_t track_of(const struct lane *lane)
{
    return (int64_t)lane->number - 1 + (lane->beside ? BESIDE : 0);
}

/* The name and the position of a process or thread in the viewer. Takes value over. */
static void write_name(struct perfetto_writing *w, int64_t pid, int64_t tid, const char *what, const char *key,
                       json_t *value)
{
    json_t *o = new_event(pid, "M", str_of(what)), *args = json_new_object();

    json_put_i64(o, "tid", tid);
    json_put(args, key, value);
    json_put(o, "args", args);
    write_event(w, STR(""), o);
}

static void write_process_name(struct perfetto_writing *w, const struct process *p, int64_t pid, const char *what)
{
    struct str name =
        arena_printf(w->v->scratch, "%.*s%s", STR_ARG(export_process_name(w->v->scratch, p)), what);
    int64_t place = 2 * (int64_t)p->index + (pid != p->index);

    write_name(w, pid, 0, "process_name", "name", json_of_str(name));
    write_name(w, pid, 0, "process_sort_index", "sort_index", json_of_i64(place));
}

/* Microseconds with three decimals: a double cannot hold the nanoseconds since 1970. */
static struct str print_times(struct perfetto_writing *w, int64_t start_ns, int64_t duration_ns)
{
    long long start = start_ns > 0 ? start_ns : 0, duration = duration_ns;
    struct str ts = arena_printf(w->v->scratch, "\"ts\":%lld.%03lld,", start / 1000, start % 1000);

    if (duration < 0)
        return ts;
    return arena_printf(w->v->scratch, "%.*s\"dur\":%lld.%03lld,", STR_ARG(ts), duration / 1000, duration % 1000);
}

/* Adds the data that one of the event's two records contains. Its "tid" is 0 in every version, whatever the thread. */
static void add_arguments(struct perfetto_writing *w, const struct process *p, const struct event *e, struct span where,
                          json_t *args)
{
    struct payload_source from = input_payloads(p->input);
    struct payload payload = event_payload(e, where);
    struct json_doc doc;
    json_t *args_of_trace;

    w->text.n = 0;
    if (!payload_may_be_shown(&payload) || payload_read(&from, &payload, READ_SMALL, &w->text) != 0)
        return;
    if (json_doc_load_whole(&doc, buf_view(&w->text)) &&
        json_get_object(&doc, doc.root, "args", &args_of_trace) == JSON_FOUND)
        json_object_update(args, args_of_trace);
    json_doc_free(&doc);
}

static void write_interval(struct perfetto_writing *w, const struct process *p, const struct event *e,
                           const struct lane *lane)
{
    bool instant = e->flags & EVENT_INSTANT;
    json_t *o = new_event(p->index, instant ? "i" : "X", e->name), *args = json_new_object();

    add_arguments(w, p, e, e->begin, args);
    add_arguments(w, p, e, e->end, args);
    json_put_i64(o, "tid", track_of(lane));
    if (instant)
        json_put_str(o, "s", STR("t"));
    json_put_str(o, "cat", str_of(phase_name(phase_of_event(e->name))));
    if (e->compile) {
        json_put(args, "compile_id", view_id(w->v, e->compile));
        json_put(args, "frame", e->compile->frame ? view_text(e->compile->frame->name) : json_null());
    }
    json_put_bool(args, "unfinished", e->flags & EVENT_UNFINISHED);
    json_put(o, "args", args);
    write_event(w, print_times(w, e->start_ns, instant ? -1 : e->duration_ns), o);
}

/* --- estimates ---------------------------------------------------------------------------------------------------- */

/* When a compile began or, if that is unknown, its process. */
static int64_t compiled_ns(const struct compile *c)
{
    int64_t start, duration;

    if (compile_interval(c, &start, &duration))
        return (start + (duration > 0 ? duration : 0)) * 1000;
    return c->process->events.n ? c->process->events.v[0].start_ns : 0;
}

static void write_op(struct perfetto_writing *w, const struct op_estimate *e, int64_t pid, int64_t tid,
                     int64_t start_ns, json_t *id)
{
    json_t *o = new_event(pid, "X", e->name.n ? e->name : STR("(no name)")), *args = json_new_object();

    json_put_i64(o, "tid", tid);
    json_put_str(o, "cat", STR("estimate"));
    json_put(args, "compile_id", id);
    json_put(args, "type", view_text(e->type));
    json_put_i64(args, "estimated_ns", e->ns);
    json_put(o, "args", args);
    write_event(w, print_times(w, start_ns, e->ns), o);
}

/* Times since 1970 whose nanoseconds fit an int64. */
#define ESTIMATE_END_NS (INT64_MAX / 2)

static void write_graph(struct perfetto_writing *w, const struct compile *c, const struct op_estimates *g,
                        int64_t pid, int64_t tid)
{
    struct str id = json_str(w->id),
               name = arena_printf(w->names, "%s%.*s%s", id.n ? "[" : "", STR_ARG(id), id.n ? "] " : "");
    int64_t at = compiled_ns(c);

    name = arena_printf(w->names, "%.*sestimated, graph %lld", STR_ARG(name), (long long)tid);
    write_name(w, pid, tid, "thread_name", "name", json_of_str(name));
    vec_each(const struct op_estimate, e, &g->ops)
    {
        if (at > ESTIMATE_END_NS - e->ns)
            break;
        write_op(w, e, pid, tid, at, json_incref(w->id));
        at += e->ns;
    }
}

static void write_estimates(struct perfetto_writing *w, const struct process *p)
{
    int64_t pid = (int64_t)w->v->run->processes.n + p->index, tid = 0;
    struct op_estimate_list all;

    for (size_t i = 0; i < p->compiles.n; i++) {
        estimates_of_compile(w->names, p->compiles.v[i], &all);
        w->id = view_id(w->v, p->compiles.v[i]);
        vec_each(const struct op_estimates, g, &all.graphs)
        {
            if (tid++ == 0)
                write_process_name(w, p, pid, ": estimated run time");
            write_graph(w, p->compiles.v[i], g, pid, tid);
        }
        json_decref(w->id);
        arena_reset(w->names);
    }
}

int export_perfetto(struct sink *out, struct view *v, const struct about *about)
{
    struct perfetto_writing w = {.out = out, .v = v, .names = arena_new(), .first = true};

    (void)about;
    sink_str(out, STR("{\"displayTimeUnit\": \"ms\", \"otherData\": {\"writer\": \"pt2trace\"}, \"traceEvents\": ["));
    for (size_t i = 0; i < v->run->processes.n; i++) {
        const struct process *p = v->run->processes.v[i];
        struct arena *arena = arena_new();
        struct lanes lanes;

        timeline_lanes(arena, p, &lanes);
        write_process_name(&w, p, p->index, "");
        vec_each(const struct lane, lane, &lanes.list) write_name(&w, p->index, track_of(lane), "thread_name", "name",
                                                                  json_of_str(export_lane_name(v->scratch, lane)));
        for (size_t k = 0; k < lanes.n; k++)
            write_interval(&w, p, lanes.events[k].event, &lanes.list.v[lanes.events[k].lane]);
        arena_free(arena);
        write_estimates(&w, p);
    }
    sink_str(out, STR("\n]}\n"));
    arena_free(w.names);
    buf_free(&w.text);
    return 0;
}
