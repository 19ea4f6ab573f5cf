/* shell: command lines in the form in which one types them. Any thread. */
#pragma once

#include "relaunch/workload/workload.h"

/* A word, in single quotes if the shell would split or change it. In the arena. */
struct str shell_word(struct arena *a, struct str word);

/* "A=1 B='2 3' python train.py": settings, then words; a variable that is removed becomes "env -u NAME". */
struct str shell_command(struct arena *a, const setting_list *settings, const struct str *words, size_t n);
