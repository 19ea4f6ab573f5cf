#include "ranks/roster.h"

#include "load/world_size.h"

/* Processes are in the order of ranks. */
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

/* Of the first process whose collectives name the default group with its size. */
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

/* One console of several ranks: who is not in it printed nothing, or was not copied. */
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
}
