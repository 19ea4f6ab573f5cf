/*
 * repeated: what a digest holds and what is there in another digest, or as the file itself, counts once. Main thread.
 */
#pragma once

#include "model/model.h"

/*
 * Drops inputs of digests that another input holds, too, and puts the inputs in the order of their paths. The file
 * itself stays rather than its digest, and a file that has grown since rather than what it was. The inputs were read.
 */
void repeated_drop(struct run *r);
