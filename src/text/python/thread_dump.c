#include "text/python/thread_dump.h"

#include "input/limits.h"

bool thread_dump_begins(struct str line)
{
    static const struct str states[] = {STR_INIT(" (idle"), STR_INIT(" (active")};

    if ((str_starts(line, STR("Thread 0x")) || str_starts(line, STR("Current thread 0x"))) &&
        str_has(str_take(line, 90), STR(" (most recent call first)")))
        return true;
    if (!str_starts(line, STR("Thread ")))
        return false;
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        ptrdiff_t at = str_find(str_take(line, 60), states[i]);

        if (at >= 0 && str_chr(str_skip(line, (size_t)at), ')') > 0)
            return true;
    }
    return false;
}

/* "wait (threading.py:320)" */
static bool take_call(struct str line, struct text_call *out)
{
    ptrdiff_t open, colon;
    struct str place;

    line = str_trim(line);
    if (!str_ends(line, STR(")")) || (open = str_rchr(line, '(')) <= 0)
        return false;
    place = str_drop(str_skip(line, (size_t)open + 1), 1);
    colon = str_rchr(place, ':');
    *out = (struct text_call){.function = str_trim(str_take(line, (size_t)open)), .source = STR("")};
    if (colon <= 0 || !str_i64(str_skip(place, (size_t)colon + 1), &out->line))
        return false;
    out->file = str_take(place, (size_t)colon);
    return true;
}

bool thread_dump_goes_on(struct str line)
{
    return line.n > 0 && line.p[0] == ' ';
}

/* The text after `: ` in quotes; Python gives its first thread this name. */
static struct str name_of(struct str line)
{
    struct str name;

    return str_between(line, STR("\""), STR("\""), &name) ? name : STR("a thread");
}

static void take_calls(struct arena *a, struct str *text, struct text_stack *out)
{
    struct str rest = *text, line;
    struct text_call c;

    while (str_next_line(&rest, &line) && !thread_dump_begins(str_trim(line))) {
        *text = rest;
        if ((text_call_parse_fault(line, &c) || take_call(line, &c)) && out->calls.n < LIMIT_STACK_FRAMES)
            vec_push(a, &out->calls, c);
    }
}

/* py-spy omits the library's directory, so only the file name can be used; faulthandler shows it. */
static bool is_standard_library(struct str file)
{
    static const struct str directory = STR_INIT("/lib/python3.");
    ptrdiff_t at = str_find(file, directory), slash;

    static const struct str names[] = {
        STR_INIT("threading.py"),  STR_INIT("concurrent/"), STR_INIT("multiprocessing/"), STR_INIT("subprocess.py"),
        STR_INIT("selectors.py"),  STR_INIT("socket.py"),   STR_INIT("queue.py"),         STR_INIT("asyncio/"),
        STR_INIT("contextlib.py"), STR_INIT("ssl.py"),      STR_INIT("functools.py"),     STR_INIT("popen_fork.py"),
    };

    if (at >= 0 && (slash = str_chr(str_skip(file, (size_t)at + directory.n), '/')) > 0)
        file = str_skip(file, (size_t)at + directory.n + (size_t)slash + 1);
    return STR_STARTS_ANY(file, names);
}

/* py-spy names it; of faulthandler it is the one that runs the program. */
static bool is_main(struct str first, const struct text_stack *calls)
{
    return str_has(first, STR("MainThread")) || str_starts(str_trim(first), STR("Current thread ")) ||
           (calls->calls.n && str_eq(calls->calls.v[0].function, STR("<module>")));
}

/* Drops Python's own waiting functions: their caller shows what is waited for. */
static void drop_waiting(struct text_stack *s)
{
    while (s->calls.n > 1 && is_standard_library(s->calls.v[s->calls.n - 1].file))
        s->calls.n--;
}

bool thread_dump_take(struct arena *a, struct str text, struct text_stack *out, struct str *name)
{
    struct str line;
    bool found = false;

    while (str_next_line(&text, &line)) {
        struct text_stack calls = {0};

        if (!thread_dump_begins(str_trim(line)))
            continue;
        take_calls(a, &text, &calls);
        text_stack_reverse(&calls);
        if (calls.calls.n == 0 || (found && !is_main(line, &calls)))
            continue;
        drop_waiting(&calls);
        *out = calls;
        *name = is_main(line, &calls) ? STR("MainThread") : name_of(line);
        found = true;
        if (is_main(line, &calls))
            break;
    }
    return found;
}

const char *thread_dump_words(const struct text_stack *calls, const struct text_call **call)
{
    static const struct {
        struct str file;
        const char *words;
        bool innermost; /* only where no call is below it */
    } places[] = {
        {STR_INIT("torch/distributed/elastic/"), "waits for the processes that it started", false},
        {STR_INIT("torch/distributed/run.py"), "waits for the processes that it started", false},
        {STR_INIT("torch/distributed/"), "is in a collective", false},
        {STR_INIT("torch/_inductor/async_compile.py"), "waits for processes that compile kernels", false},
        {STR_INIT("torch/_inductor/compile_worker/"), "waits for processes that compile kernels", false},
        {STR_INIT("triton/compiler/"), "compiles a Triton kernel", false},
        {STR_INIT("torch/_inductor/"), "compiles, in Inductor", false},
        {STR_INIT("torch/_functorch/_aot_autograd/graph_"), "compiles, in AOTAutograd", false},
        {STR_INIT("torch/_dynamo/symbolic_convert.py"), "compiles, in Dynamo", false},
        {STR_INIT("torch/_dynamo/convert_frame.py"), "compiles, in Dynamo", false},
        {STR_INIT("torch/utils/data/"), "waits for data", false},
        {STR_INIT("torch/cuda/"), "waits for the GPU", false},
        {STR_INIT("torch/autograd/__init__.py"), "is in autograd's backward", true},
        {STR_INIT("torch/autograd/graph.py"), "is in autograd's backward", true},
    };

    for (size_t i = calls->calls.n; i-- > 0;)
        for (size_t k = 0; k < sizeof places / sizeof *places; k++)
            if (str_has(calls->calls.v[i].file, places[k].file) &&
                (!places[k].innermost || i + 1 == calls->calls.n)) {
                *call = &calls->calls.v[i];
                return places[k].words;
            }
    *call = NULL;
    return NULL;
}
