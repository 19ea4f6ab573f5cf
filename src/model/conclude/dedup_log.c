#include "model/conclude/dedup_log.h"

#include "util/map.h"

struct places {
    struct arena *arena;
    struct map by_place; /* "LINE FILE" -> the struct graph_break */
};

static void **place_of(struct places *p, const struct graph_break *b)
{
    return map_at(&p->by_place, arena_printf(p->arena, "%lld %.*s", (long long)b->line, STR_ARG(b->file)));
}

static void drop(struct places *p, struct compile *c, bool explained_only)
{
    size_t kept = 0;

    for (size_t i = 0; i < c->breaks.n; i++) {
        struct graph_break *b = c->breaks.v[i];

        if (b->line && (!explained_only || b->origin == BREAK_FROM_EXPLAIN) && *place_of(p, b))
            continue;
        c->breaks.v[kept++] = b;
    }
    c->breaks.n = kept;
}

void dedup_log_drop(struct process *p)
{
    struct places places = {.arena = arena_new()};
    struct compile *nobody = p->unattributed;

    map_init(&places.by_place, places.arena);
    for (size_t i = 0; nobody->breaks.n && i < p->compiles.n; i++)
        for (size_t k = 0; k < p->compiles.v[i]->breaks.n; k++)
            *place_of(&places, p->compiles.v[i]->breaks.v[k]) = p->compiles.v[i]->breaks.v[k];
    drop(&places, nobody, false);
    for (size_t i = 0; i < nobody->breaks.n; i++)
        if (nobody->breaks.v[i]->origin != BREAK_FROM_EXPLAIN)
            *place_of(&places, nobody->breaks.v[i]) = nobody->breaks.v[i];
    drop(&places, nobody, true);
    arena_free(places.arena);
}
