#include "text/python/bytecode.h"

#include <stdlib.h>

enum { ARGUMENT_MAX = 0xffff };

/* --- reading ------------------------------------------------------------------------------------------------------ */

static struct str next_token(struct str *rest)
{
    size_t n = 0;
    struct str token;

    *rest = str_trim(*rest);
    while (n < rest->n && rest->p[n] != ' ')
        n++;
    token = str_take(*rest, n);
    *rest = str_skip(*rest, n);
    return token;
}

/* The numbers before its name: of a line of the source, and where offsets are printed, of itself. */
static bool read_instruction(struct str text, struct instruction *out, struct str numbers[2])
{
    struct str token;
    size_t n = 0;
    ptrdiff_t open;

    *out = (struct instruction){0};
    numbers[0] = numbers[1] = (struct str){0};
    for (token = next_token(&text); token.n; token = next_token(&text)) {
        if (str_ends(token, STR(":")))
            out->label = str_drop(token, 1);
        else if (token.p[0] >= 'A' && token.p[0] <= 'Z')
            break;
        else if (str_is_digit(token.p[0]) && n < 2)
            numbers[n++] = token;
    }
    out->name = token;
    open = str_chr(text, '(');
    if (open >= 0 && str_ends(str_trim(text), STR(")")))
        out->detail = str_drop(str_trim(str_skip(text, (size_t)open + 1)), 1);
    if (!str_i64(next_token(&text), &out->argument) || out->argument < 0 || out->argument > ARGUMENT_MAX)
        out->argument = 0;
    return token.n > 0;
}

static bool has_offsets(struct str text)
{
    struct instruction x;
    struct str line, numbers[2];

    while (str_next_line(&text, &line))
        if (read_instruction(line, &x, numbers) && numbers[1].n)
            return true;
    return false;
}

static enum bytecode_python python_of(struct str text)
{
    if (has_offsets(text))
        return str_has(text, STR(" RESUME ")) ? BYTECODE_311 : BYTECODE_310;
    return str_has(text, STR(" LOAD_SMALL_INT ")) || str_has(text, STR("_BORROW")) ? BYTECODE_314 : BYTECODE_313;
}

void bytecode_open(struct str text, struct bytecode *out)
{
    ptrdiff_t table = str_find(text, STR("\nExceptionTable:"));

    text = table < 0 ? text : str_take(text, (size_t)table);
    *out = (struct bytecode){.rest = text, .python = python_of(text)};
}

bool bytecode_next(struct bytecode *b, struct instruction *out)
{
    struct str line, numbers[2];
    bool offsets = b->python <= BYTECODE_311;

    while (str_next_line(&b->rest, &line)) {
        if (!read_instruction(line, out, numbers))
            continue;
        if (!offsets || numbers[1].n)
            str_i64(numbers[0], &b->line);
        if (offsets)
            out->label = numbers[numbers[1].n ? 1 : 0];
        out->line = b->line;
        return true;
    }
    return false;
}

struct str bytecode_target(const struct instruction *x)
{
    struct str target = x->detail;
    bool jumps = str_has(x->name, STR("JUMP")) || str_eq(x->name, STR("FOR_ITER"));

    return jumps && str_consume(&target, STR("to ")) ? target : (struct str){0};
}

/* --- what it takes and leaves ------------------------------------------------------------------------------------- */

/* Sorted by name. An argument counts as often as `each` says. */
static const struct opcode_row {
    const char *name;
    signed char takes, each, leaves;
} rows[] = {
    {"BEFORE_WITH", 1, 0, 2},
    {"BINARY_SLICE", 3, 0, 1},
    {"BUILD_CONST_KEY_MAP", 1, 1, 1},
    {"BUILD_LIST", 0, 1, 1},
    {"BUILD_MAP", 0, 2, 1},
    {"BUILD_SET", 0, 1, 1},
    {"BUILD_SLICE", 0, 1, 1},
    {"BUILD_STRING", 0, 1, 1},
    {"BUILD_TUPLE", 0, 1, 1},
    {"CACHE", 0, 0, 0},
    {"CALL", 2, 1, 1},
    {"CALL_FUNCTION", 1, 1, 1},
    {"CALL_FUNCTION_KW", 2, 1, 1},
    {"CALL_INTRINSIC_1", 1, 0, 1},
    {"CALL_INTRINSIC_2", 2, 0, 1},
    {"CALL_KW", 3, 1, 1},
    {"CALL_METHOD", 2, 1, 1},
    {"COMPARE_OP", 2, 0, 1},
    {"CONTAINS_OP", 2, 0, 1},
    {"CONVERT_VALUE", 1, 0, 1},
    {"COPY_FREE_VARS", 0, 0, 0},
    {"DELETE_ATTR", 1, 0, 0},
    {"DELETE_DEREF", 0, 0, 0},
    {"DELETE_FAST", 0, 0, 0},
    {"DELETE_GLOBAL", 0, 0, 0},
    {"DELETE_NAME", 0, 0, 0},
    {"DELETE_SUBSCR", 2, 0, 0},
    {"DICT_MERGE", 1, 0, 0},
    {"DICT_UPDATE", 1, 0, 0},
    {"DUP_TOP", 1, 0, 2},
    {"DUP_TOP_TWO", 2, 0, 4},
    {"EXTENDED_ARG", 0, 0, 0},
    {"FORMAT_SIMPLE", 1, 0, 1},
    {"FORMAT_WITH_SPEC", 2, 0, 1},
    {"FOR_ITER", 1, 0, 2},
    {"GEN_START", 1, 0, 0},
    {"GET_ITER", 1, 0, 1},
    {"GET_LEN", 1, 0, 2},
    {"IMPORT_FROM", 1, 0, 2},
    {"IMPORT_NAME", 2, 0, 1},
    {"IS_OP", 2, 0, 1},
    {"KW_NAMES", 0, 0, 0},
    {"LIST_APPEND", 1, 0, 0},
    {"LIST_EXTEND", 1, 0, 0},
    {"LIST_TO_TUPLE", 1, 0, 1},
    {"LOAD_SPECIAL", 1, 0, 2},
    {"MAKE_CELL", 0, 0, 0},
    {"MAP_ADD", 2, 0, 0},
    {"NOP", 0, 0, 0},
    {"NOT_TAKEN", 0, 0, 0},
    {"POP_BLOCK", 0, 0, 0},
    {"POP_ITER", 1, 0, 0},
    {"POP_TOP", 1, 0, 0},
    {"PRECALL", 0, 0, 0},
    {"PRINT_EXPR", 1, 0, 0},
    {"PUSH_NULL", 0, 0, 1},
    {"RAISE_VARARGS", 0, 1, 0},
    {"RESUME", 0, 0, 0},
    {"RETURN_CONST", 0, 0, 0},
    {"RETURN_GENERATOR", 0, 0, 1},
    {"RETURN_VALUE", 1, 0, 0},
    {"ROT_FOUR", 4, 0, 4},
    {"ROT_THREE", 3, 0, 3},
    {"ROT_TWO", 2, 0, 2},
    {"SETUP_ANNOTATIONS", 0, 0, 0},
    {"SETUP_FINALLY", 0, 0, 0},
    {"SETUP_WITH", 1, 0, 2},
    {"SET_ADD", 1, 0, 0},
    {"SET_FUNCTION_ATTRIBUTE", 2, 0, 1},
    {"SET_UPDATE", 1, 0, 0},
    {"STORE_ATTR", 2, 0, 0},
    {"STORE_FAST_LOAD_FAST", 1, 0, 1},
    {"STORE_FAST_STORE_FAST", 2, 0, 0},
    {"STORE_SLICE", 4, 0, 0},
    {"STORE_SUBSCR", 3, 0, 0},
    {"TO_BOOL", 1, 0, 1},
    {"YIELD_VALUE", 1, 0, 1},
};

static int row_cmp(const void *key, const void *row)
{
    return str_cmp(*(const struct str *)key, str_of(((const struct opcode_row *)row)->name));
}

/* "NULL + torch", "sum + NULL|self": one more than the value. */
static bool loads_two(const struct instruction *x)
{
    return str_starts(x->detail, STR("NULL")) || str_has(x->detail, STR(" + NULL")) ||
           str_has(x->name, STR("LOAD_FAST_LOAD_FAST")) || str_has(x->name, STR("BORROW_LOAD_FAST")) ||
           str_eq(x->name, STR("LOAD_METHOD"));
}

/* LOAD_ATTR and the like look something up in what they take. */
static int64_t taken_by_load(struct str name)
{
    if (str_eq(name, STR("LOAD_SUPER_ATTR")))
        return 3;
    return str_eq(name, STR("LOAD_ATTR")) || str_eq(name, STR("LOAD_METHOD")) ||
           str_starts(name, STR("LOAD_FROM_DICT"));
}

static int64_t bits(int64_t argument)
{
    int64_t n = 0;

    for (; argument; argument >>= 1)
        n += argument & 1;
    return n;
}

/* What differs between versions of Python. */
static bool effect_by_version(enum bytecode_python python, const struct instruction *x, int64_t *takes, int64_t *leaves)
{
    *leaves = 1;
    if (str_eq(x->name, STR("MAKE_FUNCTION"))) {
        *takes = python >= BYTECODE_313 ? 1 : (python == BYTECODE_310 ? 2 : 1) + bits(x->argument);
    } else if (str_eq(x->name, STR("CALL_FUNCTION_EX"))) {
        *takes = python == BYTECODE_314 ? 4 : (python == BYTECODE_310 ? 2 : 3) + (x->argument & 1);
    } else if (str_eq(x->name, STR("END_FOR"))) {
        *takes = python >= BYTECODE_313 ? 1 : 2;
        *leaves = 0;
    } else {
        return false;
    }
    return true;
}

/* What depends on the argument, or goes by the beginning of a name. */
static bool effect_by_name(const struct instruction *x, int64_t *takes, int64_t *leaves)
{
    struct str name = x->name;

    *leaves = 1;
    if (str_starts(name, STR("LOAD_"))) {
        *takes = taken_by_load(name);
        *leaves = loads_two(x) ? 2 : 1;
    } else if (str_starts(name, STR("BINARY_")) || str_starts(name, STR("INPLACE_"))) {
        *takes = 2;
    } else if (str_starts(name, STR("UNARY_"))) {
        *takes = 1;
    } else if (str_eq(name, STR("COPY"))) {
        *takes = x->argument;
        *leaves = x->argument + 1;
    } else if (str_eq(name, STR("SWAP")) || str_eq(name, STR("ROT_N"))) {
        *takes = *leaves = x->argument;
    } else if (str_eq(name, STR("FORMAT_VALUE"))) {
        *takes = 1 + ((x->argument & 4) != 0);
    } else if (str_eq(name, STR("UNPACK_SEQUENCE"))) {
        *takes = 1;
        *leaves = x->argument;
    } else if (str_eq(name, STR("UNPACK_EX"))) {
        *takes = 1;
        *leaves = (x->argument & 0xff) + (x->argument >> 8) + 1;
    } else {
        *leaves = 0;
        *takes =
            str_starts(name, STR("STORE_")) || str_starts(name, STR("POP_JUMP")) || str_starts(name, STR("JUMP_IF"));
        return *takes || str_starts(name, STR("JUMP_"));
    }
    return true;
}

bool bytecode_effect(enum bytecode_python python, const struct instruction *x, int64_t *takes, int64_t *leaves)
{
    const struct opcode_row *row = bsearch(&x->name, rows, sizeof rows / sizeof *rows, sizeof *rows, row_cmp);

    if (!row)
        return effect_by_version(python, x, takes, leaves) || effect_by_name(x, takes, leaves);
    *takes = row->takes + row->each * x->argument;
    *leaves = row->leaves;
    return true;
}
