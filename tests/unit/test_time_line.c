/* Lines with compile times that vLLM and PyTorch's benchmark runner print: where one begins, and its times. */
#include "unit.h"

#include "text/messages/time_line.h"

#include <stdio.h>

static void lines(void **state)
{
    static const struct {
        const char *line, *times; /* "name nanoseconds|"; NULL: it has none */
        int at;
    } cases[] = {
        {"Dynamo bytecode transform time: 14.2 s", "vLLM: Dynamo 14200000000|", 0},
        {"INFO [x.py:1] torch.compile takes 3 s in total", "vLLM: torch.compile 3000000000|", 14},
        {"torch.compile took 0.5 s", "vLLM: torch.compile 500000000|", 0},
        {"`torch.compile takes 3 s in total`", "vLLM: torch.compile 3000000000|", 1},
        {"torch.compile takes long, as always", NULL, -1},
        {"torch.compile takes 48 s, but look at the clock", NULL, -1},
        {"torch.compile takes 48 s for the quokka", NULL, -1},
        {"It says that torch.compile takes 48 s", NULL, -1},
        {"torch.compile takes long, dynamo guard evaluation: 0.31 (ms)", "vLLM: guards 310000|", 26},
        {"Compiling a graph for dynamic shape takes 1.5 s", "vLLM: graph for dynamic shape 1500000000|", 0},
        {"Compiling a graph for dynamic shape took 1.5 s", NULL, -1},
        {"Directly load the compiled graph(s) for shape 4, took 2 ms", "vLLM: cached graph for shape 4 2000000|", 0},
        {"Compilation time (from dynamo_timed): 40.123456789123", "dynamo_timed 40123456789|", 0},
        {"TIMING: a:0.11 b:0.50 c:x d e:1.5x :2 f:3", "a 110000000|b 500000000|f 3000000000|", 0},
        {"TIMING: a b", NULL, -1},
        {"Dynamo bytecode transform time: 1. s", NULL, -1},
        {"Dynamo bytecode transform time: 1000000000 s", "vLLM: Dynamo 1000000000000000000|", 0},
        {"Dynamo bytecode transform time: 1000000001 s", NULL, -1},
        {"(Engine pid=7) INFO 03-02 01:02:03 [x.py:1] torch.compile took 2 s", "vLLM: torch.compile 2000000000|", 15},
        {"Using cache directory: /srv/cache for vLLM's torch.compile", NULL, -1},
        {"", NULL, -1},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct str line = str_of(cases[i].line), words = {"", 0};
        struct time_line t;

        assert_int_equal(time_line_find(line), cases[i].at);
        if (cases[i].at < 0)
            continue;
        time_line_parse(a, str_skip(line, (size_t)cases[i].at), &t);
        vec_each(const struct times_row, row, &t.times.rows)
        {
            assert_int_equal(row->each_ns.n, 1);
            words = arena_printf(a, "%.*s%.*s %lld|", STR_ARG(words), STR_ARG(row->name),
                                 (long long)row->each_ns.v[0]);
        }
        assert_str(words, cases[i].times);
    }
    arena_free(a);
}

static bool is_aside(enum start_line_kind kind)
{
    return kind == START_LINE_CACHE || kind == START_LINE_ENGINE || kind == START_LINE_CAPTURED ||
           kind == START_LINE_CAPTURING;
}

/* What vLLM prints while it starts, with its clock: seconds since the year began. */
static void starts(void **state)
{
    static const struct {
        const char *line;
        enum start_line_kind kind;
        const char *directory;
        long long ms, clock_s;
    } cases[] = {
        {"INFO 01-02 00:00:03 [backends.py:1016] Using cache directory: /srv/c/torch_compile_cache/ab/rank_0_0 for "
         "vLLM's torch.compile",
         START_LINE_CACHE, "/srv/c/torch_compile_cache/ab/rank_0_0", -1, 86403},
        {"INFO 12-31 23:59:60 [x.py:1] Dynamo bytecode transform time: 6.5 s", START_LINE_DYNAMO, "", 6500, 31536000},
        {"INFO 03-01 00:00:00 x.py:1] Compiling a graph for shape 8 takes 2 s", START_LINE_GRAPH, "", 2000, 5097600},
        {"INFO 03-01 00:00:00 [x.py:1] Directly load the compiled graph(s) for shape 8, took 2 s", START_LINE_LOADED,
         "", 2000, 5097600},
        {"torch.compile takes 2 s in total", START_LINE_TOTAL, "", 2000, -1},
        {"INFO 13-01 00:00:00 [x.py:1] torch.compile takes 2 s in total", START_LINE_TOTAL, "", 2000, -1},
        {"INFO 01-01 24:00:00 [x.py:1] torch.compile takes 2 s in total", START_LINE_TOTAL, "", 2000, -1},
        {"init engine (profile, warmup model) took 66.25 seconds", START_LINE_ENGINE, "", 66250, -1},
        {"[x] Capture cuda graph end. Time elapsed: 26.5 s. mem usage=1 GB.", START_LINE_CAPTURED, "", 26500, -1},
        {"Capturing batches (bs=4 avail_mem=6.02 GB):  42%|##  | 1/4 [00:17<01:10, 17.02s/it]", START_LINE_CAPTURING,
         "", 17020, -1},
        {"Capturing batches (bs=4):  42%|##  | 1/4 [00:17<01:10, 2.5it/s]\n", START_LINE_CAPTURING, "", 400, -1},
        {"dynamo guard evaluation: 2 (ms)", START_LINE_KINDS, "", 2, -1},
        {"Using cache directory: somewhere else", START_LINE_KINDS, "", -1, -1},
        {"nothing", START_LINE_KINDS, "", -1, -1},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct str line = str_of(cases[i].line);
        struct time_line t;

        time_line_parse(a, line, &t);
        assert_int_equal(t.kind, cases[i].kind);
        assert_str(t.directory, cases[i].directory);
        assert_int_equal(t.ns, cases[i].ms < 0 ? -1 : cases[i].ms * 1000000);
        assert_int_equal(t.clock_s, cases[i].clock_s);
        assert_int_equal(time_line_aside_find(line) >= 0, is_aside(t.kind));
    }
    arena_free(a);
}

/* Sizes, and what is no bar: one without a time, one with more behind it. */
static void bars(void **state)
{
    static const char *const no[] = {
        "Capturing batches (bs=4):   0%|  | 0/4 [00:00<?, ?it/s]",
        "Capturing batches (bs=4):  42%|##  | 1/4 [00:17<01:10, 17.02s/it]Autotune Choices Stats:",
        "Capturing batches (bs=4):  42%|##  | 5/4 [00:17<01:10, 17.02s/it]",
        "Capturing batches (bs=4) takes long",
    };
    struct arena *a = arena_new();
    struct time_line t;

    (void)state;
    time_line_parse(a, STR("Capturing batches (bs=4):  42%|##  | 1/4 [00:17<01:10, 17.02s/it]"), &t);
    assert_int_equal(t.done, 1);
    assert_int_equal(t.all, 4);
    for (size_t i = 0; i < COUNT(no); i++)
        assert_int_equal(time_line_aside_find(str_of(no[i])), -1);
    arena_free(a);
}

static void every_form_has_words(void **state)
{
    size_t n = 0;

    (void)state;
    while (time_line_words(n).n)
        n++;
    assert_int_equal(n, 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines), cmocka_unit_test(starts), cmocka_unit_test(bars),
                                       cmocka_unit_test(every_form_has_words)};

    return RUN(tests);
}
