/*
 * The artifacts of a compile: its pipeline, changes since the previous compile, and what the passes did to the graphs.
 */
#include "view/page.h"
#include "view/page_objects.h"

#include "util/map.h"
#include "view/format.h"

/* --- against the compile before ----------------------------------------------------------------------------------- */

/* Artifacts of the previous compile, by the key of an artifact of this one. */
struct earlier {
    struct map by_key;
    struct map counts; /* how often a name occurred, to number the second forward graph */
    const struct compile *compile;
};

/*
 * The key that two artifacts of two compiles share if they correspond to each other: the name, the subgraph, whether it
 * is of the backward graph, and the number among artifacts of that kind, a line each.
 */
static struct str key_of(struct arena *a, struct map *counts, const struct artifact *x)
{
    struct str kind = arena_printf(a, "%.*s\n%.*s\n%d", STR_ARG(x->name), STR_ARG(x->subgraph), x->backward);
    uint64_t *number = map_number_at_kept(counts, kind);

    return arena_printf(a, "%.*s\n%llu", STR_ARG(kind), (unsigned long long)(*number)++);
}

static void earlier_init(struct earlier *e, const struct view *v, const struct compile *c)
{
    struct map counts;
    size_t at = c->frame ? compile_position(c) : 0;

    map_init(&e->by_key, v->scratch);
    map_init(&e->counts, v->scratch);
    map_init(&counts, v->scratch);
    e->compile = at > 0 ? c->frame->compiles.v[at - 1] : NULL;
    for (size_t i = 0; e->compile && i < e->compile->artifacts.n; i++) {
        struct artifact *x = e->compile->artifacts.v[i];

        *map_at(&e->by_key, key_of(v->scratch, &counts, x)) = x;
    }
}

static bool is_inline(const struct view *v, const struct artifact *a)
{
    return view_placement(v, a)->stored == STORED_INLINE;
}

static bool is_equal(const struct artifact *a, const struct artifact *b)
{
    const struct payload *p = &a->payload, *q = &b->payload;

    return (p->flags & q->flags & PAYLOAD_DIGEST) && p->text_bytes == q->text_bytes &&
           digest_eq(&p->digest, &q->digest);
}

/* Whether they differ, and a reader can open both. */
static bool is_comparable(const struct view *v, const struct artifact *a, const struct artifact *b)
{
    return !is_equal(a, b) && is_inline(v, a) && is_inline(v, b);
}

struct artifact_pair {
    struct str title;
    const struct artifact *from, *to;
};

struct artifact_pairs {
    VEC(struct artifact_pair) list;
};

/* NULL if the previous compile has no such artifact. */
static const struct artifact_pair *earlier_of(const struct view *v, struct earlier *e, const struct artifact *a)
{
    const struct artifact *from = map_get(&e->by_key, key_of(v->scratch, &e->counts, a));
    struct artifact_pair *pair;

    if (!from || !artifact_has_payload(from) || !artifact_has_payload(a) ||
        view_shown(v, e->compile) != SHOWN_DETAILED)
        return NULL;
    pair = ARENA_NEW(v->scratch, struct artifact_pair);
    *pair = (struct artifact_pair){format_compile(v->scratch, e->compile), from, a};
    return pair;
}

bool page_find_pair(const struct view *v, const struct compile *a, const struct compile *b, struct str name,
                    const struct artifact **from, const struct artifact **to)
{
    struct map of_a, counts_a, counts_b;

    if (!a || !b || a == b || view_shown(v, a) != SHOWN_DETAILED || view_shown(v, b) != SHOWN_DETAILED)
        return false;
    map_init(&of_a, v->scratch);
    map_init(&counts_a, v->scratch);
    map_init(&counts_b, v->scratch);
    for (size_t i = 0; i < a->artifacts.n; i++)
        if (str_eq(a->artifacts.v[i]->name, name))
            *map_at(&of_a, key_of(v->scratch, &counts_a, a->artifacts.v[i])) = a->artifacts.v[i];
    for (size_t i = 0; i < b->artifacts.n; i++) {
        if (!str_eq(b->artifacts.v[i]->name, name))
            continue;
        *to = b->artifacts.v[i];
        *from = map_get(&of_a, key_of(v->scratch, &counts_b, *to));
        if (*from && is_comparable(v, *from, *to))
            return true;
    }
    return false;
}

/* --- what a cache made superfluous -------------------------------------------------------------------------------- */

static bool was_hit(const struct compile *c, enum cache_layer layer)
{
    vec_each(const struct cache_event, e,
             &c->cache_events) if (e->layer == layer && e->outcome == CACHE_HIT) return true;
    return false;
}

static bool has_payload_of(const struct compile *c, enum artifact_id id)
{
    for (size_t i = 0; i < c->artifacts.n; i++)
        if (artifact_is(c->artifacts.v[i], id) && artifact_has_payload(c->artifacts.v[i]))
            return true;
    return false;
}

/* Artifacts that a reader would expect in a stage and not find, because the result came from a cache. */
static const struct {
    enum stage stage;
    enum cache_layer layer;
    enum artifact_id artifact;
    struct str words;
} absences[] = {
    {STAGE_PRE_GRAD, CACHE_AOTAUTOGRAD, ARTIFACT_BEFORE_PRE_GRAD_GRAPH,
     STR_INIT("Not run: AOTAutograd's cache had the result.")},
    {STAGE_POST_GRAD, CACHE_FX_GRAPH, ARTIFACT_BEFORE_POST_GRAD_GRAPH,
     STR_INIT("Not run: the FX graph cache had the result. Graph and code are those of the compile that filled it.")},
    {STAGE_KERNELS, CACHE_FX_GRAPH, ARTIFACT_INDUCTOR_PROVENANCE_TRACKING_NODE_MAPPINGS,
     STR_INIT(
         "Not generated: the kernels came with the FX graph. Provenance is kept only by the compile that filled the "
         "cache.")},
};

static json_t *absences_of(const struct compile *c, enum stage stage)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < sizeof absences / sizeof *absences; i++)
        if (absences[i].stage == stage && was_hit(c, absences[i].layer) && !has_payload_of(c, absences[i].artifact))
            json_push(list, json_of_str(absences[i].words));
    return list;
}

/* --- the pipeline ------------------------------------------------------------------------------------------------- */

struct pipeline_item {
    const struct artifact *artifact;
    struct earlier *earlier;
};

/* Headings of the pipeline in order: stages, then those from labels and of other programs' artifacts. */
struct headings {
    const struct view *v;
    json_t *stages[STAGE_COUNT];
    struct map others; /* heading -> map of name -> list of items: equal names are next to each other */
};

static json_t *others_of(struct headings *h, struct str heading, struct str name)
{
    struct map *names = MAP_OBJECT(&h->others, heading, struct map);
    void **items;

    if (!names->arena)
        map_init(names, h->v->scratch);
    items = map_at(names, name);
    if (!*items)
        *items = json_new_array();
    return *items;
}

static void add_item(struct headings *h, const struct artifact *a, json_t *o)
{
    if (!a->info)
        json_push(others_of(h, STR("From other programs"), a->name), o);
    else if (a->info->group)
        json_push(others_of(h, str_of(a->info->group), a->name), o);
    else
        json_push(h->stages[a->info->stage], o);
}

struct heading {
    struct str title;
    json_t *items, *absent;
};

/* Takes items and absent over. */
static void add_heading(const struct view *v, json_t *list, const struct heading *h)
{
    if (json_array_size(h->items) || json_array_size(h->absent)) {
        json_push(list, page_stage(v, h));
        return;
    }
    json_decref(h->items);
    json_decref(h->absent);
}

static void add_others(const struct view *v, json_t *list, struct str heading, struct map *names)
{
    json_t *items = json_new_array();

    for (size_t i = 0; i < names->n; i++) {
        json_array_extend(items, names->entries[i].value);
        json_decref(names->entries[i].value);
    }
    add_heading(v, list, &(struct heading){heading, items, json_new_array()});
}

json_t *page_stages(const struct view *v, const struct compile *c)
{
    struct headings h = {.v = v};
    struct earlier earlier;
    json_t *list = json_new_array();

    map_init(&h.others, v->scratch);
    earlier_init(&earlier, v, c);
    for (int stage = 0; stage < STAGE_COUNT; stage++)
        h.stages[stage] = json_new_array();
    for (size_t i = 0; i < c->artifacts.n; i++)
        add_item(&h, c->artifacts.v[i],
                 page_pipeline_item(v, &(struct pipeline_item){c->artifacts.v[i], &earlier}));
    for (int stage = 0; stage < STAGE_COUNT; stage++)
        add_heading(v, list,
                    &(struct heading){str_of(stage_title((enum stage)stage)), h.stages[stage],
                                      absences_of(c, (enum stage)stage)});
    for (size_t i = 0; i < h.others.n; i++)
        add_others(v, list, h.others.entries[i].key, h.others.entries[i].value);
    return list;
}

/* --- pass by pass ------------------------------------------------------------------------------------------------- */

/* The role of a graph in a chain of passes: "before_joint_graph" begins "joint", "vllm_post_grad.0.Fuse" is a step. */
struct link_of_chain {
    enum pass_role role;
    struct str chain; /* which passes; equal for all graphs of a chain */
    struct str pass;  /* for a step: the pass */
};

/*
 * How PyTorch and others name graphs by passes, for names that are not in the catalog; the rest of the name is the
 * chain or the step.
 */
static const struct {
    struct str prefix, suffix;
    enum pass_role role;
    struct str chain; /* empty: the rest of the name */
} link_rules[] = {
    {STR_INIT("before_"), STR_INIT(""), ROLE_BEGIN, STR_INIT("")},
    {STR_INIT("after_"), STR_INIT(""), ROLE_END, STR_INIT("")},
    {STR_INIT(""), STR_INIT("_before"), ROLE_BEGIN, STR_INIT("")},
    {STR_INIT(""), STR_INIT("_after"), ROLE_END, STR_INIT("")},
    {STR_INIT(""), STR_INIT("_ORIGINAL_BYTECODE"), ROLE_BEGIN, STR_INIT("")},
    {STR_INIT(""), STR_INIT("_MODIFIED_BYTECODE"), ROLE_END, STR_INIT("")},
    {STR_INIT("vllm_post_grad."), STR_INIT(""), ROLE_STEP, STR_INIT("post_grad")},
    {STR_INIT(""), STR_INIT("_post_grad"), ROLE_STEP, STR_INIT("post_grad")},
    {STR_INIT(""), STR_INIT("_pre_grad"), ROLE_STEP, STR_INIT("pre_grad")},
};

static struct str without_end(struct str s, struct str end)
{
    return str_ends(s, end) ? str_drop(s, end.n) : s;
}

static struct link_of_chain link_of(const struct artifact *a)
{
    struct str name = a->name;

    if (a->info && a->info->role)
        return (struct link_of_chain){a->info->role, str_of(a->info->chain), {0}};
    for (size_t i = 0; i < sizeof link_rules / sizeof *link_rules; i++) {
        struct str prefix = link_rules[i].prefix, suffix = link_rules[i].suffix, rest;

        if (name.n <= prefix.n + suffix.n || !str_starts(name, prefix) || !str_ends(name, suffix))
            continue;
        rest = without_end(str_drop(str_skip(name, prefix.n), suffix.n), STR("_graph"));
        return (struct link_of_chain){link_rules[i].role, link_rules[i].chain.n ? link_rules[i].chain : rest, rest};
    }
    return (struct link_of_chain){ROLE_NONE, {0}, {0}};
}

/* The passes between two graphs, in words. */
static struct str words_of(struct arena *a, struct link_of_chain link)
{
    if (link.role == ROLE_STEP)
        return link.pass;
    if (str_eq(link.chain, STR("pre_grad")))
        return STR("Pre-grad passes");
    if (str_eq(link.chain, STR("joint")))
        return STR("Joint graph passes");
    if (str_eq(link.chain, STR("post_grad")))
        return STR("Post-grad passes");
    return arena_str(a, link.chain);
}

/* A chain that has begun. */
struct chain {
    const struct artifact *first, *last;
    bool steps;
};

static void extend(struct arena *a, struct chain *chain, struct link_of_chain link, const struct artifact *x,
                   struct artifact_pairs *to)
{
    bool ends = link.role == ROLE_END && chain->steps;
    struct str words = words_of(a, link), last = ends ? arena_printf(a, "%.*s, the rest", STR_ARG(words)) : words;

    vec_push(a, &to->list, ((struct artifact_pair){last, chain->last, x}));
    if (ends)
        vec_push(a, &to->list,
                 ((struct artifact_pair){arena_printf(a, "%.*s, all", STR_ARG(words)), chain->first, x}));
    chain->steps = true;
    chain->last = x;
    if (link.role == ROLE_END)
        *chain = (struct chain){0};
}

static void add_link(struct arena *a, struct map *chains, const struct artifact *x, struct artifact_pairs *to)
{
    struct link_of_chain link = link_of(x);
    struct str key;
    struct chain *chain;
    void **slot;

    if (link.role == ROLE_NONE || !artifact_has_payload(x))
        return;
    key = arena_printf(a, "%.*s\n%.*s", STR_ARG(link.chain), STR_ARG(x->subgraph));
    slot = map_at(chains, key);
    chain = *slot ? *slot : (*slot = ARENA_NEW(a, struct chain));
    if (link.role == ROLE_BEGIN)
        *chain = (struct chain){x, x, false};
    else if (chain->last)
        extend(a, chain, link, x, to);
}

static size_t changed_of(const struct artifact_pairs *all)
{
    size_t n = 0;

    vec_each(const struct artifact_pair, x, &all->list) n += !is_equal(x->from, x->to);
    return n;
}

json_t *page_passes_of(const struct view *v, const struct compile *c)
{
    struct artifact_pairs all = {.list = {0}};
    struct map chains;

    map_init(&chains, v->scratch);
    for (size_t i = 0; i < c->artifacts.n && all.list.n < PAGE_ROWS_MAX; i++)
        add_link(v->scratch, &chains, c->artifacts.v[i], &all);
    return page_passes(v, all.list.n ? &all : NULL);
}

#include "view/page_rows.h"

#include "view/sections/artifacts.def"
