/* phase: the part of compiling that an event of PyTorch belongs to. Any thread. */
#pragma once

#include "util/str.h"

/* The part of compiling that an event belongs to. To add a name, add a row in phase.c. */
enum phase {
    PHASE_DYNAMO, /* tracing the user's bytecode */
    PHASE_GUARDS,
    PHASE_AOT,      /* AOTAutograd */
    PHASE_PASSES,   /* pre-grad, joint and post-grad graph passes */
    PHASE_INDUCTOR, /* lowering, scheduling, code generation */
    PHASE_COMPILER, /* C++ and Triton compilers, including the wait for them */
    PHASE_AUTOTUNE,
    PHASE_CUDA_GRAPHS, /* recording them at run time */
    PHASE_CACHE,       /* looking up and loading cached results */
    PHASE_BACKEND,     /* another backend than Inductor, and the time of Inductor's that has no event */
    PHASE_OTHER,
    PHASE_COUNT
};

const char *phase_name(enum phase p);  /* as in report.json */
const char *phase_title(enum phase p); /* for people */
/* For people, from its name in report.json; an unknown name stays as it is. */
struct str phase_title_of(struct str name);
enum phase phase_of_event(struct str name);
/* Whether it only waits for compile workers or other ranks. */
bool event_is_waiting(struct str name);
