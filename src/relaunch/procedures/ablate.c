#include "relaunch/procedures/ablate.h"

#include "relaunch/trial/control.h"
#include "relaunch/trial/trial_run.h"
#include "relaunch/workload/what_if.h"

/*
 * A step of the ladder: what it adds to the previous one. The base, which is the unchanged program, is above all
 * steps.
 */
struct ablate_step {
    const char *name, *backend;
    const char *adds; /* the stage at fault if this is the first bad step */
};

static const struct ablate_step ladder[] = {
    {"dynamo", "eager", "Dynamo, which captures the graphs"},
    {"aot_eager", "aot_eager", "AOTAutograd, which traces the backward graph and makes the graphs functional"},
    {"aot_eager_decomp_partition", "aot_eager_decomp_partition",
     "decompositions of operators, or partitioning into forward and backward"},
};

enum { STEPS = sizeof ladder / sizeof *ladder };

#define INDUCTOR_ADDS "Inductor, which generates the kernels"
#define RANDOM "fallback-random"

/* Other ways to compile, one of which may be a workaround. */
static const struct other {
    const char *name;
    struct what_if what_if;
} others[] = {
    {RANDOM, {.config = STR_INIT("torch._inductor.config.fallback_random=True")}},
    {"mode-default", {.mode = STR_INIT("default")}},
    {"mode-reduce-overhead", {.mode = STR_INIT("reduce-overhead")}},
    {"mode-max-autotune", {.mode = STR_INIT("max-autotune")}},
    {"dynamic-none", {.dynamic = DYNAMIC_NONE}},
    {"dynamic-true", {.dynamic = DYNAMIC_TRUE}},
    {"dynamic-false", {.dynamic = DYNAMIC_FALSE}},
};

enum { OTHERS = sizeof others / sizeof *others };

static int run_one(struct rerun *r, const char *name, const struct what_if *what_if)
{
    struct trial_options o = {.name = str_of(name),
                              .how = what_if_words(r->arena, what_if),
                              .what_if = *what_if,
                              .caches = CACHES_COLD,
                              .time_limit_s = control_limit_s(r)};
    struct trial *t;

    return trial_run(r, &o, &t);
}

static const struct trial *find(const struct rerun *r, const char *name)
{
    return rerun_find(r, str_of(name));
}

/* --- the ladder --------------------------------------------------------------------------------------------------- */

static int run_ladder(struct rerun *r)
{
    int rc = 0;

    for (int i = 0; i < STEPS && rc == 0 && !r->interrupted; i++) {
        const struct what_if what_if = {.backend = str_of(ladder[i].backend)};

        rc = run_one(r, ladder[i].name, &what_if);
    }
    return rc;
}

/* The first bad step; STEPS for the base, STEPS + 1 if none is bad. */
static int first_bad(const struct rerun *r)
{
    const struct trial *t;

    for (int i = 0; i < STEPS; i++)
        if ((t = find(r, ladder[i].name)) && trial_is_bad(t))
            return i;
    return r->control.fault ? STEPS : STEPS + 1;
}

/* --- the others --------------------------------------------------------------------------------------------------- */

static bool is_inductor(const struct hook_call *c)
{
    return c->backend.n == 0 || str_eq(c->backend, STR("inductor"));
}

/* The program already asks for this, or has no call that it applies to: the trial would repeat the base. */
static bool is_as_the_base(const struct rerun *r, const struct what_if *w)
{
    vec_each(const struct hook_call, c, &r->base_report.calls)
    {
        struct str mode = c->mode.n ? c->mode : STR("default"), dynamic = c->dynamic.n ? c->dynamic : STR("none");

        if (w->mode.n && is_inductor(c) && (c->options || !str_eq(mode, w->mode)))
            return false;
        if (w->dynamic && !str_eq(dynamic, str_of(dynamic_name(w->dynamic))))
            return false;
    }
    return r->base_report.calls.n > 0 && w->config.n == 0;
}

/* Random numbers and modes only affect Inductor: if an earlier stage fails, trying them shows nothing. */
static bool is_worth_it(const struct rerun *r, const struct other *o, int bad)
{
    if (is_as_the_base(r, &o->what_if))
        return false;
    if (o->what_if.config.n)
        return bad == STEPS && !rerun_base(r)->failed;
    return bad >= STEPS || o->what_if.mode.n == 0;
}

static size_t count_others(const struct rerun *r, int bad)
{
    size_t n = 0;

    for (size_t i = 0; i < OTHERS; i++)
        n += is_worth_it(r, &others[i], bad);
    return n;
}

static int run_others(struct rerun *r, int bad)
{
    int rc = 0;

    for (size_t i = 0; i < OTHERS && rc == 0 && !r->interrupted; i++)
        if (is_worth_it(r, &others[i], bad))
            rc = run_one(r, others[i].name, &others[i].what_if);
    return rc;
}

/* --- conclusions -------------------------------------------------------------------------------------------------- */

static void conclude_step(struct rerun *r, const struct trial *t, const char *adds)
{
    rerun_conclude(r, "It %s from `%.*s` on: the fault is in %s.", trial_badness(t), STR_ARG(t->name), adds);
    if (t->error.n)
        rerun_conclude(r, "Output of `%.*s`: %.*s", STR_ARG(t->name), STR_ARG(t->error));
}

/* Inductor draws different random numbers than eager mode, unless `fallback_random` is set. */
static bool is_random(const struct rerun *r)
{
    const struct trial *t = find(r, RANDOM);

    return t && t->not_applied.n == 0 && !trial_is_bad(t);
}

static void conclude_inductor(struct rerun *r)
{
    if (is_random(r))
        rerun_conclude(r,
                       "It gives another result only because Inductor draws different random numbers than eager mode, "
                       "by design: with torch._inductor.config.fallback_random = True the results are the same.");
    else
        conclude_step(r, rerun_base(r), INDUCTOR_ADDS);
}

/* A step after the first bad one is good again: then the order of the stages does not explain everything. */
static void note_recovery(struct rerun *r, int bad)
{
    for (int i = bad + 1; i < STEPS; i++) {
        const struct trial *t = find(r, ladder[i].name);

        if (t && !trial_is_bad(t))
            rerun_conclude(r,
                           "`%.*s`, which has more stages, works nevertheless: stages may hide each other's faults, "
                           "or it does not always fail; --repeats N shows which.",
                           STR_ARG(t->name));
    }
}

static void conclude_ladder(struct rerun *r, int bad)
{
    if (bad < STEPS)
        conclude_step(r, find(r, ladder[bad].name), ladder[bad].adds);
    else if (bad == STEPS)
        conclude_inductor(r);
    else
        rerun_conclude(r, "No stage of the compiler fails%s.",
                       r->workload->checks.n ? "" : "; whether the numbers are right is only known with --check");
    note_recovery(r, bad);
}

static void conclude_other(struct rerun *r, const struct trial *t)
{
    if (t->not_applied.n)
        rerun_conclude(r, "Not tried: %.*s. %.*s", STR_ARG(t->how), STR_ARG(t->not_applied));
    else if (trial_is_bad(t) == r->control.fault)
        return;
    else if (trial_is_bad(t))
        rerun_conclude(r, "With %.*s it %s.", STR_ARG(t->how), trial_badness(t));
    else
        rerun_conclude(r, "With %.*s it works: a workaround until the fault is fixed.", STR_ARG(t->how));
}

/* Which other trials go wrong, or right, in contrast to the base. */
static void conclude_others(struct rerun *r)
{
    for (size_t i = 0; i < OTHERS; i++) {
        const struct trial *t = find(r, others[i].name);

        if (t && !(is_random(r) && others[i].what_if.config.n))
            conclude_other(r, t);
    }
}

static void conclude_times(struct rerun *r)
{
    const struct trial *base = rerun_base(r), *eager = find(r, TRIAL_EAGER);

    if (eager && r->control.clean && base->wall_us > 0 && eager->wall_us > 0)
        rerun_conclude(r,
                       "The whole program takes %.2f s without torch.compile and %.2f s with it, compiling included.",
                       (double)eager->wall_us / 1e6, (double)base->wall_us / 1e6);
}

int ablate_run(struct rerun *r)
{
    int rc, bad;

    r->experiment->procedure = STR("ablate");
    rc = control_run(r);
    if (rc || r->interrupted || !(r->control.fault || r->control.clean))
        return rc;
    if (r->control.fault) {
        rerun_expect(r, STEPS + count_others(r, STEPS));
        rc = run_ladder(r);
    }
    if (rc || r->interrupted)
        return rc;
    bad = first_bad(r);
    rerun_expect(r, count_others(r, bad));
    rc = run_others(r, bad);
    conclude_ladder(r, bad);
    conclude_others(r);
    conclude_times(r);
    return rc;
}
