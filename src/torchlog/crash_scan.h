/*
 * crash_scan: where in console text a traceback, or what a dying process says, begins and ends. Looks at one line after
 * the other. Any thread.
 *
 * Nothing marks the end of an exception's message: the program's output may follow it directly. So a line is certain
 * (indented, or of the words that PyTorch and Python put there), or it may belong to the block, which only a later
 * line tells, such as "from user code:".
 */
#pragma once

#include "util/str.h"

enum crash_form {
    CRASH_NONE,
    CRASH_TRACEBACK, /* "Traceback (most recent call last):", also of an exception group */
    CRASH_PYTEST,    /* the same as pytest shows it: shown_traceback.h */
    CRASH_NOTEBOOK,  /* ... as IPython does */
    CRASH_FATAL,     /* "Fatal Python error: Segmentation fault", of faulthandler */
    CRASH_TERMINATE, /* "terminate called after throwing an instance of 'c10::Error'" */
    CRASH_LOGGED,    /* "[E1121 08:00:06.012345678 ProcessGroupNCCL.cpp:632] ...", of c10 */
    CRASH_ASSERT,    /* "/x.cu:12: f: block: [0,0,0], thread: [1,0,0] Assertion `i < n` failed.", of a GPU */
    CRASH_SHELL,     /* "Killed", "run.sh: line 3: 42 Segmentation fault      (core dumped) python train.py" */
};

/* An exception of Python, however it is shown. */
static inline bool crash_is_exception(enum crash_form form)
{
    return form == CRASH_TRACEBACK || form == CRASH_PYTEST || form == CRASH_NOTEBOOK;
}

/* What a line begins. */
enum crash_form crash_begins(struct str line);

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
};

/* `line` is the first line of a block of the form. */
void crash_scan_begin(struct crash_scan *s, enum crash_form form, struct str line);
/*
 * What some loggers put before every line of a traceback ("ERROR 06-20 08:00:00 [core.py:710] ") and others only before
 * its header ("ERROR:root:"): its length where `line` is such a header, else 0.
 */
size_t crash_lead(struct str line);
/* Whether a line begins with such a lead, which may tell another time. */
bool crash_has_lead(struct str line, struct str lead);

/* Whether the next line belongs to it. After CRASH_NO_LINE the block is over. */
enum crash_line crash_scan_next(struct crash_scan *s, struct str line);

/* The part of the text that begins with its first traceback and ends where that ends; empty when it has none. */
struct str crash_traceback(struct str text);
