/* Findings about a job with several ranks. */
#include "analysis/find/guard_facts.h"

#include "text/graphs/collective_place.h"
#include "util/utf8.h"

/* "run 2: " if there are several runs, else "". */
static struct str run_words(struct finder *f, const struct rank_roster *roster)
{
    if (f->answers->ranks.rosters.n < 2)
        return STR("");
    return arena_printf(f->arena, "Run %u: ", roster->group + 1);
}

static struct str ranks_words(struct finder *f, const struct rank_group *g)
{
    return rank_list_words(f->arena, g->ranks.v, g->ranks.n);
}

static struct str frame_words(struct finder *f, const struct frame *fr)
{
    return fr->is_resume ? arena_printf(f->arena, "`%.*s`", STR_ARG(fr->resumes)) : rank_frame_words(f->arena, fr);
}

static struct str id_words(struct finder *f, const struct compile *c)
{
    return arena_printf(f->arena, "[%.*s]", STR_ARG(compile_id_print(f->arena, c->id)));
}

/* --- divergences -------------------------------------------------------------------------------------------------- */

enum { SIDES_DESCRIBED = 4, TITLE_WORDS = 150 };

static struct str short_words(struct finder *f, struct str did)
{
    struct str cut = utf8_cut(did, TITLE_WORDS);

    return cut.n < did.n ? arena_printf(f->arena, "%.*s \xe2\x80\xa6", STR_ARG(cut)) : did;
}

static struct str sides_words(struct finder *f, const struct divergence *d)
{
    struct str out = {"", 0};

    for (size_t i = 0; i < d->groups.n && i < SIDES_DESCRIBED; i++) {
        const struct rank_group *g = &d->groups.v[i];

        if (g->did.n)
            out = arena_printf(f->arena, "%.*s%s%.*s: %.*s.", STR_ARG(out), out.n ? " " : "",
                               STR_ARG(ranks_words(f, g)), STR_ARG(g->did));
    }
    if (d->cause.n)
        out = arena_printf(f->arena, "%.*s %.*s%s", STR_ARG(out), STR_ARG(d->cause),
                           str_ends(d->cause, STR(".")) ? "" : ".");
    return out;
}

static enum finding_severity severity_of(const struct divergence *d)
{
    return d->kind == DIVERGENCE_STOPPED || d->kind == DIVERGENCE_STATUS ? FINDING_CRITICAL : FINDING_HIGH;
}

static struct str fix_of(const struct divergence *d)
{
    switch (d->kind) {
    case DIVERGENCE_STOPPED:
        return STR("Look at the last output of the rank that stopped, and at its exit status or signal.");
    case DIVERGENCE_STATUS:
        return STR("Look at the error of that rank: the others wait for it at their next collective.");
    default:
        return STR("Ranks that compile different things take different times, and hang when their collectives differ. "
                   "Make everything that the code depends on equal on all ranks, or keep it out of compiled code.");
    }
}

/* The number of other divergences of a run that are no consequences. */
static size_t others_of(const struct rank_run *run, const struct divergence *first)
{
    size_t n = 0;

    for (size_t i = 0; i < run->divergences.n; i++)
        n += run->divergences.v[i] != first && !run->divergences.v[i]->follows;
    return n;
}

static bool is_in_row(const struct hang_side *side, const struct divergence *d)
{
    for (size_t i = 0; i < d->row->cells.n; i++)
        if (d->row->cells.v[i]->compile == side->compile)
            return true;
    return false;
}

/* The side that has a place, if the hang is in the compile where ranks diverge. */
static const struct hang_side *side_in(const struct hang *h, const struct divergence *d)
{
    const struct hang_side *sides[] = {&h->minority, &h->majority};

    for (size_t i = 0; i < 2; i++)
        if (sides[i]->compile && sides[i]->call.file.n && is_in_row(sides[i], d))
            return sides[i];
    return NULL;
}

/* The side whose place represents a hang. */
static const struct hang_side *shown_side(const struct hang *h)
{
    return h->minority.compile ? &h->minority : &h->majority;
}

/* The call or the last compile of each group of ranks is evidence. */
static void add_sides(struct finder *f, struct finding *x, const struct divergence *d)
{
    for (size_t i = 0; i < d->groups.n; i++) {
        const struct compile *c = rank_group_compile(&d->groups.v[i]);

        if (c)
            finding_evidence(f, x, c);
    }
}

/* If only some ranks break the graph, the break is the place: a finding of its own names it. */
static void place_at_break(struct finding *x, const struct divergence *d)
{
    for (size_t i = 0; i < d->groups.n; i++) {
        const struct compile *c = rank_group_compile(&d->groups.v[i]);

        if (!c || c->breaks.n == 0 || c->breaks.v[0]->line == 0)
            continue;
        x->file = c->breaks.v[0]->file;
        x->line = c->breaks.v[0]->line;
        return;
    }
}

/* "if dist.get_rank() == 0:", "if self.rank == 0:" */
static bool asks_for_rank(struct str code)
{
    static const struct str words[] = {STR_INIT("get_rank"),     STR_INIT("rank == "),      STR_INIT("rank != "),
                                       STR_INIT("rank()"),       STR_INIT("not rank"),      STR_INIT("is_main_process"),
                                       STR_INIT("is_rank_zero"), STR_INIT("is_rank0"),      STR_INIT("is_master")};

    return (str_starts(code, STR("if ")) || str_starts(code, STR("elif "))) && STR_HAS_ANY(code, words);
}

/*
 * The last line above a break, in the same function, that asks for the rank: guards have the line that made them in a
 * comment: "# if dist.get_rank() == 0:  # shop/till.py:16 in forward", whose path may begin in the middle of a name.
 */
static struct str rank_asked_above(struct finder *f, const struct graph_break *b, int64_t *line)
{
    const struct artifact *tree = compile_guard_tree(b->compile);
    struct str text = tree ? finder_read(f, tree) : (struct str){0}, row, found = {0};

    *line = 0;
    while (str_next_line(&text, &row)) {
        ptrdiff_t at = str_find(row, STR("  # ")), place;
        struct str code = str_skip(row, at < 0 ? row.n : (size_t)at + 4), path, function;
        int64_t number;

        place = str_find(code, STR("  # "));
        if (place < 0)
            continue;
        path = str_skip(code, (size_t)place + 4);
        code = str_trim(str_take(code, (size_t)place));
        at = str_find(path, STR(" in "));
        function = str_skip(path, at < 0 ? path.n : (size_t)at + 4);
        path = str_take(path, at < 0 ? 0 : (size_t)at);
        at = str_rchr(path, ':');
        if (at <= 0 || !asks_for_rank(code) || !str_starts(function, b->function) ||
            !str_ends(b->file, str_take(path, (size_t)at)) || !str_i64(str_skip(path, (size_t)at + 1), &number) ||
            number >= b->line || number <= *line)
            continue;
        *line = number;
        found = arena_str(f->arena, str_take(code, 100));
    }
    return found;
}

/* Not all ranks come to the break: names the line that most likely decides it. */
static void name_rank_branch(struct finder *f, struct finding *x, const struct divergence *d)
{
    const struct graph_break *b = NULL;
    int64_t line;
    struct str code;

    for (size_t i = 0; i < d->groups.n && !b; i++) {
        const struct compile *c = rank_group_compile(&d->groups.v[i]);

        b = c && c->breaks.n ? c->breaks.v[0] : NULL;
    }
    code = b && b->line && b->function.n ? rank_asked_above(f, b, &line) : (struct str){0};
    if (code.n == 0)
        return;
    if (str_ends(code, STR(":")))
        code = str_drop(code, 1);
    x->fix = arena_printf(f->arena,
                          "Line %lld, `%.*s`, decides by the rank, and the line that breaks the graph stands below it: "
                          "most likely only some ranks come to it. Take what depends on the rank out of the compiled "
                          "function: return what is needed, and log or save it behind the call. %.*s",
                          (long long)line, STR_ARG(code), STR_ARG(x->fix));
}

/* If ranks hang where they diverge, both findings name one line, the collective's, because they have one cause. */
static void place_divergence(struct finding *x, const struct rank_run *run, const struct divergence *d)
{
    const struct hang_side *side = NULL;

    if (run->hang && run->hang->ran && d->kind == DIVERGENCE_EXECUTION && shown_side(run->hang)->call.file.n)
        side = shown_side(run->hang);
    else if (run->hang)
        side = side_in(run->hang, d);

    x->file = side ? side->call.file : d->file;
    x->line = side ? side->call.line : d->line;
    if (!side && d->kind == DIVERGENCE_BREAKS)
        place_at_break(x, d);
}

/* Whether ranks compiled the same, apart from additional compiles on some. */
static bool are_all_extra(const struct rank_run *run)
{
    for (size_t i = 0; i < run->divergences.n; i++)
        if (!run->divergences.v[i]->extra)
            return false;
    return run->divergences.n && !run->hang;
}

static void find_extra(struct finder *f, const struct rank_run *run)
{
    const struct divergence *d = run->divergences.n ? run->divergences.v[0] : NULL;
    const struct rank_group *g;
    struct finding *x;

    if (!d || run->stages || !are_all_extra(run))
        return;
    g = &d->groups.v[d->outlier];
    x = finding_add(f, "rank-difference", FINDING_INFO);
    x->title = arena_printf(f->arena, "%.*sAll ranks compiled the same, and %.*s more: %.*s in %.*s",
                            STR_ARG(run_words(f, run->roster)), STR_ARG(ranks_words(f, g)),
                            STR_ARG(short_words(f, g->did)), STR_ARG(id_words(f, d->compile)));
    x->detail = STR("It contains no collective. The other ranks wait in their next collective until it is compiled.");
    x->fix = d->kind == DIVERGENCE_RECOMPILE
                 ? STR("Nothing to do if that rank got unusual inputs once, such as a smaller last batch. "
                       "`drop_last=True` of the DataLoader drops such a batch.")
                 : STR("Nothing to do if only that rank is meant to do this, for example to validate or to log. If it "
                       "takes long, compile it before training begins, or raise the timeout of the process group.");
    x->file = d->file;
    x->line = d->line;
    add_sides(f, x, d);
}

static const struct divergence *first_divergence(const struct rank_run *run)
{
    const struct divergence *d =
        run->divergences.n && !run->stages && !are_all_extra(run) ? run->divergences.v[0] : NULL;

    return d && d->kind != DIVERGENCE_EXECUTION ? d : NULL;
}

/*
 * The same in another run, as of a program that was started twice, is the same finding: "Run 1: X" becomes
 * "Runs 1, 2: X". NULL if no earlier run has it.
 */
static struct finding *add_run(struct finder *f, const struct rank_run *run, struct str words)
{
    for (size_t i = 0; i < f->out->list.n; i++) {
        struct finding *x = f->out->list.v[i];
        struct str runs = str_take(x->title, x->title.n > words.n ? x->title.n - words.n : 0);

        if (strcmp(x->info->id, "rank-divergence") != 0 || !str_ends(x->title, words) ||
            !str_consume(&runs, STR("Run")))
            continue;
        str_consume(&runs, STR("s"));
        x->title = arena_printf(f->arena, "Runs%.*s, %u: %.*s", STR_ARG(str_drop(runs, 2)), run->roster->group + 1,
                                STR_ARG(words));
        return x;
    }
    return NULL;
}

static struct finding *find_divergence(struct finder *f, const struct rank_run *run)
{
    const struct divergence *d = first_divergence(run);
    const struct rank_group *g;
    struct finding *x;
    struct str words;
    size_t others;

    if (!d)
        return NULL;
    g = &d->groups.v[d->outlier];
    words = arena_printf(f->arena, "Ranks diverge first at %.*s %.*s, %s: %.*s %.*s", STR_ARG(id_words(f, d->compile)),
                         STR_ARG(frame_words(f, d->compile->frame)), divergence_kind_title(d->kind),
                         STR_ARG(ranks_words(f, g)), STR_ARG(short_words(f, g->did)));
    x = add_run(f, run, words);
    if (x) {
        if (!x->line)
            place_divergence(x, run, d);
        add_sides(f, x, d);
        return x;
    }
    others = others_of(run, d);
    x = finding_add(f, "rank-divergence", severity_of(d));
    x->title = arena_printf(f->arena, "%.*s%.*s", STR_ARG(run_words(f, run->roster)), STR_ARG(words));
    x->detail = sides_words(f, d);
    if (others)
        x->detail = arena_printf(f->arena, "%.*s %zu more divergence%s %s independent of this one.", STR_ARG(x->detail),
                                 others, others == 1 ? "" : "s", others == 1 ? "is" : "are");
    x->fix = fix_of(d);
    if (d->kind == DIVERGENCE_BREAKS)
        name_rank_branch(f, x, d);
    place_divergence(x, run, d);
    add_sides(f, x, d);
    return x;
}

/* --- the same program in other circumstances ---------------------------------------------------------------------- */

/* How many compiles have each kind as their first difference. */
struct difference_counts {
    size_t of[DIVERGENCE_KINDS];
};

static struct str counts_words(struct finder *f, const struct difference_counts *n)
{
    struct str out = {"", 0};

    for (int k = 0; k < DIVERGENCE_KINDS; k++)
        if (n->of[k])
            out = arena_printf(f->arena, "%.*s%s%s in %zu compile%s", STR_ARG(out), out.n ? ", " : "",
                               divergence_kind_title((enum divergence_kind)k), n->of[k], n->of[k] == 1 ? "" : "s");
    return out;
}

static const char *const difference_fixes[DIVERGENCE_KINDS] = {
    [DIVERGENCE_SIZES] = "Nothing to do if ranks are meant to get inputs of different sizes. Padding them to equal "
                         "sizes lets ranks share caches.",
    [DIVERGENCE_CACHE] = "Nothing to do. If ranks share a cache, the fastest one fills it and the others wait less, "
                         "so their start-up times differ.",
    [DIVERGENCE_CODE] = "Nothing to do if machines differ in hardware or in the number of threads, or if kernels were "
                        "tuned on each rank.",
    [DIVERGENCE_GUARDS] = "Nothing to do. A guard on the rank number, or on an object of the rank, stays valid as "
                          "long as they do not change.",
};

/* The first difference of the most serious kind: the sides, place and advice of the finding come only from it. */
static const struct divergence *main_difference(const struct rank_run *run)
{
    const struct divergence *d = run->differences.v[0];

    for (size_t i = 1; i < run->differences.n; i++)
        if (run->differences.v[i]->kind < d->kind)
            d = run->differences.v[i];
    return d;
}

/* Not a divergence: reports one such difference, in a finding that requires no action. */
static void find_difference(struct finder *f, const struct rank_run *run)
{
    struct difference_counts n = {0};
    const struct divergence *d;
    struct finding *x;

    if (run->differences.n == 0 || run->divergences.n)
        return;
    for (size_t i = 0; i < run->differences.n; i++)
        n.of[run->differences.v[i]->kind]++;
    d = main_difference(run);
    x = finding_add(f, "rank-difference", FINDING_INFO);
    x->title = arena_printf(f->arena, "%.*sAll %zu ranks compiled the same program, with %.*s",
                            STR_ARG(run_words(f, run->roster)), run->matrix.members.n, STR_ARG(counts_words(f, &n)));
    x->detail = sides_words(f, d);
    x->fix = str_of(difference_fixes[d->kind]);
    x->file = d->file;
    x->line = d->line;
    add_sides(f, x, d);
}

/* Stages of a pipeline: each rank has its own functions, which need not agree. */
static void find_stages(struct finder *f, const struct rank_run *run)
{
    struct str list = {"", 0};
    struct finding *x;

    if (!run->stages)
        return;
    x = finding_add(f, "rank-difference", FINDING_INFO);
    for (size_t i = 0; i < run->matrix.members.n; i++) {
        const struct rank_member *m = run->matrix.members.v[i];
        const struct frame *fr = m->cells.v[0]->compile->frame;

        if (i < SIDES_DESCRIBED)
            list =
                arena_printf(f->arena, "%.*s%srank %d %.*s (%.*s:%lld)", STR_ARG(list), i ? ", " : "", m->process->rank,
                             STR_ARG(frame_words(f, fr)), STR_ARG(str_file_name(fr->file)), (long long)fr->line);
        finding_evidence(f, x, m->cells.v[0]->compile);
    }
    x->title = arena_printf(f->arena, "%.*sRanks compiled different functions, as stages of a pipeline do: %.*s%s",
                            STR_ARG(run_words(f, run->roster)), STR_ARG(list),
                            run->matrix.members.n > SIDES_DESCRIBED ? ", \xe2\x80\xa6" : "");
    x->detail =
        STR("None of them calls a collective in compiled code. Collectives outside of it are not in the trace.");
    x->fix = STR("Nothing to do if this is intended.");
}

/* --- order of running --------------------------------------------------------------------------------------------- */

static const struct divergence *execution_divergence(const struct rank_run *run)
{
    for (size_t i = 0; i < run->divergences.n; i++)
        if (run->divergences.v[i]->kind == DIVERGENCE_EXECUTION)
            return run->divergences.v[i];
    return NULL;
}

static struct str in_common(struct finder *f, uint64_t graphs)
{
    if (graphs == 0)
        return STR("from the first graph on");
    return arena_printf(f->arena, "after %llu graph%s in common", (unsigned long long)graphs, graphs == 1 ? "" : "s");
}

static struct finding *find_execution(struct finder *f, const struct rank_run *run)
{
    const struct divergence *d = execution_divergence(run);
    struct finding *x;

    if (!d)
        return NULL;
    x = finding_add(f, "rank-order", FINDING_HIGH);
    x->title = arena_printf(f->arena, "%.*sRanks ran compiled graphs in different orders: %.*s, %.*s %.*s",
                            STR_ARG(run_words(f, run->roster)), STR_ARG(in_common(f, run->execution->at)),
                            STR_ARG(ranks_words(f, &d->groups.v[d->outlier])), STR_ARG(d->groups.v[d->outlier].did));
    x->detail = sides_words(f, d);
    x->fix =
        STR("Make all ranks call compiled functions in the same order: collectives of the graphs, and those that the "
            "program calls around them, must match between ranks.");
    place_divergence(x, run, d);
    add_sides(f, x, d);
    return x;
}

/* --- hangs -------------------------------------------------------------------------------------------------------- */

static struct str hang_ranks(struct finder *f, const struct hang_side *side)
{
    return rank_list_words(f->arena, side->ranks.v, side->ranks.n);
}

static struct str call_words(struct finder *f, const struct hang_side *side)
{
    struct str place = collective_place_words(f->arena, &side->call);

    return arena_printf(f->arena, "%.*s of %.*s%s%.*s%s", STR_ARG(collective_words(f->arena, &side->call)),
                        STR_ARG(id_words(f, side->compile)), place.n ? " (" : "", STR_ARG(place), place.n ? ")" : "");
}

/* "ranks 0, 1 wait in `X`, which rank 2 never calls", "rank 1 is in `X`, ranks 0, 2 in `Y`" */
static struct str hang_words(struct finder *f, const struct hang *h)
{
    const struct hang_side *waiting = h->majority.compile ? &h->majority : &h->minority;
    const struct hang_side *other = waiting == &h->majority ? &h->minority : &h->majority;

    if (!other->compile)
        return arena_printf(f->arena, "%.*s wait%s in %.*s, which %.*s never call%s", STR_ARG(hang_ranks(f, waiting)),
                            waiting->ranks.n == 1 ? "s" : "", STR_ARG(call_words(f, waiting)),
                            STR_ARG(hang_ranks(f, other)), other->ranks.n == 1 ? "s" : "");
    return arena_printf(f->arena, "%.*s %s in %.*s, %.*s in %.*s", STR_ARG(hang_ranks(f, other)),
                        other->ranks.n == 1 ? "is" : "are", STR_ARG(call_words(f, other)),
                        STR_ARG(hang_ranks(f, waiting)), STR_ARG(call_words(f, waiting)));
}

static struct str hang_detail(struct finder *f, const struct hang *h)
{
    struct str before = h->before == 0
                            ? STR("It is the first call of the group")
                            : arena_printf(f->arena, "Before that both make the same %llu call%s in the group",
                                           (unsigned long long)h->before, h->before == 1 ? "" : "s");

    return arena_printf(f->arena, "%.*s%s.%s Collectives outside of compiled code are not in the trace.",
                        STR_ARG(before), h->ran ? ", in the order in which graphs ran" : "",
                        h->certain ? "" : " A graph break there may let the rest run without the compiler.");
}

static struct finding *find_hang(struct finder *f, const struct rank_run *run)
{
    const struct hang *h = run->hang;
    const struct hang_side *shown;
    struct finding *x;

    if (!h)
        return NULL;
    shown = shown_side(h);
    x = finding_add(f, "rank-hang", h->certain ? FINDING_CRITICAL : FINDING_HIGH);
    x->title = arena_printf(f->arena, "%.*s%s: %.*s", STR_ARG(run_words(f, run->roster)),
                            h->certain ? "Deadlock" : "Possible deadlock", STR_ARG(hang_words(f, h)));
    x->detail = hang_detail(f, h);
    x->fix =
        STR("Make every rank take the same branch around collectives. If sizes differ by rank, pad them, or mark them "
            "dynamic on all ranks.");
    x->file = shown->call.file.n ? shown->call.file : shown->compile->frame->file;
    x->line = shown->call.file.n ? shown->call.line : shown->compile->frame->line;
    vec_each(const int, rank, &h->majority.ranks) finding_add_rank(f, x, *rank);
    vec_each(const int, rank, &h->minority.ranks) finding_add_rank(f, x, *rank);
    finding_evidence(f, x, shown->compile);
    if (h->majority.compile && shown != &h->majority)
        finding_evidence(f, x, h->majority.compile);
    return x;
}

/* --- scheduled and written ---------------------------------------------------------------------------------------- */

static struct str parity_words(struct finder *f, const struct parity *p)
{
    if (p->offset)
        return arena_printf(f->arena, "calls %llu collective%s where %llu %s scheduled", (unsigned long long)p->emitted,
                            p->emitted == 1 ? "" : "s", (unsigned long long)p->scheduled,
                            p->scheduled == 1 ? "was" : "were");
    return arena_printf(f->arena, "lacks %llu of %llu wait%s for collectives",
                        (unsigned long long)(p->scheduled_waits - p->waits), (unsigned long long)p->scheduled_waits,
                        p->scheduled_waits == 1 ? "" : "s");
}

/* It is wrong on every rank that has it. */
static void add_parity(struct finder *f, struct finding *x, const struct parity *p)
{
    for (size_t i = 0; i < p->compiles.n; i++)
        finding_evidence(f, x, p->compiles.v[i]);
}

/* "[0/1] on ranks 0, 1" */
static struct str parity_name(struct finder *f, const struct parity *p)
{
    VEC(int) ranks = {0};

    if (p->compiles.n == 1)
        return finding_compile_name(f, p->compile);
    for (size_t i = 0; i < p->compiles.n; i++)
        vec_push(f->arena, &ranks, p->compiles.v[i]->process->rank);
    return arena_printf(f->arena, "[%.*s] on %.*s", STR_ARG(compile_id_print(f->arena, p->compile->id)),
                        STR_ARG(rank_list_words(f->arena, ranks.v, ranks.n)));
}

static void find_parities(struct finder *f)
{
    const struct ranks *r = &f->answers->ranks;
    const struct parity *p = r->parities.v;
    struct finding *x;

    if (r->parities.n == 0)
        return;
    x = finding_add(f, "collective-parity", FINDING_MEDIUM);
    x->title = arena_printf(f->arena, "The generated code of %.*s %.*s", STR_ARG(parity_name(f, p)),
                            STR_ARG(parity_words(f, p)));
    if (r->parities.n > 1)
        x->title = arena_printf(f->arena, "%.*s; the code of %zu more compile%s is wrong, too", STR_ARG(x->title),
                                r->parities.n - 1, r->parities.n == 2 ? "" : "s");
    x->detail = STR("If nothing waits for a result, it may be read before it is ready.");
    x->fix =
        STR("Report it: Inductor should generate what it scheduled. Code that was edited by hand, or by a pass, must "
            "wait for each collective.");
    if (is_framework_file(p->compile->frame->file)) {
        finding_place(x, stack_user_call(p->compile->stack));
    } else {
        x->file = p->compile->frame->file;
        x->line = p->compile->frame->line;
    }
    for (size_t i = 0; i < r->parities.n; i++)
        add_parity(f, x, &r->parities.v[i]);
}

/* --- ranks that are missed, or late ------------------------------------------------------------------------------- */

static void find_absent(struct finder *f, const struct rank_run *run)
{
    const struct rank_roster *roster = run->roster;
    struct finding *x;

    if (roster->absent.n == 0)
        return;
    x = finding_add(f, "rank-absent", FINDING_HIGH);
    x->title = arena_printf(f->arena, "%.*s%s trace of %.*s is missing", STR_ARG(run_words(f, roster)),
                            f->answers->ranks.rosters.n > 1 ? "the" : "The",
                            STR_ARG(rank_list_words(f->arena, roster->absent.v, roster->absent.n)));
    x->detail = STR("It is unknown what a rank without a trace did.");
    x->fix =
        STR("Collect the trace directories of all machines. A rank that ended before it compiled anything writes no "
            "trace: look at its output.");
    if (run->matrix.first)
        finding_evidence(f, x, run->matrix.first->cells.v[0]->compile);
}

/*
 * Ranks that wait for another one lose time once, and nothing fails before the timeout of their process group: ten
 * minutes for NCCL unless the program sets another, more for Gloo.
 */
static enum finding_severity severity_of_wait(int64_t us)
{
    const int64_t minute = 60 * 1000000ll;

    return us >= 5 * minute ? FINDING_HIGH : us >= minute ? FINDING_MEDIUM : FINDING_LOW;
}

static void find_straggler(struct finder *f, const struct rank_times *t)
{
    int64_t start, duration;
    struct finding *x;

    if (!t->straggles)
        return;
    x = finding_add(f, "rank-straggler", severity_of_wait(t->slowest_us - t->median_us));
    x->title = arena_printf(f->arena, "Rank %d compiles for %.1f s, the others for %.1f s", t->slowest,
                            (double)t->slowest_us / 1e6, (double)t->median_us / 1e6);
    x->detail = STR("All ranks wait for the slowest one at their next collective.");
    x->fix =
        STR("A rank that compiles what others find in a cache, or whose machine is busy, is slower: compare caches "
            "and the number of compile threads (TORCHINDUCTOR_COMPILE_THREADS).");
    if (!t->longer) {
        x->cost_us = t->slowest_us - t->median_us;
        return;
    }
    if (compile_interval(t->longer, &start, &duration))
        finding_cost_time(f, x, t->longer->process, start + t->longer_median_us, duration - t->longer_median_us);
    x->detail =
        arena_printf(f->arena, "%.*s Most of it is %.*s: %.1f s there, %.1f s elsewhere.", STR_ARG(x->detail),
                     STR_ARG(id_words(f, t->longer)), (double)t->longer_us / 1e6, (double)t->longer_median_us / 1e6);
    finding_evidence(f, x, t->longer);
    finding_place(x, stack_user_call(t->longer->stack));
}

static void find_late_start(struct finder *f, const struct rank_run *run)
{
    const struct rank_times *t = &run->times;
    struct finding *x;

    if (!t->skewed)
        return;
    x = finding_add(f, "rank-start", severity_of_wait(t->skew_us));
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

/* --- causes and consequences -------------------------------------------------------------------------------------- */

/* The finding that ranks wait according to the run's Flight Recorders; NULL if there is none. */
static struct finding *stuck_finding(struct finder *f, const struct rank_run *run)
{
    for (size_t i = 0; i < f->out->list.n; i++) {
        struct finding *x = f->out->list.v[i];

        if (strcmp(x->info->id, "rank-stuck") == 0 && x->compiles.n && x->compiles.v[0]->process->group == run->group)
            return x;
    }
    return NULL;
}

static void follow(struct finding *x, struct finding *cause)
{
    if (x && cause && x != cause)
        x->follows_from = cause;
}

/*
 * Ranks that ran or compiled different code hang because of it. A rank whose trace simply ends, however, did not get
 * further because it hangs.
 */
static void find_differences_in_program(struct finder *f, const struct rank_run *run)
{
    const struct divergence *d = first_divergence(run);
    bool ends = d && d->kind == DIVERGENCE_STOPPED;
    struct finding *stuck = stuck_finding(f, run), *order = find_execution(f, run), *hang, *divergence, *cause = NULL;

    divergence = ends ? NULL : find_divergence(f, run);
    hang = find_hang(f, run);
    if (hang && run->hang->ran && order)
        cause = order;
    else if (hang && divergence && side_in(run->hang, d))
        cause = divergence;
    follow(hang, cause ? cause : stuck);
    follow(stuck, cause);
    if (ends)
        follow(find_divergence(f, run), stuck ? stuck : hang);
}

/* --- several runs ------------------------------------------------------------------------------------------------- */

static bool are_disjoint(const struct ranks *r)
{
    for (size_t i = 0; i < r->rosters.n; i++)
        for (size_t k = 0; k < i; k++)
            if (!rosters_disjoint(r->rosters.v[i], r->rosters.v[k]))
                return false;
    return r->rosters.n > 1;
}

/* Not one job that was restarted: each run has other ranks. */
static void find_runs(struct finder *f)
{
    enum { RUNS_LISTED = 6 };
    const struct ranks *r = &f->answers->ranks;
    struct str list = {"", 0};
    struct finding *x;

    if (!are_disjoint(r))
        return;
    for (size_t i = 0; i < r->rosters.n && i < RUNS_LISTED; i++)
        list = arena_printf(f->arena, "%.*s%srun %u has %.*s", STR_ARG(list), i ? ", " : "", r->rosters.v[i]->group + 1,
                            STR_ARG(rank_list_words(f->arena, r->rosters.v[i]->present.v, r->rosters.v[i]->present.n)));
    x = finding_add(f, "rank-runs", FINDING_MEDIUM);
    x->title = arena_printf(f->arena, "Ranks of %zu different runs were read together: %.*s%s", r->rosters.n,
                            STR_ARG(list), r->rosters.n > RUNS_LISTED ? ", and more" : "");
    x->detail = STR("Only ranks of one run are compared with each other. Runs are distinguished by time, world size, "
                    "versions and code.");
    x->fix = STR("Collect the traces of each job in a directory of its own.");
}

void find_ranks(struct finder *f)
{
    const struct ranks *r = &f->answers->ranks;

    for (size_t i = 0; i < r->runs.n; i++) {
        find_differences_in_program(f, r->runs.v[i]);
        find_absent(f, r->runs.v[i]);
        find_straggler(f, &r->runs.v[i]->times);
        find_late_start(f, r->runs.v[i]);
        find_difference(f, r->runs.v[i]);
        find_extra(f, r->runs.v[i]);
        find_stages(f, r->runs.v[i]);
    }
    find_runs(f);
    find_parities(f);
}
