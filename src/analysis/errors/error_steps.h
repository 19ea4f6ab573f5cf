/*
 * error_steps: what to do about an error, as maintainers answer it: by its message, else by its category. Adding an
 * answer: a row in error_answers.c; for what a machine lacks, a row in text/python/fault.c. Any thread.
 */
#pragma once

#include "analysis/answers/errors.h"

/* Most useful first: sentences, with what is to be typed in `backticks`. In the arena. */
struct error_steps {
    VEC(struct str) list;
    const struct artifact *runnable; /* the failing graph as a program; may be NULL */
    struct str alone; /* the command that runs the failing graph alone, which the list has too; empty where none can */
};

/* `x`: what `pt2trace run` did, which can be asked for more; NULL where the trace is of something else. */
void error_next_steps(struct arena *a, const struct experiment *x, const struct error *e, struct error_steps *out);
