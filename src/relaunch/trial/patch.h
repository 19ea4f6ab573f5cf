/*
 * patch: applies a report's advice to a launch: environment variables, and texts that the hook puts into the program
 * while Python reads it (hook/_pt2trace_patch.py). Files on disk are not changed. One thread.
 */
#pragma once

#include "relaunch/trial/arrival.h"
#include "relaunch/workload/environment.h"

#define PATCH_FILE "patch.json"

/*
 * "dynamic=True" in the pattern "torch.compile(..., dynamic=True)   # ...": an argument that the hook can add to every
 * call. Empty for other texts.
 */
struct str patch_argument(const struct fix *f);

/* Whether it is of a kind that can be applied from outside. */
bool patch_can_apply(const struct fix *f);

/* The variables in an environment text: "A=1 B=\"x y\"". $HOME at the beginning of a value is replaced. */
setting_list patch_variables(struct arena *a, struct str text);

/* Writes the file for the hook, if there is anything for it. 0 or -errno. */
int patch_write(const struct fix *const *fixes, size_t n, const char *dir, const char *name);

/* Sets the environment of a launch, and what must arrive. True if the hook makes part of the changes. */
bool patch_apply(struct arena *a, const struct fix *const *fixes, size_t n, const char *path,
                 struct environment *environment, struct arrival *arrival);
