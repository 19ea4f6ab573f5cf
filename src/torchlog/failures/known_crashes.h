/*
 * known_crashes: the failures of one process in a log so far. The same exception is there several times: logged and
 * printed, by several handlers, in one line and with its stack. One thread.
 */
#pragma once

#include "trace/record.h"

/* A failure, as the next texts are compared with it. */
struct known_crash {
    struct failure *failure;
    struct str headline;
    int rank;
    uint64_t pid;
    bool placed; /* it is among the failures of its compile */
};

/* Zero to begin with. */
struct known_crashes {
    VEC(struct known_crash *) list;
    VEC(struct failure *) clues; /* what says that something failed, but not which exception it was */
};

/* Whether the same is known already, with all that this one says. */
bool crash_is_known(const struct known_crashes *t, const struct failure *f);

/*
 * Whether the newest exception that is known has the same name and first line, and lines of the program. A debugger
 * shows an exception, the calls that led to it, and its last line once more.
 */
bool known_crashes_ends_with(const struct known_crashes *t, const struct failure *f);

/*
 * The exception that `raised` is, printed before where it was caught: the stack of `raised` leads to its stack. Looks a
 * limited number of failures back. NULL if there is none.
 */
struct failure *known_crashes_printed(const struct known_crashes *t, const struct failure *raised);

/* Takes those away that are consequences of others. */
void known_crashes_drop(struct known_crashes *t, bool (*is_consequence)(const struct failure *f));

/*
 * Adds a failure, to its compile, too, when `place` is set. When the same is known already, that one learns what only
 * this one says, and NULL is returned.
 */
struct known_crash *known_crashes_add(struct known_crashes *t, struct record *rec, struct failure *f, bool place);

/* Keeps a failure whose exception is not in its text. */
void known_crashes_keep_clue(struct known_crashes *t, struct record *rec, struct failure *f);

/*
 * Whether a failure is what a clue is about. When the clue says more than the failure does, the failure learns it; what
 * a clue says that has no words of its own (the end of a traceback), any failure says.
 */
bool crash_explains(struct arena *a, struct failure *f, const struct failure *clue);

/* Makes a failure of a clue that nothing explains. */
void known_crashes_add_clue(struct known_crashes *t, struct failure *clue, struct arena *a);

/* Whether both are the same exception, wherever it stands. */
bool crash_same_exception(const struct failure *a, const struct failure *b);

/* Whether it only says that a compiler that was called failed: the compiler printed what is wrong. */
bool crash_is_of_called_compiler(const struct failure *f);
