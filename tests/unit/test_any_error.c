#include "unit.h"

#include "torchlog/apply/crash_waits.h"
#include "torchlog/crash/any_error.h"

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
    assert_false(any_error_is_about(STR("the disk is full\n")));
    assert_false(any_error_find(STR("is torch.compile slower here?\n"), false, &e));
}

static void what_stands_around_is_left_out(void **state)
{
    (void)state;
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

#define WAIT(number, operation)                                                                                        \
    "Watchdog caught collective operation timeout: WorkNCCL(SeqNum=" #number ", OpType=" operation ", NumelIn=3)"

static void the_rank_with_the_lower_number_is_behind(void **state)
{
    struct arena *a = arena_new();
    struct crash_waits w = {0};

    (void)state;
    crash_waits_add(&w, a, 0, STR(WAIT(96120, "ALLREDUCE")));
    crash_waits_add(&w, a, 0, STR(WAIT(96117, "ALLREDUCE")));
    assert_str(crash_waits_words(&w, a), "");
    crash_waits_add(&w, a, 7, STR(WAIT(64088, "BROADCAST")));
    crash_waits_add(&w, a, -1, STR(WAIT(3, "BROADCAST")));
    assert_str(crash_waits_words(&w, a), "[7] waits at collective #64088 (BROADCAST), the others at #96117 or later");
    arena_free(a);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exceptions_come_before_what_loggers_write),
        cmocka_unit_test(warnings_have_a_place),
        cmocka_unit_test(texts_of_others_are_not_ours),
        cmocka_unit_test(what_stands_around_is_left_out),
        cmocka_unit_test(tracebacks_through_other_libraries_are_foreign),
        cmocka_unit_test(the_rank_with_the_lower_number_is_behind),
        cmocka_unit_test(ranks_at_the_same_number_are_alike),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
