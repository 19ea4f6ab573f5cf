/* error_step_list: the sentences that say what to do about an error. Any thread. */
#pragma once

#include "analysis/known_errors/error_answers.h"
#include "text/python/traceback.h"
#include "util/arena.h"
#include "util/vec.h"

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
    bool in_library;                /* ... in a line of a library, which the reader does not change */
    const struct call *own;         /* the program's own line that raised it while the compiler ran it; may be NULL */
    struct str alone; /* the command that runs the failing graph alone, also in the list; empty if there is none */
};

/* One more sentence, after the others; the text must live as long as the arena. */
void error_step_say(struct arena *a, struct error_steps *out, struct str words);

/* Each sentence of the list, which ends at its limit or at NULL. */
void error_step_say_each(struct arena *a, struct error_steps *out, const char *const list[ERROR_ANSWER_STEPS]);

/* The sentence, with its text to paste if that is one line. In the arena. */
struct str error_step_text(struct arena *a, const struct error_step *s);
