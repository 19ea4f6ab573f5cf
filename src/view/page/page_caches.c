/* Caches: how often each cache hit, and why a lookup missed. */
#include "view/page.h"
#include "view/page_objects.h"

#include "analysis/time/cache_keys.h"
#include "util/utf8.h"
#include "view/format.h"

/* At most about a screen of them: a completely different graph changes every input. */
enum { CHANGES_SHOWN = 12, VALUE_SHOWN = 120 };

/* It is long: the artifacts of the two compiles show more. */
static bool is_graph(const struct key_change *change)
{
    return str_eq(change->name, STR("gm"));
}

/* NULL if there is nothing to compare with. */
static const struct key_changes *changes_of(const struct view *v, const struct cache_event *e)
{
    const struct key_changes *changes = key_changes_of(v->keys, v->scratch, &v->answers->cache_pairs, e);

    return changes->against ? changes : NULL;
}

/* cache_status_detailed of FxGraphCache in torch/_inductor/codecache.py; other reasons are already sentences. */
static struct str reason_words(struct str reason)
{
    if (str_eq(reason, STR("full_miss")))
        return STR("nothing is stored under this key");
    if (str_eq(reason, STR("guard_miss")))
        return STR("the entry under this key was compiled for other sizes");
    return reason;
}

struct cache_counts {
    uint64_t of[CACHE_LAYERS][CACHE_OUTCOMES];
};

static struct cache_counts count_caches(const struct run *r)
{
    struct cache_counts n = {0};
    const struct compile *c;

    for (struct compile_walk w = {.run = r}; (c = compile_next(&w));)
        vec_each(const struct cache_event, e, &c->cache_events) n.of[e->layer][e->outcome]++;
    return n;
}

struct cache_total {
    enum cache_layer layer;
    const uint64_t *n; /* by outcome */
};

static json_t *cache_totals(const struct view *v, const struct cache_counts *counts)
{
    json_t *list = json_new_array();

    for (enum cache_layer i = 0; i < CACHE_LAYERS; i++) {
        const uint64_t *n = counts->of[i];

        if (n[CACHE_HIT] + n[CACHE_MISS] + n[CACHE_BYPASS])
            json_push(list, page_cache_total(v, &(struct cache_total){i, n}));
    }
    return list;
}

/* "11 lookups" if none of them hit and none was bypassed; else empty, because a table says more. */
static struct str cold_lookups(const struct view *v, const struct cache_counts *n)
{
    uint64_t misses = 0, others = 0;

    for (int i = 0; i < CACHE_LAYERS; i++) {
        misses += n->of[i][CACHE_MISS];
        others += n->of[i][CACHE_HIT] + n->of[i][CACHE_BYPASS];
    }
    return misses && !others ? format_counted(v->scratch, misses, "lookup", "lookups") : STR("");
}

#include "view/page_rows.h"

#include "view/sections/caches.def"
