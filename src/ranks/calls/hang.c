#include "ranks/calls/hang.h"

/* --- two ranks ---------------------------------------------------------------------------------------------------- */

/* The next step in a group; NULL if there is none. */
static const struct rank_step *next_of(const struct rank_steps *s, struct str group, size_t *at)
{
    while (*at < s->list.n && !str_eq(s->list.v[*at].call->group, group))
        ++*at;
    return *at < s->list.n ? &s->list.v[(*at)++] : NULL;
}

/* Takes the next dimension off "[4, s27]". False at the end. */
static bool next_dimension(struct str *shape, struct str *out)
{
    while (shape->n && (*shape->p == '[' || *shape->p == ' ' || *shape->p == ']'))
        *shape = str_skip(*shape, 1);
    *out = str_trim(str_split(shape, ','));
    while (out->n && out->p[out->n - 1] == ']')
        out->n--;
    return out->n > 0;
}

/* A dynamic size may be any number. */
static bool is_number(struct str dimension)
{
    for (size_t i = 0; i < dimension.n; i++)
        if (dimension.p[i] < '0' || dimension.p[i] > '9')
            return false;
    return true;
}

static bool shapes_may_match(struct str a, struct str b)
{
    struct str of_a, of_b;

    for (;;) {
        bool more_a = next_dimension(&a, &of_a), more_b = next_dimension(&b, &of_b);

        if (!more_a || !more_b)
            return more_a == more_b;
        if (!str_eq(of_a, of_b) && is_number(of_a) && is_number(of_b))
            return false;
    }
}

/* Ranks only hang in calls that certainly differ. */
static bool may_be_same(const struct collective_call *a, const struct collective_call *b)
{
    struct collective_call like = *b;

    if (shapes_may_match(a->shape, b->shape))
        like.shape = a->shape;
    return same_collective(a, &like);
}

/* The first mismatch in one group. Whatever follows the end of a truncated list is unknown. */
static bool mismatch_in(const struct rank_steps *a, const struct rank_steps *b, struct str group,
                        struct hang_place *out)
{
    size_t at_a = 0, at_b = 0;

    for (out->before = 0;; out->before++) {
        out->a = next_of(a, group, &at_a);
        out->b = next_of(b, group, &at_b);
        if ((!out->a && (!out->b || a->cut)) || (!out->b && b->cut))
            return false;
        if (!out->a || !out->b || !may_be_same(out->a->call, out->b->call))
            return true;
    }
}

/* How many steps a rank has made there. */
static size_t position_of(const struct rank_steps *a, const struct rank_steps *b, const struct hang_place *place)
{
    return (size_t)(place->a ? place->a - a->list.v : place->b - b->list.v);
}

bool hang_between(const struct rank_steps *a, const struct rank_steps *b, struct hang_place *out)
{
    bool all = steps_same_groups(a, b), found = mismatch_in(a, b, DEFAULT_GROUP, out);

    for (size_t i = 0; all && i < a->groups.n; i++) {
        struct hang_place place;

        if (!mismatch_in(a, b, a->groups.entries[i].key, &place) ||
            (found && position_of(a, b, &place) >= position_of(a, b, out)))
            continue;
        *out = place;
        found = true;
    }
    return found;
}

/* --- all columns -------------------------------------------------------------------------------------------------- */

static void set_side(struct arena *a, struct hang_side *side, const struct rank_step *step,
                     const struct rank_column *column)
{
    if (step) {
        side->call = *step->call;
        side->compile = step->compile;
    }
    for (size_t i = 0; i < column->ranks.n; i++)
        vec_push(a, &side->ranks, column->ranks.v[i]);
}

/* Whether a rank may run something outside compiled code in a row, because of a break or a failure. */
static bool may_run_eagerly(const struct rank_row *row, const struct rank_member *m)
{
    const struct rank_cell *cell = steps_cell(row, m);

    return cell && (cell->compile->breaks.n || cell->compile->failures.n || cell->compile->limit_hit);
}

static struct hang *new_hang(struct arena *a, const struct rank_run *run, size_t column, const struct hang_place *place,
                             bool ran)
{
    const struct rank_column *majority = &run->columns.v[0], *minority = &run->columns.v[column];
    const struct rank_row *row = place->a ? place->a->row : place->b->row;
    struct hang *h = ARENA_NEW(a, struct hang);

    h->before = place->before;
    h->ran = ran;
    set_side(a, &h->majority, place->a, majority);
    set_side(a, &h->minority, place->b, minority);
    h->certain = !may_run_eagerly(row, majority->member) && !may_run_eagerly(row, minority->member);
    return h;
}

const struct hang *hang_find(struct arena *a, const struct rank_run *run, const struct column_steps *steps)
{
    struct hang *found = NULL;
    size_t earliest = 0;

    for (size_t i = 1; i < steps->list.n; i++) {
        struct hang_place place;
        size_t position;

        if (!hang_between(&steps->list.v[0], &steps->list.v[i], &place))
            continue;
        position = position_of(&steps->list.v[0], &steps->list.v[i], &place);
        if (found && position >= earliest)
            continue;
        found = new_hang(a, run, i, &place, steps->ran);
        earliest = position;
    }
    return found;
}

/* --- stages of a pipeline ----------------------------------------------------------------------------------------- */

/* All ranks that have it finished, and the other ranks do not have it. */
static bool is_of_a_stage(const struct rank_row *row, size_t members)
{
    for (size_t i = 0; i < row->cells.n; i++) {
        enum compile_status status = row->cells.v[i]->compile->status;

        if (status == STATUS_INCOMPLETE || status == STATUS_ERROR)
            return false;
    }
    return row->cells.n < members;
}

/* Some ranks lack a compile; those that have it did the same. */
static bool is_absence(enum divergence_kind k)
{
    return k == DIVERGENCE_MISSING || k == DIVERGENCE_RECOMPILE || k == DIVERGENCE_STOPPED;
}

bool ranks_are_stages(const struct rank_run *run, const struct column_steps *steps)
{
    for (size_t i = 0; i < steps->list.n; i++)
        if (steps->list.v[i].list.n)
            return false;
    for (size_t i = 0; i < run->divergences.n; i++)
        if (!is_absence(run->divergences.v[i]->kind))
            return false;
    for (size_t i = 0; i < run->matrix.members.n; i++)
        if (run->matrix.members.v[i]->cells.n == 0)
            return false;
    for (const struct rank_row *row = run->matrix.first; row; row = row->next)
        if (!is_of_a_stage(row, run->matrix.members.n))
            return false;
    return run->diverging == run->divergences.n && run->divergences.n > 0;
}
