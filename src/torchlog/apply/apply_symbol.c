/*
 * What torch/fx/experimental/symbolic_shapes.py says at level INFO (TORCH_LOGS=dynamic):
 *
 *   create_symbol s77 = 4 for L['x'].size()[0] [2, int_oo] PLACE, for more info run with ...
 *   create_unbacked_symint u0 [-int_oo, int_oo] PLACE
 *   eval Eq(s77, 4) [guard added] PLACE, for more info run with ...      also "runtime_assert", "eval (forcing_spec)"
 *   set_replacement s77 = 4 (range_refined_to_singleton) VR[4, 4]        a specialization when it is a number; up to
 *                                                                        2.2 without what follows the number
 *
 * PLACE is "code  # FILE:LINE in f (FILE:LINE in g)", the user's line and PyTorch's own, of which either may be
 * missing; up to 2.6 "at FILE:LINE in f (...)".
 */
#include "torchlog/apply/apply.h"

/* "FILE:LINE in f" */
static const struct call *call_of(struct record *rec, struct str text, struct str source)
{
    struct str function = {0}, file;
    ptrdiff_t in = str_find(text, STR(" in ")), colon;
    uint64_t line;

    if (in < 0)
        return NULL;
    function = str_trim(str_skip(text, (size_t)in + 4));
    file = str_take(text, (size_t)in);
    colon = str_rchr(file, ':');
    if (colon <= 0 || !str_u64(str_skip(file, (size_t)colon + 1), &line) || line > INT32_MAX)
        return NULL;
    file = str_take(file, (size_t)colon);
    return stack_push(&rec->reading->in->stacks, NULL, record_intern(rec, file), (int64_t)line,
                      record_intern(rec, function), record_intern(rec, source));
}

/* PyTorch shortens the names of files here, but not those of frames. */
static const struct call *user_call(struct record *rec, struct str text, struct str source)
{
    const struct call *c = call_of(rec, text, source);
    const struct frame *f = rec->compile->frame;

    if (!c || !f || str_starts(c->file, STR("/")) || !str_eq(code_file_name(f->file), code_file_name(c->file)))
        return c;
    return stack_push(&rec->reading->in->stacks, NULL, f->file, c->line, c->function, c->source);
}

/* Offset of the last occurrence, or -1. */
static ptrdiff_t find_last(struct str s, struct str mark)
{
    ptrdiff_t at = -1, next;

    while ((next = str_find(str_skip(s, (size_t)(at + 1)), mark)) >= 0)
        at += next + 1;
    return at;
}

static void take_place(struct record *rec, struct str text, const struct call **user, const struct call **own)
{
    ptrdiff_t at = str_find(text, STR(", for more info run with "));
    struct str source = {0};

    if (at >= 0)
        text = str_take(text, (size_t)at);
    text = str_trim(str_split(&text, '\n'));
    at = str_ends(text, STR(")")) ? str_rchr(text, '(') : -1;
    if (at >= 0) {
        *own = call_of(rec, str_drop(str_skip(text, (size_t)at + 1), 1), (struct str){0});
        text = str_trim(str_take(text, (size_t)at));
    }
    at = find_last(text, STR("  # "));
    if (at >= 0) {
        source = str_trim(str_take(text, (size_t)at));
        text = str_skip(text, (size_t)at + 4);
    } else {
        str_consume(&text, STR("at "));
    }
    *user = user_call(rec, text, source);
}

/* "[2, int_oo]" at the end of what comes before it. */
static struct str take_range(struct str *text)
{
    ptrdiff_t begin = str_starts(*text, STR("[")) ? 0 : str_find(*text, STR(" [")) + 1, end;
    struct str rest = str_skip(*text, (size_t)begin), range;

    end = str_chr(rest, ']');
    if (end < 0 || rest.p[0] != '[')
        return (struct str){0};
    range = str_take(rest, (size_t)end + 1);
    *text = str_skip(rest, (size_t)end + 1);
    return range;
}

/* Takes what stands before the mark off *text; false, and nothing is taken, when it is missing. */
static bool take_until(struct str *text, struct str mark, struct str *out)
{
    ptrdiff_t at = str_find(*text, mark);

    if (at < 0)
        return false;
    *out = str_take(*text, (size_t)at);
    *text = str_skip(*text, (size_t)at + mark.n);
    return true;
}

void apply_log_symbol(struct record *rec)
{
    struct str text = rec->text, name, hint, source, range, rest;
    struct symbol *s;

    str_consume(&text, STR("create_symbol "));
    if (!take_until(&text, STR(" = "), &name) || !take_until(&text, STR(" for "), &hint))
        return;
    s = vec_add(record_arena(rec), &rec->compile->symbols);
    *s = (struct symbol){.name = record_intern(rec, name), .hint = record_intern(rec, hint)};
    rest = text;
    range = take_range(&rest);
    s->range = record_intern(rec, range);
    source = range.n ? str_range(text.p, range.p) : str_split(&text, ' ');
    s->source = record_intern(rec, str_trim(source));
    take_place(rec, rest, &s->user_stack, &s->stack);
}

void apply_log_unbacked_symbol(struct record *rec)
{
    struct str text = rec->text, name;
    struct symbol *s;

    str_split(&text, ' ');
    name = str_split(&text, ' ');
    s = vec_add(record_arena(rec), &rec->compile->symbols);
    *s = (struct symbol){.name = record_intern(rec, name), .unbacked = true};
    s->range = record_intern(rec, take_range(&text));
    take_place(rec, text, &s->user_stack, &s->stack);
}

/* 2.4 and later write the replacement before the guard that made it: "eval Eq(s1, 6) [guard added]" has the line. */
static void place_specialization(struct record *rec, const struct shape_guard *g)
{
    struct compile *c = rec->compile;

    for (size_t i = c->specializations.n; i-- > 0 && !c->specializations.v[i].user_stack;) {
        struct specialization *s = &c->specializations.v[i];
        struct str made = arena_printf(rec->reading->scratch, "Eq(%.*s, %.*s)", STR_ARG(s->symbol), STR_ARG(s->value));

        if (str_eq(g->expr, made))
            s->user_stack = g->user_stack;
    }
}

void apply_log_shape_guard(struct record *rec)
{
    struct str text = rec->text, prefix = str_split(&text, ' '), expr;
    struct shape_guard *g;

    str_consume(&text, STR("(forcing_spec) "));
    if (!take_until(&text, STR(" [guard added]"), &expr))
        return;
    g = vec_add(record_arena(rec), &rec->compile->shape_guards);
    *g = (struct shape_guard){.expr = record_copy(rec, expr), .prefix = record_intern(rec, prefix)};
    take_place(rec, text, &g->user_stack, &g->stack);
    place_specialization(rec, g);
}

static bool is_number(struct str s)
{
    bool digit = false;

    str_consume(&s, STR("-"));
    for (size_t i = 0; i < s.n; i++) {
        digit |= str_is_digit(s.p[i]);
        if (!str_is_digit(s.p[i]) && s.p[i] != '.' && !(digit && (s.p[i] == 'e' || s.p[i] == '-')))
            return false;
    }
    return digit;
}

/* The symbol as the same attempt created it. */
static const struct symbol *symbol_of(const struct compile *c, struct str name)
{
    for (size_t i = c->symbols.n; i-- > 0;)
        if (str_eq(c->symbols.v[i].name, name))
            return &c->symbols.v[i];
    return NULL;
}

/* The guard that was added last made the size a constant, when it is about it. */
static const struct call *guarded_at(const struct compile *c, struct str name)
{
    const struct shape_guard *last = c->shape_guards.n ? &c->shape_guards.v[c->shape_guards.n - 1] : NULL;

    return last && str_has(last->expr, name) ? last->user_stack : NULL;
}

void apply_log_replacement(struct record *rec)
{
    struct str text = rec->text, name, value, reason;
    const struct symbol *symbol;
    struct specialization *s;

    str_consume(&text, STR("set_replacement "));
    if (!take_until(&text, STR(" = "), &name) || !is_number(value = str_split(&text, ' ')))
        return;
    if (!str_consume(&text, STR("(")) || !take_until(&text, STR(")"), &reason)) /* up to 2.2 without a reason */
        reason = (struct str){0};
    symbol = symbol_of(rec->compile, name);
    s = vec_add(record_arena(rec), &rec->compile->specializations);
    *s = (struct specialization){.symbol = record_intern(rec, name),
                                 .source = symbol ? symbol->source : (struct str){0},
                                 .value = record_intern(rec, value),
                                 .reason = record_intern(rec, reason),
                                 .user_stack = guarded_at(rec->compile, name),
                                 .symbols_before = rec->compile->symbols.n};
}
