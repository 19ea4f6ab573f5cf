/*
 * target: facts about the Python that a workload runs under, and what its PyTorch supports. It is queried once,
 * without importing PyTorch. One thread.
 */
#pragma once

#include "relaunch/workload/environment.h"
#include "util/map.h"

/* A part of a backend that Inductor's bisector can switch off. */
struct bisect_subsystem {
    struct str backend, name; /* "inductor", "lowerings" */
    struct str config, value; /* a setting and its changed value ("True"); empty: it has applications to count */
};

struct target {
    struct str python;        /* the interpreter: a path, or a name that is found on PATH */
    bool answered;            /* the members below are known */
    struct str failure;       /* why they are not */
    int interrupted;          /* the signal that arrived meanwhile; 0: none */
    struct str executable;    /* sys.executable */
    struct str version;       /* "3.11.7" */
    struct str torch;         /* "2.13.0+cpu"; empty if it has no PyTorch */
    struct str torch_failure; /* why there is none */
    struct str cuda;
    struct map logs;                         /* names that TORCH_LOGS accepts */
    bool override_backends;                  /* TORCH_COMPILE_OVERRIDE_BACKENDS: 2.12 and later */
    bool bisect_backend;                     /* TORCH_BISECT_BACKEND: 2.6 and later */
    VEC(struct bisect_subsystem) subsystems; /* from torch/_inductor/compiler_bisector.py, in its order */
};

/*
 * The Python that the command runs: the first of its words that is one, or a script for one (torchrun), as found on
 * the PATH of `environment`. Empty if no word is one. Lives in the arena.
 */
struct str target_find_python(struct arena *a, const struct workload *w, const struct environment *environment);

/*
 * Queries `python` (hook/ask.py). Its output goes to files in `dir`. If there is no answer, out->failure says why; the
 * time limit is two minutes. -errno if the files cannot be created.
 */
int target_ask(struct arena *a, struct str python, const struct environment *environment, const char *dir,
               struct target *out);

/* Whether TORCH_LOGS accepts the name. */
bool target_knows_log(const struct target *t, struct str name);
