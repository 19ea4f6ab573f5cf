#include "torchlog/notes/note.h"

#include "text/stated/prose.h"
#include "text/stated/stated_text.h"
#include "torchlog/crash/crash_lines.h"
#include "torchlog/crash/measured.h"
#include "torchlog/numbers/contrast.h"
#include "torchlog/numbers/flagged.h"
#include "torchlog/notes/backends.h"
#include "torchlog/notes/calls.h"
#include "torchlog/numbers/kernels.h"
#include "torchlog/numbers/levels.h"
#include "torchlog/numbers/overhead.h"
#include "torchlog/notes/explained.h"
#include "torchlog/notes/options.h"
#include "torchlog/notes/printed.h"
#include "torchlog/notes/shown.h"
#include "torchlog/numbers/settings.h"
#include "torchlog/notes/slices.h"
#include "torchlog/notes/stale.h"
#include "torchlog/notes/starts.h"
#include "torchlog/numbers/steps.h"
#include "torchlog/numbers/types.h"
#include "torchlog/numbers/versions.h"
#include "torchlog/notes/subject.h"
#include "torchlog/topics/topics.h"
#include "torchlog/numbers/unrolled.h"
#include "util/utf8.h"

/* A program's numbers mean something only in a text that also names the compiler. */
enum beside { BESIDE_ANYTHING, BESIDE_COMPILER };

/* What the whole text shows, and no single line of it. */
enum whole {
    WHOLE_NOTHING,
    WHOLE_MEMORY,
    WHOLE_STAGES,
    WHOLE_VALUES,
    WHOLE_DRAWN,
    WHOLE_PROCESSES,
    WHOLE_UNWAITED,
    WHOLE_CONSTANTS,
    WHOLE_STEPS,
    WHOLE_KERNELS,
    WHOLE_START,
    WHOLE_LOOKUPS,
    WHOLE_MASKS,
    WHOLE_RANDOM,
    WHOLE_OVERFLOW,
    WHOLE_AUTOCAST,
    WHOLE_SUBNORMAL,
    WHOLE_TRACED,
    WHOLE_REFUSED,
    WHOLE_COMPILERS,
    WHOLE_PAIRS,
    WHOLE_FLAGGED,
    WHOLE_FALLEN,
    WHOLE_COLD,
    WHOLE_SETTINGS,
    WHOLE_FROZEN,
    WHOLE_PARALLEL,
    WHOLE_EAGERLY,
    WHOLE_MODE,
    WHOLE_STALE,
    WHOLE_UNROLLED,
    WHOLE_NAMED,
    WHOLE_SHOWN,
    WHOLE_TYPES,
    WHOLE_VERSIONS,
    WHOLE_HOOKS,
    WHOLE_SLICE,
    WHOLE_OVERHEAD,
    WHOLE_CYCLE,
    WHOLE_TOPIC,
    WHOLE_CHECK,
    WHOLE_CHOSEN,
    WHOLE_TWICE,
    WHOLE_FAILS,
    WHOLE_TRANSFORMED,
    WHOLE_EXPLAINED,
    WHOLE_MISPLACED,
    WHOLE_MISSPELLED,
    WHOLE_FIXED_SIZES,
    WHOLE_SKIPPED,
    WHOLE_RECORDED,
    WHOLE_WAITED,
    WHOLES
};

/* What the times of a function's calls show. */
enum calls { CALLS_NOTHING, CALLS_COMPILE_AGAIN, CALLS_RECORD };

#define UNROLLED "one line becomes many operators"

/*
 * A line must contain all words of `all`, at least one of `any`, and what is `measured`; the first matching row counts.
 * With a `lead`, the message is the lead and the first matching lines; otherwise it is the first one. What a program
 * measured, or the `whole` text shows, counts where its writer complains `of` that, or of nothing; a row of a complaint
 * alone has its sentence.
 */
static const struct note_row {
    const char *all, *any, *lead;
    enum measured measured;
    enum whole whole;
    enum complaint of;
    enum beside beside;
    bool outranks; /* ... what is only a warning */
    bool stays;    /* ... beside what is known of compiles, whatever the writer complains of */
    bool warns; /* it is a logger's or library's warning */
    bool wrapped; /* ... of several lines */
    bool subject; /* the message says what the text is about, and quotes the line that shows it */
    enum calls calls; /* of times */
} rows[] = {
    /* key_averages().table() of torch.profiler: a compiled graph (2.2 and later), and AOTAutograd's function */
    {.all = "Torch-Compiled Region: \t%\ts "},
    {.all = "CompiledFxGraph \t%\ts "},
    {.all = "CompiledFunction\t%\ts "},
    /* what torch.export and Inductor make, printed */
    {.all = "ExportedProgram:"},
    {.all = "async_compile = AsyncCompile()"},
    {.all = "_orig_mod.training", .lead = "the flag `training` of a compiled module", .beside = BESIDE_COMPILER},
    /* parameters of a compiled module have other names: transformers, safetensors, diffusers, Lightning, ComfyUI */
    {.all = "_orig_mod.",
     .any = "WARN\narning\n key\nkeys\nnot used\nnot initialized\nnewly initialized\nnot in\nnot found\n"
            "not loaded\nnot expected\n[\n{",
     .warns = true},
    /* vLLM */
    {.whole = WHOLE_SKIPPED,
     .lead = "a dispatch mode keeps a function from being compiled",
     .outranks = true,
     .stays = true},
    {.whole = WHOLE_RECORDED, .lead = "CUDA graphs are recorded again and again", .outranks = true, .stays = true},
    {.whole = WHOLE_WAITED, .lead = "no hang, the workers were compiling", .outranks = true, .stays = true},
    {.whole = WHOLE_START, .lead = "a server's start", .outranks = true, .stays = true},
    {.all = "torch_compile_cache", .any = "sing cache directory"},
    /* a node of ComfyUI */
    {.all = "artial torch compile only", .warns = true},
    /* cudagraph_trees.py; its first words, which a window of 80 columns does not cut */
    {.all = "CUDAGraph supports dynamic shapes by recording a new graph for each distinct",
     .warns = true,
     .wrapped = true},
    /* WorkRegistry, when the process ends */
    {.whole = WHOLE_UNWAITED, .lead = "collectives that nothing waited for, when the process ended", .warns = true},
    /* a logger's warning about what is ours */
    {.all = "WARN",
     .any = "torch.compile\ntorch compile\n_dynamo\ntorchdynamo\n_inductor\ncudagraph\nCUDA graph\nCUDAGraph",
     .warns = true},
    {.all = "[W", .any = "torch.compile\ntorch compile", .warns = true},
    /* TORCHINDUCTOR_PROFILE */
    {.all = "GB/s\ttriton_", .lead = "the speed of Inductor's kernels"},
    {.whole = WHOLE_COMPILERS, .lead = "a compiler is at work", .beside = BESIDE_COMPILER, .stays = true},
    {.any = "_inductor/compile_worker/__main__.py\nwarm_pool\nSubprocPool\ncompile worker",
     .lead = "processes that compile kernels"},
    {.whole = WHOLE_PROCESSES, .lead = "processes of one parent", .beside = BESIDE_COMPILER},
    {.whole = WHOLE_PARALLEL,
     .of = COMPLAINT_SLOW,
     .lead = "most likely nothing is compiled: DataParallel wraps the model",
     .beside = BESIDE_COMPILER,
     .outranks = true},
    /* torchao/quantization/autoquant.py, among the lines of the autotuner */
    {.all = "warning: failed to autoquant\t due to ", .outranks = true, .warns = true},
    /* torch._dynamo.utils.counters */
    {.whole = WHOLE_TRACED, .lead = "very large graphs", .outranks = true, .stays = true},
    /* unimplemented_with_warning of torch/_dynamo/exc.py, and what replaced it (seen in 2.5 and 2.13) */
    {.whole = WHOLE_REFUSED, .lead = "the backend refuses graphs", .outranks = true, .stays = true},
    {.all = "unique_graphs", .lead = "counters of the compiler"},
    /* what programs call it */
    {.any = "Compilation time: \nCompile time: \nompilation took \nompile took ",
     .measured = MEASURED_TIME,
     .lead = "how long compiling took",
     .beside = BESIDE_COMPILER,
     .outranks = true},
    /* torch/onnx/_internal/exporter/_core.py, with a check mark; onnxruntime, of the exported model */
    {.all = "Got invalid dimensions for input",
     .lead = "an exported model refuses its input",
     .beside = BESIDE_COMPILER},
    {.all = "Translate the graph into ONNX...\t\xe2\x9c\x85", .lead = "the export to ONNX succeeded"},
    {.whole = WHOLE_CONSTANTS,
     .lead = "graphs that differ only in a string",
     .beside = BESIDE_COMPILER,
     .outranks = true,
     .stays = true},
    {.whole = WHOLE_MISPLACED,
     .lead = "an option at the wrong place",
     .beside = BESIDE_COMPILER,
     .outranks = true,
     .stays = true},
    {.whole = WHOLE_MISSPELLED,
     .lead = "a variable that PyTorch does not read",
     .beside = BESIDE_COMPILER,
     .stays = true},
    /* torch._dynamo.explain, without its list of reasons */
    {.whole = WHOLE_EXPLAINED, .lead = "graphs that break", .outranks = true, .stays = true},
    {.whole = WHOLE_FIXED_SIZES,
     .lead = "dynamic shapes are off, by a library's option",
     .beside = BESIDE_COMPILER,
     .stays = true},
    /* a log of eager mode and one of compiled code, which may name nothing else */
    {.whole = WHOLE_STEPS, .of = COMPLAINT_SLOW, .lead = "steps that are slow only at first", .stays = true},
    {.whole = WHOLE_VERSIONS,
     .lead = "it is worse only with",
     .beside = BESIDE_COMPILER,
     .outranks = true,
     .stays = true},
    {.whole = WHOLE_TYPES,
     .lead = "numbers of another type",
     .beside = BESIDE_COMPILER,
     .outranks = true,
     .stays = true},
    {.whole = WHOLE_FALLEN,
     .of = COMPLAINT_SLOW,
     .lead = "a speed that falls and stays low",
     .beside = BESIDE_COMPILER},
    {.whole = WHOLE_COLD, .of = COMPLAINT_SLOW, .lead = "the time contains the compile", .beside = BESIDE_COMPILER},
    {.whole = WHOLE_KERNELS, .of = COMPLAINT_SLOW, .lead = "a kernel", .beside = BESIDE_COMPILER},
    {.whole = WHOLE_LOOKUPS, .of = COMPLAINT_SLOW, .lead = "what Dynamo does before each call",
     .beside = BESIDE_COMPILER},
    {.whole = WHOLE_MASKS, .of = COMPLAINT_SLOW, .lead = "create_block_mask takes longest",
     .beside = BESIDE_COMPILER},
    {.whole = WHOLE_CYCLE, .of = COMPLAINT_MEMORY, .lead = "memory that `gc.collect()` gives back",
     .beside = BESIDE_COMPILER},
    {.whole = WHOLE_AUTOCAST, .of = COMPLAINT_MEMORY, .lead = "memory with autocast and the compiler together",
     .beside = BESIDE_COMPILER},
    /* one of the settings that were tried */
    {.any = "LAYOUT_OPTIMIZATION=0\nlayout_optimization = False\nlayout_optimization=False",
     .lead = "Inductor's layout of convolutions"},
    /* what programs print of compiled code */
    {.whole = WHOLE_MEMORY, .of = COMPLAINT_MEMORY, .lead = "memory that rises", .beside = BESIDE_COMPILER},
    /* results that differ are the complaint, whatever else is said */
    {.whole = WHOLE_CHECK,
     .of = COMPLAINT_WRONG,
     .lead = "a check that compiled code does not make",
     .beside = BESIDE_COMPILER,
     .outranks = true},
    {.whole = WHOLE_CHOSEN,
     .of = COMPLAINT_WRONG,
     .lead = "a value that is chosen once, while the function is compiled",
     .beside = BESIDE_COMPILER,
     .outranks = true},
    {.whole = WHOLE_TWICE,
     .of = COMPLAINT_WRONG,
     .lead = "one tensor is given twice to an autograd.Function",
     .beside = BESIDE_COMPILER},
    /* the code that the text shows */
    {.whole = WHOLE_SHOWN, .lead = "", .beside = BESIDE_COMPILER},
    {.whole = WHOLE_UNROLLED, .of = COMPLAINT_SLOW, .lead = UNROLLED, .beside = BESIDE_COMPILER},
    {.whole = WHOLE_UNROLLED, .of = COMPLAINT_COMPILING, .lead = UNROLLED, .beside = BESIDE_COMPILER},
    /* subjects whose answer is known */
    {.whole = WHOLE_TOPIC, .lead = "", .beside = BESIDE_COMPILER, .stays = true},
    {.whole = WHOLE_STAGES,
     .of = COMPLAINT_COMPILING,
     .lead = "compiling takes longest",
     .beside = BESIDE_COMPILER},
    {.whole = WHOLE_TRANSFORMED,
     .of = COMPLAINT_WRONG,
     .lead = "a backward that a compiled `grad` or `vjp` does not use",
     .beside = BESIDE_COMPILER},
    {.whole = WHOLE_HOOKS,
     .of = COMPLAINT_WRONG,
     .lead = "hooks that compiled code does not see",
     .beside = BESIDE_COMPILER},
    {.whole = WHOLE_SLICE,
     .of = COMPLAINT_WRONG,
     .lead = "a write in place into a slice, most likely lost",
     .beside = BESIDE_COMPILER},
    {.whole = WHOLE_STALE,
     .of = COMPLAINT_WRONG,
     .lead = "compiled code does not see a change of a class",
     .beside = BESIDE_COMPILER},
    {.whole = WHOLE_SUBNORMAL,
     .of = COMPLAINT_WRONG,
     .lead = "numbers near 0 become 0",
     .beside = BESIDE_COMPILER},
    {.whole = WHOLE_SETTINGS,
     .of = COMPLAINT_WRONG,
     .lead = "only some settings are wrong",
     .beside = BESIDE_COMPILER},
    {.whole = WHOLE_VALUES,
     .of = COMPLAINT_WRONG,
     .lead = "the compiled result is wrong",
     .beside = BESIDE_COMPILER},
    {.whole = WHOLE_FAILS,
     .of = COMPLAINT_WRONG,
     .lead = "a backend fails",
     .beside = BESIDE_COMPILER},
    {.whole = WHOLE_DRAWN,
     .of = COMPLAINT_WRONG,
     .lead = "results that differ, of a program with random numbers",
     .beside = BESIDE_COMPILER},
    {.whole = WHOLE_PAIRS, .of = COMPLAINT_SLOW, .lead = "compiled code is slower", .beside = BESIDE_COMPILER},
    {.whole = WHOLE_OVERHEAD,
     .of = COMPLAINT_SLOW,
     .lead = "compiled calls take longer, by microseconds",
     .beside = BESIDE_COMPILER},
    {.whole = WHOLE_MODE,
     .of = COMPLAINT_SLOW,
     .lead = "most likely nothing is compiled, after a dispatch mode",
     .beside = BESIDE_COMPILER},
    {.whole = WHOLE_EAGERLY,
     .of = COMPLAINT_SLOW,
     .lead = "compiled code takes as long as eager mode",
     .beside = BESIDE_COMPILER},
    {.measured = MEASURED_TIME,
     .of = COMPLAINT_SLOW,
     .lead = "a second call that is slow, and later ones that are not",
     .beside = BESIDE_COMPILER,
     .calls = CALLS_RECORD},
    {.measured = MEASURED_TIME,
     .of = COMPLAINT_SLOW,
     .lead = "a later call that took as long as a compile",
     .beside = BESIDE_COMPILER,
     .calls = CALLS_COMPILE_AGAIN},
    {.whole = WHOLE_FLAGGED, .of = COMPLAINT_WRONG, .lead = "one result is far off", .beside = BESIDE_COMPILER},
    {.measured = MEASURED_DIFFERENCE,
     .of = COMPLAINT_WRONG,
     .lead = "a comparison of results",
     .beside = BESIDE_COMPILER},
    {.whole = WHOLE_FROZEN, .of = COMPLAINT_WRONG, .lead = "a value that stays what it was when it was compiled",
     .beside = BESIDE_COMPILER},
    {.whole = WHOLE_RANDOM, .of = COMPLAINT_WRONG, .lead = "random numbers under one seed",
     .beside = BESIDE_COMPILER},
    {.whole = WHOLE_OVERFLOW, .of = COMPLAINT_WRONG, .lead = "half precision that overflows only uncompiled",
     .beside = BESIDE_COMPILER},
    {.measured = MEASURED_NAN, .of = COMPLAINT_WRONG, .lead = "values that are no number", .beside = BESIDE_COMPILER},
    {.measured = MEASURED_MEMORY,
     .of = COMPLAINT_MEMORY,
     .lead = "memory that the program measured",
     .beside = BESIDE_COMPILER},
    /* what the writer complains of */
    {.of = COMPLAINT_WRONG, .lead = "its writer says that results are wrong", .beside = BESIDE_COMPILER},
    {.of = COMPLAINT_HANG, .lead = "its writer says that the program hangs", .beside = BESIDE_COMPILER},
    {.of = COMPLAINT_MEMORY, .lead = "its writer says that memory grows", .beside = BESIDE_COMPILER},
    /* a guard's words, outside of a log: a hook of a program prints them */
    {.any = "GuardFail(reason=\nsize mismatch at index", .lead = "a guard that failed", .beside = BESIDE_COMPILER},
    {.measured = MEASURED_TIME,
     .of = COMPLAINT_SLOW,
     .lead = "times that the program measured",
     .beside = BESIDE_COMPILER},
    {.of = COMPLAINT_COMPILING, .lead = "its writer says that compiling takes long", .beside = BESIDE_COMPILER},
    {.of = COMPLAINT_SLOW, .lead = "its writer says that it is slow", .beside = BESIDE_COMPILER},
    /* a program, or a question about one */
    {.any = "torch.compile\ntorch_compile\ntorch compile\nTorch compile\nTorch.compile\nTorchCompile\n_dynamo\n"
            "torchdynamo\nTorchDynamo\nTORCHDYNAMO\n_inductor\nTorchInductor\ntorchinductor\nTORCHINDUCTOR\n"
            "TORCH_LOGS\nTORCH_COMPILE\nTORCH_TRACE\ntorch.export\nAOTInductor\naoti_\nCUDAGraph\ncudagraph\n"
            "aot_eager\nbackend=\"inductor\nbackend='inductor\n"
            "flex_attention\nFlexAttention\nGraphModule\ncompiled_autograd\ncompiled autograd\naten::\naten.",
     .lead = "the compiler is named",
     .subject = true},
    {.whole = WHOLE_NAMED, .lead = "the compiler is named", .beside = BESIDE_COMPILER, .subject = true},
    /* torch.utils.collect_env */
    {.all = "PyTorch version: ", .lead = "the environment"},
};

static bool has_all(struct str line, struct str words)
{
    while (words.n)
        if (!str_has(line, str_split(&words, '\t')))
            return false;
    return true;
}

/* What is known of the text when one of its lines is looked at. */
struct around {
    bool compiler; /* it names the compiler */
    bool timed;    /* it reads a clock */
    enum calls calls;
    bool progress; /* its only times are a finished bar's, and what ComfyUI prints below it */
    bool of_memory; /* it has more lines with memory than with times: a program prints both, most often about time */
    enum complaint complaint;
    struct str sentence; /* ... in which it is made */
    struct series_found whole[WHOLES];
};

static bool has_place(struct str line, struct str words)
{
    return words.n && words.p >= line.p && words.p < line.p + line.n;
}

static bool fits(struct str line, enum measured measured, const struct around *x, const struct note_row *row)
{
    if ((row->beside == BESIDE_COMPILER && !x->compiler) || (row->calls && row->calls != x->calls) ||
        (row->measured == MEASURED_MEMORY && !x->of_memory))
        return false;
    if (row->measured == MEASURED_TIME && x->progress && x->complaint != COMPLAINT_SLOW)
        return false;
    if (row->measured && (measured != row->measured || (x->complaint && row->of && x->complaint != row->of)))
        return false;
    if (row->whole)
        return (!x->complaint || !row->of || x->complaint == row->of) && has_place(line, x->whole[row->whole].line);
    if (row->of && !row->measured)
        return x->complaint == row->of && has_place(line, x->sentence);
    return has_all(line, str_of(row->all)) && (!row->any || str_has_any_line(line, str_of(row->any)));
}

/* Words that only this compiler has, and ones that are its own beside PyTorch's name; in small letters. */
static bool is_about_compiler(struct arena *a, struct str text)
{
    static const char ours[] = "torch.compile\ntorch_compile\ntorch-compile\ntorch compile\ntorchdynamo\n"
                               "torchinductor\ntorch._dynamo\ntorch._inductor\nmax-autotune\nmax_autotune\n"
                               "reduce-overhead\nmark_dynamic\ntorch_trace\ncompiled training\ncompiled generate\n"
                               "aot_eager\naotinductor\naotautograd\nflex_attention\ncreate_block_mask\n"
                               "torch.export\n_orig_mod\ncompiled model\ndynamic=true\ndynamic=false\n"
                               "fullgraph=\nenforce-eager\nenforce_eager\ncompilation-config\n"
                               "compilation_config\ncudagraph_mode\nrecompile_limit\nsuppress_errors\noptimize_ddp\n"
                               "emulate_precision_casts\nfallback_random\ncoordinate_descent\n"
                               "activation_memory_budget\ndonated_buffer\nset_stance\nallow_in_graph\n"
                               "nonstrict_trace\nnested_compile_region\nguard_filter_fn\ntorch_logs\n"
                               "dynamo_backend\ncompile_sizes\nuse_inductor\nreference_compile\nexecutorch\n"
                               "exportedprogram\nrun_decompositions\naoti_\naotimodel\nonnx.export\n"
                               "unsloth_compiled_cache";
    static const char names[] = "torch\nvllm\nsglang\ndiffusers\ncomfyui";
    static const char compilers[] = "ompile\nompiling\nompilation\nnductor\nynamo\ncudagraph\ncuda graph";
    enum { READ_MAX = 64 << 10 }; /* what a person writes is shorter */
    struct str begin = str_take(text, READ_MAX), lower = str_lower(begin, arena_alloc(a, begin.n + 1), begin.n + 1);

    return str_has_any_line(lower, str_of(ours)) ||
           (str_has_any_line(lower, str_of(names)) && str_has_any_line(lower, str_of(compilers)));
}

/* --- profiles ----------------------------------------------------------------------------------------------------- */

enum { ROWS = sizeof rows / sizeof *rows, PROFILES = 3, TABLES = 5, SHOWN = 3, SHOWN_MAX = 120, LOOKED_AT = 480 };
enum { TOTAL_SHARE = 3, TOTAL = 4 }; /* columns of "CPU total" */

/* The cell of a row whose cells are two blanks or more apart. */
static struct str cell(struct str row, size_t column)
{
    row = str_trim(row);
    for (;; column--) {
        ptrdiff_t end = str_find(row, STR("  "));

        if (column == 0 || end < 0)
            return column == 0 ? str_take(row, end < 0 ? row.n : (size_t)end) : (struct str){0};
        row = str_trim(str_skip(row, (size_t)end));
    }
}

/* The first compiled graphs of the table, which is sorted by what the reader asked for. */
static struct str profile(struct arena *a, struct str text, const struct note_row *row)
{
    struct str line, out = {0};
    size_t n = 0;

    while (str_next_line(&text, &line)) {
        struct str share = cell(line, TOTAL_SHARE), time = cell(line, TOTAL);

        if (!fits(line, MEASURED_NOTHING, &(struct around){0}, row) || !str_ends(share, STR("%")) || n++ >= SHOWN)
            continue;
        out = arena_printf(a, "%.*s%s%.*s %.*s of the CPU's time (%.*s)", STR_ARG(out), out.n ? ", " : "",
                           STR_ARG(cell(line, 0)), STR_ARG(share), STR_ARG(time));
    }
    if (n > SHOWN)
        out = arena_printf(a, "%.*s, and %zu more", STR_ARG(out), n - SHOWN);
    return out.n ? arena_printf(a, "a profile of torch.profiler: %.*s", STR_ARG(out)) : out;
}

/* Of a table: those up to blank ones, in both directions. */
static uint64_t lines_around(struct str text, uint64_t number)
{
    struct str line;
    uint64_t n = 0;

    for (uint64_t i = 1; str_next_line(&text, &line); i++) {
        if (str_trim(line).n == 0 && i > number)
            break;
        n = str_trim(line).n ? n + 1 : 0;
    }
    return n;
}

/* --- any other -------------------------------------------------------------------------------------------------- */

/* Columns need no blanks in a sentence. */
static struct str squeezed(struct arena *a, struct str line)
{
    struct str out = {0}, rest = line;

    while ((rest = str_trim(rest)).n) {
        size_t n = 0;

        while (n < rest.n && rest.p[n] != ' ' && rest.p[n] != '\t')
            n++;
        out = out.n ? arena_printf(a, "%.*s %.*s", STR_ARG(out), (int)n, rest.p) : str_take(rest, n);
        rest = str_skip(rest, n);
    }
    return out;
}

static enum measured measured_at(struct str line, const struct around *x)
{
    return x->compiler ? measured_in(line, x->timed) : MEASURED_NOTHING;
}

static bool is_of_memory(struct str text, const struct around *x)
{
    size_t memory = 0, times = 0;
    struct str line;

    while (str_next_line(&text, &line)) {
        enum measured measured = measured_at(line, x);

        memory += measured == MEASURED_MEMORY;
        times += measured == MEASURED_TIME;
    }
    return x->complaint == COMPLAINT_MEMORY || memory > times;
}

/* "100%|####| 20/20 [03:02<00:00,  9.14s/it]" says that it ran; two of them may be compared. */
static bool is_progress(struct str text, const struct around *x)
{
    size_t bars = 0;
    struct str line;

    while (str_next_line(&text, &line)) {
        bool bar = str_has(line, STR("<00:00"));

        if (!bar && measured_at(line, x) == MEASURED_TIME && !str_has(line, STR("Prompt executed in ")))
            return false;
        bars += bar;
    }
    return bars < 2;
}

/* Where random numbers are drawn, results differ that are right. */
static void look_at_values(struct arena *a, struct str text, const struct prose *prose, struct around *x)
{
    struct series_found found = printed_stages(a, text, x->complaint != COMPLAINT_WRONG);
    struct backends_found listed = backends_compare(a, text, prose);
    struct stated stated;

    x->whole[WHOLE_CHECK] = listed.check.line.n ? listed.check : backends_lost_check(a, text);
    x->whole[WHOLE_CHOSEN] = listed.chosen;
    x->whole[WHOLE_FAILS] = listed.fails;
    x->whole[WHOLE_TWICE] = backends_applied_twice(a, text, &listed);
    if (found.message.n == 0)
        found = listed.wrong;
    if (found.message.n == 0)
        found = printed_values(a, text, x->complaint != COMPLAINT_WRONG);
    if (found.message.n == 0)
        return;
    if (str_ends(found.message, STR(PRINTED_OVERFLOW))) {
        x->whole[WHOLE_OVERFLOW] = found;
        return;
    }
    stated_find(text, prose, &stated);
    x->whole[stated_has(&stated, STATED_RANDOM) ? WHOLE_DRAWN : WHOLE_VALUES] = found;
}

/* "| reduce-overhead | 9.6 | nan |": rows of modes say which of them is wrong. */
static bool has_wrong_mode(struct str text, const struct around *x)
{
    struct str line;

    while (str_next_line(&text, &line))
        if (str_has_any_line(line, STR("reduce-overhead\nmax-autotune")) && measured_at(line, x) == MEASURED_NAN)
            return true;
    return false;
}

/* Whether code and numbers of the text show more than the words of a topic do. */
static bool has_special(struct str text, const struct around *x)
{
    static const enum whole special[] = {WHOLE_HOOKS,  WHOLE_SLICE,  WHOLE_STALE,    WHOLE_SUBNORMAL,  WHOLE_SETTINGS,
                                         WHOLE_FROZEN, WHOLE_RANDOM, WHOLE_TRANSFORMED};

    if (x->complaint && x->complaint != COMPLAINT_WRONG)
        return false;
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        if (x->whole[special[i]].line.n)
            return true;
    return has_wrong_mode(text, x);
}

static void look_at_whole(struct arena *a, struct str text, const struct prose *prose, struct around *x)
{
    enum complaint subject;

    x->whole[WHOLE_UNWAITED] = printed_unwaited(a, text);
    x->whole[WHOLE_STEPS] = steps_slow_at_first(a, text);
    x->whole[WHOLE_START] = starts_parts(a, text);
    x->whole[WHOLE_WAITED] = starts_waited(a, text);
    x->whole[WHOLE_TRACED] = subject_traced(a, text);
    x->whole[WHOLE_SKIPPED] = subject_skipped(a, text);
    x->whole[WHOLE_RECORDED] = subject_recorded(a, text);
    x->whole[WHOLE_REFUSED] = subject_refused(a, text);
    if (x->complaint != COMPLAINT_WRONG && x->complaint != COMPLAINT_HANG && x->complaint != COMPLAINT_MEMORY)
        x->whole[WHOLE_EXPLAINED] = explained_breaks(a, text);
    if (!x->compiler)
        return;
    x->whole[WHOLE_MISPLACED] = options_misplaced(a, text);
    x->whole[WHOLE_MISSPELLED] = options_misspelled(a, text);
    x->whole[WHOLE_FIXED_SIZES] = options_fixed_sizes(a, text);
    x->whole[WHOLE_MEMORY] = series_of_memory(a, text);
    x->whole[WHOLE_PROCESSES] = printed_processes(a, text);
    x->whole[WHOLE_CONSTANTS] = printed_constants(a, text);
    x->whole[WHOLE_KERNELS] = kernels_slow(a, text);
    x->whole[WHOLE_LOOKUPS] = subject_lookups(a, text);
    x->whole[WHOLE_MASKS] = subject_masks(a, text);
    x->whole[WHOLE_RANDOM] = subject_random(a, text);
    x->whole[WHOLE_FROZEN] = subject_frozen(a, text);
    x->whole[WHOLE_PARALLEL] = subject_parallel(text);
    x->whole[WHOLE_TRANSFORMED] = subject_transformed(a, text);
    x->whole[WHOLE_HOOKS] = subject_hooks(a, text);
    x->whole[WHOLE_SLICE] = slices_lost(a, text);
    x->whole[WHOLE_OVERFLOW] = subject_overflow(a, text);
    x->whole[WHOLE_AUTOCAST] = subject_autocast(a, text);
    x->whole[WHOLE_FALLEN] = levels_fallen(a, text);
    x->whole[WHOLE_COLD] = calls_timed_cold(a, text);
    x->whole[WHOLE_SETTINGS] = settings_wrong(a, text);
    x->whole[WHOLE_VERSIONS] = versions_worse(a, text);
    x->whole[WHOLE_TYPES] = types_differ(a, text);
    x->whole[WHOLE_STALE] = stale_attribute(a, text);
    x->whole[WHOLE_UNROLLED] = unrolled_line(a, text);
    x->whole[WHOLE_NAMED].line = calls_named(text);
    x->whole[WHOLE_SUBNORMAL] = subject_subnormal(a, text);
    x->whole[WHOLE_COMPILERS] = printed_compilers(a, text);
    x->whole[WHOLE_PAIRS] = contrast_pairs(a, text);
    x->whole[WHOLE_OVERHEAD] = overhead_of_calls(a, text);
    x->whole[WHOLE_CYCLE] = subject_cycle(a, text);
    x->whole[WHOLE_MODE] = subject_mode(a, text);
    x->whole[WHOLE_EAGERLY] = contrast_equal(a, text);
    x->whole[WHOLE_FLAGGED] = flagged_difference(a, text);
    subject = subject_find(text).of;
    x->whole[WHOLE_SHOWN] = shown_cause(a, text, x->complaint ? x->complaint : subject);
    if (!has_special(text, x))
        x->whole[WHOLE_TOPIC] = topics_find(a, text, x->complaint, subject);
    look_at_values(a, text, prose, x);
    if (x->complaint == COMPLAINT_COMPILING)
        x->whole[WHOLE_STAGES] = series_of_stages(a, text);
}

/*
 * A first call that "takes forever" is no hang in a text that measures memory: of both complaints, the one that its
 * numbers are of counts.
 */
static enum complaint complaint_of(struct str text, const struct prose *prose, const struct around *x)
{
    enum { MEASURED_MIN = 3 };
    enum complaint complaint = prose_complaint(prose);
    size_t measured = 0;
    struct str line;

    if (complaint != COMPLAINT_HANG || !prose->complaints[COMPLAINT_MEMORY].n)
        return complaint;
    while (str_next_line(&text, &line)) {
        enum measured of = measured_at(line, x);
        bool stands_beside_time = of == MEASURED_TIME && str_has_any_line(line, STR(" MB\n GB\n MiB\n GiB"));

        measured += of == MEASURED_MEMORY || stands_beside_time;
    }
    return measured >= MEASURED_MIN ? COMPLAINT_MEMORY : complaint;
}

static struct around look_around(struct arena *a, struct str text, const struct prose *prose)
{
    struct around x = {.compiler = is_about_compiler(a, text)};
    struct prose own;

    if (!prose) {
        prose_read(text, &own);
        prose = &own;
    }
    x.timed = x.compiler && measured_times(text);
    if (x.compiler)
        x.calls = measured_recording(text, x.timed) ? CALLS_RECORD
                  : measured_again(text, x.timed)   ? CALLS_COMPILE_AGAIN
                                                    : CALLS_NOTHING;
    x.complaint = x.compiler ? complaint_of(text, prose, &x) : COMPLAINT_NONE;
    x.sentence = prose->complaints[x.complaint];
    x.of_memory = is_of_memory(text, &x);
    x.progress = is_progress(text, &x);
    look_at_whole(a, text, prose, &x);
    return x;
}

/* Of a paragraph of prose, the sentence that has the measurement. */
static struct str measuring_sentence(struct str line, const struct around *x, const struct note_row *row)
{
    struct str rest = line;

    while (row->measured && rest.n) {
        struct str sentence = str_next_sentence(&rest);

        if (measured_at(sentence, x) == row->measured)
            return sentence;
    }
    return line;
}

static bool ends_sentence(struct str line)
{
    return line.n == 0 || strchr(".:?!`#|>", line.p[line.n - 1]) != NULL;
}

/* Of a line that begins with the end of the sentence of the line before, what follows that, if it fits as well. */
static struct str without_end_of_other(struct str text, struct str line, const struct around *x,
                                       const struct note_row *row)
{
    struct str before = str_drop_any(str_range(text.p, line.p), " \t\n"), rest = str_trim(line);
    bool lower = rest.n && rest.p[0] >= 'a' && rest.p[0] <= 'z';

    if (!lower || ends_sentence(before) || line.p == text.p || line.p[-1] != '\n' ||
        str_range(before.p + before.n, line.p).n > 1)
        return line;
    str_next_sentence(&rest);
    rest = str_trim(rest);
    return rest.n && fits(rest, measured_at(rest, x), x, row) ? rest : line;
}

/* "times that the program measured: eager: 0.81 ms; compiled: 1.94 ms" */
static struct str listed(struct arena *a, struct str text, const struct around *x, const struct note_row *row)
{
    struct str line, out = str_of(row->lead), all = text;

    for (size_t n = 0; n < SHOWN && str_next_line(&text, &line);) {
        if (!fits(line, measured_at(line, x), x, row))
            continue;
        if (row->of && !row->measured)
            line = x->sentence;
        if (row->subject)
            line = without_end_of_other(all, line, x, row);
        line = measuring_sentence(line, x, row);
        line = utf8_shorten(a, squeezed(a, str_take(line, LOOKED_AT)), SHOWN_MAX);
        if (str_has(out, line))
            continue;
        out = arena_printf(a, "%.*s%s%.*s", STR_ARG(out), n++ ? "; " : ": ", STR_ARG(line));
    }
    return out;
}

/* "the compiler is named, in a text on memory: it needs 4 GB more than before" */
static struct str with_subject(struct arena *a, struct str text, const struct around *x, const struct note_row *row)
{
    struct subject subject = subject_find(text);

    if (subject.line.n == 0)
        return listed(a, text, x, row);
    return arena_printf(a, "%s%.*s: %.*s", row->lead, STR_ARG(subject.words),
                        STR_ARG(utf8_shorten(a, squeezed(a, subject.line), SHOWN_MAX)));
}

static size_t best_row(struct str text, const struct around *x, struct text_note *out)
{
    size_t best = ROWS;
    struct str line;

    for (uint64_t n = 1; best > 0 && str_next_line(&text, &line); n++) {
        enum measured measured = measured_at(line, x);

        for (size_t i = 0; i < best; i++)
            if (fits(line, measured, x, &rows[i])) {
                best = i;
                *out = (struct text_note){.message = str_trim(line), .number = n, .lines = 1};
            }
    }
    return best;
}

/* tqdm does not end the line of its bar, behind which the warning stands. */
static struct str without_bar(struct str line)
{
    size_t bar = crash_bar_length(line);

    return bar < line.n ? str_trim(str_skip(line, bar)) : line;
}

/* The lines of "CUDAGraph supports ... each distinct\ninput size. ...\nWe have observed 9 distinct sizes." as one. */
static struct str joined_lines(struct arena *a, struct str text, const struct text_note *note)
{
    enum { LINES_MAX = 4 };
    struct str rest = str_range(note->message.p, text.p + text.n), line, out = {0};

    for (size_t n = 0; n < LINES_MAX && str_next_line(&rest, &line); n++) {
        line = str_trim(n ? line : without_bar(line));
        if (line.n == 0 || line.n > LOOKED_AT || (n && crash_bar_length(line)) ||
            (str_ends(out, STR(".")) && !str_starts(line, STR("We have observed"))))
            break;
        out = n ? arena_printf(a, "%.*s %.*s", STR_ARG(out), STR_ARG(line)) : line;
    }
    return out.n ? out : note->message;
}

bool note_find(struct arena *a, struct str text, const struct prose *prose, struct text_note *out)
{
    struct around x = look_around(a, text, prose);
    size_t best = best_row(text, &x, out);

    if (best == ROWS)
        return false;
    if (best < TABLES)
        out->lines = lines_around(text, out->number);
    if (best < PROFILES)
        out->message = profile(a, text, &rows[best]);
    else if (rows[best].whole && !rows[best].subject)
        out->message = arena_printf(a, "%s%.*s", rows[best].lead, STR_ARG(x.whole[rows[best].whole].message));
    else if (rows[best].subject)
        out->message = with_subject(a, text, &x, &rows[best]);
    else if (rows[best].lead)
        out->message = listed(a, text, &x, &rows[best]);
    else if (rows[best].wrapped)
        out->message = joined_lines(a, text, out);
    else if (rows[best].warns)
        out->message = without_bar(out->message);
    out->warns = rows[best].warns;
    out->of = rows[best].measured == MEASURED_DIFFERENCE && measured_rounding(text) ? COMPLAINT_NONE : rows[best].of;
    out->outranks = rows[best].outranks;
    out->lost_check = rows[best].whole == WHOLE_CHECK;
    out->complained = rows[best].stays || (rows[best].of && x.complaint == rows[best].of);
    return out->message.n > 0;
}
