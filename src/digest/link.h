/*
 * link: restores what a digest leaves out because it follows from the rest: which list an object is in, its place
 * there, and what a name means. It also checks what the trace reader guarantees and other code relies on. One thread
 * per input.
 */
#pragma once

#include "model/model.h"

/* Restores it in a decoded input; false if the contents cannot come from a trace. */
bool link_input(struct input *in);
