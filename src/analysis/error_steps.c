#include "analysis/error_steps.h"

#include "analysis/break_fix.h"
#include "analysis/command.h"
#include "analysis/error_words.h"
#include "text/break_text.h"

enum { STEPS_MAX = 3, SEARCHED = 4096 };

#define COMPLEX                                                                                                        \
    {                                                                                                                  \
        "Inductor writes no code for complex numbers: compute with `view_as_real`, or leave this part out: "           \
        "`@torch.compiler.disable`",                                                                                   \
            "`backend=\"aot_eager\"` compiles the rest without Inductor."                                              \
    }

/* What maintainers answer to messages of a kind, before what holds for the whole category. The first row that fits. */
static const struct answer {
    const char *type;    /* of the exception; NULL any */
    const char *message; /* must be in the message, or in the line of code; NULL any */
    const char *steps[STEPS_MAX];
} answers[] = {
    {NULL,
     "ndarray",
     {"A NumPy function or array is where Dynamo has a tensor. Use torch in its place (`torch.pi`, `torch.sqrt`), or "
      "convert before the compiled function.",
      "Run the same line in eager mode: if it fails there too, the code is wrong."}},
    {NULL,
     "that has been overwritten by a subsequent run",
     {"Copy the output before the function runs again: `.clone()`.",
      "Or say where a step begins, before each call of the model: `torch.compiler.cudagraph_mark_step_begin()`."}},
    {NULL,
     "when stream is capturing",
     {"Something in the captured function waits for the GPU or uses another stream, as `.item()`, `.cpu()` and some "
      "extensions do: keep it out of the graph.",
      "Run without CUDA graphs: no mode \"reduce-overhead\", `--enforce-eager` of vLLM, `--disable-cuda-graph` of "
      "SGLang."}},
    {NULL,
     "outside graph capture",
     {"Random numbers of a generator that the CUDA graph does not know: another part of the program uses it while the "
      "graph is recorded. Compile that part too, or run without CUDA graphs (no mode \"reduce-overhead\")."}},
    {NULL, "complex64", COMPLEX},
    {NULL, "complex128", COMPLEX},
    {NULL, "'complex' object", COMPLEX},
    {NULL, "found type 'complex'", COMPLEX},
    {NULL,
     "NoValidChoicesError",
     {"No kernel of the autotuner fits: no GPU that Triton knows, a head or a dtype that is too large for its shared "
      "memory. Let ATen be among the choices, or give smaller blocks (`kernel_options` of flex_attention).",
      "Try a newer PyTorch: which choices there are differs by version."}},
    {NULL,
     "expected size ",
     {"The graph was compiled for other sizes or strides than it got: a fake kernel that returns other strides than "
      "the operator returns, or a parameter that was replaced after compiling. Compare with `backend=\"aot_eager\"`.",
      "When all operators are PyTorch's own, report it, or try a newer PyTorch."}},
    {NULL,
     "could be from [",
     {"PyTorch lost track of a size: a bug of its own. Report it, or try a newer PyTorch.",
      "Meanwhile pass the tensor of that size as a copy (`.clone()`) rather than a view, or compile with "
      "`dynamic=False`."}},
    {NULL,
     "A different number of tensors was saved",
     {"What is recomputed must be the same as in the forward. Put the checkpoint inside of the compiled function, or "
      "compile inside of what is checkpointed, not across it; `use_reentrant=False`, `preserve_rng_state=True`.",
      "See which tensors differ: `torch.utils.checkpoint.set_checkpoint_debug_enabled(True)`"}},
    {NULL,
     "cannot mutate tensors with frozen storage",
     {"Do not change the tensor in place there: `.clone()` first, or `nn.ReLU(inplace=False)`. Newer versions of "
      "PyTorch export it."}},
    {NULL,
     "Mutating module attribute",
     {"torch.export takes no assignments to attributes: register the tensor as a buffer and change it in place "
      "(`self.x.add_(y)`, `self.x.copy_(y)`).",
      "Or export without Dynamo: `torch.export.export(..., strict=False)`"}},
    {NULL,
     "does not currently support double backward",
     {"Take the gradient inside of the compiled function with functorch (`grad`, `hessian`), or leave the function "
      "whose gradient is differentiated out of the compiler: `@torch.compiler.disable`"}},
    {NULL,
     "convert all Tensors to FakeTensors first",
     {"A tensor reaches the graph that is neither an input nor a parameter nor a buffer: keep it with "
      "`register_buffer`, or pass it as an argument.",
      "Or make it inside of the compiled function."}},
    {"InvalidBackend",
     NULL,
     {"Import the package that registers the backend before (`import torch_tensorrt`); "
      "`torch.compiler.list_backends()` lists them."}},
    {"OnnxExporterError",
     NULL,
     {"Use `onnx.export(..., dynamo=True)`, which has replaced `dynamo_export`, with a newer PyTorch. The cause "
      "is "
      "in the traceback above this message."}},
    {"DistBackendError",
     "'out of memory'",
     {"NCCL found no memory on a GPU: leave it some, with a smaller batch, or look for another process there "
      "(`nvidia-smi`).",
      "`NCCL_DEBUG=INFO` shows which call failed."}},
    {"DistBackendError",
     "NCCL error in",
     {"Let NCCL log what failed: `NCCL_DEBUG=INFO`. All ranks must use GPUs of their own, and reach each other "
      "(`NCCL_SOCKET_IFNAME`)."}},
    {NULL,
     "no fake impl registered for",
     {"The compiler cannot tell what this operator returns. Register a fake kernel, which makes an empty tensor of the "
      "result's shape, strides and dtype."}},
    {NULL,
     "does not support running with fake tensors",
     {"The operator needs a fake kernel, which says the shape and dtype of its result: `torch.library.register_fake`"}},
    {NULL,
     "turn off DDP optimizer",
     {"Compile without the splitting at DDP's buckets: `torch._dynamo.config.optimize_ddp = False`. Communication "
      "then overlaps less with the backward."}},
    {NULL,
     "Attempt to trace forbidden callable",
     {"This function of PyTorch is for code that is not compiled. Call it in the caller, before the compiled function, "
      "on what is passed to that."}},
    {NULL,
     "Signal 9 (SIGKILL)",
     {"The system killed the process, most often for the memory of the host: look at `dmesg`. Fewer workers that load "
      "data, or that compile (`TORCHINDUCTOR_COMPILE_THREADS=1`), need less."}},
    {"ChildFailedError",
     NULL,
     {"Read the process's own message: it is above this table, or in the log of its rank (`torchrun --log-dir DIR "
      "--tee 3`).",
      "Let the table show the traceback: `@torch.distributed.elastic.multiprocessing.errors.record` before the main "
      "function."}},
    {NULL,
     "ended with exit code",
     {"Read the process's own message: it is above this table, or in the log of its rank (`torchrun --log-dir DIR "
      "--tee 3`).",
      "Let the table show the traceback: `@torch.distributed.elastic.multiprocessing.errors.record` before the main "
      "function."}},
    {"UncapturedHigherOrderOpError",
     NULL,
     {"Both branches must be traced as a whole: look at the exception above it in the traceback. They return tensors "
      "of the same shape, dtype and device, and change nothing outside."}},
};

/* What to do next, by category. */
static const char *const steps[ERROR_CATEGORIES][STEPS_MAX] = {
    [ERROR_GRAPH_BREAK] = {"If the break is acceptable, compile without `fullgraph=True`: the rest of the function is "
                           "compiled around it."},
    [ERROR_BACKEND] = {"It is the backend that failed, not the model: try a newer PyTorch, then report it with the "
                       "smallest program, which this writes: `TORCHDYNAMO_REPRO_AFTER=aot TORCHDYNAMO_REPRO_LEVEL=2`",
                       "Find the stage that fails: `backend=\"eager\"`, then `\"aot_eager\"`, then "
                       "`\"aot_eager_decomp_partition\"`, then `\"inductor\"`. Until it is mended, leave the function "
                       "out: `@torch.compiler.disable`"},
    [ERROR_RECOMPILATION] = {"Remove the cause of the recompiles (see the chain; `TORCH_LOGS=recompiles` prints it), "
                             "or mark the size dynamic."},
    [ERROR_ACCURACY] = {"Compare with eager against float64: `TORCHDYNAMO_REPRO_AFTER=aot TORCHDYNAMO_REPRO_LEVEL=4`",
                        "Bisect Inductor: `python -m torch._inductor.compiler_bisector run CMD`"},
    [ERROR_DYNAMO_BUG] = {"Report it to PyTorch with the stack that `TORCHDYNAMO_VERBOSE=1` prints; the program sees "
                          "it as `InternalTorchDynamoError`.",
                          "Keep the function out of the compiler meanwhile: `@torch.compiler.disable`"},
    [ERROR_RUNTIME_CRASH] = {"Make the crash exact: `CUDA_LAUNCH_BLOCKING=1 PYTORCH_NO_CUDA_MEMORY_CACHING=1`",
                             "Find the first bad kernel: `TORCHINDUCTOR_NAN_ASSERTS=1`"},
    [ERROR_TRITON_KERNEL] = {"Look at the kernel and the nodes it came from: `TORCH_LOGS=output_code` prints them.",
                             "Make the crash exact: `CUDA_LAUNCH_BLOCKING=1`"},
    [ERROR_OUT_OF_MEMORY] = {"Less at once: a smaller batch, activation checkpointing, "
                             "`torch.compile(options={\"memory_planning\": True})`"},
    [ERROR_COLLECTIVE] = {"Find the rank that is missing, by the last collective of each rank: "
                          "`TORCH_NCCL_DUMP_ON_TIMEOUT=1 TORCH_NCCL_TRACE_BUFFER_SIZE=2000`",
                          "A rank that compiles while the others wait looks the same: compare the ranks' compiles."},
    [ERROR_FAKE_TENSOR] = {"Run the same line in eager mode with the same shapes and dtypes, without `torch.compile`: "
                           "if it fails there too, the code is wrong."},
    [ERROR_DATA_DEPENDENT] = {"Keep the value a tensor: `torch.where`, `torch.cond`, masks."},
    [ERROR_CONSTRAINT] = {"The code specializes a size that was marked dynamic; the message names the line. Remove the "
                          "mark or the specialization.",
                          "See every guard on the size: `TORCH_LOGS=\"+dynamic\"`"},
    [ERROR_CUDA_GRAPHS] = {"Copy the output before the function runs again: `.clone()`."},
    [ERROR_AOT_INDUCTOR] = {"Call the model with inputs as at export: sizes, strides (`.contiguous()`), dtypes and "
                            "devices.",
                            "Let it say which input differs: compile with `AOT_INDUCTOR_DEBUG_COMPILE=1`, and (2.7 "
                            "and later) run with `AOTI_RUNTIME_CHECK_INPUTS=1`."},
    [ERROR_MINIFIER] = {"It is not the program that failed, but the search for a small one: run without the minifier "
                        "(`TORCHDYNAMO_REPRO_AFTER` unset), or with `dynamic=False`.",
                        "A newer PyTorch may have a minifier that works; else report it."},
    [ERROR_USER] = {"Run the function without `torch.compile`: the same error there is not the compiler's."},
    [ERROR_OTHER] = {"Run the function without `torch.compile` to see whether the error is the compiler's.",
                     "Get the internal stack: `TORCHDYNAMO_VERBOSE=1`"},
};

/* Of torch.export, which has other means. */
static const char *const export_steps[ERROR_CATEGORIES][STEPS_MAX] = {
    [ERROR_GRAPH_BREAK] = {"Export without Dynamo: `torch.export.export(..., strict=False)`, or try a newer PyTorch.",
                           "See all that is in the way at once: `torch.export.draft_export`"},
    [ERROR_DATA_DEPENDENT] = {"Keep the value a tensor: `torch.where`, `torch.cond`, masks.",
                              "See all that is in the way at once: `torch.export.draft_export`"},
    [ERROR_CONSTRAINT] = {"Either the size is fixed by the code, then take what the message suggests; or it is the "
                          "example that fixes it: use one of size 2 or more, and `Dim.AUTO`.",
                          "See which line fixes it: `TORCH_LOGS=\"+dynamic\"`"},
    [ERROR_OTHER] = {"Run the module as it is, with the same inputs: the same error there is not the exporter's.",
                     "Export without Dynamo: `torch.export.export(..., strict=False)`"},
    [ERROR_USER] = {"The message says what torch.export does not take."},
};

static struct str first_line(struct str s)
{
    return str_trim(str_split(&s, '\n'));
}

static void add(struct arena *a, struct error_steps *out, const char *const list[STEPS_MAX])
{
    for (size_t i = 0; i < STEPS_MAX && list[i]; i++)
        vec_push(a, &out->list, str_of(list[i]));
}

/* What is to be pasted as several lines is no part of a sentence. */
static void add_break_fix(struct arena *a, const struct failure *f, struct error_steps *out)
{
    struct break_text text;
    struct break_fix fix;

    break_message_parse(a, f->message, &text);
    break_fix_find(a,
                   &(struct break_words){.type = text.type,
                                         .message = text.message,
                                         .context = text.context,
                                         .explanation = text.explanation,
                                         .hint = text.hints.n ? text.hints.v[0] : (struct str){0},
                                         .gb_id = text.gb_id,
                                         .stack = f->stack},
                   &fix);
    if (fix.paste.n && str_chr(fix.paste, '\n') < 0)
        fix.fix = arena_printf(a, "%.*s `%.*s`", STR_ARG(fix.fix), STR_ARG(fix.paste));
    vec_push(a, &out->list, fix.fix);
}

/* PyTorch raises a limit and a ban of recompiles alike; the limit had another name up to 2.5. */
static struct str recompile_setting(const struct failure *f)
{
    if (str_eq(f->type, STR("RecompileError")))
        return STR("The program forbids recompiles: `torch._dynamo.config.error_on_recompile` is set.");
    return str_has(f->message, STR("cache_size_limit reached"))
               ? STR("If a fixed number of variants is expected: `torch._dynamo.config.cache_size_limit = 16`")
               : STR("If a fixed number of variants is expected: `torch._dynamo.config.recompile_limit = 16`");
}

static const struct artifact *runnable_of(const struct compile *c)
{
    for (size_t i = c->artifacts.n; i-- > 0;)
        if (str_eq(c->artifacts.v[i]->name, STR("fx_graph_runnable")))
            return c->artifacts.v[i];
    return NULL;
}

static bool fits(const struct answer *x, const struct failure *f)
{
    struct str source = f->stack ? f->stack->source : (struct str){0};

    if (x->type && !str_eq(f->type, str_of(x->type)))
        return false;
    return !x->message || str_has(str_take(f->message, SEARCHED), str_of(x->message)) ||
           str_has(source, str_of(x->message));
}

static const struct answer *answer_of(const struct error *e)
{
    for (size_t i = 0; i < sizeof answers / sizeof *answers && !e->fault; i++)
        if (fits(&answers[i], e->failure))
            return &answers[i];
    return NULL;
}

/* "fast_backend" of "backend='fast_backend' raised:", when it is none of PyTorch's: its author must mend it. */
static struct str foreign_backend(const struct failure *f)
{
    static const char known[] = "\ninductor\naot_eager\naot_eager_decomp_partition\neager\ncudagraphs\ncompile_fx\n"
                                "compile_fx_wrapper\ndebug_wrapper\nonnxrt\ntvm\nopenxla\n";
    struct str name;

    if (!str_between(first_line(f->message), STR("backend='"), STR("'"), &name) || name.n > 100)
        return (struct str){0};
    for (const char *p = known; (p = memchr(p, '\n', (size_t)(known + sizeof known - p))); p++)
        if (str_starts(str_of(p + 1), name) && p[1 + name.n] == '\n')
            return (struct str){0};
    return name;
}

/* The allocator of the host has no history that PyTorch could show. */
static const char *memory_step(const struct failure *f)
{
    if (str_has(f->message, STR("CUDA")) || str_has(f->message, STR("HIP out of memory")))
        return "See what holds the memory: `torch.cuda.memory._record_memory_history()`";
    if (str_has(f->message, STR("DefaultCPUAllocator")) || str_has(f->message, STR("std::bad_alloc")) ||
        str_eq(f->type, STR("MemoryError")))
        return "See which operator takes the memory: `torch.profiler.profile(profile_memory=True)`, with a smaller "
               "input. `ulimit -v` and the limits of a container or job count as well as the machine's memory.";
    return NULL;
}

/* What the launcher knows how to do: other launches of the program that failed. False where there is none to ask. */
static bool add_trials(struct arena *a, const struct experiment *x, const struct error *e, struct error_steps *out)
{
    bool numbers = e->category == ERROR_ACCURACY;

    if (!x || x->workload_file.n == 0 || x->program.n || (e->category != ERROR_BACKEND && !numbers))
        return false;
    if (e->category == ERROR_BACKEND)
        vec_push(a, &out->list,
                 arena_printf(a,
                              "It is the backend that failed, not the model: try a newer PyTorch, then report it "
                              "with the smallest program, which this makes: `%.*s`",
                              STR_ARG(command_run_again(a, x, "--minify"))));
    vec_push(a, &out->list,
             arena_printf(a, "Find the stage, and where Inductor's bisector can, the pass or the operator: `%.*s`%s",
                          STR_ARG(command_run_again(a, x, "--bisect")),
                          numbers ? "" : ". Until it is mended, leave the function out: `@torch.compiler.disable`"));
    if (numbers)
        vec_push(a, &out->list,
                 arena_printf(a, "Make the smallest program with other numbers: `%.*s`",
                              STR_ARG(command_run_again(a, x, "--minify"))));
    return true;
}

static void add_of_backend(struct arena *a, const struct experiment *x, const struct error *e, struct error_steps *out)
{
    struct str backend = foreign_backend(e->failure), target = error_target(e->failure);
    bool aten = str_starts(target, STR("aten.")) || str_starts(target, STR("prims.")) || str_chr(target, '.') < 0;

    if (backend.n)
        vec_push(a, &out->list,
                 arena_printf(a,
                              "The backend `%.*s` raised it: mend it there; `backend=\"eager\"` shows that the "
                              "graph itself is fine.",
                              STR_ARG(backend)));
    else if (target.n && !aten)
        vec_push(a, &out->list,
                 arena_printf(a,
                              "Inductor fails at the operator `%.*s`. Define it with `torch.library.custom_op` and "
                              "register its fake kernel, or update the package that it comes from.",
                              STR_ARG(target)));
    else if (target.n)
        vec_push(a, &out->list,
                 arena_printf(a,
                              "Inductor cannot compile this call of `%.*s`. Write it without what the message "
                              "names, or call it outside of the compiled function (`@torch.compiler.disable`); "
                              "report it when a newer PyTorch fails, too.",
                              STR_ARG(target)));
    if (!backend.n && !add_trials(a, x, e, out))
        add(a, out, steps[ERROR_BACKEND]);
}

/* A native crash without a GPU is for the debugger; what helps on a GPU does nothing there. */
static bool is_native_crash(const struct error *e)
{
    const struct failure *f = e->failure;

    return e->category == ERROR_RUNTIME_CRASH && !str_has(f->message, STR("CUDA")) &&
           (str_has(f->message, STR("Segmentation fault")) || str_has(f->message, STR("SIGSEGV")) ||
            str_has(f->message, STR("Fatal Python error")) || str_has(f->message, STR("Windows fatal exception")) ||
            str_has(f->type, STR("Segmentation fault")));
}

/* "7" of "[7] finished collective #182, but didn't join collective #183": who the others wait for. */
static struct str lagging_ranks(const struct failure *f)
{
    struct str text = f->beside.n ? f->beside : f->message, ranks;

    return str_has(text, STR(" collective #")) && str_starts(str_trim(text), STR("[")) &&
                   str_between(text, STR("["), STR("]"), &ranks)
               ? ranks
               : (struct str){0};
}

/* Only of torch.export PyTorch suggests other dimensions; the stack that shows it may be missing. */
static bool is_export(const struct failure *f)
{
    return f->exporting || str_has(f->message, STR("Suggested fixes:"));
}

/* "call_function shop.price.default(*": not of ATen, nor a function or method of torch. */
static bool is_custom_operator(const struct failure *f)
{
    struct str rest = f->message, name;
    ptrdiff_t at = str_find(rest, STR("call_function "));

    if (at < 0)
        return false;
    rest = str_skip(rest, (size_t)at + 14);
    name = str_split(&rest, '(');
    return str_chr(name, '<') < 0 && str_chr(name, '.') > 0 && !str_starts(name, STR("aten.")) &&
           !str_starts(name, STR("prims.")) && !str_starts(name, STR("torch."));
}

/* The base left no trace, or one without a compile, though it was to trace. */
static bool compiled_nothing(const struct experiment *x)
{
    for (size_t i = 0; x && i < x->trials.n; i++)
        if (str_eq(x->trials.v[i].name, STR("base")))
            return x->trials.v[i].compiles == 0;
    return false;
}

static void add_steps(struct arena *a, const struct experiment *x, const struct error *e, struct error_steps *out)
{
    const struct answer *answer = answer_of(e);

    if (e->category == ERROR_GRAPH_BREAK && !e->failure->exporting)
        add_break_fix(a, e->failure, out);
    if (answer)
        add(a, out, answer->steps);
    else if (is_export(e->failure) && export_steps[e->category][0])
        add(a, out, export_steps[e->category]);
    else if (e->category == ERROR_BACKEND)
        add_of_backend(a, x, e, out);
    else if (e->category == ERROR_USER && compiled_nothing(x))
        vec_push(a, &out->list, STR("Nothing was compiled until then: the error is not the compiler's."));
    else if (e->category == ERROR_OUT_OF_MEMORY && compiled_nothing(x))
        vec_push(a, &out->list, STR("Less at once: a smaller batch. Nothing was compiled until then."));
    else if (!add_trials(a, x, e, out))
        add(a, out, steps[e->category]);
    if (e->category == ERROR_OUT_OF_MEMORY && memory_step(e->failure))
        vec_push(a, &out->list, str_of(memory_step(e->failure)));
    if (e->category == ERROR_FAKE_TENSOR && !answer && is_custom_operator(e->failure))
        vec_push(a, &out->list, STR("A custom operator needs a fake kernel: `torch.library.register_fake`"));
}

void error_next_steps(struct arena *a, const struct experiment *x, const struct error *e, struct error_steps *out)
{
    const struct artifact *runnable = e->category == ERROR_BACKEND ? runnable_of(e->failure->compile) : NULL;

    *out = (struct error_steps){0};
    if (e->fault) {
        vec_push(a, &out->list, str_of(e->fault->fix));
        return;
    }
    if (is_native_crash(e))
        vec_push(a, &out->list,
                 STR("See whose native code it is: `gdb -ex run -ex bt --args python CMD`; report it "
                     "with that stack."));
    if (e->category == ERROR_COLLECTIVE && lagging_ranks(e->failure).n)
        vec_push(a, &out->list,
                 arena_printf(a,
                              "Look at what rank %.*s does instead: the others wait for it. Its own log and "
                              "`py-spy dump` tell.",
                              STR_ARG(lagging_ranks(e->failure))));
    add_steps(a, x, e, out);
    if (runnable) {
        out->alone = arena_printf(a, "%.*s > repro.py && python repro.py", STR_ARG(command_show(a, runnable)));
        vec_push(a, &out->list, arena_printf(a, "Run the failing graph alone: `%.*s`", STR_ARG(out->alone)));
    }
    if (e->category == ERROR_RECOMPILATION)
        vec_push(a, &out->list, recompile_setting(e->failure));
}
