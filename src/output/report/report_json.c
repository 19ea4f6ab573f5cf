#include "output/report/report_json.h"

#include "util/mem.h"
#include "view/config.h"
#include "view/gpu.h"
#include "view/kernels.h"

#include <stdlib.h>

enum { FLAGS = JSON_COMPACT | JSON_REAL_PRECISION(15) | JSON_ENCODE_ANY };

/* The report object while it is open. */
struct writer {
    struct sink *out;
    struct view *view;
    bool first_key, first_item;
};

static int write_piece(const char *p, size_t n, void *out)
{
    sink_str(out, (struct str){p, n});
    return 0;
}

/* Takes v over. */
static void write_value(struct writer *w, json_t *v)
{
    if (json_dump_callback(v, write_piece, w->out, FLAGS) != 0)
        out_of_memory();
    json_decref(v);
    arena_reset(w->view->scratch);
}

static void key(struct writer *w, const char *name)
{
    sink_str(w->out, w->first_key ? STR("{\n\"") : STR(",\n\""));
    sink_str(w->out, str_of(name));
    sink_str(w->out, STR("\": "));
    w->first_key = false;
}

static void member(struct writer *w, const char *name, json_t *v)
{
    key(w, name);
    write_value(w, v);
}

static void begin_list(struct writer *w, const char *name)
{
    key(w, name);
    sink_str(w->out, STR("["));
    w->first_item = true;
}

/* One item a line: readable with grep, and in a diff. */
static void item(struct writer *w, json_t *v)
{
    sink_str(w->out, w->first_item ? STR("\n") : STR(",\n"));
    w->first_item = false;
    write_value(w, v);
}

static void end_list(struct writer *w)
{
    sink_str(w->out, w->first_item ? STR("]") : STR("\n]"));
}

static void write_inputs(struct writer *w)
{
    begin_list(w, "inputs");
    for (size_t i = 0; i < w->view->run->inputs.n; i++)
        item(w, fact_input(w->view, w->view->run->inputs.v[i]));
    end_list(w);
}

static void write_findings(struct writer *w)
{
    const struct findings *f = w->view->answers->findings;

    begin_list(w, "findings");
    for (size_t i = 0; i < f->list.n; i++)
        item(w, fact_finding(w->view, f->list.v[i]));
    end_list(w);
}

/* As item, with the compile's artifacts as the last member of o. */
static void compile_item(struct writer *w, json_t *o, const struct compile *c)
{
    char *text = json_dumps(o, FLAGS);

    if (!text)
        out_of_memory();
    json_decref(o);
    sink_str(w->out, w->first_item ? STR("\n") : STR(",\n"));
    w->first_item = false;
    sink_str(w->out, str_drop(str_of(text), 1));
    free(text);
    sink_str(w->out, STR(",\"artifacts\":["));
    for (size_t i = 0; i < c->artifacts.n; i++) {
        if (i)
            sink_str(w->out, STR(","));
        write_value(w, fact_artifact(w->view, c->artifacts.v[i]));
    }
    sink_str(w->out, STR("]}"));
}

static void write_compiles(struct writer *w)
{
    const struct compile *c;

    begin_list(w, "compiles");
    for (struct compile_walk walk = {.run = w->view->run}; (c = compile_next(&walk));)
        if (c->frame)
            compile_item(w, fact_compile(w->view, c), c);
    end_list(w);
    /* What carries no compile id, by process: only where there is something. */
    begin_list(w, "unattributed");
    for (size_t i = 0; i < w->view->run->processes.n; i++) {
        c = w->view->run->processes.v[i]->unattributed;
        if (c->artifacts.n || c->metrics.n || c->tensors.n || c->stacks.n)
            compile_item(w, fact_unattributed(w->view, c), c);
    }
    end_list(w);
}

/* The texts that metrics have the numbers of. */
static void write_configurations(struct writer *w)
{
    const struct map *texts = w->view->configurations;

    begin_list(w, "configurations");
    for (size_t i = 0; i < texts->n; i++)
        item(w, fact_configuration_text(i, texts->entries[i].key));
    end_list(w);
}

static void write_issues(struct writer *w)
{
    const struct answers *a = w->view->answers;

    begin_list(w, "graph_breaks");
    for (size_t i = 0; i < a->breaks.list.n; i++)
        item(w, fact_break(w->view, a->breaks.list.v[i]));
    end_list(w);
    begin_list(w, "recompiles");
    for (size_t i = 0; i < a->recompiles.list.n; i++)
        item(w, fact_recompile(w->view, a->recompiles.list.v[i]));
    end_list(w);
    begin_list(w, "errors");
    for (size_t i = 0; i < a->errors.list.n; i++)
        item(w, fact_error(w->view, &a->errors.list.v[i]));
    end_list(w);
}

static void write_caches(struct writer *w)
{
    const struct compile *c;

    begin_list(w, "caches");
    for (struct compile_walk walk = {.run = w->view->run}; (c = compile_next(&walk));)
        vec_each(const struct cache_event, e, &c->cache_events) item(w, fact_cache(w->view, e));
    end_list(w);
}

static void write_shapes(struct writer *w)
{
    const struct compile *c;

    begin_list(w, "symbols");
    for (struct compile_walk walk = {.run = w->view->run}; (c = compile_next(&walk));)
        vec_each(const struct symbol, s, &c->symbols) item(w, fact_symbol(w->view, c, s));
    end_list(w);
    begin_list(w, "export_issues");
    for (struct compile_walk walk = {.run = w->view->run}; (c = compile_next(&walk));)
        vec_each(const struct export_issue, e, &c->export_issues) item(w, fact_export_issue(w->view, c, e));
    end_list(w);
}

static void write_phases(struct writer *w)
{
    const struct timing *t = &w->view->answers->timing;

    begin_list(w, "phases");
    for (size_t i = 0; i < t->events.n; i++)
        item(w, fact_phase(w->view, t->events.v[i]));
    end_list(w);
}

static void write_kernels(struct writer *w)
{
    const struct compile *c;

    begin_list(w, "kernels");
    for (struct compile_walk walk = {.run = w->view->run}; (c = compile_next(&walk));) {
        struct arena *a = arena_new();

        vec_each(const struct kernel, k, &view_kernels(w->view, c, a)->list) item(w, fact_kernel(w->view, k));
        arena_free(a);
    }
    end_list(w);
}

static void write_kinds(struct writer *w)
{
    begin_list(w, "kinds");
    for (size_t i = 0; i < w->view->run->inputs.n; i++) {
        const struct map *kinds = &w->view->run->inputs.v[i]->kinds;

        for (size_t k = 0; k < kinds->n; k++) {
            json_t *o = fact_kind(w->view, kinds->entries[k].key, kinds->entries[k].value);

            json_put_i64(o, "input", (int64_t)i);
            item(w, o);
        }
    }
    end_list(w);
}

static void write_messages(struct writer *w)
{
    begin_list(w, "messages");
    vec_each(const struct message, m, &w->view->run->messages) item(w, fact_message(w->view, m));
    end_list(w);
}

void report_json_write(struct sink *out, struct view *v, const struct about *about)
{
    struct writer w = {.out = out, .view = v, .first_key = true};
    struct arena *arena = arena_new();
    struct map configurations;

    map_init(&configurations, arena);
    v->configurations = &configurations;
    member(&w, "schema", json_of_str(STR(REPORT_SCHEMA)));
    member(&w, "version", json_of_str(STR(REPORT_VERSION)));
    member(&w, "tool", fact_tool(about));
    member(&w, "sender", fact_sender(about));
    write_inputs(&w);
    member(&w, "experiment", fact_experiment(v));
    member(&w, "environment", fact_environment(v));
    member(&w, "configuration", fact_configuration(v));
    member(&w, "totals", fact_totals(v));
    write_findings(&w);
    write_compiles(&w);
    write_configurations(&w);
    v->configurations = NULL;
    arena_free(arena);
    write_issues(&w);
    write_caches(&w);
    write_shapes(&w);
    write_phases(&w);
    member(&w, "ranks", fact_ranks(v));
    write_kernels(&w);
    member(&w, "gpu", fact_gpu(v));
    write_kinds(&w);
    write_messages(&w);
    member(&w, "redaction", fact_redaction(v)); /* last, as the payloads are read by now */
    sink_str(out, STR("\n}\n"));
}
