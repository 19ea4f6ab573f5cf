/* The table of compiles, and everything known about one compile. */
#include "view/page.h"

#include "analysis/errors/error_words.h"
#include "analysis/find/command.h"
#include "util/number.h"
#include "util/utf8.h"
#include "view/format.h"

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

/* The compile time on the fastest and the slowest of the ranks that a compile represents; -1 unknown. */
struct rank_span {
    int64_t least, most;
};

static void take_span(struct rank_span *s, const struct compile *c)
{
    int64_t start, duration;

    if (!c->frame || !compile_interval(c, &start, &duration))
        return;
    s->least = s->least < 0 || duration < s->least ? duration : s->least;
    s->most = duration > s->most ? duration : s->most;
}

static struct rank_span span_of(const struct view *v, const struct compile *c)
{
    const struct rank_alike *alike = page_is_repeated(v, c) ? NULL : rank_alike_of(&v->answers->ranks, c);
    struct rank_span s = {-1, -1};

    take_span(&s, c);
    for (size_t i = 1; alike && i < alike->compiles.n; i++)
        take_span(&s, alike->compiles.v[i]);
    return s;
}

/* "1.2 s", "1.2 s to 1.9 s" */
static json_t *span_words(const struct view *v, const struct rank_span *s)
{
    struct str least, most;

    if (s->most < 0)
        return json_null();
    least = format_duration_us(v->scratch, s->least);
    most = format_duration_us(v->scratch, s->most);
    return json_of_str(str_eq(least, most) ? most
                                           : arena_printf(v->scratch, "%.*s to %.*s", STR_ARG(least), STR_ARG(most)));
}

json_t *page_compile_row(const struct view *v, const struct compile *c, bool detailed)
{
    int64_t guards = compile_guards(c);
    struct rank_span took = span_of(v, c);
    const struct compile *same = rank_same_as(&v->answers->ranks, c);
    json_t *o = page_link(v, c);

    json_put_bool(o, "detailed", detailed);
    json_put(o, "frame", c->frame ? json_of_str(format_frame(v->scratch, c->frame)) : json_null());
    json_put(o, "group", c->frame ? page_text(v, c->frame->group) : json_null());
    json_put(o, "place", page_place(v, c->frame ? c->frame->file : (struct str){0}, c->frame ? c->frame->line : 0));
    json_put_bool(o, "recompile", compile_is_recompile(c));
    json_put_bool(o, "limit_hit", c->limit_hit);
    json_put(o, "attempts", c->frame ? json_of_i64(c->attempts) : json_null());
    json_put_str(o, "ranks", page_is_repeated(v, c) ? STR("") : page_alike(v, c));
    json_put(o, "duration", span_words(v, &took));
    json_put_i64(o, "duration_us", took.most);
    json_put(o, "ops", count_of(v, c, "graph_op_count"));
    json_put(o, "guards", guards >= 0 ? json_of_str(format_count(v->scratch, (uint64_t)guards)) : json_null());
    json_put(o, "breaks", c->breaks.n ? json_of_i64((int64_t)c->breaks.n) : json_null());
    json_put(o, "caches", cache_words(v, c));
    json_put_i64(o, "artifacts", (int64_t)c->artifacts.n);
    json_put_str(o, "show", command_show_compile(v->scratch, c));
    json_put(o, "same", same && view_shown(v, same) == SHOWN_DETAILED ? page_link(v, same) : json_null());
    return o;
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

/* PyTorch writes some metrics under an old and a new name: they are one row if the values are equal. */
static bool add_key(json_t *list, struct str title, struct str value, struct str key)
{
    for (size_t i = json_array_size(list); i-- > 0;) {
        json_t *row = json_array_get(list, i);

        if (!str_eq(json_str(json_object_get(row, "title")), title) ||
            !str_eq(json_str(json_object_get(row, "value")), value))
            continue;
        json_push(json_object_get(row, "keys"), json_of_str(key));
        return true;
    }
    return false;
}

/* The configurations are long and shown separately; so is the stack. */
static bool is_shown_elsewhere(const struct compile *c, const struct metric *m)
{
    return (m->field && m->field->unit == UNIT_CONFIG) || (str_eq(m->key, STR("stack_trace")) && c->stack);
}

static json_t *metric_rows(const struct view *v, const struct compile *c, const struct metrics *metrics, int group)
{
    json_t *list = json_new_array();

    vec_each(const struct metric, m, &metrics->values)
    {
        struct str text, title = m->field ? str_of(m->field->title) : m->key, cut;
        json_t *o, *keys;

        if (json_array_size(list) >= PAGE_ROWS_MAX)
            break;
        if ((m->field ? (int)m->field->group : METRICS_OTHER) != group || is_empty(m) || is_shown_elsewhere(c, m))
            continue;
        text = metric_text(v, c, m);
        cut = utf8_cut(text, PAGE_METRIC_TEXT_MAX);
        if (m->field && add_key(list, title, cut, m->key))
            continue;
        keys = json_new_array();
        json_push(keys, json_of_str(m->key));
        o = json_new_object();
        json_put(o, "keys", keys);
        json_put_str(o, "title", title);
        json_put_str(o, "value", cut);
        json_put_bool(o, "cut", text.n > cut.n);
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

/* Facts without a section of their own; null if there are none. */
static json_t *notes_of(const struct view *v, const struct compile *c)
{
    json_t *o;

    if (c->restart_reasons.n == 0 && c->links.n == 0)
        return json_null();
    o = json_new_object();
    json_put(o, "restarts", restarts_of(v, c));
    json_put(o, "links", links_of(c));
    return o;
}

/* --- what happened to it ------------------------------------------------------------------------------------------ */

/* {name: list}; null for an empty list, so that the template leaves the section out. */
static json_t *list_or_null(const char *name, json_t *list)
{
    json_t *o;

    if (json_array_size(list) == 0) {
        json_decref(list);
        return json_null();
    }
    o = json_new_object();
    json_put(o, name, list);
    return o;
}

static void add_event(json_t *list, const char *what, struct str section, json_t *words, json_t *place)
{
    json_t *o = json_new_object();

    json_put_str(o, "what", str_of(what));
    json_put_str(o, "section", section);
    json_put(o, "words", words);
    json_put(o, "place", place);
    json_push(list, o);
}

static void add_reason(const struct view *v, const struct compile *c, json_t *list)
{
    struct recompile rc;

    if (!compile_is_recompile(c))
        return;
    recompile_of(v->scratch, c, &rc);
    add_event(list, c->limit_hit ? "Not compiled again, limit reached" : "Compiled again",
              page_chain_anchor(v->scratch, c->frame),
              page_words(rc.reasons.n ? rc.reasons.v[0].words : STR("the trace does not say why")), json_null());
}

/*
 * Why it was recompiled, where the graph broke, and what failed; the sections before have the details. null if there
 * are none.
 */
static json_t *events_of(const struct view *v, const struct compile *c)
{
    json_t *list = json_new_array();

    add_reason(v, c, list);
    for (size_t i = 0; i < c->breaks.n && i < PAGE_REASONS_MAX; i++) {
        const struct graph_break *b = c->breaks.v[i];

        add_event(list, "Graph break", STR("breaks"), page_words(b->type), page_place(v, b->file, b->line));
    }
    for (size_t i = 0; i < c->failures.n && i < PAGE_REASONS_MAX; i++) {
        const struct failure *f = c->failures.v[i];

        if (f->fallback)
            continue; /* shown above */
        add_event(list, "Failed", STR("errors"),
                  page_words(arena_printf(v->scratch, "`%.*s` %.*s", STR_ARG(f->type),
                                          STR_ARG(error_headline(v->scratch, f)))),
                  page_place(v, f->file, f->line));
    }
    return list_or_null("events", list);
}

static void add_stack(const struct view *v, json_t *list, const struct call *stack)
{
    json_t *o = json_new_object();

    json_put(o, "stack", page_stack(v, stack));
    json_push(list, o);
}

/* Records without a compile id come from many places in PyTorch, but only few calls of the user lead there. */
static json_t *stacks_of(const struct view *v, const struct compile *c)
{
    json_t *list = json_new_array();
    const struct call *last = NULL;

    if (c->stack)
        add_stack(v, list, c->stack);
    for (size_t i = 0; i < c->stacks.n && json_array_size(list) < PAGE_STACKS_MAX; i++) {
        const struct call *own = stack_user_call(c->stacks.v[i]);

        if (own != last)
            add_stack(v, list, own);
        last = own;
    }
    return list;
}

json_t *page_compile(const struct view *v, const struct compile *c)
{
    json_t *o = page_compile_row(v, c, true), *stages = page_stages(v, c), *stacks = stacks_of(v, c);

    json_put(o, "happened", events_of(v, c));
    json_put(o, "notes", notes_of(v, c));
    json_put_bool(o, "any_stacks", json_array_size(stacks) > 0);
    json_put(o, "stacks", stacks);
    json_put_bool(o, "any_artifacts", json_array_size(stages) > 0);
    json_put(o, "stages", stages);
    json_put(o, "passes", page_passes(v, c));
    json_put(o, "vllm", page_vllm(v, c));
    json_put(o, "estimates", page_estimates(v, c));
    json_put(o, "metrics", metrics_of(v, c));
    json_put(o, "guard_tree", page_guards(v, c));
    json_put(o, "inputs", inputs_of(v, c));
    json_put(o, "symbols", page_symbols(v, c->symbols.n ? c : NULL));
    json_put_bool(o, "backward", c->backward);
    return o;
}

/* --- the size budget ---------------------------------------------------------------------------------------------- */

static uint64_t at_most(size_t n, uint64_t most)
{
    return n < most ? n : most;
}

static uint64_t stacks_size(const struct compile *c)
{
    uint64_t calls = c->stack ? c->stack->depth : 0;

    for (size_t i = 0; i < c->stacks.n && i < PAGE_STACKS_MAX; i++)
        calls += c->stacks.v[i]->depth;
    return calls * 220;
}

uint64_t page_compile_size(const struct compile *c)
{
    int64_t guards = 0;

    if (!metrics_i64(compile_metrics(c, METRICS_FORWARD), "guard_count", &guards) || guards < 0)
        guards = c->guards_seen ? 20 : 0;
    if (guards > PAGE_GUARDS_MAX)
        guards = PAGE_GUARDS_MAX;
    if (compile_is_recompile(c))
        guards += 2 * (guards < PAGE_CHANGES_MAX ? guards : PAGE_CHANGES_MAX);
    return 2500 + c->artifacts.n * 800 + c->metrics.n * 9000 + (uint64_t)guards * 420 +
           at_most(c->tensors.n, PAGE_TENSORS_MAX) * 260 + at_most(c->symbols.n, PAGE_ITEMS_MAX) * 450 +
           at_most(c->breaks.n + c->failures.n, 2 * PAGE_REASONS_MAX) * 500 + stacks_size(c);
}

int64_t page_compile_weight(const struct compile *c)
{
    int64_t start, duration, weight = compile_interval(c, &start, &duration) ? duration : 0;
    const int64_t hour_us = 3600 * 1000000ll;

    if (weight > hour_us)
        weight = hour_us;
    return weight + (c->status == STATUS_ERROR ? 4 * hour_us : 0) + (c->breaks.n ? 2 * hour_us : 0) +
           (compile_is_recompile(c) ? hour_us : 0);
}
