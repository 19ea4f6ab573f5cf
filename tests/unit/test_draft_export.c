/* What draft export records: the code that asked, how the expression came to be, and what is said of a clean export. */
#include "view/facts/facts.h"

#include "view_text.h"

#define STACK(line) "\"user_stack\": [{\"line\": " #line ", \"name\": \"forward\", \"filename\": 0}]"

/* max(u0 + 1, 3) > 2, where u0 is x.item(); the frame's variables beside it. */
static void add_condition(struct trace_text *t)
{
    trace_file(t);
    trace_record(
        t, "{\"create_unbacked_symbol\": {\"symbol\": \"u0\", \"node_id\": 7, \"vr\": \"[0, 9]\", " STACK(4) "}}");
    trace_record(
        t, "{\"expression_created\": {\"method\": \"add\", \"result\": \"u0 + 1\", \"result_id\": 8, \"arguments\": "
           "[\"u0\", \"1\"], \"argument_ids\": [7], " STACK(5) "}}");
    trace_record(t, "{\"expression_created\": {\"method\": \"gt\", \"result\": \"u0 + 1 > 2\", \"result_id\": 9, "
                    "\"arguments\": [\"u0 + 1\", \"2\"], \"argument_ids\": [8], " STACK(6) "}}");
    trace_record(t, "{\"propagate_real_tensors_provenance\": {\"expr\": \"u0 + 1 > 2\", \"result\": \"True\", "
                    "\"expr_node_id\": 9, " STACK(
                        6) ", \"stack\": [{\"line\": 1, \"name\": \"trace\", \"filename\": 0}], "
                           "\"frame_locals\": {\"locals\": {\"n\": [\"u0\"], \"pair\": [\"s1\", \"s2\"]}, \"symbols\": "
                           "{\"s1\": \"L['p'].size()[0]\"}}}}");
}

static json_t *first_issue(const struct view *v)
{
    const struct compile *c = v->run->processes.v[0]->unattributed;

    return fact_export_issue(v, &(struct export_issue_of_compile){c, &c->export_issues.v[0]});
}

static void the_expression(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;
    struct view v;
    json_t *o;

    (void)state;
    add_condition(&t);
    a = answers_of_trace(&t);
    v = view_of(a);
    o = first_issue(&v);
    assert_str(view_json(v.scratch, json_incref(json_object_get(o, "expression"))),
               "[{'depth':0,'method':'gt','arguments':'u0 + 1, 2','result':'u0 + 1 > 2','file':'/x.py','line':6},"
               "{'depth':1,'method':'add','arguments':'u0, 1','result':'u0 + 1','file':'/x.py','line':5},"
               "{'depth':2,'method':null,'arguments':null,'result':'u0','file':'/x.py','line':4}]");
    assert_str(view_json(v.scratch, json_incref(json_object_get(o, "locals"))),
               "[{'name':'n','value':'u0'},{'name':'pair','value':'s1, s2'}]");
    assert_str(json_str(json_object_get(o, "symbols")), "s1 = L['p'].size()[0], u0 = n");
    assert_str(view_json(v.scratch, json_incref(json_object_get(o, "framework_stack"))),
               "[{'file':'/x.py','line':1,'function':'trace','source':null}]");
    json_decref(o);
    answers_free(a);
}

/* An expression that is made of itself, and one of more steps than are kept. */
static void endless_expressions(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;

    (void)state;
    trace_file(&t);
    trace_record(&t,
                 "{\"expression_created\": {\"method\": \"add\", \"result\": \"x\", \"result_id\": 1, \"arguments\": "
                 "[\"x\", \"x\"], \"argument_ids\": [1, 1]}}");
    trace_record(&t,
                 "{\"propagate_real_tensors_provenance\": {\"expr\": \"x\", \"result\": \"1\", \"expr_node_id\": 1}}");
    a = answers_of_trace(&t);
    assert_int_equal(a->run->processes.v[0]->unattributed->export_issues.v[0].steps.n, 60);
    answers_free(a);
}

static const struct export_issue *issue_of(struct trace_text *t, struct run **r)
{
    *r = trace_run(t);
    return &(*r)->processes.v[0]->unattributed->export_issues.v[0];
}

/* Variables that hold one symbol give it a name; others are shown with their values alone. */
static void names_of_symbols(void **state)
{
    static const struct {
        const char *members, *symbols;
    } cases[] = {
        {"\"frame_locals\": {\"locals\": {\"n\": [\"s7\"]}}", "s7 = n"},
        {"\"frame_locals\": {\"locals\": {\"n\": [\"zuf1\"]}}", "zuf1 = n"},
        {"\"frame_locals\": {\"locals\": {\"n\": [\"s7 + 1\"]}}", ""},
        {"\"frame_locals\": {\"locals\": {\"n\": [\"7\"]}}", ""},
        {"\"frame_locals\": {\"locals\": {\"n\": [7]}}", ""},
        {"\"frame_locals\": {\"locals\": {\"n\": []}}", ""},
        {"\"symbol_to_sources\": {\"s1\": \"a\", \"s2\": 3, \"s3\": \"b\"}", "s1 = a, s3 = b"},
        {"\"symbol_to_sources\": {\"s1\": \"a\"}, \"frame_locals\": {\"symbols\": {\"s1\": \"x\"}}", "s1 = a"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        struct run *r;

        trace_recordf(&t, "{\"propagate_real_tensors_provenance\": {\"expr\": \"x\", %s}}", cases[i].members);
        assert_str(issue_of(&t, &r)->symbols, cases[i].symbols);
        run_free(r);
    }
}

/* Of more variables than 50, and of longer texts than 500 bytes, the beginning is kept. */
static void many_variables(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        const struct export_issue *x;
        struct trace_text t = {0};
        struct buf json = {0};
        struct run *r;

        buf_str(&json, STR("{\"propagate_real_tensors_provenance\": {\"frame_locals\": {\"locals\": {\"long\": [\""));
        for (int i = 0; i < 499 + more; i++)
            buf_char(&json, 'a');
        buf_str(&json, STR("\", 3, \"b\"]"));
        for (int i = 1; i < 50 + more; i++)
            buf_printf(&json, ", \"v%d\": [\"u0\"]", i);
        buf_str(&json, STR("}}}}"));
        buf_char(&json, '\0');
        trace_record(&t, json.p);
        x = issue_of(&t, &r);
        assert_int_equal(x->locals.n, 50);
        assert_str(x->locals.v[49].name, "v49");
        assert_int_equal(x->locals.v[0].value.n, more ? 500 : 502);
        buf_free(&json);
        run_free(r);
    }
}

/* Fields of another type than PyTorch writes are left out; the step itself is there. */
static void damaged_expressions(void **state)
{
    static const struct {
        const char *members, *arguments;
        size_t steps;
    } cases[] = {
        {"\"arguments\": [\"u0\", 3, \"2\"], \"argument_ids\": [7, \"odd\"]", "u0, 2", 2},
        {"\"arguments\": [\"u0\"], \"argument_ids\": [8]", "u0", 1},
        {"\"argument_ids\": [7]", "", 2},
        {"\"arguments\": [\"u0\"]", "u0", 1},
        {"\"arguments\": 3, \"argument_ids\": 7", "", 1},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct export_issue *x;
        struct trace_text t = {0};
        struct run *r;

        trace_record(&t, "{\"create_unbacked_symbol\": {\"symbol\": \"u0\", \"node_id\": 7}}");
        trace_recordf(&t, "{\"expression_created\": {\"method\": \"gt\", \"result\": \"x\", \"result_id\": 9, %s}}",
                      cases[i].members);
        trace_record(&t, "{\"propagate_real_tensors_provenance\": {\"expr\": \"x\", \"expr_node_id\": 9}}");
        x = issue_of(&t, &r);
        assert_int_equal(x->steps.n, cases[i].steps);
        assert_str(x->steps.v[0].arguments, cases[i].arguments);
        assert_str(x->steps.v[0].method, "gt");
        run_free(r);
    }
}

/* Draft export writes guards without a compile id, and only those that it evaluates are conditions. */
static void guards_of_export(void **state)
{
    static const struct {
        const char *record;
        size_t issues;
    } cases[] = {
        {"{\"guard_added\": {\"expr\": \"x\", \"prefix\": \"eval\"}}", 1},
        {"{\"guard_added\": {\"expr\": \"x\", \"prefix\": \"runtime_assert\"}}", 0},
        {"{\"guard_added_fast\": {\"expr\": \"x\", \"prefix\": \"eval\"}}", 0},
        {"{\"guard_added\": {\"expr\": \"x\", \"prefix\": \"eval\"}, " IN(0, 0, 0) "}", 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        const struct process *p;
        struct run *r;

        trace_record(&t, cases[i].record);
        r = trace_run(&t);
        p = r->processes.v[0];
        assert_int_equal(p->unattributed->export_issues.n, cases[i].issues);
        assert_int_equal(p->compiles.n ? p->compiles.v[0]->export_issues.n : 0, 0);
        run_free(r);
    }
}

static const char *verdict(struct trace_text *t)
{
    static char title[200];
    const struct answers *a = answers_of_trace(t);
    const struct finding *x = NULL;

    for (size_t i = 0; i < a->findings->list.n; i++)
        if (str_eq(a->findings->list.v[i]->id, STR("clean")))
            x = a->findings->list.v[i];
    snprintf(title, sizeof title, "%.*s", x ? (int)x->title.n : 0, x ? x->title.p : "");
    answers_free(a);
    return title;
}

static void the_verdict(void **state)
{
    struct trace_text clean = {0}, none = {0}, unsound = {0};

    (void)state;
    trace_payload(&clean, "{\"exported_program\": {}}", "graph");
    assert_string_equal(verdict(&clean), "Export found nothing that makes the program unsound");
    trace_payload(&none, "{\"artifact\": {\"name\": \"x\", \"encoding\": \"string\"}}", "x");
    assert_string_equal(verdict(&none), "");
    trace_payload(&unsound, "{\"exported_program\": {}}", "graph");
    trace_record(&unsound, "{\"missing_fake_kernel\": {\"op\": \"my.op.default\"}}");
    assert_string_equal(verdict(&unsound), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_expression), cmocka_unit_test(endless_expressions),
                                       cmocka_unit_test(the_verdict), cmocka_unit_test(names_of_symbols),
                                       cmocka_unit_test(many_variables), cmocka_unit_test(damaged_expressions),
                                       cmocka_unit_test(guards_of_export)};

    return RUN(tests);
}
