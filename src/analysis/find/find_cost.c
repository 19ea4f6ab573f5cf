/* Costs of findings: see find.h. */
#include "analysis/find/find.h"

#include "util/number.h"

#include <stdlib.h>

/* Wall time, in µs since the Unix epoch. */
struct cost_stretch {
    int64_t begin, end;
};

struct stretches {
    VEC(struct cost_stretch) list;
};

/* The cost of a finding on one rank; if the rank of a process is unknown, in that process. */
struct finding_cost {
    uint32_t group; /* the run */
    int rank;       /* RANK_UNKNOWN: `process` identifies it */
    uint32_t process;
    VEC(struct cost_stretch) time;
    int64_t us; /* the time that no worse finding has claimed; -1 unknown */
    uint64_t compiles, breaks;
};

/* --- setting up --------------------------------------------------------------------------------------------------- */

/* An event is one-off if it has this name, and its parent has the name in `inside`, if one is given. */
static const struct {
    struct str name, inside;
} one_off[] = {
    /* Probes which instructions the C++ compiler supports, and whether OpenMP works: torch/_inductor/cpu_vec_isa.py */
    {STR_INIT("compile_file"), STR_INIT("Scheduler.codegen")},
    /* Hash of PyTorch's own sources: torch/_inductor/codecache.py, torch_key */
    {STR_INIT("inductor_codecache_torch_key"), {0}},
    {STR_INIT("inductor_import"), {0}},
};

static bool is_one_off(const struct event *e, const struct event *parent)
{
    for (size_t i = 0; i < sizeof one_off / sizeof *one_off; i++)
        if (str_eq(e->name, one_off[i].name) &&
            (one_off[i].inside.n == 0 || (parent && str_eq(parent->name, one_off[i].inside))))
            return true;
    return false;
}

/* Ordered by time; the stretches of one process do not overlap. */
static struct stretches *setups_of(struct finder *f, const struct process *p)
{
    enum { DEPTH_MAX = 64 };
    const struct event *open[DEPTH_MAX] = {0};
    void **slot = map_at_copy(&f->setups, MAP_KEY(p->index));
    struct stretches *out = *slot;

    if (out)
        return out;
    *slot = out = ARENA_NEW(f->arena, struct stretches);
    vec_each(const struct event, e, &p->events)
    {
        if (e->depth >= DEPTH_MAX)
            continue;
        open[e->depth] = e;
        if (is_one_off(e, e->depth ? open[e->depth - 1] : NULL))
            vec_push(f->arena, &out->list,
                     ((struct cost_stretch){e->start_ns / 1000, add_bounded(e->start_ns, e->duration_ns) / 1000}));
    }
    return out;
}

/* --- collecting --------------------------------------------------------------------------------------------------- */

static struct finding_cost *cost_of(struct finder *f, struct finding *x, const struct process *p)
{
    struct {
        const struct finding *finding;
        uint32_t group, process;
        int rank, padding;
    } key = {x, p->group, p->rank == RANK_UNKNOWN ? p->index : 0, p->rank, 0};
    void **slot = map_at_copy(&f->costs, MAP_KEY(key));
    struct finding_cost *c = *slot;

    if (!c) {
        *slot = c = ARENA_NEW(f->arena, struct finding_cost);
        *c = (struct finding_cost){.group = key.group, .rank = key.rank, .process = key.process, .us = -1};
        vec_push(f->arena, &x->costs, c);
    }
    return c;
}

void finding_cost_time(struct finder *f, struct finding *x, const struct process *p, int64_t start_us,
                       int64_t duration_us)
{
    int64_t at = start_us, end = add_bounded(start_us, duration_us);
    struct finding_cost *cost;

    if (duration_us <= 0)
        return;
    cost = cost_of(f, x, p);
    vec_each(const struct cost_stretch, setup, &setups_of(f, p)->list)
    {
        if (setup->end <= at || setup->begin >= end)
            continue;
        if (setup->begin > at)
            vec_push(f->arena, &cost->time, ((struct cost_stretch){at, setup->begin}));
        at = setup->end;
    }
    if (at < end)
        vec_push(f->arena, &cost->time, ((struct cost_stretch){at, end}));
}

void finding_cost_compiles(struct finder *f, struct finding *x, const struct process *p, uint64_t n)
{
    cost_of(f, x, p)->compiles += n;
}

void finding_cost_breaks(struct finder *f, struct finding *x, const struct process *p, uint64_t n)
{
    cost_of(f, x, p)->breaks += n;
}

void finding_cost_compile(struct finder *f, struct finding *x, const struct compile *c)
{
    const struct metrics *backward = compile_metrics(c, METRICS_BACKWARD);
    int64_t start, duration;

    finding_cost_compiles(f, x, c->process, 1);
    if (compile_interval(c, &start, &duration))
        finding_cost_time(f, x, c->process, start, duration);
    if (backward && metrics_interval(backward, &start, &duration))
        finding_cost_time(f, x, c->process, start, duration);
}

/* --- while finding ------------------------------------------------------------------------------------------------ */

static int by_begin(const void *pa, const void *pb)
{
    const struct cost_stretch *a = pa, *b = pb;

    return (a->begin > b->begin) - (a->begin < b->begin);
}

/* The length of the union; sorts the list. */
static int64_t length_of(struct finding_cost *c)
{
    int64_t sum = 0, end = INT64_MIN;

    if (c->time.n)
        qsort(c->time.v, c->time.n, sizeof *c->time.v, by_begin);
    vec_each(const struct cost_stretch, s, &c->time)
    {
        int64_t from = s->begin > end ? s->begin : end;

        if (s->end > from) {
            sum = add_bounded(sum, s->end - from);
            end = s->end;
        }
    }
    return sum;
}

int64_t finding_time(const struct finding *x)
{
    int64_t most = 0, us;

    for (size_t i = 0; i < x->costs.n; i++) {
        us = length_of(x->costs.v[i]);
        most = us > most ? us : most;
    }
    return most;
}

uint64_t finding_compiles(const struct finding *x)
{
    uint64_t most = 0;

    for (size_t i = 0; i < x->costs.n; i++)
        most = x->costs.v[i]->compiles > most ? x->costs.v[i]->compiles : most;
    return most;
}

/* --- sharing out -------------------------------------------------------------------------------------------------- */

/* The begin or end of a stretch of a finding. */
struct edge {
    struct finding_cost *cost;
    size_t order; /* position of its root cause in the list: 0 is the worst */
    int64_t at;
    int step; /* 1 begin, -1 end */
};

static int by_owner_and_time(const void *pa, const void *pb)
{
    const struct edge *a = pa, *b = pb;

    if (a->cost->group != b->cost->group)
        return a->cost->group < b->cost->group ? -1 : 1;
    if (a->cost->rank != b->cost->rank)
        return a->cost->rank < b->cost->rank ? -1 : 1;
    if (a->cost->process != b->cost->process)
        return a->cost->process < b->cost->process ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

static bool same_owner(const struct finding_cost *a, const struct finding_cost *b)
{
    return a->group == b->group && a->rank == b->rank && a->process == b->process;
}

/*
 * Costs that cover the moment, each with the number of its stretches that do. There are few: work is nested, not
 * parallel.
 */
struct active {
    struct finding_cost *cost;
    size_t order;
    int count;
};

struct cost_sweep {
    VEC(struct active) active;
};

/* All findings of the worst cause that covers the time get it; others do not. */
static void credit(const struct cost_sweep *s, int64_t us)
{
    size_t worst = SIZE_MAX;

    vec_each(const struct active, x, &s->active) if (x->count && x->order < worst) worst = x->order;
    vec_each(const struct active, x, &s->active) if (x->count && x->order == worst) x->cost->us =
        add_bounded(x->cost->us, us);
}

static void step(struct finder *f, struct cost_sweep *s, const struct edge *e)
{
    struct active *free_one = NULL, *found = NULL;

    vec_each(struct active, x, &s->active)
    {
        found = x->count && x->cost == e->cost ? x : found;
        free_one = x->count == 0 ? x : free_one;
    }
    if (!found) {
        found = free_one ? free_one : vec_add(f->arena, &s->active);
        *found = (struct active){e->cost, e->order, 0};
    }
    found->count += e->step;
}

static void share_out(struct finder *f, const struct edge *edges, size_t n)
{
    struct cost_sweep s = {0};

    for (size_t i = 0; i < n; i++) {
        if (i && same_owner(edges[i].cost, edges[i - 1].cost) && edges[i].at > edges[i - 1].at)
            credit(&s, edges[i].at - edges[i - 1].at);
        step(f, &s, &edges[i]);
    }
}

/* The position in the list of its root cause, or its own. */
static size_t order_of(const struct finder *f, struct map *places, const struct finding *x)
{
    const size_t *order;

    for (size_t steps = 0; x->follows_from && steps <= f->out->list.n; steps++)
        x = x->follows_from;
    order = map_get(places, MAP_KEY(x));
    return order ? *order : f->out->list.n;
}

/* Two edges for each stretch; also turns costs with a known time from -1 to 0. */
static struct edge *edges_of(struct finder *f, size_t *out_n)
{
    VEC(struct edge) edges = {0};
    struct map places;

    map_init(&places, f->arena);
    for (size_t i = 0; i < f->out->list.n; i++) {
        size_t *order = ARENA_NEW(f->arena, size_t);

        *order = i;
        *map_at_copy(&places, MAP_KEY(f->out->list.v[i])) = order;
    }
    for (size_t i = 0; i < f->out->list.n; i++) {
        const struct finding *x = f->out->list.v[i];
        size_t order = order_of(f, &places, x);

        for (size_t k = 0; k < x->costs.n; k++)
            vec_each(const struct cost_stretch, s, &x->costs.v[k]->time)
            {
                x->costs.v[k]->us = 0;
                vec_push(f->arena, &edges, ((struct edge){x->costs.v[k], order, s->begin, 1}));
                vec_push(f->arena, &edges, ((struct edge){x->costs.v[k], order, s->end, -1}));
            }
    }
    *out_n = edges.n;
    return edges.v;
}

static void set_cost(struct finding *x)
{
    const struct finding_cost *most = NULL;

    for (size_t i = 0; i < x->costs.n; i++) {
        const struct finding_cost *c = x->costs.v[i];

        x->cost_ranks += c->rank != RANK_UNKNOWN;
        if (!most || c->us > most->us || (c->us == most->us && c->compiles > most->compiles))
            most = c;
    }
    if (!most)
        return;
    x->cost_us = most->us > 0 ? most->us : -1;
    x->cost_compiles = most->compiles;
    x->cost_breaks = most->breaks;
}

void finding_settle_costs(struct finder *f)
{
    size_t n;
    struct edge *edges = edges_of(f, &n);

    if (n) {
        qsort(edges, n, sizeof *edges, by_owner_and_time);
        share_out(f, edges, n);
    }
    for (size_t i = 0; i < f->out->list.n; i++)
        set_cost(f->out->list.v[i]);
}
