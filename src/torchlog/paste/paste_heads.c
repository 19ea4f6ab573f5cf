#include "torchlog/paste/paste_heads.h"

#include "input/logger.h"
#include "text/messages/break_ids.h"
#include "text/python/exception_line.h"
#include "torchlog/crash/crash_lines.h"
#include "torchlog/paste/paste_known.h"
#include "util/map.h"

/* What stands before the call whose error a message about fake tensors has. */
#define FAILED_ON_FAKES "Dynamo failed to run FX node with fake tensors: "

/* Of a logged break, or of one that explain() found, the words above say what it is. */
static bool has_named_breaks(const struct paste_text *t)
{
    for (size_t i = 0; i < t->n; i++)
        if (str_has(t->v[i], STR("Break Reason")) || str_has(t->v[i], STR("Break reasons")) ||
            str_has(t->v[i], STR("reason=")))
            return true;
    return false;
}

/* Whether the line, or one directly above it, names the exception. */
static bool is_named(const struct paste_text *t, size_t i)
{
    enum { ABOVE = 3 };

    for (size_t k = i >= ABOVE ? i - ABOVE : 0; k <= i; k++)
        if (paste_is_logged(str_take(t->v[k], PASTE_LOOKED_AT)) || exception_line_find(t->v[k]) >= 0)
            return true;
    return false;
}

/* The explanation is the next line, and where a form without it has none, the context is, below an empty line. */
static bool is_explained(const struct paste_text *t, size_t i)
{
    struct str next = str_trim(t->v[i + 1]);

    if (next.n == 0 && i + 2 < t->n)
        return str_starts(str_trim(t->v[i + 2]), STR("Developer debug context: "));
    return str_starts(next, STR("Explanation: ")) || str_starts(next, STR("Developer debug context: "));
}

/* A program printed the message of an exception alone: its type, and what explains it below. */
bool paste_name_break(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    bool changed = false;

    if (has_named_breaks(from))
        return false;
    *out = paste_copy(a, from);
    for (size_t i = 0; i + 1 < out->n; i++) {
        struct str line = str_trim(str_take(out->v[i], PASTE_LOOKED_AT));
        ptrdiff_t at;

        str_consume(&line, STR(".")); /* where a program's own message ended before it */
        if (!is_explained(out, i) || is_named(out, i) || (at = break_type_find(line)) < 0)
            continue;
        out->v[i] = arena_printf(a, "torch._dynamo.exc.Unsupported: %.*s", STR_ARG(str_skip(line, (size_t)at)));
        changed = true;
    }
    return changed;
}

static struct str with_name(struct arena *a, struct str line, struct str name)
{
    struct str bare = line;
    char level;

    if (!logger_take(&bare, &level))
        bare = paste_bare(line);
    return arena_printf(a, "%.*s%.*s %.*s", STR_ARG(str_take(line, paste_own_prefix(line))), STR_ARG(name),
                        STR_ARG(bare));
}

/* The type whose number is in the link below: ".../gb/gb0059.html". */
static struct str type_below(const struct paste_text *t, size_t i)
{
    enum { BELOW = 20 };
    char id[] = "GB0000";

    for (size_t k = i; k < t->n && k - i < BELOW; k++) {
        ptrdiff_t at = str_find(t->v[k], STR("/gb/gb"));
        struct str number = str_take(str_skip(t->v[k], at < 0 ? t->v[k].n : (size_t)at + 6), 4);

        if (at < 0 || number.n < 4)
            continue;
        memcpy(id + 2, number.p, number.n);
        return break_type_of(str_of(id));
    }
    return (struct str){0};
}

/* "Graph break in user code at FILE:LINE" of the call that the stack below ends with; empty where there is none. */
static struct str logged_head(struct arena *a, const struct paste_text *t)
{
    struct str file = {0}, number = {0};
    bool stack = false;

    for (size_t i = 0; i < t->n; i++) {
        struct str bare = str_trim(t->v[i]);

        stack |= str_starts(bare, STR("User code traceback:"));
        if (stack && paste_is_whole_call(bare) && str_between(bare, STR("\""), STR("\""), &file))
            str_between(bare, STR("\", line "), STR(","), &number);
    }
    return number.n ? arena_printf(a, "Graph break in user code at %.*s:%.*s\nGraph Break Reason:", STR_ARG(file),
                                   STR_ARG(number))
                    : (struct str){0};
}

/* What explains a break, below its type. */
static bool is_explanation(struct str bare)
{
    return str_starts(bare, STR("Explanation: ")) || str_starts(bare, STR("Hint: ")) ||
           str_starts(bare, STR("Developer debug context: ")) ||
           str_starts(bare, STR("For more details about this graph break"));
}

/* Whether a line names the exception, the break or the compile that the lines below belong to. */
static bool is_head(struct str line)
{
    struct str bare = paste_bare(line);

    return crash_is_call(bare) || crash_is_header(bare) || crash_is_trailer(bare) || exception_line_find(bare) >= 0 ||
           exception_line_begins(bare) != EXCEPTION_NONE || str_has(bare, STR("raph break")) ||
           str_has(bare, STR("Graph Break")) || paste_is_logged(str_take(line, PASTE_LOOKED_AT));
}

/* The class that Dynamo raises for a type: an operator that failed is no graph break (torch/_dynamo/utils.py, 2.13). */
static struct str exception_of(struct str type)
{
    return str_starts(type, STR("RuntimeError when ")) || str_eq(type, STR("Tensor device mismatch"))
               ? STR("torch._dynamo.exc.TorchRuntimeError:")
               : STR("torch._dynamo.exc.Unsupported:");
}

/*
 * "got RuntimeError('...", behind what is left of the call before it: where the operator's own error stands in a
 * message about fake tensors. -1 in other lines.
 */
static ptrdiff_t operators_error(struct str line)
{
    static const struct str got = STR_INIT("got ");
    struct str name;
    ptrdiff_t at = str_find(str_take(line, PASTE_LOOKED_AT), STR(": got ")), open;

    at = at >= 0 ? at + 2 : str_starts(str_trim(line), got) ? str_find(line, got) : -1;
    if (at < 0)
        return -1;
    name = str_skip(line, (size_t)at + got.n);
    open = str_chr(name, '(');
    name = str_take(name, open < 0 ? 0 : (size_t)open);
    return name.n && str_chr(name, ' ') < 0 && (str_ends(name, STR("Error")) || str_ends(name, STR("Exception")))
               ? at
               : -1;
}

/* "Traceback (most recent call last):" of which no call is left, and a line "..." in their place. */
static bool is_empty_traceback(const struct paste_text *t, size_t i)
{
    size_t below = i + 1;

    if (!str_ends(paste_bare(t->v[i]), STR("Traceback (most recent call last):")))
        return false;
    while (below < t->n && (str_eq(str_trim(t->v[below]), STR("...")) || str_trim(t->v[below]).n == 0))
        below++;
    return below < t->n && operators_error(t->v[below]) >= 0;
}

/* A text that begins behind the type of a break: what explains it, and the link that has its number. */
bool paste_name_explanation(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    struct str type, head;
    size_t got = from->n, header = from->n;

    if (has_named_breaks(from))
        return false;
    *out = paste_copy(a, from);
    for (size_t i = 0; i < out->n; i++) {
        struct str bare = paste_bare(out->v[i]);

        if (!is_explanation(bare)) {
            if (is_empty_traceback(out, i))
                header = i;
            else if (is_head(out->v[i]))
                return false;
            got = operators_error(out->v[i]) < 0 ? got : i;
            continue;
        }
        if ((type = type_below(out, i)).n == 0)
            return false;
        head = logged_head(a, out);
        head = arena_printf(a, "%.*s %.*s\n", STR_ARG(head.n ? head : exception_of(type)), STR_ARG(type));
        if (got < out->n) {
            i = got;
            for (size_t k = header; k < got; k++)
                out->v[k] = STR("");
        }
        bare = got < out->n ? arena_printf(a, "Explanation: " FAILED_ON_FAKES "%.*s",
                                           STR_ARG(str_skip(out->v[i], (size_t)operators_error(out->v[i]))))
                            : bare;
        out->v[i] = arena_printf(a, "%.*s%.*s  %.*s", STR_ARG(str_take(out->v[i], paste_own_prefix(out->v[i]))),
                                 STR_ARG(head), STR_ARG(bare));
        return true;
    }
    return false;
}

/*
 * Whether a line, of those read from the last to the first, is of a native stack of torch_xla, which has its marks at
 * both ends: the sentence is behind it, the name of the exception before it.
 */
static bool in_native_stack(bool *within, struct str bare)
{
    bool begin = str_starts(bare, STR("*** Begin stack trace ***"));

    *within = (*within && !begin) || str_starts(bare, STR("*** End stack trace ***"));
    return *within || begin;
}

static bool names_message(const struct paste_text *t, size_t i)
{
    struct str bare = paste_bare(t->v[i]);

    return crash_is_call(bare) || crash_is_message(bare) || crash_is_header(bare) || exception_line_find(bare) >= 0 ||
           exception_line_begins(bare) != EXCEPTION_NONE || str_starts(bare, STR("Explanation: ")) ||
           paste_is_logged(str_take(t->v[i], PASTE_LOOKED_AT));
}

/*
 * The first line of the message that ends before line `end`; `end` itself when there is none, and when an exception
 * above has a name. What a logger wrote of anything but an error is no message, and no message goes on below it.
 */
static size_t nameless_message(const struct paste_text *t, size_t end, bool *named)
{
    enum { MESSAGE_MAX = 40, LOOKED_AT_MAX = 400 };
    size_t begin = end, looked_at = 0;
    bool native = false;
    char level;

    for (size_t i = end; i-- > 0 && looked_at <= MESSAGE_MAX && end - i <= LOOKED_AT_MAX;) {
        struct str bare = paste_bare(t->v[i]);

        if (in_native_stack(&native, bare))
            continue;
        looked_at++;
        if (crash_is_trailer(bare) || str_starts(bare, STR("```")) || logger_only_informs(t->v[i]))
            break;
        if ((*named = names_message(t, i)))
            return end;
        if (bare.n && begin == i + 1)
            begin = i;
        bare = t->v[i];
        if (logger_take(&bare, &level))
            break;
    }
    return begin;
}

/* What is put below the message of any exception: by Dynamo, and by who runs a graph (torch/fx/interpreter.py). */
static bool stands_below_message(struct str line)
{
    static const struct str words[] = {STR_INIT("from user code:"), STR_INIT("While executing %")};
    struct str bare;

    if (!STR_HAS_ANY(str_take(line, PASTE_LOOKED_AT), words)) /* the prefix takes longer to find */
        return false;
    bare = paste_bare(line);
    return str_eq(bare, words[0]) || str_starts(bare, words[1]);
}

/*
 * The line that names the exception below "from user code:", as PyTorch of 2023 printed it: the last one of a
 * traceback whose calls are cut out. An exception that has its own traceback or lines of the program is another one.
 */
static size_t named_below(const struct paste_text *t, size_t user)
{
    enum { BELOW = 60 };
    size_t end = user + BELOW < t->n ? user + BELOW : t->n, found = t->n;

    for (size_t i = user + 1; i < end; i++) {
        struct str bare = paste_bare(t->v[i]);

        if (crash_is_header(bare) || stands_below_message(t->v[i]))
            return t->n;
        if (found == t->n && exception_line_begins(bare) == EXCEPTION_OF_COMPILER)
            found = i;
    }
    return found;
}

static void move_up(struct arena *a, struct paste_text *t, size_t named, size_t begin, size_t user)
{
    struct str name = paste_bare(t->v[named]);

    t->v[begin] = begin < user ? name : arena_printf(a, "%.*s\n%.*s", STR_ARG(name), STR_ARG(t->v[begin]));
    t->v[named] = STR("");
}

/* A line above that says what failed, as the title of an issue does: of a person's words below it nothing is known. */
static size_t title_above(const struct paste_text *t, size_t begin, size_t end)
{
    enum { ABOVE = 12 };

    for (size_t i = begin; i < end; i++)
        if (exception_line_has_phrase(t->v[i]))
            return end;
    for (size_t i = begin; i-- > 0 && begin - i <= ABOVE;) {
        if (exception_line_has_phrase(t->v[i]))
            return i;
        if (is_head(t->v[i]))
            break;
    }
    return end;
}

/* The message in a title comes before the words that stand in its place. */
static void move_down(struct arena *a, struct paste_text *t, size_t title, size_t begin)
{
    ptrdiff_t at = exception_line_sentence(t->v[title]);
    struct str words = at < 0 ? paste_bare(t->v[title]) : str_skip(t->v[title], (size_t)at);

    t->v[begin] = arena_printf(a, "%.*s\n%.*s", STR_ARG(words), STR_ARG(t->v[begin]));
    t->v[title] = STR("");
}

/* What a program prints while it works: a progress bar, "[shop] text", "Sample: 68304". */
static bool is_status(struct str line)
{
    static const struct str marks[] = {STR_INIT("%|"), STR_INIT("% |"), STR_INIT("it/s"), STR_INIT("s/it"),
                                       STR_INIT(" elapsed")};
    struct str bare = paste_bare(line);
    ptrdiff_t colon = str_chr(bare, ':'), end = str_starts(bare, STR("[")) ? str_chr(bare, ']') : -1;

    if (STR_HAS_ANY(bare, marks) || (end > 0 && str_starts(str_skip(bare, (size_t)end + 1), STR(" "))))
        return true;
    return colon > 0 && str_chr(str_take(bare, (size_t)colon), ' ') < 0 &&
           str_chr(str_skip_any(str_skip(bare, (size_t)colon + 1), " "), ' ') < 0 && !str_ends(bare, STR(":"));
}

/*
 * The message is the nearest line above that says what a message says, also behind "Error: " or the tag of a logger;
 * lines above it, and what the program prints while it works, are none of it.
 */
static size_t message_proper(struct paste_text *t, size_t begin, size_t end)
{
    static const struct str labels[] = {STR_INIT("Error: "), STR_INIT("ERROR: "), STR_INIT("ERROR ")};

    for (size_t i = end; i-- > begin;) {
        struct str bare = paste_bare(t->v[i]);
        ptrdiff_t at = exception_line_has_phrase(t->v[i]) ? exception_line_sentence(t->v[i]) : -1;

        for (size_t k = 0; at < 0 && k < sizeof labels / sizeof *labels; k++)
            if (str_starts(bare, labels[k])) {
                t->v[i] = str_skip(bare, labels[k].n);
                return i;
            }
        if (at < 0)
            continue;
        t->v[i] = str_skip(t->v[i], (size_t)at);
        return i;
    }
    while (begin + 1 < end && is_status(t->v[begin]))
        begin++;
    return begin;
}

/*
 * The same of any exception: what stands above such words, up to a blank line, is its message, and no name of an
 * exception is there. TorchDynamoException is the class that all those of Dynamo are.
 */
bool paste_name_message(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    bool changed = false;

    *out = paste_copy(a, from);
    for (size_t i = 0; i < out->n; i++) {
        size_t end = i, begin, title, below;
        ptrdiff_t got;
        bool named = false;

        if (!stands_below_message(out->v[i]))
            continue;
        while (end > 0 && paste_bare(out->v[end - 1]).n == 0)
            end--;
        begin = nameless_message(out, end, &named);
        if (!named && (below = named_below(out, i)) < out->n) {
            move_up(a, out, below, begin < end ? begin : i, i);
            changed = true;
        }
        if (named || begin == end || below < out->n)
            continue;
        begin = message_proper(out, begin, end);
        if ((title = title_above(out, begin, end)) < end)
            move_down(a, out, title, begin);
        if ((got = operators_error(out->v[begin])) >= 0)
            out->v[begin] = arena_printf(a, "torch._dynamo.exc.TorchRuntimeError: %s%.*s", FAILED_ON_FAKES,
                                         STR_ARG(str_skip(out->v[begin], (size_t)got)));
        else
            out->v[begin] = with_name(a, out->v[begin], STR("torch._dynamo.exc.TorchDynamoException:"));
        changed = true;
    }
    return changed;
}

/* "Exception has occurred: TorchRuntimeError", in any language: the name, if no other project has it. */
static struct str announced_name(struct str line)
{
    enum { ANNOUNCED_MAX = 120 };
    struct str bare = str_trim(line), name;
    ptrdiff_t colon = bare.n > ANNOUNCED_MAX ? -1 : str_chr(bare, ':');

    if (colon <= 0)
        return (struct str){0};
    name = str_trim(str_skip(bare, (size_t)colon + 1));
    return exception_line_begins(name) == EXCEPTION_OF_COMPILER && str_chr(name, ':') < 0 ? name : (struct str){0};
}

/* The next line, of at most so many, that is "from user code:"; t->n where another exception comes before. */
static size_t user_code_below(const struct paste_text *t, size_t i, size_t *first)
{
    enum { BELOW = 40 };
    size_t end = i + BELOW < t->n ? i + BELOW : t->n;

    *first = t->n;
    for (size_t k = i + 1; k < end; k++) {
        struct str bare = str_trim(t->v[k]);

        if (str_eq(bare, STR("from user code:")))
            return k;
        if (exception_line_begins(bare) != EXCEPTION_NONE || crash_is_header(bare) || crash_is_call(bare))
            break;
        *first = bare.n && *first == t->n ? k : *first;
    }
    return t->n;
}

/* Whether the text ends with that exception and a few words: no call and no other exception follows. */
static bool ends_with(const struct paste_text *t, size_t cause)
{
    enum { WORDS = 4 };

    if (t->n - cause > WORDS)
        return false;
    for (size_t i = cause + 1; i < t->n; i++)
        if (crash_is_call(str_trim(t->v[i])) || exception_line_begins(str_trim(t->v[i])) != EXCEPTION_NONE)
            return false;
    return true;
}

/*
 * Takes the words of the cause, which stand below the exception and above the words that link both, or at the end of
 * the text.
 */
static struct str take_cause(struct arena *a, struct paste_text *t, size_t from)
{
    enum { BELOW = 60 };
    size_t end = from + BELOW < t->n ? from + BELOW : t->n, cause = t->n, link = from;
    struct str words = {0};

    for (; link < end && !crash_is_link(str_trim(t->v[link])); link++)
        if (cause == t->n && exception_line_begins(str_trim(t->v[link])) == EXCEPTION_ANY)
            cause = link;
    if (cause == t->n || (link == end && !ends_with(t, cause)))
        return words;
    for (size_t i = cause; i < link && str_trim(t->v[i]).n; i++) {
        words = i == cause ? str_trim(t->v[i]) : arena_printf(a, "%.*s\n%.*s", STR_ARG(words), STR_ARG(t->v[i]));
        t->v[i] = STR("");
    }
    return words;
}

/* What an IDE says first is the name; an exception that has no words has those of its cause. */
bool paste_announced(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    bool changed = false;

    *out = paste_copy(a, from);
    for (size_t i = 0; i < out->n; i++) {
        struct str name = announced_name(out->v[i]), words = {0};
        size_t user, first;

        if (!name.n || (user = user_code_below(out, i, &first)) == out->n)
            continue;
        if (first == out->n)
            words = take_cause(a, out, user);
        name = str_skip(name, (size_t)(str_rchr(name, '.') + 1));
        out->v[i] = arena_printf(a, "torch._dynamo.exc.%.*s: %.*s", STR_ARG(name), STR_ARG(words));
        if (first < out->n) { /* its words begin in the line of its name */
            out->v[i] = arena_printf(a, "%.*s%.*s", STR_ARG(out->v[i]), STR_ARG(str_trim(out->v[first])));
            out->v[first] = STR("");
        }
        changed = true;
    }
    return changed;
}

/* " ===== __compiled_fn_3 =====", the name of a graph, without the line TRACED GRAPH above it. */
bool paste_graph(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    bool any = false;

    *out = paste_copy(a, from);
    for (size_t i = 0; i < out->n; i++) {
        struct str bare = str_trim(out->v[i]);

        if (!str_starts(bare, STR("===== ")) || !str_ends(bare, STR(" =====")) ||
            (!str_has(bare, STR("__compiled_fn")) && !str_has(bare, STR(" graph "))) ||
            (i && str_has(out->v[i - 1], STR("TRACED GRAPH"))))
            continue;
        out->v[i] = arena_printf(a, "TRACED GRAPH %.*s", STR_ARG(bare));
        any = true;
    }
    return any;
}

/* Lines of a fixed wording that Markdown or a viewer changes: what it leaves of them, and what PyTorch prints. */
bool paste_restore_lines(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    static const struct {
        struct str left, printed;
        bool whole; /* the line, from its begin on */
    } rows[] = {
        {STR_INIT("Break reasons:"), STR_INIT(" Break reasons:"), true}, /* eval_frame.py, explain, 2.0 */
        {STR_INIT("Graph break from Tensor.item(),"), STR_INIT("Graph break from `Tensor.item()`,"), false},
    };
    bool any = false;

    *out = paste_copy(a, from);
    for (size_t i = 0; i < out->n; i++)
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
            struct str line = out->v[i];
            ptrdiff_t at = str_find(str_take(line, PASTE_LOOKED_AT), rows[k].left);

            if (rows[k].whole ? !str_eq(str_trim(line), rows[k].left) || at != 0 : at < 0)
                continue;
            out->v[i] = arena_printf(a, "%.*s%.*s%.*s", STR_ARG(str_take(line, (size_t)at)), STR_ARG(rows[k].printed),
                                     STR_ARG(str_skip(line, (size_t)at + rows[k].left.n)));
            any = true;
        }
    return any;
}

/*
 * "Graph break from `Tensor.item()`, consider setting:" of 2.2 to 2.6, without what follows, which has the place: the
 * line that begins that is put back.
 */
bool paste_item_break(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    size_t end = from->n;
    struct str line;

    for (size_t i = 0; i < from->n; i++) {
        if (str_has(from->v[i], STR("from user code at:")))
            return false;
        if (str_has(from->v[i], STR("Graph break from `Tensor.item()`")) ||
            (end < from->n && str_has(from->v[i], STR("to include these operations in the captured graph"))))
            end = i;
    }
    if (end == from->n)
        return false;
    *out = paste_copy(a, from);
    line = out->v[end];
    out->v[end] = arena_printf(a, "%.*s\n%.*sGraph break: from user code at:", STR_ARG(line),
                               STR_ARG(str_take(line, paste_own_prefix(line))));
    return true;
}

/* The table of torchrun, without the name of the exception that it is the message of. */
bool paste_name_table(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    static const struct str name = STR_INIT("torch.distributed.elastic.multiprocessing.errors.ChildFailedError:");
    size_t first = from->n;
    bool table = false;

    for (size_t i = 0; i < from->n; i++) {
        if (str_has(from->v[i], STR("ChildFailedError")))
            return false;
        if (first == from->n && crash_is_table(paste_bare(from->v[i])))
            first = i;
        table |= str_eq(paste_bare(from->v[i]), STR("Root Cause (first observed failure):"));
    }
    if (!table)
        return false;
    *out = paste_copy(a, from);
    out->v[first] = arena_printf(a, "%.*s%.*s\n%.*s", STR_ARG(str_take(out->v[first], paste_own_prefix(out->v[first]))),
                                 STR_ARG(name), STR_ARG(out->v[first]));
    return true;
}

/* The first line of its message: with the name of the exception before it, the line begins otherwise. */
static bool begins_comparison(struct str line)
{
    static const struct str begins[] = {STR_INIT("Tensor-likes are not "), STR_INIT("Scalars are not "),
                                        STR_INIT("Tensors are not ")};

    return STR_STARTS_ANY(line, begins);
}

/* What assert_close says, or its end, without the name of the exception. */
bool paste_name_comparison(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    static const struct str counts[] = {STR_INIT("Mismatched elements: "), STR_INIT("Greatest absolute difference: ")};
    size_t first = from->n;
    struct str prefix, rest;
    bool whole = false;

    for (size_t i = 0; i < from->n; i++) {
        struct str bare = paste_bare(from->v[i]);
        bool begins = begins_comparison(bare);

        if (!begins && (str_has(bare, STR(" not close!")) || str_has(bare, STR(" not equal!"))))
            return false;
        if (first == from->n && (begins || STR_STARTS_ANY(bare, counts))) {
            first = i;
            whole = begins;
        }
    }
    if (first == from->n)
        return false;
    *out = paste_copy(a, from);
    prefix = str_take(out->v[first], paste_own_prefix(out->v[first]));
    rest = whole ? str_skip(out->v[first], prefix.n) : out->v[first];
    out->v[first] = arena_printf(a, "%.*sAssertionError: %s%.*s", STR_ARG(prefix),
                                 whole ? "" : "Tensor-likes are not close!\n", STR_ARG(rest));
    return true;
}

/* --- a record that another rank has whole ------------------------------------------------------------------------- */

enum { HEAD_MAX = 3, RECORDS_OF_PLACE = 8, RANK_BYTES = 60 };

/* The lines of one message: the same prefix before each. */
struct logged_lines {
    size_t begin, n;
    struct str prefix, place; /* "torch/_dynamo/variables/tensor.py:1047" */
    int rank;
};

struct logged_at {
    struct logged_lines records[RECORDS_OF_PLACE];
    size_t n;
};

/* The message that begins with line i; false if the line has no prefix of PyTorch's, with a rank before it. */
static bool take_logged(const struct paste_text *t, size_t i, struct logged_lines *out)
{
    struct str line = str_take(t->v[i], PASTE_LOOKED_AT), rest;
    ptrdiff_t file, end;
    struct launcher l;

    *out = (struct logged_lines){.begin = i};
    if (!str_has(str_take(line, RANK_BYTES), STR("rank")) || !launcher_take(line, &l, &rest) || l.rank < 0)
        return false;
    out->rank = l.rank;
    out->prefix = str_take(line, paste_own_prefix(line));
    file = str_find(out->prefix, STR("torch/"));
    out->place = str_skip(out->prefix, file < 0 ? out->prefix.n : (size_t)file);
    end = str_chr(out->place, ']');
    if (end <= 0)
        return false;
    out->place = str_take(out->place, (size_t)end);
    out->prefix = str_trim(out->prefix);
    while (i < t->n && str_starts(t->v[i], out->prefix))
        i++;
    out->n = i - out->begin;
    return true;
}

/* How many lines of the other rank's message are missing before this one; 0 if it is no rest of that message. */
static size_t missing_head(const struct paste_text *t, const struct logged_lines *m, const struct logged_lines *whole)
{
    size_t k = 1;

    if (whole->rank == m->rank || m->n < 2 ||
        str_eq(paste_bare(t->v[m->begin]), paste_bare(t->v[whole->begin])))
        return 0;
    for (; k <= HEAD_MAX && k + 1 < whole->n; k++)
        if (str_eq(paste_bare(t->v[m->begin]), paste_bare(t->v[whole->begin + k])) &&
            str_eq(paste_bare(t->v[m->begin + 1]), paste_bare(t->v[whole->begin + k + 1])))
            return k;
    return 0;
}

/* The first line of the message with the lines before it that another rank's has. */
static struct str with_head(struct arena *a, const struct paste_text *t, const struct logged_lines *m, size_t from,
                            size_t n)
{
    struct str first = t->v[m->begin], head = {0};

    for (size_t i = 0; i < n; i++)
        head = arena_printf(a, "%.*s%.*s %.*s\n", STR_ARG(head), STR_ARG(m->prefix),
                            STR_ARG(paste_bare(t->v[from + i])));
    return arena_printf(a, "%.*s%.*s", STR_ARG(head), STR_ARG(first));
}

bool paste_head_of_rank(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    struct logged_lines m;
    struct map places;
    bool changed = false, again = false;

    map_init(&places, a);
    for (size_t i = 0; i < from->n; i += m.n ? m.n : 1) {
        struct logged_at *at;
        void **slot;

        if (!take_logged(from, i, &m))
            continue;
        slot = map_at(&places, m.place);
        if (!*slot)
            *slot = ARENA_NEW(a, struct logged_at);
        at = *slot;
        again |= at->n > 0;
        if (at->n < RECORDS_OF_PLACE)
            at->records[at->n++] = m;
    }
    *out = *from;
    for (size_t i = 0; again && i < from->n; i += m.n ? m.n : 1) {
        const struct logged_at *at;
        size_t missing = 0;

        if (!take_logged(from, i, &m) || !(at = map_get(&places, m.place)))
            continue;
        for (size_t k = 0; k < at->n && !missing; k++) {
            if ((missing = missing_head(from, &m, &at->records[k])) == 0)
                continue;
            if (!changed)
                *out = paste_copy(a, from);
            changed = true;
            out->v[i] = with_head(a, from, &m, at->records[k].begin, missing);
        }
    }
    return changed;
}
