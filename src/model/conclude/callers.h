/*
 * callers: names the frames of PyTorch 2.3 and 2.4. Their dynamo_start has only the stack of the callers, without the
 * frame that is compiled (2.5 and later put it last). In 2.4 the metrics name the frame. Without metrics, the stack of
 * another frame that was compiled while this one ran contains it and shows its name. Part of run_finish; one thread.
 */
#pragma once

#include "model/model.h"

/* Whether the stacks of a process are of that kind. */
bool callers_only(const struct process *p);

/*
 * Removes the names that were read from such stacks (not names from metrics). Call it first, so that the names of a
 * log that is joined stay.
 */
void callers_forget_names(struct process *p);

/*
 * Then sets the names that stacks of other frames show, and compile->within: the compile during whose frame another
 * one was compiled separately, which only happens after a graph break.
 */
void callers_use(struct process *p, struct arena *scratch);
