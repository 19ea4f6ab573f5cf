#include "analysis/time/starts.h"

#include "util/number.h"

#include <stdlib.h>

static const struct compile_start nothing = {.dynamo_ns = -1, .graphs_ns = -1, .loaded_ns = -1, .total_ns = -1,
                                             .engine_ns = -1, .first_s = -1,   .last_s = -1};

/* "rank_0_0/backbone": which part a process has in a job, and which of its models is compiled. */
static struct str part_of(struct str directory)
{
    static const struct str rank = STR_INIT("/rank_");
    ptrdiff_t at = str_find(directory, rank);

    return at < 0 ? (struct str){0} : str_skip(directory, (size_t)at + 1);
}

struct str start_cache_name(const struct compile_start *s)
{
    static const struct str root = STR_INIT("/torch_compile_cache/");
    ptrdiff_t at = str_find(s->directory, root);
    struct str rest = at < 0 ? (struct str){0} : str_skip(s->directory, (size_t)at + root.n);

    return str_split(&rest, '/');
}

/* --- lines to starts ---------------------------------------------------------------------------------------------- */

struct start_reader {
    struct arena *arena;
    struct compile_starts *out;
    const struct start_line *before; /* the last line of the start that is about compiling */
    int64_t total_parts_ns;          /* what the lines reported up to now */
    int64_t last_clock_s;            /* of the last line with a clock; -1 none */
    bool ended;                      /* the engine is up */
    bool other_model;                /* a directory of another model of the same start was named since the total */
};

static struct compile_start *newest(const struct start_reader *g)
{
    return &g->out->list.v[g->out->list.n - 1];
}

static bool is_capture(const struct start_line *l)
{
    return l->kind == START_LINE_CAPTURED || l->kind == START_LINE_CAPTURING;
}

/* For each line, how long the next engine took: "init engine ... took 229.87 seconds"; -1 unknown. */
static int64_t *engines_ahead(struct arena *a, const struct process *p)
{
    int64_t *took_s = ARENA_ARRAY(a, int64_t, p->start_lines.n ? p->start_lines.n : 1), next = -1;

    for (size_t i = p->start_lines.n; i-- > 0;) {
        const struct start_line *l = &p->start_lines.v[i];

        next = l->kind == START_LINE_ENGINE ? l->ns / 1000000000 : next;
        took_s[i] = next;
    }
    return took_s;
}

/* The engine compiles while it starts: more time than that is none of its start. Somebody pasted another one above. */
static bool is_of_next_start(const struct start_reader *g, const struct start_line *l, int64_t engine_s)
{
    return engine_s > 0 && l->clock_s >= 0 && g->last_clock_s >= 0 && l->clock_s - g->last_clock_s > engine_s;
}

/* A directory is named once for each model; Dynamo works before the total. */
/*
 * vLLM adds up the total over all models of a start: where the next total is the last one and what was reported since,
 * from this line on, the line is of another model of the same start.
 */
static bool goes_on_adding(const struct process *p, const struct start_line *l, int64_t before_ns)
{
    enum { LINES_MAX = 64, ROUNDED_NS = 100000000 };
    int64_t sum = before_ns;

    for (size_t i = 0; i < LINES_MAX && l < p->start_lines.v + p->start_lines.n; i++, l++) {
        if (l->kind == START_LINE_TOTAL)
            return l->ns >= sum - ROUNDED_NS && l->ns <= sum + ROUNDED_NS;
        if (l->kind == START_LINE_ENGINE)
            return false;
        if (l->kind == START_LINE_DYNAMO || l->kind == START_LINE_GRAPH)
            sum = add_bounded(sum, l->ns);
    }
    return false;
}

static bool begins_start(const struct start_reader *g, const struct process *p, const struct start_line *l)
{
    const struct compile_start *s;

    if (g->out->list.n == 0)
        return true;
    if (l->kind == START_LINE_ENGINE)
        return g->ended;
    if (g->ended)
        return true;
    s = newest(g);
    if (l->kind == START_LINE_CACHE)
        return s->directory.n && str_eq(part_of(s->directory), part_of(l->directory));
    return l->kind == START_LINE_DYNAMO && s->total_ns >= 0 && !g->other_model &&
           !goes_on_adding(p, l, s->total_ns);
}

static void begin_start(struct start_reader *g)
{
    vec_push(g->arena, &g->out->list, nothing);
    g->before = NULL;
    g->total_parts_ns = 0;
    g->ended = g->other_model = false;
}

static void add_ns(int64_t *sum, int64_t ns)
{
    *sum = add_bounded(*sum < 0 ? 0 : *sum, ns);
}

/* A total reports what no part did before. */
static int64_t reported_ns(struct start_reader *g, const struct start_line *l)
{
    if (l->kind != START_LINE_TOTAL)
        return l->ns;
    return l->ns > g->total_parts_ns ? l->ns - g->total_parts_ns : 0;
}

static void note_gap(struct start_reader *g, const struct start_line *l)
{
    struct compile_start *s = newest(g);
    int64_t ns = reported_ns(g, l), gap;

    if (g->before && g->before->clock_s >= 0 && l->clock_s >= g->before->clock_s) {
        gap = l->clock_s - g->before->clock_s - ns / 1000000000;
        if (gap > s->gap_s) {
            s->gap_s = gap;
            s->gap_from = g->before;
            s->gap_to = l;
        }
    }
    g->before = l;
    add_ns(&g->total_parts_ns, ns);
}

static void note_clock(struct compile_start *s, const struct start_line *l)
{
    if (l->clock_s < 0)
        return;
    s->first_s = s->first_s < 0 ? l->clock_s : s->first_s;
    s->last_s = l->clock_s;
}

static void add_line(struct start_reader *g, const struct start_line *l)
{
    struct compile_start *s = newest(g);

    note_clock(s, l);
    switch (l->kind) {
    case START_LINE_CACHE:
        g->other_model = s->directory.n > 0;
        s->directory = s->directory.n ? s->directory : l->directory;
        return;
    case START_LINE_ENGINE:
        s->engine_ns = l->ns;
        g->ended = true;
        return;
    case START_LINE_DYNAMO:
        add_ns(&s->dynamo_ns, l->ns);
        break;
    case START_LINE_GRAPH:
        add_ns(&s->graphs_ns, l->ns);
        break;
    case START_LINE_LOADED:
        add_ns(&s->loaded_ns, l->ns);
        break;
    case START_LINE_TOTAL: /* vLLM's own sum, over all models */
        s->total_ns = l->ns > s->total_ns ? l->ns : s->total_ns;
        break;
    case START_LINE_CAPTURED:
    case START_LINE_CAPTURING:
    case START_LINE_KINDS:
        return;
    }
    note_gap(g, l);
}

void starts_find(struct arena *a, const struct process *p, struct compile_starts *out)
{
    struct start_reader g = {.arena = a, .out = out, .last_clock_s = -1};
    const int64_t *engine_s = engines_ahead(a, p);

    *out = (struct compile_starts){0};
    vec_each(const struct start_line, l, &p->start_lines)
    {
        if (is_capture(l))
            continue;
        if (begins_start(&g, p, l) || is_of_next_start(&g, l, engine_s[l - p->start_lines.v]))
            begin_start(&g);
        add_line(&g, l);
        g.last_clock_s = l->clock_s >= 0 ? l->clock_s : g.last_clock_s;
    }
}

int64_t starts_longest_ns(const struct process *p)
{
    int64_t ns = -1;

    vec_each(const struct start_line, l, &p->start_lines) if (l->kind == START_LINE_TOTAL && l->ns > ns)
        ns = l->ns;
    return ns;
}

/* The time of all sizes, by the time of one. */
static int64_t capture_ns(const struct start_line *l)
{
    if (l->kind == START_LINE_CAPTURED)
        return l->ns;
    return l->all && l->ns > INT64_MAX / (int64_t)l->all ? INT64_MAX : l->ns * (int64_t)l->all;
}

/* One that has ended counts before one that goes on. */
static bool says_more(const struct captures *c, const struct start_line *l)
{
    if (!c->longest || c->longest->kind != l->kind)
        return !c->longest || l->kind == START_LINE_CAPTURED;
    return l->kind == START_LINE_CAPTURING || l->ns > c->longest->ns; /* the last bar */
}

void starts_find_captures(const struct run *r, struct captures *out)
{
    *out = (struct captures){.other_ns = -1};
    for (size_t i = 0; i < r->processes.n; i++) {
        const struct process *p = r->processes.v[i];
        int64_t ns = starts_longest_ns(p);

        out->other_ns = ns > out->other_ns ? ns : out->other_ns;
        vec_each(const struct start_line, l, &p->start_lines)
            if (is_capture(l) && says_more(out, l))
                out->longest = l;
    }
    out->ns = out->longest ? capture_ns(out->longest) : -1;
}

/* --- several processes -------------------------------------------------------------------------------------------- */

static int by_clock(const void *pa, const void *pb)
{
    const struct compile_start *a = pa, *b = pb;

    return (a->first_s > b->first_s) - (a->first_s < b->first_s);
}

/* Processes at work at the same time are not starts of one server. */
static bool overlap(const struct compile_starts *all)
{
    for (size_t i = 0; i + 1 < all->list.n; i++)
        if (all->list.v[i].last_s >= all->list.v[i + 1].first_s)
            return true;
    return false;
}

static bool is_whole(const struct compile_start *s)
{
    return s->directory.n && s->first_s >= 0 && (s->total_ns >= 0 || s->dynamo_ns >= 0);
}

void starts_find_all(struct arena *a, const struct run *r, const struct process *p, struct compile_starts *out)
{
    struct compile_starts all = {0};

    starts_find(a, p, out);
    if (out->list.n == 0 || !is_whole(&out->list.v[0]))
        return;
    vec_each(const struct compile_start, s, &out->list) vec_push(a, &all.list, *s);
    for (size_t i = 0; i < r->processes.n; i++) {
        struct compile_starts of;

        if (r->processes.v[i] == p || r->processes.v[i]->start_lines.n == 0)
            continue;
        starts_find(a, r->processes.v[i], &of);
        vec_each(const struct compile_start, s, &of.list)
            if (is_whole(s) && str_eq(part_of(s->directory), part_of(out->list.v[0].directory)))
                vec_push(a, &all.list, *s);
    }
    qsort(all.list.v, all.list.n, sizeof *all.list.v, by_clock);
    if (!overlap(&all))
        *out = all;
}
