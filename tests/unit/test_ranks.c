/* What the ranks of a job did, in a sentence. */
#include "ranks_made.h"

#include "ranks/ranks.h"

enum { RANKS_MOST = 7, RUNS_MOST = 6 };

/* A rank as a text: "f1 g2" compiles f and g, whose graphs are number 1 and 2. */
static void add_rank(struct job *j, const char *text)
{
    job_rank(j);
    for (; *text; text += text[2] ? 3 : 2) {
        const char *name = arena_printf(j->a, "%c", *text).p;

        job_compile(j, name, 0)->facets[FACET_GRAPH] = (uint64_t)(text[1] - '0');
    }
}

static void make_job(struct job *j, const char *const *ranks)
{
    job_begin(j);
    for (size_t i = 0; i < RANKS_MOST && ranks[i]; i++) {
        add_rank(j, ranks[i]);
        vec_push(j->a, &j->roster.present, (int)i);
    }
    job_end(j);
}

static void one_run(void **state)
{
    static const struct {
        const char *ranks[RANKS_MOST], *verdict;
    } cases[] = {
        {{"f1", "f1"}, "2 ranks: all compiled the same program"},
        {{"f1 g1", "f1 g1", "f1 g1"}, "3 ranks: all compiled the same program"},
        {{"f1", "f2"}, "2 ranks: they differ; first in [0/0] `f`"},
        {{"f1 g1", "f1 g2"}, "2 ranks: they differ; first in [1/0] `g`"},
        {{"f1", "f2", "f3"}, "3 ranks: no two are the same; first in [0/0] `f`"},
        {{"f1", "f1", "f2"}, "3 ranks: 2 alike, rank 2 differs; first in [0/0] `f`"},
        {{"f2", "f1", "f1"}, "3 ranks: 2 alike, rank 0 differs; first in [0/0] `f`"},
        {{"f1", "f1", "f2", "f2"}, "4 ranks: 2 groups that differ; first in [0/0] `f`"},
        {{"f1", "f1", "f2", "f3"}, "4 ranks: 3 groups that differ; first in [0/0] `f`"},
        {{"f1", "f2", "f1", "f3", "f1"}, "5 ranks: 3 alike, ranks 1, 3 differ; first in [0/0] `f`"},
        {{"f1", "f2", "f3", "f1", "f1", "f2", "f1"}, "7 ranks: 4 alike, ranks 1, 2, 5 differ; first in [0/0] `f`"},
        {{"f1", "f1 g1", "f1"}, "3 ranks: 2 alike, rank 1 differs; first in [1/0] `g`"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct job j;

        make_job(&j, cases[i].ranks);
        assert_str(rank_run_verdict(j.a, &j.run), cases[i].verdict);
        j.run.stages = j.run.divergences.n > 0;
        if (j.run.stages)
            assert_true(str_ends(rank_run_verdict(j.a, &j.run),
                                 STR(" ranks: they compiled different functions, as stages of a pipeline do")));
        job_free(&j);
    }
}

/* Nobody knows what is in the lines that a text lacks. */
static void cut_texts(void **state)
{
    static const struct {
        enum stated_fact fact;
        const char *ranks[RANKS_MOST], *verdict;
    } cases[] = {
        {STATED_EXCERPT, {"f1", "f1"}, "2 ranks: all compiled the same program"},
        {STATED_EXCERPT, {"f1", ""}, "2 ranks: no difference in what this text has"},
        {STATED_EXCERPT, {"f1", "f2"}, "2 ranks: they differ; first in [0/0] `f`"},
        {STATED_CUT, {"f1", "f1"}, "2 ranks: no difference in what this text has"},
        {STATED_FACTS, {"f1", ""}, "2 ranks: all compiled the same program"}, /* nothing is stated */
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct input in = {0};
        struct job j;

        make_job(&j, cases[i].ranks);
        if (cases[i].fact != STATED_FACTS)
            stated_add(&in.stated, cases[i].fact);
        for (size_t k = 0; k < j.run.matrix.members.n; k++)
            ((struct process *)(uintptr_t)j.run.matrix.members.v[k]->process)->input = &in;
        if (!cases[i].ranks[1][0])
            j.run.divergences.n = 0;
        assert_str(rank_run_verdict(j.a, &j.run), cases[i].verdict);
        job_free(&j);
    }
}

/* Of each run, or of all of them. */
static void several_runs(void **state)
{
    static const char *const same[] = {"f1", "f1", NULL}, *const differ[] = {"f1", "f2", NULL},
                            *const alone[] = {"f1", NULL};
    static const struct {
        const char *const *runs[RUNS_MOST];
        const char *verdict;
    } cases[] = {
        {{NULL}, ""},
        {{alone}, ""},
        {{same}, "2 ranks: all compiled the same program"},
        {{differ}, "2 ranks: they differ; first in [0/0] `f`"},
        {{same, same}, "in each of 2 runs all ranks compiled the same program"},
        {{same, differ},
         "run 1 (ranks 0, 1): all compiled the same program; run 2 (ranks 0, 1): they differ; first in [0/0] `f`"},
        {{same, alone},
         "run 1 (ranks 0, 1): all compiled the same program; run 2 (rank 0): no other rank to compare with"},
        {{alone, alone, alone, alone, alone},
         "run 1 (rank 0): no other rank to compare with; run 2 (rank 0): no other rank to compare with; run 3 (rank "
         "0): no other rank to compare with; run 4 (rank 0): no other rank to compare with; and 1 more run"},
        {{alone, alone, alone, alone, alone, same},
         "run 1 (rank 0): no other rank to compare with; run 2 (rank 0): no other rank to compare with; run 3 (rank "
         "0): no other rank to compare with; run 4 (rank 0): no other rank to compare with; and 2 more runs"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct arena *a = arena_new();
        struct ranks r = {0};
        struct job jobs[RUNS_MOST];
        size_t n = 0;

        for (; n < RUNS_MOST && cases[i].runs[n]; n++) {
            make_job(&jobs[n], cases[i].runs[n]);
            jobs[n].roster.group = (uint32_t)n;
            vec_push(a, &r.rosters, &jobs[n].roster);
            if (cases[i].runs[n] != alone)
                vec_push(a, &r.runs, &jobs[n].run);
        }
        assert_str(ranks_verdict(a, &r), cases[i].verdict);
        while (n)
            job_free(&jobs[--n]);
        arena_free(a);
    }
}

static void frames(void **state)
{
    static const struct {
        struct frame frame;
        const char *words;
    } cases[] = {
        {{.id = ID_NONE, .name = STR_INIT("f")}, "a graph of compiled autograd"},
        {{.id = 0}, "a function without a name here"},
        {{.id = 0, .name = STR_INIT("f"), .file = STR_INIT("a.py")}, "`f`"},
        {{.id = 0, .name = STR_INIT("r"), .is_resume = true}, "`r`"},
        {{.id = 0, .name = STR_INIT("r"), .is_resume = true, .resumes = STR_INIT("f"), .resumes_line = 7},
         "the rest of `f` after line 7"},
        {{.id = 0, .name = STR_INIT("inner"), .file = STR_INIT("/v/torch/_dynamo/external_utils.py")},
         "a whole module"},
    };
    struct arena *a = arena_new();

    (void)state;
    assert_str(rank_frame_words(a, NULL), "a graph of compiled autograd");
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_str(rank_frame_words(a, &cases[i].frame), cases[i].words);
    arena_free(a);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(one_run), cmocka_unit_test(cut_texts),
                                              cmocka_unit_test(several_runs), cmocka_unit_test(frames)};

    return RUN(tests);
}
