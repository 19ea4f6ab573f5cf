/*
 * The stacks of the timeline with their self times, one per line, in the format of flame graph tools:
 *
 *   pid 4711;[0/0] forward;dynamo;OutputGraph.call_user_compiler 1234
 *
 * Times are in microseconds and add up to the time in which a process was compiling. Work of parallel compiler
 * processes is not included.
 */
#include "output/export/export.h"

#include "analysis/time/timeline.h"
#include "view/format.h"

enum { DEPTH_MAX = 200 };

struct collapsed_writing {
    struct sink *out;
    struct view *v;
    const struct process *process;
    int64_t rest_ns; /* less than a microsecond: carried over to the next line */
};

/* Semicolons separate the frames of a line. */
static void put_frame(struct buf *line, struct str name)
{
    if (line->n)
        buf_char(line, ';');
    for (size_t i = 0; i < name.n; i++)
        buf_char(line, name.p[i] == ';' || (unsigned char)name.p[i] < ' ' ? '_' : name.p[i]);
}

static void put_compile(struct view *v, struct buf *line, const struct compile *c)
{
    if (c && c->frame)
        put_frame(line, arena_printf(v->scratch, "%.*s %.*s", STR_ARG(format_compile(v->scratch, c)),
                                     STR_ARG(format_frame(v->scratch, c->frame))));
}

static void write_line(void *object, const struct event *const *stack, size_t n, int64_t self_ns)
{
    struct collapsed_writing *w = object;
    struct buf line = {0};

    w->rest_ns += self_ns;
    if (w->rest_ns >= 1000) {
        put_frame(&line, export_process_name(w->v->scratch, w->process));
        put_compile(w->v, &line, stack[n - 1]->compile);
        for (size_t i = 0; i < n && i < DEPTH_MAX; i++)
            put_frame(&line, stack[i]->name);
        buf_printf(&line, " %lld\n", (long long)(w->rest_ns / 1000));
        w->rest_ns %= 1000;
        sink_str(w->out, buf_view(&line));
        arena_reset(w->v->scratch);
    }
    buf_free(&line);
}

int export_collapsed(struct sink *out, struct view *v, const struct about *about)
{
    struct collapsed_writing w = {.out = out, .v = v};

    (void)about;
    for (size_t i = 0; i < v->run->processes.n; i++) {
        w.process = v->run->processes.v[i];
        timeline_sweep(w.process, write_line, &w);
    }
    return 0;
}
