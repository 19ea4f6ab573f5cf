#include "analysis/remedies/recompile_paste_sizes.h"

#include "analysis/recompiles/recompile_names.h"
#include "analysis/recompiles/recompile_version.h"
#include "analysis/remedies/paste_call.h"
#include "text/python/python_call.h"

#define DYNAMIC_SOURCES "torch.compiler.config.dynamic_sources"

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
        expression = paste_expression(f, paste_first_compile(cause), x->source);
        if (expression.n == 0 || x->dim == INPUT_NUMBER || !is_always_there(f, paste_first_compile(cause)->frame, x))
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

/* The text has "dynamic=False", or nothing is known of it. */
static bool is_static_by_argument(const struct recompile_cause *cause)
{
    const struct stated *s = &cause->first->compile->process->input->stated;

    return !stated_has(s, STATED_READ) || stated_has(s, STATED_NOT_DYNAMIC);
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
    const struct call *line = paste_line(paste_first_compile(cause));
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
        finding_paste(x, PASTE_PATTERN, is_static_by_argument(cause)
                                            ? STR("torch.compile(..., dynamic=True)   # in place of dynamic=False")
                                            : STR("torch.compile(..., dynamic=True)"));
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
