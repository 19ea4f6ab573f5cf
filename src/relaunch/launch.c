#include "relaunch/launch.h"

#include "input/log_line.h"
#include "relaunch/family.h"
#include "util/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    GRACE_MS = 10000,    /* from SIGINT or SIGTERM to SIGKILL: torchrun tells its workers, which write a traceback */
    LEFTOVERS_MS = 3000, /* from the end of the command to the end of its output: compile workers notice and end */
    HOLD_MS = 100,       /* how long the beginning of a line is held that may become one of TORCH_LOGS */
    HOLD_MAX = 400
};

const char *launch_end_name(enum launch_end end)
{
    static const char *const names[] = {"exited", "signalled", "timed-out", "interrupted", "not-started"};

    return names[end];
}

/* --- its output --------------------------------------------------------------------------------------------------- */

struct stream {
    int from; /* -1 at its end */
    int to;   /* ours; -1 when nothing is passed on, or nobody reads it any more */
    int file;
    bool hide_logs;
    struct buf held;     /* the beginning of a line of which it is not decided whether it is passed on */
    bool hiding, inside; /* of the line that was begun */
    struct launch_result *result;
};

static void pass_on(struct stream *s, struct str text)
{
    if (s->to >= 0 && text.n && write_all(s->to, text.p, text.n) != 0)
        s->to = -1;
}

/* What TORCH_LOGS asks for has levels V and I; warnings and errors come without it, and are shown. */
static bool is_asked_for(struct str line)
{
    const struct log_prefixes none = {0};
    struct buf colourless = {0};
    struct log_line parsed;

    log_line_parse(line, &none, &colourless, &parsed);
    buf_free(&colourless);
    return parsed.form == LOG_GLOG && (parsed.glog.level == 'V' || parsed.glog.level == 'I');
}

static void decide(struct stream *s)
{
    s->hiding = is_asked_for(buf_view(&s->held));
    s->inside = true;
    if (!s->hiding)
        pass_on(s, buf_view(&s->held));
    s->held.n = 0;
}

/* Takes one line, or what there is of it. */
static void take_line(struct stream *s, struct str text, bool ended)
{
    if (!s->inside) {
        buf_str(&s->held, text);
        /* A launcher's prefix begins with '[', a level is V or I; nothing else waits. */
        if (ended || s->held.n >= HOLD_MAX || (s->held.n && !strchr("[VI", s->held.p[0])))
            decide(s);
    } else if (!s->hiding) {
        pass_on(s, text);
    }
    if (ended)
        s->inside = s->hiding = false;
}

static void keep(struct stream *s, struct str text)
{
    int rc = s->result->out_error ? 0 : write_all(s->file, text.p, text.n);

    if (rc)
        s->result->out_error = -rc;
    if (!s->hide_logs) {
        pass_on(s, text);
        return;
    }
    while (text.n) {
        ptrdiff_t end = str_chr(text, '\n');
        size_t n = end < 0 ? text.n : (size_t)end + 1;

        take_line(s, str_take(text, n), end >= 0);
        text = str_skip(text, n);
    }
}

static void stream_end(struct stream *s)
{
    if (s->held.n)
        decide(s);
    if (s->from >= 0)
        close(s->from);
    s->from = -1;
}

static void stream_read(struct stream *s)
{
    char block[1 << 16];
    ssize_t n = read(s->from, block, sizeof block);

    if (n > 0)
        keep(s, (struct str){block, (size_t)n});
    else if (n == 0 || (errno != EINTR && errno != EAGAIN))
        stream_end(s);
}

/* --- starting it -------------------------------------------------------------------------------------------------- */

struct pipes {
    int out[2], err[2], failed[2];
};

static void close_pair(int pair[2])
{
    close(pair[0]);
    close(pair[1]);
}

static int make_pipes(struct pipes *p)
{
    if (pipe2(p->out, O_CLOEXEC))
        return -errno;
    if (pipe2(p->err, O_CLOEXEC)) {
        close_pair(p->out);
        return -errno;
    }
    if (pipe2(p->failed, O_CLOEXEC)) {
        close_pair(p->out);
        close_pair(p->err);
        return -errno;
    }
    return 0;
}

/* What the child says when it cannot become the command. */
struct failure_note {
    int error;
    bool directory;
};

static void say_why(int fd, bool directory)
{
    const struct failure_note note = {errno, directory};

    write_all(fd, &note, sizeof note);
    _exit(127);
}

/* What this program ignores or holds back is not for the command. */
static void forget_signals(void)
{
    sigset_t none;

    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
}

static void become(const struct launch *l, const struct pipes *p)
{
    setpgid(0, 0);
    forget_signals();
    dup2(p->out[1], STDOUT_FILENO);
    dup2(p->err[1], STDERR_FILENO);
    /* In a process group of its own it would be stopped when it reads from the terminal. */
    if (l->no_input || isatty(STDIN_FILENO)) {
        int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

        dup2(null, STDIN_FILENO);
    }
    if (chdir(l->directory))
        say_why(p->failed[1], true);
    execvpe(l->argv[0], (char *const *)l->argv, l->environment);
    say_why(p->failed[1], false);
}

/* Its pid, or -1 with the reason in *result. */
static pid_t start(const struct launch *l, struct pipes *p, struct launch_result *result)
{
    struct failure_note note;
    pid_t pid = fork();
    ssize_t n;

    if (pid == 0)
        become(l, p);
    result->error = pid < 0 ? errno : 0;
    close(p->out[1]);
    close(p->err[1]);
    close(p->failed[1]);
    if (pid > 0)
        setpgid(pid, pid);
    n = pid > 0 ? read(p->failed[0], &note, sizeof note) : 0;
    close(p->failed[0]);
    if (n == sizeof note) {
        waitpid(pid, NULL, 0);
        result->error = note.error;
        result->directory_failed = note.directory;
        pid = -1;
    }
    return pid;
}

/* --- until its end ------------------------------------------------------------------------------------------------ */

struct watch {
    const struct launch *launch;
    struct launch_result *result;
    struct stream out, err;
    int signals; /* signalfd */
    pid_t pid;   /* 0 once it was waited for */
    int64_t begun_ms;
    int64_t stop_ms;  /* when it was told to end; 0 while it was not */
    int64_t ended_ms; /* when it was waited for */
};

static int64_t now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void note_end(struct watch *w, int status)
{
    struct launch_result *r = w->result;

    w->pid = 0;
    w->ended_ms = now_ms();
    r->wall_s = (double)(w->ended_ms - w->begun_ms) / 1000;
    if (WIFEXITED(status))
        r->status = WEXITSTATUS(status);
    if (w->stop_ms)
        return;
    r->end = WIFSIGNALED(status) ? LAUNCH_SIGNALLED : LAUNCH_EXITED;
    r->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void reap(struct watch *w)
{
    int status;
    pid_t pid;

    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        if (pid == w->pid)
            note_end(w, status);
}

/* Ctrl-C is for all that a terminal would have told; SIGTERM makes torchrun end its workers. */
static void stop(struct watch *w, enum launch_end why, int signal)
{
    if (w->stop_ms) {
        family_kill();
        return;
    }
    w->stop_ms = now_ms();
    w->result->end = why;
    w->result->signal = signal;
    if (w->pid)
        kill(-w->pid, signal);
}

static void take_signal(struct watch *w)
{
    struct signalfd_siginfo info;

    while (read(w->signals, &info, sizeof info) == sizeof info)
        if (info.ssi_signo != SIGCHLD)
            stop(w, LAUNCH_INTERRUPTED, (int)info.ssi_signo);
    reap(w);
}

/* When something has to be done even if nothing happens, in ms from now. */
static int next_deadline(const struct watch *w)
{
    int64_t now = now_ms(), next = INT32_MAX;

    if (w->stop_ms)
        next = w->stop_ms + GRACE_MS - now;
    else if (w->pid && w->launch->time_limit_s)
        next = w->begun_ms + w->launch->time_limit_s * 1000 - now;
    if (!w->pid && w->ended_ms + LEFTOVERS_MS - now < next)
        next = w->ended_ms + LEFTOVERS_MS - now;
    if (w->err.held.n && HOLD_MS < next)
        next = HOLD_MS;
    return next < 0 ? 0 : next > INT32_MAX ? INT32_MAX : (int)next;
}

static void meet_deadlines(struct watch *w)
{
    int64_t now = now_ms();

    if (w->stop_ms && now >= w->stop_ms + GRACE_MS)
        family_kill();
    else if (!w->stop_ms && w->pid && w->launch->time_limit_s && now >= w->begun_ms + w->launch->time_limit_s * 1000)
        stop(w, LAUNCH_TIMED_OUT, SIGTERM);
}

static bool is_over(const struct watch *w)
{
    if (w->pid)
        return false;
    return (w->out.from < 0 && w->err.from < 0) || now_ms() >= w->ended_ms + LEFTOVERS_MS;
}

static void watch(struct watch *w)
{
    while (!is_over(w)) {
        struct pollfd fds[] = {{.fd = w->signals, .events = POLLIN},
                               {.fd = w->out.from, .events = POLLIN},
                               {.fd = w->err.from, .events = POLLIN}};
        int n = poll(fds, 3, next_deadline(w));

        if (n == 0 && w->err.held.n)
            decide(&w->err);
        if (fds[0].revents)
            take_signal(w);
        if (fds[1].revents)
            stream_read(&w->out);
        if (fds[2].revents)
            stream_read(&w->err);
        meet_deadlines(w);
        reap(w);
    }
}

/* What was stopped ends as a whole, also where the command itself ended at once and left its workers. */
static void clear_up(struct watch *w)
{
    w->result->left_behind = !w->stop_ms && (w->out.from >= 0 || w->err.from >= 0);
    if (w->stop_ms)
        family_kill();
    stream_end(&w->out);
    stream_end(&w->err);
    buf_free(&w->out.held);
    buf_free(&w->err.held);
    reap(w);
}

static int open_output(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);

    return fd < 0 ? -errno : fd;
}

static void hold_signals(sigset_t *held, sigset_t *before)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD};
    struct sigaction action;

    sigemptyset(held);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        sigaction(signals[i], NULL, &action);
        if (signals[i] == SIGCHLD || action.sa_handler != SIG_IGN)
            sigaddset(held, signals[i]);
    }
    sigprocmask(SIG_BLOCK, held, before);
}

static void run_with(struct watch *w, struct pipes *p)
{
    sigset_t held, before;
    struct timespec now;

    hold_signals(&held, &before);
    w->signals = signalfd(-1, &held, SFD_CLOEXEC | SFD_NONBLOCK);
    clock_gettime(CLOCK_REALTIME, &now);
    w->result->start_us = (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
    w->begun_ms = now_ms();
    w->pid = start(w->launch, p, w->result);
    w->out.from = p->out[0];
    w->err.from = p->err[0];
    if (w->pid > 0) {
        w->result->pid = w->pid;
        watch(w);
    } else {
        w->pid = 0;
        w->result->end = LAUNCH_NOT_STARTED;
    }
    clear_up(w);
    close(w->signals);
    sigprocmask(SIG_SETMASK, &before, NULL);
}

int launch_run(const struct launch *l, struct launch_result *result)
{
    struct watch w = {.launch = l,
                      .result = result,
                      .out = {.to = l->silent ? -1 : STDOUT_FILENO, .result = result},
                      .err = {.to = l->silent ? -1 : STDERR_FILENO, .hide_logs = !l->show_logs, .result = result}};
    struct pipes pipes;
    int rc;

    *result = (struct launch_result){0};
    family_adopt();
    w.out.file = open_output(l->out_path);
    w.err.file = open_output(l->err_path);
    rc = w.out.file < 0 ? w.out.file : w.err.file < 0 ? w.err.file : make_pipes(&pipes);
    if (rc >= 0)
        run_with(&w, &pipes);
    if (w.out.file >= 0)
        close(w.out.file);
    if (w.err.file >= 0)
        close(w.err.file);
    return rc;
}
