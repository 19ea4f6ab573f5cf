#include "analysis/time/timeline.h"

#include <stdlib.h>

/* Limits for hostile traces; real ones have 4 tracks and 30 levels. */
enum { NESTING_MAX = 1024, LANES_MAX = 64 };

/* --- own times ---------------------------------------------------------------------------------------------------- */

struct sweep {
    const struct event *open[NESTING_MAX];
    int64_t self_ns[NESTING_MAX];
    bool in_compile[NESTING_MAX]; /* it or an enclosing event has a compile id */
    size_t n;
    int64_t at;
    timeline_self *each;
    void *object;
};

/* Adds the time until then to the open event, and closes the events that end before. */
static void sweep_until(struct sweep *s, int64_t until)
{
    while (s->n) {
        const struct event *top = s->open[s->n - 1];
        int64_t end = event_end_ns(top) < until ? event_end_ns(top) : until;

        if (end > s->at) {
            s->self_ns[s->n - 1] += end - s->at;
            s->at = end;
        }
        if (event_end_ns(top) > until)
            return;
        s->each(s->object, s->open, s->n, s->self_ns[s->n - 1]);
        s->n--;
    }
}

void timeline_sweep(const struct process *p, timeline_self *each, void *object)
{
    struct sweep s = {.n = 0, .each = each, .object = object};

    vec_each(const struct event, e, &p->events)
    {
        bool inside;

        if ((e->flags & EVENT_INSTANT) || e->duration_ns <= 0)
            continue;
        sweep_until(&s, e->start_ns);
        inside = s.n && s.in_compile[s.n - 1];
        if (inside && !e->compile)
            continue;
        s.at = e->start_ns;
        if (s.n == NESTING_MAX)
            continue;
        s.open[s.n] = e;
        s.self_ns[s.n] = 0;
        s.in_compile[s.n++] = inside || e->compile;
    }
    sweep_until(&s, INT64_MAX);
}

/* --- tracks ------------------------------------------------------------------------------------------------------- */

struct begun_event {
    const struct event *event;
    bool in_compile;
};

/* The open events of a track, outermost first. */
struct open_lane {
    VEC(struct begun_event) open;
};

struct layout {
    struct arena *arena;
    struct lanes *out;
    VEC(struct open_lane) open; /* for each lane */
    unsigned counts[2];         /* number of lanes so far: of compiles, beside compiles */
};

static const struct begun_event *innermost(const struct layout *l, size_t lane)
{
    const struct open_lane *o = &l->open.v[lane];

    return o->open.n ? &o->open.v[o->open.n - 1] : NULL;
}

static void close_before(struct layout *l, int64_t ns)
{
    for (size_t i = 0; i < l->open.n; i++)
        while (innermost(l, i) && event_end_ns(innermost(l, i)->event) <= ns)
            l->open.v[i].open.n--;
}

static bool compile_goes_on(const struct layout *l)
{
    for (size_t i = 0; i < l->open.n; i++)
        if (innermost(l, i) && innermost(l, i)->in_compile)
            return true;
    return false;
}

/*
 * How well an event fits into a lane; 0: not at all. An empty lane is better than a lane with an open event that it
 * cannot be part of.
 */
static int fit(const struct layout *l, size_t lane, const struct event *e, bool beside)
{
    const struct begun_event *top = innermost(l, lane);

    if (l->out->list.v[lane].beside != beside)
        return 0;
    if (!top)
        return 2;
    if (event_end_ns(top->event) < event_end_ns(e) || (beside && top->event->name.p == e->name.p))
        return 0;
    return top->event->compile == e->compile ? 3 : 1;
}

static size_t add_lane(struct layout *l, bool beside)
{
    vec_push(l->arena, &l->out->list, ((struct lane){beside, ++l->counts[beside]}));
    *vec_add(l->arena, &l->open) = (struct open_lane){0};
    return l->open.n - 1;
}

static void place(struct layout *l, const struct event *e)
{
    size_t best = 0;
    int best_fit = 0;
    bool beside, in_compile;

    close_before(l, e->start_ns);
    beside = !e->compile && compile_goes_on(l);
    for (size_t i = 0; i < l->open.n; i++)
        if (fit(l, i, e, beside) > best_fit) {
            best_fit = fit(l, i, e, beside);
            best = i;
        }
    /* One thread's work for two compiles is nested; only what cannot be nested ran in another thread. */
    if (best_fit == 2 && !beside)
        for (size_t i = 0; i < best; i++)
            if (fit(l, i, e, beside) == 1)
                best = i;
    if (best_fit == 0 && l->open.n == LANES_MAX) {
        l->out->left_out++;
        return;
    }
    best = best_fit ? best : add_lane(l, beside);
    in_compile = e->compile || (innermost(l, best) && innermost(l, best)->in_compile);
    vec_push(l->arena, &l->open.v[best].open, ((struct begun_event){e, in_compile}));
    l->out->events[l->out->n++] = (struct lane_event){e, (uint32_t)best};
}

static int outer_first(const void *pa, const void *pb)
{
    const struct event *a = ((const struct lane_event *)pa)->event, *b = ((const struct lane_event *)pb)->event;

    if (a->start_ns != b->start_ns)
        return a->start_ns < b->start_ns ? -1 : 1;
    if (a->duration_ns != b->duration_ns)
        return a->duration_ns > b->duration_ns ? -1 : 1;
    return (a > b) - (a < b); /* as in the process, where events are sorted by depth */
}

void timeline_lanes(struct arena *a, const struct process *p, struct lanes *out)
{
    struct layout l = {.arena = a, .out = out};
    size_t n = 0;

    *out = (struct lanes){.events = ARENA_ARRAY(a, struct lane_event, p->events.n + 1)};
    add_lane(&l, false);
    vec_each(const struct event, e, &p->events) out->events[n++].event = e;
    qsort(out->events, n, sizeof *out->events, outer_first);
    for (size_t i = 0; i < n; i++) {
        const struct event *e = out->events[i].event;

        if (e->flags & EVENT_INSTANT)
            out->events[out->n++] = (struct lane_event){e, 0};
        else
            place(&l, e);
    }
}
