#include "torchlog/notes/calls.h"

#include <inttypes.h>

#include "text/code/shown_code.h"
#include "text/stated/prose.h"
#include "util/utf8.h"

enum { LOOKED_AT = 400, SHOWN_MAX = 80, FEW_CALLS = 50 };

/* --- what is compiled --------------------------------------------------------------------------------------------- */

/* `.compile()` of a module: a regular expression's has an argument, and Keras's an optimizer. */
static bool calls_compile(struct str line)
{
    return str_has_any_line(line, STR(".compile()\n.compile(mode=\n.compile(fullgraph=\n.compile(dynamic=\n"
                                      ".compile(backend=\n.compile(options="));
}

/* "compile each block", "compiled the whole model", "compiling our layers" */
static bool compiles_module(struct str lower)
{
    static const struct str between[] = {STR_INIT("the "),  STR_INIT("each "),   STR_INIT("every "), STR_INIT("all "),
                                         STR_INIT("only "), STR_INIT("my "),     STR_INIT("our "),   STR_INIT("whole "),
                                         STR_INIT("full "), STR_INIT("entire "), STR_INIT("a ")};
    static const struct str modules[] = {STR_INIT("model"),   STR_INIT("module"),     STR_INIT("block"),
                                         STR_INIT("layer"),   STR_INIT("unet"),       STR_INIT("transformer"),
                                         STR_INIT("vae "),    STR_INIT("network"),    STR_INIT("encoder"),
                                         STR_INIT("decoder"), STR_INIT("train step"), STR_INIT("training step"),
                                         STR_INIT("forward")};
    static const struct str word = STR_INIT("compil");

    for (ptrdiff_t at; (at = str_find(lower, word)) >= 0;) {
        bool whole = at == 0 || !str_is_word_char(lower.p[at - 1]);
        struct str rest = str_skip(lower, (size_t)at + word.n);
        bool skipped;

        lower = rest;
        if (!whole || !(str_consume(&rest, STR("ing ")) || str_consume(&rest, STR("ed ")) ||
                        str_consume(&rest, STR("es ")) || str_consume(&rest, STR("e "))))
            continue;
        do {
            skipped = false;
            for (size_t i = 0; i < sizeof between / sizeof *between; i++)
                skipped |= str_consume(&rest, between[i]);
        } while (skipped);
        if (STR_STARTS_ANY(rest, modules))
            return true;
    }
    return false;
}

/* Other compilers, and libraries with a method of that name. */
static const char others[] = "gcc\ng++\nclang\nnvcc\ncmake\nmsvc\nkeras\ntensorflow\noptimizer=\ntensorrt\n trt\n"
                             "openvino\ntflite\ncoreml\n jax\n xla\n tvm\nfrom source\nextension\ncython\nneuron\n"
                             "executorch\nre.compile";

/* "torch 2.0.0", "PyTorch==2.3", "import torch", "torch.sum(x)" */
static bool names_torch(struct str text)
{
    static const struct str name = STR_INIT("orch");
    struct str digits;

    if (str_has_any_line(text, STR("import torch\nfrom torch\n torch.\n(torch.")))
        return true;
    for (ptrdiff_t at; (at = str_find(text, name)) >= 0;) {
        text = str_skip(text, (size_t)at + name.n);
        digits = str_skip_any(text, " =:v`");
        if (digits.n && str_is_digit(digits.p[0]))
            return true;
    }
    return false;
}

/* The line that speaks of compiled code, in a text that compares it with eager mode. */
static struct str line_of_comparison(struct str text)
{
    char room[LOOKED_AT];
    struct str line;

    if (!prose_has_line(text, "eager") || !names_torch(text))
        return (struct str){0};
    while (str_next_line(&text, &line)) {
        struct str lower = str_lower(str_take(line, LOOKED_AT), room, sizeof room);

        if (!str_has_any_line(lower, str_of(others)) && prose_has_word(lower, STR("compiled\ncompile\ncompiling")))
            return line;
    }
    return (struct str){0};
}

struct str calls_named(struct str text)
{
    static const char options[] = " --compile\n--use_compile\n--use-compile\ncompile=true\ncompile: true\n"
                                  "compile = true";
    char room[LOOKED_AT];
    struct str line, rest = text;

    while (str_next_line(&rest, &line)) {
        struct str lower = str_lower(str_take(line, LOOKED_AT), room, sizeof room);

        if (!str_has_any_line(lower, str_of(others)) &&
            (calls_compile(lower) || compiles_module(lower) || str_has_any_line(lower, str_of(options))))
            return line;
    }
    return line_of_comparison(text);
}

/* --- clocks ------------------------------------------------------------------------------------------------------- */

static bool reads_clock(struct str line)
{
    return str_has_any_line(line, STR("time.time()\nperf_counter()\ntime.monotonic()\nperf_counter_ns()\n.record()"));
}

/* "start = time.time()" */
static bool starts_clock(struct str bare)
{
    return reads_clock(bare) && !str_has_any_line(bare, STR(" - \nprint\nend\nstop"));
}

/* "m" of "    m = torch.compile(m)" and of "m.compile()". */
static struct str compiled_name(struct str bare)
{
    static const struct str call = STR_INIT(" = torch.compile(");
    ptrdiff_t at = str_find(bare, call);
    struct str name;

    if (at < 0 && calls_compile(bare))
        at = str_find(bare, STR(".compile("));
    name = str_take(bare, at < 0 ? 0 : (size_t)at);
    for (size_t i = 0; i < name.n; i++)
        if (!str_is_word_char(name.p[i]) && name.p[i] != '.')
            return (struct str){0};
    return name;
}

/* Some lines may stand between the loop and the clock: `torch.cuda.synchronize()`. */
static bool ends_with_clock(struct str behind)
{
    enum { LINES = 3 };
    struct str line;

    for (size_t n = 0; n < LINES && str_next_line(&behind, &line);) {
        if (reads_clock(line))
            return true;
        n += str_trim(line).n > 0;
    }
    return false;
}

/* Code between the compiling and the clock that may have called it, be it in a loop or in a function. */
static bool may_call(struct str code, struct str name)
{
    struct str line;

    if (shown_calls(code, name) || str_has_any_line(code, STR("warm\nWarm")))
        return true;
    while (str_next_line(&code, &line))
        if (str_starts(str_trim(line), STR("for ")) || str_starts(str_trim(line), STR("while ")) ||
            str_starts(str_trim(line), STR("def ")))
            return true;
    return false;
}

/* The loop below the line that starts the clock; behind `from` nothing has called `name`. */
static struct series_found timed_loop(struct arena *a, struct str rest, size_t indent, struct str name)
{
    struct str line, behind, body;
    uint64_t n = 0;

    while (str_next_line(&rest, &line) && (str_trim(line).n == 0 || str_has(line, STR("synchronize("))))
        ;
    if (shown_indent(line) == indent)
        n = shown_passes(str_trim(line));
    if (n == 0 || n > FEW_CALLS)
        return (struct series_found){.line = {0}};
    body = shown_body(rest, indent, &behind);
    if (!shown_calls(body, name) || reads_clock(body) || !ends_with_clock(behind))
        return (struct series_found){.line = {0}};
    return (struct series_found){
        .message = arena_printf(a, ": %" PRIu64 " call%s, of which the first compiles: %.*s", n, n == 1 ? "" : "s",
                                STR_ARG(utf8_shorten(a, str_trim(line), SHOWN_MAX))),
        .line = line,
    };
}

struct series_found calls_timed_cold(struct arena *a, struct str text)
{
    struct str line, name = {0}, rest = text;
    const char *compiled = NULL; /* behind the lines that compile */
    bool decorated = false;
    size_t indent = 0;

    if (str_has_any_line(text, STR("do_bench\nTimer(\n%timeit")))
        return (struct series_found){.line = {0}};
    while (str_next_line(&rest, &line)) {
        struct str bare = str_trim(line), named = compiled_name(bare);

        if (named.n) {
            name = named;
            compiled = line.p + line.n;
            indent = shown_indent(line);
        } else if (decorated && shown_defined(bare).n) {
            name = shown_defined(bare);
            indent = shown_indent(line);
            shown_body(rest, indent, &rest);
            compiled = rest.p;
        } else if (name.n && starts_clock(bare)) {
            struct series_found found = {.line = {0}};

            if (shown_indent(line) <= indent && !may_call(str_range(compiled, line.p), name))
                found = timed_loop(a, rest, shown_indent(line), name);
            if (found.line.n)
                return found;
            name = (struct str){0}; /* from here on it is warm */
        }
        decorated = str_starts(bare, STR("@torch.compile"));
    }
    return (struct series_found){.line = {0}};
}
