/*
 * crash_scan: where in console text a traceback, or what a dying process says, begins and ends. Looks at one line after
 * the other. Any thread.
 *
 * Nothing marks the end of an exception's message: the program's output may follow it directly. So a line is certain
 * (indented, or of the words that PyTorch and Python put there), or it may belong to the block, which only a later
 * line tells, such as "from user code:".
 */
#pragma once

#include "torchlog/crash/crash_begin.h"

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
    bool output;     /* the message has what a compiler said, in lines of its own */
};

/* `line` is the first line of a block of the form. */
void crash_scan_begin(struct crash_scan *s, enum crash_form form, struct str line);
/* Whether the next line belongs to it. After CRASH_NO_LINE the block is over. */
enum crash_line crash_scan_next(struct crash_scan *s, struct str line);

/* The part of the text that begins with its first traceback and ends where that ends; empty when it has none. */
struct str crash_traceback(struct str text);
