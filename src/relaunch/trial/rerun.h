/*
 * rerun: one invocation of `pt2trace run`: launches a workload in various ways (trials), each in its own directory
 * inside the output directory, and collects the results in an experiment. The procedures (ablate, bisect, ...) consist
 * of trials. One thread; no other thread may be running while a trial is launched.
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
    bool fault; /* something is wrong each time, and the compiler may be at fault */
    bool clean; /* nothing is wrong, as far as was compared */
};

struct rerun {
    struct arena *arena;
    const struct workload *workload;
    const struct preset *preset;
    struct environment environment; /* the workload's own settings */
    struct target target;           /* of the workload's Python */
    VEC(struct target *) others;    /* other interpreters that were queried */
    struct str directory;           /* the output directory, absolute */
    bool made_directory;            /* it did not exist before */
    struct str hook;                /* the directory with sitecustomize.py; empty until a trial needs it */
    struct str caches;              /* private directory for caches that trials share (--warm); empty until needed */
    struct str sockets;             /* private directory for the sockets of ranks */
    VEC(struct str) privates;       /* directories to remove at the end */
    bool made_temp;                 /* the program removed the directory for temporary files, and we made it again */
    enum gpu_recorder recorder;
    bool several;   /* several trials: each must find what the previous one found */
    bool of_graphs; /* --repro: each launch compiles one graph, without a compile id */
    bool show_logs;
    unsigned threads;       /* for reading traces */
    int64_t begun_us;       /* since 1970, UTC */
    int64_t grace_ms;       /* see launch.h */
    struct input_tape tape; /* standard input, for several trials */
    struct experiment *experiment;
    struct trial_facts base_facts, last_facts; /* of the base, and of the last trial */
    struct hook_report base_report;
    struct str kept_out; /* why the hook was not in the base; empty if it was */
    struct check_history checks;
    struct path_list base_inputs; /* inputs of the report: the base's trace, and its terminal output */
    struct control control;
    void (*say)(struct str text); /* shows progress to the user; may be NULL */
    int interrupted;              /* the signal that arrived: no further trial is started; 0: none */
    bool not_found;               /* the command does not exist, or is not executable */
    bool unfinished_line;         /* the last line on the terminal has no newline */
    char failure[512];            /* why a call returned an error */
};

/* How a trial differs from the workload. All zero: not at all. */
struct trial_options {
    struct str name;                 /* the name of its directory */
    struct str how;                  /* in words */
    struct what_if what_if;          /* overrides the workload's own */
    struct str python;               /* another interpreter; empty: the workload's */
    const setting_list *environment; /* additional variables; may be NULL */
    const struct fix *const *fixes;  /* advice to put into the program */
    size_t fixes_n;
    /* CACHES_COLD: a private directory; CACHES_WARM: the directory that trials share */
    enum caches caches;
    struct str cache_dir;               /* private directory for caches, instead of `caches` */
    int64_t time_limit_s;               /* 0: the workload's */
    const struct command_line *command; /* a command other than the workload's, in `work_dir`; NULL: the workload's */
    struct str work_dir;
    bool untraced;    /* no TORCH_TRACE: for a command that Dynamo does not see, or to measure time only */
    bool watch_opens; /* record which files of earlier trials it reads */
};

/*
 * Prepares: finds and queries the Python, and creates the output directory. `directory` as given, or NULL for the
 * first free one of pt2trace_run, pt2trace_run.2, ... 0 or -errno with r->failure; -EINTR if r->interrupted.
 */
int rerun_begin(struct rerun *r, struct arena *a, const struct workload *w, const char *directory);

/* Paths of files from earlier trials that a trial with watch_opens read. */
void rerun_opens(struct rerun *r, struct str trial, hook_lines *out);

/*
 * A private directory under $TMPDIR, which exists until rerun_end. Empty, with -errno in *rc and r->failure, on error.
 */
struct str rerun_private_directory(struct rerun *r, int *rc);

/* The trial that others are compared with, and that the report shows; NULL until it was launched. */
#define TRIAL_BASE "base"
struct trial *rerun_base(const struct rerun *r);

/* A trial by its name; NULL if there is none. */
struct trial *rerun_find(const struct rerun *r, struct str name);

/* Facts about an interpreter, which is queried once; an empty name means the workload's. NULL with the error in *rc. */
const struct target *rerun_target_of(struct rerun *r, struct str python, int *rc);

/* After a launch: uses the Python that actually ran, because the command may be a script. */
int rerun_correct_python(struct rerun *r);

/* Why a traced run has no compile, as a sentence; empty if it has some. */
struct str rerun_why_nothing_compiled(struct rerun *r);

/* Writes workload.yaml and run.json into the output directory. 0 or -errno with r->failure. */
int rerun_write(struct rerun *r);

/*
 * Removes private directories and, if the command was not found, everything that was created. Otherwise the output
 * directory stays.
 */
void rerun_end(struct rerun *r);

/* Sets r->failure; returns rc. */
int rerun_failed(struct rerun *r, int rc, const char *what, struct str path);

void rerun_conclude(struct rerun *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Announces many launches: how many at most, and how long they may take. */
void rerun_expect(struct rerun *r, size_t launches);

void rerun_note(struct rerun *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
