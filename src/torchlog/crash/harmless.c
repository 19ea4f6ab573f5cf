#include "torchlog/crash/harmless.h"

#include "text/messages/autotune_text.h"
#include "text/python/exception_line.h"
#include "text/python/traceback.h"

enum { LINES_LOOKED_AT = 3, TEXT_MAX = 4096, TRACEBACK_MAX = 65536 };

/* torch/_inductor/select_algorithm.py: "Exception %s for benchmark choice %s", and Triton's exception alone. */
static bool is_choice(struct str text, struct str logger)
{
    static const struct str words[] = {STR_INIT("out of resource: "), STR_INIT("No valid triton configs"),
                                       STR_INIT("OutOfResources")};
    bool autotuners = str_has(logger, STR("select_algorithm")) || str_has(text, STR(" for benchmark choice ")) ||
                      str_has(text, STR("_inductor/select_algorithm.py:"));

    return autotuners && STR_HAS_ANY(text, words);
}

/* "Required: 122880", "Hardware limit:232448" */
static bool take_number(struct str text, struct str lead, uint64_t *n)
{
    ptrdiff_t at = str_find(text, lead);
    struct str rest = str_trim(str_skip(text, at < 0 ? text.n : (size_t)at + lead.n));

    return at >= 0 && str_take_u64(&rest, n);
}

static struct str choice_words(struct arena *a, struct str text)
{
    uint64_t required, limit;

    if (!take_number(text, STR("Required:"), &required) || !take_number(text, STR("Hardware limit:"), &limit))
        return STR("a kernel has no configuration that the GPU takes");
    return arena_printf(a, "a kernel needs %llu bytes of shared memory, of which the GPU has %llu",
                        (unsigned long long)required, (unsigned long long)limit);
}

/* torch/_inductor/utils.py, is_big_gpu; the first letter was small until 2.2. */
static struct str too_small(struct str text)
{
    ptrdiff_t at = str_find(text, STR("ot enough SMs to use max_autotune_gemm"));

    return at > 0 ? str_skip(text, (size_t)at - 1) : (struct str){0};
}

/* ".71.140423.tmp" of "No such file or directory: '/x/.71.140423.tmp'": a name that a process has while it writes. */
static struct str temporary_file(struct str message)
{
    ptrdiff_t end = str_find(message, STR(".tmp'"));
    struct str path = str_take(message, end < 0 ? 0 : (size_t)end + 4);

    return str_skip(path, (size_t)(str_rchr(path, '/') + 1));
}

static struct str unloadable_words(struct arena *a, struct str text)
{
    struct str rest = str_take(text, TEXT_MAX), line, file = {0};
    struct exception_name name = {0};

    while (str_next_line(&rest, &line))
        if (exception_line_begins(line) != EXCEPTION_NONE && exception_name_take(&line, &name))
            file = temporary_file(line);
    return arena_printf(a, "compiled code of the cache cannot be loaded%s%.*s%s%.*s", name.type.n ? ": " : "",
                        STR_ARG(name.type), file.n ? ": " : "", STR_ARG(file));
}

/* torch/_inductor/codecache.py, torch/_functorch/_aot_autograd/autograd_cache.py: the code is compiled again. */
static struct str unloadable(struct arena *a, struct str text)
{
    static const struct str words = STR_INIT("unable to load compiled graph");

    return str_has(str_first_line(text), words) ? unloadable_words(a, text) : (struct str){0};
}

/* Of Triton's exceptions the line behind the mark has the reason, and the function is the kernel. */
static struct str cause_of(struct arena *a, struct str traceback)
{
    static const struct str def = STR_INIT("def ");
    struct str line, kernel = {0}, cause = {0};
    struct exception_name name;
    bool marked = false;

    while (str_next_line(&traceback, &line)) {
        struct str text = str_trim(line);

        if (marked && text.n && !traceback_is_carets(text))
            return arena_printf(a, "CompilationError of `%.*s`: %.*s", STR_ARG(kernel), STR_ARG(text));
        marked |= kernel.n && traceback_is_carets(text);
        if (str_consume(&text, def) && str_has(cause, STR("CompilationError")))
            kernel = str_split(&text, '(');
        else if (exception_name_take(&text, &name) && line.n && line.p[0] != ' ')
            cause = str_trim(line);
    }
    return cause;
}

bool harmless_goes_on(struct str text)
{
    static const struct str words[] = {STR_INIT("Encountered an exception in identify_"), STR_INIT("Ignoring "),
                                       STR_INIT("Ignored "), STR_INIT("falling back "), STR_INIT("Falling back "),
                                       STR_INIT("Failed to pickle cache key"),
                                       STR_INIT(", assuming "), STR_INIT(", ignoring "), STR_INIT(", skipping "),
                                       STR_INIT(": skipping, ")};

    return STR_HAS_ANY(str_first_line(text), words);
}

struct str harmless_unanalyzed(struct str text)
{
    static const struct str words[] = {STR_INIT("assuming every input is mutated"),
                                       STR_INIT("Failed to pickle cache key")};
    struct str line = str_trim(text);

    line = str_trim(str_skip(line, (size_t)(str_rchr(line, '\n') + 1)));
    return STR_HAS_ANY(line, words) ? line : (struct str){0};
}

/* Below the first line there is the traceback of an exception that whoever logs it has dealt with. */
static struct str caught(struct arena *a, struct str text)
{
    static const struct str header = STR_INIT("Traceback (most recent call last):");
    ptrdiff_t at = str_find(text, header);
    struct str cause, first = at > 0 ? str_first_line(text) : (struct str){0}; /* it may be cut off */

    if (at < 0)
        return (struct str){0};
    cause = cause_of(a, str_take(str_skip(text, (size_t)at + header.n), TRACEBACK_MAX));
    if (first.n + cause.n == 0)
        return (struct str){0};
    return arena_printf(a, "PyTorch goes on: %.*s%s%.*s", STR_ARG(first), first.n && cause.n ? "; " : "",
                        STR_ARG(cause));
}

/* torch/_higher_order_ops/triton_kernel_wrap.py and others, which say so. */
static struct str gone_on(struct arena *a, struct str text)
{
    return harmless_goes_on(text) ? caught(a, text) : (struct str){0};
}

bool harmless_warned(struct arena *a, struct str text, struct str logger, struct harmless *out)
{
    static const struct str readers[] = {STR_INIT("codecache.py"), STR_INIT("autograd_cache.py")};
    bool of_cache = STR_HAS_ANY(logger, readers) && str_starts(text, STR("Traceback (most recent call last):"));

    *out = (struct harmless){.message = of_cache ? unloadable_words(a, text) : caught(a, text)};
    return out->message.n > 0;
}

/* torch/_inductor/select_algorithm.py: whatever wins such a comparison is chance. */
static struct str untimed(struct arena *a, struct str text)
{
    bool timed = str_starts(text, STR("Autotune Choices Stats:")) || str_starts(text, STR("AUTOTUNE "));
    struct str choice = timed ? autotune_text_no_time(a, str_take(text, TEXT_MAX)) : (struct str){0};

    return choice.n ? arena_printf(a, "the autotuner measured a time of zero or below: %.*s", STR_ARG(choice)) : choice;
}

static struct str first_lines(struct str text)
{
    struct str rest = str_take(text, TEXT_MAX), line = str_take(text, 0);

    for (size_t n = 0; n < LINES_LOOKED_AT && str_next_line(&rest, &line); n++)
        ;
    return str_range(text.p, line.p + line.n);
}

bool harmless_take(struct arena *a, struct str text, struct str logger, struct harmless *out)
{
    struct str small;

    *out = (struct harmless){0};
    if (text.n == 0)
        return false;
    out->message = unloadable(a, text);
    if (out->message.n == 0)
        out->message = untimed(a, text);
    if (out->message.n == 0)
        out->message = gone_on(a, text);
    if (out->message.n)
        return true;
    text = first_lines(text);
    if (is_choice(text, logger)) {
        out->choice = choice_words(a, text);
        out->message = arena_printf(a, "the autotuner skipped a choice: %.*s", STR_ARG(out->choice));
        return true;
    }
    small = too_small(text);
    out->message = small.n ? arena_str(a, str_trim(str_split(&small, '\n'))) : small;
    return out->message.n > 0;
}
