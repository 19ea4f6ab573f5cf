#include "relaunch/launch/interrupts.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

static const int enders[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

enum { ENDERS = sizeof enders / sizeof *enders };

static struct {
    int fd;
    sigset_t before;
    struct sigaction actions[ENDERS]; /* as they were before interrupts_warn_first */
    const char *notice;               /* NULL once it has been printed */
} held = {.fd = -1};

static void set_of_signals(sigset_t *set)
{
    struct sigaction action;

    sigemptyset(set);
    sigaddset(set, SIGWINCH);
    for (int i = 0; i < ENDERS; i++) {
        sigaction(enders[i], NULL, &action);
        if (action.sa_handler != SIG_IGN)
            sigaddset(set, enders[i]);
    }
}

void interrupts_hold(void)
{
    sigset_t set;

    if (held.fd >= 0)
        return;
    set_of_signals(&set);
    held.fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    /* Signals that nobody reads must end us as they did before. */
    sigprocmask(SIG_BLOCK, held.fd < 0 ? NULL : &set, &held.before);
}

void interrupts_restore(void)
{
    sigprocmask(SIG_SETMASK, &held.before, NULL);
}

int interrupts_fd(void)
{
    return held.fd;
}

int interrupts_next(void)
{
    struct signalfd_siginfo info;

    return read(held.fd, &info, sizeof info) == sizeof info ? (int)info.ssi_signo : 0;
}

int interrupts_pending(void)
{
    int first = 0, signal;

    while ((signal = interrupts_next()) != 0)
        if (signal != SIGWINCH && first == 0)
            first = signal;
    return first;
}

static void warn_once(int signal)
{
    if (held.notice && write(STDERR_FILENO, held.notice, strlen(held.notice)) < 0)
        _exit(128 + signal);
    held.notice = NULL;
    for (int i = 0; i < ENDERS; i++)
        sigaction(enders[i], &held.actions[i], NULL);
}

void interrupts_warn_first(const char *notice)
{
    const struct sigaction warn = {.sa_handler = warn_once, .sa_flags = SA_RESTART};

    held.notice = notice;
    for (int i = 0; i < ENDERS; i++) {
        sigaction(enders[i], NULL, &held.actions[i]);
        if (held.actions[i].sa_handler != SIG_IGN)
            sigaction(enders[i], &warn, NULL);
    }
    interrupts_restore();
}
