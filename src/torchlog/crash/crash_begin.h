/*
 * crash_begin: which lines of console text begin a traceback, or what a dying process says. Any thread.
 */
#pragma once

#include "util/str.h"

enum crash_form {
    CRASH_NONE,
    CRASH_TRACEBACK, /* "Traceback (most recent call last):", also of an exception group */
    CRASH_TAIL,      /* one whose header is missing: calls, or the exception itself, or what PyTorch puts behind it */
    CRASH_PYTEST,    /* the same as pytest shows it: shown_traceback.h */
    CRASH_NOTEBOOK,  /* ... as IPython does */
    CRASH_BOXED,     /* ... as rich does */
    CRASH_FATAL,     /* "Fatal Python error: Segmentation fault", of faulthandler */
    CRASH_SIGNAL,    /* "[node7:42 :0:42] Caught signal 11 (Segmentation fault: ...)", of UCX */
    CRASH_TERMINATE, /* "terminate called after throwing an instance of 'c10::Error'" */
    CRASH_LOGGED,    /* "[E1121 08:00:06.012345678 ProcessGroupNCCL.cpp:632] ...", of c10 */
    CRASH_DUMP,      /* `Thread 42 (idle): "MainThread"`, of py-spy */
    CRASH_ASSERT,    /* "/x.cu:12: f: block: [0,0,0], thread: [1,0,0] Assertion `i < n` failed.", of a GPU */
    CRASH_SHELL,     /* "Killed", "run.sh: line 3: 42 Segmentation fault      (core dumped) python train.py" */
};

/* An exception of Python, however it is shown. */
static inline bool crash_is_exception(enum crash_form form)
{
    return form == CRASH_TRACEBACK || form == CRASH_TAIL || form == CRASH_PYTEST || form == CRASH_NOTEBOOK ||
           form == CRASH_BOXED;
}

/* What a line begins. */
enum crash_form crash_begins(struct str line);
/*
 * Whether the line alone shows that a text is about PyTorch or its compiler, so that the rest of it is worth reading.
 * Exceptions, and what a shell says of a process, other programs have too.
 */
bool crash_is_telling(struct str line);

/*
 * What some loggers put before every line of a traceback ("ERROR 06-20 08:00:00 [core.py:710] ") and others only before
 * its header or the exception ("ERROR:root:"): its length where `line` is such a line, else 0.
 */
size_t crash_lead(struct str line);
/* Whether a line begins with such a lead, which may tell another time. */
bool crash_has_lead(struct str line, struct str lead);
