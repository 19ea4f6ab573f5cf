#include "ranks/calls/collectives.h"

#include "ranks/calls/guard_lines.h"
#include "text/graphs/collective_place.h"

/* --- of a compile ------------------------------------------------------------------------------------------------- */

static bool is_of_part(const struct artifact *a, enum graph_part part)
{
    bool backward = a->backward || artifact_is(a, ARTIFACT_AOT_BACKWARD_GRAPH);

    return part == GRAPHS_ALL || backward == (part == GRAPHS_BACKWARD);
}

static bool is_source(const struct artifact *a, enum rank_facet f, enum graph_part part)
{
    return facet_of_artifact(a) == f && is_of_part(a, part);
}

static bool has_source(const struct compile *c, enum rank_facet f, enum graph_part part)
{
    for (size_t i = 0; i < c->artifacts.n; i++)
        if (is_source(c->artifacts.v[i], f, part))
            return true;
    return false;
}

/* The last graphs of the pipeline that the compile has, which are closest to the code. FACETS if it has none. */
static enum rank_facet last_graphs(const struct compile *c, enum graph_part part)
{
    static const enum rank_facet graphs[] = {FACET_POST_GRAD, FACET_PARTITION, FACET_GRAPH};

    for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++)
        if (has_source(c, graphs[i], part))
            return graphs[i];
    return FACETS;
}

struct call_list {
    VEC(const struct collective_call *) list;
};

static void list_calls(struct arena *a, struct contents *contents, const struct compile *c, enum rank_facet f,
                       enum graph_part part, struct call_list *out)
{
    for (size_t i = 0; i < c->artifacts.n; i++) {
        const struct collectives *calls =
            is_source(c->artifacts.v[i], f, part) ? contents_of(contents, c->artifacts.v[i]).calls : NULL;

        for (size_t k = 0; calls && k < calls->list.n; k++)
            vec_push(a, &out->list, &calls->list.v[k]);
    }
}

/* The calls of one operation in a group, in the order of the graph, to be assigned to the calls of the code. */
struct of_op {
    VEC(size_t) calls;
    size_t used;
};

static struct of_op *of_op(struct map *ops, const struct collective_call *c, struct buf *key)
{
    void **slot;

    key->n = 0;
    buf_printf(key, "%.*s\n%.*s\n%.*s", STR_ARG(c->op), STR_ARG(c->reduction), STR_ARG(c->group));
    slot = map_at_copy(ops, buf_view(key));
    if (!*slot)
        *slot = ARENA_NEW(ops->arena, struct of_op);
    return *slot;
}

/* The n-th call of an operation in the code is the n-th one in the graphs, which have its sizes. */
static void match_graphs(struct arena *a, struct schedule *code, const struct call_list *graphs)
{
    struct arena *scratch = arena_new();
    struct buf key = {0};
    struct map ops;

    map_init(&ops, scratch);
    for (size_t i = 0; i < graphs->list.n; i++)
        vec_push(scratch, &of_op(&ops, graphs->list.v[i], &key)->calls, i);
    for (size_t i = 0; i < code->list.n; i++) {
        struct collective_call *c = &code->list.v[i];
        struct of_op *of = of_op(&ops, c, &key);
        int64_t from = of->used < of->calls.n ? (int64_t)of->calls.v[of->used++] : -1;

        vec_push(a, &code->from, from);
        if (from >= 0) {
            c->dtype = graphs->list.v[from]->dtype;
            c->shape = graphs->list.v[from]->shape;
        }
    }
    buf_free(&key);
    arena_free(scratch);
}

void schedule_of(struct arena *a, struct contents *contents, const struct compile *c, enum graph_part part,
                 struct schedule *out)
{
    struct call_list graphs = {0}, code = {0};
    bool has_code = has_source(c, FACET_CODE, part);

    *out = (struct schedule){.compile = c, .part = part, .graphs = last_graphs(c, part)};
    if (out->graphs != FACETS)
        list_calls(a, contents, c, out->graphs, part, &graphs);
    if (has_code)
        list_calls(a, contents, c, FACET_CODE, part, &code);
    else
        code = graphs;
    for (size_t i = 0; i < code.list.n; i++)
        vec_push(a, &out->list, *code.list.v[i]);
    match_graphs(a, out, &graphs);
}

/* The calls of one graph, without waits. */
static void list_places(struct arena *a, struct contents *contents, const struct artifact *artifact,
                        struct collective_places *out)
{
    struct collective_places places;
    struct collective_call call;
    struct str rest;

    if (artifact->content) {
        vec_each(const struct collective_call, c, &artifact->content->calls) if (!collective_is_wait(c))
            vec_push(a, &out->list, ((struct collective_place){c->file, c->line, c->from_line}));
        return;
    }
    if (!contents_read(contents, artifact, READ_COMPLETE))
        return;
    rest = buf_view(&contents->text);
    collective_places_find(a, rest, &places);
    for (size_t i = 0; collective_next(&rest, &call); i++)
        if (!collective_is_wait(&call)) {
            places.list.v[i].file = arena_str(a, places.list.v[i].file);
            vec_push(a, &out->list, places.list.v[i]);
        }
}

static bool is_called_once(const struct schedule *s, const struct collective_call *call)
{
    size_t n = 0;

    for (size_t i = 0; i < s->list.n && n < 2; i++)
        n += str_eq(s->list.v[i].op, call->op);
    return n == 1;
}

void schedule_place(struct arena *a, struct contents *contents, struct schedule *s)
{
    struct collective_places places = {0};

    if (s->placed)
        return;
    s->placed = true;
    for (size_t i = 0; s->list.n && s->graphs != FACETS && i < s->compile->artifacts.n; i++)
        if (is_source(s->compile->artifacts.v[i], s->graphs, s->part))
            list_places(a, contents, s->compile->artifacts.v[i], &places);
    for (size_t i = 0; i < s->list.n; i++) {
        struct collective_call *c = &s->list.v[i];

        if (s->from.v[i] >= 0 && (size_t)s->from.v[i] < places.list.n) {
            c->file = places.list.v[s->from.v[i]].file;
            c->line = places.list.v[s->from.v[i]].line;
            c->from_line = places.list.v[s->from.v[i]].from_line;
        }
        if (is_called_once(s, c))
            guard_lines_place(a, contents, s->compile, c);
    }
}

bool same_collective(const struct collective_call *a, const struct collective_call *b)
{
    return str_eq(a->op, b->op) && str_eq(a->reduction, b->reduction) && str_eq(a->dtype, b->dtype) &&
           str_eq(a->shape, b->shape) && a->group_size == b->group_size;
}

struct str collective_words(struct arena *a, const struct collective_call *c)
{
    return arena_printf(a, "`%.*s`%s%.*s%.*s%s%.*s, group %.*s", STR_ARG(c->op), c->dtype.n ? " of " : "",
                        STR_ARG(c->dtype), STR_ARG(c->shape), c->reduction.n ? ", " : "", STR_ARG(c->reduction),
                        STR_ARG(c->group));
}

/* --- of a rank ---------------------------------------------------------------------------------------------------- */

void rank_steps_init(struct rank_steps *s, struct arena *a)
{
    *s = (struct rank_steps){0};
    map_init(&s->groups, a);
}

/* Compiled code may run a million times; differences between ranks show long before that. */
enum { STEPS_MAX = 200000 };

void rank_steps_add(struct rank_steps *s, struct arena *a, const struct rank_step *step)
{
    if (s->list.n >= STEPS_MAX) {
        s->cut = true;
        return;
    }
    vec_push(a, &s->list, *step);
    *map_at(&s->groups, step->call->group) = s;
}

void walker_init(struct walker *w, struct arena *a, struct contents *contents)
{
    *w = (struct walker){.arena = a, .contents = contents};
    map_init(&w->schedules, a);
}

static const struct schedule *schedule_in(struct walker *w, const struct compile *c, enum graph_part part)
{
    uintptr_t key[2] = {(uintptr_t)c, part};
    void **slot = map_at_copy(&w->schedules, MAP_KEY(key));
    struct schedule *s = *slot;

    if (!s) {
        *slot = s = ARENA_NEW(w->arena, struct schedule);
        schedule_of(w->arena, w->contents, c, part, s);
        schedule_place(w->arena, w->contents, s);
    }
    return s;
}

const struct rank_cell *steps_cell(const struct rank_row *row, const struct rank_member *m)
{
    const struct rank_cell *cell = rank_cell_of(row, m);

    while (!cell && row->before) {
        row = row->before;
        cell = rank_cell_of(row, m);
    }
    return cell;
}

void walker_add(struct walker *w, const struct rank_row *row, const struct compile *c, enum graph_part part,
                struct rank_steps *out)
{
    const struct schedule *s = schedule_in(w, c, part);

    for (size_t i = 0; i < s->list.n; i++)
        rank_steps_add(out, w->arena, &(struct rank_step){&s->list.v[i], row, c});
}

void walk_compiles(struct walker *w, const struct rank_matrix *m, const struct rank_member *member,
                   const struct rank_member *like, struct rank_steps *out)
{
    rank_steps_init(out, w->arena);
    for (const struct rank_row *row = m->first; row; row = row->next) {
        const struct rank_cell *cell = steps_cell(row, member), *same = steps_cell(row, like);

        if (cell && same && cell->row == same->row &&
            cell->print->facets[FACET_COLLECTIVES] == same->print->facets[FACET_COLLECTIVES])
            cell = same;
        if (cell)
            walker_add(w, row, cell->compile, GRAPHS_ALL, out);
    }
}

bool steps_same_groups(const struct rank_steps *a, const struct rank_steps *b)
{
    for (size_t i = 0; i < a->groups.n; i++)
        if (!map_get(&b->groups, a->groups.entries[i].key))
            return false;
    return a->groups.n == b->groups.n;
}

/* --- scheduled and written ---------------------------------------------------------------------------------------- */

enum side { SCHEDULED, EMITTED };

/* For one operation: how often it was scheduled, and how often the code calls it. */
struct op_counts {
    uint64_t of[2];
};

struct parity_counter {
    struct arena *arena;
    struct map ops; /* operation -> struct op_counts */
};

static void count_call(struct parity_counter *p, enum side side, struct str op)
{
    void **slot = map_at_copy(&p->ops, op);
    struct op_counts *counts = *slot;

    if (!counts)
        *slot = counts = ARENA_NEW(p->arena, struct op_counts);
    counts->of[side]++;
}

/* The operations in a JSON list of names. */
static void count_scheduled(struct parity_counter *p, struct str text, struct parity *out)
{
    struct str rest = text, line, name;

    while (str_next_line(&rest, &line))
        while (str_between(line, STR("\""), STR("\""), &name)) {
            struct str op = collective_op(name);

            if (str_eq(op, STR("wait_tensor")))
                out->scheduled_waits++;
            else if (op.n)
                count_call(p, SCHEDULED, op);
            line = str_skip(line, (size_t)(name.p + name.n + 1 - line.p));
        }
}

static void count_emitted(struct parity_counter *p, const struct collectives *calls, struct parity *out)
{
    for (size_t i = 0; calls && i < calls->list.n; i++)
        count_call(p, EMITTED, calls->list.v[i].op);
    out->waits += calls ? calls->waits : 0;
}

static void sum_up(const struct parity_counter *p, struct parity *out)
{
    for (size_t i = 0; i < p->ops.n; i++) {
        const struct op_counts *c = p->ops.entries[i].value;

        out->scheduled += c->of[SCHEDULED];
        out->emitted += c->of[EMITTED];
        out->offset +=
            c->of[SCHEDULED] > c->of[EMITTED] ? c->of[SCHEDULED] - c->of[EMITTED] : c->of[EMITTED] - c->of[SCHEDULED];
    }
}

static bool is_schedule(const struct artifact *a)
{
    return artifact_is(a, ARTIFACT_INDUCTOR_COLLECTIVE_SCHEDULE) && payload_may_be_shown(&a->payload) &&
           !payload_is_scattered(&a->payload);
}

/* The digest in the trace, if it was verified; else the digest of the text that was read. */
static struct digest digest_of_schedule(struct contents *contents, const struct artifact *a)
{
    bool right = (a->payload.flags & (PAYLOAD_CHECKED | PAYLOAD_BAD)) == PAYLOAD_CHECKED;

    return !right && contents_read(contents, a, READ_TEXT) ? digest_of(buf_view(&contents->text))
                                                           : a->payload.digest;
}

struct digest schedule_digest(struct contents *contents, const struct compile *c)
{
    struct digest_state state;
    bool any = false;

    for (size_t i = 0; i < c->artifacts.n; i++) {
        struct digest one;

        if (!is_schedule(c->artifacts.v[i]))
            continue;
        if (!any)
            digest_begin(&state);
        any = true;
        one = digest_of_schedule(contents, c->artifacts.v[i]);
        digest_add(&state, MAP_KEY(one));
    }
    return any ? digest_end(&state) : (struct digest){0};
}

static bool has_schedule(const struct compile *c)
{
    for (size_t i = 0; i < c->artifacts.n; i++)
        if (is_schedule(c->artifacts.v[i]))
            return true;
    return false;
}

bool parity_of(struct contents *contents, const struct compile *c, struct parity *out)
{
    struct parity_counter p = {0};
    bool scheduled = false, code = false;

    *out = (struct parity){.compile = c};
    if (!has_schedule(c))
        return false;
    p.arena = arena_new();
    map_init(&p.ops, p.arena);
    for (size_t i = 0; i < c->artifacts.n; i++) {
        const struct artifact *a = c->artifacts.v[i];

        if (is_schedule(a) && contents_read(contents, a, READ_TEXT)) {
            scheduled = true;
            count_scheduled(&p, buf_view(&contents->text), out);
        } else if (facet_of_artifact(a) == FACET_CODE) {
            code = true;
            count_emitted(&p, contents_of(contents, a).calls, out);
        }
    }
    sum_up(&p, out);
    arena_free(p.arena);
    return scheduled && code;
}

bool parity_is_wrong(const struct parity *p)
{
    return p->offset > 0 || p->waits < p->scheduled_waits;
}
