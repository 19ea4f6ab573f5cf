/* Facts about the run as a whole. */
#include "view/format.h"
#include "view/view.h"

static json_t *pids_of(const struct input *in)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < in->processes.n; i++)
        if (in->processes.v[i]->pid)
            json_push(list, json_of_i64((int64_t)in->processes.v[i]->pid));
    return list;
}

static int rank_of(const struct input *in)
{
    for (size_t i = 0; i < in->processes.n; i++)
        if (in->processes.v[i]->rank != RANK_UNKNOWN)
            return in->processes.v[i]->rank;
    return in->name_rank;
}

json_t *fact_input(const struct view *v, const struct input *in)
{
    json_t *o = json_new_object(), *pids = pids_of(in);

    (void)v;
    json_put_str(o, "path", in->path);
    json_put_str(o, "kind", str_of(input_kind_name(in->kind)));
    json_put(o, "rank", view_rank(rank_of(in)));
    json_put(o, "pid", json_array_size(pids) ? json_incref(json_array_get(pids, 0)) : json_null());
    json_put(o, "pids", pids);
    json_put(o, "run", in->processes.n ? json_of_i64(in->processes.v[0]->group) : json_null());
    json_put_i64(o, "bytes", (int64_t)in->source.bytes);
    json_put_i64(o, "records", (int64_t)in->totals.records);
    json_put_bool(o, "used", in->used);
    json_put(o, "why_not", in->used ? json_null() : view_text(in->why_not));
    return o;
}

json_t *fact_environment(const struct view *v)
{
    struct versions e = run_versions(v->run);
    json_t *o = json_new_object();

    json_put(o, "pytorch", view_text(e.pytorch));
    json_put(o, "commit", view_text(e.commit));
    json_put(o, "python", view_text(e.python));
    json_put(o, "triton", view_text(e.triton));
    json_put(o, "cuda", view_text(e.cuda));
    return o;
}

/* Guards are counted in the metrics: without any, the number is not known. */
static bool guards_known(const struct run *r)
{
    const struct compile *c;

    for (struct compile_walk w = {.run = r}; (c = compile_next(&w));)
        if (compile_metrics(c, METRICS_FORWARD))
            return true;
    return false;
}

static bool digests_checked(const struct run *r)
{
    for (size_t i = 0; i < r->inputs.n; i++)
        if (r->inputs.v[i]->used && !r->inputs.v[i]->digests_checked)
            return false;
    return true;
}

json_t *fact_totals(const struct view *v)
{
    const struct counts *n = &v->answers->counts;
    const struct totals *t = &v->run->totals;
    json_t *o = json_new_object();

    json_put_i64(o, "ranks", (int64_t)n->ranks);
    json_put_i64(o, "processes", (int64_t)n->processes);
    json_put_i64(o, "runs", v->run->groups);
    json_put_i64(o, "frames", (int64_t)n->frames);
    json_put_i64(o, "compiles", (int64_t)n->compiles);
    json_put_i64(o, "attempts", (int64_t)n->attempts);
    json_put_i64(o, "restarts", (int64_t)n->restarts);
    json_put_i64(o, "graph_breaks", (int64_t)n->graph_breaks);
    json_put_i64(o, "distinct_graph_breaks", (int64_t)n->distinct_graph_breaks);
    json_put_i64(o, "recompiles", (int64_t)n->recompiles);
    json_put_i64(o, "recompile_limit_hits", (int64_t)n->recompile_limit_hits);
    json_put_i64(o, "errors", (int64_t)n->errors);
    json_put_i64(o, "incomplete", (int64_t)n->incomplete);
    json_put_i64(o, "cache_hits", (int64_t)n->cache[CACHE_HIT]);
    json_put_i64(o, "cache_misses", (int64_t)n->cache[CACHE_MISS]);
    json_put_i64(o, "cache_bypasses", (int64_t)n->cache[CACHE_BYPASS]);
    json_put_i64(o, "graphs", (int64_t)n->graphs);
    json_put(o, "guards", guards_known(v->run) ? json_of_i64((int64_t)n->guards) : json_null());
    json_put_i64(o, "records", (int64_t)t->records);
    json_put_i64(o, "unknown_records", (int64_t)t->unknown_records);
    json_put_i64(o, "payloads", (int64_t)t->payloads);
    json_put_i64(o, "payload_bytes", (int64_t)t->payload_bytes);
    json_put(o, "bad_payloads", digests_checked(v->run) ? json_of_i64((int64_t)t->bad_payloads) : json_null());
    json_put_i64(o, "strings", (int64_t)t->strings);
    json_put_i64(o, "chromium_events", (int64_t)t->chromium_events);
    json_put(o, "compile_wall_s", view_seconds_us(v->answers->timing.compile_wall_us));
    return o;
}

json_t *fact_phase(const struct view *v, const struct event_total *t)
{
    json_t *o = json_new_object();

    (void)v;
    json_put(o, "rank", view_rank(t->process->rank));
    json_put(o, "pid", t->process->pid ? json_of_i64((int64_t)t->process->pid) : json_null());
    json_put_str(o, "name", t->name);
    json_put_str(o, "phase", str_of(phase_title(t->phase)));
    json_put(o, "wall_s", json_of_double((double)t->wall_ns / 1e9));
    json_put(o, "self_s", json_of_double((double)t->self_ns / 1e9));
    json_put_i64(o, "count", (int64_t)t->count);
    return o;
}

/*
 * Ranks that are there. Which are absent, and where ranks diverge, needs the comparison of ranks: null says that it
 * was not made.
 */
json_t *fact_ranks(const struct view *v)
{
    json_t *o = json_new_object(), *present = json_new_array();
    int last = RANK_UNKNOWN;

    for (size_t i = 0; i < v->run->processes.n; i++) {
        int rank = v->run->processes.v[i]->rank;

        if (rank != RANK_UNKNOWN && rank != last)
            json_push(present, json_of_i64(rank));
        last = rank;
    }
    json_put(o, "world_size", json_null());
    json_put(o, "present", present);
    json_put(o, "absent", json_null());
    json_put(o, "first_divergence", json_null());
    json_put(o, "divergences", json_null());
    return o;
}

json_t *fact_message(const struct view *v, const struct message *m)
{
    json_t *o = json_new_object();

    (void)v;
    json_put_str(o, "code", str_of(message_infos[m->code].key));
    json_put_str(o, "severity", str_of(severity_name(message_infos[m->code].severity)));
    json_put_str(o, "file", m->file);
    json_put(o, "line", view_line((int64_t)m->line));
    json_put_str(o, "text", m->text);
    json_put_i64(o, "count", (int64_t)m->count);
    return o;
}

json_t *fact_kind(const struct view *v, struct str name, const struct kind_count *count)
{
    json_t *o = json_new_object();

    (void)v;
    json_put_str(o, "name", name);
    json_put_i64(o, "count", (int64_t)count->count);
    json_put_bool(o, "known", !count->unknown);
    return o;
}
