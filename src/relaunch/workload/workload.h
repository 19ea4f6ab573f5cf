/*
 * workload: what to run and how: the options of `pt2trace run`, or a YAML file (-c). It is also written as
 * workload.yaml next to the report, so that anyone who receives the report can run the same again. Plain data; texts
 * live in the arena they were parsed into and are NUL-terminated. One thread.
 */
#pragma once

#include "model/experiment.h"
#include "util/buf.h"
#include "util/vec.h"

/* What is compared with the first run's result. */
enum check_kind {
    CHECK_EXIT,   /* the exit status is `status` */
    CHECK_OUTPUT, /* what `text`, an extended regular expression, captures in standard output */
    CHECK_FILE,   /* a file that the program writes; `text` is its path, relative to the workload's directory */
    CHECK_KINDS
};

#define CHECK_TOLERANCE_UNSET (-1.0)

struct check {
    enum check_kind kind;
    struct str text;
    int64_t status;
    double rtol, atol; /* |now - then| <= atol + rtol * |then|, for numbers; CHECK_TOLERANCE_UNSET: not given */
};

enum dynamic_shapes { DYNAMIC_AS_IS, DYNAMIC_NONE, DYNAMIC_TRUE, DYNAMIC_FALSE };

/* How a run differs from what the program itself asks for. Empty and 0: not at all. */
struct what_if {
    struct str backend; /* for torch.compile; "none": Dynamo is off */
    struct str mode;    /* for torch.compile; "default" */
    enum dynamic_shapes dynamic;
    bool fullgraph;
    int64_t recompile_limit;
    struct str disable; /* functions that Dynamo skips: "package.module.f,package.module.Class.f" */
    struct str config;  /* "torch._inductor.config.fallback_random=True;..." */
};

struct variant {
    struct str name;
    struct str python; /* another interpreter; empty: the workload's */
    setting_list environment;
    struct what_if what_if;
};

enum caches { CACHES_AS_IS, CACHES_COLD, CACHES_WARM };
enum workload_launcher { LAUNCHER_NONE, LAUNCHER_TORCHRUN, LAUNCHER_MPIRUN, LAUNCHER_SRUN, LAUNCHERS };

/* Limits for numbers in a workload. */
enum { REPEATS_MAX = 1000, RANKS_MAX = 100000, RECOMPILE_LIMIT_MAX = 1000000, FIX_LIMIT_MAX = 1000 };

struct workload {
    VEC(struct str) command;
    struct str directory;  /* the working directory; absolute after parsing */
    struct str python;     /* replaces `python` and `python3` at the beginning of the command; empty: found on PATH */
    struct str gpus;       /* CUDA_VISIBLE_DEVICES; empty: unchanged */
    struct str question;   /* --why; a row of preset.c, or empty */
    struct str torch_logs; /* TORCH_LOGS; empty: the logs for the question */
    setting_list environment;
    enum workload_launcher launcher;
    enum caches caches;
    int64_t ranks;               /* 0: the command decides */
    int64_t repeats;             /* at least 1 */
    int64_t time_limit_s;        /* for one launch, or with `fix` for all of them; 0: none */
    bool ablate, bisect, minify, fix; /* procedures to run after the base */
    int64_t fix_limit;                /* the maximum number of launches for --fix; 0: its own limit */
    bool needs_gpu;
    struct str gpu_activity; /* how kernels are measured: cupti, kineto, nsys; empty: not measured */
    struct what_if what_if;
    VEC(struct variant) variants;
    bool bisect_variants; /* variants are ordered, such as versions: find the first that fails, with few runs */
    VEC(struct check) checks;
};

struct workload_error {
    uint64_t line; /* 0 if the error has no line */
    struct str text;
};

/* A workload with all defaults. */
struct workload workload_empty(void);

/*
 * Reads a workload file. False, with *error set (line and reason), if it is invalid: an unknown key, a value of the
 * wrong kind or out of range, no command. `base` is the directory of the file, to which `directory` is relative.
 */
bool workload_parse(struct arena *a, struct str text, struct str base, struct workload *out,
                    struct workload_error *error);

/* "90", "90s", "15min", "2h": at least one second, at most 30 days. False on anything else. */
bool workload_time(struct str text, int64_t *seconds);

/*
 * Splits a command line like a shell: blanks, quotes, backslashes; nothing is expanded. False if a quote is not
 * closed.
 */
bool workload_split(struct arena *a, struct str text, struct workload *out);

const char *launcher_name(enum workload_launcher l);
const char *caches_name(enum caches c);
const char *check_kind_name(enum check_kind k);
const char *dynamic_name(enum dynamic_shapes d); /* "none", "true", "false" */
