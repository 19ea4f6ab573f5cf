#include "torchlog/failures/crash.h"

#include "model/conclude/failures.h"
#include "text/messages/autotune_text.h"
#include "torchlog/apply/apply.h"
#include "torchlog/crash/crash_lines.h"
#include "torchlog/crash/crash_text.h"
#include "torchlog/crash/harmless.h"
#include "torchlog/crash/shell_death.h"
#include "torchlog/failures/crash_compile.h"
#include "torchlog/failures/crash_failure.h"
#include "torchlog/failures/crash_logged.h"
#include "torchlog/failures/crash_refused.h"

enum { WARNINGS_MAX = 8 };

/* --- what a process died of --------------------------------------------------------------------------------------- */

static bool take_assertion(struct crash_process *p, struct record *rec, struct failure *f)
{
    p->assertions++;
    if (p->assertion)
        return true;
    crash_failure_keep_text(rec, f, "crash");
    p->assertion = f;
    return true;
}

/* What a watchdog names itself is its number in a group of processes: the rank only where the line has no prefix. */
static void add_wait(struct crash_process *p, struct record *rec, int rank, struct str message)
{
    crash_waits_add(&p->waits, record_arena(rec), rec->process->rank < 0 ? rank : rec->process->rank, message);
}

/* A process dies once: what comes first says why, faulthandler adds where, and the shell only repeats it. */
static bool take_death(struct crash_process *p, struct record *rec, const struct crash_text *t, enum crash_form form)
{
    struct failure *f, *first = p->death ? p->death : p->last;

    if (form == CRASH_SHELL && (p->death || (p->known.list.n && !shell_death(t->message).n)))
        return true;
    f = crash_failure_new(rec, t, form);
    crash_failure_keep_text(rec, f, "crash");
    add_wait(p, rec, t->rank, f->message);
    if (p->death && failure_is_stuck_watchdog(p->death) && failure_is_timeout(f)) { /* it waits like the others */
        known_crashes_drop(&p->known, failure_is_stuck_watchdog);
        p->death = first = NULL;
    }
    if (first) {
        crash_failure_use_stack(first, f);
        return true;
    }
    crash_failure_use_assertion(p, record_arena(rec), f);
    p->death = f;
    p->death_rank = t->rank;
    known_crashes_add(&p->known, rec, f, false);
    return true;
}

/* --- exceptions --------------------------------------------------------------------------------------------------- */

/* Without a name and the user's stack it is little more than the fact that something failed. */
static bool is_clue(const struct crash_text *t)
{
    return t->nameless && t->user_calls.calls.n == 0;
}

static void take_of_compiler(struct crash_process *p, struct record *rec, const struct crash_text *t, struct failure *f)
{
    crash_failure_keep_text(rec, f, f->where == FAILED_RUNTIME ? "exception" : "dynamo_error");
    crash_failure_use_assertion(p, record_arena(rec), f);
    if (is_clue(t))
        known_crashes_keep_clue(&p->known, rec, f);
    else
        crash_failure_add(p, rec, f);
}

/* As launchers end (accelerate's, say): of the Python that was started, which has said above what it was. */
static bool repeats_child(const struct crash_process *p, const struct failure *f)
{
    return (p->known.list.n || (p->last && !p->last_may_be_caught)) && str_eq(f->type, STR("CalledProcessError")) &&
           str_starts(f->message, STR("Command '[")) && str_has(f->message, STR("python"));
}

/* The end of the text cut it off: what was said before is more. */
static bool says_nothing(const struct crash_text *t)
{
    return t->type.n == 0 && t->message.n == 0;
}

/* Of the program: whether it ended with it will be seen. */
static void take_of_program(struct crash_process *p, struct record *rec, const struct crash_text *t, struct failure *f,
                            bool certain)
{
    crash_failure_keep_text(rec, f, "exception");
    p->judged |= f->stack != NULL;
    crash_failure_use_assertion(p, record_arena(rec), f);
    if ((p->last && (t->ignored || says_nothing(t) || (p->last_certain && !certain))) || repeats_child(p, f))
        return;
    p->last = certain || (!t->ignored && (t->outermost || t->ours)) ? f : NULL;
    p->unsure = p->last || t->ignored ? NULL : f;
    p->last_certain = certain;
    p->last_may_be_caught = !t->outermost && !t->headless;
    p->lines_behind = 0;
}

static void take_child(struct crash_process *p, struct record *rec, const struct crash_text *t, struct failure *f)
{
    crash_failure_keep_text(rec, f, "crash");
    f->where = t->origin == CRASH_OF_COMPILER ? FAILED_FORWARD : FAILED_PROGRAM;
    p->child = known_crashes_add(&p->known, rec, f, false);
    p->child->rank = t->rank;
    p->child->pid = t->pid;
    f->of_pid = t->pid;
}

/* The function that could not be compiled is named in the message that the traceback belongs to. */
static void use_announcement(const struct crash_process *p, struct crash_text *t, struct failure *f)
{
    t->origin = CRASH_OF_COMPILER;
    if (t->user_calls.calls.n || !p->announced_line)
        return;
    f->file = p->announced_file;
    f->line = p->announced_line;
}

/* Only at the end of a text its exception may have been cut off: elsewhere a program prints where it is. */
static bool is_only_calls(const struct crash_text *t)
{
    return says_nothing(t) && t->origin == CRASH_OF_COMPILED;
}

/* "it did not end within 300 seconds" of "Command '['python', ...]' timed out after 300 seconds", which may be long. */
static struct str words_of_unraised(struct record *rec, const struct failure *f)
{
    struct str seconds;

    if (!str_eq(f->type, STR("TimeoutExpired")) ||
        !str_between(f->message, STR(" timed out after "), STR(" seconds"), &seconds))
        return f->message;
    return arena_printf(record_arena(rec), "a process did not end within %.*s seconds", STR_ARG(seconds));
}

/* It is shown where the text has nothing else. */
static void keep_unraised(struct crash_process *p, struct record *rec, const struct crash_text *t, struct failure *f)
{
    struct str in = t->unraised_in;

    crash_failure_keep_text(rec, f, "exception");
    if (p->logged)
        return;
    f->message = arena_printf(record_arena(rec), "an exception was ignored%s%.*s%s: %.*s: %.*s", in.n ? " in `" : "",
                              STR_ARG(in), in.n ? "`" : "", STR_ARG(f->type), STR_ARG(words_of_unraised(rec, f)));
    f->type = STR("Warning");
    p->logged = f;
}

static void take_failure(struct crash_process *p, struct record *rec, struct crash_text *t, struct failure *f,
                         bool certain)
{
    if (p->announced_as && !crash_same_exception(p->announced_as, f))
        p->announced = CRASH_UNANNOUNCED;
    p->announced_as = f;
    if (p->announced == CRASH_ANNOUNCED)
        use_announcement(p, t, f);
    p->judged |= p->announced == CRASH_HARMLESS && f->stack;
    if (p->announced == CRASH_HARMLESS)
        crash_failure_keep_text(rec, f, "exception");
    else if (t->unraised)
        keep_unraised(p, rec, t, f);
    else if (t->child)
        take_child(p, rec, t, f);
    else if (t->origin == CRASH_OF_PROGRAM || is_only_calls(t))
        take_of_program(p, rec, t, f, certain);
    else
        take_of_compiler(p, rec, t, f);
}

/* The calls below an exception's trailer, which end with that exception: they have no head of their own. */
static bool is_shown_again(const struct crash_process *p, const struct crash_text *t, const struct failure *f)
{
    return t->headless && t->origin == CRASH_OF_COMPILER && t->calls.calls.n && t->user_calls.calls.n == 0 &&
           known_crashes_ends_with(&p->known, f);
}

/* False when it is a line, say of a summary, that repeats what a traceback above says. */
static bool take_exception(struct crash_process *p, struct record *rec, struct crash_text *t, bool certain)
{
    struct compile *before = rec->compile, *c = crash_compile_at_work(p, rec->process, t);
    struct failure *f;

    if (c)
        rec->compile = c;
    crash_refused(rec, t->message);
    f = crash_failure_new(rec, t, CRASH_TRACEBACK);
    crash_logged_use_kernel(p, f);
    if (is_shown_again(p, t, f) || (t->headless && !p->announced && crash_is_known(&p->known, f))) {
        rec->compile = before;
        return false;
    }
    take_failure(p, rec, t, f, certain);
    return true;
}

/* --- what PyTorch goes on without --------------------------------------------------------------------------------- */

static bool is_warned_of(const struct crash_process *p, struct str message)
{
    for (size_t i = 0; i < p->warnings.n; i++)
        if (str_eq(p->warnings.v[i]->message, message))
            return true;
    return false;
}

/* Of choices of the autotuner the first is shown: there are often dozens. */
static void add_warning(struct crash_process *p, struct record *rec, const struct harmless *h)
{
    struct failure *f;

    if (p->warnings.n == WARNINGS_MAX || (h->choice.n && p->choice.n) || is_warned_of(p, h->message))
        return;
    p->choice = h->choice.n ? h->choice : p->choice;
    f = ARENA_NEW(record_arena(rec), struct failure);
    *f = (struct failure){
        .where = FAILED_RUNTIME, .attempt = -1, .message = h->message, .shown = true, .record_line = rec->line};
    vec_push(record_arena(rec), &p->warnings, f);
}

/* The traceback behind such a line, where only that line has a prefix, or none has. */
static bool take_gone_on(struct crash_process *p, struct record *rec, const struct log_message *m)
{
    struct harmless h;
    struct str line = p->goes_on;

    p->goes_on = (struct str){0};
    if (m->crash != CRASH_TRACEBACK || line.n == 0 ||
        !harmless_take(record_arena(rec),
                       arena_printf(record_arena(rec), "%.*s\n%.*s", STR_ARG(line), STR_ARG(m->text)), STR(""), &h))
        return false;
    add_warning(p, rec, &h);
    return true;
}

/*
 * A warning of PyTorch with a traceback is no row of those after which the compile failed. Where its first line is cut
 * off, Dynamo's may have been of such a row.
 */
static bool is_plain_warning(const struct log_message *m)
{
    return m->head.form == LOG_GLOG && m->head.glog.level == 'W' && !m->head.artifact.n &&
           str_has_any_line(m->head.glog.file, STR("torch/\ntorch\\")) && !crash_logged_row(m) &&
           !(m->kind && m->kind->apply) &&
           (!crash_is_header(str_first_line(m->text)) || str_has(m->head.glog.file, STR("_inductor")) ||
            str_has(m->head.glog.file, STR("_functorch")));
}

static bool take_harmless(struct crash_process *p, struct record *rec, const struct log_message *m)
{
    struct harmless h;
    bool may_be = m->head.form == LOG_BARE ? m->kind || m->crash == CRASH_TAIL : crash_logged_warns(m->head.glog.level);

    if (!may_be || (!harmless_take(record_arena(rec), m->text, m->head.glog.file, &h) &&
                    !(is_plain_warning(m) && harmless_warned(record_arena(rec), m->text, m->head.glog.file, &h))))
        return false;
    add_warning(p, rec, &h);
    return true;
}

void crash_put_warnings(const struct crash_process *p, struct process *of, struct arena *a)
{
    for (size_t i = 0; i < p->warnings.n; i++) {
        p->warnings.v[i]->compile = of->unattributed;
        vec_push(a, &of->unattributed->failures, p->warnings.v[i]);
    }
}

/* A stack and the exception at its end, without the line above that begins a traceback. */
static bool is_whole_but_header(const struct crash_text *t)
{
    return t->type.n && !t->nameless && t->calls.calls.n > 1;
}

/* Who raised an exception that stands alone in a person's text is not known. */
static bool is_taken(struct crash_process *p, struct record *rec, const struct log_message *m, struct crash_text *t)
{
    if (m->crash != CRASH_TAIL || t->ours)
        return true;
    if (p->small && !p->any && is_whole_but_header(t)) {
        t->origin = CRASH_OF_COMPILED;
        return true;
    }
    if (p->any || p->small)
        t->origin = CRASH_OF_COMPILED;
    if (!p->any && p->small && !p->spare && t->type.n)
        p->spare = crash_failure_new(rec, t, CRASH_TAIL);
    return p->any;
}

/* "SingleProcess AUTOTUNE benchmarking takes 2.8 seconds and 14.2 seconds precompiling for 20 choices" */
static struct str autotuned(struct str text)
{
    struct str line;

    while (str_next_line(&text, &line))
        if (autotune_text_takes(line).n)
            return str_trim(line);
    return (struct str){0};
}

/* Without the lines before the first that has a word: blank ones, rows of '#'. */
static struct str from_first_word(struct str text)
{
    struct str rest = text, line;

    while (str_next_line(&rest, &line))
        for (size_t i = 0; i < line.n; i++)
            if (str_is_word_char(line.p[i]))
                return str_range(line.p, text.p + text.n);
    return text;
}

/* An error says more than a warning above it. */
static bool is_graver(const struct failure *kept, struct str type, struct str message)
{
    return !kept || str_has(message, STR("issue(s) found during export")) ||
           (str_eq(type, STR(LOGGED_ERROR_TYPE)) && str_eq(kept->type, STR("Warning")));
}

/* What stands in a text of a person is what the text is about, where it has nothing else. */
static void keep_logged(struct crash_process *p, struct record *rec, const struct log_message *m)
{
    bool warning = m->head.form != LOG_BARE && crash_logged_warns(m->head.glog.level) &&
                   (!m->head.artifact.n || (m->kind && m->kind->flags & LOG_WARNS));
    struct str traceback, message, type = !warning                      ? STR(NOTE_TYPE)
                                          : m->head.glog.level == 'W' ? STR("Warning")
                                                                        : STR(LOGGED_ERROR_TYPE);
    struct crash_text t;

    if (!(p->any || p->small) || !m->kind || m->kind->apply)
        return;
    message = !warning                            ? autotuned(rec->text)
              : crash_logged_is_source(m, rec->text) ? STR("Triton compilation failed: the kernel's name is cut off")
                                                     : from_first_word(rec->text);
    if (message.n == 0)
        return;
    if (is_graver(p->logged, type, message)) {
        p->logged = ARENA_NEW(record_arena(rec), struct failure);
        *p->logged = (struct failure){.where = FAILED_RUNTIME,
                                      .attempt = -1,
                                      .type = type,
                                      .message = record_copy(rec, message),
                                      .shown = true,
                                      .record_line = rec->line};
    }
    if (p->spare || !warning || m->head.glog.level == 'W')
        return;
    message = record_copy(rec, message);
    traceback = crash_traceback(message);
    if (traceback.n && crash_text_parse(record_arena(rec), CRASH_TRACEBACK, traceback, &t)) {
        if (crash_logged_is_kernel(message)) {
            t.origin = CRASH_OF_COMPILER;
            t.part = FAILED_IN_TRITON;
        }
        p->spare = crash_failure_new(rec, &t, CRASH_TRACEBACK);
    }
    if (p->spare && p->spare->type.n == 0) /* cut off before its exception */
        p->spare->message = str_first_line(message);
}

bool crash_take(struct crash_process *p, struct record *rec, const struct log_message *m)
{
    struct crash_text t;
    const struct crash_logged *kind;
    bool taken = true;

    p->process = rec->process;
    if (take_gone_on(p, rec, m))
        return true;
    if (take_harmless(p, rec, m)) {
        if (m->crash) /* its traceback follows */
            p->announced = CRASH_HARMLESS;
        return m->crash != CRASH_NONE;
    }
    if (m->crash == CRASH_NONE) {
        kind = crash_logged_row(m);
        if (!kind) {
            crash_logged_keep_kernel(p, rec);
            keep_logged(p, rec, m);
        }
        return kind && crash_logged_take(p, rec, kind);
    }
    if (!crash_text_parse(record_arena(rec), m->crash, record_copy(rec, m->text), &t) || !is_taken(p, rec, m, &t))
        return false;
    if (crash_is_exception(m->crash)) {
        taken = take_exception(p, rec, &t, m->uncaught);
    } else if (m->crash == CRASH_LOGGED && t.nameless) {
        struct failure *f = crash_failure_new(rec, &t, m->crash);

        add_wait(p, rec, t.rank, t.message);
        crash_failure_keep_text(rec, f, "crash");
        known_crashes_keep_clue(&p->known, rec, f);
    } else if (m->crash == CRASH_ASSERT) {
        taken = take_assertion(p, rec, crash_failure_new(rec, &t, m->crash));
    } else {
        if (t.origin == CRASH_OF_COMPILER && crash_is_at_work(p, p->started, NULL))
            rec->compile = p->started;
        taken = take_death(p, rec, &t, m->crash);
    }
    return taken;
}

void crash_note(struct crash_process *p, struct record *rec, const struct log_message *m)
{
    crash_logged_announce(p, rec, m);
    if (rec->compile->frame)
        p->latest = rec->compile;
    if (rec->compile->frame || (m->kind && m->kind->flags & LOG_TRACING)) /* it went on */
        p->last = p->last_certain ? p->last : NULL;
    if (rec->compile == p->failed && m->kind && m->kind->flags & LOG_TRACING)
        p->failed = NULL;
    if (rec->compile->frame && rec->compile->frame->name.n && m->kind && m->kind->apply == apply_log_start)
        p->started = rec->compile;
    if (m->head.form == LOG_BARE)
        p->lines_behind += m->payload.lines;
    p->lines_between = m->head.form == LOG_BARE ? p->lines_between + m->payload.lines : 0;
}
