#include "analysis/answers.h"

#include "analysis/findings.h"
#include "util/map.h"

static bool is_graph(const struct artifact *artifact)
{
    return str_eq(artifact->name, STR("dynamo_output_graph"));
}

static void count_compile(struct counts *n, const struct compile *c)
{
    int64_t guards;

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
    if (metrics_i64(compile_metrics(c, METRICS_FORWARD), "guard_count", &guards) && guards > 0 && guards < UINT32_MAX)
        n->guards += (uint64_t)guards;
}

static void count_process(struct counts *n, const struct process *p)
{
    uint64_t graphs = n->graphs;

    n->processes++;
    for (size_t i = 0; i < p->frames.n; i++)
        n->frames += p->frames.v[i]->id != ID_NONE; /* a capture of compiled autograd is of no function */
    for (size_t i = 0; i < p->compiles.n; i++)
        count_compile(n, p->compiles.v[i]);
    if (n->graphs == graphs)
        n->graphs += p->explained_graphs;
    for (size_t i = 0; i < p->unattributed->cache_events.n; i++)
        n->cache[p->unattributed->cache_events.v[i].outcome]++;
}

/* Distinct ranks. A process that tells none is no rank, unless none does: a run that is not distributed is one rank. */
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
    breaks_find(a, r, &out->breaks);
    recompiles_find(a, r, &out->recompiles);
    errors_find(a, r, &out->errors);
    timing_find(a, r, &out->timing);
    gpu_find(a, r, &out->gpu);
    cache_pairs_find(a, r, &out->cache_pairs);
    ranks_find(a, r, out->timing.process_wall_us, pool, &out->ranks);
    out->counts.graph_breaks = out->breaks.total;
    out->counts.distinct_graph_breaks = out->breaks.list.n;
    out->counts.errors = out->errors.list.n;
    out->findings = ARENA_NEW(a, struct findings);
    findings_find(a, r, out, out->findings);
}

static void fill(struct str *to, struct str from)
{
    if (to->n == 0)
        *to = from;
}

struct versions run_versions(const struct run *r)
{
    struct versions v = {0};

    for (size_t i = 0; i < r->processes.n; i++) {
        const struct versions *from = &r->processes.v[i]->versions;

        fill(&v.pytorch, from->pytorch);
        fill(&v.commit, from->commit);
        fill(&v.python, from->python);
        fill(&v.triton, from->triton);
        fill(&v.cuda, from->cuda);
        fill(&v.gpu, from->gpu);
    }
    return v;
}

struct health run_health(const struct run *r)
{
    struct health h = {0};

    vec_each(const struct message, m, &r->messages) switch (message_infos[m->code].severity)
    {
    case SEVERITY_INFO:
        h.info += m->count;
        break;
    case SEVERITY_WARNING:
        h.warnings += m->count;
        break;
    case SEVERITY_ERROR:
        h.errors += m->count;
        break;
    }
    for (size_t i = 0; i < r->inputs.n; i++)
        if (r->inputs.v[i]->source.error) {
            const uint64_t *counts = r->inputs.v[i]->messages.counts;
            uint64_t own = counts[MSG_READ_ERROR] + counts[MSG_TRUNCATED];

            h.unread++;
            h.errors -= own < h.errors ? own : h.errors; /* a digest may count anything */
        }
    return h;
}
