/* Findings about sizes that became constants. */
#include "analysis/find/guard_facts.h"
#include "analysis/recompiles/recompile_cause.h"

#include "text/guards/guard_name.h"
#include "text/python/python_call.h"
#include "text/python/python_code.h"
#include "util/map.h"

/* --- sizes that became constants ---------------------------------------------------------------------------------- */

/*
 * A size of a tensor argument, or an integer argument. Floats, and attributes of modules, become constants wherever
 * PyTorch's own code needs that: eps of every LayerNorm. Strides become constants in any code that keeps the layout of
 * its input; a stride that changes is another memory layout, which find_recompiles reports.
 */
static bool is_passed(const struct specialization *s)
{
    struct str source = s->source;

    if (str_starts(s->symbol, STR("zf")) || str_has(source, STR(".item()")) || str_has(source, STR(".stride()[")) ||
        str_has(source, STR(".storage_offset()")))
        return false;
    return source.n == 0 || (str_starts(source, STR("L['")) && !str_starts(source, STR("L['self']")) &&
                             !str_starts(source, STR("L['___stack")));
}

/* "dimension 0 of `x`", "`n`"; without a source the symbol. */
static struct str what_of(struct finder *f, const struct specialization *s)
{
    struct str name = guard_name(f->arena, s->source), dim;
    ptrdiff_t at = str_find(name, STR(".size()["));

    if (s->source.n == 0)
        return arena_printf(f->arena, "`%.*s`", STR_ARG(s->symbol));
    if (at < 0 || !str_between(name, STR(".size()["), STR("]"), &dim))
        return arena_printf(f->arena, "`%.*s`", STR_ARG(name));
    return arena_printf(f->arena, "dimension %.*s of `%.*s`", STR_ARG(dim), (int)at, name.p);
}

static void add_specialization(struct finder *f, struct map *seen, const struct compile *c,
                               const struct specialization *s)
{
    const struct call *own = stack_user_call(s->user_stack);
    void **slot = map_at(seen, own ? arena_printf(f->arena, "%lld %.*s", (long long)own->line, STR_ARG(own->file))
                                   : arena_printf(f->arena, "%.*s", STR_ARG(s->source)));
    struct str what = what_of(f, s);
    struct finding *x = *slot;

    if (!x) {
        *slot = x = finding_add(f, "specialization", FINDING_LOW);
        x->title = arena_printf(f->arena, "A dynamic size becomes a constant: %.*s, here %.*s", STR_ARG(what),
                                STR_ARG(s->value));
        x->detail = STR("Another size means another compile.");
        x->fix = own ? STR("Look at the line: comparing the size with a constant, indexing with it or passing it to "
                           "code that needs a number makes it a constant.")
                     : STR("Comparing the size with a constant, indexing with it or passing it to code that needs a "
                           "number makes it a constant. `TORCH_LOGS=\"+dynamic\"` shows the line.");
        finding_place(x, own);
    }
    finding_evidence(f, x, c);
}

/* A size that a module was created for: the features of a Linear layer. */
static bool is_of_module(const struct compile *c, const struct specialization *s)
{
    vec_each(const struct tensor, t, &c->tensors)
    {
        struct str sizes = t->shape, size;

        str_consume(&sizes, STR("["));
        while ((t->is_parameter || str_starts(t->source, STR("L['self']"))) && sizes.n) {
            size = str_trim(str_split(&sizes, ','));
            if (str_eq(s->value, str_ends(size, STR("]")) ? str_drop(size, 1) : size))
                return true;
        }
    }
    return false;
}

/* For example in a graph that compiled autograd made: nothing that the user can change. */
static bool is_of_generated_code(const struct compile *c, const struct specialization *s)
{
    const struct call *own = stack_user_call(s->user_stack);

    return c->id.autograd != ID_NONE || (own && is_framework_file(own->file));
}

/* L['order'][1] and L['order'][0]: it is a coincidence which of them changes. */
static bool is_in_one_list(struct str a, struct str b)
{
    ptrdiff_t end_a = str_rchr(a, '['), end_b = str_rchr(b, '[');

    return end_a > 1 && str_ends(a, STR("]")) && str_ends(b, STR("]")) &&
           str_eq(str_take(a, (size_t)end_a), str_take(b, end_b > 1 ? (size_t)end_b : 0));
}

/* About the same input, in the same function. */
static bool is_cause_of(const struct recompile_cause *cause, const struct compile *c, const struct specialization *s)
{
    if (cause->state != INPUT_SPECIALIZED || cause->first->compile->frame != c->frame)
        return false;
    vec_each(const struct input_change, x, &cause->inputs.list)
    {
        if (str_starts(s->source, x->source) || is_in_one_list(s->source, x->source))
            return true;
    }
    return false;
}

/* A finding about recompiles, or the error of a mark that cannot be satisfied, names it. */
static bool is_named(struct finder *f, const struct compile *c, const struct specialization *s)
{
    for (size_t i = 0; i < c->failures.n; i++)
        if (str_eq(c->failures.v[i]->type, STR("ConstraintViolationError")))
            return true;
    vec_each(const struct recompiled, r, &f->recompiled)
    {
        if (is_cause_of(r->cause, c, s) || recompile_constant_covers(&r->cause->made, c, s))
            return true;
    }
    return false;
}

/* It was a constant only temporarily: a later compile of the function accepts any size. */
static bool is_past(const struct compile *c, const struct specialization *s)
{
    for (size_t i = c->frame ? c->frame->compiles.n : 0; i > 0 && c->frame->compiles.v[i - 1] != c; i--) {
        const struct compile *later = c->frame->compiles.v[i - 1];

        vec_each(const struct symbol, x,
                 &later->symbols) if (str_eq(x->source, s->source) && x->specialized_to.n == 0) return true;
    }
    return false;
}

/* Whether a compile of the function got another size. */
static bool varies(struct finder *f, const struct frame *fr, struct str source, int64_t dim, struct str value)
{
    for (size_t i = 0; i < fr->compiles.n; i++) {
        struct str size = input_value(f->arena, fr->compiles.v[i], source, dim);

        if (size.n && !str_eq(size, value))
            return true;
    }
    return false;
}

/* The guard on marks shows that there is none. */
static bool is_unmarked(struct finder *f, const struct compile *c, struct str source)
{
    const struct artifact *tree = compile_guard_tree(c);

    return tree &&
           str_has(finder_read(f, tree),
                   arena_printf(f->arena, "hasattr(%.*s, '_dynamo_dynamic_indices') == False", STR_ARG(source)));
}

/*
 * Nobody asked for it to be dynamic, and it was always the same: it is the output of another compiled function, whose
 * size is dynamic there (runtime_wrappers.py marks it as weakly dynamic).
 */
static bool is_idle(struct finder *f, const struct compile *c, const struct specialization *s)
{
    struct str source;
    int64_t dim;

    return c->frame && input_parse_size(s->source, &source, &dim) &&
           str_eq(recompile_setting(f, c, "dynamo_config", "assume_static_by_default"), STR("true")) &&
           !varies(f, c->frame, source, dim, s->value) && is_unmarked(f, c, source);
}

/* "src, dst = edges": as many names as the first dimension is long, by the way it is written. */
static bool is_unpacked(const struct specialization *s)
{
    const struct call *own = stack_user_call(s->user_stack);
    struct str code = own ? str_trim(own->source) : (struct str){0}, source, value;
    ptrdiff_t at = python_find(code, STR(" = "), PYTHON_TOP_LEVEL);
    size_t names = 0;
    int64_t dim, size;

    if (at < 0 || !input_parse_size(s->source, &source, &dim) || dim != 0 || !str_i64(s->value, &size))
        return false;
    value = str_trim(str_skip(code, (size_t)at + 3));
    for (struct str targets = str_take(code, (size_t)at); targets.n;) {
        if (!python_is_place(str_trim(str_split(&targets, ','))))
            return false;
        names++;
    }
    return names > 1 && (int64_t)names == size && python_is_place(value);
}

void find_specialization(struct finder *f)
{
    const struct compile *c;
    struct map seen;

    map_init(&seen, f->arena);
    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));)
        vec_each(const struct specialization, s, &c->specializations) if (is_passed(s) && !is_of_generated_code(c, s) &&
                                                                          !is_named(f, c, s) && !is_of_module(c, s) &&
                                                                          !is_past(c, s) && !is_idle(f, c, s) &&
                                                                          !is_unpacked(s))
            add_specialization(f, &seen, c, s);
}
