#include "ranks/compare/roster.h"

#include "load/world_size.h"

/* Processes are sorted by rank. */
static void find_present(struct arena *a, const struct run *run, struct rank_roster *out)
{
    for (size_t i = 0; i < run->processes.n; i++) {
        const struct process *p = run->processes.v[i];

        if (p->group != out->group || p->rank == RANK_UNKNOWN)
            continue;
        if (out->present.n == 0 || out->present.v[out->present.n - 1] != p->rank)
            vec_push(a, &out->present, p->rank);
    }
}

/* From the first process whose collectives show the size of the default group. */
static uint64_t world_size_in(const struct run *run, uint32_t group)
{
    const struct process *first = NULL;

    for (size_t i = 0; i < run->processes.n; i++) {
        const struct process *p = run->processes.v[i];

        if (p->group != group || p->rank == RANK_UNKNOWN)
            continue;
        if (p->world_size)
            return p->world_size;
        if (!first || p->compiles.n > first->compiles.n)
            first = p;
    }
    return first ? world_size_of(first) : 0;
}

/* With one console for several ranks, a rank that is not in it printed nothing, or was not copied. */
static bool is_one_console(const struct run *run, uint32_t group)
{
    const struct input *first = NULL;

    for (size_t i = 0; i < run->processes.n; i++) {
        const struct process *p = run->processes.v[i];

        if (p->group != group || p->rank == RANK_UNKNOWN)
            continue;
        first = first ? first : p->input;
        if (p->input != first)
            return false;
    }
    return first && first->kind == INPUT_TORCH_LOGS;
}

/* Ranks below the highest one present, and those up to the world size. */
static void find_absent(struct arena *a, struct rank_roster *out)
{
    int expected = 0;

    for (size_t i = 0; i < out->present.n; i++) {
        for (; expected < out->present.v[i] && out->absent.n < RANKS_ABSENT_MAX; expected++)
            vec_push(a, &out->absent, expected);
        expected = out->present.v[i] + 1;
    }
    for (; (uint64_t)expected < out->world_size && out->absent.n < RANKS_ABSENT_MAX; expected++)
        vec_push(a, &out->absent, expected);
}

static bool has_rank(const struct rank_roster *r, int rank)
{
    size_t at = 0, end = r->present.n;

    while (at < end) {
        size_t middle = at + (end - at) / 2;

        if (r->present.v[middle] < rank)
            at = middle + 1;
        else
            end = middle;
    }
    return at < r->present.n && r->present.v[at] == rank;
}

bool rosters_disjoint(const struct rank_roster *a, const struct rank_roster *b)
{
    for (size_t i = 0; i < a->present.n; i++)
        if (has_rank(b, a->present.v[i]))
            return false;
    return true;
}

/*
 * If a run has a single rank and there are other runs, its file is left over from another launch, or the other files
 * are elsewhere. Nobody knows which, so no rank is called absent.
 */
static void forget_others_of_one(struct rank_roster *roster)
{
    if (roster->present.n == 1)
        roster->absent.n = 0;
}

/* Removes ranks that are in another run of different ranks: they exist, but not in this run. */
static void forget_ranks_of(struct rank_roster *roster, const struct rank_roster *other)
{
    size_t kept = 0;

    if (roster == other || !rosters_disjoint(roster, other))
        return;
    for (size_t i = 0; i < roster->absent.n; i++)
        if (!has_rank(other, roster->absent.v[i]))
            roster->absent.v[kept++] = roster->absent.v[i];
    roster->absent.n = kept;
}

void rosters_find(struct arena *a, const struct run *run, struct ranks *r)
{
    for (uint32_t group = 0; group < run->groups; group++) {
        struct rank_roster *roster = ARENA_NEW(a, struct rank_roster);

        roster->group = group;
        find_present(a, run, roster);
        if (roster->present.n == 0)
            continue;
        roster->world_size = world_size_in(run, group);
        if (!is_one_console(run, group))
            find_absent(a, roster);
        vec_push(a, &r->rosters, roster);
    }
    for (size_t i = 0; r->rosters.n > 1 && i < r->rosters.n; i++)
        forget_others_of_one(r->rosters.v[i]);
    for (size_t i = 0; i < r->rosters.n; i++)
        for (size_t k = 0; k < r->rosters.n; k++)
            forget_ranks_of(r->rosters.v[i], r->rosters.v[k]);
}
