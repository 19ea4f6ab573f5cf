#include "analysis/rank_runtime.h"

#include <stdlib.h>

enum { READ_MAX = 16 * 1024 * 1024 };

/* Takes what stands behind the next `"key": ` off the text: up to a comma or the end of the line. */
static bool next_value(struct str *text, struct str key, struct str *value)
{
    ptrdiff_t at = str_find(*text, key);
    size_t n = 0;

    if (at < 0)
        return false;
    *text = str_skip(*text, (size_t)at + key.n);
    while (n < text->n && text->p[n] != ',' && text->p[n] != '\n' && text->p[n] != '}')
        n++;
    *value = str_trim(str_take(*text, n));
    return true;
}

/* --- estimates ---------------------------------------------------------------------------------------------------- */

static bool is_estimate(const struct artifact *a)
{
    return str_eq(a->name, STR("inductor_runtime_and_tensor_meta"));
}

#define NS_MAX (1ll << 60)

static int64_t ns_of(struct str value)
{
    char text[48] = {0};
    double ns;

    if (value.n >= sizeof text)
        return 0;
    memcpy(text, value.p, value.n);
    ns = strtod(text, NULL);
    return ns > 0 && ns < 1e15 ? (int64_t)ns : 0;
}

static int64_t sum_of(struct signer *s, const struct artifact *a)
{
    struct str rest, value;
    int64_t sum = 0;

    if (!signer_read(s, a, READ_MAX))
        return -1;
    for (rest = buf_view(&s->text); next_value(&rest, STR("\"estimated_runtime_ns\": "), &value);)
        if (sum < NS_MAX)
            sum += ns_of(value);
    return sum;
}

/* Of one graph, what each rank says. */
struct sums {
    VEC(int64_t) ns;
    VEC(const struct rank_cell *) cells;
};

static int by_value(const void *pa, const void *pb)
{
    int64_t a = *(const int64_t *)pa, b = *(const int64_t *)pb;

    return (a > b) - (a < b);
}

static int64_t median_of(int64_t *v, size_t n)
{
    qsort(v, n, sizeof *v, by_value);
    return v[(n - 1) / 2];
}

static void add_estimate(struct arena *a, struct sums *sums, uint32_t graph, struct estimates *out)
{
    struct estimate *e;
    size_t fastest = 0, slowest = 0, n = sums->ns.n;

    if (n < 2)
        return;
    for (size_t i = 1; i < n; i++) {
        fastest = sums->ns.v[i] < sums->ns.v[fastest] ? i : fastest;
        slowest = sums->ns.v[i] > sums->ns.v[slowest] ? i : slowest;
    }
    e = vec_add(a, &out->list);
    e->graph = graph;
    e->ranks = (uint32_t)n;
    e->compile = sums->cells.v[slowest]->compile;
    e->fastest = sums->cells.v[fastest]->member->process->rank;
    e->slowest = sums->cells.v[slowest]->member->process->rank;
    e->fastest_ns = sums->ns.v[fastest];
    e->slowest_ns = sums->ns.v[slowest];
    e->median_ns = median_of(sums->ns.v, n);
    for (size_t i = 0; i < n; i++)
        sums->ns.v[i] = llabs(sums->ns.v[i] - e->median_ns);
    e->spread_ns = median_of(sums->ns.v, n);
}

/* The graphs of a compile are matched by their number: each rank compiles them in the same order. */
static void add_row(struct arena *a, struct signer *s, const struct rank_row *row, struct estimates *out)
{
    VEC(struct sums) graphs = {0};

    for (size_t i = 0; i < row->cells.n; i++) {
        const struct compile *c = row->cells.v[i]->compile;
        size_t number = 0;

        for (size_t k = 0; k < c->artifacts.n; k++) {
            int64_t sum;

            if (!is_estimate(c->artifacts.v[k]) || (sum = sum_of(s, c->artifacts.v[k])) < 0)
                continue;
            if (number == graphs.n)
                vec_add(a, &graphs);
            vec_push(a, &graphs.v[number].ns, sum);
            vec_push(a, &graphs.v[number].cells, row->cells.v[i]);
            number++;
        }
    }
    for (size_t i = 0; i < graphs.n; i++)
        add_estimate(a, &graphs.v[i], (uint32_t)i, out);
}

static int by_difference(const void *pa, const void *pb)
{
    const struct estimate *a = pa, *b = pb;
    int64_t of_a = a->slowest_ns - a->fastest_ns, of_b = b->slowest_ns - b->fastest_ns;

    if (of_a != of_b)
        return of_a > of_b ? -1 : 1;
    if (a->compile->index != b->compile->index)
        return a->compile->index < b->compile->index ? -1 : 1;
    return (a->graph > b->graph) - (a->graph < b->graph);
}

void estimates_find(struct arena *a, struct signer *s, const struct rank_set *set, struct estimates *out)
{
    *out = (struct estimates){0};
    for (const struct rank_row *row = set->first; row; row = row->next)
        add_row(a, s, row, out);
    if (out->list.n)
        qsort(out->list.v, out->list.n, sizeof *out->list.v, by_difference);
}

/* --- order of execution ------------------------------------------------------------------------------------------- */

enum { GRAPHS_RUN_MAX = 1000000, SEQUENCES_MAX = 64 };

/* Rows that ran, one after the other; NO_ROW is what has no compile id. */
struct sequence {
    VEC(uint32_t) rows;
    VEC(const struct rank_member *) members;
};

#define NO_ROW UINT32_MAX

static const struct rank_cell *cell_of_id(const struct map *ids, struct str value)
{
    struct compile_id id;
    int attempt;

    if (!str_consume(&value, STR("\"")) || !compile_id_take(&value, &id, &attempt))
        return NULL;
    return map_get(ids, MAP_KEY(id));
}

static void read_order(struct arena *a, struct signer *s, const struct map *ids, struct sequence *out)
{
    struct str rest = buf_view(&s->text), value;

    while (out->rows.n < GRAPHS_RUN_MAX && next_value(&rest, STR("\"compile_id\": "), &value)) {
        const struct rank_cell *cell = cell_of_id(ids, value);

        vec_push(a, &out->rows, cell ? cell->row->position : NO_ROW);
    }
}

static void read_member(struct arena *a, struct signer *s, const struct rank_member *m, struct sequence *out)
{
    struct map ids; /* of the process: compile id -> cell; of equal ids of several epochs the last */
    const struct compile *c;

    map_init(&ids, a);
    for (size_t i = 0; i < m->cells.n; i++)
        *map_at_copy(&ids, MAP_KEY(m->cells.v[i]->compile->id)) = m->cells.v[i];
    for (size_t i = 0; i <= m->process->compiles.n; i++) {
        c = i < m->process->compiles.n ? m->process->compiles.v[i] : m->process->unattributed;
        for (size_t k = 0; c && k < c->artifacts.n; k++)
            if (str_eq(c->artifacts.v[k]->name, STR("graph_execution")) && signer_read(s, c->artifacts.v[k], READ_MAX))
                read_order(a, s, &ids, out);
    }
}

static struct digest digest_of_sequence(const struct sequence *q)
{
    return digest_of((struct str){(const char *)q->rows.v, q->rows.n * sizeof *q->rows.v});
}

struct sequences {
    VEC(struct sequence *) list;
};

/* Each distinct sequence once, with the members that ran it. */
static void read_sequences(struct arena *a, struct signer *s, const struct rank_set *set, struct sequences *out)
{
    struct map known;

    map_init(&known, a);
    for (size_t i = 0; i < set->members.n && out->list.n < SEQUENCES_MAX; i++) {
        struct arena *scratch = arena_new();
        struct sequence q = {0};
        struct digest digest;
        void **slot;

        read_member(scratch, s, set->members.v[i], &q);
        digest = digest_of_sequence(&q);
        slot = q.rows.n ? map_at_copy(&known, MAP_KEY(digest)) : NULL;
        if (slot && !*slot) {
            struct sequence *kept = ARENA_NEW(a, struct sequence);

            kept->rows.v = ARENA_ARRAY(a, uint32_t, q.rows.n);
            kept->rows.n = kept->rows.cap = q.rows.n;
            memcpy(kept->rows.v, q.rows.v, q.rows.n * sizeof *q.rows.v);
            *slot = kept;
            vec_push(a, &out->list, kept);
        }
        if (slot) {
            struct sequence *kept = *slot;

            vec_push(a, &kept->members, set->members.v[i]);
        }
        arena_free(scratch);
    }
}

/* How many graphs all of them ran alike. */
static uint64_t common_length(const struct sequences *all)
{
    const struct sequence *first = all->list.v[0];
    size_t at = first->rows.n;

    for (size_t i = 1; i < all->list.n; i++) {
        const struct sequence *q = all->list.v[i];
        size_t n = 0;

        while (n < at && n < q->rows.n && q->rows.v[n] == first->rows.v[n])
            n++;
        at = n;
    }
    return at;
}

static const struct compile *compile_at(const struct rank_member *m, uint32_t position)
{
    for (size_t i = 0; i < m->cells.n; i++)
        if (m->cells.v[i]->row->position == position)
            return m->cells.v[i]->compile;
    return NULL;
}

static void add_side(struct arena *a, struct execution *e, const struct sequence *q)
{
    bool ended = e->at >= q->rows.n;
    const struct compile *c = ended ? NULL : compile_at(q->members.v[0], q->rows.v[e->at]);
    struct execution_side *side = vec_add(a, &e->sides);

    side->compile = c;
    side->ended = ended;
    side->length = q->rows.n;
    for (size_t k = 0; k < q->members.n; k++)
        vec_push(a, &side->ranks, q->members.v[k]->process->rank);
}

static int by_ranks(const void *pa, const void *pb)
{
    const struct execution_side *a = pa, *b = pb;

    if (a->ranks.n != b->ranks.n)
        return a->ranks.n > b->ranks.n ? -1 : 1;
    return (a->ranks.v[0] > b->ranks.v[0]) - (a->ranks.v[0] < b->ranks.v[0]);
}

const struct execution *execution_find(struct arena *a, struct signer *s, const struct rank_set *set)
{
    struct sequences all = {0};
    struct execution *e;

    read_sequences(a, s, set, &all);
    if (all.list.n < 2)
        return NULL;
    e = ARENA_NEW(a, struct execution);
    e->at = common_length(&all);
    for (size_t i = 0; i < all.list.n; i++)
        add_side(a, e, all.list.v[i]);
    qsort(e->sides.v, e->sides.n, sizeof *e->sides.v, by_ranks);
    return e;
}
