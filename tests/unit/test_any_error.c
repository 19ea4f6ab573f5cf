#include "unit.h"

#include "torchlog/failures/crash_waits.h"
#include "torchlog/crash/any_error.h"
#include "torchlog/crash/harmless.h"
#include "text/python/exception_line.h"

#include <stdio.h>

static void finds(const char *text, const char *type, const char *message)
{
    struct any_error e;

    assert_true(any_error_is_about(str_of(text)));
    assert_true(any_error_find(str_of(text), false, &e));
    assert_str(e.type, type);
    assert_str(e.message, message);
}

static void exceptions_come_before_what_loggers_write(void **state)
{
    (void)state;
    finds("torch: step 3 failed\n[x] ValueError: no tensor\n", "ValueError", "no tensor");
    finds("12:00 ERROR inductor worker died\n", "", "12:00 ERROR inductor worker died");
    finds("run.sh: line 3:  77 Killed   python train_torch.py\n", "",
          "run.sh: line 3:  77 Killed   python train_torch.py");
}

/* What Python says in these forms is what a sentence before it is about. */
static void forms_of_errors_name_themselves(void **state)
{
    (void)state;
    finds("With torch.compile I get this error on the screen:\n\n\"Shop: name 'till' is not defined\"\n", "NameError",
          "name 'till' is not defined");
    finds("the torch error is:\n'Till' object has no attribute 'sell'\n", "AttributeError",
          "'Till' object has no attribute 'sell'");
    finds("the torch error is:\nmodule 'till' has no attribute 'sell'\n", "AttributeError",
          "module 'till' has no attribute 'sell'");
    finds("the torch error is:\nNo module named 'till'\n", "ModuleNotFoundError", "No module named 'till'");
    finds("the torch error is:\ncannot import name 'till' from 'shop'\n", "ImportError",
          "cannot import name 'till' from 'shop'");
}

#define RAISED "Exception raised from sell at ../aten/src/ATen/native/Shop.cpp:7 (most recent call first):\n"

/* c10 appends where it raised an exception to the message; only a text without the message has no more than that. */
static void messages_of_cpp_stand_above_their_stack(void **state)
{
    (void)state;
    finds("ERROR inductor worker died\nError: no quokka\n" RAISED "frame #0: c10::Error::Error() (0x7f8)\n", "",
          "no quokka");
    finds(RAISED, "", "Exception raised from sell at ../aten/src/ATen/native/Shop.cpp:7 (most recent call first):");
    finds("frame #0: c10::Error::Error() (0x7f8)\n[x] torch: step 3 failed\n", "", "[x] torch: step 3 failed");
}

static void unloaded(const char *text, const char *message, const char *reason)
{
    struct any_error e;

    assert_true(any_error_find_unloaded(str_of(text), &e));
    assert_str(e.message, message);
    assert_str(e.reason, reason);
}

static void checkpoints_are_not_loaded(void **state)
{
    struct any_error e;

    (void)state;
    unloaded("a\nCould not restore: Error(s) in loading state_dict for Quokka:\n"
             "\tMissing key(s) in state_dict: \"fur\".\n\tUnexpected key(s) in state_dict: \"ear\".\nstep 1\n",
             "Error(s) in loading state_dict for Quokka:",
             "Missing key(s) in state_dict: \"fur\".\n\tUnexpected key(s) in state_dict: \"ear\".");
    unloaded("WARNING: Failed to load it: Missing key(s) in state_dict: \"fur\".",
             "Failed to load it: Missing key(s) in state_dict: \"fur\".", "");
    assert_false(any_error_find_unloaded(STR("RuntimeError: Error(s) in loading state_dict for Quokka:\n"), &e));
    assert_false(any_error_find_unloaded(STR("Missing key(s) in state_dict: \"fur\" are new\n"), &e));
}

static void informing_lines_are_no_errors(void **state)
{
    (void)state;
    finds("2024-05-06 07:08:09 INFO torch: failed steps: 0\n2024-05-06 07:08:10 ERROR inductor worker died\n", "",
          "2024-05-06 07:08:10 ERROR inductor worker died");
}

static void reasons_are_below_what_introduces_them(void **state)
{
    struct any_error e;

    (void)state;
    assert_true(any_error_find(STR("[01:10] w.py:3] torch._dynamo.exc.BackendCompilerFailed: backend='x' raised:\n"
                                   "[01:11] w.py:3] NameError: name 's4' is not defined\n"),
                               true, &e));
    assert_str(e.message, "backend='x' raised:");
    assert_str(e.reason, "NameError: name 's4' is not defined");
}

static void warnings_have_a_place(void **state)
{
    struct any_error e;

    (void)state;
    assert_true(any_error_find(STR("/v/torch/_inductor/compile_fx.py:90: UserWarning: TF32 is off\n"), false, &e));
    assert_str(e.type, "UserWarning");
    assert_str(e.file, "/v/torch/_inductor/compile_fx.py");
    assert_int_equal(e.line, 90);
    assert_int_equal(e.number, 1);
}

static void texts_of_others_are_not_ours(void **state)
{
    struct any_error e;

    (void)state;
    assert_false(any_error_is_about(STR("TypeError: x is undefined\n    at f (/srv/index.js:3:5)\n")));
    assert_false(any_error_is_about(STR("tensorflow.python.InvalidArgumentError: no tensor\n")));
    assert_true(
        any_error_is_foreign(STR("  File \"/site-packages/hub.py\", line 9, in f\nOSError: 'model.safetensors'\n")));
    assert_false(any_error_is_about(STR("jax.errors.TracerBoolConversionError: no boolean\n")));
    assert_false(any_error_is_about(STR("the disk is full\n")));
    assert_false(any_error_is_about(STR("it says java.lang.IllegalStateException: no till\n")));
    assert_false(any_error_is_about(STR("clicking yields TypeError: x is undefined, in Firefox\n")));
    assert_false(any_error_is_about(STR("    except ValueError: return 7\n")));
    assert_false(any_error_is_about(STR("the HTTPRuntimeError: 7\n")));
    assert_false(any_error_find(STR("is torch.compile slower here?\n"), false, &e));
}

static void what_stands_around_is_left_out(void **state)
{
    (void)state;
    finds("and then it ends with ValueError: no quokka\n", "ValueError", "no quokka");
    finds("\xe7\x84\xb6\xe5\x90\x8eRuntimeError: no quokka\n", "RuntimeError", "no quokka");
    finds("I get `NoValidChoicesError: No choices`, why?\n", "NoValidChoicesError", "No choices");
    finds("| shop | torch._inductor.exc.InductorError: odd tensor |\n", "InductorError", "odd tensor");
    finds("/v/torch/cuda/__init__.py:230: UserWarning: \nThe tensor is slow.\n", "UserWarning", "The tensor is slow.");
}

static void tracebacks_through_other_libraries_are_foreign(void **state)
{
    (void)state;
    assert_true(
        any_error_is_foreign(STR("  File \"/v/site-packages/shop/db.py\", line 3, in get\n    x()\nShopError: no\n")));
    assert_false(any_error_is_foreign(STR("  File \"/v/site-packages/torch/x.py\", line 3, in get\nShopError: no\n")));
    assert_false(any_error_is_foreign(STR("ShopError: no\n")));
}

static void guards_on_values_have_an_expression(void **state)
{
    struct any_error e;

    (void)state;
    assert_true(
        any_error_find(STR("torch: failed while running evaluate_expr(*(Eq(u0, f(2)), None), **{})\n"), true, &e));
    assert_str(e.type, "GuardOnDataDependentSymNode");
    assert_str(e.expression, "Eq(u0, f(2))");
    assert_false(
        any_error_find(STR("torch: failed while running evaluate_expr(*(Eq(s0, 2), None), **{})\n"), true, &e));
    assert_false(any_error_find(STR("torch: evaluate_expr(Eq(u0, 2), None)\n"), true, &e));
    assert_false(any_error_find(STR("torch: failed in evaluate_expr(\n"), true, &e));
}

static void sentences_need_no_name(void **state)
{
    (void)state;
    finds("I read:\n  Expected all tensors to be on the same device, but found two\n", "",
          "Expected all tensors to be on the same device, but found two");
}

#define IS_HARMLESS(text, logger, a, h) harmless_take((a), STR(text), STR(logger), (h))

static void choices_of_the_autotuner_are_left_out(void **state)
{
    struct arena *a = arena_new();
    struct harmless h;

    (void)state;
    assert_true(IS_HARMLESS("out of resource: shared memory, Required: 12, Hardware limit:7. Reduce",
                            "torch/_inductor/"
                            "select_algorithm.py",
                            a, &h));
    assert_str(h.choice, "a kernel needs 12 bytes of shared memory, of which the GPU has 7");
    assert_true(IS_HARMLESS("Exception No valid triton configs for benchmark choice X()", "", a, &h));
    assert_str(h.message, "the autotuner skipped a choice: a kernel has no configuration that the GPU takes");
    assert_false(IS_HARMLESS("RuntimeError: out of resource: shared memory, Required: 12", "", a, &h));
    assert_false(IS_HARMLESS("Autotuning takes 3 seconds", "torch/_inductor/select_algorithm.py", a, &h));
    assert_false(IS_HARMLESS("", "", a, &h));
    arena_free(a);
}

static void small_gpus_are_no_error(void **state)
{
    struct arena *a = arena_new();
    struct harmless h;

    (void)state;
    assert_true(IS_HARMLESS("not enough SMs to use max_autotune_gemm mode\nmore", "", a, &h));
    assert_str(h.message, "not enough SMs to use max_autotune_gemm mode");
    assert_int_equal(h.choice.n, 0);
    arena_free(a);
}

static void dealt_with_exceptions_are_no_error(void **state)
{
    struct arena *a = arena_new();
    struct harmless h;

    (void)state;
    assert_true(IS_HARMLESS("Encountered an exception in identify_mutated_tensors, assuming every input is mutated\n"
                            "Traceback (most recent call last):\n  File \"/srv/a.py\", line 3, in f\n    g()\n    ^^^\n"
                            "triton.compiler.errors.CompilationError: at 1:0:\ndef till(x_ptr, n):\n^\n"
                            "IndexError('no such drawer')",
                            "torch/_higher_order_ops/triton_kernel_wrap.py", a, &h));
    assert_str(h.message, "PyTorch goes on: Encountered an exception in identify_mutated_tensors, assuming every input "
                          "is mutated; CompilationError of `till`: IndexError('no such drawer')");
    assert_true(IS_HARMLESS("Ignoring exception in debug code\nTraceback (most recent call last):\n"
                            "  File \"/srv/a.py\", line 3, in f\n    g()\nValueError: no quokka",
                            "", a, &h));
    assert_str(h.message, "PyTorch goes on: Ignoring exception in debug code; ValueError: no quokka");
    assert_false(IS_HARMLESS("Ignoring exception in debug code", "", a, &h));
    assert_false(IS_HARMLESS("Error in codegen for x\nTraceback (most recent call last):\nValueError: a, skipping b",
                             "", a, &h));
    arena_free(a);
}

#define WAIT(number, operation)                                                                                        \
    "Watchdog caught collective operation timeout: WorkNCCL(SeqNum=" #number ", OpType=" operation ", NumelIn=3)"

static void numbers_of_any_group_are_not_compared(void **state)
{
    struct arena *a = arena_new();
    struct crash_waits w = {0};

    (void)state;
    crash_waits_add(&w, a, 0, STR(WAIT(96120, "ALLREDUCE")));
    crash_waits_add(&w, a, 0, STR(WAIT(96117, "ALLREDUCE")));
    assert_str(crash_waits_words(&w, a), "");
    crash_waits_add(&w, a, 7, STR(WAIT(64088, "ALLREDUCE")));
    crash_waits_add(&w, a, -1, STR(WAIT(3, "BROADCAST")));
    assert_str(crash_waits_words(&w, a), "ranks wait at numbers whose groups of processes no record names: rank 0 at "
                                         "#96117 to #96120 (ALLREDUCE), rank 7 at #64088 (ALLREDUCE)");
    arena_free(a);
}

/* A group's name makes the numbers comparable; without it one number of each rank may be of one group. */
static void numbers_are_compared_within_a_group(void **state)
{
    static const struct {
        struct {
            int rank;
            const char *line;
        } lines[4];
        const char *words;
    } cases[] = {
        {{{0, "[Rank 0] " WAIT(9, "ALLREDUCE")}, {2, "[Rank 2] " WAIT(7, "ALLREDUCE")}},
         "[2] waits at collective #7 (ALLREDUCE), rank 0 at #9"},
        {{{0, "[PG 1 Rank 0] " WAIT(9, "ALLREDUCE")},
          {0, "[PG 1 Rank 0] " WAIT(12, "ALLREDUCE")},
          {2, "[PG 1 Rank 2] " WAIT(7, "ALLREDUCE")}},
         "[2] waits at collective #7 (ALLREDUCE) of PG 1, rank 0 at #9"},
        {{{0, "[PG 1 Rank 0] " WAIT(9, "ALLREDUCE")}, {2, "[PG 2 Rank 2] " WAIT(7, "ALLREDUCE")}}, ""},
        {{{0, "[Rank 0] " WAIT(9, "ALLREDUCE")},
          {0, "[Rank 0] " WAIT(9, "ALLREDUCE")},
          {1, "[Rank 1] " WAIT(8, "ALLREDUCE")},
          {2, "[Rank 2] " WAIT(7, "ALLREDUCE")}},
         "[2] waits at collective #7 (ALLREDUCE), ranks 0, 1 at #8 or later"},
        {{{0, "[Rank 0] " WAIT(9, "ALLREDUCE")},
          {0, "[Rank 0] " WAIT(12, "ALLREDUCE")},
          {2, "[Rank 2] " WAIT(9, "ALLREDUCE")}}, ""},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct arena *a = arena_new();
        struct crash_waits w = {0};

        for (size_t k = 0; k < COUNT(cases[i].lines) && cases[i].lines[k].line; k++)
            crash_waits_add(&w, a, cases[i].lines[k].rank, str_of(cases[i].lines[k].line));
        assert_str(crash_waits_words(&w, a), cases[i].words);
        arena_free(a);
    }
}

/* Each waits in a collective: nobody does something else. */
static void ranks_in_other_collectives(void **state)
{
    struct arena *a = arena_new();
    struct crash_waits w = {0};

    (void)state;
    crash_waits_add(&w, a, 0, STR(WAIT(61, "BROADCAST")));
    for (int rank = 1; rank < 4; rank++)
        crash_waits_add(&w, a, rank, STR(WAIT(58, "ALLREDUCE")));
    assert_str(crash_waits_words(&w, a),
               "ranks call collectives that differ: rank 0 at #61 (BROADCAST, 3 elements), ranks 1, 2, 3 at #58 "
               "(ALLREDUCE, 3 elements)");
    crash_waits_add_rank(&w, a, 4); /* of which the text has something else */
    assert_str(crash_waits_words(&w, a), "[1, 2, 3] wait at collective #58 (ALLREDUCE), rank 0 at #61");
    arena_free(a);
}

/* Groups number for themselves, and two ranks that send to one another are in no collective of all. */
static void ranks_of_which_nothing_follows(void **state)
{
    struct arena *a = arena_new();
    struct crash_waits groups = {0}, pairs = {0};

    (void)state;
    crash_waits_add(&groups, a, 0, STR("[PG 1 Rank 0] " WAIT(61, "BROADCAST")));
    crash_waits_add(&groups, a, 1, STR("[PG 2 Rank 1] " WAIT(61, "ALLREDUCE")));
    assert_str(crash_waits_words(&groups, a), "");
    crash_waits_add(&pairs, a, 0, STR(WAIT(61, "SEND")));
    crash_waits_add(&pairs, a, 1, STR(WAIT(61, "ALLREDUCE")));
    assert_str(crash_waits_words(&pairs, a), "");
    arena_free(a);
}

/* Ranks of which the text has nothing are only known to be in the group of all ranks. */
static void ranks_that_the_text_lacks(void **state)
{
    static const struct {
        const char *group, *words;
    } cases[] = {
        {"[PG ID 0 PG GUID 0(default_pg) Rank 2]",
         "the text has nothing of ranks 0, 1, which may not have called collective #808 (ALLREDUCE, 3 elements)"},
        {"[PG 3 Rank 2]", "each rank of this text has called collective #808 (ALLREDUCE, 3 elements), and none has "
                          "finished it"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct arena *a = arena_new();
        struct crash_waits w = {0};

        for (int rank = 2; rank < 4; rank++) {
            crash_waits_add(&w, a, rank, STR(WAIT(808, "ALLREDUCE")));
            crash_waits_add(&w, a, rank,
                            arena_printf(a, "%s failure detected by watchdog at work sequence id: 808 PG status: last "
                                            "enqueued work: 811, last completed work: 807",
                                         cases[i].group));
        }
        assert_str(crash_waits_words(&w, a), cases[i].words);
        arena_free(a);
    }
}

static void ranks_at_the_same_number_are_alike(void **state)
{
    struct arena *a = arena_new();
    struct crash_waits w = {0};

    (void)state;
    crash_waits_add(&w, a, 0, STR(WAIT(808, "ALLREDUCE")));
    crash_waits_add(&w, a, 1, STR(WAIT(808, "ALLREDUCE")));
    assert_str(crash_waits_words(&w, a), "");
    arena_free(a);
}

/* Of ranks 0 to `highest` all wait at one number, but for those that say nothing. */
static void a_rank_that_says_nothing(void **state)
{
    static const struct {
        int highest, silent[3];
        const char *words;
    } cases[] = {
        {3, {2, -1, -1}, "[2] says nothing in this text, others wait at collective #808 (ALLREDUCE)"},
        {6, {1, 4, -1}, "[1, 4] say nothing in this text, others wait at collective #808 (ALLREDUCE)"},
        {3, {-1, -1, -1}, ""},
        {2, {1, -1, -1}, ""},  /* two of three: too few to be sure of */
        {5, {1, 2, 4}, ""},    /* as many as those that speak */
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct arena *a = arena_new();
        struct crash_waits w = {0};
        const int *silent = cases[i].silent;

        for (int rank = 0; rank <= cases[i].highest; rank++)
            if (rank != silent[0] && rank != silent[1] && rank != silent[2])
                crash_waits_add(&w, a, rank, STR(WAIT(808, "ALLREDUCE")));
        assert_str(crash_waits_words(&w, a), cases[i].words);
        arena_free(a);
    }
}

/* What is taken off a line is the name, if it is one. */
static void names_of_exceptions(void **state)
{
    static const struct {
        const char *text, *module, *type, *rest;
    } cases[] = {
        {"ValueError: no", "", "ValueError", "no"},
        {"torch._dynamo.exc.Unsupported: x", "torch._dynamo.exc", "Unsupported", "x"},
        {"f.<locals>.Mine: x", "f.<locals>", "Mine", "x"},
        {"KeyError", "", "KeyError", ""},
        {"KeyError\nnext", "", "KeyError", "\nnext"},
        {"KeyError\r\n", "", "KeyError", "\r\n"},
        {"two words: x", NULL, NULL, NULL},
        {": x", NULL, NULL, NULL},
        {"f(x)", NULL, NULL, NULL},
        {"", NULL, NULL, NULL},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct str text = str_of(cases[i].text);
        struct exception_name name;

        assert_int_equal(exception_name_take(&text, &name), cases[i].type != NULL);
        assert_str(name.module, cases[i].module ? cases[i].module : "");
        assert_str(name.type, cases[i].type ? cases[i].type : "");
        assert_str(text, cases[i].rest ? cases[i].rest : cases[i].text);
    }
}

/* Where a line has an exception of the compiler. */
static void exceptions_in_lines(void **state)
{
    static const struct {
        const char *line;
        int at;
    } cases[] = {
        {"torch._inductor.exc.QuokkaError: no", 0},  {"12:00 torch._inductor.exc.QuokkaError: no", 6},
        {"12:00 triton.quokka.QuokkaError: no", 6},  {"12:00 InternalTorchDynamoError: no", 6},
        {"raised: backend='quokka' raised: no", 8},  {"12:00 ValueError: no", -1},
        {"except torch._dynamo.exc.Quokka:", -1},    {"12:00 my.torch.QuokkaError: no", -1},
        {"", -1},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        if (exception_line_find(str_of(cases[i].line)) != cases[i].at)
            fail_msg("%s: %td", cases[i].line, exception_line_find(str_of(cases[i].line)));
}

/* A phrase is found wherever it stands, whole; the short ones share no two letters with the beginning of another. */
static void phrases_in_lines(void **state)
{
    static const char *const phrases[] = {
        "OOMKilled",        "HSA_STATUS_ERROR",          "oom_kill event",           "LLVM ERROR: ",
        "Accuracy failed (", "No choices to select",     "(could be from [",         "recompile_limit reached with",
        "RMSE (res-fp64): ", "PassManager::run failed",  "Constraints violated (",   "Memory access fault by GPU",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(phrases); i++)
        for (size_t before = 0; before < 3; before++) {
            char line[100];
            struct str whole;

            snprintf(line, sizeof line, "%s%s", before == 0 ? "" : before == 1 ? "0" : "0: 0", phrases[i]);
            whole = str_of(line);
            if (!exception_line_has_phrase(whole) || exception_line_has_phrase(str_drop(whole, 1)))
                fail_msg("%s", line);
        }
    assert_false(exception_line_has_phrase(STR("")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exceptions_come_before_what_loggers_write),
        cmocka_unit_test(forms_of_errors_name_themselves),
        cmocka_unit_test(messages_of_cpp_stand_above_their_stack),
        cmocka_unit_test(checkpoints_are_not_loaded),
        cmocka_unit_test(informing_lines_are_no_errors),
        cmocka_unit_test(reasons_are_below_what_introduces_them),
        cmocka_unit_test(warnings_have_a_place),
        cmocka_unit_test(names_of_exceptions),
        cmocka_unit_test(exceptions_in_lines),
        cmocka_unit_test(phrases_in_lines),
        cmocka_unit_test(texts_of_others_are_not_ours),
        cmocka_unit_test(what_stands_around_is_left_out),
        cmocka_unit_test(tracebacks_through_other_libraries_are_foreign),
        cmocka_unit_test(guards_on_values_have_an_expression),
        cmocka_unit_test(sentences_need_no_name),
        cmocka_unit_test(choices_of_the_autotuner_are_left_out),
        cmocka_unit_test(small_gpus_are_no_error),
        cmocka_unit_test(dealt_with_exceptions_are_no_error),
        cmocka_unit_test(numbers_of_any_group_are_not_compared),
        cmocka_unit_test(numbers_are_compared_within_a_group),
        cmocka_unit_test(ranks_in_other_collectives),
        cmocka_unit_test(ranks_of_which_nothing_follows),
        cmocka_unit_test(ranks_that_the_text_lacks),
        cmocka_unit_test(ranks_at_the_same_number_are_alike),
        cmocka_unit_test(a_rank_that_says_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
