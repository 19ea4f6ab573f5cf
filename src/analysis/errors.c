#include "analysis/errors.h"

#include "analysis/break_fix.h"
#include "analysis/command.h"
#include "text/break_text.h"
#include "util/utf8.h"

struct rule {
    const char *type;    /* of the exception, exactly; NULL any */
    const char *message; /* must be in the message; NULL any */
    enum error_category category;
    enum error_stage stage;
};

/* The first row that fits decides. Exception classes: torch/_dynamo/exc.py, torch/_inductor/exc.py. */
static const struct rule rules[] = {
    {NULL, "recompile limit exceeded", ERROR_RECOMPILATION, AT_DYNAMO},
    {NULL, "cache_size_limit reached", ERROR_RECOMPILATION, AT_DYNAMO},
    {"FailOnRecompileLimitHit", NULL, ERROR_RECOMPILATION, AT_DYNAMO},
    {"RecompileLimitExceeded", NULL, ERROR_RECOMPILATION, AT_DYNAMO},
    {"CacheLimitExceeded", NULL, ERROR_RECOMPILATION, AT_DYNAMO},
    {"RecompileError", NULL, ERROR_RECOMPILATION, AT_DYNAMO},
    {"AccuracyError", NULL, ERROR_ACCURACY, AT_BACKEND},
    {NULL, "Bad accuracy detected", ERROR_ACCURACY, AT_BACKEND},
    {NULL, "AccuracyError: ", ERROR_ACCURACY, AT_BACKEND},
    {NULL, "index out of bounds: 0 <= tmp", ERROR_TRITON_KERNEL, AT_RUNTIME},
    {"Device-side assertion", NULL, ERROR_TRITON_KERNEL, AT_RUNTIME},
    {NULL, "device-side assert triggered", ERROR_TRITON_KERNEL, AT_RUNTIME},
    {NULL, "an illegal memory access", ERROR_RUNTIME_CRASH, AT_RUNTIME},
    {"Collective timeout", NULL, ERROR_COLLECTIVE, AT_RUNTIME},
    {NULL, "collective operation timeout", ERROR_COLLECTIVE, AT_RUNTIME},
    {"DistBackendError", NULL, ERROR_COLLECTIVE, AT_RUNTIME},
    {"DistNetworkError", NULL, ERROR_COLLECTIVE, AT_RUNTIME},
    {"DistStoreError", NULL, ERROR_COLLECTIVE, AT_RUNTIME},
    {NULL, "gloo/transport/", ERROR_COLLECTIVE, AT_RUNTIME},
    {NULL, "NCCL error", ERROR_COLLECTIVE, AT_RUNTIME},
    {"OutOfMemoryError", NULL, ERROR_OUT_OF_MEMORY, AT_RUNTIME},
    {NULL, "CUDA out of memory", ERROR_OUT_OF_MEMORY, AT_RUNTIME},
    {NULL, "CUDA error: out of memory", ERROR_OUT_OF_MEMORY, AT_RUNTIME},
    {NULL, "DefaultCPUAllocator: can't allocate memory", ERROR_OUT_OF_MEMORY, AT_RUNTIME},
    {"Killed", NULL, ERROR_OUT_OF_MEMORY, AT_RUNTIME},
    {NULL, "Signal 9 (SIGKILL)", ERROR_OUT_OF_MEMORY, AT_RUNTIME},
    {NULL, "CUDA error", ERROR_RUNTIME_CRASH, AT_RUNTIME},
    {NULL, "Triton Error [CUDA]", ERROR_RUNTIME_CRASH, AT_RUNTIME},
    {"AcceleratorError", NULL, ERROR_RUNTIME_CRASH, AT_RUNTIME},
    {"Segmentation fault", NULL, ERROR_RUNTIME_CRASH, AT_RUNTIME},
    {"Aborted", NULL, ERROR_RUNTIME_CRASH, AT_RUNTIME},
    {"Bus error", NULL, ERROR_RUNTIME_CRASH, AT_RUNTIME},
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
    {"AutotuneError", NULL, ERROR_TRITON_KERNEL, AT_CODE_COMPILER},
    {"CompilationError", NULL, ERROR_TRITON_KERNEL, AT_CODE_COMPILER},
    {"CompileTimeAssertionFailure", NULL, ERROR_TRITON_KERNEL, AT_CODE_COMPILER},
    {"OutOfResources", NULL, ERROR_TRITON_KERNEL, AT_CODE_COMPILER},
    {"PTXASError", NULL, ERROR_TRITON_KERNEL, AT_CODE_COMPILER},
    {NULL, "CompilationError: at ", ERROR_TRITON_KERNEL, AT_CODE_COMPILER},
    {NULL, "out of resource: ", ERROR_TRITON_KERNEL, AT_CODE_COMPILER},
    {NULL, "No valid triton configs", ERROR_TRITON_KERNEL, AT_CODE_COMPILER},
    {NULL, "triton.compiler.errors", ERROR_TRITON_KERNEL, AT_CODE_COMPILER},
    {"UserError", "data-dependent", ERROR_DATA_DEPENDENT, AT_DYNAMO},
    {NULL, "Could not guard on data-dependent expression", ERROR_DATA_DEPENDENT, AT_DYNAMO},
    {NULL, "Could not extract specialized integer from data-dependent", ERROR_DATA_DEPENDENT, AT_DYNAMO},
    {"GuardOnDataDependentSymNode", NULL, ERROR_DATA_DEPENDENT, AT_DYNAMO},
    {"ConstraintViolationError", NULL, ERROR_CONSTRAINT, AT_DYNAMO},
    {"Unsupported", NULL, ERROR_GRAPH_BREAK, AT_DYNAMO},
    {"InternalTorchDynamoError", NULL, ERROR_DYNAMO_BUG, AT_DYNAMO},
    {"TorchRuntimeError", NULL, ERROR_FAKE_TENSOR, AT_DYNAMO},
    {NULL, "C++ compile error", ERROR_BACKEND, AT_CODE_COMPILER},
    {NULL, "incorrect fake (aka meta) kernel", ERROR_FAKE_TENSOR, AT_RUNTIME},
    {NULL, "No working C++ compiler found", ERROR_BACKEND, AT_CODE_COMPILER},
    {"CppCompileError", NULL, ERROR_BACKEND, AT_CODE_COMPILER},
    {"InvalidCxxCompiler", NULL, ERROR_BACKEND, AT_CODE_COMPILER},
    {NULL, "Cannot find a working triton installation", ERROR_BACKEND, AT_CODE_COMPILER},
    {NULL, "too old to be supported by the triton GPU compiler", ERROR_BACKEND, AT_CODE_COMPILER},
    {"InductorError", NULL, ERROR_BACKEND, AT_INDUCTOR},
    {"LoweringException", NULL, ERROR_BACKEND, AT_INDUCTOR},
    {"BackendCompilerFailed", "inductor", ERROR_BACKEND, AT_INDUCTOR},
    {"BackendCompilerFailed", NULL, ERROR_BACKEND, AT_BACKEND},
    {"InvalidBackend", NULL, ERROR_USER, AT_BACKEND},
    {"UserError", NULL, ERROR_USER, AT_DYNAMO},
    {"ArgsMismatchError", NULL, ERROR_USER, AT_DYNAMO},
};

static const struct {
    const char *name, *title;
} categories[ERROR_CATEGORIES] = {
    [ERROR_GRAPH_BREAK] = {"graph_break", "Graph break that could not be resumed"},
    [ERROR_BACKEND] = {"backend", "Backend failure"},
    [ERROR_RECOMPILATION] = {"recompilation", "Recompilation refused"},
    [ERROR_ACCURACY] = {"accuracy", "Wrong numbers"},
    [ERROR_DYNAMO_BUG] = {"dynamo_bug", "Bug in Dynamo"},
    [ERROR_RUNTIME_CRASH] = {"runtime_crash", "Crash at run time"},
    [ERROR_TRITON_KERNEL] = {"triton_kernel", "Triton kernel"},
    [ERROR_OUT_OF_MEMORY] = {"out_of_memory", "Out of memory"},
    [ERROR_COLLECTIVE] = {"collective", "Collective that failed or timed out"},
    [ERROR_FAKE_TENSOR] = {"fake_tensor", "Operator failed on fake tensors"},
    [ERROR_DATA_DEPENDENT] = {"data_dependent", "Data-dependent value"},
    [ERROR_CONSTRAINT] = {"constraint", "Dynamic-shape constraint violated"},
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

/* What to do next, by category. */
enum { STEPS_MAX = 3 };
static const char *const steps[ERROR_CATEGORIES][STEPS_MAX] = {
    [ERROR_GRAPH_BREAK] = {"If the break is acceptable, compile without `fullgraph=True`: the rest of the function is "
                           "compiled around it."},
    [ERROR_BACKEND] = {"Find the stage that fails: `backend=\"eager\"`, then `\"aot_eager\"`, then "
                       "`\"aot_eager_decomp_partition\"`, then `\"inductor\"`.",
                       "Let PyTorch minify it: `TORCHDYNAMO_REPRO_AFTER=aot TORCHDYNAMO_REPRO_LEVEL=2`"},
    [ERROR_RECOMPILATION] = {"Remove the cause of the recompiles (see the chain), or mark the size dynamic."},
    [ERROR_ACCURACY] = {"Compare with eager against float64: `TORCHDYNAMO_REPRO_AFTER=aot TORCHDYNAMO_REPRO_LEVEL=4`",
                        "Bisect Inductor: `python -m torch._inductor.compiler_bisector run CMD`"},
    [ERROR_DYNAMO_BUG] = {"Report it to PyTorch with the stack that `TORCHDYNAMO_VERBOSE=1` prints; the program sees "
                          "it as `InternalTorchDynamoError`.",
                          "Keep the function out of the compiler meanwhile: `@torch.compiler.disable`"},
    [ERROR_RUNTIME_CRASH] = {"Make the crash exact: `CUDA_LAUNCH_BLOCKING=1 PYTORCH_NO_CUDA_MEMORY_CACHING=1`",
                             "Find the first bad kernel: `TORCHINDUCTOR_NAN_ASSERTS=1`"},
    [ERROR_TRITON_KERNEL] = {"Look at the kernel and the nodes it came from, in the section on output code.",
                             "Make the crash exact: `CUDA_LAUNCH_BLOCKING=1`"},
    [ERROR_OUT_OF_MEMORY] = {"Less at once: a smaller batch, activation checkpointing, "
                             "`torch.compile(options={\"memory_planning\": True})`",
                             "See what holds the memory: `torch.cuda.memory._record_memory_history()`"},
    [ERROR_COLLECTIVE] = {"Find the rank that is missing, by the last collective of each rank: "
                          "`TORCH_NCCL_DUMP_ON_TIMEOUT=1 TORCH_NCCL_TRACE_BUFFER_SIZE=2000`",
                          "A rank that compiles while the others wait looks the same: compare the ranks' compiles."},
    [ERROR_FAKE_TENSOR] = {"Run the same line in eager mode with the same shapes and dtypes: if it fails there too, "
                           "the code is wrong.",
                           "A custom operator needs a fake kernel: `torch.library.register_fake`"},
    [ERROR_DATA_DEPENDENT] = {"Tell the compiler what is true of the value: `torch._check(u >= 0)`",
                              "Keep the value a tensor: `torch.where`, `torch.cond`, masks."},
    [ERROR_CONSTRAINT] = {"The code specialises a size that was marked dynamic; the message names the line. Remove the "
                          "mark or the specialisation.",
                          "See every guard on the size: `TORCH_LOGS=\"+dynamic\"`"},
    [ERROR_USER] = {"Run the function without `torch.compile`: the same error there is not the compiler's."},
    [ERROR_OTHER] = {"Run the function without `torch.compile` to see whether the error is the compiler's.",
                     "Get the internal stack: `TORCHDYNAMO_VERBOSE=1`"},
};

static struct str first_line(struct str s)
{
    return str_trim(str_split(&s, '\n'));
}

enum { HEADLINE_MAX = 200 };

/*
 * "RuntimeError when making fake tensor call" tells nothing; its explanation ends with what the operator said:
 * "...: got RuntimeError('a and b must have same reduction dim')". A first line such as "backend='inductor' raised:"
 * only introduces the second.
 */
struct str error_headline(struct arena *a, const struct failure *f)
{
    struct str rest = f->message, first = str_trim(str_split(&rest, '\n')), second = first_line(str_trim(rest)), cut;
    ptrdiff_t got = str_starts(second, STR("Explanation: ")) ? str_find(second, STR("): got ")) : -1;

    if (got >= 0)
        first = str_skip(second, (size_t)got + sizeof "): got " - 1);
    else if (str_ends(first, STR(":")) && second.n)
        first = arena_printf(a, "%.*s %.*s", STR_ARG(first), STR_ARG(second));
    cut = utf8_cut(first, HEADLINE_MAX);
    return cut.n < first.n ? arena_printf(a, "%.*s \xe2\x80\xa6", STR_ARG(cut)) : first;
}

/* What is to be pasted as several lines is no part of a sentence. */
static void add_break_fix(struct arena *a, const struct failure *f, struct error_steps *out)
{
    struct break_text text;
    struct break_fix fix;

    break_message_parse(a, f->message, &text);
    break_fix_find(a,
                   &(struct break_words){first_line(f->message), f->message, text.context,
                                         f->stack ? f->stack->source : (struct str){0}, f->file},
                   &fix);
    if (fix.fix.n == 0)
        fix.fix = STR("Rewrite the line, or move it out of the compiled function.");
    if (fix.paste.n && str_chr(fix.paste, '\n') < 0)
        fix.fix = arena_printf(a, "%.*s `%.*s`", STR_ARG(fix.fix), STR_ARG(fix.paste));
    vec_push(a, &out->list, fix.fix);
}

/* PyTorch raises a limit and a ban of recompiles alike. */
static struct str recompile_setting(const struct failure *f)
{
    return str_eq(f->type, STR("RecompileError"))
               ? STR("The program forbids recompiles: `torch._dynamo.config.error_on_recompile` is set.")
               : STR("If a fixed number of variants is expected: `torch._dynamo.config.recompile_limit = 16`");
}

static const struct artifact *runnable_of(const struct compile *c)
{
    for (size_t i = c->artifacts.n; i-- > 0;)
        if (str_eq(c->artifacts.v[i]->name, STR("fx_graph_runnable")))
            return c->artifacts.v[i];
    return NULL;
}

void error_next_steps(struct arena *a, const struct error *e, struct error_steps *out)
{
    const struct artifact *runnable = e->category == ERROR_BACKEND ? runnable_of(e->failure->compile) : NULL;

    *out = (struct error_steps){0};
    if (e->category == ERROR_GRAPH_BREAK)
        add_break_fix(a, e->failure, out);
    if (str_has(e->failure->message, STR("No working C++ compiler found"))) {
        vec_push(a, &out->list, STR("Install a C++ compiler, or name the one to use: `CXX=g++`"));
        return;
    }
    for (size_t i = 0; i < STEPS_MAX && steps[e->category][i]; i++)
        vec_push(a, &out->list, str_of(steps[e->category][i]));
    if (runnable) {
        out->alone = arena_printf(a, "%.*s > repro.py && python repro.py", STR_ARG(command_show(a, runnable)));
        vec_push(a, &out->list, arena_printf(a, "Run the failing graph alone: `%.*s`", STR_ARG(out->alone)));
    }
    if (e->category == ERROR_RECOMPILATION)
        vec_push(a, &out->list, recompile_setting(e->failure));
}

enum { MESSAGE_SEARCHED = 4096 };

static bool fits(const struct rule *rule, const struct failure *f)
{
    if (rule->type && !str_eq(f->type, str_of(rule->type)))
        return false;
    return !rule->message || str_has(str_take(f->message, MESSAGE_SEARCHED), str_of(rule->message));
}

/* Without a rule: how far the compile came says where it failed. */
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
 * Exceptions that leave Dynamo as they are; it raises any other as InternalTorchDynamoError (torch/_dynamo/
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

    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (str_eq(type, types[i]))
            return true;
    return false;
}

static enum error_category category_without_rule(const struct failure *f)
{
    if (f->where == FAILED_BACKWARD)
        return ERROR_BACKEND;
    if (f->where == FAILED_PROGRAM)
        return ERROR_USER;
    if (f->where != FAILED_FORWARD || !f->traceback || f->passed_on || is_passed_on(f->type))
        return ERROR_OTHER;
    return ERROR_DYNAMO_BUG;
}

static void triage(struct error *e, enum error_stage reached)
{
    const struct failure *f = e->failure;

    if (f->where == FAILED_BACKWARD && reached == AT_DYNAMO)
        reached = AT_AOTAUTOGRAD;
    e->category = category_without_rule(f);
    e->stage = f->where == FAILED_RUNTIME || f->where == FAILED_PROGRAM ? AT_RUNTIME : reached;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (fits(&rules[i], f)) {
            e->category = rules[i].category;
            e->stage = rules[i].stage;
            return;
        }
}

/*
 * A failure without a stack of its own happened in the compile's, which is told once however many failures there are.
 */
static void locate(struct error *e, bool first)
{
    const struct failure *f = e->failure;
    const struct call *own = stack_own_call(f->stack);

    if (!own)
        own = stack_own_call(f->compile->stack);
    e->stack = f->stack ? f->stack : first ? f->compile->stack : NULL;
    if (!is_framework_file(f->file)) {
        e->own_file = f->file;
        e->own_line = f->line;
    } else if (own) {
        e->own_file = own->file;
        e->own_line = own->line;
    }
    if (own && own->line == e->own_line && str_eq(own->file, e->own_file))
        e->own_source = str_trim(own->source);
    /* A refused compile has neither; what it would have compiled is known from the ones before. */
    if (e->own_file.n == 0 && f->compile->frame && !is_framework_file(f->compile->frame->file)) {
        e->own_file = f->compile->frame->file;
        e->own_line = f->compile->frame->line;
    }
}

static void add_compile(struct arena *a, const struct compile *c, struct errors *out)
{
    enum error_stage reached = c->failures.n ? stage_reached(c) : AT_DYNAMO;
    size_t before = out->list.n;

    for (size_t i = 0; i < c->failures.n; i++) {
        const struct failure *f = c->failures.v[i];
        struct error *e;

        if (f->fallback)
            continue; /* a graph break, or a recompile limit: told as such */
        e = vec_add(a, &out->list);
        e->failure = f;
        triage(e, reached);
        locate(e, out->list.n == before + 1);
        e->silent = f->traceback && str_eq(f->traceback->name, STR("eager_compile_backwards_failure"));
    }
}

void errors_find(struct arena *a, const struct run *r, struct errors *out)
{
    const struct compile *c;

    *out = (struct errors){0};
    for (struct compile_walk w = {.run = r}; (c = compile_next(&w));)
        add_compile(a, c, out);
}
