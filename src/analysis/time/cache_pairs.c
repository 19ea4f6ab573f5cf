#include "analysis/time/cache_pairs.h"

/* Identifies a lookup within a compile, which has several graphs, forward and backward. */
struct lookup_place {
    const struct process *process;
    const void *in; /* the frame, or its name; NULL for the whole process */
    uint64_t layer, backward, number;
};

struct pair_search {
    struct map last; /* struct lookup_place -> the newest lookup there */
    struct cache_pairs *out;
};

static struct lookup_place place_of(const struct compile *c, const struct cache_event *e)
{
    struct lookup_place p = {
        .process = c->process, .layer = e->layer, .backward = e->artifact && e->artifact->backward};

    for (const struct cache_event *x = c->cache_events.v; x < e; x++)
        p.number += x->layer == e->layer && x->artifact && x->artifact->backward == p.backward;
    return p;
}

/* Returns the lookup that was last seen in `in` at the same place, and stores e for the next one. */
static const struct cache_event *exchange_last(struct pair_search *s, struct lookup_place p, const void *in,
                                               const struct cache_event *e)
{
    const struct cache_event *before;
    void **slot;

    p.in = in;
    slot = map_at_copy(&s->last, MAP_KEY(p));
    before = *slot;
    map_put_const(slot, e);
    return before;
}

static void look_at(struct pair_search *s, const struct compile *c, const struct cache_event *e)
{
    struct lookup_place p = place_of(c, e), any = {.process = c->process, .layer = e->layer};
    const struct cache_event *of_frame = NULL, *of_name = NULL, *of_process;

    if (c->frame)
        of_frame = exchange_last(s, p, c->frame, e);
    if (c->frame && c->frame->name.n)
        of_name = exchange_last(s, p, c->frame->name.p, e); /* interned in its input */
    of_process = exchange_last(s, any, NULL, e);
    if (e->outcome != CACHE_MISS || s->out->earlier.n >= CACHE_PAIRS_MAX)
        return;
    if (of_frame || of_name || of_process)
        map_put_const(map_at_copy(&s->out->earlier, MAP_KEY(e)), of_frame ? of_frame : of_name ? of_name : of_process);
}

/* Linear in practice: a compile makes few lookups, and at most this many are counted. */
enum { LOOKUPS_MAX = 64 };

void cache_pairs_find(struct arena *a, const struct run *r, struct cache_pairs *out)
{
    struct arena *scratch = arena_new();
    struct pair_search s = {.out = out};
    const struct compile *c;

    map_init(&s.last, scratch);
    map_init(&out->earlier, a);
    for (struct compile_walk w = {.run = r}; (c = compile_next(&w));)
        for (size_t i = 0; i < c->cache_events.n && i < LOOKUPS_MAX; i++)
            if (c->cache_events.v[i].artifact)
                look_at(&s, c, &c->cache_events.v[i]);
    arena_free(scratch);
}

const struct cache_event *cache_pair(const struct cache_pairs *pairs, const struct cache_event *e)
{
    return map_get(&pairs->earlier, MAP_KEY(e));
}
