#include "torchlog/failures/crash_waits.h"

/* Larger jobs are not compared: each message looks its rank up. */
enum { RANKS_MAX = 4096, MESSAGES_MAX = 20000 };

/* NULL where there are too many. */
static struct crash_wait *of_rank(struct crash_waits *w, struct arena *a, int rank)
{
    struct crash_wait *wait;

    for (size_t i = 0; i < w->list.n; i++)
        if (w->list.v[i].rank == rank)
            return &w->list.v[i];
    if (w->list.n >= RANKS_MAX)
        return NULL;
    wait = vec_add(a, &w->list);
    *wait = (struct crash_wait){.rank = rank, .first = UINT64_MAX, .at = UINT64_MAX, .called = UINT64_MAX};
    return wait;
}

static void note(struct crash_waits *w, struct arena *a, int rank, uint64_t number, struct str operation)
{
    struct crash_wait *wait = of_rank(w, a, rank);

    if (!wait || number >= wait->first)
        return;
    wait->first = number;
    wait->operation = operation;
}

/* The number behind the words. */
static bool take_number(struct str text, struct str words, uint64_t *number)
{
    ptrdiff_t at = str_find(text, words);
    struct str rest = str_skip(text, at < 0 ? text.n : (size_t)at + words.n);

    return at >= 0 && str_take_u64(&rest, number);
}

/* "[PG 1 Rank 3] Exception (...) detected by watchdog at work: 1580, last enqueued NCCL work: 1582, ..." */
static void add_progress(struct crash_waits *w, struct arena *a, int rank, struct str message)
{
    struct crash_wait *wait;
    struct str group = {0};
    uint64_t called;

    if (!take_number(message, STR("ast enqueued NCCL work: "), &called))
        return;
    wait = of_rank(w, a, rank);
    if (!wait || wait->called != UINT64_MAX)
        return;
    str_between(message, STR("["), STR("Rank "), &group);
    wait->group = arena_str(a, group);
    wait->called = called;
    if (!take_number(message, STR(" at work: "), &wait->at))
        take_number(message, STR(" at NCCL work: "), &wait->at);
}

void crash_waits_add(struct crash_waits *w, struct arena *a, int rank, struct str message)
{
    struct str operation = {0};
    uint64_t number;

    if (rank < 0 || w->messages++ >= MESSAGES_MAX)
        return;
    if (take_number(message, STR("WorkNCCL(SeqNum="), &number) &&
        str_between(message, STR("OpType="), STR(","), &operation))
        note(w, a, rank, number, arena_str(a, operation));
    add_progress(w, a, rank, message);
}

void crash_waits_join(struct crash_waits *w, struct arena *a, const struct crash_waits *other)
{
    vec_each(const struct crash_wait, x, &other->list)
    {
        struct crash_wait *wait = of_rank(w, a, x->rank);

        note(w, a, x->rank, x->first, x->operation);
        if (!wait || wait->called != UINT64_MAX)
            continue;
        wait->group = x->group;
        wait->at = x->at;
        wait->called = x->called;
    }
}

/* What others of its group wait for: the highest number that timed out; 0 for none. */
static uint64_t waited_for(const struct crash_waits *w, const struct crash_wait *of)
{
    uint64_t highest = 0;

    vec_each(const struct crash_wait, x, &w->list)
        if (x->at != UINT64_MAX && x->at > highest && str_eq(x->group, of->group))
            highest = x->at;
    return highest;
}

/* One that did not call what the others wait for. */
static struct str not_called(const struct crash_waits *w, struct arena *a)
{
    const struct crash_wait *behind = NULL;

    vec_each(const struct crash_wait, x, &w->list)
        if (x->called < waited_for(w, x) && (!behind || x->called < behind->called))
            behind = x;
    return behind ? arena_printf(a, "[%d] has called collective #%llu last, others wait at #%llu", behind->rank,
                                 (unsigned long long)behind->called, (unsigned long long)waited_for(w, behind))
                  : (struct str){0};
}

struct str crash_waits_words(const struct crash_waits *w, struct arena *a)
{
    const struct crash_wait *behind = NULL;
    uint64_t others = UINT64_MAX;

    vec_each(const struct crash_wait, x, &w->list) if (x->first != UINT64_MAX && (!behind || x->first < behind->first))
        behind = x;
    vec_each(const struct crash_wait, x, &w->list) if (x != behind && x->first < others) others = x->first;
    if (!behind || others == UINT64_MAX || others == behind->first)
        return not_called(w, a);
    return arena_printf(a, "[%d] waits at collective #%llu (%.*s), the others at #%llu or later", behind->rank,
                        (unsigned long long)behind->first, STR_ARG(behind->operation), (unsigned long long)others);
}
