#include "unit.h"

#include "text/messages/autotune_text.h"
#include "text/messages/metrics_text.h"

#define BEGIN "CompilationMetrics(compile_id='0/0', "

static void assert_json(const char *text, const char *want)
{
    struct arena *a = arena_new();

    assert_str(metrics_text_json(a, str_of(text)), want);
    arena_free(a);
}

static void values(void **state)
{
    (void)state;
    assert_json("CompilationMetrics(a=1, b=-2.5e-05, c=None, d=True, e=False, f=nan)",
                "{\"a\":1,\"b\":-2.5e-05,\"c\":null,\"d\":true,\"e\":false,\"f\":\"nan\"}");
    assert_json("CompilationMetrics(a='x, y=3)', b=\"it's\", c='\\'\\\\\\n')",
                "{\"a\":\"x, y=3)\",\"b\":\"it's\",\"c\":\"'\\\\\\n\"}");
    assert_json("CompilationMetrics(a=set(), b={'x', \"y)\"}, c=['z'], d=f(1, 2))",
                "{\"a\":[],\"b\":[\"x\",\"y)\"],\"c\":[\"z\"],\"d\":\"f(1, 2)\"}");
}

static void metrics_cut_off(void **state)
{
    (void)state;
    assert_json("", "{}");
    assert_json("CompilationMetrics(", "{}");
    assert_json("CompilationMetrics(a", "{}");
    assert_json("CompilationMetrics(a=", "{\"a\":\"\"}");
    assert_json("CompilationMetrics(a='x", "{\"a\":\"\"}");
    assert_json("CompilationMetrics(a={'x", "{\"a\":[\"\"]}");
    assert_json("CompilationMetrics(a='x\\", "{\"a\":\"x\"}");
    assert_json("CompilationMetrics(a=-, =3)", "{\"a\":\"-\"}");
}

static void ids(void **state)
{
    (void)state;
    assert_str(metrics_text_id(STR(BEGIN "a=1)")), "0/0");
    assert_str(metrics_text_id(STR("CompilationMetrics(a=1)")), "");
    assert_str(metrics_text_id(STR("x " BEGIN)), "");
}

#define TAKES "AUTOTUNE benchmarking takes "

static void assert_summary(const char *text, const char *want)
{
    struct arena *a = arena_new();

    assert_str(autotune_text_summary(a, str_of(text)), want);
    arena_free(a);
}

static void choices_take_some_time(void **state)
{
    struct arena *a = arena_new();

    (void)state;
    assert_str(autotune_text_no_time(a, STR("{\"best_kernel\": \"mm\", \"best_time\": -0.5, \"best_triton_pos\": 0}")),
               "mm -0.5 ms");
    assert_str(autotune_text_no_time(a, STR("AUTOTUNE mm(8x8)\n  mm 0.0000 ms 100.0% K=8\n")), "mm 0.0000 ms");
    assert_str(autotune_text_no_time(a, STR("AUTOTUNE mm(8x8)\n  mm 0.0001 ms 100.0%\n")), "");
    assert_str(autotune_text_no_time(a, STR("{\"best_kernel\": \"mm\", \"best_time\": 0.5}\nmm ms\n ms")), "");
    assert_str(autotune_text_no_time(a, STR("{\"best_time\": -0.5")), "");
    arena_free(a);
}

static void assert_chosen(const char *text, const char *want)
{
    struct arena *a = arena_new();

    assert_str(autotune_text_chosen(a, str_of(text)), want);
    arena_free(a);
}

static void fastest_kernels(void **state)
{
    (void)state;
    assert_chosen("", "");
    assert_chosen("  mm 0.0071 ms 100.0%\n", "");
    assert_chosen("S " TAKES "2.5 seconds and 0.5 seconds precompiling for 9 choices (x)\n mm 0.1 ms\n", "");
    assert_chosen("AUTOTUNE mm(8x8)\nstrides: [8, 1] ms\n  mm 0.1 ms 100.0%\n  triton_mm_3 0.2 ms 50.0%\n x 1 ms\n",
                  "mm(8x8): mm 0.1 ms, then triton_mm_3 0.2 ms");
    assert_chosen("AUTOTUNE a(1)\n a 1 ms\nAUTOTUNE b(1)\n b 2 ms\n b2 3 ms\nAUTOTUNE c(1)\n c 3 ms\n"
                  "AUTOTUNE d(1)\n d 4 ms\n",
                  "a(1): a 1 ms; b(1): b 2 ms, then b2 3 ms; c(1): c 3 ms");
}

static void autotuners(void **state)
{
    (void)state;
    assert_summary("", "");
    assert_summary("AUTOTUNE mm(8x8, 8x8)\n", "");
    assert_summary("SingleProcess " TAKES "2.5 seconds and 0.5 seconds precompiling\n",
                   "SingleProcess " TAKES "2.5 seconds and 0.5 seconds precompiling");
    assert_summary("AUTOTUNE mm(8x8)\n mm 0.1 ms\nSubProcess " TAKES "2.5 seconds\n",
                   "SubProcess " TAKES "2.5 seconds: mm 0.1 ms is the fastest for mm(8x8)");
    assert_summary("AUTOTUNE mm(8x8)\nSubProcess " TAKES "2.5 seconds\n",
                   "SubProcess " TAKES "2.5 seconds: mm(8x8)");
    assert_summary("[rank0]: AUTOTUNE mm(8x8)\nS " TAKES "1.5 seconds and 1.0 seconds x\nS " TAKES "x\n"
                   "AUTOTUNE a(1)\nS " TAKES "1\nAUTOTUNE b(1)\nS " TAKES "2\nAUTOTUNE c(1)\nS " TAKES "3\n",
                   TAKES "8.5 seconds for 5 operators: c(1) 3.0, mm(8x8) 2.5, b(1) 2.0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(metrics_cut_off),
        cmocka_unit_test(ids),
        cmocka_unit_test(choices_take_some_time),
        cmocka_unit_test(autotuners), cmocka_unit_test(fastest_kernels),
    };

    return RUN(tests);
}
