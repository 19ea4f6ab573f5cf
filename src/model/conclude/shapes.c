#include "model/conclude/shapes.h"

#include "util/map.h"

struct storage_key {
    int64_t describer, id;
};

static void join_storages(struct compile *c, struct arena *scratch)
{
    struct map by_id;

    map_init(&by_id, scratch);
    for (size_t i = 0; i < c->storages.n; i++) {
        struct storage_key key = {c->storages.v[i].describer, c->storages.v[i].id};

        *map_at_copy(&by_id, MAP_KEY(key)) = &c->storages.v[i];
    }
    for (size_t i = 0; i < c->tensors.n; i++) {
        struct storage_key key = {c->tensors.v[i].describer, c->tensors.v[i].storage};
        const struct storage *s = map_get(&by_id, MAP_KEY(key));

        if (s)
            c->tensors.v[i].storage_size = s->size;
    }
}

/* The last specialization of a name counts, for every symbol of that name that existed before it. */
static void join_specializations(struct compile *c, struct arena *scratch)
{
    struct map by_name;

    map_init(&by_name, scratch);
    vec_each(struct specialization, s, &c->specializations) * map_at(&by_name, s->symbol) = s;
    vec_each(struct symbol, symbol, &c->symbols)
    {
        const struct specialization *s = map_get(&by_name, symbol->name);

        if (!s || (size_t)(symbol - c->symbols.v) >= s->symbols_before)
            continue;
        symbol->specialized_to = s->value;
        symbol->specialized_reason = s->reason;
        symbol->specialized_at = s->user_stack;
    }
}

void shapes_conclude(struct compile *c, struct arena *scratch)
{
    join_storages(c, scratch);
    join_specializations(c, scratch);
}
