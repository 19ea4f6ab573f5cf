#include "analysis/errors/error_owner.h"

#include "analysis/breaks/break_advice.h"
#include "analysis/library/library_line.h"
#include "model/code_file.h"
#include "text/messages/shape_expression.h"

/* Classes of the compiler, which otherwise never appear in messages to users. */
static bool names_compiler(struct str message)
{
    static const struct str words[] = {STR_INIT("TritonKernel"),          STR_INIT("TensorBox("),
                                       STR_INIT("StorageBox("),           STR_INIT("SchedulerNode"),
                                       STR_INIT("GraphLowering"),         STR_INIT("VariableTracker"),
                                       STR_INIT("InstructionTranslator"), STR_INIT("FunctionalTensor("),
                                       STR_INIT("CompiledFxGraph"),       STR_INIT("ComputedBuffer("),
                                       STR_INIT("TensorVariable"),        STR_INIT("TorchVariable"),
                                       STR_INIT("UserDefinedObjectVariable"),
                                       STR_INIT("UserDefinedClassVariable"),
                                       STR_INIT("UserFunctionVariable"),  STR_INIT("UserMethodVariable"),
                                       STR_INIT("NNModuleVariable"),      STR_INIT("BuiltinVariable"),
                                       STR_INIT("ConstantVariable"),      STR_INIT("ConstDictVariable"),
                                       STR_INIT("ListVariable"),          STR_INIT("TupleVariable"),
                                       STR_INIT("GetAttrVariable"),       STR_INIT("SymNodeVariable"),
                                       STR_INIT("SkipFunctionVariable"),  STR_INIT("PythonModuleVariable"),
                                       STR_INIT("TorchInGraphFunctionVariable")};

    return STR_HAS_ANY(str_take(message, ERROR_SEARCHED), words);
}

bool error_owner_is_compiler(const struct error *e)
{
    enum failure_part part = e->failure->part;

    if (e->category != ERROR_OTHER || e->failure->exporting)
        return false;
    return (e->failure->where == FAILED_FORWARD &&
            (part == FAILED_IN_DYNAMO || part == FAILED_IN_INDUCTOR || part == FAILED_IN_AOTAUTOGRAD)) ||
           names_compiler(e->failure->message);
}

bool error_owner_is_below_generated(const struct call *c)
{
    for (; c; c = c->parent)
        if (str_has(c->file, STR("torchinductor_")))
            return true;
    return false;
}

bool error_owner_is_runtime(const struct error *e)
{
    static const struct str types[] = {STR_INIT("AttributeError"), STR_INIT("TypeError"), STR_INIT("KeyError"),
                                       STR_INIT("AssertionError"), STR_INIT("IndexError")};
    const struct call *last = e->failure->stack;

    if (e->category != ERROR_OTHER || !STR_IS_ANY(e->failure->type, types) || !last ||
        !code_file_has(last->file, STR("torch/_inductor/runtime/")))
        return false;
    return error_owner_is_below_generated(last->parent);
}

const struct call *error_owner_library(const struct error *e)
{
    for (const struct call *c = e->failure->stack; c; c = c->parent) {
        if (c->line == e->own_line && str_eq(c->file, e->own_file))
            return NULL;
        if (is_library_file(c->file))
            return c;
    }
    return NULL;
}

bool error_owner_is_library(const struct error *e)
{
    return stack_program_call(e->failure->stack) && error_owner_library(e);
}

const struct call *error_owner_pytorch(const struct error *e)
{
    static const struct str compiler[] = {STR_INIT("torch/_dynamo/"), STR_INIT("torch/_inductor/"),
                                          STR_INIT("torch/_functorch/"), STR_INIT("torch/_subclasses/"),
                                          STR_INIT("torch/fx/")};
    const struct call *last = e->failure->stack;

    if (last && CODE_FILE_HAS_ANY(last->file, compiler))
        return NULL;
    return last && !stack_own_call(last) && code_file_has(last->file, STR("torch/")) ? last : NULL;
}

void error_owner_say_pytorch(struct arena *a, const struct call *c, struct error_steps *out)
{
    if (code_file_has(c->file, STR("torch/distributed/fsdp/"))) {
        error_step_say(
            a, out,
            arena_printf(a,
                         "FSDP's own code fails while it is traced (%.*s:%lld): it changes the tensors of the wrapped "
                         "module. Compile the modules inside of FSDP instead of the wrapper, or use `fully_shard`.",
                         STR_ARG(code_file_name(c->file)), (long long)c->line));
        return;
    }
    error_step_say(
        a, out,
        arena_printf(a,
                     "The line that fails is PyTorch's own: %.*s:%lld. Try a newer PyTorch, or keep the call that "
                     "leads there out of the compiler: `@torch.compiler.disable`",
                     STR_ARG(code_file_name(c->file)), (long long)c->line));
}

static bool is_of_compiled(const struct call *c)
{
    return code_file_has(c->file, STR("torch/_dynamo/")) || str_starts(c->file, STR("<eval_with_key>")) ||
           code_file_runs_compiled(c->file);
}

bool error_owner_has_compiled(const struct error *e)
{
    for (const struct call *c = e->failure->stack; c; c = c->parent)
        if (is_of_compiled(c))
            return true;
    return false;
}

/* "trainer.fit(compiled_model)": what is passed on may be called by whatever the stack shows. */
static bool names_compiled(const struct call *innermost)
{
    for (const struct call *c = innermost; c; c = c->parent)
        if (str_has(c->source, STR("compiled")))
            return true;
    return false;
}

/* A partial stack proves nothing. */
bool error_owner_is_program(const struct error *e)
{
    const struct call *outermost = e->failure->stack;

    if (e->category != ERROR_USER || e->failure->where != FAILED_PROGRAM || e->failure->exporting || !e->own_line)
        return false;
    if (error_owner_has_compiled(e) || e->failure->incomplete || names_compiled(e->failure->stack))
        return false;
    for (const struct call *c = e->failure->stack; c; c = c->parent)
        outermost = c;
    return outermost && str_eq(outermost->function, STR("<module>"));
}

/* Around a graph break a function is compiled in parts: Dynamo wrote the code that calls the second one. */
int64_t error_owner_resumed(const struct error *e)
{
    struct frame frame = {.name = e->failure->stack ? e->failure->stack->function : (struct str){0}};

    if ((e->category != ERROR_USER && e->category != ERROR_OTHER) || e->failure->exporting)
        return 0;
    frame_note_resume(&frame);
    return frame.is_resume ? frame.resumes_line : 0;
}

void error_owner_say_resumed(struct arena *a, const struct error *e, struct error_steps *out)
{
    bool enters = str_starts(str_trim(e->failure->stack->source), STR("with "));

    error_step_say(a, out,
                   STR("Run the function without `torch.compile`: the same error there is not the compiler's. If only "
                       "the compiled code fails, most likely Dynamo handed over a wrong value: try a newer PyTorch, "
                       "then report it."));
    error_step_say(a, out,
                   arena_printf(a,
                                "Until then avoid the break at line %lld, or make behind it what the line takes%s.",
                                (long long)error_owner_resumed(e),
                                enters ? ": the context manager, in the `with` itself" : ""));
}

bool error_owner_is_other(const struct error *e)
{
    const struct stated *stated = &e->failure->compile->process->input->stated;

    return (e->category == ERROR_USER || e->category == ERROR_OTHER) && !e->failure->exporting && e->failure->stack &&
           !code_file_traces(e->failure->stack->file) && stated_has(stated, STATED_READ) &&
           !stated_has(stated, STATED_COMPILER);
}

bool error_owner_is_wrapper(const struct error *e)
{
    static const struct str types[] = {STR_INIT("AttributeError"), STR_INIT("TypeError"), STR_INIT("AssertionError")};
    const struct stated *stated = &e->failure->compile->process->input->stated;
    const struct call *last = e->failure->stack;

    if ((e->category != ERROR_USER && e->category != ERROR_OTHER) || e->failure->exporting || !last ||
        (!STR_IS_ANY(e->failure->type, types) &&
         !(str_eq(e->failure->type, STR("ValueError")) && is_library_file(last->file))) ||
        error_owner_has_compiled(e))
        return false;
    if (str_eq(last->function, STR("__delattr__")) && code_file_has(last->file, STR("torch/nn/modules/module.py")))
        return stated_has(stated, STATED_DYNAMO);
    return stated_has(stated, STATED_WRAPPED) && stated_has(stated, STATED_EAGER_WORKS);
}

void error_owner_say_wrapper(struct arena *a, const struct error *e, struct error_steps *out)
{
    bool deletes = str_eq(e->failure->stack->function, STR("__delattr__"));

    error_step_say(
        a, out,
        arena_printf(a,
                     "Most likely the code on the stack meets the wrapper of a compiled module: "
                     "`torch.compile(module)` returns another object, an `OptimizedModule` around the module, and %s "
                     "No compiled code runs there. Compile in place, which leaves the object as it is: "
                     "`module.compile()` (2.2 and later), else `module.forward = torch.compile(module.forward)`.",
                     deletes ? "up to PyTorch 2.6 an attribute of the module, such as a hook, can be read through it, "
                               "but not be deleted."
                             : "code that tests the type, or sets and reads attributes, meets that instead of the "
                               "module."));
    for (const struct call *c = e->failure->stack; c; c = c->parent)
        if (code_file_has(c->file, STR("transformers/trainer.py"))) {
            error_step_say(a, out,
                           STR("Or pass the Trainer the model as it was before, and let it compile: "
                               "`TrainingArguments(torch_compile=True)`. Newer versions of transformers may look "
                               "through the wrapper."));
            return;
        }
    error_step_say(a, out,
                   STR("Or hand the original module to the code on the stack: `model._orig_mod`. In Lightning: compile "
                       "the network inside of the LightningModule (`self.net = torch.compile(self.net)`) and pass the "
                       "LightningModule itself to the trainer; newer versions of Lightning (1.9 and later) also take a "
                       "compiled one."));
}

/* "raise ValueError("Tensors are different.")" of a program that compares eager mode with compiled code. */
bool error_owner_compares(const struct error *e)
{
    static const struct str words[] = {STR_INIT("differ"),    STR_INIT("mismatch"),  STR_INIT("Mismatch"),
                                       STR_INIT("not equal"), STR_INIT("not close"), STR_INIT("not match"),
                                       STR_INIT("n't match"), STR_INIT("not the same")};

    return (str_starts(e->own_source, STR("raise ")) || str_starts(e->own_source, STR("assert "))) &&
           (STR_HAS_ANY(e->failure->message, words) || str_has(e->own_source, STR("allclose("))) &&
           stated_has(&e->failure->compile->process->input->stated, STATED_DYNAMO);
}

/* That the first run changes the input of the second one; advice_fit leaves it out where no code of the text does. */
static struct str changes_input(struct arena *a, const struct error *e)
{
    struct str code = e->failure->compile->process->input->stated.in_place;

    return arena_printf(a,
                        "The text changes a tensor in place%s%.*s%s, which counts even where that line's result is not "
                        "used: what the first run changes is the second one's input, so give each a copy "
                        "(`x.clone()`) before anything else.",
                        code.n ? " (`" : "", STR_ARG(code), code.n ? "`)" : "");
}

void error_owner_say_program(struct arena *a, const struct error *e, struct error_steps *out)
{
    if (error_owner_compares(e)) {
        error_step_say(
            a, out,
            arena_printf(a,
                         "The program compares results itself, most likely those of eager mode with those of compiled "
                         "code. %.*s",
                         STR_ARG(changes_input(a, e))));
        error_step_say(
            a, out,
            STR("Where they still differ, find the stage, each in a new process: `backend=\"eager\"`, then "
                "`\"aot_eager\"`, then `\"inductor\"`. Where only the last digits of real numbers differ, that is "
                "rounding."));
        return;
    }
    if (str_starts(e->own_source, STR("raise "))) {
        error_step_say(
            a, out,
            STR("No compiled function is on the stack: it is not the compiler's. The program raises it itself."));
        return;
    }
    error_step_say(
        a, out,
        arena_printf(a,
                     "No compiled function is on the stack: it is not the compiler's. Change what line %lld of "
                     "%.*s calls, or what it passes, as the message says.",
                     (long long)e->own_line, STR_ARG(code_file_name(e->own_file))));
}

bool error_owner_is_within_library(const struct error *e)
{
    /* of an argument that is passed on: who called the library can change it */
    static const struct str passed = STR_INIT("Expected a value of type '");
    const struct call *own = stack_own_call(e->failure->stack);

    return (e->category == ERROR_FAKE_TENSOR || e->category == ERROR_DATA_DEPENDENT) && !error_is_in_library(e) &&
           own && is_library_file(own->file) && !str_has(e->failure->message, passed);
}

/* Tensors on the CPU and on a GPU, in a library's line: who runs the program decides where the model is. */
static bool mixes_devices(const struct failure *f)
{
    static const struct str words[] = {STR_INIT("two different devices"), STR_INIT("at least two devices"),
                                       STR_INIT("to be on the same device")};
    struct str message = str_take(f->message, ERROR_SEARCHED);

    return STR_HAS_ANY(message, words) && str_has(message, STR("cpu")) && str_has(message, STR("cuda:"));
}

/* What the message calls for comes first; whose line it is only says who can change it. */
void error_owner_say_within(struct arena *a, const struct error *e, const struct error_answer *answer,
                            struct error_steps *out)
{
    const struct call shown = {.file = e->own_file, .line = e->own_line}, *own = stack_own_call(e->failure->stack);
    const struct call *line = own ? own : &shown;

    if (mixes_devices(e->failure))
        error_step_say(a, out,
                       STR("Keep all of the model and its inputs on one device: the line has one tensor on the CPU and "
                           "one on the GPU. Most often a weight was left on the CPU, by offloading or low-memory "
                           "options: turn these off for what is compiled, or move the module to the GPU before the "
                           "call."));
    else
        error_step_say(a, out,
                       arena_printf(a, "%s (The line is a library's, %.*s:%lld.)", answer->steps[0],
                                    STR_ARG(code_file_name(line->file)), (long long)line->line));
    error_step_say(a, out, library_line_step(a, line, e->failure->exporting ? LIBRARY_EXPORT : LIBRARY_FAILS));
    for (size_t i = mixes_devices(e->failure) ? 0 : 1; i < ERROR_ANSWER_STEPS && answer->steps[i]; i++)
        error_step_say(a, out, arena_printf(a, LIBRARY_LINE_REST " %s", answer->steps[i]));
}

bool error_owner_is_warned(const struct error *e)
{
    return e->category == ERROR_WARNING && e->failure->stack && error_is_in_library(e);
}

void error_owner_say_warned(struct arena *a, const struct error *e, const struct error_answer *answer,
                            struct error_steps *out)
{
    error_step_say(a, out, str_of(answer->steps[0]));
    error_step_say(a, out, library_line_step(a, stack_own_call(e->failure->stack), LIBRARY_WARNS));
}

/* An answer says how to change the line; whose line is a library's can only take another version of it. */
bool error_owner_is_left_out(const struct error *e, const struct error_answer *answer)
{
    static const struct str words[] = {STR_INIT("newer"), STR_INIT("librar"), STR_INIT("pdate"),
                                       STR_INIT(" its configuration"), STR_INIT("_config`")}; /* a user's settings */

    if (!answer || (!error_is_in_library(e) && !error_owner_is_within_library(e)) ||
        (e->category != ERROR_FAKE_TENSOR && e->category != ERROR_DATA_DEPENDENT && e->category != ERROR_DYNAMO_BUG))
        return false;
    for (size_t i = 0; i < ERROR_ANSWER_STEPS && answer->steps[i]; i++)
        if (STR_HAS_ANY(str_of(answer->steps[i]), words))
            return false;
    return true;
}

/* Checked with PyTorch 2.6 and 2.13, where the check helps in an export that is strict, and in one that is not. */
static void say_check(struct arena *a, const struct error *e, struct str package, struct str equal,
                      struct error_steps *out)
{
    const struct call *program = stack_program_call(e->failure->stack);
    struct str from = {0};

    if (program)
        from = arena_printf(a, ", reached from %.*s:%lld,", STR_ARG(code_file_name(program->file)),
                            (long long)program->line);
    error_step_say(a, out,
                   arena_printf(a,
                                "The line is a library's%s%.*s%s%.*s and most likely only a check that raises an "
                                "error: try newer versions of the library and of PyTorch, then report it there. Until "
                                "then replace that function with a copy that leaves the check out, or that states "
                                "before the line `torch._check(%.*s)`.",
                                package.n ? " (`" : "", STR_ARG(package), package.n ? "`)" : "", STR_ARG(from),
                                STR_ARG(equal)));
}

/* Checked with PyTorch 2.13: a check with the number makes the size a constant, one with the other size does not. */
struct str error_owner_hint(struct arena *a, const struct error *e, bool *stated)
{
    struct str number, symbol, equal = line_whole_slice_of(a, e->own_source), hint;

    *stated = false;
    if (!hint_of_example(e->failure->message, &number, &symbol))
        return (struct str){0};
    *stated = equal.n > 0;
    hint = arena_printf(a,
                        "The %.*s is only the size in the example, which varies (`%.*s`): a check with the number "
                        "makes a program for that size alone.",
                        STR_ARG(number), STR_ARG(symbol));
    return equal.n ? arena_printf(a, "%.*s If both sizes are always equal, state that: `torch._check(%.*s)`.",
                                  STR_ARG(hint), STR_ARG(equal))
                   : hint;
}

/* The reader can state it in a copy of the function; which of two branches is taken is not asked. */
static void say_hint(struct arena *a, const struct error *e, struct str package, struct str hint,
                     struct error_steps *out)
{
    error_step_say(a, out,
                   arena_printf(a,
                                "The line is a library's%s%.*s%s: try newer versions of the library and of PyTorch, "
                                "then report it there. Until then replace that function with a copy. %.*s%s",
                                package.n ? " (`" : "", STR_ARG(package), package.n ? "`)" : "", STR_ARG(hint),
                                e->failure->exporting
                                    ? " An export to ONNX has a second way, without torch.export: `dynamo=False`."
                                    : ""));
}

/* "masks[..., : size[0]]" */
static bool ends_slice(struct str source)
{
    static const struct str ends[] = {STR_INIT("[:"), STR_INIT("[ :"), STR_INIT(", :"), STR_INIT(",:")};

    return STR_HAS_ANY(source, ends) && !str_starts(str_trim(source), STR("if ")) && str_has(source, STR("]]"));
}

void error_owner_say_asking(struct arena *a, const struct error *e, struct error_steps *out)
{
    const struct call *c = stack_own_call(e->failure->stack);
    char buffer[CODE_MODULE_MAX];
    struct str module = code_file_module(c ? c->file : e->own_file, buffer), package = str_split(&module, '.'),
               source = error_owner_is_within_library(e) ? str_trim(c->source) : e->own_source,
               equal = str_has(e->failure->message, STR("data-dependent expression Ne("))
                           ? line_equality_of(a, source)
                           : (struct str){0},
               hint, real = {0};
    const struct stated *stated = &e->failure->compile->process->input->stated;
    const char *first = "";
    bool hinted, onnx = e->failure->exporting;

    hint = error_owner_hint(a, e, &hinted);
    if (hinted) {
        say_hint(a, e, package, hint, out);
        return;
    }
    if (equal.n) {
        say_check(a, e, package, equal, out);
        return;
    }

    if (str_has(e->failure->message, STR("data-dependent expression ")) && str_has(e->failure->message, STR("zuf")))
        real = STR(" `zuf` stands for a float that is read from a tensor, most likely by `.item()`.");
    if (e->failure->exporting && stated_has(stated, STATED_ONNX) && !stated_has(stated, STATED_DYNAMO_OF_ONNX)) {
        first = "Since PyTorch 2.9 an export to ONNX (`onnx.export`) goes through torch.export, unless it says "
                "`dynamo=False`: that is the exporter of before, which most likely takes this. ";
        onnx = false;
    }
    error_step_say(
        a, out,
        arena_printf(
            a, "%sThe line that asks is a library's%s%.*s%s, where no check can be added: %s%s%.*s%s%.*s",
            first, package.n ? " (`" : "", STR_ARG(package), package.n ? "`)" : "",
            e->failure->exporting && ends_slice(source)
                ? "the end of the slice is a value of a tensor. Try newer versions of the library and of PyTorch, or "
                  "replace that function before the export with one that gets it as a number, and report it there."
            : e->failure->exporting ? "try newer versions of the library and of PyTorch, or replace that function "
                                      "before the export with one that does not ask (of a branch, one export for each "
                                      "side), and report it there."
                                    : "try newer versions of the library and of PyTorch, or call it outside the "
                                      "compiled function, and report it there.",
            onnx ? " An export to ONNX has a second way, without torch.export: `dynamo=False`." : "",
            STR_ARG(real), hint.n ? " " : "", STR_ARG(hint)));
    if (e->failure->exporting)
        error_step_say(a, out, STR("See all that is in the way at once: `torch.export.draft_export`"));
}

bool error_owner_is_generated(const struct error *e)
{
    const struct call *last = e->failure->stack;

    return e->category == ERROR_DATA_DEPENDENT && e->own_file.n == 0 && last &&
           str_starts(last->file, STR("<eval_with_key>"));
}

/*
 * "ao/quantization/observer.py:1266" of "Caused by: ...  # <eval_with_key>.7:23 in forward
 * (ao/quantization/observer.py:1266 in forward)": PyTorch's line that asks. Empty where it is one of those that call
 * any operator.
 */
static struct str asking_line_of_pytorch(struct str message)
{
    static const struct str lead = STR_INIT("Caused by: "), close = STR_INIT(" in ");
    ptrdiff_t at = str_find(message, lead), opened;
    struct str line = str_trim(str_first_line(str_skip(message, at < 0 ? message.n : (size_t)at + lead.n))), place;

    opened = str_rchr(line, '(');
    if (opened < 0 || !str_ends(line, STR(")")))
        return (struct str){0};
    place = str_skip(line, (size_t)opened + 1);
    at = str_find(place, close);
    place = at < 0 ? (struct str){0} : str_take(place, (size_t)at);
    return str_has(place, STR("/")) && str_has(place, STR(".py:")) ? place : (struct str){0};
}

void error_owner_say_generated(struct arena *a, const struct error *e, struct error_steps *out)
{
    enum { SHOWN = 60 };
    const struct call *last = e->failure->stack;
    struct str line = str_trim(last->source), place = asking_line_of_pytorch(e->failure->message);
    bool cut;

    line = str_split(&line, ';');
    cut = line.n > SHOWN;
    line = str_take(line, SHOWN);
    line = arena_printf(a, "line %lld of `%.*s`%s%.*s%s%s", (long long)last->line, STR_ARG(last->file),
                        line.n ? " (`" : "", STR_ARG(line), cut ? "..." : "", line.n ? "`)" : "");
    if (str_starts(place, STR("ao/quantization/")) || str_has(line, STR("activation_post_process")))
        error_step_say(
            a, out,
            arena_printf(a,
                         "An observer of quantization decides by values%s%.*s%s, in code that FX generated: %.*s. No "
                         "line of the program has a place for a check. Calibrate the prepared model in plain PyTorch, "
                         "convert it (`convert_fx`, `convert_pt2e`), and compile or export what that returns.",
                         place.n ? " (PyTorch's " : "", STR_ARG(place), place.n ? ")" : "", STR_ARG(line)));
    else if (place.n)
        error_step_say(a, out,
                       arena_printf(a,
                                    "PyTorch's own code asks (%.*s), which code that FX generated calls: %.*s. No line "
                                    "of the program has a place for a check: try a newer PyTorch, then report it. "
                                    "Until then leave the module that this line calls out of what is compiled.",
                                    STR_ARG(place), STR_ARG(line)));
    else
        error_step_say(a, out,
                       arena_printf(a,
                                    "Code that FX generated asks: %.*s. A check has its place in the program from "
                                    "which the graph was made (by `export`, say): state there, behind the line that "
                                    "makes the value, what is true of it for all inputs, `torch._check(n >= 2)` for "
                                    "example, and make the graph again.",
                                    STR_ARG(line)));
}

void error_owner_say_library(struct arena *a, const struct error *e, const struct call *c, struct error_steps *out)
{
    enum library_means means = e->failure->exporting ? LIBRARY_EXPORT : LIBRARY_FULLGRAPH;
    const struct break_fix *fix = out->broken;
    struct str words = library_line_step(a, c, means), *last = out->list.n ? &out->list.v[out->list.n - 1].words : NULL;

    out->in_library = true;
    if (!last || fix->raised || library_line_is_said(fix->fix) || fix->is_setting || fix->may_be_setting ||
        break_fix_pastes_setting(fix)) {
        if (last && break_fix_pastes_setting(fix))
            *last = arena_printf(a, "%.*s " LIBRARY_LINE_SETTING, STR_ARG(*last));
        error_step_say(a, out, words);
        return;
    }
    error_step_say(a, out, arena_printf(a, LIBRARY_LINE_REST " %.*s", STR_ARG(*last)));
    out->list.v[out->list.n - 2].words = words;
}

void error_owner_say_traced(struct arena *a, const struct call *c, struct error_steps *out)
{
    char buffer[CODE_MODULE_MAX];
    struct str module = code_file_module(c->file, buffer), package = str_split(&module, '.');

    error_step_say(a, out,
                   package.n ? arena_printf(a,
                                            "Try a newer PyTorch or `%.*s`. If that fails, too, report it with the "
                                            "stack that `TORCHDYNAMO_VERBOSE=1` prints.",
                                            STR_ARG(package))
                             : STR("Try a newer PyTorch. If that fails, too, report it with the stack that "
                                   "`TORCHDYNAMO_VERBOSE=1` prints."));
    error_step_say(a, out,
                   STR("Until it is fixed, exclude this call: move it into a function of your own with "
                       "`@torch.compiler.disable`. The graph breaks there, and the rest stays compiled."));
}
