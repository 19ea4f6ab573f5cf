/* The section on the compiler's settings. */
#include "view/page.h"
#include "view/page_objects.h"

#include "view/facts/facts.h"
#include "view/format.h"

struct config_value {
    struct str name, value;
};

struct full_config {
    const char *key;
    VEC(struct config_value) values;
};

/* Adds a configuration of a compile, if its metrics have it. */
static void add_full(const struct view *v, const struct compile *c, const char *key, json_t *to)
{
    struct str text = metrics_str(compile_metrics(c, METRICS_FORWARD), key);
    struct full_config config = {.key = key};
    struct json_doc doc = {0};
    const char *name;
    json_t *value;

    if (text.n && json_doc_load_whole(&doc, text) && json_is_object(doc.root)) {
        json_object_foreach(doc.root, name, value)
        {
            if (config.values.n >= PAGE_ROWS_MAX)
                break;
            vec_push(v->scratch, &config.values,
                     ((struct config_value){str_of(name),
                                            config_value_text(v->scratch, json_get(&doc, doc.root, name))}));
        }
        json_push(to, page_full_config(v, &config));
    }
    json_doc_free(&doc);
}

static struct configs configs_of(const struct view *v)
{
    struct configs configs;

    configs_find(v->scratch, v->run, &configs);
    return configs;
}

static json_t *full_configs(const struct view *v, const struct compile *sample)
{
    json_t *full = json_new_array();

    for (size_t k = 0; sample && k < CONFIG_KEYS; k++)
        add_full(v, sample, config_keys[k], full);
    return full;
}

#include "view/page_rows.h"

#include "view/sections/config.def"
