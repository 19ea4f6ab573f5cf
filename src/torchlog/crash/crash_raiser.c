#include "torchlog/crash/crash_raiser.h"

#include "model/code_file.h"
#include "text/python/exception_line.h"

/* The file also calls compiled code, by functions of other names; in 2.0 it is all of AOTAutograd. */
static bool is_dispatching(const struct text_call *c)
{
    static const struct str functions[] = {STR_INIT("create_aot_dispatcher_function"),
                                           STR_INIT("aot_wrapper_dedupe"), STR_INIT("aot_wrapper_synthetic_base"),
                                           STR_INIT("aot_dispatch_base"), STR_INIT("aot_dispatch_autograd")};

    return STR_IS_ANY(c->function, functions) && code_file_has(c->file, STR("torch/_functorch/aot_autograd.py"));
}

static bool is_compiling(const struct text_call *c)
{
    static const struct str functions[] = {
        STR_INIT("fx_codegen_and_compile"),
        STR_INIT("_compile_fx_inner"),
        STR_INIT("compile_fx"),
        STR_INIT("codegen_and_compile"),
    };

    static const struct str files[] = {
        STR_INIT("torch/_dynamo/convert_frame.py"),
        STR_INIT("torch/export/_trace.py"),
        STR_INIT("torch/_inductor/compile_worker/"),
        STR_INIT("torch/_dynamo/symbolic_convert.py"),
        STR_INIT("torch/_dynamo/bytecode_"),
        STR_INIT("torch/_dynamo/output_graph.py"),
        STR_INIT("torch/_dynamo/variables/"),
        STR_INIT("torch/_dynamo/codegen.py"),
        STR_INIT("torch/_dynamo/guards.py"),
        STR_INIT("torch/_dynamo/side_effects.py"),
        STR_INIT("torch/_dynamo/resume_execution.py"),
        STR_INIT("torch/_functorch/partitioners.py"),
        STR_INIT("torch/_functorch/_aot_autograd/graph_c"),
        STR_INIT("torch/_functorch/_aot_autograd/dispatch_and"),
        STR_INIT("torch/_functorch/_aot_autograd/traced_function"),
        STR_INIT("torch/_functorch/_aot_autograd/collect_metadata"),
        STR_INIT("torch/fx/experimental/proxy_tensor.py"),
        STR_INIT("torch/fx/experimental/symbolic_shapes.py"),
        STR_INIT("torch/fx/experimental/sym_node.py"),
        STR_INIT("torch/_subclasses/fake_"),
        STR_INIT("torch/_subclasses/meta_utils.py"),
        STR_INIT("torch/_inductor/lowering.py"),
        STR_INIT("torch/_inductor/scheduler.py"),
        STR_INIT("torch/_inductor/graph.py"),
        STR_INIT("torch/_inductor/ir.py"),
        STR_INIT("torch/_inductor/fx_passes/"),
        STR_INIT("torch/_inductor/pattern_matcher.py"),
        STR_INIT("torch/_inductor/kernel/"),
        STR_INIT("torch/_inductor/sizevars.py"),
        STR_INIT("torch/_inductor/cpp_builder.py"),
        STR_INIT("torch/_inductor/select_algorithm."),
        STR_INIT("torch/_inductor/codegen/"),
    };

    if (CODE_FILE_HAS_ANY(c->file, files) || is_dispatching(c))
        return true;
    return code_file_has(c->file, STR("torch/_inductor/compile_fx.py")) && STR_IS_ANY(c->function, functions);
}

/* torch/_functorch/_aot_autograd/runtime_wrappers.py and torch/_dynamo/backends/common.py. */
static bool is_compiling_backward(const struct text_call *c)
{
    static const struct str functions[] = {STR_INIT("_wrapped_bw_compiler"), STR_INIT("bw_compiler"),
                                           STR_INIT("bw_compiler_base")};

    return STR_IS_ANY(c->function, functions) && code_file_has(c->file, STR("torch/"));
}

bool crash_call_compiles(const struct text_call *c)
{
    return is_compiling(c) || is_compiling_backward(c);
}

static bool is_compiled(const struct text_call *c)
{
    return str_starts(c->file, STR("<eval_with_key>")) || code_file_is_inductors(c->file) ||
           code_file_has(c->file, STR("torch/_inductor/runtime/")) ||
           code_file_has(c->file, STR("torch/_inductor/output_code.py")) ||
           code_file_has(c->file, STR("torch/_inductor/cudagraph_trees.py"));
}

/* torch/_dynamo/debug_utils.py runs a graph twice to compare, or to see whether it still fails. */
static bool is_minifying(const struct text_call *c)
{
    return code_file_has(c->file, STR("torch/_dynamo/debug_utils.py")) ||
           code_file_has(c->file, STR("torch/_dynamo/repro/"));
}

/*
 * Triton's own compiler, of a kernel that Inductor wrote or the program has. Its packages are also on the stack while
 * they are imported.
 */
static bool is_compiling_kernel(const struct text_call *c)
{
    if (str_eq(c->function, STR("<module>")))
        return false;
    return code_file_has(c->file, STR("triton/compiler/")) ||
           (code_file_has(c->file, STR("triton/backends/")) && str_starts(c->function, STR("make_")));
}

/* Inductor's entry, which has AOTAutograd trace the graph and call Inductor's compiler then. */
static bool is_entry_of_inductor(const struct text_call *c)
{
    static const struct str functions[] = {STR_INIT("compile_fx"), STR_INIT("_compile_fx_main")};

    return STR_IS_ANY(c->function, functions) && code_file_has(c->file, STR("torch/_inductor/compile_fx.py"));
}

static enum failure_part part_of_call(const struct text_call *c)
{
    if (is_minifying(c))
        return FAILED_IN_MINIFIER;
    if (is_compiling_kernel(c))
        return FAILED_IN_TRITON;
    if (code_file_has(c->file, STR("torch/_inductor/")))
        return FAILED_IN_INDUCTOR;
    if (code_file_has(c->file, STR("torch/_functorch/")) && !code_file_calls_compiled(c->file, c->function))
        return FAILED_IN_AOTAUTOGRAD;
    if (code_file_has(c->file, STR("torch/_dynamo/")) || code_file_has(c->file, STR("torch/_guards.py")))
        return FAILED_IN_DYNAMO;
    return FAILED_IN_UNKNOWN;
}

enum failure_part crash_part_of(const struct text_stack *calls)
{
    enum failure_part part = FAILED_IN_UNKNOWN;
    bool entered = false;

    vec_each(const struct text_call, c, &calls->calls)
    {
        enum failure_part here = part_of_call(c);

        if (is_entry_of_inductor(c)) {
            entered = true;
            continue;
        }
        part = here > part ? here : part;
    }
    return entered && part < FAILED_IN_AOTAUTOGRAD ? FAILED_IN_INDUCTOR : part;
}

enum crash_origin crash_origin_of(const struct traceback *t, struct crash_text *out)
{
    enum crash_origin origin = CRASH_OF_PROGRAM;

    if (str_eq(t->type, STR("KeyboardInterrupt")))
        return origin;
    out->exporting |= str_starts(t->module, STR("torch._export")) || str_starts(t->module, STR("torch.export"));
    vec_each(const struct text_call, c, &t->calls.calls)
    {
        out->backward |= is_compiling_backward(c);
        out->exporting |= code_file_exports(c->file) ||
                          str_starts(c->source, STR("result_traced = opt_f(")); /* torch._dynamo.export */
        if (is_compiling(c) || is_compiling_kernel(c) || out->backward)
            origin = CRASH_OF_COMPILER;
        else if (is_compiled(c) && origin == CRASH_OF_PROGRAM)
            origin = CRASH_OF_COMPILED;
    }
    if (t->of_dynamo || exception_is_compilers(&(struct exception_name){t->module, t->type}))
        return CRASH_OF_COMPILER;
    return origin;
}

/* Where Python begins: a script, a module, a process of multiprocessing, a thread. */
bool crash_is_outermost(const struct text_stack *calls)
{
    static const struct str first[] = {STR_INIT("<module>"),   STR_INIT("_run_module_as_main"),
                                       STR_INIT("_bootstrap"), STR_INIT("_bootstrap_inner"),
                                       STR_INIT("_wrap"),      STR_INIT("_process_worker")};

    /* A page may have taken "<module>" for a tag. */
    return calls->calls.n == 0 || calls->calls.v[0].function.n == 0 || STR_IS_ANY(calls->calls.v[0].function, first);
}
