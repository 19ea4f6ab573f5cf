/* The table of compiles, and all that is known of one compile. */
#include "view/page.h"

#include "input/limits.h"
#include "text/guard_kind.h"
#include "text/guard_tree.h"
#include "util/map.h"
#include "util/number.h"
#include "util/utf8.h"
#include "view/format.h"

#include <stdlib.h>

static json_t *count_of(const struct view *v, const struct compile *c, const char *key)
{
    int64_t n;

    return metrics_i64(compile_metrics(c, METRICS_FORWARD), key, &n) && n >= 0
               ? json_of_str(format_count(v->scratch, (uint64_t)n))
               : json_null();
}

static json_t *cache_words(const struct view *v, const struct compile *c)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < c->cache_events.n && i < PAGE_REASONS_MAX; i++) {
        const struct cache_event *e = &c->cache_events.v[i];
        json_t *o = json_new_object();

        json_put_str(o, "layer", str_of(cache_layer_title(e->layer)));
        json_put_str(o, "outcome", str_of(cache_outcome_name(e->outcome)));
        json_put(o, "reason", view_text(utf8_cut(e->reason, 300)));
        json_put(o, "saved", e->saved_us >= 0 ? json_of_str(format_duration_us(v->scratch, e->saved_us)) : json_null());
        json_push(list, o);
    }
    return list;
}

json_t *page_compile_row(const struct view *v, const struct compile *c, bool detailed)
{
    int64_t start, duration;
    bool known = c->frame && compile_interval(c, &start, &duration);
    json_t *o = page_link(v, c);

    json_put_bool(o, "detailed", detailed);
    json_put_str(o, "frame", format_frame(v->scratch, c->frame));
    json_put(o, "place", page_place(v, c->frame ? c->frame->file : (struct str){0}, c->frame ? c->frame->line : 0));
    json_put_bool(o, "recompile", compile_is_recompile(c));
    json_put_bool(o, "limit_hit", c->limit_hit);
    json_put_i64(o, "attempts", c->attempts);
    json_put(o, "duration", known ? json_of_str(format_duration_us(v->scratch, duration)) : json_null());
    json_put_i64(o, "duration_us", known ? duration : -1);
    json_put(o, "ops", count_of(v, c, "graph_op_count"));
    json_put(o, "guards", count_of(v, c, "guard_count"));
    json_put(o, "breaks", c->breaks.n ? json_of_i64((int64_t)c->breaks.n) : json_null());
    json_put(o, "caches", cache_words(v, c));
    json_put_i64(o, "artifacts", (int64_t)c->artifacts.n);
    json_put_str(o, "show", arena_printf(v->scratch, "pt2trace show %.*s %.*s", STR_ARG(c->process->input->path),
                                         STR_ARG(compile_id_print(v->scratch, c->id))));
    return o;
}

/* --- artifacts, in pipeline order --------------------------------------------------------------------------------- */

static enum stage stage_of(const struct artifact *a)
{
    return a->info ? a->info->stage : STAGE_OTHER;
}

static json_t *stages_of(const struct view *v, const struct compile *c)
{
    json_t *stages = json_new_array();

    for (int stage = 0; stage < STAGE_COUNT; stage++) {
        json_t *items = json_new_array(), *o;

        for (size_t i = 0; i < c->artifacts.n; i++)
            if ((int)stage_of(c->artifacts.v[i]) == stage)
                json_push(items, page_payload(v, c->artifacts.v[i]));
        if (json_array_size(items) == 0) {
            json_decref(items);
            continue;
        }
        o = json_new_object();
        json_put_str(o, "title", str_of(stage_title((enum stage)stage)));
        json_put(o, "items", items);
        json_push(stages, o);
    }
    return stages;
}

/* --- metrics ------------------------------------------------------------------------------------------------------ */

static struct str join(struct arena *a, const struct metric *m)
{
    struct str out = {"", 0};

    for (size_t i = 0; i < m->list.n && out.n < PAGE_METRIC_TEXT_MAX; i++)
        out = arena_printf(a, "%.*s%s%.*s", STR_ARG(out), i ? "\n" : "", STR_ARG(m->list.v[i]));
    return out;
}

static struct str metric_number(const struct view *v, const struct metric *m, double x)
{
    enum metric_unit unit = m->field ? m->field->unit : UNIT_NONE;

    switch (unit) {
    case UNIT_US:
        return format_duration_us(v->scratch, int_of_real(x));
    case UNIT_MS:
        return format_duration_us(v->scratch, int_of_real(x * 1e3));
    case UNIT_S:
        return format_duration_us(v->scratch, int_of_real(x * 1e6));
    case UNIT_BYTES:
        return x >= 0 ? format_bytes(v->scratch, (uint64_t)x) : STR("-");
    default:
        break;
    }
    if (m->type == METRIC_INT && m->i >= 0 && unit == UNIT_COUNT)
        return format_count(v->scratch, (uint64_t)m->i);
    return m->type == METRIC_INT ? arena_printf(v->scratch, "%lld", (long long)m->i)
                                 : arena_printf(v->scratch, "%g", m->d);
}

static struct str metric_text(const struct view *v, const struct compile *c, const struct metric *m)
{
    double x = m->type == METRIC_INT ? (double)m->i : m->type == METRIC_DOUBLE ? m->d : 0;

    if (m->field && m->field->unit == UNIT_EPOCH_US)
        return format_moment(v->scratch, c->process, int_of_real(x));
    if (m->field && m->field->unit == UNIT_EPOCH_S)
        return format_moment(v->scratch, c->process, x > 0 && x < 1e12 ? (int64_t)(x * 1e6) : 0);
    switch (m->type) {
    case METRIC_INT:
    case METRIC_DOUBLE:
        return x > -1e17 && x < 1e17 ? metric_number(v, m, x) : arena_printf(v->scratch, "%g", x);
    case METRIC_BOOL:
        return m->b ? STR("yes") : STR("no");
    case METRIC_STR:
        return m->s;
    case METRIC_LIST:
        break;
    }
    return join(v->scratch, m);
}

static bool is_empty(const struct metric *m)
{
    return (m->type == METRIC_LIST && m->list.n == 0) || (m->type == METRIC_STR && m->s.n == 0);
}

static json_t *metric_rows(const struct view *v, const struct compile *c, const struct metrics *metrics, int group)
{
    json_t *list = json_new_array();

    vec_each(const struct metric, m, &metrics->values)
    {
        int of = m->field ? (int)m->field->group : METRICS_OTHER;
        struct str text;
        json_t *o;

        if (json_array_size(list) >= PAGE_ROWS_MAX)
            break;
        /* The configurations are long: they are shown on their own. */
        if (of != group || is_empty(m) || (m->field && m->field->unit == UNIT_CONFIG))
            continue;
        text = metric_text(v, c, m);
        o = json_new_object();
        json_put_str(o, "key", m->key);
        json_put_str(o, "title", m->field ? str_of(m->field->title) : m->key);
        json_put_str(o, "value", utf8_cut(text, PAGE_METRIC_TEXT_MAX));
        json_put_bool(o, "cut", text.n > PAGE_METRIC_TEXT_MAX);
        json_push(list, o);
    }
    return list;
}

static json_t *metric_groups(const struct view *v, const struct compile *c, const struct metrics *metrics)
{
    json_t *groups = json_new_array();

    for (int g = 0; g < METRICS_GROUPS; g++) {
        json_t *rows = metric_rows(v, c, metrics, g), *o;

        if (json_array_size(rows) == 0) {
            json_decref(rows);
            continue;
        }
        o = json_new_object();
        json_put_str(o, "title", str_of(metric_group_title((enum metric_group)g)));
        json_put(o, "rows", rows);
        json_push(groups, o);
    }
    return groups;
}

static json_t *metrics_of(const struct view *v, const struct compile *c)
{
    static const char *const titles[] = {"Metrics", "Metrics of the backward graph", "Metrics at run time",
                                         "Metrics at run time, backward"};
    json_t *list = json_new_array();

    for (size_t i = 0; i < c->metrics.n && i < 8; i++) {
        json_t *o = json_new_object();

        json_put_str(o, "title", str_of(titles[c->metrics.v[i]->kind]));
        json_put(o, "groups", metric_groups(v, c, c->metrics.v[i]));
        json_push(list, o);
    }
    return list;
}

/* --- guards ------------------------------------------------------------------------------------------------------- */

struct kind_total {
    struct str kind;
    uint64_t count;
};

static int by_count(const void *pa, const void *pb)
{
    const struct kind_total *a = *(struct kind_total *const *)pa, *b = *(struct kind_total *const *)pb;

    if (a->count != b->count)
        return a->count < b->count ? 1 : -1;
    return str_cmp(a->kind, b->kind);
}

static json_t *guard_kinds(const struct view *v, const struct guard_tree *t)
{
    struct map kinds;
    json_t *list = json_new_array();
    struct kind_total **order;

    map_init(&kinds, v->scratch);
    for (size_t i = 0; i < t->guards.n; i++) {
        void **slot = map_at(&kinds, t->guards.v[i]->kind);
        struct kind_total *k = *slot;

        if (!k) {
            *slot = k = ARENA_NEW(v->scratch, struct kind_total);
            k->kind = t->guards.v[i]->kind;
        }
        k->count++;
    }
    order = ARENA_ARRAY(v->scratch, struct kind_total *, kinds.n + 1);
    for (size_t i = 0; i < kinds.n; i++)
        order[i] = kinds.entries[i].value;
    qsort(order, kinds.n, sizeof *order, by_count);
    for (size_t i = 0; i < kinds.n; i++) {
        const char *words = guard_kind_words(order[i]->kind);
        json_t *o = json_new_object();

        json_put_str(o, "kind", order[i]->kind);
        json_put_str(o, "count", format_count(v->scratch, order[i]->count));
        json_put(o, "words", words ? json_of_str(str_of(words)) : json_null());
        json_push(list, o);
    }
    return list;
}

enum { GUARD_TEXT_MAX = 400, GUARD_INDENT_MAX = 24 };

static json_t *guard_row(const struct view *v, const struct guard_node *n)
{
    json_t *o = json_new_object();

    json_put_i64(o, "indent", n->depth < GUARD_INDENT_MAX ? n->depth : GUARD_INDENT_MAX);
    json_put_str(o, "kind", n->kind);
    json_put_bool(o, "guard", n->is_guard);
    json_put(o, "text", view_text(utf8_cut(n->is_guard ? n->text : n->source, GUARD_TEXT_MAX)));
    json_put(o, "type", view_text(n->type));
    json_put(o, "user_code", view_text(n->user_code));
    json_put(o, "place", page_place(v, n->user_file, n->user_line));
    return o;
}

/* A subtree in the order of its text; managers without a guard below them say nothing and are left out. */
static void add_guard_rows(const struct view *v, const struct guard_node *root, json_t *rows)
{
    VEC(const struct guard_node *) todo = {0};

    vec_push(v->scratch, &todo, root);
    while (todo.n && json_array_size(rows) < PAGE_GUARDS_MAX) {
        const struct guard_node *n = todo.v[--todo.n];

        if (n->is_guard || n->children.n)
            json_push(rows, guard_row(v, n));
        for (size_t i = n->children.n; i-- > 0;)
            vec_push(v->scratch, &todo, n->children.v[i]);
    }
}

static const struct artifact *guards_artifact(const struct compile *c)
{
    for (size_t i = c->artifacts.n; i-- > 0;)
        if (c->artifacts.v[i]->info && c->artifacts.v[i]->info->stage == STAGE_GUARDS)
            return c->artifacts.v[i];
    return NULL;
}

static bool read_guards(const struct view *v, const struct artifact *a, struct guard_tree *t)
{
    struct payload_source from = input_payloads(a->input);
    struct buf text = {0};
    struct str copy;
    bool ok = !payload_is_scattered(&a->payload) && payload_read(&from, &a->payload, LIMIT_PAYLOAD_TEXT, &text) == 0 &&
              text.n;

    if (ok) {
        copy = arena_str(v->scratch, buf_view(&text));
        if (str_eq(a->name, STR("dynamo_guards")))
            ok = guard_tree_parse_json(v->scratch, copy, t);
        else
            guard_tree_parse(v->scratch, copy, t);
    }
    buf_free(&text);
    return ok;
}

static json_t *guards_of(const struct view *v, const struct compile *c)
{
    const struct artifact *a = guards_artifact(c);
    struct guard_tree t = {0};
    json_t *o, *rows;

    if (!a || !read_guards(v, a, &t))
        return json_null();
    o = json_new_object();
    rows = json_new_array();
    add_guard_rows(v, t.root, rows);
    json_put_str(o, "count", format_counted(v->scratch, t.guards.n, "guard", "guards"));
    json_put(o, "latency",
             t.latency_us >= 0 ? json_of_str(arena_printf(v->scratch, "%.1f \xc2\xb5s", t.latency_us)) : json_null());
    json_put(o, "kinds", guard_kinds(v, &t));
    json_put_bool(o, "cut", json_array_size(rows) >= PAGE_GUARDS_MAX);
    json_put(o, "rows", rows);
    return o;
}

/* --- inputs, symbols, restarts ------------------------------------------------------------------------------------ */

static json_t *inputs_of(const struct view *v, const struct compile *c)
{
    json_t *o, *rows = json_new_array();
    size_t n = 0;

    vec_each(const struct tensor, t, &c->tensors)
    {
        json_t *row;

        if (t->source.n == 0 || n++ >= PAGE_TENSORS_MAX)
            continue;
        row = json_new_object();
        json_put_str(row, "source", t->source);
        json_put(row, "dtype", view_text(str_starts(t->dtype, STR("torch.")) ? str_skip(t->dtype, 6) : t->dtype));
        json_put(row, "shape", view_text(t->shape));
        json_put(row, "stride", view_text(t->stride));
        json_put(row, "device", view_text(t->device));
        json_put_bool(row, "grad", t->requires_grad);
        json_put_bool(row, "parameter", t->is_parameter);
        json_push(rows, row);
    }
    if (n == 0) {
        json_decref(rows);
        return json_null();
    }
    o = json_new_object();
    json_put_str(o, "count", format_counted(v->scratch, n, "tensor", "tensors"));
    json_put(o, "rows", rows);
    json_put(o, "more", n > PAGE_TENSORS_MAX ? json_of_i64((int64_t)(n - PAGE_TENSORS_MAX)) : json_null());
    return o;
}

static json_t *restarts_of(const struct view *v, const struct compile *c)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < c->restart_reasons.n && i < PAGE_ITEMS_MAX; i++)
        json_push(list, page_text(v, c->restart_reasons.v[i]));
    return list;
}

static json_t *links_of(const struct compile *c)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < c->links.n && i < PAGE_ITEMS_MAX; i++) {
        const struct link *l = &c->links.v[i];
        bool safe = str_starts(l->url, STR("https://")) || str_starts(l->url, STR("http://"));
        json_t *o = json_new_object();

        json_put_str(o, "name", l->name.n ? l->name : l->url);
        json_put(o, "url", safe ? json_of_str(l->url) : json_null());
        json_put_str(o, "text", l->url);
        json_push(list, o);
    }
    return list;
}

json_t *page_compile(const struct view *v, const struct compile *c)
{
    json_t *o = page_compile_row(v, c, true);

    json_put(o, "restarts", restarts_of(v, c));
    json_put(o, "stack", page_stack(v, c->stack));
    json_put(o, "stages", stages_of(v, c));
    json_put(o, "metrics", metrics_of(v, c));
    json_put(o, "guard_tree", guards_of(v, c));
    json_put(o, "inputs", inputs_of(v, c));
    json_put(o, "links", links_of(c));
    json_put_bool(o, "backward", c->backward);
    return o;
}

/* --- the size budget ---------------------------------------------------------------------------------------------- */

uint64_t page_compile_size(const struct compile *c)
{
    int64_t guards = 0;
    uint64_t tensors = c->tensors.n < PAGE_TENSORS_MAX ? c->tensors.n : PAGE_TENSORS_MAX;

    if (!metrics_i64(compile_metrics(c, METRICS_FORWARD), "guard_count", &guards) || guards < 0)
        guards = c->guards_seen ? 20 : 0;
    if (guards > PAGE_GUARDS_MAX)
        guards = PAGE_GUARDS_MAX;
    return 2500 + c->artifacts.n * 700 + c->metrics.n * 9000 + (uint64_t)guards * 420 + tensors * 260 +
           (c->stack ? c->stack->depth * 220 : 0);
}

int64_t page_compile_weight(const struct compile *c)
{
    int64_t start, duration, weight = compile_interval(c, &start, &duration) ? duration : 0;
    const int64_t hour_us = 3600 * 1000000ll;

    if (weight > hour_us)
        weight = hour_us;
    return weight + (c->failures.n ? 4 * hour_us : 0) + (c->breaks.n ? 2 * hour_us : 0) +
           (compile_is_recompile(c) ? hour_us : 0);
}
