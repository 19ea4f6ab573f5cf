/* Findings about errors. */
#include "analysis/find/advice_fit.h"
#include "analysis/find/caller_expression.h"
#include "analysis/find/find.h"

#include "analysis/answers/inputs.h"
#include "analysis/breaks/break_settings.h"
#include "analysis/errors/error_choice.h"
#include "analysis/errors/error_owner.h"
#include "analysis/errors/error_range.h"
#include "analysis/errors/error_ranks.h"
#include "analysis/errors/error_words.h"
#include "analysis/findings/find_recompiles.h"
#include "analysis/recompiles/recompile_constant.h"
#include "analysis/steps/error_steps.h"
#include "analysis/steps/error_title.h"
#include "text/guards/guard_name.h"
#include "text/messages/break_text.h"
#include "text/messages/rank_neutral.h"
#include "text/messages/shape_expression.h"
#include "text/python/python_code.h"
#include "text/python/traceback.h"
#include "util/map.h"

#include <stdlib.h>

/* A text without an error, of which the cause is known and harms: wrong results, or memory until there is none. */
static bool is_known_harm(const struct error *e)
{
    static const struct str harms[] = {STR_INIT("hooks that compiled code does not see, added"),
                                       STR_INIT("a write in place into a slice, most likely lost")};
    const struct failure *f = e->failure;

    return str_eq(f->type, STR(NOTE_TYPE)) &&
           (STR_STARTS_ANY(f->message, harms) ||
            (str_starts(f->message, STR("memory that rises")) &&
             stated_has(&f->compile->process->input->stated, STATED_DISABLE_PROVEN)));
}

/* What a logger warned of in a run whose compiles are known, and are fine. */
static bool is_beside_compiles(const struct error *e)
{
    const struct process *p = e->failure->compile->process;

    return str_eq(e->failure->type, STR("Warning")) && p->compiles.n > 0 && !p->only_warned;
}

static enum finding_severity severity_of(const struct error *e)
{
    if (error_loses_assignment(e))
        return FINDING_MEDIUM;
    if (str_eq(e->failure->type, STR(LOGGED_ERROR_TYPE)))
        return FINDING_MEDIUM;
    if (e->fault && str_has(str_first_line(e->failure->message), STR("UserWarning: ")))
        return FINDING_HIGH; /* what needs it fails later, if anything does */
    if (e->category == ERROR_WARNING)
        return is_known_harm(e) ? FINDING_MEDIUM : is_beside_compiles(e) ? FINDING_INFO : FINDING_LOW;
    if (e->silent)
        return FINDING_MEDIUM;
    return e->category == ERROR_GRAPH_BREAK || e->category == ERROR_USER ? FINDING_HIGH : FINDING_CRITICAL;
}

enum { STEPS_SHOWN = 2, LISTED_MAX = 1000 };

/* A text that does not speak of `fullgraph=True` has it from a library: what the program raises is what counts. */
static struct str how_it_failed(const struct failure *f, const struct break_fix *fix)
{
    const struct stated *to = &f->compile->process->input->stated;
    struct str words = error_forbids_break(f);

    if (fix->raised && stated_has(to, STATED_READ) && !stated_has(to, STATED_FULLGRAPH) &&
        (str_eq(words, STR("`fullgraph=True` failed")) || error_may_be_export(f)))
        return STR("The traced code raises an exception");
    return words;
}

/* A break forbidden by `fullgraph=True` has the same title and text to paste as an allowed one. */
static void set_forbidden_break(struct finder *f, struct finding *x, const struct failure *failure,
                                const struct error_steps *steps)
{
    const struct break_fix *fix = steps->broken;
    struct str within = error_operator(failure);

    if (fix->what.n)
        x->title = arena_printf(f->arena, "%.*s: %s%.*s%s%.*s", STR_ARG(how_it_failed(failure, fix)),
                                within.n ? "within " : "", STR_ARG(within), within.n ? ": " : "", STR_ARG(fix->what));
    if (failure->exporting && fix->is_setting) /* of torch.compile */
        return;
    if (steps->in_library && fix->where.n) /* what stands at the line */
        return;
    finding_paste(x, fix->is_setting ? PASTE_SETTING : fix->paste.n ? PASTE_PATTERN : PASTE_NONE, fix->paste);
    if (!fix->is_setting && fix->where.n)
        finding_paste_at(x, NULL, fix->where);
}

/* `import torch` alone does not load this module, so the statement needs the import. */
static void set_imported_setting(struct finder *f, struct finding *x, const struct error *e)
{
    struct str statement;

    if (x->paste.kind != PASTE_NONE ||
        !str_between(x->fix, STR("`torch._functorch.config."), STR("`"), &statement) ||
        !str_has(statement, STR(" = ")))
        return;
    if (str_has(e->own_source, STR("create_graph=True"))) { /* a second backward works with no setting */
        x->fix = arena_printf(f->arena,
                              "%.*s With `create_graph` a backward of the backward follows, which compiled code does "
                              "not have even then: leave the function uncompiled there.",
                              STR_ARG(x->fix));
        return;
    }
    finding_paste(x, PASTE_SETTING,
                  arena_printf(f->arena, "import torch._functorch.config\ntorch._functorch.config.%.*s",
                               STR_ARG(statement)));
}

/* "Batch" of "Unsupported input type <class '__main__.Batch'>", of a class that the program most likely defines. */
static void set_registration(struct finder *f, struct finding *x, const struct error *e)
{
    struct str class, name;

    if (x->paste.kind != PASTE_NONE ||
        !str_between(e->failure->message, STR("Unsupported input type <class '"), STR("'>"), &class) ||
        !str_has(x->fix, STR("register_dataclass(")))
        return;
    name = str_skip(class, (size_t)(str_rchr(class, '.') + 1));
    if (!break_is_identifier(name) || str_has(class, STR("<locals>")) || name.n == class.n)
        return;
    finding_paste(x, PASTE_PATTERN,
                  arena_printf(f->arena, "torch.export.register_dataclass(%.*s)", STR_ARG(name)));
    finding_paste_at(x, NULL, STR("before the export, if that class is a dataclass"));
}

static void set_steps(struct finder *f, struct finding *x, const struct error *e)
{
    struct error_steps steps;

    error_next_steps(f->arena, f->run, e, &steps);
    x->fix = STR("");
    for (size_t i = 0; i < steps.list.n; i++) {
        struct str words = steps.list.v[i].words;

        if (i >= STEPS_SHOWN && !advice_take_trial(&words).n)
            continue;
        x->fix = arena_printf(f->arena, "%.*s%s%.*s", STR_ARG(x->fix), i ? "\n" : "", STR_ARG(steps.list.v[i].words));
    }
    finding_paste(x, PASTE_COMMAND, steps.alone);
    set_imported_setting(f, x, e);
    set_registration(f, x, e);
    finding_place(x, steps.own);
    if (steps.broken && e->failure->type.n)
        set_forbidden_break(f, x, e->failure, &steps);
}

/* The lines of a message with the details: " - You marked ...", " - 0/0: tensor 'x' size mismatch ...". */
static struct str listed(struct finder *f, struct str message)
{
    struct str out = {"", 0}, line;

    while (out.n < LISTED_MAX && str_next_line(&message, &line)) {
        line = str_trim(line);
        if (str_consume(&line, STR("- ")))
            out = arena_printf(f->arena, "%.*s %.*s", STR_ARG(out), STR_ARG(line));
    }
    return out;
}

static struct str more_of(struct finder *f, const struct error *e)
{
    struct str message = e->failure->message;
    struct break_text text;

    if (e->category == ERROR_CONSTRAINT || e->category == ERROR_RECOMPILATION)
        return str_trim(listed(f, message));
    break_message_parse(f->arena, message, &text);
    return text.explanation;
}

/* Where it failed, and PyTorch's explanation. */
static struct str detail_of(struct finder *f, const struct error *e)
{
    const struct failure *failure = e->failure;
    struct str more;

    if (e->category == ERROR_WARNING)
        return (struct str){0};
    if (failure->where == FAILED_PROGRAM)
        return failure->suppressed ? STR("The program printed it and went on.") : STR("It ended the program.");
    more = more_of(f, e);
    return arena_printf(f->arena, "%s %s.%s%.*s",
                        failure->where == FAILED_BACKWARD ? "The backward graph failed" : "Failed",
                        error_stage_title(e->stage), more.n ? " " : "", STR_ARG(more));
}

/* --- a value that is not known ------------------------------------------------------------------------------------ */

/*
 * "Ne(u0, s70)" of "Could not guard on data-dependent expression Ne(u0, 12) (unhinted: Ne(u0, s70)).": the first has
 * the example's sizes in it.
 */
static struct str expression_of(struct str message)
{
    struct str out = {0};

    if (!str_between(message, STR(" (unhinted: "), STR(").  ("), &out) &&
        !str_between(message, STR(" (unhinted: "), STR(")."), &out) &&
        !str_between(message, STR("data-dependent expression "), STR(" (unhinted"), &out))
        str_between(message, STR("data-dependent expression "), STR("\n"), &out);
    return str_trim(out);
}

/* "feats", 1 and "keep" of `feats = feats[:, :keep]`: a value that is the end of a slice. */
static bool takes_slice_to(struct str source, struct str *tensor, unsigned *dim, struct str *value)
{
    ptrdiff_t open = str_rchr(source, '['), close;
    struct str slices = str_skip(source, (size_t)(open + 1));

    close = python_find(slices, STR("]"), PYTHON_TOP_LEVEL);
    if (open < 1 || close < 0)
        return false;
    slices = str_take(slices, (size_t)close);
    *tensor = str_take(source, (size_t)open);
    for (size_t n = tensor->n; n > 0; n--)
        if (!str_is_word_char(tensor->p[n - 1]) && tensor->p[n - 1] != '.') {
            *tensor = str_skip(*tensor, n);
            break;
        }
    for (*dim = 0; slices.n; ++*dim) {
        *value = str_trim(str_split(&slices, ','));
        if (str_consume(value, STR(":")) && break_is_identifier(*value))
            return tensor->n > 0;
    }
    return false;
}

/* Checked with PyTorch 2.5 and 2.6, where both checks together are enough, and 2.13, which needs none. */
static struct str slice_check(struct finder *f, struct str source)
{
    struct str tensor, value;
    unsigned dim;

    if (!takes_slice_to(source, &tensor, &dim, &value))
        return (struct str){0};
    return arena_printf(f->arena,
                        "`%.*s` is the end of a slice, which a newer PyTorch (2.13) takes as it is. With this one, "
                        "state before the line what is true of it, if it is: `torch._check(%.*s >= 0)` and "
                        "`torch._check(%.*s < %.*s.shape[%u])`; where the end may lie behind the last element, no "
                        "check is right. An export to ONNX has a second way, without "
                        "torch.export: `dynamo=False`.",
                        STR_ARG(value), STR_ARG(value), STR_ARG(value), STR_ARG(tensor), dim);
}

/*
 * "Caused by: (_meta_registrations.py:4832 in meta_select)" of "-u0 > 4" or "u0 >= 4": whether the value is an index of
 * 4 elements. Checked with 2.5 and 2.6: both checks are enough for an export, none is for torch.compile; index_select
 * works in both, and 2.13 needs nothing.
 */
static struct str index_check(struct finder *f, const struct error *e)
{
    struct str cause = str_line_with(str_take(e->failure->message, ERROR_SEARCHED), STR("Caused by: "));
    bool exporting = e->failure->exporting || str_has(e->failure->message, STR("When exporting, "));
    const char *tensor = "index with a tensor, whose value nobody asks for: "
                         "`x.index_select(0, i.reshape(1)).squeeze(0)` for `x[i]`";

    if (!str_has(cause, STR(" in meta_select)")) && !str_has(cause, STR("(meta_select)")))
        return (struct str){0};
    return arena_printf(f->arena,
                        "The value is the index of a `select` (`x[i]`), and PyTorch asks whether it is within the "
                        "dimension. A newer PyTorch (2.13) takes it as it is. %s%s%s",
                        exporting ? "With this one, state before the line what is true of it, if it is: "
                                    "`torch._check(n >= 0)` and `torch._check(n < x.shape[0])`, of the number `n = "
                                    "i.item()` and the dimension that it indexes. Or "
                                  : "With this one, ",
                        tensor,
                        exporting ? "." : ". In an export two checks before the line are enough, if they are true: "
                                          "`torch._check(n >= 0)` and `torch._check(n < x.shape[0])`, of the number "
                                          "`n = i.item()` and the dimension that it indexes.");
}

/*
 * "u0 < 0", "u0 >= 0": only one side is likely. Checked with PyTorch 2.8 and 2.13: `select` and indexing by the value
 * of a tensor work with the check of the number, or need none; `index_select` works in 2.5 and 2.6, too.
 */
static bool is_of_sign(struct str expression)
{
    uint64_t symbol;

    return str_consume(&expression, STR("u")) && str_take_u64(&expression, &symbol) &&
           (str_eq(expression, STR(" < 0")) || str_eq(expression, STR(" >= 0")));
}

/* "Eq(u0, 2)" of "Eq(256*u0, 512)": the same without the factor. */
static struct str without_factor(struct arena *a, struct str expression)
{
    struct str rest = expression, symbol;
    uint64_t factor, number;
    bool equal = str_consume(&rest, STR("Eq("));

    if ((!equal && !str_consume(&rest, STR("Ne("))) || !str_take_u64(&rest, &factor) || factor == 0 ||
        !str_consume(&rest, STR("*")))
        return expression;
    symbol = str_split(&rest, ',');
    if (!break_is_identifier(symbol) || !str_consume(&rest, STR(" ")) || !str_take_u64(&rest, &number) ||
        !str_eq(rest, STR(")")) || number % factor)
        return expression;
    return arena_printf(a, "%s(%.*s, %llu)", equal ? "Eq" : "Ne", STR_ARG(symbol),
                        (unsigned long long)(number / factor));
}

/*
 * "ATTENTION: guard_size_oblivious would fix the error, evaluating expression to False.": how PyTorch's own code would
 * take a size that it does not know. Empty where the message does not say.
 */
static struct str side_of_pytorch(const struct error *e, const struct condition *c)
{
    static const struct str lead = STR_INIT("would fix the error, evaluating expression to ");
    ptrdiff_t at = str_find(e->failure->message, lead);
    struct str side = str_skip(e->failure->message, at < 0 ? e->failure->message.n : (size_t)at + lead.n);

    return str_starts(side, STR("False")) ? c->fails : str_starts(side, STR("True")) ? c->holds : (struct str){0};
}

/* What compiles, exports or calls a model: the line that asks for the value is one of the model's. */
static bool is_entry(struct str source)
{
    return str_has_any_line(source, STR("export(\ntorch.compile(\nmodel(\nmodel.forward(\nmodule(\nto_edge("));
}

/*
 * "return goods.new_tensor([n])": the function that makes the tensor reads the number, and others take it as it is.
 * Checked with PyTorch 2.13: `tensor`, `full` and `new_full` do, `as_tensor`, `asarray` and `LongTensor` do not.
 */
static bool makes_tensor_of_number(struct str source)
{
    return str_has_any_line(source, STR(".new_tensor(\n.as_tensor(\n.asarray(\n.LongTensor(\n.IntTensor(\n"
                                        ".FloatTensor(")) &&
           !str_has_any_line(source, STR("range(\nint(\n.item()\n.tolist()\nif \nwhile \nfor "));
}

/* What needs a number in Python: no operator of a graph can give it. */
static bool needs_number(struct str source)
{
    return source.n == 0 ||
           str_has_any_line(source, STR("range(\nint(\nfloat(\n.item()\n.tolist()\nif \nwhile \nfor \nshape\n"
                                        "size(\nlen("));
}

/* "u0 >= 0" of "u0 < 0". */
static struct str not_negative(struct finder *f, struct str expression)
{
    return arena_printf(f->arena, "%.*s >= 0", STR_ARG(str_take(expression, (size_t)str_chr(expression, ' '))));
}

/* The check, as code; with symbols, which no program has as names, in words. */
static struct str check_of(struct finder *f, struct str condition, bool symbolic)
{
    return symbolic ? arena_printf(f->arena,
                                   "`torch._check(...)` of `%.*s`, with the program's own values in place of the "
                                   "symbols (u0, s0, ...)",
                                   STR_ARG(condition))
                    : arena_printf(f->arena, "`torch._check(%.*s)`", STR_ARG(condition));
}

/* "tills/count/till.py:229": the line that 2.4 to 2.6 name as the one that asks, if it is a package's; else empty. */
static struct str library_culprit(struct arena *a, struct str message)
{
    struct str file, line, rest;
    ptrdiff_t at = str_find(message, STR("Potential framework code culprit"));

    rest = str_skip(message, at < 0 ? message.n : (size_t)at);
    if (!str_between(rest, STR("File \""), STR("\", line "), &file) || !is_library_file(file) ||
        code_file_package_path(file).n == 0)
        return (struct str){0};
    str_between(rest, STR("\", line "), STR(","), &line);
    return arena_printf(a, "%.*s:%.*s", STR_ARG(code_file_package_path(file)), STR_ARG(line));
}

/* Who writes an `if` expects both sides; an export has no other way than to say which it is. */
static bool branches(const struct error *e)
{
    return (str_starts(e->own_source, STR("if ")) || str_starts(e->own_source, STR("elif "))) &&
           !e->failure->exporting && !str_has(e->failure->message, STR("When exporting, "));
}

/*
 * Empty if there is none. Only the user knows which side is true: the same checks in the wrong place export the wrong
 * branch.
 */
static struct str checks_of(struct finder *f, const struct error *e)
{
    struct unknown_condition unknown = {.expression = without_factor(f->arena, expression_of(e->failure->message)),
                                        .source = e->own_source};
    struct str slice = slice_check(f, e->own_source), index = index_check(f, e), side, equal = {0}, hint, culprit;
    bool entry = is_entry(e->own_source), stated;
    const char *line = entry           ? "the line of the model that asks (below this call)"
                       : e->own_line ? "the line"
                                     : "the line that asks (not in this text: the whole traceback has it, below `from "
                                       "user code:` or `User Stack`)";
    struct condition c;

    if (error_is_in_library(e) || error_owner_is_within_library(e) || error_owner_is_generated(e)) /* no place */
        return (struct str){0};
    /* a check excludes half of the inputs there; the value itself is asked for */
    if (error_chooses_size(e) || error_asks_zero_size(e) ||
        str_eq(e->failure->type, STR("DataDependentOutputException")))
        return (struct str){0};
    if (slice.n)
        return slice;
    if (index.n)
        return index;
    if (error_is_asked_by_compiler(e->failure->message))
        return STR("PyTorch itself asks, while it compiles the graph, and not this line: a bug in PyTorch. Try a newer "
                   "version, then report it. Until then, if it is true for all inputs, state it in the forward, right "
                   "behind the line that makes the size: `torch._check(n >= 2)`, for example.");
    finding_condition(f->arena, &unknown, &c);
    if (c.holds.n == 0 && str_has(e->failure->message, STR("specialized integer")))
        return makes_tensor_of_number(e->own_source)
                   ? STR("The function that makes the tensor reads the number, and the program does not need it: write "
                         "`torch.tensor([n], dtype=x.dtype, device=x.device)` or `x.new_full((1,), n)`, which take it "
                         "as it is. A newer PyTorch may do, too: 2.13 takes it in `new_tensor`. Without fullgraph=True "
                         "the graph breaks at the line instead.")
               : needs_number(e->own_source)
                   ? STR("Python needs the number itself there, as range() and the index of a list do: no check can "
                         "provide it. Without fullgraph=True the graph breaks at the line instead.")
                   : STR("Something in this line asks for the number itself, as range(), the index of a list and "
                         "some operators do: no check can provide it. Without fullgraph=True the graph breaks at the "
                         "line instead.");
    if (c.holds.n == 0)
        return arena_printf(f->arena,
                            "If you know something that is always true of the value, state it before %s with "
                            "torch._check(...).",
                            line);
    if (is_of_sign(unknown.expression))
        return arena_printf(f->arena,
                            "PyTorch asks whether the value is negative, as it does of indexes and of the ends of "
                            "slices. If it never is, state that before %s: %.*s (of a tensor `i`, of its number: "
                            "`n = i.item()`). An index can stay a tensor instead: `x.index_select(0, i.reshape(1))`. A "
                            "newer PyTorch asks less.",
                            line, STR_ARG(check_of(f, not_negative(f, unknown.expression), c.symbolic)));
    hint = error_owner_hint(f->arena, e, &stated);
    if (stated)
        return arena_printf(f->arena, "%.*s If they can differ, no check is right.", STR_ARG(hint));
    side = side_of_pytorch(e, &c);
    culprit = library_culprit(f->arena, e->failure->message);
    if (culprit.n)
        return arena_printf(f->arena,
                            "A line of a package asks (%.*s), and no line of the program: a newer version of it may "
                            "ask less. An input whose size was marked with `mark_unbacked` has no example to answer "
                            "by: `torch._dynamo.mark_dynamic` gives it one.%s%.*s%s",
                            STR_ARG(culprit),
                            side.n ? " Else, if it is true for all inputs, state it before the call: " : "",
                            STR_ARG(side.n ? check_of(f, side, c.symbolic) : side), side.n ? "." : "");
    if (side.n)
        return arena_printf(f->arena,
                            "The message says that PyTorch's own code takes it as `%.*s`. If that is true for all "
                            "inputs, state it before %s: %.*s. A newer PyTorch may take it so by itself.",
                            STR_ARG(side), line, STR_ARG(check_of(f, side, c.symbolic)));
    if (str_has(e->failure->message, STR("data-dependent expression Ne(")))
        equal = line_equality_of(f->arena, e->own_source);
    if (equal.n)
        return arena_printf(f->arena,
                            "If the line is only a check, which raises an error, state before it what is true of a "
                            "program that works: `torch._check(%.*s)`. If both can happen, no check is right.",
                            STR_ARG(equal));
    side = c.symbolic ? check_of(f, arena_printf(f->arena, "%.*s` or `%.*s", STR_ARG(c.holds), STR_ARG(c.fails)), true)
                      : arena_printf(f->arena, "`torch._check(%.*s)` or `torch._check(%.*s)`", STR_ARG(c.holds),
                                     STR_ARG(c.fails));
    if (branches(e))
        return arena_printf(f->arena,
                            "Or leave what branches out of the compiled function. Only if one side is true for all "
                            "inputs, state that before %s: %.*s.%s%.*s",
                            line, STR_ARG(side), hint.n ? " " : "", STR_ARG(hint));
    return arena_printf(f->arena,
                        "Before %s, state which side is true for all inputs: %.*s. If both can happen, neither check "
                        "is right.%s%.*s",
                        line, STR_ARG(side), hint.n ? " " : "", STR_ARG(hint));
}

/* The operator that lacks a fake kernel: "shop.price"; empty for any other error. */
static struct str without_fake_kernel(struct finder *f, const struct error *e)
{
    struct str message = e->failure->message, op = {0}, name;

    if (str_has(message, STR("does not support running with fake tensors")))
        str_between(message, STR("unsupported operator: "), STR("\n"), &op);
    if (str_between(message, STR("no fake impl registered for <CustomOpDef("), STR(")>"), &name)) {
        struct str space = str_split(&name, ':');

        str_consume(&name, STR(":"));
        op = arena_printf(f->arena, "%.*s.%.*s", STR_ARG(space), STR_ARG(name));
    }
    return op;
}

/*
 * "moved, target" of `return chamfer(moved, target).mean()`: the arguments that the failing line passes to the
 * operator.
 */
static struct str arguments_of(struct str source, struct str op)
{
    struct str name, arguments;
    ptrdiff_t at, end;

    str_split(&op, '.');
    name = str_split(&op, '.');
    at = name.n ? str_find(source, name) : -1;
    arguments = at < 0 ? (struct str){0} : str_skip(source, (size_t)at + name.n);
    if (!str_consume(&arguments, STR("(")))
        return (struct str){0};
    end = python_find(arguments, STR(")"), PYTHON_TOP_LEVEL);
    return end < 0 ? (struct str){0} : str_take(arguments, (size_t)end);
}

/* --- a size that was marked --------------------------------------------------------------------------------------- */

/*
 * "L['x'].size()[0]" and "4" of the next of a message's lines "- You marked L['x'].size()[0] as dynamic but your code
 * specialized it to be a constant (4)." and, up to 2.6, "- Not all values of RelaxedUnspecConstraint(...) are valid
 * because L['x'].size()[0] was inferred to be a constant (4)." Moves behind it.
 */
static bool next_specialized(struct str *message, struct str *marked, struct str *value)
{
    static const struct {
        struct str before, between;
    } forms[] = {
        {STR_INIT("You marked "), STR_INIT(" as dynamic but your code specialized it to be a constant (")},
        {STR_INIT(" are valid because "), STR_INIT(" was inferred to be a constant (")},
    };

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct str rest = *message;

        if (!str_between(rest, forms[i].before, forms[i].between, marked))
            continue;
        rest = str_skip(rest, (size_t)(marked->p - rest.p) + marked->n);
        if (!str_between(rest, forms[i].between, STR(")"), value))
            continue;
        *message = str_skip(rest, (size_t)(value->p - rest.p));
        return true;
    }
    return false;
}

/*
 * "L['x'].size()[0]" of "- You marked L['x'].size()[0] as dynamic but your code specialized it ...": finds the inputs
 * that have the same size there and no mark: x and y cannot be added if only one varies.
 */
static void find_unmarked(struct finder *f, const struct error *e, struct input_changes *out)
{
    struct str message = e->failure->message, marked, source, value;
    int64_t dim;

    while (next_specialized(&message, &marked, &value)) {
        if (input_parse_size(marked, &source, &dim))
            inputs_to_mark_too(f->arena, e->failure->compile, source, dim, out);
    }
}

/*
 * The line that made a size the constant that the message names. An exported program has its own name for the size, so
 * the value identifies it there.
 */
static const struct call *line_in(const struct compile *c, struct str value)
{
    for (size_t i = 0; i < c->symbols.n; i++)
        if (str_eq(c->symbols.v[i].specialized_to, value) && c->symbols.v[i].specialized_at)
            return stack_user_call(c->symbols.v[i].specialized_at);
    for (size_t i = 0; i < c->specializations.n; i++)
        if (str_eq(c->specializations.v[i].value, value) && c->specializations.v[i].user_stack)
            return stack_user_call(c->specializations.v[i].user_stack);
    return NULL;
}

static const struct call *line_that_needs(const struct compile *c, struct str message)
{
    const struct call *line = NULL;
    struct str marked, value;

    if (!next_specialized(&message, &marked, &value))
        return NULL;
    if (c->frame)
        return line_in(c, value);
    for (size_t i = 0; i < c->process->compiles.n && !line; i++)
        line = line_in(c->process->compiles.v[i], value);
    return line;
}

/* Dimensions of exported programs have names: "You marked batch as dynamic". */
static bool is_exported(const struct error *e)
{
    struct str marked;

    return e->failure->exporting ||
           (str_between(e->failure->message, STR("You marked "), STR(" as dynamic"), &marked) &&
            str_chr(marked, '[') < 0);
}

/* No line of the program does it. An export has no lowerings. */
static struct str lowering_that_needs(const struct error *e)
{
    const struct compile *c = e->failure->compile;

    return line_that_needs(c, e->failure->message) || e->failure->exporting ? (struct str){0}
                                                                            : recompile_constant_lowering(c, STR(""));
}

static void set_line_that_needs(struct finder *f, struct finding *x, const struct error *e)
{
    const struct call *line = line_that_needs(e->failure->compile, e->failure->message);
    struct str lowering = lowering_that_needs(e);

    if (lowering.n)
        x->fix = arena_printf(
            f->arena,
            "No line of the program does it: `%.*s`, which lowers %s for Inductor, needs the size as a constant. No "
            "mark helps: remove it, or make it `maybe_mark_dynamic`, which gives way, and pad to a few sizes: each is "
            "one compile.%s",
            STR_ARG(lowering),
            str_eq(lowering, STR("convolution_backward_lowering")) ? "the backward of a convolution" : "an operator",
            str_eq(lowering, STR("convolution_backward_lowering"))
                ? " Evaluation under `torch.no_grad()` keeps its sizes dynamic, and so does training with PyTorch 2.6."
                : " Another version of PyTorch may keep it dynamic.");
    if (!line || !is_program_file(line->file))
        return;
    finding_place(x, line);
    x->fix =
        arena_printf(f->arena,
                     "This line needs the size as a constant. If it should vary, take the number from the input, such "
                     "as `x.shape[0]`, or use `-1`. Where it meets the size of another tensor (a sum, a product), mark "
                     "that one, too. If it need not vary, %s%s.",
                     is_exported(e) ? "leave it out of `dynamic_shapes`" : "remove the mark",
                     is_exported(e) ? "" : ", or make it `maybe_mark_dynamic`, which gives way");
}

/* " (dimension 0 of `x`)" of the dimension `batch`, which a message has as "batch = L['x'].size()[0] in the ...". */
static struct str place_of_dimension(struct finder *f, struct str message, struct str name)
{
    struct str lead = arena_printf(f->arena, "Not all values of %.*s = ", STR_ARG(str_take(name, 200))), size, source;
    int64_t dim;

    if (!str_between(message, lead, STR(" in the specified range"), &size) || !input_parse_size(size, &source, &dim))
        return (struct str){0};
    return arena_printf(f->arena, " (dimension %lld of `%.*s`)", (long long)dim,
                        STR_ARG(str_take(guard_name(f->arena, source), 200)));
}

/* The first size that the message names, in words; others are in the detail. */
static struct str title_of_mark(struct finder *f, struct str message, const char *who)
{
    struct str whole = message, marked, source, value;
    int64_t dim;

    if (!next_specialized(&message, &marked, &value))
        return (struct str){0};
    if (break_is_identifier(marked))
        return arena_printf(f->arena, "The dimension `%.*s`%.*s should be dynamic, but %s makes it the constant %.*s",
                            STR_ARG(str_take(marked, 200)), STR_ARG(place_of_dimension(f, whole, marked)), who,
                            STR_ARG(str_take(value, 20)));
    if (!input_parse_size(marked, &source, &dim))
        return (struct str){0};
    return arena_printf(f->arena, "Dimension %lld of `%.*s` is marked dynamic, but %s makes it the constant %.*s",
                        (long long)dim, STR_ARG(str_take(guard_name(f->arena, source), 200)), who,
                        STR_ARG(str_take(value, 20)));
}

/* "`y`, `mask`", and a mark for each. */
static void set_unmarked(struct finder *f, struct finding *x, const struct error *e)
{
    const struct compile *c = e->failure->compile;
    struct input_changes inputs = {0};
    struct str names = {0}, marks = {0}, title;
    bool lowered = lowering_that_needs(e).n;

    title = title_of_mark(f, e->failure->message, lowered ? "Inductor" : "the code");
    x->title = title.n ? title : x->title;
    find_unmarked(f, e, &inputs);
    vec_each(const struct input_change, input, &inputs.list)
    {
        struct str name = caller_expression(f->arena, c, guard_facts_of(f, c), input->source);

        if (name.n == 0)
            name = guard_name(f->arena, input->source);
        names = arena_printf(f->arena, "%.*s%s`%.*s`", STR_ARG(names), names.n ? ", " : "", STR_ARG(name));
        marks = arena_printf(f->arena, "%.*s%storch._dynamo.mark_dynamic(%.*s, %lld)", STR_ARG(marks),
                             marks.n ? "\n" : "", STR_ARG(name), (long long)input->dim);
    }
    if (names.n == 0 || lowered)
        return;
    x->fix = arena_printf(f->arena,
                          "Another input has the same size there and is not marked: %.*s. If they vary together, mark "
                          "all of them. If not, the line needs the number: remove the mark, or rewrite the line.",
                          STR_ARG(names));
    finding_paste(x, PASTE_PATTERN, marks);
    finding_paste_at(x, NULL, STR("next to the existing mark"));
}

/* --- a recompile that is forbidden -------------------------------------------------------------------------------- */

static bool is_forbidden_recompile(const struct error *e)
{
    return error_forbids_recompile(e->failure) && e->failure->compile->frame;
}

/* error_on_recompile: the cause is the one that the recompile would have had. */
static void set_forbidden_recompile(struct finder *f, struct finding *x, const struct error *e)
{
    struct recompile *rc = ARENA_NEW(f->arena, struct recompile);
    const struct recompile_cause *cause;
    struct str detail = x->detail;

    recompile_of(f->arena, e->failure->compile, rc);
    if (rc->reasons.n == 0)
        return;
    cause = recompile_cause_of_one(f, rc);
    x->title = arena_printf(f->arena, "A recompile was needed but is forbidden: %.*s",
                            STR_ARG(recompile_changes_words(f, cause)));
    recompile_explain(f, x, cause);
    x->detail = detail;
    x->fix = arena_printf(f->arena, "%.*s\nOr allow recompiles: %s.", STR_ARG(x->fix),
                          str_eq(e->failure->type, STR("RecompileError"))
                              ? "`torch._dynamo.config.error_on_recompile` is set"
                              : "`torch.compiler.set_stance` forbids them here");
    guard_facts_forget(f);
}

/* Errors with rows of their own. */
static const char *id_of(struct finder *f, const struct error *e)
{
    if (without_fake_kernel(f, e).n)
        return "missing-fake-kernel";
    return e->category == ERROR_DATA_DEPENDENT ? "data-dependent" : "error";
}

/* --- errors ------------------------------------------------------------------------------------------------------- */

/* One error that occurred in several compiles. */
struct same_error {
    const struct error *first;
    VEC(const struct compile *) compiles;
};

static int by_rank(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* Whether no two are of one process. Where the text names ranks, what has no rank may be of one of them. */
static bool are_of_processes(const struct same_error *same)
{
    enum { COMPARED_MAX = 64 };
    size_t n = same->compiles.n;

    if (n > COMPARED_MAX)
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct process *p = same->compiles.v[i]->process;

        if (p->rank >= 0)
            return false;
        for (size_t k = i + 1; k < n; k++)
            if (p == same->compiles.v[k]->process)
                return false;
    }
    return true;
}

/* " (on ranks 0, 1)", " (in 2 processes)", " (3 times)": how many compiles have it. */
static struct str times_of(struct arena *a, const struct same_error *same)
{
    enum { NAMED_MAX = 8 };
    size_t n = same->compiles.n;
    int *ranks = ARENA_ARRAY(a, int, n);
    struct str names = {0};
    bool apart = true;

    for (size_t i = 0; i < n; i++)
        ranks[i] = same->compiles.v[i]->process->rank;
    qsort(ranks, n, sizeof *ranks, by_rank);
    for (size_t i = 0; i < n; i++)
        apart = apart && ranks[i] >= 0 && (i == 0 || ranks[i] != ranks[i - 1]);
    if (n < 2)
        return names;
    if (!apart && same->first->category != ERROR_COLLECTIVE)
        return arena_printf(a, are_of_processes(same) ? " (in %zu processes)" : " (%zu times)", n);
    if (!apart || n > NAMED_MAX)
        return arena_printf(a, " (on %zu ranks)", n);
    for (size_t i = 0; i < n; i++)
        names = arena_printf(a, "%.*s%s%d", STR_ARG(names), i ? ", " : "", ranks[i]);
    return arena_printf(a, " (on ranks %.*s)", STR_ARG(names));
}

/* "shop::price" of "expected size 4==4, stride 1==2 at dim=0\nError in op: torch.ops.shop.price.default" */
static struct str mismatched_operator(struct finder *f, struct str message)
{
    static const struct str own[] = {STR_INIT("aten"), STR_INIT("prims"), STR_INIT("mkldnn"), STR_INIT("quantized"),
                                     STR_INIT("_c10d_functional")};
    ptrdiff_t at = str_find(message, STR("Error in op: torch.ops.")), end;
    struct str line, space, name;

    if (at < 0 || !str_has(message, STR("expected size ")))
        return (struct str){0};
    message = str_skip(message, (size_t)at + sizeof "Error in op: torch.ops." - 1);
    if (!str_next_line(&message, &line))
        return (struct str){0};
    line = str_trim(line);
    space = str_split(&line, '.');
    end = str_chr(line, '.');
    name = end < 0 ? line : str_take(line, (size_t)end);
    if (!break_is_identifier(space) || !break_is_identifier(name) || STR_IS_ANY(space, own))
        return (struct str){0};
    return arena_printf(f->arena, "%.*s::%.*s", STR_ARG(space), STR_ARG(name));
}

/* Compiled code has the line at which its function begins, often a decorator: the line that calls it says more. */
static void place_at_call(struct finding *x, const struct call *innermost)
{
    bool below = false;

    if (!str_starts(x->source, STR("@")))
        return;
    for (const struct call *c = innermost; c; c = c->parent) {
        if (below && is_program_file(c->file) && c->source.n) {
            finding_place(x, c);
            return;
        }
        below |= c->line == x->line && str_eq(c->file, x->file);
    }
}

/* "256x2880" and "256x3072" of "expected size 256==256, stride 2880==3072 at dim=0; ...": the first is the tensor's. */
static bool read_mismatch(struct arena *a, struct str line, struct str *got, struct str *declared)
{
    struct str part;

    *got = *declared = (struct str){0};
    while (line.n) {
        uint64_t is, was, stride, old;

        part = str_trim(str_split(&line, ';'));
        str_consume(&part, STR("AssertionError: "));
        if (!str_consume(&part, STR("expected size ")) || !str_take_u64(&part, &is) ||
            !str_consume(&part, STR("==")) || !str_take_u64(&part, &was) || !str_consume(&part, STR(", stride ")) ||
            !str_take_u64(&part, &stride) || !str_consume(&part, STR("==")) || !str_take_u64(&part, &old) ||
            !str_starts(part, STR(" at dim=")))
            return false;
        *got = arena_printf(a, "%.*s%s%llu (stride %llu)", STR_ARG(*got), got->n ? " x " : "", (unsigned long long)is,
                            (unsigned long long)stride);
        *declared = arena_printf(a, "%.*s%s%llu (stride %llu)", STR_ARG(*declared), declared->n ? " x " : "",
                                 (unsigned long long)was, (unsigned long long)old);
    }
    return got->n > 0;
}

/* "vllm" of "vllm::moe_forward", where all code of the stack that is no framework's is in that package. */
static struct str package_of_operator(const struct error *e, struct str op)
{
    struct str space = str_take(op, (size_t)str_chr(op, ':'));
    bool has = false;

    for (const struct call *c = e->stack; c; c = c->parent) {
        ptrdiff_t at = str_find(c->file, STR("-packages/"));
        struct str inside = str_skip(c->file, at < 0 ? c->file.n : (size_t)at + sizeof "-packages/" - 1);

        if (at >= 0)
            has |= str_consume(&inside, space) && str_starts(inside, STR("/"));
        else if (is_program_file(c->file))
            return (struct str){0};
    }
    return has ? space : (struct str){0};
}

/* Libraries that register operators below a name that is theirs. */
static const struct {
    struct str space;
    const char *library;
} operator_owners[] = {
    {STR_INIT("vllm"), "vLLM"},
    {STR_INIT("sglang"), "SGLang"},
    {STR_INIT("sgl_kernel"), "SGLang"},
    {STR_INIT("torchao"), "torchao"},
    {STR_INIT("flash_attn"), "flash-attn"},
    {STR_INIT("flash_attn_3"), "flash-attn"},
    {STR_INIT("flashinfer"), "FlashInfer"},
    {STR_INIT("xformers"), "xFormers"},
    {STR_INIT("bitsandbytes"), "bitsandbytes"},
    {STR_INIT("fbgemm"), "FBGEMM"},
    {STR_INIT("torchvision"), "torchvision"},
    {STR_INIT("torchaudio"), "torchaudio"},
};

/* "vLLM" of "vllm::moe_forward"; NULL for a name that is no known library's. */
static const char *owner_by_name(struct str op)
{
    struct str space = str_take(op, (size_t)(str_chr(op, ':') < 0 ? 0 : str_chr(op, ':')));

    for (size_t i = 0; i < sizeof operator_owners / sizeof *operator_owners; i++)
        if (str_eq(space, operator_owners[i].space))
            return operator_owners[i].library;
    return NULL;
}

/* Who only uses the operator can neither change it nor its fake kernel. */
static void set_mismatch(struct finder *f, struct finding *x, const struct error *e, struct str op, struct str times)
{
    struct str line = str_first_line(e->failure->message), got, declared, package = package_of_operator(e, op);
    const char *owner = package.n ? NULL : owner_by_name(op);

    place_at_call(x, e->stack);
    if (read_mismatch(f->arena, line, &got, &declared))
        x->title = arena_printf(f->arena,
                                "`%.*s` returns other sizes or strides than its fake kernel declares: %.*s, "
                                "declared as %.*s%.*s",
                                STR_ARG(op), STR_ARG(got), STR_ARG(declared), STR_ARG(times));
    else
        x->title = arena_printf(f->arena,
                                "`%.*s` returns other sizes or strides than its fake kernel declares: %.*s%.*s",
                                STR_ARG(op), STR_ARG(line), STR_ARG(times));
    if (package.n)
        x->fix = arena_printf(f->arena,
                              "The operator is %.*s's, and so is what calls it: try a newer %.*s, or an older one, "
                              "then report it there.%s For its authors: %.*s",
                              STR_ARG(package), STR_ARG(package),
                              str_eq(package, STR("vllm")) ? " Until then: `--enforce-eager`." : "", STR_ARG(x->fix));
    else if (owner)
        x->fix =
            arena_printf(f->arena,
                         "By its name the operator is one of %s: update that, then report it there, and not to "
                         "PyTorch.%s For its authors: %.*s",
                         owner, strcmp(owner, "vLLM") == 0 ? " Until then: `--enforce-eager`." : "", STR_ARG(x->fix));
}

/* One finding for all ranks: what their messages have in common, and where they differ. */
static void set_stuck(struct finder *f, struct finding *x, const struct same_error *same, struct str times)
{
    struct str common = str_first_line(same->first->failure->message), numbers;
    ptrdiff_t end = str_find(common, STR("] ")), size = str_find(common, STR(". workMetaList_"));
    int odd;

    if (same->compiles.n < 2)
        return;
    numbers = error_ranks_under_way(f->arena, same->compiles.v, same->compiles.n, &odd);
    common = str_take(common, size < 0 ? common.n : (size_t)size);
    common = str_skip(common, str_starts(common, STR("[")) && end > 0 ? (size_t)end + 2 : 0);
    x->title = arena_printf(f->arena, "The watchdog of collectives is stuck: %.*s%s%.*s", STR_ARG(common),
                            numbers.n ? "; " : "", STR_ARG(numbers.n ? numbers : times));
    if (odd >= 0)
        x->fix = arena_printf(f->arena, "Look at rank %d first: all others have one number, and it has another. %.*s",
                              odd, STR_ARG(x->fix));
}

/* The function that has the line, as the stack says. */
static struct str function_of(const struct error *e)
{
    for (const struct call *c = e->failure->stack; c; c = c->parent)
        if (c->line == e->own_line && str_eq(c->file, e->own_file))
            return c->function;
    return (struct str){0};
}

static void add_error(struct finder *f, const struct same_error *same)
{
    const struct error *e = same->first;
    struct finding *x = finding_add(f, id_of(f, e), severity_of(e));
    struct str times = times_of(f->arena, same), op = without_fake_kernel(f, e);
    struct str checks = e->category == ERROR_DATA_DEPENDENT ? checks_of(f, e) : (struct str){0};
    struct str other = e->category == ERROR_FAKE_TENSOR ? mismatched_operator(f, e->failure->message) : (struct str){0};

    x->title = arena_printf(f->arena, "%.*s%.*s", STR_ARG(error_title(f->arena, e)), STR_ARG(times));
    x->detail = detail_of(f, e);
    x->file = e->own_file;
    x->line = e->own_line;
    x->source = e->own_source;
    x->function = function_of(e);
    set_steps(f, x, e);
    if (checks.n && str_starts(checks, STR("Or ")))
        x->fix = arena_printf(f->arena, "%.*s\n%.*s", STR_ARG(x->fix), STR_ARG(checks));
    else if (checks.n)
        x->fix = arena_printf(f->arena, "%.*s\n%.*s", STR_ARG(checks), STR_ARG(x->fix));
    if (e->category == ERROR_CONSTRAINT)
        set_line_that_needs(f, x, e);
    if (e->category == ERROR_CONSTRAINT && !e->failure->exporting)
        set_unmarked(f, x, e);
    if (is_forbidden_recompile(e))
        set_forbidden_recompile(f, x, e);
    if (other.n)
        set_mismatch(f, x, e, other, times);
    if (error_ranks_are_stuck(e->failure))
        set_stuck(f, x, same, times);
    if (op.n)
        x->title = arena_printf(f->arena, "The operator `%.*s` has no fake kernel%.*s", STR_ARG(op), STR_ARG(times));
    /* PyTorch's own are for PyTorch to mend */
    if (op.n && !str_starts(op, STR("aten.")) && !str_starts(op, STR("prims.")))
        finding_paste_fake_kernel(f, x, op, arguments_of(e->own_source, op));
    for (size_t i = 0; i < same->compiles.n; i++)
        finding_evidence(f, x, same->compiles.v[i]);
    if (e->category == ERROR_COLLECTIVE)
        vec_push(f->arena, &f->waited, ((struct of_failure){x, e->failure}));
    else if (str_eq(e->failure->type, STR("ChildFailedError")))
        vec_push(f->arena, &f->reported, ((struct of_failure){x, e->failure}));
}

/* "<VllmBackend object at 0x7f1c>": the address of an object differs between processes. */
static struct str on_any_rank(struct arena *a, struct str line)
{
    struct rank_neutral n = {0};
    struct buf out = {0};
    struct str text;

    rank_neutral_line(&n, line, &out);
    text = arena_str(a, buf_view(&out));
    buf_free(&out);
    return text;
}

/*
 * What is the same when several ranks say it: who keeps them waiting; else, of a collective, its number and its kind,
 * not how long each waited.
 */
static struct str common_words(struct arena *a, const struct error *e)
{
    struct str first = str_first_line(e->failure->message), work, differ;

    if (error_ranks_are_named(e->failure))
        return e->failure->beside;
    if (error_ranks_are_stuck(e->failure))
        return STR(STUCK_WATCHDOG_TYPE);
    differ = error_ranks_differ(a, e->failure);
    if (differ.n)
        return differ;
    if (error_of_watchdog(e->failure).n)
        return error_of_watchdog(e->failure);
    if (e->category == ERROR_COLLECTIVE && str_between(first, STR("WorkNCCL("), STR(", Numel"), &work))
        return work;
    return on_any_rank(a, first);
}

static void **words_slot(struct finder *f, struct map *placed, const struct error *e)
{
    return map_at(placed, arena_printf(f->arena, "%.*s %.*s", STR_ARG(e->failure->type),
                                       STR_ARG(common_words(f->arena, e))));
}

static size_t length_of(const struct call *stack)
{
    size_t n = 0;

    for (; stack; stack = stack->parent)
        n++;
    return n;
}

/*
 * The error with the same words whose place is known and whose stack is the longest, the first of them: of one rank a
 * text may have only the message, or a part of the stack.
 */
static void find_places(struct finder *f, struct map *placed)
{
    const struct errors *errors = &f->answers->errors;

    map_init(placed, f->arena);
    for (size_t i = 0; i < errors->list.n; i++) {
        const struct error *e = &errors->list.v[i];
        void **slot = e->own_file.n ? words_slot(f, placed, e) : NULL;

        if (slot && (!*slot || length_of(e->failure->stack) > length_of(((const struct error *)*slot)->failure->stack)))
            map_put_const(slot, e);
    }
}

static bool is_same_call(const struct call *a, const struct call *b)
{
    return a->line == b->line && str_eq(a->file, b->file);
}

/* Whether the calls of one stack are among those of the other, in their order, and both end alike. */
static bool is_part_of(const struct call *part, const struct call *whole)
{
    if (!part || !whole || !is_same_call(part, whole))
        return false;
    for (; part && whole; whole = whole->parent)
        if (is_same_call(part, whole))
            part = part->parent;
    return !part;
}

static const struct error *with_place(struct finder *f, struct map *placed, const struct error *e)
{
    const struct error *other = *words_slot(f, placed, e);

    if (!other)
        return e;
    if (error_ranks_differ(f->arena, e->failure).n)
        return other; /* both ranks stop at it, each with its own stack */
    if (other->failure->compile->process == e->failure->compile->process)
        return e;
    return !e->own_file.n || is_part_of(e->failure->stack, other->failure->stack) ? other : e;
}

/* It looks like an error in the log, and is what its reader asks about, not how long tuning took. */
static bool is_skipped_choice(const struct error *e)
{
    return str_starts(e->failure->message, STR("the autotuner skipped a choice"));
}

/* The same, and its cause, which may be cut off in one of them: "x" and "x: EOFError". */
static bool is_with_cause(struct str message, struct str whole)
{
    return str_consume(&whole, message) && str_starts(whole, STR(": ")) &&
           str_starts(message, STR("compiled code of the cache cannot be loaded"));
}

/* Other ranks say the same. */
static bool is_said_before(const struct errors *errors, const struct error *warning)
{
    struct str message = warning->failure->message;

    vec_each(const struct error, w, &errors->warnings) if (str_eq(w->failure->type, warning->failure->type) &&
                                                           ((w < warning && str_eq(w->failure->message, message)) ||
                                                            is_with_cause(message, w->failure->message)))
        return true;
    return false;
}

void find_errors(struct finder *f)
{
    const struct errors *errors = &f->answers->errors;
    struct map seen, placed;

    map_init(&seen, f->arena);
    find_places(f, &placed);
    for (size_t i = 0; i < errors->list.n; i++) {
        const struct error *e = &errors->list.v[i];
        const struct failure *x = e->failure;
        const struct error *at;
        struct same_error *same;
        struct str words;
        void **slot;

        if (x->compile->frame && x->compile->limit_hit && e->category == ERROR_RECOMPILATION)
            continue; /* belongs to find_recompile_limit */
        words = common_words(f->arena, e);
        at = with_place(f, &placed, e);
        slot = map_at(&seen, arena_printf(f->arena, "%.*s %lld %.*s %.*s", STR_ARG(x->type), (long long)at->own_line,
                                          STR_ARG(at->own_file), STR_ARG(words)));
        if (!*slot)
            *slot = ARENA_NEW(f->arena, struct same_error);
        same = *slot;
        same->first = same->first ? same->first : at;
        vec_push(f->arena, &same->compiles, x->compile);
    }
    vec_each(const struct error, w, &errors->warnings) if (is_skipped_choice(w))
        add_error(f, &(struct same_error){.first = w});
    vec_each(const struct error, w, &errors->warnings) if (!is_skipped_choice(w) && !is_said_before(errors, w))
        add_error(f, &(struct same_error){.first = w});
    for (size_t i = 0; i < seen.n; i++) {
        const struct same_error *same = seen.entries[i].value;

        add_error(f, same);
    }
}
