/*
 * Stacks of the timeline with the time that each took itself, one a line, as flame graph tools read them:
 *
 *   pid 4711;[0/0] forward;dynamo;OutputGraph.call_user_compiler 1234
 *
 * Times are in microseconds.
 */
#include "output/export.h"

#include "view/format.h"

enum { DEPTH_MAX = 200 };

/* The events that are open, outermost first. `inside_ns` is what the events in one took. */
struct stack {
    const struct event *open[DEPTH_MAX];
    int64_t inside_ns[DEPTH_MAX];
    size_t n;
};

/* Semicolons part the frames of a line. */
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

static void write_line(struct sink *out, struct view *v, const struct process *p, const struct stack *s)
{
    const struct event *top = s->open[s->n - 1];
    int64_t self = top->duration_ns - s->inside_ns[s->n - 1];
    struct buf line = {0};

    if (self >= 1000) {
        put_frame(&line, p->rank == RANK_UNKNOWN ? arena_printf(v->scratch, "pid %llu", (unsigned long long)p->pid)
                                                 : arena_printf(v->scratch, "rank %d", p->rank));
        put_compile(v, &line, top->compile);
        for (size_t i = 0; i < s->n; i++)
            put_frame(&line, s->open[i]->name);
        buf_printf(&line, " %lld\n", (long long)(self / 1000));
        sink_str(out, buf_view(&line));
        arena_reset(v->scratch);
    }
    buf_free(&line);
}

static void write_process(struct sink *out, struct view *v, const struct process *p)
{
    struct stack s = {.n = 0};

    vec_each(const struct event, e, &p->events)
    {
        if (e->flags & EVENT_INSTANT || e->depth >= DEPTH_MAX)
            continue;
        while (s.n > e->depth || (s.n && s.n == DEPTH_MAX)) {
            write_line(out, v, p, &s);
            s.n--;
        }
        if (s.n)
            s.inside_ns[s.n - 1] += e->duration_ns;
        s.inside_ns[s.n] = 0;
        s.open[s.n++] = e;
    }
    for (; s.n; s.n--)
        write_line(out, v, p, &s);
}

int export_collapsed(struct sink *out, struct view *v, const struct about *about)
{
    (void)about;
    for (size_t i = 0; i < v->run->processes.n; i++)
        write_process(out, v, v->run->processes.v[i]);
    return 0;
}
