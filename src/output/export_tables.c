/*
 * The lists of report.json as JSON lines, for databases and data frames: {"table": "compiles", …}, and behind it what
 * report.json has for the item. The schema of the rows is that of the list of the same name.
 */
#include "output/export.h"

#include "analysis/findings.h"
#include "util/mem.h"
#include "view/kernels.h"

#include <stdlib.h>

struct writing {
    struct sink *out;
    struct view *v;
};

/* Takes the object `row` over. */
static void write_row(struct writing *w, const char *table, json_t *row)
{
    json_t *o = json_new_object();
    char *text;

    json_put_str(o, "table", str_of(table));
    json_object_update(o, row);
    text = json_dumps(o, JSON_COMPACT | JSON_REAL_PRECISION(15));
    if (!text)
        out_of_memory();
    sink_str(w->out, str_of(text));
    sink_str(w->out, STR("\n"));
    free(text);
    json_decref(o);
    json_decref(row);
    arena_reset(w->v->scratch);
}

static void write_issues(struct writing *w)
{
    const struct answers *a = w->v->answers;

    for (size_t i = 0; i < a->findings->list.n; i++)
        write_row(w, "findings", fact_finding(w->v, a->findings->list.v[i]));
    for (size_t i = 0; i < a->breaks.list.n; i++)
        write_row(w, "graph_breaks", fact_break(w->v, a->breaks.list.v[i]));
    for (size_t i = 0; i < a->recompiles.list.n; i++)
        write_row(w, "recompiles", fact_recompile(w->v, a->recompiles.list.v[i]));
    for (size_t i = 0; i < a->errors.list.n; i++)
        write_row(w, "errors", fact_error(w->v, &a->errors.list.v[i]));
    for (size_t i = 0; i < a->timing.events.n; i++)
        write_row(w, "phases", fact_phase(w->v, a->timing.events.v[i]));
}

static void write_kernels(struct writing *w, const struct compile *c)
{
    struct arena *arena = arena_new();
    struct kernels kernels;

    kernels_find(arena, c, &kernels);
    vec_each(const struct kernel, k, &kernels.list) write_row(w, "kernels", fact_kernel(w->v, k));
    arena_free(arena);
}

static void write_compile(struct writing *w, const struct compile *c)
{
    if (c->frame)
        write_row(w, "compiles", fact_compile(w->v, c));
    vec_each(const struct cache_event, e, &c->cache_events) write_row(w, "caches", fact_cache(w->v, e));
    vec_each(const struct symbol, s, &c->symbols) write_row(w, "symbols", fact_symbol(w->v, c, s));
    write_kernels(w, c);
}

int export_tables(struct sink *out, struct view *v, const struct about *about)
{
    struct writing w = {.out = out, .v = v};
    const struct compile *c;

    (void)about;
    for (size_t i = 0; i < v->run->inputs.n; i++)
        write_row(&w, "inputs", fact_input(v, v->run->inputs.v[i]));
    write_issues(&w);
    for (struct compile_walk walk = {.run = v->run}; (c = compile_next(&walk));)
        write_compile(&w, c);
    return 0;
}
