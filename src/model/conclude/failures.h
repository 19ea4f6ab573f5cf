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
