/*
 * environment: changes to the environment of a program that is launched, as a list of settings on top of this
 * process's environment. A later setting of a name replaces an earlier one. Texts are copied into the arena. One
 * thread.
 */
#pragma once

#include "relaunch/workload/workload.h"

struct environment {
    struct arena *arena;
    setting_list list;
};

void environment_set(struct environment *e, struct str name, struct str value);
void environment_unset(struct environment *e, struct str name);
/* Adds all settings in order. */
void environment_add(struct environment *e, const setting_list *settings);
/* Sets it, unless it is already set among the settings or in the environment of this process. */
void environment_default(struct environment *e, struct str name, struct str value);
/* Puts `dir` before the other directories in the variable (PYTHONPATH). */
void environment_put_first(struct environment *e, struct str name, struct str dir);

/* The value that a program would see; false if it is not set. NUL-terminated. */
bool environment_get(const struct environment *e, struct str name, struct str *value);

/* The file that a name without '/' would start, by its PATH; empty if there is none. NUL-terminated, in the arena. */
struct str environment_find_program(const struct environment *e, struct str name);

/* For execvpe: this process's environment with the settings applied. Lives in the arena. */
char **environment_make(const struct environment *e);
