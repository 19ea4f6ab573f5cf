#include "ranks/hang.h"

enum { COLUMNS_LOOKED_AT = 64 };

/* The next step of a group; NULL when there is none. */
static const struct rank_step *next_of(const struct rank_steps *s, struct str group, size_t *at)
{
    while (*at < s->list.n && !str_eq(s->list.v[*at].call->group, group))
        ++*at;
    return *at < s->list.n ? &s->list.v[(*at)++] : NULL;
}

/* The first place at which two ranks do different things in a group. False: there is none. */
static bool first_mismatch(const struct rank_steps *a, const struct rank_steps *b, struct str group,
                           const struct rank_step **of_a, const struct rank_step **of_b, uint64_t *before)
{
    size_t at_a = 0, at_b = 0;

    for (*before = 0;; ++*before) {
        *of_a = next_of(a, group, &at_a);
        *of_b = next_of(b, group, &at_b);
        if (!*of_a && !*of_b)
            return false;
        if (!*of_a || !*of_b || !same_collective((*of_a)->call, (*of_b)->call))
            return true;
    }
}

static void set_side(struct walker *w, struct hang_side *side, const struct rank_step *step,
                     const struct rank_column *column)
{
    if (step) {
        side->call = *step->call;
        side->compile = step->compile;
    }
    for (size_t i = 0; i < column->ranks.n; i++)
        vec_push(w->arena, &side->ranks, column->ranks.v[i]);
}

/* Whether a rank may run something outside of compiled code in a row: after a break, or a failure. */
static bool may_run_eagerly(const struct rank_row *row, const struct rank_member *m)
{
    const struct rank_cell *cell = row ? steps_cell(row, m) : NULL;

    return cell && (cell->compile->breaks.n || cell->compile->failures.n || cell->compile->limit_hit);
}

/* A column of ranks as it is compared with the first one. */
struct comparison {
    const struct rank_run *run;
    size_t column;
    const struct rank_steps *most, *other;
    struct hang *found;
    uint32_t position; /* of the row in which it was found */
};

static struct hang *new_hang(struct walker *w, const struct comparison *c, const struct rank_step *most,
                             const struct rank_step *other, uint64_t before)
{
    const struct rank_column *columns = c->run->columns.v;
    const struct rank_row *row = most ? most->row : other->row;
    struct hang *h = ARENA_NEW(w->arena, struct hang);

    h->before = before;
    set_side(w, &h->majority, most, &columns[0]);
    set_side(w, &h->minority, other, &columns[c->column]);
    h->certain = !may_run_eagerly(row, columns[0].member) && !may_run_eagerly(row, columns[c->column].member);
    return h;
}

/* Keeps what comes earliest. */
static void compare_group(struct walker *w, struct comparison *c, struct str group)
{
    const struct rank_step *most, *other, *earlier;
    uint64_t before;

    if (!first_mismatch(c->most, c->other, group, &most, &other, &before))
        return;
    earlier = most ? most : other;
    if (c->found && earlier->row->position >= c->position)
        return;
    c->found = new_hang(w, c, most, other, before);
    c->position = earlier->row->position;
}

const struct hang *hang_find(struct arena *a, struct fingerprinter *s, const struct rank_run *run)
{
    struct walker w;
    struct rank_steps most = {0};
    struct comparison c = {.run = run, .most = &most};

    if (run->columns.n < 2)
        return NULL;
    walker_init(&w, a, s);
    steps_walk(&w, run, run->columns.v[0].member, run->columns.v[0].member, &most);
    for (c.column = 1; c.column < run->columns.n && c.column < COLUMNS_LOOKED_AT; c.column++) {
        struct rank_steps other = {0};

        steps_walk(&w, run, run->columns.v[c.column].member, run->columns.v[0].member, &other);
        c.other = &other;
        compare_group(&w, &c, DEFAULT_GROUP);
        for (size_t g = 0; g < most.groups.n && steps_same_groups(&most, &other); g++)
            compare_group(&w, &c, most.groups.entries[g].key);
    }
    return c.found;
}
