/* Findings about a job of several ranks. */
#include "analysis/find.h"

#include "util/utf8.h"

enum { SIDES_TOLD = 4 };

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
                               STR_ARG(rank_list_words(f->arena, g->ranks.v, g->ranks.n)), STR_ARG(g->did));
    }
    if (d->cause.n)
        out = arena_printf(f->arena, "%.*s %.*s%s", STR_ARG(out), STR_ARG(d->cause),
                           str_ends(d->cause, STR(".")) ? "" : ".");
    return out;
}

static enum finding_severity severity_of(const struct divergence *d)
{
    if (d->kind == DIVERGENCE_STOPPED || d->kind == DIVERGENCE_STATUS)
        return FINDING_CRITICAL;
    return d->benign ? FINDING_LOW : FINDING_HIGH;
}

static struct str fix_of(const struct divergence *d)
{
    if (d->benign)
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
        n += run->divergences.v[i] != first && !run->divergences.v[i]->follows && !run->divergences.v[i]->benign;
    return n;
}

enum { TITLE_WORDS = 150 };

static struct str short_words(struct finder *f, struct str did)
{
    struct str cut = utf8_cut(did, TITLE_WORDS);

    return cut.n < did.n ? arena_printf(f->arena, "%.*s \xe2\x80\xa6", STR_ARG(cut)) : did;
}

static void add_divergence(struct finder *f, const struct rank_run *run, const struct divergence *d)
{
    struct finding *x = finding_add(f, "rank-divergence", severity_of(d));
    const struct rank_group *g = &d->groups.v[d->outlier];
    size_t others = others_of(run, d);

    x->title =
        arena_printf(f->arena, "Ranks diverge first at [%.*s] %.*s, %s: %.*s %.*s",
                     STR_ARG(compile_id_print(f->arena, d->compile->id)), STR_ARG(frame_words(f, d->compile->frame)),
                     divergence_kind_title(d->kind), STR_ARG(rank_list_words(f->arena, g->ranks.v, g->ranks.n)),
                     STR_ARG(short_words(f, g->did)));
    x->detail = sides_words(f, d);
    if (others)
        x->detail = arena_printf(f->arena, "%.*s %zu more divergence%s stand%s on %s own.", STR_ARG(x->detail), others,
                                 others == 1 ? "" : "s", others == 1 ? "s" : "", others == 1 ? "its" : "their");
    x->file = d->file;
    x->line = d->line;
    x->fix = fix_of(d);
    for (size_t i = 0; i < d->groups.n; i++)
        if (d->groups.v[i].cell)
            finding_evidence(f, x, d->groups.v[i].cell->compile);
}

/* The first that is not weak, else the first. */
static void find_divergence(struct finder *f, const struct rank_run *run)
{
    const struct divergence *first = NULL;

    for (size_t k = 0; k < run->divergences.n; k++)
        if (!first || (first->benign && !run->divergences.v[k]->benign))
            first = run->divergences.v[k];
    if (first)
        add_divergence(f, run, first);
}

/* --- hangs -------------------------------------------------------------------------------------------------------- */

static struct str side_words(struct finder *f, const struct hang_side *side)
{
    struct str ranks = rank_list_words(f->arena, side->ranks.v, side->ranks.n);

    if (!side->compile)
        return arena_printf(f->arena, "%.*s call%s no more", STR_ARG(ranks), side->ranks.n == 1 ? "s" : "");
    return arena_printf(f->arena, "%.*s in %.*s of [%.*s]", STR_ARG(ranks),
                        STR_ARG(collective_words(f->arena, &side->call)),
                        STR_ARG(compile_id_print(f->arena, side->compile->id)));
}

static void find_hang(struct finder *f, const struct rank_run *run)
{
    const struct hang *h = run->hang;
    const struct hang_side *told;
    struct finding *x;

    if (!h)
        return;
    told = h->minority.compile ? &h->minority : &h->majority;
    x = finding_add(f, "rank-hang", h->certain ? FINDING_CRITICAL : FINDING_HIGH);
    x->title = arena_printf(f->arena, "Ranks %s wait for each other for ever: %.*s; %.*s", h->certain ? "would" : "may",
                            STR_ARG(side_words(f, &h->minority)), STR_ARG(side_words(f, &h->majority)));
    x->detail = arena_printf(f->arena,
                             "Before that both call the same %llu collective%s of the group.%s What runs outside of "
                             "compiled code is not known.",
                             (unsigned long long)h->before, h->before == 1 ? "" : "s",
                             h->certain ? "" : " A graph break there may let the rest run without the compiler.");
    x->fix =
        STR("Make all ranks take the same way through code with collectives. Where sizes differ by rank, pad them, "
            "or mark them dynamic on all ranks.");
    x->file = told->call.file.n ? told->call.file : told->compile->frame->file;
    x->line = told->call.file.n ? told->call.line : told->compile->frame->line;
    finding_evidence(f, x, told->compile);
    if (h->majority.compile && told != &h->majority)
        finding_evidence(f, x, h->majority.compile);
}

static void find_parities(struct finder *f, const struct rank_run *run)
{
    const struct parity *p = run->parities.v;
    struct finding *x;

    if (run->parities.n == 0)
        return;
    x = finding_add(f, "collective-parity", FINDING_MEDIUM);
    x->title =
        arena_printf(f->arena, "The code of %.*s calls %llu collectives and waits %llu times; %llu were scheduled",
                     STR_ARG(finding_compile_name(f, p->compile)), (unsigned long long)p->emitted,
                     (unsigned long long)p->waits, (unsigned long long)p->scheduled);
    x->detail = STR("A collective that is not waited for may be read before it is done.");
    x->fix = STR("Wait for the result of each collective. Where the program does, this is a bug of Inductor's worth "
                 "reporting.");
    x->file = p->compile->frame->file;
    x->line = p->compile->frame->line;
    for (size_t i = 0; i < run->parities.n; i++)
        finding_evidence(f, x, run->parities.v[i].compile);
}

/* --- ranks that are missed, or late ------------------------------------------------------------------------------- */

static void find_absent(struct finder *f, const struct rank_run *run)
{
    const struct rank_roster *roster = run->roster;
    struct finding *x;

    if (roster->absent.n == 0)
        return;
    x = finding_add(f, "rank-absent", FINDING_HIGH);
    x->title = arena_printf(f->arena, "The trace of %.*s is missing",
                            STR_ARG(rank_list_words(f->arena, roster->absent.v, roster->absent.n)));
    x->detail = STR("What a rank without a trace did is not known.");
    x->fix =
        STR("Collect the trace directories of all machines. A rank that ended before it compiled anything writes no "
            "trace: look at what it printed.");
    if (run->matrix.first)
        finding_evidence(f, x, run->matrix.first->cells.v[0]->compile);
}

static void find_straggler(struct finder *f, const struct rank_times *t)
{
    struct finding *x;

    if (!t->straggles)
        return;
    x = finding_add(f, "rank-straggler", finding_severity_of_time(t->slowest_us - t->median_us));
    x->title = arena_printf(f->arena, "Rank %d compiles for %.1f s, the others for %.1f s", t->slowest,
                            (double)t->slowest_us / 1e6, (double)t->median_us / 1e6);
    x->cost_us = t->slowest_us - t->median_us;
    x->detail = STR("All ranks wait for the slowest one at their next collective.");
    x->fix =
        STR("A rank that compiles what others find in a cache, or whose machine is busy, is slower: compare caches "
            "and the number of compile threads (TORCHINDUCTOR_COMPILE_THREADS).");
    if (!t->longer)
        return;
    x->detail = arena_printf(f->arena, "%.*s Most of it is [%.*s]: %.1f s there, %.1f s elsewhere.", STR_ARG(x->detail),
                             STR_ARG(compile_id_print(f->arena, t->longer->id)), (double)t->longer_us / 1e6,
                             (double)t->longer_median_us / 1e6);
    finding_evidence(f, x, t->longer);
    finding_place(x, stack_user_call(t->longer->stack));
}

static void find_late_start(struct finder *f, const struct rank_run *run)
{
    const struct rank_times *t = &run->times;
    struct finding *x;

    if (!t->skewed)
        return;
    x = finding_add(f, "rank-start", finding_severity_of_time(t->skew_us));
    x->title = arena_printf(f->arena, "Rank %d begins to compile %.0f s later than the others", t->last,
                            (double)t->skew_us / 1e6);
    x->cost_us = t->skew_us;
    x->fix =
        STR("Look at what this rank does before its first compile: loading data or weights, a slower file system. A "
            "timeout of the process group may be too short for it.");
    for (size_t i = 0; i < run->matrix.members.n; i++)
        if (run->matrix.members.v[i]->process->rank == t->last && run->matrix.members.v[i]->cells.n)
            finding_evidence(f, x, run->matrix.members.v[i]->cells.v[0]->compile);
}

void find_ranks(struct finder *f)
{
    const struct ranks *r = &f->answers->ranks;

    for (size_t i = 0; i < r->runs.n; i++) {
        find_hang(f, r->runs.v[i]);
        find_divergence(f, r->runs.v[i]);
        find_absent(f, r->runs.v[i]);
        find_straggler(f, &r->runs.v[i]->times);
        find_late_start(f, r->runs.v[i]);
        find_parities(f, r->runs.v[i]);
    }
}
