/* What programs print about their compiles: torch._dynamo.explain() and torch._dynamo.utils.compile_times(). */
#include "torchlog/apply/apply.h"

#include "input/limits.h"
#include "text/messages/break_text.h"
#include "text/messages/explain_text.h"
#include "text/messages/metrics_text.h"
#include "text/messages/time_line.h"
#include "text/messages/times_text.h"
#include "trace/kinds.h"
#include "util/map.h"
#include "util/number.h"

/* --- explain() ---------------------------------------------------------------------------------------------------- */

static void add_break(struct record *rec, const struct explain_break *from)
{
    struct arena *a = record_arena(rec);
    struct graph_break *b = ARENA_NEW(a, struct graph_break);
    struct break_text t;

    break_message_parse(a, record_copy(rec, from->message), &t);
    *b = (struct graph_break){.compile = rec->compile,
                              .attempt = -1,
                              .origin = BREAK_FROM_EXPLAIN,
                              .type = t.type,
                              .gb_id = t.gb_id,
                              .reason = t.message,
                              .explanation = t.explanation,
                              .context = t.context,
                              .url = t.url,
                              .stack = record_text_stack(rec, &from->stack),
                              .counted = from->counted,
                              .record_line = rec->line};
    vec_each(struct str, h, &t.hints) vec_push(a, &b->hints, *h);
    if (b->stack) {
        b->file = b->stack->file;
        b->line = b->stack->line;
        b->function = b->stack->function;
    }
    vec_push(a, &rec->compile->breaks, b);
}

/* The breaks are those of the compiles that explain() made for itself: they may be in the log, too (dedup_log.h). */
void apply_log_explain(struct record *rec)
{
    struct explain_text t;

    if (!explain_text_parse(record_arena(rec), rec->text, &t))
        return;
    rec->process->explained_graphs += t.graphs;
    rec->process->explained_breaks += t.counted;
    vec_each(const struct explain_break, b, &t.breaks) add_break(rec, b);
}

/* Where Dynamo stopped; NULL if the text has no stack. */
static const struct text_call *last_call(const struct explain_break *b)
{
    return b->stack.calls.n ? &b->stack.calls.v[b->stack.calls.n - 1] : NULL;
}

/* Whether the same break is there already: a program prints the list, and then each of its items. */
static bool is_known(const struct compile *c, const struct explain_break *b)
{
    for (size_t i = 0; i < c->breaks.n; i++) {
        const struct call *call = c->breaks.v[i]->stack;
        const struct text_call *last = last_call(b);

        if (c->breaks.v[i]->origin == BREAK_FROM_EXPLAIN && str_eq(c->breaks.v[i]->reason, b->message) &&
            (!call || !last || (call->line == last->line && str_eq(call->file, last->file))))
            return true;
    }
    return false;
}

/* explanation.break_reasons, printed as Python shows a list of them, or one by one. */
void apply_log_reason_list(struct record *rec)
{
    struct explain_text t = {0};

    explain_reasons_parse(record_arena(rec), rec->text, &t);
    vec_each(const struct explain_break, b, &t.breaks) if (!is_known(rec->compile, b)) add_break(rec, b);
}

static bool has_place(const struct compile *c, const struct explain_break *b)
{
    const struct text_call *last = last_call(b);

    for (size_t i = 0; last && i < c->breaks.n; i++)
        if (c->breaks.v[i]->line == last->line && str_eq(c->breaks.v[i]->file, last->file))
            return true;
    return false;
}

/*
 * torch/_dynamo/output_graph.py logs with +dynamo why each graph ends. Where it breaks, that is most often in a message
 * before; not in 2.0, and up to 2.5 not at a branch.
 */
void apply_log_graph_ends(struct record *rec)
{
    struct explain_text t = {0};

    if (!str_has(rec->text, STR("graph_break=True")))
        return;
    explain_reasons_parse(record_arena(rec), rec->text, &t);
    vec_each(const struct explain_break, b, &t.breaks) if (!has_place(rec->compile, b)) add_break(rec, b);
}

/* --- compile_times() ---------------------------------------------------------------------------------------------- */

static struct call_times *times_of(const struct process *p, struct str name)
{
    uint64_t number = p->times.n ? map_number(&p->times_by_name, name) : 0;

    return number ? &p->times.v[number - 1] : NULL;
}

static int64_t sum_of(const struct call_times *t)
{
    int64_t sum = 0;

    vec_each(const int64_t, ns, &t->each_ns) sum = add_bounded(sum, *ns);
    return sum;
}

/* Whether a row goes on with what an earlier table said of the name: the same times and more, or a larger sum. */
static bool row_continues(const struct call_times *before, const struct times_row *row)
{
    const int64_t rounding = 100000 * (int64_t)before->each_ns.n;

    if (row->each_ns.n == 1)
        return row->each_ns.v[0] >= sum_of(before) - rounding;
    return row->each_ns.n >= before->each_ns.n &&
           memcmp(row->each_ns.v, before->each_ns.v, before->each_ns.n * sizeof *row->each_ns.v) == 0;
}

/*
 * Tables grow while a program runs, so the last one counts; unless torch._dynamo.reset() emptied the table in between:
 * then a later one does not go on with what was said before.
 */
static bool continues(const struct process *p, const struct times_text *t)
{
    size_t known = 0;

    vec_each(const struct times_row, row, &t->rows)
    {
        const struct call_times *before = times_of(p, row->name);

        if (before && !row_continues(before, row))
            return false;
        known += before != NULL;
    }
    return known == p->times.n;
}

static void add_times(struct record *rec, const struct times_row *row)
{
    struct process *p = rec->process;
    struct str name = record_intern(rec, row->name);
    struct call_times *to = times_of(p, name);

    if (!to) {
        to = vec_add(record_arena(rec), &p->times);
        *to = (struct call_times){.name = name};
        *map_number_at_kept(&p->times_by_name, name) = p->times.n;
    }
    vec_each(const int64_t, ns, &row->each_ns) vec_push(record_arena(rec), &to->each_ns, *ns);
}

void apply_log_times(struct record *rec)
{
    struct process *p = rec->process;
    struct times_text t;

    times_text_parse(record_arena(rec), rec->text, &t);
    if (continues(p, &t))
        p->times.n = 0;
    if (p->times.n == 0)
        map_init(&p->times_by_name, record_arena(rec));
    vec_each(const struct times_row, row, &t.rows) add_times(rec, row);
}

static void add_start_line(struct record *rec, const struct time_line *t)
{
    struct start_line line = {
        .kind = t->kind, .ns = t->ns, .done = t->done, .all = t->all, .clock_s = t->clock_s};

    if (t->kind == START_LINE_KINDS || rec->process->start_lines.n >= LIMIT_LIST)
        return;
    line.directory = t->directory.n ? record_intern(rec, t->directory) : t->directory;
    vec_push(record_arena(rec), &rec->process->start_lines, line);
}

/* One time in a line, of vLLM and of benchmarks: each line adds to what the others said. */
void apply_log_time_line(struct record *rec)
{
    struct time_line t;

    time_line_parse(record_arena(rec), record_copy(rec, rec->text), &t);
    add_start_line(rec, &t);
    if (rec->process->times.n == 0)
        map_init(&rec->process->times_by_name, record_arena(rec));
    vec_each(const struct times_row, row, &t.times.rows) add_times(rec, row);
}

enum { SECONDS_MAX = 1000000 };

/* The times of all compiles, of which nothing else is known. */
static void add_metric_times(struct record *rec, const struct metrics *m)
{
    static const char *const fields[][2] = {{"entire_frame_compile_time_s", "entire_frame_compile"},
                                            {"backend_compile_time_s", "backend_compile"},
                                            {"inductor_compile_time_s", "inductor_compile"},
                                            {"code_gen_time_s", "code_gen"}};

    if (rec->process->times.n == 0)
        map_init(&rec->process->times_by_name, record_arena(rec));
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const struct metric *value = metrics_get(m, fields[i][0]);
        struct times_row row = {.name = str_of(fields[i][1])};

        if (!value || value->type != METRIC_DOUBLE || !(value->d >= 0 && value->d < SECONDS_MAX))
            continue;
        vec_push(rec->reading->scratch, &row.each_ns, (int64_t)(value->d * 1e9));
        add_times(rec, &row);
    }
}

/* Of the compile that take_message() read from the text: the record of a trace, as Python prints it. */
void apply_log_metrics(struct record *rec)
{
    struct str json = metrics_text_json(rec->reading->scratch, rec->text), name = rec->kind_name;
    bool backward = str_has(json, STR("\"is_forward\":false")) || str_has(json, STR("\"is_fwd\":false"));
    struct json_doc doc;

    if (json_doc_load_whole(&doc, json)) {
        rec->doc = &doc;
        rec->value = doc.root;
        rec->kind_name =
            record_intern(rec, backward ? STR("bwd_compilation_metrics") : STR("compilation_metrics"));
        apply_metrics(rec);
        add_metric_times(rec, rec->compile->newest_metrics[backward ? METRICS_BACKWARD : METRICS_FORWARD]);
        rec->kind_name = name;
        rec->value = NULL;
        rec->doc = NULL;
    }
    json_doc_free(&doc);
}

/* --- TORCH_COMPILE_DEBUG ------------------------------------------------------------------------------------------ */

/* torch/_inductor/debug.py: "model__0_forward_1 debug trace: /tmp/torch_compile_debug/.../model__0_forward_1.0". */
void apply_log_debug_trace(struct record *rec)
{
    struct str folder = str_trim(str_file_name(rec->text));
    uint64_t id;

    if (rec->compile->frame && debug_file_aot_id(folder, &id))
        vec_push(record_arena(rec), &rec->compile->aot_ids, id);
}
