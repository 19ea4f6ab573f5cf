#include "relaunch/launch/guardian.h"

#include "relaunch/launch/family.h"
#include "relaunch/launch/interrupts.h"
#include "util/system/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    KILL_ROUNDS = 100, /* a process may start another one while it is being killed */
    ROUND_MS = 20,
    NOTICE_MS = 100, /* time from the notice to the kill */
    GROUP_MS = 30    /* how long a signal may take to reach a whole process group */
};

enum request_kind { REQUEST_SIGNAL, REQUEST_NOTIFY, REQUEST_KILL, REQUEST_LEAVE };

struct request {
    enum request_kind kind;
    int signal;
    size_t drains; /* for REQUEST_LEAVE: it comes with twice as many descriptors */
};

enum { DRAINS_MAX = 2 };

/* --- the command -------------------------------------------------------------------------------------------------- */

struct guard {
    const struct guardian_command *command;
    int socket, signals;
    pid_t pid, group; /* of the command; pid is 0 once it has been waited for */
    bool seen[NSIG];  /* signals that reached this process, which is in our process group */
};

/* What the child reports if it cannot become the command. */
struct failure_note {
    int error;
    bool directory;
};

static _Noreturn void say_why(int fd, bool directory)
{
    const struct failure_note note = {errno, directory};

    write_all(fd, &note, sizeof note);
    _exit(127);
}

/* Signals that this program ignores or blocks must not be so for the command. */
static void restore_signals(void)
{
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    interrupts_restore();
}

/* If the guardian is killed, the command is killed with it, because that is what the killer wants. */
static void die_with(pid_t guardian)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != guardian)
        _exit(127);
}

static _Noreturn void become(const struct guardian_command *c, pid_t guardian, pid_t group, int failed)
{
    setpgid(0, group);
    die_with(guardian);
    for (int fd = 0; fd < 3; fd++)
        if (c->fds[fd] == fd)
            fcntl(fd, F_SETFD, 0);
        else
            dup2(c->fds[fd], fd);
    if (chdir(c->directory))
        say_why(failed, true);
    restore_signals();
    environ = (char **)c->environment; /* its PATH counts */
    execvp(c->argv[0], (char *const *)c->argv);
    say_why(failed, false);
}

static void emit(struct guard *g, const struct guardian_event *e)
{
    send(g->socket, e, sizeof *e, MSG_NOSIGNAL);
}

static void start(struct guard *g, pid_t group)
{
    struct guardian_event e = {.kind = GUARDIAN_STARTED};
    struct failure_note note;
    pid_t self = getpid();
    int failed[2];

    if (pipe2(failed, O_CLOEXEC) == 0 && (g->pid = fork()) == 0)
        become(g->command, self, group, failed[1]);
    if (g->pid <= 0) {
        e = (struct guardian_event){.kind = GUARDIAN_NOT_STARTED, .error = errno};
    } else {
        close(failed[1]);
        g->group = group ? group : g->pid;
        if (read(failed[0], &note, sizeof note) == sizeof note)
            e = (struct guardian_event){
                .kind = GUARDIAN_NOT_STARTED, .error = note.error, .directory_failed = note.directory};
        close(failed[0]);
    }
    e.pid = g->pid;
    emit(g, &e);
    if (e.kind == GUARDIAN_NOT_STARTED)
        _exit(0);
}

/* --- the guardian's own life -------------------------------------------------------------------------------------- */

/* Keeps only its own descriptors: it may live longer than we do, and a reader of our output would wait for it. */
static void keep_alone(struct guard *g)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    int low = g->socket < g->signals ? g->socket : g->signals, high = g->socket + g->signals - low;

    for (int fd = 0; fd < 3; fd++)
        dup2(null, fd);
    if (low > 3)
        close_range(3, (unsigned)low - 1, 0);
    if (high > low + 1)
        close_range((unsigned)low + 1, (unsigned)high - 1, 0);
    close_range((unsigned)high + 1, ~0U, 0);
}

/* Waits for processes that ended. False if no descendant is left. */
static bool reap(struct guard *g)
{
    struct rusage usage;
    int status;
    pid_t pid;

    while ((pid = wait4(-1, &status, WNOHANG, &usage)) > 0) {
        const struct guardian_event e = {
            .kind = GUARDIAN_ENDED, .pid = pid, .status = status, .peak_kb = usage.ru_maxrss};

        if (pid != g->pid)
            continue;
        g->pid = 0;
        emit(g, &e);
    }
    return pid == 0;
}

static void pause_ms(long ms)
{
    nanosleep(&(const struct timespec){.tv_nsec = ms * 1000000L}, NULL);
}

static void kill_all(struct guard *g)
{
    for (int round = 0; round < KILL_ROUNDS && family_signal(FAMILY_ALL, 0, SIGKILL); round++) {
        pause_ms(ROUND_MS);
        reap(g);
    }
}

static void take_signals(struct guard *g)
{
    struct signalfd_siginfo info;

    while (read(g->signals, &info, sizeof info) == sizeof info)
        g->seen[info.ssi_signo] = true;
}

/*
 * A change of the terminal's size is signaled again, because only now do the program's own outputs have the new size.
 */
static bool has_got(struct guard *g, int signal)
{
    return g->command->foreground && g->seen[signal] && signal != SIGWINCH;
}

static void forward(struct guard *g, int signal)
{
    struct pollfd p = {.fd = g->signals, .events = POLLIN};

    if (g->command->foreground && !g->seen[signal] && poll(&p, 1, GROUP_MS) > 0)
        take_signals(g);
    if (!has_got(g, signal))
        family_signal(FAMILY_GROUP, g->group, signal);
    g->seen[signal] = false;
    family_signal(FAMILY_STOPPED, 0, SIGCONT);
}

/* --- after our end ------------------------------------------------------------------------------------------------ */

static void drain_one(struct guardian_drain *d)
{
    char block[1 << 14];
    ssize_t n = read(d->from, block, sizeof block);

    if (n > 0)
        write_all(d->file, block, (size_t)n);
    else if (n == 0 || (errno != EINTR && errno != EAGAIN))
        d->from = -1;
}

/* A daemon writes into our pipes: without a reader, a signal would end it. */
static _Noreturn void drain(struct guardian_drain *d, size_t n)
{
    for (;;) {
        struct pollfd fds[DRAINS_MAX];
        size_t open = 0;

        for (size_t i = 0; i < n; i++) {
            fds[i] = (struct pollfd){.fd = d[i].from, .events = POLLIN};
            open += d[i].from >= 0;
        }
        if (open == 0)
            _exit(0);
        poll(fds, n, -1);
        for (size_t i = 0; i < n; i++)
            if (fds[i].revents)
                drain_one(&d[i]);
    }
}

static _Noreturn void leave(struct guard *g, struct guardian_drain *drains, size_t n)
{
    close(g->socket);
    setsid();
    drain(drains, n);
}

/* --- requests ----------------------------------------------------------------------------------------------------- */

/* Puts the descriptors that came with it into `drains`. 0 at the end: the other side is gone. */
static ssize_t receive(int socket, struct request *r, struct guardian_drain *drains)
{
    char control[CMSG_SPACE(sizeof(int) * 2 * DRAINS_MAX)];
    struct iovec part = {r, sizeof *r};
    struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    ssize_t n = recvmsg(socket, &m, 0);
    const struct cmsghdr *c = n > 0 ? CMSG_FIRSTHDR(&m) : NULL;

    if (c && c->cmsg_type == SCM_RIGHTS)
        memcpy(drains, CMSG_DATA(c), c->cmsg_len - CMSG_LEN(0));
    return n;
}

static void take_request(struct guard *g)
{
    struct guardian_drain drains[DRAINS_MAX];
    struct request r;
    ssize_t n = receive(g->socket, &r, drains);

    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (n != sizeof r) {
        kill_all(g);
        _exit(0);
    }
    switch (r.kind) {
    case REQUEST_SIGNAL:
        forward(g, r.signal);
        break;
    case REQUEST_NOTIFY:
        family_signal(FAMILY_CATCHING, 0, r.signal);
        break;
    case REQUEST_KILL:
        if (family_signal(FAMILY_CATCHING, 0, r.signal))
            pause_ms(NOTICE_MS);
        kill_all(g);
        break;
    case REQUEST_LEAVE:
        leave(g, drains, r.drains);
    }
}

static _Noreturn void guard(struct guard *g)
{
    const struct guardian_event alone = {.kind = GUARDIAN_ALONE};

    for (bool said = false;;) {
        struct pollfd fds[] = {{.fd = g->socket, .events = POLLIN}, {.fd = g->signals, .events = POLLIN}};

        if (!reap(g) && !said) {
            said = true;
            emit(g, &alone);
        }
        poll(fds, 2, -1);
        take_signals(g);
        if (fds[0].revents)
            take_request(g);
    }
}

/*
 * All signals are blocked: what a terminal sends to our process group is meant for the command, and we must act on it.
 */
static _Noreturn void be_guardian(const struct guardian_command *command, int socket)
{
    struct guard g = {.command = command, .socket = socket};
    pid_t group = command->foreground ? getpgrp() : 0;
    sigset_t all;

    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    if (!command->foreground)
        setpgid(0, 0);
    family_adopt();
    prctl(PR_SET_NAME, "pt2trace-guard");
    g.signals = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
    start(&g, group);
    keep_alone(&g);
    guard(&g);
}

/* --- this side ---------------------------------------------------------------------------------------------------- */

int guardian_start(const struct guardian_command *command, struct guardian *g)
{
    int ends[2], rc;

    *g = (struct guardian){-1, -1};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends))
        return -errno;
    *g = (struct guardian){.pid = fork()};
    if (g->pid == 0) {
        close(ends[0]);
        be_guardian(command, ends[1]);
    }
    rc = g->pid < 0 ? -errno : 0;
    close(ends[1]);
    g->socket = ends[0];
    if (rc) {
        close(ends[0]);
        g->socket = -1;
    }
    return rc;
}

bool guardian_next(struct guardian *g, struct guardian_event *e)
{
    ssize_t n = recv(g->socket, e, sizeof *e, MSG_DONTWAIT);

    if (n == (ssize_t)sizeof *e)
        return true;
    *e = (struct guardian_event){.kind = GUARDIAN_GONE};
    return !(n < 0 && (errno == EAGAIN || errno == EINTR));
}

static void ask(struct guardian *g, const struct request *r)
{
    send(g->socket, r, sizeof *r, MSG_NOSIGNAL);
}

void guardian_signal(struct guardian *g, int signal)
{
    ask(g, &(const struct request){.kind = REQUEST_SIGNAL, .signal = signal});
}

void guardian_notify(struct guardian *g, int signal)
{
    ask(g, &(const struct request){.kind = REQUEST_NOTIFY, .signal = signal});
}

void guardian_kill(struct guardian *g, int notice)
{
    ask(g, &(const struct request){.kind = REQUEST_KILL, .signal = notice});
}

void guardian_leave(struct guardian *g, const struct guardian_drain *drains, size_t n)
{
    struct request r = {.kind = REQUEST_LEAVE, .drains = n};
    char control[CMSG_SPACE(sizeof(int) * 2 * DRAINS_MAX)] = {0};
    struct iovec part = {&r, sizeof r};
    struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};

    if (n) {
        struct cmsghdr *c;

        m.msg_control = control;
        m.msg_controllen = CMSG_SPACE(n * sizeof *drains);
        c = CMSG_FIRSTHDR(&m);
        *c = (struct cmsghdr){
            .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(n * sizeof *drains)};
        memcpy(CMSG_DATA(c), drains, n * sizeof *drains);
    }
    sendmsg(g->socket, &m, MSG_NOSIGNAL);
    close(g->socket);
    g->socket = -1;
}

void guardian_end(struct guardian *g)
{
    /* A guardian that was asked to leave may live on with its daemons; whichever process inherits it waits for it. */
    if (g->socket >= 0) {
        close(g->socket);
        while (waitpid(g->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
}
