/* Advice for breaks where Python needs the value of a tensor. */
#include "analysis/breaks/break_paste.h"

#include "analysis/breaks/break_settings.h"
#include "text/python/python_call.h"
#include "text/python/python_code.h"
#include "text/versions/names.h"

#include <string.h>

static const struct str texts[] = {STR_INIT("f\""), STR_INIT("f'")};

static bool is_condition(struct str source)
{
    static const struct str inside[] = {STR_INIT(" if "), STR_INIT(" and "), STR_INIT(" or ")};

    return python_branches(source) || STR_HAS_ANY(source, inside);
}

/* Where the line reads a tensor's value; -1 if it does not. */
static ptrdiff_t read_at(struct str source)
{
    static const char *const reads[] = {".item(", "int(", "float(", "bool(", ".tolist("};
    ptrdiff_t first = -1;

    for (size_t i = 0; i < sizeof reads / sizeof *reads; i++) {
        ptrdiff_t at = str_find(source, str_of(reads[i]));

        if (at >= 0 && (first < 0 || at < first))
            first = at;
    }
    return first;
}

bool break_reads_value(struct str source)
{
    return read_at(source) >= 0;
}

/* Whether the name is a word of the code, not a part of a longer name or an attribute of another object. */
static bool has_word(struct str code, struct str word)
{
    for (ptrdiff_t at; word.n && (at = str_find(code, word)) >= 0; code = str_skip(code, (size_t)at + word.n)) {
        size_t end = (size_t)at + word.n;

        if ((at == 0 || (!str_is_name_char(code.p[at - 1]) && code.p[at - 1] != '.')) &&
            (end == code.n || !str_is_name_char(code.p[end])))
            return true;
    }
    return false;
}

struct str break_kept_in(struct str source)
{
    ptrdiff_t at = python_find(source, STR("="), PYTHON_TOP_LEVEL);
    struct str target = str_take(source, at < 0 ? 0 : (size_t)at), value = str_skip(source, target.n);
    bool steps = target.n && strchr("+-*/", target.p[target.n - 1]);

    target = str_trim(steps ? str_drop(target, 1) : target);
    if (read_at(value) < 0 || str_has(value, STR("int(")) || !python_is_place(target) || str_chr(target, '[') >= 0)
        return (struct str){0};
    return steps || has_word(value, target) ? target : (struct str){0};
}

/* `{float(n)}` and `{float(n): x}`, but not a value of a dict: `{"n": float(n)}` */
static bool is_key(struct str source)
{
    struct str before = str_take(source, (size_t)read_at(source));
    ptrdiff_t element = str_rchr(before, ',') > str_rchr(before, '{') ? str_rchr(before, ',') : str_rchr(before, '{');

    return !str_has(str_skip(before, (size_t)(element + 1)), STR(":"));
}

/* Whether the value is directly inside of `open`, with no bracket closed before: "range(" of `range(int(n))`. */
static bool goes_into(struct str source, struct str open, char close)
{
    ptrdiff_t read = read_at(source), at = str_find(str_take(source, read < 0 ? 0 : (size_t)read), open);

    return at >= 0 && str_chr(str_range(source.p + at, source.p + read), close) < 0;
}

/* "exp" of "y = x * math.exp(…": the first function of `math` that the line calls. */
static struct str math_function(struct str source)
{
    ptrdiff_t at = str_find(source, STR("math."));
    struct str name;

    if (at < 0 || (at > 0 && (str_is_word_char(source.p[at - 1]) || source.p[at - 1] == '.')))
        return (struct str){0};
    source = str_skip(source, (size_t)at + 5);
    name = str_word(source);
    return str_starts(str_skip(source, name.n), STR("(")) ? name : (struct str){0};
}

/* Whether the bracket at the beginning of the text is still open after n bytes. */
static bool is_open_until(struct str text, size_t n)
{
    size_t depth = 0;

    for (size_t i = 0; i < n && i < text.n; i++) {
        depth += text.p[i] == '(';
        if (text.p[i] == ')' && --depth == 0)
            return false;
    }
    return depth > 0;
}

/*
 * Most functions of `math` need the number itself, even if it is captured as a symbol; none takes a tensor
 * (torch/_dynamo/variables/torch.py, torch/utils/_sympy/functions.py).
 */
static bool is_math(struct str source)
{
    static const char *const take_symbols[] = {"sqrt", "log2", "sin",  "cos",  "tan",  "sinh",  "cosh",
                                               "tanh", "asin", "acos", "atan", "ceil", "floor", "trunc"};
    struct str name = math_function(source), open;

    if (name.n == 0)
        return false;
    for (size_t i = 0; i < sizeof take_symbols / sizeof *take_symbols; i++)
        if (str_eq(name, str_of(take_symbols[i])) && read_at(source) >= 0)
            return false;
    if (read_at(source) < 0)
        return true;
    open = str_range(name.p + name.n, source.p + source.n);
    return name.p < source.p + read_at(source) && is_open_until(open, (size_t)(source.p + read_at(source) - open.p));
}

enum break_kind break_item_kind(const struct break_words *w)
{
    struct str source = break_source(w);

    if (goes_into(source, STR("range("), ')'))
        return BREAK_RANGE;
    if (is_math(source))
        return BREAK_MATH;
    if (goes_into(source, STR("str("), ')') || goes_into(source, STR("repr("), ')'))
        return BREAK_TEXT;
    if (goes_into(source, STR("{"), '}') && !STR_HAS_ANY(source, texts) && is_key(source))
        return BREAK_NUMBER;
    return BREAK_ITEM;
}

/*
 * Since 2.9 Inductor has a lowering for aten._assert_async.msg (torch/_inductor/lowering.py). Earlier versions drop
 * asserts from compiled code: nothing raises, whatever the values are.
 */
static bool drops_asserts(const struct break_words *w)
{
    return break_is_before(w, 9);
}

void break_paste_assert(struct arena *a, const struct break_words *w, struct break_fix *out)
{
    (void)a;
    if (drops_asserts(w)) {
        out->fix = STR("An assert on a tensor's value breaks the graph; in a graph, Inductor drops it before PyTorch "
                       "2.9. Return the condition as a tensor, and assert on it after the call.");
        out->paste = STR("y, fine = f(x)\nassert fine, \"...\"");
        out->where = STR("where the function is called, which also returns the condition");
        return;
    }
    out->fix =
        STR("An assert on a tensor's value can only be in the graph with a constant message. Remove the f-string, or "
            "let the compiled code check it at run time (since PyTorch 2.9).");
    out->paste = STR("torch._assert_async(condition, \"...\")");
    out->where = STR("instead of the assert");
}

void break_paste_not_finite(struct arena *a, const struct break_words *w, struct break_fix *out)
{
    (void)a;
    if (str_has(break_source(w), STR("error_if_nonfinite"))) {
        out->what = STR("`error_if_nonfinite=True`");
        out->fix = STR("With `error_if_nonfinite=True` the function reads the norm, which only the running graph "
                       "knows. Remove that argument, and check the returned norm after the compiled function.");
        out->paste = STR("norm = clip_grad_norm_(parameters, max_norm)");
        out->where = STR("instead of this call; then `assert norm.isfinite()` outside the compiled function");
        return;
    }
    if (drops_asserts(w)) {
        out->fix = STR("The check needs the values, which only the running graph has. If it raises, check the "
                       "function's result after the call. If it replaces values, `torch.where` does so without a "
                       "branch.");
        out->paste = STR("y = f(x)\nassert y.isfinite().all(), \"not finite\"");
        out->where = STR("where the function is called, instead of a branch that raises");
        return;
    }
    out->fix = STR("The check needs the values, which only the running graph has. If it raises, check the function's "
                   "result after the call, or let the compiled code check it at run time (since PyTorch 2.9). If it "
                   "replaces values, `torch.where` and `x.nan_to_num()` do so without a branch.");
    out->paste = STR("torch._assert_async(x.isfinite().all(), \"not finite\")");
    out->where = STR("instead of a branch that raises");
}

static void set_index(struct break_fix *out)
{
    out->id = "break-item";
    out->what = STR("a tensor as an index");
    if (str_starts(out->site.callee.module, STR("torch.nn.modules.container"))) {
        out->fix = STR("A module cannot be chosen by a tensor's value in a graph. Pass the index in as a Python int.");
        return;
    }
    out->fix = STR("The list is indexed with a tensor, whose value must be read. Make the list a tensor and select "
                   "from it, or pass the index in as a Python int.");
    out->paste = STR("y = torch.stack(items).index_select(0, i.reshape(1)).squeeze(0)");
    out->where = STR("instead of this line");
}

/* "x[i] = v" and "x[i] += v", with nothing but a place before the sign: empty for any other line. */
static struct str stored_paste(struct str source)
{
    ptrdiff_t added = python_find(source, STR(" += "), PYTHON_TOP_LEVEL);
    ptrdiff_t set = python_find(source, STR(" = "), PYTHON_TOP_LEVEL);
    struct str place = str_trim(str_take(source, added > 0 ? (size_t)added : set > 0 ? (size_t)set : 0));

    if (!str_ends(place, STR("]")) || str_chr(place, ';') >= 0 || python_find(place, STR(","), PYTHON_TOP_LEVEL) >= 0)
        return (struct str){0};
    return added > 0 ? STR("x.index_add_(0, i.reshape(1), v.unsqueeze(0))   # x[i] += v")
                     : STR("x.index_copy_(0, i.reshape(1), v.unsqueeze(0))   # x[i] = v");
}

/* An operator on tensors needs the value: the indexed object is a tensor, too. */
static void set_tensor_index(const struct break_words *w, struct break_fix *out)
{
    struct str stored = stored_paste(break_source(w));

    if (stored.n) {
        out->fix = STR("A tensor is indexed with a tensor without dimensions, whose value must be read. The methods "
                       "that write by index take it as a tensor; the value has the dtype of the tensor.");
        out->paste = stored;
        return;
    }
    out->fix = STR("A tensor is indexed with a tensor without dimensions, whose value must be read. `index_select` "
                   "and `gather` take the index as a tensor.");
    out->paste = STR("y = x.index_select(0, i.reshape(1)).squeeze(0)");
}

static void set_capture(const struct break_words *w, struct break_fix *out)
{
    out->what = STR("a tensor's value is read");
    out->fix =
        STR("Reading a tensor's value into Python leaves the graph. Keep it a tensor, or let Dynamo capture it as "
            "a symbol; code that branches on the value still breaks the graph.");
    break_set(w, out, SET_SCALARS, STR("torch._dynamo.config.capture_scalar_outputs = True"));
    out->may_be_setting = out->is_setting;
    out->is_setting = false;
}

/* Libraries whose function takes the size that it otherwise reads from its index. */
static const struct {
    const char *files; /* parts of paths, separated by '\n' */
    struct str paste;
} sized[] = {
    {"/torch_scatter/\n/torch_geometric/utils/_scatter\n/torch_geometric/utils/scatter\n/torch_geometric/nn/aggr/",
     STR_INIT("y = scatter_add(x, index, dim=0, dim_size=n)   # n: how many rows y has")},
    {"/torch_geometric/utils/",
     STR_INIT("y = degree(index, num_nodes=n)   # n: how many nodes there are")},
};

/* "size[dim] = int(index.max()) + 1", also with "if index.numel() > 0 else 0": of the largest index, a size is made. */
static bool makes_size_of_index(struct str source)
{
    static const struct str branches[] = {STR_INIT("if "), STR_INIT("elif "), STR_INIT("while "), STR_INIT("assert ")};

    return !STR_STARTS_ANY(source, branches) &&
           str_has_any_line(source, STR("max()) + 1\nmax().item() + 1\nmax().item()) + 1\nmax()).item() + 1"));
}

/*
 * Checked with torch_scatter's lines: with the size given, 2.5, 2.6 and 2.13 compile them with fullgraph; captured, it
 * fails there in 2.5 and 2.6 ("Could not guard on data-dependent expression Eq(u0 + 1, 0)").
 */
static void set_size_of_index(const struct break_words *w, struct break_fix *out)
{
    struct str file = w->stack ? w->stack->file : w->file;

    out->what = STR("the largest index is read");
    out->fix = STR("The largest index is read to know how many rows the result has. If the program knows that number "
                   "(of nodes, atoms, classes), give it as an argument (`dim_size` of torch_scatter, "
                   "`x.new_zeros(n, *x.shape[1:]).index_add_(0, index, x)` in code of its own): "
                   "then nothing is read, and the graph does not break. It is only a matter of speed. "
                   "`capture_scalar_outputs` captures the number instead; where it becomes a size, PyTorch 2.6 and "
                   "earlier still fail with `fullgraph=True`.");
    for (size_t i = 0; i < sizeof sized / sizeof *sized; i++) {
        struct str rest = str_of(sized[i].files), part;

        while (str_next_line(&rest, &part))
            if (code_file_has(file, part)) {
                out->paste = sized[i].paste;
                return;
            }
    }
    break_set(w, out, SET_SCALARS, STR("torch._dynamo.config.capture_scalar_outputs = True"));
    out->may_be_setting = out->is_setting;
    out->is_setting = false;
}

static struct str choice_paste(const struct break_words *w)
{
    return names_has(NAME_API, STR("torch.cond"), w->version) == NAME_ABSENT
               ? STR("y = torch.where(condition, a, b)")
               : STR("y = torch.where(condition, a, b)   # or torch.cond(condition, f, g, (x,))");
}

/* "ok = (x > 0).all() and (y > 0).all()": Python asks the first tensor whether it is true. */
static bool joins_conditions(struct str source)
{
    static const struct str words[] = {STR_INIT(" and "), STR_INIT(" or ")};

    return STR_HAS_ANY(source, words) && !python_asks(source) && !str_has(source, STR(" if "));
}

/* A loop that ends when a tensor says so. */
static void set_loop(struct break_fix *out)
{
    out->fix =
        STR("The number of steps depends on a tensor's value (data-dependent control flow), which cannot be in one "
            "graph. Compile the body of the loop instead, and leave the loop in Python, where it still ends early. Or "
            "run a fixed number of steps in the compiled function and keep each result with `torch.where`: every step "
            "is then a part of the graph, which takes longer to compile.");
    out->paste = STR("@torch.compile\ndef step(x):\n    ...   # the body of the loop\n    return x\n\n"
                     "while condition:\n    x = step(x)");
    out->where = STR("instead of compiling the function with the loop");
}

/* "np.min(x) >= 0 and np.max(x) <= 1": arrays, which NumPy's functions take and torch's do not. */
static bool is_of_numpy(struct str source)
{
    static const struct str names[] = {STR_INIT("np."), STR_INIT("numpy.")};

    return STR_HAS_ANY(source, names) && !str_has(source, STR("torch."));
}

static void set_choice_of_numpy(struct str source, struct break_fix *out)
{
    bool joins = joins_conditions(source);

    out->fix = joins ? STR("`and` and `or` ask an array whether it is true, which cannot be in one graph. Combine the "
                           "arrays instead. The next line that branches on the result breaks the graph again: choose "
                           "with `np.where` there.")
                     : STR("A branch on an array's value (data-dependent control flow) cannot be in one graph. Compute "
                           "both sides and choose. If the branch only checks for an error, check after the call.");
    out->paste = joins ? STR("y = np.logical_and(a, b)   # or np.logical_or(a, b)")
                       : STR("y = np.where(condition, a, b)");
    out->where = joins ? STR("instead of `and` and `or`") : out->where;
}

void break_paste_branch(struct arena *a, const struct break_words *w, struct break_fix *out)
{
    struct str source = break_source(w);

    (void)a;
    if (is_of_numpy(source) && !str_starts(source, STR("while "))) {
        set_choice_of_numpy(source, out);
        return;
    }
    if (joins_conditions(source)) {
        out->fix = STR("`and` and `or` ask a tensor whether it is true, which cannot be in one graph. Combine the "
                       "tensors instead. The next line that branches on the result breaks the graph again: choose with "
                       "`torch.where` there.");
        out->paste = STR("y = torch.logical_and(a, b)   # or torch.logical_or(a, b)");
        out->where = STR("instead of `and` and `or`");
        return;
    }
    if (str_starts(source, STR("while "))) {
        set_loop(out);
        return;
    }
    out->paste = choice_paste(w);
    out->fix =
        STR("A branch on a tensor's value (data-dependent control flow) cannot be in one graph. Compute both sides and "
            "choose, or use `torch.cond`. If the branch only checks for an error, check after the call.");
}

/* "items[i]", "x[n + 1]"; not "sizes[0]" nor a list, "[a, b]": a value that is read may be the index. */
static bool indexes_by_name(struct str source)
{
    for (ptrdiff_t open; (open = str_chr(source, '[')) >= 0; source = str_skip(source, (size_t)open + 1)) {
        ptrdiff_t close = python_find(str_skip(source, (size_t)open + 1), STR("]"), PYTHON_TOP_LEVEL);
        struct str index = str_take(str_skip(source, (size_t)open + 1), close < 0 ? 0 : (size_t)close);
        bool is_list = open == 0 || !(str_is_word_char(source.p[open - 1]) || strchr(")]", source.p[open - 1]));

        for (size_t i = 0; i < index.n && !is_list; i++)
            if (str_is_name_char(index.p[i]) && !str_is_digit(index.p[i]))
                return true;
    }
    return false;
}

/* "self.log.append(loss.item())": nothing else of the line reads the value. */
static bool is_collected(struct str source)
{
    ptrdiff_t comment = python_find(source, STR("#"), PYTHON_NOT_IN_STRING);

    source = str_trim(comment < 0 ? source : str_take(source, (size_t)comment));
    return str_has(source, STR(".append(")) && str_ends(source, STR(".item())")) &&
           python_find(source, STR("="), PYTHON_TOP_LEVEL) < 0;
}

static void set_collected(struct break_fix *out)
{
    out->fix = STR("Reading a tensor's value into Python leaves the graph. Return the tensor, and read and collect it "
                   "behind the call, where nothing breaks. `append(x.detach())` in its place keeps the graph whole as "
                   "well, but each length of the list may be one more compile. So it is if Dynamo captures the value "
                   "as a symbol; code that branches on it still breaks the graph.");
}

void break_paste_item(struct arena *a, const struct break_words *w, struct break_fix *out)
{
    struct str source = break_source(w);
    bool reads_it = read_at(source) >= 0;

    (void)a;
    if (makes_size_of_index(source)) {
        set_size_of_index(w, out);
    } else if (is_condition(source)) {
        out->id = "break-branch";
        out->what = str_has(source, STR(".item()")) ? STR("a branch on a tensor's value, which `.item()` reads")
                                                    : STR("a branch on a tensor's value");
        if (str_starts(source, STR("while "))) {
            set_loop(out);
            return;
        }
        out->fix = STR("A tensor's value is read here to branch on it, which cannot be in one graph. Compute both "
                       "sides and choose, or use `torch.cond`. Where the branch does something (a step, a message), "
                       "keep the function with this line out of compiled code: `@torch.compiler.disable`.");
        out->paste = choice_paste(w);
        out->where = STR("instead of the branch");
    } else if (STR_HAS_ANY(source, texts)) {
        out->what = STR("text with a tensor's value");
        out->fix = STR("The text of a tensor needs its value. Make the text outside the compiled function, or only "
                       "when nothing is being compiled.");
        out->paste = STR("if not torch.compiler.is_compiling():\n    ...");
        out->where = STR("around this line");
    } else if (!reads_it && (indexes_by_name(source) || out->site.inside) && !str_has(source, STR(":"))) {
        set_index(out);
    } else {
        set_capture(w, out);
        if (is_collected(source))
            set_collected(out);
    }
}

/* "Data dependent operator" in its context, and behind the type in 2.6 and earlier. */
static struct str operator_of(const struct break_words *w)
{
    struct str type = w->type;
    ptrdiff_t at = str_find(type, STR("operator: "));

    return break_operator(w->context.n || at < 0 ? w->context : str_skip(type, (size_t)at + sizeof "operator: " - 1));
}

/* CustomOpDef.__call__ reads nothing: the fake kernel does, which runs on tensors without data. */
static bool is_fake_kernel(const struct break_words *w)
{
    return w->stack && code_file_has(w->stack->file, STR("torch/_library/custom_ops.py"));
}

#define CAPTURES_SHAPES "torch._dynamo.config.capture_dynamic_output_shape_ops = True"

static void set_fake_kernel(const struct break_words *w, struct break_fix *out)
{
    out->id = "missing-fake-kernel";
    out->what = STR("the fake kernel of a custom operator reads a tensor's value");
    out->fix = STR("A fake kernel gets tensors without data. A size that depends on data is a new symbol there, and "
                   "`capture_dynamic_output_shape_ops` lets Dynamo capture the operator: it takes both.");
    out->paste = break_has(w, SET_SHAPES)
                     ? STR(CAPTURES_SHAPES "   # before the first compiled call\n\n"
                           "n = torch.library.get_ctx().new_dynamic_size()   # in the fake kernel")
                     : STR("n = torch.library.get_ctx().new_dynamic_size()");
    out->where = STR("in the fake kernel, in place of reading the value");
    out->site.kind = BREAK_FAKE_KERNEL; /* the fake kernel is the program's own, even if the line is PyTorch's */
}

void break_paste_operator(struct arena *a, const struct break_words *w, struct break_fix *out)
{
    struct str op = operator_of(w);

    if (is_fake_kernel(w)) {
        set_fake_kernel(w, out);
        return;
    }
    if (op.n == 0 || str_eq(op, STR("local_scalar_dense"))) {
        break_paste_item(a, w, out);
        if (out->kind == BREAK_ITEM_OPERATOR && str_has(out->paste, STR("torch.stack(items)")))
            set_tensor_index(w, out);
        return;
    }
    out->what = arena_printf(a, "`torch.%.*s`", STR_ARG(op));
    out->fix = STR("The function returns a Python value that depends on data. Use operators whose result is a tensor.");
    if (str_eq(op, STR("equal")))
        out->paste = STR("same = (a == b).all()");
    if (str_eq(op, STR("allclose")))
        out->paste = STR("same = torch.isclose(a, b).all()");
    out->where = STR("instead of the call");
}

void break_paste_index(struct arena *a, const struct break_words *w, struct break_fix *out)
{
    (void)a;
    set_index(out);
    if (!str_has(w->type, STR("slicing")) && !str_has(w->message, STR("slicing")))
        return;
    out->what = STR("a tensor as the bound of a slice");
    out->fix = STR("A slice ends at a tensor, whose value must be read. Pass the bound in as a Python int, or read it "
                   "in the code and let Dynamo capture it.");
    out->paste = STR("torch._dynamo.config.capture_scalar_outputs = True   # and x[:n.item()]");
    out->where = (struct str){0};
}

/* What helps besides capturing the operator. */
static const struct {
    const char *op;
    unsigned proven; /* the 2.x since which the setting captures it */
    const char *instead;
} shape_operators[] = {
    {"nonzero", 6, "with a mask of fixed size (`torch.where(mask, x, 0)`) or `torch.nonzero_static` it is known"},
    {"masked_select", 6, "with a mask of fixed size (`torch.where(mask, x, 0)`) it is known"},
    {"unique2", 6, NULL},
    {"unique_dim", 6, NULL},
    {"unique_consecutive", 13, NULL},
    {"bincount", 13,
     "with the setting 2.13 captures it; for 2.6 and earlier, call it outside of the compiled function"},
    {"repeat_interleave", 6, "with `output_size=` it is known"},
};

void break_paste_no_meta(struct arena *a, const struct break_words *w, struct break_fix *out)
{
    struct str op = operator_of(w);

    if (op.n)
        out->what = arena_printf(a, "`%.*s`, which cannot be traced", STR_ARG(op));
    out->fix =
        STR("The operator cannot declare the size of its result, and no setting changes that. Call it outside the "
            "compiled function.");
}

/* Python itself uses the result: with the setting, the line fails or breaks the graph as well. */
static bool needs_values(struct str source)
{
    static const struct str begins[] = {STR_INIT("for "), STR_INIT("if "), STR_INIT("while ")};
    static const struct str calls[] = {STR_INIT(".tolist("), STR_INIT(".item(")};

    return STR_STARTS_ANY(source, begins) || STR_HAS_ANY(source, calls);
}

void break_paste_shape(struct arena *a, const struct break_words *w, struct break_fix *out)
{
    struct str op = operator_of(w), instead = {0};
    bool known = false, in_python = needs_values(break_source(w));

    if (str_eq(op, STR("linalg_lstsq"))) {
        break_paste_no_meta(a, w, out); /* with the setting, it breaks the graph that way */
        return;
    }
    if (is_fake_kernel(w)) {
        out->what = STR("the size of what a custom operator returns depends on data");
        out->fix = STR("Let Dynamo capture such operators; code that branches on the size still breaks the graph.");
        out->site.kind = BREAK_FAKE_KERNEL;
        if (break_set(w, out, SET_SHAPES, STR(CAPTURES_SHAPES)))
            out->may_be_setting = out->is_setting;
        return;
    }
    for (size_t i = 0; i < sizeof shape_operators / sizeof *shape_operators; i++)
        if (str_eq(op, str_of(shape_operators[i].op))) {
            known = break_is_proven(w, shape_operators[i].proven);
            instead = str_of(shape_operators[i].instead);
        }
    out->what = op.n ? arena_printf(a, "the size of `%.*s` depends on data", STR_ARG(op))
                     : STR("the size of a result depends on data");
    out->fix =
        arena_printf(a, "The size of the result depends on data%s%.*s. %s", instead.n ? "; " : "", STR_ARG(instead),
                     in_python ? "Python itself uses it where it is made, so no setting helps: do this before or after "
                                 "the compiled function."
                               : "Let Dynamo capture such operators; code that branches on the size still "
                                 "breaks the graph.");
    if (in_python)
        return;
    break_set(w, out, SET_SHAPES, STR(CAPTURES_SHAPES));
    out->is_setting = false;
    out->may_be_setting = known;
}

/* Operators that take numbers and tensors alone. */
static bool is_operator(struct str name)
{
    static const struct str operators[] = {
        STR_INIT("mul"), STR_INIT("add"), STR_INIT("sub"),    STR_INIT("truediv"), STR_INIT("floordiv"),
        STR_INIT("mod"), STR_INIT("pow"), STR_INIT("matmul"), STR_INIT("lt"),      STR_INIT("le"),
        STR_INIT("gt"),  STR_INIT("ge"),  STR_INIT("iadd"),   STR_INIT("imul"),    STR_INIT("isub")};

    return STR_IS_ANY(name, operators);
}

struct str break_uncalled_method(struct str words)
{
    /* other attributes may be tensors or numbers */
    static const struct str methods[] = {
        STR_INIT("dim"),  STR_INIT("size"),         STR_INIT("numel"), STR_INIT("nelement"), STR_INIT("ndimension"),
        STR_INIT("item"), STR_INIT("element_size"), STR_INIT("t"),     STR_INIT("stride"),   STR_INIT("mean"),
        STR_INIT("sum"),  STR_INIT("std"),          STR_INIT("var"),   STR_INIT("norm"),     STR_INIT("max"),
        STR_INIT("min"),  STR_INIT("abs"),          STR_INIT("exp"),   STR_INIT("log"),      STR_INIT("sqrt"),
        STR_INIT("int"),  STR_INIT("float"),        STR_INIT("clone"), STR_INIT("detach")};
    static const struct str object = STR_INIT("GetAttrVariable(TensorVariable(), ");
    struct str called, name;
    ptrdiff_t at = str_find(words, object), end;

    if (at < 0 || !str_between(words, STR("BuiltinVariable("), STR(")"), &called) || !is_operator(called))
        return (struct str){0};
    name = str_skip(words, (size_t)at + object.n);
    end = str_chr(name, ')');
    name = str_take(name, end < 0 ? 0 : (size_t)end);
    return STR_IS_ANY(name, methods) ? name : (struct str){0};
}

void break_paste_uncalled(struct arena *a, const struct break_words *w, struct break_fix *out)
{
    struct str name = break_uncalled_method(w->context.n ? w->context : w->type), source = break_source(w);

    out->fix = arena_printf(a,
                            "An operand is a tensor's method `%.*s`, which is not called: eager mode refuses that, "
                            "too. %s%.*s%s `%.*s()` is meant, there or where the value was made (`x.%.*s()` in place "
                            "of `x.%.*s`). Only if eager mode takes the line, try a newer PyTorch, then report it.",
                            STR_ARG(name), source.n ? "In `" : "", STR_ARG(source),
                            source.n ? "` most likely" : "Most likely", STR_ARG(name), STR_ARG(name), STR_ARG(name));
}

/* "call_method UserDefinedObjectVariable(Params4bit) t [] {}" of 2.6 and earlier */
struct str break_tensor_class(struct str words)
{
    static const struct str methods[] = {
        STR_INIT("t"),         STR_INIT("view"),    STR_INIT("reshape"),    STR_INIT("transpose"), STR_INIT("permute"),
        STR_INIT("unsqueeze"), STR_INIT("squeeze"), STR_INIT("contiguous"), STR_INIT("matmul"),    STR_INIT("mm"),
        STR_INIT("flatten"),   STR_INIT("detach"),  STR_INIT("bfloat16"),   STR_INIT("half"),      STR_INIT("float")};
    static const struct str parts[] = {STR_INIT("Param"), STR_INIT("Tensor"), STR_INIT("Weight")};
    static const struct str call = STR_INIT("call_method UserDefinedObjectVariable(");
    ptrdiff_t at = str_find(words, call), end;
    struct str rest = str_skip(words, at < 0 ? words.n : (size_t)at + call.n), class;

    end = str_find(rest, STR(") "));
    class = str_take(rest, end < 0 ? 0 : (size_t)end);
    rest = str_skip(rest, class.n + 2);
    return STR_HAS_ANY(class, parts) && STR_IS_ANY(str_word(rest), methods) ? class : (struct str){0};
}

/*
 * Measured: 2.13 traces a subclass of Parameter with `t()`, and its setting does nothing any more. With the setting 2.5
 * traces one that has `__torch_function__`; without that method 2.5 and 2.6 fail in another way.
 */
void break_paste_tensor_class(struct arena *a, const struct break_words *w, struct break_fix *out)
{
    struct str class = break_tensor_class(w->context.n ? w->context : w->message.n ? w->message : w->type);

    out->fix = arena_printf(a,
                            "`%.*s` is most likely a subclass of a tensor or parameter, which this PyTorch takes for "
                            "any object, so that each call of its methods breaks the graph. A newer PyTorch traces "
                            "more of them (2.13 does so with no setting), and a newer version of the library that has "
                            "the class may do without the call. Up to 2.7, "
                            "`torch._dynamo.config.traceable_tensor_subclasses.add(%.*s)` may help where the class "
                            "defines `__torch_function__`: compare the results.",
                            STR_ARG(class), STR_ARG(class));
}
