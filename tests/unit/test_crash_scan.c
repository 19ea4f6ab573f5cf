#include "unit.h"

#include "torchlog/crash/crash_lines.h"
#include "torchlog/crash/crash_scan.h"

/* Lines, and before each of them what it is: '>' begins, '|' belongs, '?' may belong, '.' does not. */
static void assert_scanned(const char *text)
{
    struct str rest = str_of(text), line;
    struct crash_scan s = {0};
    bool over = false;

    while (str_next_line(&rest, &line)) {
        char want = line.p[0], got = '.';
        struct str bare = str_skip(line, 1);

        if (want == '>') {
            enum crash_form form = crash_begins(bare);

            if (form == CRASH_NONE)
                fail_msg("begins nothing: %.*s", (int)bare.n, bare.p);
            crash_scan_begin(&s, form, bare);
            over = false;
            continue;
        }
        if (!over)
            switch (crash_scan_next(&s, bare)) {
            case CRASH_LINE:
                got = '|';
                break;
            case CRASH_LINE_MAYBE:
                got = '?';
                break;
            case CRASH_NO_LINE:
                over = true;
            }
        if (got != want)
            fail_msg("%c, not %c: %.*s", got, want, (int)bare.n, bare.p);
    }
}

static void output_follows(void **state)
{
    (void)state;
    assert_scanned(">Traceback (most recent call last):\n"
                   "|  File \"/x.py\", line 3, in f\n"
                   "|    f(\n"
                   "?\n"
                   "|      1)\n"
                   "|KeyError: 'a'\n"
                   "?step 2\n"
                   "?  loss 3\n"
                   "?=======\n"
                   ".Traceback (most recent call last):\n");
    assert_scanned(">Traceback (most recent call last):\n"
                   "|  File \"/x.py\", line 3, in f\n"
                   ".step 2 is done\n");
}

static void a_sentence_is_wrapped(void **state)
{
    (void)state;
    assert_scanned(">Traceback (most recent call last):\n"
                   "|  File \"/x.py\", line 3, in f\n"
                   "|RuntimeError: During the backward, we encountered a tensor whose\n"
                   "|metadata we guessed.\n"
                   "?wandb is done\n");
    assert_scanned(">Traceback (most recent call last):\n"
                   "|  File \"/x.py\", line 3, in f\n"
                   "|RuntimeError: During the backward, we encountered a tensor whose\n"
                   "?wandb: done\n"
                   "?metadata\n");
    assert_scanned(">Traceback (most recent call last):\n"
                   "|  File \"/x.py\", line 3, in f\n"
                   "|RuntimeError: too short\n"
                   "?to be wrapped\n");
}

static void one_record_of_a_logger_and_c10(void **state)
{
    (void)state;
    /* up to 2.2 without a date */
    assert_scanned(">[E ProcessGroupNCCL.cpp:458] [Rank 0] Watchdog caught collective operation timeout: x\n.step\n");
    assert_scanned(">[E515 18:36:47.341808597 ProcessGroupNCCL.cpp:632] [Rank 0] Watchdog\n|  frame\n");
    assert_int_equal(crash_lead(STR("  6%|#  | 3/5 [00:01<00:32,  3.02it/s][E ProcessGroupNCCL.cpp:458] [Rank 0] x")),
                     38);
    assert_int_equal(crash_begins(STR("[E someone.cc:458] x")), CRASH_NONE);
    /* of no program in Python */
    assert_int_equal(crash_begins(STR("Error: no such file")), CRASH_NONE);
}

static void what_a_compiler_said(void **state)
{
    (void)state;
    assert_scanned(">torch._inductor.exc.InductorError: CppCompileError: C++ compile error\n"
                   "?\n"
                   "|Output:\n"
                   "|Microsoft (R) C/C++ Optimizing Compiler Version 19.41\n"
                   "|Copyright (C) Microsoft Corporation.\n"
                   "?\n"
                   "?c2l.cpp\n"
                   "|C:/torch/include/c10/Half.h(21): fatal error C1083: Cannot open include file: 'cmath'\n"
                   "?loss 3\n");
}

static void a_message_of_dynamo(void **state)
{
    (void)state;
    assert_scanned(">Traceback (most recent call last):\n"
                   "|  File \"/x.py\", line 3, in f\n"
                   "|torch._dynamo.exc.Unsupported: Data-dependent branching\n"
                   "|  Explanation: no\n"
                   "?\n"
                   "|  Developer debug context: none\n"
                   "?\n"
                   "|from user code:\n"
                   "|   File \"/x.py\", line 2, in g\n"
                   "?\n"
                   "|Set TORCHDYNAMO_VERBOSE=1 for the internal stack trace\n"
                   "?\n"
                   "?\n"
                   "|You can suppress this exception and fall back to eager by setting:\n"
                   "|    import torch._dynamo\n"
                   "|    torch._dynamo.config.suppress_errors = True\n"
                   ".  next\n");
}

/* Lines of a message stand before words that nobody else writes; what a compiler was called with, and said, is sure. */
static void what_comes_later_decides(void **state)
{
    (void)state;
    assert_scanned(">Traceback (most recent call last):\n"
                   "|  File \"/x.py\", line 3, in f\n"
                   "|torch._dynamo.exc.TorchRuntimeError: the sizes differ\n"
                   "?\n"
                   "?a has 3, b has 4\n"
                   "?\n"
                   "|from user code:\n");
    assert_scanned(">Traceback (most recent call last):\n"
                   "|  File \"/x.py\", line 3, in f\n"
                   "|torch._inductor.exc.InductorError: CppCompileError: C++ compile error\n"
                   "?\n"
                   "|Command:\n"
                   "|g++ a.cpp\n"
                   "?\n"
                   "|Output:\n"
                   "|a.cpp:1: error: x\n"
                   "|a.cpp:2:7: error: y\n"
                   "?\n"
                   "|Set TORCHDYNAMO_VERBOSE=1 for the internal stack trace\n");
}

static void chains(void **state)
{
    (void)state;
    assert_scanned(">  Traceback (most recent call last):\n"
                   "|    File \"/x.py\", line 3, in f\n"
                   "|  KeyError: 'a'\n"
                   "?\n"
                   "|  During handling of the above exception, another exception occurred:\n"
                   "|\n"
                   "|  house.Bare\n"
                   "?\n"
                   "|  The above exception was the direct cause of the following exception:\n"
                   "|\n"
                   "|  Traceback (most recent call last):\n"
                   "|    File \"/x.py\", line 4, in g\n"
                   "|  RuntimeError\n"
                   "?done\n");
}

static void of_other_processes(void **state)
{
    (void)state;
    assert_scanned(">Traceback (most recent call last):\n"
                   "|  File \"/x.py\", line 3, in f\n"
                   "|torch.multiprocessing.spawn.ProcessRaisedException: \n"
                   "?\n"
                   "|-- Process 1 terminated with the following error:\n"
                   "|Traceback (most recent call last):\n"
                   "|  File \"/x.py\", line 9, in work\n"
                   "|ValueError: no\n"
                   "?done\n");
    assert_scanned(">Exception in thread Thread-1 (work):\n"
                   "|Traceback (most recent call last):\n"
                   "|  File \"/x.py\", line 9, in work\n"
                   "|ValueError: no\n");
    assert_scanned(">Exception in thread \"main\" java.lang.NullPointerException\n"
                   ".    at House.main(House.java:3)\n");
}

static void groups(void **state)
{
    (void)state;
    assert_scanned(">  + Exception Group Traceback (most recent call last):\n"
                   "|  |   File \"/x.py\", line 3, in f\n"
                   "|  | ExceptionGroup: two (1 sub-exception)\n"
                   "|  +-+---------------- 1 ----------------\n"
                   "|    | Traceback (most recent call last):\n"
                   "|    | ValueError: first line\n"
                   "?second line\n"
                   "|    +------------------------------------\n"
                   "?done\n");
}

static void other_forms(void **state)
{
    (void)state;
    assert_scanned(">Fatal Python error: Segmentation fault\n"
                   "?\n"
                   "|Current thread 0x00007f0000000000 (most recent call first):\n"
                   "|  File \"/x.py\", line 3 in f\n"
                   "?\n"
                   "|Extension modules: torch._C (total: 1)\n"
                   ".done\n");
    assert_scanned(">terminate called after throwing an instance of 'c10::Error'\n"
                   "|  what():  CUDA error: misaligned address\n"
                   "|CUDA kernel errors might be asynchronously reported at some other API call\n"
                   "?\n"
                   "|Exception raised from f at /x.cpp:1 (most recent call first):\n"
                   ".done\n");
}

static void assert_begins(enum crash_form form, const char *line)
{
    if (crash_begins(str_of(line)) != form)
        fail_msg("%s begins %d, not %d", line, crash_begins(str_of(line)), form);
}

static void first_lines(void **state)
{
    (void)state;
    assert_begins(CRASH_TRACEBACK, "Traceback (most recent call last):");
    assert_begins(CRASH_NONE, "a Traceback (most recent call last):");
    assert_begins(CRASH_SHELL, "Killed");
    assert_begins(CRASH_NONE, "Killed by nobody");
    assert_begins(CRASH_SHELL, "Segmentation fault (core dumped)");
    assert_begins(CRASH_SHELL, "run.sh: line 3:    42 Killed                  python train.py");
    assert_begins(CRASH_SHELL, "bash: 42 Segmentation fault      python train.py");
    assert_begins(CRASH_NONE, "run.sh: line 3: Killed is a word");
    assert_begins(CRASH_SHELL, "2025-03-04T10:03:01.7720493Z   /exec: line 7:  4135 Segmentation fault python x.py");
    assert_begins(CRASH_SHELL, "2025-03-04T10:03:01.7720493Z Segmentation fault (core dumped)");
    assert_begins(CRASH_SHELL, "##[error]Process completed with exit code 139.");
    assert_begins(CRASH_NONE, "##[error]Process completed with exit code 1.");
    assert_begins(CRASH_NONE, "exit code 1390");
    assert_begins(CRASH_SHELL, "Process finished with exit code -1073741819 (0xC0000005)");
    assert_begins(CRASH_SHELL, "Segmentation fault: 11");
    assert_begins(CRASH_SHELL, "zsh: illegal hardware instruction  python till.py");
    assert_begins(CRASH_NONE, "zsh: killed     python till.py");
    assert_begins(CRASH_NONE, "zsh: command not found: pythn");
    assert_begins(CRASH_SHELL, "fish: Job 1, 'python till.py' terminated by signal SIGSEGV (Address boundary error)");
    assert_begins(CRASH_SHELL, "The Kernel crashed while executing code in the current cell or a previous cell.");
    assert_begins(CRASH_NONE, "loss: 42 Things");
    assert_begins(CRASH_LOGGED, "[E1121 08:00:06.012345678 ProcessGroupNCCL.cpp:632] [Rank 0] Watchdog");
    assert_begins(CRASH_NONE, "[W1121 08:00:06.012345678 ProcessGroupNCCL.cpp:632] [Rank 0] Watchdog");
    assert_begins(CRASH_ASSERT, "/x.cu:12: f: block: [0,0,0], thread: [1,0,0] Assertion `i < n` failed.");
    assert_begins(CRASH_ASSERT, " /x.cu:12: f: block: [0,0,0], thread: [1,0,0] Assertion `i < n` failed. \r");
    assert_begins(CRASH_NONE, "/x.cu:12: f: block: [0,0,0], thread: [1,0,0] Assertion `i < n` failed. No");
    assert_begins(CRASH_NONE, "");
    assert_begins(CRASH_NONE, "[");
}

/* A bar of tqdm at the beginning of a line. */
static void bars(void **state)
{
    static const struct {
        const char *line;
        size_t length;
    } cases[] = {
        {"  3%|#  | 3/100 [00:01<00:32,  3.02it/s]", 40}, {"  3%|#  | 3/100 [00:01<00:32,  3.02it/s]Traceback", 40},
        {" 0%| | 0/20 [00:06<?, 2.1s/it, loss=2]x", 38},  {" 0%| | 0/20 [00:06<?, 2.1s/it]x", 30},
        {"took 3 it/s for [x]", 0},                       {"3.02it/s", 0},
        {"loss 3", 0},                                    {"", 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(crash_bar_length(str_of(cases[i].line)), cases[i].length);
}

static void leads(void **state)
{
    struct str lead = STR("ERROR 06-20 08:00:00 [core.py:710] ");

    (void)state;
    assert_int_equal(crash_lead(STR("ERROR 06-20 08:00:00 [core.py:710] Traceback (most recent call last):")), lead.n);
    assert_int_equal(crash_lead(STR("Traceback (most recent call last):")), 0);
    assert_int_equal(crash_lead(STR("!!! Exception !!! Traceback (most recent call last):")), 18);
    assert_int_equal(crash_lead(STR("step failed: torch._dynamo.exc.Unsupported: print")), 13);
    assert_int_equal(crash_lead(STR("Original Traceback (most recent call last):")), 0);
    assert_int_equal(crash_lead(STR("    except torch._dynamo.exc.Unsupported:")), 0);
    assert_true(crash_has_lead(STR("ERROR 06-20 08:00:09 [core.py:710]   File"), lead));
    assert_false(crash_has_lead(STR("INFO  06-20 08:00:09 [core.py:710]   File"), lead));
    assert_false(crash_has_lead(STR("ERROR"), lead));
}

static void cut_out(void **state)
{
    (void)state;
    assert_str(
        crash_traceback(STR("head\ndue to:\nTraceback (most recent call last):\n  File \"/x.py\", line 1, in f\nE: m\n"
                            "\nTraceback (most recent call last):\n  File \"/x.py\", line 1, in f\nE: m\n")),
        "Traceback (most recent call last):\n  File \"/x.py\", line 1, in f\nE: m");
    assert_str(crash_traceback(STR("no such thing")), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(output_follows),
        cmocka_unit_test(a_sentence_is_wrapped),
        cmocka_unit_test(one_record_of_a_logger_and_c10),
        cmocka_unit_test(what_a_compiler_said),
        cmocka_unit_test(a_message_of_dynamo),
        cmocka_unit_test(what_comes_later_decides),
        cmocka_unit_test(chains),
        cmocka_unit_test(of_other_processes),
        cmocka_unit_test(groups),
        cmocka_unit_test(other_forms),
        cmocka_unit_test(first_lines),
        cmocka_unit_test(leads), cmocka_unit_test(bars),
        cmocka_unit_test(cut_out),
    };

    return RUN(tests);
}
