#include "analysis/answers/vllm_pieces.h"

#include <stdlib.h>

struct splits {
    VEC(const struct artifact *) list; /* split graphs of a process */
};

static bool is_piece(const struct artifact *a)
{
    return artifact_is(a, ARTIFACT_VLLM_PIECEWISE_COMPILE_START);
}

static bool is_split(const struct artifact *a)
{
    return artifact_is(a, ARTIFACT_VLLM_PIECEWISE_SPLIT_GRAPH);
}

bool vllm_has_piece(const struct compile *c)
{
    for (size_t i = 0; i < c->artifacts.n; i++)
        if (is_piece(c->artifacts.v[i]))
            return true;
    return false;
}

static int compare_places(const struct artifact *a, const struct artifact *b)
{
    if (a->input != b->input)
        return (uintptr_t)a->input < (uintptr_t)b->input ? -1 : 1;
    return (a->line > b->line) - (a->line < b->line);
}

static int by_place(const void *pa, const void *pb)
{
    return compare_places(*(const struct artifact *const *)pa, *(const struct artifact *const *)pb);
}

static void list_splits(struct arena *arena, const struct process *p, struct splits *out)
{
    for (size_t i = 0; i < p->compiles.n; i++) {
        const struct compile *c = p->compiles.v[i];
        bool pieces = vllm_has_piece(c);

        for (size_t k = 0; k < c->artifacts.n && !pieces; k++)
            if (is_split(c->artifacts.v[k]))
                vec_push(arena, &out->list, c->artifacts.v[k]);
    }
    if (out->list.n)
        qsort(out->list.v, out->list.n, sizeof *out->list.v, by_place);
}

/* The compile of a record without an id; NULL if none split its graph before. */
static const struct compile *splitter_of(const struct splits *s, const struct artifact *a)
{
    size_t from = 0, to = s->list.n;

    while (from < to) {
        size_t middle = from + (to - from) / 2;

        if (compare_places(s->list.v[middle], a) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return from && s->list.v[from - 1]->input == a->input ? s->list.v[from - 1]->compile : NULL;
}

static void join_process(struct arena *arena, const struct process *p, struct vllm_pieces *out)
{
    const struct compile *loose = p->unattributed;
    struct splits splits = {0};

    list_splits(arena, p, &splits);
    for (size_t i = 0; i < loose->artifacts.n; i++) {
        const struct compile *c = splitter_of(&splits, loose->artifacts.v[i]);
        void **slot;

        c = c ? c : loose;
        slot = map_at_copy(&out->of, MAP_KEY(c));
        if (!*slot)
            *slot = ARENA_NEW(arena, struct vllm_loose);
        vec_push(arena, &((struct vllm_loose *)*slot)->list, loose->artifacts.v[i]);
    }
}

void vllm_pieces_find(struct arena *a, const struct run *r, struct vllm_pieces *out)
{
    map_init(&out->of, a);
    for (size_t i = 0; i < r->processes.n; i++)
        if (vllm_has_piece(r->processes.v[i]->unattributed))
            join_process(a, r->processes.v[i], out);
}

const struct vllm_loose *vllm_loose_of(const struct vllm_pieces *p, const struct compile *c)
{
    return map_get(&p->of, MAP_KEY(c));
}
