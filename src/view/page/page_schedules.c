/* Collectives of ranks next to each other, in the section on ranks. */
#include "view/page.h"
#include "view/page_objects.h"

#include "view/format.h"

enum {
    PAGE_DIFF_ROWS_MAX = 200, /* of one difference */
    PAGE_DIFF_OPEN_ROWS = 8   /* longer ones are folded */
};

struct schedule_row {
    uint64_t equal;
    const struct rank_step *first; /* of the equal calls, where both meet again; NULL at the beginning */
    const struct rank_step *most, *other;
};

struct schedule_table {
    struct arena *arena;
    VEC(struct schedule_row) rows;
    size_t hidden;
};

static void add_row(struct schedule_table *t, struct schedule_row row)
{
    if (t->rows.n < PAGE_DIFF_ROWS_MAX)
        vec_push(t->arena, &t->rows, row);
    else
        t->hidden++;
}

static void add_equal(struct schedule_table *t, uint64_t n, const struct diff_hunk *before)
{
    if (n)
        add_row(t, (struct schedule_row){.equal = n, .first = before ? before->meets : NULL});
}

static void add_hunk(struct schedule_table *t, const struct diff_hunk *h, const struct diff_hunk *before)
{
    size_t n = h->majority.n > h->minority.n ? h->majority.n : h->minority.n;

    add_equal(t, h->equal, before);
    for (size_t i = 0; i < n; i++)
        add_row(t, (struct schedule_row){.most = i < h->majority.n ? h->majority.v[i] : NULL,
                                         .other = i < h->minority.n ? h->minority.v[i] : NULL});
}

static struct schedule_table table_of(const struct view *v, const struct schedule_diff *d)
{
    struct schedule_table t = {.arena = v->scratch};

    for (size_t i = 0; i < d->hunks.n; i++)
        add_hunk(&t, &d->hunks.v[i], i ? &d->hunks.v[i - 1] : NULL);
    add_equal(&t, d->equal_after, d->hunks.n ? &d->hunks.v[d->hunks.n - 1] : NULL);
    return t;
}

static uint64_t calls_of(const struct schedule_diff *d, bool most)
{
    uint64_t n = 0;

    vec_each(const struct diff_hunk, h, &d->hunks) n += most ? h->majority.n : h->minority.n;
    return n;
}

#include "view/page_rows.h"

#include "view/sections/schedules.def"
