#include "model/merge/jobs.h"

#include "util/map.h"

#include <stdlib.h>

/* Evidence that two processes belong to the same job or not, the most reliable first. */
enum job_evidence { BY_TURN, BY_WORLD_SIZE, BY_VERSIONS, BY_CODE, BY_TIME, BY_PID, EVIDENCES };

static const char *const evidence_words[EVIDENCES] = {
    "the order in which ranks came again", "world size",      "versions",
    "the code that they compiled",         "when they began", "process ids",
};

/* The most jobs at the same time in one folder; every process is compared with each of them. */
enum { JOBS_MAX = 64 };

/* A job is represented by its first process, with which the others are compared. */
struct rank_job {
    const struct process *seed;
    struct map code; /* the code of its frames */
};

/* Processes of one rank. */
struct copies {
    VEC(struct process *) list;
};

struct splitter {
    struct arena *arena;
    struct run *run;
    struct process **members; /* of the group, by time */
    size_t n;
    struct map by_rank; /* -> struct copies */
    VEC(struct rank_job) jobs;
    uint32_t *job_of; /* the job of each member */
    bool again;       /* the ranks that jobs began with follow one another in time: restarts */
    unsigned used;    /* kinds of evidence that decided something, as bits */
    struct buf key;
};

/* --- what is compared --------------------------------------------------------------------------------------------- */

/* A ranked process with a file of its own. Forked children follow their parent. */
static bool is_of_rank(const struct process *p)
{
    return p->rank != RANK_UNKNOWN && !p->parent && p->input->kind == INPUT_TORCH_TRACE && p->first_us != 0;
}

/* The same file under two names. */
static bool is_copy(const struct process *a, const struct process *b)
{
    return a->pid == b->pid && a->first_us == b->first_us && a->last_us == b->last_us;
}

static struct str code_key(struct splitter *s, const struct frame *f)
{
    s->key.n = 0;
    buf_printf(&s->key, "%lld %.*s\n%.*s", (long long)f->line, STR_ARG(f->file), STR_ARG(f->name));
    return buf_view(&s->key);
}

static bool same_versions(const struct versions *a, const struct versions *b)
{
    return str_eq(a->pytorch, b->pytorch) && str_eq(a->commit, b->commit) && str_eq(a->python, b->python) &&
           str_eq(a->cuda, b->cuda);
}

/* From 0 (the same code) to 1 (nothing in common); -1 if one of them has no code. */
static double code_distance(struct splitter *s, const struct process *p, const struct rank_job *j)
{
    struct map own;
    size_t shared = 0;

    if (p->frames.n == 0 || j->code.n == 0)
        return -1;
    map_init(&own, s->arena);
    for (size_t i = 0; i < p->frames.n; i++) {
        struct str key = code_key(s, p->frames.v[i]);
        void **slot = map_at_copy(&own, key);

        if (!*slot)
            shared += map_get(&j->code, key) != NULL;
        *slot = own.entries;
    }
    return 1 - (double)shared / (double)(own.n + j->code.n - shared);
}

/* How far a process is from a job; -1 if unknown. */
static double distance(struct splitter *s, enum job_evidence e, const struct process *p, const struct rank_job *j)
{
    const struct process *seed = j->seed;

    switch (e) {
    case BY_WORLD_SIZE:
        if (seed->world_size && (uint64_t)p->rank >= seed->world_size)
            return 1;
        return p->world_size && seed->world_size ? p->world_size != seed->world_size : -1;
    case BY_VERSIONS:
        if (p->versions.pytorch.n == 0 || seed->versions.pytorch.n == 0)
            return -1;
        return !same_versions(&p->versions, &seed->versions);
    case BY_CODE:
        return code_distance(s, p, j);
    case BY_TIME:
        return (double)llabs(process_start_utc(p) - process_start_utc(seed)) / 1e6;
    default:
        return p->pid && seed->pid ? (double)llabs((int64_t)(p->pid - seed->pid)) : -1;
    }
}

/* A launcher starts the ranks of a machine right after one another. */
enum { PIDS_AROUND = 64, PIDS_PER_RANK = 4 };

/* Whether the nearest job is so much nearer than the next one that it cannot be chance. */
static bool is_clear(const struct splitter *s, enum job_evidence e, double nearest, double next)
{
    switch (e) {
    case BY_WORLD_SIZE:
    case BY_VERSIONS:
        return nearest < 0.5 && next > 0.5;
    case BY_CODE:
        return next - nearest >= 0.25;
    case BY_TIME:
        return next >= 2 && next >= 4 * nearest;
    default:
        return nearest <= (double)(PIDS_AROUND + PIDS_PER_RANK * s->by_rank.n) && next >= 4 * nearest;
    }
}

/* -1 if this evidence does not decide. World sizes also decide by what they rule out. */
static int nearest_job(struct splitter *s, enum job_evidence e, const struct process *p)
{
    double nearest = -1, next = -1;
    size_t found = 0, ruled_out = 0;

    for (size_t i = 0; i < s->jobs.n; i++) {
        double d = distance(s, e, p, &s->jobs.v[i]);

        if (e == BY_WORLD_SIZE && d > 0.5)
            ruled_out++;
        if (e == BY_WORLD_SIZE && d < 0)
            d = 0; /* a hint, but not proof */
        if (d < 0)
            return -1;
        if (nearest < 0 || d < nearest) {
            next = nearest;
            nearest = d;
            found = i;
        } else if (next < 0 || d < next) {
            next = d;
        }
    }
    return (e != BY_WORLD_SIZE || ruled_out) && is_clear(s, e, nearest, next) ? (int)found : -1;
}

/*
 * If each process of a rank begins after the one before it ended, the job was restarted, even if other ranks had not
 * ended yet.
 */
static bool come_again(const struct copies *c)
{
    for (size_t i = 1; i < c->list.n; i++)
        if (process_overlaps(c->list.v[i - 1], c->list.v[i]))
            return false;
    return true;
}

/*
 * If a rank occurs as often as there are jobs, each time after it had ended, its processes belong to the jobs in that
 * order.
 */
static int job_in_turn(const struct splitter *s, const struct process *p)
{
    const struct copies *c = s->again ? map_get(&s->by_rank, MAP_KEY(p->rank)) : NULL;

    if (!c || c->list.n != s->jobs.n || !come_again(c))
        return -1;
    for (size_t i = 0; i < c->list.n; i++)
        if (is_copy(c->list.v[i], p))
            return (int)i;
    return -1;
}

static int job_of(struct splitter *s, const struct process *p)
{
    for (size_t i = 0; i < s->jobs.n; i++)
        if (is_copy(s->jobs.v[i].seed, p) && s->jobs.v[i].seed->rank == p->rank)
            return (int)i;
    for (int e = 0; e < EVIDENCES; e++) {
        int found = e == BY_TURN ? job_in_turn(s, p) : nearest_job(s, (enum job_evidence)e, p);

        if (found >= 0) {
            s->used |= 1u << e;
            return found;
        }
    }
    return -1;
}

/* --- which jobs there are ----------------------------------------------------------------------------------------- */

static void note_ranks(struct splitter *s)
{
    for (size_t i = 0; i < s->n; i++) {
        struct process *p = s->members[i];
        struct copies *c;
        bool known = false;
        void **slot;

        if (!is_of_rank(p))
            continue;
        slot = map_at_copy(&s->by_rank, MAP_KEY(p->rank));
        if (!*slot)
            *slot = ARENA_NEW(s->arena, struct copies);
        c = *slot;
        for (size_t k = 0; k < c->list.n && !known; k++)
            known = is_copy(c->list.v[k], p);
        if (!known)
            vec_push(s->arena, &c->list, p);
    }
}

/* The rank with the most copies, the lowest of them if several have as many. NULL without ranks. */
static const struct copies *most_copies(const struct splitter *s, size_t *doubled)
{
    const struct copies *best = NULL;

    *doubled = 0;
    for (size_t i = 0; i < s->by_rank.n; i++) {
        const struct copies *c = s->by_rank.entries[i].value;

        *doubled += c->list.n > 1;
        if (!best || c->list.n > best->list.n ||
            (c->list.n == best->list.n && c->list.v[0]->rank < best->list.v[0]->rank))
            best = c;
    }
    return best;
}

static void add_job(struct splitter *s, const struct process *seed)
{
    struct rank_job *j = vec_add(s->arena, &s->jobs);

    j->seed = seed;
    map_init(&j->code, s->arena);
    for (size_t i = 0; i < seed->frames.n; i++)
        *map_at_copy(&j->code, code_key(s, seed->frames.v[i])) = s->arena;
}

/*
 * A rank may have a second process next to its own; but processes with different world sizes or PyTorch versions are
 * of different jobs.
 */
static bool seeds_differ(const struct splitter *s)
{
    for (size_t i = 1; i < s->jobs.n; i++) {
        const struct process *a = s->jobs.v[0].seed, *b = s->jobs.v[i].seed;

        if ((a->world_size && b->world_size && a->world_size != b->world_size) ||
            (a->versions.pytorch.n && b->versions.pytorch.n && !same_versions(&a->versions, &b->versions)))
            return true;
    }
    return false;
}

/* --- messages ----------------------------------------------------------------------------------------------------- */

static struct str used_words(struct splitter *s)
{
    struct str out = {"", 0};

    for (int e = 0; e < EVIDENCES; e++)
        if (s->used >> e & 1)
            out = arena_printf(s->arena, "%.*s%s%s", STR_ARG(out), out.n ? ", " : "", evidence_words[e]);
    return out.n ? out : STR("the rank that each has");
}

/* The ranks of a job's members: "ranks 0-3, 7". */
static struct str ranks_words(struct splitter *s, uint32_t job)
{
    int least = -1, most = -1;
    size_t n = 0;

    for (size_t i = 0; i < s->n; i++) {
        if (s->job_of[i] != job || s->members[i]->rank == RANK_UNKNOWN)
            continue;
        n++;
        least = least < 0 || s->members[i]->rank < least ? s->members[i]->rank : least;
        most = s->members[i]->rank > most ? s->members[i]->rank : most;
    }
    return n == 1 ? arena_printf(s->arena, "rank %d", least)
                  : arena_printf(s->arena, "%zu processes of ranks %d to %d", n, least, most);
}

static void report_jobs(struct splitter *s, uint32_t first_group)
{
    for (size_t i = 0; i < s->jobs.n && !s->run->jobs_reported; i++)
        message_add(&s->jobs.v[i].seed->input->messages, MSG_JOBS_SEPARATED, 0,
                    "run %zu: %.*s, one of %zu that overlap in time, assigned by %.*s", first_group + i + 1,
                    STR_ARG(ranks_words(s, (uint32_t)i)), s->jobs.n, STR_ARG(used_words(s)));
}

static void report_mixed(struct splitter *s, const struct process *p, size_t doubled)
{
    if (!s->run->jobs_reported)
        message_add(
            &p->input->messages, MSG_JOBS_MIXED, 0,
            "nothing shows which job rank %d belongs to; %zu rank%s there more than once, and they are shown as one "
            "run",
            p->rank, doubled, doubled == 1 ? " is" : "s are");
}

/* --- one group ---------------------------------------------------------------------------------------------------- */

/* The job of the process that started it, or the first job if nothing decides. */
static uint32_t job_of_other(struct splitter *s, const struct process *p, const struct map *places)
{
    uint64_t parent = p->parent ? map_number(places, MAP_KEY(p->parent)) : 0;
    int found = p->parent || p->rank == RANK_UNKNOWN ? -1 : job_of(s, p);

    if (parent)
        return s->job_of[parent - 1];
    return found < 0 ? 0 : (uint32_t)found;
}

/* NULL if every process has a job, else one whose job is unknown. */
static const struct process *assign(struct splitter *s)
{
    struct map taken;  /* job and rank -> its process */
    struct map places; /* process -> its index plus 1 */

    map_init(&taken, s->arena);
    map_init(&places, s->arena);
    for (size_t i = 0; i < s->n; i++) {
        const struct process *p = s->members[i];
        int found = is_of_rank(p) ? job_of(s, p) : 0;
        int key[2] = {found, p->rank};
        void **slot;

        if (found < 0)
            return p;
        *map_number_at(&places, MAP_KEY(p)) = i + 1;
        s->job_of[i] = (uint32_t)found;
        if (!is_of_rank(p))
            continue;
        slot = map_at_copy(&taken, MAP_KEY(key));
        if (*slot && !is_copy(*slot, p))
            return p;
        map_put_const(slot, p);
    }
    for (size_t i = 0; i < s->n; i++)
        if (!is_of_rank(s->members[i]))
            s->job_of[i] = job_of_other(s, s->members[i], &places);
    return NULL;
}

/* How many jobs the members belong to; 1 if it is one, or if that is unknown. */
static size_t split(struct splitter *s)
{
    const struct copies *most;
    const struct process *open;
    size_t doubled;

    map_init(&s->by_rank, s->arena);
    note_ranks(s);
    most = most_copies(s, &doubled);
    if (!most || most->list.n < 2)
        return 1;
    s->again = come_again(most);
    for (size_t i = 0; i < most->list.n && i < JOBS_MAX; i++)
        add_job(s, most->list.v[i]);
    open = doubled == 1 && !s->again && !seeds_differ(s) ? s->jobs.v[0].seed : assign(s);
    if (open)
        report_mixed(s, open, doubled);
    return open ? 1 : s->jobs.n;
}

/* The processes of each group, by time. */
struct members {
    VEC(struct process *) list;
};

static struct members *members_of(struct arena *a, const struct run *r)
{
    struct members *groups = ARENA_ARRAY(a, struct members, r->groups + 1);

    for (size_t i = 0; i < r->processes.n; i++)
        vec_push(a, &groups[r->processes.v[i]->group].list, r->processes.v[i]);
    return groups;
}

/* Returns the number after the last group. */
static uint32_t split_group(struct run *r, struct members *of, uint32_t group)
{
    struct splitter s = {.arena = arena_new(), .run = r, .members = of->list.v, .n = of->list.n};
    size_t jobs;

    s.job_of = ARENA_ARRAY(s.arena, uint32_t, s.n + 1);
    jobs = split(&s);
    for (size_t i = 0; i < s.n; i++)
        s.members[i]->group = group + (jobs > 1 ? s.job_of[i] : 0);
    if (jobs > 1)
        report_jobs(&s, group);
    buf_free(&s.key);
    arena_free(s.arena);
    return group + (uint32_t)jobs;
}

void jobs_separate(struct run *r)
{
    struct arena *scratch = arena_new();
    struct members *groups = members_of(scratch, r);
    uint32_t next = 0;

    for (uint32_t i = 0; i < r->groups; i++)
        next = split_group(r, &groups[i], next);
    r->groups = next;
    arena_free(scratch);
}
