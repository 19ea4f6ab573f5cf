/* run.json: what is written is read as the same, and what is not one is refused with a reason. */
#include "unit.h"

#include "digest/experiment_file.h"

static void written_is_read(void **state)
{
    struct arena *a = arena_new();
    struct env_setting settings[] = {{STR("A"), STR("1"), false}, {STR("B"), STR(""), true}};
    struct trial_check checks[] = {{STR("exit"), CHECK_DIFFERENT, STR("0 there, 3 here")}};
    struct trial_change changes[] = {{true, STR("graph break"), STR("print at a.py:3")}};
    struct trial trials[] = {{.name = STR("base"),
                              .command = STR("A=1 python x.py"),
                              .environment = {.v = settings, .n = 2},
                              .end = STR("exited"),
                              .status = 3,
                              .signal = -1,
                              .wall_us = 1500000,
                              .failed = true,
                              .traced = true,
                              .compiles = 2,
                              .graph_breaks = 0,
                              .recompiles = -1,
                              .errors = 1,
                              .compile_us = -1,
                              .gpu_us = 7,
                              .error = STR("InductorError: \"x\""),
                              .stage = STR("inductor"),
                              .checks = {.v = checks, .n = 1},
                              .changes = {.v = changes, .n = 1}}};
    struct fix fixes[] = {{.finding = STR("break-print"),
                           .title = STR("it prints"),
                           .kind = STR("statement"),
                           .text = STR("x = 1"),
                           .file = STR("a.py"),
                           .line = 3,
                           .outcome = FIX_DIFFERS,
                           .measured = STR("results differ"),
                           .trial = STR("fix-1"),
                           .compared = true,
                           .chosen = true},
                          {.finding = STR("error"), .outcome = FIX_NOT_TRIED}};
    struct str conclusions[] = {STR("It fails."), STR("\xe2\x80\xa6")};
    const struct experiment x = {.question = STR("breaks"),
                                 .command = STR("python x.py"),
                                 .directory = STR("/w"),
                                 .torch = STR("2.13.0"),
                                 .program = STR("print(1)\n"),
                                 .fixes = {.v = fixes, .n = 2},
                                 .patch = STR("A=1 python x.py"),
                                 .conclusions = {.v = conclusions, .n = 2},
                                 .trials = {.v = trials, .n = 1}};
    struct experiment back;
    struct buf first = {0}, second = {0};

    (void)state;
    experiment_write(&x, &first);
    assert_true(experiment_sniff(buf_view(&first)));
    assert_str(experiment_read(a, buf_view(&first), &back), "");
    experiment_write(&back, &second);
    assert_lines(buf_view(&second), buf_view(&first));
    assert_int_equal(back.trials.n, 1);
    assert_int_equal(back.trials.v[0].status, 3);
    assert_int_equal(back.trials.v[0].signal, -1);
    assert_int_equal(back.trials.v[0].graph_breaks, 0);
    assert_int_equal(back.trials.v[0].recompiles, -1);
    assert_true(back.trials.v[0].environment.v[1].unset);
    assert_int_equal(back.trials.v[0].checks.v[0].outcome, CHECK_DIFFERENT);
    assert_int_equal(back.fixes.n, 2);
    assert_int_equal(back.fixes.v[0].outcome, FIX_DIFFERS);
    assert_int_equal(back.fixes.v[0].line, 3);
    assert_int_equal(back.fixes.v[1].outcome, FIX_NOT_TRIED);
    assert_true(trial_is_bad(&back.trials.v[0]));
    assert_str(back.conclusions.v[1], "\xe2\x80\xa6");
    buf_free(&first);
    buf_free(&second);
    arena_free(a);
}

/* What was asked and what was done about it come first. */
static void order_of_fields(void **state)
{
    const struct experiment x = {
        .question = STR("breaks"), .procedure = STR("fix"), .command = STR("python x.py"), .directory = STR("/w")};
    struct buf out = {0};

    (void)state;
    experiment_write(&x, &out);
    assert_true(str_starts(buf_view(&out), STR("{\"schema\": \"pt2trace-run\",\n \"version\": 1,\n \"question\": "
                                               "\"breaks\",\n \"procedure\": \"fix\",\n \"command\": ")));
    buf_free(&out);
}

static void refused(void **state)
{
    static const struct {
        const char *text, *wrong;
    } cases[] = {
        {"{\"schema\": \"pt2trace-run\", \"version\": 1}", ""},
        {"{\"schema\": \"pt2trace-run\", \"version\": 2}", "its version is 2; this pt2trace reads version 1"},
        {"{\"schema\": \"pt2trace-run\"}", "its version is -1; this pt2trace reads version 1"},
        {"{\"schema\": \"pt2trace-report\", \"version\": 1}", "not what `pt2trace run` writes"},
        {"[]", "not what `pt2trace run` writes"},
        {"{\"schema\": \"pt2trace-run\", \"version\": 1, \"trials\": [1, {\"name\": 3, \"status\": -5, \"checks\": {}, "
         "\"environment\": [], \"changes\": [null]}], \"conclusions\": [null, 7]}",
         ""},
    };
    struct arena *a = arena_new();
    struct experiment x;

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_str(experiment_read(a, str_of(cases[i].text), &x), cases[i].wrong);
    assert_int_equal(x.trials.n, 2);
    assert_int_equal(x.trials.v[1].status, -1);
    assert_str(x.trials.v[1].name, "");
    assert_true(str_starts(experiment_read(a, STR("{\"schema\": \"pt2trace-run\", "), &x), STR("not JSON: ")));
    arena_free(a);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(written_is_read), cmocka_unit_test(order_of_fields),
                                             cmocka_unit_test(refused)};

    return RUN(tests);
}
