#include "unit.h"

#include "view/format.h"

#include <stdio.h>

static struct arena *arena;

static int begin(void **state)
{
    (void)state;
    arena = arena_new();
    return 0;
}

static int end(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

/* A number never rounds up to one of the next unit: 1000 ms is 1 s. */
static void durations(void **state)
{
    static const struct {
        int64_t us;
        const char *text;
    } cases[] = {
        {-1, "-"},
        {INT64_MIN, "-"},
        {0, "0 s"},
        {1, "1 \xc2\xb5s"},
        {999, "999 \xc2\xb5s"},
        {1000, "1.0 ms"},
        {9949, "9.9 ms"},
        {9950, "10 ms"},
        {10000, "10 ms"},
        {812000, "812 ms"},
        {999499, "999 ms"},
        {999500, "1.00 s"},
        {1000000, "1.00 s"},
        {9994999, "9.99 s"},
        {9995000, "10.0 s"},
        {59950000, "60.0 s"},
        {63600000, "63.6 s"},
        {119949999, "119.9 s"},
        {119950000, "2 min 0 s"},
        {120000000, "2 min 0 s"},
        {179499999, "2 min 59 s"},
        {179500000, "3 min 0 s"},
        {724000000, "12 min 4 s"},
        {7199499999, "119 min 59 s"},
        {7199500000, "2 h 0 min"},
        {7200000000, "2 h 0 min"},
        {7380000000, "2 h 3 min"},
        {10799999999, "3 h 0 min"},
        {INT64_MAX, "2562047788 h 1 min"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_str(format_duration_us(arena, cases[i].us), cases[i].text);
    assert_str(format_duration_ns(arena, -1), "-");
    assert_str(format_duration_ns(arena, 0), "0 s");
    assert_str(format_duration_ns(arena, 999500000), "1.00 s");
}

/* Longer is never shown as shorter, whatever the unit. */
static void durations_grow(void **state)
{
    double before = 0;

    (void)state;
    for (int64_t us = 1; us < (int64_t)4e10; us += us / 997 + 1) {
        struct str text = format_duration_us(arena, us);
        double first = 0, second = 0, now;
        char unit[8] = "", next[8] = "";

        sscanf(text.p, "%lf %7s %lf %7s", &first, unit, &second, next);
        now = !strcmp(unit, "\xc2\xb5s") ? first / 1e3
              : !strcmp(unit, "ms")      ? first
              : !strcmp(unit, "s")       ? first * 1e3
              : !strcmp(unit, "h")       ? first * 3.6e6 + second * 6e4
                                         : first * 6e4 + second * 1e3;
        if (now < before || now > (double)us / 1e3 * 1.01 + 31e3)
            fail_msg("%lld us is %s", (long long)us, text.p);
        before = now;
    }
}

static void bytes(void **state)
{
    static const struct {
        uint64_t bytes;
        const char *text;
    } cases[] = {
        {0, "0 B"},
        {1, "1 B"},
        {999, "999 B"},
        {1000, "1.0 kB"},
        {14749, "14.7 kB"},
        {99949, "99.9 kB"},
        {99950, "100 kB"},
        {999499, "999 kB"},
        {999500, "1.0 MB"},
        {999999, "1.0 MB"},
        {1200000, "1.2 MB"},
        {25000000, "25.0 MB"},
        {999499999, "999 MB"},
        {999500000, "1.0 GB"},
        {999500000000, "1.0 TB"},
        {UINT64_MAX, "18446744 TB"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_str(format_bytes(arena, cases[i].bytes), cases[i].text);
}

static void counts(void **state)
{
    (void)state;
    assert_str(format_count(arena, 0), "0");
    assert_str(format_count(arena, 999), "999");
    assert_str(format_count(arena, 1000), "1,000");
    assert_str(format_count(arena, 12345), "12,345");
    assert_str(format_count(arena, 123456), "123,456");
    assert_str(format_count(arena, 1234567), "1,234,567");
    assert_str(format_count(arena, UINT64_MAX), "18,446,744,073,709,551,615");
    assert_str(format_counted(arena, 0, "entry", "entries"), "0 entries");
    assert_str(format_counted(arena, 1, "entry", "entries"), "1 entry");
    assert_str(format_counted(arena, 2, "entry", "entries"), "2 entries");
    assert_str(format_counted(arena, 1001, "entry", "entries"), "1,001 entries");
}

static void moments(void **state)
{
    static const struct {
        bool known;
        int64_t zone_min, epoch_us;
        const char *text;
    } cases[] = {
        {true, 0, 1795255200123456, "2026-11-21T10:00:00.123+00:00"},
        {true, 60, 1795255200000000, "2026-11-21T11:00:00.000+01:00"},
        {true, -210, 1795255200000000, "2026-11-21T06:30:00.000-03:30"},
        {true, 345, 1795255200000000, "2026-11-21T15:45:00.000+05:45"},
        {false, 0, 1795255200000000, "2026-11-21T10:00:00.000"},
        {true, 0, 0, ""},
        {true, 0, -5, ""},
        {true, 0, INT64_MAX, ""},
        {true, 0, 253402300799999999, "9999-12-31T23:59:59.999+00:00"},
        {true, 0, 253402300800000000, ""},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct process p = {.zone_known = cases[i].known, .zone_us = cases[i].zone_min * 60000000};

        assert_str(format_moment(arena, &p, cases[i].epoch_us), cases[i].text);
    }
}

static void places_to_paste(void **state)
{
    static const struct {
        struct fix_paste paste;
        const char *words;
    } cases[] = {
        {{.text = STR_INIT("f()"),
          .kind = PASTE_STATEMENT,
          .file = STR_INIT("/a/b.py"),
          .line = 31,
          .where = STR_INIT("before the call, in the caller")},
         "Put this in b.py, before line 31 (the call, in the caller):"},
        {{.text = STR_INIT("f()"),
          .kind = PASTE_STATEMENT,
          .file = STR_INIT("/a/b.py"),
          .line = 31,
          .where = STR_INIT("before the line, if that always holds")},
         "Put this in b.py, before line 31 (if that always holds):"},
        {{.text = STR_INIT("f()"),
          .kind = PASTE_STATEMENT,
          .file = STR_INIT("/a/b.py"),
          .line = 31,
          .where = STR_INIT("before the line")},
         "Put this in b.py, before line 31:"},
        {{.text = STR_INIT("f()"), .kind = PASTE_STATEMENT, .where = STR_INIT("before the call, in the caller")},
         "Put this before the call, in the caller:"},
        {{.text = STR_INIT("f()"), .kind = PASTE_STATEMENT}, "Paste this:"},
        {{.text = STR_INIT("f()"), .kind = PASTE_SETTING, .where = STR_INIT("at the start of the program")},
         "Put this at the start of the program:"},
        {{.text = STR_INIT("A=1"), .kind = PASTE_ENVIRONMENT, .where = STR_INIT("in the environment of the program")},
         "Set this in the environment of the program:"},
        {{.text = STR_INIT("ls"), .kind = PASTE_COMMAND, .where = STR_INIT("in a shell")}, "Run this in a shell:"},
        {{.text = STR_INIT("f(...)"), .kind = PASTE_PATTERN, .where = STR_INIT("where the model is compiled")},
         "A pattern to adapt, where the model is compiled:"},
        {{.text = STR_INIT("f(...)"), .kind = PASTE_PATTERN}, "A pattern to adapt:"},
        {{.kind = PASTE_NONE}, ""},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_str(format_paste_place(arena, &cases[i].paste), cases[i].words);
}

static void places(void **state)
{
    (void)state;
    assert_str(str_file_name(STR("/a/b.py")), "b.py");
    assert_str(str_file_name(STR("b.py")), "b.py");
    assert_str(str_file_name(STR("/a/")), "");
    assert_str(format_place(arena, STR("/a/b.py"), 12), "b.py:12");
    assert_str(format_place(arena, STR("/a/b.py"), 0), "b.py");
    assert_str(format_place(arena, STR("/a/b.py"), -3), "b.py");
    assert_str(format_place(arena, STR(""), 12), "line 12"); /* of a text that lost the file */
    assert_str(format_place(arena, STR(""), 0), "");
    assert_str(format_place_in(arena, STR("/v/site-packages/tills/till/sell.py"), 12, STR("pay")),
               "tills/till/sell.py:12, in pay");
    assert_str(format_place_in(arena, STR("/v/site-packages/tills/sell.py"), 12, STR("")), "tills/sell.py:12");
    assert_str(format_place_in(arena, STR("/a/b.py"), 12, STR("pay")), "b.py:12");
}

/* A name says what is needed to distinguish a compile from the others of the run, and no more. */
static void compiles(void **state)
{
    struct run run = {0};
    struct process p = {.run = &run, .rank = RANK_UNKNOWN, .pid = 4711, .epochs = 1}, other = p;
    struct frame f = {0};
    struct compile c = {.process = &p, .frame = &f, .id = {ID_NONE, 0, 1}};
    struct compile none = {.process = &p, .id = COMPILE_ID_NONE};

    (void)state;
    vec_push(arena, &run.processes, &p);
    assert_str(format_compile(arena, &c), "[0/1]");
    assert_str(format_compile(arena, &none), "(no compile id)");
    p.epochs = 2;
    assert_str(format_compile(arena, &c), "[0/1] epoch 1");
    assert_str(format_compile(arena, &none), "(no compile id)");
    c.epoch = 1;
    assert_str(format_compile(arena, &c), "[0/1] epoch 2");
    p.rank = 3;
    assert_str(format_compile(arena, &c), "[0/1] epoch 2"); /* there is no other */
    p.epochs = 1;
    vec_push(arena, &run.processes, &other);
    assert_str(format_compile(arena, &c), "[0/1] rank 3");
    p.rank_is_shared = true;
    assert_str(format_compile(arena, &c), "[0/1] rank 3 pid 4711");
    assert_str(format_compile(arena, &none), "(no compile id) rank 3 pid 4711");
}

static void frames(void **state)
{
    struct frame f = {.id = 0, .name = STR("torch_dynamo_resume_in_f_at_7")};
    struct frame capture = {.id = ID_NONE}, unknown = {.id = 0};

    (void)state;
    frame_note_resume(&f);
    assert_str(format_frame(arena, &f), "f (resumed at line 7)");
    f = (struct frame){.name = STR("torch_dynamo_resume_in_f_at_x")};
    frame_note_resume(&f);
    assert_str(format_frame(arena, &f), "torch_dynamo_resume_in_f_at_x");
    assert_str(format_frame(arena, &capture), "compiled autograd capture");
    assert_str(format_frame(arena, &unknown), "(unknown function)");
    assert_str(format_frame(arena, NULL), "(no frame)");
}

static void shares(void **state)
{
    (void)state;
    assert_str(format_share(arena, 0, 1000), "0 %");
    assert_str(format_share(arena, 4, 1000), "<1 %");
    assert_str(format_share(arena, 5, 1000), "1 %");
    assert_str(format_share(arena, 516, 1000), "52 %");
    assert_str(format_share(arena, 1000, 1000), "100 %");
}

static void gpus(void **state)
{
    (void)state;
    assert_str(format_gpu(arena, STR("NVIDIA H100 : 8")), "8x NVIDIA H100");
    assert_str(format_gpu(arena, STR("NVIDIA H100 : 1 ")), "NVIDIA H100");
    assert_str(format_gpu(arena, STR("a card: the best")), "a card: the best");
    assert_str(format_gpu(arena, (struct str){0}), "");
}

static void health(void **state)
{
    (void)state;
    assert_str(format_health(arena, (struct health){.info = 3, .traced = true}), "all records were read");
    assert_str(format_health(arena, (struct health){.traced = true, .texts = true, .cut = true}),
               "all records were read; they end during a compile");
    assert_str(format_health(arena, (struct health){.texts = true}),
               "a log: it only has what PyTorch was asked to print");
    assert_str(format_health(arena, (struct health){0}), "nothing was recorded");
    assert_true(health_is_sound((struct health){.info = 3, .traced = true, .texts = true}));
    assert_false(health_is_sound((struct health){.traced = true, .cut = true}));
    assert_false(health_is_sound((struct health){.traced = true, .warnings = 1}));
    assert_false(health_is_sound((struct health){.texts = true}));
    assert_str(format_health(arena, (struct health){.warnings = 1}), "1 warning");
    assert_str(format_health(arena, (struct health){.errors = 2}), "2 damaged places");
    assert_str(format_health(arena, (struct health){.errors = 1, .warnings = 2}), "1 damaged place and 2 warnings");
}

static void plain_moments(void **state)
{
    struct process east = {.zone_known = true, .zone_us = 5400000000}, utc = {.zone_known = true}, nowhere = {0};
    const int64_t us = 1795248000123456;

    (void)state;
    assert_str(format_moment_plain(arena, &east, us), "2026-11-21 09:30:00 UTC+01:30");
    assert_str(format_moment_plain(arena, &utc, us), "2026-11-21 08:00:00 UTC");
    assert_str(format_moment_plain(arena, &nowhere, us), "2026-11-21 08:00:00");
    assert_str(format_moment_plain(arena, &utc, INT64_MAX), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(durations, begin, end),
        cmocka_unit_test_setup_teardown(durations_grow, begin, end),
        cmocka_unit_test_setup_teardown(bytes, begin, end),
        cmocka_unit_test_setup_teardown(counts, begin, end),
        cmocka_unit_test_setup_teardown(moments, begin, end),
        cmocka_unit_test_setup_teardown(places, begin, end),
        cmocka_unit_test_setup_teardown(places_to_paste, begin, end),
        cmocka_unit_test_setup_teardown(compiles, begin, end),
        cmocka_unit_test_setup_teardown(frames, begin, end),
        cmocka_unit_test_setup_teardown(shares, begin, end),
        cmocka_unit_test_setup_teardown(gpus, begin, end),
        cmocka_unit_test_setup_teardown(health, begin, end),
        cmocka_unit_test_setup_teardown(plain_moments, begin, end),
    };

    return RUN(tests);
}
