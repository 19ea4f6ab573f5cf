/*
 * patch: advice of a report as changes of a launch: variables of its environment, and texts that the hook puts into the
 * program while Python reads it (hook/_pt2trace_patch.py). Nothing is changed on disk. One thread.
 */
#pragma once

#include "relaunch/trial/arrival.h"
#include "relaunch/workload/environment.h"

#define PATCH_FILE "patch.json"

/*
 * "dynamic=True" of the pattern "torch.compile(..., dynamic=True)   # ...": what the hook can make an argument of every
 * call. Empty for other texts.
 */
struct str patch_argument(const struct fix *f);

/* Whether `kind` is one that can be applied from outside. */
bool patch_can_apply(const struct fix *f);

/* The variables of an environment's text: "A=1 B=\"x y\"". $HOME at the beginning of a value is replaced. */
setting_list patch_variables(struct arena *a, struct str text);

/* Writes what the hook reads, where there is something for it. 0 or -errno. */
int patch_write(const struct fix *const *fixes, size_t n, const char *dir, const char *name);

/* Sets the environment of a launch, and what has to arrive. True when the hook makes a part of it. */
bool patch_apply(struct arena *a, const struct fix *const *fixes, size_t n, const char *path,
                 struct environment *environment, struct arrival *arrival);
