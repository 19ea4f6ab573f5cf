/*
 * The timeline for speedscope (https://www.speedscope.app/file-format-schema.json): a profile for each track of each
 * process, with the opening and closing of its events. Times are nanoseconds since the first event of the run.
 */
#include "output/export/export.h"

#include "util/map.h"
#include "util/mem.h"
#include "view/format.h"

#include <stdlib.h>

struct speedscope_writing {
    struct sink *out;
    struct view *v;
    struct arena *arena;
    struct map frames;                      /* event_frame -> number + 1 */
    VEC(const struct event *) frame_events; /* an example of each frame */
    int64_t first_ns;
    bool any;
};

/* Events with the same name and compile are one frame. */
struct event_frame {
    const char *name;
    const struct compile *compile;
};

/* Without the closing bracket, because another member follows, which is written in pieces. */
static void dump_open(struct speedscope_writing *w, json_t *o)
{
    char *text = json_text(o, JSON_COMPACT);

    if (!text)
        out_of_memory();
    sink_str(w->out, str_drop(str_of(text), 1));
    free(text);
    json_decref(o);
}

static uint64_t frame_number(struct speedscope_writing *w, const struct event *e)
{
    struct event_frame key = {e->name.p, e->compile};
    uint64_t *number = map_number_at(&w->frames, MAP_KEY(key));

    if (*number == 0) {
        vec_push(w->arena, &w->frame_events, e);
        *number = w->frame_events.n;
    }
    return *number - 1;
}

static void write_turn(struct speedscope_writing *w, char type, const struct event *e, int64_t ns, bool *any)
{
    struct str text = arena_printf(w->v->scratch, "%s{\"type\":\"%c\",\"frame\":%llu,\"at\":%lld}", *any ? "," : "",
                                   type, (unsigned long long)frame_number(w, e), (long long)(ns - w->first_ns));

    sink_str(w->out, text);
    arena_reset(w->v->scratch);
    *any = true;
}

static void write_turns(struct speedscope_writing *w, const struct lanes *lanes, uint32_t lane)
{
    VEC(const struct event *) open = {0};
    struct arena *arena = arena_new();
    bool any = false;

    for (size_t i = 0; i <= lanes->n; i++) {
        const struct event *e = i < lanes->n ? lanes->events[i].event : NULL;

        if (e && (lanes->events[i].lane != lane || e->flags & EVENT_INSTANT))
            continue;
        for (; open.n && (!e || event_end_ns(open.v[open.n - 1]) <= e->start_ns); open.n--)
            write_turn(w, 'C', open.v[open.n - 1], event_end_ns(open.v[open.n - 1]), &any);
        if (!e)
            break;
        write_turn(w, 'O', e, e->start_ns, &any);
        vec_push(arena, &open, e);
    }
    arena_free(arena);
}

/* From the track's first event to its last end; false if it has none. */
static bool find_range(const struct lanes *lanes, uint32_t lane, int64_t *from, int64_t *to)
{
    bool any = false;

    for (size_t i = 0; i < lanes->n; i++) {
        const struct event *e = lanes->events[i].event;

        if (lanes->events[i].lane != lane || e->flags & EVENT_INSTANT)
            continue;
        *from = any ? *from : e->start_ns;
        *to = any && *to > event_end_ns(e) ? *to : event_end_ns(e);
        any = true;
    }
    return any;
}

static void write_profile(struct speedscope_writing *w, const struct process *p, const struct lanes *lanes,
                          uint32_t lane)
{
    json_t *o;
    int64_t from = 0, to = 0;

    if (!find_range(lanes, lane, &from, &to))
        return;
    o = json_new_object();
    json_put_str(o, "type", STR("evented"));
    json_put_str(o, "unit", STR("nanoseconds"));
    json_put_str(o, "name",
                 arena_printf(w->v->scratch, "%.*s: %.*s", STR_ARG(export_process_name(w->v->scratch, p)),
                              STR_ARG(export_lane_name(w->v->scratch, &lanes->list.v[lane]))));
    json_put_i64(o, "startValue", from - w->first_ns);
    json_put_i64(o, "endValue", to - w->first_ns);
    sink_str(w->out, w->any ? STR(",\n") : STR("\n"));
    dump_open(w, o);
    sink_str(w->out, STR(",\"events\":["));
    w->any = true;
    write_turns(w, lanes, lane);
    sink_str(w->out, STR("]}"));
}

static void write_frame(struct speedscope_writing *w, const struct event *e)
{
    const struct frame *frame = e->compile ? e->compile->frame : NULL;
    json_t *o = json_new_object();
    struct str name = e->name;

    if (frame)
        name = arena_printf(w->v->scratch, "%.*s %.*s %.*s", STR_ARG(e->name),
                            STR_ARG(format_compile(w->v->scratch, e->compile)), STR_ARG(frame->name));
    json_put_str(o, "name", name);
    if (frame && frame->file.n)
        json_put_str(o, "file", frame->file);
    if (frame && frame->line > 0)
        json_put_i64(o, "line", frame->line);
    dump_open(w, o);
    sink_str(w->out, STR("}"));
    arena_reset(w->v->scratch);
}

static int64_t first_moment(const struct run *run)
{
    int64_t first = INT64_MAX;

    for (size_t i = 0; i < run->processes.n; i++)
        vec_each(const struct event, e, &run->processes.v[i]->events) if (e->start_ns < first) first = e->start_ns;
    return first;
}

int export_speedscope(struct sink *out, struct view *v, const struct about *about)
{
    struct speedscope_writing w = {.out = out, .v = v, .arena = arena_new(), .first_ns = first_moment(v->run)};

    (void)about;
    map_init(&w.frames, w.arena);
    sink_str(out, STR("{\"$schema\":\"https://www.speedscope.app/"
                      "file-format-schema.json\",\"exporter\":\"pt2trace " PT2TRACE_VERSION "\",\n\"profiles\":["));
    for (size_t i = 0; i < v->run->processes.n; i++) {
        struct arena *arena = arena_new();
        struct lanes lanes;

        timeline_lanes(arena, v->run->processes.v[i], &lanes);
        for (uint32_t lane = 0; lane < lanes.list.n; lane++)
            write_profile(&w, v->run->processes.v[i], &lanes, lane);
        arena_free(arena);
    }
    sink_str(out, STR("],\n\"shared\":{\"frames\":["));
    for (size_t i = 0; i < w.frame_events.n; i++) {
        sink_str(out, i ? STR(",\n") : STR("\n"));
        write_frame(&w, w.frame_events.v[i]);
    }
    sink_str(out, STR("]}}\n"));
    arena_free(w.arena);
    return 0;
}
