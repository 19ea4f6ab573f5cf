/*
 * runnable: the programs that PyTorch writes for one graph (fx_graph_runnable, minifier_launcher.py, repro.py). They
 * begin with the environment of the process that wrote them. Any thread.
 */
#pragma once

#include "util/arena.h"

/*
 * The program without the variables that name places of the process that wrote it: caches, traces, logs. They would
 * come before those that a trial sets, and lead elsewhere. In the arena.
 */
struct str runnable_clean(struct arena *a, struct str text);

/* Whether sizes of its inputs are symbols. */
bool runnable_is_symbolic(struct str text);

/*
 * repro.py of a minifier reads its inputs from a directory of the process that wrote it: which, in the arena, empty
 * when it names none; and the program with its own directory in place of that.
 */
struct str runnable_save_dir(struct arena *a, struct str text);
struct str runnable_move(struct arena *a, struct str text, struct str save_dir);

/*
 * The program with symbols for sizes: a minifier writes tracing_mode='real' also where it ran with symbols. In the
 * arena.
 */
struct str runnable_make_symbolic(struct arena *a, struct str text);

/* The next input that it reads: a file in "storages" of that directory. False behind the last. Begins with text. */
bool runnable_next_input(struct str *text, struct str *name);

/* Writes it as a file. 0 or -errno. */
int runnable_write(const char *path, struct str text);
