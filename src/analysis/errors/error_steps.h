/*
 * error_steps: what to do about an error, as maintainers answer: by its message, else by its category. To add an
 * answer, add a row in an answers_*.def; for problems of the machine, a row in text/python/fault.c. Any thread.
 */
#pragma once

#include "analysis/answers/errors.h"

/* Most useful first: sentences, with commands and code in `backticks`. In the arena. */
struct error_steps {
    VEC(struct str) list;
    const struct artifact *runnable; /* the failing graph as a program; may be NULL */
    struct str alone; /* the command that runs the failing graph alone, also in the list; empty if there is none */
};

/* `x`: what `pt2trace run` did, and could do next; NULL if it did not make the trace. */
void error_next_steps(struct arena *a, const struct experiment *x, const struct error *e, struct error_steps *out);
