/*
 * crash_end: which exceptions ended a process, when its console text is over: one that was caught, or that follows from
 * another, is none. One thread, the reader's.
 */
#pragma once

#include "torchlog/failures/crash_process.h"

/* The log is over. `processes` are all of it. */
void crash_finish(struct crash_process *const *processes, size_t n, struct arena *a);
