/*
 * decode: bytes that encode_input made, or that somebody forged, back into the model of an input. Whatever they are,
 * the result is as if a trace had been read, or there is none: numbers are in the range of their field, texts are
 * UTF-8, pointers lead to things of their class, and memory is bounded by the number of bytes. One thread per input.
 */
#pragma once

#include "model/rows/fields.h"

/* A new input, which is in no run yet, or NULL when the bytes are not what encode_input writes. */
struct input *decode_input(struct str bytes);

/* Takes a number off the start of s; false when there is none. */
bool decode_number(struct str *s, uint64_t *out);
