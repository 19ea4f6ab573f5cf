#include "ranks/execution.h"

#include "util/json.h"

#include <stdlib.h>

enum { GRAPHS_RUN_MAX = 1000000, SEQUENCES_MAX = 64, READ_MAX = 16 * 1024 * 1024 };

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

/* {"graph_execution_order": [{"compile_id": "0/0"}, …]} */
static void read_order(struct arena *a, struct fingerprinter *s, const struct map *ids, struct sequence *out)
{
    struct str list = json_member_text(buf_view(&s->text), STR("graph_execution_order")), graph;

    while (out->rows.n < GRAPHS_RUN_MAX && json_next_item(&list, &graph)) {
        const struct rank_cell *cell = cell_of_id(ids, json_member_text(graph, STR("compile_id")));

        vec_push(a, &out->rows, cell ? cell->row->position : NO_ROW);
    }
}

static void read_member(struct arena *a, struct fingerprinter *s, const struct rank_member *m, struct sequence *out)
{
    struct map ids; /* of the process: compile id -> cell; of equal ids of several epochs the last */
    const struct compile *c;

    map_init(&ids, a);
    for (size_t i = 0; i < m->cells.n; i++)
        *map_at_copy(&ids, MAP_KEY(m->cells.v[i]->compile->id)) = m->cells.v[i];
    for (size_t i = 0; i <= m->process->compiles.n; i++) {
        c = i < m->process->compiles.n ? m->process->compiles.v[i] : m->process->unattributed;
        for (size_t k = 0; c && k < c->artifacts.n; k++)
            if (str_eq(c->artifacts.v[k]->name, STR("graph_execution")) &&
                fingerprinter_read(s, c->artifacts.v[k], READ_MAX))
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
static void read_sequences(struct arena *a, struct fingerprinter *s, const struct rank_matrix *matrix,
                           struct sequences *out)
{
    struct map known;

    map_init(&known, a);
    for (size_t i = 0; i < matrix->members.n && out->list.n < SEQUENCES_MAX; i++) {
        struct arena *scratch = arena_new();
        struct sequence q = {0};
        struct digest digest;
        void **slot;

        read_member(scratch, s, matrix->members.v[i], &q);
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

            vec_push(a, &kept->members, matrix->members.v[i]);
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

const struct execution *execution_find(struct arena *a, struct fingerprinter *s, const struct rank_matrix *matrix)
{
    struct sequences all = {0};
    struct execution *e;

    read_sequences(a, s, matrix, &all);
    if (all.list.n < 2)
        return NULL;
    e = ARENA_NEW(a, struct execution);
    e->at = common_length(&all);
    for (size_t i = 0; i < all.list.n; i++)
        add_side(a, e, all.list.v[i]);
    qsort(e->sides.v, e->sides.n, sizeof *e->sides.v, by_ranks);
    return e;
}
