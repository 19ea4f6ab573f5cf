/*
 * target: what the Python is that a workload runs under, and what its PyTorch understands. It is asked once; PyTorch is
 * not imported for it. One thread.
 */
#pragma once

#include "relaunch/workload/environment.h"
#include "util/map.h"

/* A part of a backend that Inductor's bisector can switch off. */
struct bisect_subsystem {
    struct str backend, name; /* "inductor", "lowerings" */
    struct str config, value; /* a setting and what it is changed to ("True"); empty: it has applications to count */
};

struct target {
    struct str python;        /* the interpreter; a path, or a name that PATH leads to */
    bool answered;            /* what follows is known */
    struct str failure;       /* why it is not */
    int interrupted;          /* the signal that came to us meanwhile; 0: none */
    struct str executable;    /* as it says itself */
    struct str version;       /* "3.11.7" */
    struct str torch;         /* "2.13.0+cpu"; empty when it has no PyTorch */
    struct str torch_failure; /* why there is none */
    struct str cuda;
    struct map logs;                         /* names that TORCH_LOGS takes */
    bool override_backends;                  /* TORCH_COMPILE_OVERRIDE_BACKENDS: 2.12 and later */
    bool bisect_backend;                     /* TORCH_BISECT_BACKEND: 2.6 and later */
    VEC(struct bisect_subsystem) subsystems; /* of torch/_inductor/compiler_bisector.py, in its order */
};

/*
 * Which Python the command runs: the first of its words that is one, or a script for one (torchrun), as found on the
 * PATH of `environment`. Empty when no word names one. Lives in the arena.
 */
struct str target_find_python(struct arena *a, const struct workload *w, const struct environment *environment);

/*
 * Asks `python` (hook/ask.py). What it prints goes to files in `dir`. Why there is no answer is in out->failure; the
 * time limit is two minutes. -errno when the files cannot be made.
 */
int target_ask(struct arena *a, struct str python, const struct environment *environment, const char *dir,
               struct target *out);

/* Whether TORCH_LOGS takes the name. */
bool target_knows_log(const struct target *t, struct str name);
