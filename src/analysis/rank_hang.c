#include "analysis/rank_hang.h"

#include "analysis/ranks.h"

/* The default group, of all ranks, is the first that is made (torch/distributed/distributed_c10d.py). */
#define DEFAULT_GROUP STR("0")

enum { COLUMNS_LOOKED_AT = 64 };

/* A collective of a rank, and where it stands. */
struct step {
    const struct collective_call *call;
    const struct rank_row *row;
    const struct compile *compile;
};

struct steps {
    VEC(struct step) list;
    struct map groups; /* names of the process groups */
};

struct walker {
    struct arena *arena;
    struct signer *signer;
    struct map schedules; /* compile -> struct schedule */
};

static const struct schedule *schedule_in(struct walker *w, const struct compile *c)
{
    void **slot = map_at_copy(&w->schedules, MAP_KEY(c));

    if (!*slot) {
        *slot = ARENA_NEW(w->arena, struct schedule);
        schedule_of(w->arena, w->signer, c, *slot);
    }
    return *slot;
}

/* What a rank runs in a row: its compile, or the one before it of the same function when it did not compile again. */
static const struct rank_cell *cell_run(const struct rank_row *row, const struct rank_member *m)
{
    const struct rank_cell *cell = rank_cell_of(row, m);

    while (!cell && row->before) {
        row = row->before;
        cell = rank_cell_of(row, m);
    }
    return cell;
}

/*
 * The steps of a member. Where its collectives are those of `like`, as far as the trace tells (a cache leaves artifacts
 * out), the code of that one is looked at.
 */
static void walk(struct walker *w, const struct rank_run *run, const struct rank_member *m,
                 const struct rank_member *like, struct steps *out)
{
    map_init(&out->groups, w->arena);
    for (const struct rank_row *row = run->set.first; row; row = row->next) {
        const struct rank_cell *cell = cell_run(row, m), *same = cell_run(row, like);
        const struct schedule *schedule;

        if (cell && same && cell->row == same->row &&
            cell->sign.facets[FACET_COLLECTIVES] == same->sign.facets[FACET_COLLECTIVES])
            cell = same;
        schedule = cell ? schedule_in(w, cell->compile) : NULL;
        for (size_t i = 0; schedule && i < schedule->list.n; i++) {
            vec_push(w->arena, &out->list, ((struct step){&schedule->list.v[i], row, cell->compile}));
            *map_at(&out->groups, schedule->list.v[i].group) = out;
        }
    }
}

/* The next step of a group; NULL when there is none. */
static const struct step *next_of(const struct steps *s, struct str group, size_t *at)
{
    while (*at < s->list.n && !str_eq(s->list.v[*at].call->group, group))
        ++*at;
    return *at < s->list.n ? &s->list.v[(*at)++] : NULL;
}

/* The first place at which two ranks do different things in a group. False: there is none. */
static bool first_mismatch(const struct steps *a, const struct steps *b, struct str group, const struct step **of_a,
                           const struct step **of_b, uint64_t *before)
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

/* Ranks of a mesh use groups of equal names that are not the same group: only equal sets of names are comparable. */
static bool same_groups(const struct steps *a, const struct steps *b)
{
    for (size_t i = 0; i < a->groups.n; i++)
        if (!map_get(&b->groups, a->groups.entries[i].key))
            return false;
    return a->groups.n == b->groups.n;
}

static void set_side(struct walker *w, struct hang_side *side, const struct step *step,
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
    const struct rank_cell *cell = row ? cell_run(row, m) : NULL;

    return cell && (cell->compile->breaks.n || cell->compile->failures.n || cell->compile->limit_hit);
}

/* A column of ranks as it is compared with the first one. */
struct comparison {
    const struct rank_run *run;
    size_t column;
    const struct steps *most, *other;
    struct hang *found;
    uint32_t position; /* of the row in which it was found */
};

static struct hang *new_hang(struct walker *w, const struct comparison *c, const struct step *most,
                             const struct step *other, uint64_t before)
{
    const struct rank_column *columns = c->run->columns.v;
    const struct rank_row *row = most ? most->row : other->row;
    struct hang *h = ARENA_NEW(w->arena, struct hang);

    h->before = before;
    set_side(w, &h->most, most, &columns[0]);
    set_side(w, &h->other, other, &columns[c->column]);
    h->certain = !may_run_eagerly(row, columns[0].member) && !may_run_eagerly(row, columns[c->column].member);
    return h;
}

/* Keeps what comes earliest. */
static void compare_group(struct walker *w, struct comparison *c, struct str group)
{
    const struct step *most, *other, *earlier;
    uint64_t before;

    if (!first_mismatch(c->most, c->other, group, &most, &other, &before))
        return;
    earlier = most ? most : other;
    if (c->found && earlier->row->position >= c->position)
        return;
    c->found = new_hang(w, c, most, other, before);
    c->position = earlier->row->position;
}

const struct hang *hang_find(struct arena *a, struct signer *s, const struct rank_run *run)
{
    struct walker w = {.arena = a, .signer = s};
    struct steps most = {0};
    struct comparison c = {.run = run, .most = &most};

    if (run->columns.n < 2)
        return NULL;
    map_init(&w.schedules, a);
    walk(&w, run, run->columns.v[0].member, run->columns.v[0].member, &most);
    for (c.column = 1; c.column < run->columns.n && c.column < COLUMNS_LOOKED_AT; c.column++) {
        struct steps other = {0};

        walk(&w, run, run->columns.v[c.column].member, run->columns.v[0].member, &other);
        c.other = &other;
        compare_group(&w, &c, DEFAULT_GROUP);
        for (size_t g = 0; g < most.groups.n && same_groups(&most, &other); g++)
            compare_group(&w, &c, most.groups.entries[g].key);
    }
    return c.found;
}

uint64_t world_size_of(struct arena *a, struct signer *s, const struct rank_run *run)
{
    struct walker w = {.arena = a, .signer = s};
    struct steps steps = {0};

    if (run->columns.n == 0)
        return 0;
    map_init(&w.schedules, a);
    walk(&w, run, run->columns.v[0].member, run->columns.v[0].member, &steps);
    for (size_t i = 0; i < steps.list.n; i++)
        if (str_eq(steps.list.v[i].call->group, DEFAULT_GROUP) && steps.list.v[i].call->group_size)
            return steps.list.v[i].call->group_size;
    return 0;
}
