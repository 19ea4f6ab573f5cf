#include "view/cache_keys.h"

#include "input/limits.h"
#include "util/map.h"

enum { KEY_BYTES_MAX = 1 << 20, CHANGES_MAX = 200 };

/* Keys are long, and are read into an arena of their own; what differs is kept in the view's. */
struct comparison {
    const struct view *v;
    struct arena *arena;
    struct key_changes *out;
};

static bool read_key(struct comparison *k, const struct cache_event *e, struct buf *text, struct cache_key *out)
{
    if (!artifact_read(e->artifact, KEY_BYTES_MAX, text))
        return false;
    cache_key_parse(k->arena, buf_view(text), out);
    return out->components.n > 0;
}

static void add_change(struct comparison *k, const struct key_component *was, const struct key_component *is)
{
    struct arena *a = k->v->scratch;

    if (k->out->list.n < CHANGES_MAX)
        vec_push(a, &k->out->list,
                 ((struct key_change){arena_str(a, is ? is->name : was->name),
                                      was ? arena_str(a, was->value) : (struct str){0},
                                      is ? arena_str(a, is->value) : (struct str){0}}));
}

static void compare(struct comparison *k, struct cache_key *before, const struct cache_key *now)
{
    struct map old;

    map_init(&old, k->arena);
    vec_each(struct key_component, c, &before->components) *map_at(&old, c->name) = c;
    vec_each(const struct key_component, c, &now->components)
    {
        const struct key_component *was = map_get(&old, c->name);

        if (!was || !str_eq(was->hash, c->hash))
            add_change(k, was, c);
        if (was)
            *map_at(&old, c->name) = NULL;
    }
    for (size_t i = 0; i < old.n; i++)
        if (old.entries[i].value)
            add_change(k, old.entries[i].value, NULL);
}

void cache_key_changes(const struct view *v, const struct cache_event *e, struct key_changes *out)
{
    const struct cache_event *against = cache_pair(&v->answers->cache_pairs, e);
    struct comparison k = {.v = v, .out = out};
    struct buf old_text = {0}, new_text = {0};
    struct cache_key before = {0}, now = {0};

    *out = (struct key_changes){0};
    if (!against)
        return;
    k.arena = arena_new();
    if (read_key(&k, against, &old_text, &before) && read_key(&k, e, &new_text, &now)) {
        out->against = against;
        compare(&k, &before, &now);
    }
    buf_free(&old_text);
    buf_free(&new_text);
    arena_free(k.arena);
}
