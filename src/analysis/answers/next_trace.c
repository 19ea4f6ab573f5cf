#include "analysis/answers/next_trace.h"

#include "analysis/answers/versions.h"
#include "text/versions/names.h"

static bool has_artifact(const struct answers *a, enum artifact_id id)
{
    const struct compile *c;

    for (struct compile_walk w = {.run = a->run}; (c = compile_next(&w));)
        if (compile_artifact(c, id))
            return true;
    return false;
}

static bool no_provenance(const struct answers *a)
{
    return has_artifact(a, ARTIFACT_INDUCTOR_OUTPUT_CODE) &&
           !has_artifact(a, ARTIFACT_INDUCTOR_PROVENANCE_TRACKING_NODE_MAPPINGS) &&
           !has_artifact(a, ARTIFACT_INDUCTOR_PROVENANCE_TRACKING_KERNEL_STACK_TRACES);
}

static bool has_hits(const struct answers *a)
{
    return a->counts.cache[CACHE_HIT] > 0;
}

static bool has_breaks(const struct answers *a)
{
    return a->counts.graph_breaks > 0;
}

static bool has_errors(const struct answers *a)
{
    return a->counts.errors > 0;
}

static bool has_symbols(const struct answers *a)
{
    const struct compile *c;

    for (struct compile_walk w = {.run = a->run}; (c = compile_next(&w));)
        if (c->symbols.n || c->specializations.n)
            return true;
    return false;
}

static bool no_estimates(const struct answers *a)
{
    return has_artifact(a, ARTIFACT_INDUCTOR_COLLECTIVE_SCHEDULE) &&
           !has_artifact(a, ARTIFACT_INDUCTOR_RUNTIME_AND_TENSOR_META);
}

static bool no_gpu_activity(const struct answers *a)
{
    return run_versions(a->run).gpu.n && a->gpu.sums.n == 0;
}

static bool has_recompiles(const struct answers *a)
{
    return a->counts.recompiles > 0;
}

static bool no_recorders(const struct answers *a)
{
    return a->ranks.compared && a->ranks.flights.n == 0;
}

/*
 * Questions that this trace could not answer, and the environment variable with which the next one can. A row is left
 * out if the run already had it: `variable` contained `word`.
 */
static const struct tip_row {
    bool (*applies)(const struct answers *a);
    const char *question, *environment, *variable, *word;
} tips[] = {
    {no_provenance, "Which line of code became which kernel?", "INDUCTOR_PROVENANCE=1", "INDUCTOR_PROVENANCE", "1"},
    {no_gpu_activity, "How long did each kernel take on the GPU?",
     "CUDA_INJECTION64_PATH=/path/to/libpt2trace_gpu.so PT2TRACE_GPU_DIR=gpu", "CUDA_INJECTION64_PATH", "pt2trace"},
    {has_hits, "What would Inductor have done? Results came from caches, so it did not run.",
     "TORCHINDUCTOR_FORCE_DISABLE_CACHES=1", "TORCHINDUCTOR_FORCE_DISABLE_CACHES", "1"},
    {has_breaks, "Which frames were skipped after a graph break? Only the log shows it.", "TORCH_LOGS=\"graph_breaks\"",
     "TORCH_LOGS", "graph_breaks"},
    {has_breaks, "What did Dynamo do right before a break?", "TORCHDYNAMO_VERBOSE=1", "TORCHDYNAMO_VERBOSE", "1"},
    {has_recompiles, "Which guards failed for every earlier compile, not only the newest?",
     "TORCH_LOGS=\"recompiles_verbose\"", "TORCH_LOGS", "recompiles_verbose"},
    {has_errors, "What is the internal stack of an error?", "TORCHDYNAMO_VERBOSE=1", "TORCHDYNAMO_VERBOSE", "1"},
    {has_symbols, "Which line added a shape guard?",
     "TORCH_LOGS=\"+dynamic\" TORCHDYNAMO_EXTENDED_DEBUG_GUARD_ADDED=\"Eq(s0, 4)\"",
     "TORCHDYNAMO_EXTENDED_DEBUG_GUARD_ADDED", ""},
    {no_recorders, "In which collective is each rank when the job hangs? Flight Recorder dumps show it.",
     "TORCH_FR_BUFFER_SIZE=2000 TORCH_NCCL_DUMP_ON_TIMEOUT=1", "TORCH_FR_BUFFER_SIZE", ""},
    {no_estimates, "How long does the compiler think each kernel and collective takes?", "LOG_TLPARSE=1", "LOG_TLPARSE",
     "1"},
};

static bool was_on(const struct settings_used *had, const struct tip_row *tip)
{
    for (size_t i = 0; i < had->list.n; i++)
        if (had->list.v[i]->environment && str_eq(had->list.v[i]->name, str_of(tip->variable)) &&
            str_has(had->list.v[i]->value, str_of(tip->word)))
            return true;
    return false;
}

void next_trace_find(struct arena *arena, const struct answers *a, struct next_trace *out)
{
    struct str version = run_versions(a->run).pytorch;

    *out = (struct next_trace){0};
    for (size_t i = 0; i < sizeof tips / sizeof *tips; i++)
        if (tips[i].applies(a) && !was_on(&a->settings, &tips[i]) &&
            names_has(NAME_VARIABLE, str_of(tips[i].variable), version) != NAME_ABSENT)
            vec_push(arena, &out->tips, ((struct next_trace_tip){tips[i].question, tips[i].environment}));
}
