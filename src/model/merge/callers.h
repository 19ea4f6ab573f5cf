/*
 * callers: the frames of PyTorch 2.3 and 2.4. Their dynamo_start has the stack of callers alone, without the frame
 * that is compiled (2.5 and later put it last). The metrics name the frame in 2.4. Where there are none, the stack of
 * a frame that was compiled while it ran ends in it and shows its name. Part of run_finish; one thread.
 */
#pragma once

#include "model/model.h"

/* Whether the stacks of a process are of that kind. */
bool callers_only(const struct process *p);

/*
 * Takes back the names that were read off such stacks, not those of metrics: first, so that those of a log that is
 * joined stay.
 */
void callers_forget_names(struct process *p);

/*
 * Then sets the names that stacks of other frames show, and compile->within: the compile in whose frame another was
 * compiled on its own, which is not done without a graph break.
 */
void callers_use(struct process *p, struct arena *scratch);
