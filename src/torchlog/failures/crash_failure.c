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

/* PyTorch leaves its own folder out: "_export/non_strict_utils.py", "_ops.py". */
static bool is_within_torch(struct str file)
{
    return file.n && file.p[0] == '_';
}

/* "Caused by: (shop/export.py:6 in forward)", "Caused by: if n < 4:  # shop/export.py:6 in forward (...)" */
static bool take_cause(struct str message, struct str *file, int64_t *line)
{
    static const struct str lead = STR_INIT("\nCaused by: ");
    ptrdiff_t at = str_find(message, lead), colon;
    struct str rest = str_skip(message, at < 0 ? message.n : (size_t)at + lead.n), words = str_split(&rest, '\n'),
               place, number;

    colon = str_find(words, STR(".py:"));
    place = str_take(words, colon < 0 ? 0 : (size_t)colon + 3);
    place = str_skip(place, (size_t)(str_rchr(place, ' ') + 1));
    str_consume(&place, STR("("));
    number = str_skip(words, colon < 0 ? words.n : (size_t)colon + 4);
    if (place.n < 4 || is_framework_file(place) || is_within_torch(place) || !str_i64(str_split(&number, ' '), line))
        return false;
    *file = place;
    return true;
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
    } else {
        take_cause(f->message, &f->file, &f->line);
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
                          .stack = record_text_stack(rec, &t->user_calls),
                          .own_code = raiser(rec, t),
                          .shown = true,
                          .passed_on = form == CRASH_TRACEBACK && !str_eq(t->type, STR("InternalTorchDynamoError")),
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
