#include "answers_text.h"

#include "model/conclude/callers.h"

/* 2.3 and 2.4 write a thread where later ones write a process. */
#define THREAD 140220942855040u

static void files(struct trace_text *t)
{
    trace_file(t);
    trace_record(t, "{\"str\": [\"/venv/lib/python3.11/site-packages/torch/_dynamo/eval_frame.py\", 1]}");
    trace_record(t, "{\"str\": [\"/venv/lib/python3.11/site-packages/torch/nn/modules/module.py\", 2]}");
}

/*
 * Starts a compile with the stack of "main _fn" and of functions in /x.py; a name after "[" is of torch.nn, one after
 * "<" of Dynamo.
 */
static void start(struct trace_text *t, const char *ids, const char *functions)
{
    struct str rest = str_of(functions);
    struct buf json = {0};

    buf_printf(&json, "{\"dynamo_start\": {\"stack\": [{\"line\": 100, \"name\": \"main\", \"filename\": 0}");
    while (rest.n) {
        struct str name = str_split(&rest, ' ');
        int file = str_eq(name, STR("_fn")) ? 1 : 0;

        file = str_consume(&name, STR("[")) ? 2 : str_consume(&name, STR("<")) ? 3 : file;

        buf_printf(&json, ", {\"line\": %d, \"name\": \"%.*s\", \"filename\": %d}", 50, STR_ARG(name), file);
    }
    buf_printf(&json, "]}, %s}", ids);
    buf_char(&json, '\0');
    trace_record(t, json.p);
    buf_free(&json);
}

/* "f<- g<-0/0 ?<-": each compile's frame and the compile in whose frame it was compiled on its own. */
static struct str frames_of(const struct run *r)
{
    struct str out = STR("");

    for (size_t i = 0; i < r->processes.v[0]->compiles.n; i++) {
        const struct compile *c = r->processes.v[0]->compiles.v[i];

        out = arena_printf(r->arena, "%.*s%s%.*s<-%.*s", STR_ARG(out), i ? " " : "",
                           STR_ARG(c->frame->name.n ? c->frame->name : STR("?")),
                           STR_ARG(c->within ? compile_id_print(r->arena, c->within->id) : STR("")));
    }
    return out;
}

/* A frame without a name: compiles that happened while it ran have the name. */
static void names_from_other_stacks(void **state)
{
    struct trace_text t = {.pid = THREAD};
    const struct process *p;
    struct run *r;

    (void)state;
    files(&t);
    start(&t, IN(0, 0, 0), "_fn");
    start(&t, IN(1, 0, 0), "_fn f");           /* compiled while f ran, which is [0/0] */
    start(&t, IN(2, 0, 0), "_fn f g [call h"); /* inside of g, which is [1/0], further in */
    start(&t, IN(3, 0, 0), "_fn");             /* of nobody more is known */
    r = trace_run(&t);
    p = r->processes.v[0];
    assert_true(callers_only(p));
    assert_str(frames_of(r), "f<- g<-0/0 ?<-1/0 ?<-");
    assert_str(p->frames.v[0]->file, "/x.py");
    assert_int_equal(p->frames.v[0]->line, 0); /* the line of a call is not where the function begins */
    /* Without a graph break no frame would be compiled on its own inside of another. */
    assert_str(trace_compiles(r), "0/0 graph_break, 1/0 graph_break, 2/0 incomplete, 3/0 incomplete");
    assert_str(p->compiles.v[0]->breaks.v[0]->function, "f");
    assert_str(p->compiles.v[0]->breaks.v[0]->file, "/x.py");
    assert_int_equal(p->compiles.v[0]->breaks.v[0]->line, 0);
    run_free(r);
}

/* The name of a resume function shows where the graph broke. */
static void resume_functions(void **state)
{
    struct trace_text t = {.pid = THREAD};
    const struct compile *c;
    struct run *r;

    (void)state;
    files(&t);
    start(&t, IN(0, 0, 0), "_fn");
    start(&t, IN(1, 0, 0), "_fn f");
    start(&t, IN(2, 0, 0), "_fn f torch_dynamo_resume_in_f_at_7");
    r = trace_run(&t);
    assert_str(frames_of(r), "f<- torch_dynamo_resume_in_f_at_7<-0/0 ?<-1/0");
    assert_true(r->processes.v[0]->frames.v[1]->is_resume);
    c = r->processes.v[0]->compiles.v[0];
    assert_int_equal(c->breaks.n, 1);
    assert_int_equal(c->breaks.v[0]->line, 7);
    assert_str(c->breaks.v[0]->function, "f");
    c = r->processes.v[0]->compiles.v[1];
    assert_int_equal(c->breaks.n, 1);
    assert_str(c->breaks.v[0]->function, "f"); /* what it resumes, not what it is called */
    assert_int_equal(c->breaks.v[0]->line, 0);
    run_free(r);
}

/* A frame that is compiled again calls itself, and ids of another epoch mean something else. */
static void what_is_not_within(void **state)
{
    struct trace_text t = {.pid = THREAD};
    struct run *r;

    (void)state;
    files(&t);
    start(&t, IN(0, 0, 0), "_fn");
    start(&t, IN(0, 1, 0), "_fn f");
    start(&t, IN(1, 0, 0), "other");
    start(&t, IN(2, 0, 0), "_fn [call h"); /* what was called first is PyTorch's, and is not compiled */
    r = trace_run(&t);
    assert_str(frames_of(r), "?<- ?<- ?<- ?<-");
    run_free(r);

    t = (struct trace_text){.pid = THREAD};
    files(&t);
    start(&t, IN(0, 0, 0), "_fn");
    start(&t, IN(0, 0, 0), "_fn f"); /* torch._dynamo.reset() */
    r = trace_run(&t);
    assert_int_equal(r->processes.v[0]->epochs, 2);
    assert_str(frames_of(r), "?<- ?<-");
    run_free(r);
}

/* 2.4 leaves its own calls at the end of the stack, and names the frame in the metrics. */
static void names_from_metrics(void **state)
{
    struct trace_text t = {.pid = THREAD};
    const struct process *p;
    struct run *r;

    (void)state;
    files(&t);
    trace_record(&t, "{\"str\": [\"/venv/lib/python3.11/site-packages/torch/_dynamo/convert_frame.py\", 3]}");
    start(&t, IN(0, 0, 0), "[_wrapped_call_impl [_call_impl <__call__");
    trace_record(&t, "{\"compilation_metrics\": {\"co_name\": \"forward\", \"co_filename\": \"/m.py\", "
                     "\"co_firstlineno\": 7}, " IN(0, 0, 0) "}");
    start(&t, IN(1, 0, 0), "[_wrapped_call_impl [_call_impl forward <__call__");
    trace_record(&t, "{\"compilation_metrics\": {\"co_name\": \"torch_dynamo_resume_in_forward_at_9\", "
                     "\"co_filename\": \"/m.py\", \"co_firstlineno\": 9}, " IN(1, 0, 0) "}");
    start(&t, IN(2, 0, 0), "[_wrapped_call_impl [_call_impl <__call__"); /* it was killed */
    r = trace_run(&t);
    p = r->processes.v[0];
    assert_true(callers_only(p));
    assert_str(frames_of(r), "forward<- torch_dynamo_resume_in_forward_at_9<-0/0 ?<-");
    assert_str(p->frames.v[0]->file, "/m.py");
    assert_int_equal(p->frames.v[0]->line, 7);
    assert_true(p->frames.v[1]->is_resume);
    assert_int_equal(p->compiles.v[0]->breaks.v[0]->line, 9);
    run_free(r);
}

/* 2.5 and later put the frame last, so its name stays. */
static void stacks_with_the_frame(void **state)
{
    static const uint64_t numbers[] = {THREAD, 100};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct trace_text t = {.pid = numbers[i]};
        struct run *r;

        files(&t);
        start(&t, IN(0, 0, 0), "_fn f");
        start(&t, IN(1, 0, 0), i ? "_fn f _fn" : "_fn f g"); /* with a process number, the wrapper may be last */
        r = trace_run(&t);
        assert_false(callers_only(r->processes.v[0]));
        assert_str(frames_of(r), i ? "f<- _fn<-" : "f<- g<-");
        assert_str(trace_compiles(r), "0/0 incomplete, 1/0 incomplete");
        run_free(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_from_other_stacks),
        cmocka_unit_test(resume_functions),
        cmocka_unit_test(what_is_not_within),
        cmocka_unit_test(names_from_metrics),
        cmocka_unit_test(stacks_with_the_frame),
    };

    return RUN(tests);
}
