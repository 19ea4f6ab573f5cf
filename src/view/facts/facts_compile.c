/* Facts about one compile. */
#include "view/estimates.h"
#include "view/format.h"
#include "view/vllm.h"

static json_t *frame_fact(const struct frame *f)
{
    json_t *o = json_new_object();

    json_put(o, "name", view_text(f->name));
    json_put(o, "file", view_text(f->file));
    json_put(o, "line", view_line(f->line));
    json_put(o, "label", view_text(f->label));
    json_put(o, "group", view_text(f->group));
    return o;
}

static const char *stored_name(const struct placement *p)
{
    return p->stored == STORED_INLINE ? "inline" : p->stored == STORED_FILE ? "file" : "dropped";
}

static json_t *digest_fact(const struct payload *p)
{
    char hex[DIGEST_HEX + 1];

    if (!(p->flags & PAYLOAD_DIGEST))
        return json_null();
    digest_hex(&p->digest, hex);
    return json_of_str(str_of(hex));
}

json_t *fact_artifact(const struct view *v, const struct artifact *a)
{
    const struct placement *p = view_placement(v, a);
    bool present = a->payload.flags & PAYLOAD_PRESENT;
    json_t *o = json_new_object();

    json_put(o, "name", view_text(a->name));
    json_put(o, "kind", view_text(a->kind));
    json_put(o, "detail", view_text(a->detail));
    json_put(o, "attempt", a->attempt >= 0 ? json_of_i64(a->attempt) : json_null());
    json_put(o, "subgraph", view_text(a->subgraph));
    json_put_bool(o, "backward", a->backward);
    json_put(o, "bytes", present ? json_of_i64((int64_t)a->payload.text_bytes) : json_null());
    json_put(o, "md5", present ? digest_fact(&a->payload) : json_null());
    json_put(o, "lines", present ? json_of_i64(a->payload.lines) : json_null());
    json_put_i64(o, "record_line", (int64_t)a->line);
    json_put(o, "stored", present ? json_of_str(str_of(stored_name(p))) : json_null());
    json_put(o, "path", view_text(p->file));
    json_put(o, "damaged",
             a->payload.flags & PAYLOAD_CHECKED ? json_of_bool(a->payload.flags & PAYLOAD_BAD) : json_null());
    return o;
}

static json_t *metric_value(const struct metric *m)
{
    json_t *list;

    switch (m->type) {
    case METRIC_INT:
        return json_of_i64(m->i);
    case METRIC_DOUBLE:
        return json_of_double(m->d);
    case METRIC_BOOL:
        return json_of_bool(m->b);
    case METRIC_STR:
        return json_of_str(m->s);
    case METRIC_LIST:
        break;
    }
    list = json_new_array();
    for (size_t i = 0; i < m->list.n; i++)
        json_push(list, json_of_str(m->list.v[i]));
    return list;
}

/* A configuration is tens of kilobytes, and nearly always the same in all compiles. */
static json_t *configuration_number(struct map *numbers, struct str text)
{
    void **slot = map_at(numbers, text);

    if (!*slot)
        *slot = (void *)(uintptr_t)numbers->n;
    return json_of_i64((int64_t)(uintptr_t)*slot - 1);
}

json_t *fact_configuration_text(size_t number, struct str text)
{
    json_t *o = json_new_object();

    json_put_i64(o, "number", (int64_t)number);
    json_put_str(o, "text", text);
    return o;
}

static bool is_configuration(const struct metric *m)
{
    return m->field && m->field->unit == UNIT_CONFIG && m->type == METRIC_STR;
}

json_t *fact_metrics(const struct view *v, const struct metrics *m)
{
    json_t *o;

    if (!m)
        return json_null();
    o = json_new_object();
    vec_each(const struct metric, x, &m->values) json_put(
        o, x->key.p,
        v->configurations && is_configuration(x) ? configuration_number(v->configurations, x->s) : metric_value(x));
    return o;
}

/* All records of some kinds, in their order: DDP compiles several backward graphs for one compile. */
static json_t *metrics_list(const struct view *v, const struct compile *c, enum metrics_kind from, enum metrics_kind to)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < c->metrics.n; i++)
        if (c->metrics.v[i]->kind >= from && c->metrics.v[i]->kind <= to)
            json_push(list, fact_metrics(v, c->metrics.v[i]));
    return list;
}

/* Of all backward graphs that were compiled later than the forward one, by their metrics. -1 when none has it. */
static int64_t backward_duration_us(const struct compile *c)
{
    int64_t sum = -1, start, duration;

    for (size_t i = 0; i < c->metrics.n; i++)
        if (c->metrics.v[i]->kind == METRICS_BACKWARD && metrics_interval(c->metrics.v[i], &start, &duration))
            sum = (sum < 0 ? 0 : sum) + duration;
    return sum;
}

/* The outcome of each layer that was asked: the worst where it was asked more than once. */
static json_t *cache_outcomes(const struct compile *c)
{
    json_t *o = json_new_object();
    int worst[CACHE_LAYERS];

    for (int i = 0; i < CACHE_LAYERS; i++)
        worst[i] = -1;
    vec_each(const struct cache_event, e, &c->cache_events) if ((int)e->outcome > worst[e->layer]) worst[e->layer] =
        (int)e->outcome;
    for (int i = 0; i < CACHE_LAYERS; i++)
        if (worst[i] >= 0)
            json_put_str(o, cache_layer_name((enum cache_layer)i),
                         str_of(cache_outcome_name((enum cache_outcome)worst[i])));
    return o;
}

static json_t *restarts_of(const struct compile *c)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < c->restart_reasons.n; i++)
        json_push(list, json_of_str(c->restart_reasons.v[i]));
    return list;
}

static json_t *cudagraph_skips_of(const struct view *v, const struct compile *c)
{
    json_t *list = json_new_array();

    vec_each(const struct cudagraph_skip, s, &c->cudagraph_skips)
    {
        json_t *o = json_new_object();

        json_put(o, "reason", view_text(s->reason));
        json_put(o, "file", view_text(s->stack ? s->stack->file : (struct str){0}));
        json_put(o, "line", view_line(s->stack ? s->stack->line : 0));
        json_put(o, "function", view_text(s->stack ? s->stack->function : (struct str){0}));
        json_put(o, "stack", view_stack(v, s->stack));
        json_put_i64(o, "record_line", (int64_t)s->record_line);
        json_push(list, o);
    }
    return list;
}

static json_t *tensors_of(const struct compile *c)
{
    json_t *list = json_new_array();

    vec_each(const struct tensor, t, &c->tensors)
    {
        json_t *o;

        if (t->source.n == 0)
            continue; /* a part of another tensor; what the user passed has a source */
        o = json_new_object();
        json_put_str(o, "source", t->source);
        json_put(o, "dtype", view_text(t->dtype));
        json_put(o, "device", view_text(t->device));
        json_put(o, "shape", view_text(t->shape));
        json_put(o, "stride", view_text(t->stride));
        json_put(o, "storage_bytes", view_text(t->storage_size));
        json_put_bool(o, "requires_grad", t->requires_grad);
        json_put_bool(o, "is_parameter", t->is_parameter);
        json_push(list, o);
    }
    return list;
}

static json_t *count_or_null(const struct compile *c, const char *key)
{
    int64_t n;

    return metrics_i64(compile_metrics(c, METRICS_FORWARD), key, &n) ? json_of_i64(n) : json_null();
}

static void put_times(const struct view *v, json_t *o, const struct compile *c)
{
    int64_t start, duration;
    bool known = compile_interval(c, &start, &duration);

    if (!known)
        start = c->first_us - (c->process->zone_known ? c->process->zone_us : 0);
    json_put(o, "start",
             known || c->last_us ? view_text(format_moment(v->scratch, c->process, start)) : json_null());
    json_put(o, "duration_s", known ? view_seconds_us(duration) : json_null());
    json_put(o, "backward_duration_s", view_seconds_us(backward_duration_us(c)));
}

json_t *fact_compile(const struct view *v, const struct compile *c)
{
    const struct compile *same = rank_same_as(&v->answers->ranks, c);
    json_t *o = json_new_object();

    view_put_process(o, c->process);
    json_put_i64(o, "run", c->process->group);
    json_put_i64(o, "epoch", c->epoch);
    json_put(o, "id", view_id(v, c));
    json_put(o, "frame", frame_fact(c->frame));
    json_put(o, "same_as", same ? view_compile_ref(v, same) : json_null());
    json_put_str(o, "status", str_of(compile_status_name(c->status)));
    json_put_bool(o, "recompile", compile_is_recompile(c));
    json_put_bool(o, "limit_hit", c->limit_hit);
    json_put_i64(o, "attempts", c->attempts);
    json_put(o, "restart_reasons", restarts_of(c));
    json_put(o, "cudagraph_skips", cudagraph_skips_of(v, c));
    put_times(v, o, c);
    json_put_bool(o, "backward", c->backward);
    json_put(o, "graph_ops", count_or_null(c, "graph_op_count"));
    json_put(o, "guards", compile_guards(c) >= 0 ? json_of_i64(compile_guards(c)) : json_null());
    json_put(o, "cache", cache_outcomes(c));
    json_put(o, "inputs", tensors_of(c));
    json_put(o, "metrics", fact_metrics(v, compile_metrics(c, METRICS_FORWARD)));
    json_put(o, "backward_metrics", metrics_list(v, c, METRICS_BACKWARD, METRICS_BACKWARD));
    json_put(o, "runtime_metrics", metrics_list(v, c, METRICS_RUNTIME, METRICS_BACKWARD_RUNTIME));
    json_put(o, "vllm", fact_vllm(v, c));
    json_put(o, "estimates", fact_estimates(v, c));
    json_put(o, "stack", view_stack(v, c->stack));
    return o;
}

json_t *fact_unattributed(const struct view *v, const struct compile *c)
{
    json_t *o = json_new_object(), *stacks = json_new_array();

    for (size_t i = 0; i < c->stacks.n; i++)
        json_push(stacks, view_stack(v, c->stacks.v[i]));
    view_put_process(o, c->process);
    json_put_i64(o, "run", c->process->group);
    json_put(o, "inputs", tensors_of(c));
    json_put(o, "metrics", metrics_list(v, c, METRICS_FORWARD, METRICS_BACKWARD_RUNTIME));
    json_put(o, "vllm", fact_vllm(v, c));
    json_put(o, "stacks", stacks);
    json_put(o, "cudagraph_skips", cudagraph_skips_of(v, c));
    return o;
}
