/* Findings about a job of several ranks. */
#include "analysis/find.h"

enum { SIDES_TOLD = 4, RANKS_TOLD = 12 };

/* "rank 3", "ranks 0-6, 9": not more than a dozen stretches. */
static struct str ranks_words(struct arena *a, const int *ranks, size_t n)
{
    struct str out = {"", 0};
    size_t told = 0;

    for (size_t i = 0, last; i < n; i = last + 1) {
        last = i;
        while (last + 1 < n && ranks[last + 1] == ranks[last] + 1)
            last++;
        if (told++ == RANKS_TOLD)
            return arena_printf(a, "%.*s and more", STR_ARG(out));
        out = arena_printf(a, "%.*s%s%d", STR_ARG(out), i ? ", " : n == 1 ? "rank " : "ranks ", ranks[i]);
        if (last > i)
            out = arena_printf(a, "%.*s%s%d", STR_ARG(out), last == i + 1 ? ", " : "-", ranks[last]);
    }
    return out;
}

/* The group that tells of it: the smallest. */
static const struct rank_group *odd_group(const struct divergence *d)
{
    return &d->groups.v[d->groups.n - 1];
}

static struct str frame_words(struct finder *f, const struct frame *fr)
{
    struct str name = fr->is_resume ? fr->resumes : fr->name;

    return name.n ? arena_printf(f->arena, "`%.*s`", STR_ARG(name)) : STR("a graph");
}

static struct str sides_words(struct finder *f, const struct divergence *d)
{
    struct str out = {"", 0};

    for (size_t i = 0; i < d->groups.n && i < SIDES_TOLD; i++) {
        const struct rank_group *g = &d->groups.v[i];

        if (g->did.n)
            out = arena_printf(f->arena, "%.*s%s%.*s: %.*s.", STR_ARG(out), out.n ? " " : "",
                               STR_ARG(ranks_words(f->arena, g->ranks.v, g->ranks.n)), STR_ARG(g->did));
    }
    if (d->cause.n)
        out = arena_printf(f->arena, "%.*s %.*s%s", STR_ARG(out), STR_ARG(d->cause),
                           str_ends(d->cause, STR(".")) ? "" : ".");
    return out;
}

static enum finding_severity severity_of(const struct divergence *d)
{
    if (d->kind == DIVERGENCE_STOPPED || d->kind == (enum divergence_kind)(DIVERGENCE_FACET + FACET_STATUS))
        return FINDING_CRITICAL;
    return d->weak ? FINDING_LOW : FINDING_HIGH;
}

static struct str fix_of(const struct divergence *d)
{
    if (d->weak)
        return STR("Nothing is wrong with the program. Where ranks share a cache the fastest one fills it, and the "
                   "others wait less; start-up times differ by that.");
    if (d->kind == DIVERGENCE_STOPPED)
        return STR("Look at what this process printed last. The other ranks wait for it in their next collective.");
    return STR("Ranks that compile different things take different times, and hang when their collectives differ. Make "
               "what the code depends on equal on all ranks, or keep it out of compiled code.");
}

/* How many more of a run stand on their own; what follows from another one is not counted. */
static size_t others_of(const struct rank_run *run, const struct divergence *first)
{
    size_t n = 0;

    for (size_t i = 0; i < run->divergences.n; i++)
        n += run->divergences.v[i] != first && !run->divergences.v[i]->follows && !run->divergences.v[i]->weak;
    return n;
}

static void add_divergence(struct finder *f, const struct rank_run *run, const struct divergence *d)
{
    struct finding *x = finding_add(f, "rank-divergence", severity_of(d));
    const struct rank_group *g = odd_group(d);
    size_t others = others_of(run, d);

    x->title =
        arena_printf(f->arena, "Ranks diverge first at [%.*s] %.*s, %s: %.*s",
                     STR_ARG(compile_id_print(f->arena, d->compile->id)), STR_ARG(frame_words(f, d->compile->frame)),
                     divergence_kind_title(d->kind), STR_ARG(ranks_words(f->arena, g->ranks.v, g->ranks.n)));
    x->detail = sides_words(f, d);
    if (others)
        x->detail = arena_printf(f->arena, "%.*s %zu more divergence%s stand%s on %s own.", STR_ARG(x->detail), others,
                                 others == 1 ? "" : "s", others == 1 ? "s" : "", others == 1 ? "its" : "their");
    x->file = g->file;
    x->line = g->line;
    x->fix = fix_of(d);
    for (size_t i = 0; i < d->groups.n; i++)
        if (d->groups.v[i].cell)
            finding_evidence(f, x, d->groups.v[i].cell->compile);
}

/* Of each run the first that is not weak, else the first. */
void find_divergence(struct finder *f)
{
    const struct ranks *r = &f->answers->ranks;

    for (size_t i = 0; i < r->runs.n; i++) {
        const struct rank_run *run = r->runs.v[i];
        const struct divergence *first = NULL;

        for (size_t k = 0; k < run->divergences.n; k++)
            if (!first || (first->weak && !run->divergences.v[k]->weak))
                first = run->divergences.v[k];
        if (first)
            add_divergence(f, run, first);
    }
}
