#include "ranks/compare/estimates.h"

#include "util/number.h"

#include <stdlib.h>

/* The estimates of all ranks for one graph. */
struct estimate_sums {
    VEC(int64_t) ns;
    VEC(const struct rank_cell *) cells;
};

static int64_t median_of(int64_t *v, size_t n)
{
    qsort(v, n, sizeof *v, number_by_value);
    return v[(n - 1) / 2];
}

static void add_estimate(struct arena *a, struct estimate_sums *sums, uint32_t graph, struct estimates *out)
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

/* The graphs of a compile are matched by index, because each rank compiles them in the same order. */
static void add_row(struct arena *a, struct contents *contents, const struct rank_row *row, struct estimates *out)
{
    VEC(struct estimate_sums) graphs = {0};

    for (size_t i = 0; i < row->cells.n; i++) {
        const struct compile *c = row->cells.v[i]->compile;
        size_t number = 0;

        for (size_t k = 0; k < c->artifacts.n; k++) {
            int64_t sum = contents_estimate(contents, c->artifacts.v[k]);

            if (sum < 0)
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

void estimates_find(struct arena *a, struct contents *contents, const struct rank_matrix *matrix, struct estimates *out)
{
    *out = (struct estimates){0};
    for (const struct rank_row *row = matrix->first; row; row = row->next)
        add_row(a, contents, row, out);
    if (out->list.n)
        qsort(out->list.v, out->list.n, sizeof *out->list.v, by_difference);
}
