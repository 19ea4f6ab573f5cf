#include "analysis/answers/answers.h"

#include "analysis/answers/health.h"
#include "util/map.h"

static bool is_graph(const struct artifact *artifact)
{
    return artifact_is(artifact, ARTIFACT_DYNAMO_OUTPUT_GRAPH);
}

static void count_compile(struct counts *n, const struct compile *c)
{
    int64_t guards = compile_guards(c);

    n->compiles++;
    n->attempts += (uint64_t)c->attempts;
    n->restarts += (uint64_t)(c->attempts - 1);
    n->recompiles += compile_is_recompile(c);
    n->recompile_limit_hits += c->limit_hit;
    n->incomplete += c->status == STATUS_INCOMPLETE;
    for (size_t i = 0; i < c->artifacts.n; i++)
        n->graphs += is_graph(c->artifacts.v[i]);
    for (size_t i = 0; i < c->cache_events.n; i++)
        n->cache[c->cache_events.v[i].outcome]++;
    if (guards > 0 && guards < UINT32_MAX)
        n->guards += (uint64_t)guards;
}

static void count_process(struct counts *n, const struct process *p)
{
    uint64_t graphs = n->graphs;

    n->processes++;
    for (size_t i = 0; i < p->frames.n; i++)
        n->frames += p->frames.v[i]->id != ID_NONE; /* a capture of compiled autograd belongs to no function */
    for (size_t i = 0; i < p->compiles.n; i++)
        count_compile(n, p->compiles.v[i]);
    if (n->graphs == graphs)
        n->graphs += p->explained_graphs;
    n->explained_breaks += p->explained_breaks;
    n->guards += p->unattributed->guards_listed; /* guards of a list that was pasted without its prefix */
    for (size_t i = 0; i < p->unattributed->cache_events.n; i++)
        n->cache[p->unattributed->cache_events.v[i].outcome]++;
}

/* --- per rank ----------------------------------------------------------------------------------------------------- */

/* The counts of each rank of each run. */
struct rank_tally {
    struct arena *arena;
    struct map ranks; /* run and rank -> struct counts */
};

static struct counts *counts_of(struct rank_tally *t, const struct process *p)
{
    int key[2] = {(int)p->group, p->rank};
    void **slot = map_at_copy(&t->ranks, MAP_KEY(key));

    if (!*slot)
        *slot = ARENA_NEW(t->arena, struct counts);
    return *slot;
}

static void tally_ranks(struct rank_tally *t, const struct run *r, const struct errors *errors)
{
    for (size_t i = 0; i < r->processes.n; i++) {
        const struct process *p = r->processes.v[i];
        struct counts *n = p->rank == RANK_UNKNOWN ? NULL : counts_of(t, p);

        if (!n)
            continue;
        count_process(n, p);
        for (size_t k = 0; k < p->compiles.n; k++)
            n->graph_breaks += p->compiles.v[k]->breaks.n;
    }
    vec_each(const struct error, e, &errors->list) if (e->failure->compile->process->rank != RANK_UNKNOWN)
        counts_of(t, e->failure->compile->process)
            ->errors++;
}

static void widen(struct spread *s, uint64_t n, bool first)
{
    s->least = first || n < s->least ? n : s->least;
    s->most = first || n > s->most ? n : s->most;
}

static void count_per_rank(struct arena *a, const struct run *r, const struct errors *errors, struct rank_counts *out)
{
    struct rank_tally tally = {.arena = a};

    map_init(&tally.ranks, a);
    tally_ranks(&tally, r, errors);
    for (size_t i = 0; i < tally.ranks.n; i++) {
        const struct counts *n = tally.ranks.entries[i].value;

        widen(&out->frames, n->frames, i == 0);
        widen(&out->compiles, n->compiles, i == 0);
        widen(&out->graph_breaks, n->graph_breaks, i == 0);
        widen(&out->recompiles, n->recompiles, i == 0);
        widen(&out->errors, n->errors, i == 0);
        for (int o = 0; o < CACHE_OUTCOMES; o++)
            widen(&out->cache[o], n->cache[o], i == 0);
    }
}

static uint64_t *count_per_process(struct arena *a, const struct run *r, const struct errors *errors)
{
    uint64_t *counts = ARENA_ARRAY(a, uint64_t, r->processes.n ? r->processes.n : 1);

    vec_each(const struct error, e, &errors->list) counts[e->failure->compile->process->index]++;
    return counts;
}

/*
 * The number of distinct ranks. A process without a rank only counts if none has one: a run that is not distributed is
 * one rank.
 */
static uint64_t count_ranks(struct arena *a, const struct run *r)
{
    struct map seen;

    map_init(&seen, a);
    for (size_t i = 0; i < r->processes.n; i++)
        if (r->processes.v[i]->rank != RANK_UNKNOWN)
            *map_at_copy(&seen, MAP_KEY(r->processes.v[i]->rank)) = &seen;
    return seen.n ? seen.n : r->processes.n > 0;
}

void answers_make(struct arena *a, const struct run *r, struct pool *pool, struct answers *out)
{
    *out = (struct answers){.run = r};
    for (size_t i = 0; i < r->processes.n; i++)
        count_process(&out->counts, r->processes.v[i]);
    out->counts.ranks = count_ranks(a, r);
    out->counts.traced = run_health(r).traced || r->inputs.n == 0;
    breaks_find(a, r, &out->breaks);
    recompiles_find(a, r, &out->recompiles);
    errors_find(a, r, &out->errors);
    timing_find(a, r, &out->timing);
    gpu_find(a, r, &out->gpu);
    vllm_pieces_find(a, r, &out->vllm_pieces);
    settings_find(a, r, &out->settings);
    cache_pairs_find(a, r, &out->cache_pairs);
    ranks_find(a, r, out->timing.process_wall_us, pool, &out->ranks);
    out->counts.graph_breaks = out->breaks.total;
    out->counts.distinct_graph_breaks = out->breaks.list.n;
    out->counts.errors = out->errors.list.n;
    count_per_rank(a, r, &out->errors, &out->rank_counts);
    out->process_errors = count_per_process(a, r, &out->errors);
}
