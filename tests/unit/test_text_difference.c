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
        struct trace_text t = {0};
        struct text_difference d;
        struct contents contents;
        struct process *p;
        struct run *r;

        add_graphs(&t, IN(0, 0, 0), cases[i].x);
        add_graphs(&t, IN(1, 0, 0), cases[i].y);
        r = trace_run(&t);
        p = r->processes.v[0];
        contents_init(&contents, r->arena, NULL);
        assert_int_equal(text_difference_find(r->arena, &contents, p->compiles.v[0], p->compiles.v[1], FACET_POST_GRAD,
                                              false, &d),
                         cases[i].differ);
        assert_int_equal(d.counts, cases[i].counts);
        assert_str(d.sides[0].line, cases[i].of_x);
        assert_str(d.sides[1].line, cases[i].of_y);
        contents_free(&contents);
        run_free(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(graphs)};

    return RUN(tests);
}
