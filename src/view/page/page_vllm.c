/* The compile calls of vLLM. */
#include "view/format.h"
#include "view/page.h"
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

static json_t *piece_item(const struct view *v, const struct vllm_piece *p)
{
    json_t *o = json_new_object();
    int64_t us = vllm_piece_us(p);

    json_put(o, "time", us >= 0 ? json_of_str(format_duration_us(v->scratch, us)) : json_null());
    json_put_bool(o, "cache_hit", p->cache_hit);
    json_put_str(o, "from", page_artifact_anchor(v->scratch, p->start));
    json_put_str(o, "count", format_counted(v->scratch, p->artifacts, "artifact", "artifacts"));
    json_put(o, "code", p->code ? json_of_str(page_artifact_anchor(v->scratch, p->code)) : json_null());
    return o;
}

/* A table of subgraphs by sizes: lists of pieces. */
static json_t *empty_rows(const struct piece_kinds *subgraphs, size_t columns)
{
    json_t *rows = json_new_array();

    for (size_t i = 0; i < subgraphs->n && i < SUBGRAPHS_SHOWN; i++) {
        json_t *o = json_new_object(), *cells = json_new_array();

        for (size_t k = 0; k < columns; k++) {
            json_t *cell = json_new_object();

            json_put(cell, "pieces", json_new_array());
            json_push(cells, cell);
        }
        json_put_str(o, "name", subgraphs->v[i]->name.n ? subgraphs->v[i]->name : STR("(no name)"));
        json_put(o, "cells", cells);
        json_push(rows, o);
    }
    return rows;
}

/* A row that is not shown is NULL. */
static void add_piece(const struct view *v, json_t *row, size_t column, const struct vllm_piece *p)
{
    json_t *pieces = json_object_get(json_array_get(json_object_get(row, "cells"), column), "pieces");

    if (pieces && json_array_size(pieces) < PIECES_SHOWN)
        json_push(pieces, piece_item(v, p));
}

static json_t *totals_of(const struct view *v, const int64_t *us, size_t n)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < n; i++)
        json_push(list, json_of_str(us[i] > 0 ? format_duration_us(v->scratch, us[i]) : STR("-")));
    return list;
}

static json_t *matrix_of(const struct view *v, const struct vllm_call *call)
{
    struct piece_kinds sizes = kinds_of(v->scratch, call, by_sizes),
                       subgraphs = kinds_of(v->scratch, call, by_subgraph);
    size_t columns = sizes.n < RANGES_SHOWN ? sizes.n : RANGES_SHOWN;
    int64_t *us = ARENA_ARRAY(v->scratch, int64_t, columns + 1);
    json_t *o, *titles = json_new_array(), *rows = empty_rows(&subgraphs, columns);

    for (size_t i = 0; i < columns; i++)
        json_push(titles, json_of_str(sizes_title(v->scratch, sizes.v[i])));
    vec_each(const struct vllm_piece, p, &call->pieces)
    {
        size_t column = position(&sizes, p, by_sizes), row = position(&subgraphs, p, by_subgraph);
        if (column >= columns)
            continue;
        us[column] += vllm_piece_us(p) > 0 ? vllm_piece_us(p) : 0;
        add_piece(v, json_array_get(rows, row), column, p);
    }
    o = json_new_object();
    json_put(o, "sizes", titles);
    json_put(o, "rows", rows);
    json_put(o, "totals", totals_of(v, us, columns));
    json_put_str(o, "more_sizes", page_hidden(v, sizes.n, columns));
    json_put_str(o, "more_rows", page_hidden(v, subgraphs.n, SUBGRAPHS_SHOWN));
    return o;
}

static struct str event_words(struct str event)
{
    if (str_eq(event, STR("fresh_compile")))
        return STR("compiled");
    return str_eq(event, STR("aot_cache_hit")) ? STR("taken from vLLM's cache") : event;
}

static json_t *call_item(const struct view *v, const struct vllm_call *call, size_t number)
{
    json_t *o = json_new_object(), *settings = json_new_array();

    vec_each(const struct vllm_setting, s, &call->settings)
    {
        json_t *row = json_new_object();

        json_put_str(row, "name", s->name);
        json_put(row, "value", page_text(v, s->value));
        json_push(settings, row);
    }
    json_put_str(o, "number", format_count(v->scratch, number));
    json_put(o, "event", view_text(event_words(call->event)));
    json_put_str(o, "pieces", format_counted(v->scratch, call->pieces.n, "subgraph compile", "subgraph compiles"));
    json_put_bool(o, "any_settings", call->settings.n > 0);
    json_put(o, "settings", settings);
    json_put(o, "split", call->split ? json_of_str(page_artifact_anchor(v->scratch, call->split)) : json_null());
    json_put(o, "matrix", call->pieces.n ? matrix_of(v, call) : json_null());
    return o;
}

json_t *page_vllm(const struct view *v, const struct compile *c)
{
    struct vllm vllm;
    json_t *o, *calls;

    vllm_find(v->scratch, &v->answers->vllm_pieces, c, &vllm);
    if (vllm.calls.n == 0)
        return json_null();
    o = json_new_object();
    calls = json_new_array();
    for (size_t i = 0; i < vllm.calls.n && i < PAGE_ITEMS_MAX; i++)
        json_push(calls, call_item(v, &vllm.calls.v[i], i + 1));
    json_put_str(o, "count", format_counted(v->scratch, vllm.calls.n, "compile call", "compile calls"));
    json_put(o, "calls", calls);
    json_put_str(o, "more", page_hidden(v, vllm.calls.n, PAGE_ITEMS_MAX));
    return o;
}
