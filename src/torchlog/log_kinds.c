#include "torchlog/log_kinds.h"

#include "text/explain_text.h"
#include "text/times_text.h"
#include "torchlog/apply.h"

#include <pthread.h>

const struct log_kind log_kinds[] = {
    {"graph_breaks", "Graph break in user code at \nGraph break: \nGraph break (",
     LOG_TRACING | LOG_HEADLESS | LOG_FACTS, "dynamo_graph_break_reason", apply_log_break},
    {"recompiles", "Recompiling function ", LOG_TRACING | LOG_HEADLESS | LOG_FACTS | LOG_REASONS, "recompile_reasons",
     apply_log_recompile},
    {"recompiles_verbose", "Recompiling function ", LOG_TRACING | LOG_FACTS | LOG_REASONS, "recompile_reasons",
     apply_log_recompile},
    {"guards", "TREE_GUARD_MANAGER:", LOG_HEADLESS | LOG_FACTS | LOG_ENDS, "dynamo_cpp_guards_str", apply_log_guards},
    {"guards", "GUARDS:", LOG_HEADLESS | LOG_JOINED, "dynamo_log", NULL},
    {"guards", NULL, LOG_JOINED, "dynamo_log", NULL},
    {"bytecode", "ORIGINAL BYTECODE \nMODIFIED BYTECODE ", LOG_TRACING | LOG_HEADLESS, NULL, apply_log_bytecode},
    {"graph_code", "TRACED GRAPH", LOG_TRACING, "dynamo_output_graph", NULL},
    {"aot_graphs", "TRACED GRAPH\naot_config id:", 0, "aot_inference_graph", apply_log_graph},
    {"aot_joint_graph", "TRACED GRAPH", 0, "aot_joint_graph", NULL},
    {"pre_grad_graphs", "TRACED GRAPH", 0, "before_pre_grad_graph", NULL},
    {"post_grad_graphs", "TRACED GRAPH", 0, "inductor_post_grad_graph", NULL},
    {"output_code", "Output code: \nOutput code written to", 0, "inductor_output_code", NULL},
    {"trace_source", "TRACE starts_line ", LOG_TRACING | LOG_HEADLESS | LOG_JOINED, NULL, NULL},
    {"trace_call", "TRACE inlined call \nTRACE FX call ", LOG_TRACING | LOG_HEADLESS | LOG_JOINED, NULL, NULL},
    {"trace_bytecode", "TRACE ", LOG_TRACING | LOG_HEADLESS | LOG_JOINED, NULL, NULL},
    {"", "torchdynamo start compiling ", LOG_TRACING | LOG_JOINED | LOG_ONCE, "dynamo_log", apply_log_start},
    {"", "Step 1: torchdynamo start tracing ", LOG_TRACING | LOG_JOINED | LOG_ONCE, "dynamo_log", apply_log_start},
    {"", "torch._dynamo hit config.\ntorch._dynamo hit recompile_limit", LOG_HEADLESS, "dynamo_log", apply_log_limit},
    {NULL, "Graph Count: \nDynamo produced ", LOG_HEADLESS, "dynamo_explain", apply_log_explain},
    {"", "TorchDynamo compilation metrics:\nCompile Times: TorchDynamo compilation metrics:", LOG_HEADLESS,
     "compile_times", apply_log_times},
    {"", "model__", LOG_JOINED, "dynamo_log", apply_log_debug_trace},
    {NULL, "Traceback (most recent call last):", LOG_HEADLESS | LOG_FACTS, "dynamo_error", apply_log_traceback},
    {"", NULL, LOG_JOINED, "dynamo_log", NULL},
};
const size_t log_kind_count = sizeof log_kinds / sizeof *log_kinds;

/* Texts without prefixes that end where a line is none of theirs; others end where the next message begins. */
static const struct {
    void (*apply)(struct record *rec); /* of the row */
    bool (*goes_on)(unsigned *state, struct str line);
} with_end[] = {
    {apply_log_explain, explain_text_goes_on},
    {apply_log_times, times_text_goes_on},
};

bool log_kind_goes_on(const struct log_kind *k, unsigned *state, struct str line)
{
    for (size_t i = 0; i < sizeof with_end / sizeof *with_end; i++)
        if (k->apply == with_end[i].apply)
            return with_end[i].goes_on(state, line);
    return true;
}

/* By the first two bytes: whether a row with LOG_HEADLESS has a beginning with them. */
static bool first_bytes[256 * 256];
static pthread_once_t first_bytes_made = PTHREAD_ONCE_INIT;

static unsigned two_bytes(const char *p)
{
    return (unsigned)(unsigned char)p[0] << 8 | (unsigned char)p[1];
}

static void make_first_bytes(void)
{
    for (size_t i = 0; i < log_kind_count; i++) {
        struct str rest = str_of(log_kinds[i].begins), line;

        while ((log_kinds[i].flags & LOG_HEADLESS) && str_next_line(&rest, &line))
            if (line.n >= 2)
                first_bytes[two_bytes(line.p)] = true;
    }
}

bool log_kind_may_begin(struct str line)
{
    size_t n = 0;

    pthread_once(&first_bytes_made, make_first_bytes);
    while (n < line.n && line.p[n] == ' ')
        n++;
    return n + 1 < line.n && first_bytes[two_bytes(line.p + n)];
}

bool log_kind_begins(const struct log_kind *k, struct str text)
{
    struct str rest = str_of(k->begins), line;

    while (str_next_line(&rest, &line))
        if (str_starts(text, line))
            return true;
    return false;
}

static bool is_of(const struct log_kind *k, struct str artifact, bool headless)
{
    if (headless)
        return k->flags & LOG_HEADLESS;
    return k->artifact && str_eq(str_of(k->artifact), artifact);
}

const struct log_kind *log_kind_find(struct str artifact, struct str first, bool headless)
{
    const struct log_kind *any = NULL;

    for (size_t i = 0; i < log_kind_count; i++) {
        const struct log_kind *k = &log_kinds[i];

        if (!is_of(k, artifact, headless))
            continue;
        if (k->begins && log_kind_begins(k, first))
            return k;
        if (!headless && !k->begins)
            any = k;
    }
    return any;
}
