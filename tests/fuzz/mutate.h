/*
 * mutate: changes to the model of an input, one field at a time, by the table of fields that a digest is written by:
 * numbers to their ends, texts to odd ones, lists to shorter ones, pointers to others of their class or to nothing.
 * What comes of it is what somebody could put into a digest, and of what a reader of traces would never make.
 */
#pragma once

#include "model/model.h"

/* Changes one field of a model that was decoded and is in no run; *seed decides which, and how. */
void mutate_input(struct input *in, unsigned *seed);
