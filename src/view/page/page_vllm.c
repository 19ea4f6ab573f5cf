/* The compile calls of vLLM. */
#include "view/format.h"
#include "view/page.h"
#include "view/page_objects.h"
#include "analysis/code/vllm.h"

#include <stdlib.h>

enum { RANGES_SHOWN = 24, SUBGRAPHS_SHOWN = 200, PIECES_SHOWN = 8 };

/* Pieces sorted by sizes; single sizes come after the ranges. */
static int compare_sizes(const struct vllm_piece *a, const struct vllm_piece *b)
{
    if (a->single != b->single)
        return a->single ? 1 : -1;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    return a->end < b->end ? -1 : a->end > b->end;
}

static int by_sizes(const void *pa, const void *pb)
{
    return compare_sizes(*(const struct vllm_piece *const *)pa, *(const struct vllm_piece *const *)pb);
}

static int by_subgraph(const void *pa, const void *pb)
{
    const struct vllm_piece *a = *(const struct vllm_piece *const *)pa, *b = *(const struct vllm_piece *const *)pb;

    if (a->index != b->index)
        return a->index < b->index ? -1 : 1;
    return str_cmp(a->name, b->name);
}

typedef int compare_fn(const void *pa, const void *pb);

/* One piece of each kind, in order. */
struct piece_kinds {
    const struct vllm_piece **v;
    size_t n;
};

static struct piece_kinds kinds_of(struct arena *a, const struct vllm_call *call, compare_fn *compare)
{
    struct piece_kinds k = {ARENA_ARRAY(a, const struct vllm_piece *, call->pieces.n + 1), 0};
    size_t n = call->pieces.n;

    for (size_t i = 0; i < n; i++)
        k.v[i] = &call->pieces.v[i];
    qsort(k.v, n, sizeof *k.v, compare);
    for (size_t i = 0; i < n; i++)
        if (k.n == 0 || compare(&k.v[k.n - 1], &k.v[i]) != 0)
            k.v[k.n++] = k.v[i];
    return k;
}

static size_t position(const struct piece_kinds *k, const struct vllm_piece *p, compare_fn *compare)
{
    const struct vllm_piece **at = bsearch(&p, k->v, k->n, sizeof *k->v, compare);

    return (size_t)(at - k->v);
}

static struct str sizes_title(struct arena *a, const struct vllm_piece *p)
{
    struct str sizes = STR("sizes unknown");

    if (p->single && p->begin >= 0)
        sizes = arena_printf(a, "size %lld", (long long)p->begin);
    else if (p->begin >= 0 && p->end >= 0)
        sizes = arena_printf(a, "%lld to %lld", (long long)p->begin, (long long)p->end);
    return p->cudagraph ? arena_printf(a, "%.*s, CUDA graph", STR_ARG(sizes)) : sizes;
}

struct vllm_cell {
    const struct vllm_piece *v[PIECES_SHOWN];
    size_t n;
};

struct vllm_row {
    struct str name;
    VEC(struct vllm_cell) cells;
};

/* A table of subgraphs by sizes. */
struct vllm_matrix {
    VEC(struct str) sizes, totals;
    VEC(struct vllm_row) rows;
    size_t all_sizes, all_rows;
};

static void add_rows(struct arena *a, struct vllm_matrix *m, const struct piece_kinds *subgraphs)
{
    m->all_rows = subgraphs->n;
    for (size_t i = 0; i < subgraphs->n && i < SUBGRAPHS_SHOWN; i++) {
        struct vllm_row row = {.name = subgraphs->v[i]->name};

        for (size_t k = 0; k < m->sizes.n; k++)
            vec_push(a, &row.cells, (struct vllm_cell){.n = 0});
        vec_push(a, &m->rows, row);
    }
}

static void add_piece(struct vllm_matrix *m, size_t row, size_t column, const struct vllm_piece *p)
{
    struct vllm_cell *cell = row < m->rows.n ? &m->rows.v[row].cells.v[column] : NULL;

    if (cell && cell->n < PIECES_SHOWN)
        cell->v[cell->n++] = p;
}

static const struct vllm_matrix *matrix_of(struct arena *a, const struct vllm_call *call)
{
    struct piece_kinds sizes = kinds_of(a, call, by_sizes), subgraphs = kinds_of(a, call, by_subgraph);
    struct vllm_matrix *m = ARENA_NEW(a, struct vllm_matrix);
    int64_t us[RANGES_SHOWN] = {0};

    m->all_sizes = sizes.n;
    for (size_t i = 0; i < sizes.n && i < RANGES_SHOWN; i++)
        vec_push(a, &m->sizes, sizes_title(a, sizes.v[i]));
    add_rows(a, m, &subgraphs);
    vec_each(const struct vllm_piece, p, &call->pieces)
    {
        size_t column = position(&sizes, p, by_sizes);

        if (column >= m->sizes.n)
            continue;
        us[column] += vllm_piece_us(p) > 0 ? vllm_piece_us(p) : 0;
        add_piece(m, position(&subgraphs, p, by_subgraph), column, p);
    }
    for (size_t i = 0; i < m->sizes.n; i++)
        vec_push(a, &m->totals, us[i] > 0 ? format_duration_us(a, us[i]) : STR("-"));
    return m;
}

static struct str event_words(struct str event)
{
    if (str_eq(event, STR("fresh_compile")))
        return STR("compiled");
    return str_eq(event, STR("aot_cache_hit")) ? STR("taken from vLLM's cache") : event;
}

struct numbered_call {
    const struct vllm_call *call;
    size_t number;
};

static json_t *calls_of(const struct view *v, const struct vllm *all)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < all->calls.n && i < PAGE_ITEMS_MAX; i++)
        json_push(list, page_vllm_call(v, &(struct numbered_call){&all->calls.v[i], i + 1}));
    return list;
}

json_t *page_vllm_of(const struct view *v, const struct compile *c)
{
    struct vllm all;

    vllm_find(v->scratch, &v->answers->vllm_pieces, c, &all);
    return page_vllm(v, all.calls.n ? &all : NULL);
}

#include "view/page_rows.h"

#include "view/sections/vllm.def"
