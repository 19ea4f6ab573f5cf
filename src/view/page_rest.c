/* Generated code, caches, dynamic shapes, ranks, trace health, and how to get more. */
#include "view/page.h"

#include "util/utf8.h"
#include "view/format.h"
#include "view/kernels.h"

enum {
    NODES_SHOWN = 12,
    CODES_SHOWN = 50,
    KERNELS_SHOWN = 1000,
    CACHE_ROWS_MAX = 2000,
    SYMBOL_ROWS_MAX = 2000,
    MESSAGES_MAX = 1000
};

/* --- generated code ----------------------------------------------------------------------------------------------- */

static json_t *kernel_row(const struct view *v, const struct kernel *k)
{
    json_t *o = json_new_object(), *nodes = json_new_array();

    for (size_t i = 0; i < k->nodes.n && i < NODES_SHOWN; i++)
        json_push(nodes, json_of_str(k->nodes.v[i]));
    json_put_str(o, "name", k->name);
    json_put_str(o, "kind", k->kind);
    json_put(o, "nodes", nodes);
    json_put(o, "more", k->nodes.n > NODES_SHOWN ? json_of_i64((int64_t)(k->nodes.n - NODES_SHOWN)) : json_null());
    json_put(o, "place", page_place(v, k->file, k->line));
    return o;
}

static bool is_code(const struct artifact *a)
{
    return a->info && a->info->stage == STAGE_CODE;
}

bool page_has_code(const struct compile *c)
{
    for (size_t i = 0; i < c->artifacts.n; i++)
        if (is_code(c->artifacts.v[i]))
            return true;
    return false;
}

json_t *page_code(const struct view *v, const struct compile *c)
{
    struct kernels kernels;
    json_t *o, *rows = json_new_array(), *codes = json_new_array();

    for (size_t i = 0; i < c->artifacts.n && json_array_size(codes) < CODES_SHOWN; i++)
        if (is_code(c->artifacts.v[i]))
            json_push(codes, page_payload(v, c->artifacts.v[i]));
    kernels_find(v->scratch, c, &kernels);
    for (size_t i = 0; i < kernels.list.n && i < KERNELS_SHOWN; i++)
        json_push(rows, kernel_row(v, &kernels.list.v[i]));
    o = page_link(v, c);
    json_put_str(o, "frame", format_frame(v->scratch, c->frame));
    json_put_str(o, "count", format_counted(v->scratch, kernels.list.n, "kernel", "kernels"));
    json_put_bool(o, "any", kernels.list.n > 0);
    json_put(o, "codes", codes);
    json_put(o, "kernels", rows);
    return o;
}

/* --- caches ------------------------------------------------------------------------------------------------------- */

/* What a reader would miss in this compile because the result came from a cache. */
static const char *absent_because(const struct cache_event *e)
{
    if (e->outcome != CACHE_HIT)
        return NULL;
    if (e->layer == CACHE_AOTAUTOGRAD)
        return "AOTAutograd and Inductor did not run: passes and lowering left no records";
    return e->layer == CACHE_FX_GRAPH ? "Inductor did not run: lowering and scheduling left no records" : NULL;
}

static json_t *cache_row(const struct view *v, const struct cache_event *e)
{
    const char *absent = absent_because(e);
    json_t *o = json_new_object();

    json_put(o, "link", page_link(v, e->compile));
    json_put_str(o, "frame", e->compile->frame ? format_frame(v->scratch, e->compile->frame) : STR("-"));
    json_put_str(o, "layer", str_of(cache_layer_title(e->layer)));
    json_put_str(o, "outcome", str_of(cache_outcome_name(e->outcome)));
    json_put(o, "reason", view_text(utf8_cut(e->reason, 600)));
    json_put(o, "saved", e->saved_us >= 0 ? json_of_str(format_duration_us(v->scratch, e->saved_us)) : json_null());
    json_put(o, "key", view_text(e->key));
    json_put(o, "absent", absent ? json_of_str(str_of(absent)) : json_null());
    json_put(o, "payload", e->artifact ? page_payload(v, e->artifact) : json_null());
    return o;
}

static json_t *cache_totals(const struct view *v)
{
    uint64_t n[CACHE_LAYERS][CACHE_OUTCOMES] = {{0}};
    const struct compile *c;
    json_t *list = json_new_array();

    for (struct compile_walk w = {.run = v->run}; (c = compile_next(&w));)
        vec_each(const struct cache_event, e, &c->cache_events) n[e->layer][e->outcome]++;
    for (int i = 0; i < CACHE_LAYERS; i++) {
        json_t *o;

        if (n[i][CACHE_HIT] + n[i][CACHE_MISS] + n[i][CACHE_BYPASS] == 0)
            continue;
        o = json_new_object();
        json_put_str(o, "layer", str_of(cache_layer_title((enum cache_layer)i)));
        json_put_str(o, "hits", format_count(v->scratch, n[i][CACHE_HIT]));
        json_put_str(o, "misses", format_count(v->scratch, n[i][CACHE_MISS]));
        json_put_str(o, "bypasses", format_count(v->scratch, n[i][CACHE_BYPASS]));
        json_push(list, o);
    }
    return list;
}

json_t *page_caches(const struct view *v)
{
    json_t *o = json_new_object(), *rows = json_new_array(), *totals = cache_totals(v);
    const struct compile *c;
    uint64_t n = 0;

    for (struct compile_walk w = {.run = v->run}; (c = compile_next(&w));)
        vec_each(const struct cache_event, e, &c->cache_events) if (n++ < CACHE_ROWS_MAX)
            json_push(rows, cache_row(v, e));
    json_put_bool(o, "any", n > 0);
    json_put(o, "totals", totals);
    json_put(o, "rows", rows);
    json_put(o, "more", n > CACHE_ROWS_MAX ? json_of_i64((int64_t)(n - CACHE_ROWS_MAX)) : json_null());
    return o;
}

/* --- dynamic shapes ----------------------------------------------------------------------------------------------- */

static json_t *place_of(const struct view *v, const struct call *stack)
{
    const struct call *own = stack_user_call(stack);

    return own ? page_place(v, own->file, own->line) : json_null();
}

static json_t *source_of(const struct call *stack)
{
    const struct call *own = stack_user_call(stack);

    return own ? view_text(str_trim(own->source)) : json_null();
}

static json_t *symbol_row(const struct view *v, const struct compile *c, const struct symbol *s)
{
    json_t *o = json_new_object();

    json_put(o, "link", page_link(v, c));
    json_put_str(o, "symbol", s->name);
    json_put(o, "source", page_text(v, s->source));
    json_put(o, "hint", page_text(v, s->hint));
    json_put(o, "range", page_text(v, s->range));
    json_put_bool(o, "unbacked", s->unbacked);
    json_put(o, "fixed", page_text(v, s->specialized_to));
    json_put(o, "place", place_of(v, s->user_stack));
    json_put(o, "code", source_of(s->user_stack));
    return o;
}

static json_t *specialization_row(const struct view *v, const struct compile *c, const struct specialization *s)
{
    json_t *o = json_new_object();

    json_put(o, "link", page_link(v, c));
    json_put_str(o, "symbol", s->symbol);
    json_put(o, "source", page_text(v, s->source));
    json_put(o, "value", page_text(v, s->value));
    json_put(o, "reason", page_text(v, s->reason));
    json_put(o, "place", place_of(v, s->user_stack));
    json_put(o, "code", source_of(s->user_stack));
    return o;
}

static json_t *shape_guard_row(const struct view *v, const struct compile *c, const struct shape_guard *g)
{
    json_t *o = json_new_object();

    json_put(o, "link", page_link(v, c));
    json_put_str(o, "expr", utf8_cut(g->expr, 600));
    json_put(o, "prefix", view_text(g->prefix));
    json_put(o, "place", place_of(v, g->user_stack));
    json_put(o, "code", source_of(g->user_stack));
    return o;
}

static json_t *export_row(const struct view *v, const struct compile *c, const struct export_issue *e)
{
    json_t *o = json_new_object();

    json_put(o, "link", page_link(v, c));
    json_put_str(o, "kind", str_of(export_issue_name(e->kind)));
    json_put(o, "op", page_text(v, e->op));
    json_put(o, "text", page_text(v, e->text));
    json_put(o, "result", page_text(v, e->result));
    json_put(o, "place", place_of(v, e->user_stack));
    json_put(o, "code", source_of(e->user_stack));
    return o;
}

/* Whether another row fits; counts those that do not. */
static bool has_room(const json_t *list, uint64_t *hidden)
{
    bool room = json_array_size(list) < SYMBOL_ROWS_MAX;

    *hidden += !room;
    return room;
}

json_t *page_shapes(const struct view *v)
{
    json_t *o = json_new_object(), *symbols = json_new_array(), *fixed = json_new_array(), *guards = json_new_array(),
           *issues = json_new_array();
    const struct compile *c;
    uint64_t hidden = 0, expressions = 0;

    for (struct compile_walk w = {.run = v->run}; (c = compile_next(&w));) {
        vec_each(const struct symbol, s, &c->symbols) if (has_room(symbols, &hidden))
            json_push(symbols, symbol_row(v, c, s));
        vec_each(const struct specialization, s, &c->specializations) if (has_room(fixed, &hidden))
            json_push(fixed, specialization_row(v, c, s));
        vec_each(const struct shape_guard, g, &c->shape_guards) if (has_room(guards, &hidden))
            json_push(guards, shape_guard_row(v, c, g));
        vec_each(const struct export_issue, e, &c->export_issues) if (has_room(issues, &hidden))
            json_push(issues, export_row(v, c, e));
        expressions += c->expressions;
    }
    json_put_bool(
        o, "any",
        json_array_size(symbols) + json_array_size(fixed) + json_array_size(guards) + json_array_size(issues) > 0);
    json_put_bool(o, "any_symbols", json_array_size(symbols) > 0);
    json_put_bool(o, "any_fixed", json_array_size(fixed) > 0);
    json_put_bool(o, "any_guards", json_array_size(guards) > 0);
    json_put_bool(o, "any_issues", json_array_size(issues) > 0);
    json_put(o, "symbols", symbols);
    json_put(o, "fixed", fixed);
    json_put(o, "guards", guards);
    json_put(o, "issues", issues);
    json_put(o, "expressions", expressions ? json_of_str(format_count(v->scratch, expressions)) : json_null());
    json_put(o, "hidden", hidden ? json_of_i64((int64_t)hidden) : json_null());
    return o;
}

/* --- ranks -------------------------------------------------------------------------------------------------------- */

static json_t *process_row(const struct view *v, const struct process *p)
{
    json_t *o = json_new_object();
    uint64_t breaks = 0, recompiles = 0, errors = 0;

    for (size_t i = 0; i < p->compiles.n; i++) {
        breaks += p->compiles.v[i]->breaks.n;
        recompiles += compile_is_recompile(p->compiles.v[i]);
        errors += p->compiles.v[i]->failures.n;
    }
    json_put(o, "rank", view_rank(p->rank));
    json_put(o, "pid", p->pid ? json_of_i64((int64_t)p->pid) : json_null());
    json_put_i64(o, "run", p->group + 1);
    json_put_str(o, "file", format_file_name(p->input->path));
    json_put_str(o, "path", p->input->path);
    json_put_str(o, "start",
                 p->first_us ? format_moment(v->scratch, p, p->first_us - (p->zone_known ? p->zone_us : 0)) : STR("-"));
    json_put_str(o, "compiles", format_count(v->scratch, p->compiles.n));
    json_put_str(o, "breaks", format_count(v->scratch, breaks));
    json_put_str(o, "recompiles", format_count(v->scratch, recompiles));
    json_put_str(o, "errors", format_count(v->scratch, errors));
    json_put_str(o, "wall", format_duration_us(v->scratch, v->answers->timing.process_wall_us[p->index]));
    json_put_i64(o, "epochs", p->epochs);
    return o;
}

json_t *page_ranks(const struct view *v)
{
    json_t *o = json_new_object(), *rows = json_new_array();

    for (size_t i = 0; i < v->run->processes.n && i < PAGE_ROWS_MAX; i++)
        json_push(rows, process_row(v, v->run->processes.v[i]));
    json_put(o, "hidden", page_hidden(v, v->run->processes.n, PAGE_ROWS_MAX));
    json_put_bool(o, "several", v->run->processes.n > 1);
    json_put_bool(o, "several_runs", v->run->groups > 1);
    json_put(o, "rows", rows);
    return o;
}

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

json_t *page_health(const struct view *v)
{
    const struct totals *t = &v->run->totals;
    struct health h = run_health(v->run);
    uint64_t hidden = 0;
    json_t *o = json_new_object(), *messages = messages_of(v, &hidden), *hidden_kinds;
    bool checked = true;

    for (size_t i = 0; i < v->run->inputs.n; i++)
        checked &= !v->run->inputs.v[i]->used || v->run->inputs.v[i]->digests_checked;
    json_put_bool(o, "sound", h.errors == 0 && h.warnings == 0);
    json_put_bool(o, "any_messages", json_array_size(messages) > 0);
    json_put(o, "messages", messages);
    json_put(o, "hidden", hidden ? json_of_str(format_count(v->scratch, hidden)) : json_null());
    json_put(o, "inputs", inputs_of(v));
    json_put(o, "hidden_inputs", page_hidden(v, v->run->inputs.n, PAGE_ROWS_MAX));
    json_put(o, "kinds", kinds_of(v, &hidden_kinds));
    json_put(o, "hidden_kinds", hidden_kinds);
    json_put_str(o, "records", format_count(v->scratch, t->records));
    json_put_str(o, "payloads", format_count(v->scratch, t->payloads));
    json_put_str(o, "payload_bytes", format_bytes(v->scratch, t->payload_bytes));
    json_put_str(o, "bad", format_count(v->scratch, t->bad_payloads));
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

static bool has_recompiles(const struct view *v)
{
    return v->answers->counts.recompiles > 0;
}

/* What this trace could not answer, and the environment that makes the next one answer it. */
static const struct more {
    bool (*applies)(const struct view *v);
    const char *question, *environment;
} mores[] = {
    {no_provenance, "Which line of code became which kernel?", "INDUCTOR_PROVENANCE=1"},
    {has_hits, "What would Inductor have done? Results came from caches, so it did not run.",
     "TORCHINDUCTOR_FORCE_DISABLE_CACHES=1"},
    {has_breaks, "Which frames were skipped after a graph break? They are only recorded with this log on.",
     "TORCH_LOGS=\"graph_breaks\""},
    {has_breaks, "What did Dynamo do right before a break?", "TORCHDYNAMO_VERBOSE=1"},
    {has_recompiles, "Which guards failed for every earlier compile, not only the newest?",
     "TORCH_LOGS=\"recompiles_verbose\""},
    {has_errors, "What is the internal stack of an error?", "TORCHDYNAMO_VERBOSE=1"},
    {has_symbols, "Who added a guard on a size?",
     "TORCH_LOGS=\"+dynamic\" TORCHDYNAMO_EXTENDED_DEBUG_GUARD_ADDED=\"Eq(s0, 4)\""},
    {no_estimates, "How long does the compiler think each kernel and collective takes?", "LOG_TLPARSE=1"},
};

json_t *page_more(const struct view *v)
{
    json_t *o = json_new_object(), *rows = json_new_array();

    for (size_t i = 0; i < sizeof mores / sizeof *mores; i++) {
        json_t *row;

        if (!mores[i].applies(v))
            continue;
        row = json_new_object();
        json_put_str(row, "question", str_of(mores[i].question));
        json_put_str(row, "environment", str_of(mores[i].environment));
        json_push(rows, row);
    }
    json_put_bool(o, "any", json_array_size(rows) > 0);
    json_put(o, "rows", rows);
    return o;
}
