/* The section on the compiler's settings. */
#include "view/page.h"

#include "view/facts/facts.h"
#include "view/format.h"

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
            json_put_str(row, "value", config_value_text(v->scratch, json_get(&doc, doc.root, name)));
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
        json_t *item = json_new_object();

        json_put_str(item, "name", c->name);
        json_put_str(item, "before", c->before);
        json_put_str(item, "after", c->after);
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
    json_t *o = json_new_object(), *facts = fact_configuration(v, settings), *changes,
           *differing = json_object_get(facts, "differing"), *by_pytorch = json_object_get(facts, "by_pytorch");
    struct configs configs;

    configs_find(v->scratch, v->run, &configs);
    changes = changes_of_page(v, &configs);
    json_put_bool(o, "any", settings->known);
    json_put_bool(o, "any_differing", json_array_size(differing) > 0);
    json_put_bool(o, "any_by_pytorch", json_array_size(by_pytorch) > 0);
    json_put_bool(o, "any_changes", json_array_size(changes) > 0);
    json_put_str(o, "by_pytorch_count", format_counted(v->scratch, json_array_size(by_pytorch), "setting", "settings"));
    json_put(o, "differing", json_incref(differing));
    json_put(o, "by_pytorch", json_incref(by_pytorch));
    json_put(o, "changes", changes);
    json_put(o, "sample", configs.sample ? page_link(v, configs.sample) : json_null());
    json_put(o, "full", full_configs(v, configs.sample));
    json_decref(facts);
    return o;
}
