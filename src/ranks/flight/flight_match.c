#include "ranks/flight/flight_match.h"

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

/* A call in the code of a compile. */
struct site {
    struct schedule *schedule;
    size_t at;
};

struct sites {
    VEC(struct site) list;
};

/* The compiled code of one rank. */
struct matcher {
    struct arena *kept;  /* for words about calls */
    struct arena *arena; /* reset after each rank */
    struct contents *contents;
    struct map code; /* file that Inductor wrote -> compile */
    struct map ops;  /* name of the operation -> struct sites */
};

/* The name of an operation in graphs, for its name in process groups (torch/csrc/distributed/c10d, Functional.cpp). */
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

/* Takes the next size off "2, s0]"; -1 for a symbol. False at the end. */
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

/* A symbol matches any size. */
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

/* -1 if unknown. */
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

/* Whether a is n times b, as far as both are known. */
static bool is_times(struct str a, struct str b, uint64_t n)
{
    int64_t of_a = elements_of(a), of_b = elements_of(b);

    return of_a < 0 || of_b < 0 || n == 0 || n > ELEMENTS_MAX || of_b > ELEMENTS_MAX / (int64_t)n ||
           of_a == of_b * (int64_t)n;
}

/*
 * A gather returns the inputs of all ranks, and a scatter returns part of one; for other operations the result is as
 * large as the input.
 */
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

static void add_site(struct matcher *m, struct str op, const struct site *site)
{
    void **slot = op.n ? map_at(&m->ops, op) : NULL;

    if (!slot)
        return;
    if (!*slot)
        *slot = ARENA_NEW(m->arena, struct sites);
    vec_push(m->arena, &((struct sites *)*slot)->list, *site);
}

static void add_compile(struct matcher *m, const struct compile *c)
{
    struct schedule *schedule = ARENA_NEW(m->arena, struct schedule);

    schedule_of(m->arena, m->contents, c, GRAPHS_ALL, schedule);
    for (size_t i = 0; i < schedule->list.n; i++) {
        struct site site = {schedule, i};

        add_site(m, schedule->list.v[i].op, &site);
        add_site(m, found_under(&schedule->list.v[i]), &site);
    }
    for (size_t i = 0; i < c->artifacts.n; i++)
        if (facet_of_artifact(c->artifacts.v[i]) == FACET_CODE && c->artifacts.v[i]->detail.n)
            map_put_const(map_at(&m->code, str_file_name(c->artifacts.v[i]->detail)), c);
}

static void matcher_init(struct matcher *m, struct arena *kept, struct arena *scratch, struct contents *contents,
                         const struct process *p)
{
    *m = (struct matcher){.kept = kept, .arena = scratch, .contents = contents};
    map_init(&m->code, scratch);
    map_init(&m->ops, scratch);
    for (size_t i = 0; i < p->compiles.n; i++)
        add_compile(m, p->compiles.v[i]);
}

/* The call of generated code in a stack; NULL if the stack has none that is in the trace. */
static const struct call *code_in_stack(const struct matcher *m, const struct call *c)
{
    while (c && !map_get(&m->code, str_file_name(c->file)))
        c = c->parent;
    return c;
}

enum { NEIGHBORS_MAX = 8, SITES_MAX = 256 };

/* How many calls are also in the code: before (step -1) or after (step 1). */
static int neighbors(const struct flight_call *c, const struct site *site, ptrdiff_t step)
{
    ptrdiff_t entry = c->entry - c->dump->entries.v + step, at = (ptrdiff_t)site->at + step;
    int n = 0;

    while (n < NEIGHBORS_MAX && entry >= 0 && entry < (ptrdiff_t)c->dump->entries.n && at >= 0 &&
           at < (ptrdiff_t)site->schedule->list.n &&
           is_call(c->dump, &c->dump->entries.v[entry], &site->schedule->list.v[at])) {
        entry += step;
        at += step;
        n++;
    }
    return n;
}

/* When the compile of a site was finished, so that its code could be called (ns since 1970, UTC); 0 unknown. */
static int64_t compiled_ns(const struct site *site)
{
    const struct compile *c = site->schedule->compile;
    int64_t start, us;

    if (!compile_interval(c, &start, &us) || start <= 0 || start > INT64_MAX / 2000)
        return 0;
    if (!compile_metrics(c, METRICS_FORWARD) && !c->process->zone_known)
        return 0;
    return (start + us) * 1000;
}

static bool is_before(int64_t a_ns, int64_t b_ns)
{
    return a_ns && b_ns && a_ns < b_ns;
}

/*
 * A function is compiled because it is about to be called, so its collectives are the first ones after the compile.
 * Whether the call is the site's call in that first run.
 */
static bool is_first_run(const struct flight_call *c, const struct site *site)
{
    const struct flight_entry *first = c->dump->entries.v, *begin;
    int64_t compiled = compiled_ns(site);

    if (!compiled || site->at > (size_t)(c->entry - first))
        return false;
    begin = c->entry - site->at;
    return begin->created_ns >= compiled && (begin == first || is_before(begin[-1].created_ns, compiled));
}

static const struct collective_call *call_of(const struct site *site)
{
    return &site->schedule->list.v[site->at];
}

static bool is_candidate(const struct flight_call *c, const struct site *site)
{
    if (c->surely && site->schedule->compile != c->compile)
        return false;
    return fits(op_of(c), call_of(site)) && str_eq(call_of(site)->group, c->dump->groups.v[c->entry->group].name);
}

enum { FIRST_RUN = 2 * NEIGHBORS_MAX + 1 };

/* How well a site matches; -1 if it is impossible because its code did not exist yet. */
static int fit_of(const struct flight_call *c, const struct site *site)
{
    if (is_before(c->entry->created_ns, compiled_ns(site)))
        return -1;
    return neighbors(c, site, -1) + neighbors(c, site, 1) + (is_first_run(c, site) ? FIRST_RUN : 0);
}

/*
 * The best matching site; if the stack names a compile, one of that compile. Counts other compiles that match as well.
 */
static const struct site *best_site(const struct sites *sites, struct flight_call *c)
{
    const struct site *best = NULL;
    const struct compile *counted = NULL; /* sites of one compile are neighbors */
    int most = -1;

    for (size_t i = 0; sites && i < sites->list.n && i < SITES_MAX; i++) {
        const struct site *site = &sites->list.v[i];
        int fit = is_candidate(c, site) ? fit_of(c, site) : -1;

        if (fit > most) {
            c->others = 0;
            best = site;
            most = fit;
            counted = site->schedule->compile;
        } else if (best && fit == most && site->schedule->compile != counted) {
            c->others++;
            counted = site->schedule->compile;
        }
    }
    return best;
}

static void find_site(const struct matcher *m, struct flight_call *c)
{
    const struct sites *sites = map_get(&m->ops, graph_op(op_of(c)->name));
    const struct site *best;

    if (!sites) /* recorded under the name that graphs use, or under another one */
        sites = map_get(&m->ops, op_of(c)->name);
    best = best_site(sites, c);
    if (!best)
        return;
    c->compile = best->schedule->compile;
    schedule_place(m->arena, m->contents, best->schedule);
    c->file = call_of(best)->file.n ? arena_str(m->kept, call_of(best)->file) : (struct str){0};
    c->line = call_of(best)->line;
    c->from_line = call_of(best)->from_line;
}

/* A stack of compiled code ends at the line that calls the function, not at the collective's line inside it. */
static void match_call(const struct matcher *m, struct flight_call *c)
{
    const struct call *code, *user;

    if (!c->entry)
        return;
    code = code_in_stack(m, c->entry->stack);
    c->surely = code != NULL;
    if (code)
        c->compile = map_get(&m->code, str_file_name(code->file));
    if (c->surely || !c->entry->stack)
        find_site(m, c);
    user = stack_user_call(code ? code->parent : c->entry->stack);
    if (c->file.n == 0 && user && !is_framework_file(user->file)) {
        c->file = user->file;
        c->line = user->line;
    }
}

/* --- all calls that are shown ------------------------------------------------------------------------------------- */

/* Joins the calls of stops with code, on the rank that made them. */
static void match_stops(const struct matcher *m, struct flight_run *out, const struct flight_rank *rank)
{
    for (size_t i = 0; i < out->stops.n; i++) {
        struct flight_stop *s = &out->stops.v[i];

        if (s->call.entry && s->caller == rank->rank)
            match_call(m, &s->call);
        if (s->absent.n && s->absent.v[0] == rank->rank)
            match_call(m, &s->instead);
    }
}

void flight_match(struct arena *a, struct contents *contents, struct flight_run *out)
{
    struct arena *scratch = arena_new();

    for (size_t i = 0; i < out->ranks.n; i++) {
        struct matcher m;

        matcher_init(&m, a, scratch, contents, out->ranks.v[i]->process);
        match_call(&m, &out->ranks.v[i]->last);
        match_call(&m, &out->ranks.v[i]->current);
        match_stops(&m, out, out->ranks.v[i]);
        arena_reset(scratch);
    }
    arena_free(scratch);
}
