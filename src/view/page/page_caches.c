/* Caches: how often each cache hit, and why a lookup missed. */
#include "view/page.h"

#include "analysis/time/cache_keys.h"
#include "util/utf8.h"
#include "view/format.h"

/* At most about a screen of them: a completely different graph changes every input. */
enum { CHANGES_SHOWN = 12, VALUE_SHOWN = 120 };

static json_t *change_row(const struct view *v, const struct key_change *change)
{
    bool is_graph = str_eq(change->name, STR("gm")); /* long: the artifacts of the two compiles show more */
    const char *words = cache_key_words(change->name);
    json_t *o = json_new_object();

    json_put_str(o, "name", change->name);
    json_put(o, "words", words ? json_of_str(str_of(words)) : json_null());
    json_put(o, "before", is_graph ? json_null() : page_text(v, utf8_cut(change->before, VALUE_SHOWN)));
    json_put(o, "now", is_graph ? json_null() : page_text(v, utf8_cut(change->now, VALUE_SHOWN)));
    return o;
}

/* The differences between the key and the key of the earlier lookup it is compared with; null if there is none. */
static json_t *changes_of(const struct view *v, const struct cache_event *e)
{
    const struct key_changes *changes = key_changes_of(v->keys, v->scratch, &v->answers->cache_pairs, e);
    json_t *o, *rows;

    if (!changes->against)
        return json_null();
    o = json_new_object();
    rows = json_new_array();
    for (size_t i = 0; i < changes->list.n && i < CHANGES_SHOWN; i++)
        json_push(rows, change_row(v, &changes->list.v[i]));
    json_put(o, "against", page_link(v, changes->against->compile));
    json_put_bool(o, "same", changes->list.n == 0);
    json_put_str(o, "count", format_counted(v->scratch, changes->list.n, "component", "components"));
    json_put(o, "rows", rows);
    json_put_str(o, "hidden", page_hidden(v, changes->list.n, CHANGES_SHOWN));
    return o;
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

json_t *page_cache(const struct view *v, const struct cache_event *e)
{
    json_t *o = json_new_object();

    json_put(o, "link", page_link(v, e->compile));
    json_put_str(o, "frame", e->compile->frame ? format_frame(v->scratch, e->compile->frame) : STR(""));
    json_put_str(o, "layer", str_of(cache_layer_title(e->layer)));
    json_put_str(o, "outcome", str_of(cache_outcome_name(e->outcome)));
    json_put(o, "reason", view_text(utf8_cut(reason_words(e->reason), 600)));
    json_put(o, "saved", e->saved_us >= 0 ? json_of_str(format_duration_us(v->scratch, e->saved_us)) : json_null());
    json_put(o, "key", view_text(e->key));
    json_put(o, "changes", changes_of(v, e));
    json_put(o, "payload", e->artifact ? page_payload(v, e->artifact) : json_null());
    return o;
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

static json_t *cache_totals(const struct view *v, const struct cache_counts *counts)
{
    const uint64_t(*n)[CACHE_OUTCOMES] = counts->of;
    json_t *list = json_new_array();

    for (int i = 0; i < CACHE_LAYERS; i++) {
        json_t *o;

        if (n[i][CACHE_HIT] + n[i][CACHE_MISS] + n[i][CACHE_BYPASS] == 0)
            continue;
        o = json_new_object();
        json_put_str(o, "layer", str_of(cache_layer_title((enum cache_layer)i)));
        json_put_str(o, "hits", format_count(v->scratch, n[i][CACHE_HIT]));
        json_put_str(o, "misses", format_count(v->scratch, n[i][CACHE_MISS]));
        json_put_str(o, "bypasses", format_count(v->scratch, n[i][CACHE_BYPASS]));
        json_push(list, o);
    }
    return list;
}

/* "11 lookups" if none of them hit and none was bypassed; else null, because a table says more. */
static json_t *cold_lookups(const struct view *v, const struct cache_counts *n)
{
    uint64_t misses = 0, others = 0;

    for (int i = 0; i < CACHE_LAYERS; i++) {
        misses += n->of[i][CACHE_MISS];
        others += n->of[i][CACHE_HIT] + n->of[i][CACHE_BYPASS];
    }
    return misses && !others ? json_of_str(format_counted(v->scratch, misses, "lookup", "lookups")) : json_null();
}

json_t *page_caches(const struct view *v)
{
    struct cache_counts counts = count_caches(v->run);
    uint64_t n = v->answers->counts.processes;
    json_t *o = json_new_object(), *totals = cache_totals(v, &counts);

    json_put_bool(o, "any", json_array_size(totals) > 0);
    json_put(o, "totals", totals);
    json_put(o, "cold", cold_lookups(v, &counts));
    json_put(o, "processes", n > 1 ? json_of_str(format_count(v->scratch, n)) : json_null());
    json_put_bool(o, "hit_fx", counts.of[CACHE_FX_GRAPH][CACHE_HIT] > 0);
    json_put_bool(o, "hit_aot", counts.of[CACHE_AOTAUTOGRAD][CACHE_HIT] > 0);
    return o;
}
