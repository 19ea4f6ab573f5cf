/* Advice that is applied to a launch: what of it, in which form, and what is written for the hook. */
#include "temp.h"

#include "relaunch/trial/patch.h"
#include "util/formats/json.h"

static struct fix fix_of(const char *kind, const char *text, const char *file, int64_t line)
{
    return (struct fix){.kind = str_of(kind), .text = str_of(text), .file = str_of(file), .line = line};
}

static void arguments(void **state)
{
    static const struct {
        const char *kind, *text, *argument;
        bool can;
    } cases[] = {
        {"pattern", "torch.compile(..., dynamic=True)   # sizes", "dynamic=True", true},
        {"pattern", "torch.compile(..., recompile_limit=16)", "recompile_limit=16", true},
        {"pattern", "torch.compile(..., isolate_recompiles=True)", "isolate_recompiles=True", true},
        {"pattern", "torch.compile(dynamic=True)", "", false},
        {"pattern", "torch.compile(..., mode=\"default\")", "", false},
        {"pattern", "torch.compile(..., dynamic=True", "", false},
        {"pattern", "torch.compile(...)  # dynamic=True", "", false},
        {"pattern", "compile(..., dynamic=True)", "", false},
        {"setting", "torch.compile(..., dynamic=True)", "", true},
        {"environment", "A=1", "", true},
        {"statement", "x()", "", false},
        {"command", "x", "", false},
        {"", "", "", false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct fix f = fix_of(cases[i].kind, cases[i].text, "", 0);

        assert_str(patch_argument(&f), cases[i].argument);
        assert_int_equal(patch_can_apply(&f), cases[i].can);
    }
}

/* A statement goes before a line of a file. */
static void places(void **state)
{
    static const struct {
        const char *file;
        int64_t line;
        bool can;
    } cases[] = {{"/srv/shop.py", 1, true}, {"/srv/shop.py", 0, false}, {"", 1, false}};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct fix f = fix_of("statement", "x()", cases[i].file, cases[i].line);

        assert_int_equal(patch_can_apply(&f), cases[i].can);
    }
}

static void variables(void **state)
{
    static const struct {
        const char *text, *list;
    } cases[] = {
        {"A=1", "A=1;"},         {"A=1 B=\"x y\" C=", "A=1;B=x y;C=;"},
        {"A", ""},               {"=1", ""},
        {"", ""},                {"A=b=c", "A=b=c;"},
        {"A=$HOME/x", "A=/home/quokka/x;"}, {"A=x/$HOME", "A=x/$HOME;"},
        {"export A=1", "A=1;"},
    };
    struct arena *a = arena_new();

    (void)state;
    setenv("HOME", "/home/quokka", 1);
    for (size_t i = 0; i < COUNT(cases); i++) {
        const setting_list list = patch_variables(a, str_of(cases[i].text));
        struct str s = STR("");

        vec_each(const struct env_setting, x, &list) s = arena_printf(
            a, "%.*s%s%.*s=%.*s;", STR_ARG(s), x->unset ? "-" : "", STR_ARG(x->name), STR_ARG(x->value));
        assert_str(s, cases[i].list);
    }
    unsetenv("HOME");
    assert_str(patch_variables(a, STR("A=$HOME")).v[0].value, "$HOME");
    arena_free(a);
}

static struct str value_of(const struct environment *e, const char *name)
{
    struct str value;

    return environment_get(e, str_of(name), &value) ? value : STR("(none)");
}

/* Each kind goes its own way, and all of them together. */
static void applied(void **state)
{
    const struct fix environment = fix_of("environment", "PT2_TEST_A=1 PT2_TEST_B=2", "", 0),
                     dynamic = fix_of("pattern", "torch.compile(..., dynamic=True)", "", 0),
                     limit = fix_of("pattern", "torch.compile(..., recompile_limit=9)", "", 0),
                     setting = fix_of("setting", "import a\na.b = 1\n", "", 0),
                     statement = fix_of("statement", "x()", "/srv/shop.py", 31);
    static const struct {
        int first, n; /* of those above */
        bool hook, calls;
        size_t patches;
        const char *variable, *given, *path;
    } cases[] = {
        {0, 0, false, false, 0, "(none)", "(none)", "(none)"},
        {0, 1, false, false, 0, "2", "(none)", "(none)"},
        {1, 1, true, true, 0, "(none)", "dynamic=True;", "(none)"},
        {1, 2, true, true, 0, "(none)", "dynamic=True;recompile_limit=9;", "(none)"},
        {3, 1, true, false, 1, "(none)", "(none)", "/p"},
        {3, 2, true, false, 2, "(none)", "(none)", "/p"},
        {0, 5, true, true, 2, "2", "dynamic=True;recompile_limit=9;", "/p"},
    };
    const struct fix *const all[] = {&environment, &dynamic, &limit, &setting, &statement};
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct environment e = {.arena = a};
        struct arrival arrival = {0};
        size_t n = (size_t)cases[i].n;

        assert_int_equal(patch_apply(a, all + cases[i].first, n, "/p", &e, &arrival), cases[i].hook);
        assert_int_equal(arrival.of_calls, cases[i].calls);
        assert_int_equal(arrival.patches.n, cases[i].patches);
        assert_str(value_of(&e, "PT2_TEST_B"), cases[i].variable);
        assert_str(value_of(&e, "PT2TRACE_ARGUMENTS"), cases[i].given);
        assert_str(value_of(&e, "PT2TRACE_PATCH"), cases[i].path);
        if (n == 5) {
            assert_str(arrival.patches.v[0].name, "4");
            assert_str(arrival.patches.v[0].file, "");
            assert_str(arrival.patches.v[1].name, "5");
            assert_str(arrival.patches.v[1].file, "/srv/shop.py");
        }
    }
    arena_free(a);
}

static void written(void **state)
{
    const struct fix environment = fix_of("environment", "A=1", "", 0),
                     dynamic = fix_of("pattern", "torch.compile(..., dynamic=True)", "", 0),
                     setting = fix_of("setting", "a.b = 1\n", "", 0),
                     statement = fix_of("statement", "x()", "/srv/shop.py", 31);
    const struct fix *const all[] = {&environment, &dynamic, &setting, &statement};
    struct arena *a = arena_new();
    struct str text;
    json_t *got, *want;

    (void)state;
    assert_int_equal(patch_write(all, 4, temp_path("patches/deep"), PATCH_FILE), 0);
    text = temp_read(a, temp_path("patches/deep/" PATCH_FILE));
    got = json_loadb(text.p, text.n, 0, NULL);
    want = json_loads("[{\"id\": \"3\", \"text\": \"a.b = 1\\n\"}, {\"id\": \"4\", \"text\": \"x()\", \"file\": "
                      "\"/srv/shop.py\", \"line\": 31}]",
                      0, NULL);
    if (!json_equal(got, want))
        fail_msg("%.*s", STR_ARG(text));
    json_decref(got);
    json_decref(want);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments), cmocka_unit_test(places),  cmocka_unit_test(variables),
        cmocka_unit_test(applied),   cmocka_unit_test(written),
    };

    return RUN(tests);
}
