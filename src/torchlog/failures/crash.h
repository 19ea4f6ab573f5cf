/*
 * crash: exceptions and crashes in console text become failures of the model: of the compile that was at work, where
 * that is known, else of the process. The same exception printed twice is one failure. What has nothing to do with the
 * compiler counts only when the program ended with it. One thread, the reader's.
 */
#pragma once

#include "torchlog/apply/messages.h"
#include "torchlog/failures/crash_process.h"

/* Whether its compile or process may be broken according to the message. Takes it into the model when it is. */
bool crash_take(struct crash_process *p, struct record *rec, const struct log_message *m);

/* Every message that crash_take did not take. */
void crash_note(struct crash_process *p, struct record *rec, const struct log_message *m);

/* What PyTorch went on without, for a log that is over: of the process that is given. */
void crash_put_warnings(const struct crash_process *p, struct process *of, struct arena *a);
