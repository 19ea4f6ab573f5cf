/* The program that an agent's question runs: what is kept of its output, and that a time limit ends all of it. */
#include "unit.h"

#include "mcp/child.h"
#include "util/system/clock.h"

static void outputs(void **state)
{
    static const struct {
        const char *script;
        size_t max;
        const char *out, *err;
        bool cut;
        int status;
    } cases[] = {
        {"echo out; echo err >&2", 100, "out\n", "err\n", false, 0},
        {"printf abc; exit 7", 3, "abc", "", false, 7},
        {"printf abcd", 3, "abc", "", true, 0},
        {"printf ab; sleep 0.05; printf cd; printf e >&2", 3, "abc", "e", true, 0},
        {"cat; echo end", 100, "end\n", "", false, 0}, /* its input is empty */
        {"printf a; kill -9 $$", 100, "a", "", false, -1},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *args[] = {"-c", cases[i].script, NULL};
        struct child_output out;

        assert_int_equal(child_run("/bin/sh", args, cases[i].max, 60, &out), 0);
        assert_str(buf_view(&out.out), cases[i].out);
        assert_str(buf_view(&out.err), cases[i].err);
        assert_int_equal(out.cut, cases[i].cut);
        assert_false(out.timed_out);
        assert_int_equal(out.status, cases[i].status);
        child_output_free(&out);
    }
}

static void no_such_program(void **state)
{
    const char *args[] = {NULL};
    struct child_output out;

    (void)state;
    assert_int_equal(child_run("/nowhere/at-all", args, 100, 60, &out), 0);
    assert_int_equal(out.status, 127);
    child_output_free(&out);
}

/* More is printed than a pipe holds, in both streams. */
static void long_outputs(void **state)
{
    const char *args[] = {"-c", "i=0; while [ $i -lt 3000 ]; do i=$((i + 1)); echo 123456789012345678901234567890; "
                                "echo 123456789012345678901234567890 >&2; done", NULL};
    struct child_output out;

    (void)state;
    assert_int_equal(child_run("/bin/sh", args, 1 << 20, 60, &out), 0);
    assert_int_equal(out.out.n, 3000 * 31);
    assert_int_equal(out.err.n, 16384); /* errors are for people */
    assert_false(out.cut);
    child_output_free(&out);
}

/* What it started is ended, too. */
static void time_limit(void **state)
{
    const char *args[] = {"-c", "sleep 100 & sleep 100", NULL};
    int64_t begin = clock_ms();
    struct child_output out;

    (void)state;
    assert_int_equal(child_run("/bin/sh", args, 100, 1, &out), 0);
    assert_true(out.timed_out);
    assert_int_equal(out.status, -1);
    assert_in_range(clock_ms() - begin, 1000, 20000);
    child_output_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outputs),
        cmocka_unit_test(no_such_program),
        cmocka_unit_test(long_outputs),
        cmocka_unit_test(time_limit),
    };

    return RUN(tests);
}
