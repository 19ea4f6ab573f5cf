/*
 * arrival: whether what a trial asks for reached the program. Most of it comes by a file on PYTHONPATH, which `python
 * -I` and scripts that set PYTHONPATH again keep out; all of it comes by variables, which a program may set itself. A
 * trial that was launched without what it asks for would say that nothing changes. One thread.
 */
#pragma once

#include "relaunch/trial/hook_report.h"
#include "relaunch/workload/workload.h"

/* A text that is put into the program; see patch.h. */
struct arrival_patch {
    struct str name, file; /* file: empty for a setting */
};

struct arrival {
    bool by_hook;          /* the hook makes the change, so that it has to be in every process that compiles */
    bool of_calls;         /* it changes arguments of torch.compile */
    VEC(struct arrival_patch) patches;
    setting_list settings; /* variables that make it */
    VEC(uint64_t) traced;  /* processes that compiled something */
};

/* Sentences: what did not arrive, and how it would. Empty when all did, as far as is known. */
struct str arrival_problem(struct arena *a, const struct workload *w, const struct arrival *arrival,
                           const struct hook_report *report);

/* How a hook that was kept out would get in: a sentence. */
struct str arrival_way(struct arena *a, const struct workload *w);
