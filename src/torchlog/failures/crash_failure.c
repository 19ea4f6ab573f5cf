#include "torchlog/failures/crash_failure.h"

#include "model/code_file.h"
#include "torchlog/apply/log_frame.h"

static enum failure_where where_of(const struct crash_text *t, enum crash_form form)
{
    if (form != CRASH_TRACEBACK && t->origin != CRASH_OF_COMPILER)
        return FAILED_RUNTIME;
    if (t->backward)
        return FAILED_BACKWARD;
    if (t->origin == CRASH_OF_COMPILER)
        return FAILED_FORWARD;
    return t->origin == CRASH_OF_COMPILED ? FAILED_RUNTIME : FAILED_PROGRAM;
}

/*
 * "Caused by: if n < 4:  # shop/export.py:6 in forward (_ops.py:8 in f)", or only a place in parentheses: the line that
 * asked for the value (torch/fx/experimental/symbolic_shapes.py, SLoc; torch/utils/_traceback.py, format_frame).
 * PyTorch leaves its own folder out: "_export/non_strict_utils.py", "_ops.py".
 */
static bool take_cause(struct str message, struct text_call *out)
{
    static const struct str lead = STR_INIT("\nCaused by: "), mark = STR_INIT("  # ");
    ptrdiff_t at = str_find(message, lead), behind, colon;
    struct str rest = str_skip(message, at < 0 ? message.n : (size_t)at + lead.n), words = str_split(&rest, '\n');

    *out = (struct text_call){0};
    behind = str_find(words, mark);
    if (behind >= 0) {
        out->source = str_trim(str_take(words, (size_t)behind));
        words = str_skip(words, (size_t)behind + mark.n);
    }
    colon = str_find(words, STR(".py:"));
    if (colon < 0)
        return false;
    out->file = str_take(words, (size_t)colon + 3);
    str_consume(&out->file, STR("("));
    words = str_skip(words, (size_t)colon + 4);
    if (out->file.n < 4 || out->file.p[0] == '_' || is_framework_file(out->file) ||
        !str_i64(str_split(&words, ' '), &out->line))
        return false;
    if (str_consume(&words, STR("in "))) {
        out->function = str_split(&words, ' ');
        if (str_ends(out->function, STR(")")))
            out->function = str_drop(out->function, 1);
    }
    return true;
}

/* The stack has whole paths, of which PyTorch cuts the beginning where it names a line. */
static bool has_call(const struct text_stack *s, const struct text_call *call)
{
    for (size_t i = 0; i < s->calls.n; i++)
        if (s->calls.v[i].line == call->line &&
            str_eq(code_file_name(s->calls.v[i].file), code_file_name(call->file)))
            return true;
    return false;
}

/* The stack of the code that was compiled: PyTorch appends it, or names its innermost line. */
static const struct call *user_stack(struct record *rec, const struct crash_text *t)
{
    struct text_call cause;
    struct text_stack named = {.calls = {.v = &cause, .n = 1}};

    if (t->user_calls.calls.n || !take_cause(t->message, &cause) || has_call(&t->calls, &cause))
        return record_text_stack(rec, &t->user_calls);
    return record_text_stack(rec, &named);
}

/* The program's line, else a library's. */
static const struct call *own_call(const struct call *stack)
{
    const struct call *own = stack_program_call(stack);

    return own ? own : stack_own_call(stack);
}

/* Without a stack of the code that was compiled: where the function begins, or else who called it. */
static void locate(struct failure *f)
{
    const struct frame *frame = f->compile->frame;
    const struct call *own = own_call(f->stack);
    struct log_frame named;

    if (log_frame_take(f->message, &named)) {
        f->file = named.file;
        f->line = named.line;
    } else if (frame && frame->file.n && frame->name.n) {
        f->file = frame->file;
        f->line = frame->line;
    } else if (own) {
        f->file = own->file;
        f->line = own->line;
    }
}

/* What was raised first, in a chain that BackendCompilerFailed ends up to 2.5, or by the only exception. */
static const struct call *raiser(struct record *rec, const struct crash_text *t)
{
    size_t n = t->first_calls.calls.n;
    bool by_program = t->origin == CRASH_OF_COMPILER && n && is_program_file(t->first_calls.calls.v[n - 1].file);

    return record_own_code(rec, by_program ? &t->first_calls : &t->calls, by_program);
}

struct failure *crash_failure_new(struct record *rec, const struct crash_text *t, enum crash_form form)
{
    struct failure *f = ARENA_NEW(record_arena(rec), struct failure);

    *f = (struct failure){.compile = rec->compile,
                          .where = where_of(t, form),
                          .part = t->part,
                          .attempt = rec->attempt,
                          .type = record_intern(rec, t->type),
                          .message = t->message,
                          .beside = t->asserted,
                          .stack = user_stack(rec, t),
                          .own_code = raiser(rec, t),
                          .raised_in = record_raised_in(rec, &t->calls),
                          .shown = true,
                          .passed_on = form == CRASH_TRACEBACK && !str_eq(t->type, STR("InternalTorchDynamoError")),
                          .incomplete = t->incomplete,
                          .incomplete_below = t->incomplete_below,
                          .exporting = t->exporting,
                          .record_line = rec->line};
    if (f->stack) {
        const struct call *calls = record_text_stack(rec, &t->calls),
                          *own = stack_own_call(f->stack) ? NULL : own_call(calls);

        f->caller = stack_program_call(calls);
        f->file = own ? own->file : f->stack->file;
        f->line = own ? own->line : f->stack->line;
    } else {
        /* the calls of the last exception of a chain may have been left out */
        bool left_out = t->calls.calls.n == 0 && t->origin == CRASH_OF_COMPILER;

        f->stack = f->compile->stack ? NULL : record_text_stack(rec, left_out ? &t->first_calls : &t->calls);
        locate(f);
    }
    return f;
}

void crash_failure_keep_text(struct record *rec, struct failure *f, const char *name)
{
    rec->name = record_intern(rec, str_of(name));
    f->traceback = record_add_artifact(rec, (struct str){0});
}

void crash_failure_use_stack(struct failure *f, const struct failure *more)
{
    if (f->stack || !more->stack)
        return;
    f->stack = more->stack;
    f->caller = more->caller;
    locate(f);
}

void crash_failure_raised_again(struct failure *f, const struct failure *outer)
{
    f->stack = outer->stack;
    f->caller = outer->caller;
    locate(f);
}

/* An exception of a compile that is logged and printed is one failure. */
void crash_failure_add(struct crash_process *p, struct record *rec, struct failure *f)
{
    if (known_crashes_add(&p->known, rec, f, true) && f->compile->frame)
        p->failed = f->compile;
}

static bool is_device_assertion(const struct failure *f)
{
    struct str message = str_take(f->message, 2000);

    return str_has(message, STR("device-side assert triggered")) && !str_has(message, STR("Assertion `"));
}

bool crash_failure_use_assertion(struct crash_process *p, struct arena *a, struct failure *f)
{
    if (!p->assertion || !is_device_assertion(f))
        return false;
    f->message = arena_printf(a, "%.*s\n%.*s (%llu thread%s)", STR_ARG(f->message), STR_ARG(p->assertion->message),
                              (unsigned long long)p->assertions, p->assertions == 1 ? "" : "s");
    p->assertion = NULL;
    return true;
}
