/*
 * crash_logged: messages that PyTorch logs with the traceback of an exception, such as "WON'T CONVERT". One thread, the
 * reader's.
 */
#pragma once

#include "torchlog/apply/messages.h"
#include "torchlog/failures/crash_process.h"

/* A message after which the compile failed. */
struct crash_logged {
    const char *begins;
    const char *name; /* of the artifact */
};

/* The row of a message of PyTorch's that says why a compile failed; NULL for others. */
const struct crash_logged *crash_logged_row(const struct log_message *m);

/* Takes it into the model; false if it has no traceback. */
bool crash_logged_take(struct crash_process *p, struct record *rec, const struct crash_logged *kind);

/* Remembers that the traceback behind a message of the short form belongs to it. */
void crash_logged_announce(struct crash_process *p, struct record *rec, const struct log_message *m);

/* Whether a level is a warning or above. */
bool crash_logged_warns(char level);

/*
 * torch/_inductor/runtime/triton_heuristics.py logs why a kernel does not compile. Most often it raises that, too, as
 * an exception that may show no more than a line of the kernel.
 */
bool crash_logged_is_kernel(struct str text);
bool crash_logged_is_source(const struct log_message *m, struct str text);
void crash_logged_keep_kernel(struct crash_process *p, struct record *rec);
void crash_logged_use_kernel(const struct crash_process *p, struct failure *f);
