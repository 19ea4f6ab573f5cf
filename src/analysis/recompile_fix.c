#include "analysis/recompile_fix.h"

/* The text to paste; empty when none can be given. */
typedef struct str paste_fn(struct arena *a, const struct guard_reason *g, const struct frame *fr);

enum change {
    CHANGE_SIZE,
    CHANGE_SMALL_SIZE,
    CHANGE_PARAMETER,
    CHANGE_INT,
    CHANGE_FLOAT,
    CHANGE_OPTIMIZER,
    CHANGE_GLOBAL_VALUE,
    CHANGE_DTYPE,
    CHANGE_DEVICE,
    CHANGE_STRIDE,
    CHANGE_DIMENSIONS,
    CHANGE_REQUIRES_GRAD,
    CHANGE_INFERENCE,
    CHANGE_TENSOR_KIND,
    CHANGE_ALIASING,
    CHANGE_IDENTITY,
    CHANGE_FUNCTION,
    CHANGE_TYPE,
    CHANGE_MODULE_ATTRIBUTE,
    CHANGE_TRAINING,
    CHANGE_GLOBAL_STATE,
    CHANGE_DICT,
    CHANGE_LENGTH,
    CHANGE_NONE,
    CHANGE_CONSTANT,
    CHANGE_RELATION,
    CHANGE_MARKING,
    CHANGE_ATTRIBUTE,
    CHANGE_BACKEND,
    CHANGE_INVALIDATED,
    CHANGE_OTHER,
    CHANGES
};

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

/* Ordinary tensors have a key of autograd, those made in inference mode have none. */
static bool is_inference(const struct guard_reason *g)
{
    return str_has(g->expected, STR("Autograd")) != str_has(g->actual, STR("Autograd"));
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

/* The class of the guard, told apart further by what changed. */
static enum change change_of(const struct guard_reason *g)
{
    if (is_value(g))
        return change_of_value(g);
    if (g->class == GUARD_SIZE && str_has(g->guard, STR("Guard failed on a parameter")))
        return CHANGE_PARAMETER;
    if (g->class == GUARD_SIZE && !g->could_be_dynamic)
        return CHANGE_SMALL_SIZE;
    if (g->class == GUARD_LAYOUT && is_inference(g))
        return CHANGE_INFERENCE;
    if (g->class == GUARD_IDENTITY && is_alias_check(g->guard))
        return CHANGE_ALIASING;
    if (g->class == GUARD_MODULE_ATTRIBUTE && str_ends(g->source, STR(".training")))
        return CHANGE_TRAINING;
    return change_of_class[g->class];
}

static bool simple_name(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!((s.p[i] | 0x20) >= 'a' && (s.p[i] | 0x20) <= 'z') && !(s.p[i] >= '0' && s.p[i] <= '9') && s.p[i] != '_' &&
            s.p[i] != '.')
            return false;
    return s.n > 0;
}

/* A name that can be called by it: no lambda, no class before it. */
static struct str callable_name(const struct frame *fr)
{
    return !fr->is_resume && simple_name(fr->name) && !str_eq(fr->name, STR("forward")) ? fr->name : STR("model");
}

static struct str paste_dynamic(struct arena *a, const struct guard_reason *g, const struct frame *fr)
{
    (void)g;
    return arena_printf(a, "torch.compile(%.*s, dynamic=True)", STR_ARG(callable_name(fr)));
}

static struct str paste_mark(struct arena *a, const struct guard_reason *g, const struct frame *fr)
{
    if (g->index < 0 || !simple_name(g->source))
        return paste_dynamic(a, g, fr);
    return arena_printf(a, "torch._dynamo.mark_dynamic(%.*s, %lld)", STR_ARG(g->source), (long long)g->index);
}

static struct str paste_unbacked(struct arena *a, const struct guard_reason *g, const struct frame *fr)
{
    (void)fr;
    if (g->index < 0 || !simple_name(g->source))
        return (struct str){0};
    return arena_printf(a, "torch._dynamo.decorators.mark_unbacked(%.*s, %lld)", STR_ARG(g->source),
                        (long long)g->index);
}

static struct str paste_parameter(struct arena *a, const struct guard_reason *g, const struct frame *fr)
{
    (void)a, (void)g, (void)fr;
    return STR("torch._dynamo.config.force_parameter_static_shapes = False");
}

static struct str paste_tensor(struct arena *a, const struct guard_reason *g, const struct frame *fr)
{
    (void)fr;
    if (!simple_name(g->name))
        return (struct str){0};
    return arena_printf(a, "%.*s = torch.tensor(%.*s)", STR_ARG(g->name), STR_ARG(g->name));
}

/* "lr" of self.param_groups[0]['lr']. */
static struct str paste_optimizer(struct arena *a, const struct guard_reason *g, const struct frame *fr)
{
    struct str key = str_skip(g->source, (size_t)(str_rchr(g->source, '[') + 1));

    (void)fr;
    if (!str_consume(&key, STR("'")) || !str_ends(key, STR("']")) || !simple_name(str_take(key, key.n - 2)))
        key = STR("lr']");
    key = str_take(key, key.n - 2);
    return arena_printf(a, "for group in optimizer.param_groups:\n    group[\"%.*s\"] = torch.tensor(group[\"%.*s\"])",
                        STR_ARG(key), STR_ARG(key));
}

static struct str paste_dtype(struct arena *a, const struct guard_reason *g, const struct frame *fr)
{
    (void)fr;
    if (!simple_name(g->source) || !simple_name(g->expected))
        return (struct str){0};
    return arena_printf(a, "%.*s = %.*s.to(torch.%.*s)", STR_ARG(g->source), STR_ARG(g->source), STR_ARG(g->expected));
}

static struct str paste_contiguous(struct arena *a, const struct guard_reason *g, const struct frame *fr)
{
    (void)fr;
    if (!simple_name(g->source))
        return (struct str){0};
    return arena_printf(a, "%.*s = %.*s.contiguous()", STR_ARG(g->source), STR_ARG(g->source));
}

static struct str paste_clone(struct arena *a, const struct guard_reason *g, const struct frame *fr)
{
    (void)fr;
    if (!simple_name(g->source))
        return (struct str){0};
    return arena_printf(a, "%.*s = %.*s.clone()   # outside of torch.inference_mode()", STR_ARG(g->source),
                        STR_ARG(g->source));
}

/* Only where the attribute is a number, as a tensor of the module. */
static struct str paste_buffer(struct arena *a, const struct guard_reason *g, const struct frame *fr)
{
    struct str name = str_skip(g->source, (size_t)(str_rchr(g->source, '.') + 1));
    bool number = g->expected.n && simple_name(g->expected) && g->expected.p[0] >= '0' && g->expected.p[0] <= '9';

    (void)fr;
    if (!number || !simple_name(name))
        return (struct str){0};
    return arena_printf(a, "self.register_buffer(\"%.*s\", torch.tensor(%.*s))   # in __init__", STR_ARG(name),
                        STR_ARG(g->expected));
}

static struct str paste_stack(struct arena *a, const struct guard_reason *g, const struct frame *fr)
{
    (void)fr;
    if (!simple_name(g->source))
        return (struct str){0};
    return arena_printf(a, "%.*s = torch.stack(%.*s)", STR_ARG(g->source), STR_ARG(g->source));
}

static struct str paste_backend(struct arena *a, const struct guard_reason *g, const struct frame *fr)
{
    (void)g;
    return arena_printf(a, "compiled = torch.compile(%.*s, backend=backend)   # once, outside of the loop",
                        STR_ARG(callable_name(fr)));
}

static const struct remedy {
    const char *id, *fix;
    paste_fn *paste; /* NULL: nothing to paste */
} remedies[CHANGES] = {
    [CHANGE_SIZE] = {"recompile-size",
                     "Tell the compiler before the first call that this size varies: then one graph serves all sizes.",
                     paste_mark},
    [CHANGE_SMALL_SIZE] =
        {"recompile-small-size",
         "PyTorch compiles sizes of 0 and 1 on their own, even where they are marked dynamic. Pad or skip "
         "such inputs, accept one more compile, or mark the size unbacked: then nothing in the "
         "function may depend on it.",
         paste_unbacked},
    [CHANGE_PARAMETER] = {"recompile-parameter",
                          "The sizes of parameters are constants unless PyTorch is told otherwise. Pass a plain "
                          "tensor, or allow parameters to be dynamic.",
                          paste_parameter},
    [CHANGE_INT] = {"recompile-int",
                    "A Python integer is compiled in as a constant until it has changed once. Pass it as a tensor, or "
                    "let it be dynamic from the first call on.",
                    paste_dynamic},
    [CHANGE_FLOAT] = {"recompile-float", "A Python float is compiled in as a constant. Pass it as a tensor.",
                      paste_tensor},
    [CHANGE_OPTIMIZER] = {"recompile-learning-rate",
                          "A number of the optimizer is compiled in as a constant. Keep it in a tensor: schedulers "
                          "update that in place.",
                          paste_optimizer},
    [CHANGE_GLOBAL_VALUE] = {"recompile-global-value",
                             "The value of a global variable is compiled in as a constant. Pass it as an argument, or "
                             "keep a tensor in the variable and change that in place.",
                             paste_tensor},
    [CHANGE_DTYPE] = {"recompile-dtype", "Convert it to one dtype before the compiled function.", paste_dtype},
    [CHANGE_DEVICE] = {"recompile-device", "Keep it on one device, or compile one function per device.", NULL},
    [CHANGE_STRIDE] = {"recompile-stride", "Give it the same memory layout each time.", paste_contiguous},
    [CHANGE_DIMENSIONS] = {"recompile-dimensions",
                           "Give it the same number of dimensions each time, or compile one function per case.", NULL},
    [CHANGE_REQUIRES_GRAD] = {"recompile-requires-grad",
                              "requires_grad changes between calls. Set it once, or compile training and evaluation "
                              "apart.",
                              NULL},
    [CHANGE_INFERENCE] = {"recompile-inference-tensor",
                          "Tensors made under torch.inference_mode() are of another kind than the rest. Make all "
                          "inputs in one mode; a clone outside of it is an ordinary tensor.",
                          paste_clone},
    [CHANGE_TENSOR_KIND] = {"recompile-tensor-kind",
                            "The kind of tensor changes (layout, subclass, gradient state). Make it the same each "
                            "time.",
                            NULL},
    [CHANGE_ALIASING] = {"recompile-aliasing",
                         "Whether two inputs are the same object changes between calls. Pass distinct objects always, "
                         "or the same one always.",
                         NULL},
    [CHANGE_IDENTITY] = {"recompile-identity",
                         "Another object comes in each time. Create it once and reuse it, or pass what differs as "
                         "tensors.",
                         NULL},
    [CHANGE_FUNCTION] = {"recompile-function",
                         "A function or closure made anew for each call comes in. Define it once, outside of the "
                         "loop, and pass what it captured as an argument.",
                         NULL},
    [CHANGE_TYPE] = {"recompile-type",
                     "An object of another type comes in. Make the types the same, or compile one function per type.",
                     NULL},
    [CHANGE_MODULE_ATTRIBUTE] = {"recompile-module-attribute",
                                 "An attribute of a module changes between calls, and is compiled in as a constant. "
                                 "Make it a buffer (a tensor), or do not change it.",
                                 paste_buffer},
    [CHANGE_TRAINING] = {"recompile-training-flag",
                         "The module is switched between train() and eval(). Two compiles are its price; more mean "
                         "that another cause comes in. Compile two instances if both are needed at once.",
                         NULL},
    [CHANGE_GLOBAL_STATE] = {"recompile-global-state",
                             "A global setting changes between calls. Set it once, or call the compiled function "
                             "always under the same setting.",
                             NULL},
    [CHANGE_DICT] = {"recompile-dict-keys",
                     "The keys of a dict change between calls. Keep the same keys in the same order, and fill missing "
                     "ones with a default.",
                     NULL},
    [CHANGE_LENGTH] = {"recompile-length",
                       "The length of a list or tuple changes between calls, and loops over it are unrolled. Pass one "
                       "tensor, or pad to one length.",
                       paste_stack},
    [CHANGE_NONE] = {"recompile-none",
                     "An argument is sometimes None. Pass a tensor always, or compile one function per case.", NULL},
    [CHANGE_CONSTANT] = {"recompile-constant",
                         "A flag, string or other constant is compiled in, once for each value. Few values are fine; "
                         "for many, decide on it outside of the compiled function.",
                         NULL},
    [CHANGE_RELATION] = {"recompile-shape-relation",
                         "A relation between sizes that held in the first call no longer holds: code branches on a "
                         "size, or one size was equal to another by chance. Mark the sizes dynamic, and keep "
                         "decisions on sizes out of the compiled function.",
                         paste_dynamic},
    [CHANGE_MARKING] = {"recompile-marking",
                        "mark_dynamic (or its kin) is applied to some inputs and not to others. Mark every input, "
                        "before the first call.",
                        NULL},
    [CHANGE_ATTRIBUTE] = {"recompile-attribute",
                          "An attribute appears or disappears between calls. Set it in the constructor.", NULL},
    [CHANGE_BACKEND] = {"recompile-backend",
                        "The function is compiled with several backends, or several instances of one. Make the "
                        "backend and the compiled function once, and use them in every call.",
                        paste_backend},
    [CHANGE_INVALIDATED] = {"recompile-invalidated",
                            "An object that the compiled code depended on was deleted, and the code with it. Keep the "
                            "object alive as long as the function is called.",
                            NULL},
    [CHANGE_OTHER] = {"recompile-other", "Keep what the guard names the same between calls.", NULL},
};

/* Of GUARD_INT where dynamic shapes do not help (guard_reason.could_be_dynamic). */
static const struct remedy static_int = {
    "recompile-int",
    "A Python integer is compiled in as a constant, whatever the settings. Pass it as a tensor.",
    paste_tensor,
};

static const struct remedy *remedy_of(const struct guard_reason *g)
{
    enum change change = change_of(g);

    return change == CHANGE_INT && !g->could_be_dynamic ? &static_int : &remedies[change];
}

/* What can be said of some global settings, by how PyTorch names them in the guard. */
static const struct {
    const char *name, *fix;
} settings[] = {
    {"grad_mode", "The compiled function is called with gradients and under torch.no_grad(). Each costs one compile; "
                  "call it in one mode if that is too much."},
    {"autocast", "The compiled function is called inside and outside of torch.autocast. Enter it around every call, "
                 "the first one too."},
    {"num_threads", "torch.set_num_threads is called after the first compile. Call it once, at the start."},
    {"deterministic", "torch.use_deterministic_algorithms is called after the first compile. Call it once, at the "
                      "start."},
    {"default_dtype", "torch.set_default_dtype is called after the first compile. Call it once, at the start."},
    {"tf32", "TF32 is switched after the first compile. Choose once, at the start."},
};

static struct str fix_of(const struct guard_reason *g)
{
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (g->class == GUARD_GLOBAL_STATE && str_has(g->guard, str_of(settings[i].name)))
            return str_of(settings[i].fix);
    return str_of(remedy_of(g)->fix);
}

void recompile_fix_find(struct arena *a, const struct guard_reason *g, const struct frame *fr,
                        struct recompile_fix *out)
{
    const struct remedy *r = remedy_of(g);

    out->id = r->id;
    out->fix = fix_of(g);
    out->paste = r->paste ? r->paste(a, g, fr) : (struct str){0};
}
