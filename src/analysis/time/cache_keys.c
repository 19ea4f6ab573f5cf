#include "analysis/time/cache_keys.h"

#include "model/read/artifact_text.h"

enum { CHANGES_MAX = 200 };

/* Keys are long and are read into an arena of their own; only the differences are kept in `kept`. */
struct comparison {
    struct arena *arena, *kept;
    struct key_changes *out;
};

static bool read_key(struct comparison *k, const struct cache_event *e, struct buf *text, struct cache_key *out)
{
    if (!artifact_read(e->artifact, READ_SMALL, text))
        return false;
    cache_key_parse(k->arena, buf_view(text), out);
    return out->components.n > 0;
}

static void add_change(struct comparison *k, const struct key_component *was, const struct key_component *is)
{
    struct arena *a = k->kept;

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

void cache_keys_compare(struct arena *a, const struct cache_event *against, const struct cache_event *e,
                        struct key_changes *out)
{
    struct comparison k = {.arena = arena_new(), .kept = a, .out = out};
    struct buf old_text = {0}, new_text = {0};
    struct cache_key before = {0}, now = {0};

    if (read_key(&k, against, &old_text, &before) && read_key(&k, e, &new_text, &now)) {
        out->against = against;
        compare(&k, &before, &now);
    }
    buf_free(&old_text);
    buf_free(&new_text);
    arena_free(k.arena);
}

void key_store_init(struct key_store *s)
{
    pthread_mutex_init(&s->lock, NULL);
    s->arena = arena_new();
    map_init(&s->found, s->arena);
}

void key_store_free(struct key_store *s)
{
    pthread_mutex_destroy(&s->lock);
    arena_free(s->arena);
}

static struct key_changes *changes_between(struct arena *a, const struct cache_event *against,
                                           const struct cache_event *e)
{
    struct key_changes *changes = ARENA_NEW(a, struct key_changes);

    cache_keys_compare(a, against, e, changes);
    return changes;
}

const struct key_changes *key_changes_of(struct key_store *s, struct arena *a, const struct cache_pairs *pairs,
                                         const struct cache_event *e)
{
    static const struct key_changes nothing;
    const struct cache_event *against = cache_pair(pairs, e);
    const struct key_changes *found;
    void **slot;

    if (!against)
        return &nothing;
    if (!s)
        return changes_between(a, against, e);
    pthread_mutex_lock(&s->lock);
    slot = map_at_copy(&s->found, MAP_KEY(e));
    if (!*slot)
        *slot = changes_between(s->arena, against, e);
    found = *slot;
    pthread_mutex_unlock(&s->lock);
    return found;
}
