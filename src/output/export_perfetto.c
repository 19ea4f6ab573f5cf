/* The timeline as a Chrome trace, which Perfetto and speedscope open: intervals of all processes, with their compiles.
 */
#include "output/export.h"

#include "util/mem.h"
#include "view/format.h"

#include <stdlib.h>

struct writing {
    struct sink *out;
    struct view *v;
    bool first;
};

enum { EXACT = 17 }; /* digits: microseconds since 1970 have 16 before the point */

/* Takes o over. */
static void write_event(struct writing *w, json_t *o)
{
    char *text = json_dumps(o, JSON_COMPACT | JSON_REAL_PRECISION(EXACT));

    if (!text)
        out_of_memory();
    sink_str(w->out, w->first ? STR("\n") : STR(",\n"));
    sink_str(w->out, str_of(text));
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
    json_put_i64(o, "tid", 0);
    return o;
}

/* The viewers number processes: they are told what each is called. */
static void write_process_name(struct writing *w, const struct process *p)
{
    json_t *o = new_event(p, "M", STR("process_name")), *args = json_new_object();
    struct str name = p->rank == RANK_UNKNOWN
                          ? arena_printf(w->v->scratch, "pid %llu", (unsigned long long)p->pid)
                          : arena_printf(w->v->scratch, "rank %d, pid %llu", p->rank, (unsigned long long)p->pid);

    json_put_str(args, "name", name);
    json_put(o, "args", args);
    write_event(w, o);
}

static void write_interval(struct writing *w, const struct process *p, const struct event *e)
{
    bool instant = e->flags & EVENT_INSTANT;
    json_t *o = new_event(p, instant ? "i" : "X", e->name), *args = json_new_object();

    json_put(o, "ts", json_of_double((double)e->start_ns / 1e3));
    if (!instant)
        json_put(o, "dur", json_of_double((double)e->duration_ns / 1e3));
    else
        json_put_str(o, "s", STR("t"));
    json_put_str(o, "cat", str_of(phase_name(phase_of_event(e->name))));
    if (e->compile) {
        json_put(args, "compile_id", view_id(w->v, e->compile));
        json_put(args, "frame", e->compile->frame ? view_text(e->compile->frame->name) : json_null());
    }
    json_put_bool(args, "unfinished", e->flags & EVENT_UNFINISHED);
    json_put(o, "args", args);
    write_event(w, o);
}

int export_perfetto(struct sink *out, struct view *v, const struct about *about)
{
    struct writing w = {.out = out, .v = v, .first = true};

    (void)about;
    sink_str(out, STR("{\"displayTimeUnit\": \"ms\", \"otherData\": {\"writer\": \"pt2trace\"}, \"traceEvents\": ["));
    for (size_t i = 0; i < v->run->processes.n; i++) {
        const struct process *p = v->run->processes.v[i];

        write_process_name(&w, p);
        vec_each(const struct event, e, &p->events) write_interval(&w, p, e);
    }
    sink_str(out, STR("\n]}\n"));
    return 0;
}
