/*
 * command_line: the words that are executed for a workload: its command with the Python and the launcher that it asks
 * for. One thread.
 */
#pragma once

#include "relaunch/workload/workload.h"

struct command_line {
    VEC(struct str) words;
    size_t rank_at; /* where the words of each rank begin, behind a launcher of plain processes; 0: there is none */
    bool torchrun;  /* its first process is torchrun's: PET_... variables reach it */
};

/*
 * `python` stands for a python or torchrun at the command's beginning; empty leaves them alone. Words are views of the
 * workload or in the arena.
 */
struct command_line command_line_make(struct arena *a, const struct workload *w, struct str python);

/* Puts words before the one at `at`. */
void command_line_insert(struct arena *a, struct command_line *c, size_t at, const struct str *words, size_t n);

/* Whether a word of a command is a Python interpreter, by its name. */
bool command_is_python(struct str word);

/* As execvp wants it. In the arena. */
const char *const *command_line_argv(struct arena *a, const struct command_line *c);
