/* The table of compiles, and everything known about one compile. */
#include "view/page.h"
#include "view/page_objects.h"

#include "analysis/errors/error_words.h"
#include "analysis/find/command.h"
#include "util/number.h"
#include "util/utf8.h"
#include "view/format.h"

/* Empty if the trace does not say. */
static struct str graph_ops(const struct view *v, const struct compile *c)
{
    int64_t n;

    return metrics_i64(compile_metrics(c, METRICS_FORWARD), "graph_op_count", &n) && n >= 0
               ? format_count(v->scratch, (uint64_t)n)
               : STR("");
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
static struct str span_words(const struct view *v, const struct rank_span *s)
{
    struct str least, most;

    if (s->most < 0)
        return STR("");
    least = format_duration_us(v->scratch, s->least);
    most = format_duration_us(v->scratch, s->most);
    return str_eq(least, most) ? most : arena_printf(v->scratch, "%.*s to %.*s", STR_ARG(least), STR_ARG(most));
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

struct metric_row {
    struct str title, value;
    bool cut;
    VEC(struct str) keys;
};

struct metric_rows {
    enum metric_group group;
    VEC(struct metric_row) list;
};

/* PyTorch writes some metrics under an old and a new name: they are one row if the values are equal. */
static struct metric_row *equal_row(const struct metric_rows *rows, struct str title, struct str value)
{
    for (size_t i = rows->list.n; i-- > 0;)
        if (str_eq(rows->list.v[i].title, title) && str_eq(rows->list.v[i].value, value))
            return &rows->list.v[i];
    return NULL;
}

/* The configurations are long and shown separately; so is the stack. */
static bool is_shown_elsewhere(const struct compile *c, const struct metric *m)
{
    return (m->field && m->field->unit == UNIT_CONFIG) || (str_eq(m->key, STR("stack_trace")) && c->stack);
}

static void add_metric(struct arena *a, struct metric_rows *rows, const struct metric *m, struct str text)
{
    struct str title = m->field ? str_of(m->field->title) : m->key, cut = utf8_cut(text, PAGE_METRIC_TEXT_MAX);
    struct metric_row *row = m->field ? equal_row(rows, title, cut) : NULL;

    if (!row) {
        vec_push(a, &rows->list, ((struct metric_row){.title = title, .value = cut, .cut = text.n > cut.n}));
        row = &rows->list.v[rows->list.n - 1];
    }
    vec_push(a, &row->keys, m->key);
}

struct metrics_of_compile {
    const struct compile *compile;
    const struct metrics *metrics;
};

static json_t *metric_groups(const struct view *v, const struct metrics_of_compile *x)
{
    json_t *groups = json_new_array();

    for (int g = 0; g < METRICS_GROUPS; g++) {
        struct metric_rows rows = {.group = (enum metric_group)g};

        vec_each(const struct metric, m, &x->metrics->values)
        {
            if (rows.list.n >= PAGE_ROWS_MAX)
                break;
            if ((m->field ? (int)m->field->group : METRICS_OTHER) == g && !is_empty(m) &&
                !is_shown_elsewhere(x->compile, m))
                add_metric(v->scratch, &rows, m, metric_text(v, x->compile, m));
        }
        if (rows.list.n)
            json_push(groups, page_metric_group(v, &rows));
    }
    return groups;
}

static const char *const metrics_titles[] = {"Metrics", "Metrics of the backward graph", "Metrics at run time",
                                             "Metrics at run time, backward"};

static json_t *metrics_of(const struct view *v, const struct compile *c)
{
    enum { METRICS_SHOWN = 8 };
    json_t *list = json_new_array();

    for (size_t i = 0; i < c->metrics.n && i < METRICS_SHOWN; i++)
        json_push(list, page_metrics(v, &(struct metrics_of_compile){c, c->metrics.v[i]}));
    return list;
}

/* --- inputs, restarts --------------------------------------------------------------------------------------------- */

struct tensor_list {
    VEC(const struct tensor *) shown;
    size_t n; /* of all */
};

/* The tensors that have a source; NULL if there are none. */
static const struct tensor_list *tensors_of(const struct view *v, const struct compile *c)
{
    struct tensor_list *list = ARENA_NEW(v->scratch, struct tensor_list);

    vec_each(const struct tensor, t, &c->tensors) if (t->source.n && list->n++ < PAGE_TENSORS_MAX)
        vec_push(v->scratch, &list->shown, t);
    return list->n ? list : NULL;
}

static json_t *restarts_of(const struct view *v, const struct compile *c)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < c->restart_reasons.n && i < PAGE_ITEMS_MAX; i++)
        json_push(list, page_text(v, c->restart_reasons.v[i]));
    return list;
}

/* --- what happened to it ------------------------------------------------------------------------------------------ */

struct compile_event {
    const char *what;
    struct str section, words, file;
    int64_t line;
};

struct compile_events {
    VEC(struct compile_event) list;
};

static void add_reason(struct arena *a, const struct compile *c, struct compile_events *to)
{
    struct recompile rc;

    if (!compile_is_recompile(c))
        return;
    recompile_of(a, c, &rc);
    vec_push(a, &to->list,
             ((struct compile_event){
                 .what = c->limit_hit ? "Not compiled again, limit reached" : "Compiled again",
                 .section = page_chain_anchor(a, c->frame),
                 .words = rc.reasons.n ? rc.reasons.v[0].words : STR("no reason was recorded")}));
}

/*
 * Why it was recompiled, where the graph broke, and what failed; the sections before have the details. NULL if there
 * are none.
 */
static const struct compile_events *events_of(const struct view *v, const struct compile *c)
{
    struct compile_events *all = ARENA_NEW(v->scratch, struct compile_events);

    add_reason(v->scratch, c, all);
    for (size_t i = 0; i < c->breaks.n && i < PAGE_REASONS_MAX; i++) {
        const struct graph_break *b = c->breaks.v[i];

        vec_push(v->scratch, &all->list,
                 ((struct compile_event){"Graph break", STR("breaks"), b->type, b->file, (int64_t)b->line}));
    }
    for (size_t i = 0; i < c->failures.n && i < PAGE_REASONS_MAX; i++) {
        const struct failure *f = c->failures.v[i];
        struct str words = arena_printf(v->scratch, "`%.*s` %.*s", STR_ARG(f->type),
                                        STR_ARG(error_headline(v->scratch, f)));

        if (!f->fallback) /* a fallback is shown above */
            vec_push(v->scratch, &all->list,
                     ((struct compile_event){"Failed", STR("errors"), words, f->file, (int64_t)f->line}));
    }
    return all->list.n ? all : NULL;
}

/* Records without a compile id come from many places in PyTorch, but only few calls of the user lead there. */
static json_t *stacks_of(const struct view *v, const struct compile *c)
{
    json_t *list = json_new_array();
    const struct call *last = NULL;

    if (c->stack)
        json_push(list, page_compile_stack(v, c->stack));
    for (size_t i = 0; i < c->stacks.n && json_array_size(list) < PAGE_STACKS_MAX; i++) {
        const struct call *own = stack_user_call(c->stacks.v[i]);

        if (own != last)
            json_push(list, page_compile_stack(v, own));
        last = own;
    }
    return list;
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

#include "view/page_rows.h"

#include "view/sections/compile.def"
