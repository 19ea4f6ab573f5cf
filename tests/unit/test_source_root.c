/* Lines of code from disk: which file it is, and whether it is the one that was traced. */
#include "answers_text.h"

#include "load/source_root.h"

#include <errno.h>
#include <sys/stat.h>

static void string(struct trace_text *t, int number, const char *path)
{
    trace_recordf(t, "{\"str\": [\"%s\", %d]}", path, number);
}

/* [0/0] of f at line 1, called from line 5, which the trace has or lacks. */
static struct run *a_run(const char *path, const char *loc)
{
    struct trace_text t = {0};

    string(&t, 1, path);
    trace_recordf(&t,
                  "{\"dynamo_start\": {\"stack\": [{\"line\": 5, \"name\": \"<module>\", \"filename\": 1%s}, "
                  "{\"line\": 1, \"name\": \"f\", \"filename\": 1}]}, "
                  "\"frame_id\": 0, \"frame_compile_id\": 0, \"attempt\": 0}",
                  loc);
    return trace_run(&t);
}

static const char code[] = "def f(x):\n    return x + 1\n\nif True:\n    print(f(3))\n";

static const char *root_with(const char *name, const char *file, const char *text)
{
    const char *dir = temp_path(name);
    char path[40];

    assert_int_equal(mkdir(dir, 0755), 0);
    snprintf(path, sizeof path, "%.10s/work", name);
    assert_int_equal(mkdir(temp_path(path), 0755), 0);
    snprintf(path, sizeof path, "%.10s/%.20s", name, file);
    temp_write(path, str_of(text));
    return dir;
}

/* The lines of the stack of the first compile, innermost first. */
static struct str lines_of(const struct run *r)
{
    struct str out = {"", 0};

    for (const struct call *c = r->processes.v[0]->compiles.v[0]->stack; c; c = c->parent)
        out = arena_printf(r->arena, "%.*s%.*s|", STR_ARG(out), STR_ARG(c->source));
    return out;
}

static void check(const char *name, const char *traced, const char *loc, const char *file, const char *text,
                  const char *expected, size_t differing)
{
    struct run *r = a_run(traced, loc);
    struct source_root_result found;

    assert_int_equal(source_root_apply(r, root_with(name, file, text), &found), 0);
    assert_str(lines_of(r), expected);
    assert_int_equal(found.differing, differing);
    assert_int_equal(found.files, differing == 0 && *expected == 'd');
    run_free(r);
}

static void found(void **state)
{
    (void)state;
    check("a", "/home/me/work/x.py", ", \"loc\": \"print(f(3))\"", "work/x.py", code, "def f(x):|print(f(3))|",
          0);
    check("b", "/home/me/work/x.py", ", \"loc\": \"print(f(3))\"", "x.py", code, "def f(x):|print(f(3))|",
          0);
    check("c", "x.py", "", "x.py", code, "def f(x):|print(f(3))|", 0);
}

static void not_what_was_traced(void **state)
{
    (void)state;
    check("d", "/home/me/x.py", ", \"loc\": \"print(f(4))\"", "x.py", code, "|print(f(4))|", 1);
    check("e", "/home/me/x.py", "", "x.py", "import f\n", "||", 1);
    check("f", "/home/me/x.py", ", \"loc\": \"print(f(3))\"", "y.py", code, "|print(f(3))|", 0);
}

/* A graph break without a stack names its place alone. */
static void breaks(void **state)
{
    struct trace_text t = {0};
    struct run *r;
    struct source_root_result result;
    struct graph_break *b;

    (void)state;
    string(&t, 1, "/home/me/work/x.py");
    trace_recordf(&t, "{\"dynamo_start\": {\"stack\": [{\"line\": 5, \"name\": \"<module>\", \"filename\": 1}, "
                      "{\"line\": 1, \"name\": \"f\", \"filename\": 1, \"loc\": \"def f(x):\"}]}, "
                      "\"frame_id\": 0, \"frame_compile_id\": 0, \"attempt\": 0}");
    r = trace_run(&t);
    b = ARENA_NEW(r->arena, struct graph_break);
    *b = (struct graph_break){.file = STR("/home/me/work/x.py"), .line = 2};
    b->compile = r->processes.v[0]->compiles.v[0];
    vec_push(r->arena, &b->compile->breaks, b);
    assert_int_equal(source_root_apply(r, root_with("h", "x.py", code), &result), 0);
    assert_true(b->stack != NULL);
    assert_str(b->stack->source, "return x + 1");
    run_free(r);
}

/* A trace may name any path: what is above the directory is not read. */
static void outside(void **state)
{
    struct run *r = a_run("work/../../x.py", "");
    struct source_root_result result;

    (void)state;
    temp_write("x.py", str_of(code));
    assert_int_equal(source_root_apply(r, root_with("g", "y.py", code), &result), 0);
    assert_str(lines_of(r), "||");
    assert_int_equal(result.files, 0);
    assert_int_equal(source_root_apply(r, "/no/such/directory", &result), -ENOENT);
    assert_int_equal(source_root_apply(r, temp_path("x.py"), &result), -ENOTDIR);
    run_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(found),
        cmocka_unit_test(not_what_was_traced),
        cmocka_unit_test(breaks),
        cmocka_unit_test(outside),
    };

    return RUN(tests);
}
