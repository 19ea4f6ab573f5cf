/*
 * health: whether the records of a run are whole: where a trace ends while it compiles, and how bad its messages are.
 * Any thread.
 */
#pragma once

#include "model/model.h"

/*
 * The compile during which the trace of a process ends; NULL when it ends after one, or what could not be read may hold
 * of the end.
 */
const struct compile *process_cut_off(const struct process *p);
/* What it was doing when its records stop: the innermost event without an end; may be empty. */
struct str process_last_activity(const struct process *p, const struct compile *c);

/*
 * How bad the health of the input is: counts of messages by severity, those over the limit included; and how many files
 * could not be read to their end, for which neither the trace nor who wrote it is to blame: what follows from that is
 * not among the errors.
 */
struct health {
    uint64_t info, warnings, errors, unread;
    bool traced;  /* records of a trace were read */
    bool texts;   /* lines of a log, or of another text, were read */
    bool cut;     /* the trace of some process ends while it compiles */
    bool nothing; /* no trace and no log was read: there is only what `pt2trace run` noted */
};
struct health run_health(const struct run *r);
