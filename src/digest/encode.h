/*
 * encode: the model of one input as bytes, as model/rows/fields.def says. Numbers are short when they are small, a text
 * stands once, and what several point to stands once and is named by its number. Equal models give equal bytes. Any
 * thread.
 */
#pragma once

#include "model/rows/fields.h"
#include "util/buf.h"

/* Appends them. The input was read, and run_finish has not been called. */
void encode_input(struct buf *out, const struct input *in);

/* Appends a number: seven bits a byte, the last one with the top bit clear. */
void encode_number(struct buf *out, uint64_t n);
