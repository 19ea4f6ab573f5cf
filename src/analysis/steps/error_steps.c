#include "analysis/steps/error_steps.h"

#include "analysis/answers/versions.h"
#include "analysis/breaks/break_fix.h"
#include "analysis/breaks/break_paste.h"
#include "analysis/errors/error_choice.h"
#include "analysis/errors/error_code.h"
#include "analysis/errors/error_machine.h"
#include "analysis/errors/error_memory.h"
#include "analysis/errors/error_outside.h"
#include "analysis/errors/error_owner.h"
#include "analysis/errors/error_part.h"
#include "analysis/errors/error_range.h"
#include "analysis/errors/error_ranks.h"
#include "analysis/errors/error_store.h"
#include "analysis/errors/error_words.h"
#include "analysis/find/command.h"
#include "analysis/known_errors/moved_option.h"
#include "analysis/library/subclass.h"
#include "analysis/steps/error_branches.h"
#include "analysis/steps/error_compiler.h"
#include "analysis/steps/error_cuda.h"
#include "analysis/steps/error_details.h"
#include "analysis/steps/error_fit.h"
#include "analysis/steps/error_native.h"
#include "analysis/steps/error_remedy.h"
#include "analysis/steps/error_title.h"
#include "model/code_file.h"
#include "text/messages/break_text.h"
#include "text/python/python_code.h"
#include "torchlog/crash/crash_lines.h"

#define REPORT_OF_DYNAMO                                                                                               \
    "Try a newer PyTorch. If that fails, too, report it with the stack that `TORCHDYNAMO_VERBOSE=1` prints."

/* The other branch of a step that runs the program without the compiler. */
#define ONLY_COMPILED "If only the compiled code fails, the compiler is at fault: try a newer PyTorch, "

/* What to do next, by category. */
static const char *const steps[ERROR_CATEGORIES][ERROR_ANSWER_STEPS] = {
    [ERROR_GRAPH_BREAK] = {"If the break is acceptable, compile without `fullgraph=True`: the rest of the function is "
                           "compiled around it."},
    [ERROR_BACKEND] = {"It is the backend that failed, not the model: try a newer PyTorch, then report it with the "
                       "smallest program, which this writes: `TORCHDYNAMO_REPRO_AFTER=aot TORCHDYNAMO_REPRO_LEVEL=2`",
                       "Find the stage that fails: `backend=\"eager\"`, then `\"aot_eager\"`, then "
                       "`\"aot_eager_decomp_partition\"`, then `\"inductor\"`. Until it is fixed, exclude the "
                       "function: `@torch.compiler.disable`"},
    [ERROR_ACCURACY] = {"Compare with eager against float64: `TORCHDYNAMO_REPRO_AFTER=aot TORCHDYNAMO_REPRO_LEVEL=4`",
                        "Bisect Inductor (2.11 and later): `python -m torch._inductor.compiler_bisector run CMD`"},
    [ERROR_DYNAMO_BUG] = {REPORT_OF_DYNAMO, "Until it is fixed, exclude the function: `@torch.compiler.disable`"},
    [ERROR_RUNTIME_CRASH] = {"Make the crash exact: `CUDA_LAUNCH_BLOCKING=1 PYTORCH_NO_CUDA_MEMORY_CACHING=1`",
                             "Let NVIDIA's tool name the kernel that reads or writes out of bounds: "
                             "`compute-sanitizer python CMD`"},
    [ERROR_TRITON_KERNEL] =
        {"Look at the kernel and the nodes it came from: `TORCH_LOGS=output_code` prints them.",
         "Check that Triton and PyTorch fit together (`pip check`), or try newer versions of both."},
    [ERROR_OUT_OF_MEMORY] = {"Less at once: a smaller batch, activation checkpointing. Inductor (2.2 and later) can "
                             "reuse more of its memory: `torch.compile(options={\"memory_planning\": True})`"},
    [ERROR_COLLECTIVE] = {"Find the rank that is missing, by the last collective of each rank: "
                          "`TORCH_NCCL_DUMP_ON_TIMEOUT=1 TORCH_NCCL_TRACE_BUFFER_SIZE=2000`",
                          "A rank that compiles while the others wait looks the same: compare the ranks' compiles."},
    [ERROR_FAKE_TENSOR] = {"Run the same line in eager mode with the same shapes and dtypes, without `torch.compile`: "
                           "if it fails there too, the code is wrong. " ONLY_COMPILED "then report it with the shapes. "
                           "Until then leave the call out: `@torch.compiler.disable`"},
    [ERROR_DATA_DEPENDENT] = {"Keep the value a tensor: `torch.where`, `torch.cond`, masks."},
    [ERROR_CONSTRAINT] = {"A line of the code specializes a size that was marked dynamic: remove the mark or the "
                          "specialization.",
                          "`TORCH_LOGS=\"+dynamic\"` shows each guard on the size, with its line."},
    [ERROR_CUDA_GRAPHS] = {"Run without CUDA graphs (no mode \"reduce-overhead\"): what fails then fails without them, "
                           "too, and is shown. If nothing fails then, leave CUDA graphs out, or try a newer PyTorch. "
                           "In vLLM: `--enforce-eager`. In SGLang: `--disable-cuda-graph`.",
                           "The cause may stand above this message, where the graph was recorded."},
    [ERROR_AOT_INDUCTOR] = {"Call the model with inputs as at export: sizes, strides (`.contiguous()`), dtypes and "
                            "devices. Sizes that differ from call to call must be among the `dynamic_shapes` of the "
                            "export.",
                            "Let it say which input differs: compile with `AOT_INDUCTOR_DEBUG_COMPILE=1`, and (2.7 "
                            "and later) run with `AOTI_RUNTIME_CHECK_INPUTS=1`."},
    [ERROR_MINIFIER] = {"It is not the program that failed, but the search for a small one: run without the minifier "
                        "(`TORCHDYNAMO_REPRO_AFTER` unset), or with `dynamic=False`.",
                        "A newer PyTorch may have a minifier that works; else report it."},
    [ERROR_HANG] =
        {"Dump again after a while, of every rank: a line that changes is slow, one that stays waits for the "
         "rank or process whose line differs.",
         "Which phase takes long is in a trace: `TORCH_TRACE=DIR`, of a run that is ended."},
    [ERROR_WARNING] =
        {"The program goes on. What the warning asks for stands in its words; `python -W error` shows the "
         "stack of who causes it."},
    [ERROR_USER] = {"Run the function without `torch.compile`: the same error there is not the compiler's. "
                    ONLY_COMPILED "then report it with the stack that `TORCHDYNAMO_VERBOSE=1` prints."},
    [ERROR_OTHER] = {"Run the function without `torch.compile` to see whether the error is the compiler's. "
                     ONLY_COMPILED "then report it with the internal stack.",
                     "Get the internal stack: `TORCHDYNAMO_VERBOSE=1`"},
};

/* For an exception with only the compiler's own calls between it and the program. */
static const char *const compiler_steps[ERROR_ANSWER_STEPS] = {
    "The compiler itself failed: try a newer PyTorch, then report it with the stack that `TORCHDYNAMO_VERBOSE=1` "
    "prints.",
    "Until it is fixed, exclude the function: `@torch.compiler.disable`. `backend=\"eager\"` shows whether it is "
    "Dynamo, `\"aot_eager\"` whether it is AOTAutograd."};

/* The stage is known, and the text has the internal stack. */
static const char *const runtime_steps[ERROR_ANSWER_STEPS] = {
    "Code of Inductor fails while it runs compiled code: a bug in the compiler, not in the model. Try a newer PyTorch, "
    "then report it with this stack and the generated file that it names.",
    "Until it is fixed, exclude the function: `@torch.compiler.disable`. `backend=\"aot_eager\"` compiles without "
    "Inductor. In SGLang: start without `--enable-torch-compile`."};

/* The stage is known, and `TORCHDYNAMO_REPRO_AFTER=aot` writes nothing before Inductor is called. */
static const char *const aotautograd_steps[ERROR_ANSWER_STEPS] = {
    "AOTAutograd fails while it traces the graph, before Inductor is called: a bug, or something that it does not "
    "support. Try a newer PyTorch, then report it with the smallest program, which this writes: "
    "`TORCHDYNAMO_REPRO_AFTER=dynamo TORCHDYNAMO_REPRO_LEVEL=2`",
    "Until it is fixed, exclude the function: `@torch.compiler.disable`"};

/* The stage is known: Inductor was called, and nothing else is to be searched. */
static const char *const inductor_steps[ERROR_ANSWER_STEPS] = {
    "Inductor failed, not the model: try a newer PyTorch, then report it with the smallest program; if there is none "
    "yet, this writes one: `TORCHDYNAMO_REPRO_AFTER=aot TORCHDYNAMO_REPRO_LEVEL=2`",
    "Until it is fixed, exclude the function: `@torch.compiler.disable`. `backend=\"aot_eager\"` compiles without "
    "Inductor."};

/* No collective has run, or Gloo has it, which no Flight Recorder of NCCL records. */
static const char *const store_steps[ERROR_ANSWER_STEPS] = {
    "The processes did not find each other, or lost the store by which they do: no collective has failed. Rank 0 hosts "
    "the store, at `MASTER_ADDR` and `MASTER_PORT`, or at `--rdzv-endpoint`: see whether that process still runs, and "
    "whether the others reach it there.",
    "Read the log of the process that failed first: the others then only lose their connection."};
static const char *const gloo_steps[ERROR_ANSWER_STEPS] = {
    "The connection to another process broke, most often because that one has ended: read the log of the process that "
    "failed first.",
    "If all still run, the network between them is at fault: name the interface by which they reach each other "
    "(`GLOO_SOCKET_IFNAME`; `ip addr` lists them)."};

/* For code that Dynamo wrote in the place of a function. */
static const char *const rewritten_steps[ERROR_ANSWER_STEPS] = {
    "The line does not have this name: the code that Dynamo wrote in the place of the function uses it, which is a bug "
    "in Dynamo. Compile the module itself instead of this function, or the part of it that computes: "
    "`net.encoder = torch.compile(net.encoder)`",
    "A newer PyTorch may not fail there; else report it with the decorators of the function."};

/* For torch.export, which has other means. */
static const char *const export_steps[ERROR_CATEGORIES][ERROR_ANSWER_STEPS] = {
    [ERROR_GRAPH_BREAK] = {"Export without Dynamo: `torch.export.export(..., strict=False)`, or try a newer PyTorch.",
                           "See all that is in the way at once: `torch.export.draft_export`"},
    [ERROR_DATA_DEPENDENT] = {"Keep the value a tensor: `torch.where`, `torch.cond`, masks.",
                              "See all that is in the way at once: `torch.export.draft_export`"},
    [ERROR_CONSTRAINT] = {"See which line of the code fixes the size: `TORCH_LOGS=\"+dynamic\"`. If it may stay fixed, "
                          "take what PyTorch suggests, or `Dim.AUTO`, which then exports it as fixed."},
    [ERROR_OTHER] = {"Run the module as it is, with the same inputs: the same error there is not the exporter's. If "
                     "there is none, another way to trace may work:",
                     "Export without Dynamo: `torch.export.export(..., strict=False)`"},
    [ERROR_USER] = {"The message says what torch.export does not take."},
};

/* Breaks at a value of a tensor: torch.export needs it, too, with Dynamo or without, in any version. */
static bool asks_for_a_value(const struct break_fix *fix)
{
    static const enum break_kind kinds[] = {BREAK_BRANCH,      BREAK_ASSERT, BREAK_NOT_FINITE, BREAK_INDEX, BREAK_RANGE,
                                            BREAK_SIZE_BRANCH, BREAK_NUMBER, BREAK_SORT,       BREAK_SHAPE};

    for (size_t i = 0; fix && i < sizeof kinds / sizeof *kinds; i++)
        if (fix->kind == kinds[i])
            return true;
    return false;
}

/* PyTorch's version, or the newest that it can be. */
static struct str version_or_newest(const struct run *r, const struct failure *f)
{
    struct str version = run_versions(r).pytorch;

    return version.n ? version : f->compile->process->input->stated.newest;
}

/* The exception ends with a value that the text sets: that is what leads to the line. */
static void name_option(struct arena *a, const struct failure *f, struct break_fix *fix)
{
    static const struct str general = STR_INIT("Change what leads to this line.");
    struct str option = f->compile->process->input->stated.refused;
    ptrdiff_t at = fix->raised && option.n ? str_find(fix->fix, general) : -1;

    if (at < 0)
        return;
    fix->fix = arena_printf(a,
                            "%.*s`%.*s` in this text leads to the line: set a value that the code there takes, or use "
                            "a version that takes this one.%.*s",
                            (int)at, fix->fix.p, STR_ARG(option),
                            STR_ARG(str_skip(fix->fix, (size_t)at + general.n)));
}

/* Where another answer follows, only what is known of this kind of break is said. */
static const struct break_fix *add_break_fix(struct arena *a, const struct run *r, const struct failure *f,
                                             struct str message, bool answered, struct error_steps *out)
{
    struct break_fix *fix = ARENA_NEW(a, struct break_fix);
    struct break_words words = {.stack = f->stack, .version = version_or_newest(r, f)};
    struct break_text text;

    break_message_parse(a, message, &text);
    words.type = text.type;
    words.message = text.message;
    words.context = text.context;
    words.explanation = text.explanation;
    words.hint = text.hints.n ? text.hints.v[0] : (struct str){0};
    words.gb_id = text.gb_id;
    break_fix_find(a, &words, fix);
    /* Dynamo drops what such a function prints, or fails there (2.5, 2.6, 2.13). */
    if (error_operator(f).n || break_spoils_reorder(&words))
        break_avoid_reorder(a, fix);
    name_option(a, f, fix);
    if (f->exporting && fix->is_setting) /* of torch.compile */
        return fix;
    if (fix->kind == BREAK_FSDP)
        fix->fix = STR("FSDP does this in plain Python, by design, which cannot be in one graph: compile without "
                       "`fullgraph=True`. Or compile each block by itself, before FSDP wraps it "
                       "(`block.compile(fullgraph=True)`); the whole model can only be compiled before it is wrapped "
                       "where nothing inside of it is wrapped. Or use `fully_shard` (FSDP2), with the blocks compiled "
                       "in the same way.");
    else if (fix->weight == BREAK_IS_KNOWN && str_eq(str_of(fix->id), STR("break-wrapper")))
        fix->fix = STR("The wrapper does this in plain Python, by design, which cannot be in one graph. Compile the "
                       "model before it is wrapped: `model = torch.compile(model)`.");
    if (answered && fix->kind == BREAK_FAKE_KERNEL && fix->paste.n == 0 && error_operator(f).n == 0)
        return fix; /* an operator of PyTorch, or one that the text does not name: the answer says it */
    if (answered && text.hints.n == 0 &&
        (fix->kind == BREAK_HINTED || fix->kind == BREAK_UNSUPPORTED || fix->kind == BREAK_HIGHER_ORDER))
        return fix;
    vec_push(a, &out->list, ((struct error_step){.words = fix->fix, .paste = fix->paste}));
    return fix;
}

/* PyTorch raises the same exception for a limit and a ban of recompiles; the limit had another name up to 2.5. */
static struct str recompile_setting(const struct failure *f)
{
    if (str_eq(f->type, STR("RecompileError")))
        return STR("The program forbids recompiles: `torch._dynamo.config.error_on_recompile` is set.");
    if (error_forbids_recompile(f))
        return STR("The program forbids recompiles here, by `torch.compiler.set_stance`.");
    return str_has(f->message, STR("cache_size_limit reached"))
               ? STR("If a fixed number of variants is expected: `torch._dynamo.config.cache_size_limit = 16`")
               : STR("If a fixed number of variants is expected: `torch._dynamo.config.recompile_limit = 16`");
}

enum reason_shown { REASON_IS_MISSING, REASON_IS_EMPTY, REASON_IS_SIZE, REASON_IS_OTHER };

/* "- 0/0: tensor 'x' size mismatch at index 0" and "last reason: 0/7: n == 3" of the message. */
static enum reason_shown reason_shown(const struct failure *f)
{
    static const struct str sizes[] = {STR_INIT("size"), STR_INIT("stride"), STR_INIT("hape")};
    struct str rest = str_take(f->message, ERROR_SEARCHED), line;
    enum reason_shown shown = REASON_IS_MISSING;

    while (str_next_line(&rest, &line)) {
        struct str reason = str_trim(line);
        ptrdiff_t colon;

        if (!str_consume(&reason, STR("- ")) && !str_consume(&reason, STR("last reason: ")))
            continue;
        colon = str_chr(reason, ':');
        if (colon <= 0 || !str_is_digit(reason.p[0]) || str_chr(str_take(reason, (size_t)colon), '/') < 0)
            continue;
        reason = str_trim(str_skip(reason, (size_t)colon + 1));
        if (reason.n == 0)
            shown = shown == REASON_IS_MISSING ? REASON_IS_EMPTY : shown;
        else if (shown != REASON_IS_SIZE)
            shown = STR_HAS_ANY(reason, sizes) ? REASON_IS_SIZE : REASON_IS_OTHER;
    }
    return shown;
}

/* Checked: an empty reason under a dispatch mode in 2.6, for the same tensor twice and for two; none in 2.13. */
static void add_of_recompile(struct arena *a, const struct error *e, struct error_steps *out)
{
    const struct frame *frame = e->failure->compile->frame;

    switch (reason_shown(e->failure)) {
    case REASON_IS_EMPTY:
        error_step_say(a, out,
                       arena_printf(a,
                                    "PyTorch gives no reason: the guard that failed holds when it is looked at again, "
                                    "and `TORCH_LOGS=recompiles` prints no more.%s",
                                    stated_has(&e->failure->compile->process->input->stated, STATED_DISPATCH_MODE)
                                        ? " Most likely the dispatch mode is the cause, and not the inputs: try a "
                                          "newer PyTorch (2.13 does not compile again for a mode that compiled code "
                                          "may run under), or call the compiled function outside of the mode."
                                        : " Look for what is changed around the calls: a mode, a setting, a backend. "
                                          "Try a newer PyTorch, then report it."));
        break;
    case REASON_IS_SIZE:
        error_step_say(a, out, STR("Remove the cause, which the message names, or mark the size dynamic."));
        break;
    case REASON_IS_OTHER:
        error_step_say(a, out, STR("Remove the cause, which the message names."));
        break;
    case REASON_IS_MISSING:
        error_step_say(a, out,
                       arena_printf(a,
                                    "Remove the cause of the recompiles%s; where it is a size, mark that dynamic. "
                                    "`TORCH_LOGS=recompiles` prints the cause.",
                                    frame && frame->compiles.n > 1 ? " (see the chain)" : ""));
    }
}

static const struct artifact *runnable_of(const struct compile *c)
{
    for (size_t i = c->artifacts.n; i-- > 0;)
        if (artifact_is(c->artifacts.v[i], ARTIFACT_FX_GRAPH_RUNNABLE))
            return c->artifacts.v[i];
    return NULL;
}

/* "fast_backend" of "backend='fast_backend' raised:", if it is not PyTorch's own: its author must fix it. */
static struct str foreign_backend(const struct failure *f)
{
    static const char known[] = "\ninductor\naot_eager\naot_eager_decomp_partition\neager\ncudagraphs\ncompile_fx\n"
                                "compile_fx_wrapper\ndebug_wrapper\ncompile_fn\nonnxrt\ntvm\n";
    struct str name;

    if (!str_between(str_first_line(f->message), STR("backend='"), STR("'"), &name) || name.n > 100)
        return (struct str){0};
    for (const char *p = known; (p = memchr(p, '\n', (size_t)(known + sizeof known - p))); p++)
        if (str_starts(str_of(p + 1), name) && p[1 + name.n] == '\n')
            return (struct str){0};
    return name;
}

/* PyTorch records no history for the host's allocator. */
static const char *memory_step(const struct failure *f)
{
    if (code_file_has(f->file, STR("vllm/")))
        return "In vLLM: fewer and shorter sequences at once (`--max-num-seqs`, `--max-model-len`), or more GPUs "
               "(`--tensor-parallel-size`).";
    if (str_has(f->message, STR("CUDA")) || str_has(f->message, STR("HIP ")))
        return "See what holds the memory: `torch.cuda.memory._record_memory_history()`";
    if (str_has(f->message, STR("DefaultCPUAllocator")) || str_has(f->message, STR("std::bad_alloc")) ||
        str_eq(f->type, STR("MemoryError")))
        return "See which operator takes the memory: `torch.profiler.profile(profile_memory=True)`, with a smaller "
               "input. `ulimit -v` and the limits of a container or job count as well as the machine's memory.";
    return NULL;
}

/* Advice that the launcher can carry out: other launches of the failed program. False if there is no launcher. */
static bool add_trials(struct arena *a, const struct experiment *x, const struct error *e, struct error_steps *out)
{
    bool numbers = e->category == ERROR_ACCURACY;

    if (!x || x->workload_file.n == 0 || x->program.n || (e->category != ERROR_BACKEND && !numbers))
        return false;
    if (e->category == ERROR_BACKEND)
        error_step_say(a, out,
                       arena_printf(a,
                                    "It is the backend that failed, not the model: try a newer PyTorch, then report it "
                                    "with the smallest program, which this makes: `%.*s`",
                                    STR_ARG(command_run_again(a, x, "--minify"))));
    error_step_say(a, out,
                   arena_printf(a,
                                "Find the stage, and where Inductor's bisector can, the pass or the operator: `%.*s`%s",
                                STR_ARG(command_run_again(a, x, "--bisect")),
                                numbers ? "" : ". Until it is fixed, exclude the function: `@torch.compiler.disable`"));
    if (numbers)
        error_step_say(a, out,
                       arena_printf(a, "Make the smallest program with other numbers: `%.*s`",
                                    STR_ARG(command_run_again(a, x, "--minify"))));
    return true;
}

/* compile_fx.py alone may be on the way to AOTAutograd. */
static bool failed_in_inductor(const struct error *e)
{
    static const struct str names[] = {STR_INIT("LoweringException"), STR_INIT("InductorError")};
    struct str message = str_take(e->failure->message, ERROR_SEARCHED);

    return STR_IS_ANY(e->failure->type, names) || STR_HAS_ANY(message, names) ||
           stack_calls(e->failure->stack, STR("torch/_inductor/graph.py\ntorch/_inductor/lowering.py\n"
                                              "torch/_inductor/ir.py\ntorch/_inductor/scheduler.py\n"
                                              "torch/_inductor/codegen/"));
}

/* A way around a bug comes behind the first of the steps against it, which are those from `first` on. */
static void add_second(struct arena *a, struct str words, size_t first, struct error_steps *out)
{
    error_step_say(a, out, words);
    for (size_t i = out->list.n - 1; i > first + 1; i--) {
        struct error_step step = out->list.v[i];

        out->list.v[i] = out->list.v[i - 1];
        out->list.v[i - 1] = step;
    }
}

/* The first step of any bug, a newer PyTorch and a report, may be the part's own already; part may be NULL. */
static void say_of_any_bug(struct arena *a, const struct error_part *part, const char *const list[ERROR_ANSWER_STEPS],
                           struct error_steps *out)
{
    bool said = false;

    for (size_t i = 0; part && i < ERROR_ANSWER_STEPS && part->steps[i]; i++)
        said |= str_has(str_of(part->steps[i]), STR("ewer PyTorch"));
    for (size_t i = said; i < ERROR_ANSWER_STEPS && list[i]; i++)
        error_step_say(a, out, str_of(list[i]));
}

static void add_of_backend(struct arena *a, const struct experiment *x, const struct error *e, struct error_steps *out)
{
    struct str backend = foreign_backend(e->failure), target = error_target(e->failure);
    bool aten = error_part_lowering_is_of_pytorch(target);
    const struct error_part *part = error_part_of(e);
    bool around = false;
    size_t before;

    if (backend.n)
        error_step_say(a, out,
                       arena_printf(a,
                                    "The backend `%.*s` raised it: fix it there. `backend=\"eager\"` shows that the "
                                    "graph itself is fine.",
                                    STR_ARG(backend)));
    else if (error_part_lowering_refused(a, target, e->failure->message, out) ||
             (target.n == 0 && error_compiler_say(a, e, out)))
        return;
    else if (target.n)
        around = !error_part_lowering_differs(a, target, e->failure, out) &&
                 !error_part_lowering_say(a, target, e->failure->message, out);
    before = out->list.n;
    if (!backend.n && target.n == 0 && part) {
        error_step_say_each(a, out, part->steps);
        if (part->whole)
            return;
    } else {
        part = NULL;
    }
    if (!backend.n && e->failure->part == FAILED_IN_AOTAUTOGRAD)
        say_of_any_bug(a, part, aotautograd_steps, out);
    else if (!backend.n && !add_trials(a, x, e, out))
        say_of_any_bug(a, part,
                       (failed_in_inductor(e) ? inductor_steps : steps[ERROR_BACKEND]) + (target.n && !aten), out);
    if (around)
        add_second(a, error_part_lowering_around(a, target, e->failure->message), before, out);
}

/* "was inferred to be a constant (3)": of 1 the example is the reason, and no line. */
static bool becomes_number(struct str message)
{
    struct str value;

    return str_between(str_take(message, ERROR_SEARCHED), STR(" to be a constant ("), STR(")"), &value) &&
           !str_eq(value, STR("1"));
}

/* "Not all values of batch = L['x'].size()[0] in the specified range ...": only a dimension of an export has a name. */
static bool names_dimension(struct str message)
{
    struct str dimension;

    return str_between(str_take(message, ERROR_SEARCHED), STR("Not all values of "), STR(" in the specified range"),
                       &dimension) &&
           str_has(dimension, STR(" = L["));
}

/*
 * Only of torch.export PyTorch suggests other dimensions, and makes a UserError of violated constraints; the stack that
 * shows it may be missing.
 */
static bool is_export(const struct failure *f)
{
    return f->exporting || names_dimension(f->message) ||
           (str_eq(f->type, STR("UserError")) && str_has(f->message, STR("Constraints violated ("))) ||
           str_has(f->message, STR("Suggested fixes:")) || str_has(f->message, STR("When exporting, "));
}

/* "call_function shop.price.default(*": not an ATen operator, nor a function or method of torch. */
static bool is_custom_operator(const struct failure *f)
{
    struct str name = error_failed_call(f);

    return str_chr(name, '.') > 0 && !str_starts(name, STR("aten.")) && !str_starts(name, STR("prims.")) &&
           !str_starts(name, STR("torch.")) && !str_has(name, STR("trampoline_autograd_")); /* an autograd.Function */
}

/* The base launch left no trace, or a trace without compiles, although tracing was on. */
static bool compiled_nothing(const struct experiment *x)
{
    for (size_t i = 0; x && i < x->trials.n; i++)
        if (str_eq(x->trials.v[i].name, STR("base")))
            return x->trials.v[i].compiles == 0;
    return false;
}

/* "int(np.ceil(n))": Dynamo makes an operator of a graph of NumPy's function, of which `int` asks the value. */
static void add_numpy_of_number(struct arena *a, const struct error *e, struct error_steps *out)
{
    static const struct str names[] = {STR_INIT("ceil"), STR_INIT("floor"), STR_INIT("sqrt"), STR_INIT("log2"),
                                       STR_INIT("log"),  STR_INIT("exp"),   STR_INIT("prod")};
    bool whole = stated_has(&e->failure->compile->process->input->stated, STATED_FULLGRAPH);
    struct str call;

    if (!str_between(e->own_source, STR("int(np."), STR("("), &call) &&
        !str_between(e->own_source, STR("int(numpy."), STR("("), &call))
        return;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_eq(call, names[i]))
            out->list.v[out->list.n - 1].words =
                arena_printf(a,
                             "%.*s By the line alone, %s `int` of NumPy's `%.*s`: Dynamo makes an operator of it, "
                             "whose value `int` asks for%s. Of a Python number, `math.%.*s` stays a number.",
                             STR_ARG(out->list.v[out->list.n - 1].words), whole ? "it is most likely" : "it may be",
                             STR_ARG(call), whole ? ", which breaks the graph (`fullgraph=True` forbids that)" : "",
                             STR_ARG(call));
}

/* The answer is in the rest of the text: its absence proves nothing. */
static bool add_where_message_is(struct arena *a, const struct error *e, struct error_steps *out)
{
    if (error_is_cut_off(e->failure)) {
        error_step_say(a, out,
                       STR("What failed is said in the last lines of the traceback, which the text does not show."));
        return true;
    }
    if (e->category == ERROR_BACKEND && crash_lacks_cause(e->failure->message)) {
        error_step_say(
            a, out,
            str_has(e->failure->message, STR("in a subprocess"))
                ? STR("Why it failed is not in this text: the worker's own exception stands below this line in the "
                      "whole log, at the end of its traceback. Or let the program compile without workers, so that it "
                      "raises that exception itself: `TORCHINDUCTOR_COMPILE_THREADS=1`")
                : STR("Why it failed is said below this line in the whole log, which the text does not show. If a "
                      "worker process compiles, let the program compile itself, so that it raises the error whole: "
                      "`TORCHINDUCTOR_COMPILE_THREADS=1`"));
        return true;
    }
    if (e->category == ERROR_OTHER && error_lacks_message(e->failure)) {
        error_step_say(a, out, STR("What failed is said in the lines above these, which the text does not show."));
        add_numpy_of_number(a, e, out);
    }
    return false;
}

/* Then no value of a single call is wrong. */
static void add_concurrent(struct arena *a, const struct error *e, struct error_steps *out)
{
    if (e->stage == AT_RUNTIME && e->category != ERROR_WARNING && e->category != ERROR_OUT_OF_MEMORY &&
        stated_has(&e->failure->compile->process->input->stated, STATED_CONCURRENT))
        error_step_say(
            a, out,
            STR("Calls at the same time fail, and one after the other they work: most likely they share state (a cache "
                "or a buffer that the model keeps; with CUDA graphs the memory of the graph, too). Let one call run at "
                "a time (a lock around it, or one thread that takes the work from a queue), or give each call a cache "
                "of its own."));
}

static bool add_bound(struct arena *a, const struct failure *f, struct error_steps *out)
{
    struct str words = error_range_of_tensor(a, str_take(f->beside.n ? f->beside : f->message, ERROR_SEARCHED));

    if (words.n)
        error_step_say(a, out, words);
    return words.n > 0;
}

/* "7" and "[s0, 7] X [4, 7]" of "a and b must have same reduction dim, but got [s0, 7] X [4, 7].": both end alike. */
static struct str like_end(struct str message)
{
    struct str first, second, rest, last = {0};

    if (!str_between(str_take(message, ERROR_SEARCHED), STR("reduction dim, but got ["), STR("]"), &first))
        return last;
    rest = str_skip(message, (size_t)(first.p + first.n - message.p));
    if (!str_consume(&rest, STR("] X [")))
        return last;
    second = str_split(&rest, ']');
    str_split(&second, ',');
    while (first.n)
        last = str_trim(str_split(&first, ','));
    return str_eq(str_trim(second), last) ? last : (struct str){0};
}

/* The program's line calls the library; the line that fails is the library's own. */
static void add_line_of_library(struct arena *a, const struct error *e, struct error_steps *out)
{
    const struct call *own = stack_own_call(e->failure->stack);
    struct str last = like_end(e->failure->message);
    struct str source = own ? str_trim(own->source) : (struct str){0};
    bool shown = own && source.n && !str_has(source, STR("`")) && own->line != e->own_line;

    error_step_say(
        a, out,
        arena_printf(a,
                     "The line is a library's%s%.*s%s%.*s%s: use newer versions of it and of PyTorch, then report it "
                     "to the library with the shapes that the message shows.%s%.*s%s%s",
                     shown ? " (" : "", shown ? (int)code_file_name(own->file).n : 0,
                     shown ? code_file_name(own->file).p : "", shown ? ", `" : "", shown ? (int)source.n : 0,
                     shown ? source.p : "", shown ? "`)" : "", last.n ? " Both matrices end in the size " : "",
                     STR_ARG(last),
                     last.n ? ": most likely the second is not transposed, or the first is the product already, such "
                              "as logits where hidden states are expected."
                            : "",
                     own && str_has(own->file, STR("_compiled_cache/"))
                         ? " The library generates that file: delete its directory, so that the new version writes it "
                           "again."
                         : ""));
}

/* Where no message is known: the part that fails has steps of its own, before what is said of any bug. */
static bool add_of_part(struct arena *a, const struct error *e, bool general, struct error_steps *out)
{
    const struct error_part *part = error_part_of(e);

    if (!part || (!general && e->category != ERROR_OTHER && e->category != ERROR_DYNAMO_BUG &&
                  e->category != ERROR_CUDA_GRAPHS && !(e->category == ERROR_USER && part->alone)))
        return false;
    error_step_say_each(a, out, part->steps);
    if (part->whole)
        return true;
    say_of_any_bug(a, part,
                   e->category == ERROR_DYNAMO_BUG             ? steps[ERROR_DYNAMO_BUG]
                   : error_owner_is_runtime(e)                 ? runtime_steps
                   : e->failure->part == FAILED_IN_AOTAUTOGRAD ? aotautograd_steps
                   : failed_in_inductor(e)                     ? inductor_steps
                                                               : compiler_steps,
                   out);
    return true;
}

/* It says more of FSDP's code than that it is PyTorch's. */
static bool is_answer_of_fsdp(const struct error_answer *answer)
{
    return answer && str_has(str_of(answer->steps[0]), STR("FSDP"));
}

static bool may_go_on(const struct error *e)
{
    return e->category == ERROR_GRAPH_BREAK && error_break_may_go_on(e->failure);
}

/* The text does not say whether `torch.compile` or an export raised it. */
static bool add_of_either(struct arena *a, const struct error *e, struct error_steps *out)
{
    if (e->category != ERROR_GRAPH_BREAK || !error_may_be_export(e->failure))
        return false;
    error_step_say(a, out,
                   STR("If `torch.compile` raised it, leaving out `fullgraph=True` compiles the rest around the break. "
                       "If an export did, try `torch.export.export(..., strict=False)`."));
    return true;
}

/* Checked: quantile exports in 2.13, and not in 2.6; sort and lerp in both. */
static void say_reader(struct arena *a, const struct error *e, struct error_steps *out)
{
    struct str name = error_reads_values(e);

    error_step_say(a, out,
                   arena_printf(a,
                                "`%.*s` itself compares values of its tensors, and not the program: there is nothing "
                                "to state or to mask. Try a newer PyTorch, or compute the same with other operators%s",
                                STR_ARG(name),
                                str_has(name, STR("quantile"))
                                    ? ": 2.13 exports a quantile; in any version, sort along the dimension, and "
                                      "`lerp` between the two neighbors."
                                    : ". Or make the call a custom operator (`torch.library.custom_op`, 2.4 and "
                                      "later), which is not traced."));
    if (is_export(e->failure))
        error_step_say(a, out, str_of(export_steps[ERROR_DATA_DEPENDENT][1]));
}

/* The operator's own code asked a fake tensor for its data. */
static bool runs_on_fake_tensors(const struct error *e)
{
    static const struct str words[] = {STR_INIT("but its data is not allocated yet"),
                                       STR_INIT("Cannot access data pointer of Tensor"),
                                       STR_INIT("access data pointer of Tensor that doesn't have storage")};

    return e->category == ERROR_FAKE_TENSOR && is_custom_operator(e->failure) &&
           STR_HAS_ANY(str_take(e->failure->message, ERROR_SEARCHED), words);
}

/* "torch.ops.shop.price", of a package that has no fake kernel for it. */
static void say_operator(struct arena *a, const struct error *e, struct error_steps *out)
{
    struct str name = error_failed_call(e->failure), rest = name, space = str_split(&rest, '.'),
               op = str_split(&rest, '.');
    const struct call *own = stack_own_call(e->failure->stack);
    bool called = own && own->function.n && own->function.p[0] != '<';

    error_step_say(
        a, out,
        arena_printf(a,
                     "The operator `%.*s` of a package has no fake kernel, so its own code ran, on tensors without "
                     "data. A newer version of the package may have one; else register one that returns empty tensors "
                     "of the right sizes: `torch.library.Library(\"%.*s\", \"IMPL\").impl(\"%.*s\", f, \"Meta\")`. Or "
                     "use an operator of PyTorch's own%s.",
                     STR_ARG(name), STR_ARG(space), STR_ARG(op),
                     str_has(op, STR("scatter")) ? ", such as `scatter_reduce`" : ""));
    error_step_say(a, out,
                   arena_printf(a,
                                "Until then keep the call out of the graph, without `fullgraph=True`: `f = "
                                "torch.compiler.disable(f)` for the function that calls it%s%.*s%s, before the first "
                                "compiled call.",
                                called ? " (`" : "", called ? (int)own->function.n : 0, called ? own->function.p : "",
                                called ? "`)" : ""));
}

/*
 * What PyTorch compiles itself, with `fullgraph=True`, where a higher-order operator is called outside of compiled code
 * (torch/_higher_order_ops, torch/nn/attention/flex_attention.py): in compiled code nothing traces these functions.
 */
static const struct {
    struct str function;
    const char *operator_;
} compiled_by_pytorch[] = {
    {STR_INIT("_flex_attention_hop_wrapper"), "flex_attention"}, {STR_INIT("_cond_op_wrapper"), "cond"},
    {STR_INIT("_while_loop_op_wrapper"), "while_loop"},          {STR_INIT("run_flattened_scan"), "scan"},
};

static bool say_compiled_by_pytorch(struct arena *a, const struct error *e, struct error_steps *out)
{
    for (const struct call *c = e->category == ERROR_GRAPH_BREAK ? e->failure->stack : NULL; c; c = c->parent)
        for (size_t i = 0; i < sizeof compiled_by_pytorch / sizeof *compiled_by_pytorch; i++)
            if (str_eq(c->function, compiled_by_pytorch[i].function) && is_framework_file(c->file)) {
                error_step_say(a, out,
                               arena_printf(a,
                                            "PyTorch itself compiles `%s` as one graph (%.*s:%lld), as it was called "
                                            "outside of compiled code: no `torch.compile` of the program has a part "
                                            "in it. The call within a function that you compile may work.",
                                            compiled_by_pytorch[i].operator_, STR_ARG(code_file_name(c->file)),
                                            (long long)c->line));
                return true;
            }
    return false;
}

/* A message alone, in a text that names nothing of the compiler: who pasted it may not compile at all. */
static bool shows_no_compiler(const struct error *e)
{
    const struct stated *to = &e->failure->compile->process->input->stated;

    return e->category == ERROR_OTHER && e->failure->where == FAILED_RUNTIME && !e->failure->stack &&
           stated_has(to, STATED_READ) && !stated_has(to, STATED_DYNAMO) && !stated_has(to, STATED_COMPILER) &&
           !stated_has(to, STATED_OTHER_ENTRY) && !e->failure->exporting;
}

/*
 * torch/_functorch/_aot_autograd/runtime_wrappers.py: who writes `retain_graph=True` goes through the graph again, so
 * that the argument cannot be left out. With `create_graph` no setting helps.
 */
static bool keeps_graph(const struct error *e)
{
    return str_has(e->failure->message, STR("non-empty donated buffers")) &&
           str_has(e->own_source, STR("retain_graph=True")) && !str_has(e->own_source, STR("create_graph=True"));
}

static void say_kept_graph(struct arena *a, struct error_steps *out)
{
    error_step_say(
        a, out,
        STR("The line keeps the graph (`retain_graph=True`), whose buffers the compiled backward reuses. Before "
            "compiling, import the setting's module and set `torch._functorch.config.donated_buffer = False`."));
    error_step_say(a, out, STR("If no other backward follows, leave `retain_graph=True` out instead."));
}

/* Where the numbers of the message decide, nothing is left to decide. False where they do not. */
static bool say_rounding(struct arena *a, const struct error *e, struct error_steps *out)
{
    enum { JUST = 2, FAR = 4 };
    double least, most;

    if (e->category != ERROR_ACCURACY || !error_rmse_beyond(e->failure, &least, &most))
        return false;
    if (most < JUST)
        error_step_say(a, out,
                       STR("Both results are compared with float64, and the compiled one is only just beyond the "
                           "limit: most likely it is another order of rounding. Run it again, as it may pass; "
                           "else a higher tolerance (or multiplier) for this model will do. If "
                           "what the model computes in the end is wrong, find the stage that changes it: "
                           "`backend=\"aot_eager\"`, then `\"inductor\"`."));
    else if (least >= FAR)
        error_step_say(a, out,
                       STR("Both results are compared with float64, and the compiled one is far beyond the limit: most "
                           "likely it is wrong, and no rounding: find the stage that changes the numbers: "
                           "`backend=\"aot_eager\"`, then `\"inductor\"`. Inductor's bisector (2.11 and later) finds "
                           "the pass: `python -m torch._inductor.compiler_bisector run CMD`"));
    return most < JUST || least >= FAR;
}

/* What the message says is of a value of the program: whether the compiler has a part in it shows one run. */
static bool say_value(struct arena *a, const struct error *e, struct error_steps *out)
{
    struct value_error value;

    if (!error_is_of_value(e->failure, &value))
        return false;
    error_step_say(a, out,
                   arena_printf(a,
                                "Run it without `torch.compile` first. The line has `%.*s%.*s`, and the message is "
                                "what Python says of it where `%.*s` is %s%.*s: %s. Look at what `%.*s` is there.",
                                STR_ARG(value.name), STR_ARG(value.asked), STR_ARG(value.name),
                                str_eq(value.type, STR("NoneType")) ? "None, of type " : "of type ",
                                STR_ARG(value.type),
                                value.plain ? "most likely eager mode fails there, too"
                                            : "eager mode may fail there, too",
                                STR_ARG(value.name)));
    error_step_say(a, out,
                   STR("Pass what the line expects; where it is a library's, a newer version of the library may do so. "
                       "Only if eager mode takes the line, the compiler is at fault: try a newer PyTorch, then report "
                       "it with the stack that `TORCHDYNAMO_VERBOSE=1` prints. Until then exclude the function: "
                       "`@torch.compiler.disable`"));
    return true;
}

static void add_steps(struct arena *a, const struct run *r, const struct error *e, struct error_steps *out)
{
    const struct experiment *x = r->experiment;
    const struct error_answer *answer = error_answer_of(e);
    const struct error_part *part = error_part_of(e);
    bool general = error_answer_is_general(answer);
    const char *held = e->category == ERROR_OUT_OF_MEMORY ? error_memory_step(e->failure) : NULL;
    struct str moved = moved_option_answer(a, e), class = subclass_of_call(e->failure->message);

    if (add_where_message_is(a, e, out) || add_bound(a, e->failure, out))
        return;
    if (moved.n) {
        error_step_say(a, out, moved);
        return;
    }
    if (error_operator(e->failure).n && e->failure->beside.n)
        out->broken = add_break_fix(a, r, e->failure, e->failure->beside, true, out);
    else if (e->category == ERROR_GRAPH_BREAK && error_operator(e->failure).n == 0)
        out->broken = add_break_fix(a, r, e->failure, e->failure->message, answer != NULL, out);
    if (out->broken && out->broken->excluded)
        return;
    if (out->broken && error_owner_library(e))
        error_owner_say_library(a, e, error_owner_library(e), out);
    else if (out->broken && e->stack && error_is_in_library(e) && stack_own_call(e->stack))
        error_owner_say_library(a, e, stack_own_call(e->stack), out);
    if (e->category == ERROR_CONSTRAINT)
        error_range_say_suggested(a, e->failure->message, out);
    if (held)
        error_step_say(a, out, str_of(held));
    else if (e->category == ERROR_OUT_OF_MEMORY && error_memory_of_recompile(a, e->failure).n)
        error_step_say(a, out, error_memory_of_recompile(a, e->failure));
    if (held && (error_memory_is_all_taken(e->failure) || error_memory_is_tuning(e->failure) ||
                 error_memory_is_refused(e->failure)))
        return;
    if (e->category == ERROR_FAKE_TENSOR && !answer && class.n && error_failed_call(e->failure).n) {
        if (error_is_in_library(e))
            add_line_of_library(a, e, out);
        error_step_say(a, out, subclass_step(a, e->failure->message, error_failed_call(e->failure), e->own_source));
    } else if (e->category == ERROR_FAKE_TENSOR && error_owner_pytorch(e) && !is_answer_of_fsdp(answer))
        error_owner_say_pytorch(a, error_owner_pytorch(e), out);
    else if (general && add_of_part(a, e, true, out))
        answer = NULL;
    else if (runs_on_fake_tensors(e))
        say_operator(a, e, out);
    else if (say_rounding(a, e, out) || error_branches_say(a, e, answer, out))
        return;
    else if (keeps_graph(e))
        say_kept_graph(a, out);
    else if (answer) {
        if (error_owner_is_left_out(e, answer))
            error_owner_say_within(a, e, answer, out);
        else if (error_owner_is_warned(e))
            error_owner_say_warned(a, e, answer, out);
        else
            error_step_say_each(a, out, answer->steps);
    } else if (say_value(a, e, out))
        return;
    else if (error_chooses_size(e))
        error_choice_say(a, e, out);
    else if (error_asks_zero_size(e) && !error_is_in_library(e) && !error_owner_is_within_library(e))
        error_zero_size_say(a, e, out);
    else if (error_reads_values(e).n)
        say_reader(a, e, out);
    else if (error_range_is_too_wide(e))
        error_range_say(a, e->failure->message, process_pytorch(e->failure->compile->process), out);
    else if (e->category == ERROR_GRAPH_BREAK && e->failure->suppressed)
        error_step_say(
            a, out,
            STR("Nothing failed: the graph breaks there, and the program goes on. A newer PyTorch traces more."));
    else if (e->category == ERROR_DATA_DEPENDENT && error_is_asked_by_compiler(e->failure->message))
        return;
    else if (error_owner_is_generated(e))
        error_owner_say_generated(a, e, out);
    else if (e->category == ERROR_DATA_DEPENDENT && (error_is_in_library(e) || error_owner_is_within_library(e)))
        error_owner_say_asking(a, e, out);
    else if (error_outside_say(a, e, out))
        return;
    else if (error_owner_resumed(e))
        error_owner_say_resumed(a, e, out);
    else if (is_export(e->failure) && e->category == ERROR_GRAPH_BREAK && asks_for_a_value(out->broken))
        error_step_say(a, out, str_of(export_steps[ERROR_GRAPH_BREAK][1]));
    else if (is_export(e->failure) && part && part->exports && add_of_part(a, e, false, out))
        return;
    else if (is_export(e->failure) && error_outside_say_tracing(a, e, out))
        return;
    else if (is_export(e->failure) && export_steps[e->category][0]) {
        error_step_say_each(a, out, export_steps[e->category]);
        if (e->category == ERROR_CONSTRAINT && becomes_number(e->failure->message))
            error_step_say(a, out,
                           STR("If it should vary, let that line take the number from the input (`x.shape[0]`), or use "
                               "`-1` in a `view`. It may also be the size of another tensor, which has no name for "
                               "it."));
    } else if (e->category == ERROR_BACKEND)
        add_of_backend(a, x, e, out);
    else if (e->category == ERROR_RECOMPILATION)
        add_of_recompile(a, e, out);
    else if (e->category == ERROR_DYNAMO_BUG && error_is_of_rewritten(e->failure))
        error_step_say_each(a, out, rewritten_steps);
    else if (e->category == ERROR_DYNAMO_BUG && error_owner_is_library(e))
        error_owner_say_traced(a, error_owner_library(e), out);
    else if (!(out->broken && out->broken->raised) && add_of_part(a, e, false, out))
        return;
    else if (error_owner_is_runtime(e))
        error_step_say_each(a, out, runtime_steps);
    else if (error_owner_is_compiler(e))
        error_step_say_each(a, out, compiler_steps);
    else if (error_owner_is_wrapper(e))
        error_owner_say_wrapper(a, e, out);
    else if (error_owner_is_program(e))
        error_owner_say_program(a, e, out);
    else if (error_owner_is_other(e))
        error_step_say(
            a, out,
            STR("Nothing in this text comes from `torch.compile`: look at the code in which the stack ends, or ask its "
                "authors."));
    else if (error_outside_say_tracing(a, e, out))
        return;
    else if (e->category == ERROR_WARNING && (e->failure->type.n == 0 || str_eq(e->failure->type, STR("Warning"))))
        error_step_say(a, out, STR("The program goes on. What the warning asks for stands in its words."));
    else if (str_eq(e->failure->type, STR(LOGGED_ERROR_TYPE)))
        error_step_say(
            a, out,
            STR("These words are not known here, and the text does not show what came of them: look at what the "
                "program printed below. If it went on with right results, they are harmless; else try a newer PyTorch, "
                "then report them with what stands above and below."));
    else if (e->category == ERROR_USER && compiled_nothing(x))
        error_step_say(a, out, STR("Nothing was compiled until then: the error is not the compiler's."));
    else if (e->category == ERROR_OUT_OF_MEMORY && compiled_nothing(x))
        error_step_say(a, out, STR("Less at once: a smaller batch. Nothing was compiled until then."));
    else if (e->category == ERROR_FAKE_TENSOR && error_is_in_library(e))
        add_line_of_library(a, e, out);
    else if (say_compiled_by_pytorch(a, e, out))
        return;
    else if (error_store_is(e))
        error_step_say_each(a, out, store_steps);
    else if (error_store_is_of_gloo(e))
        error_step_say_each(a, out, gloo_steps);
    else if (shows_no_compiler(e))
        error_step_say(a, out,
                       STR("The text does not show that anything is compiled: if nothing is, the message is about the "
                           "program, or a library that it uses. If `torch.compile` is in use, run once without it: "
                           "the same error there is not the compiler's."));
    else if (!error_native_is(e) && !add_trials(a, x, e, out) && !may_go_on(e) &&
             !(out->broken && (out->broken->raised || out->broken->kind == BREAK_QUANTIZED ||
                               out->broken->kind == BREAK_UNCALLED)) &&
             !error_ranks_are_behind(e->failure) && !add_of_either(a, e, out) &&
             !error_cuda_say(a, e, out))
        error_step_say_each(a, out, steps[e->category]);
    if (error_refuses_size(e->failure) && !(answer && str_has(str_of(answer->steps[0]), STR("dynamic=False"))))
        error_step_say(a, out,
                       STR("A size that varies takes part in the line (`ks0`, `ks1`, ...): compiled for each size, "
                           "`torch.compile(dynamic=False)`, the kernel has a number there."));
    if (e->category == ERROR_TRITON_KERNEL && e->stage == AT_RUNTIME && !answer)
        error_step_say(a, out, STR("Make the crash exact: `CUDA_LAUNCH_BLOCKING=1`"));
    if (e->category == ERROR_OTHER && !e->stack && e->own_file.n == 0)
        error_step_say(a, out,
                       STR("The text does not show who called: its traceback, from the line `Traceback` on, shows "
                           "it."));
    if (e->category == ERROR_OUT_OF_MEMORY && !held && memory_step(e->failure))
        error_step_say(a, out, str_of(memory_step(e->failure)));
    if (e->category == ERROR_FAKE_TENSOR && !answer && is_custom_operator(e->failure))
        error_step_say(a, out, STR("A custom operator needs a fake kernel: `torch.library.register_fake`"));
}

/*
 * What the message itself asks for comes before what is said of any error of the kind. Of those that are left out,
 * other answers weigh what the message suggests.
 */
static void add_remedy(struct arena *a, const struct error *e, struct error_steps *out)
{
    static const enum error_category weighed[] = {ERROR_OUT_OF_MEMORY, ERROR_GRAPH_BREAK, ERROR_RECOMPILATION,
                                                  ERROR_DATA_DEPENDENT, ERROR_CONSTRAINT};
    const struct error_answer *answer = error_answer_of(e);
    struct str named;

    for (size_t i = 0; i < sizeof weighed / sizeof *weighed; i++)
        if (e->category == weighed[i])
            return;
    if ((answer && !error_answer_is_general(answer)) || str_eq(e->failure->type, STR(NOTE_TYPE)))
        return;
    named = error_remedy_named(a, e->failure->message);
    for (size_t i = 0; i < out->list.n; i++)
        if (str_has(out->list.v[i].words, str_take(named, (size_t)(str_chr(named, '=') < 0 ? (ptrdiff_t)named.n
                                                                                         : str_chr(named, '=')))))
            return;
    if (named.n == 0)
        return;
    error_step_say(a, out, arena_printf(a, "The message itself says what to try first: `%.*s`", STR_ARG(named)));
    for (size_t i = out->list.n - 1; i > 0; i--) {
        struct error_step step = out->list.v[i];

        out->list.v[i] = out->list.v[i - 1];
        out->list.v[i - 1] = step;
    }
}

/*
 * The call of a line that decides nothing, "y[i] = self.sell(x" or "return self.sell(x)": "self.sell". Empty for any
 * other line, such as one that may be the rest of a condition.
 */
static struct str only_call_of(struct str line)
{
    static const struct str decides[] = {STR_INIT(" if "),  STR_INIT(" and "), STR_INIT(" or "), STR_INIT("not "),
                                         STR_INIT(" for "), STR_INIT(" in "),  STR_INIT("<"),    STR_INIT(">"),
                                         STR_INIT("=="),    STR_INIT("!="),    STR_INIT("lambda")};
    struct str call = str_trim(line);
    ptrdiff_t set = str_find(call, STR(" = ")), open = str_chr(call, '(');

    if (STR_HAS_ANY(call, decides) || open < 0)
        return (struct str){0};
    if (set >= 0 && set < open)
        call = str_skip(call, (size_t)set + 3);
    else if (!str_consume(&call, STR("return ")))
        return (struct str){0};
    call = str_take(call, (size_t)str_chr(call, '('));
    return python_is_dotted(call) ? call : (struct str){0};
}

/* PyTorch names the line with the branch: if the last one that is shown has none, the calls below it are missing. */
static struct str call_above_branch(const struct error *e, const struct error_steps *out)
{
    if (!out->broken || out->broken->kind != BREAK_BRANCH || !e->stack || e->stack->file.n == 0)
        return (struct str){0};
    return only_call_of(e->stack->source);
}

/* Where the stack is cut off, the line that is shown only leads to the one that fails. */
static void say_below(struct arena *a, const struct error *e, struct error_steps *out)
{
    static const struct str line = STR_INIT("Rewrite the line, or move it out of the compiled function.");
    struct str words = out->list.n ? out->list.v[0].words : (struct str){0}, call = call_above_branch(e, out);
    ptrdiff_t at = str_find(words, line);

    if (words.n == 0)
        return;
    if (call.n) {
        out->list.v[0].words =
            arena_printf(a,
                         "This line has no branch: most likely the stack is cut off here, and the branch is in `%.*s` "
                         "or below it. %.*s",
                         STR_ARG(call), STR_ARG(words));
        return;
    }
    if (!e->failure->incomplete_below || e->category != ERROR_GRAPH_BREAK)
        return;
    if (at >= 0)
        words = arena_printf(a, "%.*sMove the call out of the compiled function, or rewrite what it leads to.%.*s",
                             (int)at, words.p, STR_ARG(str_skip(words, (size_t)at + line.n)));
    out->list.v[0].words = arena_printf(a,
                                        "The stack is cut off in this text: the line that fails is below the one that "
                                        "is shown. %.*s%s",
                                        STR_ARG(words),
                                        str_has(words, STR("pass the value in."))
                                            ? " Where it is a library's, keep that function out of the graph "
                                              "(`torch.compiler.disable`), or make it a custom operator "
                                              "(`torch.library.custom_op`), which is in the graph."
                                            : "");
}

static void find_steps(struct arena *a, const struct run *r, const struct error *e, struct error_steps *out)
{
    const struct artifact *runnable = e->category == ERROR_BACKEND ? runnable_of(e->failure->compile) : NULL;

    *out = (struct error_steps){0};
    if (e->fault) {
        error_machine_add_steps(a, e, out);
        return;
    }
    if (error_machine_add_variable(a, e, out))
        return;
    if (!error_answer_of(e) && error_machine_add_raiser(a, e, out))
        return;
    out->own = e->category == ERROR_BACKEND ? e->failure->own_code : NULL;
    if (out->own && !is_program_file(out->own->file))
        out->own = NULL;
    if (out->own) {
        error_step_say(a, out,
                       arena_printf(a,
                                    "The compiler runs `%.*s` of this program, and that raises it: fix it there. "
                                    "`backend=\"eager\"` shows what the model does without it.",
                                    STR_ARG(out->own->function)));
        return;
    }
    error_native_add_steps(a, e, out);
    if (e->category == ERROR_COLLECTIVE)
        error_ranks_add_steps(a, e->failure, out);
    add_concurrent(a, e, out);
    add_steps(a, r, e, out);
    error_details_add(a, e, out);
    add_remedy(a, e, out);
    say_below(a, e, out);
    if (runnable && error_runs_alone(a, runnable)) {
        out->alone = arena_printf(a, "%.*s > repro.py && python repro.py", STR_ARG(command_show(a, runnable)));
        error_step_say(a, out, arena_printf(a, "Run the failing graph alone: `%.*s`", STR_ARG(out->alone)));
    }
    if (e->category == ERROR_RECOMPILATION)
        error_step_say(a, out, recompile_setting(e->failure));
}

void error_next_steps(struct arena *a, const struct run *r, const struct error *e, struct error_steps *out)
{
    find_steps(a, r, e, out);
    error_fit_steps(a, e, out);
}
