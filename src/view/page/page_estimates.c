/* Inductor's estimates of how long the graphs of a compile run. */
#include "analysis/code/estimates.h"
#include "view/format.h"
#include "view/page.h"

#include <stdlib.h>

enum { OPS_SHOWN = 20 };

static int slowest_first(const void *pa, const void *pb)
{
    const struct op_estimate *a = *(const struct op_estimate *const *)pa;
    const struct op_estimate *b = *(const struct op_estimate *const *)pb;

    if (a->ns != b->ns)
        return a->ns > b->ns ? -1 : 1;
    return (a > b) - (a < b); /* in the order of the graph */
}

static json_t *slowest_ops(const struct view *v, const struct op_estimates *g)
{
    const struct op_estimate **sorted = ARENA_ARRAY(v->scratch, const struct op_estimate *, g->ops.n + 1);
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
    struct op_estimate_list all;
    int64_t sum = 0;

    estimates_of_compile(v->scratch, c, &all);
    vec_each(const struct op_estimates, g, &all.graphs)
    {
        o = json_new_object();
        sum += sum < ESTIMATE_NS_MAX ? g->ns : 0;
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
