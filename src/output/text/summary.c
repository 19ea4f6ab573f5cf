#include "output/text/summary.h"

#include "analysis/answers/health.h"
#include "analysis/answers/questions.h"
#include "analysis/answers/versions.h"
#include "analysis/find/advice_fit.h"
#include "analysis/find/finding.h"
#include "analysis/time/longest.h"
#include "model/merge/run.h"
#include "output/text/compile_table.h"
#include "text/graphs/kernel_name.h"
#include "util/number.h"
#include "util/utf8.h"
#include "view/format.h"

#include <string.h>
#include <unistd.h>

enum { FINDINGS_SHOWN = 8, COMPILES_SHOWN = 8, PHASES_SHOWN = 4 };

static void title(struct text *t, struct str name)
{
    text_newline(t);
    text_paragraph(t, STR(""), TEXT_PLAIN, 0, TEXT_BOLD, name);
}

/* --- what was read ------------------------------------------------------------------------------------------------ */

static struct str add_version(struct text *t, struct str list, const char *name, struct str version)
{
    return version.n
               ? arena_printf(t->arena, "%.*s%s%s %.*s", STR_ARG(list), list.n ? ", " : "", name, STR_ARG(version))
               : list;
}

static void write_versions(struct text *t, const struct run *r)
{
    struct versions v = run_versions(r);
    struct str list = {"", 0}, gpu = format_gpu(t->arena, v.gpu);

    list = add_version(t, list, "PyTorch", v.pytorch);
    list = add_version(t, list, "Python", str_split(&v.python, ' '));
    list = add_version(t, list, "CUDA", v.cuda);
    list = add_version(t, list, "Triton", v.triton);
    if (gpu.n)
        list = arena_printf(t->arena, "%.*s%s%.*s", STR_ARG(list), list.n ? ", " : "", STR_ARG(gpu));
    if (list.n)
        text_paragraph(t, STR("Versions  "), TEXT_DIM, 10, TEXT_PLAIN, list);
}

static void write_inputs(struct text *t, const struct run *r)
{
    struct str inputs = format_inputs(t->arena, r), understood = format_understood(t->arena, r);
    uint64_t skipped = 0;

    for (size_t i = 0; i < r->inputs.n; i++)
        skipped += !r->inputs.v[i]->used;
    if (skipped)
        inputs = arena_printf(t->arena, "%.*s; skipped %.*s", STR_ARG(inputs),
                              STR_ARG(format_counted(t->arena, skipped, "other file", "other files")));
    text_paragraph(t, STR("Read      "), TEXT_DIM, 10, TEXT_PLAIN, inputs);
    if (understood.n)
        text_paragraph(t, STR("Text      "), TEXT_DIM, 10, TEXT_PLAIN, understood);
    write_versions(t, r);
}

/* "at least 9 recompiles": a log lacks some of them. */
static struct str counted_at_least(struct text *t, const struct counts *n, uint64_t known, uint64_t least,
                                   const char *one, const char *many)
{
    if (least <= known || !count_is_known(n, known))
        return format_known(t->arena, n, known, one, many);
    return arena_printf(t->arena, "at least %.*s", STR_ARG(format_counted(t->arena, least, one, many)));
}

static struct str compiles_of(struct text *t, const struct answers *a)
{
    const struct counts *n = &a->counts;

    if (n->compiles == 0 && run_has_loose_code(a->run))
        return STR("graphs or code without a compile id (export, AOTInductor, torch_compile_debug)");
    if (!count_is_known(n, n->compiles))
        return format_known(t->arena, n, n->compiles, "compile", "compiles");
    return arena_printf(t->arena, "%.*s of %.*s",
                        STR_ARG(counted_at_least(t, n, n->compiles, a->recompiles.compiles_least, "compile",
                                                 "compiles")),
                        STR_ARG(format_counted(t->arena, n->frames, "frame", "frames")));
}

/* "in 3 processes"; empty for a single one. */
static struct str processes_words(struct arena *a, const struct counts *n)
{
    return n->processes > 1
               ? arena_printf(a, " in %.*s", STR_ARG(format_counted(a, n->processes, "process", "processes")))
               : STR("");
}

static struct str compiles_per_rank(struct arena *a, const struct answers *x)
{
    const struct rank_counts *n = &x->rank_counts;
    struct str compiles = format_known_spread(a, &x->counts, n->compiles, "compile", "compiles");

    if (!count_is_known(&x->counts, n->compiles.most))
        return compiles;
    return arena_printf(a, "%s%.*s of %.*s", x->recompiles.compiles_least > x->counts.compiles ? "at least " : "",
                        STR_ARG(compiles), STR_ARG(format_spread_counted(a, n->frames, "frame", "frames")));
}

/* The counts per rank, if there are several. */
static struct str found_per_rank(struct arena *a, const struct answers *x)
{
    const struct rank_counts *n = &x->rank_counts;

    return arena_printf(a, "on each of %.*s ranks %.*s, %.*s, %s%.*s, %.*s",
                        STR_ARG(format_count(a, x->counts.ranks)), STR_ARG(compiles_per_rank(a, x)),
                        STR_ARG(format_known_spread(a, &x->counts, n->graph_breaks, "graph break", "graph breaks")),
                        x->recompiles.least > x->counts.recompiles && x->counts.recompiles ? "at least " : "",
                        STR_ARG(format_known_spread(a, &x->counts, n->recompiles, "recompile", "recompiles")),
                        STR_ARG(format_spread_counted(a, n->errors, "error", "errors")));
}

/* A text with only an exception has no compiles to count; explain() says how many graphs there were. */
static struct str found_without_compiles(struct text *t, const struct answers *a)
{
    const struct counts *n = &a->counts;
    struct str errors = format_counted(t->arena, n->errors, "error", "errors");

    if (!n->traced && n->compiles == 0 && n->explained_breaks)
        errors = arena_printf(t->arena, "%.*s, %.*s",
                              STR_ARG(format_counted(t->arena, n->explained_breaks, "graph break", "graph breaks")),
                              STR_ARG(errors));
    if (!n->traced && n->compiles == 0 && n->graphs)
        return arena_printf(t->arena, "%.*s, %.*s", STR_ARG(format_counted(t->arena, n->graphs, "graph", "graphs")),
                            STR_ARG(errors));
    /* torch.export and AOTInductor record neither an end nor an error. */
    if (n->traced && n->compiles == 0 && n->errors == 0 && run_has_loose_code(a->run))
        return arena_printf(t->arena, "%.*s; a failure of these would not be in the trace, but in the program's output",
                            STR_ARG(compiles_of(t, a)));
    if (n->traced || run_has_loose_code(a->run) || n->errors == 0)
        return arena_printf(t->arena, "%.*s, %.*s", STR_ARG(compiles_of(t, a)), STR_ARG(errors));
    return errors;
}

static void write_found(struct text *t, const struct answers *a)
{
    const struct counts *n = &a->counts;
    struct arena *s = t->arena;
    struct str what = found_without_compiles(t, a);

    if (n->ranks > 1)
        what = found_per_rank(s, a);
    else if (n->compiles)
        what = arena_printf(s, "%.*s, %.*s, %.*s, %.*s%.*s", STR_ARG(compiles_of(t, a)),
                            STR_ARG(format_known(s, n, n->graph_breaks, "graph break", "graph breaks")),
                            STR_ARG(counted_at_least(t, n, n->recompiles, a->recompiles.least, "recompile",
                                                      "recompiles")),
                            STR_ARG(format_counted(s, n->errors, "error", "errors")), STR_ARG(processes_words(s, n)));
    if (a->run->groups > 1)
        what = arena_printf(s, "%.*s; %u runs (--latest shows only the newest)", STR_ARG(what), a->run->groups);
    text_paragraph(t, STR("Found     "), TEXT_DIM, 10, TEXT_BOLD, what);
}

static void write_ranks(struct text *t, const struct answers *a)
{
    struct str verdict = ranks_verdict(t->arena, &a->ranks);

    if (verdict.n)
        text_paragraph(t, STR("Ranks     "), TEXT_DIM, 10, TEXT_PLAIN, verdict);
}

/* Two lines: how busy the GPU was, and with what. */
static void write_gpu(struct text *t, const struct answers *a)
{
    const struct gpu_answers *g = &a->gpu;
    struct arena *s = t->arena;
    int64_t span = 0, busy = 0, recompiling = 0;
    uint64_t kernels = 0;
    const struct gpu_stat *top = NULL;

    vec_each(const struct gpu_sum, sum, &g->sums)
    {
        span = add_bounded(span, sum->span_ns);
        busy = add_bounded(busy, sum->busy_ns);
        recompiling = add_bounded(recompiling, sum->gap_ns[GAP_RECOMPILE]);
        kernels += sum->counts[GPU_KERNEL];
    }
    vec_each(const struct gpu_stat, x, &g->stats) top = !top || x->total_ns > top->total_ns ? x : top;
    if (!top || span <= 0 || g->total_ns <= 0)
        return;
    text_paragraph(t, STR("GPU       "), TEXT_DIM, 10, TEXT_PLAIN,
                   arena_printf(s, "busy %.*s of %.*s%s%.*s", STR_ARG(format_share(s, busy, span)),
                                STR_ARG(format_duration_ns(s, span)),
                                recompiling ? ", idle during recompiles for " : "",
                                STR_ARG(recompiling ? format_duration_ns(s, recompiling) : STR(""))));
    text_paragraph(t, STR("          "), TEXT_DIM, 10, TEXT_PLAIN,
                   arena_printf(s, "%.*s; %.*s of the time in %.*s",
                                STR_ARG(format_counted(s, kernels, "kernel", "kernels")),
                                STR_ARG(format_share(s, top->total_ns, g->total_ns)),
                                STR_ARG(kernel_name_short(s, top->name->name))));
}

static void write_caches(struct text *t, const struct answers *a)
{
    struct spread n[CACHE_OUTCOMES];
    struct arena *s = t->arena;

    for (int o = 0; o < CACHE_OUTCOMES; o++)
        n[o] = a->counts.ranks > 1 ? a->rank_counts.cache[o] : (struct spread){a->counts.cache[o], a->counts.cache[o]};
    text_paragraph(t, STR("Caches    "), TEXT_DIM, 10, TEXT_PLAIN,
                   arena_printf(s, "%.*s, %.*s, %.*s%s", STR_ARG(format_spread_counted(s, n[CACHE_HIT], "hit", "hits")),
                                STR_ARG(format_spread_counted(s, n[CACHE_MISS], "miss", "misses")),
                                STR_ARG(format_spread_counted(s, n[CACHE_BYPASS], "bypass", "bypasses")),
                                a->counts.ranks > 1 ? " on a rank" : ""));
}

static void write_totals(struct text *t, const struct answers *a)
{
    const struct counts *n = &a->counts;
    struct arena *s = t->arena;

    write_found(t, a);
    if (a->timing.compile_wall_us > 0)
        text_paragraph(
            t, STR("Time      "), TEXT_DIM, 10, TEXT_PLAIN,
            arena_printf(s, "%.*s compiling (wall time)", STR_ARG(format_duration_us(s, a->timing.compile_wall_us))));
    if (n->cache[CACHE_HIT] + n->cache[CACHE_MISS] + n->cache[CACHE_BYPASS])
        write_caches(t, a);
    write_ranks(t, a);
    write_gpu(t, a);
}

static void write_health(struct text *t, const struct run *r)
{
    struct health h = run_health(r);

    text_paragraph(t, STR("Health    "), TEXT_DIM, 10, h.errors || h.unread ? TEXT_RED : TEXT_PLAIN,
                   arena_printf(t->arena, "%.*s%s", STR_ARG(format_health(t->arena, h)),
                                h.errors || h.warnings || h.unread ? ", listed in the report" : ""));
}

/* Text to paste is not wrapped. */
static void write_paste(struct text *t, struct str paste)
{
    struct str line;

    while (str_next_line(&paste, &line)) {
        text_str(t, TEXT_PLAIN, STR("             "));
        text_str(t, TEXT_GREEN, line);
        text_newline(t);
    }
}

/* --- what `pt2trace run` did -------------------------------------------------------------------------------------- */

enum { TRIALS_SHOWN = 40, CHANGES_SHOWN = 6 };

static void write_label(struct text *t, const char *label, enum text_style style, struct str what)
{
    if (what.n)
        text_paragraph(t, arena_printf(t->arena, "%-10s", label), TEXT_DIM, 10, style, what);
}

static struct str trial_line(struct text *t, const struct trial *x)
{
    struct arena *a = t->arena;
    struct str s =
        arena_printf(a, "%.*s after %.*s", STR_ARG(format_trial_end(a, x)), STR_ARG(format_duration_us(a, x->wall_us)));

    if (x->traced)
        s = arena_printf(a, "%.*s; %.*s, %.*s, %.*s", STR_ARG(s),
                         STR_ARG(format_counted(a, (uint64_t)x->compiles, "compile", "compiles")),
                         STR_ARG(format_counted(a, (uint64_t)x->graph_breaks, "graph break", "graph breaks")),
                         STR_ARG(format_counted(a, (uint64_t)x->recompiles, "recompile", "recompiles")));
    if (x->not_applied.n)
        s = arena_printf(a, "%.*s; not as requested: %.*s", STR_ARG(s), STR_ARG(x->not_applied));
    if (x->failed && x->stage.n)
        s = arena_printf(a, "%.*s; fails at %.*s", STR_ARG(s), STR_ARG(x->stage));
    if (x->gpu_us >= 0)
        s = arena_printf(a, "%.*s; GPU busy %.*s", STR_ARG(s), STR_ARG(format_duration_us(a, x->gpu_us)));
    if (x->calls_us >= 0)
        s = arena_printf(a, "%.*s; calls of compiled code %.*s", STR_ARG(s),
                         STR_ARG(format_duration_us(a, x->calls_us)));
    vec_each(const struct trial_check, c, &x->checks) s =
        arena_printf(a, "%.*s; %s %.*s", STR_ARG(s),
                     c->outcome == CHECK_SAME        ? "same"
                     : c->outcome == CHECK_DIFFERENT ? "differs:"
                                                     : "not compared:",
                     STR_ARG(c->outcome == CHECK_SAME ? c->what : c->detail));
    return s;
}

static void write_changes(struct text *t, const struct trial *x)
{
    for (size_t i = 0; i < x->changes.n && i < CHANGES_SHOWN; i++)
        text_paragraph(t, STR("    "), TEXT_PLAIN, 6, TEXT_DIM,
                       arena_printf(t->arena, "%s %.*s: %.*s", x->changes.v[i].gone ? "gone" : "new",
                                    STR_ARG(x->changes.v[i].kind), STR_ARG(x->changes.v[i].text)));
    if (x->changes.n > CHANGES_SHOWN)
        text_paragraph(t, STR("    "), TEXT_PLAIN, 6, TEXT_DIM,
                       arena_printf(t->arena, "and %zu more changes, in the report", x->changes.n - CHANGES_SHOWN));
}

static void write_trials(struct text *t, const struct experiment *x)
{
    if (x->trials.n < 2)
        return;
    title(t, STR("Trials"));
    for (size_t i = 0; i < x->trials.n && i < TRIALS_SHOWN; i++) {
        const struct trial *trial = &x->trials.v[i];
        bool bad = trial_is_bad(trial), asked = trial->not_applied.n == 0;
        struct str how = trial->how.n ? arena_printf(t->arena, " (%.*s)", STR_ARG(trial->how)) : STR("");

        text_paragraph(t,
                       arena_printf(t->arena, "  %-5s ",
                                    !asked ? "void"
                                    : bad  ? "bad"
                                           : "good"),
                       !asked ? TEXT_YELLOW
                       : bad  ? TEXT_RED
                              : TEXT_GREEN,
                       8, TEXT_PLAIN,
                       arena_printf(t->arena, "%.*s%.*s: %.*s", STR_ARG(trial->name), STR_ARG(how),
                                    STR_ARG(trial_line(t, trial))));
        write_changes(t, trial);
    }
}

/* A command is for pasting, so it is not wrapped. */
static void write_conclusions(struct text *t, const struct experiment *x)
{
    for (size_t i = 0; i < x->conclusions.n; i++) {
        struct str s = x->conclusions.v[i];

        if (str_consume(&s, STR(EXPERIMENT_COMMAND)))
            write_paste(t, s);
        else
            write_label(t, i ? "" : "Verdict", TEXT_BOLD, s);
    }
}

static void write_experiment(struct text *t, const struct experiment *x)
{
    const struct question *q = question_find(x->question);

    if (x->trials.n == 1)
        write_label(t, "Run", x->trials.v[0].failed ? TEXT_RED : TEXT_PLAIN, trial_line(t, &x->trials.v[0]));
    for (size_t i = 0; i < x->notes.n; i++)
        write_label(t, "Note", TEXT_YELLOW, x->notes.v[i]);
    if (q)
        write_label(t, "Asked", TEXT_PLAIN, str_of(q->asks));
    write_conclusions(t, x);
    write_paste(t, x->patch);
    if (x->workload_file.n && t->terminal)
        write_label(t, "Again", TEXT_PLAIN, arena_printf(t->arena, "pt2trace run -c %.*s", STR_ARG(x->workload_file)));
    write_trials(t, x);
}

/* --- findings ----------------------------------------------------------------------------------------------------- */

static enum text_style style_of(enum finding_severity s)
{
    static const enum text_style styles[FINDING_SEVERITIES] = {TEXT_RED, TEXT_RED, TEXT_YELLOW, TEXT_BLUE, TEXT_GREEN};

    return styles[s];
}

static struct str cost_of(struct text *t, const struct finding *x)
{
    struct arena *a = t->arena;
    struct str out = {"", 0};

    if (x->cost_us > 0)
        out = arena_printf(a, "cost %.*s", STR_ARG(format_cost_time(a, x)));
    if (x->cost_compiles)
        out = arena_printf(a, "%.*s%s%.*s", STR_ARG(out), out.n ? ", " : "",
                           STR_ARG(format_counted(a, x->cost_compiles, "compile", "compiles")));
    return out;
}

/* The trace may come from another machine. */
static bool is_here(struct arena *a, struct str file)
{
    return str_starts(file, STR("/")) && access(arena_printf(a, "%.*s", STR_ARG(file)).p, R_OK) == 0;
}

enum { PLACES_MAX = 3 };

static void write_source(struct text *t, struct str source)
{
    if (source.n)
        text_paragraph(t, STR("           > "), TEXT_DIM, 13, TEXT_PLAIN, str_trim(source));
}

/* A title that counts few places has them all below it; the page has those of one that counts more. */
static void write_other_places(struct text *t, const struct finding *x)
{
    if (x->spots.n > PLACES_MAX)
        return;
    vec_each(const struct finding_spot, spot, &x->spots)
    {
        if (spot->file.n == 0 || (spot->line == x->line && str_eq(spot->file, x->file)))
            continue;
        text_paragraph(t, STR("           "), TEXT_PLAIN, 11, TEXT_DIM, format_place(t->arena, spot->file, spot->line));
        write_source(t, spot->source);
    }
}

static void write_finding(struct text *t, const struct finding *x, const struct run *r)
{
    struct arena *a = t->arena;
    struct str place = format_place_in(a, x->file, x->line, x->function), cost = cost_of(t, x);
    struct str head = arena_printf(a, "  %-9s", finding_severity_name(x->severity)), facts;
    struct str fix = x->fix, trial = advice_take_trial(&fix);

    text_paragraph(t, head, style_of(x->severity), 11, TEXT_BOLD, x->title);
    /* Of a single process a rank other than 0 says that there were more. */
    if (x->ranks.n && (r->processes.n > 1 || x->ranks.v[0] > 0))
        place = arena_printf(a, "%.*s%s%.*s", STR_ARG(place), place.n ? ", " : "",
                             STR_ARG(rank_list_words(a, x->ranks.v, x->ranks.n)));
    facts = arena_printf(a, "%.*s%s%.*s", STR_ARG(place), place.n && cost.n ? " - " : "", STR_ARG(cost));
    if (t->links && place.n && 11 + utf8_columns(facts) <= t->width && is_here(a, x->file)) {
        text_str(t, TEXT_PLAIN, STR("           "));
        text_file(t, TEXT_DIM, facts, x->file);
        text_newline(t);
    } else if (facts.n) {
        text_paragraph(t, STR("           "), TEXT_PLAIN, 11, TEXT_DIM, facts);
    }
    write_source(t, x->source);
    write_other_places(t, x);
    if (fix.n)
        text_paragraph(t, STR("           "), TEXT_PLAIN, 11, TEXT_PLAIN, fix);
    if (x->paste.text.n)
        text_paragraph(t, STR("           "), TEXT_PLAIN, 11, TEXT_DIM, format_paste_place(a, &x->paste));
    write_paste(t, x->paste.text);
    if (trial.n)
        text_paragraph(t, STR("           "), TEXT_PLAIN, 11, TEXT_PLAIN, trial);
    if (x->tried)
        text_paragraph(t, STR("           "), TEXT_PLAIN, 11, TEXT_PLAIN,
                       arena_printf(a, "%.*s: %.*s.", STR_ARG(format_tried(x->tried)), STR_ARG(x->tried->measured)));
}

static void write_consequence(struct text *t, const struct finding *x)
{
    text_paragraph(t, STR("           Leads to: "), TEXT_DIM, 13, TEXT_DIM, x->title);
}

static const struct finding *cause_of(const struct finding *x)
{
    while (x->follows_from)
        x = x->follows_from;
    return x;
}

/*
 * From a given number on, findings that answer the run's question, or all others: `max` causes with their
 * consequences.
 */
static size_t write_some_findings(struct text *t, const struct answers *a, const struct question *q, bool answers,
                                  size_t from, size_t max)
{
    size_t shown = 0;

    for (size_t i = from; i < a->findings->list.n && shown <= max; i++) {
        const struct finding *x = a->findings->list.v[i];

        if ((q && question_is_answered_by(q, cause_of(x)->info->id)) != answers)
            continue;
        if (x->follows_from) {
            write_consequence(t, x);
            continue;
        }
        if (shown++ == max)
            break;
        write_finding(t, x, a->run);
    }
    return shown < max ? shown : max;
}

static size_t causes_in(const struct findings *f)
{
    size_t n = 0;

    for (size_t i = 0; i < f->list.n; i++)
        n += f->list.v[i]->follows_from == NULL;
    return n;
}

/* Without findings that were shown before. */
static void write_findings(struct text *t, const struct answers *a, size_t before)
{
    const struct experiment *x = a->run->experiment;
    const struct question *q = x ? question_find(x->question) : NULL;
    size_t shown;

    if (a->findings->list.n > before)
        title(t, STR("Findings"));
    shown = write_some_findings(t, a, q, true, before, FINDINGS_SHOWN);
    if (q && shown == 0)
        text_paragraph(t, STR("  "), TEXT_PLAIN, 2, TEXT_PLAIN, str_of(q->nothing));
    shown += before + write_some_findings(t, a, q, false, before, FINDINGS_SHOWN - shown);
    if (causes_in(a->findings) > shown)
        text_paragraph(t, STR("  "), TEXT_PLAIN, 2, TEXT_DIM,
                       arena_printf(t->arena, "and %.*s in the report",
                                    STR_ARG(format_counted(t->arena, causes_in(a->findings) - shown, "more", "more"))));
}

void summary_write_findings(struct text *t, const struct answers *a)
{
    if (a->findings->list.n == 0)
        text_paragraph(t, STR(""), TEXT_PLAIN, 0, TEXT_PLAIN, STR("Nothing was found."));
    for (size_t i = 0; i < a->findings->list.n; i++) {
        const struct finding *f = a->findings->list.v[i];
        struct str place = format_place(t->arena, f->file, f->line), cost = cost_of(t, f);
        struct str words = arena_printf(t->arena, "%.*s%s%.*s%s%.*s", STR_ARG(f->id), place.n ? "  " : "",
                                        STR_ARG(place), cost.n ? " - " : "", STR_ARG(cost));

        if (f->follows_from)
            words = arena_printf(t->arena, "%.*s - follows from %.*s", STR_ARG(words), STR_ARG(f->follows_from->id));
        text_paragraph(t, arena_printf(t->arena, "%-9s", finding_severity_name(f->severity)), style_of(f->severity), 9,
                       TEXT_DIM, words);
        text_paragraph(t, STR("         "), TEXT_PLAIN, 9, TEXT_BOLD, f->title);
    }
}

/* --- where the time went ------------------------------------------------------------------------------------------ */

static void write_phases(struct text *t, const struct answers *a)
{
    const struct timing *timing = &a->timing;
    enum phase ranked[PHASE_COUNT];
    size_t n = timing_rank_phases(timing, ranked);
    int64_t sum = timing_phases_ns(timing);

    if (n == 0)
        return;
    title(t, a->counts.processes > 1 ? arena_printf(t->arena, "Where the time went (%.*s processes added up)",
                                                    STR_ARG(format_count(t->arena, a->counts.processes)))
                                     : STR("Where the time went"));
    for (size_t i = 0; i < n && i < PHASES_SHOWN; i++) {
        int64_t self = timing->phase_self_ns[ranked[i]];

        text_paragraph(t,
                       arena_printf(t->arena, "  %12.*s%6.*s  ", STR_ARG(format_duration_ns(t->arena, self)),
                                    STR_ARG(format_share(t->arena, self, sum))),
                       TEXT_PLAIN, 22, TEXT_PLAIN, str_of(phase_title(ranked[i])));
    }
}

/* --- compiles ----------------------------------------------------------------------------------------------------- */

/* A warning mentions the compile, and nothing else is known of it. */
static bool is_only_a_number(const struct longest_compile *x)
{
    const struct compile *c = x->compile;

    return c->process->only_warned && x->us < 0 && c->status == STATUS_OK && c->frame && c->frame->name.n == 0;
}

static void write_compiles(struct text *t, const struct answers *a)
{
    struct longest_compile longest[COMPILES_SHOWN];
    size_t listed = longest_compiles(a->run, longest, COMPILES_SHOWN), n = 0;
    const struct compile *top[COMPILES_SHOWN];

    for (size_t i = 0; i < listed; i++)
        if (!is_only_a_number(&longest[i]))
            top[n++] = longest[i].compile;
    if (n == 0)
        return;
    title(t, a->counts.ranks > 1      ? STR("Slowest compiles, each on the rank that took longest")
             : a->counts.compiles > n ? STR("Slowest compiles")
                                      : STR("Compiles"));
    compile_table_write(t, COMPILES_BY_TIME, top, n);
}

/* --- one answer --------------------------------------------------------------------------------------------------- */

enum { ANSWER_LINES = 10, TITLE_SHORT = 140, SHORTER = 4 };

static size_t lines_in(struct str s)
{
    size_t n = 0;

    for (size_t i = 0; i < s.n; i++)
        n += s.p[i] == '\n';
    return n;
}

/* What failed, where, and what to do: for a text with a single failure, nothing else is needed. */
static bool is_one_error(const struct answers *a)
{
    static const char *const ids[] = {"error", "data-dependent", "missing-fake-kernel"};

    if (a->run->experiment || a->counts.traced || a->counts.errors != 1 || a->findings->list.n == 0)
        return false;
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        if (strcmp(a->findings->list.v[0]->info->id, ids[i]) == 0)
            return true;
    return false;
}

/* Leaves out the least important parts: what was tried, further steps, the line of code, the end of the title. */
static void shorten(struct arena *a, struct finding *x, int time)
{
    struct str title = utf8_cut(x->title, TITLE_SHORT);

    if (time == 0)
        advice_take_trial(&x->fix);
    else if (time == 1)
        x->fix = str_split(&x->fix, '\n');
    else if (time == 2)
        x->source = (struct str){0};
    else if (title.n < x->title.n)
        x->title = arena_printf(a, "%.*s ...", STR_ARG(str_trim(title)));
}

/* The text to paste is not cut: half of it would be wrong. */
static void write_answer(struct text *t, const struct answers *a)
{
    struct finding first = *a->findings->list.v[0];
    size_t begin = t->buf.n;

    write_finding(t, &first, a->run);
    for (int time = 0; time < SHORTER && lines_in(str_skip(buf_view(&t->buf), begin)) > ANSWER_LINES; time++) {
        t->buf.n = begin;
        shorten(t->arena, &first, time);
        write_finding(t, &first, a->run);
    }
    text_newline(t);
}

void summary_write(struct text *t, const struct answers *a)
{
    size_t answered = is_one_error(a);

    if (answered)
        write_answer(t, a);
    write_inputs(t, a->run);
    if (a->run->experiment)
        write_experiment(t, a->run->experiment);
    write_totals(t, a);
    write_health(t, a->run);
    write_findings(t, a, answered);
    write_phases(t, a);
    write_compiles(t, a);
}
