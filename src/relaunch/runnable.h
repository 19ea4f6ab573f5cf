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

/* Writes it as a file. 0 or -errno. */
int runnable_write(const char *path, struct str text);
