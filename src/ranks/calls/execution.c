#include "ranks/calls/execution.h"

#include "util/formats/json_scan.h"

#include <stdlib.h>

/* --- reading ------------------------------------------------------------------------------------------------------ */

enum { GRAPHS_RUN_MAX = 1000000, ORDERS_MAX = 64 };

static const struct rank_row *row_of_id(const struct map *ids, struct str value)
{
    const struct rank_cell *cell;
    struct compile_id id;
    int attempt;

    if (!str_consume(&value, STR("\"")) || !compile_id_take(&value, &id, &attempt))
        return NULL;
    cell = map_get(ids, MAP_KEY(id));
    return cell ? cell->row : NULL;
}

/* {"graph_execution_order": [{"compile_id": "0/0"}, …]} */
static void read_order(struct arena *a, struct str text, const struct map *ids, struct graph_order *out)
{
    struct str list = json_member_text(text, STR("graph_execution_order")), graph;

    while (out->rows.n < GRAPHS_RUN_MAX && json_next_item(&list, &graph))
        vec_push(a, &out->rows, row_of_id(ids, json_member_text(graph, STR("compile_id"))));
}

static void read_orders_of(struct arena *a, struct contents *contents, const struct compile *c, const struct map *ids,
                           struct graph_order *out)
{
    for (size_t i = 0; i < c->artifacts.n; i++)
        if (artifact_is(c->artifacts.v[i], ARTIFACT_GRAPH_EXECUTION) &&
            contents_read(contents, c->artifacts.v[i], READ_TEXT))
            read_order(a, buf_view(&contents->text), ids, out);
}

static void read_member(struct arena *a, struct contents *contents, const struct rank_member *m,
                        struct graph_order *out)
{
    const struct process *p = m->process;
    struct map ids; /* compile id -> cell of the process; if several epochs have an id, the last one */

    map_init(&ids, a);
    for (size_t i = 0; i < m->cells.n; i++)
        *map_at_copy(&ids, MAP_KEY(m->cells.v[i]->compile->id)) = m->cells.v[i];
    for (size_t i = 0; i < p->compiles.n; i++)
        read_orders_of(a, contents, p->compiles.v[i], &ids, out);
    if (p->unattributed)
        read_orders_of(a, contents, p->unattributed, &ids, out);
}

/*
 * The first index at which two orders differ; an unknown graph matches any. If they do not differ, the length of the
 * shorter one.
 */
static size_t first_difference(const struct graph_order *a, const struct graph_order *b)
{
    size_t i = 0;

    while (i < a->rows.n && i < b->rows.n && (a->rows.v[i] == b->rows.v[i] || !a->rows.v[i] || !b->rows.v[i]))
        i++;
    return i;
}

struct orders {
    VEC(struct graph_order *) list; /* the distinct orders */
};

/* The equal order in the list, or this one after it was added. NULL if there are too many. */
static const struct graph_order *keep_order(struct arena *a, struct orders *all, const struct graph_order *read)
{
    struct graph_order *kept;

    for (size_t i = 0; i < all->list.n; i++) {
        kept = all->list.v[i];
        if (kept->rows.n != read->rows.n || first_difference(kept, read) < read->rows.n)
            continue;
        for (size_t k = 0; k < read->rows.n; k++)
            if (!kept->rows.v[k])
                kept->rows.v[k] = read->rows.v[k];
        return kept;
    }
    if (all->list.n == ORDERS_MAX)
        return NULL;
    kept = ARENA_NEW(a, struct graph_order);
    for (size_t k = 0; k < read->rows.n; k++)
        vec_push(a, &kept->rows, read->rows.v[k]);
    vec_push(a, &all->list, kept);
    return kept;
}

void graph_orders_read(struct arena *a, struct contents *contents, struct rank_matrix *matrix)
{
    struct arena *scratch = arena_new();
    struct orders all = {0};

    for (size_t i = 0; i < matrix->members.n; i++) {
        struct graph_order read = {0};

        read_member(scratch, contents, matrix->members.v[i], &read);
        if (read.rows.n)
            matrix->members.v[i]->ran = keep_order(a, &all, &read);
        arena_reset(scratch);
    }
    arena_free(scratch);
}

/* --- comparing ---------------------------------------------------------------------------------------------------- */

struct side_list {
    VEC(const struct rank_member *) firsts; /* one member for each order */
};

static void list_orders(struct arena *a, const struct rank_matrix *matrix, struct side_list *out)
{
    for (size_t i = 0; i < matrix->members.n; i++) {
        const struct rank_member *m = matrix->members.v[i];
        size_t k = 0;

        while (k < out->firsts.n && out->firsts.v[k]->ran != m->ran)
            k++;
        if (m->ran && k == out->firsts.n)
            vec_push(a, &out->firsts, m);
    }
}

static void add_side(struct arena *a, struct execution *e, const struct rank_matrix *matrix,
                     const struct rank_member *first)
{
    const struct graph_order *order = first->ran;
    struct execution_side *side = vec_add(a, &e->sides);
    const struct rank_cell *cell = NULL;

    side->ended = e->at >= order->rows.n;
    side->length = order->rows.n;
    if (!side->ended && order->rows.v[e->at])
        cell = rank_cell_of(order->rows.v[e->at], first);
    side->compile = cell ? cell->compile : NULL;
    for (size_t i = 0; i < matrix->members.n; i++)
        if (matrix->members.v[i]->ran == order)
            vec_push(a, &side->ranks, matrix->members.v[i]->process->rank);
}

static int by_ranks(const void *pa, const void *pb)
{
    const struct execution_side *a = pa, *b = pb;

    if (a->ranks.n != b->ranks.n)
        return a->ranks.n > b->ranks.n ? -1 : 1;
    return (a->ranks.v[0] > b->ranks.v[0]) - (a->ranks.v[0] < b->ranks.v[0]);
}

const struct execution *execution_find(struct arena *a, const struct rank_matrix *matrix)
{
    struct side_list sides = {0};
    struct execution *e;

    list_orders(a, matrix, &sides);
    if (sides.firsts.n < 2)
        return NULL;
    e = ARENA_NEW(a, struct execution);
    e->at = UINT64_MAX;
    for (size_t i = 1; i < sides.firsts.n; i++) {
        size_t at = first_difference(sides.firsts.v[0]->ran, sides.firsts.v[i]->ran);

        e->at = at < e->at ? at : e->at;
    }
    for (size_t i = 0; i < sides.firsts.n; i++) {
        add_side(a, e, matrix, sides.firsts.v[i]);
        e->shorter |= e->sides.v[i].ended;
    }
    qsort(e->sides.v, e->sides.n, sizeof *e->sides.v, by_ranks);
    return e;
}

/* --- collectives -------------------------------------------------------------------------------------------------- */

/* A graph with a backward graph runs forward, then backward, and so on: the record has only the compile id. */
static enum graph_part part_of(struct map *runs, const struct compile *c)
{
    uint64_t *n = map_number_at(runs, MAP_KEY(c));

    if (!c->backward)
        return GRAPHS_ALL;
    return (*n)++ % 2 ? GRAPHS_BACKWARD : GRAPHS_FORWARD;
}

static void walk_executions(struct walker *w, const struct rank_member *member, struct rank_steps *out)
{
    struct arena *scratch = arena_new();
    struct map runs; /* compile -> how often it ran */

    map_init(&runs, scratch);
    rank_steps_init(out, w->arena);
    for (size_t i = 0; i < member->ran->rows.n && !out->cut; i++) {
        const struct rank_row *row = member->ran->rows.v[i];
        const struct rank_cell *cell = row ? rank_cell_of(row, member) : NULL;

        if (cell)
            walker_add(w, row, cell->compile, part_of(&runs, cell->compile), out);
    }
    arena_free(scratch);
}

/* Execution orders can only be compared if all members recorded them. */
static bool all_ran(const struct rank_run *run)
{
    for (size_t i = 0; i < run->columns.n; i++)
        if (!run->columns.v[i].member->ran)
            return false;
    return run->columns.n > 0;
}

void column_steps_walk(struct arena *a, struct contents *contents, const struct rank_run *run, struct column_steps *out)
{
    struct walker w;

    *out = (struct column_steps){.ran = all_ran(run)};
    if (run->columns.n < 2)
        return;
    walker_init(&w, a, contents);
    for (size_t i = 0; i < run->columns.n && i < COLUMNS_WALKED; i++) {
        const struct rank_member *member = run->columns.v[i].member;
        struct rank_steps *steps = vec_add(a, &out->list);

        if (out->ran)
            walk_executions(&w, member, steps);
        else
            walk_compiles(&w, &run->matrix, member, run->columns.v[0].member, steps);
    }
}
