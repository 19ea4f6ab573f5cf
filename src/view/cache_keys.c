#include "view/cache_keys.h"

#include "input/limits.h"
#include "util/map.h"

enum { KEY_BYTES_MAX = 1 << 20, CHANGES_MAX = 200 };

static bool read_key(const struct view *v, const struct cache_event *e, struct cache_key *out)
{
    struct payload_source from = input_payloads(e->artifact->input);
    struct buf text = {0};
    bool ok = !payload_is_scattered(&e->artifact->payload) &&
              payload_read(&from, &e->artifact->payload, KEY_BYTES_MAX, &text) == 0;

    if (ok)
        cache_key_parse(v->scratch, arena_str(v->scratch, buf_view(&text)), out);
    buf_free(&text);
    return ok && out->components.n > 0;
}

static void by_name(const struct view *v, const struct cache_key *key, struct map *out)
{
    map_init(out, v->scratch);
    vec_each(struct key_component, c, &key->components) *map_at(out, c->name) = c;
}

static void add_change(const struct view *v, struct key_changes *out, struct key_change change)
{
    if (out->list.n < CHANGES_MAX)
        vec_push(v->scratch, &out->list, change);
}

void cache_key_changes(const struct view *v, const struct cache_event *e, struct key_changes *out)
{
    const struct cache_event *against = cache_pair(&v->answers->cache_pairs, e);
    struct cache_key before = {0}, now = {0};
    struct map old;

    *out = (struct key_changes){0};
    if (!against || !read_key(v, against, &before) || !read_key(v, e, &now))
        return;
    out->against = against;
    by_name(v, &before, &old);
    vec_each(const struct key_component, c, &now.components)
    {
        const struct key_component *was = map_get(&old, c->name);

        if (!was || !str_eq(was->hash, c->hash))
            add_change(v, out, (struct key_change){c->name, was ? was->value : (struct str){0}, c->value});
        if (was)
            *map_at(&old, c->name) = NULL;
    }
    for (size_t i = 0; i < old.n; i++) {
        const struct key_component *gone = old.entries[i].value;

        if (gone)
            add_change(v, out, (struct key_change){.name = gone->name, .before = gone->value});
    }
}
