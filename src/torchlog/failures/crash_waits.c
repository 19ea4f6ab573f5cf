#include "torchlog/failures/crash_waits.h"

#include <stdlib.h>

/* Larger jobs are not compared: each message looks its rank up. */
enum { RANKS_MAX = 4096, MESSAGES_MAX = 20000, NAMED_MAX = 4 };

/* In the order of the ranks. NULL where there are too many. */
static struct crash_wait *of_rank(struct crash_waits *w, struct arena *a, int rank)
{
    struct crash_wait *wait;
    size_t at = w->list.n;

    while (at > 0 && w->list.v[at - 1].rank >= rank)
        if (w->list.v[--at].rank == rank)
            return &w->list.v[at];
    if (w->list.n >= RANKS_MAX)
        return NULL;
    vec_add(a, &w->list);
    wait = &w->list.v[at];
    memmove(wait + 1, wait, (w->list.n - 1 - at) * sizeof *wait);
    *wait = (struct crash_wait){
        .rank = rank, .first = UINT64_MAX, .elements = UINT64_MAX, .at = UINT64_MAX, .called = UINT64_MAX};
    return wait;
}

/* The number behind the words. */
static bool take_number(struct str text, struct str words, uint64_t *number)
{
    ptrdiff_t at = str_find(text, words);
    struct str rest = str_skip(text, at < 0 ? text.n : (size_t)at + words.n);

    return at >= 0 && str_take_u64(&rest, number);
}

/* "PG 1 " of "[PG 1 Rank 3] ..."; empty in versions that do not name it. */
static struct str group_of(struct str message)
{
    ptrdiff_t at = str_find(message, STR("[PG ")), end;
    struct str group = str_skip(message, at < 0 ? message.n : (size_t)at + 1);

    end = str_find(group, STR("Rank "));
    return str_take(group, end < 0 ? 0 : (size_t)end);
}

static const struct str work_begin = STR_INIT("WorkNCCL(SeqNum=");

/* "WorkNCCL(SeqNum=808, OpType=ALLREDUCE, NumelIn=3, NumelOut=3, Timeout(ms)=600000) ran for ..." */
static void add_work(struct crash_waits *w, struct arena *a, int rank, struct str message)
{
    ptrdiff_t at = str_find(message, work_begin), end;
    struct str work = str_skip(message, at < 0 ? message.n : (size_t)at);
    struct crash_wait *wait;
    uint64_t number;

    if (at < 0 || !take_number(work, work_begin, &number) || !(wait = of_rank(w, a, rank)))
        return;
    if (number > wait->last && group_of(message).n == 0)
        wait->last = number;
    if (number > wait->first || (number == wait->first && wait->work.n))
        return;
    end = str_find(work, STR(") ran for"));
    wait->first = number;
    wait->work = arena_str(a, end < 0 ? str_first_line(work) : str_take(work, (size_t)end + 1));
    wait->operation = (struct str){0};
    str_between(wait->work, STR("OpType="), STR(","), &wait->operation);
    if (!take_number(wait->work, STR("NumelIn="), &wait->elements))
        wait->elements = UINT64_MAX;
    wait->work_group = arena_str(a, group_of(message));
}

/* At which work a watchdog found its rank, in the words of versions. */
static bool take_at(struct str message, uint64_t *at)
{
    static const struct str words[] = {STR_INIT(" at work: "), STR_INIT(" at NCCL work: "),
                                       STR_INIT(" at work sequence id: ")};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (take_number(message, words[i], at))
            return true;
    return false;
}

/* "Timeout at NCCL work: 1580, ...", where no line names what that is. Other words are also those of an error. */
static void add_timeout(struct crash_wait *wait, struct arena *a, struct str message)
{
    uint64_t at;

    if (!take_number(message, STR("Timeout at NCCL work: "), &at) || at >= wait->first)
        return;
    wait->first = at;
    wait->work = wait->operation = (struct str){0};
    wait->elements = UINT64_MAX;
    wait->work_group = arena_str(a, group_of(message));
}

/* "[PG 1 Rank 3] Exception (...) detected by watchdog at work: 1580, last enqueued NCCL work: 1582, ..." */
static void add_progress(struct crash_waits *w, struct arena *a, int rank, struct str message)
{
    struct crash_wait *wait;
    uint64_t called;

    if (!take_number(message, STR("ast enqueued NCCL work: "), &called) &&
        !take_number(message, STR("last enqueued work: "), &called))
        return;
    wait = of_rank(w, a, rank);
    if (wait)
        add_timeout(wait, a, message);
    if (!wait || wait->called != UINT64_MAX)
        return;
    wait->group = arena_str(a, group_of(message));
    wait->called = called;
    take_at(message, &wait->at);
}

void crash_waits_add(struct crash_waits *w, struct arena *a, int rank, struct str message)
{
    if (rank < 0 || w->messages++ >= MESSAGES_MAX)
        return;
    add_work(w, a, rank, message);
    add_progress(w, a, rank, message);
}

void crash_waits_add_rank(struct crash_waits *w, struct arena *a, int rank)
{
    if (rank >= 0)
        of_rank(w, a, rank);
}

void crash_waits_join(struct crash_waits *w, struct arena *a, const struct crash_waits *other)
{
    vec_each(const struct crash_wait, x, &other->list)
    {
        struct crash_wait *wait = of_rank(w, a, x->rank);

        if (wait && (x->first < wait->first || (x->first == wait->first && wait->work.n == 0))) {
            wait->first = x->first;
            wait->work = x->work;
            wait->operation = x->operation;
            wait->elements = x->elements;
            wait->work_group = x->work_group;
        }
        if (wait && x->last > wait->last)
            wait->last = x->last;
        if (!wait || wait->called != UINT64_MAX)
            continue;
        wait->group = x->group;
        wait->at = x->at;
        wait->called = x->called;
    }
}

/* Whether numbers of the two count the same collectives, as far as is known. */
static bool is_of_group(const struct crash_wait *x, const struct crash_wait *y)
{
    return str_eq(x->group, y->group);
}

struct str crash_waits_work(const struct crash_waits *w, struct str message)
{
    struct str group = group_of(message);
    uint64_t number;

    if (!take_at(message, &number))
        return (struct str){0};
    vec_each(const struct crash_wait, x, &w->list)
        if (x->first == number && x->work.n && (x->group.n == 0 || str_eq(x->group, group)))
            return x->work;
    return (struct str){0};
}

/* --- who keeps the others waiting --------------------------------------------------------------------------------- */

/* Whether all ranks give as many elements as each other to such an operation. */
static bool is_even(struct str operation)
{
    static const struct str even[] = {STR_INIT("ALLREDUCE"),      STR_INIT("BROADCAST"),
                                      STR_INIT("REDUCE"),         STR_INIT("ALLGATHER"),
                                      STR_INIT("_ALLGATHER_BASE"), STR_INIT("REDUCE_SCATTER"),
                                      STR_INIT("_REDUCE_SCATTER_BASE")};

    return STR_IS_ANY(operation, even);
}

/* Another operation or size, whatever the number. */
static bool is_other_call(const struct crash_wait *x, const struct crash_wait *y)
{
    return !str_eq(x->operation, y->operation) || (is_even(x->operation) && x->elements != y->elements);
}

/* Whether two ranks give the same number to collectives that cannot be the same. */
static bool differ(const struct crash_wait *x, const struct crash_wait *y)
{
    if (x->first == UINT64_MAX || x->first != y->first || x->group.n == 0 || !is_of_group(x, y) ||
        x->operation.n == 0 || y->operation.n == 0)
        return false;
    return is_other_call(x, y);
}

/* ", 64 elements"; empty where unknown. */
static struct str element_words(struct arena *a, const struct crash_wait *x)
{
    return x->elements == UINT64_MAX ? STR("")
                                     : arena_printf(a, ", %llu element%s", (unsigned long long)x->elements,
                                                    x->elements == 1 ? "" : "s");
}

/* "#412 (ALLREDUCE, 8 elements)"; of a message that only has the number, "#412". */
static struct str number_words(struct arena *a, const struct crash_wait *x)
{
    struct str number = arena_printf(a, "#%llu", (unsigned long long)x->first);

    return x->operation.n ? arena_printf(a, "%.*s (%.*s%.*s)", STR_ARG(number), STR_ARG(x->operation),
                                         STR_ARG(element_words(a, x)))
                          : number;
}

/* "rank 3 BROADCAST (sequence 7142, 64 elements)" */
static struct str call_words(struct arena *a, const struct crash_wait *x)
{
    return arena_printf(a, "rank %d %.*s (sequence %llu%.*s)", x->rank, STR_ARG(x->operation),
                        (unsigned long long)x->first, STR_ARG(element_words(a, x)));
}

static struct str mismatch(const struct crash_waits *w, struct arena *a)
{
    vec_each(const struct crash_wait, one, &w->list)
        for (const struct crash_wait *x = one + 1; x < one_end; x++)
            if (differ(one, x))
                return arena_printf(a, CRASH_WAITS_DIFFER "%.*s, %.*s", STR_ARG(call_words(a, one)),
                                    STR_ARG(call_words(a, x)));
    return (struct str){0};
}

/* "0, 3" */
static struct str add_rank(struct arena *a, struct str ranks, int rank)
{
    return arena_printf(a, "%.*s%s%d", STR_ARG(ranks), ranks.n ? ", " : "", rank);
}

/* --- all are in a collective, and not in the same ----------------------------------------------------------------- */

/* Ranks that wait in one collective. */
struct meeting {
    const struct crash_wait *first;
    size_t ranks;
    struct str named; /* "0, 3" */
};

struct meetings {
    VEC(struct meeting) list;
};

/* Between two ranks, so that the others call nothing at that time. */
static bool is_of_two(struct str operation)
{
    static const struct str two[] = {STR_INIT("SEND"), STR_INIT("RECV"), STR_INIT("COALESCED")};

    return STR_IS_ANY(operation, two);
}

/* Several groups, of which each numbers for itself, or several collectives of one group: nothing says which. */
static bool waits_at_several(const struct crash_wait *x)
{
    return x->group.n == 0 && x->work_group.n == 0 && x->last > x->first;
}

/* Of a rank whose second line is not in the text, only the line of the work itself may name the group. */
static bool is_of_work_group(const struct crash_wait *x, const struct crash_wait *y)
{
    return str_eq(x->work_group, y->work_group) && (x->group.n == 0 || y->group.n == 0 || is_of_group(x, y));
}

static void join_meeting(struct meetings *m, struct arena *a, const struct crash_wait *x)
{
    struct meeting *of = NULL;

    vec_each(struct meeting, k, &m->list)
        if (k->first->first == x->first && !is_other_call(k->first, x))
            of = k;
    if (!of) {
        of = vec_add(a, &m->list);
        of->first = x;
    }
    if (++of->ranks <= NAMED_MAX)
        of->named = add_rank(a, of->named, x->rank);
}

static int by_ranks(const void *pa, const void *pb)
{
    const struct meeting *a = pa, *b = pb;

    if (a->ranks != b->ranks)
        return a->ranks < b->ranks ? -1 : 1;
    return (a->first->rank > b->first->rank) - (a->first->rank < b->first->rank);
}

/* "rank 0 at #461 (BROADCAST, 1 element)" */
static struct str meeting_words(struct arena *a, const struct meeting *m)
{
    struct str who = m->ranks > NAMED_MAX
                         ? arena_printf(a, "%zu ranks", m->ranks)
                         : arena_printf(a, "rank%s %.*s", m->ranks == 1 ? "" : "s", STR_ARG(m->named));

    return arena_printf(a, "%.*s at #%llu (%.*s%.*s)", STR_ARG(who), (unsigned long long)m->first->first,
                        STR_ARG(m->first->operation), STR_ARG(element_words(a, m->first)));
}

/*
 * Each rank of the text waits in a collective, so that none does something else; the fewest come first. Where a record
 * was cut off, ranks that call different collectives under one number show it.
 */
static struct str diverged(const struct crash_waits *w, struct arena *a)
{
    struct meetings m = {0};
    const struct crash_wait *one = NULL;
    struct str out = {0};
    bool differs = false, hidden = false, one_number = false;

    vec_each(const struct crash_wait, x, &w->list)
    {
        if (x->first == UINT64_MAX || x->operation.n == 0) {
            hidden = true;
            continue;
        }
        one = one ? one : x;
        if (is_of_two(x->operation) || !is_of_work_group(x, one) || m.list.n > NAMED_MAX || waits_at_several(x))
            return (struct str){0};
        differs |= is_other_call(x, one);
        one_number |= is_other_call(x, one) && x->first == one->first;
        join_meeting(&m, a, x);
    }
    if (!differs || (hidden && !one_number))
        return (struct str){0};
    qsort(m.list.v, m.list.n, sizeof *m.list.v, by_ranks);
    vec_each(const struct meeting, k, &m.list)
        out = arena_printf(a, "%.*s%s%.*s", STR_ARG(out), out.n ? ", " : "", STR_ARG(meeting_words(a, k)));
    return arena_printf(a, CRASH_WAITS_DIFFER "%.*s", STR_ARG(out));
}

/* --- who is behind ------------------------------------------------------------------------------------------------ */

/* "PG GUID 119" of "PG ID 11 PG GUID 119 ": a rank numbers its groups for itself, the second number is the group's. */
static struct str group_words(struct str group)
{
    ptrdiff_t at = str_find(group, STR("PG GUID "));

    return str_trim(str_skip(group, at < 0 ? 0 : (size_t)at));
}

/* "rank 0 at #96117 to #96125 (ALLREDUCE)" */
static struct str numbers_words(struct arena *a, const struct crash_wait *x)
{
    struct str to = x->last > x->first ? arena_printf(a, " to #%llu", (unsigned long long)x->last) : (struct str){0};

    return arena_printf(a, "rank %d at #%llu%.*s%s%.*s%s", x->rank, (unsigned long long)x->first, STR_ARG(to),
                        x->operation.n ? " (" : "", STR_ARG(x->operation), x->operation.n ? ")" : "");
}

/* Ranks of which one waits at several numbers, and no record names a group: they cannot be compared. */
static struct str of_any_group(const struct crash_waits *w, struct arena *a)
{
    struct str out = {0};
    uint64_t one = UINT64_MAX;
    size_t n = 0;
    bool several = false, differ = false;

    vec_each(const struct crash_wait, x, &w->list)
    {
        if (x->first == UINT64_MAX)
            continue;
        several |= waits_at_several(x);
        differ |= one != UINT64_MAX && x->first != one;
        one = x->first;
        if (n++ < NAMED_MAX)
            out = arena_printf(a, "%.*s%s%.*s", STR_ARG(out), out.n ? ", " : "", STR_ARG(numbers_words(a, x)));
    }
    if (!several || !differ)
        return (struct str){0};
    return arena_printf(a, CRASH_WAITS_NUMBERS "%.*s%s", STR_ARG(out), n > NAMED_MAX ? ", and others" : "");
}

/* Those that wait at a lower number than all others of the text that are in their group. */
struct laggards {
    const struct crash_wait *lowest;
    struct str ranks, others; /* "0, 3" */
    size_t n, n_others;
    uint64_t next; /* the lowest number of the others; UINT64_MAX none */
};

static struct laggards find_laggards(const struct crash_waits *w, struct arena *a)
{
    struct laggards l = {.next = UINT64_MAX};

    vec_each(const struct crash_wait, x, &w->list)
        if (x->first != UINT64_MAX && (!l.lowest || x->first < l.lowest->first))
            l.lowest = x;
    vec_each(const struct crash_wait, x, &w->list)
    {
        if (!l.lowest || !is_of_work_group(x, l.lowest) || x->first == UINT64_MAX)
            continue;
        if (x->first == l.lowest->first) {
            if (++l.n <= NAMED_MAX)
                l.ranks = add_rank(a, l.ranks, x->rank);
            continue;
        }
        l.next = x->first < l.next ? x->first : l.next;
        if (++l.n_others <= NAMED_MAX)
            l.others = add_rank(a, l.others, x->rank);
    }
    return l;
}

static struct str behind(const struct crash_waits *w, struct arena *a)
{
    struct laggards l = find_laggards(w, a);
    struct str group, others;

    if (l.next == UINT64_MAX || l.n > NAMED_MAX)
        return (struct str){0};
    group = group_words(l.lowest->group.n ? l.lowest->group : l.lowest->work_group);
    others = l.n_others > NAMED_MAX ? arena_printf(a, "%zu ranks", l.n_others)
                                    : arena_printf(a, "rank%s %.*s", l.n_others == 1 ? "" : "s", STR_ARG(l.others));
    return arena_printf(a, "[%.*s] wait%s at collective #%llu%s%.*s%s%s%.*s, %.*s at #%llu%s", STR_ARG(l.ranks),
                        l.n == 1 ? "s" : "", (unsigned long long)l.lowest->first, l.lowest->operation.n ? " (" : "",
                        STR_ARG(l.lowest->operation), l.lowest->operation.n ? ")" : "",
                        group.n ? CRASH_WAITS_OF_GROUP : "", STR_ARG(group), STR_ARG(others),
                        (unsigned long long)l.next, l.n_others == 1 ? "" : " or later");
}

/* What others of its group wait for: the highest number that timed out; 0 for none. */
static uint64_t waited_for(const struct crash_waits *w, const struct crash_wait *of)
{
    uint64_t highest = 0;

    vec_each(const struct crash_wait, x, &w->list)
        if (x->at != UINT64_MAX && x->at > highest && is_of_group(x, of))
            highest = x->at;
    return highest;
}

/* One that did not call what the others wait for. */
static struct str not_called(const struct crash_waits *w, struct arena *a)
{
    const struct crash_wait *of = NULL;

    vec_each(const struct crash_wait, x, &w->list)
        if (x->called < waited_for(w, x) && (!of || x->called < of->called))
            of = x;
    return of ? arena_printf(a, "[%d] has called collective #%llu last, others wait at #%llu", of->rank,
                             (unsigned long long)of->called, (unsigned long long)waited_for(w, of))
              : (struct str){0};
}

/* A rank between the others of which the text has no line: each that waits says so, so that it may be the one. */
static struct str silent(const struct crash_waits *w, struct arena *a)
{
    const struct crash_wait *one = NULL;
    struct str ranks = {0};
    size_t missing = 0;
    int next = 0;

    vec_each(const struct crash_wait, x, &w->list)
    {
        one = !one && x->first != UINT64_MAX ? x : one;
        for (; next < x->rank && missing <= NAMED_MAX; next++, missing++)
            ranks = add_rank(a, ranks, next);
        next = x->rank + 1;
    }
    if (!one || w->list.n < 3 || missing == 0 || missing > NAMED_MAX || missing * 2 > w->list.n)
        return (struct str){0};
    return arena_printf(a, "[%.*s] say%s nothing in this text, others wait at collective #%llu%s%.*s%s", STR_ARG(ranks),
                        missing == 1 ? "s" : "", (unsigned long long)one->first, one->operation.n ? " (" : "",
                        STR_ARG(one->operation), one->operation.n ? ")" : "");
}

/* One that names its operation, where any does. */
static const struct crash_wait *named_call(const struct crash_waits *w)
{
    vec_each(const struct crash_wait, x, &w->list)
        if (x->operation.n)
            return x;
    return w->list.v;
}

/* "rank 1 8355840 elements, rank 3 8349696 elements": right only where what each sends is what the others expect. */
static struct str sizes_of(const struct crash_waits *w, struct arena *a)
{
    struct str out = {0};
    size_t n = 0;

    vec_each(const struct crash_wait, x, &w->list)
        if (x->operation.n && n++ < NAMED_MAX)
            out = arena_printf(a, "%.*s%srank %d %llu elements", STR_ARG(out), out.n ? ", " : "", x->rank,
                               (unsigned long long)x->elements);
    return arena_printf(a, CRASH_WAITS_SIZES "%llu (%.*s): %.*s", (unsigned long long)w->list.v->first,
                        STR_ARG(named_call(w)->operation), STR_ARG(out));
}

/* "[PG ID 0 PG GUID 0(default_pg) Rank 2] ...": the group of all ranks. */
static bool is_of_all(const struct crash_wait *x)
{
    return str_has(x->group, STR("default_pg")) || str_has(x->group, STR("PG 0 ")) ||
           str_has(x->group, STR("PG ID 0 "));
}

/* "ranks 0, 1": those below the highest of the text of which it has nothing; empty if there are none. */
static struct str unseen(const struct crash_waits *w, struct arena *a)
{
    struct str ranks = {0};
    size_t n = 0;
    int next = 0;

    vec_each(const struct crash_wait, x, &w->list)
    {
        for (; next < x->rank && n <= NAMED_MAX; next++, n++)
            ranks = add_rank(a, ranks, next);
        next = x->rank + 1;
    }
    if (n > NAMED_MAX)
        return STR("other ranks");
    return n ? arena_printf(a, "rank%s %.*s", n == 1 ? "" : "s", STR_ARG(ranks)) : ranks;
}

/* Each that names what it waits in names the same. */
static bool is_one_call(const struct crash_wait *x, const struct crash_wait *one)
{
    return x->operation.n == 0 || str_eq(x->operation, one->operation);
}

/* Whether it waits in a collective that it has called, as its counters say. */
static bool has_called(const struct crash_wait *x)
{
    return x->first != UINT64_MAX && x->called != UINT64_MAX && x->called >= x->first;
}

/* Each rank of the text has called the collective that times out on all. */
static struct str in_step(const struct crash_waits *w, struct arena *a)
{
    const struct crash_wait *one = named_call(w);
    struct str others;
    bool differ = false;

    if (w->list.n < 2)
        return (struct str){0};
    vec_each(const struct crash_wait, x, &w->list)
    {
        if (!has_called(x) || x->first != one->first || !is_of_group(x, one) || !is_one_call(x, one))
            return (struct str){0};
        differ |= x->operation.n && x->elements != one->elements;
    }
    if (differ)
        return sizes_of(w, a);
    others = is_of_all(one) ? unseen(w, a) : (struct str){0};
    if (others.n)
        return arena_printf(a, CRASH_WAITS_SEEN "%.*s, which may not have called collective %.*s", STR_ARG(others),
                            STR_ARG(number_words(a, one)));
    return arena_printf(a, CRASH_WAITS_ALL "%.*s, and none has finished it", STR_ARG(number_words(a, one)));
}

/* Ranks of which each has called what it waits in, a collective of another group of processes than the others'. */
static struct str apart(const struct crash_waits *w, struct arena *a)
{
    struct str out = {0};

    if (w->list.n < 2 || w->list.n > NAMED_MAX)
        return out;
    vec_each(const struct crash_wait, x, &w->list)
    {
        if (!has_called(x) || x->group.n == 0 || is_of_two(x->operation))
            return (struct str){0};
        for (const struct crash_wait *before = w->list.v; before < x; before++)
            if (str_eq(group_words(before->group), group_words(x->group)))
                return (struct str){0};
        out = arena_printf(a, "%.*s%srank %d in %.*s of %.*s", STR_ARG(out), out.n ? ", " : "", x->rank,
                           STR_ARG(number_words(a, x)), STR_ARG(group_words(x->group)));
    }
    return arena_printf(a, CRASH_WAITS_APART "%.*s", STR_ARG(out));
}

/* The only one of the text has called what it waits in, which says nothing of the others. */
static struct str alone(const struct crash_waits *w, struct arena *a)
{
    const struct crash_wait *one = w->list.v;

    if (w->list.n != 1 || !has_called(one))
        return (struct str){0};
    if (is_of_two(one->operation))
        return arena_printf(a, CRASH_WAITS_ALONE "rank %d, which waits for the rank at the other end of %.*s",
                            one->rank, STR_ARG(number_words(a, one)));
    return arena_printf(a, CRASH_WAITS_ALONE "rank %d, which has called collective %.*s and waits in it", one->rank,
                        STR_ARG(number_words(a, one)));
}

struct str crash_waits_words(const struct crash_waits *w, struct arena *a)
{
    static struct str (*const found[])(const struct crash_waits *, struct arena *) = {
        mismatch, diverged, of_any_group, behind, not_called, silent, in_step, apart, alone};
    struct str words = {0};

    for (size_t i = 0; words.n == 0 && i < sizeof found / sizeof *found; i++)
        words = found[i](w, a);
    return words;
}
