#include "analysis/rank_steps.h"

#include "analysis/ranks.h"

void walker_init(struct walker *w, struct arena *a, struct signer *s)
{
    *w = (struct walker){.arena = a, .signer = s};
    map_init(&w->schedules, a);
}

static const struct schedule *schedule_in(struct walker *w, const struct compile *c)
{
    void **slot = map_at_copy(&w->schedules, MAP_KEY(c));

    if (!*slot) {
        *slot = ARENA_NEW(w->arena, struct schedule);
        schedule_of(w->arena, w->signer, c, *slot);
    }
    return *slot;
}

const struct rank_cell *steps_cell(const struct rank_row *row, const struct rank_member *m)
{
    const struct rank_cell *cell = rank_cell_of(row, m);

    while (!cell && row->before) {
        row = row->before;
        cell = rank_cell_of(row, m);
    }
    return cell;
}

void steps_walk(struct walker *w, const struct rank_run *run, const struct rank_member *m,
                const struct rank_member *like, struct rank_steps *out)
{
    map_init(&out->groups, w->arena);
    for (const struct rank_row *row = run->set.first; row; row = row->next) {
        const struct rank_cell *cell = steps_cell(row, m), *same = steps_cell(row, like);
        const struct schedule *schedule;

        if (cell && same && cell->row == same->row &&
            cell->sign.facets[FACET_COLLECTIVES] == same->sign.facets[FACET_COLLECTIVES])
            cell = same;
        schedule = cell ? schedule_in(w, cell->compile) : NULL;
        for (size_t i = 0; schedule && i < schedule->list.n; i++) {
            vec_push(w->arena, &out->list, ((struct rank_step){&schedule->list.v[i], row, cell->compile}));
            *map_at(&out->groups, schedule->list.v[i].group) = out;
        }
    }
}

bool steps_same_groups(const struct rank_steps *a, const struct rank_steps *b)
{
    for (size_t i = 0; i < a->groups.n; i++)
        if (!map_get(&b->groups, a->groups.entries[i].key))
            return false;
    return a->groups.n == b->groups.n;
}
