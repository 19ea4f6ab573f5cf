#include "analysis/time/timing.h"

#include "analysis/time/printed_times.h"
#include "analysis/time/timeline.h"
#include "util/map.h"
#include "util/number.h"

#include <stdlib.h>

/* --- intervals ---------------------------------------------------------------------------------------------------- */

struct interval {
    int64_t begin, end;
};

static int by_begin(const void *pa, const void *pb)
{
    const struct interval *a = pa, *b = pb;

    return (a->begin > b->begin) - (a->begin < b->begin);
}

/* Length of the union, -1 if v is empty; sorts v. */
static int64_t union_length(struct interval *v, size_t n)
{
    int64_t length = 0, end = INT64_MIN;

    if (n == 0)
        return -1;
    qsort(v, n, sizeof *v, by_begin);
    for (size_t i = 0; i < n; i++) {
        int64_t from = v[i].begin > end ? v[i].begin : end;

        if (v[i].end > from) {
            length += v[i].end - from;
            end = v[i].end;
        }
    }
    return length;
}

/* --- events ------------------------------------------------------------------------------------------------------- */

struct totals_by_name {
    struct arena *arena;
    struct map names; /* name -> struct building */
    VEC(struct building *) list;
};

struct building {
    struct event_total total;
    int64_t end_ns; /* end of the union so far: events are sorted by start */
};

static struct building *building_of(struct totals_by_name *t, const struct process *p, struct str name)
{
    void **slot = map_at(&t->names, name);
    struct building *b = *slot;

    if (b)
        return b;
    *slot = b = ARENA_NEW(t->arena, struct building);
    b->total = (struct event_total){.process = p, .name = name, .phase = phase_of_event(name)};
    b->end_ns = INT64_MIN;
    vec_push(t->arena, &t->list, b);
    return b;
}

static void add_to_union(struct building *b, const struct event *e)
{
    int64_t end = event_end_ns(e), from = e->start_ns > b->end_ns ? e->start_ns : b->end_ns;

    b->total.count++;
    if (end > from) {
        b->total.wall_ns += end - from;
        b->end_ns = end;
    }
}

/* Limit for forged times: a hundred days, so that sums and percentages stay in range. */
#define PHASE_MAX_NS (100 * 86400 * 1000000000ll)

static void add_to_phase(int64_t *sums_ns, enum phase phase, int64_t ns)
{
    sums_ns[phase] = ns < PHASE_MAX_NS - sums_ns[phase] ? sums_ns[phase] + ns : PHASE_MAX_NS;
}

static void add_self_time(struct building *b, int64_t ns, struct timing *out)
{
    b->total.self_ns += ns;
    add_to_phase(out->phase_self_ns, b->total.phase, ns);
    if (event_is_waiting(b->total.name))
        add_to_phase(out->phase_wait_ns, b->total.phase, ns);
}

struct adding {
    struct totals_by_name *names;
    const struct process *process;
    struct timing *out;
};

static void add_own_time(void *object, const struct event *const *stack, size_t n, int64_t self_ns)
{
    struct adding *to = object;

    add_self_time(building_of(to->names, to->process, stack[n - 1]->name), self_ns, to->out);
}

static int by_wall(const void *pa, const void *pb)
{
    const struct building *a = *(struct building *const *)pa, *b = *(struct building *const *)pb;

    if (a->total.wall_ns != b->total.wall_ns)
        return a->total.wall_ns < b->total.wall_ns ? 1 : -1;
    return str_cmp(a->total.name, b->total.name);
}

/* For a process without a timeline that printed how long its calls took; calls of one function are never nested. */
static void add_table(struct totals_by_name *t, const struct process *p)
{
    vec_each(const struct call_times, row, &p->times)
    {
        struct building *b = building_of(t, p, row->name);

        b->total.self_ns = -1;
        b->total.count = row->each_ns.n;
        vec_each(const int64_t, ns, &row->each_ns) b->total.wall_ns = add_bounded(b->total.wall_ns, *ns);
    }
}

static void add_process_events(struct arena *a, const struct process *p, struct timing *out)
{
    struct totals_by_name t = {.arena = a};

    map_init(&t.names, a);
    vec_each(const struct event, e, &p->events) if (!(e->flags & EVENT_INSTANT))
        add_to_union(building_of(&t, p, e->name), e);
    timeline_sweep(p, add_own_time, &(struct adding){&t, p, out});
    out->has_events |= t.list.n > 0;
    if (t.list.n == 0) {
        add_table(&t, p);
        out->has_tables |= t.list.n > 0;
    }
    if (t.list.n)
        qsort(t.list.v, t.list.n, sizeof *t.list.v, by_wall);
    for (size_t i = 0; i < t.list.n; i++)
        vec_push(a, &out->events, &t.list.v[i]->total);
}

/* --- compiles ----------------------------------------------------------------------------------------------------- */

struct intervals {
    VEC(struct interval) list;
};

static void add_interval(struct arena *a, struct intervals *to, int64_t start, int64_t duration)
{
    vec_push(a, &to->list, ((struct interval){start, start + duration}));
}

/* Everything that the metrics have: backward graphs too, of which one compile may have several (DDP splits them). */
static void add_metrics(struct arena *a, struct intervals *to, const struct compile *c)
{
    int64_t start, duration;

    for (size_t i = 0; i < c->metrics.n; i++) {
        const struct metrics *m = c->metrics.v[i];

        if ((m->kind == METRICS_FORWARD || m->kind == METRICS_BACKWARD) && metrics_interval(m, &start, &duration))
            add_interval(a, to, start, duration);
    }
}

/*
 * The outermost events of a compile. They begin before and end after the interval of the metrics. A compile that was
 * cut off and a backward graph of 2.5, whose metrics have no times, have nothing else.
 */
static bool is_outermost(struct str name)
{
    static const struct str names[] = {
        STR_INIT("dynamo"),
        STR_INIT("_compile.compile_inner"),
        STR_INIT("_compile.<locals>.compile_inner"), /* 2.4 and earlier, in tables */
        STR_INIT("_compile"),
        STR_INIT("entire_frame_compile"), /* 2.5 and earlier */
        STR_INIT("entire_backward_compile"),
        STR_INIT("compile_fx.<locals>.bw_compiler"),
    };

    return STR_IS_ANY(name, names);
}

static void add_events(struct arena *a, struct intervals *to, const struct process *p)
{
    vec_each(const struct event, e, &p->events) if (!(e->flags & EVENT_INSTANT) && e->compile && is_outermost(e->name))
        add_interval(a, to, e->start_ns / 1000, (event_end_ns(e) + 999) / 1000 - e->start_ns / 1000);
}

/* Wall time from the table that the process printed. */
static int64_t table_wall(const struct process *p)
{
    struct printed_times t;

    printed_times_find(p, &t);
    return t.total_ns < 0 ? -1 : t.total_ns / 1000;
}

/* A log without the durations of most compiles has no total. */
static bool misses_durations(const struct process *p)
{
    size_t missing = 0, known = 0;
    int64_t start, duration;

    if (p->events.n)
        return false;
    for (size_t i = 0; i < p->compiles.n; i++)
        if (p->compiles.v[i]->frame)
            ++*(compile_interval(p->compiles.v[i], &start, &duration) ? &known : &missing);
    return missing > known;
}

/* Work without a compile id counts only by its metrics. */
static int64_t process_wall(struct arena *a, const struct process *p, struct intervals *all)
{
    struct intervals mine = {0};
    int64_t start, duration, wall;

    for (size_t i = 0; i < p->compiles.n; i++) {
        if (compile_interval(p->compiles.v[i], &start, &duration))
            add_interval(a, &mine, start, duration);
        add_metrics(a, &mine, p->compiles.v[i]);
    }
    add_metrics(a, &mine, p->unattributed);
    add_events(a, &mine, p);
    if (misses_durations(p))
        return table_wall(p);
    vec_each(const struct interval, x, &mine.list) vec_push(a, &all->list, *x);
    wall = union_length(mine.list.v, mine.list.n);
    /* For logs: first to last message of the compile, a lower bound. */
    return p->events.n == 0 && table_wall(p) > wall ? table_wall(p) : wall;
}

/* --- cold and warm ------------------------------------------------------------------------------------------------ */

/* The layers that store the backend's result: after a hit in one, the code was loaded, not compiled. */
static bool is_code_cache(enum cache_layer layer)
{
    return layer == CACHE_AOTAUTOGRAD || layer == CACHE_FX_GRAPH || layer == CACHE_PRECOMPILE;
}

enum temperature compile_temperature(const struct compile *c)
{
    enum temperature t = TEMPERATURE_UNKNOWN;

    for (size_t i = 0; i < c->cache_events.n; i++) {
        if (!is_code_cache(c->cache_events.v[i].layer))
            continue;
        if (c->cache_events.v[i].outcome == CACHE_HIT)
            return TEMPERATURE_WARM;
        t = TEMPERATURE_COLD;
    }
    return t;
}

static void add_temperatures(struct arena *a, const struct run *r, struct timing *out)
{
    struct intervals of[TEMPERATURES] = {0};
    const struct compile *c;
    int64_t start, duration;

    for (struct compile_walk w = {.run = r}; (c = compile_next(&w));) {
        enum temperature t = compile_temperature(c);

        if (!c->frame)
            continue;
        out->temperature_compiles[t]++;
        if (compile_interval(c, &start, &duration))
            add_interval(a, &of[t], start, duration);
    }
    for (int t = 0; t < TEMPERATURES; t++)
        out->temperature_wall_us[t] = union_length(of[t].list.v, of[t].list.n);
}

int64_t timing_phases_ns(const struct timing *t)
{
    int64_t sum = 0;

    for (int i = 0; i < PHASE_COUNT; i++)
        sum += t->phase_self_ns[i];
    return sum;
}

size_t timing_rank_phases(const struct timing *t, enum phase out[PHASE_COUNT])
{
    size_t n = 0;

    for (int i = 0; i < PHASE_COUNT; i++) {
        size_t at = n;

        if (t->phase_self_ns[i] <= 0)
            continue;
        for (; at > 0 && t->phase_self_ns[out[at - 1]] < t->phase_self_ns[i]; at--)
            out[at] = out[at - 1];
        out[at] = (enum phase)i;
        n++;
    }
    return n;
}

void timing_find(struct arena *a, const struct run *r, struct timing *out)
{
    struct arena *scratch = arena_new();
    struct intervals all = {0};

    *out = (struct timing){0};
    out->process_wall_us = ARENA_ARRAY(a, int64_t, r->processes.n);
    for (size_t i = 0; i < r->processes.n; i++) {
        add_process_events(a, r->processes.v[i], out);
        out->process_wall_us[i] = process_wall(scratch, r->processes.v[i], &all);
    }
    out->compile_wall_us = union_length(all.list.v, all.list.n);
    /*
     * Tables have no times of day: processes may have compiled at the same time, so only the slowest one's time is
     * certain.
     */
    for (size_t i = 0; i < r->processes.n && (r->processes.n == 1 || all.list.n == 0); i++)
        if (i == 0 || out->process_wall_us[i] > out->compile_wall_us)
            out->compile_wall_us = out->process_wall_us[i];
    add_temperatures(scratch, r, out);
    arena_free(scratch);
}
