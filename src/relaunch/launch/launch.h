/*
 * launch: runs one command to its end. What it writes goes into two files and, as it comes, to our own standard output
 * and error; where these are terminals, it writes to terminals. A time limit and signals to this program end all of it,
 * descendants in sessions of their own included; what it wrote until then stays. One thread; no other thread may be
 * running when it is called.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct input_tape;

/*
 * The signal on which a process that wants to (it has a handler for it) writes its stacks, before it is ended. It is of
 * the real-time ones, which nothing else uses by habit.
 */
#define LAUNCH_STACKS_SIGNAL 62

struct launch {
    const char *const *argv; /* ends with NULL; argv[0] is looked for in PATH */
    char *const *environment;
    const char *directory;
    const char *out_path, *err_path;    /* what it writes; made new */
    int64_t time_limit_s;               /* 0: none */
    int64_t grace_ms;                   /* from the signal that asks it to end to SIGKILL; 0: ten seconds */
    bool silent;                        /* nothing is passed on */
    bool plain;                         /* a question of ours: no terminal, and nothing to read */
    bool last;                          /* nothing is launched after it: a daemon that it leaves may stay */
    struct input_tape *input;           /* what it reads; NULL: our standard input itself */
    const char *rank_socket, *rank_dir; /* see rank_streams.h; NULL: ranks stay together */
};

enum launch_end {
    LAUNCH_EXITED,    /* `status` */
    LAUNCH_SIGNALLED, /* `signal`, which nobody here sent */
    LAUNCH_TIMED_OUT,
    LAUNCH_INTERRUPTED, /* by Ctrl-C, or a signal that was sent to us; `signal` */
    LAUNCH_NOT_STARTED  /* `error`: a positive errno; `directory_failed` when it is the directory's */
};

struct launch_result {
    enum launch_end end;
    int status, signal, error;
    bool directory_failed;
    int64_t start_us; /* since the epoch, UTC */
    double wall_s;    /* to the end of the command */
    int pid;
    int64_t peak_kb;    /* the most memory that one of its processes held; 0: unknown */
    uint64_t oom_kills; /* processes that the kernel killed for want of memory meanwhile, here or on this machine */
    int out_error;      /* a positive errno when not all of its output could be kept */
    int pass_error;     /* ... could be passed on */
    bool left_behind;   /* a descendant still runs */
    bool killed_rest;   /* descendants that still ran were ended */
    bool unkillable;    /* something could not be ended */
    bool unfinished;    /* what a terminal of ours shows last has no line end */
};

/* 0, or -errno when the files for its output cannot be made (then nothing was started). */
int launch_run(const struct launch *l, struct launch_result *result);

const char *launch_end_name(enum launch_end end); /* as in run.json */
