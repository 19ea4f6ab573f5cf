#include "analysis/recompiles/recompile_cause.h"

#include "analysis/find/guard_facts.h"
#include "analysis/recompiles/recompile_choice.h"
#include "analysis/recompiles/recompile_infer.h"
#include "analysis/recompiles/recompile_why.h"
#include "analysis/recompiles/recompile_words.h"
#include "util/formats/json.h"
#include "util/number.h"

#include <stdlib.h>

/* --- causes ------------------------------------------------------------------------------------------------------- */

struct gathering {
    struct finder *finder;
    struct map by_function, by_words; /* by function and by words, with what changed and where, or how */
    struct map seen;                  /* functions, changes and inputs of every cause -> how many times each was seen */
    struct recompile_causes *out;
};

/* Identifies code, in any rank and epoch. */
static struct str function_key(struct finder *f, const struct frame *fr)
{
    return arena_printf(f->arena, "%lld %.*s\n%.*s", (long long)fr->line, STR_ARG(fr->file), STR_ARG(fr->name));
}

/* G['seen'] of G['seen']['a'][0]. */
static struct str container_of(struct str source)
{
    while (str_ends(source, STR("]")) && str_rchr(source, '[') > 1)
        source = str_take(source, (size_t)str_rchr(source, '['));
    return source;
}

struct str recompile_list_of(struct str source)
{
    ptrdiff_t at = str_ends(source, STR("]")) ? str_rchr(source, '[') : -1;
    int64_t index;

    return at > 0 && str_i64(str_drop(str_skip(source, (size_t)at + 1), 1), &index) ? str_take(source, (size_t)at)
                                                                                   : (struct str){0};
}

/* "names[0] == 'till'": a list of strings changes in its length or in what it holds, and its loop is unrolled. */
static bool is_string_of_list(const struct recompile_why *why)
{
    const struct guard_reason *g = why->reason;

    return g && (why->change == CHANGE_CONSTANT || why->change == CHANGE_MODULE_ATTRIBUTE) &&
           str_starts(g->expected, STR("'")) && recompile_list_of(g->source).n;
}

/* "labels[3]": which of the numbers of a list differs first is a coincidence. */
static bool is_number_of_list(enum change change, struct str source)
{
    return change == CHANGE_INT && str_starts(source, STR("L['")) && recompile_list_of(source).n;
}

/* What a model as a whole is changed in: frozen, cast, moved. Guards name one parameter of it. */
static bool is_of_whole_model(const struct recompile_why *why)
{
    bool whole = why->change == CHANGE_REQUIRES_GRAD || why->change == CHANGE_DTYPE || why->change == CHANGE_DEVICE;

    return whole && recompile_is_of_parameter(why->reason);
}

/*
 * Distinguishes the causes of one function. All sizes are one cause, because they have one remedy. For functions that
 * are created repeatedly, their contents do not matter.
 */
static struct str change_key(struct finder *f, const struct recompile_why *why)
{
    struct str source = why->reason ? recompile_full_source(f->arena, why->reason->source) : (struct str){0};

    if (is_string_of_list(why))
        return arena_printf(f->arena, "%d %.*s", (int)CHANGE_LENGTH, STR_ARG(container_of(source)));
    if (why->change == CHANGE_SIZE || why->change == CHANGE_SMALL_SIZE)
        source = (struct str){0};
    else if (why->change == CHANGE_FUNCTION)
        source = guard_variable(source);
    else if (why->change == CHANGE_GLOBAL_STATE)
        source = why->reason->guard;
    else if (is_number_of_list(why->change, source))
        source = recompile_list_of(source);
    else if (why->change == CHANGE_CALLEE || why->change == CHANGE_MODULE)
        source = (struct str){0};
    else if (is_of_whole_model(why))
        source = STR("parameters");
    else if (why->change == CHANGE_LENGTH)
        source = container_of(source);
    else if (why->change == CHANGE_DICT)
        source = guard_variable(source);
    return arena_printf(f->arena, "%d %.*s", (int)why->change, STR_ARG(source));
}

/* How many times it was seen, including now. what: a letter for the kind of text. */
static size_t count_of(struct gathering *g, const struct recompile_cause *cause, char what, struct str text)
{
    struct arena *a = g->finder->arena;
    void **slot = map_at(&g->seen, arena_printf(a, "%c%p %.*s", what, (const void *)cause, STR_ARG(text)));
    size_t *count = *slot;

    if (!count)
        *slot = count = ARENA_NEW(a, size_t);
    return ++*count;
}

static struct recompile_cause *cause_of(struct gathering *g, const struct recompile_why *why, struct str words)
{
    struct arena *a = g->finder->arena;
    const struct frame *fr = why->recompile->compile->frame;
    struct str what = change_key(g->finder, why), function = function_key(g->finder, fr);
    void **here = map_at(&g->by_function, arena_printf(a, "%.*s\n%.*s", STR_ARG(what), STR_ARG(function))), **alike;
    struct recompile_cause *cause;

    if (*here)
        return *here;
    alike = map_at(&g->by_words, arena_printf(a, "%.*s\n%.*s", STR_ARG(what), STR_ARG(words)));
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

static void add_inputs(struct gathering *g, struct recompile_cause *cause, const struct input_changes *inputs)
{
    struct arena *a = g->finder->arena;

    vec_each(const struct input_change, x, &inputs->list)
    {
        struct str key = arena_printf(a, "%.*s %lld", STR_ARG(x->source), (long long)x->dim);

        if (count_of(g, cause, 'i', key) == 1)
            vec_push(a, &cause->inputs.list, *x);
    }
}

/* The state of everything that changed, in this compile: the worst one decides. */
static enum input_state state_of(const struct compile *c, const struct input_changes *inputs)
{
    enum input_state worst = INPUT_UNKNOWN;
    const struct call *line;

    vec_each(const struct input_change, x, &inputs->list)
    {
        enum input_state state = input_state_of(c, x->source, x->dim, &line);

        if (recompile_is_small(x) && state != INPUT_SPECIALIZED)
            continue;
        if (worst == INPUT_UNKNOWN || (worst == INPUT_DYNAMIC && state != INPUT_UNKNOWN) ||
            state == INPUT_SPECIALIZED)
            worst = state;
    }
    return worst;
}

/*
 * Whether one of them was made a constant in that compile, and by which line of code: NULL if no line of the program is
 * known, as for what the compiler does after Dynamo traced the function. False if another input of the same size was
 * still a constant: then the line only combines the two, and no longer specializes when both vary.
 */
static bool is_decided(struct finder *f, const struct compile *c, const struct input_changes *inputs,
                       const struct call **line)
{
    const struct call *at = NULL;
    bool decided = false;

    *line = NULL;
    vec_each(const struct input_change, x, &inputs->list)
    {
        struct input_changes partners = {0};

        if (!c || *line || input_state_of(c, x->source, x->dim, &at) != INPUT_SPECIALIZED)
            continue;
        if (x->dim != INPUT_NUMBER)
            inputs_to_mark_too(f->arena, c, x->source, x->dim, &partners);
        if (partners.list.n == 0) {
            decided = true;
            *line = at;
        }
    }
    return decided;
}

/*
 * The newest compile counts. A line that makes it a constant repeatedly decides, even if one compile takes another
 * path; if it did so only once, the reason may be that another input was found to vary later.
 */
static void note_state(struct finder *f, struct recompile_cause *cause, const struct recompile_why *why)
{
    const struct compile *c = why->recompile->compile;
    const struct call *at;
    bool decided = is_decided(f, c, &why->inputs, &at);
    enum input_state state = c->limit_hit ? cause->state : state_of(c, &why->inputs);

    if (why->inputs.list.n == 0)
        return;
    cause->takes_any = state == INPUT_DYNAMIC && !why->computed && !c->limit_hit;
    if (!decided && is_decided(f, why->against, &why->inputs, &at) && at) {
        cause->specialized++;
        decided = true;
    }
    if (decided)
        state = INPUT_SPECIALIZED;
    else if (state == INPUT_SPECIALIZED)
        state = INPUT_STATIC;
    cause->specialized += state == INPUT_SPECIALIZED;
    if (decided || cause->specialized < 2) {
        cause->state = state;
        cause->decided_at = at ? at : cause->decided_at;
    }
    cause->computed |= why->computed;
    if (cause->computed)
        cause->state = INPUT_STATIC;
    if (!cause->made_dynamic && state == INPUT_DYNAMIC && !cause->computed)
        cause->made_dynamic = c;
}

/* Adds the other sizes that are dynamic in the newest compile: they varied at some time too. */
static void add_dynamic_sizes(struct gathering *g, struct recompile_cause *cause)
{
    const struct frame *fr = cause->first->compile->frame;
    struct input_changes sizes = {0};

    for (size_t i = fr->compiles.n; i > 0 && sizes.list.n == 0; i--)
        input_dynamic_sizes(g->finder->arena, fr->compiles.v[i - 1], &sizes);
    add_inputs(g, cause, &sizes);
}

/* How many values guards of one function expected for one input, this one included. */
static size_t constants_of(struct gathering *g, const struct recompile_cause *cause, const struct frame *fr,
                           const struct guard_reason *r)
{
    struct arena *a = g->finder->arena;
    struct str input = arena_printf(a, "%u %.*s\n%.*s %lld", fr->process->index, STR_ARG(function_key(g->finder, fr)),
                                    STR_ARG(r->name), (long long)r->index);
    bool first = count_of(g, cause, 'e', arena_printf(a, "%.*s\n%.*s", STR_ARG(input), STR_ARG(r->expected))) == 1;

    return first ? count_of(g, cause, 'd', input) : 0;
}

/* Keeps what was different every time. */
static void note_beside(struct gathering *g, struct recompile_cause *cause, const struct recompile_why *why)
{
    size_t kept = 0;

    cause->alone |= why->alone;
    if (cause->first == why->recompile) {
        vec_each(const struct str, x, &why->beside) vec_push(g->finder->arena, &cause->beside, *x);
        return;
    }
    for (size_t i = 0; i < cause->beside.n; i++) {
        bool again = false;

        vec_each(const struct str, x, &why->beside) again |= str_eq(*x, cause->beside.v[i]);
        if (again)
            cause->beside.v[kept++] = cause->beside.v[i];
    }
    cause->beside.n = kept;
}

/*
 * How often a function was compiled again for this cause. If modules have caches of their own (isolate_recompiles),
 * each compile of one cache finds more compiles in it than the one before: as many were made in one cache as numbers
 * differ.
 */
static size_t count_recompile(struct gathering *g, struct recompile_cause *cause, const struct recompile *rc)
{
    const struct frame *fr = rc->compile->frame;
    struct str key =
        arena_printf(g->finder->arena, "%u %.*s", fr->process->index, STR_ARG(function_key(g->finder, fr)));
    int64_t entries;

    if (rc->chain && rc->chain->firsts &&
        metrics_i64(compile_metrics(rc->compile, METRICS_FORWARD), "cache_size", &entries) &&
        count_of(g, cause, 'n', arena_printf(g->finder->arena, "%.*s %lld", STR_ARG(key), (long long)entries)) > 1)
        return 1;
    return count_of(g, cause, 'r', key);
}

/* One record shows it where the text has no more: several sizes of one dimension, each with a compile of its own. */
static bool shows_static_sizes(struct finder *f, const struct recompile *rc, const struct guard_reason *reason)
{
    struct str list;

    return reason && reason->class == GUARD_SIZE &&
           recompile_sizes_before(f, rc, reason->source, reason->index, &list) >= SIZES_OF_STATIC;
}

/* "1/3: ... expected 512" and "1/2: ... expected 512": this size is not what the two compiles differ in. */
static bool shows_same_size(struct finder *f, const struct recompile *rc, const struct guard_reason *reason)
{
    enum { LOOKED_AT = 64 };
    struct str full;

    if (!reason || reason->class != GUARD_SIZE)
        return false;
    full = recompile_full_source(f->arena, reason->source);
    for (size_t i = 0; i < rc->reasons.n && i < LOOKED_AT; i++)
        for (size_t k = 0; k < i; k++) {
            const struct guard_reason *a = &rc->reasons.v[i], *b = &rc->reasons.v[k];

            if (a->class == GUARD_SIZE && b->class == GUARD_SIZE && a->index == reason->index &&
                b->index == reason->index && a->expected.n && str_eq(a->expected, b->expected) && a->against.n &&
                !str_eq(a->against, b->against) && str_eq(a->source, b->source) &&
                str_eq(recompile_full_source(f->arena, a->source), full))
                return true;
        }
    return false;
}

static void add_recompile(struct gathering *g, const struct recompile *rc)
{
    struct finder *f = g->finder;
    const struct frame *fr = rc->compile->frame;
    struct recompile_cause *cause;
    struct str words;
    struct recompile_why why;
    size_t here;

    recompile_explain_one(f, rc, &why);
    words = recompile_words(f, &why);
    cause = cause_of(g, &why, words);
    cause->functions += count_of(g, cause, 'f', function_key(f, fr)) == 1;
    here = count_recompile(g, cause, rc);
    cause->most = here > cause->most ? here : cause->most;
    cause->duration_us = add_bounded(cause->duration_us, rc->duration_us > 0 ? rc->duration_us : 0);
    if (why.reason && count_of(g, cause, 'c', words) == 1)
        vec_push(f->arena, &cause->changes, words);
    here = why.reason ? constants_of(g, cause, fr, why.reason) : 0;
    cause->constants = here > cause->constants ? here : cause->constants;
    cause->constant_again |= here > 1 && why.against && why.against->reasons.n > 0;
    cause->static_sizes |= shows_static_sizes(f, rc, why.reason);
    cause->same_size |= shows_same_size(f, rc, why.reason);
    vec_push(f->arena, &cause->list, rc);
    if (cause->first == rc)
        cause->others = why.others;
    note_beside(g, cause, &why);
    add_inputs(g, cause, &why.inputs);
    note_state(f, cause, &why);
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

/* With error_on_recompile a recompile is an error, and is reported as one. */
static bool is_forbidden(const struct compile *c)
{
    for (size_t i = 0; i < c->failures.n; i++)
        if (str_eq(c->failures.v[i]->type, STR("RecompileError")))
            return true;
    return false;
}

/* A compile that was refused without a reason, because of compiles for others, has no cause of its own. */
static bool has_own_cause(const struct recompile *rc)
{
    return !is_forbidden(rc->compile) && (rc->reasons.n || !rc->compile->limit_hit);
}

const struct recompile_cause *recompile_cause_of_one(struct finder *f, const struct recompile *rc)
{
    struct recompile_causes one = {0};
    struct gathering g = {.finder = f, .out = &one};

    map_init(&g.by_function, f->arena);
    map_init(&g.by_words, f->arena);
    map_init(&g.seen, f->arena);
    add_recompile(&g, rc);
    return one.list.v[0];
}

/* Chains are ordered by the time they took. What changed first does not depend on that. */
static int by_start(const void *pa, const void *pb)
{
    const struct recompile_chain *a = *(const struct recompile_chain *const *)pa;
    const struct recompile_chain *b = *(const struct recompile_chain *const *)pb;
    const struct compile *ca = a->list.v[0]->compile, *cb = b->list.v[0]->compile;

    if (ca->process->index != cb->process->index)
        return ca->process->index < cb->process->index ? -1 : 1;
    return (ca->index > cb->index) - (ca->index < cb->index);
}

static void find_constant(struct recompile_cause *cause)
{
    const struct frame *fr = cause->first->compile->frame;

    if (cause->change == CHANGE_RELATION && cause->sample && fr)
        recompile_constant_find(fr, cause->sample->guard, &cause->made);
}

void recompile_causes_find(struct finder *f, const struct recompile_chain **chains, size_t n,
                           struct recompile_causes *out)
{
    struct gathering g = {.finder = f, .out = out};

    if (n)
        qsort(chains, n, sizeof *chains, by_start);
    map_init(&g.by_function, f->arena);
    map_init(&g.by_words, f->arena);
    map_init(&g.seen, f->arena);
    for (size_t i = 0; i < n; i++) {
        recompile_infer(f, chains[i]);
        for (size_t k = 0; k < chains[i]->list.n; k++)
            if (has_own_cause(chains[i]->list.v[k]) && !recompile_is_first_of_function(f, chains[i]->list.v[k]))
                add_recompile(&g, chains[i]->list.v[k]);
        guard_facts_forget(f);
    }
    for (size_t i = 0; i < out->list.n; i++)
        if (out->list.v[i]->change == CHANGE_SIZE)
            add_dynamic_sizes(&g, out->list.v[i]);
    for (size_t i = 0; i < out->list.n; i++)
        find_constant(out->list.v[i]);
    if (out->list.n)
        qsort(out->list.v, out->list.n, sizeof *out->list.v, by_time);
}

/* --- asked of a cause --------------------------------------------------------------------------------------------- */

bool recompile_is_about(struct finder *f, const struct recompile_cause *relation, const struct input_change *x)
{
    struct str guard = relation->sample->guard, rest = x->source, name = {0};

    if (str_consume(&rest, STR("L['")) && str_find(rest, STR("']")) > 0) {
        name = str_take(rest, (size_t)str_find(rest, STR("']")));
        rest = str_skip(rest, name.n + 2);
    }
    return str_has(guard, arena_printf(f->arena, "%.*s.size()[%lld]", STR_ARG(x->source), (long long)x->dim)) ||
           str_has(guard,
                   arena_printf(f->arena, "%.*s%.*s.size()[%lld]", STR_ARG(name), STR_ARG(rest), (long long)x->dim));
}

bool recompile_decides_often(const struct recompile_cause *relation)
{
    return str_has(relation->sample->guard, STR(" // ")) || str_has(relation->sample->guard, STR(" % "));
}

/* No other recompile of the function has a reason. */
static bool has_no_other_reason(const struct compile *refused)
{
    const struct frame *fr = refused->frame;

    if (!refused->limit_hit || refused->id.compile < 2 || refused->reasons.n > 1)
        return false;
    for (size_t i = 0; i < fr->compiles.n; i++)
        if (fr->compiles.v[i] != refused && fr->compiles.v[i]->reasons.n)
            return false;
    return true;
}

bool recompile_is_last_reason(const struct recompile_cause *cause)
{
    enum { LOOKED_AT_MAX = 64 }; /* ranks */

    for (size_t i = 0; i < cause->list.n && i < LOOKED_AT_MAX; i++)
        if (!has_no_other_reason(cause->list.v[i]->compile))
            return false;
    return cause->sample != NULL;
}

/* --- asked of a compile ------------------------------------------------------------------------------------------- */

struct str recompile_setting(struct finder *f, const struct compile *c, const char *configuration, const char *name)
{
    struct str text = metrics_str(compile_metrics(c, METRICS_FORWARD), configuration), out = {0};
    struct json_doc doc = {0};
    const json_t *v;
    char *value;

    if (text.n && json_doc_load_whole(&doc, text) && (v = json_object_get(doc.root, name)) != NULL &&
        (value = json_text(v, JSON_ENCODE_ANY)) != NULL) {
        out = arena_str(f->arena, str_of(value));
        free(value);
    }
    json_doc_free(&doc);
    return out;
}

bool recompile_is_off(struct finder *f, const struct recompile_cause *cause, const char *name)
{
    return str_eq(recompile_setting(f, cause->first->compile, "dynamo_config", name), STR("false"));
}

bool recompile_is_dynamic_already(struct finder *f, const struct recompile_cause *cause)
{
    return recompile_is_off(f, cause, "assume_static_by_default");
}
