/* What is said of functions behind decorators: the class, and arguments by their names, all from the trees of guards.
 */
#include "answers_text.h"

/* --- trees -------------------------------------------------------------------------------------------------------- */

/* A variable of the frame, and below it what the check says. */
static void variable(struct buf *b, const char *name, int position, const char *type, const char *check)
{
    buf_printf(b,
               "| +- GuardManager: source=L['%s'], accessed_by=FrameLocalsGuardAccessor(key='%s', framelocals_idx=%d), "
               "type=<class '%s'>, tag_safe=(False, False)\n",
               name, name, position, type);
    if (check)
        buf_printf(b, "| | +- %s\n", check);
}

static void key(struct buf *b, const char *name, const char *check)
{
    buf_printf(b,
               "| | +- GuardManager: source=L['kwargs']['%s'], accessed_by=DictGetItemGuardAccessor('%s'), "
               "type=<class 'torch.Tensor'>, tag_safe=(False, False)\n| | | +- %s\n",
               name, name, check);
}

#define NOT_NONE(name) "TYPE_MATCH: ___check_type_id(L['kwargs']['" name "'], 7), type=<class 'torch.Tensor'>"

/* Of `wrapper(self, *args, **kwargs)`, which calls `func`. keys: a letter for each argument: i(ds), m(ask), l(abels).
 */
static void tree(struct trace_text *t, int compile, int func, int length, const char *keys)
{
    struct buf b = {0};
    char check[200];

    buf_printf(&b, "\nTREE_GUARD_MANAGER:\n+- RootGuardManager\n");
    variable(&b, "args", 1, "tuple", "LENGTH_CHECK: not L['args']");
    variable(&b, "func", 5, "function", NULL);
    buf_printf(&b,
               "| | +- GuardManager: source=L['func'].__code__, accessed_by=CodeGuardAccessor, type=<class 'code'>\n");
    buf_printf(&b, "| | | +- ID_MATCH: ___check_obj_id(L['func'].__code__, %d), type=<class 'code'>\n", func);
    /* Its default values stand below another manager of the same source. */
    buf_printf(&b,
               "| +- GuardManager: source=L['func'], accessed_by=FuncDefaultsGuardAccessor, type=<class 'tuple'>\n");
    snprintf(check, sizeof check, "DICT_LENGTH: len(L['kwargs']) == %d", length);
    variable(&b, "kwargs", 2, "dict", check);
    if (strchr(keys, 'i'))
        key(&b, "ids", NOT_NONE("ids"));
    if (strchr(keys, 'm'))
        key(&b, "mask", NOT_NONE("mask"));
    if (strchr(keys, 'l'))
        key(&b, "labels", NOT_NONE("labels"));
    variable(&b, "self", 0, "shop.models.Reader", "TYPE_MATCH: ___check_type_id(L['self'], 9)");
    trace_artifact(t, "dynamo_cpp_guards_str", trace_ids(0, compile, 0), buf_view(&b).p);
    buf_free(&b);
}

/* --- traces ------------------------------------------------------------------------------------------------------- */

/* A start below torch.nn.Module.__call__, or below the function `caller` of the program. */
static void start(struct trace_text *t, int compile, const char *file, const char *caller, const char *line)
{
    if (compile == 0) {
        trace_record(t, "{\"str\": [\"/env/lib/python3.11/site-packages/torch/nn/modules/module.py\", 1]}");
        trace_record(t, "{\"str\": [\"/env/lib/python3.11/site-packages/shop/models.py\", 2]}");
    }
    trace_recordf(
        t,
        "{\"dynamo_start\": {\"stack\": [{\"line\": 100, \"name\": \"<module>\", \"filename\": 0, \"loc\": "
        "\"main()\"}, {\"line\": 7, \"name\": \"%s\", \"filename\": %s, \"loc\": \"%s\"}, {\"line\": 5, \"name\": "
        "\"wrapper\", \"filename\": 2}]}, %s}",
        caller, file, line, trace_ids(0, compile, 0));
}

struct call_of {
    int func, length; /* the wrapped function, the number of arguments by name */
    const char *keys;
};

/* Two compiles of the wrapper, which that line calls; the second for that reason. */
static const struct answers *twice_by(const char *line, const char *file, const char *caller,
                                      const struct call_of calls[2], const char *reason)
{
    struct trace_text t = {0};

    trace_file(&t);
    for (int i = 0; i < 2; i++) {
        if (i)
            trace_artifact(&t, "recompile_reasons", trace_ids(0, 1, 0), reason);
        start(&t, i, file, caller, line);
        tree(&t, i, calls[i].func, calls[i].length, calls[i].keys);
        trace_metrics(&t, trace_ids(0, i, 0), "\"graph_op_count\": 2");
    }
    return answers_of_trace(&t);
}

static const struct answers *twice(const char *file, const char *caller, const struct call_of calls[2],
                                   const char *reason)
{
    return twice_by("", file, caller, calls, reason);
}

#define MODULE "1", "_wrapped_call_impl"
#define PROGRAM "0", "step"

static void check_title(const struct answers *a, const char *id, const char *title)
{
    assert_str(answers_finding(a, id)->title, title);
    answers_free(a);
}

/* --- tests -------------------------------------------------------------------------------------------------------- */

static void names(void **state)
{
    static const struct call_of same[2] = {{3, 2, "im"}, {3, 2, "im"}};
    static const char reason[] = "0/0: tensor 'kwargs['mask']' size mismatch at index 1. expected 5, actual 7";

    (void)state;
    check_title(twice(MODULE, same, reason), "recompile-size",
                "`Reader.forward` recompiled once: dimension 1 of `mask` went from 5 to 7");
    check_title(twice(PROGRAM, same, reason), "recompile-size",
                "`Reader` recompiled once: dimension 1 of `mask` went from 5 to 7");
    check_title(twice(MODULE, same, "0/0: tensor 'args[1]' size mismatch at index 0. expected 5, actual 7"),
                "recompile-size", "`Reader.forward` recompiled once: dimension 0 of argument 2 went from 5 to 7");
}

/* What the calling line writes for an argument of the wrapped function. */
static void expressions(void **state)
{
    static const struct call_of same[2] = {{3, 2, "im"}, {3, 2, "im"}};
    static const struct {
        const char *line, *source, *words;
    } cases[] = {
        {"y = reader(a, b, mask=m)", "args[0]", "`a`"},
        {"y = reader(a, b, mask=m)", "args[1]", "`b`"},
        {"y = reader(a, b, mask=m)", "args[2]", "argument 3"},
        {"y = reader(a, b, mask=m)", "kwargs['mask']", "`m`"},
        {"y = reader(a, b, mask=m)", "kwargs['ids']", "`ids`"},
        {"y = reader(a, b.c[0])", "args[1]", "`b.c[0]`"},
        {"y = reader(a, b)", "args[1][0]", "`b[0]`"},
        {"y = reader(a, b * 2)", "args[1]", "argument 2"},
        {"y = reader(a, *rest)", "args[2]", "`rest[1]`"},
        {"y = reader(a, **more)", "kwargs['mask']", "`more[\"mask\"]`"},
        {"y = reader(a, b, mask=m.long())", "kwargs['mask']", "`mask`"},
        {"", "args[1]", "argument 2"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char reason[200], title[200];

        snprintf(reason, sizeof reason, "0/0: tensor '%s' size mismatch at index 0. expected 5, actual 7",
                 cases[i].source);
        snprintf(title, sizeof title, "`Reader` recompiled once: dimension 0 of %s went from 5 to 7", cases[i].words);
        check_title(twice_by(cases[i].line, PROGRAM, same, reason), "recompile-size", title);
    }
}

static void arguments(void **state)
{
    static const struct {
        struct call_of calls[2];
        const char *words;
    } cases[] = {
        {{{3, 2, "im"}, {3, 3, "iml"}}, "`labels` is now passed as well"},
        {{{3, 2, "im"}, {3, 1, "i"}}, "`mask` is no longer passed"},
        {{{3, 1, "i"}, {3, 3, "iml"}}, "`mask`, `labels` are now passed as well"},
        {{{3, 2, "im"}, {3, 5, "iml"}},
         "2 arguments were passed by name, and now 5"}, /* two that the code never uses */
        {{{3, 2, "im"}, {3, 3, "im"}}, "2 arguments were passed by name, and now 3"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char reason[100], title[200];

        snprintf(reason, sizeof reason, "0/0: len(kwargs) == %d", cases[i].calls[0].length);
        snprintf(title, sizeof title, "`Reader.forward` recompiled once: %s", cases[i].words);
        check_title(twice(MODULE, cases[i].calls, reason), "recompile-dict-keys", title);
    }
}

/* PyTorch reports the first guard that fails; that another function is meant decides. */
static void another_function(void **state)
{
    static const struct call_of calls[2] = {{3, 2, "im"}, {4, 2, "im"}};
    const struct answers *a =
        twice(PROGRAM, calls, "0/0: tensor 'kwargs['ids']' size mismatch at index 1. expected 5, actual 7");
    const struct finding *x = answers_finding(a, "recompile-many-modules");

    (void)state;
    assert_int_equal(x->severity, FINDING_INFO);
    check_title(
        a, "recompile-many-modules",
        "`Reader` recompiled once: another function is called through the same decorator, `wrapper` (models.py:5)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),
        cmocka_unit_test(expressions),
        cmocka_unit_test(arguments),
        cmocka_unit_test(another_function),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
