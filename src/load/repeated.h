/*
 * repeated: makes an input that is both in a digest and in another digest, or that is there as the file itself, count
 * once. Main thread.
 */
#pragma once

#include "model/model.h"

/*
 * Drops inputs of digests that another input contains, and sorts the inputs by path. The file itself is kept rather
 * than its digest, and a file that has grown rather than its earlier state. The inputs have been read.
 */
void repeated_drop(struct run *r);
