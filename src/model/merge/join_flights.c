#include "model/merge/join_flights.h"

#include "util/map.h"

#include <stdlib.h>

static bool is_dump(const struct process *p)
{
    return p->input->kind == INPUT_FLIGHT;
}

/* Oldest first, so that a rank gets its newest dump last. */
static int by_time(const void *pa, const void *pb)
{
    const struct process *a = *(struct process *const *)pa, *b = *(struct process *const *)pb;

    if (a->last_us != b->last_us)
        return a->last_us < b->last_us ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

void flights_set_aside(struct run *r)
{
    size_t kept = 0;

    r->dumps.n = 0;
    for (size_t i = 0; i < r->processes.n; i++)
        if (is_dump(r->processes.v[i]))
            vec_push(r->arena, &r->dumps, r->processes.v[i]);
        else
            r->processes.v[kept++] = r->processes.v[i];
    r->processes.n = kept;
    if (r->dumps.n)
        qsort(r->dumps.v, r->dumps.n, sizeof *r->dumps.v, by_time);
}

/* --- in which run ------------------------------------------------------------------------------------------------- */

/* Processes of one rank, by start. */
struct rank_processes {
    VEC(struct process *) list;
};

static struct map *by_rank(struct arena *a, const struct run *r)
{
    struct map *ranks = ARENA_NEW(a, struct map);

    map_init(ranks, a);
    for (size_t i = 0; i < r->processes.n; i++) {
        struct process *p = r->processes.v[i];
        void **slot = map_at_copy(ranks, MAP_KEY(p->rank));

        if (!*slot)
            *slot = ARENA_NEW(a, struct rank_processes);
        vec_push(a, &((struct rank_processes *)*slot)->list, p);
    }
    return ranks;
}

/* The last process that began before the dump ended; the first one if the clocks do not agree. */
static const struct process *began_before(const struct rank_processes *of, const struct process *dump)
{
    const struct process *found = of->list.v[0];

    for (size_t i = 1; i < of->list.n; i++)
        if (process_start_utc(of->list.v[i]) <= dump->last_us &&
            process_start_utc(of->list.v[i]) >= process_start_utc(found))
            found = of->list.v[i];
    return found;
}

/* The number of ranks in the dump's default group; 0 unknown. */
static uint64_t world_of(const struct process *dump)
{
    vec_each(const struct flight_group, g,
             &dump->flights.v[0]->groups) if (str_eq(g->name, STR("0")) ||
                                              str_eq(g->about, STR("default_pg"))) return g->ranks.n;
    return 0;
}

static void note_files(struct map *files, const struct process *p)
{
    for (size_t i = 0; i < p->frames.n; i++)
        *map_at(files, p->frames.v[i]->file) = files;
}

/* Whether a stack of the dump contains a file whose code the process compiled. */
static bool runs_code_of(struct arena *a, const struct process *dump, const struct process *p)
{
    const struct stack_tree *stacks = &dump->input->stacks;
    struct map files;

    map_init(&files, a);
    note_files(&files, p);
    for (size_t i = 0; i < stacks->all.n; i++)
        if (map_get(&files, stacks->all.v[i]->file))
            return true;
    return false;
}

static bool may_be_of(struct arena *a, const struct process *dump, const struct process *p)
{
    uint64_t world = world_of(dump);

    if (world && p->world_size && world != p->world_size)
        return false;
    return dump->input->stacks.all.n == 0 || runs_code_of(a, dump, p);
}

/* If several jobs of the time have the rank, the world size and the code in the stacks decide. */
static const struct process *choose(struct arena *a, const struct rank_processes *of, const struct process *newest,
                                    const struct process *dump)
{
    const struct process *found = NULL;
    size_t others = 0, fit = 0;

    if (of->list.n == 1)
        return newest;
    for (size_t i = 0; i < of->list.n; i++) {
        const struct process *p = of->list.v[i];

        if (p->group != newest->group && !process_overlaps(p, newest))
            continue;
        others += p->group != newest->group;
        if (may_be_of(a, dump, p)) {
            fit += !found || found->group != p->group;
            found = p;
        }
    }
    if (others && fit != 1 && !dump->run->jobs_reported)
        message_add(&dump->input->messages, MSG_DUMP_AMBIGUOUS, 0, "%zu jobs have rank %d at that time", others + 1,
                    dump->rank);
    return fit == 1 ? found : newest;
}

void flights_find_groups(struct run *r)
{
    struct arena *scratch = arena_new();
    const struct map *ranks = by_rank(scratch, r);
    struct rank_processes all = {0};

    for (size_t i = 0; i < r->processes.n; i++)
        vec_push(scratch, &all.list, r->processes.v[i]);
    for (size_t i = 0; i < r->dumps.n; i++) {
        struct process *dump = r->dumps.v[i];
        const struct rank_processes *of = map_get(ranks, MAP_KEY(dump->rank));

        if (of)
            dump->group = choose(scratch, of, began_before(of, dump), dump)->group;
        else
            dump->group = all.list.n ? began_before(&all, dump)->group : 0;
    }
    if (r->groups == 0 && r->dumps.n)
        r->groups = 1;
    r->jobs_reported = true;
    arena_free(scratch);
}

/* --- of which process --------------------------------------------------------------------------------------------- */

struct rank_key {
    uint32_t group;
    int rank;
};

/* For each rank of a run, the process that compiled most. */
static void note_processes(struct map *owners, const struct run *r)
{
    for (size_t i = 0; i < r->processes.n; i++) {
        struct process *p = r->processes.v[i];
        struct rank_key key = {p->group, p->rank};
        void **slot = map_at_copy(owners, MAP_KEY(key));
        const struct process *best = *slot;

        if (!best || p->compiles.n > best->compiles.n)
            *slot = p;
    }
}

static void give(struct process *to, struct process *dump)
{
    for (size_t i = 0; i < dump->flights.n; i++)
        vec_push(to->input->arena, &to->flights, dump->flights.v[i]);
    to->records += dump->records;
    dump->flights.n = 0;
    dump->joined = to;
}

void join_flights(struct run *r)
{
    struct arena *scratch = arena_new();
    struct map owners; /* rank_key -> struct process */

    map_init(&owners, scratch);
    note_processes(&owners, r);
    for (size_t i = 0; i < r->dumps.n; i++) {
        struct process *dump = r->dumps.v[i];
        struct rank_key key = {dump->group, dump->rank};
        void **slot = map_at_copy(&owners, MAP_KEY(key));

        if (*slot) {
            give(*slot, dump);
        } else {
            *slot = dump;
            vec_push(r->arena, &r->processes, dump);
        }
    }
    r->dumps.n = 0;
    arena_free(scratch);
}
