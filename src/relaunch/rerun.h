/*
 * rerun: one invocation of `pt2trace run`: launches a workload in one way or another (a trial), each in a directory of
 * its own below the output directory, and keeps what came of it in an experiment. The procedures (ablate, bisect, ...)
 * are made of trials. One thread; no other thread may be running while a trial is launched.
 */
#pragma once

#include "model/experiment.h"
#include "relaunch/check.h"
#include "relaunch/command_line.h"
#include "relaunch/gpu_activity.h"
#include "relaunch/launch.h"
#include "relaunch/preset.h"
#include "relaunch/trial_facts.h"

struct trial_options;

struct rerun {
    struct arena *arena;
    const struct workload *workload;
    const struct preset *preset;
    struct environment environment; /* what the workload itself asks for */
    struct target target;       /* of the workload's Python */
    VEC(struct target *) others; /* of other interpreters, once they were asked */
    struct str directory;       /* of the output, absolute */
    struct str hook;            /* holds sitecustomize.py; empty until a trial needs it */
    struct str caches;          /* private directory of caches that trials share (--warm); empty until one does */
    VEC(struct str) privates;   /* directories that procedures asked for */
    enum gpu_recorder recorder;
    bool quiet;                 /* nothing of the workload's is passed on */
    bool show_logs;
    unsigned threads;           /* for reading traces */
    struct experiment *experiment;
    struct trial_facts base_facts;
    struct check_history checks;
    struct path_list base_inputs; /* what the report is made of: its trace, and the text of its terminal */
    void (*announce)(const struct trial_options *o); /* called before each trial; may be NULL */
    bool interrupted;           /* by Ctrl-C: no further trial is to be started */
    char failure[256];          /* why a call returned an error */
};

/* How a trial differs from the workload. Zeroed: not at all. */
struct trial_options {
    struct str name;            /* of its directory */
    struct str how;             /* for people */
    struct what_if what_if;     /* over the workload's own */
    struct str python;          /* another interpreter; empty: the workload's */
    const setting_list *environment; /* further variables; may be NULL */
    enum caches caches;         /* CACHES_COLD: a private directory; CACHES_WARM: that which trials share */
    struct str cache_dir;       /* private directory of caches, over `caches` */
    int64_t time_limit_s;       /* 0: the workload's */
    const struct command_line *command; /* another than the workload's, in `work_dir`; NULL: the workload's */
    struct str work_dir;
    bool silent;                /* nothing of it is passed on */
    bool untraced;              /* no TORCH_TRACE: what Dynamo does not see, or for its time alone */
};

/*
 * Prepares: finds the Python, asks it, makes the output directory. `directory` as given, or NULL for the first of
 * pt2trace_run, pt2trace_run.2, ... that is free. 0 or -errno with r->failure.
 */
int rerun_begin(struct rerun *r, struct arena *a, const struct workload *w, const char *directory);

/*
 * Launches it, reads its trace, compares it with the base, and appends it to the experiment: *out, which stays valid
 * until the next call. 0 or -errno with r->failure. A workload that fails is no error.
 */
int rerun_trial(struct rerun *r, const struct trial_options *options, struct trial **out);

/* A directory of our own under $TMPDIR, until rerun_end. Empty, with -errno in *rc and r->failure, on an error. */
struct str rerun_private_directory(struct rerun *r, int *rc);

/* The trial that others are compared with, and that the report is of; NULL before it was launched. */
#define TRIAL_BASE "base"
struct trial *rerun_base(const struct rerun *r);

/* Writes workload.yaml and run.json into the output directory. 0 or -errno with r->failure. */
int rerun_write(struct rerun *r);

/* Removes private caches. What was written into the output directory stays. */
void rerun_end(struct rerun *r);

void rerun_conclude(struct rerun *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void rerun_note(struct rerun *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
