#include "analysis/remedies/recompile_paste.h"

#include "analysis/find/callee.h"
#include "analysis/find/caller.h"
#include "analysis/find/caller_expression.h"
#include "analysis/recompiles/recompile_names.h"
#include "analysis/remedies/paste_call.h"
#include "analysis/remedies/remedy_row.h"
#include "text/python/python_call.h"

/* --- what the caller passes --------------------------------------------------------------------------------------- */

static bool is_name(struct str s)
{
    return python_is_place(s) && str_chr(s, '.') < 0 && str_chr(s, '[') < 0;
}

/* The first value that changed, in the caller's words, or by the name of the parameter. */
static struct str value_name(struct finder *f, const struct recompile_cause *cause)
{
    const struct compile *c = cause->first->compile;
    struct str expression = paste_expression(f, c, recompile_full_source(f->arena, cause->sample->source));

    if (expression.n)
        return expression;
    return !callee_passes_on(c->frame, guard_facts_of(f, c)) && python_is_place(cause->sample->name)
               ? cause->sample->name
               : (struct str){0};
}

/* "x" of "batch.x", which is set where `batch` is made, or in the module `batch`. */
static struct str target_of(struct str name)
{
    ptrdiff_t field = str_starts(name, STR("self.")) ? -1 : str_rchr(name, '.');

    return field < 0 ? name : str_skip(name, (size_t)field + 1);
}

/*
 * "NAME = NAME.to(torch.float32)" from the words around the second NAME. Fields of an object cannot always be assigned
 * (those of a named tuple cannot): they are changed where the object is created.
 */
static void paste_assignment(struct finder *f, struct finding *x, const struct recompile_cause *cause, struct str name,
                             const char *before, struct str behind, const char *where)
{
    struct str target = target_of(name);
    struct str object = target.n < name.n ? str_take(name, name.n - target.n - 1) : (struct str){0};

    paste_pattern(
        x, arena_printf(f->arena, "%.*s = %s%.*s%.*s", STR_ARG(target), before, STR_ARG(target), STR_ARG(behind)),
        where);
    if (object.n && str_starts(cause->sample->source, STR("G['__import_"))) /* a global variable of a module */
        finding_paste_at(x, NULL,
                         str_eq(object, STR("__main__"))
                             ? STR("where the program sets the variable")
                             : arena_printf(f->arena, "where the module `%.*s` sets the variable", STR_ARG(object)));
    else if (object.n)
        finding_paste_at(x, NULL, arena_printf(f->arena, "where `%.*s` is made, in the caller", STR_ARG(object)));
}

void recompile_paste_tensor(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    struct str name = cause->sample->name;

    if (python_is_place(name))
        paste_assignment(f, x, cause, name, "torch.tensor(", STR(")"),
                         "where the value is made, before the compiled function");
}

/* Where the value has no name that can be assigned, only the setting for all functions is left. */
void recompile_paste_tensor_or_dynamic(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    recompile_paste_tensor(f, x, cause);
    if (x->paste.kind == PASTE_NONE)
        recompile_paste_dynamic(f, x, cause);
}

void recompile_paste_index(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    (void)f;
    if (str_has(cause->sample->user_code, STR("[")))
        paste_pattern(x, STR("y = x.index_select(0, i.reshape(1)).squeeze(0)"), "instead of x[i]");
}

void recompile_paste_store(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    (void)f, (void)cause;
    paste_pattern(x, STR("x.index_copy_(0, i.reshape(1), value.unsqueeze(0))"), "instead of x[i] = value");
}

/* Other arrays of NumPy whose dtype changed as well: "`w`". PyTorch only names the first. */
static struct str arrays_beside(struct finder *f, const struct recompile_cause *cause)
{
    struct str own = recompile_full_source(f->arena, cause->sample->source), out = {0};
    struct input_changes dtypes = {0};

    input_dtype_changes(f->arena, paste_first_compile(cause), cause->first->compile, &dtypes);
    vec_each(const struct input_change, x, &dtypes.list)
        if (str_starts(x->source, STR("___from_numpy(")) && !str_eq(x->source, own) && out.n < 200)
            out = arena_printf(f->arena, "%.*s%s%.*s", STR_ARG(out), out.n ? ", " : "",
                               STR_ARG(recompile_input_name(f, cause->first->compile, x->source)));
    return out;
}

/* The dtype in the first compile. NumPy has the same names of them, but for those that are only PyTorch's. */
void recompile_paste_dtype(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    struct str name = value_name(f, cause), dtype = cause->sample->expected, others;
    bool numpy = recompile_is_of_numpy(cause->sample);

    if (name.n && is_name(dtype))
        paste_assignment(
            f, x, cause, name, "",
            arena_printf(f->arena, numpy ? ".astype(\"%.*s\")" : ".to(torch.%.*s)", STR_ARG(dtype)),
            "before the call, in the caller");
    if (numpy && (others = arrays_beside(f, cause)).n)
        x->fix = arena_printf(f->arena, "%.*s The same for %.*s, whose dtype changed as well.", STR_ARG(x->fix),
                              STR_ARG(others));
}

void recompile_paste_plain_tensor(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    struct str name = value_name(f, cause);

    if (name.n)
        paste_assignment(f, x, cause, name, "", STR(".as_subclass(torch.Tensor)"), "before the call, in the caller");
}

void recompile_paste_clone(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    struct str name = value_name(f, cause);

    if (name.n && !recompile_is_of_numpy(cause->sample))
        paste_assignment(f, x, cause, name, "", STR(".clone()"), "before the call, outside of torch.inference_mode()");
}

/* "[2, 3, 8, 8]" with the strides "[192, 1, 24, 3]": channels last. */
static bool is_channels_last(const struct tensor *t)
{
    struct str shape = t->shape, stride = t->stride, channels, second;

    if (!str_consume(&shape, STR("[")) || !str_consume(&stride, STR("[")))
        return false;
    for (unsigned i = 0; i < 2; i++) {
        channels = str_trim(str_split(&shape, ','));
        second = str_trim(str_split(&stride, ','));
    }
    str_split(&shape, ',');
    return shape.n && str_chr(shape, ',') < 0 && str_eq(second, STR("1")) && !str_eq(channels, STR("1"));
}

/* "4" of "[4, 1]" for dimension 0. */
static struct str size_of(struct str shape, int64_t dimension)
{
    if (dimension < 0 || !str_consume(&shape, STR("[")))
        return (struct str){0};
    while (dimension-- > 0 && shape.n)
        str_split(&shape, ',');
    shape = str_trim(str_split(&shape, ','));
    return str_ends(shape, STR("]")) ? str_drop(shape, 1) : shape;
}

/* `contiguous()` and `clone()` keep the stride of a dimension whose size is 1, as of a piece of another tensor. */
bool recompile_may_keep_stride(struct finder *f, const struct recompile_cause *cause)
{
    const struct tensor *t =
        input_tensor(paste_first_compile(cause), recompile_full_source(f->arena, cause->sample->source));
    struct str size = size_of(t && t->shape.n ? t->shape : remedy_stated(cause)->shape, cause->sample->index);

    return !(t && is_channels_last(t)) && (size.n == 0 || str_eq(size, STR("1")));
}

void recompile_paste_layout(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    struct str source = recompile_full_source(f->arena, cause->sample->source), name = value_name(f, cause), call;
    const struct tensor *t = input_tensor(paste_first_compile(cause), source);
    const struct call *line = paste_line(cause->first->compile);
    bool before = line && is_name(paste_expression(f, cause->first->compile, source));
    struct str target = before ? name : target_of(name);

    if (name.n == 0)
        return;
    if (recompile_is_of_numpy(cause->sample)) { /* a copy has the strides of a new array, also where a size is 1 */
        paste_assignment(f, x, cause, name, "", STR(".copy()"), "before the call, in the caller");
        return;
    }
    call = t && is_channels_last(t) ? STR(".contiguous(memory_format=torch.channels_last)") : STR(".contiguous()");
    if (recompile_may_keep_stride(f, cause))
        call = arena_printf(f->arena, ".new_empty(%.*s.shape).copy_(%.*s)", STR_ARG(target), STR_ARG(target));
    if (before)
        paste_before(x, arena_printf(f->arena, "%.*s = %.*s%.*s", STR_ARG(name), STR_ARG(name), STR_ARG(call)), line);
    else
        paste_assignment(f, x, cause, name, "", call, "before the call, in the caller");
}

/*
 * "opt" of `opt.step()`. Up to 2.6 the stacks of compiles have no code, but those of breaks in the optimizer do: where
 * they name several, it may be any of them.
 */
static struct str optimizer_of(const struct compile *compiled)
{
    struct str name = caller_receiver(caller_of(compiled), STR(".step("));
    const struct process *p = compiled->process;

    if (name.n)
        return name;
    for (size_t i = 0; i < p->compiles.n; i++)
        for (size_t k = 0; k < p->compiles.v[i]->breaks.n; k++) {
            const struct call *own = stack_own_call(p->compiles.v[i]->breaks.v[k]->stack);
            struct str one = own ? caller_receiver(own, STR(".step(")) : (struct str){0};

            if (name.n && one.n && !str_eq(one, name))
                return (struct str){0};
            name = one.n ? one : name;
        }
    return name;
}

void recompile_paste_optimizer(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    struct str optimizer = optimizer_of(cause->first->compile);
    struct str text =
        arena_printf(f->arena, "for group in %.*s.param_groups:\n    group[\"lr\"] = torch.tensor(group[\"lr\"])",
                     STR_ARG(optimizer.n ? optimizer : STR("optimizer")));

    paste_pattern(x, text, "once, where the optimizer is made, before schedulers are made for it");
}

/* The keys of an argument, by the dict that the guard is on. */
void recompile_paste_sorted(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    const struct compile *c = cause->first->compile;
    struct str dict = {0}, rest = cause->sample->guard, name;
    const struct call *line = paste_line(c);

    if (!str_between(rest, STR("list(dict.keys("), STR("))["), &dict))
        return;
    name = paste_expression(f, c, recompile_full_source(f->arena, dict));
    if (line && is_name(name))
        paste_before(x, arena_printf(f->arena, "%.*s = dict(sorted(%.*s.items()))", STR_ARG(name), STR_ARG(name)),
                     line);
    else if (is_name(dict))
        paste_pattern(x, arena_printf(f->arena, "%.*s = dict(sorted(%.*s.items()))", STR_ARG(dict), STR_ARG(dict)),
                      "before the call, in the caller");
}

void recompile_paste_captured(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    (void)f, (void)cause;
    paste_pattern(x, STR("n = torch.tensor(n)   # the captured number"), "before the `def` that captures it");
}

/* --- what is compiled --------------------------------------------------------------------------------------------- */

void recompile_paste_log(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    (void)f, (void)cause;
    finding_paste(x, PASTE_ENVIRONMENT, STR("TORCH_LOGS=\"recompiles\""));
}

void recompile_paste_log_of_sizes(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    (void)f, (void)cause;
    finding_paste(x, PASTE_ENVIRONMENT, STR("TORCH_LOGS=\"dynamic\""));
}

void recompile_paste_isolate(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    (void)f, (void)cause;
    paste_pattern(x, STR("torch.compile(module, isolate_recompiles=True)"),
                  "where each module is compiled, if several share the code");
}

void recompile_paste_backend(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    (void)f, (void)cause;
    paste_pattern(x, STR("compiled = torch.compile(..., backend=backend)"), "once, outside of the loop");
}
