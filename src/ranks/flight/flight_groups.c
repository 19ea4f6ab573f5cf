#include "ranks/flight/flight_groups.h"

/* The call of the first rank for a number, with which others are compared. */
struct first_call {
    const struct flight_dump *dump;
    const struct flight_entry *entry;
    /* the last dump that was compared: further entries of that number are parts of the same call */
    const struct flight_dump *compared;
};

/* Ranks of a mesh use different groups with equal names: if the dump lists members, they identify the group. */
static void print_group(struct teams *t, const struct flight_group *g, struct str backend)
{
    t->key.n = 0;
    buf_printf(&t->key, "%zu %.*s\n%zu %.*s", backend.n, STR_ARG(backend), g->name.n, STR_ARG(g->name));
    vec_each(const uint64_t, rank, &g->ranks) buf_printf(&t->key, "\n%llu", (unsigned long long)*rank);
}

static struct team *team_of(struct teams *t, const struct flight_group *g)
{
    void **slot, **first;
    struct team *team;

    print_group(t, g, g->backend);
    slot = map_at_copy(&t->by_name, buf_view(&t->key));
    if (*slot)
        return *slot;
    *slot = team = ARENA_NEW(t->arena, struct team);
    team->facts = g;
    map_init(&team->calls, t->arena);
    vec_push(t->arena, &t->list, team);
    print_group(t, g, STR("any"));
    first = map_at_copy(&t->of_any, buf_view(&t->key));
    if (!*first)
        *first = team;
    return team;
}

/* Whether the inputs and outputs of this operation may differ between ranks. */
static bool sizes_may_differ(struct str op)
{
    static const struct str prefixes[] = {STR_INIT("all_to_all"), STR_INIT("alltoall"),  STR_INIT("gather"),
                                          STR_INIT("scatter"),    STR_INIT("coalesced"), STR_INIT("barrier")};

    return STR_STARTS_ANY(op, prefixes) || str_ends(op, STR("_v")) || str_ends(op, STR("_coalesced"));
}

bool flight_same_op(const struct flight_op *a, const struct flight_op *b)
{
    if (!str_eq(a->name, b->name))
        return false;
    return sizes_may_differ(a->name) || (str_eq(a->in_shape, b->in_shape) && str_eq(a->out_shape, b->out_shape) &&
                                         str_eq(a->in_dtype, b->in_dtype) && str_eq(a->out_dtype, b->out_dtype));
}

static void compare_call(struct teams *t, struct team *team, const struct flight_dump *dump,
                         const struct flight_entry *e)
{
    void **slot = map_at_copy(&team->calls, MAP_KEY(e->number));
    struct first_call *first = *slot;

    if (!first) {
        *slot = first = ARENA_NEW(t->arena, struct first_call);
        *first = (struct first_call){dump, e, dump};
    }
    if (first->compared == dump)
        return;
    first->compared = dump;
    if (flight_same_op(&first->dump->ops.v[first->entry->op], &dump->ops.v[e->op]))
        return;
    if (!team->differ || e->number < team->first_difference)
        team->first_difference = e->number;
    team->differ = true;
}

/* The newest dump of a rank comes last and replaces older ones. */
static void add_track(struct teams *t, struct team *team, const struct track *track)
{
    struct track *last = team->tracks.n ? &team->tracks.v[team->tracks.n - 1] : NULL;

    if (last && last->rank == track->rank)
        *last = *track;
    else
        vec_push(t->arena, &team->tracks, *track);
}

static void follow(struct teams *t, struct flight_rank *rank, const struct flight_dump *dump)
{
    struct team **teams = ARENA_ARRAY(t->arena, struct team *, dump->groups.n + 1);
    struct track *tracks = ARENA_ARRAY(t->arena, struct track, dump->groups.n + 1);

    for (uint32_t i = 0; i < dump->groups.n; i++) {
        teams[i] = dump->groups.v[i].backend.n ? team_of(t, &dump->groups.v[i]) : NULL;
        tracks[i] = (struct track){rank, dump, i, NULL, dump->groups.v[i].enqueued};
    }
    vec_each(const struct flight_entry, e, &dump->entries)
    {
        struct track *track = &tracks[e->group];

        if (e->p2p || !teams[e->group]) /* none of its calls names a backend */
            continue;
        if (e->state != FLIGHT_COMPLETED && (!track->open || e->number < track->open->number))
            track->open = e;
        compare_call(t, teams[e->group], dump, e);
        if ((int64_t)e->number > track->last)
            track->last = (int64_t)e->number;
    }
    for (uint32_t i = 0; i < dump->groups.n; i++)
        if (teams[i])
            add_track(t, teams[i], &tracks[i]);
}

bool team_has_rank(const struct team *team, int rank)
{
    for (size_t i = 0; i < team->tracks.n; i++)
        if (team->tracks.v[i].rank->rank == rank)
            return true;
    return false;
}

/* For groups without calls in the dump, the dump may still have the number of calls. */
static void follow_counts(struct teams *t, struct flight_rank *rank, const struct flight_dump *dump)
{
    for (uint32_t i = 0; i < dump->groups.n; i++) {
        const struct flight_group *g = &dump->groups.v[i];
        const struct track track = {rank, dump, i, NULL, g->enqueued};
        struct team *team;

        if (g->backend.n || g->enqueued < 0)
            continue;
        print_group(t, g, STR("any"));
        team = map_get(&t->of_any, buf_view(&t->key));
        if (team && !team_has_rank(team, rank->rank))
            vec_push(t->arena, &team->tracks, track);
    }
}

void teams_find(struct teams *t, struct arena *a, const struct flight_run *run)
{
    *t = (struct teams){.arena = a};
    map_init(&t->by_name, a);
    map_init(&t->of_any, a);
    for (size_t i = 0; i < run->ranks.n; i++)
        for (size_t k = 0; k < run->ranks.v[i]->process->flights.n; k++)
            follow(t, run->ranks.v[i], run->ranks.v[i]->process->flights.v[k]);
    for (size_t i = 0; i < run->ranks.n; i++)
        for (size_t k = 0; k < run->ranks.v[i]->process->flights.n; k++)
            follow_counts(t, run->ranks.v[i], run->ranks.v[i]->process->flights.v[k]);
}

void teams_free(struct teams *t)
{
    buf_free(&t->key);
}
