/* Collectives of ranks next to each other, in the section on ranks. */
#include "view/page.h"
#include "view/page_objects.h"

#include "view/format.h"

enum {
    PAGE_DIFF_ROWS_MAX = 200, /* of one difference */
    PAGE_DIFF_OPEN_ROWS = 8   /* longer ones are folded */
};

/* The state while one difference is written. */
struct schedule_table {
    const struct view *v;
    json_t *rows;
    size_t n, hidden;
};

static json_t *call_of(const struct view *v, const struct rank_step *s)
{
    json_t *o;

    if (!s)
        return json_null();
    o = json_new_object();
    json_put(o, "words", page_words(collective_words(v->scratch, s->call)));
    json_put(o, "link", page_link(v, s->compile));
    json_put(o, "place", page_place(v, s->call->file, s->call->line));
    return o;
}

static void add_row(struct schedule_table *t, json_t *row)
{
    if (t->n++ < PAGE_DIFF_ROWS_MAX) {
        json_push(t->rows, row);
        return;
    }
    t->hidden++;
    json_decref(row);
}

/* "3 equal calls"; `first` is where both meet again, NULL at the beginning. */
static void add_equal(struct schedule_table *t, uint64_t n, const struct rank_step *first)
{
    json_t *o;

    if (n == 0)
        return;
    o = json_new_object();
    json_put_str(o, "equal", format_counted(t->v->scratch, n, "equal call", "equal calls"));
    json_put(o, "first", first ? page_words(collective_words(t->v->scratch, first->call)) : json_null());
    add_row(t, o);
}

static void add_calls(struct schedule_table *t, const struct rank_step *most, const struct rank_step *other)
{
    json_t *o = json_new_object();

    json_put(o, "equal", json_null());
    json_put(o, "most", call_of(t->v, most));
    json_put(o, "other", call_of(t->v, other));
    add_row(t, o);
}

static void add_hunk(struct schedule_table *t, const struct diff_hunk *h, const struct diff_hunk *before)
{
    size_t n = h->majority.n > h->minority.n ? h->majority.n : h->minority.n;

    add_equal(t, h->equal, before ? before->meets : NULL);
    for (size_t i = 0; i < n; i++)
        if (t->n < PAGE_DIFF_ROWS_MAX)
            add_calls(t, i < h->majority.n ? h->majority.v[i] : NULL, i < h->minority.n ? h->minority.v[i] : NULL);
        else
            t->hidden++;
}

static uint64_t calls_of(const struct schedule_diff *d, bool most)
{
    uint64_t n = 0;

    vec_each(const struct diff_hunk, h, &d->hunks) n += most ? h->majority.n : h->minority.n;
    return n;
}

static json_t *diff_of(const struct view *v, const struct schedule_diff *d)
{
    json_t *o = json_new_object();
    struct schedule_table t = {.v = v, .rows = json_new_array()};

    for (size_t i = 0; i < d->hunks.n; i++)
        add_hunk(&t, &d->hunks.v[i], i ? &d->hunks.v[i - 1] : NULL);
    add_equal(&t, d->equal_after, d->hunks.n ? d->hunks.v[d->hunks.n - 1].meets : NULL);
    json_put_str(o, "most", rank_list_words(v->scratch, d->majority.v, d->majority.n));
    json_put_str(o, "other", rank_list_words(v->scratch, d->minority.v, d->minority.n));
    json_put_str(o, "only_most", format_count(v->scratch, calls_of(d, true)));
    json_put_str(o, "only_other", format_count(v->scratch, calls_of(d, false)));
    json_put_str(o, "equal_calls", format_counted(v->scratch, d->equal, "call", "calls"));
    json_put_bool(o, "coarse", d->coarse);
    json_put_bool(o, "short", t.n <= PAGE_DIFF_OPEN_ROWS);
    json_put(o, "rows", t.rows);
    json_put(o, "hidden", t.hidden ? json_of_str(format_count(v->scratch, t.hidden)) : json_null());
    return o;
}

json_t *page_schedules(const struct view *v, const struct rank_run *run)
{
    json_t *list = json_new_array();

    vec_each(const struct schedule_diff, d, &run->schedules.list) json_push(list, diff_of(v, d));
    return list;
}
