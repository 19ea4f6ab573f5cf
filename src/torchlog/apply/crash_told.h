/*
 * crash_told: the failures of one process that a log told so far. The same exception is told several times: logged and
 * printed, by several handlers, in one line and with its stack. One thread.
 */
#pragma once

#include "trace/record.h"

/* A failure, as the next texts are compared with it. */
struct crash_told {
    struct failure *failure;
    struct str headline;
    int rank;
    uint64_t pid;
    bool placed; /* it is among the failures of its compile */
};

/* Zero to begin with. */
struct crash_tellings {
    VEC(struct crash_told *) list;
    VEC(struct failure *) clues; /* what says that something failed, but not which exception it was */
};

/* Whether the same was told before, with all that this one says. */
bool crash_is_told(const struct crash_tellings *t, const struct failure *f);

/*
 * Adds a failure, to its compile, too, when `place` is set. When the same was told before, that one learns what only
 * this one says, and NULL is returned.
 */
struct crash_told *crash_tell(struct crash_tellings *t, struct record *rec, struct failure *f, bool place);

/* Keeps a failure whose exception is not in its text. */
void crash_keep_clue(struct crash_tellings *t, struct record *rec, struct failure *f);

/*
 * Whether a failure is what a clue tells of. When the clue says more than the failure does, the failure learns it; what
 * a clue says that has no words of its own (the end of a traceback), any failure says.
 */
bool crash_explains(struct arena *a, struct failure *f, const struct failure *clue);

/* Makes a failure of a clue that nothing explains. */
void crash_tell_clue(struct crash_tellings *t, struct failure *clue, struct arena *a);

/* Whether both are the same exception, wherever it is told. */
bool crash_same_exception(const struct failure *a, const struct failure *b);
