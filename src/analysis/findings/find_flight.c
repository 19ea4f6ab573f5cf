/* Findings from Flight Recorder dumps. */
#include "analysis/find/find.h"

enum { STOPS_DESCRIBED = 3 };

/* "group 1 (expert parallel)" */
static struct str group_words(struct finder *f, const struct flight_stop *s)
{
    return s->about.n ? arena_printf(f->arena, "group %.*s (%.*s)", STR_ARG(s->group), STR_ARG(s->about))
                      : arena_printf(f->arena, "group %.*s", STR_ARG(s->group));
}

/* "`all_reduce` of f32[16], number 6 of group 0, which [1/0] calls" */
static struct str call_words(struct finder *f, const struct flight_call *c)
{
    struct str words = flight_words(f->arena, c);

    if (!c->compile)
        return words;
    return arena_printf(f->arena, "%.*s, which %s[%.*s]%s calls", STR_ARG(words),
                        c->others ? "one of several compiles, maybe " : "",
                        STR_ARG(compile_id_print(f->arena, c->compile->id)), c->others ? "," : "");
}

/* What the missing ranks are doing meanwhile. */
static struct str instead_words(struct finder *f, const struct flight_stop *s)
{
    if (s->absent.n == 0)
        return STR("");
    if (!s->instead.entry)
        return arena_printf(f->arena,
                            " Rank %d is not in a collective: it has ended, or is running or waiting "
                            "elsewhere.",
                            s->absent.v[0]);
    return arena_printf(f->arena, " Rank %d is in %.*s.", s->absent.v[0], STR_ARG(call_words(f, &s->instead)));
}

static struct str title_of(struct finder *f, const struct flight_stop *s)
{
    struct str waiting = rank_list_words(f->arena, s->waiting.v, s->waiting.n);
    struct str absent = rank_list_words(f->arena, s->absent.v, s->absent.n);
    struct str call = flight_words(f->arena, &s->call);

    if (s->verdict == FLIGHT_DIFFERENT)
        return arena_printf(f->arena, "Ranks called different collectives: %.*s %.*s; %.*s %.*s", STR_ARG(absent),
                            STR_ARG(flight_words(f->arena, &s->instead)), STR_ARG(waiting), STR_ARG(call));
    if (s->ended)
        return arena_printf(f->arena, "%.*s had not called %.*s, which %.*s called", STR_ARG(absent), STR_ARG(call),
                            STR_ARG(waiting));
    if (s->verdict == FLIGHT_NOT_REACHED)
        return arena_printf(f->arena, "%.*s never reached %.*s, in which %.*s wait%s", STR_ARG(absent), STR_ARG(call),
                            STR_ARG(waiting), s->waiting.n == 1 ? "s" : "");
    return arena_printf(f->arena, "%.*s wait%s in %.*s", STR_ARG(waiting), s->waiting.n == 1 ? "s" : "", STR_ARG(call));
}

/* A title begins with a capital. */
static struct str sentence(struct finder *f, struct str s)
{
    char *copy = arena_copy(f->arena, s);

    if (*copy >= 'a' && *copy <= 'z')
        *copy -= 'a' - 'A';
    return (struct str){copy, s.n};
}

/*
 * A stop in which only the absent rank of the first stop waits: the first stop's detail already says where that rank
 * is.
 */
static bool is_described(const struct flight_stop *first, const struct flight_stop *s)
{
    return first->instead.entry && s->call.entry == first->instead.entry && s->waiting.n == 1 && s->absent.n == 0;
}

static struct str detail_of(struct finder *f, const struct flight_run *run)
{
    const struct flight_stop *s = &run->stops.v[0];
    size_t described = 0;
    struct str out = arena_printf(f->arena, "From Flight Recorder dumps, each as of the moment it was written.%.*s",
                                  STR_ARG(instead_words(f, s)));

    if (s->call.compile)
        out = arena_printf(f->arena, "%.*s Rank %d is in %.*s.", STR_ARG(out), s->caller,
                           STR_ARG(call_words(f, &s->call)));
    if (s->silent.n)
        out = arena_printf(f->arena, "%.*s There is no dump from %.*s.", STR_ARG(out),
                           STR_ARG(rank_list_words(f->arena, s->silent.v, s->silent.n)));
    for (size_t i = 1; i < run->stops.n && described < STOPS_DESCRIBED; i++)
        if (!is_described(s, &run->stops.v[i]) && ++described)
            out = arena_printf(f->arena, "%.*s In %.*s: %.*s.", STR_ARG(out), STR_ARG(group_words(f, &run->stops.v[i])),
                               STR_ARG(title_of(f, &run->stops.v[i])));
    if (described == STOPS_DESCRIBED && run->stop_count > STOPS_DESCRIBED + 1)
        out = arena_printf(f->arena, "%.*s %zu groups are stuck in total.", STR_ARG(out), run->stop_count);
    return out;
}

static struct str fix_of(struct finder *f, const struct flight_stop *s)
{
    if (s->ended)
        return STR(
            "If all dumps are from the same moment, look at what the missing ranks did instead. The others gave up, "
            "or failed, in this call.");
    if (s->verdict == FLIGHT_DIFFERENT)
        return STR("Make all ranks of a group call the same collectives in the same order, with the same sizes.");
    if (s->verdict == FLIGHT_NOT_REACHED)
        return STR("Look at what the missing ranks do instead: another branch, fewer batches, an exception, or a "
                   "collective of another group.");
    if (s->silent.n)
        return arena_printf(
            f->arena,
            "Look at %.*s first: members of the group without a dump. A rank that was killed writes none, "
            "and its trace shows how far it got.",
            STR_ARG(rank_list_words(f->arena, s->silent.v, s->silent.n)));
    return STR("If the job hangs here, all ranks made the call and the transport makes no progress: look at the "
               "network.");
}

static void add_stop(struct finder *f, const struct flight_run *run)
{
    const struct flight_stop *s = &run->stops.v[0];
    const struct flight_call *shown = s->call.entry ? &s->call : &s->instead;
    struct finding *x =
        finding_add(f, "rank-stuck", s->verdict == FLIGHT_WAITING || s->ended ? FINDING_MEDIUM : FINDING_CRITICAL);

    x->title = sentence(f, title_of(f, s));
    x->detail = detail_of(f, run);
    x->fix = fix_of(f, s);
    if (shown->others == 0) {
        x->file = shown->file;
        x->line = shown->line;
    }
    vec_each(const int, rank, &s->waiting) finding_add_rank(f, x, *rank);
    vec_each(const int, rank, &s->absent) finding_add_rank(f, x, *rank);
    if (shown->compile)
        finding_evidence(f, x, shown->compile);
    if (s->instead.entry && s->instead.compile)
        finding_evidence(f, x, s->instead.compile);
}

void find_flights(struct finder *f)
{
    const struct ranks *r = &f->answers->ranks;

    for (size_t i = 0; i < r->flights.n; i++)
        if (r->flights.v[i]->stops.n)
            add_stop(f, r->flights.v[i]);
}
