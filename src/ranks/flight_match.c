#include "ranks/flight_match.h"

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
    struct fingerprinter *prints;
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

    schedule_of(j->arena, j->prints, c, schedule);
    for (size_t i = 0; i < schedule->list.n; i++) {
        struct site site = {c, schedule, i};

        add_site(j, schedule->list.v[i].op, &site);
        add_site(j, found_under(&schedule->list.v[i]), &site);
    }
    for (size_t i = 0; i < c->artifacts.n; i++)
        if (facet_of_artifact(c->artifacts.v[i]) == FACET_CODE && c->artifacts.v[i]->detail.n)
            *map_at(&j->code, str_file_name(c->artifacts.v[i]->detail)) = (void *)c;
}

static void joiner_init(struct joiner *j, struct arena *scratch, struct fingerprinter *f, const struct process *p)
{
    *j = (struct joiner){.arena = scratch, .prints = f};
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

/* --- all calls that are shown ---------------------------------------------------------------------------------------
 */

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

void flight_match(struct fingerprinter *prints, struct flight_run *out)
{
    struct arena *scratch = arena_new();

    for (size_t i = 0; i < out->ranks.n; i++) {
        struct joiner j;

        joiner_init(&j, scratch, prints, out->ranks.v[i]->process);
        join_call(&j, &out->ranks.v[i]->last);
        join_call(&j, &out->ranks.v[i]->current);
        join_stops(&j, out, out->ranks.v[i]);
        arena_reset(scratch);
    }
    arena_free(scratch);
}
