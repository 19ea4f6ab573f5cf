/*
 * crash_compile: which compile was at work when an exception was printed. One thread, the reader's.
 */
#pragma once

#include "torchlog/crash/crash_facts.h"
#include "torchlog/failures/crash_process.h"

/* The last compile of a function; of any file if none is given. NULL if there is none. */
struct compile *crash_newest_of(const struct process *p, struct str function, struct str file);

/* Whether a compile has begun and not ended, of the function where the stack begins if that is known. */
bool crash_is_at_work(const struct crash_process *p, const struct compile *c, const struct text_call *outermost);

/* The compile that an exception belongs to; NULL if nothing shows it. */
struct compile *crash_compile_at_work(const struct crash_process *p, const struct process *process,
                                      const struct crash_text *t);
