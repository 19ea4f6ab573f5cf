/*
 * failures: the exceptions of one compile. Two records of an exception become one, and it is decided which the program
 * sees. Part of run_finish; one thread.
 */
#pragma once

#include "model/model.h"

/* Merges records of the same exception, adds a refusal that has no record, and sets limit_hit. */
void failures_conclude(struct compile *c);

/* Then marks the failures that Dynamo handles itself: a recorded graph break, or the recompile limit. */
void failures_mark_fallbacks(struct compile *c, bool break_recorded);

bool failure_says_limit(const struct failure *f);
bool failure_is_unsupported(struct str type);

/* NCCL's watchdog says that a collective timed out, in its log or in the exception that waiting raises. */
bool failure_is_timeout(const struct failure *f);

/* The watchdog itself makes no progress. */
bool failure_is_stuck_watchdog(const struct failure *f);
