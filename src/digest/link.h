/*
 * link: what a digest leaves out because it follows from the rest: whose list something is in, its place there, what
 * a name means. And what the reader of a trace makes sure of and others rely on. One thread per input.
 */
#pragma once

#include "model/model.h"

/* Sets it in an input that was decoded; false when what is there cannot be of a trace. */
bool link_input(struct input *in);
