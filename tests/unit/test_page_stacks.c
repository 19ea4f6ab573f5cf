/* Trees of calls as rows, and single stacks. */
#include "view/page.h"
#include "view/page_objects.h"

#include "view_text.h"

static void files(struct trace_text *t)
{
    trace_file(t);
    trace_record(t, "{\"str\": [\"/venv/lib/python3.11/site-packages/torch/nn/module.py\", 1]}");
}

/* Starts a compile with a stack of functions, outermost first; a name that begins with '_' is PyTorch's. */
static void start(struct trace_text *t, const char *ids, const char *functions)
{
    struct str rest = str_of(functions);
    struct buf json = {0};

    buf_printf(&json, "{\"dynamo_start\": {\"stack\": [");
    for (bool first = true; rest.n; first = false) {
        struct str name = str_split(&rest, ' ');

        buf_printf(&json, "%s{\"line\": 7, \"name\": \"%.*s\", \"filename\": %d}", first ? "" : ", ", STR_ARG(name),
                   name.p[0] == '_');
    }
    buf_printf(&json, "]}, %s}", ids);
    buf_char(&json, '\0');
    trace_record(t, json.p);
    buf_free(&json);
}

static struct str text_of(const json_t *o, const char *key)
{
    return json_str(json_object_get(o, key));
}

/* "0 main | 1 f [0/0]! | 2 (3 frames) | …": indent, function, compiles with a mark for a recompile. */
static struct str rows_of(const struct view *v, const json_t *trie)
{
    const json_t *rows = json_object_get(trie, "rows"), *row, *mark;
    struct str out = STR("");
    size_t i, k;

    json_array_foreach(rows, i, row)
    {
        struct str folded = text_of(json_object_get(row, "folded"), "count");
        long long indent = json_integer_value(json_object_get(row, "indent"));

        out = arena_printf(v->scratch, "%.*s%s%lld ", STR_ARG(out), i ? " | " : "", indent);
        if (folded.p)
            out = arena_printf(v->scratch, "%.*s(%.*s)", STR_ARG(out), STR_ARG(folded));
        else
            out = arena_printf(v->scratch, "%.*s%.*s", STR_ARG(out), STR_ARG(text_of(row, "function")));
        json_array_foreach(json_object_get(row, "marks"), k, mark) out =
            arena_printf(v->scratch, "%.*s %.*s%s", STR_ARG(out), STR_ARG(text_of(mark, "label")),
                         json_is_true(json_object_get(mark, "recompile")) ? "!" : "");
    }
    return out;
}

#define check_rows(t, expected)                                                                                        \
    do {                                                                                                               \
        const struct answers *a_ = answers_of_trace(t);                                                                \
        struct view v_ = view_of(a_);                                                                                  \
        json_t *trie_ = page_trie_of(&v_, a_->run->processes.v[0]);                                                    \
                                                                                                                       \
        assert_str(rows_of(&v_, trie_), expected);                                                                     \
        json_decref(trie_);                                                                                            \
        answers_free(a_);                                                                                              \
    } while (0)

/* Deeper only where it branches or where something was compiled: a chain of calls is a column. */
static void indents(void **state)
{
    struct trace_text t = {0};

    (void)state;
    files(&t);
    start(&t, IN(0, 0, 0), "main a b c");
    check_rows(&t, "0 main | 1 a | 1 b | 1 c [0/0]");

    files(&t);
    start(&t, IN(0, 0, 0), "main a b c");
    start(&t, IN(0, 1, 0), "main a b c");
    start(&t, IN(1, 0, 0), "main a b d");
    start(&t, IN(2, 0, 0), "main a b c e");
    start(&t, IN(3, 0, 0), "other");
    check_rows(&t, "0 main | 1 a | 1 b | 2 c [0/0] [0/1]! | 3 e [2/0] | 2 d [1/0] | 0 other [3/0]");
}

/* Runs of PyTorch's own calls are one row; not where they branch, and not where something was compiled. */
static void folding(void **state)
{
    struct trace_text t = {0};

    (void)state;
    files(&t);
    start(&t, IN(0, 0, 0), "main _a _b f _c g");
    check_rows(&t, "0 main | 1 (2 frames) | 1 f | 1 (1 frame) | 1 g [0/0]");

    files(&t);
    start(&t, IN(0, 0, 0), "main _a _b f");
    start(&t, IN(1, 0, 0), "main _a _b g");
    start(&t, IN(2, 0, 0), "main _x _y _z");
    check_rows(&t, "0 main | 1 (1 frame) | 1 _b | 2 f [0/0] | 2 g [1/0] | 1 (2 frames) | 1 _z [2/0]");

    files(&t);
    start(&t, IN(0, 0, 0), "main _a _b");
    start(&t, IN(1, 0, 0), "main _a _b f");
    check_rows(&t, "0 main | 1 (1 frame) | 1 _b [0/0] | 2 f [1/0]");
}

static void without_stacks(void **state)
{
    struct trace_text t = {0};

    (void)state;
    trace_metrics(&t, IN(0, 0, 0), "\"graph_op_count\": 2");
    check_rows(&t, "");
}

/* As many rows and marks as one can look at; the others are counted. */
static void limits(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;
    json_t *trie, *rows;
    struct view v;

    (void)state;
    files(&t);
    for (int i = 0; i < PAGE_MARKS_MAX + 7; i++)
        start(&t, trace_ids(0, i, 0), "main f");
    for (int i = 0; i < PAGE_STACK_ROWS_MAX; i++) {
        char functions[40];

        snprintf(functions, sizeof functions, "main f%d", i);
        start(&t, trace_ids(i + 1, 0, 0), functions);
    }
    a = answers_of_trace(&t);
    v = view_of(a);
    trie = page_trie_of(&v, a->run->processes.v[0]);
    rows = json_object_get(trie, "rows");
    assert_int_equal(json_array_size(rows), PAGE_STACK_ROWS_MAX);
    assert_int_equal(json_integer_value(json_object_get(trie, "hidden")), 2);
    assert_int_equal(json_array_size(json_object_get(json_array_get(rows, 1), "marks")), PAGE_MARKS_MAX);
    assert_str(text_of(json_array_get(rows, 1), "more"), "7");
    json_decref(trie);
    answers_free(a);
}

/* A stack as deep as any that is kept does not overflow ours, and stays on the page. */
static void deep_stacks(void **state)
{
    struct trace_text t = {0};
    struct buf functions = {0};
    const struct answers *a;
    json_t *trie;
    struct view v;

    (void)state;
    files(&t);
    for (int k = 0; k < 2; k++) {
        functions.n = 0;
        for (int i = 0; i < 1500; i++) {
            buf_printf(&functions, "%sf%d", i ? " " : "", i);
            if (i % 20 == 0 && k) { /* a branch at every twentieth call */
                buf_char(&functions, '\0');
                start(&t, trace_ids(i + 1, 0, 0), functions.p);
                functions.n--;
            }
        }
        buf_char(&functions, '\0');
        start(&t, trace_ids(0, k, 0), functions.p);
    }
    a = answers_of_trace(&t);
    v = view_of(a);
    trie = page_trie_of(&v, a->run->processes.v[0]);
    assert_int_equal(json_array_size(json_object_get(trie, "rows")), 1500);
    assert_int_equal(json_integer_value(json_object_get(json_array_get(json_object_get(trie, "rows"), 1499), "indent")),
                     24);
    json_decref(trie);
    buf_free(&functions);
    answers_free(a);
}

/* Of one process nothing need be said. */
static void names_of_processes(void **state)
{
    struct run *r = run_new();
    const struct answers *a;
    struct view v;

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        static const char *const names[] = {"a.log", "rank_3.log"};
        struct trace_text t = {.pid = 10 + i};
        json_t *trie;

        trace_metrics(&t, IN(0, 0, 0), "\"graph_op_count\": 2");
        if (i == 0) {
            a = answers_of_trace(&t);
            v = view_of(a);
            trie = page_trie_of(&v, a->run->processes.v[0]);
            assert_true(json_is_null(json_object_get(trie, "name")));
            json_decref(trie);
            answers_free(a);
            trace_metrics(&t, IN(0, 0, 0), "\"graph_op_count\": 2");
        }
        trace_add(r, names[i], &t);
    }
    run_finish(r);
    a = answers_of(r);
    v = view_of(a);
    for (size_t i = 0; i < 2; i++) {
        json_t *trie = page_trie_of(&v, r->processes.v[i]);

        assert_str(text_of(trie, "name"), r->processes.v[i]->rank == 3 ? "rank 3, process 11" : "process 10");
        json_decref(trie);
    }
    answers_free(a);
}

/* One stack: runs of PyTorch's calls are folded, the innermost call is shown whatever it is. */
static void single_stacks(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;
    struct view v;

    (void)state;
    files(&t);
    start(&t, IN(0, 0, 0), "_a main _b _c");
    a = answers_of_trace(&t);
    v = view_of(a);
    assert_str(
        view_json(v.scratch, page_stack(&v, a->run->processes.v[0]->compiles.v[0]->stack)),
        "{'calls':[{'function':null,'place':null,'source':null,'folded':{'count':'1 frame','frames':'_a  "
        "/venv/lib/python3.11/site-packages/torch/nn/module.py:7'}},{'function':'main','place':{'text':'x.py:7',"
        "'path':'/x.py','generated':null},'source':null,'folded':null},{'function':null,'place':null,'source':null,"
        "'folded':{'count':'1 frame','frames':'_b  /venv/lib/python3.11/site-packages/torch/nn/module.py:7'}},"
        "{'function':'_c','place':{'text':'module.py:7','path':'/venv/lib/python3.11/site-packages/torch/nn/module.py',"
        "'generated':null},'source':null,'folded':null}]}");
    assert_str(view_json(v.scratch, page_stack(&v, NULL)), "null");
    answers_free(a);
}

/* Places in code that PyTorch generated lead to that code, unless its name stands for two texts. */
static void generated_code(void **state)
{
    static const struct {
        const char *file;
        int64_t line;
        const char *expected;
    } cases[] = {
        {"<eval_with_key>.5", 3, "'a-0-0:L3'"}, {"<eval_with_key>.5", 0, "null"},
        {"<eval_with_key>.6", 3, "null"},       {"<eval_with_key>.7", 3, "null"},
        {"<eval_with_key>.8", 1, "'a-0-3:L1'"}, {"/x.py", 3, "null"},
    };
    static const char *const dumped[][2] = {{"5", "one"}, {"6", "two"}, {"6", "three"}, {"8", "four"}, {"8", "four"}};
    struct trace_text t = {0};
    const struct answers *a;
    struct view v;

    (void)state;
    files(&t);
    for (size_t i = 0; i < COUNT(dumped); i++) {
        char json[100];

        snprintf(json, sizeof json, "{\"dump_file\": {\"name\": \"<eval_with_key>.%s\"}}", dumped[i][0]);
        trace_payload(&t, json, dumped[i][1]);
    }
    a = answers_of_trace(&t);
    v = view_of(a);
    v.generated = page_generated_files(a->run->arena, a->run);
    for (size_t i = 0; i < COUNT(cases); i++) {
        json_t *place = page_place(&v, str_of(cases[i].file), cases[i].line);

        assert_str(view_json(v.scratch, json_incref(json_object_get(place, "generated"))), cases[i].expected);
        json_decref(place);
    }
    answers_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(indents),       cmocka_unit_test(folding),        cmocka_unit_test(without_stacks),
        cmocka_unit_test(limits),        cmocka_unit_test(deep_stacks),    cmocka_unit_test(names_of_processes),
        cmocka_unit_test(single_stacks), cmocka_unit_test(generated_code),
    };

    return RUN(tests);
}
