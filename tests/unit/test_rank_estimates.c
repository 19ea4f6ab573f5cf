/* Estimated run times of graphs that several ranks have. */
#include "ranks_made.h"

#include "ranks/compare/contents.h"
#include "ranks/compare/estimates.h"

#include <stdlib.h>

enum { RANKS_MOST = 4 };

/* "f5,7 g9": of compiles, the estimates of their graphs; "f" has none, and "f-" one whose artifact has no estimate. */
static void add_rank(struct job *j, const char *text)
{
    job_rank(j);
    for (char *p = (char *)(uintptr_t)text; *p; p += *p == ' ') {
        const char *name = arena_printf(j->a, "%c", *p++).p;

        job_compile(j, name, 0);
        job_last(j)->index = (uint32_t)j->process->compiles.n - 1;
        while (*p && *p != ' ') {
            struct artifact *graph = ARENA_NEW(j->a, struct artifact);
            struct artifact_content *content = ARENA_NEW(j->a, struct artifact_content);

            content->estimated_ns = *p == '-' ? -1 : strtoll(p, &p, 10);
            graph->content = content;
            graph->info = artifact_info_find(STR("inductor_runtime_and_tensor_meta"));
            vec_push(j->a, &job_last(j)->artifacts, graph);
            p += *p == '-' || *p == ',';
        }
    }
}

static struct str words_of(struct arena *a, const struct estimates *list)
{
    struct str out = STR("");

    vec_each(const struct estimate, e, &list->list) out = arena_printf(
        a, "%.*s%s%.*s.%u of %u: %lld (%d) %lld %lld (%d) +-%lld", STR_ARG(out), out.n ? ", " : "",
        STR_ARG(e->compile->frame->name), e->graph, e->ranks, (long long)e->fastest_ns, e->fastest,
        (long long)e->median_ns, (long long)e->slowest_ns, e->slowest, (long long)e->spread_ns);
    return out;
}

static void ranks_with_estimates(void **state)
{
    static const struct {
        const char *ranks[RANKS_MOST], *words;
    } cases[] = {
        {{"f", "f"}, ""},
        {{"f5", "f"}, ""},
        {{"f5", "f5"}, "f.0 of 2: 5 (0) 5 5 (0) +-0"},
        {{"f5", "f9"}, "f.0 of 2: 5 (0) 5 9 (1) +-0"},
        {{"f9", "f5", "f6"}, "f.0 of 3: 5 (1) 6 9 (0) +-1"},
        {{"f9", "f0", "f9", "f0"}, "f.0 of 4: 0 (1) 0 9 (0) +-0"},
        {{"f1", "f20", "f12", "f8"}, "f.0 of 4: 1 (0) 8 20 (1) +-4"},
        /* By their index in the compile, as far as ranks have them; the largest difference first. */
        {{"f5,7", "f6,17"}, "f.1 of 2: 7 (0) 7 17 (1) +-0, f.0 of 2: 5 (0) 5 6 (1) +-0"},
        {{"f5,7", "f-17"}, "f.0 of 2: 5 (0) 5 17 (1) +-0"},
        {{"f5,7", "f6"}, "f.0 of 2: 5 (0) 5 6 (1) +-0"},
        {{"f5", "f6,7", "f6,9"}, "f.1 of 2: 7 (1) 7 9 (2) +-0, f.0 of 3: 5 (0) 6 6 (1) +-0"},
        {{"f1 g1", "f2 g3"}, "g.0 of 2: 1 (0) 1 3 (1) +-0, f.0 of 2: 1 (0) 1 2 (1) +-0"},
        /* In the order of compiling where they differ as much. */
        {{"f1,1 g1", "f3,3 g3"},
         "f.0 of 2: 1 (0) 1 3 (1) +-0, f.1 of 2: 1 (0) 1 3 (1) +-0, g.0 of 2: 1 (0) 1 3 (1) +-0"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct contents contents;
        struct estimates out;
        struct job j;

        job_begin(&j);
        for (size_t rank = 0; rank < RANKS_MOST && cases[i].ranks[rank]; rank++)
            add_rank(&j, cases[i].ranks[rank]);
        matrix_end(&j.maker);
        contents_init(&contents, j.a, NULL);
        estimates_find(j.a, &contents, &j.run.matrix, &out);
        assert_str(words_of(j.a, &out), cases[i].words);
        contents_free(&contents);
        job_free(&j);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(ranks_with_estimates)};

    return RUN(tests);
}
