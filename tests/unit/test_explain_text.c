#include "unit.h"

#include "text/messages/explain_text.h"
#include "text/messages/times_text.h"
#include "torchlog/notes/explained.h"

static const struct explain_text *parse(struct arena *a, const char *text)
{
    struct explain_text *t = ARENA_NEW(a, struct explain_text);

    assert_true(explain_text_parse(a, str_of(text), t));
    return t;
}

static void a_reason_of_several_lines(void **state)
{
    struct arena *a = arena_new();
    const struct explain_text *t = parse(a, "Graph Count: 2\nGraph Break Count: 1\nOp Count: 5\nBreak Reasons:\n"
                                            "  Break Reason 1:\n    Reason: builtin: print\n\nat the margin\n"
                                            "    User Stack:\n"
                                            "      <FrameSummary file /x, line 3/a in b.py, line 9 in <module>>\n"
                                            "      <FrameSummary file /x.py, line 5 in f>\n"
                                            "Ops per Graph:\n    Reason: not one\n");

    (void)state;
    assert_int_equal(t->graphs, 2);
    assert_int_equal(t->breaks.n, 1);
    assert_str(t->breaks.v[0].message, "builtin: print\n\nat the margin");
    assert_int_equal(t->breaks.v[0].stack.calls.n, 2);
    assert_str(t->breaks.v[0].stack.calls.v[0].file, "/x, line 3/a in b.py");
    assert_str(t->breaks.v[0].stack.calls.v[0].function, "<module>");
    assert_int_equal(t->breaks.v[0].stack.calls.v[1].line, 5);
    arena_free(a);
}

static void texts_cut_off(void **state)
{
    struct arena *a = arena_new();
    struct explain_text t;

    (void)state;
    assert_str(parse(a, "Graph Count: 1\n    Reason: x")->breaks.v[0].message, "x");
    assert_str(parse(a, "Graph Count: 1\n    Reason: ")->breaks.v[0].message, "");
    assert_int_equal(parse(a, "Graph Count: 1")->breaks.n, 0);
    assert_str(parse(a, "Dynamo produced 2 graphs\n\n1. generic_jump")->breaks.v[0].message, "generic_jump");
    assert_int_equal(parse(a, "Dynamo produced 4 graphs with 3 graph break and 9 ops")->counted, 3);
    assert_int_equal(parse(a, "Dynamo produced 4 graphswith 3 graph break and 9 ops")->counted, 3);
    assert_int_equal(parse(a, "Dynamo produced 2 graphs\n\n2. x\n1.x")->breaks.n, 0);
    assert_false(explain_text_parse(a, STR("Graph Count: many"), &t));
    assert_false(explain_text_parse(a, STR(""), &t));
    arena_free(a);
}

#define ANY UINT64_MAX

static void counts_in_a_line(void **state)
{
    static const struct {
        const char *line;
        uint64_t graphs, breaks; /* ANY: the line has none */
    } cases[] = {
        {"Graph Count: 12", 12, ANY},
        {"Graph Break Count: 11", ANY, 11},
        {"ExplainOutput(graphs=[GraphModule()], graph_count=12, graph_break_count=11, break_reasons=[]", 12, 11},
        {"{\"graph_break_count\": 11, \"graph_count\": 12}", 12, 11},
        {"explanation.graph_break_count=11", ANY, 11},
        {"print(explanation.graph_break_count)  # 11", ANY, 11},
        {"`graph_break_count` -> 11", ANY, 11},
        {"- **Graph breaks:** 11", ANY, 11},
        {"Dynamo produced 12 graphs with 11 graph break and 90 ops", 12, 11},
        {"('Dynamo produced 12 graphs with 11 graph break and 90 ops', [Guard()], [GraphModule()])", 12, 11},
        {"Dynamo produced 12 graphswith 11 graph break and 90 ops", 12, 11},
        {"Dynamo produced 0 graphs with -1 graph break and 0 ops", 0, ANY},
        {"TorchDynamo produced graph", ANY, ANY},
        {"assert explanation.graph_break_count == 1", ANY, ANY},
        {"if explanation.graph_break_count > 5:", ANY, ANY},
        {"explanation.graph_break_count  # 2.1 and later", ANY, ANY},
        {"compile_graph_break_count: 11", ANY, ANY},
        {"graph_break_count=None", ANY, ANY},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t graphs = ANY, breaks = ANY;
        bool any = explain_counts_take(str_of(cases[i].line), &graphs, &breaks);

        assert_int_equal(any, cases[i].graphs != ANY || cases[i].breaks != ANY);
        assert_true(graphs == cases[i].graphs);
        assert_true(breaks == cases[i].breaks);
    }
}

static void what_is_said_of_counts(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"Graph Count: 3\nGraph Break Count: 2\n", ": 2 breaks, 3 graphs"},
        {"graph_break_count: 2\ngraph_count: 3\n", ": 2 breaks, 3 graphs"},
        {"Graph Count: 1\nGraph Break Count: 0\n\nGraph Count: 3\nGraph Break Count: 2\n", ": 2 breaks, 3 graphs"},
        {"Graph Count: 3\nGraph Break Count: 2\n\nGraph Count: 1\nGraph Break Count: 0\n", ": 2 breaks, 3 graphs"},
        {"Dynamo produced 3 graphs with 2 graph break and 9 ops\n Break reasons: \n\n", ": 2 breaks, 3 graphs"},
        {"Dynamo produced 3 graphs with 2 graph break and 9 ops\n Break reasons: \n\n1. call_function\n", ""},
        {"In [3]: explanation.graph_break_count\nOut[3]: 2\n", ": 2 breaks"},
        {"print(explanation.graph_break_count)\nprint(2)\n", ""},
        {"assert explain(till)(x).graph_break_count == 1\n", ""},
        /* of the program, and of the guards that the object lists: neither breaks a graph */
        {"e = explain(till)(x)\nprint(\"breaks\", e.graph_break_count)\n\nGraph Break Count: 2\n", ": 2 breaks"},
        {"graph_count=3, graph_break_count=2, out_guards=[\n        global \"G['__builtins_dict___1']['print']\" B\n"
         "            'guarded_class': <weakref at 0x7; to 'type' at 0x8 (builtin_function_or_method)>\n",
         ": 2 breaks, 3 graphs"},
        {"Graph Break Count: 2\n\n    print(x)\n", ": 2 breaks, by printing: print(x)"},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_str(explained_breaks(a, str_of(cases[i].text)).message, cases[i].message);
    arena_free(a);
}

/* How many of the lines are of the text that the first one begins. */
static unsigned taken(bool (*goes_on)(unsigned *, struct str), const char *text)
{
    struct str rest = str_of(text), line;
    unsigned state = 0, n = 0;

    while (str_next_line(&rest, &line) && goes_on(&state, line))
        n++;
    return n;
}

static void where_it_ends(void **state)
{
    (void)state;
    assert_int_equal(taken(explain_text_goes_on, "Graph Count: 1\n    Reason: x\nx\n    User Stack:\n <F>\nout"), 5);
    assert_int_equal(taken(explain_text_goes_on, "Graph Count: 1\n1. no list"), 1);
    assert_int_equal(taken(explain_text_goes_on, "Dynamo produced 1 graphs\n Break reasons: \n\n1. x\n  File\nout"), 5);
    assert_int_equal(taken(times_text_goes_on, "Function, Runtimes (s)\na, 0.1, 0.25\nb c  1.0\nepoch 1, loss 0.5"), 3);
    assert_int_equal(taken(times_text_goes_on, "Function   Runtimes (s)\n-------- ----\na   0.1\n\n"), 3);
}

static void check_row(const char *line, const char *name, unsigned n, int64_t last_ns)
{
    struct arena *a = arena_new();
    struct times_text t;

    times_text_parse(a, str_of(line), &t);
    assert_int_equal(t.rows.n, n > 0);
    if (n) {
        assert_str(t.rows.v[0].name, name);
        assert_int_equal(t.rows.v[0].each_ns.n, n);
        assert_int_equal(t.rows.v[0].each_ns.v[n - 1], last_ns);
    }
    arena_free(a);
}

static void rows(void **state)
{
    (void)state;
    check_row("_compile.compile_inner, 0.1553, 0.0591", "_compile.compile_inner", 2, 59100000);
    check_row("compile_fx.<locals>.bw_compiler      12.0000", "compile_fx.<locals>.bw_compiler", 1, 12000000000);
    check_row("torch._inductor.compile_fx.compile_fx.<locals>.bw_compiler  0.5", "compile_fx.<locals>.bw_compiler", 1,
              500000000);
    check_row("torch._shop.till  0.5", "torch._shop.till", 1, 500000000);
    check_row("a, 0.0001, 12.5, ", "", 0, 0);
    check_row("a, 1", "", 0, 0);
    check_row("a, 0.00000000001", "", 0, 0);
    check_row("a, 99999999999.0", "", 0, 0);
    check_row(", 0.1", "", 0, 0);
    check_row("a", "", 0, 0);
    check_row("", "", 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reason_of_several_lines),
        cmocka_unit_test(texts_cut_off),
        cmocka_unit_test(counts_in_a_line),
        cmocka_unit_test(what_is_said_of_counts),
        cmocka_unit_test(where_it_ends),
        cmocka_unit_test(rows),
    };

    return RUN(tests);
}
