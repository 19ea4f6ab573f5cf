/*
 * chromium_event: the timeline (torch/_dynamo/utils.py, ChromiumEventLogger). Pairs of B and E events become
 * intervals.
 */
#include "trace/kinds.h"

#include <math.h>

/*
 * Finds the event that an end belongs to: the innermost open event with its name and compile. Several threads write to
 * one file, and their events may overlap in any way (a backward graph is compiled in a thread of autograd). The record
 * does not name the thread, but no two threads work on one compile. If the two ids differ, the name alone decides. -1
 * if there is none.
 */
static ptrdiff_t find_open(const struct process_state *s, const struct event *end)
{
    ptrdiff_t by_name = -1;

    for (size_t i = s->open.n; i-- > 0;) {
        if (s->open.v[i].name != end->name.p)
            continue;
        if (s->open.v[i].compile == end->compile)
            return (ptrdiff_t)i;
        by_name = by_name < 0 ? (ptrdiff_t)i : by_name;
    }
    return by_name;
}

static bool is_backward(struct str name)
{
    return str_eq(name, STR("compile_fx.<locals>.bw_compiler")) || str_eq(name, STR("entire_backward_compile"));
}

static void begin_event(struct record *rec, struct process_state *s, struct event e)
{
    e.flags |= EVENT_UNFINISHED;
    e.begin = (struct span){rec->payload.offset, rec->payload.stored};
    e.depth = (uint32_t)s->open.n;
    vec_push(record_arena(rec), &s->process->events, e);
    if (s->open.n == OPEN_EVENTS_MAX) { /* drops many at a time, because moving the others each time would be slow */
        s->open.n -= OPEN_EVENTS_MAX / 4;
        memmove(s->open.v, s->open.v + OPEN_EVENTS_MAX / 4, s->open.n * sizeof *s->open.v);
    }
    vec_push(rec->reading->arena, &s->open,
             ((struct open_event){e.name.p, e.compile, s->process->events.n - 1, is_backward(e.name)}));
}

static void end_event(struct record *rec, struct process_state *s, struct event end)
{
    ptrdiff_t at = find_open(s, &end);
    struct event *e;
    size_t kept;

    end.end = (struct span){rec->payload.offset, rec->payload.stored};
    if (at < 0) {
        end.flags |= EVENT_ORPHAN;
        end.depth = (uint32_t)s->open.n;
        vec_push(record_arena(rec), &s->process->events, end);
        message_add(&rec->reading->in->messages, MSG_EVENT_UNMATCHED, rec->line, "%.*s ends but never began",
                    STR_ARG(end.name));
        return;
    }
    e = &s->process->events.v[s->open.v[at].index];
    e->duration_ns = end.start_ns > e->start_ns ? end.start_ns - e->start_ns : 0;
    e->flags &= (uint8_t)~EVENT_UNFINISHED;
    e->end = end.end;
    /* Events of the same compile that began inside it ended with an exception. Events of other threads stay open. */
    kept = (size_t)at;
    for (size_t i = (size_t)at + 1; i < s->open.n; i++)
        if (s->open.v[i].compile != e->compile)
            s->open.v[kept++] = s->open.v[i];
    s->open.n = kept;
}

/* A capture of compiled autograd has no metrics or guards that would mark its end. */
static void note_end_of_capture(struct record *rec, struct str name)
{
    if (rec->id.autograd != ID_NONE && rec->id.frame == ID_NONE && str_eq(name, STR("compiled_autograd")))
        rec->compile->ended = true;
}

/* Converted without loss: a double cannot hold nanoseconds since 1970 exactly. */
static int64_t to_ns(double us)
{
    double whole = floor(us);

    return (int64_t)whole * 1000 + (int64_t)llround((us - whole) * 1000);
}

/*
 * Work long after the compile (autotuning, recording CUDA graphs) has the compile's id only in the event's arguments:
 * trace_structured no longer has a compile context, and dynamo_timed gets the id as an argument. NULL if there is
 * none, or if it is unknown.
 */
static struct compile *compile_of(struct record *rec)
{
    struct compile_id id;
    struct str text;
    json_t *args;
    int attempt;

    if (!compile_id_is_none(rec->id))
        return rec->compile;
    if (!rec->json || json_get_object(rec->json, rec->json->root, "args", &args) != JSON_FOUND ||
        json_get_str(rec->json, args, "compile_id", &text) != JSON_FOUND)
        return NULL;
    return compile_id_take(&text, &id, &attempt) && text.n == 0 ? map_get(&rec->state->compiles, MAP_KEY(id)) : NULL;
}

void apply_chromium_event(struct record *rec)
{
    struct process_state *s = rec->state;
    struct record payload = *rec;
    struct event e = {.compile = compile_of(rec),
                      .stream = rec->payload.stream,
                      .payload_flags = rec->payload.flags & (PAYLOAD_PREFIXED | PAYLOAD_CRLF)};
    struct str phase;
    double ts;

    rec->reading->in->totals.chromium_events++;
    rec->compile->has_events = true;
    if (!rec->json || json_get_double(rec->json, rec->json->root, "ts", &ts) != JSON_FOUND || !(ts > 0 && ts < 9e15) ||
        json_get_str(rec->json, rec->json->root, "ph", &phase) != JSON_FOUND || phase.n != 1) {
        record_message(rec, MSG_BAD_FIELD, "chromium_event without ts and ph");
        return;
    }
    payload.doc = rec->json;
    e.name = record_name(&payload, rec->json->root, "name");
    if (e.name.n == 0) {
        record_message(rec, MSG_BAD_FIELD, "chromium_event without a name");
        return;
    }
    e.start_ns = to_ns(ts);
    reading_clock(rec->reading, s, rec->time_us, (int64_t)ts);
    if (phase.p[0] == 'B') {
        begin_event(rec, s, e);
    } else if (phase.p[0] == 'E') {
        end_event(rec, s, e);
        note_end_of_capture(rec, e.name);
    } else {
        e.flags = EVENT_INSTANT;
        e.depth = (uint32_t)s->open.n;
        e.begin = (struct span){rec->payload.offset, rec->payload.stored};
        vec_push(record_arena(rec), &s->process->events, e);
    }
}
