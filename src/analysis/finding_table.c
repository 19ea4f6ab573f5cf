#include "analysis/finding_table.h"

#include "analysis/find.h"

#define DOCS "https://docs.pytorch.org/docs/stable/"
#define GUIDE DOCS "user_guide/torch_compiler/"
#define MODEL GUIDE "compile/programming_model."
#define SHAPES GUIDE "compile/dynamic_shapes_"
#define TUTORIALS "https://docs.pytorch.org/tutorials/"

#define BREAKS MODEL "common_graph_breaks.html"
#define BREAK_SEVERITY "by operators on both sides of the break, time lost, and how many compiles met it"
#define RECOMPILES MODEL "recompilation.html"
#define RECOMPILE_SEVERITY "by time lost; from 3 compiles of one function medium, from 6 high"

/*
 * In the order in which equally severe findings are shown. Rows of a family have their function in common; find_nothing
 * must be last: it looks at what was found.
 */
static const struct finding_info table[] = {
    {"error", "critical, or high when the user's code is at fault, medium when nobody was told",
     "A compile failed, compiled code failed, or the program ended with an error",
     GUIDE "torch.compiler_troubleshooting.html", find_errors},

    {"recompile-limit", "critical", "A function reached the recompile limit and runs eagerly, or raised, from then on",
     RECOMPILES, find_recompile_limit},

    {"incomplete", "high", "The trace ends in the middle of a compile: the process hung, crashed or was killed",
     GUIDE "torch.compiler_troubleshooting.html", find_incomplete},

    {"break-print", BREAK_SEVERITY, "Printing, logging or a warning breaks the graph", BREAKS, find_graph_breaks},
    {"break-branch", BREAK_SEVERITY, "A branch or an assert on a tensor's value breaks the graph", BREAKS,
     find_graph_breaks},
    {"break-item", BREAK_SEVERITY, "A tensor's value is read into Python: .item(), .tolist(), int(), an index", BREAKS,
     find_graph_breaks},
    {"break-data-shape", BREAK_SEVERITY, "The size of an operator's result depends on data: nonzero, masks, unique",
     BREAKS, find_graph_breaks},
    {"break-random", BREAK_SEVERITY, "Random numbers of Python or NumPy, or a seed, break the graph", BREAKS,
     find_graph_breaks},
    {"break-numpy", BREAK_SEVERITY, "NumPy code that cannot be turned into torch code breaks the graph", BREAKS,
     find_graph_breaks},
    {"break-builtin", BREAK_SEVERITY, "A Python builtin that Dynamo cannot trace breaks the graph", BREAKS,
     find_graph_breaks},
    {"break-c-function", BREAK_SEVERITY,
     "A function breaks the graph that Dynamo does not trace: written in C, or of Python's own library",
     MODEL "dynamo_nonstrict_trace.html", find_graph_breaks},
    {"break-library", BREAK_SEVERITY, "A third-party package breaks the graph", MODEL "dynamo_nonstrict_trace.html",
     find_graph_breaks},
    {"break-inplace", BREAK_SEVERITY, "A change of an input in place, or of a gradient flag, breaks the graph", BREAKS,
     find_graph_breaks},
    {"break-backward", BREAK_SEVERITY, "backward() or autograd.grad() inside of the compiled function breaks the graph",
     GUIDE "torch.compiler_backward.html", find_graph_breaks},
    {"break-context-manager", BREAK_SEVERITY, "A `with` block breaks the graph, or a break is inside of one", BREAKS,
     find_graph_breaks},
    {"break-exception", BREAK_SEVERITY, "An exception inside of the compiled function breaks the graph", BREAKS,
     find_graph_breaks},
    {"break-generator", BREAK_SEVERITY, "A generator breaks the graph", BREAKS, find_graph_breaks},
    {"break-unsupported-module", BREAK_SEVERITY, "A module that Dynamo leaves out, such as an LSTM, breaks the graph",
     BREAKS, find_graph_breaks},
    {"break-invalid-code", BREAK_SEVERITY, "A call that fails with these arguments breaks the graph", BREAKS,
     find_graph_breaks},
    {"break-on-purpose", BREAK_SEVERITY, "The code asks for the break: graph_break(), compiler.disable",
     MODEL "compiler_disable.html", find_graph_breaks},
    {"missing-fake-kernel", BREAK_SEVERITY,
     "An operator has no fake kernel, so that the compiler cannot tell its result",
     DOCS "library.html#torch.library.register_fake", find_graph_breaks},
    {"custom-op-not-compliant", BREAK_SEVERITY, "A custom operator does not follow the rules of PT2",
     TUTORIALS "advanced/python_custom_ops.html", find_graph_breaks},
    {"break-other", BREAK_SEVERITY, "The graph breaks for another reason", BREAKS, find_graph_breaks},
    {"break-unknown", BREAK_SEVERITY, "The graph breaks and the trace does not say why", MODEL "observability.html",
     find_graph_breaks},

    {"recompile-size", RECOMPILE_SEVERITY, "The size of an input changes", GUIDE "torch.compiler_dynamic_shapes.html",
     find_recompiles},
    {"recompile-small-size", RECOMPILE_SEVERITY, "A size becomes, or was, 0 or 1, which is always compiled for",
     SHAPES "zero_one_specialization.html", find_recompiles},
    {"recompile-parameter", RECOMPILE_SEVERITY, "The size of a parameter changes, which is a constant by default",
     GUIDE "torch.compiler_dynamic_shapes.html", find_recompiles},
    {"recompile-int", RECOMPILE_SEVERITY, "A Python integer changes", RECOMPILES, find_recompiles},
    {"recompile-float", RECOMPILE_SEVERITY, "A Python float changes", RECOMPILES, find_recompiles},
    {"recompile-learning-rate", RECOMPILE_SEVERITY, "The learning rate, or another number of an optimizer, changes",
     TUTORIALS "recipes/compiling_optimizer_lr_scheduler.html", find_recompiles},
    {"recompile-global-value", RECOMPILE_SEVERITY, "The value of a global variable changes", RECOMPILES,
     find_recompiles},
    {"recompile-dtype", RECOMPILE_SEVERITY, "The dtype of an input changes", RECOMPILES, find_recompiles},
    {"recompile-device", RECOMPILE_SEVERITY, "The device of an input changes", RECOMPILES, find_recompiles},
    {"recompile-stride", RECOMPILE_SEVERITY, "The memory layout of an input changes", RECOMPILES, find_recompiles},
    {"recompile-dimensions", RECOMPILE_SEVERITY, "The number of dimensions of an input changes", RECOMPILES,
     find_recompiles},
    {"recompile-requires-grad", RECOMPILE_SEVERITY, "Whether an input requires gradients changes", RECOMPILES,
     find_recompiles},
    {"recompile-inference-tensor", RECOMPILE_SEVERITY, "Tensors of inference mode and ordinary ones come in by turns",
     RECOMPILES, find_recompiles},
    {"recompile-tensor-kind", RECOMPILE_SEVERITY, "The kind of a tensor changes: layout, subclass, gradient state",
     RECOMPILES, find_recompiles},
    {"recompile-aliasing", RECOMPILE_SEVERITY, "Whether two inputs are one object, or share memory, changes",
     RECOMPILES, find_recompiles},
    {"recompile-identity", RECOMPILE_SEVERITY, "Another object comes in", RECOMPILES, find_recompiles},
    {"recompile-function", RECOMPILE_SEVERITY, "Another function, or a closure made anew for each call, comes in",
     RECOMPILES, find_recompiles},
    {"recompile-type", RECOMPILE_SEVERITY, "An object of another type comes in", RECOMPILES, find_recompiles},
    {"recompile-module-attribute", RECOMPILE_SEVERITY, "An attribute of a module changes",
     GUIDE "torch.compiler_nn_module.html", find_recompiles},
    {"recompile-training-flag", RECOMPILE_SEVERITY, "A module is switched between train() and eval()",
     GUIDE "torch.compiler_nn_module.html", find_recompiles},
    {"recompile-global-state", RECOMPILE_SEVERITY,
     "A global setting changes: grad mode, autocast, number of threads, determinism, default dtype", RECOMPILES,
     find_recompiles},
    {"recompile-dict-keys", RECOMPILE_SEVERITY, "The keys of a dict change", RECOMPILES, find_recompiles},
    {"recompile-length", RECOMPILE_SEVERITY, "The length of a list or tuple changes", RECOMPILES, find_recompiles},
    {"recompile-none", RECOMPILE_SEVERITY, "An argument is sometimes None", RECOMPILES, find_recompiles},
    {"recompile-constant", RECOMPILE_SEVERITY, "A flag, string or other constant changes", RECOMPILES, find_recompiles},
    {"recompile-shape-relation", RECOMPILE_SEVERITY, "A relation between sizes no longer holds",
     GUIDE "torch.compiler_dynamic_shapes.html", find_recompiles},
    {"recompile-marking", RECOMPILE_SEVERITY, "Some inputs are marked dynamic and others are not",
     GUIDE "torch.compiler_dynamic_shapes.html", find_recompiles},
    {"recompile-attribute", RECOMPILE_SEVERITY, "An attribute appears or disappears", RECOMPILES, find_recompiles},
    {"recompile-backend", RECOMPILE_SEVERITY,
     "One function is compiled with several backends, or several instances of one", RECOMPILES, find_recompiles},
    {"recompile-invalidated", RECOMPILE_SEVERITY, "An object that compiled code depended on was deleted", RECOMPILES,
     find_recompiles},
    {"recompile-other", RECOMPILE_SEVERITY, "A guard of another kind fails", RECOMPILES, find_recompiles},
    {"recompile-unknown", RECOMPILE_SEVERITY, "A function is compiled again and the trace does not say why", RECOMPILES,
     find_recompiles},

    {"export", "high", "What torch.export's draft mode noted: the exported program would be unsound",
     GUIDE "export/draft_export.html", find_export_issues},
    {"suppressed-errors", "medium", "suppress_errors is on: what fails to compile runs eagerly without a word",
     GUIDE "torch.compiler_troubleshooting.html", find_suppressed_errors},
    {"specialization", "low", "A dynamic size became a constant", SHAPES "core_concepts.html", find_specialization},
    {"cache-bypass", "low", "Compiled code could not be cached",
     TUTORIALS "recipes/torch_compile_caching_tutorial.html", find_cache_bypass},
    {"slow-phase", "info", "One phase takes at least half of a long compile time",
     GUIDE "torch.compiler_profiling_torch_compile.html", find_slow_phase},
    {"trace-damaged", "medium", "The trace is damaged: numbers may be too low", MODEL "observability.html",
     find_damage},
    {"no-compile-id", "info", "Graphs or code carry no compile id", MODEL "observability.html", find_unattributed},
    {"resets", "info", "torch._dynamo.reset() was called between compiles", MODEL "observability.html", find_resets},
    {"clean", "info", "Nothing is wrong", MODEL "observability.html", find_nothing},
};

const struct finding_info *finding_info_at(size_t i)
{
    return i < sizeof table / sizeof *table ? &table[i] : NULL;
}
