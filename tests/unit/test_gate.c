/* What a policy allows, and the lines for people of a run that is watched. */
#include "unit.h"

#include "gate/gate.h"
#include "gate/gate_formats.h"
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
        {"train.py", "/home/me/train.py", true},
        {"train.py", "train.py", true},
        {"train.py", "/home/me/retrain.py", false},
        {"train.py", "/home/me/train.py.py", false},
        {"me/train.py", "/home/me/train.py", true},
        {"/me/train.py", "/home/me/train.py", true},
        {"vendor/*", "/src/vendor/x.py", true},
        {"vendor/*", "/src/myvendor/x.py", false},
        {"trai?.py", "/home/train.py", true},
        {"/home/*", "/home/me/x.py", true},
        {"x.py", "", false},
        {"GB0025", "", true},
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

/* A function with three places of graph breaks, three recompiles and 3 s on one rank; less on another one. */
#define RANK(n) "\"process\": " #n ", \"rank\": " #n
#define BREAK_AT(line) "{\"type\": \"t\", \"file\": \"/shop.py\", \"function\": \"sell\", \"line\": " #line "}"
#define OF_SELL "\"frame\": {\"name\": \"sell\", \"file\": \"/shop.py\", \"line\": 4}"
#define AGAIN(rank, id) "{" RANK(rank) ", \"epoch\": 0, \"compile\": \"" id "\", " OF_SELL ", \"reasons\": []}"
#define TOOK(rank, id, s) "{" RANK(rank) ", \"epoch\": 0, \"id\": \"" id "\", " OF_SELL ", \"duration_s\": " #s "}"

static const char shop[] =
    "{\"totals\": {\"graph_breaks\": 4, \"recompiles\": 5, \"compile_wall_s\": 3.0},"
    " \"graph_breaks\": [" BREAK_AT(5) "," BREAK_AT(6) "," BREAK_AT(7) "," BREAK_AT(
        5) "],"
           " \"recompiles\": [" AGAIN(0, "0/1") "," AGAIN(0, "0/2") "," AGAIN(0, "0/3") "," AGAIN(1, "0/1") "," AGAIN(
               1, "0/2") "],"
                         " \"compiles\": [" TOOK(0, "0/0", 1.75) "," TOOK(0, "0/1", 1.25) "," TOOK(1, "0/0", 2.5) "]}";

/* Each limit allows exactly as much as it says, for the run and for a function. */
static void limits_are_met(void **state)
{
    static const struct {
        size_t limit; /* its place in struct limits */
        int64_t there, step;
        enum gate_rule rule;
        size_t listed;
    } cases[] = {
        {offsetof(struct limits, graph_breaks), 3, 1, GATE_GRAPH_BREAKS, 3},
        {offsetof(struct limits, recompiles), 3, 1, GATE_RECOMPILES, 1},
        {offsetof(struct limits, compile_us), 3000000, 1, GATE_COMPILE_TIME, 1},
        {offsetof(struct limits, compile_us), 3000000, 2999999, GATE_COMPILE_TIME, 1},
        {offsetof(struct limits, graph_breaks), 3, 3, GATE_GRAPH_BREAKS, 3},
        {offsetof(struct limits, recompiles), 3, 3, GATE_RECOMPILES, 1},
    };
    struct snapshot now = {.root = json_loads(shop, 0, NULL), .traced = true};
    struct arena *a = arena_new();

    (void)state;
    assert_non_null(now.root);
    for (size_t i = 0; i < COUNT(cases) * 4; i++) {
        bool of_function = i % 2, less = i / 2 % 2;
        size_t k = i / 4;
        struct policy p = policy_empty();
        struct limits *limits = of_function ? &policy_function(&p, a, STR("sell"))->limits : &p.limits;
        struct gate g;

        *(int64_t *)((char *)limits + cases[k].limit) = cases[k].there - (less ? cases[k].step : 0);
        gate_check(a, &p, &now, NULL, &g);
        if (g.list.n != (less ? cases[k].listed : 0))
            fail_msg("limit %zu of %s: %zu", k, of_function ? "a function" : "the run", g.list.n);
        vec_each(const struct violation, v, &g.list) assert_int_equal(v->rule, cases[k].rule);
        assert_int_equal(g.checked.n, 1);
    }
    json_decref(now.root);
    arena_free(a);
}

/* GitHub limits the size of a summary: what has no room is counted. */
static void what_a_summary_has_no_room_for(void **state)
{
    enum { MANY = 1000 };
    struct arena *a = arena_new();
    struct violation v = {.title = STR("A title"), .fix = {memset(arena_alloc(a, 2000), 'x', 2000), 2000}};
    struct gate g = {0};
    struct gate_report r = {.arena = a, .gate = &g};
    struct str text, rest, line;
    size_t shown = 0;

    (void)state;
    vec_push(a, &g.list, v);
    assert_false(str_has(gate_markdown(&r), STR("left out")));
    while (g.list.n < MANY)
        vec_push(a, &g.list, v);
    text = rest = gate_markdown(&r);
    while (str_next_line(&rest, &line))
        shown += str_has(line, STR("A title"));
    assert_true(shown > 400 && shown < MANY);
    assert_true(str_ends(
        text, arena_printf(a, "\n_%zu more violations left out, because GitHub limits the size of this text._\n",
                           MANY - shown)));
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allowances), cmocka_unit_test(files),          cmocka_unit_test(own_paths),
        cmocka_unit_test(lines),      cmocka_unit_test(limits_are_met),
        cmocka_unit_test(what_a_summary_has_no_room_for),
    };

    return RUN(tests);
}
