#include "torchlog/failures/crash_waits.h"

static struct crash_wait *of_rank(struct crash_waits *w, struct arena *a, int rank)
{
    struct crash_wait *wait;

    for (size_t i = 0; i < w->list.n; i++)
        if (w->list.v[i].rank == rank)
            return &w->list.v[i];
    wait = vec_add(a, &w->list);
    *wait = (struct crash_wait){.rank = rank, .first = UINT64_MAX};
    return wait;
}

static void note(struct crash_waits *w, struct arena *a, int rank, uint64_t number, struct str operation)
{
    struct crash_wait *wait = of_rank(w, a, rank);

    if (number >= wait->first)
        return;
    wait->first = number;
    wait->operation = operation;
}

void crash_waits_add(struct crash_waits *w, struct arena *a, int rank, struct str message)
{
    ptrdiff_t at = str_find(message, STR("WorkNCCL(SeqNum="));
    struct str rest = str_skip(message, at < 0 ? message.n : (size_t)at + sizeof "WorkNCCL(SeqNum=" - 1),
               operation = {0};
    uint64_t number;

    if (rank < 0 || !str_take_u64(&rest, &number) || !str_between(rest, STR("OpType="), STR(","), &operation))
        return;
    note(w, a, rank, number, arena_str(a, operation));
}

void crash_waits_join(struct crash_waits *w, struct arena *a, const struct crash_waits *other)
{
    vec_each(const struct crash_wait, x, &other->list) note(w, a, x->rank, x->first, x->operation);
}

struct str crash_waits_words(const struct crash_waits *w, struct arena *a)
{
    const struct crash_wait *behind = w->list.n ? &w->list.v[0] : NULL;
    uint64_t others = UINT64_MAX;

    vec_each(const struct crash_wait, x, &w->list) behind = x->first < behind->first ? x : behind;
    vec_each(const struct crash_wait, x, &w->list) if (x != behind && x->first < others) others = x->first;
    if (others == UINT64_MAX || others == behind->first)
        return (struct str){0};
    return arena_printf(a, "[%d] waits at collective #%llu (%.*s), the others at #%llu or later", behind->rank,
                        (unsigned long long)behind->first, STR_ARG(behind->operation), (unsigned long long)others);
}
