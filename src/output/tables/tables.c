#include "output/tables/tables.h"

#include "analysis/find/finding.h"
#include "view/gpu.h"
#include "view/kernels.h"

#include <stdio.h>
#include <stdlib.h>

/* --- columns ------------------------------------------------------------------------------------------------------ */

#define TEXT(name) {#name, #name, "TEXT"}
#define NUMBER(name) {#name, #name, "INTEGER"}
#define REAL(name) {#name, #name, "REAL"}
#define LIST(name) {#name, #name, "JSON"}
#define PROCESS NUMBER(rank), NUMBER(pid), NUMBER(process)
#define COMPILE PROCESS, NUMBER(epoch), TEXT(compile)
#define PLACE TEXT(file), NUMBER(line)
#define FRAME                                                                                                          \
    {"frame_name", "frame.name", "TEXT"}, {"frame_file", "frame.file", "TEXT"},                                        \
    {                                                                                                                  \
        "frame_line", "frame.line", "INTEGER"                                                                          \
    }

static const struct column inputs[] = {
    TEXT(path), TEXT(kind), NUMBER(rank), NUMBER(pid), LIST(pids), LIST(processes), NUMBER(run), NUMBER(bytes),
    NUMBER(records), NUMBER(lines), NUMBER(lines_understood), NUMBER(used), TEXT(why_not),
};
static const struct column findings[] = {
    TEXT(id), TEXT(severity), TEXT(title), TEXT(detail),
    {"cost_seconds", "cost.seconds", "REAL"}, {"cost_compiles", "cost.compiles", "INTEGER"},
    {"cost_graph_breaks", "cost.graph_breaks", "INTEGER"}, {"cost_ranks", "cost.ranks", "INTEGER"},
    NUMBER(rank), LIST(ranks), LIST(compiles), LIST(compile_refs), PLACE, TEXT(source), TEXT(fix), TEXT(paste),
    TEXT(paste_kind), {"paste_at_file", "paste_at.file", "TEXT"}, {"paste_at_line", "paste_at.line", "INTEGER"},
    {"paste_at_words", "paste_at.words", "TEXT"}, TEXT(follows_from), LIST(spots), TEXT(doc), LIST(tried),
};
static const struct column graph_breaks[] = {
    NUMBER(rank), NUMBER(run), TEXT(type), TEXT(gb_id), TEXT(reason), TEXT(explanation), LIST(hints), TEXT(context),
    TEXT(url), PLACE, TEXT(function), TEXT(source), TEXT(own_file), NUMBER(own_line), NUMBER(count), NUMBER(restarted),
    TEXT(told_by), LIST(compiles), LIST(compile_refs), LIST(resumes), LIST(stack),
};
static const struct column recompiles[] = {
    COMPILE, FRAME, {"reason", "reasons.0.text", "TEXT"}, {"reason_class", "reasons.0.class", "TEXT"}, LIST(reasons),
    NUMBER(limit_hit), REAL(duration_s),
};
static const struct column errors[] = {
    COMPILE, TEXT(category), TEXT(stage), TEXT(where), TEXT(type), TEXT(message), LIST(graph_break), PLACE,
    TEXT(source), NUMBER(silent), LIST(stack), LIST(next),
};
static const struct column phases[] = {
    PROCESS, TEXT(name), TEXT(phase), REAL(wall_s), REAL(self_s), NUMBER(count),
};
static const struct column compiles[] = {
    PROCESS, NUMBER(run), NUMBER(epoch), TEXT(id), FRAME, LIST(same_as), TEXT(status), NUMBER(recompile),
    NUMBER(limit_hit), NUMBER(attempts), LIST(restart_reasons), LIST(cudagraph_skips), TEXT(start), REAL(duration_s),
    REAL(backward_duration_s), NUMBER(backward), NUMBER(graph_ops), NUMBER(guards), LIST(cache), LIST(inputs),
    LIST(metrics), LIST(backward_metrics), LIST(runtime_metrics), LIST(vllm), LIST(estimates), LIST(stack),
};
static const struct column configurations[] = {NUMBER(number), TEXT(text)};
static const struct column caches[] = {
    COMPILE, TEXT(layer), TEXT(outcome), TEXT(key), TEXT(reason), REAL(saved_s), LIST(key_changes),
};
static const struct column symbols[] = {
    COMPILE, TEXT(symbol), TEXT(source), TEXT(hint), TEXT(range), NUMBER(unbacked), TEXT(specialized_to), PLACE,
    LIST(stack),
};
static const struct column kernels[] = {
    COMPILE, TEXT(name), TEXT(kind), TEXT(heuristic), LIST(nodes), LIST(sizes), LIST(graphs), NUMBER(calls), PLACE,
    LIST(places), REAL(compile_s), LIST(autotuned), LIST(gpu),
    {"gpu_calls", "gpu.calls", "INTEGER"}, {"gpu_total_us", "gpu.total_us", "REAL"},
    {"gpu_median_us", "gpu.median_us", "REAL"}, {"gpu_bandwidth_gb_s", "gpu.bandwidth_gb_s", "REAL"},
};

#define TABLE(name) {#name, name, sizeof name / sizeof *name}

static const struct table tables[] = {
    TABLE(inputs),   TABLE(findings),       TABLE(graph_breaks), TABLE(recompiles), TABLE(errors), TABLE(phases),
    TABLE(compiles), TABLE(configurations), TABLE(caches),       TABLE(symbols),    TABLE(kernels),
};

const struct table *table_at(size_t i)
{
    return i < sizeof tables / sizeof *tables ? &tables[i] : NULL;
}

const struct table *table_find(const char *name)
{
    const struct table *t;

    for (size_t i = 0; (t = table_at(i)) != NULL; i++)
        if (strcmp(t->name, name) == 0)
            return t;
    return NULL;
}

/* A number is a place in a list. */
static json_t *value_at(const json_t *row, const char *path)
{
    const char *dot = strchr(path, '.');
    char name[40];
    json_t *value;

    snprintf(name, sizeof name, "%.*s", (int)(dot ? dot - path : (ptrdiff_t)strlen(path)), path);
    value = str_is_digit(*name) ? json_array_get(row, (size_t)atoi(name)) : json_object_get(row, name);
    if (dot)
        return value_at(value, dot + 1);
    return value ? json_incref(value) : json_null();
}

bool column_is_list(const struct column *c)
{
    return strcmp(c->type, "JSON") == 0;
}

json_t *table_values(const struct table *t, const json_t *row, bool lists)
{
    json_t *values = json_new_array();

    for (size_t i = 0; i < t->column_count; i++)
        if (lists || !column_is_list(&t->columns[i]))
            json_push(values, value_at(row, t->columns[i].path));
    return values;
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

struct writing {
    struct view *v;
    bool kernels;
    table_row *each;
    void *object;
};

static void row(struct writing *w, const char *table, json_t *o)
{
    w->each(w->object, table, o);
    arena_reset(w->v->scratch);
}

static void write_issues(struct writing *w)
{
    const struct answers *a = w->v->answers;

    for (size_t i = 0; i < a->findings->list.n; i++)
        row(w, "findings", fact_finding(w->v, a->findings->list.v[i]));
    for (size_t i = 0; i < a->breaks.list.n; i++)
        row(w, "graph_breaks", fact_break(w->v, a->breaks.list.v[i]));
    for (size_t i = 0; i < a->recompiles.list.n; i++)
        row(w, "recompiles", fact_recompile(w->v, a->recompiles.list.v[i]));
    for (size_t i = 0; i < a->errors.list.n; i++)
        row(w, "errors", fact_error(w->v, &a->errors.list.v[i]));
    for (size_t i = 0; i < a->timing.events.n; i++)
        row(w, "phases", fact_phase(w->v, a->timing.events.v[i]));
}

static void write_kernels(struct writing *w, const struct compile *c)
{
    struct arena *arena = arena_new();
    struct kernels found;

    kernels_find(arena, c, &found);
    vec_each(const struct kernel, k, &found.list)
        row(w, "kernels", fact_kernel(w->v, k));
    arena_free(arena);
}

/* What AOTInductor and export log has no compile; its metrics name configurations, too. */
static void number_configurations(struct writing *w, const struct compile *c)
{
    for (size_t i = 0; i < c->metrics.n; i++)
        json_decref(fact_metrics(w->v, c->metrics.v[i]));
}

static void write_compile(struct writing *w, const struct compile *c)
{
    if (c->frame)
        row(w, "compiles", fact_compile(w->v, c));
    else
        number_configurations(w, c);
    vec_each(const struct cache_event, e, &c->cache_events) row(w, "caches", fact_cache(w->v, e));
    vec_each(const struct symbol, s, &c->symbols) row(w, "symbols", fact_symbol(w->v, c, s));
    if (w->kernels)
        write_kernels(w, c);
}

static void write_configurations(struct writing *w)
{
    const struct map *texts = w->v->configurations;

    for (size_t i = 0; i < texts->n; i++)
        row(w, "configurations", fact_configuration_text(i, texts->entries[i].key));
}

void tables_write(struct view *v, bool kernels, table_row *each, void *object)
{
    struct writing w = {v, kernels, each, object};
    struct arena *arena = arena_new();
    struct map configurations;
    const struct compile *c;

    map_init(&configurations, arena);
    v->configurations = &configurations;
    for (size_t i = 0; i < v->run->inputs.n; i++)
        row(&w, "inputs", fact_input(v, v->run->inputs.v[i]));
    write_issues(&w);
    for (struct compile_walk walk = {.run = v->run}; (c = compile_next(&walk));)
        write_compile(&w, c);
    write_configurations(&w);
    v->configurations = NULL;
    arena_free(arena);
}
