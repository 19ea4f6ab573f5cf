#include "relaunch/procedure.h"

#include "relaunch/bisect.h"
#include "relaunch/what_if.h"

#include <math.h>
#include <stdlib.h>

/* What the user says counts, then what the question is best asked with. */
static enum caches caches_of(const struct rerun *r)
{
    return r->workload->caches != CACHES_AS_IS ? r->workload->caches : r->preset->caches;
}

static int run_base(struct rerun *r)
{
    struct trial_options cold = {.name = STR("cold"), .how = STR("fills the caches"), .caches = CACHES_WARM};
    struct trial_options base = {.name = STR(TRIAL_BASE), .caches = caches_of(r)};
    struct trial *t;
    int rc = 0;

    if (base.caches == CACHES_WARM)
        rc = rerun_trial(r, &cold, &t);
    if (rc || r->interrupted)
        return rc;
    rc = rerun_trial(r, &base, &t);
    if (rc == 0 && !t->traced && t->end.n)
        rerun_note(r, "The program left no trace: it compiled nothing, or PyTorch is not what it runs.");
    return rc;
}

static int by_time(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Whether the same program did the same each time, and in what time. */
static void conclude_repeats(struct rerun *r, int64_t n)
{
    int64_t *times = ARENA_ARRAY(r->arena, int64_t, (size_t)n);
    int64_t found = 0, differing = 0, failed = 0;

    vec_each(const struct trial, t, &r->experiment->trials)
    {
        if (!str_starts(t->name, STR(TRIAL_BASE)) || found == n)
            continue;
        times[found++] = t->wall_us;
        differing += t->changes.n > 0;
        failed += t->failed;
    }
    if (found < 2)
        return;
    qsort(times, (size_t)found, sizeof *times, by_time);
    rerun_conclude(r, "%lld runs took %.2f s (median; %.2f to %.2f s).", (long long)found,
                   (double)times[found / 2] / 1e6, (double)times[0] / 1e6, (double)times[found - 1] / 1e6);
    if (failed && failed < found)
        rerun_conclude(r, "It fails only sometimes: %lld of %lld runs failed.", (long long)failed, (long long)found);
    if (differing)
        rerun_conclude(r, "What is compiled differs from run to run: %lld of them differ from the first.",
                       (long long)differing);
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

        rc = rerun_trial(r, &again, &t);
    }
    if (n > 1)
        conclude_repeats(r, n);
    return rc;
}

static int run_variants(struct rerun *r)
{
    int rc = 0;

    vec_each(const struct variant, v, &r->workload->variants)
    {
        struct trial_options o = {.name = v->name,
                                  .how = what_if_words(r->arena, &v->what_if),
                                  .what_if = v->what_if,
                                  .python = v->python,
                                  .environment = &v->environment,
                                  .caches = caches_of(r)};
        struct trial *t;

        if (rc || r->interrupted)
            break;
        rc = rerun_trial(r, &o, &t);
    }
    return rc;
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
    if (rc == 0 && !r->interrupted && r->workload->bisect)
        rc = bisect_run(r);
    return rc;
}
