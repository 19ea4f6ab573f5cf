#include "answers_text.h"

#include "analysis/answers/errors.h"
#include "analysis/errors/error_cache.h"
#include "analysis/errors/error_memory.h"
#include "analysis/steps/error_steps.h"
#include "analysis/errors/error_words.h"

/* The triage of product.md, with the words that PyTorch uses. */
static const struct {
    const char *type, *message;
    enum error_category category;
    enum error_stage stage;
} triage[] = {
    /* fullgraph=True, so nothing goes on around it */
    {"torch._dynamo.exc.Unsupported", "Data-dependent branching\n  Explanation: Detected data-dependent branching",
     ERROR_GRAPH_BREAK, AT_DYNAMO},

    {"torch._dynamo.exc.BackendCompilerFailed", "backend='bad_backend' raised:\nRuntimeError: my backend exploded",
     ERROR_BACKEND, AT_BACKEND},
    {"torch._dynamo.exc.BackendCompilerFailed", "backend='aot_eager' raised:\nRuntimeError: no", ERROR_BACKEND,
     AT_BACKEND},
    {"torch._dynamo.exc.BackendCompilerFailed",
     "backend='inductor' raised:\nLoweringException: NotImplementedError: could not find kernel for aten._sparse",
     ERROR_BACKEND, AT_INDUCTOR},
    {"torch._inductor.exc.InductorError",
     "LoweringException: AssertionError: lowering of weird is broken\n  target: mycorp.weird.default", ERROR_BACKEND,
     AT_INDUCTOR},
    {"torch._inductor.exc.InductorError", "CppCompileError: C++ compile error\n\nCommand:\ng++ /tmp/x.cpp",
     ERROR_BACKEND, AT_CODE_COMPILER},
    {"torch._dynamo.exc.BackendCompilerFailed", "backend='inductor' raised:\nCppCompileError: C++ compile error",
     ERROR_BACKEND, AT_CODE_COMPILER},
    {"torch._inductor.exc.InductorError",
     "InvalidCxxCompiler: No working C++ compiler found in torch._inductor.config.cpp.cxx: ('/nonexistent-g++',)",
     ERROR_ENVIRONMENT, AT_CODE_COMPILER},
    {"torch._inductor.exc.TritonMissing",
     "Cannot find a working triton installation. Either the package is not installed or it is too old.",
     ERROR_ENVIRONMENT, AT_CODE_COMPILER},
    {"torch._inductor.exc.GPUTooOldForTriton",
     "Found Tesla K80 which is too old to be supported by the triton GPU compiler, which is used as the backend.",
     ERROR_ENVIRONMENT, AT_CODE_COMPILER},

    {"torch._dynamo.exc.FailOnRecompileLimitHit", "Hard failure due to fullgraph=True", ERROR_RECOMPILATION, AT_DYNAMO},
    {"torch._dynamo.exc.FailOnCacheLimitHit", /* 2.5 */
     "cache_size_limit reached, because fail_on_cache_limit_hit = True this is a HARD failure", ERROR_RECOMPILATION,
     AT_DYNAMO},
    {"torch._dynamo.exc.RecompileError", "Recompiling function f in /x.py:68\n    triggered by the following guard",
     ERROR_RECOMPILATION, AT_DYNAMO},

    {"torch._dynamo.debug_utils.AccuracyError", "Bad accuracy detected", ERROR_ACCURACY, AT_BACKEND},
    {"torch._dynamo.exc.BackendCompilerFailed", "backend='inductor' raised:\nAccuracyError: Bad accuracy detected.",
     ERROR_ACCURACY, AT_BACKEND},

    {"torch._dynamo.exc.InternalTorchDynamoError", "KeyError: 'x'", ERROR_DYNAMO_BUG, AT_DYNAMO},
    {"ZeroDivisionError", "synthetic internal dynamo failure", ERROR_DYNAMO_BUG, AT_DYNAMO},

    {"torch.AcceleratorError",
     "CUDA error: an illegal memory access was encountered\nSearch for `cudaErrorIllegalAddress'", ERROR_RUNTIME_CRASH,
     AT_RUNTIME},
    {"torch._inductor.exc.InductorError", "RuntimeError: Triton Error [CUDA]: an illegal memory access was encountered",
     ERROR_RUNTIME_CRASH, AT_RUNTIME},
    {"RuntimeError", "CUDA error: unspecified launch failure", ERROR_RUNTIME_CRASH, AT_RUNTIME},

    {"RuntimeError", "CUDA error: device-side assert triggered", ERROR_TRITON_KERNEL, AT_RUNTIME},
    {"AssertionError", "index out of bounds: 0 <= tmp4 < 10", ERROR_TRITON_KERNEL, AT_RUNTIME},
    {"torch._inductor.exc.InductorError", "NoTritonConfigsError: No valid triton configs. OutOfMemoryError: no room",
     ERROR_TRITON_KERNEL, AT_CODE_COMPILER},
    {"torch._inductor.exc.InductorError",
     "SubprocException: An exception occurred in a subprocess:\n\ntriton.compiler.errors.CompilationError: at 8:11",
     ERROR_TRITON_KERNEL, AT_CODE_COMPILER},
    {"torch._dynamo.exc.BackendCompilerFailed",
     "backend='inductor' raised:\nCompilationError: at 8:11:\ndef triton_(in_ptr0, out_ptr0):", ERROR_TRITON_KERNEL,
     AT_CODE_COMPILER},
    {"torch._dynamo.exc.BackendCompilerFailed",
     "backend='inductor' raised:\nOutOfResources: out of resource: shared memory, Required: 131072, Hardware limit: "
     "101376.",
     ERROR_ENVIRONMENT, AT_CODE_COMPILER},

    {"torch._dynamo.exc.TorchRuntimeError",
     "RuntimeError when making fake tensor call\n  Explanation: Dynamo failed to run FX node with fake tensors",
     ERROR_FAKE_TENSOR, AT_DYNAMO},
    {"torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode", "Could not guard on Eq(u0, 4)",
     ERROR_DATA_DEPENDENT, AT_DYNAMO},
    {"torch._dynamo.exc.UserError", "Could not guard on data-dependent expression Eq(u0, 4) (unhinted: Eq(u0, 4)).",
     ERROR_DATA_DEPENDENT, AT_DYNAMO},
    {"torch._dynamo.exc.BackendCompilerFailed",
     "backend='inductor' raised:\nGuardOnDataDependentSymNode: Could not guard on data-dependent expression",
     ERROR_DATA_DEPENDENT, AT_DYNAMO},
    {"torch._dynamo.exc.UserError", "Could not extract specialized integer from data-dependent expression u0",
     ERROR_DATA_DEPENDENT, AT_DYNAMO},
    {"torch.fx.experimental.symbolic_shapes.ConstraintViolationError", "Constraints violated (L['x'].size()[0])!",
     ERROR_CONSTRAINT, AT_DYNAMO},
    {"torch._dynamo.exc.UserError", "Dynamic control flow is not supported at the moment.", ERROR_GRAPH_BREAK,
     AT_DYNAMO},
    {"torch._dynamo.exc.UserError", "Constraints violated (batch)! For more information", ERROR_CONSTRAINT, AT_DYNAMO},
    {"RuntimeError",
     "Error: accessing tensor output of CUDAGraphs that has been overwritten by a subsequent run. Stack trace: File",
     ERROR_CUDA_GRAPHS, AT_RUNTIME},
    {"RuntimeError", "run_func_( container_handle_, input_handles.data()) API call failed at /pytorch/torch/x.cpp",
     ERROR_AOT_INDUCTOR, AT_RUNTIME},
    {"torch._dynamo.exc.InvalidBackend", "Invalid backend: 'x', see `torch._dynamo.list_backends()`", ERROR_USER,
     AT_BACKEND},

    /* These leave Dynamo as they are, so they are not of its making. */
    {"AssertionError", "the user's", ERROR_OTHER, AT_DYNAMO},
    {"IndexError", "Dimension out of range", ERROR_OTHER, AT_DYNAMO},
    {"torch._dynamo.exc.UncapturedHigherOrderOpError", "cond", ERROR_GRAPH_BREAK, AT_DYNAMO},
};

/* Of Triton's compiler, what stands behind the line that it marks; without a mark, the last line. */
static void headlines_of_kernels(void **state)
{
    static const char *const cases[][2] = {
        {"at 2:8:\ndef k(x):\n    y = tl.foo(x)\n        ^\nAttributeError('no foo')", "AttributeError('no foo')"},
        {"at 2:8:\ndef k(x):\n    y = tl.foo(x)\n        ^", "y = tl.foo(x)"},
        {"at 2:8:\ndef k(x):\nno such function", "no such function"},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_str(
            error_headline(a, &(struct failure){.type = STR("CompilationError"), .message = str_of(cases[i][0])}),
            cases[i][1]);
    arena_free(a);
}

/* Of an operator that fails with fake tensors, what it raised. */
static void headlines_of_operators(void **state)
{
    static const char *const cases[][2] = {
        {"Dynamo failed to run FX node with fake tensors: call_function f(*(FakeTensor(...),), **{}): got "
         "RuntimeError('no room')",
         "`f`: RuntimeError('no room')"},
        {"Dynamo failed to run FX node with fake tensors: call_method view(*(FakeTensor(...),), **{}): got "
         "RuntimeError('view: no room')",
         "RuntimeError('view: no room')"},
        {"Failed running call_function f(*(FakeTensor(...),), **{}):\nno room\nmore", "`f`: no room"},
        {"Failed running call_function f(\n  (FakeTensor(...),), **{}): \n\nno room", "`f`: no room"},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_str(
            error_headline(a, &(struct failure){.type = STR("TorchRuntimeError"), .message = str_of(cases[i][0])}),
            cases[i][1]);
    arena_free(a);
}

/* Whose native code crashed is known by the innermost call, where there is one. */
static void headlines_of_fatal_errors(void **state)
{
    static const struct {
        const char *file, *headline; /* file: NULL without a stack */
    } cases[] = {
        {"/opt/venv/lib/python3.11/site-packages/triton/compiler/code_generator.py",
         "in native code that `f` calls (triton/compiler/code_generator.py:203)"},
        {"/usr/lib/python3.11/ctypes/__init__.py", "in native code that `f` calls (ctypes/__init__.py:203)"},
        {"/home/user/shop/train.py", "Fatal Python error: Segmentation fault"},
        {NULL, "Fatal Python error: Segmentation fault"},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct call c = {.file = str_of(cases[i].file ? cases[i].file : ""), .line = 203, .function = STR("f")};
        struct failure f = {.type = STR("Segmentation fault"),
                            .message = STR("Fatal Python error: Segmentation fault"),
                            .stack = cases[i].file ? &c : NULL};

        assert_str(error_headline(a, &f), cases[i].headline);
    }
    arena_free(a);
}

static void the_triage(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(triage); i++) {
        struct trace_text t = {0};
        const struct answers *a;
        const struct error *e;

        trace_error(&t, IN(0, 0, 0), triage[i].type, triage[i].message, 7);
        a = answers_of_trace(&t);
        if (a->errors.list.n != 1)
            fail_msg("%s: %s: %zu errors", triage[i].type, triage[i].message, a->errors.list.n);
        e = &a->errors.list.v[0];
        if (e->category != triage[i].category || e->stage != triage[i].stage)
            fail_msg("%s: %s: %s in %s", triage[i].type, triage[i].message, error_category_name(e->category),
                     error_stage_name(e->stage));
        assert_str(e->own_file, "/x.py");
        assert_int_equal(e->own_line, 7);
        assert_false(e->silent);
        answers_free(a);
    }
}

/* Each says what it is and what to do, in words of its own. */
static void categories_and_stages(void **state)
{
    (void)state;
    for (int i = 0; i < ERROR_CATEGORIES; i++) {
        assert_true(*error_category_title(i));
        for (int k = 0; k < i; k++) {
            assert_string_not_equal(error_category_name(i), error_category_name(k));
            assert_string_not_equal(error_category_title(i), error_category_title(k));
        }
    }
    for (int i = 0; i < AT_STAGES; i++)
        for (int k = 0; k < i; k++) {
            assert_string_not_equal(error_stage_name(i), error_stage_name(k));
            assert_string_not_equal(error_stage_title(i), error_stage_title(k));
        }
}

/* product.md: what a category must offer. */
static void next_steps(void **state)
{
    static const struct {
        enum error_category category;
        const char *step;
    } cases[] = {
        {ERROR_GRAPH_BREAK, "fullgraph=True"},
        {ERROR_BACKEND, "TORCHDYNAMO_REPRO_AFTER=aot TORCHDYNAMO_REPRO_LEVEL=2"},
        {ERROR_BACKEND, "aot_eager_decomp_partition"},
        {ERROR_RECOMPILATION, "Remove the cause of the recompiles; where it is a size"},
        {ERROR_ACCURACY, "TORCHDYNAMO_REPRO_LEVEL=4"},
        {ERROR_ACCURACY, "bisect"},
        {ERROR_DYNAMO_BUG, "TORCHDYNAMO_VERBOSE=1"},
        {ERROR_RUNTIME_CRASH, "CUDA_LAUNCH_BLOCKING=1 PYTORCH_NO_CUDA_MEMORY_CACHING=1"},
        {ERROR_RUNTIME_CRASH, "compute-sanitizer"},
        {ERROR_TRITON_KERNEL, "kernel"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct input in = {.path = STR_INIT("/t/x.log")};
        struct process p = {.input = &in};
        struct compile c = {.process = &p, .id = {ID_NONE, 0, 0}};
        struct failure f = {.compile = &c};
        struct error e = {.failure = &f, .category = cases[i].category};
        struct arena *a = arena_new();
        struct error_steps steps = {0};
        bool found = false;

        error_next_steps(a, &(struct run){0}, &e, &steps);
        vec_each(const struct error_step, step, &steps.list) found |= str_has(step->words, str_of(cases[i].step));
        if (!found)
            fail_msg("%s does not offer %s", error_category_name(cases[i].category), cases[i].step);
        arena_free(a);
    }
}

static struct str steps_of_text(struct arena *a, const struct experiment *x, const struct stated *stated,
                                enum error_category category, const char *message)
{
    struct input in = {.path = STR_INIT("/t/x.log"), .stated = *stated};
    struct process p = {.input = &in};
    struct compile c = {.process = &p, .id = {ID_NONE, 0, 0}};
    struct failure f = {.compile = &c, .message = str_of(message)};
    struct error e = {.failure = &f, .category = category};
    struct error_steps steps;
    struct str all = {"", 0};

    error_next_steps(a, &(struct run){.experiment = x}, &e, &steps);
    vec_each(const struct error_step, step, &steps.list) all =
        arena_printf(a, "%.*s%.*s\n", STR_ARG(all), STR_ARG(error_step_text(a, step)));
    return all;
}

static struct str steps_of(struct arena *a, const struct experiment *x, enum error_category category,
                           const char *message)
{
    return steps_of_text(a, x, &(struct stated){0}, category, message);
}

/* A size that the compiler itself asks for has no step; what the writer tried is one all the same. */
static void next_steps_of_trials(void **state)
{
    static const struct {
        const char *worked, *trial, *steps;
    } cases[] = {
        {"", "", ""},
        {"2.5.1", "", "It worked with PyTorch 2.5.1: stay with that for now (`pip install torch==2.5.1`).\n"},
        {"", "It only fails with dynamic shapes.",
         "The text says what it depends on: \"It only fails with dynamic shapes.\"\n"},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct stated stated = {
            .worked = str_of(cases[i].worked), .worked_of = STR("torch"), .trial = str_of(cases[i].trial)};

        assert_str(steps_of_text(a, NULL, &stated, ERROR_DATA_DEPENDENT, "Caused by: (_inductor/ir.py:7 in f)"),
                   cases[i].steps);
    }
    arena_free(a);
}

/* In a report that `run` made, `run` does what PyTorch's variables would do by hand. */
static void next_steps_of_run(void **state)
{
    struct experiment x = {.workload_file = STR_INIT("/o u/workload.yaml")};
    struct arena *a = arena_new();
    struct str said;

    (void)state;
    for (int category = ERROR_BACKEND; category <= ERROR_ACCURACY; category++) {
        if (category != ERROR_BACKEND && category != ERROR_ACCURACY)
            continue;
        said = steps_of(a, &x, (enum error_category)category, "");
        assert_true(str_has(said, STR("`pt2trace run --minify -c '/o u/workload.yaml'`")));
        assert_true(str_has(said, STR("`pt2trace run --bisect -c '/o u/workload.yaml'`")));
        assert_false(str_has(said, STR("REPRO_AFTER")));
        assert_false(str_has(said, STR("compiler_bisector")));
    }
    said = steps_of(a, &x, ERROR_BACKEND, "backend='theirs' raised:\nKeyError: 1");
    assert_true(str_has(said, STR("`theirs`")));
    assert_false(str_has(said, STR("pt2trace run")));
    x.program = STR("import torch");
    assert_false(str_has(steps_of(a, &x, ERROR_BACKEND, ""), STR("pt2trace run")));
    arena_free(a);
}

/* Each allocator has its own means. */
static void next_steps_of_memory(void **state)
{
    struct arena *a = arena_new();
    struct str host = steps_of(a, NULL, ERROR_OUT_OF_MEMORY, "DefaultCPUAllocator: can't allocate memory: you tried");
    struct str device = steps_of(a, NULL, ERROR_OUT_OF_MEMORY, "CUDA out of memory. Tried to allocate 2 GiB");

    (void)state;
    assert_false(str_has(host, STR("torch.cuda")));
    assert_true(str_has(host, STR("profile_memory")));
    assert_true(str_has(device, STR("torch.cuda.memory._record_memory_history()")));
    arena_free(a);
}

/* A run whose first trial compiled nothing failed in the program itself. */
static void next_steps_of_no_compile(void **state)
{
    struct trial base = {.name = STR("base")};
    struct experiment x = {.trials = {.v = &base, .n = 1}};
    struct arena *a = arena_new();

    (void)state;
    for (base.compiles = 0; base.compiles < 2; base.compiles++) {
        bool none = base.compiles == 0;

        assert_int_equal(str_has(steps_of(a, &x, ERROR_OUT_OF_MEMORY, "CUDA out of memory."),
                                 STR("a smaller batch. Nothing was compiled until then.")),
                         none);
        assert_int_equal(str_has(steps_of(a, &x, ERROR_USER, "no"), STR("Nothing was compiled until then: the error")),
                         none);
    }
    arena_free(a);
}

/* The amounts of a message are its title, and decide what holds the memory. */
static void memory_of_messages(void **state)
{
    static const char capacity[] =
        "CUDA out of memory. Tried to allocate %s. GPU 0 has a total capacity of 94.97 GiB of which %s is free. Of the "
        "allocated memory %s is allocated by PyTorch, with %s allocated in private pools (e.g., CUDA Graphs), and %s "
        "is reserved by PyTorch but unallocated.";
    static const char older[] = "CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 23.69 GiB total capacity; "
                                "21.04 GiB already allocated; 12.00 MiB free; 22.00 GiB reserved)";
    static const struct {
        const char *wanted, *free, *used, *pools, *idle, *step; /* step: NULL if no amount decides */
    } cases[] = {
        {"2.00 GiB", "1.02 GiB", "44.13 GiB", "1.00 GiB", "48.61 GiB", "fragmentation"},
        {"2.00 GiB", "1.02 GiB", "44.13 GiB", "1.00 GiB", "2.00 GiB", "fragmentation"},
        {"2.00 GiB", "1.02 GiB", "44.13 GiB", "1.00 GiB", "1.99 GiB", NULL},
        {"2.00 GiB", "1.02 GiB", "90.00 GiB", "30.00 GiB", "900.00 MiB", "pools of CUDA graphs"},
        {"2.00 GiB", "0 bytes", "90.00 GiB", "20.00 GiB", "512 bytes", NULL},
    };
    const struct call outer = {.function = STR_INIT("benchmark_all_configs")},
                      inner = {.function = STR_INIT("f"), .parent = &outer},
                      begin = {.function = STR_INIT("init_cuda_context")};
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct failure f = {.message = arena_printf(a, capacity, cases[i].wanted, cases[i].free, cases[i].used,
                                                    cases[i].pools, cases[i].idle)};
        const char *step = error_memory_step(&f);
        struct str title = error_memory_headline(a, f.message);

        assert_true(str_starts(title, arena_printf(a, "%s asked for, %s free of 94.97 GiB; PyTorch uses %s",
                                                   cases[i].wanted, cases[i].free, cases[i].used)));
        assert_int_equal(step != NULL, cases[i].step != NULL);
        assert_true(!step || str_has(str_of(step), str_of(cases[i].step)));
    }
    assert_str(error_memory_headline(a, str_of(older)),
               "20.00 MiB asked for, 12.00 MiB free of 23.69 GiB; PyTorch uses 21.04 GiB");
    assert_int_equal(error_memory_headline(a, STR("CUDA out of memory. Tried to allocate 2 GiB")).n, 0);
    assert_true(str_has(str_of(error_memory_step(&(struct failure){.stack = &inner})), STR("autotune")));
    assert_true(str_has(str_of(error_memory_step(&(struct failure){.stack = &begin})), STR("CUDA_VISIBLE_DEVICES")));
    arena_free(a);
}

/* "backend/inductor f, …": what is said of each error, and where it happened. */
static struct str errors_of(const struct answers *a)
{
    static const char *const places[FAILED_PLACES] = {"forward", "backward", "runtime"};
    struct arena *s = a->run->arena;
    struct str out = STR("");

    for (size_t i = 0; i < a->errors.list.n; i++) {
        const struct error *e = &a->errors.list.v[i];

        out = arena_printf(s, "%.*s%s%.*s %s/%s %s%s", STR_ARG(out), i ? ", " : "",
                           STR_ARG(answers_id(a, e->failure->compile)), error_category_name(e->category),
                           error_stage_name(e->stage), places[e->failure->where], e->silent ? " silent" : "");
    }
    return out;
}

#define check_errors(t, expected)                                                                                      \
    do {                                                                                                               \
        const struct answers *a_ = answers_of_trace(t);                                                                \
                                                                                                                       \
        assert_str(errors_of(a_), expected);                                                                           \
        assert_int_equal(a_->counts.errors, a_->errors.list.n);                                                        \
        answers_free(a_);                                                                                              \
    } while (0)

/* An exception of an unknown kind failed as far as the compile had come. */
static void stage_reached(void **state)
{
    static const struct {
        const char *artifacts[3];
        const char *stage;
    } cases[] = {
        {{"dynamo_output_graph"}, "0/0 dynamo_bug/dynamo forward"},
        {{"dynamo_output_graph", "aot_joint_graph"}, "0/0 dynamo_bug/aot_autograd forward"},
        {{"aot_forward_graph"}, "0/0 dynamo_bug/aot_autograd forward"},
        {{"aot_forward_graph", "inductor_post_grad_graph"}, "0/0 dynamo_bug/inductor forward"},
        {{"inductor_output_code", "aot_backward_graph", "unheard_of"}, "0/0 dynamo_bug/inductor forward"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};

        for (size_t k = 0; k < 3 && cases[i].artifacts[k]; k++)
            trace_artifact(&t, cases[i].artifacts[k], IN(0, 0, 0), "text");
        trace_error(&t, IN(0, 0, 0), "ValueError", "what", 7);
        check_errors(&t, cases[i].stage);
    }
}

static void backward_and_runtime(void **state)
{
    struct trace_text t = {0};

    (void)state;
    trace_record(&t, "{\"bwd_compilation_metrics\": {\"fail_type\": \"ValueError\"}, " IN(0, 0, 0) "}");
    trace_record(&t, "{\"compilation_metrics_runtime\": {\"fail_type\": \"ValueError\"}, " IN(1, 0, 0) "}");
    check_errors(&t, "0/0 backend/aot_autograd backward, 1/0 other/runtime runtime");
}

/* The backward graph could not be compiled ahead; PyTorch raises nothing, and tries again when it is needed. */
static void suppressed_by_aot_autograd(void **state)
{
    struct trace_text t = {0};

    (void)state;
    trace_artifact(&t, "aot_joint_graph", IN(0, 0, 0), "graph");
    trace_artifact(&t, "eager_compile_backwards_failure", IN(0, 0, 0),
                   "Traceback (most recent call last):\n  File \"/x.py\", line 3, in f\n    g()\nRuntimeError: no\n");
    trace_metrics(&t, IN(0, 0, 0), "\"graph_op_count\": 2");
    check_errors(&t, "0/0 backend/aot_autograd backward silent");
}

/* What Dynamo answers by running the frame eagerly is a graph break or a recompile limit, not an error. */
static void fallbacks_are_no_errors(void **state)
{
    struct trace_text t = {0};

    (void)state;
    trace_break(&t, IN(0, 0, 0), "print", "f", 7);
    trace_error(&t, IN(0, 0, 0), "torch._dynamo.exc.Unsupported", "print", 7);
    check_errors(&t, "");

    trace_metrics(&t, IN(0, 8, 0),
                  "\"fail_type\": \"Unsupported\", \"fail_reason\": \"Dynamo recompile limit exceeded\"");
    check_errors(&t, "");
    trace_metrics(&t, IN(0, 8, 0),
                  "\"fail_type\": \"RecompileLimitExceeded\", \"fail_reason\": \"recompile_limit reached\"");
    check_errors(&t, "");
    trace_metrics(&t, IN(0, 8, 0), "\"fail_type\": \"Unsupported\", \"fail_reason\": \"Dynamo cache limit exceeded\"");
    check_errors(&t, "");

    /* The limit with fullgraph=True is raised. */
    trace_metrics(&t, IN(0, 8, 0),
                  "\"fail_type\": \"FailOnRecompileLimitHit\", \"fail_reason\": \"recompile_limit reached with "
                  "fullgraph=True.\"");
    check_errors(&t, "0/8 recompilation/dynamo forward");

    /* Any other exception of a compile that had met a break is one. */
    trace_break(&t, IN(0, 0, 0), "print", "f", 7);
    trace_error(&t, IN(0, 0, 0), "torch._dynamo.exc.BackendCompilerFailed", "backend='x' raised:\nE: y", 7);
    check_errors(&t, "0/0 backend/backend forward");
}

/* The line of the failure, else of the user's code that was being compiled, else where the function begins. */
static void places(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;
    const struct error *e;

    (void)state;
    trace_file(&t);
    trace_start(&t, IN(0, 0, 0), "f", 5);
    trace_metrics(&t, IN(0, 0, 0), "\"fail_type\": \"ValueError\", \"fail_reason\": \"a\"");
    trace_metrics(&t, IN(0, 0, 1), "\"fail_type\": \"ValueError\", \"fail_reason\": \"b\"");
    trace_metrics(&t, IN(1, 0, 0),
                  "\"fail_type\": \"ValueError\", \"fail_user_frame_filename\": \"/y.py\", "
                  "\"fail_user_frame_lineno\": 12");
    trace_metrics(&t, IN(2, 0, 0),
                  "\"fail_type\": \"FailOnRecompileLimitHit\", \"co_name\": \"g\", \"co_filename\": \"/z.py\", "
                  "\"co_firstlineno\": 3");
    a = answers_of_trace(&t);
    e = a->errors.list.v;
    assert_int_equal(a->errors.list.n, 4);
    assert_str(e[0].own_file, "/x.py");
    assert_int_equal(e[0].own_line, 5);
    assert_ptr_equal(e[0].stack, a->run->processes.v[0]->compiles.v[0]->stack);
    assert_int_equal(e[1].own_line, 5);
    assert_null(e[1].stack); /* the stack of a compile is shown once */
    assert_str(e[2].own_file, "/y.py");
    assert_int_equal(e[2].own_line, 12);
    assert_str(e[3].own_file, "/z.py");
    assert_int_equal(e[3].own_line, 3);
    assert_null(e[3].stack);
    answers_free(a);
}

/* Only the beginning of a message is searched: a forged one is megabytes. */
static void long_messages(void **state)
{
    struct trace_text t = {0};
    struct buf text = {0};

    (void)state;
    for (int i = 0; i < 5000; i++)
        buf_char(&text, 'x');
    buf_add(&text, " CUDA error", sizeof " CUDA error");
    trace_error(&t, IN(0, 0, 0), "ValueError", text.p, 7);
    check_errors(&t, "0/0 dynamo_bug/dynamo forward");
    buf_free(&text);
}

#define DIGITS "abcdefghijklmnopqrstuvwxyz234567abcdefghijklmnopq"
#define HASH "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567ABCDEFGHIJKLMNOPQRST"

static void caches_are_named(void **state)
{
    static const struct {
        const char *message, *root;
    } rows[] = {
        {"No such file: '/tmp/torchinductor_me/ab/x.py'", "/tmp/torchinductor_me"},
        {"in /tmp of /scratch/torchinductor_me/x", "/scratch/torchinductor_me"},
        {"No such file: '/scratch/a b/torchinductor_me/x'", "/scratch/a b/torchinductor_me"},
        {"rm /scratch/torchinductor_me", "/scratch/torchinductor_me"},
        {"'C:\\\\Jo Doe\\\\torchinductor_Jo\\\\triton\\\\0' -> 'C:\\\\b'", "C:\\Jo Doe\\torchinductor_Jo"},
        {"torchinductor_me", ""},
        {"no cache", ""},
    };
    struct str remove = STR("Remove it: `rm -rf /tmp/torchinductor_$USER`.");
    struct str of_triton = STR("Remove it: `rm -rf ~/.triton/cache`.");
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_str(error_cache_root(a, str_of(rows[i].message)), rows[i].root);
    assert_str(error_cache_named(a, remove, STR("'/x/torchinductor_me/y'"), STR("/z/q")),
               "Remove it: `rm -rf /x/torchinductor_me`.");
    assert_str(error_cache_named(a, remove, STR("'D:\\x\\torchinductor_me'"), STR("")),
               "Remove it: `rmdir /s /q D:\\x\\torchinductor_me`.");
    assert_str(error_cache_named(a, STR("remove the directory that the message names."), STR("none"), STR("")),
               "remove the directory that the message names.");
    assert_str(error_cache_named(a, remove, STR("none"), STR("/data/till")), "Remove it: `rm -rf /data/till`.");
    assert_str(error_cache_named(a, remove, STR("'/x y/torchinductor_me/z'"), STR("")),
               "Remove it: `rm -rf '/x y/torchinductor_me'`.");
    assert_str(error_cache_named(a, remove, STR("'/x/.triton/cache/Q/a.json'"), STR("")),
               "Remove it: `rm -rf /x/.triton/cache`.");
    assert_str(error_cache_named(a, of_triton, STR("'/x/.triton/cache/Q' of /y/torchinductor_me"), STR("/z")),
               "Remove it: `rm -rf /x/.triton/cache`.");
    assert_str(error_cache_named(a, of_triton, STR("'C:\\\\x\\\\.triton\\\\cache\\\\Q'"), STR("")),
               "Remove it: `rmdir /s /q C:\\x\\.triton\\cache`.");
    assert_str(error_cache_named(a, of_triton, STR("'/x/" HASH "/tmp.pid_1/a.json'"), STR("")),
               "Remove it: `rm -rf /x/" HASH "`.");
    assert_str(error_cache_named(a, of_triton, STR("'/x/Q/a.json'"), STR("/z")), of_triton.p);
    assert_str(error_cache_named(a, remove, STR("Failed to import /x/qy/cqy" DIGITS ".py"), STR("")),
               "Remove it: `rm -rf /x/qy`.");
    assert_str(error_cache_named(a, remove, STR("Failed to import /x/qz/cqy" DIGITS ".py"), STR("")), remove.p);
    arena_free(a);
}

/* A name that no line of the program lacks: the code that Dynamo wrote for the function raises at its first line. */
static void errors_of_rewritten_code(void **state)
{
    static const char frame[] = "/venv/torch/_dynamo/eval_frame.py";
    static const struct {
        const char *type, *message, *source, *caller;
        bool is;
    } cases[] = {
        {"NameError", "name 'till' is not defined", "def sell(x):", frame, true},
        {"UnboundLocalError", "cannot access local variable 'till' where", "def sell(x):", frame, true},
        {"NameError", "name 'till' is not defined", "    def sell(self):", frame, true},
        {"NameError", "name 'till' is not defined", "async def sell(x):", frame, true},
        {"NameError", "name 'till' is not defined", "@compiled", frame, true},
        {"NameError", "name 'till' is not defined", "  @shop.compiled(1)", frame, true},
        {"NameError", "name 'till' is not defined", "@till", frame, false}, /* a line that has the name lacks it */
        {"NameError", "name 'x' is not defined", "def sell(x):", frame, false},
        {"NameError", "name 'till' is not defined", "return till_of(x)", frame, false},
        {"NameError", "name 'till' is not defined", "return x + y", frame, false},
        {"NameError", "name 'till' is not defined", "def buy(x):", frame, false},
        {"NameError", "name 'till' is not defined", "def sells(x):", frame, false},
        {"NameError", "name 'till' is not defined", "def sell", frame, false},
        {"NameError", "name 'till' is not defined", "class sell(x):", frame, false},
        {"NameError", "name 'till' is not defined", "", frame, false},
        {"NameError", "no name is in this text", "def sell(x):", frame, false},
        {"NameError", "name '' is not defined", "def sell(x):", frame, false},
        {"NameError", "name\n'till' is not defined", "def sell(x):", frame, false},
        {"KeyError", "'till'", "def sell(x):", frame, false},
        {"NameError", "name 'till' is not defined", "def sell(x):", "/shop.py", false},
        {"NameError", "name 'till' is not defined", "def sell(x):", NULL, false},
    };

    (void)state;
    assert_false(error_is_of_rewritten(&(struct failure){.type = STR("NameError"), .message = STR("name 'till'")}));
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct call caller = {.file = str_of(cases[i].caller ? cases[i].caller : ""),
                              .function = STR("compile_wrapper")},
                    last = {.file = STR("/shop.py"),
                            .function = STR("sell"),
                            .source = str_of(cases[i].source),
                            .parent = cases[i].caller ? &caller : NULL};
        struct failure f = {.type = str_of(cases[i].type), .message = str_of(cases[i].message), .stack = &last};

        if (error_is_of_rewritten(&f) != cases[i].is)
            fail_msg("%s: %s, at %s", cases[i].type, cases[i].message, cases[i].source);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(caches_are_named),
        cmocka_unit_test(headlines_of_kernels),
        cmocka_unit_test(headlines_of_fatal_errors),
        cmocka_unit_test(headlines_of_operators),
        cmocka_unit_test(the_triage),
        cmocka_unit_test(categories_and_stages),
        cmocka_unit_test(next_steps),
        cmocka_unit_test(next_steps_of_run),
        cmocka_unit_test(next_steps_of_memory),
        cmocka_unit_test(next_steps_of_no_compile),
        cmocka_unit_test(next_steps_of_trials),
        cmocka_unit_test(memory_of_messages),
        cmocka_unit_test(stage_reached),
        cmocka_unit_test(backward_and_runtime),
        cmocka_unit_test(suppressed_by_aot_autograd),
        cmocka_unit_test(fallbacks_are_no_errors),
        cmocka_unit_test(places),
        cmocka_unit_test(errors_of_rewritten_code),
        cmocka_unit_test(long_messages),
    };

    return RUN(tests);
}
