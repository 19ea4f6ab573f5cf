/* What a policy allows, and the lines for people of a run that is watched. */
#include "unit.h"

#include "gate/gate.h"
#include "gate/watch.h"
#include "util/formats/json.h"

static void allowances(void **state)
{
    static const struct {
        const char *text, *file, *id;
        int64_t line;
    } cases[] = {
        {"train.py:31", "train.py", "", 31},
        {"a/b.py", "a/b.py", "", 0},
        {"vendor/*", "vendor/*", "", 0},
        {"Makefile:1", "Makefile", "", 1},
        {"GB0025", "", "GB0025", 0},
        {"break-print", "", "break-print", 0},
        {"x:0", "", "x:0", 0},
        {"x.py:0", "x.py:0", "", 0},
        {":3", "", ":3", 0},
        {"x.py:2147483646", "x.py", "", 2147483646},
        {"x.py:2147483647", "x.py:2147483647", "", 0},
        {"C:/x.py:5", "C:/x.py", "", 5},
    };
    struct arena *a = arena_new();
    struct policy p = policy_empty();

    (void)state;
    assert_false(policy_allow(&p, a, STR("")));
    assert_int_equal(p.allow.n, 0);
    assert_false(policy_asks(&p));
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_true(policy_allow(&p, a, str_of(cases[i].text)));
        assert_int_equal(p.allow.n, i + 1);
        assert_str(p.allow.v[i].text, cases[i].text);
        assert_str(p.allow.v[i].file, cases[i].file);
        assert_str(p.allow.v[i].id, cases[i].id);
        assert_int_equal(p.allow.v[i].line, cases[i].line);
    }
    assert_false(policy_asks(&p));
    arena_free(a);
}

static void files(void **state)
{
    static const struct {
        const char *allowed, *file;
        bool has;
    } cases[] = {
        {"train.py", "/home/me/train.py", true},    {"train.py", "train.py", true},
        {"train.py", "/home/me/retrain.py", false}, {"train.py", "/home/me/train.py.py", false},
        {"me/train.py", "/home/me/train.py", true}, {"/me/train.py", "/home/me/train.py", true},
        {"vendor/*", "/src/vendor/x.py", true},     {"vendor/*", "/src/myvendor/x.py", false},
        {"trai?.py", "/home/train.py", true},       {"/home/*", "/home/me/x.py", true},
        {"x.py", "", false},                        {"GB0025", "", true},
        {"GB0025", "/x.py", true},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct policy p = policy_empty();

        policy_allow(&p, a, str_of(cases[i].allowed));
        if (allowance_has_file(&p.allow.v[0], a, str_of(cases[i].file)) != cases[i].has)
            fail_msg("%s, %s", cases[i].allowed, cases[i].file);
    }
    arena_free(a);
}

/* Only graph breaks below the user's own directories are violations; a directory may end in slashes. */
static void own_paths(void **state)
{
    static const struct {
        const char *path, *file;
        bool own;
    } cases[] = {
        {NULL, "/home/me/shop/a.py", true},
        {"shop", "/home/me/shop/a.py", true},
        {"shop/", "/home/me/shop/a.py", true},
        {"shop//", "/home/me/shop/a.py", true},
        {"shop/", "shop/a.py", true},
        {"shop/", "/home/me/shopping/a.py", false},
        {"shop/", "/home/me/workshop/a.py", false},
        {"shop/", "/home/me/shop", true},
        {"me/shop/", "/home/me/shop/a.py", true},
        {"/home/me/", "/home/me/shop/a.py", true},
        {"/home/me", "/home/meg/shop/a.py", false},
        {"/me/", "/home/me/shop/a.py", false},
        {"shop/a.py", "/home/me/shop/a.py", true},
        {"/", "/home/me/shop/a.py", true},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct arena *a = arena_new();
        struct policy policy = policy_empty();
        struct snapshot now;
        struct gate found;
        struct str why;

        policy.limits.graph_breaks = 0;
        if (cases[i].path)
            vec_push(a, &policy.own_paths, str_of(cases[i].path));
        assert_true(snapshot_read(&now, a,
                                  arena_printf(a,
                                               "{\"schema\": \"pt2trace-report\", \"totals\": {\"graph_breaks\": 1}, "
                                               "\"graph_breaks\": [{\"type\": \"x\", \"file\": \"%s\", \"line\": 3}]}",
                                               cases[i].file),
                                  &why));
        gate_check(a, &policy, &now, NULL, &found);
        if (found.list.n != cases[i].own)
            fail_msg("%s, %s", cases[i].path ? cases[i].path : "-", cases[i].file);
        snapshot_free(&now);
        arena_free(a);
    }
}

typedef struct str line_of(struct arena *a, const json_t *o);

/* What is said of an object. */
static void lines(void **state)
{
    static const struct {
        line_of *line;
        const char *json, *words;
    } cases[] = {
        {watch_silent_line, "{\"rank\": 1, \"pid\": 7, \"behind_s\": 70}",
         "rank 1: has written nothing for 70.0 s while others wrote: it may be done, hanging or dead"},
        {watch_silent_line, "{\"rank\": null, \"pid\": 7, \"behind_s\": 70}",
         "process 7: has written nothing for 70.0 s while others wrote: it may be done, hanging or dead"},
        {watch_compiling_line,
         "{\"rank\": 0, \"compile\": \"0/1\", \"name\": \"f\", \"file\": \"/home/x.py\", \"line\": 3, \"phase\": "
         "\"Inductor\", \"activity\": \"codegen\", \"seconds\": 3.25, \"gone\": true}",
         "rank 0: compiling [0/1] f (x.py:3), Inductor (codegen), for 3.25 s; its process is not on this "
         "machine: it ended, or runs on another one"},
        {watch_compiling_line, "{\"rank\": null, \"compile\": \"0/1\", \"name\": \"f\", \"gone\": false}",
         "compiling [0/1] f"},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        json_t *o = json_loads(cases[i].json, 0, NULL);

        assert_non_null(o);
        assert_str(cases[i].line(a, o), cases[i].words);
        json_decref(o);
    }
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allowances),
        cmocka_unit_test(files),
        cmocka_unit_test(own_paths),
        cmocka_unit_test(lines),
    };

    return RUN(tests);
}
