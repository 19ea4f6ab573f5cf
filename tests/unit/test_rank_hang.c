/* Whether ranks would wait for each other: lists of collectives, side by side. */
#include "ranks_made.h"

static struct str place_of(struct arena *a, const struct rank_steps *steps, const struct rank_step *step)
{
    return step ? arena_printf(a, "%zu", (size_t)(step - steps->list.v)) : STR("end");
}

/* "1|2 after 0": the places in the two lists, and the calls of the group before; "" for no hang. */
static struct str hang_of(struct arena *a, const char *x, const char *y)
{
    struct rank_steps of_x = job_steps(a, x), of_y = job_steps(a, y);
    struct hang_place place;

    if (!hang_between(&of_x, &of_y, &place))
        return STR("");
    return arena_printf(a, "%.*s|%.*s after %d", STR_ARG(place_of(a, &of_x, place.a)),
                        STR_ARG(place_of(a, &of_y, place.b)), (int)place.before);
}

static void two_ranks(void **state)
{
    static const struct {
        const char *x, *y, *expected;
    } cases[] = {
        {"", "", ""},
        {"r0", "r0", ""},
        {"r0 g0 r0", "r0 g0 r0", ""},
        {"r0", "g0", "0|0 after 0"},
        {"r0", "m0", "0|0 after 0"},
        {"r0", "R0", "0|0 after 0"},
        /* A dynamic size may be any: only another number of dimensions is surely another call. */
        {"r0 R0", "d0 d0", ""},
        {"d0", "r0", ""},
        {"d0", "d0", ""},
        {"d0 r0", "D0 r0", "0|0 after 0"},
        {"r0", "D0", "0|0 after 0"},
        {"r0 r0", "r0", "1|end after 1"},
        {"r0", "r0 g0", "end|1 after 1"},
        {"r0 g0 r0", "r0 r0 g0", "1|1 after 1"},
        /* Two groups in another order: each group's own order agrees. */
        {"r1 g2", "g2 r1", ""},
        {"r1 r1 g2 g2", "r1 g2 r1 g2", ""},
        {"r0 r1 g2", "r0 g2 r1", ""},
        /* ... and one of them does not. */
        {"r1 g2", "g2 m1", "0|1 after 0"},
        {"r1 g2 g2", "g2 r1 r2", "2|2 after 1"},
        /* The first place of all groups, by the order of the first rank. */
        {"r1 r2", "m2 m1", "0|1 after 0"},
        {"r2 r1", "m2 m1", "0|0 after 0"},
        {"r0 r1", "m0 m1", "0|0 after 0"},
        /* Ranks of a mesh name their groups differently: only the default group is common. */
        {"r1 g1", "r2 m2", ""},
        {"r0 r1 g0", "r0 r2 m0", "2|2 after 1"},
        {"r0 r1 g1", "r0", ""},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct arena *a = arena_new();
        struct str found = hang_of(a, cases[i].x, cases[i].y);

        if (!str_eq(found, str_of(cases[i].expected)))
            fail_msg("%s and %s: got \"%.*s\", not \"%s\"", cases[i].x, cases[i].y, STR_ARG(found), cases[i].expected);
        arena_free(a);
    }
}

/* What is behind the end of a list that was cut is not known. */
static void cut_lists(void **state)
{
    struct arena *a = arena_new();
    struct rank_steps longer = job_steps(a, "r0 g0"), shorter = job_steps(a, "r0");
    struct hang_place place;

    (void)state;
    shorter.cut = true;
    assert_false(hang_between(&longer, &shorter, &place));
    assert_false(hang_between(&shorter, &longer, &place));
    shorter.cut = false;
    longer.cut = true;
    assert_true(hang_between(&longer, &shorter, &place));
    arena_free(a);
}

/* --- several ranks ------------------------------------------------------------------------------------------------ */

/* Ranks by their columns; the one that comes earliest is the hang. */
static void columns(void **state)
{
    const struct hang *h;
    struct column_steps steps = {.ran = true};
    struct job j;

    (void)state;
    job_begin(&j);
    for (int rank = 0; rank < 5; rank++) {
        job_rank(&j);
        job_compile(&j, "f", 0)->facets[FACET_COLLECTIVES] = rank == 3 ? OTHER : rank == 4 ? OTHER + 1 : SAME;
    }
    job_end(&j);
    assert_str(job_columns(&j), "[0 1 2] [3] [4]");
    *vec_add(j.a, &steps.list) = job_steps(j.a, "r0 r0 g0");
    *vec_add(j.a, &steps.list) = job_steps(j.a, "r0 r0 r0");
    *vec_add(j.a, &steps.list) = job_steps(j.a, "r0");
    for (size_t i = 0; i < steps.list.n; i++)
        vec_each(struct rank_step, step, &steps.list.v[i].list)
        {
            step->row = j.run.matrix.first;
            step->compile = j.run.columns.v[i].member->cells.v[0]->compile;
        }
    h = hang_find(j.a, &j.run, &steps);
    assert_non_null(h);
    assert_true(h->certain && h->ran);
    assert_int_equal(h->before, 1);
    assert_int_equal(h->majority.ranks.n, 3);
    assert_str(h->majority.call.op, "all_reduce");
    assert_ptr_equal(h->majority.compile, j.run.columns.v[0].member->cells.v[0]->compile);
    assert_int_equal(h->minority.ranks.n, 1);
    assert_int_equal(h->minority.ranks.v[0], 4);
    assert_str(h->minority.call.op, "");
    assert_null(h->minority.compile);
    job_free(&j);
}

/* What runs between the graphs of a function that breaks may call what is missing. */
static void behind_a_graph_break(void **state)
{
    struct column_steps steps = {0};
    struct graph_break *b;
    struct job j;

    (void)state;
    job_begin(&j);
    for (int rank = 0; rank < 2; rank++) {
        job_rank(&j);
        job_compile(&j, "f", 0)->facets[FACET_COLLECTIVES] = rank ? OTHER : SAME;
    }
    b = ARENA_NEW(j.a, struct graph_break);
    vec_push(j.a, &job_last(&j)->breaks, b);
    job_end(&j);
    *vec_add(j.a, &steps.list) = job_steps(j.a, "r0");
    *vec_add(j.a, &steps.list) = job_steps(j.a, "g0");
    for (size_t i = 0; i < steps.list.n; i++)
        steps.list.v[i].list.v[0].row = j.run.matrix.first;
    assert_false(hang_find(j.a, &j.run, &steps)->certain);
    job_free(&j);
}

/* Stages of a pipeline: no function is compiled by all ranks, and none calls collectives. */
static void stages(void **state)
{
    static const struct {
        const char *functions[3]; /* a letter for each that the rank compiles */
        const char *steps;        /* of the first rank */
        bool expected;
    } cases[] = {
        {{"a", "b", "c"}, "", true},     {{"a", "b", "b"}, "", true},
        {{"a", "b", "c"}, "r0", false}, /* they have to agree */
        {{"ax", "bx", "cx"}, "", false}, {{"a", "a", "a"}, "", false},
        {{"a", "b", ""}, "", false}, /* one did not come so far */
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct column_steps steps = {0};
        struct job j;

        job_begin(&j);
        for (int rank = 0; rank < 3; rank++) {
            job_rank(&j);
            for (const char *f = cases[i].functions[rank]; *f; f++)
                job_compile(&j, arena_printf(j.a, "%c", *f).p, 0);
        }
        job_end(&j);
        *vec_add(j.a, &steps.list) = job_steps(j.a, cases[i].steps);
        if (ranks_are_stages(&j.run, &steps) != cases[i].expected)
            fail_msg("case %zu: %.*s", i, STR_ARG(job_divergences(&j)));
        job_free(&j);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_ranks),
        cmocka_unit_test(cut_lists),
        cmocka_unit_test(columns),
        cmocka_unit_test(stages),
        cmocka_unit_test(behind_a_graph_break),
    };

    return RUN(tests);
}
