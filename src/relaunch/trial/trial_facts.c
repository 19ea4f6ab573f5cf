#include "relaunch/trial/trial_facts.h"

#include "analysis/analyze.h"
#include "analysis/answers/answers.h"
#include "analysis/errors/error_words.h"
#include "load/load.h"
#include "util/number.h"
#include "view/format.h"

#include <stdlib.h>

enum { FACTS_MAX = 10000, CHANGES_MAX = 200 };

struct facts_reading {
    struct arena *arena;
    const struct answers *answers;
    struct trial_facts *out;
};

static void add(struct facts_reading *r, const char *kind, struct str text)
{
    if (r->out->list.n < FACTS_MAX)
        vec_push(r->arena, &r->out->list, ((struct trial_change){.kind = str_of(kind), .text = text}));
}

static void add_breaks(struct facts_reading *r)
{
    const struct break_groups *breaks = &r->answers->breaks;

    for (size_t i = 0; i < breaks->places.n; i++) {
        const struct graph_break *b = breaks->places.v[i]->first->sample;

        add(r, "graph break",
            arena_printf(r->arena, "%.*s at %.*s", STR_ARG(b->type.n ? b->type : b->reason),
                         STR_ARG(format_place(r->arena, b->file, b->line))));
    }
}

static void add_chain(struct facts_reading *r, const struct recompile_chain *c)
{
    struct str frame = format_frame(r->arena, c->frame);

    for (size_t i = 0; i < c->list.n; i++) {
        const struct recompile *x = c->list.v[i];

        add(r, "recompile",
            arena_printf(r->arena, "`%.*s`: %.*s", STR_ARG(frame),
                         STR_ARG(x->reasons.n ? x->reasons.v[0].words : STR("for no reason given"))));
    }
    if (c->limit)
        add(r, "recompile limit", arena_printf(r->arena, "`%.*s`", STR_ARG(frame)));
}

static struct str error_text(struct arena *a, const struct error *e)
{
    struct str headline = error_headline(a, e->failure), type = e->failure->type;

    if (type.n == 0 || str_starts(headline, type))
        return arena_str(a, headline);
    return arena_printf(a, "%.*s: %.*s", STR_ARG(type), STR_ARG(headline));
}

static void add_errors(struct facts_reading *r)
{
    vec_each(const struct error, e, &r->answers->errors.list) if (!e->silent) add(
        r, "error", arena_printf(r->arena, "%.*s, %s", STR_ARG(error_text(r->arena, e)), error_stage_title(e->stage)));
}

static void add_findings(struct facts_reading *r)
{
    struct arena *a = r->arena;

    for (size_t i = 0; i < r->answers->findings->list.n; i++) {
        const struct finding *x = r->answers->findings->list.v[i];
        struct trial_finding *f = vec_add(a, &r->out->findings);

        *f = (struct trial_finding){.info = x->info,
                                    .id = arena_str(a, x->id),
                                    .title = arena_str(a, x->title),
                                    .file = arena_str(a, x->file),
                                    .line = x->line,
                                    .severity = x->severity,
                                    .advice = arena_str(a, x->fix),
                                    .paste = x->paste,
                                    .follows = x->follows_from != NULL};
        f->paste.text = arena_str(a, x->paste.text);
        f->paste.file = arena_str(a, x->paste.file);
        f->paste.where = arena_str(a, x->paste.where);
    }
}

/* If an error ended the program, that one counts. */
static const struct error *decisive_error(const struct answers *a)
{
    const struct error *found = NULL;

    vec_each(const struct error, e, &a->errors.list)
    {
        if (e->silent)
            continue;
        if (!found)
            found = e;
        if (e->failure->where == FAILED_FORWARD || e->failure->where == FAILED_BACKWARD)
            return e;
    }
    return found;
}

static int64_t gpu_busy_us(const struct answers *answers)
{
    int64_t busy_ns = 0;

    vec_each(const struct gpu_sum, s, &answers->gpu.sums) busy_ns = add_bounded(busy_ns, s->busy_ns);
    return busy_ns / 1000;
}

/*
 * The only call of a compile includes compiling, so it does not show how long calls take. A few such calls may be left
 * out.
 */
static int64_t steady_calls_us(const struct answers *answers)
{
    int64_t steady_ns = 0;
    uint64_t known = 0, all = 0;

    vec_each(const struct gpu_sum, s, &answers->gpu.sums) vec_each(const struct gpu_region, r, &s->gpu->regions)
    {
        all += r->calls;
        if (r->calls < 2 || r->all_ns < r->first_ns)
            continue;
        known += r->calls;
        steady_ns = add_bounded(
            steady_ns, (int64_t)((double)(r->all_ns - r->first_ns) / (double)(r->calls - 1) * (double)r->calls));
    }
    return known && known >= all - all / 10 ? steady_ns / 1000 : -1;
}

static void fill(struct arena *a, const struct answers *answers, struct trial *t)
{
    const struct error *e = decisive_error(answers);
    int64_t busy_us = gpu_busy_us(answers);

    if (busy_us > 0)
        t->gpu_us = busy_us;
    t->calls_us = steady_calls_us(answers);
    t->traced = answers->counts.processes > 0;
    if (!t->traced)
        return;
    t->compiles = (int64_t)answers->counts.compiles;
    t->graph_breaks = (int64_t)answers->counts.graph_breaks;
    t->recompiles = (int64_t)answers->counts.recompiles;
    t->errors = (int64_t)answers->counts.errors;
    t->compile_us = answers->timing.compile_wall_us;
    if (e) {
        t->error = error_text(a, e);
        t->stage = str_of(error_stage_name(e->stage));
    }
}

static int by_text(const void *a, const void *b)
{
    const struct trial_change *x = a, *y = b;
    int kinds = str_cmp(x->kind, y->kind);

    return kinds ? kinds : str_cmp(x->text, y->text);
}

static void sort_unique(struct trial_facts *facts)
{
    size_t n = 0;

    if (facts->list.n)
        qsort(facts->list.v, facts->list.n, sizeof *facts->list.v, by_text);
    for (size_t i = 0; i < facts->list.n; i++)
        if (n == 0 || by_text(&facts->list.v[n - 1], &facts->list.v[i]) != 0)
            facts->list.v[n++] = facts->list.v[i];
    facts->list.n = n;
}

static void note_pids(struct arena *a, const struct run *r, struct trial_facts *facts)
{
    for (size_t i = 0; i < r->processes.n; i++) {
        const struct process *p = r->processes.v[i];

        if (p->input->kind == INPUT_TORCH_TRACE && p->compiles.n && p->pid && !p->pid_is_thread)
            vec_push(a, &facts->pids, p->pid);
    }
}

static bool is_used(const struct run *r, struct str path)
{
    for (size_t i = 0; i < r->inputs.n; i++)
        if (r->inputs.v[i]->used && str_starts(r->inputs.v[i]->path, path))
            return true;
    return false;
}

static void keep_used(const struct run *r, struct path_list *paths)
{
    size_t kept = 0;

    for (size_t i = 0; i < paths->list.n; i++)
        if (is_used(r, str_of(paths->list.v[i])))
            paths->list.v[kept++] = paths->list.v[i];
    paths->list.n = kept;
}

void trial_facts_read(struct arena *a, struct path_list *paths, unsigned threads, struct trial *trial,
                      struct trial_facts *facts)
{
    const struct load_options options = {.launch = trial};
    struct pool *pool = pool_new(threads);
    struct arena *own = arena_new();
    struct load_error error;
    size_t n = paths->list.n;
    struct run *run = n ? load_run(paths->list.v, n, &options, pool, &error) : NULL;

    *facts = (struct trial_facts){0};
    if (run && run_has_records(run)) {
        struct answers answers;
        struct facts_reading r = {a, &answers, facts};

        analyze(own, run, NULL, &answers);
        fill(a, &answers, trial);
        add_breaks(&r);
        for (size_t i = 0; i < answers.recompiles.chains.n; i++)
            add_chain(&r, answers.recompiles.chains.v[i]);
        add_errors(&r);
        add_findings(&r);
        sort_unique(facts);
        note_pids(a, run, facts);
    }
    if (run)
        keep_used(run, paths);
    run_free(run);
    arena_free(own);
    pool_free(pool);
}

static void add_change(struct arena *a, struct trial *t, struct trial_change change, bool gone)
{
    change.gone = gone;
    if (t->changes.n < CHANGES_MAX)
        vec_push(a, &t->changes, change);
}

void trial_facts_compare(struct arena *a, const struct trial_facts *base, const struct trial_facts *now,
                         struct trial *trial)
{
    size_t i = 0, k = 0;

    while (i < base->list.n || k < now->list.n) {
        int c = i == base->list.n ? 1 : k == now->list.n ? -1 : by_text(&base->list.v[i], &now->list.v[k]);

        if (c < 0)
            add_change(a, trial, base->list.v[i], true);
        else if (c > 0)
            add_change(a, trial, now->list.v[k], false);
        i += c <= 0;
        k += c >= 0;
    }
}
