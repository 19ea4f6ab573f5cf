#include "text/graphs/graph_ops.h"

/* "linear" for "linear_1" and "linear_1_2". */
static struct str without_number(struct str name)
{
    for (;;) {
        size_t n = name.n;

        while (n > 0 && str_is_digit(name.p[n - 1]))
            n--;
        if (n == name.n || n < 2 || name.p[n - 1] != '_')
            return name;
        name = str_take(name, n - 1);
    }
}

static bool is_name(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!((s.p[i] | 0x20) >= 'a' && (s.p[i] | 0x20) <= 'z') && !str_is_digit(s.p[i]) && s.p[i] != '_')
            return false;
    return s.n > 0;
}

/* The name before "(" in a call, if it has dots; else the sign between two values. */
static struct str operator_of(struct str call)
{
    size_t n = 0, sign;
    ptrdiff_t dot;
    struct str path;

    while (n < call.n && (is_name(str_take(str_skip(call, n), 1)) || call.p[n] == '.'))
        n++;
    path = str_take(call, n);
    dot = str_rchr(path, '.');
    if (dot >= 0 && !str_starts(path, STR("torch.")))
        return without_number(str_skip(path, (size_t)dot));
    if (n < call.n && call.p[n] == '(')
        return path;
    while (n < call.n && !memchr("+-*/@%<>=!&|~^[", call.p[n], 15))
        n++;
    for (sign = n; sign < call.n && memchr("+-*/@%<>=!&|~^[", call.p[sign], 15); sign++)
        ;
    return str_take(str_skip(call, n), sign - n);
}

/* "relu = None" and `x = L_x_` are not operators. */
static bool parse_op(struct str line, struct graph_op *out)
{
    ptrdiff_t equals = str_find(line, STR(" = ")), colon;
    struct str left, right;

    if (equals <= 0)
        return false;
    left = str_take(line, (size_t)equals);
    right = str_trim(str_skip(line, (size_t)equals + 3));
    colon = str_find(left, STR(": "));
    left = colon > 0 ? str_take(left, (size_t)colon) : left;
    if (!is_name(left) || str_starts(right, STR("None")) || is_name(str_split(&(struct str){right.p, right.n}, ';')))
        return false;
    out->call = right;
    out->name = operator_of(right);
    return true;
}

bool graph_op_next(struct str *rest, struct str *place, struct graph_op *out)
{
    struct str line;

    while (str_next_line(rest, &line)) {
        line = str_trim(line);
        if (str_starts(line, STR("# File: "))) {
            *place = line;
        } else if (parse_op(line, out)) {
            out->place = *place;
            return true;
        }
    }
    return false;
}

/* FNV-1a. */
static uint64_t mix(uint64_t hash, struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        hash = (hash ^ (unsigned char)s.p[i]) * 0x100000001b3u;
    return (hash ^ 0xff) * 0x100000001b3u;
}

struct graph_shape graph_shape_of(struct str graph)
{
    struct graph_shape shape = {.hash = 0xcbf29ce484222325u};
    struct str place = {0};
    struct graph_op op;

    while (graph_op_next(&graph, &place, &op)) {
        shape.hash = mix(shape.hash, op.name);
        shape.ops++;
    }
    return shape;
}
