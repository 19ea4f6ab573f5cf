#include "analysis/answers/configs.h"

#include "util/utf8.h"

#include <stdlib.h>

enum { CHANGES_MAX = 500, VALUE_MAX = 400 };

const char *const config_keys[CONFIG_KEYS] = {"dynamo_config", "inductor_config", "functorch_config",
                                              "compiler_config"};

/* --- what changed between compiles -------------------------------------------------------------------------------- */

struct str config_value_text(struct arena *a, const json_t *v)
{
    char *text = v ? json_text(v, JSON_ENCODE_ANY) : NULL;
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
        json_t *old = json_object_get(before, name);

        if ((old && json_equal(old, v)) || out->changes.n >= CHANGES_MAX)
            continue;
        vec_push(a, &out->changes,
                 ((struct config_change){c, key, arena_str(a, str_of(name)), config_value_text(a, old),
                                         config_value_text(a, v)}));
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
            /* Interned, so equal texts are equal pointers. */
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
