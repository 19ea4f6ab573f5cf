#include "analysis/code/graphs.h"

#include "model/read/artifact_text.h"
#include "text/graphs/output_code.h"
#include "util/map.h"

struct grouping {
    struct arena *arena;
    struct graphs *out;
    const struct artifact *before; /* the graph that entered Inductor last */
    struct map befores;            /* "3" of "3_forward" -> the graph it began as */
    int attempt;
    bool open; /* the last graph may still get more parts */
};

static struct graph *last(struct grouping *g)
{
    return g->open ? &g->out->list.v[g->out->list.n - 1] : NULL;
}

static struct graph *graph_for(struct grouping *g, const struct artifact *a)
{
    struct graph *now = last(g);

    if (now && str_eq(now->subgraph, a->subgraph))
        return now;
    now = vec_add(g->arena, &g->out->list);
    *now = (struct graph){.before = g->before, .subgraph = a->subgraph, .backward = a->backward};
    g->open = true;
    return now;
}

/* The first line of generated code has the name that AOTAutograd gave the graph. */
static struct str aot_id_of(struct arena *arena, const struct artifact *a)
{
    struct output_code code = {0};
    struct buf text = {0};

    if (artifact_read(a, READ_FIRST_LINE, &text))
        output_code_parse(arena, buf_view(&text), &code);
    buf_free(&text);
    return code.aot_id;
}

/* A backward graph may be compiled long after its forward graph, with others in between. */
static void add_code(struct grouping *g, const struct artifact *a)
{
    struct graph *now = graph_for(g, a);
    struct str rest, number;
    void **slot;

    now->code = a;
    now->aot_id = rest = aot_id_of(g->arena, a);
    number = str_split(&rest, '_');
    if (number.n == 0)
        return;
    slot = map_at(&g->befores, number);
    if (!*slot)
        map_put_const(slot, now->before);
    now->before = *slot;
}

static void add_part(struct grouping *g, enum lineage_part part, const struct artifact *a)
{
    const struct graph *now = last(g);

    switch (part) {
    case PART_BEFORE:
        g->before = a;
        g->open = false;
        break;
    case PART_OPENS:
        if (now && (now->after || now->code))
            g->open = false;
        break;
    case PART_AFTER:
        if (now && now->code)
            g->open = false;
        graph_for(g, a)->after = a;
        break;
    case PART_CODE:
        if (now && now->code)
            g->open = false;
        add_code(g, a);
        break;
    case PART_MAP:
        vec_push(g->arena, &graph_for(g, a)->maps, a);
        break;
    case PART_NONE:
        break;
    }
}

void graphs_find(struct arena *a, const struct compile *c, struct graphs *out)
{
    struct grouping g = {.arena = a, .out = out, .attempt = -1};
    size_t kept = 0;

    *out = (struct graphs){0};
    map_init(&g.befores, a);
    for (size_t i = 0; i < c->artifacts.n; i++) {
        const struct artifact *x = c->artifacts.v[i];
        enum lineage_part part = x->info ? x->info->part : PART_NONE;

        if (part == PART_NONE || !(x->payload.flags & PAYLOAD_PRESENT))
            continue;
        if (x->attempt > g.attempt) {
            g.before = NULL;
            g.open = false;
            g.attempt = x->attempt;
        }
        add_part(&g, part, x);
    }
    for (size_t i = 0; i < out->list.n; i++) /* a map alone is of no use */
        if (out->list.v[i].after || out->list.v[i].code)
            out->list.v[kept++] = out->list.v[i];
    out->list.n = kept;
}

struct str graph_title(struct arena *a, const struct graph *g)
{
    struct str rest = g->aot_id, number = str_split(&rest, '_');

    if (rest.n && rest.p[0] >= 'a' && rest.p[0] <= 'z')
        return arena_printf(a, "%c%.*s graph %.*s", rest.p[0] - 'a' + 'A', STR_ARG(str_skip(rest, 1)), STR_ARG(number));
    return g->backward ? STR("Backward graph") : STR("Graph");
}
