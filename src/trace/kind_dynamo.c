/* What Dynamo itself records about a compile: its start, breaks, reasons, failures and guards. */
#include "trace/kinds.h"

#include "text/guards/guard_reason.h"
#include "text/messages/break_text.h"
#include "util/utf8.h"

/* 2.4 includes its own calls at the end of the stack. */
static const struct call *without_dynamo(const struct call *c)
{
    while (c && c->parent && str_ends(c->file, STR("torch/_dynamo/convert_frame.py")))
        c = c->parent;
    return c;
}

/*
 * torch/_dynamo/convert_frame.py, log_dynamo_start: the innermost call of the stack is the frame itself (2.4: see
 * model/conclude/callers.h).
 */
void apply_dynamo_start(struct record *rec)
{
    struct compile *c = rec->compile;

    c->started = true;
    c->stack = without_dynamo(record_stack(rec, rec->value, "stack"));
    if (!c->stack || !c->frame || c->frame->name.n)
        return;
    c->frame->name = c->stack->function;
    c->frame->file = c->stack->file;
    c->frame->line = c->stack->line;
    frame_note_resume(c->frame);
}

/*
 * The payloads of these records are texts of many kilobytes, mostly tracebacks. They are taken apart in scratch
 * memory, and the model gets copies of the parts it keeps.
 */

/* The meaning of the guard is parsed later, where it is shown. */
void add_recompile_reason(struct record *rec, struct str text)
{
    struct recompile_reason *reason = vec_add(record_arena(rec), &rec->compile->reasons);
    struct guard_reason parsed;

    text = record_copy(rec, text);
    guard_reason_parse(rec->reading->scratch, text, &parsed);
    reason->text = text;
    reason->against = parsed.against;
    reason->user_stack = parsed.user_stack;
}

/*
 * torch/_dynamo/guards.py, get_and_maybe_log_recompilation_reasons. The encoding says JSON, but a single reason is
 * written as bare text; several are a JSON list, one per line.
 */
void apply_recompile_reasons(struct record *rec)
{
    struct arena *scratch = rec->reading->scratch;
    struct str text = str_trim(rec->text);
    struct guard_reason_texts texts = {0};
    struct json_doc doc = {0};

    record_add_artifact(rec, (struct str){0});
    if (text.n == 0 || text.p[0] != '[' || !json_doc_load_whole(&doc, text)) {
        guard_reason_split(scratch, text, &texts);
    } else {
        size_t i;
        const json_t *item;

        json_array_foreach(doc.root, i, item) if (json_is_string(item) && i < LIMIT_LIST)
            vec_push(scratch, &texts.list, json_str(item));
    }
    vec_each(struct str, t, &texts.list) add_recompile_reason(rec, *t);
    json_doc_free(&doc);
}

/*
 * If a backend refuses a graph, two records are written: first the backend's own exception (torch/_dynamo/exc.py,
 * unimplemented_with_warning), then the graph break that Dynamo makes of it. Only the second one is a break.
 */
static bool is_backend_exception(const struct record *rec)
{
    return str_starts(rec->text, STR("WON'T CONVERT "));
}

/* The same part of a copy of the text. */
static struct str same_part(struct str part, struct str text, struct str copy)
{
    return part.n ? str_take(str_skip(copy, (size_t)(part.p - text.p)), part.n) : (struct str){0};
}

/* Keeps the whole message, and its sections as parts of it. */
static void keep_message(struct record *rec, const struct break_text *t, struct graph_break *b)
{
    struct arena *a = record_arena(rec);
    struct str message = t->message;

    b->reason = record_copy(rec, message);
    b->explanation = same_part(t->explanation, message, b->reason);
    b->context = same_part(t->context, message, b->reason);
    b->url = same_part(t->url, message, b->reason);
    vec_each(const struct str, h, &t->hints) vec_push(a, &b->hints, same_part(*h, message, b->reason));
}

void apply_graph_break_reason(struct record *rec)
{
    struct arena *a = record_arena(rec), *scratch = rec->reading->scratch;
    struct artifact *artifact = record_add_artifact(rec, (struct str){0});
    struct graph_break *b;
    struct break_text t = {0};

    if (is_backend_exception(rec))
        return;
    b = ARENA_NEW(a, struct graph_break);
    break_text_parse(scratch, utf8_clean(scratch, rec->text), &t);
    *b = (struct graph_break){.compile = rec->compile,
                              .attempt = rec->attempt,
                              .origin = BREAK_FROM_RECORD,
                              .type = record_copy(rec, t.type),
                              .gb_id = t.gb_id.n ? record_intern(rec, t.gb_id) : (struct str){0},
                              .stack = record_text_stack(rec, &t.user_stack),
                              .file = record_intern(rec, t.file),
                              .line = t.line,
                              .skips = t.skipped_frame,
                              .artifact = artifact,
                              .record_line = rec->line};
    keep_message(rec, &t, b);
    if (b->stack) {
        b->function = b->stack->function;
        if (b->file.n == 0) {
            b->file = b->stack->file;
            b->line = b->stack->line;
        }
    }
    vec_push(a, &rec->compile->breaks, b);
}

static struct failure *add_traceback(struct record *rec, enum failure_where where)
{
    struct arena *a = record_arena(rec), *scratch = rec->reading->scratch;
    struct failure *f = ARENA_NEW(a, struct failure);
    struct traceback t = {0};
    struct str text = utf8_clean(scratch, rec->text);

    *f = (struct failure){.compile = rec->compile,
                          .where = where,
                          .attempt = rec->attempt,
                          .traceback = record_add_artifact(rec, (struct str){0}),
                          .record_line = rec->line};
    if (traceback_parse(scratch, text, &t)) {
        f->type = record_intern(rec, t.type);
        f->message = record_copy(rec, t.message);
        f->stack = record_text_stack(rec, &t.user_calls);
        f->own_code = record_own_code(rec, &t.calls, false);
        f->raised_in = record_raised_in(rec, &t.calls);
    } else {
        f->type = STR("Exception");
        f->message = record_copy(rec, text);
    }
    if (f->stack) {
        f->file = f->stack->file;
        f->line = f->stack->line;
    }
    vec_push(a, &rec->compile->failures, f);
    return f;
}

/* torch/_dynamo/convert_frame.py, _compile: the exception that ended it. */
void apply_dynamo_error(struct record *rec)
{
    add_traceback(rec, FAILED_FORWARD);
}

/* torch/_functorch/_aot_autograd/graph_compile.py: the backward graph could not be compiled ahead of time. */
void apply_suppressed_failure(struct record *rec)
{
    add_traceback(rec, FAILED_BACKWARD);
}

/* Guards are the last step of a successful compile. Their text is parsed when a page shows it. */
void apply_guards(struct record *rec)
{
    rec->compile->guards_seen = true;
    rec->compile->ended = true;
    record_add_artifact(rec, (struct str){0});
}
