#include "unit.h"

#include "text/python/bytecode.h"
#include "text/python/bytecode_use.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broken),
        cmocka_unit_test(resumed),
        cmocka_unit_test(sliced),
        cmocka_unit_test(effects),
    };

    return RUN(tests);
}
