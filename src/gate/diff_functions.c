#include "gate/diff_functions.h"

#include "gate/compile_diff.h"
#include "view/facts/facts.h"

static struct function *function_of(struct matching *m, const json_t *item, int side)
{
    const json_t *frame = json_object_get(item, "frame");
    struct place at = {resumed_function(member_text(frame, "name")), member_text(frame, "file"),
                       member_number(frame, "line")};
    void **slot =
        map_at(&m->functions, arena_printf(m->arena, "%.*s\n%.*s", STR_ARG(str_file_name(at.file)), STR_ARG(at.name)));
    struct function *f = *slot;

    if (!f) {
        *slot = f = ARENA_NEW(m->arena, struct function);
        f->at[BEFORE] = f->at[AFTER] = at;
    } else if (f->sides[side].compiles.n == 0) {
        f->at[side] = at;
    }
    return f;
}

static void index_functions(struct matching *m)
{
    json_t *item;
    size_t i;

    map_init(&m->functions, m->arena);
    for (int s = 0; s < SIDES; s++) {
        json_array_foreach(snapshot_list(m->sides[s]->facts, "compiles"), i, item)
        {
            struct had *had = &function_of(m, item, s)->sides[s];
            const json_t *seconds = json_object_get(item, "duration_s");

            vec_push(m->arena, &had->compiles, item);
            had->seconds += json_is_number(seconds) ? json_number_value(seconds) : 0;
        }
        json_array_foreach(snapshot_list(m->sides[s]->facts, "recompiles"), i, item)
        {
            struct had *had = &function_of(m, item, s)->sides[s];

            had->recompiles++;
            had->recompile = had->recompile ? had->recompile : item;
        }
    }
}

static void index_compiles(struct matching *m, int side)
{
    struct view v = {.run = m->sides[side]->run, .scratch = m->arena};
    const struct compile *c;

    map_init(&m->compiles[side], m->arena);
    if (!v.run)
        return;
    for (struct compile_walk w = {.run = v.run}; (c = compile_next(&w));) {
        json_t *ref = fact_compile_ref(&v, c);

        map_put_const(map_at(&m->compiles[side], compile_key(m->arena, ref, "id")), c);
        json_decref(ref);
    }
}

/* --- what moved -------------------------------------------------------------------------------------------------- */

static bool is_only_in(const struct function *f, int side)
{
    return f->sides[side].compiles.n && f->sides[!side].compiles.n == 0;
}

/* The entry for its name, or for its first graph; NULL if it has no graph. */
static void **known_by(struct matching *m, struct map *known, const struct function *f, int side, bool graphs)
{
    struct digest digest;

    if (!graphs)
        return map_at(known, f->at[side].name);
    for (size_t i = 0; i < f->sides[side].compiles.n; i++)
        if (compile_graph_digest(map_get(&m->compiles[side], compile_key(m->arena, f->sides[side].compiles.v[i], "id")),
                                 &digest))
            return map_at_copy(known, MAP_KEY(digest));
    return NULL;
}

/* Functions that only one side has, by a key; functions that share a key on one side are left out. */
static void index_lone(struct matching *m, int side, bool graphs, struct map *known)
{
    static struct function several;

    map_init(known, m->arena);
    for (size_t i = 0; i < m->functions.n; i++) {
        struct function *f = m->functions.entries[i].value;
        void **slot = is_only_in(f, side) ? known_by(m, known, f, side, graphs) : NULL;

        if (slot)
            *slot = *slot ? &several : f;
    }
    for (size_t i = 0; i < known->n; i++)
        if (known->entries[i].value == &several)
            known->entries[i].value = NULL;
}

/* A function in another file, or with another name and the same graph, is the one that is missing. */
static void match_moved(struct matching *m)
{
    for (int graphs = 0; graphs < 2; graphs++) {
        struct map lone[SIDES];

        for (int s = 0; s < SIDES; s++)
            index_lone(m, s, graphs, &lone[s]);
        for (size_t i = 0; i < lone[BEFORE].n; i++) {
            struct function *before = lone[BEFORE].entries[i].value,
                            *after = map_get(&lone[AFTER], lone[BEFORE].entries[i].key);

            if (!before || !after)
                continue;
            before->sides[AFTER] = after->sides[AFTER];
            before->at[AFTER] = after->at[AFTER];
            before->moved = true;
            after->sides[AFTER] = (struct had){.seconds = 0};
        }
    }
}

/* --- compiles ----------------------------------------------------------------------------------------------------- */

/* Compiles of one side with the same graph; `next` is the first that is not paired yet. */
struct alike {
    VEC(size_t) at;
    size_t next;
};

static void pair_up(struct matching *m, const struct function *f, size_t before, size_t after)
{
    struct pair p = {.of = f, .refs = {f->sides[BEFORE].compiles.v[before], f->sides[AFTER].compiles.v[after]}};

    for (int s = 0; s < SIDES; s++)
        p.compiles[s] = map_get(&m->compiles[s], compile_key(m->arena, p.refs[s], "id"));
    vec_push(m->arena, &m->pairs, p);
}

/* The digest of the graph of compile number i on one side; false if it has none. */
static bool graph_of(struct matching *m, const struct function *f, int side, size_t i, struct digest *out)
{
    struct str key = compile_key(m->arena, f->sides[side].compiles.v[i], "id");

    return compile_graph_digest(map_get(&m->compiles[side], key), out);
}

/* Whether a compile is of a resume function, not of the function itself. */
static bool is_resume(const json_t *ref)
{
    struct str name = member_text(json_object_get(ref, "frame"), "name");

    return resumed_function(name).n != name.n;
}

/* Pairs the remaining compiles in their order. */
static void pair_rest(struct matching *m, const struct function *f, const bool *paired, const bool *taken)
{
    const struct had *after = &f->sides[AFTER];
    size_t next[2] = {0, 0};

    for (size_t i = 0; i < f->sides[BEFORE].compiles.n; i++) {
        bool resume = is_resume(f->sides[BEFORE].compiles.v[i]);
        size_t *k = &next[resume];

        while (!paired[i] && *k < after->compiles.n && (taken[*k] || is_resume(after->compiles.v[*k]) != resume))
            ++*k;
        if (!paired[i] && *k < after->compiles.n)
            pair_up(m, f, i, (*k)++);
    }
}

/* Pairs compiles with equal graphs, then the others, so that an additional compile does not shift those after it. */
static void pair_compiles(struct matching *m, const struct function *f)
{
    size_t before = f->sides[BEFORE].compiles.n, after = f->sides[AFTER].compiles.n, next = 0;
    bool *paired = ARENA_ARRAY(m->arena, bool, before + 1), *taken = ARENA_ARRAY(m->arena, bool, after + 1);
    struct digest graph;
    struct alike *same;
    struct map by_graph;

    map_init(&by_graph, m->arena);
    for (size_t i = 0; i < after && before; i++) {
        if (!graph_of(m, f, AFTER, i, &graph))
            continue;
        same = MAP_OBJECT(&by_graph, MAP_KEY(graph), struct alike);
        vec_push(m->arena, &same->at, i);
    }
    for (size_t i = 0; i < before && after; i++) {
        same = graph_of(m, f, BEFORE, i, &graph) ? map_get(&by_graph, MAP_KEY(graph)) : NULL;
        if (!same || same->next == same->at.n)
            continue;
        next = same->at.v[same->next++];
        paired[i] = taken[next] = true;
        pair_up(m, f, i, next);
    }
    pair_rest(m, f, paired, taken);
}

static void find_pairs(struct matching *m)
{
    for (size_t i = 0; i < m->functions.n; i++)
        pair_compiles(m, m->functions.entries[i].value);
}

void functions_match(struct matching *m)
{
    index_functions(m);
    for (int s = 0; s < SIDES; s++)
        index_compiles(m, s);
    match_moved(m);
    find_pairs(m);
}
