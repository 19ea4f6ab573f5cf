#include "load/world_size.h"

#include "model/read/artifact_text.h"
#include "text/graphs/collective_text.h"
#include "util/map.h"

/* A quick look is enough: the first compiles of a job contain its collectives. */
enum { TEXTS_MAX = 16 };

/* The default group, which has all ranks, is the first one made (torch/distributed/distributed_c10d.py). */
static bool is_of_default_group(const struct collective_call *c)
{
    return str_eq(c->group, STR("0")) && c->group_size > 0;
}

/* Graphs and code that call collectives, with the sizes of their groups. */
static bool calls_collectives(const struct artifact *a)
{
    return artifact_is(a, ARTIFACT_DYNAMO_OUTPUT_GRAPH) || artifact_is(a, ARTIFACT_AOT_FORWARD_GRAPH) ||
           artifact_is(a, ARTIFACT_AOT_INFERENCE_GRAPH) || artifact_is(a, ARTIFACT_INDUCTOR_OUTPUT_CODE);
}

/* In a digest, the calls of a text are kept. 0 if no call shows the size. */
static uint64_t size_in(const struct artifact *a, struct buf *text)
{
    struct str rest;
    struct collective_call call;

    for (size_t i = 0; a->content && i < a->content->calls.n; i++)
        if (is_of_default_group(&a->content->calls.v[i]))
            return a->content->calls.v[i].group_size;
    text->n = 0;
    if (a->content || !payload_may_be_shown(&a->payload) || !artifact_read(a, READ_SMALL, text))
        return 0;
    for (rest = buf_view(text); collective_next(&rest, &call);)
        if (is_of_default_group(&call))
            return call.group_size;
    return 0;
}

uint64_t world_size_of(const struct process *p)
{
    struct buf text = {0};
    size_t texts = 0;
    uint64_t size = 0;

    for (size_t i = 0; i < p->compiles.n; i++) {
        const struct compile *c = p->compiles.v[i];

        for (size_t k = 0; k < c->artifacts.n && !size && texts < TEXTS_MAX; k++)
            if (calls_collectives(c->artifacts.v[k])) {
                size = size_in(c->artifacts.v[k], &text);
                texts++;
            }
    }
    buf_free(&text);
    return size;
}

void world_sizes_find(struct run *r)
{
    struct arena *scratch = arena_new();
    struct map ranks; /* rank -> its first process, or a mark once there is another one */

    map_init(&ranks, scratch);
    for (size_t i = 0; i < r->inputs.n; i++)
        for (size_t k = 0; k < r->inputs.v[i]->processes.n; k++) {
            struct process *p = r->inputs.v[i]->processes.v[k], *first;
            void **slot = map_at_copy(&ranks, MAP_KEY(p->rank));

            first = *slot;
            if (!first) {
                *slot = p;
                continue;
            }
            if (p->rank == RANK_UNKNOWN || first->input == p->input || r->inputs.v[i]->kind != INPUT_TORCH_TRACE)
                continue;
            if (first->world_size == 0)
                first->world_size = world_size_of(first);
            p->world_size = world_size_of(p);
        }
    arena_free(scratch);
}
