#include "ranks/ranks.h"

#include "ranks/calls/collectives.h"
#include "ranks/calls/execution.h"
#include "ranks/calls/hang.h"
#include "ranks/calls/schedule_diff.h"
#include "ranks/compare/estimates.h"
#include "ranks/compare/matrix.h"
#include "ranks/compare/rank_times.h"
#include "ranks/compare/roster.h"
#include "ranks/divergence.h"
#include "ranks/flight/flight_match.h"
#include "ranks/flight/flight_stops.h"
#include "ranks/story.h"

const struct compile *rank_same_as(const struct ranks *r, const struct compile *c)
{
    const struct rank_alike *alike = map_get(&r->alike, MAP_KEY(c));

    return alike && alike->compiles.v[0] != c ? alike->compiles.v[0] : NULL;
}

const struct rank_alike *rank_alike_of(const struct ranks *r, const struct compile *c)
{
    const struct rank_alike *alike = map_get(&r->alike, MAP_KEY(c));

    return alike && alike->compiles.n > 1 ? alike : NULL;
}

/* --- in words ----------------------------------------------------------------------------------------------------- */

/* "63 alike, rank 37 differs": groups of ranks that compiled and ran the same. */
static struct str groups_words(struct arena *a, const struct rank_run *run)
{
    size_t n = run->matrix.members.n, alike = run->columns.v[0].ranks.n;
    VEC(int) others = {0};

    if (alike == 1)
        return n == 2 ? STR("they differ") : STR("no two are the same");
    if (2 * alike <= n)
        return arena_printf(a, "%zu groups that differ", run->columns.n);
    for (size_t i = 1; i < run->columns.n; i++)
        for (size_t k = 0; k < run->columns.v[i].ranks.n; k++)
            vec_push(a, &others, run->columns.v[i].ranks.v[k]);
    others.n = rank_list_sort(others.v, others.n);
    return arena_printf(a, "%zu alike, %.*s differ%s", alike, STR_ARG(rank_list_words(a, others.v, others.n)),
                        others.n == 1 ? "s" : "");
}

struct str rank_frame_words(struct arena *a, const struct frame *f)
{
    if (!f || f->id == ID_NONE)
        return STR("a graph of compiled autograd");
    if (f->name.n == 0)
        return STR("a function without a name here");
    if (f->is_resume && f->resumes.n)
        return arena_printf(a, "the rest of `%.*s` after line %lld", STR_ARG(f->resumes), (long long)f->resumes_line);
    if (str_ends(f->file, STR("torch/_dynamo/external_utils.py")))
        return STR("a whole module");
    return arena_printf(a, "`%.*s`", STR_ARG(f->name));
}

static struct str first_words(struct arena *a, const struct divergence *d)
{
    return arena_printf(a, "; first in [%.*s] %.*s", STR_ARG(compile_id_print(a, d->compile->id)),
                        STR_ARG(rank_frame_words(a, d->compile->frame)));
}

/* Some have compiles that others lack. */
static bool lacks_cells(const struct rank_matrix *matrix)
{
    for (size_t i = 1; i < matrix->members.n; i++)
        if (matrix->members.v[i]->cells.n != matrix->members.v[0]->cells.n)
            return true;
    return false;
}

/* Somebody took lines out of the log, or copied only some. */
static bool is_of_cut_text(const struct rank_run *run)
{
    for (size_t i = 0; i < run->matrix.members.n; i++) {
        const struct process *p = run->matrix.members.v[i]->process;

        if (rank_member_is_cut(run->matrix.members.v[i]) ||
            (p->input && stated_has(&p->input->stated, STATED_EXCERPT) && lacks_cells(&run->matrix)))
            return true;
    }
    return false;
}

/* The verdict without the number of ranks. */
static struct str verdict_words(struct arena *a, const struct rank_run *run)
{
    if (run->divergences.n == 0)
        return is_of_cut_text(run) ? STR("no difference in what this text has")
                                   : STR("all compiled the same program");
    if (run->stages)
        return STR("they compiled different functions, as stages of a pipeline do");
    return arena_printf(a, "%.*s%.*s", STR_ARG(groups_words(a, run)), STR_ARG(first_words(a, run->divergences.v[0])));
}

struct str rank_run_verdict(struct arena *a, const struct rank_run *run)
{
    return arena_printf(a, "%zu ranks: %.*s", run->matrix.members.n, STR_ARG(verdict_words(a, run)));
}

static const struct rank_run *run_of(const struct ranks *r, const struct rank_roster *roster)
{
    for (size_t i = 0; i < r->runs.n; i++)
        if (r->runs.v[i]->roster == roster)
            return r->runs.v[i];
    return NULL;
}

/* "run 2 (rank 1): nothing to compare with" */
static struct str roster_words(struct arena *a, const struct ranks *r, const struct rank_roster *roster)
{
    const struct rank_run *run = run_of(r, roster);
    struct str ranks = rank_list_words(a, roster->present.v, roster->present.n);

    return arena_printf(a, "run %u (%.*s): %.*s", roster->group + 1, STR_ARG(ranks),
                        STR_ARG(run ? verdict_words(a, run) : STR("no other rank to compare with")));
}

/* Whether there are several runs, and in each of them all ranks compiled the same program. */
static bool all_runs_same(const struct ranks *r)
{
    for (size_t i = 0; i < r->runs.n; i++)
        if (r->runs.v[i]->divergences.n)
            return false;
    return r->runs.n > 1 && r->runs.n == r->rosters.n;
}

enum { RUNS_DESCRIBED = 4 };

struct str ranks_verdict(struct arena *a, const struct ranks *r)
{
    struct str out = {"", 0};
    size_t more = r->rosters.n > RUNS_DESCRIBED ? r->rosters.n - RUNS_DESCRIBED : 0;

    if (r->rosters.n == 1)
        return r->runs.n ? rank_run_verdict(a, r->runs.v[0]) : out;
    if (all_runs_same(r))
        return arena_printf(a, "in each of %zu runs all ranks compiled the same program", r->runs.n);
    for (size_t i = 0; i < r->rosters.n && i < RUNS_DESCRIBED; i++)
        out = arena_printf(a, "%.*s%s%.*s", STR_ARG(out), i ? "; " : "", STR_ARG(roster_words(a, r, r->rosters.v[i])));
    if (more)
        out = arena_printf(a, "%.*s; and %zu more run%s", STR_ARG(out), more, more == 1 ? "" : "s");
    return out;
}

/* --- one run ------------------------------------------------------------------------------------------------------ */

/* The parities found in one run so far. */
struct parity_list {
    struct arena *arena;
    struct contents *contents;
    struct ranks *out;
    size_t found;
};

/* Its number among the wrong ones, from 1; 0 if it is right. */
static size_t check_parity(struct parity_list *list, const struct compile *c)
{
    struct parity p;

    if (list->found == PARITIES_MAX || !parity_of(list->contents, c, &p) || !parity_is_wrong(&p))
        return 0;
    vec_push(list->arena, &p.compiles, c);
    vec_push(list->arena, &list->out->parities, p);
    list->found++;
    return list->out->parities.n;
}

/* Ranks that compiled the same program may still have different code or a different schedule. */
struct code_and_schedule {
    uint64_t code;
    struct digest schedule;
};

/* One compile of each class in each row: the others are equal to it. */
static void check_parities_of_row(struct parity_list *list, const struct rank_row *row)
{
    struct arena *scratch = arena_new();
    struct map seen; /* struct code_and_schedule -> the result of check_parity, plus one */

    map_init(&seen, scratch);
    for (size_t i = 0; i < row->cells.n; i++) {
        const struct compile *c = row->cells.v[i]->compile;
        struct code_and_schedule key = {row->cells.v[i]->print->facets[FACET_CODE], schedule_digest(list->contents, c)};
        uint64_t *known = map_number_at(&seen, MAP_KEY(key));

        if (!*known)
            *known = check_parity(list, c) + 1;
        else if (*known > 1)
            vec_push(list->arena, &list->out->parities.v[*known - 2].compiles, c);
    }
    arena_free(scratch);
}

static void check_parities_of_ranks(struct parity_list *list, const struct rank_matrix *m)
{
    for (const struct rank_row *row = m->first; row; row = row->next)
        check_parities_of_row(list, row);
}

/* For a group without ranks to compare: everything that its processes compiled. */
static void check_parities_of_processes(struct parity_list *list, const struct run *r, uint32_t group)
{
    for (size_t i = 0; i < r->processes.n; i++)
        for (size_t k = 0; r->processes.v[i]->group == group && k < r->processes.v[i]->compiles.n; k++)
            check_parity(list, r->processes.v[i]->compiles.v[k]);
}

static void compare_run(struct arena *a, struct fingerprinter *f, struct rank_run *run)
{
    struct column_steps steps;

    graph_orders_read(a, f->contents, &run->matrix);
    run->execution = execution_find(a, &run->matrix);
    divergences_find(a, run);
    for (size_t i = 0; i < run->divergences.n; i++)
        story_write(a, f->contents, run, run->divergences.v[i]);
    for (size_t i = 0; i < run->differences.n; i++)
        story_write(a, f->contents, run, run->differences.v[i]);
    column_steps_walk(a, f->contents, run, &steps);
    run->hang = hang_find(a, run, &steps);
    run->stages = ranks_are_stages(run, &steps);
    schedule_diffs_find(a, run, &steps, &run->schedules);
    estimates_find(a, f->contents, &run->matrix, &run->estimates);
}

static const struct rank_roster *roster_of(const struct ranks *r, uint32_t group)
{
    for (size_t i = 0; i < r->rosters.n; i++)
        if (r->rosters.v[i]->group == group)
            return r->rosters.v[i];
    return NULL;
}

/* NULL if there are fewer than two ranks to compare. */
static struct rank_run *compare_ranks(struct arena *a, const struct run *r, const struct rank_roster *roster,
                                      const int64_t *wall_us, struct fingerprinter *f)
{
    struct rank_run *run = ARENA_NEW(a, struct rank_run);

    run->group = roster->group;
    run->roster = roster;
    matrix_make(a, r, roster->group, f, &run->matrix);
    if (run->matrix.members.n < 2 || run->matrix.rows == 0)
        return NULL;
    compare_run(a, f, run);
    rank_times_find(a, &run->matrix, wall_us, &run->times);
    return run;
}

static void add_run(struct ranks *out, struct arena *a, struct rank_run *run)
{
    matrix_note_alike(&run->matrix, a, &out->alike);
    vec_push(a, &out->runs, run);
    out->compared = true;
    if (!out->first && run->divergences.n)
        out->first = run->divergences.v[0];
}

/* One group of processes: its Flight Recorders, and what its ranks did. */
static void find_in_group(struct arena *a, const struct run *r, uint32_t group, const int64_t *wall_us,
                          struct fingerprinter *f, struct ranks *out)
{
    const struct rank_roster *roster = roster_of(out, group);
    struct flight_run *flights = roster ? flight_stops_find(a, r, group) : NULL;
    struct rank_run *run = roster ? compare_ranks(a, r, roster, wall_us, f) : NULL;
    struct parity_list parities = {.arena = a, .contents = f->contents, .out = out};

    if (flights) {
        flight_match(a, f->contents, flights);
        vec_push(a, &out->flights, flights);
    }
    if (run) {
        add_run(out, a, run);
        check_parities_of_ranks(&parities, &run->matrix);
    } else {
        check_parities_of_processes(&parities, r, group);
    }
}

void ranks_find(struct arena *a, const struct run *r, const int64_t *wall_us, struct pool *pool, struct ranks *out)
{
    *out = (struct ranks){0};
    map_init(&out->alike, a);
    rosters_find(a, r, out);
    for (uint32_t group = 0; group < r->groups; group++) {
        struct contents contents;
        struct fingerprinter f;

        contents_init(&contents, a, pool);
        fingerprinter_init(&f, a, &contents);
        find_in_group(a, r, group, wall_us, &f, out);
        fingerprinter_free(&f);
        contents_free(&contents);
    }
}
