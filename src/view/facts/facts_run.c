/* Facts about the run as a whole. */
#include "analysis/answers/versions.h"
#include "view/view.h"

json_t *fact_tool(const struct about *about)
{
    json_t *o = json_new_object(), *list = json_new_array();

    for (size_t i = 0; i < about->command_n; i++)
        json_push(list, json_of_str(str_of(about->command[i])));
    json_put_str(o, "name", STR("pt2trace"));
    json_put_str(o, "version", STR(PT2TRACE_VERSION));
    json_put(o, "command", list);
    return o;
}

json_t *fact_sender(const struct about *about)
{
    json_t *o = json_new_object();

    json_put(o, "title", view_text(str_of(about->title)));
    json_put(o, "note", view_text(str_of(about->note)));
    return o;
}

json_t *fact_redaction(const struct view *v)
{
    const struct redaction *r = &v->run->redaction;
    json_t *o, *replaced;

    if (r->mode == REDACTION_NONE)
        return json_null();
    o = json_new_object();
    replaced = json_new_object();
    for (int i = 0; i < REDACTION_SORTS; i++)
        json_put_i64(replaced, redaction_sort_name((enum redaction_sort)i),
                     (int64_t)redaction_count(r, (enum redaction_sort)i));
    json_put_str(o, "mode", str_of(redaction_mode_name(r->mode)));
    json_put(o, "replaced", replaced);
    return o;
}

static json_t *pids_of(const struct input *in)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < in->processes.n; i++)
        if (in->processes.v[i]->pid)
            json_push(list, json_of_i64((int64_t)in->processes.v[i]->pid));
    for (size_t i = 0; i < in->gpus.n; i++)
        if (in->gpus.v[i]->pid)
            json_push(list, json_of_i64((int64_t)in->gpus.v[i]->pid));
    return list;
}

/* The process of a log may complete the process of a trace. */
static const struct process *shown_as(const struct process *p)
{
    return p->joined ? p->joined : p;
}

static json_t *processes_of(const struct input *in)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < in->processes.n; i++)
        json_push(list, json_of_i64(shown_as(in->processes.v[i])->index));
    return list;
}

static int rank_of(const struct input *in)
{
    for (size_t i = 0; i < in->processes.n; i++)
        if (in->processes.v[i]->rank != RANK_UNKNOWN)
            return in->processes.v[i]->rank;
    for (size_t i = 0; i < in->gpus.n; i++)
        if (in->gpus.v[i]->rank != RANK_UNKNOWN)
            return in->gpus.v[i]->rank;
    return in->name_rank;
}

json_t *fact_input(const struct view *v, const struct input *in)
{
    json_t *o = json_new_object(), *pids = pids_of(in);
    bool log = in->read && in->kind == INPUT_TORCH_LOGS;

    (void)v;
    json_put_str(o, "path", in->path);
    json_put_str(o, "kind", str_of(input_kind_name(in->kind)));
    json_put(o, "rank", view_rank(rank_of(in)));
    json_put(o, "pid", json_array_size(pids) ? json_incref(json_array_get(pids, 0)) : json_null());
    json_put(o, "pids", pids);
    json_put(o, "processes", processes_of(in));
    json_put(o, "run", in->processes.n ? json_of_i64(shown_as(in->processes.v[0])->group) : json_null());
    json_put(o, "bytes", in->measured ? json_of_i64((int64_t)in->source.bytes) : json_null());
    json_put(o, "records", in->read ? json_of_i64((int64_t)in->totals.records) : json_null());
    json_put(o, "lines", log ? json_of_i64((int64_t)in->log_lines) : json_null());
    json_put(o, "lines_understood", log ? json_of_i64((int64_t)in->log_lines_understood) : json_null());
    json_put_bool(o, "used", in->used);
    json_put(o, "why_not", in->used ? json_null() : view_text(in->why_not));
    return o;
}

json_t *fact_environment(const struct view *v)
{
    struct versions e = run_versions(v->run);
    json_t *o = json_new_object();

    json_put(o, "pytorch", view_text(e.pytorch));
    json_put(o, "python", view_text(e.python));
    json_put(o, "triton", view_text(e.triton));
    json_put(o, "cuda", view_text(e.cuda));
    json_put(o, "commit", view_text(e.commit));
    json_put(o, "gpu", view_text(e.gpu));
    return o;
}

/* Guards are counted in the metrics, and in the lists of a log: without any, the number is not known. */
static bool guards_known(const struct run *r)
{
    const struct compile *c;

    for (struct compile_walk w = {.run = r}; (c = compile_next(&w));)
        if (compile_metrics(c, METRICS_FORWARD) || compile_guards(c) >= 0)
            return true;
    return false;
}

/*
 * PyTorch 2.3 says nothing of caches. 2.4 has records of them, 2.5 and later a timeline too, even when none was
 * asked.
 */
static bool caches_known(const struct answers *a)
{
    return a->timing.has_events || a->counts.cache[CACHE_HIT] || a->counts.cache[CACHE_MISS] ||
           a->counts.cache[CACHE_BYPASS];
}

static json_t *cache_count(const struct answers *a, enum cache_outcome outcome)
{
    return caches_known(a) ? json_of_i64((int64_t)a->counts.cache[outcome]) : json_null();
}

static bool digests_checked(const struct run *r)
{
    for (size_t i = 0; i < r->inputs.n; i++)
        if (r->inputs.v[i]->used && !r->inputs.v[i]->digests_checked)
            return false;
    return true;
}

/* 0 of a text is not known. */
static void put_known(json_t *o, const char *key, const struct counts *c, uint64_t n)
{
    json_put(o, key, count_is_known(c, n) ? json_of_i64((int64_t)n) : json_null());
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
    put_known(o, "graph_breaks", n, n->graph_breaks);
    put_known(o, "distinct_graph_breaks", n, n->distinct_graph_breaks);
    put_known(o, "recompiles", n, n->recompiles);
    put_known(o, "recompile_limit_hits", n, n->recompile_limit_hits);
    json_put_i64(o, "errors", (int64_t)n->errors);
    json_put_i64(o, "incomplete", (int64_t)n->incomplete);
    json_put(o, "cache_hits", cache_count(v->answers, CACHE_HIT));
    json_put(o, "cache_misses", cache_count(v->answers, CACHE_MISS));
    json_put(o, "cache_bypasses", cache_count(v->answers, CACHE_BYPASS));
    put_known(o, "graphs", n, n->graphs);
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
    view_put_process(o, t->process);
    json_put_str(o, "name", t->name);
    json_put_str(o, "phase", str_of(phase_name(t->phase)));
    json_put(o, "wall_s", json_of_double((double)t->wall_ns / 1e9));
    json_put(o, "self_s", t->self_ns < 0 ? json_null() : json_of_double((double)t->self_ns / 1e9));
    json_put_i64(o, "count", (int64_t)t->count);
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
    json_put(o, "text", view_text(m->text));
    json_put_i64(o, "count", (int64_t)m->count);
    return o;
}

json_t *fact_kind(const struct view *v, struct str name, const struct kind_count *count)
{
    json_t *o = json_new_object();

    (void)v;
    json_put(o, "name", view_text(name));
    json_put_i64(o, "count", (int64_t)count->count);
    json_put_bool(o, "known", !count->unknown);
    return o;
}
