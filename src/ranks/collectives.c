#include "ranks/collectives.h"

/* The first of these that a compile has tells its collectives: code in the order of calling, graphs before that. */
static const enum rank_facet sources[] = {FACET_CODE, FACET_POST_GRAD, FACET_PARTITION, FACET_GRAPH};

static bool has_facet(const struct compile *c, enum rank_facet f)
{
    for (size_t i = 0; i < c->artifacts.n; i++)
        if (facet_of_artifact(c->artifacts.v[i]) == f)
            return true;
    return false;
}

static void add_calls(struct arena *a, struct fingerprinter *s, const struct compile *c, enum rank_facet f,
                      struct schedule *out)
{
    for (size_t i = 0; i < c->artifacts.n; i++) {
        const struct collectives *calls =
            facet_of_artifact(c->artifacts.v[i]) == f ? fingerprinter_collectives(s, c->artifacts.v[i]) : NULL;

        for (size_t k = 0; calls && k < calls->list.n; k++)
            vec_push(a, &out->list, calls->list.v[k]);
    }
}

/* Calls of one operation, in the order of the graph, as they are given to those of the code. */
struct of_op {
    VEC(const struct collective_call *) list;
    size_t used;
};

/* The n-th call of an operation in the code is the n-th of it in the graph. */
static void add_sizes(struct arena *a, struct schedule *code, const struct schedule *graph)
{
    struct map ops;
    struct of_op *of;
    void **slot;

    map_init(&ops, a);
    for (size_t i = 0; i < graph->list.n; i++) {
        slot = map_at(&ops, graph->list.v[i].op);
        if (!*slot)
            *slot = ARENA_NEW(a, struct of_op);
        of = *slot;
        vec_push(a, &of->list, &graph->list.v[i]);
    }
    for (size_t i = 0; i < code->list.n; i++) {
        struct collective_call *c = &code->list.v[i];

        of = map_get(&ops, c->op);
        if (!of || of->used == of->list.n)
            continue;
        c->dtype = of->list.v[of->used]->dtype;
        c->shape = of->list.v[of->used]->shape;
        c->file = of->list.v[of->used]->file;
        c->line = of->list.v[of->used++]->line;
    }
}

void schedule_of(struct arena *a, struct fingerprinter *s, const struct compile *c, struct schedule *out)
{
    size_t i = 0, n = sizeof sources / sizeof *sources;
    struct schedule graph = {0};

    *out = (struct schedule){0};
    while (i < n && !has_facet(c, sources[i]))
        i++;
    if (i == n)
        return;
    add_calls(a, s, c, sources[i], out);
    if (sources[i] != FACET_CODE || out->list.n == 0)
        return;
    while (i < n && (sources[i] == FACET_CODE || !has_facet(c, sources[i])))
        i++;
    if (i == n)
        return;
    add_calls(a, s, c, sources[i], &graph);
    add_sizes(a, out, &graph);
}

bool same_collective(const struct collective_call *a, const struct collective_call *b)
{
    return str_eq(a->op, b->op) && str_eq(a->reduction, b->reduction) && str_eq(a->dtype, b->dtype) &&
           str_eq(a->shape, b->shape) && a->group_size == b->group_size;
}

struct str collective_words(struct arena *a, const struct collective_call *c)
{
    return arena_printf(a, "`%.*s`%s%.*s%.*s%s%.*s, group %.*s", STR_ARG(c->op), c->dtype.n ? " of " : "",
                        STR_ARG(c->dtype), STR_ARG(c->shape), c->reduction.n ? ", " : "", STR_ARG(c->reduction),
                        STR_ARG(c->group));
}

/* --- of a rank ---------------------------------------------------------------------------------------------------- */

void walker_init(struct walker *w, struct arena *a, struct fingerprinter *s)
{
    *w = (struct walker){.arena = a, .prints = s};
    map_init(&w->schedules, a);
}

static const struct schedule *schedule_in(struct walker *w, const struct compile *c)
{
    void **slot = map_at_copy(&w->schedules, MAP_KEY(c));

    if (!*slot) {
        *slot = ARENA_NEW(w->arena, struct schedule);
        schedule_of(w->arena, w->prints, c, *slot);
    }
    return *slot;
}

const struct rank_cell *steps_cell(const struct rank_row *row, const struct rank_member *m)
{
    const struct rank_cell *cell = rank_cell_of(row, m);

    while (!cell && row->before) {
        row = row->before;
        cell = rank_cell_of(row, m);
    }
    return cell;
}

void steps_walk(struct walker *w, const struct rank_run *run, const struct rank_member *m,
                const struct rank_member *like, struct rank_steps *out)
{
    map_init(&out->groups, w->arena);
    for (const struct rank_row *row = run->matrix.first; row; row = row->next) {
        const struct rank_cell *cell = steps_cell(row, m), *same = steps_cell(row, like);
        const struct schedule *schedule;

        if (cell && same && cell->row == same->row &&
            cell->print->facets[FACET_COLLECTIVES] == same->print->facets[FACET_COLLECTIVES])
            cell = same;
        schedule = cell ? schedule_in(w, cell->compile) : NULL;
        for (size_t i = 0; schedule && i < schedule->list.n; i++) {
            vec_push(w->arena, &out->list, ((struct rank_step){&schedule->list.v[i], row, cell->compile}));
            *map_at(&out->groups, schedule->list.v[i].group) = out;
        }
    }
}

bool steps_same_groups(const struct rank_steps *a, const struct rank_steps *b)
{
    for (size_t i = 0; i < a->groups.n; i++)
        if (!map_get(&b->groups, a->groups.entries[i].key))
            return false;
    return a->groups.n == b->groups.n;
}

/* --- scheduled and written ---------------------------------------------------------------------------------------- */

/* Operations in a JSON list of names; waits are none. */
static uint64_t count_scheduled(struct str text)
{
    struct str rest = text, line, name;
    uint64_t n = 0;

    while (str_next_line(&rest, &line))
        while (str_between(line, STR("\""), STR("\""), &name)) {
            struct str op = collective_op(name);

            n += op.n && !str_eq(op, STR("wait_tensor"));
            line = str_skip(line, (size_t)(name.p + name.n + 1 - line.p));
        }
    return n;
}

static bool is_schedule(const struct artifact *a)
{
    return str_eq(a->name, STR("inductor_collective_schedule")) && payload_is_told(&a->payload) &&
           !payload_is_scattered(&a->payload);
}

enum { SCHEDULE_READ_MAX = 4 * 1024 * 1024 };

bool parity_of(struct fingerprinter *s, const struct compile *c, struct parity *out)
{
    bool any = false, code = false;

    *out = (struct parity){.compile = c};
    for (size_t i = 0; i < c->artifacts.n; i++) {
        const struct artifact *a = c->artifacts.v[i];
        const struct collectives *calls;

        if (is_schedule(a)) {
            any |= fingerprinter_read(s, a, SCHEDULE_READ_MAX);
            out->scheduled += count_scheduled(buf_view(&s->text));
        } else if (facet_of_artifact(a) == FACET_CODE) {
            calls = fingerprinter_collectives(s, a);
            out->emitted += calls ? calls->list.n : 0;
            out->waits += calls ? calls->waits : 0;
            code = true;
        }
    }
    return any && code;
}
