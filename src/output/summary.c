#include "output/summary.h"

#include "analysis/findings.h"
#include "util/utf8.h"
#include "view/format.h"
#include "view/page.h"

enum { FINDINGS_SHOWN = 8, COMPILES_SHOWN = 8, PHASES_SHOWN = 4 };

static void title(struct text *t, const char *name)
{
    text_newline(t);
    text_str(t, TEXT_BOLD, str_of(name));
    text_newline(t);
}

/* --- what was read ------------------------------------------------------------------------------------------------ */

static void write_inputs(struct text *t, const struct run *r)
{
    struct str inputs = format_inputs(t->arena, r), understood = format_understood(t->arena, r);
    struct versions v = run_versions(r);
    uint64_t skipped = 0;

    for (size_t i = 0; i < r->inputs.n; i++)
        skipped += !r->inputs.v[i]->used;
    if (skipped)
        inputs = arena_printf(t->arena, "%.*s; skipped %.*s", STR_ARG(inputs),
                              STR_ARG(format_counted(t->arena, skipped, "other file", "other files")));
    text_paragraph(t, STR("Read      "), TEXT_DIM, 10, TEXT_PLAIN, inputs);
    if (understood.n)
        text_paragraph(t, STR("Text      "), TEXT_DIM, 10, TEXT_PLAIN, understood);
    if (v.pytorch.n || v.python.n)
        text_paragraph(t, STR("Versions  "), TEXT_DIM, 10, TEXT_PLAIN,
                       arena_printf(t->arena, "PyTorch %.*s%s%.*s%s%.*s",
                                    STR_ARG(v.pytorch.n ? v.pytorch : STR("unknown")), v.python.n ? ", Python " : "",
                                    STR_ARG(str_take(v.python, 6)), v.cuda.n ? ", CUDA " : "", STR_ARG(v.cuda)));
}

static void write_totals(struct text *t, const struct answers *a)
{
    const struct counts *n = &a->counts;
    struct arena *s = t->arena;
    struct str what = arena_printf(s, "%.*s of %.*s, %.*s, %.*s, %.*s",
                                   STR_ARG(format_counted(s, n->compiles, "compile", "compiles")),
                                   STR_ARG(format_counted(s, n->frames, "frame", "frames")),
                                   STR_ARG(format_counted(s, n->graph_breaks, "graph break", "graph breaks")),
                                   STR_ARG(format_counted(s, n->recompiles, "recompile", "recompiles")),
                                   STR_ARG(format_counted(s, n->errors, "error", "errors")));

    if (n->processes > 1)
        what = arena_printf(s, "%.*s in %.*s%s", STR_ARG(what),
                            STR_ARG(format_counted(s, n->processes, "process", "processes")),
                            n->ranks > 1 ? arena_printf(s, ", %llu ranks", (unsigned long long)n->ranks).p : "");
    if (a->run->groups > 1)
        what = arena_printf(s, "%.*s; %u runs, one after the other (--latest shows the newest alone)", STR_ARG(what),
                            a->run->groups);
    text_paragraph(t, STR("Found     "), TEXT_DIM, 10, TEXT_BOLD, what);
    if (a->timing.compile_wall_us > 0)
        text_paragraph(
            t, STR("Time      "), TEXT_DIM, 10, TEXT_PLAIN,
            arena_printf(s, "%.*s compiling (wall time)", STR_ARG(format_duration_us(s, a->timing.compile_wall_us))));
    if (n->cache[CACHE_HIT] + n->cache[CACHE_MISS] + n->cache[CACHE_BYPASS])
        text_paragraph(t, STR("Caches    "), TEXT_DIM, 10, TEXT_PLAIN,
                       arena_printf(s, "%llu hits, %llu misses, %llu bypassed", (unsigned long long)n->cache[CACHE_HIT],
                                    (unsigned long long)n->cache[CACHE_MISS],
                                    (unsigned long long)n->cache[CACHE_BYPASS]));
}

static void write_health(struct text *t, const struct run *r)
{
    struct health h = run_health(r);
    bool unchecked = false;

    for (size_t i = 0; i < r->inputs.n; i++)
        unchecked |= r->inputs.v[i]->used && !r->inputs.v[i]->digests_checked;
    text_paragraph(
        t, STR("Health    "), TEXT_DIM, 10, h.errors ? TEXT_RED : TEXT_PLAIN,
        arena_printf(t->arena, "%s%s",
                     h.errors || h.warnings
                         ? arena_printf(t->arena, "%.*s, %.*s; pt2trace report lists them",
                                        STR_ARG(format_counted(t->arena, h.errors, "damaged place", "damaged places")),
                                        STR_ARG(format_counted(t->arena, h.warnings, "warning", "warnings")))
                               .p
                         : "the trace is sound",
                     unchecked ? " (payload digests not checked; --verify does)" : ""));
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
        out = arena_printf(a, "cost %.*s", STR_ARG(format_duration_us(a, x->cost_us)));
    if (x->cost_compiles)
        out = arena_printf(a, "%.*s%s%.*s", STR_ARG(out), out.n ? ", " : "",
                           STR_ARG(format_counted(a, x->cost_compiles, "compile", "compiles")));
    return out;
}

static void write_finding(struct text *t, const struct finding *x, const struct run *r)
{
    struct arena *a = t->arena;
    struct str place = format_place(a, x->file, x->line), cost = cost_of(t, x);
    struct str head = arena_printf(a, "  %-9s", finding_severity_name(x->severity));

    text_paragraph(t, head, style_of(x->severity), 11, TEXT_BOLD, x->title);
    if (r->processes.n > 1 && x->ranks.n)
        place = arena_printf(a, "%.*s%s%.*s", STR_ARG(place), place.n ? ", " : "",
                             STR_ARG(format_ranks(a, x->ranks.v, x->ranks.n)));
    if (place.n || cost.n)
        text_paragraph(t, STR("           "), TEXT_PLAIN, 11, TEXT_DIM,
                       arena_printf(a, "%.*s%s%.*s", STR_ARG(place), place.n && cost.n ? " - " : "", STR_ARG(cost)));
    if (x->source.n)
        text_paragraph(t, STR("           > "), TEXT_DIM, 13, TEXT_PLAIN, str_trim(x->source));
    if (x->fix.n)
        text_paragraph(t, STR("           "), TEXT_PLAIN, 11, TEXT_PLAIN, x->fix);
    if (x->paste.n)
        text_paragraph(t, STR("             "), TEXT_PLAIN, 13, TEXT_GREEN, x->paste);
}

static void write_findings(struct text *t, const struct answers *a)
{
    size_t shown = a->findings->list.n < FINDINGS_SHOWN ? a->findings->list.n : FINDINGS_SHOWN;

    if (shown)
        title(t, "Findings");
    for (size_t i = 0; i < shown; i++)
        write_finding(t, a->findings->list.v[i], a->run);
    if (a->findings->list.n > shown)
        text_paragraph(t, STR("  "), TEXT_PLAIN, 2, TEXT_DIM,
                       arena_printf(t->arena, "and %.*s in the report",
                                    STR_ARG(format_counted(t->arena, a->findings->list.n - shown, "more", "more"))));
}

/* --- where the time went ------------------------------------------------------------------------------------------ */

static void write_phases(struct text *t, const struct timing *timing)
{
    int64_t sum = 0;
    bool done[PHASE_COUNT] = {0};

    for (int i = 0; i < PHASE_COUNT; i++)
        sum += timing->phase_self_ns[i];
    if (sum <= 0)
        return;
    title(t, "Where the time went");
    for (int row = 0; row < PHASES_SHOWN; row++) {
        int top = -1;

        for (int i = 0; i < PHASE_COUNT; i++)
            if (!done[i] && timing->phase_self_ns[i] > 0 &&
                (top < 0 || timing->phase_self_ns[i] > timing->phase_self_ns[top]))
                top = i;
        if (top < 0)
            break;
        done[top] = true;
        text_str(t, TEXT_PLAIN, STR("  "));
        text_cell_right(t, TEXT_PLAIN, format_duration_ns(t->arena, timing->phase_self_ns[top]), 12);
        text_printf(t, TEXT_DIM, " %3lld %%  ", (long long)(timing->phase_self_ns[top] * 100 / sum));
        text_str(t, TEXT_PLAIN, str_of(phase_title((enum phase)top)));
        text_newline(t);
    }
}

/* --- compiles ----------------------------------------------------------------------------------------------------- */

static enum text_style status_style(enum compile_status s)
{
    static const enum text_style styles[STATUS_COUNT] = {TEXT_GREEN, TEXT_YELLOW, TEXT_RED, TEXT_DIM, TEXT_RED};

    return styles[s];
}

/* Columns of the widest name of a compile, within reason. */
static unsigned id_columns(struct text *t, const struct compile *const *list, size_t n)
{
    size_t most = 6;

    for (size_t i = 0; i < n; i++) {
        size_t columns = utf8_columns(format_compile(t->arena, list[i]));

        most = columns > most ? columns : most;
    }
    return most < 24 ? (unsigned)most : 24;
}

static void write_compile(struct text *t, const struct compile *c, unsigned id)
{
    unsigned left = t->width - 27 - id, name = left * 9 / 16;
    int64_t start, duration;
    struct str place = c->frame ? format_place(t->arena, c->frame->file, c->frame->line) : STR("");

    text_str(t, TEXT_PLAIN, STR("  "));
    text_cell_right(t, TEXT_PLAIN,
                    compile_interval(c, &start, &duration) ? format_duration_us(t->arena, duration) : STR("-"), 10);
    text_str(t, TEXT_PLAIN, STR("  "));
    text_cell(t, status_style(c->status), page_status_word(c), 11);
    text_str(t, TEXT_PLAIN, STR("  "));
    text_cell(t, TEXT_PLAIN, format_compile(t->arena, c), id);
    text_str(t, TEXT_PLAIN, STR("  "));
    text_cell(t, TEXT_PLAIN, format_frame(t->arena, c->frame), name);
    text_str(t, TEXT_PLAIN, STR(" "));
    text_cell(t, TEXT_DIM, place, left - name - 1);
    while (t->buf.n && t->buf.p[t->buf.n - 1] == ' ')
        t->buf.n--;
    text_newline(t);
}

static int64_t duration_of(const struct compile *c)
{
    int64_t start, duration;

    return compile_interval(c, &start, &duration) ? duration : -1;
}

/* The slowest compiles, longest first: a selection of a few, so a plain insertion is enough. */
static size_t slowest(const struct run *r, const struct compile *top[COMPILES_SHOWN])
{
    const struct compile *c;
    size_t n = 0;

    for (struct compile_walk w = {.run = r}; (c = compile_next(&w));) {
        size_t at = n < COMPILES_SHOWN ? n : COMPILES_SHOWN - 1;

        if (!c->frame || (n == COMPILES_SHOWN && duration_of(c) <= duration_of(top[at])))
            continue;
        for (; at > 0 && duration_of(top[at - 1]) < duration_of(c); at--)
            top[at] = top[at - 1];
        top[at] = c;
        n += n < COMPILES_SHOWN;
    }
    return n;
}

static void write_compiles(struct text *t, const struct answers *a)
{
    const struct compile *top[COMPILES_SHOWN];
    size_t n = slowest(a->run, top);
    unsigned columns = id_columns(t, top, n);

    if (n == 0)
        return;
    title(t, a->counts.compiles > n ? "Slowest compiles" : "Compiles");
    for (size_t i = 0; i < n; i++)
        write_compile(t, top[i], columns);
}

void summary_write(struct text *t, const struct answers *a)
{
    write_inputs(t, a->run);
    write_totals(t, a);
    write_health(t, a->run);
    write_findings(t, a);
    write_phases(t, &a->timing);
    write_compiles(t, a);
}
