/* The place of an exception that kept a function from being compiled, in each form of its message. */
#include "temp.h"

#include "load/load.h"
#include "model/merge/run.h"
#include "torchlog/crash/crash_lines.h"

/* Around the message, and before each line of it; `rest` if only the first line has a prefix. */
struct form {
    const char *name, *first, *rest;
};

#define GLOG "W1121 13:34:13.805000 20034 torch/_dynamo/convert_frame.py:2415] "

static const struct form forms[] = {
    {"whole", GLOG, GLOG},
    {"with ids", GLOG "[0/0] ", GLOG "[0/0] "},
    {"short", "WARNING:torch._dynamo.convert_frame:", ""},
    {"of 2.1", "[2024-01-02 10:11:12,131] torch._dynamo.convert_frame: [WARNING] ",
     "[2024-01-02 10:11:12,131] torch._dynamo.convert_frame: [WARNING] "},
};

static void add(struct buf *out, const struct form *form, const char *message)
{
    struct str rest = str_of(message), line;

    for (bool first = true; str_next_line(&rest, &line); first = false)
        buf_printf(out, "%s%.*s\n", first ? form->first : form->rest, STR_ARG(line));
}

/* The failures of a log: "ValueError /shop.py:7". */
static struct str failures_of(struct arena *a, struct str text)
{
    const char *path = temp_write("a.log", text);
    const struct load_options options = {0};
    struct load_error failed;
    struct pool *pool = pool_new(1);
    struct run *r = load_run(&path, 1, &options, pool, &failed);
    struct str out = STR("");
    const struct compile *c;

    assert_non_null(r);
    for (struct compile_walk w = {.run = r}; (c = compile_next(&w));)
        for (size_t i = 0; i < c->failures.n; i++) {
            const struct failure *f = c->failures.v[i];

            out = arena_printf(a, "%.*s%s%.*s %.*s:%lld", STR_ARG(out), out.n ? ", " : "", STR_ARG(f->type),
                               STR_ARG(f->file), (long long)f->line);
        }
    run_free(r);
    pool_free(pool);
    return out;
}

#define TORCH "/opt/venv/lib/python3.11/site-packages/torch/"
#define CALLS                                                                                                          \
    "Traceback (most recent call last):\n"                                                                             \
    "  File \"" TORCH "_dynamo/convert_frame.py\", line 1500, in __call__\n"                                           \
    "    result = self._inner_convert(frame)\n"                                                                        \
    "  File \"" TORCH "_dynamo/output_graph.py\", line 7, in call_user_compiler\n"                                     \
    "    raise BackendCompilerFailed(self.compiler_fn, e)\n"
#define RAISED "torch._dynamo.exc.BackendCompilerFailed: backend='quokka' raised:\nValueError: no shoes\n"

static void places(void **state)
{
    static const struct {
        const char *message, *failure;
    } cases[] = {
        /* where the function begins, if nothing says more */
        {"WON'T CONVERT sell /home/me/shop.py line 7 \ndue to: \n" CALLS RAISED,
         "BackendCompilerFailed /home/me/shop.py:7"},
        {"WON'T CONVERT sell /home/me/shop.py line 7 \ndue to: \n" CALLS RAISED
         "\nfrom user code:\n   File \"/home/me/till.py\", line 30, in sell\n    return x.no()\n",
         "BackendCompilerFailed /home/me/till.py:30"},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        for (size_t k = 0; k < COUNT(forms); k++) {
            struct buf text = {0};
            struct str found;

            buf_str(&text, STR("begins\n"));
            add(&text, &forms[k], cases[i].message);
            buf_str(&text, STR("goes on\n"));
            found = failures_of(a, buf_view(&text));
            if (!str_eq(found, str_of(cases[i].failure)))
                fail_msg("case %zu, %s: %.*s", i, forms[k].name, STR_ARG(found));
            buf_free(&text);
        }
    arena_free(a);
}

/* A line of the source that a debugger or a viewer shows, with its number; an arrow may mark it. */
static void lines_of_shown_code(void **state)
{
    static const struct {
        const char *line;
        bool is;
    } cases[] = {
        {"   12     y = f(x)", true}, {"---> 12     raise ValueError(1)", true},
        {"-> 12 y = f(x)", true},     {"--- 12 y = f(x)", false},
        {"12 y = f(x)", false},       {"---> y = f(x)", false},
        {"   12 ValueError: x", false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        if (crash_is_shown_code(str_of(cases[i].line)) != cases[i].is)
            fail_msg("%s", cases[i].line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(places), cmocka_unit_test(lines_of_shown_code)};

    return RUN(tests);
}
