/* Where ranks differ, on fingerprints alone. */
#include "ranks_made.h"

/* What differs in one facet differs in no other. */
static void facets_do_not_mix(void **state)
{
    struct arena *a = arena_new();
    struct process process = {0};
    struct compile c = {.process = &process};
    struct graph_break printed = {.type = STR("print")};
    struct fingerprint one, two;
    struct contents contents;
    struct fingerprinter f;

    (void)state;
    contents_init(&contents, a, NULL);
    fingerprinter_init(&f, a, &contents);
    fingerprint_take(&f, &c, &one);
    vec_push(a, &c.breaks, &printed);
    fingerprint_take(&f, &c, &two);
    assert_int_not_equal(one.facets[FACET_BREAKS], two.facets[FACET_BREAKS]);
    assert_int_equal(one.facets[FACET_STATUS], two.facets[FACET_STATUS]);
    fingerprinter_free(&f);
    contents_free(&contents);
    arena_free(a);
}

/* Four ranks compile f and g; what rank 2 does in f is changed. */
static void one_facet(enum rank_facet facet, const char *divergences, const char *differences, const char *columns)
{
    struct job j;

    job_begin(&j);
    for (int rank = 0; rank < 4; rank++) {
        job_rank(&j);
        job_compile(&j, "f", 0)->facets[facet] = rank == 2 ? OTHER : SAME;
        job_compile(&j, "g", 0);
    }
    job_end(&j);
    assert_str(job_divergences(&j), divergences);
    assert_str(job_differences(&j), differences);
    assert_str(job_columns(&j), columns);
    assert_int_equal(j.run.diverging, *divergences != '\0');
    assert_int_equal(j.run.differing, *differences != '\0');
    job_free(&j);
}

static void each_facet(void **state)
{
    static const enum rank_facet program[] = {FACET_REASONS,     FACET_BREAKS,    FACET_STATUS,
                                              FACET_GRAPH,       FACET_JOINT,     FACET_PARTITION,
                                              FACET_COLLECTIVES, FACET_POST_GRAD, FACET_TENSORS};
    static const enum rank_facet benign[] = {FACET_SIZES, FACET_CACHE, FACET_CODE, FACET_GUARDS};
    char expected[100];

    (void)state;
    assert_int_equal(COUNT(program) + COUNT(benign), FACETS);
    for (size_t i = 0; i < COUNT(program); i++) {
        snprintf(expected, sizeof expected, "%s f/0 [0 1 3] [2]*", divergence_kind_name(facet_kind(program[i])));
        one_facet(program[i], expected, "", "[0 1 3] [2]");
    }
    for (size_t i = 0; i < COUNT(benign); i++) {
        snprintf(expected, sizeof expected, "%s f/0 [0 1 3] [2]*", divergence_kind_name(facet_kind(benign[i])));
        one_facet(benign[i], "", expected, "[0 1 2 3]");
    }
}

static void nothing(void **state)
{
    struct job j;

    (void)state;
    job_begin(&j);
    for (int rank = 0; rank < 3; rank++) {
        job_rank(&j);
        job_compile(&j, "f", 0);
    }
    job_end(&j);
    assert_str(job_divergences(&j), "");
    assert_str(job_columns(&j), "[0 1 2]");
    job_free(&j);
}

/* What is not in a trace is no difference. */
static void unknown_facets(void **state)
{
    struct job j;

    (void)state;
    job_begin(&j);
    for (int rank = 0; rank < 3; rank++) {
        struct fingerprint *print;

        job_rank(&j);
        print = job_compile(&j, "f", 0);
        if (rank == 1)
            print->facets[FACET_POST_GRAD] = print->counts[FACET_POST_GRAD] = 0;
    }
    job_end(&j);
    assert_str(job_divergences(&j), "");
    job_free(&j);
}

/* Fewer artifacts are a divergence, unless a cache served the compile: what it has, is not compiled. */
static void fewer_artifacts(void **state)
{
    (void)state;
    for (int cached = 0; cached < 2; cached++) {
        struct job j;

        job_begin(&j);
        for (int rank = 0; rank < 3; rank++) {
            struct fingerprint *print;

            job_rank(&j);
            print = job_compile(&j, "f", 0);
            print->counts[FACET_PARTITION] = rank == 1 ? 1 : 2;
            print->facets[FACET_PARTITION] = rank == 1 ? OTHER : SAME;
            print->cached = rank == 1 && cached;
        }
        job_end(&j);
        assert_str(job_divergences(&j), cached ? "" : "partition f/0 [0 2] [1]*");
        job_free(&j);
    }
}

/* More artifacts than others have are no cache's doing. */
static void more_artifacts_of_a_cached_rank(void **state)
{
    struct job j;

    (void)state;
    job_begin(&j);
    for (int rank = 0; rank < 3; rank++) {
        struct fingerprint *print;

        job_rank(&j);
        print = job_compile(&j, "f", 0);
        print->counts[FACET_POST_GRAD] = rank == 1 ? 3 : 2;
        print->facets[FACET_POST_GRAD] = rank == 1 ? OTHER : SAME;
        print->cached = rank == 1;
    }
    job_end(&j);
    assert_str(job_divergences(&j), "post_grad_graph f/0 [0 2] [1]*");
    job_free(&j);
}

/* The divergence is named after its first cause; the others are in its details. */
static void several_facets(void **state)
{
    const struct divergence *d;
    struct job j;

    (void)state;
    job_begin(&j);
    for (int rank = 0; rank < 5; rank++) {
        struct fingerprint *print;

        job_rank(&j);
        print = job_compile(&j, "f", 0);
        print->facets[FACET_BREAKS] = rank == 4 ? OTHER : SAME;
        print->facets[FACET_GRAPH] = rank >= 3 ? (uint32_t)rank : SAME;
        print->facets[FACET_GUARDS] = (uint32_t)rank + 1;
        print->facets[FACET_SIZES] = (uint32_t)rank + 1;
    }
    job_end(&j);
    assert_str(job_divergences(&j), "graph_break f/0 [0 1 2] [3] [4]*");
    d = j.run.divergences.v[0];
    assert_int_equal(d->also, 1u << DIVERGENCE_GRAPH | 1u << DIVERGENCE_GUARDS);
    assert_str(job_differences(&j), "");
    job_free(&j);
}

/* In /job.py, as all frames of a job are. */
static const struct call *call_of(struct job *j, const char *function, int line)
{
    struct call *c = ARENA_NEW(j->a, struct call);

    *c = (struct call){.file = STR("job.py"), .function = str_of(function), .line = line, .depth = 1};
    return c;
}

/* Rank 1 has another graph of `f`, and then of what was compiled because of it, or not. */
static void what_comes_of_a_divergence(void **state)
{
    static const struct {
        const char *function;
        int number;
        const char *resumes, *caller, *broke_in;
        int broke_at;
        bool follows;
    } cases[] = {
        {"f", 1, NULL, NULL, NULL, 0, true},  /* again */
        {"g", 0, NULL, NULL, NULL, 0, false},
        {"g", 0, "f", NULL, NULL, 0, true},   /* the rest of it */
        {"g", 0, "h", NULL, NULL, 0, false},
        {"g", 0, NULL, "f", NULL, 0, true},   /* what it calls */
        {"g", 0, NULL, "h", NULL, 0, false},
        {"g", 0, NULL, NULL, "g", 7, true},   /* what its break lets be compiled */
        {"g", 0, NULL, NULL, "g", 6, false},  /* another function of that name */
        {"g", 0, NULL, NULL, "h", 7, false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char expected[100];
        struct job j;

        job_begin(&j);
        for (int rank = 0; rank < 3; rank++) {
            struct graph_break *b;
            struct compile *c;

            job_rank(&j);
            job_compile(&j, "f", 0)->facets[FACET_GRAPH] = rank == 1 ? OTHER : SAME;
            if (cases[i].broke_in) {
                b = ARENA_NEW(j.a, struct graph_break);
                b->stack = call_of(&j, cases[i].broke_in, cases[i].broke_at);
                vec_push(j.a, &job_last(&j)->breaks, b);
            }
            job_compile(&j, cases[i].function, cases[i].number)->facets[FACET_GRAPH] = rank == 1 ? OTHER : SAME;
            c = job_last(&j);
            c->frame->line = cases[i].number ? 0 : 7;
            c->frame->is_resume = cases[i].resumes != NULL;
            c->frame->resumes = str_of(cases[i].resumes ? cases[i].resumes : "");
            c->stack = cases[i].caller ? call_of(&j, cases[i].caller, 3) : NULL;
        }
        job_end(&j);
        snprintf(expected, sizeof expected, "graph f/0 [0 2] [1]*, graph %s/%d [0 2] [1]*%s", cases[i].function,
                 cases[i].number, cases[i].follows ? " < f/0" : "");
        if (!str_eq(job_divergences(&j), str_of(expected)))
            fail_msg("case %zu: %.*s", i, STR_ARG(job_divergences(&j)));
        job_free(&j);
    }
}

/* A compile that only some ranks have, and what comes of it. */
static void missing_compiles(void **state)
{
    struct job j;

    (void)state;
    job_begin(&j);
    for (int rank = 0; rank < 4; rank++) {
        job_rank(&j);
        job_compile(&j, "f", 0);
        if (rank == 3)
            job_compile(&j, "f", 1);
        if (rank != 1)
            job_compile(&j, "g", 0);
        job_compile(&j, "h", 0);
    }
    job_end(&j);
    assert_str(job_divergences(&j), "recompile f/1 [0 1 2] [3]*, compile g/0 [0 2 3] [1]*");
    assert_str(job_columns(&j), "[0 2] [1] [3]");
    job_free(&j);
}

/* Readers number every compile, but a forged digest may lack a number: that compile comes before no other. */
static void a_frame_without_a_number(void **state)
{
    struct job j;

    (void)state;
    job_begin(&j);
    for (int rank = 0; rank < 4; rank++) {
        job_rank(&j);
        job_compile(&j, "f", ID_NONE);
        if (rank == 3)
            job_compile(&j, "f", 0);
        job_compile(&j, "g", 0);
    }
    job_end(&j);
    assert_str(job_divergences(&j), "compile f/0 [0 1 2] [3]*");
    job_free(&j);
}

/* A rank that ends early is reported once. */
static void a_rank_that_stops(void **state)
{
    struct job j;

    (void)state;
    job_begin(&j);
    for (int rank = 0; rank < 4; rank++) {
        job_rank(&j);
        job_compile(&j, "f", 0);
        if (rank == 2)
            continue;
        job_compile(&j, "g", 0);
        job_compile(&j, "h", 0);
    }
    job_end(&j);
    assert_str(job_divergences(&j), "stopped g/0 [0 1 3] [2]*, stopped h/0 [0 1 3] [2]* < g/0");
    job_free(&j);
}

static void a_rank_that_stops_within(void **state)
{
    struct job j;

    (void)state;
    job_begin(&j);
    for (int rank = 0; rank < 3; rank++) {
        job_rank(&j);
        job_compile(&j, "f", 0)->facets[FACET_STATUS] = rank == 1 ? OTHER : SAME;
        job_last(&j)->status = rank == 1 ? STATUS_INCOMPLETE : STATUS_OK;
    }
    job_end(&j);
    assert_str(job_divergences(&j), "stopped f/0 [0 2] [1]*");
    job_free(&j);
}

static void another_order_of_compiling(void **state)
{
    struct job j;

    (void)state;
    job_begin(&j);
    for (int rank = 0; rank < 3; rank++) {
        job_rank(&j);
        job_compile(&j, rank == 1 ? "g" : "f", 0);
        job_compile(&j, rank == 1 ? "f" : "g", 0);
    }
    job_end(&j);
    assert_str(job_divergences(&j), "order f/0 [0 2] [1]*");
    assert_str(job_columns(&j), "[0 2] [1]");
    job_free(&j);
}

/* Divergences have the order of the program, whatever of them was found first. */
static void another_order_before_another_graph(void **state)
{
    struct job j;

    (void)state;
    job_begin(&j);
    for (int rank = 0; rank < 3; rank++) {
        job_rank(&j);
        job_compile(&j, rank == 1 ? "g" : "f", 0);
        job_compile(&j, rank == 1 ? "f" : "g", 0);
        job_compile(&j, "h", 0)->facets[FACET_GRAPH] = rank == 1 ? OTHER : SAME;
    }
    job_end(&j);
    assert_str(job_divergences(&j), "order f/0 [0 2] [1]*, graph h/0 [0 2] [1]*");
    job_free(&j);
}

/* Rows are matched by the code that was compiled; ids of frames are each rank's own. */
static void other_ids(void **state)
{
    struct job j;

    (void)state;
    job_begin(&j);
    for (int rank = 0; rank < 2; rank++) {
        job_rank(&j);
        job_compile(&j, "f", 0);
        job_last(&j)->frame->id += 7 * rank;
        job_last(&j)->id.frame += 7 * rank;
    }
    job_end(&j);
    assert_int_equal(j.run.matrix.rows, 1);
    assert_str(job_divergences(&j), "");
    job_free(&j);
}

/* --- order of running --------------------------------------------------------------------------------------------- */

/* Graphs that a rank ran: "fgf"; "?" has no compile id. */
static void ran(struct job *j, struct rank_member *m, const char *functions)
{
    struct graph_order *order = ARENA_NEW(j->a, struct graph_order);

    for (size_t i = 0; functions[i]; i++) {
        const struct rank_row *row = NULL;

        for (size_t k = 0; k < m->cells.n; k++)
            if (m->cells.v[k]->compile->frame->name.p[0] == functions[i])
                row = m->cells.v[k]->row;
        vec_push(j->a, &order->rows, row);
    }
    m->ran = order;
}

static void run_orders(const char *const *orders, int n, struct job *j)
{
    job_begin(j);
    for (int rank = 0; rank < n; rank++) {
        job_rank(j);
        job_compile(j, "f", 0);
        job_compile(j, "g", 0);
    }
    for (int rank = 0; rank < n; rank++)
        for (int before = 0; before <= rank; before++)
            if (strcmp(orders[before], orders[rank]) == 0) {
                if (before == rank)
                    ran(j, j->run.matrix.members.v[rank], orders[rank]);
                j->run.matrix.members.v[rank]->ran = j->run.matrix.members.v[before]->ran;
                break;
            }
    job_end(j);
}

static void another_order_of_running(void **state)
{
    struct job j;

    (void)state;
    run_orders((const char *[]){"fgfg", "ffgg", "fgfg"}, 3, &j);
    assert_str(job_divergences(&j), "execution f/0 [0 2] [1]*");
    assert_str(job_columns(&j), "[0 2] [1]");
    assert_int_equal(j.run.execution->at, 1);
    assert_int_equal(j.run.execution->sides.v[0].length, 4);
    assert_str(j.run.execution->sides.v[0].compile->frame->name, "g");
    assert_str(j.run.execution->sides.v[1].compile->frame->name, "f");
    job_free(&j);
}

/* A rank with less data runs fewer graphs: that is reported, but not as a different order. */
static void fewer_runs(void **state)
{
    struct job j;

    (void)state;
    run_orders((const char *[]){"fgfg", "fg"}, 2, &j);
    assert_str(job_divergences(&j), "");
    assert_non_null(j.run.execution);
    assert_true(j.run.execution->shorter);
    assert_int_equal(j.run.execution->at, 2);
    job_free(&j);
}

static void graphs_without_an_id(void **state)
{
    struct job j;

    (void)state;
    run_orders((const char *[]){"fg?g", "f?fg"}, 2, &j);
    assert_str(job_divergences(&j), "");
    job_free(&j);
}

/* Two ranks whose logs name the frame of an id so; "" is a log without the name. */
static void check_names(const char *of_0, const char *of_1, const char *divergences)
{
    const char *names[] = {of_0, of_1};
    struct process *processes[2];
    const struct process *members[2];
    struct frame *f;
    struct job j;

    job_begin(&j);
    for (int rank = 0; rank < 2; rank++) {
        members[rank] = j.process = processes[rank] = ARENA_NEW(j.a, struct process);
        j.process->rank = rank;
        f = ARENA_NEW(j.a, struct frame);
        *f = (struct frame){
            .process = j.process, .autograd = ID_NONE, .name = str_of(names[rank]), .file = STR("job.py")};
        vec_push(j.a, &j.process->frames, f);
    }
    matrix_note_frames(&j.maker, members, 2);
    for (int rank = 0; rank < 2; rank++) {
        j.process = processes[rank];
        matrix_add_member(&j.maker, j.process);
        job_compile(&j, names[rank], 0);
    }
    job_end(&j);
    assert_str(job_divergences(&j), divergences);
    job_free(&j);
}

static void logs_that_lack_names(void **state)
{
    (void)state;
    check_names("f", "", "");
    check_names("", "f", "");
    check_names("", "", "");
    check_names("f", "g", "compile g/0 [0] [1]*, compile f/0 [0] [1]*");
}

/* Rank 3 of four compiles g, too. */
static bool is_extra(bool recompile, bool calls, bool graph)
{
    struct job j;
    bool extra;

    job_begin(&j);
    for (int rank = 0; rank < 4; rank++) {
        job_rank(&j);
        job_compile(&j, "f", 0);
        if (rank == 3) {
            struct fingerprint *print = job_compile(&j, recompile ? "f" : "g", recompile);

            print->calls = calls;
            for (int f = 0; f < FACETS && !graph; f++)
                print->counts[f] = 0;
        }
        job_compile(&j, "h", 0);
    }
    job_end(&j);
    assert_int_equal(j.run.divergences.n, 1);
    extra = j.run.divergences.v[0]->extra;
    job_free(&j);
    return extra;
}

static void what_a_rank_does_besides(void **state)
{
    (void)state;
    assert_true(is_extra(false, false, true));
    assert_true(is_extra(true, false, true));
    assert_false(is_extra(false, true, true));
    assert_false(is_extra(true, true, true));
    assert_false(is_extra(false, false, false)); /* a log without graphs: its calls are unknown */
}

/* What most ranks compile and one does not is nothing besides. */
static void what_a_rank_leaves_out(void **state)
{
    struct job j;

    (void)state;
    job_begin(&j);
    for (int rank = 0; rank < 4; rank++) {
        job_rank(&j);
        if (rank != 1)
            job_compile(&j, "f", 0);
        job_compile(&j, "g", 0);
    }
    job_end(&j);
    assert_int_equal(j.run.divergences.n, 1);
    assert_false(j.run.divergences.v[0]->extra);
    job_free(&j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_facet),
        cmocka_unit_test(nothing),
        cmocka_unit_test(facets_do_not_mix),
        cmocka_unit_test(unknown_facets),
        cmocka_unit_test(fewer_artifacts),
        cmocka_unit_test(more_artifacts_of_a_cached_rank),
        cmocka_unit_test(several_facets),
        cmocka_unit_test(what_comes_of_a_divergence),
        cmocka_unit_test(missing_compiles),
        cmocka_unit_test(a_frame_without_a_number),
        cmocka_unit_test(a_rank_that_stops),
        cmocka_unit_test(a_rank_that_stops_within),
        cmocka_unit_test(another_order_of_compiling),
        cmocka_unit_test(another_order_before_another_graph),
        cmocka_unit_test(other_ids),
        cmocka_unit_test(another_order_of_running),
        cmocka_unit_test(fewer_runs),
        cmocka_unit_test(graphs_without_an_id),
        cmocka_unit_test(logs_that_lack_names),
        cmocka_unit_test(what_a_rank_does_besides),
        cmocka_unit_test(what_a_rank_leaves_out),
    };

    return RUN(tests);
}
