#include "analysis/answers/errors.h"

#include "model/code_file.h"
#include "text/faults/cache_fault.h"

struct rule {
    const char *type;    /* the exception's type, exactly; NULL any */
    const char *message; /* text that must be in the message; NULL any */
    enum error_category category;
    enum error_stage stage;
};

/* The first matching row decides. Exception classes: torch/_dynamo/exc.py, torch/_inductor/exc.py. */
static const struct rule rules[] = {
    {"Thread dump", NULL, ERROR_HANG, AT_RUNTIME},
    {"Native assertion", NULL, ERROR_RUNTIME_CRASH, AT_RUNTIME},
    {NULL, "recompile limit exceeded", ERROR_RECOMPILATION, AT_DYNAMO},
    {NULL, "cache_size_limit reached", ERROR_RECOMPILATION, AT_DYNAMO},
    {"FailOnRecompileLimitHit", NULL, ERROR_RECOMPILATION, AT_DYNAMO},
    {"RecompileLimitExceeded", NULL, ERROR_RECOMPILATION, AT_DYNAMO},
    {"CacheLimitExceeded", NULL, ERROR_RECOMPILATION, AT_DYNAMO},
    {"RecompileError", NULL, ERROR_RECOMPILATION, AT_DYNAMO},
    {NULL, "Detected recompile when torch.compile stance", ERROR_RECOMPILATION, AT_DYNAMO},
    {NULL, "failed to eagerly compile backwards for dynamic", ERROR_BACKEND, AT_BACKEND},
    {"AccuracyError", NULL, ERROR_ACCURACY, AT_BACKEND},
    {NULL, "Bad accuracy detected", ERROR_ACCURACY, AT_BACKEND},
    {NULL, "AccuracyError: ", ERROR_ACCURACY, AT_BACKEND},
    {NULL, "are not close!", ERROR_ACCURACY, AT_BACKEND},
    {NULL, "RMSE (res-fp64): ", ERROR_ACCURACY, AT_BACKEND},
    {NULL, "Accuracy failed: ", ERROR_ACCURACY, AT_BACKEND},
    {NULL, "Accuracy failed for key name ", ERROR_ACCURACY, AT_BACKEND},
    {NULL, "Accuracy failed (", ERROR_ACCURACY, AT_BACKEND},
    {NULL, "Accuracy failed for the AOT Autograd graph ", ERROR_ACCURACY, AT_BACKEND},
    {NULL, "C++ compile error", ERROR_BACKEND, AT_CODE_COMPILER}, /* before the words of the code that it shows */
    /* the compiler runs kernels with inputs that it makes up */
    {NULL, "Failed to run autotuning code block: CUDA error: device-side assert", ERROR_TRITON_KERNEL, AT_INDUCTOR},
    {NULL, "Failed to run autotuning code block: CUDA error: an illegal memory", ERROR_RUNTIME_CRASH, AT_INDUCTOR},
    {NULL, "aten/src/ATen/native/cuda/", ERROR_RUNTIME_CRASH, AT_RUNTIME}, /* of its own kernels */
    {"RuntimeError", "device-side assert triggered", ERROR_TRITON_KERNEL, AT_RUNTIME},
    {"RuntimeError", "index out of bounds: 0 <= tmp", ERROR_USER, AT_RUNTIME}, /* on the CPU, in C++ */
    {NULL, "index out of bounds: 0 <= tmp", ERROR_TRITON_KERNEL, AT_RUNTIME},
    {"Device-side assertion", NULL, ERROR_TRITON_KERNEL, AT_RUNTIME},
    {NULL, "device-side assert triggered", ERROR_TRITON_KERNEL, AT_RUNTIME},
    {NULL, "an illegal memory access", ERROR_RUNTIME_CRASH, AT_RUNTIME},
    /* a library or the driver got no memory, whichever call it was */
    {NULL, "CUDA driver error: out of memory", ERROR_OUT_OF_MEMORY, AT_RUNTIME},
    {NULL, "Triton Error [CUDA]: out of memory", ERROR_OUT_OF_MEMORY, AT_RUNTIME},
    {NULL, "HIP error: out of memory", ERROR_OUT_OF_MEMORY, AT_RUNTIME},
    {NULL, "CUBLAS_STATUS_ALLOC_FAILED", ERROR_OUT_OF_MEMORY, AT_RUNTIME},
    {NULL, "CUDNN_STATUS_ALLOC_FAILED", ERROR_OUT_OF_MEMORY, AT_RUNTIME},
    {NULL, "CUSOLVER_STATUS_ALLOC_FAILED", ERROR_OUT_OF_MEMORY, AT_RUNTIME},
    {NULL, "CUSPARSE_STATUS_ALLOC_FAILED", ERROR_OUT_OF_MEMORY, AT_RUNTIME},
    {NULL, "CUFFT_ALLOC_FAILED", ERROR_OUT_OF_MEMORY, AT_RUNTIME},
    {NULL, "HIPBLAS_STATUS_ALLOC_FAILED", ERROR_OUT_OF_MEMORY, AT_RUNTIME},
    {NULL, "rocblas_status_memory_error", ERROR_OUT_OF_MEMORY, AT_RUNTIME},
    {NULL, "miopenStatusAllocFailed", ERROR_OUT_OF_MEMORY, AT_RUNTIME},
    {NULL, "failure 2 'out of memory'", ERROR_OUT_OF_MEMORY, AT_RUNTIME}, /* of NCCL */
    {NULL, "failure 'out of memory'", ERROR_OUT_OF_MEMORY, AT_RUNTIME},
    {"Collective timeout", NULL, ERROR_COLLECTIVE, AT_RUNTIME},
    {"Stuck watchdog", NULL, ERROR_COLLECTIVE, AT_RUNTIME},
    {NULL, "collective operation timeout", ERROR_COLLECTIVE, AT_RUNTIME},
    {NULL, "finish collective #", ERROR_COLLECTIVE, AT_RUNTIME},
    {NULL, "finished collective #", ERROR_COLLECTIVE, AT_RUNTIME},
    {NULL, "are the lagging ranks that caused this timeout", ERROR_COLLECTIVE, AT_RUNTIME},
    {NULL, "missing ranks: {", ERROR_COLLECTIVE, AT_RUNTIME},
    {NULL, "Detected mismatch between collectives on ranks", ERROR_COLLECTIVE, AT_RUNTIME},
    {"DistBackendError", NULL, ERROR_COLLECTIVE, AT_RUNTIME},
    {"DistNetworkError", NULL, ERROR_COLLECTIVE, AT_RUNTIME},
    {"DistStoreError", NULL, ERROR_COLLECTIVE, AT_RUNTIME},
    {"RendezvousConnectionError", NULL, ERROR_COLLECTIVE, AT_RUNTIME},
    {"RendezvousTimeoutError", NULL, ERROR_COLLECTIVE, AT_RUNTIME},
    {"RendezvousClosedError", NULL, ERROR_COLLECTIVE, AT_RUNTIME},
    {"RendezvousStateError", NULL, ERROR_COLLECTIVE, AT_RUNTIME},
    {NULL, "connection to the C10d store has failed", ERROR_COLLECTIVE, AT_RUNTIME},
    {NULL, "gloo/transport/", ERROR_COLLECTIVE, AT_RUNTIME},
    {NULL, "NCCL error", ERROR_COLLECTIVE, AT_RUNTIME},
    {NULL, "DDP expects same model across all ranks", ERROR_USER, AT_RUNTIME},
    {NULL, "to match sizes of the same param in process", ERROR_USER, AT_RUNTIME},
    {"OutOfMemoryError", NULL, ERROR_OUT_OF_MEMORY, AT_RUNTIME},
    {NULL, " out of memory. Tried to allocate ", ERROR_OUT_OF_MEMORY, AT_RUNTIME},
    {NULL, "backend out of memory", ERROR_OUT_OF_MEMORY, AT_RUNTIME},
    {NULL, "HSA_STATUS_ERROR_OUT_OF_RESOURCES", ERROR_OUT_OF_MEMORY, AT_RUNTIME},
    {NULL, "Memory access fault by GPU", ERROR_RUNTIME_CRASH, AT_RUNTIME},
    {NULL, "HSA_STATUS_ERROR", ERROR_RUNTIME_CRASH, AT_RUNTIME},
    {NULL, "HIP error", ERROR_RUNTIME_CRASH, AT_RUNTIME},
    {NULL, "CUDA out of memory", ERROR_OUT_OF_MEMORY, AT_RUNTIME},
    {NULL, " failed with OOM on device ", ERROR_OUT_OF_MEMORY, AT_RUNTIME},
    {NULL, "oom_kill event", ERROR_OUT_OF_MEMORY, AT_RUNTIME},
    {NULL, "Out of memory: Killed process", ERROR_OUT_OF_MEMORY, AT_RUNTIME},
    {NULL, "OOMKilled", ERROR_OUT_OF_MEMORY, AT_RUNTIME},
    {NULL, " Killed ", ERROR_OUT_OF_MEMORY, AT_RUNTIME},
    {NULL, "previous error during capture", ERROR_CUDA_GRAPHS, AT_RUNTIME},
    {NULL, "are not allocated in pool", ERROR_CUDA_GRAPHS, AT_RUNTIME},
    {NULL, "when stream is capturing", ERROR_CUDA_GRAPHS, AT_RUNTIME},
    {NULL, "outside graph capture", ERROR_CUDA_GRAPHS, AT_RUNTIME},
    {NULL, "during CUDA graph capture", ERROR_CUDA_GRAPHS, AT_RUNTIME},
    {NULL, "cudaMallocAsync does not yet support", ERROR_CUDA_GRAPHS, AT_RUNTIME},
    {NULL, "cudaErrorStreamCapture", ERROR_CUDA_GRAPHS, AT_RUNTIME},
    {NULL, "cudaErrorCapturedEvent", ERROR_CUDA_GRAPHS, AT_RUNTIME},
    {NULL, "last recorded in a capturing stream", ERROR_CUDA_GRAPHS, AT_RUNTIME},
    {NULL, "uncaptured work in another stream", ERROR_CUDA_GRAPHS, AT_RUNTIME},
    {NULL, "capturing stream has unjoined work", ERROR_CUDA_GRAPHS, AT_RUNTIME},
    {NULL, "depend on a capturing blocking stream", ERROR_CUDA_GRAPHS, AT_RUNTIME},
    {NULL, "merge of separate capture sequences", ERROR_CUDA_GRAPHS, AT_RUNTIME},
    {NULL, "in the cudagraph pool not tracked as outputs", ERROR_CUDA_GRAPHS, AT_RUNTIME},
    {NULL, "graph recording observed an input tensor deallocate", ERROR_CUDA_GRAPHS, AT_RUNTIME},
    {"AssertionError", "could be from [", ERROR_DYNAMO_BUG, AT_DYNAMO},
    {NULL, "SpeculationLog diverged at index", ERROR_DYNAMO_BUG, AT_DYNAMO},
    {"AssertionError", "expected FunctionType found ", ERROR_DYNAMO_BUG, AT_DYNAMO}, /* variables/functions.py */
    {NULL, "LLVM ERROR: ", ERROR_TRITON_KERNEL, AT_CODE_COMPILER},
    {NULL, "failed to legalize operation", ERROR_TRITON_KERNEL, AT_CODE_COMPILER},
    {NULL, "Error in codegen for ", ERROR_BACKEND, AT_INDUCTOR},
    {NULL, "PassManager::run failed", ERROR_TRITON_KERNEL, AT_CODE_COMPILER},
    {NULL, "Internal Triton PTX codegen error", ERROR_TRITON_KERNEL, AT_CODE_COMPILER},
    {NULL, "Input graph did not fail the tester", ERROR_MINIFIER, AT_BACKEND},
    {NULL, "CUDA error: out of memory", ERROR_OUT_OF_MEMORY, AT_RUNTIME},
    {NULL, "DefaultCPUAllocator: can't allocate memory", ERROR_OUT_OF_MEMORY, AT_RUNTIME},
    {NULL, "DefaultCPUAllocator: not enough memory", ERROR_OUT_OF_MEMORY, AT_RUNTIME},
    {"MemoryError", NULL, ERROR_OUT_OF_MEMORY, AT_RUNTIME},
    {"_ArrayMemoryError", NULL, ERROR_OUT_OF_MEMORY, AT_RUNTIME}, /* of numpy */
    {NULL, "std::bad_alloc", ERROR_OUT_OF_MEMORY, AT_RUNTIME},
    {"Killed", NULL, ERROR_OUT_OF_MEMORY, AT_RUNTIME},
    {NULL, "Signal 9 (SIGKILL)", ERROR_OUT_OF_MEMORY, AT_RUNTIME},
    {NULL, "CUDA error", ERROR_RUNTIME_CRASH, AT_RUNTIME},
    {NULL, "Triton Error [", ERROR_RUNTIME_CRASH, AT_RUNTIME},
    {"AcceleratorError", NULL, ERROR_RUNTIME_CRASH, AT_RUNTIME},
    {"Segmentation fault", NULL, ERROR_RUNTIME_CRASH, AT_RUNTIME},
    {NULL, "Windows fatal exception: ", ERROR_RUNTIME_CRASH, AT_RUNTIME},
    {"Native crash", NULL, ERROR_RUNTIME_CRASH, AT_RUNTIME},
    {"Aborted", NULL, ERROR_RUNTIME_CRASH, AT_RUNTIME},
    {"Heap corruption", NULL, ERROR_RUNTIME_CRASH, AT_RUNTIME},
    {"Bus error", NULL, ERROR_RUNTIME_CRASH, AT_RUNTIME},
    {"Kernel died", NULL, ERROR_RUNTIME_CRASH, AT_RUNTIME},
    {"Illegal instruction", NULL, ERROR_RUNTIME_CRASH, AT_RUNTIME},
    {"Floating point exception", NULL, ERROR_RUNTIME_CRASH, AT_RUNTIME},
    {NULL, "Fatal Python error: ", ERROR_RUNTIME_CRASH, AT_RUNTIME},
    {NULL, "(SIGSEGV)", ERROR_RUNTIME_CRASH, AT_RUNTIME},
    {NULL, "signal SIGSEGV", ERROR_RUNTIME_CRASH, AT_RUNTIME},
    {NULL, "(SIGABRT)", ERROR_RUNTIME_CRASH, AT_RUNTIME},
    {NULL, "signal SIGABRT", ERROR_RUNTIME_CRASH, AT_RUNTIME},
    {NULL, "(SIGBUS)", ERROR_RUNTIME_CRASH, AT_RUNTIME},
    {NULL, "(SIGFPE)", ERROR_RUNTIME_CRASH, AT_RUNTIME},
    {NULL, "(SIGILL)", ERROR_RUNTIME_CRASH, AT_RUNTIME},
    {"UncapturedHigherOrderOpError", NULL, ERROR_GRAPH_BREAK, AT_DYNAMO},
    {"AutotuneError", NULL, ERROR_TRITON_KERNEL, AT_CODE_COMPILER},
    {"CompilationError", NULL, ERROR_TRITON_KERNEL, AT_CODE_COMPILER},
    {NULL, "Triton compilation failed: ", ERROR_TRITON_KERNEL, AT_CODE_COMPILER},
    {"CompileTimeAssertionFailure", NULL, ERROR_TRITON_KERNEL, AT_CODE_COMPILER},
    {"OutOfResources", NULL, ERROR_TRITON_KERNEL, AT_CODE_COMPILER},
    {"PTXASError", NULL, ERROR_TRITON_KERNEL, AT_CODE_COMPILER},
    {NULL, "CompilationError: at ", ERROR_TRITON_KERNEL, AT_CODE_COMPILER},
    {NULL, "apture cuda graph failed", ERROR_CUDA_GRAPHS, AT_RUNTIME},
    {NULL, "out of resource: ", ERROR_TRITON_KERNEL, AT_CODE_COMPILER},
    {NULL, "No valid triton configs", ERROR_TRITON_KERNEL, AT_CODE_COMPILER},
    {NULL, "triton.compiler.errors", ERROR_TRITON_KERNEL, AT_CODE_COMPILER},
    {"LoweringException", NULL, ERROR_BACKEND, AT_INDUCTOR},
    {"SubgraphLoweringException", NULL, ERROR_BACKEND, AT_INDUCTOR},
    {"NoValidChoicesError", NULL, ERROR_BACKEND, AT_INDUCTOR},
    {"ErrorFromChoice", NULL, ERROR_BACKEND, AT_INDUCTOR},
    {"CppWrapperCodegenError", NULL, ERROR_BACKEND, AT_INDUCTOR},
    {"SubprocException", NULL, ERROR_BACKEND, AT_CODE_COMPILER},
    {"CUDACompileError", NULL, ERROR_BACKEND, AT_CODE_COMPILER},
    {"NoTritonConfigsError", NULL, ERROR_TRITON_KERNEL, AT_CODE_COMPILER},
    {NULL, "LoweringException: GuardOnDataDependentSymNode", ERROR_BACKEND, AT_INDUCTOR},
    {"UserError", "data-dependent", ERROR_DATA_DEPENDENT, AT_DYNAMO},
    {NULL, "Could not guard on data-dependent expression", ERROR_DATA_DEPENDENT, AT_DYNAMO},
    {NULL, ").  (Size-like symbols: ", ERROR_DATA_DEPENDENT, AT_DYNAMO},
    {NULL, "Could not extract specialized integer from data-dependent", ERROR_DATA_DEPENDENT, AT_DYNAMO},
    {"GuardOnDataDependentSymNode", NULL, ERROR_DATA_DEPENDENT, AT_DYNAMO},
    {"DynamicOutputShapeException", NULL, ERROR_DATA_DEPENDENT, AT_DYNAMO},
    {"DataDependentOutputException", NULL, ERROR_DATA_DEPENDENT, AT_DYNAMO},
    {NULL, "this guard was added: ", ERROR_CONSTRAINT, AT_DYNAMO},
    {NULL, "were unable to evaluate the value of `", ERROR_DATA_DEPENDENT, AT_DYNAMO},
    {NULL, "is missing a fake kernel implementation", ERROR_FAKE_TENSOR, AT_DYNAMO},
    {NULL, "Unhandled FakeTensor Device Propagation", ERROR_FAKE_TENSOR, AT_DYNAMO},
    {"AssertionError", "Guard failed: ", ERROR_CONSTRAINT, AT_RUNTIME},
    {"RuntimeError", "Expected input at ", ERROR_CONSTRAINT, AT_RUNTIME},
    {NULL, "Expected input at *args", ERROR_CONSTRAINT, AT_RUNTIME},
    {NULL, "Unexpected number of dimensions in input at ", ERROR_CONSTRAINT, AT_RUNTIME},
    {"NotImplementedError", "could not find kernel for aten", ERROR_FAKE_TENSOR, AT_DYNAMO},
    {"ConstraintViolationError", NULL, ERROR_CONSTRAINT, AT_DYNAMO},
    {NULL, "Constraints violated (", ERROR_CONSTRAINT, AT_DYNAMO},
    {NULL, " was inferred to be a constant (", ERROR_CONSTRAINT, AT_DYNAMO},
    {NULL, " your code specialized it to be a constant (", ERROR_CONSTRAINT, AT_DYNAMO},
    {"UserError", "ynamic control flow is not supported", ERROR_GRAPH_BREAK, AT_DYNAMO},
    {NULL, "that has been overwritten by a subsequent run", ERROR_CUDA_GRAPHS, AT_RUNTIME},
    {NULL, "static input data pointer changed", ERROR_CUDA_GRAPHS, AT_RUNTIME},
    {NULL, "does not currently support double backward", ERROR_USER, AT_RUNTIME},
    {NULL, "symbolically trace a dynamo-optimized function", ERROR_USER, AT_RUNTIME},
    {"AssertionError", "ScriptModules aren't supported", ERROR_USER, AT_DYNAMO},
    {NULL, "compiled with non-empty donated buffers", ERROR_USER, AT_RUNTIME},
    {NULL, "Either mode or options can be specified", ERROR_USER, AT_RUNTIME},
    {NULL, "Unrecognized mode=", ERROR_USER, AT_RUNTIME},
    {NULL, "Unexpected optimization option", ERROR_USER, AT_RUNTIME},
    {NULL, "container_handle_", ERROR_AOT_INDUCTOR, AT_RUNTIME},
    {NULL, "resides on host memory and is not registered", ERROR_AOT_INDUCTOR, AT_RUNTIME},
    {NULL, "========= Invalid __", ERROR_RUNTIME_CRASH, AT_RUNTIME},
    {"Unsupported", NULL, ERROR_GRAPH_BREAK, AT_DYNAMO},
    {"InternalTorchDynamoError", NULL, ERROR_DYNAMO_BUG, AT_DYNAMO},
    {"TorchRuntimeError", NULL, ERROR_FAKE_TENSOR, AT_DYNAMO},
    {"UnsupportedOperatorException", NULL, ERROR_FAKE_TENSOR, AT_DYNAMO},
    {"UnsupportedFakeTensorException", NULL, ERROR_FAKE_TENSOR, AT_DYNAMO},
    {"MetadataMismatchError", NULL, ERROR_FAKE_TENSOR, AT_DYNAMO},
    {"FakeTensorDeviceMismatchError", NULL, ERROR_FAKE_TENSOR, AT_DYNAMO},
    {NULL, "incorrect fake (aka meta) kernel", ERROR_FAKE_TENSOR, AT_RUNTIME},
    {"AssertionError", "Error in op: ", ERROR_FAKE_TENSOR, AT_RUNTIME},
    {"AssertionError", "expected size ", ERROR_BACKEND, AT_RUNTIME},
    {NULL, "AssertionError: expected size ", ERROR_BACKEND, AT_RUNTIME},
    {NULL, "Cannot view a tensor with shape ", ERROR_FAKE_TENSOR, AT_DYNAMO},
    {"", "aoti_torch_", ERROR_BACKEND, AT_CODE_COMPILER},
    {"CppCompileError", NULL, ERROR_BACKEND, AT_CODE_COMPILER},
    {"InductorError", NULL, ERROR_BACKEND, AT_INDUCTOR},
    {"BackendCompilerFailed", "inductor", ERROR_BACKEND, AT_INDUCTOR},
    {"BackendCompilerFailed", "raised:\nLoweringException", ERROR_BACKEND, AT_INDUCTOR},
    {"BackendCompilerFailed", NULL, ERROR_BACKEND, AT_BACKEND},
    {"NameError", "name '__subclass_", ERROR_DYNAMO_BUG, AT_RUNTIME}, /* a global of the code that Dynamo writes */
    {"NameError", "name '__compiled_fn_", ERROR_DYNAMO_BUG, AT_RUNTIME},
    {"NameError", "name '__resume_at_", ERROR_DYNAMO_BUG, AT_RUNTIME},
    {"NameError", "name '__import_", ERROR_DYNAMO_BUG, AT_RUNTIME},
    {"NameError", "name '__builtins_dict__", ERROR_DYNAMO_BUG, AT_RUNTIME},
    {"NameError", "name '__optimizer_", ERROR_DYNAMO_BUG, AT_RUNTIME},
    {"NameError", "name '__gen_rand_values", ERROR_DYNAMO_BUG, AT_RUNTIME},
    {"ValueError", "cannot be accessed from Triton", ERROR_TRITON_KERNEL, AT_RUNTIME},
    {"InvalidBackend", NULL, ERROR_USER, AT_BACKEND},
    {"UserError", NULL, ERROR_USER, AT_DYNAMO},
    {"ArgsMismatchError", NULL, ERROR_USER, AT_DYNAMO},
    /* texts that have lost the name of the exception */
    {"", "crashed while running '", ERROR_RUNTIME_CRASH, AT_RUNTIME},
    {"", "/torchinductor_", ERROR_BACKEND, AT_CODE_COMPILER}, /* a compiler's line about what Inductor wrote */
    {"", "Found from :", ERROR_BACKEND, AT_INDUCTOR},
    {"", "Dynamo failed to run FX node with fake tensors", ERROR_FAKE_TENSOR, AT_DYNAMO},
    {"", "For more details about this graph break", ERROR_GRAPH_BREAK, AT_DYNAMO},
    {"", "ynamic control flow is not supported", ERROR_GRAPH_BREAK, AT_DYNAMO},
    {"", "in skipfiles: ", ERROR_GRAPH_BREAK, AT_DYNAMO}, /* 2.0 to 2.6 */
    {"", "skip function ", ERROR_GRAPH_BREAK, AT_DYNAMO},
    {"", "generic_jump ", ERROR_GRAPH_BREAK, AT_DYNAMO},
    {"", "builtin: ", ERROR_GRAPH_BREAK, AT_DYNAMO},
    {"", "call_function BuiltinVariable(", ERROR_GRAPH_BREAK, AT_DYNAMO},
    {"", "call_function UserDefined", ERROR_GRAPH_BREAK, AT_DYNAMO},
    {"", "call_method UserDefined", ERROR_GRAPH_BREAK, AT_DYNAMO},
    {"", "call_method TensorVariable(", ERROR_GRAPH_BREAK, AT_DYNAMO},
    /* Python's warnings, which do not stop the program */
    {"Warning", NULL, ERROR_WARNING, AT_RUNTIME}, /* a line of PyTorch's log */
    {LOGGED_ERROR_TYPE, NULL, ERROR_WARNING, AT_RUNTIME}, /* whether it ended the program is not known */
    {NOTE_TYPE, NULL, ERROR_WARNING, AT_RUNTIME},    /* the text has neither an error nor a warning */
    {"UserWarning", NULL, ERROR_WARNING, AT_RUNTIME},
    {"FutureWarning", NULL, ERROR_WARNING, AT_RUNTIME},
    {"DeprecationWarning", NULL, ERROR_WARNING, AT_RUNTIME},
    {"RuntimeWarning", NULL, ERROR_WARNING, AT_RUNTIME},
    {"TracerWarning", NULL, ERROR_WARNING, AT_RUNTIME},
    {"", "PyTorch goes on: ", ERROR_WARNING, AT_RUNTIME},
    {"", "the autotuner skipped a choice", ERROR_WARNING, AT_CODE_COMPILER},
    {"", "compiled code of the cache cannot be loaded", ERROR_WARNING, AT_INDUCTOR},
    {"", "the autotuner measured a time of zero", ERROR_WARNING, AT_INDUCTOR},
    {"", "enough SMs to use max_autotune_gemm", ERROR_WARNING, AT_INDUCTOR},
    {"", "For extended logs when we create symbols", ERROR_DATA_DEPENDENT, AT_DYNAMO},
    {"", "TORCHDYNAMO_EXTENDED_DEBUG_CPP=1", ERROR_DATA_DEPENDENT, AT_DYNAMO},
    {"", "User Stack (most recent call last)", ERROR_DATA_DEPENDENT, AT_DYNAMO},
    {"", "The following call raised this error:", ERROR_DATA_DEPENDENT, AT_DYNAMO},
};

static const struct {
    const char *name, *title;
} categories[ERROR_CATEGORIES] = {
    [ERROR_ENVIRONMENT] = {"environment", "The machine, not the model"},
    [ERROR_GRAPH_BREAK] = {"graph_break", "Graph break that could not be resumed"},
    [ERROR_BACKEND] = {"backend", "Backend failure"},
    [ERROR_RECOMPILATION] = {"recompilation", "Recompilation refused"},
    [ERROR_ACCURACY] = {"accuracy", "Results differ"},
    [ERROR_DYNAMO_BUG] = {"dynamo_bug", "Bug in Dynamo"},
    [ERROR_RUNTIME_CRASH] = {"runtime_crash", "Crash at run time"},
    [ERROR_TRITON_KERNEL] = {"triton_kernel", "Triton kernel"},
    [ERROR_OUT_OF_MEMORY] = {"out_of_memory", "Out of memory"},
    [ERROR_COLLECTIVE] = {"collective", "Collective that failed or timed out"},
    [ERROR_FAKE_TENSOR] = {"fake_tensor", "Operator failed on fake tensors"},
    [ERROR_DATA_DEPENDENT] = {"data_dependent", "Data-dependent value"},
    [ERROR_CONSTRAINT] = {"constraint", "Dynamic-shape constraint violated"},
    [ERROR_CUDA_GRAPHS] = {"cuda_graphs", "CUDA graphs"},
    [ERROR_AOT_INDUCTOR] = {"aot_inductor", "AOTInductor model refused its inputs"},
    [ERROR_HANG] = {"hang", "Where a process is waiting"},
    [ERROR_MINIFIER] = {"minifier", "The minifier itself failed"},
    [ERROR_WARNING] = {"warning", "Only a warning"},
    [ERROR_USER] = {"user", "Error in the program or its options"},
    [ERROR_OTHER] = {"other", "Exception while compiling"},
};

const char *error_category_name(enum error_category c)
{
    return categories[c].name;
}

const char *error_category_title(enum error_category c)
{
    return categories[c].title;
}

static const struct {
    const char *name, *title;
} stages[AT_STAGES] = {
    [AT_DYNAMO] = {"dynamo", "in Dynamo"},       [AT_AOTAUTOGRAD] = {"aot_autograd", "in AOTAutograd"},
    [AT_INDUCTOR] = {"inductor", "in Inductor"}, [AT_CODE_COMPILER] = {"compiler", "in the C++ or Triton compiler"},
    [AT_RUNTIME] = {"runtime", "at run time"},   [AT_BACKEND] = {"backend", "in the backend"},
};

const char *error_stage_name(enum error_stage s)
{
    return stages[s].name;
}

const char *error_stage_title(enum error_stage s)
{
    return stages[s].title;
}

static bool fits(const struct rule *rule, const struct failure *f)
{
    if (rule->type && !str_eq(f->type, str_of(rule->type)))
        return false;
    return !rule->message || str_has_words(str_take(f->message, ERROR_SEARCHED), str_of(rule->message));
}

/* Without a rule: the progress of the compile shows where it failed. */
static enum error_stage stage_reached(const struct compile *c)
{
    enum error_stage stage = AT_DYNAMO;

    for (size_t i = 0; i < c->artifacts.n; i++) {
        const struct artifact_info *info = c->artifacts.v[i]->info;

        if (!info)
            continue;
        if (info->stage == STAGE_AOT || info->stage == STAGE_JOINT)
            stage = stage < AT_AOTAUTOGRAD ? AT_AOTAUTOGRAD : stage;
        if (info->stage == STAGE_POST_GRAD || info->stage == STAGE_CODE)
            stage = AT_INDUCTOR;
    }
    return stage;
}

/*
 * Exceptions that Dynamo passes on unchanged; it raises any other as InternalTorchDynamoError (torch/_dynamo/
 * convert_frame.py, _compile), while the trace keeps the original type.
 */
static bool is_passed_on(struct str type)
{
    static const struct str types[] = {
        STR_INIT("AssertionError"),      STR_INIT("IndexError"),
        STR_INIT("ValidationException"), STR_INIT("UncapturedHigherOrderOpError"),
        STR_INIT("PackageError"),        STR_INIT("BisectValidationException"),
        STR_INIT("ShortenTraceback"),    STR_INIT("ResumePrologueTracingError"),
    };

    return STR_IS_ANY(type, types);
}

/* In a stage of Triton's own compiler (make_ttgir, make_llir, ...), or in its LLVM and MLIR: no kernel ran. */
static bool crashed_in_triton(const struct failure *f)
{
    static const struct str parts[] = {STR_INIT("/.triton/"), STR_INIT("/llvm/"), STR_INIT("mlir::"),
                                       STR_INIT("llvm::"), STR_INIT("triton::")};

    if (str_eq(f->type, STR("Native assertion")) && (STR_HAS_ANY(f->beside, parts) || STR_HAS_ANY(f->message, parts)))
        return true;
    for (const struct call *c = f->stack; c; c = c->parent)
        if (code_file_has(c->file, STR("triton/backends/")) && str_starts(c->function, STR("make_")))
            return true;
    return false;
}

/* Triton's own, in a checkout as well, which may lie beside other code below a directory of that name. */
static bool is_of_triton(const struct call *c)
{
    static const struct str parts[] = {STR_INIT("triton/runtime/"), STR_INIT("triton/compiler/"),
                                       STR_INIT("triton/backends/")};

    return CODE_FILE_HAS_ANY(c->file, parts) || str_starts(c->file, STR("<"));
}

/* "_launcher(till_kernel, (4,), ..., num_stages=3)": Helion's code has its options in the call, Inductor's has not. */
static bool passes_options(const struct call *c)
{
    return c && str_has(c->source, STR("num_warps=")) && str_has(c->source, STR("num_stages=")) &&
           !str_has(c->source, STR(".run("));
}

/*
 * "till_kernel[grid](", right below Triton's own frames and its launcher ("<string>"): Inductor's code says `.run(`.
 * Helion has a launcher of its own in between.
 */
static bool launches_own_kernel(const struct failure *f)
{
    const struct call *c = f->stack;

    while (c && is_of_triton(c))
        c = c->parent;
    return (c && str_has(c->source, STR("](")) && !is_framework_file(c->file)) ||
           (c && code_file_has(c->file, STR("helion/runtime/")) && passes_options(c->parent));
}

/*
 * The length that precedes each message of a compile worker (torch/_inductor/compile_worker/subproc_pool.py) was read
 * of something else that was printed there: no memory is lacking.
 */
static bool misreads_worker(const struct failure *f)
{
    const struct call *last = f->stack;

    return last && str_eq(last->function, STR("_recv_msg")) &&
           code_file_has(last->file, STR("torch/_inductor/compile_worker/"));
}

/* Where it writes and checks bytecode, nothing of the program raises. */
static bool failed_in_bytecode(const struct failure *f)
{
    return f->stack && code_file_has(f->stack->file, STR("torch/_dynamo/bytecode_"));
}

/* "def sell(" of the function `sell`, or its decorator: an exception in Dynamo's code has no better line. */
static bool is_first_line(struct str source, struct str function)
{
    str_consume(&source, STR("async "));
    if (str_starts(source, STR("@")))
        return true;
    return str_consume(&source, STR("def ")) && str_consume(&source, function) && str_starts(source, STR("("));
}

bool error_is_of_rewritten(const struct failure *f)
{
    const struct call *last = f->stack;
    struct str name;

    if (!last || !last->parent || !code_file_has(last->parent->file, STR("torch/_dynamo/eval_frame.py")))
        return false;
    return (str_eq(f->type, STR("NameError")) || str_eq(f->type, STR("UnboundLocalError"))) &&
           str_between(str_first_line(f->message), STR("'"), STR("'"), &name) && name.n &&
           is_first_line(str_trim(last->source), last->function) && !str_has(last->source, name);
}

bool error_is_of_input(const struct failure *f)
{
    static const struct str names[] = {STR_INIT("arg"), STR_INIT("primals_"), STR_INIT("tangents_")};
    struct str checked = str_trim(f->stack ? f->stack->source : (struct str){0});

    return str_consume(&checked, STR("assert_size_stride(")) &&
           (STR_STARTS_ANY(checked, names) || str_has(checked, STR(", 'input')")));
}

bool error_cannot_fail(const struct failure *f)
{
    static const struct str operators[] = {STR_INIT("not_"), STR_INIT("eq"), STR_INIT("ne"), STR_INIT("lt"),
                                           STR_INIT("le"),   STR_INIT("gt"), STR_INIT("ge"), STR_INIT("is_"),
                                           STR_INIT("is_not")};
    struct str message = str_take(f->message, ERROR_SEARCHED), name, arguments;

    if (!str_between(message, STR("call_function <built-in function "), STR(">(*("), &name) ||
        !STR_IS_ANY(name, operators) || !str_between(message, STR(">(*("), STR("), **{})"), &arguments) ||
        arguments.n == 0)
        return false;
    while (arguments.n) {
        struct str one = str_trim(str_split(&arguments, ','));

        if (one.n && !str_eq(one, STR("True")) && !str_eq(one, STR("False")) &&
            str_skip_any(one, "-+.0123456789").n)
            return false;
    }
    return true;
}

/* Names that generated code uses and does not define, or code that is no Python: only its writer can be wrong. */
static bool is_of_generated(const struct failure *f)
{
    static const struct str types[] = {STR_INIT("NameError"), STR_INIT("UnboundLocalError"), STR_INIT("SyntaxError"),
                                       STR_INIT("IndentationError")};

    return f->stack && STR_IS_ANY(f->type, types) && str_has(f->stack->file, STR("torchinductor_"));
}

/* AOTAutograd makes a view that is returned again by this operator, which the program does not call. */
static bool is_view_made_again(const struct failure *f)
{
    static const struct str words[] = {STR_INIT("as_strided not supported with DTensor"),
                                       STR_INIT("Operator aten.as_strided.default does not have a sharding")};
    const struct call *own = stack_own_call(f->stack);

    return STR_STARTS_ANY(f->message, words) && own && !str_has(own->source, STR("as_strided(")) &&
           stack_calls(f->stack, STR("torch/_dynamo/\ntorch/_functorch/"));
}

bool error_is_of_stored_code(const struct failure *f)
{
    static const struct str functions[] = {STR_INIT("save"), STR_INIT("load"), STR_INIT("_load_impl"),
                                           STR_INIT("_prepare_load")};
    static const struct str types[] = {STR_INIT("AssertionError"), STR_INIT("RuntimeError")};
    const struct call *last = f->stack;

    return last && STR_IS_ANY(f->type, types) && STR_IS_ANY(last->function, functions) &&
           code_file_has(last->file, STR("torch/_inductor/standalone_compile.py"));
}

static enum error_category category_without_rule(const struct failure *f)
{
    if (error_is_of_stored_code(f))
        return ERROR_OTHER;
    if (is_view_made_again(f))
        return ERROR_BACKEND;
    if (failed_in_bytecode(f) || error_is_of_rewritten(f))
        return ERROR_DYNAMO_BUG;
    if (is_of_generated(f))
        return ERROR_BACKEND;
    if (f->part == FAILED_IN_MINIFIER)
        return ERROR_MINIFIER;
    if (f->part == FAILED_IN_TRITON)
        return ERROR_TRITON_KERNEL;
    if (f->where == FAILED_BACKWARD)
        return ERROR_BACKEND;
    if (f->where == FAILED_PROGRAM) /* of two kinds: what is around a compiled graph raises it, or anything else does */
        return f->stack && code_file_runs_compiled(f->stack->file) ? ERROR_BACKEND : ERROR_USER;
    if (f->where != FAILED_FORWARD || !f->traceback || f->passed_on || (!f->shown && is_passed_on(f->type)))
        return ERROR_OTHER;
    return ERROR_DYNAMO_BUG;
}

static enum error_stage stage_of_part(enum failure_part part)
{
    switch (part) {
    case FAILED_IN_TRITON:
        return AT_CODE_COMPILER;
    case FAILED_IN_INDUCTOR:
        return AT_INDUCTOR;
    case FAILED_IN_AOTAUTOGRAD:
        return AT_AOTAUTOGRAD;
    default:
        return AT_DYNAMO;
    }
}

bool error_is_of_compiler(const struct failure *f)
{
    return f->where != FAILED_PROGRAM || (f->stack && code_file_runs_compiled(f->stack->file)) ||
           cache_fault_is_in_cache(f);
}

struct str error_variable(const struct failure *f)
{
    static const struct str reads[] = {STR_INIT("os.environ["), STR_INIT("os.environ.get("), STR_INIT("os.getenv(")};
    const struct call *last = f->stack;
    struct str rest, name = {0};

    if (!last || !is_framework_file(last->file) ||
        !(str_eq(f->type, STR("ValueError")) || str_starts(f->message, STR("ValueError: "))))
        return name;
    for (size_t i = 0; i < sizeof reads / sizeof *reads && name.n == 0; i++) {
        ptrdiff_t at = str_find(last->source, reads[i]);

        rest = str_skip(last->source, at < 0 ? last->source.n : (size_t)at + reads[i].n);
        if (rest.n && (rest.p[0] == '"' || rest.p[0] == '\'') && str_chr(str_skip(rest, 1), rest.p[0]) > 0)
            name = str_take(str_skip(rest, 1), (size_t)str_chr(str_skip(rest, 1), rest.p[0]));
    }
    return str_chr(name, '`') < 0 ? name : (struct str){0};
}

/* A record of PyTorch's log, which may have an exception that PyTorch has caught: its words are no fault. */
static bool is_warned(const struct failure *f)
{
    static const struct str caught[] = {STR_INIT("PyTorch goes on: "),
                                        STR_INIT("compiled code of the cache cannot be loaded")};

    return str_eq(f->type, STR("Warning")) || (f->type.n == 0 && STR_STARTS_ANY(f->message, caught));
}

/* Errors of the linker beside the exception say more than the exception. */
static const struct fault *fault_of(const struct failure *f)
{
    bool of_compiler = error_is_of_compiler(f);
    bool goes_on = is_warned(f);
    const struct fault *beside = f->beside.n ? fault_find(f->type, f->beside, of_compiler) : NULL;

    if (goes_on)
        return beside;
    return beside ? beside : cache_fault_choose(f, fault_find(f->type, f->message, of_compiler));
}

bool error_is_of_value(const struct failure *f, struct value_error *out)
{
    return f->stack && !is_framework_file(f->stack->file) && str_eq(f->type, STR("InternalTorchDynamoError")) &&
           value_error_find(f->message, f->stack->source, out);
}

/* A hook of accelerate calls the `forward` that it kept: what is missing may be `self`, which no program passes. */
static bool loses_self(const struct failure *f)
{
    return str_eq(f->type, STR("ArgsMismatchError")) && str_has(f->message, STR("missing a required argument")) &&
           stack_calls(f->stack, STR("accelerate/hooks.py"));
}

/* Names may be missing in a text, and the stack shows the stage even if the exception belongs to another part. */
static void apply_rule(struct error *e, const struct rule *rule, enum error_stage reached)
{
    bool before_inductor = rule->stage == AT_INDUCTOR && reached == AT_AOTAUTOGRAD &&
                           str_eq(e->failure->type, STR("BackendCompilerFailed"));

    e->category = rule->category;
    e->stage = (rule->stage == AT_DYNAMO && !e->failure->exporting) || before_inductor ? reached : rule->stage;
}

static void triage(struct error *e, enum error_stage reached)
{
    const struct failure *f = e->failure;
    enum error_stage part = stage_of_part(f->part);
    struct value_error value;

    if (f->where == FAILED_BACKWARD && reached == AT_DYNAMO)
        reached = AT_AOTAUTOGRAD;
    reached = part > reached ? part : reached;
    e->category = category_without_rule(f);
    e->stage = f->where == FAILED_RUNTIME || f->where == FAILED_PROGRAM ? AT_RUNTIME : reached;
    e->fault = fault_of(f);
    if (e->fault && str_eq(str_of(e->fault->id), STR("shared-memory")) && launches_own_kernel(f))
        e->fault = NULL; /* of the kernel, not of the machine */
    if (e->fault) {
        e->category = ERROR_ENVIRONMENT;
        e->stage = e->stage == AT_RUNTIME ? AT_RUNTIME : AT_CODE_COMPILER;
        return;
    }
    if (error_variable(f).n) {
        e->category = ERROR_USER;
        return;
    }
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (fits(&rules[i], f)) {
            apply_rule(e, &rules[i], part);
            break;
        }
    if (e->category == ERROR_USER && loses_self(f))
        e->category = ERROR_OTHER;
    if (e->category == ERROR_DYNAMO_BUG && error_is_of_value(f, &value) && value.plain)
        e->category = ERROR_USER;
    if ((e->category == ERROR_OTHER || e->category == ERROR_FAKE_TENSOR) && error_cannot_fail(f)) {
        e->category = ERROR_DYNAMO_BUG;
        e->stage = AT_DYNAMO;
    }
    if (e->category == ERROR_FAKE_TENSOR && error_is_of_input(f)) /* the message adds that hint to any such check */
        e->category = ERROR_BACKEND;
    if (e->category == ERROR_OUT_OF_MEMORY && misreads_worker(f)) {
        e->category = ERROR_OTHER;
        e->stage = AT_CODE_COMPILER;
    }
    if (e->category == ERROR_RUNTIME_CRASH && crashed_in_triton(f)) {
        e->category = ERROR_TRITON_KERNEL;
        e->stage = AT_CODE_COMPILER;
    }
}

/* What was traced may be a library's alone: then the program's line is the one that calls it. */
static const struct call *program_call(const struct failure *f)
{
    const struct call *own = stack_program_call(f->stack);

    if (!own)
        own = f->caller;
    return own ? own : stack_program_call(f->compile->stack);
}

/* "Caused by: (site-packages/tills/till.py:12 in sell)" names the call, of whose path PyTorch cuts the beginning. */
static bool names_as_cause(struct str message, const struct call *c)
{
    static const struct str lead = STR_INIT("\nCaused by: ");
    ptrdiff_t at = str_find(str_take(message, ERROR_SEARCHED), lead), place;
    struct str words = str_skip(message, at < 0 ? message.n : (size_t)at + lead.n), name = code_file_name(c->file);
    int64_t line;

    words = str_first_line(words);
    place = str_find(words, name);
    if (name.n == 0 || place < 0)
        return false;
    words = str_skip(words, (size_t)place + name.n);
    return str_consume(&words, STR(":")) && str_i64(str_split(&words, ' '), &line) && line == c->line;
}

/* PyTorch says that a library's line asks, whoever called the library. */
static bool library_asks(const struct error *e, const struct call *own)
{
    return own && e->category == ERROR_DATA_DEPENDENT && is_library_file(own->file) &&
           names_as_cause(e->failure->message, own);
}

bool error_is_in_library(const struct error *e)
{
    const struct call *own = stack_own_call(e->failure->stack);

    return is_library_file(own ? own->file : e->own_file) &&
           (!stack_program_call(e->failure->stack) || library_asks(e, own));
}

/*
 * PyTorch names the call that asks for the value: of a library alone, where the program calls it says less. So it does
 * where a library wrote the code beside the program.
 */
static const struct call *call_that_asks(const struct error *e)
{
    const struct failure *f = e->failure;
    const struct call *own = stack_own_call(f->stack);
    bool named = e->category == ERROR_DATA_DEPENDENT &&
                 str_has(str_take(f->message, ERROR_SEARCHED), STR("\nThe following call raised this error:"));

    named |= own && code_file_is_librarys(own->file);
    /* the line that calls the collective says which it is, the program's that it trains */
    if (own && str_has(str_first_line(f->message), STR("Detected mismatch between collectives")))
        return own;
    return (named && !stack_program_call(f->stack)) || library_asks(e, own) ? own : NULL;
}

/*
 * "return wrapper._compiled_fn(*args, **kwargs)" of a library's decorator, or hook, says less than the call of what it
 * wraps.
 */
static const struct call *wrapped_call(const struct call *own)
{
    static const struct str passes[] = {STR_INIT("return wrapper._compiled_fn(*args"), STR_INIT("return fn(*args"),
                                        STR_INIT("return func(*args"),
                                        STR_INIT("output = module._old_forward(*args")}; /* a hook of accelerate */
    const struct call *caller = own ? own->parent : NULL;

    while (caller && is_framework_file(caller->file)) /* torch/nn/modules/module.py */
        caller = caller->parent;
    return caller && is_library_file(own->file) && is_library_file(caller->file) &&
                   STR_STARTS_ANY(str_trim(own->source), passes)
               ? caller
               : own;
}

/*
 * A failure without a stack of its own happened in the compile's stack, which is shown once however many failures
 * there are.
 */
static void locate(struct error *e, bool first)
{
    const struct failure *f = e->failure;
    const struct call *asks = call_that_asks(e), *own = asks ? asks : program_call(f);

    if (!own)
        own = stack_own_call(f->stack);
    if (!own)
        own = stack_own_call(f->compile->stack);
    own = wrapped_call(own);
    e->stack = f->stack ? f->stack : first ? f->compile->stack : NULL;
    if (!asks && !is_framework_file(f->file) && !(own && is_library_file(f->file))) {
        e->own_file = f->file;
        e->own_line = f->line;
    } else if (own) {
        e->own_file = own->file;
        e->own_line = own->line;
    }
    if (own && own->line == e->own_line && str_eq(own->file, e->own_file))
        e->own_source = str_trim(own->source);
    /* A refused compile has neither; the earlier compiles show what it would have compiled. */
    if (e->own_file.n == 0 && f->compile->frame && !is_framework_file(f->compile->frame->file)) {
        e->own_file = f->compile->frame->file;
        e->own_line = f->compile->frame->line;
    }
    if (e->own_file.n == 0 && f->stack && f->stack->file.n == 0) { /* the text has the line without its file */
        e->own_line = f->stack->line;
        e->own_source = str_trim(f->stack->source);
    }
}

/* The exception that Python raises for Ctrl-C, in a launch that was ended that way: not an error of the program. */
static bool is_how_it_ended(const struct run *r, const struct failure *f)
{
    return r->launch && str_eq(f->type, STR("KeyboardInterrupt")) &&
           (str_eq(r->launch->end, STR(TRIAL_INTERRUPTED)) || str_eq(r->launch->end, STR(TRIAL_TIMED_OUT)));
}

static void add_compile(struct arena *a, const struct run *r, const struct compile *c, struct errors *out)
{
    enum error_stage reached = c->failures.n ? stage_reached(c) : AT_DYNAMO;
    size_t before = out->list.n;

    for (size_t i = 0; i < c->failures.n; i++) {
        const struct failure *f = c->failures.v[i];
        struct error *e;

        if (f->fallback || is_how_it_ended(r, f))
            continue; /* graph breaks and recompile limits are findings of their own kinds */
        e = vec_add(a, &out->list);
        e->failure = f;
        triage(e, reached);
        locate(e, out->list.n == before + 1);
        e->silent = f->traceback && artifact_is(f->traceback, ARTIFACT_EAGER_COMPILE_BACKWARDS_FAILURE);
        if (e->category == ERROR_WARNING) {
            vec_push(a, &out->warnings, *e);
            out->list.n--;
        }
    }
}

void errors_find(struct arena *a, const struct run *r, struct errors *out)
{
    const struct compile *c;

    *out = (struct errors){0};
    for (struct compile_walk w = {.run = r}; (c = compile_next(&w));)
        add_compile(a, r, c, out);
}
