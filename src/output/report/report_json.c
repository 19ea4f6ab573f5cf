#include "output/report/report_json.h"

#include "analysis/answers/versions.h"
#include "util/formats/json_room.h"
#include "util/mem.h"
#include "view/facts/facts.h"

enum { FLAGS = JSON_COMPACT | JSON_REAL_PRECISION(15) | JSON_ENCODE_ANY };

/* The state of writing the report object. */
struct json_writer {
    struct sink *out;
    struct view *view;
    struct json_room *room;
    bool first_key, first_item;
};

static int write_piece(const char *p, size_t n, void *out)
{
    sink_str(out, (struct str){p, n});
    return 0;
}

static void dump(json_t *v, struct sink *out)
{
    if (json_dump_callback(v, write_piece, out, FLAGS) != 0)
        out_of_memory();
}

/* Takes v over, the only value that there is at this moment. */
static void write_value(struct json_writer *w, json_t *v)
{
    dump(v, w->out);
    json_decref(v);
    json_room_clear(w->room);
    arena_reset(w->view->scratch);
}

static void key(struct json_writer *w, const char *name)
{
    sink_str(w->out, w->first_key ? STR("{\n\"") : STR(",\n\""));
    sink_str(w->out, str_of(name));
    sink_str(w->out, STR("\": "));
    w->first_key = false;
}

static void member(struct json_writer *w, const char *name, json_t *v)
{
    key(w, name);
    write_value(w, v);
}

static void begin_list(struct json_writer *w, const char *name)
{
    key(w, name);
    sink_str(w->out, STR("["));
    w->first_item = true;
}

/* One item per line, so that grep and diff are useful. */
static void item(struct json_writer *w, json_t *v)
{
    sink_str(w->out, w->first_item ? STR("\n") : STR(",\n"));
    w->first_item = false;
    write_value(w, v);
}

static void end_list(struct json_writer *w)
{
    sink_str(w->out, w->first_item ? STR("]") : STR("\n]"));
}

/* --- lists, item by item: each_NAME writes the items of the list of that name ------------------------------------- */

static void each_inputs(struct json_writer *w)
{
    for (size_t i = 0; i < w->view->run->inputs.n; i++)
        item(w, fact_input(w->view, w->view->run->inputs.v[i]));
}

static void each_findings(struct json_writer *w)
{
    const struct findings *f = w->view->answers->findings;

    for (size_t i = 0; i < f->list.n; i++)
        item(w, fact_finding(w->view, f->list.v[i]));
}

/* Like item, with the compile's artifacts as the last member of o. */
static void compile_item(struct json_writer *w, json_t *o, const struct compile *c)
{
    struct buf text = {0};
    struct sink to_text = sink_to_buf(&text);

    dump(o, &to_text);
    json_decref(o);
    sink_str(w->out, w->first_item ? STR("\n") : STR(",\n"));
    w->first_item = false;
    sink_str(w->out, str_drop(buf_view(&text), 1));
    buf_free(&text);
    sink_str(w->out, STR(",\"artifacts\":["));
    for (size_t i = 0; i < c->artifacts.n; i++) {
        if (i)
            sink_str(w->out, STR(","));
        write_value(w, fact_artifact(w->view, c->artifacts.v[i]));
    }
    sink_str(w->out, STR("]}"));
}

static void each_compiles(struct json_writer *w)
{
    const struct compile *c;

    for (struct compile_walk walk = {.run = w->view->run}; (c = compile_next(&walk));)
        if (c->frame)
            compile_item(w, fact_compile(w->view, c), c);
}

/* Records without a compile id, by process: only if there are any. */
static void each_unattributed(struct json_writer *w)
{
    for (size_t i = 0; i < w->view->run->processes.n; i++) {
        const struct compile *c = w->view->run->processes.v[i]->unattributed;

        if (c->artifacts.n || c->metrics.n || c->tensors.n || c->stacks.n)
            compile_item(w, fact_unattributed(w->view, c), c);
    }
}

/* The texts whose numbers metrics refer to, from the compiles, which have been written before. */
static void each_configurations(struct json_writer *w)
{
    const struct map *texts = w->view->configurations;

    for (size_t i = 0; i < texts->n; i++)
        item(w, fact_configuration_text(w->view, &texts->entries[i]));
    w->view->configurations = NULL;
}

static void each_graph_breaks(struct json_writer *w)
{
    const struct answers *a = w->view->answers;

    for (size_t i = 0; i < a->breaks.list.n; i++)
        item(w, fact_graph_break(w->view, a->breaks.list.v[i]));
}

static void each_recompiles(struct json_writer *w)
{
    const struct answers *a = w->view->answers;

    for (size_t i = 0; i < a->recompiles.list.n; i++)
        item(w, fact_recompile(w->view, a->recompiles.list.v[i]));
}

static void each_errors(struct json_writer *w)
{
    const struct answers *a = w->view->answers;

    for (size_t i = 0; i < a->errors.list.n; i++)
        item(w, fact_error(w->view, &a->errors.list.v[i]));
}

static void each_caches(struct json_writer *w)
{
    const struct compile *c;

    for (struct compile_walk walk = {.run = w->view->run}; (c = compile_next(&walk));)
        vec_each(const struct cache_event, e, &c->cache_events) item(w, fact_cache(w->view, e));
}

static void each_symbols(struct json_writer *w)
{
    const struct compile *c;

    for (struct compile_walk walk = {.run = w->view->run}; (c = compile_next(&walk));)
        vec_each(const struct symbol, s, &c->symbols)
            item(w, fact_symbol(w->view, &(struct symbol_of_compile){c, s}));
}

static void each_export_issues(struct json_writer *w)
{
    const struct compile *c;

    for (struct compile_walk walk = {.run = w->view->run}; (c = compile_next(&walk));)
        vec_each(const struct export_issue, e, &c->export_issues)
            item(w, fact_export_issue(w->view, &(struct export_issue_of_compile){c, e}));
}

static void each_phases(struct json_writer *w)
{
    const struct timing *t = &w->view->answers->timing;

    for (size_t i = 0; i < t->events.n; i++)
        item(w, fact_phase(w->view, t->events.v[i]));
}

static void each_kernels(struct json_writer *w)
{
    const struct compile *c;

    for (struct compile_walk walk = {.run = w->view->run}; (c = compile_next(&walk));) {
        struct arena *a = arena_new();

        vec_each(const struct kernel, k, &kernels_of(w->view->kernels, c, a)->list) item(w, fact_kernel(w->view, k));
        arena_free(a);
    }
}

static void each_kinds(struct json_writer *w)
{
    for (size_t i = 0; i < w->view->run->inputs.n; i++) {
        const struct map *kinds = &w->view->run->inputs.v[i]->kinds;

        for (size_t k = 0; k < kinds->n; k++)
            item(w, fact_kind(w->view,
                              &(struct kind_of_input){i, kinds->entries[k].key, kinds->entries[k].value}));
    }
}

static void each_messages(struct json_writer *w)
{
    vec_each(const struct message, m, &w->view->run->messages) item(w, fact_message(w->view, m));
}

/* --- the report --------------------------------------------------------------------------------------------------- */

static const struct versions *versions_of(const struct view *v)
{
    struct versions *found = ARENA_NEW(v->scratch, struct versions);

    *found = run_versions(v->run);
    return found;
}

/* NULL if nothing is known about GPUs. */
static const struct gpu_answers *gpu_of(const struct view *v)
{
    return gpu_is_known(v->run, &v->answers->gpu) ? &v->answers->gpu : NULL;
}

/* NULL if nothing was replaced. */
static const struct redaction *redaction_of(const struct view *v)
{
    return v->run->redaction.mode == REDACTION_NONE ? NULL : &v->run->redaction;
}

/* Members of rows in the order of writing: a small object at once, a list item by item. */
#define OBJECT(name, type, description)                                                                                \
    static void write_##name(struct json_writer *w, const type *x)                                                     \
    {                                                                                                                  \
        const struct view *v = w->view;
#define END }
#define CONSTANT(key, value, description) member(w, #key, json_of_str(STR(value)));
#define LIKE(key, value, pattern, description) member(w, #key, json_of_str(value));
#define PART(key, object, value, description) member(w, #key, fact_##object(v, value));
#define PART_OR_NULL(key, object, value, description) member(w, #key, fact_##object(v, value));
#define STREAMED(key, object, description)                                                                             \
    begin_list(w, #key);                                                                                               \
    each_##key(w);                                                                                                     \
    end_list(w);

#include "view/facts/report.def"

void report_json_write(struct sink *out, struct view *v, const struct about *about)
{
    struct json_writer w = {.out = out, .view = v, .first_key = true, .room = json_room_take()};
    struct json_room *outside = json_room_enter(w.room);
    struct arena *arena = arena_new();
    struct map configurations;

    map_init(&configurations, arena);
    v->configurations = &configurations;
    write_report(&w, about);
    arena_free(arena);
    json_room_enter(outside);
    json_room_give_back(w.room);
    sink_str(out, STR("\n}\n"));
}
