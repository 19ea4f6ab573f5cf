/*
 * command_line: the words to execute for a workload: its command, with the Python and the launcher that it asks for.
 * One thread.
 */
#pragma once

#include "relaunch/workload/workload.h"

struct command_line {
    VEC(struct str) words;
    size_t rank_at; /* where the words of each rank begin, after a launcher of plain processes; 0 if there is none */
    bool torchrun;  /* its first process is torchrun, which reads PET_... variables */
};

/*
 * `python` replaces a python or torchrun at the beginning of the command; if it is empty, nothing is replaced. Words
 * are views of the workload or in the arena.
 */
struct command_line command_line_make(struct arena *a, const struct workload *w, struct str python);

/* Inserts words before index `at`. */
void command_line_insert(struct arena *a, struct command_line *c, size_t at, const struct str *words, size_t n);

/* Whether a word of a command is a Python interpreter, by its name. */
bool command_is_python(struct str word);

/* In the form for execvp. In the arena. */
const char *const *command_line_argv(struct arena *a, const struct command_line *c);
