#include "analysis/break_fix.h"

/* How a break is fixed goes by its type: by words that its message has in any version. The first row that fits. */
static const struct pattern {
    const char *words; /* in the type, or (with `anywhere`) in the whole message */
    bool anywhere;
    const char *fix, *paste;
} patterns[] = {
    {"torch._dynamo.graph_break", true, "The code asks for this break. Remove the call if it is a left-over.", NULL},
    {"builtin: print", true, "Printing stops the graph. Remove it, or print only outside the compiler.",
     "if not torch.compiler.is_compiling(): print(...)"},
    {"trace builtin operator `print`", true,
     "Printing stops the graph. Remove it, print only outside the compiler, or let Dynamo print after the graph.",
     "torch._dynamo.config.reorderable_logging_functions.add(print)"},
    {"builtin operator", false,
     "A Python builtin that Dynamo cannot trace with these arguments. Move it before or after the compiled function, "
     "or skip it there.",
     "if not torch.compiler.is_compiling(): ..."},
    {"does not support running with fake tensors", false,
     "The compiler cannot tell what this operator returns. Register a fake kernel for it.",
     "@torch.library.register_fake(\"namespace::name\")"},
    {"logging.Logger", true,
     "Logging stops the graph. Log outside the compiled function, or let Dynamo skip these calls.",
     "torch._dynamo.config.ignore_logger_methods.add(logging.Logger.info)"},
    {"Logger not supported", true, "Logging stops the graph. Log outside the compiled function.",
     "if not torch.compiler.is_compiling(): ..."},
    {"Data-dependent branching", false,
     "A branch on a tensor's value cannot be in one graph. Compute both sides and choose, or use a "
     "compiled branch.",
     "torch.where(cond, a, b)   # or torch.cond(pred, f, g, (x,))"},
    {"generic_jump", true, "A branch on a tensor's value cannot be in one graph. Compute both sides and choose.",
     "torch.where(cond, a, b)   # or torch.cond(pred, f, g, (x,))"},
    {"Data-dependent assertion", false, "An assert on a tensor's value. Let the runtime check it.",
     "torch._assert_async(cond)"},
    {".item()", true,
     "Reading a tensor's value into Python leaves the graph. Keep it a tensor, or let Dynamo capture it.",
     "torch._dynamo.config.capture_scalar_outputs = True"},
    {"Tensor.item", true,
     "Reading a tensor's value into Python leaves the graph. Keep it a tensor, or let Dynamo capture it.",
     "torch._dynamo.config.capture_scalar_outputs = True"},
    {"tolist", true,
     "Reading a tensor's values into Python leaves the graph. Keep them in tensors, or let Dynamo capture integers.",
     "torch._dynamo.config.capture_scalar_outputs = True"},
    {"ynamic shape operator", true,
     "The size of the result depends on data. Let Dynamo capture such operators, or use a mask of fixed size.",
     "torch._dynamo.config.capture_dynamic_output_shape_ops = True"},
    {"ata dependent operator", true, "The operator returns a Python value that depends on data. Keep it a tensor.",
     "torch._dynamo.config.capture_scalar_outputs = True"},
    {"compiler.disable", true,
     "The function is kept out of the compiler on purpose. If it need not be, remove the decorator; else "
     "call it outside hot code.",
     NULL},
    {"_dynamo.disable", true,
     "The function is kept out of the compiler on purpose. If it need not be, remove the decorator.", NULL},
    {"marked as skipped", true,
     "Dynamo does not trace into this function (a C extension or a skipped module). Move the call out, or make "
     "it an operator that the compiler knows.",
     "@torch.library.custom_op(\"mylib::f\", mutates_args=())"},
    {"skip function", true,
     "Dynamo does not trace into this function. Move the call out of the compiled function, or make it a custom "
     "operator.",
     "@torch.library.custom_op(\"mylib::f\", mutates_args=())"},
    {"backward()", true,
     "The backward call is not traced. Compile the forward and the loss, and call backward outside.", NULL},
    {"requires_grad", true,
     "Gradient flags are changed inside the graph. Set requires_grad before the compiled function.", NULL},
    {"in-place", true, "An in-place change that the graph cannot express. Use the out-of-place form.", NULL},
    {"context manager", true,
     "This context manager is not supported inside the graph. Enter it around the compiled function.", NULL},
    {"generator", true, "Dynamo cannot trace this generator. Use a list.", NULL},
};

bool break_fix_find(struct str type, struct str message, struct str *fix, struct str *paste)
{
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        if (str_has(patterns[i].anywhere ? message : type, str_of(patterns[i].words))) {
            *fix = str_of(patterns[i].fix);
            *paste = str_of(patterns[i].paste);
            return true;
        }
    return false;
}
