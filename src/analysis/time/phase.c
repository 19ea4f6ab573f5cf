#include "analysis/time/phase.h"

struct phase_rule {
    struct str name; /* "x" exactly, "x*" the beginning, "*x*" anywhere */
    enum phase phase;
};

/* Names of dynamo_timed and of its instant events, PyTorch 2.5 to 2.13. The first matching row decides. */
static const struct phase_rule phase_rules[] = {
    {STR_INIT("build_guards"), PHASE_GUARDS},
    {STR_INIT("precompile_load_guards"), PHASE_GUARDS},
    {STR_INIT("precompile_build_guards"), PHASE_GUARDS},
    {STR_INIT("guard*"), PHASE_GUARDS},
    {STR_INIT("dynamo"), PHASE_DYNAMO},
    {STR_INIT("entire_frame_compile"), PHASE_DYNAMO},
    {STR_INIT("_compile"), PHASE_DYNAMO},
    {STR_INIT("_compile.*"), PHASE_DYNAMO},
    {STR_INIT("compile_attempt_*"), PHASE_DYNAMO},
    {STR_INIT("bytecode_tracing"), PHASE_DYNAMO},
    {STR_INIT("fullgraph_capture"), PHASE_DYNAMO},
    {STR_INIT("insert_deferred_runtime_asserts"), PHASE_DYNAMO},
    {STR_INIT("bytecode_hooks_*"), PHASE_DYNAMO},
    {STR_INIT("compiler_collective"), PHASE_DYNAMO},
    {STR_INIT("pgo.*"), PHASE_CACHE},
    {STR_INIT("gc"), PHASE_OTHER},
    {STR_INIT("*cache*"), PHASE_CACHE},
    {STR_INIT("AOTAutogradCache*"), PHASE_CACHE},
    {STR_INIT("FxGraphCache*"), PHASE_CACHE},
    {STR_INIT("CacheBase*"), PHASE_CACHE},
    {STR_INIT("TritonBundler*"), PHASE_CACHE},
    {STR_INIT("GraphPickler*"), PHASE_CACHE},
    {STR_INIT("CompiledArtifact*"), PHASE_CACHE},
    {STR_INIT("after_deserialization"), PHASE_CACHE},
    {STR_INIT("aot_*"), PHASE_AOT},
    {STR_INIT("create_aot_dispatcher_function"), PHASE_AOT},
    {STR_INIT("compiled_autograd*"), PHASE_AOT},
    {STR_INIT("min_cut*"), PHASE_AOT},
    {STR_INIT("pass.*"), PHASE_PASSES},
    {STR_INIT("_recursive_*"), PHASE_PASSES},
    {STR_INIT("fx.bucketing.*"), PHASE_PASSES},
    {STR_INIT("compile_file"), PHASE_COMPILER},
    {STR_INIT("async_compile*"), PHASE_COMPILER},
    {STR_INIT("PyCodeCache.load*"), PHASE_COMPILER},
    {STR_INIT("triton_compile*"), PHASE_COMPILER},
    {STR_INIT("cpp_compile*"), PHASE_COMPILER},
    {STR_INIT("AotCodeCompiler*"), PHASE_COMPILER},
    {STR_INIT("aoti_*"), PHASE_COMPILER},
    {STR_INIT("reload_kernel_in_parent"), PHASE_COMPILER},
    {STR_INIT("StaticAutotunerFuture*"), PHASE_COMPILER},
    {STR_INIT("*_template_precompiling*"), PHASE_COMPILER},
    {STR_INIT("CachingAutotuner.benchmark*"), PHASE_AUTOTUNE},
    {STR_INIT("CachingAutotuner.coordinate_descent*"), PHASE_AUTOTUNE},
    {STR_INIT("CachingAutotuner.combo_sequential*"), PHASE_AUTOTUNE},
    {STR_INIT("CachingAutotuner.*"), PHASE_COMPILER},
    {STR_INIT("*autotun*"), PHASE_AUTOTUNE},
    {STR_INIT("*enchmark*"), PHASE_AUTOTUNE},
    {STR_INIT("collective_compute_do_bench"), PHASE_AUTOTUNE},
    {STR_INIT("cudagraph*"), PHASE_CUDA_GRAPHS},
    {STR_INIT("CUDAGraph*"), PHASE_CUDA_GRAPHS},
    {STR_INIT("backend_compile"), PHASE_BACKEND},
    {STR_INIT("OutputGraph.call_user_compiler"), PHASE_BACKEND},
    {STR_INIT("inductor_compile"), PHASE_INDUCTOR},
    {STR_INIT("fx_codegen_and_compile"), PHASE_INDUCTOR},
    {STR_INIT("compile_fx*"), PHASE_INDUCTOR},
    {STR_INIT("GraphLowering*"), PHASE_INDUCTOR},
    {STR_INIT("Scheduler*"), PHASE_INDUCTOR},
    {STR_INIT("PythonWrapperCodegen*"), PHASE_INDUCTOR},
    {STR_INIT("WrapperCodeGen*"), PHASE_INDUCTOR},
    {STR_INIT("CppWrapper*"), PHASE_INDUCTOR},
    {STR_INIT("generate_kernel_code_from_nodes"), PHASE_INDUCTOR},
    {STR_INIT("inductor_import"), PHASE_INDUCTOR},
    {STR_INIT("code_gen"), PHASE_INDUCTOR},
    {STR_INIT("additional_fake_tensor_prop"), PHASE_INDUCTOR},
    {STR_INIT("entire_backward_compile"), PHASE_AOT},
    {STR_INIT("vLLM: Dynamo"), PHASE_DYNAMO}, /* see text/messages/time_line.c */
    {STR_INIT("vLLM: graph for *"), PHASE_INDUCTOR},
    {STR_INIT("vLLM: *"), PHASE_BACKEND},
};

static const struct {
    const char *name, *title;
} phases[PHASE_COUNT] = {
    [PHASE_DYNAMO] = {"dynamo", "Dynamo: tracing"},
    [PHASE_GUARDS] = {"guards", "Dynamo: guards"},
    [PHASE_AOT] = {"aot_autograd", "AOTAutograd"},
    [PHASE_PASSES] = {"passes", "Graph passes"},
    [PHASE_INDUCTOR] = {"inductor", "Inductor: lowering and code generation"},
    [PHASE_COMPILER] = {"compiler", "C++ and Triton compilers"},
    [PHASE_AUTOTUNE] = {"autotune", "Autotuning"},
    [PHASE_CUDA_GRAPHS] = {"cuda_graphs", "CUDA graphs"},
    [PHASE_CACHE] = {"cache", "Caches"},
    [PHASE_BACKEND] = {"backend", "Backend (other)"},
    [PHASE_OTHER] = {"other", "Other"},
};

const char *phase_name(enum phase p)
{
    return phases[p].name;
}

const char *phase_title(enum phase p)
{
    return phases[p].title;
}

struct str phase_title_of(struct str name)
{
    for (size_t p = 0; p < PHASE_COUNT; p++)
        if (str_eq(name, str_of(phases[p].name)))
            return str_of(phases[p].title);
    return name;
}

static bool rule_fits(struct str rule, struct str name)
{
    bool head = str_starts(rule, STR("*")), tail = str_ends(rule, STR("*"));

    if (head && tail)
        return str_has(name, str_drop(str_skip(rule, 1), 1));
    return tail ? str_starts(name, str_drop(rule, 1)) : str_eq(name, rule);
}

enum phase phase_of_event(struct str name)
{
    for (size_t i = 0; i < sizeof phase_rules / sizeof *phase_rules; i++)
        if (rule_fits(phase_rules[i].name, name))
            return phase_rules[i].phase;
    return PHASE_OTHER;
}

/* Names of dynamo_timed around code that only waits for others: async_compile.py, compiler_collective. */
bool event_is_waiting(struct str name)
{
    return str_eq(name, STR("async_compile.wait")) || str_eq(name, STR("compiler_collective"));
}
