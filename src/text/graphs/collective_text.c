#include "text/graphs/collective_text.h"

struct str collective_op(struct str name)
{
    ptrdiff_t at = str_find(name, STR("c10d_functional."));
    struct str op = str_skip(name, (size_t)at + strlen("c10d_functional."));

    if (at < 0)
        return (struct str){0};
    op = str_split(&op, '.');
    return str_ends(op, STR("_")) ? str_drop(op, 1) : op;
}

/* `f32[2, 8][8, 1]cpu`: the quoted text before " = ". */
static void read_result(struct str before, struct collective_call *out)
{
    struct str note, shape;
    ptrdiff_t bracket;

    if (!str_between(before, STR("\""), STR("\""), &note))
        return;
    bracket = str_chr(note, '[');
    if (bracket <= 0 || !str_between(note, STR("["), STR("]"), &shape))
        return;
    out->dtype = str_take(note, (size_t)bracket);
    out->shape = str_range(shape.p - 1, shape.p + shape.n + 1);
}

/* "buf5, 'sum', 4, '0'" */
static void read_arguments(struct str arguments, struct collective_call *out)
{
    struct str before;
    ptrdiff_t at;

    if (!str_ends(arguments, STR("'")))
        return; /* wait_tensor */
    arguments = str_drop(arguments, 1);
    at = str_rchr(arguments, '\'');
    if (at < 0)
        return;
    out->group = str_skip(arguments, (size_t)at + 1);
    before = str_trim(str_take(arguments, (size_t)at));
    before = str_trim(str_ends(before, STR(",")) ? str_drop(before, 1) : before);
    at = str_rchr(before, ',');
    if (at >= 0 && str_u64(str_trim(str_skip(before, (size_t)at + 1)), &out->group_size))
        before = str_trim(str_take(before, (size_t)at));
    if (str_ends(before, STR("'")) && (at = str_rchr(str_drop(before, 1), '\'')) >= 0)
        out->reduction = str_drop(str_skip(before, (size_t)at + 1), 1);
}

/* Reads a call at the place where its name begins; false if the name is only mentioned. */
static bool read_call(struct str line, size_t at, struct collective_call *out)
{
    struct str call = str_skip(line, at), name;
    ptrdiff_t open = str_chr(call, '('), close;

    if (open < 0)
        return false;
    name = str_take(call, (size_t)open);
    if (str_chr(name, '\'') >= 0 || str_chr(name, ')') >= 0 || str_chr(name, ' ') >= 0)
        return false;
    out->op = collective_op(name);
    call = str_skip(call, (size_t)open + 1);
    close = str_find(call, STR(");"));
    if (close < 0)
        close = str_rchr(call, ')');
    if (out->op.n == 0 || close < 0)
        return false;
    read_result(str_take(line, at), out);
    read_arguments(str_trim(str_take(call, (size_t)close)), out);
    return true;
}

bool collective_next(struct str *text, struct collective_call *out)
{
    struct str line;

    while (str_next_line(text, &line)) {
        ptrdiff_t at;

        line = str_trim(line);
        *out = (struct collective_call){0};
        at = str_starts(line, STR("#")) ? -1 : str_find(line, STR("_c10d_functional."));
        if (at >= 0 && read_call(line, (size_t)at, out))
            return true;
    }
    return false;
}
