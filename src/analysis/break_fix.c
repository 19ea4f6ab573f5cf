#include "analysis/break_fix.h"

#include "model/code_file.h"

/* The text to paste, where it has names of the message in it. */
typedef struct str paste_fn(struct arena *a, const struct break_words *w);

/* What stands between two marks, or behind the first where there is no second; empty without the first. */
static struct str between(struct str s, struct str begin, struct str end)
{
    ptrdiff_t at = str_find(s, begin), to;

    if (at < 0)
        return (struct str){0};
    s = str_skip(s, (size_t)at + begin.n);
    to = str_find(s, end);
    return to < 0 ? s : str_take(s, (size_t)to);
}

static bool is_name(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!((s.p[i] | 0x20) >= 'a' && (s.p[i] | 0x20) <= 'z') && !(i && s.p[i] >= '0' && s.p[i] <= '9') &&
            s.p[i] != '_')
            return false;
    return s.n > 0;
}

/* "warning" of "method: <Logger shop (ERROR)>.warning, args: ...". */
static struct str paste_logger(struct arena *a, const struct break_words *w)
{
    struct str method = between(w->context, STR(")>."), STR(","));

    return arena_printf(a, "torch._dynamo.config.ignore_logger_methods.add(logging.Logger.%.*s)",
                        STR_ARG(is_name(method) ? method : STR("info")));
}

/* "crc32" of "module: zlib, qualname: crc32, skip reason: ...". */
static struct str skipped_name(const struct break_words *w)
{
    struct str name = between(w->context, STR("qualname: "), STR(","));

    name = str_skip(name, (size_t)(str_rchr(name, '.') + 1));
    return is_name(name) ? name : STR("f");
}

static struct str paste_custom_op(struct arena *a, const struct break_words *w)
{
    struct str name = skipped_name(w);

    return arena_printf(a,
                        "@torch.library.custom_op(\"mylib::%.*s\", mutates_args=())\n"
                        "def %.*s_op(x: torch.Tensor) -> torch.Tensor:\n"
                        "    return ...   # a new tensor, made with %.*s\n"
                        "@%.*s_op.register_fake\n"
                        "def _(x):\n"
                        "    return torch.empty_like(x)   # shape and dtype of the result",
                        STR_ARG(name), STR_ARG(name), STR_ARG(name), STR_ARG(name));
}

static struct str paste_trace_into(struct arena *a, const struct break_words *w)
{
    struct str name = skipped_name(w);

    return arena_printf(a, "%.*s = torch._dynamo.dont_skip_tracing(%.*s)   # call this one", STR_ARG(name),
                        STR_ARG(name));
}

/* "foo::bar" of "unsupported operator: foo.bar.default". */
static struct str paste_fake_kernel(struct arena *a, const struct break_words *w)
{
    struct str op = between(w->message, STR("unsupported operator: "), STR("\n")), space = str_split(&op, '.');
    struct str name = str_split(&op, '.');
    bool known = is_name(space) && is_name(name);

    return arena_printf(a,
                        "@torch.library.register_fake(\"%.*s::%.*s\")\n"
                        "def _(x):\n"
                        "    return torch.empty_like(x)   # shape and dtype of the result",
                        STR_ARG(known ? space : STR("mylib")), STR_ARG(known ? name : STR("f")));
}

#define CAPTURE_SCALARS "torch._dynamo.config.capture_scalar_outputs = True"
#define CAPTURE_SHAPES "torch._dynamo.config.capture_dynamic_output_shape_ops = True"
#define WHERE "torch.where(condition, a, b)   # or torch.cond(condition, f, g, (x,))"
#define GUARDED "if not torch.compiler.is_compiling():\n    ..."

#define AUTOGRAD_FUNCTION                                                                                              \
    "This version of Dynamo does not trace the autograd.Function. A newer PyTorch may; else call it outside of the "    \
    "compiled function, or make it an operator with its own backward (torch.library.custom_op, register_autograd)."

/* Where the words of a row stand. */
enum place { IN_TYPE, IN_CONTEXT, IN_SOURCE, ANYWHERE, IS_TYPE, IN_TYPE_AND_SOURCE /* two, a line each */ };

/*
 * What it is about goes by words that messages of any version have; those of 2.5 and earlier are in the type alone. The
 * first row that fits.
 */
static const struct pattern {
    const char *words;
    enum place place;
    const char *id, *fix, *paste;
    paste_fn *make; /* the text to paste, where it is not `paste` */
} patterns[] = {
    /* wanted */
    {"torch._dynamo.graph_break", ANYWHERE, "break-on-purpose",
     "The code asks for this break. Remove the call if it is a left-over.", NULL, NULL},
    {"compiler.disable", ANYWHERE, "break-on-purpose",
     "The function is kept out of the compiler on purpose. If it need not be, remove the decorator; else call it "
     "outside of hot code.",
     NULL, NULL},
    {"_dynamo.disable", ANYWHERE, "break-on-purpose",
     "The function is kept out of the compiler on purpose. If it need not be, remove the decorator.", NULL, NULL},
    {"torch._dynamo.skip_frame", ANYWHERE, "break-on-purpose", "The code asks to be left out of the compiler.", NULL,
     NULL},
    {"torch._dynamo.step_unsupported", ANYWHERE, "break-on-purpose", "The code asks for this break.", NULL, NULL},
    {"Forced graph break", IN_TYPE, "break-on-purpose", "The code asks for this break.", NULL, NULL},

    {"skip function graph_break", ANYWHERE, "break-on-purpose",
     "The code asks for this break. Remove the call if it is a left-over.", NULL, NULL},

    /* output */
    {"print", IS_TYPE, "break-print", "Printing stops the graph. Remove it, or print only outside of the compiler.",
     "if not torch.compiler.is_compiling():\n    print(...)", NULL},
    {"call_function BuiltinVariable(print)", ANYWHERE, "break-print",
     "Printing stops the graph. Remove it, or print only outside of the compiler.",
     "if not torch.compiler.is_compiling():\n    print(...)", NULL},
    {"builtin: print", ANYWHERE, "break-print",
     "Printing stops the graph. Remove it, or print only outside of the compiler.",
     "if not torch.compiler.is_compiling():\n    print(...)", NULL},
    {"trace builtin operator `print`", ANYWHERE, "break-print",
     "Printing stops the graph. Remove it, print only outside of the compiler, or let Dynamo print after the graph.",
     "torch._dynamo.config.reorderable_logging_functions.add(print)", NULL},
    {"logging.Logger", ANYWHERE, "break-print",
     "Logging stops the graph. Log outside of the compiled function, or let Dynamo leave these calls out.", NULL,
     paste_logger},
    {"Logger not supported", ANYWHERE, "break-print", "Logging stops the graph. Log outside of the compiled function.",
     GUARDED, NULL},
    {"module: _warnings, qualname: warn", IN_CONTEXT, "break-print",
     "A warning stops the graph. Warn outside of the compiled function, or let Dynamo warn after the graph.",
     "torch._dynamo.config.reorderable_logging_functions.add(warnings.warn)", NULL},

    /* random numbers, before what their calls look like to Dynamo */
    {"module: random,", IN_CONTEXT, "break-random",
     "Python's random numbers are not traced. Draw them before the compiled function, or with torch.", "torch.rand(())",
     NULL},
    {"Random.", IN_CONTEXT, "break-random",
     "Python's random numbers are not traced. Draw them before the compiled function, or with torch.", "torch.rand(())",
     NULL},
    {"module: torch.random,", IN_CONTEXT, "break-random",
     "Seeds are set by the process, not by a graph. Call torch.manual_seed before the compiled function.", NULL, NULL},
    {"torch.Generator", IN_TYPE, "break-random", "Make and seed generators before the compiled function.", NULL, NULL},
    {"random.", IN_SOURCE, "break-random",
     "Random numbers of NumPy and of Python are not part of the graph. Draw them before the compiled function, or with "
     "torch.",
     "torch.rand(())", NULL},

    /* values of tensors */
    {"Data-dependent assertion", IN_TYPE, "break-branch",
     "An assert on a tensor's value. Let the compiled code check it at run time.", "torch._assert_async(condition)",
     NULL},
    {"Data-dependent branching", IN_TYPE, "break-branch",
     "A branch on a tensor's value cannot be in one graph. Compute both sides and choose, or use a compiled branch.",
     WHERE, NULL},
    {"generic_jump", ANYWHERE, "break-branch",
     "A branch on a tensor's value cannot be in one graph. Compute both sides and choose.", WHERE, NULL},
    {"Data-dependent jump", ANYWHERE, "break-branch",
     "A branch on a tensor's value cannot be in one graph. Compute both sides and choose.", WHERE, NULL},
    {"ynamic control flow", ANYWHERE, "break-branch",
     "A branch on a tensor's value cannot be in one graph. Compute both sides and choose.", WHERE, NULL},
    {"guard_scalar branch", IN_TYPE, "break-branch",
     "A branch on a tensor's value cannot be in one graph. Compute both sides and choose.", WHERE, NULL},
    {"tolist() with non-integer", IN_TYPE, "break-item",
     "Reading a tensor's values into Python leaves the graph. Index the tensor instead: `x[0]` is a tensor.", NULL,
     NULL},
    {".item()", ANYWHERE, "break-item",
     "Reading a tensor's value into Python leaves the graph. Keep it a tensor, or let Dynamo capture it.",
     CAPTURE_SCALARS, NULL},
    {"Tensor.item", ANYWHERE, "break-item",
     "Reading a tensor's value into Python leaves the graph. Keep it a tensor, or let Dynamo capture it.",
     CAPTURE_SCALARS, NULL},
    {"tolist", ANYWHERE, "break-item",
     "Reading a tensor's values into Python leaves the graph. Keep them in tensors, or let Dynamo capture integers.",
     CAPTURE_SCALARS, NULL},
    {"ndexing list with non-scalar tensor", IN_TYPE, "break-item",
     "A list is indexed with a tensor. Stack the list and index that.", "torch.stack(items)[index]", NULL},
    {"ata dependent operator", ANYWHERE, "break-item",
     "The operator returns a Python value that depends on data. Keep it a tensor, or let Dynamo capture it.",
     CAPTURE_SCALARS, NULL},
    {"ynamic slicing with Tensor", IN_TYPE, "break-item",
     "A slice ends where a tensor's value says. Use a mask of fixed size, or let Dynamo capture the value.",
     CAPTURE_SCALARS, NULL},
    {"ynamic shape operator", ANYWHERE, "break-data-shape",
     "The size of the result depends on data. Let Dynamo capture such operators, or use a mask of fixed size.",
     CAPTURE_SHAPES, NULL},
    {"data-dependent output shape", ANYWHERE, "break-data-shape",
     "The size of the result depends on data. State it (num_classes of one_hot), or let Dynamo capture it.",
     CAPTURE_SHAPES, NULL},

    /* operators */
    {"does not support running with fake tensors", ANYWHERE, "missing-fake-kernel",
     "The compiler cannot tell what this operator returns. Register a fake kernel for it.", NULL, paste_fake_kernel},
    {"non-PT2-compliant op", IN_TYPE, "custom-op-not-compliant",
     "The operator does not follow the rules for PT2. Define it with torch.library.custom_op, and check it.",
     "torch.library.opcheck(op, (x,))", NULL},
    {"numpy", IN_TYPE, "break-numpy",
     "NumPy code that Dynamo cannot turn into torch code. Use torch, or convert before the compiled function.", NULL,
     NULL},
    {"ndarray", IN_TYPE, "break-numpy",
     "NumPy code that Dynamo cannot turn into torch code. Use torch, or convert before the compiled function.", NULL,
     NULL},

    /* changes of inputs, autograd */
    {"inplace view on a graph input", ANYWHERE, "break-inplace",
     "An input is resized or restrided in place. Make a new tensor, or do it before the compiled function.", NULL,
     NULL},
    {"Inplace op on input", IN_TYPE, "break-inplace", "An input is changed in place. Make a new tensor.",
     "x = x.clone()   # then change the copy", NULL},
    {"resize_", IN_TYPE, "break-inplace", "A tensor is resized in place. Make a new one.", NULL, NULL},
    {"Tensor.set_()", IN_TYPE, "break-inplace", "A tensor's storage is replaced. Make a new tensor.", NULL, NULL},
    {"mutate tensor data", IN_TYPE, "break-inplace",
     "A tensor's data is replaced. Copy into it instead, or do it outside.", "x.copy_(y)", NULL},
    {"requires_grad", ANYWHERE, "break-inplace",
     "Gradient flags are changed inside of the graph. Set requires_grad before the compiled function.", NULL, NULL},
    {"in-place", ANYWHERE, "break-inplace",
     "An in-place change that the graph cannot express. Use the out-of-place form.", NULL, NULL},
    {"backward()", ANYWHERE, "break-backward",
     "The backward call is not traced. Compile the forward and the loss and call backward outside, or (2.13) let "
     "Dynamo trace it.",
     "torch._dynamo.config.trace_autograd_ops = True", NULL},
    {"autograd.grad", ANYWHERE, "break-backward",
     "The call of autograd is not traced. Take gradients outside of the compiled function, or (2.13) let Dynamo trace "
     "them.",
     "torch._dynamo.config.trace_autograd_ops = True", NULL},
    {"hooks require compiled autograd", ANYWHERE, "break-backward",
     "Hooks on gradients inside of the graph need compiled autograd.", "torch._dynamo.config.compiled_autograd = True",
     NULL},

    /* Python's control flow */
    {"ontext manager", ANYWHERE, "break-context-manager",
     "This context manager is not supported inside of the graph. Enter it around the compiled function.", NULL, NULL},
    {"GenericContextWrapping", ANYWHERE, "break-context-manager",
     "The graph breaks inside of a `with` block of yours, so that the whole function runs eagerly. Move what breaks "
     "out of "
     "the block, or enter it around the compiled function.",
     NULL, NULL},
    {"contextlib", IN_TYPE, "break-context-manager",
     "This context manager is not supported inside of the graph. Enter it around the compiled function.", NULL, NULL},
    {"AutogradFunction", ANYWHERE, "break-autograd-function", AUTOGRAD_FUNCTION, NULL, NULL},
    {"autograd.Function", ANYWHERE, "break-autograd-function", AUTOGRAD_FUNCTION, NULL, NULL},
    {"UserDefinedClassVariable\n.apply(", IN_TYPE_AND_SOURCE, "break-autograd-function", AUTOGRAD_FUNCTION, NULL, NULL},
    {"Backend compiler failed with a fake tensor\n.tolist(", IN_TYPE_AND_SOURCE, "break-item",
     "The size of the result is a tensor's value, so that the whole function runs eagerly. Keep the values in tensors, or "
     "move the call out of the compiled function.",
     NULL, NULL},
    {"Backend compiler failed with a fake tensor", IN_TYPE, "break-backend",
     "An operator of the line depends on values of tensors, or the compiler does not know what it returns: the whole "
     "function runs eagerly. Move the call out of the compiled function.",
     NULL, NULL},
    {"Backend compiler exception", IN_TYPE, "break-backend",
     "The backend refuses the graph, and the function runs eagerly. Leave out what the backend cannot do.", NULL, NULL},
    {"bserved exception", IN_TYPE, "break-exception",
     "An exception leaves the code that is traced. If it is not a mistake, decide with `if` before the line that "
     "raises.",
     NULL, NULL},
    {"raise exception", IN_TYPE, "break-exception", "Raise outside of the compiled function.", NULL, NULL},
    {"exception", IN_TYPE, "break-exception", "Handle exceptions outside of the compiled function.", NULL, NULL},
    {"trace generator", ANYWHERE, "break-generator",
     "Dynamo cannot trace a generator that is called from outside. Return a list, or compile what it calls.", NULL,
     NULL},
    {"generator", IN_TYPE, "break-generator", "Dynamo cannot trace this generator. Use a list.", "list(...)", NULL},
    {"enerator", IN_TYPE, "break-generator",
     "A generator that changes something leaves the compiled function half used. Return a list.", "list(...)", NULL},
    {"RNN, GRU, or LSTM", IN_TYPE, "break-unsupported-module",
     "Recurrent modules are left out of the graph unless PyTorch is told otherwise.",
     "torch._dynamo.config.allow_rnn = True", NULL},

    /* functions that are not traced */
    {"site-packages/torch", IN_CONTEXT, "break-c-function",
     "PyTorch keeps this function of its own out of the compiler. Call it outside of the compiled function.", NULL,
     NULL},
    {"-packages/", IN_CONTEXT, "break-library",
     "PyTorch leaves this library out of the compiler. Call it before the compiled function, or try to trace into it.",
     NULL, paste_trace_into},
    {"C extension or builtin", IN_CONTEXT, "break-c-function",
     "A function written in C cannot be traced. Call it before the compiled function, or make it an operator that the "
     "compiler knows.",
     NULL, paste_custom_op},
    {"marked as skipped", ANYWHERE, "break-c-function",
     "Dynamo does not trace into this function (a C extension or a skipped module). Move the call out, or make it an "
     "operator that the compiler knows.",
     NULL, paste_custom_op},
    {"skip function", ANYWHERE, "break-c-function",
     "Dynamo does not trace into this function. Move the call out of the compiled function, or make it a custom "
     "operator.",
     NULL, paste_custom_op},
    {"builtin op", IN_TYPE, "break-builtin",
     "A Python builtin that Dynamo cannot trace with these arguments. Move it before or after the compiled function, "
     "or "
     "leave it out there.",
     GUARDED, NULL},
    {"builtin:", ANYWHERE, "break-builtin",
     "A Python builtin that Dynamo cannot trace with these arguments. Move it before or after the compiled function, "
     "or "
     "leave it out there.",
     GUARDED, NULL},
    {"deepcopy", ANYWHERE, "break-builtin", "Copying objects is not traced; a tensor is copied by clone().",
     "x.clone()", NULL},
    {"positional argument", ANYWHERE, "break-invalid-code",
     "The call fails with these arguments. Check that the code runs without torch.compile.",
     "torch.compiler.set_stance(\"force_eager\")", NULL},
    {"fake tensor call", IN_TYPE, "break-invalid-code",
     "The call fails with these arguments. Check that the code runs without torch.compile.",
     "torch.compiler.set_stance(\"force_eager\")", NULL},
    {"from user code", IN_TYPE, "break-invalid-code",
     "The call fails with these arguments. Check that the code runs without torch.compile.",
     "torch.compiler.set_stance(\"force_eager\")", NULL},
};

static struct str text_at(const struct break_words *w, enum place place)
{
    switch (place) {
    case IN_TYPE:
        return w->type;
    case IN_CONTEXT:
        return w->context;
    case IN_SOURCE:
        return w->source;
    default:
        return w->message;
    }
}

static bool fits(const struct break_words *w, const struct pattern *p)
{
    struct str words = str_of(p->words);

    if (p->place == IS_TYPE)
        return str_eq(w->type, words);
    if (p->place == IN_TYPE_AND_SOURCE)
        return str_has(w->type, str_split(&words, '\n')) && str_has(w->source, words);
    return str_has(text_at(w, p->place), words);
}

void break_fix_find(struct arena *a, const struct break_words *w, struct break_fix *out)
{
    bool library = is_library_file(w->file);

    *out = (struct break_fix){.id = library ? "break-library" : "break-other"};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        if (fits(w, &patterns[i])) {
            out->id = library ? out->id : patterns[i].id;
            out->fix = str_of(patterns[i].fix);
            out->paste = patterns[i].make ? patterns[i].make(a, w) : str_of(patterns[i].paste);
            return;
        }
}
