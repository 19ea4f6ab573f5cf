#include "analysis/errors/error_words.h"

#include "analysis/breaks/break_site.h"
#include "analysis/errors/error_memory.h"
#include "analysis/errors/error_ranks.h"
#include "analysis/library/subclass.h"
#include "model/code_file.h"
#include "text/messages/compiler_output.h"
#include "text/python/exception_line.h"
#include "text/python/traceback.h"
#include "torchlog/crash/crash_lines.h"
#include "util/buf.h"
#include "util/utf8.h"

#include <stdlib.h>

enum { TARGET_MAX = 80, KEY_MAX = 60, ROOM_OF_TARGET = 8, ROOM_OF_MARK = 3 };
enum { SEARCHED = 16384, LINES_SEARCHED = 200 };

static struct str line_with(struct str text, struct str words)
{
    return str_line_with(str_take(text, SEARCHED), words);
}

/* The first line that begins with the words, trimmed. */
static struct str line_beginning(struct str text, struct str words)
{
    struct str line;

    text = str_take(text, SEARCHED);
    while (str_next_line(&text, &line))
        if (str_starts(str_trim(line), words))
            return str_trim(line);
    return (struct str){0};
}

/* In a line with a complete command, the part after the command. */
static struct str from_error(struct str line)
{
    ptrdiff_t at = line.n > ERROR_WORDS_MAX ? str_find(line, STR("fatal error ")) : -1;

    return at > 0 ? str_skip(line, (size_t)at) : line;
}

struct str error_words_from(struct str line, struct str words)
{
    ptrdiff_t at = str_find(line, words);

    return at < 0 ? (struct str){0} : str_skip(line, (size_t)at);
}

static struct str last_line(struct str text)
{
    struct str last = {0}, line;

    text = str_take(text, SEARCHED);
    while (str_next_line(&text, &line))
        last = str_trim(line).n ? str_trim(line) : last;
    return last;
}

/*
 * "cannot find -lcuda" of "/usr/bin/ld: cannot find -lcuda: No such file or directory", and what is behind "ptxas
 * /tmp/tmp4k, line 149; error   : ".
 */
static struct str without_path(struct str line)
{
    ptrdiff_t at = str_starts(line, STR("ptxas ")) ? str_find(line, STR("; error ")) : -1,
              end = at < 0 ? -1 : str_find(str_skip(line, (size_t)at), STR(": "));
    struct str before;

    if (end > 0)
        return str_skip(line, (size_t)(at + end) + 2);
    at = str_find(line, STR(": "));
    before = str_take(line, at > 0 ? (size_t)at : 0);
    return str_chr(before, '/') >= 0 && str_chr(before, ' ') < 0 ? str_skip(line, (size_t)at + 2) : line;
}

/* The exception up to its closing bracket, "')", in one line: the text may be wrapped. */
static struct str whole_exception(struct arena *a, struct str text)
{
    struct str rest = text, line, out = {0};

    while (str_next_line(&rest, &line) && (line = str_trim(line)).n) {
        out = out.n ? arena_printf(a, "%.*s %.*s", STR_ARG(out), STR_ARG(line)) : line;
        if (str_ends(line, STR("')")) || str_ends(line, STR("\")")))
            return out;
    }
    return str_first_line(text);
}

static size_t name_length(struct str s)
{
    size_t n = 0;

    while (n < s.n && (str_is_name_char(s.p[n]) || s.p[n] == '.'))
        n++;
    return n;
}

/* "set_" of "<method 'set_' of 'torch._C.TensorBase' objects>", "f" of "<function f at 0x7>", as Python shows them. */
static struct str shown_name(struct str call)
{
    static const struct str words[] = {STR_INIT("original "), STR_INIT("method "), STR_INIT("function ")};
    struct str name = call;

    for (size_t i = 0; call.p[0] == '<' && i < sizeof words / sizeof *words; i++) {
        ptrdiff_t at = str_find(str_take(call, 80), words[i]);

        if (at < 0)
            continue;
        name = str_skip(call, (size_t)at + words[i].n);
        str_consume(&name, STR("'"));
        break;
    }
    return str_take(name, name_length(name));
}

struct str error_failed_call(const struct failure *f)
{
    static const struct str kinds[] = {STR_INIT("call_function "), STR_INIT("call_method ")};
    struct str message = str_take(f->message, SEARCHED);

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        ptrdiff_t at = str_find(message, kinds[i]);

        if (at >= 0 && (size_t)at + kinds[i].n < message.n)
            return shown_name(str_skip(message, (size_t)at + kinds[i].n));
    }
    return (struct str){0};
}

/* The arguments of the call, "(*(FakeTensor(...), 2), **{...", and what is behind them. */
static struct str arguments_of(struct str message)
{
    ptrdiff_t at = str_find(message, STR("(*("));

    return str_skip(message, at < 0 ? message.n : (size_t)at);
}

struct str error_reason_of_call(const struct failure *f)
{
    static const struct str leads[] = {STR_INIT("): got"), STR_INIT("tensors: got"), STR_INIT("}):")};
    struct str message = str_take(f->message, SEARCHED);

    for (size_t i = 0; i < sizeof leads / sizeof *leads; i++) {
        ptrdiff_t at = str_find(message, leads[i]);

        if (at >= 0)
            return str_trim(str_skip(message, (size_t)at + leads[i].n));
    }
    return (struct str){0};
}

bool error_reason_is_cut(const struct failure *f)
{
    struct str arguments = arguments_of(f->message);
    size_t depth = 0, i = 0;

    if (f->message.n > SEARCHED || f->beside.n || error_failed_call(f).n == 0 || arguments.n == 0 ||
        error_reason_of_call(f).n)
        return false;
    for (; i < arguments.n && (i == 0 || depth); i++) {
        depth += arguments.p[i] == '(';
        depth -= arguments.p[i] == ')';
    }
    return depth || str_skip_any(str_trim(str_skip(arguments, i)), ":.").n == 0;
}

struct str error_tensors_of_call(struct arena *a, const struct failure *f)
{
    enum { TENSORS_MAX = 4 };
    static const struct str open = STR_INIT("FakeTensor("), size = STR_INIT("size=("), dtype = STR_INIT("dtype=");
    struct str rest = arguments_of(str_take(f->message, SEARCHED)), out = {0};
    ptrdiff_t at;

    for (size_t n = 0; n < TENSORS_MAX && (at = str_find(rest, open)) >= 0; n++) {
        struct str one, sizes, type;
        ptrdiff_t next, end;

        rest = str_skip(rest, (size_t)at + open.n);
        next = str_find(rest, open);
        one = next < 0 ? rest : str_take(rest, (size_t)next);
        if ((at = str_find(one, size)) < 0 || (end = str_chr(str_skip(one, (size_t)at), ')')) < 0)
            continue;
        sizes = str_take(str_skip(one, (size_t)at + size.n), (size_t)end - size.n);
        at = str_find(one, dtype);
        type = str_skip(one, at < 0 ? one.n : (size_t)at + dtype.n);
        type = str_take(type, name_length(type));
        out = arena_printf(a, "%.*s%s(%.*s)%s%.*s", STR_ARG(out), out.n ? " and " : "", STR_ARG(sizes),
                           type.n ? " in " : "", STR_ARG(type));
    }
    return out;
}

/* What a program writes that reads a value: then the line asks, and not a function that it calls. */
static const char readers[] = "equal(\nallclose(\nisclose(\n.item(\n.tolist(\nbool(\nint(\nfloat(\nif \nwhile \n"
                              "assert \nnonzero(\n==\n!=";

struct str error_reads_values(const struct error *e)
{
    static const struct str operators[] = {STR_INIT("aten.equal."), STR_INIT("aten.allclose.")};
    struct str source = e->own_source;
    ptrdiff_t at = str_find(source, STR("torch."));

    if (!str_eq(e->failure->type, STR("DataDependentOutputException")) ||
        !STR_STARTS_ANY(e->failure->message, operators) || at < 0 || str_has_any_line(source, str_of(readers)))
        return (struct str){0};
    source = str_skip(source, (size_t)at);
    source = str_take(source, name_length(source));
    return e->own_source.p + at + source.n < e->own_source.p + e->own_source.n && source.p[source.n] == '('
               ? source
               : (struct str){0};
}

/* "got RuntimeError('...')" of fake tensors, and the operator, whose call is before it. */
static struct str of_fake_tensor(struct arena *a, const struct failure *f)
{
    struct str message = f->message, call = error_failed_call(f), rest = message, line;
    struct str searched = str_take(message, SEARCHED), tensors;
    ptrdiff_t got = str_find(searched, STR("): got"));

    if (got < 0)
        got = str_find(searched, STR("s: got ")); /* the call is not in the text */
    if (got >= 0) {
        line = whole_exception(a, str_trim(str_skip(searched, (size_t)got + sizeof "): got" - 1)));
        if (call.n == 0 || str_has(line, call))
            return line;
        return arena_printf(a, "`%.*s`%s: %.*s", STR_ARG(call), str_has(message, STR("DTensor(")) ? " on DTensors" : "",
                            STR_ARG(line));
    }
    if (call.n && subclass_of_call(message).n && str_find(str_take(message, SEARCHED), STR("}):")) < 0)
        return arena_printf(a, "`%.*s` on a %.*s: the text ends before the reason", STR_ARG(call),
                            STR_ARG(subclass_of_call(message)));
    if (error_reason_is_cut(f)) {
        tensors = error_tensors_of_call(a, f);
        return arena_printf(a, "`%.*s`%s%.*s: the reason is cut off", STR_ARG(call), tensors.n ? " of " : "",
                            STR_ARG(tensors));
    }
    while (str_next_line(&rest, &line)) {
        ptrdiff_t kwargs = str_find(line, STR(", **{")), end = str_find(line, STR("}): "));

        if (str_ends(str_trim(line), STR("):"))) {
            struct str why = str_first_line(str_trim(rest));

            /* what Caffe2 once asked for is nothing that a program of today can do */
            if (str_has(why, STR("but its data is not allocated yet")))
                why = STR("its code reads tensors that have no data");
            return call.n == 0 || str_has(why, call)
                       ? why
                       : arena_printf(a, "%s`%.*s`: %.*s", f->type.n ? "" : "Failed running ", STR_ARG(call),
                                      STR_ARG(why));
        }
        if (kwargs > 0 && end > kwargs) /* a page joined the lines */
            return arena_printf(a, "`%.*s`: %.*s", STR_ARG(call), STR_ARG(str_trim(str_skip(line, (size_t)end + 4))));
    }
    return (struct str){0};
}

/* "device-side assertion `i < n` failed" of "/x.cu:12: f: block: [0,0,0], thread: [1,0,0] Assertion `i < n` failed." */
static struct str asserted(struct str line)
{
    ptrdiff_t at = str_find(line, STR("Assertion `"));

    return at < 0 ? line : str_skip(line, (size_t)at);
}

/*
 * For "at 8:11:", the lines of a kernel up to the rejected one, with marks below it: the words after the marks, or
 * that line. Python's own trailer may follow. Empty if the message has no such marks.
 */
static struct str of_kernel(struct str message)
{
    struct str line, before = {0}, refused = {0}, words = {0};
    ptrdiff_t at = str_find(str_take(message, SEARCHED), STR("CompilationError: at "));

    message = str_take(str_skip(message, at < 0 ? 0 : (size_t)at), SEARCHED); /* marks of a traceback are above it */
    while (words.n == 0 && str_next_line(&message, &line)) {
        line = str_trim(line);
        if (traceback_is_carets(line))
            refused = before.n ? before : refused;
        else if (refused.n)
            words = line;
        before = line.n && !traceback_is_carets(line) ? line : before;
    }
    return words.n && !str_starts(words, STR("The above exception")) ? words : refused;
}

bool error_refuses_size(const struct failure *f)
{
    struct str line = str_eq(f->type, STR("CompilationError")) ? of_kernel(f->message) : (struct str){0};

    for (ptrdiff_t at; (at = str_find(line, STR("ks"))) >= 0; line = str_skip(line, (size_t)at + 2))
        if ((size_t)at + 2 < line.n && str_is_digit(line.p[at + 2]) && (at == 0 || !str_is_word_char(line.p[at - 1])))
            return true;
    return false;
}

/* "undefined reference to `f'" of "x.c:67: undefined reference to `f'": the next lines only say that it failed. */
static struct str of_cpp(struct arena *a, struct str message)
{
    static const struct str words[] = {STR_INIT("undefined reference to "), STR_INIT("undefined symbol: "),
                                       STR_INIT("multiple definition of "), STR_INIT("unresolved external symbol ")};
    struct compiler_output output;
    struct str line;

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        line = line_with(message, words[i]);
        if (line.n)
            return str_skip(line, (size_t)str_find(line, words[i]));
    }
    line = line_with(message, STR("error: "));
    line = line.n ? line : line_with(message, STR(" error C")); /* of Visual Studio */
    if (line.n || !compiler_output_read(message, &output))
        return without_path(line);
    if (output.has_error)
        return without_path(output.line);
    return output.line.n ? arena_printf(a, "C++ compile error: %.*s", STR_ARG(output.line))
                         : STR("C++ compile error; the text ends before the compiler's own words");
}

/* What a program that was called printed, where the exception only has its command and that it failed. */
static struct str of_called(const struct failure *f)
{
    static const struct str called[] = {STR_INIT("returned non-zero exit status"),
                                        STR_INIT("Error building extension")},
                            fatal[] = {STR_INIT("ptxas fatal"), STR_INIT("nvcc fatal"), STR_INIT("cannot find -l"),
                                       STR_INIT("undefined reference to "), STR_INIT("fatal error LNK")};
    const struct str texts[] = {str_take(f->message, SEARCHED), str_take(f->beside, SEARCHED)};
    struct str line = {0};

    if (!STR_HAS_ANY(str_first_line(f->message), called))
        return line;
    for (size_t i = 0; line.n == 0 && i < sizeof texts / sizeof *texts; i++) {
        line = fault_compiler_line(texts[i]);
        for (size_t k = 0; line.n == 0 && k < sizeof fatal / sizeof *fatal; k++)
            line = line_with(texts[i], fatal[k]);
    }
    return without_path(line);
}

/* The exception of a process that compiles kernels; its traceback is the message. */
static struct str of_subprocess(struct str message)
{
    struct str line, last = {0};

    message = str_take(message, SEARCHED);
    while (str_next_line(&message, &line))
        if (line.n && line.p[0] != ' ' && exception_line_begins(line) != EXCEPTION_NONE &&
            !str_has(line, STR("An exception occurred in a subprocess")))
            last = str_trim(line);
    return last;
}

/* "Cond" of "Cond doesn't work unless it is captured ...", "f" of "...  Higher Order Operator: torch.ops.x.f". */
struct str error_operator(const struct failure *f)
{
    struct str message = f->message, line = line_with(message, STR("Higher Order Operator: "));

    if (!str_eq(f->type, STR("UncapturedHigherOrderOpError")))
        return (struct str){0};
    if (line.n)
        return str_skip(line, (size_t)str_rchr(line, ' ') + 1);
    return str_starts(message, STR("This ")) ? STR("a higher-order operator") : str_split(&message, ' ');
}

/* How many elements differ, and by how much: the first line only says that some do. */
static struct str of_comparison(struct arena *a, struct str m)
{
    struct str count = line_beginning(m, STR("Mismatched elements: ")),
               most = line_beginning(m, STR("Greatest absolute difference: "));

    return arena_printf(a, "%.*s %.*s%s%.*s", STR_ARG(str_first_line(m)), STR_ARG(count), count.n ? "; " : "",
                        STR_ARG(most));
}

static bool read_number(struct str text, struct str words, double *out)
{
    ptrdiff_t at = str_find(text, words);
    struct str value = str_skip(text, at < 0 ? text.n : (size_t)at + words.n);
    char number[24], *end;

    str_terminate(str_take(value, sizeof number - 1), number, sizeof number);
    *out = strtod(number, &end);
    return at >= 0 && end > number;
}

/* ", 2.2 times that": whether it is only just beyond the limit decides what to do. */
static struct str beyond(struct arena *a, double compiled, double allowed)
{
    double times = allowed > 0 ? compiled / allowed : 0;

    if (times < 1)
        return (struct str){0};
    return arena_printf(a, " (it is %.*f times that)", times < 10, times);
}

/* ", 3.09 times that", where the message lacks what is allowed. */
static struct str ratio(struct arena *a, double compiled, double eager)
{
    if (eager <= 0 || compiled < eager)
        return (struct str){0};
    return arena_printf(a, ", %.2f times that", compiled / eager);
}

/* "24" of "shape=torch.Size([4, 6])"; more than any limit where it is not there. */
static double elements_of(struct str line)
{
    static const double unknown = 1e9;
    struct str sizes, size;
    double n = 1;
    uint64_t factor;

    if (!str_between(line, STR("torch.Size(["), STR("])"), &sizes))
        return unknown;
    while (sizes.n) {
        size = str_trim(str_split(&sizes, ','));
        if (!str_take_u64(&size, &factor))
            return unknown;
        n *= (double)factor;
    }
    return n;
}

/*
 * "RMSE (res-fp64): 0.00759, (ref-fp64): 0.00242 and shape=... multiplier: 3.000000, tol: 0.001000": the first may be
 * as large as the multiplier times the second plus a tenth of the tolerance (torch/_dynamo/utils.py, same).
 */
static struct str of_rmse(struct arena *a, struct str m)
{
    double compiled, eager, times, tolerance, allowed;
    struct str line = line_with(m, STR("RMSE (res-fp64): "));

    if (!read_number(line, STR("(res-fp64): "), &compiled) || !read_number(line, STR("(ref-fp64): "), &eager))
        return (struct str){0};
    if (!read_number(line, STR("multiplier: "), &times) || !read_number(line, STR("tol: "), &tolerance)) /* until 2.2 */
        return arena_printf(a, "RMSE against float64: %g compiled, %g in eager mode%.*s", compiled, eager,
                            STR_ARG(ratio(a, compiled, eager)));
    allowed = times * eager + tolerance / 10;
    return arena_printf(a, "RMSE against float64: %g compiled, %g in eager mode, allowed %.3g%.*s", compiled, eager,
                        allowed, STR_ARG(beyond(a, compiled, allowed)));
}

/*
 * Until 2.2 the message lacks the multiplier and the tolerance: 3 for less than 1000 elements, as much as 10 where the
 * benchmark asks for it, else 2 or 3, and a tolerance of 0.1 at most.
 */
bool error_rmse_beyond(const struct failure *f, double *least, double *most)
{
    enum { FEW = 1000 };
    double compiled, eager, times, tolerance;
    struct str line = line_with(f->message, STR("RMSE (res-fp64): "));

    if (!read_number(line, STR("(res-fp64): "), &compiled) || !read_number(line, STR("(ref-fp64): "), &eager))
        return false;
    if (read_number(line, STR("multiplier: "), &times) && read_number(line, STR("tol: "), &tolerance)) {
        *least = *most = times * eager + tolerance / 10 > 0 ? compiled / (times * eager + tolerance / 10) : 0;
        return *least > 0;
    }
    if (eager <= 0)
        return false;
    *most = compiled / (eager * (elements_of(line) < FEW ? 3 : 2));
    *least = compiled / (eager * (elements_of(line) < FEW ? 10 : 3) + 0.01);
    return true;
}

/* What differs, and at which key of the results. */
static struct str of_accuracy(struct arena *a, struct str m)
{
    struct str rmse, key = line_beginning(m, STR("for key name ")), graph = line_with(m, STR("AOT Autograd graph "));
    struct str below = str_skip(m, str_first_line(m).n);

    if (!str_starts(m, STR("RMSE (res-fp64): ")) && !str_starts(m, STR("Accuracy failed")))
        return (struct str){0};
    if (key.n == 0) { /* both lines are of one record where they were logged at one time */
        key = line_beginning(below, STR("Accuracy failed for key name "));
        str_consume(&key, STR("Accuracy failed "));
    }
    rmse = of_rmse(a, m);
    str_consume(&key, STR("for key name "));
    if (rmse.n == 0)
        rmse = line_with(m, STR("Accuracy failed"));
    if (graph.n && !str_has(rmse, graph)) {
        graph = str_skip(graph, (size_t)(str_rchr(graph, ' ') + 1));
        rmse = arena_printf(a, "%.*s, in graph %.*s", STR_ARG(rmse), STR_ARG(graph));
    }
    return key.n ? arena_printf(a, "`%.*s`: %.*s", STR_ARG(key), STR_ARG(rmse)) : rmse;
}

/* Whose native code it is: the innermost call of the thread that crashed, with the package of its file. */
static struct str of_fatal(struct arena *a, const struct failure *f)
{
    struct str package;

    if (!f->stack || !str_starts(f->message, STR("Fatal Python error: ")) || !is_framework_file(f->stack->file))
        return (struct str){0};
    package = code_file_package_path(f->stack->file);
    return arena_printf(a, "in native code that `%.*s` calls (%.*s:%lld)", STR_ARG(f->stack->function),
                        STR_ARG(package.n ? package : code_file_tail(f->stack->file, 2)), (long long)f->stack->line);
}

/* "<class 'torch.Tensor'>" is "torch.Tensor", without its module "Tensor". */
static struct str class_behind(struct str m, struct str words)
{
    ptrdiff_t at = str_find(m, words);
    struct str name = {0};

    str_between(str_skip(m, at < 0 ? m.n : (size_t)at), STR("<class '"), STR("'>"), &name);
    return str_skip(name, (size_t)(str_rchr(name, '.') + 1));
}

/* "Expected metadata: None, expected type: <class 'x.AsyncCollectiveTensor'>" and "Runtime ...", far below. */
static struct str of_subclass(struct arena *a, struct str m)
{
    struct str expected = class_behind(m, STR("expected type: ")), actual = class_behind(m, STR("runtime type: "));

    if (expected.n == 0 || actual.n == 0)
        return (struct str){0};
    return arena_printf(a, "The backward gets a gradient of class %.*s, and was compiled for %.*s", STR_ARG(actual),
                        STR_ARG(expected));
}

/* The classes of all inputs stand between the beginning and what is wrong. */
static struct str of_aliases(struct str m)
{
    return str_has(m, STR("that alias one another"))
               ? STR("two outputs of the compiled function share memory, which is not supported with tensor subclasses")
               : (struct str){0};
}

/* Of what is violated, the size that became a constant says most: such a size breaks other conditions, too. */
static struct str of_constraints(struct str m)
{
    struct str line = line_with(m, STR(" to be a constant ("));

    if (line.n == 0)
        line = line_beginning(m, STR("- "));
    str_consume(&line, STR("- "));
    return line;
}

/* A kernel for the Apple GPU, all of whose source stands before the reason: a text may end within it. */
static struct str of_metal(const struct failure *f)
{
    struct str m = str_take(f->message, SEARCHED), line;

    if (!str_starts(m, STR("SyntaxError: failed to compile")) &&
        !(str_eq(f->type, STR("SyntaxError")) && str_starts(m, STR("failed to compile"))))
        return (struct str){0};
    line = line_with(m, STR(": error: "));
    if (line.n || (!str_has(m, STR("c10/metal/")) && !str_has(m, STR("kernel void "))))
        return line;
    return STR("a Metal kernel does not compile; the text ends before the reason");
}

/* "IndentationError: ..." below "Failed to import /tmp/torchinductor_u/kl/ckl.py" (_reload_python_module). */
static struct str of_import(struct arena *a, struct str m)
{
    struct str why = m;

    str_split(&why, '\n');
    why = str_first_line(why);
    return why.n ? arena_printf(a, "the generated code cannot be imported: %.*s", STR_ARG(why)) : why;
}

/* "KeyError" of "raise exc.KeyError(arg.value)". */
static struct str class_raised(struct str source)
{
    source = str_trim(source);
    if (!str_consume(&source, STR("raise ")) || str_chr(source, '(') <= 0)
        return (struct str){0};
    source = str_take(source, (size_t)str_chr(source, '('));
    source = str_skip(source, (size_t)(str_rchr(source, '.') + 1));
    return source.n && source.p[0] >= 'A' && source.p[0] <= 'Z' && str_chr(source, ' ') < 0 ? source : (struct str){0};
}

/*
 * "0", "'till'": the whole message is the key that a KeyError has. Dynamo passed it on by a class of its own, and the
 * line that raised it says what it was.
 */
static struct str of_key(struct arena *a, const struct failure *f)
{
    const struct call *c = f->raised_in;
    struct str key = str_trim(str_first_line(f->message)), class = c ? class_raised(c->source) : (struct str){0};

    if (class.n == 0 || str_eq(class, f->type) || key.n > KEY_MAX || str_chr(key, ' ') >= 0 || str_chr(key, ':') >= 0)
        return (struct str){0};
    return arena_printf(a, "%.*s%s%.*s (`%.*s`, %.*s:%lld)", STR_ARG(class), key.n ? ": " : "", STR_ARG(key),
                        STR_ARG(str_trim(c->source)), STR_ARG(code_file_name(c->file)), (long long)c->line);
}

/* "A different number of tensors was saved during the original forward (27) and recomputation (8)" */
static struct str of_recomputation(struct arena *a, struct str m)
{
    static const struct str forward = STR_INIT("Number of tensors saved during forward: "),
                            again = STR_INIT("Number of tensors saved during recomputation: "),
                            between = STR_INIT("the original forward and recomputation");
    struct str first = str_first_line(m), saved = line_beginning(m, forward), resaved = line_beginning(m, again);
    ptrdiff_t at = str_find(first, between);

    if (at < 0 || !str_consume(&saved, forward) || !str_consume(&resaved, again))
        return (struct str){0};
    return arena_printf(a, "%.*sthe original forward (%.*s) and recomputation (%.*s)", (int)at, first.p,
                        STR_ARG(str_word(saved)), STR_ARG(str_word(resaved)));
}

/* Which parameters, and the beginning of the first sentence: what stands between them is advice. */
static struct str of_unused(struct arena *a, struct str m)
{
    struct str which = line_with(m, STR("which did not receive grad for rank"));
    ptrdiff_t end = str_find(str_first_line(m), STR(" before starting a new one"));

    if (which.n == 0 || end < 0)
        return (struct str){0};
    return arena_printf(a, "%.*s (%.*s)", STR_ARG(str_trim(which)), (int)end, m.p);
}

/*
 * "socketStartConnect: Connect to 10.0.0.4<52822> failed : No route to host" below "Last error:"; without it the first
 * line, without the place in PyTorch's own code and what prints more.
 */
static struct str of_nccl(struct arena *a, const struct failure *f)
{
    static const struct str last = STR_INIT("Last error:"), lead = STR_INIT("NCCL error in: "),
                            more = STR_INIT(" (run with NCCL_DEBUG=INFO for details)");
    struct str m = str_take(f->message, SEARCHED), first = str_first_line(m), why, beside = str_first_line(f->beside);
    ptrdiff_t at = str_find(m, last);

    if (!str_consume(&first, lead))
        return (struct str){0};
    why = at < 0 ? (struct str){0} : str_first_line(str_trim(str_skip(m, (size_t)at + last.n)));
    if (why.n && !str_starts(why, STR("Exception raised from ")))
        return arena_printf(a, "NCCL: %.*s", STR_ARG(why));
    at = str_find(first, STR(", "));
    if (at < 0)
        return (struct str){0};
    first = str_skip(first, (size_t)at + 2);
    at = str_find(first, more);
    return arena_printf(a, "NCCL error: %.*s%.*s%s%.*s", at < 0 ? (int)first.n : (int)at, first.p,
                        STR_ARG(at < 0 ? (struct str){0} : str_skip(first, (size_t)at + more.n)), beside.n ? "; " : "",
                        STR_ARG(beside));
}

/* What c10d logs right before, where the message only refers to it. */
static struct str of_inner(const struct failure *f)
{
    return str_has(str_first_line(f->message), STR("C10d store has failed. See inner exception"))
               ? f->compile->process->input->stated.unreached
               : (struct str){0};
}

/* "shop::sell: for argument 'prices': the operator's schema ... does not mutate the argument, but ...": without it. */
static struct str of_schema(struct arena *a, struct str m)
{
    ptrdiff_t at = str_find(m, STR(": for argument '"));
    struct str name;

    if (at < 0 || !str_has(m, STR("does not mutate the argument, but this seems to be")) ||
        !str_between(str_skip(m, (size_t)at), STR("'"), STR("'"), &name))
        return (struct str){0};
    return arena_printf(a, "argument `%.*s` seems to be changed, against the schema of `%.*s`", STR_ARG(name),
                        STR_ARG(str_trim(str_take(m, (size_t)at))));
}

/*
 * Sources whose messages begin with uninformative words, and what to look for instead. A line of a C++ compiler names
 * the file before the error; for a constraint it is " - Not all values of batch = ...".
 */
static struct str certain_line(struct arena *a, const struct failure *f)
{
    struct str m = f->message, line = {0};

    if (str_has(str_take(m, SEARCHED), STR("failed to run FX node")) ||
        str_has(str_take(m, SEARCHED), STR("with fake tensors")) || str_starts(m, STR("Failed running call_")))
        line = of_fake_tensor(a, f);
    if (line.n == 0 && str_has(str_take(m, SEARCHED), STR("C++ compile error")))
        line = of_cpp(a, m);
    if (line.n == 0)
        line = of_called(f);
    if (line.n == 0 && str_has(str_take(m, SEARCHED), STR("API call failed at")) && f->beside.n)
        line = str_first_line(f->beside);
    if (line.n == 0 && str_starts(f->beside, STR("Triton's compiler: ")))
        line = str_first_line(f->beside);
    if (line.n == 0 && str_starts(m, STR("Failed to import /")))
        line = of_import(a, m);
    if (line.n == 0)
        line = of_metal(f);
    if (line.n == 0 && str_starts(m, STR("Tried to use data-dependent value")))
        line = error_words_from(str_first_line(m), STR("Could not guard on data-dependent expression"));
    if (line.n == 0 && str_has(str_first_line(m), STR("issue(s) found during export")))
        line = line_with(m, STR(" is missing a fake kernel implementation"));
    if (line.n == 0 && str_has(m, STR("CUDAGraphs that has been overwritten")))
        line = str_take(str_first_line(m), (size_t)(str_find(str_first_line(m), STR(". Stack trace:")) + 1));
    if (line.n == 0 && str_has(str_first_line(m), STR("Recomputed values for the following tensors have different")))
        line = error_words_from(str_first_line(m), STR("Recomputed values"));
    if (line.n == 0 && str_starts(m, STR("Expected to have finished reduction in the prior iteration")))
        line = of_unused(a, m);
    if (line.n == 0 && str_has(str_first_line(m), STR("Weights only load failed")))
        line = line_with(m, STR("WeightsUnpickler error: "));
    if (line.n == 0 && str_has(str_take(m, SEARCHED), STR("device-side assert")))
        line = asserted(line_with(m, STR("Assertion `")));
    if (line.n == 0 && str_starts(m, STR("Constraints violated (")))
        line = of_constraints(m);
    if (line.n == 0 && (str_starts(m, STR("at ")) || str_has(str_take(m, SEARCHED), STR("CompilationError: at "))))
        line = of_kernel(m).n ? of_kernel(m) : last_line(m);
    if (line.n == 0 && str_has(str_take(m, SEARCHED), STR("An exception occurred in a subprocess")))
        line = of_subprocess(m);
    if (line.n == 0 && error_operator(f).n && f->beside.n)
        line = arena_printf(a, "within %.*s: %.*s", STR_ARG(error_operator(f)), STR_ARG(str_first_line(f->beside)));
    if (line.n == 0 && str_has(str_take(m, SEARCHED), STR("used with tensor subclass inputs")))
        line = of_aliases(str_take(m, SEARCHED));
    if (line.n == 0 && str_has(str_take(m, SEARCHED), STR("where we guessed its")))
        line = of_subclass(a, str_take(m, SEARCHED));
    if (line.n == 0)
        line = of_accuracy(a, str_has(str_take(m, SEARCHED), STR("Bad accuracy detected")) ? f->beside : m);
    if (line.n == 0)
        line = of_fatal(a, f);
    if (line.n == 0 && str_has(str_take(m, SEARCHED), STR("Tried to allocate ")))
        line = error_memory_headline(a, m);
    if (line.n == 0 && line_beginning(m, STR("Greatest absolute difference: ")).n)
        line = of_comparison(a, m);
    if (line.n == 0 && str_has(str_first_line(m), STR("A different number of tensors was saved")))
        line = of_recomputation(a, str_take(m, SEARCHED));
    if (line.n == 0)
        line = of_schema(a, str_take(m, SEARCHED));
    if (line.n == 0)
        line = of_nccl(a, f);
    if (line.n == 0)
        line = of_inner(f);
    if (line.n == 0)
        line = of_key(a, f);
    if (line.n == 0 && str_starts(m, STR("Hard failure due to fullgraph=True")))
        line = STR("compiled for as many cases as it allows, and `fullgraph=True` makes one more an error");
    return line;
}

/* The line with those below it in which its sentence goes on. */
static struct str whole_sentence(struct arena *a, struct str line, struct str rest)
{
    struct str last = line, next;

    for (bool opens; line.n < ERROR_WORDS_MAX;
         line = arena_printf(a, "%.*s%s%.*s", STR_ARG(line), opens ? "" : " ", STR_ARG(last))) {
        opens = str_ends(last, STR("(")); /* of an expression that a terminal has wrapped */
        if (!(opens || exception_line_is_open(last)) || !str_next_line(&rest, &next) ||
            !(opens ? str_chr(next, ')') >= 0 : exception_line_continues(next)))
            break;
        last = str_trim(next);
    }
    return line;
}

/* The second line belongs to a first that introduces it ("backend='inductor' raised:") or ends within a sentence. */
static struct str plain_line(struct arena *a, const struct failure *f)
{
    struct str rest = f->message, first = str_trim(str_split(&rest, '\n')), second = str_first_line(str_trim(rest));

    if (!str_ends(first, STR(":")) || second.n == 0 || str_starts(second, STR("target: ")))
        return whole_sentence(a, first, rest);
    if (str_eq(first, STR("backend='compile_fn' raised:"))) /* the splitter of DDP, which nobody chose */
        return second;
    return arena_printf(a, "%.*s %.*s", STR_ARG(first), STR_ARG(second));
}

struct str error_target(const struct failure *f)
{
    struct str rest = str_take(f->message, SEARCHED), line;

    while (str_next_line(&rest, &line)) {
        line = str_trim(line);
        if (str_consume(&line, STR("target: ")) || str_consume(&line, STR("Error in op: ")))
            return line;
    }
    return (struct str){0};
}

struct str error_words_shortened(struct arena *a, struct str line, size_t max)
{
    struct str cut = utf8_cut(line, max);

    return cut.n < line.n ? arena_printf(a, "%.*s \xe2\x80\xa6", STR_ARG(cut)) : line;
}

static struct str up_to(struct str line, struct str words)
{
    ptrdiff_t at = str_find(line, words);

    return at < 0 ? line : str_trim(str_take(line, (size_t)at));
}

/* Types of breaks that name no object: it is only in the context. */
static struct str nameless_object(struct arena *a, const struct failure *f, struct str line)
{
    static const struct str context = STR_INIT("Developer debug context: "),
                            operator_ = STR_INIT("Higher Order Operator: ");
    struct str found, within;

    if (!str_starts(line, STR("can't handle functions not implemented in python")) &&
        !str_eq(line, STR("Unexpected type in sourceless builder")))
        return (struct str){0};
    found = str_line_with(str_take(f->message, SEARCHED), context);
    found = str_skip(found, found.n ? (size_t)str_find(found, context) + context.n : 0);
    within = str_line_with(str_take(f->message, SEARCHED), operator_);
    within = str_skip(within, within.n ? (size_t)str_find(within, operator_) + operator_.n : 0);
    return found.n ? arena_printf(a, "`%.*s`%s%.*s", STR_ARG(break_object(a, found)), within.n ? ", within " : "",
                                  STR_ARG(within))
                   : found;
}

/* An assertion without words is shown with its code; a lowering with its operator; a desync with its rank. */
static struct str with_more(struct arena *a, const struct failure *f, struct str line)
{
    struct str object = nameless_object(a, f, line), target = object.n ? object : error_target(f),
               beside = str_first_line(f->beside);

    if (str_eq(f->type, STR("Native assertion"))) /* the file and line, without the function */
        beside = up_to(beside, STR(": "));
    if (str_starts(beside, STR("extern_kernels."))) /* its arguments are buffers */
        beside = up_to(beside, STR("("));
    if (beside.n && !str_has(line, beside))
        line = arena_printf(a, "%.*s%s%.*s", STR_ARG(line), line.n ? (str_ends(line, STR(":")) ? " " : "; ") : "",
                            STR_ARG(beside));
    if (target.n && !str_has(line, target))
        line = arena_printf(
            a, "%.*s (%.*s)",
            STR_ARG(error_words_shortened(a, line, ERROR_WORDS_MAX - ROOM_OF_TARGET - str_take(target, TARGET_MAX).n)),
            STR_ARG(str_take(target, TARGET_MAX)));
    return line;
}

/* The problem of the machine, in the words of the program that reported it. */
static struct str of_fault(const struct failure *f)
{
    bool of_compiler = error_is_of_compiler(f);
    const struct fault *beside = f->beside.n ? fault_find(f->type, f->beside, of_compiler) : NULL;
    const struct fault *fault = beside ? beside : fault_find(f->type, f->message, of_compiler);

    if (!fault)
        return (struct str){0};
    if (!beside && fault_compiler_line(f->beside).n) /* the message has no more than the command */
        return from_error(without_path(f->beside));
    return from_error(without_path(fault_line(fault, f->type, beside ? f->beside : f->message)));
}

/* No line of PyTorch's trailer below a message says what happened. */
bool error_lacks_message(const struct failure *f)
{
    struct str first = str_first_line(f->message);

    return f->type.n == 0 && (first.n == 0 || crash_stands_alone(first)) && !exception_line_has_phrase(f->message);
}

bool error_is_cut_off(const struct failure *f)
{
    return error_lacks_message(f) && f->message.n == 0 && f->part != FAILED_IN_UNKNOWN;
}

/* Programs fill columns, and pages lose the end of a line: several blanks are one in a sentence. */
static struct str without_gaps(struct arena *a, struct str line)
{
    struct buf out = {0};

    if (!str_has(line, STR("   ")))
        return line;
    for (size_t i = 0; i < line.n; i++)
        if (line.p[i] != ' ' || i == 0 || line.p[i - 1] != ' ')
            buf_char(&out, line.p[i]);
    line = arena_str(a, buf_view(&out));
    buf_free(&out);
    return line;
}

/* Of a warning whole sentences: half of one may say the contrary. */
static struct str shortened_warning(struct arena *a, struct str line)
{
    struct str room = str_take(line, ERROR_WORDS_MAX - ROOM_OF_MARK);
    size_t end = room.n;

    if (line.n <= ERROR_WORDS_MAX)
        return line;
    while (end > ERROR_WORDS_MAX / 2 && !str_ends(str_take(room, end), STR(". ")))
        end--;
    return end > ERROR_WORDS_MAX / 2 ? arena_printf(a, "%.*s…", STR_ARG(str_take(room, end)))
                                     : error_words_shortened(a, line, ERROR_WORDS_MAX);
}

struct str error_headline(struct arena *a, const struct failure *f)
{
    struct str line = of_fault(f);

    if (error_lacks_message(f))
        return error_is_cut_off(f) ? STR("the text ends before its message")
                                   : STR("the text begins behind its message");

    if (line.n == 0)
        line = error_ranks_behind(a, f);
    if (line.n == 0)
        line = error_ranks_differ(a, f);
    if (line.n == 0 && f->beside.n && str_has(str_take(f->message, SEARCHED), STR("No choices to select")))
        line = with_more(a, f, STR("No choices to select"));
    if (line.n == 0)
        line = certain_line(a, f);
    if (line.n == 0)
        line = with_more(a, f, plain_line(a, f));
    line = without_gaps(a, str_take(line, SEARCHED));
    if (str_ends(f->type, STR("Warning")))
        return shortened_warning(a, line);
    return str_eq(f->type, STR(NOTE_TYPE)) ? utf8_shorten(a, line, ERROR_WORDS_MAX)
                                           : error_words_shortened(a, line, ERROR_WORDS_MAX);
}
