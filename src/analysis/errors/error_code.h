/*
 * error_code: whether the program that Inductor writes for a graph that failed can be run. Reads payloads. Any thread.
 */
#pragma once

#include "analysis/answers/errors.h"

/* Whether the failing graph runs as a program of its own: the program defines none of its operators. */
bool error_runs_alone(struct arena *a, const struct artifact *runnable);
