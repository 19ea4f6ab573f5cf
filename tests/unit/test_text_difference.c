/* The first lines in which the texts of two compiles differ. */
#include "trace_text.h"

#include "ranks/text_difference.h"

#define FIRST "def forward(self, x):\n    add = x + 1\n    return add\n"
#define OTHER "def forward(self, x):\n    mul = x * 2\n    return mul\n"

static void add_graphs(struct trace_text *t, const char *ids, const char *const *texts)
{
    trace_recordf(t, "{\"dynamo_start\": {\"stack\": []}, %s}", ids);
    for (size_t i = 0; texts[i]; i++) {
        char json[200];

        snprintf(json, sizeof json, "{\"inductor_post_grad_graph\": {}, %s}", ids);
        trace_payload(t, json, texts[i]);
    }
}

struct compared {
    struct text_difference d;
    struct contents contents;
    struct run *run;
};

/* Whether the graphs of two compiles differ. */
static bool compare(struct compared *c, const char *const x[3], const char *const y[3])
{
    struct trace_text t = {0};
    struct process *p;

    add_graphs(&t, IN(0, 0, 0), x);
    add_graphs(&t, IN(1, 0, 0), y);
    c->run = trace_run(&t);
    p = c->run->processes.v[0];
    contents_init(&c->contents, c->run->arena, NULL);
    return text_difference_find(c->run->arena, &c->contents, p->compiles.v[0], p->compiles.v[1], FACET_POST_GRAD, false,
                                &c->d);
}

static void compared_free(struct compared *c)
{
    contents_free(&c->contents);
    run_free(c->run);
}

static void graphs(void **state)
{
    static const struct {
        const char *x[3], *y[3];
        bool differ, counts;
        const char *of_x, *of_y;
    } cases[] = {
        {{FIRST}, {FIRST}, false, false, "", ""},
        {{FIRST}, {OTHER}, true, false, "add = x + 1", "mul = x * 2"},
        {{FIRST, FIRST}, {FIRST, OTHER}, true, false, "add = x + 1", "mul = x * 2"},
        {{FIRST, FIRST}, {FIRST}, true, true, "", ""},
        {{FIRST}, {FIRST, FIRST}, true, true, "", ""},
        {{FIRST}, {OTHER, FIRST}, true, false, "add = x + 1", "mul = x * 2"},
        {{NULL}, {FIRST}, true, true, "", ""},
        {{NULL}, {NULL}, false, false, "", ""},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct compared c;
        bool differ = compare(&c, cases[i].x, cases[i].y);

        assert_int_equal(differ, cases[i].differ);
        assert_int_equal(c.d.counts, cases[i].counts);
        assert_str(c.d.sides[0].line, cases[i].of_x);
        assert_str(c.d.sides[1].line, cases[i].of_y);
        compared_free(&c);
    }
}

#define LINE(number) "    # File: /home/user/job.py:" #number " in step, code: y = g(x)\n"
#define LIBRARY                                                                                                        \
    "    # File: /venv/lib/python3.11/site-packages/torch/distributed/_functional_collectives.py:179 in all_reduce, "  \
    "code: tensor = f(x)\n"
#define REDUCE(x, op) "    r = torch.ops._c10d_functional.all_reduce.default(" x ", '" op "', '0')\n"
#define BEGIN "def forward(self, x):\n" LINE(7) "    add = x + 1\n"
#define END "    return add\n"

/* A line that PyTorch's own code calls is placed by the user's lines around it, one of several calls as well. */
static void places_of_collectives(void **state)
{
    static const struct {
        const char *x[3], *y[3], *line;
        int place, from_place;
    } cases[] = {
        {{BEGIN REDUCE("add", "sum") END}, {BEGIN REDUCE("add", "max") END}, "'sum', '0')", 7, 0},
        {{BEGIN LIBRARY REDUCE("add", "sum") END}, {BEGIN LIBRARY REDUCE("add", "max") END}, "'sum', '0')", 7, 7},
        {{BEGIN LIBRARY REDUCE("add", "sum") LINE(9) "    b = x\n" LIBRARY REDUCE("b", "sum") END},
         {BEGIN LIBRARY REDUCE("add", "sum") LINE(9) "    b = x\n" LIBRARY REDUCE("b", "max") END},
         "'sum', '0')", 9, 9},
        /* The calls before it in another text do not count. */
        {{"# a\n" BEGIN LIBRARY REDUCE("x", "sum") END, BEGIN LIBRARY REDUCE("add", "sum") END},
         {"# b\n" BEGIN LIBRARY REDUCE("x", "sum") END, BEGIN LIBRARY REDUCE("add", "max") END},
         "'sum', '0')", 7, 7},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct compared c;
        bool differ = compare(&c, cases[i].x, cases[i].y);

        assert_true(differ);
        for (int side = 0; side < 2; side++) {
            assert_str(c.d.sides[side].op, "all_reduce");
            assert_str(c.d.sides[side].file, "/home/user/job.py");
            assert_int_equal(c.d.sides[side].place, cases[i].place);
            assert_int_equal(c.d.sides[side].from_place, cases[i].from_place);
        }
        assert_true(str_ends(c.d.sides[0].line, str_of(cases[i].line)));
        compared_free(&c);
    }
}

/* A line above which its own text names none has no place, whatever the texts before it name. */
static void places_in_other_texts(void **state)
{
    static const struct {
        const char *x[3], *y[3], *file;
        int place;
    } cases[] = {
        {{BEGIN END}, {"def forward(self, x):\n" LINE(7) "    mul = x * 2\n"}, "/home/user/job.py", 7},
        {{"# a\n" BEGIN END, FIRST}, {"# b\n" BEGIN END, OTHER}, "", 0},
        {{"# a\n" BEGIN LIBRARY END, FIRST}, {"# b\n" BEGIN LIBRARY END, OTHER}, "", 0},
        {{"# a\n" FIRST, BEGIN END}, {"# b\n" FIRST, BEGIN "    return x\n"}, "/home/user/job.py", 7},
        /* Of the library's lines, only those that call a collective are placed where it is called. */
        {{BEGIN LIBRARY REDUCE("add", "sum") LINE(9) "    b = x\n" LIBRARY "    c = b.sin()\n" END},
         {BEGIN LIBRARY REDUCE("add", "sum") LINE(9) "    b = x\n" LIBRARY "    c = b.cos()\n" END},
         "/home/user/job.py",
         9},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct compared c;
        bool differ = compare(&c, cases[i].x, cases[i].y);

        assert_true(differ);
        for (int side = 0; side < 2; side++) {
            assert_str(c.d.sides[side].file, cases[i].file);
            assert_int_equal(c.d.sides[side].place, cases[i].place);
        }
        compared_free(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(graphs), cmocka_unit_test(places_of_collectives),
                                       cmocka_unit_test(places_in_other_texts)};

    return RUN(tests);
}
