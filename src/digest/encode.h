/*
 * encode: the model of one input as bytes, following the rows of model/rows/fields.def. Small numbers are short. A
 * text is written once; so is an object that several others point to, which they refer to by its number. Equal models
 * give equal bytes. Any thread.
 */
#pragma once

#include "model/rows/fields.h"
#include "util/buf.h"

/* Appends the bytes. The input was read, and run_finish has not been called. */
void encode_input(struct buf *out, const struct input *in);

/* Appends a number: seven bits per byte, with the top bit clear in the last byte. */
void encode_number(struct buf *out, uint64_t n);
