/*
 * error_code: the program's own code in an error of the backend: a lowering, a pass or a backend that raised it, and
 * operators without which the failing graph does not run. Reads payloads. Any thread.
 */
#pragma once

#include "analysis/answers/errors.h"
#include "text/python/traceback.h"

/*
 * The innermost line of a lowering, a pass or a backend in the program itself, if it raised, or if Inductor called it.
 * False if there is none. In the arena.
 */
bool error_find_own_code(struct arena *a, const struct error *e, struct text_call *out);

/* Whether the failing graph runs as a program of its own: the program defines none of its operators. */
bool error_runs_alone(struct arena *a, const struct artifact *runnable);
