#include "unit.h"

#include "text/python/bytecode_use.h"

#define PROLOGUE                                                                                                       \
    " 14           0 RESUME                   0\n"                                                                     \
    "              8 LOAD_FAST                2 (___stack0)\n"                                                         \
    "             14 JUMP_FORWARD            34 (to 84)\n"                                                             \
    "             16 LOAD_GLOBAL              1 (NULL + norm)\n"                                                       \
    "             48 LOAD_METHOD              1 (item)\n"

#define STORED                                                                                                         \
    PROLOGUE "        >>   84 STORE_FAST               5 (n)\n"                                                        \
             "\n"                                                                                                      \
             " 15          86 "

static struct str use_in_words(const char *text, struct arena *a)
{
    static const char *const uses[] = {"OTHER", "BRANCH", "LOOP", "INDEX", "AMONG"};
    struct bytecode_use u;

    bytecode_use_find(str_of(text), &u);
    if (u.use == USE_OTHER)
        return STR("OTHER");
    return arena_printf(a, "%s %lld %.*s%s%.*s", uses[u.use], (long long)u.line, STR_ARG(u.name),
                        u.use == USE_INDEX ? " of "
                        : u.called         ? " called"
                                           : "",
                        STR_ARG(u.use == USE_INDEX ? u.container : (struct str){0}));
}

static void uses(void **state)
{
    static const struct {
        const char *text, *use;
    } cases[] = {
        {STORED "LOAD_FAST   5 (n)\n  88 LOAD_FAST   4 (most)\n 90 COMPARE_OP 4 (>)\n"
                "  96 POP_JUMP_FORWARD_IF_FALSE    22 (to 142)\n",
         "BRANCH 15 n"},
        /* a branch on something else, and the value is only computed with */
        {STORED "LOAD_FAST 0 (self)\n 88 LOAD_ATTR 1 (scaled)\n 90 POP_JUMP_FORWARD_IF_FALSE 3 (to 98)\n"
                "  92 LOAD_FAST   5 (n)\n 94 LOAD_FAST   1 (x)\n 96 BINARY_OP   5 (*)\n 98 STORE_FAST 1 (x)\n",
         "OTHER"},
        {STORED "LOAD_FAST 5 (n)\n 88 POP_JUMP_FORWARD_IF_NONE 3 (to 98)\n", "OTHER"},
        {STORED "LOAD_GLOBAL 1 (NULL + isinstance)\n 88 LOAD_FAST 5 (n)\n 90 CALL 2\n"
                " 92 POP_JUMP_FORWARD_IF_FALSE 3 (to 98)\n",
         "OTHER"},
        {STORED "LOAD_FAST 5 (n)\n 88 LOAD_CONST 1 (0)\n 90 COMPARE_OP 4 (>)\n 92 POP_JUMP_FORWARD_IF_TRUE 2 (to 98)\n"
                " 94 LOAD_ASSERTION_ERROR\n 96 RAISE_VARARGS 1\n",
         "OTHER"},
        {STORED "LOAD_GLOBAL 13 (NULL + range)\n 88 LOAD_FAST 5 (n)\n 90 PRECALL 1\n 92 CALL 1\n 94 GET_ITER\n"
                " >>  96 FOR_ITER 120 (to 200)\n",
         "LOOP 15 n"},
        {STORED "LOAD_GLOBAL 13 (torch)\n 88 LOAD_ATTR 2 (arange)\n 90 LOAD_FAST 5 (n)\n 92 CALL 1\n 94 GET_ITER\n",
         "OTHER"},
        {STORED "LOAD_FAST 0 (self)\n 88 LOAD_ATTR 6 (experts)\n 90 LOAD_FAST 5 (n)\n 92 BINARY_SUBSCR\n",
         "INDEX 15 n of experts"},
        /* another value from here on */
        {STORED "LOAD_CONST 1 (3)\n 88 STORE_FAST 5 (n)\n 90 LOAD_FAST 5 (n)\n 92 POP_JUMP_IF_FALSE 3 (to 98)\n",
         "OTHER"},
        /* int() of it; a function that makes a tensor of it and of others is not known to keep it a number */
        {PROLOGUE "  >> 84 PRECALL 1\n 86 CALL 1\n 88 STORE_FAST 5 (n)\n\n 15  90 LOAD_FAST 5 (n)\n"
                  " 92 POP_JUMP_FORWARD_IF_FALSE 3 (to 98)\n",
         "BRANCH 15 n called"},
        {PROLOGUE "  >> 84 LOAD_FAST 1 (x)\n 86 BINARY_OP 5 (*)\n 88 STORE_FAST 5 (n)\n 15  90 LOAD_FAST 5 (n)\n"
                  " 92 POP_JUMP_FORWARD_IF_FALSE 3 (to 98)\n",
         "OTHER"},
        /* Python 3.13 and later */
        {" 14           RESUME                   0\n"
         "              JUMP_FORWARD            34 (to L1)\n"
         "              LOAD_GLOBAL              1 (norm + NULL)\n"
         "  --   L1:    STORE_FAST               5 (n)\n\n"
         " 15           LOAD_FAST_LOAD_FAST     84 (n, most)\n"
         "              COMPARE_OP             132 (bool(>))\n"
         "              POP_JUMP_IF_FALSE        8 (to L2)\n",
         "BRANCH 15 n"},
        {" 14           RESUME                   0\n"
         "              JUMP_FORWARD            34 (to L1)\n"
         "  --   L1:    STORE_FAST               5 (n)\n"
         " 15           LOAD_FAST_BORROW         1 (items)\n"
         "              LOAD_FAST_BORROW         5 (n)\n"
         "              BINARY_OP               26 ([])\n",
         "INDEX 15 n of items"},
        /* x[:, n - 1], x[n, :], and x[:, :n], whose slice takes any number; y[i, 0] beside n */
        {STORED "LOAD_FAST   1 (x)\n 88 LOAD_CONST 0 (None)\n 90 LOAD_CONST 0 (None)\n 92 BUILD_SLICE 2\n"
                " 94 LOAD_FAST 5 (n)\n 96 LOAD_CONST 1 (1)\n 98 BINARY_OP 10 (-)\n 100 BUILD_TUPLE 2\n"
                " 102 BINARY_SUBSCR\n",
         "AMONG 15 n"},
        {STORED "LOAD_FAST   1 (x)\n 88 LOAD_FAST 5 (n)\n 90 LOAD_CONST 0 (None)\n 92 LOAD_CONST 0 (None)\n"
                " 94 BUILD_SLICE 2\n 96 BUILD_TUPLE 2\n 98 BINARY_SUBSCR\n",
         "AMONG 15 n"},
        {STORED "LOAD_FAST   1 (x)\n 88 LOAD_CONST 0 (None)\n 90 LOAD_CONST 0 (None)\n 92 BUILD_SLICE 2\n"
                " 94 LOAD_CONST 0 (None)\n 96 LOAD_FAST 5 (n)\n 98 BUILD_SLICE 2\n 100 BUILD_TUPLE 2\n"
                " 102 BINARY_SUBSCR\n",
         "OTHER"},
        {STORED "LOAD_FAST   5 (n)\n 88 LOAD_FAST 1 (y)\n 90 LOAD_FAST 2 (i)\n 92 LOAD_CONST 0 (0)\n"
                " 94 BUILD_TUPLE 2\n 96 BINARY_SUBSCR\n 98 BINARY_OP 5 (*)\n",
         "OTHER"},
        {STORED "LOAD_FAST_LOAD_FAST 84 (n, i)\n 88 BUILD_TUPLE 2\n 90 BINARY_OP 26 ([])\n", "AMONG 15 n"},
        {"", "OTHER"},
        {"14 0 JUMP_FORWARD 3 (to 84)", "OTHER"},
        {"JUMP_FORWARD (", "OTHER"},
        {PROLOGUE " >> 84 STORE_FAST 5 ()\n", "OTHER"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct arena *a = arena_new();

        assert_str(use_in_words(cases[i].text, a), cases[i].use);
        arena_free(a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uses),
    };

    return RUN(tests);
}
