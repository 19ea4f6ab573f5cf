#include "analysis/recompiles/recompile_why.h"

#include "analysis/find/callee.h"
#include "analysis/recompiles/recompile_choice.h"
#include "analysis/recompiles/recompile_names.h"
#include "text/guards/guard_name.h"
#include "text/guards/guard_words.h"

/* --- sizes -------------------------------------------------------------------------------------------------------- */

bool recompile_is_small(const struct input_change *x)
{
    if (x->dim == INPUT_NUMBER) /* 0 and 1 are like any other */
        return false;
    return words_is_specialized(x->from) || words_is_specialized(x->to) || str_eq(x->from, STR("2 or more"));
}

/* Sizes that were constants in the earlier compile: only these can have failed. */
static void add_sizes(struct finder *f, struct recompile_why *why)
{
    struct input_changes all = {0};
    const struct call *at;

    if (!why->against)
        return;
    input_size_changes(f->arena, why->against, why->recompile->compile, &all);
    vec_each(const struct input_change, x, &all.list) if (input_state_of(why->against, x->source, x->dim, &at) !=
                                                          INPUT_DYNAMIC) vec_push(f->arena, &why->inputs.list, *x);
}

/* The input named in the message, if the trace has no tensors to compare. */
static void add_named_input(struct finder *f, struct recompile_why *why)
{
    const struct guard_reason *g = why->reason;
    struct str source = recompile_full_source(f->arena, g->source);
    int64_t dim = g->class == GUARD_SIZE ? g->index : INPUT_NUMBER;
    struct str now = g->actual;

    vec_each(const struct input_change, x, &why->inputs.list) if (str_eq(x->source, source) && x->dim == dim) return;
    if (now.n == 0)
        now = dim == INPUT_NUMBER ? recompile_new_value(f, why->recompile->compile, g)
                                  : input_value(f->arena, why->recompile->compile, source, dim);
    vec_push(f->arena, &why->inputs.list, ((struct input_change){source, dim, g->expected, now}));
}

/* "2 <= x.size()[0] <= 5" failed because the size is 1: then the code does not decide it. */
static bool is_lower_bound(struct finder *f, struct recompile_why *why)
{
    const struct guard_reason *g = why->reason;
    struct str rest = g->guard, source, now;
    int64_t dim;

    if (!str_consume(&rest, STR("2 <= ")) || !input_parse_size(rest, &source, &dim))
        return false;
    source = recompile_full_source(f->arena, source);
    now = input_value(f->arena, why->recompile->compile, source, dim);
    if (!words_is_specialized(now))
        return false;
    vec_push(f->arena, &why->inputs.list, ((struct input_change){source, dim, STR("2 or more"), now}));
    return true;
}

/* A size that is 0 or 1 does not matter if another size that could be dynamic changed. */
static enum change kind_of_sizes(const struct recompile_why *why)
{
    vec_each(const struct input_change, x, &why->inputs.list) if (!recompile_is_small(x)) return CHANGE_SIZE;
    return CHANGE_SMALL_SIZE;
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

static bool is_number(const struct guard_reason *g)
{
    return g->class == GUARD_INT || g->class == GUARD_FLOAT || g->class == GUARD_MODULE_ATTRIBUTE;
}

/* An int that becomes a float does not count as varying. */
static bool is_other_kind(const struct input_change *x)
{
    int64_t n;

    return x->to.n && str_i64(x->from, &n) && !str_i64(x->to, &n);
}

/*
 * PyTorch checks inputs first, and so reports a size when the function was called on another module. A buffer may be
 * resized; a parameter is not.
 */
static bool is_other_module(struct finder *f, struct recompile_why *why)
{
    struct guard_reason *size;
    struct input_change x;

    if (!why->against || why->recompile->compile->limit_hit ||
        !input_module_change(f->arena, why->against, why->recompile->compile, &x))
        return false;
    size = ARENA_NEW(f->arena, struct guard_reason);
    *size = *why->reason;
    size->source = x.source;
    size->name = guard_name(f->arena, x.source);
    size->words = arena_printf(f->arena,
                               "it is called on another module: dimension %lld of `%.*s` went from %.*s to "
                               "%.*s",
                               (long long)x.dim, STR_ARG(size->name), STR_ARG(x.from), STR_ARG(x.to));
    why->reason = size;
    why->change = CHANGE_MODULE;
    return true;
}

static void explain_inputs(struct finder *f, struct recompile_why *why)
{
    if ((why->change == CHANGE_SIZE || why->change == CHANGE_SMALL_SIZE) && is_other_module(f, why))
        return;
    if (why->change == CHANGE_SIZE || why->change == CHANGE_SMALL_SIZE) {
        if (!str_starts(why->reason->guard, STR("2 <= ")))
            add_sizes(f, why);
        add_named_input(f, why);
        why->change = kind_of_sizes(why);
    } else if (why->change == CHANGE_RELATION && is_lower_bound(f, why)) {
        why->change = CHANGE_SMALL_SIZE;
    } else if (is_number(why->reason) || why->change == CHANGE_PARAMETER) {
        add_named_input(f, why);
        if (is_other_kind(&why->inputs.list.v[0]))
            why->change = CHANGE_TYPE;
    }
}

/* "clip" of "(1.0 + clip) == 1.2". */
static bool begins_name(struct str s, size_t at)
{
    char c = s.p[at], before = at > 0 ? s.p[at - 1] : ' ';

    return str_is_word_char(c) && (c < '0' || c > '9') && !str_is_word_char(before) && before != '.';
}

static struct str variable_in(struct str expression)
{
    size_t at = 0, n = 0;

    while (at < expression.n && !begins_name(expression, at))
        at++;
    while (at + n < expression.n && str_chr(STR(" ,)=*+-/<>"), expression.p[at + n]) < 0)
        n++;
    return str_range(expression.p + at, expression.p + at + n);
}

/*
 * A value computed from a float before it is used with a tensor becomes a constant, with a guard on the result: the
 * float changed, and making it dynamic does not help (_tensorify_python_scalars.py).
 */
static void explain_computed(struct finder *f, struct recompile_why *why)
{
    const struct guard_reason *g = why->reason;
    struct guard_reason *number;
    struct str source = recompile_full_source(f->arena, variable_in(g->guard)), was;

    if (!str_has(g->guard, STR("_tensorify_python_scalars.py")) &&
        !str_has(g->user_file, STR("_tensorify_python_scalars.py")))
        return;
    was = why->against ? input_value(f->arena, why->against, source, INPUT_NUMBER) : (struct str){0};
    if (was.n == 0)
        return;
    number = ARENA_NEW(f->arena, struct guard_reason);
    *number = *g;
    number->class = GUARD_FLOAT;
    number->source = source;
    number->name = guard_name(f->arena, source);
    number->expected = was;
    number->words = arena_printf(f->arena, "the Python number `%.*s` was %.*s and has changed",
                                 STR_ARG(number->name), STR_ARG(was));
    why->reason = number;
    why->change = CHANGE_FLOAT;
    why->computed = true;
}

/* The length of **kwargs. */
static bool is_about_arguments(struct finder *f, const struct compile *c, const struct guard_reason *g)
{
    return g->class == GUARD_LENGTH && str_eq(recompile_full_source(f->arena, g->source), STR("L['kwargs']")) &&
           callee_passes_on(c->frame, guard_facts_of(f, c));
}

/* What differs besides the reason; for tensors, only whether any does. */
static void note_beside(struct finder *f, const struct recompile_choice *chosen, struct recompile_why *out)
{
    enum { BESIDE_MAX = 20 };
    struct str own = recompile_full_source(f->arena, chosen->reason->source);
    bool tensors = chosen->differences.tensors && !recompile_is_of_tensor(chosen->reason->class);

    vec_each(const struct guard_difference, d, &chosen->differences.list)
    {
        if (!str_eq(d->source, own) && out->beside.n < BESIDE_MAX)
            vec_push(f->arena, &out->beside, arena_str(f->arena, d->source));
    }
    out->alone = chosen->differences.known && out->beside.n == 0 && !tensors;
}

/*
 * Until 2.6 None is compared by identity, and the guard does not say what it compares. Other values that are, such as
 * True and functions, rarely become a tensor or an object that is compared by its type.
 */
static bool was_none(struct finder *f, const struct compile *c, const struct guard_reason *g)
{
    struct str now = recompile_new_value(f, c, g);

    return !str_has(g->guard, STR("type=<class '")) &&
           (str_eq(now, STR("a tensor")) || str_eq(now, STR(VALUE_OF_A_TYPE)));
}

void recompile_explain_one(struct finder *f, const struct recompile *rc, struct recompile_why *out)
{
    struct recompile_choice chosen;
    bool callee;

    *out = (struct recompile_why){.recompile = rc};
    if (rc->reasons.n == 0)
        return;
    callee = recompile_choose(f, rc, &chosen);
    out->reason = chosen.reason;
    out->against = chosen.compile;
    out->change = callee ? CHANGE_CALLEE : recompile_change_of(chosen.reason);
    if (is_about_arguments(f, rc->compile, chosen.reason))
        out->change = CHANGE_ARGUMENTS;
    if (out->change == CHANGE_IDENTITY && was_none(f, rc->compile, chosen.reason))
        out->change = CHANGE_NONE;
    out->others =
        guard_differences_words(f, &chosen.differences, recompile_full_source(f->arena, chosen.reason->source));
    note_beside(f, &chosen, out);
    if (out->change == CHANGE_RELATION)
        explain_computed(f, out);
    explain_inputs(f, out);
}
