#include "analysis/recompiles/recompile_choice.h"

#include "analysis/find/callee.h"
#include "analysis/find/caller.h"

struct candidates {
    VEC(struct recompile_choice) list; /* newest first */
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
    struct recompile_choice *x = vec_add(f->arena, &out->list);

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
static size_t distance_of(const struct recompile_choice *x)
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
static bool is_nearer(const struct recompile_choice *x, const struct recompile_choice *than)
{
    if (x->reason->could_be_dynamic != than->reason->could_be_dynamic)
        return x->reason->could_be_dynamic;
    if (x->repeated != than->repeated)
        return than->repeated;
    return x->differences.known && than->differences.known && x->differences.alone < than->differences.alone;
}

/* The earlier compile with the fewest differences; the newest of equals. */
static const struct recompile_choice *nearest(const struct candidates *all)
{
    const struct recompile_choice *best = &all->list.v[0];
    size_t least = distance_of(best);

    vec_each(const struct recompile_choice, x, &all->list)
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
    vec_each(const struct recompile_choice, x, &all->list) if (!has_difference(&x->differences, source)) return false;
    return true;
}

static bool are_known(const struct candidates *all)
{
    vec_each(const struct recompile_choice, x, &all->list) if (!x->differences.known) return false;
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
static const struct guard_reason *reason_of_check(struct finder *f, const struct recompile_choice *x, struct str check)
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
static void find_new_to_all(struct finder *f, const struct candidates *all, struct recompile_choice *out)
{
    const struct recompile_choice *newest = &all->list.v[0];

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

static bool has_variable(const struct guard_differences *d, struct str variable)
{
    vec_each(const struct guard_difference, x, &d->list) if (str_eq(x->variable, variable)) return true;
    return false;
}

/* Whether the subject of the reason differs from every earlier compile, as far as their guards check it. */
static bool is_new(struct finder *f, const struct candidates *all, const struct guard_reason *g)
{
    struct str source = recompile_full_source(f->arena, g->source), variable;
    bool tensor = recompile_is_of_tensor(g->class);

    if (source.n == 0 || g->class == GUARD_SHAPE_EXPRESSION)
        return true;
    variable = guard_variable(source);
    vec_each(const struct recompile_choice, x,
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
    vec_each(const struct recompile_choice, x, &all->list) if (!has_difference(&x->differences, *code))
        vec_push(f->arena, &alike.list, *x);
    if (alike.list.n == 0)
        return true;
    *all = alike;
    return false;
}

/* Takes the reason from the newest compile. */
static bool find_other_callee(struct finder *f, const struct candidates *all, struct str code,
                              struct recompile_choice *out)
{
    *out = all->list.v[0];
    vec_each(const struct guard_difference, d, &all->list.v[0].differences.list) if (str_eq(d->source, code))
    {
        out->reason = reason_of_check(f, out, d->check);
        return out->reason != NULL;
    }
    return false;
}

/* --- functions behind PyTorch's own wrapper ----------------------------------------------------------------------- */

/*
 * All modules of torch.nn and all functions that Dynamo does not enter are compiled as one function, `inner` of
 * torch/_dynamo/external_utils.py (wrap_inline), which calls `fn`.
 */
static bool is_shared(const struct frame *fr)
{
    return fr && !fr->is_resume && str_eq(fr->name, STR("inner")) &&
           str_ends(fr->file, STR("torch/_dynamo/external_utils.py"));
}

/* Until 2.6 the guards only have the type's address, not its name. */
static bool is_of_function(const struct guard_difference *d)
{
    return (str_eq(d->source, STR("L['fn']")) && str_has(d->check, STR("___check_type_id("))) ||
           str_eq(d->source, STR("L['fn'].__code__"));
}

/* Whether the two compiles are of different functions: false where that is not known. */
static bool calls_another(struct finder *f, const struct compile *a, const struct compile *b)
{
    const struct guard_facts *of_a = guard_facts_of(f, a), *of_b = guard_facts_of(f, b);
    struct str type_a = guard_facts_type(of_a, STR("L['fn']")), type_b = guard_facts_type(of_b, STR("L['fn']"));
    struct guard_differences differences = {0};

    if (type_a.n && type_b.n && !str_eq(type_a, type_b))
        return true;
    guard_facts_compare(f, of_a, of_b, &differences);
    vec_each(const struct guard_difference, d, &differences.list) if (is_of_function(d)) return true;
    return false;
}

bool recompile_is_first_of_function(struct finder *f, const struct recompile *rc)
{
    const struct compile *c = rc->compile;
    enum { LOOKED_AT_MAX = 64 };

    if (!is_shared(c->frame) || rc->chain == NULL || rc->chain->limit)
        return false;
    if (c->frame->compiles.v[0] == c) /* an excerpt, which lacks the compile before */
        return false;
    for (size_t i = 0; i < c->frame->compiles.n && c->frame->compiles.v[i] != c; i++)
        if (i >= LOOKED_AT_MAX || !calls_another(f, c->frame->compiles.v[i], c))
            return false;
    return true;
}

/* A compile of another function does not apply to this one, whatever guard of it failed first. */
static void drop_other_functions(struct finder *f, const struct recompile *rc, struct candidates *all)
{
    struct candidates alike = {0};

    if (!is_shared(rc->compile->frame) || rc->compile->limit_hit)
        return;
    vec_each(const struct recompile_choice, x,
             &all->list) if (!x->compile || !calls_another(f, x->compile, rc->compile))
        vec_push(f->arena, &alike.list, *x);
    if (alike.list.n)
        *all = alike;
}

bool recompile_choose(struct finder *f, const struct recompile *rc, struct recompile_choice *out)
{
    enum { LOOKED_AT_MAX = 64 };
    struct candidates all = {0};
    struct str code;
    bool alike = true;

    for (size_t i = 0; i < rc->reasons.n && i < LOOKED_AT_MAX; i++)
        add_candidate(f, rc->compile, &rc->reasons.v[i], &all);
    drop_other_functions(f, rc, &all);
    if (are_of_other_callees(f, rc, &all, &code) && find_other_callee(f, &all, code, out))
        return true;
    vec_each(const struct recompile_choice, x, &all.list) alike = alike && same_thing(all.list.v[0].reason, x->reason);
    *out = alike ? all.list.v[0] : *nearest(&all);
    if (!alike && are_known(&all) && !is_new(f, &all, out->reason))
        find_new_to_all(f, &all, out);
    return false;
}
