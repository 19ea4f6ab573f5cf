#include "relaunch/procedures/fix.h"

#include "relaunch/procedures/fix_judge.h"
#include "relaunch/procedures/fix_plan.h"
#include "relaunch/procedures/fix_text.h"
#include "relaunch/trial/control.h"
#include "relaunch/trial/trial_run.h"
#include "util/system/file.h"
#include "view/format.h"

enum { LAUNCHES = 20 };

#define NO_TIME "the time limit for all launches together was reached; --time-limit TIME allows more"

/* One set of fixes that was launched. */
struct fix_attempt {
    VEC(const struct fix *) fixes;
    struct str caches; /* shared by its launches; empty: each has new caches */
    struct fix_verdict verdict;
    bool good; /* it helps */
};

struct fixing {
    struct rerun *r;
    struct fix_controls controls;
    struct fix_controls warm; /* with the caches of an earlier launch; used if its trials are not 0 */
    size_t launches, limit;
    VEC(struct fix_attempt) alone; /* the fixes that help by themselves */
    struct fix_attempt best;
};

static struct fix_side side_of(const struct rerun *r, const struct trial *t)
{
    return (struct fix_side){(size_t)(t - r->experiment->trials.v), r->last_facts};
}

/* --- controls ----------------------------------------------------------------------------------------------------- */

static int run_eager(struct fixing *f)
{
    struct trial *t;

    for (int i = 0; i < 2; i++) {
        int rc = control_eager(f->r, i > 0, &t);

        if (rc || f->r->interrupted)
            return rc;
        if (t->failed || t->not_applied.n)
            return 0;
        f->controls.eager[i] = side_of(f->r, t).trial;
    }
    return 0;
}

static int run_controls(struct fixing *f)
{
    struct trial *again;
    int rc = control_base_again(f->r, &again);

    if (rc || f->r->interrupted)
        return rc;
    f->controls.base = (struct fix_side){0, f->r->base_facts};
    f->controls.base.trial = (size_t)(rerun_base(f->r) - f->r->experiment->trials.v);
    f->controls.again = side_of(f->r, again);
    return rerun_base(f->r)->failed ? run_eager(f) : 0;
}

/* --- one launch --------------------------------------------------------------------------------------------------- */

static int launch(struct fixing *f, struct str name, struct str how, const struct fix_attempt *a, struct fix_side *side)
{
    struct trial_options o = {.name = name,
                              .how = how,
                              .fixes = a->fixes.v,
                              .fixes_n = a->fixes.n,
                              .caches = CACHES_COLD,
                              .cache_dir = a->caches,
                              .time_limit_s = control_limit_s(f->r)};
    struct trial *t;
    int rc = trial_run(f->r, &o, &t);

    if (rc == 0)
        *side = side_of(f->r, t);
    f->launches++;
    return rc;
}

static const struct trial_finding *finding_of(const struct rerun *r, const struct fix *fix)
{
    vec_each(const struct trial_finding, x, &r->base_facts.findings) if (str_eq(x->id, fix->finding)) return x;
    return NULL;
}

/* The launch only had the remaining time: how the program runs with the fix is unknown. */
static bool ran_out_of_time(const struct fixing *f, const struct fix_side *side, struct fix_verdict *v)
{
    if (!f->r->workload->time_limit_s || !str_eq(f->r->experiment->trials.v[side->trial].end, STR(TRIAL_TIMED_OUT)))
        return false;
    *v = (struct fix_verdict){.outcome = FIX_NOT_TRIED, .measured = STR(NO_TIME)};
    return true;
}

/* A result that is only about time must occur twice. */
static int confirm(struct fixing *f, const struct trial_finding *finding, struct str name, struct fix_attempt *a)
{
    struct fix_side side;
    struct fix_verdict second;
    int rc = launch(f, arena_printf(f->r->arena, "%.*s.2", STR_ARG(name)), STR("the same again"), a, &side);

    if (rc || f->r->interrupted)
        return rc;
    if (!ran_out_of_time(f, &side, &second))
        second = fix_judge(f->r, a->caches.n ? &f->warm : &f->controls, finding, &side);
    if (second.outcome != a->verdict.outcome)
        a->verdict = second;
    return 0;
}

static int attempt(struct fixing *f, struct str name, struct str how, struct fix_attempt *a)
{
    const struct trial_finding *finding = a->fixes.n == 1 ? finding_of(f->r, a->fixes.v[0]) : NULL;
    struct fix_side side;
    int rc = launch(f, name, how, a, &side);

    if (rc || f->r->interrupted)
        return rc;
    if (!ran_out_of_time(f, &side, &a->verdict))
        a->verdict = fix_judge(f->r, a->caches.n ? &f->warm : &f->controls, finding, &side);
    if (a->verdict.outcome == FIX_HELPS && a->verdict.by_time_alone)
        rc = confirm(f, finding, name, a);
    a->good = a->verdict.outcome == FIX_HELPS;
    return rc;
}

/* --- caches ------------------------------------------------------------------------------------------------------- */

/* A launch that fills new caches for those after it. */
static int fill_caches(struct fixing *f, struct str name, struct fix_attempt *a)
{
    struct fix_side side;
    int rc;

    a->caches = rerun_private_directory(f->r, &rc);
    return rc ? rc
              : launch(f, arena_printf(f->r->arena, "%.*s.fill", STR_ARG(name)), STR("fills the caches"), a, &side);
}

/* The unchanged program, twice, with the caches that its first launch filled. */
static int run_warm_controls(struct fixing *f)
{
    struct fix_attempt none = {0};
    int rc = f->warm.base.trial ? 0 : fill_caches(f, STR("warm"), &none);

    if (rc || f->r->interrupted || f->warm.base.trial)
        return rc;
    rc = launch(f, STR("warm"), STR("unchanged, with filled caches"), &none, &f->warm.base);
    if (rc == 0 && !f->r->interrupted)
        rc = launch(f, STR("warm.2"), STR("the same again"), &none, &f->warm.again);
    return rc;
}

static int attempt_warm(struct fixing *f, struct str name, struct str how, struct fix_attempt *a)
{
    int rc = run_warm_controls(f);

    if (rc == 0 && !f->r->interrupted)
        rc = fill_caches(f, name, a);
    return rc || f->r->interrupted ? rc : attempt(f, name, how, a);
}

/* --- each alone --------------------------------------------------------------------------------------------------- */

static void take_verdict(struct fix *fix, struct str trial, const struct fix_verdict *v)
{
    fix->outcome = v->outcome;
    fix->measured = v->measured;
    fix->compared = v->compared;
    fix->trial = trial;
}

static int try_alone(struct fixing *f, struct fix *fix)
{
    struct experiment *x = f->r->experiment;
    struct str name = arena_printf(f->r->arena, "fix-%zu", f->launches + 1);
    struct fix_attempt a = {0};
    int rc;

    vec_push(f->r->arena, &a.fixes, fix);
    rc = (fix_is_of_caches(fix) ? attempt_warm : attempt)(f, name, fix_words(f->r->arena, fix), &a);
    if (rc || f->r->interrupted)
        return rc;
    for (struct fix *same = fix; same < x->fixes.v + x->fixes.n; same++)
        if (fix_can_be_tried(same) && same != fix && fix_is_same(same, fix))
            take_verdict(same, name, &a.verdict);
    take_verdict(fix, name, &a.verdict);
    if (a.good && !fix_is_of_caches(fix))
        vec_push(f->r->arena, &f->alone, a);
    return 0;
}

static size_t count_candidates(const struct experiment *x)
{
    size_t n = 0;

    for (size_t i = 0; i < x->fixes.n; i++) {
        bool first = fix_can_be_tried(&x->fixes.v[i]);

        for (size_t k = 0; k < i && first; k++)
            first = !(fix_can_be_tried(&x->fixes.v[k]) && fix_is_same(&x->fixes.v[k], &x->fixes.v[i]));
        n += first;
    }
    return n;
}

/* Additional launches: those that fill caches, and the unchanged program with filled caches. */
static size_t count_fills(const struct experiment *x)
{
    size_t n = 0;

    vec_each(const struct fix, fix, &x->fixes) n += fix_can_be_tried(fix) && fix_is_of_caches(fix);
    return n ? n + 3 : 0;
}

static int try_all(struct fixing *f)
{
    struct experiment *x = f->r->experiment;
    int rc = 0;

    for (size_t i = 0; i < x->fixes.n && rc == 0 && !f->r->interrupted; i++) {
        if (!fix_can_be_tried(&x->fixes.v[i]))
            continue;
        if (f->launches >= f->limit)
            x->fixes.v[i].measured = STR("the maximum number of launches was reached; --fix-limit N allows more");
        else if (control_is_out_of_time(f->r))
            x->fixes.v[i].measured = STR(NO_TIME);
        else
            rc = try_alone(f, &x->fixes.v[i]);
    }
    return rc;
}

/* --- together ----------------------------------------------------------------------------------------------------- */

static bool is_better(const struct fix_attempt *x, const struct fix_attempt *y)
{
    return x->good && (!y->good || x->verdict.weight < y->verdict.weight);
}

static int try_together(struct fixing *f, struct fix_attempt *a)
{
    struct str name =
        rerun_find(f->r, STR("fixes")) ? arena_printf(f->r->arena, "fixes-%zu", f->launches + 1) : STR("fixes");

    return attempt(f, name, arena_printf(f->r->arena, "%zu fixes that help, together", a->fixes.n), a);
}

static void add_all(struct arena *a, struct fix_attempt *to, const struct fix_attempt *from)
{
    for (size_t i = 0; i < from->fixes.n; i++)
        vec_push(a, &to->fixes, from->fixes.v[i]);
}

/* They do not work together: starts with the best one, and adds each that improves the result. */
static int add_one_by_one(struct fixing *f)
{
    int rc = 0;

    for (size_t i = 0; i < f->alone.n && f->launches < f->limit && rc == 0 && !f->r->interrupted; i++) {
        if (control_is_out_of_time(f->r))
            break;
        struct fix_attempt more = {0};

        if (f->best.fixes.v[0] == f->alone.v[i].fixes.v[0])
            continue;
        add_all(f->r->arena, &more, &f->best);
        add_all(f->r->arena, &more, &f->alone.v[i]);
        rc = try_together(f, &more);
        if (rc == 0 && !f->r->interrupted && is_better(&more, &f->best))
            f->best = more;
    }
    return rc;
}

static int combine(struct fixing *f)
{
    struct fix_attempt all = {0};
    int rc;

    for (size_t i = 0; i < f->alone.n; i++) {
        add_all(f->r->arena, &all, &f->alone.v[i]);
        if (is_better(&f->alone.v[i], &f->best))
            f->best = f->alone.v[i];
    }
    if (f->alone.n < 2 || control_is_out_of_time(f->r))
        return 0;
    rc = try_together(f, &all);
    if (rc || f->r->interrupted)
        return rc;
    if (all.good && all.verdict.weight <= f->best.verdict.weight)
        f->best = all;
    else if (f->alone.n > 2)
        rc = add_one_by_one(f);
    return rc;
}

/* --- what is said ------------------------------------------------------------------------------------------------- */

static void choose(struct fixing *f)
{
    struct experiment *x = f->r->experiment;

    for (size_t i = 0; i < f->best.fixes.n; i++)
        vec_each(struct fix, fix, &x->fixes) fix->chosen |=
            fix->outcome == FIX_HELPS && fix_is_same(fix, f->best.fixes.v[i]);
    vec_each(struct fix, fix, &x->fixes) fix->chosen |= fix->outcome == FIX_HELPS && fix_is_of_caches(fix);
    x->patch = fix_patch(f->r);
}

static void conclude_counts(struct fixing *f)
{
    static const struct {
        const char *one, *several;
    } words[FIX_OUTCOMES] = {
        {"helps", "help"},
        {"only removes its finding", "only remove their finding"},
        {"has no effect", "have no effect"},
        {"gives different results", "give different results"},
        {"makes the program fail", "make the program fail"},
        {"could not be put into the program", "could not be put into the program"},
        {"was not tried", "were not tried"},
    };
    const struct experiment *x = f->r->experiment;
    struct buf text = {0};

    for (int o = 0; o < FIX_OUTCOMES; o++) {
        size_t n = 0;

        vec_each(const struct fix, fix, &x->fixes) n += (int)fix->outcome == o;
        if (n) {
            buf_str(&text, text.n ? STR(", ") : STR(""));
            buf_printf(&text, "%zu %s", n, n == 1 ? words[o].one : words[o].several);
        }
    }
    rerun_conclude(f->r, "Of %.*s, each alone: %.*s.",
                   STR_ARG(format_counted(f->r->arena, x->fixes.n, "piece of advice", "pieces of advice")),
                   STR_ARG(buf_view(&text)));
    buf_free(&text);
}

static void conclude(struct fixing *f)
{
    struct rerun *r = f->r;

    if (r->experiment->fixes.n == 0) {
        rerun_conclude(r, "No finding of this run has advice that could be tried.");
        return;
    }
    if (f->best.good)
        rerun_conclude(r, "%s: %.*s.",
                       f->best.fixes.n > 1 ? "With the best combination that was tried"
                                           : "With the best advice that was tried",
                       STR_ARG(f->best.verdict.measured));
    vec_each(const struct fix, fix, &r->experiment->fixes) if (fix->outcome == FIX_HELPS && fix_is_of_caches(fix))
        rerun_conclude(r, "From the second launch on, with %.*s: %.*s.", STR_ARG(fix_words(r->arena, fix)),
                       STR_ARG(fix->measured));
    conclude_counts(f);
}

static int write_markdown(struct rerun *r)
{
    const char *path = arena_printf(r->arena, "%.*s/fixes.md", STR_ARG(r->directory)).p;
    struct buf text = {0};
    struct outfile out;
    int rc = outfile_open(&out, path);

    fix_markdown(r, &text);
    if (rc == 0) {
        outfile_write(&out, buf_view(&text));
        rc = outfile_commit(&out);
    }
    buf_free(&text);
    return rc ? rerun_failed(r, rc, "cannot be written to", str_of(path)) : 0;
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static void say_no_time(struct fixing *f)
{
    vec_each(struct fix, fix, &f->r->experiment->fixes) if (fix_can_be_tried(fix)) fix->measured = STR(NO_TIME);
}

static int try_and_combine(struct fixing *f)
{
    struct fix_verdict none;
    size_t n = count_candidates(f->r->experiment), launches = n + count_fills(f->r->experiment);
    int rc;

    if (n == 0)
        return 0;
    if (control_is_out_of_time(f->r)) {
        say_no_time(f);
        return 0;
    }
    rerun_expect(f->r, 2 + (launches < f->limit ? launches : f->limit));
    rc = run_controls(f);
    if (rc == 0 && !f->r->interrupted && ran_out_of_time(f, &f->controls.again, &none))
        say_no_time(f);
    else if (rc == 0 && !f->r->interrupted)
        rc = try_all(f);
    if (rc == 0 && !f->r->interrupted)
        rc = combine(f);
    return rc;
}

int fix_run(struct rerun *r)
{
    struct fixing f = {.r = r, .limit = r->workload->fix_limit ? (size_t)r->workload->fix_limit : LAUNCHES};
    const struct trial *base = rerun_base(r);
    int rc;

    r->experiment->procedure = STR("fix");
    if (str_eq(base->end, STR(TRIAL_TIMED_OUT))) {
        rerun_conclude(r, "It did not end by itself: no advice was tried.");
        return 0;
    }
    fix_plan(r);
    rc = try_and_combine(&f);
    vec_each(struct fix, fix, &r->experiment->fixes) if (fix->measured.n == 0) fix->measured =
        STR("it was interrupted");
    if (rc)
        return rc;
    choose(&f);
    conclude(&f);
    return write_markdown(r);
}
