/* Findings about the caches of compiled code. */
#include "analysis/find/find.h"

#include "util/map.h"

/* --- cold, and missed --------------------------------------------------------------------------------------------- */

/* Results of the graph caches in one process. */
struct lookups {
    uint64_t hits, misses;
    const struct compile *missed; /* the first */
};

static bool is_of_graphs(const struct cache_event *e)
{
    return e->layer == CACHE_AOTAUTOGRAD || e->layer == CACHE_FX_GRAPH;
}

static struct lookups lookups_of(const struct process *p)
{
    struct lookups l = {0};

    for (size_t i = 0; i < p->compiles.n; i++)
        vec_each(const struct cache_event, e, &p->compiles.v[i]->cache_events)
        {
            if (!is_of_graphs(e))
                continue;
            l.hits += e->outcome == CACHE_HIT;
            l.misses += e->outcome == CACHE_MISS;
            if (e->outcome == CACHE_MISS && !l.missed)
                l.missed = p->compiles.v[i];
        }
    return l;
}

/* `pt2trace run` used empty caches: nothing is wrong with the user's. */
static bool were_emptied(const struct experiment *x)
{
    for (size_t i = 0; x && i < x->trials.n; i++)
        if (str_eq(x->trials.v[i].name, STR("base")))
            return x->trials.v[i].fresh_caches;
    return false;
}

/* A first run of the program, or its cache directory was deleted. */
static void add_cold(struct finder *f, const struct compile *first)
{
    struct finding *x = finding_add(f, "cache-cold", FINDING_INFO);
    const struct compile *c;

    x->title = STR("Cold caches: every graph was compiled from scratch");
    x->fix = STR("Keep the cache directory between runs (in a container: on a mounted volume). The next run then loads "
                 "what this one compiled.");
    finding_paste(x, PASTE_ENVIRONMENT, STR("TORCHINDUCTOR_CACHE_DIR=$HOME/.cache/torchinductor"));
    finding_evidence(f, x, first);
    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));)
        finding_cost_compile(f, x, c);
}

static bool says_miss(const struct compile *c, struct str *how)
{
    vec_each(const struct cache_event, e, &c->cache_events) if (is_of_graphs(e) && e->outcome == CACHE_MISS)
    {
        *how = e->reason;
        return true;
    }
    return false;
}

static void add_missed(struct finder *f, const struct process *p, struct finding **found)
{
    struct finding *x = *found;
    struct str how;

    for (size_t i = 0; i < p->compiles.n; i++) {
        const struct compile *c = p->compiles.v[i];

        if (!says_miss(c, &how))
            continue;
        if (!x) {
            *found = x = finding_add(f, "cache-miss", FINDING_LOW);
            finding_place(x, stack_user_call(c->stack));
        }
        if (how.n && x->detail.n == 0)
            x->detail = arena_printf(f->arena, "The cache reports `%.*s`.", STR_ARG(how));
        finding_cost_compile(f, x, c);
        finding_evidence(f, x, c);
    }
}

/* If most graphs were found, the missing ones deserve attention. */
void find_cache_state(struct finder *f)
{
    struct lookups all = {0};
    struct finding *missed = NULL;
    const int64_t worth_a_word_us = 30 * 1000000ll, wall_us = f->answers->timing.compile_wall_us;

    for (size_t i = 0; i < f->run->processes.n; i++) {
        const struct process *p = f->run->processes.v[i];
        struct lookups l = lookups_of(p);

        all.hits += l.hits;
        all.misses += l.misses;
        all.missed = all.missed ? all.missed : l.missed;
        if (l.misses && l.hits > l.misses)
            add_missed(f, p, &missed);
    }
    if (missed) {
        missed->severity = finding_severity_of_time(finding_time(missed));
        missed->title =
            arena_printf(f->arena, "%llu compile%s missed the caches, while most graphs were found in them",
                         (unsigned long long)finding_compiles(missed), finding_compiles(missed) == 1 ? "" : "s");
        missed->fix =
            STR("Something in the cache key of these graphs differs from the previous run: code, shapes, settings, "
                "versions. The section on caches lists the parts of the key; to compare, log them in both runs.");
        finding_paste(missed, PASTE_ENVIRONMENT, STR("TORCH_LOGS=\"+inductor,+aot\""));
    }
    if (all.misses && all.hits == 0 && wall_us >= worth_a_word_us && !were_emptied(f->run->experiment))
        add_cold(f, all.missed);
}

/* --- bypassed ----------------------------------------------------------------------------------------------------- */

/* One reason, for one or more caches. */
struct bypass {
    struct finding *finding;
    struct str reason;
    const struct compile *last; /* the last compile that was counted */
    bool layers[CACHE_LAYERS];
};

static void add_bypass(struct finder *f, struct map *seen, const struct cache_event *e)
{
    struct str reason = e->reason, line = str_trim(str_split(&reason, '\n'));
    void **slot = map_at(seen, line);
    struct bypass *b = *slot;

    if (!b) {
        *slot = b = ARENA_NEW(f->arena, struct bypass);
        b->finding = finding_add(f, "cache-bypass", FINDING_LOW);
        b->reason = line.n ? line : STR("no reason given");
        b->finding->fix = STR("These graphs are compiled again in every process. If start-up time matters, remove the "
                              "cause that the reason names.");
        finding_place(b->finding, stack_user_call(e->compile->stack));
    }
    /* One compile may bypass several caches. */
    if (b->last != e->compile)
        finding_cost_compiles(f, b->finding, e->compile->process, 1);
    b->last = e->compile;
    b->layers[e->layer] = true;
    finding_evidence(f, b->finding, e->compile);
}

static void name_bypass(struct finder *f, const struct bypass *b)
{
    static const char *const names[CACHE_LAYERS] = {
        [CACHE_PGO] = "PGO",           [CACHE_PRECOMPILE] = "precompile", [CACHE_AOTAUTOGRAD] = "AOTAutograd",
        [CACHE_FX_GRAPH] = "FX graph", [CACHE_TRITON] = "Triton",
    };
    struct str list = {"", 0};
    unsigned n = 0;

    for (int i = 0; i < CACHE_LAYERS; i++)
        if (b->layers[i])
            list = arena_printf(f->arena, "%.*s%s%s", STR_ARG(list), n++ ? " and " : "", names[i]);
    b->finding->title = arena_printf(f->arena, "The %.*s cache%s bypassed: %.*s", STR_ARG(list),
                                     n > 1 ? "s were" : " was", STR_ARG(b->reason));
}

void find_cache_bypass(struct finder *f)
{
    const struct compile *c;
    struct map seen;

    map_init(&seen, f->arena);
    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));)
        vec_each(const struct cache_event, e, &c->cache_events) if (e->outcome == CACHE_BYPASS) add_bypass(f, &seen, e);
    for (size_t i = 0; i < seen.n; i++)
        name_bypass(f, seen.entries[i].value);
}
