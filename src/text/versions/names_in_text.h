/*
 * names_in_text: whether a version of PyTorch has all that a text names: settings, functions with their keyword
 * arguments, environment variables and commands. Static data. Any thread.
 */
#pragma once

#include "util/str.h"

/* A name in the text, and the first version that has it (empty: unknown, or the oldest version of the table). */
struct named_since {
    struct str name, since;
};

/* The first name that the version does not have; false if it has all, or if nothing is known about the version. */
bool names_missing(struct str text, struct str version, struct named_since *out);
