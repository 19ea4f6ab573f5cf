#include "relaunch/ablate.h"

#include "relaunch/what_if.h"

/* A step of the ladder: what it adds to the one before. The base, which is the program as it is, stands above all. */
struct step {
    const char *name, *backend;
    const char *adds; /* the stage that is at fault when this step is the first bad one */
};

static const struct step ladder[] = {
    {"eager", "none", NULL},
    {"dynamo", "eager", "Dynamo, which captures the graphs"},
    {"aot_eager", "aot_eager", "AOTAutograd, which traces the backward graph and makes the graphs functional"},
    {"aot_eager_decomp_partition", "aot_eager_decomp_partition",
     "decompositions of operators, or partitioning into forward and backward"},
};

enum { STEPS = sizeof ladder / sizeof *ladder };

#define INDUCTOR_ADDS "Inductor, which makes the kernels"

static const struct {
    const char *name;
    struct what_if what_if;
} others[] = {
    {"mode-default", {.mode = STR_INIT("default")}},
    {"mode-reduce-overhead", {.mode = STR_INIT("reduce-overhead")}},
    {"mode-max-autotune", {.mode = STR_INIT("max-autotune")}},
    {"dynamic-none", {.dynamic = DYNAMIC_NONE}},
    {"dynamic-true", {.dynamic = DYNAMIC_TRUE}},
    {"dynamic-false", {.dynamic = DYNAMIC_FALSE}},
};

static int run_one(struct rerun *r, const char *name, const struct what_if *what_if)
{
    struct trial_options o = {
        .name = str_of(name), .how = what_if_words(r->arena, what_if), .what_if = *what_if, .caches = CACHES_COLD};
    struct trial *t;

    return rerun_trial(r, &o, &t);
}

static const struct trial *find(const struct rerun *r, const char *name)
{
    vec_each(const struct trial, t, &r->experiment->trials) if (str_eq(t->name, str_of(name))) return t;
    return NULL;
}

static int run_ladder(struct rerun *r)
{
    int rc = 0;

    for (int i = 0; i < STEPS && rc == 0 && !r->interrupted; i++) {
        const struct what_if what_if = {.backend = str_of(ladder[i].backend)};

        rc = run_one(r, ladder[i].name, &what_if);
    }
    return rc;
}

/* The first bad step; STEPS for the base, STEPS + 1 when none is. */
static int first_bad(const struct rerun *r)
{
    const struct trial *t;

    for (int i = 0; i < STEPS; i++)
        if ((t = find(r, ladder[i].name)) && trial_is_bad(t))
            return i;
    t = rerun_base(r);
    return t && trial_is_bad(t) ? STEPS : STEPS + 1;
}

/* Modes are Inductor's: where it fails before, they tell nothing, and where it fails without any stage nothing does. */
static bool is_worth_it(const struct what_if *what_if, int bad)
{
    return bad >= STEPS || (bad > 0 && what_if->mode.n == 0);
}

static int run_others(struct rerun *r, int bad)
{
    int rc = 0;

    for (size_t i = 0; i < sizeof others / sizeof *others && rc == 0 && !r->interrupted; i++)
        if (is_worth_it(&others[i].what_if, bad))
            rc = run_one(r, others[i].name, &others[i].what_if);
    return rc;
}

/* --- conclusions -------------------------------------------------------------------------------------------------- */

/* How it goes wrong: by its exception, or by a result that is another. */
static const char *badness(const struct trial *t)
{
    return t->failed ? "fails" : "gives another result";
}

static void conclude_step(struct rerun *r, const struct trial *t, const char *adds)
{
    rerun_conclude(r, "It %s from `%.*s` on: the fault is in %s.", badness(t), STR_ARG(t->name), adds);
    if (t->error.n)
        rerun_conclude(r, "What `%.*s` says: %.*s", STR_ARG(t->name), STR_ARG(t->error));
}

/* A step behind the first bad one that is good again: then the order of the stages is not the whole story. */
static void note_recovery(struct rerun *r, int bad)
{
    for (int i = bad + 1; i <= STEPS; i++) {
        const struct trial *t = i < STEPS ? find(r, ladder[i].name) : rerun_base(r);

        if (t && !trial_is_bad(t))
            rerun_conclude(r,
                           "`%.*s`, which has more stages, is good all the same: stages may hide each other's faults, "
                           "or it does not always fail; --repeats tells.",
                           STR_ARG(t->name));
    }
}

static void conclude_ladder(struct rerun *r, int bad)
{
    if (bad == 0)
        rerun_conclude(r, "It %s without torch.compile, too: the compiler is not at fault.",
                       badness(find(r, ladder[0].name)));
    else if (bad < STEPS)
        conclude_step(r, find(r, ladder[bad].name), ladder[bad].adds);
    else if (bad == STEPS)
        conclude_step(r, rerun_base(r), INDUCTOR_ADDS);
    else
        rerun_conclude(r, "No stage of the compiler fails%s.",
                       r->workload->checks.n ? "" : "; whether the numbers are right is only known with --check");
    note_recovery(r, bad);
}

/* What else goes wrong, or right, than the program as it is. */
static void conclude_others(struct rerun *r)
{
    const struct trial *base = rerun_base(r);

    for (size_t i = 0; base && i < sizeof others / sizeof *others; i++) {
        const struct trial *t = find(r, others[i].name);

        if (!t || trial_is_bad(t) == trial_is_bad(base))
            continue;
        if (trial_is_bad(t))
            rerun_conclude(r, "With %.*s it %s.", STR_ARG(t->how), badness(t));
        else
            rerun_conclude(r, "With %.*s it works: a way round until the fault is mended.", STR_ARG(t->how));
    }
}

static void conclude_times(struct rerun *r)
{
    const struct trial *base = rerun_base(r), *eager = find(r, ladder[0].name);

    if (base && eager && !trial_is_bad(base) && !trial_is_bad(eager) && base->wall_us > 0 && eager->wall_us > 0)
        rerun_conclude(r,
                       "The whole program takes %.2f s without torch.compile and %.2f s with it, compiling included.",
                       (double)eager->wall_us / 1e6, (double)base->wall_us / 1e6);
}

int ablate_run(struct rerun *r)
{
    int rc = run_ladder(r), bad;

    r->experiment->procedure = STR("ablate");
    if (rc || r->interrupted)
        return rc;
    bad = first_bad(r);
    rc = run_others(r, bad);
    conclude_ladder(r, bad);
    conclude_others(r);
    conclude_times(r);
    return rc;
}
