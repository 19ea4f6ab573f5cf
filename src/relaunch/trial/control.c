#include "relaunch/trial/control.h"

#include "relaunch/trial/trial_run.h"
#include "util/system/clock.h"

enum { FILES_SHOWN = 3, CALLS_KNOWN = 100 };

static int64_t left_us(const struct rerun *r)
{
    return r->begun_us + r->workload->time_limit_s * 1000000 - clock_now_us();
}

int64_t control_limit_s(const struct rerun *r)
{
    int64_t given = r->workload->time_limit_s;

    if (given && r->workload->fix)
        return left_us(r) > 1000000 ? left_us(r) / 1000000 : 1;
    return given ? given : 60 + 10 * (rerun_base(r)->wall_us / 1000000);
}

bool control_is_out_of_time(const struct rerun *r)
{
    return r->workload->fix && r->workload->time_limit_s && left_us(r) < rerun_base(r)->wall_us;
}

bool control_base_is_inductor(const struct rerun *r)
{
    vec_each(const struct hook_call, c, &r->base_report.calls)
    {
        if (c->backend.n && !str_eq(c->backend, STR("inductor")))
            return false;
    }
    return r->base_report.calls.n > 0 && r->base_report.calls.n < CALLS_KNOWN;
}

const char *trial_badness(const struct trial *t)
{
    return t->failed ? "fails" : "gives another result";
}

/* The difference that was found, in words. */
static struct str difference(const struct trial *t)
{
    vec_each(const struct trial_check, c, &t->checks) if (c->outcome == CHECK_DIFFERENT) return c->detail;
    return (struct str){"", 0};
}

static bool compared_nothing(const struct rerun *r, const struct trial *t)
{
    size_t results = 0, compared = 0;

    vec_each(const struct trial_check, c, &t->checks)
    {
        if (str_starts(c->what, STR("exit ")))
            continue;
        results++;
        compared += c->outcome != CHECK_NOT_COMPARED;
    }
    return r->workload->checks.n && results && compared == 0;
}

/* --- what a program finds that an earlier launch left ------------------------------------------------------------- */

static struct str shorter(const struct rerun *r, struct str path)
{
    struct str dir = r->workload->directory;

    if (str_consume(&path, dir))
        str_consume(&path, STR("/"));
    return path;
}

/* "`ckpt.txt`, `state.json`"; empty if the trial read no such file. */
static struct str files_read(struct rerun *r, const char *trial)
{
    struct str words = {"", 0};
    size_t shown = 0;
    hook_lines files;

    rerun_opens(r, str_of(trial), &files);
    for (size_t i = 0; i < files.n && shown < FILES_SHOWN; i++)
        if (!str_starts(files.v[i], r->directory) && ++shown)
            words = arena_printf(r->arena, "%.*s%s`%.*s`", STR_ARG(words), words.n ? ", " : "",
                                 STR_ARG(shorter(r, files.v[i])));
    return words;
}

/* True if a conclusion was added. */
static bool conclude_resuming(struct rerun *r, const char *trial)
{
    struct str files = files_read(r, trial);

    if (files.n == 0)
        return false;
    rerun_conclude(
        r,
        "It reads a file that an earlier run wrote (%.*s): it continues from its own checkpoint, so two runs never do "
        "the same. Make each run begin with the same files.",
        STR_ARG(files));
    return true;
}

/* --- the controls ------------------------------------------------------------------------------------------------- */

int control_eager(struct rerun *r, bool again, struct trial **t)
{
    struct trial_options o = {.name = again ? STR(TRIAL_EAGER ".2") : STR(TRIAL_EAGER),
                              .how = again ? STR("without torch.compile, again") : STR("without torch.compile"),
                              .what_if = {.backend = STR("none")},
                              .caches = CACHES_COLD,
                              .time_limit_s = control_limit_s(r),
                              .watch_opens = again};

    *t = rerun_find(r, o.name);
    return *t ? 0 : trial_run(r, &o, t);
}

int control_base_again(struct rerun *r, struct trial **t)
{
    struct trial_options o = {.name = STR(TRIAL_BASE ".2"),
                              .how = STR("the same again"),
                              .caches = CACHES_COLD,
                              .time_limit_s = control_limit_s(r),
                              .watch_opens = true};

    *t = rerun_find(r, o.name);
    return *t ? 0 : trial_run(r, &o, t);
}

static int check_failing_eager(struct rerun *r)
{
    struct trial *again;
    int rc = control_eager(r, true, &again);

    if (rc || r->interrupted)
        return rc;
    if (again->failed)
        rerun_conclude(r, "It fails without torch.compile, too: the compiler is not at fault.");
    else if (!conclude_resuming(r, TRIAL_EAGER ".2"))
        rerun_conclude(r, "It is not deterministic: without torch.compile it fails once and works once. The compiler "
                          "is not at fault for that.");
    return 0;
}

static void conclude_disagreement(struct rerun *r, const struct trial *again)
{
    if (conclude_resuming(r, TRIAL_EAGER ".2"))
        return;
    rerun_conclude(
        r,
        "It is not deterministic: two runs without torch.compile differ%s%.*s, so no stage of the compiler can be "
        "blamed. Seed the random numbers, or compare something that is always the same.",
        difference(again).n ? ": " : "", STR_ARG(difference(again)));
}

/* The base is bad compared with a good run without torch.compile. Is it bad each time? */
static int check_twice(struct rerun *r)
{
    struct trial *again;
    int rc = control_eager(r, true, &again);

    if (rc || r->interrupted)
        return rc;
    if (trial_is_bad(again)) {
        conclude_disagreement(r, again);
        return 0;
    }
    rc = control_base_again(r, &again);
    if (rc || r->interrupted)
        return rc;
    r->control.fault = trial_is_bad(again);
    if (!r->control.fault && !conclude_resuming(r, TRIAL_BASE ".2") && !conclude_resuming(r, TRIAL_EAGER ".2"))
        rerun_conclude(
            r,
            "It does not always fail: the same program %s once and works once, with empty caches each time. --repeats "
            "N shows how often.",
            trial_badness(rerun_base(r)));
    return 0;
}

static int look_for_fault(struct rerun *r)
{
    struct str nothing = rerun_why_nothing_compiled(r);
    struct trial *eager;
    int rc;

    if (nothing.n) {
        rerun_conclude(r, "%.*s The compiler is not at fault.", STR_ARG(nothing));
        return 0;
    }
    rc = control_eager(r, false, &eager);
    if (rc || r->interrupted)
        return rc;
    if (eager->not_applied.n) {
        rerun_conclude(r, "It cannot be run without torch.compile: %.*s", STR_ARG(eager->not_applied));
        return 0;
    }
    if (eager->failed)
        return check_failing_eager(r);
    if (compared_nothing(r, rerun_base(r)))
        rerun_conclude(r, "No result could be compared: %.*s", STR_ARG(rerun_base(r)->checks.v[0].detail));
    return trial_is_bad(rerun_base(r)) ? check_twice(r) : 0;
}

int control_run(struct rerun *r)
{
    size_t said = r->experiment->conclusions.n;
    int rc;

    if (r->control.done)
        return 0;
    rc = look_for_fault(r);
    r->control.done = true;
    r->control.clean = !r->control.fault && r->experiment->conclusions.n == said;
    return rc;
}
