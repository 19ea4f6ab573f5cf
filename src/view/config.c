#include "view/config.h"

#include "util/utf8.h"
#include "view/format.h"
#include "view/page.h"

#include <stdlib.h>

enum { CHANGES_MAX = 500, VALUE_MAX = 400 };

static const char *const config_keys[] = {"dynamo_config", "inductor_config", "functorch_config", "compiler_config"};
enum { CONFIG_KEYS = sizeof config_keys / sizeof *config_keys };

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
    for (size_t i = 0; i < r->processes.n; i++)
        find_changes(a, r->processes.v[i], out);
}

/* --- JSON --------------------------------------------------------------------------------------------------------- */

bool config_is_of_user(const struct setting_use *u)
{
    return u->by == SET_BY_USER || u->by == SET_BY_OPTIONS;
}

static json_t *setting_json(const struct settings_used *s, const struct setting_use *u);

/* The settings that have their values from an environment variable. */
static json_t *set_by_variable(const struct settings_used *s, const struct setting_use *variable)
{
    json_t *list = json_new_array();

    for (size_t i = 0; variable->environment && i < s->list.n; i++)
        if (s->list.v[i]->by == SET_BY_VARIABLE && str_eq(s->list.v[i]->variable, variable->name))
            json_push(list, setting_json(s, s->list.v[i]));
    return list;
}

static json_t *setting_json(const struct settings_used *s, const struct setting_use *u)
{
    json_t *o = json_new_object();

    json_put_str(o, "name", u->name);
    json_put_str(o, "value", u->value);
    json_put(o, "default", u->usual.n ? json_of_str(u->usual) : json_null());
    json_put_bool(o, "environment", u->environment);
    json_put_str(o, "set_by", str_of(u->by == SET_BY_USER && u->environment ? "environment" : set_by_name(u->by)));
    json_put_i64(o, "compiles", (int64_t)u->count);
    json_put(o, "sets", set_by_variable(s, u));
    return o;
}

static json_t *differing_json(const struct settings_used *s)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < s->list.n; i++)
        if (config_is_of_user(s->list.v[i]))
            json_push(list, setting_json(s, s->list.v[i]));
    return list;
}

static json_t *by_pytorch_json(const struct settings_used *s)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < s->list.n; i++)
        if (s->list.v[i]->by == SET_BY_PYTORCH)
            json_push(list, setting_json(s, s->list.v[i]));
    return list;
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
    const struct settings_used *settings = &v->answers->settings;
    struct configs configs;
    json_t *o = json_new_object(), *changes = json_new_array();

    configs_find(v->scratch, v->run, &configs);
    vec_each(const struct config_change, c, &configs.changes)
    {
        json_t *item = view_scope(c->compile);

        json_put(item, "compile", view_id(v, c->compile));
        json_push(changes, change_json(item, c));
    }
    json_put(o, "differing", settings->known ? differing_json(settings) : json_null());
    json_put(o, "by_pytorch", settings->known ? by_pytorch_json(settings) : json_null());
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

static json_t *changes_of_page(const struct view *v, const struct configs *configs)
{
    json_t *changes = json_new_array();

    vec_each(const struct config_change, c, &configs->changes)
    {
        json_t *item = change_json(json_new_object(), c);

        json_put(item, "link", page_link(v, c->compile));
        json_put_str(item, "title", str_of(metric_field_find(str_of(c->config))->title));
        json_push(changes, item);
    }
    return changes;
}

static json_t *full_configs(const struct view *v, const struct compile *sample)
{
    json_t *full = json_new_array();

    for (size_t k = 0; sample && k < CONFIG_KEYS; k++) {
        json_t *config = full_config(v, sample, config_keys[k]);

        if (!json_is_null(config))
            json_push(full, config);
    }
    return full;
}

json_t *page_config(const struct view *v)
{
    const struct settings_used *settings = &v->answers->settings;
    struct configs configs;
    json_t *o = json_new_object(), *differing = differing_json(settings), *by_pytorch = by_pytorch_json(settings),
           *changes;

    configs_find(v->scratch, v->run, &configs);
    changes = changes_of_page(v, &configs);
    json_put_bool(o, "any", settings->known);
    json_put_bool(o, "any_differing", json_array_size(differing) > 0);
    json_put_bool(o, "any_by_pytorch", json_array_size(by_pytorch) > 0);
    json_put_bool(o, "any_changes", json_array_size(changes) > 0);
    json_put_str(o, "by_pytorch_count", format_counted(v->scratch, json_array_size(by_pytorch), "setting", "settings"));
    json_put(o, "differing", differing);
    json_put(o, "by_pytorch", by_pytorch);
    json_put(o, "changes", changes);
    json_put(o, "sample", configs.sample ? page_link(v, configs.sample) : json_null());
    json_put(o, "full", full_configs(v, configs.sample));
    return o;
}
