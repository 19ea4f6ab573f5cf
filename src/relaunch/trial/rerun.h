/*
 * rerun: one invocation of `pt2trace run`: launches a workload in one way or another (a trial), each in a directory of
 * its own below the output directory, and keeps what came of it in an experiment. The procedures (ablate, bisect, ...)
 * are made of trials. One thread; no other thread may be running while a trial is launched.
 */
#pragma once

#include "model/experiment.h"
#include "relaunch/checks/check.h"
#include "relaunch/gpu/gpu_activity.h"
#include "relaunch/launch/input_tape.h"
#include "relaunch/launch/launch.h"
#include "relaunch/trial/hook_report.h"
#include "relaunch/trial/trial_facts.h"
#include "relaunch/workload/command_line.h"
#include "relaunch/workload/preset.h"

struct trial_options;

/* What the program does without torch.compile, and whether it always does the same; see control.h. */
struct control {
    bool done;
    bool fault; /* something is wrong, each time, that the compiler may be at fault for */
    bool clean; /* nothing is wrong, as far as was compared */
};

struct rerun {
    struct arena *arena;
    const struct workload *workload;
    const struct preset *preset;
    struct environment environment; /* what the workload itself asks for */
    struct target target;           /* of the workload's Python */
    VEC(struct target *) others;    /* of other interpreters, once they were asked */
    struct str directory;           /* of the output, absolute */
    bool made_directory;            /* it was not there before */
    struct str hook;                /* the directory with sitecustomize.py; empty until a trial needs it */
    struct str caches;              /* private directory of caches that trials share (--warm); empty until one does */
    struct str sockets;             /* private directory, for what ranks are reached by */
    VEC(struct str) privates;       /* directories to be removed at the end */
    bool made_temp;                 /* the program removed the directory of temporary files, which is ours again */
    enum gpu_recorder recorder;
    bool several;   /* trials: each has to find what the one before found */
    bool of_graphs; /* --repro: what is launched compiles one graph, without a compile id */
    bool show_logs;
    unsigned threads;       /* for reading traces */
    int64_t begun_us;       /* since the epoch, UTC */
    int64_t grace_ms;       /* see launch.h */
    struct input_tape tape; /* standard input, for several trials */
    struct experiment *experiment;
    struct trial_facts base_facts, last_facts; /* of the base, and of the trial that was launched last */
    struct hook_report base_report;
    struct str kept_out; /* why the hook was not in the base; empty when it was */
    struct check_history checks;
    struct path_list base_inputs; /* what the report is made of: its trace, and the text of its terminal */
    struct control control;
    void (*say)(struct str text); /* for whoever waits; may be NULL */
    int interrupted;              /* the signal that came: no further trial is to be started; 0: none */
    bool not_found;               /* the command is not there, or is none */
    bool unfinished_line;         /* what the terminal shows last has no line end */
    char failure[512];            /* why a call returned an error */
};

/* How a trial differs from the workload. Zeroed: not at all. */
struct trial_options {
    struct str name;                 /* of its directory */
    struct str how;                  /* for people */
    struct what_if what_if;          /* over the workload's own */
    struct str python;               /* another interpreter; empty: the workload's */
    const setting_list *environment; /* further variables; may be NULL */
    const struct fix *const *fixes;  /* advice that is put into the program */
    size_t fixes_n;
    enum caches caches;                 /* CACHES_COLD: a private directory; CACHES_WARM: that which trials share */
    struct str cache_dir;               /* private directory of caches, over `caches` */
    int64_t time_limit_s;               /* 0: the workload's */
    const struct command_line *command; /* another than the workload's, in `work_dir`; NULL: the workload's */
    struct str work_dir;
    bool untraced;    /* no TORCH_TRACE: what Dynamo does not see, or for its time alone */
    bool watch_opens; /* note which files of earlier trials it reads */
};

/*
 * Prepares: finds the Python, asks it, makes the output directory. `directory` as given, or NULL for the first of
 * pt2trace_run, pt2trace_run.2, ... that is free. 0 or -errno with r->failure; -EINTR when r->interrupted.
 */
int rerun_begin(struct rerun *r, struct arena *a, const struct workload *w, const char *directory);

/* Files of earlier trials that a trial with watch_opens read: paths. */
void rerun_opens(struct rerun *r, struct str trial, hook_lines *out);

/* A directory of our own under $TMPDIR, until rerun_end. Empty, with -errno in *rc and r->failure, on an error. */
struct str rerun_private_directory(struct rerun *r, int *rc);

/* The trial that others are compared with, and that the report is of; NULL before it was launched. */
#define TRIAL_BASE "base"
struct trial *rerun_base(const struct rerun *r);

/* A trial by its name; NULL when there is none. */
struct trial *rerun_find(const struct rerun *r, struct str name);

/* What is known of an interpreter, which is asked once; an empty name is the workload's. NULL with the error in *rc. */
const struct target *rerun_target_of(struct rerun *r, struct str python, int *rc);

/* After a launch: the Python that ran is known better than what the command shows, which may be a script. */
int rerun_correct_python(struct rerun *r);

/* Why a traced run is without a compile: a sentence; empty when there are compiles. */
struct str rerun_why_nothing_compiled(struct rerun *r);

/* Writes workload.yaml and run.json into the output directory. 0 or -errno with r->failure. */
int rerun_write(struct rerun *r);

/* Removes private caches; of a command that was not found all that was made. Else the output directory stays. */
void rerun_end(struct rerun *r);

/* Sets r->failure; returns rc. */
int rerun_failed(struct rerun *r, int rc, const char *what, struct str path);

void rerun_conclude(struct rerun *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Before many launches: how many at most, and how long they may take. */
void rerun_expect(struct rerun *r, size_t launches);

void rerun_note(struct rerun *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
