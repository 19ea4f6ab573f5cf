#include "analysis/findings/findings.h"

#include "analysis/find/advice_fit.h"
#include "analysis/find/caller.h"
#include "analysis/find/detectors.h"
#include "model/code_file.h"
#include "util/number.h"
#include "util/utf8.h"

#include <stdlib.h>

/* Rows of a family are adjacent: the first one represents all. */
static size_t family_of(const struct finding_info *info)
{
    size_t i = finding_row(info->id);

    while (i > 0 && finding_info_at(i - 1)->find == info->find)
        i--;
    return i;
}

static size_t table_rows(void)
{
    size_t n = 0;

    while (finding_info_at(n))
        n++;
    return n;
}

/* Calls each function once. */
static void detect(struct finder *f)
{
    const struct finding_info *info;

    for (size_t i = 0; (info = finding_info_at(i)) != NULL; i++)
        if (i == 0 || finding_info_at(i - 1)->find != info->find)
            info->find(f);
    find_consequences(f);
    finding_add_all_hidden(f);
}

/* "break-print", then "break-print-2", …: stable while the trace is the same. */
static void name_findings(struct finder *f)
{
    for (size_t i = 0; i < f->out->list.n; i++) {
        struct finding *x = f->out->list.v[i];
        size_t number = ++f->tallies[finding_row(x->info->id)].named;

        x->id = number == 1 ? str_of(x->info->id) : arena_printf(f->arena, "%s-%zu", x->info->id, number);
    }
}

/* --- what was tried ----------------------------------------------------------------------------------------------- */

static bool is_of(const struct fix *fix, const struct finding *x)
{
    return fix->outcome != FIX_NOT_TRIED && str_eq(fix->finding, x->id) && str_eq(fix->text, x->paste.text);
}

static void note_tried(struct finder *f)
{
    const struct experiment *e = f->run->experiment;

    for (size_t i = 0; e && i < f->out->list.n; i++)
        vec_each(const struct fix, fix, &e->fixes) if (is_of(fix, f->out->list.v[i])) f->out->list.v[i]->tried = fix;
}

static bool is_refuted(const struct finding *x)
{
    return x->tried && fix_is_refuted(x->tried);
}

/* --- the order ---------------------------------------------------------------------------------------------------- */

/* The position of a finding: directly after its cause; consequences of one cause are ordered by severity and cost. */
struct order {
    struct finding *finding;
    const struct order *cause; /* NULL if it has no cause */
    size_t depth;              /* number of causes above it */
    size_t family, found;      /* found: position before sorting, to make the sort stable */
};

/* The cost of a failure is not measured in time: it comes before everything that is. */
static int by_cost(const struct order *a, const struct order *b)
{
    const struct finding *x = a->finding, *y = b->finding;
    int c = number_compare(x->severity, y->severity);

    if (!c)
        c = number_compare(is_refuted(x), is_refuted(y));
    if (!c)
        c = number_compare(y->info->is_failure, x->info->is_failure);
    if (!c && !x->info->is_failure)
        c = number_compare(y->cost_us, x->cost_us);
    if (!c)
        c = number_compare((int64_t)a->family, (int64_t)b->family);
    return c ? c : number_compare((int64_t)a->found, (int64_t)b->found);
}

static const struct order *cause_at(const struct order *x, size_t depth)
{
    while (x->depth > depth)
        x = x->cause;
    return x;
}

/* Two consequences of one cause, at any depth, are ordered like the direct consequences of it that they belong to. */
static int by_cause(const void *pa, const void *pb)
{
    const struct order *a = *(const struct order *const *)pa, *b = *(const struct order *const *)pb;
    size_t depth = a->depth < b->depth ? a->depth : b->depth;
    const struct order *x = cause_at(a, depth), *y = cause_at(b, depth);

    if (x == y)
        return number_compare((int64_t)a->depth, (int64_t)b->depth);
    while (x->cause != y->cause) {
        x = x->cause;
        y = y->cause;
    }
    return by_cost(x, y);
}

/* A cause is at least as severe as its consequences. */
static void pass_severity_on(struct finder *f)
{
    for (size_t i = 0; i < f->out->list.n; i++)
        for (struct finding *x = f->out->list.v[i]; x->follows_from; x = x->follows_from)
            if (x->severity < x->follows_from->severity)
                x->follows_from->severity = x->severity;
}

static void sort_findings(struct finder *f)
{
    size_t n = f->out->list.n;
    struct order *order = ARENA_ARRAY(f->arena, struct order, n ? n : 1);
    const struct order **sorted = ARENA_ARRAY(f->arena, const struct order *, n ? n : 1);
    struct map places;

    map_init(&places, f->arena);
    for (size_t i = 0; i < n; i++) {
        order[i] =
            (struct order){.finding = f->out->list.v[i], .family = family_of(f->out->list.v[i]->info), .found = i};
        *map_at_copy(&places, MAP_KEY(f->out->list.v[i])) = &order[i];
        sorted[i] = &order[i];
    }
    for (size_t i = 0; i < n; i++) { /* no cause that is over the limit of its row */
        const struct finding *cause = order[i].finding->follows_from;

        order[i].cause = cause ? map_get(&places, MAP_KEY(cause)) : NULL;
    }
    for (size_t i = 0; i < n; i++)
        for (const struct order *x = order[i].cause; x; x = x->cause)
            order[i].depth++;
    qsort(sorted, n, sizeof *sorted, by_cause);
    for (size_t i = 0; i < n; i++)
        f->out->list.v[i] = sorted[i]->finding;
}

/* --- the place ---------------------------------------------------------------------------------------------------- */

static const struct call *own_caller(const struct finding *x)
{
    const struct call *c = NULL;

    for (size_t i = 0; i < x->compiles.n && !c; i++) {
        c = caller_of(x->compiles.v[i]);
        if (c && is_framework_file(c->file))
            c = NULL;
    }
    return c;
}

/*
 * Users do not edit PyTorch's files, and a module that is compiled as a whole is called from one of them. So the place
 * of a finding is the program's line that leads there, or unknown.
 */
static void move_out_of_pytorch(struct finding *x)
{
    if (!is_framework_file(x->file) || (x->file.n == 0 && x->source.n && !own_caller(x)))
        return; /* the last of a text that lost the file's name */
    x->file = x->source = (struct str){0};
    x->line = 0;
    finding_place(x, own_caller(x));
}

enum { TITLE_MAX = 400, TEXT_MAX = 4000 };

static struct str bounded(struct finder *f, struct str s, size_t max)
{
    struct str cut = utf8_cut(s, max);

    return cut.n < s.n ? arena_printf(f->arena, "%.*s \xe2\x80\xa6", STR_ARG(cut)) : s;
}

/* PyTorch's messages end inconsistently; a title has no full stop. */
static struct str without_stop(struct str title)
{
    return str_ends(title, STR(".")) && !str_ends(title, STR("..")) ? str_drop(title, 1) : title;
}

/* Limits texts to what people can read: a forged trace may put megabytes into them. */
static void finish_texts(struct finder *f)
{
    for (size_t i = 0; i < f->out->list.n; i++) {
        struct finding *x = f->out->list.v[i];

        finding_check_version(f, x);
        move_out_of_pytorch(x);
        x->title = bounded(f, without_stop(x->title), TITLE_MAX);
        x->detail = bounded(f, x->detail, TEXT_MAX);
        x->fix = bounded(f, x->fix, TEXT_MAX);
        x->paste.text = bounded(f, x->paste.text, TEXT_MAX);
    }
}

/* The title of a note may be the same sentence. */
static bool quotes(struct str title, struct str sentence)
{
    sentence = str_drop_any(sentence, ".: ");
    return sentence.n && str_has(title, sentence);
}

/* What a person who pastes a text has tried; each error has it already. */
static void say_trial(struct finder *f)
{
    struct finding *first = f->out->list.n ? f->out->list.v[0] : NULL;
    const struct stated *to;

    if (!first || f->run->inputs.n != 1 || first->severity == FINDING_INFO)
        return;
    to = &f->run->inputs.v[0]->stated;
    if (!quotes(first->title, to->trial))
        first->fix = advice_with_trial(f->arena, to, first->fix);
    first->fix = advice_with_worked(f->arena, to, first->fix);
}

void findings_find(struct arena *a, const struct run *r, const struct answers *answers, struct findings *out)
{
    struct finder f = {.arena = a, .run = r, .answers = answers, .out = out};

    f.tallies = ARENA_ARRAY(a, struct tally, table_rows());
    f.payloads.budget = READ_FINDINGS;
    f.guard_trees.budget = READ_GUARDS;
    map_init(&f.costs, a);
    map_init(&f.setups, a);
    map_init(&f.inference, a);
    map_init(&f.nths, a);
    map_init(&f.broken, a);
    detect(&f);
    buf_free(&f.payloads.text);
    buf_free(&f.guard_trees.text);
    finish_texts(&f);
    name_findings(&f);
    note_tried(&f);
    pass_severity_on(&f);
    /*
     * Costs depend on the order, and the order on costs: a part claimed by a worse finding can only move a finding
     * down.
     */
    sort_findings(&f);
    finding_settle_costs(&f);
    sort_findings(&f);
    say_trial(&f);
}
