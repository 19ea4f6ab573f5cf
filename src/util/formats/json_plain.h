/*
 * json_plain: parses JSON as PyTorch nearly always writes it: ASCII only, numbers that fit, no mistakes. The result is
 * the same as jansson's, for a third of the instructions. Any thread.
 */
#pragma once

#include "util/str.h"

#include <jansson.h>

/* NULL for any other JSON: jansson then loads it, or says what is wrong with it. */
json_t *json_plain_load(struct str text);
