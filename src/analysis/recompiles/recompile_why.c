#include "analysis/recompiles/recompile_why.h"

#include "analysis/find/callee.h"
#include "analysis/find/caller.h"
#include "analysis/recompiles/recompile_names.h"
#include "text/guards/guard_name.h"
#include "text/guards/guard_words.h"

/* --- the reason that shows what is new ---------------------------------------------------------------------------- */

/* An earlier compile, its guard that failed, and the other differences from the new compile. */
struct candidate {
    const struct compile *compile; /* NULL unknown */
    const struct guard_reason *reason;
    struct guard_differences differences;
    bool repeated; /* the previous recompile had the same reason */
};

struct candidates {
    VEC(struct candidate) list; /* newest first */
};

/* The compile of the same frame that a reason refers to: "0/1". */
static const struct compile *compile_named(const struct frame *fr, struct str id)
{
    int64_t number;

    id = str_skip(id, (size_t)(str_rchr(id, '/') + 1));
    id = str_split(&id, '_');
    if (!str_i64(id, &number))
        return NULL;
    for (size_t i = 0; i < fr->compiles.n; i++)
        if (fr->compiles.v[i]->id.compile == number)
            return fr->compiles.v[i];
    return NULL;
}

/* The previous compile of the frame. */
static const struct compile *compile_before(const struct compile *c)
{
    const struct compile *before = NULL;

    for (size_t i = 0; i < c->frame->compiles.n && c->frame->compiles.v[i] != c; i++)
        before = c->frame->compiles.v[i];
    return before;
}

/* The values that the entry was made for have changed before; they are not why there is one more. */
static bool is_repeated(const struct compile *before, const struct guard_reason *g)
{
    for (size_t i = 0; before && g->guard.n && i < before->reasons.n; i++) {
        struct str text = before->reasons.v[i].text;

        if (str_consume(&text, g->against) && str_consume(&text, STR(": ")) && str_starts(text, g->guard))
            return true;
    }
    return false;
}

static void add_candidate(struct finder *f, const struct compile *c, const struct guard_reason *g,
                          struct candidates *out)
{
    struct candidate *x = vec_add(f->arena, &out->list);

    x->reason = g;
    x->repeated = is_repeated(compile_before(c), g);
    x->compile = compile_named(c->frame, g->against);
    if (x->compile && !c->limit_hit) {
        /*
         * In separate statements: placeholders are numbered as texts are read, and C does not fix the order of
         * arguments.
         */
        const struct guard_facts *before = guard_facts_of(f, x->compile);

        guard_facts_compare(f, before, guard_facts_of(f, c), &x->differences);
    }
}

static bool same_thing(const struct guard_reason *a, const struct guard_reason *b)
{
    return recompile_change_of(a) == recompile_change_of(b) && str_eq(a->source, b->source) &&
           (a->class != GUARD_GLOBAL_STATE || str_eq(a->guard, b->guard));
}

static bool has_difference(const struct guard_differences *d, struct str source)
{
    vec_each(const struct guard_difference, x, &d->list) if (str_eq(x->source, source)) return true;
    return false;
}

/* A message with several global settings counts as that many differences. */
static size_t settings_in(const struct guard_reason *g)
{
    struct str rest = g->guard;
    size_t n = 0;

    if (!str_consume(&rest, STR("GLOBAL_STATE changed:")))
        return 1;
    while (str_trim(rest).n)
        n += str_split(&rest, ' ').n > 0;
    return n ? n : 1;
}

/* Until 2.6 the guards do not show the global settings; only the reason does. */
static size_t distance_of(const struct candidate *x)
{
    size_t n = guard_differences_count(&x->differences), settings = settings_in(x->reason);

    if (!x->differences.known)
        return settings;
    if (x->reason->class == GUARD_SHAPE_EXPRESSION) /* a guard of a dynamic compile: sizes are not a difference */
        return n;
    /* the failed guard is a difference, whether the guards show it or not */
    if (x->reason->class != GUARD_GLOBAL_STATE)
        return n ? n : 1;
    return has_difference(&x->differences, STR("GLOBAL_STATE")) ? n + settings - 1 : n + settings;
}

/*
 * Between two with the same distance: the one that would have passed with dynamic shapes, else the one with fewer
 * unknowns. A compile for another key of a dict checked that key, and the new one did not.
 */
static bool is_nearer(const struct candidate *x, const struct candidate *than)
{
    if (x->reason->could_be_dynamic != than->reason->could_be_dynamic)
        return x->reason->could_be_dynamic;
    if (x->repeated != than->repeated)
        return than->repeated;
    return x->differences.known && than->differences.known && x->differences.alone < than->differences.alone;
}

/* The earlier compile with the fewest differences; the newest of equals. */
static const struct candidate *nearest(const struct candidates *all)
{
    const struct candidate *best = &all->list.v[0];
    size_t least = distance_of(best);

    vec_each(const struct candidate, x, &all->list)
    {
        size_t n = distance_of(x);

        if (n < least || (n == least && is_nearer(x, best))) {
            least = n;
            best = x;
        }
    }
    return best;
}

/* It differs from every earlier compile: even with everything else equal, there would be a recompile. */
static bool is_new_to_all(const struct candidates *all, struct str source)
{
    vec_each(const struct candidate, x, &all->list) if (!has_difference(&x->differences, source)) return false;
    return true;
}

static bool are_known(const struct candidates *all)
{
    vec_each(const struct candidate, x, &all->list) if (!x->differences.known) return false;
    return true;
}

/* A module always keeps its parts in dicts: a check of the dict's type says nothing. */
static bool is_part_of_module(const struct guard_reason *g)
{
    return g->class == GUARD_TYPE &&
           (str_ends(g->source, STR("._modules")) || str_ends(g->source, STR("._parameters")) ||
            str_ends(g->source, STR("._buffers")));
}

/*
 * The check of the newest compile as a reason. PyTorch reports only the first failed guard of each compile, which may
 * never be this one.
 */
static const struct guard_reason *reason_of_check(struct finder *f, const struct candidate *x, struct str check)
{
    struct guard_reason *g = ARENA_NEW(f->arena, struct guard_reason);

    guard_reason_parse(f->arena, arena_str(f->arena, str_take(check, 1000)), g);
    g->against = x->reason->against;
    return g->class == GUARD_GLOBAL_STATE || g->class == GUARD_OTHER || is_part_of_module(g) ? NULL : g;
}

/*
 * Something that no earlier compile was made for. `out` stays unchanged if each value was seen before, though not
 * together.
 */
static void find_new_to_all(struct finder *f, const struct candidates *all, struct candidate *out)
{
    const struct candidate *newest = &all->list.v[0];

    vec_each(const struct guard_difference, d, &newest->differences.list)
    {
        const struct guard_reason *reason;

        if (!is_new_to_all(all, d->source) || !(reason = reason_of_check(f, newest, d->check)))
            continue;
        *out = *newest;
        out->reason = reason;
        return;
    }
}

static bool is_of_tensor(enum guard_class class)
{
    return class == GUARD_SIZE || class == GUARD_STRIDE || class == GUARD_NDIM || class == GUARD_DTYPE ||
           class == GUARD_DEVICE || class == GUARD_LAYOUT || class == GUARD_REQUIRES_GRAD;
}

static bool has_variable(const struct guard_differences *d, struct str variable)
{
    vec_each(const struct guard_difference, x, &d->list) if (str_eq(x->variable, variable)) return true;
    return false;
}

/* Whether the subject of the reason differs from every earlier compile, as far as their guards check it. */
static bool is_new(struct finder *f, const struct candidates *all, const struct guard_reason *g)
{
    struct str source = recompile_full_source(f->arena, g->source), variable;
    bool tensor = is_of_tensor(g->class);

    if (source.n == 0 || g->class == GUARD_SHAPE_EXPRESSION)
        return true;
    variable = guard_variable(source);
    vec_each(const struct candidate, x,
             &all->list) if (tensor ? !x->differences.tensors : !has_variable(&x->differences, variable)) return false;
    return true;
}

/*
 * Compiles of other functions behind the same wrapper do not apply to this one, whatever PyTorch reports about them:
 * usually a size, because that guard comes first. Returns whether all of them are such compiles; if not, removes those
 * that are.
 */
static bool are_of_other_callees(struct finder *f, const struct recompile *rc, struct candidates *all, struct str *code)
{
    struct candidates alike = {0};
    struct str wrapped;

    if (!are_known(all) || caller_is_wrapper(rc->compile->frame))
        return false;
    wrapped = callee_wrapped(guard_facts_of(f, rc->compile));
    *code = arena_printf(f->arena, "%.*s.__code__", STR_ARG(wrapped));
    if (wrapped.n == 0)
        return false;
    vec_each(const struct candidate, x, &all->list) if (!has_difference(&x->differences, *code))
        vec_push(f->arena, &alike.list, *x);
    if (alike.list.n == 0)
        return true;
    *all = alike;
    return false;
}

/* Takes the reason from the newest compile. */
static bool find_other_callee(struct finder *f, const struct candidates *all, struct str code, struct candidate *out)
{
    *out = all->list.v[0];
    vec_each(const struct guard_difference, d, &all->list.v[0].differences.list) if (str_eq(d->source, code))
    {
        out->reason = reason_of_check(f, out, d->check);
        return out->reason != NULL;
    }
    return false;
}

/* Returns whether it is another function behind the same wrapper. */
static bool choose(struct finder *f, const struct recompile *rc, struct candidate *out)
{
    enum { LOOKED_AT_MAX = 64 };
    struct candidates all = {0};
    struct str code;
    bool alike = true;

    for (size_t i = 0; i < rc->reasons.n && i < LOOKED_AT_MAX; i++)
        add_candidate(f, rc->compile, &rc->reasons.v[i], &all);
    if (are_of_other_callees(f, rc, &all, &code) && find_other_callee(f, &all, code, out))
        return true;
    vec_each(const struct candidate, x, &all.list) alike = alike && same_thing(all.list.v[0].reason, x->reason);
    *out = alike ? all.list.v[0] : *nearest(&all);
    if (!alike && are_known(&all) && !is_new(f, &all, out->reason))
        find_new_to_all(f, &all, out);
    return false;
}

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
static void note_beside(struct finder *f, const struct candidate *chosen, struct recompile_why *out)
{
    enum { BESIDE_MAX = 20 };
    struct str own = recompile_full_source(f->arena, chosen->reason->source);
    bool tensors = chosen->differences.tensors && !is_of_tensor(chosen->reason->class);

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
    struct candidate chosen;
    bool callee;

    *out = (struct recompile_why){.recompile = rc};
    if (rc->reasons.n == 0)
        return;
    callee = choose(f, rc, &chosen);
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
