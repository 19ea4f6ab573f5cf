/* Functions for the objects of report.json about ranks. */
#include "view/facts/facts.h"

/* --- where they differ -------------------------------------------------------------------------------------------- */

/* "ranks 0-2: compiled `f`; rank 3: did not compile it" */
static struct str detail_of(const struct view *v, const struct divergence *d)
{
    struct str out = {"", 0};

    for (size_t i = 0; i < d->groups.n; i++) {
        const struct rank_group *g = &d->groups.v[i];

        if (g->did.n)
            out = arena_printf(v->scratch, "%.*s%s%.*s %.*s", STR_ARG(out), out.n ? "; " : "",
                               STR_ARG(rank_list_words(v->scratch, g->ranks.v, g->ranks.n)), STR_ARG(g->did));
    }
    return out;
}

static json_t *groups_of(const struct divergence *d)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < d->groups.n; i++)
        json_push(list, view_ranks(d->groups.v[i].ranks.v, d->groups.v[i].ranks.n));
    return list;
}

static json_t *also_of(const struct divergence *d)
{
    json_t *list = json_new_array();

    for (int k = 0; k < DIVERGENCE_KINDS; k++)
        if (d->also >> k & 1)
            json_push(list, json_of_str(str_of(divergence_kind_name((enum divergence_kind)k))));
    return list;
}

/* Its index in the list over all runs; -1 for NULL. */
static int64_t position_of(const struct view *v, const struct divergence *d)
{
    int64_t number = 0;

    for (size_t i = 0; d && i < v->answers->ranks.runs.n; i++) {
        const struct rank_run *run = v->answers->ranks.runs.v[i];

        for (size_t k = 0; k < run->divergences.n; k++, number++)
            if (run->divergences.v[k] == d)
                return number;
    }
    return -1;
}

static json_t *divergences_of(const struct view *v, const struct ranks *r)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < r->runs.n; i++)
        for (size_t k = 0; k < r->runs.v[i]->divergences.n; k++)
            json_push(list, fact_divergence(v, r->runs.v[i]->divergences.v[k]));
    return list;
}

static json_t *differences_of(const struct view *v, const struct ranks *r)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < r->runs.n; i++)
        for (size_t k = 0; k < r->runs.v[i]->differences.n; k++)
            json_push(list, fact_divergence(v, r->runs.v[i]->differences.v[k]));
    return list;
}

/* --- runs --------------------------------------------------------------------------------------------------------- */

static json_t *hang_sides_of(const struct view *v, const struct hang *h)
{
    json_t *list = json_new_array();

    json_push(list, fact_hang_side(v, &h->majority));
    json_push(list, fact_hang_side(v, &h->minority));
    return list;
}

static json_t *mismatches_of(const struct view *v, const struct rank_run *run)
{
    json_t *list = json_new_array();

    vec_each(const struct parity, p, &v->answers->ranks.parities) if (p->compile->process->group == run->group)
        json_push(list, fact_schedule_mismatch(v, p));
    return list;
}

enum { DIFF_CALLS_MAX = 100, DIFF_HUNKS_MAX = 100 };

static json_t *steps_of(const struct view *v, const struct rank_step *const *steps, size_t n)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < n && i < DIFF_CALLS_MAX; i++)
        json_push(list, fact_scheduled_call(v, steps[i]));
    return list;
}

static json_t *hunks_of(const struct view *v, const struct schedule_diff *d)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < d->hunks.n && i < DIFF_HUNKS_MAX; i++)
        json_push(list, fact_schedule_hunk(v, &d->hunks.v[i]));
    return list;
}

static json_t *columns_of(const struct rank_run *run)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < run->columns.n; i++)
        json_push(list, view_ranks(run->columns.v[i].ranks.v, run->columns.v[i].ranks.n));
    return list;
}

/* --- all runs together -------------------------------------------------------------------------------------------- */

static uint64_t newest_world_size(const struct ranks *r)
{
    return r->rosters.n ? r->rosters.v[r->rosters.n - 1]->world_size : 0;
}

/* Ascending; a rank is absent if some run lacks it. */
static json_t *ranks_of_rosters(const struct view *v, const struct ranks *r, bool absent)
{
    VEC(int) all = {0};

    for (size_t i = 0; i < r->rosters.n; i++) {
        const struct rank_roster *roster = r->rosters.v[i];
        size_t n = absent ? roster->absent.n : roster->present.n;

        for (size_t k = 0; k < n; k++)
            vec_push(v->scratch, &all, absent ? roster->absent.v[k] : roster->present.v[k]);
    }
    return view_ranks(all.v, rank_list_sort(all.v, all.n));
}

#include "view/facts/fact_rows.h"

#include "view/facts/ranks.def"
