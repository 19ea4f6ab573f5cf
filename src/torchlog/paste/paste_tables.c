#include "torchlog/paste/paste_tables.h"

#include "torchlog/paste/paste_known.h"

#include <signal.h>
#include <string.h>

/* --- metrics ------------------------------------------------------------------------------------------------------ */

static const struct str metrics_begin = STR_INIT("CompilationMetrics(");

/* Each on a line of its own: a list of them is printed in one. */
static void put_metrics(struct buf *out, struct str line)
{
    ptrdiff_t at;

    while ((at = str_find(str_skip(line, 1), metrics_begin)) >= 0) {
        buf_str(out, str_take(line, (size_t)at + 1));
        buf_char(out, '\n');
        line = str_skip(line, (size_t)at + 1);
    }
    buf_str(out, line);
}

enum { LINES_OF_METRICS = 2000 };

/*
 * How many lines more there are up to the bracket that closes the first: pprint and windows break the lines. False if
 * none does.
 */
static bool lines_of_metrics(const struct paste_text *t, size_t i, size_t *more)
{
    char quote = '\0';
    int depth = 0;

    for (size_t k = i; k < t->n && k - i < LINES_OF_METRICS; k++) {
        for (size_t at = 0; at < t->v[k].n; at++) {
            char c = t->v[k].p[at];

            if (quote && c == '\\')
                at++;
            else if (quote)
                quote = c == quote ? '\0' : quote;
            else if (depth && (c == '\'' || c == '"'))
                quote = c;
            else
                depth += (c == '(' || c == '[' || c == '{') - (depth && (c == ')' || c == ']' || c == '}'));
        }
        if (depth == 0) {
            *more = k - i;
            return true;
        }
    }
    return false;
}

/* Fields end in a comma; what was cut elsewhere has no blank there. */
static void put_whole(struct buf *out, struct paste_text *t, size_t i, size_t more)
{
    buf_str(out, t->v[i]);
    for (size_t k = i + 1; k <= i + more; k++) {
        bool field = out->n && buf_view(out).p[out->n - 1] == ',';

        if (field)
            buf_char(out, ' ');
        buf_str(out, field ? str_trim(t->v[k]) : t->v[k]);
        t->v[k] = STR("");
    }
}

bool paste_metrics(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    bool any = false;
    size_t open = 0; /* up to here a bracket is open that nothing closes */

    *out = paste_copy(a, from);
    for (size_t i = 0; i < out->n; i++) {
        struct buf whole = {0}, text = {0};
        size_t more = 0;

        if (!str_has(out->v[i], metrics_begin))
            continue;
        if (i >= open && !lines_of_metrics(out, i, &more))
            open = i + LINES_OF_METRICS;
        put_whole(&whole, out, i, more);
        put_metrics(&text, buf_view(&whole));
        out->v[i] = arena_str(a, buf_view(&text));
        buf_free(&whole);
        buf_free(&text);
        any = true;
        i += more;
    }
    return any;
}

/* --- timers ------------------------------------------------------------------------------------------------------- */

/* Names that only PyTorch's timers have (dynamo_timed, torch/_dynamo/utils.py). */
static bool is_timer(struct str name)
{
    static const struct str names[] = {
        STR_INIT("_compile.compile_inner"), STR_INIT("compile_fx_inner"), STR_INIT("fx_codegen_and_compile"),
        STR_INIT("create_aot_dispatcher_function"), STR_INIT("aot_collect_metadata"), STR_INIT("aot_trace_joint_graph"),
        STR_INIT("entire_frame_compile"), STR_INIT("entire_backward_compile"), STR_INIT("inductor_compile"),
        STR_INIT("backend_compile"), STR_INIT("compile_attempt_0"), STR_INIT("mm_template_autotuning"),
        STR_INIT("benchmark_fused_nodes"), STR_INIT("bytecode_tracing"), STR_INIT("build_guards"),
    };
    static const struct str begins[] = {
        STR_INIT("GraphLowering."), STR_INIT("Scheduler."), STR_INIT("CachingAutotuner."), STR_INIT("async_compile."),
        STR_INIT("PyCodeCache."), STR_INIT("OutputGraph.call_user_compiler"), STR_INIT("backward._backward_impl"),
        STR_INIT("compile_fx.<locals>."), STR_INIT("WrapperCodeGen."), STR_INIT("PythonWrapperCodegen."),
        STR_INIT("TritonBundler."), STR_INIT("FxGraphCache."), STR_INIT("AOTAutogradCache."),
    };

    return STR_IS_ANY(name, names) || STR_STARTS_ANY(name, begins);
}

/* "88.55" of "compile_fx_inner : 88.55 seconds"; empty for any other line. */
static struct str seconds_of_timer(struct str line, struct str *name)
{
    static const struct str units[] = {STR_INIT("seconds"), STR_INIT("secs"), STR_INIT("sec"), STR_INIT("s")};
    struct str bare, number, unit;
    ptrdiff_t colon;
    size_t n = 0, dots = 0;

    line = str_trim(line);
    if (!str_ends(line, STR("s")) && !str_ends(line, STR("c"))) /* units end so, and few lines do */
        return (struct str){0};
    bare = paste_bare(line);
    colon = str_chr(bare, ':');
    *name = str_trim(str_take(bare, colon < 0 ? 0 : (size_t)colon));
    number = str_trim(str_skip(bare, colon < 0 ? bare.n : (size_t)colon + 1));
    while (n < number.n && (str_is_digit(number.p[n]) || number.p[n] == '.'))
        dots += number.p[n++] == '.';
    unit = str_trim(str_skip(number, n));
    return n && dots == 1 && name->n && str_chr(*name, ' ') < 0 && STR_IS_ANY(unit, units) ? str_take(number, n)
                                                                                          : (struct str){0};
}

/* How many lines from here on are a list of timers; at least two of them have names of PyTorch's. */
static size_t timers_from(const struct paste_text *t, size_t i)
{
    enum { TIMERS_MIN = 2 };
    struct str name;
    size_t n = 0, ours = 0;

    while (i + n < t->n && seconds_of_timer(t->v[i + n], &name).n) {
        ours += is_timer(name);
        n++;
    }
    return ours >= TIMERS_MIN ? n : 0;
}

/* As compile_times() prints them. */
bool paste_timers(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    bool any = false;

    *out = paste_copy(a, from);
    for (size_t i = 0; i < out->n; i++) {
        struct str name, number;
        size_t n = timers_from(out, i);

        for (size_t k = i; k < i + n; k++) {
            number = seconds_of_timer(out->v[k], &name);
            out->v[k] = arena_printf(a, "%s%.*s, %.*s",
                                     k == i ? "TorchDynamo compilation metrics:\nFunction, Runtimes (s)\n" : "",
                                     STR_ARG(name), STR_ARG(number));
        }
        any |= n > 0;
        while (n == 0 && i + 1 < out->n && seconds_of_timer(out->v[i], &name).n) /* of a list that is none */
            i++;
        i += n ? n - 1 : 0;
    }
    return any;
}

/* --- profiles ----------------------------------------------------------------------------------------------------- */

/*
 * "'f' (/srv/m.py:4)     2  REASON", a row of the table of CompileProfiler (up to 2.5), with its function; what stands
 * below it alone is another reason.
 */
static struct str reason_of_row(struct str row, struct str *function)
{
    struct str rest = row, name, place;
    uint64_t count;

    if (!str_consume(&rest, STR("'")) || !str_between(row, STR("'"), STR("'"), &name) ||
        !str_between(rest, STR("' ("), STR(")"), &place))
        return row;
    rest = str_trim(str_skip(rest, (size_t)(place.p + place.n + 1 - rest.p)));
    *function = str_range(name.p, place.p + place.n);
    return str_take_u64(&rest, &count) ? str_trim(rest) : row;
}

/* As TORCH_LOGS=recompiles writes them: each reason is a recompile. */
bool paste_profile(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    struct str function = {0};
    bool table = false, any = false;

    *out = paste_copy(a, from);
    for (size_t i = 0; i < out->n; i++) {
        struct str bare = str_trim(out->v[i]), reason;

        table = table ? bare.n > 0 : str_starts(bare, STR("Function ")) && str_ends(bare, STR("Recompile Reasons"));
        if (!table || !(str_starts(bare, STR("'")) || function.n))
            continue;
        reason = reason_of_row(bare, &function);
        if (!function.n)
            continue;
        out->v[i] = arena_printf(a,
                                 "Recompiling function %.*s in %.*s\n    triggered by the following guard failure:\n"
                                 "    - %.*s",
                                 (int)str_find(function, STR("' (")), function.p,
                                 STR_ARG(str_skip(function, (size_t)str_find(function, STR("' (")) + 3)),
                                 STR_ARG(reason));
        any = true;
    }
    return any;
}

/* "[12/1]" in a cell: the recompile is against the compile before it. */
static struct str compile_before(struct arena *a, struct str row)
{
    struct str rest = str_skip(row, (size_t)(str_chr(row, '[') + 1));
    uint64_t frame, compile;

    if (!str_take_u64(&rest, &frame) || !str_consume(&rest, STR("/")) || !str_take_u64(&rest, &compile) || !compile ||
        !str_starts(rest, STR("]")))
        return STR("0/0");
    return arena_printf(a, "%llu/%llu", (unsigned long long)frame, (unsigned long long)compile - 1);
}

static bool is_guard_message(struct str cell)
{
    return str_starts(cell, STR("tensor '")) &&
           (str_has(cell, STR(" mismatch at index ")) || str_has(cell, STR(" mismatch. expected ")));
}

/* The guard that a line is, or that a row of a table of Markdown has; else an empty text. */
static struct str guard_of_line(struct str line)
{
    struct str rest = str_trim(line), cell = rest;

    if (!str_consume(&rest, STR("|")))
        return is_guard_message(rest) && !str_starts(rest, STR("tensor 'L[")) ? rest : (struct str){0};
    while (rest.n)
        if (is_guard_message(cell = str_trim(str_split(&rest, '|'))))
            return cell;
    return (struct str){0};
}

/* Guards that failed, without the lines around them. */
bool paste_guards(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    bool any = false;

    *out = paste_copy(a, from);
    for (size_t i = 0; i < out->n; i++) {
        struct str guard = guard_of_line(out->v[i]);

        if (!guard.n)
            continue;
        out->v[i] = arena_printf(a, "    - %.*s: %.*s", STR_ARG(compile_before(a, out->v[i])), STR_ARG(guard));
        any = true;
    }
    return any;
}

/* --- the table of torchrun ---------------------------------------------------------------------------------------- */

static const struct str child_failed = STR_INIT("failed (exitcode: ");
static const struct str child_error = STR_INIT("torch.distributed.elastic.multiprocessing.errors.ChildFailedError:");

/* "failed (exitcode: -9) local_rank: 1 (pid: 1168) of binary: python" (torch/distributed/elastic/multiprocessing). */
static bool read_child(struct str line, int64_t *code, uint64_t *local_rank, uint64_t *pid)
{
    ptrdiff_t at = str_find(line, child_failed);
    struct str rest = str_skip(line, at < 0 ? line.n : (size_t)at + child_failed.n), number;

    if (at < 0 || !str_between(rest, STR(""), STR(")"), &number) || !str_i64(number, code))
        return false;
    rest = str_skip(rest, number.n + 1);
    return str_consume(&rest, STR(" local_rank: ")) && str_take_u64(&rest, local_rank) &&
           str_consume(&rest, STR(" (pid: ")) && str_take_u64(&rest, pid);
}

bool paste_child(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    size_t failed = from->n, at = from->n;
    uint64_t local_rank, pid;
    int64_t code;
    const char *signal = NULL;

    for (size_t i = 0; i < from->n; i++) {
        if (str_has(from->v[i], STR("Root Cause (first observed failure):")))
            return false;
        if (failed == from->n && read_child(from->v[i], &code, &local_rank, &pid))
            failed = at = i;
        else if (failed < from->n && at == failed && str_has(from->v[i], child_error))
            at = i;
    }
    if (failed == from->n)
        return false;
    if (code < 0 && code > -NSIG)
        signal = sigabbrev_np((int)-code);
    *out = paste_copy(a, from);
    out->v[at] = arena_printf(a,
                              "%.*s\nRoot Cause (first observed failure):\n[0]:\n  local_rank: %llu\n"
                              "  exitcode  : %lld (pid: %llu)\n  traceback : ",
                              STR_ARG(child_error), (unsigned long long)local_rank, (long long)code,
                              (unsigned long long)pid);
    if (signal)
        out->v[at] = arena_printf(a, "%.*sSignal %lld (SIG%s)", STR_ARG(out->v[at]), (long long)-code, signal);
    return true;
}
