#include "analysis/recompile_words.h"

#include "analysis/caller.h"
#include "analysis/recompile_change.h"
#include "text/guard_name.h"

/* --- names -------------------------------------------------------------------------------------------------------- */

struct str recompile_dict_of(struct str source)
{
    struct str inside;
    size_t n = 0;

    if (str_between(source, STR("dict.keys("), STR(")"), &inside) ||
        str_between(source, STR("list("), STR(".keys())"), &inside))
        return inside;
    while (n < source.n && source.p[n] != '[')
        n++;
    return str_take(source, n ? n : source.n);
}

/* The short name of a class. */
static struct str type_of(struct finder *f, const struct compile *c, const char *source)
{
    struct str type = guard_facts_type(guard_facts_of(f, c), str_of(source));

    return str_skip(type, (size_t)(str_rchr(type, '.') + 1));
}

/* What a wrapper of PyTorch's calls fn, args and kwargs. */
static struct str name_in_wrapper(struct finder *f, const struct compile *c, struct str source)
{
    struct str expression = caller_expression(f->arena, c, guard_facts_of(f, c), source), rest = source, type;
    int64_t n = 0;

    if (expression.n)
        return expression;
    if (str_consume(&rest, STR("L['kwargs']['")))
        return arena_printf(f->arena, "%.*s", STR_ARG(str_take(rest, (size_t)str_chr(rest, '\''))));
    if (str_consume(&rest, STR("L['args'][")) && str_i64(str_split(&rest, ']'), &n))
        return arena_printf(f->arena, "argument %lld%.*s", (long long)n + 1, STR_ARG(rest));
    rest = source;
    if (!str_consume(&rest, STR("L['fn']")))
        return (struct str){0};
    type = type_of(f, c, "L['fn']");
    return type.n ? arena_printf(f->arena, "%.*s%.*s", STR_ARG(type), STR_ARG(guard_name(f->arena, rest)))
                  : (struct str){0};
}

static struct str plain_name(struct finder *f, const struct compile *c, struct str source)
{
    struct str name = {0};

    if (c->frame && caller_is_wrapper(c->frame))
        name = name_in_wrapper(f, c, source);
    return str_take(name.n ? name : guard_name(f->arena, source), 200);
}

struct str recompile_input_name(struct finder *f, const struct compile *c, struct str source)
{
    return arena_printf(f->arena, "`%.*s`", STR_ARG(plain_name(f, c, source)));
}

/* --- sizes -------------------------------------------------------------------------------------------------------- */

static bool moved_alike(const struct input_change *a, const struct input_change *b)
{
    return a->dim == b->dim && str_eq(a->from, b->from) && str_eq(a->to, b->to);
}

/* "`ids`, `mask` and 3 more": all inputs of which the same dimension moved in the same way. */
static struct str names_of(struct finder *f, const struct compile *c, const struct input_changes *inputs,
                           const struct input_change *like)
{
    enum { SHOWN = 3 };
    struct str out = {0};
    size_t n = 0, all = 0;

    vec_each(const struct input_change, x, &inputs->list) all += moved_alike(x, like);
    vec_each(const struct input_change, x, &inputs->list)
    {
        const char *before = n == 0 ? "" : n + 1 == all ? " and " : ", ";

        if (!moved_alike(x, like) || n++ >= SHOWN)
            continue;
        out = arena_printf(f->arena, "%.*s%s%.*s", STR_ARG(out), before, STR_ARG(recompile_input_name(f, c, x->source)));
    }
    return n > SHOWN ? arena_printf(f->arena, "%.*s and %zu more", STR_ARG(out), n - SHOWN) : out;
}

static struct str words_of_move(struct finder *f, const struct input_change *x, struct str names)
{
    struct str from = str_take(x->from, 40), to = str_take(x->to, 40);

    if (x->dim == INPUT_NUMBER)
        return arena_printf(f->arena, "%.*s went from %.*s to %.*s", STR_ARG(names), STR_ARG(from), STR_ARG(to));
    if (str_eq(from, STR("2 or more")))
        return arena_printf(f->arena, "dimension %lld of %.*s is now %.*s, and the compiled code takes 2 and more",
                            (long long)x->dim, STR_ARG(names), STR_ARG(to.n ? to : STR("0 or 1")));
    return arena_printf(f->arena, "dimension %lld of %.*s went from %.*s to %.*s", (long long)x->dim, STR_ARG(names),
                        STR_ARG(from), STR_ARG(to));
}

static bool is_first_of_kind(const struct input_changes *inputs, const struct input_change *x)
{
    for (const struct input_change *before = inputs->list.v; before < x; before++)
        if (moved_alike(before, x))
            return false;
    return true;
}

static struct str words_of_inputs(struct finder *f, const struct compile *c, const struct input_changes *inputs)
{
    enum { SHOWN = 3 };
    struct str out = {0};
    size_t n = 0;

    vec_each(const struct input_change, x, &inputs->list)
    {
        struct str move;

        if (!is_first_of_kind(inputs, x) || n++ >= SHOWN)
            continue;
        move = words_of_move(f, x, names_of(f, c, inputs, x));
        out = arena_printf(f->arena, "%.*s%s%.*s", STR_ARG(out), out.n ? ", " : "", STR_ARG(move));
    }
    return n > SHOWN ? arena_printf(f->arena, "%.*s, and %zu more", STR_ARG(out), n - SHOWN) : out;
}

/* --- other values ------------------------------------------------------------------------------------------------- */

/* What stands behind "was V" where the new value is not known. */
static const char *const open_ends[] = {" and is now something else", " and no longer is", " and is now different",
                                        " and now has another"};

/* "`n` was 2 and is now 3" */
static struct str close_end(struct finder *f, struct str words, struct str now)
{
    for (size_t i = 0; i < sizeof open_ends / sizeof *open_ends; i++)
        if (str_ends(words, str_of(open_ends[i])))
            return arena_printf(f->arena, "%.*s and %s %.*s",
                                STR_ARG(str_drop(words, strlen(open_ends[i]))),
                                i == 3 ? "now has type" : "is now", STR_ARG(now));
    return words;
}

/* The name in backticks, as guard_words wrote it, becomes the one given. */
static struct str rename_value(struct finder *f, struct str words, struct str from, struct str to)
{
    struct str mark = arena_printf(f->arena, "`%.*s`", STR_ARG(from));
    ptrdiff_t at = from.n ? str_find(words, mark) : -1;

    if (at < 0 || str_eq(from, to))
        return words;
    return arena_printf(f->arena, "%.*s`%.*s`%.*s", (int)at, words.p, STR_ARG(to),
                        STR_ARG(str_skip(words, (size_t)at + mark.n)));
}

static struct str new_value(struct finder *f, const struct compile *c, const struct guard_reason *failed)
{
    struct str source = recompile_full_source(f->arena, failed->source), now = {0};

    if (failed->actual.n)
        return failed->actual;
    if (failed->class == GUARD_INT || failed->class == GUARD_FLOAT || failed->class == GUARD_MODULE_ATTRIBUTE)
        now = input_value(f->arena, c, source, INPUT_NUMBER);
    return now.n ? now : guard_facts_now(f, guard_facts_of(f, c), failed);
}

/* "the value from line 4" for ___stack0: what a resume function is handed has no name. */
static struct str name_from_break(struct finder *f, const struct frame *fr, struct str words, struct str name)
{
    struct str mark = arena_printf(f->arena, "`%.*s`", STR_ARG(name));
    ptrdiff_t at = str_find(words, mark);

    if (at < 0)
        return words;
    return arena_printf(f->arena, "%.*sthe value from line %lld%.*s", (int)at, words.p, (long long)fr->resumes_line,
                        STR_ARG(str_skip(words, (size_t)at + mark.n)));
}

struct str recompile_words(struct finder *f, const struct compile *c, const struct guard_reason *failed,
                           const struct input_changes *inputs)
{
    struct str words, now, name;

    if (!failed)
        return (struct str){0};
    if (inputs->list.n && (failed->class == GUARD_SIZE || failed->class == GUARD_SHAPE_EXPRESSION))
        return words_of_inputs(f, c, inputs);
    now = str_take(new_value(f, c, failed), 100);
    words = now.n ? close_end(f, failed->words, now) : failed->words;
    if (recompile_is_from_break(failed))
        return name_from_break(f, c->frame, words, failed->name);
    name = plain_name(f, c, recompile_full_source(f->arena, failed->source));
    return c->frame && caller_is_wrapper(c->frame) ? rename_value(f, words, failed->name, name) : words;
}
