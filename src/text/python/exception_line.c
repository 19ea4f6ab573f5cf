#include "text/python/exception_line.h"

#include "text/faults/fault.h"

#include <assert.h>
#include <pthread.h>

enum { SEARCHED = 2048 };

/* --- names -------------------------------------------------------------------------------------------------------- */

/* "<locals>" is part of the name of a class defined in a function. */
static bool is_name_char(char c)
{
    return str_is_word_char(c) || c == '.' || c == '<' || c == '>' || (unsigned char)c >= 0x80;
}

/* Names of exceptions that no other project uses: the text may have lost the module. */
static const struct str types[] = {
    STR_INIT("Unsupported"),
    STR_INIT("BackendCompilerFailed"),
    STR_INIT("InternalTorchDynamoError"),
    STR_INIT("TorchRuntimeError"),
    STR_INIT("RecompileError"),
    STR_INIT("FailOnRecompileLimitHit"),
    STR_INIT("InductorError"),
    STR_INIT("LoweringException"),
    STR_INIT("ConstraintViolationError"),
    STR_INIT("CppCompileError"),
    STR_INIT("InvalidCxxCompiler"),
    STR_INIT("GuardOnDataDependentSymNode"),
    STR_INIT("CacheLimitExceeded"),
    STR_INIT("RecompileLimitExceeded"),
    STR_INIT("InvalidBackend"),
    STR_INIT("AccuracyError"),
    STR_INIT("CompilationError"),
    STR_INIT("UncapturedHigherOrderOpError"),
    STR_INIT("TritonMissing"),
    STR_INIT("GPUTooOldForTriton"),
    STR_INIT("TorchExportError"),
    STR_INIT("NoValidChoicesError"),
    STR_INIT("NoTritonConfigsError"),
    STR_INIT("PendingUnbackedSymbolNotFound"),
    STR_INIT("SubprocException"),
    STR_INIT("SubgraphLoweringException"),
    STR_INIT("UnsupportedOperatorException"),
    STR_INIT("UnsupportedFakeTensorException"),
    STR_INIT("UnsupportedAliasMutationException"),
    STR_INIT("UnsupportedMutationAliasingException"),
    STR_INIT("DynamicOutputShapeException"),
    STR_INIT("DataDependentOutputException"),
    STR_INIT("MetadataMismatchError"),
    STR_INIT("FakeTensorDeviceMismatchError"),
    STR_INIT("SpecViolationError"),
    STR_INIT("CUDACompileError"),
    STR_INIT("CppWrapperCodegenError"),
    STR_INIT("CannotStaticallyLaunchKernel"),
    STR_INIT("ArgsMismatchError"),
    STR_INIT("CondOpArgsMismatchError"),
    STR_INIT("GuardInstallException"),
    STR_INIT("SpeculationLogDivergence"),
    STR_INIT("UnsafeScriptObjectError"),
    STR_INIT("ResumePrologueTracingError"),
    STR_INIT("BisectValidationException"),
    STR_INIT("ErrorFromChoice"),
    STR_INIT("ValueRangeError"),
    STR_INIT("PTXASError"),
};

/* "InternalTorchDynamoError TypeError: words", as `print(type(e).__name__, e)` writes it. */
static bool is_before_inner(struct str name, struct str rest)
{
    size_t n = 0;

    if (!str_ends(name, STR("Error")) || !STR_IS_ANY(name, types) || !str_consume(&rest, STR(" ")))
        return false;
    while (n < rest.n && is_name_char(rest.p[n]))
        n++;
    return str_ends(str_take(rest, n), STR("Error")) && str_starts(str_skip(rest, n), STR(": "));
}

bool exception_name_take(struct str *text, struct exception_name *out)
{
    struct str name = *text;
    size_t n = 0;
    ptrdiff_t dot;

    *out = (struct exception_name){{text->p, 0}, {text->p, 0}};
    while (n < text->n && is_name_char(text->p[n]))
        n++;
    name.n = n;
    if (n == 0 || (n < text->n && text->p[n] != ':' && text->p[n] != '\n' && text->p[n] != '\r' &&
                   !is_before_inner(name, str_skip(*text, n))))
        return false;
    dot = str_rchr(name, '.');
    out->type = str_skip(name, (size_t)(dot + 1));
    if (dot > 0)
        out->module = str_take(name, (size_t)dot);
    *text = str_skip(*text, n);
    str_consume(text, STR(":"));
    str_consume(text, STR(" "));
    return true;
}

bool exception_is_compilers(const struct exception_name *name)
{
    static const struct str modules[] = {
        STR_INIT("torch._dynamo"),
        STR_INIT("torch._inductor"),
        STR_INIT("torch._functorch"),
        STR_INIT("torch._export"),
        STR_INIT("torch.export"),
        STR_INIT("torch.fx"),
        STR_INIT("torch._subclasses"),
        STR_INIT("torch._higher_order_ops"),
        STR_INIT("triton"),
    };

    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
        if (str_starts(name->module, modules[i]))
            return true;
    return STR_IS_ANY(name->type, types);
}

/* How names of exceptions end, followed by what comes after the name; Python itself has no such rule. */
static const struct str endings[] = {
    STR_INIT("Error:"),    STR_INIT("Exception:"), STR_INIT("Failed:"),    STR_INIT("Exceeded:"),
    STR_INIT("LimitHit:"), STR_INIT("Interrupt:"), STR_INIT("Traceback:"), STR_INIT("OutOfResources:"),
};

static bool is_called_an_exception(struct str type)
{
    if (str_eq(type, STR("Error"))) /* programs in other languages write this */
        return false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (str_ends(type, str_drop(endings[i], 1)))
            return true;
    return false;
}

static bool is_capital(struct str s)
{
    return s.n && ((s.p[0] >= 'A' && s.p[0] <= 'Z') || s.p[0] == '_');
}

/* "torch.OutOfMemoryError", "torch._dynamo.exc.Unsupported", "triton.compiler.errors.CompilationError" */
static bool is_of_torch(const struct exception_name *name)
{
    if (!str_starts(name->module, STR("torch")) && !str_starts(name->module, STR("triton")))
        return false;
    return is_capital(name->type) && (is_called_an_exception(name->type) || str_ends(name->module, STR(".exc")));
}

static bool is_compilers_own(const struct exception_name *name)
{
    return STR_IS_ANY(name->type, types) || (is_of_torch(name) && exception_is_compilers(name));
}

/* "backend='inductor' raised:" */
static bool is_backend_raised(struct str line)
{
    return str_starts(line, STR("backend='")) && str_has(str_take(line, SEARCHED), STR("' raised:"));
}

/* A name without a colon is an ordinary word, unless no other project uses it. */
static bool has_colon(struct str line, struct str rest)
{
    return rest.n < line.n && line.p[line.n - rest.n - 1] != '.' && memchr(line.p, ':', line.n - rest.n);
}

enum exception_line exception_line_begins(struct str line)
{
    struct str rest = line;
    struct exception_name name;

    if (is_backend_raised(line))
        return EXCEPTION_OF_COMPILER;
    if (line.n == 0 || !exception_name_take(&rest, &name) || !is_capital(name.type))
        return EXCEPTION_NONE;
    if (!has_colon(line, rest))
        return STR_IS_ANY(name.type, types) ? EXCEPTION_OF_COMPILER : EXCEPTION_NONE;
    if (is_compilers_own(&name))
        return EXCEPTION_OF_COMPILER;
    if (is_of_torch(&name))
        return EXCEPTION_OF_TORCH;
    return is_called_an_exception(name.type) ? EXCEPTION_ANY : EXCEPTION_NONE;
}

/* --- phrases ------------------------------------------------------------------------------------------------------ */

/* Phrases of PyTorch that only occur in failures, so that a failure is recognized without the exception's name. */
static const struct str phrases[] = {
    STR_INIT(
        "accessing tensor output of CUDAGraphs that has been overwritten"), /* torch/_inductor/cudagraph_trees.py */
    STR_INIT("accessing gradient tensor output of CUDAGraphs that has been overwritten"),
    STR_INIT("Could not guard on data-dependent expression"),               /* symbolic_shapes.py */
    STR_INIT("Could not extract specialized integer from data-dependent expression"),
    STR_INIT("Constraints violated ("),
    STR_INIT(" was inferred to be a constant ("),
    STR_INIT(" your code specialized it to be a constant ("),
    STR_INIT("PassManager::run failed"), /* of Triton's MLIR */
    STR_INIT("Internal Triton PTX codegen error"),
    STR_INIT("(could be from ["),             /* symbolic_shapes.py, of a size */
    STR_INIT("Mutating module attribute "),   /* torch/_dynamo/side_effects.py */
    STR_INIT("recompile_limit reached with"), /* torch/_dynamo/convert_frame.py */
    STR_INIT("cache_size_limit reached"),
    STR_INIT("Dynamo recompile limit exceeded"),
    STR_INIT("RMSE (res-fp64): "), /* torch/_dynamo/utils.py, same() */
    STR_INIT("Accuracy failed: "),
    STR_INIT("Accuracy failed for key name "),
    STR_INIT("Accuracy failed ("), /* before a type */
    STR_INIT("Accuracy failed for the AOT Autograd graph "),
    STR_INIT("CUDA out of memory. Tried to allocate "),                     /* c10/cuda/CUDACachingAllocator.cpp */
    STR_INIT("Expected to have finished reduction in the prior iteration"), /* c10d/reducer.cpp */
    STR_INIT("Expected to mark a variable ready only once"),
    STR_INIT("NCCL WARN Cuda failure 2 'out of memory'"), /* before an exception that says less */
    STR_INIT("NCCL WARN Cuda failure 'out of memory'"),
    STR_INIT("oom_kill event"),                       /* slurmstepd, of its cgroup */
    STR_INIT("Out of memory: Killed process"),        /* the kernel */
    STR_INIT("OOMKilled"),                            /* Kubernetes, Docker */
    STR_INIT("Specifically, this guard was added: "), /* torch/export/_draft_export.py */
    STR_INIT("Expected input at *args"), /* torch/_export/utils.py, of an exported program */
    STR_INIT("we were unable to evaluate the value of `"),
    STR_INIT(" is missing a fake kernel implementation"),
    STR_INIT("Error in codegen for "), /* torch/_inductor/scheduler.py, before it is raised */
    STR_INIT("LLVM ERROR: "),          /* the compiler behind Triton */
    STR_INIT("failed to legalize operation"),
    STR_INIT("========= Invalid __"), /* compute-sanitizer, "__global__ read of size 4 bytes" */
    STR_INIT("terminating due to uncaught exception of type"), /* libc++ */
    STR_INIT("Memory access fault by GPU"),                    /* of AMD's runtime */
    STR_INIT("HSA_STATUS_ERROR"),
    STR_INIT("HW Exception by GPU"),
    STR_INIT("Error: CUDA error: "), /* torch/csrc/inductor/aoti_runtime, before an exception that says nothing */
    STR_INIT("Error: CUDA driver error: "),
    STR_INIT("Unhandled FakeTensor Device Propagation for"),      /* torch/_subclasses/fake_tensor.py */
    STR_INIT("attempted to run this operator with Meta tensors"), /* torch/_subclasses/fake_impls.py */
    STR_INIT("There was no fake impl registered for"),            /* torch/_library/custom_ops.py */
    STR_INIT("convert all Tensors to FakeTensors first"),         /* torch/_subclasses/fake_tensor.py */
    STR_INIT("Failed running call_"),                             /* torch/_dynamo/utils.py, until 2.8 */
    STR_INIT("Dynamo failed to run FX node with fake tensors"),   /* the same, later */
    STR_INIT("Pending unbacked symbols"),                         /* symbolic_shapes.py */
    STR_INIT(").  (Size-like symbols: "),                         /* the same; its beginning may be cut off */
    STR_INIT("compiled with non-empty donated buffers"),          /* torch/_functorch */
    STR_INIT("with aot_autograd does not currently support double backward"),
    STR_INIT(" was invalid, but is output"),                         /* torch/_functorch/partitioners.py */
    STR_INIT("symbolically trace a dynamo-optimized function"),      /* torch/_dynamo/eval_frame.py */
    STR_INIT("unless it is captured completely with torch.compile"), /* variables/higher_order_ops.py */
    STR_INIT("Dynamic control flow is not supported at the moment"), /* symbolic_convert.py, until 2.6 */
    STR_INIT("static input data pointer changed"),                   /* cudagraph_trees.py */
    STR_INIT("Search for `cudaErrorStreamCapture"),                  /* c10/cuda/CUDAException.cpp */
    STR_INIT("AssertionError: expected size "),                      /* torch/csrc/dynamo/guards.cpp */
    STR_INIT("Cannot view a tensor with shape "),                    /* torch/_refs/__init__.py, of a fake tensor */
    STR_INIT("No choices to select"),                                /* select_algorithm.py */
    STR_INIT("Attempt to trace forbidden callable"),                 /* torch/_dynamo/trace_rules.py */
    STR_INIT("cannot mutate tensors with frozen storage"),
    STR_INIT("Windows not yet supported for torch.compile"),
    STR_INIT("torch.compile is not supported on Python 3."),
    STR_INIT("Dynamo is not supported on Python 3."),
    STR_INIT("DDPOptimizer backend: Found a higher order op"),
    STR_INIT("Dynamo only supports FSDP with use_orig_params=True"),
    STR_INIT("Unexpected type in sourceless builder"),
    STR_INIT("Detected recompile when torch.compile stance is"),
    STR_INIT("to have the same dtype, but got: "),
    STR_INIT("] finished collective #"), /* torch/csrc/distributed/c10d/TraceUtils.h */
    STR_INIT("] joined but didn't finish collective #"),
    STR_INIT("] are the lagging ranks that caused this timeout"),
    /* torch/distributed/flight_recorder/components/types.py, which has the line only if there is one */
    STR_INIT("missing ranks: {0"),
    STR_INIT("missing ranks: {1"),
    STR_INIT("missing ranks: {2"),
    STR_INIT("missing ranks: {3"),
    STR_INIT("missing ranks: {4"),
    STR_INIT("missing ranks: {5"),
    STR_INIT("missing ranks: {6"),
    STR_INIT("missing ranks: {7"),
    STR_INIT("missing ranks: {8"),
    STR_INIT("missing ranks: {9"),
    STR_INIT("Detected mismatch between collectives on ranks"), /* c10d/ProcessGroupWrapper.cpp */
};

struct str exception_mark(size_t i)
{
    enum {
        TYPES = sizeof types / sizeof *types,
        ENDINGS = TYPES + sizeof endings / sizeof *endings,
        PHRASES = ENDINGS + sizeof phrases / sizeof *phrases,
    };

    if (i < TYPES)
        return types[i];
    if (i < ENDINGS)
        return endings[i - TYPES];
    return i < PHRASES ? phrases[i - ENDINGS] : i == PHRASES ? STR("backend='") : fault_words(i - PHRASES - 1);
}

/* The texts that are searched in a line, by their first two bytes, so that one pass over the line finds any of them. */
enum { WORDS_MAX = 500 };
enum list { OF_PHRASES, OF_NAMES, LISTS };
static struct {
    struct str words;
    uint16_t next;
} by_begin[WORDS_MAX + 1];
static uint16_t begins[LISTS][1 << 16]; /* indices into by_begin */
static pthread_once_t begins_made = PTHREAD_ONCE_INIT;

static unsigned two_bytes(const char *p)
{
    return (unsigned)(unsigned char)p[0] << 8 | (unsigned char)p[1];
}

static void add_begin(enum list list, struct str words)
{
    static uint16_t n;

    assert(n < WORDS_MAX && words.n >= 2);
    by_begin[++n].words = words;
    by_begin[n].next = begins[list][two_bytes(words.p)];
    begins[list][two_bytes(words.p)] = n;
}

/* For names: a line with an exception of PyTorch contains a known name or its module. */
static void make_begins(void)
{
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++)
        add_begin(OF_PHRASES, phrases[i]);
    for (size_t i = 0; fault_words(i).n; i++)
        add_begin(OF_PHRASES, fault_words(i));
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        add_begin(OF_NAMES, types[i]);
    add_begin(OF_NAMES, STR("torch."));
    add_begin(OF_NAMES, STR("triton."));
    add_begin(OF_NAMES, STR("backend='"));
}

static bool may_have_phrase(struct str line)
{
    pthread_once(&begins_made, make_begins);
    for (size_t at = 0; at + 1 < line.n; at++)
        for (unsigned i = begins[OF_PHRASES][two_bytes(line.p + at)]; i; i = by_begin[i].next)
            if (str_starts(str_skip(line, at), by_begin[i].words))
                return true;
    return false;
}

/* A section that follows a message on its line, when a program prints an exception it caught: the message counts. */
static bool is_section(struct str before)
{
    struct str words = STR("Explanation:");

    before = str_trim(before);
    return before.n > words.n && str_ends(before, words);
}

/* "Bigger jobs get OOMKilled": of jobs in general, and not of the one that the text shows. */
static bool is_habit(struct str before)
{
    static const struct str verbs[] = {STR_INIT(" get "), STR_INIT(" gets "), STR_INIT(" getting "), STR_INIT(" be ")};

    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (str_ends(before, verbs[i]))
            return true;
    return false;
}

static bool has_phrase(struct str line)
{
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++) {
        ptrdiff_t at = str_find(line, phrases[i]);

        if (at >= 0 && !is_section(str_take(line, (size_t)at)) && !is_habit(str_take(line, (size_t)at)))
            return true;
    }
    return false;
}

bool exception_line_has_phrase(struct str line)
{
    line = str_take(line, SEARCHED);
    return may_have_phrase(line) && (has_phrase(line) || fault_is_known(line));
}

ptrdiff_t exception_line_sentence(struct str line)
{
    ptrdiff_t first = -1;

    line = str_take(line, SEARCHED);
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++) {
        ptrdiff_t at = is_capital(phrases[i]) ? str_find(line, phrases[i]) : -1;

        if (at >= 0 && (first < 0 || at < first) && !is_habit(str_take(line, (size_t)at)))
            first = at; /* one sentence may quote the exception that has another */
    }
    return first;
}

/* --- within a line ------------------------------------------------------------------------------------------------ */

/* Whether the text before a name shows that the name is part of code: "except torch._dynamo.exc.Unsupported:". */
static bool is_code(struct str before)
{
    return str_ends(before, STR("except "));
}

/* Inside a line a bare name may mean anything: "3 tests of InductorError". */
static bool is_raised(struct str line)
{
    struct str rest = line;
    struct exception_name name;
    enum exception_line of = exception_line_begins(line);

    return (of == EXCEPTION_OF_COMPILER || of == EXCEPTION_OF_TORCH) &&
           (is_backend_raised(line) || (exception_name_take(&rest, &name) && has_colon(line, rest)));
}

/* Whether one of the names begins here. */
static bool has_name(struct str s)
{
    for (unsigned i = begins[OF_NAMES][two_bytes(s.p)]; i; i = by_begin[i].next)
        if (str_starts(s, by_begin[i].words))
            return true;
    return false;
}

/* The name begins with the word or, for "torch._dynamo.exc.", before it. Only whole names count. */
ptrdiff_t exception_line_find(struct str line)
{
    size_t begin = 0, looked_at = 0;

    line = str_take(line, SEARCHED);
    pthread_once(&begins_made, make_begins);
    for (size_t at = 0; at + 1 < line.n; at++) {
        begin = is_name_char(line.p[at]) ? begin : at + 1;
        if (begin < looked_at || !is_name_char(line.p[at]) || !has_name(str_skip(line, at)))
            continue;
        if (!is_code(str_take(line, begin)) && is_raised(str_skip(line, begin)))
            return (ptrdiff_t)begin;
        looked_at = begin + 1;
    }
    return -1;
}

bool exception_line_is_open(struct str line)
{
    enum { WRAPPED_MIN_BYTES = 50 };
    char last;

    line = str_trim(line);
    last = line.n ? line.p[line.n - 1] : ' ';
    return line.n >= WRAPPED_MIN_BYTES && (last == ',' || (str_is_word_char(last) && !str_is_digit(last)));
}

/* "backward(retain_graph=True) is called": a call within a sentence; programs print values, "tensor([1.])". */
static bool continues_with_call(struct str next)
{
    ptrdiff_t open = str_chr(next, '('), close = str_find(next, STR(") "));

    for (ptrdiff_t i = 0; i < open; i++)
        if ((next.p[i] < 'a' || next.p[i] > 'z') && next.p[i] != '_')
            return false;
    return open > 0 && close > open && (size_t)close + 2 < next.n && next.p[close + 2] >= 'a' &&
           next.p[close + 2] <= 'z';
}

bool exception_line_continues(struct str next)
{
    bool call = continues_with_call(next);
    struct str word = str_split(&next, ' ');

    if (call)
        return true;

    for (size_t i = 0; i < word.n; i++)
        if ((word.p[i] < 'a' || word.p[i] > 'z') && (i == 0 || (word.p[i] != '_' && !str_is_digit(word.p[i]))))
            return i == word.n - 1 && i > 0 && (word.p[i] == ',' || word.p[i] == '.');
    return word.n > 0;
}

static bool has_exception_of_torch(struct str text)
{
    struct str line;

    while (str_next_line(&text, &line))
        if (str_starts(line, STR("torch.")) && exception_line_begins(line) != EXCEPTION_NONE)
            return true;
    return false;
}

bool exception_text_is_compilers(struct str text)
{
    static const struct str words[] = {
        STR_INIT("from user code:"),
        STR_INIT("TORCHDYNAMO_VERBOSE=1"),
        STR_INIT("Set TORCH_LOGS="),
        STR_INIT("torch._dynamo."),
        STR_INIT("torch._inductor."),
        STR_INIT("TORCHDYNAMO_EXTENDED_DEBUG_"),
        STR_INIT("torch.compile"),
        STR_INIT("error above occurred when calling torch.export"),
        STR_INIT("torchinductor_"),
        STR_INIT("Triton Error [CUDA]"),
        STR_INIT("device-side assert triggered"),
        STR_INIT("CUDA error: "),
        STR_INIT("CUDA out of memory"),
        STR_INIT("API call failed at"),
        STR_INIT("from 'triton"),
        STR_INIT("No module named 'triton"),
    };

    return STR_HAS_ANY(text, words) || STR_HAS_ANY(text, phrases) || fault_find(STR(""), text, false) ||
           has_exception_of_torch(text);
}
