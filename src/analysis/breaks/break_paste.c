#include "analysis/breaks/break_paste.h"

#include "analysis/breaks/break_settings.h"
#include "text/python/python_code.h"
#include "text/versions/names.h"
#include "util/utf8.h"

/* --- output ------------------------------------------------------------------------------------------------------- */

/* "builtin print [<class '…constant.ConstantVariable'>, …] False": Dynamo can print all arguments later. */
static bool can_be_reordered(const struct break_words *w)
{
    static const struct str kinds[] = {STR_INIT("ConstantVariable"), STR_INIT("TensorVariable"),
                                       STR_INIT("StringFormatVariable")};
    struct str rest = w->context.n ? w->context : w->type, type;

    while (str_between(rest, STR("<class '"), STR("'>"), &type)) {
        bool known = false;

        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            known |= str_ends(type, kinds[i]) && !str_ends(type, STR("SymNodeVariable"));
        if (!known)
            return false;
        rest = str_range(type.p + type.n, rest.p + rest.n);
    }
    return true;
}

#define PRINT_UNCOMPILED "Printing stops the graph. Remove it, or print only when nothing is being compiled."

bool break_spoils_reorder(const struct break_words *w)
{
    return w->stack && w->stack->parent && break_is_before(w, 8);
}

void break_avoid_reorder(struct arena *a, struct break_fix *fix)
{
    struct str function;

    if (!str_between(fix->paste, STR("reorderable_logging_functions.add("), STR(")"), &function))
        return;
    fix->is_setting = false;
    fix->fix = str_eq(function, STR("print")) ? STR(PRINT_UNCOMPILED)
                                              : STR("A warning stops the graph. Warn outside the compiled function, or "
                                                    "only when nothing is being compiled.");
    break_set_guard(a, fix, function);
}

void break_paste_print(struct arena *a, const struct break_words *w, struct break_fix *out)
{
    if (str_eq(out->site.gb_id, STR("GB0296"))) {
        out->fix = STR("Dynamo can only delay the output of tensors, constants and f-strings. Make the arguments an "
                       "f-string.");
        out->paste = STR("print(f\"{...}\")");
        out->where = STR("instead of this line");
    } else if (can_be_reordered(w)) {
        out->fix = STR("Printing stops the graph. Remove it, or let Dynamo print after the graph has run.");
        break_set(w, out, SET_REORDER, STR("torch._dynamo.config.reorderable_logging_functions.add(print)"));
    } else if (break_set(w, out, SET_IGNORE, STR("torch._dynamo.config.ignore_logging_functions.add(print)"))) {
        out->fix = STR("Printing stops the graph. Remove it, or let Dynamo skip it in compiled code.");
    } else {
        out->fix = STR(PRINT_UNCOMPILED);
        break_set_guard(a, out, STR("print"));
    }
}

/* Whether a call in the line has one argument: "warn(" of `warnings.warn(f"{a}, {b}")`. */
static bool has_one_argument(struct str source, struct str call)
{
    ptrdiff_t at = str_find(source, call), comma, end;

    if (at < 0)
        return false;
    source = str_skip(source, (size_t)at + call.n);
    end = python_find(source, STR(")"), PYTHON_TOP_LEVEL);
    comma = python_find(source, STR(","), PYTHON_TOP_LEVEL);
    return end > 0 && (comma < 0 || comma > end);
}

void break_paste_warning(struct arena *a, const struct break_words *w, struct break_fix *out)
{
    if (has_one_argument(break_source(w), STR("warn("))) {
        out->fix = STR("A warning stops the graph. Warn outside the compiled function, or let Dynamo warn after the "
                       "graph has run.");
        break_set(w, out, SET_REORDER,
                  STR("import warnings\ntorch._dynamo.config.reorderable_logging_functions.add(warnings.warn)"));
        return;
    }
    out->fix = STR("A warning stops the graph. Warn outside the compiled function, or let Dynamo skip it in compiled "
                   "code.");
    if (!break_set(w, out, SET_IGNORE,
                   STR("import warnings\ntorch._dynamo.config.ignore_logging_functions.add(warnings.warn)")))
        break_set_guard(a, out, STR("warnings.warn"));
}

/* The method in `log.warning("…")`; messages of 2.9 and earlier do not name it. */
static struct str method_in(struct str source)
{
    ptrdiff_t open = str_chr(source, '('), dot = str_rchr(str_take(source, open < 0 ? 0 : (size_t)open), '.');

    return dot < 0 ? (struct str){0} : str_range(source.p + dot + 1, source.p + open);
}

/*
 * Logging methods, and the check before them: without them the program does the same. Libraries add some:
 * warning_once, info_rank0.
 */
static bool is_logging_method(struct str name)
{
    ptrdiff_t end = str_chr(name, '_');
    static const char *const methods[] = {"debug",    "info",      "warning", "warn",         "error",
                                          "critical", "exception", "log",     "isEnabledFor", "fatal"};

    name = end > 0 ? str_take(name, (size_t)end) : name;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (str_eq(name, str_of(methods[i])))
            return true;
    return false;
}

/*
 * "import transformers\n": the package that adds such a method to Logger must have been imported.
 */
static struct str import_of_package(struct arena *a, const struct break_words *w, struct str method)
{
    struct str module =
        w->stack && is_library_file(w->stack->file) ? break_module_of(a, w->stack->file) : (struct str){0};

    if (module.n == 0 || str_chr(method, '_') < 1)
        return (struct str){0};
    module = str_split(&module, '.');
    return arena_printf(a, "import %.*s\n", STR_ARG(module));
}

void break_paste_logger(struct arena *a, const struct break_words *w, struct break_fix *out)
{
    struct str method = out->site.called.function;
    /* a version that is not known may name its setting in the message */
    bool newest = break_has(w, SET_IGNORE) && !str_has(w->message, STR("config.ignore_logger_methods")), known;

    if (!str_consume(&method, STR("Logger.")))
        method = method_in(break_source(w));
    known = method.n > 0;
    if (!known && is_logging_method(w->logged))
        method = w->logged;
    if (method.n)
        out->what = arena_printf(a, "`Logger.%.*s(…)`", STR_ARG(method));
    if (method.n && !is_logging_method(method)) {
        out->fix = STR("Loggers are not traced. Set them up before the compiled function.");
        return;
    }
    out->fix = STR("Logging stops the graph. Log outside the compiled function, or let Dynamo skip these calls in "
                   "compiled code.");
    if (!break_set(w, out, newest ? SET_IGNORE : SET_IGNORE_METHODS,
                   arena_printf(a, "import logging\n%.*storch._dynamo.config.%s.add(logging.Logger.%.*s)%s",
                                STR_ARG(import_of_package(a, w, method)),
                                newest ? "ignore_logging_functions" : "ignore_logger_methods",
                                STR_ARG(method.n ? method : STR("info")),
                                method.n ? "" : "  # or the method that the line calls")))
        break_set_guard(a, out, STR("logger.info"));
    out->is_setting &= known;
}

void break_paste_output(struct arena *a, const struct break_words *w, struct break_fix *out)
{
    struct break_name name = out->site.called;

    out->fix =
        STR("Output stops the graph. Write it outside the compiled function, or let Dynamo skip the call in compiled "
            "code.");
    if (!break_set(w, out, SET_IGNORE,
                   arena_printf(a, "import %.*s\ntorch._dynamo.config.ignore_logging_functions.add(%.*s.%.*s)",
                                STR_ARG(name.module), STR_ARG(name.module), STR_ARG(name.function))))
        break_set_guard(a, out, break_name_text(a, name));
}

/* --- random numbers, NumPy, code of others ------------------------------------------------------------------------ */

/* "if random.random() < p:", or "a if random.random() < p else b" */
static bool decides(struct str source, struct str call)
{
    ptrdiff_t at = str_find(source, STR(" if "));

    if (python_branches(source))
        return true;
    return at >= 0 && str_has(str_skip(source, (size_t)at), call);
}

void break_paste_random(struct arena *a, const struct break_words *w, struct break_fix *out)
{
    struct str name = break_name_text(a, out->site.called);

    if (str_eq(out->site.gb_id, STR("GB0107")) || str_eq(out->site.gb_id, STR("GB0110"))) {
        out->what = STR("`Tensor.random_`");
        out->fix = STR("This way of filling a tensor is not traced. Use the function that creates a new one.");
        out->paste = STR("x = torch.randint(low, high, size)   # or torch.empty(size).uniform_(low, high)");
        return;
    }
    if (str_has(w->context, STR("UnspecializedPythonVariable"))) {
        out->what = STR("a random number from Python as a size or index");
        out->fix =
            STR("A number from Python's random module, or from NumPy, is a tensor to Dynamo, and cannot be a size or "
                "an index. Draw it before the compiled function and pass it in.");
        out->paste = STR("i = ...   # the number, drawn before the call\ny = compiled(x, i)");
        return;
    }
    if (out->what.n == 0 || !str_has(name, STR(".")))
        out->what = STR("random numbers from Python or NumPy");
    if (decides(break_source(w), name)) {
        out->fix = STR("Random numbers from Python and NumPy are not part of the graph, and neither is a branch on a "
                       "number that is passed as a tensor. Draw before the compiled function, and pass in the "
                       "decision as a bool: each case is one compile. Or pass the number in as a tensor, compute both "
                       "sides, and choose with `torch.where`.");
        out->paste = STR("r = torch.tensor(...)   # the number, drawn before the call\n"
                         "y = compiled(x, r)      # with torch.where(r < p, a, b) in place of the branch");
        return;
    }
    out->fix = STR("Random numbers from Python and NumPy are not part of the graph. Draw them before the compiled "
                   "function and pass them in as a tensor, or draw with torch.");
    out->paste = STR("r = torch.tensor(...)   # the number, drawn before the call\ny = compiled(x, r)");
}

void break_paste_library(struct arena *a, const struct break_words *w, struct break_fix *out)
{
    (void)a;
    (void)w;
    out->fix = STR("PyTorch excludes this package from compilation. Call it before the compiled function and pass the "
                   "result in, or call it afterwards. If it only computes with tensors, a newer version of the package "
                   "may declare that, or do it yourself: `torch.compiler.allow_in_graph`.");
}

void break_paste_skipped(struct arena *a, const struct break_words *w, struct break_fix *out)
{
    (void)a;
    out->fix = out->site.called.module.n || str_has(w->explanation, STR("/lib/python3")) ||
                       str_has(w->context, STR("/lib/python3")) || str_has(w->type, STR("/lib/python3"))
                   ? STR("Dynamo does not trace this function of Python's standard library. Call it before the "
                         "compiled function and pass the result in, or call it afterwards.")
                   : STR("Dynamo does not trace this function, or the file that it is in, on purpose; a newer "
                         "version of the library or of PyTorch may. Call it before the compiled function and pass the "
                         "result in, or call it afterwards.");
}

/* flash_attn_2_cuda, flash_attn_3_cuda, flash_attn_cuda, flashattn_hopper_cuda: what flash-attn's setup.py builds. */
static bool is_of_flash_attn(struct str module)
{
    return str_starts(module, STR("flash_attn_")) || str_starts(module, STR("flashattn_"));
}

/* The program does not call such a function itself, but one of flash-attn's Python code. */
static void say_flash_attn(struct arena *a, struct str name, struct break_fix *out)
{
    static const struct str third[] = {STR_INIT("flash_attn_3"), STR_INIT("flashattn_hopper")};
    bool of_cache = str_has(name, STR("kvcache")), is_third = STR_STARTS_ANY(out->site.called.module, third);

    out->what = arena_printf(a, "`%.*s`, written in C, of flash-attn", STR_ARG(name));
    out->fix =
        of_cache
            ? STR("The graph breaks at each call of `flash_attn_with_kvcache`, whose C function 2.7 and "
                  "earlier do not make an operator, unlike those without a cache. Try the newest flash-attn. Until "
                  "then compile what is around the attention, and exclude that call (`@torch.compiler.disable`). An "
                  "operator of your own around it has to say that it writes to the caches (`mutates_args={\"k_cache\", "
                  "\"v_cache\"}` of custom_op): else results are wrong, and nothing is raised.")
        : is_third
            ? STR("The graph breaks at each call of it. Take a newer build of FlashAttention 3, which makes operators "
                  "of its functions, or PyTorch's own `scaled_dot_product_attention`, which is compiled. Until then "
                  "compile what is around the attention, and exclude that call (`@torch.compiler.disable`).")
            : STR("The graph breaks at each call of it. Use flash-attn 2.7 or later, which makes "
                  "operators of its functions, or PyTorch's own `scaled_dot_product_attention`, which is compiled.");
}

void break_paste_custom_op(struct arena *a, const struct break_words *w, struct break_fix *out)
{
    struct str name = str_skip(out->site.called.function, (size_t)(str_rchr(out->site.called.function, '.') + 1));

    out->fix = STR("A function written in C cannot be traced. If it computes tensors, make it an operator "
                   "that the compiler knows; otherwise call it before or after the compiled function.");
    if (str_has(w->message, STR("pybind11_object"))) { /* of which class is not said */
        out->fix = STR("A class of C++ is made while it is traced: PyTorch's own, most often under compiled autograd, "
                       "or a package's. The graph breaks there, and the program goes on. Without compiled autograd "
                       "(`torch._dynamo.config.compiled_autograd = False`) the backward is not traced; a newer PyTorch "
                       "traces more.");
        return;
    }
    if (is_of_flash_attn(out->site.called.module)) {
        say_flash_attn(a, name, out);
        return;
    }
    if (names_has(NAME_API, STR("torch.library.custom_op"), w->version) == NAME_ABSENT)
        return;
    if (!break_is_identifier(name) || str_chr(out->site.called.function, '.') >= 0) {
        out->fix = STR("A function written in C cannot be traced. If it computes tensors, make it an operator that the "
                       "compiler knows (`torch.library.custom_op`, 2.4 and later, with `register_fake`); otherwise "
                       "call it before or after the compiled function.");
        return;
    }
    out->paste = arena_printf(a,
                              "@torch.library.custom_op(\"mylib::%.*s\", mutates_args=\"unknown\")   # or {\"cache\"}: "
                              "all that it writes to; if one lacks, results are wrong\n"
                              "def %.*s_op(x: torch.Tensor) -> torch.Tensor:\n"
                              "    return ...   # a new tensor, made with %.*s\n"
                              "%.*s_op.register_fake(torch.empty_like)   # shape and dtype of the result",
                              STR_ARG(name), STR_ARG(name), STR_ARG(name), STR_ARG(name));
}

/* --- autograd, context managers, exceptions ----------------------------------------------------------------------- */

void break_paste_backward(struct arena *a, const struct break_words *w, struct break_fix *out)
{
    (void)a;
    out->what = str_has(w->message, STR("autograd.grad")) ? STR("`torch.autograd.grad`") : STR("`backward()`");
    out->fix = STR("The call of autograd is not traced. Compile the code that computes the loss, and call autograd "
                   "outside.");
    if (break_set(w, out, SET_AUTOGRAD, STR("torch._dynamo.config.trace_autograd_ops = True")))
        out->fix = STR("The call of autograd is not traced. Compile the code that computes the loss and call autograd "
                       "outside, or let Dynamo trace it.");
}

enum { EXCEPTION_MAX = 120 };

/*
 * What the exception says, if it is a constant and the line does not show it. Redaction gives the words of a line of
 * code other names than those of a message: what the line shows is known by its quotes.
 */
static struct str exception_words(struct str arguments, struct str source)
{
    struct str words;

    if (!str_between(arguments, STR("\""), STR("\")"), &words) && !str_between(arguments, STR("'"), STR("')"), &words))
        return (struct str){0};
    if ((str_chr(source, '"') >= 0 || str_chr(source, '\'') >= 0) && str_chr(source, '{') < 0)
        return (struct str){0};
    return utf8_cut(words, EXCEPTION_MAX);
}

/* "raised exception ValueError('x')", "raised exception ValueError([ConstantVariable(str: 'x')])" */
void break_paste_exception(struct arena *a, const struct break_words *w, struct break_fix *out)
{
    struct str rest = w->context, type, source = w->stack ? w->stack->source : (struct str){0}, words;

    type = str_consume(&rest, STR("raised exception ")) ? str_split(&rest, '(') : (struct str){0};
    words = exception_words(rest, source);
    if (break_is_identifier(type))
        out->what = arena_printf(a, "`%.*s`", STR_ARG(type));
    if (out->what.n && words.n)
        out->what = arena_printf(a, "%.*s: %.*s", STR_ARG(out->what), STR_ARG(words));
    out->raised = str_starts(source, STR("raise "));
    out->fix =
        out->raised
            ? STR("An exception leaves the code that is traced: the program raises it itself, and the compiler only "
                  "passes it on. Change what leads to this line. If the program catches the exception, let it do so "
                  "within the compiled function, or raise it outside.")
            : STR("An exception leaves the code that is traced. If the code also raises it without torch.compile, "
                  "raise or catch it outside the compiled function; if not, Dynamo cannot trace this line: rewrite "
                  "it.");
    if (!break_is_identifier(type) && w->context.n == 0 && !out->raised)
        out->fix = arena_printf(a,
                                "%.*s The message does not say which exception: the last lines that "
                                "`TORCH_LOGS=+dynamo` prints show where it is raised.",
                                STR_ARG(out->fix));
}

/* --- modules, operators, backends --------------------------------------------------------------------------------- */

void break_paste_rnn(struct arena *a, const struct break_words *w, struct break_fix *out)
{
    struct str rest = w->context, name = str_split(&rest, '(');
    bool lstm = !str_eq(name, STR("GRU")) && !str_eq(name, STR("RNN"));

    if (break_is_identifier(name))
        out->what = arena_printf(a, "`%.*s`", STR_ARG(name));
    out->fix = STR("Recurrent modules are excluded from the graph unless a setting allows them.");
    break_set(w, out, SET_RNN, STR("torch._dynamo.config.allow_rnn = True"));
    if (!lstm || w->inference)
        return;
    out->is_setting = false;
    out->fix =
        STR("Recurrent modules are excluded from the graph unless a setting allows them. With it, training an LSTM on "
            "a CPU fails in PyTorch 2.13: use it for inference, or try it first.");
}

/* "shop" and "tax" of "unsupported operator: shop.tax.default". */
static bool operator_name(struct str text, struct str *space, struct str *name)
{
    ptrdiff_t at = str_find(text, STR("unsupported operator: "));

    if (at < 0)
        return false;
    text = str_skip(text, (size_t)at + sizeof "unsupported operator: " - 1);
    *space = str_split(&text, '.');
    *name = str_split(&text, '.');
    *name = str_split(name, '\n');
    return break_is_identifier(*space) && break_is_identifier(*name);
}

/* If PyTorch does not know what the class is, its hints use Dynamo's own names. */
void break_paste_autograd_function(struct arena *a, const struct break_words *w, struct break_fix *out)
{
    (void)a;
    if (w->hint.n && !str_starts(w->hint, STR("Avoid calling")))
        return;
    out->fix = STR("Dynamo cannot trace this `torch.autograd.Function`. Versions up to 2.2 take none with "
                   "`setup_context`: write `forward(ctx, ...)`, or use a newer PyTorch. If its code only calls "
                   "operators of PyTorch, `torch.compiler.allow_in_graph` may take the class untraced. Otherwise move "
                   "its call out of the compiled function.");
}

void break_paste_fake_kernel(struct arena *a, const struct break_words *w, struct break_fix *out)
{
    struct str space = {0}, name = {0};
    bool known = operator_name(w->message, &space, &name);
    bool old = names_has(NAME_API, STR("torch.library.register_fake"), w->version) == NAME_ABSENT;

    if (known)
        out->what = arena_printf(a, "the operator `%.*s::%.*s` has no fake kernel", STR_ARG(space), STR_ARG(name));
    if (str_eq(space, STR("aten")) || str_eq(space, STR("prims"))) {
        out->fix = STR("This operator of PyTorch has no fake kernel, so it cannot be in a graph: rewrite the line, or "
                       "call it outside the compiled function. A newer PyTorch may have one.");
        return;
    }
    if (!known) {
        out->fix = STR("The compiler does not know what an operator returns, and this text does not name it. For one "
                       "of your own, register a fake kernel (`torch.library.register_fake`); else try newer versions "
                       "of PyTorch and of the package that it comes from.");
        return;
    }
    out->fix =
        STR("The compiler does not know what this operator returns. Register a fake kernel, which makes an empty "
            "result of the right shape and dtype from the same arguments.");
    out->paste = arena_printf(a,
                              "@torch.library.%s(\"%.*s::%.*s\")\n"
                              "def _(*args, **kwargs):\n"
                              "    return torch.empty_like(args[0])   # shape and dtype of the result",
                              old ? "impl_abstract" : "register_fake", STR_ARG(space), STR_ARG(name));
}

/*
 * "scaled_dot_product_attention(): argument 'is_causal' must be bool, not SymBool": a comparison of sizes that vary.
 * For an `if`, Dynamo takes one branch and guards on it.
 */
static bool set_flag_of_sizes(struct arena *a, struct str text, struct break_fix *out)
{
    struct str name;

    if (!str_has(text, STR("must be bool, not SymBool")))
        return false;
    if (!str_between(text, STR("argument '"), STR("'"), &name) || !break_is_identifier(name))
        name = STR("flag");
    out->what = arena_printf(a, "`%.*s` is a comparison of sizes that vary", STR_ARG(name));
    out->fix =
        STR("The operator needs True or False here, and a comparison of sizes that vary is neither while the graph is "
            "traced. Decide with an `if`, so that the graph contains one branch; `bool()` does not help.");
    out->paste =
        arena_printf(a, "%.*s = True if a.shape[0] == b.shape[0] else False   # your comparison", STR_ARG(name));
    out->where = STR("instead of the comparison");
    return true;
}

/* "TypeError shop.tax: _() got an unexpected keyword argument 'r'": the operator has a fake kernel, which fails. */
void break_paste_invalid(struct arena *a, const struct break_words *w, struct break_fix *out)
{
    struct str target = w->context.n ? w->context : w->type, space, rest;

    if (set_flag_of_sizes(a, w->context.n ? w->context : w->message, out) || !str_consume(&target, STR("TypeError ")))
        return;
    target = str_split(&target, ':');
    rest = target;
    space = str_split(&rest, '.');
    if (!break_is_identifier(space) || !break_is_identifier(rest) || str_eq(space, STR("aten")) ||
        str_eq(space, STR("prims")))
        return;
    out->id = "missing-fake-kernel";
    out->what = arena_printf(a, "the fake kernel of `%.*s::%.*s` fails", STR_ARG(space), STR_ARG(rest));
    out->fix =
        STR("The fake kernel does not take the arguments of the operator. Give it the operator's own parameters.");
}

/* "shop.tax.default": the backend only names an operator if its fake kernel or its values are missing. */
static bool is_foreign_operator(struct str text)
{
    struct str line = str_trim(str_split(&text, '\n')), space = str_split(&line, '.');

    return break_is_identifier(space) && break_is_identifier(str_split(&line, '.')) && line.n &&
           !str_eq(space, STR("aten")) && !str_eq(space, STR("prims"));
}

static void set_unknown_result(struct arena *a, const struct break_words *w, struct str op, struct break_fix *out)
{
    struct break_words named = *w;
    struct str name = str_trim(str_split(&op, '\n'));

    named.message = arena_printf(a, "unsupported operator: %.*s", STR_ARG(name));
    break_paste_fake_kernel(a, &named, out);
    out->id = "missing-fake-kernel";
}

static bool is_checkpointed(const struct call *c)
{
    for (; c; c = c->parent)
        if (code_file_has(c->file, STR("torch/utils/checkpoint.py")) || str_has(c->source, STR("checkpoint(")))
            return true;
    return false;
}

/* "losses" of "losses.append(x.sum())"; empty for anything but the name of a list. */
static struct str list_appended_to(struct str source)
{
    ptrdiff_t at = str_find(source, STR(".append("));
    struct str name = str_take(source, at < 0 ? 0 : (size_t)at);

    return break_is_identifier(name) ? name : (struct str){0};
}

#define AS_IN_FORWARD "torch._dynamo.config.skip_fwd_side_effects_in_bwd_under_checkpoint = True"

/* In the function that an operator such as activation checkpointing calls, perhaps once more in the backward. */
void break_paste_side_effect(struct arena *a, const struct break_words *w, struct break_fix *out)
{
    struct str list = list_appended_to(break_source(w));
    bool checkpoint = is_checkpointed(w->stack);
    const char *setting = "";

    out->what = arena_printf(a, "the function that %s calls changes %s%.*s%s outside of it",
                             checkpoint ? "`checkpoint`" : "a higher-order operator", list.n ? "`" : "",
                             STR_ARG(list.n ? list : STR("a variable")), list.n ? "`" : "");
    if (break_has(w, SET_CHECKPOINT))
        setting = checkpoint ? " Or let Dynamo go on: the change is then not made again when the backward calls the "
                               "function once more."
                             : " If the operator is `checkpoint`, there is a setting too, `" AS_IN_FORWARD "`: the "
                               "change is then not made again when the backward calls the function once more.";
    out->fix =
        arena_printf(a, "It may only compute and return. Return the value from the function, and %s after the call.%s",
                     list.n ? "append it" : "change the variable", setting);
    if (checkpoint && break_set(w, out, SET_CHECKPOINT, STR(AS_IN_FORWARD)))
        return;
    out->paste = arena_printf(a, "x, value = %s   # which returns the value too\n%.*s.append(value)",
                              checkpoint ? "checkpoint(block, x, use_reentrant=False)" : "operator(function, x)",
                              STR_ARG(list.n ? list : STR("values")));
}

void break_paste_backend(struct arena *a, const struct break_words *w, struct break_fix *out)
{
    static const struct str lead = STR_INIT("Exception:");
    ptrdiff_t at = str_find(w->context, lead);
    struct str name = {0}, raised = at < 0 ? STR("") : str_skip(w->context, (size_t)at + lead.n),
               op = break_operator(raised);

    if (str_between(w->context, STR("Backend: "), STR("\n"), &name))
        name = str_trim(name);
    if (break_is_identifier(name))
        out->what = op.n ? arena_printf(a, "the backend `%.*s` fails on `%.*s`", STR_ARG(name), STR_ARG(op))
                         : arena_printf(a, "the backend `%.*s` fails", STR_ARG(name));
    if (is_foreign_operator(raised)) {
        set_unknown_result(a, w, raised, out);
        return;
    }
    if ((str_has(raised, STR("aten._local_scalar_dense")) ||
         str_has(w->explanation, STR("failed with aten._local_scalar_dense"))) &&
        str_has_any_line(break_source(w), STR(".tolist(\n.item(")))
        out->fix =
            STR("The line reads numbers from a tensor, and the backend refused the graph that reads them. Let such "
                "graphs be compiled, before the first call: `torch._dynamo.config.capture_scalar_outputs = True`. What "
                "keeps the numbers in a tensor needs no setting.");
    else if (op.n == 0 && str_has(break_source(w), STR(".tolist(")))
        out->fix =
            STR("Numbers that are read from a tensor become part of the graph, where their values would have to be "
                "known. Keep them in a tensor, or move the call of `tolist()` out of the compiled function.");
    else if (op.n == 0 && str_starts(w->message, STR("Backend compiler failed with a fake tensor")))
        out->fix = STR("An operator in the graph before this line failed for tensors without values (fake tensors). If "
                       "the text lacks the backend's exception, which names the operator, `TORCH_LOGS=graph_breaks` "
                       "prints it. Call that operator outside the compiled function, or, if it is not PyTorch's own, "
                       "register what it returns (a fake kernel).");
    else if (str_eq(op, STR("local_scalar_dense")))
        out->fix = STR("A tensor is used where a number is needed, as a size for example, so its value would have to "
                       "be known. If you pass a Python number, the function is compiled.");
    else
        out->fix =
            STR("The backend refuses the graph, so the function runs eagerly. Remove the code that the backend cannot "
                "handle, or move it out of the compiled function.");
}

/* --- sparse tensors ----------------------------------------------------------------------------------------------- */

/* A product of the sparse matrix. */
static bool is_sparse_product(struct str source)
{
    static const struct str products[] = {STR_INIT(".mm("), STR_INIT("spmm("), STR_INIT("matmul("), STR_INIT(" @ ")};

    return STR_HAS_ANY(source, products);
}

void break_paste_sparse(struct arena *a, const struct break_words *w, struct break_fix *out)
{
    (void)a;
    if (str_eq(out->site.gb_id, STR("GB0374"))) { /* a gradient */
        out->what = STR("a sparse gradient");
        out->fix = STR("Compiled autograd does not take sparse gradients. Make them dense: `sparse=False` of the "
                       "embedding; or run the backward without compiled autograd.");
        return;
    }
    out->fix = STR("Sparse tensors are not compiled, so none may enter the compiled function: not as an argument, nor "
                   "to be passed on to a function that is excluded from compilation. Take the indices and values "
                   "before the call, `indices().clone()` and `values().clone()` of the coalesced COO form "
                   "(`to_sparse_coo()` of another one), pass those, and compute with them. A dense tensor "
                   "(`to_dense()` before the call) does it as well where the full matrix fits into memory.");
    if (!is_sparse_product(break_source(w)))
        return;
    out->paste = STR("y = x.new_zeros(n, x.shape[1]).index_add(0, row, value[:, None] * x[col])   # in place of "
                     "sparse.mm(a, x)");
    out->where = STR("instead of the product; `row, col` are the indices of the matrix, `n` is its number of rows");
}

/* --- single functions --------------------------------------------------------------------------------------------- */

/* "n=3, k=4" of "functools.partial(mask, n=3, k=4)"; empty if the first is not given by its name. */
static struct str given_by_name(struct str arguments)
{
    size_t n = 0;

    while (n < arguments.n && str_is_word_char(arguments.p[n]))
        n++;
    return n > 0 && n < arguments.n && arguments.p[n] == '=' ? arguments : (struct str){0};
}

/* Flex attention counts the parameters of a mask function, so that it needs all four by name. */
void break_say_partial(struct arena *a, const struct break_words *w, struct break_fix *out)
{
    static const struct str begin = STR_INIT("functools.partial(");
    struct str object = break_object(a, w->context), rest = object, name, given;

    if (!str_eq(out->site.gb_id, STR("GB0177")) || !str_consume(&rest, begin) || !str_ends(rest, STR(")")))
        return;
    rest = str_drop(rest, 1);
    name = str_trim(str_split(&rest, ','));
    given = given_by_name(str_trim(rest));
    out->what = arena_printf(a, "`%.*s` is no function of Python", STR_ARG(object));
    out->fix = arena_printf(a,
                            "A partial is an object that calls a function, and here this version takes only a function "
                            "of Python: write a `def` or a lambda in place of the partial, which calls `%.*s` with the "
                            "same arguments. A newer PyTorch may take the partial.",
                            STR_ARG(name));
    if (str_has(name, STR("mask")) && given.n && break_is_identifier(name)) {
        out->paste = arena_printf(a, "def mask(b, h, q_idx, kv_idx):\n    return %.*s(b, h, q_idx, kv_idx, %.*s)",
                                  STR_ARG(name), STR_ARG(given));
        out->where = STR("instead of the partial, if it is a mask function of flex attention");
    }
}

void break_say_inference(const struct break_words *w, struct break_fix *out)
{
    static const struct str ids[] = {STR_INIT("GB0045"), STR_INIT("GB0046")},
                            calls[] = {STR_INIT("call_method is_inference"), STR_INIT("is_inference_mode_enabled")};
    struct str text = w->context.n ? w->context : w->type;

    if (!STR_IS_ANY(out->site.gb_id, ids) && !(str_eq(out->site.gb_id, STR("GB0208")) && STR_HAS_ANY(text, calls)))
        return;
    out->fix = STR("Code asks here whether inference mode is on, or whether a tensor was made in it. Use "
                   "`torch.no_grad()` in place of `torch.inference_mode()` around the compiled call: compiled code is "
                   "as fast, and the answer is then always False, so that code of your own need not ask. Where PyTorch "
                   "or a library asks, try a newer one: 2.6 is the first PyTorch that takes `Tensor.is_inference()`, "
                   "and from 2.8 on it breaks the graph again.");
}
