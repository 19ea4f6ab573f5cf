/* Which ranks the others wait for: the one that compiles longest, and the one that begins last. */
#include "ranks_made.h"

#include "ranks/compare/rank_times.h"

#include <stdlib.h>

enum { SECOND = 1000000, RANKS_MOST = 5 };

/*
 * A rank as a text, in seconds: "30 f0+10 g10+5" took 30 to compile, and compiled f from 0 on for 10, and g from 10 on
 * for 5; "-1" is not known. Of a compile of 0 seconds, there is a single message.
 */
static int64_t add_rank(struct job *j, const char *text)
{
    char *p;
    int64_t wall = strtoll(text, &p, 10);

    job_rank(j);
    j->process->index = (uint32_t)j->process->rank;
    while (*p == ' ') {
        const char *name = arena_printf(j->a, "%c", p[1]).p;
        struct compile *c;

        job_compile(j, name, 0);
        c = job_last(j);
        c->first_us = strtoll(p + 2, &p, 10) * SECOND;
        c->last_us = c->first_us + strtoll(p, &p, 10) * SECOND;
    }
    return wall < 0 ? -1 : wall * SECOND;
}

static long long seconds(int64_t us)
{
    return us < 0 ? us : us / SECOND;
}

/* "1: 60 of 30!, g 40 of 20, 2: 5!": the slowest rank, its compile, and the one that began last. */
static struct str words_of(struct arena *a, const struct rank_times *t)
{
    struct str out = arena_printf(a, "%d: %lld of %lld%s", t->slowest, seconds(t->slowest_us), seconds(t->median_us),
                                  t->straggles ? "!" : "");

    if (t->longer)
        out = arena_printf(a, "%.*s, %.*s %lld of %lld", STR_ARG(out), STR_ARG(t->longer->frame->name),
                           seconds(t->longer_us), seconds(t->longer_median_us));
    return arena_printf(a, "%.*s, %d: %lld%s", STR_ARG(out), t->last, seconds(t->skew_us), t->skewed ? "!" : "");
}

static void times(void **state)
{
    static const struct {
        const char *ranks[RANKS_MOST], *words;
    } cases[] = {
        {{"-1", "-1"}, "-1: -1 of -1, -1: -1"},
        {{"0", "0"}, "0: 0 of 0, -1: -1"},
        {{"20", "20"}, "0: 20 of 20, -1: -1"},
        {{"20", "-1", "25", "21"}, "2: 25 of 21, -1: -1"},
        /* One and a half times the median, which is the lower one of two, and ten seconds more. */
        {{"20", "30"}, "1: 30 of 20!, -1: -1"},
        {{"21", "30"}, "1: 30 of 21, -1: -1"},
        {{"18", "27"}, "1: 27 of 18, -1: -1"},
        {{"30", "44"}, "1: 44 of 30, -1: -1"},
        {{"10", "40", "30"}, "1: 40 of 30, -1: -1"},
        {{"10", "20", "20", "40"}, "3: 40 of 20!, -1: -1"},
        {{"-1", "60"}, "1: 60 of 60, -1: -1"},
        /* The compile of the slowest rank that exceeds the median of its row most. */
        {{"30 f0+10 g10+20", "60 f0+20 g20+40", "31 f0+11 g11+20"}, "1: 60 of 31!, g 40 of 20, 0: 0"},
        {{"30 f0+10 g10+20", "60 f0+35 g35+25", "31 f0+11 g11+20"}, "1: 60 of 31!, f 35 of 11, 0: 0"},
        {{"30 f0+10", "60 f0+10 g10+50", "31 f0+11"}, "1: 60 of 31!, g 50 of 0, 0: 0"},
        {{"30 f0+10 g10+20", "60 f0+9 g10+20"}, "1: 60 of 30!, 0: 0"},
        {{"30 f0+10", "60 f0+0", "31 f0+11"}, "1: 60 of 31!, 0: 0"},
        /* From the median of the beginnings to the last, in the first compile that all have. */
        {{"20 f0+5", "20 f29+5"}, "0: 20 of 20, 1: 29"},
        {{"20 f0+5", "20 f30+5"}, "0: 20 of 20, 1: 30!"},
        {{"20 f7+5", "20 f2+5", "20 f40+5", "20 f5+5"}, "0: 20 of 20, 2: 35!"},
        {{"20 f0+5 g5+5", "20 g45+5"}, "0: 20 of 20, f 5 of 0, 1: 40!"},
        {{"20 f0+5 g5+5", "20 f8+5 g45+5"}, "0: 20 of 20, 1: 8"},
        {{"20 f0+5", "20 f40+0", "20 f1+5"}, "0: 20 of 20, 2: 1"},
        {{"20 f0+5", "20 f40+0"}, "0: 20 of 20, f 5 of 0, 0: -1"},
        {{"20 f0+5", "20 g40+5"}, "0: 20 of 20, f 5 of 0, -1: -1"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        int64_t wall_us[RANKS_MOST];
        struct rank_times t;
        struct job j;

        job_begin(&j);
        for (size_t rank = 0; rank < RANKS_MOST && cases[i].ranks[rank]; rank++)
            wall_us[rank] = add_rank(&j, cases[i].ranks[rank]);
        matrix_end(&j.maker);
        rank_times_find(j.a, &j.run.matrix, wall_us, &t);
        assert_str(words_of(j.a, &t), cases[i].words);
        job_free(&j);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(times)};

    return RUN(tests);
}
