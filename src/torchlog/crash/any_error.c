#include "torchlog/crash/any_error.h"

#include "input/log_line.h"
#include "input/logger.h"
#include "text/messages/break_ids.h"
#include "text/stated/prose.h"
#include "text/python/exception_line.h"
#include "torchlog/crash/crash_begin.h"
#include "torchlog/crash/crash_lines.h"
#include "torchlog/crash/measured.h"

enum { LOOKED_AT = 400 };

/* A traceback that lost its header: calls, and an exception. */
static bool has_traceback(struct str text)
{
    bool call = false, exception = false;
    struct str line;

    while (!(call && exception) && str_next_line(&text, &line)) {
        struct str bare = str_trim(line);

        call |= crash_is_call(bare);
        exception |= exception_line_begins(bare) != EXCEPTION_NONE;
    }
    return call && exception;
}

/* JavaScript and Java name errors alike, and show their calls below: "    at f (/srv/index.js:3:5)". */
static bool has_exception(struct str text)
{
    struct str rest = text, line;

    while (str_next_line(&rest, &line))
        if (exception_line_begins(str_trim(line)) != EXCEPTION_NONE)
            return !str_has(text, STR("\n    at ")) && !str_has(text, STR("\n\tat "));
    return false;
}

/* Types that Python has and that other languages name otherwise; "TypeError" is JavaScript's, too. */
static bool ends_with_type_of_python(struct str text)
{
    static const struct str types[] = {
        STR_INIT("RuntimeError"),      STR_INIT("ValueError"),          STR_INIT("AttributeError"),
        STR_INIT("KeyError"),          STR_INIT("ImportError"),         STR_INIT("ModuleNotFoundError"),
        STR_INIT("IndexError"),        STR_INIT("NotImplementedError"), STR_INIT("AssertionError"),
        STR_INIT("UnboundLocalError"), STR_INIT("FileNotFoundError"),   STR_INIT("OutOfMemoryError"),
    };

    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        struct str before = str_take(text, text.n < types[i].n ? 0 : text.n - types[i].n);

        /* Chinese and Japanese have no blank before it; "except KeyError: x" is code that handles one */
        if (str_ends(text, types[i]) && !(before.n && str_is_word_char(before.p[before.n - 1])) &&
            !str_ends(before, STR("except ")))
            return true;
    }
    return false;
}

/* An exception within a sentence, in any language. */
static bool has_exception_within(struct str text)
{
    static const struct str end = STR_INIT("Error: ");
    struct str rest = text;

    for (ptrdiff_t at; (at = str_find(rest, end)) >= 0; rest = str_skip(rest, (size_t)at + end.n))
        if (ends_with_type_of_python(str_range(text.p, rest.p + at + end.n - 2)))
            return !str_has(text, STR("\n    at ")) && !str_has(text, STR("\n\tat "));
    return false;
}

static bool is_others(struct str text)
{
    static const struct str others[] = {STR_INIT("tensorflow"), STR_INIT("jaxlib"), STR_INIT("jax.errors.")};

    return STR_HAS_ANY(text, others);
}

/* The type of a graph break at the end of a line, as in a title. Short ones are words that anybody may write. */
static ptrdiff_t find_break_type(struct str line)
{
    enum { TYPE_MIN = 20 };
    struct str whole = str_trim(line);
    ptrdiff_t at = whole.n < LOOKED_AT ? break_type_find(whole) : -1;

    return at >= 0 && whole.n - (size_t)at >= TYPE_MIN ? whole.p - line.p + at : -1;
}

/* What only PyTorch has, wherever in a line: an exception, or the type of a graph break. */
static bool has_known(struct str text)
{
    struct str line;

    while (str_next_line(&text, &line))
        if (exception_line_find(line) >= 0 || find_break_type(line) >= 0)
            return true;
    return false;
}

static bool is_ours(struct str text)
{
    static const struct str ours[] = {
        STR_INIT("torch"),    STR_INIT("Torch"),     STR_INIT("TORCH"),    STR_INIT("riton"),
        STR_INIT("CUDA"),     STR_INIT("cuda"),
        STR_INIT("DNN"),      STR_INIT("EngineCore"), STR_INIT("NCCL"),     STR_INIT("inductor"),  STR_INIT("dynamo"),
        STR_INIT("HIP error"), STR_INIT("autograd"), STR_INIT("vllm"),     STR_INIT("[rank"),     STR_INIT("Tensor"),
        STR_INIT(" tensor"),  STR_INIT("MPS "),      STR_INIT("mps:"),     STR_INIT("'Half'"),    STR_INIT("c10::"),
        STR_INIT("vLLM"),
        STR_INIT("BFloat16"), STR_INIT("aten"),      STR_INIT("AUTOTUNE "), STR_INIT("_orig_mod"),
    };
    return STR_HAS_ANY(text, ours) && !is_others(text);
}

/* What a shell says of a process that was killed. */
static bool is_death(struct str line)
{
    return str_has(line, STR(" Killed ")) || str_has(line, STR("(core dumped)")) || str_has(line, STR("Abort trap: "));
}

bool any_error_is_about(struct str text)
{
    return is_ours(text) || has_known(text) || has_traceback(text) ||
           ((has_exception(text) || has_exception_within(text)) && !is_others(text));
}

bool any_error_names_ours(struct str text)
{
    return is_ours(text) || has_known(text);
}

bool any_error_is_foreign(struct str text)
{
    static const struct str libraries[] = {STR_INIT("site-packages/"), STR_INIT("dist-packages/"),
                                           STR_INIT("site-packages\\")};

    return !is_ours(text) && !str_has(text, STR("ompile")) && STR_HAS_ANY(text, libraries) && has_traceback(text);
}

/* "UserWarning" of "/x/compile_fx.py:90: UserWarning: TensorFloat32 ...": the word before the colon. */
static struct str word_before(struct str line, size_t end)
{
    size_t begin = end;

    while (begin > 0 && (str_is_word_char(line.p[begin - 1]) || line.p[begin - 1] == '.'))
        begin--;
    return str_range(line.p + begin, line.p + end);
}

/* "/x/compile_fx.py:90: " */
static void take_place(struct str before, struct any_error *out)
{
    ptrdiff_t colon;

    before = str_trim(before);
    if (!str_ends(before, STR(":")))
        return;
    before = str_drop(before, 1);
    colon = str_rchr(before, ':');
    if (colon > 0 && str_i64(str_skip(before, (size_t)colon + 1), &out->line))
        out->file = str_take(before, (size_t)colon);
}

static bool is_capital(struct str s)
{
    return s.n && s.p[0] >= 'A' && s.p[0] <= 'Z';
}

/* The name that ends in `ending`, anywhere in the line. In "Error: ValueError: x" the first word is a log level. */
static bool find_named(struct str line, struct str ending, struct any_error *out)
{
    size_t from = 0;

    for (ptrdiff_t at; (at = str_find(str_skip(line, from), ending)) >= 0; from += (size_t)at + ending.n) {
        size_t colon = from + (size_t)at + ending.n - 1;
        struct str name = word_before(line, colon), type = str_skip(name, (size_t)(str_rchr(name, '.') + 1));

        if (!is_capital(type) || type.n < ending.n)
            continue;
        *out = (struct any_error){.type = type, .message = str_trim(str_skip(line, colon + 1))};
        take_place(str_take(line, (size_t)(name.p - line.p)), out);
        return true;
    }
    return false;
}

/* What any logger writes of an error. */
static bool is_error(struct str line)
{
    static const struct str words[] = {STR_INIT("error"),    STR_INIT("Error"),        STR_INIT("ERROR"),
                                       STR_INIT("FATAL"),    STR_INIT("fatal"),        STR_INIT("failed"),
                                       STR_INIT("Failed"),   STR_INIT("abort"),
                                       STR_INIT("crashed"),  STR_INIT("Exception"),
                                       STR_INIT("\xe2\x9d\x8c"), /* U+274C, a cross */
                                       STR_INIT(" Killed "), STR_INIT("(core dumped)")};

    static const char denied[] = "no error\nwithout an error\nwithout error\nwithout any error\nnot an error\n"
                                 "no exception\nno crash\nnot fail\nn't fail\nnever fail\nnothing failed\n"
                                 /* a size, which is measured */
                                 "max error\nmaximum error\nmean error\naverage error\nrelative error\n"
                                 "absolute error\nabs error\nrounding error\nnumerical error";
    char room[LOOKED_AT];

    return STR_HAS_ANY(line, words) &&
           !str_has_any_line(str_lower(str_take(line, LOOKED_AT), room, sizeof room), str_of(denied));
}

/* One that only PyTorch has, whatever its name ends in. */
static bool find_known(struct str line, struct any_error *out)
{
    ptrdiff_t at = exception_line_find(line);
    struct exception_name name;
    struct str rest = str_skip(line, at < 0 ? line.n : (size_t)at);

    if (at >= 0 && exception_name_take(&rest, &name)) {
        *out = (struct any_error){.type = name.type, .message = str_trim(rest)};
        return true;
    }
    if (at >= 0 || (at = find_break_type(line)) < 0)
        return false;
    *out = (struct any_error){.type = STR("Unsupported"), .message = str_trim(str_skip(line, (size_t)at))};
    return true;
}

/* Without what was put around the whole: "`X: words`, what can I do?", "**X: words**", a cell of a table. */
static struct str unwrapped(struct str line, struct str message)
{
    const char *begin = message.p;
    struct str end = {0};
    ptrdiff_t at;

    while (begin > line.p && begin[-1] != '`' && begin[-1] != '*' && begin[-1] != '"' && begin[-1] != '|')
        begin--;
    if (begin == line.p || !(begin[-1] == '`' || begin[-1] == '*' || begin[-1] == '"' || begin[-1] == '|'))
        return message;
    end = begin[-1] == '|' ? STR(" |") : (struct str){begin - 1, 1};
    at = end.n == 2 ? str_find(message, end) : str_rchr(message, *end.p);
    return str_trim(str_take(message, at > 0 ? (size_t)at : message.n));
}

/* What Python says in these forms has a name, even where a page or a person shows only the words. */
static bool find_form(struct str line, struct any_error *out)
{
    static const struct {
        struct str begin, end, type;
    } forms[] = {
        {STR_INIT("name '"), STR_INIT("' is not defined"), STR_INIT("NameError")},
        {STR_INIT("module '"), STR_INIT("' has no attribute '"), STR_INIT("AttributeError")},
        {STR_INIT("'"), STR_INIT("' object has no attribute '"), STR_INIT("AttributeError")},
        {STR_INIT("type object '"), STR_INIT("' has no attribute '"), STR_INIT("AttributeError")},
        {STR_INIT("cannot import name '"), STR_INIT("' from '"), STR_INIT("ImportError")},
        {STR_INIT("No module named '"), STR_INIT("'"), STR_INIT("ModuleNotFoundError")},
        /* torch/csrc/dynamo/guards.cpp, assert_size_stride */
        {STR_INIT("expected size "), STR_INIT(" at dim="), STR_INIT("AssertionError")},
    };

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        ptrdiff_t end = str_find(line, forms[i].end), begin;
        struct str before = str_take(line, end < 0 ? 0 : (size_t)end);

        begin = forms[i].begin.n == 1 ? str_rchr(before, '\'') : str_find(line, forms[i].begin);
        if (end < 0 || begin < 0 || begin >= end)
            continue;
        *out = (struct any_error){.type = forms[i].type, .message = str_trim(str_skip(line, (size_t)begin))};
        return true;
    }
    return false;
}

/*
 * symbolic_shapes.py and recording.py log "failed while running evaluate_expr(*(Ne(u0, 4), None), ...)" before what
 * they raise: of a value that is read from a tensor it is that the guard cannot be decided.
 */
static bool find_expression(struct str line, struct any_error *out)
{
    static const struct str lead = STR_INIT("evaluate_expr(");
    ptrdiff_t at = str_has(line, STR("failed ")) ? str_find(line, lead) : -1;
    struct str rest = str_skip(line, at < 0 ? line.n : (size_t)at + lead.n);
    size_t n = 0;

    str_consume(&rest, STR("*("));
    for (int depth = 0; n < rest.n && depth >= 0 && !(depth == 0 && rest.p[n] == ','); n++)
        depth += (rest.p[n] == '(') - (rest.p[n] == ')');
    rest = str_take(rest, n);
    at = str_find(rest, STR("u"));
    if (at < 0 || (size_t)at + 1 >= rest.n || !str_is_digit(rest.p[at + 1]))
        return false;
    *out = (struct any_error){.type = STR("GuardOnDataDependentSymNode"), .expression = rest};
    return true;
}

/* "Exception raised from f at x.cpp:1 (most recent call first):", and its calls: c10 appends them to a message. */
static bool is_of_native_stack(struct str line)
{
    line = str_trim(line);
    return str_starts(line, STR("Exception raised from ")) || str_starts(line, STR("frame #"));
}

/* The message of such an exception is the line above, which C++ programs print behind "Error: ". */
static bool find_raised_in_native(struct str line, struct str rest, struct any_error *out)
{
    struct str message = str_trim(line);

    if (message.n == 0 || is_of_native_stack(line) ||
        !str_starts(str_trim(str_first_line(rest)), STR("Exception raised from ")))
        return false;
    str_consume(&message, STR("Error: "));
    *out = (struct any_error){.message = message};
    return true;
}

/* What exceptions of PyTorch begin with that programs raise without the compiler, too. */
static bool is_sentence(struct str line)
{
    static const struct str begins[] = {STR_INIT("Expected all tensors to be on the same device"),
                                        STR_INIT("mat1 and mat2 must have the same dtype"),
                                        STR_INIT("mat1 and mat2 shapes cannot be multiplied"),
                                        STR_INIT("expected scalar type "),
                                        STR_INIT("expected mat1 and mat2 to have"),
                                        STR_INIT("Trying to backward through the graph a second time")};

    return STR_STARTS_ANY(str_trim(line), begins);
}

/* "W0102 10:11:12.131000 9 torch/...", behind the rank where there is one: nothing failed, whatever it speaks of. */
static bool is_logged_warning(struct str line)
{
    ptrdiff_t at = str_starts(line, STR("[")) ? str_chr(line, 'W') : 0;
    size_t n = 1;

    line = str_skip(line, at < 0 ? line.n : (size_t)at);
    if (line.n < 9 || *line.p != 'W')
        return false;
    while (n < 5 && str_is_digit(line.p[n]))
        n++;
    return n > 3 && line.p[n] == ' ' && str_is_digit(line.p[n + 1]) && line.p[n + 3] == ':';
}

/* "/x/function.py:549: DeprecationWarning: ...": Python's warning, which may speak of an error or quote one. */
static bool is_python_warning(struct str line)
{
    struct any_error warning;

    return find_named(line, STR("Warning:"), &warning) && warning.file.n;
}

/* The writer says below a warning that it does not matter: "(that one comes from another machine, ignore it)". */
static bool is_dismissed(struct str rest)
{
    enum { BELOW = 4, LONGEST = 400 };
    static const struct str words[] = {STR_INIT("gnore it"),     STR_INIT("gnore that"),    STR_INIT("gnore this"),
                                       STR_INIT("not related"),  STR_INIT("nrelated"),      STR_INIT("other box"),
                                       STR_INIT("other machine"), STR_INIT("another machine"), STR_INIT("rrelevant")};
    struct str line;

    for (size_t n = 0; n < BELOW && str_next_line(&rest, &line); n++)
        if (!str_has(line, STR("Warning")) && STR_HAS_ANY(str_take(line, LONGEST), words))
            return true;
    return false;
}

/* A sentence in which the writer speaks of an error. */
static bool find_sentence(struct str line, struct any_error *out)
{
    struct str rest = str_trim(line);

    if (!prose_is_paragraph(line))
        return false;
    while (rest.n) {
        struct str sentence = str_next_sentence(&rest);

        *out = (struct any_error){.message = str_trim(sentence), .of_writer = true};
        if (is_error(sentence))
            return true;
    }
    return false;
}

/* "logger.warning(", "ValueError(": a name with its dots, and the bracket of a call. */
static bool begins_call(struct str code)
{
    size_t n = 0;

    while (n < code.n && (str_is_word_char(code.p[n]) || code.p[n] == '.'))
        n++;
    return n < code.n && code.p[n] == '(';
}

/*
 * Code of a program that would log or raise an error, which did not happen by that: `logger.warning(f"Failed: {e}")`,
 * `raise ValueError("no till")`. Below the line of a call in a traceback it did.
 */
static bool is_quoted_code(struct str line, struct str above)
{
    static const struct str calls[] = {STR_INIT("logger."),      STR_INIT("logging."),       STR_INIT("log."),
                                       STR_INIT("_logger."),     STR_INIT("self.logger."),   STR_INIT("LOG."),
                                       STR_INIT("print("),       STR_INIT("warnings.warn("), STR_INIT("self.log."),
                                       STR_INIT("console.print("), STR_INIT("sys.exit("),
                                       STR_INIT("sys.stderr.write(")};
    struct str code = str_skip_any(line, " \t+-");

    if (str_has(line, STR("    except ")) && str_ends(str_trim(line), STR(":")))
        return true;
    if (crash_is_call(str_trim(above)))
        return false;
    if (STR_STARTS_ANY(code, calls))
        return begins_call(code);
    return str_consume(&code, STR("raise ")) && is_capital(code) && begins_call(code);
}

/* What is looked for first says most: exceptions, what loggers write of errors, warnings, sentences of the writer. */
enum { RANK_OF_WARNINGS = 4, RANKS = 6 };

static bool look_at(struct str line, struct str rest, unsigned rank, struct any_error *out)
{
    if (rank < RANK_OF_WARNINGS && is_python_warning(line))
        return false;
    switch (rank) {
    case 0:
        return find_known(line, out) || find_named(line, STR("Error:"), out) ||
               find_named(line, STR("Exception:"), out) || find_expression(line, out) ||
               find_raised_in_native(line, rest, out);
    case 1: /* before sentences about it: "I get this error with torch.compile:" */
        return find_form(line, out);
    case 2:
        *out = (struct any_error){.message = str_trim(line)};
        if (is_sentence(line))
            return true;
        return is_error(line) && !prose_is_paragraph(line) && !is_of_native_stack(line) &&
               (is_ours(line) || is_death(line)) && !is_logged_warning(line) && !logger_only_informs(line) &&
               measured_in(line, false) != MEASURED_DIFFERENCE;
    case 3: /* pytest's summary, without a reason; a text that begins behind a message of c10's */
        *out = (struct any_error){.message = str_trim(line)};
        return (str_starts(str_trim(line), STR("FAILED ")) || is_of_native_stack(line)) && is_ours(line);
    case RANK_OF_WARNINGS:
        return find_named(line, STR("Warning:"), out) && !is_dismissed(rest);
    default:
        return is_ours(line) && find_sentence(line, out);
    }
}

/*
 * The line below, without what the logger put before both; digits of times may differ. Or it names the operator, or the
 * size that violates the constraint.
 */
static struct str reason_below(struct str line, struct str message, struct str rest)
{
    static const struct str details[] = {STR_INIT("Error in op: "), STR_INIT("target: "),
                                         STR_INIT("Not all values of "), STR_INIT("- Not all values of "),
                                         STR_INIT("- You marked ")};
    ptrdiff_t at = exception_line_find(line);
    struct str lead = str_take(line, at < 0 ? 0 : (size_t)at), next = str_split(&rest, '\n');

    if (STR_STARTS_ANY(str_trim(next), details))
        return str_trim(next);
    if (!str_ends(message, STR("' raised:")))
        return (struct str){0};
    return str_trim(crash_has_lead(next, lead) ? str_skip(next, lead.n) : next);
}

/* An exception says more than a line of a logger; a warning counts where there is nothing else. */
bool any_error_find(struct str text, bool only_named, struct any_error *out)
{
    unsigned ranks = only_named ? 1 : RANKS;

    for (unsigned rank = 0; rank < ranks; rank++) {
        struct str rest = text, line, above = {0};

        for (uint64_t n = 1; str_next_line(&rest, &line); n++, above = line)
            if (!is_quoted_code(line, above) && look_at(line, rest, rank, out)) {
                out->number = n;
                out->reason = reason_below(line, out->message, rest);
                while (out->message.n == 0 && !out->expression.n && str_next_line(&rest, &line))
                    out->message = str_trim(line);
                out->message = out->message.n ? unwrapped(line, out->message) : out->message;
                return true;
            }
    }
    return false;
}

/* What says so in words of its own: "Failed loading the weights: Missing key(s) in state_dict: ...". */
static bool fails_to_load(struct str line)
{
    static const struct str fails[] = {STR_INIT("ailed"), STR_INIT("ould not"), STR_INIT("nable to"),
                                       STR_INIT("annot")};

    return STR_HAS_ANY(line, fails) && str_has(line, STR(" load")) && str_has(line, STR("key(s) in state_dict:"));
}

/* The lists of names below it, which are indented. */
static struct str lists_of_names(struct str rest)
{
    struct str begin = rest, line;
    const char *end = rest.p;

    while (str_next_line(&rest, &line) && str_has(line, STR(" key(s) in state_dict: ")))
        end = line.p + line.n;
    return str_trim(str_range(begin.p, end));
}

bool any_error_find_unloaded(struct str text, struct any_error *out)
{
    static const struct str lead = STR_INIT("Error(s) in loading state_dict for ");
    struct str line;

    for (uint64_t n = 1; str_next_line(&text, &line); n++) {
        ptrdiff_t at = str_find(line, lead);
        char level;

        if (at < 0 ? !fails_to_load(line) : str_ends(str_take(line, (size_t)at), STR("Error: "))) /* it was raised */
            continue;
        logger_take(&line, &level);
        at = str_find(line, lead);
        *out = (struct any_error){.type = STR("RuntimeError"),
                                  .message = str_trim(at < 0 ? line : str_skip(line, (size_t)at)),
                                  .reason = lists_of_names(text),
                                  .number = n};
        return true;
    }
    return false;
}

/* How many lines are Python's warning: it ends with the line of code that warned, which is indented. */
static uint64_t lines_of_warning(struct str text)
{
    enum { LONGEST = 12 };
    struct str line;

    for (uint64_t n = 1; n <= LONGEST && str_next_line(&text, &line); n++)
        if (n > 1 && log_line_indent(line) > 0 && str_ends(line, STR("(")))
            return n;
    return 1;
}

static uint64_t lines_below(struct str text)
{
    struct str line;
    uint64_t n = 0;

    while (str_next_line(&text, &line) && (n == 0 || log_line_indent(line) > 0 || is_of_native_stack(line)))
        n++;
    return n;
}

uint64_t any_error_lines(struct str text, uint64_t number, struct str type)
{
    struct str line;

    for (uint64_t n = 1; n < number && str_next_line(&text, &line); n++)
        ;
    return str_ends(type, STR("Warning")) ? lines_of_warning(text) : lines_below(text);
}
