/*
 * guardian: a process between this one and a command that is launched. Everything the command starts remains a
 * descendant of the guardian, whatever its session, so the guardian can signal and kill all of it. If this program
 * ends, even by being killed, the guardian kills the command and its descendants. One thread; no other thread may be
 * running during guardian_start, which forks.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct guardian_command {
    const char *const *argv; /* ends with NULL; argv[0] is searched in PATH */
    char *const *environment;
    const char *directory;
    int fds[3];      /* become its standard input, output and error */
    bool foreground; /* the command stays in our process group, which the terminal signals */
};

struct guardian {
    pid_t pid;
    int socket; /* readable if there is an event */
};

enum guardian_event_kind {
    GUARDIAN_STARTED,
    GUARDIAN_NOT_STARTED, /* `error` */
    GUARDIAN_ENDED,       /* the command ended: `status`, `peak_kb` */
    GUARDIAN_ALONE,       /* the command has no descendants left */
    GUARDIAN_GONE         /* the guardian itself ended; there are no further events */
};

struct guardian_event {
    enum guardian_event_kind kind;
    pid_t pid;             /* of the command */
    int error;             /* a positive errno */
    bool directory_failed; /* the error concerns the directory */
    int status;            /* in the form of waitpid */
    long peak_kb;          /* the largest memory use of one of the processes it waited for */
};

/* 0 or -errno. The caller closes the descriptors in command->fds in either case. */
int guardian_start(const struct guardian_command *command, struct guardian *g);

/* The next event; false if there is none yet. */
bool guardian_next(struct guardian *g, struct guardian_event *e);

/*
 * Sends the signal to the command and its process group, unless they already received it because it was sent to our
 * process group and the command is in it. Stopped processes (SIGSTOP) are continued so that they notice.
 */
void guardian_signal(struct guardian *g, int signal);

/* Sends the signal to all processes that have a handler for it. */
void guardian_notify(struct guardian *g, int signal);

/*
 * Sends the signal `notice` to all processes that have a handler for it, and kills all processes a moment later.
 * GUARDIAN_ALONE follows, unless something cannot be killed.
 */
void guardian_kill(struct guardian *g, int notice);

/* An output that the guardian keeps reading: from one descriptor into the other. */
struct guardian_drain {
    int from, file;
};

/*
 * Lets go: processes that still run stay, and `n` (at most 2) of their outputs are still read, so that a closed pipe
 * does not end them.
 */
void guardian_leave(struct guardian *g, const struct guardian_drain *drains, size_t n);

/* Call it after the last event. Kills what is left, unless guardian_leave was called, and frees the guardian. */
void guardian_end(struct guardian *g);
