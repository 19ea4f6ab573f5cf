#include "relaunch/launch/launch.h"

#include "model/experiment.h"
#include "relaunch/launch/family.h"
#include "relaunch/launch/guardian.h"
#include "relaunch/launch/input_tape.h"
#include "relaunch/launch/interrupts.h"
#include "relaunch/launch/oom.h"
#include "relaunch/launch/rank_streams.h"
#include "relaunch/launch/terminal.h"
#include "util/system/clock.h"
#include "util/system/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    GRACE_MS = 10000,    /* from SIGINT or SIGTERM to SIGKILL */
    STACKS_MS = 200,     /* from the request for stacks to the signal that ends the program */
    AGAIN_MS = 500,      /* a second signal within this time is the first one, sent twice (timeout(1) does that) */
    LEFTOVERS_MS = 3000, /* from the end of the command to the end of its output: compile workers notice and exit */
    ALONE_MS = 1000,     /* the same for processes that do not write */
    KILL_MS = 3000,      /* from SIGKILL to giving up: a process in a hanging system call stays */
    FLUSH_MS = 1000      /* how long to wait for our own reader after a stop */
};

const char *launch_end_name(enum launch_end end)
{
    static const char *const names[] = {
        [LAUNCH_EXITED] = TRIAL_EXITED,           [LAUNCH_SIGNALED] = TRIAL_SIGNALED,
        [LAUNCH_TIMED_OUT] = TRIAL_TIMED_OUT,     [LAUNCH_INTERRUPTED] = TRIAL_INTERRUPTED,
        [LAUNCH_NOT_STARTED] = TRIAL_NOT_STARTED,
    };

    return names[end];
}

/* --- starting it -------------------------------------------------------------------------------------------------- */

struct watch {
    const struct launch *launch;
    struct launch_result *result;
    struct arena *arena;
    struct guardian guardian;
    struct stream streams[2];
    struct rank_streams ranks;
    struct input_tape *input; /* never NULL */
    bool has_terminal[2];
    bool running; /* the command has not ended yet */
    bool alone;   /* it has no descendants left */
    bool gone;    /* the guardian has ended */
    bool settled; /* it ended, and so did its descendants, or it was decided what to do with them */
    int64_t begun_ms;
    int64_t stop_ms;   /* when we signaled it to end; 0 if we did not */
    int64_t signal_ms; /* when to send the signal for that; 0: it was sent */
    int64_t kill_ms;   /* when everything was killed; 0 if it was not */
    int64_t ended_ms;  /* when the command ended */
};

/* The end that the command writes to, and the end that we read from: a terminal if our output is one. */
static int open_ends(struct watch *w, int which, int ends[2])
{
    w->has_terminal[which] = !w->launch->plain && isatty(which + 1);
    if (w->has_terminal[which] && terminal_open(which + 1, ends) == 0)
        return 0;
    w->has_terminal[which] = false;
    return pipe2(ends, O_CLOEXEC) ? -errno : 0;
}

static int open_input(struct watch *w)
{
    int fd;

    if (w->launch->input)
        return tape_next(w->launch->input);
    if (!w->launch->plain)
        return STDIN_FILENO;
    fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

static int open_all(struct watch *w, int ours[2], int theirs[3])
{
    int rc = open_input(w);

    theirs[0] = rc;
    for (int i = 0; i < 2 && rc >= 0; i++) {
        int ends[2];

        rc = open_ends(w, i, ends);
        if (rc == 0) {
            ours[i] = ends[0];
            theirs[i + 1] = ends[1];
        }
    }
    return rc < 0 ? rc : 0;
}

/* The command's environment, with the variables by which its ranks find us. */
static char *const *environment_of(struct watch *w, const int theirs[3])
{
    const char *variable = rank_streams_variable(&w->ranks, theirs + 1);
    size_t n = 0;
    char **out;

    if (!variable)
        return w->launch->environment;
    while (w->launch->environment[n])
        n++;
    out = ARENA_ARRAY(w->arena, char *, n + 2);
    for (size_t i = 0; i < n; i++)
        out[i] = w->launch->environment[i];
    out[n] = (char *)variable;
    return out;
}

/* The streams exist in any case; if nothing was started, they are at their end. */
static int start(struct watch *w, const int files[2])
{
    const struct launch *l = w->launch;
    int passed[2] = {l->silent ? -1 : STDOUT_FILENO, l->silent ? -1 : STDERR_FILENO}, ours[2] = {-1, -1}, rc;
    struct guardian_command c = {
        .argv = l->argv, .directory = l->directory, .fds = {-1, -1, -1}, .foreground = terminal_is_there()};

    rank_streams_begin(&w->ranks, l->rank_socket, l->rank_dir, passed[0], passed[1]);
    rc = open_all(w, ours, c.fds);
    if (rc == 0) {
        c.environment = environment_of(w, c.fds);
        rc = guardian_start(&c, &w->guardian);
    }
    for (int fd = 0; fd < 3; fd++)
        if (c.fds[fd] > 2)
            close(c.fds[fd]);
    for (int i = 0; i < 2; i++)
        stream_begin(&w->streams[i], ours[i], files[i], passed[i]);
    return rc;
}

/* --- until its end ------------------------------------------------------------------------------------------------ */

/* Reads what is left in its pipes, even if our own reader is slow. */
static void read_ahead(struct watch *w)
{
    w->streams[0].ahead = w->streams[1].ahead = true;
    vec_each(struct rank_stream, s, &w->ranks.list) s->stream.ahead = true;
}

static void note_not_running(struct watch *w)
{
    w->running = false;
    w->ended_ms = clock_ms();
}

static void note_end(struct watch *w, const struct guardian_event *e)
{
    struct launch_result *r = w->result;

    note_not_running(w);
    read_ahead(w);
    r->wall_s = (double)(w->ended_ms - w->begun_ms) / 1000;
    r->peak_kb = e->peak_kb;
    if (WIFEXITED(e->status))
        r->status = WEXITSTATUS(e->status);
    if (w->stop_ms)
        return;
    r->end = WIFSIGNALED(e->status) ? LAUNCH_SIGNALED : LAUNCH_EXITED;
    r->signal = WIFSIGNALED(e->status) ? WTERMSIG(e->status) : 0;
}

/* The guardian was killed, and the command with it. We take over what it left. */
static void note_gone(struct watch *w)
{
    const struct guardian_event killed = {.status = SIGKILL};

    w->gone = w->alone = true;
    if (w->running)
        note_end(w, &killed);
    family_signal(FAMILY_ALL, 0, SIGKILL);
}

static void take_event(struct watch *w, const struct guardian_event *e)
{
    switch (e->kind) {
    case GUARDIAN_STARTED:
        w->result->pid = e->pid;
        break;
    case GUARDIAN_NOT_STARTED: /* GUARDIAN_GONE follows */
        note_not_running(w);
        w->result->end = LAUNCH_NOT_STARTED;
        w->result->error = e->error;
        w->result->directory_failed = e->directory_failed;
        break;
    case GUARDIAN_ENDED:
        note_end(w, e);
        break;
    case GUARDIAN_ALONE:
        w->alone = true;
        break;
    case GUARDIAN_GONE:
        note_gone(w);
        break;
    }
}

static void take_events(struct watch *w)
{
    struct guardian_event e;

    while (!w->gone && guardian_next(&w->guardian, &e))
        take_event(w, &e);
}

static void kill_now(struct watch *w)
{
    if (w->kill_ms)
        return;
    w->kill_ms = clock_ms();
    guardian_kill(&w->guardian, LAUNCH_STACKS_SIGNAL);
}

/* First asks for stacks: a program that hangs shows where, whatever happens next. */
static void stop(struct watch *w, enum launch_end why, int signal)
{
    int64_t now = clock_ms();

    if (w->stop_ms) {
        if (now >= w->stop_ms + AGAIN_MS)
            kill_now(w);
        return;
    }
    w->stop_ms = now;
    w->signal_ms = now + STACKS_MS;
    if (w->running) {
        w->result->end = why;
        w->result->signal = signal;
        guardian_notify(&w->guardian, LAUNCH_STACKS_SIGNAL);
    }
}

static void send_due_signal(struct watch *w)
{
    w->signal_ms = 0;
    guardian_signal(&w->guardian, w->result->end == LAUNCH_TIMED_OUT ? SIGTERM : w->result->signal);
}

/* The program shares the terminal's process group, but its outputs are our own terminals. */
static void resize(struct watch *w)
{
    for (int i = 0; i < 2; i++)
        if (w->has_terminal[i] && w->streams[i].from >= 0)
            terminal_resize(w->streams[i].from, i + 1);
    rank_streams_resize(&w->ranks);
    if (w->has_terminal[0] || w->has_terminal[1])
        guardian_signal(&w->guardian, SIGWINCH);
}

static void take_signals(struct watch *w)
{
    int signal;

    while ((signal = interrupts_next()) != 0)
        if (signal == SIGWINCH)
            resize(w);
        else
            stop(w, LAUNCH_INTERRUPTED, signal);
}

/* --- deadlines ---------------------------------------------------------------------------------------------------- */

static bool outputs_are_closed(const struct watch *w)
{
    return w->streams[0].from < 0 && w->streams[1].from < 0 && rank_streams_are_closed(&w->ranks);
}

/* Some reader has not read everything yet. */
static bool waits_for_reader(const struct watch *w)
{
    return w->streams[0].waiting.n || w->streams[1].waiting.n || rank_streams_wait(&w->ranks);
}

/* When torchrun is signaled to end, it signals its workers, which print tracebacks. */
static int64_t grace_ms(const struct watch *w)
{
    return w->launch->grace_ms ? w->launch->grace_ms : GRACE_MS;
}

static int64_t limit_ms(const struct watch *w)
{
    return w->launch->time_limit_s ? w->begun_ms + w->launch->time_limit_s * 1000 : INT64_MAX;
}

/* When to stop waiting for what the command left behind. */
static int64_t leftovers_ms(const struct watch *w)
{
    if (!outputs_are_closed(w))
        return w->ended_ms + LEFTOVERS_MS;
    return w->alone ? w->ended_ms : w->ended_ms + ALONE_MS;
}

/* When to stop waiting for our reader: never, as without pt2trace, unless we received a signal to end. */
static int64_t flush_ms(const struct watch *w)
{
    int64_t from = w->kill_ms > w->ended_ms ? w->kill_ms : w->ended_ms;

    if (w->stop_ms || w->kill_ms)
        return from + FLUSH_MS;
    return limit_ms(w) == INT64_MAX ? INT64_MAX : limit_ms(w) + FLUSH_MS;
}

/* A daemon may stay if no later launch could be disturbed by it; its output is still passed on. */
static void leave_rest(struct watch *w)
{
    struct guardian_drain drains[2];
    size_t n = 0;

    for (int i = 0; i < 2; i++)
        if (w->streams[i].from >= 0)
            drains[n++] = (struct guardian_drain){w->streams[i].from, w->streams[i].file};
    w->result->left_behind = true;
    guardian_leave(&w->guardian, drains, n);
    for (int i = 0; i < 2; i++)
        stream_close_input(&w->streams[i]);
    w->gone = true;
}

static void settle(struct watch *w)
{
    w->settled = true;
    if (w->gone || (w->alone && outputs_are_closed(w)))
        return;
    if (w->stop_ms || !w->launch->last) {
        w->result->killed_rest = !w->stop_ms;
        kill_now(w);
    } else {
        leave_rest(w);
    }
}

static bool is_killed(const struct watch *w)
{
    return w->kill_ms && clock_ms() >= w->kill_ms + KILL_MS;
}

static bool is_over(const struct watch *w)
{
    if (w->running || !w->settled || (!w->gone && !outputs_are_closed(w)) || (w->kill_ms && !w->alone))
        return is_killed(w);
    return !waits_for_reader(w) || clock_ms() >= flush_ms(w);
}

static void sooner(int64_t *next, int64_t ms)
{
    if (ms < *next)
        *next = ms;
}

/* The next time at which something must be done even if nothing happens. */
static int64_t next_ms(const struct watch *w)
{
    int64_t next = w->kill_ms ? w->kill_ms + KILL_MS : INT64_MAX;

    if (w->signal_ms)
        sooner(&next, w->signal_ms);
    if (w->running && !w->kill_ms)
        sooner(&next, w->stop_ms ? w->stop_ms + grace_ms(w) : limit_ms(w));
    if (!w->running)
        sooner(&next, w->settled ? flush_ms(w) : leftovers_ms(w));
    return next;
}

static void meet_deadlines(struct watch *w)
{
    int64_t now = clock_ms();

    if (w->running && !w->stop_ms && now >= limit_ms(w))
        stop(w, LAUNCH_TIMED_OUT, SIGTERM);
    if (w->signal_ms && now >= w->signal_ms)
        send_due_signal(w);
    if (w->stop_ms && w->running && now >= w->stop_ms + grace_ms(w))
        kill_now(w);
    if (!w->running && !w->settled && now >= leftovers_ms(w))
        settle(w);
}

/* --- turning ------------------------------------------------------------------------------------------------------ */

enum { OWN_FDS = 2, TAPE_AT = OWN_FDS + 1, STREAMS_AT = TAPE_AT + 2, RANKS_AT = STREAMS_AT + 4 };

static void want(const struct watch *w, struct pollfd *fds)
{
    fds[0] = (struct pollfd){.fd = interrupts_fd(), .events = POLLIN};
    fds[1] = (struct pollfd){.fd = w->gone ? -1 : w->guardian.socket, .events = POLLIN};
    fds[OWN_FDS] = (struct pollfd){.fd = w->ranks.socket, .events = POLLIN};
    tape_wants(w->input, fds + TAPE_AT);
    for (size_t i = 0; i < 2; i++)
        stream_wants(&w->streams[i], fds + STREAMS_AT + 2 * i);
    for (size_t i = 0; i < w->ranks.list.n; i++)
        stream_wants(&w->ranks.list.v[i].stream, fds + RANKS_AT + 2 * i);
}

static void turn(struct watch *w, const struct pollfd *fds)
{
    size_t ranks = w->ranks.list.n;

    if (fds[0].revents)
        take_signals(w);
    if (fds[1].revents)
        take_events(w);
    tape_turn(w->input, fds + TAPE_AT);
    for (size_t i = 0; i < 2; i++)
        stream_turn(&w->streams[i], fds + STREAMS_AT + 2 * i);
    for (size_t i = 0; i < ranks; i++)
        stream_turn(&w->ranks.list.v[i].stream, fds + RANKS_AT + 2 * i);
    if (fds[OWN_FDS].revents)
        rank_streams_accept(&w->ranks);
    meet_deadlines(w);
}

static void watch(struct watch *w)
{
    struct pollfd *fds = NULL;
    size_t room = 0;

    while (!is_over(w)) {
        size_t n = RANKS_AT + 2 * w->ranks.list.n;
        int64_t left = next_ms(w) - clock_ms();

        if (n > room) {
            room = 2 * n;
            fds = ARENA_ARRAY(w->arena, struct pollfd, room);
        }
        want(w, fds);
        poll(fds, n, left < 0 ? 0 : left > INT32_MAX ? -1 : (int)left);
        turn(w, fds);
    }
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static void begin(struct watch *w, const int files[2])
{
    struct timespec now;

    family_adopt();
    clock_gettime(CLOCK_REALTIME, &now);
    w->result->start_us = (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
    w->begun_ms = clock_ms();
    w->result->error = -start(w, files);
    w->running = w->result->error == 0;
    w->gone = w->alone = w->settled = !w->running;
    if (!w->running)
        w->result->end = LAUNCH_NOT_STARTED;
}

static void end(struct watch *w)
{
    struct launch_result *r = w->result;

    r->unkillable = w->kill_ms && !w->alone;
    r->unfinished =
        (w->has_terminal[0] && w->streams[0].unfinished) || (w->has_terminal[1] && w->streams[1].unfinished);
    guardian_end(&w->guardian);
    for (int i = 0; i < 2; i++) {
        stream_end(&w->streams[i]);
        r->out_error = w->streams[i].error ? w->streams[i].error : r->out_error;
        r->pass_error = w->streams[i].pass_error ? w->streams[i].pass_error : r->pass_error;
    }
    rank_streams_end(&w->ranks);
    r->out_error = w->ranks.error ? w->ranks.error : r->out_error;
    tape_rest(w->input);
    /* Guardians that stayed with daemons of earlier launches, and orphaned processes. */
    while (waitpid(-1, NULL, WNOHANG) > 0)
        ;
}

static int open_output(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);

    return fd < 0 ? -errno : fd;
}

int launch_run(const struct launch *l, struct launch_result *result)
{
    struct input_tape none = {.to = -1, .kept = -1};
    struct watch w = {.launch = l,
                      .result = result,
                      .arena = arena_new(),
                      .guardian = {-1, -1},
                      .input = l->input ? l->input : &none};
    int files[2] = {open_output(l->out_path), -1}, rc;
    uint64_t kills = oom_kills("");

    *result = (struct launch_result){0};
    w.ranks.arena = w.arena;
    if (files[0] >= 0)
        files[1] = open_output(l->err_path);
    rc = files[0] < 0 ? files[0] : files[1] < 0 ? files[1] : 0;
    interrupts_hold();
    if (rc == 0 && (result->signal = interrupts_pending()) != 0) {
        result->end = LAUNCH_INTERRUPTED;
        close(files[0]);
        close(files[1]);
    } else if (rc == 0) {
        begin(&w, files);
        watch(&w);
        end(&w);
        result->oom_kills = oom_kills("") - kills;
    } else if (files[0] >= 0) {
        close(files[0]);
    }
    arena_free(w.arena);
    return rc;
}
