#include "analysis/find.h"

#include "util/utf8.h"

#include <stdlib.h>

/* In the order in which equally severe findings are shown. find_nothing must be last: it looks at what was found. */
static const struct detector {
    const char *id;
    void (*find)(struct finder *f);
} detectors[] = {
    {"error", find_errors},
    {"recompile-limit", find_recompile_limit},
    {"incomplete", find_incomplete},
    {"graph-break", find_graph_breaks},
    {"recompile", find_recompiles},
    {"export", find_export_issues},
    {"suppressed-errors", find_suppressed_errors},
    {"specialization", find_specialization},
    {"cache-bypass", find_cache_bypass},
    {"slow-phase", find_slow_phase},
    {"trace-damaged", find_damage},
    {"no-compile-id", find_unattributed},
    {"resets", find_resets},
    {"clean", find_nothing},
};

const char *finding_severity_name(enum finding_severity s)
{
    static const char *const names[FINDING_SEVERITIES] = {"critical", "high", "medium", "low", "info"};

    return names[s];
}

/* A trace with a thousand different errors has a thousand findings of one kind: nobody reads that many. */
enum { PER_DETECTOR_MAX = 100 };

static struct finding *new_finding(struct finder *f, const char *detector, enum finding_severity severity)
{
    struct finding *x = ARENA_NEW(f->arena, struct finding);

    x->detector = detector;
    x->severity = severity;
    x->rank = RANK_UNKNOWN;
    x->cost_us = -1;
    return x;
}

struct finding *finding_add(struct finder *f, const char *detector, enum finding_severity severity)
{
    struct finding *x = new_finding(f, detector, severity);

    if (f->found++ < PER_DETECTOR_MAX) {
        vec_push(f->arena, &f->out->list, x);
        return x;
    }
    x->hidden = true;
    f->worst_hidden = f->found - 1 == PER_DETECTOR_MAX || severity < f->worst_hidden ? severity : f->worst_hidden;
    return x;
}

/* Runs one detector; what is over the limit becomes one more finding. */
static void detect(struct finder *f, const struct detector *d)
{
    struct finding *x;

    f->found = 0;
    d->find(f);
    if (f->found <= PER_DETECTOR_MAX)
        return;
    x = new_finding(f, d->id, f->worst_hidden);
    x->title = arena_printf(f->arena, "%zu more of the same kind", f->found - PER_DETECTOR_MAX);
    x->fix = STR("The sections of the report, and report.json, list them.");
    vec_push(f->arena, &f->out->list, x);
}

void finding_place(struct finding *x, const struct call *c)
{
    if (!c)
        return;
    x->file = c->file;
    x->line = c->line;
    x->source = c->source;
}

/* Keeps the list ascending. It is as long as there are ranks, and they mostly come in order. */
static void add_rank(struct finder *f, struct finding *x, int rank)
{
    size_t at = 0, end = x->ranks.n;

    if (rank == RANK_UNKNOWN)
        return;
    while (at < end) {
        size_t middle = at + (end - at) / 2;

        if (x->ranks.v[middle] < rank)
            at = middle + 1;
        else
            end = middle;
    }
    if (at < x->ranks.n && x->ranks.v[at] == rank)
        return;
    vec_push(f->arena, &x->ranks, rank);
    memmove(x->ranks.v + at + 1, x->ranks.v + at, (x->ranks.n - 1 - at) * sizeof *x->ranks.v);
    x->ranks.v[at] = rank;
    x->rank = x->ranks.n == 1 ? rank : RANK_UNKNOWN;
}

void finding_evidence(struct finder *f, struct finding *x, const struct compile *c)
{
    if (x->hidden)
        return;
    add_rank(f, x, c->process->rank);
    if (x->compiles.n < EVIDENCE_MAX && (x->compiles.n == 0 || x->compiles.v[x->compiles.n - 1] != c))
        vec_push(f->arena, &x->compiles, c);
}

struct str finding_compile_name(struct finder *f, const struct compile *c)
{
    struct str id = compile_id_print(f->arena, c->id);

    if (f->answers->counts.ranks > 1 && c->process->rank >= 0)
        return arena_printf(f->arena, "[%.*s] on rank %d", STR_ARG(id), c->process->rank);
    return arena_printf(f->arena, "[%.*s]", STR_ARG(id));
}

/* "graph-break", then "graph-break-2", …: stable while the trace is the same. Those of one detector stand together. */
static void name_findings(struct finder *f)
{
    const char *detector = "";
    unsigned number = 0;

    for (size_t i = 0; i < f->out->list.n; i++) {
        struct finding *x = f->out->list.v[i];

        number = strcmp(x->detector, detector) == 0 ? number + 1 : 1;
        detector = x->detector;
        x->id = number == 1 ? str_of(x->detector) : arena_printf(f->arena, "%s-%u", x->detector, number);
    }
}

struct order {
    struct finding *finding;
    size_t found; /* position before sorting: keeps the sort stable */
};

static int by_severity(const void *pa, const void *pb)
{
    const struct order *a = pa, *b = pb;

    if (a->finding->severity != b->finding->severity)
        return a->finding->severity < b->finding->severity ? -1 : 1;
    return a->found < b->found ? -1 : 1;
}

static void sort_findings(struct finder *f)
{
    size_t n = f->out->list.n;
    struct order *order = ARENA_ARRAY(f->arena, struct order, n ? n : 1);

    for (size_t i = 0; i < n; i++)
        order[i] = (struct order){f->out->list.v[i], i};
    qsort(order, n, sizeof *order, by_severity);
    for (size_t i = 0; i < n; i++)
        f->out->list.v[i] = order[i].finding;
}

enum { TITLE_MAX = 400, TEXT_MAX = 4000 };

static struct str bounded(struct finder *f, struct str s, size_t max)
{
    struct str cut = utf8_cut(s, max);

    return cut.n < s.n ? arena_printf(f->arena, "%.*s \xe2\x80\xa6", STR_ARG(cut)) : s;
}

/* A finding is read by people: what a forged trace puts into it is not megabytes. */
static void bound_texts(struct finder *f)
{
    for (size_t i = 0; i < f->out->list.n; i++) {
        struct finding *x = f->out->list.v[i];

        x->title = bounded(f, x->title, TITLE_MAX);
        x->detail = bounded(f, x->detail, TEXT_MAX);
        x->fix = bounded(f, x->fix, TEXT_MAX);
        x->paste = bounded(f, x->paste, TEXT_MAX);
    }
}

void findings_find(struct arena *a, const struct run *r, const struct answers *answers, struct findings *out)
{
    struct finder f = {.arena = a, .run = r, .answers = answers, .out = out};

    for (size_t i = 0; i < sizeof detectors / sizeof *detectors; i++)
        detect(&f, &detectors[i]);
    bound_texts(&f);
    name_findings(&f);
    sort_findings(&f);
}
