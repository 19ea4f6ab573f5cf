#include "unit.h"

#include "torchlog/crash/crash_text.h"
#include "torchlog/paste/nearest.h"
#include "torchlog/paste/paste.h"
#include "torchlog/paste/paste_chars.h"
#include "torchlog/paste/paste_escapes.h"
#include "torchlog/paste/paste_heads.h"
#include "torchlog/paste/paste_known.h"
#include "torchlog/paste/paste_lines.h"
#include "torchlog/paste/paste_order.h"
#include "torchlog/paste/paste_prefix.h"
#include "torchlog/paste/paste_stacks.h"
#include "torchlog/paste/paste_tables.h"

/* --- characters --------------------------------------------------------------------------------------------------- */

/* What a repair makes of the characters of a text; NULL for `want`: it sees nothing to do. */
static void assert_characters(bool (*mend)(struct arena *a, struct str *text), struct str text, const char *want)
{
    struct arena *a = arena_new();
    struct str got = text;

    if (mend(a, &got) != (want != NULL))
        fail_msg("%.*s", STR_ARG(text));
    if (want)
        assert_str(got, want);
    arena_free(a);
}

/* The bytes of ASCII in UTF-16, the higher one behind the lower one or before it. */
static struct str utf16(struct arena *a, const char *text, bool high_first)
{
    struct buf b = {0};
    struct str out;

    for (; *text; text++) {
        buf_char(&b, high_first ? '\0' : *text);
        buf_char(&b, high_first ? *text : '\0');
    }
    out = arena_str(a, buf_view(&b));
    buf_free(&b);
    return out;
}

static void encodings(void **state)
{
    struct arena *a = arena_new();

    (void)state;
    for (int high_first = 0; high_first < 2; high_first++) {
        assert_characters(paste_decode, utf16(a, "Failed\n", high_first), "Failed\n");
        assert_characters(paste_decode, utf16(a, "F\n12", high_first), "F\n12"); /* as few as there may be */
        assert_characters(paste_decode, utf16(a, "F\n1", high_first), NULL);
    }
    /* a mark of the order, characters of two units, half of one */
    assert_characters(paste_decode, STR("\xff\xfe" "F\0\x3d\xd8\x00\xde!\0"), "F\U0001f600!");
    assert_characters(paste_decode, STR("\xfe\xff" "\0F\xd8\x3d\xde\x00\0!"), "F\U0001f600!");
    assert_characters(paste_decode, STR("\xff\xfe" "F\0\x3d\xd8!\0"), "F\ufffd!");
    assert_characters(paste_decode, STR("\xff\xfe" "F\0\x00\xde!\0"), "F\ufffd!");
    assert_characters(paste_decode, STR("\xff\xfe" "F\0\x3d\xd8\x00\xde"), "F\U0001f600");
    assert_characters(paste_decode, STR("\xff\xfe" "F\0\x3d\xd8"), "F\ufffd");
    assert_characters(paste_decode, STR("\xef\xbb\xbf" "Failed\n"), "Failed\n");
    assert_characters(paste_decode, STR("Failed\n"), NULL);
    assert_characters(paste_decode, STR("F\0i\0l\0\0d\n3"), NULL); /* of both kinds */
    assert_characters(paste_decode, STR("F\0iled1234567890\n"), NULL); /* too few */
    arena_free(a);
}

/* Links of files, and of the numbers of lines, are what notebooks and chats make; others stay. */
static void links(void **state)
{
    (void)state;
    assert_characters(paste_links, STR("in [/x.py:3](http://host/x.py#line=2) f\n"), "in /x.py:3 f\n");
    assert_characters(paste_links, STR("in [~/a b](http://host/x) f\n"), NULL);
    assert_characters(paste_links, STR("in [./ab](http://host/x) f\n"), "in ./ab f\n");
    assert_characters(paste_links, STR("in [C:\\ab](http://host/x) f\n"), "in C:\\ab f\n");
    assert_characters(paste_links, STR("in [C:/ab](http://host/x) f\n"), "in C:/ab f\n");
    assert_characters(paste_links, STR("in [C:ab](http://host/x) f\n"), NULL);
    assert_characters(paste_links, STR("in [a.ipynb](vscode://host/x) f\n"), "in a.ipynb f\n");
    assert_characters(paste_links, STR("in [line 12](vscode://host/x) f\n"), "in line 12 f\n");
    assert_characters(paste_links, STR("in [line x](vscode://host/x) f\n"), NULL);
    assert_characters(paste_links, STR("in [12](vscode-notebook-cell:?line=12) f\n"), "in 12 f\n");
    assert_characters(paste_links, STR("in [118](/x.py:118) f\n"), "in 118 f\n");
    assert_characters(paste_links, STR("in [118](/x.md) f\n"), NULL);
    assert_characters(paste_links, STR("in [x](/x.py:118) f\n"), NULL);
    assert_characters(paste_links, STR("in [a [b.py](http://host/x) f\n"), "in [a b.py f\n");
    assert_characters(paste_links, STR("in [a.py](http://host/x\nf)\n"), NULL);
    assert_characters(paste_links, STR("in <http://core.py|core.py>, line 3\n"), "in core.py, line 3\n");
    assert_characters(paste_links, STR("in <https://core.py|core.py>, line 3\n"), "in core.py, line 3\n");
    assert_characters(paste_links, STR("in <http://host/x|core>, line 3\n"), NULL);
    assert_characters(paste_links, STR("in <http://core.py>, core|line 3\n"), NULL);
    assert_characters(paste_links, STR("in <http://core.py|core\n.py>\n"), NULL);
}

static void carriage_returns(void **state)
{
    (void)state;
    assert_characters(paste_carets, STR("one^M\ntwo^M\n"), "one\ntwo\n");
    assert_characters(paste_carets, STR("one^M\ntwo\nthree^M\n"), "one\ntwo\nthree\n");
    assert_characters(paste_carets, STR("one^M\ntwo\n"), NULL);
    assert_characters(paste_carets, STR("one^Mtwo^M"), NULL);
    assert_characters(paste_overprints, STR("5%\r10%\rTraceback (most recent call last):\r\n  x\ry\n"),
                      "Traceback (most recent call last):\ny\n");
    assert_characters(paste_overprints,
                      STR("5%\rtorch._dynamo.exc.Unsupported: x"), "torch._dynamo.exc.Unsupported: x\n");
    assert_characters(paste_overprints, STR("5%\r10%\rdone\n"), NULL);
    assert_characters(paste_overprints, STR("Traceback (most recent call last):\r\n"), NULL);
}

/* Only quotation marks had a backslash put before them; lines with other escapes are written otherwise. */
static void backslashes(void **state)
{
    (void)state;
    assert_characters(paste_backslashes, STR("  File \\\"/x.py\\\", line 3, in f\n    g(\\\"a\\\") \\\n"),
                      "  File \"/x.py\", line 3, in f\n    g(\"a\") \\\n");
    assert_characters(paste_backslashes, STR("  File \\\"/x.py\\\", line 3, in f\n    g(\\\"a\\n\\\")\n"),
                      "  File \"/x.py\", line 3, in f\n    g(\\\"a\\n\\\")\n");
    assert_characters(paste_backslashes, STR("  File \\\"/x.py\\\", line 3, in f\\n    g()\n"), NULL);
    assert_characters(paste_backslashes, STR("  File \"/x.py\", line 3, in f\n    g(\\\"a\\\")\n"), NULL);
}

/* --- repairs of lines --------------------------------------------------------------------------------------------- */

typedef bool repair(struct arena *a, const struct paste_text *from, struct paste_text *out);

/* What a repair makes of a text; NULL for `want`: it sees nothing to do. */
static void assert_repaired(repair *mend, const char *text, const char *want)
{
    struct arena *a = arena_new();
    struct paste_text from, out;

    paste_split(a, str_of(text), &from);
    if (!want) {
        assert_false(mend(a, &from, &out));
    } else {
        assert_true(mend(a, &from, &out));
        assert_lines(paste_join(a, &out), str_of(want));
    }
    arena_free(a);
}

#define PREFIX "V0620 10:00:00.000000 9 torch/_dynamo/guards.py:2997] [1/2] [__recompiles]"

static void lines_broken_behind_their_prefix(void **state)
{
    (void)state;
    assert_repaired(paste_rejoin,
                    PREFIX "\nRecompiling function rope in /m/rope.py:14\n" PREFIX "\n\n    - 1/1: L['n'] == 512\n",
                    PREFIX " Recompiling function rope in /m/rope.py:14\n" PREFIX "     - 1/1: L['n'] == 512\n");
    /* an empty line of a message is nothing broken: others have their text behind the prefix */
    assert_repaired(paste_rejoin, PREFIX " Recompiling function f in /m/f.py:1\n" PREFIX "\nloss 3\n", NULL);
    assert_repaired(paste_rejoin, "loss 3\n", NULL);
}

static void lines_keep_their_numbers(void **state)
{
    struct arena *a = arena_new();
    struct paste_text from, out;

    (void)state;
    paste_split(a, str_of("one\n" PREFIX "\n\nRecompiling function f in /m/f.py:1\nlast\n"), &from);
    assert_true(paste_rejoin(a, &from, &out));
    assert_int_equal(out.n, 3);
    assert_int_equal(out.numbers[0], 1);
    assert_int_equal(out.numbers[1], 2);
    assert_int_equal(out.numbers[2], 5);
    arena_free(a);
}

#define OTHER "one line of another program, which is wider than all that is cut, and which nobody has cut: an end\n"
#define CALL "  File \"/v/site-packages/torch/_dynamo/convert_frame.py\", "

/* A line that is wider says nothing of the width. */
static void lines_cut_at_a_column(void **state)
{
    (void)state;
    assert_repaired(paste_unwrap, OTHER CALL "lin\ne 699, in _compile_inner\n    f(x)\n",
                    OTHER CALL "line 699, in _compile_inner\n    f(x)\n");
    /* nor does a call that is whole, wherever it stands in a line */
    assert_repaired(paste_unwrap, "ace: File \"/srv/till.py\", line 7, in ring_the_bell\n    y = 3\n", NULL);
}

static void messages_without_the_name_of_the_exception(void **state)
{
    (void)state;
    assert_repaired(paste_name_break, "[12:00] ERROR Data-dependent branching\n  Explanation: Detected it\n",
                    "torch._dynamo.exc.Unsupported: Data-dependent branching\n  Explanation: Detected it\n");
    /* it is named, or known from a log or from explain() */
    assert_repaired(paste_name_break, "torch._dynamo.exc.Unsupported: Data-dependent branching\n  Explanation: x\n",
                    NULL);
    assert_repaired(paste_name_break, "Graph Break Reason: Data-dependent branching\n  Explanation: x\n", NULL);
    assert_repaired(paste_name_break, "Data-dependent branching\nand more\n", NULL);
    assert_repaired(paste_name_break, "a type of nobody\n  Explanation: x\n", NULL);
}

/* The call that the stack above ends with is the place; without a whole stack of it, the exception is named. */
static void explanations_without_the_type(void **state)
{
#define SITE "https://meta-pytorch.github.io/compile-graph-break-site/gb/"
#define BELOW "  Explanation: x\n  For more details: " SITE "gb0280.html\n"
#define TYPE "1-arg super not implemented\n" BELOW
#define CALLED "  File \"/srv/a.py\", line 12, in f\n    g()\n  File \"/srv/b.py\", line 7, in g\n    h()\n"
#define UNSUPPORTED "torch._dynamo.exc.Unsupported: " TYPE
    (void)state;
    assert_repaired(paste_name_explanation, BELOW, UNSUPPORTED);
    assert_repaired(paste_name_explanation, "and so on\n" BELOW, "and so on\n" UNSUPPORTED);
    assert_repaired(paste_name_explanation, BELOW "User code traceback:\n" CALLED,
                    "Graph break in user code at /srv/b.py:7\nGraph Break Reason: " TYPE
                    "User code traceback:\n" CALLED);
    assert_repaired(paste_name_explanation, BELOW CALLED, UNSUPPORTED CALLED);
    assert_repaired(paste_name_explanation, BELOW "User code traceback:\n  File \"/srv/a.py\", li\n",
                    UNSUPPORTED "User code traceback:\n  File \"/srv/a.py\", li\n");
    assert_repaired(paste_name_explanation, "  Explanation: x\n", NULL);
#undef UNSUPPORTED
#undef CALLED
#undef TYPE
#undef BELOW
#undef SITE
}

/* Lines were left out between the beginning of a message with a stack and its end, whose lines have another time. */
static void messages_of_two_times(void **state)
{
#define AT(second, line) "V0620 10:00:0" #second ".000000 9 torch/_dynamo/guards.py:" #line "] [1/2] [__recompiles] "
#define STACK AT(1, 7) "broke\n" AT(1, 7) "Traceback (most recent call last):\n"
#define LATER "  File \"/srv/a.py\", line 12, in f\n"
    (void)state;
    assert_repaired(paste_retime, STACK AT(2, 7) LATER AT(2, 7) "    g()\n", STACK AT(1, 7) LATER AT(1, 7) "    g()\n");
    assert_repaired(paste_retime, STACK AT(2, 7) LATER AT(3, 7) LATER, STACK AT(1, 7) LATER AT(3, 7) LATER);
    assert_repaired(paste_retime, STACK AT(1, 7) LATER, NULL);
    assert_repaired(paste_retime, STACK AT(2, 8) LATER, NULL);                           /* another place */
    assert_repaired(paste_retime, STACK AT(2, 7) "broke again\n", NULL);                /* another message */
    assert_repaired(paste_retime, STACK AT(2, 7) "\n", NULL);
    assert_repaired(paste_retime, AT(1, 7) "broke\n" AT(2, 7) LATER, NULL);              /* no stack */
    assert_repaired(paste_retime, "", NULL);
#undef LATER
#undef STACK
#undef AT
}

static void prefixes(void **state)
{
    (void)state;
    assert_repaired(
        paste_unprefix,
        "> Traceback (most recent call last):\n>   File \"/x.py\", line 3, in f\n>     f()\n> KeyError: 3\n",
        "Traceback (most recent call last):\n  File \"/x.py\", line 3, in f\n    f()\nKeyError: 3\n");
    /* what pytest puts before a line is of the line */
    assert_repaired(
        paste_unprefix,
        "kit> E   RuntimeError: Traceback (most recent call last):\nkit> E     File \"/x.py\", line 3, in f\n"
        "kit> x.py:3: RuntimeError\n",
        "E   RuntimeError: Traceback (most recent call last):\nE     File \"/x.py\", line 3, in f\n"
        "x.py:3: RuntimeError\n");
    assert_repaired(paste_unprefix, "E   RuntimeError: no\nE     File \"/x.py\", line 3, in f\n", NULL);
}

/* Where the prefix of PyTorch's own begins, in all forms that it has; what stands before it is a launcher's. */
static void prefixes_that_all_lines_share(void **state)
{
    (void)state;
    assert_repaired(paste_unshared,
                    "t / l\tRun\t2026-01-02T03:04:05.1Z a b\nt / l\tRun\t2026-01-02T03:04:06.2Z   c\n"
                    "t / l\tRun\t2026-01-02T03:04:07.3Z\nt / l\tRun\t2026-01-02T03:04:08.4Z a d\n",
                    "a b\n  c\n\na d\n");
    assert_repaired(paste_unshared,
                    "Jan 02 03:04:05 n7 python[4]: a\nJan 02 03:04:05 n7 python[4]:   b\n\n"
                    "Jan 02 03:04:06 n7 python[4]: c\n"
                    "Jan 02 03:04:07 n7 python[4]: d\nJan 02 03:04:08 n7 systemd[1]: s: exited\n",
                    "a\n  b\n\nc\nd\nJan 02 03:04:08 n7 systemd[1]: s: exited\n");
    assert_repaired(paste_unshared,
                    "2026-01-02 03:04:05.1 | ERROR    | m:f:8 - a\n2026-01-02 03:04:06.1 | ERROR    | m:f:8 -   b\n"
                    "2026-01-02 03:04:07.1 | ERROR    | m:f:8 - c\n2026-01-02 03:04:08.1 | ERROR    | m:f:8 - d\n",
                    "a\n  b\nc\nd\n");
    assert_repaired(paste_unshared, "Attaching\nw-1  | a\nw-1  |   b\nw-1  | c\nw-1  | d\nw-1 exited\n",
                    "Attaching\na\n  b\nc\nd\nw-1 exited\n");
    assert_repaired(paste_unshared, "p-0 main a\np-0 main   b\np-0 main c\np-0 main   d\n", "a\n  b\nc\n  d\n");
    assert_repaired(paste_unshared,
                    "p-0 main   File \"/x.py\", line 3, in f\np-0 main     g()\n"
                    "p-0 main   File \"/y.py\", line 7, in g\np-0 main     h()\np-0 main E: x\n",
                    "  File \"/x.py\", line 3, in f\n    g()\n  File \"/y.py\", line 7, in g\n    h()\nE: x\n");
    assert_repaired(paste_unshared, "p-0 main   a\np-0 main     b\np-0 main   c\np-0 main d\n", NULL);
    /* two processes, three lines, words that are no name, and lines of a log, of paths, of numbers */
    assert_repaired(paste_unshared, "p-0 main a\np-1 main   b\np-0 main c\np-1 main   d\n", NULL);
    assert_repaired(paste_unshared, "p-0 main a\np-0 main   b\np-0 main c\n", NULL);
    assert_repaired(paste_unshared, "the cat a\nthe cat   b\nthe cat c\nthe cat   d\n", NULL);
    assert_repaired(paste_unshared, "p-0 main a\np-0 main b\np-0 main c\np-0 main   d\n", NULL);
    assert_repaired(paste_unshared, "/a-b/c.py 1\n/a-b/c.py   2\n/a-b/c.py 3\n/a-b/c.py   4\n", NULL);
    assert_repaired(paste_unshared,
                    "V0102 03:04:05.123456 7 torch/a.py:1] [0/0] a\nV0102 03:04:05.123457 7 torch/a.py:1] [0/0] b\n"
                    "V0102 03:04:05.123458 7 torch/a.py:1] [0/0] c\nV0102 03:04:05.123459 7 torch/a.py:1] [0/0] d\n",
                    NULL);
    assert_repaired(paste_unshared,
                    "03:04:05 [rank0]: a\n03:04:05 [rank0]: b\n03:04:06 [rank1]: c\n03:04:07 [rank1]: d\n",
                    "[rank0]: a\n[rank0]: b\n[rank1]: c\n[rank1]: d\n");
    assert_repaired(paste_unshared, "a 1:2 x\na 1:3 y\na 1:4 z\na 1:5 z\n", NULL);
}

/* Of few lines that begin with small numbers the numbers are ranks, unless they stand in a margin. */
static void numbers_of_viewers(void **state)
{
    (void)state;
    assert_repaired(paste_unnumber, "    1 | a\n    2 | b\n    3 |   c\n", "a\nb\n  c\n");
    assert_repaired(paste_unnumber, "   1  a\n   2  b\n", " a\n b\n");
    assert_repaired(paste_unnumber, "71: a\n72: b\n", "a\nb\n");
    assert_repaired(paste_unnumber, "1: a\n2: b\n3: c\n", NULL);
    assert_repaired(paste_unnumber, "[1] a\n[2] b\n[3] c\n", NULL);
    assert_repaired(paste_unnumber, "   3  a\n   4  b\n", NULL);
    assert_repaired(paste_unnumber, "    1 | a\n    3 | b\n", NULL);
}

static void prefixes_of_pytorch(void **state)
{
    static const struct {
        const char *line;
        int at;
    } cases[] = {
        {PREFIX " - 1/1: n", 0},
        {"rank0: " PREFIX, 7},
        {"[2024-02-13 19:34:50,591] [0/0] torch._dynamo.guards: [DEBUG] GUARDS:", 0},
        {"kit> [2024-02-13 19:34:50,591] [0/0] torch._dynamo.guards: [DEBUG] GUARDS:", 5},
        {"[0/0] torch._dynamo.guards: [DEBUG] GUARDS:", 0},
        {"kit> [0/0] torch._dynamo.guards: [DEBUG] GUARDS:", 5},
        {"torch._dynamo.guards: [DEBUG] GUARDS:", 0},
        {"kit> torch._dynamo.guards: [DEBUG] GUARDS:", 5},
        {"[till torch._dynamo.guards: [DEBUG] GUARDS:", 6},
        {"till._dynamo.guards: [DEBUG] GUARDS:", -1},
        {"torch._dynamo.guards: [LOUD] GUARDS:", -1},
        {"torch._dynamo.guards: GUARDS:", -1},
        {"[E515 18:36:47.341808597 ProcessGroupNCCL.cpp:632] [Rank 1] x", 0},
        {"[rank1]:[E515 18:36:47.341808597 ProcessGroupNCCL.cpp:632] [Rank 1] x", 8},
        {"E515 18:36:47.341808597 ProcessGroupNCCL.cpp:632 x", -1},
        {"", -1},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        if (paste_find_logged(str_of(cases[i].line)) != cases[i].at)
            fail_msg("%s: at %d", cases[i].line, (int)paste_find_logged(str_of(cases[i].line)));
}

static void escapes(void **state)
{
    (void)state;
    assert_repaired(paste_unescape,
                    "{\"level\": \"error\", \"text\": \"Traceback\\n\\tg(\\\"a\\\") "
                    "\\u00e9\\u20ac\\ud83d\\/\\\\\\r\\nE: x\"}\n",
                    "Traceback\n\tg(\"a\") \u00e9\u20ac\ufffd/\\\nE: x\n");
    assert_repaired(paste_unescape, "{\"a\": \"one\\ntwo\", \"b\": \"no\", \"c\": \"three\\nfour\"}\nend\n",
                    "one\ntwo\nthree\nfour\nend\n");
    assert_repaired(paste_unescape, "{\"a\": \"one \\u12\\n\\u00zz\"}\n", "one u12\nu00zz\n");
    assert_repaired(paste_unescape, "{\"a\": \"one\"}\n", NULL);
    assert_repaired(paste_unescape, "[\"a\\nb\"]\n", NULL);
}

/* The ends of lines were lost: calls, what begins a message, and its parts have lines of their own. */
static void flowing_lines(void **state)
{
    (void)state;
    assert_repaired(paste_unflow,
                    "from user code: File \"/x.py\", line 3, in f y = g(x) File \"/y.py\", line 7, in g h()\n",
                    "from user code:\n  File \"/x.py\", line 3, in f\n    y = g(x)\n  File \"/y.py\", line 7, in g\n "
                    "   h()\n");
    assert_repaired(paste_unflow,
                    "Traceback (most recent call last): File \"/x.py\", line 3, in f g() ^^^ ValueError: no target: "
                    "x\n",
                    "Traceback (most recent call last):\n  File \"/x.py\", line 3, in f\n    g()\nValueError: "
                    "no\ntarget: x\n");
    assert_repaired(paste_unflow, "one File \"/x.py\", line 3, in f g()\n", NULL); /* a sentence */
    assert_repaired(paste_unflow, "from user code: File \"/x.py\", line 3, in f\n", NULL);
    assert_repaired(paste_unflow,
                    "['File \"/x.py\", line 3, in f', 'g()', 'File \"/x.py\", line 3, in f', 'g()']\n", NULL);
}

/* A terminal filled its lines with blanks, if nearly all are as wide. */
static void padded_lines(void **state)
{
    (void)state;
    for (int lines = 7; lines < 10; lines++)
        for (int others = 0; others < 3; others++) {
            struct buf from = {0}, to = {0};

            for (int i = 0; i < lines; i++) {
                buf_printf(&from, "%-*s\n", 40, i % 2 ? "loss 3" : "  step");
                buf_printf(&to, "%s\n", i % 2 ? "loss 3" : "  step");
            }
            for (int i = 0; i < others; i++) {
                buf_printf(&from, "x\n\n");
                buf_printf(&to, "x\n\n");
            }
            buf_char(&from, '\0');
            buf_char(&to, '\0');
            assert_repaired(paste_unpad, from.p, lines >= 8 && others < 2 ? to.p : NULL);
            buf_free(&from);
            buf_free(&to);
        }
}

#define TABLE                                                                                                          \
    "=====================================\ntrain.py FAILED\n-------------------------------------\nFailures:\n"     \
    "Root Cause (first observed failure):\n[0]:\n  exitcode : 1\n"

static void tables_without_their_name(void **state)
{
    (void)state;
    assert_repaired(paste_name_table, "end\n" TABLE,
                    "end\ntorch.distributed.elastic.multiprocessing.errors.ChildFailedError:\n" TABLE);
    assert_repaired(paste_name_table,
                    "torch.distributed.elastic.multiprocessing.errors.ChildFailedError:\n" TABLE, NULL);
    assert_repaired(paste_name_table, "=====================================\ntrain.py FAILED\n", NULL);
}

/* A logger wrote the header behind its level, and aligned what follows. */
static void hanging_lines(void **state)
{
    (void)state;
    assert_repaired(paste_outdent_hanging,
                    "ERROR:    Traceback (most recent call last):\n            File \"/x.py\", line 3, in f\n"
                    "              g()\n\n          ValueError: no\nend\n",
                    "ERROR:    Traceback (most recent call last):\n  File \"/x.py\", line 3, in f\n"
                    "    g()\n\nValueError: no\nend\n");
    assert_repaired(paste_outdent_hanging,
                    "Traceback (most recent call last):\n  File \"/x.py\", line 3, in f\n    g()\nValueError: no\n",
                    NULL);
    assert_repaired(paste_outdent_hanging, "ERROR:    Traceback (most recent call last):\n          x\n", NULL);
    assert_repaired(paste_outdent_hanging,
                    "ERROR:    Traceback (most recent call last):\n            File \"/x.py\", line 3, in f\n"
                    "              g()\n          loss 3\n          ValueError: no\n",
                    NULL);
}

/* --- whole texts -------------------------------------------------------------------------------------------------- */

static void assert_mended(const char *text, unsigned damage, const char *want)
{
    struct arena *a = arena_new();
    struct paste out;

    assert_int_equal(paste_mend(a, str_of(text), &out), damage != 0);
    assert_int_equal(out.damage, damage);
    assert_lines(out.text, str_of(want));
    arena_free(a);
}

static void texts(void **state)
{
    static const char sound[] = "Traceback (most recent call last):\n  File \"/x.py\", line 3, in f\n    f()\n"
                                "torch._dynamo.exc.Unsupported: no\n",
                      brief[] = "[WARNING] torch._dynamo.convert_frame: [Stack 0] Graph break: print\n";

    (void)state;
    assert_mended(sound, 0, sound);
    assert_mended(brief, 0, brief); /* a level is no launcher's name */
    assert_mended("|| a table || of || another || program ||\n", 0, "|| a table || of || another || program ||\n");
    assert_mended(
        "2026-04-04 11:22:33.456 | ERROR | fit:12 - torch._dynamo hit config.recompile_limit (8)\n"
        "2026-04-04 11:22:33.456 | ERROR | fit:12 -    function: 'f' (/x.py:61)\n"
        "2026-04-04 11:22:34.456 | ERROR | fit:12 - To log all recompilation reasons, use TORCH_LOGS=\"x\".\n",
        PASTE_PREFIX,
        "torch._dynamo hit config.recompile_limit (8)\n   function: 'f' (/x.py:61)\n"
        "To log all recompilation reasons, use TORCH_LOGS=\"x\".\n");
}

/* All lines of a box are as long as the window is wide: none of them is cut. */
static void boxes_are_not_cut(void **state)
{
    static const char box[] =
        "\u256d\u2500\u2500\u2500\u2500\u2500\u2500 Traceback (most recent call last) \u2500\u2500\u2500\u256e\n"
        "\u2502 /home/user/shop/trainer.py:14 in fit         \u2502\n"
        "\u2502 \u2771 14 \u2502   return step(torch.ones(3))         \u2502\n"
        "\u2570\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500"
        "\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500"
        "\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u256f\n"
        "Unsupported: no\n";

    (void)state;
    assert_mended(box, 0, box);
}

/* --- the nearest line --------------------------------------------------------------------------------------------- */

static void nearest_lines(void **state)
{
    struct str line;
    uint64_t number;

    (void)state;
    assert_true(torchlog_nearest(STR("hello\n  import torch\nan Error\ntorch.zeros(3)\n"), &line, &number));
    assert_str(line, "torch.zeros(3)");
    assert_int_equal(number, 4);
    assert_true(torchlog_nearest(STR("hello\n  an Error \nanother Error\n"), &line, &number));
    assert_str(line, "an Error");
    assert_int_equal(number, 2);
    assert_false(torchlog_nearest(STR("hello\nworld\n"), &line, &number));
    assert_false(torchlog_nearest(STR(""), &line, &number));
}

/* --- what a text of a crash says ---------------------------------------------------------------------------------- */

static void assert_crash(enum crash_form form, const char *text, const char *type, const char *message,
                         const char *file, int64_t line)
{
    struct arena *a = arena_new();
    struct crash_text t;

    assert_true(crash_text_parse(a, form, str_of(text), &t));
    assert_str(t.type, type);
    assert_str(t.message, message);
    if (file) {
        assert_true(t.calls.calls.n > 0);
        assert_str(t.calls.calls.v[0].file, file);
        assert_int_equal(t.calls.calls.v[0].line, line);
    }
    arena_free(a);
}

static void signals(void **state)
{
    (void)state;
    assert_crash(CRASH_SIGNAL,
                 "[node7:42   :0:42] Caught signal 11 (Segmentation fault: address not mapped to object)\n",
                 "Segmentation fault", "Caught signal 11 (Segmentation fault: address not mapped to object)", NULL, 0);
    assert_crash(CRASH_SIGNAL, "==== backtrace (tid:  42) ====\n 0 0x42520 __sigaction()  ???:0\n", "Native crash",
                 "==== backtrace (tid:  42) ====", NULL, 0);
}

static void boxed(void **state)
{
    (void)state;
    assert_crash(CRASH_BOXED,
                 "\u256d\u2500 Traceback (most recent call last) \u2500\u256e\n"
                 "\u2502 /home/user/a/very/long/folder/ \u2502\n"
                 "\u2502 train.py:19 in                 \u2502\n"
                 "\u2502 main                           \u2502\n"
                 "\u2502                                \u2502\n"
                 "\u2502   18 def main():               \u2502\n"
                 "\u2502 \u2771 19 \u2502   net(x)                 \u2502\n"
                 "\u2570\u2500\u2500\u256f\n"
                 "torch._dynamo.exc.Unsupported: no\n",
                 "Unsupported", "no", "/home/user/a/very/long/folder/train.py", 19);
}

/* torch.export has no function that could be left out of the compiler, as the advice for torch.compile says. */
static void exceptions_of_the_exporter(void **state)
{
    static const char text[] =
        "TorchExportError: Failed to export the model with torch.export.\n\n## Exception summary\n\n"
        "<class 'torch._dynamo.exc.UserError'>: no such size\n\n"
        "(Refer to the full stack trace above for more information.)\n";
    static const char again[] =
        "Traceback (most recent call last):\n  File \"/srv/shop.py\", line 3, in sell\n    raise RuntimeError(e)\n"
        "RuntimeError: Failed to export the till.\n\n## Exception summary\n\n"
        "<class 'torch._dynamo.exc.UserError'>: no such size\n";
    struct arena *a = arena_new();
    struct crash_text t;

    (void)state;
    assert_crash(CRASH_TAIL, text, "UserError", "no such size", NULL, 0);
    assert_true(crash_text_parse(a, CRASH_TAIL, str_of(text), &t));
    assert_true(t.exporting);
    /* the summary says it, whoever raised it again */
    assert_true(crash_text_parse(a, CRASH_TRACEBACK, str_of(again), &t));
    assert_str(t.type, "UserError");
    assert_int_equal(t.origin, CRASH_OF_COMPILER);
    arena_free(a);
}

/* The stack of a chain's exception ends where it was caught: the place is where the last one was raised. */
static void chains(void **state)
{
    (void)state;
    assert_crash(
        CRASH_TRACEBACK,
        "Traceback (most recent call last):\n  File \"/v/site-packages/torch/_dynamo/x.py\", line 3, in f\n    f()\n"
        "torch._dynamo.exc.Unsupported: no\n\n"
        "The above exception was the direct cause of the following exception:\n\n"
        "Traceback (most recent call last):\n  File \"/home/user/run.py\", line 9, in <module>\n    g()\n"
        "RuntimeError: step failed\n",
        "Unsupported", "no", "/home/user/run.py", 9);
}

#define AT(second) "2026-01-02 03:04:" second " | info | "

static void the_newest_line_first(void **state)
{
    (void)state;
    assert_repaired(paste_unreverse,
                    "why?\n" AT("09") "d\n" AT("08.5") "c\n" AT("08.25") "b\n" AT("08.25") "a\n\nany idea?\n",
                    "why?\n" AT("08.25") "a\n" AT("08.25") "b\n" AT("08.5") "c\n" AT("09") "d\n\nany idea?\n");
    assert_repaired(paste_unreverse, AT("08") "a\n" AT("09") "b\n" AT("10") "c\n" AT("11") "d\n", NULL);
    assert_repaired(paste_unreverse, AT("09") "a\n" AT("08") "b\n" AT("07") "c\n" AT("08") "d\n", NULL);
    assert_repaired(paste_unreverse, AT("09") "a\nx\ny\n" AT("08") "b\n" AT("07") "c\n" AT("06") "d\n", NULL);
    assert_repaired(paste_unreverse, AT("09") "a\nx\n" AT("08") "b\n" AT("07") "c\n" AT("06") "d\n", NULL);
    assert_repaired(paste_unreverse, "2026-01-02\n2026\n2026-01-02 0\n\n", NULL);
}

static void ends_that_are_written(void **state)
{
    (void)state;
    assert_repaired(paste_unend, "a\\n\nb\\n \nc \\n\nd\\n\ne\n", "a\nb\nc \nd\ne\n");
    assert_repaired(paste_unend, "a\\n\nb\\n\nc\n", NULL);
}

static void timers_in_a_list(void **state)
{
    (void)state;
    assert_repaired(paste_timers, "total:\n  compile_fx_inner   : 8.5 seconds\n  GraphLowering.run: 2.25 s\nend\n",
                    "total:\nTorchDynamo compilation metrics:\nFunction, Runtimes (s)\ncompile_fx_inner, 8.5\n"
                    "GraphLowering.run, 2.25\nend\n");
    assert_repaired(paste_timers, "compile_fx_inner: 8.5 seconds\n", NULL);
    assert_repaired(paste_timers, "load: 8.5 seconds\nsell: 2.25 s\n", NULL);
}

static void metrics_on_several_lines(void **state)
{
    (void)state;
    assert_repaired(paste_metrics,
                    "CompilationMetrics(a=1,\n                   b='x)',\n                   c=2)\nnext\n",
                    "CompilationMetrics(a=1, b='x)', c=2)\n\n\nnext\n");
    assert_repaired(paste_metrics, "[CompilationMetrics(a=1), CompilationMet\nrics(a=2)]\n",
                    "[\nCompilationMetrics(a=1), \nCompilationMetrics(a=2)]\n\n");
    assert_repaired(paste_metrics, "CompilationMetrics(a=1,\nnext\n", "CompilationMetrics(a=1,\nnext\n");
    assert_repaired(paste_metrics,
                    "CompilationMetrics(a='it\\'s (', b=[2,\n3])\n", "CompilationMetrics(a='it\\'s (', b=[2, 3])\n\n");
    assert_repaired(paste_metrics, "loss 3\n", NULL);
}

static void stacks_below_a_sentence(void **state)
{
    (void)state;
    assert_repaired(paste_stack, "ValueError: no\nThe stack is:\nFile \"/a.py\", line 3, in f\n    g()\n",
                    "ValueError: no\n\nFile \"/a.py\", line 3, in f\n    g()\n");
    assert_repaired(paste_stack, "The stack is:\nFile \"/a.py\", line 3, in f\n    g()\nValueError: no\n", NULL);
    assert_repaired(paste_stack, "ValueError: no\nfrom user code:\n   File \"/a.py\", line 3, in f\n", NULL);
    assert_repaired(paste_stack,
                    "Traceback (most recent call last):\nValueError: no\nThe stack is:\nFile \"/a.py\", line 3, "
                    "in f\n",
                    NULL);
}

#define USER "from user code:\n   File \"/a.py\", line 3, in f\n    g()\n\nSet TORCH_LOGS=\"+dynamo\" and more\n\n"
#define NAMED "torch._dynamo.exc.InternalTorchDynamoError: no fur\n"

/* Loggers put their lines above a message; in 2023 the name of the exception came last. */
static void names_of_messages(void **state)
{
    (void)state;
    assert_repaired(paste_name_message,
                    "05-06-2024 07:08:09 INFO [a.py] no step\n05-06-2024 07:08:10 ERROR [a.py] no fur\n\n" USER,
                    "05-06-2024 07:08:09 INFO [a.py] no step\ntorch._dynamo.exc.TorchDynamoException: no fur\n\n" USER);
    assert_repaired(paste_name_message, "10:11:12 INFO a b\n10:11:13 ERROR no fur\n" USER "    self.sell()\n" NAMED,
                    "10:11:12 INFO a b\n" NAMED USER "    self.sell()\n\n");
    assert_repaired(paste_name_message, USER NAMED, NAMED USER "\n");
    assert_repaired(paste_name_message, "ValueError: no\n" USER NAMED, NULL);
    assert_repaired(paste_name_message, USER "Traceback (most recent call last):\n" NAMED, NULL);
    assert_repaired(paste_name_message, USER NAMED USER, NULL);
}

static void assert_bold(const char *text, const char *want)
{
    struct arena *a = arena_new();
    struct str s = str_of(text);

    assert_int_equal(want != NULL, paste_bold(a, &s));
    assert_str(s, want ? want : text);
    arena_free(a);
}

static void emphasis(void **state)
{
    (void)state;
    assert_bold("took **3.1 s** in all\n", "took 3.1 s in all\n");
    assert_bold("**reason: f(**{}): got x**", "reason: f(**{}): got x");
    assert_bold("**a\nb** c", NULL);
    assert_bold("s0**b** c", NULL);
    assert_bold("loss\n**3** c", "loss\n3 c");
    assert_bold("f(*args, **kwargs), g(y, **options)", NULL);
    assert_bold("x = a ** b ** c, s0**2 **", NULL);
    assert_bold("*****\n** x **\n**", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_broken_behind_their_prefix),
        cmocka_unit_test(lines_keep_their_numbers),
        cmocka_unit_test(lines_cut_at_a_column),
        cmocka_unit_test(messages_without_the_name_of_the_exception),
        cmocka_unit_test(explanations_without_the_type),
        cmocka_unit_test(messages_of_two_times),
        cmocka_unit_test(prefixes),
        cmocka_unit_test(encodings),
        cmocka_unit_test(links),
        cmocka_unit_test(carriage_returns),
        cmocka_unit_test(backslashes),
        cmocka_unit_test(escapes),
        cmocka_unit_test(flowing_lines),
        cmocka_unit_test(padded_lines),
        cmocka_unit_test(tables_without_their_name),
        cmocka_unit_test(hanging_lines),
        cmocka_unit_test(prefixes_that_all_lines_share),
        cmocka_unit_test(numbers_of_viewers), cmocka_unit_test(prefixes_of_pytorch),
        cmocka_unit_test(texts),
        cmocka_unit_test(boxes_are_not_cut),
        cmocka_unit_test(nearest_lines),
        cmocka_unit_test(signals),
        cmocka_unit_test(boxed),
        cmocka_unit_test(exceptions_of_the_exporter),
        cmocka_unit_test(chains),
        cmocka_unit_test(the_newest_line_first),
        cmocka_unit_test(ends_that_are_written),
        cmocka_unit_test(timers_in_a_list),
        cmocka_unit_test(metrics_on_several_lines),
        cmocka_unit_test(stacks_below_a_sentence),
        cmocka_unit_test(names_of_messages),
        cmocka_unit_test(emphasis),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
