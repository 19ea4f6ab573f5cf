#include "analysis/remedies/recompile_paste.h"

#include "analysis/answers/versions.h"
#include "analysis/find/callee.h"
#include "analysis/find/caller.h"
#include "analysis/find/caller_expression.h"
#include "analysis/recompiles/recompile_names.h"
#include "text/python/python_call.h"

/* --- versions ----------------------------------------------------------------------------------------------------- */

static struct str version_of(const struct recompile_cause *cause)
{
    return process_pytorch(cause->first->compile->process);
}

bool recompile_has(const struct recompile_cause *cause, enum name_kind kind, const char *name)
{
    return names_has(kind, str_of(name), version_of(cause)) == NAME_PRESENT;
}

bool recompile_may_have(const struct recompile_cause *cause, enum name_kind kind, const char *name)
{
    return version_of(cause).n == 0 || recompile_has(cause, kind, name);
}

bool recompile_has_parameter(const struct recompile_cause *cause, const char *parameter)
{
    return names_has_parameter(STR("torch.compile"), str_of(parameter), version_of(cause)) == NAME_PRESENT;
}

bool recompile_version_is_known(const struct recompile_cause *cause)
{
    return version_of(cause).n > 0;
}

bool recompile_version_is(const struct recompile_cause *cause, uint64_t major, uint64_t minor)
{
    struct str version = version_of(cause);
    uint64_t have_major, have_minor;

    return str_take_u64(&version, &have_major) && str_consume(&version, STR(".")) &&
           str_take_u64(&version, &have_minor) && (have_major > major || (have_major == major && have_minor >= minor));
}

/* --- statements before the call ----------------------------------------------------------------------------------- */

/* The first compile of the function: the pasted text must run before it. */
static const struct compile *first_compile(const struct recompile_cause *cause)
{
    return cause->first->compile->frame->compiles.v[0];
}

/* The line that calls it, if a statement can be put before that line. */
static const struct call *statement_line(const struct compile *c)
{
    const struct call *line = caller_of(c);

    return line && python_is_whole_statement(line->source) ? line : NULL;
}

static struct str expression_of(struct finder *f, const struct compile *c, struct str source)
{
    return caller_expression(f->arena, c, guard_facts_of(f, c), source);
}

static void paste_before(struct finding *x, struct str text, const struct call *line)
{
    finding_paste(x, PASTE_STATEMENT, text);
    finding_paste_at(x, line, STR("before the call, in the caller"));
}

static void paste_pattern(struct finding *x, struct str text, const char *where)
{
    finding_paste(x, PASTE_PATTERN, text);
    finding_paste_at(x, NULL, str_of(where));
}

/* --- sizes and numbers -------------------------------------------------------------------------------------------- */

/* Sizes 0 and 1 get compiles of their own, marked or not. */
static bool is_worth_marking(const struct input_change *x)
{
    return x->dim == INPUT_NUMBER || (!str_eq(x->from, STR("0")) && !str_eq(x->from, STR("1")));
}

/*
 * The statement runs before every call, so every call must have this tensor: every call had a compile, or passed the
 * guards of one.
 */
static bool is_always_there(struct finder *f, const struct frame *fr, const struct input_change *x)
{
    for (size_t i = 0; i < fr->compiles.n; i++)
        if (!fr->compiles.v[i]->limit_hit && input_value(f->arena, fr->compiles.v[i], x->source, x->dim).n == 0)
            return false;
    return true;
}

/* Marking fails if the code makes the size a constant; a size that is a symbol in the trace can be marked. */
static struct str mark_lines(struct finder *f, const struct recompile_cause *cause)
{
    const char *mark = cause->state == INPUT_DYNAMIC ? "mark_dynamic" : "maybe_mark_dynamic";
    struct str out = {0};

    vec_each(const struct input_change, x, &cause->inputs.list)
    {
        struct str expression;

        if (!is_worth_marking(x))
            continue;
        expression = expression_of(f, first_compile(cause), x->source);
        if (expression.n == 0 || x->dim == INPUT_NUMBER || !is_always_there(f, first_compile(cause)->frame, x))
            return (struct str){0};
        out = arena_printf(f->arena, "%.*s%storch._dynamo.%s(%.*s, %lld)", STR_ARG(out), out.n ? "\n" : "", mark,
                           STR_ARG(expression), (long long)x->dim);
    }
    return out;
}

/*
 * In a list of sources between double quotes, each of which PyTorch also reads as a regular expression
 * (is_dynamic_source, torch/_dynamo/variables/builder.py): it must be a valid one.
 */
static bool fits_in_list(struct str source)
{
    for (size_t i = 0; i < source.n; i++)
        if (str_chr(STR(",\"\\\n()*+?{|^$"), source.p[i]) >= 0)
            return false;
    return source.n > 0;
}

/* "L['ids']:1": a single dimension can be named since 2.13 (torch/compiler/config.py). */
static struct str source_of(struct finder *f, struct str source, int64_t dim, bool dims)
{
    if (!dims || dim == INPUT_NUMBER)
        return source;
    return arena_printf(f->arena, "%.*s:%lld", STR_ARG(source), (long long)dim);
}

static bool is_listed(struct str list, struct str entry)
{
    while (list.n)
        if (str_eq(str_split(&list, ','), entry))
            return true;
    return false;
}

static struct str listed_too(struct finder *f, struct str list, struct str entry)
{
    if (is_listed(list, entry))
        return list;
    return arena_printf(f->arena, "%.*s%s%.*s", STR_ARG(list), list.n ? "," : "", STR_ARG(entry));
}

/* The newest one that has symbols: what had ever changed by then is dynamic in it. */
static const struct compile *most_dynamic(const struct recompile_cause *cause)
{
    const struct frame *fr = cause->made_dynamic ? cause->made_dynamic->frame : NULL;

    for (size_t i = fr ? fr->compiles.n : 0; i-- > 0;)
        if (fr->compiles.v[i]->symbols.n)
            return fr->compiles.v[i];
    return NULL;
}

/*
 * What else changed and is dynamic in the end: integers of an object or a list mostly vary together, and a setting for
 * one of them only leaves the recompile to the next.
 */
static struct str with_symbols(struct finder *f, const struct recompile_cause *cause, struct str list, bool dims)
{
    enum { LISTED_MAX = 500 };
    const struct compile *c = most_dynamic(cause);

    for (size_t i = 0; c && i < c->symbols.n && list.n < LISTED_MAX; i++) {
        const struct symbol *s = &c->symbols.v[i];
        int64_t dim = INPUT_NUMBER;
        struct str source;

        if (!str_starts(s->name, STR("s")) || s->unbacked || s->specialized_to.n)
            continue;
        if (!input_parse_size(s->source, &source, &dim))
            source = s->source;
        if ((str_starts(source, STR("L['")) || str_starts(source, STR("G['"))) && fits_in_list(source) &&
            !str_starts(source, STR("L['___stack")))
            list = listed_too(f, list, source_of(f, source, dim, dims));
    }
    return list;
}

/* "L['ids']:1,L['mask']:1"; before 2.13, a source stands for all dimensions of the tensor. */
static struct str source_list(struct finder *f, const struct recompile_cause *cause)
{
    bool dims = recompile_version_is(cause, 2, 13);
    struct str out = {0};

    vec_each(const struct input_change, x, &cause->inputs.list)
    {
        if (!fits_in_list(x->source))
            return (struct str){0};
        if (is_worth_marking(x))
            out = listed_too(f, out, source_of(f, x->source, x->dim, dims));
    }
    return out.n ? with_symbols(f, cause, out, dims) : out;
}

/* The list is empty; otherwise the program has a list of its own, which must not be overwritten. */
static bool may_set_sources(struct finder *f, const struct recompile_cause *cause)
{
    struct str now = recompile_setting(f, cause->first->compile, "compiler_config", "dynamic_sources");

    return recompile_has(cause, NAME_SETTING, DYNAMIC_SOURCES) && (now.n == 0 || str_eq(now, STR("\"\"")));
}

/* What the text has set already is not advised. */
static bool is_dynamic_already(const struct recompile_cause *cause)
{
    return stated_has(&cause->first->compile->process->input->stated, STATED_DYNAMIC);
}

#define DYNAMIC_FOR_ALL "torch._dynamo.config.assume_static_by_default = False"

static void paste_for_all(struct finding *x, struct str text)
{
    finding_paste(x, PASTE_SETTING, text);
    x->paste.for_all = true;
}

void recompile_paste_dynamic(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    (void)f;
    if (!is_dynamic_already(cause))
        paste_for_all(x, STR(DYNAMIC_FOR_ALL));
}

/*
 * "`sigma`": floats that had changed by then and are dynamic in the compile. The list of sources is for sizes and
 * integers.
 */
static struct str floats_beside(struct finder *f, const struct recompile_cause *cause)
{
    const struct compile *c = cause->made_dynamic;
    struct str out = {0};

    for (size_t i = 0; c && i < c->symbols.n && out.n < 200; i++) {
        const struct symbol *s = &c->symbols.v[i];

        if (str_starts(s->name, STR("zf")) && s->specialized_to.n == 0 && !str_starts(s->source, STR("L['___stack")) &&
            (str_starts(s->source, STR("L['")) || str_starts(s->source, STR("G['")))) {
            struct str name = recompile_input_name(f, c, s->source);

            if (!str_has(out, name)) /* two symbols can be of one attribute */
                out = arena_printf(f->arena, "%.*s%s%.*s", STR_ARG(out), out.n ? ", " : "", STR_ARG(name));
        }
    }
    return out;
}

/* Whether the setting for all inputs was pasted, because a float varies together with the sizes or the integer. */
static bool paste_with_floats(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    struct str floats = cause->change == CHANGE_FLOAT ? (struct str){0} : floats_beside(f, cause);

    if (floats.n == 0)
        return false;
    if (!recompile_version_is(cause, 2, 8)) {
        x->fix = arena_printf(f->arena, "%.*s Numbers that vary as well, and are to be passed as tensors: %.*s.",
                              STR_ARG(x->fix), STR_ARG(floats));
        return false;
    }
    x->fix = arena_printf(f->arena, "%.*s Numbers that vary as well: %.*s. `dynamic=True` is for all of them.",
                          STR_ARG(x->fix), STR_ARG(floats));
    recompile_paste_dynamic(f, x, cause);
    return true;
}

void recompile_paste_number(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    struct str list = may_set_sources(f, cause) ? source_list(f, cause) : (struct str){0};

    if (paste_with_floats(f, x, cause))
        return;
    if (list.n == 0)
        recompile_paste_dynamic(f, x, cause);
    else
        finding_paste(x, PASTE_SETTING, arena_printf(f->arena, DYNAMIC_SOURCES " = \"%.*s\"", STR_ARG(list)));
}

/* False if no statement is certain to work. */
static bool paste_marks(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    const struct call *line = statement_line(first_compile(cause));
    struct str marks = line ? mark_lines(f, cause) : (struct str){0};

    if (marks.n)
        paste_before(x, marks, line);
    return marks.n > 0;
}

void recompile_paste_sizes(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    if (!paste_with_floats(f, x, cause) && !paste_marks(f, x, cause))
        recompile_paste_number(f, x, cause);
}

/* Uses the first of the inputs as an example for all of them. */
void recompile_paste_contiguous(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    const struct input_change *input = &cause->inputs.list.v[0];
    struct str name = recompile_input_name(f, cause->first->compile, input->source);

    str_consume(&name, STR("`"));
    name = str_ends(name, STR("`")) ? str_drop(name, 1) : name;
    if (!python_is_place(name) || recompile_is_of_numpy(cause->sample))
        return;
    finding_paste(x, PASTE_PATTERN,
                  arena_printf(f->arena, "%.*s = %.*s.contiguous()\ntorch._dynamo.mark_dynamic(%.*s, %lld)",
                               STR_ARG(name), STR_ARG(name), STR_ARG(name), (long long)input->dim));
    finding_paste_at(x, NULL, STR("before the call, for each of these inputs"));
}

/* Marks and the list of sources take precedence over dynamic=False; other settings do not. */
void recompile_paste_sizes_anyway(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    if (paste_marks(f, x, cause))
        return;
    if (may_set_sources(f, cause)) {
        recompile_paste_number(f, x, cause);
        return;
    }
    if (!is_dynamic_already(cause)) {
        finding_paste(x, PASTE_PATTERN, STR("torch.compile(..., dynamic=True)   # in place of dynamic=False"));
        finding_paste_at(x, NULL, STR("where the function is compiled"));
    }
}

void recompile_paste_dynamic_function(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    (void)f;
    if (!is_dynamic_already(cause))
        paste_pattern(x, STR("torch.compile(..., dynamic=True)"), "where the function is compiled");
}

void recompile_paste_parameter(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    if (may_set_sources(f, cause) && source_list(f, cause).n)
        recompile_paste_number(f, x, cause);
    else if (!str_eq(recompile_setting(f, cause->first->compile, "dynamo_config", "force_parameter_static_shapes"),
                     STR("false")))
        paste_for_all(x, STR("torch._dynamo.config.force_parameter_static_shapes = False\n" DYNAMIC_FOR_ALL));
}

void recompile_paste_unspecialized(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    (void)f;
    if (!recompile_version_is_known(cause) || recompile_has(cause, NAME_SETTING, "torch._dynamo.config.specialize_int"))
        finding_paste(x, PASTE_SETTING, STR("torch._dynamo.config.specialize_int = False"));
}

void recompile_paste_unspec_int(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    (void)f, (void)cause;
    finding_paste(x, PASTE_SETTING, STR("torch._dynamo.config.allow_unspec_int_on_nn_module = True"));
}

static const struct str no_duck = STR_INIT("import torch.fx.experimental._config\n"
                                           "torch.fx.experimental._config.use_duck_shape = False");

void recompile_paste_no_duck(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    (void)f;
    if (recompile_version_is(cause, 2, 5))
        finding_paste(x, PASTE_SETTING, no_duck);
}

void recompile_paste_maybe_no_duck(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    (void)f;
    if (recompile_version_is(cause, 2, 5))
        finding_paste(x, PASTE_PATTERN, no_duck);
}

/* --- what the caller passes --------------------------------------------------------------------------------------- */

static bool is_name(struct str s)
{
    return python_is_place(s) && str_chr(s, '.') < 0 && str_chr(s, '[') < 0;
}

/* The first value that changed, in the caller's words, or by the name of the parameter. */
static struct str value_name(struct finder *f, const struct recompile_cause *cause)
{
    const struct compile *c = cause->first->compile;
    struct str expression = expression_of(f, c, recompile_full_source(f->arena, cause->sample->source));

    if (expression.n)
        return expression;
    return !callee_passes_on(c->frame, guard_facts_of(f, c)) && python_is_place(cause->sample->name)
               ? cause->sample->name
               : (struct str){0};
}

/*
 * "NAME = NAME.to(torch.float32)" from the words around the second NAME. Fields of an object cannot always be assigned
 * (those of a named tuple cannot): they are changed where the object is created.
 */
/* "x" of "batch.x", which is set where `batch` is made. */
static struct str target_of(struct str name)
{
    ptrdiff_t field = str_starts(name, STR("self.")) ? -1 : str_rchr(name, '.');

    return field < 0 ? name : str_skip(name, (size_t)field + 1);
}

static void paste_assignment(struct finder *f, struct finding *x, struct str name, const char *before,
                             struct str behind, const char *where)
{
    struct str target = target_of(name);
    struct str object = target.n < name.n ? str_take(name, name.n - target.n - 1) : (struct str){0};

    paste_pattern(
        x, arena_printf(f->arena, "%.*s = %s%.*s%.*s", STR_ARG(target), before, STR_ARG(target), STR_ARG(behind)),
        where);
    if (object.n)
        finding_paste_at(x, NULL, arena_printf(f->arena, "where `%.*s` is made, in the caller", STR_ARG(object)));
}

void recompile_paste_tensor(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    struct str name = cause->sample->name;

    if (python_is_place(name))
        paste_assignment(f, x, name, "torch.tensor(", STR(")"),
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

    input_dtype_changes(f->arena, first_compile(cause), cause->first->compile, &dtypes);
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
            f, x, name, "",
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
        paste_assignment(f, x, name, "", STR(".as_subclass(torch.Tensor)"), "before the call, in the caller");
}

void recompile_paste_clone(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    struct str name = value_name(f, cause);

    if (name.n && !recompile_is_of_numpy(cause->sample))
        paste_assignment(f, x, name, "", STR(".clone()"), "before the call, outside of torch.inference_mode()");
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

/* `contiguous()` and `clone()` keep strides that only differ where a size is 1, as of a piece of another tensor. */
static bool may_have_size_of_one(const struct tensor *t)
{
    struct str shape = t ? t->shape : (struct str){0};

    if (!str_consume(&shape, STR("[")))
        return true;
    while (shape.n) {
        struct str size = str_trim(str_split(&shape, ','));

        if (str_eq(size, STR("1")) || str_eq(size, STR("1]")))
            return true;
    }
    return false;
}

bool recompile_may_keep_stride(struct finder *f, const struct recompile_cause *cause)
{
    const struct tensor *t =
        input_tensor(first_compile(cause), recompile_full_source(f->arena, cause->sample->source));

    return !(t && is_channels_last(t)) && may_have_size_of_one(t);
}

void recompile_paste_layout(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    struct str source = recompile_full_source(f->arena, cause->sample->source), name = value_name(f, cause), call;
    const struct tensor *t = input_tensor(first_compile(cause), source);
    const struct call *line = statement_line(cause->first->compile);
    bool before = line && is_name(expression_of(f, cause->first->compile, source));
    struct str target = before ? name : target_of(name);

    if (name.n == 0)
        return;
    if (recompile_is_of_numpy(cause->sample)) { /* a copy has the strides of a new array, also where a size is 1 */
        paste_assignment(f, x, name, "", STR(".copy()"), "before the call, in the caller");
        return;
    }
    call = t && is_channels_last(t) ? STR(".contiguous(memory_format=torch.channels_last)") : STR(".contiguous()");
    if (recompile_may_keep_stride(f, cause))
        call = arena_printf(f->arena, ".new_empty(%.*s.shape).copy_(%.*s)", STR_ARG(target), STR_ARG(target));
    if (before)
        paste_before(x, arena_printf(f->arena, "%.*s = %.*s%.*s", STR_ARG(name), STR_ARG(name), STR_ARG(call)), line);
    else
        paste_assignment(f, x, name, "", call, "before the call, in the caller");
}

void recompile_paste_optimizer(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    struct str optimizer = caller_receiver(caller_of(cause->first->compile), STR(".step("));
    struct str text =
        arena_printf(f->arena, "for group in %.*s.param_groups:\n    group[\"lr\"] = torch.tensor(group[\"lr\"])",
                     STR_ARG(optimizer.n ? optimizer : STR("optimizer")));

    paste_pattern(x, text, "once, where the optimizer is made, before schedulers are made for it");
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
