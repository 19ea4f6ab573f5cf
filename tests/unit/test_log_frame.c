/* Which frame a message names, in each form, and in what only looks like one. */
#include "unit.h"

#include "torchlog/apply/log_frame.h"

#define STANCE "Detected recompile when torch.compile stance is 'fail_on_recompile'. "
#define LIMIT "torch._dynamo hit config.recompile_limit (8)\n"
#define BREAK "Graph break: from user code at:\n"

static void taken(void **state)
{
    static const struct {
        const char *text, *function, *file;
        int64_t line; /* -1: it names none */
    } cases[] = {
        {"Recompiling function f in /srv/x.py:7", "f", "/srv/x.py", 7},
        {"  Recompiling function f in /srv/x.py:7  \n    triggered by", "f", "/srv/x.py", 7},
        {"Recompiling function f in C:\\a b\\x.py:12", "f", "C:\\a b\\x.py", 12},
        {"Recompiling function f in /srv/x.py", "f", "/srv/x.py", 0},
        {"Recompiling function f in /srv/x.txt", "", "", -1},
        {"Recompiling function f in /srv/x.py:2147483647", "f", "/srv/x.py", 2147483647},
        {"Recompiling function f in /srv/x.py:2147483648", "f", "/srv/x.py", 0},
        {"Recompiling function f in :7", "", "", -1},
        {"Recompiling function f in 7", "", "", -1},
        {"Recompiling function  in /srv/x.py:7", "", "", -1},
        {"Recompiling function  in /srv/x.py", "", "", -1},
        {"Recompiling function f:7 in x", "", "", -1},
        {STANCE "filename: '/srv/x.py', function name: 'f', line number: 7", "f", "/srv/x.py", 7},
        {STANCE "filename: '/srv/x.py', function name: 'f', line number: 2147483648", "f", "/srv/x.py", 0},
        {STANCE "filename: '/srv/x.py', function name: 'f', line number: n", "", "", -1},
        {STANCE "filename: '/srv/x.py', line number: 7", "", "", -1},
        {STANCE "function name: 'f', line number: 7", "", "", -1},
        {"torchdynamo start compiling f /srv/x.py:7, stack (elided 5 frames):\n  File", "f", "/srv/x.py", 7},
        {"torchdynamo start compiling f /srv/x.py:7", "f", "/srv/x.py", 7},
        {"torchdynamo start compiling <lambda> <string>:1", "<lambda>", "<string>", 1},
        {"torchdynamo start compiling f", "", "", -1},
        {"Step 1: torchdynamo start tracing f /srv/x.py:7", "f", "/srv/x.py", 7},
        {"Step 1: torchdynamo start tracing f /srv/x.py", "", "", -1},
        {"Step 2: calling compiler function inductor", "", "", -1},
        {"ORIGINAL BYTECODE f /srv/x.py line 7 \n 7 0 RESUME", "f", "/srv/x.py", 7},
        {"ORIGINAL BYTECODE f /srv/a line b/x.py line 7", "", "", -1},
        {"ORIGINAL BYTECODE f /srv/x.py line 2147483648", "f", "/srv/x.py", 0},
        {"ORIGINAL BYTECODE f  line 7", "", "", -1},
        {"ORIGINAL BYTECODE f /srv/x.py", "", "", -1},
        {"MODIFIED BYTECODE f /srv/x.py line 7", "", "", -1},
        {LIMIT "   function: 'f' (/srv/x.py:7)\n   last reason: x", "f", "/srv/x.py", 7},
        {LIMIT "   function: 'f' (/srv/x.py:7", "", "", -1},
        {LIMIT "   function: '\n", "", "", -1},
        {LIMIT "   last reason: x", "", "", -1},
        {LIMIT, "", "", -1},
        {"   function: 'f' (/srv/x.py:7)\n   last reason: x", "f", "/srv/x.py", 7},
        {BREAK "  File \"/srv/x.py\", line 9, in f\n    y()\n", "f", "/srv/x.py", 0},
        {BREAK "  File \"/srv/x.py\", line 9\n", "", "", -1},
        {BREAK "  File \"/srv/x.py\", line 9, in \n", "", "", -1},
        {BREAK "  File /srv/x.py, line 9, in f\n", "", "", -1},
        {BREAK, "", "", -1},
        {"Graph break: no reason\n  File \"/srv/x.py\", line 9, in f\n", "", "", -1},
        {"f in /srv/x.py:7", "", "", -1},
        {"", "", "", -1},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct log_frame f;

        assert_int_equal(log_frame_take(str_of(cases[i].text), &f), cases[i].line >= 0);
        assert_str(f.function, cases[i].function);
        assert_str(f.file, cases[i].file);
        assert_int_equal(f.line, cases[i].line < 0 ? 0 : cases[i].line);
    }
}

/* The function and its line have to be the same, as far as both are known. */
static void differing(void **state)
{
    static const struct {
        const char *name;
        int line;
        const char *function;
        int64_t at;
        bool differs;
    } cases[] = {
        {"f", 7, "f", 7, false}, {"f", 7, "g", 7, true},  {"f", 7, "f", 8, true}, {"f", 0, "f", 8, false},
        {"f", 7, "f", 0, false}, {"f", 0, "g", 0, true}, {"", 7, "g", 8, false}, {"f", 7, "", 8, false},
    };

    (void)state;
    assert_false(log_frame_differs(NULL, &(struct log_frame){.function = STR("f")}));
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct frame f = {.name = str_of(cases[i].name), .line = cases[i].line};

        assert_int_equal(log_frame_differs(&f, &(struct log_frame){.function = str_of(cases[i].function),
                                                                   .line = cases[i].at}),
                         cases[i].differs);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(taken), cmocka_unit_test(differing)};

    return RUN(tests);
}
