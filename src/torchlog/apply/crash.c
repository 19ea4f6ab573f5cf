#include "torchlog/apply/crash.h"

#include "model/code_file.h"
#include "text/python/exception_line.h"
#include "torchlog/apply/apply.h"
#include "torchlog/apply/crash_refused.h"
#include "torchlog/apply/log_frame.h"
#include "torchlog/crash/crash_lines.h"
#include "torchlog/crash/crash_text.h"
#include "torchlog/crash/harmless.h"
#include "util/map.h"

enum {
    LOOK_BACK = 1000,      /* how many compiles back one of a name is looked for */
    LINES_BETWEEN_MAX = 3, /* lines of output between the last message of a compile and its exception */
    LINES_BEHIND_MAX = 40, /* lines of output behind an exception that ended a program */
    LINES_TO_KILLED = 200, /* from the beginning of an exception to "Killed" */
    WARNINGS_MAX = 8,
    LINES_BEHIND_SURE = 3, /* the same when it may have been caught further up */
};

/* --- whose compile it is ------------------------------------------------------------------------------------------ */

static bool is_frame(const struct compile *c, struct str function, struct str file)
{
    return c->frame && str_eq(c->frame->name, function) && (file.n == 0 || str_eq(c->frame->file, file));
}

static struct compile *newest_of(const struct process *p, struct str function, struct str file)
{
    size_t n = p->compiles.n, last = n > LOOK_BACK ? n - LOOK_BACK : 0;

    while (n-- > last)
        if (is_frame(p->compiles.v[n], function, file))
            return p->compiles.v[n];
    return NULL;
}

static bool is_at_work(const struct crash_process *p, const struct compile *c, const struct text_call *outermost)
{
    if (!c || c->ended || c == p->failed)
        return false;
    return !outermost || !c->frame->name.n || is_frame(c, outermost->function, outermost->file);
}

/* Whose a refusal is stands in the log before it. */
static struct compile *refused_last(const struct process *p, const struct crash_text *t)
{
    size_t n = p->compiles.n, last = n > LOOK_BACK ? n - LOOK_BACK : 0;

    if (!str_has(str_first_line(t->message), STR("_limit reached")) && !str_has(t->type, STR("LimitHit")))
        return NULL;
    while (n-- > last)
        if (p->compiles.v[n]->limit_hit)
            return p->compiles.v[n];
    return NULL;
}

/*
 * The compile that was at work: the one whose message stands directly before, when it need not begin to fail (a
 * recompile), the one that the log says began last and has not ended, or one of the function that was traced. NULL when
 * none of these shows it.
 */
static struct compile *compile_at_work(const struct crash_process *p, const struct process *process,
                                       const struct crash_text *t)
{
    const struct text_call *outermost = t->user_calls.calls.n ? &t->user_calls.calls.v[0] : NULL;
    struct compile *c = NULL;

    if (t->origin != CRASH_OF_COMPILER || t->exporting)
        return NULL;
    if (p->lines_between <= LINES_BETWEEN_MAX && p->latest != p->started && is_at_work(p, p->latest, outermost))
        return p->latest;
    if (is_at_work(p, p->started, outermost))
        return p->started;
    c = outermost ? newest_of(process, outermost->function, outermost->file) : refused_last(process, t);
    return !c && t->backward ? p->latest : c;
}

/* An exception of a compile that is logged and printed is one failure. */
static void add_failure(struct crash_process *p, struct record *rec, struct failure *f)
{
    if (known_crashes_add(&p->known, rec, f, true) && f->compile->frame)
        p->failed = f->compile;
}

/* --- a failure ---------------------------------------------------------------------------------------------------- */

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

/* Without a stack of the code that was compiled: where the function begins, or else who called it. */
static void locate(struct failure *f)
{
    const struct frame *frame = f->compile->frame;
    const struct call *own = stack_own_call(f->stack);
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

static struct failure *new_failure(struct record *rec, const struct crash_text *t, enum crash_form form)
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
                          .shown = true,
                          .passed_on = form == CRASH_TRACEBACK && !t->internal,
                          .exporting = t->exporting,
                          .record_line = rec->line};
    if (f->stack) {
        f->file = f->stack->file;
        f->line = f->stack->line;
    } else {
        f->stack = f->compile->stack ? NULL : record_text_stack(rec, &t->calls);
        locate(f);
    }
    return f;
}

static void keep_text(struct record *rec, struct failure *f, const char *name)
{
    rec->name = record_intern(rec, str_of(name));
    f->traceback = record_add_artifact(rec, (struct str){0});
}

/* --- what a process died of --------------------------------------------------------------------------------------- */

static bool is_device_assertion(const struct failure *f)
{
    return str_has(str_take(f->message, 2000), STR("device-side assert triggered"));
}

/* The assertion says what the exception that follows from it does not: what was out of bounds, and where. */
static void use_assertion(struct crash_process *p, struct record *rec, struct failure *f)
{
    if (!p->assertion || !is_device_assertion(f))
        return;
    f->message = arena_printf(record_arena(rec), "%.*s\n%.*s (%llu threads)", STR_ARG(f->message),
                              STR_ARG(p->assertion->message), (unsigned long long)p->assertions);
    p->assertion = NULL;
}

static bool take_assertion(struct crash_process *p, struct record *rec, struct failure *f)
{
    p->assertions++;
    if (p->assertion)
        return true;
    keep_text(rec, f, "crash");
    p->assertion = f;
    return true;
}

static void use_stack(struct failure *f, const struct failure *more)
{
    if (f->stack || !more->stack)
        return;
    f->stack = more->stack;
    locate(f);
}

/* A process dies once: what comes first says why, faulthandler adds where, and the shell only repeats it. */
static bool take_death(struct crash_process *p, struct record *rec, const struct crash_text *t, enum crash_form form)
{
    struct failure *f, *first = p->death ? p->death : p->last;

    if (form == CRASH_SHELL && p->death)
        return true;
    f = new_failure(rec, t, form);
    keep_text(rec, f, "crash");
    crash_waits_add(&p->waits, record_arena(rec), t->rank, f->message);
    if (first) {
        use_stack(first, f);
        return true;
    }
    use_assertion(p, rec, f);
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
    keep_text(rec, f, f->where == FAILED_RUNTIME ? "exception" : "dynamo_error");
    if (is_clue(t))
        known_crashes_keep_clue(&p->known, rec, f);
    else
        add_failure(p, rec, f);
}

/* As launchers end (accelerate's, say): of the Python that was started, which has said above what it was. */
static bool repeats_child(const struct crash_process *p, const struct failure *f)
{
    return (p->known.list.n || (p->last && !p->last_may_be_caught)) && str_eq(f->type, STR("CalledProcessError")) &&
           str_starts(f->message, STR("Command '[")) && str_has(f->message, STR("python"));
}

/* Of the program: whether it ended with it will be seen. */
static void take_of_program(struct crash_process *p, struct record *rec, const struct crash_text *t, struct failure *f,
                            bool certain)
{
    keep_text(rec, f, "exception");
    p->judged |= f->stack != NULL;
    use_assertion(p, rec, f);
    if ((p->last && (t->ignored || (p->last_certain && !certain))) || repeats_child(p, f))
        return;
    p->last = certain || (!t->ignored && (t->outermost || t->ours)) ? f : NULL;
    p->unsure = p->last || t->ignored ? NULL : f;
    p->last_certain = certain;
    p->last_may_be_caught = !t->outermost && !t->headless;
    p->lines_behind = 0;
}

static void take_child(struct crash_process *p, struct record *rec, const struct crash_text *t, struct failure *f)
{
    keep_text(rec, f, "crash");
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
    return t->nameless && t->message.n == 0 && t->origin == CRASH_OF_COMPILED;
}

/* It is shown where the text has nothing else. */
static void keep_unraised(struct crash_process *p, struct record *rec, struct failure *f)
{
    keep_text(rec, f, "exception");
    if (p->logged)
        return;
    f->message = arena_printf(record_arena(rec), "an exception was ignored: %.*s: %.*s", STR_ARG(f->type),
                              STR_ARG(f->message));
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
        keep_text(rec, f, "exception");
    else if (t->unraised)
        keep_unraised(p, rec, f);
    else if (t->child)
        take_child(p, rec, t, f);
    else if (t->origin == CRASH_OF_PROGRAM || is_only_calls(t))
        take_of_program(p, rec, t, f, certain);
    else
        take_of_compiler(p, rec, t, f);
}

/* False when it is a line, say of a summary, that repeats what a traceback above says. */
static bool take_exception(struct crash_process *p, struct record *rec, struct crash_text *t, bool certain)
{
    struct compile *before = rec->compile, *c = compile_at_work(p, rec->process, t);
    struct failure *f;

    if (c)
        rec->compile = c;
    crash_refused(rec, t->message);
    f = new_failure(rec, t, CRASH_TRACEBACK);
    if (t->headless && !p->announced && crash_is_known(&p->known, f)) {
        rec->compile = before;
        return false;
    }
    take_failure(p, rec, t, f, certain);
    return true;
}

/* --- messages of PyTorch that hold a traceback -------------------------------------------------------------------- */

static bool is_warning(char level)
{
    return level == 'W' || level == 'E' || level == 'C';
}

struct logged {
    const char *begins;
    const char *name; /* of the artifact */
};

/* Those after which the compile failed; most others are about something that PyTorch goes on without. */
static const struct logged logged[] = {
    {"WON'T CONVERT ", "dynamo_error"},              /* torch/_dynamo/convert_frame.py, with suppress_errors */
    {"Error while creating guard:", "dynamo_error"}, /* torch/_guards.py; it is raised then */
    {"failed to eagerly compile backwards for dynamic", "eager_compile_backwards_failure"},
    {"Error in codegen for ", "dynamo_error"}, /* torch/_inductor/scheduler.py; it is raised then */
    {"RMSE (res-fp64): ", "dynamo_error"}, /* torch/_dynamo/utils.py; who compares goes on, or raises AccuracyError */
    {"Accuracy failed: allclose not within tol", "dynamo_error"},
};

/* How messages begin that have a traceback. */
static bool has_traceback(struct str text)
{
    static const struct str begins[] = {STR_INIT("WON'T CONVERT "),
                                        STR_INIT("failed while attempting to run meta for"),
                                        STR_INIT("Graph break"),
                                        STR_INIT("Unsupported break"),
                                        STR_INIT("Error while creating guard:"),
                                        STR_INIT("Exception No valid triton configs"),
                                        STR_INIT("failed to eagerly compile backwards")};

    return STR_STARTS_ANY(text, begins);
}

static const struct logged *logged_of(struct str text)
{
    for (size_t i = 0; i < sizeof logged / sizeof *logged; i++)
        if (str_starts(text, str_of(logged[i].begins)))
            return &logged[i];
    return NULL;
}

/* "WON'T CONVERT f FILE line 86 " */
static struct compile *compile_of_head(struct record *rec, struct str text, struct str *file, int64_t *line)
{
    struct str first = str_split(&text, '\n'), function;
    ptrdiff_t at;
    uint64_t number;

    if (!str_consume(&first, STR("WON'T CONVERT ")))
        return NULL;
    function = str_split(&first, ' ');
    at = str_find(first, STR(" line "));
    if (at <= 0 || !str_u64(str_trim(str_skip(first, (size_t)at + 6)), &number))
        return NULL;
    *file = record_intern(rec, str_take(first, (size_t)at));
    *line = (int64_t)number;
    return newest_of(rec->process, function, *file);
}

/* A frame that has later compiles cannot be compiling this one: torch._dynamo.reset() was called in between. */
static void begin_anew(struct record *rec)
{
    struct compile *c = rec->compile;

    if (!c->frame || c->frame->compiles.v[c->frame->compiles.n - 1]->id.compile <= c->id.compile)
        return;
    rec->compile = reading_compile(rec->reading, rec->state, c->id, START_NEW_EPOCH, rec->line);
}

/* Of a message that was cut at both ends, what is left of the call that stood first says nothing. */
static struct str from_first_call(struct str text)
{
    struct str rest = text, line;

    while (str_next_line(&rest, &line)) {
        if (crash_is_call(str_trim(line)))
            return str_range(line.p, text.p + text.n);
        if (exception_line_begins(str_trim(line)) != EXCEPTION_NONE)
            break;
    }
    return text;
}

/* Of "WON'T CONVERT f FILE line 86" the traceback may come as a message of its own, or may be cut off. */
static void keep_head(struct crash_process *p, struct record *rec, struct str file, int64_t line)
{
    struct crash_text t = {.part = FAILED_IN_DYNAMO, .origin = CRASH_OF_COMPILER};
    struct failure *f;

    if (file.n == 0)
        return;
    f = new_failure(rec, &t, CRASH_TRACEBACK);
    f->suppressed = true;
    f->file = file;
    f->line = line;
    known_crashes_keep_clue(&p->known, rec, f);
}

static bool take_logged(struct crash_process *p, struct record *rec, const struct logged *kind)
{
    struct str text = record_copy(rec, rec->text), file = {0};
    struct compile *c = compile_of_head(rec, text, &file, &(int64_t){0});
    struct crash_text t;
    struct failure *f;
    int64_t line = 0;

    struct str traceback = crash_traceback(text);

    compile_of_head(rec, text, &file, &line);
    if (!crash_text_parse(record_arena(rec), traceback.n ? CRASH_TRACEBACK : CRASH_TAIL,
                          traceback.n ? traceback : from_first_call(text), &t) ||
        (traceback.n == 0 && !t.ours)) {
        keep_head(p, rec, file, line);
        return false;
    }
    if (c && !rec->compile->frame)
        rec->compile = c;
    begin_anew(rec);
    t.origin = CRASH_OF_COMPILER;
    t.backward = str_starts(str_of(kind->name), STR("eager_compile"));
    f = new_failure(rec, &t, CRASH_TRACEBACK);
    f->suppressed = file.n > 0;
    if (file.n && !t.user_calls.calls.n) {
        f->file = file;
        f->line = line;
    }
    keep_text(rec, f, kind->name);
    if (t.nameless && !file.n) /* the exception that follows says what failed */
        known_crashes_keep_clue(&p->known, rec, f);
    else
        add_failure(p, rec, f);
    return true;
}

/* Whether its stack ends in the compiler: nothing but WON'T CONVERT is logged so from there. */
static bool is_cut_stack(const struct log_message *m, struct str line)
{
    return str_has(m->head.glog.file, STR("convert_frame")) && crash_is_call(str_trim(line)) &&
           str_has(line, STR("_dynamo"));
}

/* A text that begins within such a message: what it is about is known by the exception at its end. */
static const struct logged *logged_tail_of(const struct log_message *m)
{
    struct str rest = m->text, line;

    while (m->line == 1 && !has_traceback(m->text) && str_next_line(&rest, &line))
        if (exception_line_begins(line) == EXCEPTION_OF_COMPILER || is_cut_stack(m, line))
            return &logged[0];
    return NULL;
}

/* The row of a message of PyTorch's that says why a compile failed. */
static const struct logged *row_of(const struct log_message *m)
{
    const struct logged *kind;

    if (m->head.form == LOG_BARE || m->head.artifact.n || !is_warning(m->head.glog.level))
        return NULL;
    kind = logged_of(m->text);
    return kind ? kind : logged_tail_of(m);
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

static bool take_harmless(struct crash_process *p, struct record *rec, const struct log_message *m)
{
    struct harmless h;
    bool may_be = m->head.form == LOG_BARE ? m->kind || m->crash == CRASH_TAIL : is_warning(m->head.glog.level);

    if (!may_be || !harmless_take(record_arena(rec), m->text, m->head.glog.file, &h))
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

/* An exception that no choice is left has the reasons in messages before it, which are no warnings then. */
static void explain_choices(struct crash_process *p)
{
    bool found = false;

    for (size_t i = 0; i < p->known.list.n && p->choice.n; i++) {
        struct failure *f = p->known.list.v[i]->failure;

        if (!str_has(f->message, STR("No choices to select")) || f->beside.n)
            continue;
        f->beside = p->choice;
        found = true;
    }
    for (size_t i = 0; i < p->warnings.n && found; i++)
        if (str_ends(p->warnings.v[i]->message, p->choice)) {
            p->warnings.v[i] = p->warnings.v[--p->warnings.n];
            return;
        }
}

/* Who raised an exception that stands alone in a person's text is not known. */
static bool is_taken(struct crash_process *p, struct record *rec, const struct log_message *m, struct crash_text *t)
{
    if (m->crash != CRASH_TAIL || t->ours)
        return true;
    if (p->any || p->small)
        t->origin = CRASH_OF_COMPILED;
    if (!p->any && p->small && !p->spare && t->type.n)
        p->spare = new_failure(rec, t, CRASH_TAIL);
    return p->any;
}

/* "SingleProcess AUTOTUNE benchmarking takes 2.8 seconds and 14.2 seconds precompiling for 20 choices" */
static struct str autotuned(struct str text)
{
    struct str line;

    while (str_next_line(&text, &line))
        if (str_has(line, STR("AUTOTUNE benchmarking takes ")))
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

/* What stands in a text of a person is what the text is about, where it has nothing else. */
static void keep_logged(struct crash_process *p, struct record *rec, const struct log_message *m)
{
    bool warning = m->head.form != LOG_BARE && is_warning(m->head.glog.level) && !m->head.artifact.n;
    struct str traceback, message = warning ? from_first_word(rec->text) : autotuned(rec->text);
    struct crash_text t;

    if (!(p->any || p->small) || !m->kind || m->kind->apply || message.n == 0)
        return;
    if (!p->logged || str_has(message, STR("issue(s) found during export"))) {
        p->logged = ARENA_NEW(record_arena(rec), struct failure);
        *p->logged = (struct failure){.where = FAILED_RUNTIME,
                                      .attempt = -1,
                                      .type = STR("Warning"),
                                      .message = record_copy(rec, message),
                                      .shown = true,
                                      .record_line = rec->line};
    }
    if (p->spare || !warning || m->head.glog.level == 'W')
        return;
    traceback = crash_traceback(p->logged->message);
    if (traceback.n && crash_text_parse(record_arena(rec), CRASH_TRACEBACK, traceback, &t))
        p->spare = new_failure(rec, &t, CRASH_TRACEBACK);
    if (p->spare && p->spare->type.n == 0) /* cut off before its exception */
        p->spare->message = str_first_line(p->logged->message);
}

bool crash_take(struct crash_process *p, struct record *rec, const struct log_message *m)
{
    struct crash_text t;
    const struct logged *kind;
    bool taken = true;

    p->process = rec->process;
    if (take_harmless(p, rec, m)) {
        if (m->crash) /* its traceback follows */
            p->announced = CRASH_HARMLESS;
        return m->crash != CRASH_NONE;
    }
    if (m->crash == CRASH_NONE) {
        kind = row_of(m);
        if (!kind)
            keep_logged(p, rec, m);
        return kind && take_logged(p, rec, kind);
    }
    if (!crash_text_parse(record_arena(rec), m->crash, record_copy(rec, m->text), &t) || !is_taken(p, rec, m, &t))
        return false;
    if (crash_is_exception(m->crash)) {
        taken = take_exception(p, rec, &t, m->uncaught);
    } else if (m->crash == CRASH_LOGGED && t.nameless) {
        crash_waits_add(&p->waits, record_arena(rec), t.rank, t.message);
        known_crashes_keep_clue(&p->known, rec, new_failure(rec, &t, m->crash));
    } else if (m->crash == CRASH_ASSERT) {
        taken = take_assertion(p, rec, new_failure(rec, &t, m->crash));
    } else {
        if (t.origin == CRASH_OF_COMPILER && is_at_work(p, p->started, NULL))
            rec->compile = p->started;
        taken = take_death(p, rec, &t, m->crash);
    }
    return taken;
}

/* In the short form only the first line of a message has a prefix, so that its traceback stands for itself. */
static void note_announcement(struct crash_process *p, struct record *rec, const struct log_message *m)
{
    p->announced = CRASH_UNANNOUNCED;
    p->announced_line = 0;
    p->announced_as = NULL;
    if (m->head.form != LOG_SHORT || !has_traceback(m->text))
        return;
    p->announced = is_warning(m->head.glog.level) && logged_of(m->text) ? CRASH_ANNOUNCED : CRASH_HARMLESS;
    compile_of_head(rec, m->text, &p->announced_file, &p->announced_line);
}

void crash_note(struct crash_process *p, struct record *rec, const struct log_message *m)
{
    note_announcement(p, rec, m);
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

/* --- the end ------------------------------------------------------------------------------------------------------ */

static void put(struct failure *f, struct arena *a)
{
    if (f)
        vec_push(a, &f->compile->failures, f);
}

/* What torchrun says of a process, unless that said itself what happened. */
static void put_child(const struct known_crash *child, struct crash_process *const *processes, size_t n,
                      struct arena *a)
{
    for (size_t i = 0; i < n; i++) {
        const struct crash_process *p = processes[i];
        const struct process *of = p->process;

        if (!of || p->child || (of->rank != child->rank && (!child->pid || of->pid != child->pid)))
            continue;
        if (p->death || p->last || p->known.list.n)
            return;
        child->failure->compile = of->unattributed;
    }
    put(child->failure, a);
}

/* The C++ runtime writes without the prefix that names the rank, but NCCL's text has the rank. */
static bool died_elsewhere(const struct crash_process *p, struct crash_process *const *processes, size_t n)
{
    for (size_t i = 0; i < n && p->death && p->death_rank >= 0 && p->process->rank < 0; i++)
        if (processes[i]->death && processes[i]->process->rank == p->death_rank) {
            use_stack(processes[i]->death, p->death);
            return true;
        }
    return false;
}

static bool explains(const struct crash_process *p, const struct failure *clue, struct arena *a)
{
    bool found = (p->last && crash_explains(a, p->last, clue)) || (p->death && crash_explains(a, p->death, clue));

    for (size_t i = 0; i < p->known.list.n; i++)
        found |= crash_explains(a, p->known.list.v[i]->failure, clue);
    return found;
}

/* Output that no prefix gives to a process may be of any. A clue that nothing explains is a failure itself. */
static void put_clues(struct crash_process *p, struct crash_process *const *processes, size_t n, struct arena *a)
{
    for (size_t i = 0; i < p->known.clues.n; i++) {
        struct failure *clue = p->known.clues.v[i];
        bool found = explains(p, clue, a);

        for (size_t k = 0; k < n && p->process->rank < 0 && p->process->pid == 0; k++)
            found |= processes[k] != p && explains(processes[k], clue, a);
        if (!found)
            known_crashes_add_clue(&p->known, clue, a);
    }
}

static void drop_caught(struct crash_process *p)
{
    uint64_t most = p->last_may_be_caught ? LINES_BEHIND_SURE : LINES_BEHIND_MAX;

    if (p->last && !p->last_certain && p->lines_behind > most) {
        p->doubtful = p->lines_behind <= LINES_BEHIND_MAX ? p->last : NULL;
        p->last = NULL;
    }
    if (!p->last && !p->known.list.n && !p->death && p->small && p->lines_behind <= LINES_BEHIND_SURE)
        p->last = p->unsure;
}

static void name_behind(struct failure *f, struct str words)
{
    if (f && f->beside.n == 0 && str_eq(f->type, STR("Collective timeout")))
        f->beside = words;
}

/* Which rank is behind is known when all have printed where they are. */
static void name_who_is_behind(struct crash_process *const *processes, size_t n, struct arena *a)
{
    struct crash_waits all = {0};
    struct str words;

    for (size_t i = 0; i < n; i++)
        crash_waits_join(&all, a, &processes[i]->waits);
    words = crash_waits_words(&all, a);
    for (size_t i = 0; i < n && words.n; i++) {
        name_behind(processes[i]->death, words);
        for (size_t k = 0; k < processes[i]->known.list.n; k++)
            name_behind(processes[i]->known.list.v[k]->failure, words);
    }
}

static bool is_of_another(const struct failure *f)
{
    return f && crash_is_of_another(f->message);
}

/* An exception shortly before it, which nobody is known to have caught. */
static bool fails_before(const struct crash_process *p, const struct failure *death)
{
    for (size_t i = 0; i < p->known.list.n; i++) {
        const struct failure *f = p->known.list.v[i]->failure;

        if (f != death && !f->suppressed && f->record_line < death->record_line &&
            death->record_line - f->record_line < LINES_TO_KILLED)
            return true;
    }
    return false;
}

/* A server that fails kills what is left of itself: that is no lack of memory. What a shell says has no prefix. */
static void drop_killed(struct crash_process *const *processes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct process *of = processes[i]->process;
        bool killed = of && of->rank < 0 && of->pid == 0 && processes[i]->death &&
                      str_eq(processes[i]->death->message, STR("Killed"));

        for (size_t k = 0; k < n && killed; k++)
            if (fails_before(processes[k], processes[i]->death)) {
                processes[i]->death = NULL;
                break;
            }
    }
}

static void drop_consequences(struct crash_process *const *processes, size_t n)
{
    bool known = false;

    for (size_t i = 0; i < n; i++) {
        const struct crash_process *p = processes[i];

        known |= p->known.list.n || p->death || (p->last && !is_of_another(p->last));
    }
    for (size_t i = 0; i < n && known; i++)
        if (is_of_another(processes[i]->last))
            processes[i]->last = NULL;
}

void crash_finish(struct crash_process *const *processes, size_t n, struct arena *a)
{
    for (size_t i = 0; i < n; i++) {
        drop_caught(processes[i]);
        explain_choices(processes[i]);
    }
    drop_consequences(processes, n);
    drop_killed(processes, n);
    for (size_t i = 0; i < n; i++)
        put_clues(processes[i], processes, n, a);
    name_who_is_behind(processes, n, a);
    for (size_t i = 0; i < n; i++) {
        struct crash_process *p = processes[i];

        put(p->last, a);
        if (!died_elsewhere(p, processes, n))
            put(p->death, a);
        put(p->assertion, a);
    }
    for (size_t i = 0; i < n; i++)
        if (processes[i]->child)
            put_child(processes[i]->child, processes, n, a);
}
