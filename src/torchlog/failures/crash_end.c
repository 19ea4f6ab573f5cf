#include "torchlog/failures/crash_end.h"

#include "model/conclude/failures.h"
#include "torchlog/crash/crash_text.h"
#include "torchlog/failures/crash_failure.h"

enum {
    LINES_BEHIND_MAX = 40, /* lines of output behind an exception that ended a program */
    LINES_BEHIND_SURE = 3, /* the same when it may have been caught further up */
    LINES_TO_KILLED = 200, /* from the beginning of an exception to "Killed" */
};

static void put(struct failure *f, struct arena *a)
{
    if (f)
        vec_push(a, &f->compile->failures, f);
}

/* "Rank 1 (process 77) ended with exit code 1: it did not say why", by torchrun, which Python's exit code is. */
static bool is_child_without_reason(const struct failure *f)
{
    return str_eq(f->type, STR("ChildFailedError")) && str_has(f->message, STR(" ended with exit code 1: it did not"));
}

static bool is_before_child(const struct failure *f, uint64_t child)
{
    return f && f->stack && !f->suppressed && f->record_line < child && !str_eq(f->type, STR("ChildFailedError"));
}

/* "Rank 1 (process 77) ended with exit code -6: ..." */
static bool is_aborted_child(const struct failure *f)
{
    return str_eq(f->type, STR("ChildFailedError")) && str_has(f->message, STR(" ended with exit code -6:"));
}

static bool timed_out_before(const struct crash_process *p, const struct failure *f)
{
    for (size_t i = 0; i < p->known.list.n; i++) {
        const struct failure *timeout = p->known.list.v[i]->failure;

        if ((str_eq(timeout->type, STR(COLLECTIVE_TIMEOUT_TYPE)) || str_eq(timeout->type, STR("DistBackendError"))) &&
            timeout->record_line < f->record_line)
            return true;
    }
    return false;
}

/*
 * NCCL's watchdog ends its process with an abort. torchrun sees within a second that a process has ended, so one that
 * it reports after the timeouts did not keep the others waiting. Of another rank than those that timed out, nothing is
 * known.
 */
static bool is_child_of_watchdog(const struct known_crash *child, struct crash_process *const *processes, size_t n)
{
    for (size_t i = 0; i < n && is_aborted_child(child->failure); i++) {
        const struct process *of = processes[i]->process;

        if (timed_out_before(processes[i], child->failure) &&
            (child->rank < 0 || !of || of->rank < 0 || of->rank == child->rank))
            return true;
    }
    return false;
}

/* Whether one of the process's failures is such a one, in view of the line that torchrun's table begins at. */
static bool has_before(const struct crash_process *p, uint64_t child, bool (*is)(const struct failure *, uint64_t))
{
    for (size_t i = 0; i < p->known.list.n; i++)
        if (is(p->known.list.v[i]->failure, child))
            return true;
    return is(p->last, child);
}

/* What a process sees when another one ends is no reason why that one did. */
static bool is_of_connection(const struct failure *f)
{
    static const struct str types[] = {STR_INIT("DistBackendError"), STR_INIT("DistNetworkError"),
                                       STR_INIT("DistStoreError"), STR_INIT("ConnectionResetError"),
                                       STR_INIT("BrokenPipeError"), STR_INIT(COLLECTIVE_TIMEOUT_TYPE)};
    static const struct str words[] = {STR_INIT("onnection closed by peer"), STR_INIT("onnection reset by peer"),
                                       STR_INIT("NCCL error"), STR_INIT("imed out")};

    return STR_IS_ANY(f->type, types) || STR_HAS_ANY(f->message, words);
}

static bool is_reason_of_rank(const struct failure *f, uint64_t child)
{
    return is_before_child(f, child) && !is_of_connection(f);
}

/*
 * The ranks of a job run the same program. Where one of them printed its exception, and torchrun names a process whose
 * own is not in the text, that is most likely the same one: its lines have another prefix, or are cut off.
 */
static bool has_reason_of_rank(struct crash_process *const *processes, size_t n, uint64_t child)
{
    for (size_t i = 0; i < n; i++) {
        const struct crash_process *p = processes[i];

        if (p->process && p->process->rank >= 0 && has_before(p, child, is_reason_of_rank))
            return true;
    }
    return false;
}

/* What torchrun says of a process, unless that, or another one, said itself what happened. */
static void put_child(const struct known_crash *child, struct crash_process *const *processes, size_t n,
                      struct arena *a)
{
    if (is_child_of_watchdog(child, processes, n) ||
        (is_child_without_reason(child->failure) &&
         has_reason_of_rank(processes, n, child->failure->record_line)))
        return;
    for (size_t i = 0; i < n; i++) {
        const struct crash_process *p = processes[i];
        const struct process *of = p->process;

        /* where no line has a prefix, the traceback of the process that ended stands above torchrun's table */
        if (p->child == child && is_child_without_reason(child->failure) &&
            has_before(p, child->failure->record_line, is_before_child))
            return;
        if (!of || p->child || (of->rank != child->rank && (!child->pid || of->pid != child->pid)))
            continue;
        if (p->death || p->last || p->known.list.n)
            return;
        child->failure->compile = of->unattributed;
    }
    put(child->failure, a);
}

/* The C++ runtime writes without the prefix that names the rank, but NCCL's text has the rank. */
/* A model of AOTInductor logs why a call failed, and raises an exception that names the call alone. */
static void explain_api_call(struct crash_process *p)
{
    if (!p->last || !p->death || p->death->type.n || p->last->beside.n ||
        !str_has(p->last->message, STR("API call failed at")))
        return;
    p->last->beside = p->death->message;
    p->death = NULL;
}

static bool died_elsewhere(const struct crash_process *p, struct crash_process *const *processes, size_t n)
{
    for (size_t i = 0; i < n && p->death && p->death_rank >= 0 && p->process->rank < 0; i++)
        if (processes[i]->death && processes[i]->process->rank == p->death_rank) {
            crash_failure_use_stack(processes[i]->death, p->death);
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

/* What waits is named by a rank that says it. */
static void name_work(struct failure *clue, const struct crash_waits *all, struct arena *a)
{
    struct str work = crash_waits_work(all, clue->message);

    if (work.n)
        clue->message = arena_printf(a, "%.*s\n%.*s", STR_ARG(work), STR_ARG(clue->message));
}

/* What a record of a graph break says, a person who quotes it says once more: nothing else failed. */
static bool is_of_break(const struct crash_process *p, const struct failure *clue)
{
    struct str words = str_first_line(clue->message);

    for (size_t i = 0; p->process && words.n && i < p->process->compiles.n; i++) {
        const struct compile *c = p->process->compiles.v[i];

        for (size_t k = 0; k < c->breaks.n; k++)
            if (str_has(c->breaks.v[k]->reason, words))
                return true;
    }
    return false;
}

/* It names the work: "Watchdog caught collective operation timeout: WorkNCCL(...)". */
static bool names_work(const struct failure *f)
{
    return f && failure_is_timeout(f) && str_has(str_first_line(f->message), STR("WorkNCCL("));
}

/* A rank only repeats that another one timed out, which the text has. */
static bool is_relayed(const struct failure *clue, struct crash_process *const *processes, size_t n)
{
    static const struct str words[] = {STR_INIT("dump signal from another rank"), STR_INIT("Received a dump signal"),
                                       STR_INIT("preparing to dump debug info")};

    if (!STR_HAS_ANY(str_first_line(clue->message), words))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct crash_process *p = processes[i];

        if (names_work(p->last) || names_work(p->death))
            return true;
        for (size_t k = 0; k < p->known.list.n; k++)
            if (names_work(p->known.list.v[k]->failure))
                return true;
    }
    return false;
}

/* Output that no prefix gives to a process may be of any. A clue that nothing explains is a failure itself. */
static void put_clues(struct crash_process *p, struct crash_process *const *processes, size_t n,
                      const struct crash_waits *all, struct arena *a)
{
    for (size_t i = 0; i < p->known.clues.n; i++) {
        struct failure *clue = p->known.clues.v[i];
        bool found = explains(p, clue, a) || is_of_break(p, clue) || is_relayed(clue, processes, n);

        for (size_t k = 0; k < n && p->process->rank < 0 && p->process->pid == 0; k++)
            found |= processes[k] != p && (explains(processes[k], clue, a) || is_of_break(processes[k], clue));
        if (found || str_eq(clue->type, STR("Warning"))) /* the allocator goes on when it can */
            continue;
        name_work(clue, all, a);
        known_crashes_add_clue(&p->known, clue, a);
    }
}

/* A GPU prints its assertion without the prefix that names the rank, which the exception has. */
static void use_assertion(struct crash_process *p, struct crash_process *const *processes, size_t n, struct arena *a)
{
    for (size_t i = 0; i < n && p->assertion && p->process->rank < 0; i++) {
        struct crash_process *of = processes[i];

        if (of->last)
            crash_failure_use_assertion(p, a, of->last);
        for (size_t k = 0; k < of->known.list.n; k++)
            crash_failure_use_assertion(p, a, of->known.list.v[k]->failure);
    }
}

static void drop_caught(struct crash_process *p)
{
    uint64_t most = p->last_may_be_caught ? LINES_BEHIND_SURE : LINES_BEHIND_MAX;

    if (p->last && !p->last_certain && p->lines_behind > most) {
        p->doubtful = p->lines_behind <= LINES_BEHIND_MAX ? p->last : NULL;
        p->last = NULL;
    }
    if (p->last || p->known.list.n || p->death || !p->small)
        return;
    if (p->lines_behind <= LINES_BEHIND_SURE)
        p->last = p->unsure;
    else if (!p->doubtful && p->lines_behind <= LINES_BEHIND_MAX)
        p->doubtful = p->unsure;
}

static void name_behind(struct failure *f, struct str words)
{
    if (f && f->beside.n == 0 && failure_is_timeout(f))
        f->beside = words;
}

static bool is_logged_timeout(const struct failure *f)
{
    return str_eq(f->type, STR(COLLECTIVE_TIMEOUT_TYPE));
}

static void drop_logged_timeouts(struct crash_process *const *processes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct crash_process *p = processes[i];

        /* The exception that waiting raises has the words of the watchdog, and shows where. */
        if (!p->last || !p->last->stack || !failure_is_timeout(p->last))
            continue;
        known_crashes_drop(&p->known, is_logged_timeout);
        p->death = p->death && is_logged_timeout(p->death) ? NULL : p->death;
    }
}

static bool has_timeout(struct crash_process *const *processes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct crash_process *p = processes[i];

        if ((p->last && failure_is_timeout(p->last)) || (p->death && failure_is_timeout(p->death)))
            return true;
    }
    return false;
}

/* A rank whose watchdog is stuck may be the one that the others wait for. */
static void name_waited_for(struct crash_process *const *processes, size_t n)
{
    bool waited = has_timeout(processes, n);

    for (size_t i = 0; i < n && waited; i++) {
        struct failure *death = processes[i]->death;

        if (death && failure_is_stuck_watchdog(death) && death->beside.n == 0)
            death->beside = STR("a collective timed out on another rank");
    }
}

/* Which rank is behind is known when all have printed where they are. */
static void name_who_is_behind(struct crash_process *const *processes, size_t n, const struct crash_waits *all,
                               struct arena *a)
{
    struct str words = crash_waits_words(all, a);

    for (size_t i = 0; i < n && words.n; i++)
    {
        name_behind(processes[i]->last, words);
        for (size_t k = 0; k < processes[i]->known.list.n; k++)
            name_behind(processes[i]->known.list.v[k]->failure, words);
    }
}

/* The last of a server's exceptions, which follows those of its processes. */
static bool says_root_cause_above(const struct failure *f)
{
    return str_has(str_first_line(f->message), STR("See root cause above"));
}

/* The minifier, in a text that has what it was to make smaller, too. */
static bool is_of_minifier(const struct failure *f)
{
    return str_has(f->message, STR("nput graph did not fail the tester"));
}

/* It says itself that another one is the cause; a stack without its exception is most often the other rank's. */
static bool is_of_another(const struct failure *f)
{
    return f && (crash_points_elsewhere(f->message) || is_of_minifier(f) ||
                 (f->type.n == 0 && f->message.n == 0 && f->beside.n == 0));
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
    return p->last && p->last->record_line < death->record_line &&
           death->record_line - p->last->record_line < LINES_TO_KILLED;
}

/* Its text names no error: a process that NCCL's watchdog ends does so with an exception of C++, and aborts. */
static bool is_abort(const struct failure *f)
{
    return f && (str_eq(f->type, STR("Aborted")) || str_starts(f->message, STR("terminate called ")) ||
                 str_has(f->message, STR("SIGABRT")));
}

/* The watchdog's of the same process, where the text says which that is: another rank's abort may be the cause. */
static bool is_aborted_by_watchdog(const struct crash_process *p, const struct failure *f,
                                   struct crash_process *const *processes, size_t n)
{
    struct str rest = f ? f->message : (struct str){0};
    uint64_t rank = 0;
    bool named = str_consume(&rest, STR("process ")) && str_take_u64(&rest, &rank);

    if (!is_abort(f))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct process *of = processes[i]->process;
        bool same = named ? of->rank < 0 || (uint64_t)of->rank == rank : p->process->rank < 0 || processes[i] == p;

        if (same && timed_out_before(processes[i], f))
            return true;
    }
    return false;
}

/* What the watchdog says has the collective and the rank. */
static void drop_aborts(struct crash_process *const *processes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct crash_process *p = processes[i];

        if (!p->process)
            continue;
        if (is_aborted_by_watchdog(p, p->death, processes, n))
            p->death = NULL;
        if (is_aborted_by_watchdog(p, p->last, processes, n))
            p->last = NULL;
    }
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

/* An exception that was printed where it was caught, and then raised again, ended the program. */
static void join_raised_again(struct crash_process *p)
{
    struct failure *printed = p->last ? known_crashes_printed(&p->known, p->last) : NULL;

    if (!printed || printed == p->last)
        return;
    crash_failure_raised_again(printed, p->last);
    p->last = NULL;
}

static bool is_lack_of_memory(const struct failure *f)
{
    return str_eq(f->type, STR("OutOfMemoryError")) && !f->suppressed;
}

/* A library of CUDA that fails beside a lack of memory most often has the same cause, which has the numbers. */
static bool fails_for_memory(const struct failure *f)
{
    static const struct str words[] = {
        STR_INIT("CUDNN_STATUS_INTERNAL_ERROR"),   STR_INIT("CUDNN_STATUS_NOT_INITIALIZED"),
        STR_INIT("CUDNN_STATUS_ALLOC_FAILED"),     STR_INIT("CUBLAS_STATUS_ALLOC_FAILED"),
        STR_INIT("CUBLAS_STATUS_NOT_INITIALIZED"), STR_INIT("unhandled cuda error")};

    return f && STR_HAS_ANY(f->message, words);
}

static void explain_by_memory(struct crash_process *p)
{
    const struct failure *cause = NULL;

    for (size_t i = 0; i < p->known.list.n && fails_for_memory(p->last); i++)
        if (is_lack_of_memory(p->known.list.v[i]->failure) &&
            p->known.list.v[i]->failure->record_line < p->last->record_line)
            cause = p->known.list.v[i]->failure;
    if (!cause)
        return;
    p->last->message = cause->message;
    p->last->type = cause->type;
    known_crashes_drop(&p->known, is_lack_of_memory);
}

static bool is_cause(const struct crash_process *p)
{
    for (size_t i = 0; i < p->known.list.n; i++)
        if (!is_of_another(p->known.list.v[i]->failure))
            return true;
    return p->death || (p->last && !is_of_another(p->last));
}

static void keep_earlier(const struct failure **first, const struct failure *f)
{
    if (is_of_another(f) && f->message.n && (!*first || f->record_line < (*first)->record_line))
        *first = f;
}

/* Where all of them only name another process, the first is the nearest to it. */
static void drop_repeaters(struct crash_process *const *processes, size_t n)
{
    const struct failure *first = NULL;

    for (size_t i = 0; i < n; i++) {
        keep_earlier(&first, processes[i]->last);
        for (size_t k = 0; k < processes[i]->known.list.n; k++)
            keep_earlier(&first, processes[i]->known.list.v[k]->failure);
    }
    for (size_t i = 0; i < n && first; i++)
        if (processes[i]->last && processes[i]->last != first && says_root_cause_above(processes[i]->last))
            processes[i]->last = NULL;
}

static void drop_consequences(struct crash_process *const *processes, size_t n)
{
    bool known = false;

    for (size_t i = 0; i < n; i++)
        known |= is_cause(processes[i]);
    for (size_t i = 0; i < n && known; i++) {
        if (is_of_another(processes[i]->last))
            processes[i]->last = NULL;
        known_crashes_drop(&processes[i]->known, is_of_another);
    }
    if (!known)
        drop_repeaters(processes, n);
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

void crash_finish(struct crash_process *const *processes, size_t n, struct arena *a)
{
    struct crash_waits waits = {0};

    for (size_t i = 0; i < n; i++) {
        drop_caught(processes[i]);
        join_raised_again(processes[i]);
        explain_choices(processes[i]);
        explain_api_call(processes[i]);
        explain_by_memory(processes[i]);
    }
    drop_consequences(processes, n);
    drop_aborts(processes, n);
    drop_logged_timeouts(processes, n);
    drop_killed(processes, n);
    for (size_t i = 0; i < n; i++)
        crash_waits_join(&waits, a, &processes[i]->waits);
    for (size_t i = 0; i < n && waits.list.n; i++)
        crash_waits_add_rank(&waits, a, processes[i]->process ? processes[i]->process->rank : -1);
    for (size_t i = 0; i < n; i++)
        put_clues(processes[i], processes, n, &waits, a);
    name_who_is_behind(processes, n, &waits, a);
    name_waited_for(processes, n);
    for (size_t i = 0; i < n; i++)
        use_assertion(processes[i], processes, n, a);
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
