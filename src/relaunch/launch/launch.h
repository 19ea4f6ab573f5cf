/*
 * launch: runs one command to its end. Its output goes into two files and, as it arrives, to our own standard output
 * and error; if these are terminals, the command writes to terminals. A time limit, or a signal to this program, ends
 * all of it, including descendants in sessions of their own; the output up to then is kept. One thread; no other
 * thread may be running when it is called.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct input_tape;

/*
 * The signal that asks a process, if it has a handler for it, to write its stacks before it is ended. A real-time
 * signal, because nothing else normally uses those.
 */
#define LAUNCH_STACKS_SIGNAL 62

struct launch {
    const char *const *argv; /* ends with NULL; argv[0] is searched in PATH */
    char *const *environment;
    const char *directory;
    const char *out_path, *err_path;    /* files for its output; newly created */
    int64_t time_limit_s;               /* 0 means none */
    int64_t grace_ms;                   /* from the signal that asks it to end to SIGKILL; 0: ten seconds */
    bool silent;                        /* its output is not passed on */
    bool plain;                         /* a query of ours: no terminal, and no input */
    bool last;                          /* nothing is launched after it, so a daemon that it leaves may stay */
    struct input_tape *input;           /* its standard input; NULL: our own */
    const char *rank_socket, *rank_dir; /* see rank_streams.h; NULL: the output of ranks is not separated */
};

enum launch_end {
    LAUNCH_EXITED,    /* `status` */
    LAUNCH_SIGNALED, /* `signal`, which was not sent by us */
    LAUNCH_TIMED_OUT,
    LAUNCH_INTERRUPTED, /* by Ctrl-C, or by a signal sent to us; `signal` */
    LAUNCH_NOT_STARTED  /* `error`: a positive errno; `directory_failed` if it concerns the directory */
};

struct launch_result {
    enum launch_end end;
    int status, signal, error;
    bool directory_failed;
    int64_t start_us; /* since 1970, UTC */
    double wall_s;    /* until the command ended */
    int pid;
    int64_t peak_kb; /* the largest memory use of one of its processes; 0: unknown */
    /* processes that the kernel killed meanwhile because memory ran out, in our control group or on this machine */
    uint64_t oom_kills;
    int out_error;    /* a positive errno if not all of its output could be stored */
    int pass_error;   /* ... or passed on */
    bool left_behind; /* a descendant is still running */
    bool killed_rest; /* descendants that were still running were ended */
    bool unkillable;  /* some process could not be ended */
    bool unfinished;  /* the last line on one of our terminals has no newline */
};

/* 0, or -errno if the files for its output cannot be created (nothing is started then). */
int launch_run(const struct launch *l, struct launch_result *result);

const char *launch_end_name(enum launch_end end); /* as in run.json */
