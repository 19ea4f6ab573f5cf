#include "torchlog/apply/log_kinds.h"

#include "text/graphs/cudagraph_text.h"
#include "text/guards/guard_reason.h"
#include "text/messages/explain_text.h"
#include "text/messages/metrics_text.h"
#include "text/messages/time_line.h"
#include "text/messages/times_text.h"
#include "torchlog/apply/apply.h"
#include "torchlog/crash/crash_lines.h"

#include <assert.h>
#include <pthread.h>

/* clang-format off */
#define TRACE (LOG_TRACING | LOG_JOINED)
#define FACTS (LOG_TRACING | LOG_FACTS)
#define PASTED LOG_HEADLESS
#define MODULE "" /* the log of a module: +dynamo, +aot, +inductor, dynamic */
#define BREAK "dynamo_graph_break_reason"
#define REASONS "recompile_reasons"
#define LOG "dynamo_log"
#define GUARDS "dynamo_cpp_guards_str"

#define NO_CUDAGRAPHS                                                                                                  \
    "skipping cudagraphs due to \nskipping cudagraph due to \ndisabling cudagraphs due to \n"                          \
    "disabling cudagraphs for backward due to "

const struct log_kind log_kinds[] = {
    /* Dynamo */
    {"graph_breaks",
     "Graph break in user code at \nGraph break (user stack suppressed\nGraph break (details suppressed", NULL,
     FACTS | PASTED | LOG_ONCE_PER_ATTEMPT, BREAK, apply_log_break},
    {"graph_breaks", "Graph break: ", NULL, FACTS | PASTED | LOG_FRAME, BREAK, apply_log_break},
    {"graph_breaks", NULL, NULL, FACTS, BREAK, apply_log_break},
    {MODULE, "Unsupported break in user code at ", NULL, FACTS | PASTED, BREAK, apply_log_repeated_break},
    {MODULE, "Graph break from `Tensor.item()`", NULL, TRACE | PASTED, LOG, apply_log_item_break},
    {NULL, "Graph break due to unsupported builtin \nDynamo does not know how to trace the builtin ", NULL,
     FACTS | PASTED | LOG_ALONE, BREAK, apply_log_builtin_break},
    {MODULE, "[Stack ", "Graph break: ", FACTS, BREAK, apply_log_break},
    {MODULE, "Graph break: from user code at", NULL, TRACE, LOG, NULL}, /* repeats what graph_breaks says */
    {MODULE, "Graph break: ", " from user code at", FACTS, BREAK, apply_log_break},
    {"recompiles", "Recompiling function ", NULL,
     FACTS | PASTED | LOG_FRAME | LOG_REASONS, REASONS, apply_log_recompile},
    {"recompiles_verbose", "Recompiling function ", NULL,
     FACTS | LOG_FRAME | LOG_REASONS, REASONS, apply_log_recompile},
    {"recompiles", NULL, NULL, FACTS | LOG_REASONS, REASONS, apply_log_recompile},
    {"recompiles_verbose", NULL, NULL, FACTS | LOG_REASONS, REASONS, apply_log_recompile},
    {MODULE, "torch._dynamo hit config.\ntorch._dynamo hit recompile_limit", NULL,
     TRACE | PASTED | LOG_FRAME, LOG, apply_log_limit},
    {MODULE, "function: '\nlast reason: ", NULL, TRACE | LOG_FRAME, LOG, apply_log_limit},
    {NULL, "tensor 'L[", " mismatch", PASTED | LOG_FACTS, REASONS, apply_log_bare_guard},
    {NULL, "[\"0/0: ", NULL, PASTED | LOG_FACTS | LOG_ALONE, REASONS, apply_log_bare_guard},
    {NULL, "___check_type_id(\n___check_obj_id(", NULL,
     PASTED | LOG_FACTS | LOG_ALONE, REASONS, apply_log_bare_guard},
    {NULL, "Encountered an exception in identify_", NULL, PASTED, LOG, NULL}, /* its traceback is why */
    {MODULE, "Backend compiler failed with ", NULL, FACTS | PASTED, BREAK, apply_log_backend_break},
    {MODULE, "Backend compiler exception\nWhile executing %\nHint: Report an issue to the backend compiler repo\n"
             "Developer debug context: Backend: ", NULL, FACTS, BREAK, apply_log_backend_exception},
    {MODULE, "torchdynamo start compiling ", NULL, TRACE | LOG_FRAME | LOG_ONCE, LOG, apply_log_start},
    {MODULE, "Step 1: torchdynamo start tracing ", NULL, TRACE | LOG_FRAME | LOG_ONCE, LOG, apply_log_start},
    {MODULE, "Restarting analysis due to ", NULL, TRACE, LOG, apply_log_restart},
    {MODULE, "torch._dynamo.reset", NULL, LOG_JOINED | LOG_RESET, LOG, NULL},
    {"trace_source", NULL, NULL, TRACE, NULL, NULL},
    {"trace_call", NULL, NULL, TRACE, NULL, NULL},
    {"trace_bytecode", NULL, NULL, TRACE, NULL, NULL},
    {NULL, "TRACE starts_line \nTRACE inlined call \nTRACE FX call \nTRACE ", NULL,
     PASTED | LOG_JOINED, "trace_source", NULL},
    {"bytecode", "ORIGINAL BYTECODE ", NULL, TRACE | PASTED | LOG_FRAME, NULL, apply_log_bytecode},
    {"bytecode", NULL, NULL, TRACE, NULL, NULL},
    {NULL, "MODIFIED BYTECODE ", NULL, PASTED | LOG_JOINED, "bytecode", NULL},
    {"side_effects", NULL, NULL, TRACE, "dynamo_side_effects", NULL},
    {"graph_code", NULL, NULL, LOG_TRACING, "dynamo_output_graph", NULL},
    {"graph_code_verbose", NULL, NULL, 0, NULL, NULL},
    {"graph", NULL, NULL, LOG_TRACING, "dynamo_graph_table", NULL},
    {"graph_sizes", NULL, NULL, LOG_TRACING, "dynamo_graph_sizes", NULL},
    {NULL, "TRACED GRAPH", NULL, PASTED, "dynamo_output_graph", apply_log_graph},
    {"hierarchical_compile", NULL, NULL, LOG_JOINED, NULL, NULL},
    {"graph_region_expansion", NULL, NULL, LOG_JOINED, NULL, NULL},
    {"annotation", NULL, NULL, LOG_JOINED, NULL, NULL},
    {"not_implemented", NULL, NULL, LOG_JOINED, NULL, NULL},
    {"ddp_graphs", NULL, NULL, LOG_JOINED, NULL, NULL},
    {"compiled_autograd", "TRACED GRAPH", NULL, 0, "compiled_autograd_graph", NULL},
    {"compiled_autograd", NULL, NULL, LOG_JOINED, NULL, NULL},
    {"compiled_autograd_verbose", "TRACED GRAPH", NULL, 0, "compiled_autograd_graph", NULL},
    {"compiled_autograd_verbose", NULL, NULL, LOG_JOINED, NULL, NULL},

    /* guards: a headline, the tree or one message for each guard, and how long they take */
    {"guards", "Python shape guard function:\nC++ shape guard function:", NULL, 0, "dynamo_shape_guards", NULL},
    {"guards", "GUARDS:", NULL, PASTED | LOG_JOINED | LOG_FIRST | LOG_ENDS, GUARDS, apply_log_guards},
    {"guards", "TREE_GUARD_MANAGER:", NULL, PASTED | LOG_JOINED, GUARDS, apply_log_guards},
    {"guards", NULL, NULL, LOG_JOINED, GUARDS, apply_log_guard_list},
    {"verbose_guards", NULL, NULL, LOG_JOINED, NULL, NULL},
    {MODULE, "GUARDS:", NULL, LOG_JOINED | LOG_ENDS, LOG, apply_log_guards},

    /* symbolic shapes */
    {MODULE, "create_env", NULL, TRACE, LOG, NULL},
    {MODULE, "create_symbol ", " for ", PASTED | LOG_JOINED, LOG, apply_log_symbol},
    {MODULE, "create_unbacked_symint \ncreate_unbacked_symfloat \ncreate_unbacked_symbool ", NULL,
     PASTED | LOG_JOINED, LOG, apply_log_unbacked_symbol},
    {MODULE, "eval \nruntime_assert ", " [guard added]", PASTED | LOG_JOINED, LOG, apply_log_shape_guard},
    {MODULE, "set_replacement ", " = ", PASTED | LOG_JOINED, LOG, apply_log_replacement},
    {"sym_node", NULL, NULL, LOG_JOINED, NULL, NULL},
    {"trace_shape_events", NULL, NULL, LOG_JOINED, NULL, NULL},
    {NULL, "produce_guards\ncreate_env", NULL, PASTED | LOG_JOINED, LOG, NULL},

    /* AOTAutograd */
    {"aot_graphs", "TRACED GRAPH\naot_config id:\nForward graph (\nBackward graph (\nJoint graph (", NULL,
     0, "aot_inference_graph", apply_log_graph},
    {"aot_graphs", NULL, NULL, LOG_JOINED, NULL, NULL},
    {"aot_graphs_effects", "TRACED GRAPH", NULL, 0, NULL, NULL},
    {"aot_joint_graph", "TRACED GRAPH", NULL, 0, NULL, apply_log_graph},
    {"aot_joint_graph", NULL, NULL, LOG_JOINED, "aot_graphs", NULL},

    /* Inductor */
    {"pre_grad_graphs", NULL, NULL, 0, "before_pre_grad_graph", apply_log_graph},
    {"post_grad_graphs", NULL, NULL, 0, "inductor_post_grad_graph", apply_log_graph},
    {"output_code", "Output code:", NULL, 0, "inductor_output_code", NULL},
    {NULL, "Output code: ", NULL, PASTED, "inductor_output_code", NULL},
    {"output_code", NULL, NULL, LOG_JOINED, "output_code_path", apply_log_code_path},
    {MODULE, "Output code written to: ", NULL, LOG_JOINED, LOG, apply_log_code_path},
    {"kernel_code", "CPP", NULL, 0, "kernel_code_cpp", NULL},
    {"kernel_code", NULL, NULL, 0, NULL, NULL},
    {"compute_dependencies", NULL, NULL, LOG_JOINED, NULL, NULL},
    {"fusion", NULL, NULL, LOG_JOINED, NULL, NULL},
    {"loop_ordering", NULL, NULL, LOG_JOINED, NULL, NULL},
    {"loop_tiling", NULL, NULL, LOG_JOINED, NULL, NULL},
    {"schedule", NULL, NULL, LOG_JOINED, NULL, NULL},
    {"inductor_metrics", NULL, NULL, LOG_JOINED, NULL, NULL},
    {"autotuning", NULL, NULL, LOG_JOINED, NULL, NULL},
    {"autotuning_inputs", NULL, NULL, LOG_JOINED, NULL, NULL},
    {"benchmarking", NULL, NULL, LOG_JOINED, NULL, NULL},
    {"partitioned_scatter", NULL, NULL, LOG_JOINED, NULL, NULL},
    {"native_dsl_compile", NULL, NULL, LOG_JOINED, NULL, NULL},
    {"auto_chunker", NULL, NULL, LOG_JOINED, NULL, NULL},
    {"incremental", NULL, NULL, LOG_JOINED, NULL, NULL},
    {"overlap", NULL, NULL, LOG_JOINED, NULL, NULL},
    {"overlap_scheduling", NULL, NULL, LOG_JOINED, NULL, NULL},
    {"node_runtime_estimation", NULL, NULL, LOG_JOINED, NULL, NULL},
    {"cudagraphs", NO_CUDAGRAPHS, NULL, LOG_JOINED, NULL, apply_log_cudagraph_skip},
    {"cudagraphs", "Created ", " graph partitions: ", LOG_JOINED, NULL, apply_log_partitions},
    {"cudagraphs", "op\nbuf", ": reason=", LOG_JOINED, NULL, apply_log_partition_op},
    {"cudagraphs", NULL, NULL, LOG_JOINED | LOG_WARNS, NULL, NULL},
    {"cudagraph_static_inputs", NULL, NULL, LOG_JOINED, NULL, NULL},
    {"perf_hints", NO_CUDAGRAPHS, NULL, LOG_JOINED, NULL, apply_log_cudagraph_skip},
    {"perf_hints", NULL, NULL, LOG_JOINED, NULL, NULL},
    {MODULE, NO_CUDAGRAPHS, NULL, LOG_JOINED, "cudagraphs", apply_log_cudagraph_skip},
    {NULL, "skipping cudagraphs due to ", NULL, PASTED, "cudagraphs", apply_log_cudagraph_skip},
    {NULL, "Autotune Choices Stats:\nAUTOTUNE \nSingleProcess AUTOTUNE \nSubProcess AUTOTUNE ", NULL,
     PASTED | LOG_JOINED, "autotuning", NULL},
    {NULL, "Not enough SMs to use max_autotune_gemm\nnot enough SMs to use max_autotune_gemm", NULL,
     PASTED | LOG_JOINED, LOG, NULL},
    {"ir_pre_fusion", NULL, NULL, 0, NULL, NULL},
    {"ir_post_fusion", NULL, NULL, 0, NULL, NULL},

    /* caches */
    {MODULE, "AOTAutograd cache hit for key \nAOTAutograd cache miss for key \nBypassing autograd cache due to: ", NULL,
     PASTED | LOG_JOINED, LOG, apply_log_cache},
    {MODULE, "fx graph cache hit for key \nfx graph cache miss for key \nBypassing FX Graph Cache because ", NULL,
     PASTED | LOG_JOINED, LOG, apply_log_cache},
    {"caching", NULL, NULL, LOG_JOINED, NULL, NULL},
    {MODULE, "get_code_state ", " hit ", LOG_JOINED, LOG, apply_log_cache},

    /* torch._dynamo.explain(), compile_times() and TORCH_COMPILE_DEBUG */
    {NULL, "Graph Count: \nDynamo produced \nGraph Break Reason  ", NULL, PASTED, "dynamo_explain", apply_log_explain},
    {NULL, "Break Reason ", NULL, PASTED | LOG_PART, "dynamo_explain", apply_log_explain},
    {MODULE, "TorchDynamo compilation metrics:\nCompile Times: TorchDynamo compilation metrics:", NULL,
     PASTED, "compile_times", apply_log_times},
    {NULL, "GraphCompileReason(\nBreak reasons: [\nreason=", NULL,
     PASTED | LOG_FACTS, "dynamo_explain", apply_log_reason_list},
    {MODULE, "COMPILING GRAPH due to GraphCompileReason(", NULL, LOG_JOINED, LOG, apply_log_graph_ends},
    {MODULE, "CompilationMetrics(", NULL, PASTED | LOG_FACTS, "compile_times", apply_log_metrics},
    {NULL, "TIMING: ", NULL, PASTED | LOG_FACTS, "compile_times", apply_log_time_line},
    {NULL, "Using cache directory: ", NULL, PASTED | LOG_FACTS | LOG_ASIDE, "compile_times", apply_log_time_line},
    {MODULE, "model__", NULL, LOG_JOINED, LOG, apply_log_debug_trace},

    {"onnx_diagnostics", NULL, NULL, LOG_JOINED, NULL, NULL},

    {MODULE, NULL, NULL, LOG_JOINED, LOG, NULL},
};
/* clang-format on */
const size_t log_kind_count = sizeof log_kinds / sizeof *log_kinds;

/* Texts of one line. */
static bool is_first_line(unsigned *state, struct str line)
{
    (void)line;
    return (*state)++ == 0;
}

/* A line, and a stack below it. */
static bool stack_goes_on(unsigned *state, struct str line)
{
    return (*state)++ == 0 || (line.n && line.p[0] == ' ') || str_starts(line, STR("Falling back to eager"));
}

/* Texts without prefixes that end where a line is none of theirs; others end where the next message begins. */
static const struct {
    void (*apply)(struct record *rec); /* of the row */
    bool (*goes_on)(unsigned *state, struct str line);
} with_end[] = {
    {apply_log_explain, explain_text_goes_on},
    {apply_log_times, times_text_goes_on},
    {apply_log_cudagraph_skip, cudagraph_text_goes_on},
    {apply_log_bare_guard, is_first_line},
    {apply_log_builtin_break, is_first_line},
    {apply_log_reason_list, stack_goes_on},
    {apply_log_time_line, is_first_line},
    {apply_log_metrics, is_first_line},
    {apply_log_backend_break, stack_goes_on},
};

bool log_kind_goes_on(const struct log_kind *k, unsigned *state, struct str line)
{
    for (size_t i = 0; i < sizeof with_end / sizeof *with_end; i++)
        if (k->apply == with_end[i].apply)
            return with_end[i].goes_on(state, line);
    return true;
}

/*
 * What the rows with LOG_HEADLESS begin with, by the first two bytes: every line of a text that holds no message of
 * ours is asked for it. Numbers are indices plus 1.
 */
enum { BEGINNINGS_MAX = 512 };
static struct beginning {
    struct str text;
    uint16_t next;
} beginnings[BEGINNINGS_MAX];
static uint16_t by_first_bytes[256 * 256];
static pthread_once_t beginnings_made = PTHREAD_ONCE_INIT;

static unsigned two_bytes(const char *p)
{
    return (unsigned)(unsigned char)p[0] << 8 | (unsigned char)p[1];
}

static void make_beginnings(void)
{
    uint16_t n = 0;

    for (size_t i = 0; i < log_kind_count; i++) {
        struct str rest = str_of(log_kinds[i].begins), line;

        while ((log_kinds[i].flags & LOG_HEADLESS) && str_next_line(&rest, &line)) {
            uint16_t *first = line.n >= 2 ? &by_first_bytes[two_bytes(line.p)] : NULL;

            assert(first && n < BEGINNINGS_MAX);
            beginnings[n] = (struct beginning){line, *first};
            *first = ++n;
        }
    }
}

bool log_kind_may_begin(struct str line)
{
    size_t n = 0;

    pthread_once(&beginnings_made, make_beginnings);
    while (n < line.n && line.p[n] == ' ')
        n++;
    line = str_skip(line, n);
    if (line.n < 2)
        return false;
    for (unsigned i = by_first_bytes[two_bytes(line.p)]; i; i = beginnings[i - 1].next)
        if (str_starts(line, beginnings[i - 1].text))
            return true;
    return false;
}

/* "py.warnings - WARNING - torch._dynamo hit config.recompile_limit (8)": what another logger put before it. */
static ptrdiff_t limit_find(struct str line)
{
    return str_find(line, STR("torch._dynamo hit config."));
}

static ptrdiff_t metrics_find(struct str line)
{
    ptrdiff_t at = str_find(line, metrics_text_begin);

    return at >= 0 && metrics_text_id(str_skip(line, (size_t)at)).n ? at : -1;
}

/* A function of C, of which PyTorch warns once, with or without TORCH_LOGS; an exception has the same words. */
static ptrdiff_t builtin_break_find(struct str line)
{
    static const struct str words[] = {STR_INIT("UserWarning: Graph break due to unsupported builtin "),
                                       STR_INIT("UserWarning: Dynamo does not know how to trace the builtin ")};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        ptrdiff_t at = str_find(line, words[i]);

        if (at >= 0)
            return at + (ptrdiff_t)STR("UserWarning: ").n;
    }
    return -1;
}

const struct log_kind *log_kind_within(struct str line, size_t *at)
{
    static const struct {
        ptrdiff_t (*find)(struct str line);
        struct str row; /* that is found by it */
    } texts[] = {{time_line_find, STR_INIT("TIMING: ")},
                 {time_line_aside_find, STR_INIT("Using cache directory: ")},
                 {explain_reasons_find, STR_INIT("GraphCompileReason(")},
                 {limit_find, STR_INIT("torch._dynamo hit config.")},
                 {metrics_find, STR_INIT("CompilationMetrics(")},
                 {builtin_break_find, STR_INIT("Graph break due to unsupported builtin ")},
                 {guard_reason_find, STR_INIT("[\"0/0: ")}};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ptrdiff_t found = texts[i].find(line);

        *at = found > 0 ? (size_t)found : 0;
        if (found >= 0)
            return log_kind_find(STR(""), texts[i].row, true);
    }
    *at = crash_bar_length(line); /* tqdm does not end the line of its bar */
    line = str_skip(line, *at);
    return *at && log_kind_may_begin(line) ? log_kind_find(STR(""), line, true) : NULL;
}

bool log_kind_begins(const struct log_kind *k, struct str text)
{
    for (const char *p = k->begins; p && text.n;) {
        size_t n = strcspn(p, "\n");

        if (*p == *text.p && str_starts(text, (struct str){p, n}))
            return true;
        p = p[n] ? p + n + 1 : NULL;
    }
    return false;
}

static bool is_of(const struct log_kind *k, struct str artifact, bool headless)
{
    if (headless)
        return k->flags & LOG_HEADLESS;
    return k->artifact && str_eq(str_of(k->artifact), artifact);
}

static bool begins_with(const struct log_kind *k, struct str first)
{
    return log_kind_begins(k, first) && (!k->has || str_has(str_split(&first, '\n'), str_of(k->has)));
}

const struct log_kind *log_kind_find(struct str artifact, struct str first, bool headless)
{
    const struct log_kind *any = NULL;

    for (size_t i = 0; i < log_kind_count; i++) {
        const struct log_kind *k = &log_kinds[i];

        if (!is_of(k, artifact, headless))
            continue;
        if (k->begins && begins_with(k, first))
            return k;
        if (!headless && !k->begins && !any)
            any = k;
    }
    return any;
}

bool log_kind_takes(const struct log_kind *open, const struct log_kind *k)
{
    if ((k->flags & LOG_PART) && open->apply == k->apply)
        return true;
    return (open->flags & k->flags & LOG_JOINED) && !(k->flags & LOG_FIRST) && open->name == k->name &&
           (!k->apply || k->apply == open->apply);
}

/* Of 2.4 to 2.7: "Reason: Unsupported: ..." is an exception, and its traceback, or a chain of them, follows. */
static bool has_reason_with_traceback(struct str text)
{
    if (!str_starts(text, STR("Graph break in user code at ")) || !str_has(text, STR("\nReason: Unsupported: ")))
        return false;
    return !str_has(text, STR("\nTraceback (most recent call last):")) || str_ends(text, STR("exception:\n")) ||
           str_ends(text, STR("exception occurred:\n"));
}

bool log_kind_has_traceback(const struct log_kind *k, struct str text)
{
    return k->apply == apply_log_break && (str_starts(text, STR("Graph break: ")) || has_reason_with_traceback(text));
}

bool log_kind_in_traceback(const struct log_kind *k, struct str text)
{
    struct str header = STR("Traceback (most recent call last):"), last = {0};

    if (k->apply != apply_log_break)
        return false;
    for (ptrdiff_t at; (at = str_find(text, header)) >= 0;)
        last = text = str_skip(text, (size_t)at + header.n);
    return last.n && !str_has(last, STR("torch._dynamo.exc."));
}

bool log_kind_goes_on_bare(const struct log_kind *k, struct str line)
{
    static const struct str of_limit[] = {STR_INIT("function: '"), STR_INIT("reasons: "), STR_INIT("last reason: "),
                                          STR_INIT("to diagnose recompilation issues"),
                                          STR_INIT("To log all recompilation reasons")};
    static const struct str of_recompile[] = {STR_INIT("triggered by the following guard failure"), STR_INIT("- ")};

    static const struct str of_break[] = {STR_INIT("Graph Break Reason: "), STR_INIT("Reason: "),
                                          STR_INIT("Explanation: "),        STR_INIT("Hint: "),
                                          STR_INIT("Developer debug context: "), STR_INIT("User code traceback:"),
                                          STR_INIT("For more details about this graph break")};
    static const struct str of_tree[] = {STR_INIT("TREE_GUARD_MANAGER:"), STR_INIT("+- "), STR_INIT("| ")};

    if (k->apply == apply_log_times) /* only its first line has a prefix */
        return times_text_goes_on(&(unsigned){1}, line);
    return (k->apply == apply_log_break && STR_STARTS_ANY(line, of_break)) ||
           (k->apply == apply_log_item_break && str_starts(line, STR("torch._dynamo.config.capture_"))) ||
           (k->apply == apply_log_limit && STR_STARTS_ANY(line, of_limit)) ||
           (k->apply == apply_log_recompile && STR_STARTS_ANY(line, of_recompile)) ||
           (k->apply == apply_log_guard_list && STR_STARTS_ANY(line, of_tree)); /* the line with the prefix is empty */
}
