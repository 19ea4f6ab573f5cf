#include "analysis/rank_flight.h"

#include "input/limits.h"

#include <stdlib.h>

const char *flight_verdict_name(enum flight_verdict v)
{
    static const char *const names[FLIGHT_VERDICTS] = {"not_reached", "different", "waiting"};

    return names[v];
}

static const struct flight_op *op_of(const struct flight_call *c)
{
    return &c->dump->ops.v[c->entry->op];
}

struct str flight_words(struct arena *a, const struct flight_call *c)
{
    const struct flight_op *op = op_of(c);
    const struct flight_group *g = &c->dump->groups.v[c->entry->group];
    bool out = op->out_shape.n > 0;

    return arena_printf(a, "`%.*s`%s%.*s%s%.*s%.*s, number %llu of group %.*s", STR_ARG(op->name),
                        op->peers.n ? " " : "", STR_ARG(op->peers), out ? " of " : "",
                        STR_ARG(out ? op->out_dtype : op->out_shape), STR_ARG(op->out_shape),
                        (unsigned long long)c->entry->number, STR_ARG(g->name));
}

/* --- whose code calls it ------------------------------------------------------------------------------------------ */

/* A place in the code of a compile. */
struct site {
    const struct compile *compile;
    const struct schedule *schedule;
    size_t at;
};

struct sites {
    VEC(struct site) list;
};

/* The compiled code of one rank. */
struct joiner {
    struct arena *arena; /* forgotten behind the rank */
    struct signer *signer;
    struct map code; /* file that Inductor wrote -> compile */
    struct map ops;  /* name of the operation -> struct sites */
};

/* Operations of graphs by what process groups call them (torch/csrc/distributed/c10d, Functional.cpp). */
static struct str graph_op(struct str name)
{
    static const struct {
        struct str recorded, op;
    } rows[] = {
        {STR_INIT("allreduce_coalesced"), STR_INIT("all_reduce_coalesced")},
        {STR_INIT("_all_gather_base"), STR_INIT("all_gather_into_tensor")},
        {STR_INIT("all_gather_single"), STR_INIT("all_gather_into_tensor")},
        {STR_INIT("all_gather"), STR_INIT("all_gather_into_tensor")},
        {STR_INIT("_reduce_scatter_base"), STR_INIT("reduce_scatter_tensor")},
        {STR_INIT("reduce_scatter_single"), STR_INIT("reduce_scatter_tensor")},
        {STR_INIT("reduce_scatter"), STR_INIT("reduce_scatter_tensor")},
        {STR_INIT("all_to_all"), STR_INIT("all_to_all_single")},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (str_eq(name, rows[i].recorded))
            return rows[i].op;
    return name;
}

/* Takes the next size off "2, s0]"; -1 when it is a symbol. False at the end. */
static bool next_size(struct str *shape, int64_t *out)
{
    struct str word;

    if (shape->n == 0)
        return false;
    word = str_trim(str_split(shape, ','));
    word = str_trim(str_ends(word, STR("]")) ? str_drop(word, 1) : word);
    if (word.n == 0)
        return false;
    if (!str_i64(word, out))
        *out = -1;
    return true;
}

/* Symbols fit any size. */
static bool same_shape(struct str graph, struct str recorded)
{
    int64_t a = 0, b = 0;
    bool more_a, more_b;

    graph = str_skip(graph, 1);
    recorded = str_skip(recorded, 1);
    do {
        more_a = next_size(&graph, &a);
        more_b = next_size(&recorded, &b);
        if (more_a != more_b || (more_a && a >= 0 && a != b))
            return false;
    } while (more_a);
    return true;
}

#define ELEMENTS_MAX (INT64_MAX / 4)

/* -1 when it cannot be told. */
static int64_t elements_of(struct str shape)
{
    int64_t n = 1, size;

    for (shape = str_skip(shape, 1); next_size(&shape, &size);)
        if (size < 0 || (size > 0 && n > ELEMENTS_MAX / size))
            return -1;
        else
            n *= size;
    return n;
}

/* Whether a is n times b, as far as both can be told. */
static bool is_times(struct str a, struct str b, uint64_t n)
{
    int64_t of_a = elements_of(a), of_b = elements_of(b);

    return of_a < 0 || of_b < 0 || n == 0 || n > ELEMENTS_MAX || of_b > ELEMENTS_MAX / (int64_t)n ||
           of_a == of_b * (int64_t)n;
}

/* A gather returns what all ranks give, a scatter a part of it; of others the result is as large as what goes in. */
static bool fits(const struct flight_op *op, const struct collective_call *c)
{
    if (c->dtype.n && op->out_dtype.n && !str_eq(c->dtype, op->out_dtype))
        return false;
    if (c->shape.n == 0 || op->out_shape.n == 0)
        return true;
    if (str_eq(c->op, STR("all_gather_into_tensor")))
        return is_times(c->shape, op->in_shape, c->group_size);
    if (str_eq(c->op, STR("reduce_scatter_tensor")))
        return is_times(op->in_shape, c->shape, c->group_size);
    return same_shape(c->shape, op->out_shape);
}

static bool is_call(const struct flight_dump *dump, const struct flight_entry *e, const struct collective_call *c)
{
    const struct flight_op *op = &dump->ops.v[e->op];

    return !e->p2p && str_eq(graph_op(op->name), c->op) && str_eq(dump->groups.v[e->group].name, c->group) &&
           fits(op, c);
}

/* Gloo has no reduce_scatter of its own: it reduces, and takes a part (ProcessGroupGloo.cpp). */
static struct str found_under(const struct collective_call *c)
{
    return str_eq(c->op, STR("reduce_scatter_tensor")) ? STR("all_reduce") : (struct str){0};
}

static void add_site(struct joiner *j, struct str op, const struct site *site)
{
    void **slot = op.n ? map_at(&j->ops, op) : NULL;

    if (!slot)
        return;
    if (!*slot)
        *slot = ARENA_NEW(j->arena, struct sites);
    vec_push(j->arena, &((struct sites *)*slot)->list, *site);
}

static void add_compile(struct joiner *j, const struct compile *c)
{
    struct schedule *schedule = ARENA_NEW(j->arena, struct schedule);

    schedule_of(j->arena, j->signer, c, schedule);
    for (size_t i = 0; i < schedule->list.n; i++) {
        struct site site = {c, schedule, i};

        add_site(j, schedule->list.v[i].op, &site);
        add_site(j, found_under(&schedule->list.v[i]), &site);
    }
    for (size_t i = 0; i < c->artifacts.n; i++)
        if (facet_of_artifact(c->artifacts.v[i]) == FACET_CODE && c->artifacts.v[i]->detail.n)
            *map_at(&j->code, str_file_name(c->artifacts.v[i]->detail)) = (void *)c;
}

static void joiner_init(struct joiner *j, struct arena *scratch, struct signer *s, const struct process *p)
{
    *j = (struct joiner){.arena = scratch, .signer = s};
    map_init(&j->code, scratch);
    map_init(&j->ops, scratch);
    for (size_t i = 0; i < p->compiles.n; i++)
        add_compile(j, p->compiles.v[i]);
}

/* The call of generated code in a stack; NULL when there is none that the trace knows. */
static const struct call *code_in_stack(const struct joiner *j, const struct call *c)
{
    while (c && !map_get(&j->code, str_file_name(c->file)))
        c = c->parent;
    return c;
}

enum { NEIGHBOURS_MAX = 8, SITES_MAX = 256 };

/* How many calls before and behind are those of the code, too. */
static uint32_t neighbours(const struct flight_call *c, const struct site *site)
{
    const struct flight_entry *first = c->dump->entries.v, *end = first + c->dump->entries.n;
    uint32_t n = 0;

    for (size_t k = 1; k <= NEIGHBOURS_MAX && k <= site->at && k <= (size_t)(c->entry - first); k++, n++)
        if (!is_call(c->dump, c->entry - k, &site->schedule->list.v[site->at - k]))
            break;
    for (size_t k = 1; k <= NEIGHBOURS_MAX && site->at + k < site->schedule->list.n && c->entry + k < end; k++, n++)
        if (!is_call(c->dump, c->entry + k, &site->schedule->list.v[site->at + k]))
            break;
    return n;
}

/* Among the code that fits, that with most equal neighbours; of a compile that the stack names, its own. */
static void find_site(const struct joiner *j, struct flight_call *c)
{
    const struct sites *sites = map_get(&j->ops, graph_op(op_of(c)->name));
    const struct site *best = NULL;
    uint32_t most = 0, n;

    if (!sites) /* recorded under a name that graphs have as it is, or as another one */
        sites = map_get(&j->ops, op_of(c)->name);
    for (size_t i = 0; sites && i < sites->list.n && i < SITES_MAX; i++) {
        const struct site *site = &sites->list.v[i];

        if ((c->surely && site->compile != c->compile) || !fits(op_of(c), &site->schedule->list.v[site->at]) ||
            !str_eq(site->schedule->list.v[site->at].group, c->dump->groups.v[c->entry->group].name))
            continue;
        n = neighbours(c, site);
        if (best && n == most && site->compile != best->compile)
            c->others++;
        if (best && n <= most)
            continue;
        c->others = 0;
        best = site;
        most = n;
    }
    if (!best)
        return;
    c->compile = best->compile;
    c->file = best->schedule->list.v[best->at].file;
    c->line = best->schedule->list.v[best->at].line;
}

static void join_call(const struct joiner *j, struct flight_call *c)
{
    const struct call *code, *user;

    if (!c->entry)
        return;
    code = code_in_stack(j, c->entry->stack);
    c->surely = code != NULL;
    if (code)
        c->compile = map_get(&j->code, str_file_name(code->file));
    if (c->surely || !c->entry->stack)
        find_site(j, c);
    user = stack_user_call(code ? code->parent : c->entry->stack);
    if (user && !is_framework_file(user->file)) {
        c->file = user->file;
        c->line = user->line;
    }
}

/* --- one rank ----------------------------------------------------------------------------------------------------- */

/* The first call that is not completed, and the last that is: of all dumps of the rank, by time. */
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

/* --- process groups ----------------------------------------------------------------------------------------------- */

/* What one rank did in one group. */
struct track {
    struct flight_rank *rank;
    const struct flight_dump *dump;
    uint32_t group;                  /* in the dump */
    const struct flight_entry *open; /* of the lowest number that is not completed; NULL */
    int64_t last;                    /* number of the last call; -1 none */
};

/* A group, as all of its ranks have it. */
struct team {
    const struct flight_group *facts; /* of the first that tells its members, else of the first */
    VEC(struct track) tracks;         /* by rank */
    struct map calls;                 /* number -> struct first_call */
    bool differ;
    uint64_t first_difference;
};

/* What the first rank that has a number called, for the others to be compared with. */
struct first_call {
    const struct flight_dump *dump;
    const struct flight_entry *entry;
    const struct flight_dump *compared; /* the last: what follows of that number are parts of the same call */
};

struct teams {
    struct arena *arena;
    struct map by_name; /* library, name and members -> struct team */
    struct map of_any;  /* name and members -> the first such team of any library */
    VEC(struct team *) list;
    struct buf key;
};

/* Ranks of a mesh use groups of equal names that are not the same group: members tell, where they are told. */
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

/* What each rank gives and gets there may differ. */
static bool sizes_may_differ(struct str op)
{
    static const struct str prefixes[] = {STR_INIT("all_to_all"), STR_INIT("alltoall"),  STR_INIT("gather"),
                                          STR_INIT("scatter"),    STR_INIT("coalesced"), STR_INIT("barrier")};

    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (str_starts(op, prefixes[i]))
            return true;
    return str_ends(op, STR("_v")) || str_ends(op, STR("_coalesced"));
}

static bool same_op(const struct flight_op *a, const struct flight_op *b)
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
    if (same_op(&first->dump->ops.v[first->entry->op], &dump->ops.v[e->op]))
        return;
    if (!team->differ || e->number < team->first_difference)
        team->first_difference = e->number;
    team->differ = true;
}

/* The newest dump of a rank comes last, and takes the place of an older one. */
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

        if (e->p2p)
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

static bool has_rank(const struct team *team, int rank)
{
    for (size_t i = 0; i < team->tracks.n; i++)
        if (team->tracks.v[i].rank->rank == rank)
            return true;
    return false;
}

/* Of groups in which the dump has no call, it may still say how many there were. */
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
        if (team && !has_rank(team, rank->rank))
            vec_push(t->arena, &team->tracks, track);
    }
}

/* --- where they stand still --------------------------------------------------------------------------------------- */

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

static int by_rank(const void *pa, const void *pb)
{
    int a = *(const int *)pa, b = *(const int *)pb;

    return (a > b) - (a < b);
}

/*
 * Members that never called anything there. Where dumps do not tell members, only those of the default group are known.
 */
static void add_missing(struct stop_finder *f, const struct team *team, struct flight_stop *stop)
{
    size_t n = team->facts->ranks.n ? team->facts->ranks.n : is_default(team->facts) ? f->members.n : 0;

    for (size_t i = 0; i < n; i++) {
        uint64_t member = team->facts->ranks.n ? team->facts->ranks.v[i] : (uint64_t)f->members.v[i];
        int rank = member <= LIMIT_RANK ? (int)member : RANK_UNKNOWN;

        if (rank == RANK_UNKNOWN || has_rank(team, rank))
            continue;
        if (with_dump(f->out, rank))
            vec_push(f->arena, &stop->absent, rank);
        else
            vec_push(f->arena, &stop->silent, rank);
    }
    if (stop->absent.n)
        qsort(stop->absent.v, stop->absent.n, sizeof *stop->absent.v, by_rank);
}

/* The call that most ranks made; of equally many that of the lowest rank. NULL entries are of ranks that made none. */
static const struct flight_op *usual_op(const struct flight_op *const *ops, size_t n)
{
    const struct flight_op *best = NULL;
    size_t most = 0;

    for (size_t i = 0; i < n && most * 2 < n; i++) {
        size_t same = 0;

        for (size_t k = 0; ops[i] && k < n; k++)
            same += ops[k] && same_op(ops[i], ops[k]);
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
        if (usual && same_op(usual, ops[i])) {
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

static void find_stop(struct stop_finder *f, const struct team *team)
{
    struct flight_stop stop = {.group = team->facts->name, .about = team->facts->about};
    bool open = false;

    for (size_t i = 0; i < team->tracks.n; i++) {
        const struct flight_entry *e = team->tracks.v[i].open;

        if (e && (!open || e->number < stop.number)) {
            open = true;
            stop.number = e->number;
        }
    }
    if (team->differ && (!open || team->first_difference <= stop.number)) {
        stop.verdict = FLIGHT_DIFFERENT;
        stop.number = team->first_difference;
        add_different(f, team, &stop);
    } else if (open) {
        add_waiting(f, team, &stop);
    } else {
        return;
    }
    if (stop.call.entry) /* what differs may stand in a dump that a newer one of the rank took the place of */
        vec_push(f->arena, &f->out->stops, stop);
}

/* --- order -------------------------------------------------------------------------------------------------------- */

/* A rank that others miss and that waits for nobody is where it began. */
static bool is_cause(const struct flight_stop *s)
{
    return s->verdict == FLIGHT_DIFFERENT || (s->verdict == FLIGHT_NOT_REACHED && !s->instead.entry);
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
    if (c == 0 && a->waiting.n)
        c = (a->waiting.v[0] > b->waiting.v[0]) - (a->waiting.v[0] < b->waiting.v[0]);
    return c;
}

/* Joins the calls of stops on the rank that made them. */
static void join_stops(const struct joiner *j, struct flight_run *out, const struct flight_rank *rank)
{
    for (size_t i = 0; i < out->stops.n; i++) {
        struct flight_stop *s = &out->stops.v[i];

        if (s->call.entry && s->caller == rank->rank)
            join_call(j, &s->call);
        if (s->absent.n && s->absent.v[0] == rank->rank)
            join_call(j, &s->instead);
    }
}

static void join_ranks(struct signer *signer, struct flight_run *out)
{
    struct arena *scratch = arena_new();

    for (size_t i = 0; i < out->ranks.n; i++) {
        struct joiner j;

        joiner_init(&j, scratch, signer, out->ranks.v[i]->process);
        join_call(&j, &out->ranks.v[i]->last);
        join_call(&j, &out->ranks.v[i]->current);
        join_stops(&j, out, out->ranks.v[i]);
        arena_reset(scratch);
    }
    arena_free(scratch);
}

/* Ranks of the run, and those that have dumps; processes are in the order of ranks. */
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
    struct teams teams = {.arena = arena_new()};

    map_init(&teams.by_name, teams.arena);
    map_init(&teams.of_any, teams.arena);
    for (size_t i = 0; i < f->out->ranks.n; i++)
        for (size_t k = 0; k < f->out->ranks.v[i]->process->flights.n; k++)
            follow(&teams, f->out->ranks.v[i], f->out->ranks.v[i]->process->flights.v[k]);
    for (size_t i = 0; i < f->out->ranks.n; i++)
        for (size_t k = 0; k < f->out->ranks.v[i]->process->flights.n; k++)
            follow_counts(&teams, f->out->ranks.v[i], f->out->ranks.v[i]->process->flights.v[k]);
    for (size_t i = 0; i < teams.list.n; i++)
        find_stop(f, teams.list.v[i]);
    buf_free(&teams.key);
    arena_free(teams.arena);
    if (f->out->stops.n)
        qsort(f->out->stops.v, f->out->stops.n, sizeof *f->out->stops.v, by_weight);
    f->out->stop_count = f->out->stops.n;
    if (f->out->stops.n > FLIGHT_STOPS_MAX)
        f->out->stops.n = FLIGHT_STOPS_MAX;
}

struct flight_run *flight_find(struct arena *a, struct signer *s, const struct run *r, uint32_t group)
{
    struct flight_run *out = ARENA_NEW(a, struct flight_run);
    struct stop_finder f = {.arena = a, .run = r, .out = out};

    out->group = group;
    find_members(&f, group);
    if (out->ranks.n == 0)
        return NULL;
    find_stops(&f);
    join_ranks(s, out);
    return out;
}
