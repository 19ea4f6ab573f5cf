#include "view/evidence.h"

#include "util/map.h"

struct evidence {
    struct arena *arena;
    /* break place, chain or error -> struct evidence_entry; a chain -> the entry of the chain that represents it */
    struct map entries;
    struct map lists;      /* finding -> struct evidence_list */
    struct map by_place;   /* "file:line" -> list of breaks at that place */
    struct map by_frame;   /* frame -> entry of its chain */
    struct map by_compile; /* compile that failed -> list of its errors */
};

static struct evidence_list *list_at(struct evidence *e, struct map *map, struct str key)
{
    void **slot = map_at_copy(map, key);

    if (!*slot)
        *slot = ARENA_NEW(e->arena, struct evidence_list);
    return *slot;
}

static struct str place_key(struct evidence *e, struct str file, int64_t line)
{
    return arena_printf(e->arena, "%.*s:%lld", STR_ARG(file), (long long)line);
}

static struct evidence_entry *add_entry(struct evidence *e, enum evidence_kind kind, size_t number, const void *thing)
{
    struct evidence_entry *entry = ARENA_NEW(e->arena, struct evidence_entry);

    *entry = (struct evidence_entry){.kind = kind, .number = number, .place = thing};
    *map_at_copy(&e->entries, MAP_KEY(thing)) = entry;
    return entry;
}

/* --- the entries -------------------------------------------------------------------------------------------------- */

static void add_breaks(struct evidence *e, const struct break_groups *breaks)
{
    for (size_t i = 0; i < breaks->places.n; i++) {
        const struct break_group *g = breaks->places.v[i]->first;
        const struct evidence_entry *entry = add_entry(e, EVIDENCE_BREAK, i, breaks->places.v[i]);
        struct str file = g->own ? g->own->file : g->sample->file;
        int64_t line = g->own ? g->own->line : g->sample->line;

        vec_push(e->arena, &list_at(e, &e->by_place, place_key(e, file, line))->entries, entry);
    }
}

/* The compiles of a chain, each identified by the compile that represents it for several ranks. */
static struct str chain_key(struct evidence *e, const struct recompile_chain *chain, const struct ranks *ranks)
{
    struct buf key = {0};
    struct str out;

    for (size_t i = 0; i < chain->list.n; i++) {
        const struct compile *c = chain->list.v[i]->compile, *same = rank_same_as(ranks, c);

        buf_printf(&key, "%p ", (const void *)(same ? same : c));
    }
    buf_printf(&key, "%d", chain->limit != NULL);
    out = arena_str(e->arena, buf_view(&key));
    buf_free(&key);
    return out;
}

/* Of chains with the same compiles on several ranks, the first one, which lost the most time, represents all. */
static void add_chains(struct evidence *e, const struct answers *answers)
{
    struct map seen;

    map_init(&seen, e->arena);
    for (size_t i = 0; i < answers->recompiles.chains.n; i++) {
        const struct recompile_chain *chain = answers->recompiles.chains.v[i];
        void **first = map_at(&seen, chain_key(e, chain, &answers->ranks));

        if (*first)
            *map_at_copy(&e->entries, MAP_KEY(chain)) = *first;
        else
            *first = add_entry(e, EVIDENCE_CHAIN, i, chain);
        *map_at_copy(&e->by_frame, MAP_KEY(chain->frame)) = *first;
    }
}

static void add_errors(struct evidence *e, const struct errors *errors)
{
    for (size_t i = 0; i < errors->list.n; i++) {
        const struct error *error = &errors->list.v[i];

        vec_push(e->arena, &list_at(e, &e->by_compile, MAP_KEY(error->failure->compile))->entries,
                 add_entry(e, EVIDENCE_ERROR, i, error));
    }
}

/* --- the findings ------------------------------------------------------------------------------------------------- */

static void join(struct evidence *e, const struct finding *x, const struct evidence_entry *entry)
{
    /* the entry is ours; the const is for other modules */
    struct evidence_entry *shared = (struct evidence_entry *)(uintptr_t)entry;
    struct evidence_list *list = list_at(e, &e->lists, MAP_KEY(x));

    for (size_t i = 0; i < list->entries.n; i++)
        if (list->entries.v[i] == entry)
            return;
    if (list->entries.n == EVIDENCE_LINKS_MAX || shared->findings.n == EVIDENCE_LINKS_MAX)
        return;
    vec_push(e->arena, &list->entries, entry);
    vec_push(e->arena, &shared->findings, x);
}

static bool starts(const struct finding *x, const char *prefix)
{
    return str_starts(str_of(x->info->id), str_of(prefix));
}

static void join_breaks_at(struct evidence *e, const struct finding *x, struct str file, int64_t line)
{
    const struct evidence_list *list = map_get(&e->by_place, place_key(e, file, line));

    for (size_t i = 0; list && i < list->entries.n && i < EVIDENCE_LINKS_MAX; i++)
        join(e, x, list->entries.v[i]);
}

static void join_breaks(struct evidence *e, const struct finding *x)
{
    if (x->file.n)
        join_breaks_at(e, x, x->file, x->line);
    for (size_t i = 0; i < x->spots.n && i < EVIDENCE_LINKS_MAX; i++)
        join_breaks_at(e, x, x->spots.v[i].file, x->spots.v[i].line);
}

static void join_chains(struct evidence *e, const struct finding *x)
{
    for (size_t i = 0; i < x->compiles.n; i++) {
        const struct evidence_entry *entry =
            x->compiles.v[i]->frame ? map_get(&e->by_frame, MAP_KEY(x->compiles.v[i]->frame)) : NULL;

        if (entry)
            join(e, x, entry);
    }
}

/* Of several errors in one compile, those at the finding's line, or else all. */
static void join_errors(struct evidence *e, const struct finding *x)
{
    for (size_t i = 0; i < x->compiles.n; i++) {
        const struct evidence_list *list = map_get(&e->by_compile, MAP_KEY(x->compiles.v[i]));

        for (size_t k = 0; list && k < list->entries.n && k < EVIDENCE_LINKS_MAX; k++) {
            const struct error *error = list->entries.v[k]->error;

            if (list->entries.n == 1 || (error->own_line == x->line && str_eq(error->own_file, x->file)))
                join(e, x, list->entries.v[k]);
        }
    }
}

static void add_finding(struct evidence *e, const struct finding *x)
{
    bool is_error = starts(x, "error") || starts(x, "missing-fake-kernel");

    if (starts(x, "break-") || starts(x, "missing-fake-kernel"))
        join_breaks(e, x);
    if (starts(x, "recompile-"))
        join_chains(e, x);
    if (is_error || starts(x, "recompile-limit"))
        join_errors(e, x);
}

struct evidence *evidence_make(struct arena *a, const struct answers *answers)
{
    struct evidence *e = ARENA_NEW(a, struct evidence);
    struct map *maps[] = {&e->entries, &e->lists, &e->by_place, &e->by_frame, &e->by_compile};

    e->arena = a;
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        map_init(maps[i], a);
    add_breaks(e, &answers->breaks);
    add_chains(e, answers);
    add_errors(e, &answers->errors);
    for (size_t i = 0; i < answers->findings->list.n; i++)
        add_finding(e, answers->findings->list.v[i]);
    return e;
}

const struct evidence_list *evidence_of(const struct evidence *e, const struct finding *x)
{
    static const struct evidence_list none;
    const struct evidence_list *list = map_get(&e->lists, MAP_KEY(x));

    return list ? list : &none;
}

const struct evidence_entry *evidence_entry(const struct evidence *e, const void *thing)
{
    return map_get(&e->entries, MAP_KEY(thing));
}

bool evidence_is_same_chain(const struct evidence *e, const struct recompile_chain *chain)
{
    return evidence_entry(e, chain)->chain != chain;
}
