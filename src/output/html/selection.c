#include "output/html/selection.h"

#include "util/mem.h"
#include "view/page.h"

#include <stdlib.h>

/* The number of compiles listed in even the smallest page. */
enum { LISTED_LEAST = 100 };

struct detail_candidate {
    const struct compile *compile;
    bool same;       /* the same as an earlier rank's */
    size_t position; /* in the walk over all compiles */
    int64_t weight;
};

static int by_weight(const void *pa, const void *pb)
{
    const struct detail_candidate *a = pa, *b = pb;

    if (a->same != b->same)
        return a->same ? 1 : -1;
    if (a->weight != b->weight)
        return a->weight < b->weight ? 1 : -1;
    return a->position < b->position ? -1 : 1;
}

bool selection_wants(const struct compile *c)
{
    return c->frame || c->artifacts.n || c->metrics.n;
}

struct detail_candidates {
    struct detail_candidate *v;
    size_t n;
};

static struct detail_candidates collect(const struct run *run, const struct ranks *ranks)
{
    struct detail_candidates list = {0};
    const struct compile *c;
    size_t n = 0;

    for (struct compile_walk w = {.run = run}; compile_next(&w);)
        n++;
    list.v = xcalloc(n, sizeof *list.v);
    for (struct compile_walk w = {.run = run}; (c = compile_next(&w));)
        if (selection_wants(c)) {
            list.v[list.n] = (struct detail_candidate){c, rank_same_as(ranks, c), list.n, page_compile_weight(c)};
            list.n++;
        }
    qsort(list.v, list.n, sizeof *list.v, by_weight);
    return list;
}

struct shown_compiles *selection_make(struct arena *a, const struct run *run, const struct ranks *ranks,
                                      uint64_t budget, uint64_t same)
{
    struct shown_compiles *out = ARENA_NEW(a, struct shown_compiles);
    struct detail_candidates list = collect(run, ranks);
    size_t listed = budget / 4 * 3 / SELECTION_ROW_BYTES + LISTED_LEAST;

    out->processes = ARENA_ARRAY(a, uint8_t *, run->processes.n);
    for (size_t i = 0; i < run->processes.n; i++)
        out->processes[i] = ARENA_ARRAY(a, uint8_t, run->processes.v[i]->compiles.n + 1);
    listed = listed < list.n ? listed : list.n;
    out->hidden = list.n - listed;
    budget -= budget < listed * SELECTION_ROW_BYTES ? budget : listed * SELECTION_ROW_BYTES;
    for (size_t i = 0; i < listed; i++) {
        uint64_t size = page_compile_size(list.v[i].compile);
        bool fits;

        if (list.v[i].same && budget > same)
            budget = same;
        fits = size <= budget;
        *view_shown_slot(out, list.v[i].compile) = fits ? SHOWN_DETAILED : SHOWN_LISTED;
        budget -= fits ? size : 0;
    }
    free(list.v);
    return out;
}
