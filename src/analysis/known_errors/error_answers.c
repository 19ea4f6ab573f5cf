#include "analysis/known_errors/error_answers.h"

#include "util/buf.h"

#define ANSWER_TO(type, message, ...) {type, message, NULL, NULL, NULL, {__VA_ARGS__}},
#define ANSWER_TO_CODE(message, code, ...) {NULL, message, code, NULL, NULL, {__VA_ARGS__}},
#define ANSWER_WITHIN(within, message, ...) {NULL, message, NULL, within, NULL, {__VA_ARGS__}},
#define ANSWER_TO_WITHIN(type, within, message, ...) {type, message, NULL, within, NULL, {__VA_ARGS__}},
#define ANSWER_TO_LINE(message, line, ...) {NULL, message, NULL, NULL, line, {__VA_ARGS__}},
#define ANSWER(message, ...) ANSWER_TO(NULL, message, __VA_ARGS__)

#define BELOW_FIVE(kind) kind "0\n" kind "1\n" kind "2\n" kind "3\n" kind "4\n"
#define BELOW_TEN(kind) BELOW_FIVE(kind) kind "5\n" kind "6\n" kind "7\n" kind "8\n" kind "9\n"

/* DDP compiles the parts between its buckets, by a backend of its own. */
#define WITHOUT_SPLITTING                                                                                              \
    "Compile without the splitting (`torch._dynamo.config.optimize_ddp = False`), or use a newer PyTorch."

#define PART_FAILS                                                                                                     \
    "DDP's buckets split the graph (DDPOptimizer), and compiling one of the parts fails. " WITHOUT_SPLITTING,          \
        "To see whether the splitter is the cause: the same error on one GPU, without DDP, is the backend's own."

/* Of a kernel that asserts on a GPU. */
#define ON_CPU "On the CPU, in eager mode, the same call names the operator and its line."
#define ONE_BY_ONE "On a GPU, `CUDA_LAUNCH_BLOCKING=1` makes the reported place exact."

/* triton-windows looks for a toolkit, and goes on with None where it finds none. */
#define NO_CUDA_TOOLKIT                                                                                                \
    "Triton prepares the GPU's driver, and finds no CUDA toolkit (its path is None): the driver that `nvidia-smi` "    \
    "shows is not enough. Neither the model nor the compiler is the cause. Install the toolkit of CUDA in the version "\
    "of this PyTorch (`torch.version.cuda`), with its development files, and name it before Python starts: "           \
    "`CUDA_PATH`.",                                                                                                    \
        "Or take another triton-windows that belongs to this PyTorch: newer ones bring what they need of CUDA. Most "  \
        "often the wheel that a program's own instructions name is an early one."

#define DRIVER_OF_TRITON                                                                                               \
    "Triton fails while it prepares the GPU's driver, before any kernel: it is this machine or the installation of "   \
    "Triton, and neither the model nor the graph. See whether the Triton of this PyTorch is installed (`pip check`), " \
    "and whether Triton finds the driver, a C compiler and, on Windows, CUDA (`CUDA_PATH`).",                          \
        "To test that alone: `python -c \"import triton; print(triton.runtime.driver.active.get_current_target())\"`"

/* The first matching row counts: texts that other messages contain, too, are last. */
static const struct error_answer answers[] = {
#include "analysis/known_errors/answers_compile.def"
#include "analysis/known_errors/answers_operators.def"
#include "analysis/known_errors/answers_export.def"
#include "analysis/known_errors/answers_distributed.def"
#include "analysis/known_errors/answers_gpu.def"
#include "analysis/known_errors/answers_inductor.def"
#include "analysis/known_errors/answers_autograd.def"
#include "analysis/known_errors/answers_tensors.def"
#include "analysis/known_errors/answers_warnings.def"

    /* Triton prepares its driver once per process: no kernel has a part in what fails there. */
    ANSWER_WITHIN("libcuda_dirs\nlibrary_dirs\nfind_cuda", "os.PathLike object, not NoneType", NO_CUDA_TOOLKIT)
    ANSWER_WITHIN("_create_driver", NULL, DRIVER_OF_TRITON)
    /* These stand around other errors. */
    ANSWER("backend='compile_fn' raised\t'int' object has no attribute 'meta'\n"
           "backend='compile_fn' raised\t'SymInt' object has no attribute 'meta'",
           "DDP's buckets split the graph, and a size, which is no tensor, is passed from one part to another. "
           WITHOUT_SPLITTING)
    ANSWER("backend='compile_fn' raised\tactivation_checkpoint\nbackend='compile_fn' raised\tigher order",
           "DDP's buckets split the graph, and activation checkpointing is in one of the parts: without it, the graph "
           "can be split. " WITHOUT_SPLITTING)
    ANSWER("backend='compile_fn' raised", PART_FAILS)
    ANSWER("failed to eagerly compile backwards for dynamic",
           "A size varies, so that PyTorch compiles the backward ahead for any size, and that fails. The program goes "
           "on: the same error comes when this backward runs. Compile for fixed sizes, which is one compile for each: "
           "`dynamic=False`, or `torch._dynamo.mark_static(x, 1)` for a dimension that need not vary.",
           "Where the compiled function needs no backward, call it under `torch.no_grad()`.")
    ANSWER("therwise, please file an issue\nOtherwise, file an issue",
           "The message lists what PyTorch does not support, and the changes that make it work: apply those. Only "
           "report it if none of them fits.")
    ANSWER_TO("", ".py::",
              "pytest's summary does not have the reason: it is in the section above that has the name of the test. "
              "`pytest -x --tb=short TEST` prints only that.")
    ANSWER_TO("NotImplementedError", "raise NotImplementedError",
              "The code has no version for this case, and says so on purpose: choose another one by an option, or run "
              "this part without `torch.compile`; else ask its authors. In SGLang: start without "
              "`--enable-torch-compile`.")
};

/* Their titles begin the message; the line that is quoted behind may have words of other answers. */
static const struct error_answer topics[] = {
#define TOPIC(complaints, needs, denied, title, ...) ANSWER_TO("Note", title, __VA_ARGS__)
#include "torchlog/topics/topics.def"
#undef TOPIC
};

/* While compiling, whatever fails: it stands around the module. */
static const struct error_answer of_replicas[] = {
#define OF_REPLICAS                                                                                                    \
    "`nn.DataParallel` copies the module to each GPU and runs the copies in threads of one process, which does not "   \
    "work with `torch.compile` around it. Start one process for each GPU instead, with DistributedDataParallel: "      \
    "`torchrun --nproc-per-node=N`. Or use one GPU, and leave DataParallel out.",                                      \
        "To compile the inner module (`DataParallel(torch.compile(net))`, `net.compile()`) does not help: the copies " \
        "call the compiled code of the original, with the parameters of the first GPU. Only a `forward` that is "      \
        "compiled in its class (decorated with `@torch.compile`) is each copy's own."
    ANSWER_WITHIN("torch/nn/parallel/data_parallel.py\ntorch/nn/parallel/parallel_apply.py", NULL, OF_REPLICAS)
    ANSWER("Caught \tin replica ", OF_REPLICAS)
#undef OF_REPLICAS
};

/* These are no answers to graph breaks: each kind has its own, and its hints suggest an issue without a bug. */
static const struct error_answer not_for_breaks[] = {
    ANSWER("Graph break due to unsupported builtin\nDynamo does not know how to trace the builtin",
           "The graph breaks at this call because its code is C or C++. Move it out of the compiled function, or make "
           "it a custom operator (`torch.library.custom_op`). If it only calls PyTorch operators, use "
           "`torch.compiler.allow_in_graph`.",
           "`TORCH_LOGS=graph_breaks` shows the lines that call it.")
    ANSWER("INTERNAL ASSERT FAILED\nfile a bug in PyTorch\nlease report a bug\nlease report this bug\nhis is a bug\n"
           "lease file a bug",
           "PyTorch itself reports that this is a bug in PyTorch: try a newer version, then report it with the "
           "smallest program that reproduces it.",
           "To see whether the compiler is the cause, run the same without `torch.compile`. Then find its stage: "
           "`backend=\"eager\"`, then `\"aot_eager\"`.")
    /* Who asks for an issue may only lack a feature. */
    ANSWER("lease file an issue\nlease open an issue\nlease create an issue\nlease submit an issue",
           "PyTorch does not support what the message names: do without it, or try a newer version. Report it if you "
           "need it, or if your program does nothing of the kind.")
};

/* Compiled code calls an operator of PyTorch as it is, so the stage that compiled it says nothing. */
static const struct error_answer at_run_time[] = {
    ANSWER("INTERNAL ASSERT FAILED",
           "An operator of PyTorch fails, which compiled code calls as it is: call it alone, with the same shapes and "
           "dtypes. Do without what the message names (a dtype, a layout, a library of CUDA), or try a newer PyTorch, "
           "then report it.")
};

/* These are no answers to errors of the program itself: a variable of its own may have such a name. */
static const struct error_answer of_compiled_code[] = {
    ANSWER_TO("NameError", BELOW_TEN("name 's") BELOW_TEN("name 'u") BELOW_TEN("name 'ks") BELOW_TEN("name 'zuf"),
              "Code that the compiler wrote uses a size that varies (s0, u0, ks0, ...) without defining it, which is a "
              "bug in PyTorch: try a newer version. If that fails, too, report it with the code that "
              "`TORCH_LOGS=output_code` prints.",
              "A kernel of the text takes a number as `tl.constexpr`: where that is a size (`x.numel()`), pass it as "
              "an ordinary argument, which may vary, and keep `tl.constexpr` for block sizes. Until it is fixed, "
              "compile for fixed sizes: `dynamic=False`, or `torch._dynamo.mark_static(x, 0)` for the size that "
              "varies.")
};

/* In 2.0, at the beginning of the message; a backend of the program has a name that may end so. */
static const struct error_answer of_splitter[] = {
    ANSWER_TO("BackendCompilerFailed", "compile_fn raised ", PART_FAILS)
};

/* No message says whose code is at work. */
static const struct error_answer of_program[] = {
    ANSWER_WITHIN("executorch/exir/", NULL,
                  "ExecuTorch's export fails, not `torch.compile`: its message says what is missing. Try a newer "
                  "ExecuTorch, with the PyTorch that it asks for, then report it there.")
};

static bool has_all(struct str text, struct str parts)
{
    while (parts.n)
        if (!str_has_words(text, str_split(&parts, '\t')))
            return false;
    return true;
}

static bool has_any(struct str text, struct str alternatives)
{
    struct str words;

    while (str_next_line(&alternatives, &words))
        if (has_all(text, words))
            return true;
    return false;
}

/* "raised:\nOverflowError: x", in 2.0 "inductor raised OverflowError: x": the exception that another one passes on. */
static bool passes_on(struct str message, struct str type)
{
    enum { LINES = 3 };
    static const struct str raised = STR_INIT(" raised ");
    struct str line;
    ptrdiff_t at;

    for (size_t i = 0; i < LINES && str_next_line(&message, &line); i++) {
        if (i == 0 && (at = str_find(line, raised)) > 0 && str_chr(str_take(line, (size_t)at), ' ') < 0)
            line = str_skip(line, (size_t)at + raised.n);
        if (str_consume(&line, type) && str_starts(line, STR(": ")))
            return true;
    }
    return false;
}

static bool is_of_type(const struct failure *f, struct str type)
{
    return str_eq(f->type, type) || (str_ends(type, STR("Error")) && passes_on(f->message, type));
}

/* "x.cpp:78:62: error: 'tmp2' was not declared": the code that is wrong is below it. */
static bool is_diagnostic(struct str line)
{
    static const struct str words[] = {STR_INIT(": error: "), STR_INIT(": fatal error: "), STR_INIT(": warning: "),
                                       STR_INIT(": note: ")};

    return STR_HAS_ANY(line, words);
}

/* "   78 |     f(tmp2);" and the marks below it; earlier compilers show the line without its number. */
static bool is_shown_code(struct str line, bool below_diagnostic)
{
    struct str rest = str_trim(line);

    if (line.n == 0 || line.p[0] != ' ')
        return false;
    while (rest.n && str_is_digit(rest.p[0]))
        rest = str_skip(rest, 1);
    return str_starts(str_trim(rest), STR("|")) || (below_diagnostic && !is_diagnostic(line));
}

/* The message without the code that a C++ compiler shows, in which other messages may be quoted. */
static struct str without_code(struct str message, struct buf *out)
{
    struct str line;
    bool below = false;

    message = str_take(message, ERROR_SEARCHED);
    if (!is_diagnostic(message))
        return message;
    while (str_next_line(&message, &line)) {
        if (!is_shown_code(line, below)) {
            buf_str(out, line);
            buf_str(out, STR("\n"));
        }
        below = is_diagnostic(line);
    }
    return buf_view(out);
}

static bool fits(const struct error_answer *x, const struct failure *f, struct str message)
{
    struct str source = f->stack ? f->stack->source : (struct str){0};
    const struct call *own = x->line ? stack_own_call(f->stack) : NULL;
    struct str raised = x->within && f->raised_in ? f->raised_in->source : (struct str){0};

    if (x->within && !stack_calls(f->stack, str_of(x->within)) && !stack_calls(f->raised_in, str_of(x->within)))
        return false;
    if (x->type && !is_of_type(f, str_of(x->type)))
        return false;
    if (x->code && !has_any(str_take(f->message, ERROR_SEARCHED), str_of(x->code)))
        return false;
    if (x->line && !(own && has_any(own->source, str_of(x->line))))
        return false;
    return !x->message || has_any(message, str_of(x->message)) ||
           has_any(str_take(f->beside, ERROR_SEARCHED), str_of(x->message)) || has_any(source, str_of(x->message)) ||
           has_any(raised, str_of(x->message));
}

static const struct error_answer *find_in(const struct error_answer *list, size_t n, const struct failure *f,
                                          struct str message)
{
    for (size_t i = 0; i < n; i++)
        if (fits(&list[i], f, message))
            return &list[i];
    return NULL;
}

static const struct error_answer *find_topic(const struct failure *f)
{
    for (size_t i = 0; str_eq(f->type, STR("Note")) && i < sizeof topics / sizeof *topics; i++) {
        struct str message = f->message;

        if (str_consume(&message, str_of(topics[i].message)) && str_starts(message, STR(": ")))
            return &topics[i];
    }
    return NULL;
}

#define FIND_IN(list) find_in(list, sizeof(list) / sizeof *(list), e->failure, message)

static const struct error_answer *find(const struct error *e, struct str message)
{
    bool compiling = e->stage != AT_RUNTIME && e->category != ERROR_GRAPH_BREAK && e->category != ERROR_OUT_OF_MEMORY &&
                     e->category != ERROR_USER && e->category != ERROR_WARNING;
    const struct error_answer *found = compiling ? FIND_IN(of_replicas) : NULL;

    if (!found)
        found = find_topic(e->failure);
    if (!found)
        found = FIND_IN(answers);
    if (!found && str_starts(message, STR("compile_fn raised ")))
        found = FIND_IN(of_splitter);
    if (!found && e->stage == AT_RUNTIME && e->category == ERROR_OTHER)
        found = FIND_IN(at_run_time);
    if (!found && e->category != ERROR_USER)
        found = FIND_IN(of_compiled_code);
    if (!found && e->category == ERROR_USER)
        found = FIND_IN(of_program);
    if (!found && e->category != ERROR_GRAPH_BREAK)
        found = FIND_IN(not_for_breaks);
    return found;
}

/* These say what any bug or gap of PyTorch needs; all other rows know the message. */
bool error_answer_is_general(const struct error_answer *answer)
{
    static const struct str said[] = {STR_INIT("PyTorch itself reports that this is a bug"),
                                      STR_INIT("PyTorch does not support what the message names"),
                                      STR_INIT("An operator of PyTorch fails, which compiled code calls"),
                                      STR_INIT("The code has no version for this case")};

    return answer && STR_STARTS_ANY(str_of(answer->steps[0]), said);
}

const struct error_answer *error_answer_of(const struct error *e)
{
    const struct error_answer *found;
    struct buf buf = {0};

    if (e->fault)
        return NULL;
    found = find(e, without_code(e->failure->message, &buf));
    buf_free(&buf);
    return found;
}
