/* What +aot and +inductor say of the caches: torch/_functorch/_aot_autograd/autograd_cache.py, codecache.py, pgo.py. */
#include "torchlog/apply/apply.h"

static const struct {
    struct str begin;
    enum cache_layer layer;
    enum cache_outcome outcome;
} forms[] = {
    {STR_INIT("AOTAutograd cache hit for key "), CACHE_AOTAUTOGRAD, CACHE_HIT},
    {STR_INIT("AOTAutograd cache miss for key "), CACHE_AOTAUTOGRAD, CACHE_MISS},
    {STR_INIT("Bypassing autograd cache due to: "), CACHE_AOTAUTOGRAD, CACHE_BYPASS},
    {STR_INIT("fx graph cache hit for key "), CACHE_FX_GRAPH, CACHE_HIT},
    {STR_INIT("fx graph cache miss for key "), CACHE_FX_GRAPH, CACHE_MISS},
    {STR_INIT("Bypassing FX Graph Cache because "), CACHE_FX_GRAPH, CACHE_BYPASS},
    {STR_INIT("get_code_state "), CACHE_PGO, CACHE_HIT},
};

static struct str without_quotes(struct str s)
{
    if (s.n >= 2 && s.p[0] == '\'' && s.p[s.n - 1] == '\'')
        return str_drop(str_skip(s, 1), 1);
    return s;
}

static void add_event(struct record *rec, enum cache_layer layer, enum cache_outcome outcome, struct str rest)
{
    struct cache_event *e = vec_add(record_arena(rec), &rec->compile->cache_events);

    *e = (struct cache_event){.compile = rec->compile, .layer = layer, .outcome = outcome, .saved_us = -1};
    if (outcome == CACHE_BYPASS)
        e->reason = record_copy(rec, without_quotes(str_trim(rest)));
    else
        e->key = record_intern(rec, str_split(&rest, ' '));
}

void apply_log_cache(struct record *rec)
{
    struct str text = str_trim(rec->text);

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (str_consume(&text, forms[i].begin)) {
            add_event(rec, forms[i].layer, forms[i].outcome, text);
            return;
        }
}
