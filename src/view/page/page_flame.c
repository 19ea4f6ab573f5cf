/*
 * The flame chart of a process: a drawing that works without a script, and the events that the script draws and zooms.
 */
#include "view/page.h"
#include "view/page_objects.h"

#include "util/map.h"
#include "util/utf8.h"
#include "view/format.h"

#include <stdlib.h>

enum { CHART_WIDTH = 1000, ROW_HEIGHT = 18, DEPTH_MAX = 40, LABEL_MIN_WIDTH = 30, LABEL_CHAR_WIDTH = 4 };

/*
 * The axis is the time spent compiling: time between compiles (for example training) is cut out. Stretches are the
 * unions of the outermost events.
 */
struct axis {
    int64_t *begin, *end, *at; /* for each stretch: its begin and end, and where it starts on the axis */
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
        int64_t end = event_end_ns(e);

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

/* Expects events sorted by start, with which `stretch` advances. */
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

/*
 * Events as short as this, or shorter, are left out: of the drawing because they would be invisible, and of both
 * because there are too many. An event is shorter than the events around it, so both have the same rows.
 */
struct thresholds {
    int64_t drawing_ns, data_ns;
};

static struct thresholds thresholds_of(struct arena *a, const struct process *p, int64_t length)
{
    int64_t *durations = ARENA_ARRAY(a, int64_t, p->events.n + 1);
    struct thresholds t = {.drawing_ns = length / (CHART_WIDTH * 2)};
    size_t n = 0;

    vec_each(const struct event, e, &p->events) if (is_drawn(e)) durations[n++] = e->duration_ns;
    if (n <= PAGE_FLAME_EVENTS_MAX)
        return t;
    qsort(durations, n, sizeof *durations, longer_first);
    if (durations[PAGE_FLAME_EVENTS_MAX] > t.drawing_ns)
        t.drawing_ns = durations[PAGE_FLAME_EVENTS_MAX];
    if (n > PAGE_FLAME_DATA_MAX)
        t.data_ns = durations[PAGE_FLAME_DATA_MAX];
    return t;
}

struct flame {
    const struct view *v;
    const struct process *process;
    struct axis axis;
    int64_t open_end[DEPTH_MAX]; /* the end of the open event in each row */
    unsigned depth, deepest;
    size_t stretch;
    json_t *rects;
    size_t hidden; /* left out of the drawing */
    struct buf data;
    struct map names, compiles; /* name or compile -> its number in the data, plus 1 */
    json_t *name_list, *compile_list;
    size_t dropped; /* left out of the data */
};

/* --- the data of the script --------------------------------------------------------------------------------------- */

static uint64_t number_of_name(struct flame *f, struct str name)
{
    uint64_t *number = map_number_at_kept(&f->names, name);

    if (*number == 0) {
        *number = f->names.n;
        json_push(f->name_list, page_flame_name(f->v, &name));
    }
    return *number - 1;
}

static uint64_t number_of_compile(struct flame *f, const struct compile *c)
{
    uint64_t *number = map_number_at(&f->compiles, MAP_KEY(c));

    if (*number == 0) {
        *number = f->compiles.n;
        json_push(f->compile_list, page_link(f->v, c));
    }
    return *number - 1;
}

/* Six numbers: position on the axis and duration (ns), row, name, compile, and whether its end was recorded. */
static void add_data(struct flame *f, const struct event *e, int64_t at)
{
    buf_printf(&f->data, "%lld %lld %u %llu %llu %d ", (long long)at, (long long)e->duration_ns, f->depth - 1,
               (unsigned long long)number_of_name(f, e->name), (unsigned long long)number_of_compile(f, e->compile),
               !(e->flags & EVENT_UNFINISHED));
}

/* --- the drawing -------------------------------------------------------------------------------------------------- */

struct flame_rect {
    const struct event *event;
    double left, width;
    unsigned row;
};

static struct str tip_of(const struct view *v, const struct event *e)
{
    struct str id = compile_id_print(v->scratch, e->compile->id), took = format_duration_ns(v->scratch, e->duration_ns);

    return arena_printf(v->scratch, "%.*s - %.*s - [%.*s]%s", STR_ARG(e->name), STR_ARG(took), STR_ARG(id),
                        e->flags & EVENT_UNFINISHED ? " - no end recorded" : "");
}

static void add_rect(struct flame *f, const struct event *e, int64_t at)
{
    double scale = (double)CHART_WIDTH / (double)f->axis.length;

    json_push(f->rects,
              page_flame_rect(f->v, &(struct flame_rect){e, (double)at * scale, (double)e->duration_ns * scale,
                                                         f->depth - 1}));
}

static void add_event(struct flame *f, const struct event *e, const struct thresholds *least)
{
    int64_t end = event_end_ns(e), at;

    while (f->depth && f->open_end[f->depth - 1] < end)
        f->depth--;
    if (f->depth >= DEPTH_MAX || e->duration_ns <= least->data_ns) {
        f->dropped++;
        f->hidden++;
        return;
    }
    f->open_end[f->depth++] = end;
    f->deepest = f->depth > f->deepest ? f->depth : f->deepest;
    at = axis_position(&f->axis, &f->stretch, e->start_ns);
    add_data(f, e, at);
    if (e->duration_ns > least->drawing_ns)
        add_rect(f, e, at);
    else
        f->hidden++;
}

json_t *page_flame_of(const struct view *v, const struct process *p)
{
    struct flame f = {.v = v, .process = p};
    struct thresholds least;
    json_t *o;

    make_axis(v->scratch, p, &f.axis);
    if (f.axis.length <= 0)
        return json_null();
    map_init(&f.names, v->scratch);
    map_init(&f.compiles, v->scratch);
    f.rects = json_new_array();
    f.name_list = json_new_array();
    f.compile_list = json_new_array();
    least = thresholds_of(v->scratch, p, f.axis.length);
    vec_each(const struct event, e, &p->events) if (is_drawn(e)) add_event(&f, e, &least);
    o = page_flame(v, &f);
    buf_free(&f.data);
    return o;
}

#include "view/page_rows.h"

#include "view/sections/flame.def"
