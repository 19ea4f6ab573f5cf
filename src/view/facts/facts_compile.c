/* Functions for the objects of report.json about one compile. */
#include "view/facts/facts.h"

#include "view/format.h"

/* --- stacks and artifacts ----------------------------------------------------------------------------------------- */

json_t *fact_stack(const struct view *v, const struct call *innermost)
{
    json_t *list = json_new_array();
    const struct call **calls = stack_list(v->scratch, innermost);

    for (uint32_t i = 0; innermost && i < innermost->depth; i++)
        json_push(list, fact_call(v, calls[i]));
    return list;
}

/* For NULL, a call without a place. */
static const struct call *at(const struct call *c)
{
    static const struct call nowhere;

    return c ? c : &nowhere;
}

/* Empty if the payload is missing; then there is no digest either. */
static struct str stored_in(const struct view *v, const struct artifact *a)
{
    static const struct str names[] = {
        [STORED_DROPPED] = STR_INIT("dropped"), [STORED_INLINE] = STR_INIT("inline"), [STORED_FILE] = STR_INIT("file")};

    return artifact_has_payload(a) ? names[view_placement(v, a)->stored] : (struct str){0};
}

static struct str md5_of(const struct view *v, const struct artifact *a)
{
    char hex[DIGEST_HEX + 1];

    if (!artifact_has_payload(a) || !(a->payload.flags & PAYLOAD_DIGEST))
        return (struct str){0};
    digest_hex(&a->payload.digest, hex);
    return arena_str(v->scratch, str_of(hex));
}

/* --- metrics ------------------------------------------------------------------------------------------------------ */

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

/* A configuration has tens of kilobytes, and is nearly always the same in all compiles. */
static json_t *configuration_number(struct map *numbers, struct str text)
{
    uint64_t *number = map_number_at(numbers, text);

    if (!*number)
        *number = numbers->n;
    return json_of_i64((int64_t)*number - 1);
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

/* All records of some kinds, in order: DDP compiles several backward graphs for one compile. */
static json_t *metrics_of(const struct view *v, const struct compile *c, enum metrics_kind from, enum metrics_kind to)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < c->metrics.n; i++)
        if (c->metrics.v[i]->kind >= from && c->metrics.v[i]->kind <= to)
            json_push(list, fact_metrics(v, c->metrics.v[i]));
    return list;
}

/* -1 if the metrics do not say. */
static int64_t graph_ops(const struct compile *c)
{
    int64_t n;

    return metrics_i64(compile_metrics(c, METRICS_FORWARD), "graph_op_count", &n) ? n : -1;
}

/* --- times -------------------------------------------------------------------------------------------------------- */

/*
 * The time of all backward graphs that were compiled later than the forward one, by their metrics. -1 if there are
 * none.
 */
static int64_t backward_duration_us(const struct compile *c)
{
    int64_t sum = -1, start, duration;

    for (size_t i = 0; i < c->metrics.n; i++)
        if (c->metrics.v[i]->kind == METRICS_BACKWARD && metrics_interval(c->metrics.v[i], &start, &duration))
            sum = (sum < 0 ? 0 : sum) + duration;
    return sum;
}

static struct str start_of(const struct view *v, const struct compile *c)
{
    int64_t start, duration;
    bool known = compile_interval(c, &start, &duration);

    if (!known)
        start = c->first_us - (c->process->zone_known ? c->process->zone_us : 0);
    return known || c->last_us ? format_moment(v->scratch, c->process, start) : (struct str){0};
}

/* --- what else it has --------------------------------------------------------------------------------------------- */

/* The worst outcome of several lookups in a cache; -1 if there was none. */
static int worst_outcome(const struct compile *c, enum cache_layer layer)
{
    int worst = -1;

    vec_each(const struct cache_event, e, &c->cache_events) if (e->layer == layer && (int)e->outcome > worst) worst =
        (int)e->outcome;
    return worst;
}

static void put_word(json_t *o, const char *key, const char *name(enum cache_outcome), int outcome)
{
    if (outcome >= 0)
        json_put_str(o, key, str_of(name((enum cache_outcome)outcome)));
}

/* A tensor without a source is part of another one; a tensor that the user passed has a source. */
static json_t *tensors_of(const struct view *v, const struct compile *c)
{
    json_t *list = json_new_array();

    vec_each(const struct tensor, t, &c->tensors) if (t->source.n) json_push(list, fact_tensor(v, t));
    return list;
}

static json_t *stacks_of(const struct view *v, const struct compile *c)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < c->stacks.n; i++)
        json_push(list, fact_stack(v, c->stacks.v[i]));
    return list;
}

enum { SETTING_NAME_MAX = 100 };

static json_t *vllm_settings_of(const struct vllm_call *call)
{
    json_t *o = json_new_object();
    char key[SETTING_NAME_MAX + 1];

    vec_each(const struct vllm_setting, s, &call->settings) if (str_terminate(s->name, key, sizeof key))
        json_put_str(o, key, s->value);
    return o;
}

static json_t *vllm_calls_of(const struct view *v, const struct compile *c)
{
    json_t *list = json_new_array();
    struct vllm vllm;

    vllm_find(v->scratch, &v->answers->vllm_pieces, c, &vllm);
    vec_each(const struct vllm_call, call, &vllm.calls) json_push(list, fact_vllm_call(v, call));
    return list;
}

static json_t *estimates_of(const struct view *v, const struct compile *c)
{
    json_t *list = json_new_array();
    struct op_estimate_list all;

    estimates_of_compile(v->scratch, c, &all);
    vec_each(const struct op_estimates, g, &all.graphs) json_push(list, fact_estimated_graph(v, g));
    return list;
}

#include "view/facts/fact_rows.h"

#include "view/facts/compile.def"
