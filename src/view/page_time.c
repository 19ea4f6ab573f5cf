/* Where the time went: phases, events, and the flame chart. */
#include "view/page.h"

#include "view/format.h"

#include "util/utf8.h"

#include <stdlib.h>

enum { EVENT_ROWS = 40 };

/* --- tables ------------------------------------------------------------------------------------------------------- */

static json_t *phases_of(const struct view *v)
{
    const struct timing *t = &v->answers->timing;
    json_t *list = json_new_array();
    enum phase ranked[PHASE_COUNT];
    size_t n = timing_rank_phases(t, ranked);
    int64_t sum = timing_phases_ns(t);

    for (size_t i = 0; i < n; i++) {
        json_t *o = json_new_object();
        int64_t self = t->phase_self_ns[ranked[i]];

        json_put_str(o, "title", str_of(phase_title(ranked[i])));
        json_put_str(o, "time", format_duration_ns(v->scratch, self));
        json_put_str(o, "percent", arena_printf(v->scratch, "%.1f", (double)self * 100 / (double)sum));
        json_put_str(o, "share", format_share(v->scratch, self, sum));
        json_put_i64(o, "phase", ranked[i]);
        json_push(list, o);
    }
    return list;
}

static int by_self(const void *pa, const void *pb)
{
    const struct event_total *a = *(struct event_total *const *)pa, *b = *(struct event_total *const *)pb;

    if (a->wall_ns != b->wall_ns)
        return a->wall_ns < b->wall_ns ? 1 : -1;
    return str_cmp(a->name, b->name);
}

static json_t *events_of(const struct view *v)
{
    const struct timing *t = &v->answers->timing;
    const struct event_total **order = ARENA_ARRAY(v->scratch, const struct event_total *, t->events.n + 1);
    json_t *list = json_new_array();

    for (size_t i = 0; i < t->events.n; i++)
        order[i] = t->events.v[i];
    qsort(order, t->events.n, sizeof *order, by_self);
    for (size_t i = 0; i < t->events.n && i < EVENT_ROWS; i++) {
        json_t *o = json_new_object();

        json_put_str(o, "name", order[i]->name);
        json_put_str(o, "phase", str_of(phase_title(order[i]->phase)));
        json_put(o, "rank", v->answers->counts.ranks > 1 ? view_rank(order[i]->process->rank) : json_null());
        json_put_str(o, "count", format_count(v->scratch, order[i]->count));
        json_put_str(o, "wall", format_duration_ns(v->scratch, order[i]->wall_ns));
        json_put_str(o, "self", order[i]->self_ns < 0 ? STR("-") : format_duration_ns(v->scratch, order[i]->self_ns));
        json_push(list, o);
    }
    return list;
}

/* One process whose phases take clearly more than its compiles: CUDA graphs and autotuning go on at run time. */
static bool is_beyond(const struct view *v)
{
    const struct timing *t = &v->answers->timing;

    return v->answers->counts.processes == 1 && t->compile_wall_us >= 0 &&
           timing_phases_ns(t) / 1000 > t->compile_wall_us + t->compile_wall_us / 50;
}

json_t *page_time(const struct view *v)
{
    const struct timing *t = &v->answers->timing;
    json_t *o = json_new_object();

    json_put(o, "wall",
             t->compile_wall_us < 0 ? json_null() : json_of_str(format_duration_us(v->scratch, t->compile_wall_us)));
    json_put_str(o, "sum", format_duration_ns(v->scratch, timing_phases_ns(t)));
    json_put(o, "processes",
             v->answers->counts.processes > 1 ? json_of_str(format_count(v->scratch, v->answers->counts.processes))
                                              : json_null());
    json_put_bool(o, "beyond", is_beyond(v));
    json_put(o, "phases", phases_of(v));
    json_put(o, "events", events_of(v));
    json_put_bool(o, "has_events", t->has_events);
    json_put_bool(o, "has_tables", t->has_tables);
    json_put_bool(o, "is_empty", !t->has_events && !t->has_tables);
    json_put(o, "hidden", t->events.n > EVENT_ROWS ? json_of_i64((int64_t)(t->events.n - EVENT_ROWS)) : json_null());
    return o;
}

/* --- flame chart -------------------------------------------------------------------------------------------------- */

enum { CHART_WIDTH = 1000, ROW_HEIGHT = 18, DEPTH_MAX = 40, LABEL_MIN_WIDTH = 30, LABEL_CHAR_WIDTH = 4 };

/*
 * The axis is time spent compiling: what lies between two compiles (training, say) is cut out. Stretches are the
 * unions of the outermost events.
 */
struct axis {
    int64_t *begin, *end, *at; /* of each stretch; where it starts on the axis */
    size_t n;
    int64_t length;
};

static bool is_drawn(const struct event *e)
{
    return !(e->flags & EVENT_INSTANT) && e->compile && e->duration_ns > 0;
}

static void make_axis(struct arena *a, const struct process *p, struct axis *axis)
{
    *axis = (struct axis){.begin = ARENA_ARRAY(a, int64_t, p->events.n + 1),
                          .end = ARENA_ARRAY(a, int64_t, p->events.n + 1),
                          .at = ARENA_ARRAY(a, int64_t, p->events.n + 1)};
    vec_each(const struct event, e, &p->events)
    {
        int64_t end = e->start_ns + e->duration_ns;

        if (!is_drawn(e))
            continue;
        if (axis->n && e->start_ns <= axis->end[axis->n - 1]) {
            if (end > axis->end[axis->n - 1]) {
                axis->length += end - axis->end[axis->n - 1];
                axis->end[axis->n - 1] = end;
            }
            continue;
        }
        axis->begin[axis->n] = e->start_ns;
        axis->end[axis->n] = end;
        axis->at[axis->n++] = axis->length;
        axis->length += end - e->start_ns;
    }
}

/* `stretch` moves on with the events, which come sorted by start. */
static int64_t axis_position(const struct axis *axis, size_t *stretch, int64_t ns)
{
    while (*stretch + 1 < axis->n && ns > axis->end[*stretch])
        ++*stretch;
    return axis->at[*stretch] + (ns - axis->begin[*stretch]);
}

static int longer_first(const void *pa, const void *pb)
{
    int64_t a = *(const int64_t *)pa, b = *(const int64_t *)pb;

    return (a < b) - (a > b);
}

/* The shortest duration still drawn, so that at most PAGE_FLAME_EVENTS_MAX are. */
static int64_t threshold(struct arena *a, const struct process *p, int64_t length)
{
    int64_t *durations = ARENA_ARRAY(a, int64_t, p->events.n + 1), least = length / (CHART_WIDTH * 2);
    size_t n = 0;

    vec_each(const struct event, e, &p->events) if (is_drawn(e) && e->duration_ns > least)
        durations[n++] = e->duration_ns;
    if (n <= PAGE_FLAME_EVENTS_MAX)
        return least;
    qsort(durations, n, sizeof *durations, longer_first);
    return durations[PAGE_FLAME_EVENTS_MAX];
}

struct flame {
    const struct view *v;
    struct axis axis;
    int64_t open_end[DEPTH_MAX]; /* of the events around */
    unsigned depth, deepest;
    size_t stretch;
    json_t *rects;
    size_t hidden;
};

static void add_rect(struct flame *f, const struct event *e)
{
    double scale = (double)CHART_WIDTH / (double)f->axis.length;
    double x = (double)axis_position(&f->axis, &f->stretch, e->start_ns) * scale, w = (double)e->duration_ns * scale;
    struct str id = compile_id_print(f->v->scratch, e->compile->id),
               took = format_duration_ns(f->v->scratch, e->duration_ns);
    json_t *o = json_new_object();

    json_put_str(o, "x", arena_printf(f->v->scratch, "%.2f", x));
    json_put_str(o, "w", arena_printf(f->v->scratch, "%.2f", w < 0.5 ? 0.5 : w));
    json_put_i64(o, "y", (int64_t)(f->depth - 1) * ROW_HEIGHT);
    json_put_i64(o, "phase", (int64_t)phase_of_event(e->name));
    json_put_str(o, "tip",
                 arena_printf(f->v->scratch, "%.*s - %.*s - [%.*s]%s", STR_ARG(e->name), STR_ARG(took), STR_ARG(id),
                              e->flags & EVENT_UNFINISHED ? " - no end recorded" : ""));
    if (w >= LABEL_MIN_WIDTH) /* what does not fit is clipped */
        json_put_str(o, "label", utf8_cut(e->name, (size_t)(w / LABEL_CHAR_WIDTH)));
    json_push(f->rects, o);
}

static void add_event(struct flame *f, const struct event *e, int64_t least)
{
    int64_t end = e->start_ns + e->duration_ns;

    while (f->depth && f->open_end[f->depth - 1] < end)
        f->depth--;
    if (f->depth >= DEPTH_MAX || e->duration_ns <= least) {
        f->hidden++;
        return;
    }
    f->open_end[f->depth++] = end;
    f->deepest = f->depth > f->deepest ? f->depth : f->deepest;
    add_rect(f, e);
}

json_t *page_flame(const struct view *v, const struct process *p)
{
    struct flame f = {.v = v};
    int64_t least;
    json_t *o;

    make_axis(v->scratch, p, &f.axis);
    if (f.axis.length <= 0)
        return json_null();
    f.rects = json_new_array();
    least = threshold(v->scratch, p, f.axis.length);
    vec_each(const struct event, e, &p->events) if (is_drawn(e)) add_event(&f, e, least);
    o = json_new_object();
    json_put_str(o, "name",
                 p->rank == RANK_UNKNOWN
                     ? arena_printf(v->scratch, "process %llu", (unsigned long long)p->pid)
                     : arena_printf(v->scratch, "rank %d, process %llu", p->rank, (unsigned long long)p->pid));
    json_put_i64(o, "width", CHART_WIDTH);
    json_put_i64(o, "height", (int64_t)f.deepest * ROW_HEIGHT);
    json_put_i64(o, "row", ROW_HEIGHT - 1);
    json_put_str(o, "length", format_duration_ns(v->scratch, f.axis.length));
    json_put_str(o, "stretches", format_counted(v->scratch, f.axis.n, "stretch", "stretches"));
    json_put(o, "hidden",
             f.hidden ? json_of_str(format_counted(v->scratch, f.hidden, "short event", "short events")) : json_null());
    json_put(o, "rects", f.rects);
    return o;
}
