#include "relaunch/procedures/procedure.h"

#include "relaunch/procedures/ablate.h"
#include "relaunch/procedures/bisect.h"
#include "relaunch/procedures/fix.h"
#include "relaunch/procedures/minify.h"
#include "relaunch/trial/trial_run.h"
#include "relaunch/workload/what_if.h"

#include <math.h>
#include <stdlib.h>

static bool has_procedure(const struct workload *w)
{
    return w->ablate || w->bisect || w->minify || w->fix;
}

/* The user's setting counts, then the one that suits the question. */
static enum caches caches_of(const struct rerun *r)
{
    /* A cache hit would hide the stage that fails. */
    if (has_procedure(r->workload))
        return CACHES_COLD;
    return r->workload->caches != CACHES_AS_IS ? r->workload->caches : r->preset->caches;
}

static int run_base(struct rerun *r)
{
    struct trial_options cold = {.name = STR("cold"), .how = STR("fills the caches"), .caches = CACHES_WARM};
    struct trial_options base = {.name = STR(TRIAL_BASE), .caches = caches_of(r)};
    struct trial *t;
    int rc = 0;

    if (base.caches == CACHES_WARM)
        rc = trial_run(r, &cold, &t);
    if (rc || r->interrupted)
        return rc;
    rc = trial_run(r, &base, &t);
    if (rc == 0 && !r->interrupted && !t->failed && !r->of_graphs && !has_procedure(r->workload) &&
        rerun_why_nothing_compiled(r).n)
        rerun_note(r, "%.*s", STR_ARG(rerun_why_nothing_compiled(r)));
    return rc;
}

static int by_time(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Whether the same program did the same each time, and how long it took. */
static void conclude_repeats(struct rerun *r, int64_t n)
{
    int64_t *times = ARENA_ARRAY(r->arena, int64_t, (size_t)n);
    int64_t found = 0, differing = 0, failed = 0, results = 0;
    struct str example = {"", 0};

    vec_each(const struct trial, t, &r->experiment->trials)
    {
        if (!str_starts(t->name, STR(TRIAL_BASE)) || found == n)
            continue;
        times[found++] = t->wall_us;
        differing += t->changes.n > 0;
        failed += t->failed;
        results += trial_is_bad(t) && !t->failed;
        vec_each(const struct trial_check, c, &t->checks) if (c->outcome == CHECK_DIFFERENT && !t->failed) example =
            c->detail;
    }
    if (found < 2)
        return;
    qsort(times, (size_t)found, sizeof *times, by_time);
    rerun_conclude(r, "%lld runs took %.2f s (median; %.2f to %.2f s).", (long long)found,
                   (double)times[found / 2] / 1e6, (double)times[0] / 1e6, (double)times[found - 1] / 1e6);
    if (failed && failed < found)
        rerun_conclude(r, "It fails only sometimes: %lld of %lld runs failed.", (long long)failed, (long long)found);
    if (results)
        rerun_conclude(r, "The results differ from run to run: %lld of them %s from the first. %.*s",
                       (long long)results, results == 1 ? "differs" : "differ", STR_ARG(example));
    if (differing)
        rerun_conclude(r, "The compiles differ from run to run: %lld of them %s from the first.",
                       (long long)differing, differing == 1 ? "differs" : "differ");
}

static int run_repeats(struct rerun *r)
{
    int64_t n = r->workload->repeats;
    int rc = 0;

    for (int64_t i = 2; i <= n && rc == 0 && !r->interrupted; i++) {
        struct trial_options again = {.name = arena_printf(r->arena, TRIAL_BASE ".%lld", (long long)i),
                                      .how = STR("the same again"),
                                      .caches = caches_of(r)};
        struct trial *t;

        rc = trial_run(r, &again, &t);
    }
    if (n > 1)
        conclude_repeats(r, n);
    return rc;
}

static int run_variant(struct rerun *r, const struct variant *v, const struct trial **out)
{
    struct trial_options o = {.name = v->name,
                              .how = what_if_words(r->arena, &v->what_if),
                              .what_if = v->what_if,
                              .python = v->python,
                              .environment = &v->environment,
                              .caches = caches_of(r)};
    struct trial *t;
    int rc = trial_run(r, &o, &t);

    if (rc == 0)
        *out = t;
    return rc;
}

/* "worked", with the versions that the trial ran with. */
static struct str described(struct arena *a, const struct trial *t)
{
    if (t->torch.n)
        return arena_printf(a, "`%.*s` (PyTorch %.*s)", STR_ARG(t->name), STR_ARG(t->torch));
    return arena_printf(a, "`%.*s`", STR_ARG(t->name));
}

static bool names_pythons(const struct workload *w)
{
    vec_each(const struct variant, v, &w->variants) if (v->python.n) return true;
    return false;
}

/* Compares versions: reports where two consecutive ones differ. */
static void conclude_versions(struct rerun *r, size_t first)
{
    const struct trial *trials = r->experiment->trials.v;

    for (size_t i = first + 1; i < r->experiment->trials.n; i++)
        if (trial_is_bad(&trials[i - 1]) != trial_is_bad(&trials[i]))
            rerun_conclude(r, "%.*s %s, %.*s %s.", STR_ARG(described(r->arena, &trials[i - 1])),
                           trial_is_bad(&trials[i - 1]) ? "fails" : "works", STR_ARG(described(r->arena, &trials[i])),
                           trial_is_bad(&trials[i]) ? "fails" : "works");
}

static struct str change_of(struct rerun *r, const struct trial *t)
{
    return t->how.n ? t->how : described(r->arena, t);
}

/* True if the change could not be made, so that the trial shows nothing. */
static bool conclude_not_tried(struct rerun *r, const struct trial *t)
{
    if (t->not_applied.n)
        rerun_conclude(r, "Not tried: %.*s. %.*s", STR_ARG(change_of(r, t)), STR_ARG(t->not_applied));
    return t->not_applied.n > 0;
}

/* The effect of the change, compared with the unchanged program. */
static void conclude_variant(struct rerun *r, const struct trial *t)
{
    const struct trial *base = rerun_base(r);
    struct str what = change_of(r, t);
    const char *with = str_consume(&what, STR("without ")) ? "Without" : "With";
    size_t gone = 0;

    if (conclude_not_tried(r, t))
        return;
    vec_each(const struct trial_change, c, &t->changes) gone += c->gone;
    if (base && trial_is_bad(base) != trial_is_bad(t))
        rerun_conclude(r, "%s %.*s it %s, unlike the base.", with, STR_ARG(what), trial_is_bad(t) ? "fails" : "works");
    else if (t->changes.n)
        rerun_conclude(r, "%s %.*s: %zu of the base's graph breaks, recompiles and errors are gone, %zu are new.", with,
                       STR_ARG(what), gone, t->changes.n - gone);
    else
        rerun_conclude(r, "%s %.*s nothing changes.", with, STR_ARG(what));
}

static void conclude_variants(struct rerun *r, size_t first)
{
    if (names_pythons(r->workload)) {
        conclude_versions(r, first);
        return;
    }
    for (size_t i = first; i < r->experiment->trials.n; i++)
        conclude_variant(r, &r->experiment->trials.v[i]);
}

static int run_all_variants(struct rerun *r)
{
    size_t first = r->experiment->trials.n;
    const struct trial *t;
    int rc = 0;

    vec_each(const struct variant, v, &r->workload->variants)
    {
        if (rc || r->interrupted)
            break;
        rc = run_variant(r, v, &t);
    }
    if (rc == 0 && r->experiment->trials.n > first)
        conclude_variants(r, first);
    return rc;
}

/* Narrows down by halves between one that works and a later one that fails. */
static int narrow(struct rerun *r, size_t good, size_t bad)
{
    const struct variant *v = r->workload->variants.v;
    const struct trial *t;

    while (bad - good > 1) {
        size_t middle = good + (bad - good) / 2;
        int rc = run_variant(r, &v[middle], &t);

        if (rc || r->interrupted || conclude_not_tried(r, t))
            return rc;
        *(trial_is_bad(t) ? &bad : &good) = middle;
    }
    rerun_conclude(r, "The first that fails is `%.*s`; `%.*s` before it works.", STR_ARG(v[bad].name),
                   STR_ARG(v[good].name));
    return 0;
}

static int bisect_variants(struct rerun *r)
{
    size_t last = r->workload->variants.n - 1;
    const struct trial *t;
    bool first_is_bad;
    int rc = run_variant(r, &r->workload->variants.v[0], &t);

    if (rc || r->interrupted || conclude_not_tried(r, t))
        return rc;
    first_is_bad = trial_is_bad(t);
    rc = run_variant(r, &r->workload->variants.v[last], &t);
    if (rc || r->interrupted || conclude_not_tried(r, t))
        return rc;
    if (first_is_bad == trial_is_bad(t)) {
        rerun_conclude(r, "The first and the last variant both %s: there is nothing to find between them.",
                       first_is_bad ? "fail" : "work");
        return 0;
    }
    if (first_is_bad) {
        rerun_conclude(r, "The first variant fails and the last works: put them in the other order.");
        return 0;
    }
    return narrow(r, 0, last);
}

static int run_variants(struct rerun *r)
{
    if (r->workload->bisect_variants && r->workload->variants.n > 1)
        return bisect_variants(r);
    return run_all_variants(r);
}

/* Names the procedures that search for a fault in the compiler, if none was requested. */
static void note_next(struct rerun *r)
{
    const struct trial *base = rerun_base(r);

    if (has_procedure(r->workload) || !base || !base->failed || base->errors <= 0 ||
        str_eq(base->stage, STR("runtime")))
        return;
    rerun_note(r,
               "`pt2trace run --ablate -c %.*s/workload.yaml` finds the stage that fails, --bisect the pass or the "
               "operator, --minify reduces it to a small program.",
               STR_ARG(r->directory));
}

int procedure_run(struct rerun *r)
{
    int rc;

    bisect_note_stale(r);
    rc = run_base(r);
    if (rc == 0 && !r->interrupted)
        rc = run_repeats(r);
    if (rc == 0 && !r->interrupted)
        rc = run_variants(r);
    if (rc == 0 && !r->interrupted && r->workload->ablate)
        rc = ablate_run(r);
    if (rc == 0 && !r->interrupted && r->workload->bisect)
        rc = bisect_run(r);
    if (rc == 0 && !r->interrupted && r->workload->minify)
        rc = minify_run(r);
    if (rc == 0 && !r->interrupted && r->workload->fix)
        rc = fix_run(r);
    if (rc == 0 && !r->interrupted)
        note_next(r);
    return rc;
}
