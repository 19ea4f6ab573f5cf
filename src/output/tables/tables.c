#include "output/tables/tables.h"

#include "view/facts/facts.h"

#include <stdio.h>
#include <stdlib.h>

/* --- columns ------------------------------------------------------------------------------------------------------ */

const struct table *table_at(size_t i)
{
    return i < report_table_count ? &report_tables[i] : NULL;
}

const struct table *table_find(const char *name)
{
    const struct table *t;

    for (size_t i = 0; (t = table_at(i)) != NULL; i++)
        if (strcmp(t->name, name) == 0)
            return t;
    return NULL;
}

/* A number is an index into a list. */
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

struct tables_writing {
    struct view *v;
    bool kernels;
    table_row *each;
    void *object;
};

static void row(struct tables_writing *w, const char *table, json_t *o)
{
    w->each(w->object, table, o);
    arena_reset(w->v->scratch);
}

static void write_issues(struct tables_writing *w)
{
    const struct answers *a = w->v->answers;

    for (size_t i = 0; i < a->findings->list.n; i++)
        row(w, "findings", fact_finding(w->v, a->findings->list.v[i]));
    for (size_t i = 0; i < a->breaks.list.n; i++)
        row(w, "graph_breaks", fact_graph_break(w->v, a->breaks.list.v[i]));
    for (size_t i = 0; i < a->recompiles.list.n; i++)
        row(w, "recompiles", fact_recompile(w->v, a->recompiles.list.v[i]));
    for (size_t i = 0; i < a->errors.list.n; i++)
        row(w, "errors", fact_error(w->v, &a->errors.list.v[i]));
    for (size_t i = 0; i < a->timing.events.n; i++)
        row(w, "phases", fact_phase(w->v, a->timing.events.v[i]));
}

static void write_kernels(struct tables_writing *w, const struct compile *c)
{
    struct arena *arena = arena_new();
    struct kernels found;

    kernels_find(arena, c, &found);
    vec_each(const struct kernel, k, &found.list)
        row(w, "kernels", fact_kernel(w->v, k));
    arena_free(arena);
}

/* Records of AOTInductor and export have no compile, but their metrics refer to configurations, too. */
static void number_configurations(struct tables_writing *w, const struct compile *c)
{
    for (size_t i = 0; i < c->metrics.n; i++)
        json_decref(fact_metrics(w->v, c->metrics.v[i]));
}

static void write_compile(struct tables_writing *w, const struct compile *c)
{
    if (c->frame)
        row(w, "compiles", fact_compile(w->v, c));
    else
        number_configurations(w, c);
    vec_each(const struct cache_event, e, &c->cache_events) row(w, "caches", fact_cache(w->v, e));
    vec_each(const struct symbol, s, &c->symbols)
        row(w, "symbols", fact_symbol(w->v, &(struct symbol_of_compile){c, s}));
    if (w->kernels)
        write_kernels(w, c);
}

static void write_configurations(struct tables_writing *w)
{
    const struct map *texts = w->v->configurations;

    for (size_t i = 0; i < texts->n; i++)
        row(w, "configurations", fact_configuration_text(w->v, &texts->entries[i]));
}

void tables_write(struct view *v, bool kernels, table_row *each, void *object)
{
    struct tables_writing w = {v, kernels, each, object};
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
