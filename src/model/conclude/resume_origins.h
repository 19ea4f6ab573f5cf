/*
 * resume_origins: which function a resume function continues; Dynamo names it and the line, and a file may have several
 * of that name. Part of run_finish; one thread.
 */
#pragma once

#include "model/model.h"

/* Sets origin of all frames: a frame that is no resume function is its own. */
void resume_origins_find(struct process *p, struct arena *scratch);
