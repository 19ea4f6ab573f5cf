#include "analysis/recompiles/recompile_names.h"

#include "analysis/answers/inputs.h"
#include "analysis/find/callee.h"
#include "analysis/find/caller_expression.h"
#include "analysis/find/guard_facts.h"
#include "analysis/recompiles/recompile_change.h"
#include "text/guards/guard_name.h"

/* The short name of a class. */
static struct str type_of(struct finder *f, const struct compile *c, const char *source)
{
    struct str type = guard_facts_type(guard_facts_of(f, c), str_of(source));

    return str_skip(type, (size_t)(str_rchr(type, '.') + 1));
}

/* "state[…]['step']" of state[list(dict.keys(state))[0]]['step']: a key that is not a constant has no name. */
static struct str without_keys(struct finder *f, struct str name)
{
    static const struct str begin = STR_INIT("[list(dict.keys(");
    ptrdiff_t at = str_find(name, begin), end = at < 0 ? -1 : str_find(str_skip(name, (size_t)at), STR("]]"));

    if (end < 0)
        return name;
    return arena_printf(f->arena, "%.*s[\xe2\x80\xa6]%.*s", (int)at, name.p,
                        STR_ARG(str_skip(name, (size_t)(at + end) + 2)));
}

static struct str in_backticks(struct finder *f, struct str name)
{
    return arena_printf(f->arena, "`%.*s`", STR_ARG(str_take(without_keys(f, name), 200)));
}

struct str recompile_name_from_break(struct finder *f, const struct frame *fr)
{
    return arena_printf(f->arena, "the value from line %lld", (long long)fr->resumes_line);
}

/* "L['past_key_values'].layers[0]" of L['kwargs']['past_key_values'].layers[0], anywhere in the source. */
static struct str without_kwargs(struct finder *f, struct str source)
{
    static const struct str mark = STR_INIT("L['kwargs']['");
    struct str out = {0};
    ptrdiff_t at;

    while ((at = str_find(source, mark)) >= 0) {
        struct str key = str_skip(source, (size_t)at + mark.n);
        ptrdiff_t end = str_find(key, STR("']"));

        if (end < 0)
            break;
        out = arena_printf(f->arena, "%.*s%.*sL['%.*s']", STR_ARG(out), (int)at, source.p, (int)end, key.p);
        source = str_skip(key, (size_t)end + 2);
    }
    return arena_printf(f->arena, "%.*s%.*s", STR_ARG(out), STR_ARG(source));
}

/* "argument 1" of L['args'][0]: the object whose method it is does not count, and is `self` there. */
static struct str numbered(struct finder *f, const struct compile *c, struct str rest)
{
    const struct guard_facts *facts = guard_facts_of(f, c);
    int64_t n = 0;

    if (!str_consume(&rest, STR("L['args'][")) || !str_i64(str_split(&rest, ']'), &n))
        return (struct str){0};
    n += str_eq(callee_owner(facts), STR("L['args'][0]")) ? 0 : 1;
    if (rest.n && n == 0)
        return in_backticks(f, arena_printf(f->arena, "self%.*s", STR_ARG(guard_name(f->arena, rest))));
    if (rest.n)
        return arena_printf(f->arena, "`%.*s` of argument %lld", STR_ARG(str_take(guard_name(f->arena, rest), 200)),
                            (long long)n);
    return arena_printf(f->arena, "argument %lld", (long long)n);
}

/* The name of what a wrapper calls fn, args or kwargs. */
static struct str name_in_wrapper(struct finder *f, const struct compile *c, struct str source)
{
    struct str expression = caller_expression(f->arena, c, guard_facts_of(f, c), source), rest = source, type;

    if (expression.n)
        return in_backticks(f, expression);
    if (str_has(source, STR("L['kwargs']['")))
        return in_backticks(f, guard_name(f->arena, without_kwargs(f, source)));
    if ((type = numbered(f, c, source)).n)
        return type;
    rest = source;
    if (str_consume(&rest, STR("L['fn'].__self__")) && (type = type_of(f, c, "L['fn'].__self__")).n)
        return in_backticks(f, arena_printf(f->arena, "%.*s%.*s", STR_ARG(type), STR_ARG(guard_name(f->arena, rest))));
    rest = source;
    type = type_of(f, c, "L['fn']");
    if (!str_consume(&rest, STR("L['fn']")) || type.n == 0)
        return (struct str){0};
    return in_backticks(f, arena_printf(f->arena, "%.*s%.*s", STR_ARG(type), STR_ARG(guard_name(f->arena, rest))));
}

/* "self.seen" of L['___stack0'].__self__.seen: inside the method, the object is `self`. */
static struct str name_in_method(struct finder *f, struct str source)
{
    ptrdiff_t at = str_find(source, STR(".__self__"));
    struct str rest = str_skip(source, (size_t)at + sizeof ".__self__" - 1);

    return in_backticks(f, arena_printf(f->arena, "self%.*s", STR_ARG(guard_name(f->arena, rest))));
}

struct str recompile_input_name(struct finder *f, const struct compile *c, struct str source)
{
    struct str name = {0};

    if (str_starts(source, STR("L['___stack")) && str_has(source, STR(".__self__")))
        return name_in_method(f, source);
    if (c->frame && c->frame->is_resume && str_starts(source, STR("L['___stack")))
        return recompile_name_from_break(f, c->frame);
    if (c->frame && callee_passes_on(c->frame, guard_facts_of(f, c)))
        name = name_in_wrapper(f, c, source);
    return name.n ? name : in_backticks(f, guard_name(f->arena, source));
}

/* --- sizes -------------------------------------------------------------------------------------------------------- */

/* Compiled for any number or text, of the type that it was. */
static bool is_any_value(const struct guard_reason *failed, struct str now)
{
    struct str was = failed->expected;
    int64_t n;

    if (was.n && (was.p[0] == '\'' || was.p[0] == '"'))
        return str_eq(now, STR("of type str"));
    return str_eq(now, str_i64(was, &n) ? STR("of type int") : STR("of type float"));
}

struct str recompile_new_value(struct finder *f, const struct compile *c, const struct guard_reason *failed)
{
    struct str source = recompile_full_source(f->arena, failed->source), now = {0};

    if (failed->actual.n)
        return failed->actual;
    if (failed->class == GUARD_INT || failed->class == GUARD_FLOAT || failed->class == GUARD_MODULE_ATTRIBUTE)
        now = input_value(f->arena, c, source, INPUT_NUMBER);
    now = now.n ? now : guard_facts_now(f, guard_facts_of(f, c), failed);
    return is_any_value(failed, now) ? (struct str){0} : now;
}
