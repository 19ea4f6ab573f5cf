#include "torchlog/crash/death_text.h"

#include "input/limits.h"
#include "text/faults/fault.h"
#include "text/python/thread_dump.h"
#include "torchlog/crash/crash_raiser.h"
#include "torchlog/crash/shell_death.h"

static bool parse_fatal(struct arena *a, struct str text, struct crash_text *out)
{
    struct str rest = text, first = str_trim(str_split(&rest, '\n'));
    ptrdiff_t colon = str_find(first, STR(": "));
    struct traceback t = {.type = STR("")};

    out->type = str_skip(first, colon < 0 ? 0 : (size_t)colon + 2);
    out->message = first;
    text_fault_stack(a, rest, FAULT_CURRENT_THREAD, &out->calls);
    t.calls = out->calls;
    out->origin = crash_origin_of(&t, out);
    out->outermost = true;
    return out->type.n > 0;
}

/* "[Rank 1] ...", "[PG ID 0 PG GUID 0(default_pg) Rank 1] ..." */
static int rank_in(struct str text)
{
    struct str bracket;
    ptrdiff_t at;
    uint64_t rank;

    if (!str_between(str_take(text, 200), STR("["), STR("]"), &bracket) || (at = str_find(bracket, STR("Rank "))) < 0)
        return -1;
    return str_u64(str_skip(bracket, (size_t)at + 5), &rank) && rank <= LIMIT_RANK ? (int)rank : -1;
}

/* "gpuAssert" of " 5 0x0000000000001403 gpuAssert.constprop.0()  main.c:0"; `at` is the place behind it. */
static struct str native_function(struct str line, struct str *at)
{
    struct str rest = str_trim(line);
    ptrdiff_t end;
    uint64_t number;

    if (!str_take_u64(&rest, &number) || !str_starts(rest = str_trim(rest), STR("0x")))
        return (struct str){0};
    rest = str_trim(str_skip(rest, (size_t)(str_chr(rest, ' ') < 0 ? (ptrdiff_t)rest.n : str_chr(rest, ' '))));
    end = str_chr(rest, '(');
    *at = str_skip(rest, end < 0 ? rest.n : (size_t)end);
    rest = str_take(rest, end < 0 ? 0 : (size_t)end);
    end = str_find(rest, STR(".constprop"));
    return end < 0 ? rest : str_take(rest, (size_t)end);
}

/* Of the C library, of what prints the stack, and of Python: they say nothing of whose code it is. */
static bool is_any_programs(struct str function, struct str at)
{
    static const struct str names[] = {STR_INIT("__"),    STR_INIT("_Py"),    STR_INIT("Py"),   STR_INIT("killpg"),
                                       STR_INIT("ucs_"),  STR_INIT("raise"),  STR_INIT("abort"), STR_INIT("gsignal"),
                                       STR_INIT("mem"),   STR_INIT("str"),    STR_INIT("cfunction_")};
    static const struct str places[] = {STR_INIT("/Objects/"), STR_INIT("/Python/"), STR_INIT("/Include/"),
                                        STR_INIT("/Modules/")};

    return function.n == 0 || STR_STARTS_ANY(function, names) || STR_HAS_ANY(at, places);
}

/* "in `gpuAssert`, which raised a Python error, called by `launch`": the first calls that say whose code it is. */
static struct str native_place(struct arena *a, struct str text)
{
    struct str line, at, found = {0};
    bool raises = false;

    while (str_next_line(&text, &line)) {
        struct str function = native_function(line, &at);

        if (found.n && function.n)
            return is_any_programs(function, at)
                       ? found
                       : arena_printf(a, "%.*s, called by `%.*s`", STR_ARG(found), STR_ARG(function));
        raises |= str_starts(function, STR("PyErr_"));
        if (!is_any_programs(function, at))
            found = arena_printf(a, "in `%.*s`%s", STR_ARG(str_take(function, 100)),
                                 raises ? ", which raised a Python error" : "");
    }
    return found;
}

/* The last line of a backtrace without its first one: "Segmentation fault (core dumped)", as the shell writes it. */
static struct str signal_behind(struct str text)
{
    struct str line, signal;

    while (str_next_line(&text, &line))
        if ((signal = shell_signal(str_trim(line))).n)
            return signal;
    return STR("Native crash");
}

/*
 * UCX: ucs/debug/debug.c. "[host:42 :0:42] Caught signal 11 (Segmentation fault: address not mapped ...)", and then the
 * stack, "==== backtrace (tid: 42) ====", which a text may have alone.
 */
static bool parse_signal(struct arena *a, struct str text, struct crash_text *out)
{
    struct str rest = text, first = str_trim(str_split(&rest, '\n')), words, place = native_place(a, rest);
    ptrdiff_t at = str_find(first, STR("Caught signal "));

    out->outermost = true;
    out->message = at < 0 ? first : str_skip(first, (size_t)at);
    out->type = at < 0 ? signal_behind(rest) : STR("Native crash");
    if (str_between(out->message, STR("("), STR(":"), &words) && at >= 0)
        out->type = words;
    if (place.n)
        out->message = at < 0 ? place : arena_printf(a, "%.*s %.*s", STR_ARG(out->message), STR_ARG(place));
    return true;
}

/* What a process that does not go on does, by the stack of its main thread. */
static bool parse_dump(struct arena *a, struct str text, struct crash_text *out)
{
    const struct text_call *at;
    struct traceback t = {.type = STR("")};
    const char *words;
    struct str name;

    if (!thread_dump_take(a, text, &out->calls, &name))
        return false;
    words = thread_dump_words(&out->calls, &at);
    at = at ? at : &out->calls.calls.v[out->calls.calls.n - 1];
    t.calls = out->calls;
    out->origin = crash_origin_of(&t, out);
    out->type = STR("Thread dump");
    if (str_has(text, STR("Current thread 0x"))) { /* of a crash, whose first line is missing */
        out->type = STR("Native crash");
        name = STR("the text begins behind the line that says which: the thread");
        words = NULL;
    }
    out->message = arena_printf(a, "%.*s %s: `%.*s` (%.*s:%lld)", STR_ARG(name), words ? words : "is at",
                                STR_ARG(at->function), STR_ARG(at->file), (long long)at->line);
    out->outermost = true;
    return true;
}

/* "python: /x/sycl_functions.h:82: int f(): Assertion `p != nullptr' failed." */
static bool parse_native_assert(struct str first, struct crash_text *out)
{
    ptrdiff_t at = str_find(first, STR("Assertion `"));
    struct str before = str_take(first, at < 0 ? 0 : (size_t)at), rest = before, program = str_split(&rest, ':');

    if (at < 0)
        return false;
    out->asserted = str_drop(str_trim(str_chr(program, '/') < 0 ? rest : before), 1); /* its colon */
    out->type = STR("Native assertion");
    out->message = str_skip(first, (size_t)at);
    if (str_ends(out->message, STR(".")))
        out->message = str_drop(out->message, 1);
    return true;
}

/* "terminate called after throwing an instance of 'c10::Error'\n  what():  CUDA error: ..." */
static bool parse_terminate(struct str text, struct crash_text *out)
{
    struct str name, rest = text, first = str_trim(str_split(&rest, '\n'));
    ptrdiff_t what = str_find(text, STR("what():"));

    out->outermost = true;
    if (parse_native_assert(first, out))
        return true;
    out->message = first;
    if (shell_is_of_heap(first)) {
        out->type = STR("Heap corruption");
        return true;
    }
    out->type = STR("terminate");
    if (str_between(first, STR("'"), STR("'"), &name))
        out->type = str_skip(name, (size_t)(str_rchr(name, ':') + 1));
    if (what >= 0)
        out->message = str_trim(str_skip(text, (size_t)what + 7));
    out->rank = rank_in(out->message);
    return true;
}

/* torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp; the other errors that c10 logs are no end of a process. */
static bool parse_logged(struct str text, struct crash_text *out)
{
    ptrdiff_t end = str_chr(text, ']');
    bool error = !str_starts(text, STR("[W"));

    text = str_trim(str_skip(text, (size_t)(end + 1)));
    out->message = text;
    if (str_consume(&out->message, STR("Exception in aoti_torch: ")))
        return true;
    if (str_has(text, STR(" failed with OOM on device "))) {
        out->type = STR("Warning");
        out->nameless = true;
        return true;
    }
    out->nameless = str_has(text, STR("due to a collective timeout")) ||
                    str_has(text, STR("dump signal from another rank")) ||
                    str_has(text, STR("detected by watchdog at work")) ||
                    str_has(text, STR("Timeout at NCCL work: ")) ||
                    str_has(text, STR("Some NCCL operations have failed or timed out"));
    if (out->nameless) { /* another message says which; where the text has it, that counts */
        out->type = STR(COLLECTIVE_TIMEOUT_TYPE);
        out->rank = rank_in(text);
        return true;
    }
    if (!str_has(text, STR("Watchdog caught collective operation timeout")) &&
        !str_has(text, STR("watchdog thread terminated with exception")) &&
        !str_has(text, STR("watchdog got stuck for")) && !str_has(text, STR("Heartbeat monitor timed out")) &&
        !str_has(text, STR("failed to pass monitoredBarrier"))) {
        out->nameless = true; /* an exception follows, unless it is cut off */
        out->type = str_consume(&out->message, STR("[c10d] ")) ? STR("DistNetworkError") : STR(LOGGED_ERROR_TYPE);
        return error;
    }
    out->type = str_has(text, STR("watchdog got stuck for")) || str_has(text, STR("Heartbeat monitor timed out"))
                    ? STR(STUCK_WATCHDOG_TYPE)
                : str_has(text, STR("terminated with exception")) && !str_has(text, STR("timeout"))
                    ? STR("DistBackendError")
                    : STR(COLLECTIVE_TIMEOUT_TYPE);
    out->message = text;
    out->outermost = true;
    out->rank = rank_in(text);
    return true;
}

/* "run.sh: line 3:    42 Segmentation fault      (core dumped) python train.py", "... exit code 139." */
static bool parse_shell(struct str text, struct crash_text *out)
{
    out->message = shell_without_time(str_trim(text));
    out->outermost = true;
    out->type = shell_death(text);
    if (out->type.n == 0)
        out->type = shell_exit(text);
    return true;
}

/* What a GPU prints has no end of line where a bar of progress stands: the message ends with its own last word. */
static struct str without_rest(struct str line)
{
    static const struct str end = STR_INIT("` failed.");
    ptrdiff_t at = str_find(line, end);

    return str_take(line, at < 0 ? line.n : (size_t)at + end.n);
}

bool death_text_parse(struct arena *a, enum crash_form form, struct str text, struct crash_text *out)
{
    switch (form) {
    case CRASH_FATAL:
        return parse_fatal(a, text, out);
    case CRASH_SIGNAL:
        return parse_signal(a, text, out);
    case CRASH_TERMINATE:
        return parse_terminate(text, out);
    case CRASH_LOGGED:
        return parse_logged(text, out);
    case CRASH_ASSERT:
        out->type = STR("Device-side assertion");
        out->message = without_rest(str_trim(text));
        return true;
    case CRASH_SHELL:
        return parse_shell(text, out);
    case CRASH_DUMP:
        return parse_dump(a, text, out);
    default:
        return false;
    }
}
