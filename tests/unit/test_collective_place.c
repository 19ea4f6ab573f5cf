/* Which line of the user's code calls each collective of a graph. */
#include "unit.h"

#include "text/graphs/collective_place.h"

#define USER(line, code) "# File: /home/me/train.py:" #line " in f, code: " code "\n"
#define TORCH                                                                                                          \
    "# File: /venv/lib/python3.11/site-packages/torch/distributed/_functional_collectives.py:209 in g, code: x = "     \
    "torch.ops._c10d_functional.all_gather_into_tensor(\n"
#define GATHER(name, input)                                                                                            \
    TORCH name ": \"f32[8]\" = torch.ops._c10d_functional.all_gather_into_tensor.default(" input ", 2, '0')\n"
#define WAIT(name, input)                                                                                              \
    TORCH name ": \"f32[8]\" = torch.ops._c10d_functional.wait_tensor.default(" input ");  " input " = None\n"

struct case_of_place {
    const char *graph;
    const char *places; /* of each call: "8", "6-8"; "-" if unknown */
};

static struct str place_words(struct arena *a, const struct collective_place *p)
{
    if (p->file.n == 0)
        return STR("-");
    assert_str(p->file, "/home/me/train.py");
    return p->from_line ? arena_printf(a, "%d-%d", (int)p->from_line, (int)p->line)
                        : arena_printf(a, "%d", (int)p->line);
}

static void check(const struct case_of_place *c)
{
    struct arena *a = arena_new();
    struct collective_places places;
    struct str found = {"", 0};

    collective_places_find(a, str_of(c->graph), &places);
    vec_each(const struct collective_place, p, &places.list) found =
        arena_printf(a, "%.*s%s%.*s", STR_ARG(found), found.n ? " " : "", STR_ARG(place_words(a, p)));
    assert_str(found, c->places);
    arena_free(a);
}

static void places(void **state)
{
    static const struct case_of_place cases[] = {
        /* The line that uses the result names it. */
        {USER(6, "y = x @ x") "mm: \"f32[4]\" = x @ x\n" GATHER("t", "mm") WAIT("w", "t")
             USER(8, "y = y + fc.all_gather_tensor(y, 0, group)") "add: \"f32[8]\" = mm + w\n",
         "8 8"},
        /* The line that makes its input does. */
        {USER(6, "z = fc.all_gather_tensor(x * 2, 0, group)") "mul: \"f32[4]\" = x * 2\n" GATHER("t", "mul")
             WAIT("w", "t") USER(9, "return z.sum()") "sum: \"f32[]\" = w.sum()\n",
         "6 6"},
        /* Neither does. */
        {USER(6, "y = x * 2") "mul: \"f32[4]\" = x * 2\n" GATHER("t", "mul") WAIT("w", "t")
             USER(9, "return z.sum()") "sum: \"f32[]\" = w.sum()\n",
         "6-9 6-9"},
        /* The result leaves the graph as it is. */
        {USER(6, "y = x * 2") "mul: \"f32[4]\" = x * 2\n" GATHER("t", "mul") WAIT("w", "t") "return (w,)\n", "6-6 6-6"},
        {GATHER("t", "x") WAIT("w", "t") USER(9, "return z.sum()") "sum: \"f32[]\" = w.sum()\n", "9 9"},
        /* No computation shows the line: uses the lines around it. */
        {GATHER("t", "x") WAIT("w", "t") USER(9, "y = y + 1") "add: \"f32[]\" = y + 1\nreturn (w, add)\n", "1-9 1-9"},
        {USER(3, "y = y + 1") "add: \"f32[]\" = y + 1\n" GATHER("t", "x") WAIT("w", "t")
             USER(9, "y = y + 1") "add_1: \"f32[]\" = add + 1\nreturn (w, add_1)\n",
         "3-9 3-9"},
        {USER(6, "y = y + 1") "add: \"f32[]\" = y + 1\n" GATHER("t", "x") WAIT("w", "t") "return (w, add)\n",
         "6-6 6-6"},
        {USER(3, "y = y + 1") "add: \"f32[]\" = y + 1\n" USER(6, "y = y * 2") "mul: \"f32[]\" = add * 2\n"
             GATHER("t", "x") WAIT("w", "t") "return (w, mul)\n",
         "6-6 6-6"},
        {GATHER("t", "x") WAIT("w", "t") "return (w,)\n", "- -"},
        /* What hands it on are PyTorch's own lines. */
        {USER(6, "y = x * 2") "mul: \"f32[4]\" = x * 2\n" GATHER("t", "mul") WAIT("w", "t") TORCH
         "view: \"f32[8]\" = w.view(8)\nsplit: \"f32[8]\" = view.split(4)\n" USER(
             8, "z = fc.all_gather_tensor(y, 1, group) + 1") "add: \"f32[8]\" = split + 1\n",
         "8 8"},
        /* The node has the line itself. */
        {USER(4, "dist.all_reduce(x)") "r: \"f32[8]\" = torch.ops._c10d_functional.all_reduce.default(x, 'sum', '0')\n",
         "4"},
        /* Two calls of which the results are used in another order. */
        {USER(5, "a = x + 1") "a: \"f32[4]\" = x + 1\n" GATHER("t", "a") GATHER("u", "x") WAIT("w", "u")
             USER(8, "c = b * all_gather_tensor(x)") "c: \"f32[8]\" = w * 2\n" WAIT("v", "t")
                 USER(9, "d = c + all_gather_tensor(a)") "d: \"f32[8]\" = c + v\n",
         "9 8 8 9"},
        /* A line of code is no node, and the names in its text are no values. */
        {"# No stacktrace found for following nodes\n" GATHER("t", "x") "return (t,)", "-"},
        {"", ""},
        {"t: \"f32[8]\" = \n = \n: \n# File: \n", ""},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        check(&cases[i]);
}

static void words(void **state)
{
    struct arena *a = arena_new();
    struct collective_call c = {.file = STR("f.py"), .line = 8};

    (void)state;
    assert_str(collective_place_words(a, &c), "");
    c.from_line = 6;
    assert_str(collective_place_words(a, &c), "between lines 6 and 8");
    c.from_line = 8;
    assert_str(collective_place_words(a, &c), "at or after line 8");
    c.from_line = 1;
    assert_str(collective_place_words(a, &c), "at or before line 8");
    c.file = STR("");
    assert_str(collective_place_words(a, &c), "");
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(places), cmocka_unit_test(words)};

    return RUN(tests);
}
