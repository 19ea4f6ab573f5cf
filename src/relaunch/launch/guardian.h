/*
 * guardian: a process between this one and a command that is launched. Whatever the command starts stays a descendant
 * of the guardian, in whatever session it is, so that the guardian can signal and kill all of it. When this program is
 * gone, killed even, the guardian kills the command and its descendants. One thread; no other thread may be running in
 * guardian_start, which forks.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct guardian_command {
    const char *const *argv; /* ends with NULL; argv[0] is looked for in PATH */
    char *const *environment;
    const char *directory;
    int fds[3];      /* become its standard input, output and error */
    bool foreground; /* it stays in our process group, which the terminal signals */
};

struct guardian {
    pid_t pid;
    int socket; /* readable when there is an event */
};

enum guardian_event_kind {
    GUARDIAN_STARTED,
    GUARDIAN_NOT_STARTED, /* `error` */
    GUARDIAN_ENDED,       /* the command: `status`, `peak_kb` */
    GUARDIAN_ALONE,       /* no descendant of the command is left */
    GUARDIAN_GONE         /* the guardian itself; nothing more will come */
};

struct guardian_event {
    enum guardian_event_kind kind;
    pid_t pid;             /* of the command */
    int error;             /* a positive errno */
    bool directory_failed; /* it is the directory's */
    int status;            /* as waitpid gives it */
    long peak_kb;          /* the most memory that one process of those it waited for held */
};

/* 0 or -errno. The descriptors in command->fds are the caller's to close, in either case. */
int guardian_start(const struct guardian_command *command, struct guardian *g);

/* The next event; false when there is none yet. */
bool guardian_next(struct guardian *g, struct guardian_event *e);

/*
 * Sends the signal to the command and what is in its process group, unless they got it already, because it was sent to
 * our process group and the command is in it. What is stopped (SIGSTOP) is continued, so that it notices.
 */
void guardian_signal(struct guardian *g, int signal);

/* Sends the signal to all processes that have a handler for it. */
void guardian_notify(struct guardian *g, int signal);

/*
 * Sends the signal `notice` to all processes that have a handler for it, and a moment later kills all: GUARDIAN_ALONE
 * follows, unless something cannot be killed.
 */
void guardian_kill(struct guardian *g, int notice);

/* An output that the guardian goes on keeping: reads from one, writes into the other. */
struct guardian_drain {
    int from, file;
};

/* Lets go: what still runs stays, and `n` (at most 2) of its outputs are read on, so that they do not end it. */
void guardian_leave(struct guardian *g, const struct guardian_drain *drains, size_t n);

/* After the last event. Kills what is left, unless guardian_leave was called, and frees. */
void guardian_end(struct guardian *g);
