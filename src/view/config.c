#include "view/config.h"

#include "util/map.h"
#include "util/utf8.h"
#include "view/format.h"
#include "view/page.h"

#include <stdlib.h>

/* Configuration lines come before the graph; 16 kB hold them with room to spare. */
enum { HEAD_BYTES = 16 * 1024, CHANGES_MAX = 500, VALUE_MAX = 400 };

static const char *const config_keys[] = {"dynamo_config", "inductor_config", "functorch_config", "compiler_config"};
enum { CONFIG_KEYS = sizeof config_keys / sizeof *config_keys };

/* --- what differs from the defaults ------------------------------------------------------------------------------- */

/* Settings of all compiles are few, and told again by each: what is read is forgotten behind it. */
static void count_settings(struct arena *a, struct map *seen, const struct settings *settings, struct buf *key)
{
    vec_each(const struct setting, s, &settings->list)
    {
        struct config_setting *c;
        void **slot;

        key->n = 0;
        buf_printf(key, "%.*s = %.*s", STR_ARG(s->name), STR_ARG(s->value));
        slot = map_at_copy(seen, buf_view(key));
        c = *slot;
        if (!c) {
            *slot = c = ARENA_NEW(a, struct config_setting);
            *c = (struct config_setting){
                .name = arena_str(a, s->name), .value = arena_str(a, s->value), .environment = s->environment};
        }
        c->compiles++;
    }
}

/* Without the last line where the text goes on behind what was read of it. */
static struct str whole_lines(struct str head, const struct payload *p)
{
    return p->text_bytes > head.n ? str_take(head, (size_t)(str_rchr(head, '\n') + 1)) : head;
}

static void read_runnable(struct arena *a, const struct artifact *artifact, struct settings *out)
{
    struct buf text = {0};

    if (artifact_read(artifact, HEAD_BYTES, &text))
        settings_parse(a, arena_str(a, whole_lines(buf_view(&text), &artifact->payload)), out);
    buf_free(&text);
}

/* Forward and backward of one compile have the same settings; NULL when the trace has no runnable program of it. */
static const struct artifact *runnable_of(const struct compile *c)
{
    for (size_t i = 0; i < c->artifacts.n; i++)
        if (str_eq(c->artifacts.v[i]->name, STR("fx_graph_runnable")))
            return c->artifacts.v[i];
    return NULL;
}

void config_of_first(struct arena *a, const struct run *r, struct settings *out)
{
    const struct compile *c;

    for (struct compile_walk w = {.run = r}; (c = compile_next(&w));) {
        const struct artifact *runnable = runnable_of(c);

        if (runnable) {
            read_runnable(a, runnable, out);
            return;
        }
    }
}

static int by_name(const void *pa, const void *pb)
{
    const struct config_setting *a = pa, *b = pb;
    int c;

    if (a->environment != b->environment)
        return a->environment ? 1 : -1;
    c = str_cmp(a->name, b->name);
    return c ? c : str_cmp(a->value, b->value);
}

static void find_differing(struct arena *a, const struct run *r, struct configs *out)
{
    struct arena *scratch = arena_new();
    struct buf key = {0};
    const struct compile *c;
    struct map seen;

    map_init(&seen, a);
    for (struct compile_walk w = {.run = r}; (c = compile_next(&w));) {
        const struct artifact *runnable = runnable_of(c);
        struct settings settings = {0};

        if (!runnable)
            continue;
        read_runnable(scratch, runnable, &settings);
        count_settings(a, &seen, &settings, &key);
        arena_reset(scratch);
        out->told = true;
    }
    for (size_t i = 0; i < seen.n; i++)
        vec_push(a, &out->differing, *(const struct config_setting *)seen.entries[i].value);
    buf_free(&key);
    arena_free(scratch);
    if (out->differing.n)
        qsort(out->differing.v, out->differing.n, sizeof *out->differing.v, by_name);
}

/* --- what changed between compiles -------------------------------------------------------------------------------- */

static struct str value_text(struct arena *a, const json_t *v)
{
    char *text = v ? json_dumps(v, JSON_ENCODE_ANY) : NULL;
    struct str out = text ? utf8_cut(str_of(text), VALUE_MAX) : STR("(absent)");

    out = arena_str(a, out);
    free(text);
    return out;
}

static void add_changes(struct arena *a, const struct compile *c, const char *key, json_t *before, json_t *after,
                        struct configs *out)
{
    const char *name;
    json_t *v;

    json_object_foreach(after, name, v)
    {
        const json_t *old = json_object_get(before, name);

        if ((old && json_equal((json_t *)old, v)) || out->changes.n >= CHANGES_MAX)
            continue;
        vec_push(a, &out->changes,
                 ((struct config_change){c, key, arena_str(a, str_of(name)), value_text(a, old), value_text(a, v)}));
    }
}

static void compare(struct arena *a, const struct compile *c, const char *key, struct str before, struct str after,
                    struct configs *out)
{
    struct json_doc old = {0}, new = {0};

    if (json_doc_load_whole(&old, before) && json_doc_load_whole(&new, after) && json_is_object(old.root) &&
        json_is_object(new.root))
        add_changes(a, c, key, old.root, new.root, out);
    json_doc_free(&old);
    json_doc_free(&new);
}

static void find_changes(struct arena *a, const struct process *p, struct configs *out)
{
    struct str last[CONFIG_KEYS] = {{0}};

    for (size_t i = 0; i < p->compiles.n; i++)
        for (size_t k = 0; k < CONFIG_KEYS; k++) {
            struct str now = metrics_str(compile_metrics(p->compiles.v[i], METRICS_FORWARD), config_keys[k]);

            if (now.n == 0)
                continue;
            if (!out->sample)
                out->sample = p->compiles.v[i];
            /* Interned: the same text is the same pointer. */
            if (last[k].p && last[k].p != now.p && out->changes.n < CHANGES_MAX)
                compare(a, p->compiles.v[i], config_keys[k], last[k], now, out);
            last[k] = now;
        }
}

void configs_find(struct arena *a, const struct run *r, struct configs *out)
{
    *out = (struct configs){0};
    find_differing(a, r, out);
    for (size_t i = 0; i < r->processes.n; i++)
        find_changes(a, r->processes.v[i], out);
}

/* --- JSON --------------------------------------------------------------------------------------------------------- */

static json_t *setting_json(const struct config_setting *s)
{
    json_t *o = json_new_object();

    json_put_str(o, "name", s->name);
    json_put_str(o, "value", s->value);
    json_put_bool(o, "environment", s->environment);
    json_put_i64(o, "compiles", (int64_t)s->compiles);
    return o;
}

/* Into o, which says where. */
static json_t *change_json(json_t *o, const struct config_change *c)
{
    json_put_str(o, "config", str_of(c->config));
    json_put_str(o, "name", c->name);
    json_put_str(o, "before", c->before);
    json_put_str(o, "after", c->after);
    return o;
}

json_t *fact_configuration(const struct view *v)
{
    struct configs configs;
    json_t *o = json_new_object(), *differing = json_new_array(), *changes = json_new_array();

    configs_find(v->scratch, v->run, &configs);
    vec_each(const struct config_setting, s, &configs.differing) json_push(differing, setting_json(s));
    vec_each(const struct config_change, c, &configs.changes)
    {
        json_t *item = view_scope(c->compile);

        json_put(item, "compile", view_id(v, c->compile));
        json_push(changes, change_json(item, c));
    }
    if (!configs.told) {
        json_decref(differing);
        differing = json_null();
    }
    json_put(o, "differing", differing);
    json_put(o, "changes", changes);
    return o;
}

/* All values of one configuration, as a sorted table. */
static json_t *full_config(const struct view *v, const struct compile *c, const char *key)
{
    struct str text = metrics_str(compile_metrics(c, METRICS_FORWARD), key);
    struct json_doc doc = {0};
    json_t *o = json_null(), *rows;
    const char *name;
    json_t *value;

    if (text.n && json_doc_load_whole(&doc, text) && json_is_object(doc.root)) {
        o = json_new_object();
        rows = json_new_array();
        json_object_foreach(doc.root, name, value)
        {
            json_t *row;

            if (json_array_size(rows) >= PAGE_ROWS_MAX)
                break;
            row = json_new_object();

            json_put_str(row, "name", str_of(name));
            json_put_str(row, "value", value_text(v->scratch, json_get(&doc, doc.root, name)));
            json_push(rows, row);
        }
        json_put_str(o, "title", str_of(metric_field_find(str_of(key))->title));
        json_put_str(o, "count", format_counted(v->scratch, json_array_size(rows), "setting", "settings"));
        json_put(o, "rows", rows);
    }
    json_doc_free(&doc);
    return o;
}

json_t *page_config(const struct view *v)
{
    struct configs configs;
    json_t *o = json_new_object(), *differing = json_new_array(), *changes = json_new_array(), *full = json_new_array();

    configs_find(v->scratch, v->run, &configs);
    vec_each(const struct config_setting, s, &configs.differing) json_push(differing, setting_json(s));
    vec_each(const struct config_change, c, &configs.changes)
    {
        json_t *item = change_json(json_new_object(), c);

        json_put(item, "link", page_link(v, c->compile));
        json_put_str(item, "title", str_of(metric_field_find(str_of(c->config))->title));
        json_push(changes, item);
    }
    for (size_t k = 0; configs.sample && k < CONFIG_KEYS; k++) {
        json_t *config = full_config(v, configs.sample, config_keys[k]);

        if (!json_is_null(config))
            json_push(full, config);
    }
    json_put_bool(o, "any", configs.told || configs.sample);
    json_put_bool(o, "told", configs.told);
    json_put_bool(o, "any_differing", json_array_size(differing) > 0);
    json_put_bool(o, "any_changes", json_array_size(changes) > 0);
    json_put(o, "differing", differing);
    json_put(o, "changes", changes);
    json_put(o, "sample", configs.sample ? page_link(v, configs.sample) : json_null());
    json_put(o, "full", full);
    return o;
}
