/*
 * crash_block: the forms in which console text has a traceback, or what a dying process says; and the state of looking
 * for its end. Plain data.
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
    CRASH_DUMP,      /* `Thread 42 (idle): "MainThread"`, of py-spy and faulthandler */
    CRASH_ASSERT,    /* "/x.cu:12: f: block: [0,0,0], thread: [1,0,0] Assertion `i < n` failed.", of a GPU */
    CRASH_SHELL,     /* "Killed", "run.sh: line 3: 42 Segmentation fault      (core dumped) python train.py" */
};

/* An exception of Python, however it is shown. */
static inline bool crash_is_exception(enum crash_form form)
{
    return form == CRASH_TRACEBACK || form == CRASH_TAIL || form == CRASH_PYTEST || form == CRASH_NOTEBOOK ||
           form == CRASH_BOXED;
}

enum crash_line { CRASH_LINE, CRASH_LINE_MAYBE, CRASH_NO_LINE };

struct crash_scan {
    enum crash_form form;
    int state;
    size_t indent;   /* of the first line */
    bool group;      /* of an exception group: all lines begin with a bar */
    size_t unsure;   /* lines in a row that may belong to it ... */
    bool only_blank; /* ... all of them blank */
    bool announced;  /* the line before says that a traceback follows inside the message */
    bool goes_on;    /* the line before ends in the middle: "backend='inductor' raised:" */
    bool open;       /* the line before may end within a sentence */
    size_t width;    /* columns of rich's box ... */
    size_t columns;  /* ... and of the line of the message before */
    bool below_call; /* the line before is a call's first */
    bool output;     /* the message has what a compiler said, in lines of its own */
};
