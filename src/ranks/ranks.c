#include "ranks/ranks.h"

#include "ranks/collectives.h"
#include "ranks/divergence.h"
#include "ranks/estimates.h"
#include "ranks/execution.h"
#include "ranks/flight_match.h"
#include "ranks/flight_stops.h"
#include "ranks/hang.h"
#include "ranks/matrix.h"
#include "ranks/rank_times.h"
#include "ranks/roster.h"
#include "ranks/schedule_diff.h"
#include "ranks/story.h"

const struct compile *rank_same_as(const struct ranks *r, const struct compile *c)
{
    return map_get(&r->same, MAP_KEY(c));
}

enum { PARITIES_MAX = 100 };

/* Of each row one compile of each class: the others have the same code. */
static void check_parity(struct arena *a, struct fingerprinter *f, struct rank_run *run, const struct rank_row *row)
{
    uint32_t seen = 0;

    for (size_t i = 0; i < row->cells.n && run->parities.n < PARITIES_MAX; i++) {
        struct parity p;

        if (row->cells.v[i]->class <= seen)
            continue;
        seen = row->cells.v[i]->class;
        if (parity_of(f, row->cells.v[i]->compile, &p) && (p.scheduled != p.emitted || p.waits < p.emitted))
            vec_push(a, &run->parities, p);
    }
}

static void compare_run(struct arena *a, struct fingerprinter *f, struct rank_run *run)
{
    divergences_find(a, run);
    for (size_t i = 0; i < run->divergences.n; i++)
        story_tell(a, f, &run->matrix, run->divergences.v[i]);
    run->hang = hang_find(a, f, run);
    schedule_diffs_find(a, f, run, &run->schedules);
    for (const struct rank_row *row = run->matrix.first; row; row = row->next)
        check_parity(a, f, run, row);
    estimates_find(a, f, &run->matrix, &run->estimates);
    run->execution = execution_find(a, f, &run->matrix);
}

static void note_first(struct ranks *out, const struct rank_run *run)
{
    for (size_t i = 0; i < run->divergences.n; i++) {
        const struct divergence *d = run->divergences.v[i];

        if (!out->first || (out->first->benign && !d->benign))
            out->first = d;
    }
}

/* One group of processes: what its Flight Recorders have, and what its ranks did. */
static void find_in_group(struct arena *a, const struct run *r, const struct rank_roster *roster,
                          const int64_t *wall_us, struct fingerprinter *f, struct ranks *out)
{
    struct flight_run *flights = flight_stops_find(a, r, roster->group);
    struct rank_run *run = ARENA_NEW(a, struct rank_run);

    if (flights) {
        flight_match(f, flights);
        vec_push(a, &out->flights, flights);
    }
    run->group = roster->group;
    run->roster = roster;
    matrix_make(a, r, roster->group, f, &run->matrix);
    if (run->matrix.members.n < 2)
        return;
    compare_run(a, f, run);
    rank_times_find(a, &run->matrix, wall_us, &run->times);
    matrix_note_same(&run->matrix, &out->same);
    vec_push(a, &out->runs, run);
    out->compared = true;
    note_first(out, run);
}

void ranks_find(struct arena *a, const struct run *r, const int64_t *wall_us, struct pool *pool, struct ranks *out)
{
    *out = (struct ranks){0};
    map_init(&out->same, a);
    rosters_find(a, r, out);
    for (size_t i = 0; i < out->rosters.n; i++) {
        struct fingerprinter f;

        fingerprinter_init(&f, a, pool);
        find_in_group(a, r, out->rosters.v[i], wall_us, &f, out);
        fingerprinter_free(&f);
    }
}
