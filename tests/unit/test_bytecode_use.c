#include "unit.h"

#include "text/python/bytecode.h"
#include "text/python/bytecode_use.h"
#include "util/buf.h"

#include <stdio.h>

/* What functions of each version of Python do with a value is in tests/cases/text. Here are texts that no Python wrote.
 */

static void broken(void **state)
{
    static const char *const cases[] = {
        "",
        "14 0 JUMP_FORWARD 3 (to 84)",
        "JUMP_FORWARD (",
        "  2  0 RESUME 0\n  2 LOAD_FAST 0 (x\n 4 CALL 99999999999\n",
        "  2  0 RESUME 0\n  2 POP_TOP\n 4 STORE_FAST 5 ()\n 6 SWAP 9\n 8 COPY 70\n 10 RETURN_VALUE\n",
        "  2  0 RESUME 0\n  2 LOAD_METHOD 1 (item)\n 4 CALL 0\n 6 SOMETHING_NEW 3\n",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct bytecode_read read = {.line = 2, .kind = VALUE_NUMBER};
        struct bytecode_use use;

        bytecode_use_find(str_of(cases[i]), &read, &use);
        assert_int_equal(use.use, USE_OTHER);
        assert_false(use.found);
    }
}

/* The function that goes on after a break: its beginning leads into the middle of what the function was. */
static void resumed(void **state)
{
    struct bytecode_read read = {.line = 14, .kind = VALUE_NUMBER};
    struct bytecode_use use;

    (void)state;
    bytecode_use_find(STR(" 14           0 RESUME                   0\n"
                          "              2 LOAD_CONST               4 (True)\n"
                          "              4 STORE_FAST              11 (__is_tracing_resume_prologue)\n"
                          "              8 LOAD_FAST                2 (___stack0)\n"
                          "             10 LOAD_CONST               5 (False)\n"
                          "             12 STORE_FAST              11 (__is_tracing_resume_prologue)\n"
                          "             14 JUMP_FORWARD            34 (to 84)\n"
                          "             16 LOAD_GLOBAL              1 (NULL + norm)\n"
                          "             48 LOAD_FAST                1 (x)\n"
                          "             50 PRECALL                  1\n"
                          "             52 CALL                     1\n"
                          "             54 LOAD_METHOD              1 (item)\n"
                          "             56 PRECALL                  0\n"
                          "             58 CALL                     0\n"
                          "        >>   84 STORE_FAST               5 (n)\n"
                          " 15          86 LOAD_FAST                5 (n)\n"
                          "             88 POP_JUMP_FORWARD_IF_FALSE 22 (to 142)\n"),
                      &read, &use);
    assert_true(use.found);
    assert_int_equal(use.use, USE_BRANCH);
    assert_int_equal(use.line, 15);
}

/* "EFFECT" lines of dis.stack_effect, where the versions differ. */
static void effects(void **state)
{
    static const struct {
        enum bytecode_python python;
        const char *name;
        int64_t argument, effect;
    } cases[] = {
        {BYTECODE_310, "CALL_FUNCTION_EX", 1, -2}, {BYTECODE_311, "CALL_FUNCTION_EX", 1, -3},
        {BYTECODE_314, "CALL_FUNCTION_EX", 1, -3}, {BYTECODE_313, "CALL_FUNCTION_EX", 0, -2},
        {BYTECODE_311, "MAKE_FUNCTION", 9, -2},    {BYTECODE_313, "MAKE_FUNCTION", 0, 0},
        {BYTECODE_311, "END_FOR", 0, -2},          {BYTECODE_313, "END_FOR", 0, -1},
        {BYTECODE_313, "CALL_KW", 2, -4},          {BYTECODE_311, "FORMAT_VALUE", 4, -1},
        {BYTECODE_314, "UNPACK_EX", 0x102, 3},     {BYTECODE_311, "BUILD_MAP", 3, -5},
        {BYTECODE_314, "LOAD_SUPER_ATTR", 0, -2},  {BYTECODE_311, "POP_JUMP_FORWARD_IF_NONE", 3, -1},
        {BYTECODE_311, "COPY", 2, 1},              {BYTECODE_311, "SWAP", 3, 0},
        {BYTECODE_310, "ROT_N", 4, 0},             {BYTECODE_313, "UNPACK_SEQUENCE", 3, 2},
        {BYTECODE_311, "BINARY_OP", 13, -1},       {BYTECODE_310, "INPLACE_ADD", 0, -1},
        {BYTECODE_311, "UNARY_NOT", 0, 0},         {BYTECODE_311, "STORE_FAST", 1, -1},
        {BYTECODE_311, "JUMP_BACKWARD", 7, 0},     {BYTECODE_311, "LOAD_FAST", 1, 1},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct instruction x = {.name = str_of(cases[i].name), .argument = cases[i].argument};
        int64_t takes = 0, leaves = 0;

        assert_true(bytecode_effect(cases[i].python, &x, &takes, &leaves));
        assert_int_equal(leaves - takes, cases[i].effect);
    }
}

static bool is_list(void *context, struct str name)
{
    (void)context;
    return str_eq(name, STR("names"));
}

/* A slice up to the value; since Python 3.12 with an instruction of its own. */
static void sliced(void **state)
{
    static const char *const ends[] = {"16 BINARY_SLICE\n 18 RETURN_VALUE\n",
                                       "16 BUILD_SLICE 2\n 18 BINARY_SUBSCR\n 20 RETURN_VALUE\n"};

    (void)state;
    for (size_t i = 0; i < COUNT(ends); i++) {
        struct bytecode_read read = {.line = 14, .kind = VALUE_NUMBER, .has_items = is_list};
        struct bytecode_use use;
        char text[400];

        snprintf(text, sizeof text,
                 " 14  0 RESUME 0\n  2 LOAD_FAST 1 (x)\n  4 LOAD_METHOD 1 (item)\n  6 CALL 0\n  8 STORE_FAST 5 (n)\n"
                 " 15 10 LOAD_FAST 2 (names)\n 12 LOAD_CONST 0 (None)\n 14 LOAD_FAST 5 (n)\n %s",
                 ends[i]);
        bytecode_use_find(str_of(text), &read, &use);
        assert_true(use.found);
        assert_int_equal(use.use, USE_INDEX);
        assert_int_equal(use.line, 15);
    }
}

/* What each instruction takes and leaves, in both numbers: the difference alone says nothing of what lies there. */
static void takes_and_leaves(void **state)
{
    static const struct {
        const char *name;
        int64_t argument;
        const char *detail;
        int64_t takes, leaves;
    } cases[] = {
        {"BEFORE_WITH", 0, "", 1, 2}, {"BINARY_SLICE", 0, "", 3, 1}, {"BUILD_CONST_KEY_MAP", 3, "", 4, 1},
        {"BUILD_LIST", 3, "", 3, 1}, {"BUILD_MAP", 3, "", 6, 1}, {"BUILD_SET", 3, "", 3, 1},
        {"BUILD_SLICE", 3, "", 3, 1}, {"BUILD_STRING", 3, "", 3, 1}, {"BUILD_TUPLE", 3, "", 3, 1},
        {"CACHE", 0, "", 0, 0}, {"CALL", 3, "", 5, 1}, {"CALL_FUNCTION", 3, "", 4, 1},
        {"CALL_FUNCTION_KW", 3, "", 5, 1}, {"CALL_INTRINSIC_1", 0, "", 1, 1}, {"CALL_INTRINSIC_2", 0, "", 2, 1},
        {"CALL_KW", 3, "", 6, 1}, {"CALL_METHOD", 3, "", 5, 1}, {"COMPARE_OP", 0, "", 2, 1},
        {"CONTAINS_OP", 0, "", 2, 1}, {"CONVERT_VALUE", 0, "", 1, 1}, {"COPY_FREE_VARS", 0, "", 0, 0},
        {"DELETE_ATTR", 0, "", 1, 0}, {"DELETE_DEREF", 0, "", 0, 0}, {"DELETE_FAST", 0, "", 0, 0},
        {"DELETE_GLOBAL", 0, "", 0, 0}, {"DELETE_NAME", 0, "", 0, 0}, {"DELETE_SUBSCR", 0, "", 2, 0},
        {"DICT_MERGE", 0, "", 1, 0}, {"DICT_UPDATE", 0, "", 1, 0}, {"DUP_TOP", 0, "", 1, 2},
        {"DUP_TOP_TWO", 0, "", 2, 4}, {"EXTENDED_ARG", 0, "", 0, 0}, {"FORMAT_SIMPLE", 0, "", 1, 1},
        {"FORMAT_WITH_SPEC", 0, "", 2, 1}, {"FOR_ITER", 0, "", 1, 2}, {"GEN_START", 0, "", 1, 0},
        {"GET_ITER", 0, "", 1, 1}, {"GET_LEN", 0, "", 1, 2}, {"IMPORT_FROM", 0, "", 1, 2},
        {"IMPORT_NAME", 0, "", 2, 1}, {"IS_OP", 0, "", 2, 1}, {"KW_NAMES", 0, "", 0, 0}, {"LIST_APPEND", 0, "", 1, 0},
        {"LIST_EXTEND", 0, "", 1, 0}, {"LIST_TO_TUPLE", 0, "", 1, 1}, {"LOAD_SPECIAL", 0, "", 1, 2},
        {"MAKE_CELL", 0, "", 0, 0}, {"MAP_ADD", 0, "", 2, 0}, {"NOP", 0, "", 0, 0}, {"NOT_TAKEN", 0, "", 0, 0},
        {"POP_BLOCK", 0, "", 0, 0}, {"POP_ITER", 0, "", 1, 0}, {"POP_TOP", 0, "", 1, 0}, {"PRECALL", 0, "", 0, 0},
        {"PRINT_EXPR", 0, "", 1, 0}, {"PUSH_NULL", 0, "", 0, 1}, {"RAISE_VARARGS", 3, "", 3, 0},
        {"RESUME", 0, "", 0, 0}, {"RETURN_CONST", 0, "", 0, 0}, {"RETURN_GENERATOR", 0, "", 0, 1},
        {"RETURN_VALUE", 0, "", 1, 0}, {"ROT_FOUR", 0, "", 4, 4}, {"ROT_THREE", 0, "", 3, 3},
        {"ROT_TWO", 0, "", 2, 2}, {"SETUP_ANNOTATIONS", 0, "", 0, 0}, {"SETUP_FINALLY", 0, "", 0, 0},
        {"SETUP_WITH", 0, "", 1, 2}, {"SET_ADD", 0, "", 1, 0}, {"SET_FUNCTION_ATTRIBUTE", 0, "", 2, 1},
        {"SET_UPDATE", 0, "", 1, 0}, {"STORE_ATTR", 0, "", 2, 0}, {"STORE_FAST_LOAD_FAST", 0, "", 1, 1},
        {"STORE_FAST_STORE_FAST", 0, "", 2, 0}, {"STORE_SLICE", 0, "", 4, 0}, {"STORE_SUBSCR", 0, "", 3, 0},
        {"TO_BOOL", 0, "", 1, 1}, {"YIELD_VALUE", 0, "", 1, 1}, {"LOAD_FAST", 1, "x", 0, 1},
        {"LOAD_GLOBAL", 1, "NULL + torch", 0, 2}, {"LOAD_GLOBAL", 1, "torch + NULL", 0, 2},
        {"LOAD_GLOBAL", 0, "torch", 0, 1}, {"LOAD_FAST_LOAD_FAST", 1, "x, y", 0, 2},
        {"LOAD_FAST_BORROW_LOAD_FAST_BORROW", 1, "x, y", 0, 2}, {"LOAD_ATTR", 0, "sum", 1, 1},
        {"LOAD_ATTR", 1, "sum + NULL|self", 1, 2}, {"LOAD_METHOD", 0, "sum", 1, 2}, {"LOAD_SUPER_ATTR", 0, "f", 3, 1},
        {"LOAD_SUPER_ATTR", 1, "f + NULL|self", 3, 2}, {"LOAD_FROM_DICT_OR_DEREF", 0, "f", 1, 1},
        {"LOAD_FROM_DICT_OR_GLOBALS", 0, "f", 1, 1}, {"LOAD_BUILD_CLASS", 0, "", 0, 1}, {"BINARY_ADD", 0, "", 2, 1},
        {"BINARY_OP", 0, "+", 2, 1}, {"INPLACE_ADD", 0, "", 2, 1}, {"UNARY_NOT", 0, "", 1, 1}, {"COPY", 2, "", 2, 3},
        {"SWAP", 3, "", 3, 3}, {"ROT_N", 4, "", 4, 4}, {"FORMAT_VALUE", 1, "str", 1, 1},
        {"FORMAT_VALUE", 4, "with format", 2, 1}, {"FORMAT_VALUE", 6, "repr, with format", 2, 1},
        {"UNPACK_SEQUENCE", 3, "", 1, 3}, {"UNPACK_EX", 2, "", 1, 3}, {"UNPACK_EX", 258, "", 1, 4},
        {"STORE_FAST", 0, "x", 1, 0}, {"STORE_GLOBAL", 0, "x", 1, 0}, {"POP_JUMP_IF_FALSE", 3, "to 8", 1, 0},
        {"JUMP_BACKWARD", 3, "to 8", 0, 0}, {"JUMP_FORWARD", 3, "to 8", 0, 0},
        {"JUMP_IF_TRUE_OR_POP", 3, "to 8", 1, 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct instruction x = {str_of(cases[i].name), cases[i].argument, str_of(cases[i].detail), {0}, 0};
        int64_t takes = -1, leaves = -1;

        if (!bytecode_effect(BYTECODE_313, &x, &takes, &leaves) || takes != cases[i].takes || leaves != cases[i].leaves)
            fail_msg("%s %lld (%s): takes %lld and leaves %lld", cases[i].name, (long long)cases[i].argument,
                     cases[i].detail, (long long)takes, (long long)leaves);
    }
}

/* No instruction that Python has: nothing after it can be followed. */
static void unknown_instructions(void **state)
{
    static const char *const names[] = {"", "LOAD", "CAL", "CALLS", "XJUMP_FORWARD", "SOMETHING_NEW", "BEFORE_WITHOUT"};
    int64_t takes, leaves;

    (void)state;
    for (size_t i = 0; i < COUNT(names); i++)
        assert_false(bytecode_effect(BYTECODE_313, &(struct instruction){.name = str_of(names[i])}, &takes, &leaves));
}

/* "index names", "branch unsure scale returned", as tests/cases/text has it as JSON. */
static struct str use_text(struct arena *a, const struct bytecode_use *use)
{
    static const char *const words[] = {
        [USE_OTHER] = "other", [USE_BRANCH] = "branch", [USE_LOOP] = "loop", [USE_INDEX] = "index",
        [USE_AMONG] = "among", [USE_KEY] = "key",       [USE_TEXT] = "text", [USE_CALL] = "call"};

    return arena_printf(a, "%s%s%s%.*s%s%s%.*s%s", use->found ? "" : "lost ", words[use->use],
                        use->what.n ? " " : "", STR_ARG(use->what), use->unsure_line ? " unsure" : "",
                        use->unsure.n ? " " : "", STR_ARG(use->unsure),
                        use->returned != VALUE_OTHER ? " returned" : "");
}

/* Instructions, with "; " between them, as the lines of line 15, after `n = x.item()` in line 14. */
static struct str lines_of(struct arena *a, const char *instructions)
{
    struct str rest = str_of(instructions), out;

    out = STR(" 14 RESUME 0\n LOAD_FAST 1 (x)\n LOAD_ATTR 1 (item + NULL|self)\n CALL 0\n STORE_FAST 5 (n)\n 15");
    while (str_trim(rest).n) {
        struct str one = str_trim(str_split(&rest, ';'));

        out = arena_printf(a, "%.*s %.*s\n", STR_ARG(out), STR_ARG(one));
    }
    return out;
}

#define N      "LOAD_FAST 5 (n); "
#define X      "LOAD_FAST 1 (x); "
#define NAMES  "LOAD_FAST 2 (names); "
#define K      "LOAD_FAST 6 (k); "
#define TWO    "LOAD_CONST 1 (2); "
#define NONE   "LOAD_CONST 0 (None); "
#define TEXT   "LOAD_CONST 2 ('a %s'); "
#define RETURN "RETURN_VALUE; "
#define ITEM   "BINARY_SUBSCR; "
#define BRANCH "POP_JUMP_IF_FALSE 3 (to L1); "
#define TIMES  "BINARY_OP 5 (*); "

/* Each instruction whose operands matter, with the number in each of its operands. */
static void instructions(void **state)
{
    static const struct {
        const char *text, *use;
    } cases[] = {
        {N RETURN, "other returned"},
        {X RETURN, "other"},
        {NAMES N ITEM, "index names"},
        {NAMES N "LOAD_SMALL_INT 2; BINARY_OP 0 (+); " ITEM, "index names"},
        {NAMES "LOAD_SMALL_INT 2; " N "BINARY_OP 0 (+); " ITEM, "index names"},
        {NAMES N TWO "BINARY_ADD; " ITEM, "index names"},
        {NAMES N TWO "INPLACE_ADD; " ITEM, "index names"},
        {NAMES N X "BINARY_OP 0 (+); " ITEM, "other"},
        {NAMES N N "BINARY_OP 0 (+); " ITEM, "index names"},
        {NAMES TWO TWO "BINARY_OP 0 (+); " ITEM, "other"},
        {NAMES N "UNARY_NEGATIVE; " ITEM, "index names"},
        {NAMES X ITEM, "other"},
        {X N TIMES RETURN, "other returned"},
        {TEXT N "BINARY_OP 6 (%); " RETURN, "text"},
        {N TEXT "BINARY_OP 6 (%); " RETURN, "other returned"},
        {"LOAD_CONST 2 (\"a %s\"); " N "BINARY_OP 6 (%); " RETURN, "text"},
        {TWO "BUILD_LIST 1; " N TIMES RETURN, "loop"},
        {N TWO "BUILD_LIST 1; " TIMES RETURN, "loop"},
        {N TWO "COMPARE_OP 4 (>); " BRANCH, "branch"},
        {TWO N "COMPARE_OP 4 (>); " BRANCH, "branch"},
        {X TWO "COMPARE_OP 4 (>); " BRANCH, "other"},
        {N NAMES "CONTAINS_OP 0; " BRANCH, "branch"},
        {N TEXT "COMPARE_OP 2 (==); " BRANCH, "other"},
        {N X "COMPARE_OP 4 (>); " BRANCH, "branch"},
        {N NONE "IS_OP 0; " BRANCH, "other"},
        {N "UNARY_NOT; " RETURN, "branch"},
        {X "UNARY_NOT; " RETURN, "other"},
        {N BRANCH, "branch"},
        {N "POP_JUMP_IF_NONE 3 (to L1)", "other"},
        {N "JUMP_IF_TRUE_OR_POP 3 (to L1)", "branch"},
        {X N TIMES BRANCH, "other unsure"},
        {N "TO_BOOL; " BRANCH, "branch"},
        {N "POP_JUMP_IF_TRUE 3 (to L1); LOAD_ASSERTION_ERROR; RAISE_VARARGS 1", "other"},
        {N "POP_JUMP_IF_TRUE 3 (to L1); NOT_TAKEN; LOAD_COMMON_CONSTANT 0 (AssertionError); RAISE_VARARGS 1", "other"},
        {X NONE N "BUILD_TUPLE 2; " ITEM RETURN, "among x"},
        {X N "BINARY_OP 26 ([]); " RETURN, "other returned"},
        {NAMES N "BINARY_OP 26 ([]); " RETURN, "index names"},
        {NAMES NONE N "BUILD_SLICE 2; " ITEM, "index names"},
        {NAMES N NONE "BUILD_SLICE 2; " ITEM, "index names"},
        {NAMES NONE NONE N "BUILD_SLICE 3; " ITEM, "call slice"},
        {NAMES NONE NONE "BUILD_SLICE 2; " ITEM RETURN, "other"},
        {X NONE N "BUILD_SLICE 2; " ITEM RETURN, "other returned"},
        {NAMES NONE N "BINARY_SLICE", "index names"},
        {NAMES N NONE "BINARY_SLICE", "index names"},
        {X N NONE "BINARY_SLICE; " RETURN, "other returned"},
        {NAMES NONE NONE "BINARY_SLICE; " RETURN, "other"},
        {X NAMES NONE N "STORE_SLICE", "index names"},
        {N X X NONE NONE "STORE_SLICE; " RETURN, "other returned"},
        {X NAMES N "STORE_SUBSCR", "index names"},
        {N NAMES TWO "STORE_SUBSCR; " NAMES RETURN, "other"},
        {N X X TWO "STORE_SUBSCR; " RETURN, "other returned"},
        {N X "BUILD_MAP 1", "key"},
        {X N "BUILD_MAP 1; " RETURN, "other returned"},
        {X N N X "BUILD_MAP 2", "key"},
        {X X "BUILD_MAP 1; " RETURN, "other"},
        {N X X "BUILD_MAP 1; POP_TOP; " RETURN, "other returned"},
        {N "BUILD_SET 1", "key"},
        {X "BUILD_SET 1; " RETURN, "other"},
        {N X "BUILD_LIST 2; " RETURN, "other returned"},
        {X "BUILD_LIST 1; " RETURN, "other"},
        {X "BUILD_LIST 1; " N ITEM, "index"},
        {X "BUILD_TUPLE 1; " N ITEM, "index"},
        {N "BUILD_LIST 1; " N ITEM, "index"},
        {"BUILD_LIST 0; " N "LIST_APPEND 1; " RETURN, "other returned"},
        {"BUILD_LIST 0; " X "LIST_APPEND 1; " RETURN, "other"},
        {"BUILD_SET 0; " N "SET_ADD 1", "key"},
        {"BUILD_SET 0; " X "SET_ADD 1; " RETURN, "other"},
        {"BUILD_MAP 0; " N X "MAP_ADD 1", "key"},
        {"BUILD_MAP 0; " X N "MAP_ADD 1; " RETURN, "other returned"},
        {"BUILD_LIST 0; " X X "LIST_APPEND 2; POP_TOP; " RETURN, "other"},
        {"BUILD_LIST 0; " X N "LIST_APPEND 2; POP_TOP; " RETURN, "other returned"},
        {"BUILD_LIST 0; " N "LIST_APPEND 1; " TWO ITEM "STORE_FAST 6 (k); " NAMES K ITEM, "index names"},
        {N "BUILD_LIST 1; UNPACK_SEQUENCE 1; STORE_FAST 6 (k); " NAMES K ITEM, "index names"},
        {N "BUILD_TUPLE 1; UNPACK_SEQUENCE 1; " BRANCH, "other unsure"},
        {X "UNPACK_SEQUENCE 2; POP_TOP; " RETURN, "other"},
        {N "UNPACK_SEQUENCE 2; POP_TOP; " RETURN, "other returned"},
        {N NAMES "SWAP 2; " ITEM, "index names"},
        {N NAMES "ROT_TWO; " ITEM, "index names"},
        {NAMES N "SWAP 2; " ITEM RETURN, "other returned"},
        {NAMES N "COPY 1; " ITEM RETURN, "other returned"},
        {NAMES N "COPY 2; POP_TOP; " ITEM, "index names"},
        {NAMES N "DUP_TOP; POP_TOP; " ITEM, "index names"},
        {N X "COPY 2; " RETURN, "other returned"},
        {N X "COPY 1; " RETURN, "other"},
        {N X "DUP_TOP; " RETURN, "other"},
        {N X "SWAP 3; " RETURN, "other"},
        {N X X "SWAP 3; " RETURN, "other returned"},
        {"LOAD_FAST_LOAD_FAST 37 (names, n); " ITEM, "index names"},
        {"LOAD_FAST_BORROW_LOAD_FAST_BORROW 37 (names, n); " ITEM, "index names"},
        {"LOAD_FAST_LOAD_FAST 81 (n, names); " ITEM RETURN, "other returned"},
        {N "STORE_DEREF 6 (k); " NAMES "LOAD_DEREF 6 (k); " ITEM, "index names"},
        {N "STORE_NAME 6 (k); " NAMES "LOAD_NAME 6 (k); " ITEM, "index names"},
        {N "STORE_FAST 6 (k); " NAMES "LOAD_FAST_CHECK 6 (k); " ITEM, "index names"},
        {X "STORE_FAST 5 (n); " RETURN N, "other"},
        {X "STORE_FAST 5 (n); " NAMES N ITEM RETURN, "other"},
        {X N "STORE_FAST_STORE_FAST 103 (k, m); " NAMES K ITEM, "index names"},
        {X N "STORE_FAST_STORE_FAST 103 (k, m); " NAMES "LOAD_FAST 7 (m); " ITEM RETURN, "other"},
        {NAMES N "STORE_FAST_LOAD_FAST 102 (k, k); " ITEM, "index names"},
        {NAMES N "STORE_FAST_LOAD_FAST 102 (k, x); " ITEM RETURN, "other"},
        {"LOAD_CONST 5 (n); " RETURN, "other"},
        {N "STORE_GLOBAL 6 (k); LOAD_GLOBAL 6 (k); " RETURN, "other"},
        {N "LOAD_ATTR 4 (real); " RETURN, "other returned"},
        {X N TIMES "LOAD_ATTR 4 (dtype); " RETURN, "other"},
        {X N TIMES "LOAD_ATTR 4 (shape); " RETURN, "other"},
        {X N TIMES "LOAD_ATTR 4 (T); " RETURN, "other returned"},
        {X "LOAD_ATTR 4 (T); " RETURN, "other"},
        {X "LOAD_SUPER_ATTR 4 (f + NULL|self)", "other"},
        {N X X X "LOAD_SUPER_ATTR 4 (f); " RETURN, "other"},
        {N X X X "LOAD_SUPER_ATTR 5 (f + NULL|self); POP_TOP; POP_TOP; " RETURN, "other returned"},
        {"LOAD_GLOBAL 3 (range + NULL); " N "CALL 1; GET_ITER", "loop"},
        {"LOAD_GLOBAL 3 (range + NULL); " TWO "CALL 1; GET_ITER; " RETURN, "other"},
        {N "BUILD_LIST 1; GET_ITER; FOR_ITER 4 (to L2); STORE_FAST 6 (k); " NAMES K ITEM, "index names"},
        {X "BUILD_LIST 1; GET_ITER; FOR_ITER 4 (to L2); STORE_FAST 6 (k); " NAMES K ITEM RETURN, "other"},
        {X N TIMES "GET_ITER", "other unsure"},
        {"LOAD_GLOBAL 3 (len + NULL); " N "BUILD_LIST 1; CALL 1; " RETURN, "other"},
        {"LOAD_GLOBAL 3 (scale + NULL); " N "CALL 1; " RETURN, "other unsure scale returned"},
        {"LOAD_GLOBAL 3 (str + NULL); " N "CALL 1", "text str"},
        {"LOAD_GLOBAL 3 (hash + NULL); " N "CALL 1", "key hash"},
        {"LOAD_GLOBAL 3 (all + NULL); " N "CALL 1", "branch all"},
        {"LOAD_GLOBAL 3 (divmod + NULL); " N TWO "CALL 2", "call divmod"},
        {"LOAD_GLOBAL 3 (type + NULL); " N "CALL 1; " RETURN, "other"},
        {"LOAD_GLOBAL 3 (dict + NULL); " N "CALL 1; " RETURN, "other returned"},
        {"LOAD_GLOBAL 3 (list + NULL); " X "CALL 1; " N ITEM, "index"},
        {"LOAD_GLOBAL 3 (dict + NULL); CALL 0; " N ITEM, "index"},
        {"LOAD_GLOBAL 3 (tuple + NULL); " X "CALL 1; " N ITEM RETURN, "other returned"},
        {NAMES "LOAD_GLOBAL 3 (abs + NULL); " N "CALL 1; " ITEM, "index names"},
        {NAMES "LOAD_GLOBAL 3 (abs); " N "CALL_FUNCTION 1; " ITEM, "index names"},
        {NAMES "LOAD_GLOBAL 3 (max + NULL); " N TWO "LOAD_CONST 3 (('key',)); CALL_KW 2; " ITEM, "index names"},
        {NAMES "LOAD_GLOBAL 3 (max); " N TWO "LOAD_CONST 3 (('key',)); CALL_FUNCTION_KW 2; " ITEM, "index names"},
        {"LOAD_GLOBAL 3 (NULL + torch); LOAD_ATTR 4 (zeros); " N "CALL 1; " RETURN, "other returned"},
        {"LOAD_GLOBAL 3 (torch); LOAD_METHOD 4 (zeros); " N "CALL_METHOD 1; POP_TOP; " RETURN, "other"},
        {"LOAD_GLOBAL 3 (torch); LOAD_ATTR 5 (one_hot + NULL|self); " X N "CALL 2", "call one_hot"},
        {"LOAD_GLOBAL 3 (math); LOAD_ATTR 5 (exp + NULL|self); " N "CALL 1", "call exp"},
        {"LOAD_GLOBAL 3 (np); LOAD_ATTR 5 (exp + NULL|self); " N "CALL 1", "call exp"},
        {NAMES "LOAD_GLOBAL 3 (math); LOAD_ATTR 5 (floor + NULL|self); " N "CALL 1; " ITEM, "index names"},
        {X "LOAD_ATTR 5 (index + NULL|self); " N "CALL 1", "key index"},
        {X "LOAD_ATTR 5 (mul + NULL|self); " N "CALL 1; " RETURN, "other returned"},
        {N "LOAD_ATTR 5 (bit_length + NULL|self); CALL 0; " RETURN, "other returned"},
        {X "LOAD_ATTR 5 (append + NULL|self); " N "CALL 1; " RETURN, "other"},
        {X N TIMES "LOAD_ATTR 5 (item + NULL|self); CALL 0; " NAMES "SWAP 2; " ITEM, "index names"},
        {X N TIMES "LOAD_ATTR 5 (tolist + NULL|self); CALL 0; " N ITEM, "index"},
        {X N TIMES "LOAD_ATTR 5 (dim + NULL|self); CALL 0; " RETURN, "other"},
        {X N TIMES "LOAD_ATTR 5 (size + NULL|self); CALL 0; " RETURN, "other"},
        {X N TIMES "LOAD_ATTR 5 (relu + NULL|self); CALL 0; " RETURN, "other returned"},
        {"PUSH_NULL; LOAD_CONST 3 (<code object>); MAKE_FUNCTION 0; " N "CALL 1; " RETURN, "other unsure returned"},
        {N "BUILD_TUPLE 1; LOAD_CONST 3 (<code>); MAKE_FUNCTION 0; SET_FUNCTION_ATTRIBUTE 8; POP_TOP; " X RETURN,
         "other unsure"},
        {"LOAD_GLOBAL 3 (f + NULL); " N "CALL_INTRINSIC_1 6; PUSH_NULL; CALL_FUNCTION_EX 0", "other unsure"},
        {N "FORMAT_SIMPLE; " RETURN, "other returned"},
        {N "FORMAT_VALUE 0; " RETURN, "other returned"},
        {N "FORMAT_VALUE 0; BUILD_STRING 1; " RETURN, "other returned"},
        {N "CONVERT_VALUE 1; " RETURN, "other returned"},
        {N TWO "FORMAT_WITH_SPEC; " RETURN, "other returned"},
        {N "POP_TOP; " X RETURN, "other"},
        {N X "POP_TOP; " RETURN, "other returned"},
        {N "LIST_TO_TUPLE; " RETURN, "other returned"},
        {N X "STORE_ATTR 1 (a); " X RETURN, "other"},
        {"SOMETHING_NEW 3; " N RETURN, "lost other"},
        {"JUMP_FORWARD 2 (to L1); " NAMES N ITEM "L1: LOAD_FAST 5 (n); " RETURN, "other returned"},
        {X RETURN N RETURN, "other"},
        {"RETURN_CONST 0 (None); " N RETURN, "other"},
        {"RERAISE 0; " N RETURN, "other"},
        {N "JUMP_FORWARD 2 (to L1); L1: RETURN_VALUE", "other returned"},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct bytecode_read read = {.line = 14, .kind = VALUE_NUMBER, .has_items = is_list};
        struct bytecode_use use;
        struct str got;

        bytecode_use_find(lines_of(a, cases[i].text), &read, &use);
        got = use_text(a, &use);
        if (!str_eq(got, str_of(cases[i].use)))
            fail_msg("%s: \"%.*s\", not \"%s\"", cases[i].text, STR_ARG(got), cases[i].use);
    }
    arena_free(a);
}

/* What is read of a line, in texts with offsets (until Python 3.12) and with labels. */
static void lines(void **state)
{
    static const struct {
        const char *text, *fields; /* "name argument detail label line target" */
    } cases[] = {
        {" 15     >>   86 LOAD_FAST                5 (total)\n", "LOAD_FAST 5 (total) 86 15 to ()"},
        {" 15           0 RESUME 0\n              2 NOP\n", "RESUME 0 () 0 15 to () | NOP 0 () 2 15 to ()"},
        {" 15           0 RESUME 0\n 16     >>    2 POP_JUMP_IF_TRUE 4 (to 10)\n",
         "RESUME 0 () 0 15 to () | POP_JUMP_IF_TRUE 4 (to 10) 2 16 to (10)"},
        {" 15           RESUME 0\n        L1:   NOP\n 17   L2:   FOR_ITER 3 (to L3)\n",
         "RESUME 0 () 15 to () | NOP 0 () L1 15 to () | FOR_ITER 3 (to L3) L2 17 to (L3)"},
        {" 15           LOAD_CONST 1 ((1, 2))\n", "LOAD_CONST 1 ((1, 2)) 15 to ()"},
        {" 15           LOAD_CONST 1 ('to x')\n", "LOAD_CONST 1 ('to x') 15 to ()"},
        {" 15           LOAD_FAST 1 (to x)\n", "LOAD_FAST 1 (to x) 15 to ()"},
        {" 15           LOAD_CONST 65535\n 16 LOAD_CONST 65536\n 17 LOAD_CONST -1\n",
         "LOAD_CONST 65535 () 15 to () | LOAD_CONST 0 () 16 to () | LOAD_CONST 0 () 17 to ()"},
        {" 15           NOP\n\n  --\nExceptionTable:\n  2 to 4 -> 6 [0]\n  NOP\n", "NOP 0 () 15 to ()"},
        {"", ""},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct str got = STR("");
        struct bytecode b;
        struct instruction x;

        bytecode_open(str_of(cases[i].text), &b);
        while (bytecode_next(&b, &x)) {
            struct str target = bytecode_target(&x);

            got = arena_printf(a, "%.*s%s%.*s %lld (%.*s) %.*s%s%lld to (%.*s)", STR_ARG(got), got.n ? " | " : "",
                               STR_ARG(x.name), (long long)x.argument, STR_ARG(x.detail), STR_ARG(x.label),
                               x.label.n ? " " : "", (long long)x.line, STR_ARG(target));
        }
        assert_str(got, cases[i].fields);
    }
    arena_free(a);
}

static void versions(void **state)
{
    static const struct {
        const char *text;
        enum bytecode_python python;
    } cases[] = {
        {" 1  0 LOAD_FAST 0 (x)\n", BYTECODE_310},
        {" 1  0 RESUME 0\n", BYTECODE_311},
        {" 1  RESUME 0\n", BYTECODE_313},
        {" 1  RESUME 0\n LOAD_FAST_BORROW 0 (x)\n", BYTECODE_314},
        {" 1  RESUME 0\n LOAD_SMALL_INT 0\n", BYTECODE_314},
        {" 1  RESUME 0\n\nExceptionTable:\n LOAD_SMALL_INT 0\n", BYTECODE_313},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct bytecode b;

        bytecode_open(str_of(cases[i].text), &b);
        assert_int_equal(b.python, cases[i].python);
    }
}

/* The last that is followed, and the first that is not. */
static void longest(void **state)
{
    static const char *const found[] = {"branch", "lost other"};
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(found); i++) {
        struct bytecode_read read = {.line = 14, .kind = VALUE_NUMBER};
        struct bytecode_use use;
        struct buf text = {0};

        buf_str(&text, lines_of(a, "NOP")); /* 6 instructions, and below the last two */
        for (size_t k = 0; k < 20000 - 8 + i; k++)
            buf_str(&text, STR(" NOP\n"));
        buf_str(&text, STR(" LOAD_FAST 5 (n)\n POP_JUMP_IF_FALSE 3 (to L1)\n"));
        bytecode_use_find(buf_view(&text), &read, &use);
        assert_str(use_text(a, &use), found[i]);
        buf_free(&text);
    }
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broken),
        cmocka_unit_test(resumed),
        cmocka_unit_test(sliced),
        cmocka_unit_test(effects),
        cmocka_unit_test(takes_and_leaves),
        cmocka_unit_test(unknown_instructions),
        cmocka_unit_test(instructions),
        cmocka_unit_test(lines),
        cmocka_unit_test(versions),
        cmocka_unit_test(longest),
    };

    return RUN(tests);
}
