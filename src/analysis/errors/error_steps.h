/*
 * error_steps: what to do about an error, as maintainers answer: by its message, else by its category. To add an
 * answer, add a row in an answers_*.def; for problems of the machine, a row in text/python/fault.c. Any thread.
 */
#pragma once

#include "analysis/answers/errors.h"
#include "text/python/traceback.h"

struct break_fix;

/* A sentence, with commands and code in `backticks`. */
struct error_step {
    struct str words;
    struct str paste; /* a text to paste that belongs to it and is not in it; may be empty, may have several lines */
};

/* In the arena. */
struct error_steps {
    VEC(struct error_step) list;    /* most useful first */
    const struct break_fix *broken; /* against a break that fullgraph=True forbids; NULL for other errors */
    bool in_library;        /* ... in a line of a library, which the reader does not change */
    const struct call *own; /* the program's own line that raised it while the compiler ran it; may be NULL */
    struct str alone; /* the command that runs the failing graph alone, also in the list; empty if there is none */
};

void error_next_steps(struct arena *a, const struct run *r, const struct error *e, struct error_steps *out);

/* The sentence, with its text to paste if that is one line. In the arena. */
struct str error_step_text(struct arena *a, const struct error_step *s);
