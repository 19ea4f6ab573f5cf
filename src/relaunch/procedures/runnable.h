/*
 * runnable: edits the programs that PyTorch writes for one graph (fx_graph_runnable, minifier_launcher.py, repro.py).
 * They begin with the environment of the process that wrote them. Any thread.
 */
#pragma once

#include "util/arena.h"

/*
 * The program without the variables that name directories of the process that wrote it: caches, traces, logs. They
 * would override those that a trial sets. In the arena.
 */
struct str runnable_clean(struct arena *a, struct str text);

/* Whether sizes of its inputs are symbolic. */
bool runnable_is_symbolic(struct str text);

/*
 * A minifier's repro.py reads its inputs from a directory of the process that wrote it: returns that directory, in the
 * arena, empty if there is none; and the program with its own directory instead.
 */
struct str runnable_save_dir(struct arena *a, struct str text);
struct str runnable_move(struct arena *a, struct str text, struct str save_dir);

/*
 * The program with symbolic sizes: a minifier writes tracing_mode='real' even if it ran with symbolic sizes. In the
 * arena.
 */
struct str runnable_make_symbolic(struct arena *a, struct str text);

/*
 * The next input that it reads: a file in "storages" of that directory. False after the last. Start with the whole
 * text.
 */
bool runnable_next_input(struct str *text, struct str *name);

/* Writes it to a file. 0 or -errno. */
int runnable_write(const char *path, struct str text);
