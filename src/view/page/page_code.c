/* Generated code: for each compile its output codes, its kernels, and its graphs with the links between them. */
#include "view/page.h"

#include "view/format.h"
#include "analysis/code/graphs.h"
#include "analysis/code/kernels.h"

enum { NODES_SHOWN = 12, PLACES_SHOWN = 6, CODES_SHOWN = 50, KERNELS_SHOWN = 1000, GRAPHS_SHOWN = 200 };

static json_t *texts(const struct str *list, size_t n, size_t most)
{
    json_t *out = json_new_array();

    for (size_t i = 0; i < n && i < most; i++)
        json_push(out, json_of_str(list[i]));
    return out;
}

static json_t *more_than(size_t n, size_t most)
{
    return n > most ? json_of_i64((int64_t)(n - most)) : json_null();
}

static json_t *places_of(const struct view *v, const struct kernel *k)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < k->places.n && i < PLACES_SHOWN; i++)
        json_push(list, page_place(v, k->places.v[i].file, k->places.v[i].line));
    return list;
}

static json_t *kernel_row(const struct view *v, const struct kernel *k)
{
    json_t *o = json_new_object();

    json_put_str(o, "name", k->name);
    json_put_str(o, "kind", k->kind);
    json_put(o, "heuristic", page_text(v, k->heuristic));
    json_put(o, "nodes", texts(k->nodes.v, k->nodes.n, NODES_SHOWN));
    json_put(o, "more", more_than(k->nodes.n, NODES_SHOWN));
    json_put(o, "places", places_of(v, k));
    json_put(o, "more_places", more_than(k->places.n, PLACES_SHOWN));
    json_put(o, "sizes", texts(k->sizes.v, k->sizes.n, k->sizes.n));
    json_put(o, "in_graphs", texts(k->graphs.v, k->graphs.n, NODES_SHOWN));
    json_put(o, "calls", k->calls < 0 ? json_null() : json_of_str(format_count(v->scratch, (uint64_t)k->calls)));
    json_put(o, "time", k->compile_us < 0 ? json_null() : json_of_str(format_duration_us(v->scratch, k->compile_us)));
    json_put_i64(o, "time_us", k->compile_us);
    json_put(o, "autotuned", page_text(v, k->autotuned));
    return o;
}

/* Which columns of the table have contents. */
static void put_columns(json_t *o, const struct kernels *kernels)
{
    bool nodes = false, places = false, sizes = false, calls = false, graphs = false, times = false;

    vec_each(const struct kernel, k, &kernels->list)
    {
        nodes |= k->nodes.n > 0;
        places |= k->places.n > 0;
        sizes |= k->sizes.n > 0;
        calls |= k->calls >= 0;
        graphs |= k->graphs.n > 0;
        times |= k->compile_us >= 0;
    }
    json_put_bool(o, "any_nodes", nodes);
    json_put_bool(o, "any_places", places);
    json_put_bool(o, "any_sizes", sizes);
    json_put_bool(o, "any_calls", calls);
    json_put_bool(o, "any_graphs", graphs);
    json_put_bool(o, "any_times", times);
}

static bool is_code(const struct artifact *a)
{
    return a->info && a->info->stage == STAGE_CODE;
}

bool page_has_code(const struct compile *c)
{
    for (size_t i = 0; i < c->artifacts.n; i++)
        if (is_code(c->artifacts.v[i]) || artifact_is(c->artifacts.v[i], ARTIFACT_INDUCTOR_POST_GRAD_GRAPH))
            return true;
    return false;
}

/* --- graphs ------------------------------------------------------------------------------------------------------- */

static json_t *anchor_or_null(const struct view *v, const struct artifact *a)
{
    return a ? json_of_str(page_artifact_anchor(v->scratch, a)) : json_null();
}

static json_t *graph_item(const struct view *v, const struct graph *g, struct str anchor, size_t number)
{
    json_t *o = json_new_object();
    struct str maps = {"", 0};

    for (size_t i = 0; i < g->maps.n && i < 8; i++)
        maps = arena_printf(v->scratch, "%.*s%s%.*s", STR_ARG(maps), i ? " " : "",
                            STR_ARG(page_artifact_anchor(v->scratch, g->maps.v[i])));
    json_put_str(o, "anchor", arena_printf(v->scratch, "%.*s-%zu", STR_ARG(anchor), number));
    json_put_str(o, "title", graph_title(v->scratch, g));
    json_put(o, "subgraph", page_text(v, g->subgraph));
    json_put(o, "before", anchor_or_null(v, g->before));
    json_put(o, "after", anchor_or_null(v, g->after));
    json_put(o, "code", anchor_or_null(v, g->code));
    json_put_str(o, "maps", maps);
    return o;
}

/* Graphs that the reader can follow, because their artifacts are in the page. */
static json_t *graph_items(const struct view *v, const struct compile *c, struct str anchor)
{
    json_t *list = json_new_array();
    struct graphs graphs = {0};

    if (view_shown(v, c) == SHOWN_DETAILED)
        graphs_find(v->scratch, c, &graphs);
    for (size_t i = 0; i < graphs.list.n && i < GRAPHS_SHOWN; i++)
        json_push(list, graph_item(v, &graphs.list.v[i], anchor, i));
    return list;
}

json_t *page_code(const struct view *v, const struct compile *c)
{
    struct str anchor = arena_printf(v->scratch, "g%.*s", STR_ARG(str_skip(page_anchor(v->scratch, c), 1)));
    json_t *o = page_link(v, c), *rows = json_new_array(), *codes = json_new_array();
    const struct kernels *kernels = kernels_of(v->kernels, c, v->scratch);

    for (size_t i = 0; i < c->artifacts.n && json_array_size(codes) < CODES_SHOWN; i++)
        if (is_code(c->artifacts.v[i]))
            json_push(codes, page_payload(v, c->artifacts.v[i]));
    for (size_t i = 0; i < kernels->list.n && i < KERNELS_SHOWN; i++)
        json_push(rows, kernel_row(v, &kernels->list.v[i]));
    json_put_str(o, "anchor", anchor);
    json_put(o, "frame", c->frame ? json_of_str(format_frame(v->scratch, c->frame)) : json_null());
    json_put_str(o, "count", format_counted(v->scratch, kernels->list.n, "kernel", "kernels"));
    json_put_bool(o, "any", kernels->list.n > 0);
    put_columns(o, kernels);
    json_put(o, "codes", codes);
    json_put(o, "graphs", graph_items(v, c, anchor));
    json_put(o, "kernels", rows);
    return o;
}
