/*
 * The timeline as a Chrome trace, which Perfetto and speedscope open: intervals of all processes, with their compiles.
 * In a track one interval is inside another or they do not meet: viewers cannot draw anything else.
 */
#include "output/export.h"

#include "analysis/timeline.h"
#include "util/mem.h"
#include "view/format.h"

#include <stdlib.h>

struct writing {
    struct sink *out;
    struct view *v;
    struct buf text;
    bool first;
};

/* Takes o over. `times` comes first, with a comma behind it. */
static void write_event(struct writing *w, struct str times, json_t *o)
{
    char *text = json_dumps(o, JSON_COMPACT | JSON_REAL_PRECISION(17));

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

static json_t *new_event(const struct process *p, const char *phase, struct str name)
{
    json_t *o = json_new_object();

    json_put_str(o, "name", name);
    json_put_str(o, "ph", str_of(phase));
    json_put_i64(o, "pid", p->index);
    return o;
}

/* Work beside compiles comes below them, and keeps its numbers when a thread more is found. */
enum { BESIDE = 1000 };

static int64_t track_of(const struct lane *lane)
{
    return (int64_t)lane->number - 1 + (lane->beside ? BESIDE : 0);
}

/* The viewers number processes and tracks: they are told what each is called. */
static void write_name(struct writing *w, const struct process *p, const char *what, int64_t track, struct str name)
{
    json_t *o = new_event(p, "M", str_of(what)), *args = json_new_object();

    json_put_i64(o, "tid", track);
    json_put_str(args, "name", name);
    json_put(o, "args", args);
    write_event(w, STR(""), o);
}

static void write_names(struct writing *w, const struct process *p, const struct lanes *lanes)
{
    write_name(w, p, "process_name", 0, export_process_name(w->v->scratch, p));
    vec_each(const struct lane, lane, &lanes->list)
        write_name(w, p, "thread_name", track_of(lane), export_lane_name(w->v->scratch, lane));
}

/* Microseconds, to the nanosecond: a double cannot hold the time of an event since 1970 so. */
static struct str print_times(struct writing *w, const struct event *e)
{
    long long start = e->start_ns > 0 ? e->start_ns : 0, duration = e->duration_ns;
    struct str ts = arena_printf(w->v->scratch, "\"ts\":%lld.%03lld,", start / 1000, start % 1000);

    if (e->flags & EVENT_INSTANT)
        return ts;
    return arena_printf(w->v->scratch, "%.*s\"dur\":%lld.%03lld,", STR_ARG(ts), duration / 1000, duration % 1000);
}

enum { ARGUMENTS_MAX = 1 << 20 };

/* Adds what PyTorch says in one of the event's two records. Its "tid" is 0 in every version, whatever the thread. */
static void add_arguments(struct writing *w, const struct process *p, const struct event *e, struct span where,
                          json_t *args)
{
    struct payload_source from = input_payloads(p->input);
    struct payload payload = event_payload(e, where);
    struct json_doc doc;
    json_t *told;

    w->text.n = 0;
    if (!payload_is_told(&payload) || payload_read(&from, &payload, ARGUMENTS_MAX, &w->text) != 0)
        return;
    if (json_doc_load_whole(&doc, buf_view(&w->text)) && json_get_object(&doc, doc.root, "args", &told) == JSON_FOUND)
        json_object_update(args, told);
    json_doc_free(&doc);
}

static void write_interval(struct writing *w, const struct process *p, const struct event *e, const struct lane *lane)
{
    bool instant = e->flags & EVENT_INSTANT;
    json_t *o = new_event(p, instant ? "i" : "X", e->name), *args = json_new_object();

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
    write_event(w, print_times(w, e), o);
}

int export_perfetto(struct sink *out, struct view *v, const struct about *about)
{
    struct writing w = {.out = out, .v = v, .first = true};

    (void)about;
    sink_str(out, STR("{\"displayTimeUnit\": \"ms\", \"otherData\": {\"writer\": \"pt2trace\"}, \"traceEvents\": ["));
    for (size_t i = 0; i < v->run->processes.n; i++) {
        const struct process *p = v->run->processes.v[i];
        struct arena *arena = arena_new();
        struct lanes lanes;

        timeline_lanes(arena, p, &lanes);
        write_names(&w, p, &lanes);
        for (size_t k = 0; k < lanes.n; k++)
            write_interval(&w, p, lanes.events[k].event, &lanes.list.v[lanes.events[k].lane]);
        arena_free(arena);
    }
    sink_str(out, STR("\n]}\n"));
    buf_free(&w.text);
    return 0;
}
