#include "analysis/recompiles/recompile_words.h"

#include "analysis/find/callee.h"
#include "analysis/recompiles/recompile_change.h"
#include "analysis/recompiles/recompile_names.h"

static int64_t number_of(struct str text)
{
    int64_t n;

    return str_i64(text, &n) ? n : -1;
}

/* --- inputs ------------------------------------------------------------------------------------------------------- */

static bool moved_alike(const struct input_change *a, const struct input_change *b)
{
    return a->dim == b->dim && str_eq(a->from, b->from) && str_eq(a->to, b->to);
}

/* "`ids`, `mask` and 3 more": all inputs for which the same dimension changed in the same way. */
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
        out =
            arena_printf(f->arena, "%.*s%s%.*s", STR_ARG(out), before, STR_ARG(recompile_input_name(f, c, x->source)));
    }
    return n > SHOWN ? arena_printf(f->arena, "%.*s and %zu more", STR_ARG(out), n - SHOWN) : out;
}

static bool is_before(const struct recompile *rc, size_t i, struct str size)
{
    for (size_t k = 0; k < i; k++)
        if (str_eq(rc->reasons.v[k].expected, size) && rc->reasons.v[k].class == GUARD_SIZE)
            return true;
    return false;
}

size_t recompile_sizes_before(struct finder *f, const struct recompile *rc, struct str source, int64_t dim,
                              struct str *list)
{
    enum { SHOWN = 8, LOOKED_AT = 64 };
    struct str full = recompile_full_source(f->arena, source);
    size_t n = 0;

    *list = (struct str){0};
    for (size_t i = 0; i < rc->reasons.n && i < LOOKED_AT; i++) {
        const struct guard_reason *g = &rc->reasons.v[i];

        if (g->class != GUARD_SIZE || g->index != dim || number_of(g->expected) < 0 || is_before(rc, i, g->expected) ||
            !str_eq(recompile_full_source(f->arena, g->source), full))
            continue;
        if (n++ < SHOWN)
            *list = arena_printf(f->arena, "%.*s%s%.*s", STR_ARG(str_take(g->expected, 20)), list->n ? ", " : "",
                                 STR_ARG(*list));
    }
    return n;
}

static struct str words_of_move(struct finder *f, const struct recompile *rc, const struct input_change *x,
                                struct str names)
{
    struct str from = str_take(x->from, 40), to = str_take(x->to, 40), sizes;

    if (x->dim == INPUT_DTYPE)
        return arena_printf(f->arena, "the dtype of %.*s went from %.*s to %.*s", STR_ARG(names), STR_ARG(from),
                            STR_ARG(to));
    if (x->dim == INPUT_NUMBER)
        return arena_printf(f->arena, "%.*s went from %.*s to %.*s", STR_ARG(names), STR_ARG(from), STR_ARG(to));
    if (str_eq(from, STR("2 or more")))
        return arena_printf(f->arena, "dimension %lld of %.*s is now %.*s, and the compiled code takes 2 and more",
                            (long long)x->dim, STR_ARG(names), STR_ARG(to.n ? to : STR("0 or 1")));
    if (recompile_sizes_before(f, rc, x->source, x->dim, &sizes) >= SIZES_OF_STATIC && to.n)
        return arena_printf(f->arena, "dimension %lld of %.*s is now %.*s, after compiles for %.*s", (long long)x->dim,
                            STR_ARG(names), STR_ARG(to), STR_ARG(sizes));
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

static struct str words_of_inputs(struct finder *f, const struct recompile *rc, const struct input_changes *inputs)
{
    const struct compile *c = rc->compile;
    enum { SHOWN = 3 };
    struct str out = {0};
    size_t n = 0;

    vec_each(const struct input_change, x, &inputs->list)
    {
        struct str move;

        if (!is_first_of_kind(inputs, x) || n++ >= SHOWN)
            continue;
        move = words_of_move(f, rc, x, names_of(f, c, inputs, x));
        out = arena_printf(f->arena, "%.*s%s%.*s", STR_ARG(out), out.n ? ", " : "", STR_ARG(move));
    }
    return n > SHOWN ? arena_printf(f->arena, "%.*s, and %zu more", STR_ARG(out), n - SHOWN) : out;
}

/* --- other values ------------------------------------------------------------------------------------------------- */

/* The ending after "was V" if the new value is unknown. */
static const char *const open_ends[] = {" and has changed", " and no longer is", " and now has another"};

/* "`n` was 2 and is now 3" */
static struct str close_end(struct finder *f, struct str words, struct str now)
{
    for (size_t i = 0; i < sizeof open_ends / sizeof *open_ends; i++)
        if (str_ends(words, str_of(open_ends[i])))
            return arena_printf(f->arena, "%.*s and %s %.*s", STR_ARG(str_drop(words, strlen(open_ends[i]))),
                                i == 2 && !str_eq(now, STR("a tensor")) ? "now has type" : "is now", STR_ARG(now));
    return words;
}

/* Replaces the name in backticks, as guard_words wrote it. */
static struct str rename_value(struct finder *f, struct str words, struct str from, struct str to)
{
    struct str mark = arena_printf(f->arena, "`%.*s`", STR_ARG(str_take(from, 200)));
    ptrdiff_t at = from.n ? str_find(words, mark) : -1;

    if (at < 0)
        return words;
    return arena_printf(f->arena, "%.*s%.*s%.*s", (int)at, words.p, STR_ARG(to),
                        STR_ARG(str_skip(words, (size_t)at + mark.n)));
}

/* --- arguments, and keys of other dicts --------------------------------------------------------------------------- */

static struct str passed(struct finder *f, const struct guard_keys *came, const struct guard_keys *went)
{
    if (went->n == 0)
        return arena_printf(f->arena, "%.*s %s now passed as well", STR_ARG(came->words), came->n > 1 ? "are" : "is");
    if (came->n == 0)
        return arena_printf(f->arena, "%.*s %s no longer passed", STR_ARG(went->words), went->n > 1 ? "are" : "is");
    return arena_printf(f->arena, "%.*s passed in place of %.*s", STR_ARG(came->words), STR_ARG(went->words));
}

/* Which keys were added or removed; false if there are none, or too many to name. */
static bool find_keys(struct finder *f, const struct recompile_why *why, struct str dict, struct guard_keys *came,
                      struct guard_keys *went)
{
    const struct guard_facts *before, *now;

    *came = *went = (struct guard_keys){0};
    if (!why->against)
        return false;
    before = guard_facts_of(f, why->against);
    now = guard_facts_of(f, why->recompile->compile);
    guard_facts_keys_added(f, before, now, dict, came);
    guard_facts_keys_added(f, now, before, dict, went);
    return (came->n || went->n) && came->n <= KEYS_SHOWN && went->n <= KEYS_SHOWN;
}

/*
 * Which arguments were added or removed. The guards only know those that the code uses, so the names are certain if
 * they account for the whole difference in number.
 */
static struct str words_of_arguments(struct finder *f, const struct recompile_why *why)
{
    int64_t from = number_of(why->reason->expected);
    int64_t to = number_of(recompile_new_value(f, why->recompile->compile, why->reason));
    struct guard_keys came, went;

    if (find_keys(f, why, STR("L['kwargs']"), &came, &went) && from >= 0 && to >= 0 &&
        (int64_t)came.n - (int64_t)went.n == to - from)
        return passed(f, &came, &went);
    if (from >= 0 && to >= 0)
        return arena_printf(f->arena, "%lld arguments were passed by name, and now %lld", (long long)from,
                            (long long)to);
    return STR("other arguments are passed by name");
}

/* The code iterates over the dict, so all keys of both are known: as many as it was compiled for. */
static bool knows_all_keys(struct finder *f, const struct recompile_why *why, struct str dict)
{
    size_t n = why->against ? guard_facts_counted_keys(guard_facts_of(f, why->against), dict) : 0;
    int64_t length = number_of(why->reason->expected);

    return n > 0 && (length < 0 || (size_t)length == n);
}

/* A dict of another length, or with another key at an index. */
static struct str words_of_keys(struct finder *f, const struct recompile_why *why)
{
    struct str source = recompile_full_source(f->arena, why->reason->source), name;
    const char *many;
    struct guard_keys came, went;

    if (!knows_all_keys(f, why, source) || !find_keys(f, why, source, &came, &went))
        return (struct str){0};
    name = recompile_input_name(f, why->recompile->compile, source);
    many = came.n + went.n > 1 ? "s" : "";
    if (went.n == 0)
        return arena_printf(f->arena, "%.*s has the key%s %.*s as well", STR_ARG(name), many, STR_ARG(came.words));
    if (came.n == 0)
        return arena_printf(f->arena, "%.*s no longer has the key%s %.*s", STR_ARG(name), many, STR_ARG(went.words));
    return arena_printf(f->arena, "%.*s has %.*s in place of %.*s", STR_ARG(name), STR_ARG(came.words),
                        STR_ARG(went.words));
}

/* The wrapper's location shows which one it is: there may be several with that name. */
static struct str words_of_callee(struct finder *f, const struct frame *fr)
{
    return arena_printf(f->arena, "another function is called through the same decorator, `%.*s` (%.*s:%lld)",
                        STR_ARG(fr->name), STR_ARG(str_file_name(fr->file)), (long long)fr->line);
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

static struct str words_of_value(struct finder *f, const struct compile *c, const struct guard_reason *failed)
{
    struct str now = str_take(recompile_new_value(f, c, failed), 100);
    struct str words = now.n ? close_end(f, failed->words, now) : failed->words;

    if (failed->class == GUARD_IDENTITY && now.n && recompile_change_of(failed) != CHANGE_ALIASING)
        words = arena_printf(f->arena, "%.*s: now %.*s", STR_ARG(failed->words), STR_ARG(now));
    if (recompile_is_from_break(failed)) {
        str_consume(&words, STR("the Python number "));
        return rename_value(f, words, failed->name, recompile_name_from_break(f, c->frame));
    }
    if (!str_starts(failed->name, STR("___stack")) && (!c->frame || !callee_passes_on(c->frame, guard_facts_of(f, c))))
        return words;
    return rename_value(f, words, failed->name,
                        recompile_input_name(f, c, recompile_full_source(f->arena, failed->source)));
}

/* PyTorch checks global settings before tensors, so it never reports that those differ too. */
static struct str words_of_state(struct finder *f, const struct recompile_why *why, struct str words)
{
    struct input_changes dtypes = {0};

    if (why->against)
        input_dtype_changes(f->arena, why->against, why->recompile->compile, &dtypes);
    if (dtypes.list.n == 0)
        return words;
    return arena_printf(f->arena, "%.*s; %.*s", STR_ARG(words),
                        STR_ARG(words_of_inputs(f, why->recompile, &dtypes)));
}

struct str recompile_words(struct finder *f, const struct recompile_why *why)
{
    const struct compile *c = why->recompile->compile;
    const struct guard_reason *failed = why->reason;
    struct str words;

    if (!failed)
        return (struct str){0};
    if (failed->class == GUARD_DICT && why->change != CHANGE_ARGUMENTS && (words = words_of_keys(f, why)).n)
        return words;
    if (why->change == CHANGE_ARGUMENTS)
        return words_of_arguments(f, why);
    if (why->change == CHANGE_CALLEE)
        return words_of_callee(f, c->frame);
    if (why->change == CHANGE_NONE && failed->class == GUARD_IDENTITY)
        return arena_printf(f->arena, "%.*s was None, or another single object, and is now %.*s",
                            STR_ARG(recompile_input_name(f, c, recompile_full_source(f->arena, failed->source))),
                            STR_ARG(recompile_new_value(f, c, failed)));
    if (why->inputs.list.n && (failed->class == GUARD_SIZE || failed->class == GUARD_SHAPE_EXPRESSION))
        return words_of_inputs(f, why->recompile, &why->inputs);
    words = words_of_value(f, c, failed);
    return why->change == CHANGE_GLOBAL_STATE ? words_of_state(f, why, words) : words;
}
