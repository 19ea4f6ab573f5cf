#include "analysis/recompiles/recompile_change.h"

static const enum change change_of_class[GUARD_CLASS_COUNT] = {
    [GUARD_SIZE] = CHANGE_SIZE,
    [GUARD_STRIDE] = CHANGE_STRIDE,
    [GUARD_NDIM] = CHANGE_DIMENSIONS,
    [GUARD_DTYPE] = CHANGE_DTYPE,
    [GUARD_DEVICE] = CHANGE_DEVICE,
    [GUARD_LAYOUT] = CHANGE_TENSOR_KIND,
    [GUARD_REQUIRES_GRAD] = CHANGE_REQUIRES_GRAD,
    [GUARD_TENSOR_ALIASING] = CHANGE_ALIASING,
    [GUARD_INT] = CHANGE_INT,
    [GUARD_FLOAT] = CHANGE_FLOAT,
    [GUARD_BOOL] = CHANGE_CONSTANT,
    [GUARD_STRING] = CHANGE_CONSTANT,
    [GUARD_CONSTANT] = CHANGE_CONSTANT,
    [GUARD_NONE] = CHANGE_NONE,
    [GUARD_TYPE] = CHANGE_TYPE,
    [GUARD_IDENTITY] = CHANGE_IDENTITY,
    [GUARD_MODULE_ATTRIBUTE] = CHANGE_MODULE_ATTRIBUTE,
    [GUARD_DICT] = CHANGE_DICT,
    [GUARD_LENGTH] = CHANGE_LENGTH,
    [GUARD_GLOBAL_STATE] = CHANGE_GLOBAL_STATE,
    [GUARD_FUNCTION] = CHANGE_FUNCTION,
    [GUARD_SHAPE_EXPRESSION] = CHANGE_RELATION,
    [GUARD_DYNAMIC_MARKING] = CHANGE_MARKING,
    [GUARD_ATTRIBUTE] = CHANGE_ATTRIBUTE,
    [GUARD_CONTEXT] = CHANGE_GLOBAL_STATE,
    [GUARD_BACKEND] = CHANGE_BACKEND,
    [GUARD_INVALIDATED] = CHANGE_INVALIDATED,
    [GUARD_OTHER] = CHANGE_OTHER,
};

static bool is_value(const struct guard_reason *g)
{
    return g->class == GUARD_INT || g->class == GUARD_FLOAT || g->class == GUARD_BOOL || g->class == GUARD_STRING ||
           g->class == GUARD_CONSTANT;
}

/*
 * Tensors created in inference mode lack two keys that all others have: autograd's, and ADInplaceOrView. Under
 * torch.no_grad() the first is not part of the check (TensorCheck, torch/csrc/dynamo/guards.cpp).
 */
static bool is_inference(const struct guard_reason *g)
{
    return str_has(g->expected, STR("ADInplaceOrView")) != str_has(g->actual, STR("ADInplaceOrView")) ||
           str_has(g->expected, STR("Autograd")) != str_has(g->actual, STR("Autograd"));
}

/* Until about 2.7 autocast shows as a key of the tensors. */
static bool is_autocast(const struct guard_reason *g)
{
    return str_has(g->expected, STR("Autocast")) != str_has(g->actual, STR("Autocast"));
}

bool recompile_is_of_parameter(const struct guard_reason *g)
{
    return str_has(g->source, STR("._parameters[")) || str_has(g->guard, STR("Guard failed on a parameter"));
}

static bool is_of_module(struct str source)
{
    return str_has(source, STR("._parameters[")) || str_has(source, STR("._modules[")) ||
           str_ends(source, STR("._parameters")) || str_ends(source, STR("._modules")) ||
           str_ends(source, STR("._buffers"));
}

/* The object is `self`, or is kept in a module: several modules share the code, each with its own. */
static bool is_of_one_module(const struct guard_reason *g)
{
    return str_eq(g->source, STR("self")) || str_eq(g->source, STR("L['self']")) || is_of_module(g->source) ||
           str_has(g->source, STR("._modules["));
}

/* "x is y" */
static bool is_alias_check(struct str guard)
{
    struct str left = str_split(&guard, ' '), is = str_split(&guard, ' ');

    return left.n && str_eq(is, STR("is")) && guard.n && str_chr(guard, ' ') < 0;
}

static enum change change_of_value(const struct guard_reason *g)
{
    if (str_has(g->source, STR("param_groups[")))
        return CHANGE_OPTIMIZER;
    if (str_has(g->source, STR("__closure__")) || str_has(g->source, STR("__defaults__")) ||
        str_has(g->source, STR("__kwdefaults__")))
        return CHANGE_FUNCTION;
    if (str_starts(g->source, STR("G[")))
        return CHANGE_GLOBAL_VALUE;
    return change_of_class[g->class];
}

/* The class of the guard, subdivided by what changed. */
enum change recompile_change_of(const struct guard_reason *g)
{
    if (!g)
        return CHANGE_UNKNOWN;
    if (is_value(g))
        return change_of_value(g);
    if (g->class == GUARD_SIZE && recompile_is_of_parameter(g))
        return is_of_module(g->source) ? CHANGE_MODULE : CHANGE_PARAMETER;
    if (g->class == GUARD_SIZE && !g->could_be_dynamic)
        return CHANGE_SMALL_SIZE;
    if (g->class == GUARD_DICT && is_of_module(g->source))
        return CHANGE_MODULE; /* other modules or parameters are in it */
    if (g->class == GUARD_LAYOUT && is_autocast(g))
        return CHANGE_GLOBAL_STATE;
    if (g->class == GUARD_LAYOUT && is_inference(g))
        return CHANGE_INFERENCE;
    if (g->class == GUARD_IDENTITY && is_alias_check(g->guard))
        return CHANGE_ALIASING;
    if (g->class == GUARD_IDENTITY && is_of_one_module(g))
        return CHANGE_MODULE;
    if (g->class == GUARD_SHAPE_EXPRESSION && str_has(g->guard, STR(".item()")) && !recompile_is_from_break(g))
        return CHANGE_TENSOR_VALUE;
    if (g->class == GUARD_MODULE_ATTRIBUTE && str_ends(g->source, STR(".training")))
        return CHANGE_TRAINING;
    return change_of_class[g->class];
}

/* "dict.__getitem__(kwargs['x'], list(dict.keys(kwargs['x']))[0])": a value by the index of its key. */
static struct str full_source_of_item(struct arena *a, struct str source)
{
    static const struct str begin = STR_INIT("dict.__getitem__("), keys = STR_INIT(", list(dict.keys(");
    struct str dict = str_skip(source, begin.n), rest;
    ptrdiff_t at = str_find(dict, keys);

    if (at < 1 || str_has(str_take(dict, (size_t)at), STR("(")))
        return source;
    rest = str_skip(dict, (size_t)at + keys.n);
    dict = str_take(dict, (size_t)at);
    if (!str_starts(rest, dict))
        return source;
    rest = str_skip(rest, dict.n);
    dict = recompile_full_source(a, dict);
    return arena_printf(a, "%.*s%.*s%.*s%.*s%.*s", STR_ARG(begin), STR_ARG(dict), STR_ARG(keys), STR_ARG(dict),
                        STR_ARG(rest));
}

static const struct str from_numpy = STR_INIT("___from_numpy(");

bool recompile_is_of_numpy(const struct guard_reason *g)
{
    return g && (str_has(g->source, from_numpy) || str_has(g->guard, from_numpy));
}

struct str recompile_full_source(struct arena *a, struct str source)
{
    struct str array = source;
    size_t n = 0;

    if (str_consume(&array, from_numpy) && str_ends(array, STR(")"))) {
        array = recompile_full_source(a, str_drop(array, 1));
        return arena_printf(a, "%.*s%.*s)", STR_ARG(from_numpy), STR_ARG(array));
    }
    if (source.n == 0 || str_starts(source, STR("L[")) || str_starts(source, STR("G[")))
        return source;
    if (str_starts(source, STR("dict.__getitem__(")))
        return full_source_of_item(a, source);
    while (n < source.n && source.p[n] != '.' && source.p[n] != '[')
        n++;
    return arena_printf(a, "L['%.*s']%.*s", (int)n, source.p, STR_ARG(str_skip(source, n)));
}

bool recompile_is_from_break(const struct guard_reason *g)
{
    /* The object of a method that is called after the break existed before the break. */
    return g && !str_has(g->source, STR(".__self__")) &&
           (str_starts(g->name, STR("___stack")) || str_starts(g->source, STR("L['___stack")) ||
            (g->source.n == 0 && str_has(g->guard, STR("___stack"))));
}

bool recompile_is_of_tensor(enum guard_class class)
{
    return class == GUARD_SIZE || class == GUARD_STRIDE || class == GUARD_NDIM || class == GUARD_DTYPE ||
           class == GUARD_DEVICE || class == GUARD_LAYOUT || class == GUARD_REQUIRES_GRAD;
}
