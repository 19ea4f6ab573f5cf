/*
 * health: whether the records of a run are complete: where a trace ends during a compile, and how severe its messages
 * are. Any thread.
 */
#pragma once

#include "model/model.h"

/*
 * The compile during which the trace of a process ends; NULL if it ends between compiles, or if records that could not
 * be read may contain the end.
 */
const struct compile *process_cut_off(const struct process *p);
/* The work in progress when its records stop: the innermost event without an end; may be empty. */
struct str process_last_activity(const struct process *p, const struct compile *c);

/*
 * The health of the input: counts of messages by severity, including those over the limit; and how many files could
 * not be read to their end, which is not the fault of the trace or its writer: consequences of that do not count as
 * errors.
 */
struct health {
    uint64_t info, warnings, errors, unread;
    bool traced;  /* records of a trace were read */
    bool texts;   /* lines of a log, or of another text, were read */
    bool cut;     /* the trace of some process ends during a compile */
    bool nothing; /* neither a trace nor a log was read: there are only the notes of `pt2trace run` */
};
struct health run_health(const struct run *r);
