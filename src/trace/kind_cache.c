/*
 * The results of lookups in the compiler's caches. AOTAutograd: torch/_functorch/_aot_autograd/autograd_cache.py; FX
 * graph: torch/_inductor/compile_fx.py and codecache.py; profile (PGO): torch/_dynamo/pgo.py.
 */
#include "trace/kinds.h"

static enum cache_layer layer_of(struct str name)
{
    if (str_starts(name, STR("aotautograd_")))
        return CACHE_AOTAUTOGRAD;
    if (str_starts(name, STR("fx_graph_")))
        return CACHE_FX_GRAPH;
    return str_starts(name, STR("get_")) ? CACHE_PGO : CACHE_PRECOMPILE;
}

/* "…_hit", "…_miss", "…_bypass", or one of these words alone. */
static bool outcome_of(struct str word, enum cache_outcome *out)
{
    if (str_ends(word, STR("hit")))
        *out = CACHE_HIT;
    else if (str_ends(word, STR("miss")))
        *out = CACHE_MISS;
    else if (str_ends(word, STR("bypass")))
        *out = CACHE_BYPASS;
    else
        return false;
    return true;
}

static struct cache_event *add_event(struct record *rec, enum cache_outcome outcome)
{
    struct artifact *artifact = record_add_artifact(rec, (struct str){0});
    struct cache_event *e = vec_add(record_arena(rec), &rec->compile->cache_events);

    *e = (struct cache_event){.compile = rec->compile,
                              .layer = layer_of(rec->name),
                              .outcome = outcome,
                              .saved_us = -1,
                              .artifact = artifact};
    return e;
}

static void use_payload(struct record *rec, struct cache_event *e)
{
    struct record payload = *rec;
    json_t *root;
    double saved;

    if (!rec->json)
        return;
    payload.doc = rec->json;
    root = rec->json->root;
    e->key = record_name(&payload, root, "key");
    e->reason = record_text(&payload, root, "cache_bypass_reason");
    if (e->reason.n == 0 && e->outcome == CACHE_MISS)
        e->reason = record_text(&payload, root, "cache_status_detailed");
    /* AOTAutograd records milliseconds, the FX graph cache nanoseconds. */
    if (json_get_double(rec->json, root, "time_saved_ms", &saved) == JSON_FOUND && saved >= 0 && saved < 1e12)
        e->saved_us = (int64_t)(saved * 1e3);
    else if (json_get_double(rec->json, root, "time_saved_ns", &saved) == JSON_FOUND && saved >= 0 && saved < 1e18)
        e->saved_us = (int64_t)(saved / 1e3);
}

void apply_cache_event(struct record *rec)
{
    enum cache_outcome outcome = CACHE_MISS;

    outcome_of(rec->name, &outcome);
    use_payload(rec, add_event(rec, outcome));
}

/* 2.5 and, for AOTAutograd, up to 2.7: one name for all outcomes; the payload has the outcome as cache_state. */
void apply_cache_hash(struct record *rec)
{
    enum cache_outcome outcome;
    struct str state = {0};

    if (!rec->json || json_get_str(rec->json, rec->json->root, "cache_state", &state) != JSON_FOUND ||
        !outcome_of(state, &outcome)) {
        record_add_artifact(rec, (struct str){0});
        return;
    }
    use_payload(rec, add_event(rec, outcome));
}

/* A profile was found (get_local_code_state and similar functions). If there is none, nothing is recorded. */
void apply_pgo_read(struct record *rec)
{
    if (str_ends(rec->name, STR("_code_state")))
        add_event(rec, CACHE_HIT);
    else
        record_add_artifact(rec, (struct str){0});
}
