#include "analysis/errors/error_outside.h"

#include "analysis/errors/error_owner.h"
#include "model/code_file.h"

/* --- out of the backward ------------------------------------------------------------------------------------------ */

/* The stack ends where Python calls autograd's engine, in a text that compiles something. */
static bool is_of_backward(const struct error *e)
{
    const struct stated *to = &e->failure->compile->process->input->stated;
    const struct call *last = e->failure->stack;

    return (e->category == ERROR_USER || e->category == ERROR_OTHER) && !e->failure->exporting && last &&
           stated_has(to, STATED_DYNAMO) && !error_owner_has_compiled(e) && code_file_has(last->file, STR("torch/")) &&
           (str_eq(last->function, STR("_engine_run_backward")) || str_has(last->source, STR("run_backward(")));
}

/* "132948266552741" of "shape '[132948266552741, 4, 6144]' is invalid ...": no tensor has such a size. */
static struct str no_size(struct str message)
{
    enum { LARGEST_BITS = 40 };
    struct str list;

    if (!str_between(str_first_line(message), STR("["), STR("]"), &list))
        return (struct str){0};
    while (list.n) {
        struct str word = str_trim(str_split(&list, ','));
        int64_t number;

        if (str_i64(word, &number) && (number < -1 || number >> LARGEST_BITS))
            return word;
    }
    return (struct str){0};
}

static void say_backward(struct arena *a, const struct error *e, struct error_steps *out)
{
    struct str garbage = no_size(e->failure->message);

    if (garbage.n)
        error_step_say(
            a, out,
            arena_printf(a,
                         "%.*s is no size that a tensor has: the shapes of your inputs are not at fault. Most likely "
                         "a view in the compiled backward, of which no line is on the stack (it runs below autograd's "
                         "C++ engine), reads a size that was never set. That is a bug of PyTorch: try a newer version, "
                         "then report it.",
                         STR_ARG(garbage)));
    else
        error_step_say(
            a, out,
            STR("The error comes out of the backward, which may be the one that AOTAutograd made of the compiled "
                "function: it runs below autograd's C++ engine, so that none of it is on the stack. Run the same "
                "uncompiled: if that works, it is the compiled backward's. Try a newer PyTorch then, and report it."));
    error_step_say(
        a, out,
        STR("`backend=\"aot_eager\"` shows whether Inductor has a part in it. Until it is fixed, keep the function "
            "whose backward it is (such as an `autograd.Function` of the program) uncompiled: "
            "`@torch.compiler.disable`"));
}

/* --- a check of the program's own --------------------------------------------------------------------------------- */

static bool is_assertion(const struct error *e)
{
    const struct call *last = e->failure->stack;

    return (e->category == ERROR_USER || e->category == ERROR_OTHER) && !e->failure->exporting && last &&
           !e->failure->incomplete && e->failure->where != FAILED_FORWARD && e->failure->where != FAILED_BACKWARD &&
           str_eq(e->failure->type, STR("AssertionError")) && str_starts(e->own_source, STR("assert ")) &&
           last->line == e->own_line && str_eq(last->file, e->own_file) && !error_owner_has_compiled(e) &&
           !error_owner_compares(e);
}

/* "not self.model.training" of "assert not self.model.training, "needs eval mode"". */
static struct str asserted(struct str source)
{
    enum { SHOWN_MAX = 80 };
    ptrdiff_t end;

    str_consume(&source, STR("assert "));
    end = str_find(source, STR(", \""));
    end = end < 0 ? str_find(source, STR(", '")) : end;
    end = end < 0 ? str_find(source, STR(", f")) : end;
    source = str_take(source, end < 0 ? source.n : (size_t)end);
    return source.n > SHOWN_MAX || str_chr(source, '`') >= 0 ? (struct str){0} : source;
}

static void say_assertion(struct arena *a, const struct error *e, struct error_steps *out)
{
    struct str what = asserted(e->own_source);

    error_step_say(
        a, out,
        arena_printf(a,
                     "The program's own check fails%s%.*s%s, and no code of the compiler raised it. See what it reads. "
                     "The type and the attributes of a compiled module are those of its wrapper (`OptimizedModule`): "
                     "ask the module within, `model._orig_mod`, or compile in place (`model.compile()`), which makes "
                     "no wrapper.",
                     what.n ? " (`" : "", STR_ARG(what), what.n ? "`)" : ""));
    if (str_has(e->own_source, STR(".training")))
        error_step_say(
            a, out,
            STR("`eval()` and `train()` reach the module within, whose flag is what compiled code goes by. In older "
                "versions the wrapper has a flag `training` of its own, which they leave as it is; newer ones (2.5.1 "
                "and later, as far as seen) hand it on."));
    else
        error_step_say(a, out,
                       STR("A value that compiled code computed: compare it with eager mode, by stages: "
                           "`backend=\"eager\"`, then `\"aot_eager\"`, then `\"inductor\"`."));
}

/* --- exported programs that are read back ------------------------------------------------------------------------- */

static bool is_of_reader(const struct error *e)
{
    static const struct str types[] = {STR_INIT("AttributeError"), STR_INIT("KeyError"),   STR_INIT("TypeError"),
                                       STR_INIT("AssertionError"), STR_INIT("IndexError"), STR_INIT("NameError")};
    const struct call *last = e->failure->stack;

    return last && STR_IS_ANY(e->failure->type, types) && code_file_has(last->file, STR("torch/_export/serde/")) &&
           stack_calls(last, STR("load_pt2\nload\ndeserialize\n_load_exported_programs\nload_package"));
}

static void say_reader(struct arena *a, const struct error *e, struct error_steps *out)
{
    const struct call *last = e->failure->stack;
    bool fake = stack_calls(last, STR("_reconstruct_fake_tensor")) ||
                str_has(str_first_line(e->failure->message), STR("symbol_name_to_range"));

    error_step_say(
        a, out,
        arena_printf(a,
                     "PyTorch's own code fails while it reads the exported program back (%.*s), which is most likely "
                     "a bug of that reader, and no fault of the file or of your program.%s Read it with the "
                     "version that wrote it, or export and read it with a newer PyTorch, then report it.",
                     STR_ARG(code_file_name(last->file)),
                     fake ? " It reads a constant that is a fake tensor, as one is that was made during tracing: most "
                            "likely its size is dynamic. Keep no such tensor on the module (a buffer that is made "
                            "before the export), or export with fixed sizes."
                          : ""));
    error_step_say(a, out,
                   STR("Until then use the program in the process that exported it, or another way to save it "
                       "(`torch.export.save` with `torch.export.load`, or a package of AOTInductor)."));
}

/* --- what PyTorch itself refuses ---------------------------------------------------------------------------------- */

/* Of the compiler and what traces: files whose functions programs call. */
static bool is_for_programs(struct str file)
{
    static const struct str files[] = {STR_INIT("torch/_dynamo/decorators.py"),
                                       STR_INIT("torch/_dynamo/eval_frame.py"),
                                       STR_INIT("torch/_dynamo/comptime.py"),
                                       STR_INIT("torch/_dynamo/backends/registry.py"),
                                       STR_INIT("torch/_functorch/apis.py"),
                                       STR_INIT("torch/_functorch/vmap.py"),
                                       STR_INIT("torch/_functorch/eager_transforms.py"),
                                       STR_INIT("torch/_functorch/functional_call.py"),
                                       STR_INIT("torch/_functorch/make_functional.py"),
                                       STR_INIT("torch/_library/custom_ops.py")};

    return CODE_FILE_HAS_ANY(file, files);
}

/* A line of PyTorch raised it, and no rule for what is compiled or exported has an answer. */
static bool is_outside(const struct error *e)
{
    const struct call *last = e->failure->stack;

    return (e->category == ERROR_USER || e->category == ERROR_OTHER) && last &&
           code_file_has(last->file, STR("torch/")) && is_framework_file(last->file) && !error_answer_of(e);
}

/* The call of PyTorch that raised it, of the program or of another package, if nothing was compiled there. */
static bool was_called(const struct error *e)
{
    const struct call *last = e->failure->stack;

    if (!is_outside(e) || e->failure->exporting || !stack_own_call(last))
        return false;
    if (last->parent && !is_framework_file(last->parent->file) && is_for_programs(last->file))
        return true;
    return !error_owner_has_compiled(e) && !code_file_traces(last->file);
}

/* `raise ValueError(...)`: the message was written for whoever calls. */
static bool is_refusal(const struct error *e)
{
    struct str raised = was_called(e) ? e->failure->stack->source : (struct str){0}, type = e->failure->type;

    return str_consume(&raised, STR("raise ")) &&
           str_consume(&raised, str_skip(type, (size_t)(str_rchr(type, '.') + 1))) && str_starts(raised, STR("(")) &&
           (!str_eq(type, STR("AssertionError")) || is_for_programs(e->failure->stack->file));
}

/* `assert n > 0`, `raise AssertionError(...)`: no argument is checked, but what PyTorch's own code relies on. */
static bool is_own_check(const struct error *e)
{
    const struct call *last = e->failure->stack;

    return is_outside(e) && str_eq(e->failure->type, STR("AssertionError")) && !error_owner_has_compiled(e) &&
           (str_starts(last->source, STR("assert ")) || str_starts(last->source, STR("raise AssertionError")));
}

/* What runs programs on tensors without data, or records their calls, fails itself. */
static bool is_of_tracing(const struct error *e)
{
    return is_outside(e) && !e->failure->exporting && code_file_traces(e->failure->stack->file) &&
           !error_owner_has_compiled(e);
}

static const char *not_compiled(const struct error *e)
{
    return error_owner_is_other(e) ? " Nothing in this text comes from `torch.compile`." : "";
}

static void say_refusal(struct arena *a, const struct error *e, struct error_steps *out)
{
    const struct call *c = e->failure->stack;

    error_step_say(a, out,
                   arena_printf(a,
                                "PyTorch checks there what it is given (`%.*s`, %.*s), and raises this on purpose: the "
                                "message says what it does not accept. Change the call, or the settings that lead to "
                                "it.%s",
                                STR_ARG(c->function), STR_ARG(code_file_tail(c->file, 2)), not_compiled(e)));
}

static void say_own_check(struct arena *a, const struct error *e, struct error_steps *out)
{
    const struct call *c = e->failure->stack;

    error_step_say(a, out,
                   arena_printf(a,
                                "A check within PyTorch fails (`%.*s`, %.*s:%lld), of a state that its own code relies "
                                "on.%s A call in another order, or with other arguments, than its documentation has "
                                "may lead there: compare the program's. If it has none, this is a bug of PyTorch: try "
                                "a newer version, then report it with the whole stack.",
                                STR_ARG(c->function), STR_ARG(code_file_tail(c->file, 2)), (long long)c->line,
                                not_compiled(e)));
}

static void say_tracing(struct arena *a, const struct error *e, struct error_steps *out)
{
    const struct call *c = e->failure->stack;

    error_step_say(a, out,
                   arena_printf(a,
                                "What fails is code of PyTorch (%.*s:%lld) that runs a program on tensors without data "
                                "or records its calls, as `torch.compile`, `torch.export` and FX let it. Run the same "
                                "without them: the same error there is the program's. Otherwise try a newer PyTorch, "
                                "then report it with the whole stack.",
                                STR_ARG(code_file_tail(c->file, 2)), (long long)c->line));
}

/* --- operators that generated code calls -------------------------------------------------------------------------- */

/* "extern_kernels.addmm(buf4, ..., out=buf7)" of code that Inductor wrote: the line that raised; else an empty text. */
static struct str generated_call(const struct failure *f)
{
    const struct call *last = f->stack;
    struct str line = last && code_file_is_inductors(last->file) ? str_trim(last->source) : STR("");
    ptrdiff_t assigned = str_find(line, STR(" = "));

    if (!last && str_starts(f->beside, STR("extern_kernels.")))
        line = f->beside;
    if (assigned > 0 && str_chr(str_take(line, (size_t)assigned), '(') < 0)
        line = str_skip(line, (size_t)assigned + 3);
    return str_starts(line, STR("extern_kernels.")) || str_starts(line, STR("torch.ops.")) ? line : (struct str){0};
}

/* The name alone: arguments are buffers, which say nothing. */
static struct str name_of_call(struct str line)
{
    ptrdiff_t open = str_chr(line, '(');

    return open > 0 ? str_take(line, (size_t)open) : line;
}

/* The operator refuses the machine or the type of its tensors, as it does in eager mode. */
static bool refuses_machine(struct str message)
{
    return str_has_any_line(message, STR("nly supported on\nnly supports \nnot supported on\nnot supported for\n"
                                         "requires compute capability\nrequires a GPU\nnot compiled with\n"
                                         "not implemented for '"));
}

/* The operator refuses sizes that were right when the graph was traced. */
static bool refuses_shapes(struct str message)
{
    return str_has_any_line(message, STR("must match the existing size\nmust match the size of tensor\nize mismatch\n"
                                         "shapes cannot be multiplied\ninvalid for input of size\n"
                                         "to have the same size\nexpected size\nmust have the same number of\n"
                                         "shape of the output\nresizing an output"));
}

static bool is_of_called_operator(const struct error *e)
{
    struct str message = str_take(e->failure->message, ERROR_SEARCHED);

    return (e->category == ERROR_USER || e->category == ERROR_OTHER || e->category == ERROR_BACKEND) &&
           generated_call(e->failure).n && (refuses_machine(message) || refuses_shapes(message));
}

static void say_called_operator(struct arena *a, const struct error *e, struct error_steps *out)
{
    struct str name = name_of_call(generated_call(e->failure));

    if (refuses_machine(str_take(e->failure->message, ERROR_SEARCHED))) {
        error_step_say(a, out,
                       arena_printf(a,
                                    "The operator itself refuses what the message names (`%.*s`, which compiled code "
                                    "calls as it is), and does so in eager mode, too: without `torch.compile` it is "
                                    "the same. Do without it on this machine: another dtype, another operator or "
                                    "implementation, or a device that the message names.",
                                    STR_ARG(name)));
        return;
    }
    error_step_say(
        a, out,
        arena_printf(a,
                     "The call that fails, `%.*s`, is in code that Inductor wrote, and the graph was traced with sizes "
                     "that fit: most likely Inductor is at fault, not the function. Try a newer PyTorch, then report "
                     "it with the code that `TORCH_LOGS=output_code` prints.",
                     STR_ARG(name)));
    error_step_say(a, out,
                   STR("Until it is fixed, exclude the function: `@torch.compiler.disable`. `backend=\"aot_eager\"` "
                       "compiles without Inductor."));
}

/* --- PyTorch's distributed part ----------------------------------------------------------------------------------- */

/* DDP, FSDP and c10d raise it while no graph runs: nothing that the compiler does changes it. */
static bool is_of_ranks(const struct error *e)
{
    static const char words[] = "DDP \nDDP.\nDistributedDataParallel\nFSDP\nc10d\nrocess group\nProcessGroup\n"
                                "NCCL\nRendezvous\nrendezvous\nworld_size\nworld size\nall ranks\n"
                                "torch.distributed\ninit_process_group";
    const struct failure *f = e->failure;

    return (e->category == ERROR_USER || e->category == ERROR_OTHER) && !f->exporting && f->where != FAILED_FORWARD &&
           f->where != FAILED_BACKWARD && !error_owner_has_compiled(e) && !error_owner_is_compiler(e) &&
           (str_has_any_line(str_take(f->message, ERROR_SEARCHED), str_of(words)) ||
            str_has_any_line(f->type, str_of(words)) ||
            (f->stack && code_file_has(f->stack->file, STR("torch/distributed/"))));
}

static void say_ranks(struct arena *a, const struct error *e, struct error_steps *out)
{
    (void)e;
    error_step_say(
        a, out,
        STR("This is raised by the part of PyTorch that connects processes (DDP, FSDP, c10d); most likely "
            "`torch.compile` has no part in it. What the message names must be the same, or be there, on every rank. "
            "Compare the ranks: the model, the number of processes, a GPU for each, the address and the port."));
    error_step_say(a, out,
                   STR("Read the first error of any rank: the others often only report that one is gone. "
                       "`TORCH_DISTRIBUTED_DEBUG=DETAIL` checks more, and says more."));
}

/* --- compiled code in a file -------------------------------------------------------------------------------------- */

static bool is_of_stored_code(const struct error *e)
{
    return error_is_of_stored_code(e->failure);
}

/* "aot_autograd_artifacts=[]" of the message, or the assertion of it where the message has no list. */
static bool lacks_entry(const struct failure *f)
{
    return str_has_any_line(str_take(f->message, ERROR_SEARCHED),
                            STR("aot_autograd_artifacts=[]\ndue to no aot_autograd artifacts"));
}

/*
 * standalone_compile saves what AOTAutograd wrote to its cache. With strict_autograd_cache (2.5) PyTorch raises the
 * reason for which it writes nothing (autograd_cache.py).
 */
static void say_saved(struct arena *a, const struct failure *f, struct error_steps *out)
{
    static const struct str several = STR_INIT("more than one artifact"), none = STR_INIT("no artifact to save");
    bool lacks = lacks_entry(f);

    if (!lacks && !str_has(str_take(f->message, ERROR_SEARCHED), none)) {
        error_step_say(a, out,
                       str_has(str_take(f->message, ERROR_SEARCHED), several)
                           ? STR("The code is compiled, but cannot be saved: it has several entries in AOTAutograd's "
                                 "cache, where one is expected. Compile nothing else within `standalone_compile`, or "
                                 "try a newer PyTorch, then report it with this stack.")
                           : STR("The code is compiled; what fails is to save it. The line that fails says what is "
                                 "expected there (of the path, or of the format): compare the call. Where it fits, try "
                                 "a newer PyTorch, then report it with this stack."));
        return;
    }
    error_step_say(a, out,
                   arena_printf(a,
                                "The code is compiled; what fails is to save it. It is saved from AOTAutograd's cache, "
                                "which has no entry for it%s. Let PyTorch raise the reason while it compiles: "
                                "`torch._functorch.config.strict_autograd_cache = True`",
                                lacks ? " (`aot_autograd_artifacts` is empty)" : ""));
    error_step_say(
        a, out,
        STR("Possible reasons are caches that are off (`TORCHINDUCTOR_FORCE_DISABLE_CACHES`), something in the graph "
            "that cannot be cached, and inputs that require gradients, whose backward is not compiled yet: if none is "
            "needed, compile under `torch.no_grad()`. A newer PyTorch may save it; else report it with this stack."));
}

/* What is loaded begins with a key of PyTorch's own sources. */
static void say_stored_code(struct arena *a, const struct error *e, struct error_steps *out)
{
    static const struct str key = STR_INIT("torch_key()");
    const struct call *last = e->failure->stack;

    if (str_eq(last->function, STR("save")))
        say_saved(a, e->failure, out);
    else if (str_has(last->source, key) || str_has(e->failure->message, key))
        error_step_say(a, out,
                       STR("The file was saved by another PyTorch, or by another build of it: compile and save it "
                           "again with this one."));
    else
        error_step_say(a, out,
                       STR("Compiled code cannot be loaded; nothing is compiled there. The line that fails says what "
                           "is expected: compare the path and the `format` with those of `save`, and load it with the "
                           "version of PyTorch that saved it. If that fits, save it again, or report it with this "
                           "stack."));
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

struct outside {
    bool (*is)(const struct error *e);
    void (*say)(struct arena *a, const struct error *e, struct error_steps *out);
    struct str title;
};

/* A check of code that traces is left to those who know what was traced. */
static bool is_own_check_alone(const struct error *e)
{
    return is_own_check(e) && !e->failure->exporting && !is_of_tracing(e);
}

#define TITLE_OF_OWN_CHECK STR_INIT("A check within PyTorch fails")

/* The first that holds is said. */
static const struct outside outsides[] = {
    {is_of_stored_code, say_stored_code, STR_INIT("Compiled code is not saved or loaded")},
    {is_of_reader, say_reader, STR_INIT("PyTorch's own code fails")},
    {is_of_backward, say_backward, STR_INIT("Error out of the backward")},
    {is_assertion, say_assertion, {0}},
    {is_of_called_operator, say_called_operator, {0}},
    {is_refusal, say_refusal, STR_INIT("PyTorch refuses the call")},
    {is_own_check_alone, say_own_check, TITLE_OF_OWN_CHECK},
    {is_of_ranks, say_ranks, {0}},
};

/* Said where nothing else has an answer to what was traced. */
static const struct outside of_tracing[] = {
    {is_own_check, say_own_check, TITLE_OF_OWN_CHECK},
    {is_of_tracing, say_tracing, {0}},
};

static const struct outside *outside_of(const struct error *e, const struct outside *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (rows[i].is(e))
            return &rows[i];
    return NULL;
}

static bool say(struct arena *a, const struct error *e, const struct outside *row, struct error_steps *out)
{
    if (row)
        row->say(a, e, out);
    return row != NULL;
}

struct str error_outside_title(const struct error *e)
{
    const struct outside *row = outside_of(e, outsides, sizeof outsides / sizeof *outsides);

    if (!row)
        row = outside_of(e, of_tracing, sizeof of_tracing / sizeof *of_tracing);
    return row ? row->title : (struct str){0};
}

bool error_outside_say(struct arena *a, const struct error *e, struct error_steps *out)
{
    return say(a, e, outside_of(e, outsides, sizeof outsides / sizeof *outsides), out);
}

bool error_outside_say_tracing(struct arena *a, const struct error *e, struct error_steps *out)
{
    return say(a, e, outside_of(e, of_tracing, sizeof of_tracing / sizeof *of_tracing), out);
}
