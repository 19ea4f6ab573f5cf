/*
 * shell: command lines as one can type them. Any thread.
 */
#pragma once

#include "relaunch/workload/workload.h"

/* A word in single quotes where the shell would take it apart. In the arena. */
struct str shell_word(struct arena *a, struct str word);

/* "A=1 B='2 3' python train.py": settings, then words; a variable that is taken out as "env -u NAME". */
struct str shell_command(struct arena *a, const setting_list *settings, const struct str *words, size_t n);
