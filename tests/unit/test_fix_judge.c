#include "temp.h"

#include "relaunch/procedures/fix_judge.h"

#define ARROW " \xe2\x86\x92 "

enum { BASE, AGAIN, NOW, EAGER, EAGER_AGAIN, SIDES };

/* What a launch did. */
struct did {
    int64_t breaks, recompiles, errors, compiles;
    int64_t compile_ms, wall_ms, calls_ms, gpu_ms;
    const char *prints, *error;
    int finding, fresh; /* severity plus 1; 0: it has none */
    bool fails;
    int check; /* the outcome of the workload's own check, plus 1; 0: it has none */
    const char *not_applied;
};

static struct arena *arena;
static struct finding_info asked = {.id = "asked"}, other = {.id = "other"};

static void add_finding(struct trial_facts *facts, const struct finding_info *info, int severity)
{
    struct trial_finding x = {.info = info,
                              .id = str_of(info->id),
                              .title = str_of(info->id),
                              .file = STR("train.py"),
                              .line = 3,
                              .severity = (enum finding_severity)(severity - 1)};

    if (severity)
        vec_push(arena, &facts->findings, x);
}

static int64_t us_of(int64_t ms)
{
    return ms ? ms * 1000 : -1;
}

static struct fix_side make_side(struct rerun *r, size_t i, const struct did *d)
{
    static const char *const names[SIDES] = {"base", "base.2", "fix-1", "eager", "eager.2"};
    struct trial *t = &r->experiment->trials.v[i];
    struct fix_side side = {.trial = i};
    const char *prints = d->prints ? d->prints : "loss 0.25\n";
    struct check_side output = {.name = str_of(names[i])};

    *t = (struct trial){.name = str_of(names[i]),
                        .end = STR("exited"),
                        .status = d->fails,
                        .failed = d->fails,
                        .traced = true,
                        .error = d->error ? str_of(d->error) : (struct str){"", 0},
                        .graph_breaks = d->breaks,
                        .recompiles = d->recompiles,
                        .errors = d->errors,
                        .compiles = d->compiles,
                        .compile_us = us_of(d->compile_ms),
                        .wall_us = us_of(d->wall_ms),
                        .calls_us = us_of(d->calls_ms),
                        .gpu_us = us_of(d->gpu_ms)};
    if (d->check) {
        vec_push(arena, &t->checks, ((struct trial_check){.what = STR("exit 0"), .outcome = CHECK_SAME}));
        vec_push(arena, &t->checks,
                 ((struct trial_check){STR("file x.npy"), (enum check_outcome)(d->check - 1), STR("3 here, 4 there")}));
    }
    t->not_applied = str_of(d->not_applied);
    add_finding(&side.facts, &asked, d->finding);
    add_finding(&side.facts, &other, d->fresh);
    output.output = arena_str(arena, str_of(temp_write(names[i], str_of(prints)))).p;
    vec_push(arena, &r->checks.sides, output);
    return side;
}

/* "helps: graph breaks 2 -> 0; results the same", of one fix for the finding of the first launch. */
static const char *judge(const struct did *base, const struct did *again, const struct did *now)
{
    static const char *const outcomes[FIX_OUTCOMES] = {"helps",  "gone",        "no effect", "differs",
                                                       "raises", "not applied", "not tried"};
    const struct did eager = {.prints = "loss 0.25\n"};
    struct workload w = {0};
    struct rerun r = {.arena = arena, .workload = &w, .checks = {.workload = &w}};
    struct fix_controls c = {0};
    struct fix_verdict v;
    struct fix_side side;

    if (base->check)
        vec_push(arena, &w.checks, ((struct check){.kind = CHECK_EXIT}));
    if (base->check)
        vec_push(arena, &w.checks, ((struct check){.kind = CHECK_FILE}));
    r.experiment = ARENA_NEW(arena, struct experiment);
    for (int i = 0; i < SIDES; i++)
        vec_push(arena, &r.experiment->trials, (struct trial){0});
    c.base = make_side(&r, BASE, base);
    c.again = make_side(&r, AGAIN, again);
    side = make_side(&r, NOW, now);
    make_side(&r, EAGER, &eager);
    make_side(&r, EAGER_AGAIN, &eager);
    c.eager[0] = base->fails ? EAGER : 0;
    c.eager[1] = base->fails ? EAGER_AGAIN : 0;
    v = fix_judge(&r, &c, &c.base.facts.findings.v[0], &side);
    return arena_printf(arena, "%s%s: %.*s", outcomes[v.outcome], v.by_time_alone ? " by time" : "",
                        STR_ARG(v.measured))
        .p;
}

static const struct did plain = {2, 3, 0, 6, 5000, 9000, 50, 80, NULL, NULL, FINDING_MEDIUM + 1, 0, false, 0, NULL};

/* The program as it is, but for what `change` sets. */
#define WITH(name, ...)                                                                                                \
    struct did name = plain;                                                                                           \
    __VA_ARGS__

static void counts(void **state)
{
    WITH(better, better.breaks = 0; better.recompiles = 1; better.compiles = 2; better.finding = 0);
    WITH(worse, worse.recompiles = 5);
    WITH(mixed, mixed.breaks = 0; mixed.recompiles = 5);
    WITH(other_base, other_base.recompiles = 7);
    WITH(between, between.recompiles = 5);

    (void)state;
    assert_string_equal(judge(&plain, &plain, &better), "helps: graph breaks 2" ARROW "0, recompiles 3" ARROW
                                                        "1, compiles 6" ARROW "2; results the same");
    assert_string_equal(judge(&plain, &plain, &worse), "no effect: recompiles 3" ARROW "5; results the same");
    assert_string_equal(judge(&plain, &plain, &mixed),
                        "no effect: graph breaks 2" ARROW "0, recompiles 3" ARROW "5; results the same");
    /* What two launches as it is differ in is no measure. */
    assert_string_equal(judge(&plain, &other_base, &between),
                        "no effect: no count and no time changed; results the same");
    between.recompiles = 1;
    assert_string_equal(judge(&plain, &other_base, &between), "helps: recompiles 3 and 7" ARROW "1; results the same");
}

static void findings(void **state)
{
    WITH(gone, gone.finding = 0);
    WITH(limit, limit.finding = 0; limit.recompiles = 6; limit.compiles = 9);
    WITH(swapped, swapped.finding = 0; swapped.breaks = 1; swapped.fresh = FINDING_HIGH + 1);
    WITH(lesser, lesser.finding = 0; lesser.breaks = 1; lesser.fresh = FINDING_LOW + 1);

    (void)state;
    assert_string_equal(judge(&plain, &plain, &gone), "gone: no count and no time changed; results the same");
    /* A higher limit costs recompiles, and ends what is worse. */
    assert_string_equal(judge(&plain, &plain, &limit),
                        "helps: recompiles 3" ARROW "6, compiles 6" ARROW "9, the finding is gone; results the same");
    assert_string_equal(judge(&plain, &plain, &swapped),
                        "no effect: graph breaks 2" ARROW "1, a new finding: other; results the same");
    assert_string_equal(judge(&plain, &plain, &lesser), "helps: graph breaks 2" ARROW "1; results the same");
}

static void times(void **state)
{
    WITH(compile, compile.compile_ms = 3900);
    WITH(little, little.compile_ms = 4100; little.wall_ms = 7300);
    WITH(calls, calls.calls_ms = 39);
    WITH(gpu, gpu.gpu_ms = 60);
    WITH(slow, slow.compile_ms = 9000; slow.wall_ms = 20000);
    WITH(quick, quick.compile_ms = 100);
    WITH(quicker, quicker.compile_ms = 1);
    WITH(once, once.compile_ms = 3000);

    (void)state;
    assert_string_equal(judge(&plain, &plain, &compile),
                        "helps by time: compile time 5.00 s" ARROW "3.90 s; results the same");
    assert_string_equal(judge(&plain, &plain, &little), "no effect: no count and no time changed; results the same");
    assert_string_equal(judge(&plain, &plain, &calls),
                        "helps by time: calls of compiled code 50 ms" ARROW "39 ms; results the same");
    assert_string_equal(judge(&plain, &plain, &gpu), "helps by time: GPU time 80 ms" ARROW "60 ms; results the same");
    /* That it is slower nobody knows of one launch. */
    assert_string_equal(judge(&plain, &plain, &slow), "no effect: no count and no time changed; results the same");
    assert_string_equal(judge(&quick, &quick, &quicker), "no effect: no count and no time changed; results the same");
    assert_string_equal(judge(&plain, &once, &compile), "no effect: no count and no time changed; results the same");
    /* What was not recorded is not compared. */
    calls.gpu_ms = calls.calls_ms = 0;
    assert_string_equal(judge(&plain, &plain, &calls), "no effect: no count and no time changed; results the same");
}

static void results(void **state)
{
    WITH(other_loss, other_loss.breaks = 0; other_loss.prints = "loss 0.5\n");
    WITH(random, random.prints = "loss 0.9\n");
    WITH(better, better.breaks = 0; better.prints = "loss 0.1\n");

    (void)state;
    assert_string_equal(judge(&plain, &plain, &other_loss),
                        "differs: graph breaks 2" ARROW "0; results differ: loss 0.5 here, loss 0.25 in base (line 1)");
    assert_string_equal(judge(&plain, &random, &better),
                        "helps: graph breaks 2" ARROW
                        "0; results were not compared: two runs have no output in common");
}

static void failures(void **state)
{
    WITH(raises, raises.fails = true; raises.error = "TypeError: no");
    WITH(broken, broken.fails = true; broken.error = "InductorError: buf1"; broken.errors = 1);
    WITH(mended, mended.errors = 0);

    (void)state;
    assert_string_equal(judge(&plain, &plain, &raises), "raises: `TypeError: no`");
    assert_string_equal(judge(&broken, &broken, &broken), "no effect: it fails as before");
    assert_string_equal(judge(&broken, &broken, &raises), "raises: `TypeError: no`");
    assert_string_equal(judge(&broken, &broken, &mended),
                        "helps: errors 1" ARROW "0, it failed, and succeeds now; results the same");
    /* Compared with the program without torch.compile. */
    mended.prints = "loss 7\n";
    assert_memory_equal(judge(&broken, &broken, &mended), "differs: ", 9);
}

/* The workload's own checks decide, if it has any but its exit status; then nothing that it prints is compared. */
static void checks(void **state)
{
    WITH(checked, checked.check = CHECK_SAME + 1);
    WITH(same, same.check = CHECK_SAME + 1; same.breaks = 0; same.prints = "loss 7\n");
    WITH(differs, differs.check = CHECK_DIFFERENT + 1; differs.breaks = 0);
    WITH(varies, varies.check = CHECK_DIFFERENT + 1);
    WITH(unknown, unknown.check = CHECK_NOT_COMPARED + 1; unknown.breaks = 0);

    (void)state;
    assert_string_equal(judge(&checked, &checked, &same), "helps: graph breaks 2" ARROW "0; results the same");
    assert_string_equal(judge(&checked, &checked, &differs),
                        "differs: graph breaks 2" ARROW "0; results differ: 3 here, 4 there");
    assert_string_equal(judge(&checked, &checked, &unknown),
                        "helps: graph breaks 2" ARROW
                        "0; results were not compared: none of its output is the same each time");
    assert_string_equal(judge(&checked, &varies, &same),
                        "helps: graph breaks 2" ARROW "0; results were not compared: two launches of the unchanged "
                        "program give different results");
    assert_string_equal(judge(&checked, &varies, &differs),
                        "helps: graph breaks 2" ARROW "0; results were not compared: two launches of the unchanged "
                        "program give different results");
}

static void not_applied(void **state)
{
    WITH(lost, lost.not_applied = "`model.py` was not read."; lost.fails = true);

    (void)state;
    assert_string_equal(judge(&plain, &plain, &lost), "not applied: `model.py` was not read");
    lost.not_applied = "no call was seen";
    assert_string_equal(judge(&plain, &plain, &lost), "not applied: no call was seen");
}

static int begin(void **state)
{
    (void)state;
    arena = arena_new();
    return 0;
}

static int end(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts),  cmocka_unit_test(findings), cmocka_unit_test(times),
        cmocka_unit_test(results), cmocka_unit_test(failures), cmocka_unit_test(checks),
        cmocka_unit_test(not_applied),
    };

    return cmocka_run_group_tests(tests, begin, end);
}
