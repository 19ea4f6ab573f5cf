/*
 * launch: runs one command to its end, in a process group of its own. What it writes goes into two files and, as it
 * comes, to our own standard output and error. A time limit and Ctrl-C end all of it, descendants in sessions of their
 * own included; what it wrote until then stays. To be called from the only thread of the program.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct launch {
    const char *const *argv;  /* ends with NULL; argv[0] is looked for in PATH */
    char *const *environment;
    const char *directory;
    const char *out_path, *err_path; /* what it writes; made anew */
    int64_t time_limit_s;     /* 0: none */
    bool silent;              /* nothing is passed on */
    bool show_logs;           /* also pass on the lines that TORCH_LOGS makes, instead of keeping them in the file */
    bool no_input;            /* its standard input is empty, not ours; always so when ours is a terminal */
};

enum launch_end {
    LAUNCH_EXITED,      /* `status` */
    LAUNCH_SIGNALLED,   /* `signal`, which nobody here sent */
    LAUNCH_TIMED_OUT,
    LAUNCH_INTERRUPTED, /* by Ctrl-C, or a signal that was sent to us; `signal` */
    LAUNCH_NOT_STARTED  /* `error`: a positive errno; `directory_failed` when it is the directory's */
};

struct launch_result {
    enum launch_end end;
    int status, signal, error;
    bool directory_failed;
    int64_t start_us;   /* since the epoch, UTC */
    double wall_s;
    int pid;
    int out_error;      /* a positive errno when not all of its output could be kept */
    bool left_behind;   /* a descendant still runs, with our pipes open */
};

/* 0, or -errno when the files for its output cannot be made (then nothing was started). */
int launch_run(const struct launch *l, struct launch_result *result);

const char *launch_end_name(enum launch_end end); /* as in run.json */
