#include "ranks/calls/schedule_diff.h"

#include "util/mem.h"

#include <stdlib.h>

/* --- two lists of numbers ----------------------------------------------------------------------------------------- */

/*
 * rows[d][d + k]: how far in a the furthest path with d differences reaches on diagonal k (index in a minus index in
 * b); -1 if there is none. All rows are kept to trace the path back.
 */
struct paths {
    const uint32_t *a, *b;
    ptrdiff_t n, m;
    ptrdiff_t *rows[DIFF_COST_MAX + 1];
};

static ptrdiff_t reached(const struct paths *p, int d, int k)
{
    return d >= 0 && k >= -d && k <= d ? p->rows[d][d + k] : -1;
}

/*
 * Where a path with d differences enters a diagonal: after an element of a that was deleted, or one of b that was
 * inserted.
 */
static ptrdiff_t entered(const struct paths *p, int d, int k, bool *left_out)
{
    ptrdiff_t of_a = reached(p, d - 1, k - 1), of_b = reached(p, d - 1, k + 1);

    if (d == 0) {
        *left_out = false;
        return 0;
    }
    of_a = of_a >= 0 && of_a < p->n ? of_a + 1 : -1;
    of_b = of_b >= 0 && of_b - (k + 1) < p->m ? of_b : -1;
    *left_out = of_a > of_b;
    return *left_out ? of_a : of_b;
}

static ptrdiff_t slide(const struct paths *p, ptrdiff_t x, int k)
{
    while (x >= 0 && x < p->n && x - k < p->m && p->a[x] == p->b[x - k])
        x++;
    return x;
}

/* The number of differences; -1 if it exceeds the limit. */
static int find_paths(struct paths *p)
{
    for (int d = 0; d <= DIFF_COST_MAX; d++) {
        p->rows[d] = xcalloc((size_t)(2 * d + 1), sizeof *p->rows[d]);
        for (int k = -d; k <= d; k++) {
            bool left_out;

            p->rows[d][d + k] = (d + k) % 2 ? -1 : slide(p, entered(p, d, k, &left_out), k);
            if (k == p->n - p->m && p->rows[d][d + k] == p->n)
                return d;
        }
    }
    return -1;
}

static void mark(const struct paths *p, int cost, bool *del, bool *ins)
{
    int k = (int)(p->n - p->m);

    for (int d = cost; d > 0; d--) {
        bool left_out;
        ptrdiff_t x = entered(p, d, k, &left_out);

        if (left_out)
            del[x - 1] = true;
        else
            ins[x - k - 1] = true;
        k += left_out ? -1 : 1;
    }
}

bool diff_numbers(const uint32_t *a, size_t n, const uint32_t *b, size_t m, bool *del, bool *ins)
{
    struct paths p = {0};
    size_t same = 0;
    int cost;

    while (same < n && same < m && a[same] == b[same])
        same++;
    while (n > same && m > same && a[n - 1] == b[m - 1]) {
        n--;
        m--;
    }
    if (n == same || m == same) {
        /* The rest is on one side; the other may not even be an array. */
        while (n > same)
            del[--n] = true;
        while (m > same)
            ins[--m] = true;
        return true;
    }
    p = (struct paths){.a = a + same, .b = b + same, .n = (ptrdiff_t)(n - same), .m = (ptrdiff_t)(m - same)};
    cost = find_paths(&p);
    if (cost >= 0) {
        mark(&p, cost, del + same, ins + same);
    } else {
        memset(del + same, true, n - same);
        memset(ins + same, true, m - same);
    }
    for (int d = 0; d <= DIFF_COST_MAX; d++)
        free(p.rows[d]);
    return cost >= 0;
}

/* --- schedules ---------------------------------------------------------------------------------------------------- */

/* The collectives of one group of ranks. */
struct step_sequence {
    const struct rank_steps *steps;
    uint32_t *numbers; /* one for each step: equal calls have equal numbers */
    VEC(int) ranks;
};

struct schedule_differ {
    struct arena *arena;
    struct map numbers; /* key of a call -> its number */
    struct buf key;
    VEC(struct step_sequence *) list; /* the distinct sequences */
};

/* Group names count if both sides use the same ones; otherwise the order in which groups are first used. */
static uint32_t number_of(struct schedule_differ *d, const struct rank_steps *steps, const struct rank_step *step,
                          bool by_name)
{
    const struct collective_call *c = step->call;
    uint64_t *slot;
    size_t group = 0;

    while (!by_name && !str_eq(steps->groups.entries[group].key, c->group))
        group++;
    d->key.n = 0;
    buf_printf(&d->key, "%.*s\n%.*s\n%.*s\n%.*s\n%llu\n", STR_ARG(c->op), STR_ARG(c->reduction), STR_ARG(c->dtype),
               STR_ARG(c->shape), (unsigned long long)c->group_size);
    if (by_name)
        buf_printf(&d->key, "%.*s", STR_ARG(c->group));
    else
        buf_printf(&d->key, "\n%zu", group);
    slot = map_number_at(&d->numbers, buf_view(&d->key));
    if (!*slot)
        *slot = d->numbers.n;
    return (uint32_t)*slot;
}

static void number_steps(struct schedule_differ *d, const struct rank_steps *steps, bool by_name, uint32_t *out)
{
    for (size_t i = 0; i < steps->list.n; i++)
        out[i] = number_of(d, steps, &steps->list.v[i], by_name);
}

static bool same_numbers(const struct step_sequence *a, const struct step_sequence *b)
{
    return a->steps->list.n == b->steps->list.n &&
           (a->steps->list.n == 0 || memcmp(a->numbers, b->numbers, a->steps->list.n * sizeof *a->numbers) == 0);
}

static void add_ranks(struct schedule_differ *d, struct step_sequence *q, const struct rank_column *column)
{
    for (size_t i = 0; i < column->ranks.n; i++)
        vec_push(d->arena, &q->ranks, column->ranks.v[i]);
}

/* Whether two ranks make the same calls, with groups in the order of their first use. */
static bool same_by_order(struct schedule_differ *d, const struct step_sequence *first, const struct step_sequence *q)
{
    uint32_t *numbers = ARENA_ARRAY(d->arena, uint32_t, first->steps->list.n + 1);

    number_steps(d, first->steps, false, numbers);
    return q->steps->list.n == first->steps->list.n &&
           memcmp(numbers, q->numbers, q->steps->list.n * sizeof *numbers) == 0;
}

/* The equal sequence that is already known; NULL if this one is new. */
static struct step_sequence *known_sequence(struct schedule_differ *d, const struct step_sequence *q, bool by_name)
{
    if (!by_name && same_by_order(d, d->list.v[0], q))
        return d->list.v[0];
    for (size_t i = 0; i < d->list.n; i++)
        if (same_numbers(d->list.v[i], q))
            return d->list.v[i];
    return NULL;
}

static void add_column(struct schedule_differ *d, const struct rank_column *column, const struct rank_steps *steps)
{
    struct step_sequence *q = ARENA_NEW(d->arena, struct step_sequence), *known;
    bool by_name = d->list.n == 0 || steps_same_groups(steps, d->list.v[0]->steps);

    q->steps = steps;
    q->numbers = ARENA_ARRAY(d->arena, uint32_t, steps->list.n + 1);
    number_steps(d, steps, by_name, q->numbers);
    known = known_sequence(d, q, by_name);
    if (!known)
        vec_push(d->arena, &d->list, q);
    add_ranks(d, known ? known : q, column);
}

/* Walks both lists with the marks and makes one hunk after another. */
static void make_hunks(struct arena *a, const struct rank_steps *most, const struct rank_steps *other, const bool *del,
                       const bool *ins, struct schedule_diff *out)
{
    size_t x = 0, y = 0, n = most->list.n, m = other->list.n;
    uint64_t equal = 0;

    while (x < n || y < m) {
        struct diff_hunk *h;

        if (x < n && y < m && !del[x] && !ins[y]) {
            x++;
            y++;
            equal++;
            out->equal++;
            continue;
        }
        h = vec_add(a, &out->hunks);
        h->equal = equal;
        equal = 0;
        for (; x < n && del[x]; x++)
            vec_push(a, &h->majority, &most->list.v[x]);
        for (; y < m && ins[y]; y++)
            vec_push(a, &h->minority, &other->list.v[y]);
        h->meets = x < n ? &most->list.v[x] : NULL;
    }
    out->equal_after = equal;
}

static void add_diff(struct schedule_differ *d, const struct step_sequence *most, const struct step_sequence *other,
                     struct schedule_diffs *out)
{
    struct schedule_diff *diff = vec_add(d->arena, &out->list);
    size_t n = most->steps->list.n, m = other->steps->list.n;
    bool *del = xcalloc(n + 1, sizeof *del), *ins = xcalloc(m + 1, sizeof *ins);
    bool by_name = steps_same_groups(most->steps, other->steps);
    uint32_t *numbers = most->numbers;

    if (!by_name) {
        numbers = ARENA_ARRAY(d->arena, uint32_t, n + 1);
        number_steps(d, most->steps, false, numbers);
    }
    diff->coarse = !diff_numbers(numbers, n, other->numbers, m, del, ins);
    make_hunks(d->arena, most->steps, other->steps, del, ins, diff);
    diff->majority_calls = n;
    diff->minority_calls = m;
    for (size_t i = 0; i < most->ranks.n; i++)
        vec_push(d->arena, &diff->majority, most->ranks.v[i]);
    for (size_t i = 0; i < other->ranks.n; i++)
        vec_push(d->arena, &diff->minority, other->ranks.v[i]);
    free(del);
    free(ins);
}

void schedule_diffs_find(struct arena *a, const struct rank_run *run, const struct column_steps *steps,
                         struct schedule_diffs *out)
{
    struct schedule_differ d = {.arena = a};

    *out = (struct schedule_diffs){0};
    map_init(&d.numbers, a);
    for (size_t i = 0; i < steps->list.n; i++)
        add_column(&d, &run->columns.v[i], &steps->list.v[i]);
    for (size_t i = 0; i < d.list.n; i++)
        rank_list_sort(d.list.v[i]->ranks.v, d.list.v[i]->ranks.n);
    for (size_t i = 1; i < d.list.n && i <= SCHEDULE_DIFFS_MAX; i++)
        add_diff(&d, d.list.v[0], d.list.v[i], out);
    out->count = d.list.n ? d.list.n - 1 : 0;
    buf_free(&d.key);
}
