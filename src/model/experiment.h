/*
 * experiment: what `pt2trace run` did: a workload, launched once or several times in different ways (trials), and what
 * came of each. relaunch makes it, run.json beside the report keeps it (digest/experiment_file), and a report that is
 * given that file shows it. Plain data; unknown numbers are -1.
 */
#pragma once

#include "model/gpu.h"
#include "util/vec.h"

/* One variable of the environment, set over what the shell has. */
struct env_setting {
    struct str name, value;
    bool unset; /* it is taken out */
};

typedef VEC(struct env_setting) setting_list;

enum check_outcome { CHECK_SAME, CHECK_DIFFERENT, CHECK_NOT_COMPARED, CHECK_OUTCOMES };

struct trial_check {
    struct str what;   /* "exit", "output loss ([0-9.]+)", "file out.npy" */
    enum check_outcome outcome;
    struct str detail; /* "0.25 here, 0.5 there; max abs difference 0.25", or why it was not compared */
};

/* What a change of trials did: present in one and not in the other. */
struct trial_change {
    bool gone;        /* the trial it is compared with has it, and this one lacks it */
    struct str kind;  /* "graph break", "recompile", "error" */
    struct str text;
};

/* Which process was a rank: what it wrote lies under its rank and attempt. */
struct trial_rank {
    int64_t rank, attempt, pid;
};

/* Where a process was when it was ended: what Python's faulthandler writes. */
struct trial_stack {
    int64_t pid;
    struct str text;
};

struct trial {
    struct str name;     /* of its directory: "base", "base.2", "aot_eager" */
    struct str how;      /* what is different, in words: "backend aot_eager"; empty for the base */
    struct str command;  /* as one could type it, environment and all */
    setting_list environment;
    struct str python;   /* when it is not the experiment's */
    struct str torch;    /* its version, likewise */
    struct str end;      /* "exited", "signalled", "timed-out", "interrupted", "not-started" */
    int64_t status, signal;
    int64_t start_us;    /* since the epoch, UTC */
    int64_t wall_us;
    int64_t pid;         /* of the process that text without a process id is of; 0: of one among several */
    VEC(struct trial_rank) ranks;
    int64_t peak_bytes;  /* the most memory that one of its processes held */
    int64_t oom_kills;   /* processes that the kernel of the machine killed meanwhile, for want of memory */
    bool fresh_caches;   /* its caches were empty, because pt2trace gave it new ones */
    struct str not_applied; /* why it ran without what it asks for: sentences; empty when it did not */
    VEC(struct trial_stack) stacks; /* when it was ended, not by itself */
    bool failed;         /* not what the checks want; without a check of the status: it did not end with 0 */
    bool traced;         /* it left a trace; what follows is of it */
    int64_t compiles, graph_breaks, recompiles, errors, compile_us;
    int64_t gpu_us;      /* while its GPUs were at work, where that was recorded */
    int64_t calls_us;    /* what all calls of compiled code take when none has to be compiled; likewise */
    struct str error;    /* the first that ended it: "InductorError: ..." */
    struct str stage;    /* of that error: "inductor" */
    VEC(struct trial_check) checks;
    VEC(struct trial_change) changes; /* against the base */
};

/* What `run --fix` found of the advice of a finding. */
enum fix_outcome {
    FIX_HELPS,       /* less of what it is against; the results are the same, or `compared` is false */
    FIX_GONE,        /* the finding is gone, and nothing that is counted or timed changed */
    FIX_NO_EFFECT,
    FIX_DIFFERS,     /* the program gives other results */
    FIX_RAISES,      /* the program fails */
    FIX_NOT_APPLIED, /* it could not be put into the program */
    FIX_NOT_TRIED,
    FIX_OUTCOMES
};

struct fix {
    struct str finding; /* its id */
    struct str title;
    struct str kind;    /* of the text: "statement", "setting", "environment"; others, or none, cannot be tried */
    struct str text;    /* empty: the advice is in words */
    struct str file;    /* of a statement, which stands before this line */
    int64_t line;
    enum fix_outcome outcome;
    struct str measured; /* in words: "graph breaks 5 -> 0; results the same", or why there is nothing to say */
    struct str trial;    /* empty when there was none; findings with the same advice share one */
    bool compared;       /* there were results to compare */
    bool chosen;         /* a part of the best combination */
};

const char *fix_outcome_name(enum fix_outcome o);

/* It was tried, and is not to be followed. */
bool fix_is_refuted(const struct fix *f);

/* It helps, and the results were compared and are the same. */
bool fix_is_verified(const struct fix *f);

/* A conclusion that begins so is a command line to be pasted. */
#define EXPERIMENT_COMMAND "$ "

struct experiment {
    struct str question; /* --why; empty when none was asked */
    struct str command, directory; /* as typed */
    struct str python, python_version, torch, cuda;
    struct str workload_file, workload; /* the YAML that runs the same again: its path, and its text */
    struct str program;   /* what --minify found, or --repro took: a program that shows the fault alone */
    struct str procedure; /* "ablate", "bisect", "minify", "repro", "fix"; empty for a plain run */
    VEC(struct fix) fixes;       /* what --fix tried, in the order of the findings */
    struct str patch;            /* the best combination, as lines to put into files and before the command */
    VEC(struct str) conclusions; /* sentences and command lines */
    VEC(struct str) notes;       /* what was not as asked for */
    VEC(struct gpu_device) devices; /* of the machine, as they were before the first trial */
    VEC(struct trial) trials;    /* the base first */
};

/* It failed, or a check found something else than in the trial that it is compared with. */
bool trial_is_bad(const struct trial *t);

/* How it failed, in a word or two: "InductorError", "signal 11", "status 1". In the arena, or the trial's. */
struct str trial_failure(struct arena *a, const struct trial *t);

const char *check_outcome_name(enum check_outcome o);
