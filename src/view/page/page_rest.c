/* Trace health, and how to get more data. */
#include "analysis/answers/versions.h"
#include "view/page.h"

#include "text/versions/names.h"
#include "view/format.h"

enum { MESSAGES_MAX = 1000 };

/* --- trace health ------------------------------------------------------------------------------------------------- */

static json_t *messages_of(const struct view *v, uint64_t *hidden)
{
    json_t *list = json_new_array();

    vec_each(const struct message, m, &v->run->messages)
    {
        json_t *o;

        if (json_array_size(list) >= MESSAGES_MAX) {
            *hidden += m->count;
            continue;
        }
        o = json_new_object();
        json_put_str(o, "severity", str_of(severity_name(message_infos[m->code].severity)));
        json_put_str(o, "code", str_of(message_infos[m->code].key));
        json_put_str(o, "meaning", str_of(message_infos[m->code].meaning));
        json_put(o, "place", page_place(v, m->file, (int64_t)m->line));
        json_put(o, "text", view_text(m->text));
        json_put(o, "count", m->count > 1 ? json_of_str(format_count(v->scratch, m->count)) : json_null());
        json_push(list, o);
    }
    return list;
}

static json_t *inputs_of(const struct view *v)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < v->run->inputs.n && i < PAGE_ROWS_MAX; i++) {
        const struct input *in = v->run->inputs.v[i];
        json_t *o = json_new_object();

        json_put_str(o, "path", in->path);
        json_put_bool(o, "used", in->used);
        json_put(o, "why_not", in->used ? json_null() : view_text(in->why_not));
        json_put_str(o, "bytes", format_bytes(v->scratch, in->source.bytes));
        json_put_str(o, "records", format_count(v->scratch, in->totals.records));
        json_put_str(o, "payloads", format_count(v->scratch, in->totals.payloads));
        json_put_bool(o, "gzip", in->source.gzip);
        json_push(list, o);
    }
    return list;
}

/* Kinds of records over all inputs, in order of appearance. */
static json_t *kinds_of(const struct view *v, json_t **hidden)
{
    json_t *list = json_new_array();
    struct map sums;

    map_init(&sums, v->scratch);
    for (size_t i = 0; i < v->run->inputs.n; i++)
        for (size_t k = 0; k < v->run->inputs.v[i]->kinds.n; k++) {
            const struct map_entry *e = &v->run->inputs.v[i]->kinds.entries[k];
            const struct kind_count *from = e->value;
            void **slot = map_at(&sums, e->key);

            if (!*slot)
                *slot = ARENA_NEW(v->scratch, struct kind_count);
            ((struct kind_count *)*slot)->count += from->count;
            ((struct kind_count *)*slot)->unknown = from->unknown;
        }
    *hidden = page_hidden(v, sums.n, PAGE_ROWS_MAX);
    for (size_t i = 0; i < sums.n && i < PAGE_ROWS_MAX; i++) {
        const struct kind_count *count = sums.entries[i].value;
        json_t *o = json_new_object();

        json_put_str(o, "name", sums.entries[i].key);
        json_put_str(o, "count", format_count(v->scratch, count->count));
        json_put_bool(o, "unknown", count->unknown);
        json_push(list, o);
    }
    return list;
}

static bool any_repeats(const struct run *r)
{
    vec_each(const struct message, m, &r->messages) if (m->count > 1) return true;
    return false;
}

static struct str bad_payloads(const struct view *v)
{
    uint64_t n = v->run->totals.bad_payloads;

    if (n == 0)
        return STR("all checksums OK");
    return arena_printf(v->scratch, "%.*s from %s digest",
                        STR_ARG(format_counted(v->scratch, n, "payload differs", "payloads differ")),
                        n == 1 ? "its" : "their");
}

json_t *page_health(const struct view *v)
{
    const struct totals *t = &v->run->totals;
    struct health h = run_health(v->run);
    uint64_t hidden = 0;
    json_t *o = json_new_object(), *messages = messages_of(v, &hidden), *hidden_kinds;
    bool checked = true;

    for (size_t i = 0; i < v->run->inputs.n; i++)
        checked &= !v->run->inputs.v[i]->used || v->run->inputs.v[i]->digests_checked;
    json_put_str(o, "words", format_health(v->scratch, h));
    json_put_bool(o, "any_messages", json_array_size(messages) > 0);
    json_put_bool(o, "any_times", any_repeats(v->run));
    json_put(o, "messages", messages);
    json_put(o, "hidden", hidden ? json_of_str(format_count(v->scratch, hidden)) : json_null());
    json_put(o, "inputs", inputs_of(v));
    json_put(o, "hidden_inputs", page_hidden(v, v->run->inputs.n, PAGE_ROWS_MAX));
    json_put(o, "kinds", kinds_of(v, &hidden_kinds));
    json_put(o, "hidden_kinds", hidden_kinds);
    json_put_str(o, "records", format_counted(v->scratch, t->records, "record", "records"));
    json_put_str(o, "payloads", format_counted(v->scratch, t->payloads, "payload", "payloads"));
    json_put_str(o, "payload_bytes", format_bytes(v->scratch, t->payload_bytes));
    json_put_str(o, "bad", bad_payloads(v));
    json_put_bool(o, "checked", checked);
    return o;
}

/* --- how to get more ---------------------------------------------------------------------------------------------- */

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

json_t *page_more(const struct view *v)
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
