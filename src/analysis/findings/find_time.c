/* Findings about where the compile time went. */
#include "analysis/find/find.h"

#include "analysis/answers/versions.h"
#include "analysis/time/printed_times.h"
#include "analysis/time/starts.h"
#include "text/python/python_code.h"
#include "text/versions/names.h"
#include "util/map.h"
#include "util/number.h"

/* Shorter compiles are not worth reporting. */
static const int64_t long_time_us = 30 * 1000000ll, long_backward_us = 3 * 1000000ll, printed_time_us = 1000000ll;

/* --- one phase ---------------------------------------------------------------------------------------------------- */

static const struct advice {
    const char *id, *fix, *paste;
    enum paste_kind kind;
} advice[PHASE_COUNT] = {
    [PHASE_DYNAMO] = {"slow-phase",
                      "Long tracing comes from very large functions, deep loops that are unrolled, and recompiles.",
                      NULL, PASTE_NONE},
    [PHASE_COMPILER] = {"slow-compilers",
                        "Compilers run for every kernel: fewer, larger graphs, more compile threads and a warm cache "
                        "help.",
                        "TORCHINDUCTOR_COMPILE_THREADS=16", PASTE_ENVIRONMENT},
    [PHASE_AUTOTUNE] =
        {"slow-autotuning",
         "Autotuning tries many kernels: use mode=\"default\" instead of max-autotune, or keep the cache warm, which "
         "stores its results.",
         "torch.compile(model, mode=\"default\")", PASTE_PATTERN},
    [PHASE_INDUCTOR] = {"slow-phase",
                        "Code generation grows with the graph: compile repeated blocks once (regional compilation), or "
                        "keep the cache warm.",
                        NULL, PASTE_NONE},
    [PHASE_AOT] = {"slow-phase", "AOTAutograd traces the graph a second time: its cost grows with the graph.", NULL,
                   PASTE_NONE},
    [PHASE_PASSES] = {"slow-phase",
                      "Graph passes grow with the graph: compile repeated blocks once (regional compilation).", NULL,
                      PASTE_NONE},
    [PHASE_GUARDS] = {"slow-phase",
                      "Building guards grows with what the function reads: modules with many attributes cost most.",
                      NULL, PASTE_NONE},
};

static bool has_repeated_block(const struct finder *f)
{
    for (size_t i = 0; i < f->out->list.n; i++)
        if (strcmp(f->out->list.v[i]->info->id, "repeated-block") == 0 &&
            f->out->list.v[i]->severity != FINDING_INFO)
            return true;
    return false;
}

static void find_slow_phase(struct finder *f)
{
    const struct timing *t = &f->answers->timing;
    const int64_t sum = timing_phases_ns(t);
    enum phase ranked[PHASE_COUNT];
    const struct advice *a;
    int64_t most;
    struct finding *x;

    if (timing_rank_phases(t, ranked) == 0)
        return;
    a = &advice[ranked[0]];
    most = t->phase_self_ns[ranked[0]];
    if (!a->id || most < long_time_us * 1000 || most * 2 < sum)
        return;
    if (ranked[0] == PHASE_COMPILER && has_repeated_block(f)) /* that is the cause, and its remedy another */
        return;
    x = finding_add(f, a->id, FINDING_INFO);
    x->title = arena_printf(f->arena, "%lld %% of the compile time is in one phase: %s",
                            (long long)((most * 100 + sum / 2) / sum), phase_title(ranked[0]));
    x->fix = str_of(a->fix);
    finding_paste(x, a->kind, str_of(a->paste));
}

/* --- one function ------------------------------------------------------------------------------------------------- */

/* A graph with fewer operators does not contain a block many times. */
enum { MANY_OPERATORS = 50 };

struct slow_function {
    const struct frame *frame;
    int64_t operators; /* number in its largest graph */
    int64_t duration_us;
    VEC(const struct compile *) compiles;
};

static void note_duration(struct finder *f, struct map *functions, const struct compile *c, int64_t *sum)
{
    int64_t start, duration, ops;
    struct slow_function *fn;
    void **slot;

    if (!c->frame || c->process->index != 0 || !compile_interval(c, &start, &duration))
        return;
    *sum = add_bounded(*sum, duration);
    slot = map_at(functions, arena_printf(f->arena, "%lld %.*s\n%.*s", (long long)c->frame->line,
                                          STR_ARG(c->frame->file), STR_ARG(c->frame->name)));
    if (!*slot)
        *slot = ARENA_NEW(f->arena, struct slow_function);
    fn = *slot;
    fn->frame = c->frame;
    fn->duration_us = add_bounded(fn->duration_us, duration);
    if (metrics_i64(compile_metrics(c, METRICS_FORWARD), "graph_op_count", &ops) && ops > fn->operators)
        fn->operators = ops;
    vec_push(f->arena, &fn->compiles, c);
}

/* The finding that the function's graph contains one block many times. */
static struct finding *repeated_block_in(const struct finder *f, const struct frame *fr)
{
    for (size_t i = 0; i < f->out->list.n; i++) {
        struct finding *x = f->out->list.v[i];

        if (strcmp(x->info->id, "repeated-block") == 0 && x->compiles.n && x->compiles.v[0]->frame == fr)
            return x;
    }
    return NULL;
}

static void add_slow_function(struct finder *f, const struct slow_function *fn, int64_t sum)
{
    struct finding *x = finding_add(f, "slow-function", FINDING_INFO);

    x->follows_from = repeated_block_in(f, fn->frame);
    x->title = arena_printf(f->arena, "%lld %% of the compile time is spent on one function: `%.*s`, %zu compile%s",
                            (long long)(fn->duration_us / (sum / 100)), STR_ARG(fn->frame->name), fn->compiles.n,
                            fn->compiles.n == 1 ? "" : "s");
    x->fix = STR("Keep the caches of compiled code between runs, or compile it in parts: compile time grows with the "
                 "graph.");
    x->file = fn->frame->file;
    x->line = fn->frame->line;
    for (size_t i = 0; i < fn->compiles.n; i++)
        finding_evidence(f, x, fn->compiles.v[i]);
}

/* In the first process: all ranks do the same. */
static void find_slow_function(struct finder *f)
{
    struct map functions;
    const struct compile *c;
    int64_t sum = 0;

    map_init(&functions, f->arena);
    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));)
        note_duration(f, &functions, c, &sum);
    for (size_t i = 0; functions.n > 1 && i < functions.n; i++) {
        const struct slow_function *fn = functions.entries[i].value;

        if (fn->operators >= MANY_OPERATORS && fn->duration_us >= long_time_us &&
            fn->duration_us / 2 >= (sum - fn->duration_us))
            add_slow_function(f, fn, sum);
    }
}

/* --- a printed table ---------------------------------------------------------------------------------------------- */

enum { SHOWN_PHASES = 3 };

/* "; of that Inductor: lowering and code generation 24.4 s, AOTAutograd 3.0 s"; empty if no phase is long enough. */
static struct str longest_phases(struct finder *f, const struct printed_times *t)
{
    struct str words = STR("");
    bool named[PHASE_COUNT] = {[PHASE_OTHER] = true, [PHASE_BACKEND] = true};

    for (int shown = 0; shown < SHOWN_PHASES; shown++) {
        int most = PHASE_OTHER;

        for (int i = 0; i < PHASE_COUNT; i++)
            if (!named[i] && (named[most] || t->phase_ns[i] > t->phase_ns[most]))
                most = i;
        if (t->phase_ns[most] < t->total_ns / 20)
            break;
        if (t->phase_ns[most] < t->total_ns - t->total_ns / 1000) /* not the whole, measured elsewhere */
            words = arena_printf(f->arena, "%.*s%s%s %.1f s", STR_ARG(words), words.n ? ", " : "; of that ",
                                 phase_title((enum phase)most), (double)t->phase_ns[most] / 1e9);
        named[most] = true;
    }
    return words;
}

/* What makes the phase shorter that took most of the time; empty if there is none. */
static struct str fix_of_longest(const struct printed_times *t)
{
    int most = 0;

    for (int i = 1; i < PHASE_COUNT; i++)
        if (i != PHASE_BACKEND && i != PHASE_OTHER && t->phase_ns[i] > t->phase_ns[most])
            most = i;
    return advice[most].fix && t->phase_ns[most] > t->total_ns / 3 &&
                   t->phase_ns[most] < t->total_ns - t->total_ns / 1000
               ? str_of(advice[most].fix)
               : (struct str){0};
}

/* Empty where no other process printed times. */
static struct str rank_words(struct finder *f, const struct process *p)
{
    size_t timed = 0;

    for (size_t i = 0; i < f->run->processes.n; i++)
        timed += f->run->processes.v[i]->times.n > 0;
    if (timed < 2)
        return STR("");
    return p->rank < 0 ? STR(" in the slowest process") : arena_printf(f->arena, " in rank %d, the slowest", p->rank);
}

static const struct process *slowest_process(const struct run *r, const struct timing *t)
{
    const struct process *slowest = NULL;

    for (size_t i = 0; i < r->processes.n; i++)
        if (r->processes.v[i]->times.n && (!slowest || t->process_wall_us[i] > t->process_wall_us[slowest->index]))
            slowest = r->processes.v[i];
    return slowest;
}

static double seconds_of(const struct compile *c, const char *key)
{
    const struct metric *m = metrics_get(compile_metrics(c, METRICS_FORWARD), key);

    return m && m->type == METRIC_DOUBLE ? m->d : 0;
}

/* The longest compile whose times were printed, with its function; false if there is none. */
static bool say_longest_compile(struct finder *f, struct finding *x, const struct process *p)
{
    static const char *const whole = "entire_frame_compile_time_s";
    const struct compile *longest = NULL, *c;

    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));)
        if (c->process == p && c->frame && seconds_of(c, whole) > (longest ? seconds_of(longest, whole) : 0))
            longest = c;
    if (!longest)
        return false;
    x->detail = arena_printf(f->arena, "`%.*s` took longest: %.2f s, of which the backend %.2f s, Inductor %.2f s.",
                             STR_ARG(longest->frame->name), seconds_of(longest, whole),
                             seconds_of(longest, "backend_compile_time_s"),
                             seconds_of(longest, "inductor_compile_time_s"));
    x->file = longest->frame->file;
    x->line = longest->frame->line;
    finding_evidence(f, x, longest);
    return true;
}

/* --- vLLM's starts ------------------------------------------------------------------------------------------------ */

/* A gap that is worth a finding is longer than this, and than all that was reported. */
enum { LONG_GAP_S = 60, SHOWN_STARTS = 4 };

static struct str clock_words(struct finder *f, int64_t clock_s)
{
    const long long s = clock_s % 86400;

    return arena_printf(f->arena, "%02lld:%02lld:%02lld", s / 3600, s / 60 % 60, s % 60);
}

static struct str span_words(struct finder *f, int64_t s)
{
    return s < 120 ? arena_printf(f->arena, "%lld s", (long long)s)
                   : arena_printf(f->arena, "%lld min %lld s", (long long)(s / 60), (long long)(s % 60));
}

/* "Dynamo 6.32 s, graphs 41.40 s"; empty if nothing is known. */
static struct str part_words(struct finder *f, const struct compile_start *s)
{
    const struct {
        const char *name;
        int64_t ns;
    } parts[] = {{"Dynamo", s->dynamo_ns}, {"graphs", s->graphs_ns}, {"graphs from the cache", s->loaded_ns}};
    struct str words = STR("");

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].ns >= 0)
            words = arena_printf(f->arena, "%.*s%s%s %.2f s", STR_ARG(words), words.n ? ", " : "", parts[i].name,
                                 (double)parts[i].ns / 1e9);
    return words;
}

static struct str total_words(struct finder *f, const struct compile_start *s)
{
    struct str parts = part_words(f, s), total = STR("");

    if (s->total_ns >= 0)
        total = arena_printf(f->arena, "%.2f s", (double)s->total_ns / 1e9);
    if (s->total_ns < 0 || parts.n == 0)
        return total.n ? total : parts;
    return arena_printf(f->arena, "%.*s (%.*s)", STR_ARG(total), STR_ARG(parts));
}

static const char *line_words(const struct start_line *l)
{
    static const char *const words[START_LINE_KINDS] = {
        [START_LINE_CACHE] = "Using cache directory", [START_LINE_DYNAMO] = "Dynamo bytecode transform time",
        [START_LINE_GRAPH] = "Compiling a graph",     [START_LINE_LOADED] = "Directly load the compiled graph(s)",
        [START_LINE_TOTAL] = "in total",              [START_LINE_ENGINE] = "init engine",
        [START_LINE_CAPTURED] = "Capture cuda graph end", [START_LINE_CAPTURING] = "Capturing batches"};

    return words[l->kind];
}

static bool has_long_gap(const struct compile_start *s)
{
    return s->gap_s >= LONG_GAP_S && s->gap_s > s->total_ns / 1000000000;
}

/* The clock shows much more time than the lines report. */
static void add_gap(struct finder *f, const struct compile_start *s)
{
    struct finding *x = finding_add(f, "printed-times", FINDING_MEDIUM);
    struct str total = total_words(f, s);

    x->title =
        arena_printf(f->arena,
                     "Compiling took %.*s by vLLM's count, but %.*s more pass from %.*s to %.*s, and no line says "
                     "what for",
                     STR_ARG(total), STR_ARG(span_words(f, s->gap_s)), STR_ARG(clock_words(f, s->gap_from->clock_s)),
                     STR_ARG(clock_words(f, s->gap_to->clock_s)));
    x->detail = arena_printf(f->arena, "The line before that time is \"%s\", the line after it \"%s\".",
                             line_words(s->gap_from), line_words(s->gap_to));
    if (s->engine_ns >= 0)
        x->detail = arena_printf(f->arena, "%.*s The engine was ready after %.2f s in all.", STR_ARG(x->detail),
                                 (double)s->engine_ns / 1e9);
    x->fix = STR("The times that vLLM counts do not include it. See what the process does then: `py-spy dump --pid "
                 "PID`, several times.");
}

static const struct compile_start *start_with_gap(struct finder *f)
{
    const struct compile_start *longest = NULL;

    for (size_t i = 0; i < f->run->processes.n; i++) {
        struct compile_starts starts;

        starts_find(f->arena, f->run->processes.v[i], &starts);
        for (size_t k = 0; k < starts.list.n; k++)
            if (has_long_gap(&starts.list.v[k]) && (!longest || starts.list.v[k].gap_s > longest->gap_s))
                longest = &starts.list.v[k];
    }
    return longest;
}

static struct str list_starts(struct finder *f, const struct compile_starts *starts)
{
    struct str words = STR("");

    for (size_t i = 0; i < starts->list.n && i < SHOWN_STARTS; i++) {
        const struct compile_start *s = &starts->list.v[i];
        struct str total = total_words(f, s), where = start_cache_name(s);

        words = arena_printf(f->arena, "%.*s%sStart %zu: ", STR_ARG(words), i ? " " : "", i + 1);
        if (s->directory.n)
            words = arena_printf(f->arena, "%.*scache directory `%.*s`, ", STR_ARG(words),
                                 STR_ARG(where.n ? where : s->directory));
        words = arena_printf(f->arena, "%.*s%.*s.", STR_ARG(words), STR_ARG(total.n ? total : STR("no times")));
    }
    if (starts->list.n > SHOWN_STARTS)
        words = arena_printf(f->arena, "%.*s And %zu more.", STR_ARG(words), starts->list.n - SHOWN_STARTS);
    return words;
}

/* The first start with another directory than the one before it; NULL if there is none. */
static const struct compile_start *with_other_cache(const struct compile_starts *starts)
{
    for (size_t i = 1; i < starts->list.n; i++) {
        const struct compile_start *a = &starts->list.v[i - 1], *b = &starts->list.v[i];

        if (a->directory.n && b->directory.n && !str_eq(a->directory, b->directory))
            return b;
    }
    return NULL;
}

/* " (60.97 s, 60.79 s)" */
static struct str list_totals(struct finder *f, const struct compile_starts *starts)
{
    struct str words = STR("");

    for (size_t i = 0; i < starts->list.n && i < SHOWN_STARTS; i++)
        if (starts->list.v[i].total_ns >= 0)
            words = arena_printf(f->arena, "%.*s%s%.2f s", STR_ARG(words), words.n ? ", " : " (",
                                 (double)starts->list.v[i].total_ns / 1e9);
    return words.n ? arena_printf(f->arena, "%.*s)", STR_ARG(words)) : words;
}

/* Why two starts have different directories; the names are empty where a path has none, as when it is redacted. */
static struct str why_other_cache(struct finder *f, struct str name, struct str before)
{
    const char *hash = "The name of the directory is a hash of vLLM's configuration, its `VLLM_*` variables, its code "
                       "and the versions: compare these between the starts. `VLLM_LOGGING_LEVEL=DEBUG` prints a hash "
                       "of each (env, cfg, comp, code): where only env differs, it is an environment variable, such as "
                       "one with the address or the name of a pod or host. Give it the same value in each start.";
    const char *root = "The cache is kept where `VLLM_CACHE_ROOT` says, otherwise in the home directory: set it to "
                       "one directory that all starts see.";

    if (name.n && before.n)
        return str_of(str_eq(name, before) ? root : hash);
    return arena_printf(f->arena, "%s %s", hash, root);
}

static void add_other_cache(struct finder *f, const struct compile_starts *starts, const struct compile_start *other)
{
    struct finding *x = finding_add(f, "printed-times", FINDING_MEDIUM);
    struct str name = start_cache_name(other), before = start_cache_name(other - 1);
    bool named = name.n && before.n && !str_eq(name, before);

    x->fix = why_other_cache(f, name, before);
    x->detail = list_starts(f, starts);
    x->title = arena_printf(f->arena,
                            "Compiled in each of %zu starts%.*s: the cache directory changed from `%.*s` to `%.*s`, so "
                            "nothing was reused",
                            starts->list.n, STR_ARG(list_totals(f, starts)),
                            STR_ARG(named ? before : other[-1].directory), STR_ARG(named ? name : other->directory));
}

/* Each start compiled what the one before it had stored in the same directory. */
static bool lost_cache(const struct compile_starts *starts)
{
    const struct compile_start *first = starts->list.v;

    vec_each(const struct compile_start, s, &starts->list)
        if (s->graphs_ns <= 0 || s->loaded_ns > 0 || s->directory.n == 0 || !str_eq(s->directory, first->directory))
            return false;
    return true;
}

static void add_starts(struct finder *f, const struct compile_starts *starts)
{
    struct finding *x = finding_add(f, "printed-times", FINDING_INFO);

    x->title = arena_printf(f->arena, "The text has %zu starts, which compiled each for itself%.*s", starts->list.n,
                            STR_ARG(list_totals(f, starts)));
    x->detail = list_starts(f, starts);
    x->fix = lost_cache(starts)
                 ? STR("Each start compiled its graphs, though all name the same cache directory: most likely it does "
                       "not last between them, as in a container without a volume, or is switched off "
                       "(`VLLM_DISABLE_COMPILE_CACHE`). Keep it on a disk that stays: `VLLM_CACHE_ROOT`.")
                 : STR("A trace shows which function and graph it was for: run once with TORCH_TRACE=DIR.");
}

/* False if there is nothing to say of vLLM's starts beyond the longest total. */
static bool find_starts(struct finder *f, const struct process *p)
{
    const struct compile_start *gap = start_with_gap(f), *other;
    struct compile_starts starts;

    starts_find_all(f->arena, f->run, p, &starts);
    other = with_other_cache(&starts);
    if (gap)
        add_gap(f, gap);
    if (other)
        add_other_cache(f, &starts, other);
    else if (starts.list.n > 1)
        add_starts(f, &starts);
    return gap || starts.list.n > 1;
}

/* --- SGLang's capture --------------------------------------------------------------------------------------------- */

enum { LONG_CAPTURE_S = 60 };

/* "SGLang's capture takes about 17.0 s for each of 24 batch sizes, 6 min 48 s in all; the text ends at 10" */
static struct str capture_words(struct finder *f, const struct captures *c)
{
    const struct start_line *l = c->longest;
    struct str out;

    if (l->kind == START_LINE_CAPTURED)
        return arena_printf(f->arena, "SGLang's capture of CUDA graphs took %.1f s", (double)c->ns / 1e9);
    out = arena_printf(f->arena, "SGLang's capture takes about %.1f s for each of %llu batch sizes, %.*s in all",
                       (double)l->ns / 1e9, (unsigned long long)l->all, STR_ARG(span_words(f, c->ns / 1000000000)));
    return l->done == l->all ? out
                             : arena_printf(f->arena, "%.*s; the text ends at %llu", STR_ARG(out),
                                            (unsigned long long)l->done);
}

/* False when vLLM's time is longer, or it took no time that matters. */
static bool find_capture(struct finder *f)
{
    struct captures c;
    struct finding *x;

    starts_find_captures(f->run, &c);
    if (!c.longest || c.ns < LONG_CAPTURE_S * INT64_C(1000000000) || c.ns < c.other_ns)
        return false;
    x = finding_add(f, "printed-times", FINDING_MEDIUM);
    x->title = capture_words(f, &c);
    if (c.other_ns >= 0)
        x->title = arena_printf(f->arena, "%.*s; vLLM compiled for %.1f s", STR_ARG(x->title),
                                (double)c.other_ns / 1e9);
    x->fix = STR("With `--enable-torch-compile` SGLang compiles while it captures, most likely each batch size for "
                 "itself, with autotuning. Fewer sizes take less: `--torch-compile-max-bs`, `--cuda-graph-max-bs`, and "
                 "the padding of CUDA graphs, which leaves sizes out (`--disable-cuda-graph-padding` compiles them "
                 "all). Keep the directory `TORCHINDUCTOR_CACHE_DIR` between starts. A trace shows what was compiled: "
                 "run once with TORCH_TRACE=DIR.");
    return true;
}

/* --- all printed times -------------------------------------------------------------------------------------------- */

/* vLLM's own means; a usual start compiles in a minute or two. */
static struct str fix_of_slow_vllm(struct finder *f, const struct process *p)
{
    return arena_printf(f->arena,
                        "Keep vLLM's cache of compiled code on a disk that stays (`VLLM_CACHE_ROOT`, by default "
                        "~/.cache/vllm): then only the first start compiles.%s To compile nothing, and run slower: "
                        "`--enforce-eager` (`enforce_eager=True`). While it compiles, `py-spy dump --native --pid PID` "
                        "shows what it does; a trace shows each step: run once with TORCH_TRACE=DIR.",
                        stated_has(&p->input->stated, STATED_FEW_CPUS)
                            ? " The worker has one CPU (`num_cpus`), which may be why it takes longer than elsewhere: "
                              "give it more."
                            : "");
}

#define COORDINATE_DESCENT                                                                                             \
    "Much of it is coordinate descent tuning, which times variants of each kernel "                                    \
    "(`torch._inductor.config.coordinate_descent_tuning`, which may be set by an option or by max-autotune): compare " \
    "with `False`, which tunes less."

/* Whether that takes a third of the time or more. */
static bool tunes_by_coordinates(const struct process *p, const struct printed_times *t)
{
    int64_t ns = 0;

    vec_each(const struct call_times, row, &p->times)
        if (str_eq(row->name, STR("CachingAutotuner.coordinate_descent_tuning")))
            vec_each(const int64_t, one, &row->each_ns) ns = *one > 0 && *one < INT64_MAX / 64 ? ns + *one : ns;
    return ns > 0 && ns >= t->total_ns / 3;
}

static bool is_of_2_0(const struct process *p, const struct printed_times *t)
{
    return t->old || (p->input && str_starts(p->input->stated.pytorch, STR("2.0.")));
}

static bool may_trace(const struct process *p)
{
    return names_has(NAME_VARIABLE, STR("TORCH_TRACE"), process_pytorch(p)) != NAME_ABSENT;
}

static struct str fix_of_printed_times(struct finder *f, struct finding *x, const struct process *p,
                                       const struct printed_times *t)
{
    static const int64_t slow_ns = 300 * 1000000000ll;
    struct str fix = tunes_by_coordinates(p, t) ? STR(COORDINATE_DESCENT) : fix_of_longest(t);

    if (t->total_ns >= slow_ns && p->input && stated_has(&p->input->stated, STATED_VLLM))
        return fix_of_slow_vllm(f, p);
    if (say_longest_compile(f, x, p))
        return arena_printf(f->arena,
                            "Keep the caches of compiled code between runs, or compile it in parts: compile time grows "
                            "with the graph.%s",
                            may_trace(p) ? " A trace shows each step: run once with TORCH_TRACE=DIR." : "");
    if (is_of_2_0(p, t))
        return arena_printf(f->arena,
                            "%.*s%sIn PyTorch 2.0 the cache has compiled kernels only: each process traces and lowers "
                            "the graphs again, also with a warm cache. Newer versions can keep the graphs, too.",
                            STR_ARG(fix), fix.n ? " " : "");
    if (p->input && stated_has(&p->input->stated, STATED_VLLM_RUNS))
        return arena_printf(f->arena,
                            "%.*s%svLLM's lines name each graph, and its time. Keep vLLM's cache directory between "
                            "starts.",
                            STR_ARG(fix), fix.n ? " " : "");
    if (!may_trace(p))
        return fix.n ? fix : STR("Keep the caches of compiled code between runs.");
    return arena_printf(f->arena, "%.*s%sA trace shows which function and graph it was for: run once with "
                                  "TORCH_TRACE=DIR.", STR_ARG(fix), fix.n ? " " : "");
}

/* The program printed its compile times, and nothing else is known about them: the printed times in one line. */
static void find_printed_times(struct finder *f)
{
    const struct timing *t = &f->answers->timing;
    const struct process *p = slowest_process(f->run, t);
    struct printed_times printed;
    struct finding *x;

    if (!t->has_events && find_capture(f))
        return;
    if (t->has_events || !p || t->process_wall_us[p->index] < printed_time_us || find_starts(f, p))
        return;
    printed_times_find(p, &printed);
    printed.is_sum &= printed.total_ns / 1000 == t->process_wall_us[p->index];
    printed.total_ns = t->process_wall_us[p->index] * 1000; /* or the metrics' total, if it is longer */
    x = finding_add(f, "printed-times", FINDING_INFO);
    x->title = arena_printf(f->arena, "Compiling took %.1f s%s%.*s%.*s", (double)printed.total_ns / 1e9,
                            printed.is_sum ? " (the sum of forward and backward)" : "", STR_ARG(rank_words(f, p)),
                            STR_ARG(longest_phases(f, &printed)));
    x->fix = fix_of_printed_times(f, x, p, &printed);
}

void find_slow(struct finder *f)
{
    find_printed_times(f);
    find_slow_phase(f);
    find_slow_function(f);
}

/* --- the backward graph ------------------------------------------------------------------------------------------- */

void find_late_backward(struct finder *f)
{
    struct finding *x = NULL;
    int64_t longest = 0;
    const struct compile *c;

    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));) {
        const struct metrics *m = compile_metrics(c, METRICS_BACKWARD);
        int64_t start, duration;

        if (!m || !metrics_interval(m, &start, &duration) || duration < long_backward_us)
            continue;
        if (!x)
            x = finding_add(f, "late-backward", FINDING_INFO);
        finding_cost_time(f, x, c->process, start, duration);
        finding_cost_compiles(f, x, c->process, 1);
        if (duration > longest) {
            longest = duration;
            finding_place(x, stack_user_call(c->stack));
        }
        finding_evidence(f, x, c);
    }
    if (!x)
        return;
    x->title = STR("The backward graph is compiled late: in the first backward call, after the forward has run");
    x->fix =
        STR("The first training step waits a second time, and other ranks with it. The forward call can compile both "
            "graphs:");
    finding_paste(x, PASTE_SETTING,
                  STR("import torch._functorch.config\n"
                      "torch._functorch.config.force_non_lazy_backward_lowering = True"));
}

/* --- a backward of the backward ----------------------------------------------------------------------------------- */

/* "grad, = torch.autograd.grad(score(x).sum(), x, create_graph=True)" */
static bool is_of_second_order(struct str source)
{
    static const struct str calls[] = {STR_INIT("autograd.grad("), STR_INIT(".backward(")};

    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        ptrdiff_t at = str_find(source, calls[i]), end;
        struct str arguments = at < 0 ? (struct str){0} : str_skip(source, (size_t)at + calls[i].n);

        end = python_find(arguments, STR(")"), PYTHON_TOP_LEVEL);
        if (str_has(end < 0 ? arguments : str_take(arguments, (size_t)end), STR("create_graph=True")))
            return true;
    }
    return false;
}

/* The line calls the compiled code. */
static const struct call *line_of_second_order(const struct compile *c)
{
    for (const struct call *call = c->stack; call; call = call->parent)
        if (!is_library_file(call->file) && is_of_second_order(call->source))
            return call;
    return NULL;
}

/*
 * AOTAutograd's backward refuses to be differentiated, whatever compiles its graphs. The error comes later, at the call
 * of the second backward, of which a trace has nothing.
 */
void find_double_backward(struct finder *f)
{
    struct finding *x = NULL;
    const struct compile *c;

    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));) {
        const struct call *line = compile_artifact(c, ARTIFACT_AOT_JOINT_GRAPH) ? line_of_second_order(c) : NULL;

        if (!line || (x && (x->line != line->line || !str_eq(x->file, line->file))))
            continue;
        if (!x) {
            x = finding_add(f, "double-backward", FINDING_MEDIUM);
            x->title = STR("A gradient of compiled code is asked for with `create_graph=True`");
            x->detail = STR("AOTAutograd compiles no second derivative.");
            x->fix = STR("Differentiating this gradient again fails: `does not currently support double backward`. "
                         "Call the module without compilation in this line (a compiled module has it as "
                         "`_orig_mod`), or compute the gradient inside of the compiled function, by `grad` of "
                         "functorch. If it is never differentiated, leave out `create_graph=True`.");
            finding_place(x, line);
        }
        finding_evidence(f, x, c);
    }
}
