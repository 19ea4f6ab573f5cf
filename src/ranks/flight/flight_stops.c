#include "ranks/flight/flight_stops.h"

#include "input/limits.h"
#include "ranks/flight/flight_groups.h"

#include <stdlib.h>

const char *flight_verdict_name(enum flight_verdict v)
{
    static const char *const names[FLIGHT_VERDICTS] = {"not_reached", "different", "waiting"};

    return names[v];
}

/* --- one rank ----------------------------------------------------------------------------------------------------- */

/* The first call that has not completed and the last one that has: over all dumps of the rank, by time. */
static void note_calls(struct flight_rank *r, const struct flight_dump *dump)
{
    bool open = false;

    r->calls += dump->entries.n;
    vec_each(const struct flight_entry, e, &dump->entries)
    {
        const struct flight_call call = {.dump = dump, .entry = e};

        if (e->state == FLIGHT_COMPLETED) {
            if (!r->last.entry || e->created_ns >= r->last.entry->created_ns)
                r->last = call;
        } else if (!open) {
            open = true;
            if (!r->current.entry || e->created_ns < r->current.entry->created_ns)
                r->current = call;
        }
    }
}

static struct flight_rank *new_rank(struct arena *a, const struct process *p)
{
    struct flight_rank *r = ARENA_NEW(a, struct flight_rank);

    r->rank = p->rank;
    r->process = p;
    for (size_t i = 0; i < p->flights.n; i++)
        note_calls(r, p->flights.v[i]);
    return r;
}

/* --- where groups stand still ------------------------------------------------------------------------------------- */

struct stop_finder {
    struct arena *arena;
    const struct run *run;
    struct flight_run *out;
    VEC(int) members; /* ranks of the run, ascending, each once */
};

static bool is_default(const struct flight_group *g)
{
    return str_eq(g->about, STR("default_pg")) || str_eq(g->name, STR("0"));
}

static const struct flight_entry *entry_with(const struct track *t, uint64_t number)
{
    vec_each(const struct flight_entry, e,
             &t->dump->entries) if (e->group == t->group && e->number == number && !e->p2p) return e;
    return NULL;
}

static const struct flight_rank *with_dump(const struct flight_run *f, int rank)
{
    size_t at = 0, end = f->ranks.n;

    while (at < end) {
        size_t middle = at + (end - at) / 2;

        if (f->ranks.v[middle]->rank < rank)
            at = middle + 1;
        else
            end = middle;
    }
    return at < f->ranks.n && f->ranks.v[at]->rank == rank ? f->ranks.v[at] : NULL;
}

/* Members that never made a call there. If dumps do not list members, only those of the default group are known. */
static void add_missing(struct stop_finder *f, const struct team *team, struct flight_stop *stop)
{
    size_t n = team->facts->ranks.n ? team->facts->ranks.n : is_default(team->facts) ? f->members.n : 0;

    for (size_t i = 0; i < n; i++) {
        uint64_t member = team->facts->ranks.n ? team->facts->ranks.v[i] : (uint64_t)f->members.v[i];
        int rank = member <= LIMIT_RANK ? (int)member : RANK_UNKNOWN;

        if (rank == RANK_UNKNOWN || team_has_rank(team, rank))
            continue;
        if (with_dump(f->out, rank))
            vec_push(f->arena, &stop->absent, rank);
        else
            vec_push(f->arena, &stop->silent, rank);
    }
    rank_list_sort(stop->absent.v, stop->absent.n);
}

/* The call that most ranks made; in a tie, the lowest rank's. NULL entries are ranks that made none. */
static const struct flight_op *usual_op(const struct flight_op *const *ops, size_t n)
{
    const struct flight_op *best = NULL;
    size_t most = 0;

    for (size_t i = 0; i < n && most * 2 < n; i++) {
        size_t same = 0;

        for (size_t k = 0; ops[i] && k < n; k++)
            same += ops[k] && flight_same_op(ops[i], ops[k]);
        if (same > most) {
            best = ops[i];
            most = same;
        }
    }
    return best;
}

static void note_caller(struct flight_stop *stop, const struct track *t, const struct flight_entry *e)
{
    if (stop->call.entry && (stop->call.entry->stack || !e->stack))
        return;
    stop->call = (struct flight_call){.dump = t->dump, .entry = e};
    stop->caller = t->rank->rank;
}

static void add_different(struct stop_finder *f, const struct team *team, struct flight_stop *stop)
{
    const struct flight_entry **entries = ARENA_ARRAY(f->arena, const struct flight_entry *, team->tracks.n);
    const struct flight_op **ops = ARENA_ARRAY(f->arena, const struct flight_op *, team->tracks.n), *usual;

    for (size_t i = 0; i < team->tracks.n; i++) {
        entries[i] = entry_with(&team->tracks.v[i], stop->number);
        ops[i] = entries[i] ? &team->tracks.v[i].dump->ops.v[entries[i]->op] : NULL;
    }
    usual = usual_op(ops, team->tracks.n);
    for (size_t i = 0; i < team->tracks.n; i++) {
        const struct track *t = &team->tracks.v[i];
        const struct flight_entry *e = entries[i];

        if (!e)
            continue;
        if (usual && flight_same_op(usual, ops[i])) {
            note_caller(stop, t, e);
            vec_push(f->arena, &stop->waiting, t->rank->rank);
        } else {
            if (stop->absent.n == 0)
                stop->instead = (struct flight_call){.dump = t->dump, .entry = e};
            vec_push(f->arena, &stop->absent, t->rank->rank);
        }
    }
}

static void add_waiting(struct stop_finder *f, const struct team *team, struct flight_stop *stop)
{
    for (size_t i = 0; i < team->tracks.n; i++) {
        const struct track *t = &team->tracks.v[i];

        if (t->open && t->open->number == stop->number) {
            note_caller(stop, t, t->open);
            vec_push(f->arena, &stop->waiting, t->rank->rank);
        } else if (t->last < (int64_t)stop->number) {
            vec_push(f->arena, &stop->absent, t->rank->rank);
        }
    }
    add_missing(f, team, stop);
    if (stop->absent.n)
        stop->instead = with_dump(f->out, stop->absent.v[0])->current;
    stop->verdict = stop->absent.n ? FLIGHT_NOT_REACHED : FLIGHT_WAITING;
}

/* The lowest number of a call that has not completed. */
static bool lowest_open(const struct team *team, uint64_t *number)
{
    bool open = false;

    for (size_t i = 0; i < team->tracks.n; i++) {
        const struct flight_entry *e = team->tracks.v[i].open;

        if (e && (!open || e->number < *number)) {
            open = true;
            *number = e->number;
        }
    }
    return open;
}

/* The first call that not all ranks of the group made. False if all made the same number. */
static bool first_missed(const struct team *team, uint64_t *number)
{
    int64_t least = INT64_MAX, most = -1;

    for (size_t i = 0; i < team->tracks.n; i++) {
        least = team->tracks.v[i].last < least ? team->tracks.v[i].last : least;
        most = team->tracks.v[i].last > most ? team->tracks.v[i].last : most;
    }
    *number = (uint64_t)least + 1;
    return least >= 0 && least < most;
}

/* The current call of a rank is one that is not properly completed, and not the last one that is. */
static void set_current(struct flight_rank *r, const struct flight_call *call)
{
    if (!r->current.entry)
        r->current = *call;
    if (!r->last.entry || r->last.dump != call->dump || r->last.entry < call->entry)
        return;
    r->last.entry = NULL;
    for (const struct flight_entry *e = call->dump->entries.v; e < call->entry; e++)
        if (e->state == FLIGHT_COMPLETED)
            r->last.entry = e;
}

/*
 * For a failed call, because others did not join it, Gloo records the same as for a completed one. So there was a stop
 * if some ranks made the call and are done with it, and others did not make it, according to their dumps.
 */
static void add_ended(struct stop_finder *f, const struct team *team, struct flight_stop *stop)
{
    stop->verdict = FLIGHT_NOT_REACHED;
    stop->ended = true;
    for (size_t i = 0; i < team->tracks.n; i++) {
        const struct track *t = &team->tracks.v[i];
        struct flight_call call = {.dump = t->dump, .entry = entry_with(t, stop->number)};

        if (t->last < (int64_t)stop->number) {
            vec_push(f->arena, &stop->absent, t->rank->rank);
        } else if (call.entry) {
            note_caller(stop, t, call.entry);
            vec_push(f->arena, &stop->waiting, t->rank->rank);
            set_current(t->rank, &call);
        }
    }
}

static void find_stop(struct stop_finder *f, const struct team *team)
{
    struct flight_stop stop = {.group = team->facts->name, .about = team->facts->about};
    bool open = lowest_open(team, &stop.number);

    if (team->differ && (!open || team->first_difference <= stop.number)) {
        stop.verdict = FLIGHT_DIFFERENT;
        stop.number = team->first_difference;
        add_different(f, team, &stop);
    } else if (open) {
        add_waiting(f, team, &stop);
    } else if (str_eq(team->facts->backend, STR("gloo")) && first_missed(team, &stop.number)) {
        add_ended(f, team, &stop);
    } else {
        return;
    }
    if (stop.call.entry) /* the differing call may be in an older dump that a newer one replaced */
        vec_push(f->arena, &f->out->stops, stop);
}

/* --- order -------------------------------------------------------------------------------------------------------- */

/* A rank that others wait for, and that does not wait itself, is the origin. Each stop has a rank that waits. */
static bool is_cause(const struct flight_stop *s)
{
    return s->verdict == FLIGHT_DIFFERENT || (s->verdict == FLIGHT_NOT_REACHED && !s->instead.entry && !s->ended);
}

static int by_weight(const void *pa, const void *pb)
{
    const struct flight_stop *a = pa, *b = pb;
    int c;

    if (is_cause(a) != is_cause(b))
        return is_cause(a) ? -1 : 1;
    if (a->verdict != b->verdict)
        return a->verdict < b->verdict ? -1 : 1;
    if (a->waiting.n != b->waiting.n)
        return a->waiting.n > b->waiting.n ? -1 : 1;
    c = str_cmp(a->group, b->group);
    return c ? c : (a->waiting.v[0] > b->waiting.v[0]) - (a->waiting.v[0] < b->waiting.v[0]);
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

/* Ranks of the run, and those with dumps; processes are sorted by rank. */
static void find_members(struct stop_finder *f, uint32_t group)
{
    for (size_t i = 0; i < f->run->processes.n; i++) {
        const struct process *p = f->run->processes.v[i];

        if (p->group != group || p->rank == RANK_UNKNOWN)
            continue;
        if (f->members.n == 0 || f->members.v[f->members.n - 1] != p->rank)
            vec_push(f->arena, &f->members, p->rank);
        if (p->flights.n)
            vec_push(f->arena, &f->out->ranks, new_rank(f->arena, p));
    }
}

static void find_stops(struct stop_finder *f)
{
    struct arena *scratch = arena_new();
    struct teams teams;

    teams_find(&teams, scratch, f->out);
    for (size_t i = 0; i < teams.list.n; i++)
        find_stop(f, teams.list.v[i]);
    teams_free(&teams);
    arena_free(scratch);
    if (f->out->stops.n)
        qsort(f->out->stops.v, f->out->stops.n, sizeof *f->out->stops.v, by_weight);
    f->out->stop_count = f->out->stops.n;
    if (f->out->stops.n > FLIGHT_STOPS_MAX)
        f->out->stops.n = FLIGHT_STOPS_MAX;
}

struct flight_run *flight_stops_find(struct arena *a, const struct run *r, uint32_t group)
{
    struct flight_run *out = ARENA_NEW(a, struct flight_run);
    struct stop_finder f = {.arena = a, .run = r, .out = out};

    out->group = group;
    find_members(&f, group);
    if (out->ranks.n == 0)
        return NULL;
    find_stops(&f);
    return out;
}
