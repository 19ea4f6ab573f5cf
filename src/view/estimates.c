#include "view/estimates.h"

#include "text/graphs/estimated_ops.h"
#include "view/format.h"
#include "view/page.h"

#include <stdlib.h>

enum { PAYLOAD_MAX = 16 << 20, OPS_SHOWN = 20 };

#define NS_MAX (1ll << 60)

static void read_graph(struct arena *a, const struct artifact *artifact, struct str text, struct view_estimates *out)
{
    struct str ops = estimated_ops(text);
    struct estimated_op op;

    out->artifact = artifact;
    while (estimated_op_next(&ops, &op)) {
        out->count++;
        out->ns += out->ns < NS_MAX ? op.ns : 0;
        if (out->ops.n < ESTIMATED_OPS_MAX)
            vec_push(a, &out->ops, ((struct view_estimate){arena_str(a, op.name), arena_str(a, op.type), op.ns}));
    }
}

void estimates_of_compile(struct arena *a, const struct compile *c, struct view_estimate_list *out)
{
    struct buf text = {0};

    *out = (struct view_estimate_list){0};
    for (size_t i = 0; i < c->artifacts.n && out->graphs.n < ESTIMATED_GRAPHS_MAX; i++) {
        if (!str_eq(c->artifacts.v[i]->name, STR("inductor_runtime_and_tensor_meta")))
            continue;
        text.n = 0;
        if (artifact_read(c->artifacts.v[i], PAYLOAD_MAX, &text))
            read_graph(a, c->artifacts.v[i], buf_view(&text), vec_add(a, &out->graphs));
    }
    buf_free(&text);
}

static json_t *ops_fact(const struct view_estimates *g)
{
    json_t *list = json_new_array();

    vec_each(const struct view_estimate, e, &g->ops)
    {
        json_t *o = json_new_object();

        json_put(o, "name", view_text(e->name));
        json_put(o, "type", view_text(e->type));
        json_put_i64(o, "ns", e->ns);
        json_push(list, o);
    }
    return list;
}

json_t *fact_estimates(const struct view *v, const struct compile *c)
{
    json_t *list = json_new_array();
    struct view_estimate_list all;

    estimates_of_compile(v->scratch, c, &all);
    vec_each(const struct view_estimates, g, &all.graphs)
    {
        json_t *o = json_new_object();

        json_put_i64(o, "record_line", (int64_t)g->artifact->line);
        json_put_i64(o, "ns", g->ns);
        json_put_i64(o, "count", (int64_t)g->count);
        json_put(o, "operators", ops_fact(g));
        json_push(list, o);
    }
    return list;
}

static int slowest_first(const void *pa, const void *pb)
{
    const struct view_estimate *a = *(const struct view_estimate *const *)pa;
    const struct view_estimate *b = *(const struct view_estimate *const *)pb;

    if (a->ns != b->ns)
        return a->ns > b->ns ? -1 : 1;
    return (a > b) - (a < b); /* their order in the graph */
}

static json_t *slowest_ops(const struct view *v, const struct view_estimates *g)
{
    const struct view_estimate **sorted = ARENA_ARRAY(v->scratch, const struct view_estimate *, g->ops.n + 1);
    json_t *rows = json_new_array();
    char share[8];

    for (size_t i = 0; i < g->ops.n; i++)
        sorted[i] = &g->ops.v[i];
    qsort(sorted, g->ops.n, sizeof *sorted, slowest_first);
    for (size_t i = 0; i < g->ops.n && i < OPS_SHOWN && sorted[i]->ns > 0; i++) {
        json_t *o = json_new_object();

        snprintf(share, sizeof share, "%d", g->ns ? (int)((double)sorted[i]->ns * 100 / (double)g->ns + 0.5) : 0);
        json_put(o, "name", page_text(v, sorted[i]->name));
        json_put(o, "type", page_text(v, sorted[i]->type));
        json_put_str(o, "time", format_duration_ns(v->scratch, sorted[i]->ns));
        json_put_str(o, "share", str_of(share));
        json_push(rows, o);
    }
    return rows;
}

json_t *page_estimates(const struct view *v, const struct compile *c)
{
    json_t *o, *graphs = json_new_array();
    struct view_estimate_list all;
    int64_t sum = 0;

    estimates_of_compile(v->scratch, c, &all);
    vec_each(const struct view_estimates, g, &all.graphs)
    {
        o = json_new_object();
        sum += sum < NS_MAX ? g->ns : 0;
        json_put_str(o, "from", page_artifact_anchor(v->scratch, g->artifact));
        json_put_str(o, "count", format_counted(v->scratch, g->count, "operator", "operators"));
        json_put_str(o, "time", format_duration_ns(v->scratch, g->ns));
        json_put(o, "rows", slowest_ops(v, g));
        json_push(graphs, o);
    }
    if (all.graphs.n == 0) {
        json_decref(graphs);
        return json_null();
    }
    o = json_new_object();
    json_put_str(o, "time", format_duration_ns(v->scratch, sum));
    json_put(o, "graphs", graphs);
    return o;
}
