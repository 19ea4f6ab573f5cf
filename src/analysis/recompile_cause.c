#include "analysis/recompile_cause.h"

#include "analysis/caller.h"
#include "analysis/recompile_words.h"
#include "util/json.h"
#include "util/number.h"

#include <stdlib.h>

/* --- the earlier compile that is nearest --------------------------------------------------------------------------- */

/* The compile of the same frame that a reason names: "0/1". */
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

/* Several global settings in one message are as many differences. */
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

static size_t distance(struct finder *f, const struct compile *c, const struct guard_reason *g)
{
    const struct compile *against = compile_named(c->frame, g->against);
    size_t n = 0;

    if (against && !c->limit_hit)
        n = guard_facts_differences(guard_facts_of(f, against), guard_facts_of(f, c));
    return (n ? n : 1) + settings_in(g) - 1;
}

static bool same_thing(const struct guard_reason *a, const struct guard_reason *b)
{
    return recompile_change_of(a) == recompile_change_of(b) && str_eq(a->source, b->source) &&
           (a->class != GUARD_GLOBAL_STATE || str_eq(a->guard, b->guard));
}

/*
 * Of the earlier compiles the one that differs least; of equals one that dynamic shapes would have let through, else the
 * newest, which comes first.
 */
static const struct guard_reason *nearest_reason(struct finder *f, const struct recompile *rc)
{
    enum { LOOKED_AT_MAX = 64 };
    const struct guard_reason *best = rc->reasons.n ? &rc->reasons.v[0] : NULL;
    size_t least = SIZE_MAX;
    bool alike = true;

    for (size_t i = 1; i < rc->reasons.n; i++)
        alike = alike && same_thing(best, &rc->reasons.v[i]);
    for (size_t i = 0; i < rc->reasons.n && i < LOOKED_AT_MAX && !alike; i++) {
        const struct guard_reason *g = &rc->reasons.v[i];
        size_t n = distance(f, rc->compile, g);

        if (n < least || (n == least && g->could_be_dynamic && !best->could_be_dynamic)) {
            least = n;
            best = g;
        }
    }
    return best;
}

/* --- what changed in one recompile --------------------------------------------------------------------------------- */

/* Why one function was compiled again once. */
struct why {
    const struct recompile *recompile;
    const struct guard_reason *reason; /* NULL unknown */
    const struct compile *against;     /* whose guard it is; NULL unknown */
    enum change change;
    struct input_changes inputs;
};

static bool is_small(struct str value)
{
    return str_eq(value, STR("0")) || str_eq(value, STR("1"));
}

static bool is_small_change(const struct input_change *x)
{
    return is_small(x->from) || is_small(x->to);
}

/* Sizes that the earlier compile took for constants: only these can have failed. */
static void add_sizes(struct finder *f, struct why *why)
{
    struct input_changes all = {0};
    const struct call *at;

    if (!why->against)
        return;
    input_size_changes(f->arena, why->against, why->recompile->compile, &all);
    vec_each(const struct input_change, x,
             &all.list) if (input_state_of(why->against, x->source, x->dim, &at) != INPUT_DYNAMIC)
        vec_push(f->arena, &why->inputs.list, *x);
}

/* What the message names, where the trace has no tensors to compare. */
static void add_named_input(struct finder *f, struct why *why)
{
    const struct guard_reason *g = why->reason;
    struct str source = recompile_full_source(f->arena, g->source);
    int64_t dim = g->class == GUARD_SIZE ? g->index : INPUT_NUMBER;
    struct str now = g->actual;

    vec_each(const struct input_change, x,
             &why->inputs.list) if (str_eq(x->source, source) && x->dim == dim) return;
    if (now.n == 0)
        now = input_value(f->arena, why->recompile->compile, source, dim);
    vec_push(f->arena, &why->inputs.list, ((struct input_change){source, dim, g->expected, now}));
}

/* "2 <= x.size()[0] <= 5" failed since the size is 1: then it is not the code that decides. */
static bool is_lower_bound(struct finder *f, struct why *why)
{
    const struct guard_reason *g = why->reason;
    struct str source = g->guard, index, now;
    ptrdiff_t at = str_find(source, STR(".size()["));
    int64_t dim;

    if (at < 0 || !str_consume(&source, STR("2 <= ")) || !str_between(source, STR(".size()["), STR("]"), &index) ||
        !str_i64(index, &dim))
        return false;
    source = recompile_full_source(f->arena, str_take(source, (size_t)at - 5));
    now = input_value(f->arena, why->recompile->compile, source, dim);
    if (!is_small(now))
        return false;
    vec_push(f->arena, &why->inputs.list, ((struct input_change){source, dim, STR("2 or more"), now}));
    return true;
}

/* A size that is 0 or 1 does not matter where another one changed that need not be a constant. */
static enum change kind_of_sizes(const struct why *why)
{
    vec_each(const struct input_change, x, &why->inputs.list) if (!is_small_change(x)) return CHANGE_SIZE;
    return CHANGE_SMALL_SIZE;
}

static void explain(struct finder *f, const struct recompile *rc, struct why *why)
{
    *why = (struct why){.recompile = rc, .reason = nearest_reason(f, rc)};
    why->change = recompile_change_of(why->reason);
    if (why->reason)
        why->against = compile_named(rc->compile->frame, why->reason->against);
    if (why->change == CHANGE_SIZE || why->change == CHANGE_SMALL_SIZE) {
        if (!str_starts(why->reason->guard, STR("2 <= ")))
            add_sizes(f, why);
        add_named_input(f, why);
        why->change = kind_of_sizes(why);
    } else if (why->change == CHANGE_INT || why->change == CHANGE_FLOAT || why->change == CHANGE_MODULE_ATTRIBUTE) {
        add_named_input(f, why);
    } else if (why->change == CHANGE_RELATION && is_lower_bound(f, why)) {
        why->change = CHANGE_SMALL_SIZE;
    }
}

/* --- causes ------------------------------------------------------------------------------------------------------- */

struct gathering {
    struct finder *finder;
    struct map by_function, by_words; /* of the thing that changed, and where, or how */
    struct map seen;                  /* functions, changes and inputs of every cause: how often each was there */
    struct recompile_causes *out;
};

/* The same code, whatever the rank and the epoch. */
static struct str function_key(struct finder *f, const struct frame *fr)
{
    return arena_printf(f->arena, "%lld %.*s\n%.*s", (long long)fr->line, STR_ARG(fr->file), STR_ARG(fr->name));
}

/*
 * What tells causes of one function apart. All sizes are one cause: they have one remedy. Of functions that are made
 * again and again it does not matter what is in them.
 */
static struct str thing_of(struct finder *f, const struct why *why)
{
    struct str source = why->reason ? why->reason->source : (struct str){0};

    if (why->change == CHANGE_SIZE || why->change == CHANGE_SMALL_SIZE)
        source = (struct str){0};
    else if (why->change == CHANGE_FUNCTION)
        source = str_split(&source, '.');
    else if (why->change == CHANGE_GLOBAL_STATE)
        source = why->reason->guard;
    else if (why->change == CHANGE_DICT)
        source = recompile_dict_of(source);
    return arena_printf(f->arena, "%d %.*s", (int)why->change, STR_ARG(source));
}

/* How often it was there, this time included. What: a letter that tells kinds of text apart. */
static size_t count_of(struct gathering *g, const struct recompile_cause *cause, char what, struct str text)
{
    struct arena *a = g->finder->arena;
    void **slot = map_at(&g->seen, arena_printf(a, "%c%p %.*s", what, (const void *)cause, STR_ARG(text)));
    size_t *count = *slot;

    if (!count)
        *slot = count = ARENA_NEW(a, size_t);
    return ++*count;
}

static struct recompile_cause *cause_of(struct gathering *g, const struct why *why, struct str words)
{
    struct arena *a = g->finder->arena;
    const struct frame *fr = why->recompile->compile->frame;
    struct str what = thing_of(g->finder, why), function = function_key(g->finder, fr);
    void **here = map_at(&g->by_function, arena_printf(a, "%.*s\n%.*s", STR_ARG(what), STR_ARG(function))), **alike;
    struct recompile_cause *cause;

    if (*here)
        return *here;
    /* Wrappers of PyTorch's are one function, whatever they wrap, and what they wrap is what is called. */
    alike = map_at(&g->by_words, arena_printf(a, "%.*s\n%.*s%.*s", STR_ARG(what), STR_ARG(words),
                                              STR_ARG(why->reason ? STR("") : function)));
    if (!*alike) {
        cause = ARENA_NEW(a, struct recompile_cause);
        cause->change = why->change;
        cause->sample = why->reason;
        cause->first = why->recompile;
        vec_push(a, &g->out->list, cause);
        *alike = cause;
    }
    return *here = *alike;
}

static void add_inputs(struct gathering *g, struct recompile_cause *cause, const struct why *why)
{
    struct arena *a = g->finder->arena;

    vec_each(const struct input_change, x, &why->inputs.list)
    {
        struct str key = arena_printf(a, "%.*s %lld", STR_ARG(x->source), (long long)x->dim);

        if (count_of(g, cause, 'i', key) == 1)
            vec_push(a, &cause->inputs.list, *x);
    }
}

/* What the compile made of everything that changed: the worst decides. */
static enum input_state state_of(const struct compile *c, const struct input_changes *inputs, const struct call **at)
{
    enum input_state worst = INPUT_UNKNOWN;
    const struct call *line;

    *at = NULL;
    vec_each(const struct input_change, x, &inputs->list)
    {
        enum input_state state = input_state_of(c, x->source, x->dim, &line);

        if (is_small_change(x) && state != INPUT_SPECIALIZED)
            continue;
        if (worst == INPUT_UNKNOWN || (worst == INPUT_DYNAMIC && state != INPUT_UNKNOWN) ||
            state == INPUT_SPECIALIZED) {
            worst = state;
            *at = line ? line : *at;
        }
    }
    return worst;
}

static void note_state(struct recompile_cause *cause, const struct why *why)
{
    const struct compile *c = why->recompile->compile;

    if (why->inputs.list.n == 0 || c->limit_hit)
        return;
    cause->state = state_of(c, &why->inputs, &cause->decided_at);
    if (!cause->made_dynamic && cause->state == INPUT_DYNAMIC)
        cause->made_dynamic = c;
}

static void add_recompile(struct gathering *g, const struct recompile *rc)
{
    struct finder *f = g->finder;
    const struct frame *fr = rc->compile->frame;
    struct recompile_cause *cause;
    struct str words;
    struct why why;
    size_t here;

    explain(f, rc, &why);
    words = recompile_words(f, rc->compile, why.reason, &why.inputs);
    cause = cause_of(g, &why, words);
    cause->functions += count_of(g, cause, 'f', function_key(f, fr)) == 1;
    here = count_of(g, cause, 'r',
                    arena_printf(f->arena, "%u %.*s", fr->process->index, STR_ARG(function_key(f, fr))));
    cause->most = here > cause->most ? here : cause->most;
    cause->duration_us = add_bounded(cause->duration_us, rc->duration_us > 0 ? rc->duration_us : 0);
    if (why.reason && count_of(g, cause, 'c', words) == 1)
        vec_push(f->arena, &cause->changes, words);
    vec_push(f->arena, &cause->list, rc);
    add_inputs(g, cause, &why);
    note_state(cause, &why);
}

static int by_time(const void *pa, const void *pb)
{
    const struct recompile_cause *a = *(struct recompile_cause *const *)pa, *b = *(struct recompile_cause *const *)pb;
    const struct compile *ca = a->first->compile, *cb = b->first->compile;

    if (a->duration_us != b->duration_us)
        return a->duration_us < b->duration_us ? 1 : -1;
    if (ca->process->index != cb->process->index)
        return ca->process->index < cb->process->index ? -1 : 1;
    return (ca->index > cb->index) - (ca->index < cb->index);
}

/* With error_on_recompile it is an error, and told as such. */
static bool is_forbidden(const struct compile *c)
{
    for (size_t i = 0; i < c->failures.n; i++)
        if (str_eq(c->failures.v[i]->type, STR("RecompileError")))
            return true;
    return false;
}

void recompile_causes_find(struct finder *f, const struct recompile_chain *const *chains, size_t n,
                           struct recompile_causes *out)
{
    struct gathering g = {.finder = f, .out = out};

    map_init(&g.by_function, f->arena);
    map_init(&g.by_words, f->arena);
    map_init(&g.seen, f->arena);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < chains[i]->list.n; k++)
            if (!is_forbidden(chains[i]->list.v[k]->compile))
                add_recompile(&g, chains[i]->list.v[k]);
        guard_facts_forget(f);
    }
    if (out->list.n)
        qsort(out->list.v, out->list.n, sizeof *out->list.v, by_time);
}

/* --- asked of a compile ------------------------------------------------------------------------------------------- */

/* "Sequential" of "torch.nn.modules.container.Sequential"; nothing of what is no class of a user's. */
static struct str class_name(struct str type)
{
    static const struct str others[] = {STR_INIT("function"), STR_INIT("method"), STR_INIT("functools.partial"),
                                        STR_INIT("builtin_function_or_method")};

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (str_eq(type, others[i]))
            return (struct str){0};
    return str_skip(type, (size_t)(str_rchr(type, '.') + 1));
}

/* What a wrapper of PyTorch's wraps: the module that is its `fn` or its `self`. */
static struct str wrapped_name(struct finder *f, const struct compile *c)
{
    static const struct str roots[] = {STR_INIT("L['fn']"), STR_INIT("L['self']")};
    struct str name = {0};

    for (size_t i = 0; i < 2 && name.n == 0; i++)
        name = class_name(guard_facts_type(guard_facts_of(f, c), roots[i]));
    return arena_str(f->arena, name);
}

struct str recompile_function_words(struct finder *f, const struct compile *c)
{
    const struct frame *fr = c->frame;
    struct str name = fr->is_resume ? fr->resumes : fr->name, wrapped = {0};
    const struct call *caller;

    for (size_t i = 0; i < fr->compiles.n && caller_is_wrapper(fr) && wrapped.n == 0; i++)
        wrapped = wrapped_name(f, fr->compiles.v[i]);
    if (wrapped.n)
        return arena_printf(f->arena, "`%.*s`", STR_ARG(wrapped));
    if (caller_is_wrapper(fr) && (caller = caller_of(c)) != NULL)
        return arena_printf(f->arena, "The function that `%.*s` calls", STR_ARG(str_take(caller->source, 80)));
    return name.n ? arena_printf(f->arena, "`%.*s`", STR_ARG(name)) : STR("A function");
}

struct str recompile_setting(struct finder *f, const struct compile *c, const char *name)
{
    struct str text = metrics_str(compile_metrics(c, METRICS_FORWARD), "dynamo_config"), out = {0};
    struct json_doc doc = {0};
    const json_t *v;
    char *value;

    if (text.n && json_doc_load_whole(&doc, text) && (v = json_object_get(doc.root, name)) != NULL &&
        (value = json_dumps(v, JSON_ENCODE_ANY)) != NULL) {
        out = arena_str(f->arena, str_of(value));
        free(value);
    }
    json_doc_free(&doc);
    return out;
}
