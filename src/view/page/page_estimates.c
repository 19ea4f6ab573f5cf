/* Inductor's estimates of how long the graphs of a compile run. */
#include "analysis/code/estimates.h"
#include "view/format.h"
#include "view/page.h"
#include "view/page_objects.h"

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

struct operator_share {
    const struct op_estimate *op;
    int64_t of_ns;
};

/* Of the graph, in percent. */
static struct str share_of(const struct view *v, const struct operator_share *x)
{
    return arena_printf(v->scratch, "%d", x->of_ns ? (int)((double)x->op->ns * 100 / (double)x->of_ns + 0.5) : 0);
}

static json_t *slowest_ops(const struct view *v, const struct op_estimates *g)
{
    const struct op_estimate **sorted = ARENA_ARRAY(v->scratch, const struct op_estimate *, g->ops.n + 1);
    json_t *rows = json_new_array();

    for (size_t i = 0; i < g->ops.n; i++)
        sorted[i] = &g->ops.v[i];
    qsort(sorted, g->ops.n, sizeof *sorted, slowest_first);
    for (size_t i = 0; i < g->ops.n && i < OPS_SHOWN && sorted[i]->ns > 0; i++)
        json_push(rows, page_operator(v, &(struct operator_share){sorted[i], g->ns}));
    return rows;
}

static int64_t sum_of(const struct op_estimate_list *all)
{
    int64_t sum = 0;

    vec_each(const struct op_estimates, g, &all->graphs) sum += sum < ESTIMATE_NS_MAX ? g->ns : 0;
    return sum;
}

json_t *page_estimates_of(const struct view *v, const struct compile *c)
{
    struct op_estimate_list all;

    estimates_of_compile(v->scratch, c, &all);
    return page_estimates(v, all.graphs.n ? &all : NULL);
}

#include "view/page_rows.h"

#include "view/sections/estimates.def"
