/* How to get more data: questions that the next trace can answer. */
#include "analysis/answers/versions.h"
#include "view/page.h"

#include "text/versions/names.h"
#include "view/format.h"

static bool has_artifact(const struct view *v, const char *name)
{
    const struct compile *c;

    for (struct compile_walk w = {.run = v->run}; (c = compile_next(&w));)
        for (size_t i = 0; i < c->artifacts.n; i++)
            if (str_starts(c->artifacts.v[i]->name, str_of(name)))
                return true;
    return false;
}

static bool no_provenance(const struct view *v)
{
    return has_artifact(v, "inductor_output_code") && !has_artifact(v, "inductor_provenance_tracking_");
}

static bool has_hits(const struct view *v)
{
    return v->answers->counts.cache[CACHE_HIT] > 0;
}

static bool has_breaks(const struct view *v)
{
    return v->answers->counts.graph_breaks > 0;
}

static bool has_errors(const struct view *v)
{
    return v->answers->counts.errors > 0;
}

static bool has_symbols(const struct view *v)
{
    const struct compile *c;

    for (struct compile_walk w = {.run = v->run}; (c = compile_next(&w));)
        if (c->symbols.n || c->specializations.n)
            return true;
    return false;
}

static bool no_estimates(const struct view *v)
{
    return has_artifact(v, "inductor_collective_schedule") && !has_artifact(v, "inductor_runtime_and_tensor_meta");
}

static bool no_gpu_activity(const struct view *v)
{
    return run_versions(v->run).gpu.n && v->answers->gpu.sums.n == 0;
}

static bool has_recompiles(const struct view *v)
{
    return v->answers->counts.recompiles > 0;
}

static bool no_recorders(const struct view *v)
{
    return v->answers->ranks.compared && v->answers->ranks.flights.n == 0;
}

/*
 * Questions that this trace could not answer, and the environment variable with which the next one can. A row is left
 * out if the run already had it: `variable` contained `word`.
 */
static const struct next_trace_tip {
    bool (*applies)(const struct view *v);
    const char *question, *environment, *variable, *word;
} next_trace_tips[] = {
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

static bool was_on(const struct settings_used *had, const struct next_trace_tip *m)
{
    for (size_t i = 0; i < had->list.n; i++)
        if (had->list.v[i]->environment && str_eq(had->list.v[i]->name, str_of(m->variable)) &&
            str_has(had->list.v[i]->value, str_of(m->word)))
            return true;
    return false;
}

json_t *page_next_trace(const struct view *v)
{
    json_t *o = json_new_object(), *rows = json_new_array();
    struct str version = run_versions(v->run).pytorch;

    for (size_t i = 0; i < sizeof next_trace_tips / sizeof *next_trace_tips; i++) {
        json_t *row;

        if (!next_trace_tips[i].applies(v) || was_on(&v->answers->settings, &next_trace_tips[i]) ||
            names_has(NAME_VARIABLE, str_of(next_trace_tips[i].variable), version) == NAME_ABSENT)
            continue;
        row = json_new_object();
        json_put_str(row, "question", str_of(next_trace_tips[i].question));
        json_put_str(row, "environment", str_of(next_trace_tips[i].environment));
        json_push(rows, row);
    }
    json_put_bool(o, "any", json_array_size(rows) > 0);
    json_put(o, "rows", rows);
    return o;
}
