/* Lines of vLLM to starts: which lines are of one start, and which time none of them reports. */
#include "unit.h"

#include "analysis/time/starts.h"
#include "model/model.h"

#define CACHE(directory) {START_LINE_CACHE, STR_INIT(directory), -1, -1, 0, 0}
#define LINE(kind, s, clock_s) {START_LINE_##kind, {0}, (s) * 1000000000ll, clock_s, 0, 0}

static struct process *process_of(struct arena *a, const struct start_line *lines)
{
    struct process *p = ARENA_NEW(a, struct process);

    for (size_t i = 0; lines[i].ns != 0; i++)
        vec_push(a, &p->start_lines, lines[i]);
    return p;
}

/* "d 5 g 30 t 35 gap 12 | …": for each start the times in seconds, and the gap. */
static struct str starts_of(struct arena *a, const struct process *p)
{
    struct compile_starts starts;
    struct str out = STR("");

    starts_find(a, p, &starts);
    vec_each(const struct compile_start, s, &starts.list) out =
        arena_printf(a, "%.*s%s%.*s d %lld g %lld l %lld t %lld e %lld gap %lld", STR_ARG(out), out.n ? " | " : "",
                     STR_ARG(start_cache_name(s)), (long long)s->dynamo_ns / 1000000000,
                     (long long)s->graphs_ns / 1000000000, (long long)s->loaded_ns / 1000000000,
                     (long long)s->total_ns / 1000000000, (long long)s->engine_ns / 1000000000, (long long)s->gap_s);
    return out;
}

#define A "/x/torch_compile_cache/ab/rank_0_0/backbone"
#define B "/x/torch_compile_cache/cd/rank_0_0/backbone"
#define DRAFT "/x/torch_compile_cache/ab/rank_0_0/eagle_head"

static void lines_to_starts(void **state)
{
    static const struct {
        struct start_line lines[12];
        const char *starts;
    } cases[] = {
        {{CACHE(A), LINE(DYNAMO, 5, 10), LINE(GRAPH, 30, 40), LINE(TOTAL, 35, 41), LINE(ENGINE, 60, 99)},
         "ab d 5 g 30 l 0 t 35 e 60 gap 1"},
        {{CACHE(A), LINE(DYNAMO, 5, 10), LINE(TOTAL, 5, 10), CACHE(B), LINE(DYNAMO, 6, 50), LINE(TOTAL, 6, 50)},
         "ab d 5 g 0 l 0 t 5 e 0 gap 0 | cd d 6 g 0 l 0 t 6 e 0 gap 0"},
        /* the engine took less time than there is between the two lines */
        {{LINE(LOADED, 4, 10), LINE(LOADED, 61, 500), LINE(TOTAL, 197, 690), LINE(ENGINE, 229, 712)},
         "d 0 g 0 l 4 t 0 e 0 gap 0 |  d 0 g 0 l 61 t 197 e 229 gap 54"},
        /* a second model of the same start; its total is of both */
        {{CACHE(A), LINE(DYNAMO, 5, 10), LINE(TOTAL, 5, 10), CACHE(DRAFT), LINE(DYNAMO, 6, 16), LINE(TOTAL, 11, 16)},
         "ab d 11 g 0 l 0 t 11 e 0 gap 0"},
        /* without directories: Dynamo behind a total, or anything behind the engine */
        {{LINE(DYNAMO, 5, 10), LINE(TOTAL, 5, 10), LINE(DYNAMO, 6, 50)},
         "d 5 g 0 l 0 t 5 e 0 gap 0 |  d 6 g 0 l 0 t 0 e 0 gap 0"},
        {{LINE(TOTAL, 5, 10), LINE(ENGINE, 9, 12), LINE(LOADED, 2, 40), LINE(ENGINE, 8, 45), LINE(ENGINE, 7, 90)},
         "d 0 g 0 l 0 t 5 e 9 gap 0 |  d 0 g 0 l 2 t 0 e 8 gap 0 |  d 0 g 0 l 0 t 0 e 7 gap 0"},
        /* a total that counts more than the lines before it; clocks that go back, or are not there */
        {{LINE(DYNAMO, 5, 10), LINE(TOTAL, 25, 40)}, "d 5 g 0 l 0 t 25 e 0 gap 10"},
        {{LINE(DYNAMO, 5, 50), LINE(GRAPH, 9, 10), LINE(TOTAL, 14, -1)}, "d 5 g 9 l 0 t 14 e 0 gap 0"},
        {{CACHE("/x/mine"), LINE(DYNAMO, 5, 50)}, "d 5 g 0 l 0 t 0 e 0 gap 0"},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_str(str_trim(starts_of(a, process_of(a, cases[i].lines))), cases[i].starts);
    arena_free(a);
}

/* A start that begins at midnight has a time all the same. */
static void first_and_last(void **state)
{
    static const struct start_line lines[] = {LINE(DYNAMO, 5, 0), LINE(GRAPH, 9, 12), LINE(TOTAL, 14, -1), {0}};
    struct arena *a = arena_new();
    struct compile_starts starts;

    (void)state;
    starts_find(a, process_of(a, lines), &starts);
    assert_int_equal(starts.list.n, 1);
    assert_int_equal(starts.list.v[0].first_s, 0);
    assert_int_equal(starts.list.v[0].last_s, 12);
    arena_free(a);
}

static void longest(void **state)
{
    static const struct start_line lines[] = {LINE(TOTAL, 5, -1), LINE(TOTAL, 7, -1), LINE(TOTAL, 6, -1),
                                              LINE(ENGINE, 9, -1), {0}};
    struct arena *a = arena_new();

    (void)state;
    assert_int_equal(starts_longest_ns(process_of(a, lines)), 7000000000);
    assert_int_equal(starts_longest_ns(process_of(a, &lines[3])), -1);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_to_starts),
        cmocka_unit_test(first_and_last),
        cmocka_unit_test(longest),
    };

    return RUN(tests);
}
