#include "relaunch/procedures/fix_judge.h"

#include "view/format.h"

#define ARROW " \xe2\x86\x92 "

/* A time only counts as shorter if it is shorter by this much than in both launches; smaller differences are noise. */
enum { TIME_PERCENT = 80, TIME_LEAST_US = 300000, CALLS_LEAST_US = 1000 };

struct judging {
    struct rerun *r;
    const struct trial *base, *again, *now;
    struct str words;
};

static void say(struct judging *j, struct str words)
{
    j->words = j->words.n ? arena_printf(j->r->arena, "%.*s, %.*s", STR_ARG(j->words), STR_ARG(words)) : words;
}

/* --- counts ------------------------------------------------------------------------------------------------------- */

/* How a number changed: -1 less, 1 more than in both launches; 0 otherwise. */
static int change_of(int64_t base, int64_t again, int64_t now)
{
    if (base < 0 || again < 0 || now < 0)
        return 0;
    return (now > base && now > again) - (now < base && now < again);
}

static int compare_count(struct judging *j, const char *name, int64_t base, int64_t again, int64_t now)
{
    int change = change_of(base, again, now);

    if (change && base == again)
        say(j, arena_printf(j->r->arena, "%s %lld" ARROW "%lld", name, (long long)base, (long long)now));
    else if (change)
        say(j, arena_printf(j->r->arena, "%s %lld and %lld" ARROW "%lld", name, (long long)base, (long long)again,
                            (long long)now));
    return change;
}

/* --- times -------------------------------------------------------------------------------------------------------- */

static bool is_shorter(int64_t now, int64_t base, int64_t again, int64_t least_us)
{
    int64_t least = base < again ? base : again;

    return now >= 0 && least > 0 && now <= least - least_us && (double)now <= (double)least * TIME_PERCENT / 100;
}

/* True if it is shorter, which is then reported. Two launches are not enough to prove that it is longer. */
static bool compare_time(struct judging *j, const char *name, int64_t base, int64_t again, int64_t now,
                         int64_t least_us)
{
    bool shorter = is_shorter(now, base, again, least_us);

    if (shorter)
        say(j, arena_printf(j->r->arena, "%s %.*s" ARROW "%.*s", name,
                            STR_ARG(format_duration_us(j->r->arena, base < again ? base : again)),
                            STR_ARG(format_duration_us(j->r->arena, now))));
    return shorter;
}

/* --- findings ----------------------------------------------------------------------------------------------------- */

static bool has(const struct trial_facts *facts, const struct trial_finding *x)
{
    vec_each(const struct trial_finding, f, &facts->findings)
    {
        if (f->info == x->info && f->line == x->line && str_eq(f->file, x->file))
            return true;
    }
    return false;
}

/* A finding at least as bad as the given one that is in neither of the two launches. */
static const struct trial_finding *find_fresh(const struct fix_controls *c, enum finding_severity severity,
                                              const struct fix_side *now)
{
    vec_each(const struct trial_finding, x, &now->facts.findings)
    {
        if (x->severity <= severity && x->severity < FINDING_INFO && !has(&c->base.facts, x) &&
            !has(&c->again.facts, x))
            return x;
    }
    return NULL;
}

static int64_t weight_of(const struct trial_facts *facts)
{
    static const int weights[FINDING_SEVERITIES] = {10000, 1000, 100, 10, 0};
    int64_t weight = 0;

    vec_each(const struct trial_finding, x, &facts->findings) weight += weights[x->severity];
    return weight;
}

/* --- results ------------------------------------------------------------------------------------------------------ */

static bool checks_results(const struct workload *w)
{
    vec_each(const struct check, c, &w->checks) if (c->kind != CHECK_EXIT) return true;
    return false;
}

static enum check_outcome compare_checks(const struct trial *again, const struct trial *now, struct str *why)
{
    enum check_outcome outcome = CHECK_NOT_COMPARED;

    vec_each(const struct trial_check, c, &again->checks) if (c->outcome == CHECK_DIFFERENT)
    {
        *why = STR("two launches of the unchanged program give different results");
        return CHECK_NOT_COMPARED;
    }
    vec_each(const struct trial_check, c, &now->checks)
    {
        if (c->outcome == CHECK_SAME && outcome == CHECK_NOT_COMPARED && !str_starts(c->what, STR("exit ")))
            outcome = CHECK_SAME;
        if (c->outcome != CHECK_DIFFERENT)
            continue;
        *why = c->detail;
        return CHECK_DIFFERENT;
    }
    return outcome;
}

static enum check_outcome compare_output(struct rerun *r, const struct fix_controls *c, const struct fix_side *now,
                                         struct str *why)
{
    bool by_eager = rerun_base(r)->failed;
    size_t first = by_eager ? c->eager[0] : c->base.trial, second = by_eager ? c->eager[1] : c->again.trial;
    struct check_result result;

    if (by_eager && c->eager[1] == 0)
        return CHECK_NOT_COMPARED;
    check_whole_output(r->arena, &r->checks, first, second, now->trial, &result);
    *why = check_words(r->arena, &result, r->experiment->trials.v[first].name);
    return result.outcome;
}

static enum check_outcome compare_results(struct rerun *r, const struct fix_controls *c, const struct fix_side *now,
                                          struct str *why)
{
    const struct trial *trials = r->experiment->trials.v;

    *why = STR("none of its output is the same each time");
    if (!checks_results(r->workload))
        return compare_output(r, c, now, why);
    return compare_checks(&trials[rerun_base(r)->failed && c->eager[1] ? c->eager[1] : c->again.trial],
                          &trials[now->trial], why);
}

/* --- the verdict -------------------------------------------------------------------------------------------------- */

static struct str failure_words(struct arena *a, const struct trial *t)
{
    struct str error = t->error.n ? t->error : trial_failure(a, t);

    return arena_printf(a, "`%.*s`", STR_ARG(str_take(error, 200)));
}

/* Counts that went up or down and are reported. */
struct counts_changed {
    int breaks, recompiles, errors, compiles;
    bool any, less, more;
};

static struct counts_changed compare_counts(struct judging *j)
{
    const struct trial *b = j->base, *a = j->again, *n = j->now;
    struct counts_changed c = {
        .breaks = compare_count(j, "graph breaks", b->graph_breaks, a->graph_breaks, n->graph_breaks),
        .recompiles = compare_count(j, "recompiles", b->recompiles, a->recompiles, n->recompiles),
        .errors = compare_count(j, "errors", b->errors, a->errors, n->errors),
        .compiles = compare_count(j, "compiles", b->compiles, a->compiles, n->compiles),
    };

    c.any = c.breaks || c.recompiles || c.errors || c.compiles;
    c.less = c.breaks < 0 || c.recompiles < 0 || c.errors < 0;
    c.more = c.breaks > 0 || c.recompiles > 0 || c.errors > 0;
    return c;
}

/*
 * Whether there are fewer graph breaks, recompiles or errors, or fewer findings: a higher limit may cost recompiles
 * and yet end something worse.
 */
static bool counts_help(const struct counts_changed *n, bool gone, const struct trial_finding *fresh)
{
    if (n->less && !n->more)
        return true;
    return gone && !fresh && n->any && n->breaks <= 0 && n->errors <= 0;
}

static bool is_faster(struct judging *j, const struct counts_changed *n)
{
    const struct trial *b = j->base, *a = j->again, *now = j->now;
    bool faster = compare_time(j, "compile time", b->compile_us, a->compile_us, now->compile_us, TIME_LEAST_US);

    faster |= compare_time(j, "calls of compiled code", b->calls_us, a->calls_us, now->calls_us, CALLS_LEAST_US);
    faster |= compare_time(j, "GPU time", b->gpu_us, a->gpu_us, now->gpu_us, CALLS_LEAST_US);
    if (n->any)
        return faster;
    return compare_time(j, "whole run", b->wall_us, a->wall_us, now->wall_us, TIME_LEAST_US) || faster;
}

/* Decides by the numbers. */
static enum fix_outcome weigh(struct judging *j, const struct fix_controls *c, const struct trial_finding *finding,
                              const struct fix_side *now, bool *by_time_alone)
{
    const struct counts_changed n = compare_counts(j);
    const struct trial_finding *fresh = find_fresh(c, finding ? finding->severity : FINDING_LOW, now);
    bool gone = finding ? !has(&now->facts, finding) && has(&c->again.facts, finding)
                        : weight_of(&now->facts) < weight_of(&c->base.facts);
    bool faster = is_faster(j, &n), worse = fresh && finding && fresh->severity < finding->severity;

    if (fresh)
        say(j, arena_printf(j->r->arena, "a new finding: %.*s", STR_ARG(fresh->title)));
    if (finding && gone && n.more)
        say(j, STR("the finding is gone"));
    if (j->base->failed || (!worse && counts_help(&n, gone, fresh)))
        return FIX_HELPS;
    *by_time_alone = faster && !fresh && !n.more;
    if (*by_time_alone)
        return FIX_HELPS;
    return finding && gone && !fresh && !n.more ? FIX_GONE : FIX_NO_EFFECT;
}

static bool fails_alike(const struct judging *j)
{
    return str_eq(j->base->end, j->now->end) && j->base->status == j->now->status &&
           str_eq(j->base->error, j->now->error);
}

struct fix_verdict fix_judge(struct rerun *r, const struct fix_controls *c, const struct trial_finding *finding,
                             const struct fix_side *now)
{
    const struct trial *trials = r->experiment->trials.v;
    struct judging j = {r, &trials[c->base.trial], &trials[c->again.trial], &trials[now->trial], {"", 0}};
    struct fix_verdict v = {.weight = weight_of(&now->facts)};
    enum check_outcome results;
    struct str why;

    if (j.now->not_applied.n) {
        why = j.now->not_applied; /* what shows it ends the sentence */
        why = str_ends(why, STR(".")) ? str_drop(why, 1) : why;
        return (struct fix_verdict){.outcome = FIX_NOT_APPLIED, .measured = why};
    }
    if (j.now->failed) {
        v.outcome = j.base->failed && fails_alike(&j) ? FIX_NO_EFFECT : FIX_RAISES;
        v.measured = v.outcome == FIX_RAISES ? failure_words(r->arena, j.now) : STR("it fails as before");
        return v;
    }
    results = compare_results(r, c, now, &why);
    v.outcome = weigh(&j, c, finding, now, &v.by_time_alone);
    if (j.base->failed)
        say(&j, STR("it failed, and succeeds now"));
    if (j.words.n == 0)
        j.words = STR("no count and no time changed");
    if (results == CHECK_DIFFERENT)
        v.outcome = FIX_DIFFERS;
    v.compared = results != CHECK_NOT_COMPARED;
    v.measured = arena_printf(r->arena, "%.*s; %s%.*s", STR_ARG(j.words),
                              results == CHECK_SAME        ? "results the same"
                              : results == CHECK_DIFFERENT ? "results differ: "
                                                           : "results were not compared: ",
                              results == CHECK_SAME ? 0 : (int)why.n, why.p);
    return v;
}
