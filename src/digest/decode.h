/*
 * decode: turns the bytes that encode_input made back into the model of an input. The bytes may be forged. The result
 * is nevertheless as if a trace had been read, or there is none: numbers are in the range of their field, texts are
 * UTF-8, pointers lead to objects of their class, and memory is bounded by the number of bytes. One thread per input.
 */
#pragma once

#include "model/rows/fields.h"

/* A new input, which does not belong to a run yet; NULL if the bytes are not what encode_input writes. */
struct input *decode_input(struct str bytes);

/* Takes a number off the start of s; false if there is none. */
bool decode_number(struct str *s, uint64_t *out);
