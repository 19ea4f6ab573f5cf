/*
 * experiment: the results of `pt2trace run`: a workload, launched once or several times in different ways (trials),
 * and the outcome of each. relaunch makes it; run.json, next to the report, stores it (digest/experiment_file); and a
 * report that is made from that file shows it. Plain data; unknown numbers are -1.
 */
#pragma once

#include "model/gpu.h"
#include "util/vec.h"

/* One environment variable, which is set in addition to those of the shell. */
struct env_setting {
    struct str name, value;
    bool unset; /* it is removed */
};

typedef VEC(struct env_setting) setting_list;

enum check_outcome { CHECK_SAME, CHECK_DIFFERENT, CHECK_NOT_COMPARED, CHECK_OUTCOMES };

struct trial_check {
    struct str what;   /* "exit", "output loss ([0-9.]+)", "file out.npy" */
    enum check_outcome outcome;
    struct str detail; /* "0.25 here, 0.5 there; max abs difference 0.25", or why there was no comparison */
};

/* The effect of a change between trials: something that one has and the other does not. */
struct trial_change {
    bool gone;        /* the earlier trial has it, and this one does not */
    struct str kind;  /* "graph break", "recompile", "error" */
    struct str text;
};

/* Which process was which rank: its output is in a folder named by rank and attempt. */
struct trial_rank {
    int64_t rank, attempt, pid;
};

/* Where a process was when it was ended, as Python's faulthandler prints it. */
struct trial_stack {
    int64_t pid;
    struct str text;
};

/* How a trial ended, as in run.json and report.json. */
#define TRIAL_EXITED "exited"
#define TRIAL_SIGNALED "signaled"
#define TRIAL_TIMED_OUT "timed-out"
#define TRIAL_INTERRUPTED "interrupted"
#define TRIAL_NOT_STARTED "not-started"
#define TRIAL_ENDS TRIAL_EXITED " " TRIAL_SIGNALED " " TRIAL_TIMED_OUT " " TRIAL_INTERRUPTED " " TRIAL_NOT_STARTED

struct trial {
    struct str name;    /* the name of its directory: "base", "base.2", "aot_eager" */
    struct str how;     /* how it differs from the base, in words: "backend aot_eager"; empty for the base */
    struct str command; /* as it could be typed, with the environment */
    setting_list environment;
    struct str python;   /* if it differs from the experiment's */
    struct str torch;    /* its version, if that differs */
    struct str end;      /* one of TRIAL_ENDS */
    int64_t status, signal;
    int64_t start_us; /* since 1970, UTC */
    int64_t wall_us;
    int64_t pid; /* the process that text without a process id comes from; 0: one of several */
    VEC(struct trial_rank) ranks;
    int64_t peak_bytes;  /* the largest memory use of one of its processes */
    int64_t oom_kills;   /* processes that the kernel killed meanwhile because the machine ran out of memory */
    bool fresh_caches;   /* its caches were empty, because pt2trace gave it new ones */
    struct str not_applied;         /* sentences that say why its settings did not take effect; empty if they did */
    VEC(struct trial_stack) stacks; /* at the time it was ended from outside */
    bool failed;                    /* it failed a check; without a check of the status: its exit status was not 0 */
    bool traced;                    /* it left a trace, from which the following comes */
    int64_t compiles, graph_breaks, recompiles, errors, compile_us;
    int64_t gpu_us;   /* time while its GPUs worked, if recorded */
    int64_t calls_us; /* time of all calls of compiled code once nothing has to be compiled, if recorded */
    struct str error; /* the first error that ended it: "InductorError: ..." */
    struct str stage; /* the stage of that error: "inductor" */
    VEC(struct trial_check) checks;
    VEC(struct trial_change) changes; /* compared with the base */
};

/* The results of `run --fix` for the advice of a finding. */
enum fix_outcome {
    FIX_HELPS, /* it reduces what it is meant to; the results are the same, or `compared` is false */
    FIX_GONE,  /* the finding is gone, but no count or time has changed */
    FIX_NO_EFFECT,
    FIX_DIFFERS,     /* the program's results change */
    FIX_RAISES,      /* the program fails */
    FIX_NOT_APPLIED, /* it could not be put into the program */
    FIX_NOT_TRIED,
    FIX_OUTCOMES
};

struct fix {
    struct str finding; /* the finding's id */
    struct str title;
    struct str kind; /* the kind of the text: "statement", "setting", "environment"; other kinds cannot be tried */
    struct str text; /* empty if the advice is in words only */
    struct str file; /* for a statement: the line that it goes before */
    int64_t line;
    enum fix_outcome outcome;
    struct str measured; /* in words: "graph breaks 5 -> 0; results the same", or why there is no result */
    struct str trial;    /* empty if there was none; findings with the same advice share a trial */
    bool compared;       /* there were results to compare */
    bool chosen;         /* it is part of the best combination */
};

const char *fix_outcome_name(enum fix_outcome o);

/* It was tried, and should not be followed. */
bool fix_is_refuted(const struct fix *f);

/* It helps, and the results were compared and are the same. */
bool fix_is_verified(const struct fix *f);

/* A conclusion that begins like this is a command line to paste. */
#define EXPERIMENT_COMMAND "$ "

struct experiment {
    struct str question;           /* --why; empty if it was not given */
    struct str command, directory; /* as typed */
    struct str python, python_version, torch, cuda;
    struct str workload_file, workload; /* the YAML file that runs the same again: its path and its contents */
    struct str program;   /* the program that --minify found or --repro made, which shows only the fault */
    struct str procedure; /* "ablate", "bisect", "minify", "repro", "fix"; empty for a plain run */
    VEC(struct fix) fixes;       /* the advice that --fix tried, in the order of the findings */
    struct str patch;            /* the best combination, as lines for the files and for the command */
    VEC(struct str) conclusions; /* sentences and command lines */
    VEC(struct str) notes;       /* notes about anything that could not be done as requested */
    VEC(struct gpu_device) devices; /* the machine's GPUs, as they were before the first trial */
    VEC(struct trial) trials;    /* the base first */
};

/* It failed, or a check differs from the trial it is compared with. */
bool trial_is_bad(const struct trial *t);

/* How it failed, in a word or two: "InductorError", "signal 11", "status 1". In the arena, or the trial's. */
struct str trial_failure(struct arena *a, const struct trial *t);

const char *check_outcome_name(enum check_outcome o);
