#include "analysis/errors/error_ranks.h"

#include "torchlog/failures/crash_waits.h"

enum { SEARCHED = 16384 };

/*
 * The line of a desynchronization, from its ranks in brackets on; empty if there is none. A rank that has not joined
 * keeps others waiting, whether or not the report has ranks that joined before.
 */
static struct str desync_line(const struct failure *f)
{
    static const struct str words[] = {STR_INIT("] finished collective #"), STR_INIT("] are the lagging ranks that "),
                                       STR_INIT(" collective #")};
    static const struct str begins[] = {STR_INIT("- "), STR_INIT("To our best knowledge, ranks ")};
    struct str text = str_take(f->beside.n ? f->beside : f->message, SEARCHED), line = {0};

    for (size_t i = 0; line.n == 0 && i < sizeof words / sizeof *words; i++)
        line = str_trim(str_line_with(text, words[i]));
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        str_consume(&line, begins[i]);
    return str_starts(line, STR("[")) ? line : (struct str){0};
}

/* "3" of "missing ranks: {3}", as the analysis of Flight Recorder's dumps prints it (torchfrtrace). */
static struct str recorded_missing(const struct failure *f)
{
    struct str text = str_take(f->beside.n ? f->beside : f->message, SEARCHED), ranks;

    return str_between(text, STR("missing ranks: {"), STR("}"), &ranks) && ranks.n && str_is_digit(ranks.p[0])
               ? ranks
               : (struct str){0};
}

/*
 * "7" or "1, 3": the ranks that the others wait for in a collective, "[7] finished collective #182, but didn't join
 * collective #183" (c10d, TraceUtils.h); empty if the failure does not say.
 */
static struct str lagging_ranks(const struct failure *f)
{
    struct str ranks = recorded_missing(f);

    if (ranks.n)
        return ranks;
    return str_between(desync_line(f), STR("["), STR("]"), &ranks) ? ranks : (struct str){0};
}

/* "[0, 1] joined but didn't finish collective #4": these are the last of the report, which may be all. */
static bool joined(const struct failure *f)
{
    return str_has(desync_line(f), STR("] joined but didn't finish"));
}

/* Whether these wait in a collective themselves. */
static bool lagging_waits(const struct failure *f)
{
    struct str line = desync_line(f);

    return str_has(line, STR("] wait at collective #")) || str_has(line, STR("] waits at collective #"));
}

/* Whether the records name the group whose collectives these numbers count. */
static bool names_group(const struct failure *f)
{
    return str_has(desync_line(f), STR(CRASH_WAITS_OF_GROUP));
}

struct str error_ranks_behind(struct arena *a, const struct failure *f)
{
    struct str ranks = lagging_ranks(f);

    if (ranks.n == 0)
        return (struct str){0};
    if (recorded_missing(f).n)
        return arena_printf(a, "rank%s %.*s did not join the collective, as the Flight Recorders show",
                            str_chr(ranks, ',') < 0 ? "" : "s", STR_ARG(ranks));
    return arena_printf(a, "rank%s %.*s%.*s", str_chr(ranks, ',') < 0 ? "" : "s", STR_ARG(ranks),
                        STR_ARG(str_skip(desync_line(f), ranks.n + 2)));
}

/* What stands behind "OpType=": a name in capitals, or a number. */
static struct str print_value(struct str print, struct str name)
{
    ptrdiff_t at = str_find(print, name);
    struct str value = str_skip(print, at < 0 ? print.n : (size_t)at + name.n);
    bool number = value.n && str_is_digit(value.p[0]);
    size_t n = 0;

    while (n < value.n && (number ? str_is_digit(value.p[n]) : str_is_word_char(value.p[n])))
        n++;
    return str_take(value, n);
}

/* "rank 1 ALLGATHER (sequence 7)" of "Rank 1 is running collective: CollectiveFingerPrint(SequenceNumber=7, ...". */
static struct str running_rank(struct arena *a, struct str *text, uint64_t *number)
{
    static const struct str begin = STR_INIT("Rank "), prints = STR_INIT("CollectiveFingerPrint(");
    ptrdiff_t at = str_find(*text, begin);
    struct str print, op, sequence;
    uint64_t rank = 0;

    *number = 0;
    *text = str_skip(*text, at < 0 ? text->n : (size_t)at + begin.n);
    if (!str_take_u64(text, &rank) || (at = str_find(*text, prints)) < 0)
        return (struct str){0};
    *text = str_skip(*text, (size_t)at + prints.n);
    at = str_find(*text, begin);
    print = str_take(*text, at < 0 ? text->n : (size_t)at);
    op = print_value(print, STR("OpType="));
    sequence = print_value(print, STR("SequenceNumber="));
    if (op.n == 0)
        return (struct str){0};
    *number = rank;
    return arena_printf(a, "rank %llu %.*s%s%.*s%s", (unsigned long long)rank, STR_ARG(op),
                        sequence.n ? " (sequence " : "", STR_ARG(sequence), sequence.n ? ")" : "");
}

static const struct str mismatch_begin = STR_INIT(CRASH_WAITS_DIFFER);

/* "rank 0" of "...: rank 0 at #461 (BROADCAST, 1 element), ranks 1, 2, 3 at #458 (ALLREDUCE, 64 elements)". */
static struct str odd_ranks(const struct failure *f)
{
    struct str rest = f->beside, odd;
    ptrdiff_t at;

    if (!str_consume(&rest, mismatch_begin) || (at = str_find(rest, STR(" at #"))) < 0)
        return (struct str){0};
    odd = str_take(rest, (size_t)at);
    rest = str_skip(rest, (size_t)at);
    at = str_find(rest, STR("), "));
    rest = str_skip(rest, at < 0 ? rest.n : (size_t)at + 3);
    return str_starts(odd, STR("rank ")) && !str_starts(rest, STR("rank ")) && rest.n ? odd : (struct str){0};
}

/* What the watchdogs of all ranks say together (torchlog/failures/crash_waits.h), which is the same on each. */
static bool is_of_all_ranks(const struct failure *f)
{
    static const struct str begins[] = {STR_INIT(CRASH_WAITS_DIFFER), STR_INIT(CRASH_WAITS_SIZES),
                                        STR_INIT(CRASH_WAITS_ALL), STR_INIT(CRASH_WAITS_SEEN),
                                        STR_INIT(CRASH_WAITS_APART), STR_INIT(CRASH_WAITS_ALONE),
                                        STR_INIT(CRASH_WAITS_NUMBERS)};

    return STR_STARTS_ANY(f->beside, begins);
}

bool error_ranks_are_behind(const struct failure *f)
{
    return lagging_ranks(f).n > 0;
}

bool error_ranks_are_named(const struct failure *f)
{
    return (f->beside.n && lagging_ranks(f).n) || is_of_all_ranks(f);
}

struct str error_ranks_differ(struct arena *a, const struct failure *f)
{
    static const struct str lead = STR_INIT("Detected mismatch between collectives on ranks");
    struct str text = str_line_with(str_take(f->message, SEARCHED), lead), one, other;
    uint64_t rank, other_rank;

    if (is_of_all_ranks(f))
        return f->beside;
    one = running_rank(a, &text, &rank);
    other = running_rank(a, &text, &other_rank);
    if (one.n == 0)
        return (struct str){0};
    if (other.n && other_rank < rank) { /* each rank begins with its own, and both speak of the same */
        struct str first = other;

        other = one;
        one = first;
    }
    return arena_printf(a, "%.*s%.*s%s%.*s", STR_ARG(mismatch_begin), STR_ARG(one), other.n ? ", " : "",
                        STR_ARG(other));
}

/* The time-out ends the processes. */
#define WHILE_IT_HANGS "In the next run, while it hangs, `py-spy dump` "

/* The rank that differs from most others. */
static void add_of_odd(struct arena *a, struct str odd, struct error_steps *out)
{
    error_step_say(
        a, out,
        arena_printf(a,
                     "Every rank of this text is in a collective, so look for what %.*s calls and the others do not, "
                     "or the other way round: saving, logging, an evaluation, `if rank == 0`. " WHILE_IT_HANGS "of it "
                     "and of one of the others shows both places.",
                     STR_ARG(odd)));
}

/* Ranks that wait in a collective themselves, at a lower number. */
static void add_of_waiting(struct arena *a, struct str lagging, bool of_one_group, struct error_steps *out)
{
    bool several = str_chr(lagging, ',') >= 0;
    const char *it = several ? "they" : "it";

    error_step_say(
        a, out,
        arena_printf(a,
                     "Rank%s %.*s wait%s in a collective, too, at a lower number than the others of this text. %s for "
                     "calls that %s or the others skip. " WHILE_IT_HANGS "of %s and of one of the others shows both "
                     "places.",
                     several ? "s" : "", STR_ARG(lagging), several ? "" : "s",
                     of_one_group ? "Look"
                                  : "The records do not name the group of processes, and each group numbers its "
                                    "collectives for itself: if these are of one group, look",
                     it, several ? "one of them" : "it"));
}

void error_ranks_add_steps(struct arena *a, const struct failure *f, struct error_steps *out)
{
    struct str lagging = lagging_ranks(f), odd = odd_ranks(f);
    bool several = str_chr(lagging, ',') >= 0;

    if (odd.n)
        add_of_odd(a, odd, out);
    if (lagging.n && joined(f))
        error_step_say(
            a, out,
            arena_printf(a,
                         "Rank%s %.*s %s in this collective. If the report's snapshot has others that started a later "
                         "one, look for a call that %s or the others skip (`py-spy dump` while it hangs shows both "
                         "places). If it has "
                         "none, no rank is missing: it is the link between the GPUs or NCCL, or a kernel before it "
                         "that does not end (`NCCL_P2P_DISABLE=1`, `NCCL_DEBUG=INFO`).",
                         several ? "s" : "", STR_ARG(lagging), several ? "are" : "is", several ? "they" : "it"));
    else if (lagging.n && lagging_waits(f))
        add_of_waiting(a, lagging, names_group(f), out);
    else if (lagging.n)
        error_step_say(a, out,
                       arena_printf(a,
                                    "Look at what rank%s %.*s do%s instead: the others wait for %s. %s own log%s "
                                    "show%s it, and in the next run, while it hangs, `py-spy dump`.",
                                    several ? "s" : "", STR_ARG(lagging), several ? "" : "es", several ? "them" : "it",
                                    several ? "Their" : "Its", several ? "s" : "", several ? "" : "s"));
}

/* --- watchdogs that are stuck ------------------------------------------------------------------------------------- */

bool error_ranks_are_stuck(const struct failure *f)
{
    return str_eq(f->type, STR(STUCK_WATCHDOG_TYPE)) && (str_has(f->message, STR("Heartbeat monitor timed out")) ||
                                                         str_has(f->message, STR("watchdog got stuck for")));
}

/* 84 of "workMetaList_.size()=84" in the rank's message; -1 if it prints none. */
static int64_t under_way(const struct compile *c)
{
    static const struct str lead = STR_INIT("workMetaList_.size()=");

    for (size_t i = 0; i < c->failures.n; i++) {
        struct str message = c->failures.v[i]->message;
        ptrdiff_t at = error_ranks_are_stuck(c->failures.v[i]) ? str_find(message, lead) : -1;
        struct str number = str_skip(message, at < 0 ? message.n : (size_t)at + lead.n);
        uint64_t value;

        if (str_take_u64(&number, &value) && value < INT32_MAX)
            return (int64_t)value;
    }
    return -1;
}

/* "rank 0", "ranks 1, 2": those with the number, of the compiles from `first` on. */
static struct str ranks_with(struct arena *a, const struct compile *const *compiles, size_t n, size_t first,
                             int64_t number, size_t *count)
{
    struct str out = {0};

    *count = 0;
    for (size_t i = first; i < n; i++)
        if (under_way(compiles[i]) == number)
            out = arena_printf(a, "%.*s%s%d", STR_ARG(out), (*count)++ ? ", " : "", compiles[i]->process->rank);
    return arena_printf(a, "rank%s %.*s", *count == 1 ? "" : "s", STR_ARG(out));
}

struct str error_ranks_under_way(struct arena *a, const struct compile *const *compiles, size_t n, int *odd)
{
    enum { COMPARED_MAX = 64 };
    size_t kinds = 0, count;
    struct str out = {0};

    *odd = -1;
    for (size_t i = 0; i < n; i++) {
        int64_t number = under_way(compiles[i]);
        struct str ranks;
        bool seen = false;

        if (n > COMPARED_MAX || number < 0 || compiles[i]->process->rank < 0)
            return (struct str){0};
        for (size_t k = 0; k < i; k++)
            seen |= under_way(compiles[k]) == number;
        if (seen)
            continue;
        ranks = ranks_with(a, compiles, n, i, number, &count);
        out = arena_printf(a, "%.*s%s%lld%s on %.*s", STR_ARG(out), kinds ? ", " : "", (long long)number,
                           kinds ? "" : " collectives under way", STR_ARG(ranks));
        *odd = count == 1 ? compiles[i]->process->rank : *odd;
        kinds++;
    }
    *odd = kinds == 2 && n > 2 ? *odd : -1;
    return kinds > 1 ? out : (struct str){0};
}
