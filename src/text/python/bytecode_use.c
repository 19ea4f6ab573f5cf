#include "text/python/bytecode_use.h"

enum { ARGUMENT_MAX = 0xffff };

/*
 * A line such as " 15 >> 86 LOAD_FAST 5 (total)". Since Python 3.13 it has labels instead of offsets: " 15 L1:
 * LOAD_FAST 5 (total)".
 */
struct instruction {
    struct str numbers[2]; /* the numbers before its name */
    struct str label;      /* "L1" */
    struct str name;       /* "LOAD_FAST" */
    int64_t argument;      /* 5; 0 if there is none */
    struct str detail;     /* the text in brackets: "total" */
    int64_t line;          /* the line number, where a source line begins; else 0 */
};

struct bytecode_reader {
    struct str rest;
    bool offsets; /* instructions have offsets, after the line numbers */
};

/* What was seen of the source line since its beginning or its last jump. */
struct segment {
    int64_t line;
    bool has_value, has_range, has_test; /* test: `is` or isinstance(), which a symbol also passes */
    bool is_value;                       /* the previous instruction was the variable */
    struct str before;                   /* the detail of the instruction before that one */
    /* the values computed from the variable, alone or in a tuple, are on the stack */
    bool on_stack, in_tuple;
    int64_t above; /* how many values are above it on the stack */
};

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

static bool read_instruction(struct str text, struct instruction *out)
{
    struct str token;
    size_t n = 0;
    ptrdiff_t open;

    *out = (struct instruction){0};
    for (token = next_token(&text); token.n; token = next_token(&text)) {
        if (str_ends(token, STR(":")))
            out->label = str_drop(token, 1);
        else if (token.p[0] >= 'A' && token.p[0] <= 'Z')
            break;
        else if (str_is_digit(token.p[0]) && n < 2)
            out->numbers[n++] = token;
    }
    out->name = token;
    open = str_chr(text, '(');
    if (open >= 0 && str_ends(str_trim(text), STR(")")))
        out->detail = str_drop(str_trim(str_skip(text, (size_t)open + 1)), 1);
    if (!str_i64(next_token(&text), &out->argument) || out->argument < 0 || out->argument > ARGUMENT_MAX)
        out->argument = 0;
    return token.n > 0;
}

static bool next(struct bytecode_reader *r, struct instruction *x)
{
    struct str line;

    while (str_next_line(&r->rest, &line)) {
        if (!read_instruction(line, x))
            continue;
        if (!r->offsets || x->numbers[1].n)
            str_i64(x->numbers[0], &x->line);
        if (r->offsets)
            x->label = x->numbers[x->numbers[1].n ? 1 : 0];
        return true;
    }
    return false;
}

static bool has_offsets(struct str text)
{
    struct instruction x;
    struct str line;

    while (str_next_line(&text, &line))
        if (read_instruction(line, &x) && x.numbers[1].n)
            return true;
    return false;
}

/* "total" in "total, max_norm": one instruction may load several variables. */
static bool names(const struct instruction *x, struct str variable)
{
    for (struct str rest = x->detail, one; rest.n;) {
        one = str_trim(str_split(&rest, ','));
        if (str_eq(one, variable))
            return true;
    }
    return false;
}

/* Skips to where the function continues. */
static bool skip_prologue(struct bytecode_reader *r, struct instruction *x)
{
    struct str target = {0};

    while (next(r, x)) {
        if (target.n == 0 && str_starts(x->name, STR("JUMP_FORWARD")))
            target = str_skip(x->detail, sizeof "to " - 1);
        else if (target.n && str_eq(x->label, target))
            return true;
    }
    return false;
}

/* Whether the value stays a number: an operation with another value may turn it into a tensor. */
static bool keeps_number(const struct instruction *x)
{
    return str_eq(x->name, STR("LOAD_CONST")) || str_eq(x->name, STR("BINARY_OP")) || str_eq(x->name, STR("PRECALL")) ||
           str_eq(x->name, STR("CALL"));
}

/* The variable that receives the value. */
static bool find_variable(struct bytecode_reader *r, struct instruction *x, struct bytecode_use *out)
{
    do {
        if (str_starts(x->name, STR("STORE_FAST")) || str_eq(x->name, STR("STORE_DEREF"))) {
            out->name = str_trim(str_split(&x->detail, ','));
            return out->name.n > 0;
        }
        out->line = x->line ? x->line : out->line;
        out->called |= str_eq(x->name, STR("CALL"));
    } while (keeps_number(x) && next(r, x));
    return false;
}

static enum value_use use_of(const struct instruction *x, const struct segment *s)
{
    bool index =
        str_eq(x->name, STR("BINARY_SUBSCR")) || (str_eq(x->name, STR("BINARY_OP")) && str_eq(x->detail, STR("[]")));

    if (!s->has_value)
        return USE_OTHER;
    if (index && s->is_value)
        return USE_INDEX;
    if (index && s->in_tuple && s->above == 0)
        return USE_AMONG;
    if (s->has_range && str_eq(x->name, STR("GET_ITER")))
        return USE_LOOP;
    return str_has(x->name, STR("POP_JUMP")) && !str_has(x->name, STR("NONE")) && !s->has_test ? USE_BRANCH : USE_OTHER;
}

/*
 * Follows what indices consist of: names, numbers, slices and tuples of them; anything else removes the value from the
 * stack.
 */
static void note_stack(struct segment *s, const struct instruction *x, struct str variable)
{
    bool tuple = str_eq(x->name, STR("BUILD_TUPLE"));

    if (str_starts(x->name, STR("LOAD_"))) {
        ptrdiff_t comma = str_chr(x->detail, ',');

        if (names(x, variable)) {
            s->on_stack = true;
            s->in_tuple = false;
            s->above = !str_eq(str_trim(str_skip(x->detail, (size_t)(comma + 1))), variable);
        } else {
            s->above += comma < 0 ? 1 : 2;
        }
    } else if (str_eq(x->name, STR("BINARY_OP"))) {
        s->above -= s->above > 0;
    } else if (tuple || str_eq(x->name, STR("BUILD_SLICE"))) {
        if (s->above >= x->argument) {
            s->above -= x->argument - 1;
        } else {
            s->in_tuple = tuple && s->on_stack;
            s->on_stack = s->in_tuple;
            s->above = 0;
        }
    } else if (!str_starts(x->name, STR("UNARY_"))) {
        s->on_stack = s->in_tuple = false;
    }
}

static void note(struct segment *s, const struct instruction *x, struct str variable)
{
    bool loads = str_starts(x->name, STR("LOAD_")), value = loads && names(x, variable);

    if (value && s->is_value)
        s->before = variable;
    s->has_value |= value;
    s->is_value = value;
    if (!value)
        s->before = x->detail;
    s->has_range |= loads && (str_eq(x->detail, STR("range")) || str_has(x->detail, STR("+ range")) ||
                              str_starts(x->detail, STR("range +")));
    s->has_test |= str_eq(x->name, STR("IS_OP")) || (loads && str_has(x->detail, STR("isinstance")));
    note_stack(s, x, variable);
}

/* `assert n > 0` is also a branch, but Dynamo turns it into a check in the graph. */
static bool is_assertion(struct bytecode_reader r)
{
    struct instruction x;

    return next(&r, &x) && (str_eq(x.name, STR("LOAD_ASSERTION_ERROR")) || str_has(x.detail, STR("AssertionError")));
}

void bytecode_use_find(struct str text, struct bytecode_use *out)
{
    struct bytecode_reader r = {.rest = text, .offsets = has_offsets(text)};
    struct instruction x;
    struct segment s = {0};

    *out = (struct bytecode_use){0};
    if (!skip_prologue(&r, &x) || !find_variable(&r, &x, out))
        return;
    while (next(&r, &x)) {
        if (x.line)
            s = (struct segment){.line = x.line};
        out->use = use_of(&x, &s);
        if (out->use == USE_BRANCH && is_assertion(r))
            out->use = USE_OTHER;
        out->container = s.before;
        out->line = s.line;
        if (out->use != USE_OTHER || (str_starts(x.name, STR("STORE_")) && names(&x, out->name)))
            return;
        if (str_has(x.name, STR("JUMP")) || str_starts(x.name, STR("STORE_")))
            s = (struct segment){.line = s.line};
        else
            note(&s, &x, out->name);
    }
}
