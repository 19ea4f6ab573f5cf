/* Which advice of a report can be tried from outside, and why the rest cannot. */
#include "unit.h"

#include "relaunch/procedures/fix_plan.h"

static void what_can_be_tried(void **state)
{
    static const struct {
        enum paste_kind kind;
        const char *text, *why; /* "" if it can be tried, NULL if it is not in the plan */
    } cases[] = {
        {PASTE_SETTING, "torch._dynamo.config.capture_scalar_outputs = True", ""},
        {PASTE_ENVIRONMENT, "TORCHINDUCTOR_FX_GRAPH_CACHE=1", ""},
        {PASTE_ENVIRONMENT, "TORCH_LOGS=recompiles", "it shows more, and changes nothing"},
        {PASTE_ENVIRONMENT, "A=1 TORCH_TRACE=/tmp/x", "it shows more, and changes nothing"},
        {PASTE_ENVIRONMENT, "TORCHINDUCTOR_CACHE_DIR=/x",
         "it only helps from the second launch on, and each trial has empty caches; --warm shows it"},
        {PASTE_ENVIRONMENT, "no variable", "it names no variable"},
        {PASTE_COMMAND, "pip install -U torch", "it is a separate command"},
        {PASTE_PATTERN, "torch.compile(..., dynamic=True)", ""},
        {PASTE_PATTERN, "torch.where(a, b, c)", "the source must be changed by hand: the text is a pattern"},
        {PASTE_STATEMENT, "torch._dynamo.mark_dynamic(x, 0)", ""},
        {PASTE_NONE, "", "the source must be changed by hand"},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct experiment experiment = {0};
        struct rerun r = {.arena = a, .experiment = &experiment};
        struct trial_finding x = {.id = STR("recompile-size"),
                                  .title = STR("recompiles"),
                                  .severity = FINDING_LOW,
                                  .advice = STR("Do it."),
                                  .paste = {.kind = cases[i].kind,
                                            .text = str_of(cases[i].text),
                                            .file = STR("/srv/shop.py"),
                                            .line = 7}};
        const struct fix *f;

        vec_push(a, &r.base_facts.findings, x);
        fix_plan(&r);
        assert_int_equal(experiment.fixes.n, 1);
        f = &experiment.fixes.v[0];
        assert_str(f->measured, cases[i].why);
        assert_str(f->finding, "recompile-size");
        assert_str(f->title, "recompiles");
        assert_int_equal(fix_can_be_tried(f), *cases[i].why == '\0');
        assert_int_equal(f->line, cases[i].kind == PASTE_STATEMENT ? 7 : 0);
        assert_int_equal(f->file.n > 0, cases[i].kind == PASTE_STATEMENT);
    }
    arena_free(a);
}

/* A finding without a text is in the plan only if it asks for something of its own. */
static void what_is_in_the_plan(void **state)
{
    static const struct {
        struct trial_finding finding;
        size_t fixes;
    } cases[] = {
        {{.advice = STR_INIT("Do it."), .severity = FINDING_LOW}, 1},
        {{.severity = FINDING_LOW}, 0},
        {{.advice = STR_INIT("Do it."), .severity = FINDING_INFO}, 0},
        {{.advice = STR_INIT("Do it."), .severity = FINDING_LOW, .follows = true}, 0},
        {{.severity = FINDING_INFO, .follows = true, .paste = {.kind = PASTE_SETTING}}, 1},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct experiment experiment = {0};
        struct rerun r = {.arena = a, .experiment = &experiment};

        vec_push(a, &r.base_facts.findings, cases[i].finding);
        fix_plan(&r);
        if (experiment.fixes.n != cases[i].fixes)
            fail_msg("case %zu: %zu", i, experiment.fixes.n);
    }
    arena_free(a);
}

/* A statement whose line is unknown has no place in the program. */
static void statements_without_a_place(void **state)
{
    static const struct {
        const char *file;
        int64_t line;
        bool has_place;
    } cases[] = {{"/srv/shop.py", 1, true}, {"/srv/shop.py", 0, false}, {"", 7, false}};
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct experiment experiment = {0};
        struct rerun r = {.arena = a, .experiment = &experiment};
        struct trial_finding x = {.paste = {.kind = PASTE_STATEMENT,
                                            .text = STR("torch._dynamo.mark_dynamic(x, 0)"),
                                            .file = str_of(cases[i].file),
                                            .line = cases[i].line}};

        vec_push(a, &r.base_facts.findings, x);
        fix_plan(&r);
        assert_str(experiment.fixes.v[0].measured, cases[i].has_place ? "" : "its place in the program is not known");
    }
    arena_free(a);
}

/* One text at two places is two fixes. */
static void the_same_fix(void **state)
{
    const struct fix f = {.kind = STR("statement"), .text = STR("x"), .file = STR("a.py"), .line = 3};
    struct fix other;

    (void)state;
    other = f;
    assert_true(fix_is_same(&f, &other));
    other.line = 4;
    assert_false(fix_is_same(&f, &other));
    other = f;
    other.kind = STR("setting");
    assert_false(fix_is_same(&f, &other));
    other = f;
    other.text = STR("y");
    assert_false(fix_is_same(&f, &other));
    other = f;
    other.file = STR("b.py");
    assert_false(fix_is_same(&f, &other));
    assert_true(fix_is_of_caches(&(struct fix){.finding = STR("cache-cold")}));
    assert_false(fix_is_of_caches(&(struct fix){.finding = STR("recompile-size")}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_can_be_tried), cmocka_unit_test(what_is_in_the_plan),
                                       cmocka_unit_test(statements_without_a_place), cmocka_unit_test(the_same_fix)};

    return RUN(tests);
}
