/*
 * arrival: checks whether a trial's changes reached the program. Most of them need a file on PYTHONPATH, which `python
 * -I`, and scripts that set PYTHONPATH, keep out; all of them need variables, which a program may set itself. A trial
 * without its changes would seem to show that they make no difference. One thread.
 */
#pragma once

#include "relaunch/trial/hook_report.h"
#include "relaunch/workload/workload.h"

/* A text to put into the program; see patch.h. */
struct arrival_patch {
    struct str name, file; /* file: empty for a setting */
};

struct arrival {
    bool by_hook;          /* the hook makes the change, so it must be in every process that compiles */
    bool of_calls;         /* it changes arguments of torch.compile */
    VEC(struct arrival_patch) patches;
    setting_list settings; /* the variables that make the change */
    VEC(uint64_t) traced;  /* processes that compiled something */
};

/* Sentences: what did not arrive, and how it would. Empty if everything did, as far as known. */
struct str arrival_problem(struct arena *a, const struct workload *w, const struct arrival *arrival,
                           const struct hook_report *report);

/* How a hook that was kept out could get in, as a sentence. */
struct str arrival_way(struct arena *a, const struct workload *w);
