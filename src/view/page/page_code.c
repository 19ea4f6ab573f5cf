/* Generated code: for each compile its output codes, its kernels, and its graphs with the links between them. */
#include "view/page.h"
#include "view/page_objects.h"

#include "view/format.h"
#include "analysis/code/graphs.h"
#include "analysis/code/kernels.h"

enum { NODES_SHOWN = 12, PLACES_SHOWN = 6, CODES_SHOWN = 50, KERNELS_SHOWN = 1000, GRAPHS_SHOWN = 200 };

static json_t *first_texts(const struct str *list, size_t n)
{
    return json_of_texts(list, n < NODES_SHOWN ? n : NODES_SHOWN);
}

/* Which columns of the table have contents. */
struct kernel_columns {
    bool nodes, places, sizes, calls, graphs, times;
};

static struct kernel_columns columns_of(const struct kernels *kernels)
{
    struct kernel_columns any = {.nodes = false};

    vec_each(const struct kernel, k, &kernels->list)
    {
        any.nodes |= k->nodes.n > 0;
        any.places |= k->places.n > 0;
        any.sizes |= k->sizes.n > 0;
        any.calls |= k->calls >= 0;
        any.graphs |= k->graphs.n > 0;
        any.times |= k->compile_us >= 0;
    }
    return any;
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

struct graph_item {
    const struct graph *graph;
    struct str anchor; /* of all graphs of the compile */
    size_t number;
};

static struct str graphs_anchor(const struct view *v, const struct compile *c)
{
    return arena_printf(v->scratch, "g%.*s", STR_ARG(str_skip(page_anchor(v->scratch, c), 1)));
}

static struct str maps_of(const struct view *v, const struct graph *g)
{
    enum { MAPS_SHOWN = 8 };
    struct str maps = {"", 0};

    for (size_t i = 0; i < g->maps.n && i < MAPS_SHOWN; i++)
        maps = arena_printf(v->scratch, "%.*s%s%.*s", STR_ARG(maps), i ? " " : "",
                            STR_ARG(page_artifact_anchor(v->scratch, g->maps.v[i])));
    return maps;
}

static json_t *graph_items(const struct view *v, const struct compile *c, struct str anchor)
{
    json_t *list = json_new_array();
    struct graphs graphs = {0};

    if (view_shown(v, c) == SHOWN_DETAILED)
        graphs_find(v->scratch, c, &graphs);
    for (size_t i = 0; i < graphs.list.n && i < GRAPHS_SHOWN; i++)
        json_push(list, page_graph(v, &(struct graph_item){&graphs.list.v[i], anchor, i}));
    return list;
}

static json_t *codes_of(const struct view *v, const struct compile *c)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < c->artifacts.n && json_array_size(list) < CODES_SHOWN; i++)
        if (is_code(c->artifacts.v[i]))
            json_push(list, page_payload(v, c->artifacts.v[i]));
    return list;
}

#include "view/page_rows.h"

#include "view/sections/code.def"
