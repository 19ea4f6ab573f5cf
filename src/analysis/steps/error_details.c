#include "analysis/steps/error_details.h"

#include "analysis/errors/error_owner.h"
#include "analysis/errors/error_words.h"
#include "analysis/known_errors/error_answers.h"
#include "analysis/library/subclass.h"
#include "model/code_file.h"
#include "text/python/python_code.h"

/* The words of the first step, for a detail to be added to them; NULL if there is no step. */
static struct str *first_words(const struct error_steps *out)
{
    return out->list.n ? &out->list.v[0].words : NULL;
}

/* A failed kernel is noticed where the program next waits for the GPU. */
static void add_where_it_waits(struct arena *a, const struct error *e, struct error_steps *out)
{
    static const struct str waits[] = {STR_INIT("synchronize("), STR_INIT(".item()"), STR_INIT(".cpu()"),
                                       STR_INIT(".tolist()"), STR_INIT("print(")};
    struct str *words = first_words(out);

    if (words && (e->category == ERROR_TRITON_KERNEL || e->category == ERROR_RUNTIME_CRASH) && e->stage == AT_RUNTIME &&
        STR_HAS_ANY(e->own_source, waits))
        *words = arena_printf(a, "Line %lld only waits for the GPU: the error is of an earlier kernel. %.*s",
                              (long long)e->own_line, STR_ARG(*words));
}

/* "triton_red_fused_embedding_mean_0" that compiled code was launching, if it is one that reads by an index. */
static struct str indexing_kernel(const struct failure *f)
{
    static const struct str operators[] = {STR_INIT("_embedding"), STR_INIT("_index"), STR_INIT("_gather"),
                                           STR_INIT("_scatter")};

    for (const struct call *c = f->stack; c; c = c->parent) {
        struct str source = str_trim(c->source);
        ptrdiff_t end = str_find(source, STR(".run("));

        if (end > 0 && str_starts(source, STR("triton_")) && str_has(c->file, STR("torchinductor_")))
            return STR_HAS_ANY(str_take(source, (size_t)end), operators) ? str_take(source, (size_t)end)
                                                                         : (struct str){0};
    }
    return (struct str){0};
}

/* A kernel that fails is noticed later, unless each is waited for: the line is where the program was by then. */
static void add_where_it_was_noticed(struct arena *a, const struct error *e, struct error_steps *out)
{
    const struct failure *f = e->failure;
    struct str *words = first_words(out), kernel = indexing_kernel(f);

    if (words && e->own_line && e->stage == AT_RUNTIME &&
        !stated_has(&f->compile->process->input->stated, STATED_BLOCKING) &&
        str_has(str_take(f->message, ERROR_SEARCHED), STR("device-side assert triggered")) &&
        !str_starts(*words, STR("Line ")))
        *words = kernel.n ? arena_printf(a,
                                         "It was noticed in the launch of `%.*s`, most likely the kernel that "
                                         "fails, or one before it. %.*s",
                                         STR_ARG(kernel), STR_ARG(*words))
                          : arena_printf(a,
                                         "Line %lld is where the error was noticed; the kernel was launched before. "
                                         "%.*s",
                                         (long long)e->own_line, STR_ARG(*words));
}

/* CUDA graphs say in which line of the compiled code a result was made, where no copy helps. */
static void add_where_it_was_made(struct arena *a, const struct error *e, struct error_steps *out)
{
    static const struct str lead = STR_INIT("overwritten by a subsequent run. Stack trace:");
    struct str *words = first_words(out), rest = e->failure->message, file;
    ptrdiff_t at = str_find(rest, lead);
    struct text_stack made = {0};
    const struct text_call *last;

    if (!words || at < 0 || str_has(rest, STR("accessing gradient tensor")) ||
        stated_has(&e->failure->compile->process->input->stated, STATED_ACCUMULATES))
        return; /* a gradient has the stack of the line whose backward made it */
    rest = str_skip(rest, (size_t)at + lead.n);
    text_stack_take(a, &rest, &made);
    if (made.calls.n == 0)
        return;
    last = &made.calls.v[made.calls.n - 1];
    file = last->line == e->own_line && str_eq(code_file_name(last->file), code_file_name(e->own_file))
               ? (struct str){0}
               : code_file_name(last->file);
    *words = arena_printf(a, "Line %lld%s%.*s makes the result, within the compiled code. %.*s", (long long)last->line,
                          file.n ? " of " : "", STR_ARG(file), STR_ARG(*words));
}

/*
 * What there is too much may be within what is missing, or be its old name. Checked: 2.5.1 and 2.6.0 export `**kwargs`
 * so, and 2.13.0 fails with an AssertionError of its own.
 */
static void say_nested(struct arena *a, struct str more, struct str lacking, struct str *words)
{
    struct str first = more;

    first = str_split(&first, ',');
    *words = arena_printf(a,
                          "What `forward` takes by a `**`, or in a dict, stands below the key of that argument: "
                          "`%.*s: {%.*s: ...}` (2.13.0 refuses even this with a `**`: give `forward` parameters of "
                          "these names there). If `%.*s` is an old name of this argument, use the one that is asked "
                          "for.",
                          STR_ARG(lacking), STR_ARG(first), STR_ARG(more));
}

/* "must be the arg names ['start', 'end'] of `inputs`, but here they are ['end']": what is missing, or too many. */
static void add_names_of_shapes(struct arena *a, const struct error *e, struct error_steps *out)
{
    struct str m = str_take(e->failure->message, ERROR_SEARCHED), wanted, given, rest, name, lacking = {0}, more = {0},
               *words = first_words(out);

    if (!words || !str_between(m, STR("must be the arg names ["), STR("]"), &wanted) ||
        !str_between(m, STR("but here they are ["), STR("]"), &given))
        return;
    for (rest = wanted; rest.n;) {
        name = str_trim(str_split(&rest, ','));
        if (name.n && !str_has(given, name))
            lacking = arena_printf(a, "%.*s%s%.*s: None", STR_ARG(lacking), lacking.n ? ", " : "", STR_ARG(name));
    }
    for (rest = given; rest.n;) {
        name = str_trim(str_split(&rest, ','));
        if (name.n && !str_has(wanted, name))
            more = arena_printf(a, "%.*s%s%.*s", STR_ARG(more), more.n ? ", " : "", STR_ARG(name));
    }
    if (more.n && lacking.n && str_chr(lacking, ',') < 0) {
        say_nested(a, more, str_drop(lacking, sizeof ": None" - 1), words);
        return;
    }
    if (more.n)
        *words = arena_printf(a, "Take out what is no argument of `forward`: `%.*s`. %.*s", STR_ARG(more),
                              STR_ARG(*words));
    if (lacking.n)
        *words = arena_printf(a, "Add what is missing (None is for an argument whose sizes do not vary): `%.*s`. %.*s",
                              STR_ARG(lacking), STR_ARG(*words));
}

/* "arg9_1" of "assert_size_stride(arg9_1, (131072, 256), (256, 1))". */
static struct str checked_input(const struct failure *f)
{
    struct str source = str_trim(f->stack ? f->stack->source : (struct str){0});
    return str_consume(&source, STR("assert_size_stride(")) ? str_word(source) : (struct str){0};
}

/* The layout is the same: what the answers say of sizes or strides is known better. */
static struct str say_other_size(struct arena *a, struct str name, uint64_t dim, uint64_t size, uint64_t compiled,
                                 struct str words)
{
    static const struct str either = STR_INIT("has other sizes or strides than when it was compiled"),
                            both = STR_INIT("with another size or layout than it compiled for"),
                            replaced = STR_INIT(": most often a parameter was replaced or moved after compilation "
                                                "(compile after the last change), or what makes the input returns "
                                                "other strides than its fake kernel.");
    ptrdiff_t at = str_find(words, either), second;

    if (at < 0)
        return words;
    words = arena_printf(a,
                         "%.*shas another size than when it was compiled (%s%.*s%sdimension %llu is %llu instead of "
                         "%llu)%.*s",
                         (int)at, words.p, name.n ? "`" : "", STR_ARG(name), name.n ? "`: " : "",
                         (unsigned long long)dim, (unsigned long long)size, (unsigned long long)compiled,
                         STR_ARG(str_skip(words, (size_t)at + either.n)));
    if ((second = str_find(words, replaced)) >= 0)
        words = arena_printf(a,
                             "%.*s, and the strides are equal: either a parameter was replaced after compilation "
                             "(compile after the last change), or code that was compiled for another shape is used "
                             "again, as a guard on the shape is missing, which is a bug ("
                             "`TORCH_LOGS=\"guards,recompiles\"` shows what was compiled for which shape).%.*s",
                             (int)second, words.p, STR_ARG(str_skip(words, (size_t)second + replaced.n)));
    second = str_find(words, both);
    return second < 0 ? words
                      : arena_printf(a, "%.*swith another size than it compiled for%.*s", (int)second, words.p,
                                     STR_ARG(str_skip(words, (size_t)second + both.n)));
}

/* "expected size 3==3, stride 9==4 at dim=0": what it got, and what it was compiled for. */
static void add_layout(struct arena *a, const struct error *e, struct error_steps *out)
{
    struct str *words = first_words(out), text = e->failure->message;
    ptrdiff_t at = str_find(str_take(text, ERROR_SEARCHED), STR("expected size "));
    uint64_t size, other_size, stride, other_stride, dim;

    if (!words || at < 0 || !error_is_of_input(e->failure))
        return;
    text = str_skip(text, (size_t)at + STR("expected size ").n);
    if (!str_take_u64(&text, &size) || !str_consume(&text, STR("==")) || !str_take_u64(&text, &other_size) ||
        !str_consume(&text, STR(", stride ")) || !str_take_u64(&text, &stride) || !str_consume(&text, STR("==")) ||
        !str_take_u64(&text, &other_stride) || !str_consume(&text, STR(" at dim=")) || !str_take_u64(&text, &dim))
        return;
    if (size != other_size && stride == other_stride) {
        *words = say_other_size(a, checked_input(e->failure), dim, size, other_size, *words);
        return;
    }
    if (size != other_size || stride <= other_stride)
        return;
    *words = arena_printf(a,
                          "%.*s In dimension %llu its stride is %llu instead of %llu: most likely it is a part of a "
                          "larger tensor; `.contiguous()` before the call makes a copy without gaps.",
                          STR_ARG(*words), (unsigned long long)dim, (unsigned long long)stride,
                          (unsigned long long)other_stride);
}

/* "(256, 256), torch.bfloat16" of "tensor([...], size=(256, 256), dtype=torch.bfloat16)"; a number has no size. */
static bool find_real_tensor(struct str message, struct str *operator_, struct str *size, struct str *dtype)
{
    enum { TENSOR_MAX = 200 };
    static const struct str found = STR_INIT("Found in ");
    ptrdiff_t in = str_find(message, found), at;
    struct str rest = str_skip(message, in < 0 ? message.n : (size_t)in + found.n);

    *operator_ = rest;
    *operator_ = str_split(operator_, '(');
    for (; (at = str_find(rest, STR("tensor("))) >= 0; rest = str_skip(rest, STR("tensor(").n)) {
        struct str within;

        rest = str_skip(rest, (size_t)at);
        within = str_take(rest, TENSOR_MAX);
        if (str_between(within, STR("size=("), STR(")"), size) && str_chr(*size, ',') >= 0 &&
            str_between(within, STR("dtype=torch."), STR(")"), dtype)) {
            *dtype = str_split(dtype, ',');
            return operator_->n && str_chr(*operator_, ' ') < 0;
        }
    }
    return false;
}

/* The message is long, and its end says which tensor it is. */
static void add_real_tensor(struct arena *a, const struct error *e, struct error_steps *out)
{
    struct str *words = first_words(out), name, size, dtype, said, class = subclass_of_call(e->failure->message);
    struct str message = str_take(e->failure->message, ERROR_SEARCHED);
    const struct call *own = stack_own_call(e->failure->stack);
    char buffer[CODE_MODULE_MAX];

    if (!words || !str_has(message, STR("convert all Tensors to FakeTensors first")) ||
        !find_real_tensor(message, &name, &size, &dtype))
        return;
    said = arena_printf(a, "`%.*s` gets a real tensor of size (%.*s), %.*s, beside FakeTensors.", STR_ARG(name),
                        STR_ARG(size), STR_ARG(dtype));
    if (own && error_owner_is_within_library(e)) {
        struct str module = code_file_module(own->file, buffer), package = str_split(&module, '.');

        said = arena_printf(a,
                            "%.*s The line is one of `%.*s`, %.*s:%lld: most likely that package keeps such a tensor, "
                            "in a cache of its own, and the change is for it; report it there.",
                            STR_ARG(said), STR_ARG(package), STR_ARG(code_file_name(own->file)),
                            (long long)own->line);
    } else if (class.n) {
        said = arena_printf(a,
                            "%.*s Most likely the code of `%.*s` keeps such a tensor, in a cache or a global. If that "
                            "class is a library's, use a newer version of it, or an option that does without the "
                            "tensor, and report it there. What follows is for whoever can change the class.",
                            STR_ARG(said), STR_ARG(class));
    }
    *words = arena_printf(a, "%.*s %.*s", STR_ARG(said), STR_ARG(*words));
}

/* "3" of "..., num_stages=3)"; empty if it is no number. */
static struct str number_of_option(struct str source, struct str option)
{
    ptrdiff_t at = str_find(source, option);
    struct str rest = str_skip(source, at < 0 ? source.n : (size_t)at + option.n), digits = rest;
    uint64_t number;

    return str_take_u64(&rest, &number) ? str_take(digits, digits.n - rest.n) : (struct str){0};
}

/* "till_kernel" of "till_kernel[grid](x, num_stages=3)", and of Helion's "_launcher(till_kernel, (4,), ...)" */
static struct str launched_kernel(struct str source)
{
    struct str line = str_trim(source), name = str_word(line);

    if (str_starts(str_skip(line, name.n), STR("[")))
        return name;
    return str_consume(&line, STR("_launcher(")) ? str_word(line) : (struct str){0};
}

/* What to make smaller stands in the call that launches the kernel. */
static void add_launch(struct arena *a, const struct error *e, struct error_steps *out)
{
    struct str *words = first_words(out);

    if (!words || e->category != ERROR_TRITON_KERNEL || !str_eq(e->failure->type, STR("OutOfResources")))
        return;
    for (const struct call *c = e->failure->stack; c; c = c->parent) {
        struct str stages = number_of_option(c->source, STR("num_stages=")), kernel = launched_kernel(c->source);

        if (stages.n == 0 || kernel.n == 0)
            continue;
        *words = arena_printf(a, "`%.*s` is launched with `num_stages=%.*s`. %.*s", STR_ARG(kernel), STR_ARG(stages),
                              STR_ARG(*words));
        return;
    }
}

/* "torch.Size([128])" of "{'shape': torch.Size([128]), 'dtype': torch.bfloat16, ...}"; a part begins with its name. */
static struct str part_of_metadata(struct str metadata, struct str name)
{
    ptrdiff_t at = str_find(metadata, name), end;

    metadata = str_skip(metadata, at < 0 ? metadata.n : (size_t)at + name.n);
    end = str_find(metadata, STR(", '"));
    return str_trim(str_take(metadata, end < 0 ? (size_t)(str_rchr(metadata, '}') < 0 ? 0 : str_rchr(metadata, '}'))
                                               : (size_t)end));
}

/* "[128] in the forward, [0] in the recomputation"; empty if no part differs. */
static struct str recomputed_otherwise(struct arena *a, struct str saved, struct str recomputed)
{
    static const struct str parts[] = {STR_INIT("'shape': torch.Size("), STR_INIT("'dtype':"), STR_INIT("'device':")};

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        struct str before = part_of_metadata(saved, parts[i]), now = part_of_metadata(recomputed, parts[i]);

        if (before.n == 0 || now.n == 0 || str_eq(before, now))
            continue;
        before = i == 0 ? str_drop(before, 1) : before; /* the parenthesis of torch.Size */
        now = i == 0 ? str_drop(now, 1) : now;
        return arena_printf(a, "%.*s in the forward, %.*s in the recomputation", STR_ARG(before), STR_ARG(now));
    }
    return (struct str){0};
}

/* torch/utils/checkpoint.py lists them: three lines for each tensor. */
static void add_recomputed(struct arena *a, const struct error *e, struct error_steps *out)
{
    enum { SHOWN = 2 };
    static const struct str lead = STR_INIT("tensor at position ");
    struct str *words = first_words(out), rest = e->failure->message, line, saved = {0}, position = {0}, said = {0};
    size_t n = 0;

    if (!words || !str_has(str_take(rest, ERROR_SEARCHED), STR("metadata than during the forward pass")))
        return;
    while (str_next_line(&rest, &line)) {
        struct str differs;

        line = str_trim(line);
        if (str_consume(&line, lead))
            position = str_split(&line, ':');
        else if (str_consume(&line, STR("saved metadata: ")))
            saved = line;
        else if (str_consume(&line, STR("recomputed metadata: ")) && position.n &&
                 (differs = recomputed_otherwise(a, saved, line)).n && n++ < SHOWN)
            said = arena_printf(a, "%.*s%stensor %.*s %.*s", STR_ARG(said), said.n ? "; " : "", STR_ARG(position),
                                STR_ARG(differs));
    }
    if (n > SHOWN)
        said = arena_printf(a, "%.*s; and %zu more", STR_ARG(said), n - SHOWN);
    if (n)
        *words = arena_printf(a, "What differs: %.*s. %.*s", STR_ARG(said), STR_ARG(*words));
}

/* The first "s27" of a text, a symbol of a size; those that depend on data (u0) vary in any case. */
static struct str first_symbol(struct str text)
{
    for (size_t i = 0; i + 1 < text.n; i++)
        if (text.p[i] == 's' && str_is_digit(text.p[i + 1]) && (i == 0 || !str_is_word_char(text.p[i - 1])))
            return str_word(str_skip(text, i));
    return (struct str){0};
}

/* "s27" of "size=(1, s27, (s0//2))", the first symbol of a size. */
static struct str varying_size(struct str text)
{
    static const struct str open = STR_INIT("size=(");
    ptrdiff_t at;

    while ((at = str_find(text, open)) >= 0) {
        struct str symbol;

        text = str_skip(text, (size_t)at + open.n);
        symbol = first_symbol(str_take(text, str_chr(text, '=') < 0 ? text.n : (size_t)str_chr(text, '=')));
        if (symbol.n)
            return symbol;
    }
    return (struct str){0};
}

/* A size that varies, in the words of the reason: "s27", or a class of PyTorch for such numbers. */
static bool names_symbol(struct str reason)
{
    static const char words[] = "SymInt\nSymFloat\nSymBool\nsymbolic\ndynamic shape";

    return first_symbol(reason).n || str_has_any_line(reason, str_of(words));
}

/*
 * Whether sizes that vary are the reason is quickly seen, and then nothing of the program is wrong. That they are among
 * the arguments alone proves nothing.
 */
static void add_varying_size(struct arena *a, const struct error *e, struct error_steps *out)
{
    struct str *words = first_words(out);
    struct str size = varying_size(str_take(e->failure->message, ERROR_SEARCHED));
    bool both;

    if (!words || e->category != ERROR_FAKE_TENSOR || size.n == 0 || error_reason_is_cut(e->failure))
        return;
    both = str_starts(*words, STR("Both are tensors"));
    if (both || (str_starts(*words, STR("Run the same line in eager mode")) &&
                 names_symbol(str_first_line(error_reason_of_call(e->failure)))))
        *words = arena_printf(a,
                              "Sizes that vary (`%.*s`) take part: try it with fixed ones, "
                              "`torch.compile(..., dynamic=False)`. If that works, PyTorch fails at such sizes, and "
                              "the line is right. %.*s",
                              STR_ARG(size), STR_ARG(*words));
    else if (str_starts(*words, STR("Run the same line in eager mode")))
        *words = arena_printf(a,
                              "%.*s. Sizes that vary (`%.*s`) may be the reason, if the line works in eager mode: "
                              "`torch.compile(..., dynamic=False)` has fixed ones.",
                              STR_ARG(*words), STR_ARG(size));
}

/* Dynamo shows a size that varies as the number that it has now. */
static void add_cannot_fail(struct arena *a, const struct error *e, struct error_steps *out)
{
    struct str *words = first_words(out);

    if (words && e->category == ERROR_DYNAMO_BUG && error_cannot_fail(e->failure))
        *words = arena_printf(a,
                              "`%.*s` of numbers or truths alone cannot fail in Python, so this is a bug in Dynamo: "
                              "most likely a size that varies stands behind them. Fixed sizes may avoid it: "
                              "`torch.compile(..., dynamic=False)`. %.*s",
                              STR_ARG(error_failed_call(e->failure)), STR_ARG(*words));
}

/* Without the reason, what the call got is all there is. */
static void add_cut_reason(struct arena *a, const struct error *e, struct error_steps *out)
{
    struct str *words = first_words(out);
    struct str call = error_failed_call(e->failure), tensors;

    if (!words || e->category != ERROR_FAKE_TENSOR || !error_reason_is_cut(e->failure) ||
        !str_starts(*words, STR("Run the same line in eager mode")))
        return;
    tensors = error_tensors_of_call(a, e->failure);
    *words = arena_printf(a,
                          "The exception is cut off: its reason stands behind these arguments, so look at the rest of "
                          "the message. `%.*s`%s%.*s fails: print the shapes and dtypes of its arguments before the "
                          "call, as most often one of them does not fit. %.*s",
                          STR_ARG(call), tensors.n ? " of tensors of " : "", STR_ARG(tensors), STR_ARG(*words));
}

/* "s6*s81" of "s6*s81 (139649920643632)is not tracked with proxy for ...": an expression of sizes, and no tensor. */
static struct str lost_size(struct str message)
{
    struct str line = str_first_line(message), size;
    ptrdiff_t end = str_find(line, STR("is not tracked with proxy for")), open;

    line = str_take(line, end < 0 ? 0 : (size_t)end);
    open = str_rchr(line, '(');
    size = str_trim(str_take(line, open < 0 ? 0 : (size_t)open));
    for (size_t i = 0; i < size.n; i++)
        if (!str_is_digit(size.p[i]) && !strchr("su*+-/() ", size.p[i]))
            return (struct str){0};
    return first_symbol(size).n ? size : (struct str){0};
}

/* With fixed sizes there is no such expression. An export has a mark for each dimension instead. */
static void add_lost_size(struct arena *a, const struct error *e, struct error_steps *out)
{
    struct str *words = first_words(out), size = lost_size(e->failure->message);

    if (!words || size.n == 0 || e->failure->exporting)
        return;
    *words = arena_printf(a,
                          "The tracer lost a size that varies (`%.*s`), most likely a bug in PyTorch. Fixed sizes may "
                          "avoid it: `torch.compile(..., dynamic=False)`, if the sizes are few. %.*s",
                          STR_ARG(size), STR_ARG(*words));
}

/* "freqs" of "self.freqs = self.freqs.to(h.device)": the same tensor, on a device or in a type. */
static struct str moved_attribute(struct str source)
{
    static const struct str methods[] = {STR_INIT("to("),    STR_INIT("cuda("),   STR_INIT("cpu("),
                                         STR_INIT("type("),  STR_INIT("half("),   STR_INIT("float("),
                                         STR_INIT("double("), STR_INIT("bfloat16(")};
    struct str name;
    ptrdiff_t at = str_find(source, STR(" = "));

    if (at < 0 || !str_consume(&source, STR("self.")))
        return (struct str){0};
    name = str_take(source, (size_t)at - STR("self.").n);
    source = str_skip(source, name.n + STR(" = ").n);
    return str_consume(&source, STR("self.")) && str_consume(&source, name) && str_consume(&source, STR(".")) &&
                   STR_STARTS_ANY(source, methods)
               ? name
               : (struct str){0};
}

#define NO_ASSIGNMENTS "torch.export does not support assignments to attributes"

/* Puts more exact words in the place of all steps for a line that assigns an attribute. */
static void replace_assignment(struct error_steps *out, struct str words)
{
    out->list.n = 1;
    out->list.v[0].words = words;
}

static bool is_assignment(const struct error_steps *out)
{
    return out->list.n && str_starts(out->list.v[0].words, STR(NO_ASSIGNMENTS));
}

/*
 * Changing the tensor in place keeps its device and type, which is what the line is about. Checked with 2.6, where both
 * ways work, and 2.13, which exports the line as it is.
 */
static void add_moved_attribute(struct arena *a, const struct error *e, struct error_steps *out)
{
    struct str source = str_trim(e->own_source), name = moved_attribute(source);

    if (name.n == 0 || !is_assignment(out))
        return;
    replace_assignment(
        out,
        arena_printf(a,
                     NO_ASSIGNMENTS " in this version. The line moves or "
                     "converts `self.%.*s`: keep the result in a local variable (`%.*s`), and use that below. Or make "
                     "it a buffer in `__init__` (`register_buffer`), which `model.to(...)` moves before the export, "
                     "and leave the line out. A newer PyTorch (2.13) exports the line.",
                     STR_ARG(name), STR_ARG(str_skip(source, STR("self.").n))));
}

/* "hw" of "self.hw = [x.shape[-2:] for x in outputs]": a size, a number or a list, which no buffer can hold. */
static struct str plain_attribute(struct str source)
{
    static const char starts[] = "[{'\"", operators[] = " + \n - \n * \n @ \n / ";
    static const struct str names[] = {STR_INIT("True"),   STR_INIT("False"), STR_INIT("None"),
                                       STR_INIT("len("),   STR_INIT("int("),  STR_INIT("float("),
                                       STR_INIT("tuple("), STR_INIT("list("), STR_INIT("dict(")};
    static const struct str ends[] = {STR_INIT(".shape"), STR_INIT(".size()"), STR_INIT(".dtype"), STR_INIT(".device")};
    ptrdiff_t at = str_find(source, STR(" = "));
    struct str name, value = str_trim(str_skip(source, at < 0 ? source.n : (size_t)at + 3));

    if (value.n == 0 || !str_consume(&source, STR("self.")))
        return (struct str){0};
    name = str_take(source, (size_t)at - STR("self.").n);
    for (size_t i = 0; i < name.n; i++)
        if (!str_is_name_char(name.p[i]))
            return (struct str){0};
    if (strchr(starts, value.p[0]))
        return name;
    if (str_has_any_line(value, str_of(operators))) /* of numbers or of tensors */
        return (struct str){0};
    return STR_STARTS_ANY(value, names) || STR_ENDS_ANY(value, ends) || str_skip_any(value, "0123456789.").n == 0 ||
                   (str_has(value, STR(".shape[")) && str_chr(value, '(') < 0)
               ? name
               : (struct str){0};
}

/* Checked with 2.6, where `strict=False` exports the line, and 2.13, which exports it both ways. */
static void add_plain_attribute(struct arena *a, const struct error *e, struct error_steps *out)
{
    struct str name = plain_attribute(str_trim(e->own_source));

    if (name.n == 0 || !is_assignment(out))
        return;
    replace_assignment(
        out,
        arena_printf(a,
                     NO_ASSIGNMENTS " in this version. What the line keeps in "
                     "`self.%.*s` is no tensor, so no buffer: keep it in a local variable (`%.*s`), and pass it on or "
                     "return it. `strict=False`, or a newer PyTorch (2.13), may export the line.",
                     STR_ARG(name), STR_ARG(name)));
}

/* "AssertionError:" below "backend='inductor' raised:", and no stack: nothing says which check it was. */
static bool is_bare(const struct failure *f)
{
    struct str rest = str_trim(str_take(f->message, ERROR_SEARCHED)), line = {0}, last = f->type;

    if (f->beside.n || f->stack || f->raised_in || f->own_code)
        return false;
    while (str_next_line(&rest, &line))
        last = str_trim(line).n ? str_trim(line) : last;
    last = str_ends(last, STR(":")) ? str_drop(last, 1) : last;
    return python_is_dotted(last) && (str_ends(last, STR("Error")) || str_ends(last, STR("Exception")));
}

static void add_bare(struct arena *a, const struct error *e, struct error_steps *out)
{
    struct str *words = first_words(out);

    if (words && (e->category == ERROR_BACKEND || e->category == ERROR_DYNAMO_BUG) && !error_answer_of(e) &&
        is_bare(e->failure))
        *words = arena_printf(a,
                              "The exception has no message, so only its stack says which check failed: get it first, "
                              "with `TORCHDYNAMO_VERBOSE=1` (of pytest, with `pytest -x --tb=long TEST`, for one test "
                              "that fails). %.*s",
                              STR_ARG(*words));
}

void error_details_add(struct arena *a, const struct error *e, struct error_steps *out)
{
    add_where_it_waits(a, e, out);
    add_where_it_was_noticed(a, e, out);
    add_where_it_was_made(a, e, out);
    add_names_of_shapes(a, e, out);
    add_layout(a, e, out);
    add_real_tensor(a, e, out);
    add_recomputed(a, e, out);
    add_launch(a, e, out);
    add_lost_size(a, e, out);
    add_varying_size(a, e, out);
    add_cut_reason(a, e, out);
    add_cannot_fail(a, e, out);
    add_bare(a, e, out);
    add_moved_attribute(a, e, out);
    add_plain_attribute(a, e, out);
}
