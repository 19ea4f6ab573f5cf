/*
 * mutate: changes to the model of an input, one field at a time, by the table of fields that a digest is written by:
 * numbers to their ends, texts to odd ones, lists to shorter ones, pointers to others of their class or to nothing.
 * The result is what somebody could put into a digest, and what a reader of traces never makes.
 */
#pragma once

#include "model/model.h"

/* Changes one field of a model that was decoded and is in no run; *seed decides which, and how. */
void mutate_input(struct input *in, unsigned *seed);
