#include "analysis/find/caller_expression.h"

#include "analysis/find/callee.h"
#include "analysis/find/caller.h"
#include "text/python/python_call.h"

/* --- sources ------------------------------------------------------------------------------------------------------ */

/* Removes "['key']" from the start; false for anything else. */
static bool take_key(struct str *s, struct str *key)
{
    ptrdiff_t end;

    if (!str_starts(*s, STR("['")) || (end = str_find(*s, STR("']"))) < 2)
        return false;
    *key = str_range(s->p + 2, s->p + end);
    *s = str_skip(*s, (size_t)end + 2);
    return true;
}

/* Removes "[12]" from the start. */
static bool take_number(struct str *s, int64_t *n)
{
    struct str rest = *s;
    ptrdiff_t end;

    if (!str_consume(&rest, STR("[")) || (end = str_chr(rest, ']')) < 0 || !str_i64(str_take(rest, (size_t)end), n))
        return false;
    *s = str_skip(rest, (size_t)end + 1);
    return true;
}

/* An argument of the call, and the rest of the source after it. */
struct argument {
    struct str name;  /* name of the parameter; empty for *args of a wrapper */
    int64_t position; /* index among the arguments that the caller writes; -1 unknown */
    bool of_method;   /* whether the caller does not write the object: model(x), not Model.forward(model, x) */
    struct str rest;  /* ".mask" of L['b'].mask */
};

/* Variables are in the order parameters, *args, **kwargs: the first of *args comes after the parameters. */
static bool is_all_by_args(const struct guard_facts *facts)
{
    int64_t args = guard_facts_position(facts, STR("L['args']"));

    return args < 0 || args == (guard_facts_position(facts, STR("L['self']")) == 0 ? 1 : 0);
}

/*
 * L['args'][0]: the position is unknown if there are parameters before *args, and is one less if the first one is the
 * object whose method it is.
 */
static bool read_position(const struct guard_facts *facts, struct argument *out)
{
    if (!take_number(&out->rest, &out->position))
        return false;
    if (!is_all_by_args(facts))
        out->position = -1;
    else if (out->position > 0 && str_eq(callee_owner(facts), STR("L['args'][0]")))
        out->position--;
    return true;
}

/* Whether the caller does not write its first parameter. */
static bool is_method(const struct frame *fr, const struct guard_facts *facts)
{
    return guard_facts_position(facts, STR("L['self']")) == 0 || (fr && str_eq(fr->name, STR("forward")));
}

/* Whether it is an argument that a wrapper passes on: L['args'][0], L['kwargs']['mask']. */
static bool is_passed_on(const struct frame *fr, const struct guard_facts *facts, struct str name)
{
    return (str_eq(name, STR("args")) || str_eq(name, STR("kwargs"))) && callee_passes_on(fr, facts);
}

static bool read_argument(const struct compile *c, const struct guard_facts *facts, struct str source,
                          struct argument *out)
{
    struct str name, root;

    *out = (struct argument){.position = -1, .rest = source};
    if (!str_consume(&out->rest, STR("L")) || !take_key(&out->rest, &name))
        return false;
    if (c->frame && is_passed_on(c->frame, facts, name))
        return str_eq(name, STR("args")) ? read_position(facts, out) : take_key(&out->rest, &out->name);
    if (c->frame && caller_is_wrapper(c->frame))
        return false;
    root = str_take(source, source.n - out->rest.n);
    out->name = name;
    out->position = guard_facts_position(facts, root);
    out->of_method = out->position > 0 && is_method(c->frame, facts);
    out->position -= out->of_method;
    return true;
}

/* --- expressions -------------------------------------------------------------------------------------------------- */

static struct str by_position(struct arena *a, const struct python_call *call, const struct argument *wanted)
{
    int64_t at = 0;

    vec_each(const struct python_argument, x, &call->arguments)
    {
        if (x->keyword.n || x->stars == 2)
            continue;
        if (x->stars == 1)
            return arena_printf(a, "%.*s[%lld]", STR_ARG(x->value), (long long)(wanted->position - at));
        if (at++ == wanted->position)
            return x->value;
    }
    return (struct str){0};
}

static struct str by_name(struct arena *a, const struct python_call *call, const struct argument *wanted)
{
    const struct python_argument *all = NULL;

    vec_each(const struct python_argument, x, &call->arguments)
    {
        if (str_eq(x->keyword, wanted->name))
            return x->value;
        if (x->stars == 2)
            all = x;
    }
    return all ? arena_printf(a, "%.*s[\"%.*s\"]", STR_ARG(all->value), STR_ARG(wanted->name)) : (struct str){0};
}

/* If positions are unknown: the argument with the name of the parameter. */
static struct str of_same_name(const struct python_call *call, const struct argument *wanted)
{
    vec_each(const struct python_argument, x, &call->arguments) if (x->keyword.n == 0 && x->stars == 0 &&
                                                                    str_eq(x->value, wanted->name)) return x->value;
    return (struct str){0};
}

static bool is_written_at(const struct python_call *call, int64_t position, struct str value)
{
    const struct python_argument *x = &call->arguments.v[position];

    return x->keyword.n == 0 && x->stars == 0 && str_eq(x->value, value);
}

/* Whether the object precedes the arguments: forward(self, x), where forward = torch.compile(Model.forward). */
static bool has_object(const struct python_call *call, const struct argument *wanted)
{
    int64_t n = (int64_t)call->arguments.n, position = wanted->position;

    return wanted->of_method && position + 1 < n &&
           (is_written_at(call, 0, STR("self")) ||
            (is_written_at(call, position + 1, wanted->name) && !is_written_at(call, position, wanted->name)));
}

static struct str expression_of(struct arena *a, const struct python_call *call, struct argument *wanted)
{
    struct str out = {0};

    if (has_object(call, wanted))
        wanted->position++;
    if (wanted->position >= 0)
        out = by_position(a, call, wanted);
    if (out.n == 0 && wanted->name.n)
        out = by_name(a, call, wanted);
    if (out.n == 0)
        out = of_same_name(call, wanted);
    return out;
}

struct str caller_expression(struct arena *a, const struct compile *c, const struct guard_facts *facts,
                             struct str source)
{
    const struct call *line = caller_direct(c);
    struct python_call call = {0};
    struct argument wanted;
    struct str out;

    if (!line || line != caller_of(c) || !read_argument(c, facts, source, &wanted) ||
        !python_only_call(a, line->source, &call))
        return (struct str){0};
    out = expression_of(a, &call, &wanted);
    if (out.n)
        out = arena_printf(a, "%.*s%.*s", STR_ARG(out), STR_ARG(wanted.rest));
    return python_is_place(out) ? out : (struct str){0};
}

struct str caller_receiver(const struct call *line, struct str method)
{
    struct str source = line ? str_trim(line->source) : (struct str){0}, mark = {0};
    ptrdiff_t at = str_find(source, method);
    size_t begin;

    if (at < 1 || str_has(str_skip(source, (size_t)at + 1), method))
        return mark;
    begin = (size_t)at;
    while (begin > 0 && str_chr(STR(" (=,:"), source.p[begin - 1]) < 0)
        begin--;
    mark = str_range(source.p + begin, source.p + at);
    return python_is_place(mark) ? mark : (struct str){0};
}
