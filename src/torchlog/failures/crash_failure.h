/*
 * crash_failure: makes a failure of the model from the text of a crash. One thread, the reader's.
 */
#pragma once

#include "torchlog/crash/crash_facts.h"
#include "torchlog/failures/crash_process.h"

/* Of the record's compile, at the place that the text names, or else where the function begins. */
struct failure *crash_failure_new(struct record *rec, const struct crash_text *t, enum crash_form form);

/* Keeps the record's text as an artifact of that name. */
void crash_failure_keep_text(struct record *rec, struct failure *f, const char *name);

/* f was printed where it was caught; outer is the same exception, which was raised again: takes its stack and place. */
void crash_failure_raised_again(struct failure *f, const struct failure *outer);

/* Takes the stack of another failure of the same crash, where f has none. */
void crash_failure_use_stack(struct failure *f, const struct failure *more);

/* An exception of a compile that is logged and printed is one failure. */
void crash_failure_add(struct crash_process *p, struct record *rec, struct failure *f);
/*
 * The assertion of a GPU says what the exception that follows from it does not: what was out of bounds, and where.
 * False when there is none, or f is another exception.
 */
bool crash_failure_use_assertion(struct crash_process *p, struct arena *a, struct failure *f);
