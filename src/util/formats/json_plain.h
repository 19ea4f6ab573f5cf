/*
 * json_plain: JSON as PyTorch writes it nearly always: of ASCII, with numbers that fit, and without mistakes. It makes
 * of it what jansson would, with a third of the instructions. Any thread.
 */
#pragma once

#include "util/str.h"

#include <jansson.h>

/* NULL for all else: that is jansson's to load, or to say what is wrong with it. */
json_t *json_plain_load(struct str text);
